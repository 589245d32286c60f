//===- stats.h - What a compilation took and made ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_STATS_H
#define XLAC_LOWERING_STATS_H

#include "xlac/runtime/vulkan/program.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Wall clock of each part in milliseconds, and the object's size.
typedef struct XlaCpuCodegenStats {
  double mathMs, mlirMs, translateMs, optimizeMs, codegenMs, linkMs;
  size_t objectBytes;
} XlaCpuCodegenStats;

/// The same for a Vulkan device.
typedef struct XlaVulkanExecutableStats {
  double scheduleMs, spirvMs, hostMs; ///< wall clock
  XlaVulkanProgramStats program;
  intptr_t nShaders;
  int64_t shaderBytes, constantBytes, scratchBytes;
} XlaVulkanExecutableStats;

/// What a compilation took and what it made.
typedef struct XlaCompileStats {
  double prepareMs, lowerMs, scheduleMs; ///< wall clock
  XlaCpuCodegenStats codegen;            ///< of the CPU
  XlaVulkanExecutableStats vulkan;       ///< of Vulkan
  double totalMs;
  intptr_t nKernels;
  int64_t arenaBytes, constantBytes, scratchBytes;
} XlaCompileStats;

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_STATS_H

//===- schedule.h - A kernel becomes dispatches -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering/vulkan. A schedule reads a kernel function and writes
// shaders beside it, each with the dispatch that runs it.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_VULKAN_SCHEDULE_SCHEDULE_H
#define XLAC_LOWERING_VULKAN_SCHEDULE_SCHEDULE_H

#include "xlac/lowering/vulkan/kernels.h"
#include "xlac/lowering/vulkan/spirv.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Iterations of a loop in a shader, at most.
  XLA_VULKAN_MAX_TRIPS = 32768,
  /// Iterations of all loops of a thread together, inner ones included, behind
  /// which Mesa's llvmpipe (22.3; no longer 25.0) ends every loop silently.
  XLA_VULKAN_MAX_ITERATIONS = 65535,
};

/// Whether a device may do so.
bool xlaVulkanEndsLongLoops(const XlaVulkanInfo *info);

/// A kernel under construction.
typedef struct XlaVulkanSchedule {
  const XlaVulkanInfo *info; ///< as xlaVulkanWithAddresses where it has these
  MlirModule module;
  MlirOperation function; ///< the kernel
  XlaVulkanKernel *kernel;
  bool usesAddresses; ///< of its buffers, and indices of 64 bits
  bool report;        ///< tell on stderr what is chosen
} XlaVulkanSchedule;

/// Whether the kernel `function` has arrays that indices of 32 bits do not
/// reach, or too many windows (memory.c), and the device has addresses.
bool xlaVulkanNeedsAddresses(MlirOperation function, const XlaVulkanInfo *info);
/// The device without the limits that addresses do not have.
XlaVulkanInfo xlaVulkanWithAddresses(const XlaVulkanInfo *info);

/// Reserves scratch of the kernel, aligned for a binding: its offset in the
/// argument number `kernel->nArguments`. -1 after a diagnostic where the sum
/// overflows.
int64_t xlaVulkanScheduleScratch(XlaVulkanSchedule *schedule, int64_t bytes);

/// Begins the shader of the next dispatch, named after the kernel.
void xlaVulkanScheduleShader(XlaVulkanSchedule *schedule,
                             const uint32_t groupSize[3],
                             XlaVulkanShaderBuilder *builder);

/// Ends the shader and appends its dispatch, with a binding (copied) for every
/// argument. Failure comes with a diagnostic: more bindings than the device
/// takes, a binding longer than its maxBufferRange, no memory.
MlirLogicalResult xlaVulkanScheduleDispatch(XlaVulkanSchedule *schedule,
                                            XlaVulkanShaderBuilder *builder,
                                            const uint32_t groups[3],
                                            const XlaVulkanBinding *bindings);

/// The schedule of a kernel (schedule.c). Failure comes with a diagnostic.
MlirLogicalResult xlaVulkanScheduleKernel(XlaVulkanSchedule *schedule);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_VULKAN_SCHEDULE_SCHEDULE_H

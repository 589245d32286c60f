//===- program.h - Running compiled programs on the CPU ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program is a function over addresses, and memory that it works in.
// Everything is allocated when the program is made, or when runs first overlap:
// running it otherwise allocates nothing.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_CPU_PROGRAM_H
#define XLAC_RUNTIME_CPU_PROGRAM_H

#include "xlac/runtime/status.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Memory as the compiler's code sees it: MLIR's descriptor of a memref<?xi8>.
typedef struct XlaCpuSlot {
  void *allocated, *aligned; ///< the same address
  int64_t offset;            ///< 0
  int64_t size, stride;      ///< of no use to the code
} XlaCpuSlot;

/// What the compiler made. Sizes are in bytes.
typedef struct XlaCpuProgramInfo {
  /// Gets inputs, outputs, constants, arena, the caller's context, and scratch,
  /// in this order.
  void (*entry)(XlaCpuSlot *slots);
  intptr_t nInputs, nOutputs;
  int64_t constantBytes, arenaBytes, scratchBytes;
} XlaCpuProgramInfo;

typedef struct XlaCpuProgram XlaCpuProgram;

/// Allocates the program's memory for one run at a time. The constants are zero
/// until xlaCpuProgramGetConstants has been filled. Fails: OUT_OF_MEMORY.
XlaStatus xlaCpuProgramCreate(const XlaCpuProgramInfo *info,
                              XlaCpuProgram **program);
void xlaCpuProgramDestroy(XlaCpuProgram *program);

/// The constants' memory, aligned to 64.
void *xlaCpuProgramGetConstants(XlaCpuProgram *program);

/// Runs the program. Inputs and outputs are dense row-major arrays, aligned to
/// their elements at least (64 is best); outputs must not overlap anything.
/// Several threads may run it at once: each works in an arena of its own, which
/// is kept for later runs. Fails: OUT_OF_MEMORY, where more runs overlap than
/// ever before. `context` is handed to custom calls.
XlaStatus xlaCpuProgramRun(XlaCpuProgram *program, const void *const *inputs,
                           void *const *outputs, void *context);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_CPU_PROGRAM_H

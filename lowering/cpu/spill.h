//===- spill.h - Intermediates that no thread can hold ------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering. A schedule keeps the intermediates of a kernel in
// registers, or in a thread's memory for the row that it works on. Rows may be
// too long for that. What is too large then lies in the result that it may lie
// in (xla.memory, linalg/kernel.h), or in scratch memory of the kernel's.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SPILL_H
#define XLAC_LOWERING_CPU_SPILL_H

#include "xlac/lowering/cpu/target.h"

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Replaces the memref.allocs of `kernel` that its schedule for `target` could
/// not do away with: by an argument, or by a view of a last one that is added
/// for scratch memory of `*scratchBytes`, which is left alone if there is none.
/// Failure comes with a diagnostic.
MlirLogicalResult xlaCpuSpill(MlirOperation kernel, const XlaCpuTarget *target,
                              int64_t *scratchBytes);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SPILL_H

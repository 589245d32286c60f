//===- scratch.h - Memory that kernels need for themselves --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_SCRATCH_H
#define XLAC_LOWERING_CPU_SCRATCH_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the function has a memref.alloc among its own operations, other than
/// `kept`.
bool xlaCpuHasAllocs(MlirOperation function, int nKept, const MlirValue *kept);

/// Adds the memory that a memref.alloc needs, in whole cache lines, to
/// `*total`; false where that overflows.
bool xlaCpuAddBytes(MlirOperation alloc, int64_t *total);

/// Gives the kernel function a last argument, memref<*total x i8>: `bytes` for
/// what the caller will do with it, then the memory of the function's own
/// memref.allocs, which become views, but for `kept`. Fails with a diagnostic
/// if there is no memory, or the sizes overflow.
MlirLogicalResult xlaCpuAddScratch(MlirOperation function, int64_t bytes,
                                   int nKept, const MlirValue *kept,
                                   int64_t *total);

/// The same for a kernel with matrix products, which xlaCpuFindScratch finds
/// again: the function's attribute xla.scratch says the number of the argument.
MlirLogicalResult xlaCpuReserveScratch(MlirOperation function, int64_t bytes,
                                       int nKept, const MlirValue *kept,
                                       int64_t *total);
/// That argument, or null if there is none; fails with a diagnostic if it is no
/// memory of at least `bytes` bytes.
MlirLogicalResult xlaCpuFindScratch(MlirOperation function, int64_t bytes,
                                    MlirValue *scratch);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_SCRATCH_H

//===- fused_matmul.h - Matrix products in fusions ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATMUL_FUSED_MATMUL_H
#define XLAC_LOWERING_CPU_MATMUL_FUSED_MATMUL_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/lowering/cpu/target.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Rewrites the kernel function of a fusion with a contraction; others stay as
/// they are. A product that the emitter of matmul.h takes is computed by that,
/// and what follows it on vectors of sums, if it is an epilogue (epilogue.h).
/// Else the product goes to memory and the schedule takes the rest. Scratch as
/// in XlaHostDevice.emitKernel. Failure comes with a diagnostic.
MlirLogicalResult xlaCpuFuseMatmul(MlirOperation function, MlirModule module,
                                   const XlaCpuTarget *target,
                                   int64_t *scratchBytes);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_MATMUL_FUSED_MATMUL_H

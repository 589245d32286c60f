//===- product.h - Matrix products in kernels ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of kind "contraction" whose product matmul.h takes: a call of that
// in the place of linalg's operations, and what follows is computed on vectors
// of sums, if it is an epilogue (epilogue.h). Else the product goes to memory,
// and the schedule takes the rest; as it does where there is no such product.
//
// The product needs scratch memory, which is an argument of the kernel: the one
// that the function's attribute xla.scratch (i64) says. Without it products are
// loops like all others.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATMUL_PRODUCT_H
#define XLAC_LOWERING_CPU_MATMUL_PRODUCT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/lowering/cpu/target.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Gives the kernel function its argument for scratch memory, if it needs one:
/// for the product, and for what else it allocates. Scratch as in
/// XlaHostDevice.emitKernel. Failure comes with a diagnostic.
MlirLogicalResult xlaCpuProductReserve(MlirOperation function,
                                       const XlaCpuTarget *target,
                                       int64_t *scratchBytes);

/// Replaces the product in such a function, and appends what it calls to
/// `module`; `report` tells on stderr what was chosen, and why. Failure comes
/// with a diagnostic.
MlirLogicalResult xlaCpuProductEmit(MlirOperation function, MlirModule module,
                                    const XlaCpuTarget *target, bool report);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_MATMUL_PRODUCT_H

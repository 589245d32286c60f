//===- quotients.h - Lowering floordiv and mod --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lowering. MLIR's lowering of floordiv and mod corrects what
// negative numbers give: six operations in the place of one. Ranges show that
// there are none, which takes upstream's analysis of the whole function.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_AFFINE_QUOTIENTS_H
#define XLAC_LOWERING_AFFINE_QUOTIENTS_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Lowers affine in the functions of `module`, operations of name `kind`
/// (func.func, gpu.func), that have quotients or remainders, to unsigned
/// operations where that is the same. Functions with so many operations that
/// the analysis would take long are left alone. Failure comes with a
/// diagnostic.
MlirLogicalResult xlaAffineLowerQuotients(MlirOperation module,
                                          const char *kind);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_AFFINE_QUOTIENTS_H

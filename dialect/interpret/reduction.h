//===- reduction.h - Accumulation by a region ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For reduce and reduce_window, see ops/reduction.h.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_REDUCTION_H
#define XLAC_DIALECT_INTERPRET_REDUCTION_H

#include "xlac/dialect/interpret/scalar/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The state of one accumulation after the other.
typedef struct XlaReduction {
  intptr_t n;
  const XlaLiteral *const *operands; ///< arrays, then init values; borrowed
  XlaScalarRegion *body;
  XlaScalar *values; ///< accumulators, then elements
  XlaScalar *inits;  ///< as the body takes them
} XlaReduction;

/// Creates the results of `op` too. Clear it also after a failure, which has
/// emitted a diagnostic.
MlirLogicalResult xlaReductionInit(XlaReduction *reduction,
                                   XlaEvaluator *evaluator, MlirOperation op,
                                   const XlaLiteral *const *operands,
                                   XlaLiteral **results);
void xlaReductionClear(XlaReduction *reduction);

/// Sets the accumulators to the init values.
void xlaReductionStart(XlaReduction *reduction);
/// Combines the accumulators with the elements at `at`, or with the init values
/// if that is negative.
MlirLogicalResult xlaReductionAdd(XlaReduction *reduction, int64_t at);
/// Writes the accumulators to element `at` of the results.
void xlaReductionStore(const XlaReduction *reduction, XlaLiteral **results,
                       int64_t at);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_REDUCTION_H

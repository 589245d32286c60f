//===- region.h - Running a region on scalars many times ---*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What evaluation of reduce, map, sort .. uses for its body: a scalar program
// where the region is one, else the evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_SCALAR_REGION_H
#define XLAC_DIALECT_INTERPRET_SCALAR_REGION_H

#include "xlac/dialect/interpret/evaluator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaScalarRegion XlaScalarRegion;

/// Prepares region number `index` of `op`. Its results and the arguments that
/// are not fixed are scalars. `fixed` is NULL or has an entry an argument:
/// non-null literals (borrowed, must outlive the object) are what that argument
/// gets in every run. NULL after a diagnostic at `op`.
XlaScalarRegion *xlaScalarRegionCreate(XlaEvaluator *evaluator,
                                       MlirOperation op, intptr_t index,
                                       const XlaLiteral *const *fixed);
void xlaScalarRegionDestroy(XlaScalarRegion *region);

/// The element type of an argument.
XlaElementType xlaScalarRegionGetArgumentType(const XlaScalarRegion *region,
                                              intptr_t i);

/// Runs once and counts the steps. `args` are values of the arguments' element
/// types (entries of fixed arguments are ignored); `results` may be `args`.
MlirLogicalResult xlaScalarRegionRun(XlaScalarRegion *region,
                                     const XlaScalar *args, XlaScalar *results);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_SCALAR_REGION_H

//===- extrema.h - Least and greatest values in indexing maps -----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect/indexing. MLIR's expressions have no min and max. In
// those of indexing maps they are runtime variables that are known: the results
// of the variable's map are what the least or greatest is taken of.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_EXTREMA_H
#define XLAC_DIALECT_INDEXING_EXTREMA_H

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_MAX_EXTREMUM_OPERANDS = 16 };

/// Where the extremum of `operands` lies, by what the rules know.
XlaInterval xlaExtremumRange(XlaRules *rules, XlaExtremum kind, intptr_t n,
                             const MlirAffineExpr *operands);
/// Its value where the variables have these. False where arithmetic overflows
/// or divides by 0.
bool xlaExtremumEvaluate(const XlaRuntimeVariable *extremum,
                         const int64_t *dims, const int64_t *ranges,
                         int64_t *value);

/// An equal map whose extrema have simplified operands, without those that are
/// never the least or greatest; what is always one expression is that. NULL if
/// there is no memory.
XlaIndexingMap *xlaIndexingMapReduceExtrema(const XlaIndexingMap *map);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_EXTREMA_H

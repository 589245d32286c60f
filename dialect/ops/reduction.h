//===- reduction.h - What reductions have in common ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce and reduce_window take N arrays and N init values, and combine
// elements by a region of 2 N scalars: accumulators, then elements.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_REDUCTION_H
#define XLAC_DIALECT_OPS_REDUCTION_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an operation calls the rules that both have.
typedef struct XlaReductionLabels {
  const char *count; ///< an init value for each array
  const char *dims;  ///< the arrays' dimensions are the same
  const char *init;  ///< init values are scalars of the arrays' elements
  const char *body;  ///< the region's signature
} XlaReductionLabels;

/// Checks the operands; `first` gets the shape of operand 0.
MlirLogicalResult xlaReductionCheckOperands(const XlaOpView *view,
                                            const XlaReductionLabels *labels,
                                            XlaShape *first);
/// Checks region 0, after the operands.
MlirLogicalResult xlaReductionCheckBody(const XlaOpView *view,
                                        const XlaReductionLabels *labels);
/// Appends N results of the dimensions `dims` and the element types that the
/// region accumulates in.
MlirLogicalResult xlaReductionAppendResults(XlaOpView *view,
                                            const XlaShape *dims);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_REDUCTION_H

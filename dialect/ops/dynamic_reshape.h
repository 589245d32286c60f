//===- dynamic_reshape.h - Reshapes of dynamic dimensions ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_DYNAMIC_RESHAPE_H
#define XLAC_DIALECT_OPS_DYNAMIC_RESHAPE_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Dimensions [from, fromEnd) of one shape and [to, toEnd) of another that have
/// equal numbers of elements.
typedef struct XlaReshapeGroup {
  int from, fromEnd, to, toEnd;
} XlaReshapeGroup;

/// The groups of two shapes with equal numbers of elements, as short as can be:
/// begin with zeros. False after the last. Shapes without elements are one
/// group.
bool xlaReshapeNextGroup(const XlaShape *from, const XlaShape *to,
                         XlaReshapeGroup *group);

/// The sizes of the dynamic dimensions of a reshape's result, in place of their
/// bounds. `declared` has as many elements as `result`; `operand` is it with
/// sizes in place of bounds, or the same.
///
/// Both shapes fall into groups of neighbouring dimensions with equal numbers
/// of elements, as short as can be. The size of a dynamic dimension follows if
/// it is the only one of its group in the result.
MlirLogicalResult xlaReshapeInferSizes(const XlaOpView *view,
                                       const XlaShape *declared,
                                       const XlaShape *operand,
                                       XlaShape *result);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_DYNAMIC_RESHAPE_H

//===- follow.h - Integers that programs compute ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect/indexing. An element of an array is named by the array
// and a place: a map without runtime variables, from the dimensions and range
// variables of an indexing map to indices of the array.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_FOLLOW_H
#define XLAC_DIALECT_INDEXING_FOLLOW_H

#include "xlac/dialect/indexing/linear.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaElement {
  MlirValue array;
  MlirAffineMap place;
} XlaElement;

/// Follows an element through operations that move elements, conversions that
/// keep all values, and from a fusion's arguments to its operands. False if it
/// stays where it is. `rules` are of the variables of the place.
bool xlaElementFollow(XlaRules *rules, XlaElement *element);

/// What the element always is, by the variables of its place, if it is computed
/// from constants and numbers of positions (iota) by integer arithmetic that
/// never wraps around; null if not, or it takes too many steps to see.
MlirAffineExpr xlaElementToExpr(XlaRules *rules, XlaElement element);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_FOLLOW_H

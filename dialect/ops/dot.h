//===- dot.h - The dimensions of contractions ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One form for xla.dot and xla.dot_general. Result dimensions are the batch
// dimensions, then lhs's free ones, then rhs's free ones, each in the order of
// its list.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_DOT_H
#define XLAC_DIALECT_OPS_DOT_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The dimensions of one operand. Entry i of `batch` and `contracting` goes
/// with entry i of the other operand's list; `free` ascends.
typedef struct XlaDotSide {
  XlaI64List batch, contracting, free;
} XlaDotSide;

/// The dimensions of both operands.
typedef struct XlaDotDimensions {
  XlaDotSide lhs, rhs;
} XlaDotDimensions;

/// The dimensions of a verified xla.dot or xla.dot_general. A dot contracts the
/// last dimension of lhs with the last but one of rhs, or with the only one.
void xlaDotGetDimensions(MlirOperation op, XlaDotDimensions *dimensions);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_DOT_H

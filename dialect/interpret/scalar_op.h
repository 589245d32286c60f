//===- scalar_op.h - An elementwise operation on one element ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an elementwise operation says besides its operands, read once and then
// applied to any number of elements.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_SCALAR_OP_H
#define XLAC_DIALECT_INTERPRET_SCALAR_OP_H

#include "xlac/dialect/interpret/scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An elementwise operation on scalars: its kind, types and attributes.
typedef struct XlaScalarOp {
  XlaOpKind kind;
  XlaElementType type; ///< of the first operand
  XlaElementType result;
  XlaComparison comparison;
  bool totalOrder;
  int exponentBits, mantissaBits;
} XlaScalarOp;

/// Reads the attributes of `op`, a verified operation of the elementwise family
/// with this kind and these element types.
XlaScalarOp xlaScalarOpGet(MlirOperation op, XlaOpKind kind,
                           XlaElementType type, XlaElementType result);

/// The value for the operands `x`, not yet rounded to the result's element
/// type: store it in a literal, or use xlaScalarRound.
XlaScalar xlaScalarOpApply(const XlaScalarOp *op, const XlaScalar *x);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_SCALAR_OP_H

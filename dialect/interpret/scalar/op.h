//===- op.h - The meaning of elementwise operations --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an elementwise operation does to single elements, looked up once and
// then applied to any number of them. Floats below f64 are computed in double
// and rounded once, which is correctly rounded for + - * / sqrt and as good as
// libm elsewhere; products of complex<f32> are those of its parts, rounded one
// by one. Cases that C leaves undefined have the values that XLA's own
// evaluator gives: integers wrap; x / 0 has all bits set, x rem 0 is x, MIN /
// -1 is MIN; shifts by the width or more give 0 or the sign.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_SCALAR_OP_H
#define XLAC_DIALECT_INTERPRET_SCALAR_OP_H

#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XlaScalarOp XlaScalarOp;

/// An elementwise operation on scalars: what computes it, its types and
/// attributes.
struct XlaScalarOp {
  XlaScalar (*apply)(const XlaScalarOp *op, const XlaScalar *x);
  union {
    const struct XlaScalarReal *real;
    const struct XlaScalarComplex *complexNumber;
    const struct XlaScalarInteger *integer;
  } row;               ///< of internal.h, by the class of `type`
  XlaElementType type; ///< of the first operand
  XlaElementType result;
  XlaComparison comparison;
  bool totalOrder;
  int exponentBits, mantissaBits;
};

/// The operation `kind`, of the elementwise family, on elements of `type`.
/// Attributes are left for the caller to set.
XlaScalarOp xlaScalarOpMake(XlaOpKind kind, XlaElementType type,
                            XlaElementType result);
/// The same with the attributes of `op`, which has been verified.
XlaScalarOp xlaScalarOpGet(MlirOperation op, XlaOpKind kind,
                           XlaElementType type, XlaElementType result);

/// The value for the operands `x`, not yet rounded to the result's element
/// type: store it in a literal, or use xlaScalarRound.
static inline XlaScalar xlaScalarOpApply(const XlaScalarOp *op,
                                         const XlaScalar *x) {
  return op->apply(op, x);
}

/// The value for one and for two operands of `type`, of an operation without
/// attributes. The result has that type too, but for abs, real and imag of
/// complex numbers (the part's), complex (a number of two parts) and is_finite
/// (pred).
XlaScalar xlaScalarUnary(XlaOpKind kind, XlaElementType type, XlaScalar x);
XlaScalar xlaScalarBinary(XlaOpKind kind, XlaElementType type, XlaScalar x,
                          XlaScalar y);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_SCALAR_OP_H

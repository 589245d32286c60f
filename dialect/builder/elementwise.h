//===- elementwise.h - Elementwise operations of a program --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 000: Unary functions, Binary arithmetic, Comparison.
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_ELEMENTWISE_H
#define XLAC_DIALECT_BUILDER_ELEMENTWISE_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// xlaBuilderAbs, Cbrt, Ceil, Clz, Cos, Erf, Exp, Expm1, Floor, Imag, IsFinite,
/// Log, Log1p, Logistic, Neg, Not, PopulationCount, Real, Round (halves away
/// from zero), RoundNearestEven, Rsqrt, Sign, Sin, Sqrt, Tan, Tanh. The shape
/// is that of `operand`; docs/ops.md has the element types.
#define XLA_BUILDER_UNARY(Function, Enum)                                      \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand);
/// LogicalNot of 002, on pred.
#define XLA_BUILDER_LOGICAL_UNARY(Function, Enum)                              \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand);
/// xlaBuilderAdd, And, Atan2, Complex, Div, Max, Min, Mul, Or, Pow, Rem,
/// ShiftLeft, ShiftRightArithmetic, ShiftRightLogical, Sub, Xor. Operands have
/// one element type and broadcast as 003 says: dimensions of size 1 are
/// repeated, scalars fit everywhere, and an operand of lower rank needs
/// `broadcastDimensions`, the dimension of the other for each of its own, in
/// increasing order; `NULL, 0` if there are none.
#define XLA_BUILDER_BINARY(Function, Enum)                                     \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n);
/// LogicalAnd and LogicalOr of 002, on pred.
#define XLA_BUILDER_LOGICAL_BINARY(Function, Enum)                             \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n);
/// xlaBuilderEq, Ne, Ge, Gt, Le, Lt give pred; so do xlaBuilderEqTotalOrder,
/// .., by which floats are ordered as -NaN < -Inf < .. < -0 < +0 < .. < +Inf <
/// +NaN. Broadcasting is that of the binary functions.
#define XLA_BUILDER_COMPARE(Function, direction)                               \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n);  \
  XlaOp xlaBuilder##Function##TotalOrder(XlaBuilder *b, XlaOp lhs, XlaOp rhs,  \
                                         const int64_t *broadcastDimensions,   \
                                         intptr_t n);
#include "xlac/dialect/ops.def"

/// min(max(min, operand), max); the bounds are scalars or of the operand's
/// shape. 000: Clamp.
XlaOp xlaBuilderClamp(XlaBuilder *b, XlaOp min, XlaOp operand, XlaOp max);
/// Elements of `onTrue` where `pred` holds, else of `onFalse`. A scalar `pred`
/// selects one of two values of any type, tuples too. 000: Select.
XlaOp xlaBuilderSelect(XlaBuilder *b, XlaOp pred, XlaOp onTrue, XlaOp onFalse);
/// The values in another element type. 000: ConvertElementType.
XlaOp xlaBuilderConvertElementType(XlaBuilder *b, XlaOp operand,
                                   XlaElementType elementType);
/// The bits as another element type: a narrower one adds a minor dimension, a
/// wider one drops it. 000: BitcastConvertType.
XlaOp xlaBuilderBitcastConvertType(XlaBuilder *b, XlaOp operand,
                                   XlaElementType elementType);
/// The bytes of the operand, row-major, as an array of `shape`, which has as
/// many. Layouts come in with types: xlaBuilderBitcastToType.
XlaOp xlaBuilderBitcast(XlaBuilder *b, XlaOp operand, const XlaShape *shape);
/// The same for any array type, which says how its elements lie in memory:
/// layout.h makes such types.
XlaOp xlaBuilderBitcastToType(XlaBuilder *b, XlaOp operand, MlirType type);
/// Rounds floats to a format of fewer bits. The order of the arguments is the
/// one that 000 and 002 print, mantissa first. 000: ReducePrecision.
XlaOp xlaBuilderReducePrecision(XlaBuilder *b, XlaOp operand,
                                int64_t mantissaBits, int64_t exponentBits);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_ELEMENTWISE_H

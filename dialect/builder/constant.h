//===- constant.h - Parameters and constants of a program ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_CONSTANT_H
#define XLAC_DIALECT_BUILDER_CONSTANT_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Argument `number` of the computation, an array. Parameters may be made in
/// any order, each number once. `name` is for readers, and may be NULL.
XlaOp xlaBuilderParameter(XlaBuilder *b, int64_t number, const XlaShape *shape,
                          const char *name);
/// The same of any type: a tuple or a token.
XlaOp xlaBuilderParameterOfType(XlaBuilder *b, int64_t number, MlirType type,
                                const char *name);

/// Any value, a tuple included; copied.
XlaOp xlaBuilderConstantLiteral(XlaBuilder *b, const XlaLiteral *literal);
/// A scalar, vector or matrix (row-major) of one of the C types:
/// xlaBuilderConstantR0F32(b, 2), xlaBuilderConstantR1S32(b, values, n),
/// xlaBuilderConstantR2F64(b, values, rows, columns).
#define XLA_C_TYPE(ElementType, type)                                          \
  XlaOp xlaBuilderConstantR0##ElementType(XlaBuilder *b, type value);          \
  XlaOp xlaBuilderConstantR1##ElementType(XlaBuilder *b, const type *values,   \
                                          intptr_t n);                         \
  XlaOp xlaBuilderConstantR2##ElementType(XlaBuilder *b, const type *values,   \
                                          intptr_t rows, intptr_t columns);
#include "xlac/dialect/builder/c_types.def"
/// A scalar of any element type: a number rounded to it, and the least and
/// greatest value (floats: infinities, where the type has them), as init values
/// of maxima and minima need. Complex types have no least and greatest.
XlaOp xlaBuilderConstantScalar(XlaBuilder *b, XlaElementType elementType,
                               double value);
XlaOp xlaBuilderMinValue(XlaBuilder *b, XlaElementType elementType);
XlaOp xlaBuilderMaxValue(XlaBuilder *b, XlaElementType elementType);

/// 0, 1, 2 .. along `dimension`. 000: Iota.
XlaOp xlaBuilderIota(XlaBuilder *b, const XlaShape *shape, int64_t dimension);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_CONSTANT_H

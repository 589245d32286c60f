//===- internal.h - Elementwise operations by class --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation does to elements of a class of types: a row an operation, a
// table a class. A row has one function, of as many operands as the operation
// takes, or none where the operation does not take the class.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_SCALAR_INTERNAL_H
#define XLAC_DIALECT_INTERPRET_SCALAR_INTERNAL_H

#include "xlac/dialect/op.h"

/// Floats, which are computed in double and not yet rounded.
typedef struct XlaScalarReal {
  double (*unary)(double x);
  double (*binary)(double x, double y);
  double (*ternary)(double x, double y, double z);
} XlaScalarReal;

/// Complex numbers in double. A real result is one without imaginary part.
typedef struct XlaScalarComplex {
  double _Complex (*unary)(double _Complex x);
  double _Complex (*binary)(double _Complex x, double _Complex y);
  double _Complex (*ternary)(double _Complex x, double _Complex y,
                             double _Complex z);
  /// In place of `binary` for complex<f32>, where that is not to be computed in
  /// double and rounded once; NULL: it is.
  double _Complex (*single)(double _Complex x, double _Complex y);
} XlaScalarComplex;

/// Integers and pred, elements of `type`. Results are not yet wrapped to it.
typedef struct XlaScalarInteger {
  XlaScalar (*unary)(const XlaElementTypeInfo *type, XlaScalar x);
  XlaScalar (*binary)(const XlaElementTypeInfo *type, XlaScalar x, XlaScalar y);
  XlaScalar (*ternary)(const XlaElementTypeInfo *type, XlaScalar x, XlaScalar y,
                       XlaScalar z);
} XlaScalarInteger;

extern const XlaScalarReal xlaScalarReals[XlaOpKindCount];
extern const XlaScalarComplex xlaScalarComplexes[XlaOpKindCount];
extern const XlaScalarInteger xlaScalarIntegers[XlaOpKindCount];

#endif // XLAC_DIALECT_INTERPRET_SCALAR_INTERNAL_H

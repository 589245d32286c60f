//===- jacobi.c - Rotations in pairs --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/jacobi.h"

#include <float.h>

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}

double xlaJacobiEpsilon(MlirValue like) {
  XlaElementType type = xlaArrayShape(like).elementType;
  return xlaElementTypeReal(type) == XlaElementTypeF64 ? DBL_EPSILON
                                                       : FLT_EPSILON;
}

/// t, the tangent, is the smaller solution of t^2 + 2 tau t = 1.
XlaJacobi xlaJacobiFind(XlaIr *ir, MlirValue p, MlirValue q, MlirValue w) {
  MlirValue zero = xlaMatrixNumber(ir, p, 0), one = xlaMatrixNumber(ir, p, 1);
  MlirValue size = xlaArrayCast(ir, "xla.abs", w, xlaArrayShape(p).elementType);
  // What has no inverse is taken for zero.
  bool isWide = xlaArrayShape(p).elementType == XlaElementTypeF64;
  double least = isWide ? DBL_MIN / DBL_EPSILON : FLT_MIN / FLT_EPSILON;
  MlirValue isZero =
      xlaArrayCompare(ir, "LT", size, xlaMatrixNumber(ir, size, least));
  MlirValue tau = binary(ir, "xla.divide", binary(ir, "xla.subtract", q, p),
                         binary(ir, "xla.add", size, size));
  MlirValue root = xlaIrUnary(
      ir, "xla.sqrt",
      binary(ir, "xla.add", one, binary(ir, "xla.multiply", tau, tau)));
  MlirValue t =
      binary(ir, "xla.divide", one,
             binary(ir, "xla.add", xlaIrUnary(ir, "xla.abs", tau), root));
  t = xlaArraySelect(ir, xlaArrayCompare(ir, "LT", tau, zero),
                     xlaIrUnary(ir, "xla.negate", t), t);
  t = xlaArraySelect(ir, isZero, zero, t);
  XlaJacobi jacobi;
  jacobi.c = binary(
      ir, "xla.divide", one,
      xlaIrUnary(ir, "xla.sqrt",
                 binary(ir, "xla.add", one, binary(ir, "xla.multiply", t, t))));
  // The sign or phase of w.
  MlirValue divisor = xlaArraySelect(ir, isZero, one, size);
  MlirValue s = binary(ir, "xla.multiply", t, jacobi.c);
  jacobi.s = xlaMatrixScale(ir, w, binary(ir, "xla.divide", s, divisor));
  jacobi.shift = binary(ir, "xla.multiply", t, size);
  return jacobi;
}

MlirValue xlaJacobiHalf(XlaIr *ir, MlirValue a, int half) {
  int64_t size = xlaArrayShape(a).dims[1] / 2;
  return xlaMatrixPart(ir, a, 1, half * size, (half + 1) * size);
}

MlirValue xlaJacobiRotate(XlaIr *ir, const XlaJacobi *jacobi, MlirValue a,
                          bool conjugated) {
  MlirValue x = xlaJacobiHalf(ir, a, 0), y = xlaJacobiHalf(ir, a, 1);
  MlirValue c = xlaMatrixAlong(ir, jacobi->c, x, 1);
  MlirValue s = xlaMatrixAlong(ir, jacobi->s, x, 1);
  MlirValue other = xlaMatrixConjugate(ir, s);
  MlirValue rows[] = {
      binary(ir, "xla.subtract", xlaMatrixScale(ir, x, c),
             binary(ir, "xla.multiply", conjugated ? other : s, y)),
      binary(ir, "xla.add",
             binary(ir, "xla.multiply", conjugated ? s : other, x),
             xlaMatrixScale(ir, y, c))};
  return xlaArrayConcatenate(ir, 2, rows, 1);
}

/// The first stays, the first of the second half comes behind it, the last of
/// the first half goes to the end.
MlirValue xlaJacobiMove(XlaIr *ir, MlirValue a, int dimension) {
  int64_t n = xlaArrayShape(a).dims[dimension], half = n / 2;
  if (n < 4)
    return a;
  MlirValue parts[] = {xlaMatrixPart(ir, a, dimension, 0, 1),
                       xlaMatrixPart(ir, a, dimension, half, half + 1),
                       xlaMatrixPart(ir, a, dimension, 1, half - 1),
                       xlaMatrixPart(ir, a, dimension, half + 1, n),
                       xlaMatrixPart(ir, a, dimension, half - 1, half)};
  return xlaArrayConcatenate(ir, 5, parts, dimension);
}

//===- reflection.c - Householder's reflections ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/reflection.h"

#include "xlac/passes/import/lapack/matrices.h"

static MlirValue zeroOf(XlaIr *ir, MlirValue like) {
  return xlaMatrixNumber(ir, like, 0);
}

/// The square root of the sum of squares of [b, m], which are scaled so that
/// they neither overflow nor vanish.
static MlirValue lengthOf(XlaIr *ir, MlirValue x) {
  XlaElementType real = xlaElementTypeReal(xlaArrayShape(x).elementType);
  MlirValue size = xlaArrayCast(ir, "xla.abs", x, real);
  MlirValue most =
      xlaArrayReduce(ir, "xla.maximum", size, xlaArrayNumber(ir, real, 0), 2);
  MlirValue isZero = xlaArrayCompare(ir, "EQ", most, zeroOf(ir, most));
  MlirValue scale =
      xlaArraySelect(ir, isZero, xlaMatrixNumber(ir, most, 1), most);
  size =
      xlaIrBinary(ir, "xla.divide", size, xlaMatrixAlong(ir, scale, size, 0));
  MlirValue squares =
      xlaArraySum(ir, xlaIrBinary(ir, "xla.multiply", size, size), 2);
  return xlaIrBinary(ir, "xla.multiply", scale,
                     xlaIrUnary(ir, "xla.sqrt", squares));
}

XlaReflection xlaReflectionFind(XlaIr *ir, MlirValue column, MlirValue k) {
  MlirValue zeros = zeroOf(ir, column);
  MlirValue below = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GT", column, 1, k),
                                   column, zeros);
  MlirValue rest = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GE", column, 1, k),
                                  column, zeros);
  MlirValue alpha =
      xlaArraySum(ir,
                  xlaArraySelect(ir, xlaMatrixIndexIs(ir, "EQ", column, 1, k),
                                 column, zeros),
                  2);
  MlirValue re = xlaMatrixReal(ir, alpha), zero = zeroOf(ir, re);
  MlirValue isDone = xlaArrayCompare(ir, "EQ", lengthOf(ir, below), zero);
  if (xlaMatrixIsComplex(alpha))
    isDone = xlaIrBinary(
        ir, "xla.and", isDone,
        xlaArrayCompare(ir, "EQ", xlaMatrixImaginary(ir, alpha), zero));
  // Away from alpha, so that nothing cancels.
  MlirValue length = lengthOf(ir, rest);
  MlirValue beta = xlaArraySelect(ir, xlaArrayCompare(ir, "GE", re, zero),
                                  xlaIrUnary(ir, "xla.negate", length), length);
  beta = xlaMatrixFromReal(ir, beta, alpha);
  MlirValue difference = xlaIrBinary(ir, "xla.subtract", beta, alpha);
  MlirValue divisor = xlaArraySelect(ir, isDone, xlaMatrixNumber(ir, alpha, 1),
                                     xlaIrUnary(ir, "xla.negate", difference));
  MlirValue tau = xlaIrBinary(ir, "xla.divide", difference, beta);
  return (XlaReflection){xlaIrBinary(ir, "xla.divide", below,
                                     xlaMatrixAlong(ir, divisor, below, 0)),
                         xlaArraySelect(ir, isDone, zeroOf(ir, alpha), tau),
                         xlaArraySelect(ir, isDone, alpha, beta)};
}

MlirValue xlaReflectionVector(XlaIr *ir, const XlaReflection *reflection,
                              MlirValue k) {
  MlirValue below = reflection->below;
  return xlaArraySelect(ir, xlaMatrixIndexIs(ir, "EQ", below, 1, k),
                        xlaMatrixNumber(ir, below, 1), below);
}

MlirValue xlaReflectionStore(XlaIr *ir, const XlaReflection *reflection,
                             MlirValue a, MlirValue column, MlirValue k) {
  MlirValue below = reflection->below;
  MlirValue made =
      xlaArraySelect(ir, xlaMatrixIndexIs(ir, "EQ", below, 1, k),
                     xlaMatrixAlong(ir, reflection->diagonal, below, 0), below);
  MlirValue isHere =
      xlaIrBinary(ir, "xla.and", xlaMatrixIndexIs(ir, "EQ", a, 2, column),
                  xlaMatrixIndexIs(ir, "GE", a, 1, k));
  return xlaArraySelect(ir, isHere, xlaMatrixAlong(ir, made, a, 1), a);
}

MlirValue xlaReflectionSetFactor(XlaIr *ir, const XlaReflection *reflection,
                                 MlirValue factors, MlirValue column) {
  return xlaArraySelect(ir, xlaMatrixIndexIs(ir, "EQ", factors, 1, column),
                        xlaMatrixAlong(ir, reflection->tau, factors, 0),
                        factors);
}

MlirValue xlaReflectionApply(XlaIr *ir, MlirValue a, MlirValue v,
                             MlirValue tau) {
  MlirValue wide = xlaMatrixAlong(ir, v, a, 1);
  MlirValue products = xlaArraySum(
      ir, xlaIrBinary(ir, "xla.multiply", xlaMatrixConjugate(ir, wide), a), 2);
  products =
      xlaIrBinary(ir, "xla.multiply", products,
                  xlaMatrixAlong(ir, xlaMatrixConjugate(ir, tau), products, 0));
  return xlaIrBinary(ir, "xla.subtract", a,
                     xlaIrBinary(ir, "xla.multiply", wide,
                                 xlaMatrixAlong(ir, products, a, 2)));
}

MlirValue xlaReflectionApplyRight(XlaIr *ir, MlirValue a, MlirValue v,
                                  MlirValue tau) {
  MlirValue wide = xlaMatrixAlong(ir, v, a, 2);
  MlirValue products =
      xlaArraySum(ir, xlaIrBinary(ir, "xla.multiply", a, wide), 4);
  products = xlaIrBinary(ir, "xla.multiply", products,
                         xlaMatrixAlong(ir, tau, products, 0));
  return xlaIrBinary(ir, "xla.subtract", a,
                     xlaIrBinary(ir, "xla.multiply",
                                 xlaMatrixAlong(ir, products, a, 1),
                                 xlaMatrixConjugate(ir, wide)));
}

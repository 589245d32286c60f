//===- vary_sum.c - Sums that overflow on the way -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum of finite numbers is infinite or not as its terms are added: lanes and
// trees of adders may have partial sums that overflow to infinities of both
// signs, and so NaN. The variation adds terms of one sign first.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-gen/gen.h"

static XlaGenValue made(MlirValue value) { return xlaGenValueOf(value); }

static XlaGenValue binary(XlaGen *gen, const char *name, XlaGenValue x,
                          XlaGenValue y) {
  return made(xlaIrBinary(&gen->ir, name, x.value, y.value));
}

/// Whether `op` adds up its first operand alone.
static bool isSum(MlirOperation op) {
  if (xlaOpGetKind(op) != XlaOpKindReduce ||
      mlirOperationGetNumOperands(op) != 2)
    return false;
  MlirOperation first = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  return xlaOpGetKind(first) == XlaOpKindAdd &&
         xlaOpGetKind(mlirOperationGetNextInBlock(first)) == XlaOpKindReturn;
}

static bool isProduct(MlirOperation op) {
  XlaFamily family = xlaOpGetInfo(xlaOpGetKind(op))->family;
  return family == XlaFamilyDot || family == XlaFamilyConvolution;
}

/// `op` of other operands.
static XlaGenValue again(XlaGen *gen, MlirOperation op, XlaGenValue x,
                         XlaGenValue y) {
  MlirOperation copy = mlirOperationClone(op);
  mlirOperationSetOperand(copy, 0, x.value);
  mlirOperationSetOperand(copy, 1, y.value);
  mlirBlockAppendOwnedOperation(gen->ir.block, copy);
  return made(mlirOperationGetResult(copy, 0));
}

/// Not less than 0, or not more.
static XlaGenValue part(XlaGen *gen, XlaGenValue x, bool isNegative) {
  return binary(gen, isNegative ? "xla.minimum" : "xla.maximum", x,
                xlaGenNumber(gen, &x.shape, 0));
}

/// The sum of the terms that are not negative, or not positive.
static XlaGenValue sumOf(XlaGen *gen, MlirOperation op, XlaGenValue x,
                         XlaGenValue y, bool isNegative) {
  if (!isProduct(op))
    return again(gen, op, part(gen, x, isNegative), y);
  XlaGenValue first =
      again(gen, op, part(gen, x, false), part(gen, y, isNegative));
  return binary(gen, "xla.add", first,
                again(gen, op, part(gen, x, true), part(gen, y, !isNegative)));
}

static XlaGenValue isOrdered(XlaGen *gen, XlaGenValue x) {
  MlirValue operands[] = {x.value, x.value};
  XlaShape shape = x.shape;
  shape.elementType = XlaElementTypePred;
  XlaIrAttr attr = {"comparison_direction",
                    xlaIrStringAttr(gen->ir.context, "EQ")};
  return made(xlaIrOp(&gen->ir, "xla.compare",
                      xlaShapeToMlir(&shape, gen->ir.context), 2, operands, 1,
                      &attr));
}

static XlaGenValue choose(XlaGen *gen, XlaGenValue pred, XlaGenValue x,
                          XlaGenValue y) {
  MlirValue operands[] = {pred.value, x.value, y.value};
  return made(xlaIrOp(&gen->ir, "xla.select", mlirValueGetType(x.value), 3,
                      operands, 0, NULL));
}

XlaGenValue xlaGenVarySum(XlaGen *gen, MlirOperation op, XlaGenValue sum) {
  if (sum.shape.elementType == XlaElementTypeInvalid ||
      xlaElementTypeGetInfo(sum.shape.elementType)->typeClass !=
          XlaTypeClassFloat ||
      !(isSum(op) || isProduct(op)) || !xlaGenTakes(gen, XlaGenLibertyOrder))
    return sum;
  XlaGenValue x = made(mlirOperationGetOperand(op, 0)),
              y = made(mlirOperationGetOperand(op, 1));
  XlaGenValue both = binary(gen, "xla.add", sumOf(gen, op, x, y, false),
                            sumOf(gen, op, x, y, true));
  XlaGenValue other = choose(gen, isOrdered(gen, both), sum, both);
  if (!isProduct(op))
    return other;
  // What is infinite already becomes NaN as it is multiplied with a 0.
  XlaGenValue finite = again(
      gen, op, binary(gen, "xla.multiply", x, xlaGenNumber(gen, &x.shape, 0)),
      binary(gen, "xla.multiply", y, xlaGenNumber(gen, &y.shape, 0)));
  return choose(gen, isOrdered(gen, finite), other, sum);
}

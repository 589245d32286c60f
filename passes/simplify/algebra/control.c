//===- control.c - Rules on control flow ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/algebra/internal.h"

static bool sameType(MlirValue a, MlirValue b) {
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

static bool returnsResults(MlirOperation terminator, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!sameType(mlirOperationGetOperand(terminator, i),
                  mlirOperationGetResult(op, i)))
      return false;
  return true;
}

/// The number of the region that runs.
static intptr_t regionOf(const AlgebraSplat *selector, intptr_t nRegions) {
  if (selector->type == XlaElementTypePred)
    return selector->value.u ? 0 : 1;
  return selector->value.s < 0 || selector->value.s >= nRegions
             ? nRegions - 1
             : (intptr_t)selector->value.s;
}

bool xlaAlgebraCaseConstant(XlaIr *ir, MlirOperation op, MlirValue *results) {
  AlgebraSplat selector;
  MlirOperation terminator, inner;
  (void)ir;
  if (!xlaAlgebraIsSplat(mlirOperationGetOperand(op, 0), &selector))
    return false;
  intptr_t number = regionOf(&selector, mlirOperationGetNumRegions(op));
  MlirRegion region = mlirOperationGetRegion(op, number);
  if (!xlaRegionGetReturn(region, &terminator) ||
      !returnsResults(terminator, op))
    return false;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockGetNumArguments(block) == 1) {
    MlirValue argument = mlirBlockGetArgument(block, 0),
              operand = mlirOperationGetOperand(op, 1 + number);
    if (!sameType(argument, operand))
      return false;
    mlirValueReplaceAllUsesOfWith(argument, operand);
  }
  while (inner = mlirBlockGetFirstOperation(block),
         !mlirOperationEqual(inner, terminator))
    mlirOperationMoveBefore(inner, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    results[i] = mlirOperationGetOperand(terminator, i);
  return true;
}

static bool isPure(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindReturn ||
         (kind != XlaOpKindInvalid &&
          xlaOpGetInfo(kind)->traits & MlirExtOpTraitPure);
}

bool xlaAlgebraWhileNever(XlaIr *ir, MlirOperation op, MlirValue *results) {
  AlgebraSplat condition;
  MlirOperation terminator;
  MlirRegion region = mlirOperationGetRegion(op, 0);
  (void)ir;
  if (!xlaRegionGetReturn(region, &terminator) ||
      !xlaAlgebraIsSplat(mlirOperationGetOperand(terminator, 0), &condition) ||
      condition.value.u)
    return false;
  for (MlirOperation inner =
           mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(region));
       !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner))
    if (!isPure(inner))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    results[i] = mlirOperationGetOperand(op, i);
    if (!sameType(results[i], mlirOperationGetResult(op, i)))
      return false;
  }
  return true;
}

bool xlaAlgebraTupleElement(XlaIr *ir, MlirOperation op, MlirValue *results) {
  (void)ir;
  MlirOperation tuple =
      xlaAlgebraDefinedBy(mlirOperationGetOperand(op, 0), XlaOpKindTuple);
  int64_t index = xlaOpGetI64(op, "index", -1);
  if (mlirOperationIsNull(tuple) || index < 0 ||
      index >= mlirOperationGetNumOperands(tuple))
    return false;
  results[0] = mlirOperationGetOperand(tuple, index);
  return sameType(results[0], mlirOperationGetResult(op, 0));
}

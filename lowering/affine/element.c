//===- element.c - Affine operations in bodies ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body reads buffers at positions that are no projected permutation by
// affine.load.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/nest.h"

/// What is computed at a point.
typedef struct Place {
  XlaSchedNest *nest;
  const XlaSchedStatement *statement;
  int p;
} Place;

MlirAffineExpr xlaSchedIndexAt(const XlaSchedNest *nest,
                               const XlaSchedStatement *statement,
                               MlirOperation index, int p) {
  int d = xlaSchedIndexDim(statement, index);
  if (d < 0)
    return xlaAffineConstant(nest->affine, 0);
  MlirAffineExpr at = nest->iv[d];
  for (int i = 0; i < nest->points.n; ++i)
    if (nest->points.dims[i] == d)
      at = xlaExprShift(at, xlaSchedDigit(&nest->points, p, i));
  return at;
}

static bool isIndex(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         xlaIrIsOp(mlirOpResultGetOwner(value), "linalg.index");
}

MlirAffineExpr xlaSchedPosition(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAffineMap map = mlirAffineMapAttrGetValue(mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("map")));
  MlirAffineExpr operands[XLA_SCHED_MAX_OPERANDS];
  for (intptr_t i = 0; i < XLA_SCHED_MAX_OPERANDS; ++i)
    operands[i] = mlirAffineDimExprGet(context, i);
  return mlirAffineMapGetNumResults(map)
             ? xlaExprReplace(mlirAffineMapGetResult(map, 0), operands,
                              operands + mlirAffineMapGetNumDims(map))
             : mlirAffineConstantExprGet(context, 0);
}

/// The position as an expression of the nest; the map's operands are those of
/// the op from `first` on. Dimensions that this adds are there until the caller
/// drops them.
static MlirAffineExpr exprOf(const Place *at, MlirOperation op,
                             intptr_t first) {
  XlaSchedNest *nest = at->nest;
  MlirAffineExpr values[XLA_SCHED_MAX_OPERANDS];
  for (intptr_t i = 0; i + first < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, first + i);
    values[i] =
        isIndex(value)
            ? xlaSchedIndexAt(nest, at->statement, mlirOpResultGetOwner(value),
                              at->p)
            : xlaAffineDim(nest->affine, nest->device->value(nest, value));
  }
  return xlaExprReplace(xlaSchedPosition(op), values, NULL);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool xlaSchedStepsWith(const XlaSchedStatement *statement, MlirOperation load,
                       int dim) {
  MlirAffineExpr at = xlaSchedPosition(load);
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(load); ++i) {
    MlirValue value = mlirOperationGetOperand(load, 1 + i);
    if (isIndex(value) &&
        xlaSchedIndexDim(statement, mlirOpResultGetOwner(value)) == dim &&
        mlirAffineExprIsFunctionOfDim(at, i))
      return true;
  }
  return false;
}

static void load(const Place *at, MlirOperation op) {
  XlaSchedNest *nest = at->nest;
  int lane = xlaSchedLaneDim(nest, at->statement);
  bool isVector = nest->lanes > 1 && lane >= 0 &&
                  xlaSchedStepsWith(at->statement, op, lane);
  MlirValue element = isVector && nest->device->gather
                          ? nest->device->gather(nest, at->statement, op)
                          : (MlirValue){NULL};
  if (mlirValueIsNull(element))
    element = nest->device->element(nest, mlirOperationGetOperand(op, 0),
                                    exprOf(at, op, 1), isVector);
  xlaSchedBind(nest, mlirOperationGetResult(op, 0), element, 2);
}

static void apply(const Place *at, MlirOperation op) {
  XlaSchedNest *nest = at->nest;
  xlaSchedBind(nest, mlirOperationGetResult(op, 0),
               xlaAffineApply(nest->affine, &nest->at[2], exprOf(at, op, 0)),
               2);
}

void xlaSchedCompute(XlaSchedNest *nest, const XlaSchedStatement *statement,
                     MlirOperation op, int p, int level) {
  Place at = {nest, statement, p};
  int nLoops = nest->affine->nLoops;
  if (xlaIrIsOp(op, "affine.load"))
    load(&at, op);
  else if (xlaIrIsOp(op, "affine.apply"))
    apply(&at, op);
  else
    nest->device->compute(nest, statement, op, p, level);
  nest->affine->nLoops = nLoops;
}

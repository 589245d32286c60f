//===- rng_condition.c - Conditions of loops that draw numbers ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition gives nothing but whether the loop goes on, so that it cannot
// tell how much it drew. It is computed in front of the loop and at the end of
// the body, and its result is one more value of the loop.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/isolate.h"
#include "xlac/passes/expand/rng.h"
#include "xlac/passes/expand/single_replica.h"
#include "xlac/passes/flatten.h"

#include <stdlib.h>

bool xlaRngIsDraw(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindRngUniform || kind == XlaOpKindRngNormal ||
         xlaIsolatedDraws(op);
}

static MlirWalkResult findDraw(MlirOperation op, void *found) {
  *(bool *)found |= xlaRngIsDraw(op);
  return *(bool *)found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirWalkResult findCall(MlirOperation op, void *found) {
  XlaOpKind kind = xlaOpGetKind(op);
  bool isPure = kind == XlaOpKindReplicaId || kind == XlaOpKindPartitionId;
  *(bool *)found |= kind == XlaOpKindCustomCall ||
                    (kind != XlaOpKindInvalid &&
                     xlaOpGetInfo(kind)->family == XlaFamilyTransfer) ||
                    (xlaIsBetweenReplicas(kind) && !isPure);
  return *(bool *)found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool has(MlirRegion region, MlirOperationWalkCallback find) {
  bool found = false;
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(region));
       !mlirOperationIsNull(op) && !found; op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, find, &found, MlirWalkPreOrder);
  return found;
}

bool xlaRegionDraws(MlirRegion region) { return has(region, findDraw); }

bool xlaRegionIsOrdered(MlirRegion region) {
  return has(region, findDraw) || has(region, findCall);
}

static bool drawsInCondition(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindWhile &&
         has(mlirOperationGetRegion(op, 0), findDraw);
}

/// A region that returns its last argument.
static MlirRegion lastArgument(const XlaIr *ir, intptr_t n,
                               const MlirValue *values) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  MlirValue last = {NULL};
  for (intptr_t i = 0; i < n; ++i)
    last =
        mlirBlockAddArgument(block, mlirValueGetType(values[i]), ir->location);
  XlaIr body = xlaIrIn(*ir, block);
  xlaIrCreate(&body, "xla.return", 1, &last, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// `values` and `types` have room for one more than the loop has.
static void moveCondition(MlirOperation op, MlirValue *values,
                          MlirType *types) {
  XlaIr ir = xlaIrBefore(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirRegion condition = mlirOperationGetRegion(op, 0);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  MlirOperation end = mlirBlockGetTerminator(body);
  XlaIr atEnd = xlaIrBefore(end);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(end, i);
  xlaRegionCopyBody(&atEnd, condition, values, &values[n]);
  xlaIrCreate(&atEnd, "xla.return", n + 1, values, 0, NULL, 0, NULL, 0, NULL);
  mlirOperationDestroy(end);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(op, i);
  xlaRegionCopyBody(&ir, condition, values, &values[n]);
  for (intptr_t i = 0; i <= n; ++i)
    types[i] = mlirValueGetType(values[i]);
  mlirBlockAddArgument(body, types[n], ir.location);
  MlirRegion regions[2] = {lastArgument(&ir, n + 1, values),
                           mlirRegionCreate()};
  mlirRegionTakeBody(regions[1], mlirOperationGetRegion(op, 1));
  MlirOperation made = xlaIrCreate(&ir, "xla.while", n + 1, values, n + 1,
                                   types, 0, NULL, 2, regions);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(made, i));
  mlirOperationDestroy(op);
}

MlirLogicalResult xlaRngMoveConditions(MlirOperation function) {
  XlaIrOps found = xlaIrCollect(function, MlirWalkPostOrder, drawsInCondition);
  MlirLogicalResult result = found.failed ? xlaOpNoMemory(function) : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i) {
    size_t n = (size_t)mlirOperationGetNumOperands(found.ops[i]) + 1;
    MlirValue *values = malloc(n * sizeof *values);
    MlirType *types = malloc(n * sizeof *types);
    if (values && types)
      moveCondition(found.ops[i], values, types);
    else
      result = xlaOpNoMemory(found.ops[i]);
    free(values);
    free(types);
  }
  free(found.ops);
  return result;
}

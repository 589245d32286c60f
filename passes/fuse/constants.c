//===- constants.c - Large constants of one value -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fusions compute them where they use them. What else uses them, as a loop's
// start, an update in place or the program's results, reads memory: writing one
// value to all of it is cheaper than carrying it in the program and copying it.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/fuse.h"

/// Elements from which on a constant is computed. A kernel costs more than to
/// copy a few.
static const int64_t leastElements = INT64_C(1) << 18;

static bool isLarge(MlirOperation op) {
  XlaShape shape;
  int64_t count;
  return xlaOpGetKind(op) == XlaOpKindConstant &&
         xlaFuseIsSplat(mlirOperationGetResult(op, 0)) &&
         xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)),
                          &shape, NULL) &&
         xlaShapeGetElementCount(&shape, &count) && count >= leastElements &&
         mlirValueGetFirstUse(mlirOperationGetResult(op, 0)).ptr;
}

/// Moves `op` into a fusion of its own.
static void wrap(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  MlirValue value = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(value);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIrAttr kind = {"kind", xlaIrStringAttr(ir.context, "loop")};
  MlirOperation fusion =
      xlaIrCreate(&ir, "xla.fusion", 0, NULL, 1, &type, 1, &kind, 1, &region);
  mlirValueReplaceAllUsesOfWith(value, mlirOperationGetResult(fusion, 0));
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(block, op);
  XlaIr inside = xlaIrIn(ir, block);
  xlaIrCreate(&inside, "xla.return", 1, &value, 0, NULL, 0, NULL, 0, NULL);
}

void xlaFuseConstants(MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (isLarge(op))
      wrap(op);
  }
}

//===- buffers_uses.c - When values are needed ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two walks over the program: number the operations; find the last use of every
// value (values that are views of each other count as one, their root).
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/buffers_internal.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/linalg/kernel.h"

bool xlaBufferIsView(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindReshape || kind == XlaOpKindBitcast ||
         kind == XlaOpKindBitcastConvert ||
         kind == XlaOpKindOptimizationBarrier;
}

intptr_t xlaBufferUpdated(MlirOperation op, intptr_t r) {
  return xlaOpGetKind(op) == XlaOpKindInvalid ? -1 : xlaKernelUpdates(op, r);
}

MlirValue xlaBufferResolve(MlirValue value) {
  while (true) {
    bool isArgument = mlirValueIsABlockArgument(value);
    MlirOperation loop =
        isArgument
            ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
            : mlirOpResultGetOwner(value);
    if (mlirOperationIsNull(loop) || xlaOpGetKind(loop) != XlaOpKindWhile)
      return value;
    intptr_t k = isArgument ? mlirBlockArgumentGetArgNumber(value)
                            : mlirOpResultGetResultNumber(value);
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 1));
    if (!mlirValueEqual(
            mlirOperationGetOperand(mlirBlockGetTerminator(body), k),
            mlirBlockGetArgument(body, k)))
      return value;
    value = mlirOperationGetOperand(loop, k);
  }
}

bool xlaBufferIsControlFlow(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindWhile || kind == XlaOpKindCase;
}

void xlaBufferSet(XlaBufferAssigner *p, XlaPointerMap *map, const void *key,
                  intptr_t value) {
  if (!xlaPointerMapSet(map, key, value))
    p->failed = true;
}

static void numberBlock(XlaBufferAssigner *p, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    xlaBufferSet(p, &p->begin, op.ptr, (intptr_t)++p->step);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      numberBlock(p, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)));
    xlaBufferSet(p, &p->end, op.ptr, (intptr_t)++p->step);
  }
}

MlirValue xlaBufferGetRoot(MlirValue value) {
  value = xlaBufferResolve(value);
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!xlaBufferIsView(op))
      break;
    value = xlaBufferResolve(
        mlirOperationGetOperand(op, mlirOpResultGetResultNumber(value)));
  }
  return value;
}

/// Counts a use of `value` by `user`, which may lie in a region below its
/// block.
static void noteUse(XlaBufferAssigner *p, MlirValue value, MlirOperation user) {
  MlirValue root = xlaBufferGetRoot(value);
  MlirBlock home = xlaIrBlockOf(root);
  MlirOperation at = user;
  while (!mlirBlockEqual(mlirOperationGetBlock(at), home)) {
    at = mlirOperationGetParentOperation(at);
    if (mlirOperationIsNull(at))
      return;
  }
  intptr_t step = xlaPointerMapGet(&p->end, at.ptr);
  if (step > xlaPointerMapGet(&p->lastUse, root.ptr))
    xlaBufferSet(p, &p->lastUse, root.ptr, step);
  if (!mlirOperationEqual(at, user) &&
      step > xlaPointerMapGet(&p->lastNested, root.ptr))
    xlaBufferSet(p, &p->lastNested, root.ptr, step);
}

static void findUses(XlaBufferAssigner *p, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      noteUse(p, mlirOperationGetOperand(op, i), op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      findUses(p, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)));
  }
}

bool xlaBufferCanWriteOver(MlirOperation op, intptr_t i, intptr_t r) {
  return !xlaBufferIsControlFlow(op) && xlaKernelCanAlias(op, i, r);
}

bool xlaBufferDiesAt(const XlaBufferAssigner *p, MlirValue root,
                     MlirOperation op, intptr_t r) {
  intptr_t end = xlaPointerMapGet(&p->end, op.ptr);
  if (xlaPointerMapGet(&p->lastUse, root.ptr) > end ||
      xlaPointerMapGet(&p->lastNested, root.ptr) == end)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirValueEqual(xlaBufferGetRoot(mlirOperationGetOperand(op, i)),
                       root) &&
        !xlaBufferCanWriteOver(op, i, r))
      return false;
  return true;
}

bool xlaBufferDiesInLoop(const XlaBufferAssigner *p, MlirOperation op,
                         intptr_t k) {
  MlirValue root = xlaBufferGetRoot(mlirOperationGetOperand(op, k));
  intptr_t end = xlaPointerMapGet(&p->end, op.ptr);
  if (xlaPointerMapGet(&p->lastUse, root.ptr) > end ||
      xlaPointerMapGet(&p->lastNested, root.ptr) == end)
    return false;
  for (intptr_t other = 0; other < mlirOperationGetNumOperands(op); ++other)
    if (other != k &&
        mlirValueEqual(xlaBufferGetRoot(mlirOperationGetOperand(op, other)),
                       root))
      return false;
  return true;
}

bool xlaBufferFindUses(XlaBufferAssigner *p, MlirBlock block) {
  numberBlock(p, block);
  findUses(p, block);
  return !p->failed;
}

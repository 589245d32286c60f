//===- hoist.c - Scalars before kernels -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each scalar that is stored between kernels cuts their run in two. Most follow
// from counters alone: at the start of the block they are stored together.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/host/host.h"
#include "xlac/lowering/host/scalars.h"

typedef struct Hoister {
  XlaHostScalars scalars;
  XlaPointerMap staying; // operations that are not moved -> 1
  bool noMemory;
} Hoister;

/// Whether what `op` takes is there at the start of its block.
static bool canMove(const Hoister *h, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirValueIsAOpResult(operand) &&
        xlaPointerMapGet(&h->staying, mlirOpResultGetOwner(operand).ptr))
      return false;
  }
  return xlaOpGetKind(op) == XlaOpKindConstant ||
         xlaPointerMapGet(&h->scalars.hosted, op.ptr);
}

static void hoistBlock(Hoister *h, MlirBlock block) {
  MlirOperation first = {NULL}; // that stays
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindWhile || kind == XlaOpKindCase)
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
        hoistBlock(h, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)));
    if (!canMove(h, op)) {
      h->noMemory |= !xlaPointerMapSet(&h->staying, op.ptr, 1);
      first = mlirOperationIsNull(first) ? op : first;
    } else if (!mlirOperationIsNull(first)) {
      mlirOperationMoveBefore(op, first);
    }
    op = next;
  }
}

MlirLogicalResult xlaHostScalarsHoist(MlirOperation function) {
  Hoister h = {.noMemory = false};
  MlirLogicalResult result = xlaHostScalarsFind(function, &h.scalars);
  if (!failed(result)) {
    hoistBlock(&h,
               mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
    result = h.noMemory ? xlaOpNoMemory(function) : success();
  }
  xlaHostScalarsDestroy(&h.scalars);
  xlaPointerMapClear(&h.staying);
  return result;
}

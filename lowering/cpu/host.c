//===- host.c - Host programs of thousands of steps -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What schedules instructions and assigns registers in LLVM takes time that is
// quadratic in long blocks without calls.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/cpu/lower.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Pointers where they are used
//===----------------------------------------------------------------------===//

// The host program begins with loads of all its pointers from the table that it
// is called with, which LLVM would keep alive to their uses. A run does not
// write to the table, so that a load can stand at its first use as well.

/// Operations of one block.
typedef struct Block {
  MlirBlock block;
  intptr_t n;
  MlirOperation *ops; ///< as they were
  /// Where each stands now: keys that increase; and the first of those that
  /// were put in front of it, or itself.
  int64_t *keys;
  MlirOperation *heads;
  XlaPointerMap positions; ///< from an operation to its index + 1
} Block;

/// Room between two keys for all operations that may come between them.
#define KEY_GAP ((int64_t)1 << 32)

/// A load from the table, or a view of what it gives.
static bool mayMove(MlirOperation op) {
  if (xlaIrIsOp(op, "memref.view"))
    return true;
  return xlaIrIsOp(op, "memref.load") &&
         mlirValueIsABlockArgument(mlirOperationGetOperand(op, 0)) &&
         mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/// The index of the first user in the block; -1 if there is none, or one is in
/// a region.
static intptr_t firstUser(const Block *b, MlirOperation op) {
  intptr_t first = -1;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    intptr_t i =
        xlaPointerMapGet(&b->positions, mlirOpOperandGetOwner(use).ptr) - 1;
    if (i < 0)
      return -1;
    if (first < 0 || b->keys[i] < b->keys[first])
      first = i;
  }
  return first;
}

/// The last ones first: what an operation uses can follow it then.
static void sink(Block *b) {
  for (intptr_t i = b->n; i-- > 0;) {
    intptr_t user = mayMove(b->ops[i]) ? firstUser(b, b->ops[i]) : -1;
    if (user < 0)
      continue;
    MlirOperation head = b->heads[user];
    intptr_t front = xlaPointerMapGet(&b->positions, head.ptr) - 1;
    mlirOperationMoveBefore(b->ops[i], head);
    b->keys[i] = b->keys[front] - 1;
    b->heads[user] = b->ops[i];
  }
}

static bool fill(Block *b) {
  MlirOperation op = mlirBlockGetFirstOperation(b->block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++b->n;
  b->ops = malloc(((size_t)b->n + 1) * sizeof *b->ops);
  b->keys = malloc(((size_t)b->n + 1) * sizeof *b->keys);
  b->heads = malloc(((size_t)b->n + 1) * sizeof *b->heads);
  bool enough = b->ops && b->keys && b->heads;
  intptr_t i = 0;
  op = mlirBlockGetFirstOperation(b->block);
  for (; enough && i < b->n; op = mlirOperationGetNextInBlock(op), ++i) {
    b->ops[i] = b->heads[i] = op;
    b->keys[i] = i * KEY_GAP;
    enough = xlaPointerMapSet(&b->positions, op.ptr, i + 1);
  }
  return enough;
}

//===----------------------------------------------------------------------===//
// Copies in a row
//===----------------------------------------------------------------------===//

/// More copies without a call in between are left to LLVM as they are.
enum { maxCopies = 200 };

/// There is nothing to win in copies of results, one after the other, that any
/// order would make faster.
static void keepCopies(const Block *b, MlirOperation function) {
  int copies = 0;
  for (intptr_t i = 0; i < b->n && copies <= maxCopies; ++i)
    copies = xlaIrIsOp(b->ops[i], "func.call")
                 ? 0
                 : copies + xlaIrIsOp(b->ops[i], "memref.copy");
  if (copies > maxCopies)
    mlirOperationSetAttributeByName(
        function, mlirStringRefCreateFromCString("passthrough"),
        xlaIrParseAttr(mlirOperationGetContext(function),
                       "[\"noinline\", \"optnone\"]"));
}

static bool isFunction(MlirOperation op) { return xlaIrIsOp(op, "func.func"); }

MlirLogicalResult xlaCpuSimplifyHost(MlirOperation module) {
  XlaIrOps functions = xlaIrCollect(module, MlirWalkPreOrder, isFunction);
  bool enough = !functions.failed;
  for (intptr_t i = 0; enough && i < functions.n; ++i) {
    Block b = {.block = mlirRegionGetFirstBlock(
                   mlirOperationGetRegion(functions.ops[i], 0))};
    if (mlirBlockIsNull(b.block))
      continue;
    enough = fill(&b);
    if (enough) {
      sink(&b);
      keepCopies(&b, functions.ops[i]);
    }
    xlaPointerMapClear(&b.positions);
    free(b.ops);
    free(b.keys);
    free(b.heads);
  }
  free(functions.ops);
  return enough ? mlirLogicalResultSuccess() : xlaOpNoMemory(module);
}

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

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
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

/// More copies without a call in between are cut into functions of so many.
enum { maxCopies = 200 };

/// A function of copies that is being written.
typedef struct Copies {
  MlirOperation host;  ///< the function that calls it
  XlaIr ir;            ///< in its block, which is null: there is none
  XlaPointerMap known; ///< of values of the host: what stands for them
  int n, nFunctions;
  bool failed; ///< memory ran out
} Copies;

static void beginCopies(Copies *c) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(c->host, 0));
  MlirValue table = mlirBlockGetArgument(body, 0);
  MlirType type = mlirValueGetType(table);
  MlirLocation location = mlirOperationGetLocation(c->host);
  MlirBlock block = mlirBlockCreate(1, &type, &location);
  c->ir = xlaIrAtEnd(mlirOperationGetContext(c->host), location, block);
  c->failed |= !xlaPointerMapSet(&c->known, table.ptr,
                                 (intptr_t)mlirBlockGetArgument(block, 0).ptr);
}

/// The value in the function of copies; null if it is none that a load from the
/// table gives.
static MlirValue copied(Copies *c, MlirValue value) {
  intptr_t known = xlaPointerMapGet(&c->known, value.ptr);
  MlirValue none = {NULL};
  if (known)
    return (MlirValue){(const void *)known};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mayMove(op) && !xlaIrIsOp(op, "arith.constant"))
    return none;
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = copied(c, mlirOperationGetOperand(op, i));
    if (mlirValueIsNull(operand)) {
      mlirOperationDestroy(clone);
      return none;
    }
    mlirOperationSetOperand(clone, i, operand);
  }
  mlirBlockAppendOwnedOperation(c->ir.block, clone);
  MlirValue made = mlirOperationGetResult(clone, 0);
  c->failed |= !xlaPointerMapSet(&c->known, value.ptr, (intptr_t)made.ptr);
  return made;
}

/// Forgets what is being written.
static void dropCopies(Copies *c) {
  if (!mlirBlockIsNull(c->ir.block))
    mlirBlockDestroy(c->ir.block);
  xlaPointerMapClear(&c->known);
  c->ir.block = (MlirBlock){NULL};
  c->n = 0;
}

/// Calls what has been written in front of `op`.
static void endCopies(Copies *c, MlirOperation op) {
  MlirContext context = c->ir.context;
  if (mlirBlockIsNull(c->ir.block))
    return;
  if (!c->n) {
    dropCopies(c);
    return;
  }
  char name[32];
  snprintf(name, sizeof name, "xlacCopies%d", c->nFunctions++);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(c->host, 0));
  MlirValue table = mlirBlockGetArgument(body, 0);
  MlirType type = mlirValueGetType(table);
  xlaIrCreate(&c->ir, "func.return", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, c->ir.block);
  XlaIrAttr attrs[] = {
      {"sym_name", xlaIrStringAttr(context, name)},
      {"function_type",
       mlirTypeAttrGet(mlirFunctionTypeGet(context, 1, &type, 0, NULL))},
      {"sym_visibility", xlaIrStringAttr(context, "private")},
      {"passthrough", xlaIrParseAttr(context, "[\"noinline\"]")}};
  XlaIr top = xlaIrBefore(c->host), at = xlaIrBefore(op);
  xlaIrCreate(&top, "func.func", 0, NULL, 0, NULL, 4, attrs, 1, &region);
  MlirAttribute callee =
      mlirFlatSymbolRefAttrGet(context, mlirStringRefCreateFromCString(name));
  xlaIrCreate(&at, "func.call", 1, &table, 0, NULL, 1,
              &(XlaIrAttr){"callee", callee}, 0, NULL);
  c->ir.block = (MlirBlock){NULL};
  dropCopies(c);
}

/// Moves a copy into the function of copies; false if it stays.
static bool moveCopy(Copies *c, MlirOperation op) {
  if (mlirBlockIsNull(c->ir.block))
    beginCopies(c);
  MlirValue from = copied(c, mlirOperationGetOperand(op, 0));
  MlirValue to = copied(c, mlirOperationGetOperand(op, 1));
  if (mlirValueIsNull(from) || mlirValueIsNull(to))
    return false;
  mlirOperationSetOperand(op, 0, from);
  mlirOperationSetOperand(op, 1, to);
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(c->ir.block, op);
  return true;
}

/// There is nothing to win in copies of results, one after the other, that any
/// order would make faster. False without memory.
static bool cutCopies(const Block *b, MlirOperation function, int *nFunctions) {
  int copies = 0;
  for (intptr_t i = 0; i < b->n && copies <= maxCopies; ++i)
    copies = xlaIrIsOp(b->ops[i], "func.call")
                 ? 0
                 : copies + xlaIrIsOp(b->ops[i], "memref.copy");
  if (copies <= maxCopies || !mlirBlockGetNumArguments(b->block))
    return true;
  Copies c = {.host = function, .nFunctions = *nFunctions};
  MlirOperation op = mlirBlockGetFirstOperation(b->block), next;
  for (; !mlirOperationIsNull(op) && !c.failed; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (mayMove(op) || xlaIrIsOp(op, "arith.constant"))
      continue;
    bool isMoved = xlaIrIsOp(op, "memref.copy") && moveCopy(&c, op);
    if (!isMoved || ++c.n == maxCopies)
      endCopies(&c, isMoved ? next : op);
  }
  dropCopies(&c);
  *nFunctions = c.nFunctions;
  return !c.failed;
}

static bool isFunction(MlirOperation op) { return xlaIrIsOp(op, "func.func"); }

MlirLogicalResult xlaCpuSimplifyHost(MlirOperation module) {
  XlaIrOps functions = xlaIrCollect(module, MlirWalkPreOrder, isFunction);
  bool enough = !functions.failed;
  int nCopies = 0; // functions of them
  for (intptr_t i = 0; enough && i < functions.n; ++i) {
    Block b = {.block = mlirRegionGetFirstBlock(
                   mlirOperationGetRegion(functions.ops[i], 0))};
    if (mlirBlockIsNull(b.block))
      continue;
    enough = fill(&b);
    if (enough) {
      sink(&b);
      enough = cutCopies(&b, functions.ops[i], &nCopies);
    }
    xlaPointerMapClear(&b.positions);
    free(b.ops);
    free(b.keys);
    free(b.heads);
  }
  free(functions.ops);
  return enough ? mlirLogicalResultSuccess() : xlaOpNoMemory(module);
}

//===- outline.c - Outer values of computations become operands -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/outline.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/pointer_map.h"

#include <stdlib.h>
#include <string.h>

/// A fusion under construction around one operation.
typedef struct Enclosure {
  MlirOperation op;
  MlirBlock block;
  XlaPointerMap arguments; // outer value -> the block's argument
  intptr_t nInputs;
  MlirValue *inputs;
  bool failed;
} Enclosure;

static bool isInside(MlirOperation op, MlirBlock block) {
  for (MlirOperation at = mlirBlockGetParentOperation(block);
       !mlirOperationIsNull(at); at = mlirOperationGetParentOperation(at))
    if (mlirOperationEqual(at, op))
      return true;
  return false;
}

static bool isOuter(MlirOperation op, MlirValue value) {
  return !isInside(op, xlaIrBlockOf(value));
}

typedef struct Search {
  MlirOperation op;
  bool found;
} Search;

static MlirWalkResult findOuter(MlirOperation inner, void *data) {
  Search *search = data;
  if (mlirOperationEqual(inner, search->op))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner); ++i)
    search->found |= isOuter(search->op, mlirOperationGetOperand(inner, i));
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The kind of fusion around `op`, or NULL: none.
static const char *kindOf(MlirOperation op) {
  switch ((int)xlaOpGetKind(op)) {
  case XlaOpKindAssociativeScan:
  case XlaOpKindReduce:
    return "reduce";
  case XlaOpKindScatter:
    return "scatter";
  case XlaOpKindSort:
    return "sort";
  default:
    return NULL;
  }
}

/// What stands for an outer value inside the fusion: constants are copied, all
/// else comes in as an argument.
static MlirValue innerValue(Enclosure *e, MlirValue value, bool mayCopy) {
  intptr_t known = xlaPointerMapGet(&e->arguments, value.ptr);
  if (known)
    return (MlirValue){(const void *)known};
  MlirValue inner;
  if (mayCopy && mlirValueIsAOpResult(value) &&
      xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant) {
    MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
    mlirBlockAppendOwnedOperation(e->block, copy);
    inner = mlirOperationGetResult(copy, 0);
  } else {
    MlirValue *grown =
        realloc(e->inputs, ((size_t)e->nInputs + 1) * sizeof *grown);
    if (!grown) {
      e->failed = true;
      return value;
    }
    e->inputs = grown;
    e->inputs[e->nInputs++] = value;
    inner = mlirBlockAddArgument(e->block, mlirValueGetType(value),
                                 mlirOperationGetLocation(e->op));
  }
  e->failed |= !xlaPointerMapSet(&e->arguments, value.ptr, (intptr_t)inner.ptr);
  return inner;
}

static MlirWalkResult redirect(MlirOperation inner, void *data) {
  Enclosure *e = data;
  // Sorts and scatters take their own operands from memory.
  bool mayCopy = !mlirOperationEqual(inner, e->op) ||
                 xlaOpGetKind(inner) == XlaOpKindReduce;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner); ++i) {
    MlirValue value = mlirOperationGetOperand(inner, i);
    if (isOuter(e->op, value))
      mlirOperationSetOperand(inner, i, innerValue(e, value, mayCopy));
  }
  return e->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool outline(MlirOperation op) {
  Enclosure e = {.op = op, .block = mlirBlockCreate(0, NULL, NULL)};
  XlaIr ir = xlaIrBefore(op);
  MlirBlock home = mlirOperationGetBlock(op);
  MlirOperation next = mlirOperationGetNextInBlock(op);
  mlirOperationWalk(op, redirect, &e, MlirWalkPreOrder);
  intptr_t n = mlirOperationGetNumResults(op);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirValue *results = malloc(((size_t)n + 1) * sizeof *results);
  bool done = !e.failed && types && results;
  if (done) {
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, e.block);
    for (intptr_t i = 0; i < n; ++i) {
      results[i] = mlirOperationGetResult(op, i);
      types[i] = mlirValueGetType(results[i]);
    }
    XlaIrAttr kind = {"kind", xlaIrStringAttr(ir.context, kindOf(op))};
    ir.before = next;
    ir.block = home;
    MlirOperation fusion = xlaIrCreate(&ir, "xla.fusion", e.nInputs, e.inputs,
                                       n, types, 1, &kind, 1, &region);
    for (intptr_t i = 0; i < n; ++i)
      mlirValueReplaceAllUsesOfWith(results[i],
                                    mlirOperationGetResult(fusion, i));
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(e.block, op);
    XlaIr inside = xlaIrIn(ir, e.block);
    xlaIrCreate(&inside, "xla.return", n, results, 0, NULL, 0, NULL, 0, NULL);
  }
  free(types);
  free(results);
  free(e.inputs);
  xlaPointerMapClear(&e.arguments);
  return done;
}

/// They are collected first: enclosing them changes what is walked.
typedef struct Found {
  intptr_t count;
  MlirOperation *ops;
  bool failed;
} Found;

static MlirWalkResult visit(MlirOperation op, void *data) {
  Found *found = data;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindFusion)
    return MlirWalkResultSkip;
  if (!kindOf(op))
    return MlirWalkResultAdvance;
  Search search = {.op = op};
  mlirOperationWalk(op, findOuter, &search, MlirWalkPreOrder);
  if (!search.found)
    return MlirWalkResultSkip;
  MlirOperation *grown =
      realloc(found->ops, ((size_t)found->count + 1) * sizeof *grown);
  if (!grown) {
    found->failed = true;
    return MlirWalkResultInterrupt;
  }
  found->ops = grown;
  grown[found->count++] = op;
  return MlirWalkResultSkip;
}

MlirLogicalResult xlaOutlineComputations(MlirOperation module) {
  Found found = {0};
  mlirOperationWalk(module, visit, &found, MlirWalkPreOrder);
  for (intptr_t i = 0; i < found.count && !found.failed; ++i)
    found.failed = !outline(found.ops[i]);
  free(found.ops);
  return found.failed ? xlaOpNoMemory(module) : mlirLogicalResultSuccess();
}

//===- propagate.c - Results lie as operands do ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each dimension of a result is cut as the dimension of an operand that it
// follows. Sizes need not be divisible, which only counts for what the program
// gives.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/origins.h"

#include <string.h>

static const XlaSharding *operandSharding(XlaExpansion *x, MlirOperation op,
                                          intptr_t i) {
  return xlaShardingOf(x, mlirOperationGetOperand(op, i));
}

//===----------------------------------------------------------------------===//
// Any operation
//===----------------------------------------------------------------------===//

/// The first dimension in the order of `origins` that is not in `tried`; -1 for
/// none.
static int nextDimension(const XlaOrigins *origins, uint32_t tried) {
  int next = -1;
  for (int d = 0; d < origins->rank; ++d)
    if (origins->operands[d] && !(tried >> d & 1) &&
        (next < 0 || origins->order[d] < origins->order[next]))
      next = d;
  return next;
}

/// What is made of `origins`. If the same devices would have to cut two
/// dimensions, the first in their order that can be are cut.
static const XlaSharding *compose(XlaExpansion *x, XlaOrigins *origins) {
  XlaSharding *made = xlaShardingCompose(
      x->partitions, origins->rank, origins->operands, origins->dimensions);
  if (!made) {
    XlaOrigins fitting = *origins;
    memset(fitting.operands, 0, sizeof fitting.operands);
    uint32_t tried = 0;
    for (int d; (d = nextDimension(origins, tried)) >= 0; tried |= 1u << d) {
      fitting.operands[d] = origins->operands[d];
      XlaSharding *more = xlaShardingCompose(
          x->partitions, fitting.rank, fitting.operands, fitting.dimensions);
      if (!more) {
        fitting.operands[d] = NULL;
        continue;
      }
      xlaShardingDestroy(made);
      made = more;
    }
  }
  if (!made || xlaShardingIsReplicated(made)) {
    xlaShardingDestroy(made);
    return NULL;
  }
  // Most results lie just as an operand.
  for (int d = 0; d < origins->rank; ++d)
    if (origins->operands[d] && xlaShardingEqual(origins->operands[d], made)) {
      xlaShardingDestroy(made);
      return origins->operands[d];
    }
  return xlaExpandKeep(x, made);
}

static const XlaSharding *ofResult(XlaExpansion *x, MlirOperation op,
                                   intptr_t i) {
  XlaOrigins origins = {0};
  bool isSaid = false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    isSaid |= operandSharding(x, op, k) != NULL;
  if (!isSaid)
    return NULL;
  xlaOriginsOfResult(x, op, i, &origins);
  return compose(x, &origins);
}

//===----------------------------------------------------------------------===//
// Regions, and functions that are called
//===----------------------------------------------------------------------===//

static bool propagateBlock(XlaExpansion *x, MlirBlock block);

/// How value `i` that a block hands on lies.
static const XlaSharding *ofEnd(XlaExpansion *x, MlirBlock block, intptr_t i) {
  MlirOperation end = mlirBlockGetTerminator(block);
  return mlirOperationIsNull(end) || i >= mlirOperationGetNumOperands(end)
             ? NULL
             : operandSharding(x, end, i);
}

static MlirBlock regionBlock(MlirOperation op, intptr_t i) {
  return i < mlirOperationGetNumRegions(op)
             ? mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i))
             : (MlirBlock){NULL};
}

static bool define(XlaExpansion *x, MlirBlock block, intptr_t i,
                   const XlaSharding *sharding) {
  return i >= mlirBlockGetNumArguments(block) ||
         xlaExpandDefine(x, mlirBlockGetArgument(block, i), NULL, sharding,
                         NULL);
}

/// Values that a loop carries lie as they go in, else as they come round.
static bool propagateWhile(XlaExpansion *x, MlirOperation op, intptr_t n,
                           const XlaSharding **shardings) {
  enum { maxRounds = 3 };
  MlirBlock body = regionBlock(op, 1);
  if (mlirBlockIsNull(body) || mlirOperationGetNumOperands(op) != n)
    return true;
  for (intptr_t i = 0; i < n; ++i)
    shardings[i] = operandSharding(x, op, i);
  bool isChanged = true;
  for (int round = 0; round < maxRounds && isChanged; ++round) {
    isChanged = false;
    for (intptr_t i = 0; i < n; ++i)
      if (!define(x, body, i, shardings[i]))
        return false;
    if (!propagateBlock(x, body))
      return false;
    for (intptr_t i = 0; i < n; ++i)
      if (!shardings[i] && (shardings[i] = ofEnd(x, body, i)))
        isChanged = true;
  }
  return true;
}

static bool propagateCase(XlaExpansion *x, MlirOperation op, intptr_t n,
                          const XlaSharding **shardings) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = regionBlock(op, r);
    if (mlirBlockIsNull(block))
      continue;
    if (!propagateBlock(x, block))
      return false;
    for (intptr_t i = 0; i < n; ++i)
      if (!shardings[i])
        shardings[i] = ofEnd(x, block, i);
  }
  return true;
}

static bool propagateCall(XlaExpansion *x, MlirOperation op,
                          MlirOperation callee, intptr_t n,
                          const XlaSharding **shardings) {
  enum { maxDepth = 200 };
  MlirBlock body = regionBlock(callee, 0);
  if (x->depth >= maxDepth)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!define(x, body, i, operandSharding(x, op, i)))
      return false;
  ++x->depth;
  bool done = propagateBlock(x, body);
  --x->depth;
  for (intptr_t i = 0; i < n; ++i)
    shardings[i] = ofEnd(x, body, i);
  return done;
}

const XlaSharding **xlaShardingsOfResults(XlaExpansion *x, MlirOperation op) {
  intptr_t n = mlirOperationGetNumResults(op);
  const XlaSharding **shardings =
      xlaExpandAllocate(x, (size_t)n, sizeof *shardings);
  if (!shardings)
    return NULL;
  MlirOperation callee = xlaExpandCallee(x, op);
  bool done = true;
  if (!mlirOperationIsNull(callee) && !xlaOriginsAreOwn(op))
    done = propagateCall(x, op, callee, n, shardings);
  else if (xlaIrIsOp(op, "stablehlo.while"))
    done = propagateWhile(x, op, n, shardings);
  else if (xlaIrIsOp(op, "stablehlo.case") || xlaIrIsOp(op, "stablehlo.if"))
    done = propagateCase(x, op, n, shardings);
  else
    for (intptr_t i = 0; i < n; ++i)
      shardings[i] = ofResult(x, op, i);
  return done && x->result == XlaImportResultOk ? shardings : NULL;
}

/// What is said in it counts; nothing in it is made.
static bool propagateOp(XlaExpansion *x, MlirOperation op) {
  const XlaSharding **shardings = xlaShardingsOfResults(x, op);
  if (!shardings)
    return false;
  const XlaSharding *said = NULL;
  if (xlaIrIsOp(op, "sdy.sharding_constraint") &&
      !xlaShardingOfConstraint(x, op, &said))
    return false;
  if (said && !said->isOpen)
    shardings[0] = said;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!xlaExpandDefine(x, mlirOperationGetResult(op, i), NULL, shardings[i],
                         NULL))
      return false;
  return true;
}

static bool propagateBlock(XlaExpansion *x, MlirBlock block) {
  enum { maxOps = 1 << 20 };
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && x->nPropagated < maxOps;
       op = mlirOperationGetNextInBlock(op), ++x->nPropagated)
    if (!propagateOp(x, op))
      return false;
  return true;
}

//===- local_assign.c - How values lie that nothing is said of ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result lies as the operands that are cut. What is made of nothing, as
// numbers that count, or of what is whole, is cut as those want it that take it
// beside what is cut: then no device makes what others need.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/local.h"

#include <string.h>

const XlaSharding *xlaLocalGet(const XlaLocal *l, MlirValue value) {
  const XlaSharding *s =
      (const XlaSharding *)xlaPointerMapGet(&l->shardings, value.ptr);
  return s && !xlaShardingIsReplicated(s) ? s : NULL;
}

bool xlaLocalSet(XlaLocal *l, MlirValue value, const XlaSharding *s) {
  l->isChanged = true;
  return xlaPointerMapSet(&l->shardings, value.ptr, (intptr_t)s);
}

/// Whether it has been decided, also that it is whole.
static bool isSet(const XlaLocal *l, MlirValue value) {
  return xlaPointerMapGet(&l->shardings, value.ptr) != 0;
}

/// False of partial sums, and parts that are not of one size.
static bool fits(const XlaSharding *s, MlirValue value) {
  int64_t dims[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(value);
  return s->nAddends == 1 && mlirTypeIsARankedTensor(type) &&
         xlaExpandDivide(s, type, dims);
}

/// Sets it unless it is set, or cannot be.
static bool propose(XlaLocal *l, MlirValue value, const XlaSharding *s) {
  return !s || xlaShardingIsReplicated(s) || isSet(l, value) ||
         !fits(s, value) || xlaLocalSet(l, value, s);
}

bool xlaLocalIsInside(const XlaLocal *l, MlirValue value) {
  return xlaPointerMapGet(&l->inside, value.ptr) != 0;
}

bool xlaLocalHasInside(const XlaLocal *l, MlirOperation op) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    if (xlaLocalIsInside(l, mlirOperationGetOperand(op, k)))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// How results lie by what the operands do.
static const XlaSharding *ofOperands(XlaLocal *l, MlirOperation op) {
  const XlaSharding *from[XLA_MAX_RANK] = {NULL};
  int dimensions[XLA_MAX_RANK];
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsARankedTensor(type) ||
      mlirShapedTypeGetRank(type) > XLA_MAX_RANK)
    return NULL;
  int rank = (int)mlirShapedTypeGetRank(type);
  bool isCut = false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    int to[XLA_MAX_RANK];
    const XlaSharding *s = xlaLocalGet(l, mlirOperationGetOperand(op, k));
    if (!s)
      continue;
    xlaLocalDimensions(op, k, to);
    for (int d = 0; d < s->rank; ++d)
      if (to[d] >= 0 && to[d] < rank && s->tiles[d] > 1 && !from[to[d]]) {
        from[to[d]] = s;
        dimensions[to[d]] = d;
        isCut = true;
      }
  }
  XlaSharding *made =
      isCut ? xlaShardingCompose(l->job->x.partitions, rank, from, dimensions)
            : NULL;
  return made ? xlaExpandKeep(&l->job->x, made) : NULL;
}

static bool assignOp(XlaLocal *l, MlirOperation op) {
  intptr_t nResults = mlirOperationGetNumResults(op);
  const XlaSharding *s = NULL;
  for (intptr_t i = 0; i < nResults && !s; ++i)
    s = xlaLocalGet(l, mlirOperationGetResult(op, i));
  if (!s)
    s = ofOperands(l, op);
  if (!s || !xlaLocalAllows(op, s))
    return true;
  for (intptr_t i = 0; i < nResults; ++i)
    if (!propose(l, mlirOperationGetResult(op, i), s))
      return false;
  return true;
}

/// Whether what gives a value can give parts of it.
static bool canBeCut(const XlaLocal *l, MlirValue value, const XlaSharding *s) {
  if (xlaLocalIsInside(l, value))
    return false;
  if (!mlirValueIsAOpResult(value))
    return true;
  MlirOperation op = mlirOpResultGetOwner(value);
  return xlaLocalHandsOn(op) || xlaLocalAllows(op, s);
}

static bool wantOperands(XlaLocal *l, MlirOperation op) {
  if (!mlirOperationGetNumResults(op))
    return true;
  const XlaSharding *s = xlaLocalGet(l, mlirOperationGetResult(op, 0));
  for (intptr_t k = 0; s && k < mlirOperationGetNumOperands(op); ++k) {
    MlirValue operand = mlirOperationGetOperand(op, k);
    const XlaSharding *wanted =
        isSet(l, operand) ? NULL : xlaLocalOfOperand(l, op, k, s);
    if (wanted && canBeCut(l, operand, wanted) && !propose(l, operand, wanted))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// What all are that are the same array.
static bool tie(XlaLocal *l, intptr_t n, const MlirValue *values) {
  const XlaSharding *s = NULL;
  for (intptr_t i = 0; i < n && !s; ++i)
    s = xlaLocalGet(l, values[i]);
  for (intptr_t i = 0; i < n && s; ++i)
    if (!xlaLocalIsInside(l, values[i]) &&
        (!mlirValueIsAOpResult(values[i]) || canBeCut(l, values[i], s)) &&
        !propose(l, values[i], s))
      return false;
  return true;
}

/// What a loop carries is one array before, in and behind it.
static bool assignWhile(XlaLocal *l, MlirOperation op) {
  MlirOperation end = mlirBlockGetTerminator(xlaLocalBlock(op, 1));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue values[] = {mlirOperationGetOperand(op, i),
                          mlirBlockGetArgument(xlaLocalBlock(op, 0), i),
                          mlirBlockGetArgument(xlaLocalBlock(op, 1), i),
                          mlirOperationGetOperand(end, i),
                          mlirOperationGetResult(op, i)};
    if (!tie(l, 5, values))
      return false;
  }
  return true;
}

static bool assignCase(XlaLocal *l, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirOperation end = mlirBlockGetTerminator(xlaLocalBlock(op, r));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (!tie(l, 2,
               (MlirValue[]){mlirOperationGetOperand(end, i),
                             mlirOperationGetResult(op, i)}))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static bool setInside(XlaLocal *l, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!xlaPointerMapSet(&l->inside, mlirOperationGetResult(op, i).ptr, 1))
      return false;
  return true;
}

static bool assignBlock(XlaLocal *l, MlirBlock block, bool isBackward);

static bool assignRegions(XlaLocal *l, MlirOperation op, bool isBackward) {
  bool isWhile = xlaLocalKind(op) == XlaOpKindWhile;
  if (!(isWhile ? assignWhile(l, op) : assignCase(l, op)))
    return false;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!assignBlock(l, xlaLocalBlock(op, r), isBackward))
      return false;
  return isWhile ? assignWhile(l, op) : assignCase(l, op);
}

/// What is said of the bounds of manual computations, and of others.
static bool assignSaid(XlaLocal *l, MlirOperation op, bool *isSaid) {
  const XlaSharding *s = NULL;
  *isSaid = true;
  if (xlaLocalHasInside(l, op) &&
      !xlaExpandIsCallTo(op, "xla.sdy.LocalToGlobalShape"))
    return setInside(l, op);
  if (xlaLocalIsConstraint(l, op, &s)) {
    MlirValue values[] = {mlirOperationGetOperand(op, 0),
                          mlirOperationGetResult(op, 0)};
    return (!s || isSet(l, values[1]) || xlaLocalSet(l, values[1], s)) &&
           tie(l, 2, values);
  }
  bool isEntry = false, isExit = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if ((s = xlaLocalOfEntry(l, op, i))) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      isEntry = true;
      if (canBeCut(l, operand, s) && !propose(l, operand, s))
        return false;
    }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if ((s = xlaLocalOfExit(l, op, i))) {
      MlirValue result = mlirOperationGetResult(op, i);
      isExit = true;
      if (!isSet(l, result) && !xlaLocalSet(l, result, s))
        return false;
    }
  *isSaid = isEntry || isExit;
  if (xlaExpandIsCollective(op) || (isEntry && !isExit)) {
    *isSaid = true;
    return setInside(l, op);
  }
  return true;
}

static bool assign(XlaLocal *l, MlirOperation op, bool isBackward) {
  bool isSaid;
  bool done = assignSaid(l, op, &isSaid);
  if (!done || isSaid)
    return done;
  if (xlaLocalHandsOn(op))
    return assignRegions(l, op, isBackward);
  if (!mlirOperationGetNumResults(op))
    return true;
  return assignOp(l, op) && (!isBackward || wantOperands(l, op));
}

static bool assignBlock(XlaLocal *l, MlirBlock block, bool isBackward) {
  intptr_t n = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++n;
  MlirOperation *ops = xlaExpandAllocate(&l->job->x, (size_t)n, sizeof *ops);
  op = mlirBlockGetFirstOperation(block);
  for (intptr_t i = 0; ops && i < n; ++i, op = mlirOperationGetNextInBlock(op))
    ops[i] = op;
  for (intptr_t i = 0; ops && i < n; ++i)
    if (!assign(l, ops[isBackward ? n - 1 - i : i], isBackward))
      return false;
  return ops != NULL;
}

bool xlaLocalAssign(XlaLocal *l) {
  enum { maxRounds = 8 };
  XlaPartitionJob *job = l->job;
  MlirOperation end = mlirBlockGetTerminator(l->body);
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (!xlaLocalSet(l, mlirBlockGetArgument(l->body, i), job->in[i]))
      return false;
  // What is inside of manual computations is known before results are wanted.
  if (!assignBlock(l, l->body, false))
    return false;
  for (intptr_t i = 0; i < job->nOut; ++i) {
    MlirValue value = mlirOperationGetOperand(end, i);
    if (canBeCut(l, value, job->out[i]) && !propose(l, value, job->out[i]))
      return false;
  }
  for (int round = 0; round < maxRounds && l->isChanged; ++round) {
    l->isChanged = false;
    if (!assignBlock(l, l->body, true) || !assignBlock(l, l->body, false))
      return false;
  }
  return true;
}

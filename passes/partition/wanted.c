//===- wanted.c - Arguments lie as programs want them ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where nothing is said of an argument, it lies as what is made of it is to:
// as a manual computation takes it, as a constraint says, as another argument
// that is added to it. What comes first in the program counts. XLA's
// partitioner does so too, and callers bring arrays that lie like that.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/job.h"
#include "xlac/passes/partition/origins.h"
#include "xlac/passes/partition/unknown.h"

#include <string.h>

/// How values of a block are wanted.
typedef struct Wants {
  XlaPartitionJob *job;
  XlaPointerMap shardings; ///< addresses of those
  int *nLeft;              ///< operations that may still be looked at
  int depth;               ///< of blocks in others
} Wants;

static const XlaSharding *get(const Wants *w, MlirValue value) {
  return (const XlaSharding *)xlaPointerMapGet(&w->shardings, value.ptr);
}

/// Nothing if it says nothing of an array like the value.
static bool want(Wants *w, MlirValue value, const XlaSharding *s) {
  if (!s || s->nAddends > 1 || xlaShardingIsReplicated(s) ||
      s->rank != xlaExpandRank(mlirValueGetType(value)))
    return true;
  return xlaPointerMapSet(&w->shardings, value.ptr, (intptr_t)s) ||
         xlaExpandNoMemory(&w->job->x, w->job->function);
}

static bool wantAll(Wants *w, MlirBlock block);

/// The operands of `op` as the arguments of `body`, whose end gives its
/// results.
static bool wantByBlock(Wants *w, MlirOperation op, MlirBlock body) {
  enum { maxDepth = 100 };
  MlirOperation end = mlirBlockIsNull(body) ? (MlirOperation){NULL}
                                            : mlirBlockGetTerminator(body);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (mlirOperationIsNull(end) || w->depth == maxDepth ||
      mlirBlockGetNumArguments(body) != n ||
      mlirOperationGetNumOperands(end) != mlirOperationGetNumResults(op))
    return true;
  Wants inner = {.job = w->job, .nLeft = w->nLeft, .depth = w->depth + 1};
  bool done = true;
  for (intptr_t i = 0; done && i < mlirOperationGetNumOperands(end); ++i)
    done = want(&inner, mlirOperationGetOperand(end, i),
                get(w, mlirOperationGetResult(op, i)));
  done = done && wantAll(&inner, body);
  for (intptr_t i = 0; done && i < n; ++i)
    done = want(w, mlirOperationGetOperand(op, i),
                get(&inner, mlirBlockGetArgument(body, i)));
  xlaPointerMapClear(&inner.shardings);
  return done;
}

/// Dimensions of the operand as those of the result that they become.
static bool wantTransposed(Wants *w, MlirOperation op, const XlaSharding *s) {
  const XlaSharding *from[XLA_MAX_RANK];
  int dimensions[XLA_MAX_RANK];
  MlirAttribute order = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("permutation"));
  if (!s || mlirAttributeIsNull(order) ||
      !mlirAttributeIsADenseI64Array(order) ||
      mlirDenseArrayGetNumElements(order) != s->rank)
    return true;
  memset(from, 0, sizeof from);
  for (int d = 0; d < s->rank; ++d) {
    int64_t to = mlirDenseI64ArrayGetElement(order, d);
    if (to < 0 || to >= s->rank)
      return true;
    from[to] = s;
    dimensions[to] = d;
  }
  XlaSharding *made =
      xlaShardingCompose(w->job->x.partitions, s->rank, from, dimensions);
  const XlaSharding *kept = made ? xlaExpandKeep(&w->job->x, made) : NULL;
  return made ? kept && want(w, mlirOperationGetOperand(op, 0), kept) : true;
}

/// Operands of the result's shape as that, else as another one.
static bool wantAlike(Wants *w, MlirOperation op) {
  XlaShape to, shape;
  if (mlirOperationGetNumResults(op) != 1 ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &to,
                        NULL))
    return true;
  intptr_t n = mlirOperationGetNumOperands(op);
  const XlaSharding *s = get(w, mlirOperationGetResult(op, 0));
  for (intptr_t pass = s ? 1 : 0; pass < 2; ++pass)
    for (intptr_t i = 0; i < n; ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      if (!xlaShapeFromMlir(mlirValueGetType(operand), &shape, NULL) ||
          !xlaShapeDimsEqual(&shape, &to))
        continue;
      if (pass == 0 && !s)
        s = get(w, operand);
      else if (pass == 1 && !want(w, operand, s))
        return false;
    }
  return true;
}

static bool wantOperands(Wants *w, MlirOperation op) {
  XlaExpansion *x = &w->job->x;
  intptr_t n = mlirOperationGetNumOperands(op);
  const XlaSharding *said = NULL;
  if (xlaIrIsOp(op, "sdy.manual_computation")) {
    for (intptr_t i = 0; i < n; ++i)
      if (!(said = xlaShardingOfManual(x, op, "in_shardings", i)) ||
          !want(w, mlirOperationGetOperand(op, i), said))
        return false;
    return true;
  }
  if (xlaIrIsOp(op, "sdy.sharding_constraint"))
    return xlaShardingOfConstraint(x, op, &said) &&
           (!said || want(w, mlirOperationGetOperand(op, 0), said));
  if (xlaIrIsOp(op, "stablehlo.custom_call"))
    return !xlaExpandIsCallTo(op, "Sharding") || n != 1 ||
           (xlaShardingOfCall(x, op, &said) &&
            want(w, mlirOperationGetOperand(op, 0), said));
  MlirOperation callee = xlaExpandCallee(x, op);
  if (!mlirOperationIsNull(callee))
    return xlaOriginsAreOwn(op) ||
           wantByBlock(
               w, op,
               mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0)));
  if (xlaIrIsOp(op, "stablehlo.while") && mlirOperationGetNumRegions(op) == 2)
    return wantByBlock(w, op,
                       mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1)));
  // Sizes may be the same where dimensions are not.
  if (mlirOperationGetNumRegions(op) ||
      xlaIrIsOp(op, "stablehlo.dot_general") ||
      xlaIrIsOp(op, "stablehlo.convolution") ||
      xlaIrIsOp(op, "stablehlo.gather"))
    return true;
  if (xlaIrIsOp(op, "stablehlo.transpose") && n == 1)
    return wantTransposed(w, op, get(w, mlirOperationGetResult(op, 0)));
  return wantAlike(w, op);
}

/// From the end to the beginning.
static bool wantAll(Wants *w, MlirBlock block) {
  XlaExpansion *x = &w->job->x;
  intptr_t n = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op) && n < *w->nLeft;
       op = mlirOperationGetNextInBlock(op))
    ++n;
  MlirOperation *ops = xlaExpandAllocate(x, (size_t)n, sizeof *ops);
  if (!ops)
    return false;
  op = mlirBlockGetFirstOperation(block);
  for (intptr_t i = 0; i < n; ++i, op = mlirOperationGetNextInBlock(op))
    ops[i] = op;
  *w->nLeft -= (int)n;
  for (intptr_t i = n - 1; i >= 0; --i)
    if (!wantOperands(w, ops[i]))
      return false;
  return true;
}

/// Begins with what is said of arguments and results.
static bool wantSaid(Wants *w, MlirOperation end) {
  XlaPartitionJob *job = w->job;
  for (intptr_t i = 0; i < job->nOut; ++i) {
    const XlaSharding *said = NULL;
    MlirValue value = mlirOperationGetOperand(end, i);
    if (!xlaShardingOfAttributes(&job->x, job->function,
                                 xlaPartitionAttributesOf(job, "res_attrs", i),
                                 mlirValueGetType(value), &said) ||
        !want(w, value, said))
      return false;
  }
  for (intptr_t i = 0; i < job->nIn; ++i)
    if (!want(w, mlirBlockGetArgument(job->body, i), job->in[i]))
      return false;
  return true;
}

bool xlaPartitionWantArguments(XlaPartitionJob *job) {
  int nLeft = 1 << 20;
  Wants w = {.job = job, .nLeft = &nLeft};
  MlirOperation end = mlirBlockGetTerminator(job->body);
  bool done = wantSaid(&w, end) && wantAll(&w, job->body);
  for (intptr_t i = 0; done && i < job->nIn; ++i) {
    int64_t dims[XLA_MAX_RANK];
    MlirValue argument = mlirBlockGetArgument(job->body, i);
    const XlaSharding *s = get(&w, argument);
    if (!job->in[i] && s &&
        xlaExpandDivide(s, mlirValueGetType(argument), dims))
      job->in[i] = s;
  }
  xlaPointerMapClear(&w.shardings);
  return done;
}

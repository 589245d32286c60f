//===- steps.c - The steps of a kernel ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/steps.h"
#include "xlac/lowering/linalg/pieces.h"

#include <stdlib.h>
#include <string.h>

/// Entries of XlaKernelSteps.uses that are no step.
enum { usesNone = -1, usesMany = -2 };

bool xlaKernelIsScan(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindAssociativeScan;
}

bool xlaKernelIsLoop(MlirOperation op) {
  return xlaOpAttrIs(op, "kind", "loop") || xlaOpAttrIs(op, "kind", "window");
}

bool xlaKernelHasLoops(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindReduce || xlaKernelIsScan(op);
}

static bool isDot(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindDotGeneral || kind == XlaOpKindDot;
}

static bool isUpdate(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindDynamicUpdateSlice;
}

intptr_t xlaKernelStepsOpIndex(const XlaKernelSteps *steps, MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return -1;
  MlirOperation op = mlirOpResultGetOwner(value);
  for (intptr_t i = steps->nOps - 1; i >= 0; --i)
    if (mlirOperationEqual(steps->ops[i], op))
      return i;
  return -1;
}

/// `step` computes `value` at `points` places.
static void addUse(XlaKernelSteps *steps, MlirValue value, int step,
                   int64_t points) {
  intptr_t i = xlaKernelStepsOpIndex(steps, value);
  if (i < 0)
    return;
  if (steps->points[i] < points)
    steps->points[i] = points;
  if (steps->uses[i] == step)
    return;
  steps->uses[i] = steps->uses[i] == usesNone ? step : usesMany;
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static bool collect(XlaKernelSteps *steps, MlirOperation op) {
  bool fused = xlaIrIsOp(op, "xla.fusion");
  MlirOperation terminator = {NULL};
  MlirBlock block = {NULL};
  steps->nOps = 1;
  steps->nResults = mlirOperationGetNumResults(op);
  if (fused) {
    block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    terminator = mlirBlockGetTerminator(block);
    steps->nOps = 0;
    for (MlirOperation o = mlirBlockGetFirstOperation(block);
         !mlirOperationEqual(o, terminator); o = mlirOperationGetNextInBlock(o))
      ++steps->nOps;
  }
  size_t n = (size_t)steps->nOps + 1, m = (size_t)steps->nResults + 1;
  steps->ops = calloc(n, sizeof *steps->ops);
  steps->uses = calloc(n, sizeof *steps->uses);
  steps->costs = calloc(n, sizeof *steps->costs);
  steps->points = calloc(n, sizeof *steps->points);
  steps->marks = calloc(n, sizeof *steps->marks);
  steps->values = calloc(m, sizeof *steps->values);
  steps->all = calloc(n + m, sizeof *steps->all);
  if (!steps->ops || !steps->uses || !steps->costs || !steps->points ||
      !steps->marks || !steps->values || !steps->all)
    return false;
  steps->ops[0] = op;
  intptr_t i = 0;
  if (fused)
    for (MlirOperation o = mlirBlockGetFirstOperation(block);
         !mlirOperationEqual(o, terminator); o = mlirOperationGetNextInBlock(o))
      steps->ops[i++] = o;
  for (i = 0; i < steps->nResults; ++i)
    steps->values[i] = fused ? mlirOperationGetOperand(terminator, i)
                             : mlirOperationGetResult(op, i);
  return true;
}

/// The cost of each op wherever it is inlined, but of reductions.
static void findCosts(XlaKernelSteps *steps) {
  const int most = 1 << 20; // so that sums stay within int
  for (intptr_t i = 0; i < steps->nOps; ++i) {
    steps->uses[i] = usesNone;
    if (xlaKernelHasLoops(steps->ops[i]) || isDot(steps->ops[i]))
      continue;
    int cost = xlaOpGetInfo(xlaOpGetKind(steps->ops[i]))->cost;
    intptr_t n = mlirOperationGetNumOperands(steps->ops[i]);
    for (intptr_t k = 0; k < n && cost < most; ++k) {
      intptr_t o = xlaKernelStepsOpIndex(
          steps, mlirOperationGetOperand(steps->ops[i], k));
      cost += o >= 0 ? steps->costs[o] : 0;
    }
    steps->costs[i] = cost;
  }
}

/// Whether recomputing the op costs more than a store and a load.
static bool isCostly(const XlaKernelSteps *steps, intptr_t i) {
  return steps->costs[i] >= XLA_OP_COSTLY && xlaIsInlined(steps->ops[i]);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool xlaKernelStepsSameDims(MlirValue a, MlirValue b) {
  XlaShape x, y;
  return xlaShapeFromMlir(mlirValueGetType(a), &x, NULL) &&
         xlaShapeFromMlir(mlirValueGetType(b), &y, NULL) &&
         xlaShapeDimsEqual(&x, &y);
}

/// The first kernel result that is `value`, or -1.
static intptr_t resultOf(const XlaKernelSteps *steps, MlirValue value) {
  for (intptr_t i = 0; i < steps->nResults; ++i)
    if (mlirValueEqual(steps->values[i], value))
      return i;
  return -1;
}

/// By the first result of its shape.
int xlaKernelStepsFinal(const XlaKernelSteps *steps, intptr_t i) {
  intptr_t first = 0;
  while (!xlaKernelStepsSameDims(steps->values[first], steps->values[i]))
    ++first;
  return (int)(steps->nOps + first);
}

/// Calls addUse for what the regions of `op` use from outside of them.
static void addCaptures(XlaKernelSteps *steps, MlirOperation op, int step) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         b.ptr; b = mlirBlockGetNextInRegion(b))
      for (MlirOperation o = mlirBlockGetFirstOperation(b); o.ptr;
           o = mlirOperationGetNextInBlock(o)) {
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(o); ++i)
          addUse(steps, mlirOperationGetOperand(o, i), step, 0);
        addCaptures(steps, o, step);
      }
}

static int64_t elementsOf(MlirValue value) {
  XlaShape shape;
  int64_t count = 0;
  if (xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    xlaShapeGetElementCount(&shape, &count);
  return count;
}

/// Whether two arrays have the same dimensions but for those of size 1.
static bool sameLongDims(MlirValue a, MlirValue b) {
  XlaShape x = xlaKernelShapeOf(a), y = xlaKernelShapeOf(b);
  int i = 0, k = 0;
  while (i < x.rank || k < y.rank) {
    if (i < x.rank && x.dims[i] == 1)
      ++i;
    else if (k < y.rank && y.dims[k] == 1)
      ++k;
    else if (i == x.rank || k == y.rank || x.dims[i] != y.dims[k])
      return false;
    else
      ++i, ++k;
  }
  return true;
}

/// Whether `op` reads parts of dimensions, or several of them as one.
static bool cutsDimensions(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindReshape)
    return !sameLongDims(mlirOperationGetOperand(op, 0),
                         mlirOperationGetResult(op, 0));
  return !xlaIsInlined(op) && kind != XlaOpKindBroadcastInDim &&
         kind != XlaOpKindTranspose &&
         xlaOpGetInfo(kind)->moves != XlaOpMovesSource;
}

/// Whether all ops read whole dimensions: then the schedules of devices find
/// loops that a step shares with those that it writes for, and what lies
/// between needs no memory of its own.
static bool keepsDimensions(const XlaKernelSteps *steps) {
  for (intptr_t i = 0; i < steps->nOps; ++i)
    if (cutsDimensions(steps->ops[i]))
      return false;
  return true;
}

/// Whether several steps use it, and computing it again costs more than
/// memory. What is cut from a costly array is kept in place of the array: it
/// has the dimensions of the steps that use it.
static bool isShared(const XlaKernelSteps *steps, intptr_t i) {
  return steps->uses[i] == usesMany &&
         (isCostly(steps, i) ||
          (steps->costs[i] >= XLA_OP_COSTLY && cutsDimensions(steps->ops[i])));
}

/// Whether an op that one step uses is cheaper to read than to compute as
/// often as that needs it. Rows keep what is repeated along them in registers.
static bool isRepeated(const XlaKernelSteps *steps, intptr_t i) {
  return isCostly(steps, i) && xlaOpAttrIs(steps->kernel->op, "kind", "loop") &&
         steps->points[i] / XLA_KERNEL_STEPS_REPEAT >=
             elementsOf(mlirOperationGetResult(steps->ops[i], 0)) &&
         keepsDimensions(steps);
}

/// Contractions read their operands more than once, and from memory.
static bool isSummed(const XlaKernelSteps *steps, intptr_t i) {
  for (intptr_t k = i + 1; k < steps->nOps; ++k)
    for (int side = 0; isDot(steps->ops[k]) && side < 2; ++side)
      if (xlaKernelStepsOpIndex(
              steps, mlirOperationGetOperand(steps->ops[k], side)) == i)
        return true;
  return false;
}

/// Decides, users first, which ops get memory: their entry in `uses` becomes
/// their own number. A loop has none for what only several results share.
static void decide(XlaKernelSteps *steps) {
  bool isLoop = xlaKernelIsLoop(steps->kernel->op);
  for (intptr_t i = 0; i < steps->nResults; ++i)
    addUse(steps, steps->values[i], xlaKernelStepsFinal(steps, i),
           elementsOf(steps->values[i]));
  for (intptr_t i = steps->nOps - 1; i >= 0; --i) {
    MlirOperation op = steps->ops[i];
    if (steps->uses[i] == usesNone)
      continue; // dead
    if (xlaKernelHasLoops(op) || isDot(op) || isUpdate(op) ||
        isSummed(steps, i) || isRepeated(steps, i) ||
        (!isLoop && isShared(steps, i))) {
      steps->uses[i] = (int)i;
      steps->points[i] =
          elementsOf(xlaKernelHasLoops(op) ? mlirOperationGetOperand(op, 0)
                     : isUpdate(op)        ? mlirOperationGetOperand(op, 1)
                                           : mlirOperationGetResult(op, 0));
    }
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      addUse(steps, mlirOperationGetOperand(op, k), steps->uses[i],
             steps->points[i]);
    addCaptures(steps, op, steps->uses[i]);
  }
}

static bool addStep(XlaKernelSteps *steps, MlirOperation reduce, intptr_t n) {
  XlaKernelStep *step = &steps->all[steps->n++];
  step->reduce = reduce;
  step->values = calloc((size_t)n + 1, sizeof *step->values);
  step->results = calloc((size_t)n + 1, sizeof *step->results);
  step->memory = calloc((size_t)n + 1, sizeof *step->memory);
  return step->values && step->results && step->memory;
}

static void addValue(XlaKernelSteps *steps, MlirValue value, intptr_t result) {
  XlaKernelStep *step = &steps->all[steps->n - 1];
  step->values[step->n] = value;
  step->memory[step->n] = -1;
  step->results[step->n++] = result;
}

static bool addOpSteps(XlaKernelSteps *steps) {
  for (intptr_t i = 0; i < steps->nOps; ++i) {
    MlirOperation op = steps->ops[i];
    if (steps->uses[i] != i)
      continue;
    intptr_t n = mlirOperationGetNumResults(op);
    if (!addStep(steps, xlaKernelHasLoops(op) ? op : (MlirOperation){NULL}, n))
      return false;
    if (isDot(op))
      steps->all[steps->n - 1].dot = op;
    if (isUpdate(op))
      steps->all[steps->n - 1].update = op;
    for (intptr_t k = 0; k < n; ++k) {
      MlirValue value = mlirOperationGetResult(op, k);
      addValue(steps, value, resultOf(steps, value));
    }
  }
  return true;
}

static void freeStep(XlaKernelStep *step) {
  free(step->values);
  free(step->results);
  free(step->memory);
}

static bool addFinalSteps(XlaKernelSteps *steps) {
  for (intptr_t i = 0; i < steps->nResults; ++i) {
    int step = xlaKernelStepsFinal(steps, i);
    if (step != steps->nOps + i)
      continue;
    if (!addStep(steps, (MlirOperation){NULL}, steps->nResults))
      return false;
    for (intptr_t k = i; k < steps->nResults; ++k) {
      intptr_t op = xlaKernelStepsOpIndex(steps, steps->values[k]);
      bool isWritten = op >= 0 && steps->uses[op] == op &&
                       resultOf(steps, steps->values[k]) == k;
      if (xlaKernelStepsFinal(steps, k) == step && !isWritten)
        addValue(steps, steps->values[k], k);
    }
    if (!steps->all[steps->n - 1].n) {
      freeStep(&steps->all[--steps->n]);
    }
  }
  return true;
}

MlirLogicalResult xlaKernelStepsInit(XlaKernelSteps *steps, XlaKernel *kernel) {
  memset(steps, 0, sizeof *steps);
  steps->kernel = kernel;
  if (!collect(steps, kernel->op))
    return xlaKernelNoMemory(steps->kernel);
  findCosts(steps);
  decide(steps);
  if (!addOpSteps(steps) || !addFinalSteps(steps) ||
      !xlaKernelStepsFindMemory(steps))
    return xlaKernelNoMemory(steps->kernel);
  for (intptr_t i = 0; i < steps->nOps; ++i)
    if (xlaOpGetKind(steps->ops[i]) == XlaOpKindConstant &&
        steps->uses[i] != usesNone &&
        mlirLogicalResultIsFailure(xlaKernelAddConstant(kernel, steps->ops[i])))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

void xlaKernelStepsFree(XlaKernelSteps *steps) {
  for (intptr_t i = 0; i < steps->n; ++i)
    freeStep(&steps->all[i]);
  free(steps->all);
  free(steps->values);
  free(steps->costs);
  free(steps->points);
  free(steps->marks);
  free(steps->uses);
  free(steps->ops);
}

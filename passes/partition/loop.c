//===- loop.c - Loops of several devices ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop with operations between devices in it is one for all of them. It ends
// when it has ended for each; what devices have that have left it stays as it
// was. Of values that they share there is one: which these are is found by
// making the loop with those that go in alike, as long as some come out
// different.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/shardings_of.h"

#include <string.h>

typedef struct Loop {
  XlaExpansion *x;
  MlirOperation op;
  intptr_t n;       ///< carried values
  MlirValue *inits; ///< value * nDevices + device
  /// Of those that go in: the first device that has the same one.
  int *firsts;
  MlirBlock cond, body; ///< of the program
  MlirRegion newCond, newBody;
  const XlaSharding **shardings; ///< of what it carries
} Loop;

/// Gives a new block arguments, and the program's block these values.
static MlirValue *addArguments(Loop *l, MlirBlock from, MlirBlock to) {
  XlaExpansion *x = l->x;
  size_t nDevices = (size_t)x->nDevices;
  MlirValue *all = xlaExpandAllocate(x, (size_t)l->n * nDevices, sizeof *all);
  if (!all)
    return NULL;
  for (intptr_t i = 0; i < l->n; ++i) {
    MlirValue *values = all + (size_t)i * nDevices;
    for (int d = 0; d < x->nDevices; ++d) {
      size_t at = (size_t)i * nDevices + (size_t)d;
      values[d] = l->firsts[at] < d
                      ? values[l->firsts[at]]
                      : mlirBlockAddArgument(to, mlirValueGetType(l->inits[at]),
                                             mlirOperationGetLocation(l->op));
    }
    if (!xlaExpandDefine(x, mlirBlockGetArgument(from, i), values,
                         l->shardings[i], NULL))
      return NULL;
  }
  return all;
}

/// Whether the loop goes on, by device.
static MlirValue *expandCondition(Loop *l, XlaIr *ir) {
  XlaExpansion *x = l->x;
  if (!xlaExpandBlock(x, l->cond, ir))
    return NULL;
  MlirValue *goesOn = xlaExpandEnd(x, l->op, l->cond, 1);
  if (goesOn && x->active &&
      !xlaExpandCombine(x, ir, "xla.and", goesOn, x->active, &goesOn))
    return NULL;
  return goesOn;
}

/// Takes apart values that come out different; whether there were any.
static bool refine(Loop *l, const MlirValue *next) {
  bool changed = false;
  for (intptr_t i = 0; i < l->n; ++i) {
    size_t at = (size_t)i * (size_t)l->x->nDevices;
    int *firsts = l->firsts + at;
    int *old = xlaExpandAllocate(l->x, (size_t)l->x->nDevices, sizeof *old);
    if (!old)
      return false;
    memcpy(old, firsts, (size_t)l->x->nDevices * sizeof *old);
    for (int d = 0; d < l->x->nDevices; ++d) {
      int k = 0;
      while (k < d &&
             !(old[k] == old[d] &&
               xlaExpandSame(next[at + (size_t)k], next[at + (size_t)d])))
        ++k;
      changed |= firsts[d] != (k < d ? firsts[k] : d);
      firsts[d] = k < d ? firsts[k] : d;
    }
  }
  return changed;
}

static void endBlock(XlaIr *ir, Loop *l, const MlirValue *values) {
  size_t nDevices = (size_t)l->x->nDevices;
  MlirValue *list =
      xlaExpandAllocate(l->x, (size_t)l->n * nDevices, sizeof *list);
  intptr_t n = 0;
  for (size_t at = 0; list && at < (size_t)l->n * nDevices; ++at)
    if (l->firsts[at] == (int)(at % nDevices))
      list[n++] = values[at];
  if (list)
    xlaIrCreate(ir, "stablehlo.return", n, list, 0, NULL, 0, NULL, 0, NULL);
}

/// The values after a pass through the body.
static MlirValue *expandBody(Loop *l, XlaIr *ir) {
  XlaExpansion *x = l->x;
  MlirBlock block = ir->block;
  MlirValue *current = addArguments(l, l->body, block);
  if (!current)
    return NULL;
  // The condition, once more, for those that have left.
  for (intptr_t i = 0; i < l->n; ++i)
    if (!xlaExpandDefine(x, mlirBlockGetArgument(l->cond, i),
                         current + (size_t)i * (size_t)x->nDevices,
                         l->shardings[i], NULL))
      return NULL;
  MlirValue *goesOn = expandCondition(l, ir);
  if (!goesOn)
    return NULL;
  bool isTogether = xlaExpandIsUniform(x, goesOn);
  const MlirValue *before = x->active;
  if (!isTogether)
    x->active = goesOn;
  MlirValue *next = xlaExpandBlock(x, l->body, ir)
                        ? xlaExpandEnd(x, l->op, l->body, l->n)
                        : NULL;
  x->active = before;
  for (intptr_t i = 0; next && !isTogether && i < l->n; ++i) {
    size_t at = (size_t)i * (size_t)x->nDevices;
    if (!xlaExpandChoose(x, l->op, ir, goesOn, next + at, current + at))
      return NULL;
  }
  return next;
}

/// Makes both regions; `*isDone` unless values came out different.
static bool tryLoop(Loop *l, bool *isDone) {
  XlaExpansion *x = l->x;
  MlirBlock cond = mlirBlockCreate(0, NULL, NULL);
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  l->newCond = mlirRegionCreate();
  l->newBody = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(l->newCond, cond);
  mlirRegionAppendOwnedBlock(l->newBody, body);
  MlirLocation location = mlirOperationGetLocation(l->op);
  XlaIr ir = xlaIrAtEnd(x->context, location, body);
  MlirValue *next = expandBody(l, &ir);
  if (!next)
    return false;
  *isDone = !refine(l, next);
  if (x->result != XlaImportResultOk)
    return false;
  if (!*isDone)
    return true;
  endBlock(&ir, l, next);
  ir = xlaIrAtEnd(x->context, location, cond);
  MlirValue *goesOn =
      addArguments(l, l->cond, cond) ? expandCondition(l, &ir) : NULL;
  if (!goesOn)
    return false;
  MlirValue any = xlaExpandAny(x, &ir, goesOn);
  xlaIrCreate(&ir, "stablehlo.return", 1, &any, 0, NULL, 0, NULL, 0, NULL);
  return true;
}

static bool makeLoop(Loop *l, XlaIr *ir) {
  XlaExpansion *x = l->x;
  size_t nDevices = (size_t)x->nDevices, n = (size_t)l->n * nDevices;
  MlirValue *inits = xlaExpandAllocate(x, n, sizeof *inits);
  MlirType *types = xlaExpandAllocate(x, n, sizeof *types);
  MlirValue *results = xlaExpandAllocate(x, n, sizeof *results);
  intptr_t count = 0;
  if (!inits || !types || !results)
    return false;
  for (size_t at = 0; at < n; ++at)
    if (l->firsts[at] == (int)(at % nDevices)) {
      inits[count] = l->inits[at];
      types[count++] = mlirValueGetType(l->inits[at]);
    }
  MlirRegion regions[] = {l->newCond, l->newBody};
  MlirOperation made = xlaIrCreate(ir, "stablehlo.while", count, inits, count,
                                   types, 0, NULL, 2, regions);
  l->newCond = l->newBody = (MlirRegion){NULL};
  count = 0;
  for (size_t at = 0; at < n; ++at)
    results[at] = l->firsts[at] == (int)(at % nDevices)
                      ? mlirOperationGetResult(made, count++)
                      : results[at - at % nDevices + (size_t)l->firsts[at]];
  for (intptr_t i = 0; i < l->n; ++i)
    if (!xlaExpandDefine(x, mlirOperationGetResult(l->op, i),
                         results + (size_t)i * nDevices, l->shardings[i], NULL))
      return false;
  return true;
}

static void dropRegions(Loop *l) {
  // What is in the second region may use values around it, but none of these.
  if (l->newCond.ptr)
    mlirRegionDestroy(l->newCond);
  if (l->newBody.ptr)
    mlirRegionDestroy(l->newBody);
  l->newCond = l->newBody = (MlirRegion){NULL};
}

/// Fills in what goes into the loop, and which of it is the same.
static bool beginLoop(Loop *l) {
  XlaExpansion *x = l->x;
  size_t nDevices = (size_t)x->nDevices;
  l->inits = xlaExpandAllocate(x, (size_t)l->n * nDevices, sizeof *l->inits);
  l->firsts = xlaExpandAllocate(x, (size_t)l->n * nDevices, sizeof *l->firsts);
  if (!l->inits || !l->firsts)
    return false;
  for (intptr_t i = 0; i < l->n; ++i) {
    MlirValue *values = xlaExpandOperand(x, l->op, i);
    if (!values)
      return false;
    memcpy(l->inits + (size_t)i * nDevices, values, nDevices * sizeof *values);
  }
  refine(l, l->inits);
  return x->result == XlaImportResultOk;
}

bool xlaExpandWhile(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  Loop l = {.x = x, .op = op, .n = mlirOperationGetNumOperands(op)};
  if (mlirOperationGetNumRegions(op) != 2)
    return xlaExpandInvalid(x, op, "has not two regions");
  l.cond = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  l.body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  if (mlirBlockIsNull(l.cond) || mlirBlockIsNull(l.body) ||
      mlirBlockGetNumArguments(l.cond) != l.n ||
      mlirBlockGetNumArguments(l.body) != l.n ||
      mlirOperationGetNumResults(op) != l.n)
    return xlaExpandInvalid(x, op, "has regions that do not fit");
  l.shardings = xlaShardingsOfResults(x, op);
  bool done = l.shardings && beginLoop(&l), isDone = false;
  while (done && !isDone) {
    dropRegions(&l);
    done = tryLoop(&l, &isDone);
  }
  if (!done) {
    dropRegions(&l);
    return false;
  }
  return makeLoop(&l, ir);
}

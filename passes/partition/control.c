//===- control.c - Loops and branches of several devices ------------------===//
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
// Where devices go into different branches, all branches are there for all, and
// each takes what it wants.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/tokens.h"
#include "xlac/passes/partition/shardings_of.h"

#include <stdlib.h>
#include <string.h>

static MlirType boolType(MlirContext context) {
  return mlirRankedTensorTypeGet(0, NULL, mlirIntegerTypeGet(context, 1),
                                 (MlirAttribute){NULL});
}

static MlirValue logical(XlaIr *ir, const char *name, MlirValue a,
                         MlirValue b) {
  MlirValue operands[] = {a, b};
  return mlirValueEqual(a, b)
             ? a
             : xlaIrOp(ir, name, mlirValueGetType(a), 2, operands, 0, NULL);
}

/// Each value made by `make` once for equal operands.
static bool combineEach(XlaExpansion *x, XlaIr *ir, const char *name,
                        const MlirValue *a, const MlirValue *b,
                        MlirValue **made) {
  MlirValue *results =
      xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *results);
  *made = results;
  if (!results)
    return false;
  const MlirValue *const arrays[] = {a, b};
  for (int d = 0; d < x->nDevices; ++d) {
    int k = xlaExpandFirstAlike(2, arrays, d);
    results[d] = k < d ? results[k] : logical(ir, name, a[d], b[d]);
  }
  return true;
}

/// Whether any of them is true.
static MlirValue anyOf(const XlaExpansion *x, XlaIr *ir,
                       const MlirValue *values) {
  MlirValue any = values[0];
  for (int d = 1; d < x->nDevices; ++d) {
    if (xlaExpandFirstAlike(1, &values, d) == d)
      any = logical(ir, "xla.or", any, values[d]);
  }
  return any;
}

/// values[d] stays where predicates[d], and becomes others[d] elsewhere.
static bool selectEach(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                       const MlirValue *predicates, MlirValue *values,
                       const MlirValue *others) {
  MlirValue *results =
      xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *results);
  if (!results)
    return false;
  const MlirValue *const arrays[] = {predicates, values, others};
  for (int d = 0; d < x->nDevices; ++d) {
    int k = xlaExpandFirstAlike(3, arrays, d);
    if (xlaImportIsToken(mlirValueGetType(values[d]))) {
      results[d] = values[d]; // operations stay in their order without
      continue;
    }
    if (k == d && !mlirTypeIsARankedTensor(mlirValueGetType(values[d])))
      return xlaExpandUnsupported(x, op,
                                  "has a value that is no array where "
                                  "devices go different ways");
    results[d] = k < d
                     ? results[k]
                     : xlaExpandSelect(ir, predicates[d], values[d], others[d]);
  }
  memcpy(values, results, (size_t)x->nDevices * sizeof *results);
  return true;
}

/// The values that the end of a block hands on, `n` of them.
static MlirValue *endOf(XlaExpansion *x, MlirOperation op, MlirBlock block,
                        intptr_t n) {
  MlirOperation end = mlirBlockGetTerminator(block);
  size_t nDevices = (size_t)x->nDevices;
  MlirValue *values =
      xlaExpandAllocate(x, (size_t)n * nDevices, sizeof *values);
  if (!values)
    return NULL;
  if (mlirOperationIsNull(end) || mlirOperationGetNumOperands(end) != n) {
    xlaExpandInvalid(x, op,
                     "has a region that ends with another number of "
                     "values");
    return NULL;
  }
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue *found = xlaExpandOperand(x, end, i);
    if (!found)
      return NULL;
    memcpy(values + (size_t)i * nDevices, found, nDevices * sizeof *values);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

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
  MlirValue *goesOn = endOf(x, l->op, l->cond, 1);
  if (goesOn && x->active &&
      !combineEach(x, ir, "xla.and", goesOn, x->active, &goesOn))
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
  MlirValue *next =
      xlaExpandBlock(x, l->body, ir) ? endOf(x, l->op, l->body, l->n) : NULL;
  x->active = before;
  for (intptr_t i = 0; next && !isTogether && i < l->n; ++i) {
    size_t at = (size_t)i * (size_t)x->nDevices;
    if (!selectEach(x, l->op, ir, goesOn, next + at, current + at))
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
  MlirValue any = anyOf(x, &ir, goesOn);
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

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

typedef struct Branches {
  XlaExpansion *x;
  MlirOperation op;
  intptr_t n, nResults;
  MlirValue *index;              ///< by device
  MlirValue **values;            ///< of a branch: result * nDevices + device
  const XlaSharding **shardings; ///< of results
} Branches;

static MlirBlock blockOf(const Branches *b, intptr_t branch) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(b->op, branch));
}

/// The first device that has the same result in every branch.
static int firstOf(const Branches *b, intptr_t result, int device) {
  size_t at = (size_t)result * (size_t)b->x->nDevices;
  for (int k = 0; k < device; ++k) {
    intptr_t i = 0;
    while (i < b->n && xlaExpandSame(b->values[i][at + (size_t)k],
                                     b->values[i][at + (size_t)device]))
      ++i;
    if (i == b->n)
      return k;
  }
  return device;
}

static bool defineResults(Branches *b, MlirValue *results) {
  for (intptr_t r = 0; r < b->nResults; ++r)
    if (!xlaExpandDefine(b->x, mlirOperationGetResult(b->op, r),
                         results + (size_t)r * (size_t)b->x->nDevices,
                         b->shardings[r], NULL))
      return false;
  return true;
}

/// All devices take the same branch.
static bool branchTogether(Branches *b, XlaIr *ir, MlirRegion *regions) {
  XlaExpansion *x = b->x;
  size_t nDevices = (size_t)x->nDevices, n = (size_t)b->nResults * nDevices;
  for (intptr_t i = 0; i < b->n; ++i) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    regions[i] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(regions[i], block);
    XlaIr inner = xlaIrAtEnd(x->context, ir->location, block);
    if (!xlaExpandBlock(x, blockOf(b, i), &inner) ||
        !(b->values[i] = endOf(x, b->op, blockOf(b, i), b->nResults)))
      return false;
  }
  MlirValue *list = xlaExpandAllocate(x, n, sizeof *list);
  MlirType *types = xlaExpandAllocate(x, n, sizeof *types);
  MlirValue *results = xlaExpandAllocate(x, n, sizeof *results);
  int *firsts = xlaExpandAllocate(x, n, sizeof *firsts);
  if (!list || !types || !results || !firsts)
    return false;
  intptr_t count = 0;
  for (size_t at = 0; at < n; ++at)
    firsts[at] = firstOf(b, (intptr_t)(at / nDevices), (int)(at % nDevices));
  for (intptr_t i = 0; i < b->n; ++i) {
    count = 0;
    for (size_t at = 0; at < n; ++at)
      if (firsts[at] == (int)(at % nDevices)) {
        list[count] = b->values[i][at];
        types[count] = mlirValueGetType(list[count]);
        ++count;
      }
    XlaIr inner = xlaIrAtEnd(x->context, ir->location,
                             mlirRegionGetFirstBlock(regions[i]));
    xlaIrCreate(&inner, "stablehlo.return", count, list, 0, NULL, 0, NULL, 0,
                NULL);
  }
  bool isIf = xlaIrIsOp(b->op, "stablehlo.if");
  MlirOperation made =
      xlaIrCreate(ir, isIf ? "stablehlo.if" : "stablehlo.case", 1, b->index,
                  count, types, 0, NULL, b->n, regions);
  for (intptr_t i = 0; i < b->n; ++i)
    regions[i] = (MlirRegion){NULL};
  count = 0;
  for (size_t at = 0; at < n; ++at)
    results[at] = firsts[at] == (int)(at % nDevices)
                      ? mlirOperationGetResult(made, count++)
                      : results[at - at % nDevices + (size_t)firsts[at]];
  return defineResults(b, results);
}

/// Whether devices take branch `i`, which is not the last one.
static MlirValue *takes(Branches *b, XlaIr *ir, intptr_t i) {
  XlaExpansion *x = b->x;
  bool isIf = xlaIrIsOp(b->op, "stablehlo.if");
  if (isIf)
    return b->index;
  MlirValue *taken = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *taken);
  XlaIrAttr equal = {"comparison_direction", xlaIrStringAttr(x->context, "EQ")};
  for (int d = 0; taken && d < x->nDevices; ++d) {
    int k = xlaExpandFirstAlike(1, (const MlirValue *const *)&b->index, d);
    if (k < d) {
      taken[d] = taken[k];
      continue;
    }
    MlirValue operands[] = {
        b->index[d], xlaExpandNumber(ir, mlirValueGetType(b->index[d]), i)};
    taken[d] = xlaIrOp(ir, "xla.compare", boolType(x->context), 2, operands, 1,
                       &equal);
  }
  return taken;
}

static MlirValue *negate(XlaExpansion *x, XlaIr *ir, const MlirValue *values) {
  MlirValue *made = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *made);
  for (int d = 0; made && d < x->nDevices; ++d) {
    int k = xlaExpandFirstAlike(1, &values, d);
    made[d] = k < d ? made[k]
                    : xlaIrOp(ir, "xla.not", boolType(x->context), 1,
                              &values[d], 0, NULL);
  }
  return made;
}

/// Branch `i` for those that are active.
static bool expandBranch(Branches *b, XlaIr *ir, intptr_t i,
                         const MlirValue *active) {
  XlaExpansion *x = b->x;
  const MlirValue *before = x->active;
  x->active = active;
  bool done = xlaExpandBlock(x, blockOf(b, i), ir);
  x->active = before;
  b->values[i] = done ? endOf(x, b->op, blockOf(b, i), b->nResults) : NULL;
  return b->values[i] != NULL;
}

/// Every device goes through all branches.
static bool branchApart(Branches *b, XlaIr *ir) {
  XlaExpansion *x = b->x;
  size_t nDevices = (size_t)x->nDevices;
  MlirValue *rest = xlaExpandAllocate(x, nDevices, sizeof *rest);
  MlirValue **taken = xlaExpandAllocate(x, (size_t)b->n, sizeof *taken);
  if (!rest || !taken)
    return false;
  MlirValue yes = xlaExpandNumber(ir, boolType(x->context), 1);
  for (int d = 0; d < x->nDevices; ++d)
    rest[d] = x->active ? x->active[d] : yes;
  for (intptr_t i = 0; i + 1 < b->n; ++i) {
    MlirValue *active;
    MlirValue *others =
        (taken[i] = takes(b, ir, i)) ? negate(x, ir, taken[i]) : NULL;
    if (!others || !combineEach(x, ir, "xla.and", rest, taken[i], &active) ||
        !combineEach(x, ir, "xla.and", rest, others, &rest) ||
        !expandBranch(b, ir, i, active))
      return false;
  }
  if (!expandBranch(b, ir, b->n - 1, rest))
    return false;
  MlirValue *results = b->values[b->n - 1];
  for (intptr_t i = b->n - 2; i >= 0; --i) {
    for (intptr_t r = 0; r < b->nResults; ++r) {
      size_t at = (size_t)r * nDevices;
      if (!selectEach(x, b->op, ir, taken[i], b->values[i] + at, results + at))
        return false;
    }
    results = b->values[i];
  }
  return defineResults(b, results);
}

bool xlaExpandCase(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  Branches b = {.x = x,
                .op = op,
                .n = mlirOperationGetNumRegions(op),
                .nResults = mlirOperationGetNumResults(op)};
  if (!b.n || mlirOperationGetNumOperands(op) != 1)
    return xlaExpandInvalid(x, op, "has no branches, or no index");
  for (intptr_t i = 0; i < b.n; ++i)
    if (mlirBlockIsNull(blockOf(&b, i)) ||
        mlirBlockGetNumArguments(blockOf(&b, i)))
      return xlaExpandInvalid(x, op, "has a branch that does not fit");
  b.shardings = xlaShardingsOfResults(x, op);
  b.index = xlaExpandOperand(x, op, 0);
  b.values = xlaExpandAllocate(x, (size_t)b.n, sizeof *b.values);
  MlirRegion *regions = xlaExpandAllocate(x, (size_t)b.n, sizeof *regions);
  if (!b.shardings || !b.index || !b.values || !regions)
    return false;
  if (!xlaExpandIsUniform(x, b.index))
    return branchApart(&b, ir);
  bool done = branchTogether(&b, ir, regions);
  for (intptr_t i = 0; i < b.n; ++i)
    if (regions[i].ptr)
      mlirRegionDestroy(regions[i]);
  return done;
}

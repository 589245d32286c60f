//===- sort_merge_path.c - Sorting lines by many threads ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of a few elements are sorted in registers, then pairs of runs merged,
// pass by pass. A thread writes a part of the merged elements: how many of them
// come from either run it finds by bisection (the merge path of Odeh, Green,
// Mwassi, Shmueli and Birk, "Merge Path - Parallel Merging Made Simple", 2012).
//
// A path that is searched at each part's two ends alone would lose elements
// where a comparator contradicts itself, as "less" does on NaN. Here the ends
// are found by halves: first the middle of the whole pair, then that of the
// half that the part lies in, and so on, each between what was found before.
// All threads find the same, so that every element is in one part.
//
// The passes differ in the width of their runs alone, which they read from
// memory: their shaders are the same.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/sort.h"

#include "mlir-c/BuiltinTypes.h"

enum {
  logRun = XLA_SORT_LOG_RUN,
  run = XLA_SORT_RUN,
  maxLogPart = 6, ///< of the elements that a thread merges
  minLogPart = 3,
  busyElements = 1 << 19, ///< from which on there are threads enough
  knownPasses = 2,        ///< up to which each pass has its own shader
};

static MlirValue add(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "arith.addi", a, b);
}

static MlirValue sub(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "arith.subi", a, b);
}

static MlirValue least(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "arith.minui", a, b);
}

static MlirValue number(XlaIr *ir, int64_t value) {
  return xlaIrConstantIndex(ir, value);
}

static MlirBlock bodyOf(MlirOperation loop) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Exchanges neighbours if the second is to be first; what lies behind the line
/// stays there, unless `isInside` is null: nothing does.
static bool exchange(XlaSortPath *path, XlaIr *ir, MlirValue isInside,
                     MlirValue *first, MlirValue *second) {
  MlirValue before = xlaSortIsBefore(path->sort, ir, second, first);
  if (mlirValueIsNull(before))
    return false;
  if (!mlirValueIsNull(isInside))
    before = xlaIrBinary(ir, "arith.andi", before, isInside);
  for (intptr_t i = 0; i < path->sort->n; ++i) {
    MlirValue a = first[i], b = second[i];
    first[i] = xlaIrSelect(ir, before, b, a);
    second[i] = xlaIrSelect(ir, before, a, b);
  }
  return true;
}

bool xlaSortRun(XlaSortPath *path, XlaIr *ir, const MlirValue *from,
                const MlirValue *to, MlirValue begin) {
  XlaSort *sort = path->sort;
  MlirValue at[run], isInside[run], elements[run][XLA_KERNEL_MAX_IN_ORDER];
  bool isWhole = path->size % run == 0;
  MlirValue size = number(ir, path->size), last = number(ir, path->size - 1);
  // By insertion.
  for (int k = 0; k < run; ++k) {
    at[k] = add(ir, begin, number(ir, k));
    isInside[k] =
        isWhole ? (MlirValue){NULL} : xlaIrCmpI(ir, "ult", at[k], size);
    MlirValue position = isWhole ? at[k] : least(ir, at[k], last);
    for (intptr_t i = 0; i < sort->n; ++i) {
      elements[k][i] = xlaSortLoad(sort, ir, from, i, position);
      if (mlirValueIsNull(elements[k][i]))
        return false;
    }
  }
  for (int k = 1; k < run; ++k)
    for (int j = k; j > 0; --j)
      if (!exchange(path, ir, isInside[j], elements[j - 1], elements[j]))
        return false;
  for (int k = 0; k < run; ++k) {
    XlaIr then = *ir;
    if (!isWhole)
      xlaIrIf(ir, isInside[k], &then, NULL);
    for (intptr_t i = 0; i < sort->n; ++i)
      xlaSortStore(sort, &then, to, i, at[k], elements[k][i]);
  }
  return true;
}

static bool sortRuns(XlaSortPath *path, const MlirValue *to) {
  XlaSort *sort = path->sort;
  XlaIr nest[XLA_MAX_RANK + 1];
  MlirValue from[XLA_KERNEL_MAX_IN_ORDER];
  xlaSortInputs(sort, from);
  XlaIr body = xlaSortOpenLines(sort, (path->size - 1) / run + 1, nest);
  MlirValue begin =
      xlaIrBinary(&body, "arith.muli", sort->part, number(&body, run));
  bool done = xlaSortRun(path, &body, from, to, begin);
  xlaSortCloseLines(sort, nest);
  return done;
}

//===----------------------------------------------------------------------===//
// The path
//===----------------------------------------------------------------------===//

void xlaSortOpenPair(XlaSortPath *path, XlaIr *ir, MlirValue width,
                     MlirValue position, XlaSortPair *pair) {
  MlirValue size = number(ir, path->size), twice = add(ir, width, width);
  // `twice` is a power of two.
  MlirValue inside =
      xlaIrBinary(ir, "arith.andi", position, sub(ir, twice, number(ir, 1)));
  pair->low = sub(ir, position, inside);
  pair->middle = least(ir, add(ir, pair->low, width), size);
  pair->high = least(ir, add(ir, pair->low, twice), size);
  pair->both[0] = pair->left[0] = number(ir, 0);
  pair->both[1] = sub(ir, pair->high, pair->low);
  pair->left[1] = sub(ir, pair->middle, pair->low);
}

/// Narrows [bounds[0], bounds[1]], in which the number of elements of the left
/// run among the first `both` lies.
static bool bisectOnce(XlaSortPath *path, XlaIr *ir, const MlirValue *from,
                       const XlaSortPair *pair, MlirValue both,
                       MlirValue bounds[2]) {
  XlaSort *sort = path->sort;
  MlirValue lefts[XLA_KERNEL_MAX_IN_ORDER], rights[XLA_KERNEL_MAX_IN_ORDER],
      one = number(ir, 1);
  MlirValue last = number(ir, path->size - 1);
  MlirValue isOpen = xlaIrCmpI(ir, "ult", bounds[0], bounds[1]);
  MlirValue half =
      xlaIrBinary(ir, "arith.shrui", sub(ir, bounds[1], bounds[0]), one);
  MlirValue try = add(ir, bounds[0], half);
  MlirValue left = least(ir, add(ir, pair->low, try), last);
  MlirValue right = sub(ir, sub(ir, both, try), one);
  right = least(ir, add(ir, pair->middle, right), last);
  for (intptr_t i = 0; i < sort->n; ++i) {
    lefts[i] = xlaSortLoad(sort, ir, from, i, left);
    rights[i] = xlaSortLoad(sort, ir, from, i, right);
  }
  MlirValue before = xlaSortIsBefore(sort, ir, rights, lefts);
  if (mlirValueIsNull(before))
    return false;
  MlirValue above = xlaIrSelect(ir, before, bounds[0], add(ir, try, one));
  MlirValue below = xlaIrSelect(ir, before, try, bounds[1]);
  bounds[0] = xlaIrSelect(ir, isOpen, above, bounds[0]);
  bounds[1] = xlaIrSelect(ir, isOpen, below, bounds[1]);
  return true;
}

/// A point of the path between the two of `pair`, and moves the one to it that
/// the elements from `position` on do not lie beside. There are `trips` steps.
static bool halve(XlaSortPath *path, XlaIr *ir, const MlirValue *from,
                  XlaSortPair *pair, MlirValue step, MlirValue trips,
                  MlirValue position) {
  XlaIr body;
  MlirValue total = sub(ir, pair->high, pair->low);
  MlirValue both = least(ir, add(ir, pair->both[0], step), total);
  MlirValue right[2], bounds[2];
  for (int k = 0; k < 2; ++k)
    right[k] = sub(ir, pair->both[k], pair->left[k]);
  // No more on the right than at the upper point, no fewer than at the lower.
  bounds[0] = xlaIrBinary(ir, "arith.maxui", pair->left[0],
                          sub(ir, both, least(ir, both, right[1])));
  bounds[1] = least(ir, pair->left[1], sub(ir, both, right[0]));
  MlirOperation loop =
      xlaIrFor(ir, number(ir, 0), trips, number(ir, 1), 2, bounds, &body);
  MlirValue inner[2] = {mlirBlockGetArgument(bodyOf(loop), 1),
                        mlirBlockGetArgument(bodyOf(loop), 2)};
  bool done = bisectOnce(path, &body, from, pair, both, inner);
  xlaIrYield(&body, 2, inner);
  MlirValue left = mlirOperationGetResult(loop, 0);
  MlirValue isAbove = xlaIrCmpI(ir, "uge", sub(ir, position, pair->low), both);
  for (int k = 0; k < 2; ++k) {
    MlirValue newBoth = k ? pair->both[1] : both;
    MlirValue oldBoth = k ? both : pair->both[0];
    MlirValue newLeft = k ? pair->left[1] : left;
    MlirValue oldLeft = k ? left : pair->left[0];
    pair->both[k] = xlaIrSelect(ir, isAbove, newBoth, oldBoth);
    pair->left[k] = xlaIrSelect(ir, isAbove, newLeft, oldLeft);
  }
  return done;
}

/// Finds where the part from `position` on begins and ends on the path.
bool xlaSortFindPart(XlaSortPath *path, XlaIr *ir, const MlirValue *from,
                     MlirValue pass, MlirValue width, MlirValue position,
                     XlaSortPair *pair) {
  XlaIr body;
  XlaSortPair inner = *pair;
  // Of pairs of twice the width, halved down to parts.
  MlirValue levels = add(ir, pass, number(ir, logRun + 1));
  MlirValue logPart = number(ir, path->logPart);
  levels = sub(ir, xlaIrBinary(ir, "arith.maxui", levels, logPart), logPart);
  MlirValue carried[4] = {pair->both[0], pair->both[1], pair->left[0],
                          pair->left[1]};
  MlirOperation loop =
      xlaIrFor(ir, number(ir, 0), levels, number(ir, 1), 4, carried, &body);
  MlirValue level = mlirBlockGetArgument(bodyOf(loop), 0);
  for (int k = 0; k < 2; ++k) {
    inner.both[k] = mlirBlockGetArgument(bodyOf(loop), 1 + k);
    inner.left[k] = mlirBlockGetArgument(bodyOf(loop), 3 + k);
  }
  MlirValue step = xlaIrBinary(&body, "arith.shrui", width, level);
  // What is bisected has `step` + 1 places.
  MlirValue trips =
      sub(&body, add(&body, pass, number(&body, logRun + 1)), level);
  bool done = halve(path, &body, from, &inner, step, trips, position);
  MlirValue next[4] = {inner.both[0], inner.both[1], inner.left[0],
                       inner.left[1]};
  xlaIrYield(&body, 4, next);
  for (int k = 0; k < 2; ++k) {
    pair->both[k] = mlirOperationGetResult(loop, k);
    pair->left[k] = mlirOperationGetResult(loop, 2 + k);
  }
  return done;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Where a merge stands: the next of either run and their ends.
typedef struct Merge {
  MlirValue next[2], end[2];
} Merge;

/// Parts of short runs have several pairs: the next one, if one is through.
static void goToNextPair(XlaSortPath *path, XlaIr *ir, MlirValue width,
                         MlirValue k, Merge *merge) {
  XlaSortPair pair;
  MlirValue isThrough = xlaIrBinary(
      ir, "arith.andi", xlaIrCmpI(ir, "uge", merge->next[0], merge->end[0]),
      xlaIrCmpI(ir, "uge", merge->next[1], merge->end[1]));
  xlaSortOpenPair(path, ir, width, k, &pair);
  MlirValue fresh[4] = {pair.low, pair.middle, pair.middle, pair.high};
  merge->next[0] = xlaIrSelect(ir, isThrough, fresh[0], merge->next[0]);
  merge->end[0] = xlaIrSelect(ir, isThrough, fresh[1], merge->end[0]);
  merge->next[1] = xlaIrSelect(ir, isThrough, fresh[2], merge->next[1]);
  merge->end[1] = xlaIrSelect(ir, isThrough, fresh[3], merge->end[1]);
}

static bool mergePart(XlaSortPath *path, XlaIr *ir, const MlirValue *from,
                      const MlirValue *to, MlirValue width, MlirValue position,
                      const XlaSortPair *pair) {
  XlaIr body;
  MlirValue carried[4];
  for (int k = 0; k < 2; ++k) {
    MlirValue right = sub(ir, pair->both[k], pair->left[k]);
    carried[2 * k] = add(ir, pair->low, pair->left[k]);
    carried[2 * k + 1] = add(ir, pair->middle, right);
  }
  MlirValue part = number(ir, INT64_C(1) << path->logPart);
  MlirValue left = sub(ir, number(ir, path->size), position);
  MlirOperation loop = xlaIrFor(ir, number(ir, 0), least(ir, part, left),
                                number(ir, 1), 4, carried, &body);
  MlirBlock block = bodyOf(loop);
  Merge merge = {
      {mlirBlockGetArgument(block, 1), mlirBlockGetArgument(block, 2)},
      {mlirBlockGetArgument(block, 3), mlirBlockGetArgument(block, 4)}};
  MlirValue k = add(&body, position, mlirBlockGetArgument(block, 0));
  if (run << 1 < 1 << path->logPart)
    goToNextPair(path, &body, width, k, &merge);
  bool done = xlaSortMergeOne(path->sort, &body, from, to, k, merge.end[0],
                              merge.end[1], merge.next);
  MlirValue next[4] = {merge.next[0], merge.next[1], merge.end[0],
                       merge.end[1]};
  xlaIrYield(&body, 4, next);
  return done;
}

/// The number of the pass, which is `known`, inside of it.
static MlirValue passOf(const XlaSortPath *path, XlaIr *ir, int known) {
  MlirType index = mlirIndexTypeGet(ir->context);
  MlirValue zero = number(ir, 0);
  if (mlirValueIsNull(path->pass))
    return number(ir, known);
  MlirValue pass = xlaIrCast(ir, "arith.index_cast",
                             xlaIrLoad(ir, path->pass, 1, &zero), index);
  return (known + path->nPasses) % 2 ? add(ir, pass, number(ir, 1)) : pass;
}

static bool emitPass(XlaSortPath *path, int known) {
  XlaSort *sort = path->sort;
  XlaIr nest[XLA_MAX_RANK + 1];
  XlaSortPair pair;
  bool toSpare = (path->nPasses - known) % 2 == 0;
  const MlirValue *from = toSpare ? sort->results : sort->spare;
  const MlirValue *to = toSpare ? sort->spare : sort->results;
  XlaIr ir =
      xlaSortOpenLines(sort, ((path->size - 1) >> path->logPart) + 1, nest);
  MlirValue pass = passOf(path, &ir, known);
  MlirValue width = xlaIrBinary(&ir, "arith.shli", number(&ir, run), pass);
  MlirValue position =
      xlaIrBinary(&ir, "arith.shli", sort->part, number(&ir, path->logPart));
  xlaSortOpenPair(path, &ir, width, position, &pair);
  bool done = xlaSortFindPart(path, &ir, from, pass, width, position, &pair) &&
              mergePart(path, &ir, from, to, width, position, &pair);
  xlaSortCloseLines(sort, nest);
  return done;
}

/// The passes in memory go by two: one of each pair writes to the results.
static void setPass(XlaSortPath *path, bool isFirst) {
  XlaIr *ir = &path->sort->kernel->ir;
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  MlirValue zero = number(ir, 0);
  MlirValue pass = isFirst ? xlaIrConstantInt(ir, i32, -(path->nPasses % 2))
                           : add(ir, xlaIrLoad(ir, path->pass, 1, &zero),
                                 xlaIrConstantInt(ir, i32, 2));
  xlaIrStore(ir, pass, path->pass, 1, &zero);
}

static bool emitPasses(XlaSortPath *path) {
  XlaIr *ir = &path->sort->kernel->ir;
  const int64_t one = 1;
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  bool done = true;
  if (path->nPasses > knownPasses) {
    path->pass = xlaLinalgAlloc(
        ir, mlirMemRefTypeContiguousGet(i32, 1, &one, mlirAttributeGetNull()));
    setPass(path, true);
  }
  for (int pass = 0; done && pass < path->nPasses; ++pass) {
    done = emitPass(path, pass);
    bool isSecond = (path->nPasses - pass) % 2;
    if (!mlirValueIsNull(path->pass) && isSecond && pass + 1 < path->nPasses)
      setPass(path, false);
  }
  return done;
}

bool xlaSortByMergePath(XlaSort *sort) {
  XlaSortPath path = {.sort = sort, .size = sort->shape.dims[sort->dimension]};
  int64_t count = 0;
  xlaShapeGetElementCount(&sort->shape, &count);
  while (INT64_C(1) << (path.nPasses + logRun) < path.size)
    ++path.nPasses;
  path.logPart = count < busyElements ? minLogPart : maxLogPart;
  for (intptr_t i = 0; path.nPasses && i < sort->n; ++i)
    sort->spare[i] =
        xlaLinalgAlloc(&sort->kernel->ir, mlirValueGetType(sort->results[i]));
  return sortRuns(&path, path.nPasses % 2 ? sort->spare : sort->results) &&
         emitPasses(&path);
}

//===- tiles_measure.c - Where windows reach ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the indexing maps that lead from an element of the results, and then of
// each value that is kept, to those that it needs.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps_internal.h"
#include "xlac/lowering/linalg/windows_internal.h"
#include "xlac/passes/fuse/windows.h"

#include <stdlib.h>

/// A value with more ways to it is computed wherever it is read.
enum { maxMaps = 256 };

/// The way from one value that is computed as a whole to what it needs.
typedef struct Walk {
  XlaWindows *w;
  XlaTileWindow *windows;
  intptr_t *numbers;     ///< of each operation's value among the kernel's rows
  XlaIndexingMaps *maps; ///< to each operation's value
  bool *isUnknown;       ///< no map says where it is needed
  bool *isFar;           ///< of the kernel's rows: they cannot be kept
  int *ways;             ///< to each, from what needs it
  bool failed;           ///< memory ran out
} Walk;

/// Along dimension `d`: result - dimension of a map that is linear, over its
/// domain. False if it is not known, or depends on much.
static bool offsetsOf(const XlaIndexingMapParts *parts, int d,
                      XlaInterval *offsets) {
  MlirAffineExpr from = xlaExprAdd(
      mlirAffineMapGetResult(parts->map, d),
      xlaExprScale(mlirAffineDimExprGet(mlirAffineMapGetContext(parts->map), d),
                   -1));
  XlaRules rules = {.context = mlirAffineMapGetContext(parts->map),
                    .dims = parts->dims};
  from = xlaRulesSimplify(&rules, from);
  *offsets = xlaExprRange(&rules, from);
  bool isKnown =
      !rules.failed && offsets->lower > INT32_MIN && offsets->upper < INT32_MAX;
  xlaRulesFree(&rules);
  return isKnown;
}

/// Whether along dimension `d` the array is one with its ends side by side: for
/// what it is needed for, or by a shift that is shorter around them.
static bool wrap(const XlaShape *shape, int64_t size, int d, bool isForWrapped,
                 XlaInterval *offsets, bool *wraps) {
  bool isPoint = xlaIntervalIsPoint(*offsets) && shape->dims[d] == size;
  int64_t shorter = isPoint ? xlaWindowWrap(offsets->lower, size) : 0;
  if (isPoint && shorter != offsets->lower) {
    *offsets = xlaIntervalPoint(shorter);
    *wraps = true;
  }
  *wraps |= isForWrapped;
  return !*wraps || shape->dims[d] == size;
}

/// Notes that value `i` is needed as `map` says, from elements of an array of
/// shape `reader` that are at `from` from the results' on.
static bool note(Walk *walk, intptr_t i, const XlaIndexingMap *map,
                 const XlaShape *reader, const XlaTileWindow *from) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  XlaTileWindow *window = &walk->windows[i];
  XlaShape shape = xlaWindowsKept(walk->w, i).shape;
  if (parts->nRanges || parts->nRuntimes || xlaIndexingMapHasExtrema(map) ||
      parts->nDims != mlirAffineMapGetNumResults(parts->map))
    return false;
  for (int d = 0; d < parts->nDims; ++d) {
    XlaInterval offsets;
    if (!offsetsOf(parts, d, &offsets) ||
        !wrap(&shape, reader->dims[d], d, from->wraps[d], &offsets,
              &window->wraps[d]))
      return false;
    offsets.lower += from->lower[d];
    offsets.upper += from->upper[d];
    if (!window->isRead || offsets.lower < window->lower[d])
      window->lower[d] = offsets.lower;
    if (!window->isRead || offsets.upper > window->upper[d])
      window->upper[d] = offsets.upper;
  }
  window->isRead = true;
  ++walk->ways[i];
  return true;
}

/// From the maps to an operation's value to those of an operand.
static void spreadTo(Walk *walk, intptr_t from, intptr_t operand) {
  const XlaKernelSteps *steps = walk->w->steps;
  MlirOperation op = steps->ops[from];
  intptr_t to =
      xlaKernelStepsOpIndex(steps, mlirOperationGetOperand(op, operand));
  XlaIndexingMaps reads = {0};
  if (to < 0)
    return;
  XlaOpMaps known = xlaOpGetOperandMaps(op, 0, operand, &reads);
  walk->failed |= known == XlaOpMapsNoMemory;
  walk->isUnknown[to] |= walk->isUnknown[from] || known != XlaOpMapsKnown;
  for (intptr_t i = 0; i < walk->maps[from].n; ++i)
    for (intptr_t k = 0; k < reads.n && !walk->isUnknown[to] && !walk->failed;
         ++k) {
      XlaIndexingMap *both =
          xlaIndexingMapCompose(walk->maps[from].maps[i], reads.maps[k]);
      XlaIndexingMap *map =
          both ? xlaIndexingMapSimplify(both, XlaIndexingPointsKeep) : NULL;
      xlaIndexingMapRelease(both);
      if (map && xlaIndexingMapIsKnownEmpty(map))
        xlaIndexingMapRelease(map);
      else
        walk->failed |= !map || !xlaIndexingMapsAdd(&walk->maps[to], map);
      walk->isUnknown[to] |= walk->maps[to].n > maxMaps;
    }
  xlaIndexingMapsFree(&reads);
}

static void forget(Walk *walk) {
  for (intptr_t i = 0; i < walk->w->steps->nOps; ++i) {
    xlaIndexingMapsFree(&walk->maps[i]);
    walk->maps[i] = (XlaIndexingMaps){0};
    walk->isUnknown[i] = false;
  }
}

/// Begins at `value`, which an operation of the fusion computes.
static void start(Walk *walk, MlirValue value) {
  intptr_t i = xlaKernelStepsOpIndex(walk->w->steps, value);
  XlaIndexingMap *identity = NULL;
  if (i < 0)
    return;
  XlaOpMaps known = xlaValueGetIdentity(value, &identity);
  walk->failed |= known == XlaOpMapsNoMemory ||
                  (identity && !xlaIndexingMapsAdd(&walk->maps[i], identity));
  walk->isUnknown[i] |= known == XlaOpMapsUnknown;
}

/// Goes to all that `part`, which is at `from` itself, needs.
static void follow(Walk *walk, const XlaWindowsPart *part, intptr_t self,
                   const XlaTileWindow *from) {
  const XlaKernelSteps *steps = walk->w->steps;
  for (intptr_t i = 0; i < part->n; ++i)
    start(walk, part->values[i]);
  for (intptr_t i = steps->nOps; i-- > 0 && !walk->failed;) {
    intptr_t row = walk->numbers[i];
    if (!walk->maps[i].n && !walk->isUnknown[i])
      continue;
    if (row < 0 || row == self || !walk->w->keeps[row]) {
      for (intptr_t k = 0; k < mlirOperationGetNumOperands(steps->ops[i]); ++k)
        spreadTo(walk, i, k);
      continue;
    }
    walk->isFar[row] |= walk->isUnknown[i];
    for (intptr_t k = 0; k < walk->maps[i].n && !walk->isFar[row]; ++k)
      walk->isFar[row] =
          !note(walk, row, walk->maps[i].maps[k], &part->shape, from);
  }
  forget(walk);
}

/// One look at all; whether some value turned out not to be kept.
static bool measureOnce(Walk *walk) {
  XlaWindows *w = walk->w;
  const XlaKernel *kernel = w->steps->kernel;
  XlaWindowsPart results = xlaWindowsResults(w);
  XlaTileWindow none = {.isRead = true};
  bool again = false;
  for (intptr_t i = 0; i < kernel->nRows; ++i) {
    walk->windows[i] = (XlaTileWindow){.isRead = false};
    walk->ways[i] = 0;
    walk->isFar[i] = false;
  }
  follow(walk, &results, -1, &none);
  for (intptr_t i = kernel->nRows; i-- > 0 && !walk->failed;) {
    XlaWindowsPart part = xlaWindowsKept(w, i);
    bool wasKept = w->keeps[i];
    w->keeps[i] &= !walk->isFar[i] && part.shape.rank == results.shape.rank &&
                   walk->ways[i] > 1;
    again |= wasKept && !w->keeps[i];
    if (w->keeps[i])
      follow(walk, &part, i, &walk->windows[i]);
  }
  return again;
}

/// Operations with regions may read anything.
static bool hasRegions(const XlaKernelSteps *steps) {
  for (intptr_t i = 0; i < steps->nOps; ++i)
    if (mlirOperationGetNumRegions(steps->ops[i]))
      return true;
  return false;
}

MlirLogicalResult xlaWindowsMeasureTiles(XlaWindows *w,
                                         XlaTileWindow *windows) {
  const XlaKernel *kernel = w->steps->kernel;
  size_t n = (size_t)w->steps->nOps + 1, m = (size_t)kernel->nRows + 1;
  Walk walk = {.w = w,
               .windows = windows,
               .numbers = calloc(n, sizeof *walk.numbers),
               .maps = calloc(n, sizeof *walk.maps),
               .isUnknown = calloc(n, sizeof *walk.isUnknown),
               .isFar = calloc(m, sizeof *walk.isFar),
               .ways = calloc(m, sizeof *walk.ways)};
  walk.failed = !walk.numbers || !walk.maps || !walk.isUnknown || !walk.isFar ||
                !walk.ways;
  for (intptr_t i = 0; i < w->steps->nOps && !walk.failed; ++i)
    walk.numbers[i] = -1;
  for (intptr_t i = 0; i < kernel->nRows && !walk.failed; ++i) {
    walk.numbers[xlaKernelStepsOpIndex(w->steps, kernel->rows[i].value)] = i;
    w->keeps[i] = !hasRegions(w->steps);
  }
  while (!walk.failed && measureOnce(&walk))
    continue;
  free(walk.numbers);
  free(walk.maps);
  free(walk.isUnknown);
  free(walk.isFar);
  free(walk.ways);
  return walk.failed ? xlaKernelNoMemory(kernel) : mlirLogicalResultSuccess();
}

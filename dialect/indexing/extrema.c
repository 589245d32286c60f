//===- extrema.c - Least and greatest values in indexing maps -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/extrema.h"
#include "xlac/dialect/indexing/names.h"

#include <stdlib.h>
#include <string.h>

bool xlaIndexingMapHasExtrema(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  for (intptr_t i = 0; i < parts->nRuntimes; ++i)
    if (parts->runtimes[i].extremum)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether the operands from the second on are joined by min, and the first
/// with them; all by one of them: both.
static bool isInnerMin(XlaExtremum kind) {
  return kind == XlaExtremumMin || kind == XlaExtremumMaxOfMin;
}

static bool isOuterMin(XlaExtremum kind) {
  return kind == XlaExtremumMin || kind == XlaExtremumMinOfMax;
}

static int64_t choose(bool isMin, int64_t a, int64_t b) {
  return (a < b) == isMin ? a : b;
}

static XlaInterval chooseRange(bool isMin, XlaInterval a, XlaInterval b) {
  return (XlaInterval){choose(isMin, a.lower, b.lower),
                       choose(isMin, a.upper, b.upper)};
}

XlaInterval xlaExtremumRange(XlaRules *rules, XlaExtremum kind, intptr_t n,
                             const MlirAffineExpr *operands) {
  XlaInterval all = xlaExprRange(rules, operands[n - 1]);
  for (intptr_t i = n - 2; i >= 0; --i)
    all = chooseRange(i ? isInnerMin(kind) : isOuterMin(kind),
                      xlaExprRange(rules, operands[i]), all);
  return all;
}

bool xlaExtremumEvaluate(const XlaRuntimeVariable *extremum,
                         const int64_t *dims, const int64_t *ranges,
                         int64_t *value) {
  XlaExtremum kind = extremum->extremum;
  intptr_t n = mlirAffineMapGetNumResults(extremum->map);
  for (intptr_t i = n - 1; i >= 0; --i) {
    int64_t one;
    if (!xlaExprEvaluate(mlirAffineMapGetResult(extremum->map, i), dims, ranges,
                         &one))
      return false;
    *value = i == n - 1
                 ? one
                 : choose(i ? isInnerMin(kind) : isOuterMin(kind), one, *value);
  }
  return true;
}

bool xlaIndexingMapFindExtrema(const XlaIndexingMap *map, const int64_t *dims,
                               int64_t *symbols) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  for (intptr_t i = 0; i < parts->nRuntimes; ++i)
    if (parts->runtimes[i].extremum &&
        !xlaExtremumEvaluate(&parts->runtimes[i], dims, symbols,
                             &symbols[parts->nRanges + i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// An extremum while it gets simpler.
typedef struct Draft {
  XlaExtremum kind;
  intptr_t n;
  MlirAffineExpr operands[XLA_MAX_EXTREMUM_OPERANDS];
} Draft;

/// Where a - b lies.
static XlaInterval difference(XlaRules *rules, MlirAffineExpr a,
                              MlirAffineExpr b) {
  return xlaExprRange(
      rules, xlaRulesSimplify(rules, xlaExprAdd(a, xlaExprScale(b, -1))));
}

/// Whether `a` never comes after `b` in the order of min, or of max.
static bool isAhead(XlaRules *rules, bool isMin, MlirAffineExpr a,
                    MlirAffineExpr b) {
  XlaInterval range = difference(rules, a, b);
  return isMin ? range.upper <= 0 : range.lower >= 0;
}

/// Leaves out operands from `first` on that another one is always ahead of.
static void dropOperands(XlaRules *rules, Draft *d, intptr_t first,
                         bool isMin) {
  for (intptr_t i = first; i < d->n; ++i) {
    bool isDropped = false;
    for (intptr_t k = first; k < d->n && !isDropped; ++k)
      isDropped =
          k != i && isAhead(rules, isMin, d->operands[k], d->operands[i]);
    if (!isDropped)
      continue;
    memmove(&d->operands[i], &d->operands[i + 1],
            (size_t)(d->n - i - 1) * sizeof *d->operands);
    --d->n;
    --i;
  }
}

/// In an order that depends on nothing but the forms.
static void sortOperands(Draft *d, intptr_t first) {
  for (intptr_t i = first + 1; i < d->n; ++i)
    for (intptr_t k = i;
         k > first && xlaExprCompare(d->operands[k - 1], d->operands[k]) > 0;
         --k) {
      MlirAffineExpr other = d->operands[k];
      d->operands[k] = d->operands[k - 1];
      d->operands[k - 1] = other;
    }
}

/// max(a, min(b, c, ..)), or the other way round.
static void reduceNested(XlaRules *rules, Draft *d) {
  bool isMin = isInnerMin(d->kind);
  bool isFirst = false, isRest = true;
  dropOperands(rules, d, 1, isMin);
  // a is at one end of all that the others may be, or of one of them.
  for (intptr_t i = 1; i < d->n; ++i) {
    isFirst |= isAhead(rules, !isMin, d->operands[0], d->operands[i]);
    isRest &= isAhead(rules, isMin, d->operands[0], d->operands[i]);
  }
  if (isFirst) {
    d->n = 1;
  } else if (isRest || d->n == 2) {
    d->kind = isRest == isMin ? XlaExtremumMin : XlaExtremumMax;
    if (isRest)
      memmove(d->operands, d->operands + 1,
              (size_t)(--d->n) * sizeof *d->operands);
  } else {
    sortOperands(d, 1);
  }
}

static void reduce(XlaRules *rules, Draft *d) {
  for (intptr_t i = 0; i < d->n; ++i)
    d->operands[i] = xlaRulesSimplify(rules, d->operands[i]);
  if (d->kind == XlaExtremumMaxOfMin || d->kind == XlaExtremumMinOfMax)
    reduceNested(rules, d);
  if (d->kind == XlaExtremumMin || d->kind == XlaExtremumMax) {
    dropOperands(rules, d, 0, d->kind == XlaExtremumMin);
    sortOperands(d, 0);
  }
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

typedef struct Reducer {
  const XlaIndexingMapParts *from;
  XlaRules rules;
  XlaInterval *bounds;
  bool *isUsed;            ///< symbols
  MlirAffineExpr *symbols; ///< what symbols become
  MlirIdentifier *names;
  XlaRuntimeVariable *runtimes; ///< those that stay
  intptr_t nRuntimes, nConstraints;
  XlaIndexingConstraint *constraints;
} Reducer;

static void markUsed(Reducer *r) {
  const XlaIndexingMapParts *from = r->from;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(from->map); ++i)
    xlaExprMarkUsed(mlirAffineMapGetResult(from->map, i), NULL, r->isUsed);
  for (intptr_t i = 0; i < from->nConstraints; ++i)
    xlaExprMarkUsed(from->constraints[i].expr, NULL, r->isUsed);
}

/// `runtime` stays, as one that is there already if that is the same.
static void keep(Reducer *r, intptr_t symbol,
                 const XlaRuntimeVariable *runtime) {
  intptr_t same = 0;
  while (same < r->nRuntimes &&
         !(runtime->extremum &&
           r->runtimes[same].extremum == runtime->extremum &&
           r->runtimes[same].map.ptr == runtime->map.ptr))
    ++same;
  if (same < r->nRuntimes)
    r->runtimes[same].bounds =
        xlaIntervalIntersect(r->runtimes[same].bounds, runtime->bounds);
  else
    r->runtimes[r->nRuntimes++] = *runtime;
  r->symbols[symbol] =
      mlirAffineSymbolExprGet(r->rules.context, r->from->nRanges + same);
}

static void reduceVariable(Reducer *r, intptr_t i) {
  const XlaIndexingMapParts *from = r->from;
  XlaRuntimeVariable runtime = from->runtimes[i];
  intptr_t symbol = from->nRanges + i;
  Draft draft = {.kind = runtime.extremum};
  if (!runtime.extremum) {
    keep(r, symbol, &runtime);
    return;
  }
  for (; draft.n < mlirAffineMapGetNumResults(runtime.map); ++draft.n)
    draft.operands[draft.n] = mlirAffineMapGetResult(runtime.map, draft.n);
  reduce(&r->rules, &draft);
  XlaInterval range =
      xlaExtremumRange(&r->rules, draft.kind, draft.n, draft.operands);
  bool isFree = xlaIntervalContains(runtime.bounds, range);
  r->symbols[symbol] = draft.operands[0];
  if (isFree && !r->isUsed[symbol])
    return;
  if (draft.n == 1) {
    if (!isFree)
      r->constraints[r->nConstraints++] =
          (XlaIndexingConstraint){draft.operands[0], runtime.bounds};
    return;
  }
  runtime.extremum = draft.kind;
  runtime.bounds = xlaIntervalIntersect(runtime.bounds, range);
  runtime.map = mlirAffineMapGet(r->rules.context, from->nDims, from->nRanges,
                                 draft.n, draft.operands);
  keep(r, symbol, &runtime);
}

static XlaIndexingMap *rebuild(Reducer *r) {
  XlaIndexingMapParts parts = *r->from;
  parts.nRuntimes = r->nRuntimes;
  parts.runtimes = r->runtimes;
  parts.map = xlaAffineMapReplace(parts.map, NULL, r->symbols, parts.nDims,
                                  parts.nRanges + parts.nRuntimes);
  for (intptr_t i = 0; i < r->from->nConstraints; ++i)
    r->constraints[r->nConstraints++] = (XlaIndexingConstraint){
        xlaExprReplace(r->from->constraints[i].expr, NULL, r->symbols),
        r->from->constraints[i].bounds};
  parts.nConstraints = r->nConstraints;
  parts.constraints = r->constraints;
  for (intptr_t i = 0; i < parts.nDims && r->from->names; ++i)
    r->names[i] = r->from->names[i];
  for (intptr_t i = parts.nRanges + r->from->nRuntimes - 1; i >= 0; --i)
    if (!mlirAffineExprIsADim(r->symbols[i]))
      xlaNameMove(r->from, parts.nDims + i, r->symbols[i], parts.nDims,
                  r->names);
  parts.names = r->from->names ? r->names : NULL;
  return mlirAffineMapIsNull(parts.map) ? NULL : xlaIndexingMapCreate(&parts);
}

XlaIndexingMap *xlaIndexingMapReduceExtrema(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *from = xlaIndexingMapGetParts(map);
  if (xlaIndexingMapIsKnownEmpty(map))
    return xlaIndexingMapRetain(map);
  size_t nSymbols = (size_t)(from->nRanges + from->nRuntimes);
  size_t n = (size_t)from->nDims + nSymbols;
  Reducer r = {.from = from,
               .bounds = calloc(n + 1, sizeof *r.bounds),
               .isUsed = calloc(nSymbols + 1, sizeof *r.isUsed),
               .symbols = calloc(nSymbols + 1, sizeof *r.symbols),
               .names = calloc(n + 1, sizeof *r.names),
               .runtimes = calloc(nSymbols + 1, sizeof *r.runtimes),
               .constraints = calloc((size_t)from->nConstraints + nSymbols + 1,
                                     sizeof *r.constraints)};
  XlaIndexingMap *result = NULL;
  if (r.bounds && r.isUsed && r.symbols && r.names && r.runtimes &&
      r.constraints) {
    xlaIndexingMapCopyBounds(from, r.bounds);
    r.rules = (XlaRules){.context = mlirAffineMapGetContext(from->map),
                         .dims = r.bounds,
                         .symbols = r.bounds + from->nDims};
    for (intptr_t i = 0; i < from->nConstraints; ++i)
      xlaRulesBound(&r.rules, from->constraints[i].expr,
                    from->constraints[i].bounds);
    markUsed(&r);
    for (intptr_t i = 0; i < from->nRanges; ++i)
      r.symbols[i] = mlirAffineSymbolExprGet(r.rules.context, i);
    for (intptr_t i = 0; i < from->nRuntimes; ++i)
      reduceVariable(&r, i);
    result = rebuild(&r);
    xlaRulesFree(&r.rules);
  }
  free(r.bounds);
  free(r.isUsed);
  free(r.symbols);
  free(r.names);
  free(r.runtimes);
  free(r.constraints);
  return result;
}

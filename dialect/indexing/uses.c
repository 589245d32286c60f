//===- uses.c - What indexing maps tell of reads --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/uses.h"
#include "xlac/dialect/indexing/linear.h"

#include <stdlib.h>
#include <string.h>

/// Rules with the bounds of a map; free `bounds` and the rules.
static bool beginRules(const XlaIndexingMapParts *parts, XlaRules *rules,
                       XlaInterval **bounds) {
  intptr_t n = parts->nDims + parts->nRanges + parts->nRuntimes;
  *bounds = calloc((size_t)n + 1, sizeof **bounds);
  if (!*bounds)
    return false;
  xlaIndexingMapCopyBounds(parts, *bounds);
  *rules = (XlaRules){.context = mlirAffineMapGetContext(parts->map),
                      .dims = *bounds,
                      .symbols = *bounds + parts->nDims,
                      .keepPoints = true};
  return true;
}

/// The number of a plain variable, -1 of anything else.
static intptr_t variableOf(const XlaIndexingMapParts *parts,
                           MlirAffineExpr monomial) {
  if (mlirAffineExprIsADim(monomial))
    return mlirAffineDimExprGetPosition(monomial);
  return mlirAffineExprIsASymbol(monomial)
             ? parts->nDims + mlirAffineSymbolExprGetPosition(monomial)
             : -1;
}

//===----------------------------------------------------------------------===//
// Coalescing
//===----------------------------------------------------------------------===//

/// The position in row-major order of what is read.
static bool findPosition(const XlaIndexingMapParts *parts, const int64_t *sizes,
                         XlaRules *rules, XlaLinear *sum) {
  int64_t stride = 1;
  MlirAffineExpr position = mlirAffineConstantExprGet(rules->context, 0);
  for (intptr_t i = mlirAffineMapGetNumResults(parts->map) - 1; i >= 0; --i) {
    MlirAffineExpr result = mlirAffineMapGetResult(parts->map, i);
    position = mlirAffineAddExprGet(
        position, mlirAffineMulExprGet(result, mlirAffineConstantExprGet(
                                                   rules->context, stride)));
    if (__builtin_mul_overflow(stride, sizes[i] > 0 ? sizes[i] : 1, &stride))
      return false;
  }
  return xlaRulesSimplifyToSum(rules, position, sum);
}

bool xlaIndexingMapGetStride(const XlaIndexingMap *map, const int64_t *sizes,
                             intptr_t variable, int64_t *stride) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  intptr_t n = parts->nDims + parts->nRanges + parts->nRuntimes;
  XlaRules rules = {0};
  XlaInterval *bounds = NULL;
  XlaLinear sum;
  bool *used = calloc((size_t)n + 1, sizeof *used);
  bool isKnown = used && !xlaIndexingMapHasExtrema(map) &&
                 beginRules(parts, &rules, &bounds) &&
                 findPosition(parts, sizes, &rules, &sum);
  *stride = 0;
  for (int i = 0; isKnown && i < sum.n; ++i) {
    if (variableOf(parts, sum.terms[i].monomial) == variable) {
      *stride = sum.terms[i].factor;
      continue;
    }
    memset(used, 0, (size_t)n * sizeof *used);
    xlaExprMarkUsed(sum.terms[i].monomial, used, used + parts->nDims);
    isKnown = variableOf(parts, sum.terms[i].monomial) >= 0 || !used[variable];
  }
  xlaRulesFree(&rules);
  free(bounds);
  free(used);
  return isKnown;
}

//===----------------------------------------------------------------------===//
// Utilization
//===----------------------------------------------------------------------===//

/// The number of points within the bounds; INT64_MAX if there are more.
static int64_t countPoints(const XlaInterval *bounds, intptr_t n) {
  int64_t count = 1;
  for (intptr_t i = 0; i < n; ++i) {
    int64_t size;
    if (xlaIntervalIsEmpty(bounds[i]))
      return 0;
    if (__builtin_sub_overflow(bounds[i].upper, bounds[i].lower, &size) ||
        size == INT64_MAX || __builtin_mul_overflow(count, size + 1, &count))
      return INT64_MAX;
  }
  return count;
}

/// Marks the element that `results` names; 1 if it is new.
static int mark(unsigned char *seen, const int64_t *sizes,
                const int64_t *results, intptr_t n) {
  int64_t at = 0;
  for (intptr_t i = 0; i < n; ++i) {
    if (results[i] < 0 || results[i] >= sizes[i])
      return 0;
    at = at * sizes[i] + results[i];
  }
  bool isNew = !(seen[at / 8] & 1u << at % 8);
  seen[at / 8] |= (unsigned char)(1u << at % 8);
  return isNew;
}

/// Counts through the bounds; false at the end.
static bool advance(const XlaInterval *bounds, intptr_t n, int64_t *point) {
  for (intptr_t i = n - 1; i >= 0; --i) {
    if (++point[i] <= bounds[i].upper)
      return true;
    point[i] = bounds[i].lower;
  }
  return false;
}

bool xlaIndexingMapCountReads(const XlaIndexingMap *map, const int64_t *sizes,
                              int64_t most, int64_t *count) {
  XlaIndexingMap *used = xlaIndexingMapSimplify(map, XlaIndexingPointsReplace);
  *count = 0;
  // Constraints of variables that nothing else reads may hold nowhere.
  if (used && xlaIndexingMapGetParts(used)->nConstraints == 0) {
    XlaIndexingMap *all = used;
    used = xlaIndexingMapRemoveUnused(all, true);
    xlaIndexingMapRelease(all);
  }
  if (!used || xlaIndexingMapIsKnownEmpty(used)) {
    bool isEmpty = used != NULL;
    xlaIndexingMapRelease(used);
    return isEmpty;
  }
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(used);
  intptr_t n = parts->nDims + parts->nRanges + parts->nRuntimes;
  intptr_t nResults = mlirAffineMapGetNumResults(parts->map);
  int64_t elements = 1;
  bool fits = true;
  for (intptr_t i = 0; i < nResults; ++i)
    fits = fits && !__builtin_mul_overflow(elements, sizes[i], &elements);
  XlaRules rules = {0};
  XlaInterval *bounds = NULL;
  fits = fits && beginRules(parts, &rules, &bounds) &&
         countPoints(bounds, n) <= most && elements / 8 <= most;
  unsigned char *seen = fits ? calloc((size_t)elements / 8 + 1, 1) : NULL;
  int64_t *point = calloc((size_t)n + 1, sizeof *point);
  int64_t *results = calloc((size_t)nResults + 1, sizeof *results);
  fits = seen && point && results;
  for (intptr_t i = 0; i < n && fits; ++i)
    point[i] = bounds[i].lower;
  if (fits && countPoints(bounds, n) > 0)
    do {
      const int64_t *symbols = point + parts->nDims;
      if (xlaIndexingMapIsDefinedAt(used, point, symbols) &&
          xlaIndexingMapEvaluate(used, point, symbols, results))
        *count += mark(seen, sizes, results, nResults);
    } while (advance(bounds, n, point));
  free(seen);
  free(point);
  free(results);
  free(bounds);
  xlaRulesFree(&rules);
  xlaIndexingMapRelease(used);
  return fits;
}

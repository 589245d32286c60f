//===- simplify_map.c - Indexing maps in canonical form -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds, constraints and expressions are simplified in turn, with what the
// others have become, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/simplify_map.h"
#include "xlac/dialect/indexing/extrema.h"

#include <stdlib.h>

/// Rounds after which bounds stay what they are: each may tighten one by a
/// little, as those of x mod 2 = 0 and x mod 3 = 1 do.
enum { maxRounds = 16 };

static bool start(XlaSimplifier *s, const XlaIndexingMapParts *parts) {
  intptr_t n = parts->nDims + parts->nRanges + parts->nRuntimes;
  intptr_t nResults = mlirAffineMapGetNumResults(parts->map);
  s->parts = *parts;
  s->bounds = calloc((size_t)n + 1, sizeof *s->bounds);
  s->results = calloc((size_t)nResults + 1, sizeof *s->results);
  s->constraints =
      calloc((size_t)parts->nConstraints + 1, sizeof *s->constraints);
  if (!s->bounds || !s->results || !s->constraints)
    return false;
  xlaIndexingMapCopyBounds(parts, s->bounds);
  for (intptr_t i = 0; i < n; ++i)
    s->isEmpty |= xlaIntervalIsEmpty(s->bounds[i]);
  for (intptr_t i = 0; i < nResults; ++i)
    s->results[i] = mlirAffineMapGetResult(parts->map, i);
  for (intptr_t i = 0; i < parts->nConstraints; ++i)
    s->constraints[i] = parts->constraints[i];
  return true;
}

XlaRules *xlaSimplifierBegin(XlaSimplifier *s, intptr_t except) {
  s->rules = (XlaRules){
      .context = mlirAffineMapGetContext(s->parts.map),
      .dims = s->bounds,
      .symbols = s->bounds + s->parts.nDims,
      .keepPoints = s->keepPoints,
  };
  for (intptr_t i = 0;
       i < s->parts.nConstraints && s->rules.nBounded < XLA_MAX_BOUNDED_SUMS;
       ++i)
    if (i != except)
      xlaRulesBound(&s->rules, s->constraints[i].expr,
                    s->constraints[i].bounds);
  return &s->rules;
}

static void simplifyResults(XlaSimplifier *s) {
  XlaRules *rules = xlaSimplifierBegin(s, -1);
  intptr_t n = mlirAffineMapGetNumResults(s->parts.map);
  for (intptr_t i = 0; i < n; ++i)
    s->results[i] = xlaRulesSimplify(rules, s->results[i]);
  xlaRulesFree(rules);
}

/// A map without points: the results are 0.
static XlaIndexingMap *createEmpty(XlaSimplifier *s) {
  intptr_t n = s->parts.nDims + s->parts.nRanges;
  for (intptr_t i = 0; i < n; ++i)
    s->bounds[i] = (XlaInterval){0, -1};
  intptr_t nResults = mlirAffineMapGetNumResults(s->parts.map);
  MlirContext context = mlirAffineMapGetContext(s->parts.map);
  for (intptr_t i = 0; i < nResults; ++i)
    s->results[i] = mlirAffineConstantExprGet(context, 0);
  XlaIndexingConstraint never = {mlirAffineConstantExprGet(context, 0), {1, 0}};
  XlaIndexingMapParts empty = s->parts, *parts = &empty;
  parts->nRuntimes = 0;
  parts->names = NULL;
  parts->map = mlirAffineMapGet(context, parts->nDims, parts->nRanges, nResults,
                                s->results);
  parts->nConstraints = 1;
  parts->constraints = &never;
  parts->dims = s->bounds;
  parts->ranges = s->bounds + parts->nDims;
  return xlaIndexingMapCreate(parts);
}

static XlaIndexingMap *finish(XlaSimplifier *s) {
  XlaIndexingMapParts *parts = &s->parts;
  XlaInterval *runtimeBounds = s->bounds + parts->nDims + parts->nRanges;
  XlaRuntimeVariable *runtimes =
      calloc((size_t)parts->nRuntimes + 1, sizeof *runtimes);
  if (!runtimes)
    return NULL;
  for (intptr_t i = 0; i < parts->nRuntimes; ++i) {
    runtimes[i] = parts->runtimes[i];
    runtimes[i].bounds = runtimeBounds[i];
  }
  parts->map =
      mlirAffineMapGet(mlirAffineMapGetContext(parts->map), parts->nDims,
                       parts->nRanges + parts->nRuntimes,
                       mlirAffineMapGetNumResults(parts->map), s->results);
  parts->dims = s->bounds;
  parts->ranges = s->bounds + parts->nDims;
  parts->runtimes = runtimes;
  parts->constraints = s->constraints;
  XlaIndexingMap *map = xlaIndexingMapCreate(parts);
  free(runtimes);
  return map;
}

/// Whether nothing changes any more. Variables are bounded by constraints of
/// several only if all of that comes to an end: that each of two is less than
/// the other takes as many rounds as they have values.
static bool simplify(XlaSimplifier *s, bool boundsVariables) {
  s->boundsVariables = boundsVariables;
  s->changed = true;
  for (int i = 0; i < maxRounds && s->changed && !s->isEmpty; ++i) {
    s->changed = false;
    xlaSimplifyConstraints(s);
  }
  return !s->changed || s->isEmpty;
}

static void clear(XlaSimplifier *s) {
  free(s->bounds);
  free(s->results);
  free(s->constraints);
}

static XlaIndexingMap *simplifyParts(const XlaIndexingMap *map,
                                     XlaIndexingPoints points) {
  XlaSimplifier s = {.keepPoints = points == XlaIndexingPointsKeep};
  XlaIndexingMap *result = NULL;
  bool ok = start(&s, xlaIndexingMapGetParts(map));
  if (ok && !simplify(&s, true)) {
    clear(&s);
    s = (XlaSimplifier){.keepPoints = points == XlaIndexingPointsKeep};
    ok = start(&s, xlaIndexingMapGetParts(map));
    if (ok)
      simplify(&s, false);
  }
  if (ok) {
    if (!s.isEmpty)
      simplifyResults(&s);
    result = s.isEmpty ? createEmpty(&s) : finish(&s);
  }
  clear(&s);
  return result;
}

XlaIndexingMap *xlaIndexingMapSimplify(const XlaIndexingMap *map,
                                       XlaIndexingPoints points) {
  XlaIndexingMap *simple = simplifyParts(map, points);
  bool changes = simple && xlaIndexingMapHasExtrema(simple);
  // An operand less may say more of the others.
  for (int i = 0; i < maxRounds && changes; ++i) {
    XlaIndexingMap *reduced = xlaIndexingMapReduceExtrema(simple);
    XlaIndexingMap *next = reduced ? simplifyParts(reduced, points) : NULL;
    changes = next && !xlaIndexingMapEqual(simple, next);
    xlaIndexingMapRelease(reduced);
    xlaIndexingMapRelease(simple);
    simple = next;
  }
  return simple;
}

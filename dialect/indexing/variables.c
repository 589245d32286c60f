//===- variables.c - Changing variables of indexing maps ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/variables.h"
#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/names.h"

#include <stdlib.h>
#include <string.h>

/// A map with other variables: what becomes of those of `from`, and the bounds
/// of the new ones.
typedef struct Change {
  const XlaIndexingMapParts *from;
  MlirContext context;
  MlirAffineExpr *exprs; ///< by the variables of `from`
  MlirIdentifier *names;
  intptr_t nDims, nRanges;
  bool keepsRuntimes;
  intptr_t replaced; ///< the variable that is another one's expression, or -1
  XlaInterval *dims, *ranges;
  XlaRuntimeVariable *runtimes;
  XlaIndexingConstraint *constraints;
  intptr_t nConstraints;
} Change;

static MlirAffineExpr dim(const Change *c, intptr_t i) {
  return mlirAffineDimExprGet(c->context, i);
}

static MlirAffineExpr symbol(const Change *c, intptr_t i) {
  return mlirAffineSymbolExprGet(c->context, i);
}

/// Room for as many variables as there are, of each kind, and a constraint for
/// each besides `more`. All are what they were.
static bool begin(Change *c, const XlaIndexingMap *map, intptr_t more) {
  const XlaIndexingMapParts *from = xlaIndexingMapGetParts(map);
  intptr_t n = from->nDims + from->nRanges + from->nRuntimes;
  *c = (Change){.from = from,
                .context = mlirAffineMapGetContext(from->map),
                .nDims = from->nDims,
                .nRanges = from->nRanges,
                .keepsRuntimes = true,
                .replaced = -1};
  c->exprs = calloc((size_t)n + 1, sizeof *c->exprs);
  c->names = calloc((size_t)n + 1, sizeof *c->names);
  c->dims = calloc((size_t)n + 1, sizeof *c->dims);
  c->ranges = calloc((size_t)n + 1, sizeof *c->ranges);
  c->runtimes = calloc((size_t)from->nRuntimes + 1, sizeof *c->runtimes);
  c->constraints = calloc((size_t)(from->nConstraints + more + n) + 1,
                          sizeof *c->constraints);
  if (!c->exprs || !c->names || !c->dims || !c->ranges || !c->runtimes ||
      !c->constraints)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    c->exprs[i] = i < from->nDims ? dim(c, i) : symbol(c, i - from->nDims);
  for (intptr_t i = 0; i < from->nDims; ++i)
    c->dims[i] = from->dims[i];
  for (intptr_t i = 0; i < from->nRanges; ++i)
    c->ranges[i] = from->ranges[i];
  for (intptr_t i = 0; i < from->nConstraints; ++i)
    c->constraints[c->nConstraints++] = from->constraints[i];
  return true;
}

static void constrain(Change *c, MlirAffineExpr expr, XlaInterval bounds) {
  c->constraints[c->nConstraints++] = (XlaIndexingConstraint){expr, bounds};
}

/// Where runtime variable `i` is read, in the new variables.
static void changeRuntime(Change *c, intptr_t i) {
  c->runtimes[i] = c->from->runtimes[i];
  if (!mlirAffineMapIsNull(c->runtimes[i].map))
    c->runtimes[i].map =
        xlaAffineMapReplace(c->runtimes[i].map, c->exprs,
                            c->exprs + c->from->nDims, c->nDims, c->nRanges);
}

static XlaIndexingMap *apply(Change *c) {
  const XlaIndexingMapParts *from = c->from;
  const MlirAffineExpr *symbols = c->exprs + from->nDims;
  intptr_t nRuntimes = c->keepsRuntimes ? from->nRuntimes : 0;
  for (intptr_t i = 0; i < nRuntimes; ++i) {
    c->exprs[from->nDims + from->nRanges + i] = symbol(c, c->nRanges + i);
    changeRuntime(c, i);
  }
  for (intptr_t i = 0; i < c->nConstraints; ++i)
    c->constraints[i].expr =
        xlaExprReplace(c->constraints[i].expr, c->exprs, symbols);
  intptr_t n = from->nDims + from->nRanges + from->nRuntimes;
  for (intptr_t v = 0; v < n; ++v)
    if (v != c->replaced)
      xlaNameMove(from, v, c->exprs[v], c->nDims, c->names);
  XlaIndexingMapParts parts = {
      .map = xlaAffineMapReplace(from->map, c->exprs, symbols, c->nDims,
                                 c->nRanges + nRuntimes),
      .nDims = c->nDims,
      .dims = c->dims,
      .nRanges = c->nRanges,
      .ranges = c->ranges,
      .nRuntimes = nRuntimes,
      .runtimes = c->runtimes,
      .nConstraints = c->nConstraints,
      .constraints = c->constraints,
      .names = from->names ? c->names : NULL};
  XlaIndexingMap *changed =
      mlirAffineMapIsNull(parts.map) ? NULL : xlaIndexingMapCreate(&parts);
  XlaIndexingMap *simple =
      changed ? xlaIndexingMapSimplify(changed, XlaIndexingPointsKeep) : NULL;
  xlaIndexingMapRelease(changed);
  return simple;
}

/// Frees what `begin` made. Gives `map` back.
static XlaIndexingMap *end(Change *c, XlaIndexingMap *map) {
  free(c->exprs);
  free(c->names);
  free(c->dims);
  free(c->ranges);
  free(c->runtimes);
  free(c->constraints);
  return map;
}

//===----------------------------------------------------------------------===//
// Rescaling
//===----------------------------------------------------------------------===//

/// Takes (s + c) mod n = r of a range variable that is not rescaled yet: its
/// values are first, first + n, ..
static void rescale(Change *c, const XlaIndexingConstraint *constraint,
                    XlaRules *rules) {
  MlirAffineExpr sum;
  int64_t n;
  XlaLinear linear = {0};
  if (!xlaIntervalIsPoint(constraint->bounds) ||
      !xlaExprIsBy(constraint->expr, XlaExprKindMod, &sum, &n) || n < 2)
    return;
  xlaLinearAddExpr(rules, &linear, sum, 1);
  if (rules->failed || linear.n != 1 || linear.terms[0].factor != 1 ||
      !mlirAffineExprIsASymbol(linear.terms[0].monomial))
    return;
  intptr_t i = mlirAffineSymbolExprGetPosition(linear.terms[0].monomial);
  if (i >= c->nRanges ||
      c->exprs[c->from->nDims + i].ptr != linear.terms[0].monomial.ptr)
    return;
  XlaInterval *bounds = &c->ranges[i];
  if (bounds->lower <= INT64_MIN / 2 || bounds->upper >= INT64_MAX / 2)
    return;
  int64_t rest = xlaFloorMod(xlaFloorMod(constraint->bounds.lower, n) -
                                 xlaFloorMod(linear.constant, n),
                             n);
  int64_t first =
      bounds->lower + xlaFloorMod(rest - xlaFloorMod(bounds->lower, n), n);
  *bounds = (XlaInterval){0, xlaFloorDiv(bounds->upper - first, n)};
  c->exprs[c->from->nDims + i] =
      xlaExprShift(xlaExprScale(symbol(c, i), n), first);
}

XlaIndexingMap *xlaIndexingMapRescale(const XlaIndexingMap *map) {
  XlaIndexingMap *simple = xlaIndexingMapSimplify(map, XlaIndexingPointsKeep);
  Change c;
  if (!simple || xlaIndexingMapIsKnownEmpty(simple))
    return simple;
  XlaIndexingMap *result = NULL;
  if (begin(&c, simple, 0)) {
    XlaRules rules = {.context = c.context, .dims = c.dims, .keepPoints = true};
    for (intptr_t i = 0; i < c.from->nConstraints && !rules.failed; ++i)
      rescale(&c, &c.from->constraints[i], &rules);
    xlaRulesFree(&rules);
    result = apply(&c);
  }
  result = end(&c, result);
  xlaIndexingMapRelease(simple);
  return result;
}

//===----------------------------------------------------------------------===//
// Kinds and order
//===----------------------------------------------------------------------===//

/// Whether `n` numbers below `most` are there once each; marks them.
static bool mark(intptr_t n, const intptr_t *numbers, intptr_t most,
                 bool *isThere) {
  bool ok = true;
  for (intptr_t i = 0; i < n && ok; ++i) {
    ok = numbers[i] >= 0 && numbers[i] < most && !isThere[numbers[i]];
    if (ok)
      isThere[numbers[i]] = true;
  }
  return ok;
}

static void rangesToDims(Change *c, intptr_t n, const intptr_t *ranges,
                         const bool *isMoved) {
  const XlaIndexingMapParts *from = c->from;
  for (intptr_t i = 0; i < n; ++i) {
    c->dims[c->nDims] = from->ranges[ranges[i]];
    c->exprs[from->nDims + ranges[i]] = dim(c, c->nDims++);
  }
  c->nRanges = 0;
  for (intptr_t i = 0; i < from->nRanges; ++i)
    if (!isMoved[i]) {
      c->ranges[c->nRanges] = from->ranges[i];
      c->exprs[from->nDims + i] = symbol(c, c->nRanges++);
    }
}

XlaIndexingMap *xlaIndexingMapRangesToDims(const XlaIndexingMap *map,
                                           intptr_t n, const intptr_t *ranges) {
  Change c;
  intptr_t nRanges = xlaIndexingMapGetParts(map)->nRanges;
  bool *isMoved = calloc((size_t)nRanges + 1, sizeof *isMoved);
  XlaIndexingMap *result = NULL;
  if (begin(&c, map, 0) && isMoved && mark(n, ranges, nRanges, isMoved)) {
    rangesToDims(&c, n, ranges, isMoved);
    result = apply(&c);
  }
  free(isMoved);
  return end(&c, result);
}

XlaIndexingMap *xlaIndexingMapSymbolsToDims(const XlaIndexingMap *map) {
  Change c;
  XlaIndexingMap *result = NULL;
  if (xlaIndexingMapHasExtrema(map))
    return NULL;
  if (begin(&c, map, 0)) {
    const XlaIndexingMapParts *from = c.from;
    for (intptr_t i = 0; i < from->nRanges + from->nRuntimes; ++i) {
      c.dims[c.nDims] = i < from->nRanges
                            ? from->ranges[i]
                            : from->runtimes[i - from->nRanges].bounds;
      c.exprs[from->nDims + i] = dim(&c, c.nDims++);
    }
    c.nRanges = 0;
    c.keepsRuntimes = false;
    result = apply(&c);
  }
  return end(&c, result);
}

XlaIndexingMap *xlaIndexingMapReorder(const XlaIndexingMap *map,
                                      const intptr_t *dims,
                                      const intptr_t *ranges) {
  Change c;
  const XlaIndexingMapParts *from = xlaIndexingMapGetParts(map);
  bool *isThere =
      calloc((size_t)(from->nDims + from->nRanges) + 1, sizeof *isThere);
  XlaIndexingMap *result = NULL;
  if (begin(&c, map, 0) && isThere &&
      (!dims || mark(from->nDims, dims, from->nDims, isThere)) &&
      (!ranges ||
       mark(from->nRanges, ranges, from->nRanges, isThere + from->nDims))) {
    for (intptr_t i = 0; dims && i < from->nDims; ++i) {
      c.dims[i] = from->dims[dims[i]];
      c.exprs[dims[i]] = dim(&c, i);
    }
    for (intptr_t i = 0; ranges && i < from->nRanges; ++i) {
      c.ranges[i] = from->ranges[ranges[i]];
      c.exprs[from->nDims + ranges[i]] = symbol(&c, i);
    }
    result = apply(&c);
  }
  free(isThere);
  return end(&c, result);
}

//===----------------------------------------------------------------------===//
// One variable
//===----------------------------------------------------------------------===//

/// Whether `expr` reads dimensions and range variables of the map alone,
/// without `variable`.
static bool isOfOthers(const XlaIndexingMapParts *from, intptr_t variable,
                       MlirAffineExpr expr) {
  XlaExprKind kind = xlaExprGetKind(expr);
  if (kind == XlaExprKindConstant)
    return true;
  if (kind == XlaExprKindDim) {
    intptr_t i = mlirAffineDimExprGetPosition(expr);
    return i < from->nDims && i != variable;
  }
  if (kind == XlaExprKindSymbol) {
    intptr_t i = mlirAffineSymbolExprGetPosition(expr);
    return i < from->nRanges && from->nDims + i != variable;
  }
  return isOfOthers(from, variable, mlirAffineBinaryOpExprGetLHS(expr)) &&
         isOfOthers(from, variable, mlirAffineBinaryOpExprGetRHS(expr));
}

/// Numbers the variables that stay, and puts `expr` in the place of the other.
static void replaceVariable(Change *c, intptr_t variable, MlirAffineExpr expr) {
  const XlaIndexingMapParts *from = c->from;
  c->nDims = c->nRanges = 0;
  for (intptr_t i = 0; i < from->nDims; ++i)
    if (i != variable) {
      c->dims[c->nDims] = from->dims[i];
      c->exprs[i] = dim(c, c->nDims++);
    }
  for (intptr_t i = 0; i < from->nRanges; ++i)
    if (from->nDims + i != variable) {
      c->ranges[c->nRanges] = from->ranges[i];
      c->exprs[from->nDims + i] = symbol(c, c->nRanges++);
    }
  c->exprs[variable] = xlaExprReplace(expr, c->exprs, c->exprs + from->nDims);
  c->replaced = variable;
}

XlaIndexingMap *xlaIndexingMapReplaceVariable(const XlaIndexingMap *map,
                                              intptr_t variable,
                                              MlirAffineExpr expr) {
  const XlaIndexingMapParts *from = xlaIndexingMapGetParts(map);
  Change c;
  XlaIndexingMap *result = NULL;
  if (begin(&c, map, 1) && variable >= 0 &&
      variable < from->nDims + from->nRanges &&
      isOfOthers(from, variable, expr)) {
    replaceVariable(&c, variable, expr);
    constrain(&c, expr,
              variable < from->nDims ? from->dims[variable]
                                     : from->ranges[variable - from->nDims]);
    result = apply(&c);
  }
  return end(&c, result);
}

//===----------------------------------------------------------------------===//
// Constraints and results
//===----------------------------------------------------------------------===//

XlaIndexingMap *
xlaIndexingMapConstrain(const XlaIndexingMap *map, intptr_t n,
                        const XlaIndexingConstraint *constraints) {
  Change c;
  XlaIndexingMap *result = NULL;
  if (begin(&c, map, n)) {
    for (intptr_t i = 0; i < n; ++i)
      constrain(&c, constraints[i].expr, constraints[i].bounds);
    result = apply(&c);
  }
  return end(&c, result);
}

XlaIndexingMap *xlaIndexingMapSelectResults(const XlaIndexingMap *map,
                                            intptr_t n,
                                            const intptr_t *results) {
  XlaIndexingMapParts parts = *xlaIndexingMapGetParts(map);
  MlirAffineExpr *exprs = calloc((size_t)n + 1, sizeof *exprs);
  bool ok = exprs != NULL;
  for (intptr_t i = 0; i < n && ok; ++i) {
    ok = results[i] >= 0 && results[i] < mlirAffineMapGetNumResults(parts.map);
    if (ok)
      exprs[i] = mlirAffineMapGetResult(parts.map, results[i]);
  }
  XlaIndexingMap *selected = NULL, *simple = NULL;
  if (ok) {
    parts.map =
        mlirAffineMapGet(mlirAffineMapGetContext(parts.map), parts.nDims,
                         parts.nRanges + parts.nRuntimes, n, exprs);
    selected = xlaIndexingMapCreate(&parts);
    simple = selected ? xlaIndexingMapSimplify(selected, XlaIndexingPointsKeep)
                      : NULL;
  }
  free(exprs);
  xlaIndexingMapRelease(selected);
  return simple;
}

bool xlaIndexingMapGetRange(const XlaIndexingMap *map, MlirAffineExpr expr,
                            const XlaInterval *bounds, XlaInterval *range) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  XlaInterval *own = NULL;
  if (!bounds) {
    intptr_t n = parts->nDims + parts->nRanges + parts->nRuntimes;
    own = calloc((size_t)n + 1, sizeof *own);
    if (!own)
      return false;
    xlaIndexingMapCopyBounds(parts, own);
    bounds = own;
  }
  XlaRules rules = {.context = mlirAffineMapGetContext(parts->map),
                    .dims = bounds,
                    .symbols = bounds + parts->nDims};
  for (intptr_t i = 0; i < parts->nConstraints; ++i)
    xlaRulesBound(&rules, parts->constraints[i].expr,
                  parts->constraints[i].bounds);
  *range = xlaExprRange(&rules, xlaRulesSimplify(&rules, expr));
  xlaRulesFree(&rules);
  free(own);
  return true;
}

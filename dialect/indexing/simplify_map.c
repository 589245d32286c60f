//===- simplify_map.c - Indexing maps in canonical form -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds, constraints and expressions are simplified in turn, with what the
// others have become, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"

#include <stdlib.h>
#include <string.h>

/// Rounds after which bounds stay what they are: each may tighten one by a
/// little, as those of x mod 2 = 0 and x mod 3 = 1 do.
enum { maxRounds = 16 };

/// The parts of a map, which change.
typedef struct Draft {
  XlaRules rules;
  XlaIndexingMapParts parts;
  XlaInterval *bounds; ///< of dimensions, range and runtime variables
  MlirAffineExpr *results;
  XlaIndexingConstraint *constraints;
  bool isEmpty, changed, keepPoints;
} Draft;

//===----------------------------------------------------------------------===//
// One constraint
//===----------------------------------------------------------------------===//

/// The bounds of a variable; NULL if `expr` is none.
static XlaInterval *boundsOf(Draft *draft, MlirAffineExpr expr) {
  if (mlirAffineExprIsADim(expr))
    return &draft->bounds[mlirAffineDimExprGetPosition(expr)];
  if (mlirAffineExprIsASymbol(expr))
    return &draft->bounds[draft->parts.nDims +
                          mlirAffineSymbolExprGetPosition(expr)];
  return NULL;
}

static int64_t lowerOver(int64_t lower, int64_t factor) {
  return lower == INT64_MIN ? lower : xlaCeilDiv(lower, factor);
}

static int64_t upperOver(int64_t upper, int64_t factor) {
  return upper == INT64_MAX ? upper : xlaFloorDiv(upper, factor);
}

/// g A + B in [l, u] where B in [0, g): A is in [l / g, (u + 1) / g - 1] if B
/// does not matter, that is, if l and u + 1 are multiples of g.
static bool dropLowPart(XlaRules *rules, XlaLinear *sum, XlaInterval *bounds) {
  if (bounds->lower == INT64_MIN || bounds->upper >= INT64_MAX - 1)
    return false;
  for (int i = 0; i < sum->n; ++i) {
    int64_t g = sum->terms[i].factor;
    if (g == INT64_MIN)
      continue;
    g = g < 0 ? -g : g;
    if (g == 1 || bounds->lower % g || (bounds->upper + 1) % g)
      continue;
    XlaLinear high = {0}, low = {0};
    for (int k = 0; k < sum->n; ++k) {
      bool isHigh = sum->terms[k].factor % g == 0;
      xlaLinearAddTerm(rules, isHigh ? &high : &low, sum->terms[k].monomial,
                       isHigh ? sum->terms[k].factor / g
                              : sum->terms[k].factor);
    }
    XlaInterval range = xlaLinearRange(rules, &low);
    if (range.lower < 0 || range.upper >= g)
      continue;
    *sum = high;
    *bounds = (XlaInterval){bounds->lower / g, (bounds->upper + 1) / g - 1};
    return true;
  }
  return false;
}

/// -bound; what stands for anything beyond does so on the other side.
static int64_t negateBound(int64_t bound) {
  return bound == INT64_MIN   ? INT64_MAX
         : bound == INT64_MAX ? INT64_MIN
                              : -bound;
}

/// Whether a factor has no opposite.
static bool hasLeastFactor(const XlaLinear *sum) {
  bool has = false;
  for (int i = 0; i < sum->n; ++i)
    has |= sum->terms[i].factor == INT64_MIN;
  return has;
}

/// Divides by what all factors have in common; the first becomes positive.
static bool divideByCommon(XlaLinear *sum, XlaInterval *bounds) {
  uint64_t common = 0;
  for (int i = 0; i < sum->n; ++i)
    common = xlaGcd((int64_t)common, sum->terms[i].factor);
  if (common > INT64_MAX || sum->n == 0)
    return false;
  int64_t g = (int64_t)common;
  bool flips = sum->terms[xlaLinearFirst(sum)].factor < 0;
  if (g == 1 && (!flips || hasLeastFactor(sum)))
    return false;
  *bounds =
      (XlaInterval){lowerOver(bounds->lower, g), upperOver(bounds->upper, g)};
  for (int i = 0; i < sum->n; ++i)
    sum->terms[i].factor /= flips ? -g : g;
  if (flips)
    *bounds =
        (XlaInterval){negateBound(bounds->upper), negateBound(bounds->lower)};
  return true;
}

/// x floordiv c in [l, u] is x in [c l, c u + c - 1].
static bool undoQuotient(XlaRules *rules, XlaLinear *sum, XlaInterval *bounds) {
  MlirAffineExpr x;
  int64_t c;
  XlaInterval wide;
  if (sum->n != 1 || sum->terms[0].factor != 1 ||
      !xlaExprIsBy(sum->terms[0].monomial, XlaExprKindFloorDiv, &x, &c))
    return false;
  wide.lower = wide.upper = 0;
  if (bounds->lower == INT64_MIN ||
      __builtin_mul_overflow(bounds->lower, c, &wide.lower))
    wide.lower = bounds->lower < 0 ? INT64_MIN : INT64_MAX;
  if (bounds->upper == INT64_MAX ||
      __builtin_mul_overflow(bounds->upper, c, &wide.upper) ||
      __builtin_add_overflow(wide.upper, c - 1, &wide.upper))
    wide.upper = bounds->upper < 0 ? INT64_MIN : INT64_MAX;
  *sum = (XlaLinear){0};
  xlaLinearAddExpr(rules, sum, x, 1);
  *bounds = wide;
  return true;
}

/// sum + constant in [l, u] is sum in [l - constant, u - constant].
static bool moveConstant(XlaLinear *sum, XlaInterval *bounds) {
  int64_t constant = sum->constant;
  if (constant == 0 || constant == INT64_MIN)
    return false;
  *bounds = xlaIntervalAdd(*bounds, xlaIntervalPoint(-constant));
  sum->constant = 0;
  return true;
}

/// Simplifies constraint `i`; what it says of one variable moves to its bounds.
/// False if nothing is left of it.
static bool simplifyConstraint(Draft *draft,
                               XlaIndexingConstraint *constraint) {
  XlaRules *rules = &draft->rules;
  XlaLinear sum;
  XlaInterval bounds = constraint->bounds;
  if (!xlaRulesSimplifyToSum(rules, constraint->expr, &sum)) {
    rules->failed = false;
    return true;
  }
  while (moveConstant(&sum, &bounds) || divideByCommon(&sum, &bounds) ||
         undoQuotient(rules, &sum, &bounds) ||
         dropLowPart(rules, &sum, &bounds))
    continue;
  MlirAffineExpr expr = xlaLinearToExpr(rules, &sum);
  if (rules->failed) {
    rules->failed = false;
    return true;
  }
  XlaInterval range = xlaLinearRange(rules, &sum);
  bounds = xlaIntervalIntersect(bounds, range);
  XlaInterval *variable = boundsOf(draft, expr);
  if (xlaIntervalIsEmpty(bounds))
    draft->isEmpty = true;
  if (variable && !xlaIntervalEqual(*variable, bounds)) {
    *variable = bounds;
    draft->changed = true;
  }
  bool holds = variable || xlaIntervalEqual(bounds, range);
  draft->changed |= holds || expr.ptr != constraint->expr.ptr ||
                    !xlaIntervalEqual(bounds, constraint->bounds);
  *constraint = (XlaIndexingConstraint){expr, bounds};
  return !holds;
}

//===----------------------------------------------------------------------===//
// Constraints together
//===----------------------------------------------------------------------===//

/// x mod `modulus` is `rest`.
typedef struct Congruence {
  MlirAffineExpr x;
  int64_t modulus, rest;
} Congruence;

static bool isCongruence(const XlaIndexingConstraint *constraint,
                         Congruence *c) {
  c->rest = constraint->bounds.lower;
  return xlaIntervalIsPoint(constraint->bounds) &&
         xlaExprIsBy(constraint->expr, XlaExprKindMod, &c->x, &c->modulus) &&
         c->rest >= 0 && c->rest < c->modulus;
}

/// Both of two congruences of one expression. 0: none can be found, -1: they
/// exclude each other, 1: `*both`.
static int joinCongruences(const Congruence *a, const Congruence *b,
                           Congruence *both) {
  int64_t g = (int64_t)xlaGcd(a->modulus, b->modulus), common;
  if (__builtin_mul_overflow(a->modulus, b->modulus / g, &common) ||
      common > 1 << 20)
    return 0;
  if (xlaFloorMod(a->rest - b->rest, g))
    return -1;
  *both = (Congruence){a->x, common, a->rest};
  while (both->rest % b->modulus != b->rest)
    both->rest += a->modulus;
  return 1;
}

/// Writes `b` with the expression of `a`, from which its own may differ by a
/// constant: (x + 1) mod 6 = 0 is x mod 6 = 5. False where it differs by more.
static bool moveCongruence(Draft *draft, const Congruence *a, Congruence *b) {
  XlaLinear difference = {0};
  if (a->x.ptr == b->x.ptr)
    return true;
  xlaLinearAddExpr(&draft->rules, &difference, a->x, 1);
  xlaLinearAddExpr(&draft->rules, &difference, b->x, -1);
  if (draft->rules.failed || difference.n)
    return false;
  int64_t by = xlaFloorMod(difference.constant, b->modulus);
  int64_t room = b->modulus - b->rest; // so that the sum does not overflow
  *b = (Congruence){a->x, b->modulus, by < room ? b->rest + by : by - room};
  return true;
}

/// Rounds the bounds of a variable to numbers that `c`, a congruence of it or
/// of its sum with a constant, allows.
static void tighten(Draft *draft, const Congruence *c) {
  XlaLinear sum = {0};
  xlaLinearAddExpr(&draft->rules, &sum, c->x, 1);
  if (draft->rules.failed || sum.n != 1 || sum.terms[0].factor != 1)
    return;
  XlaInterval *bounds = boundsOf(draft, sum.terms[0].monomial);
  if (!bounds || bounds->lower <= INT64_MIN / 2 ||
      bounds->upper >= INT64_MAX / 2)
    return;
  int64_t rest =
      xlaFloorMod(c->rest - xlaFloorMod(sum.constant, c->modulus), c->modulus);
  XlaInterval tight = {
      bounds->lower + xlaFloorMod(rest - bounds->lower, c->modulus),
      bounds->upper - xlaFloorMod(bounds->upper - rest, c->modulus)};
  draft->changed |= !xlaIntervalEqual(*bounds, tight);
  *bounds = tight;
  draft->isEmpty |= xlaIntervalIsEmpty(tight);
}

static void removeConstraint(Draft *draft, intptr_t i) {
  intptr_t n = --draft->parts.nConstraints;
  memmove(draft->constraints + i, draft->constraints + i + 1,
          (size_t)(n - i) * sizeof *draft->constraints);
  draft->changed = true;
}

/// Joins constraint `j` to constraint `i` before it. False if they are left.
static bool joinConstraints(Draft *draft, intptr_t i, intptr_t j) {
  XlaIndexingConstraint *a = &draft->constraints[i],
                        *b = &draft->constraints[j];
  Congruence x, y, both;
  if (a->expr.ptr == b->expr.ptr) {
    a->bounds = xlaIntervalIntersect(a->bounds, b->bounds);
    draft->isEmpty |= xlaIntervalIsEmpty(a->bounds);
    removeConstraint(draft, j);
    return true;
  }
  if (!isCongruence(a, &x) || !isCongruence(b, &y))
    return false;
  bool isOrdered = xlaExprCompare(x.x, y.x) <= 0;
  if (!moveCongruence(draft, isOrdered ? &x : &y, isOrdered ? &y : &x))
    return false;
  int joined = joinCongruences(&x, &y, &both);
  draft->isEmpty |= joined < 0;
  if (joined <= 0)
    return false;
  a->expr = mlirAffineModExprGet(
      both.x, mlirAffineConstantExprGet(draft->rules.context, both.modulus));
  a->bounds = xlaIntervalPoint(both.rest);
  removeConstraint(draft, j);
  return true;
}

static void simplifyConstraints(Draft *draft) {
  for (intptr_t i = 0; i < draft->parts.nConstraints && !draft->isEmpty;)
    if (simplifyConstraint(draft, &draft->constraints[i]))
      ++i;
    else
      removeConstraint(draft, i);
  for (intptr_t i = 0; i < draft->parts.nConstraints && !draft->isEmpty; ++i)
    for (intptr_t j = i + 1; j < draft->parts.nConstraints;)
      if (!joinConstraints(draft, i, j))
        ++j;
  for (intptr_t i = 0; i < draft->parts.nConstraints && !draft->isEmpty; ++i) {
    Congruence c;
    if (isCongruence(&draft->constraints[i], &c))
      tighten(draft, &c);
  }
}

/// The variable that is written first; `expr` itself if it is none.
static MlirAffineExpr firstVariable(MlirAffineExpr expr) {
  MlirAffineExpr first = expr;
  while (xlaExprGetKind(first) >= XlaExprKindFloorDiv &&
         xlaExprGetKind(first) != XlaExprKindConstant)
    first = mlirAffineBinaryOpExprGetLHS(first);
  return first;
}

static int compareConstraints(const void *a, const void *b) {
  MlirAffineExpr x = ((const XlaIndexingConstraint *)a)->expr,
                 y = ((const XlaIndexingConstraint *)b)->expr;
  int order = xlaExprCompare(firstVariable(x), firstVariable(y));
  return order ? order : xlaExprCompare(x, y);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static bool start(Draft *draft, const XlaIndexingMapParts *parts) {
  intptr_t n = parts->nDims + parts->nRanges + parts->nRuntimes;
  intptr_t nResults = mlirAffineMapGetNumResults(parts->map);
  draft->parts = *parts;
  draft->bounds = calloc((size_t)n + 1, sizeof *draft->bounds);
  draft->results = calloc((size_t)nResults + 1, sizeof *draft->results);
  draft->constraints =
      calloc((size_t)parts->nConstraints + 1, sizeof *draft->constraints);
  if (!draft->bounds || !draft->results || !draft->constraints)
    return false;
  xlaIndexingMapCopyBounds(parts, draft->bounds);
  for (intptr_t i = 0; i < n; ++i)
    draft->isEmpty |= xlaIntervalIsEmpty(draft->bounds[i]);
  for (intptr_t i = 0; i < nResults; ++i)
    draft->results[i] = mlirAffineMapGetResult(parts->map, i);
  for (intptr_t i = 0; i < parts->nConstraints; ++i)
    draft->constraints[i] = parts->constraints[i];
  return true;
}

/// Starts rules with the bounds as they are.
static XlaRules *beginRules(Draft *draft) {
  draft->rules = (XlaRules){
      .context = mlirAffineMapGetContext(draft->parts.map),
      .dims = draft->bounds,
      .symbols = draft->bounds + draft->parts.nDims,
      .keepPoints = draft->keepPoints,
  };
  return &draft->rules;
}

static void simplifyResults(Draft *draft) {
  XlaRules *rules = beginRules(draft);
  intptr_t n = mlirAffineMapGetNumResults(draft->parts.map);
  for (intptr_t i = 0; i < n; ++i)
    draft->results[i] = xlaRulesSimplify(rules, draft->results[i]);
  xlaRulesFree(rules);
}

/// A map without points: the results are 0.
static XlaIndexingMap *createEmpty(Draft *draft) {
  intptr_t n = draft->parts.nDims + draft->parts.nRanges;
  for (intptr_t i = 0; i < n; ++i)
    draft->bounds[i] = (XlaInterval){0, -1};
  intptr_t nResults = mlirAffineMapGetNumResults(draft->parts.map);
  MlirContext context = mlirAffineMapGetContext(draft->parts.map);
  for (intptr_t i = 0; i < nResults; ++i)
    draft->results[i] = mlirAffineConstantExprGet(context, 0);
  XlaIndexingConstraint never = {mlirAffineConstantExprGet(context, 0), {1, 0}};
  XlaIndexingMapParts empty = draft->parts, *parts = &empty;
  parts->nRuntimes = 0;
  parts->map = mlirAffineMapGet(context, parts->nDims, parts->nRanges, nResults,
                                draft->results);
  parts->nConstraints = 1;
  parts->constraints = &never;
  parts->dims = draft->bounds;
  parts->ranges = draft->bounds + parts->nDims;
  return xlaIndexingMapCreate(parts);
}

static XlaIndexingMap *finish(Draft *draft) {
  XlaIndexingMapParts *parts = &draft->parts;
  XlaInterval *runtimeBounds = draft->bounds + parts->nDims + parts->nRanges;
  XlaRuntimeVariable *runtimes =
      calloc((size_t)parts->nRuntimes + 1, sizeof *runtimes);
  if (!runtimes)
    return NULL;
  for (intptr_t i = 0; i < parts->nRuntimes; ++i) {
    runtimes[i] = parts->runtimes[i];
    runtimes[i].bounds = runtimeBounds[i];
  }
  qsort(draft->constraints, (size_t)parts->nConstraints,
        sizeof *draft->constraints, compareConstraints);
  parts->map =
      mlirAffineMapGet(mlirAffineMapGetContext(parts->map), parts->nDims,
                       parts->nRanges + parts->nRuntimes,
                       mlirAffineMapGetNumResults(parts->map), draft->results);
  parts->dims = draft->bounds;
  parts->ranges = draft->bounds + parts->nDims;
  parts->runtimes = runtimes;
  parts->constraints = draft->constraints;
  XlaIndexingMap *map = xlaIndexingMapCreate(parts);
  free(runtimes);
  return map;
}

XlaIndexingMap *xlaIndexingMapSimplify(const XlaIndexingMap *map,
                                       XlaIndexingPoints points) {
  Draft draft = {.changed = true,
                 .keepPoints = points == XlaIndexingPointsKeep};
  XlaIndexingMap *result = NULL;
  if (start(&draft, xlaIndexingMapGetParts(map))) {
    for (int i = 0; i < maxRounds && draft.changed && !draft.isEmpty; ++i) {
      draft.changed = false;
      beginRules(&draft);
      simplifyConstraints(&draft);
      xlaRulesFree(&draft.rules);
    }
    if (!draft.isEmpty)
      simplifyResults(&draft);
    result = draft.isEmpty ? createEmpty(&draft) : finish(&draft);
  }
  free(draft.bounds);
  free(draft.results);
  free(draft.constraints);
  return result;
}

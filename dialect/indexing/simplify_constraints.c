//===- simplify_constraints.c - Constraints of indexing maps --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/simplify_map.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// One constraint
//===----------------------------------------------------------------------===//

/// The bounds of a variable; NULL if `expr` is none.
static XlaInterval *boundsOf(XlaSimplifier *s, MlirAffineExpr expr) {
  if (mlirAffineExprIsADim(expr))
    return &s->bounds[mlirAffineDimExprGetPosition(expr)];
  if (mlirAffineExprIsASymbol(expr))
    return &s->bounds[s->parts.nDims + mlirAffineSymbolExprGetPosition(expr)];
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

/// Where x lies if x floordiv c lies in `bounds`.
static XlaInterval beforeQuotient(XlaInterval bounds, int64_t c) {
  XlaInterval wide = {0, 0};
  if (bounds.lower == INT64_MIN ||
      __builtin_mul_overflow(bounds.lower, c, &wide.lower))
    wide.lower = bounds.lower < 0 ? INT64_MIN : INT64_MAX;
  if (bounds.upper == INT64_MAX ||
      __builtin_mul_overflow(bounds.upper, c, &wide.upper) ||
      __builtin_add_overflow(wide.upper, c - 1, &wide.upper))
    wide.upper = bounds.upper < 0 ? INT64_MIN : INT64_MAX;
  return wide;
}

/// x floordiv c in [l, u] is x in [c l, c u + c - 1].
static bool undoQuotient(XlaRules *rules, XlaLinear *sum, XlaInterval *bounds) {
  MlirAffineExpr x;
  int64_t c;
  if (sum->n != 1 || sum->terms[0].factor != 1 ||
      !xlaExprIsBy(sum->terms[0].monomial, XlaExprKindFloorDiv, &x, &c))
    return false;
  *sum = (XlaLinear){0};
  xlaLinearAddExpr(rules, sum, x, 1);
  *bounds = beforeQuotient(*bounds, c);
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

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static void intersectBounds(XlaSimplifier *s, XlaInterval *variable,
                            XlaInterval bounds) {
  bounds = xlaIntervalIntersect(*variable, bounds);
  s->changed |= !xlaIntervalEqual(*variable, bounds);
  s->isEmpty |= xlaIntervalIsEmpty(bounds);
  *variable = bounds;
}

/// Bounds the variable that `monomial` is, or has the quotient of. Runtime
/// variables keep theirs, which say where values are clamped to.
static void boundMonomial(XlaSimplifier *s, MlirAffineExpr monomial,
                          XlaInterval bounds) {
  XlaLinear sum = {0};
  MlirAffineExpr x;
  int64_t c;
  if (xlaExprIsBy(monomial, XlaExprKindFloorDiv, &x, &c)) {
    xlaLinearAddExpr(&s->rules, &sum, x, 1);
    bounds = beforeQuotient(bounds, c);
    while (moveConstant(&sum, &bounds) || divideByCommon(&sum, &bounds))
      continue;
    if (sum.n != 1 || sum.constant || sum.terms[0].factor != 1)
      return;
    monomial = sum.terms[0].monomial;
  }
  XlaInterval *variable = boundsOf(s, monomial);
  const XlaIndexingMapParts *parts = &s->parts;
  if (variable && variable < s->bounds + parts->nDims + parts->nRanges)
    intersectBounds(s, variable, bounds);
}

/// What `sum` in `bounds` says of its variables: each has the room that is left
/// by the others.
static void boundVariables(XlaSimplifier *s, const XlaLinear *sum,
                           XlaInterval bounds) {
  enum { maxTerms = 32 };
  if (sum->n < 2 || sum->n > maxTerms || hasLeastFactor(sum))
    return;
  for (int i = 0; i < sum->n && !s->isEmpty; ++i) {
    XlaLinear others = {0};
    xlaLinearAdd(&s->rules, &others, sum, -1);
    xlaLinearAddTerm(&s->rules, &others, sum->terms[i].monomial,
                     sum->terms[i].factor);
    XlaInterval room =
        xlaIntervalAdd(bounds, xlaLinearRange(&s->rules, &others));
    int64_t factor = sum->terms[i].factor;
    if (factor < 0)
      room = (XlaInterval){negateBound(room.upper), negateBound(room.lower)};
    factor = factor < 0 ? -factor : factor;
    boundMonomial(s, sum->terms[i].monomial,
                  (XlaInterval){lowerOver(room.lower, factor),
                                upperOver(room.upper, factor)});
  }
}

/// Simplifies a constraint; what it says of one variable moves to its bounds.
/// False if nothing is left of it.
static bool simplifyConstraint(XlaSimplifier *s,
                               XlaIndexingConstraint *constraint) {
  XlaRules *rules = &s->rules;
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
  XlaInterval *variable = boundsOf(s, expr);
  bool holds = variable || xlaIntervalContains(bounds, range);
  s->isEmpty |= xlaIntervalIsEmpty(bounds) ||
                xlaIntervalIsEmpty(xlaIntervalIntersect(bounds, range));
  bounds = xlaIntervalIntersect(bounds, xlaLinearTermsRange(rules, &sum));
  if (variable)
    intersectBounds(s, variable, bounds);
  else if (!holds && s->boundsVariables)
    boundVariables(s, &sum, bounds);
  s->changed |= holds || expr.ptr != constraint->expr.ptr ||
                !xlaIntervalEqual(bounds, constraint->bounds);
  rules->failed = false;
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
static bool moveCongruence(XlaSimplifier *s, const Congruence *a,
                           Congruence *b) {
  XlaLinear difference = {0};
  if (a->x.ptr == b->x.ptr)
    return true;
  xlaLinearAddExpr(&s->rules, &difference, a->x, 1);
  xlaLinearAddExpr(&s->rules, &difference, b->x, -1);
  if (s->rules.failed || difference.n)
    return false;
  int64_t by = xlaFloorMod(difference.constant, b->modulus);
  int64_t room = b->modulus - b->rest; // so that the sum does not overflow
  *b = (Congruence){a->x, b->modulus, by < room ? b->rest + by : by - room};
  return true;
}

/// Rounds the bounds of a variable to numbers that `c`, a congruence of it or
/// of its sum with a constant, allows.
static void tighten(XlaSimplifier *s, const Congruence *c) {
  XlaLinear sum = {0};
  xlaLinearAddExpr(&s->rules, &sum, c->x, 1);
  if (s->rules.failed || sum.n != 1 || sum.terms[0].factor != 1)
    return;
  XlaInterval *bounds = boundsOf(s, sum.terms[0].monomial);
  if (!bounds || bounds->lower <= INT64_MIN / 2 ||
      bounds->upper >= INT64_MAX / 2)
    return;
  int64_t rest =
      xlaFloorMod(c->rest - xlaFloorMod(sum.constant, c->modulus), c->modulus);
  XlaInterval tight = {
      bounds->lower + xlaFloorMod(rest - bounds->lower, c->modulus),
      bounds->upper - xlaFloorMod(bounds->upper - rest, c->modulus)};
  s->changed |= !xlaIntervalEqual(*bounds, tight);
  *bounds = tight;
  s->isEmpty |= xlaIntervalIsEmpty(tight);
}

static void removeConstraint(XlaSimplifier *s, intptr_t i) {
  intptr_t n = --s->parts.nConstraints;
  memmove(s->constraints + i, s->constraints + i + 1,
          (size_t)(n - i) * sizeof *s->constraints);
  s->changed = true;
}

/// Joins constraint `j` to constraint `i` before it. False if they are left.
static bool joinConstraints(XlaSimplifier *s, intptr_t i, intptr_t j) {
  XlaIndexingConstraint *a = &s->constraints[i], *b = &s->constraints[j];
  Congruence x, y, both;
  if (a->expr.ptr == b->expr.ptr) {
    a->bounds = xlaIntervalIntersect(a->bounds, b->bounds);
    s->isEmpty |= xlaIntervalIsEmpty(a->bounds);
    removeConstraint(s, j);
    return true;
  }
  if (!isCongruence(a, &x) || !isCongruence(b, &y))
    return false;
  bool isOrdered = xlaExprCompare(x.x, y.x) <= 0;
  if (!moveCongruence(s, isOrdered ? &x : &y, isOrdered ? &y : &x))
    return false;
  int joined = joinCongruences(&x, &y, &both);
  s->isEmpty |= joined < 0;
  if (joined <= 0)
    return false;
  a->expr = mlirAffineModExprGet(
      both.x, mlirAffineConstantExprGet(s->rules.context, both.modulus));
  a->bounds = xlaIntervalPoint(both.rest);
  removeConstraint(s, j);
  return true;
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

/// Each by itself, knowing the others.
static void simplifyEach(XlaSimplifier *s) {
  for (intptr_t i = 0; i < s->parts.nConstraints && !s->isEmpty;) {
    xlaSimplifierBegin(s, i);
    bool isLeft = simplifyConstraint(s, &s->constraints[i]);
    xlaRulesFree(&s->rules);
    if (isLeft)
      ++i;
    else
      removeConstraint(s, i);
  }
}

void xlaSimplifyConstraints(XlaSimplifier *s) {
  simplifyEach(s);
  xlaSimplifierBegin(s, -1);
  for (intptr_t i = 0; i < s->parts.nConstraints && !s->isEmpty; ++i)
    for (intptr_t j = i + 1; j < s->parts.nConstraints;)
      if (!joinConstraints(s, i, j))
        ++j;
  for (intptr_t i = 0; i < s->parts.nConstraints && !s->isEmpty; ++i) {
    Congruence c;
    if (isCongruence(&s->constraints[i], &c))
      tighten(s, &c);
  }
  xlaRulesFree(&s->rules);
  qsort(s->constraints, (size_t)s->parts.nConstraints, sizeof *s->constraints,
        compareConstraints);
}

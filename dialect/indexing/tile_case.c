//===- tile_case.c - One case of a symbolic tile --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/tile_case.h"
#include "xlac/dialect/indexing/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int64_t xlaTileExtent(XlaInterval bounds) {
  int64_t size;
  return __builtin_sub_overflow(bounds.upper, bounds.lower, &size) ||
                 size == INT64_MAX
             ? INT64_MAX
             : size + 1;
}

bool xlaTileRefuse(XlaTileSearch *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!s->message[0])
    vsnprintf(s->message, 256, format, args);
  va_end(args);
  return false;
}

static MlirAffineExpr constant(const XlaTileSearch *s, int64_t value) {
  return mlirAffineConstantExprGet(s->rules.context, value);
}

static MlirAffineExpr sizeVariable(const XlaTileSearch *s, intptr_t dim) {
  return mlirAffineSymbolExprGet(s->rules.context, dim);
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

/// What a tile has of a digit: size 1 where it does not move.
typedef struct Part {
  MlirAffineExpr offset, size;
  XlaInterval sizes;
} Part;

/// Of range variables a tile has all values.
static Part partOf(const XlaTileSearch *s, const signed char *modes,
                   int number) {
  const XlaDigit *digit = &s->v->digits[number];
  intptr_t variable = digit->variable;
  bool isDim = variable < s->parts->nDims;
  int mode = s->first[variable] + modes[variable];
  bool isLast = number + 1 == s->first[variable + 1];
  int64_t count = isLast ? INT64_MAX : digit[1].weight / digit->weight;
  int64_t extent = xlaTileExtent(s->v->bounds[variable]) / digit->weight;
  MlirAffineExpr place = isDim
                             ? mlirAffineDimExprGet(s->rules.context, variable)
                             : constant(s, s->v->bounds[variable].lower);
  place =
      xlaExprOver(xlaExprShift(place, s->v->offsets[variable]), digit->weight);
  Part part = {isLast ? place : xlaExprModulo(place, count), constant(s, 1),
               xlaIntervalPoint(1)};
  if (modes[variable] == XLA_TILE_ONE || number > mode)
    return part;
  if (number < mode)
    return (Part){constant(s, 0), constant(s, count), xlaIntervalPoint(count)};
  part.sizes = isDim ? (XlaInterval){1, extent < count ? extent : count}
                     : xlaIntervalPoint(extent);
  part.size = isDim ? xlaExprOver(sizeVariable(s, variable), digit->weight)
                    : constant(s, extent);
  return part;
}

/// The first value, as digits count.
static int64_t originOf(const XlaTileSearch *s, intptr_t variable) {
  return s->v->bounds[variable].lower + s->v->offsets[variable];
}

/// What the size divides where the tile ends in digit `mode`, so that each tile
/// begins at a multiple of its size and stays in the digit; 0: nothing.
static int64_t dividendOf(const XlaTileSearch *s, intptr_t variable, int mode) {
  int at = s->first[variable] + mode;
  bool isLast = at + 1 == s->first[variable + 1];
  return (int64_t)xlaGcd(originOf(s, variable),
                         isLast ? 0 : s->v->digits[at + 1].weight);
}

/// Whether all values of a range variable are those of a tile that ends in
/// digit `mode`.
static bool holdsRange(const XlaTileSearch *s, intptr_t variable, int mode) {
  int at = s->first[variable] + mode;
  const XlaDigit *digit = &s->v->digits[at];
  bool isLast = at + 1 == s->first[variable + 1];
  int64_t origin = originOf(s, variable), weight = digit->weight;
  int64_t extent = xlaTileExtent(s->v->bounds[variable]);
  return origin % weight == 0 && extent % weight == 0 &&
         (isLast ||
          xlaFloorMod(origin, digit[1].weight) <= digit[1].weight - extent);
}

/// Whether tiles may end in digit `mode`, by the bounds of the variable.
bool xlaTileHasMode(const XlaTileSearch *s, intptr_t variable, int mode) {
  int64_t extent = xlaTileExtent(s->v->bounds[variable]);
  int64_t weight = s->v->digits[s->first[variable] + mode].weight;
  int64_t dividend = dividendOf(s, variable, mode);
  bool isCut = s->first[variable + 1] - s->first[variable] > 1;
  if (s->pinned[variable] || extent == 1)
    return false;
  if (!isCut)
    return true;
  if (variable >= s->parts->nDims)
    return holdsRange(s, variable, mode);
  return weight <= extent && dividend % weight == 0 && dividend != 1;
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static bool require(XlaTileSearch *s, XlaTileCase *draft, MlirAffineExpr expr,
                    int64_t lower, int64_t upper) {
  for (intptr_t i = 0; i < draft->nConditions; ++i)
    if (draft->conditions[i].expr.ptr == expr.ptr) {
      draft->conditions[i].bounds = xlaIntervalIntersect(
          draft->conditions[i].bounds, (XlaInterval){lower, upper});
      return true;
    }
  if (draft->nConditions == draft->capacity) {
    intptr_t capacity = 2 * draft->capacity + 4;
    XlaIndexingConstraint *grown =
        realloc(draft->conditions, (size_t)capacity * sizeof *grown);
    if (!grown)
      return xlaTileRefuse(s, "out of memory");
    draft->conditions = grown;
    draft->capacity = capacity;
  }
  draft->conditions[draft->nConditions++] =
      (XlaIndexingConstraint){expr, {lower, upper}};
  return true;
}

bool xlaTileRequireModes(XlaTileSearch *s, const signed char *modes,
                         XlaTileCase *draft) {
  bool ok = true;
  for (intptr_t d = 0; d < s->parts->nDims && ok; ++d) {
    MlirAffineExpr size = sizeVariable(s, d);
    bool isCut = s->first[d + 1] - s->first[d] > 1;
    if (modes[d] == XLA_TILE_ONE) {
      ok = xlaTileExtent(s->v->bounds[d]) == 1 || require(s, draft, size, 1, 1);
      continue;
    }
    int64_t weight = s->v->digits[s->first[d] + modes[d]].weight;
    int64_t dividend = dividendOf(s, d, modes[d]);
    if (weight > 1)
      ok = require(s, draft, xlaExprModulo(size, weight), 0, 0);
    if (isCut && dividend && ok)
      ok = require(s, draft, mlirAffineModExprGet(constant(s, dividend), size),
                   0, 0);
  }
  return ok;
}

/// A share whose digit moves.
typedef struct Moving {
  intptr_t variable;
  int64_t factor;
  Part part;
} Moving;

static int compareMoving(const void *a, const void *b) {
  int64_t x = llabs(((const Moving *)a)->factor),
          y = llabs(((const Moving *)b)->factor);
  return (x > y) - (x < y);
}

/// Notes that the variables of `n` of `moving` do not go together.
static void block(XlaTileSearch *s, const Moving *moving, int n) {
  for (int i = 0; i < n; ++i)
    s->blocked[moving[i].variable] = true;
}

/// Says which of them moves `what`, if only range variables do.
static bool blockBecause(XlaTileSearch *s, const Moving *moving, int n,
                         const char *what, intptr_t number, const char *why) {
  const Moving *last = &moving[n - 1];
  block(s, moving, n);
  for (int i = 0; i < n; ++i)
    if (moving[i].variable < s->parts->nDims)
      return false;
  return xlaTileRefuse(s, "%s %lld moves with %s, %s", what, (long long)number,
                       xlaVariableGetName(s->parts, last->variable).text, why);
}

/// Requires that the numbers so far, `count` of them, are at least `least`, or
/// there are gaps. They lie in `*counts`, which has it.
static bool requireCount(XlaTileSearch *s, XlaTileCase *draft, XlaLinear *count,
                         XlaInterval *counts, int64_t least) {
  XlaLinear sum = {.constant = 0};
  int64_t factor = count->n == 1 ? count->terms[0].factor : 1, lower, upper;
  for (int i = 0; i < count->n; ++i)
    xlaLinearAddTerm(&s->rules, &sum, count->terms[i].monomial,
                     count->terms[i].factor / factor);
  s->rules.failed |=
      __builtin_sub_overflow(least, count->constant, &lower) ||
      __builtin_sub_overflow(counts->upper, count->constant, &upper);
  if (s->rules.failed ||
      !require(s, draft, xlaLinearToExpr(&s->rules, &sum),
               xlaCeilDiv(lower, factor), xlaFloorDiv(upper, factor)))
    return false;
  counts->lower = least;
  if (xlaIntervalIsPoint(*counts))
    *count = (XlaLinear){.constant = least};
  return true;
}

/// Adds up what moves a result: how many numbers that is, in steps of the
/// smallest factor. False if it is no progression.
static bool addUp(XlaTileSearch *s, intptr_t result, Moving *moving, int n,
                  XlaTileCase *draft, XlaLinear *count, bool *isPlain) {
  XlaInterval counts = xlaIntervalPoint(1);
  qsort(moving, (size_t)n, sizeof *moving, compareMoving);
  int64_t stride = n ? llabs(moving[0].factor) : 1;
  xlaLinearAddConstant(&s->rules, count, 1);
  for (int i = 0; i < n && !s->rules.failed; ++i) {
    int64_t factor = llabs(moving[i].factor), steps = factor / stride;
    if (factor % stride || counts.upper < steps)
      return blockBecause(s, moving, i + 1, "result", result,
                          "which leaves gaps");
    if (counts.lower < steps) {
      if (!requireCount(s, draft, count, &counts, steps))
        return false;
      *isPlain = false;
      block(s, moving, i + 1);
    }
    xlaLinearAddExpr(&s->rules, count, moving[i].part.size, steps);
    xlaLinearAddConstant(&s->rules, count, -steps);
    counts = xlaIntervalAdd(
        counts,
        xlaIntervalScale(
            xlaIntervalAdd(moving[i].part.sizes, xlaIntervalPoint(-1)), steps));
  }
  draft->results[result].stride = stride;
  return !s->rules.failed;
}

/// The sum as an expression, whose values fit into 64 bits.
static bool finishSum(XlaTileSearch *s, const XlaLinear *sum,
                      MlirAffineExpr *expr) {
  XlaInterval range = xlaLinearTermsRange(&s->rules, sum);
  *expr = xlaRulesSimplify(&s->rules, xlaLinearToExpr(&s->rules, sum));
  if (s->rules.failed || range.lower == INT64_MIN || range.upper == INT64_MAX)
    return xlaTileRefuse(s,
                         "numbers do not fit into 64 bits, or out of memory");
  return true;
}

/// Result `r`, or a constraint, in these modes.
bool xlaTileFillResult(XlaTileSearch *s, const signed char *modes, intptr_t r,
                       XlaTileCase *draft, bool *isPlain) {
  XlaShare shares[XLA_MAX_DIGITS];
  Moving moving[XLA_MAX_DIGITS];
  MlirAffineExpr known;
  intptr_t constraint = r - s->tile->nResults;
  XlaLinear offset = {.constant = 0}, count = {.constant = 0};
  int n = xlaInverterFindShares(s->v, r, shares, &known), nMoving = 0;
  xlaLinearAddExpr(&s->rules, &offset, xlaExprReplace(known, NULL, s->runtimes),
                   1);
  for (int i = 0; i < n; ++i) {
    Moving *m = &moving[nMoving];
    *m = (Moving){s->v->digits[shares[i].digit].variable, shares[i].factor,
                  partOf(s, modes, shares[i].digit)};
    xlaLinearAddExpr(&s->rules, &offset, m->part.offset, m->factor);
    if (m->factor == 0 || m->part.sizes.upper <= 1)
      continue;
    if (constraint >= 0)
      return blockBecause(s, m, 1, "constraint", constraint,
                          "so that a part of a tile is outside");
    if (s->isMoved[shares[i].digit])
      return blockBecause(s, m, 1, "result", r, "as another one does");
    s->isMoved[shares[i].digit] = true;
    if (m->factor < 0) {
      xlaLinearAddExpr(&s->rules, &offset, m->part.size, m->factor);
      xlaLinearAddConstant(&s->rules, &offset, -m->factor);
    }
    ++nMoving;
  }
  return constraint >= 0 ||
         (addUp(s, r, moving, nMoving, draft, &count, isPlain) &&
          finishSum(s, &offset, &draft->results[r].offset) &&
          finishSum(s, &count, &draft->results[r].size));
}

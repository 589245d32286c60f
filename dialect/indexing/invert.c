//===- invert.c - From results back to dimensions -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimensions are split into digits where the map divides them: d into d
// floordiv 8 and d mod 8. Results are then sums of multiples of digits, and
// give them back where each factor is larger than all that the smaller ones
// can amount to.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"

#include <stdlib.h>
#include <string.h>

enum { maxDigits = 256, maxPerDim = 16 };

/// weight * digit is a part of dimension `dim`.
typedef struct Digit {
  intptr_t dim;
  int64_t weight;
  XlaInterval bounds;
  MlirAffineExpr value; ///< by the results; null until it is known
} Digit;

typedef struct Inverter {
  XlaRules rules;
  const XlaIndexingMapParts *from;
  intptr_t nResults;
  int nDigits;
  Digit digits[maxDigits];
} Inverter;

/// weight * (digits first ..) of an expression.
typedef struct Share {
  int digit;
  int64_t factor;
} Share;

static MlirAffineExpr number(const Inverter *v, int64_t value) {
  return mlirAffineConstantExprGet(v->rules.context, value);
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

/// An atom as (d floordiv divisor) mod modulus; a modulus of 0 is none.
static bool isPartOfDim(MlirAffineExpr atom, intptr_t *dim, int64_t *divisor,
                        int64_t *modulus) {
  *divisor = 1;
  *modulus = 0;
  xlaExprIsBy(atom, XlaExprKindMod, &atom, modulus);
  xlaExprIsBy(atom, XlaExprKindFloorDiv, &atom, divisor);
  if (!mlirAffineExprIsADim(atom))
    return false;
  *dim = mlirAffineDimExprGetPosition(atom);
  return true;
}

/// Weights at which dimension `dim` is cut, in order. 0 if they do not divide
/// one another.
static int findWeights(Inverter *v, const XlaLinear *sums, intptr_t dim,
                       int64_t *weights) {
  int n = 1;
  weights[0] = 1;
  for (intptr_t r = 0; r < v->nResults; ++r)
    for (int t = 0; t < sums[r].n; ++t) {
      intptr_t which;
      int64_t cuts[2], modulus;
      if (!isPartOfDim(sums[r].terms[t].atom, &which, &cuts[0], &modulus) ||
          which != dim)
        continue;
      if (__builtin_mul_overflow(cuts[0], modulus, &cuts[1]))
        return 0;
      for (int c = 0; c < 2; ++c) {
        int at = 0;
        while (at < n && weights[at] < cuts[c])
          ++at;
        if (cuts[c] == 0 || (at < n && weights[at] == cuts[c]))
          continue;
        if (n == maxPerDim)
          return 0;
        memmove(weights + at + 1, weights + at,
                (size_t)(n - at) * sizeof *weights);
        weights[at] = cuts[c];
        ++n;
      }
    }
  for (int i = 1; i < n; ++i)
    if (weights[i] % weights[i - 1])
      return 0;
  return n;
}

static bool findDigits(Inverter *v, const XlaLinear *sums) {
  for (intptr_t d = 0; d < v->from->nDims; ++d) {
    int64_t weights[maxPerDim];
    XlaInterval bounds = v->from->dims[d];
    int n = findWeights(v, sums, d, weights);
    if (n == 0 || v->nDigits + n > maxDigits)
      return false;
    for (int i = 0; i < n; ++i) {
      XlaInterval range = xlaIntervalFloorDiv(bounds, weights[i]);
      if (i + 1 < n)
        range = xlaIntervalMod(range, weights[i + 1] / weights[i]);
      v->digits[v->nDigits++] = (Digit){d, weights[i], range, {NULL}};
    }
  }
  return true;
}

/// A result in digits; -1 if it is something else.
static int findShares(const Inverter *v, const XlaLinear *sum, Share *shares) {
  int n = 0;
  for (int t = 0; t < sum->n; ++t) {
    intptr_t dim;
    int64_t divisor, modulus, end;
    if (!isPartOfDim(sum->terms[t].atom, &dim, &divisor, &modulus))
      return -1;
    end = modulus ? divisor * modulus : INT64_MAX;
    for (int i = 0; i < v->nDigits; ++i) {
      const Digit *digit = &v->digits[i];
      if (digit->dim != dim || digit->weight < divisor || digit->weight >= end)
        continue;
      int64_t factor;
      if (n == maxDigits ||
          __builtin_mul_overflow(digit->weight / divisor, sum->terms[t].factor,
                                 &factor))
        return -1;
      int at = 0;
      while (at < n && shares[at].digit != i)
        ++at;
      if (at < n)
        shares[at].factor += factor;
      else
        shares[n++] = (Share){i, factor};
    }
  }
  return n;
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

static int compareShares(const void *a, const void *b) {
  int64_t x = llabs(((const Share *)a)->factor),
          y = llabs(((const Share *)b)->factor);
  return (x < y) - (x > y);
}

static int64_t sizeOf(XlaInterval bounds) {
  int64_t size;
  return __builtin_sub_overflow(bounds.upper, bounds.lower, &size) ||
                 size == INT64_MAX
             ? INT64_MAX
             : size + 1;
}

/// Whether each factor is larger than what those after it amount to.
static bool isUnique(const Inverter *v, const Share *shares, int n) {
  int64_t rest = 0, most;
  for (int i = n - 1; i >= 0; --i) {
    int64_t factor = llabs(shares[i].factor);
    if (factor <= rest ||
        __builtin_mul_overflow(
            factor, sizeOf(v->digits[shares[i].digit].bounds) - 1, &most) ||
        __builtin_add_overflow(rest, most, &rest))
      return false;
  }
  return true;
}

static bool addProduct(int64_t *sum, int64_t a, int64_t b) {
  int64_t product;
  return !__builtin_mul_overflow(a, b, &product) &&
         !__builtin_add_overflow(*sum, product, sum);
}

/// Reads the digits off result `r` = constant + sum of shares. False if numbers
/// overflow.
static bool solve(Inverter *v, intptr_t r, int64_t constant,
                  const Share *shares, int n) {
  MlirAffineExpr rest = mlirAffineDimExprGet(v->rules.context, r);
  int64_t least = constant;
  for (int i = 0; i < n; ++i) {
    XlaInterval bounds = v->digits[shares[i].digit].bounds;
    if (!addProduct(&least, shares[i].factor,
                    shares[i].factor < 0 ? bounds.upper : bounds.lower))
      return false;
  }
  if (least == INT64_MIN)
    return false;
  rest = mlirAffineAddExprGet(rest, number(v, -least));
  for (int i = 0; i < n; ++i) {
    Digit *digit = &v->digits[shares[i].digit];
    bool falls = shares[i].factor < 0;
    MlirAffineExpr factor = number(v, llabs(shares[i].factor));
    MlirAffineExpr count = mlirAffineMulExprGet(
        mlirAffineFloorDivExprGet(rest, factor), number(v, falls ? -1 : 1));
    digit->value = mlirAffineAddExprGet(
        count, number(v, falls ? digit->bounds.upper : digit->bounds.lower));
    rest = mlirAffineModExprGet(rest, factor);
  }
  return true;
}

/// Drops digits of one value from `shares`, and adds them to `constant`. -1 if
/// numbers overflow.
static int dropPoints(const Inverter *v, Share *shares, int n,
                      int64_t *constant) {
  int m = 0;
  for (int i = 0; i < n; ++i) {
    XlaInterval bounds = v->digits[shares[i].digit].bounds;
    if (!xlaIntervalIsPoint(bounds) && shares[i].factor)
      shares[m++] = shares[i];
    else if (!addProduct(constant, shares[i].factor, bounds.lower))
      return -1;
  }
  return m;
}

/// Finds the values of all digits.
static bool solveAll(Inverter *v, const XlaLinear *sums) {
  Share *shares = calloc(maxDigits, sizeof *shares);
  for (intptr_t r = 0; shares && r < v->nResults; ++r) {
    int64_t constant = sums[r].constant;
    int n = findShares(v, &sums[r], shares);
    bool isNew = false;
    n = n < 0 ? n : dropPoints(v, shares, n, &constant);
    for (int i = 0; i < n; ++i)
      isNew |= !v->digits[shares[i].digit].value.ptr;
    if (!isNew)
      continue;
    qsort(shares, (size_t)n, sizeof *shares, compareShares);
    if (isUnique(v, shares, n))
      solve(v, r, constant, shares, n);
  }
  bool isSolved = shares != NULL;
  free(shares);
  for (int i = 0; i < v->nDigits; ++i) {
    Digit *digit = &v->digits[i];
    if (!digit->value.ptr && xlaIntervalIsPoint(digit->bounds))
      digit->value = number(v, digit->bounds.lower);
    isSolved &= digit->value.ptr != NULL;
  }
  return isSolved;
}

//===----------------------------------------------------------------------===//
// The inverse
//===----------------------------------------------------------------------===//

/// The map whose results are `dims`, defined where the map that is inverted
/// takes them to its own result, within its domain.
static XlaIndexingMap *create(Inverter *v, const MlirAffineExpr *dims,
                              XlaInterval *bounds,
                              XlaIndexingConstraint *constraints) {
  const XlaIndexingMapParts *from = v->from;
  XlaIndexingMapParts parts = {
      .nDims = v->nResults, .dims = bounds, .constraints = constraints};
  for (intptr_t r = 0; r < v->nResults; ++r) {
    MlirAffineExpr result = mlirAffineMapGetResult(from->map, r);
    bounds[r] = xlaExprRange(&v->rules, result);
    MlirAffineExpr back =
        mlirAffineMulExprGet(xlaExprReplace(result, dims, NULL), number(v, -1));
    constraints[parts.nConstraints++] = (XlaIndexingConstraint){
        mlirAffineAddExprGet(mlirAffineDimExprGet(v->rules.context, r), back),
        xlaIntervalPoint(0)};
  }
  for (intptr_t d = 0; d < from->nDims; ++d)
    constraints[parts.nConstraints++] =
        (XlaIndexingConstraint){dims[d], from->dims[d]};
  for (intptr_t c = 0; c < from->nConstraints; ++c)
    constraints[parts.nConstraints++] = (XlaIndexingConstraint){
        xlaExprReplace(from->constraints[c].expr, dims, NULL),
        from->constraints[c].bounds};
  parts.map = mlirAffineMapGet(v->rules.context, v->nResults, 0, from->nDims,
                               (MlirAffineExpr *)dims);
  XlaIndexingMap *map = xlaIndexingMapCreate(&parts), *simple = NULL;
  if (map)
    simple = xlaIndexingMapSimplify(map);
  xlaIndexingMapRelease(map);
  return simple;
}

static XlaIndexingMap *invert(Inverter *v) {
  const XlaIndexingMapParts *from = v->from;
  size_t nDims = (size_t)from->nDims, nResults = (size_t)v->nResults;
  XlaLinear *sums = calloc(nResults + 1, sizeof *sums);
  MlirAffineExpr *dims = calloc(nDims + 1, sizeof *dims);
  XlaInterval *bounds = calloc(nResults + 1, sizeof *bounds);
  XlaIndexingConstraint *constraints = calloc(
      nResults + nDims + (size_t)from->nConstraints + 1, sizeof *constraints);
  XlaIndexingMap *inverse = NULL;
  bool can = sums && dims && bounds && constraints;
  for (intptr_t r = 0; r < v->nResults && can; ++r)
    xlaLinearAddExpr(&v->rules, &sums[r], mlirAffineMapGetResult(from->map, r),
                     1);
  if (can && !v->rules.failed && findDigits(v, sums) && solveAll(v, sums)) {
    for (intptr_t d = 0; d < from->nDims; ++d)
      dims[d] = number(v, 0);
    for (int i = 0; i < v->nDigits; ++i) {
      const Digit *digit = &v->digits[i];
      dims[digit->dim] = mlirAffineAddExprGet(
          dims[digit->dim],
          mlirAffineMulExprGet(digit->value, number(v, digit->weight)));
    }
    inverse = create(v, dims, bounds, constraints);
  }
  free(sums);
  free(dims);
  free(bounds);
  free(constraints);
  return inverse;
}

XlaIndexingMap *xlaIndexingMapInvert(const XlaIndexingMap *map) {
  XlaIndexingMap *simple = xlaIndexingMapSimplify(map), *inverse = NULL;
  Inverter *v = calloc(1, sizeof *v);
  if (simple && v && !xlaIndexingMapIsKnownEmpty(simple)) {
    v->from = xlaIndexingMapGetParts(simple);
    v->nResults = mlirAffineMapGetNumResults(v->from->map);
    v->rules = (XlaRules){.context = mlirAffineMapGetContext(v->from->map),
                          .nDims = v->from->nDims,
                          .dims = v->from->dims};
    if (v->from->nRanges == 0 && v->from->nRuntimes == 0)
      inverse = invert(v);
    xlaRulesFree(&v->rules);
  }
  free(v);
  xlaIndexingMapRelease(simple);
  return inverse;
}

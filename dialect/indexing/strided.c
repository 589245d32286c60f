//===- strided.c - Maps that views with strides show ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/uses.h"

#include <stdlib.h>

/// (dim floordiv low) mod (end / low).
typedef struct Digit {
  intptr_t dim;
  int64_t low, end;
} Digit;

enum { maxDigits = 64 };

/// The digits of all results so far.
typedef struct Digits {
  XlaRules rules;
  const XlaIndexingMapParts *parts;
  int n;
  Digit digits[maxDigits];
} Digits;

/// Reads a term as a digit. Dimensions that are cut start at 0 and have whole
/// digits.
static bool readDigit(const Digits *d, MlirAffineExpr monomial, Digit *digit) {
  int64_t modulus = 0, divisor = 1, size;
  xlaExprIsBy(monomial, XlaExprKindMod, &monomial, &modulus);
  xlaExprIsBy(monomial, XlaExprKindFloorDiv, &monomial, &divisor);
  if (!mlirAffineExprIsADim(monomial))
    return false;
  intptr_t dim = mlirAffineDimExprGetPosition(monomial);
  XlaInterval bounds = d->parts->dims[dim];
  if (__builtin_sub_overflow(bounds.upper, bounds.lower, &size) ||
      size == INT64_MAX)
    return false;
  *digit = (Digit){dim, divisor, ++size};
  if (modulus && __builtin_mul_overflow(divisor, modulus, &digit->end))
    return false;
  return (divisor == 1 && !modulus) ||
         (bounds.lower == 0 && size % divisor == 0 && size % digit->end == 0);
}

static bool divides(int64_t a, int64_t b) { return a % b == 0 || b % a == 0; }

/// Whether the same cuts give both.
static bool agree(const Digit *a, const Digit *b) {
  return a->dim != b->dim ||
         (divides(a->low, b->low) && divides(a->low, b->end) &&
          divides(a->end, b->low) && divides(a->end, b->end));
}

static bool readResult(Digits *d, intptr_t r) {
  XlaLinear sum = {.constant = 0};
  if (!xlaRulesSimplifyToSum(&d->rules,
                             mlirAffineMapGetResult(d->parts->map, r), &sum))
    return false;
  for (int t = 0; t < sum.n; ++t) {
    MlirAffineExpr monomial = sum.terms[t].monomial;
    if (mlirAffineExprIsASymbol(monomial))
      continue; // a runtime variable
    if (d->n == maxDigits || !readDigit(d, monomial, &d->digits[d->n]))
      return false;
    for (int i = 0; i < d->n; ++i)
      if (!agree(&d->digits[i], &d->digits[d->n]))
        return false;
    ++d->n;
  }
  return true;
}

bool xlaIndexingMapIsStrided(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  intptr_t n = parts->nDims + parts->nRuntimes;
  if (parts->nRanges || parts->nConstraints ||
      xlaIndexingMapIsKnownEmpty(map) || xlaIndexingMapHasExtrema(map))
    return false;
  XlaInterval *bounds = calloc((size_t)n + 1, sizeof *bounds);
  Digits *d = calloc(1, sizeof *d);
  bool isStrided = bounds && d;
  if (isStrided) {
    xlaIndexingMapCopyBounds(parts, bounds);
    d->parts = parts;
    d->rules = (XlaRules){.context = mlirAffineMapGetContext(parts->map),
                          .dims = bounds,
                          .symbols = bounds + parts->nDims,
                          .keepPoints = true};
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(parts->map); ++r)
      isStrided = isStrided && readResult(d, r);
    xlaRulesFree(&d->rules);
  }
  free(bounds);
  free(d);
  return isStrided;
}

//===- strided.c - Maps that views with strides show ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/uses.h"

#include <stdlib.h>

/// (dim floordiv low) mod size, and what it is multiplied by.
typedef struct Digit {
  intptr_t dim;
  int64_t low, size, factor;
} Digit;

enum { maxDigits = 64 };

/// The digits of all results so far, and of the one that is read.
typedef struct Digits {
  XlaRules rules;
  const XlaIndexingMapParts *parts;
  int n, first;
  Digit digits[maxDigits];
} Digits;

/// Reads a term as a digit. Dimensions that are cut start at 0 and have whole
/// digits.
static bool readDigit(const Digits *d, XlaTerm term, Digit *digit) {
  MlirAffineExpr atom = term.atom;
  int64_t modulus = 0, divisor = 1, size, end;
  xlaExprIsBy(atom, XlaExprKindMod, &atom, &modulus);
  xlaExprIsBy(atom, XlaExprKindFloorDiv, &atom, &divisor);
  if (!mlirAffineExprIsADim(atom) || term.factor <= 0)
    return false;
  intptr_t dim = mlirAffineDimExprGetPosition(atom);
  XlaInterval bounds = d->parts->dims[dim];
  if (__builtin_sub_overflow(bounds.upper, bounds.lower, &size) ||
      size == INT64_MAX)
    return false;
  ++size;
  *digit = (Digit){dim, divisor, size / divisor, term.factor};
  if (modulus)
    digit->size = modulus;
  return (divisor == 1 && !modulus) ||
         (bounds.lower == 0 &&
          !__builtin_mul_overflow(divisor, digit->size, &end) &&
          size % end == 0);
}

static int compareFactors(const void *a, const void *b) {
  int64_t x = ((const Digit *)a)->factor, y = ((const Digit *)b)->factor;
  return (x < y) - (x > y);
}

/// Whether the digits from `first` on are one number, times a stride.
static bool isNumber(Digits *d) {
  Digit *digits = d->digits + d->first;
  int n = d->n - d->first;
  qsort(digits, (size_t)n, sizeof *digits, compareFactors);
  for (int i = 0; i + 1 < n; ++i) {
    int64_t next;
    if (__builtin_mul_overflow(digits[i + 1].factor, digits[i + 1].size,
                               &next) ||
        digits[i].factor != next)
      return false;
  }
  return true;
}

/// Whether two digits are of different dimensions, or one lies above the other.
static bool areApart(const Digit *a, const Digit *b) {
  if (a->dim != b->dim)
    return true;
  if (a->low > b->low)
    return areApart(b, a);
  return b->low % (a->low * a->size) == 0;
}

static bool readResult(Digits *d, intptr_t r) {
  XlaLinear sum = {.constant = 0};
  if (!xlaRulesSimplifyToSum(&d->rules,
                             mlirAffineMapGetResult(d->parts->map, r), &sum))
    return false;
  d->first = d->n;
  for (int t = 0; t < sum.n; ++t) {
    if (mlirAffineExprIsASymbol(sum.terms[t].atom))
      continue; // a runtime variable
    if (d->n == maxDigits || !readDigit(d, sum.terms[t], &d->digits[d->n]))
      return false;
    d->n += d->digits[d->n].size != 1;
  }
  if (!isNumber(d))
    return false;
  for (int i = d->first; i < d->n; ++i)
    for (int k = 0; k < i; ++k)
      if (!areApart(&d->digits[k], &d->digits[i]))
        return false;
  return true;
}

bool xlaIndexingMapIsStrided(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  intptr_t n = parts->nDims + parts->nRuntimes;
  if (parts->nRanges || parts->nConstraints || xlaIndexingMapIsKnownEmpty(map))
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

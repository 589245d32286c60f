//===- strided_read.c - Maps that read at strides -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions are simplified as one sum, in which what a reshape takes apart and
// another puts together again is gone.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/strided_read.h"
#include "xlac/dialect/indexing/linear.h"

#include <string.h>

enum { maxCuts = 16 };
#define MAX_ELEMENTS (INT64_C(1) << 40)

/// factor * ((dim floordiv divisor) mod modulus); a modulus of 0 is none.
typedef struct Part {
  intptr_t dim;
  int64_t divisor, modulus, factor;
} Part;

static bool readPart(const XlaTerm *term, Part *part) {
  MlirAffineExpr monomial = term->monomial;
  *part = (Part){.divisor = 1, .factor = term->factor};
  xlaExprIsBy(monomial, XlaExprKindMod, &monomial, &part->modulus);
  xlaExprIsBy(monomial, XlaExprKindFloorDiv, &monomial, &part->divisor);
  if (!mlirAffineExprIsADim(monomial))
    return false;
  part->dim = mlirAffineDimExprGetPosition(monomial);
  return part->factor >= -MAX_ELEMENTS && part->factor <= MAX_ELEMENTS;
}

/// Where digits of dimension `dim` begin, ascending, and its size. 0 if these
/// do not divide one another.
static int findCuts(const XlaLinear *sum, intptr_t dim, int64_t size,
                    int64_t *cuts) {
  int n = 1;
  cuts[0] = 1;
  for (int t = 0; t <= sum->n; ++t) {
    int64_t found[2] = {size, size};
    Part part;
    if (t < sum->n) {
      readPart(&sum->terms[t], &part);
      if (part.dim != dim)
        continue;
      found[0] = part.divisor;
      if (part.modulus &&
          __builtin_mul_overflow(part.divisor, part.modulus, &found[1]))
        return 0;
    }
    for (int i = 0; i < 2; ++i) {
      int at = 0;
      while (at < n && cuts[at] < found[i])
        ++at;
      if (at < n && cuts[at] == found[i])
        continue;
      if (n == maxCuts)
        return 0;
      memmove(cuts + at + 1, cuts + at, (size_t)(n - at) * sizeof *cuts);
      cuts[at] = found[i];
      ++n;
    }
  }
  for (int i = 1; i < n; ++i)
    if (cuts[i] % cuts[i - 1])
      return 0;
  return cuts[n - 1] == size ? n : 0;
}

/// By how much the position grows with the digit of `dim` that begins at `cut`.
/// False if that is too far.
static bool strideOf(const XlaLinear *sum, intptr_t dim, int64_t cut,
                     int64_t *stride) {
  *stride = 0;
  for (int t = 0; t < sum->n; ++t) {
    Part part;
    int64_t step;
    readPart(&sum->terms[t], &part);
    if (part.dim != dim || cut < part.divisor ||
        (part.modulus && cut / part.divisor >= part.modulus))
      continue;
    if (__builtin_mul_overflow(part.factor, cut / part.divisor, &step) ||
        __builtin_add_overflow(*stride, step, stride))
      return false;
  }
  return *stride >= -MAX_ELEMENTS && *stride <= MAX_ELEMENTS;
}

static bool readDigits(const XlaIndexingMapParts *parts, const XlaLinear *sum,
                       XlaStridedRead *read) {
  Part part;
  for (int t = 0; t < sum->n; ++t)
    if (!readPart(&sum->terms[t], &part))
      return false;
  for (intptr_t d = 0; d < parts->nDims; ++d) {
    int64_t cuts[maxCuts], size = parts->dims[d].upper + 1;
    if (size == 1)
      continue;
    int n = findCuts(sum, d, size, cuts);
    if (n == 0 || read->n + n > XlaMaxReadDigits)
      return false;
    for (int i = n - 2; i >= 0; --i) {
      XlaReadDigit *digit = &read->digits[read->n++];
      digit->size = cuts[i + 1] / cuts[i];
      if (!strideOf(sum, d, cuts[i], &digit->stride))
        return false;
    }
  }
  read->offset = sum->constant;
  return true;
}

/// False if the product is too large.
static bool multiply(int64_t *count, int64_t size) {
  return size > 0 && !__builtin_mul_overflow(*count, size, count) &&
         *count <= MAX_ELEMENTS;
}

static bool isPlain(const XlaIndexingMapParts *parts) {
  int64_t count = 1;
  for (intptr_t d = 0; d < parts->nDims; ++d)
    if (parts->dims[d].lower != 0 || parts->dims[d].upper > MAX_ELEMENTS ||
        !multiply(&count, parts->dims[d].upper + 1))
      return false;
  return !parts->nRanges && !parts->nRuntimes && !parts->nConstraints;
}

bool xlaIndexingMapGetStridedRead(const XlaIndexingMap *map,
                                  const int64_t *sizes, XlaStridedRead *read) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  MlirContext context = mlirAffineMapGetContext(parts->map);
  XlaRules rules = {.context = context, .dims = parts->dims};
  MlirAffineExpr position = mlirAffineConstantExprGet(context, 0);
  int64_t stride = 1;
  read->n = 0;
  if (!isPlain(parts))
    return false;
  for (intptr_t i = mlirAffineMapGetNumResults(parts->map) - 1; i >= 0; --i) {
    position = xlaExprAdd(
        xlaExprScale(mlirAffineMapGetResult(parts->map, i), stride), position);
    if (!multiply(&stride, sizes[i]))
      return false;
  }
  XlaLinear sum = {0};
  bool found = xlaRulesSimplifyToSum(&rules, position, &sum) &&
               readDigits(parts, &sum, read);
  xlaRulesFree(&rules);
  return found;
}

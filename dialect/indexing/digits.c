//===- digits.c - Variables in digits -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/digits.h"

#include <string.h>

enum { maxPerVariable = 16 };

/// A monomial as ((variable + offset) floordiv divisor) mod modulus; a modulus
/// of 0 is none. The variable alone has offset 0.
static bool isPart(const XlaInverter *v, MlirAffineExpr monomial,
                   intptr_t *variable, int64_t *offset, int64_t *divisor,
                   int64_t *modulus) {
  *divisor = 1;
  *modulus = *offset = 0;
  xlaExprIsBy(monomial, XlaExprKindMod, &monomial, modulus);
  xlaExprIsBy(monomial, XlaExprKindFloorDiv, &monomial, divisor);
  if (xlaExprGetKind(monomial) == XlaExprKindAdd &&
      xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(monomial), offset))
    monomial = mlirAffineBinaryOpExprGetLHS(monomial);
  if (!mlirAffineExprIsADim(monomial))
    return false;
  *variable = mlirAffineDimExprGetPosition(monomial);
  return *offset == v->offsets[*variable] ||
         (*offset == 0 && *divisor == 1 && *modulus == 0);
}

void xlaInverterFindOffsets(XlaInverter *v) {
  for (intptr_t r = 0; r < v->nResults; ++r)
    for (int t = 0; t < v->sums[r].n; ++t) {
      MlirAffineExpr monomial = v->sums[r].terms[t].monomial;
      int64_t divisor, offset;
      bool divides = xlaExprIsBy(monomial, XlaExprKindMod, &monomial, &divisor);
      divides |=
          xlaExprIsBy(monomial, XlaExprKindFloorDiv, &monomial, &divisor);
      if (!divides || xlaExprGetKind(monomial) != XlaExprKindAdd ||
          !xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(monomial), &offset) ||
          !mlirAffineExprIsADim(mlirAffineBinaryOpExprGetLHS(monomial)))
        continue;
      v->offsets[mlirAffineDimExprGetPosition(
          mlirAffineBinaryOpExprGetLHS(monomial))] = offset;
    }
}

/// Weights at which dimension `dim` is cut, in order. 0 if they do not divide
/// one another.
static int findWeights(const XlaInverter *v, intptr_t dim, int64_t *weights) {
  int n = 1;
  weights[0] = 1;
  for (intptr_t r = 0; r < v->nResults; ++r)
    for (int t = 0; t < v->sums[r].n; ++t) {
      intptr_t which;
      int64_t cuts[2], modulus, offset;
      if (!isPart(v, v->sums[r].terms[t].monomial, &which, &offset, &cuts[0],
                  &modulus) ||
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
        if (n == maxPerVariable)
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

bool xlaInverterFindDigits(XlaInverter *v) {
  for (intptr_t d = 0; d < v->nVariables; ++d) {
    int64_t weights[maxPerVariable];
    int n = findWeights(v, d, weights);
    if (n == 0 || v->nDigits + n > XLA_MAX_DIGITS)
      return false;
    for (int i = 0; i < n; ++i) {
      XlaInterval range = xlaIntervalFloorDiv(
          xlaIntervalAdd(v->bounds[d], xlaIntervalPoint(v->offsets[d])),
          weights[i]);
      if (i + 1 < n)
        range = xlaIntervalMod(range, weights[i + 1] / weights[i]);
      v->digits[v->nDigits++] = (XlaDigit){d, weights[i], range, {NULL}};
    }
  }
  return true;
}

void xlaInverterBoundDigits(XlaInverter *v,
                            const XlaIndexingConstraint *constraints,
                            intptr_t n) {
  for (intptr_t c = 0; c < n; ++c) {
    intptr_t variable;
    int64_t offset, divisor, modulus;
    if (!isPart(v, constraints[c].expr, &variable, &offset, &divisor,
                &modulus) ||
        !modulus)
      continue;
    for (int i = 0; i < v->nDigits; ++i) {
      XlaDigit *digit = &v->digits[i];
      bool isLast = i + 1 == v->nDigits || digit[1].variable != variable;
      if (digit->variable == variable && digit->weight == divisor && !isLast &&
          digit[1].weight == divisor * modulus)
        digit->bounds =
            xlaIntervalIntersect(digit->bounds, constraints[c].bounds);
    }
  }
}

/// Adds factor * (the digits of weights in [divisor, end)) to `shares`. False
/// on overflow.
static bool addShares(const XlaInverter *v, intptr_t variable, int64_t divisor,
                      int64_t end, int64_t factor, XlaShare *shares, int *n) {
  for (int i = 0; i < v->nDigits; ++i) {
    const XlaDigit *digit = &v->digits[i];
    int64_t product;
    if (digit->variable != variable || digit->weight < divisor ||
        digit->weight >= end)
      continue;
    if (__builtin_mul_overflow(digit->weight / divisor, factor, &product))
      return false;
    int at = 0;
    while (at < *n && shares[at].digit != i)
      ++at;
    if (at == *n)
      shares[(*n)++] = (XlaShare){i, 0};
    if (__builtin_add_overflow(shares[at].factor, product, &shares[at].factor))
      return false;
  }
  return true;
}

int xlaInverterFindShares(const XlaInverter *v, intptr_t r, XlaShare *shares,
                          MlirAffineExpr *known) {
  const XlaLinear *sum = &v->sums[r];
  int n = 0;
  *known = mlirAffineConstantExprGet(v->rules.context, sum->constant);
  for (int t = 0; t < sum->n; ++t) {
    intptr_t variable;
    int64_t offset, divisor, modulus, product;
    XlaTerm term = sum->terms[t];
    if (mlirAffineExprIsSymbolicOrConstant(term.monomial))
      *known = xlaExprAdd(*known, xlaExprScale(term.monomial, term.factor));
    else if (!isPart(v, term.monomial, &variable, &offset, &divisor,
                     &modulus) ||
             !addShares(v, variable, divisor,
                        modulus ? divisor * modulus : INT64_MAX, term.factor,
                        shares, &n) ||
             __builtin_mul_overflow(offset - v->offsets[variable], term.factor,
                                    &product))
      return -1;
    else
      *known = xlaExprShift(*known, product);
  }
  for (int i = 0; i < n; ++i)
    if (shares[i].factor == INT64_MIN) // has no magnitude
      return -1;
  return n;
}

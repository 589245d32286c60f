//===- simplify_sum.c - Quotients and remainders in sums ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x = c (x floordiv c) + x mod c is read in both directions. The numbers
// (x floordiv a) mod m are digits of x, so a sum of them is put together from
// its first digits on: with q = x floordiv (a m),
//   m q + (x floordiv a) mod m = x floordiv a,
//   m (q mod n) + (x floordiv a) mod m = (x floordiv a) mod (n m).
// Below a remainder by n, factors need to fit only but for multiples of n.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"

enum {
  maxRewrites = 64,
  maxAttempts = 1024, ///< at one sum
};

/// A sum whose terms are joined.
typedef struct Join {
  XlaRules *rules;
  XlaLinear *sum;
  int64_t modulus; ///< multiples of it do not matter; 0: all do
  int attempts;
} Join;

/// Whether there may be one attempt more.
static bool attempt(Join *join) {
  return !join->rules->failed && join->attempts++ < maxAttempts;
}

/// Whether factors a and b are equal, as far as it matters.
static bool areLike(const Join *join, int64_t a, int64_t b) {
  int64_t difference;
  return a == b ||
         (join->modulus && !__builtin_sub_overflow(a, b, &difference) &&
          difference % join->modulus == 0);
}

/// The digits of x before its last one, in a term of a sum.
typedef struct First {
  int term;
  int64_t modulus;    ///< 0: all of them
  XlaLinear quotient; ///< x floordiv c without what the term is
  XlaLinear more;     ///< what the term is more than the quotient
} First;

/// Whether `x` floordiv `divisor` is a quotient among the terms of `quotient`,
/// but for what leaves it: `first->more`.
static bool isQuotientIn(XlaRules *rules, const XlaLinear *quotient,
                         MlirAffineExpr x, int64_t divisor, First *first) {
  for (int q = 0; q < quotient->n; ++q) {
    XlaTerm term = quotient->terms[q];
    MlirAffineExpr y;
    int64_t c;
    bool leaves = true;
    if (term.factor != 1 ||
        !xlaExprIsBy(term.monomial, XlaExprKindFloorDiv, &y, &c) ||
        c != divisor)
      continue;
    XlaLinear difference = {0};
    xlaLinearAddExpr(rules, &difference, x, 1);
    xlaLinearAddExpr(rules, &difference, y, -1);
    leaves = difference.constant % c == 0;
    for (int i = 0; i < difference.n; ++i)
      leaves &= difference.terms[i].factor % c == 0;
    if (!leaves || rules->failed)
      continue;
    first->more = first->quotient = (XlaLinear){0};
    xlaLinearFloorDiv(rules, &difference, c, &first->more);
    xlaLinearAdd(rules, &first->quotient, quotient, 1);
    xlaLinearAddTerm(rules, &first->quotient, term.monomial, -1);
    return true;
  }
  return false;
}

/// Finds the first digits beside term `i` of the sum, times `factor`: a
/// quotient that is in `quotient`, or a remainder of all of it.
static bool findFirst(Join *join, int i, const XlaLinear *quotient,
                      int64_t factor, First *first) {
  XlaRules *rules = join->rules;
  for (int t = 0; t < join->sum->n; ++t) {
    MlirAffineExpr monomial = join->sum->terms[t].monomial, x;
    int64_t c;
    *first = (First){.term = t};
    if (t == i || !areLike(join, join->sum->terms[t].factor, factor))
      continue;
    if (!attempt(join))
      return false;
    if (xlaExprIsBy(monomial, XlaExprKindFloorDiv, &x, &c)) {
      if (isQuotientIn(rules, quotient, x, c, first))
        return true;
    } else if (xlaExprIsBy(monomial, XlaExprKindMod, &x, &first->modulus)) {
      XlaLinear difference = {0}, rest = {0};
      xlaLinearAddExpr(rules, &difference, x, -1);
      xlaLinearAdd(rules, &difference, quotient, 1);
      xlaLinearMod(rules, &difference, first->modulus, &rest);
      if (!rules->failed && !rest.n && !rest.constant)
        return true;
    }
  }
  return false;
}

/// Takes the first digits from `sum`, and from it what they are more than
/// factor x floordiv c, so that this may be added.
static void takeFirst(Join *join, const First *first, int64_t factor) {
  XlaRules *rules = join->rules;
  XlaLinear *sum = join->sum;
  XlaTerm digits = sum->terms[first->term];
  xlaLinearAddTerm(rules, sum, digits.monomial, -digits.factor);
  if (first->modulus)
    return;
  xlaLinearAdd(rules, sum, &first->more, factor);
  xlaLinearAdd(rules, sum, &first->quotient, -factor);
}

/// k (x mod c) + k c (x floordiv c) is k x, and
/// k (x mod c) + k c ((x floordiv c) mod n) is k (x mod (c n)), for term `i` of
/// `sum`.
static bool joinRemainder(Join *join, int i) {
  XlaRules *rules = join->rules;
  XlaLinear *sum = join->sum;
  XlaTerm term = sum->terms[i];
  MlirAffineExpr x;
  First first;
  int64_t c, factor, size;
  if (!xlaExprIsBy(term.monomial, XlaExprKindMod, &x, &c) ||
      __builtin_mul_overflow(term.factor, c, &factor))
    return false;
  XlaLinear numerator = {0}, quotient = {0}, joined = {0};
  xlaLinearAddExpr(rules, &numerator, x, 1);
  xlaLinearFloorDiv(rules, &numerator, c, &quotient);
  if (!findFirst(join, i, &quotient, factor, &first) || rules->failed ||
      __builtin_mul_overflow(c, first.modulus, &size))
    return false;
  if (first.modulus)
    xlaLinearMod(rules, &numerator, size, &joined);
  else
    joined = numerator;
  takeFirst(join, &first, factor);
  xlaLinearAddTerm(rules, sum, term.monomial, -term.factor);
  xlaLinearAdd(rules, sum, &joined, term.factor);
  return true;
}

/// k ((x + f (y mod n)) floordiv c) + k t (y floordiv n), where f n is t c, is
/// k ((x + f y) floordiv c), for term `i` of `sum`.
static bool joinBelow(Join *join, int i) {
  XlaRules *rules = join->rules;
  XlaLinear *sum = join->sum;
  XlaTerm term = sum->terms[i];
  MlirAffineExpr x, y;
  First first;
  int64_t c, n, factor;
  XlaLinear numerator = {0}, joined = {0};
  if (!xlaExprIsBy(term.monomial, XlaExprKindFloorDiv, &x, &c))
    return false;
  xlaLinearAddExpr(rules, &numerator, x, 1);
  for (int j = 0; j < numerator.n && !rules->failed; ++j) {
    XlaTerm inner = numerator.terms[j];
    XlaLinear wrapped = {0}, quotient = {0};
    if (!xlaExprIsBy(inner.monomial, XlaExprKindMod, &y, &n) ||
        __builtin_mul_overflow(inner.factor, n, &factor) || factor % c ||
        __builtin_mul_overflow(factor / c, term.factor, &factor))
      continue;
    xlaLinearAddExpr(rules, &wrapped, y, 1);
    xlaLinearFloorDiv(rules, &wrapped, n, &quotient);
    if (!findFirst(join, i, &quotient, factor, &first) || first.modulus ||
        rules->failed)
      continue;
    xlaLinearAddTerm(rules, &numerator, inner.monomial, -inner.factor);
    xlaLinearAdd(rules, &numerator, &wrapped, inner.factor);
    xlaLinearFloorDiv(rules, &numerator, c, &joined);
    takeFirst(join, &first, factor);
    xlaLinearAddTerm(rules, sum, term.monomial, -term.factor);
    xlaLinearAdd(rules, sum, &joined, term.factor);
    return true;
  }
  return false;
}

/// Whether all terms of factor * part are in `sum`, or more of them.
static bool includes(const XlaLinear *sum, const XlaLinear *part,
                     int64_t factor) {
  for (int i = 0; i < part->n; ++i) {
    int64_t have = xlaLinearGet(sum, part->terms[i].monomial), want;
    if (__builtin_mul_overflow(part->terms[i].factor, factor, &want) ||
        have == 0 || (have < 0) != (want < 0) ||
        (want < 0 ? have > want : have < want))
      return false;
  }
  return part->n > 0;
}

/// Whether the terms of factor * part are terms of the sum.
static bool has(const Join *join, const XlaLinear *part, int64_t factor) {
  for (int i = 0; i < part->n; ++i) {
    int64_t have = xlaLinearGet(join->sum, part->terms[i].monomial), want;
    if (__builtin_mul_overflow(part->terms[i].factor, factor, &want) ||
        have == 0 || !areLike(join, have, want))
      return false;
  }
  return part->n > 0;
}

/// k x - k c (x floordiv c) is k (x mod c), for term `i` of `sum`.
static bool makeRemainder(Join *join, int i) {
  XlaRules *rules = join->rules;
  XlaLinear *sum = join->sum;
  XlaTerm term = sum->terms[i];
  MlirAffineExpr x;
  int64_t c;
  if (!xlaExprIsBy(term.monomial, XlaExprKindFloorDiv, &x, &c) ||
      term.factor % c || term.factor == INT64_MIN)
    return false;
  int64_t k = -term.factor / c;
  XlaLinear numerator = {0}, remainder = {0};
  xlaLinearAddExpr(rules, &numerator, x, 1);
  if (!includes(sum, &numerator, k))
    return false;
  xlaLinearMod(rules, &numerator, c, &remainder);
  xlaLinearAddTerm(rules, sum, term.monomial, -term.factor);
  xlaLinearAdd(rules, sum, &numerator, -k);
  xlaLinearAdd(rules, sum, &remainder, k);
  return true;
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

/// First digits: x floordiv divisor or, if `modulus` is not 0,
/// (x floordiv divisor + rest) mod modulus.
typedef struct Digits {
  MlirAffineExpr x;
  int64_t divisor, modulus;
  XlaLinear rest;
} Digits;

static bool areDigits(XlaRules *rules, MlirAffineExpr monomial, Digits *d) {
  MlirAffineExpr sum;
  *d = (Digits){0};
  if (xlaExprIsBy(monomial, XlaExprKindFloorDiv, &d->x, &d->divisor))
    return true;
  if (!xlaExprIsBy(monomial, XlaExprKindMod, &sum, &d->modulus))
    return false;
  xlaLinearAddExpr(rules, &d->rest, sum, 1);
  for (int i = 0; i < d->rest.n; ++i) {
    XlaTerm term = d->rest.terms[i];
    if (term.factor != 1 ||
        !xlaExprIsBy(term.monomial, XlaExprKindFloorDiv, &d->x, &d->divisor))
      continue;
    xlaLinearAddTerm(rules, &d->rest, term.monomial, -1);
    return true;
  }
  return false;
}

/// Appends k times the next digit, one of `m`, to term `i`, which is `d`.
static bool joinDigit(Join *join, int i, const Digits *d, int64_t k,
                      int64_t m) {
  XlaRules *rules = join->rules;
  XlaTerm term = join->sum->terms[i];
  XlaLinear x = {0}, joined = {0}, digit = {0};
  int64_t product;
  if (!attempt(join))
    return false;
  xlaLinearAddExpr(rules, &x, d->x, 1);
  xlaLinearFloorDiv(rules, &x, d->divisor / m, &joined);
  xlaLinearMod(rules, &joined, m, &digit);
  if (rules->failed || !has(join, &digit, k) ||
      __builtin_mul_overflow(d->modulus, m, &product))
    return false;
  if (d->modulus) {
    XlaLinear longer = joined;
    joined = (XlaLinear){0};
    xlaLinearAdd(rules, &longer, &d->rest, m);
    xlaLinearMod(rules, &longer, product, &joined);
  }
  xlaLinearAddTerm(rules, join->sum, term.monomial, -term.factor);
  xlaLinearAdd(rules, join->sum, &digit, -k);
  xlaLinearAdd(rules, join->sum, &joined, k);
  return true;
}

/// Whether the factor of term `i`, `d`, is that of m digits times k.
static bool fits(const Join *join, int i, const Digits *d, int64_t k,
                 int64_t m) {
  int64_t product;
  return m > 1 && d->divisor % m == 0 &&
         !__builtin_mul_overflow(k, m, &product) &&
         areLike(join, product, join->sum->terms[i].factor);
}

/// Appends a digit to term `i`: how many values it has tells the factor, the
/// digit's own modulus, or that it is the last one.
static bool joinDigits(Join *join, int i) {
  XlaTerm term = join->sum->terms[i];
  Digits d;
  MlirAffineExpr x;
  if (term.factor == INT64_MIN || !areDigits(join->rules, term.monomial, &d))
    return false;
  for (int j = 0; j < join->sum->n; ++j) {
    XlaTerm next = join->sum->terms[j];
    int64_t k = next.factor, sizes[3] = {0, 0, d.divisor};
    if (j == i || k == INT64_MIN)
      continue;
    sizes[0] = term.factor % k ? 0 : term.factor / k;
    if (!xlaExprIsBy(next.monomial, XlaExprKindMod, &x, &sizes[1]))
      sizes[1] = 0;
    for (int s = 0; s < 3; ++s)
      if ((s == 0 || sizes[s] != sizes[0]) && fits(join, i, &d, k, sizes[s]) &&
          joinDigit(join, i, &d, k, sizes[s]))
        return true;
  }
  return term.factor % d.divisor == 0 &&
         joinDigit(join, i, &d, term.factor / d.divisor, d.divisor);
}

bool xlaLinearJoin(XlaRules *rules, XlaLinear *sum, int64_t modulus) {
  Join join = {rules, sum, modulus, 0};
  int n = 0;
  if (rules->isJoining)
    return false;
  rules->isJoining = true;
  for (int i = 0; i < sum->n && n < maxRewrites && !rules->failed; ++i)
    if (joinRemainder(&join, i) || joinBelow(&join, i) ||
        joinDigits(&join, i) || (!modulus && makeRemainder(&join, i))) {
      ++n;
      i = -1;
    }
  rules->isJoining = false;
  return n > 0;
}

//===- simplify_expr.c - Rules for expressions with known bounds ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotients and remainders of a sum S by c > 0 are simplified alike:
//  - multiples of c leave them;
//  - where S stays in one period of c, the quotient is a constant;
//  - with S = g A + B, g dividing c, and B in one period of g, they are those
//    of A by c / g;
//  - (x floordiv a + A) floordiv c is (x + a A) floordiv (a c).
// Sums are simplified in simplify_sum.c.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"

/// Of expressions, and of rules that lead to rules.
enum { maxDepth = 400 };

static MlirAffineExpr constant(XlaRules *rules, int64_t value) {
  return mlirAffineConstantExprGet(rules->context, value);
}

static bool enter(XlaRules *rules) {
  rules->failed |= ++rules->depth > maxDepth;
  return !rules->failed;
}

/// Whether all of `range` has one quotient by `divisor`.
static bool isOnePeriod(XlaInterval range, int64_t divisor, int64_t *quotient) {
  XlaInterval quotients = xlaIntervalFloorDiv(range, divisor);
  *quotient = quotients.lower;
  return xlaIntervalIsPoint(quotients);
}

/// Sets the constant to one of the two nearest to 0 that differ by multiples of
/// `divisor`: the negative one where only with it S begins in [0, divisor).
/// Returns by how many multiples it became smaller.
static int64_t reduceConstant(XlaRules *rules, XlaLinear *sum,
                              int64_t divisor) {
  int64_t count = xlaFloorDiv(sum->constant, divisor);
  sum->constant = xlaFloorMod(sum->constant, divisor);
  int64_t above = xlaLinearRange(rules, sum).lower;
  if (above < divisor || above - divisor >= divisor)
    return count;
  sum->constant -= divisor;
  return count + 1;
}

//===----------------------------------------------------------------------===//
// S = g A + B
//===----------------------------------------------------------------------===//

/// Splits by `g`, which divides `divisor`: A goes to `high` and includes the
/// period in which B lies, so that `low`, in [0, g), is B without it.
static bool splitBy(XlaRules *rules, const XlaLinear *sum, int64_t g,
                    XlaLinear *high, XlaLinear *low) {
  *high = *low = (XlaLinear){0};
  high->constant = xlaFloorDiv(sum->constant, g);
  low->constant = xlaFloorMod(sum->constant, g);
  for (int i = 0; i < sum->n; ++i) {
    const XlaTerm *term = &sum->terms[i];
    bool isHigh = term->factor % g == 0;
    xlaLinearAddTerm(rules, isHigh ? high : low, term->monomial,
                     isHigh ? term->factor / g : term->factor);
  }
  int64_t period;
  if (!isOnePeriod(xlaLinearRange(rules, low), g, &period))
    return false;
  xlaLinearAddConstant(rules, high, period);
  xlaLinearAddConstant(rules, low, -(period * g));
  return true;
}

/// The largest g above 1 that `sum` can be split by.
static int64_t split(XlaRules *rules, const XlaLinear *sum, int64_t divisor,
                     XlaLinear *high, XlaLinear *low) {
  for (int64_t below = INT64_MAX;;) {
    int64_t g = 1;
    for (int i = 0; i < sum->n; ++i) {
      int64_t candidate = (int64_t)xlaGcd(sum->terms[i].factor, divisor);
      g = candidate > g && candidate < below ? candidate : g;
    }
    if (g == 1 || rules->failed)
      return 1;
    if (splitBy(rules, sum, g, high, low))
      return g;
    below = g;
  }
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// The one quotient in `sum`, if its factor is 1 and there are no remainders;
/// else NULL.
static const XlaTerm *onlyQuotient(const XlaLinear *sum) {
  const XlaTerm *found = NULL;
  MlirAffineExpr lhs;
  int64_t divisor;
  for (int i = 0; i < sum->n; ++i) {
    const XlaTerm *term = &sum->terms[i];
    bool is = xlaExprIsBy(term->monomial, XlaExprKindFloorDiv, &lhs, &divisor);
    if ((is && found) ||
        xlaExprIsBy(term->monomial, XlaExprKindMod, &lhs, &divisor))
      return NULL;
    found = is ? term : found;
  }
  return found && found->factor == 1 ? found : NULL;
}

/// (x floordiv a + A) floordiv c.
static bool divideQuotient(XlaRules *rules, const XlaLinear *sum,
                           int64_t divisor, XlaLinear *result) {
  const XlaTerm *inner = onlyQuotient(sum);
  MlirAffineExpr x;
  int64_t a, product;
  if (!inner)
    return false;
  xlaExprIsBy(inner->monomial, XlaExprKindFloorDiv, &x, &a);
  if (__builtin_mul_overflow(a, divisor, &product))
    return false;
  XlaLinear numerator = {0};
  xlaLinearAdd(rules, &numerator, sum, a);
  xlaLinearAddTerm(rules, &numerator, inner->monomial, -a);
  xlaLinearAddExpr(rules, &numerator, x, 1);
  xlaLinearFloorDiv(rules, &numerator, product, result);
  return true;
}

/// g (x mod m) + B, with B in [0, g), is (g x + B) mod (g m), and
/// (x mod (a c)) floordiv c is (x floordiv c) mod a.
static bool divideRemainder(XlaRules *rules, const XlaLinear *sum,
                            int64_t divisor, XlaLinear *result) {
  MlirAffineExpr x;
  int64_t modulus, g = 0;
  int at = 0;
  for (int i = 0; i < sum->n; ++i)
    if (sum->terms[i].factor > g) {
      g = sum->terms[i].factor;
      at = i;
    }
  if (!g ||
      !xlaExprIsBy(sum->terms[at].monomial, XlaExprKindMod, &x, &modulus) ||
      __builtin_mul_overflow(g, modulus, &modulus) || modulus % divisor)
    return false;
  XlaLinear numerator = {0}, quotient = {0};
  xlaLinearAdd(rules, &numerator, sum, 1);
  xlaLinearAddTerm(rules, &numerator, sum->terms[at].monomial, -g);
  XlaInterval low = xlaLinearRange(rules, &numerator);
  if (low.lower < 0 || low.upper >= g)
    return false;
  xlaLinearAddExpr(rules, &numerator, x, g);
  xlaLinearFloorDiv(rules, &numerator, divisor, &quotient);
  xlaLinearMod(rules, &quotient, modulus / divisor, result);
  return true;
}

void xlaLinearFloorDiv(XlaRules *rules, const XlaLinear *sum, int64_t divisor,
                       XlaLinear *result) {
  if (!enter(rules))
    return;
  XlaLinear rest = {.constant = sum->constant};
  for (int i = 0; i < sum->n; ++i) {
    bool leaves = sum->terms[i].factor % divisor == 0;
    xlaLinearAddTerm(rules, leaves ? result : &rest, sum->terms[i].monomial,
                     sum->terms[i].factor / (leaves ? divisor : 1));
  }
  int64_t quotient;
  XlaLinear high, low;
  xlaLinearAddConstant(rules, result, reduceConstant(rules, &rest, divisor));
  if (isOnePeriod(xlaLinearRange(rules, &rest), divisor, &quotient)) {
    xlaLinearAddConstant(rules, result, quotient);
  } else if (!divideRemainder(rules, &rest, divisor, result)) {
    int64_t g = split(rules, &rest, divisor, &high, &low);
    if (g > 1)
      xlaLinearFloorDiv(rules, &high, divisor / g, result);
    else if (!divideQuotient(rules, &rest, divisor, result))
      xlaLinearAddExpr(rules, result,
                       mlirAffineFloorDivExprGet(xlaLinearToExpr(rules, &rest),
                                                 constant(rules, divisor)),
                       1);
  }
  --rules->depth;
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

static void reduce(XlaRules *rules, const XlaLinear *sum, int64_t divisor,
                   XlaLinear *rest);

/// factor (x floordiv c) is what it is for x without multiples of c m, less a
/// multiple of factor m. False if x has none.
static bool dropMultiplesBelow(XlaRules *rules, XlaTerm term, int64_t m,
                               XlaLinear *rest) {
  MlirAffineExpr x;
  int64_t c, product;
  XlaLinear numerator = {0}, less = {0}, quotient = {0};
  if (!xlaExprIsBy(term.monomial, XlaExprKindFloorDiv, &x, &c) ||
      __builtin_mul_overflow(c, m, &product) || !enter(rules))
    return false;
  xlaLinearAddExpr(rules, &numerator, x, 1);
  reduce(rules, &numerator, product, &less);
  --rules->depth;
  if (rules->failed || xlaLinearToExpr(rules, &less).ptr == x.ptr)
    return false;
  xlaLinearFloorDiv(rules, &less, c, &quotient);
  xlaLinearAdd(rules, rest, &quotient, term.factor);
  return true;
}

/// `sum` without multiples of `divisor`: also those in remainders and
/// quotients.
static void dropMultiples(XlaRules *rules, const XlaLinear *sum,
                          int64_t divisor, XlaLinear *rest) {
  *rest = (XlaLinear){.constant = sum->constant};
  for (int i = 0; i < sum->n && !rules->failed; ++i) {
    XlaTerm term = sum->terms[i];
    MlirAffineExpr x;
    int64_t modulus;
    term.factor %= divisor;
    // factor (x mod m) is factor x less a multiple of factor m.
    if (xlaExprIsBy(term.monomial, XlaExprKindMod, &x, &modulus) &&
        term.factor % (divisor / (int64_t)xlaGcd(modulus, divisor)) == 0)
      xlaLinearAddExpr(rules, rest, x, term.factor);
    else if (!dropMultiplesBelow(
                 rules, term, divisor / (int64_t)xlaGcd(term.factor, divisor),
                 rest))
      xlaLinearAddTerm(rules, rest, term.monomial, term.factor);
  }
  // Sums of remainders may have become multiples.
  for (int i = rest->n - 1; i >= 0; --i)
    if (rest->terms[i].factor % divisor == 0)
      rest->terms[i] = rest->terms[--rest->n];
    else
      rest->terms[i].factor %= divisor;
  reduceConstant(rules, rest, divisor);
}

/// `sum`, but for multiples of `divisor`, in fewer terms.
static void reduce(XlaRules *rules, const XlaLinear *sum, int64_t divisor,
                   XlaLinear *rest) {
  dropMultiples(rules, sum, divisor, rest);
  if (!xlaLinearJoin(rules, rest, divisor))
    return;
  XlaLinear joined = *rest;
  dropMultiples(rules, &joined, divisor, rest);
}

void xlaLinearMod(XlaRules *rules, const XlaLinear *sum, int64_t divisor,
                  XlaLinear *result) {
  if (!enter(rules))
    return;
  XlaLinear rest, high, low, inner = {0};
  int64_t quotient, offset;
  bool isOne = isOnePeriod(xlaLinearRange(rules, sum), divisor, &quotient);
  if (isOne) {
    rest = *sum;
  } else {
    reduce(rules, sum, divisor, &rest);
    isOne = isOnePeriod(xlaLinearRange(rules, &rest), divisor, &quotient);
  }
  if (isOne) {
    rules->failed |= __builtin_mul_overflow(quotient, -divisor, &offset);
    xlaLinearAdd(rules, result, &rest, 1);
    xlaLinearAddConstant(rules, result, offset);
  } else {
    int64_t g = split(rules, &rest, divisor, &high, &low);
    if (g > 1) {
      xlaLinearMod(rules, &high, divisor / g, &inner);
      xlaLinearAdd(rules, result, &inner, g);
      xlaLinearAdd(rules, result, &low, 1);
    } else {
      xlaLinearAddExpr(rules, result,
                       mlirAffineModExprGet(xlaLinearToExpr(rules, &rest),
                                            constant(rules, divisor)),
                       1);
    }
  }
  --rules->depth;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static MlirAffineExpr simplify(XlaRules *rules, MlirAffineExpr expr);

static bool isPoint(const XlaRules *rules, XlaInterval bounds) {
  return !rules->keepPoints && xlaIntervalIsPoint(bounds);
}

/// Quotients and remainders by `divisor`, and products.
static void simplifyBinary(XlaRules *rules, MlirAffineExpr expr,
                           XlaLinear *result) {
  XlaExprKind kind = xlaExprGetKind(expr);
  MlirAffineExpr lhs = simplify(rules, mlirAffineBinaryOpExprGetLHS(expr));
  MlirAffineExpr rhs = simplify(rules, mlirAffineBinaryOpExprGetRHS(expr));
  XlaLinear x = {0};
  int64_t c;
  bool isConstant = xlaExprIsConstant(rhs, &c) && c != 0 && c != INT64_MIN;
  if (kind == XlaExprKindMul) {
    xlaLinearAddExpr(rules, result, mlirAffineMulExprGet(lhs, rhs), 1);
  } else if (!isConstant || (kind == XlaExprKindMod && c < 0)) {
    MlirAffineExpr same =
        kind == XlaExprKindMod        ? mlirAffineModExprGet(lhs, rhs)
        : kind == XlaExprKindFloorDiv ? mlirAffineFloorDivExprGet(lhs, rhs)
                                      : mlirAffineCeilDivExprGet(lhs, rhs);
    xlaLinearAddExpr(rules, result, same, 1);
  } else if (kind == XlaExprKindMod) {
    xlaLinearAddExpr(rules, &x, lhs, 1);
    xlaLinearMod(rules, &x, c, result);
  } else if (kind == XlaExprKindFloorDiv) {
    xlaLinearAddExpr(rules, &x, lhs, c < 0 ? -1 : 1);
    xlaLinearFloorDiv(rules, &x, c < 0 ? -c : c, result);
  } else { // x ceildiv c is -(-x floordiv c)
    XlaLinear quotient = {0};
    xlaLinearAddExpr(rules, &x, lhs, c < 0 ? 1 : -1);
    xlaLinearFloorDiv(rules, &x, c < 0 ? -c : c, &quotient);
    xlaLinearAdd(rules, result, &quotient, -1);
  }
}

/// sum += factor * expr. Long sums are nested on the left.
static void simplifyInto(XlaRules *rules, MlirAffineExpr expr, int64_t factor,
                         XlaLinear *sum) {
  int64_t value;
  if (!enter(rules))
    return;
  for (; xlaExprGetKind(expr) == XlaExprKindAdd;
       expr = mlirAffineBinaryOpExprGetLHS(expr))
    simplifyInto(rules, mlirAffineBinaryOpExprGetRHS(expr), factor, sum);
  if (xlaExprGetKind(expr) == XlaExprKindMul &&
      xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(expr), &value)) {
    rules->failed |= __builtin_mul_overflow(value, factor, &value);
    simplifyInto(rules, mlirAffineBinaryOpExprGetLHS(expr), value, sum);
  } else {
    xlaLinearAddExpr(rules, sum, simplify(rules, expr), factor);
  }
  --rules->depth;
}

/// Simplifies an expression and remembers the result.
static MlirAffineExpr simplify(XlaRules *rules, MlirAffineExpr expr) {
  XlaExprKind kind = xlaExprGetKind(expr);
  XlaInterval bounds;
  if (kind == XlaExprKindConstant)
    return expr;
  if (kind == XlaExprKindDim || kind == XlaExprKindSymbol) {
    bounds = kind == XlaExprKindDim
                 ? rules->dims[mlirAffineDimExprGetPosition(expr)]
                 : rules->symbols[mlirAffineSymbolExprGetPosition(expr)];
    return isPoint(rules, bounds) ? constant(rules, bounds.lower) : expr;
  }
  const void *known =
      (const void *)xlaPointerMapGet(&rules->simplified, expr.ptr);
  if (known)
    return (MlirAffineExpr){known};
  if (!enter(rules))
    return expr;
  XlaLinear sum = {0};
  bool isMultiple =
      kind == XlaExprKindMul &&
      mlirAffineExprIsAConstant(mlirAffineBinaryOpExprGetRHS(expr));
  if (kind == XlaExprKindAdd || isMultiple)
    simplifyInto(rules, expr, 1, &sum);
  else
    simplifyBinary(rules, expr, &sum);
  xlaLinearJoin(rules, &sum, 0);
  --rules->depth;
  if (rules->failed)
    return expr;
  MlirAffineExpr result = xlaLinearToExpr(rules, &sum);
  if (!xlaPointerMapSet(&rules->simplified, expr.ptr, (intptr_t)result.ptr))
    rules->failed = true;
  return result;
}

/// Whether a part of `expr` has a constant beyond 2^31, and (unless NULL)
/// whether one may be beyond 64 bits.
static void findLarge(XlaRules *rules, MlirAffineExpr expr, bool *isLarge,
                      bool *isBeyond) {
  int64_t value;
  XlaExprKind kind = xlaExprGetKind(expr);
  if (kind == XlaExprKindDim || kind == XlaExprKindSymbol)
    return;
  if (xlaExprIsConstant(expr, &value)) {
    *isLarge |= value > INT32_MAX || value < INT32_MIN;
    return;
  }
  if (isBeyond) {
    XlaInterval range = xlaExprRange(rules, expr);
    *isBeyond |= range.lower == INT64_MIN || range.upper == INT64_MAX;
  }
  findLarge(rules, mlirAffineBinaryOpExprGetLHS(expr), isLarge, isBeyond);
  findLarge(rules, mlirAffineBinaryOpExprGetRHS(expr), isLarge, isBeyond);
}

/// Whether `result` may overflow where `expr` does not.
static bool overflowsMore(XlaRules *rules, MlirAffineExpr expr,
                          MlirAffineExpr result) {
  bool isLarge = false, before = false, after = false;
  findLarge(rules, result, &isLarge, NULL);
  if (!isLarge)
    return false;
  findLarge(rules, expr, &isLarge, &before);
  findLarge(rules, result, &isLarge, &after);
  return after && !before;
}

MlirAffineExpr xlaRulesSimplify(XlaRules *rules, MlirAffineExpr expr) {
  MlirAffineExpr original = expr;
  rules->failed = false;
  rules->depth = 0;
  // What a rule makes may be what another one takes.
  for (int i = 0; i < 8; ++i) {
    MlirAffineExpr result = simplify(rules, expr);
    if (rules->failed || result.ptr == expr.ptr)
      break;
    expr = result;
  }
  return expr.ptr != original.ptr && overflowsMore(rules, original, expr)
             ? original
             : expr;
}

bool xlaRulesSimplifyToSum(XlaRules *rules, MlirAffineExpr expr,
                           XlaLinear *sum) {
  expr = xlaRulesSimplify(rules, expr);
  rules->failed = false;
  *sum = (XlaLinear){0};
  xlaLinearAddExpr(rules, sum, expr, 1);
  return !rules->failed;
}

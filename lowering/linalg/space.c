//===- space.c - Iteration spaces that make reads simpler -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is split where a quotient or a remainder takes its digits apart, and
// cut where a condition changes, or a quotient does.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/generic.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

/// Where `threshold` parts the values of the sum of `factor` times the loop and
/// something in `rest`: from some iteration on, or until there, they may be on
/// its other side. 0 if nowhere inside.
static int64_t cutAt(int64_t factor, int64_t size, XlaInterval rest,
                     int64_t threshold) {
  if (factor < 0) // of the loop backwards: i is size - i
    return (size -
            cutAt(-factor, size,
                  xlaIntervalAdd(rest, xlaIntervalPoint(factor * (size - 1))),
                  threshold)) %
           size;
  int64_t low = xlaCeilDiv(threshold - rest.upper, factor);
  int64_t high = xlaCeilDiv(threshold - rest.lower, factor);
  return low > 0 && low < size ? low : high > 0 && high < size ? high : 0;
}

/// Where each part of the loops is a dispatch of its own, a narrow part is not
/// worth one: choices are cheaper, as long as there are not too many of them.
/// In large arrays they are only where lanes do not lie in order otherwise.
static bool isWorthCutting(const XlaGeneric *generic, int loop, int64_t at) {
  enum { narrow = 8, manyValues = 512, large = 1 << 16 };
  const XlaKernelDevice *device = generic->kernel->device;
  int64_t size = generic->space.sizes[loop];
  int64_t part = at < size - at ? at : size - at;
  double all = 1;
  for (int i = 0; i < generic->space.nLoops; ++i)
    all *= (double)generic->space.sizes[i];
  return !device || !device->runsAtOnce || generic->nMemo >= manyValues ||
         part >= size / narrow ||
         (all >= large && loop != generic->space.nLoops - 1);
}

bool xlaGenericFindCut(XlaGeneric *generic,
                       const XlaIndexingConstraint *condition) {
  XlaIndexExprs *p = &generic->exprs;
  XlaLinear sum;
  int widest = -1;
  if (!xlaRulesSimplifyToSum(&p->rules, condition->expr, &sum))
    return false;
  for (int i = 0; i < sum.n; ++i) {
    if (xlaExprGetKind(sum.terms[i].monomial) != XlaExprKindDim)
      return false;
    if (widest < 0 ||
        llabs(sum.terms[i].factor) > llabs(sum.terms[widest].factor))
      widest = i;
  }
  if (widest < 0)
    return false;
  XlaTerm term = sum.terms[widest];
  int loop = (int)mlirAffineDimExprGetPosition(term.monomial);
  sum.terms[widest] = sum.terms[--sum.n];
  XlaInterval rest = xlaLinearRange(&p->rules, &sum);
  int64_t size = generic->space.sizes[loop];
  int64_t at = cutAt(term.factor, size, rest, condition->bounds.lower);
  if (!at)
    at = cutAt(term.factor, size, rest, condition->bounds.upper + 1);
  generic->cut = (XlaGenericCut){loop, at};
  return at && isWorthCutting(generic, loop, at);
}

//===----------------------------------------------------------------------===//
// Quotients and remainders
//===----------------------------------------------------------------------===//

/// Looks for a loop whose digits `sum` by `divisor` separates: the loop counts
/// from the divisor on in its outer part, and nothing carries into that.
static bool findSplitOf(XlaGeneric *generic, const XlaLinear *sum,
                        int64_t divisor) {
  XlaIndexExprs *p = &generic->exprs;
  for (int i = 0; i < sum->n; ++i) {
    XlaTerm term = sum->terms[i];
    XlaLinear low = *sum;
    if (xlaExprGetKind(term.monomial) != XlaExprKindDim || term.factor < 1 ||
        divisor % term.factor)
      continue;
    int loop = (int)mlirAffineDimExprGetPosition(term.monomial);
    int64_t size = generic->space.sizes[loop], inner = divisor / term.factor;
    if (inner < 2 || inner >= size || size % inner)
      continue;
    XlaTerm terms[XLA_MAX_RANK];
    low.terms = terms;
    low.n = 0;
    for (int k = 0; k < sum->n && k < XLA_MAX_RANK; ++k)
      if (k != i && sum->terms[k].factor % divisor)
        terms[low.n++] = sum->terms[k];
    low.constant = xlaFloorMod(sum->constant, divisor);
    if (sum->n > XLA_MAX_RANK ||
        !xlaIntervalContains((XlaInterval){0, term.factor - 1},
                             xlaLinearRange(&p->rules, &low)))
      continue;
    generic->split = (XlaIndexSplit){loop, inner};
    return true;
  }
  return false;
}

/// Looks for where `sum` goes from one multiple of `divisor` to the next, if
/// that is once.
static bool findCutOf(XlaGeneric *generic, MlirAffineExpr sum,
                      int64_t divisor) {
  XlaInterval range = xlaIndexExprRange(generic, sum);
  int64_t first = xlaFloorDiv(range.lower, divisor);
  XlaIndexingConstraint above = {sum, {(first + 1) * divisor, range.upper}};
  return xlaFloorDiv(range.upper, divisor) == first + 1 &&
         xlaGenericFindCut(generic, &above);
}

/// Looks for another space in which a quotient or remainder in `expr` is gone.
static bool findSpace(XlaGeneric *generic, MlirAffineExpr expr) {
  MlirAffineExpr lhs;
  int64_t divisor;
  XlaLinear sum;
  if (!mlirAffineExprIsABinary(expr))
    return false;
  if (!xlaExprIsBy(expr, XlaExprKindFloorDiv, &lhs, &divisor) &&
      !xlaExprIsBy(expr, XlaExprKindMod, &lhs, &divisor))
    return findSpace(generic, mlirAffineBinaryOpExprGetLHS(expr)) ||
           findSpace(generic, mlirAffineBinaryOpExprGetRHS(expr));
  if (!generic->isFull && !generic->space.root.isGeneral &&
      xlaRulesSimplifyToSum(&generic->exprs.rules, lhs, &sum) &&
      findSplitOf(generic, &sum, divisor))
    return generic->needsSplit = true;
  if (generic->mayCut && !generic->isSmall && findCutOf(generic, lhs, divisor))
    return generic->needsCut = true;
  return findSpace(generic, lhs);
}

bool xlaGenericNeedsSpace(XlaGeneric *generic, const XlaIndex *index) {
  for (int d = 0; index->isGeneral && d < index->rank; ++d)
    if (findSpace(generic, index->exprs[d]))
      return true;
  return false;
}

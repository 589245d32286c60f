//===- space.c - Iteration spaces that make reads simpler -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is split where a quotient or a remainder takes its digits apart, and
// cut where a condition changes, or a quotient does.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/stage.h"

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

bool xlaStageFindCut(XlaStage *stage, const XlaIndexingConstraint *condition) {
  XlaPositions *p = &stage->positions;
  XlaLinear sum;
  int widest = -1;
  if (!xlaRulesSimplifyToSum(&p->rules, condition->expr, &sum))
    return false;
  for (int i = 0; i < sum.n; ++i) {
    if (xlaExprGetKind(sum.terms[i].atom) != XlaExprKindDim)
      return false;
    if (widest < 0 ||
        llabs(sum.terms[i].factor) > llabs(sum.terms[widest].factor))
      widest = i;
  }
  if (widest < 0)
    return false;
  XlaTerm term = sum.terms[widest];
  int loop = (int)mlirAffineDimExprGetPosition(term.atom);
  sum.terms[widest] = sum.terms[--sum.n];
  XlaInterval rest = xlaLinearRange(&p->rules, &sum);
  int64_t size = stage->space.sizes[loop];
  int64_t at = cutAt(term.factor, size, rest, condition->bounds.lower);
  if (!at)
    at = cutAt(term.factor, size, rest, condition->bounds.upper + 1);
  stage->cut = (XlaStageCut){loop, at};
  return at != 0;
}

//===----------------------------------------------------------------------===//
// Quotients and remainders
//===----------------------------------------------------------------------===//

/// Looks for a loop whose digits `sum` by `divisor` separates: the loop counts
/// from the divisor on in its outer part, and nothing carries into that.
static bool findSplitOf(XlaStage *stage, const XlaLinear *sum,
                        int64_t divisor) {
  XlaPositions *p = &stage->positions;
  for (int i = 0; i < sum->n; ++i) {
    XlaTerm term = sum->terms[i];
    XlaLinear low = *sum;
    if (xlaExprGetKind(term.atom) != XlaExprKindDim || term.factor < 1 ||
        divisor % term.factor)
      continue;
    int loop = (int)mlirAffineDimExprGetPosition(term.atom);
    int64_t size = stage->space.sizes[loop], inner = divisor / term.factor;
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
    stage->split = (XlaIndexSplit){loop, inner};
    return true;
  }
  return false;
}

/// Looks for where `sum` goes from one multiple of `divisor` to the next, if
/// that is once.
static bool findCutOf(XlaStage *stage, MlirAffineExpr sum, int64_t divisor) {
  XlaInterval range = xlaPositionRange(stage, sum);
  int64_t first = xlaFloorDiv(range.lower, divisor);
  XlaIndexingConstraint above = {sum, {(first + 1) * divisor, range.upper}};
  return xlaFloorDiv(range.upper, divisor) == first + 1 &&
         xlaStageFindCut(stage, &above);
}

/// Looks for another space in which a quotient or remainder in `expr` is gone.
static bool findSpace(XlaStage *stage, MlirAffineExpr expr) {
  MlirAffineExpr lhs;
  int64_t divisor;
  XlaLinear sum;
  if (!mlirAffineExprIsABinary(expr))
    return false;
  if (!xlaExprIsBy(expr, XlaExprKindFloorDiv, &lhs, &divisor) &&
      !xlaExprIsBy(expr, XlaExprKindMod, &lhs, &divisor))
    return findSpace(stage, mlirAffineBinaryOpExprGetLHS(expr)) ||
           findSpace(stage, mlirAffineBinaryOpExprGetRHS(expr));
  if (!stage->isFull && !stage->space.root.isGeneral &&
      xlaRulesSimplifyToSum(&stage->positions.rules, lhs, &sum) &&
      findSplitOf(stage, &sum, divisor))
    return stage->needsSplit = true;
  if (stage->mayCut && !stage->isSmall && findCutOf(stage, lhs, divisor))
    return stage->needsCut = true;
  return findSpace(stage, lhs);
}

bool xlaStageNeedsSpace(XlaStage *stage, const XlaIndex *index) {
  for (int d = 0; index->isGeneral && d < index->rank; ++d)
    if (findSpace(stage, index->exprs[d]))
      return true;
  return false;
}

//===- linear.c - Expressions as sums of multiples ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

enum { blockTerms = 512 };

struct XlaLinearBlock {
  XlaLinearBlock *next;
  int used, capacity;
  XlaTerm terms[];
};

static XlaTerm *allocateTerms(XlaRules *rules, int n) {
  XlaLinearBlock *block = rules->blocks;
  if (!block || block->capacity - block->used < n) {
    int capacity = n > blockTerms ? n : blockTerms;
    block = malloc(sizeof *block + (size_t)capacity * sizeof *block->terms);
    if (!block)
      return NULL;
    *block = (XlaLinearBlock){.next = rules->blocks, .capacity = capacity};
    rules->blocks = block;
  }
  XlaTerm *terms = block->terms + block->used;
  block->used += n;
  return terms;
}

void xlaRulesFree(XlaRules *rules) {
  while (rules->blocks) {
    XlaLinearBlock *block = rules->blocks;
    rules->blocks = block->next;
    free(block);
  }
  xlaPointerMapClear(&rules->simplified);
  xlaPointerMapClear(&rules->ranges);
  free(rules->intervals);
  rules->intervals = NULL;
  rules->nIntervals = rules->intervalCapacity = 0;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

XlaExprKind xlaExprGetKind(MlirAffineExpr expr) {
  if (mlirAffineExprIsADim(expr))
    return XlaExprKindDim;
  if (mlirAffineExprIsASymbol(expr))
    return XlaExprKindSymbol;
  if (mlirAffineExprIsAConstant(expr))
    return XlaExprKindConstant;
  if (mlirAffineExprIsAAdd(expr))
    return XlaExprKindAdd;
  if (mlirAffineExprIsAMul(expr))
    return XlaExprKindMul;
  if (mlirAffineExprIsAFloorDiv(expr))
    return XlaExprKindFloorDiv;
  return mlirAffineExprIsAMod(expr) ? XlaExprKindMod : XlaExprKindCeilDiv;
}

bool xlaExprIsConstant(MlirAffineExpr expr, int64_t *value) {
  if (!mlirAffineExprIsAConstant(expr))
    return false;
  *value = mlirAffineConstantExprGetValue(expr);
  return true;
}

bool xlaExprIsBy(MlirAffineExpr expr, XlaExprKind kind, MlirAffineExpr *lhs,
                 int64_t *divisor) {
  if (xlaExprGetKind(expr) != kind ||
      !xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(expr), divisor) ||
      *divisor <= 0)
    return false;
  *lhs = mlirAffineBinaryOpExprGetLHS(expr);
  return true;
}

void xlaExprMarkUsed(MlirAffineExpr expr, bool *dims, bool *symbols) {
  XlaExprKind kind = xlaExprGetKind(expr);
  if (kind == XlaExprKindDim) {
    if (dims)
      dims[mlirAffineDimExprGetPosition(expr)] = true;
  } else if (kind == XlaExprKindSymbol) {
    if (symbols)
      symbols[mlirAffineSymbolExprGetPosition(expr)] = true;
  } else if (kind != XlaExprKindConstant) {
    xlaExprMarkUsed(mlirAffineBinaryOpExprGetLHS(expr), dims, symbols);
    xlaExprMarkUsed(mlirAffineBinaryOpExprGetRHS(expr), dims, symbols);
  }
}

static MlirAffineExpr number(MlirAffineExpr a, int64_t value) {
  return mlirAffineConstantExprGet(mlirAffineExprGetContext(a), value);
}

MlirAffineExpr xlaExprAdd(MlirAffineExpr a, MlirAffineExpr b) {
  return mlirAffineAddExprGet(a, b);
}

MlirAffineExpr xlaExprShift(MlirAffineExpr a, int64_t b) {
  return mlirAffineAddExprGet(a, number(a, b));
}

MlirAffineExpr xlaExprScale(MlirAffineExpr a, int64_t b) {
  return mlirAffineMulExprGet(a, number(a, b));
}

MlirAffineExpr xlaExprOver(MlirAffineExpr a, int64_t b) {
  return mlirAffineFloorDivExprGet(a, number(a, b));
}

MlirAffineExpr xlaExprModulo(MlirAffineExpr a, int64_t b) {
  return mlirAffineModExprGet(a, number(a, b));
}

MlirAffineExpr xlaExprReplace(MlirAffineExpr expr, const MlirAffineExpr *dims,
                              const MlirAffineExpr *symbols) {
  XlaExprKind kind = xlaExprGetKind(expr);
  if (kind == XlaExprKindConstant)
    return expr;
  if (kind == XlaExprKindDim)
    return dims ? dims[mlirAffineDimExprGetPosition(expr)] : expr;
  if (kind == XlaExprKindSymbol)
    return symbols ? symbols[mlirAffineSymbolExprGetPosition(expr)] : expr;
  MlirAffineExpr lhs =
      xlaExprReplace(mlirAffineBinaryOpExprGetLHS(expr), dims, symbols);
  MlirAffineExpr rhs =
      xlaExprReplace(mlirAffineBinaryOpExprGetRHS(expr), dims, symbols);
  return kind == XlaExprKindAdd        ? mlirAffineAddExprGet(lhs, rhs)
         : kind == XlaExprKindMul      ? mlirAffineMulExprGet(lhs, rhs)
         : kind == XlaExprKindMod      ? mlirAffineModExprGet(lhs, rhs)
         : kind == XlaExprKindFloorDiv ? mlirAffineFloorDivExprGet(lhs, rhs)
                                       : mlirAffineCeilDivExprGet(lhs, rhs);
}

MlirAffineMap xlaAffineMapReplace(MlirAffineMap map, const MlirAffineExpr *dims,
                                  const MlirAffineExpr *symbols, intptr_t nDims,
                                  intptr_t nSymbols) {
  intptr_t n = mlirAffineMapGetNumResults(map);
  MlirAffineExpr *exprs = calloc((size_t)n + 1, sizeof *exprs);
  if (!exprs)
    return (MlirAffineMap){NULL};
  for (intptr_t i = 0; i < n; ++i)
    exprs[i] = xlaExprReplace(mlirAffineMapGetResult(map, i), dims, symbols);
  MlirAffineMap result =
      mlirAffineMapGet(mlirAffineMapGetContext(map), nDims, nSymbols, n, exprs);
  free(exprs);
  return result;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void xlaLinearAddConstant(XlaRules *rules, XlaLinear *sum, int64_t value) {
  rules->failed |= __builtin_add_overflow(sum->constant, value, &sum->constant);
}

static void removeTerm(XlaLinear *sum, int i) {
  sum->terms[i] = sum->terms[--sum->n];
}

void xlaLinearAddTerm(XlaRules *rules, XlaLinear *sum, MlirAffineExpr monomial,
                      int64_t factor) {
  if (factor == 0)
    return;
  for (int i = 0; i < sum->n; ++i)
    if (sum->terms[i].monomial.ptr == monomial.ptr) {
      rules->failed |= __builtin_add_overflow(sum->terms[i].factor, factor,
                                              &sum->terms[i].factor);
      if (sum->terms[i].factor == 0)
        removeTerm(sum, i);
      return;
    }
  if (sum->n == sum->capacity) {
    int capacity = sum->capacity ? 2 * sum->capacity : 8;
    XlaTerm *terms = allocateTerms(rules, capacity);
    if (!terms) {
      rules->failed = true;
      return;
    }
    if (sum->n)
      memcpy(terms, sum->terms, (size_t)sum->n * sizeof *terms);
    sum->terms = terms;
    sum->capacity = capacity;
  }
  sum->terms[sum->n++] = (XlaTerm){monomial, factor};
}

void xlaLinearAdd(XlaRules *rules, XlaLinear *sum, const XlaLinear *other,
                  int64_t factor) {
  int64_t product;
  rules->failed |= __builtin_mul_overflow(other->constant, factor, &product);
  xlaLinearAddConstant(rules, sum, product);
  for (int i = 0; i < other->n && !rules->failed; ++i) {
    rules->failed |=
        __builtin_mul_overflow(other->terms[i].factor, factor, &product);
    xlaLinearAddTerm(rules, sum, other->terms[i].monomial, product);
  }
}

void xlaLinearAddExpr(XlaRules *rules, XlaLinear *sum, MlirAffineExpr expr,
                      int64_t factor) {
  int64_t value;
  if (rules->failed)
    return;
  switch (xlaExprGetKind(expr)) {
  case XlaExprKindConstant:
    rules->failed |= __builtin_mul_overflow(
        mlirAffineConstantExprGetValue(expr), factor, &value);
    xlaLinearAddConstant(rules, sum, value);
    return;
  case XlaExprKindAdd: // long sums are nested on the left
    for (; mlirAffineExprIsAAdd(expr);
         expr = mlirAffineBinaryOpExprGetLHS(expr))
      xlaLinearAddExpr(rules, sum, mlirAffineBinaryOpExprGetRHS(expr), factor);
    xlaLinearAddExpr(rules, sum, expr, factor);
    return;
  case XlaExprKindMul:
    if (xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(expr), &value)) {
      rules->failed |= __builtin_mul_overflow(value, factor, &value);
      xlaLinearAddExpr(rules, sum, mlirAffineBinaryOpExprGetLHS(expr), value);
      return;
    }
    break;
  case XlaExprKindDim:
  case XlaExprKindSymbol:
  case XlaExprKindFloorDiv:
  case XlaExprKindMod:
  case XlaExprKindCeilDiv:
    break;
  }
  xlaLinearAddTerm(rules, sum, expr, factor);
}

int64_t xlaLinearGet(const XlaLinear *sum, MlirAffineExpr monomial) {
  for (int i = 0; i < sum->n; ++i)
    if (sum->terms[i].monomial.ptr == monomial.ptr)
      return sum->terms[i].factor;
  return 0;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static int compareInts(int64_t a, int64_t b) { return (a > b) - (a < b); }

int xlaExprCompare(MlirAffineExpr a, MlirAffineExpr b) {
  if (a.ptr == b.ptr)
    return 0;
  XlaExprKind x = xlaExprGetKind(a), y = xlaExprGetKind(b);
  if (x != y)
    return compareInts(x, y);
  switch (x) {
  case XlaExprKindDim:
    return compareInts(mlirAffineDimExprGetPosition(a),
                       mlirAffineDimExprGetPosition(b));
  case XlaExprKindSymbol:
    return compareInts(mlirAffineSymbolExprGetPosition(a),
                       mlirAffineSymbolExprGetPosition(b));
  case XlaExprKindConstant:
    return compareInts(mlirAffineConstantExprGetValue(a),
                       mlirAffineConstantExprGetValue(b));
  case XlaExprKindFloorDiv:
  case XlaExprKindMod:
  case XlaExprKindMul:
  case XlaExprKindCeilDiv:
  case XlaExprKindAdd:
    break;
  }
  int order = xlaExprCompare(mlirAffineBinaryOpExprGetLHS(a),
                             mlirAffineBinaryOpExprGetLHS(b));
  return order ? order
               : xlaExprCompare(mlirAffineBinaryOpExprGetRHS(a),
                                mlirAffineBinaryOpExprGetRHS(b));
}

/// MLIR moves what has no dimensions to the right, so it comes last here too.
static int compareTerms(const void *a, const void *b) {
  MlirAffineExpr x = ((const XlaTerm *)a)->monomial,
                 y = ((const XlaTerm *)b)->monomial;
  int order = compareInts(mlirAffineExprIsSymbolicOrConstant(x),
                          mlirAffineExprIsSymbolicOrConstant(y));
  return order ? order : xlaExprCompare(x, y);
}

int xlaLinearFirst(const XlaLinear *sum) {
  int first = 0;
  for (int i = 1; i < sum->n; ++i)
    if (compareTerms(&sum->terms[i], &sum->terms[first]) < 0)
      first = i;
  return first;
}

MlirAffineExpr xlaLinearToExpr(XlaRules *rules, const XlaLinear *sum) {
  MlirAffineExpr expr =
      mlirAffineConstantExprGet(rules->context, sum->constant);
  if (sum->n == 0)
    return expr;
  XlaTerm *terms = allocateTerms(rules, sum->n);
  if (!terms) {
    rules->failed = true;
    return expr;
  }
  memcpy(terms, sum->terms, (size_t)sum->n * sizeof *terms);
  qsort(terms, (size_t)sum->n, sizeof *terms, compareTerms);
  MlirAffineExpr value = {NULL};
  for (int i = 0; i < sum->n; ++i) {
    MlirAffineExpr term = mlirAffineMulExprGet(
        terms[i].monomial,
        mlirAffineConstantExprGet(rules->context, terms[i].factor));
    value = i ? mlirAffineAddExprGet(value, term) : term;
  }
  return mlirAffineAddExprGet(value, expr);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static XlaInterval computeRange(XlaRules *rules, MlirAffineExpr expr) {
  MlirAffineExpr lhs;
  int64_t divisor;
  if (xlaExprIsBy(expr, XlaExprKindFloorDiv, &lhs, &divisor))
    return xlaIntervalFloorDiv(xlaExprRange(rules, lhs), divisor);
  if (xlaExprIsBy(expr, XlaExprKindMod, &lhs, &divisor))
    return xlaIntervalMod(xlaExprRange(rules, lhs), divisor);
  if (xlaExprIsBy(expr, XlaExprKindCeilDiv, &lhs, &divisor))
    return xlaIntervalScale(
        xlaIntervalFloorDiv(xlaIntervalScale(xlaExprRange(rules, lhs), -1),
                            divisor),
        -1);
  if (xlaExprGetKind(expr) == XlaExprKindMul)
    return xlaIntervalMul(
        xlaExprRange(rules, mlirAffineBinaryOpExprGetLHS(expr)),
        xlaExprRange(rules, mlirAffineBinaryOpExprGetRHS(expr)));
  return xlaIntervalAll();
}

static XlaInterval monomialRange(XlaRules *rules, MlirAffineExpr monomial) {
  XlaExprKind kind = xlaExprGetKind(monomial);
  if (kind == XlaExprKindDim)
    return rules->dims[mlirAffineDimExprGetPosition(monomial)];
  if (kind == XlaExprKindSymbol)
    return rules->symbols[mlirAffineSymbolExprGetPosition(monomial)];
  intptr_t known = xlaPointerMapGet(&rules->ranges, monomial.ptr);
  if (known)
    return rules->intervals[known - 1];
  XlaInterval range = computeRange(rules, monomial);
  if (rules->nIntervals == rules->intervalCapacity) {
    intptr_t capacity = 2 * rules->intervalCapacity + 16;
    XlaInterval *grown =
        realloc(rules->intervals, (size_t)capacity * sizeof *grown);
    if (!grown)
      return range;
    rules->intervals = grown;
    rules->intervalCapacity = capacity;
  }
  rules->intervals[rules->nIntervals++] = range;
  if (!xlaPointerMapSet(&rules->ranges, monomial.ptr, rules->nIntervals))
    --rules->nIntervals;
  return range;
}

void xlaRulesBound(XlaRules *rules, MlirAffineExpr expr, XlaInterval bounds) {
  XlaBoundedSum bounded = {.bounds = bounds};
  if (rules->nBounded == XLA_MAX_BOUNDED_SUMS || xlaIntervalIsEmpty(bounds))
    return;
  xlaLinearAddExpr(rules, &bounded.sum, expr, 1);
  if (!rules->failed && bounded.sum.n && bounded.sum.constant != INT64_MIN) {
    bounded.bounds =
        xlaIntervalAdd(bounds, xlaIntervalPoint(-bounded.sum.constant));
    bounded.sum.constant = 0;
    rules->bounded[rules->nBounded++] = bounded;
  }
  rules->failed = false;
}

/// The number of times that `part` is in `sum`; 0 if that is not the same for
/// all terms.
static int64_t timesIn(const XlaLinear *sum, const XlaLinear *part) {
  int64_t times = 0, factor;
  for (int i = 0; i < part->n; ++i) {
    int64_t have = xlaLinearGet(sum, part->terms[i].monomial);
    if (i == 0 && part->terms[0].factor != -1 &&
        have % part->terms[0].factor == 0)
      times = have / part->terms[0].factor;
    else if (i == 0 && part->terms[0].factor == -1 && have != INT64_MIN)
      times = -have;
    if (!times ||
        __builtin_mul_overflow(part->terms[i].factor, times, &factor) ||
        factor != have)
      return 0;
  }
  return times;
}

/// Where the terms of `sum` lie that `part`, unless it is NULL, does not have.
static XlaInterval termsRange(XlaRules *rules, const XlaLinear *sum,
                              const XlaLinear *part) {
  XlaInterval range = xlaIntervalPoint(sum->constant);
  for (int i = 0; i < sum->n; ++i)
    if (!part || !xlaLinearGet(part, sum->terms[i].monomial))
      range = xlaIntervalAdd(
          range, xlaIntervalScale(monomialRange(rules, sum->terms[i].monomial),
                                  sum->terms[i].factor));
  return range;
}

XlaInterval xlaLinearTermsRange(XlaRules *rules, const XlaLinear *sum) {
  return termsRange(rules, sum, NULL);
}

XlaInterval xlaLinearRange(XlaRules *rules, const XlaLinear *sum) {
  XlaInterval range = xlaLinearTermsRange(rules, sum);
  for (int i = 0; i < rules->nBounded; ++i) {
    const XlaBoundedSum *bounded = &rules->bounded[i];
    int64_t times = timesIn(sum, &bounded->sum);
    if (!times)
      continue;
    XlaInterval other = xlaIntervalIntersect(
        range, xlaIntervalAdd(xlaIntervalScale(bounded->bounds, times),
                              termsRange(rules, sum, &bounded->sum)));
    // Nothing is where bounds contradict each other.
    range = xlaIntervalIsEmpty(other) ? range : other;
  }
  return range;
}

XlaInterval xlaExprRange(XlaRules *rules, MlirAffineExpr expr) {
  XlaLinear sum = {0};
  bool failed = rules->failed;
  rules->failed = false;
  xlaLinearAddExpr(rules, &sum, expr, 1);
  XlaInterval range =
      rules->failed ? xlaIntervalAll() : xlaLinearRange(rules, &sum);
  rules->failed = failed;
  return range;
}

//===- invert.c - From results back to dimensions -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results are sums of multiples of digits (digits.h), and give them back where
// each factor is larger than all that the smaller ones can amount to. Digits
// that no result gives back are range variables of the inverse; where several
// share a result, one of them follows from it and the others.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/digits.h"

#include <stdlib.h>
#include <string.h>

static MlirAffineExpr number(const XlaInverter *v, int64_t value) {
  return mlirAffineConstantExprGet(v->rules.context, value);
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

static int compareShares(const void *a, const void *b) {
  int64_t x = llabs(((const XlaShare *)a)->factor),
          y = llabs(((const XlaShare *)b)->factor);
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
static bool isUnique(const XlaInverter *v, const XlaShare *shares, int n) {
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

/// Reads digits off `rest`, the sum of the shares, each of which is unique.
static void readOff(XlaInverter *v, MlirAffineExpr rest, const XlaShare *shares,
                    int n) {
  for (int i = 0; i < n; ++i) {
    XlaInterval bounds = v->digits[shares[i].digit].bounds;
    rest = xlaExprAdd(
        rest, xlaExprScale(
                  number(v, shares[i].factor < 0 ? bounds.upper : bounds.lower),
                  -shares[i].factor));
  }
  for (int i = 0; i < n; ++i) {
    XlaDigit *digit = &v->digits[shares[i].digit];
    bool falls = shares[i].factor < 0;
    MlirAffineExpr factor = number(v, llabs(shares[i].factor));
    digit->value = xlaExprAdd(
        xlaExprScale(mlirAffineFloorDivExprGet(rest, factor), falls ? -1 : 1),
        number(v, falls ? digit->bounds.upper : digit->bounds.lower));
    rest = mlirAffineModExprGet(rest, factor);
  }
}

/// Moves shares of digits that are known to `*known`. Returns how many are
/// left.
static int moveKnown(const XlaInverter *v, XlaShare *shares, int n,
                     MlirAffineExpr *known) {
  int m = 0;
  for (int i = 0; i < n; ++i) {
    const XlaDigit *digit = &v->digits[shares[i].digit];
    if (!digit->value.ptr && shares[i].factor)
      shares[m++] = shares[i];
    else if (shares[i].factor)
      *known = xlaExprAdd(*known, xlaExprScale(digit->value, shares[i].factor));
  }
  return m;
}

/// A range variable of the inverse for a digit.
static void setFree(XlaInverter *v, XlaDigit *digit) {
  v->free[v->nFree] = digit->bounds;
  digit->value = mlirAffineSymbolExprGet(v->rules.context, v->nFree++);
}

/// Digits of dimensions are looked for before those of range variables, and
/// those with a small factor before others.
static bool isBetter(const XlaInverter *v, const XlaShare *a,
                     const XlaShare *b) {
  bool x = v->digits[a->digit].variable < v->from->nDims,
       y = v->digits[b->digit].variable < v->from->nDims;
  return x != y ? x : llabs(a->factor) < llabs(b->factor);
}

/// Makes all digits free but one, which follows from them and the result.
static void readOne(XlaInverter *v, MlirAffineExpr rest, const XlaShare *shares,
                    int n) {
  int best = 0;
  for (int i = 1; i < n; ++i)
    if (isBetter(v, &shares[i], &shares[best]))
      best = i;
  for (int i = 0; i < n; ++i)
    if (i != best) {
      setFree(v, &v->digits[shares[i].digit]);
      rest = xlaExprAdd(rest, xlaExprScale(v->digits[shares[i].digit].value,
                                           -shares[i].factor));
    }
  bool falls = shares[best].factor < 0;
  v->digits[shares[best].digit].value =
      mlirAffineFloorDivExprGet(xlaExprScale(rest, falls ? -1 : 1),
                                number(v, llabs(shares[best].factor)));
}

/// Takes from each result what it gives: `all`, also where that leaves digits
/// free.
static bool solve(XlaInverter *v, bool all) {
  XlaShare *shares = calloc(XLA_MAX_DIGITS, sizeof *shares);
  if (!shares)
    return false;
  for (intptr_t r = 0; r < v->nResults; ++r) {
    MlirAffineExpr known;
    memset(shares, 0, XLA_MAX_DIGITS * sizeof *shares);
    int n = xlaInverterFindShares(v, r, shares, &known);
    n = n < 0 ? n : moveKnown(v, shares, n, &known);
    if (n <= 0)
      continue;
    // Symbols of the inverse: its own range variables are put before these
    // later.
    MlirAffineExpr rest = xlaExprAdd(mlirAffineDimExprGet(v->rules.context, r),
                                     xlaExprScale(known, -1));
    qsort(shares, (size_t)n, sizeof *shares, compareShares);
    if (isUnique(v, shares, n))
      readOff(v, rest, shares, n);
    else if (all)
      readOne(v, rest, shares, n);
  }
  free(shares);
  return true;
}

static int countKnown(const XlaInverter *v) {
  int n = 0;
  for (int i = 0; i < v->nDigits; ++i)
    n += v->digits[i].value.ptr != NULL;
  return n;
}

/// Digits of one value are taken from a result only if it has nothing else.
static void setPoints(XlaInverter *v) {
  for (int i = 0; i < v->nDigits; ++i) {
    XlaDigit *digit = &v->digits[i];
    if (!digit->value.ptr && xlaIntervalIsPoint(digit->bounds))
      digit->value = number(v, digit->bounds.lower);
  }
}

static bool solveAll(XlaInverter *v) {
  bool hasPoints = false;
  for (int known = -1; known != countKnown(v) || !hasPoints;) {
    hasPoints = known == countKnown(v);
    if (hasPoints)
      setPoints(v);
    known = countKnown(v);
    if (!solve(v, false))
      return false;
  }
  if (!solve(v, true))
    return false;
  for (int i = 0; i < v->nDigits; ++i)
    if (!v->digits[i].value.ptr)
      setFree(v, &v->digits[i]);
  return true;
}

//===----------------------------------------------------------------------===//
// The inverse
//===----------------------------------------------------------------------===//

/// What the inverse is made of.
typedef struct Inverse {
  XlaIndexingMapParts parts;
  MlirAffineExpr *variables; ///< by the results of the map
  MlirAffineExpr *symbols;   ///< the numbers that symbols get
  XlaInterval *dims;
  XlaRuntimeVariable *runtimes;
  XlaIndexingConstraint *constraints;
} Inverse;

static void constrain(Inverse *inverse, MlirAffineExpr expr,
                      XlaInterval bounds) {
  inverse->constraints[inverse->parts.nConstraints++] = (XlaIndexingConstraint){
      xlaExprReplace(expr, NULL, inverse->symbols), bounds};
}

/// An expression of the map, in its variables.
static MlirAffineExpr ofVariables(const XlaInverter *v, const Inverse *inverse,
                                  MlirAffineExpr expr) {
  const MlirAffineExpr *symbols =
      inverse->symbols + XLA_MAX_DIGITS + v->nRuntimes;
  return xlaExprReplace(expr, NULL, symbols);
}

/// Where a runtime variable is read, by the results; null where that depends on
/// runtime variables.
static MlirAffineMap placeOf(const XlaInverter *v, const Inverse *inverse,
                             MlirAffineMap place) {
  bool *used = calloc((size_t)(v->nFree + v->nRuntimes) + 1, sizeof *used);
  MlirAffineMap map = {NULL};
  if (used && !mlirAffineMapIsNull(place)) {
    bool isKnown = true;
    map = xlaAffineMapReplace(place, inverse->variables,
                              inverse->variables + v->from->nDims, v->nResults,
                              v->nFree + v->nRuntimes);
    for (intptr_t i = 0; map.ptr && i < mlirAffineMapGetNumResults(map); ++i)
      xlaExprMarkUsed(mlirAffineMapGetResult(map, i), NULL, used);
    for (intptr_t i = v->nFree; i < v->nFree + v->nRuntimes; ++i)
      isKnown &= !used[i];
    map = isKnown && map.ptr
              ? xlaAffineMapReplace(map, NULL, NULL, v->nResults, v->nFree)
              : (MlirAffineMap){NULL};
  }
  free(used);
  return map;
}

/// The inverse is defined where the map takes what it gives to the result that
/// it came from, within the map's domain.
static void fillIn(XlaInverter *v, Inverse *inverse) {
  const XlaIndexingMapParts *from = v->from;
  XlaIndexingMapParts *parts = &inverse->parts;
  MlirAffineExpr *variables = inverse->variables;
  for (intptr_t i = 0; i < v->nVariables; ++i)
    variables[i] = number(v, -v->offsets[i]);
  for (int i = 0; i < v->nDigits; ++i) {
    const XlaDigit *digit = &v->digits[i];
    variables[digit->variable] = xlaExprAdd(
        variables[digit->variable], xlaExprScale(digit->value, digit->weight));
  }
  for (intptr_t i = 0; i < v->nFree; ++i)
    inverse->symbols[i] = mlirAffineSymbolExprGet(v->rules.context, i);
  for (intptr_t i = 0; i < v->nRuntimes; ++i) {
    inverse->symbols[XLA_MAX_DIGITS + i] =
        mlirAffineSymbolExprGet(v->rules.context, v->nFree + i);
    inverse->runtimes[i] = from->runtimes[i];
  }
  for (intptr_t r = 0; r < v->nResults; ++r) {
    MlirAffineExpr result =
        ofVariables(v, inverse, mlirAffineMapGetResult(from->map, r));
    inverse->dims[r] = xlaExprRange(&v->rules, result);
    constrain(
        inverse,
        xlaExprAdd(mlirAffineDimExprGet(v->rules.context, r),
                   xlaExprScale(xlaExprReplace(result, variables, NULL), -1)),
        xlaIntervalPoint(0));
  }
  for (intptr_t i = 0; i < v->nVariables; ++i)
    constrain(inverse, variables[i], v->bounds[i]);
  for (intptr_t c = 0; c < from->nConstraints; ++c)
    constrain(inverse,
              xlaExprReplace(ofVariables(v, inverse, from->constraints[c].expr),
                             variables, NULL),
              from->constraints[c].bounds);
  for (intptr_t i = 0; i < v->nVariables; ++i)
    variables[i] = xlaExprReplace(variables[i], NULL, inverse->symbols);
  for (intptr_t i = 0; i < v->nRuntimes; ++i)
    inverse->runtimes[i].map = placeOf(v, inverse, inverse->runtimes[i].map);
  parts->nDims = v->nResults;
  parts->nRanges = v->nFree;
  parts->nRuntimes = v->nRuntimes;
  parts->map =
      mlirAffineMapGet(v->rules.context, v->nResults, v->nFree + v->nRuntimes,
                       from->nDims, variables);
  parts->dims = inverse->dims;
  parts->ranges = v->free;
  parts->runtimes = inverse->runtimes;
  parts->constraints = inverse->constraints;
}

/// Numbers of symbols while the map is inverted: range variables are
/// dimensions, runtime variables come behind the inverse's range variables.
static void nameSymbols(const XlaInverter *v, MlirAffineExpr *symbols) {
  MlirContext context = v->rules.context;
  for (intptr_t i = 0; i < v->from->nRanges; ++i)
    symbols[i] = mlirAffineDimExprGet(context, v->from->nDims + i);
  for (intptr_t i = 0; i < v->nRuntimes; ++i)
    symbols[v->from->nRanges + i] =
        mlirAffineSymbolExprGet(context, XLA_MAX_DIGITS + i);
}

static XlaIndexingMap *invert(XlaInverter *v, bool isFunction) {
  const XlaIndexingMapParts *from = v->from;
  size_t nSymbols = (size_t)(from->nRanges + v->nRuntimes);
  size_t nVariables = (size_t)v->nVariables, nResults = (size_t)v->nResults;
  Inverse inverse = {
      .variables = calloc(nVariables + 1, sizeof *inverse.variables),
      .symbols = calloc(XLA_MAX_DIGITS + (size_t)v->nRuntimes + nSymbols + 1,
                        sizeof *inverse.symbols),
      .dims = calloc(nResults + 1, sizeof *inverse.dims),
      .runtimes = calloc((size_t)v->nRuntimes + 1, sizeof *inverse.runtimes),
      .constraints =
          calloc(nResults + nVariables + (size_t)from->nConstraints + 1,
                 sizeof *inverse.constraints),
  };
  XlaIndexingMap *result = NULL;
  bool can = inverse.variables && inverse.symbols && inverse.dims &&
             inverse.runtimes && inverse.constraints;
  if (can)
    nameSymbols(v, inverse.symbols + XLA_MAX_DIGITS + v->nRuntimes);
  for (intptr_t r = 0; r < v->nResults && can; ++r)
    xlaLinearAddExpr(
        &v->rules, &v->sums[r],
        ofVariables(v, &inverse, mlirAffineMapGetResult(from->map, r)), 1);
  xlaInverterFindOffsets(v);
  for (intptr_t c = 0; c < from->nConstraints && can; ++c)
    inverse.constraints[c] = (XlaIndexingConstraint){
        ofVariables(v, &inverse, from->constraints[c].expr),
        from->constraints[c].bounds};
  can = can && !v->rules.failed && xlaInverterFindDigits(v);
  if (can)
    xlaInverterBoundDigits(v, inverse.constraints, from->nConstraints);
  if (can && solveAll(v) && (!isFunction || v->nFree == 0)) {
    fillIn(v, &inverse);
    result = xlaIndexingMapFinish(xlaIndexingMapCreate(&inverse.parts),
                                  XlaIndexingPointsKeep);
  }
  free(inverse.variables);
  free(inverse.symbols);
  free(inverse.dims);
  free(inverse.runtimes);
  free(inverse.constraints);
  return result;
}

/// Bounds of all variables, and where the rules find those of symbols.
static bool setBounds(XlaInverter *v) {
  const XlaIndexingMapParts *from = v->from;
  v->nVariables = from->nDims + from->nRanges;
  v->nRuntimes = from->nRuntimes;
  v->nResults = mlirAffineMapGetNumResults(from->map);
  v->bounds = calloc((size_t)(v->nVariables + v->nRuntimes) + XLA_MAX_DIGITS,
                     sizeof *v->bounds);
  v->sums = calloc((size_t)v->nResults + 1, sizeof *v->sums);
  v->offsets = calloc((size_t)v->nVariables + 1, sizeof *v->offsets);
  if (!v->bounds || !v->sums || !v->offsets)
    return false;
  for (intptr_t i = 0; i < from->nDims; ++i)
    v->bounds[i] = from->dims[i];
  for (intptr_t i = 0; i < from->nRanges; ++i)
    v->bounds[from->nDims + i] = from->ranges[i];
  for (intptr_t i = 0; i < from->nRuntimes; ++i)
    v->bounds[v->nVariables + XLA_MAX_DIGITS + i] = from->runtimes[i].bounds;
  v->rules = (XlaRules){.context = mlirAffineMapGetContext(from->map),
                        .dims = v->bounds,
                        .symbols = v->bounds + v->nVariables};
  return true;
}

/// `isFunction`: without range variables.
static XlaIndexingMap *reverse(const XlaIndexingMap *map, bool isFunction) {
  XlaIndexingMap *simple = xlaIndexingMapSimplify(map, XlaIndexingPointsKeep),
                 *inverse = NULL;
  XlaInverter *v = calloc(1, sizeof *v);
  if (simple && v && !xlaIndexingMapIsKnownEmpty(simple)) {
    v->from = xlaIndexingMapGetParts(simple);
    if (setBounds(v))
      inverse = invert(v, isFunction);
    xlaRulesFree(&v->rules);
    free(v->bounds);
    free(v->sums);
    free(v->offsets);
  }
  free(v);
  xlaIndexingMapRelease(simple);
  return inverse;
}

XlaIndexingMap *xlaIndexingMapInvert(const XlaIndexingMap *map) {
  return reverse(map, true);
}

XlaIndexingMap *xlaIndexingMapTranspose(const XlaIndexingMap *map) {
  return reverse(map, false);
}

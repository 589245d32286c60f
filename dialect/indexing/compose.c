//===- compose.c - One indexing map after another -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"

#include "mlir-c/AffineExpr.h"

#include <stdlib.h>
#include <string.h>

/// Two maps, and the parts of their composition. Symbols of the composition:
/// ranges of the first and of the second, runtime variables of both.
typedef struct Composer {
  const XlaIndexingMapParts *first, *second;
  XlaIndexingMapParts parts;
  MlirAffineMap outer; // what the first computes, in the new symbols
  XlaInterval *ranges;
  XlaRuntimeVariable *runtimes;
  XlaIndexingConstraint *constraints;
  MlirAffineExpr *exprs;
  MlirIdentifier *names;
} Composer;

static uint32_t u32(intptr_t n) { return (uint32_t)n; }

/// An expression of the first map in the new symbols.
static MlirAffineExpr ofFirst(const Composer *c, MlirAffineExpr expr) {
  return mlirAffineExprShiftSymbols(
      expr, u32(c->first->nRanges + c->first->nRuntimes),
      u32(c->second->nRanges), u32(c->first->nRanges));
}

/// An expression of the second map in the variables of the composition.
static MlirAffineExpr ofSecond(const Composer *c, MlirAffineExpr expr) {
  uint32_t n = u32(c->second->nRanges + c->second->nRuntimes);
  uint32_t before = u32(c->first->nRanges);
  expr = mlirAffineExprShiftSymbols(expr, n, before, 0);
  expr = mlirAffineExprShiftSymbols(expr, n + before, u32(c->first->nRuntimes),
                                    before + u32(c->second->nRanges));
  return mlirAffineExprCompose(expr, c->outer);
}

static bool allocate(Composer *c) {
  const XlaIndexingMapParts *first = c->first, *second = c->second;
  c->parts.nDims = first->nDims;
  c->parts.nRanges = first->nRanges + second->nRanges;
  c->parts.nRuntimes = first->nRuntimes + second->nRuntimes;
  c->parts.nConstraints =
      first->nConstraints + second->nDims + second->nConstraints;
  c->parts.dims = first->dims;
  intptr_t nExprs = mlirAffineMapGetNumResults(second->map);
  nExprs = nExprs > second->nDims ? nExprs : second->nDims;
  c->ranges = calloc((size_t)c->parts.nRanges + 1, sizeof *c->ranges);
  c->runtimes = calloc((size_t)c->parts.nRuntimes + 1, sizeof *c->runtimes);
  c->constraints =
      calloc((size_t)c->parts.nConstraints + 1, sizeof *c->constraints);
  c->exprs = calloc((size_t)nExprs + 1, sizeof *c->exprs);
  c->names = calloc(
      (size_t)(c->parts.nDims + c->parts.nRanges + c->parts.nRuntimes) + 1,
      sizeof *c->names);
  c->parts.ranges = c->ranges;
  c->parts.runtimes = c->runtimes;
  c->parts.constraints = c->constraints;
  return c->ranges && c->runtimes && c->constraints && c->exprs && c->names;
}

static MlirAffineMap mapOf(const Composer *c, intptr_t n) {
  return mlirAffineMapGet(mlirAffineMapGetContext(c->first->map),
                          c->parts.nDims, c->parts.nRanges + c->parts.nRuntimes,
                          n, c->exprs);
}

static void composeVariables(Composer *c) {
  const XlaIndexingMapParts *first = c->first, *second = c->second;
  XlaIndexingConstraint *constraint = c->constraints;
  for (intptr_t i = 0; i < c->parts.nRanges; ++i)
    c->ranges[i] = i < first->nRanges ? first->ranges[i]
                                      : second->ranges[i - first->nRanges];
  for (intptr_t i = 0; i < first->nConstraints; ++i)
    *constraint++ = (XlaIndexingConstraint){
        ofFirst(c, first->constraints[i].expr), first->constraints[i].bounds};
  for (intptr_t i = 0; i < second->nDims; ++i)
    *constraint++ = (XlaIndexingConstraint){mlirAffineMapGetResult(c->outer, i),
                                            second->dims[i]};
  for (intptr_t i = 0; i < second->nConstraints; ++i)
    *constraint++ =
        (XlaIndexingConstraint){ofSecond(c, second->constraints[i].expr),
                                second->constraints[i].bounds};
}

/// Where a runtime variable is read, in the variables of the composition; null
/// where that depends on runtime variables.
static MlirAffineMap placeOf(const Composer *c, MlirAffineMap place,
                             bool isSecond) {
  intptr_t n = mlirAffineMapGetNumResults(place);
  intptr_t nRanges = c->parts.nRanges, nRuntimes = c->parts.nRuntimes;
  MlirAffineMap map = {NULL};
  MlirAffineExpr *exprs = calloc((size_t)n + 1, sizeof *exprs);
  bool *used = calloc((size_t)(nRanges + nRuntimes) + 1, sizeof *used);
  bool isKnown = exprs && used;
  for (intptr_t i = 0; i < n && isKnown; ++i) {
    exprs[i] = mlirAffineMapGetResult(place, i);
    if (isSecond)
      exprs[i] = mlirAffineExprCompose(
          mlirAffineExprShiftSymbols(exprs[i], u32(c->second->nRanges),
                                     u32(c->first->nRanges), 0),
          c->outer);
    xlaExprMarkUsed(exprs[i], NULL, used);
    for (intptr_t s = nRanges; s < nRanges + nRuntimes; ++s)
      isKnown &= !used[s];
  }
  if (isKnown)
    map = mlirAffineMapGet(mlirAffineMapGetContext(place), c->parts.nDims,
                           nRanges, n, exprs);
  free(exprs);
  free(used);
  return map;
}

/// Of two variables with the same name the first keeps it.
static void composeNames(Composer *c) {
  const XlaIndexingMapParts *parts[] = {c->first, c->second};
  intptr_t ranges = c->parts.nDims, runtimes = ranges + c->parts.nRanges;
  for (int k = 0; k < 2; ++k) {
    const MlirIdentifier *from = parts[k]->names;
    intptr_t nDims = parts[k]->nDims, nRanges = parts[k]->nRanges;
    for (intptr_t i = 0; i < nDims && from && k == 0; ++i)
      c->names[i] = from[i];
    for (intptr_t i = 0; i < nRanges && from; ++i)
      c->names[ranges + i] = from[nDims + i];
    for (intptr_t i = 0; i < parts[k]->nRuntimes && from; ++i)
      c->names[runtimes + i] = from[nDims + nRanges + i];
    ranges += nRanges;
    runtimes += parts[k]->nRuntimes;
  }
  c->parts.names = c->first->names || c->second->names ? c->names : NULL;
}

static void composeRuntimes(Composer *c) {
  for (intptr_t i = 0; i < c->parts.nRuntimes; ++i) {
    bool isSecond = i >= c->first->nRuntimes;
    c->runtimes[i] = isSecond ? c->second->runtimes[i - c->first->nRuntimes]
                              : c->first->runtimes[i];
    if (!mlirAffineMapIsNull(c->runtimes[i].map))
      c->runtimes[i].map = placeOf(c, c->runtimes[i].map, isSecond);
  }
}

XlaIndexingMap *xlaIndexingMapCompose(const XlaIndexingMap *first,
                                      const XlaIndexingMap *second) {
  Composer c = {.first = xlaIndexingMapGetParts(first),
                .second = xlaIndexingMapGetParts(second)};
  XlaIndexingMap *result = NULL;
  if (mlirAffineMapGetNumResults(c.first->map) == c.second->nDims &&
      allocate(&c)) {
    for (intptr_t i = 0; i < c.second->nDims; ++i)
      c.exprs[i] = ofFirst(&c, mlirAffineMapGetResult(c.first->map, i));
    c.outer = mapOf(&c, c.second->nDims);
    composeVariables(&c);
    composeRuntimes(&c);
    composeNames(&c);
    intptr_t n = mlirAffineMapGetNumResults(c.second->map);
    for (intptr_t i = 0; i < n; ++i)
      c.exprs[i] = ofSecond(&c, mlirAffineMapGetResult(c.second->map, i));
    c.parts.map = mapOf(&c, n);
    result = xlaIndexingMapCreate(&c.parts);
  }
  free(c.ranges);
  free(c.runtimes);
  free(c.constraints);
  free(c.exprs);
  free(c.names);
  return result;
}

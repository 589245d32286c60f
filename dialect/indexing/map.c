//===- map.c - Indexing maps ----------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/indexing/extrema.h"
#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/names.h"

#include "mlir-c/IR.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct XlaIndexingMap {
  atomic_int references;
  bool isEmpty;
  XlaIndexingMapParts parts; // arrays lie behind it
  char arrays[];
};

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static bool isKnownEmpty(const XlaIndexingMapParts *parts) {
  bool isEmpty = false;
  for (intptr_t i = 0; i < parts->nDims; ++i)
    isEmpty |= xlaIntervalIsEmpty(parts->dims[i]);
  for (intptr_t i = 0; i < parts->nRanges; ++i)
    isEmpty |= xlaIntervalIsEmpty(parts->ranges[i]);
  for (intptr_t i = 0; i < parts->nRuntimes; ++i)
    isEmpty |= xlaIntervalIsEmpty(parts->runtimes[i].bounds);
  for (intptr_t i = 0; i < parts->nConstraints; ++i) {
    int64_t value;
    const XlaIndexingConstraint *constraint = &parts->constraints[i];
    isEmpty |= xlaIntervalIsEmpty(constraint->bounds) ||
               (xlaExprIsConstant(constraint->expr, &value) &&
                !xlaIntervalHas(constraint->bounds, value));
  }
  return isEmpty;
}

/// Copies an array to `*to`, which moves behind it.
static void *append(char **to, const void *from, intptr_t n, size_t size) {
  char *at = *to;
  if (n)
    memcpy(at, from, (size_t)n * size);
  *to += (size_t)n * size;
  return at;
}

XlaIndexingMap *xlaIndexingMapCreate(const XlaIndexingMapParts *parts) {
  if (mlirAffineMapGetNumDims(parts->map) != parts->nDims ||
      mlirAffineMapGetNumSymbols(parts->map) !=
          parts->nRanges + parts->nRuntimes)
    return NULL;
  size_t bytes = (size_t)(parts->nDims + parts->nRanges) * sizeof(XlaInterval) +
                 (size_t)parts->nRuntimes * sizeof(XlaRuntimeVariable) +
                 (size_t)parts->nConstraints * sizeof(XlaIndexingConstraint);
  intptr_t nNames =
      parts->names ? parts->nDims + parts->nRanges + parts->nRuntimes : 0;
  bytes += (size_t)nNames * sizeof(MlirIdentifier);
  XlaIndexingMap *map = malloc(sizeof *map + bytes);
  if (!map)
    return NULL;
  atomic_init(&map->references, 1);
  map->parts = *parts;
  char *to = map->arrays;
  map->parts.dims = append(&to, parts->dims, parts->nDims, sizeof(XlaInterval));
  map->parts.ranges =
      append(&to, parts->ranges, parts->nRanges, sizeof(XlaInterval));
  XlaRuntimeVariable *runtimes = append(&to, parts->runtimes, parts->nRuntimes,
                                        sizeof(XlaRuntimeVariable));
  for (intptr_t i = 0; i < parts->nRuntimes; ++i)
    if (mlirAffineMapIsNull(runtimes[i].map))
      runtimes[i].extremum = XlaExtremumNone;
  map->parts.runtimes = runtimes;
  map->parts.constraints = append(&to, parts->constraints, parts->nConstraints,
                                  sizeof(XlaIndexingConstraint));
  MlirIdentifier *names =
      append(&to, parts->names, nNames, sizeof(MlirIdentifier));
  map->parts.names = NULL;
  if (nNames && xlaNamesMakeUnique(parts, names))
    map->parts.names = names;
  map->isEmpty = isKnownEmpty(parts);
  return map;
}

XlaIndexingMap *xlaIndexingMapRetain(const XlaIndexingMap *map) {
  XlaIndexingMap *same = (XlaIndexingMap *)map;
  atomic_fetch_add_explicit(&same->references, 1, memory_order_relaxed);
  return same;
}

void xlaIndexingMapRelease(const XlaIndexingMap *map) {
  XlaIndexingMap *same = (XlaIndexingMap *)map;
  if (same && atomic_fetch_sub_explicit(&same->references, 1,
                                        memory_order_acq_rel) == 1)
    free(same);
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

const XlaIndexingMapParts *xlaIndexingMapGetParts(const XlaIndexingMap *map) {
  return &map->parts;
}

void xlaIndexingMapCopyBounds(const XlaIndexingMapParts *parts,
                              XlaInterval *bounds) {
  for (intptr_t i = 0; i < parts->nDims; ++i)
    *bounds++ = parts->dims[i];
  for (intptr_t i = 0; i < parts->nRanges; ++i)
    *bounds++ = parts->ranges[i];
  for (intptr_t i = 0; i < parts->nRuntimes; ++i)
    *bounds++ = parts->runtimes[i].bounds;
}

bool xlaIndexingMapIsKnownEmpty(const XlaIndexingMap *map) {
  return map->isEmpty;
}

static bool sameIntervals(const XlaInterval *a, const XlaInterval *b,
                          intptr_t n) {
  bool same = true;
  for (intptr_t i = 0; i < n; ++i)
    same &= xlaIntervalEqual(a[i], b[i]);
  return same;
}

static bool sameRuntimes(const XlaRuntimeVariable *a,
                         const XlaRuntimeVariable *b, intptr_t n) {
  bool same = true;
  for (intptr_t i = 0; i < n; ++i)
    same &= xlaIntervalEqual(a[i].bounds, b[i].bounds) &&
            a[i].value.ptr == b[i].value.ptr && a[i].map.ptr == b[i].map.ptr &&
            a[i].extremum == b[i].extremum;
  return same;
}

static bool hasConstraint(const XlaIndexingMapParts *parts,
                          const XlaIndexingConstraint *constraint) {
  for (intptr_t i = 0; i < parts->nConstraints; ++i)
    if (parts->constraints[i].expr.ptr == constraint->expr.ptr &&
        xlaIntervalEqual(parts->constraints[i].bounds, constraint->bounds))
      return true;
  return false;
}

bool xlaIndexingMapEqual(const XlaIndexingMap *a, const XlaIndexingMap *b) {
  const XlaIndexingMapParts *x = &a->parts, *y = &b->parts;
  if (x->map.ptr != y->map.ptr || x->nRanges != y->nRanges ||
      x->nConstraints != y->nConstraints ||
      !sameIntervals(x->dims, y->dims, x->nDims) ||
      !sameIntervals(x->ranges, y->ranges, x->nRanges) ||
      !sameRuntimes(x->runtimes, y->runtimes, x->nRuntimes))
    return false;
  for (intptr_t i = 0; i < x->nConstraints; ++i)
    if (!hasConstraint(x, &y->constraints[i]) ||
        !hasConstraint(y, &x->constraints[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static bool evaluateBinary(XlaExprKind kind, int64_t x, int64_t y,
                           int64_t *value) {
  if (kind == XlaExprKindAdd)
    return !__builtin_add_overflow(x, y, value);
  if (kind == XlaExprKindMul)
    return !__builtin_mul_overflow(x, y, value);
  if (y == 0 || (y < 0 && kind == XlaExprKindMod))
    return false;
  if (y < 0 && (y == INT64_MIN || x == INT64_MIN))
    return false;
  if (y < 0) {
    x = -x;
    y = -y;
  }
  *value = kind == XlaExprKindMod        ? xlaFloorMod(x, y)
           : kind == XlaExprKindFloorDiv ? xlaFloorDiv(x, y)
                                         : xlaCeilDiv(x, y);
  return true;
}

bool xlaExprEvaluate(MlirAffineExpr expr, const int64_t *dims,
                     const int64_t *symbols, int64_t *value) {
  XlaExprKind kind = xlaExprGetKind(expr);
  int64_t x, y;
  switch (kind) {
  case XlaExprKindDim:
    *value = dims[mlirAffineDimExprGetPosition(expr)];
    return true;
  case XlaExprKindSymbol:
    *value = symbols[mlirAffineSymbolExprGetPosition(expr)];
    return true;
  case XlaExprKindConstant:
    *value = mlirAffineConstantExprGetValue(expr);
    return true;
  case XlaExprKindFloorDiv:
  case XlaExprKindMod:
  case XlaExprKindMul:
  case XlaExprKindCeilDiv:
  case XlaExprKindAdd:
    break;
  }
  return xlaExprEvaluate(mlirAffineBinaryOpExprGetLHS(expr), dims, symbols,
                         &x) &&
         xlaExprEvaluate(mlirAffineBinaryOpExprGetRHS(expr), dims, symbols,
                         &y) &&
         evaluateBinary(kind, x, y, value);
}

bool xlaIndexingMapIsDefinedAt(const XlaIndexingMap *map, const int64_t *dims,
                               const int64_t *symbols) {
  const XlaIndexingMapParts *parts = &map->parts;
  for (intptr_t i = 0; i < parts->nDims; ++i)
    if (!xlaIntervalHas(parts->dims[i], dims[i]))
      return false;
  for (intptr_t i = 0; i < parts->nRanges; ++i)
    if (!xlaIntervalHas(parts->ranges[i], symbols[i]))
      return false;
  for (intptr_t i = 0; i < parts->nRuntimes; ++i) {
    int64_t value = symbols[parts->nRanges + i];
    if (parts->runtimes[i].extremum &&
        (!xlaExtremumEvaluate(&parts->runtimes[i], dims, symbols, &value) ||
         value != symbols[parts->nRanges + i]))
      return false;
    if (!xlaIntervalHas(parts->runtimes[i].bounds, value))
      return false;
  }
  for (intptr_t i = 0; i < parts->nConstraints; ++i) {
    int64_t value;
    if (!xlaExprEvaluate(parts->constraints[i].expr, dims, symbols, &value) ||
        !xlaIntervalHas(parts->constraints[i].bounds, value))
      return false;
  }
  return true;
}

bool xlaIndexingMapEvaluate(const XlaIndexingMap *map, const int64_t *dims,
                            const int64_t *symbols, int64_t *results) {
  MlirAffineMap affine = map->parts.map;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(affine); ++i)
    if (!xlaExprEvaluate(mlirAffineMapGetResult(affine, i), dims, symbols,
                         &results[i]))
      return false;
  return true;
}

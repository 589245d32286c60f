//===- symbolic_tile_use.c - Symbolic tiles composed, asked and printed ---===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/names.h"
#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/ir.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

XlaSymbolicTile *xlaSymbolicTileCompose(const XlaSymbolicTile *tile,
                                        const XlaIndexingMap *map,
                                        char message[256]) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  if (parts->nDims != tile->nResults) {
    snprintf(message, 256, "the map takes %lld dimensions, the tile has %lld",
             (long long)parts->nDims, (long long)tile->nResults);
    return NULL;
  }
  XlaIndexingMap *both = xlaIndexingMapCompose(tile->map, map);
  XlaSymbolicTile *result = both ? xlaSymbolicTileCreate(both, message) : NULL;
  if (!both)
    snprintf(message, 256, "out of memory");
  xlaIndexingMapRelease(both);
  return result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

typedef struct Printer {
  MlirStringCallback callback;
  void *userData;
  XlaIndexingMapParts parts; ///< variables with the names p0.., t0.., rt0..
  MlirAffineExpr *sizes;     ///< in place of the symbols, or NULL
} Printer;

static void put(const Printer *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(const Printer *p, const char *format, ...) {
  char text[80];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  p->callback(mlirStringRefCreateFromCString(text), p->userData);
}

static MlirIdentifier name(MlirContext context, const char *letter,
                           intptr_t number) {
  char text[32];
  snprintf(text, sizeof text, "%s%lld", letter, (long long)number);
  return mlirIdentifierGet(context, mlirStringRefCreateFromCString(text));
}

/// Names of all variables; NULL without memory.
static MlirIdentifier *makeNames(const XlaSymbolicTile *tile,
                                 XlaIndexingMapParts *as) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  MlirContext context = mlirAffineMapGetContext(parts->map);
  intptr_t n = parts->nDims;
  MlirIdentifier *names =
      calloc((size_t)(2 * n + parts->nRuntimes) + 1, sizeof *names);
  *as = (XlaIndexingMapParts){
      .nDims = n, .nRanges = n, .nRuntimes = parts->nRuntimes, .names = names};
  for (intptr_t i = 0; i < n && names; ++i) {
    names[i] = name(context, "p", i);
    names[n + i] = name(context, "t", i);
  }
  for (intptr_t i = 0; i < parts->nRuntimes && names; ++i)
    names[2 * n + i] = name(context, "rt", i);
  return names;
}

static void putExpr(const Printer *p, MlirAffineExpr expr) {
  if (p->sizes)
    expr = xlaExprReplace(expr, NULL, p->sizes);
  xlaExprPrint(&p->parts, expr, p->callback, p->userData);
}

static void putCondition(const Printer *p, const XlaIndexingConstraint *c) {
  putExpr(p, c->expr);
  if (xlaIntervalIsPoint(c->bounds))
    put(p, " = %lld", (long long)c->bounds.lower);
  else
    put(p, " in [%lld, %lld]", (long long)c->bounds.lower,
        (long long)c->bounds.upper);
}

static void putCase(const Printer *p, const XlaSymbolicTile *tile,
                    const XlaTileCase *one) {
  bool hasStride = false;
  put(p, "(");
  for (intptr_t r = 0; r < tile->nResults; ++r) {
    put(p, "%s", r ? ", " : "");
    putExpr(p, one->results[r].offset);
    hasStride |= one->results[r].stride != 1;
  }
  put(p, ") size (");
  for (intptr_t r = 0; r < tile->nResults; ++r) {
    put(p, "%s", r ? ", " : "");
    putExpr(p, one->results[r].size);
  }
  put(p, ")%s", hasStride ? " stride (" : "");
  for (intptr_t r = 0; r < tile->nResults && hasStride; ++r)
    put(p, "%s%lld", r ? ", " : "", (long long)one->results[r].stride);
  put(p, "%s", hasStride ? ")" : "");
  for (intptr_t i = 0; i < one->nConditions && !p->sizes; ++i) {
    put(p, "%s", i ? ", " : " if ");
    putCondition(p, &one->conditions[i]);
  }
}

/// The sizes as numbers, then runtime variables; NULL without memory.
static MlirAffineExpr *sizesToExprs(const XlaSymbolicTile *tile,
                                    const int64_t *sizes) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  MlirContext context = mlirAffineMapGetContext(parts->map);
  intptr_t n = parts->nDims + parts->nRuntimes;
  MlirAffineExpr *exprs = calloc((size_t)n + 1, sizeof *exprs);
  for (intptr_t i = 0; i < n && exprs; ++i)
    exprs[i] = i < parts->nDims ? mlirAffineConstantExprGet(context, sizes[i])
                                : mlirAffineSymbolExprGet(context, i);
  return exprs;
}

void xlaSymbolicTilePrint(const XlaSymbolicTile *tile, const char *between,
                          const XlaTileCase *only, const int64_t *sizes,
                          MlirStringCallback callback, void *userData) {
  Printer p = {.callback = callback, .userData = userData};
  MlirIdentifier *names = makeNames(tile, &p.parts);
  if (sizes)
    p.sizes = sizesToExprs(tile, sizes);
  if (!names || (sizes && !p.sizes))
    put(&p, "out of memory");
  else if (sizes)
    putCase(&p, tile, only);
  for (int i = 0; i < tile->nCases && names && !sizes; ++i) {
    put(&p, "%s", i ? between : "");
    putCase(&p, tile, &tile->cases[i]);
  }
  free(names);
  free(p.sizes);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The first condition that does not hold; NULL if all do.
static const XlaIndexingConstraint *findFailing(const XlaTileCase *one,
                                                const int64_t *sizes) {
  for (intptr_t i = 0; i < one->nConditions; ++i) {
    int64_t value;
    if (!xlaExprEvaluate(one->conditions[i].expr, NULL, sizes, &value) ||
        !xlaIntervalHas(one->conditions[i].bounds, value))
      return &one->conditions[i];
  }
  return NULL;
}

/// Whether the same condition fails first in a case before `i`.
static bool isSaid(const XlaSymbolicTile *tile, int i,
                   const XlaIndexingConstraint *condition,
                   const int64_t *sizes) {
  for (int k = 0; k < i; ++k) {
    const XlaIndexingConstraint *other = findFailing(&tile->cases[k], sizes);
    if (other->expr.ptr == condition->expr.ptr &&
        xlaIntervalEqual(other->bounds, condition->bounds))
      return true;
  }
  return false;
}

static bool isOf(MlirAffineExpr expr, intptr_t size) {
  if (mlirAffineExprIsASymbol(expr))
    return mlirAffineSymbolExprGetPosition(expr) == size;
  return mlirAffineExprIsABinary(expr) &&
         (isOf(mlirAffineBinaryOpExprGetLHS(expr), size) ||
          isOf(mlirAffineBinaryOpExprGetRHS(expr), size));
}

bool xlaTileCaseDependsOn(const XlaTileCase *one, intptr_t size) {
  for (intptr_t i = 0; i < one->nConditions; ++i)
    if (isOf(one->conditions[i].expr, size))
      return true;
  return false;
}

const XlaTileCase *xlaSymbolicTileFindHanging(const XlaSymbolicTile *tile,
                                              const int64_t *sizes) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  for (int i = 0; i < tile->nCases; ++i) {
    bool fits = true;
    for (intptr_t d = 0; d < parts->nDims; ++d)
      fits &= sizes[d] >= 1 &&
              (sizes[d] <= parts->dims[d].upper - parts->dims[d].lower + 1 ||
               !xlaTileCaseDependsOn(&tile->cases[i], d));
    if (fits && !findFailing(&tile->cases[i], sizes))
      return &tile->cases[i];
  }
  return NULL;
}

/// Whether sizes are between 1 and those of the dimensions.
static bool areInDomain(const XlaIndexingMapParts *parts, const int64_t *sizes,
                        char message[256]) {
  for (intptr_t d = 0; d < parts->nDims; ++d) {
    int64_t extent = parts->dims[d].upper - parts->dims[d].lower + 1;
    if (sizes[d] >= 1 && sizes[d] <= extent)
      continue;
    snprintf(message, 256, "t%lld is %lld, not in [1, %lld]", (long long)d,
             (long long)sizes[d], (long long)extent);
    return false;
  }
  return true;
}

const XlaTileCase *xlaSymbolicTileFind(const XlaSymbolicTile *tile,
                                       const int64_t *sizes,
                                       char message[256]) {
  XlaIrLine line = {message, 256, 0};
  Printer p = {.callback = xlaIrLineAppend, .userData = &line};
  message[0] = 0;
  if (!areInDomain(xlaIndexingMapGetParts(tile->map), sizes, message))
    return NULL;
  for (int i = 0; i < tile->nCases; ++i)
    if (!findFailing(&tile->cases[i], sizes))
      return &tile->cases[i];
  MlirIdentifier *names = makeNames(tile, &p.parts);
  put(&p, "%s", names ? "it does not hold that " : "out of memory");
  bool isComputed = xlaIndexingMapGetParts(tile->map)->nRuntimes > 0;
  for (int i = 0; i < tile->nCases && names; ++i) {
    const XlaIndexingConstraint *failing = findFailing(&tile->cases[i], sizes);
    if (isSaid(tile, i, failing, sizes))
      continue;
    put(&p, "%s", i ? ", or that " : "");
    putCondition(&p, failing);
  }
  if (isComputed && names)
    put(&p, "%s", ": what is read lies at computed places, each elsewhere");
  free(names);
  return NULL;
}

bool xlaSymbolicTileEvaluate(const XlaSymbolicTile *tile,
                             const XlaTileResult *result, const int64_t *sizes,
                             const int64_t *position, const int64_t *runtimes,
                             XlaTileNumbers *numbers) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  size_t n = (size_t)(parts->nDims + parts->nRuntimes);
  int64_t *symbols = calloc(n + 1, sizeof *symbols);
  if (!symbols)
    return false;
  for (intptr_t i = 0; i < parts->nDims; ++i)
    symbols[i] = sizes[i];
  for (intptr_t i = 0; i < parts->nRuntimes; ++i)
    symbols[parts->nDims + i] = runtimes[i];
  numbers->stride = result->stride;
  bool fits =
      xlaExprEvaluate(result->offset, position, symbols, &numbers->offset) &&
      xlaExprEvaluate(result->size, position, symbols, &numbers->size);
  free(symbols);
  return fits;
}

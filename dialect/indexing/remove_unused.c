//===- remove_unused.c - Variables that nothing reads ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/indexing/names.h"

#include <stdlib.h>
#include <string.h>

/// Which variables stay, dimensions first, and the parts that are left.
typedef struct Remover {
  const XlaIndexingMapParts *from;
  intptr_t nVariables;
  bool *isUsed, *isRead; ///< of all variables; by one constraint
  MlirAffineExpr *exprs; ///< what they become
  MlirIdentifier *names;
  XlaInterval *bounds;
  XlaRuntimeVariable *runtimes;
  XlaIndexingConstraint *constraints;
  XlaIndexingMapParts parts;
} Remover;

/// Marks what a constraint reads in `isRead`; true if a used variable is among
/// it.
static bool readsUsed(Remover *r, MlirAffineExpr expr) {
  bool found = false;
  memset(r->isRead, 0, (size_t)r->nVariables * sizeof *r->isRead);
  xlaExprMarkUsed(expr, r->isRead, r->isRead + r->from->nDims);
  for (intptr_t i = 0; i < r->nVariables; ++i)
    found |= r->isRead[i] && r->isUsed[i];
  return found;
}

/// Marks a min or max, and what it is of, as used, if something of that is.
/// Whether something was not before.
static bool useExtremum(Remover *r, intptr_t i) {
  const XlaIndexingMapParts *from = r->from;
  MlirAffineMap of = from->runtimes[i].map;
  bool isUsed = false, changed = false;
  memset(r->isRead, 0, (size_t)r->nVariables * sizeof *r->isRead);
  r->isRead[from->nDims + from->nRanges + i] = true;
  for (intptr_t k = 0; k < mlirAffineMapGetNumResults(of); ++k)
    xlaExprMarkUsed(mlirAffineMapGetResult(of, k), r->isRead,
                    r->isRead + from->nDims);
  for (intptr_t v = 0; v < r->nVariables; ++v)
    isUsed |= r->isRead[v] && r->isUsed[v];
  for (intptr_t v = 0; v < r->nVariables && isUsed; ++v) {
    changed |= r->isRead[v] && !r->isUsed[v];
    r->isUsed[v] |= r->isRead[v];
  }
  return changed;
}

/// What results read, and all that shares a constraint with something used.
static void findUsed(Remover *r, bool dims) {
  const XlaIndexingMapParts *from = r->from;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(from->map); ++i)
    xlaExprMarkUsed(mlirAffineMapGetResult(from->map, i), r->isUsed,
                    r->isUsed + from->nDims);
  for (intptr_t i = 0; i < from->nDims && !dims; ++i)
    r->isUsed[i] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (intptr_t c = 0; c < from->nConstraints; ++c) {
      if (!readsUsed(r, from->constraints[c].expr))
        continue;
      for (intptr_t i = 0; i < r->nVariables; ++i) {
        changed |= r->isRead[i] && !r->isUsed[i];
        r->isUsed[i] |= r->isRead[i];
      }
    }
    // The bounds of min and max are constraints on what these are of.
    for (intptr_t i = 0; i < from->nRuntimes; ++i)
      changed |= from->runtimes[i].extremum && useExtremum(r, i);
    // And what says where a runtime variable is read.
    for (intptr_t i = 0; i < from->nRuntimes; ++i) {
      MlirAffineMap place = from->runtimes[i].map;
      if (!r->isUsed[from->nDims + from->nRanges + i] ||
          mlirAffineMapIsNull(place))
        continue;
      memset(r->isRead, 0, (size_t)r->nVariables * sizeof *r->isRead);
      for (intptr_t k = 0; k < mlirAffineMapGetNumResults(place); ++k)
        xlaExprMarkUsed(mlirAffineMapGetResult(place, k), r->isRead,
                        r->isRead + from->nDims);
      for (intptr_t v = 0; v < r->nVariables; ++v) {
        changed |= r->isRead[v] && !r->isUsed[v];
        r->isUsed[v] |= r->isRead[v];
      }
    }
  }
}

/// Numbers what stays anew.
static void rename(Remover *r) {
  const XlaIndexingMapParts *from = r->from;
  MlirContext context = mlirAffineMapGetContext(from->map);
  XlaIndexingMapParts *to = &r->parts;
  to->dims = r->bounds;
  for (intptr_t i = 0; i < from->nDims; ++i)
    if (r->isUsed[i]) {
      r->exprs[i] = mlirAffineDimExprGet(context, to->nDims);
      r->bounds[to->nDims++] = from->dims[i];
    }
  to->ranges = r->bounds + to->nDims;
  for (intptr_t i = 0; i < from->nRanges; ++i)
    if (r->isUsed[from->nDims + i]) {
      r->exprs[from->nDims + i] = mlirAffineSymbolExprGet(context, to->nRanges);
      r->bounds[to->nDims + to->nRanges++] = from->ranges[i];
    }
  to->runtimes = r->runtimes;
  for (intptr_t i = 0; i < from->nRuntimes; ++i) {
    intptr_t v = from->nDims + from->nRanges + i;
    if (!r->isUsed[v])
      continue;
    r->exprs[v] = mlirAffineSymbolExprGet(context, to->nRanges + to->nRuntimes);
    r->runtimes[to->nRuntimes++] = from->runtimes[i];
  }
  for (intptr_t v = 0; v < r->nVariables; ++v)
    xlaNameMove(from, v, r->exprs[v], to->nDims, r->names);
  to->names = from->names ? r->names : NULL;
}

/// Where nothing satisfies a constraint that is dropped nothing satisfies the
/// map; the bounds of its variables alone tell that only in part.
static void rewrite(Remover *r) {
  const XlaIndexingMapParts *from = r->from;
  XlaIndexingMapParts *to = &r->parts;
  const MlirAffineExpr *symbols = r->exprs + from->nDims;
  to->map = xlaAffineMapReplace(from->map, r->exprs, symbols, to->nDims,
                                to->nRanges + to->nRuntimes);
  to->constraints = r->constraints;
  for (intptr_t i = 0; i < from->nConstraints; ++i)
    if (readsUsed(r, from->constraints[i].expr))
      r->constraints[to->nConstraints++] = (XlaIndexingConstraint){
          xlaExprReplace(from->constraints[i].expr, r->exprs, symbols),
          from->constraints[i].bounds};
  for (intptr_t i = 0; i < to->nRuntimes; ++i)
    if (!mlirAffineMapIsNull(r->runtimes[i].map))
      r->runtimes[i].map = xlaAffineMapReplace(r->runtimes[i].map, r->exprs,
                                               symbols, to->nDims, to->nRanges);
}

XlaIndexingMap *xlaIndexingMapRemoveUnused(const XlaIndexingMap *map,
                                           bool dims) {
  const XlaIndexingMapParts *from = xlaIndexingMapGetParts(map);
  if (xlaIndexingMapIsKnownEmpty(map))
    return xlaIndexingMapRetain(map);
  Remover r = {.from = from,
               .nVariables = from->nDims + from->nRanges + from->nRuntimes};
  size_t n = (size_t)r.nVariables + 1;
  r.isUsed = calloc(n, sizeof *r.isUsed);
  r.isRead = calloc(n, sizeof *r.isRead);
  r.exprs = calloc(n, sizeof *r.exprs);
  r.names = calloc(n, sizeof *r.names);
  r.bounds = calloc(n, sizeof *r.bounds);
  r.runtimes = calloc(n, sizeof *r.runtimes);
  r.constraints = calloc((size_t)from->nConstraints + 1, sizeof *r.constraints);
  XlaIndexingMap *result = NULL;
  if (r.isUsed && r.isRead && r.exprs && r.names && r.bounds && r.runtimes &&
      r.constraints) {
    findUsed(&r, dims);
    rename(&r);
    rewrite(&r);
    if (!mlirAffineMapIsNull(r.parts.map))
      result = xlaIndexingMapCreate(&r.parts);
  }
  free(r.isUsed);
  free(r.isRead);
  free(r.exprs);
  free(r.names);
  free(r.bounds);
  free(r.runtimes);
  free(r.constraints);
  return result;
}

XlaIndexingMap *xlaIndexingMapFinish(XlaIndexingMap *map,
                                     XlaIndexingPoints points) {
  XlaIndexingMap *simple = map ? xlaIndexingMapSimplify(map, points) : NULL;
  XlaIndexingMap *used =
      simple ? xlaIndexingMapRemoveUnused(simple, false) : NULL;
  xlaIndexingMapRelease(map);
  xlaIndexingMapRelease(simple);
  return used;
}

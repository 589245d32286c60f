//===- resolve.c - Where runtime variables come from ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of a runtime variable is followed to where it comes from. What is
// computed from constants and numbers of positions takes the variable's place.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/follow.h"
#include "xlac/dialect/indexing/names.h"
#include "xlac/dialect/indexing/op_maps_internal.h"

#include <stdlib.h>

typedef struct Resolver {
  const XlaIndexingMapParts *from;
  XlaRules rules; ///< of all variables
  XlaInterval *bounds;
  MlirAffineExpr *symbols; ///< what symbols become
  MlirIdentifier *names;
  XlaRuntimeVariable *runtimes; ///< those that stay
  intptr_t nRuntimes;
  XlaIndexingConstraint *constraints;
  bool changed;
} Resolver;

/// An expression that always has the variable's value, within its bounds; null
/// if there is none.
static MlirAffineExpr valueOf(Resolver *r, const XlaRuntimeVariable *runtime) {
  MlirAffineExpr expr =
      xlaElementToExpr(&r->rules, (XlaElement){runtime->value, runtime->map});
  bool fits = expr.ptr && xlaIntervalContains(runtime->bounds,
                                              xlaExprRange(&r->rules, expr));
  return fits ? expr : (MlirAffineExpr){NULL};
}

static bool sameVariable(const XlaRuntimeVariable *a,
                         const XlaRuntimeVariable *b) {
  return a->value.ptr && a->map.ptr && a->value.ptr == b->value.ptr &&
         a->map.ptr == b->map.ptr && xlaIntervalEqual(a->bounds, b->bounds);
}

/// Resolves variable `i`; what stays keeps a number.
static void resolve(Resolver *r, intptr_t i) {
  const XlaIndexingMapParts *from = r->from;
  XlaRuntimeVariable runtime = from->runtimes[i];
  MlirAffineExpr *symbol = &r->symbols[from->nRanges + i];
  if (runtime.value.ptr && runtime.map.ptr) {
    XlaElement element = {runtime.value, runtime.map};
    r->changed |= xlaElementFollow(&r->rules, &element);
    runtime.value = element.array;
    runtime.map = element.place;
    *symbol = valueOf(r, &runtime);
    r->changed |= symbol->ptr != NULL;
    if (symbol->ptr)
      return;
  }
  intptr_t same = 0;
  while (same < r->nRuntimes && !sameVariable(&r->runtimes[same], &runtime))
    ++same;
  r->changed |= same < r->nRuntimes;
  if (same == r->nRuntimes)
    r->runtimes[r->nRuntimes++] = runtime;
  *symbol = mlirAffineSymbolExprGet(r->rules.context, from->nRanges + same);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static XlaIndexingMap *rebuild(Resolver *r) {
  XlaIndexingMapParts parts = *r->from;
  parts.nRuntimes = r->nRuntimes;
  parts.runtimes = r->runtimes;
  parts.map = xlaAffineMapReplace(parts.map, NULL, r->symbols, parts.nDims,
                                  parts.nRanges + parts.nRuntimes);
  for (intptr_t i = 0; i < parts.nConstraints; ++i)
    r->constraints[i] = (XlaIndexingConstraint){
        xlaExprReplace(parts.constraints[i].expr, NULL, r->symbols),
        parts.constraints[i].bounds};
  parts.constraints = r->constraints;
  for (intptr_t i = 0; i < parts.nDims && r->from->names; ++i)
    r->names[i] = r->from->names[i];
  // Of variables that become one, it has the name of the first.
  for (intptr_t i = parts.nRanges + r->from->nRuntimes - 1; i >= 0; --i)
    xlaNameMove(r->from, parts.nDims + i, r->symbols[i], parts.nDims, r->names);
  parts.names = r->from->names ? r->names : NULL;
  if (mlirAffineMapIsNull(parts.map))
    return NULL;
  return xlaIndexingMapFinish(xlaIndexingMapCreate(&parts),
                              XlaIndexingPointsKeep);
}

XlaIndexingMap *xlaIndexingMapResolve(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *from = xlaIndexingMapGetParts(map);
  if (from->nRuntimes == 0 || xlaIndexingMapIsKnownEmpty(map))
    return xlaIndexingMapRetain(map);
  intptr_t nSymbols = from->nRanges + from->nRuntimes;
  Resolver r = {
      .from = from,
      .bounds = calloc((size_t)(from->nDims + nSymbols), sizeof *r.bounds),
      .symbols = calloc((size_t)nSymbols, sizeof *r.symbols),
      .names = calloc((size_t)(from->nDims + nSymbols), sizeof *r.names),
      .runtimes = calloc((size_t)from->nRuntimes, sizeof *r.runtimes),
      .constraints =
          calloc((size_t)from->nConstraints + 1, sizeof *r.constraints)};
  XlaIndexingMap *result = NULL;
  if (r.bounds && r.symbols && r.names && r.runtimes && r.constraints) {
    xlaIndexingMapCopyBounds(from, r.bounds);
    r.rules = (XlaRules){.context = mlirAffineMapGetContext(from->map),
                         .dims = r.bounds,
                         .symbols = r.bounds + from->nDims,
                         .keepPoints = true};
    for (intptr_t i = 0; i < from->nConstraints; ++i)
      xlaRulesBound(&r.rules, from->constraints[i].expr,
                    from->constraints[i].bounds);
    for (intptr_t i = 0; i < from->nRanges; ++i)
      r.symbols[i] = mlirAffineSymbolExprGet(r.rules.context, i);
    for (intptr_t i = 0; i < from->nRuntimes; ++i)
      resolve(&r, i);
    result = r.changed ? rebuild(&r) : xlaIndexingMapRetain(map);
    xlaRulesFree(&r.rules);
  }
  free(r.bounds);
  free(r.symbols);
  free(r.names);
  free(r.runtimes);
  free(r.constraints);
  return result;
}

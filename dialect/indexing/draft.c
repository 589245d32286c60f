//===- draft.c - Indexing maps under construction -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"

/// Symbols from here are runtime variables, until the number of range variables
/// is known.
enum { firstRuntime = 4 * XLA_MAX_RANK };

void xlaMapDraftInit(XlaMapDraft *draft, MlirContext context,
                     const XlaShape *result) {
  *draft = (XlaMapDraft){.context = context, .nDims = result->rank, .nWays = 1};
  for (int i = 0; i < result->rank; ++i)
    draft->dims[i] = (XlaInterval){0, result->dims[i] - 1};
}

MlirAffineExpr xlaMapDraftDim(const XlaMapDraft *draft, intptr_t i) {
  return mlirAffineDimExprGet(draft->context, i);
}

MlirAffineExpr xlaMapDraftAddRange(XlaMapDraft *draft, int64_t size) {
  draft->ranges[draft->nRanges] = (XlaInterval){0, size - 1};
  return mlirAffineSymbolExprGet(draft->context, draft->nRanges++);
}

MlirAffineExpr xlaMapDraftAddRuntime(XlaMapDraft *draft, int64_t most,
                                     MlirValue value, intptr_t nPlace,
                                     const MlirAffineExpr *place) {
  draft->runtimes[draft->nRuntimes] =
      (XlaRuntimeVariable){.bounds = {0, most}, .value = value};
  if (value.ptr)
    draft->runtimes[draft->nRuntimes].map =
        mlirAffineMapGet(draft->context, draft->nDims, firstRuntime, nPlace,
                         (MlirAffineExpr *)place);
  return mlirAffineSymbolExprGet(draft->context,
                                 firstRuntime + draft->nRuntimes++);
}

void xlaMapDraftAddResult(XlaMapDraft *draft, MlirAffineExpr expr) {
  draft->results[draft->nResults++] = expr;
}

void xlaMapDraftConstrain(XlaMapDraft *draft, MlirAffineExpr expr,
                          int64_t lower, int64_t upper) {
  draft->constraints[draft->nConstraints++] =
      (XlaIndexingConstraint){expr, {lower, upper}};
}

XlaIndexingMap *xlaMapDraftFinish(const XlaMapDraft *draft) {
  MlirAffineExpr symbols[firstRuntime + XLA_MAX_RANK];
  XlaMapDraft named = *draft;
  for (intptr_t i = 0; i < draft->nRanges; ++i)
    symbols[i] = mlirAffineSymbolExprGet(draft->context, i);
  for (intptr_t i = 0; i < draft->nRuntimes; ++i) {
    symbols[firstRuntime + i] =
        mlirAffineSymbolExprGet(draft->context, draft->nRanges + i);
    if (draft->runtimes[i].value.ptr)
      named.runtimes[i].map = xlaAffineMapReplace(
          draft->runtimes[i].map, NULL, NULL, draft->nDims, draft->nRanges);
  }
  for (intptr_t i = 0; i < draft->nResults; ++i)
    named.results[i] = xlaExprReplace(draft->results[i], NULL, symbols);
  for (intptr_t i = 0; i < draft->nConstraints; ++i)
    named.constraints[i].expr =
        xlaExprReplace(draft->constraints[i].expr, NULL, symbols);
  XlaIndexingMapParts parts = {
      .map = mlirAffineMapGet(draft->context, draft->nDims,
                              draft->nRanges + draft->nRuntimes,
                              draft->nResults, named.results),
      .nDims = draft->nDims,
      .dims = named.dims,
      .nRanges = draft->nRanges,
      .ranges = named.ranges,
      .nRuntimes = draft->nRuntimes,
      .runtimes = named.runtimes,
      .nConstraints = draft->nConstraints,
      .constraints = named.constraints};
  return xlaIndexingMapFinish(xlaIndexingMapCreate(&parts),
                              XlaIndexingPointsKeep);
}

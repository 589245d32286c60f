//===- gather.c - Maps of windows at computed places ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"
#include "xlac/dialect/ops/indexed_windows.h"

/// Fills in an index of the indices array, whose coordinates lie along
/// `vector`.
static intptr_t placeOf(const XlaIndexedWindows *windows, int rank,
                        MlirAffineExpr vector, const XlaMapDraft *draft,
                        MlirAffineExpr *place) {
  if (windows->vectorDim < rank)
    place[windows->vectorDim] = vector;
  for (int i = 0; i < windows->batch.size; ++i)
    place[windows->indexBatch.values[i]] =
        xlaMapDraftDim(draft, windows->batch.values[i]);
  return rank;
}

static bool mapIndices(const XlaIndexedWindows *windows, const XlaShape *shape,
                       XlaMapDraft *draft) {
  MlirAffineExpr place[XLA_MAX_RANK], vector = {NULL};
  if (windows->vectorDim < shape->rank)
    vector = xlaMapDraftAddRange(draft, shape->dims[windows->vectorDim]);
  intptr_t n = placeOf(windows, shape->rank, vector, draft, place);
  for (intptr_t i = 0; i < n; ++i)
    xlaMapDraftAddResult(draft, place[i]);
  return true;
}

bool xlaGatherMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                  intptr_t operand, const XlaShape *shape, XlaMapDraft *draft) {
  XlaIndexedWindows windows;
  XlaI64List sizes;
  XlaShape indices;
  MlirAffineExpr at[XLA_MAX_RANK], place[XLA_MAX_RANK];
  MlirValue value = mlirOperationGetOperand(op, 1);
  xlaIndexedWindowsGet(op, &windows);
  if (operand == 1)
    return mapIndices(&windows, shape, draft);
  xlaOpGetList(op, "slice_sizes", &sizes);
  xlaShapeFromMlir(mlirValueGetType(value), &indices, NULL);
  for (int i = 0; i < shape->rank; ++i)
    at[i] = mlirAffineConstantExprGet(draft->context, 0);
  for (int i = 0; i < windows.offset.size; ++i)
    at[windows.window.values[i]] =
        xlaMapDraftDim(draft, windows.offset.values[i]);
  for (int i = 0; i < windows.batching.size; ++i)
    for (int b = 0; b < windows.batch.size; ++b)
      if (windows.indexBatch.values[b] == windows.indexBatching.values[i])
        at[windows.batching.values[i]] =
            xlaMapDraftDim(draft, windows.batch.values[b]);
  for (int i = 0; i < windows.startMap.size; ++i) {
    int64_t to = windows.startMap.values[i];
    intptr_t n =
        placeOf(&windows, indices.rank,
                mlirAffineConstantExprGet(draft->context, i), draft, place);
    at[to] = xlaExprAdd(
        at[to], xlaMapDraftAddRuntime(draft, shape->dims[to] - sizes.values[to],
                                      value, n, place));
  }
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft, at[i]);
  return true;
}

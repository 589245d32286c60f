//===- scatter.c - Maps of scatters ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"
#include "xlac/dialect/ops/indexed_windows.h"

typedef struct Scatter {
  XlaIndexedWindows windows;
  XlaMapDraft *draft;
  MlirValue indices;
  XlaShape indicesShape;
  MlirAffineExpr place[XLA_MAX_RANK]; ///< of an update's coordinates
} Scatter;

static MlirAffineExpr number(const Scatter *s, int64_t value) {
  return mlirAffineConstantExprGet(s->draft->context, value);
}

/// Which updates there are: range variables, but for dimensions that the
/// inputs share with the indices.
static void findPlace(Scatter *s) {
  const XlaIndexedWindows *w = &s->windows;
  for (int i = 0; i < s->indicesShape.rank; ++i) {
    s->place[i] = number(s, 0);
    int64_t shared = -1;
    for (int k = 0; k < w->indexBatching.size; ++k)
      if (w->indexBatching.values[k] == i)
        shared = w->batching.values[k];
    if (i != w->vectorDim)
      s->place[i] = shared < 0
                        ? xlaMapDraftAddRange(s->draft, s->indicesShape.dims[i])
                        : xlaMapDraftDim(s->draft, shared);
  }
}

static bool isStart(const XlaIndexedWindows *w, int64_t d) {
  bool is = false;
  for (int i = 0; i < w->startMap.size; ++i)
    is |= w->startMap.values[i] == d;
  return is;
}

/// Any window may lie over an element, unless it begins at 0 and ends before:
/// all indices are read.
static void mapIndices(Scatter *s, const XlaShape *update) {
  const XlaIndexedWindows *w = &s->windows;
  for (int i = 0; i < w->offset.size; ++i)
    if (!isStart(w, w->window.values[i]))
      xlaMapDraftConstrain(s->draft,
                           xlaMapDraftDim(s->draft, w->window.values[i]), 0,
                           update->dims[w->offset.values[i]] - 1);
  for (int i = 0; i < w->collapsed.size; ++i)
    if (!isStart(w, w->collapsed.values[i]))
      xlaMapDraftConstrain(
          s->draft, xlaMapDraftDim(s->draft, w->collapsed.values[i]), 0, 0);
  if (w->vectorDim < s->indicesShape.rank)
    s->place[w->vectorDim] =
        xlaMapDraftAddRange(s->draft, s->indicesShape.dims[w->vectorDim]);
  for (int i = 0; i < s->indicesShape.rank; ++i)
    xlaMapDraftAddResult(s->draft, s->place[i]);
}

/// Where the window begins in dimension `d` of the inputs.
static MlirAffineExpr startOf(Scatter *s, int64_t d, int64_t size) {
  const XlaIndexedWindows *w = &s->windows;
  for (int i = 0; i < w->startMap.size; ++i)
    if (w->startMap.values[i] == d) {
      if (w->vectorDim < s->indicesShape.rank)
        s->place[w->vectorDim] = number(s, i);
      return xlaMapDraftAddRuntime(s->draft, s->draft->dims[d].upper + 1 - size,
                                   s->indices, s->indicesShape.rank, s->place);
    }
  return number(s, 0);
}

/// The updates whose windows lie over the element. A window that is not inside
/// of the inputs is left out, as one is whose runtime variables are outside of
/// their bounds.
static void mapUpdates(Scatter *s, const XlaShape *shape) {
  const XlaIndexedWindows *w = &s->windows;
  XlaMapDraft *draft = s->draft;
  MlirAffineExpr at[XLA_MAX_RANK];
  for (int i = 0; i < w->batch.size; ++i)
    at[w->batch.values[i]] = s->place[w->indexBatch.values[i]];
  for (int i = 0; i < w->offset.size; ++i) {
    int64_t d = w->window.values[i], size = shape->dims[w->offset.values[i]];
    MlirAffineExpr offset = xlaExprAdd(xlaMapDraftDim(draft, d),
                                       xlaExprScale(startOf(s, d, size), -1));
    xlaMapDraftConstrain(draft, offset, 0, size - 1);
    at[w->offset.values[i]] = offset;
  }
  for (int i = 0; i < w->collapsed.size; ++i) {
    int64_t d = w->collapsed.values[i];
    xlaMapDraftConstrain(draft,
                         xlaExprAdd(xlaMapDraftDim(draft, d),
                                    xlaExprScale(startOf(s, d, 1), -1)),
                         0, 0);
  }
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft, at[i]);
}

/// Inputs, indices, then an update for each input.
bool xlaScatterMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                   intptr_t operand, const XlaShape *shape,
                   XlaMapDraft *draft) {
  intptr_t nInputs = mlirOperationGetNumOperands(op) / 2;
  Scatter s = {.draft = draft, .indices = mlirOperationGetOperand(op, nInputs)};
  if (operand < nInputs) {
    for (int i = 0; i < shape->rank; ++i)
      xlaMapDraftAddResult(draft, xlaMapDraftDim(draft, i));
    return true;
  }
  xlaIndexedWindowsGet(op, &s.windows);
  xlaShapeFromMlir(mlirValueGetType(s.indices), &s.indicesShape, NULL);
  findPlace(&s);
  XlaShape update;
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, nInputs + 1)),
                   &update, NULL);
  if (operand == nInputs)
    mapIndices(&s, &update);
  else
    mapUpdates(&s, shape);
  return true;
}

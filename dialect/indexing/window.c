//===- window.c - Maps of windows -----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/indexing/draft.h"
#include "xlac/dialect/ops/convolution.h"

/// The element of the base area under element `index` of the window at
/// `position`, in dimension `i`; a constraint excludes padding and holes.
static MlirAffineExpr underWindow(const XlaWindow *window, int i,
                                  MlirAffineExpr position, MlirAffineExpr index,
                                  XlaMapDraft *draft) {
  int64_t dilation = window->baseDilations[i];
  MlirAffineExpr at =
      xlaExprShift(xlaExprAdd(xlaExprScale(position, window->strides[i]),
                              xlaExprScale(index, window->windowDilations[i])),
                   -window->low[i]);
  xlaMapDraftConstrain(draft, xlaExprModulo(at, dilation), 0, 0);
  at = xlaExprOver(at, dilation);
  xlaMapDraftConstrain(draft, at, 0, window->base[i] - 1);
  return at;
}

/// An index into a dimension of the window.
static MlirAffineExpr addIndex(XlaMapDraft *draft, int64_t size) {
  return size == 1 ? mlirAffineConstantExprGet(draft->context, 0)
                   : xlaMapDraftAddRange(draft, size);
}

static bool mapReduceWindow(MlirOperation op, intptr_t operand,
                            const XlaShape *shape, XlaMapDraft *draft) {
  XlaWindow window = {.rank = shape->rank};
  if (operand >= mlirOperationGetNumOperands(op) / 2)
    return true;
  for (int i = 0; i < shape->rank; ++i)
    window.base[i] = shape->dims[i];
  xlaWindowRead(op, &xlaReduceWindowForm, &window);
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft,
                         underWindow(&window, i, xlaMapDraftDim(draft, i),
                                     addIndex(draft, window.sizes[i]), draft));
  return true;
}

/// The windows over an element: what is selected in them, and what comes back
/// for them. The last of them begins less than a stride before the element,
/// those before it each a stride earlier.
static bool mapSelectAndScatter(MlirOperation op, intptr_t operand,
                                const XlaShape *shape, XlaMapDraft *draft) {
  XlaWindow window = {.rank = (int)draft->nDims};
  if (operand == 2)
    return true;
  for (int i = 0; i < window.rank; ++i) {
    window.base[i] = draft->dims[i].upper + 1;
    window.sizes[i] = 1;
  }
  xlaWindowRead(op, &xlaSelectAndScatterForm, &window);
  for (int i = 0; i < window.rank; ++i) {
    int64_t stride = window.strides[i], size = window.sizes[i];
    MlirAffineExpr from = xlaExprShift(xlaMapDraftDim(draft, i), window.low[i]);
    MlirAffineExpr before = addIndex(draft, (size - 1) / stride + 1);
    MlirAffineExpr position =
        xlaExprAdd(xlaExprOver(from, stride), xlaExprScale(before, -1));
    xlaMapDraftConstrain(
        draft,
        xlaExprAdd(xlaExprModulo(from, stride), xlaExprScale(before, stride)),
        0, size - 1);
    xlaMapDraftConstrain(draft, position, 0, window.counts[i] - 1);
    MlirAffineExpr at = position;
    if (operand == 0) {
      at = xlaExprShift(
          xlaExprAdd(xlaExprScale(position, stride), addIndex(draft, size)),
          -window.low[i]);
      xlaMapDraftConstrain(draft, at, 0, shape->dims[i] - 1);
    }
    xlaMapDraftAddResult(draft, at);
  }
  return true;
}

/// Which of `groups` groups an element of a dimension of `size` is in.
static MlirAffineExpr groupOf(MlirAffineExpr at, int64_t size, int64_t groups) {
  return xlaExprOver(at, groups ? size / groups : 1);
}

static bool mapConvolution(MlirOperation op, intptr_t operand,
                           const XlaShape *shape, XlaMapDraft *draft) {
  XlaConvolution c;
  MlirAffineExpr at[XLA_MAX_RANK] = {{NULL}};
  xlaConvolutionRead(op, &c);
  MlirAffineExpr feature = xlaMapDraftDim(draft, c.result.feature);
  MlirAffineExpr batch = xlaMapDraftDim(draft, c.result.batch);
  int64_t nFeatures = draft->dims[c.result.feature].upper + 1;
  int64_t nBatches = draft->dims[c.result.batch].upper + 1;
  if (nFeatures < 1 || nBatches < 1)
    return false;
  const XlaConvolutionSide *side = operand ? &c.rhs : &c.lhs;
  for (int i = 0; i < c.window.rank; ++i) {
    MlirAffineExpr index = addIndex(draft, c.window.sizes[i]);
    MlirAffineExpr position = xlaMapDraftDim(draft, c.result.spatial.values[i]);
    if (operand == 0)
      at[side->spatial.values[i]] =
          underWindow(&c.window, i, position, index, draft);
    else
      at[side->spatial.values[i]] =
          c.reversed[i]
              ? xlaExprShift(xlaExprScale(index, -1), c.window.sizes[i] - 1)
              : index;
  }
  if (operand == 0) {
    int64_t inGroup = shape->dims[side->feature] / c.featureGroups;
    at[side->feature] = xlaExprAdd(
        xlaMapDraftAddRange(draft, inGroup),
        xlaExprScale(groupOf(feature, nFeatures, c.featureGroups), inGroup));
    at[side->batch] =
        c.batchGroups == 1
            ? batch
            : xlaExprAdd(batch, xlaExprScale(
                                    groupOf(feature, nFeatures, c.batchGroups),
                                    nBatches));
  } else {
    at[side->feature] = xlaMapDraftAddRange(draft, shape->dims[side->feature]);
    at[side->batch] = feature;
  }
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft, at[i]);
  return true;
}

bool xlaWindowMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                  intptr_t operand, const XlaShape *shape, XlaMapDraft *draft) {
  if (kind == XlaOpKindSelectAndScatter)
    return mapSelectAndScatter(op, operand, shape, draft);
  return kind == XlaOpKindConvolution
             ? mapConvolution(op, operand, shape, draft)
             : mapReduceWindow(op, operand, shape, draft);
}

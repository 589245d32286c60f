//===- movement.c - Maps of operations that move data ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/movement.h"
#include "xlac/dialect/indexing/draft.h"

static void mapBroadcast(MlirOperation op, const XlaShape *shape,
                         XlaMapDraft *draft) {
  XlaI64List dims;
  xlaOpGetList(op, "broadcast_dimensions", &dims);
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft,
                         shape->dims[i] == 1
                             ? mlirAffineConstantExprGet(draft->context, 0)
                             : xlaMapDraftDim(draft, dims.values[i]));
}

static void mapTranspose(MlirOperation op, XlaMapDraft *draft) {
  XlaI64List permutation;
  intptr_t of[XLA_MAX_RANK];
  xlaOpGetList(op, "permutation", &permutation);
  for (int i = 0; i < permutation.size; ++i)
    of[permutation.values[i]] = i;
  for (int i = 0; i < permutation.size; ++i)
    xlaMapDraftAddResult(draft, xlaMapDraftDim(draft, of[i]));
}

static void mapReverse(MlirOperation op, const XlaShape *shape,
                       XlaMapDraft *draft) {
  XlaI64List dims;
  xlaOpGetList(op, "dimensions", &dims);
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaMapDraftDim(draft, i);
    for (int k = 0; k < dims.size; ++k)
      if (dims.values[k] == i)
        at = xlaExprShift(xlaExprScale(at, -1), shape->dims[i] - 1);
    xlaMapDraftAddResult(draft, at);
  }
}

static void mapRoll(MlirOperation op, const XlaShape *shape,
                    XlaMapDraft *draft) {
  int64_t shifts[XLA_MAX_RANK];
  xlaRollGetShifts(op, shape, shifts);
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaMapDraftDim(draft, i);
    if (shifts[i])
      at = xlaExprModulo(xlaExprShift(at, shape->dims[i] - shifts[i]),
                         shape->dims[i]);
    xlaMapDraftAddResult(draft, at);
  }
}

static void mapSlice(MlirOperation op, const XlaShape *shape,
                     XlaMapDraft *draft) {
  XlaI64List starts, strides;
  xlaOpGetList(op, "start_indices", &starts);
  xlaOpGetListOr(op, "strides", shape->rank, 1, &strides);
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(
        draft,
        xlaExprShift(xlaExprScale(xlaMapDraftDim(draft, i), strides.values[i]),
                     starts.values[i]));
}

/// The operand lies in the result with holes; the padding value is read where
/// it does not.
static void mapPad(MlirOperation op, intptr_t operand, const XlaShape *shape,
                   XlaMapDraft *draft) {
  XlaI64List low, interior;
  if (operand == 1)
    return;
  xlaOpGetList(op, "edge_padding_low", &low);
  xlaOpGetList(op, "interior_padding", &interior);
  for (int i = 0; i < shape->rank; ++i) {
    // Beyond any array, one more or less makes no difference.
    int64_t stride = interior.values[i] + (interior.values[i] != INT64_MAX);
    int64_t shift = low.values[i] == INT64_MIN ? INT64_MAX : -low.values[i];
    MlirAffineExpr at = xlaExprShift(xlaMapDraftDim(draft, i), shift);
    xlaMapDraftConstrain(draft, xlaExprModulo(at, stride), 0, 0);
    xlaMapDraftConstrain(draft, xlaExprOver(at, stride), 0, shape->dims[i] - 1);
    xlaMapDraftAddResult(draft, xlaExprOver(at, stride));
  }
}

static void mapConcatenate(MlirOperation op, intptr_t operand,
                           const XlaShape *shape, XlaMapDraft *draft) {
  int64_t dimension = xlaOpGetI64(op, "dimension", 0), before = 0;
  for (intptr_t i = 0; i < operand; ++i) {
    XlaShape other;
    xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, i)), &other,
                     NULL);
    before += other.dims[dimension];
  }
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaMapDraftDim(draft, i);
    if (i == dimension) {
      at = xlaExprShift(at, -before);
      xlaMapDraftConstrain(draft, at, 0, shape->dims[i] - 1);
    }
    xlaMapDraftAddResult(draft, at);
  }
}

/// By the position in row-major order, without dimensions of size 1.
static void mapReshape(const XlaShape *shape, XlaMapDraft *draft) {
  MlirAffineExpr position = mlirAffineConstantExprGet(draft->context, 0);
  int64_t count = 1;
  for (intptr_t i = draft->nDims - 1; i >= 0; --i) {
    position =
        xlaExprAdd(position, xlaExprScale(xlaMapDraftDim(draft, i), count));
    count *= draft->dims[i].upper + 1;
  }
  count = 1;
  for (int i = 0; i < shape->rank; ++i)
    count *= shape->dims[i] ? shape->dims[i] : 1;
  for (int i = 0; i < shape->rank; ++i) {
    int64_t size = shape->dims[i] ? shape->dims[i] : 1;
    count /= size;
    xlaMapDraftAddResult(draft,
                         xlaExprModulo(xlaExprOver(position, count), size));
  }
}

/// The element at the same place.
static void mapSame(const XlaShape *shape, XlaMapDraft *draft) {
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft, xlaMapDraftDim(draft, i));
}

/// The operand's dimensions are the result's last ones.
static void mapPrepended(const XlaShape *shape, XlaMapDraft *draft) {
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft,
                         xlaMapDraftDim(draft, draft->nDims - shape->rank + i));
}

/// An element of a wide type is a row of narrow ones.
static void mapBitcastConvert(const XlaShape *shape, XlaMapDraft *draft) {
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(
        draft, i < draft->nDims ? xlaMapDraftDim(draft, i)
                                : xlaMapDraftAddRange(draft, shape->dims[i]));
}

bool xlaMovementMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                    intptr_t operand, const XlaShape *shape,
                    XlaMapDraft *draft) {
  if (kind == XlaOpKindBroadcastInDim)
    mapBroadcast(op, shape, draft);
  else if (kind == XlaOpKindTranspose)
    mapTranspose(op, draft);
  else if (kind == XlaOpKindReverse)
    mapReverse(op, shape, draft);
  else if (kind == XlaOpKindRoll)
    mapRoll(op, shape, draft);
  else if (kind == XlaOpKindSlice)
    mapSlice(op, shape, draft);
  else if (kind == XlaOpKindPad)
    mapPad(op, operand, shape, draft);
  else if (kind == XlaOpKindConcatenate)
    mapConcatenate(op, operand, shape, draft);
  else if (kind == XlaOpKindReshape || kind == XlaOpKindCollapse)
    mapReshape(shape, draft);
  else if (kind == XlaOpKindBroadcast)
    mapPrepended(shape, draft);
  else if (kind == XlaOpKindBitcastConvert)
    mapBitcastConvert(shape, draft);
  else if (kind == XlaOpKindOptimizationBarrier ||
           kind == XlaOpKindSetDimensionSize)
    mapSame(shape, draft);
  else
    draft->isUnread = kind == XlaOpKindGetDimensionSize;
  draft->isUnread |= kind == XlaOpKindOptimizationBarrier && operand != result;
  return draft->isUnread || draft->nResults == shape->rank;
}

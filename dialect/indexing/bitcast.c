//===- bitcast.c - Maps of bitcasts ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of the result is what lies at the same bytes of memory.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"
#include "xlac/dialect/layout.h"

/// Dimensions in memory: how many elements one step of an index is, and the
/// sizes.
typedef struct Memory {
  int64_t strides[XLA_MAX_RANK], sizes[XLA_MAX_RANK];
} Memory;

static void findMemory(const XlaShape *shape, const XlaLayout *layout,
                       Memory *memory) {
  int64_t stride = 1;
  for (int i = 0; i < shape->rank; ++i) {
    int64_t d = layout->minorToMajor[i];
    memory->sizes[d] =
        layout->padded ? layout->paddedDimensions[d] : shape->dims[d];
    memory->strides[d] = stride;
    stride *= memory->sizes[d];
  }
}

/// The number of the operand's element at the bytes of element `position`, or
/// of each of the elements there.
static MlirAffineExpr rescale(MlirAffineExpr position, int64_t to, int64_t from,
                              XlaMapDraft *draft) {
  if (to <= from)
    return xlaExprOver(position, from / to);
  return xlaExprAdd(xlaExprScale(position, to / from),
                    xlaMapDraftAddRange(draft, to / from));
}

bool xlaBitcastMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                   intptr_t operand, const XlaShape *shape,
                   XlaMapDraft *draft) {
  MlirType types[] = {mlirValueGetType(mlirOperationGetResult(op, 0)),
                      mlirValueGetType(mlirOperationGetOperand(op, 0))};
  XlaShape shapes[2];
  Memory memory[2];
  for (int i = 0; i < 2; ++i) {
    XlaLayout layout = xlaLayoutFromMlir(types[i]);
    xlaShapeFromMlir(types[i], &shapes[i], NULL);
    findMemory(&shapes[i], &layout, &memory[i]);
  }
  MlirAffineExpr position = mlirAffineConstantExprGet(draft->context, 0);
  for (int i = 0; i < shapes[0].rank; ++i)
    position = xlaExprAdd(
        position, xlaExprScale(xlaMapDraftDim(draft, i), memory[0].strides[i]));
  position =
      rescale(position, xlaElementTypeGetInfo(shapes[0].elementType)->bytes,
              xlaElementTypeGetInfo(shapes[1].elementType)->bytes, draft);
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaExprModulo(
        xlaExprOver(position, memory[1].strides[i]), memory[1].sizes[i]);
    xlaMapDraftConstrain(draft, at, 0, shape->dims[i] - 1);
    xlaMapDraftAddResult(draft, at);
  }
  return true;
}

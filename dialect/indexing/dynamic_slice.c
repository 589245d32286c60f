//===- dynamic_slice.c - Maps of slices at computed places ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"

/// Where the window of a dynamic slice begins in dimension `i`: starts are
/// scalars, or the elements of one vector.
static MlirAffineExpr startOf(MlirOperation op, intptr_t first, int i,
                              int64_t most, XlaMapDraft *draft) {
  XlaShape shape;
  MlirValue start = mlirOperationGetOperand(op, first);
  xlaShapeFromMlir(mlirValueGetType(start), &shape, NULL);
  if (shape.rank == 0)
    return xlaMapDraftAddRuntime(
        draft, most, mlirOperationGetOperand(op, first + i), 0, NULL);
  MlirAffineExpr place = mlirAffineConstantExprGet(draft->context, i);
  return xlaMapDraftAddRuntime(draft, most, start, 1, &place);
}

bool xlaDynamicSliceMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                        intptr_t operand, const XlaShape *shape,
                        XlaMapDraft *draft) {
  bool isUpdate = kind == XlaOpKindDynamicUpdateSlice;
  intptr_t first = isUpdate ? 2 : 1;
  if (operand >= first) { // all of a start
    for (int i = 0; i < shape->rank; ++i)
      xlaMapDraftAddResult(draft, xlaMapDraftAddRange(draft, shape->dims[i]));
    return true;
  }
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaMapDraftDim(draft, i);
    int64_t size = draft->dims[i].upper + 1;
    if (!isUpdate) {
      at = xlaExprAdd(at, startOf(op, first, i, shape->dims[i] - size, draft));
    } else if (operand == 1) {
      at = xlaExprAdd(
          at, xlaExprScale(startOf(op, first, i, size - shape->dims[i], draft),
                           -1));
      xlaMapDraftConstrain(draft, at, 0, shape->dims[i] - 1);
    }
    xlaMapDraftAddResult(draft, at);
  }
  return true;
}

//===- reduce_window_repeat.c - Sums of windows with one element each -----===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of an average over windows that do not overlap is a sum over
// windows of an array with zeros between its elements, of which each window has
// one: every element is repeated as often as its window was large. Adding 0
// makes 0 of -0, as the sum does.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/reduce_window.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// Whether `value` repeats a constant whose bits are all 0.
static bool isZero(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindConstant) {
      static const char zeros[16];
      MlirAttribute elements = xlaOpGetAttr(op, "value");
      int bytes =
          xlaElementTypeGetInfo(xlaArrayShape(value).elementType)->bytes;
      return mlirAttributeIsADenseElements(elements) &&
             mlirDenseElementsAttrIsSplat(elements) && bytes <= 16 &&
             !memcmp(mlirDenseElementsAttrGetRawData(elements), zeros,
                     (size_t)bytes);
    }
    if (kind != XlaOpKindBroadcastInDim && kind != XlaOpKindReshape)
      return false;
    value = mlirOperationGetOperand(op, 0);
  }
  return false;
}

/// Whether the region adds two numbers of the operands' own type.
static bool isSum(const XlaReduceWindow *e) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(e->op, 0));
  MlirOperation op = mlirBlockGetFirstOperation(block);
  XlaElementType type =
      xlaArrayShape(mlirOperationGetOperand(e->op, 0)).elementType;
  return e->n == 1 && xlaOpGetKind(op) == XlaOpKindAdd &&
         xlaReduceWindowIsCommutative(e) &&
         type != XlaElementTypePred && // true is not added to
         xlaArrayShape(mlirBlockGetArgument(block, 0)).elementType == type;
}

/// Whether each window, one for each element, has one of the elements between
/// the zeros of `pad`. `*rest` are zeros behind the last.
static bool hasOneEach(const XlaReduceWindow *e, MlirOperation pad,
                       int64_t *rest) {
  const XlaWindow *w = &e->window;
  XlaI64List low, high, interior;
  if (!xlaOpGetList(pad, "edge_padding_low", &low) ||
      !xlaOpGetList(pad, "edge_padding_high", &high) ||
      !xlaOpGetList(pad, "interior_padding", &interior))
    return false;
  bool isRepeated = false;
  for (int d = 0; d < w->rank; ++d) {
    int64_t others = w->sizes[d] - 1;
    rest[d] = high.values[d] - others;
    if (w->strides[d] != 1 || w->baseDilations[d] != 1 ||
        w->windowDilations[d] != 1 || w->low[d] || w->high[d] ||
        low.values[d] != others || interior.values[d] != others || rest[d] < 0)
      return false;
    isRepeated |= others > 0;
  }
  return isRepeated && 2 * w->rank <= XLA_MAX_RANK;
}

/// Each element, plus `zero`, as often as windows are large: the sum comes
/// last, since it is what kernels that repeat something end with.
static MlirValue repeat(const XlaReduceWindow *e, MlirValue array,
                        MlirValue zero) {
  XlaShape shape = xlaArrayShape(array);
  int64_t split[XLA_MAX_RANK], places[XLA_MAX_RANK], dims[XLA_MAX_RANK];
  int rank = 0;
  for (int d = 0; d < shape.rank; ++d) {
    places[d] = rank;
    split[rank++] = shape.dims[d];
    if (e->window.sizes[d] > 1)
      split[rank++] = e->window.sizes[d];
    dims[d] = shape.dims[d] * e->window.sizes[d];
  }
  array = xlaArrayBroadcast(e->ir, array, rank, split, places);
  array = xlaIrBinary(e->ir, "xla.add", array,
                      xlaArrayBroadcast(e->ir, zero, rank, split, NULL));
  return xlaArrayReshape(e->ir, array, shape.rank, dims);
}

bool xlaReduceWindowRepeat(const XlaReduceWindow *e, MlirValue *result) {
  MlirValue padded = mlirOperationGetOperand(e->op, 0);
  int64_t zeros[XLA_MAX_RANK] = {0}, rest[XLA_MAX_RANK];
  if (!mlirValueIsAOpResult(padded))
    return false;
  MlirOperation pad = mlirOpResultGetOwner(padded);
  if (xlaOpGetKind(pad) != XlaOpKindPad || !isSum(e) ||
      !isZero(mlirOperationGetOperand(pad, 1)) ||
      !isZero(mlirOperationGetOperand(e->op, 1)) || !hasOneEach(e, pad, rest))
    return false;
  MlirValue array = mlirOperationGetOperand(pad, 0);
  MlirValue zero = xlaArrayNumber(e->ir, xlaArrayShape(array).elementType, 0);
  *result =
      xlaArrayPad(e->ir, repeat(e, array, zero), zero, zeros, rest, zeros);
  return true;
}

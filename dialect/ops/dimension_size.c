//===- dimension_size.c - Sizes of dimensions as values -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

static MlirLogicalResult checkDimension(const XlaOpView *view,
                                        const char *label, int rank,
                                        int64_t *dimension) {
  *dimension = xlaViewGetI64(view, "dimension", 0);
  if (*dimension >= 0 && *dimension < rank)
    return success();
  return xlaViewError(view, label, "dimension is %lld, the operand has rank %d",
                      (long long)*dimension, rank);
}

static MlirLogicalResult inferGet(XlaOpView *view) {
  XlaShape operand, result = {.elementType = XlaElementTypeS32};
  int64_t dimension;
  if (failed(xlaViewGetBounded(view, 0, &operand)) ||
      failed(checkDimension(view, "get_dimension_size_c1", operand.rank,
                            &dimension)))
    return failure();
  if (operand.dims[dimension] > INT32_MAX)
    return xlaViewError(view, "get_dimension_size_c2",
                        "dimension %lld is %lld, which is no s32",
                        (long long)dimension,
                        (long long)operand.dims[dimension]);
  xlaViewAppendShape(view, &result);
  return success();
}

static MlirLogicalResult inferSet(XlaOpView *view) {
  XlaShape operand, size;
  int64_t dimension;
  if (failed(xlaViewGetBounded(view, 0, &operand)) ||
      failed(xlaViewGetShape(view, 1, &size)) ||
      failed(checkDimension(view, "set_dimension_size_c1", operand.rank,
                            &dimension)))
    return failure();
  if (size.rank || size.elementType != XlaElementTypeS32)
    return xlaViewError(view, "set_dimension_size_c2",
                        "the size is %s, must be tensor<i32>",
                        XLA_SHAPE_TEXT(&size));
  xlaShapeSetDynamic(&operand, dimension, true);
  xlaViewAppendBounded(view, &operand);
  return success();
}

MlirLogicalResult xlaDimensionSizeInfer(XlaOpView *view) {
  return view->kind == XlaOpKindGetDimensionSize ? inferGet(view)
                                                 : inferSet(view);
}

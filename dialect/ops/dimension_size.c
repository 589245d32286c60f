//===- dimension_size.c - Sizes of dimensions as values -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/ops/family.h"
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

static MlirLogicalResult evaluateGet(XlaEvaluator *evaluator, MlirOperation op,
                                     const XlaLiteral *operand,
                                     XlaLiteral **result) {
  int64_t dimension = xlaOpGetI64(op, "dimension", 0);
  *result = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!*result)
    return failure();
  XlaScalar size = {.s = xlaLiteralGetShape(operand)->dims[dimension]};
  xlaLiteralSet(*result, 0, size);
  return success();
}

/// What lies beyond a size is gone, so that a size cannot grow again.
static MlirLogicalResult evaluateSet(XlaEvaluator *evaluator, MlirOperation op,
                                     const XlaLiteral *operand, int64_t size,
                                     XlaLiteral **result) {
  int64_t dimension = xlaOpGetI64(op, "dimension", 0);
  int64_t starts[XLA_MAX_RANK] = {0};
  XlaShape shape = *xlaLiteralGetShape(operand);
  if (size < 0 || size > shape.dims[dimension])
    return xlaOpInvalid(op, "set_dimension_size_c3",
                        "the size is %lld, dimension %lld has %lld elements",
                        (long long)size, (long long)dimension,
                        (long long)shape.dims[dimension]);
  shape.dims[dimension] = size;
  *result = xlaEvaluatorCreateArray(evaluator, op, &shape);
  if (!*result)
    return failure();
  xlaStridedCopyWindow(*result, operand, false, starts);
  return success();
}

MlirLogicalResult xlaDimensionSizeEvaluate(XlaEvaluator *evaluator,
                                           MlirOperation op, XlaOpKind kind,
                                           const XlaLiteral *const *operands,
                                           XlaLiteral **results) {
  if (kind == XlaOpKindGetDimensionSize)
    return evaluateGet(evaluator, op, operands[0], results);
  return evaluateSet(evaluator, op, operands[0],
                     xlaLiteralGet(operands[1], 0).s, results);
}

//===- dimension_size.c - Sizes of dimensions, evaluated ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/result_internal.h"

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

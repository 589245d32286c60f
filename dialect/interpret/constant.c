//===- constant.c - Constants and iota, evaluated -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/scalar.h"

#include "mlir-c/BuiltinAttributes.h"

static void fillIota(XlaLiteral *result, int64_t dimension) {
  const XlaShape *shape = xlaLiteralGetShape(result);
  int64_t inner = 1;
  for (int d = shape->rank - 1; d > dimension; --d)
    inner *= shape->dims[d];
  for (int64_t i = 0, n = xlaLiteralGetElementCount(result); i < n; ++i) {
    XlaScalar position = {.s = i / inner % shape->dims[dimension]};
    xlaLiteralSet(
        result, i,
        xlaScalarConvert(XlaElementTypeS64, shape->elementType, position));
  }
}

MlirLogicalResult xlaConstantEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                      XlaOpKind kind,
                                      const XlaLiteral *const *operands,
                                      XlaLiteral **results) {
  (void)operands;
  if (kind == XlaOpKindConstant) {
    // A splat is small in the program, whatever its type.
    MlirAttribute value = xlaOpGetAttr(op, "value");
    XlaShape shape;
    xlaShapeFromMlir(mlirAttributeGetType(value), &shape, NULL);
    if (mlirLogicalResultIsFailure(xlaEvaluatorReserve(evaluator, op, &shape)))
      return mlirLogicalResultFailure();
    results[0] = xlaEvaluatorGetOptions(evaluator)->refersToProgram
                     ? xlaLiteralViewAttribute(value, NULL)
                     : xlaLiteralFromAttribute(value);
    return results[0]
               ? xlaEvaluatorCount(evaluator, op, results[0])
               : xlaOpError(op, NULL, "has a value whose data cannot be read");
  }
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!results[0])
    return mlirLogicalResultFailure();
  fillIota(results[0], xlaOpGetI64(op, "iota_dimension", 0));
  return mlirLogicalResultSuccess();
}

//===- constant_integers.c - Integers that follow from constants ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/sizes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/interpret/evaluator.h"

enum { maxFolds = 1000, maxFoldDepth = 32, maxFoldOperands = 64 };

/// The elements of `value`, or null. `*left` bounds how much is looked at.
static MlirAttribute resolve(MlirValue value, int depth, int *left) {
  if (mlirValueIsABlockArgument(value) || depth > maxFoldDepth || !(*left)--)
    return mlirAttributeGetNull();
  MlirOperation op = mlirOpResultGetOwner(value);
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindConstant)
    return xlaOpGetAttr(op, "value");
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirAttribute operands[maxFoldOperands];
  MlirExtFoldResult result = {mlirAttributeGetNull(), {NULL}};
  if (kind == XlaOpKindInvalid || mlirOperationGetNumResults(op) != 1 ||
      n > maxFoldOperands)
    return mlirAttributeGetNull();
  // What has not been verified yet must not be evaluated.
  if (kind != XlaOpKindGetDimensionSize)
    for (intptr_t i = 0; i < n; ++i) {
      operands[i] = resolve(mlirOperationGetOperand(op, i), depth + 1, left);
      if (mlirAttributeIsNull(operands[i]))
        return operands[i];
    }
  if (mlirLogicalResultIsFailure(xlaOpVerify(op)) ||
      mlirLogicalResultIsFailure(xlaFoldOperation(op, n, operands, &result)))
    return mlirAttributeGetNull();
  return result.attribute;
}

MlirAttribute xlaConstantFold(MlirValue value) {
  int left = maxFolds;
  return resolve(value, 0, &left);
}

static bool getIntegers(MlirValue value, int maxRank, XlaI64List *list) {
  MlirAttribute attr = xlaConstantFold(value);
  XlaLiteral *literal =
      mlirAttributeIsNull(attr) || !mlirAttributeIsAElements(attr)
          ? NULL
          : xlaLiteralFromAttribute(attr);
  if (!literal)
    return false;
  const XlaShape *shape = xlaLiteralGetShape(literal);
  int64_t n = xlaLiteralGetElementCount(literal);
  bool fits = shape->rank <= maxRank && n <= XLA_MAX_LIST &&
              xlaElementTypeIsInteger(shape->elementType);
  list->size = fits ? (int)n : 0;
  for (int i = 0; i < list->size; ++i)
    list->values[i] = xlaLiteralGet(literal, i).s;
  xlaLiteralRelease(literal);
  return fits;
}

bool xlaConstantGetIntegers(MlirValue value, XlaI64List *list) {
  return getIntegers(value, 1, list);
}

bool xlaConstantGetMatrix(MlirValue value, XlaI64List *list) {
  return getIntegers(value, 2, list);
}

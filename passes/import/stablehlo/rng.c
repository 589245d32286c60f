//===- rng.c - Random numbers of StableHLO --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/literal.h"

#include <string.h>

/// The operation for `#stablehlo<rng_distribution WORD>`; NULL for others.
static const char *readDistribution(MlirOperation op) {
  MlirAttribute attr = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("rng_distribution"));
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAOpaque(attr))
    return NULL;
  MlirStringRef text = mlirOpaqueAttrGetData(attr);
  if (mlirStringRefEqual(
          text, mlirStringRefCreateFromCString("rng_distribution UNIFORM")))
    return "xla.rng_uniform";
  if (mlirStringRefEqual(
          text, mlirStringRefCreateFromCString("rng_distribution NORMAL")))
    return "xla.rng_normal";
  return NULL;
}

/// Whether a shape that is a constant is that of the result; any other is taken
/// to be.
static bool agrees(MlirValue value, const XlaShape *result) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                 : (MlirOperation){NULL};
  if (mlirOperationIsNull(op) || xlaOpGetKind(op) != XlaOpKindConstant)
    return true;
  XlaLiteral *sizes = xlaLiteralFromAttribute(xlaOpGetAttr(op, "value"));
  if (!sizes)
    return false;
  const XlaShape *shape = xlaLiteralGetShape(sizes);
  bool same = xlaElementTypeIsInteger(shape->elementType) && shape->rank == 1 &&
              shape->dims[0] == result->rank;
  for (int d = 0; same && d < result->rank; ++d)
    same = xlaLiteralGet(sizes, d).s == result->dims[d];
  xlaLiteralRelease(sizes);
  return same;
}

/// Removes what gives `value` if it is a constant that nothing else uses.
static void removeConstant(MlirValue value) {
  if (mlirValueIsAOpResult(value) &&
      mlirOpOperandIsNull(mlirValueGetFirstUse(value)) &&
      xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant)
    mlirOperationDestroy(mlirOpResultGetOwner(value));
}

XlaImportResult xlaImportRng(MlirOperation op) {
  const char *name = readDistribution(op);
  XlaShape result;
  const char *reason;
  if (!name || mlirOperationGetNumOperands(op) != 3 ||
      mlirOperationGetNumResults(op) != 1) {
    xlaOpError(op, NULL,
               "must have three operands, a result and the rng_distribution "
               "UNIFORM or NORMAL");
    return XlaImportResultInvalid;
  }
  MlirValue old = mlirOperationGetResult(op, 0);
  if (!xlaShapeFromMlir(mlirValueGetType(old), &result, &reason)) {
    xlaOpError(op, NULL, "is not supported yet for result 0, %s, which %s",
               XLA_TYPE_TEXT(mlirValueGetType(old)), reason);
    return XlaImportResultUnsupported;
  }
  if (!agrees(mlirOperationGetOperand(op, 2), &result)) {
    xlaOpError(op, NULL,
               "has a shape operand that is not the result's shape, "
               "%s",
               XLA_SHAPE_TEXT(&result));
    return XlaImportResultInvalid;
  }
  XlaIr ir = xlaIrBefore(op);
  MlirValue parameters[2] = {mlirOperationGetOperand(op, 0),
                             mlirOperationGetOperand(op, 1)};
  mlirValueReplaceAllUsesOfWith(
      old, xlaIrOp(&ir, name, mlirValueGetType(old), 2, parameters, 0, NULL));
  MlirValue sizes = mlirOperationGetOperand(op, 2);
  mlirOperationDestroy(op);
  removeConstant(sizes);
  return XlaImportResultOk;
}

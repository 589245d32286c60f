//===- top_k.c - The k largest elements -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/chlo/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

bool xlaChloExpandTopK(MlirOperation op) {
  MlirAttribute k =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("k"));
  XlaShape shape;
  if (mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 2 || mlirAttributeIsNull(k) ||
      !mlirAttributeIsAInteger(k))
    return false;
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirValue old[] = {mlirOperationGetResult(op, 0),
                     mlirOperationGetResult(op, 1)};
  if (!xlaShapeFromMlirBounded(mlirValueGetType(x), &shape, NULL) ||
      !shape.rank || xlaElementTypeIsComplex(shape.elementType) ||
      !xlaShapeFromMlirBounded(mlirValueGetType(old[1]), &shape, NULL))
    return false;
  XlaElementType given = shape.elementType;
  shape.elementType = XlaElementTypeS32;
  XlaIr ir = xlaIrBefore(op);
  MlirType types[] = {mlirValueGetType(old[0]),
                      xlaShapeToMlirBounded(&shape, ir.context)};
  XlaIrAttr attr = {"k",
                    xlaIrI64Attr(ir.context, mlirIntegerAttrGetValueInt(k))};
  MlirOperation made =
      xlaIrCreate(&ir, "xla.top_k", 1, &x, 2, types, 1, &attr, 0, NULL);
  MlirValue places = mlirOperationGetResult(made, 1);
  if (given != XlaElementTypeS32)
    places = xlaIrCast(&ir, "xla.convert", places, mlirValueGetType(old[1]));
  mlirValueReplaceAllUsesOfWith(old[0], mlirOperationGetResult(made, 0));
  mlirValueReplaceAllUsesOfWith(old[1], places);
  mlirOperationDestroy(op);
  return true;
}

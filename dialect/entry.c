//===- entry.c - Where programs start -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/entry.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

#include "mlir-c/BuiltinAttributes.h"

bool xlaFunctionIsPublic(MlirOperation function) {
  MlirAttribute visibility = xlaOpGetAttr(function, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("public"));
}

bool xlaFunctionHasBody(MlirOperation function) {
  return !mlirBlockIsNull(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

bool xlaFunctionEndsWithResults(MlirOperation function) {
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  MlirOperation end = mlirBlockGetTerminator(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
  intptr_t n = mlirFunctionTypeGetNumResults(type);
  bool isEnd =
      !mlirOperationIsNull(end) && mlirOperationGetNumOperands(end) == n;
  for (intptr_t i = 0; isEnd && i < n; ++i)
    isEnd = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(end, i)),
                          mlirFunctionTypeGetResult(type, i));
  return isEnd;
}

MlirOperation xlaModuleFindEntry(MlirOperation module, MlirStringRef name,
                                 int *nPublic) {
  MlirOperation only = {NULL};
  MlirStringRef wanted =
      name.length ? name : mlirStringRefCreateFromCString("main");
  int n = 0;
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!xlaIrIsOp(op, "func.func") || !xlaFunctionHasBody(op))
      continue;
    if (mlirStringRefEqual(mlirStringAttrGetValue(xlaOpGetAttr(op, "sym_name")),
                           wanted))
      return op;
    if (xlaFunctionIsPublic(op)) {
      only = op;
      ++n;
    }
  }
  if (nPublic)
    *nPublic = n;
  return !name.length && n == 1 ? only : (MlirOperation){NULL};
}

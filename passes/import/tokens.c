//===- tokens.c - Tokens of a program's arguments and results -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/tokens.h"

#include "xlac/dialect/entry.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/shape.h"

#include <stdlib.h>

bool xlaImportIsToken(MlirType type) {
  return xlaTypeIsToken(type) ||
         (mlirTypeIsAOpaque(type) &&
          mlirStringRefEqual(mlirOpaqueTypeGetDialectNamespace(type),
                             mlirStringRefCreateFromCString("stablehlo")) &&
          mlirStringRefEqual(mlirOpaqueTypeGetData(type),
                             mlirStringRefCreateFromCString("token")));
}

static MlirType arrayType(MlirContext context) {
  int64_t none = 0;
  return mlirRankedTensorTypeGet(1, &none, mlirIntegerTypeGet(context, 1),
                                 (MlirAttribute){NULL});
}

static MlirValue createToken(XlaIr *ir, MlirType type) {
  return xlaIrOp(ir, "stablehlo.create_token", type, 0, NULL, 0, NULL);
}

static MlirValue createArray(XlaIr *ir) {
  MlirType type = arrayType(ir->context);
  XlaIrAttr value = {"value", mlirDenseElementsAttrGet(type, 0, NULL)};
  return xlaIrOp(ir, "stablehlo.constant", type, 0, NULL, 1, &value);
}

static void changeArguments(MlirBlock body) {
  MlirOperation first = mlirBlockGetFirstOperation(body);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    MlirType type = mlirValueGetType(argument);
    if (!xlaImportIsToken(type))
      continue;
    XlaIr ir = xlaIrBefore(first);
    mlirValueReplaceAllUsesOfWith(argument, createToken(&ir, type));
    mlirValueSetType(argument, arrayType(ir.context));
  }
}

static void changeResults(MlirOperation end) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    if (!xlaImportIsToken(mlirValueGetType(mlirOperationGetOperand(end, i))))
      continue;
    XlaIr ir = xlaIrBefore(end);
    mlirOperationSetOperand(end, i, createArray(&ir));
  }
}

bool xlaTokensToArrays(MlirOperation function) {
  MlirContext context = mlirOperationGetContext(function);
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  intptr_t nIn = mlirFunctionTypeGetNumInputs(type);
  intptr_t nOut = mlirFunctionTypeGetNumResults(type);
  MlirType *types = malloc(((size_t)(nIn + nOut) + 1) * sizeof *types);
  if (!types)
    return mlirLogicalResultIsSuccess(xlaOpNoMemory(function));
  bool isChanged = false;
  for (intptr_t i = 0; i < nIn + nOut; ++i) {
    types[i] = i < nIn ? mlirFunctionTypeGetInput(type, i)
                       : mlirFunctionTypeGetResult(type, i - nIn);
    if (xlaImportIsToken(types[i])) {
      types[i] = arrayType(context);
      isChanged = true;
    }
  }
  if (isChanged && xlaFunctionHasBody(function)) {
    MlirBlock body =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    MlirOperation end = mlirBlockGetTerminator(body);
    if (!mlirOperationIsNull(end)) {
      changeResults(end);
      changeArguments(body);
      mlirOperationSetAttributeByName(
          function, mlirStringRefCreateFromCString("function_type"),
          mlirTypeAttrGet(
              mlirFunctionTypeGet(context, nIn, types, nOut, types + nIn)));
    }
  }
  free(types);
  return true;
}

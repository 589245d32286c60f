//===- outline.c - Fusions as functions -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/pjrt/internal.h"

#include <stdio.h>
#include <stdlib.h>

static bool isFusion(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindFusion;
}

/// Types of the arguments of `block`, or else of the results of `op`.
static MlirType *listTypes(MlirBlock block, MlirOperation op, intptr_t n) {
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  for (intptr_t i = 0; types && i < n; ++i)
    types[i] = mlirValueGetType(mlirBlockIsNull(block)
                                    ? mlirOperationGetResult(op, i)
                                    : mlirBlockGetArgument(block, i));
  return types;
}

/// The xla.return at the end of a function becomes func.return.
static bool endFunction(MlirOperation end) {
  intptr_t n = mlirOperationGetNumOperands(end);
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  if (!values)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(end, i);
  XlaIr ir = xlaIrBefore(end);
  xlaIrCreate(&ir, "func.return", n, values, 0, NULL, 0, NULL, 0, NULL);
  mlirOperationDestroy(end);
  free(values);
  return true;
}

/// `fusion` becomes a call of a function at the end of the module.
static bool outline(MlirOperation module, MlirOperation fusion, int number) {
  MlirContext context = mlirOperationGetContext(module);
  MlirRegion region = mlirOperationGetRegion(fusion, 0);
  MlirBlock block = mlirRegionGetFirstBlock(region), none = {NULL};
  intptr_t nInputs = mlirOperationGetNumOperands(fusion);
  intptr_t nResults = mlirOperationGetNumResults(fusion);
  MlirAttribute kind = xlaOpGetAttr(fusion, "kind");
  char name[100];
  int length = snprintf(name, sizeof name, "fusion");
  if (!mlirAttributeIsNull(kind) && mlirAttributeIsAString(kind)) {
    MlirStringRef word = mlirStringAttrGetValue(kind);
    length += snprintf(name + length, sizeof name - (size_t)length, "_%.*s",
                       (int)(word.length < 60 ? word.length : 60), word.data);
  }
  snprintf(name + length, sizeof name - (size_t)length, "_%d", number);
  MlirType *inputs = listTypes(block, fusion, nInputs);
  MlirType *results = listTypes(none, fusion, nResults);
  MlirValue *operands = malloc(((size_t)nInputs + 1) * sizeof *operands);
  bool done = inputs && results && operands &&
              endFunction(mlirBlockGetTerminator(block));
  if (done) {
    for (intptr_t i = 0; i < nInputs; ++i)
      operands[i] = mlirOperationGetOperand(fusion, i);
    MlirRegion body = mlirRegionCreate();
    mlirRegionTakeBody(body, region);
    XlaIrAttr attributes[] = {
        {"sym_name", xlaIrStringAttr(context, name)},
        {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(
                              context, nInputs, inputs, nResults, results))},
        {"sym_visibility", xlaIrStringAttr(context, "private")}};
    XlaIr ir = xlaIrAtEnd(context, mlirOperationGetLocation(fusion),
                          mlirModuleGetBody(mlirModuleFromOperation(module)));
    xlaIrCreate(&ir, "func.func", 0, NULL, 0, NULL, 3, attributes, 1, &body);
    XlaIrAttr callee = {"callee",
                        mlirFlatSymbolRefAttrGet(
                            context, mlirStringRefCreateFromCString(name))};
    ir = xlaIrBefore(fusion);
    MlirOperation call = xlaIrCreate(&ir, "func.call", nInputs, operands,
                                     nResults, results, 1, &callee, 0, NULL);
    for (intptr_t i = 0; i < nResults; ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(fusion, i),
                                    mlirOperationGetResult(call, i));
    mlirOperationDestroy(fusion);
  }
  free(inputs);
  free(results);
  free(operands);
  return done;
}

bool xlaPjrtOutlineFusions(MlirOperation module) {
  XlaIrOps fusions = xlaIrCollect(module, MlirWalkPreOrder, isFusion);
  bool done = !fusions.failed;
  for (intptr_t i = 0; done && i < fusions.n; ++i)
    done = outline(module, fusions.ops[i], (int)i);
  free(fusions.ops);
  return done;
}

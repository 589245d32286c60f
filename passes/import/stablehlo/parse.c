//===- parse.c - Calls in StableHLO's regions -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>

static bool isRegistered(MlirOperation op) {
  return mlirContextIsRegisteredOperation(
      mlirOperationGetContext(op), mlirIdentifierStr(mlirOperationGetName(op)));
}

static bool isInUnregistered(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(parent) && isRegistered(parent))
    parent = mlirOperationGetParentOperation(parent);
  return !mlirOperationIsNull(parent);
}

static bool isForeignCall(MlirOperation op) {
  return xlaIrIsOp(op, "func.call") && isInUnregistered(op);
}

/// The same call with a name that is not registered. False without memory.
static bool renameCall(MlirOperation op) {
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  MlirValue *operands = malloc(((size_t)nOperands + 1) * sizeof *operands);
  MlirType *types = malloc(((size_t)nResults + 1) * sizeof *types);
  bool enough = operands && types;
  if (enough) {
    for (intptr_t i = 0; i < nOperands; ++i)
      operands[i] = mlirOperationGetOperand(op, i);
    for (intptr_t i = 0; i < nResults; ++i)
      types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
    XlaIr ir = xlaIrBefore(op);
    XlaIrAttr callee = {"callee", xlaOpGetAttr(op, "callee")};
    MlirOperation call =
        xlaIrCreate(&ir, "stablehlo.call", nOperands, operands, nResults, types,
                    !mlirAttributeIsNull(callee.value), &callee, 0, NULL);
    for (intptr_t i = 0; i < nResults; ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                    mlirOperationGetResult(call, i));
    mlirOperationDestroy(op);
  }
  free(operands);
  free(types);
  return enough;
}

MlirModule xlaStableHloParse(MlirContext context, MlirStringRef text,
                             MlirStringRef name) {
  MlirModule module = mlirExtModuleCreateParseUnverified(context, text, name);
  if (mlirModuleIsNull(module))
    return module;
  MlirOperation op = mlirModuleGetOperation(module);
  XlaIrOps calls = xlaIrCollect(op, MlirWalkPostOrder, isForeignCall);
  for (intptr_t i = 0; i < calls.n && !calls.failed; ++i)
    calls.failed = !renameCall(calls.ops[i]);
  free(calls.ops);
  if (calls.failed)
    xlaOpNoMemory(op);
  if (!calls.failed && mlirOperationVerify(op))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

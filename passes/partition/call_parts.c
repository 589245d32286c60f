//===- call_parts.c - Calls of the host with parts of arrays --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/expand.h"

#include "mlir-c/BuiltinAttributes.h"

bool xlaExpandIsCallOfParts(MlirOperation op) {
  if (!xlaIrIsOp(op, "stablehlo.custom_call") ||
      mlirOperationGetNumResults(op) != 0)
    return false;
  MlirAttribute said = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("mhlo.frontend_attributes"));
  if (mlirAttributeIsNull(said) || !mlirAttributeIsADictionary(said))
    return false;
  said = mlirDictionaryAttrGetElementByName(
      said, mlirStringRefCreateFromCString(XLA_CALL_PARTS));
  return !mlirAttributeIsNull(said) && mlirAttributeIsAString(said) &&
         mlirStringRefEqual(mlirStringAttrGetValue(said),
                            mlirStringRefCreateFromCString("true"));
}

/// What each device has of operand `i`: all of it, if it cannot be cut.
static MlirValue *partsOf(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                          intptr_t i) {
  int64_t dims[XLA_MAX_RANK];
  XlaExpandValue *found = xlaExpandGet(x, op, mlirOperationGetOperand(op, i));
  if (!found)
    return NULL;
  XlaExpandValue from = *found;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
  if (!from.sharding || x->nManual ||
      !xlaExpandDivide(from.sharding, type, dims))
    return from.values;
  MlirValue *parts = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *parts);
  return parts && xlaExpandSplit(x, op, ir, &from, from.sharding, parts) ? parts
                                                                         : NULL;
}

bool xlaExpandCallParts(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirValue **parts = xlaExpandAllocate(x, (size_t)n, sizeof *parts);
  if (!parts)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!(parts[i] = partsOf(x, op, ir, i)))
      return false;
  for (int device = 0; device < x->nDevices; ++device) {
    MlirOperation call = mlirOperationClone(op);
    for (intptr_t i = 0; i < n; ++i)
      mlirOperationSetOperand(call, i, parts[i][device]);
    mlirBlockAppendOwnedOperation(ir->block, call);
    if (x->active && !xlaExpandGuard(x, ir, x->active[device], &call))
      return false;
  }
  return true;
}

//===- shardy.c - Computations of Shardy ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// manual_computation gives its region what a device has of the operands. Of one
// device that is all of them, and the region's operations may stand where it
// does; what is for several devices is compiled by xlaPartition.
// named_computation only names operations.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

static XlaImportResult invalid(MlirOperation op) {
  xlaOpInvalid(op, NULL,
               "must have a region of one block that takes its operands and "
               "gives its results");
  return XlaImportResultInvalid;
}

/// That values are no parts of others.
static XlaImportResult checkWhole(MlirOperation op, const char *what,
                                  intptr_t i, MlirValue outside,
                                  MlirValue inside) {
  MlirType whole = mlirValueGetType(outside), part = mlirValueGetType(inside);
  if (mlirTypeEqual(whole, part))
    return XlaImportResultOk;
  xlaOpUnsupported(op, NULL,
                   "has %s of %s %lld, %s: a program of several devices is not "
                   "supported here, but by JAX's plugin and with "
                   "XlaClientProgram.partitions",
                   XLA_TYPE_TEXT(part), what, (long long)i,
                   XLA_TYPE_TEXT(whole));
  return XlaImportResultUnsupported;
}

XlaImportResult xlaImportComputation(MlirOperation op) {
  intptr_t nIn = mlirOperationGetNumOperands(op);
  intptr_t nOut = mlirOperationGetNumResults(op);
  MlirBlock block = mlirOperationGetNumRegions(op) == 1
                        ? mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))
                        : (MlirBlock){NULL};
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)) ||
      mlirBlockGetNumArguments(block) != nIn)
    return invalid(op);
  MlirOperation next, end = mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(end) || !xlaIrIsOp(end, "sdy.return") ||
      mlirOperationGetNumOperands(end) != nOut)
    return invalid(op);
  XlaImportResult result = XlaImportResultOk;
  for (intptr_t i = 0; i < nIn && result == XlaImportResultOk; ++i)
    result = checkWhole(op, "operand", i, mlirOperationGetOperand(op, i),
                        mlirBlockGetArgument(block, i));
  for (intptr_t i = 0; i < nOut && result == XlaImportResultOk; ++i)
    result = checkWhole(op, "result", i, mlirOperationGetResult(op, i),
                        mlirOperationGetOperand(end, i));
  if (result != XlaImportResultOk)
    return result;
  for (intptr_t i = 0; i < nIn; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(block, i),
                                  mlirOperationGetOperand(op, i));
  for (MlirOperation inner = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(inner, end); inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    mlirOperationMoveBefore(inner, op);
  }
  for (intptr_t i = 0; i < nOut; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetOperand(end, i));
  mlirOperationDestroy(op);
  return result;
}

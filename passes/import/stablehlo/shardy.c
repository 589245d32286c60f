//===- shardy.c - Shardy's operations -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are about whole arrays, which one device has: what says where they are,
// or moves them between devices, gives its operand, and a computation is what
// is in it. Those of parts have been made such by xlaPartitionWhole.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include "xlac/dialect/shape.h"

static XlaImportResult invalid(MlirOperation op, const char *what) {
  xlaOpInvalid(op, NULL, "%s", what);
  return XlaImportResultInvalid;
}

/// Whether `value` may be in the place of `stated`; sizes may be known by now.
static bool isOfType(MlirValue value, MlirValue stated) {
  MlirType type = mlirValueGetType(value), wanted = mlirValueGetType(stated);
  return mlirTypeEqual(type, wanted) || xlaTypeRefines(type, wanted);
}

/// Of sdy.named_computation, which only names operations.
static XlaImportResult importComputation(MlirOperation op) {
  intptr_t nIn = mlirOperationGetNumOperands(op);
  intptr_t nOut = mlirOperationGetNumResults(op);
  MlirBlock block = mlirOperationGetNumRegions(op) == 1
                        ? mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))
                        : (MlirBlock){NULL};
  MlirOperation end = mlirBlockIsNull(block) ? (MlirOperation){NULL}
                                             : mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(end) || !xlaIrIsOp(end, "sdy.return") ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)) ||
      mlirBlockGetNumArguments(block) != nIn ||
      mlirOperationGetNumOperands(end) != nOut)
    return invalid(op, "must have a region of one block that takes its "
                       "operands and gives its results");
  bool fits = true;
  for (intptr_t i = 0; i < nIn; ++i)
    fits &= isOfType(mlirOperationGetOperand(op, i),
                     mlirBlockGetArgument(block, i));
  for (intptr_t i = 0; i < nOut; ++i)
    fits &= isOfType(mlirOperationGetOperand(end, i),
                     mlirOperationGetResult(op, i));
  if (!fits)
    return invalid(op, "must have a region of the types of its operands and "
                       "results");
  xlaIrReplaceByBlock(op, block);
  return XlaImportResultOk;
}

XlaImportResult xlaImportShardy(MlirOperation op) {
  if (xlaIrIsOp(op, "sdy.mesh"))
    return XlaImportResultOk; // groups of replicas may name it
  if (xlaIrIsOp(op, "sdy.return"))
    return XlaImportResultOk; // goes with what it ends
  if (xlaIrIsOp(op, "sdy.named_computation"))
    return importComputation(op);
  if (xlaIrIsOp(op, "sdy.constant"))
    return xlaImportAs(op, XlaOpKindConstant);
  if (!xlaIrIsOp(op, "sdy.sharding_group"))
    return xlaImportOperand(op);
  mlirOperationDestroy(op);
  return XlaImportResultOk;
}

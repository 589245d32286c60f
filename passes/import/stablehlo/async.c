//===- async.c - StableHLO's async_start and async_done -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// async_start begins the operation in its region and gives a future, for which
// async_done waits. Here the operation runs where it starts.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>

/// Holds the values of a future between the two.
static const char values[] = "stablehlo.async_values";

static XlaImportResult outOfMemory(MlirOperation op) {
  xlaOpNoMemory(op);
  return XlaImportResultInvalid;
}

/// Whether all who use the future wait for it.
static bool onlyDoneUses(MlirOperation op) {
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (xlaIrIsOp(user, "stablehlo.async_done"))
      continue;
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(user));
    xlaOpError(op, NULL,
               "is not supported yet where its future goes to '%.*s', only "
               "where it goes to stablehlo.async_done",
               (int)name.length, name.data);
    return false;
  }
  return true;
}

XlaImportResult xlaImportAsyncStart(MlirOperation op) {
  XlaImportResult result = xlaImportReadAttributes(op, 0, NULL, NULL);
  if (result != XlaImportResultOk)
    return result;
  MlirRegion region = mlirOperationGetNumRegions(op) == 1
                          ? mlirOperationGetRegion(op, 0)
                          : (MlirRegion){NULL};
  MlirOperation end;
  if (mlirRegionIsNull(region) || mlirOperationGetNumResults(op) != 1 ||
      !xlaRegionGetReturn(region, &end) ||
      mlirBlockGetNumArguments(mlirRegionGetFirstBlock(region)) !=
          mlirOperationGetNumOperands(op)) {
    xlaOpError(op, NULL,
               "must have one result, and a region of one block that takes its "
               "operands");
    return XlaImportResultInvalid;
  }
  if (!onlyDoneUses(op))
    return XlaImportResultUnsupported;
  end = xlaIrInlineBefore(op, mlirRegionGetFirstBlock(region));
  intptr_t n = mlirOperationGetNumOperands(end);
  MlirValue *returned = malloc(((size_t)n + 1) * sizeof *returned);
  if (!returned)
    return outOfMemory(op);
  for (intptr_t i = 0; i < n; ++i)
    returned[i] = mlirOperationGetOperand(end, i);
  MlirValue future = mlirOperationGetResult(op, 0);
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(future))) {
    XlaIr ir = xlaIrBefore(op);
    mlirValueReplaceAllUsesOfWith(
        future,
        xlaIrOp(&ir, values, mlirValueGetType(future), n, returned, 0, NULL));
  }
  free(returned);
  mlirOperationDestroy(op);
  return XlaImportResultOk;
}

XlaImportResult xlaImportAsyncDone(MlirOperation op) {
  MlirValue future = mlirOperationGetNumOperands(op) == 1
                         ? mlirOperationGetOperand(op, 0)
                         : (MlirValue){NULL};
  MlirOperation start = mlirValueIsNull(future) || !mlirValueIsAOpResult(future)
                            ? (MlirOperation){NULL}
                            : mlirOpResultGetOwner(future);
  intptr_t n = mlirOperationGetNumResults(op);
  if (mlirOperationIsNull(start) || !xlaIrIsOp(start, values) ||
      mlirOperationGetNumOperands(start) != n) {
    // What is wrong with a start that is still there has been said.
    if (!mlirOperationIsNull(start) &&
        xlaIrIsOp(start, "stablehlo.async_start"))
      return XlaImportResultUnsupported;
    xlaOpError(op, NULL,
               "must take the future of an async_start, and give "
               "as many results as that returns");
    return XlaImportResultInvalid;
  }
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue value = mlirOperationGetOperand(start, i);
    MlirValue result = mlirOperationGetResult(op, i);
    if (!xlaTypeEqualIgnoringLayout(mlirValueGetType(value),
                                    mlirValueGetType(result))) {
      xlaOpError(op, NULL, "states %s as result %lld, which is %s",
                 XLA_TYPE_TEXT(mlirValueGetType(result)), (long long)i,
                 XLA_TYPE_TEXT(mlirValueGetType(value)));
      return XlaImportResultInvalid;
    }
    mlirValueReplaceAllUsesOfWith(result, value);
  }
  mlirOperationDestroy(op);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(future)))
    mlirOperationDestroy(start);
  return XlaImportResultOk;
}

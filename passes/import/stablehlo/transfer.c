//===- transfer.c - StableHLO's send and recv -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO transfers in one operation, which the dialect does in two.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static XlaImportResult outOfMemory(MlirOperation op) {
  xlaOpNoMemory(op);
  return XlaImportResultInvalid;
}

/// {buffer, u32, token}; one array is its own buffer.
static MlirType contextType(MlirContext context, intptr_t n,
                            const MlirType *arrays) {
  XlaShape request = {.elementType = XlaElementTypeU32};
  MlirType types[3] = {
      n == 1 ? arrays[0] : mlirTupleTypeGet(context, n, arrays),
      xlaShapeToMlir(&request, context), xlaTokenTypeGet(context)};
  return mlirTupleTypeGet(context, 3, types);
}

/// send(arrays.., token) -> token.
static void importSend(MlirOperation op, intptr_t n, const MlirValue *operands,
                       const MlirType *arrays, const XlaImportedAttrs *attrs) {
  XlaIr ir = xlaIrBefore(op);
  MlirValue context =
      xlaIrOp(&ir, "xla.send", contextType(ir.context, n, arrays), n + 1,
              operands, attrs->count, attrs->items);
  MlirValue token = xlaIrOp(&ir, "xla.send_done", xlaTokenTypeGet(ir.context),
                            1, &context, 0, NULL);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), token);
}

/// recv(token) -> arrays.., token.
static void importRecv(MlirOperation op, intptr_t n, const MlirType *arrays,
                       const XlaImportedAttrs *attrs) {
  XlaIr ir = xlaIrBefore(op);
  MlirType type = contextType(ir.context, n, arrays);
  MlirValue token = mlirOperationGetOperand(op, 0);
  MlirValue context =
      xlaIrOp(&ir, "xla.recv", type, 1, &token, attrs->count, attrs->items);
  MlirType results[2] = {mlirTupleTypeGetType(type, 0),
                         xlaTokenTypeGet(ir.context)};
  MlirOperation done = xlaIrCreate(&ir, "xla.recv_done", 1, &context, 2,
                                   results, 0, NULL, 0, NULL);
  MlirValue buffer = mlirOperationGetResult(done, 0);
  for (intptr_t i = 0; i < n; ++i) {
    XlaIrAttr index = {"index", xlaIrI64Attr(ir.context, i)};
    MlirValue array = n == 1 ? buffer
                             : xlaIrOp(&ir, "xla.get_tuple_element", arrays[i],
                                       1, &buffer, 1, &index);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), array);
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, n),
                                mlirOperationGetResult(done, 1));
}

/// Whether there are values, and a token behind them.
static bool isForm(intptr_t n, MlirValue last, intptr_t nOthers,
                   MlirValue other) {
  return n && nOthers == 1 && xlaTypeIsToken(mlirValueGetType(last)) &&
         xlaTypeIsToken(mlirValueGetType(other));
}

/// The pairs of replicas that a transfer goes between must be none.
static XlaImportResult checkPairs(MlirOperation op) {
  static const char name[] = "source_target_pairs";
  MlirAttribute pairs =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
  if (mlirAttributeIsNull(pairs))
    return XlaImportResultOk;
  if (!mlirAttributeIsADenseElements(pairs)) {
    xlaOpError(op, NULL, "has no dense attribute '%s'", name);
    return XlaImportResultInvalid;
  }
  if (!mlirElementsAttrGetNumElements(pairs))
    return XlaImportResultOk;
  xlaOpError(
      op, NULL,
      "attribute '%s' is not supported yet: transfers are to the host or "
      "another program, not between %lld replicas of one",
      name, (long long)mlirElementsAttrGetNumElements(pairs));
  return XlaImportResultUnsupported;
}

static XlaImportResult importTransfer(MlirOperation op, bool sends) {
  XlaImportedAttrs attrs;
  XlaImportResult pairs = checkPairs(op);
  if (pairs != XlaImportResultOk)
    return pairs;
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  XlaImportResult result = xlaImportAttributes(
      op, xlaOpGetInfo(sends ? XlaOpKindSend : XlaOpKindRecv), &attrs);
  if (result != XlaImportResultOk)
    return result;
  if (!nOperands || !nResults ||
      !(sends ? isForm(nOperands, mlirOperationGetOperand(op, nOperands - 1),
                       nResults, mlirOperationGetResult(op, 0))
              : isForm(nResults, mlirOperationGetResult(op, nResults - 1),
                       nOperands, mlirOperationGetOperand(op, 0)))) {
    xlaOpError(op, NULL,
               "must take a token, after what it sends, and give "
               "one, after what it receives");
    return XlaImportResultInvalid;
  }
  intptr_t n = (sends ? nOperands : nResults) - 1;
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  if (values && types) {
    for (intptr_t i = 0; i <= n; ++i) {
      values[i] = sends ? mlirOperationGetOperand(op, i)
                        : mlirOperationGetResult(op, i);
      types[i] = mlirValueGetType(values[i]);
    }
    if (sends)
      importSend(op, n, values, types, &attrs);
    else
      importRecv(op, n, types, &attrs);
    mlirOperationDestroy(op);
  } else {
    result = outOfMemory(op);
  }
  free(values);
  free(types);
  return result;
}

XlaImportResult xlaImportSend(MlirOperation op) {
  return importTransfer(op, true);
}

XlaImportResult xlaImportRecv(MlirOperation op) {
  return importTransfer(op, false);
}

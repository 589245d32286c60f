//===- write_transfer.c - Instructions that transfer data -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/write_internal.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// The token that `op` has as its last operand, or a new one.
static intptr_t tokenOf(XlaHloBody *body, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n && xlaTypeIsToken(xlaHloOperandType(op, n - 1)))
    return xlaHloOperandNumber(body, op, n - 1);
  MlirType token = xlaTokenTypeGet(body->writer->context);
  intptr_t number = xlaHloBegin(body, op, 1, &token, "after-all");
  xlaIrTextPrint(&body->text, ")");
  xlaHloEnd(body, op);
  return number;
}

/// The operands but a token at the end, as one value whose type is `*type`. A
/// tuple always if `isTuple`.
static intptr_t itemOf(XlaHloBody *body, MlirOperation op, bool isTuple,
                       MlirType *type) {
  intptr_t n = mlirOperationGetNumOperands(op);
  n -= n && xlaTypeIsToken(xlaHloOperandType(op, n - 1));
  MlirType *types = calloc((size_t)n + 1, sizeof *types);
  intptr_t *numbers = calloc((size_t)n + 1, sizeof *numbers);
  intptr_t number = 0;
  if (types && numbers) {
    for (intptr_t i = 0; i < n; ++i) {
      types[i] = xlaHloOperandType(op, i);
      numbers[i] = xlaHloOperandNumber(body, op, i);
    }
    *type = n == 1 && !isTuple
                ? types[0]
                : mlirTupleTypeGet(body->writer->context, n, types);
    number = n == 1 && isTuple
                 ? xlaHloUnary(body, op, *type, "tuple", numbers[0])
                 : xlaHloTuple(body, op, n, numbers, types);
  } else {
    *type = xlaTokenTypeGet(body->writer->context);
    xlaHloNoMemory(body->writer, op);
  }
  free(types);
  free(numbers);
  return number;
}

/// The results but a token at the end, as the type of one tuple.
static MlirType resultTuple(XlaHloBody *body, MlirOperation op, intptr_t n) {
  MlirContext context = body->writer->context;
  MlirType *types = calloc((size_t)n + 1, sizeof *types), tuple;
  for (intptr_t i = 0; types && i < n; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  if (!types)
    xlaHloNoMemory(body->writer, op);
  tuple = mlirTupleTypeGet(context, types ? n : 0, types);
  free(types);
  return tuple;
}

/// How many results there are before a token at the end.
static intptr_t countItems(MlirOperation op) {
  intptr_t n = mlirOperationGetNumResults(op);
  return n - (n && xlaTypeIsToken(
                       mlirValueGetType(mlirOperationGetResult(op, n - 1))));
}

void xlaHloWriteInfeed(XlaHloBody *body, MlirOperation op) {
  intptr_t n = countItems(op), token = tokenOf(body, op);
  MlirType types[] = {resultTuple(body, op, n),
                      xlaTokenTypeGet(body->writer->context)};
  intptr_t both = xlaHloBegin(body, op, 2, types, "infeed");
  xlaHloPrintOperand(body, true, token);
  xlaIrTextPrint(&body->text, ")");
  xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  intptr_t items = xlaHloElement(body, op, both, 0, types[0]);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(result);
    xlaHloSetNumber(body->writer, result,
                    i < n ? xlaHloElement(body, op, items, i, type)
                          : xlaHloElement(body, op, both, 1, type));
  }
}

void xlaHloWriteOutfeed(XlaHloBody *body, MlirOperation op) {
  MlirType item, token = xlaTokenTypeGet(body->writer->context);
  intptr_t data = itemOf(body, op, true, &item), before = tokenOf(body, op);
  intptr_t number = xlaHloBegin(body, op, 1, &token, "outfeed");
  xlaHloPrintOperand(body, true, data);
  xlaHloPrintOperand(body, false, before);
  xlaIrTextPrint(&body->text, "), outfeed_shape=");
  (void)xlaHloPrintType(&body->text, item); // begun with it: it is one
  xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  if (mlirOperationGetNumResults(op))
    xlaHloSetResult(body, op, number);
}

/// Send and recv give {item, request number, token}.
void xlaHloWriteTransfer(XlaHloBody *body, MlirOperation op) {
  MlirContext context = body->writer->context;
  bool isSend = xlaOpGetKind(op) == XlaOpKindSend;
  MlirType item =
      mlirTupleTypeGetType(mlirValueGetType(mlirOperationGetResult(op, 0)), 0);
  intptr_t data = isSend ? itemOf(body, op, false, &item) : 0;
  intptr_t token = tokenOf(body, op);
  XlaShape request = {.elementType = XlaElementTypeU32};
  MlirType types[] = {item, xlaShapeToMlir(&request, context),
                      xlaTokenTypeGet(context)};
  intptr_t number = xlaHloBegin(body, op, 3, types, isSend ? "send" : "recv");
  if (isSend)
    xlaHloPrintOperand(body, true, data);
  xlaHloPrintOperand(body, !isSend, token);
  xlaIrTextPrint(&body->text, ")");
  xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  xlaHloSetResult(body, op, number);
}

void xlaHloWriteTransferDone(XlaHloBody *body, MlirOperation op) {
  bool isSend = xlaOpGetKind(op) == XlaOpKindSendDone;
  MlirOperation start = mlirOpResultGetOwner(mlirOperationGetOperand(op, 0));
  MlirType types[] = {mlirTupleTypeGetType(xlaHloOperandType(op, 0), 0),
                      xlaTokenTypeGet(body->writer->context)};
  intptr_t number = isSend ? xlaHloBegin(body, op, 1, types + 1, "send-done")
                           : xlaHloBegin(body, op, 2, types, "recv-done");
  xlaHloPrintOperands(body, op);
  xlaHloPrintAttributes(&body->text, start);
  xlaHloEnd(body, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    xlaHloSetNumber(body->writer, mlirOperationGetResult(op, i),
                    isSend ? number
                           : xlaHloElement(body, op, number, i, types[i]));
}

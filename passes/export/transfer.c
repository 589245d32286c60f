//===- transfer.c - Values from and to the host, and between programs -----===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO's operations have tokens and arrays only, and transfer in one
// operation. What has no token here happens in the program's order: there it
// gets the token of the one before it in its block.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/export/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static bool isTransfer(MlirOperation op) {
  return xlaIrIsOp(op, "stablehlo.infeed") ||
         xlaIrIsOp(op, "stablehlo.outfeed") ||
         xlaIrIsOp(op, "stablehlo.send") || xlaIrIsOp(op, "stablehlo.recv");
}

/// The token of the transfer before `op` in its block, or a new one.
static MlirValue tokenBefore(XlaIr *ir, MlirOperation op) {
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  MlirOperation last = {NULL};
  for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
    if (isTransfer(at))
      last = at;
  if (mlirOperationIsNull(last))
    return xlaIrOp(ir, "xla.create_token", xlaTokenTypeGet(ir->context), 0,
                   NULL, 0, NULL);
  return mlirOperationGetResult(last, mlirOperationGetNumResults(last) - 1);
}

//===----------------------------------------------------------------------===//
// Arrays of tuples
//===----------------------------------------------------------------------===//

/// Values of arrays and tuples of arrays, and a token.
typedef struct Values {
  intptr_t n;
  MlirValue *values;
  MlirType *types;
} Values;

static bool makeRoom(Values *values, intptr_t most) {
  *values = (Values){0, malloc((size_t)most * sizeof(MlirValue)),
                     malloc((size_t)most * sizeof(MlirType))};
  return values->values && values->types;
}

static void freeValues(Values *values) {
  free(values->values);
  free(values->types);
}

static void addType(Values *values, MlirType type) {
  if (!mlirTypeIsATuple(type)) {
    values->types[values->n++] = type;
    return;
  }
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    values->types[values->n++] = mlirTupleTypeGetType(type, i);
}

static void addValue(XlaIr *ir, Values *values, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsATuple(type)) {
    values->values[values->n++] = value;
    return;
  }
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i) {
    XlaIrAttr index = {"index", xlaIrI64Attr(ir->context, i)};
    values->values[values->n++] =
        xlaIrOp(ir, "xla.get_tuple_element", mlirTupleTypeGetType(type, i), 1,
                &value, 1, &index);
  }
}

/// A value of `type` of the results of `op` from number `*at` on.
static MlirValue takeValue(XlaIr *ir, MlirOperation op, MlirType type,
                           MlirValue *room, intptr_t *at) {
  if (!mlirTypeIsATuple(type))
    return mlirOperationGetResult(op, (*at)++);
  intptr_t n = mlirTupleTypeGetNumTypes(type);
  for (intptr_t i = 0; i < n; ++i)
    room[i] = mlirOperationGetResult(op, (*at)++);
  return xlaIrOp(ir, "xla.tuple", type, n, room, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Infeed and outfeed
//===----------------------------------------------------------------------===//

/// Nothing is read for empty tuples.
static bool isEmpty(MlirOperation op, bool ordered) {
  intptr_t leaves = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) - ordered; ++i)
    leaves +=
        xlaTypeCountLeaves(mlirValueGetType(mlirOperationGetResult(op, i)));
  return !leaves;
}

static void putInfeed(XlaIr *ir, MlirOperation op, MlirOperation made,
                      MlirValue token, Values *room) {
  intptr_t at = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(result);
    mlirValueReplaceAllUsesOfWith(
        result, xlaTypeIsToken(type)
                    ? token
                    : takeValue(ir, made, type, room->values, &at));
  }
  mlirOperationDestroy(op);
}

XlaImportResult xlaExportInfeed(MlirOperation op) {
  bool ordered = mlirOperationGetNumOperands(op) == 1;
  intptr_t most = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    most +=
        1 + xlaTypeCountLeaves(mlirValueGetType(mlirOperationGetResult(op, i)));
  Values room;
  XlaExportedAttrs attrs;
  XlaImportResult result = xlaExportAttributes(op, &attrs);
  if (!makeRoom(&room, most))
    result = xlaExportNoMemory(op);
  if (room.types && result == XlaImportResultOk) {
    XlaIr ir = xlaIrBefore(op);
    MlirOperation made = {NULL};
    MlirValue token =
        ordered ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
    if (!isEmpty(op, ordered)) {
      token = ordered ? token : tokenBefore(&ir, op);
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op) - ordered; ++i)
        addType(&room, mlirValueGetType(mlirOperationGetResult(op, i)));
      room.types[room.n++] = xlaTokenTypeGet(ir.context);
      made = xlaIrCreate(&ir, "stablehlo.infeed", 1, &token, room.n, room.types,
                         attrs.count, attrs.items, 0, NULL);
      token = mlirOperationGetResult(made, room.n - 1);
    }
    putInfeed(&ir, op, made, token, &room);
  }
  freeValues(&room);
  return result;
}

XlaImportResult xlaExportOutfeed(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op), most = n + 1;
  for (intptr_t i = 0; i < n; ++i)
    most +=
        xlaTypeCountLeaves(mlirValueGetType(mlirOperationGetOperand(op, i)));
  bool ordered = mlirOperationGetNumResults(op) == 1;
  Values room;
  XlaExportedAttrs attrs;
  XlaImportResult result = xlaExportAttributes(op, &attrs);
  if (!makeRoom(&room, most))
    result = xlaExportNoMemory(op);
  if (result == XlaImportResultOk) {
    XlaIr ir = xlaIrBefore(op);
    MlirType type = xlaTokenTypeGet(ir.context);
    for (intptr_t i = 0; i < n; ++i)
      addValue(&ir, &room, mlirOperationGetOperand(op, i));
    if (!ordered)
      room.values[room.n++] = tokenBefore(&ir, op);
    MlirOperation made =
        xlaIrCreate(&ir, "stablehlo.outfeed", room.n, room.values, 1, &type,
                    attrs.count, attrs.items, 0, NULL);
    MlirValue token = mlirOperationGetResult(made, 0);
    xlaExportPut(op, &token);
  }
  freeValues(&room);
  return result;
}

//===----------------------------------------------------------------------===//
// Send and recv
//===----------------------------------------------------------------------===//

/// The xla.send or xla.recv whose context `done` takes, and nothing else does.
static MlirOperation startOf(MlirOperation done) {
  return mlirOpResultGetOwner(mlirOperationGetOperand(done, 0));
}

XlaImportResult xlaExportSendDone(MlirOperation op) {
  MlirOperation start = startOf(op);
  XlaExportedAttrs attrs;
  XlaImportResult result = xlaExportAttributes(start, &attrs);
  intptr_t n = mlirOperationGetNumOperands(start);
  MlirValue *operands = malloc(((size_t)n + 1) * sizeof *operands);
  if (!operands)
    result = xlaExportNoMemory(op);
  if (operands && result == XlaImportResultOk) {
    XlaIr ir = xlaIrBefore(op);
    MlirType type = xlaTokenTypeGet(ir.context);
    for (intptr_t i = 0; i < n; ++i)
      operands[i] = mlirOperationGetOperand(start, i);
    if (!n || !xlaTypeIsToken(mlirValueGetType(operands[n - 1])))
      operands[n++] = tokenBefore(&ir, op);
    MlirValue token = xlaIrOp(&ir, "stablehlo.send", type, n, operands,
                              attrs.count, attrs.items);
    xlaExportPut(op, &token);
    mlirOperationDestroy(start);
  }
  free(operands);
  return result;
}

XlaImportResult xlaExportRecvDone(MlirOperation op) {
  MlirOperation start = startOf(op);
  XlaExportedAttrs attrs;
  MlirType buffer =
      mlirTupleTypeGetType(mlirValueGetType(mlirOperationGetOperand(op, 0)), 0);
  Values room;
  XlaImportResult result = xlaExportAttributes(start, &attrs);
  if (!makeRoom(&room, xlaTypeCountLeaves(buffer) + 2))
    result = xlaExportNoMemory(op);
  if (result == XlaImportResultOk) {
    XlaIr ir = xlaIrBefore(op);
    MlirValue token = mlirOperationGetNumOperands(start)
                          ? mlirOperationGetOperand(start, 0)
                          : tokenBefore(&ir, op);
    addType(&room, buffer);
    room.types[room.n++] = xlaTokenTypeGet(ir.context);
    MlirOperation made =
        xlaIrCreate(&ir, "stablehlo.recv", 1, &token, room.n, room.types,
                    attrs.count, attrs.items, 0, NULL);
    intptr_t at = 0;
    MlirValue values[2] = {takeValue(&ir, made, buffer, room.values, &at),
                           mlirOperationGetResult(made, room.n - 1)};
    xlaExportPut(op, values);
    mlirOperationDestroy(start);
  }
  freeValues(&room);
  return result;
}

//===- control.c - Loops and branches of the host program -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars that the host computes go through loops and branches as values of
// scf, all else through its buffers.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/host/internal.h"
#include "xlac/lowering/linalg/scalar.h"

#include <stdlib.h>

static MlirBlock regionOf(MlirOperation op, intptr_t i) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
}

/// The results of a loop or branch that the host computes, by their positions,
/// and a value and a type for each.
typedef struct Carried {
  intptr_t n;
  intptr_t *positions;
  MlirValue *values;
  MlirType *types;
} Carried;

static MlirLogicalResult carriedCreate(const XlaHost *host, MlirOperation op,
                                       Carried *carried) {
  size_t n = (size_t)mlirOperationGetNumResults(op) + 1;
  *carried = (Carried){.positions = calloc(n, sizeof *carried->positions),
                       .values = calloc(n, sizeof *carried->values),
                       .types = calloc(n, sizeof *carried->types)};
  if (!carried->positions || !carried->values || !carried->types)
    return xlaOpNoMemory(op);
  for (intptr_t k = 0; k < (intptr_t)n - 1; ++k) {
    MlirValue result = mlirOperationGetResult(op, k);
    XlaShape shape;
    if (!xlaHostScalarsHave(&host->scalars, result) ||
        !xlaShapeFromMlir(mlirValueGetType(result), &shape, NULL))
      continue;
    carried->positions[carried->n] = k;
    carried->types[carried->n++] =
        xlaScalarRegisterType(shape.elementType, mlirOperationGetContext(op));
  }
  return success();
}

static void carriedDestroy(Carried *carried) {
  free(carried->positions);
  free(carried->values);
  free(carried->types);
}

/// Fills in the registers of those among the operands of `op`.
static MlirLogicalResult carriedRead(XlaHost *host, XlaIr *ir, MlirOperation op,
                                     Carried *carried) {
  for (intptr_t i = 0; i < carried->n; ++i) {
    carried->values[i] = xlaHostRegister(
        host, ir, op, mlirOperationGetOperand(op, carried->positions[i]));
    if (mlirValueIsNull(carried->values[i]))
      return failure();
  }
  return success();
}

/// Binds them to the arguments of `block`, for which that of `ir` has its own.
static MlirLogicalResult carriedBind(XlaHost *host, XlaIr *ir, MlirOperation op,
                                     MlirBlock block, const Carried *carried) {
  for (intptr_t i = 0; i < carried->n; ++i)
    if (failed(xlaHostBind(host, ir, op,
                           mlirBlockGetArgument(block, carried->positions[i]),
                           mlirBlockGetArgument(ir->block, i))))
      return failure();
  return success();
}

/// Binds them to what the operation `from` of scf gives.
static MlirLogicalResult carriedBindResults(XlaHost *host, XlaIr *ir,
                                            MlirOperation op,
                                            MlirOperation from,
                                            const Carried *carried) {
  for (intptr_t i = 0; i < carried->n; ++i)
    if (failed(xlaHostBind(host, ir, op,
                           mlirOperationGetResult(op, carried->positions[i]),
                           mlirOperationGetResult(from, i))))
      return failure();
  return success();
}

static MlirRegion newRegion(XlaIr *ir, intptr_t n, const MlirType *types,
                            XlaIr *inside) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t i = 0; i < n; ++i)
    mlirBlockAddArgument(block, types[i], ir->location);
  mlirRegionAppendOwnedBlock(region, block);
  *inside = xlaIrIn(*ir, block);
  return region;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Ends a loop's body: the next state goes to where the state is. What another
/// copy would overwrite first goes through a buffer of its own.
static MlirLogicalResult emitNextState(XlaHost *host, XlaIr *ir,
                                       MlirBlock body) {
  MlirOperation terminator = mlirBlockGetTerminator(body);
  intptr_t n = mlirBlockGetNumArguments(body);
  for (int phase = 0; phase < 2; ++phase)
    for (intptr_t k = 0; k < n; ++k) {
      MlirValue state = mlirBlockGetArgument(body, k);
      MlirValue next = mlirOperationGetOperand(terminator, k);
      if (xlaHostScalarsHave(&host->scalars, state))
        continue;
      intptr_t through =
          xlaPointerMapGet(&host->assignment->byLoopResult, state.ptr);
      if (!through) {
        if (phase == 1 &&
            failed(xlaHostMove(host, ir, terminator, next, state)))
          return failure();
        continue;
      }
      XlaHostPlace passage = {&host->assignment->buffers[through - 1], {NULL}};
      XlaHostPlace place =
          xlaHostPlaceOf(host, terminator, phase ? state : next);
      if (!place.buffer || failed(host->target->copy(host, ir, terminator,
                                                     mlirValueGetType(state),
                                                     phase ? passage : place,
                                                     phase ? place : passage)))
        return failure();
    }
  return success();
}

/// What the program says of going on with `op`.
static MlirValue emitStated(XlaHost *host, XlaIr *before, MlirOperation op) {
  MlirValue go =
      mlirOperationGetOperand(mlirBlockGetTerminator(regionOf(op, 0)), 0);
  if (xlaHostScalarsReach(&host->scalars, go, op))
    return xlaHostRegister(host, before, op, go);
  MlirValue byte = host->target->load(host, before, op, go);
  return mlirValueIsNull(byte)
             ? byte
             : xlaIrCmpI(before, "ne", byte,
                         xlaIrConstantInt(before, host->byte, 0));
}

/// The condition of `op`, as an i1; null after a diagnostic.
static MlirValue emitGo(XlaHost *host, XlaIr *before, MlirOperation op) {
  MlirValue stated = emitStated(host, before, op);
  if (mlirValueIsNull(stated) || !host->mayFail)
    return stated;
  MlirValue both[] = {stated, host->target->isWell(host, before)};
  return xlaIrOp(before, "arith.andi", mlirValueGetType(stated), 2, both, 0,
                 NULL);
}

static MlirLogicalResult emitCondition(XlaHost *host, XlaIr *before,
                                       MlirOperation op,
                                       const Carried *carried) {
  MlirBlock condition = regionOf(op, 0);
  intptr_t mark = host->nBound;
  if (failed(carriedBind(host, before, op, condition, carried)) ||
      failed(xlaHostEmitBlock(host, before, condition)))
    return failure();
  MlirValue *operands = calloc((size_t)carried->n + 1, sizeof *operands);
  if (!operands)
    return xlaOpNoMemory(op);
  operands[0] = emitGo(host, before, op);
  for (intptr_t i = 0; i < carried->n; ++i)
    operands[1 + i] = mlirBlockGetArgument(before->block, i);
  bool whole = !mlirValueIsNull(operands[0]) &&
               !failed(host->target->flush(host, before, op));
  if (whole)
    xlaIrCreate(before, "scf.condition", 1 + carried->n, operands, 0, NULL, 0,
                NULL, 0, NULL);
  free(operands);
  xlaHostUnbind(host, mark);
  return whole ? success() : failure();
}

static MlirLogicalResult emitLoopBody(XlaHost *host, XlaIr *after,
                                      MlirOperation op, Carried *carried) {
  MlirBlock body = regionOf(op, 1);
  intptr_t mark = host->nBound;
  if (failed(carriedBind(host, after, op, body, carried)) ||
      failed(xlaHostEmitBlock(host, after, body)) ||
      failed(emitNextState(host, after, body)) ||
      failed(host->target->flush(host, after, op)) ||
      failed(carriedRead(host, after, mlirBlockGetTerminator(body), carried)))
    return failure();
  xlaIrYield(after, carried->n, carried->values);
  xlaHostUnbind(host, mark);
  return success();
}

/// The state before the first iteration.
static MlirLogicalResult emitInitialState(XlaHost *host, XlaIr *ir,
                                          MlirOperation op, Carried *carried) {
  if (failed(xlaHostLoadNeeds(host, ir, op)) ||
      failed(carriedRead(host, ir, op, carried)))
    return failure();
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    if (!xlaHostScalarsHave(&host->scalars, mlirOperationGetResult(op, k)) &&
        failed(xlaHostMove(host, ir, op, mlirOperationGetOperand(op, k),
                           mlirOperationGetResult(op, k))))
      return failure();
  return host->target->flush(host, ir, op);
}

static MlirLogicalResult emitCarryingWhile(XlaHost *host, XlaIr *ir,
                                           MlirOperation op, Carried *carried) {
  if (failed(emitInitialState(host, ir, op, carried)))
    return failure();
  XlaIr before, after;
  MlirRegion regions[2] = {newRegion(ir, carried->n, carried->types, &before),
                           newRegion(ir, carried->n, carried->types, &after)};
  MlirOperation loop =
      xlaIrCreate(ir, "scf.while", carried->n, carried->values, carried->n,
                  carried->types, 0, NULL, 2, regions);
  if (failed(emitCondition(host, &before, op, carried)) ||
      failed(emitLoopBody(host, &after, op, carried)))
    return failure();
  return carriedBindResults(host, ir, op, loop, carried);
}

MlirLogicalResult xlaHostEmitWhile(XlaHost *host, XlaIr *ir, MlirOperation op) {
  Carried carried;
  MlirLogicalResult result = carriedCreate(host, op, &carried);
  if (!failed(result))
    result = emitCarryingWhile(host, ir, op, &carried);
  carriedDestroy(&carried);
  return result;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// What branch `r` does, up to its scf.yield.
static MlirLogicalResult emitBranch(XlaHost *host, XlaIr *ir, MlirOperation op,
                                    intptr_t r, Carried *carried) {
  MlirBlock block = regionOf(op, r);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  intptr_t mark = host->nBound;
  if (failed(xlaHostEmitBlock(host, ir, block)))
    return failure();
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
    if (!xlaHostScalarsHave(&host->scalars, mlirOperationGetResult(op, k)) &&
        failed(xlaHostMove(host, ir, op, mlirOperationGetOperand(terminator, k),
                           mlirOperationGetResult(op, k))))
      return failure();
  if (failed(host->target->flush(host, ir, op)) ||
      failed(carriedRead(host, ir, terminator, carried)))
    return failure();
  xlaHostUnbind(host, mark);
  return success();
}

/// What chooses the branch: a register, or the element in memory.
static MlirValue emitIndex(XlaHost *host, XlaIr *ir, MlirOperation op) {
  MlirValue index = mlirOperationGetOperand(op, 0);
  MlirOperation loop = xlaHostLoopAround(mlirOperationGetBlock(op));
  return xlaHostScalarsReach(&host->scalars, index, loop)
             ? xlaHostRegister(host, ir, op, index)
             : host->target->load(host, ir, op, index);
}

/// Branches `from` .. `to` - 1, of which the first half is chosen by an index
/// below that of the second. Indices are unsigned, so that those out of range
/// choose the last branch. Gives the registers of the one that was chosen.
static MlirLogicalResult emitBranches(XlaHost *host, XlaIr *ir,
                                      MlirOperation op, MlirValue index,
                                      intptr_t from, intptr_t to,
                                      Carried *carried) {
  if (to - from == 1)
    return emitBranch(host, ir, op, from, carried);
  intptr_t middle = from + (to - from) / 2;
  XlaIr then, otherwise;
  MlirValue number = xlaIrConstantInt(ir, mlirValueGetType(index), middle);
  MlirValue isBelow = xlaIrCmpI(ir, "ult", index, number);
  MlirRegion regions[2] = {newRegion(ir, 0, NULL, &then),
                           newRegion(ir, 0, NULL, &otherwise)};
  MlirOperation choice = xlaIrCreate(ir, "scf.if", 1, &isBelow, carried->n,
                                     carried->types, 0, NULL, 2, regions);
  if (failed(emitBranches(host, &then, op, index, from, middle, carried)))
    return failure();
  xlaIrYield(&then, carried->n, carried->values);
  if (failed(emitBranches(host, &otherwise, op, index, middle, to, carried)))
    return failure();
  xlaIrYield(&otherwise, carried->n, carried->values);
  for (intptr_t i = 0; i < carried->n; ++i)
    carried->values[i] = mlirOperationGetResult(choice, i);
  return success();
}

MlirLogicalResult xlaHostEmitCase(XlaHost *host, XlaIr *ir, MlirOperation op) {
  Carried carried = {0};
  MlirLogicalResult result = host->target->flush(host, ir, op);
  MlirValue index = {NULL};
  if (!failed(result))
    index = emitIndex(host, ir, op);
  result =
      mlirValueIsNull(index) ? failure() : carriedCreate(host, op, &carried);
  if (!failed(result))
    result = emitBranches(host, ir, op, index, 0,
                          mlirOperationGetNumRegions(op), &carried);
  for (intptr_t i = 0; !failed(result) && i < carried.n; ++i)
    result = xlaHostBind(host, ir, op,
                         mlirOperationGetResult(op, carried.positions[i]),
                         carried.values[i]);
  carriedDestroy(&carried);
  return result;
}

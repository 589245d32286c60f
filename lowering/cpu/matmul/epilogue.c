//===- epilogue.c - What follows a matrix product -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/epilogue.h"

#include "xlac/lowering/cpu/pointer.h"

/// The body for one vector of sums.
typedef struct Place {
  const XlaCpuEpilogue *epilogue;
  XlaCpuLanes lanes;
  MlirValue position[3]; ///< index in batch, rows and columns, of lane 0
  const MlirValue *extras;
} Place;

static int laneGroup(const Place *place) {
  return place->epilogue->alongRows ? 1 : 2;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static XlaCpuWalk walkOf(const XlaCpuEpilogueLoops *group,
                         const XlaSchedAccess *access) {
  XlaCpuWalk walk = {.n = 0};
  for (int i = 0; i < group->n; ++i) {
    const XlaCpuEpilogueLoop *loop = &group->loops[i];
    xlaCpuWalkAdd(&walk, loop->unit, loop->size,
                  access->strides[loop->dim] * loop->scale, i == 0);
  }
  return walk;
}

/// The pointer for lane 0's row or column and batch, without the lanes' own
/// distance.
static MlirValue basePointer(const Place *place, const XlaSchedAccess *access) {
  XlaIr *ir = place->lanes.ir;
  const XlaCpuEpilogue *e = place->epilogue;
  intptr_t extra = 0;
  while (!mlirValueEqual(e->extras[extra], access->root))
    ++extra;
  MlirValue offset = xlaIrConstantIndex(ir, access->offset);
  for (int g = 0; g < 3; ++g) {
    if (g == laneGroup(place))
      continue;
    XlaCpuWalk walk = walkOf(&e->groups[g], access);
    MlirValue part = xlaCpuWalkDistance(ir, &walk, place->position[g]);
    if (part.ptr)
      offset = xlaCpuAdd(ir, offset, part);
  }
  return xlaCpuPtrAdd(ir, place->extras[extra], access->element, offset);
}

static MlirValue load(const Place *place, const XlaSchedAccess *access) {
  XlaCpuWalk walk = walkOf(&place->epilogue->groups[laneGroup(place)], access);
  return xlaCpuLanesLoad(&place->lanes, basePointer(place, access),
                         access->element, &walk);
}

static void store(const Place *place, const XlaSchedAccess *access,
                  MlirValue value) {
  const XlaCpuLanes *lanes = &place->lanes;
  MlirValue pointer = basePointer(place, access);
  pointer = xlaCpuPtrAdd(lanes->ir, pointer, access->element, lanes->first);
  xlaCpuPtrMaskedStore(lanes->ir, xlaCpuLanesSplat(lanes, value), pointer,
                       lanes->mask);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// linalg.index: an iteration of the lane's own.
static MlirValue indexValue(const Place *place, MlirOperation op) {
  XlaIr *ir = place->lanes.ir;
  const XlaCpuEpilogue *e = place->epilogue;
  int64_t original = mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("dim")));
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < e->groups[g].n; ++i) {
      const XlaCpuEpilogueLoop *loop = &e->groups[g].loops[i];
      if (e->statement.original[loop->dim] != original)
        continue;
      MlirValue at = g == laneGroup(place) ? xlaCpuLanesPositions(&place->lanes)
                                           : place->position[g];
      return xlaCpuWalkDigit(ir, at, loop->unit, loop->size, i == 0);
    }
  return xlaIrConstantIndex(ir, 0);
}

/// Sums as the product has them in memory.
static MlirValue roundSums(const Place *place, MlirValue sums) {
  MlirType type = xlaCpuLanesType(&place->lanes, place->epilogue->sum);
  if (mlirTypeEqual(mlirValueGetType(sums), type))
    return sums;
  bool isInteger = mlirTypeIsAInteger(place->epilogue->sum);
  return xlaIrCast(place->lanes.ir, isInteger ? "arith.trunci" : "arith.truncf",
                   sums, type);
}

static void computeBody(Place *place, MlirValue sums) {
  const XlaCpuEpilogue *e = place->epilogue;
  const XlaSchedStatement *statement = &e->statement;
  for (int i = 0; i < statement->nIns; ++i) {
    MlirValue argument = mlirBlockGetArgument(statement->body, i);
    bool isSums = mlirValueEqual(statement->accesses[i].root, e->product);
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(argument)))
      xlaCpuLanesSet(&place->lanes, argument,
                     isSums ? sums : load(place, &statement->accesses[i]));
  }
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (xlaIrIsOp(op, "linalg.index"))
      xlaCpuLanesSet(&place->lanes, mlirOperationGetResult(op, 0),
                     indexValue(place, op));
    else
      xlaCpuLanesClone(&place->lanes, op);
  }
}

MlirValue xlaCpuEpilogueApply(XlaIr *ir, MlirValue sums, MlirValue batch,
                              MlirValue row, MlirValue column, MlirValue valid,
                              const MlirValue *extras, void *user) {
  XlaCpuEpilogue *e = user;
  int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(sums), 0);
  Place place = {.epilogue = e,
                 .lanes = {.ir = ir,
                           .n = n,
                           .first = e->alongRows ? row : column,
                           .mask = xlaCpuLaneMask(ir, n, valid)},
                 .position = {batch, row, column},
                 .extras = extras};
  sums = roundSums(&place, sums);
  computeBody(&place, sums);
  MlirOperation yield = mlirBlockGetTerminator(e->statement.body);
  for (int i = 0; i < e->statement.nOuts; ++i) {
    MlirValue value =
        xlaCpuLanesGet(&place.lanes, mlirOperationGetOperand(yield, i));
    if (i == e->main)
      sums = xlaCpuLanesSplat(&place.lanes, value);
    else
      store(&place, &e->statement.accesses[e->statement.nIns + i], value);
  }
  e->failed |= place.lanes.failed;
  xlaPointerMapClear(&place.lanes.values);
  return sums;
}

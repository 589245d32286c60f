//===- body.c - Cloning a scalar body over lanes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/emit.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Values of the body and what became of them
//===----------------------------------------------------------------------===//

typedef struct Entry {
  const void *key;
  XlaSchedLane lane;
} Entry;

/// A hash table of pointers; bodies of large fusions have thousands of values.
typedef struct ValueMap {
  Entry *entries;
  size_t mask;
} ValueMap;

static size_t slotOf(const ValueMap *map, const void *key) {
  size_t i = ((uintptr_t)key >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20;
  for (i &= map->mask; map->entries[i].key && map->entries[i].key != key;)
    i = (i + 1) & map->mask;
  return i;
}

static void mapSet(ValueMap *map, MlirValue value, XlaSchedLane lane) {
  map->entries[slotOf(map, value.ptr)] = (Entry){value.ptr, lane};
}

static const XlaSchedLane *mapGet(const ValueMap *map, MlirValue value) {
  const Entry *entry = &map->entries[slotOf(map, value.ptr)];
  return entry->key ? &entry->lane : NULL;
}

static bool mapInit(ValueMap *map, MlirBlock body) {
  size_t values = (size_t)mlirBlockGetNumArguments(body), size = 16;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    values += (size_t)mlirOperationGetNumResults(op);
  while (size < 2 * values)
    size *= 2;
  map->mask = size - 1;
  map->entries = calloc(size, sizeof *map->entries);
  return map->entries != NULL;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

MlirType xlaSchedLaneType(const XlaSchedEmit *e, MlirType type) {
  return e->lanes == 1 ? type : mlirVectorTypeGet(1, &e->lanes, type);
}

MlirValue xlaSchedSplat(XlaSchedEmit *e, XlaSchedLane lane) {
  if (lane.isVector || e->lanes == 1)
    return lane.value;
  XlaIr *ir = &e->at[lane.level];
  return xlaIrCast(ir, "vector.broadcast", lane.value,
                   xlaSchedLaneType(e, mlirValueGetType(lane.value)));
}

static bool isInteger(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64;
}

/// Whether `value` is the index of dimension `dim` of the statement. A cast
/// holds it if all its values are positive there.
static bool isIndexOf(const XlaSchedStatement *statement, MlirValue value,
                      int dim) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    MlirType type = mlirValueGetType(value);
    if (xlaIrIsOp(op, "linalg.index"))
      return mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(
                 op, mlirStringRefCreateFromCString("dim"))) ==
             statement->original[dim];
    if (!xlaIrIsOp(op, "arith.index_cast") ||
        (!mlirTypeIsAIndex(type) &&
         (!isInteger(type) ||
          (statement->sizes[dim] - 1) >> (mlirIntegerTypeGetWidth(type) - 1))))
      return false;
    value = mlirOperationGetOperand(op, 0);
  }
  return false;
}

/// Whether a value of the body may depend on the index of dimension `dim`, or
/// on what is read; what takes more than `*budget` steps to find out may.
static bool dependsOn(const XlaSchedStatement *statement, MlirValue value,
                      int dim, int *budget) {
  if (--*budget < 0)
    return true;
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), statement->body) &&
           statement->accesses[mlirBlockArgumentGetArgNumber(value)]
                   .strides[dim] != 0;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), statement->body))
    return false;
  if (xlaIrIsOp(op, "linalg.index"))
    return isIndexOf(statement, value, dim);
  if (!xlaIrHasPrefix(op, "arith."))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (dependsOn(statement, mlirOperationGetOperand(op, i), dim, budget))
      return true;
  return false;
}

bool xlaSchedIsIndependent(const XlaSchedStatement *statement, MlirValue value,
                           int dim) {
  int budget = 256;
  return !dependsOn(statement, value, dim, &budget);
}

/// Whether `index` is that of dimension `dim`, plus `*start`, null if there is
/// none, which does not depend on it.
static bool isConsecutive(const XlaSchedStatement *statement, MlirValue index,
                          int dim, MlirValue *start) {
  *start = (MlirValue){NULL};
  if (isIndexOf(statement, index, dim))
    return true;
  if (!mlirValueIsAOpResult(index) ||
      !xlaIrIsOp(mlirOpResultGetOwner(index), "arith.addi"))
    return false;
  for (int i = 0; i < 2; ++i) {
    MlirOperation sum = mlirOpResultGetOwner(index);
    *start = mlirOperationGetOperand(sum, 1 - i);
    if (isIndexOf(statement, mlirOperationGetOperand(sum, i), dim) &&
        xlaSchedIsIndependent(statement, *start, dim))
      return true;
  }
  return false;
}

/// Of types that lie in memory as in the lanes of a vector.
static bool isPlain(MlirType type) {
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type) >= 8;
  return isInteger(type) && mlirIntegerTypeGetWidth(type) >= 8 &&
         mlirIntegerTypeGetWidth(type) % 8 == 0;
}

/// Whether consecutive lanes along dimension `dim` of the statement load
/// consecutive elements: by the last index, and no other depends on it.
static bool isVectorLoad(const XlaSchedStatement *statement, MlirOperation op,
                         int dim) {
  MlirValue start;
  if (dim < 0 || !xlaIrIsOp(op, "memref.load"))
    return false;
  MlirValue memref = mlirOperationGetOperand(op, 0);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n < 2 || !isPlain(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
      !xlaSchedIsIndependent(statement, memref, dim) ||
      !mlirAffineMapIsIdentity(
          mlirMemRefTypeGetAffineMap(mlirValueGetType(memref))) ||
      !isConsecutive(statement, mlirOperationGetOperand(op, n - 1), dim,
                     &start))
    return false;
  for (intptr_t i = 1; i + 1 < n; ++i)
    if (!xlaSchedIsIndependent(statement, mlirOperationGetOperand(op, i), dim))
      return false;
  return true;
}

bool xlaSchedBodyVectorizes(const XlaSchedStatement *statement, int dim) {
  if (!statement->body.ptr)
    return true;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, mlirBlockGetTerminator(statement->body));
       op = mlirOperationGetNextInBlock(op))
    if (!xlaSchedIsLaneOp(op) && !isVectorLoad(statement, op, dim))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Cloning
//===----------------------------------------------------------------------===//

/// The value of dimension `dim` of the op: 0 where it was dropped.
static XlaSchedLane indexLane(XlaSchedEmit *e,
                              const XlaSchedStatement *statement, int64_t dim) {
  int d = 0;
  while (d < statement->nDims && statement->original[d] != dim)
    ++d;
  if (d == statement->nDims)
    return (XlaSchedLane){xlaIrConstantIndex(&e->at[0], 0), 0, false};
  int level = d >= e->group->nShared ? 2 : d == e->vecShared ? 1 : 0;
  XlaSchedLane lane = {xlaAffineApply(&e->nest, &e->at[level], e->iv[d]), level,
                       false};
  if (e->lanes == 1 || d != xlaSchedLaneDim(e, statement))
    return lane;
  MlirType index = mlirIndexTypeGet(e->at[0].context);
  MlirValue steps = xlaIrOp(&e->at[level], "vector.step",
                            xlaSchedLaneType(e, index), 0, NULL, 0, NULL);
  lane.value =
      xlaIrBinary(&e->at[level], "arith.addi", steps, xlaSchedSplat(e, lane));
  lane.isVector = true;
  return lane;
}

/// A value of the body, or one from outside of it.
static XlaSchedLane operandLane(const ValueMap *map, MlirValue value) {
  const XlaSchedLane *lane = mapGet(map, value);
  return lane ? *lane : (XlaSchedLane){value, 0, false};
}

typedef struct RemapData {
  const ValueMap *map;
} RemapData;

/// Redirects operands of ops nested in `op` (scalar bodies with regions).
static MlirWalkResult remapNested(MlirOperation op, void *userData) {
  const RemapData *data = userData;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const XlaSchedLane *lane =
        mapGet(data->map, mlirOperationGetOperand(op, i));
    if (lane)
      mlirOperationSetOperand(op, i, lane->value);
  }
  return MlirWalkResultAdvance;
}

/// A load of consecutive elements for the lanes.
static void cloneVectorLoad(XlaSchedEmit *e, const XlaSchedStatement *statement,
                            ValueMap *map, MlirOperation op) {
  MlirValue operands[1 + XLA_SCHED_MAX_DIMS], start;
  intptr_t n = mlirOperationGetNumOperands(op);
  int dim = xlaSchedLaneDim(e, statement);
  XlaIr *ir = &e->at[2];
  for (intptr_t i = 0; i + 1 < n; ++i)
    operands[i] = operandLane(map, mlirOperationGetOperand(op, i)).value;
  MlirValue first = xlaAffineApply(&e->nest, ir, e->iv[dim]);
  isConsecutive(statement, mlirOperationGetOperand(op, n - 1), dim, &start);
  operands[n - 1] = start.ptr ? xlaIrBinary(ir, "arith.addi", first,
                                            operandLane(map, start).value)
                              : first;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue lanes =
      xlaIrOp(ir, "vector.load", xlaSchedLaneType(e, mlirValueGetType(result)),
              n, operands, 0, NULL);
  mapSet(map, result, (XlaSchedLane){lanes, 2, true});
}

static void cloneOp(XlaSchedEmit *e, ValueMap *map, MlirOperation op) {
  int level = 0;
  bool isVector = false;
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  // Ops of other dialects may read memory: they stay innermost.
  bool opaque = mlirOperationGetNumRegions(op) != 0 ||
                (!xlaIrHasPrefix(op, "arith.") && !xlaIrHasPrefix(op, "math."));
  for (intptr_t i = 0; i < nOperands; ++i) {
    XlaSchedLane lane = operandLane(map, mlirOperationGetOperand(op, i));
    level = lane.level > level ? lane.level : level;
    isVector |= lane.isVector;
  }
  if (opaque)
    level = 2;
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < nOperands; ++i) {
    XlaSchedLane lane = operandLane(map, mlirOperationGetOperand(op, i));
    mlirOperationSetOperand(clone, i,
                            isVector ? xlaSchedSplat(e, lane) : lane.value);
  }
  if (opaque)
    mlirOperationWalk(clone, remapNested, &(RemapData){map}, MlirWalkPreOrder);
  XlaIr *ir = &e->at[level];
  if (ir->before.ptr)
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, clone);
  else
    mlirBlockAppendOwnedOperation(ir->block, clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(clone, i);
    if (isVector)
      mlirValueSetType(result, xlaSchedLaneType(e, mlirValueGetType(result)));
    mapSet(map, mlirOperationGetResult(op, i),
           (XlaSchedLane){result, level, isVector});
  }
}

/// Finds out which ops of the body are needed once the accumulators are carried
/// in the combiner's type: a widening of the accumulator is not.
static bool isCarriedIn(const XlaSchedReducer *reducers, int n,
                        MlirOperation op) {
  for (int i = 0; i < n; ++i)
    if (reducers && reducers[i].widen &&
        mlirValueEqual(mlirOperationGetResult(op, 0), reducers[i].carriedIn))
      return true;
  return false;
}

static void mapArguments(XlaSchedEmit *e, const XlaSchedStatement *statement,
                         const XlaSchedReducer *reducers,
                         const MlirValue *carry, ValueMap *map) {
  for (int i = 0; i < statement->nIns; ++i) {
    if (xlaSchedIsRead(statement, i))
      mapSet(map, mlirBlockGetArgument(statement->body, i),
             xlaSchedLoad(e, statement, &statement->accesses[i]));
  }
  for (int i = 0; reducers && i < statement->nOuts; ++i)
    mapSet(map, reducers[i].carriedIn,
           (XlaSchedLane){carry[i], 2,
                          mlirTypeIsAVector(mlirValueGetType(carry[i]))});
  // A parallel op that reads its output reads what was there before.
  for (int i = 0; !reducers && i < statement->nOuts; ++i) {
    int at = statement->nIns + i;
    if (xlaSchedIsRead(statement, at))
      mapSet(map, mlirBlockGetArgument(statement->body, at),
             xlaSchedLoad(e, statement, &statement->accesses[at]));
  }
}

static void storeResults(XlaSchedEmit *e, const XlaSchedStatement *statement,
                         const ValueMap *map) {
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  for (int i = 0; i < statement->nOuts; ++i)
    xlaSchedStore(e, statement, &statement->accesses[statement->nIns + i],
                  operandLane(map, mlirOperationGetOperand(yield, i)));
}

void xlaSchedBody(XlaSchedEmit *e, const XlaSchedStatement *statement,
                  const XlaSchedReducer *reducers, MlirValue *carry) {
  if (!statement->body.ptr) {
    XlaSchedLane lane = {mlirOperationGetOperand(statement->op, 0), 0, false};
    xlaSchedStore(e, statement, statement->accesses, lane);
    return;
  }
  ValueMap map;
  if (!mapInit(&map, statement->body)) {
    e->failed = true;
    return;
  }
  mapArguments(e, statement, reducers, carry, &map);
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (xlaIrIsOp(op, "linalg.index")) {
      int64_t dim = mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(
          op, mlirStringRefCreateFromCString("dim")));
      mapSet(&map, mlirOperationGetResult(op, 0), indexLane(e, statement, dim));
    } else if (mlirOperationGetNumResults(op) == 0 ||
               !isCarriedIn(reducers, statement->nOuts, op)) {
      bool isNarrowing = false;
      for (int i = 0; reducers && i < statement->nOuts; ++i)
        isNarrowing |= reducers[i].narrow && mlirOperationGetNumResults(op) &&
                       mlirValueEqual(mlirOperationGetOperand(yield, i),
                                      mlirOperationGetResult(op, 0));
      if (!isNarrowing && e->lanes > 1 && xlaIrIsOp(op, "memref.load"))
        cloneVectorLoad(e, statement, &map, op);
      else if (!isNarrowing)
        cloneOp(e, &map, op);
    }
  }
  if (!reducers)
    storeResults(e, statement, &map);
  for (int i = 0; reducers && i < statement->nOuts; ++i) {
    XlaSchedLane lane = operandLane(&map, reducers[i].carriedOut);
    bool vector = mlirTypeIsAVector(mlirValueGetType(carry[i]));
    carry[i] = vector ? xlaSchedSplat(e, lane) : lane.value;
  }
  free(map.entries);
}

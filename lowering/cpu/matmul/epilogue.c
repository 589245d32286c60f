//===- epilogue.c - What follows a matrix product -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/epilogue.h"

#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/cpu/pointer.h"

/// The body for one vector of sums.
typedef struct Lanes {
  XlaCpuEpilogue *epilogue;
  XlaIr *ir;
  int64_t n;
  MlirValue position[3]; ///< index in batch, rows and columns, of lane 0
  MlirValue mask;
  const MlirValue *extras;
  XlaPointerMap values; ///< of the body: MlirValue.ptr each
} Lanes;

static int laneGroup(const Lanes *lanes) {
  return lanes->epilogue->alongRows ? 1 : 2;
}

static MlirType vectorOf(const Lanes *lanes, MlirType element) {
  return mlirVectorTypeGet(1, &lanes->n, element);
}

static bool isVector(MlirValue value) {
  return mlirTypeIsAVector(mlirValueGetType(value));
}

static MlirValue splat(const Lanes *lanes, MlirValue value) {
  if (isVector(value))
    return value;
  return xlaIrCast(lanes->ir, "vector.broadcast", value,
                   vectorOf(lanes, mlirValueGetType(value)));
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// Positions of all lanes in their group.
static MlirValue lanePositions(const Lanes *lanes) {
  XlaIr *ir = lanes->ir;
  MlirType index = mlirIndexTypeGet(ir->context);
  MlirValue steps =
      xlaIrOp(ir, "vector.step", vectorOf(lanes, index), 0, NULL, 0, NULL);
  return xlaCpuAdd(ir, steps, splat(lanes, lanes->position[laneGroup(lanes)]));
}

static MlirValue constantLike(XlaIr *ir, MlirValue like, int64_t number) {
  return xlaIrConstantInt(ir, mlirValueGetType(like), number);
}

/// `at / unit % size`; the outermost loop needs no remainder.
static MlirValue digit(XlaIr *ir, MlirValue at, int64_t unit, int64_t size,
                       bool isOutermost) {
  if (unit > 1)
    at = xlaCpuDiv(ir, at, constantLike(ir, at, unit));
  return isOutermost ? at : xlaCpuRem(ir, at, constantLike(ir, at, size));
}

/// Loops of a group as an access sees them: those that it does not move along
/// are left out, and neighbours that are one are merged.
typedef struct Walk {
  int n;
  struct {
    int64_t unit, size, stride;
    bool isOutermost;
  } loops[XLA_CPU_EPILOGUE_MAX_LOOPS];
} Walk;

static void walkOf(const XlaCpuEpilogueLoops *group,
                   const XlaSchedAccess *access, Walk *walk) {
  walk->n = 0;
  for (int i = 0; i < group->n; ++i) {
    const XlaCpuEpilogueLoop *loop = &group->loops[i];
    int64_t stride = access->strides[loop->dim] * loop->scale;
    bool merges = walk->n > 0 &&
                  walk->loops[walk->n - 1].stride == stride * loop->size &&
                  walk->loops[walk->n - 1].unit == loop->unit * loop->size;
    if (merges) {
      walk->loops[walk->n - 1].unit = loop->unit;
      walk->loops[walk->n - 1].size *= loop->size;
      walk->loops[walk->n - 1].stride = stride;
    } else if (stride) {
      walk->loops[walk->n].unit = loop->unit;
      walk->loops[walk->n].size = loop->size;
      walk->loops[walk->n].stride = stride;
      walk->loops[walk->n++].isOutermost = i == 0;
    }
  }
}

/// The distance that an access moves by to position `at` of a group; null if
/// it does not.
static MlirValue distance(XlaIr *ir, const Walk *walk, MlirValue at) {
  MlirValue sum = {NULL};
  for (int i = 0; i < walk->n; ++i) {
    MlirValue part = digit(ir, at, walk->loops[i].unit, walk->loops[i].size,
                           walk->loops[i].isOutermost);
    part = xlaCpuMul(ir, part, constantLike(ir, part, walk->loops[i].stride));
    sum = sum.ptr ? xlaCpuAdd(ir, sum, part) : part;
  }
  return sum;
}

/// The pointer for lane 0's row or column and batch, without the lanes' own
/// distance.
static MlirValue basePointer(const Lanes *lanes, const XlaSchedAccess *access) {
  XlaIr *ir = lanes->ir;
  const XlaCpuEpilogue *e = lanes->epilogue;
  intptr_t extra = 0;
  while (!mlirValueEqual(e->extras[extra], access->root))
    ++extra;
  MlirValue offset = xlaIrConstantIndex(ir, access->offset);
  for (int g = 0; g < 3; ++g) {
    Walk walk;
    if (g == laneGroup(lanes))
      continue;
    walkOf(&e->groups[g], access, &walk);
    MlirValue part = distance(ir, &walk, lanes->position[g]);
    if (part.ptr)
      offset = xlaCpuAdd(ir, offset, part);
  }
  return xlaCpuPtrAdd(ir, lanes->extras[extra], access->element, offset);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Whether lanes lie next to each other.
static bool isContiguous(const Walk *walk) {
  return walk->n == 1 && walk->loops[0].unit == 1 &&
         walk->loops[0].stride == 1 && walk->loops[0].isOutermost;
}

static MlirValue load(const Lanes *lanes, const XlaSchedAccess *access) {
  XlaIr *ir = lanes->ir;
  Walk walk;
  int group = laneGroup(lanes);
  walkOf(&lanes->epilogue->groups[group], access, &walk);
  MlirValue pointer = basePointer(lanes, access);
  MlirType vector = vectorOf(lanes, access->element);
  if (!walk.n)
    return xlaCpuPtrLoad(ir, pointer, access->element);
  if (!isContiguous(&walk))
    return xlaCpuPtrGather(ir, pointer, vector,
                           distance(ir, &walk, lanePositions(lanes)),
                           lanes->mask);
  pointer = xlaCpuPtrAdd(ir, pointer, access->element, lanes->position[group]);
  return xlaCpuPtrMaskedLoad(ir, pointer, vector, lanes->mask);
}

static void store(const Lanes *lanes, const XlaSchedAccess *access,
                  MlirValue value) {
  MlirValue pointer = basePointer(lanes, access);
  pointer = xlaCpuPtrAdd(lanes->ir, pointer, access->element,
                         lanes->position[laneGroup(lanes)]);
  xlaCpuPtrMaskedStore(lanes->ir, splat(lanes, value), pointer, lanes->mask);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

static void set(Lanes *lanes, MlirValue key, MlirValue value) {
  lanes->epilogue->failed |=
      !xlaPointerMapSet(&lanes->values, key.ptr, (intptr_t)value.ptr);
}

static MlirValue get(const Lanes *lanes, MlirValue key) {
  void *value = (void *)xlaPointerMapGet(&lanes->values, key.ptr);
  return value ? (MlirValue){value} : key;
}

/// linalg.index: an iteration of the lane's own.
static MlirValue indexValue(const Lanes *lanes, MlirOperation op) {
  XlaIr *ir = lanes->ir;
  const XlaCpuEpilogue *e = lanes->epilogue;
  int64_t original = mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("dim")));
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < e->groups[g].n; ++i) {
      const XlaCpuEpilogueLoop *loop = &e->groups[g].loops[i];
      if (e->statement.original[loop->dim] != original)
        continue;
      MlirValue at =
          g == laneGroup(lanes) ? lanePositions(lanes) : lanes->position[g];
      return digit(ir, at, loop->unit, loop->size, i == 0);
    }
  return xlaIrConstantIndex(ir, 0);
}

static void clone(Lanes *lanes, MlirOperation op) {
  XlaIr *ir = lanes->ir;
  MlirOperation copy = mlirOperationClone(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  bool any = false;
  for (intptr_t i = 0; i < n; ++i)
    any |= isVector(get(lanes, mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue value = get(lanes, mlirOperationGetOperand(op, i));
    mlirOperationSetOperand(copy, i, any ? splat(lanes, value) : value);
  }
  if (ir->before.ptr)
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, copy);
  else
    mlirBlockAppendOwnedOperation(ir->block, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(copy, i);
    if (any)
      mlirValueSetType(result, vectorOf(lanes, mlirValueGetType(result)));
    set(lanes, mlirOperationGetResult(op, i), result);
  }
}

/// Sums as the product has them in memory.
static MlirValue roundSums(const Lanes *lanes, MlirValue sums) {
  MlirType type = vectorOf(lanes, lanes->epilogue->sum);
  if (mlirTypeEqual(mlirValueGetType(sums), type))
    return sums;
  bool isInteger = mlirTypeIsAInteger(lanes->epilogue->sum);
  return xlaIrCast(lanes->ir, isInteger ? "arith.trunci" : "arith.truncf", sums,
                   type);
}

static void computeBody(Lanes *lanes, MlirValue sums) {
  const XlaCpuEpilogue *e = lanes->epilogue;
  const XlaSchedStatement *statement = &e->statement;
  for (int i = 0; i < statement->nIns; ++i) {
    MlirValue argument = mlirBlockGetArgument(statement->body, i);
    bool isSums = mlirValueEqual(statement->accesses[i].root, e->product);
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(argument)))
      set(lanes, argument,
          isSums ? sums : load(lanes, &statement->accesses[i]));
  }
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (xlaIrIsOp(op, "linalg.index"))
      set(lanes, mlirOperationGetResult(op, 0), indexValue(lanes, op));
    else
      clone(lanes, op);
  }
}

MlirValue xlaCpuEpilogueApply(XlaIr *ir, MlirValue sums, MlirValue batch,
                              MlirValue row, MlirValue column, MlirValue valid,
                              const MlirValue *extras, void *user) {
  XlaCpuEpilogue *e = user;
  Lanes lanes = {.epilogue = e,
                 .ir = ir,
                 .n = mlirShapedTypeGetDimSize(mlirValueGetType(sums), 0),
                 .position = {batch, row, column},
                 .extras = extras};
  lanes.mask = xlaCpuLaneMask(ir, lanes.n, valid);
  sums = roundSums(&lanes, sums);
  computeBody(&lanes, sums);
  MlirOperation yield = mlirBlockGetTerminator(e->statement.body);
  for (int i = 0; i < e->statement.nOuts; ++i) {
    MlirValue value = get(&lanes, mlirOperationGetOperand(yield, i));
    if (i == e->main)
      sums = splat(&lanes, value);
    else
      store(&lanes, &e->statement.accesses[e->statement.nIns + i], value);
  }
  xlaPointerMapClear(&lanes.values);
  return sums;
}

//===- lanes.c - Bodies on vectors ----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/lanes.h"

#include "xlac/lowering/cpu/pointer.h"

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

static MlirValue constantLike(XlaIr *ir, MlirValue like, int64_t number) {
  return xlaIrConstantInt(ir, mlirValueGetType(like), number);
}

void xlaCpuWalkAdd(XlaCpuWalk *walk, int64_t unit, int64_t size, int64_t stride,
                   bool isOutermost) {
  bool merges = walk->n > 0 &&
                walk->loops[walk->n - 1].stride == stride * size &&
                walk->loops[walk->n - 1].unit == unit * size;
  if (merges) {
    walk->loops[walk->n - 1].unit = unit;
    walk->loops[walk->n - 1].size *= size;
    walk->loops[walk->n - 1].stride = stride;
  } else if (stride) {
    walk->loops[walk->n].unit = unit;
    walk->loops[walk->n].size = size;
    walk->loops[walk->n].stride = stride;
    walk->loops[walk->n++].isOutermost = isOutermost;
  }
}

MlirValue xlaCpuWalkDigit(XlaIr *ir, MlirValue at, int64_t unit, int64_t size,
                          bool isOutermost) {
  if (unit > 1)
    at = xlaCpuDiv(ir, at, constantLike(ir, at, unit));
  return isOutermost ? at : xlaCpuRem(ir, at, constantLike(ir, at, size));
}

MlirValue xlaCpuWalkDistance(XlaIr *ir, const XlaCpuWalk *walk, MlirValue at) {
  MlirValue sum = {NULL};
  for (int i = 0; i < walk->n; ++i) {
    MlirValue part =
        xlaCpuWalkDigit(ir, at, walk->loops[i].unit, walk->loops[i].size,
                        walk->loops[i].isOutermost);
    part = xlaCpuMul(ir, part, constantLike(ir, part, walk->loops[i].stride));
    sum = sum.ptr ? xlaCpuAdd(ir, sum, part) : part;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

MlirType xlaCpuLanesType(const XlaCpuLanes *lanes, MlirType element) {
  return lanes->n ? mlirVectorTypeGet(1, &lanes->n, element) : element;
}

static bool isVector(MlirValue value) {
  return mlirTypeIsAVector(mlirValueGetType(value));
}

MlirValue xlaCpuLanesSplat(const XlaCpuLanes *lanes, MlirValue value) {
  if (!lanes->n || isVector(value))
    return value;
  return xlaIrCast(lanes->ir, "vector.broadcast", value,
                   xlaCpuLanesType(lanes, mlirValueGetType(value)));
}

MlirValue xlaCpuLanesPositions(const XlaCpuLanes *lanes) {
  XlaIr *ir = lanes->ir;
  if (!lanes->n)
    return lanes->first;
  MlirValue steps = xlaIrOp(
      ir, "vector.step", xlaCpuLanesType(lanes, mlirIndexTypeGet(ir->context)),
      0, NULL, 0, NULL);
  return xlaCpuAdd(ir, steps, xlaCpuLanesSplat(lanes, lanes->first));
}

void xlaCpuLanesSet(XlaCpuLanes *lanes, MlirValue key, MlirValue value) {
  lanes->failed |=
      !xlaPointerMapSet(&lanes->values, key.ptr, (intptr_t)value.ptr);
}

MlirValue xlaCpuLanesGet(const XlaCpuLanes *lanes, MlirValue key) {
  void *value = (void *)xlaPointerMapGet(&lanes->values, key.ptr);
  return value ? (MlirValue){value} : key;
}

void xlaCpuLanesClone(XlaCpuLanes *lanes, MlirOperation op) {
  XlaIr *ir = lanes->ir;
  MlirOperation copy = mlirOperationClone(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  bool any = false;
  for (intptr_t i = 0; i < n; ++i)
    any |= isVector(xlaCpuLanesGet(lanes, mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue value = xlaCpuLanesGet(lanes, mlirOperationGetOperand(op, i));
    mlirOperationSetOperand(copy, i,
                            any ? xlaCpuLanesSplat(lanes, value) : value);
  }
  if (ir->before.ptr)
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, copy);
  else
    mlirBlockAppendOwnedOperation(ir->block, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(copy, i);
    if (any)
      mlirValueSetType(result,
                       xlaCpuLanesType(lanes, mlirValueGetType(result)));
    xlaCpuLanesSet(lanes, mlirOperationGetResult(op, i), result);
  }
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Whether lanes lie next to each other.
static bool isContiguous(const XlaCpuWalk *walk) {
  return walk->n == 1 && walk->loops[0].unit == 1 &&
         walk->loops[0].stride == 1 && walk->loops[0].isOutermost;
}

MlirValue xlaCpuLanesLoad(const XlaCpuLanes *lanes, MlirValue pointer,
                          MlirType element, const XlaCpuWalk *walk) {
  XlaIr *ir = lanes->ir;
  if (!walk->n)
    return xlaCpuPtrLoad(ir, pointer, element);
  MlirType type = xlaCpuLanesType(lanes, element);
  if (lanes->n && !isContiguous(walk)) {
    MlirValue mask =
        lanes->mask.ptr
            ? lanes->mask
            : xlaIrConstantInt(
                  ir,
                  xlaCpuLanesType(lanes, mlirIntegerTypeGet(ir->context, 1)),
                  1);
    return xlaCpuPtrGather(
        ir, pointer, type,
        xlaCpuWalkDistance(ir, walk, xlaCpuLanesPositions(lanes)), mask);
  }
  pointer = xlaCpuPtrAdd(ir, pointer, element,
                         xlaCpuWalkDistance(ir, walk, lanes->first));
  return lanes->n && lanes->mask.ptr
             ? xlaCpuPtrMaskedLoad(ir, pointer, type, lanes->mask)
             : xlaCpuPtrLoad(ir, pointer, type);
}

//===- copy.c - Copies between strided views as loops ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/lowering/cpu/lower.h"

#include <stdlib.h>

enum { maxRank = 62 }; // xlaIrLoad takes 64 indices

/// A copy being expanded.
typedef struct Copy {
  MlirValue source, target;
  intptr_t rank;
  MlirValue sizes[maxRank + 1], indices[maxRank + 1];
} Copy;

static bool hasIdentityLayout(MlirType type) {
  return mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

static bool hasUnitInnerStride(MlirType type) {
  int64_t strides[64], offset;
  intptr_t rank = mlirShapedTypeGetRank(type);
  return rank > 0 &&
         mlirLogicalResultIsSuccess(
             mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         strides[rank - 1] == 1;
}

static void copyElement(XlaIr *ir, const Copy *copy) {
  MlirValue value = xlaIrLoad(ir, copy->source, copy->rank, copy->indices);
  xlaIrStore(ir, value, copy->target, copy->rank, copy->indices);
}

static void copyVector(XlaIr *ir, const Copy *copy, int64_t lanes) {
  MlirType type = mlirVectorTypeGet(
      1, &lanes, xlaIrElementType(mlirValueGetType(copy->source)));
  MlirValue operands[2 + maxRank];
  operands[0] = copy->source;
  for (intptr_t i = 0; i < copy->rank; ++i)
    operands[1 + i] = copy->indices[i];
  MlirValue value =
      xlaIrOp(ir, "vector.load", type, 1 + copy->rank, operands, 0, NULL);
  operands[0] = value;
  operands[1] = copy->target;
  for (intptr_t i = 0; i < copy->rank; ++i)
    operands[2 + i] = copy->indices[i];
  xlaIrCreate(ir, "vector.store", 2 + copy->rank, operands, 0, NULL, 0, NULL, 0,
              NULL);
}

/// The innermost loop in vectors of `lanes`, and the rest in elements.
static void copyRow(XlaIr *ir, Copy *copy, int64_t lanes) {
  MlirValue zero = xlaIrConstantIndex(ir, 0), one = xlaIrConstantIndex(ir, 1);
  MlirValue size = copy->sizes[copy->rank - 1], done = zero;
  XlaIr body;
  if (lanes > 1) {
    MlirValue step = xlaIrConstantIndex(ir, lanes);
    MlirValue rest = xlaIrBinary(ir, "arith.remui", size, step);
    done = xlaIrBinary(ir, "arith.subi", size, rest);
    xlaIrFor(ir, zero, done, step, 0, NULL, &body);
    copy->indices[copy->rank - 1] = mlirBlockGetArgument(body.block, 0);
    copyVector(&body, copy, lanes);
    xlaIrYield(&body, 0, NULL);
  }
  xlaIrFor(ir, done, size, one, 0, NULL, &body);
  copy->indices[copy->rank - 1] = mlirBlockGetArgument(body.block, 0);
  copyElement(&body, copy);
  xlaIrYield(&body, 0, NULL);
}

static void copyFrom(XlaIr *ir, Copy *copy, intptr_t dimension, int64_t lanes) {
  if (dimension == copy->rank) {
    copyElement(ir, copy);
    return;
  }
  if (dimension == copy->rank - 1) {
    copyRow(ir, copy, lanes);
    return;
  }
  XlaIr body;
  xlaIrFor(ir, xlaIrConstantIndex(ir, 0), copy->sizes[dimension],
           xlaIrConstantIndex(ir, 1), 0, NULL, &body);
  copy->indices[dimension] = mlirBlockGetArgument(body.block, 0);
  copyFrom(&body, copy, dimension + 1, lanes);
  xlaIrYield(&body, 0, NULL);
}

static MlirValue dimensionSize(XlaIr *ir, MlirValue memref, intptr_t i) {
  MlirType type = mlirValueGetType(memref);
  if (!mlirShapedTypeIsDynamicDim(type, i))
    return xlaIrConstantIndex(ir, mlirShapedTypeGetDimSize(type, i));
  MlirValue operands[] = {memref, xlaIrConstantIndex(ir, i)};
  return xlaIrOp(ir, "memref.dim", mlirIndexTypeGet(ir->context), 2, operands,
                 0, NULL);
}

static int elementBits(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return (int)mlirIntegerTypeGetWidth(type);
  return mlirTypeIsAFloat(type) ? (int)mlirFloatTypeGetWidth(type) : 0;
}

static void expandCopy(MlirOperation op, const XlaCpuTarget *target) {
  XlaIr ir = xlaIrBefore(op);
  Copy copy = {.source = mlirOperationGetOperand(op, 0),
               .target = mlirOperationGetOperand(op, 1)};
  MlirType from = mlirValueGetType(copy.source);
  MlirType to = mlirValueGetType(copy.target);
  copy.rank = mlirShapedTypeGetRank(from);
  for (intptr_t i = 0; i < copy.rank; ++i)
    copy.sizes[i] = dimensionSize(&ir, copy.source, i);
  // Vectors of i1 and other parts of a byte are packed in memory.
  int bits = elementBits(xlaIrElementType(from));
  bool vectors = bits >= 8 && bits % 8 == 0 && hasUnitInnerStride(from) &&
                 hasUnitInnerStride(to);
  copyFrom(&ir, &copy, 0, vectors ? xlaCpuTargetLanes(target, bits) : 1);
  mlirOperationDestroy(op);
}

typedef struct Found {
  MlirOperation *ops;
  size_t count, capacity;
} Found;

static MlirWalkResult findCopy(MlirOperation op, void *user) {
  Found *found = user;
  if (!xlaIrIsOp(op, "memref.copy"))
    return MlirWalkResultAdvance;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetOperand(op, 1));
  if (!mlirTypeIsAMemRef(from) || !mlirTypeIsAMemRef(to) ||
      mlirShapedTypeGetRank(from) > maxRank ||
      (hasIdentityLayout(from) && hasIdentityLayout(to)))
    return MlirWalkResultAdvance;
  if (found->count == found->capacity) {
    size_t capacity = 2 * found->capacity + 16;
    MlirOperation *ops = realloc(found->ops, capacity * sizeof *ops);
    if (!ops)
      return MlirWalkResultInterrupt; // upstream's slow copy remains
    found->ops = ops;
    found->capacity = capacity;
  }
  found->ops[found->count++] = op;
  return MlirWalkResultAdvance;
}

void xlaCpuExpandCopies(MlirOperation root, const XlaCpuTarget *target) {
  Found found = {0};
  mlirOperationWalk(root, findCopy, &found, MlirWalkPreOrder);
  for (size_t i = 0; i < found.count; ++i)
    expandCopy(found.ops[i], target);
  free(found.ops);
}

//===- copy.c - Copies as loops -------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of strided views, and of large arrays on all threads: memcpy has one, and
// writes past the caches.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/lowering/cpu/lower.h"
#include "xlac/lowering/linalg/build.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

enum {
  maxRank = 62,        // xlaIrLoad takes 64 indices
  minShared = 1 << 20, // bytes that are worth a second thread
};

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

/// Elements `from` to `to` of the innermost dimension, in vectors of `lanes`,
/// and the rest one by one.
static void copyRange(XlaIr *ir, Copy *copy, MlirValue from, MlirValue to,
                      int64_t lanes) {
  MlirValue done = from;
  XlaIr body;
  if (lanes > 1) {
    MlirValue step = xlaIrConstantIndex(ir, lanes);
    MlirValue size = xlaIrBinary(ir, "arith.subi", to, from);
    MlirValue rest = xlaIrBinary(ir, "arith.remui", size, step);
    done = xlaIrBinary(ir, "arith.subi", to, rest);
    xlaIrFor(ir, from, done, step, 0, NULL, &body);
    copy->indices[copy->rank - 1] = mlirBlockGetArgument(body.block, 0);
    copyVector(&body, copy, lanes);
    xlaIrYield(&body, 0, NULL);
  }
  xlaIrFor(ir, done, to, xlaIrConstantIndex(ir, 1), 0, NULL, &body);
  copy->indices[copy->rank - 1] = mlirBlockGetArgument(body.block, 0);
  copyElement(&body, copy);
  xlaIrYield(&body, 0, NULL);
}

static void copyRow(XlaIr *ir, Copy *copy, int64_t lanes) {
  copyRange(ir, copy, xlaIrConstantIndex(ir, 0), copy->sizes[copy->rank - 1],
            lanes);
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

static bool hasIdentityLayouts(MlirOperation op) {
  for (intptr_t i = 0; i < 2; ++i)
    if (!hasIdentityLayout(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  return true;
}

/// The elements of a copy between whole arrays that several threads make, or 0.
static int64_t sharedElements(MlirOperation op, const XlaCpuTarget *target) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  int bits = elementBits(xlaIrElementType(type));
  int64_t count = 1;
  if (target->threads < 2 || bits < 8 || bits % 8 || !hasIdentityLayouts(op))
    return 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (mlirShapedTypeIsDynamicDim(type, d) ||
        __builtin_mul_overflow(count, mlirShapedTypeGetDimSize(type, d),
                               &count))
      return 0;
  MlirOperation parent = op;
  while (!xlaIrIsOp(parent, "func.func")) {
    parent = mlirOperationGetParentOperation(parent);
    if (mlirOperationIsNull(parent) || xlaIrIsOp(parent, "scf.parallel") ||
        xlaIrIsOp(parent, "affine.parallel"))
      return 0;
  }
  return count >= minShared / (bits / 8) ? count : 0;
}

/// All `count` elements as one row.
static MlirValue flat(XlaIr *ir, MlirValue memref, int64_t count) {
  int64_t start = 0, stride = 1;
  XlaIrAttr attrs[] = {
      {"operandSegmentSizes",
       mlirDenseI32ArrayGet(ir->context, 4, (int32_t[]){1, 0, 0, 0})},
      {"static_offsets", mlirDenseI64ArrayGet(ir->context, 1, &start)},
      {"static_sizes", mlirDenseI64ArrayGet(ir->context, 1, &count)},
      {"static_strides", mlirDenseI64ArrayGet(ir->context, 1, &stride)}};
  MlirType type =
      mlirMemRefTypeContiguousGet(xlaIrElementType(mlirValueGetType(memref)), 1,
                                  &count, (MlirAttribute){NULL});
  return xlaIrOp(ir, "memref.reinterpret_cast", type, 1, &memref, 4, attrs);
}

/// Each thread copies a piece.
static void shareCopy(MlirOperation op, const XlaCpuTarget *target,
                      int64_t count) {
  XlaIr ir = xlaIrBefore(op), body;
  Copy copy = {.source = flat(&ir, mlirOperationGetOperand(op, 0), count),
               .target = flat(&ir, mlirOperationGetOperand(op, 1), count),
               .rank = 1};
  int bits = elementBits(xlaIrElementType(mlirValueGetType(copy.source)));
  int64_t lanes = xlaCpuTargetLanes(target, bits);
  int64_t piece = (count + target->threads - 1) / target->threads;
  piece += (lanes - piece % lanes) % lanes;
  MlirValue size = xlaIrConstantIndex(&ir, piece);
  MlirValue end = xlaIrConstantIndex(&ir, count);
  MlirValue task =
      xlaLinalgOpenTasks(&ir, (count + piece - 1) / piece, true, &body);
  MlirValue from = xlaIrBinary(&body, "arith.muli", task, size);
  MlirValue to = xlaIrBinary(&body, "arith.minui",
                             xlaIrBinary(&body, "arith.addi", from, size), end);
  copyRange(&body, &copy, from, to, lanes);
  xlaLinalgCloseTasks(&body, true);
  mlirOperationDestroy(op);
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
  const XlaCpuTarget *target;
} Found;

static MlirWalkResult findCopy(MlirOperation op, void *user) {
  Found *found = user;
  if (!xlaIrIsOp(op, "memref.copy"))
    return MlirWalkResultAdvance;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetOperand(op, 1));
  if (!mlirTypeIsAMemRef(from) || !mlirTypeIsAMemRef(to) ||
      mlirShapedTypeGetRank(from) > maxRank ||
      (hasIdentityLayouts(op) && !sharedElements(op, found->target)))
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
  Found found = {.target = target};
  mlirOperationWalk(root, findCopy, &found, MlirWalkPreOrder);
  for (size_t i = 0; i < found.count; ++i) {
    int64_t count = sharedElements(found.ops[i], target);
    if (count)
      shareCopy(found.ops[i], target, count);
    else
      expandCopy(found.ops[i], target);
  }
  free(found.ops);
}

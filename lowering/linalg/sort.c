//===- sort.c - Sorting lines ---------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A merge sort, bottom up and stable: runs of 1, 2, 4 .. elements are merged
// from the line of the results into as much memory and back, so that an even
// number of passes leaves them in the results. The merge has no branches, and
// no answer of the comparator leads it out of the line.
//
// A line is one thread's here; sort_merge_path.c gives it to many.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/sort.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

static XlaElementType typeOf(const XlaSort *sort, intptr_t i) {
  return xlaKernelShapeOf(mlirOperationGetOperand(sort->kernel->op, i))
      .elementType;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

MlirValue xlaSortLoad(XlaSort *sort, XlaIr *ir, const MlirValue *from,
                      intptr_t i, MlirValue position) {
  if (mlirShapedTypeGetRank(mlirValueGetType(from[i])) < sort->shape.rank)
    return xlaIrLoad(ir, from[i], 1, &position);
  sort->line[sort->dimension] = position;
  return xlaIrLoad(ir, from[i], sort->shape.rank, sort->line);
}

void xlaSortStore(XlaSort *sort, XlaIr *ir, const MlirValue *to, intptr_t i,
                  MlirValue position, MlirValue value) {
  if (mlirShapedTypeGetRank(mlirValueGetType(to[i])) < sort->shape.rank) {
    xlaIrStore(ir, value, to[i], 1, &position);
    return;
  }
  sort->line[sort->dimension] = position;
  xlaIrStore(ir, value, to[i], sort->shape.rank, sort->line);
}

/// The older form: `args` ascend, floats in total order.
static MlirValue compareImplicitly(const XlaSort *sort, XlaIr *ir,
                                   const MlirValue *args) {
  XlaShape scalar = {.elementType = sort->shape.elementType};
  MlirType type = xlaShapeToMlir(&scalar, ir->context);
  scalar.elementType = XlaElementTypePred;
  MlirLocation locations[] = {ir->location, ir->location};
  MlirBlock block = mlirBlockCreate(2, (MlirType[]){type, type}, locations);
  XlaIr at = xlaIrAtEnd(ir->context, ir->location, block);
  MlirValue operands[] = {mlirBlockGetArgument(block, 0),
                          mlirBlockGetArgument(block, 1)};
  XlaIrAttr attrs[] = {
      {"comparison_direction", xlaIrStringAttr(ir->context, "LT")},
      {"compare_type", xlaIrStringAttr(ir->context, "TOTALORDER")}};
  MlirValue compare = xlaIrOp(
      &at, "xla.compare", xlaShapeToMlir(&scalar, ir->context), 2, operands,
      xlaElementTypeIsFloat(sort->shape.elementType) ? 2 : 1, attrs);
  MlirValue before = xlaLowerScalar(ir, mlirOpResultGetOwner(compare), args);
  mlirBlockDestroy(block);
  return before;
}

MlirValue xlaSortIsBefore(const XlaSort *sort, XlaIr *ir,
                          const MlirValue *right, const MlirValue *left) {
  MlirValue args[2 * XLA_MAX_LIST], before = {NULL};
  for (intptr_t i = 0; i < sort->n; ++i) {
    args[2 * i] = xlaScalarFromMemory(ir, typeOf(sort, i), right[i]);
    args[2 * i + 1] = xlaScalarFromMemory(ir, typeOf(sort, i), left[i]);
  }
  if (!mlirOperationGetNumRegions(sort->kernel->op))
    return compareImplicitly(sort, ir, args);
  XlaGeneric generic;
  xlaGenericBeginOutside(&generic, sort->kernel);
  generic.ir = *ir;
  MlirLogicalResult done = xlaGenericRegion(
      &generic, mlirOperationGetRegion(sort->kernel->op, 0), args, &before);
  xlaGenericFree(&generic);
  return mlirLogicalResultIsSuccess(done) ? before : (MlirValue){NULL};
}

bool xlaSortMergeOne(XlaSort *sort, XlaIr *ir, const MlirValue *from,
                     const MlirValue *to, MlirValue k, MlirValue middle,
                     MlirValue high, MlirValue next[2]) {
  MlirValue lefts[XLA_MAX_LIST], rights[XLA_MAX_LIST];
  MlirValue last =
      xlaIrConstantIndex(ir, sort->shape.dims[sort->dimension] - 1);
  MlirValue one = xlaIrConstantIndex(ir, 1);
  MlirValue left = xlaIrBinary(ir, "arith.minui", next[0], last);
  MlirValue right = xlaIrBinary(ir, "arith.minui", next[1], last);
  for (intptr_t i = 0; i < sort->n; ++i) {
    lefts[i] = xlaSortLoad(sort, ir, from, i, left);
    rights[i] = xlaSortLoad(sort, ir, from, i, right);
  }
  MlirValue before = xlaSortIsBefore(sort, ir, rights, lefts);
  if (!before.ptr)
    return false;
  MlirValue noLeft = xlaIrCmpI(ir, "uge", next[0], middle);
  MlirValue isRight =
      xlaIrBinary(ir, "arith.andi", xlaIrCmpI(ir, "ult", next[1], high),
                  xlaIrBinary(ir, "arith.ori", noLeft, before));
  for (intptr_t i = 0; i < sort->n; ++i)
    xlaSortStore(sort, ir, to, i, k,
                 xlaIrSelect(ir, isRight, rights[i], lefts[i]));
  MlirValue afterLeft = xlaIrBinary(ir, "arith.addi", next[0], one);
  MlirValue afterRight = xlaIrBinary(ir, "arith.addi", next[1], one);
  next[0] = xlaIrSelect(ir, isRight, next[0], afterLeft);
  next[1] = xlaIrSelect(ir, isRight, afterRight, next[1]);
  return true;
}

//===----------------------------------------------------------------------===//
// A line by one thread
//===----------------------------------------------------------------------===//

/// Merges pairs of runs of `width`.
static bool emitPass(XlaSort *sort, XlaIr *ir, bool fromSpare,
                     MlirValue width) {
  const MlirValue *from = fromSpare ? sort->spare : sort->results;
  const MlirValue *to = fromSpare ? sort->results : sort->spare;
  XlaIr pair, step;
  MlirValue size = xlaIrConstantIndex(ir, sort->shape.dims[sort->dimension]);
  MlirValue both = xlaIrBinary(ir, "arith.addi", width, width);
  MlirOperation loop =
      xlaIrFor(ir, xlaIrConstantIndex(ir, 0), size, both, 0, NULL, &pair);
  MlirValue low = mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
  MlirValue middle = xlaIrBinary(
      &pair, "arith.minui", xlaIrBinary(&pair, "arith.addi", low, width), size);
  MlirValue high = xlaIrBinary(
      &pair, "arith.minui", xlaIrBinary(&pair, "arith.addi", low, both), size);
  loop = xlaIrFor(&pair, low, high, xlaIrConstantIndex(&pair, 1), 2,
                  (MlirValue[]){low, middle}, &step);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirValue next[2] = {mlirBlockGetArgument(block, 1),
                       mlirBlockGetArgument(block, 2)};
  bool done =
      xlaSortMergeOne(sort, &step, from, to, mlirBlockGetArgument(block, 0),
                      middle, high, next);
  xlaIrYield(&step, 2, next);
  xlaIrYield(&pair, 0, NULL);
  return done;
}

/// Pairs of passes, there and back; the last one may find a single run.
static bool emitPasses(XlaSort *sort, XlaIr *ir) {
  int64_t size = sort->shape.dims[sort->dimension];
  int pairs = 0;
  while (2 * pairs < 63 && INT64_C(1) << 2 * pairs < size)
    ++pairs;
  XlaIr body;
  MlirOperation loop =
      xlaIrFor(ir, xlaIrConstantIndex(ir, 0), xlaIrConstantIndex(ir, pairs),
               xlaIrConstantIndex(ir, 1), 0, NULL, &body);
  MlirValue pair = mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
  MlirValue shift = xlaIrBinary(&body, "arith.addi", pair, pair);
  MlirValue width =
      xlaIrBinary(&body, "arith.shli", xlaIrConstantIndex(&body, 1), shift);
  bool done = emitPass(sort, &body, false, width) &&
              emitPass(sort, &body, true,
                       xlaIrBinary(&body, "arith.addi", width, width));
  xlaIrYield(&body, 0, NULL);
  return done;
}

/// The results begin as the operands; each gets memory for a line.
static void prepare(XlaSort *sort) {
  XlaIr *ir = &sort->kernel->ir;
  int64_t size = sort->shape.dims[sort->dimension];
  for (intptr_t i = 0; i < sort->n; ++i) {
    MlirValue operand = mlirOperationGetOperand(sort->kernel->op, i);
    MlirValue memrefs[] = {xlaKernelGetBuffer(sort->kernel, operand)->memref,
                           sort->results[i]};
    xlaIrCreate(ir, "memref.copy", 2, memrefs, 0, NULL, 0, NULL, 0, NULL);
    MlirType line = mlirMemRefTypeGet(
        xlaIrElementType(mlirValueGetType(memrefs[1])), 1, &size,
        mlirAttributeGetNull(), mlirAttributeGetNull());
    if (size > 1)
      sort->spare[i] = xlaLinalgAlloc(ir, line);
  }
}

static bool sortLines(XlaSort *sort) {
  XlaIr nest[XLA_MAX_RANK + 1];
  prepare(sort);
  if (sort->shape.dims[sort->dimension] < 2)
    return true;
  XlaIr body = xlaSortOpenLines(sort, 0, nest);
  bool done = emitPasses(sort, &body);
  xlaSortCloseLines(sort, nest);
  return done;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

/// A loop of `trips` iterations in the nest.
static MlirValue openLoop(XlaIr *nest, int64_t trips) {
  MlirOperation loop = xlaIrFor(nest, xlaIrConstantIndex(nest, 0),
                                xlaIrConstantIndex(nest, trips),
                                xlaIrConstantIndex(nest, 1), 0, NULL, nest + 1);
  return mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
}

XlaIr xlaSortOpenLines(XlaSort *sort, int64_t parts, XlaIr *nest) {
  int depth = 0;
  nest[0] = sort->kernel->ir;
  for (int d = 0; d < sort->shape.rank; ++d)
    if (d != sort->dimension)
      sort->line[d] = openLoop(&nest[depth++], sort->shape.dims[d]);
  sort->part = parts ? openLoop(&nest[depth++], parts) : (MlirValue){NULL};
  return nest[depth];
}

void xlaSortCloseLines(const XlaSort *sort, XlaIr *nest) {
  int depth = sort->shape.rank - 1 + !mlirValueIsNull(sort->part);
  for (int d = depth; d > 0; --d)
    xlaIrYield(&nest[d], 0, NULL);
}

MlirLogicalResult xlaSortEmit(XlaKernel *kernel, const MlirValue *results) {
  XlaSort sort = {.kernel = kernel,
                  .results = results,
                  .n = mlirOperationGetNumOperands(kernel->op)};
  int64_t count = 0;
  if (sort.n > XLA_MAX_LIST)
    return xlaOpUnsupported(
        kernel->op, NULL,
        "has %lld operands, more than the %d that are lowered",
        (long long)sort.n, XLA_MAX_LIST);
  sort.shape = xlaKernelShapeOf(mlirOperationGetOperand(kernel->op, 0));
  int64_t dimension = xlaOpGetI64(kernel->op, "dimension", -1);
  sort.dimension =
      (int)(dimension < 0 ? dimension + sort.shape.rank : dimension);
  xlaShapeGetElementCount(&sort.shape, &count);
  if (!count)
    return mlirLogicalResultSuccess();
  bool done = kernel->device && kernel->device->runsAtOnce
                  ? xlaSortByMergePath(&sort)
                  : sortLines(&sort);
  return done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

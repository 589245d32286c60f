//===- sort.c - Sorting lines ---------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A merge sort, bottom up and stable, between the results and as much memory.
// The merge has no branches, and no answer of the comparator leads it out of
// the line. What processors make of it is in sort_blocks.c, what devices with
// many threads do in sort_merge_path.c.
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

void xlaSortInputs(const XlaSort *sort, MlirValue *memrefs) {
  for (intptr_t i = 0; i < sort->n; ++i) {
    const XlaKernelBuffer *buffer = xlaKernelGetBuffer(
        sort->kernel, mlirOperationGetOperand(sort->kernel->op, i));
    memrefs[i] = buffer ? buffer->memref : (MlirValue){NULL};
  }
}

/// The element of operand `i` that the line is at, as in memory. Null after a
/// diagnostic.
static MlirValue compute(XlaSort *sort, XlaIr *ir, intptr_t i) {
  XlaGeneric generic;
  XlaIndex index;
  XlaIr outside = sort->kernel->ir;
  MlirValue element = {NULL};
  sort->kernel->ir = xlaIrBefore(sort->top);
  xlaGenericBeginOutside(&generic, sort->kernel);
  generic.ir = *ir;
  xlaIndexBegin(&index);
  int d = 0;
  for (; d < sort->shape.rank; ++d) {
    MlirAffineExpr expr =
        xlaIndexExprVariable(&generic, sort->line[d], sort->shape.dims[d] - 1);
    if (mlirAffineExprIsNull(expr))
      break;
    xlaIndexAppendExpr(&index, expr);
  }
  if (d == sort->shape.rank)
    element = xlaGenericScalar(
        &generic, mlirOperationGetOperand(sort->kernel->op, i), &index);
  if (!mlirValueIsNull(element))
    element = xlaScalarToMemory(&generic.ir, typeOf(sort, i), element);
  xlaGenericFree(&generic);
  sort->kernel->ir = outside;
  return element;
}

MlirValue xlaSortLoad(XlaSort *sort, XlaIr *ir, const MlirValue *from,
                      intptr_t i, MlirValue position) {
  if (mlirValueIsNull(from[i])) {
    sort->line[sort->dimension] = position;
    return compute(sort, ir, i);
  }
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

MlirValue xlaSortCompare(XlaIr *ir, XlaElementType element,
                         const char *direction, const MlirValue *args) {
  XlaShape scalar = {.elementType = element};
  MlirType type = xlaShapeToMlir(&scalar, ir->context);
  scalar.elementType = XlaElementTypePred;
  MlirLocation locations[] = {ir->location, ir->location};
  MlirBlock block = mlirBlockCreate(2, (MlirType[]){type, type}, locations);
  XlaIr at = xlaIrAtEnd(ir->context, ir->location, block);
  MlirValue operands[] = {mlirBlockGetArgument(block, 0),
                          mlirBlockGetArgument(block, 1)};
  XlaIrAttr attrs[] = {
      {"comparison_direction", xlaIrStringAttr(ir->context, direction)},
      {"compare_type", xlaIrStringAttr(ir->context, "TOTALORDER")}};
  MlirValue compare =
      xlaIrOp(&at, "xla.compare", xlaShapeToMlir(&scalar, ir->context), 2,
              operands, xlaElementTypeIsFloat(element) ? 2 : 1, attrs);
  MlirValue before = xlaLowerScalar(ir, mlirOpResultGetOwner(compare), args);
  mlirBlockDestroy(block);
  return before;
}

MlirValue xlaSortIsBefore(const XlaSort *sort, XlaIr *ir,
                          const MlirValue *right, const MlirValue *left) {
  MlirValue args[2 * XLA_KERNEL_MAX_IN_ORDER], before = {NULL};
  for (intptr_t i = 0; i < sort->n; ++i) {
    args[2 * i] = xlaScalarFromMemory(ir, typeOf(sort, i), right[i]);
    args[2 * i + 1] = xlaScalarFromMemory(ir, typeOf(sort, i), left[i]);
  }
  if (!mlirOperationGetNumRegions(sort->kernel->op))
    return xlaSortCompare(ir, sort->shape.elementType, "LT", args);
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
  MlirValue lefts[XLA_KERNEL_MAX_IN_ORDER], rights[XLA_KERNEL_MAX_IN_ORDER];
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
  if (sort.n > XLA_KERNEL_MAX_IN_ORDER)
    return xlaOpUnsupported(
        kernel->op, NULL,
        "has %lld operands, more than the %d that are lowered",
        (long long)sort.n, XLA_KERNEL_MAX_IN_ORDER);
  sort.shape = xlaKernelShapeOf(mlirOperationGetOperand(kernel->op, 0));
  int64_t dimension = xlaOpGetI64(kernel->op, "dimension", -1);
  sort.dimension =
      (int)(dimension < 0 ? dimension + sort.shape.rank : dimension);
  xlaShapeGetElementCount(&sort.shape, &count);
  if (!count)
    return mlirLogicalResultSuccess();
  sort.top = mlirOpResultGetOwner(xlaIrConstantIndex(&kernel->ir, 0));
  bool done = kernel->device && kernel->device->runsAtOnce
                  ? xlaSortByMergePath(&sort)
                  : xlaSortByBlocks(&sort);
  return done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

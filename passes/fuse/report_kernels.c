//===- report_kernels.c - Kernels with what they take ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An input is read once, or as much of it as slices take; a result is written
// once, or as much of it as is updated in place. Reshapes are views and
// constants are part of the code.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/ops/dot.h"
#include "xlac/passes/fuse/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool xlaFuseReportIsView(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindReshape || kind == XlaOpKindBitcast ||
         kind == XlaOpKindBitcastConvert ||
         kind == XlaOpKindOptimizationBarrier;
}

bool xlaFuseReportIsKernel(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind != XlaOpKindInvalid && kind != XlaOpKindConstant &&
         !xlaFuseReportIsView(op) &&
         xlaOpGetInfo(kind)->family != XlaFamilyControlFlow &&
         mlirOperationGetNumResults(op) > 0;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

int64_t xlaFuseReportBytesOf(MlirValue value) {
  XlaShape shape;
  int64_t count;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) ||
      !xlaShapeGetElementCount(&shape, &count))
    return 0;
  return count * xlaElementTypeGetInfo(shape.elementType)->bytes;
}

static bool isConstant(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant;
}

/// The operand with what an operation writes into its first one, or -1.
static intptr_t updatesOf(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindDynamicUpdateSlice ? 1
         : kind == XlaOpKindScatter ? mlirOperationGetNumOperands(op) / 2 + 1
                                    : -1;
}

/// Whether nothing else needs an array of the block that is updated. Arguments
/// of functions are their callers'.
static bool isUpdatedInPlace(MlirValue value) {
  return xlaIrHasOneUse(value) &&
         (!mlirValueIsABlockArgument(value) ||
          !xlaIrIsOp(
              mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)),
              "func.func"));
}

/// What uses read: so many bytes, or all.
typedef struct Reads {
  int64_t parts;
  bool all;
} Reads;

/// What operation `op` reads of its operand `i`.
static void addUse(Reads *reads, MlirOperation op, intptr_t i, bool inPlace) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaOpMoves moves = xlaOpGetInfo(kind)->moves;
  bool isPart = moves == XlaOpMovesView || moves == XlaOpMovesDynamicView ||
                kind == XlaOpKindGather;
  if (i == 0 && updatesOf(op) >= 0 && inPlace)
    return;
  if (isPart && i == 0)
    reads->parts += xlaFuseReportBytesOf(mlirOperationGetResult(op, 0));
  else
    reads->all = true;
}

/// What the uses inside of a kernel read of an array.
static int64_t bytesRead(MlirValue value, bool inPlace) {
  int64_t all = xlaFuseReportBytesOf(value);
  Reads reads = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && !reads.all;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (xlaOpGetKind(user) == XlaOpKindInvalid)
      reads.all = true;
    else
      addUse(&reads, user, mlirOpOperandGetOperandNumber(use), inPlace);
  }
  return reads.all || reads.parts > all ? all : reads.parts;
}

static MlirBlock bodyOf(MlirOperation fusion) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(fusion, 0));
}

static int64_t inputBytes(MlirOperation op, intptr_t i) {
  MlirValue value = mlirOperationGetOperand(op, i);
  for (intptr_t k = 0; k < i; ++k)
    if (mlirValueEqual(mlirOperationGetOperand(op, k), value))
      return 0;
  if (isConstant(value))
    return 0;
  bool inPlace = isUpdatedInPlace(value);
  if (xlaOpGetKind(op) == XlaOpKindFusion)
    return bytesRead(mlirBlockGetArgument(bodyOf(op), i), inPlace);
  Reads reads = {0};
  int64_t all = xlaFuseReportBytesOf(value);
  addUse(&reads, op, i, inPlace);
  return reads.all || reads.parts > all ? all : reads.parts;
}

/// The operand of kernel `op` that its inner value is, or null.
static MlirValue outerValue(MlirOperation op, MlirValue inner) {
  if (xlaOpGetKind(op) != XlaOpKindFusion)
    return inner;
  if (!mlirValueIsABlockArgument(inner))
    return (MlirValue){NULL};
  return mlirOperationGetOperand(op, mlirBlockArgumentGetArgNumber(inner));
}

/// What computes result `i` of a kernel.
static MlirOperation rootOf(MlirOperation op, intptr_t i) {
  if (xlaOpGetKind(op) != XlaOpKindFusion)
    return op;
  MlirValue value =
      mlirOperationGetOperand(mlirBlockGetTerminator(bodyOf(op)), i);
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : op;
}

static int64_t outputBytes(MlirOperation op, intptr_t i) {
  MlirOperation root = rootOf(op, i);
  intptr_t updates = updatesOf(root);
  if (updates >= 0) {
    MlirValue into = outerValue(op, mlirOperationGetOperand(root, 0));
    if (into.ptr && isUpdatedInPlace(into))
      return xlaFuseReportBytesOf(mlirOperationGetOperand(root, updates));
  }
  return xlaFuseReportBytesOf(mlirOperationGetResult(op, i));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static double elementsOf(MlirValue value) {
  XlaShape shape;
  int64_t count = 0;
  if (xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    xlaShapeGetElementCount(&shape, &count);
  return (double)count;
}

/// Multiplications and additions of a matrix product.
static double termsOf(MlirOperation dot) {
  XlaDotDimensions dims;
  XlaShape lhs;
  double terms = elementsOf(mlirOperationGetResult(dot, 0));
  xlaDotGetDimensions(dot, &dims);
  if (!xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(dot, 0)), &lhs,
                        NULL))
    return 0;
  for (int i = 0; i < dims.lhs.contracting.size; ++i)
    terms *= (double)lhs.dims[dims.lhs.contracting.values[i]];
  return terms;
}

static void addWork(MlirOperation op, FuseKernel *kernel) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid || kind == XlaOpKindReturn ||
      !mlirOperationGetNumResults(op))
    return;
  bool takes = kind == XlaOpKindReduce || kind == XlaOpKindAssociativeScan;
  MlirValue value =
      takes ? mlirOperationGetOperand(op, 0) : mlirOperationGetResult(op, 0);
  if (kind == XlaOpKindDotGeneral || kind == XlaOpKindDot)
    kernel->terms += termsOf(op);
  else if (kind != XlaOpKindConstant)
    kernel->ops += elementsOf(value) * xlaOpGetInfo(kind)->cost;
}

FuseKernel xlaFuseReportMeasure(const XlaFusionDevice *device,
                                MlirOperation op) {
  FuseKernel kernel = {.op = op};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    kernel.in += inputBytes(op, i);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    kernel.out += outputBytes(op, i);
  if (xlaOpGetKind(op) == XlaOpKindFusion)
    for (MlirOperation inner = mlirBlockGetFirstOperation(bodyOf(op));
         !mlirOperationIsNull(inner);
         inner = mlirOperationGetNextInBlock(inner))
      addWork(inner, &kernel);
  else
    addWork(op, &kernel);
  kernel.memory = (double)(kernel.in + kernel.out) * device->perByte;
  kernel.work = kernel.ops * device->perOp + kernel.terms * device->perTerm;
  return kernel;
}

void xlaFuseReportFindKernels(FuseReport *report) {
  MlirBlock block = report->graph->block;
  int n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    n += xlaFuseReportIsKernel(op);
  report->kernels = calloc((size_t)n + 1, sizeof *report->kernels);
  report->failed |= !report->kernels;
  if (!report->kernels)
    return;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!xlaFuseReportIsKernel(op))
      continue;
    report->kernels[report->nKernels++] =
        xlaFuseReportMeasure(report->graph->device, op);
    report->failed |=
        !xlaPointerMapSet(&report->numbers, op.ptr, report->nKernels);
  }
}

int xlaFuseReportKernelOf(const FuseReport *report, MlirOperation op) {
  while (!mlirOperationIsNull(op)) {
    int number = (int)xlaPointerMapGet(&report->numbers, op.ptr);
    if (number)
      return number;
    op = mlirOperationGetParentOperation(op);
  }
  return 0;
}

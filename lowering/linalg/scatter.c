//===- scatter.c - Updates at computed places -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results begin as copies of the inputs; then the windows are applied in
// the order of the indices, for they may overlap. A window is applied if all
// its coordinates are inside, which one comparison without a sign tells.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

/// A scatter in the making. `batch` are the variables of the loops over the
/// indices, by dimension of the updates.
typedef struct Scatter {
  XlaKernel *kernel;
  const MlirValue *results;
  intptr_t n;
  XlaIndexedWindows windows;
  XlaShape input, indices, update;
  MlirValue loops[XLA_MAX_RANK];
} Scatter;

static MlirValue operandOf(const Scatter *scatter, intptr_t i) {
  return mlirOperationGetOperand(scatter->kernel->op, i);
}

static MlirValue memrefOf(const Scatter *scatter, intptr_t i) {
  return xlaKernelGetBuffer(scatter->kernel, operandOf(scatter, i))->memref;
}

/// Loops over `dims`, one in the other: `variables` get theirs, and the point
/// inside is given back. Close with closeNest.
static XlaIr openNest(XlaIr *ir, int rank, const int64_t *dims,
                      MlirValue *variables, XlaIr *nest) {
  nest[0] = *ir;
  for (int d = 0; d < rank; ++d) {
    XlaIr *at = d ? &nest[d] : ir;
    MlirValue size = xlaIrConstantIndex(at, dims[d]);
    MlirOperation loop =
        xlaIrFor(at, xlaIrConstantIndex(at, 0), size, xlaIrConstantIndex(at, 1),
                 0, NULL, &nest[d + 1]);
    variables[d] = mlirBlockGetArgument(
        mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
  }
  return nest[rank];
}

static void closeNest(XlaIr *nest, int rank) {
  for (int d = rank; d > 0; --d)
    xlaIrYield(&nest[d], 0, NULL);
}

static MlirValue readAs(XlaIr *ir, XlaElementType from, XlaElementType to,
                        MlirValue element) {
  element = xlaScalarFromMemory(ir, from, element);
  return from == to ? element : xlaLowerConvert(ir, from, to, element);
}

/// Result `i` as input `i`, whose elements it may hold in more bits.
static void copyInput(const Scatter *scatter, intptr_t i) {
  XlaIr *ir = &scatter->kernel->ir, nest[XLA_MAX_RANK + 1];
  MlirValue at[XLA_MAX_RANK], source = memrefOf(scatter, i);
  XlaElementType from = xlaKernelShapeOf(operandOf(scatter, i)).elementType;
  XlaElementType to =
      xlaKernelShapeOf(mlirOperationGetResult(scatter->kernel->op, i))
          .elementType;
  if (from == to) {
    xlaIrCreate(ir, "memref.copy", 2,
                (MlirValue[]){source, scatter->results[i]}, 0, NULL, 0, NULL, 0,
                NULL);
    return;
  }
  int rank = scatter->input.rank;
  XlaIr body = openNest(ir, rank, scatter->input.dims, at, nest);
  MlirValue value = readAs(&body, from, to, xlaIrLoad(&body, source, rank, at));
  xlaIrStore(&body, xlaScalarToMemory(&body, to, value), scatter->results[i],
             rank, at);
  closeNest(nest, rank);
}

/// Coordinate `k` of a window as an index, and whether it is at most `most`.
static MlirValue coordinate(const Scatter *scatter, XlaIr *ir, int k,
                            int64_t most, MlirValue *isInside) {
  const XlaIndexedWindows *windows = &scatter->windows;
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(scatter->indices.elementType);
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  MlirValue at[XLA_MAX_RANK];
  for (int i = 0; i < windows->batch.size; ++i)
    at[windows->indexBatch.values[i]] =
        scatter->loops[windows->batch.values[i]];
  if (windows->vectorDim < scatter->indices.rank)
    at[windows->vectorDim] = xlaIrConstantIndex(ir, k);
  MlirValue start =
      xlaIrLoad(ir, memrefOf(scatter, scatter->n), scatter->indices.rank, at);
  if (info->bits < 64)
    start = xlaIrCast(ir,
                      info->typeClass == XlaTypeClassSigned ? "arith.extsi"
                                                            : "arith.extui",
                      start, i64);
  MlirValue inside =
      xlaIrCmpI(ir, "ule", start, xlaIrConstantInt(ir, i64, most));
  *isInside =
      isInside->ptr ? xlaIrBinary(ir, "arith.andi", *isInside, inside) : inside;
  return xlaIrCast(ir, "arith.index_cast", start,
                   mlirIndexTypeGet(ir->context));
}

/// Where the window that the loops are in starts: null entries are 0.
static void findStart(const Scatter *scatter, XlaIr *ir, MlirValue *start,
                      MlirValue *isInside) {
  const XlaIndexedWindows *windows = &scatter->windows;
  int64_t sizes[XLA_MAX_RANK];
  for (int d = 0; d < scatter->input.rank; ++d) {
    start[d] = (MlirValue){NULL};
    sizes[d] = 1;
  }
  for (int i = 0; i < windows->offset.size; ++i)
    sizes[windows->window.values[i]] =
        scatter->update.dims[windows->offset.values[i]];
  for (int k = 0; k < windows->startMap.size; ++k) {
    int64_t d = windows->startMap.values[k];
    start[d] =
        coordinate(scatter, ir, k, scatter->input.dims[d] - sizes[d], isInside);
  }
  for (int i = 0; i < windows->batching.size; ++i)
    for (int k = 0; k < windows->batch.size; ++k)
      if (windows->indexBatch.values[k] == windows->indexBatching.values[i])
        start[windows->batching.values[i]] =
            scatter->loops[windows->batch.values[k]];
}

/// Combines one element of each result with one of each update.
static MlirLogicalResult combine(const Scatter *scatter, XlaIr *ir,
                                 const MlirValue *at) {
  intptr_t n = scatter->n;
  MlirValue args[XLA_MAX_LIST], values[XLA_MAX_LIST];
  XlaElementType types[XLA_MAX_LIST];
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue result = mlirOperationGetResult(scatter->kernel->op, i);
    XlaElementType from = xlaKernelShapeOf(operandOf(scatter, i)).elementType;
    types[i] = xlaKernelShapeOf(result).elementType;
    args[i] = xlaScalarFromMemory(
        ir, types[i],
        xlaIrLoad(ir, scatter->results[i], scatter->input.rank, at));
    args[n + i] = readAs(ir, from, types[i],
                         xlaIrLoad(ir, memrefOf(scatter, n + 1 + i),
                                   scatter->update.rank, scatter->loops));
  }
  XlaGeneric generic;
  xlaGenericBeginOutside(&generic, scatter->kernel);
  generic.ir = *ir;
  MlirLogicalResult done = xlaGenericRegion(
      &generic, mlirOperationGetRegion(scatter->kernel->op, 0), args, values);
  xlaGenericFree(&generic);
  for (intptr_t i = 0; i < n && mlirLogicalResultIsSuccess(done); ++i)
    xlaIrStore(ir, xlaScalarToMemory(ir, types[i], values[i]),
               scatter->results[i], scatter->input.rank, at);
  return done;
}

static MlirLogicalResult addWindow(Scatter *scatter, XlaIr *ir) {
  const XlaIndexedWindows *windows = &scatter->windows;
  MlirValue start[XLA_MAX_RANK], variables[XLA_MAX_RANK], isInside = {NULL};
  int64_t dims[XLA_MAX_RANK];
  XlaIr then = *ir, nest[XLA_MAX_RANK + 1];
  findStart(scatter, ir, start, &isInside);
  if (isInside.ptr)
    xlaIrIf(ir, isInside, &then, NULL);
  for (int i = 0; i < windows->offset.size; ++i)
    dims[i] = scatter->update.dims[windows->offset.values[i]];
  XlaIr body = openNest(&then, windows->offset.size, dims, variables, nest);
  for (int i = 0; i < windows->offset.size; ++i) {
    int64_t d = windows->window.values[i];
    scatter->loops[windows->offset.values[i]] = variables[i];
    start[d] = start[d].ptr
                   ? xlaIrBinary(&body, "arith.addi", start[d], variables[i])
                   : variables[i];
  }
  for (int d = 0; d < scatter->input.rank; ++d)
    if (!start[d].ptr)
      start[d] = xlaIrConstantIndex(&body, 0);
  MlirLogicalResult done = combine(scatter, &body, start);
  closeNest(nest, windows->offset.size);
  return done;
}

MlirLogicalResult xlaScatterEmit(XlaKernel *kernel, const MlirValue *results) {
  intptr_t n = mlirOperationGetNumOperands(kernel->op) / 2;
  MlirValue variables[XLA_MAX_RANK];
  XlaIr nest[XLA_MAX_RANK + 1];
  int64_t dims[XLA_MAX_RANK], count = 0, updates = 0;
  if (n > XLA_MAX_LIST / 2)
    return xlaOpError(kernel->op, NULL,
                      "has %lld inputs, more than the %d that are lowered",
                      (long long)n, XLA_MAX_LIST / 2);
  Scatter scatter = {.kernel = kernel, .results = results, .n = n};
  scatter.input = xlaKernelShapeOf(operandOf(&scatter, 0));
  scatter.indices = xlaKernelShapeOf(operandOf(&scatter, n));
  scatter.update = xlaKernelShapeOf(operandOf(&scatter, n + 1));
  xlaIndexedWindowsGet(kernel->op, &scatter.windows);
  xlaShapeGetElementCount(&scatter.input, &count);
  xlaShapeGetElementCount(&scatter.update, &updates);
  for (intptr_t i = 0; i < n && count; ++i)
    copyInput(&scatter, i);
  if (!count || !updates)
    return mlirLogicalResultSuccess();
  int rank = scatter.windows.batch.size;
  for (int i = 0; i < rank; ++i)
    dims[i] = scatter.update.dims[scatter.windows.batch.values[i]];
  XlaIr body = openNest(&kernel->ir, rank, dims, variables, nest);
  for (int i = 0; i < rank; ++i)
    scatter.loops[scatter.windows.batch.values[i]] = variables[i];
  MlirLogicalResult done = addWindow(&scatter, &body);
  closeNest(nest, rank);
  return done;
}

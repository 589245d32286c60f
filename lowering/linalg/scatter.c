//===- scatter.c - Updates at computed places -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results hold the inputs before. A window is applied if all its
// coordinates are inside, which one comparison without a sign tells. In a
// fusion indices and updates may be computed, where they are used.
//
// What processors do is in scatter_in_order.c, what devices do whose loops run
// at once in scatter_at_once.c.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scatter.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/passes/expand/scatter.h"

#include "mlir-c/BuiltinTypes.h"

MlirValue xlaScatterOperand(const XlaScatterLoops *scatter, intptr_t i) {
  return mlirOperationGetOperand(scatter->kernel->op, i);
}

bool xlaScatterIsInMemory(const XlaScatterLoops *scatter, intptr_t i) {
  return xlaKernelGetBuffer(scatter->kernel, xlaScatterOperand(scatter, i)) !=
         NULL;
}

MlirValue xlaScatterMemref(const XlaScatterLoops *scatter, intptr_t i) {
  return xlaKernelGetBuffer(scatter->kernel, xlaScatterOperand(scatter, i))
      ->memref;
}

/// A loop of `size` iterations at nest[0], whose inside is nest[1].
MlirValue xlaScatterOpenLoop(XlaIr *nest, int64_t size) {
  MlirOperation loop = xlaIrFor(nest, xlaIrConstantIndex(nest, 0),
                                xlaIrConstantIndex(nest, size),
                                xlaIrConstantIndex(nest, 1), 0, NULL, nest + 1);
  return mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
}

/// Loops over `dims`, one in the other: `variables` get theirs, and the point
/// inside is given back. Close with xlaScatterCloseLoops.
static XlaIr openNest(XlaIr *ir, int rank, const int64_t *dims,
                      MlirValue *variables, XlaIr *nest) {
  nest[0] = *ir;
  for (int d = 0; d < rank; ++d)
    variables[d] = xlaScatterOpenLoop(&nest[d], dims[d]);
  return nest[rank];
}

void xlaScatterCloseLoops(XlaIr *nest, int rank) {
  for (int d = rank; d > 0; --d)
    xlaIrYield(&nest[d], 0, NULL);
}

MlirValue xlaScatterConvert(XlaIr *ir, XlaElementType from, XlaElementType to,
                            MlirValue element) {
  return from == to ? element : xlaLowerConvert(ir, from, to, element);
}

static MlirValue readAs(XlaIr *ir, XlaElementType from, XlaElementType to,
                        MlirValue element) {
  return xlaScatterConvert(ir, from, to,
                           xlaScalarFromMemory(ir, from, element));
}

/// Result `i` as input `i`, whose elements it holds in more bits; else it does
/// already.
static void copyInput(const XlaScatterLoops *scatter, intptr_t i) {
  XlaIr *ir = &scatter->kernel->ir, nest[XLA_MAX_RANK + 1];
  MlirValue at[XLA_MAX_RANK], source = xlaScatterMemref(scatter, i);
  XlaElementType from =
      xlaKernelShapeOf(xlaScatterOperand(scatter, i)).elementType;
  XlaElementType to =
      xlaKernelShapeOf(mlirOperationGetResult(scatter->kernel->op, i))
          .elementType;
  if (from == to)
    return;
  int rank = scatter->input.rank;
  XlaIr body = openNest(ir, rank, scatter->input.dims, at, nest);
  MlirValue value = readAs(&body, from, to, xlaIrLoad(&body, source, rank, at));
  xlaIrStore(&body, xlaScalarToMemory(&body, to, value), scatter->results[i],
             rank, at);
  xlaScatterCloseLoops(nest, rank);
}

//===----------------------------------------------------------------------===//
// Indices and updates
//===----------------------------------------------------------------------===//

MlirValue xlaScatterCompute(XlaScatterLoops *scatter, XlaGeneric *generic,
                            intptr_t i, const MlirValue *at, int d, int64_t k) {
  MlirContext context = generic->ir.context;
  XlaShape shape = xlaKernelShapeOf(xlaScatterOperand(scatter, i));
  XlaIndex index;
  xlaIndexBegin(&index);
  for (int e = 0; e < shape.rank; ++e) {
    MlirAffineExpr expr =
        e != d ? xlaIndexExprVariable(generic, at[e], shape.dims[e] - 1)
        : generic->isInLoops ? mlirAffineDimExprGet(context, 0)
                             : mlirAffineConstantExprGet(context, k);
    if (mlirAffineExprIsNull(expr))
      return (MlirValue){NULL};
    xlaIndexAppendExpr(&index, expr);
  }
  return xlaGenericScalar(generic, xlaScatterOperand(scatter, i), &index);
}

/// Element `at` of operand `i`, in a register; of dimension `d` the one at `k`.
/// Null after a diagnostic.
MlirValue xlaScatterReadElement(XlaScatterLoops *scatter, XlaIr *ir, intptr_t i,
                                MlirValue *at, int d, int64_t k) {
  XlaShape shape = xlaKernelShapeOf(xlaScatterOperand(scatter, i));
  if (xlaScatterIsInMemory(scatter, i)) {
    if (d < shape.rank)
      at[d] = xlaIrConstantIndex(ir, k);
    return xlaScalarFromMemory(
        ir, shape.elementType,
        xlaIrLoad(ir, xlaScatterMemref(scatter, i), shape.rank, at));
  }
  XlaGeneric generic;
  xlaGenericBeginOutside(&generic, scatter->kernel);
  generic.ir = *ir;
  MlirValue element = xlaScatterCompute(scatter, &generic, i, at, d, k);
  xlaGenericFree(&generic);
  scatter->failed |= mlirValueIsNull(element);
  return element;
}

/// Coordinate `k` of a window as an index, and whether it is at most `most`.
static MlirValue coordinate(XlaScatterLoops *scatter, XlaIr *ir, int k,
                            int64_t most, MlirValue *isInside) {
  const XlaIndexedWindows *windows = &scatter->windows;
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(scatter->indices.elementType);
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  MlirValue at[XLA_MAX_RANK];
  for (int i = 0; i < windows->batch.size; ++i)
    at[windows->indexBatch.values[i]] =
        scatter->loops[windows->batch.values[i]];
  MlirValue start = xlaScatterReadElement(scatter, ir, scatter->n, at,
                                          (int)windows->vectorDim, k);
  if (mlirValueIsNull(start)) // any will do
    start = xlaIrConstantInt(ir, i64, 0);
  else if (info->bits < 64)
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
void xlaScatterFindStart(XlaScatterLoops *scatter, XlaIr *ir, MlirValue *start,
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

XlaElementType xlaScatterResultType(const XlaScatterLoops *scatter,
                                    intptr_t i) {
  return xlaKernelShapeOf(mlirOperationGetResult(scatter->kernel->op, i))
      .elementType;
}

/// Where the element of result `i` at `at` is: `*rank` indices of the memref.
static MlirValue find(const XlaScatterLoops *scatter, intptr_t i,
                      const MlirValue *at, MlirValue *indices, int *rank) {
  *rank = 0;
  if (scatter->copy.ptr)
    indices[(*rank)++] = scatter->copy;
  for (int d = 0; d < scatter->input.rank; ++d)
    indices[(*rank)++] = at[d];
  return scatter->copy.ptr ? scatter->copies : scatter->results[i];
}

/// One element of each result.
void xlaScatterLoadResults(const XlaScatterLoops *scatter, XlaIr *ir,
                           const MlirValue *at, MlirValue *values) {
  MlirValue indices[XLA_MAX_RANK + 1];
  int rank;
  for (intptr_t i = 0; i < scatter->n; ++i) {
    MlirValue memory = find(scatter, i, at, indices, &rank);
    values[i] = xlaScalarFromMemory(ir, xlaScatterResultType(scatter, i),
                                    xlaIrLoad(ir, memory, rank, indices));
  }
}

void xlaScatterStoreResults(const XlaScatterLoops *scatter, XlaIr *ir,
                            const MlirValue *at, const MlirValue *values) {
  MlirValue indices[XLA_MAX_RANK + 1];
  int rank;
  for (intptr_t i = 0; i < scatter->n; ++i) {
    MlirValue memory = find(scatter, i, at, indices, &rank);
    xlaIrStore(
        ir, xlaScalarToMemory(ir, xlaScatterResultType(scatter, i), values[i]),
        memory, rank, indices);
  }
}

MlirLogicalResult xlaScatterApply(XlaScatterLoops *scatter, XlaIr *ir,
                                  const MlirValue *args, MlirValue *values) {
  XlaGeneric generic;
  xlaGenericBeginOutside(&generic, scatter->kernel);
  generic.ir = *ir;
  MlirLogicalResult done = xlaGenericRegion(
      &generic, mlirOperationGetRegion(scatter->kernel->op, 0), args, values);
  xlaGenericFree(&generic);
  return done;
}

/// Combines `values`, elements of the results, with the updates that the loops
/// are at.
MlirLogicalResult xlaScatterApplyUpdate(XlaScatterLoops *scatter, XlaIr *ir,
                                        MlirValue *values) {
  intptr_t n = scatter->n;
  MlirValue args[XLA_KERNEL_MAX_VALUES];
  for (intptr_t i = 0; i < n; ++i) {
    XlaElementType from =
        xlaKernelShapeOf(xlaScatterOperand(scatter, i)).elementType;
    args[i] = values[i];
    args[n + i] = xlaScatterReadElement(scatter, ir, n + 1 + i, scatter->loops,
                                        XLA_MAX_RANK, 0);
    if (scatter->failed)
      return mlirLogicalResultFailure();
    args[n + i] = xlaScatterConvert(ir, from, xlaScatterResultType(scatter, i),
                                    args[n + i]);
  }
  return xlaScatterApply(scatter, ir, args, values);
}

MlirLogicalResult xlaScatterCombine(XlaScatterLoops *scatter, XlaIr *ir,
                                    const MlirValue *at) {
  MlirValue values[XLA_KERNEL_MAX_VALUES];
  xlaScatterLoadResults(scatter, ir, at, values);
  MlirLogicalResult done = xlaScatterApplyUpdate(scatter, ir, values);
  if (mlirLogicalResultIsSuccess(done))
    xlaScatterStoreResults(scatter, ir, at, values);
  return done;
}

/// The index in the inputs that the loops are at, of a window at `start`.
void xlaScatterFindPlace(const XlaScatterLoops *scatter, XlaIr *ir,
                         MlirValue *start) {
  const XlaIndexedWindows *windows = &scatter->windows;
  for (int i = 0; i < windows->offset.size; ++i) {
    int64_t d = windows->window.values[i];
    MlirValue offset = scatter->loops[windows->offset.values[i]];
    start[d] =
        start[d].ptr ? xlaIrBinary(ir, "arith.addi", start[d], offset) : offset;
  }
  for (int d = 0; d < scatter->input.rank; ++d)
    if (!start[d].ptr)
      start[d] = xlaIrConstantIndex(ir, 0);
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

static MlirLogicalResult read(XlaScatterLoops *scatter, XlaKernel *kernel,
                              const MlirValue *results) {
  intptr_t n = mlirOperationGetNumOperands(kernel->op) / 2;
  if (n > XLA_KERNEL_MAX_VALUES / 2)
    return xlaOpUnsupported(
        kernel->op, NULL, "has %lld inputs, more than the %d that are lowered",
        (long long)n, XLA_KERNEL_MAX_VALUES / 2);
  *scatter = (XlaScatterLoops){.kernel = kernel, .results = results, .n = n};
  scatter->input = xlaKernelShapeOf(xlaScatterOperand(scatter, 0));
  scatter->indices = xlaKernelShapeOf(xlaScatterOperand(scatter, n));
  scatter->update = xlaKernelShapeOf(xlaScatterOperand(scatter, n + 1));
  xlaIndexedWindowsGet(kernel->op, &scatter->windows);
  return mlirLogicalResultSuccess();
}

static bool runsAtOnce(const XlaKernel *kernel) {
  return kernel->device && kernel->device->runsAtOnce;
}

/// What is read at the same place by all windows is read before the loops.
static void openTop(XlaScatterLoops *scatter) {
  XlaKernel *kernel = scatter->kernel;
  MlirValue first = xlaIrConstantIndex(&kernel->ir, 0);
  scatter->top = kernel->ir;
  kernel->ir.before = mlirOpResultGetOwner(first);
}

static MlirLogicalResult closeTop(XlaScatterLoops *scatter,
                                  MlirLogicalResult done) {
  scatter->kernel->ir = scatter->top;
  return scatter->failed ? mlirLogicalResultFailure() : done;
}

MlirLogicalResult xlaScatterEmit(XlaKernel *kernel, const MlirValue *results) {
  int64_t count = 0, updates = 0;
  XlaScatterLoops scatter;
  if (mlirLogicalResultIsFailure(read(&scatter, kernel, results)))
    return mlirLogicalResultFailure();
  xlaShapeGetElementCount(&scatter.input, &count);
  xlaShapeGetElementCount(&scatter.update, &updates);
  for (intptr_t i = 0; i < scatter.n && count; ++i)
    copyInput(&scatter, i);
  if (!count || !updates)
    return mlirLogicalResultSuccess();
  openTop(&scatter);
  return closeTop(&scatter, runsAtOnce(kernel)
                                ? xlaScatterAddAtOnce(&scatter)
                                : xlaScatterAddInOrder(&scatter));
}

MlirLogicalResult xlaScatterEmitAll(XlaKernel *kernel, intptr_t n,
                                    const MlirValue *values,
                                    const MlirValue *results) {
  int64_t count = 0, updates = 0;
  XlaScatterLoops scatter;
  if (mlirLogicalResultIsFailure(read(&scatter, kernel, results)))
    return mlirLogicalResultFailure();
  xlaShapeGetElementCount(&scatter.input, &count);
  xlaShapeGetElementCount(&scatter.update, &updates);
  if (!runsAtOnce(kernel) || !count || !updates ||
      xlaScatterGetForm(kernel->op) != XlaScatterFormSorted)
    return xlaOpUnsupported(
        kernel->op, NULL,
        "is lowered with what computes its inputs or works on its results "
        "where its windows are sorted rows that are applied at once");
  openTop(&scatter);
  return closeTop(&scatter, xlaScatterAddToAll(&scatter, n, values));
}

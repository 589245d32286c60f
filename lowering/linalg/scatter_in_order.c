//===- scatter_in_order.c - Scatters on processors ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows may overlap, so they are applied in the order of the indices. Threads
// take parts that do not meet: batches, windows that are said to be apart, or
// else the same part of all windows, along dimensions that no index moves; or
// they have copies (scatter_copies.c).
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/build.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/scatter.h"
#include "xlac/passes/expand/scatter.h"

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

enum {
  minRow = 8,        ///< elements that are worth a loop of vectors
  minRowBytes = 64,  ///< of a row's part, a line of caches
  minWork = 1 << 16, ///< elements that are worth a second thread
};

/// Whether windows consist of rows that lie contiguous in inputs and updates,
/// and the device has vectors for them.
static bool hasRows(const XlaScatterLoops *scatter) {
  const XlaIndexedWindows *windows = &scatter->windows;
  const XlaKernelDevice *device = scatter->kernel->device;
  int last = windows->offset.size - 1;
  return device && device->vectorBits && last >= 0 &&
         windows->offset.values[last] == scatter->update.rank - 1 &&
         windows->window.values[last] == scatter->input.rank - 1 &&
         scatter->update.dims[scatter->update.rank - 1] >= minRow;
}

/// The position of an element in an array of `shape`.
static MlirValue linear(XlaIr *ir, const XlaShape *shape, const MlirValue *at) {
  MlirValue sum = at[0];
  for (int d = 1; d < shape->rank; ++d)
    sum = xlaIrBinary(ir, "arith.addi",
                      xlaIrBinary(ir, "arith.muli", sum,
                                  xlaIrConstantIndex(ir, shape->dims[d])),
                      at[d]);
  return sum;
}

/// Update `i` of a row's element, in a register; null after a diagnostic.
static MlirValue rowUpdate(XlaScatterLoops *scatter, XlaGeneric *generic,
                           intptr_t i, const XlaShape *row) {
  XlaKernel *kernel = scatter->kernel;
  MlirAffineMap map;
  XlaElementType type =
      xlaKernelShapeOf(xlaScatterOperand(scatter, i)).elementType;
  if (!xlaScatterIsInMemory(scatter, i))
    return xlaScatterCompute(scatter, generic, i, scatter->loops,
                             scatter->update.rank - 1, 0);
  MlirValue from = linear(&kernel->ir, &scatter->update, scatter->loops);
  MlirValue view =
      xlaKernelView(&kernel->ir, xlaScatterMemref(scatter, i), row,
                    &generic->space, &generic->space.root, from, &map);
  MlirValue element = xlaGenericAddInput(generic, view, map);
  return mlirValueIsNull(element)
             ? element
             : xlaScalarFromMemory(&generic->ir, type, element);
}

/// Combines `rowSize` updates, the first of which the loops are at, with
/// elements of the results from `at` on: a linalg.generic, for the device's
/// schedules.
static MlirLogicalResult combineRow(XlaScatterLoops *scatter, XlaIr *ir,
                                    int64_t rowSize, const MlirValue *at) {
  XlaKernel *kernel = scatter->kernel;
  XlaIr outside = kernel->ir;
  intptr_t n = scatter->n;
  MlirValue args[XLA_KERNEL_MAX_VALUES], values[XLA_KERNEL_MAX_VALUES],
      views[XLA_KERNEL_MAX_VALUES];
  MlirAffineMap maps[XLA_KERNEL_MAX_VALUES];
  XlaShape row = {.rank = 1};
  XlaGeneric generic;
  row.dims[0] = rowSize;
  kernel->ir = *ir;
  MlirLogicalResult done = xlaGenericBegin(&generic, kernel, &row, 0, NULL);
  MlirValue to = linear(&kernel->ir, &scatter->input, at);
  generic.isInLoops = true;
  const XlaSpace *space = &generic.space;
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(done) && i < n; ++i) {
    XlaElementType type =
        xlaKernelShapeOf(xlaScatterOperand(scatter, i)).elementType;
    views[i] = xlaKernelView(&kernel->ir, scatter->results[i], &row, space,
                             &space->root, to, &maps[i]);
    args[i] = xlaGenericAddInput(&generic, views[i], maps[i]);
    args[n + i] = rowUpdate(scatter, &generic, n + 1 + i, &row);
    if (mlirValueIsNull(args[i]) || mlirValueIsNull(args[n + i]))
      done = mlirLogicalResultFailure();
    else {
      args[i] = xlaScalarFromMemory(&generic.ir,
                                    xlaScatterResultType(scatter, i), args[i]);
      args[n + i] = xlaScatterConvert(
          &generic.ir, type, xlaScatterResultType(scatter, i), args[n + i]);
    }
  }
  if (mlirLogicalResultIsSuccess(done))
    done = xlaGenericRegion(&generic, mlirOperationGetRegion(kernel->op, 0),
                            args, values);
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(done) && i < n; ++i)
    values[i] = xlaScalarToMemory(&generic.ir, xlaScatterResultType(scatter, i),
                                  values[i]);
  if (mlirLogicalResultIsSuccess(done))
    done = xlaGenericEnd(&generic, n, views, maps, values, NULL, false);
  xlaGenericFree(&generic);
  kernel->ir = outside;
  return done;
}

//===----------------------------------------------------------------------===//
// Parts for threads
//===----------------------------------------------------------------------===//

/// What threads share out: `count` parts of `size` of a dimension of the
/// updates, the last one maybe less. Of one part it is none.
typedef struct Parts {
  int64_t dimension, count, size;
  bool haveCopies;
  MlirValue number; ///< of the part that the loops are in
} Parts;

/// At most `most` parts of rows: of the same size, which is static, and read
/// from memory, where vectors of updates that are computed would not be.
static int64_t countRowParts(const XlaScatterLoops *scatter, int64_t most) {
  int64_t size = scatter->update.dims[scatter->update.rank - 1];
  int bits = xlaElementTypeGetInfo(scatter->update.elementType)->bits;
  for (intptr_t i = 0; i < scatter->n; ++i)
    if (!xlaScatterIsInMemory(scatter, scatter->n + 1 + i))
      return 1;
  while (most > 1 && (size % most || size / most * bits < minRowBytes * 8))
    --most;
  return most;
}

/// Takes dimension `d` if there are more parts of it.
static void offer(const XlaScatterLoops *scatter, int64_t d, Parts *parts) {
  int64_t n = scatter->update.dims[d], count = scatter->kernel->device->threads;
  if (count > n)
    count = n;
  if (d == scatter->update.rank - 1 && hasRows(scatter))
    count = countRowParts(scatter, count);
  if (count > parts->count)
    *parts = (Parts){
        .dimension = d, .count = count, .size = (n + count - 1) / count};
}

/// Elements of less than a byte share bytes.
static bool hasBytes(const XlaScatterLoops *scatter) {
  for (intptr_t i = 0; i < scatter->n; ++i)
    if (xlaElementTypeGetInfo(xlaScatterResultType(scatter, i))->bits < 8)
      return false;
  return true;
}

/// Whether the same place in two windows, along entry `i` of their dimensions,
/// may be different places of the inputs.
static bool isMoved(const XlaScatterLoops *scatter, int i) {
  const XlaIndexedWindows *windows = &scatter->windows;
  int64_t d = windows->window.values[i];
  if (scatter->update.dims[windows->offset.values[i]] == scatter->input.dims[d])
    return false; // it lies at 0, or not inside
  for (int k = 0; k < windows->startMap.size; ++k)
    if (windows->startMap.values[k] == d)
      return true;
  return false;
}

/// Parts of a batch dimension, with copies of the results.
static void offerCopies(const XlaScatterLoops *scatter, Parts *parts) {
  int64_t d = 0;
  int64_t count = hasRows(scatter) ? 1 : xlaScatterCountCopies(scatter, &d);
  if (count <= parts->count)
    return;
  int64_t n = scatter->update.dims[d];
  *parts = (Parts){.dimension = d,
                   .count = count,
                   .size = (n + count - 1) / count,
                   .haveCopies = true};
}

/// The outermost dimension that has a part for each thread, else that with the
/// most.
static Parts findParts(const XlaScatterLoops *scatter) {
  const XlaIndexedWindows *windows = &scatter->windows;
  const XlaKernelDevice *device = scatter->kernel->device;
  Parts parts = {.count = 1};
  int64_t work;
  if (!device || device->threads < 2 || !hasBytes(scatter) ||
      !xlaShapeGetElementCount(&scatter->update, &work) || work < minWork)
    return parts;
  bool isApart = xlaScatterGetForm(scatter->kernel->op) == XlaScatterFormApart;
  for (int i = 0; i < windows->batch.size; ++i)
    if (isApart || !xlaScatterCountsWindows(scatter, windows->batch.values[i]))
      offer(scatter, windows->batch.values[i], &parts);
  for (int i = 0; i < windows->offset.size; ++i)
    if (isApart || !isMoved(scatter, i))
      offer(scatter, windows->offset.values[i], &parts);
  if (parts.count == 1)
    offerCopies(scatter, &parts);
  return parts;
}

/// A loop over dimension `d` of the updates, or over the thread's part of it,
/// at nest[0]; inside is nest[1].
static void openDimension(XlaScatterLoops *scatter, const Parts *parts,
                          int64_t d, XlaIr *nest) {
  int64_t n = scatter->update.dims[d];
  if (parts->count == 1 || parts->dimension != d) {
    scatter->loops[d] = xlaScatterOpenLoop(nest, n);
    return;
  }
  MlirValue size = xlaIrConstantIndex(nest, parts->size);
  MlirValue from = xlaIrBinary(nest, "arith.muli", parts->number, size);
  MlirValue to = xlaIrBinary(nest, "arith.minui",
                             xlaIrBinary(nest, "arith.addi", from, size),
                             xlaIrConstantIndex(nest, n));
  MlirOperation loop =
      xlaIrFor(nest, from, to, xlaIrConstantIndex(nest, 1), 0, NULL, nest + 1);
  scatter->loops[d] = mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The row that the loops are in, or the thread's part of it.
static MlirLogicalResult addRow(XlaScatterLoops *scatter, const Parts *parts,
                                XlaIr *ir, MlirValue *start) {
  int d = scatter->update.rank - 1;
  int64_t size = scatter->update.dims[d];
  scatter->loops[d] = xlaIrConstantIndex(ir, 0);
  if (parts->count > 1 && parts->dimension == d) {
    size = parts->size;
    scatter->loops[d] = xlaIrBinary(ir, "arith.muli", parts->number,
                                    xlaIrConstantIndex(ir, size));
  }
  xlaScatterFindPlace(scatter, ir, start);
  return combineRow(scatter, ir, size, start);
}

static MlirLogicalResult addWindow(XlaScatterLoops *scatter, const Parts *parts,
                                   XlaIr *ir) {
  const XlaIndexedWindows *windows = &scatter->windows;
  bool inRows = hasRows(scatter);
  int nLoops = windows->offset.size - inRows;
  MlirValue start[XLA_MAX_RANK], isInside = {NULL};
  XlaIr nest[XLA_MAX_RANK + 1] = {*ir};
  xlaScatterFindStart(scatter, ir, start, &isInside);
  if (isInside.ptr)
    xlaIrIf(ir, isInside, &nest[0], NULL);
  for (int i = 0; i < nLoops; ++i)
    openDimension(scatter, parts, windows->offset.values[i], &nest[i]);
  XlaIr *body = &nest[nLoops];
  MlirLogicalResult done;
  if (inRows) {
    done = addRow(scatter, parts, body, start);
  } else {
    xlaScatterFindPlace(scatter, body, start);
    done = xlaScatterCombine(scatter, body, start);
  }
  xlaScatterCloseLoops(nest, nLoops);
  return done;
}

MlirLogicalResult xlaScatterAddInOrder(XlaScatterLoops *scatter) {
  XlaIr nest[XLA_MAX_RANK + 1] = {scatter->top};
  Parts parts = findParts(scatter);
  bool isParallel = parts.count > 1;
  if (parts.haveCopies)
    xlaScatterOpenCopies(scatter, parts.count);
  if (isParallel)
    parts.number =
        xlaLinalgOpenTasks(&scatter->top, parts.count, true, &nest[0]);
  if (parts.haveCopies)
    xlaScatterBeginCopy(scatter, &nest[0], parts.number);
  XlaIr tasks = nest[0];
  int rank = scatter->windows.batch.size;
  for (int i = 0; i < rank; ++i)
    openDimension(scatter, &parts, scatter->windows.batch.values[i], &nest[i]);
  MlirLogicalResult done = addWindow(scatter, &parts, &nest[rank]);
  xlaScatterCloseLoops(nest, rank);
  if (isParallel)
    xlaLinalgCloseTasks(&tasks, true);
  if (parts.haveCopies && mlirLogicalResultIsSuccess(done))
    done = xlaScatterCloseCopies(scatter, parts.count);
  return done;
}

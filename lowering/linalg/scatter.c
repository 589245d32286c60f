//===- scatter.c - Updates at computed places -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results hold the inputs before; the windows are applied in the order of
// the indices, for they may overlap. A window is applied if all its coordinates
// are inside, which one comparison without a sign tells. In a fusion indices
// and updates may be computed, where they are used.
//
// Where loops run at once, the scatter has one of the forms of
// passes/expand/scatter.h. Of windows that are apart all elements are combined
// at once; of few windows those with the same offset in the same batch one
// after the other; of sorted ones those of the same row, whose ends are found
// first.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/scatter.h"
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
  XlaIr top;   ///< where loops go; kernel->ir is before them
  bool failed; ///< after a diagnostic
} Scatter;

static MlirValue operandOf(const Scatter *scatter, intptr_t i) {
  return mlirOperationGetOperand(scatter->kernel->op, i);
}

static bool isInMemory(const Scatter *scatter, intptr_t i) {
  return xlaKernelGetBuffer(scatter->kernel, operandOf(scatter, i)) != NULL;
}

static MlirValue memrefOf(const Scatter *scatter, intptr_t i) {
  return xlaKernelGetBuffer(scatter->kernel, operandOf(scatter, i))->memref;
}

/// A loop of `size` iterations at nest[0], whose inside is nest[1].
static MlirValue openLoop(XlaIr *nest, int64_t size) {
  MlirOperation loop = xlaIrFor(nest, xlaIrConstantIndex(nest, 0),
                                xlaIrConstantIndex(nest, size),
                                xlaIrConstantIndex(nest, 1), 0, NULL, nest + 1);
  return mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
}

/// Loops over `dims`, one in the other: `variables` get theirs, and the point
/// inside is given back. Close with closeNest.
static XlaIr openNest(XlaIr *ir, int rank, const int64_t *dims,
                      MlirValue *variables, XlaIr *nest) {
  nest[0] = *ir;
  for (int d = 0; d < rank; ++d)
    variables[d] = openLoop(&nest[d], dims[d]);
  return nest[rank];
}

static void closeNest(XlaIr *nest, int rank) {
  for (int d = rank; d > 0; --d)
    xlaIrYield(&nest[d], 0, NULL);
}

static MlirValue convert(XlaIr *ir, XlaElementType from, XlaElementType to,
                         MlirValue element) {
  return from == to ? element : xlaLowerConvert(ir, from, to, element);
}

static MlirValue readAs(XlaIr *ir, XlaElementType from, XlaElementType to,
                        MlirValue element) {
  return convert(ir, from, to, xlaScalarFromMemory(ir, from, element));
}

/// Result `i` as input `i`, whose elements it holds in more bits; else it does
/// already.
static void copyInput(const Scatter *scatter, intptr_t i) {
  XlaIr *ir = &scatter->kernel->ir, nest[XLA_MAX_RANK + 1];
  MlirValue at[XLA_MAX_RANK], source = memrefOf(scatter, i);
  XlaElementType from = xlaKernelShapeOf(operandOf(scatter, i)).elementType;
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
  closeNest(nest, rank);
}

//===----------------------------------------------------------------------===//
// Indices and updates
//===----------------------------------------------------------------------===//

/// Element `at` of operand `i`, which is computed, in a register. Of dimension
/// `d`, if it has that, `at` is the generic's loop or else the constant `k`.
static MlirValue compute(Scatter *scatter, XlaGeneric *generic, intptr_t i,
                         const MlirValue *at, int d, int64_t k) {
  MlirContext context = generic->ir.context;
  XlaShape shape = xlaKernelShapeOf(operandOf(scatter, i));
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
  return xlaGenericScalar(generic, operandOf(scatter, i), &index);
}

/// Element `at` of operand `i`, in a register; of dimension `d` the one at `k`.
/// Null after a diagnostic.
static MlirValue readElement(Scatter *scatter, XlaIr *ir, intptr_t i,
                             MlirValue *at, int d, int64_t k) {
  XlaShape shape = xlaKernelShapeOf(operandOf(scatter, i));
  if (isInMemory(scatter, i)) {
    if (d < shape.rank)
      at[d] = xlaIrConstantIndex(ir, k);
    return xlaScalarFromMemory(
        ir, shape.elementType,
        xlaIrLoad(ir, memrefOf(scatter, i), shape.rank, at));
  }
  XlaGeneric generic;
  xlaGenericBeginOutside(&generic, scatter->kernel);
  generic.ir = *ir;
  MlirValue element = compute(scatter, &generic, i, at, d, k);
  xlaGenericFree(&generic);
  scatter->failed |= mlirValueIsNull(element);
  return element;
}

/// Coordinate `k` of a window as an index, and whether it is at most `most`.
static MlirValue coordinate(Scatter *scatter, XlaIr *ir, int k, int64_t most,
                            MlirValue *isInside) {
  const XlaIndexedWindows *windows = &scatter->windows;
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(scatter->indices.elementType);
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  MlirValue at[XLA_MAX_RANK];
  for (int i = 0; i < windows->batch.size; ++i)
    at[windows->indexBatch.values[i]] =
        scatter->loops[windows->batch.values[i]];
  MlirValue start =
      readElement(scatter, ir, scatter->n, at, (int)windows->vectorDim, k);
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
static void findStart(Scatter *scatter, XlaIr *ir, MlirValue *start,
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

static XlaElementType resultType(const Scatter *scatter, intptr_t i) {
  return xlaKernelShapeOf(mlirOperationGetResult(scatter->kernel->op, i))
      .elementType;
}

/// One element of each result.
static void loadResults(const Scatter *scatter, XlaIr *ir, const MlirValue *at,
                        MlirValue *values) {
  for (intptr_t i = 0; i < scatter->n; ++i)
    values[i] = xlaScalarFromMemory(
        ir, resultType(scatter, i),
        xlaIrLoad(ir, scatter->results[i], scatter->input.rank, at));
}

static void storeResults(const Scatter *scatter, XlaIr *ir, const MlirValue *at,
                         const MlirValue *values) {
  for (intptr_t i = 0; i < scatter->n; ++i)
    xlaIrStore(ir, xlaScalarToMemory(ir, resultType(scatter, i), values[i]),
               scatter->results[i], scatter->input.rank, at);
}

/// Combines `values`, elements of the results, with the updates that the loops
/// are at.
static MlirLogicalResult applyUpdate(Scatter *scatter, XlaIr *ir,
                                     MlirValue *values) {
  intptr_t n = scatter->n;
  MlirValue args[XLA_MAX_LIST];
  for (intptr_t i = 0; i < n; ++i) {
    XlaElementType from = xlaKernelShapeOf(operandOf(scatter, i)).elementType;
    args[i] = values[i];
    args[n + i] =
        readElement(scatter, ir, n + 1 + i, scatter->loops, XLA_MAX_RANK, 0);
    if (scatter->failed)
      return mlirLogicalResultFailure();
    args[n + i] = convert(ir, from, resultType(scatter, i), args[n + i]);
  }
  XlaGeneric generic;
  xlaGenericBeginOutside(&generic, scatter->kernel);
  generic.ir = *ir;
  MlirLogicalResult done = xlaGenericRegion(
      &generic, mlirOperationGetRegion(scatter->kernel->op, 0), args, values);
  xlaGenericFree(&generic);
  return done;
}

static MlirLogicalResult combine(Scatter *scatter, XlaIr *ir,
                                 const MlirValue *at) {
  MlirValue values[XLA_MAX_LIST];
  loadResults(scatter, ir, at, values);
  MlirLogicalResult done = applyUpdate(scatter, ir, values);
  if (mlirLogicalResultIsSuccess(done))
    storeResults(scatter, ir, at, values);
  return done;
}

/// The index in the inputs that the loops are at, of a window at `start`.
static void findPlace(const Scatter *scatter, XlaIr *ir, MlirValue *start) {
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
// In order
//===----------------------------------------------------------------------===//

enum { minRow = 8 }; // elements that are worth a loop of vectors

/// Whether windows consist of rows that lie contiguous in inputs and updates,
/// and the device has vectors for them.
static bool hasRows(const Scatter *scatter) {
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
static MlirValue rowUpdate(Scatter *scatter, XlaGeneric *generic, intptr_t i,
                           const XlaShape *row) {
  XlaKernel *kernel = scatter->kernel;
  MlirAffineMap map;
  XlaElementType type = xlaKernelShapeOf(operandOf(scatter, i)).elementType;
  if (!isInMemory(scatter, i))
    return compute(scatter, generic, i, scatter->loops,
                   scatter->update.rank - 1, 0);
  MlirValue from = linear(&kernel->ir, &scatter->update, scatter->loops);
  MlirValue view =
      xlaKernelView(&kernel->ir, memrefOf(scatter, i), row, &generic->space,
                    &generic->space.root, from, &map);
  MlirValue element = xlaGenericAddInput(generic, view, map);
  return mlirValueIsNull(element)
             ? element
             : xlaScalarFromMemory(&generic->ir, type, element);
}

/// Combines a row of updates, the first of which the loops are at, with
/// elements of the results from `at` on: a linalg.generic, for the device's
/// schedules.
static MlirLogicalResult combineRow(Scatter *scatter, XlaIr *ir,
                                    const MlirValue *at) {
  XlaKernel *kernel = scatter->kernel;
  XlaIr outside = kernel->ir;
  intptr_t n = scatter->n;
  MlirValue args[XLA_MAX_LIST], values[XLA_MAX_LIST], views[XLA_MAX_LIST];
  MlirAffineMap maps[XLA_MAX_LIST];
  XlaShape row = {.rank = 1};
  XlaGeneric generic;
  row.dims[0] = scatter->update.dims[scatter->update.rank - 1];
  kernel->ir = *ir;
  MlirLogicalResult done = xlaGenericBegin(&generic, kernel, &row, 0, NULL);
  MlirValue to = linear(&kernel->ir, &scatter->input, at);
  generic.isInLoops = true;
  const XlaSpace *space = &generic.space;
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(done) && i < n; ++i) {
    XlaElementType type = xlaKernelShapeOf(operandOf(scatter, i)).elementType;
    views[i] = xlaKernelView(&kernel->ir, scatter->results[i], &row, space,
                             &space->root, to, &maps[i]);
    args[i] = xlaGenericAddInput(&generic, views[i], maps[i]);
    args[n + i] = rowUpdate(scatter, &generic, n + 1 + i, &row);
    if (mlirValueIsNull(args[i]) || mlirValueIsNull(args[n + i]))
      done = mlirLogicalResultFailure();
    else {
      args[i] =
          xlaScalarFromMemory(&generic.ir, resultType(scatter, i), args[i]);
      args[n + i] =
          convert(&generic.ir, type, resultType(scatter, i), args[n + i]);
    }
  }
  if (mlirLogicalResultIsSuccess(done))
    done = xlaGenericRegion(&generic, mlirOperationGetRegion(kernel->op, 0),
                            args, values);
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(done) && i < n; ++i)
    values[i] =
        xlaScalarToMemory(&generic.ir, resultType(scatter, i), values[i]);
  if (mlirLogicalResultIsSuccess(done))
    done = xlaGenericEnd(&generic, n, views, maps, values, NULL, false);
  xlaGenericFree(&generic);
  kernel->ir = outside;
  return done;
}

static MlirLogicalResult addWindow(Scatter *scatter, XlaIr *ir) {
  const XlaIndexedWindows *windows = &scatter->windows;
  bool inRows = hasRows(scatter);
  int nLoops = windows->offset.size - inRows;
  MlirValue start[XLA_MAX_RANK], isInside = {NULL};
  XlaIr nest[XLA_MAX_RANK + 1] = {*ir};
  findStart(scatter, ir, start, &isInside);
  if (isInside.ptr)
    xlaIrIf(ir, isInside, &nest[0], NULL);
  for (int i = 0; i < nLoops; ++i) {
    int64_t d = windows->offset.values[i];
    scatter->loops[d] = openLoop(&nest[i], scatter->update.dims[d]);
  }
  XlaIr *body = &nest[nLoops];
  if (inRows)
    scatter->loops[scatter->update.rank - 1] = xlaIrConstantIndex(body, 0);
  findPlace(scatter, body, start);
  MlirLogicalResult done =
      inRows ? combineRow(scatter, body, start) : combine(scatter, body, start);
  closeNest(nest, nLoops);
  return done;
}

static MlirLogicalResult addInOrder(Scatter *scatter) {
  XlaIr nest[XLA_MAX_RANK + 1] = {scatter->top};
  int rank = scatter->windows.batch.size;
  for (int i = 0; i < rank; ++i) {
    int64_t d = scatter->windows.batch.values[i];
    scatter->loops[d] = openLoop(&nest[i], scatter->update.dims[d]);
  }
  MlirLogicalResult done = addWindow(scatter, &nest[rank]);
  closeNest(nest, rank);
  return done;
}

//===----------------------------------------------------------------------===//
// At once: apart, and few
//===----------------------------------------------------------------------===//

/// Whether dimension `d` of the updates counts windows of one batch.
static bool countsWindows(const Scatter *scatter, int64_t d) {
  const XlaIndexedWindows *windows = &scatter->windows;
  for (int i = 0; i < windows->batch.size; ++i) {
    if (windows->batch.values[i] != d)
      continue;
    for (int k = 0; k < windows->indexBatching.size; ++k)
      if (windows->indexBatching.values[k] == windows->indexBatch.values[i])
        return false;
    return true;
  }
  return false;
}

/// Loops over all elements of the updates; those that count windows are inner
/// ones of a thread, unless the windows are apart.
static MlirLogicalResult addElements(Scatter *scatter, bool isApart) {
  XlaIr nest[XLA_MAX_RANK + 2] = {scatter->top};
  MlirValue start[XLA_MAX_RANK], isInside = {NULL};
  int rank = scatter->update.rank, depth = 0;
  for (int inner = 0; inner < 2; ++inner)
    for (int d = 0; d < rank; ++d)
      if ((!isApart && countsWindows(scatter, d)) == inner) {
        scatter->loops[d] = openLoop(&nest[depth], scatter->update.dims[d]);
        ++depth;
        if (inner)
          mlirOperationSetAttributeByName(
              mlirBlockGetParentOperation(nest[depth].block),
              mlirStringRefCreateFromCString(XLA_KERNEL_IN_ORDER),
              mlirUnitAttrGet(nest[depth].context));
      }
  if (!depth)
    openLoop(&nest[depth++], 1); // of one element: a thread
  XlaIr *body = &nest[depth], then = *body;
  findStart(scatter, body, start, &isInside);
  if (isInside.ptr)
    xlaIrIf(body, isInside, &then, NULL);
  findPlace(scatter, &then, start);
  MlirLogicalResult done = combine(scatter, &then, start);
  closeNest(nest, depth);
  return done;
}

//===----------------------------------------------------------------------===//
// At once: sorted
//===----------------------------------------------------------------------===//

/// The place that update `k` goes to.
static MlirValue placeOf(Scatter *scatter, XlaIr *ir, MlirValue k) {
  MlirValue at[2] = {k, k};
  MlirValue place = readElement(scatter, ir, scatter->n, at,
                                (int)scatter->windows.vectorDim, 0);
  int bits = xlaElementTypeGetInfo(scatter->indices.elementType)->bits;
  return mlirValueIsNull(place) // any will do
             ? xlaIrConstantInt(
                   ir, mlirIntegerTypeGet(ir->context, (unsigned)bits), 0)
             : place;
}

/// Where the run of updates to `place` ends, which has one before `low`: the
/// first that goes to another place, by bisection.
static MlirValue findEnd(Scatter *scatter, XlaIr *ir, MlirValue place,
                         MlirValue low) {
  XlaIr body;
  int64_t size = scatter->update.dims[0];
  int steps = 0;
  while (INT64_C(1) << steps <= size)
    ++steps;
  MlirValue one = xlaIrConstantIndex(ir, 1);
  MlirValue last = xlaIrConstantIndex(ir, size - 1);
  MlirValue bounds[2] = {low, xlaIrConstantIndex(ir, size)};
  MlirOperation loop =
      xlaIrFor(ir, xlaIrConstantIndex(ir, 0), xlaIrConstantIndex(ir, steps),
               one, 2, bounds, &body);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirValue from = mlirBlockGetArgument(block, 1);
  MlirValue to = mlirBlockGetArgument(block, 2);
  MlirValue half = xlaIrBinary(&body, "arith.shrui",
                               xlaIrBinary(&body, "arith.subi", to, from), one);
  MlirValue middle = xlaIrBinary(&body, "arith.addi", from, half);
  MlirValue other =
      placeOf(scatter, &body, xlaIrBinary(&body, "arith.minui", middle, last));
  MlirValue isOpen = xlaIrCmpI(&body, "ult", from, to);
  MlirValue isSame = xlaIrBinary(&body, "arith.andi", isOpen,
                                 xlaIrCmpI(&body, "eq", other, place));
  MlirValue isOther = xlaIrBinary(&body, "arith.andi", isOpen,
                                  xlaIrCmpI(&body, "ne", other, place));
  MlirValue next[2] = {
      xlaIrSelect(&body, isSame, xlaIrBinary(&body, "arith.addi", middle, one),
                  from),
      xlaIrSelect(&body, isOther, middle, to)};
  xlaIrYield(&body, 2, next);
  return mlirOperationGetResult(loop, 0);
}

/// Writes to `ends` where the run of each update ends that is the first of its
/// place, and 0 for the others and for those that are not inside.
static void findEnds(Scatter *scatter, MlirValue ends) {
  XlaIr nest[2] = {scatter->top}, *body = &nest[1], then;
  MlirValue start[XLA_MAX_RANK], isInside = {NULL};
  MlirValue k = openLoop(nest, scatter->update.dims[0]);
  MlirType i32 = mlirIntegerTypeGet(body->context, 32);
  MlirValue one = xlaIrConstantIndex(body, 1);
  MlirValue zero = xlaIrConstantIndex(body, 0);
  scatter->loops[0] = k;
  xlaIrStore(body, xlaIrConstantInt(body, i32, 0), ends, 1, &k);
  findStart(scatter, body, start, &isInside);
  MlirValue isFirst = xlaIrCmpI(body, "eq", k, zero);
  MlirValue before =
      xlaIrSelect(body, isFirst, zero, xlaIrBinary(body, "arith.subi", k, one));
  MlirValue place = placeOf(scatter, body, k);
  MlirValue differs =
      xlaIrCmpI(body, "ne", placeOf(scatter, body, before), place);
  isFirst = xlaIrBinary(body, "arith.ori", isFirst, differs);
  xlaIrIf(body, xlaIrBinary(body, "arith.andi", isInside, isFirst), &then,
          NULL);
  MlirValue end =
      findEnd(scatter, &then, place, xlaIrBinary(&then, "arith.addi", k, one));
  xlaIrStore(&then, xlaIrCast(&then, "arith.index_cast", end, i32), ends, 1,
             &k);
  closeNest(nest, 1);
}

/// A thread for each first update of a place and each column: what it combines
/// stays in registers.
static MlirLogicalResult addSorted(Scatter *scatter) {
  XlaIr *top = &scatter->top, nest[3], *body = &nest[2], loop, then;
  MlirType i32 = mlirIntegerTypeGet(top->context, 32);
  MlirValue ends = xlaLinalgAlloc(
      top, mlirMemRefTypeContiguousGet(i32, 1, scatter->update.dims,
                                       mlirAttributeGetNull()));
  MlirValue start[XLA_MAX_RANK], values[XLA_MAX_LIST], isInside = {NULL};
  findEnds(scatter, ends);
  nest[0] = *top;
  MlirValue first = openLoop(&nest[0], scatter->update.dims[0]);
  MlirValue column = openLoop(&nest[1], scatter->update.dims[1]);
  MlirValue end =
      xlaIrCast(body, "arith.index_cast", xlaIrLoad(body, ends, 1, &first),
                mlirIndexTypeGet(top->context));
  xlaIrIf(body, xlaIrCmpI(body, "ult", first, end), &then, NULL);
  scatter->loops[0] = first;
  scatter->loops[1] = column;
  findStart(scatter, &then, start, &isInside);
  findPlace(scatter, &then, start);
  loadResults(scatter, &then, start, values);
  MlirOperation sum = xlaIrFor(&then, first, end, xlaIrConstantIndex(&then, 1),
                               scatter->n, values, &loop);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(sum, 0));
  scatter->loops[0] = mlirBlockGetArgument(block, 0);
  for (intptr_t i = 0; i < scatter->n; ++i)
    values[i] = mlirBlockGetArgument(block, 1 + i);
  MlirLogicalResult done = applyUpdate(scatter, &loop, values);
  xlaIrYield(&loop, scatter->n, values);
  for (intptr_t i = 0; i < scatter->n; ++i)
    values[i] = mlirOperationGetResult(sum, i);
  storeResults(scatter, &then, start, values);
  closeNest(nest, 2);
  return done;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

static MlirLogicalResult addAtOnce(Scatter *scatter) {
  switch (xlaScatterGetForm(scatter->kernel->op)) {
  case XlaScatterFormApart:
    return addElements(scatter, true);
  case XlaScatterFormFew:
    return addElements(scatter, false);
  case XlaScatterFormSorted:
    return addSorted(scatter);
  case XlaScatterFormNone:
    break;
  }
  return xlaOpError(scatter->kernel->op, NULL,
                    "should have been written as a sorted one");
}

/// What is read at the same place by all windows is read before the loops.
static MlirLogicalResult writeUpdates(Scatter *scatter) {
  XlaKernel *kernel = scatter->kernel;
  MlirValue first = xlaIrConstantIndex(&kernel->ir, 0);
  scatter->top = kernel->ir;
  kernel->ir.before = mlirOpResultGetOwner(first);
  MlirLogicalResult done = kernel->device && kernel->device->runsAtOnce
                               ? addAtOnce(scatter)
                               : addInOrder(scatter);
  kernel->ir = scatter->top;
  return scatter->failed ? mlirLogicalResultFailure() : done;
}

MlirLogicalResult xlaScatterEmit(XlaKernel *kernel, const MlirValue *results) {
  intptr_t n = mlirOperationGetNumOperands(kernel->op) / 2;
  int64_t count = 0, updates = 0;
  if (n > XLA_MAX_LIST / 2)
    return xlaOpUnsupported(
        kernel->op, NULL, "has %lld inputs, more than the %d that are lowered",
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
  return writeUpdates(&scatter);
}

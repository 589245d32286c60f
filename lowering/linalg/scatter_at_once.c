//===- scatter_at_once.c - Scatters of which all windows are applied at once
//-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where loops run at once, a scatter has one of the forms of
// passes/expand/scatter.h. Of windows that are apart all elements are combined
// at once; of few windows those with the same offset in the same batch one
// after the other; of sorted ones those of the same row, whose ends are found
// first.
//
// A sorted scatter whose inputs are computed, or whose results are worked on,
// goes over all elements of these instead: a table has the first update of each
// row.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/scatter.h"
#include "xlac/passes/expand/scatter.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Apart, and few
//===----------------------------------------------------------------------===//

bool xlaScatterCountsWindows(const XlaScatterLoops *scatter, int64_t d) {
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
static MlirLogicalResult addElements(XlaScatterLoops *scatter, bool isApart) {
  XlaIr nest[XLA_MAX_RANK + 2] = {scatter->top};
  MlirValue start[XLA_MAX_RANK], isInside = {NULL};
  int rank = scatter->update.rank, depth = 0;
  for (int inner = 0; inner < 2; ++inner)
    for (int d = 0; d < rank; ++d)
      if ((!isApart && xlaScatterCountsWindows(scatter, d)) == inner) {
        scatter->loops[d] =
            xlaScatterOpenLoop(&nest[depth], scatter->update.dims[d]);
        ++depth;
        if (inner)
          mlirOperationSetAttributeByName(
              mlirBlockGetParentOperation(nest[depth].block),
              mlirStringRefCreateFromCString(XLA_KERNEL_IN_ORDER),
              mlirUnitAttrGet(nest[depth].context));
      }
  if (!depth)
    xlaScatterOpenLoop(&nest[depth++], 1); // of one element: a thread
  XlaIr *body = &nest[depth], then = *body;
  xlaScatterFindStart(scatter, body, start, &isInside);
  if (isInside.ptr)
    xlaIrIf(body, isInside, &then, NULL);
  xlaScatterFindPlace(scatter, &then, start);
  MlirLogicalResult done = xlaScatterCombine(scatter, &then, start);
  xlaScatterCloseLoops(nest, depth);
  return done;
}

//===----------------------------------------------------------------------===//
// Sorted
//===----------------------------------------------------------------------===//

/// The place that update `k` goes to.
static MlirValue placeOf(XlaScatterLoops *scatter, XlaIr *ir, MlirValue k) {
  MlirValue at[2] = {k, k};
  MlirValue place = xlaScatterReadElement(scatter, ir, scatter->n, at,
                                          (int)scatter->windows.vectorDim, 0);
  int bits = xlaElementTypeGetInfo(scatter->indices.elementType)->bits;
  return mlirValueIsNull(place) // any will do
             ? xlaIrConstantInt(
                   ir, mlirIntegerTypeGet(ir->context, (unsigned)bits), 0)
             : place;
}

/// Where the run of updates to `place` ends, which has one before `low`: the
/// first that goes to another place, by bisection.
static MlirValue findEnd(XlaScatterLoops *scatter, XlaIr *ir, MlirValue place,
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
/// place, and 0 for the others and for those that are not inside; to `heads`,
/// if not null, at each place that has one its first update's number and 1.
static void findEnds(XlaScatterLoops *scatter, MlirValue ends,
                     MlirValue heads) {
  XlaIr nest[2] = {scatter->top}, *body = &nest[1], then;
  MlirValue start[XLA_MAX_RANK], isInside = {NULL};
  MlirValue k = xlaScatterOpenLoop(nest, scatter->update.dims[0]);
  MlirType i32 = mlirIntegerTypeGet(body->context, 32);
  MlirValue one = xlaIrConstantIndex(body, 1);
  MlirValue zero = xlaIrConstantIndex(body, 0);
  scatter->loops[0] = k;
  xlaIrStore(body, xlaIrConstantInt(body, i32, 0), ends, 1, &k);
  xlaScatterFindStart(scatter, body, start, &isInside);
  MlirValue isFirst = xlaIrCmpI(body, "eq", k, zero);
  MlirValue before =
      xlaIrSelect(body, isFirst, zero, xlaIrBinary(body, "arith.subi", k, one));
  MlirValue place = placeOf(scatter, body, k);
  MlirValue differs =
      xlaIrCmpI(body, "ne", placeOf(scatter, body, before), place);
  isFirst = xlaIrBinary(body, "arith.ori", isFirst, differs);
  xlaIrIf(body, xlaIrBinary(body, "arith.andi", isInside, isFirst), &then,
          NULL);
  MlirValue next = xlaIrBinary(&then, "arith.addi", k, one);
  MlirValue end = findEnd(scatter, &then, place, next);
  xlaIrStore(&then, xlaIrCast(&then, "arith.index_cast", end, i32), ends, 1,
             &k);
  if (heads.ptr)
    xlaIrStore(&then, xlaIrCast(&then, "arith.index_cast", next, i32), heads, 1,
               start);
  xlaScatterCloseLoops(nest, 1);
}

/// Memory for a number of each row of an array.
static MlirValue allocateRows(XlaIr *ir, const XlaShape *shape) {
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  return xlaLinalgAlloc(ir, mlirMemRefTypeContiguousGet(
                                i32, 1, shape->dims, mlirAttributeGetNull()));
}

static MlirValue loadNumber(XlaIr *ir, MlirValue from, MlirValue at) {
  return xlaIrCast(ir, "arith.index_cast", xlaIrLoad(ir, from, 1, &at),
                   mlirIndexTypeGet(ir->context));
}

/// Combines `values` with the updates from `first` to `end`, in order.
static MlirLogicalResult applyRun(XlaScatterLoops *scatter, XlaIr *ir,
                                  MlirValue first, MlirValue end,
                                  MlirValue *values) {
  XlaIr loop;
  MlirOperation sum = xlaIrFor(ir, first, end, xlaIrConstantIndex(ir, 1),
                               scatter->n, values, &loop);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(sum, 0));
  scatter->loops[0] = mlirBlockGetArgument(block, 0);
  for (intptr_t i = 0; i < scatter->n; ++i)
    values[i] = mlirBlockGetArgument(block, 1 + i);
  MlirLogicalResult done = xlaScatterApplyUpdate(scatter, &loop, values);
  xlaIrYield(&loop, scatter->n, values);
  for (intptr_t i = 0; i < scatter->n; ++i)
    values[i] = mlirOperationGetResult(sum, i);
  return done;
}

/// A thread for each first update of a place and each column: what it combines
/// stays in registers.
static MlirLogicalResult addSorted(XlaScatterLoops *scatter) {
  XlaIr *top = &scatter->top, nest[3], then;
  MlirValue ends = allocateRows(top, &scatter->update);
  MlirValue start[XLA_MAX_RANK], values[XLA_KERNEL_MAX_VALUES],
      isInside = {NULL};
  int rank = scatter->update.rank;
  findEnds(scatter, ends, (MlirValue){NULL});
  nest[0] = *top;
  for (int d = 0; d < rank; ++d)
    scatter->loops[d] = xlaScatterOpenLoop(&nest[d], scatter->update.dims[d]);
  XlaIr *body = &nest[rank];
  MlirValue first = scatter->loops[0], end = loadNumber(body, ends, first);
  xlaIrIf(body, xlaIrCmpI(body, "ult", first, end), &then, NULL);
  xlaScatterFindStart(scatter, &then, start, &isInside);
  xlaScatterFindPlace(scatter, &then, start);
  xlaScatterLoadResults(scatter, &then, start, values);
  MlirLogicalResult done = applyRun(scatter, &then, first, end, values);
  xlaScatterStoreResults(scatter, &then, start, values);
  xlaScatterCloseLoops(nest, rank);
  return done;
}

//===----------------------------------------------------------------------===//
// Sorted, at all elements
//===----------------------------------------------------------------------===//

static void clear(XlaScatterLoops *scatter, MlirValue heads) {
  XlaIr nest[2] = {scatter->top}, *body = &nest[1];
  MlirValue k = xlaScatterOpenLoop(nest, scatter->input.dims[0]);
  MlirType i32 = mlirIntegerTypeGet(body->context, 32);
  xlaIrStore(body, xlaIrConstantInt(body, i32, 0), heads, 1, &k);
  xlaScatterCloseLoops(nest, 1);
}

/// The updates to row `row`, of which there may be none.
static void findRun(XlaIr *ir, MlirValue heads, MlirValue ends, MlirValue row,
                    MlirValue *first, MlirValue *end) {
  MlirValue one = xlaIrConstantIndex(ir, 1), zero = xlaIrConstantIndex(ir, 0);
  MlirValue head = loadNumber(ir, heads, row);
  MlirValue isNone = xlaIrCmpI(ir, "eq", head, zero);
  *first =
      xlaIrSelect(ir, isNone, zero, xlaIrBinary(ir, "arith.subi", head, one));
  *end = xlaIrSelect(ir, isNone, zero, loadNumber(ir, ends, *first));
}

/// The results' elements at `index`, which become known to the generic.
static MlirLogicalResult addElement(XlaScatterLoops *scatter,
                                    XlaGeneric *generic, const XlaIndex *index,
                                    MlirValue first, MlirValue end) {
  MlirOperation op = scatter->kernel->op;
  MlirValue values[XLA_KERNEL_MAX_VALUES];
  for (intptr_t i = 0; i < scatter->n; ++i) {
    MlirValue operand = xlaScatterOperand(scatter, i);
    values[i] = xlaGenericScalar(generic, operand, index);
    if (mlirValueIsNull(values[i]))
      return mlirLogicalResultFailure();
    XlaElementType from = xlaKernelShapeOf(operand).elementType;
    XlaElementType to = xlaScatterResultType(scatter, i);
    if (from != to)
      values[i] = xlaLowerConvert(&generic->ir, from, to, values[i]);
  }
  MlirLogicalResult done = applyRun(scatter, &generic->ir, first, end, values);
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(done) && i < scatter->n; ++i)
    if (!xlaGenericBind(generic, mlirOperationGetResult(op, i), index,
                        values[i]))
      done = mlirLogicalResultFailure();
  return done;
}

/// All is read at an element before that is written: results may lie where
/// operands do.
static MlirLogicalResult writeElement(XlaScatterLoops *scatter, XlaIr *body,
                                      const MlirValue *at, MlirValue first,
                                      MlirValue end, intptr_t n,
                                      const MlirValue *values) {
  XlaGeneric generic;
  XlaIndex index;
  MlirLogicalResult done = mlirLogicalResultSuccess();
  MlirValue *scalars = malloc(((size_t)n + 1) * sizeof *scalars);
  if (!scalars)
    return xlaKernelNoMemory(scatter->kernel);
  xlaGenericBeginOutside(&generic, scatter->kernel);
  generic.ir = *body;
  xlaIndexBegin(&index);
  for (int d = 0; d < scatter->input.rank; ++d) {
    MlirAffineExpr expr =
        xlaIndexExprVariable(&generic, at[d], scatter->input.dims[d] - 1);
    if (mlirAffineExprIsNull(expr))
      done = mlirLogicalResultFailure();
    else
      xlaIndexAppendExpr(&index, expr);
  }
  if (mlirLogicalResultIsSuccess(done))
    done = addElement(scatter, &generic, &index, first, end);
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(done) && i < n; ++i) {
    scalars[i] = xlaGenericScalar(&generic, values[i], &index);
    if (mlirValueIsNull(scalars[i]))
      done = mlirLogicalResultFailure();
  }
  for (intptr_t i = 0; mlirLogicalResultIsSuccess(done) && i < n; ++i) {
    XlaElementType type = xlaKernelShapeOf(values[i]).elementType;
    xlaIrStore(&generic.ir, xlaScalarToMemory(&generic.ir, type, scalars[i]),
               scatter->results[i], scatter->input.rank, at);
  }
  *body = generic.ir;
  free(scalars);
  xlaGenericFree(&generic);
  return done;
}

/// A table of each place's first update is cleared and filled; then there is a
/// thread for each element of the inputs.
MlirLogicalResult xlaScatterAddToAll(XlaScatterLoops *scatter, intptr_t nValues,
                                     const MlirValue *values) {
  XlaIr *top = &scatter->top, nest[3];
  MlirValue ends = allocateRows(top, &scatter->update);
  MlirValue heads = allocateRows(top, &scatter->input);
  MlirValue at[2], first, end;
  int rank = scatter->input.rank;
  clear(scatter, heads);
  findEnds(scatter, ends, heads);
  nest[0] = *top;
  for (int d = 0; d < rank; ++d)
    scatter->loops[d] = at[d] =
        xlaScatterOpenLoop(&nest[d], scatter->input.dims[d]);
  XlaIr *body = &nest[rank];
  findRun(body, heads, ends, at[0], &first, &end);
  MlirLogicalResult done =
      writeElement(scatter, body, at, first, end, nValues, values);
  xlaScatterCloseLoops(nest, rank);
  return done;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaScatterAddAtOnce(XlaScatterLoops *scatter) {
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

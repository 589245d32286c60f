//===- pivoted_qr.c - Factors of matrices whose columns are exchanged -----===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As qr.c without panels: which column comes next depends on what is left of
// all of them.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "xlac/passes/import/lapack/matrices.h"
#include "xlac/passes/import/lapack/reflection.h"

/// What the loop keeps: the column's number, matrices [b, m, n], factors, and
/// the numbers of columns, [b, n].
enum { stateColumn, stateMatrix, stateFactors, statePlaces, stateCount };

/// The first column from k on that has the longest rest from row k on, [b].
static MlirValue findPivot(XlaIr *ir, MlirValue a, MlirValue k) {
  MlirValue scale = xlaMatrixLargest(ir, a);
  MlirValue squares = xlaMatrixSquares(
      ir,
      xlaIrBinary(ir, "xla.divide", a,
                  xlaMatrixAlong(ir, xlaMatrixFromReal(ir, scale, a), a, 0)));
  MlirValue zeros = xlaMatrixNumber(ir, squares, 0);
  MlirValue lengths =
      xlaArraySum(ir,
                  xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GE", squares, 1, k),
                                 squares, zeros),
                  2);
  XlaShape shape = xlaArrayShape(lengths);
  lengths = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GE", lengths, 1, k),
                           lengths, xlaMatrixNumber(ir, lengths, -1));
  MlirValue most = xlaArrayReduce(ir, "xla.maximum", lengths,
                                  xlaArrayNumber(ir, shape.elementType, -1), 2);
  MlirValue isMost =
      xlaArrayCompare(ir, "EQ", lengths, xlaMatrixAlong(ir, most, lengths, 0));
  MlirValue place = xlaArrayIota(ir, XlaElementTypeS32, 2, shape.dims, 1);
  MlirValue none = xlaArrayInteger(ir, place, (uint64_t)shape.dims[1]);
  MlirValue first = xlaArrayReduce(
      ir, "xla.minimum", xlaArraySelect(ir, isMost, place, none),
      xlaArrayNumber(ir, XlaElementTypeS32, (double)shape.dims[1]), 2);
  // NaN is no length.
  MlirValue isNone = xlaArrayCompare(
      ir, "EQ", first, xlaArrayInteger(ir, first, (uint64_t)shape.dims[1]));
  return xlaArraySelect(ir, isNone, xlaArraySplat(ir, k, first), first);
}

/// `a`, [b, .., n], with places k and `pivot` of its last dimension exchanged.
static MlirValue exchange(XlaIr *ir, MlirValue a, MlirValue k,
                          MlirValue pivot) {
  XlaShape shape = xlaArrayShape(a);
  int last = shape.rank - 1;
  MlirValue place =
      xlaArrayIota(ir, XlaElementTypeS32, shape.rank, shape.dims, last);
  MlirValue isK = xlaArrayCompare(ir, "EQ", place, xlaArraySplat(ir, k, place));
  MlirValue isPivot =
      xlaArrayCompare(ir, "EQ", place, xlaMatrixAlong(ir, pivot, place, 0));
  MlirValue zeros =
      xlaArraySplat(ir, xlaArrayNumber(ir, shape.elementType, 0), a);
  int64_t kept[] = {0, 1};
  MlirValue atK =
      xlaArraySum(ir, xlaArraySelect(ir, isK, a, zeros), UINT32_C(1) << last);
  MlirValue atPivot = xlaArraySum(ir, xlaArraySelect(ir, isPivot, a, zeros),
                                  UINT32_C(1) << last);
  atK = xlaArrayBroadcast(ir, atK, shape.rank, shape.dims, kept);
  atPivot = xlaArrayBroadcast(ir, atPivot, shape.rank, shape.dims, kept);
  return xlaArraySelect(ir, isK, atPivot, xlaArraySelect(ir, isPivot, atK, a));
}

static void columnStep(XlaIr *ir, MlirValue *state, void *user) {
  (void)user;
  MlirValue k = state[stateColumn], a = state[stateMatrix];
  MlirValue pivot = findPivot(ir, a, k);
  a = exchange(ir, a, k, pivot);
  state[statePlaces] = exchange(ir, state[statePlaces], k, pivot);
  XlaShape shape = xlaArrayShape(a);
  MlirValue column =
      xlaArrayReshape(ir, xlaMatrixWindow(ir, a, 2, k, 1), 2, shape.dims);
  XlaReflection found = xlaReflectionFind(ir, column, k);
  MlirValue v = xlaReflectionVector(ir, &found, k);
  a = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GT", a, 2, k),
                     xlaReflectionApply(ir, a, v, found.tau), a);
  state[stateMatrix] = xlaReflectionStore(ir, &found, a, k, k);
  state[stateFactors] =
      xlaReflectionSetFactor(ir, &found, state[stateFactors], k);
  state[stateColumn] = xlaMatrixAdd(ir, k, 1);
}

void xlaLapackPivotedQr(XlaIr *ir, MlirValue a, MlirValue results[3]) {
  XlaShape shape = xlaArrayShape(a);
  MlirValue matrix = xlaMatrixBatch(ir, a);
  XlaShape batch = xlaArrayShape(matrix);
  int64_t m = batch.dims[1], n = batch.dims[2], steps = m < n ? m : n;
  int64_t factors[2] = {batch.dims[0], steps}, places[2] = {batch.dims[0], n};
  MlirValue numbers = xlaArrayIota(ir, XlaElementTypeS32, 2, places, 1);
  MlirValue state[stateCount] = {
      xlaArrayNumber(ir, XlaElementTypeS32, 0), matrix,
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0), 2,
                        factors, NULL),
      xlaIrBinary(ir, "xla.add", numbers, xlaArrayInteger(ir, numbers, 1))};
  XlaLoop columns = {stateCount, NULL, columnStep, NULL, steps};
  if (batch.dims[0] && steps)
    xlaLoopRun(ir, &columns, state);
  results[0] = xlaArrayReshape(ir, state[stateMatrix], shape.rank, shape.dims);
  shape.dims[shape.rank - 2] = n;
  results[1] =
      xlaArrayReshape(ir, state[statePlaces], shape.rank - 1, shape.dims);
  shape.dims[shape.rank - 2] = steps;
  results[2] =
      xlaArrayReshape(ir, state[stateFactors], shape.rank - 1, shape.dims);
}

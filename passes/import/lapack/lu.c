//===- lu.c - Factors by Gaussian elimination -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over columns, on all matrices of a batch at once: the row of the pivot
// comes to row k, the column below the pivot is divided by it, and the rest
// loses the product of that column and row k. Of large matrices that is done in
// panels of some columns, which go to the rest by a triangular system and a
// product. Panels end at multiples of their width: zeros fill the last up,
// which are no pivots.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "xlac/passes/import/lapack/matrices.h"

enum { panelWidth = 32 };

/// What loops keep: the column's number in the panel, or the panel's first
/// column in the matrix; matrices [b, m, n] or panels of them; pivots [b,
/// min(m, n)]; failures [b]; and the places of rows before, [b, m, 1].
enum { stateColumn, stateMatrix, statePivots, stateFailure, stateRows };
enum { stateCount = stateRows + 1 };

typedef struct Lu {
  int64_t least;   ///< columns with pivots
  int64_t width;   ///< of a panel
  MlirValue first; ///< the first row and column of the panel, s32
} Lu;

static MlirValue zeroOf(XlaIr *ir, MlirValue like) {
  return xlaMatrixNumber(ir, like, 0);
}

/// The row of the pivot, [b]: the first from row k on whose magnitude is the
/// largest, k itself if there is NaN. `column` is [b, m].
static MlirValue findPivot(XlaIr *ir, MlirValue column, MlirValue k) {
  int64_t m = xlaArrayShape(column).dims[1];
  MlirValue size = xlaIrUnary(ir, "xla.abs", xlaMatrixReal(ir, column));
  if (xlaMatrixIsComplex(column))
    size =
        xlaIrBinary(ir, "xla.add", size,
                    xlaIrUnary(ir, "xla.abs", xlaMatrixImaginary(ir, column)));
  MlirValue none = xlaMatrixNumber(ir, size, -1);
  size = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GE", size, 1, k), size, none);
  MlirValue most = xlaArrayReduce(
      ir, "xla.maximum", size,
      xlaArrayNumber(ir, xlaArrayShape(size).elementType, -1), 2);
  MlirValue isMost =
      xlaArrayCompare(ir, "EQ", size, xlaMatrixAlong(ir, most, size, 0));
  XlaShape shape = xlaArrayShape(size);
  MlirValue place =
      xlaArrayIota(ir, XlaElementTypeS32, shape.rank, shape.dims, 1);
  place = xlaArraySelect(ir, isMost, place,
                         xlaArrayInteger(ir, place, (uint64_t)m));
  MlirValue first =
      xlaArrayReduce(ir, "xla.minimum", place,
                     xlaArrayNumber(ir, XlaElementTypeS32, (double)m), 2);
  MlirValue isNone =
      xlaArrayCompare(ir, "EQ", first, xlaArrayInteger(ir, first, (uint64_t)m));
  return xlaArraySelect(ir, isNone, xlaArraySplat(ir, k, first), first);
}

/// Where rows come from when rows k and `pivot` are exchanged, [b, m].
static MlirValue exchange(XlaIr *ir, MlirValue column, MlirValue k,
                          MlirValue pivot) {
  XlaShape shape = xlaArrayShape(column);
  MlirValue row = xlaArrayIota(ir, XlaElementTypeS32, 2, shape.dims, 1);
  MlirValue p = xlaMatrixAlong(ir, pivot, column, 0);
  MlirValue isPivot = xlaArrayCompare(ir, "EQ", row, p);
  return xlaArraySelect(
      ir, xlaMatrixIndexIs(ir, "EQ", column, 1, k), p,
      xlaArraySelect(ir, isPivot, xlaArraySplat(ir, k, row), row));
}

/// Column j of [b, m, n] as [b, m], or row k as [b, n].
static MlirValue takeOne(XlaIr *ir, MlirValue a, int dimension, MlirValue at) {
  MlirValue one = xlaMatrixWindow(ir, a, dimension, at, 1);
  XlaShape shape = xlaArrayShape(one);
  int64_t dims[] = {shape.dims[0], shape.dims[3 - dimension]};
  return xlaArrayReshape(ir, one, 2, dims);
}

/// The panel after the step at row k and column j, and where the pivot is zero,
/// [b].
static MlirValue eliminate(XlaIr *ir, MlirValue a, MlirValue k, MlirValue j,
                           MlirValue *isZero) {
  MlirValue column = takeOne(ir, a, 2, j), row = takeOne(ir, a, 1, k);
  MlirValue pivot =
      xlaArraySum(ir,
                  xlaArraySelect(ir, xlaMatrixIndexIs(ir, "EQ", column, 1, k),
                                 column, zeroOf(ir, column)),
                  2);
  *isZero = xlaArrayCompare(ir, "EQ", pivot, zeroOf(ir, pivot));
  MlirValue quotients = xlaIrBinary(ir, "xla.divide", column,
                                    xlaMatrixAlong(ir, pivot, column, 0));
  quotients = xlaArraySelect(ir, xlaMatrixAlong(ir, *isZero, column, 0), column,
                             quotients);
  MlirValue below = xlaMatrixAlong(ir, quotients, a, 1);
  MlirValue product =
      xlaIrBinary(ir, "xla.multiply", below, xlaMatrixAlong(ir, row, a, 2));
  MlirValue reduced = xlaIrBinary(ir, "xla.subtract", a, product);
  MlirValue isBelow = xlaMatrixIndexIs(ir, "GT", a, 1, k);
  MlirValue inRest =
      xlaIrBinary(ir, "xla.and", isBelow, xlaMatrixIndexIs(ir, "GT", a, 2, j));
  MlirValue inColumn =
      xlaIrBinary(ir, "xla.and", isBelow, xlaMatrixIndexIs(ir, "EQ", a, 2, j));
  a = xlaArraySelect(ir, inRest, reduced, a);
  return xlaArraySelect(ir, inColumn, below, a);
}

/// One column of a panel.
static void columnStep(XlaIr *ir, MlirValue *state, void *user) {
  Lu *lu = user;
  MlirValue j = state[stateColumn];
  MlirValue k = xlaIrBinary(ir, "xla.add", lu->first, j);
  MlirValue column = takeOne(ir, state[stateMatrix], 2, j);
  MlirValue pivot = findPivot(ir, column, k);
  MlirValue from = exchange(ir, column, k, pivot), isZero;
  state[statePivots] = xlaArraySelect(
      ir, xlaMatrixIndexIs(ir, "EQ", state[statePivots], 1, k),
      xlaMatrixAlong(ir, xlaMatrixAdd(ir, pivot, 1), state[statePivots], 0),
      state[statePivots]);
  state[stateRows] = xlaMatrixTakeRows(ir, state[stateRows], from);
  state[stateMatrix] = eliminate(
      ir, xlaMatrixTakeRows(ir, state[stateMatrix], from), k, j, &isZero);
  MlirValue failure = state[stateFailure];
  MlirValue isFirst =
      xlaIrBinary(ir, "xla.and", isZero,
                  xlaArrayCompare(ir, "EQ", failure, zeroOf(ir, failure)));
  MlirValue next = xlaMatrixAdd(ir, k, 1);
  state[stateFailure] =
      xlaArraySelect(ir, isFirst, xlaArraySplat(ir, next, failure), failure);
  state[stateColumn] = xlaMatrixAdd(ir, j, 1);
}

/// Columns that are left of the panel, and of the matrix.
static MlirValue hasColumns(XlaIr *ir, const MlirValue *state, void *user) {
  Lu *lu = user;
  MlirValue j = state[stateColumn];
  MlirValue k = xlaIrBinary(ir, "xla.add", lu->first, j);
  return xlaIrBinary(
      ir, "xla.and",
      xlaArrayCompare(ir, "LT", j, xlaArrayInteger(ir, j, (uint64_t)lu->width)),
      xlaArrayCompare(ir, "LT", k,
                      xlaArrayInteger(ir, k, (uint64_t)lu->least)));
}

static MlirValue iotaRows(XlaIr *ir, MlirValue a) {
  XlaShape shape = xlaArrayShape(a);
  shape.dims[2] = 1;
  return xlaArrayIota(ir, XlaElementTypeS32, 3, shape.dims, 1);
}

/// Makes the columns from lu->first on factors.
static void factorPanel(XlaIr *ir, Lu *lu, MlirValue *state) {
  XlaLoop columns = {stateCount, hasColumns, columnStep, lu, 0};
  state[stateColumn] = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  xlaLoopRun(ir, &columns, state);
}

/// The same for a panel of the matrix, and what follows for the columns behind.
static void panelStep(XlaIr *ir, MlirValue *state, void *user) {
  Lu lu = *(const Lu *)user;
  MlirValue k = state[stateColumn], a = state[stateMatrix];
  MlirValue inner[stateCount] = {{NULL},
                                 xlaMatrixWindow(ir, a, 2, k, lu.width),
                                 state[statePivots],
                                 state[stateFailure],
                                 iotaRows(ir, a)};
  lu.first = k;
  factorPanel(ir, &lu, inner);
  MlirValue panel = inner[stateMatrix];
  XlaShape shape = xlaArrayShape(a);
  MlirValue from = xlaArrayReshape(ir, inner[stateRows], 2, shape.dims);
  state[stateRows] = xlaMatrixTakeRows(ir, state[stateRows], from);
  a = xlaMatrixSetWindow(ir, xlaMatrixTakeRows(ir, a, from), 2, k, panel);
  MlirValue next = xlaMatrixAdd(ir, k, lu.width);
  MlirValue rows = xlaMatrixWindow(ir, a, 1, k, lu.width);
  MlirValue solved = xlaMatrixSolveUnit(
      ir, xlaMatrixWindow(ir, panel, 1, k, lu.width), true, rows);
  rows = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GE", rows, 2, next), solved,
                        rows);
  a = xlaMatrixSetWindow(ir, a, 1, k, rows);
  MlirValue reduced = xlaIrBinary(ir, "xla.subtract", a,
                                  xlaMatrixProduct(ir, panel, 2, rows, 1));
  MlirValue isBehind =
      xlaIrBinary(ir, "xla.and", xlaMatrixIndexIs(ir, "GE", a, 1, next),
                  xlaMatrixIndexIs(ir, "GE", a, 2, next));
  state[stateMatrix] = xlaArraySelect(ir, isBehind, reduced, a);
  state[statePivots] = inner[statePivots];
  state[stateFailure] = inner[stateFailure];
  state[stateColumn] = next;
}

/// How much is missing to a multiple of the width.
static int64_t missing(int64_t size, int64_t width) {
  return (width - size % width) % width;
}

static void factor(XlaIr *ir, Lu *lu, MlirValue *state) {
  XlaShape shape = xlaArrayShape(state[stateMatrix]);
  lu->first = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  if (lu->least <= panelWidth) {
    lu->width = shape.dims[2];
    factorPanel(ir, lu, state);
    return;
  }
  lu->width = panelWidth;
  int64_t rows = missing(shape.dims[1], lu->width);
  XlaLoop panels = {stateCount, NULL, panelStep, lu, lu->least};
  state[stateMatrix] = xlaMatrixPad(ir, state[stateMatrix], rows,
                                    missing(shape.dims[2], lu->width));
  state[stateRows] = iotaRows(ir, state[stateMatrix]);
  xlaLoopRun(ir, &panels, state);
  for (int d = 1; d < 3; ++d)
    state[stateMatrix] =
        xlaMatrixPart(ir, state[stateMatrix], d, 0, shape.dims[d]);
  state[stateRows] = xlaMatrixPart(ir, state[stateRows], 1, 0, shape.dims[1]);
}

void xlaLapackLu(XlaIr *ir, MlirValue a, MlirValue results[4]) {
  XlaShape shape = xlaArrayShape(a);
  MlirValue matrix = xlaMatrixBatch(ir, a);
  XlaShape batch = xlaArrayShape(matrix);
  int64_t m = batch.dims[1], n = batch.dims[2];
  Lu lu = {.least = m < n ? m : n};
  int64_t pivots[2] = {batch.dims[0], lu.least};
  MlirValue zero = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  MlirValue state[stateCount] = {
      zero, matrix, xlaArrayBroadcast(ir, zero, 2, pivots, NULL),
      xlaArrayBroadcast(ir, zero, 1, pivots, NULL), iotaRows(ir, matrix)};
  if (batch.dims[0] && lu.least)
    factor(ir, &lu, state);
  results[0] = xlaArrayReshape(ir, state[stateMatrix], shape.rank, shape.dims);
  results[3] =
      xlaArrayReshape(ir, state[stateRows], shape.rank - 1, shape.dims);
  shape.dims[shape.rank - 2] = lu.least;
  results[1] =
      xlaArrayReshape(ir, state[statePivots], shape.rank - 1, shape.dims);
  results[2] =
      xlaArrayReshape(ir, state[stateFailure], shape.rank - 2, shape.dims);
}

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
// As sizes are static, all panels change all of a matrix. So larger ones are
// made of a few blocks of columns, each with code of its own, behind which less
// and less is left.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "xlac/passes/import/lapack/matrices.h"

enum {
  panelWidth = 32,
  blockWidth = 256, ///< at least
  maxBlocks = 4,
};

/// What loops keep: the column's number in the panel, or the panel's first
/// column in the matrix; matrices [b, m, n] or panels of them; pivots [b,
/// min(m, n)]; failures [b]; and of rows, [b, m], in panels the places to which
/// they go, else those from which they come.
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

/// The place of the pivot, [b]: the first from k on whose magnitude is the
/// largest, k itself if there is NaN. `column` and `place` are [b, m].
static MlirValue findPivot(XlaIr *ir, MlirValue column, MlirValue place,
                           MlirValue k) {
  int64_t m = xlaArrayShape(column).dims[1];
  MlirValue size = xlaIrUnary(ir, "xla.abs", xlaMatrixReal(ir, column));
  if (xlaMatrixIsComplex(column))
    size =
        xlaIrBinary(ir, "xla.add", size,
                    xlaIrUnary(ir, "xla.abs", xlaMatrixImaginary(ir, column)));
  MlirValue none = xlaMatrixNumber(ir, size, -1);
  size = xlaArraySelect(
      ir, xlaArrayCompare(ir, "GE", place, xlaArraySplat(ir, k, place)), size,
      none);
  MlirValue most = xlaArrayReduce(
      ir, "xla.maximum", size,
      xlaArrayNumber(ir, xlaArrayShape(size).elementType, -1), 2);
  MlirValue isMost =
      xlaArrayCompare(ir, "EQ", size, xlaMatrixAlong(ir, most, size, 0));
  MlirValue places = xlaArraySelect(ir, isMost, place,
                                    xlaArrayInteger(ir, place, (uint64_t)m));
  MlirValue first =
      xlaArrayReduce(ir, "xla.minimum", places,
                     xlaArrayNumber(ir, XlaElementTypeS32, (double)m), 2);
  MlirValue isNone =
      xlaArrayCompare(ir, "EQ", first, xlaArrayInteger(ir, first, (uint64_t)m));
  return xlaArraySelect(ir, isNone, xlaArraySplat(ir, k, first), first);
}

/// Places of rows when those at k and `pivot` are exchanged.
static MlirValue exchange(XlaIr *ir, MlirValue place, MlirValue k,
                          MlirValue pivot) {
  MlirValue from = xlaArraySplat(ir, k, place);
  MlirValue to = xlaMatrixAlong(ir, pivot, place, 0);
  return xlaArraySelect(
      ir, xlaArrayCompare(ir, "EQ", place, to), from,
      xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", place, from), to, place));
}

/// The row at place k, [b, n].
static MlirValue rowAt(XlaIr *ir, MlirValue a, MlirValue place, MlirValue k) {
  XlaShape shape = xlaArrayShape(place), matrix = xlaArrayShape(a);
  MlirValue number = xlaArrayIota(ir, XlaElementTypeS32, 2, shape.dims, 1);
  MlirValue isHere =
      xlaArrayCompare(ir, "EQ", place, xlaArraySplat(ir, k, place));
  number = xlaArraySum(
      ir, xlaArraySelect(ir, isHere, number, xlaArrayInteger(ir, number, 0)),
      2);
  int64_t one[] = {shape.dims[0], 1};
  int64_t dims[] = {matrix.dims[0], matrix.dims[2]};
  return xlaArrayReshape(
      ir, xlaMatrixTakeRows(ir, a, xlaArrayReshape(ir, number, 2, one)), 2,
      dims);
}

/// The panel after the step at column j, whose pivot is in `row`; where that is
/// zero, [b], it is not divided by.
static MlirValue eliminate(XlaIr *ir, MlirValue a, MlirValue column,
                           MlirValue row, MlirValue isBelow, MlirValue j,
                           MlirValue *isZero) {
  XlaShape shape = xlaArrayShape(row);
  MlirValue pivot =
      xlaArrayReshape(ir, xlaMatrixWindow(ir, row, 1, j, 1), 1, shape.dims);
  *isZero = xlaArrayCompare(ir, "EQ", pivot, zeroOf(ir, pivot));
  MlirValue quotients = xlaIrBinary(ir, "xla.divide", column,
                                    xlaMatrixAlong(ir, pivot, column, 0));
  quotients = xlaArraySelect(ir, xlaMatrixAlong(ir, *isZero, column, 0), column,
                             quotients);
  MlirValue below = xlaMatrixAlong(ir, quotients, a, 1);
  MlirValue product =
      xlaIrBinary(ir, "xla.multiply", below, xlaMatrixAlong(ir, row, a, 2));
  MlirValue next =
      xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GT", a, 2, j),
                     xlaIrBinary(ir, "xla.subtract", a, product), a);
  next = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "EQ", a, 2, j), below, next);
  return xlaArraySelect(ir, xlaMatrixAlong(ir, isBelow, a, 1), next, a);
}

/// One column of a panel.
static void columnStep(XlaIr *ir, MlirValue *state, void *user) {
  Lu *lu = user;
  MlirValue j = state[stateColumn], a = state[stateMatrix], isZero;
  MlirValue k = xlaIrBinary(ir, "xla.add", lu->first, j);
  XlaShape shape = xlaArrayShape(a);
  MlirValue column =
      xlaArrayReshape(ir, xlaMatrixWindow(ir, a, 2, j, 1), 2, shape.dims);
  MlirValue pivot = findPivot(ir, column, state[stateRows], k);
  MlirValue place = exchange(ir, state[stateRows], k, pivot);
  state[statePivots] = xlaArraySelect(
      ir, xlaMatrixIndexIs(ir, "EQ", state[statePivots], 1, k),
      xlaMatrixAlong(ir, xlaMatrixAdd(ir, pivot, 1), state[statePivots], 0),
      state[statePivots]);
  state[stateRows] = place;
  MlirValue isBelow =
      xlaArrayCompare(ir, "GT", place, xlaArraySplat(ir, k, place));
  state[stateMatrix] =
      eliminate(ir, a, column, rowAt(ir, a, place, k), isBelow, j, &isZero);
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

/// The places where rows are, [b, m].
static MlirValue presentRows(XlaIr *ir, MlirValue a) {
  XlaShape shape = xlaArrayShape(a);
  return xlaArrayIota(ir, XlaElementTypeS32, 2, shape.dims, 1);
}

/// Makes the columns from lu->first on factors; state[stateRows] says from
/// where rows come then.
static void factorPanel(XlaIr *ir, Lu *lu, MlirValue *state) {
  XlaLoop columns = {stateCount, hasColumns, columnStep, lu, 0};
  state[stateColumn] = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  state[stateRows] = presentRows(ir, state[stateMatrix]);
  xlaLoopRun(ir, &columns, state);
  state[stateRows] = xlaMatrixInverse(ir, state[stateRows]);
  state[stateMatrix] =
      xlaMatrixTakeRows(ir, state[stateMatrix], state[stateRows]);
}

/// [b, m] at the places [b, m].
static MlirValue takeAt(XlaIr *ir, MlirValue x, MlirValue places) {
  XlaShape shape = xlaArrayShape(x);
  int64_t column[] = {shape.dims[0], shape.dims[1], 1};
  x = xlaMatrixTakeRows(ir, xlaArrayReshape(ir, x, 3, column), places);
  return xlaArrayReshape(ir, x, 2, shape.dims);
}

/// The same for a panel of the matrix, and what follows for the columns behind.
static void panelStep(XlaIr *ir, MlirValue *state, void *user) {
  Lu lu = *(const Lu *)user;
  MlirValue k = state[stateColumn], a = state[stateMatrix];
  MlirValue inner[stateCount] = {{NULL},
                                 xlaMatrixWindow(ir, a, 2, k, lu.width),
                                 state[statePivots],
                                 state[stateFailure],
                                 {NULL}};
  lu.first = k;
  factorPanel(ir, &lu, inner);
  MlirValue panel = inner[stateMatrix];
  MlirValue from = inner[stateRows], rows = state[stateRows];
  state[stateRows] = takeAt(ir, rows, from);
  a = xlaMatrixSetWindow(ir, xlaMatrixTakeRows(ir, a, from), 2, k, panel);
  MlirValue next = xlaMatrixAdd(ir, k, lu.width);
  rows = xlaMatrixWindow(ir, a, 1, k, lu.width);
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

/// The factors of columns that have pivots.
static void factorBlock(XlaIr *ir, Lu *lu, MlirValue *state) {
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
  state[stateRows] = presentRows(ir, state[stateMatrix]);
  xlaLoopRun(ir, &panels, state);
  for (int d = 1; d < 3; ++d)
    state[stateMatrix] =
        xlaMatrixPart(ir, state[stateMatrix], d, 0, shape.dims[d]);
  state[stateRows] = xlaMatrixPart(ir, state[stateRows], 1, 0, shape.dims[1]);
}

/// What `factorBlock` and others begin with.
static void begin(XlaIr *ir, MlirValue a, int64_t least, MlirValue *state) {
  int64_t pivots[2] = {xlaArrayShape(a).dims[0], least};
  MlirValue zero = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  state[stateColumn] = zero;
  state[stateMatrix] = a;
  state[statePivots] = xlaArrayBroadcast(ir, zero, 2, pivots, NULL);
  state[stateFailure] = xlaArrayBroadcast(ir, zero, 1, pivots, NULL);
  state[stateRows] = presentRows(ir, a);
}

/// Arrays that are joined in the end, or parts of rows.
typedef struct Pieces {
  MlirValue all[maxBlocks + 1];
  int n;
} Pieces;

static void addPiece(Pieces *pieces, MlirValue a, int dimension) {
  if (xlaArrayShape(a).dims[dimension])
    pieces->all[pieces->n++] = a;
}

static MlirValue joined(XlaIr *ir, Pieces *pieces, int dimension) {
  return xlaArrayConcatenate(ir, pieces->n, pieces->all, dimension);
}

/// The rows of a block's pivots, and what is left below them, of all columns:
/// those before column `from`, the block's, and those behind.
static void finishBlock(XlaIr *ir, MlirValue block, int64_t from,
                        MlirValue *rest, MlirValue *done) {
  XlaShape shape = xlaArrayShape(*rest);
  int64_t m = shape.dims[1], n = shape.dims[2];
  int64_t width = xlaArrayShape(block).dims[2];
  Pieces top = {.n = 0}, below = {.n = 0};
  MlirValue before = xlaMatrixPart(ir, *rest, 2, 0, from);
  MlirValue behind = xlaMatrixPart(ir, *rest, 2, from + width, n);
  addPiece(&top, xlaMatrixPart(ir, before, 1, 0, width), 2);
  addPiece(&below, xlaMatrixPart(ir, before, 1, width, m), 2);
  MlirValue triangle = xlaMatrixPart(ir, block, 1, 0, width);
  MlirValue quotients = xlaMatrixPart(ir, block, 1, width, m);
  addPiece(&top, triangle, 2);
  addPiece(&below, quotients, 2);
  if (n > from + width) {
    MlirValue solved = xlaMatrixSolveUnit(
        ir, triangle, true, xlaMatrixPart(ir, behind, 1, 0, width));
    MlirValue product = xlaMatrixProduct(ir, quotients, 2, solved, 1);
    addPiece(&top, solved, 2);
    addPiece(&below,
             xlaIrBinary(ir, "xla.subtract",
                         xlaMatrixPart(ir, behind, 1, width, m), product),
             2);
  }
  *done = joined(ir, &top, 2);
  *rest = joined(ir, &below, 2);
}

/// The first failure of all: one before, or that of a block at column `from`.
static MlirValue firstFailure(XlaIr *ir, MlirValue before, MlirValue failure,
                              int64_t from) {
  MlirValue zero = zeroOf(ir, failure);
  MlirValue isFirst =
      xlaIrBinary(ir, "xla.and", xlaArrayCompare(ir, "EQ", before, zero),
                  xlaArrayCompare(ir, "NE", failure, zero));
  return xlaArraySelect(ir, isFirst, xlaMatrixAdd(ir, failure, from), before);
}

/// Blocks are as high as the first one, or as the one in the middle, so that
/// they share code.
static void factorBlocks(XlaIr *ir, int64_t least, int64_t width,
                         MlirValue *state) {
  Pieces rows = {.n = 0}, order = {.n = 0}, pivots = {.n = 0};
  MlirValue rest = state[stateMatrix], restOrder = state[stateRows];
  int64_t height = xlaArrayShape(rest).dims[1];
  int64_t half = (least / width + 1) / 2 * width;
  for (int64_t from = 0; from < least; from += width) {
    MlirValue block[stateCount], done;
    Lu lu = {.least = least - from < width ? least - from : width};
    MlirValue columns = xlaMatrixPart(ir, rest, 2, from, from + lu.least);
    int64_t m = height - from, full = from < half ? height : height - half;
    begin(ir, xlaMatrixPad(ir, columns, full - m, 0), lu.least, block);
    factorBlock(ir, &lu, block);
    MlirValue places = xlaMatrixPart(ir, block[stateRows], 1, 0, m);
    rest = xlaMatrixTakeRows(ir, rest, places);
    finishBlock(ir, xlaMatrixPart(ir, block[stateMatrix], 1, 0, m), from, &rest,
                &done);
    restOrder = takeAt(ir, restOrder, places);
    addPiece(&rows, done, 1);
    addPiece(&order, xlaMatrixPart(ir, restOrder, 1, 0, lu.least), 1);
    addPiece(&pivots, xlaMatrixAdd(ir, block[statePivots], from), 1);
    restOrder = xlaMatrixPart(ir, restOrder, 1, lu.least, m);
    state[stateFailure] =
        firstFailure(ir, state[stateFailure], block[stateFailure], from);
  }
  addPiece(&rows, rest, 1);
  addPiece(&order, restOrder, 1);
  state[stateMatrix] = joined(ir, &rows, 1);
  state[stateRows] = joined(ir, &order, 1);
  state[statePivots] = joined(ir, &pivots, 1);
}

static void factor(XlaIr *ir, int64_t least, MlirValue *state) {
  int64_t width = (least + maxBlocks - 1) / maxBlocks;
  width += missing(width, panelWidth);
  width = width < blockWidth ? blockWidth : width;
  Lu lu = {.least = least};
  if (least <= width)
    factorBlock(ir, &lu, state);
  else
    factorBlocks(ir, least, width, state);
}

void xlaLapackLu(XlaIr *ir, MlirValue a, MlirValue results[4]) {
  XlaShape shape = xlaArrayShape(a);
  MlirValue matrix = xlaMatrixBatch(ir, a);
  XlaShape batch = xlaArrayShape(matrix);
  int64_t m = batch.dims[1], n = batch.dims[2];
  int64_t least = m < n ? m : n;
  MlirValue state[stateCount];
  begin(ir, matrix, least, state);
  if (batch.dims[0] && least)
    factor(ir, least, state);
  results[0] = xlaArrayReshape(ir, state[stateMatrix], shape.rank, shape.dims);
  results[3] =
      xlaArrayReshape(ir, state[stateRows], shape.rank - 1, shape.dims);
  shape.dims[shape.rank - 2] = least;
  results[1] =
      xlaArrayReshape(ir, state[statePivots], shape.rank - 1, shape.dims);
  results[2] =
      xlaArrayReshape(ir, state[stateFailure], shape.rank - 2, shape.dims);
}

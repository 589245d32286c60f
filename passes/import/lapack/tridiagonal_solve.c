//===- tridiagonal_solve.c - Systems of tridiagonal matrices --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elimination row by row, as LAPACK's gtsv: of rows i and i + 1 the one with
// the larger number in column i is the pivot's, which brings numbers to a
// second diagonal above the main one.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "xlac/passes/import/lapack/matrices.h"

/// What loops keep: the row's number, the diagonals [b, n] (main, first and
/// second above) and the right sides [b, n, k], which become x.
enum { stateRow, stateMain, stateAbove, stateSecond, stateSides, stateCount };

typedef struct Systems {
  MlirValue below; ///< [b, n], the number of row i in column i - 1 at i
  int64_t rows;
} Systems;

static MlirValue at(XlaIr *ir, MlirValue x, MlirValue row) {
  return xlaMatrixWindow(ir, x, 1, row, 1);
}

static MlirValue minus(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "xla.subtract", a, b);
}

static MlirValue times(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "xla.multiply", a, b);
}

/// A number a matrix, [b, 1], as a row of right sides, [b, 1, k].
static MlirValue forSides(XlaIr *ir, MlirValue x, MlirValue sides) {
  return xlaMatrixAlong(ir, x, sides, 1);
}

/// As LAPACK, by the sum of the parts' magnitudes.
static MlirValue sizeOf(XlaIr *ir, MlirValue x) {
  MlirValue size = xlaIrUnary(ir, "xla.abs", xlaMatrixReal(ir, x));
  return xlaMatrixIsComplex(x)
             ? xlaIrBinary(ir, "xla.add", size,
                           xlaIrUnary(ir, "xla.abs", xlaMatrixImaginary(ir, x)))
             : size;
}

/// `x` with `value` at `row`.
static void set(XlaIr *ir, MlirValue *x, MlirValue row, MlirValue value) {
  *x = xlaMatrixSetWindow(ir, *x, 1, row, value);
}

static void eliminate(XlaIr *ir, MlirValue *state, void *user) {
  const Systems *systems = user;
  MlirValue i = state[stateRow], j = xlaMatrixAdd(ir, i, 1);
  MlirValue l = at(ir, systems->below, j), d = at(ir, state[stateMain], i),
            u = at(ir, state[stateAbove], i),
            nextD = at(ir, state[stateMain], j),
            nextU = at(ir, state[stateAbove], j);
  MlirValue b = at(ir, state[stateSides], i),
            nextB = at(ir, state[stateSides], j);
  MlirValue keeps = xlaArrayCompare(ir, "GE", sizeOf(ir, d), sizeOf(ir, l));
  // Row p is the pivot's, row q the other.
  MlirValue pivot = xlaArraySelect(ir, keeps, d, l);
  MlirValue factor =
      xlaIrBinary(ir, "xla.divide", xlaArraySelect(ir, keeps, l, d), pivot);
  MlirValue zero = xlaMatrixNumber(ir, d, 0);
  MlirValue pU = xlaArraySelect(ir, keeps, u, nextD),
            qU = xlaArraySelect(ir, keeps, nextD, u),
            pSecond = xlaArraySelect(ir, keeps, zero, nextU),
            qSecond = xlaArraySelect(ir, keeps, nextU, zero);
  MlirValue wide = forSides(ir, keeps, b);
  MlirValue pB = xlaArraySelect(ir, wide, b, nextB),
            qB = xlaArraySelect(ir, wide, nextB, b);
  set(ir, &state[stateMain], i, pivot);
  set(ir, &state[stateAbove], i, pU);
  set(ir, &state[stateSecond], i, pSecond);
  set(ir, &state[stateSides], i, pB);
  set(ir, &state[stateMain], j, minus(ir, qU, times(ir, factor, pU)));
  set(ir, &state[stateAbove], j,
      xlaArraySelect(ir, keeps, nextU,
                     minus(ir, qSecond, times(ir, factor, pSecond))));
  set(ir, &state[stateSides], j,
      minus(ir, qB, times(ir, forSides(ir, factor, b), pB)));
  state[stateRow] = j;
}

/// The last row first. Two rows of zeros follow it.
static void substitute(XlaIr *ir, MlirValue *state, void *user) {
  const Systems *systems = user;
  MlirValue end =
      xlaArrayInteger(ir, state[stateRow], (uint64_t)(systems->rows - 1));
  MlirValue i = minus(ir, end, state[stateRow]), j = xlaMatrixAdd(ir, i, 1);
  MlirValue x = at(ir, state[stateSides], i);
  MlirValue first = forSides(ir, at(ir, state[stateAbove], i), x),
            second = forSides(ir, at(ir, state[stateSecond], i), x);
  x = minus(ir, x, times(ir, first, at(ir, state[stateSides], j)));
  x = minus(
      ir, x,
      times(ir, second, at(ir, state[stateSides], xlaMatrixAdd(ir, j, 1))));
  x = xlaIrBinary(ir, "xla.divide", x,
                  forSides(ir, at(ir, state[stateMain], i), x));
  set(ir, &state[stateSides], i, x);
  state[stateRow] = xlaMatrixAdd(ir, state[stateRow], 1);
}

/// The number of the first row, from 1, whose pivot is zero; or 0.
static MlirValue failureOf(XlaIr *ir, MlirValue pivots) {
  XlaShape shape = xlaArrayShape(pivots);
  MlirValue row = xlaArrayIota(ir, XlaElementTypeS32, 2, shape.dims, 1);
  MlirValue none = xlaArrayInteger(ir, row, (uint64_t)shape.dims[1]);
  MlirValue isZero =
      xlaArrayCompare(ir, "EQ", pivots, xlaMatrixNumber(ir, pivots, 0));
  MlirValue first = xlaArrayReduce(
      ir, "xla.minimum", xlaArraySelect(ir, isZero, row, none),
      xlaArrayNumber(ir, XlaElementTypeS32, (double)shape.dims[1]), 2);
  MlirValue isNone = xlaArrayCompare(
      ir, "EQ", first, xlaArrayInteger(ir, first, (uint64_t)shape.dims[1]));
  return xlaArraySelect(ir, isNone, xlaArrayInteger(ir, first, 0),
                        xlaMatrixAdd(ir, first, 1));
}

void xlaLapackTridiagonalSolve(XlaIr *ir, const MlirValue diagonals[3],
                               MlirValue b, MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(b);
  MlirValue sides = xlaMatrixBatch(ir, b);
  XlaShape batch = xlaArrayShape(sides);
  int64_t n = batch.dims[1], flat[2] = {batch.dims[0], n};
  Systems systems = {xlaArrayReshape(ir, diagonals[0], 2, flat), n};
  MlirValue row = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  MlirValue state[stateCount] = {
      row, xlaArrayReshape(ir, diagonals[1], 2, flat),
      xlaArrayReshape(ir, diagonals[2], 2, flat),
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, batch.elementType, 0), 2, flat,
                        NULL),
      xlaMatrixPad(ir, sides, 2, 0)};
  XlaLoop forward = {stateCount, NULL, eliminate, &systems, n - 1},
          backward = {stateCount, NULL, substitute, &systems, n};
  bool any = batch.dims[0] && n && batch.dims[2];
  if (any && n > 1)
    xlaLoopRun(ir, &forward, state);
  results[1] = failureOf(ir, state[stateMain]);
  state[stateRow] = row;
  if (any)
    xlaLoopRun(ir, &backward, state);
  results[0] =
      xlaArrayReshape(ir, xlaMatrixPart(ir, state[stateSides], 1, 0, n),
                      shape.rank, shape.dims);
  results[1] = xlaArrayReshape(ir, results[1], shape.rank - 2, shape.dims);
}

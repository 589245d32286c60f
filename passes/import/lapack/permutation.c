//===- permutation.c - Permutations of exchanged rows ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "xlac/passes/import/lapack/matrices.h"

/// What the loop keeps: a number, and the rows so far, [b, n].
enum { stateNumber, stateRows, stateCount };

/// Column `i` of [b, n], as [b].
static MlirValue columnAt(XlaIr *ir, MlirValue x, MlirValue i) {
  return xlaArrayReshape(ir, xlaMatrixWindow(ir, x, 1, i, 1), 1,
                         xlaArrayShape(x).dims);
}

/// Exchanges row i with row pivots[i], [b, k].
static void exchange(XlaIr *ir, MlirValue *state, void *user) {
  MlirValue i = state[stateNumber], rows = state[stateRows];
  MlirValue pivot = columnAt(ir, *(MlirValue *)user, i);
  XlaShape shape = xlaArrayShape(rows);
  MlirValue place = xlaArrayIota(ir, XlaElementTypeS32, 2, shape.dims, 1);
  MlirValue isPivot =
      xlaArrayCompare(ir, "EQ", place, xlaMatrixAlong(ir, pivot, rows, 0));
  MlirValue first = columnAt(ir, rows, i);
  MlirValue other = xlaArraySum(
      ir, xlaArraySelect(ir, isPivot, rows, xlaArrayInteger(ir, rows, 0)), 2);
  rows = xlaArraySelect(ir, isPivot, xlaMatrixAlong(ir, first, rows, 0), rows);
  shape.dims[1] = 1;
  other = xlaArrayReshape(ir, other, 2, shape.dims);
  state[stateRows] = xlaMatrixSetWindow(ir, rows, 1, i, other);
  state[stateNumber] = xlaMatrixAdd(ir, i, 1);
}

MlirValue xlaLapackPermutation(XlaIr *ir, MlirValue pivots, int64_t size) {
  XlaShape shape = xlaArrayShape(pivots);
  int64_t count = shape.dims[shape.rank - 1], flat[2] = {1, count};
  for (int d = 0; d < shape.rank - 1; ++d)
    flat[0] *= shape.dims[d];
  pivots = xlaArrayReshape(ir, pivots, 2, flat);
  // What is no row is exchanged with none.
  MlirValue same = xlaArrayIota(ir, XlaElementTypeS32, 2, flat, 1);
  MlirValue isPast = xlaArrayCompare(
                ir, "GE", pivots, xlaArrayInteger(ir, pivots, (uint64_t)size)),
            isBefore = xlaArrayCompare(ir, "LT", pivots,
                                       xlaArrayInteger(ir, pivots, 0));
  pivots = xlaArraySelect(ir, isPast, same, pivots);
  pivots = xlaArraySelect(ir, isBefore, same, pivots);
  flat[1] = size;
  MlirValue state[stateCount] = {
      xlaArrayNumber(ir, XlaElementTypeS32, 0),
      xlaArrayIota(ir, XlaElementTypeS32, 2, flat, 1)};
  XlaLoop loop = {stateCount, NULL, exchange, &pivots, count};
  if (flat[0] && count)
    xlaLoopRun(ir, &loop, state);
  shape.dims[shape.rank - 1] = size;
  return xlaArrayReshape(ir, state[stateRows], shape.rank, shape.dims);
}

//===- eigh.c - Eigenvalues of Hermitian matrices -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jacobi's method: rotations of rows and columns make matrices diagonal, sweep
// after sweep until what is off the diagonal is lost beside what is on it.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/jacobi.h"
#include "xlac/passes/import/lapack/lapack.h"

#include <math.h>

/// What loops keep: the step or sweep; matrices [b, n, n]; the adjoints of the
/// eigenvectors so far, [b, n, n].
enum { stateStep, stateMatrix, stateVectors, stateCount };

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}

/// The whole matrix that a triangle stands for.
static MlirValue completed(XlaIr *ir, MlirValue a, bool lower) {
  MlirValue other = xlaMatrixConjugate(ir, xlaMatrixTranspose(ir, a));
  MlirValue real = xlaMatrixFromReal(ir, xlaMatrixReal(ir, a), a);
  MlirValue whole = xlaArraySelect(
      ir, xlaMatrixIndices(ir, lower ? "GT" : "LT", a, 1, 2), a, other);
  return xlaArraySelect(ir, xlaMatrixIndices(ir, "EQ", a, 1, 2), real, whole);
}

/// The diagonal and what each pair makes 0 are known better than rotated.
static MlirValue setKnown(XlaIr *ir, MlirValue a, MlirValue diagonal) {
  int64_t half = xlaArrayShape(a).dims[1] / 2;
  MlirValue zero = xlaMatrixNumber(ir, a, 0);
  XlaShape shape = xlaArrayShape(a);
  MlirValue row = xlaArrayIota(ir, XlaElementTypeS32, 3, shape.dims, 1);
  MlirValue column = xlaArrayIota(ir, XlaElementTypeS32, 3, shape.dims, 2);
  MlirValue distance =
      xlaIrUnary(ir, "xla.abs", binary(ir, "xla.subtract", row, column));
  MlirValue isPair = xlaArrayCompare(
      ir, "EQ", distance, xlaArrayInteger(ir, distance, (uint64_t)half));
  MlirValue isDiagonal = xlaArrayCompare(ir, "EQ", row, column);
  a = xlaArraySelect(ir, isPair, zero, a);
  return xlaArraySelect(
      ir, isDiagonal,
      xlaMatrixFromReal(
          ir, xlaMatrixAlong(ir, diagonal, xlaMatrixReal(ir, a), 1), a),
      a);
}

/// Rotates each pair of rows and columns.
static void step(XlaIr *ir, MlirValue *state, void *user) {
  (void)user;
  MlirValue a = state[stateMatrix], top = xlaJacobiHalf(ir, a, 0);
  int64_t half = xlaArrayShape(top).dims[1];
  MlirValue diagonal = xlaMatrixReal(ir, xlaMatrixDiagonal(ir, a));
  MlirValue p = xlaMatrixPart(ir, diagonal, 1, 0, half);
  MlirValue q = xlaMatrixPart(ir, diagonal, 1, half, 2 * half);
  MlirValue w =
      xlaMatrixDiagonal(ir, xlaMatrixPart(ir, top, 2, half, 2 * half));
  XlaJacobi jacobi = xlaJacobiFind(ir, p, q, w);
  a = xlaJacobiRotate(ir, &jacobi, a, false);
  // Columns are rows of the transposed matrix.
  a = xlaMatrixTranspose(
      ir, xlaJacobiRotate(ir, &jacobi, xlaMatrixTranspose(ir, a), true));
  MlirValue known[] = {binary(ir, "xla.subtract", p, jacobi.shift),
                       binary(ir, "xla.add", q, jacobi.shift)};
  a = setKnown(ir, a, xlaArrayConcatenate(ir, 2, known, 1));
  state[stateMatrix] = xlaJacobiMove(ir, xlaJacobiMove(ir, a, 1), 2);
  state[stateVectors] = xlaJacobiMove(
      ir, xlaJacobiRotate(ir, &jacobi, state[stateVectors], false), 1);
  state[stateStep] = xlaMatrixAdd(ir, state[stateStep], 1);
}

static void sweep(XlaIr *ir, MlirValue *state, void *user) {
  int64_t n = xlaArrayShape(state[stateMatrix]).dims[1];
  XlaLoop steps = {stateCount, NULL, step, user, n - 1};
  MlirValue number = state[stateStep];
  state[stateStep] = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  xlaLoopRun(ir, &steps, state);
  state[stateStep] = xlaMatrixAdd(ir, number, 1);
}

static MlirValue isUnfinished(XlaIr *ir, const MlirValue *state, void *user) {
  (void)user;
  MlirValue a = state[stateMatrix], squares = xlaMatrixSquares(ir, a);
  double epsilon = xlaJacobiEpsilon(a);
  MlirValue isOff = xlaMatrixIndices(ir, "NE", squares, 1, 2);
  MlirValue off = xlaArraySum(
      ir, xlaArraySelect(ir, isOff, squares, xlaMatrixNumber(ir, squares, 0)),
      6);
  MlirValue all = xlaArraySum(ir, squares, 6);
  MlirValue least = binary(ir, "xla.multiply", all,
                           xlaMatrixNumber(ir, all, epsilon * epsilon));
  MlirValue isLeft =
      xlaArrayReduce(ir, "xla.or", xlaArrayCompare(ir, "GT", off, least),
                     xlaArrayNumber(ir, XlaElementTypePred, 0), 1);
  MlirValue number = state[stateStep];
  return binary(
      ir, "xla.and", isLeft,
      xlaArrayCompare(ir, "LT", number,
                      xlaArrayInteger(ir, number, XLA_JACOBI_MAX_SWEEPS)));
}

/// `x` where all numbers of the matrix are finite, else NaN.
static MlirValue orNan(XlaIr *ir, MlirValue isSound, MlirValue x) {
  MlirValue nan = xlaMatrixNumber(ir, x, (double)NAN);
  return xlaArraySelect(ir, xlaMatrixAlong(ir, isSound, x, 0), x, nan);
}

/// Factors without numbers.
static void finishEmpty(XlaIr *ir, MlirValue a, MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(a);
  shape.elementType = xlaElementTypeReal(shape.elementType);
  --shape.rank;
  results[0] = a;
  results[1] = xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0),
                                 shape.rank, shape.dims, NULL);
}

void xlaLapackEigh(XlaIr *ir, MlirValue a, bool lower, MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(a);
  int64_t count = 0;
  xlaShapeGetElementCount(&shape, &count);
  if (!count) {
    finishEmpty(ir, a, results);
    return;
  }
  a = xlaMatrixBatch(ir, a);
  int64_t n = xlaArrayShape(a).dims[1], odd = n & 1;
  a = completed(ir, a, lower);
  MlirValue scale = xlaMatrixLargest(ir, a);
  MlirValue real = xlaMatrixReal(ir, a);
  MlirValue isSound = xlaArrayCompare(
      ir, "LT", scale, xlaMatrixNumber(ir, scale, (double)INFINITY));
  MlirValue factor = binary(ir, "xla.divide", xlaMatrixNumber(ir, real, 1),
                            xlaMatrixAlong(ir, scale, real, 0));
  a = xlaMatrixPad(ir, xlaMatrixScale(ir, a, factor), odd, odd);
  MlirValue state[stateCount] = {xlaArrayNumber(ir, XlaElementTypeS32, 0), a,
                                 xlaMatrixUnit(ir, shape.elementType,
                                               xlaArrayShape(a).dims[0],
                                               n + odd, n + odd)};
  XlaLoop sweeps = {stateCount, isUnfinished, sweep, NULL, 0};
  if (n > 1)
    xlaLoopRun(ir, &sweeps, state);
  for (int i = stateMatrix; i < stateCount; ++i)
    state[i] = xlaMatrixPart(ir, xlaMatrixPart(ir, state[i], 1, 0, n), 2, 0, n);
  MlirValue values =
      xlaMatrixReal(ir, xlaMatrixDiagonal(ir, state[stateMatrix]));
  MlirValue order = xlaMatrixOrder(ir, values, true);
  XlaShape flat = xlaArrayShape(values);
  int64_t column[] = {flat.dims[0], n, 1};
  values = xlaMatrixTakeRows(ir, xlaArrayReshape(ir, values, 3, column), order);
  values = xlaArrayReshape(ir, values, 2, flat.dims);
  values =
      binary(ir, "xla.multiply", values, xlaMatrixAlong(ir, scale, values, 0));
  MlirValue vectors = xlaMatrixTakeRows(ir, state[stateVectors], order);
  vectors = xlaMatrixConjugate(ir, xlaMatrixTranspose(ir, vectors));
  results[0] =
      xlaArrayReshape(ir, orNan(ir, isSound, vectors), shape.rank, shape.dims);
  results[1] = xlaArrayReshape(ir, orNan(ir, isSound, values), shape.rank - 1,
                               shape.dims);
}

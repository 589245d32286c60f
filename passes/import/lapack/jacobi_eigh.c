//===- jacobi_eigh.c - Eigenvalues by rotations ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jacobi's method: rotations of rows and columns make matrices diagonal, sweep
// after sweep until what is off the diagonal is lost beside what is on it.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/jacobi.h"

/// What loops keep: the step or sweep; matrices [b, n, n]; the adjoints of the
/// eigenvectors so far, [b, n, n].
enum { stateStep, stateMatrix, stateVectors, stateCount };

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
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

void xlaJacobiEigh(XlaIr *ir, MlirValue a, MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(a);
  int64_t n = shape.dims[1], odd = n & 1;
  MlirValue state[stateCount] = {
      xlaArrayNumber(ir, XlaElementTypeS32, 0), xlaMatrixPad(ir, a, odd, odd),
      xlaMatrixUnit(ir, shape.elementType, shape.dims[0], n + odd, n + odd)};
  XlaLoop sweeps = {stateCount, isUnfinished, sweep, NULL, 0};
  if (n > 1)
    xlaLoopRun(ir, &sweeps, state);
  for (int i = stateMatrix; i < stateCount; ++i)
    state[i] = xlaMatrixPart(ir, xlaMatrixPart(ir, state[i], 1, 0, n), 2, 0, n);
  results[0] = xlaMatrixReal(ir, xlaMatrixDiagonal(ir, state[stateMatrix]));
  results[1] =
      xlaMatrixConjugate(ir, xlaMatrixTranspose(ir, state[stateVectors]));
}

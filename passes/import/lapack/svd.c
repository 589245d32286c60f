//===- svd.c - Singular values --------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jacobi's method on one side: rotations of columns make all of them
// orthogonal, sweep after sweep; their lengths are the singular values then.
// Columns, and those of v beside them, are rows of what the loop keeps. u is
// the first factor of the columns, so that it is whole where columns are zero;
// where they are not, it has their directions.
//
// Large matrices are multiplied by the eigenvectors of A^H A before, which
// makes all columns orthogonal but short ones; often no sweep is left to do.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/jacobi.h"
#include "xlac/passes/import/lapack/lapack.h"
#include "xlac/passes/import/lapack/tridiagonal.h"

#include <math.h>

/// Up to which n rotations alone take less time.
enum { mostByRotations = 16 };

/// What loops keep: the step or sweep; columns of the matrices and of v, [b, n,
/// m + n]; and what is least orthogonal of a sweep, [b]: the largest square of
/// a cosine.
enum { stateStep, stateColumns, stateWorst, stateCount };

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}

/// Rotates each pair of columns; `user` points to m.
static void step(XlaIr *ir, MlirValue *state, void *user) {
  int64_t m = *(const int64_t *)user;
  MlirValue columns = state[stateColumns];
  MlirValue own = xlaMatrixPart(ir, columns, 2, 0, m);
  MlirValue x = xlaJacobiHalf(ir, own, 0), y = xlaJacobiHalf(ir, own, 1);
  MlirValue p = xlaArraySum(ir, xlaMatrixSquares(ir, x), 4);
  MlirValue q = xlaArraySum(ir, xlaMatrixSquares(ir, y), 4);
  MlirValue w = xlaArraySum(
      ir, binary(ir, "xla.multiply", xlaMatrixConjugate(ir, x), y), 4);
  XlaJacobi jacobi = xlaJacobiFind(ir, p, q, w);
  MlirValue both = binary(ir, "xla.multiply", p, q);
  MlirValue zero = xlaMatrixNumber(ir, both, 0);
  MlirValue cosine =
      xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", both, zero), zero,
                     binary(ir, "xla.divide", xlaMatrixSquares(ir, w), both));
  state[stateWorst] = binary(
      ir, "xla.maximum", state[stateWorst],
      xlaArrayReduce(ir, "xla.maximum", cosine,
                     xlaArrayNumber(ir, xlaArrayShape(p).elementType, 0), 2));
  state[stateColumns] =
      xlaJacobiMove(ir, xlaJacobiRotate(ir, &jacobi, columns, true), 1);
  state[stateStep] = xlaMatrixAdd(ir, state[stateStep], 1);
}

static void sweep(XlaIr *ir, MlirValue *state, void *user) {
  int64_t n = xlaArrayShape(state[stateColumns]).dims[1];
  XlaLoop steps = {stateCount, NULL, step, user, n - 1};
  MlirValue number = state[stateStep];
  state[stateStep] = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  state[stateWorst] = xlaMatrixNumber(ir, state[stateWorst], 0);
  xlaLoopRun(ir, &steps, state);
  state[stateStep] = xlaMatrixAdd(ir, number, 1);
}

/// Cosines are sums of m products, whose errors are no reason to go on.
static MlirValue isUnfinished(XlaIr *ir, const MlirValue *state, void *user) {
  int64_t m = *(const int64_t *)user;
  double epsilon = xlaJacobiEpsilon(state[stateWorst]);
  MlirValue number = state[stateStep], worst = state[stateWorst];
  MlirValue most =
      xlaMatrixNumber(ir, worst, epsilon * epsilon * (double)(16 + m));
  MlirValue isLeft =
      xlaArrayReduce(ir, "xla.or", xlaArrayCompare(ir, "GT", worst, most),
                     xlaArrayNumber(ir, XlaElementTypePred, 0), 1);
  return binary(
      ir, "xla.and", isLeft,
      xlaArrayCompare(ir, "LT", number,
                      xlaArrayInteger(ir, number, XLA_JACOBI_MAX_SWEEPS)));
}

/// The largest square of a cosine between columns of [b, m, n], [b].
static MlirValue worstOf(XlaIr *ir, MlirValue a) {
  MlirValue products = xlaMatrixProduct(ir, xlaMatrixConjugate(ir, a), 1, a, 1);
  MlirValue squares = xlaMatrixSquares(ir, products);
  MlirValue lengths = xlaMatrixReal(ir, xlaMatrixDiagonal(ir, products));
  MlirValue both =
      binary(ir, "xla.multiply", xlaMatrixAlong(ir, lengths, squares, 1),
             xlaMatrixAlong(ir, lengths, squares, 2));
  MlirValue zero = xlaMatrixNumber(ir, both, 0);
  MlirValue counts =
      binary(ir, "xla.and", xlaMatrixIndices(ir, "NE", both, 1, 2),
             xlaArrayCompare(ir, "NE", both, zero));
  MlirValue cosines =
      xlaArraySelect(ir, counts, binary(ir, "xla.divide", squares, both), zero);
  return xlaArrayReduce(ir, "xla.maximum", cosines,
                        xlaArrayNumber(ir, xlaArrayShape(both).elementType, 0),
                        6);
}

/// Columns of A and of v, which are the unit's or eigenvectors, and how far
/// they are from orthogonal.
static void begin(XlaIr *ir, MlirValue a, MlirValue sides[2],
                  MlirValue *worst) {
  XlaShape shape = xlaArrayShape(a);
  int64_t n = shape.dims[2];
  if (n <= mostByRotations) {
    XlaElementType real = xlaElementTypeReal(shape.elementType);
    sides[0] = a;
    sides[1] = xlaMatrixUnit(ir, shape.elementType, shape.dims[0], n, n);
    *worst =
        xlaArrayBroadcast(ir, xlaArrayNumber(ir, real, 1), 1, shape.dims, NULL);
    return;
  }
  MlirValue solved[2];
  xlaHermitianEigh(ir, xlaMatrixProduct(ir, xlaMatrixConjugate(ir, a), 1, a, 1),
                   solved);
  sides[0] = xlaMatrixProduct(ir, a, 2, solved[1], 1);
  sides[1] = solved[1];
  *worst = worstOf(ir, sides[0]);
}

/// Columns in the order of their lengths, with those of v.
static MlirValue orthogonalColumns(XlaIr *ir, MlirValue a) {
  XlaShape shape = xlaArrayShape(a);
  int64_t m = shape.dims[1], n = shape.dims[2], odd = n & 1;
  MlirValue sides[2], worst;
  begin(ir, a, sides, &worst);
  for (int i = 0; i < 2; ++i)
    sides[i] = xlaMatrixTranspose(ir, sides[i]);
  MlirValue columns =
      xlaMatrixPad(ir, xlaArrayConcatenate(ir, 2, sides, 2), odd, 0);
  MlirValue state[stateCount] = {xlaArrayNumber(ir, XlaElementTypeS32, 0),
                                 columns, worst};
  XlaLoop sweeps = {stateCount, isUnfinished, sweep, &m, 0};
  if (n > 1)
    xlaLoopRun(ir, &sweeps, state);
  columns = xlaMatrixPart(ir, state[stateColumns], 1, 0, n);
  MlirValue lengths = xlaArraySum(
      ir, xlaMatrixSquares(ir, xlaMatrixPart(ir, columns, 2, 0, m)), 4);
  return xlaMatrixTakeRows(ir, columns, xlaMatrixOrder(ir, lengths, false));
}

/// The first factor of `columns`, [b, m, n], orthogonal, with `count` columns
/// in the direction of those.
static MlirValue directions(XlaIr *ir, MlirValue columns, int64_t count) {
  XlaShape shape = xlaArrayShape(columns);
  int64_t n = shape.dims[2];
  MlirValue factors[2];
  xlaLapackQr(ir, columns, factors);
  MlirValue diagonal = xlaMatrixReal(ir, xlaMatrixDiagonal(ir, factors[0]));
  MlirValue vectors = xlaMatrixPad(ir, factors[0], 0, count - n);
  MlirValue u = xlaLapackReflections(ir, vectors, factors[1]);
  MlirValue one = xlaMatrixNumber(ir, diagonal, 1);
  MlirValue sign = xlaArraySelect(
      ir, xlaArrayCompare(ir, "LT", diagonal, xlaMatrixNumber(ir, diagonal, 0)),
      xlaIrUnary(ir, "xla.negate", one), one);
  int64_t none[2] = {0}, high[2] = {0, count - n};
  sign = xlaArrayPad(ir, sign,
                     xlaArrayNumber(ir, xlaArrayShape(sign).elementType, 1),
                     none, high, none);
  return xlaMatrixScale(ir, u,
                        xlaMatrixAlong(ir, sign, xlaMatrixReal(ir, u), 2));
}

static MlirValue adjointOf(XlaIr *ir, MlirValue a) {
  return xlaMatrixConjugate(ir, xlaMatrixTranspose(ir, a));
}

static void orthogonalize(XlaIr *ir, MlirValue *values, void *user) {
  const MlirValue *columns = user;
  values[0] = directions(ir, *columns, xlaArrayShape(*columns).dims[2]);
}

/// The directions of `columns`, [b, m, n], which are orthogonal, or where some,
/// `isShort`, [b, n], are zero, other ones in their place.
static MlirValue unitColumns(XlaIr *ir, MlirValue columns, MlirValue lengths,
                             MlirValue isShort) {
  MlirValue one = xlaMatrixNumber(ir, lengths, 1);
  MlirValue inverse =
      binary(ir, "xla.divide", one, xlaArraySelect(ir, isShort, one, lengths));
  MlirValue u = xlaMatrixScale(
      ir, columns, xlaMatrixAlong(ir, inverse, xlaMatrixReal(ir, columns), 2));
  MlirValue isAny = xlaArrayReduce(
      ir, "xla.or", isShort, xlaArrayNumber(ir, XlaElementTypePred, 0), 3);
  xlaLoopBranch(ir, isAny, 1, &u, orthogonalize, &columns);
  return u;
}

/// s, u and v of [b, m, n], where m is n at least; u has `count` columns.
/// Columns so short that their cosines vanish have no direction.
static void decompose(XlaIr *ir, MlirValue a, int64_t count,
                      MlirValue parts[3]) {
  XlaShape shape = xlaArrayShape(a);
  int64_t m = shape.dims[1], n = shape.dims[2];
  MlirValue rows = orthogonalColumns(ir, a);
  MlirValue columns = xlaMatrixPart(ir, rows, 2, 0, m);
  parts[0] = xlaIrUnary(ir, "xla.sqrt",
                        xlaArraySum(ir, xlaMatrixSquares(ir, columns), 4));
  columns = xlaMatrixTranspose(ir, columns);
  bool isWide = xlaArrayShape(parts[0]).elementType == XlaElementTypeF64;
  MlirValue isShort = xlaArrayCompare(
      ir, "LT", parts[0], xlaMatrixNumber(ir, parts[0], isWide ? 1e-76 : 1e-9));
  columns = xlaArraySelect(ir, xlaMatrixAlong(ir, isShort, columns, 2),
                           xlaMatrixNumber(ir, columns, 0), columns);
  parts[1] = count == n ? unitColumns(ir, columns, parts[0], isShort)
                        : directions(ir, columns, count);
  parts[2] = xlaMatrixTranspose(ir, xlaMatrixPart(ir, rows, 2, m, m + n));
}

static MlirValue finish(XlaIr *ir, MlirValue isSound, MlirValue x,
                        const XlaShape *like, int rank, int64_t rows,
                        int64_t columns) {
  XlaShape shape = *like;
  shape.dims[like->rank - 2] = rows;
  shape.dims[like->rank - 1] = columns;
  x = xlaArraySelect(ir, xlaMatrixAlong(ir, isSound, x, 0), x,
                     xlaMatrixNumber(ir, x, (double)NAN));
  return xlaArrayReshape(ir, x, rank, shape.dims);
}

/// Factors of matrices without numbers.
static void decomposeEmpty(XlaIr *ir, MlirValue a, int64_t count,
                           MlirValue parts[3]) {
  XlaShape shape = xlaArrayShape(a);
  XlaElementType type = shape.elementType;
  int64_t none[2] = {shape.dims[0], shape.dims[2]};
  parts[0] = xlaArrayBroadcast(
      ir, xlaArrayNumber(ir, xlaElementTypeReal(type), 0), 2, none, NULL);
  parts[1] = xlaMatrixUnit(ir, type, none[0], shape.dims[1], count);
  parts[2] = xlaMatrixUnit(ir, type, none[0], none[1], none[1]);
}

void xlaLapackSvd(XlaIr *ir, MlirValue a, bool full, MlirValue results[3]) {
  XlaShape shape = xlaArrayShape(a);
  a = xlaMatrixBatch(ir, a);
  int64_t m = xlaArrayShape(a).dims[1], n = xlaArrayShape(a).dims[2];
  bool isWide = m < n;
  int64_t least = isWide ? m : n, most = isWide ? n : m;
  int64_t count = full ? most : least;
  MlirValue scale = xlaMatrixLargest(ir, a);
  MlirValue isSound = xlaArrayCompare(
      ir, "LT", scale, xlaMatrixNumber(ir, scale, (double)INFINITY));
  MlirValue real = xlaMatrixReal(ir, a);
  a = xlaMatrixScale(ir, a,
                     binary(ir, "xla.divide", xlaMatrixNumber(ir, real, 1),
                            xlaMatrixAlong(ir, scale, real, 0)));
  MlirValue parts[3];
  (least && shape.dims[0] ? decompose : decomposeEmpty)(
      ir, isWide ? adjointOf(ir, a) : a, count, parts);
  MlirValue s = binary(ir, "xla.multiply", parts[0],
                       xlaMatrixAlong(ir, scale, parts[0], 0));
  MlirValue u = isWide ? parts[2] : parts[1];
  MlirValue v = adjointOf(ir, isWide ? parts[1] : parts[2]);
  results[0] = finish(ir, isSound, s, &shape, shape.rank - 1, least, 0);
  results[1] =
      finish(ir, isSound, u, &shape, shape.rank, m, isWide ? m : count);
  results[2] =
      finish(ir, isSound, v, &shape, shape.rank, isWide ? count : n, n);
}

//===- divide.c - Eigenvalues of tridiagonal matrices ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tridiagonal matrix is two, one behind the other, and c z z^T, where c is
// what couples them (J. Cuppen: A divide and conquer method for the symmetric
// tridiagonal eigenproblem). The smallest are solved by Jacobi's method. All of
// one size are one batch, so zeros fill matrices up to a power of two times the
// smallest size; numbers larger than all eigenvalues stand on their diagonals.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/tridiagonal.h"

#include "xlac/passes/import/lapack/jacobi.h"
#include "xlac/passes/import/lapack/secular.h"

enum { leastLeaf = 2 };

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}

/// [b, n] as [b * n / size, size].
static MlirValue rowsOf(XlaIr *ir, MlirValue x, int64_t size) {
  XlaShape shape = xlaArrayShape(x);
  int64_t dims[] = {shape.dims[0] * shape.dims[1] / size, size};
  return xlaArrayReshape(ir, x, 2, dims);
}

/// [b, n] with `more` numbers behind it.
static MlirValue filled(XlaIr *ir, MlirValue x, int64_t more, double number) {
  int64_t none[2] = {0}, high[2] = {0, more};
  return xlaArrayPad(ir, x,
                     xlaArrayNumber(ir, xlaArrayShape(x).elementType, number),
                     none, high, none);
}

/// Tridiagonal matrices [b, n, n] of diagonals [b, n]; the last number below
/// does not count.
static MlirValue whole(XlaIr *ir, MlirValue diagonal, MlirValue below) {
  XlaShape shape = xlaArrayShape(diagonal);
  int64_t n = shape.dims[1], dims[] = {shape.dims[0], n, n};
  MlirValue zero = xlaArrayBroadcast(
      ir, xlaArrayNumber(ir, shape.elementType, 0), 3, dims, NULL);
  MlirValue row = xlaArrayIota(ir, XlaElementTypeS32, 3, dims, 1);
  MlirValue column = xlaArrayIota(ir, XlaElementTypeS32, 3, dims, 2);
  MlirValue is = xlaArrayCompare(ir, "EQ", row, column);
  MlirValue isBelow =
      xlaArrayCompare(ir, "EQ", row, xlaMatrixAdd(ir, column, 1));
  MlirValue isAbove =
      xlaArrayCompare(ir, "EQ", xlaMatrixAdd(ir, row, 1), column);
  MlirValue a =
      xlaArraySelect(ir, is, xlaMatrixAlong(ir, diagonal, zero, 1), zero);
  a = xlaArraySelect(ir, isAbove, xlaMatrixAlong(ir, below, zero, 1), a);
  return xlaArraySelect(ir, isBelow, xlaMatrixAlong(ir, below, zero, 2), a);
}

/// What couples each of `count` parts of [b, n] with the next, [b, count]; of
/// the last ones numbers that nobody reads.
static MlirValue couplings(XlaIr *ir, MlirValue below, int64_t count) {
  XlaShape shape = xlaArrayShape(below);
  int64_t size = shape.dims[1] / count, dims[] = {shape.dims[0], count};
  MlirValue last =
      xlaMatrixPart(ir, rowsOf(ir, below, size), 1, size - 1, size);
  return xlaArrayReshape(ir, last, 2, dims);
}

static MlirValue factorOf(XlaIr *ir, MlirValue coupling) {
  return binary(
      ir, "xla.maximum", xlaIrUnary(ir, "xla.abs", coupling),
      xlaMatrixNumber(ir, coupling, xlaSecularLimits(coupling).coupling));
}

/// The diagonals of `count` parts of [b, n], [b * count, n / count], without
/// what c z z^T has there.
static MlirValue uncoupled(XlaIr *ir, MlirValue diagonal, MlirValue below,
                           int64_t count) {
  XlaShape shape = xlaArrayShape(diagonal);
  int64_t size = shape.dims[1] / count, more = size - 1;
  if (count == 1)
    return diagonal;
  MlirValue c = xlaMatrixPart(ir, factorOf(ir, couplings(ir, below, count)), 1,
                              0, count - 1);
  int64_t none[3] = {0}, behind[] = {0, 1}, before[] = {0, 1};
  MlirValue zero = xlaArrayNumber(ir, shape.elementType, 0);
  MlirValue atEnd = xlaArrayPad(ir, c, zero, none, behind, none);
  MlirValue atStart = xlaArrayPad(ir, c, zero, before, none, none);
  int64_t column[] = {shape.dims[0] * count, 1}, wide[] = {0, more};
  atEnd = xlaArrayPad(ir, xlaArrayReshape(ir, atEnd, 2, column), zero, wide,
                      none, none);
  atStart = xlaArrayPad(ir, xlaArrayReshape(ir, atStart, 2, column), zero, none,
                        wide, none);
  return binary(ir, "xla.subtract", rowsOf(ir, diagonal, size),
                binary(ir, "xla.add", atEnd, atStart));
}

/// Solutions of 2 b matrices, eigenvalues [2 b, n] and vectors [2 b, n, n],
/// become those of b twice as large.
static void merge(XlaIr *ir, MlirValue coupling, MlirValue parts[2]) {
  XlaShape shape = xlaArrayShape(parts[0]);
  int64_t b = shape.dims[0] / 2, n = shape.dims[1];
  int64_t flat[] = {b, n}, pairs[] = {b, 2 * n * n};
  MlirValue q = xlaArrayReshape(ir, parts[1], 2, pairs);
  // The last row of the first, and the first one of the second.
  MlirValue last = xlaMatrixPart(ir, q, 1, n * n - n, n * n);
  MlirValue first = xlaMatrixPart(ir, q, 1, n * n, n * n + n);
  coupling = xlaArrayReshape(ir, coupling, 1, &b);
  MlirValue isNegative =
      xlaArrayCompare(ir, "LT", coupling, xlaMatrixNumber(ir, coupling, 0));
  int64_t zero[] = {0};
  first = xlaArraySelect(ir, xlaArrayBroadcast(ir, isNegative, 2, flat, zero),
                         xlaIrUnary(ir, "xla.negate", first), first);
  MlirValue z[] = {last, first}, solved[2];
  xlaSecularSolve(ir, rowsOf(ir, parts[0], 2 * n),
                  xlaArrayConcatenate(ir, 2, z, 1), factorOf(ir, coupling),
                  solved);
  int64_t halves[] = {2 * b, n, 2 * n}, joined[] = {b, 2 * n, 2 * n};
  MlirValue u = xlaArrayReshape(ir, solved[1], 3, halves);
  parts[0] = solved[0];
  parts[1] =
      xlaArrayReshape(ir, xlaMatrixProduct(ir, parts[1], 2, u, 1), 3, joined);
}

/// What couples the first of each pair of `count` parts with the second.
static MlirValue innerCouplings(XlaIr *ir, MlirValue below, int64_t count) {
  MlirValue c = couplings(ir, below, count);
  XlaShape shape = xlaArrayShape(c);
  int64_t starts[2] = {0}, strides[] = {1, 2};
  return xlaArraySlice(ir, c, starts, shape.dims, strides);
}

void xlaTridiagonalEigh(XlaIr *ir, MlirValue diagonal, MlirValue below,
                        MlirValue results[2]) {
  int64_t n = xlaArrayShape(diagonal).dims[1], count = 1;
  while (n > 2 * leastLeaf * count)
    count *= 2;
  int64_t size = (n + count - 1) / count;
  size += size & 1;
  int64_t more = size * count - n;
  // Eigenvalues are at most three times the largest number.
  diagonal = filled(ir, diagonal, more, 4);
  below = filled(ir, below, more + 1, 0);
  MlirValue parts[2];
  xlaJacobiEigh(
      ir,
      whole(ir, uncoupled(ir, diagonal, below, count), rowsOf(ir, below, size)),
      parts);
  for (; count > 1; count /= 2)
    merge(ir, innerCouplings(ir, below, count), parts);
  results[0] = xlaMatrixPart(ir, parts[0], 1, 0, n);
  results[1] = xlaMatrixPart(ir, xlaMatrixPart(ir, parts[1], 1, 0, n), 2, 0, n);
}

//===- eigh.c - Eigenvalues of Hermitian matrices -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Very small matrices by Jacobi's method, others by way of a tridiagonal one.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/jacobi.h"
#include "xlac/passes/import/lapack/lapack.h"
#include "xlac/passes/import/lapack/tridiagonal.h"

#include <math.h>

/// Up to which n rotations take about as long, in fewer kernels.
enum { mostByRotations = 8 };

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
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

/// Eigenvalues, ascending, and eigenvectors, as columns.
static void solveSmall(XlaIr *ir, MlirValue a, MlirValue results[2]) {
  MlirValue parts[2];
  xlaJacobiEigh(ir, a, parts);
  MlirValue order = xlaMatrixOrder(ir, parts[0], true);
  XlaShape flat = xlaArrayShape(parts[0]);
  int64_t column[] = {flat.dims[0], flat.dims[1], 1};
  MlirValue values =
      xlaMatrixTakeRows(ir, xlaArrayReshape(ir, parts[0], 3, column), order);
  results[0] = xlaArrayReshape(ir, values, 2, flat.dims);
  MlirValue rows =
      xlaMatrixTakeRows(ir, xlaMatrixTranspose(ir, parts[1]), order);
  results[1] = xlaMatrixTranspose(ir, rows);
}

/// With Q^H A Q tridiagonal, its eigenvectors times Q; reflections leave the
/// first row alone.
void xlaHermitianEigh(XlaIr *ir, MlirValue a, MlirValue results[2]) {
  if (xlaArrayShape(a).dims[1] <= mostByRotations) {
    solveSmall(ir, a, results);
    return;
  }
  int64_t n = xlaArrayShape(a).dims[1];
  XlaTridiagonal made = xlaTridiagonalReduce(ir, a);
  MlirValue scale =
      binary(ir, "xla.maximum", xlaMatrixLargestOfRows(ir, made.diagonal),
             xlaMatrixLargestOfRows(ir, made.below));
  MlirValue parts[2] = {made.diagonal, made.below};
  for (int i = 0; i < 2; ++i)
    parts[i] = binary(ir, "xla.divide", parts[i],
                      xlaMatrixAlong(ir, scale, parts[i], 0));
  MlirValue solved[2];
  xlaTridiagonalEigh(ir, parts[0], parts[1], solved);
  results[0] = binary(ir, "xla.multiply", solved[0],
                      xlaMatrixAlong(ir, scale, solved[0], 0));
  MlirValue vectors =
      xlaMatrixPart(ir, xlaMatrixPart(ir, made.vectors, 1, 1, n), 2, 0, n - 1);
  MlirValue whole = xlaMatrixFromReal(ir, solved[1], a);
  MlirValue rows[] = {xlaMatrixPart(ir, whole, 1, 0, 1),
                      xlaLapackReflect(ir, vectors, made.factors, true, false,
                                       xlaMatrixPart(ir, whole, 1, 1, n))};
  results[1] = xlaArrayConcatenate(ir, 2, rows, 1);
}

void xlaLapackEigh(XlaIr *ir, MlirValue a, bool lower, MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(a);
  int64_t count = 0;
  xlaShapeGetElementCount(&shape, &count);
  if (!count) {
    finishEmpty(ir, a, results);
    return;
  }
  a = xlaMatrixHermitian(ir, xlaMatrixBatch(ir, a), lower);
  MlirValue scale = xlaMatrixLargest(ir, a);
  MlirValue real = xlaMatrixReal(ir, a);
  MlirValue isSound = xlaArrayCompare(
      ir, "LT", scale, xlaMatrixNumber(ir, scale, (double)INFINITY));
  MlirValue factor = binary(ir, "xla.divide", xlaMatrixNumber(ir, real, 1),
                            xlaMatrixAlong(ir, scale, real, 0));
  a = xlaMatrixScale(ir, a, factor);
  MlirValue parts[2];
  xlaHermitianEigh(ir, a, parts);
  MlirValue values = binary(ir, "xla.multiply", parts[0],
                            xlaMatrixAlong(ir, scale, parts[0], 0));
  results[0] =
      xlaArrayReshape(ir, orNan(ir, isSound, parts[1]), shape.rank, shape.dims);
  results[1] = xlaArrayReshape(ir, orNan(ir, isSound, values), shape.rank - 1,
                               shape.dims);
}

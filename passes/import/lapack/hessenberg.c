//===- hessenberg.c - Hessenberg's form -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reflection k makes column k zero below row k + 1 and is applied from both
// sides, on all matrices of a batch at once.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "xlac/passes/import/lapack/matrices.h"
#include "xlac/passes/import/lapack/reflection.h"

/// What the loop keeps: the column's number, matrices [b, n, n], factors.
enum { stateColumn, stateMatrix, stateFactors, stateCount };

static void columnStep(XlaIr *ir, MlirValue *state, void *user) {
  (void)user;
  MlirValue k = state[stateColumn], a = state[stateMatrix];
  MlirValue row = xlaMatrixAdd(ir, k, 1);
  XlaShape shape = xlaArrayShape(a);
  MlirValue column =
      xlaArrayReshape(ir, xlaMatrixWindow(ir, a, 2, k, 1), 2, shape.dims);
  XlaReflection found = xlaReflectionFind(ir, column, row);
  MlirValue v = xlaReflectionVector(ir, &found, row);
  MlirValue isBehind = xlaMatrixIndexIs(ir, "GT", a, 2, k);
  a = xlaArraySelect(ir, isBehind, xlaReflectionApply(ir, a, v, found.tau), a);
  a = xlaArraySelect(ir, isBehind, xlaReflectionApplyRight(ir, a, v, found.tau),
                     a);
  state[stateMatrix] = xlaReflectionStore(ir, &found, a, k, row);
  state[stateFactors] =
      xlaReflectionSetFactor(ir, &found, state[stateFactors], k);
  state[stateColumn] = row;
}

/// Of matrices [b, n, n]; factors are [b, n - 1].
static MlirValue reduce(XlaIr *ir, MlirValue matrix, MlirValue *factors) {
  XlaShape batch = xlaArrayShape(matrix);
  int64_t n = batch.dims[1], dims[2] = {batch.dims[0], n ? n - 1 : 0};
  MlirValue state[stateCount] = {
      xlaArrayNumber(ir, XlaElementTypeS32, 0), matrix,
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, batch.elementType, 0), 2, dims,
                        NULL)};
  XlaLoop columns = {stateCount, NULL, columnStep, NULL, n - 1};
  if (batch.dims[0] && n > 1)
    xlaLoopRun(ir, &columns, state);
  *factors = state[stateFactors];
  return state[stateMatrix];
}

/// [b, size] in the batch dimensions of matrices of `shape`.
static MlirValue unbatched(XlaIr *ir, MlirValue x, XlaShape shape) {
  shape.dims[shape.rank - 2] = xlaArrayShape(x).dims[1];
  return xlaArrayReshape(ir, x, shape.rank - 1, shape.dims);
}

void xlaLapackHessenberg(XlaIr *ir, MlirValue a, MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(a);
  MlirValue factors;
  MlirValue matrix = reduce(ir, xlaMatrixBatch(ir, a), &factors);
  results[0] = xlaArrayReshape(ir, matrix, shape.rank, shape.dims);
  results[1] = unbatched(ir, factors, shape);
}

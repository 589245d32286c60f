//===- qr.c - Factors by Householder's reflections ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over columns k, on all matrices of a batch at once. Reflection k is 1 -
// tau v v^H, where v is 0 above row k and 1 in it; what is below stands below
// the diagonal. Those of some columns, a panel, go to the rest of a matrix at
// once, as 1 - V T V^H with a triangular T (W. Schreiber, C. van Loan: A
// storage-efficient WY representation). Panels end at multiples of their width:
// zeros fill the last up, which are not reflected.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "xlac/passes/import/lapack/matrices.h"
#include "xlac/passes/import/lapack/reflection.h"

#include "mlir-c/BuiltinTypes.h"

enum { panelWidth = 32 };

/// What loops keep: the column's number in the panel, or the panel's first
/// column in the matrix; matrices [b, m, n] or panels of them; and factors tau
/// [b, n] of those.
enum { stateColumn, stateMatrix, stateFactors, stateCount };

typedef struct Qr {
  int64_t width; ///< of a panel
  int64_t panels;
  MlirValue first;            ///< the first row and column of the panel, s32
  MlirValue vectors, factors; ///< of reflections that are given
  bool adjoint;               ///< of their product
} Qr;

static MlirValue zeroOf(XlaIr *ir, MlirValue like) {
  return xlaMatrixNumber(ir, like, 0);
}

//===----------------------------------------------------------------------===//
// One reflection
//===----------------------------------------------------------------------===//

/// The step that makes column j zero below the diagonal.
static void columnStep(XlaIr *ir, MlirValue *state, void *user) {
  const Qr *qr = user;
  MlirValue j = state[stateColumn], a = state[stateMatrix];
  MlirValue k = xlaIrBinary(ir, "xla.add", qr->first, j);
  XlaShape shape = xlaArrayShape(a);
  MlirValue column =
      xlaArrayReshape(ir, xlaMatrixWindow(ir, a, 2, j, 1), 2, shape.dims);
  XlaReflection found = xlaReflectionFind(ir, column, k);
  MlirValue v = xlaReflectionVector(ir, &found, k);
  MlirValue reflected = xlaReflectionApply(ir, a, v, found.tau);
  a = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GT", a, 2, j), reflected, a);
  state[stateMatrix] = xlaReflectionStore(ir, &found, a, j, k);
  state[stateFactors] =
      xlaReflectionSetFactor(ir, &found, state[stateFactors], j);
  state[stateColumn] = xlaMatrixAdd(ir, j, 1);
}

static void factorPanel(XlaIr *ir, Qr *qr, MlirValue *state) {
  XlaLoop columns = {stateCount, NULL, columnStep, qr,
                     xlaArrayShape(state[stateFactors]).dims[1]};
  state[stateColumn] = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  xlaLoopRun(ir, &columns, state);
}

//===----------------------------------------------------------------------===//
// A panel of them
//===----------------------------------------------------------------------===//

/// The vectors of a panel whose first column is `first`.
static MlirValue vectorsOf(XlaIr *ir, MlirValue panel, MlirValue first) {
  XlaShape shape = xlaArrayShape(panel);
  MlirValue row = xlaArrayIota(ir, XlaElementTypeS32, 3, shape.dims, 1);
  MlirValue column = xlaArrayIota(ir, XlaElementTypeS32, 3, shape.dims, 2);
  column = xlaIrBinary(ir, "xla.add", column, xlaArraySplat(ir, first, column));
  MlirValue v = xlaArraySelect(ir, xlaArrayCompare(ir, "GT", row, column),
                               panel, zeroOf(ir, panel));
  return xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", row, column),
                        xlaMatrixNumber(ir, panel, 1), v);
}

/// T with (1 + D U) T = D, of the factors D and the products U of each vector
/// with those behind it: the product of the reflections is 1 - V T V^H.
static MlirValue triangleOf(XlaIr *ir, MlirValue v, MlirValue factors) {
  MlirValue products = xlaMatrixProduct(ir, xlaMatrixConjugate(ir, v), 1, v, 1);
  MlirValue along = xlaMatrixAlong(ir, factors, products, 1);
  MlirValue diagonal =
      xlaArraySelect(ir, xlaMatrixIndices(ir, "EQ", products, 1, 2), along,
                     zeroOf(ir, products));
  return xlaMatrixSolveUnit(
      ir, xlaIrBinary(ir, "xla.multiply", products, along), false, diagonal);
}

/// a - V T (V^H a), with T^H in its place if `adjoint`.
static MlirValue reflectAll(XlaIr *ir, MlirValue a, MlirValue v, MlirValue t,
                            bool adjoint) {
  MlirValue products = xlaMatrixProduct(ir, xlaMatrixConjugate(ir, v), 1, a, 1);
  if (adjoint)
    t = xlaMatrixConjugate(ir, t);
  products = xlaMatrixProduct(ir, t, adjoint ? 1 : 2, products, 1);
  return xlaIrBinary(ir, "xla.subtract", a,
                     xlaMatrixProduct(ir, v, 2, products, 1));
}

static void panelStep(XlaIr *ir, MlirValue *state, void *user) {
  Qr qr = *(const Qr *)user;
  MlirValue k = state[stateColumn], a = state[stateMatrix];
  MlirValue inner[stateCount] = {
      {NULL},
      xlaMatrixWindow(ir, a, 2, k, qr.width),
      xlaMatrixWindow(ir, state[stateFactors], 1, k, qr.width)};
  qr.first = k;
  factorPanel(ir, &qr, inner);
  MlirValue v = vectorsOf(ir, inner[stateMatrix], k);
  MlirValue t = triangleOf(ir, v, inner[stateFactors]);
  MlirValue next = xlaMatrixAdd(ir, k, qr.width);
  MlirValue rest = xlaArraySelect(ir, xlaMatrixIndexIs(ir, "GE", a, 2, next),
                                  reflectAll(ir, a, v, t, true), a);
  state[stateMatrix] = xlaMatrixSetWindow(ir, rest, 2, k, inner[stateMatrix]);
  state[stateFactors] =
      xlaMatrixSetWindow(ir, state[stateFactors], 1, k, inner[stateFactors]);
  state[stateColumn] = next;
}

/// The step that applies a panel of reflections: of the product the last one
/// first, of its adjoint the first one.
static void productStep(XlaIr *ir, MlirValue *state, void *user) {
  const Qr *qr = user;
  MlirValue end =
      xlaArrayInteger(ir, state[0], (uint64_t)(qr->panels - qr->width));
  MlirValue k =
      qr->adjoint ? state[0] : xlaIrBinary(ir, "xla.subtract", end, state[0]);
  MlirValue v =
      vectorsOf(ir, xlaMatrixWindow(ir, qr->vectors, 2, k, qr->width), k);
  MlirValue t =
      triangleOf(ir, v, xlaMatrixWindow(ir, qr->factors, 1, k, qr->width));
  state[1] = reflectAll(ir, state[1], v, t, qr->adjoint);
  state[0] = xlaMatrixAdd(ir, state[0], qr->width);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// How much is missing to a multiple of the width.
static int64_t missing(const Qr *qr, int64_t size) {
  return (qr->width - size % qr->width) % qr->width;
}

static void factor(XlaIr *ir, int64_t steps, MlirValue *state) {
  Qr qr = {.width = panelWidth,
           .first = xlaArrayNumber(ir, XlaElementTypeS32, 0)};
  XlaShape shape = xlaArrayShape(state[stateMatrix]);
  if (steps <= panelWidth) {
    factorPanel(ir, &qr, state);
    return;
  }
  XlaLoop panels = {stateCount, NULL, panelStep, &qr, steps};
  state[stateMatrix] =
      xlaMatrixPad(ir, state[stateMatrix], missing(&qr, shape.dims[1]),
                   missing(&qr, shape.dims[2]));
  state[stateFactors] =
      xlaMatrixPad(ir, state[stateFactors], missing(&qr, steps), 0);
  xlaLoopRun(ir, &panels, state);
  for (int d = 1; d < 3; ++d)
    state[stateMatrix] =
        xlaMatrixPart(ir, state[stateMatrix], d, 0, shape.dims[d]);
  state[stateFactors] = xlaMatrixPart(ir, state[stateFactors], 1, 0, steps);
}

void xlaLapackQr(XlaIr *ir, MlirValue a, MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(a);
  MlirValue matrix = xlaMatrixBatch(ir, a);
  XlaShape batch = xlaArrayShape(matrix);
  int64_t m = batch.dims[1], n = batch.dims[2], steps = m < n ? m : n;
  int64_t factors[2] = {batch.dims[0], steps};
  MlirValue state[stateCount] = {
      {NULL},
      matrix,
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0), 2,
                        factors, NULL)};
  state[stateColumn] = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  if (batch.dims[0] && steps)
    factor(ir, steps, state);
  results[0] = xlaArrayReshape(ir, state[stateMatrix], shape.rank, shape.dims);
  shape.dims[shape.rank - 2] = steps;
  results[1] =
      xlaArrayReshape(ir, state[stateFactors], shape.rank - 1, shape.dims);
}

/// The product of the reflections of `vectors`, [b, m, n], and `factors`, or
/// its adjoint, times `a`, [b, m, ..].
static MlirValue multiply(XlaIr *ir, MlirValue vectors, MlirValue factors,
                          bool adjoint, MlirValue a) {
  XlaShape shape = xlaArrayShape(vectors), taus = xlaArrayShape(factors);
  int64_t m = shape.dims[1], steps = taus.dims[taus.rank - 1],
          flat[2] = {shape.dims[0], steps};
  Qr qr = {.width = steps < panelWidth ? steps : panelWidth,
           .adjoint = adjoint};
  if (!shape.dims[0] || !steps || !m || !xlaArrayShape(a).dims[2])
    return a;
  int64_t more = missing(&qr, steps);
  int64_t rows = m < steps + more ? steps + more - m : 0;
  qr.panels = steps + more;
  qr.vectors =
      xlaMatrixPad(ir, xlaMatrixPart(ir, vectors, 2, 0, steps), rows, more);
  qr.factors = xlaMatrixPad(ir, xlaArrayReshape(ir, factors, 2, flat), more, 0);
  MlirValue state[] = {xlaArrayNumber(ir, XlaElementTypeS32, 0),
                       xlaMatrixPad(ir, a, rows, 0)};
  if (qr.panels == qr.width) {
    productStep(ir, state, &qr);
  } else {
    XlaLoop panels = {2, NULL, productStep, &qr, qr.panels};
    xlaLoopRun(ir, &panels, state);
  }
  return xlaMatrixPart(ir, state[1], 1, 0, m);
}

MlirValue xlaLapackReflections(XlaIr *ir, MlirValue vectors,
                               MlirValue factors) {
  XlaShape shape = xlaArrayShape(vectors);
  MlirValue matrix = xlaMatrixBatch(ir, vectors);
  XlaShape batch = xlaArrayShape(matrix);
  MlirValue unit = xlaMatrixUnit(ir, shape.elementType, batch.dims[0],
                                 batch.dims[1], batch.dims[2]);
  return xlaArrayReshape(ir, multiply(ir, matrix, factors, false, unit),
                         shape.rank, shape.dims);
}

static MlirValue adjointOf(XlaIr *ir, MlirValue a) {
  return xlaMatrixConjugate(ir, xlaMatrixTranspose(ir, a));
}

MlirValue xlaLapackReflect(XlaIr *ir, MlirValue vectors, MlirValue factors,
                           bool left, bool adjoint, MlirValue a) {
  XlaShape shape = xlaArrayShape(a);
  MlirValue matrix = xlaMatrixBatch(ir, vectors), c = xlaMatrixBatch(ir, a);
  // c q is the adjoint of q^H c^H.
  c = left ? multiply(ir, matrix, factors, adjoint, c)
           : adjointOf(
                 ir, multiply(ir, matrix, factors, !adjoint, adjointOf(ir, c)));
  return xlaArrayReshape(ir, c, shape.rank, shape.dims);
}

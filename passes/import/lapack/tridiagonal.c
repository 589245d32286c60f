//===- tridiagonal.c - Tridiagonal form -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reflection k makes column k zero below row k + 1, from both sides: with its
// vector v, A becomes A - v w^H - w v^H. Some columns, a panel, are done before
// that is computed, at once: what their v and w change is added to each column
// when it is read (J. Dongarra, S. Hammarling, D. Sorensen: Block reduction of
// matrices to condensed forms for eigenvalue computations). Zeros fill the last
// panel up; nothing is reflected there.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/tridiagonal.h"

#include "xlac/passes/import/lapack/lapack.h"
#include "xlac/passes/import/lapack/matrices.h"

/// What loops keep: the column, or the first one of the panel; matrices [b, n,
/// n]; v of all columns, as rows [b, n, n]; v of the panel's columns and,
/// behind them, their w, as rows [b, 2 width, n]; and of each column, [b, n],
/// its factor, and real numbers on the diagonal and below it.
enum {
  stateColumn,
  stateMatrix,
  stateVectors,
  statePanel,
  stateFactors,
  stateDiagonal,
  stateBelow,
  stateCount
};

typedef struct Panel {
  MlirValue a;     ///< without what the panel changes
  MlirValue first; ///< the first column, s32
  int64_t width;
} Panel;

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}
static MlirValue minus(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "xla.subtract", a, b);
}
static MlirValue times(XlaIr *ir, MlirValue a, MlirValue b) {
  return binary(ir, "xla.multiply", a, b);
}

/// A number of each matrix, [b], in an array like `like`.
static MlirValue each(XlaIr *ir, MlirValue x, MlirValue like) {
  return xlaMatrixAlong(ir, x, like, 0);
}

/// `x` where the index along the last dimension compares so, else 0.
static MlirValue where(XlaIr *ir, const char *direction, MlirValue x,
                       MlirValue number) {
  int last = xlaArrayShape(x).rank - 1;
  return xlaArraySelect(ir, xlaMatrixIndexIs(ir, direction, x, last, number), x,
                        xlaMatrixNumber(ir, x, 0));
}

/// The number at `place` of [b, 1, n], [b].
static MlirValue at(XlaIr *ir, MlirValue row, MlirValue place) {
  int64_t batch = xlaArrayShape(row).dims[0];
  return xlaArrayReshape(ir, xlaMatrixWindow(ir, row, 2, place, 1), 1, &batch);
}

/// [b, n] with a number, [b], at `place`.
static MlirValue put(XlaIr *ir, MlirValue x, MlirValue place,
                     MlirValue number) {
  int64_t dims[] = {xlaArrayShape(x).dims[0], 1};
  return xlaMatrixSetWindow(ir, x, 1, place,
                            xlaArrayReshape(ir, number, 2, dims));
}

/// The halves of the last dimension exchanged: numbers of v for those of w.
static MlirValue exchanged(XlaIr *ir, MlirValue x) {
  int64_t width = xlaArrayShape(x).dims[2] / 2;
  MlirValue parts[] = {xlaMatrixPart(ir, x, 2, width, 2 * width),
                       xlaMatrixPart(ir, x, 2, 0, width)};
  return xlaArrayConcatenate(ir, 2, parts, 2);
}

/// Column k as a row, [b, 1, n], with what the panel's columns before changed.
static MlirValue changedColumn(XlaIr *ir, const Panel *panel, MlirValue rows,
                               MlirValue k) {
  XlaShape shape = xlaArrayShape(rows);
  int64_t flat[] = {shape.dims[0], 1, shape.dims[1]};
  MlirValue column =
      xlaMatrixConjugate(ir, xlaMatrixWindow(ir, panel->a, 1, k, 1));
  MlirValue numbers =
      xlaArrayReshape(ir, xlaMatrixWindow(ir, rows, 2, k, 1), 3, flat);
  numbers = xlaMatrixConjugate(ir, exchanged(ir, numbers));
  return minus(ir, column, xlaMatrixProduct(ir, numbers, 2, rows, 1));
}

/// v, [b, 1, n], tau and what stays below the diagonal, [b].
static MlirValue reflect(XlaIr *ir, MlirValue column, MlirValue row,
                         MlirValue *tau, MlirValue *below) {
  MlirValue rest = where(ir, "GT", column, row);
  MlirValue alpha = at(ir, column, row), re = xlaMatrixReal(ir, alpha);
  MlirValue squares = xlaArraySum(ir, xlaMatrixSquares(ir, rest), 6);
  MlirValue zero = xlaMatrixNumber(ir, squares, 0);
  MlirValue length =
      xlaIrUnary(ir, "xla.sqrt",
                 binary(ir, "xla.add", squares, xlaMatrixSquares(ir, alpha)));
  MlirValue isDone = xlaArrayCompare(ir, "EQ", squares, zero);
  if (xlaMatrixIsComplex(alpha))
    isDone =
        binary(ir, "xla.and", isDone,
               xlaArrayCompare(ir, "EQ", xlaMatrixImaginary(ir, alpha), zero));
  // Away from alpha, so that nothing cancels.
  MlirValue beta = xlaArraySelect(ir, xlaArrayCompare(ir, "GE", re, zero),
                                  xlaIrUnary(ir, "xla.negate", length), length);
  MlirValue wide = xlaMatrixFromReal(ir, beta, alpha);
  MlirValue one = xlaMatrixNumber(ir, alpha, 1);
  MlirValue difference = minus(ir, wide, alpha);
  MlirValue divisor =
      xlaArraySelect(ir, isDone, one, xlaIrUnary(ir, "xla.negate", difference));
  *tau = xlaArraySelect(ir, isDone, xlaMatrixNumber(ir, alpha, 0),
                        binary(ir, "xla.divide", difference,
                               xlaArraySelect(ir, isDone, one, wide)));
  *below = xlaArraySelect(ir, isDone, re, beta);
  MlirValue v =
      times(ir, rest, each(ir, binary(ir, "xla.divide", one, divisor), rest));
  return xlaArraySelect(ir, xlaMatrixIndexIs(ir, "EQ", v, 2, row),
                        xlaMatrixNumber(ir, v, 1), v);
}

/// w, [b, 1, n]: tau A v, less as much of v as A' asks for.
static MlirValue counterpart(XlaIr *ir, const Panel *panel, MlirValue rows,
                             MlirValue v, MlirValue tau, MlirValue k) {
  MlirValue conjugate = xlaMatrixConjugate(ir, v);
  MlirValue product = xlaMatrixProduct(ir, v, 2, panel->a, 2);
  MlirValue numbers =
      xlaMatrixConjugate(ir, xlaMatrixProduct(ir, conjugate, 2, rows, 2));
  product = minus(ir, product,
                  xlaMatrixProduct(ir, exchanged(ir, numbers), 2, rows, 1));
  // Numbers that are done with could become infinite.
  product = where(ir, "GT", times(ir, product, each(ir, tau, product)), k);
  MlirValue factor = times(ir, xlaMatrixConjugate(ir, tau),
                           xlaArraySum(ir, times(ir, conjugate, product), 6));
  factor = times(ir, factor, xlaMatrixNumber(ir, factor, 0.5));
  return minus(ir, product, times(ir, v, each(ir, factor, v)));
}

static void columnStep(XlaIr *ir, MlirValue *state, void *user) {
  const Panel *panel = user;
  MlirValue j = state[stateColumn], rows = state[statePanel], tau, below;
  MlirValue k = binary(ir, "xla.add", panel->first, j);
  MlirValue column = changedColumn(ir, panel, rows, k);
  MlirValue v = reflect(ir, column, xlaMatrixAdd(ir, k, 1), &tau, &below);
  MlirValue w = counterpart(ir, panel, rows, v, tau, k);
  rows = xlaMatrixSetWindow(ir, rows, 1, j, v);
  state[statePanel] =
      xlaMatrixSetWindow(ir, rows, 1, xlaMatrixAdd(ir, j, panel->width), w);
  state[stateFactors] = put(ir, state[stateFactors], k, tau);
  state[stateDiagonal] =
      put(ir, state[stateDiagonal], k, xlaMatrixReal(ir, at(ir, column, k)));
  state[stateBelow] = put(ir, state[stateBelow], k, below);
  state[stateColumn] = xlaMatrixAdd(ir, j, 1);
}

static void panelStep(XlaIr *ir, MlirValue *state, void *user) {
  Panel panel = *(const Panel *)user;
  MlirValue k = state[stateColumn];
  panel.a = state[stateMatrix];
  panel.first = k;
  XlaLoop columns = {stateCount, NULL, columnStep, &panel, panel.width};
  MlirValue inner[stateCount];
  for (int i = 0; i < stateCount; ++i)
    inner[i] = state[i];
  // Neither changes in the loop.
  inner[stateMatrix] = inner[stateVectors] = k;
  inner[stateColumn] = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  inner[statePanel] = xlaMatrixNumber(ir, state[statePanel], 0);
  xlaLoopRun(ir, &columns, inner);
  MlirValue rows = inner[statePanel];
  MlirValue v = xlaMatrixPart(ir, rows, 1, 0, panel.width);
  MlirValue w = xlaMatrixPart(ir, rows, 1, panel.width, 2 * panel.width);
  MlirValue swapped[] = {w, v};
  MlirValue change = xlaMatrixProduct(
      ir, rows, 1,
      xlaMatrixConjugate(ir, xlaArrayConcatenate(ir, 2, swapped, 1)), 1);
  for (int i = statePanel; i < stateCount; ++i)
    state[i] = inner[i];
  state[stateMatrix] = minus(ir, panel.a, change);
  state[stateVectors] = xlaMatrixSetWindow(ir, state[stateVectors], 1, k, v);
  state[stateColumn] = xlaMatrixAdd(ir, k, panel.width);
}

static MlirValue zeros(XlaIr *ir, XlaElementType type, int64_t batch,
                       int64_t rows, int64_t columns) {
  int64_t dims[] = {batch, rows, columns};
  return xlaArrayBroadcast(ir, xlaArrayNumber(ir, type, 0), columns ? 3 : 2,
                           dims, NULL);
}

XlaTridiagonal xlaTridiagonalReduce(XlaIr *ir, MlirValue a) {
  XlaShape shape = xlaArrayShape(a);
  XlaElementType type = shape.elementType, real = xlaElementTypeReal(type);
  int64_t b = shape.dims[0], n = shape.dims[1];
  Panel panel = {.width = n > 128 ? 32 : 16};
  int64_t more = (panel.width - n % panel.width) % panel.width, all = n + more;
  MlirValue state[stateCount] = {
      xlaArrayNumber(ir, XlaElementTypeS32, 0),
      xlaMatrixPad(ir, a, more, more),
      zeros(ir, type, b, all, all),
      zeros(ir, type, b, 2 * panel.width, all),
      zeros(ir, type, b, all, 0),
      zeros(ir, real, b, all, 0),
      zeros(ir, real, b, all, 0),
  };
  XlaLoop panels = {stateCount, NULL, panelStep, &panel, n};
  xlaLoopRun(ir, &panels, state);
  MlirValue vectors = xlaMatrixTranspose(ir, state[stateVectors]);
  return (XlaTridiagonal){
      xlaMatrixPart(ir, state[stateDiagonal], 1, 0, n),
      xlaMatrixPart(ir, state[stateBelow], 1, 0, n - 1),
      xlaMatrixPart(ir, xlaMatrixPart(ir, vectors, 1, 0, n), 2, 0, n),
      xlaMatrixPart(ir, state[stateFactors], 1, 0, n - 1)};
}

/// [b, size] in the batch dimensions of matrices of `shape`.
static MlirValue unbatched(XlaIr *ir, MlirValue x, XlaShape shape) {
  shape.dims[shape.rank - 2] = xlaArrayShape(x).dims[1];
  return xlaArrayReshape(ir, x, shape.rank - 1, shape.dims);
}

/// A number a row on the diagonal of arrays like `like`, or one less on the one
/// below, in the place of what is there.
static MlirValue onDiagonal(XlaIr *ir, MlirValue a, MlirValue numbers,
                            bool isBelow) {
  XlaShape shape = xlaArrayShape(a);
  MlirValue column = xlaArrayIota(ir, XlaElementTypeS32, 3, shape.dims, 2);
  MlirValue isHere = xlaArrayCompare(
      ir, "EQ", xlaArrayIota(ir, XlaElementTypeS32, 3, shape.dims, 1),
      xlaMatrixAdd(ir, column, isBelow));
  int64_t none[2] = {0}, high[2] = {0, isBelow};
  numbers = xlaArrayPad(
      ir, numbers, xlaArrayNumber(ir, xlaArrayShape(numbers).elementType, 0),
      none, high, none);
  MlirValue wide = xlaMatrixFromReal(
      ir, xlaMatrixAlong(ir, numbers, xlaMatrixReal(ir, a), 2), a);
  return xlaArraySelect(ir, isHere, wide, a);
}

void xlaLapackTridiagonal(XlaIr *ir, MlirValue a, MlirValue results[4]) {
  XlaShape shape = xlaArrayShape(a);
  XlaElementType type = shape.elementType, real = xlaElementTypeReal(type);
  MlirValue given = xlaMatrixBatch(ir, a), made = given;
  int64_t b = xlaArrayShape(given).dims[0], n = shape.dims[shape.rank - 1];
  int64_t flat[] = {b, n ? n - 1 : 0};
  XlaTridiagonal form = {
      .diagonal = xlaMatrixReal(ir, xlaMatrixDiagonal(ir, given)),
      .below =
          xlaArrayBroadcast(ir, xlaArrayNumber(ir, real, 0), 2, flat, NULL),
      .factors =
          xlaArrayBroadcast(ir, xlaArrayNumber(ir, type, 0), 2, flat, NULL)};
  if (b && n > 1) {
    MlirValue whole = xlaMatrixHermitian(ir, given, true);
    MlirValue scale = xlaMatrixLargest(ir, whole);
    MlirValue factor = binary(
        ir, "xla.divide", xlaMatrixNumber(ir, xlaMatrixReal(ir, whole), 1),
        xlaMatrixAlong(ir, scale, xlaMatrixReal(ir, whole), 0));
    form = xlaTridiagonalReduce(ir, xlaMatrixScale(ir, whole, factor));
    form.diagonal = times(ir, form.diagonal, each(ir, scale, form.diagonal));
    form.below = times(ir, form.below, each(ir, scale, form.below));
    made = xlaArraySelect(ir, xlaMatrixIndices(ir, "LT", given, 1, 2), given,
                          form.vectors);
    made = onDiagonal(ir, onDiagonal(ir, made, form.diagonal, false),
                      form.below, true);
  }
  results[0] = xlaArrayReshape(ir, made, shape.rank, shape.dims);
  results[1] = unbatched(ir, form.diagonal, shape);
  results[2] = unbatched(ir, form.below, shape);
  results[3] = unbatched(ir, form.factors, shape);
}

//===- qr.c - Factors by Householder's reflections ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over columns k, on all matrices of a batch at once. Reflection k is 1 -
// tau v v^T, where v is 0 above row k and 1 in it; what is below stands below
// the diagonal.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"

/// The state of the loops: how many steps are done, matrices [b, m, n] and
/// factors tau [b, r].
enum { stateSteps, stateMatrix, stateFactors, stateCount };

typedef struct Qr {
  XlaIr ir; ///< in the body
  int64_t batch, m, n, steps;
  MlirValue column; ///< s32
} Qr;

static MlirValue binary(Qr *qr, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(&qr->ir, name, a, b);
}

static MlirValue numberLike(Qr *qr, MlirValue like, double number) {
  return xlaArraySplat(
      &qr->ir, xlaArrayNumber(&qr->ir, xlaArrayShape(like).elementType, number),
      like);
}

/// Where the index along a dimension of an array of `dims` compares so with
/// the column's.
static MlirValue indexIs(Qr *qr, const char *direction, int rank,
                         const int64_t *dims, int64_t along) {
  return xlaArrayCompare(
      &qr->ir, direction,
      xlaArrayIota(&qr->ir, XlaElementTypeS32, rank, dims, along),
      xlaArrayBroadcast(&qr->ir, qr->column, rank, dims, NULL));
}

/// Column k of [b, m, n], as [b, m].
static MlirValue takeColumn(Qr *qr, MlirValue a) {
  int64_t sizes[3] = {qr->batch, qr->m, 1};
  MlirValue zero = xlaArrayNumber(&qr->ir, XlaElementTypeS32, 0);
  XlaShape shape = xlaArrayShape(a);
  shape.dims[2] = 1;
  MlirValue slice = xlaIrOp(
      &qr->ir, "xla.dynamic_slice", xlaShapeToMlir(&shape, qr->ir.context), 4,
      (MlirValue[]){a, zero, zero, qr->column}, 1,
      &(XlaIrAttr){"slice_sizes",
                   mlirDenseI64ArrayGet(qr->ir.context, 3, sizes)});
  return xlaArrayReshape(&qr->ir, slice, 2, sizes);
}

/// [b] as [b, m].
static MlirValue along(Qr *qr, MlirValue x) {
  int64_t dims[2] = {qr->batch, qr->m}, first = 0;
  return xlaArrayBroadcast(&qr->ir, x, 2, dims, &first);
}

/// The element of [b, size] whose index is the column's, as [b].
static MlirValue elementAt(Qr *qr, MlirValue x) {
  XlaShape shape = xlaArrayShape(x);
  MlirValue here = xlaArraySelect(&qr->ir, indexIs(qr, "EQ", 2, shape.dims, 1),
                                  x, numberLike(qr, x, 0));
  return xlaArraySum(&qr->ir, here, 2);
}

/// What is below row k of a column, 1 in row k and 0 above.
static MlirValue reflectionOf(Qr *qr, MlirValue column) {
  int64_t dims[2] = {qr->batch, qr->m};
  MlirValue v = xlaArraySelect(&qr->ir, indexIs(qr, "GT", 2, dims, 1), column,
                               numberLike(qr, column, 0));
  return xlaArraySelect(&qr->ir, indexIs(qr, "EQ", 2, dims, 1),
                        numberLike(qr, column, 1), v);
}

/// a - tau v (v^T a).
static MlirValue reflect(Qr *qr, MlirValue a, MlirValue v, MlirValue tau) {
  XlaIr *ir = &qr->ir;
  int64_t whole[3] = {qr->batch, qr->m, qr->n};
  int64_t rows[2] = {0, 1}, columns[2] = {0, 2}, first = 0;
  MlirValue wide = xlaArrayBroadcast(ir, v, 3, whole, rows);
  MlirValue products = xlaArraySum(ir, binary(qr, "xla.multiply", wide, a), 2);
  int64_t sums[2] = {qr->batch, qr->n};
  products = binary(qr, "xla.multiply", products,
                    xlaArrayBroadcast(ir, tau, 2, sums, &first));
  products = xlaArrayBroadcast(ir, products, 3, whole, columns);
  return binary(qr, "xla.subtract", a,
                binary(qr, "xla.multiply", wide, products));
}

/// The square root of the sum of squares of [b, m], which are scaled so that
/// they neither overflow nor vanish.
static MlirValue lengthOf(Qr *qr, MlirValue x) {
  XlaIr *ir = &qr->ir;
  MlirValue size = xlaIrUnary(ir, "xla.abs", x);
  MlirValue least = xlaArrayNumber(ir, xlaArrayShape(x).elementType, 0);
  MlirValue most = xlaArrayReduce(ir, "xla.maximum", size, least, 2);
  MlirValue zero = numberLike(qr, most, 0);
  MlirValue scale = xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", most, zero),
                                   numberLike(qr, most, 1), most);
  x = binary(qr, "xla.divide", x, along(qr, scale));
  MlirValue squares = xlaArraySum(ir, binary(qr, "xla.multiply", x, x), 2);
  return binary(qr, "xla.multiply", scale, xlaIrUnary(ir, "xla.sqrt", squares));
}

/// The step that makes column k zero below the diagonal.
static void buildFactorStep(Qr *qr, MlirValue *next) {
  XlaIr *ir = &qr->ir;
  int64_t dims[2] = {qr->batch, qr->m}, factors[2] = {qr->batch, qr->steps};
  int64_t whole[3] = {qr->batch, qr->m, qr->n}, rows[2] = {0, 1}, first = 0;
  MlirValue a = next[stateMatrix], column = takeColumn(qr, a);
  MlirValue isBelow = indexIs(qr, "GT", 2, dims, 1);
  MlirValue below =
      xlaArraySelect(ir, isBelow, column, numberLike(qr, column, 0));
  MlirValue isPlace = indexIs(qr, "GE", 2, dims, 1);
  MlirValue rest =
      xlaArraySelect(ir, isPlace, column, numberLike(qr, column, 0));
  MlirValue alpha = elementAt(qr, column);
  MlirValue zero = numberLike(qr, alpha, 0);
  MlirValue isDone = xlaArrayCompare(ir, "EQ", lengthOf(qr, below), zero);
  MlirValue length = lengthOf(qr, rest);
  // Away from alpha, so that nothing cancels.
  MlirValue beta = xlaArraySelect(ir, xlaArrayCompare(ir, "GE", alpha, zero),
                                  xlaIrUnary(ir, "xla.negate", length), length);
  MlirValue difference = binary(qr, "xla.subtract", beta, alpha);
  MlirValue tau = xlaArraySelect(ir, isDone, zero,
                                 binary(qr, "xla.divide", difference, beta));
  MlirValue divisor = xlaArraySelect(ir, isDone, numberLike(qr, alpha, 1),
                                     xlaIrUnary(ir, "xla.negate", difference));
  column = binary(qr, "xla.divide", below, along(qr, divisor));
  MlirValue reflected = reflect(qr, a, reflectionOf(qr, column), tau);
  a = xlaArraySelect(ir, indexIs(qr, "GT", 3, whole, 2), reflected, a);
  // Column k: beta on the diagonal, the reflection below.
  MlirValue diagonal = xlaArraySelect(ir, isDone, alpha, beta);
  column = xlaArraySelect(ir, isBelow, column, along(qr, diagonal));
  MlirValue inColumn = binary(qr, "xla.and", indexIs(qr, "EQ", 3, whole, 2),
                              indexIs(qr, "GE", 3, whole, 1));
  next[stateMatrix] = xlaArraySelect(
      ir, inColumn, xlaArrayBroadcast(ir, column, 3, whole, rows), a);
  next[stateFactors] = xlaArraySelect(
      ir, indexIs(qr, "EQ", 2, factors, 1),
      xlaArrayBroadcast(ir, tau, 2, factors, &first), next[stateFactors]);
}

typedef void (*BuildStep)(Qr *qr, MlirValue *next, MlirValue outside);

static void factorStep(Qr *qr, MlirValue *next, MlirValue outside) {
  (void)outside;
  buildFactorStep(qr, next);
}

/// The step that applies reflection k, which is in `vectors`, to the matrix.
static void productStep(Qr *qr, MlirValue *next, MlirValue vectors) {
  MlirValue v = reflectionOf(qr, takeColumn(qr, vectors));
  next[stateMatrix] =
      reflect(qr, next[stateMatrix], v, elementAt(qr, next[stateFactors]));
}

static MlirBlock stateBlock(const XlaIr *ir, MlirRegion region,
                            const MlirType *types) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  for (int i = 0; i < stateCount; ++i)
    mlirBlockAddArgument(block, types[i], ir->location);
  return block;
}

/// Runs `step` for every column, the last one first if `isReverse`.
static void buildLoop(XlaIr *ir, Qr *qr, MlirValue *state, BuildStep step,
                      bool isReverse, MlirValue outside) {
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirType types[stateCount];
  for (int i = 0; i < stateCount; ++i)
    types[i] = mlirValueGetType(state[i]);
  XlaIr condition = xlaIrIn(*ir, stateBlock(ir, regions[0], types));
  MlirValue done = mlirBlockGetArgument(condition.block, stateSteps);
  MlirValue more =
      xlaArrayCompare(&condition, "LT", done,
                      xlaArrayInteger(&condition, done, (uint64_t)qr->steps));
  xlaIrCreate(&condition, "xla.return", 1, &more, 0, NULL, 0, NULL, 0, NULL);
  MlirBlock block = stateBlock(ir, regions[1], types);
  qr->ir = xlaIrIn(*ir, block);
  MlirValue next[stateCount];
  for (int i = 0; i < stateCount; ++i)
    next[i] = mlirBlockGetArgument(block, i);
  qr->column = next[stateSteps];
  if (isReverse)
    qr->column =
        binary(qr, "xla.subtract",
               xlaArrayInteger(&qr->ir, qr->column, (uint64_t)qr->steps - 1),
               qr->column);
  step(qr, next, outside);
  next[stateSteps] = binary(qr, "xla.add", next[stateSteps],
                            xlaArrayInteger(&qr->ir, next[stateSteps], 1));
  xlaIrCreate(&qr->ir, "xla.return", stateCount, next, 0, NULL, 0, NULL, 0,
              NULL);
  MlirOperation loop = xlaIrCreate(ir, "xla.while", stateCount, state,
                                   stateCount, types, 0, NULL, 2, regions);
  for (int i = 0; i < stateCount; ++i)
    state[i] = mlirOperationGetResult(loop, i);
}

static Qr qrOf(const XlaShape *shape) {
  Qr qr = {.batch = 1,
           .m = shape->dims[shape->rank - 2],
           .n = shape->dims[shape->rank - 1]};
  for (int d = 0; d + 2 < shape->rank; ++d)
    qr.batch *= shape->dims[d];
  return qr;
}

void xlaLapackQr(XlaIr *ir, MlirValue a, MlirValue results[2]) {
  XlaShape shape = xlaArrayShape(a);
  Qr qr = qrOf(&shape);
  qr.steps = qr.m < qr.n ? qr.m : qr.n;
  int64_t whole[3] = {qr.batch, qr.m, qr.n};
  int64_t factors[2] = {qr.batch, qr.steps};
  MlirValue state[stateCount] = {
      xlaArrayNumber(ir, XlaElementTypeS32, 0),
      xlaArrayReshape(ir, a, 3, whole),
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0), 2,
                        factors, NULL)};
  if (qr.batch && qr.steps)
    buildLoop(ir, &qr, state, factorStep, false, state[stateMatrix]);
  results[0] = xlaArrayReshape(ir, state[stateMatrix], shape.rank, shape.dims);
  shape.dims[shape.rank - 2] = qr.steps;
  results[1] =
      xlaArrayReshape(ir, state[stateFactors], shape.rank - 1, shape.dims);
}

MlirValue xlaLapackReflections(XlaIr *ir, MlirValue vectors,
                               MlirValue factors) {
  XlaShape shape = xlaArrayShape(vectors), taus = xlaArrayShape(factors);
  Qr qr = qrOf(&shape);
  qr.steps = taus.dims[taus.rank - 1];
  int64_t whole[3] = {qr.batch, qr.m, qr.n};
  int64_t flat[2] = {qr.batch, qr.steps};
  MlirValue diagonal = xlaArrayCompare(
      ir, "EQ", xlaArrayIota(ir, XlaElementTypeS32, 3, whole, 1),
      xlaArrayIota(ir, XlaElementTypeS32, 3, whole, 2));
  MlirValue state[stateCount] = {
      xlaArrayNumber(ir, XlaElementTypeS32, 0),
      xlaArrayConvert(ir, diagonal, shape.elementType),
      xlaArrayReshape(ir, factors, 2, flat)};
  if (qr.batch && qr.steps && qr.m && qr.n)
    buildLoop(ir, &qr, state, productStep, true,
              xlaArrayReshape(ir, vectors, 3, whole));
  return xlaArrayReshape(ir, state[stateMatrix], shape.rank, shape.dims);
}

//===- lu.c - Factors by Gaussian elimination -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over columns k, on all matrices of a batch at once: the row of the
// pivot comes to row k, the column below the pivot is divided by it, and the
// rest loses the product of that column and row k.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/lapack.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"

/// The state of the loop: the column's number, matrices [b, m, n], pivots
/// [b, min(m, n)] and failures [b].
enum { stateColumn, stateMatrix, statePivots, stateFailure, stateCount };

typedef struct Lu {
  XlaIr ir; ///< in the body
  int64_t batch, m, n, least;
  MlirValue column; ///< s32
} Lu;

static MlirValue binary(Lu *lu, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(&lu->ir, name, a, b);
}

static MlirValue iota(Lu *lu, int rank, const int64_t *dims, int64_t along) {
  return xlaArrayIota(&lu->ir, XlaElementTypeS32, rank, dims, along);
}

static MlirValue filled(Lu *lu, MlirValue scalar, int rank,
                        const int64_t *dims) {
  return xlaArrayBroadcast(&lu->ir, scalar, rank, dims, NULL);
}

/// Where the index along a dimension of an array of `dims` compares so with
/// the column's.
static MlirValue indexIs(Lu *lu, const char *direction, int rank,
                         const int64_t *dims, int64_t along) {
  return xlaArrayCompare(&lu->ir, direction, iota(lu, rank, dims, along),
                         filled(lu, lu->column, rank, dims));
}

/// What is left of [b, m, n] when the index along `dimension` is the column's.
static MlirValue takeAt(Lu *lu, MlirValue a, int dimension) {
  int64_t sizes[3] = {lu->batch, lu->m, lu->n};
  MlirValue zero = xlaArrayNumber(&lu->ir, XlaElementTypeS32, 0);
  MlirValue operands[4] = {a, zero, zero, zero};
  operands[1 + dimension] = lu->column;
  sizes[dimension] = 1;
  XlaShape shape = xlaArrayShape(a);
  shape.dims[dimension] = 1;
  MlirValue slice =
      xlaIrOp(&lu->ir, "xla.dynamic_slice",
              xlaShapeToMlir(&shape, lu->ir.context), 4, operands, 1,
              &(XlaIrAttr){"slice_sizes",
                           mlirDenseI64ArrayGet(lu->ir.context, 3, sizes)});
  int64_t rest[2] = {lu->batch, dimension == 1 ? lu->n : lu->m};
  return xlaArrayReshape(&lu->ir, slice, 2, rest);
}

/// The least or greatest along dimension 1 of [b, m].
static MlirValue extreme(Lu *lu, const char *name, MlirValue x, double init) {
  return xlaArrayReduce(
      &lu->ir, name, x,
      xlaArrayNumber(&lu->ir, xlaArrayShape(x).elementType, init), 2);
}

/// The row of the pivot, [b]: the first from row k on whose magnitude is the
/// largest, k itself if there is NaN.
static MlirValue findPivot(Lu *lu, MlirValue column) {
  XlaIr *ir = &lu->ir;
  int64_t dims[2] = {lu->batch, lu->m}, along = 0;
  MlirValue size = xlaIrUnary(ir, "xla.abs", column);
  MlirValue least = xlaArraySplat(
      ir, xlaArrayNumber(ir, xlaArrayShape(size).elementType, -1), size);
  size = xlaArraySelect(ir, indexIs(lu, "GE", 2, dims, 1), size, least);
  MlirValue most = xlaArrayBroadcast(ir, extreme(lu, "xla.maximum", size, -1),
                                     2, dims, &along);
  MlirValue none =
      filled(lu, xlaArrayNumber(ir, XlaElementTypeS32, (double)lu->m), 2, dims);
  MlirValue places = xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", size, most),
                                    iota(lu, 2, dims, 1), none);
  MlirValue first = extreme(lu, "xla.minimum", places, (double)lu->m);
  return xlaArraySelect(
      ir,
      xlaArrayCompare(ir, "EQ", first,
                      xlaArrayInteger(ir, first, (uint64_t)lu->m)),
      xlaArraySplat(ir, lu->column, first), first);
}

/// `a` with rows k and `pivot` exchanged.
static MlirValue exchangeRows(Lu *lu, MlirValue a, MlirValue pivot) {
  XlaIr *ir = &lu->ir;
  int64_t dims[2] = {lu->batch, lu->m}, along = 0;
  MlirValue row = iota(lu, 2, dims, 1);
  MlirValue k = filled(lu, lu->column, 2, dims);
  MlirValue p = xlaArrayBroadcast(ir, pivot, 2, dims, &along);
  MlirValue from = xlaArraySelect(
      ir, xlaArrayCompare(ir, "EQ", row, k), p,
      xlaArraySelect(ir, xlaArrayCompare(ir, "EQ", row, p), k, row));
  int64_t zero = 0, one = 1, two = 2, sizes[3] = {1, 1, lu->n};
  MlirContext context = ir->context;
  XlaIrAttr attrs[] = {
      {"offset_dims", mlirDenseI64ArrayGet(context, 1, &two)},
      {"collapsed_slice_dims", mlirDenseI64ArrayGet(context, 1, &one)},
      {"operand_batching_dims", mlirDenseI64ArrayGet(context, 1, &zero)},
      {"start_indices_batching_dims", mlirDenseI64ArrayGet(context, 1, &zero)},
      {"start_index_map", mlirDenseI64ArrayGet(context, 1, &one)},
      {"index_vector_dim", xlaIrI64Attr(context, 2)},
      {"slice_sizes", mlirDenseI64ArrayGet(context, 3, sizes)},
  };
  return xlaIrOp(ir, "xla.gather", mlirValueGetType(a), 2,
                 (MlirValue[]){a, from}, 7, attrs);
}

/// The matrices after the step, and where the pivot is zero, [b].
static MlirValue eliminate(Lu *lu, MlirValue a, MlirValue *isZero) {
  XlaIr *ir = &lu->ir;
  int64_t whole[3] = {lu->batch, lu->m, lu->n}, dims[2] = {lu->batch, lu->m};
  int64_t rows[2] = {0, 1}, columns[2] = {0, 2}, along = 0;
  MlirValue column = takeAt(lu, a, 2), row = takeAt(lu, a, 1);
  MlirValue zero = xlaArraySplat(
      ir, xlaArrayNumber(ir, xlaArrayShape(a).elementType, 0), column);
  MlirValue pivot = xlaArraySum(
      ir, xlaArraySelect(ir, indexIs(lu, "EQ", 2, dims, 1), column, zero), 2);
  *isZero = xlaArrayCompare(
      ir, "EQ", pivot,
      xlaArraySplat(ir, xlaArrayNumber(ir, xlaArrayShape(a).elementType, 0),
                    pivot));
  MlirValue quotients = binary(lu, "xla.divide", column,
                               xlaArrayBroadcast(ir, pivot, 2, dims, &along));
  quotients = xlaArraySelect(
      ir, xlaArrayBroadcast(ir, *isZero, 2, dims, &along), column, quotients);
  MlirValue below = xlaArrayBroadcast(ir, quotients, 3, whole, rows);
  MlirValue product = binary(lu, "xla.multiply", below,
                             xlaArrayBroadcast(ir, row, 3, whole, columns));
  MlirValue reduced = binary(lu, "xla.subtract", a, product);
  MlirValue isBelow = indexIs(lu, "GT", 3, whole, 1);
  MlirValue inRest =
      binary(lu, "xla.and", isBelow, indexIs(lu, "GT", 3, whole, 2));
  MlirValue inColumn =
      binary(lu, "xla.and", isBelow, indexIs(lu, "EQ", 3, whole, 2));
  a = xlaArraySelect(ir, inRest, reduced, a);
  return xlaArraySelect(ir, inColumn, below, a);
}

static void buildStep(Lu *lu, MlirBlock block) {
  XlaIr *ir = &lu->ir;
  int64_t dims[2] = {lu->batch, lu->least}, along = 0;
  MlirValue next[stateCount];
  for (int i = 0; i < stateCount; ++i)
    next[i] = mlirBlockGetArgument(block, i);
  lu->column = next[stateColumn];
  MlirValue pivot = findPivot(lu, takeAt(lu, next[stateMatrix], 2));
  MlirValue number =
      binary(lu, "xla.add", pivot, xlaArrayInteger(ir, pivot, 1));
  next[statePivots] = xlaArraySelect(
      ir, indexIs(lu, "EQ", 2, dims, 1),
      xlaArrayBroadcast(ir, number, 2, dims, &along), next[statePivots]);
  MlirValue isZero;
  next[stateMatrix] =
      eliminate(lu, exchangeRows(lu, next[stateMatrix], pivot), &isZero);
  MlirValue failure = next[stateFailure];
  next[stateColumn] =
      binary(lu, "xla.add", lu->column, xlaArrayInteger(ir, lu->column, 1));
  MlirValue isFirst = binary(
      lu, "xla.and", isZero,
      xlaArrayCompare(ir, "EQ", failure, xlaArrayInteger(ir, failure, 0)));
  next[stateFailure] = xlaArraySelect(
      ir, isFirst, xlaArraySplat(ir, next[stateColumn], failure), failure);
  xlaIrCreate(ir, "xla.return", stateCount, next, 0, NULL, 0, NULL, 0, NULL);
}

static MlirBlock stateBlock(const XlaIr *ir, MlirRegion region,
                            const MlirType *types) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  for (int i = 0; i < stateCount; ++i)
    mlirBlockAddArgument(block, types[i], ir->location);
  return block;
}

static void buildLoop(const XlaIr *ir, Lu *lu, MlirValue *state) {
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirType types[stateCount];
  for (int i = 0; i < stateCount; ++i)
    types[i] = mlirValueGetType(state[i]);
  XlaIr condition = xlaIrIn(*ir, stateBlock(ir, regions[0], types));
  MlirValue column = mlirBlockGetArgument(condition.block, 0);
  MlirValue more =
      xlaArrayCompare(&condition, "LT", column,
                      xlaArrayInteger(&condition, column, (uint64_t)lu->least));
  xlaIrCreate(&condition, "xla.return", 1, &more, 0, NULL, 0, NULL, 0, NULL);
  MlirBlock block = stateBlock(ir, regions[1], types);
  lu->ir = xlaIrIn(*ir, block);
  buildStep(lu, block);
  XlaIr outer = *ir;
  MlirOperation loop = xlaIrCreate(&outer, "xla.while", stateCount, state,
                                   stateCount, types, 0, NULL, 2, regions);
  for (int i = 0; i < stateCount; ++i)
    state[i] = mlirOperationGetResult(loop, i);
}

void xlaLapackLu(XlaIr *ir, MlirValue a, MlirValue results[3]) {
  XlaShape shape = xlaArrayShape(a);
  Lu lu = {.batch = 1,
           .m = shape.dims[shape.rank - 2],
           .n = shape.dims[shape.rank - 1]};
  lu.least = lu.m < lu.n ? lu.m : lu.n;
  for (int d = 0; d + 2 < shape.rank; ++d)
    lu.batch *= shape.dims[d];
  int64_t whole[3] = {lu.batch, lu.m, lu.n};
  int64_t pivots[2] = {lu.batch, lu.least};
  MlirValue zero = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  MlirValue state[stateCount] = {zero, xlaArrayReshape(ir, a, 3, whole),
                                 xlaArrayBroadcast(ir, zero, 2, pivots, NULL),
                                 xlaArrayBroadcast(ir, zero, 1, pivots, NULL)};
  if (lu.batch && lu.least)
    buildLoop(ir, &lu, state);
  results[0] = xlaArrayReshape(ir, state[stateMatrix], shape.rank, shape.dims);
  shape.dims[shape.rank - 2] = lu.least;
  results[1] =
      xlaArrayReshape(ir, state[statePivots], shape.rank - 1, shape.dims);
  results[2] =
      xlaArrayReshape(ir, state[stateFailure], shape.rank - 2, shape.dims);
}

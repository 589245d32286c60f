//===- matrices.c - Batches of matrices -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/lapack/matrices.h"

#include "mlir-c/BuiltinAttributes.h"

#include <float.h>
#include <string.h>

static XlaElementType typeOf(MlirValue x) {
  return xlaArrayShape(x).elementType;
}

static XlaElementType realTypeOf(MlirValue x) {
  return xlaElementTypeReal(typeOf(x));
}

MlirValue xlaMatrixBatch(XlaIr *ir, MlirValue array) {
  XlaShape shape = xlaArrayShape(array);
  int64_t dims[3] = {1, shape.dims[shape.rank - 2], shape.dims[shape.rank - 1]};
  for (int d = 0; d + 2 < shape.rank; ++d)
    dims[0] *= shape.dims[d];
  return xlaArrayReshape(ir, array, 3, dims);
}

bool xlaMatrixIsComplex(MlirValue x) {
  return xlaElementTypeIsComplex(typeOf(x));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static MlirValue joined(XlaIr *ir, MlirValue re, MlirValue im) {
  XlaShape shape = xlaArrayShape(re);
  shape.elementType = shape.elementType == XlaElementTypeF64
                          ? XlaElementTypeC128
                          : XlaElementTypeC64;
  return xlaIrOp(ir, "xla.complex", xlaShapeToMlir(&shape, ir->context), 2,
                 (MlirValue[]){re, im}, 0, NULL);
}

static MlirValue realNumber(XlaIr *ir, MlirValue like, double number) {
  return xlaArraySplat(ir, xlaArrayNumber(ir, realTypeOf(like), number), like);
}

MlirValue xlaMatrixNumber(XlaIr *ir, MlirValue like, double number) {
  return xlaMatrixFromReal(ir, realNumber(ir, like, number), like);
}

MlirValue xlaMatrixFromReal(XlaIr *ir, MlirValue re, MlirValue like) {
  return xlaMatrixIsComplex(like) ? joined(ir, re, realNumber(ir, re, 0)) : re;
}

MlirValue xlaMatrixReal(XlaIr *ir, MlirValue x) {
  return xlaMatrixIsComplex(x) ? xlaArrayCast(ir, "xla.real", x, realTypeOf(x))
                               : x;
}

MlirValue xlaMatrixImaginary(XlaIr *ir, MlirValue x) {
  return xlaMatrixIsComplex(x) ? xlaArrayCast(ir, "xla.imag", x, realTypeOf(x))
                               : realNumber(ir, x, 0);
}

MlirValue xlaMatrixConjugate(XlaIr *ir, MlirValue x) {
  return xlaMatrixIsComplex(x)
             ? joined(ir, xlaMatrixReal(ir, x),
                      xlaIrUnary(ir, "xla.negate", xlaMatrixImaginary(ir, x)))
             : x;
}

MlirValue xlaMatrixScale(XlaIr *ir, MlirValue x, MlirValue factors) {
  MlirValue re = xlaIrBinary(ir, "xla.multiply", xlaMatrixReal(ir, x), factors);
  return xlaMatrixIsComplex(x)
             ? joined(ir, re,
                      xlaIrBinary(ir, "xla.multiply", xlaMatrixImaginary(ir, x),
                                  factors))
             : re;
}

MlirValue xlaMatrixSquares(XlaIr *ir, MlirValue x) {
  MlirValue re = xlaMatrixReal(ir, x);
  MlirValue squares = xlaIrBinary(ir, "xla.multiply", re, re);
  if (!xlaMatrixIsComplex(x))
    return squares;
  MlirValue im = xlaMatrixImaginary(ir, x);
  return xlaIrBinary(ir, "xla.add", squares,
                     xlaIrBinary(ir, "xla.multiply", im, im));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static MlirValue indexOf(XlaIr *ir, MlirValue like, int d) {
  XlaShape shape = xlaArrayShape(like);
  return xlaArrayIota(ir, XlaElementTypeS32, shape.rank, shape.dims, d);
}

MlirValue xlaMatrixIndices(XlaIr *ir, const char *direction, MlirValue like,
                           int d, int e) {
  return xlaArrayCompare(ir, direction, indexOf(ir, like, d),
                         indexOf(ir, like, e));
}

MlirValue xlaMatrixIndexIs(XlaIr *ir, const char *direction, MlirValue like,
                           int d, MlirValue number) {
  MlirValue index = indexOf(ir, like, d);
  return xlaArrayCompare(ir, direction, index,
                         xlaArraySplat(ir, number, index));
}

MlirValue xlaMatrixAdd(XlaIr *ir, MlirValue number, int64_t more) {
  return more ? xlaIrBinary(ir, "xla.add", number,
                            xlaArrayInteger(ir, number, (uint64_t)more))
              : number;
}

MlirValue xlaMatrixAlong(XlaIr *ir, MlirValue x, MlirValue like,
                         int dimension) {
  XlaShape shape = xlaArrayShape(like);
  int64_t dimensions[] = {0, dimension};
  return xlaArrayBroadcast(ir, x, shape.rank, shape.dims, dimensions);
}

MlirValue xlaMatrixDiagonal(XlaIr *ir, MlirValue a) {
  XlaShape shape = xlaArrayShape(a);
  int64_t least = shape.dims[1] < shape.dims[2] ? shape.dims[1] : shape.dims[2];
  a = xlaMatrixPart(ir, xlaMatrixPart(ir, a, 1, 0, least), 2, 0, least);
  MlirValue here = xlaMatrixIndices(ir, "EQ", a, 1, 2);
  return xlaArraySum(ir, xlaArraySelect(ir, here, a, xlaMatrixNumber(ir, a, 0)),
                     4);
}

MlirValue xlaMatrixPart(XlaIr *ir, MlirValue a, int dimension, int64_t from,
                        int64_t to) {
  XlaShape shape = xlaArrayShape(a);
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK];
  memcpy(limits, shape.dims, sizeof limits);
  starts[dimension] = from;
  limits[dimension] = to;
  return xlaArraySlice(ir, a, starts, limits, NULL);
}

MlirValue xlaMatrixTakeRows(XlaIr *ir, MlirValue a, MlirValue places) {
  MlirContext context = ir->context;
  XlaShape shape = xlaArrayShape(a);
  // Of no matrices a slice has no row.
  int64_t zero = 0, one = 1, two = 2;
  int64_t sizes[3] = {shape.dims[0] ? 1 : 0, 1, shape.dims[2]};
  shape.dims[1] = xlaArrayShape(places).dims[1];
  XlaIrAttr attrs[] = {
      {"offset_dims", mlirDenseI64ArrayGet(context, 1, &two)},
      {"collapsed_slice_dims", mlirDenseI64ArrayGet(context, 1, &one)},
      {"operand_batching_dims", mlirDenseI64ArrayGet(context, 1, &zero)},
      {"start_indices_batching_dims", mlirDenseI64ArrayGet(context, 1, &zero)},
      {"start_index_map", mlirDenseI64ArrayGet(context, 1, &one)},
      {"index_vector_dim", xlaIrI64Attr(context, 2)},
      {"slice_sizes", mlirDenseI64ArrayGet(context, 3, sizes)},
  };
  return xlaIrOp(ir, "xla.gather", xlaShapeToMlir(&shape, context), 2,
                 (MlirValue[]){a, places}, 7, attrs);
}

MlirValue xlaMatrixTranspose(XlaIr *ir, MlirValue a) {
  const int64_t permutation[] = {0, 2, 1};
  return xlaArrayTranspose(ir, a, permutation);
}

MlirValue xlaMatrixHermitian(XlaIr *ir, MlirValue a, bool lower) {
  MlirValue other = xlaMatrixConjugate(ir, xlaMatrixTranspose(ir, a));
  MlirValue real = xlaMatrixFromReal(ir, xlaMatrixReal(ir, a), a);
  MlirValue whole = xlaArraySelect(
      ir, xlaMatrixIndices(ir, lower ? "GT" : "LT", a, 1, 2), a, other);
  return xlaArraySelect(ir, xlaMatrixIndices(ir, "EQ", a, 1, 2), real, whole);
}

MlirValue xlaMatrixUnit(XlaIr *ir, XlaElementType type, int64_t batch,
                        int64_t rows, int64_t columns) {
  int64_t dims[] = {batch, rows, columns};
  MlirValue zero =
      xlaArrayBroadcast(ir, xlaArrayNumber(ir, type, 0), 3, dims, NULL);
  return xlaArraySelect(ir, xlaMatrixIndices(ir, "EQ", zero, 1, 2),
                        xlaMatrixNumber(ir, zero, 1), zero);
}

MlirValue xlaMatrixPad(XlaIr *ir, MlirValue a, int64_t rows, int64_t columns) {
  int64_t none[3] = {0}, high[3] = {0, rows, columns};
  return xlaArrayPad(ir, a, xlaArrayNumber(ir, typeOf(a), 0), none, high, none);
}

MlirValue xlaMatrixWindow(XlaIr *ir, MlirValue a, int dimension, MlirValue from,
                          int64_t size) {
  XlaShape shape = xlaArrayShape(a);
  MlirValue zero = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  MlirValue operands[] = {a, zero, zero, zero};
  operands[1 + dimension] = from;
  shape.dims[dimension] = size;
  return xlaIrOp(
      ir, "xla.dynamic_slice", xlaShapeToMlir(&shape, ir->context),
      1 + shape.rank, operands, 1,
      &(XlaIrAttr){"slice_sizes",
                   mlirDenseI64ArrayGet(ir->context, shape.rank, shape.dims)});
}

MlirValue xlaMatrixSetWindow(XlaIr *ir, MlirValue a, int dimension,
                             MlirValue from, MlirValue part) {
  MlirValue zero = xlaArrayNumber(ir, XlaElementTypeS32, 0);
  MlirValue operands[] = {a, part, zero, zero, zero};
  operands[2 + dimension] = from;
  return xlaIrOp(ir, "xla.dynamic_update_slice", mlirValueGetType(a),
                 2 + xlaArrayShape(a).rank, operands, 0, NULL);
}

MlirValue xlaMatrixProduct(XlaIr *ir, MlirValue a, int64_t i, MlirValue b,
                           int64_t j) {
  int64_t batch = 0;
  XlaShape shape = xlaArrayShape(a), other = xlaArrayShape(b);
  shape.dims[1] = shape.dims[3 - i];
  shape.dims[2] = other.dims[3 - j];
  XlaIrAttr attrs[] = {
      {"lhs_batching_dimensions", mlirDenseI64ArrayGet(ir->context, 1, &batch)},
      {"rhs_batching_dimensions", mlirDenseI64ArrayGet(ir->context, 1, &batch)},
      {"lhs_contracting_dimensions", mlirDenseI64ArrayGet(ir->context, 1, &i)},
      {"rhs_contracting_dimensions", mlirDenseI64ArrayGet(ir->context, 1, &j)}};
  return xlaIrOp(ir, "xla.dot_general", xlaShapeToMlir(&shape, ir->context), 2,
                 (MlirValue[]){a, b}, 4, attrs);
}

MlirValue xlaMatrixSolveUnit(XlaIr *ir, MlirValue a, bool lower, MlirValue b) {
  XlaIrAttr attrs[] = {
      {"left_side", mlirBoolAttrGet(ir->context, true)},
      {"lower", mlirBoolAttrGet(ir->context, lower)},
      {"unit_diagonal", mlirBoolAttrGet(ir->context, true)},
      {"transpose_a", xlaIrStringAttr(ir->context, "NO_TRANSPOSE")},
  };
  return xlaIrOp(ir, "xla.triangular_solve", mlirValueGetType(b), 2,
                 (MlirValue[]){a, b}, 4, attrs);
}

static MlirValue largestAlong(XlaIr *ir, MlirValue a, uint32_t dimensions) {
  MlirValue size = xlaArrayCast(ir, "xla.abs", a, realTypeOf(a));
  MlirValue most =
      xlaArrayReduce(ir, "xla.maximum", size,
                     xlaArrayNumber(ir, realTypeOf(a), 0), dimensions);
  double least = realTypeOf(a) == XlaElementTypeF64 ? DBL_MIN : FLT_MIN;
  return xlaIrBinary(ir, "xla.maximum", most, xlaMatrixNumber(ir, most, least));
}

MlirValue xlaMatrixLargest(XlaIr *ir, MlirValue a) {
  return largestAlong(ir, a, 6);
}

MlirValue xlaMatrixLargestOfRows(XlaIr *ir, MlirValue x) {
  return largestAlong(ir, x, 2);
}

MlirValue xlaMatrixInverse(XlaIr *ir, MlirValue places) {
  XlaShape shape = xlaArrayShape(places);
  int64_t n = shape.dims[1], dims[] = {shape.dims[0], n, n}, rows[] = {0, 1};
  MlirValue number = xlaArrayIota(ir, XlaElementTypeS32, 3, dims, 1);
  MlirValue isHere =
      xlaArrayCompare(ir, "EQ", xlaArrayBroadcast(ir, places, 3, dims, rows),
                      xlaArrayIota(ir, XlaElementTypeS32, 3, dims, 2));
  return xlaArraySum(
      ir, xlaArraySelect(ir, isHere, number, xlaArrayInteger(ir, number, 0)),
      2);
}

/// The place of a number is how many are before it.
MlirValue xlaMatrixOrder(XlaIr *ir, MlirValue x, bool leastFirst) {
  XlaShape shape = xlaArrayShape(x);
  int64_t n = shape.dims[1], dims[3] = {shape.dims[0], n, n};
  int64_t rows[] = {0, 1}, columns[] = {0, 2};
  MlirValue one = xlaArrayBroadcast(ir, x, 3, dims, rows);
  MlirValue other = xlaArrayBroadcast(ir, x, 3, dims, columns);
  MlirValue isBefore =
      xlaArrayCompare(ir, leastFirst ? "LT" : "GT", other, one);
  MlirValue isEqual =
      xlaIrBinary(ir, "xla.and", xlaArrayCompare(ir, "EQ", other, one),
                  xlaMatrixIndices(ir, "LT", one, 2, 1));
  isBefore = xlaIrBinary(ir, "xla.or", isBefore, isEqual);
  MlirValue place =
      xlaArraySum(ir, xlaArrayConvert(ir, isBefore, XlaElementTypeS32), 4);
  return xlaMatrixInverse(ir, place);
}

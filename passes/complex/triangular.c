//===- triangular.c - Triangular matrices of complex numbers --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With z = x + i y as the block [x -y; y x], sums and products of matrices are
// those of real matrices twice the size, the adjoint is the transposed matrix,
// and a triangular matrix is one again where the numbers on its diagonal are
// real. Those of Cholesky's factors are; rows of systems are divided by theirs.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/complex/complex.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/op.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// `a` and `b` beside each other along a new dimension.
static MlirValue stack(XlaIr *ir, MlirValue a, MlirValue b, int dimension) {
  XlaShape shape = xlaArrayShape(a);
  memmove(shape.dims + dimension + 1, shape.dims + dimension,
          (size_t)(shape.rank - dimension) * sizeof *shape.dims);
  shape.dims[dimension] = 1;
  MlirValue parts[] = {xlaArrayReshape(ir, a, shape.rank + 1, shape.dims),
                       xlaArrayReshape(ir, b, shape.rank + 1, shape.dims)};
  return xlaArrayConcatenate(ir, 2, parts, dimension);
}

/// Part `k` of what has two along `dimension`, without that.
static MlirValue unstack(XlaIr *ir, MlirValue a, int k, int dimension) {
  XlaShape shape = xlaArrayShape(a);
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK];
  memcpy(limits, shape.dims, sizeof limits);
  starts[dimension] = k;
  limits[dimension] = k + 1;
  a = xlaArraySlice(ir, a, starts, limits, NULL);
  memmove(limits + dimension, limits + dimension + 1,
          (size_t)(shape.rank - dimension - 1) * sizeof *limits);
  return xlaArrayReshape(ir, a, shape.rank - 1, limits);
}

/// An array with a dimension twice as long, of parts along it or behind it.
static MlirValue join(XlaIr *ir, MlirValue re, MlirValue im, int dimension) {
  XlaShape shape = xlaArrayShape(re);
  shape.dims[dimension] *= 2;
  return xlaArrayReshape(ir, stack(ir, re, im, dimension + 1), shape.rank,
                         shape.dims);
}

/// Parts of a dimension half as long.
static XlaComplex separate(XlaIr *ir, MlirValue a, int dimension) {
  XlaShape shape = xlaArrayShape(a);
  memmove(shape.dims + dimension + 1, shape.dims + dimension,
          (size_t)(shape.rank - dimension) * sizeof *shape.dims);
  shape.dims[dimension] /= 2;
  shape.dims[dimension + 1] = 2;
  a = xlaArrayReshape(ir, a, shape.rank + 1, shape.dims);
  return (XlaComplex){unstack(ir, a, 0, dimension + 1),
                      unstack(ir, a, 1, dimension + 1)};
}

/// Where the diagonals of the matrices are.
static MlirValue onDiagonal(XlaIr *ir, const XlaShape *shape) {
  int rank = shape->rank;
  return xlaArrayCompare(
      ir, "EQ",
      xlaArrayIota(ir, XlaElementTypeS32, rank, shape->dims, rank - 2),
      xlaArrayIota(ir, XlaElementTypeS32, rank, shape->dims, rank - 1));
}

static MlirValue zeros(XlaIr *ir, MlirValue like) {
  XlaElementType type = xlaArrayShape(like).elementType;
  return xlaArraySplat(ir, xlaArrayNumber(ir, type, 0), like);
}

/// The real matrices of `a`, whose diagonals are taken for real.
static MlirValue realMatrix(XlaIr *ir, XlaComplex a, bool conjugated) {
  XlaShape shape = xlaArrayShape(a.re);
  MlirValue im =
      xlaArraySelect(ir, onDiagonal(ir, &shape), zeros(ir, a.im), a.im);
  MlirValue other = xlaIrUnary(ir, "xla.negate", im);
  if (conjugated) {
    MlirValue swap = im;
    im = other;
    other = swap;
  }
  int last = shape.rank - 1;
  return join(ir, join(ir, a.re, other, last), join(ir, im, a.re, last),
              last - 1);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

XlaComplex xlaComplexCholesky(XlaIr *ir, MlirOperation op, XlaComplex a) {
  int last = xlaArrayShape(a.re).rank - 1;
  MlirValue real = realMatrix(ir, a, false);
  MlirType type = mlirValueGetType(real);
  real = mlirOperationGetResult(xlaFlattenCopy(op, ir, 1, &real, 1, &type), 0);
  XlaComplex columns = separate(ir, real, last);
  return separate(ir, columns.re, last - 1);
}

/// `a`, divided by `divisors` along one of its last two dimensions.
static XlaComplex divideAlong(XlaIr *ir, XlaComplex a, XlaComplex divisors,
                              int dimension) {
  XlaShape shape = xlaArrayShape(a.re);
  int64_t dimensions[XLA_MAX_RANK];
  for (int d = 0; d + 2 < shape.rank; ++d)
    dimensions[d] = d;
  dimensions[shape.rank - 2] = dimension;
  XlaComplex operands[] = {
      a,
      {xlaArrayBroadcast(ir, divisors.re, shape.rank, shape.dims, dimensions),
       xlaArrayBroadcast(ir, divisors.im, shape.rank, shape.dims, dimensions)}};
  XlaComplex result;
  xlaComplexElementwise(ir, XlaOpKindDivide, operands, &result);
  return result;
}

static MlirValue diagonalOf(XlaIr *ir, MlirValue a) {
  XlaShape shape = xlaArrayShape(a);
  return xlaArraySum(
      ir, xlaArraySelect(ir, onDiagonal(ir, &shape), a, zeros(ir, a)),
      UINT32_C(1) << (shape.rank - 1));
}

XlaComplex xlaComplexTriangularSolve(XlaIr *ir, MlirOperation op, XlaComplex a,
                                     XlaComplex b) {
  int last = xlaArrayShape(a.re).rank - 1;
  bool left = xlaOpIsTrue(op, "left_side");
  bool isPlain = xlaOpAttrIs(op, "transpose_a", "NO_TRANSPOSE");
  bool isAdjoint = xlaOpAttrIs(op, "transpose_a", "ADJOINT");
  int unknowns = left ? last - 1 : last;
  if (!xlaOpIsTrue(op, "unit_diagonal")) {
    XlaComplex diagonal = {diagonalOf(ir, a.re), diagonalOf(ir, a.im)};
    a = divideAlong(ir, a, diagonal, left == isPlain ? last - 1 : last);
    if (isAdjoint)
      diagonal.im = xlaIrUnary(ir, "xla.negate", diagonal.im);
    b = divideAlong(ir, b, diagonal, unknowns);
  }
  MlirValue operands[] = {
      realMatrix(ir, a, left ? !isPlain && !isAdjoint : isPlain || isAdjoint),
      join(ir, b.re, b.im, unknowns)};
  XlaIrAttr attrs[] = {
      {"left_side", mlirBoolAttrGet(ir->context, left)},
      {"lower", xlaOpGetAttr(op, "lower")},
      {"unit_diagonal", mlirBoolAttrGet(ir->context, true)},
      {"transpose_a", xlaOpGetAttr(op, "transpose_a")},
  };
  MlirValue x = xlaIrOp(ir, "xla.triangular_solve",
                        mlirValueGetType(operands[1]), 2, operands, 4, attrs);
  return separate(ir, x, unknowns);
}

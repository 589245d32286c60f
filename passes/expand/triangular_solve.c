//===- triangular_solve.c - Triangular systems in blocks ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unknowns of one half of the matrix follow from its triangle. What they
// contribute to the other half is a product, which goes to the right side.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/triangular.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"

#include <string.h>

/// Right sides from which on they are columns, whose elements lie together.
enum { minColumns = 8 };

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

int64_t xlaTriangularCut(int64_t n) {
  int64_t cut = XLA_TRIANGULAR_BLOCK;
  if (n <= cut + 1)
    return 0;
  while (2 * cut + 1 < n)
    cut *= 2;
  return cut;
}

MlirLogicalResult xlaTriangularCheck(MlirOperation op, int64_t n) {
  return n <= XLA_TRIANGULAR_MAX
             ? success()
             : xlaOpUnsupported(op, NULL,
                                "has matrices of %lld rows, more than the %d "
                                "that compiled programs take",
                                (long long)n, XLA_TRIANGULAR_MAX);
}

bool xlaTriangularStays(XlaIr *ir, MlirOperation op, MlirValue operand,
                        MlirValue *result) {
  XlaShape shape = xlaArrayShape(operand);
  int64_t count = 0;
  xlaShapeGetElementCount(&shape, &count);
  *result = operand;
  if (count && xlaElementTypeIsComplex(shape.elementType)) {
    MlirOperation clone = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, clone);
    *result = mlirOperationGetResult(clone, 0);
  }
  return !count || xlaElementTypeIsComplex(shape.elementType);
}

MlirValue xlaTriangularPart(XlaIr *ir, MlirValue a, int64_t row, int64_t rows,
                            int64_t column, int64_t columns) {
  int64_t starts[] = {0, row, column};
  int64_t limits[] = {xlaArrayShape(a).dims[0], row + rows, column + columns};
  return xlaArraySlice(ir, a, starts, limits, NULL);
}

MlirValue xlaTriangularTranspose(XlaIr *ir, MlirValue a) {
  const int64_t permutation[] = {0, 2, 1};
  return xlaArrayTranspose(ir, a, permutation);
}

MlirValue xlaTriangularEnter(XlaIr *ir, MlirValue array) {
  XlaShape shape = xlaArrayShape(array);
  int64_t dims[3] = {1, shape.dims[shape.rank - 2], shape.dims[shape.rank - 1]};
  for (int d = 0; d + 2 < shape.rank; ++d)
    dims[0] *= shape.dims[d];
  if (xlaElementTypeGetInfo(shape.elementType)->bits < 32)
    array = xlaArrayConvert(ir, array, XlaElementTypeF32);
  return xlaArrayReshape(ir, array, 3, dims);
}

MlirValue xlaTriangularLeave(XlaIr *ir, MlirValue array, MlirValue like) {
  XlaShape shape = xlaArrayShape(like);
  array = xlaArrayReshape(ir, array, shape.rank, shape.dims);
  return xlaArrayConvert(ir, array, shape.elementType);
}

MlirValue xlaTriangularReduce(XlaIr *ir, MlirValue c, MlirValue a,
                              bool transposed, MlirValue b) {
  int64_t batch = 0, left = transposed ? 1 : 2, right = 1;
  XlaIrAttr attrs[] = {
      {"lhs_batching_dimensions", mlirDenseI64ArrayGet(ir->context, 1, &batch)},
      {"rhs_batching_dimensions", mlirDenseI64ArrayGet(ir->context, 1, &batch)},
      {"lhs_contracting_dimensions",
       mlirDenseI64ArrayGet(ir->context, 1, &left)},
      {"rhs_contracting_dimensions",
       mlirDenseI64ArrayGet(ir->context, 1, &right)}};
  MlirValue product = xlaIrOp(ir, "xla.dot_general", mlirValueGetType(c), 2,
                              (MlirValue[]){a, b}, 4, attrs);
  return xlaIrBinary(ir, "xla.subtract", c, product);
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

/// A block, as the operation itself.
static MlirValue solveBlock(XlaIr *ir, XlaTriangularForm form, bool left,
                            MlirValue a, MlirValue b) {
  const char *word = form.transposed ? "TRANSPOSE" : "NO_TRANSPOSE";
  XlaIrAttr attrs[] = {
      {"left_side", mlirBoolAttrGet(ir->context, left)},
      {"lower", mlirBoolAttrGet(ir->context, form.lower)},
      {"unit_diagonal", mlirBoolAttrGet(ir->context, form.unit)},
      {"transpose_a", xlaIrStringAttr(ir->context, word)},
  };
  return xlaIrOp(ir, "xla.triangular_solve", mlirValueGetType(b), 2,
                 (MlirValue[]){a, b}, 4, attrs);
}

MlirValue xlaTriangularSolve(XlaIr *ir, XlaTriangularForm form, MlirValue a,
                             MlirValue b) {
  int64_t n = xlaArrayShape(a).dims[2], m = xlaArrayShape(b).dims[2];
  int64_t cut = xlaTriangularCut(n);
  if (!cut)
    return solveBlock(ir, form, true, a, b);
  bool downwards = form.lower != form.transposed;
  int64_t start[2] = {0, cut}, size[2] = {cut, n - cut};
  int first = !downwards, second = downwards;
  MlirValue x[2];
  x[first] = xlaTriangularSolve(
      ir, form,
      xlaTriangularPart(ir, a, start[first], size[first], start[first],
                        size[first]),
      xlaTriangularPart(ir, b, start[first], size[first], 0, m));
  int row = form.transposed ? first : second, column = !row;
  MlirValue rest = xlaTriangularReduce(
      ir, xlaTriangularPart(ir, b, start[second], size[second], 0, m),
      xlaTriangularPart(ir, a, start[row], size[row], start[column],
                        size[column]),
      form.transposed, x[first]);
  x[second] =
      xlaTriangularSolve(ir, form,
                         xlaTriangularPart(ir, a, start[second], size[second],
                                           start[second], size[second]),
                         rest);
  return xlaArrayConcatenate(ir, 2, x, 1);
}

MlirLogicalResult xlaExpandTriangularSolve(XlaIr *ir, MlirOperation op,
                                           MlirValue *results) {
  MlirValue right = mlirOperationGetOperand(op, 1);
  if (xlaTriangularStays(ir, op, right, &results[0]))
    return success();
  MlirValue a = xlaTriangularEnter(ir, mlirOperationGetOperand(op, 0));
  MlirValue b = xlaTriangularEnter(ir, right), x;
  XlaShape shape = xlaArrayShape(b);
  int64_t n = xlaArrayShape(a).dims[2];
  bool left = xlaOpIsTrue(op, "left_side");
  int64_t columns = shape.dims[left ? 2 : 1];
  XlaTriangularForm form = {
      .lower = xlaOpIsTrue(op, "lower"),
      .unit = xlaOpIsTrue(op, "unit_diagonal"),
      .transposed = !xlaOpAttrIs(op, "transpose_a", "NO_TRANSPOSE")};
  if (failed(xlaTriangularCheck(op, n)))
    return failure();
  if (left) {
    x = xlaTriangularSolve(ir, form, a, b);
  } else if (!xlaTriangularCut(n) && columns < minColumns) {
    x = solveBlock(ir, form, false, a, b);
  } else { // op(a)^T x^T = b^T
    form.transposed = !form.transposed;
    x = xlaTriangularTranspose(
        ir, xlaTriangularSolve(ir, form, a, xlaTriangularTranspose(ir, b)));
  }
  results[0] = xlaTriangularLeave(ir, x, right);
  return success();
}

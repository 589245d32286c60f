//===- cholesky.c - Cholesky's decomposition in blocks --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the factor u, whose rows lie together in memory, the first half of the
// rows follows from the first triangle; what its right part contributes to the
// second triangle is a product.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/triangular.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"

#include <math.h>

/// Sizes from which on a transposed matrix is factored faster.
enum { minTransposed = 8 };

static MlirValue factorBlock(XlaIr *ir, MlirValue a, bool lower) {
  return xlaIrOp(ir, "xla.cholesky", mlirValueGetType(a), 1, &a, 1,
                 &(XlaIrAttr){"lower", mlirBoolAttrGet(ir->context, lower)});
}

static MlirValue filled(XlaIr *ir, MlirValue like, int64_t rows,
                        int64_t columns, double number) {
  XlaShape shape = xlaArrayShape(like);
  int64_t dims[] = {shape.dims[0], rows, columns};
  return xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, number), 3,
                           dims, NULL);
}

/// u with u^T u = a, of which the lower triangle is not read. A block without a
/// factor is NaN, and so are those behind it.
static MlirValue factor(XlaIr *ir, MlirValue a) {
  int64_t n = xlaArrayShape(a).dims[2], cut = xlaTriangularCut(n);
  if (!cut)
    return factorBlock(ir, a, false);
  int64_t rest = n - cut;
  MlirValue upper[2], lower[2];
  upper[0] = factor(ir, xlaTriangularPart(ir, a, 0, cut, 0, cut));
  upper[1] =
      xlaTriangularSolve(ir, (XlaTriangularForm){.transposed = true}, upper[0],
                         xlaTriangularPart(ir, a, 0, cut, cut, rest));
  lower[0] = filled(ir, a, rest, cut, 0);
  lower[1] = factor(ir, xlaTriangularReduce(
                            ir, xlaTriangularPart(ir, a, cut, rest, cut, rest),
                            upper[1], true, upper[1]));
  MlirValue rows[] = {xlaArrayConcatenate(ir, 2, upper, 2),
                      xlaArrayConcatenate(ir, 2, lower, 2)};
  return xlaArrayConcatenate(ir, 2, rows, 1);
}

/// All of a matrix is NaN where its last block is, as an element of that shows
/// which is 0 otherwise.
static MlirValue spoil(XlaIr *ir, MlirValue u) {
  XlaShape shape = xlaArrayShape(u);
  int64_t n = shape.dims[2], last = n, cut, batch = 0;
  while ((cut = xlaTriangularCut(last)))
    last -= cut;
  MlirValue corner = xlaTriangularPart(ir, u, n - 1, 1, n - last, 1);
  corner = xlaArrayReshape(ir, corner, 1, shape.dims);
  MlirValue isNan = xlaArrayCompare(ir, "NE", corner, corner);
  return xlaArraySelect(ir, xlaArrayBroadcast(ir, isNan, 3, shape.dims, &batch),
                        filled(ir, u, n, n, (double)NAN), u);
}

MlirLogicalResult xlaExpandCholesky(XlaIr *ir, MlirOperation op,
                                    MlirValue *results) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  if (xlaTriangularStays(ir, op, operand, &results[0]))
    return success();
  MlirValue a = xlaTriangularEnter(ir, operand);
  int64_t n = xlaArrayShape(a).dims[2];
  bool lower = xlaOpIsTrue(op, "lower");
  if (failed(xlaTriangularCheck(op, n)))
    return failure();
  if (lower && n < minTransposed) {
    a = factorBlock(ir, a, true);
  } else {
    if (lower)
      a = xlaTriangularTranspose(ir, a);
    a = factor(ir, a);
    if (xlaTriangularCut(n))
      a = spoil(ir, a);
    if (lower)
      a = xlaTriangularTranspose(ir, a);
  }
  results[0] = xlaTriangularLeave(ir, a, operand);
  return success();
}

//===- triangular.c - Triangular matrices with sizes ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows and columns that are not there become those of the unit matrix, which
// has nothing to do with the others.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/result_internal.h"

/// The square matrices `a`, filled up from size `n` on.
static MlirValue fillUp(XlaBoundedOp *b, const XlaBounded *a, MlirValue n) {
  XlaIr *ir = &b->ir;
  int rank = a->shape.rank;
  XlaElementType type = a->shape.elementType;
  uint32_t lastTwo = (uint32_t)(UINT64_C(3) << rank >> 2);
  MlirValue filled =
      xlaBoundedFill(ir, a, lastTwo, xlaArrayNumber(ir, type, 0));
  MlirValue row =
      xlaArrayIota(ir, XlaElementTypeS32, rank, a->shape.dims, rank - 2);
  MlirValue column =
      xlaArrayIota(ir, XlaElementTypeS32, rank, a->shape.dims, rank - 1);
  MlirValue isUnit =
      xlaIrBinary(ir, "xla.and", xlaArrayCompare(ir, "EQ", row, column),
                  xlaArrayCompare(ir, "GE", row, xlaArraySplat(ir, n, row)));
  return xlaArraySelect(ir, isUnit, xlaArrayConvert(ir, isUnit, type), filled);
}

/// Fails the run unless sizes are as the operation wants them.
static MlirLogicalResult check(XlaBoundedOp *b, const XlaBounded *a,
                               const XlaBounded *right, int unknowns) {
  int rank = a->shape.rank;
  bool isFactor = b->kind == XlaOpKindCholesky;
  MlirValue n = xlaBoundedSize(&b->ir, a, rank - 2);
  if (failed(xlaBoundedCheck(
          b, XlaBoundedEqual, n, xlaBoundedSize(&b->ir, a, rank - 1),
          isFactor ? "cholesky_c3" : "triangular_solve_c3",
          "the %s have %%d rows and %%d columns, must be square",
          isFactor ? "operand's matrices" : "matrices of a")))
    return failure();
  for (int d = 0; !isFactor && d + 2 < rank; ++d)
    if (failed(xlaBoundedCheck(b, XlaBoundedEqual, xlaBoundedSize(&b->ir, a, d),
                               xlaBoundedSize(&b->ir, right, d),
                               "triangular_solve_c3",
                               "batch dimension %d of a is %%d, of b %%d", d)))
      return failure();
  return isFactor
             ? success()
             : xlaBoundedCheck(b, XlaBoundedEqual,
                               xlaBoundedSize(&b->ir, right, unknowns), n,
                               "triangular_solve_c3",
                               "the matrices of b have %%d %s, those of a %%d",
                               unknowns == rank - 2 ? "rows" : "columns");
}

MlirLogicalResult xlaBoundedTriangular(XlaBoundedOp *b) {
  intptr_t last = mlirOperationGetNumOperands(b->op) - 1;
  XlaBounded a = xlaBoundedOperand(b, 0), result = xlaBoundedOperand(b, last);
  int rank = a.shape.rank;
  int unknowns = xlaOpIsTrue(b->op, "left_side") ? rank - 2 : rank - 1;
  if (failed(check(b, &a, &result, unknowns)))
    return failure();
  MlirOperation made = xlaBoundedClone(b);
  mlirOperationSetOperand(made, 0,
                          fillUp(b, &a, xlaBoundedSize(&b->ir, &a, rank - 2)));
  if (last)
    mlirOperationSetOperand(
        made, 1,
        xlaBoundedFill(&b->ir, &result, UINT32_C(1) << unknowns,
                       xlaArrayNumber(&b->ir, result.shape.elementType, 0)));
  mlirOperationMoveBefore(made, b->op);
  result.shape = xlaBoundedResultShape(b, 0);
  result.array = mlirOperationGetResult(made, 0);
  return xlaBoundedSetResult(b, 0, &result);
}

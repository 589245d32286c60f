//===- factor_forms.c - What calls for factors take and give --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/factors.h"

#include "xlac/passes/arrays.h"
#include "xlac/passes/import/stablehlo/custom_call.h"

bool xlaFactorsFlag(MlirOperation op, const char *name, bool *known) {
  bool isTrue = xlaCallFlag(op, name, true);
  *known &= isTrue || xlaCallFlag(op, name, false);
  return isTrue;
}

bool xlaFactorsMatrices(MlirOperation op, bool isWide) {
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape.elementType);
  return shape.rank >= 2 && (xlaElementTypeIsComplex(shape.elementType) ||
                             (xlaElementTypeIsFloat(shape.elementType) &&
                              (!isWide || info->bits >= 32)));
}

bool xlaFactorsSquares(MlirOperation op) {
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  return xlaFactorsMatrices(op, true) &&
         shape.dims[shape.rank - 1] == shape.dims[shape.rank - 2];
}

bool xlaFactorsHaveDiagonals(MlirOperation op) {
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 3));
  bool fits = shape.rank >= 2 &&
              (xlaElementTypeIsFloat(shape.elementType) ||
               xlaElementTypeIsComplex(shape.elementType)) &&
              xlaElementTypeGetInfo(shape.elementType)->bits >= 32;
  shape.rank -= fits;
  for (int i = 0; fits && i < 3; ++i) {
    XlaShape diagonal = xlaArrayShape(mlirOperationGetOperand(op, i));
    fits = diagonal.elementType == shape.elementType &&
           xlaShapeDimsEqual(&diagonal, &shape);
  }
  return fits;
}

MlirValue xlaFactorsFailures(XlaIr *ir, MlirValue x, int n) {
  int rank = xlaArrayShape(x).rank;
  MlirValue isNan = xlaArrayCompare(ir, "NE", x, x);
  MlirValue count =
      xlaArraySum(ir, xlaArrayConvert(ir, isNan, XlaElementTypeS32),
                  (n == 2 ? UINT32_C(3) : UINT32_C(1)) << (rank - n));
  return xlaArrayConvert(
      ir, xlaArrayCompare(ir, "GT", count, xlaArrayInteger(ir, count, 0)),
      XlaElementTypeS32);
}

MlirValue xlaFactorsZeros(XlaIr *ir, MlirOperation op, intptr_t i) {
  XlaShape shape = xlaArrayShape(mlirOperationGetResult(op, i));
  return xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0),
                           shape.rank, shape.dims, NULL);
}

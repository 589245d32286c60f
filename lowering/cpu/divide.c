//===- divide.c - Division of vectors of integers -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processors divide integers one by one. Floats they divide by the vector, and
// the quotient of two integers of n bits, rounded towards zero, is exact in
// floats of 2 n bits: with a / b no integer, the next one is at least 1 / b
// away, and the rounded quotient is off by less.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/math.h"

#include "mlir-c/BuiltinTypes.h"
#include "xlac/lowering/math/ops.h"

static bool isConstant(V value) {
  return mlirValueIsAOpResult(value) &&
         xlaIrIsOp(mlirOpResultGetOwner(value), "arith.constant");
}

bool xlaCpuIsDivision(MlirOperation op) {
  return xlaIrIsOp(op, "arith.divsi") || xlaIrIsOp(op, "arith.divui") ||
         xlaIrIsOp(op, "arith.remsi") || xlaIrIsOp(op, "arith.remui");
}

V xlaCpuDivide(MlirOperation op) {
  V x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(x), element = xlaIrElementType(type);
  // By constants the compiler multiplies.
  if (!mlirTypeIsAVector(type) || !mlirTypeIsAInteger(element) ||
      mlirIntegerTypeGetWidth(element) > 32 || isConstant(y))
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  bool isSigned = xlaIrIsOp(op, "arith.divsi") || xlaIrIsOp(op, "arith.remsi");
  bool isQuotient =
      xlaIrIsOp(op, "arith.divsi") || xlaIrIsOp(op, "arith.divui");
  MlirType computed = xlaIrWithElement(
      type, mlirIntegerTypeGetWidth(element) > 16 ? mlirF64TypeGet(ir.context)
                                                  : mlirF32TypeGet(ir.context));
  const char *toFloat = isSigned ? "arith.sitofp" : "arith.uitofp";
  const char *toInteger = isSigned ? "arith.fptosi" : "arith.fptoui";
  V q = xlaIrBinary(&ir, "arith.divf", xlaIrCast(&ir, toFloat, x, computed),
                    xlaIrCast(&ir, toFloat, y, computed));
  q = xlaIrCast(&ir, toInteger, q, type);
  return isQuotient ? q
                    : xlaIrBinary(&ir, "arith.subi", x,
                                  xlaIrBinary(&ir, "arith.muli", q, y));
}

//===- scalar_op.c - An elementwise operation on one element --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar_op.h"

XlaScalarOp xlaScalarOpGet(MlirOperation op, XlaOpKind kind,
                           XlaElementType type, XlaElementType result) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  XlaScalarOp scalar = {.kind = kind, .type = type, .result = result};
  if (kind == XlaOpKindCompare) {
    for (int i = 0; i < 6; ++i)
      if (xlaOpAttrIs(op, "comparison_direction", directions[i]))
        scalar.comparison = (XlaComparison)i;
    scalar.totalOrder = xlaOpAttrIs(op, "compare_type", "TOTALORDER");
  }
  if (kind == XlaOpKindReducePrecision) {
    int64_t e = xlaOpGetI64(op, "exponent_bits", 11);
    int64_t m = xlaOpGetI64(op, "mantissa_bits", 52);
    scalar.exponentBits = e > 11 ? 11 : (int)e;
    scalar.mantissaBits = m > 52 ? 52 : (int)m;
  }
  return scalar;
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wswitch-enum"
XlaScalar xlaScalarOpApply(const XlaScalarOp *op, const XlaScalar *x) {
  switch (op->kind) {
  case XlaOpKindClamp: {
    XlaScalar low = xlaScalarBinary(XlaOpKindMaximum, op->type, x[0], x[1]);
    return xlaScalarBinary(XlaOpKindMinimum, op->type, low, x[2]);
  }
  case XlaOpKindSelect:
    return x[x[0].u ? 1 : 2];
  case XlaOpKindCompare:
    return (XlaScalar){.u = xlaScalarCompare(op->comparison, op->totalOrder,
                                             op->type, x[0], x[1])};
  case XlaOpKindConvert:
    return xlaScalarConvert(op->type, op->result, x[0]);
  case XlaOpKindReducePrecision:
    return (XlaScalar){
        .f = {xlaScalarReducePrecision(op->type, x[0].f.re, op->exponentBits,
                                       op->mantissaBits),
              0}};
  default:
    return xlaOpGetInfo(op->kind)->minOperands == 2
               ? xlaScalarBinary(op->kind, op->type, x[0], x[1])
               : xlaScalarUnary(op->kind, op->type, x[0]);
  }
}
#pragma clang diagnostic pop

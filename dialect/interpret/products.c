//===- products.c - Sums of products --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/products.h"

#include "xlac/dialect/interpret/scalar/scalar.h"

XlaProducts xlaProductsOf(XlaElementType result) {
  return xlaElementTypeIsComplex(result) ? XlaProductsComplex
         : xlaElementTypeIsFloat(result) ? XlaProductsFloat
                                         : XlaProductsInteger;
}

static const XlaElementType types[] = {XlaElementTypeU64, XlaElementTypeF64,
                                       XlaElementTypeC128, XlaElementTypeF64};

XlaLiteral *xlaProductsDecode(XlaEvaluator *evaluator, MlirOperation op,
                              XlaProducts products, const XlaLiteral *operand) {
  XlaShape shape = *xlaLiteralGetShape(operand);
  XlaElementType from = shape.elementType;
  shape.elementType = types[products];
  XlaLiteral *decoded = xlaEvaluatorCreateArray(evaluator, op, &shape);
  if (!decoded)
    return NULL;
  for (int64_t i = 0, n = xlaLiteralGetElementCount(operand); i < n; ++i) {
    XlaScalar x = xlaLiteralGet(operand, i);
    xlaLiteralSet(decoded, i,
                  products ? xlaScalarConvert(from, shape.elementType, x) : x);
  }
  return decoded;
}

void xlaProductsAdd(XlaProducts products, XlaScalar *sum, int64_t n,
                    const void *lhs, int64_t lhsAt, int64_t lhsStride,
                    const void *rhs, int64_t rhsAt, int64_t rhsStride) {
  if (products == XlaProductsInteger) {
    const uint64_t *a = lhs, *b = rhs;
    for (int64_t i = 0; i < n; ++i)
      sum->u += a[lhsAt + i * lhsStride] * b[rhsAt + i * rhsStride];
  } else if (products == XlaProductsFloat) {
    const double *a = lhs, *b = rhs;
    for (int64_t i = 0; i < n; ++i)
      sum->f.re += a[lhsAt + i * lhsStride] * b[rhsAt + i * rhsStride];
  } else if (products == XlaProductsSingle) {
    const double *a = lhs, *b = rhs;
    for (int64_t i = 0; i < n; ++i)
      sum->f.re = (float)(sum->f.re +
                          a[lhsAt + i * lhsStride] * b[rhsAt + i * rhsStride]);
  } else {
    const double *a = lhs, *b = rhs;
    for (int64_t i = 0; i < n; ++i) {
      const double *x = a + 2 * (lhsAt + i * lhsStride);
      const double *y = b + 2 * (rhsAt + i * rhsStride);
      sum->f.re += x[0] * y[0] - x[1] * y[1];
      sum->f.im += x[0] * y[1] + x[1] * y[0];
    }
  }
}

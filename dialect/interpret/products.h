//===- products.h - Sums of products ------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What contractions and convolutions evaluate: products in the class of the
// result's element type, added up in order, unless said otherwise in f64.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_PRODUCTS_H
#define XLAC_DIALECT_INTERPRET_PRODUCTS_H

#include "xlac/dialect/interpret/evaluator.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Operands are decoded once, to u64, f64 or complex<f64>, so that sums are
/// plain loops.
typedef enum XlaProducts {
  XlaProductsInteger,
  XlaProductsFloat,
  XlaProductsComplex,
  /// Floats whose sums are rounded to f32 after every product, as by a fused
  /// multiply-add: what convolutions up to f32 do, whose sums are short.
  XlaProductsSingle,
} XlaProducts;

XlaProducts xlaProductsOf(XlaElementType result);
/// A new literal for xlaLiteralGetData to give to xlaProductsAdd; NULL after a
/// diagnostic at `op`.
XlaLiteral *xlaProductsDecode(XlaEvaluator *evaluator, MlirOperation op,
                              XlaProducts products, const XlaLiteral *operand);
/// Adds `n` products of elements that are a stride apart to `sum`. A pred
/// counts the terms that hold.
void xlaProductsAdd(XlaProducts products, XlaScalar *sum, int64_t n,
                    const void *lhs, int64_t lhsAt, int64_t lhsStride,
                    const void *rhs, int64_t rhsAt, int64_t rhsStride);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_PRODUCTS_H

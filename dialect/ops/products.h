//===- products.h - Types of sums of products ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dot and convolution share.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_PRODUCTS_H
#define XLAC_DIALECT_OPS_PRODUCTS_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Products are formed in the result's element type, so both operands must
/// convert to it: pred < integers < floats < complex numbers.
MlirLogicalResult xlaProductsCheck(const XlaOpView *view, const char *label,
                                   const XlaShape *lhs, const XlaShape *rhs,
                                   XlaElementType result);

/// precision_config is absent, empty, or has a precision for each operand.
/// `label` is that of another number of them.
MlirLogicalResult xlaProductsCheckPrecision(const XlaOpView *view,
                                            const char *label);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_PRODUCTS_H

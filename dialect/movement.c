//===- movement.c - Operations that move data -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/evaluator.h"
#include "xlac/dialect/family.h"

MlirLogicalResult xlaMovementInfer(XlaOpView *view) {
  return xlaViewError(view, NULL, "is not supported");
}

MlirLogicalResult xlaMovementEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                      XlaOpKind kind,
                                      const XlaLiteral *const *operands,
                                      XlaLiteral **results) {
  return xlaOpError(op, NULL, "is not supported");
}

//===- alias.c - Broadcast and collapse, evaluated ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

/// The operand again and again: once for collapse.
MlirLogicalResult xlaAliasEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                   XlaOpKind kind,
                                   const XlaLiteral *const *operands,
                                   XlaLiteral **results) {
  (void)kind;
  XlaLiteral *result = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!result)
    return failure();
  results[0] = result;
  size_t bytes = xlaLiteralGetByteCount(operands[0]);
  size_t all = xlaLiteralGetByteCount(result);
  char *to = xlaLiteralGetMutableData(result);
  for (size_t at = 0; bytes && at < all; at += bytes)
    memcpy(to + at, xlaLiteralGetData(operands[0]), bytes);
  return success();
}

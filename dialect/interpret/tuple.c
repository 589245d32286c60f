//===- tuple.c - Tuples, tokens and barriers, evaluated -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"

#include <stdlib.h>

static MlirLogicalResult makeTuple(XlaEvaluator *evaluator, MlirOperation op,
                                   const XlaLiteral *const *operands,
                                   XlaLiteral **results) {
  intptr_t n = mlirOperationGetNumOperands(op);
  XlaLiteral **elements = malloc(((size_t)n + 1) * sizeof *elements);
  if (elements) {
    for (intptr_t i = 0; i < n; ++i)
      elements[i] = xlaLiteralRetain(operands[i]);
    results[0] = xlaLiteralTakeTuple(n, elements);
  }
  free(elements);
  return xlaEvaluatorCount(evaluator, op, results[0]);
}

MlirLogicalResult xlaTupleEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                   XlaOpKind kind,
                                   const XlaLiteral *const *operands,
                                   XlaLiteral **results) {
  if (kind == XlaOpKindTuple)
    return makeTuple(evaluator, op, operands, results);
  if (kind == XlaOpKindAfterAll || kind == XlaOpKindCreateToken) {
    results[0] = xlaLiteralCreateToken();
    return xlaEvaluatorCount(evaluator, op, results[0]);
  }
  if (kind == XlaOpKindGetTupleElement) {
    results[0] = xlaLiteralRetain(xlaLiteralGetTupleElement(
        operands[0], (intptr_t)xlaOpGetI64(op, "index", 0)));
    return mlirLogicalResultSuccess();
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    results[i] = xlaLiteralRetain(operands[i]);
  return mlirLogicalResultSuccess();
}

//===- tuple.c - Tuples, tokens and barriers ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ops/family.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static MlirLogicalResult inferGetTupleElement(XlaOpView *view) {
  MlirType tuple = view->operands[0];
  int64_t index = xlaViewGetI64(view, "index", 0);
  if (!mlirTypeIsATuple(tuple))
    return xlaViewError(view, "get_tuple_element_c1",
                        "the operand is %s, not a tuple", XLA_TYPE_TEXT(tuple));
  if (index < 0 || index >= mlirTupleTypeGetNumTypes(tuple))
    return xlaViewError(view, "get_tuple_element_c1",
                        "index is %lld, the tuple has %lld elements",
                        (long long)index,
                        (long long)mlirTupleTypeGetNumTypes(tuple));
  xlaViewAppendResult(view, mlirTupleTypeGetType(tuple, index));
  return mlirLogicalResultSuccess();
}

/// after_all and create_token.
static MlirLogicalResult inferToken(XlaOpView *view) {
  for (intptr_t i = 0; i < view->nOperands; ++i)
    if (!xlaTypeIsToken(view->operands[i]))
      return xlaViewError(view, "after_all_c1", "operand %lld is %s, no token",
                          (long long)i, XLA_TYPE_TEXT(view->operands[i]));
  xlaViewAppendResult(view, xlaTokenTypeGet(view->context));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaTupleInfer(XlaOpView *view) {
  if (view->kind == XlaOpKindAfterAll || view->kind == XlaOpKindCreateToken)
    return inferToken(view);
  if (view->kind == XlaOpKindGetTupleElement)
    return inferGetTupleElement(view);
  if (view->kind == XlaOpKindTuple) {
    xlaViewAppendResult(
        view, mlirTupleTypeGet(view->context, view->nOperands, view->operands));
    return mlirLogicalResultSuccess();
  }
  for (intptr_t i = 0; i < view->nOperands; ++i) // optimization_barrier
    xlaViewAppendResult(view, view->operands[i]);
  return mlirLogicalResultSuccess();
}

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

//===- tuple.c - Tuples, tokens and barriers ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"

#include "mlir-c/BuiltinTypes.h"

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

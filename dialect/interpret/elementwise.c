//===- elementwise.c - Elementwise operations, evaluated ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/broadcast.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/op.h"
#include "xlac/dialect/result_internal.h"

/// Select moves bits: NaN payloads stay.
static void evaluateSelect(const XlaLiteral *const *operands,
                           XlaLiteral *result) {
  bool scalar = xlaLiteralGetShape(operands[0])->rank == 0;
  for (int64_t i = 0; i < xlaLiteralGetElementCount(result); ++i) {
    bool pred = xlaLiteralGet(operands[0], scalar ? 0 : i).u;
    xlaLiteralCopyElement(result, i, operands[pred ? 1 : 2], i);
  }
}

MlirLogicalResult xlaElementwiseEvaluate(XlaEvaluator *evaluator,
                                         MlirOperation op, XlaOpKind kind,
                                         const XlaLiteral *const *operands,
                                         XlaLiteral **results) {
  int n = (int)mlirOperationGetNumOperands(op);
  if (kind == XlaOpKindSelect &&
      xlaLiteralGetKind(operands[1]) != XlaLiteralKindArray) {
    bool pred = xlaLiteralGet(operands[0], 0).u;
    results[0] = xlaLiteralRetain(operands[pred ? 1 : 2]);
    return success();
  }
  XlaLiteral *result = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!result)
    return failure();
  results[0] = result;
  if (kind == XlaOpKindSelect) {
    evaluateSelect(operands, result);
    return success();
  }
  XlaScalarOp element =
      xlaScalarOpGet(op, kind, xlaLiteralGetShape(operands[0])->elementType,
                     xlaLiteralGetShape(result)->elementType);
  XlaI64List dimensions = {.size = 0};
  if (n == 2)
    xlaOpGetList(op, "broadcast_dimensions", &dimensions);
  XlaBroadcast broadcast;
  xlaBroadcastInit(&broadcast, xlaLiteralGetShape(result), n, operands,
                   &dimensions);
  for (int64_t i = 0, count = xlaLiteralGetElementCount(result); i < count;
       ++i) {
    XlaScalar x[3];
    for (int k = 0; k < n; ++k)
      x[k] = xlaLiteralGet(operands[k], broadcast.offsets[k]);
    xlaLiteralSet(result, i, xlaScalarOpApply(&element, x));
    xlaBroadcastNext(&broadcast);
  }
  return success();
}

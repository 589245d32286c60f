//===- bitcast.c - Bitcasts, evaluated ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/bitcast.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/layout.h"
#include "xlac/dialect/result_internal.h"

MlirLogicalResult xlaBitcastEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                     XlaOpKind kind,
                                     const XlaLiteral *const *operands,
                                     XlaLiteral **results) {
  (void)kind;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaLayout fromLayout = xlaLayoutFromMlir(from);
  XlaLayout toLayout = xlaLayoutFromMlir(to);
  const XlaShape *shape = xlaLiteralGetShape(operands[0]);
  XlaShape image = {.elementType = XlaElementTypeU8,
                    .rank = 1,
                    .dims = {xlaBitcastGetImageBytes(from, shape)}};
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  XlaLiteral *bytes =
      results[0] ? xlaEvaluatorCreateArray(evaluator, op, &image) : NULL;
  if (!bytes)
    return failure();
  char *data = xlaLiteralGetMutableData(bytes);
  xlaLayoutWriteImage(&fromLayout, shape, xlaLiteralGetData(operands[0]), data);
  xlaLayoutReadImage(&toLayout, xlaLiteralGetShape(results[0]), data,
                     xlaLiteralGetMutableData(results[0]));
  xlaLiteralRelease(bytes);
  // What does not fill its bytes is stored anew.
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(xlaLiteralGetShape(results[0])->elementType);
  if (info->bits < 8)
    for (int64_t i = 0; i < xlaLiteralGetElementCount(results[0]); ++i)
      xlaLiteralSet(results[0], i, xlaLiteralGet(results[0], i));
  return success();
}

//===- call.c - Calls, evaluated ------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xla.call is run by the evaluator itself, as func.call is; what is left are
// custom calls.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dynamic.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"

#include "mlir-c/BuiltinAttributes.h"

/// Foreign code may leave anything behind.
static MlirLogicalResult checkResults(MlirOperation op,
                                      XlaLiteral *const *results) {
  MlirContext context = mlirOperationGetContext(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (!results[i])
      return xlaOpError(op, NULL, "got no result %lld", (long long)i);
    MlirType given = xlaLiteralGetType(results[i], context);
    if (!xlaLiteralFits(results[i], type))
      return xlaOpError(op, NULL, "got %s as result %lld, which is %s",
                        XLA_TYPE_TEXT(given), (long long)i,
                        XLA_TYPE_TEXT(type));
  }
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaCallEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                  XlaOpKind kind,
                                  const XlaLiteral *const *operands,
                                  XlaLiteral **results) {
  const XlaEvaluatorOptions *options = xlaEvaluatorGetOptions(evaluator);
  if (kind != XlaOpKindCustomCall)
    return xlaOpError(op, NULL, "is run by the evaluator");
  MlirStringRef target =
      mlirStringAttrGetValue(xlaOpGetAttr(op, "call_target_name"));
  if (!options->customCall)
    return xlaOpError(op, NULL, "calls \"%.*s\", which has no implementation",
                      (int)target.length, target.data);
  if (mlirLogicalResultIsFailure(options->customCall(
          op, target, mlirOperationGetNumOperands(op), operands,
          mlirOperationGetNumResults(op), results, options->userData)))
    return mlirLogicalResultFailure();
  return checkResults(op, results);
}

//===- fusion.c - Fusions, evaluated --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"

MlirLogicalResult xlaFusionEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                    XlaOpKind kind,
                                    const XlaLiteral *const *operands,
                                    XlaLiteral **results) {
  (void)kind;
  return xlaEvaluatorRunRegion(evaluator, mlirOperationGetRegion(op, 0),
                               mlirOperationGetNumOperands(op), operands,
                               mlirOperationGetNumResults(op), results);
}

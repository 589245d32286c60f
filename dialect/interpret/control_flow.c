//===- control_flow.c - Loops and branches, evaluated ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>
#include <string.h>

static void releaseAll(intptr_t n, XlaLiteral **literals) {
  for (intptr_t i = 0; i < n; ++i) {
    xlaLiteralRelease(literals[i]);
    literals[i] = NULL;
  }
}

/// `state` holds references, which the loop replaces.
static MlirLogicalResult loop(XlaEvaluator *evaluator, MlirOperation op,
                              intptr_t n, XlaLiteral **state,
                              XlaLiteral **next) {
  MlirRegion condition = mlirOperationGetRegion(op, 0);
  MlirRegion body = mlirOperationGetRegion(op, 1);
  for (;;) {
    const XlaLiteral *const *args = (const XlaLiteral *const *)state;
    XlaLiteral *pred = NULL;
    MlirLogicalResult result = xlaEvaluatorStep(evaluator, op, 1);
    if (mlirLogicalResultIsSuccess(result))
      result = xlaEvaluatorRunRegion(evaluator, condition, n, args, 1, &pred);
    bool again = pred && xlaLiteralGet(pred, 0).u;
    xlaLiteralRelease(pred);
    if (failed(result) || !again)
      return result;
    result = xlaEvaluatorRunRegion(evaluator, body, n, args, n, next);
    if (failed(result)) {
      releaseAll(n, next);
      return result;
    }
    releaseAll(n, state);
    memcpy(state, next, (size_t)n * sizeof *state);
    memset(next, 0, (size_t)n * sizeof *next);
  }
}

static MlirLogicalResult evaluateWhile(XlaEvaluator *evaluator,
                                       MlirOperation op,
                                       const XlaLiteral *const *operands,
                                       XlaLiteral **results) {
  intptr_t n = mlirOperationGetNumOperands(op);
  XlaLiteral **next = calloc((size_t)n + 1, sizeof *next);
  if (!next)
    return xlaOpNoMemory(op);
  for (intptr_t i = 0; i < n; ++i)
    results[i] = xlaLiteralRetain(operands[i]);
  MlirLogicalResult result = loop(evaluator, op, n, results, next);
  free(next);
  return result;
}

static MlirLogicalResult evaluateBranches(XlaEvaluator *evaluator,
                                          MlirOperation op,
                                          const XlaLiteral *const *operands,
                                          XlaLiteral **results) {
  XlaScalar selector = xlaLiteralGet(operands[0], 0);
  intptr_t n = mlirOperationGetNumRegions(op);
  bool pred =
      xlaLiteralGetShape(operands[0])->elementType == XlaElementTypePred;
  // A true pred is the first branch; an index out of range the last.
  intptr_t branch = pred                                ? (selector.u ? 0 : 1)
                    : selector.s < 0 || selector.s >= n ? n - 1
                                                        : (intptr_t)selector.s;
  bool passed = mlirOperationGetNumOperands(op) > 1;
  return xlaEvaluatorRunRegion(evaluator, mlirOperationGetRegion(op, branch),
                               passed, operands + (passed ? 1 + branch : 0),
                               mlirOperationGetNumResults(op), results);
}

MlirLogicalResult xlaControlFlowEvaluate(XlaEvaluator *evaluator,
                                         MlirOperation op, XlaOpKind kind,
                                         const XlaLiteral *const *operands,
                                         XlaLiteral **results) {
  if (kind == XlaOpKindWhile)
    return evaluateWhile(evaluator, op, operands, results);
  return evaluateBranches(evaluator, op, operands, results);
}

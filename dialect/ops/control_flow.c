//===- control_flow.c - Loops and branches --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ops/family.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>
#include <string.h>

static MlirType argumentType(MlirRegion region, intptr_t i) {
  return mlirValueGetType(
      mlirBlockGetArgument(mlirRegionGetFirstBlock(region), i));
}

static intptr_t argumentCount(MlirRegion region) {
  return mlirBlockGetNumArguments(mlirRegionGetFirstBlock(region));
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// Region `r` takes the operands from `first` on.
static MlirLogicalResult checkArguments(const XlaOpView *view, intptr_t r,
                                        intptr_t first, intptr_t count,
                                        const char *label) {
  intptr_t given = argumentCount(view->regions[r]);
  if (given != count)
    return xlaViewError(view, label,
                        "region %lld takes %lld arguments, gets %lld",
                        (long long)r, (long long)given, (long long)count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = argumentType(view->regions[r], i);
    if (!xlaTypeEqualIgnoringLayout(type, view->operands[first + i]))
      return xlaViewError(
          view, label, "argument %lld of region %lld is %s, operand %lld is %s",
          (long long)i, (long long)r, XLA_TYPE_TEXT(type),
          (long long)(first + i), XLA_TYPE_TEXT(view->operands[first + i]));
  }
  return success();
}

static MlirLogicalResult inferWhile(XlaOpView *view) {
  MlirOperation condition, body;
  intptr_t n = view->nOperands;
  if (failed(checkArguments(view, 0, 0, n, "while_c1")) ||
      failed(checkArguments(view, 1, 0, n, "while_c2")))
    return failure();
  xlaRegionGetReturn(view->regions[0], &condition);
  xlaRegionGetReturn(view->regions[1], &body);
  XlaShape pred;
  if (mlirOperationGetNumOperands(condition) != 1 ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(condition, 0)),
                        &pred, NULL) ||
      pred.rank || pred.elementType != XlaElementTypePred)
    return xlaViewError(view, "while_c1",
                        "the condition must return one tensor<i1>");
  if (mlirOperationGetNumOperands(body) != n)
    return xlaViewError(
        view, "while_c2", "the body returns %lld values, not %lld",
        (long long)mlirOperationGetNumOperands(body), (long long)n);
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(body, i));
    if (!xlaTypeEqualIgnoringLayout(type, view->operands[i]))
      return xlaViewError(
          view, "while_c2", "the body returns %s for operand %lld, %s",
          XLA_TYPE_TEXT(type), (long long)i, XLA_TYPE_TEXT(view->operands[i]));
    xlaViewAppendResult(view, view->operands[i]);
  }
  return success();
}

/// All branches return the same types, which are the results.
static MlirLogicalResult inferBranchResults(XlaOpView *view) {
  MlirOperation first;
  xlaRegionGetReturn(view->regions[0], &first);
  intptr_t n = mlirOperationGetNumOperands(first);
  for (intptr_t r = 1; r < view->nRegions; ++r) {
    MlirOperation other;
    xlaRegionGetReturn(view->regions[r], &other);
    if (mlirOperationGetNumOperands(other) != n)
      return xlaViewError(view, "branches",
                          "region 0 returns %lld values, region "
                          "%lld %lld",
                          (long long)n, (long long)r,
                          (long long)mlirOperationGetNumOperands(other));
    for (intptr_t i = 0; i < n; ++i) {
      MlirType a = mlirValueGetType(mlirOperationGetOperand(first, i));
      MlirType b = mlirValueGetType(mlirOperationGetOperand(other, i));
      if (!xlaTypeEqualIgnoringLayout(a, b))
        return xlaViewError(view, "branches",
                            "result %lld is %s in region 0, %s in region %lld",
                            (long long)i, XLA_TYPE_TEXT(a), XLA_TYPE_TEXT(b),
                            (long long)r);
    }
  }
  for (intptr_t i = 0; i < n; ++i)
    xlaViewAppendResult(view,
                        mlirValueGetType(mlirOperationGetOperand(first, i)));
  return success();
}

static MlirLogicalResult inferBranches(XlaOpView *view) {
  XlaShape selector;
  if (failed(xlaViewGetShape(view, 0, &selector)))
    return failure();
  bool pred = selector.elementType == XlaElementTypePred;
  bool allowed = view->kind == XlaOpKindIf     ? pred
                 : view->kind == XlaOpKindCase ? !pred
                                               : true;
  if (selector.rank || !allowed ||
      (!pred && selector.elementType != XlaElementTypeS32))
    return xlaViewError(view, "branches", "is selected by %s, which must be %s",
                        XLA_SHAPE_TEXT(&selector),
                        view->kind == XlaOpKindIf     ? "tensor<i1>"
                        : view->kind == XlaOpKindCase ? "tensor<i32>"
                                                      : "tensor<i1> or "
                                                        "tensor<i32>");
  if (pred && view->nRegions != 2)
    return xlaViewError(view, "branches",
                        "is selected by a pred and has %lld regions, not 2",
                        (long long)view->nRegions);
  bool passed = view->nOperands > 1;
  if (passed && view->nOperands != 1 + view->nRegions)
    return xlaViewError(
        view, "branches", "has %lld regions and %lld operands for them",
        (long long)view->nRegions, (long long)view->nOperands - 1);
  for (intptr_t r = 0; r < view->nRegions; ++r)
    if (failed(checkArguments(view, r, 1 + r, passed ? 1 : 0, "branches")))
      return failure();
  return inferBranchResults(view);
}

MlirLogicalResult xlaControlFlowInfer(XlaOpView *view) {
  if (view->kind == XlaOpKindWhile)
    return inferWhile(view);
  if (view->kind == XlaOpKindReturn)
    return success(); // its parent checks it
  return inferBranches(view);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

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

//===- control_flow.c - Loops and branches --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

static MlirType argumentType(MlirRegion region, intptr_t i) {
  return mlirValueGetType(
      mlirBlockGetArgument(mlirRegionGetFirstBlock(region), i));
}

static intptr_t argumentCount(MlirRegion region) {
  return mlirBlockGetNumArguments(mlirRegionGetFirstBlock(region));
}

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

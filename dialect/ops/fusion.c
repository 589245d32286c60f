//===- fusion.c - Fusions -------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fusion is what one kernel computes: operations in a region that sees the
// operands as its arguments and nothing else from outside. Its kind says by
// which schedule it is lowered, not what it means.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"

MlirLogicalResult xlaFusionInfer(XlaOpView *view) {
  MlirOperation terminator;
  MlirBlock block = mlirRegionGetFirstBlock(view->regions[0]);
  intptr_t n = mlirBlockGetNumArguments(block);
  if (n != view->nOperands)
    return xlaViewError(view, "fusion_c1",
                        "has %lld operands, its region takes %lld arguments",
                        (long long)view->nOperands, (long long)n);
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(block, i));
    if (!xlaTypeEqualIgnoringLayout(type, view->operands[i]))
      return xlaViewError(view, "fusion_c1",
                          "argument %lld is %s, operand %lld is %s",
                          (long long)i, XLA_TYPE_TEXT(type), (long long)i,
                          XLA_TYPE_TEXT(view->operands[i]));
  }
  xlaRegionGetReturn(view->regions[0], &terminator);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(terminator); ++i)
    xlaViewAppendResult(
        view, mlirValueGetType(mlirOperationGetOperand(terminator, i)));
  return mlirLogicalResultSuccess();
}

//===- call.c - Calls -----------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the callee fits is checked with the symbol table, once the whole
// module is there.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"

#include "mlir-c/BuiltinAttributes.h"

MlirLogicalResult xlaCallInfer(XlaOpView *view) {
  if (view->kind == XlaOpKindCustomCall) {
    MlirStringRef target =
        mlirStringAttrGetValue(xlaViewGetAttr(view, "call_target_name"));
    if (!target.length)
      return xlaViewError(view, "custom_call_c1", "call_target_name is empty");
  }
  for (intptr_t i = 0; i < view->nStatedResults; ++i)
    xlaViewAppendResult(view, view->statedResults[i]);
  return mlirLogicalResultSuccess();
}

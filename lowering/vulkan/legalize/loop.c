//===- loop.c - Loops that do not run -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream keeps the results of an scf.for in variables that only its body
// writes: they are undefined after a loop of no iterations.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/legalize/legalize.h"

static V select(XlaIr *ir, V condition, V a, V b) {
  MlirType type = mlirValueGetType(a);
  if (mlirTypeIsAVector(type)) {
    MlirType i1 = mlirIntegerTypeGet(ir->context, 1);
    condition = xlaIrCast(ir, "vector.broadcast", condition,
                          xlaIrWithElement(type, i1));
  }
  return xlaIrSelect(ir, condition, a, b);
}

static V patch(MlirOperation op, void *user, bool *failed) {
  (void)user;
  (void)failed;
  intptr_t n = mlirOperationGetNumResults(op);
  if (!xlaIrIsOp(op, "scf.for") || !n)
    return (V){NULL};
  V lower = mlirOperationGetOperand(op, 0),
    upper = mlirOperationGetOperand(op, 1);
  int64_t first, last;
  if (xlaIrReadInt(lower, &first) && xlaIrReadInt(upper, &last) && first < last)
    return (V){NULL};
  XlaIr ir = xlaIrBefore(op);
  V runs = xlaIrCmpI(&ir, "slt", lower, upper);
  ir.before = mlirOperationGetNextInBlock(op);
  for (intptr_t i = 0; i < n; ++i) {
    V result = mlirOperationGetResult(op, i);
    V value = select(&ir, runs, result, mlirOperationGetOperand(op, 3 + i));
    MlirOperation except = mlirOpResultGetOwner(value);
    mlirValueReplaceAllUsesExcept(result, value, 1, &except);
  }
  return (V){NULL};
}

MlirLogicalResult xlaVulkanPatchLoops(MlirOperation root) {
  return xlaVulkanRewriteAll(root, patch, NULL);
}

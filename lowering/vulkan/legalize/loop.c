//===- loop.c - Loops that do not run, and loops of many instructions -----===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream keeps the results of an scf.for in variables that only its body
// writes: they are undefined after a loop of no iterations.
//
// Drivers write loops of few iterations out. Where these have much inside, and
// others in them, that takes time and gains nothing: Mesa's llvmpipe compiled
// the kernels of eigenvectors of 30x30 in a minute.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/vulkan/legalize/legalize.h"

#include <stdlib.h>

static V pick(XlaIr *ir, V condition, V a, V b) {
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
    V value = pick(&ir, runs, result, mlirOperationGetOperand(op, 3 + i));
    MlirOperation except = mlirOpResultGetOwner(value);
    mlirValueReplaceAllUsesExcept(result, value, 1, &except);
  }
  return (V){NULL};
}

MlirLogicalResult xlaVulkanPatchLoops(MlirOperation root) {
  return xlaVulkanRewriteAll(root, patch, NULL);
}

static bool isSpirvLoop(MlirOperation op) {
  return xlaIrIsOp(op, "spirv.mlir.loop");
}

MlirLogicalResult xlaVulkanKeepLoops(MlirOperation root) {
  enum { many = 80 }; // the least that took time there
  XlaIrOps loops = xlaIrCollect(root, MlirWalkPreOrder, isSpirvLoop);
  bool failed = loops.failed;
  for (intptr_t i = 0; i < loops.n && !failed; ++i) {
    XlaIrOps inside = xlaIrCollect(loops.ops[i], MlirWalkPreOrder, NULL);
    failed = inside.failed;
    free(inside.ops);
    if (inside.n > many)
      mlirOperationSetAttributeByName(
          loops.ops[i], mlirStringRefCreateFromCString("loop_control"),
          mlirAttributeParseGet(mlirOperationGetContext(root),
                                mlirStringRefCreateFromCString(
                                    "#spirv.loop_control<DontUnroll>")));
  }
  free(loops.ops);
  return failed ? xlaErrorNoMemory(mlirOperationGetLocation(root))
                : mlirLogicalResultSuccess();
}

//===- legalize.c - What SPIR-V or the device lacks -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/legalize/legalize.h"
#include "xlac/dialect/error.h"
#include "xlac/lowering/math/halves.h"

#include "mlir-c/Diagnostics.h"

#include <stdlib.h>

MlirType xlaVulkanScalarType(MlirType type) {
  while (mlirTypeIsAShaped(type))
    type = mlirShapedTypeGetElementType(type);
  return type;
}

MlirType xlaVulkanWithScalar(MlirType type, MlirType element) {
  if (!mlirTypeIsAMemRef(type))
    return xlaIrWithElement(type, element);
  int64_t sizes[8];
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > 8)
    return type;
  for (intptr_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(
      xlaVulkanWithScalar(mlirShapedTypeGetElementType(type), element), rank,
      sizes, mlirMemRefTypeGetLayout(type), mlirMemRefTypeGetMemorySpace(type));
}

XlaMath xlaVulkanMath(XlaIr ir, MlirType floats) {
  unsigned width = mlirTypeIsAF64(xlaVulkanScalarType(floats)) ? 64 : 32;
  return (XlaMath){.ir = ir,
                   .type = floats,
                   .bits = xlaVulkanWithScalar(
                       floats, mlirIntegerTypeGet(ir.context, width)),
                   .isShader = true};
}

void xlaVulkanReplace(MlirOperation op, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
}

bool xlaVulkanDefinedBy(V value, const char *name, MlirOperation *op) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *op = mlirOpResultGetOwner(value);
  return xlaIrIsOp(*op, name);
}

MlirLogicalResult xlaVulkanRewriteAll(MlirOperation root,
                                      XlaVulkanRewrite rewrite, void *user) {
  XlaIrOps ops = xlaIrCollect(root, MlirWalkPreOrder, NULL);
  if (ops.failed)
    xlaErrorNoMemory(mlirOperationGetLocation(root));
  for (intptr_t i = 0; i < ops.n && !ops.failed; ++i) {
    MlirValue value = rewrite(ops.ops[i], user, &ops.failed);
    if (value.ptr && !ops.failed)
      xlaVulkanReplace(ops.ops[i], value);
  }
  free(ops.ops);
  return ops.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirLogicalResult xlaVulkanLegalize(MlirOperation gpuModule,
                                    const XlaVulkanInfo *info) {
  if (mlirLogicalResultIsFailure(
          xlaCarryHalves(gpuModule, (XlaHalves){.isShader = true})) ||
      mlirLogicalResultIsFailure(xlaVulkanWidenIntegers(gpuModule)) ||
      mlirLogicalResultIsFailure(xlaVulkanExpandFloats(gpuModule, info)) ||
      mlirLogicalResultIsFailure(xlaVulkanHideZeros(gpuModule)))
    return mlirLogicalResultFailure();
  if (mlirLogicalResultIsFailure(xlaVulkanExpandIntegers(gpuModule)))
    return mlirLogicalResultFailure();
  if (mlirLogicalResultIsFailure(xlaVulkanPatchLoops(gpuModule)))
    return mlirLogicalResultFailure();
  return xlaVulkanUseAddresses(gpuModule, info);
}

//===- kernels.c - Kernels for the CPU ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/kernels.h"

#include "xlac/dialect/op.h"
#include "xlac/lowering/affine/attention/attention.h"
#include "xlac/lowering/affine/contraction.h"
#include "xlac/lowering/cpu/attention/attention.h"
#include "xlac/lowering/cpu/matmul/product.h"
#include "xlac/lowering/cpu/scratch.h"
#include "xlac/lowering/cpu/spill.h"
#include "xlac/lowering/linalg/kernel.h"
#include "xlac/passes/fuse/device.h"

/// Whether `op` is of that kind, or a fusion of it.
static bool isOfKind(MlirOperation op, XlaOpKind kind, const char *fusion) {
  return xlaOpGetKind(op) == kind || xlaOpAttrIs(op, "kind", fusion);
}

MlirLogicalResult xlaCpuEmitKernel(MlirOperation op, MlirModule module,
                                   const char *name, int64_t *scratchBytes,
                                   void *user) {
  MlirOperation kernel;
  const XlaCpuTarget *target = user;
  const XlaKernelDevice device = {.vectorBits = target->vectorBits,
                                  .threads = target->threads,
                                  .hasFma = target->hasFma,
                                  .windowBytes =
                                      xlaFusionDeviceGet("cpu")->windowBytes};
  MlirLogicalResult result = xlaKernelEmit(op, module, name, &device, &kernel);
  if (mlirLogicalResultIsFailure(result))
    return result;
  if ((isOfKind(op, XlaOpKindSort, "sort") ||
       isOfKind(op, XlaOpKindScatter, "scatter")) &&
      xlaCpuHasAllocs(kernel, 0, NULL))
    return xlaCpuAddScratch(kernel, 0, 0, NULL, scratchBytes);
  bool isTiled = false;
  if (xlaAttentionIsKernel(kernel))
    result = xlaCpuAttentionReserve(kernel, target, scratchBytes, &isTiled);
  if (isTiled || mlirLogicalResultIsFailure(result))
    return result;
  if (!xlaContractionIsKernel(kernel))
    return xlaCpuSpill(kernel, target, scratchBytes);
  return xlaCpuProductReserve(kernel, target, scratchBytes);
}

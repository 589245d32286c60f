//===- kernels.c - Kernels for the CPU ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/kernels.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/cpu/matmul/fused_matmul.h"
#include "xlac/lowering/cpu/matmul/matmul.h"
#include "xlac/lowering/cpu/scratch.h"
#include "xlac/lowering/linalg/kernel.h"

static bool isUnsigned(MlirValue value) {
  XlaShape shape;
  return xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) &&
         xlaElementTypeGetInfo(shape.elementType)->typeClass ==
             XlaTypeClassUnsigned;
}

/// Describes a dot_general that the emitter can do; false for others, among
/// them pred, whose sums are not those of integers.
static bool describeMatmul(MlirOperation op, XlaCpuMatmul *matmul) {
  if (xlaOpGetKind(op) != XlaOpKindDotGeneral)
    return false;
  MlirType types[3];
  for (int i = 0; i < 3; ++i) {
    MlirValue value =
        i < 2 ? mlirOperationGetOperand(op, i) : mlirOperationGetResult(op, 0);
    XlaShape shape;
    types[i] = xlaKernelMemRefType(mlirValueGetType(value), NULL);
    if (mlirTypeIsNull(types[i]) ||
        !xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) ||
        shape.elementType == XlaElementTypePred)
      return false;
  }
  XlaI64List lists[4] = {{0}};
  xlaOpGetList(op, "lhs_batching_dimensions", &lists[0]);
  xlaOpGetList(op, "rhs_batching_dimensions", &lists[1]);
  xlaOpGetList(op, "lhs_contracting_dimensions", &lists[2]);
  xlaOpGetList(op, "rhs_contracting_dimensions", &lists[3]);
  XlaCpuMatmulDims dims = {lists[0].size, lists[0].values, lists[1].values,
                           lists[2].size, lists[2].values, lists[3].values};
  if (mlirLogicalResultIsFailure(xlaCpuMatmulInit(
          matmul, types[0], types[1], types[2], &dims, (MlirLocation){NULL})))
    return false;
  matmul->lhsUnsigned = isUnsigned(mlirOperationGetOperand(op, 0));
  matmul->rhsUnsigned = isUnsigned(mlirOperationGetOperand(op, 1));
  return true;
}

/// What the kernel allocates for itself becomes scratch.
static MlirLogicalResult finishKernel(MlirOperation op, MlirOperation kernel,
                                      MlirModule module, int64_t *scratchBytes,
                                      const XlaCpuTarget *target) {
  if (xlaIrIsOp(op, "xla.fusion"))
    return xlaCpuFuseMatmul(kernel, module, target, scratchBytes);
  if (xlaOpGetKind(op) != XlaOpKindSort || !xlaCpuHasAllocs(kernel))
    return mlirLogicalResultSuccess();
  return xlaCpuAddScratch(kernel, 0, scratchBytes);
}

MlirLogicalResult xlaCpuEmitKernel(MlirOperation op, MlirModule module,
                                   const char *name, int64_t *scratchBytes,
                                   void *target) {
  XlaCpuMatmul matmul;
  MlirOperation kernel;
  if (!describeMatmul(op, &matmul)) {
    MlirLogicalResult result = xlaKernelEmit(op, module, name, &kernel);
    return mlirLogicalResultIsSuccess(result)
               ? finishKernel(op, kernel, module, scratchBytes, target)
               : result;
  }
  *scratchBytes = xlaCpuMatmulScratchBytes(&matmul, target);
  xlaCpuMatmulEmit(&matmul, target, mlirModuleGetBody(module),
                   mlirOperationGetLocation(op), name);
  return mlirLogicalResultSuccess();
}

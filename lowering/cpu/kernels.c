//===- kernels.c - Kernels for the CPU ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/kernels.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/lowering/cpu/matmul.h"
#include "xlac/lowering/kernel.h"

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

/// Memory that `alloc` needs, in whole cache lines.
static int64_t bytesOf(MlirOperation alloc) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  MlirType element = xlaIrElementType(type);
  int64_t bits = mlirTypeIsAFloat(element)
                     ? (int64_t)mlirFloatTypeGetWidth(element)
                     : (int64_t)mlirIntegerTypeGetWidth(element);
  return (mlirShapedTypeGetDimSize(type, 0) * (bits / 8) + 63) / 64 * 64;
}

/// Puts views of a last argument, the scratch, in the place of a sort's
/// allocations, which are at the beginning of its function and of rank 1.
static void allocateInScratch(MlirOperation kernel, int64_t *scratchBytes) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(kernel, 0));
  MlirContext context = mlirOperationGetContext(kernel);
  MlirOperation next, alloc = mlirBlockGetFirstOperation(block);
  int64_t total = 0, offset = 0;
  for (MlirOperation op = alloc; op.ptr; op = mlirOperationGetNextInBlock(op))
    if (xlaIrIsOp(op, "memref.alloc"))
      total += bytesOf(op);
  if (!total)
    return;
  MlirType bytes =
      mlirMemRefTypeGet(mlirIntegerTypeGet(context, 8), 1, &total,
                        mlirAttributeGetNull(), mlirAttributeGetNull());
  MlirValue scratch =
      mlirBlockAddArgument(block, bytes, mlirOperationGetLocation(kernel));
  for (; alloc.ptr; alloc = next) {
    next = mlirOperationGetNextInBlock(alloc);
    if (!xlaIrIsOp(alloc, "memref.alloc"))
      continue;
    XlaIr ir = xlaIrBefore(alloc);
    MlirValue memory = mlirOperationGetResult(alloc, 0);
    MlirValue operands[] = {scratch, xlaIrConstantIndex(&ir, offset)};
    offset += bytesOf(alloc);
    mlirValueReplaceAllUsesOfWith(memory, xlaIrOp(&ir, "memref.view",
                                                  mlirValueGetType(memory), 2,
                                                  operands, 0, NULL));
    mlirOperationDestroy(alloc);
  }
  intptr_t n = mlirBlockGetNumArguments(block);
  MlirType types[3 * XLA_MAX_LIST];
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  mlirOperationSetInherentAttributeByName(
      kernel, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, n, types, 0, NULL)));
  *scratchBytes = total;
}

MlirLogicalResult xlaCpuEmitKernel(MlirOperation op, MlirModule module,
                                   const char *name, int64_t *scratchBytes,
                                   void *target) {
  XlaCpuMatmul matmul;
  MlirOperation kernel;
  if (!describeMatmul(op, &matmul)) {
    MlirLogicalResult result = xlaKernelEmit(op, module, name, &kernel);
    if (mlirLogicalResultIsSuccess(result) && xlaOpGetKind(op) == XlaOpKindSort)
      allocateInScratch(kernel, scratchBytes);
    return result;
  }
  *scratchBytes = xlaCpuMatmulScratchBytes(&matmul, target);
  xlaCpuMatmulEmit(&matmul, target, mlirModuleGetBody(module),
                   mlirOperationGetLocation(op), name);
  return mlirLogicalResultSuccess();
}

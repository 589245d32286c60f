//===- gather.c - Windows at computed places ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest of loops over the result. Starts are clamped before they are used, so
// that no index can lead outside of the operand. What the inner loops do not
// change, the compiler of the device moves out of them.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexed_windows.h"
#include "xlac/lowering/kernel_ops.h"
#include "xlac/lowering/scalar.h"

#include "mlir-c/BuiltinTypes.h"

/// A gather in the making; `loops` are the variables of the nest.
typedef struct Gather {
  XlaKernel *kernel;
  XlaIndexedWindows windows;
  XlaI64List sizes; ///< of a window
  XlaShape operand, indices, result;
  MlirValue loops[XLA_MAX_RANK];
} Gather;

// It is compared in its own type, which cannot exceed a `most` that it does not
// hold.
MlirValue xlaGatherClamp(XlaIr *ir, XlaElementType type, MlirValue start,
                         int64_t most) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  MlirType own = mlirValueGetType(start);
  int bits = info->bits - isSigned;
  if (isSigned)
    start = xlaIrBinary(ir, "arith.maxsi", start, xlaIrConstantInt(ir, own, 0));
  if (bits >= 63 || most >> bits == 0)
    start = xlaIrBinary(ir, isSigned ? "arith.minsi" : "arith.minui", start,
                        xlaIrConstantInt(ir, own, most));
  if (info->bits < 64)
    start = xlaIrCast(ir, "arith.extui", start,
                      mlirIntegerTypeGet(ir->context, 64));
  return xlaIrCast(ir, "arith.index_cast", start,
                   mlirIndexTypeGet(ir->context));
}

/// Coordinate `k` of the window that the loops are in.
static MlirValue coordinate(const Gather *gather, XlaIr *ir, int k) {
  const XlaIndexedWindows *windows = &gather->windows;
  MlirValue at[XLA_MAX_RANK];
  for (int i = 0; i < windows->batch.size; ++i)
    at[windows->indexBatch.values[i]] = gather->loops[windows->batch.values[i]];
  if (windows->vectorDim < gather->indices.rank)
    at[windows->vectorDim] = xlaIrConstantIndex(ir, k);
  MlirValue indices = mlirOperationGetOperand(gather->kernel->op, 1);
  MlirValue memref = xlaKernelGetLeaf(gather->kernel, indices)->memref;
  MlirValue start = xlaIrLoad(ir, memref, gather->indices.rank, at);
  int64_t d = windows->startMap.values[k];
  return xlaGatherClamp(ir, gather->indices.elementType, start,
                        gather->operand.dims[d] - gather->sizes.values[d]);
}

/// The element of the operand for the element of the result at `loops`.
static MlirValue element(const Gather *gather, XlaIr *ir) {
  const XlaIndexedWindows *windows = &gather->windows;
  MlirValue at[XLA_MAX_RANK] = {{NULL}};
  for (int k = 0; k < windows->startMap.size; ++k) {
    int64_t d = windows->startMap.values[k];
    if (gather->sizes.values[d] < gather->operand.dims[d]) // or always 0
      at[d] = coordinate(gather, ir, k);
  }
  for (int i = 0; i < windows->batching.size; ++i)
    for (int k = 0; k < windows->batch.size; ++k)
      if (windows->indexBatch.values[k] == windows->indexBatching.values[i])
        at[windows->batching.values[i]] =
            gather->loops[windows->batch.values[k]];
  for (int i = 0; i < windows->offset.size; ++i) {
    MlirValue loop = gather->loops[windows->offset.values[i]];
    int64_t d = windows->window.values[i];
    at[d] = at[d].ptr ? xlaIrBinary(ir, "arith.addi", at[d], loop) : loop;
  }
  for (int d = 0; d < gather->operand.rank; ++d)
    if (!at[d].ptr)
      at[d] = xlaIrConstantIndex(ir, 0);
  MlirValue operand = mlirOperationGetOperand(gather->kernel->op, 0);
  return xlaIrLoad(ir, xlaKernelGetLeaf(gather->kernel, operand)->memref,
                   gather->operand.rank, at);
}

/// What the result has where windows are empty: 0.
static MlirValue zero(const Gather *gather, XlaIr *ir) {
  MlirType type = xlaScalarMemoryType(gather->operand.elementType, ir->context);
  return mlirTypeIsAFloat(type) ? xlaIrConstantFloat(ir, type, 0)
                                : xlaIrConstantInt(ir, type, 0);
}

MlirLogicalResult xlaGatherEmit(XlaKernel *kernel, const MlirValue *results) {
  MlirOperation op = kernel->op;
  Gather gather = {.kernel = kernel,
                   .operand = xlaKernelShapeOf(mlirOperationGetOperand(op, 0)),
                   .indices = xlaKernelShapeOf(mlirOperationGetOperand(op, 1)),
                   .result = xlaKernelShapeOf(mlirOperationGetResult(op, 0))};
  XlaIr nest[XLA_MAX_RANK + 1] = {kernel->ir};
  int64_t count = 0;
  bool isEmpty = false;
  int rank = gather.result.rank;
  xlaIndexedWindowsGet(op, &gather.windows);
  xlaOpGetList(op, "slice_sizes", &gather.sizes);
  xlaShapeGetElementCount(&gather.result, &count);
  if (!count)
    return mlirLogicalResultSuccess();
  for (int d = 0; d < gather.operand.rank; ++d)
    isEmpty |= !gather.sizes.values[d];
  MlirValue first = xlaIrConstantIndex(&kernel->ir, 0);
  MlirValue step = xlaIrConstantIndex(&kernel->ir, 1);
  for (int d = 0; d < rank; ++d) {
    MlirValue size = xlaIrConstantIndex(&nest[d], gather.result.dims[d]);
    MlirOperation loop =
        xlaIrFor(&nest[d], first, size, step, 0, NULL, &nest[d + 1]);
    gather.loops[d] = mlirBlockGetArgument(
        mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
  }
  XlaIr *body = &nest[rank];
  xlaIrStore(body, isEmpty ? zero(&gather, body) : element(&gather, body),
             results[0], rank, gather.loops);
  for (int d = rank; d > 0; --d)
    xlaIrYield(&nest[d], 0, NULL);
  return mlirLogicalResultSuccess();
}

//===- gather.c - Windows at computed places ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather is read inside of a body: its indices like any other value, its
// operand from a place that the body computes. Starts are clamped before they
// are used, so that no index can lead outside. Outside of linalg's bodies the
// operand may be computed, too. What inner loops do not change,
// the compiler of the device moves out of them.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/lowering/linalg/kernel_ops.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinTypes.h"

/// A gather that is read somewhere.
typedef struct Gather {
  XlaGatherAt at;
  XlaIndexedWindows windows;
  XlaI64List sizes; ///< of a window
  XlaShape operand;
} Gather;

/// It is compared in its own type, which cannot exceed a `most` that it does
/// not hold.
MlirValue xlaLowerStart(XlaIr *ir, XlaElementType type, MlirValue start,
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

void xlaGatherIndexOfStart(const XlaGatherAt *gather, int rank, int64_t k,
                           XlaIndex *at) {
  const XlaIndexedWindows *windows = gather->windows;
  xlaIndexBegin(at);
  for (int i = 0, batch = 0; i < rank; ++i) {
    if (i == windows->vectorDim && gather->index->isGeneral) {
      xlaIndexAppendExpr(at, mlirAffineConstantExprGet(
                                 mlirOperationGetContext(gather->op), k));
    } else if (i == windows->vectorDim) {
      xlaIndexAppendZero(at);
      at->offset[i] = k;
    } else {
      xlaIndexAppend(at, gather->index, (int)windows->batch.values[batch++]);
    }
  }
}

/// Coordinate `k`, which is that of the operand's dimension `d`.
static bool readStart(const Gather *gather, int k, int64_t d,
                      MlirValue *start) {
  XlaGeneric *generic = gather->at.generic;
  MlirValue indices = mlirOperationGetOperand(gather->at.op, 1);
  XlaShape shape = xlaKernelShapeOf(indices);
  XlaIndex at;
  xlaGatherIndexOfStart(&gather->at, shape.rank, k, &at);
  if (!xlaGenericRead(generic, indices, &at, start))
    return false;
  if (generic->block.ptr)
    *start = xlaLowerStart(&generic->ir, shape.elementType, *start,
                           gather->operand.dims[d] - gather->sizes.values[d]);
  return true;
}

/// Adds the position in dimension `from` of the result to `*at`, which may be
/// null. It may lie outside if the element does not matter.
static void addPosition(const Gather *gather, int64_t from, MlirValue *at) {
  XlaGeneric *generic = gather->at.generic;
  XlaIr *ir = &generic->ir;
  XlaShape result = xlaKernelShapeOf(mlirOperationGetResult(gather->at.op, 0));
  MlirAffineExpr expr = xlaIndexGetExpr(ir->context, &generic->space,
                                        gather->at.index, (int)from);
  MlirValue position = xlaIndexExprEmitIndex(generic, expr);
  XlaInterval range = xlaIndexExprRange(generic, expr);
  if (range.lower < 0)
    position =
        xlaIrBinary(ir, "arith.maxsi", position, xlaIrConstantIndex(ir, 0));
  if (range.upper >= result.dims[from])
    position = xlaIrBinary(ir, "arith.minsi", position,
                           xlaIrConstantIndex(ir, result.dims[from] - 1));
  *at = at->ptr ? xlaIrBinary(ir, "arith.addi", *at, position) : position;
}

/// The place, from the starts that are not null.
static void findPlace(const Gather *gather, MlirValue *at) {
  const XlaIndexedWindows *windows = &gather->windows;
  XlaIr *ir = &gather->at.generic->ir;
  for (int i = 0; i < windows->offset.size; ++i)
    addPosition(gather, windows->offset.values[i],
                &at[windows->window.values[i]]);
  for (int i = 0; i < windows->batching.size; ++i)
    for (int k = 0; k < windows->batch.size; ++k)
      if (windows->indexBatch.values[k] == windows->indexBatching.values[i])
        addPosition(gather, windows->batch.values[k],
                    &at[windows->batching.values[i]]);
  for (int d = 0; d < gather->operand.rank; ++d)
    if (!at[d].ptr)
      at[d] = xlaIrConstantIndex(ir, 0);
}

/// The element at `at` of an operand that is computed there.
static bool compute(const Gather *gather, const MlirValue *at,
                    MlirValue *scalar) {
  XlaIndex index;
  xlaIndexBegin(&index);
  for (int d = 0; d < gather->operand.rank; ++d) {
    MlirAffineExpr expr = xlaIndexExprVariable(gather->at.generic, at[d],
                                               gather->operand.dims[d] - 1);
    if (mlirAffineExprIsNull(expr))
      return false;
    xlaIndexAppendExpr(&index, expr);
  }
  return xlaGenericRead(gather->at.generic,
                        mlirOperationGetOperand(gather->at.op, 0), &index,
                        scalar);
}

bool xlaGatherRead(XlaGeneric *generic, MlirOperation op, const XlaIndex *index,
                   MlirValue *scalar) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirValue at[XLA_MAX_RANK] = {{NULL}};
  const XlaKernelBuffer *buffer = xlaKernelGetBuffer(generic->kernel, operand);
  Gather gather = {.at = {generic, op, index, &gather.windows},
                   .operand = xlaKernelShapeOf(operand)};
  const XlaIndexedWindows *windows = &gather.windows;
  XlaIndex view;
  xlaIndexedWindowsGet(op, &gather.windows);
  xlaOpGetList(op, "slice_sizes", &gather.sizes);
  if (!buffer && !generic->isOutside) {
    xlaOpError(op, NULL,
               "cannot be computed inside a kernel from operand 0 of %s",
               XLA_SHAPE_TEXT(&gather.operand));
    return false;
  }
  if (buffer && !buffer->isComputed && !generic->isOutside &&
      !generic->isStart &&
      xlaGatherFindView(&gather.at, &gather.operand, &gather.sizes, &view))
    return xlaGenericRead(generic, operand, &view, scalar);
  for (int k = 0; k < windows->startMap.size; ++k) {
    int64_t d = windows->startMap.values[k];
    if (gather.sizes.values[d] < gather.operand.dims[d] && // or always 0
        !readStart(&gather, k, d, &at[d]))
      return false;
  }
  if (!generic->block.ptr)
    return true;
  findPlace(&gather, at);
  if (!buffer)
    return compute(&gather, at, scalar);
  *scalar = xlaScalarFromMemory(
      &generic->ir, gather.operand.elementType,
      xlaIrLoad(&generic->ir, buffer->memref, gather.operand.rank, at));
  return true;
}

//===- dynamic_slice.c - Slices at computed places ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of a box whose place in the operand (or in the result, for updates) is
// computed once, before the loops.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/kernel_ops.h"

#include "mlir-c/BuiltinTypes.h"

/// Start `d` as an i64 within [0, most]. Starts are operands `first` and up:
/// one scalar a dimension, or one vector.
static MlirValue clampedStart(XlaKernel *kernel, intptr_t first, int d,
                              int64_t most) {
  XlaIr *ir = &kernel->ir;
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  MlirValue operand = mlirOperationGetOperand(kernel->op, first);
  XlaShape shape = xlaKernelShapeOf(operand);
  MlirValue position = {NULL};
  if (shape.rank)
    position = xlaIrConstantIndex(ir, d);
  else
    operand = mlirOperationGetOperand(kernel->op, first + d);
  MlirValue memref = xlaKernelGetBuffer(kernel, operand)->memref;
  MlirValue start = xlaIrLoad(ir, memref, shape.rank, &position);
  bool isSigned =
      xlaElementTypeGetInfo(shape.elementType)->typeClass == XlaTypeClassSigned;
  if (xlaElementTypeGetInfo(shape.elementType)->bits < 64)
    start = xlaIrCast(ir, isSigned ? "arith.extsi" : "arith.extui", start, i64);
  if (isSigned)
    start = xlaIrBinary(ir, "arith.maxsi", start, xlaIrConstantInt(ir, i64, 0));
  return xlaIrBinary(ir, isSigned ? "arith.minsi" : "arith.minui", start,
                     xlaIrConstantInt(ir, i64, most));
}

/// The position in `whole` of the first element of a `window`, as an index.
static MlirValue windowStart(XlaKernel *kernel, intptr_t first,
                             const XlaShape *whole, const XlaShape *window) {
  XlaIr *ir = &kernel->ir;
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  MlirValue sum = xlaIrConstantInt(ir, i64, 0);
  int64_t row = 1;
  for (int d = whole->rank - 1; d >= 0; row *= whole->dims[d--]) {
    if (window->dims[d] == whole->dims[d])
      continue; // clamped to 0
    MlirValue start =
        clampedStart(kernel, first, d, whole->dims[d] - window->dims[d]);
    start =
        xlaIrBinary(ir, "arith.muli", start, xlaIrConstantInt(ir, i64, row));
    sum = xlaIrBinary(ir, "arith.addi", sum, start);
  }
  return xlaIrCast(ir, "arith.index_cast", sum, mlirIndexTypeGet(ir->context));
}

MlirLogicalResult xlaDynamicSliceEmit(XlaKernel *kernel,
                                      const MlirValue *results) {
  MlirOperation op = kernel->op;
  bool isUpdate = xlaOpGetKind(op) == XlaOpKindDynamicUpdateSlice;
  XlaShape whole = xlaKernelShapeOf(mlirOperationGetOperand(op, 0));
  XlaShape window = xlaKernelShapeOf(isUpdate ? mlirOperationGetOperand(op, 1)
                                              : mlirOperationGetResult(op, 0));
  XlaCopy copy;
  int64_t count = 0;
  xlaShapeGetElementCount(&window, &count);
  if (!count)
    return mlirLogicalResultSuccess();
  xlaCopyInit(&copy, &window);
  copy.source = mlirOperationGetOperand(op, isUpdate ? 1 : 0);
  copy.target = results[0];
  copy.targetShape = isUpdate ? whole : window;
  MlirValue start = windowStart(kernel, isUpdate ? 2 : 1, &whole, &window);
  *(isUpdate ? &copy.targetStart : &copy.sourceStart) = start;
  return xlaCopyEmit(kernel, &copy);
}

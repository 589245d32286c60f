//===- update.c - Updates of a part of an array ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dynamic_update_slice in a fusion that computes the update: loops over that,
// which write into the result where it begins.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/steps.h"

#include "mlir-c/BuiltinTypes.h"

/// The start along dimension `d`, computed in the function; null after a
/// diagnostic.
static MlirValue startOf(XlaGeneric *generic, MlirOperation op, int d,
                         int64_t most) {
  XlaKernel *kernel = generic->kernel;
  MlirValue value = mlirOperationGetOperand(op, 2);
  int64_t place = d;
  if (!xlaKernelShapeOf(value).rank) {
    value = mlirOperationGetOperand(op, 2 + d);
    place = -1;
  }
  if (mlirAffineExprIsNull(xlaIndexExprStart(generic, value, place, most)))
    return (MlirValue){NULL};
  intptr_t i = 0;
  while (!mlirValueEqual(kernel->starts[i].value, value) ||
         kernel->starts[i].place != place || kernel->starts[i].most != most)
    ++i;
  return kernel->starts[i].index;
}

/// The position in the result of the update's first element, as an index; null
/// after a diagnostic.
static MlirValue firstOf(XlaGeneric *generic, MlirOperation op,
                         const XlaShape *whole, const XlaShape *window) {
  XlaIr *ir = &generic->kernel->ir;
  MlirValue sum = xlaIrConstantIndex(ir, 0);
  int64_t row = 1;
  for (int d = whole->rank - 1; d >= 0; row *= whole->dims[d--]) {
    if (window->dims[d] == whole->dims[d])
      continue; // clamped to 0
    MlirValue start = startOf(generic, op, d, whole->dims[d] - window->dims[d]);
    if (mlirValueIsNull(start))
      return start;
    start = xlaIrBinary(ir, "arith.muli", start, xlaIrConstantIndex(ir, row));
    sum = xlaIrBinary(ir, "arith.addi", sum, start);
  }
  return sum;
}

MlirLogicalResult xlaUpdateEmit(XlaKernel *kernel, MlirOperation op,
                                MlirValue result) {
  MlirValue update = mlirOperationGetOperand(op, 1);
  XlaShape whole = xlaKernelShapeOf(mlirOperationGetResult(op, 0));
  XlaShape window = xlaKernelShapeOf(update);
  int64_t count = 0;
  xlaShapeGetElementCount(&window, &count);
  if (!count)
    return mlirLogicalResultSuccess();
  XlaGeneric generic;
  MlirAffineMap map;
  MlirLogicalResult done =
      xlaGenericBegin(&generic, kernel, &window, 1, &update);
  MlirValue first = {NULL}, scalar = {NULL};
  if (mlirLogicalResultIsSuccess(done))
    first = firstOf(&generic, op, &whole, &window);
  if (first.ptr)
    scalar = xlaGenericScalar(&generic, update, &generic.space.root);
  if (scalar.ptr) {
    MlirValue yield = xlaScalarToMemory(&generic.ir, whole.elementType, scalar);
    MlirValue view = xlaKernelView(&kernel->ir, result, &whole, &generic.space,
                                   &generic.space.root, first, &map);
    done = xlaGenericEnd(&generic, 1, &view, &map, &yield, NULL, false);
  } else {
    done = mlirLogicalResultFailure();
  }
  xlaGenericFree(&generic);
  return done;
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

/// Whether a slice is of what is updated, at the same place.
static bool isOfUpdate(MlirOperation slice, MlirOperation update) {
  intptr_t n = mlirOperationGetNumOperands(slice);
  if (!xlaKernelStepsSameDims(mlirOperationGetResult(slice, 0),
                              mlirOperationGetOperand(update, 1)) ||
      n + 1 != mlirOperationGetNumOperands(update))
    return false;
  for (intptr_t i = 1; i < n; ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(slice, i),
                        mlirOperationGetOperand(update, 1 + i)))
      return false;
  return true;
}

bool xlaUpdateIsInPlace(MlirOperation update) {
  MlirValue whole = mlirOperationGetOperand(update, 0);
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(update));
  XlaPointerMap derived = {0}; // operations that lead on from what is updated
  bool isInPlace = true;
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(update));
       isInPlace && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op)) {
    XlaOpKind kind = xlaOpGetKind(op);
    bool reads = false, follows = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue value = mlirOperationGetOperand(op, i);
      reads |= mlirValueEqual(value, whole);
      follows |= mlirValueIsAOpResult(value) &&
                 xlaPointerMapGet(&derived, mlirOpResultGetOwner(value).ptr);
    }
    if (mlirOperationEqual(op, update) || (!reads && !follows))
      continue;
    isInPlace = (reads ? kind == XlaOpKindDynamicSlice && isOfUpdate(op, update)
                       : xlaOpGetInfo(kind)->family == XlaFamilyElementwise) &&
                xlaPointerMapSet(&derived, op.ptr, 1);
  }
  xlaPointerMapClear(&derived);
  return isInPlace;
}

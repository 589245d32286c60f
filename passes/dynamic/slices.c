//===- slices.c - Slices at computed places, of arrays with sizes ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts are clamped by what is there, where lowering clamps by bounds.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// `start` at most `most`, an s32 size, and not below 0; in a type that holds
/// both.
static MlirValue clampStart(XlaIr *ir, MlirValue start, MlirValue most) {
  XlaElementType type = xlaArrayShape(start).elementType;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (info->bits < 32)
    type = XlaElementTypeS32;
  else if (type == XlaElementTypeU32)
    type = XlaElementTypeS64;
  MlirValue zero = xlaBoundedNumber(ir, 0);
  start = xlaArrayConvert(ir, start, type);
  most = xlaIrBinary(ir, "xla.maximum", most, zero);
  most = xlaArrayConvert(ir, most, type);
  if (xlaArrayShape(start).rank) {
    XlaShape shape = xlaArrayShape(start);
    most = xlaArrayBroadcast(ir, most, shape.rank, shape.dims, NULL);
  }
  return xlaIrBinary(ir, "xla.minimum", start, most);
}

/// The starts of `made`, from operand `first` on, have one type.
static void unifyStarts(XlaIr *ir, MlirOperation made, intptr_t first,
                        int rank) {
  XlaElementType type = XlaElementTypeS32;
  for (int d = 0; d < rank; ++d) {
    XlaElementType own =
        xlaArrayShape(mlirOperationGetOperand(made, first + d)).elementType;
    if (xlaElementTypeGetInfo(own)->bits == 64)
      type = own;
  }
  for (int d = 0; d < rank; ++d) {
    MlirValue start = mlirOperationGetOperand(made, first + d);
    mlirOperationSetOperand(made, first + d, xlaArrayConvert(ir, start, type));
  }
}

static bool hasVector(const XlaBoundedOp *b, intptr_t first) {
  return mlirOperationGetNumOperands(b->op) > first &&
         xlaArrayShape(mlirOperationGetOperand(b->op, first)).rank;
}

/// Start `d` of `made` at most the size less what the slice takes.
static void limitStart(XlaBoundedOp *b, MlirOperation made, intptr_t first,
                       int d, MlirValue size, MlirValue taken) {
  MlirValue most = xlaIrBinary(&b->ir, "xla.subtract", size, taken);
  mlirOperationSetOperand(
      made, first + d,
      clampStart(&b->ir, mlirOperationGetOperand(made, first + d), most));
}

static MlirLogicalResult boundSlice(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0);
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  MlirOperation made = xlaBoundedClone(b);
  bool limited = false;
  for (int d = 0; d < operand.shape.rank; ++d) {
    // All of a dimension begins at 0.
    if (xlaShapeIsDynamic(&result.shape, d)) {
      result.sizes[d] = operand.sizes[d];
      continue;
    }
    if (!operand.sizes[d].ptr)
      continue;
    MlirValue taken = xlaBoundedNumber(&b->ir, result.shape.dims[d]);
    if (failed(xlaBoundedCheck(
            b, XlaBoundedAtMost, taken, operand.sizes[d], "dynamic_slice_c4",
            "slice_sizes[%d] is %%d, must be in [0, %%d], the size of the "
            "operand",
            d)))
      return failure();
    limitStart(b, made, 1, d, operand.sizes[d], taken);
    limited = true;
  }
  if (limited)
    unifyStarts(&b->ir, made, 1, operand.shape.rank);
  mlirOperationMoveBefore(made, b->op);
  result.array = mlirOperationGetResult(made, 0);
  return xlaBoundedSetResult(b, 0, &result);
}

/// An update of dynamic size leaves alone what lies behind it: that is read
/// first. Room for reading is made behind the operand.
static MlirValue updatePart(XlaBoundedOp *b, MlirOperation made,
                            const XlaBounded *operand,
                            const XlaBounded *update) {
  XlaIr *ir = &b->ir;
  int rank = operand->shape.rank;
  int64_t none[XLA_MAX_RANK] = {0}, high[XLA_MAX_RANK] = {0},
          ones[XLA_MAX_RANK];
  MlirValue operands[2 + XLA_MAX_RANK];
  for (int d = 0; d < rank; ++d) {
    ones[d] = 1;
    high[d] = update->sizes[d].ptr ? update->shape.dims[d] : 0;
  }
  MlirValue zero = xlaArrayNumber(ir, operand->shape.elementType, 0);
  MlirValue wide = xlaArrayPad(ir, operand->array, zero, none, high, none);
  operands[0] = wide;
  for (int d = 0; d < rank; ++d)
    operands[1 + d] = mlirOperationGetOperand(made, 2 + d);
  MlirType type = mlirValueGetType(update->array);
  MlirValue old = xlaIrOp(
      ir, "xla.dynamic_slice", type, 1 + rank, operands, 1,
      &(XlaIrAttr){"slice_sizes", mlirDenseI64ArrayGet(ir->context, rank,
                                                       update->shape.dims)});
  MlirValue mask = xlaBoundedMask(ir, update, update->shape.dynamic);
  memmove(operands + 2, operands + 1, (size_t)rank * sizeof *operands);
  operands[1] = xlaIrOp(ir, "xla.select", type, 3,
                        (MlirValue[]){mask, update->array, old}, 0, NULL);
  MlirValue all = xlaIrOp(ir, "xla.dynamic_update_slice",
                          mlirValueGetType(wide), 2 + rank, operands, 0, NULL);
  return xlaArraySlice(ir, all, none, operand->shape.dims, ones);
}

static MlirLogicalResult boundUpdate(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0);
  XlaBounded update = xlaBoundedOperand(b, 1), result = operand;
  MlirOperation made = xlaBoundedClone(b);
  for (int d = 0; d < operand.shape.rank; ++d) {
    if (!operand.sizes[d].ptr && !update.sizes[d].ptr)
      continue;
    MlirValue size = xlaBoundedSize(&b->ir, &operand, d);
    MlirValue taken = xlaBoundedSize(&b->ir, &update, d);
    // A bound that fits into a static dimension fits anyway.
    if (operand.sizes[d].ptr &&
        failed(xlaBoundedCheck(
            b, XlaBoundedAtMost, taken, size, "dynamic_update_slice_c6",
            "dimension %d of the update is %%d, of the operand %%d", d)))
      return failure();
    limitStart(b, made, 2, d, size, taken);
  }
  unifyStarts(&b->ir, made, 2, operand.shape.rank);
  if (update.shape.dynamic) {
    result.array = updatePart(b, made, &operand, &update);
    mlirOperationDestroy(made);
  } else {
    mlirOperationMoveBefore(made, b->op);
    result.array = mlirOperationGetResult(made, 0);
  }
  return xlaBoundedSetResult(b, 0, &result);
}

/// The operation with the elements of the vector of its starts, operand
/// `first`.
static MlirOperation withScalars(XlaBoundedOp *b, intptr_t first, int rank) {
  XlaIr *ir = &b->ir;
  MlirValue operands[2 + XLA_MAX_RANK];
  MlirValue vector = xlaBoundedOperand(b, first).array;
  MlirType type = mlirValueGetType(mlirOperationGetResult(b->op, 0));
  XlaIrAttr sizes = {"slice_sizes", xlaOpGetAttr(b->op, "slice_sizes")};
  bool slices = b->kind == XlaOpKindDynamicSlice;
  for (intptr_t i = 0; i < first; ++i)
    operands[i] = mlirOperationGetOperand(b->op, i);
  for (int d = 0; d < rank; ++d)
    operands[first + d] =
        xlaArrayReshape(ir,
                        xlaArraySlice(ir, vector, (int64_t[]){d},
                                      (int64_t[]){d + 1}, (int64_t[]){1}),
                        0, NULL);
  return xlaIrCreate(
      ir, slices ? "xla.dynamic_slice" : "xla.dynamic_update_slice",
      first + rank, operands, 1, &type, slices ? 1 : 0, &sizes, 0, NULL);
}

MlirLogicalResult xlaBoundedDynamicSlice(XlaBoundedOp *b) {
  bool slices = b->kind == XlaOpKindDynamicSlice;
  MlirLogicalResult (*bound)(XlaBoundedOp *) =
      slices ? boundSlice : boundUpdate;
  intptr_t first = slices ? 1 : 2;
  int rank = xlaBoundedOperand(b, 0).shape.rank;
  if (!hasVector(b, first))
    return bound(b);
  XlaBounded vector = xlaBoundedOperand(b, first);
  if (vector.sizes[0].ptr &&
      failed(xlaBoundedCheck(b, XlaBoundedEqual, vector.sizes[0],
                             xlaBoundedNumber(&b->ir, rank), "dynamic",
                             "there are %%d starts, of %%d dimensions")))
    return failure();
  return xlaBoundedInstead(b, withScalars(b, first, rank), bound);
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// The most that coordinate `k` of a start may be, an s32 scalar; null if
/// lowering's clamp is right.
static MlirLogicalResult
coordinateLimit(XlaBoundedOp *b, const XlaBounded *operand,
                const XlaShape *result, const XlaIndexedWindows *windows,
                const XlaI64List *sizes, int64_t d, MlirValue *most) {
  *most = (MlirValue){NULL};
  if (!operand->sizes[d].ptr)
    return success();
  for (int i = 0; i < windows->offset.size; ++i)
    if (windows->window.values[i] == d &&
        xlaShapeIsDynamic(result, windows->offset.values[i]))
      return success(); // all of it
  MlirValue taken = xlaBoundedNumber(&b->ir, sizes->values[d]);
  *most = xlaIrBinary(&b->ir, "xla.subtract", operand->sizes[d], taken);
  return xlaBoundedCheck(b, XlaBoundedAtMost, taken, operand->sizes[d],
                         "gather_c21",
                         "slice_sizes[%lld] is %%d, must be in [0, %%d], the "
                         "size of the operand",
                         (long long)d);
}

/// The coordinates of all indices, at most what `limits` has for each.
static MlirValue limitIndices(XlaIr *ir, MlirValue indices, int64_t vectorDim,
                              int n, const MlirValue *limits) {
  XlaShape shape = xlaArrayShape(indices);
  MlirValue parts[XLA_MAX_RANK];
  int64_t one = 1, d = vectorDim;
  if (vectorDim == shape.rank)
    return clampStart(ir, indices, limits[0]);
  for (int k = 0; k < n; ++k)
    parts[k] = xlaArrayReshape(
        ir, limits[k].ptr ? limits[k] : xlaBoundedNumber(ir, INT32_MAX), 1,
        &one);
  MlirValue all = xlaArrayConcatenate(ir, n, parts, 0);
  return clampStart(ir, indices,
                    xlaArrayBroadcast(ir, all, shape.rank, shape.dims, &d));
}

MlirLogicalResult xlaBoundedWindowsAgree(XlaBoundedOp *b,
                                         const XlaIndexedWindows *windows,
                                         const XlaBounded *operand,
                                         const XlaBounded *indices) {
  int64_t d = windows->vectorDim;
  if (d < indices->shape.rank && indices->sizes[d].ptr &&
      failed(xlaBoundedCheck(
          b, XlaBoundedEqual, indices->sizes[d],
          xlaBoundedNumber(&b->ir, windows->startMap.size), "dynamic",
          "an index has %%d coordinates, of which there are %%d")))
    return failure();
  for (int i = 0; i < windows->batching.size; ++i) {
    int64_t of = windows->batching.values[i];
    int64_t k = windows->indexBatching.values[i];
    if ((operand->sizes[of].ptr || indices->sizes[k].ptr) &&
        failed(xlaBoundedCheck(
            b, XlaBoundedEqual, xlaBoundedSize(&b->ir, operand, of),
            xlaBoundedSize(&b->ir, indices, k), "dynamic",
            "batching dimension %lld of the operand is %%d, dimension %lld of "
            "the indices %%d",
            (long long)of, (long long)k)))
      return failure();
  }
  return success();
}

MlirLogicalResult xlaBoundedGather(XlaBoundedOp *b) {
  XlaBounded operand = xlaBoundedOperand(b, 0);
  XlaBounded indices = xlaBoundedOperand(b, 1);
  XlaBounded result = {.shape = xlaBoundedResultShape(b, 0)};
  XlaIndexedWindows windows;
  XlaI64List sizes;
  MlirValue most[XLA_MAX_RANK], limits[XLA_MAX_RANK];
  bool limited = false;
  xlaIndexedWindowsGet(b->op, &windows);
  xlaOpGetList(b->op, "slice_sizes", &sizes);
  if (failed(xlaBoundedWindowsAgree(b, &windows, &operand, &indices)))
    return failure();
  for (int d = 0; d < operand.shape.rank; ++d)
    if (failed(coordinateLimit(b, &operand, &result.shape, &windows, &sizes, d,
                               &most[d])))
      return failure();
  for (int k = 0; k < windows.startMap.size; ++k) {
    limits[k] = most[windows.startMap.values[k]];
    limited |= limits[k].ptr != NULL;
  }
  for (int i = 0; i < windows.offset.size; ++i)
    if (xlaShapeIsDynamic(&result.shape, windows.offset.values[i]))
      result.sizes[windows.offset.values[i]] =
          operand.sizes[windows.window.values[i]];
  for (int i = 0; i < windows.batch.size; ++i)
    result.sizes[windows.batch.values[i]] =
        indices.sizes[windows.indexBatch.values[i]];
  MlirOperation made = xlaBoundedClone(b);
  if (limited)
    mlirOperationSetOperand(made, 1,
                            limitIndices(&b->ir, indices.array,
                                         windows.vectorDim,
                                         windows.startMap.size, limits));
  mlirOperationMoveBefore(made, b->op);
  result.array = mlirOperationGetResult(made, 0);
  return xlaBoundedSetResult(b, 0, &result);
}

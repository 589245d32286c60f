//===- dynamic_slice.c - Slices at computed places ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts are one scalar for each dimension, or one vector (the older form).
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

/// Checks the starts, operands `first` and up, against a rank. `count` and
/// `same` are the labels for their number and their types.
static MlirLogicalResult checkStarts(const XlaOpView *view, intptr_t first,
                                     int rank, const char *count,
                                     const char *same) {
  XlaShape start, other;
  intptr_t n = view->nOperands - first;
  for (intptr_t i = 0; i < n; ++i) {
    if (failed(xlaViewGetShape(view, first + i, &other)))
      return failure();
    if (!i)
      start = other;
    if (!xlaElementTypeIsInteger(other.elementType) ||
        other.rank > (n == 1 ? 1 : 0))
      return xlaViewError(view, same,
                          "start %lld is %s, must be a scalar of an integer "
                          "type, or all starts one vector",
                          (long long)i, XLA_SHAPE_TEXT(&other));
    if (other.elementType != start.elementType)
      return xlaViewError(view, same, "start %lld is %s, start 0 is %s",
                          (long long)i, XLA_SHAPE_TEXT(&other),
                          XLA_SHAPE_TEXT(&start));
  }
  int64_t have = n == 1 && start.rank ? start.dims[0] : n;
  if (have == rank)
    return success();
  return xlaViewError(view, count, "has %lld starts, the operand has rank %d",
                      (long long)have, rank);
}

static MlirLogicalResult inferSlice(XlaOpView *view, const XlaShape *operand) {
  XlaI64List sizes;
  if (failed(checkStarts(view, 1, operand->rank, "dynamic_slice_c2",
                         "dynamic_slice_c3")))
    return failure();
  xlaViewGetList(view, "slice_sizes", &sizes);
  if (sizes.size != operand->rank)
    return xlaViewError(view, "dynamic_slice_c2",
                        "slice_sizes %s has %d entries, the operand has rank "
                        "%d",
                        XLA_LIST_TEXT(sizes.values, sizes.size), sizes.size,
                        operand->rank);
  XlaShape result = *operand, declared;
  xlaViewGetDeclared(view, 0, &declared);
  for (int i = 0; i < operand->rank; ++i) {
    // All of a dynamic dimension has its size, a part of it a fixed one.
    if (xlaShapeIsDynamic(operand, i) && sizes.values[i] == declared.dims[i])
      continue;
    xlaShapeSetDynamic(&result, i, false);
    if (sizes.values[i] < 0 || sizes.values[i] > operand->dims[i])
      return xlaViewError(view, "dynamic_slice_c4",
                          "slice_sizes[%d] is %lld, must be in [0, %lld], the "
                          "size of the operand",
                          i, (long long)sizes.values[i],
                          (long long)operand->dims[i]);
    result.dims[i] = sizes.values[i];
  }
  xlaViewAppendBounded(view, &result);
  return success();
}

static MlirLogicalResult inferUpdate(XlaOpView *view, const XlaShape *operand) {
  XlaShape update;
  if (failed(xlaViewGetBounded(view, 1, &update)))
    return failure();
  if (update.elementType != operand->elementType)
    return xlaViewError(view, "dynamic_update_slice_c2",
                        "element type of the update is %s, of the operand %s",
                        xlaElementTypeGetInfo(update.elementType)->name,
                        xlaElementTypeGetInfo(operand->elementType)->name);
  if (update.rank != operand->rank)
    return xlaViewError(view, "dynamic_update_slice_c3",
                        "the update has rank %d, the operand rank %d",
                        update.rank, operand->rank);
  if (failed(checkStarts(view, 2, operand->rank, "dynamic_update_slice_c4",
                         "dynamic_update_slice_c5")))
    return failure();
  for (int i = 0; i < operand->rank; ++i)
    if (update.dims[i] > operand->dims[i])
      return xlaViewError(view, "dynamic_update_slice_c6",
                          "dimension %d of the update is %lld, of the operand "
                          "%lld",
                          i, (long long)update.dims[i],
                          (long long)operand->dims[i]);
  xlaViewAppendBounded(view, operand);
  return success();
}

MlirLogicalResult xlaDynamicSliceInfer(XlaOpView *view) {
  XlaShape operand;
  if (failed(xlaViewGetBounded(view, 0, &operand)))
    return failure();
  return view->kind == XlaOpKindDynamicSlice ? inferSlice(view, &operand)
                                             : inferUpdate(view, &operand);
}

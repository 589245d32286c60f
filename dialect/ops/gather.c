//===- gather.c - Windows at computed places ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/dialect/result_internal.h"

/// All of a dynamic dimension has its size, which takes the bound's place.
static MlirLogicalResult checkSizes(const XlaOpView *view,
                                    const XlaShape *operand,
                                    const XlaIndexedWindows *windows,
                                    XlaI64List *sizes, XlaShape *result) {
  if (sizes->size != operand->rank)
    return xlaViewError(view, "gather_c20",
                        "slice_sizes %s has %d entries, the operand has rank "
                        "%d",
                        XLA_LIST_TEXT(sizes->values, sizes->size), sizes->size,
                        operand->rank);
  for (int i = 0; i < windows->offset.size; ++i) {
    int d = (int)windows->window.values[i];
    if (xlaViewIsWhole(view, 0, d, sizes->values[d])) {
      sizes->values[d] = operand->dims[d];
      xlaShapeSetDynamic(result, windows->offset.values[i], true);
    }
  }
  for (int d = 0; d < operand->rank; ++d)
    if (sizes->values[d] < 0 || sizes->values[d] > operand->dims[d])
      return xlaViewError(view, "gather_c21",
                          "slice_sizes[%d] is %lld, must be in [0, %lld], the "
                          "size of the operand",
                          d, (long long)sizes->values[d],
                          (long long)operand->dims[d]);
  return success();
}

/// Of `dims`, windows have one element; with `orNone`, perhaps not that.
static MlirLogicalResult checkSmall(const XlaOpView *view, const char *label,
                                    const char *name, const XlaI64List *dims,
                                    const XlaI64List *sizes, bool orNone) {
  for (int i = 0; i < dims->size; ++i) {
    int64_t size = sizes->values[dims->values[i]];
    if (size != 1 && (!orNone || size != 0))
      return xlaViewError(view, label,
                          "slice_sizes[%lld] is %lld, must be 1%s: %s has the "
                          "dimension",
                          (long long)dims->values[i], (long long)size,
                          orNone ? " or 0" : "", name);
  }
  return success();
}

MlirLogicalResult xlaGatherInfer(XlaOpView *view) {
  XlaShape operand, indices;
  XlaIndexedWindows windows;
  XlaI64List sizes;
  if (failed(xlaViewGetBounded(view, 0, &operand)) ||
      failed(xlaViewGetBounded(view, 1, &indices)))
    return failure();
  if (!xlaElementTypeIsInteger(indices.elementType))
    return xlaViewError(view, "gather_i2",
                        "start_indices is %s, must have integers",
                        XLA_SHAPE_TEXT(&indices));
  if (failed(xlaIndexedWindowsInfer(view, &operand, &indices, -1, &windows)))
    return failure();
  xlaViewGetList(view, "slice_sizes", &sizes);
  XlaShape result = {.elementType = operand.elementType,
                     .rank = windows.offset.size + windows.batch.size};
  if (failed(checkSizes(view, &operand, &windows, &sizes, &result)) ||
      failed(checkSmall(view, "gather_c9", "collapsed_slice_dims",
                        &windows.collapsed, &sizes, false)) ||
      failed(checkSmall(view, "gather_c12", "operand_batching_dims",
                        &windows.batching, &sizes, true)))
    return failure();
  for (int i = 0; i < windows.offset.size; ++i)
    result.dims[windows.offset.values[i]] =
        sizes.values[windows.window.values[i]];
  for (int i = 0; i < windows.batch.size; ++i) {
    int64_t d = windows.batch.values[i], k = windows.indexBatch.values[i];
    result.dims[d] = indices.dims[k];
    xlaShapeSetDynamic(&result, d, xlaShapeIsDynamic(&indices, k));
  }
  return xlaViewAppendChecked(view, NULL, &result);
}

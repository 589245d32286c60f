//===- scatter.c - Updates at computed places -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/dialect/ops/reduction.h"
#include "xlac/dialect/result_internal.h"

static const XlaReductionLabels labels = {.body = "scatter_c23"};

/// Inputs and updates have the same dimensions each, and the same elements.
static MlirLogicalResult checkArrays(const XlaOpView *view, XlaShape *input,
                                     XlaShape *update) {
  intptr_t n = view->nOperands / 2;
  if (view->nOperands % 2 == 0)
    return xlaViewError(view, "scatter_c5",
                        "has %lld operands; there are as many updates as "
                        "inputs, and scatter_indices between them",
                        (long long)view->nOperands);
  if (failed(xlaViewGetBounded(view, 0, input)) ||
      failed(xlaViewGetBounded(view, n + 1, update)))
    return failure();
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape a, b;
    if (failed(xlaViewGetBounded(view, i, &a)) ||
        failed(xlaViewGetBounded(view, n + 1 + i, &b)))
      return failure();
    input->dynamic |= a.dynamic;
    if (!xlaShapeDimsEqual(&a, input))
      return xlaViewError(view, "scatter_c1",
                          "input %lld is %s, input 0 is %s: the dimensions "
                          "must be the same",
                          (long long)i, XLA_SHAPE_TEXT(&a),
                          XLA_SHAPE_TEXT(input));
    if (!xlaShapeDimsEqual(&b, update))
      return xlaViewError(view, "scatter_c3",
                          "update %lld is %s, update 0 is %s: the dimensions "
                          "must be the same",
                          (long long)i, XLA_SHAPE_TEXT(&b),
                          XLA_SHAPE_TEXT(update));
    if (a.elementType != b.elementType)
      return xlaViewError(view, "scatter_c6",
                          "update %lld is %s, input %lld is %s: the elements "
                          "must be the same",
                          (long long)i, XLA_SHAPE_TEXT(&b), (long long)i,
                          XLA_SHAPE_TEXT(&a));
  }
  return success();
}

static MlirLogicalResult checkSizes(const XlaOpView *view,
                                    const XlaIndexedWindows *windows,
                                    const XlaShape *input,
                                    const XlaShape *indices,
                                    const XlaShape *update) {
  for (int i = 0; i < windows->batch.size; ++i) {
    int64_t d = windows->batch.values[i], k = windows->indexBatch.values[i];
    if (update->dims[d] != indices->dims[k])
      return xlaViewError(view, "scatter_c4",
                          "dimension %lld of update 0 is %lld, dimension %lld "
                          "of scatter_indices %lld",
                          (long long)d, (long long)update->dims[d],
                          (long long)k, (long long)indices->dims[k]);
  }
  for (int i = 0; i < windows->offset.size; ++i) {
    int64_t d = windows->offset.values[i], k = windows->window.values[i];
    if (update->dims[d] > input->dims[k])
      return xlaViewError(view, "scatter_c4",
                          "dimension %lld of update 0 is %lld, more than "
                          "dimension %lld of input 0, %lld",
                          (long long)d, (long long)update->dims[d],
                          (long long)k, (long long)input->dims[k]);
  }
  return success();
}

MlirLogicalResult xlaScatterInfer(XlaOpView *view) {
  XlaShape input, indices, update;
  XlaIndexedWindows windows;
  if (failed(checkArrays(view, &input, &update)) ||
      failed(xlaViewGetBounded(view, view->nOperands / 2, &indices)))
    return failure();
  if (!xlaElementTypeIsInteger(indices.elementType))
    return xlaViewError(view, "scatter_i2",
                        "scatter_indices is %s, must have integers",
                        XLA_SHAPE_TEXT(&indices));
  if (failed(xlaIndexedWindowsInfer(view, &input, &indices, update.rank,
                                    &windows)) ||
      failed(checkSizes(view, &windows, &input, &indices, &update)) ||
      failed(xlaReductionCheckBody(view, &labels)))
    return failure();
  return xlaReductionAppendResults(view, &input);
}

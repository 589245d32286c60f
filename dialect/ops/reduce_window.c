//===- reduce_window.c - Reductions of windows ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/reduction.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

static const XlaReductionLabels labels = {.count = "reduce_window_c1",
                                          .dims = "reduce_window_c2",
                                          .init = "reduce_window_c3",
                                          .body = "reduce_window_c13"};

MlirLogicalResult xlaReduceWindowInfer(XlaOpView *view) {
  XlaShape shape;
  XlaWindow window;
  if (failed(xlaReductionCheckOperands(view, &labels, &shape)))
    return failure();
  xlaWindowSetBase(&window, &shape);
  if (failed(xlaWindowInfer(view, &xlaReduceWindowForm, &window)) ||
      failed(xlaReductionCheckBody(view, &labels)))
    return failure();
  memcpy(shape.dims, window.counts, (size_t)shape.rank * sizeof *shape.dims);
  return xlaReductionAppendResults(view, &shape);
}

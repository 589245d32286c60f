//===- reduce_window.c - Reductions of windows ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/ops/family.h"
#include "xlac/dialect/ops/reduction.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

static const XlaReductionLabels labels = {.count = "reduce_window_c1",
                                          .dims = "reduce_window_c2",
                                          .init = "reduce_window_c3",
                                          .body = "reduce_window_c13"};

static void setBase(XlaWindow *window, const XlaShape *shape) {
  window->rank = shape->rank;
  memcpy(window->base, shape->dims, sizeof window->base);
}

MlirLogicalResult xlaReduceWindowInfer(XlaOpView *view) {
  XlaShape shape;
  XlaWindow window;
  if (failed(xlaReductionCheckOperands(view, &labels, &shape)))
    return failure();
  setBase(&window, &shape);
  if (failed(xlaWindowInfer(view, &xlaReduceWindowForm, &window)) ||
      failed(xlaReductionCheckBody(view, &labels)))
    return failure();
  memcpy(shape.dims, window.counts, (size_t)shape.rank * sizeof *shape.dims);
  return xlaReductionAppendResults(view, &shape);
}

/// Combines the window at `position`. What it covers beside the operands' own
/// elements are init values, as if the operands had been padded with them.
static MlirLogicalResult reduceOne(XlaReduction *reduction,
                                   const XlaWindow *window,
                                   const int64_t *strides,
                                   const int64_t *position) {
  int64_t index[XLA_MAX_RANK] = {0};
  xlaReductionStart(reduction);
  do {
    if (failed(xlaReductionAdd(
            reduction, xlaWindowOffset(window, position, index, strides))))
      return failure();
  } while (xlaIndexNext(index, window->sizes, window->rank));
  return success();
}

static MlirLogicalResult reduceAll(XlaReduction *reduction,
                                   const XlaWindow *window,
                                   XlaLiteral **results) {
  int64_t position[XLA_MAX_RANK] = {0}, strides[XLA_MAX_RANK];
  xlaStridesInit(xlaLiteralGetShape(reduction->operands[0]), strides);
  for (int64_t k = 0, n = xlaLiteralGetElementCount(results[0]); k < n; ++k) {
    if (failed(reduceOne(reduction, window, strides, position)))
      return failure();
    xlaReductionStore(reduction, results, k);
    xlaIndexNext(position, window->counts, window->rank);
  }
  return success();
}

MlirLogicalResult xlaReduceWindowEvaluate(XlaEvaluator *evaluator,
                                          MlirOperation op, XlaOpKind kind,
                                          const XlaLiteral *const *operands,
                                          XlaLiteral **results) {
  (void)kind;
  XlaWindow window;
  XlaReduction reduction;
  setBase(&window, xlaLiteralGetShape(operands[0]));
  xlaWindowRead(op, &xlaReduceWindowForm, &window);
  MlirLogicalResult result =
      xlaReductionInit(&reduction, evaluator, op, operands, results);
  if (!failed(result))
    result = reduceAll(&reduction, &window, results);
  xlaReductionClear(&reduction);
  return result;
}

//===- reduce_window.c - Reductions of windows, evaluated -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/reduction.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/result_internal.h"

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
  xlaWindowSetBase(&window, xlaLiteralGetShape(operands[0]));
  xlaWindowRead(op, &xlaReduceWindowForm, &window);
  MlirLogicalResult result =
      xlaReductionInit(&reduction, evaluator, op, operands, results);
  if (!failed(result))
    result = reduceAll(&reduction, &window, results);
  xlaReductionClear(&reduction);
  return result;
}

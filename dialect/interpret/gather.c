//===- gather.c - Windows at computed places, evaluated -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts are clamped so that every window lies inside the operand.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/indexed_windows.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/result_internal.h"

/// One window as a box, at 0 in both arrays, and how it moves in the result.
typedef struct Walk {
  XlaStridedBox box;
  XlaI64List sizes;
  int64_t strides[XLA_MAX_RANK]; // of the operand
  int64_t batchDims[XLA_MAX_RANK], batchStrides[XLA_MAX_RANK];
} Walk;

static void initWalk(Walk *walk, const XlaIndexedWindows *windows,
                     MlirOperation op, const XlaShape *operand,
                     const XlaShape *result) {
  int64_t resultStrides[XLA_MAX_RANK];
  *walk = (Walk){.box = {.rank = windows->offset.size}};
  xlaOpGetList(op, "slice_sizes", &walk->sizes);
  xlaStridesInit(operand, walk->strides);
  xlaStridesInit(result, resultStrides);
  for (int i = 0; i < windows->offset.size; ++i) {
    int64_t from = windows->window.values[i], to = windows->offset.values[i];
    walk->sizes.values[from] = walk->box.dims[i] = result->dims[to];
    walk->box.fromStrides[i] = walk->strides[from];
    walk->box.toStrides[i] = resultStrides[to];
  }
  for (int i = 0; i < windows->batch.size; ++i) {
    walk->batchDims[i] = result->dims[windows->batch.values[i]];
    walk->batchStrides[i] = resultStrides[windows->batch.values[i]];
  }
}

MlirLogicalResult xlaGatherEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                    XlaOpKind kind,
                                    const XlaLiteral *const *operands,
                                    XlaLiteral **results) {
  (void)kind;
  XlaIndexedWindows windows;
  Walk walk;
  XlaLiteral *result = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!result)
    return failure();
  results[0] = result;
  const XlaShape *operand = xlaLiteralGetShape(operands[0]);
  xlaIndexedWindowsGet(op, &windows);
  initWalk(&walk, &windows, op, operand, xlaLiteralGetShape(result));
  if (!xlaLiteralGetElementCount(result))
    return success();
  int64_t batch[XLA_MAX_RANK] = {0}, start[XLA_MAX_RANK];
  do {
    if (failed(xlaEvaluatorStep(evaluator, op, 1)))
      return failure();
    xlaIndexedWindowsGetStart(&windows, operands[1], operand->rank, batch,
                              start);
    walk.box.fromOffset = walk.box.toOffset = 0;
    for (int d = 0; d < operand->rank; ++d) {
      int64_t most = operand->dims[d] - walk.sizes.values[d];
      int64_t at = start[d] < 0 ? 0 : start[d] < most ? start[d] : most;
      walk.box.fromOffset += at * walk.strides[d];
    }
    for (int i = 0; i < windows.batch.size; ++i)
      walk.box.toOffset += batch[i] * walk.batchStrides[i];
    xlaStridedCopy(result, operands[0], &walk.box);
  } while (xlaIndexNext(batch, walk.batchDims, windows.batch.size));
  return success();
}

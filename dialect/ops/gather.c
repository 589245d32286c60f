//===- gather.c - Windows at computed places ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts are clamped so that every window lies inside the operand.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/ops/family.h"
#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/dialect/result_internal.h"

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

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

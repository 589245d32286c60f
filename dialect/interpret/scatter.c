//===- scatter.c - Updates at computed places, evaluated ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window that does not lie inside the inputs is skipped as a whole, as XLA's
// compilers do it; the specification's formula would apply what is inside.
// Windows are applied in the row-major order of the indices, which defines the
// results where windows overlap.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/indexed_windows.h"
#include "xlac/dialect/interpret/scalar/region.h"
#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct Scatter {
  XlaEvaluator *evaluator;
  MlirOperation op;
  intptr_t n;
  const XlaLiteral *const *operands; // inputs, indices, updates
  XlaLiteral **results;
  XlaScalarRegion *body;
  XlaScalar *values; // of the results, then of the updates
  XlaIndexedWindows windows;
  XlaShape shape;              // of the inputs
  int64_t sizes[XLA_MAX_RANK]; // of a window, by dimension of the inputs
  int64_t windowDims[XLA_MAX_RANK], batchDims[XLA_MAX_RANK];
  int64_t strides[XLA_MAX_RANK], updateStrides[XLA_MAX_RANK];
} Scatter;

/// Element `at` of `literal` as the body takes it for argument `argument`.
static XlaScalar read(const Scatter *scatter, const XlaLiteral *literal,
                      int64_t at, intptr_t argument) {
  return xlaScalarRead(literal, at,
                       xlaScalarRegionGetArgumentType(scatter->body, argument));
}

/// Combines one element of the results with one of the updates.
static MlirLogicalResult combine(Scatter *scatter, int64_t at, int64_t update) {
  intptr_t n = scatter->n;
  for (intptr_t i = 0; i < n; ++i) {
    scatter->values[i] = xlaLiteralGet(scatter->results[i], at);
    scatter->values[n + i] =
        read(scatter, scatter->operands[n + 1 + i], update, n + i);
  }
  if (failed(
          xlaScalarRegionRun(scatter->body, scatter->values, scatter->values)))
    return failure();
  for (intptr_t i = 0; i < n; ++i)
    xlaLiteralSet(scatter->results[i], at, scatter->values[i]);
  return success();
}

/// The position of a window's first element; -1 if the window is not inside.
static int64_t positionOf(const Scatter *scatter, const int64_t *batch) {
  int64_t start[XLA_MAX_RANK], at = 0;
  xlaIndexedWindowsGetStart(&scatter->windows, scatter->operands[scatter->n],
                            scatter->shape.rank, batch, start);
  for (int d = 0; d < scatter->shape.rank; ++d) {
    if (start[d] < 0 || start[d] > scatter->shape.dims[d] - scatter->sizes[d])
      return -1;
    at += start[d] * scatter->strides[d];
  }
  return at;
}

static MlirLogicalResult addWindow(Scatter *scatter, const int64_t *batch) {
  const XlaIndexedWindows *windows = &scatter->windows;
  int64_t first = positionOf(scatter, batch), base = 0;
  int64_t index[XLA_MAX_RANK] = {0};
  if (first < 0)
    return xlaEvaluatorStep(scatter->evaluator, scatter->op, 1);
  for (int i = 0; i < windows->batch.size; ++i)
    base += batch[i] * scatter->updateStrides[windows->batch.values[i]];
  do {
    int64_t at = first, update = base;
    for (int i = 0; i < windows->offset.size; ++i) {
      at += index[i] * scatter->strides[windows->window.values[i]];
      update += index[i] * scatter->updateStrides[windows->offset.values[i]];
    }
    if (failed(combine(scatter, at, update)))
      return failure();
  } while (xlaIndexNext(index, scatter->windowDims, windows->offset.size));
  return success();
}

static MlirLogicalResult addAll(Scatter *scatter) {
  int64_t batch[XLA_MAX_RANK] = {0};
  if (!xlaLiteralGetElementCount(scatter->operands[scatter->n + 1]))
    return success();
  do {
    if (failed(addWindow(scatter, batch)))
      return failure();
  } while (
      xlaIndexNext(batch, scatter->batchDims, scatter->windows.batch.size));
  return success();
}

static void initDims(Scatter *scatter) {
  const XlaIndexedWindows *windows = &scatter->windows;
  const XlaShape *update =
      xlaLiteralGetShape(scatter->operands[scatter->n + 1]);
  xlaStridesInit(&scatter->shape, scatter->strides);
  xlaStridesInit(update, scatter->updateStrides);
  for (int d = 0; d < scatter->shape.rank; ++d)
    scatter->sizes[d] = 1;
  for (int i = 0; i < windows->offset.size; ++i) {
    scatter->windowDims[i] = update->dims[windows->offset.values[i]];
    scatter->sizes[windows->window.values[i]] = scatter->windowDims[i];
  }
  for (int i = 0; i < windows->batch.size; ++i)
    scatter->batchDims[i] = update->dims[windows->batch.values[i]];
}

/// The results begin as the inputs.
static MlirLogicalResult initResults(Scatter *scatter) {
  for (intptr_t i = 0; i < scatter->n; ++i) {
    XlaLiteral *result =
        xlaEvaluatorCreateResult(scatter->evaluator, scatter->op, i);
    if (!result)
      return failure();
    scatter->results[i] = result;
    const XlaLiteral *input = scatter->operands[i];
    size_t bytes = xlaLiteralGetByteCount(result);
    if (xlaLiteralGetShape(result)->elementType ==
        xlaLiteralGetShape(input)->elementType) {
      if (bytes)
        memcpy(xlaLiteralGetMutableData(result), xlaLiteralGetData(input),
               bytes);
      continue;
    }
    for (int64_t k = 0; k < xlaLiteralGetElementCount(result); ++k)
      xlaLiteralSet(result, k, read(scatter, input, k, i));
  }
  return success();
}

MlirLogicalResult xlaScatterEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                     XlaOpKind kind,
                                     const XlaLiteral *const *operands,
                                     XlaLiteral **results) {
  (void)kind;
  Scatter scatter = {.evaluator = evaluator,
                     .op = op,
                     .n = mlirOperationGetNumOperands(op) / 2,
                     .operands = operands,
                     .results = results,
                     .shape = *xlaLiteralGetShape(operands[0])};
  xlaIndexedWindowsGet(op, &scatter.windows);
  initDims(&scatter);
  scatter.values = calloc((size_t)(2 * scatter.n), sizeof *scatter.values);
  if (!scatter.values)
    return xlaOpNoMemory(op);
  scatter.body = xlaScalarRegionCreate(evaluator, op, 0, NULL);
  MlirLogicalResult result = scatter.body ? initResults(&scatter) : failure();
  if (!failed(result))
    result = addAll(&scatter);
  xlaScalarRegionDestroy(scatter.body);
  free(scatter.values);
  return result;
}

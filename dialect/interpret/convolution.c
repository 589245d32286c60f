//===- convolution.c - Values of convolutions -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/convolution.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/products.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/result_internal.h"

#include <math.h>

/// An array with what is needed to walk it.
typedef struct Side {
  const void *data;
  int64_t batches, features, batchStride, featureStride;
  int64_t spatialStrides[XLA_MAX_RANK];
} Side;

static void initSide(Side *side, const XlaConvolutionSide *dimensions,
                     const XlaLiteral *literal) {
  const XlaShape *shape = xlaLiteralGetShape(literal);
  int64_t strides[XLA_MAX_RANK];
  xlaStridesInit(shape, strides);
  side->data = xlaLiteralGetData(literal);
  side->batches = shape->dims[dimensions->batch];
  side->features = shape->dims[dimensions->feature];
  side->batchStride = strides[dimensions->batch];
  side->featureStride = strides[dimensions->feature];
  for (int i = 0; i < dimensions->spatial.size; ++i)
    side->spatialStrides[i] = strides[dimensions->spatial.values[i]];
}

typedef struct Run {
  XlaEvaluator *evaluator;
  MlirOperation op;
  XlaConvolution c;
  XlaProducts products;
  Side lhs, rhs, out;
  XlaLiteral *result;
  /// The pairs of spatial offsets in lhs and rhs that one position multiplies.
  int64_t *taps;
  int64_t nTaps;
  bool holes; // count: a kernel's inf or NaN times the zeros in them is NaN
} Run;

static int64_t offsetOf(const int64_t *index, const int64_t *strides, int n) {
  int64_t offset = 0;
  for (int i = 0; i < n; ++i)
    offset += index[i] * strides[i];
  return offset;
}

/// Finds the taps of a position. Those in padding and holes have offset -1.
static void findTaps(Run *run, const int64_t *position) {
  const XlaWindow *window = &run->c.window;
  int64_t index[XLA_MAX_RANK] = {0}, kernel[XLA_MAX_RANK];
  run->nTaps = 0;
  do {
    int64_t at =
        xlaWindowOffset(window, position, index, run->lhs.spatialStrides);
    if (at < 0 && !run->holes)
      continue;
    for (int i = 0; i < window->rank; ++i)
      kernel[i] =
          run->c.reversed[i] ? window->sizes[i] - 1 - index[i] : index[i];
    run->taps[2 * run->nTaps] = at;
    run->taps[2 * run->nTaps + 1] =
        offsetOf(kernel, run->rhs.spatialStrides, window->rank);
    ++run->nTaps;
  } while (xlaIndexNext(index, window->sizes, window->rank));
}

/// One element of the result.
static XlaScalar sum(const Run *run, int64_t batch, int64_t feature) {
  int64_t perGroup =
      run->rhs.batches / (run->c.featureGroups * run->c.batchGroups);
  int64_t group = feature / perGroup;
  int64_t lhs = batch * run->lhs.batchStride,
          rhs = feature * run->rhs.batchStride;
  if (run->c.featureGroups > 1)
    lhs += group * run->rhs.features * run->lhs.featureStride;
  else
    lhs += group * run->out.batches * run->lhs.batchStride;
  XlaScalar value = {.f = {0, 0}};
  for (int64_t i = 0; i < run->nTaps; ++i) {
    static const double zero[2] = {0, 0};
    bool hole = run->taps[2 * i] < 0;
    xlaProductsAdd(
        run->products, &value, run->rhs.features, hole ? zero : run->lhs.data,
        hole ? 0 : lhs + run->taps[2 * i], hole ? 0 : run->lhs.featureStride,
        run->rhs.data, rhs + run->taps[2 * i + 1], run->rhs.featureStride);
  }
  return value;
}

/// All batches and features of a position.
static MlirLogicalResult convolvePosition(Run *run, const int64_t *position) {
  int64_t at = offsetOf(position, run->out.spatialStrides, run->c.window.rank);
  findTaps(run, position);
  for (int64_t b = 0; b < run->out.batches; ++b)
    for (int64_t f = 0; f < run->out.features; ++f) {
      if (failed(xlaEvaluatorStep(run->evaluator, run->op,
                                  run->nTaps * run->rhs.features)))
        return failure();
      xlaLiteralSet(run->result,
                    at + b * run->out.batchStride + f * run->out.featureStride,
                    sum(run, b, f));
    }
  return success();
}

/// Room for the taps of a position.
static XlaLiteral *createTaps(Run *run) {
  const XlaWindow *window = &run->c.window;
  XlaShape shape = {.elementType = XlaElementTypeS64, .rank = 1, .dims = {2}};
  bool fits = true;
  for (int i = 0; i < window->rank; ++i)
    fits = fits && !__builtin_mul_overflow(shape.dims[0], window->sizes[i],
                                           &shape.dims[0]);
  if (!fits)
    shape.dims[0] = INT64_MAX;
  return xlaEvaluatorCreateArray(run->evaluator, run->op, &shape);
}

static MlirLogicalResult convolveAll(Run *run) {
  const XlaWindow *window = &run->c.window;
  int64_t position[XLA_MAX_RANK] = {0};
  XlaLiteral *taps = createTaps(run);
  if (!taps)
    return failure();
  MlirLogicalResult result;
  run->taps = xlaLiteralGetMutableData(taps);
  do
    result = convolvePosition(run, position);
  while (!failed(result) &&
         xlaIndexNext(position, window->counts, window->rank));
  xlaLiteralRelease(taps);
  return result;
}

/// Whether a decoded kernel has an infinity or NaN.
static bool hasNonFinite(XlaProducts products, const XlaLiteral *kernel) {
  for (int64_t i = 0, n = xlaLiteralGetElementCount(kernel);
       products != XlaProductsInteger && i < n; ++i) {
    XlaScalar x = xlaLiteralGet(kernel, i);
    if (!isfinite(x.f.re) ||
        (products == XlaProductsComplex && !isfinite(x.f.im)))
      return true;
  }
  return false;
}

/// Floats of up to 32 bits are added up in f32.
static XlaProducts productsOf(XlaElementType result) {
  XlaProducts products = xlaProductsOf(result);
  return products == XlaProductsFloat && result != XlaElementTypeF64
             ? XlaProductsSingle
             : products;
}

MlirLogicalResult xlaConvolutionEvaluate(XlaEvaluator *evaluator,
                                         MlirOperation op, XlaOpKind kind,
                                         const XlaLiteral *const *operands,
                                         XlaLiteral **results) {
  (void)kind;
  Run run = {.evaluator = evaluator, .op = op};
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!results[0])
    return failure();
  xlaConvolutionReadSizes(op, xlaLiteralGetShape(operands[0]),
                          xlaLiteralGetShape(operands[1]), &run.c);
  run.result = results[0];
  run.products = productsOf(xlaLiteralGetShape(results[0])->elementType);
  if (!xlaLiteralGetElementCount(results[0]))
    return success();
  XlaLiteral *lhs = xlaProductsDecode(evaluator, op, run.products, operands[0]);
  XlaLiteral *rhs =
      lhs ? xlaProductsDecode(evaluator, op, run.products, operands[1]) : NULL;
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (rhs) {
    initSide(&run.lhs, &run.c.lhs, lhs);
    initSide(&run.rhs, &run.c.rhs, rhs);
    initSide(&run.out, &run.c.result, results[0]);
    run.holes = hasNonFinite(run.products, rhs);
    result = convolveAll(&run);
  }
  xlaLiteralRelease(lhs);
  xlaLiteralRelease(rhs);
  return result;
}

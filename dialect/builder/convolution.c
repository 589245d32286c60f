//===- convolution.c - Building convolutions ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

typedef XlaConvolutionDimensionNumbers Numbers;

static void addNumbers(XlaDraft *draft, const Numbers *numbers, intptr_t n) {
  xlaDraftInt(draft, "input_batch_dimension", numbers->inputBatch);
  xlaDraftInt(draft, "input_feature_dimension", numbers->inputFeature);
  xlaDraftInts(draft, "input_spatial_dimensions", numbers->inputSpatial, n);
  xlaDraftInt(draft, "kernel_output_feature_dimension",
              numbers->kernelOutputFeature);
  xlaDraftInt(draft, "kernel_input_feature_dimension",
              numbers->kernelInputFeature);
  xlaDraftInts(draft, "kernel_spatial_dimensions", numbers->kernelSpatial, n);
  xlaDraftInt(draft, "output_batch_dimension", numbers->outputBatch);
  xlaDraftInt(draft, "output_feature_dimension", numbers->outputFeature);
  xlaDraftInts(draft, "output_spatial_dimensions", numbers->outputSpatial, n);
}

/// `numbers` may be NULL, for the dimensions in order.
static XlaOp convolve(XlaBuilder *b, const char *function, XlaOp lhs, XlaOp rhs,
                      const XlaConvolutionWindow *window,
                      const Numbers *numbers, int64_t featureGroupCount,
                      int64_t batchGroupCount) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindConvolution);
  xlaDraftOperand(&draft, lhs);
  xlaDraftOperand(&draft, rhs);
  if (draft.b && !window)
    xlaBuilderFail(b, "the window is NULL");
  if (!draft.b || !window)
    return xlaDraftFinish(&draft);
  if (window->n < 0 || window->n > XLA_MAX_RANK)
    xlaBuilderFail(b, "the window has %lld dimensions", (long long)window->n);
  if (numbers)
    addNumbers(&draft, numbers, window->n);
  xlaDraftMaybeInts(&draft, "window_strides", window->strides, window->n);
  xlaDraftMaybeInts(&draft, "padding", window->padding, 2 * window->n);
  xlaDraftMaybeInts(&draft, "lhs_dilation", window->lhsDilation, window->n);
  xlaDraftMaybeInts(&draft, "rhs_dilation", window->rhsDilation, window->n);
  xlaDraftInt(&draft, "feature_group_count", featureGroupCount);
  xlaDraftInt(&draft, "batch_group_count", batchGroupCount);
  xlaDraftProducts(&draft);
  return xlaDraftFinish(&draft);
}

/// The size of a spatial dimension; -1 after an error.
static int64_t spatialSize(XlaBuilder *b, const char *side,
                           const XlaShape *shape, const int64_t *spatial,
                           intptr_t i) {
  int64_t d = spatial ? spatial[i] : 2 + i;
  if (d >= 0 && d < shape->rank)
    return shape->dims[d];
  xlaBuilderFail(b, "spatial dimension %lld of %s is dimension %lld, of %d",
                 (long long)i, side, (long long)d, shape->rank);
  return -1;
}

/// What a word for padding stands for.
static XlaOp convolveByWord(XlaBuilder *b, const char *function, XlaOp lhs,
                            XlaOp rhs, const int64_t *strides, intptr_t n,
                            XlaPadding padding, const Numbers *numbers,
                            int64_t featureGroupCount,
                            int64_t batchGroupCount) {
  XlaShape input, kernel;
  int64_t pairs[2 * XLA_MAX_RANK] = {0};
  if (!xlaBuilderBegin(b, function) ||
      !xlaBuilderOperandShape(b, lhs, &input) ||
      !xlaBuilderOperandShape(b, rhs, &kernel) ||
      !xlaBuilderCheckPadding(b, padding))
    return (XlaOp){0};
  if (n < 0 || n > XLA_MAX_RANK)
    return xlaBuilderFail(b, "windowStrides has %lld entries", (long long)n),
           (XlaOp){0};
  for (intptr_t i = 0; i < n && padding == XlaPaddingSame; ++i) {
    int64_t size = spatialSize(b, "lhs", &input,
                               numbers ? numbers->inputSpatial : NULL, i);
    int64_t window = spatialSize(b, "rhs", &kernel,
                                 numbers ? numbers->kernelSpatial : NULL, i);
    if (size < 0 || window < 0)
      return (XlaOp){0};
    xlaBuilderPadSame(size, window, strides ? strides[i] : 1, 1, 1,
                      pairs + 2 * i);
  }
  XlaConvolutionWindow window = {.strides = strides, .padding = pairs, .n = n};
  return convolve(b, function, lhs, rhs, &window, numbers, featureGroupCount,
                  batchGroupCount);
}

XlaOp xlaBuilderConv(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                     const int64_t *windowStrides, intptr_t n,
                     XlaPadding padding, int64_t featureGroupCount,
                     int64_t batchGroupCount) {
  return convolveByWord(b, __func__, lhs, rhs, windowStrides, n, padding, NULL,
                        featureGroupCount, batchGroupCount);
}

XlaOp xlaBuilderConvWithGeneralPadding(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                                       const XlaConvolutionWindow *window,
                                       int64_t featureGroupCount,
                                       int64_t batchGroupCount) {
  return convolve(b, __func__, lhs, rhs, window, NULL, featureGroupCount,
                  batchGroupCount);
}

static bool checkNumbers(XlaBuilder *b, const char *function,
                         const Numbers *numbers) {
  return xlaBuilderBegin(b, function) &&
         (numbers || xlaBuilderFail(b, "the dimension numbers are NULL"));
}

XlaOp xlaBuilderConvWithGeneralDimensions(
    XlaBuilder *b, XlaOp lhs, XlaOp rhs, const int64_t *windowStrides,
    intptr_t n, XlaPadding padding,
    const XlaConvolutionDimensionNumbers *numbers, int64_t featureGroupCount,
    int64_t batchGroupCount) {
  return checkNumbers(b, __func__, numbers)
             ? convolveByWord(b, __func__, lhs, rhs, windowStrides, n, padding,
                              numbers, featureGroupCount, batchGroupCount)
             : (XlaOp){0};
}

XlaOp xlaBuilderConvGeneral(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                            const int64_t *windowStrides,
                            const int64_t *padding, intptr_t n,
                            const XlaConvolutionDimensionNumbers *numbers,
                            int64_t featureGroupCount,
                            int64_t batchGroupCount) {
  XlaConvolutionWindow window = {
      .strides = windowStrides, .padding = padding, .n = n};
  return checkNumbers(b, __func__, numbers)
             ? convolve(b, __func__, lhs, rhs, &window, numbers,
                        featureGroupCount, batchGroupCount)
             : (XlaOp){0};
}

XlaOp xlaBuilderConvGeneralDilated(
    XlaBuilder *b, XlaOp lhs, XlaOp rhs, const XlaConvolutionWindow *window,
    const XlaConvolutionDimensionNumbers *numbers, int64_t featureGroupCount,
    int64_t batchGroupCount) {
  return checkNumbers(b, __func__, numbers)
             ? convolve(b, __func__, lhs, rhs, window, numbers,
                        featureGroupCount, batchGroupCount)
             : (XlaOp){0};
}

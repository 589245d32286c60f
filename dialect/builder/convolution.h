//===- convolution.h - Convolutions in programs -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_CONVOLUTION_H
#define XLAC_DIALECT_BUILDER_CONVOLUTION_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

// n is the number of spatial dimensions; operands and result have n + 2. Unless
// dimension numbers say otherwise these are batch, feature and the spatial ones
// of lhs and of the result; output feature, input feature and the spatial ones
// of rhs, the kernel. `featureGroupCount` and `batchGroupCount` are 1 where
// there are no groups.

/// Which dimension is which.
typedef struct XlaConvolutionDimensionNumbers {
  int64_t inputBatch, inputFeature;
  const int64_t *inputSpatial;
  int64_t kernelOutputFeature, kernelInputFeature;
  const int64_t *kernelSpatial;
  int64_t outputBatch, outputFeature;
  const int64_t *outputSpatial;
} XlaConvolutionDimensionNumbers;
/// How the kernel moves, an entry for each spatial dimension; NULL for strides
/// and dilations of 1, and for no padding.
typedef struct XlaConvolutionWindow {
  const int64_t *strides;
  const int64_t *padding; ///< 2n: in front, behind; negative ones remove
  const int64_t *lhsDilation, *rhsDilation;
  intptr_t n;
} XlaConvolutionWindow;

/// 000: Conv.
XlaOp xlaBuilderConv(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                     const int64_t *windowStrides, intptr_t n,
                     XlaPadding padding, int64_t featureGroupCount,
                     int64_t batchGroupCount);
/// 000: ConvWithGeneralPadding.
XlaOp xlaBuilderConvWithGeneralPadding(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                                       const XlaConvolutionWindow *window,
                                       int64_t featureGroupCount,
                                       int64_t batchGroupCount);
/// Conv with dimension numbers.
XlaOp xlaBuilderConvWithGeneralDimensions(
    XlaBuilder *b, XlaOp lhs, XlaOp rhs, const int64_t *windowStrides,
    intptr_t n, XlaPadding padding,
    const XlaConvolutionDimensionNumbers *numbers, int64_t featureGroupCount,
    int64_t batchGroupCount);
/// Both, without dilations: `padding` has 2n numbers.
XlaOp xlaBuilderConvGeneral(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                            const int64_t *windowStrides,
                            const int64_t *padding, intptr_t n,
                            const XlaConvolutionDimensionNumbers *numbers,
                            int64_t featureGroupCount, int64_t batchGroupCount);
/// Everything.
XlaOp xlaBuilderConvGeneralDilated(
    XlaBuilder *b, XlaOp lhs, XlaOp rhs, const XlaConvolutionWindow *window,
    const XlaConvolutionDimensionNumbers *numbers, int64_t featureGroupCount,
    int64_t batchGroupCount);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_CONVOLUTION_H

//===- convolution.h - What a convolution does --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification 000, ConvWithGeneralPadding; StableHLO, convolution.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_CONVOLUTION_H
#define XLAC_DIALECT_OPS_CONVOLUTION_H

#include "xlac/dialect/ops/window.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the dimensions of an array are. Unless the program says so, they are
/// in the order of the fields, as the specification writes them.
typedef struct XlaConvolutionSide {
  int64_t batch; ///< of the kernel: output features
  int64_t feature;
  XlaI64List spatial;
} XlaConvolutionSide;

typedef struct XlaConvolution {
  XlaConvolutionSide lhs, rhs, result;
  /// Over the spatial dimensions: lhs's are the base area, rhs's the window.
  XlaWindow window;
  bool reversed[XLA_MAX_RANK]; ///< the window, in a spatial dimension
  int64_t featureGroups, batchGroups;
} XlaConvolution;

/// Of an operation that has been verified.
void xlaConvolutionRead(MlirOperation op, XlaConvolution *convolution);
/// The same for operands with these sizes, which dynamic dimensions have in a
/// run.
void xlaConvolutionReadSizes(MlirOperation op, const XlaShape *lhs,
                             const XlaShape *rhs, XlaConvolution *convolution);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_CONVOLUTION_H

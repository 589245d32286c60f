//===- library.h - Whole algorithms in programs -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_LIBRARY_H
#define XLAC_DIALECT_BUILDER_LIBRARY_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

/// Normalizes every feature, dimension `featureIndex`, over all others; scale
/// and offset are vectors of an element a feature. A tuple of the result, the
/// means and the variances. 000: BatchNormTraining.
XlaOp xlaBuilderBatchNormTraining(XlaBuilder *b, XlaOp operand, XlaOp scale,
                                  XlaOp offset, float epsilon,
                                  int64_t featureIndex);
/// The same by means and variances that are given; an array. 000:
/// BatchNormInference.
XlaOp xlaBuilderBatchNormInference(XlaBuilder *b, XlaOp operand, XlaOp scale,
                                   XlaOp offset, XlaOp mean, XlaOp variance,
                                   float epsilon, int64_t featureIndex);
/// The gradients of operand, scale and offset, a tuple. 000: BatchNormGrad.
XlaOp xlaBuilderBatchNormGrad(XlaBuilder *b, XlaOp operand, XlaOp scale,
                              XlaOp mean, XlaOp variance, XlaOp gradOutput,
                              float epsilon, int64_t featureIndex);

//===----------------------------------------------------------------------===//
// Linear algebra and random numbers
//===----------------------------------------------------------------------===//

/// The triangular factor of the Hermitian positive definite matrices in the
/// last two dimensions. 000: Cholesky.
XlaOp xlaBuilderCholesky(XlaBuilder *b, XlaOp a, bool lower);

/// What is solved with: a, its transpose, or its conjugate transpose.
typedef enum XlaTranspose {
  XlaTransposeNoTranspose,
  XlaTransposeTranspose,
  XlaTransposeAdjoint,
} XlaTranspose;
/// x with op(a) x = b if `leftSide`, else with x op(a) = b; `lower` tells which
/// triangle of a counts, `unitDiagonal` that its diagonal does not and is 1.
/// 000: TriangularSolve.
XlaOp xlaBuilderTriangularSolve(XlaBuilder *b, XlaOp a, XlaOp rhs,
                                bool leftSide, bool lower, bool unitDiagonal,
                                XlaTranspose transposeA);

/// Directions and kinds of Fourier transforms; RFFT and IRFFT are between reals
/// and the first half of their symmetric spectrum.
typedef enum XlaFftType {
  XlaFftTypeFft,
  XlaFftTypeIfft,
  XlaFftTypeRfft,
  XlaFftTypeIrfft,
} XlaFftType;
/// Transforms the last n dimensions, 1 to 3, of the sizes `fftLength` in the
/// time domain. 000: Fft.
XlaOp xlaBuilderFft(XlaBuilder *b, XlaOp operand, XlaFftType type,
                    const int64_t *fftLength, intptr_t n);

/// Numbers low <= x < high, other ones whenever it runs, in an array of
/// `shape`; the bounds are scalars of its element type. 000: RngUniform(a, b,
/// shape).
XlaOp xlaBuilderRngUniform(XlaBuilder *b, XlaOp low, XlaOp high,
                           const XlaShape *shape);
/// Normally distributed ones of this mean and standard deviation. 000:
/// RngNormal.
XlaOp xlaBuilderRngNormal(XlaBuilder *b, XlaOp mu, XlaOp sigma,
                          const XlaShape *shape);

/// Which bits come out of a state.
typedef enum XlaRandomAlgorithm {
  XlaRandomAlgorithmDefault,
  XlaRandomAlgorithmThreeFry,
  XlaRandomAlgorithmPhilox,
} XlaRandomAlgorithm;
/// A tuple of the state that gives the next bits, and an array of `shape` of
/// random bits. 000: RngBitGenerator.
XlaOp xlaBuilderRngBitGenerator(XlaBuilder *b, XlaRandomAlgorithm algorithm,
                                XlaOp initialState, const XlaShape *shape);

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// A token that comes after all of `tokens`. 000: AfterAll.
XlaOp xlaBuilderAfterAll(XlaBuilder *b, const XlaOp *tokens, intptr_t n);
/// A token that comes after nothing.
XlaOp xlaBuilderCreateToken(XlaBuilder *b);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_LIBRARY_H

//===- library.c - Building what libraries have elsewhere -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear algebra, Fourier transforms, normalization, random numbers, tokens.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// The word of an enum's value, which the operation's attribute has.
static void addWord(XlaDraft *draft, const char *name, const char *const *words,
                    int n, int value) {
  if (!draft->b)
    return;
  if (value < 0 || value >= n)
    xlaBuilderFail(draft->b, "there is no %s number %d", name, value);
  else
    xlaDraftString(draft, name, words[value]);
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

XlaOp xlaBuilderCholesky(XlaBuilder *b, XlaOp a, bool lower) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindCholesky);
  xlaDraftOperand(&draft, a);
  xlaDraftBool(&draft, "lower", lower);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderTriangularSolve(XlaBuilder *b, XlaOp a, XlaOp rhs,
                                bool leftSide, bool lower, bool unitDiagonal,
                                XlaTranspose transposeA) {
  static const char *const words[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindTriangularSolve);
  xlaDraftOperand(&draft, a);
  xlaDraftOperand(&draft, rhs);
  xlaDraftBool(&draft, "left_side", leftSide);
  xlaDraftBool(&draft, "lower", lower);
  xlaDraftBool(&draft, "unit_diagonal", unitDiagonal);
  addWord(&draft, "transpose_a", words, 3, (int)transposeA);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderFft(XlaBuilder *b, XlaOp operand, XlaFftType type,
                    const int64_t *fftLength, intptr_t n) {
  static const char *const words[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindFft);
  xlaDraftOperand(&draft, operand);
  addWord(&draft, "fft_type", words, 4, (int)type);
  xlaDraftInts(&draft, "fft_length", fftLength, n);
  return xlaDraftFinish(&draft);
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

static XlaOp batchNorm(XlaBuilder *b, const char *function, XlaOpKind kind,
                       const XlaOp *operands, intptr_t n, float epsilon,
                       int64_t featureIndex) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  xlaDraftOperands(&draft, "operands", operands, n);
  if (draft.b)
    xlaDraftAttr(&draft, "epsilon",
                 mlirFloatAttrDoubleGet(b->context, mlirF32TypeGet(b->context),
                                        (double)epsilon));
  xlaDraftInt(&draft, "feature_index", featureIndex);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderBatchNormTraining(XlaBuilder *b, XlaOp operand, XlaOp scale,
                                  XlaOp offset, float epsilon,
                                  int64_t featureIndex) {
  return batchNorm(b, __func__, XlaOpKindBatchNormTraining,
                   (XlaOp[]){operand, scale, offset}, 3, epsilon, featureIndex);
}

XlaOp xlaBuilderBatchNormInference(XlaBuilder *b, XlaOp operand, XlaOp scale,
                                   XlaOp offset, XlaOp mean, XlaOp variance,
                                   float epsilon, int64_t featureIndex) {
  return batchNorm(b, __func__, XlaOpKindBatchNormInference,
                   (XlaOp[]){operand, scale, offset, mean, variance}, 5,
                   epsilon, featureIndex);
}

XlaOp xlaBuilderBatchNormGrad(XlaBuilder *b, XlaOp operand, XlaOp scale,
                              XlaOp mean, XlaOp variance, XlaOp gradOutput,
                              float epsilon, int64_t featureIndex) {
  return batchNorm(b, __func__, XlaOpKindBatchNormGrad,
                   (XlaOp[]){operand, scale, mean, variance, gradOutput}, 5,
                   epsilon, featureIndex);
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

static XlaOp draw(XlaBuilder *b, const char *function, XlaOpKind kind, XlaOp x,
                  XlaOp y, const XlaShape *shape) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  xlaDraftOperand(&draft, x);
  xlaDraftOperand(&draft, y);
  xlaDraftResultShape(&draft, shape);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderRngUniform(XlaBuilder *b, XlaOp low, XlaOp high,
                           const XlaShape *shape) {
  return draw(b, __func__, XlaOpKindRngUniform, low, high, shape);
}

XlaOp xlaBuilderRngNormal(XlaBuilder *b, XlaOp mu, XlaOp sigma,
                          const XlaShape *shape) {
  return draw(b, __func__, XlaOpKindRngNormal, mu, sigma, shape);
}

XlaOp xlaBuilderRngBitGenerator(XlaBuilder *b, XlaRandomAlgorithm algorithm,
                                XlaOp initialState, const XlaShape *shape) {
  static const char *const words[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindRngBitGenerator);
  xlaDraftOperand(&draft, initialState);
  addWord(&draft, "rng_algorithm", words, 3, (int)algorithm);
  if (draft.b && !b->failed)
    xlaDraftResult(&draft, xlaBuilderOperandType(b, initialState));
  xlaDraftResultShape(&draft, shape);
  return xlaDraftFinish(&draft);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

XlaOp xlaBuilderAfterAll(XlaBuilder *b, const XlaOp *tokens, intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindAfterAll);
  xlaDraftOperands(&draft, "tokens", tokens, n);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderCreateToken(XlaBuilder *b) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindCreateToken);
  return xlaDraftFinish(&draft);
}

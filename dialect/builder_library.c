//===- builder_library.c - Building what libraries have elsewhere ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear algebra, Fourier transforms, random numbers, and tokens.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder_internal.h"

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
// Random numbers
//===----------------------------------------------------------------------===//

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

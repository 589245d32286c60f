//===- triangular.h - Triangular matrices in blocks ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes. Matrices of f32 or f64 in one batch, [b, n, n], are cut
// in two until blocks are left that devices have kernels for; all else is
// products of matrices. The first part is a power of two times a block, so that
// most cuts are like others and share their kernels.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_TRIANGULAR_H
#define XLAC_PASSES_EXPAND_TRIANGULAR_H

#include "xlac/passes/arrays.h"

enum {
  XLA_TRIANGULAR_BLOCK = 64,
  XLA_TRIANGULAR_MAX = 1 << 16, ///< rows, for programs become long
};

/// The rows before the cut; 0 if `n` rows are a block. Two at least are behind
/// it.
int64_t xlaTriangularCut(int64_t n);

/// Rows `row` to `row + rows` of columns `column` to `column + columns` of all
/// matrices.
MlirValue xlaTriangularPart(XlaIr *ir, MlirValue a, int64_t row, int64_t rows,
                            int64_t column, int64_t columns);
/// The transposed matrices of the batch.
MlirValue xlaTriangularTranspose(XlaIr *ir, MlirValue a);
/// `array`, of any rank from 2 on and floats, as a batch of f32 or f64.
MlirValue xlaTriangularEnter(XlaIr *ir, MlirValue array);
/// Back, to the type of `like`.
MlirValue xlaTriangularLeave(XlaIr *ir, MlirValue array, MlirValue like);
/// Fails, with a diagnostic at `op`, on matrices that are too large.
MlirLogicalResult xlaTriangularCheck(MlirOperation op, int64_t n);
/// Whether there is nothing to cut: without elements `*result` is `operand`, of
/// complex numbers, which are split elsewhere, the operation itself.
bool xlaTriangularStays(XlaIr *ir, MlirOperation op, MlirValue operand,
                        MlirValue *result);

/// What the coefficients are.
typedef struct XlaTriangularForm {
  bool lower; ///< `a`
  bool unit, transposed;
} XlaTriangularForm;

/// c - op(a) b, where op transposes the matrices if `transposed`.
MlirValue xlaTriangularReduce(XlaIr *ir, MlirValue c, MlirValue a,
                              bool transposed, MlirValue b);
/// x with op(a) x = b.
MlirValue xlaTriangularSolve(XlaIr *ir, XlaTriangularForm form, MlirValue a,
                             MlirValue b);

#endif // XLAC_PASSES_EXPAND_TRIANGULAR_H

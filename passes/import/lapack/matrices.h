//===- matrices.h - Batches of matrices -------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/import/lapack. What factors are made of: operations on
// arrays [b, m, n] of real or complex numbers.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_LAPACK_MATRICES_H
#define XLAC_PASSES_IMPORT_LAPACK_MATRICES_H

#include "xlac/passes/arrays.h"
#include "xlac/passes/loop.h"

/// `array`, of rank 2 at least, as [b, m, n].
MlirValue xlaMatrixBatch(XlaIr *ir, MlirValue array);
bool xlaMatrixIsComplex(MlirValue x);

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A real number everywhere in an array like `like`.
MlirValue xlaMatrixNumber(XlaIr *ir, MlirValue like, double number);
/// Real arrays as those of the element type of `like`.
MlirValue xlaMatrixFromReal(XlaIr *ir, MlirValue re, MlirValue like);
MlirValue xlaMatrixReal(XlaIr *ir, MlirValue x);
/// Of real numbers zeros.
MlirValue xlaMatrixImaginary(XlaIr *ir, MlirValue x);
MlirValue xlaMatrixConjugate(XlaIr *ir, MlirValue x);
/// `x` times real numbers in as many places.
MlirValue xlaMatrixScale(XlaIr *ir, MlirValue x, MlirValue factors);
/// The squares of magnitudes, real.
MlirValue xlaMatrixSquares(XlaIr *ir, MlirValue x);

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Where index `d` compares so with index `e` in arrays like `like`, or with
/// `number`, s32.
MlirValue xlaMatrixIndices(XlaIr *ir, const char *direction, MlirValue like,
                           int d, int e);
MlirValue xlaMatrixIndexIs(XlaIr *ir, const char *direction, MlirValue like,
                           int d, MlirValue number);
/// number + more, s32
MlirValue xlaMatrixAdd(XlaIr *ir, MlirValue number, int64_t more);
/// A vector a matrix, [b, size], along dimension 1 (a number a row) or 2 of
/// arrays like `like`; or a number a matrix, [b], along dimension 0.
MlirValue xlaMatrixAlong(XlaIr *ir, MlirValue x, MlirValue like, int dimension);
/// [b, min(m, n)]
MlirValue xlaMatrixDiagonal(XlaIr *ir, MlirValue a);
/// Parts [from, to) along dimension 1 or 2.
MlirValue xlaMatrixPart(XlaIr *ir, MlirValue a, int dimension, int64_t from,
                        int64_t to);
/// Rows of [b, m, n] at the places [b, k], s32.
MlirValue xlaMatrixTakeRows(XlaIr *ir, MlirValue a, MlirValue places);
MlirValue xlaMatrixTranspose(XlaIr *ir, MlirValue a);
/// The whole of Hermitian matrices whose lower or upper triangle `a` has.
MlirValue xlaMatrixHermitian(XlaIr *ir, MlirValue a, bool lower);
/// 1 on the diagonals, 0 elsewhere.
MlirValue xlaMatrixUnit(XlaIr *ir, XlaElementType type, int64_t batch,
                        int64_t rows, int64_t columns);
/// Zeros behind dimensions 1 and 2, or behind dimension 1 of [b, size].
MlirValue xlaMatrixPad(XlaIr *ir, MlirValue a, int64_t rows, int64_t columns);
/// `size` rows (dimension 1) or columns (2) from `from`, s32, on, and their
/// change to `part`.
MlirValue xlaMatrixWindow(XlaIr *ir, MlirValue a, int dimension, MlirValue from,
                          int64_t size);
MlirValue xlaMatrixSetWindow(XlaIr *ir, MlirValue a, int dimension,
                             MlirValue from, MlirValue part);
/// Products summed over dimension `i` of `a` and `j` of `b`.
MlirValue xlaMatrixProduct(XlaIr *ir, MlirValue a, int64_t i, MlirValue b,
                           int64_t j);
/// x with a x = b; of `a` the triangle counts, its diagonal is taken for ones.
MlirValue xlaMatrixSolveUnit(XlaIr *ir, MlirValue a, bool lower, MlirValue b);
/// The magnitudes' largest, [b], but no number without an inverse.
MlirValue xlaMatrixLargest(XlaIr *ir, MlirValue a);
/// The same of [b, size].
MlirValue xlaMatrixLargestOfRows(XlaIr *ir, MlirValue x);
/// What comes to each place when number i goes to places[i], [b, n].
MlirValue xlaMatrixInverse(XlaIr *ir, MlirValue places);
/// The places of [b, n] real numbers in their order, s32: first the least, or
/// the largest.
MlirValue xlaMatrixOrder(XlaIr *ir, MlirValue x, bool leastFirst);

#endif // XLAC_PASSES_IMPORT_LAPACK_MATRICES_H

//===- jacobi.h - Rotations in pairs ------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/import/lapack. Jacobi's method makes [p w; conj(w) q]
// diagonal by the rotation [c s; -conj(s) c] for all pairs of rows i and i +
// n/2 of [b, n, m] at once; n is even. Then rows change places, so that all
// have met after n - 1 steps, a sweep, and are where they were (the tournament
// of R. Brent, F. Luk: The solution of singular-value and symmetric eigenvalue
// problems on multiprocessor arrays).
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_LAPACK_JACOBI_H
#define XLAC_PASSES_IMPORT_LAPACK_JACOBI_H

#include "xlac/passes/import/lapack/matrices.h"

enum { XLA_JACOBI_MAX_SWEEPS = 30 };

/// Of each pair, [b, n/2].
typedef struct XlaJacobi {
  MlirValue c, s;  ///< c is real
  MlirValue shift; ///< p becomes p - shift, q q + shift
} XlaJacobi;

/// For p and q, real, and w.
XlaJacobi xlaJacobiFind(XlaIr *ir, MlirValue p, MlirValue q, MlirValue w);
/// Rows x and y of each pair become c x - s y and conj(s) x + c y, and the
/// other way round, c x - conj(s) y and s x + c y, if `conjugated`.
MlirValue xlaJacobiRotate(XlaIr *ir, const XlaJacobi *jacobi, MlirValue a,
                          bool conjugated);
/// The places for the next step along dimension 1 or 2.
MlirValue xlaJacobiMove(XlaIr *ir, MlirValue a, int dimension);
/// Half 0 or 1 of dimension 1.
MlirValue xlaJacobiHalf(XlaIr *ir, MlirValue a, int half);
/// Eigenvalues, in any order, [b, n], and eigenvectors, as columns, [b, n, n],
/// of Hermitian matrices whose numbers are at most 1 or so.
void xlaJacobiEigh(XlaIr *ir, MlirValue a, MlirValue results[2]);
/// The distance of 1 from the next number.
double xlaJacobiEpsilon(MlirValue like);

#endif // XLAC_PASSES_IMPORT_LAPACK_JACOBI_H

//===- lapack.h - Factors of matrices -----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the dialect has no operations for, as loops of those that it has.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_LAPACK_LAPACK_H
#define XLAC_PASSES_IMPORT_LAPACK_LAPACK_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/shape.h"

/// The factors of `a`, [.., m, n], with rows exchanged, as LAPACK's getrf gives
/// them: L below the diagonal, without its ones, and U in one array; the row
/// exchanged with row i, counted from 1, for each of the min(m, n) columns,
/// s32; the number of the first column, from 1, whose pivot is zero, or 0, s32;
/// and the row of `a` that became row i, from 0, [.., m], s32. Pivots are the
/// first of largest magnitude, of complex numbers the sum of those of the
/// parts.
void xlaLapackLu(XlaIr *ir, MlirValue a, MlirValue results[4]);

/// Which of `size` rows come to each place, s32, when row i is exchanged with
/// row pivots[.., i], from 0, one after the other; with none if there is no
/// such row.
MlirValue xlaLapackPermutation(XlaIr *ir, MlirValue pivots, int64_t size);

/// The factors of `a`, [.., m, n], as LAPACK's geqrf gives them: R on and above
/// the diagonal, reflections below it, and their min(m, n) factors.
void xlaLapackQr(XlaIr *ir, MlirValue a, MlirValue results[2]);
/// The first columns of the product of reflections, as LAPACK's orgqr gives it,
/// in the shape of `vectors`, which has them; there are at most min(m, n)
/// `factors`.
MlirValue xlaLapackReflections(XlaIr *ir, MlirValue vectors, MlirValue factors);

/// `a`, [.., m, k] if `left`, else [.., k, m], multiplied by the product of
/// reflections [.., m, n], or its adjoint, as LAPACK's ormqr does.
MlirValue xlaLapackReflect(XlaIr *ir, MlirValue vectors, MlirValue factors,
                           bool left, bool adjoint, MlirValue a);
/// The same as xlaLapackQr of columns that are exchanged, always the longest
/// one next, as LAPACK's geqp3: R with reflections, the column, from 1, that
/// came to each place, [.., n], s32, and the factors.
void xlaLapackPivotedQr(XlaIr *ir, MlirValue a, MlirValue results[3]);

/// Hessenberg's form of `a`, [.., n, n], and below it the reflections that it
/// was made by, with their factors, [.., n - 1], as LAPACK's gehrd.
void xlaLapackHessenberg(XlaIr *ir, MlirValue a, MlirValue results[2]);
/// The same of Hermitian matrices whose lower triangle `a` has, which changes
/// alone, as LAPACK's sytrd: also the diagonal and the one below it, real.
void xlaLapackTridiagonal(XlaIr *ir, MlirValue a, MlirValue results[4]);
/// x with a x = b, [.., n, k], of tridiagonal matrices: `diagonals` are the one
/// below, from 1 on, the main one, and the one above, [.., n]. Then the number
/// of the first pivot, from 1, that is zero, or 0, s32, as LAPACK's gtsv.
void xlaLapackTridiagonalSolve(XlaIr *ir, const MlirValue diagonals[3],
                               MlirValue b, MlirValue results[2]);

/// Eigenvectors, as columns, and eigenvalues, ascending, of Hermitian matrices
/// [.., n, n] of f32, f64, c64 or c128, of which the lower or upper triangle is
/// read. All are NaN for a matrix with elements that are not finite.
void xlaLapackEigh(XlaIr *ir, MlirValue a, bool lower, MlirValue results[2]);

/// The singular values, descending, of `a`, [.., m, n] of the same types, with
/// u and v^H of a = u s v^H, of which there are min(m, n) columns and rows, or
/// all if `full`. NaN as above.
void xlaLapackSvd(XlaIr *ir, MlirValue a, bool full, MlirValue results[3]);

#endif // XLAC_PASSES_IMPORT_LAPACK_LAPACK_H

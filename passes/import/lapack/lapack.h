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

/// The factors of `a`, [.., m, n], as LAPACK's geqrf gives them: R on and above
/// the diagonal, reflections below it, and their min(m, n) factors.
void xlaLapackQr(XlaIr *ir, MlirValue a, MlirValue results[2]);
/// The first columns of the product of reflections, as LAPACK's orgqr gives it,
/// in the shape of `vectors`, which has them; there are at most min(m, n)
/// `factors`.
MlirValue xlaLapackReflections(XlaIr *ir, MlirValue vectors, MlirValue factors);

/// Eigenvectors, as columns, and eigenvalues, ascending, of Hermitian matrices
/// [.., n, n] of f32, f64, c64 or c128, of which the lower or upper triangle is
/// read. All are NaN for a matrix with elements that are not finite.
void xlaLapackEigh(XlaIr *ir, MlirValue a, bool lower, MlirValue results[2]);

/// The singular values, descending, of `a`, [.., m, n] of the same types, with
/// u and v^H of a = u s v^H, of which there are min(m, n) columns and rows, or
/// all if `full`. NaN as above.
void xlaLapackSvd(XlaIr *ir, MlirValue a, bool full, MlirValue results[3]);

#endif // XLAC_PASSES_IMPORT_LAPACK_LAPACK_H

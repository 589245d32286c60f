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

/// The factors of `a`, floats of [.., m, n], with rows exchanged, as LAPACK's
/// getrf gives them: L below the diagonal, without its ones, and U in one
/// array; the row exchanged with row i, counted from 1, for each of the min(m,
/// n) columns, s32; and the number of the first column, from 1, whose pivot is
/// zero, or 0, s32. Pivots are the first of largest magnitude.
void xlaLapackLu(XlaIr *ir, MlirValue a, MlirValue results[3]);

/// The factors of `a`, floats of [.., m, n], as LAPACK's geqrf gives them: R on
/// and above the diagonal, reflections below it, and their min(m, n) factors.
void xlaLapackQr(XlaIr *ir, MlirValue a, MlirValue results[2]);
/// The first columns of the product of reflections, as LAPACK's orgqr gives it,
/// in the shape of `vectors`, which has them; there are at most min(m, n)
/// `factors`.
MlirValue xlaLapackReflections(XlaIr *ir, MlirValue vectors, MlirValue factors);

#endif // XLAC_PASSES_IMPORT_LAPACK_LAPACK_H

//===- tridiagonal.h - Tridiagonal matrices -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/import/lapack.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_LAPACK_TRIDIAGONAL_H
#define XLAC_PASSES_IMPORT_LAPACK_TRIDIAGONAL_H

#include "xlac/dialect/ir.h"

/// Q^H A Q of Hermitian matrices, [b, n, n].
typedef struct XlaTridiagonal {
  MlirValue diagonal; ///< real, [b, n]
  MlirValue below;    ///< the same below the diagonal, [b, n - 1]
  MlirValue vectors;  ///< of reflections, column k's below row k + 1, [b, n, n]
  MlirValue factors;  ///< of those, [b, n - 1]
} XlaTridiagonal;

/// Of whole matrices; n is 2 at least. Squares of their numbers neither
/// overflow nor matter when they vanish.
XlaTridiagonal xlaTridiagonalReduce(XlaIr *ir, MlirValue a);

/// Eigenvalues, ascending, [b, n], and eigenvectors, as columns, [b, n, n], of
/// real matrices whose numbers are at most 1 or so.
void xlaTridiagonalEigh(XlaIr *ir, MlirValue diagonal, MlirValue below,
                        MlirValue results[2]);

/// The same of whole Hermitian matrices, by this way if n is large.
void xlaHermitianEigh(XlaIr *ir, MlirValue a, MlirValue results[2]);

#endif // XLAC_PASSES_IMPORT_LAPACK_TRIDIAGONAL_H

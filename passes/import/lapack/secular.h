//===- secular.h - Eigenvalues after a change of rank one ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/import/lapack.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_LAPACK_SECULAR_H
#define XLAC_PASSES_IMPORT_LAPACK_SECULAR_H

#include "xlac/dialect/ir.h"

/// Numbers that are lost beside 1, however many are added: of what is added to
/// numbers so that no case is a special one.
typedef struct XlaSecularLimits {
  double apart;    ///< between diagonal elements that are equal
  double z;        ///< the least in z
  double coupling; ///< the least factor of z z^T
} XlaSecularLimits;

/// For f32 or f64, the element type of `like`.
XlaSecularLimits xlaSecularLimits(MlirValue like);

/// The eigenvalues, ascending, [b, n], and orthogonal eigenvectors, as columns,
/// [b, n, n], of D + c z z^T: `diagonal` and `z`, [b, n], are in any order, of
/// size 1 or so; `coupling`, [b], is `limits.coupling` at least.
void xlaSecularSolve(XlaIr *ir, MlirValue diagonal, MlirValue z,
                     MlirValue coupling, MlirValue results[2]);

#endif // XLAC_PASSES_IMPORT_LAPACK_SECULAR_H

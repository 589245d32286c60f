//===- factors.h - Custom calls for factors of matrices ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/import/stablehlo.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_STABLEHLO_FACTORS_H
#define XLAC_PASSES_IMPORT_STABLEHLO_FACTORS_H

#include "xlac/passes/import/stablehlo.h"

/// The flag `name`; false in `*known` if it is none.
bool xlaFactorsFlag(MlirOperation op, const char *name, bool *known);
/// Whether operand 0 is an array of matrices of floats or complex numbers; of
/// `isWide`, of 32 bits or more.
bool xlaFactorsMatrices(MlirOperation op, bool isWide);
/// Whether operand 0 has as many rows as columns, of wide numbers.
bool xlaFactorsSquares(MlirOperation op);
/// Whether operands 0 to 2 are diagonals of matrices for the right sides 3, of
/// wide numbers.
bool xlaFactorsHaveDiagonals(MlirOperation op);
/// 1 for arrays along the last `n` dimensions with NaN, s32.
MlirValue xlaFactorsFailures(XlaIr *ir, MlirValue x, int n);
/// Zeros in the place of result `i`.
MlirValue xlaFactorsZeros(XlaIr *ir, MlirOperation op, intptr_t i);

/// Calls in programs for GPUs whose operands, results or configurations are not
/// those of LAPACK's functions (gpu_factors.c).
XlaImportResult xlaImportGpuGtsv(MlirOperation op);
XlaImportResult xlaImportGpuSyevd(MlirOperation op);
XlaImportResult xlaImportGpuSyevdOpaque(MlirOperation op);
XlaImportResult xlaImportGpuGesvd(MlirOperation op);
XlaImportResult xlaImportGpuGesvdj(MlirOperation op);
XlaImportResult xlaImportGpuPivots(MlirOperation op);
XlaImportResult xlaImportGpuThreeFry(MlirOperation op);

#endif // XLAC_PASSES_IMPORT_STABLEHLO_FACTORS_H

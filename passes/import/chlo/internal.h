//===- internal.h - Operations of CHLO ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of this folder share.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_CHLO_INTERNAL_H
#define XLAC_PASSES_IMPORT_CHLO_INTERNAL_H

#include "xlac/passes/import/stablehlo.h"

/// chlo.`name` of an array of floats or complex numbers, which the result is
/// like; of two arrays of floats of one type. False, with nothing built, if
/// there is no formula for it.
bool xlaChloBuildUnary(XlaIr *ir, MlirStringRef name, MlirValue x,
                       MlirValue *result);
bool xlaChloBuildBinary(XlaIr *ir, MlirStringRef name, MlirValue x, MlirValue y,
                        MlirValue *result);

/// The number after `x` on the way to `y`, arrays of one type: false if they
/// are no floats.
bool xlaChloBuildNextAfter(XlaIr *ir, MlirValue x, MlirValue y,
                           MlirValue *result);

/// Puts xla.top_k in the place of chlo.top_k; false if it is not as it should
/// be.
bool xlaChloExpandTopK(MlirOperation op);

#endif // XLAC_PASSES_IMPORT_CHLO_INTERNAL_H

//===- custom_call.h - Custom calls with a known meaning ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/import/stablehlo.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_STABLEHLO_CUSTOM_CALL_H
#define XLAC_PASSES_IMPORT_STABLEHLO_CUSTOM_CALL_H

#include "xlac/passes/import/stablehlo.h"

/// The integer `name` of the call's configuration; -1 if there is none.
int64_t xlaCallInteger(MlirOperation op, const char *name);
/// Whether the configuration has a flag `name`, of that value.
bool xlaCallFlag(MlirOperation op, const char *name, bool value);
/// Puts `values` in the places of the results, whose types must be theirs.
XlaImportResult xlaCallPutAll(MlirOperation op, const MlirValue *values);
/// Says that such a call is not supported.
XlaImportResult xlaCallUnknownForm(MlirOperation op);

/// If `target` is a function of LAPACK, or a factorization that JAX asks XLA's
/// compilers for, `*result` is what became of the call (factors.c).
bool xlaImportFactors(MlirOperation op, MlirStringRef target,
                      XlaImportResult *result);

#endif // XLAC_PASSES_IMPORT_STABLEHLO_CUSTOM_CALL_H

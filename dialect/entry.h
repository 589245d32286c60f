//===- entry.h - Where programs start -----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_ENTRY_H
#define XLAC_DIALECT_ENTRY_H

#include "mlir-c/IR.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a func.func may be called from elsewhere.
bool xlaFunctionIsPublic(MlirOperation function);
/// Whether it is more than a declaration.
bool xlaFunctionHasBody(MlirOperation function);
/// Whether the first block of one with a body ends with values of the types of
/// its results. MLIR verifies that of func.return only, which others stand for
/// in programs that are not imported yet.
bool xlaFunctionEndsWithResults(MlirOperation function);

/// The func.func `name` of a builtin.module that has a body; for an empty name
/// @main, or the only public one. Null if there is none; `nPublic`, unless
/// NULL, is how many public functions have a body then.
MlirOperation xlaModuleFindEntry(MlirOperation module, MlirStringRef name,
                                 int *nPublic);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_ENTRY_H

//===- program.h - Functions and types of StableHLO ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_STABLEHLO_PROGRAM_H
#define XLAC_PASSES_IMPORT_STABLEHLO_PROGRAM_H

#include "mlir-c/IR.h"
#include <stdbool.h>

/// `type` with xla's tokens and arrays in place of `!stablehlo.token` and
/// buffers, in tuples and functions too. Null without memory.
MlirType xlaImportType(MlirType type);
/// Gives `value`, or the arguments of the blocks of `op`, such types. False
/// without memory.
bool xlaImportValueType(MlirValue value);
bool xlaImportBlockArguments(MlirOperation op);

/// Removes what annotates `op` (xlaImportIsAnnotation).
void xlaImportRemoveAnnotations(MlirOperation op);
/// The same of the arguments and results of a function, which get xla.donated
/// where JAX says that it may be overwritten, and of its type. False without
/// memory.
bool xlaImportFunction(MlirOperation function);

#endif // XLAC_PASSES_IMPORT_STABLEHLO_PROGRAM_H

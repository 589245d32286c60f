//===- tokens.h - Tokens of a program's arguments and results -----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that are to run one after the other hand a token on. Outside of them
// it is an array without elements, as JAX has it, for there only arrays are:
//
//   func.func @main(%t: !stablehlo.token) -> !stablehlo.token
//   func.func @main(%t: tensor<0xi1>) -> tensor<0xi1>
//
// What is in the program happens in its order, also without the argument.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_TOKENS_H
#define XLAC_PASSES_IMPORT_TOKENS_H

#include "mlir-c/IR.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether it is `!stablehlo.token`, which is not known here but by its name,
/// or
/// `!xla.token`.
bool xlaImportIsToken(MlirType type);

/// Gives `function` of a module of StableHLO, as it is read, such arrays in
/// place of its tokens. False after a diagnostic, without memory.
bool xlaTokensToArrays(MlirOperation function);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_IMPORT_TOKENS_H

//===- passes.h - The passes from xla to code ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For looking at what lowering makes; programs are compiled through
// executable.h.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_PASSES_H
#define XLAC_LOWERING_PASSES_H

#include "xlac/dialect/mlir-c-ext/ext.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLA_PASS(name, Function, dialects, optionTable, description)           \
  MlirLogicalResult Function(MlirOperation module,                             \
                             MlirExtPassOptionValues options, void *userData);
#include "xlac/lowering/passes.def"

/// Makes all passes usable by name. Once a process.
void xlaLoweringPassesRegister(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_PASSES_H

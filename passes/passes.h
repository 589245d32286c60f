//===- passes.h - The passes from xla to xla ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pass is a function on a builtin.module and a row of passes.def, which
// names it for pipelines. Functions emit a diagnostic on failure.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PASSES_H
#define XLAC_PASSES_PASSES_H

#include "xlac/dialect/mlir-c-ext/ext.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLA_PASS(name, Function, dialects, optionTable, description)           \
  MlirLogicalResult Function(MlirOperation module,                             \
                             MlirExtPassOptionValues options, void *userData);
#include "xlac/passes/passes.def"

/// Makes all passes and the pipeline xla-prepare-for-lowering, which takes the
/// options of xla-fuse, usable by name.
/// Once a process.
void xlaPassesRegister(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_PASSES_H

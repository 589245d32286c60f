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
#include "xlac/passes/fusion_device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLA_PASS(name, Function, dialects, optionTable, description)           \
  MlirLogicalResult Function(MlirOperation module,                             \
                             MlirExtPassOptionValues options, void *userData);
#include "xlac/passes/passes.def"

/// What xla-fuse forms.
typedef struct XlaFusionOptions {
  const XlaFusionDevice *device; ///< for which
  bool epilogues; ///< operations on the result of dot_general join it
} XlaFusionOptions;

/// Runs xla-legalize from function `entry` (empty: @main, or the only
/// public function), canonicalize, cse and xla-fuse for `device`. The module
/// must have been verified. On failure diagnostics have been emitted and the
/// module may be half changed.
MlirLogicalResult xlaPrepareForLowering(MlirModule module, MlirStringRef entry,
                                        const XlaFusionDevice *device);

/// The same without xla-fuse: every operation becomes a kernel of its own. For
/// telling what fusing breaks from what is wrong by itself.
MlirLogicalResult xlaPrepareUnfused(MlirModule module, MlirStringRef entry);

/// Makes all passes and the pipeline xla-prepare-for-lowering usable by name.
/// Once a process.
void xlaPassesRegister(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_PASSES_H

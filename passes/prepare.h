//===- prepare.h - From a program to what lowering takes ---------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PREPARE_H
#define XLAC_PASSES_PREPARE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "xlac/passes/fuse/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What xla-fuse tells on stderr of what it decides; see docs/fusion.md.
typedef enum XlaFusionReport {
  XlaFusionReportNone,
  XlaFusionReportKernels,    ///< and what lies between them
  XlaFusionReportOperations, ///< each, too
} XlaFusionReport;

/// What xla-fuse forms.
typedef struct XlaFusionOptions {
  const XlaFusionDevice *device; ///< for which
  bool epilogues; ///< operations on the result of dot_general, and on its
                  ///< operands, join it
  XlaFusionReport report;
} XlaFusionOptions;

/// Runs xla-legalize from function `entry` (empty: @main, or the only
/// public function), writes scatters in the forms that `device` takes
/// (expand/scatter.h), canonicalize, cse and xla-fuse for `device`, which
/// writes `report`. The module must have been verified. On failure diagnostics
/// have been emitted and the module may be half changed.
MlirLogicalResult xlaPrepareForLowering(MlirModule module, MlirStringRef entry,
                                        const XlaFusionDevice *device,
                                        XlaFusionReport report);

/// The same without xla-fuse: every operation becomes a kernel of its own. For
/// telling what fusing breaks from what is wrong by itself.
MlirLogicalResult xlaPrepareUnfused(MlirModule module, MlirStringRef entry,
                                    const XlaFusionDevice *device);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_PREPARE_H

//===- upstream.h - Running upstream's passes ---------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_UPSTREAM_H
#define XLAC_LOWERING_UPSTREAM_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs `pipeline`, MLIR's text of passes on a module, over `module`; with
/// `verify`, each pass's result is verified. Failure always comes with a
/// diagnostic at the module: `what` ("conversion to SPIR-V") failed, where
/// MLIR itself says nothing.
MlirLogicalResult xlaRunUpstreamPasses(MlirModule module, const char *pipeline,
                                       bool verify, const char *what);

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_UPSTREAM_H

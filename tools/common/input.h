//===- input.h - What the tools share ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_INPUT_H
#define XLAC_TOOLS_COMMON_INPUT_H

#include "xlac/dialect/mlir-c-ext/ext.h"

/// Once at the start of a tool's main: crash reports name this project.
void xlaToolsInit(void);

/// Refuses text whose brackets nest deeper than XLA_MAX_NESTING, with a message
/// `file:line:column: error: ..` on stderr.
MlirLogicalResult xlaToolsCheckInput(MlirStringRef text, MlirStringRef file);

#endif // XLAC_TOOLS_COMMON_INPUT_H

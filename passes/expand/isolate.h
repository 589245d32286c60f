//===- isolate.h - Computations without outer values --------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_ISOLATE_H
#define XLAC_PASSES_EXPAND_ISOLATE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

/// Copies constants from outside into the regions of `op` that use them. Fails
/// after a diagnostic if these use other values from outside.
MlirLogicalResult xlaIsolate(MlirOperation op);

#endif // XLAC_PASSES_EXPAND_ISOLATE_H

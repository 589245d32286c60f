//===- computations.h - Branches and loops in computations ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_COMPUTATIONS_H
#define XLAC_PASSES_EXPAND_COMPUTATIONS_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

/// In the computations on scalars of operations in `root`, or of itself:
/// elementwise operations in place of each xla.case whose branches have no
/// others. False without memory.
bool xlaExpandBranches(MlirOperation root);

/// Windows in place of the reductions of `function`, which has static sizes,
/// whose computations have other operations than elementwise ones. On failure
/// a diagnostic has been emitted.
MlirLogicalResult xlaExpandReductions(MlirOperation function);

#endif // XLAC_PASSES_EXPAND_COMPUTATIONS_H

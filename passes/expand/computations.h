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

/// Others in place of the operations of `function`, which has static sizes,
/// whose computations have other operations than elementwise ones: windows for
/// reductions, loops for sorts, scans and scatters. On failure a diagnostic has
/// been emitted.
MlirLogicalResult xlaExpandComputations(MlirOperation function);

/// Loops in place of an operation of static sizes, which apply its computation
/// to one element after the other, in the evaluator's order. They fail with a
/// diagnostic.
MlirLogicalResult xlaSortInLoop(MlirOperation op);
MlirLogicalResult xlaScanInLoop(MlirOperation op);
MlirLogicalResult xlaScatterInLoop(MlirOperation op);

#endif // XLAC_PASSES_EXPAND_COMPUTATIONS_H

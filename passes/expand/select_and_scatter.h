//===- select_and_scatter.h - Gradients of pooling ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_SELECT_AND_SCATTER_H
#define XLAC_PASSES_EXPAND_SELECT_AND_SCATTER_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/ops/window.h"

/// Builds what takes the place of the static select_and_scatter `op`, whose
/// scatter region it may take. `elements` and `windows`, preds of the operand's
/// and of the source's dimensions or null, tell which of these are there:
/// others are neither selected nor scattered. Fails with a diagnostic.
MlirLogicalResult xlaSelectAndScatterBuild(XlaIr *ir, MlirOperation op,
                                           MlirValue elements,
                                           MlirValue windows,
                                           MlirValue *result);

/// The type of numbers of elements and of taps.
XlaElementType xlaSelectAndScatterCounter(const XlaWindow *window);

/// The result of such an `op` with windows and elements, in loops over both;
/// for computations of any operations.
MlirValue xlaSelectAndScatterInLoop(XlaIr *ir, MlirOperation op,
                                    MlirValue elements, MlirValue windows);

#endif // XLAC_PASSES_EXPAND_SELECT_AND_SCATTER_H

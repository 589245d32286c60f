//===- reduce_window.h - Reductions of windows --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_REDUCE_WINDOW_H
#define XLAC_PASSES_EXPAND_REDUCE_WINDOW_H

#include "xlac/dialect/ops/window.h"
#include "xlac/passes/arrays.h"

#include "mlir-c/Support.h"

/// A reduce_window whose computation is elementwise on its way to other
/// operations.
typedef struct XlaReduceWindow {
  XlaIr *ir;
  MlirOperation op;
  XlaWindow window;
  intptr_t n;                   ///< operands
  int64_t padded[XLA_MAX_RANK]; ///< sizes
  /// n operands, n init values, 2 n arguments of bodies, 2 n besides.
  MlirValue *values;
} XlaReduceWindow;

/// `op`, of static sizes, in terms of other operations. `sizes` has an s32
/// scalar for each dimension of the results of which not all windows are to be
/// run, or is null; it matters to computations that have an order, others run
/// all. Fails with a diagnostic.
MlirLogicalResult xlaReduceWindowBuild(XlaIr *ir, MlirOperation op,
                                       const MlirValue *sizes,
                                       MlirValue *results);

/// Whether each result is an operation on the two arguments of its own that is
/// associative and does not mind their order.
bool xlaReduceWindowIsCommutative(const XlaReduceWindow *e);

/// A sum over windows of an array with zeros between its elements, as many as
/// leave one element to each window: that element. False if it is none.
bool xlaReduceWindowRepeat(const XlaReduceWindow *e, MlirValue *result);

/// Whether the windows are all of a line from one end of the array on, along
/// one dimension, and init values; and it does not matter how many of these.
bool xlaReduceWindowIsScan(const XlaReduceWindow *e);
/// Such windows, of operands without padding. Fails with a diagnostic.
MlirLogicalResult xlaReduceWindowScan(const XlaReduceWindow *e,
                                      MlirValue *results);

/// Combines windows of padded operands dimension by dimension. Fails with a
/// diagnostic.
MlirLogicalResult xlaReduceWindowByDimension(const XlaReduceWindow *e,
                                             MlirValue *results);

#endif // XLAC_PASSES_EXPAND_REDUCE_WINDOW_H

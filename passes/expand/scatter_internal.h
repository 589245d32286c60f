//===- scatter_internal.h - Places of scatters --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/expand. The dimensions of the inputs are parted in two.
// Places are numbered along the dimensions with indices or batches, and those
// that windows do not fill; the others are whole in every window, the columns
// of its row.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_SCATTER_INTERNAL_H
#define XLAC_PASSES_EXPAND_SCATTER_INTERNAL_H

#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/passes/arrays.h"

/// An xla.scatter of static sizes on its way to other operations.
typedef struct XlaScatter {
  MlirOperation op;
  XlaIr *ir;
  intptr_t n; // inputs
  XlaIndexedWindows windows;
  XlaShape input, indices, update;
  int64_t sizes[XLA_MAX_RANK];  // of a window, by dimension of the inputs
  int updateDim[XLA_MAX_RANK];  // of the updates, or -1: by the same
  int startOf[XLA_MAX_RANK];    // coordinate of an index, or -1: by the same
  bool isColumn[XLA_MAX_RANK];  // by the same
  int64_t stride[XLA_MAX_RANK]; // between places, by the same
  int64_t nPlaces, nColumns, nRows; // rows of updates
  XlaElementType counter;           // of their numbers
} XlaScatter;

/// Reads `op`; new operations go to `ir`, which may be null where none are
/// built.
void xlaScatterRead(XlaScatter *s, MlirOperation op, XlaIr *ir);
/// Parts the dimensions, without `hasColumns` into places alone. More than
/// `most` places or rows are numbered in s64, fewer in s32.
void xlaScatterPlan(XlaScatter *s, bool hasColumns, int64_t most);
/// The dimensions of the updates in their new order: those of the indices,
/// those of windows without the columns, the columns.
void xlaScatterOrderUpdates(const XlaScatter *s, int64_t *order);
/// The place of each row of updates, `nPlaces` if its window is not inside: a
/// vector of `counter`.
MlirValue xlaScatterPlaces(const XlaScatter *s);

#endif // XLAC_PASSES_EXPAND_SCATTER_INTERNAL_H

//===- scatter.h - Scatters whose windows are applied at once -----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows of a scatter that meet are combined in the order of their indices.
// Where all windows are to be applied at once, that takes a scatter of one of
// these forms:
//
//   apart    windows never meet: unique_indices, or a single one
//   few      XLA_SCATTER_FEW windows at most in each batch, of one element
//            along the dimensions that have indices: one after the other, each
//            by all threads
//   sorted   rows, or elements of a vector, at the places that a vector of
//            indices has, which ascend (indices_are_sorted): a row's updates
//            lie one behind the other
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_EXPAND_SCATTER_H
#define XLAC_PASSES_EXPAND_SCATTER_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_SCATTER_FEW = 32 };

typedef enum XlaScatterForm {
  XlaScatterFormNone,
  XlaScatterFormApart,
  XlaScatterFormFew,
  XlaScatterFormSorted,
} XlaScatterForm;

/// The form of an xla.scatter of static sizes.
XlaScatterForm xlaScatterGetForm(MlirOperation scatter);

/// Writes each xla.scatter below `op` that has none of the forms as one that is
/// sorted: windows become rows, or elements if they reach along a dimension
/// that has indices; their places are sorted, and their updates taken in that
/// order. More than `most` places or updates, INT32_MAX at most, are numbered
/// in s64. Fails with a diagnostic.
MlirLogicalResult xlaScatterSort(MlirOperation op, int64_t most);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_EXPAND_SCATTER_H

//===- indexed_windows.h - What gather and scatter share ----------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather reads windows of an array at places that another array, the indices,
// holds; scatter writes such windows. Three arrays take part (000: Gather,
// Scatter):
//
//   the operand   has the windows: gather's operand, scatter's inputs
//   the indices   have the places, a vector of coordinates along one dimension
//   the windows   lie one beside the other: gather's result, scatter's updates
//
// Each dimension of the windows array is an offset within a window or a batch
// dimension, which is a dimension of the indices.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OPS_INDEXED_WINDOWS_H
#define XLAC_DIALECT_OPS_INDEXED_WINDOWS_H

#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Dimension numbers of xla.gather (xla.scatter).
typedef struct XlaIndexedWindows {
  XlaI64List offset;    ///< offset_dims (update_window_dims)
  XlaI64List collapsed; ///< collapsed_slice_dims (inserted_window_dims)
  XlaI64List batching;  ///< operand_batching_dims (input_batching_dims)
  /// start_indices_batching_dims (scatter_indices_batching_dims)
  XlaI64List indexBatching;
  XlaI64List startMap;   ///< start_index_map (scatter_dims_to_operand_dims)
  int64_t vectorDim;     ///< index_vector_dim; the indices' rank: none
  XlaI64List window;     ///< operand dimension of each entry of `offset`
  XlaI64List batch;      ///< dimensions of the windows array, ascending
  XlaI64List indexBatch; ///< dimension of the indices of each entry of `batch`
} XlaIndexedWindows;

/// Reads the dimension numbers of an operation of either kind and checks them
/// against its arrays. `windowsRank` is the rank of the windows array, or -1 to
/// take the one that follows. Emits an error with the operation's label.
MlirLogicalResult xlaIndexedWindowsInfer(const XlaOpView *view,
                                         const XlaShape *operand,
                                         const XlaShape *indices,
                                         int windowsRank,
                                         XlaIndexedWindows *windows);
/// The same of an operation that has been verified.
void xlaIndexedWindowsGet(MlirOperation op, XlaIndexedWindows *windows);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OPS_INDEXED_WINDOWS_H

//===- builder_index.c - Building operations over indices -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder_internal.h"

XlaOp xlaBuilderGather(XlaBuilder *b, XlaOp operand, XlaOp startIndices,
                       const XlaGatherDimensionNumbers *numbers,
                       const int64_t *sliceSizes, intptr_t n,
                       bool indicesAreSorted) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindGather);
  xlaDraftOperand(&draft, operand);
  xlaDraftOperand(&draft, startIndices);
  if (draft.b && !numbers)
    xlaBuilderFail(b, "the dimension numbers are NULL");
  if (draft.b && numbers) {
    xlaDraftInts(&draft, "offset_dims", numbers->offsetDims,
                 numbers->nOffsetDims);
    xlaDraftInts(&draft, "collapsed_slice_dims", numbers->collapsedSliceDims,
                 numbers->nCollapsedSliceDims);
    xlaDraftOptionalInts(&draft, "operand_batching_dims",
                         numbers->operandBatchingDims, numbers->nBatchingDims);
    xlaDraftOptionalInts(&draft, "start_indices_batching_dims",
                         numbers->startIndicesBatchingDims,
                         numbers->nBatchingDims);
    xlaDraftInts(&draft, "start_index_map", numbers->startIndexMap,
                 numbers->nStartIndexMap);
    xlaDraftInt(&draft, "index_vector_dim", numbers->indexVectorDim);
  }
  xlaDraftInts(&draft, "slice_sizes", sliceSizes, n);
  if (indicesAreSorted)
    xlaDraftBool(&draft, "indices_are_sorted", true);
  return xlaDraftFinish(&draft);
}

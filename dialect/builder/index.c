//===- index.c - Building operations over indices -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

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

static void addScatterNumbers(XlaDraft *draft,
                              const XlaScatterDimensionNumbers *numbers) {
  xlaDraftInts(draft, "update_window_dims", numbers->updateWindowDims,
               numbers->nUpdateWindowDims);
  xlaDraftInts(draft, "inserted_window_dims", numbers->insertedWindowDims,
               numbers->nInsertedWindowDims);
  xlaDraftOptionalInts(draft, "input_batching_dims", numbers->inputBatchingDims,
                       numbers->nBatchingDims);
  xlaDraftOptionalInts(draft, "scatter_indices_batching_dims",
                       numbers->scatterIndicesBatchingDims,
                       numbers->nBatchingDims);
  xlaDraftInts(draft, "scatter_dims_to_operand_dims",
               numbers->scatterDimsToOperandDims,
               numbers->nScatterDimsToOperandDims);
  xlaDraftInt(draft, "index_vector_dim", numbers->indexVectorDim);
}

XlaOp xlaBuilderScatter(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                        XlaOp scatterIndices, const XlaOp *updates,
                        const XlaComputation *computation,
                        const XlaScatterDimensionNumbers *numbers,
                        bool indicesAreSorted, bool uniqueIndices) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindScatter);
  xlaDraftOperands(&draft, "operands", operands, n);
  xlaDraftOperand(&draft, scatterIndices);
  xlaDraftOperands(&draft, "updates", updates, n);
  if (draft.b && numbers)
    addScatterNumbers(&draft, numbers);
  else if (draft.b)
    xlaBuilderFail(b, "the dimension numbers are NULL");
  if (indicesAreSorted)
    xlaDraftBool(&draft, "indices_are_sorted", true);
  if (uniqueIndices)
    xlaDraftBool(&draft, "unique_indices", true);
  xlaDraftRegion(&draft, computation, true);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderSort(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                     const XlaComputation *comparator, int64_t dimension,
                     bool isStable) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindSort);
  xlaDraftOperands(&draft, "operands", operands, n);
  xlaDraftInt(&draft, "dimension", dimension);
  if (isStable)
    xlaDraftBool(&draft, "is_stable", true);
  if (comparator)
    xlaDraftRegion(&draft, comparator, false);
  return xlaDraftFinish(&draft);
}

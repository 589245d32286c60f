//===- index.h - Slices at many places, and sorting ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_INDEX_H
#define XLAC_DIALECT_BUILDER_INDEX_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How gather reads its operands; 000: Gather. Batching dimensions go in pairs,
/// and may be none.
typedef struct XlaGatherDimensionNumbers {
  const int64_t *offsetDims;
  intptr_t nOffsetDims;
  const int64_t *collapsedSliceDims;
  intptr_t nCollapsedSliceDims;
  const int64_t *startIndexMap;
  intptr_t nStartIndexMap;
  int64_t indexVectorDim;
  const int64_t *operandBatchingDims, *startIndicesBatchingDims;
  intptr_t nBatchingDims;
} XlaGatherDimensionNumbers;
/// Slices of the n sizes `sliceSizes`, one for each index vector in
/// `startIndices`, clamped to lie within. `indicesAreSorted` is the caller's
/// promise. 000: Gather.
XlaOp xlaBuilderGather(XlaBuilder *b, XlaOp operand, XlaOp startIndices,
                       const XlaGatherDimensionNumbers *numbers,
                       const int64_t *sliceSizes, intptr_t n,
                       bool indicesAreSorted);

/// How scatter finds its places; 000: Scatter. Batching dimensions go in pairs,
/// and may be none.
typedef struct XlaScatterDimensionNumbers {
  const int64_t *updateWindowDims;
  intptr_t nUpdateWindowDims;
  const int64_t *insertedWindowDims;
  intptr_t nInsertedWindowDims;
  const int64_t *scatterDimsToOperandDims;
  intptr_t nScatterDimsToOperandDims;
  int64_t indexVectorDim;
  const int64_t *inputBatchingDims, *scatterIndicesBatchingDims;
  intptr_t nBatchingDims;
} XlaScatterDimensionNumbers;
/// The n operands with slices, at the places that `scatterIndices` has,
/// combined with the slices of the n `updates` by `computation`: of type (T0 ..
/// Tn-1, T0 .. Tn-1), first what is there, then the updates, -> T0, or a tuple.
/// Slices that do not lie within are skipped. Gives an array, for several
/// operands a tuple. The flags are the caller's promises. 000: Scatter.
XlaOp xlaBuilderScatter(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                        XlaOp scatterIndices, const XlaOp *updates,
                        const XlaComputation *computation,
                        const XlaScatterDimensionNumbers *numbers,
                        bool indicesAreSorted, bool uniqueIndices);

/// Sorts the n operands together along `dimension`, counted from the end if
/// negative: -1 is the last. `comparator` takes two elements of each operand,
/// (T0, T0, T1, T1 ..) -> pred, and tells whether the first of each come first.
/// NULL, for one operand, sorts in ascending order (002). Gives an array, for
/// several operands a tuple. 000: Sort.
XlaOp xlaBuilderSort(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                     const XlaComputation *comparator, int64_t dimension,
                     bool isStable);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_INDEX_H

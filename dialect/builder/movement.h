//===- movement.h - Operations of a program that move data --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by builder.h, which tells how builders are used.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_MOVEMENT_H
#define XLAC_DIALECT_BUILDER_MOVEMENT_H

#include "xlac/dialect/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A function a row of ops.def, with the operation's attributes as lists of n
/// numbers, or as one number:
///
///   xlaBuilderBroadcast  `n` new major dimensions of these sizes
///   xlaBuilderCollapse   consecutive dimensions, in order, become one
///   xlaBuilderRev        the order of elements reversed along dimensions
///   xlaBuilderRoll       elements moved by `first[i]` along `second[i]`
///   xlaBuilderTopK       a tuple: the largest elements and their positions
///   xlaBuilderTranspose  dimension i is the operand's dimension list[i]
#define XLA_BUILDER_INT(Function, Enum, attribute)                             \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand, int64_t value);
#define XLA_BUILDER_LIST(Function, Enum, attribute)                            \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand,                     \
                             const int64_t *list, intptr_t n);
#define XLA_BUILDER_LISTS(Function, Enum, first, second)                       \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand,                     \
                             const int64_t *first, const int64_t *second,      \
                             intptr_t n);
#include "xlac/dialect/ops.def"

/// Dimension i of the operand becomes dimension `broadcastDimensions[i]` of an
/// array of the sizes `outDimSizes`; size 1 is repeated. 000: BroadcastInDim.
XlaOp xlaBuilderBroadcastInDim(XlaBuilder *b, XlaOp operand,
                               const int64_t *outDimSizes, intptr_t nSizes,
                               const int64_t *broadcastDimensions,
                               intptr_t nDimensions);
/// The operands one after the other along `dimension`, at least one. 000:
/// Concatenate, where XlaBuilder's function is ConcatInDim: both are here.
XlaOp xlaBuilderConcatenate(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                            int64_t dimension);
XlaOp xlaBuilderConcatInDim(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                            int64_t dimension);
/// What is padded to a dimension: before, after and between its elements.
/// Negative edges remove elements.
typedef struct XlaPaddingConfigDimension {
  int64_t edgePaddingLow, edgePaddingHigh, interiorPadding;
} XlaPaddingConfigDimension;
/// `config` has an entry for each of the operand's n dimensions. 000: Pad.
XlaOp xlaBuilderPad(XlaBuilder *b, XlaOp operand, XlaOp paddingValue,
                    const XlaPaddingConfigDimension *config, intptr_t n);
/// The same elements, in row-major order, in an array of the sizes `newSizes`.
/// 000: Reshape.
XlaOp xlaBuilderReshape(XlaBuilder *b, XlaOp operand, const int64_t *newSizes,
                        intptr_t n);
/// The same, the elements taken in the order of `dimensions` (from slowest to
/// fastest), a permutation. 000: Reshape(operand, dimensions, new_sizes).
XlaOp xlaBuilderReshapeInOrder(XlaBuilder *b, XlaOp operand,
                               const int64_t *dimensions, intptr_t nDimensions,
                               const int64_t *newSizes, intptr_t nSizes);
/// Every `strides[d]`-th element from `startIndices[d]` below
/// `limitIndices[d]`; `strides` may be NULL, for all 1 (002). The lists have
/// the operand's rank n. 000: Slice.
XlaOp xlaBuilderSlice(XlaBuilder *b, XlaOp operand, const int64_t *startIndices,
                      const int64_t *limitIndices, const int64_t *strides,
                      intptr_t n);
/// The same in one dimension; the others stay whole.
XlaOp xlaBuilderSliceInDim(XlaBuilder *b, XlaOp operand, int64_t start,
                           int64_t limit, int64_t stride, int64_t dimension);
/// A slice of constant sizes at computed starts, which are clamped so that it
/// lies within. `startIndices` are n integer scalars, or one vector of n
/// (nStarts is 1 then); n is the operand's rank. 000: DynamicSlice.
XlaOp xlaBuilderDynamicSlice(XlaBuilder *b, XlaOp operand,
                             const XlaOp *startIndices, intptr_t nStarts,
                             const int64_t *sizeIndices, intptr_t n);
/// The operand with `update` in place of such a slice. 000:
/// DynamicUpdateSlice.
XlaOp xlaBuilderDynamicUpdateSlice(XlaBuilder *b, XlaOp operand, XlaOp update,
                                   const XlaOp *startIndices, intptr_t nStarts);

/// The size of a dimension, an s32. 000: GetDimensionSize.
XlaOp xlaBuilderGetDimensionSize(XlaBuilder *b, XlaOp operand,
                                 int64_t dimension);
/// The first `size` elements, an s32, along a dimension, which becomes dynamic;
/// what it was is the bound. What reduces it leaves the rest out. 000:
/// SetDimensionSize.
XlaOp xlaBuilderSetDimensionSize(XlaBuilder *b, XlaOp operand, XlaOp size,
                                 int64_t dimension);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_MOVEMENT_H

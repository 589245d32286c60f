//===- builder_movement.c - Building operations that move data ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder_internal.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

XlaOp xlaBuilderBroadcast(XlaBuilder *b, XlaOp operand, const int64_t *sizes,
                          intptr_t n) {
  XlaDraft draft;
  XlaShape shape, result;
  int64_t dimensions[XLA_MAX_RANK];
  xlaDraftBegin(&draft, b, __func__, XlaOpKindBroadcastInDim);
  xlaDraftOperand(&draft, operand);
  if (draft.b && xlaBuilderOperandShape(b, operand, &shape) &&
      xlaBuilderMakeShape(b, shape.elementType, sizes, n, &result)) {
    if (result.rank + shape.rank > XLA_MAX_RANK)
      xlaBuilderFail(b,
                     "%d new dimensions and %d of the operand are more than "
                     "%d",
                     result.rank, shape.rank, XLA_MAX_RANK);
    for (int d = 0; d < shape.rank && !b->failed; ++d) {
      dimensions[d] = result.rank;
      result.dims[result.rank++] = shape.dims[d];
    }
    xlaDraftInts(&draft, "broadcast_dimensions", dimensions, shape.rank);
    xlaDraftResultShape(&draft, &result);
  }
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderBroadcastInDim(XlaBuilder *b, XlaOp operand,
                               const int64_t *outDimSizes, intptr_t nSizes,
                               const int64_t *broadcastDimensions,
                               intptr_t nDimensions) {
  XlaDraft draft;
  XlaShape shape, result;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindBroadcastInDim);
  xlaDraftOperand(&draft, operand);
  xlaDraftInts(&draft, "broadcast_dimensions", broadcastDimensions,
               nDimensions);
  if (draft.b && xlaBuilderOperandShape(b, operand, &shape) &&
      xlaBuilderMakeShape(b, shape.elementType, outDimSizes, nSizes, &result))
    xlaDraftResultShape(&draft, &result);
  return xlaDraftFinish(&draft);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static XlaOp reshape(XlaBuilder *b, const char *function, XlaOp operand,
                     const int64_t *sizes, intptr_t n) {
  XlaDraft draft;
  XlaShape shape, result;
  xlaDraftBegin(&draft, b, function, XlaOpKindReshape);
  xlaDraftOperand(&draft, operand);
  if (draft.b && xlaBuilderOperandShape(b, operand, &shape) &&
      xlaBuilderMakeShape(b, shape.elementType, sizes, n, &result))
    xlaDraftResultShape(&draft, &result);
  return xlaDraftFinish(&draft);
}

static XlaOp transpose(XlaBuilder *b, const char *function, XlaOp operand,
                       const int64_t *permutation, intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindTranspose);
  xlaDraftOperand(&draft, operand);
  xlaDraftInts(&draft, "permutation", permutation, n);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderReshape(XlaBuilder *b, XlaOp operand, const int64_t *newSizes,
                        intptr_t n) {
  return reshape(b, __func__, operand, newSizes, n);
}

XlaOp xlaBuilderReshapeInOrder(XlaBuilder *b, XlaOp operand,
                               const int64_t *dimensions, intptr_t nDimensions,
                               const int64_t *newSizes, intptr_t nSizes) {
  return reshape(b, __func__,
                 transpose(b, __func__, operand, dimensions, nDimensions),
                 newSizes, nSizes);
}

XlaOp xlaBuilderTranspose(XlaBuilder *b, XlaOp operand,
                          const int64_t *permutation, intptr_t n) {
  return transpose(b, __func__, operand, permutation, n);
}

/// Whether `dimensions` are consecutive dimensions of `shape`, in order.
static bool checkCollapse(XlaBuilder *b, const XlaShape *shape,
                          const int64_t *dimensions, intptr_t n) {
  if (!xlaBuilderCheckList(b, "dimensions", dimensions, n))
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    if (dimensions[i] < 0 || dimensions[i] >= shape->rank)
      return xlaBuilderFail(b,
                            "dimensions[%lld] is %lld, the operand has rank "
                            "%d",
                            (long long)i, (long long)dimensions[i],
                            shape->rank);
    if (i && dimensions[i] != dimensions[i - 1] + 1)
      return xlaBuilderFail(b, "dimensions %s are not consecutive and in order",
                            XLA_LIST_TEXT(dimensions, n));
  }
  return true;
}

XlaOp xlaBuilderCollapse(XlaBuilder *b, XlaOp operand,
                         const int64_t *dimensions, intptr_t n) {
  XlaShape shape;
  if (!xlaBuilderBegin(b, __func__) ||
      !xlaBuilderOperandShape(b, operand, &shape) ||
      !checkCollapse(b, &shape, dimensions, n))
    return (XlaOp){0};
  XlaShape result = shape;
  if (n > 1) {
    // Sizes of parts may not fit where that of the whole, which has a zero,
    // does.
    int first = (int)dimensions[0], last = (int)dimensions[n - 1];
    for (int d = first + 1; d <= last; ++d)
      if (__builtin_mul_overflow(result.dims[first], shape.dims[d],
                                 &result.dims[first]))
        return xlaBuilderFail(b,
                              "the sizes of dimensions %s multiply to more "
                              "than 2^63",
                              XLA_LIST_TEXT(dimensions, n)),
               (XlaOp){0};
    memmove(result.dims + first + 1, shape.dims + last + 1,
            (size_t)(shape.rank - last - 1) * sizeof *result.dims);
    result.rank = shape.rank - (last - first);
  }
  return reshape(b, __func__, operand, result.dims, result.rank);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

XlaOp xlaBuilderConcatInDim(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                            int64_t dimension) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindConcatenate);
  xlaDraftOperands(&draft, "operands", operands, n);
  xlaDraftInt(&draft, "dimension", dimension);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderPad(XlaBuilder *b, XlaOp operand, XlaOp paddingValue,
                    const XlaPaddingConfigDimension *config, intptr_t n) {
  XlaDraft draft;
  int64_t low[XLA_MAX_RANK], high[XLA_MAX_RANK], interior[XLA_MAX_RANK];
  xlaDraftBegin(&draft, b, __func__, XlaOpKindPad);
  xlaDraftOperand(&draft, operand);
  xlaDraftOperand(&draft, paddingValue);
  if (!draft.b || !xlaBuilderCheckList(b, "config", config, n))
    return xlaDraftFinish(&draft);
  if (n > XLA_MAX_RANK)
    xlaBuilderFail(b,
                   "config has %lld entries, arrays have at most %d "
                   "dimensions",
                   (long long)n, XLA_MAX_RANK);
  for (intptr_t i = 0; i < n && !b->failed; ++i) {
    low[i] = config[i].edgePaddingLow;
    high[i] = config[i].edgePaddingHigh;
    interior[i] = config[i].interiorPadding;
  }
  xlaDraftInts(&draft, "edge_padding_low", low, n);
  xlaDraftInts(&draft, "edge_padding_high", high, n);
  xlaDraftInts(&draft, "interior_padding", interior, n);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderRev(XlaBuilder *b, XlaOp operand, const int64_t *dimensions,
                    intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindReverse);
  xlaDraftOperand(&draft, operand);
  xlaDraftInts(&draft, "dimensions", dimensions, n);
  return xlaDraftFinish(&draft);
}

static XlaOp slice(XlaBuilder *b, const char *function, XlaOp operand,
                   const int64_t *starts, const int64_t *limits,
                   const int64_t *strides, intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindSlice);
  xlaDraftOperand(&draft, operand);
  xlaDraftInts(&draft, "start_indices", starts, n);
  xlaDraftInts(&draft, "limit_indices", limits, n);
  xlaDraftMaybeInts(&draft, "strides", strides, n);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderSlice(XlaBuilder *b, XlaOp operand, const int64_t *startIndices,
                      const int64_t *limitIndices, const int64_t *strides,
                      intptr_t n) {
  return slice(b, __func__, operand, startIndices, limitIndices, strides, n);
}

XlaOp xlaBuilderSliceInDim(XlaBuilder *b, XlaOp operand, int64_t start,
                           int64_t limit, int64_t stride, int64_t dimension) {
  XlaShape shape;
  int64_t starts[XLA_MAX_RANK], strides[XLA_MAX_RANK];
  if (!xlaBuilderBegin(b, __func__) ||
      !xlaBuilderOperandShape(b, operand, &shape))
    return (XlaOp){0};
  if (dimension < 0 || dimension >= shape.rank)
    return xlaBuilderFail(b, "the dimension is %lld, the operand has rank %d",
                          (long long)dimension, shape.rank),
           (XlaOp){0};
  for (int d = 0; d < shape.rank; ++d) {
    starts[d] = d == dimension ? start : 0;
    strides[d] = d == dimension ? stride : 1;
  }
  shape.dims[dimension] = limit;
  return slice(b, __func__, operand, starts, shape.dims, strides, shape.rank);
}

XlaOp xlaBuilderDynamicSlice(XlaBuilder *b, XlaOp operand,
                             const XlaOp *startIndices, intptr_t nStarts,
                             const int64_t *sizeIndices, intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindDynamicSlice);
  xlaDraftOperand(&draft, operand);
  xlaDraftOperands(&draft, "startIndices", startIndices, nStarts);
  xlaDraftInts(&draft, "slice_sizes", sizeIndices, n);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderDynamicUpdateSlice(XlaBuilder *b, XlaOp operand, XlaOp update,
                                   const XlaOp *startIndices,
                                   intptr_t nStarts) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindDynamicUpdateSlice);
  xlaDraftOperand(&draft, operand);
  xlaDraftOperand(&draft, update);
  xlaDraftOperands(&draft, "startIndices", startIndices, nStarts);
  return xlaDraftFinish(&draft);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

XlaOp xlaBuilderGetDimensionSize(XlaBuilder *b, XlaOp operand,
                                 int64_t dimension) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindGetDimensionSize);
  xlaDraftOperand(&draft, operand);
  xlaDraftInt(&draft, "dimension", dimension);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderSetDimensionSize(XlaBuilder *b, XlaOp operand, XlaOp size,
                                 int64_t dimension) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindSetDimensionSize);
  xlaDraftOperand(&draft, operand);
  xlaDraftOperand(&draft, size);
  xlaDraftInt(&draft, "dimension", dimension);
  return xlaDraftFinish(&draft);
}

//===- movement.c - Building operations that move data --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Attributes as they are
//===----------------------------------------------------------------------===//

/// The second attribute may be NULL.
static XlaOp withLists(XlaBuilder *b, const char *function, XlaOpKind kind,
                       XlaOp operand, const char *firstName,
                       const int64_t *first, const char *secondName,
                       const int64_t *second, intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  xlaDraftOperand(&draft, operand);
  xlaDraftInts(&draft, firstName, first, n);
  if (secondName)
    xlaDraftInts(&draft, secondName, second, n);
  return xlaDraftFinish(&draft);
}

static XlaOp withInt(XlaBuilder *b, const char *function, XlaOpKind kind,
                     XlaOp operand, const char *name, int64_t value) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  xlaDraftOperand(&draft, operand);
  xlaDraftInt(&draft, name, value);
  return xlaDraftFinish(&draft);
}

#define XLA_BUILDER_INT(Function, Enum, attribute)                             \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand, int64_t value) {    \
    return withInt(b, __func__, XlaOpKind##Enum, operand, #attribute, value);  \
  }
#define XLA_BUILDER_LIST(Function, Enum, attribute)                            \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand,                     \
                             const int64_t *list, intptr_t n) {                \
    return withLists(b, __func__, XlaOpKind##Enum, operand, #attribute, list,  \
                     NULL, NULL, n);                                           \
  }
#define XLA_BUILDER_LISTS(Function, Enum, firstName, secondName)               \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand,                     \
                             const int64_t *first, const int64_t *second,      \
                             intptr_t n) {                                     \
    return withLists(b, __func__, XlaOpKind##Enum, operand, #firstName, first, \
                     #secondName, second, n);                                  \
  }
#include "xlac/dialect/ops.def"

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

static XlaOp concatenate(XlaBuilder *b, const char *function,
                         const XlaOp *operands, intptr_t n, int64_t dimension) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindConcatenate);
  xlaDraftOperands(&draft, "operands", operands, n);
  xlaDraftInt(&draft, "dimension", dimension);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderConcatenate(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                            int64_t dimension) {
  return concatenate(b, __func__, operands, n, dimension);
}

XlaOp xlaBuilderConcatInDim(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                            int64_t dimension) {
  return concatenate(b, __func__, operands, n, dimension);
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

//===- movement.c - Operations that move data -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value of an attribute is hostile: sums and products that could leave 64
// bits are taken in 128.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/movement.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/dynamic_reshape.h"
#include "xlac/dialect/result_internal.h"

/// Reads a list that must have one entry for each of `rank` dimensions.
static MlirLogicalResult getSized(const XlaOpView *view, const char *label,
                                  const char *name, int rank,
                                  XlaI64List *list) {
  xlaViewGetList(view, name, list);
  if (list->size == rank)
    return success();
  return xlaViewError(
      view, label, "%s %s has %d entries, the operand has rank %d", name,
      XLA_LIST_TEXT(list->values, list->size), list->size, rank);
}

/// Every entry of a list must name another one of `rank` dimensions.
static MlirLogicalResult checkDistinct(const XlaOpView *view,
                                       const char *rangeLabel,
                                       const char *uniqueLabel,
                                       const char *name, const XlaI64List *list,
                                       int rank) {
  uint32_t seen = 0;
  _Static_assert(XLA_MAX_RANK <= 32, "a bit for each dimension");
  for (int i = 0; i < list->size; ++i) {
    int64_t d = list->values[i];
    if (d < 0 || d >= rank)
      return xlaViewError(view, rangeLabel,
                          "%s[%d] is %lld, must be in [0, %d)", name, i,
                          (long long)d, rank);
    if (seen & UINT32_C(1) << d)
      return xlaViewError(view, uniqueLabel, "%s %s has %lld twice", name,
                          XLA_LIST_TEXT(list->values, list->size),
                          (long long)d);
    seen |= UINT32_C(1) << d;
  }
  return success();
}

static MlirLogicalResult inferBroadcastInDim(XlaOpView *view,
                                             const XlaShape *operand) {
  XlaShape result, declared;
  XlaI64List dimensions;
  if (failed(xlaViewGetStatedBounded(view, 0, &result)) ||
      failed(getSized(view, "broadcast_in_dim_c2", "broadcast_dimensions",
                      operand->rank, &dimensions)) ||
      failed(checkDistinct(view, "broadcast_in_dim_c3", "broadcast_in_dim_c4",
                           "broadcast_dimensions", &dimensions, result.rank)))
    return failure();
  xlaViewGetDeclared(view, 0, &declared);
  XlaShape unsized = result;
  for (int i = 0; i < operand->rank; ++i) {
    int64_t d = dimensions.values[i];
    bool dynamic = xlaShapeIsDynamic(operand, i);
    if ((operand->dims[i] != 1 || dynamic) &&
        declared.dims[i] != result.dims[d])
      return xlaViewError(view, "broadcast_in_dim_c5",
                          "dimension %d of the operand is %lld, neither 1 nor "
                          "%lld as dimension %lld of the result",
                          i, (long long)operand->dims[i],
                          (long long)result.dims[d], (long long)d);
    if (dynamic != xlaShapeIsDynamic(&result, d))
      return xlaViewError(view, "dynamic",
                          "dimension %d of the operand is %s, dimension %lld "
                          "of the result is %s",
                          i, dynamic ? "dynamic" : "not", (long long)d,
                          dynamic ? "not" : "dynamic");
    if (dynamic)
      result.dims[d] = operand->dims[i];
    xlaShapeSetDynamic(&unsized, d, false);
  }
  if (unsized.dynamic)
    return xlaViewError(view, "dynamic",
                        "dimension %d of the result is dynamic, but no "
                        "dimension of the operand gives it a size",
                        __builtin_ctz(unsized.dynamic));
  result.elementType = operand->elementType;
  return xlaViewAppendChecked(view, NULL, &result);
}

static MlirLogicalResult inferReshape(XlaOpView *view,
                                      const XlaShape *operand) {
  XlaShape result, declared;
  if (failed(xlaViewGetStatedBounded(view, 0, &result)))
    return failure();
  int64_t from = 0, to = 0;
  xlaViewGetDeclared(view, 0, &declared);
  xlaShapeGetElementCount(&declared, &from);
  xlaShapeGetElementCount(&result, &to);
  if (from != to)
    return xlaViewError(view, "reshape_c2",
                        "the operand %s has %lld elements, the result %s %lld",
                        XLA_SHAPE_TEXT(operand), (long long)from,
                        XLA_SHAPE_TEXT(&result), (long long)to);
  result.elementType = operand->elementType;
  if ((operand->dynamic || result.dynamic) &&
      failed(xlaReshapeInferSizes(view, &declared, operand, &result)))
    return failure();
  return xlaViewAppendChecked(view, NULL, &result);
}

/// Operand `index` of a concatenation against the first.
static MlirLogicalResult checkPiece(const XlaOpView *view,
                                    const XlaShape *first,
                                    const XlaShape *piece, int index,
                                    int64_t dimension) {
  if (piece->elementType != first->elementType)
    return xlaViewError(view, "concatenate_c1",
                        "element type of operand %d is %s, of operand 0 %s",
                        index, xlaElementTypeGetInfo(piece->elementType)->name,
                        xlaElementTypeGetInfo(first->elementType)->name);
  if (piece->rank != first->rank)
    return xlaViewError(view, "concatenate_c2",
                        "operand %d has rank %d, operand 0 rank %d", index,
                        piece->rank, first->rank);
  for (int i = 0; i < first->rank; ++i)
    if (i != dimension && piece->dims[i] != first->dims[i])
      return xlaViewError(
          view, "concatenate_c2",
          "dimension %d of operand %d is %lld, of operand 0 %lld", i, index,
          (long long)piece->dims[i], (long long)first->dims[i]);
  return success();
}

static MlirLogicalResult inferConcatenate(XlaOpView *view,
                                          const XlaShape *first) {
  int64_t dimension = xlaViewGetI64(view, "dimension", 0);
  if (!first->rank)
    return xlaViewError(view, "concatenate_c4",
                        "operands of rank 0 cannot be concatenated");
  if (dimension < 0 || dimension >= first->rank)
    return xlaViewError(view, "concatenate_c4",
                        "dimension is %lld, must be in [0, %d)",
                        (long long)dimension, first->rank);
  XlaShape result = *first;
  for (int k = 1; k < view->nOperands; ++k) {
    XlaShape piece;
    if (failed(xlaViewGetBounded(view, k, &piece)) ||
        failed(checkPiece(view, first, &piece, k, dimension)))
      return failure();
    result.dynamic |= piece.dynamic;
    int64_t *size = &result.dims[dimension];
    if (__builtin_add_overflow(*size, piece.dims[dimension], size))
      return xlaViewError(view, "concatenate_c6",
                          "the sizes of dimension %lld add up to more than "
                          "2^63",
                          (long long)dimension);
  }
  return xlaViewAppendChecked(view, "concatenate_c6", &result);
}

static MlirLogicalResult inferPad(XlaOpView *view, const XlaShape *operand) {
  XlaShape value;
  XlaI64List low, high, interior;
  if (failed(xlaViewGetShape(view, 1, &value)))
    return failure();
  if (value.rank || value.elementType != operand->elementType)
    return xlaViewError(
        view, "pad_c1",
        "the padding value is %s, must be a scalar of the operand's element "
        "type %s",
        XLA_SHAPE_TEXT(&value),
        xlaElementTypeGetInfo(operand->elementType)->name);
  if (failed(
          getSized(view, "pad_c2", "edge_padding_low", operand->rank, &low)) ||
      failed(getSized(view, "pad_c2", "edge_padding_high", operand->rank,
                      &high)) ||
      failed(getSized(view, "pad_c2", "interior_padding", operand->rank,
                      &interior)))
    return failure();
  XlaShape result = *operand;
  for (int i = 0; i < operand->rank; ++i) {
    if (interior.values[i] < 0)
      return xlaViewError(view, "pad_c3",
                          "interior_padding[%d] is %lld, must not be negative",
                          i, (long long)interior.values[i]);
    int64_t dim = operand->dims[i];
    XlaWide size = (XlaWide)dim +
                   (dim ? (XlaWide)(dim - 1) * interior.values[i] : 0) +
                   low.values[i] + high.values[i];
    if (size < 0 || size > INT64_MAX)
      return xlaViewError(
          view, "pad_c4",
          "dimension %d of %lld elements, padded by %lld before, %lld after "
          "and %lld between, has a %s size",
          i, (long long)dim, (long long)low.values[i],
          (long long)high.values[i], (long long)interior.values[i],
          size < 0 ? "negative" : "too large");
    result.dims[i] = (int64_t)size;
  }
  return xlaViewAppendChecked(view, "pad_c4", &result);
}

static MlirLogicalResult inferReverse(XlaOpView *view,
                                      const XlaShape *operand) {
  XlaI64List dimensions;
  xlaViewGetList(view, "dimensions", &dimensions);
  if (failed(checkDistinct(view, "reverse_c3", "reverse_c2", "dimensions",
                           &dimensions, operand->rank)))
    return failure();
  xlaViewAppendBounded(view, operand);
  return success();
}

static MlirLogicalResult inferRoll(XlaOpView *view, const XlaShape *operand) {
  XlaI64List dimensions, shifts;
  xlaViewGetList(view, "dimensions", &dimensions);
  xlaViewGetList(view, "shifts", &shifts);
  if (failed(checkDistinct(view, "roll_c3", "roll_c2", "dimensions",
                           &dimensions, operand->rank)))
    return failure();
  if (shifts.size != dimensions.size)
    return xlaViewError(view, "roll_c1",
                        "has %d shifts for %d dimensions, must have one each",
                        shifts.size, dimensions.size);
  for (int i = 0; i < dimensions.size; ++i)
    if (xlaShapeIsDynamic(operand, (int)dimensions.values[i]))
      return xlaViewError(view, "roll_c4",
                          "dimension %lld of operand 0, %s, has a dynamic size",
                          (long long)dimensions.values[i],
                          XLA_SHAPE_TEXT(operand));
  xlaViewAppendBounded(view, operand);
  return success();
}

static MlirLogicalResult inferSlice(XlaOpView *view, const XlaShape *operand) {
  XlaI64List starts, limits, strides;
  if (failed(getSized(view, "slice_c2", "start_indices", operand->rank,
                      &starts)) ||
      failed(
          getSized(view, "slice_c2", "limit_indices", operand->rank, &limits)))
    return failure();
  bool strided = xlaViewGetList(view, "strides", &strides);
  if (strided &&
      failed(getSized(view, "slice_c2", "strides", operand->rank, &strides)))
    return failure();
  XlaShape result = *operand, declared;
  xlaViewGetDeclared(view, 0, &declared);
  for (int i = 0; i < operand->rank; ++i) {
    int64_t start = starts.values[i], limit = limits.values[i];
    int64_t stride = strided ? strides.values[i] : 1;
    // All of a dynamic dimension has its size, a part of it a fixed one.
    if (xlaShapeIsDynamic(operand, i) && !start && limit == declared.dims[i] &&
        stride == 1)
      continue;
    xlaShapeSetDynamic(&result, i, false);
    if (start < 0 || start > limit || limit > operand->dims[i])
      return xlaViewError(view, "slice_c3",
                          "start %lld and limit %lld of dimension %d, of size "
                          "%lld, are not 0 <= start <= limit <= size",
                          (long long)start, (long long)limit, i,
                          (long long)operand->dims[i]);
    if (stride <= 0)
      return xlaViewError(view, "slice_c4",
                          "strides[%d] is %lld, must be positive", i,
                          (long long)stride);
    int64_t span = limit - start;
    result.dims[i] = span / stride + (span % stride != 0);
  }
  xlaViewAppendBounded(view, &result);
  return success();
}

static MlirLogicalResult inferTranspose(XlaOpView *view,
                                        const XlaShape *operand) {
  XlaI64List permutation;
  if (failed(getSized(view, "transpose_c2", "permutation", operand->rank,
                      &permutation)) ||
      failed(checkDistinct(view, "transpose_c2", "transpose_c2", "permutation",
                           &permutation, operand->rank)))
    return failure();
  XlaShape result = *operand;
  for (int i = 0; i < operand->rank; ++i) {
    result.dims[i] = operand->dims[permutation.values[i]];
    xlaShapeSetDynamic(&result, i,
                       xlaShapeIsDynamic(operand, permutation.values[i]));
  }
  xlaViewAppendBounded(view, &result);
  return success();
}

MlirLogicalResult xlaMovementInfer(XlaOpView *view) {
  static MlirLogicalResult (*const hooks[XlaOpKindCount])(XlaOpView *,
                                                          const XlaShape *) = {
#define XLA_OP(Enum, ...) [XlaOpKind##Enum] = infer##Enum,
#include "xlac/dialect/rows/movement.def"
  };
  XlaShape operand;
  if (failed(xlaViewGetBounded(view, 0, &operand)))
    return failure();
  return hooks[view->kind] ? hooks[view->kind](view, &operand)
                           : xlaViewError(view, NULL, "does not move data");
}

void xlaRollGetShifts(MlirOperation op, const XlaShape *shape,
                      int64_t shifts[XLA_MAX_RANK]) {
  XlaI64List dimensions, given;
  xlaOpGetList(op, "dimensions", &dimensions);
  xlaOpGetList(op, "shifts", &given);
  for (int i = 0; i < shape->rank; ++i)
    shifts[i] = 0;
  for (int i = 0; i < dimensions.size; ++i) {
    int64_t d = dimensions.values[i], size = shape->dims[d];
    int64_t rest = size ? given.values[i] % size : 0;
    shifts[d] = rest < 0 ? rest + size : rest;
  }
}

XlaPadRange xlaPadGetRange(int64_t dim, int64_t low, int64_t interior,
                           int64_t size) {
  XlaWide step = (XlaWide)interior + 1;
  XlaWide first = low >= 0 ? 0 : (-(XlaWide)low + step - 1) / step;
  XlaWide room = (XlaWide)size - 1 - low;
  XlaWide end = room < 0 ? 0 : room / step + 1;
  if (end > dim)
    end = dim;
  if (first >= end)
    return (XlaPadRange){.step = 1};
  // The step of a single element may be larger than any array.
  return (XlaPadRange){.first = (int64_t)first,
                       .count = (int64_t)(end - first),
                       .position = (int64_t)(low + first * step),
                       .step = end - first > 1 ? (int64_t)step : 1};
}

//===- broadcast.c - Broadcasting between operands ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/broadcast.h"

static MlirLogicalResult checkDimensions(const XlaOpView *view,
                                         const XlaI64List *dimensions,
                                         const XlaShape *low,
                                         const XlaShape *high) {
  const char *label = "broadcast_dimensions";
  if (dimensions->size != low->rank)
    return xlaViewError(
        view, label,
        "operands of ranks %d and %d need broadcast_dimensions with %d "
        "entries, have %s",
        low->rank, high->rank, low->rank,
        XLA_LIST_TEXT(dimensions->values, dimensions->size));
  for (int i = 0; i < low->rank; ++i) {
    int64_t d = dimensions->values[i];
    if (d < 0 || d >= high->rank)
      return xlaViewError(view, label,
                          "broadcast_dimensions[%d] is %lld, the result has "
                          "rank %d",
                          i, (long long)d, high->rank);
    if (i && d <= dimensions->values[i - 1])
      return xlaViewError(view, label,
                          "broadcast_dimensions %s do not increase strictly",
                          XLA_LIST_TEXT(dimensions->values, dimensions->size));
  }
  return mlirLogicalResultSuccess();
}

void xlaBroadcastGetMap(const XlaShape *operand, const XlaShape *result,
                        const XlaI64List *dimensions, int64_t *map) {
  bool given = operand->rank < result->rank && dimensions->size;
  for (int i = 0; i < operand->rank; ++i)
    map[i] = given ? dimensions->values[i] : i;
}

MlirLogicalResult xlaBroadcastInfer(const XlaOpView *view, const XlaShape *lhs,
                                    const XlaShape *rhs, XlaShape *result) {
  XlaI64List dimensions = {.size = 0};
  bool given = xlaViewGetList(view, "broadcast_dimensions", &dimensions);
  bool swapped = lhs->rank < rhs->rank;
  const XlaShape *low = swapped ? lhs : rhs, *high = swapped ? rhs : lhs;
  if (low->rank != high->rank && low->rank &&
      mlirLogicalResultIsFailure(checkDimensions(view, &dimensions, low, high)))
    return mlirLogicalResultFailure();
  if (low->rank == high->rank && given && dimensions.size) {
    bool identity = dimensions.size == low->rank;
    for (int i = 0; identity && i < low->rank; ++i)
      identity = dimensions.values[i] == i;
    if (!identity)
      return xlaViewError(view, "broadcast_dimensions",
                          "operands of equal rank %d take no "
                          "broadcast_dimensions, have %s",
                          low->rank,
                          XLA_LIST_TEXT(dimensions.values, dimensions.size));
  }
  *result = *high;
  result->elementType = lhs->elementType;
  int64_t map[XLA_MAX_RANK];
  xlaBroadcastGetMap(low, high, &dimensions, map);
  for (int i = 0; i < low->rank; ++i) {
    int64_t a = low->dims[i], b = high->dims[map[i]];
    bool dynamic = xlaShapeIsDynamic(low, i);
    // A dynamic dimension that happens to have size 1 is not repeated.
    bool repeats =
        (a == 1 && !dynamic) || (b == 1 && !xlaShapeIsDynamic(high, map[i]));
    if (a != b && !repeats) {
      int64_t l = swapped ? i : map[i], r = swapped ? map[i] : i;
      return xlaViewError(view, "broadcast",
                          "dimension %lld of lhs is %lld, dimension %lld of "
                          "rhs %lld",
                          (long long)l, (long long)lhs->dims[l], (long long)r,
                          (long long)rhs->dims[r]);
    }
    if (b == 1)
      result->dims[map[i]] = a;
    if (dynamic)
      xlaShapeSetDynamic(result, map[i], true);
  }
  int64_t count;
  if (!xlaShapeGetElementCount(result, &count))
    return xlaViewError(view, "broadcast", "the result %s is larger than 2^62",
                        XLA_SHAPE_TEXT(result));
  return mlirLogicalResultSuccess();
}

//===- alias.c - Operations that are others in short ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 000's Broadcast and Collapse are forms of broadcast_in_dim and reshape, which
// passes/expand/alias.c puts in their places before programs are compiled.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

/// The next dimension of the result is dimension `d` of the operand.
static void addDimension(XlaShape *result, const XlaShape *operand, int d) {
  xlaShapeSetDynamic(result, result->rank, xlaShapeIsDynamic(operand, d));
  result->dims[result->rank++] = operand->dims[d];
}

static MlirLogicalResult inferBroadcast(XlaOpView *view,
                                        const XlaShape *operand) {
  XlaI64List sizes;
  XlaShape result = {.elementType = operand->elementType};
  xlaViewGetList(view, "broadcast_sizes", &sizes);
  if (sizes.size + operand->rank > XLA_MAX_RANK)
    return xlaViewError(view, "broadcast_c2",
                        "adds %d dimensions to %d, arrays have at most %d",
                        sizes.size, operand->rank, XLA_MAX_RANK);
  for (int i = 0; i < sizes.size; ++i) {
    if (sizes.values[i] < 0)
      return xlaViewError(view, "broadcast_c1",
                          "broadcast_sizes[%d] is %lld, must not be negative",
                          i, (long long)sizes.values[i]);
    result.dims[result.rank++] = sizes.values[i];
  }
  for (int d = 0; d < operand->rank; ++d)
    addDimension(&result, operand, d);
  return xlaViewAppendChecked(view, "broadcast_c2", &result);
}

static MlirLogicalResult inferCollapse(XlaOpView *view,
                                       const XlaShape *operand) {
  XlaI64List list;
  XlaShape result = {.elementType = operand->elementType};
  xlaViewGetList(view, "dimensions", &list);
  for (int i = 0; i < list.size; ++i) {
    if (list.values[i] < 0 || list.values[i] >= operand->rank)
      return xlaViewError(view, "collapse_c1",
                          "dimensions[%d] is %lld, must be in [0, %d)", i,
                          (long long)list.values[i], operand->rank);
    if (i && list.values[i] != list.values[i - 1] + 1)
      return xlaViewError(view, "collapse_c2",
                          "dimensions %s are not consecutive and in order",
                          XLA_LIST_TEXT(list.values, list.size));
  }
  int first = list.size ? (int)list.values[0] : operand->rank;
  for (int d = 0; d < operand->rank; ++d) {
    if (d <= first || d >= first + list.size) {
      addDimension(&result, operand, d);
      continue;
    }
    int64_t *into = &result.dims[result.rank - 1];
    if (xlaShapeIsDynamic(operand, d))
      xlaShapeSetDynamic(&result, result.rank - 1, true);
    if (__builtin_mul_overflow(*into, operand->dims[d], into))
      return xlaViewError(view, "collapse_c3",
                          "the sizes of dimensions %s multiply to more than "
                          "2^63",
                          XLA_LIST_TEXT(list.values, list.size));
  }
  return xlaViewAppendChecked(view, "collapse_c3", &result);
}

MlirLogicalResult xlaAliasInfer(XlaOpView *view) {
  XlaShape operand;
  if (failed(xlaViewGetBounded(view, 0, &operand)))
    return failure();
  return view->kind == XlaOpKindCollapse ? inferCollapse(view, &operand)
                                         : inferBroadcast(view, &operand);
}

//===- top_k.c - The largest elements -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

MlirLogicalResult xlaTopKInfer(XlaOpView *view) {
  XlaShape shape;
  if (failed(xlaViewGetBounded(view, 0, &shape)))
    return failure();
  int64_t k = xlaViewGetI64(view, "k", 0);
  if (!shape.rank)
    return xlaViewError(view, "top_k_c1", "operand 0 is %s, a scalar",
                        XLA_SHAPE_TEXT(&shape));
  int64_t *last = &shape.dims[shape.rank - 1];
  if (k < 0 || k > *last)
    return xlaViewError(view, "top_k_c2",
                        "k is %lld, the last dimension of operand 0 has %lld "
                        "elements",
                        (long long)k, (long long)*last);
  *last = k;
  xlaShapeSetDynamic(&shape, shape.rank - 1, false);
  xlaViewAppendBounded(view, &shape);
  shape.elementType = XlaElementTypeS32;
  xlaViewAppendBounded(view, &shape);
  return success();
}

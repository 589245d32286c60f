//===- elementwise.c - Maps of elementwise operations ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"
#include "xlac/dialect/ops/broadcast.h"

/// Operands of lower rank are broadcast along dimensions, size 1 is repeated.
bool xlaElementwiseMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                       intptr_t operand, const XlaShape *shape,
                       XlaMapDraft *draft) {
  XlaI64List dimensions = {0};
  XlaShape to = {.rank = (int)draft->nDims};
  int64_t places[XLA_MAX_RANK];
  xlaOpGetList(op, "broadcast_dimensions", &dimensions);
  if (shape->rank == 0 || shape->rank > draft->nDims)
    return shape->rank == 0;
  xlaBroadcastGetMap(shape, &to, &dimensions, places);
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft,
                         shape->dims[i] == 1
                             ? mlirAffineConstantExprGet(draft->context, 0)
                             : xlaMapDraftDim(draft, places[i]));
  return true;
}

//===- dot.c - Maps of contractions ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/dot.h"
#include "xlac/dialect/indexing/draft.h"

/// Results have the batch dimensions, lhs's free ones, then rhs's.
bool xlaDotMap(MlirOperation op, XlaOpKind kind, intptr_t result,
               intptr_t operand, const XlaShape *shape, XlaMapDraft *draft) {
  XlaDotDimensions dims;
  MlirAffineExpr at[XLA_MAX_RANK] = {{NULL}};
  xlaDotGetDimensions(op, &dims);
  const XlaDotSide *side = operand ? &dims.rhs : &dims.lhs;
  intptr_t next = dims.lhs.batch.size + (operand ? dims.lhs.free.size : 0);
  for (int i = 0; i < side->batch.size; ++i)
    at[side->batch.values[i]] = xlaMapDraftDim(draft, i);
  for (int i = 0; i < side->free.size; ++i)
    at[side->free.values[i]] = xlaMapDraftDim(draft, next++);
  for (int i = 0; i < side->contracting.size; ++i)
    at[side->contracting.values[i]] =
        xlaMapDraftAddRange(draft, shape->dims[side->contracting.values[i]]);
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft, at[i]);
  return true;
}

//===- reduce.c - Maps of reductions --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"

/// Inputs are read along the reduced dimensions, init values everywhere; a map
/// reads one element of each operand.
bool xlaReduceMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                  intptr_t operand, const XlaShape *shape, XlaMapDraft *draft) {
  XlaI64List dims = {0};
  intptr_t nInputs = mlirOperationGetNumOperands(op) / 2, next = 0;
  if (kind == XlaOpKindReduce && operand >= nInputs)
    return true;
  if (kind == XlaOpKindReduce)
    xlaOpGetList(op, "dimensions", &dims);
  for (int i = 0; i < shape->rank; ++i) {
    bool isReduced = false;
    for (int k = 0; k < dims.size; ++k)
      isReduced |= dims.values[k] == i;
    xlaMapDraftAddResult(draft, isReduced
                                    ? xlaMapDraftAddRange(draft, shape->dims[i])
                                    : xlaMapDraftDim(draft, next++));
  }
  return true;
}

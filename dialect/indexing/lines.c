//===- lines.c - Maps of operations on whole lines ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"

/// Whether the comparator of a sort uses an element of operand `i`.
static bool isKey(MlirOperation op, intptr_t i) {
  if (mlirOperationGetNumRegions(op) == 0)
    return true;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  return mlirValueGetFirstUse(mlirBlockGetArgument(block, 2 * i)).ptr ||
         mlirValueGetFirstUse(mlirBlockGetArgument(block, 2 * i + 1)).ptr;
}

/// The elements of a result come from the line of its own operand; which of
/// them is up to the lines of those that the comparator looks at.
bool xlaSortMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                intptr_t operand, const XlaShape *shape, XlaMapDraft *draft) {
  int64_t dimension = xlaOpGetI64(op, "dimension", -1);
  dimension += dimension < 0 ? shape->rank : 0;
  draft->isUnread = operand != result && !isKey(op, operand);
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft, i == dimension
                                    ? xlaMapDraftAddRange(draft, shape->dims[i])
                                    : xlaMapDraftDim(draft, i));
  return true;
}

/// The elements up to the same place, or from there on.
bool xlaScanMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                intptr_t operand, const XlaShape *shape, XlaMapDraft *draft) {
  (void)kind;
  (void)result;
  (void)operand;
  int64_t dimension = xlaOpGetI64(op, "dimension", 0);
  int64_t least = xlaOpIsTrue(op, "reverse") ? -shape->dims[dimension] : 0;
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaMapDraftDim(draft, i);
    if (i == dimension) {
      MlirAffineExpr before = xlaMapDraftAddRange(draft, shape->dims[i]);
      xlaMapDraftConstrain(draft, xlaExprAdd(at, xlaExprScale(before, -1)),
                           least, least + shape->dims[dimension]);
      at = before;
    }
    xlaMapDraftAddResult(draft, at);
  }
  return true;
}

/// The last dimensions are transformed as a whole.
bool xlaFftMap(MlirOperation op, XlaOpKind kind, intptr_t result,
               intptr_t operand, const XlaShape *shape, XlaMapDraft *draft) {
  XlaI64List lengths;
  xlaOpGetList(op, "fft_length", &lengths);
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft,
                         i < shape->rank - lengths.size
                             ? xlaMapDraftDim(draft, i)
                             : xlaMapDraftAddRange(draft, shape->dims[i]));
  return true;
}

/// Numbers are drawn from whole states, and all of them lie in one range.
bool xlaRandomMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                  intptr_t operand, const XlaShape *shape, XlaMapDraft *draft) {
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft, xlaMapDraftAddRange(draft, shape->dims[i]));
  return true;
}

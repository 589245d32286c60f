//===- collective.c - Maps of operations between replicas -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which element of the operand is read, in whichever replica of the group it
// is. Where that depends on the replica that reads it is a runtime variable:
// its number in the group.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"

static MlirAffineExpr addMember(XlaMapDraft *draft, int64_t nMembers) {
  return xlaMapDraftAddRuntime(draft, nMembers - 1, (MlirValue){NULL}, 0, NULL);
}

/// The parts of all replicas lie one behind the other.
static void mapAllGather(MlirOperation op, const XlaShape *shape,
                         XlaMapDraft *draft) {
  int64_t dimension = xlaOpGetI64(op, "all_gather_dim", 0);
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaMapDraftDim(draft, i);
    xlaMapDraftAddResult(
        draft, i == dimension ? xlaExprModulo(at, shape->dims[i]) : at);
  }
}

/// Each replica keeps its part.
static void mapReduceScatter(MlirOperation op, const XlaShape *shape,
                             XlaMapDraft *draft) {
  int64_t dimension = xlaOpGetI64(op, "scatter_dimension", 0);
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaMapDraftDim(draft, i);
    int64_t part = draft->dims[i].upper + 1;
    if (i == dimension)
      at = xlaExprAdd(
          at, xlaExprScale(addMember(draft, shape->dims[i] / part), part));
    xlaMapDraftAddResult(draft, at);
  }
}

/// Each replica gets its part of the others' operands.
static void mapAllToAll(MlirOperation op, const XlaShape *shape,
                        XlaMapDraft *draft) {
  int64_t split = xlaOpGetI64(op, "split_dimension", 0),
          concat = xlaOpGetI64(op, "concat_dimension", 0),
          count = xlaOpGetI64(op, "split_count", 1);
  for (int i = 0; i < shape->rank; ++i) {
    MlirAffineExpr at = xlaMapDraftDim(draft, i);
    int64_t part = i == split ? shape->dims[i] / count : shape->dims[i];
    if (i == concat)
      at = xlaExprModulo(at, part);
    if (i == split)
      at = xlaExprAdd(at, xlaExprScale(addMember(draft, count), part));
    xlaMapDraftAddResult(draft, at);
  }
}

bool xlaCollectiveMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                      intptr_t operand, const XlaShape *shape,
                      XlaMapDraft *draft) {
  draft->isUnread = operand != result;
  if (kind == XlaOpKindAllGather)
    mapAllGather(op, shape, draft);
  else if (kind == XlaOpKindReduceScatter)
    mapReduceScatter(op, shape, draft);
  else if (kind == XlaOpKindAllToAll)
    mapAllToAll(op, shape, draft);
  else
    for (int i = 0; i < shape->rank; ++i)
      xlaMapDraftAddResult(draft, xlaMapDraftDim(draft, i));
  return true;
}

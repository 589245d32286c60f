//===- dot.c - Dot products -----------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/dot.h"

#include "xlac/dialect/family.h"
#include "xlac/dialect/ops/products.h"
#include "xlac/dialect/result_internal.h"

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

static bool contains(const XlaI64List *list, int64_t value) {
  for (int i = 0; i < list->size; ++i)
    if (list->values[i] == value)
      return true;
  return false;
}

static void findFree(XlaDotSide *side, int rank) {
  side->free.size = 0;
  for (int d = 0; d < rank; ++d)
    if (!contains(&side->batch, d) && !contains(&side->contracting, d))
      side->free.values[side->free.size++] = d;
}

/// The dimensions that xla.dot means, for ranks of 1 or more.
static void setImplicit(XlaDotDimensions *d, int lhsRank, int rhsRank) {
  d->lhs.batch.size = d->rhs.batch.size = 0;
  d->lhs.contracting.size = d->rhs.contracting.size = 1;
  d->lhs.contracting.values[0] = lhsRank - 1;
  d->rhs.contracting.values[0] = rhsRank > 1 ? rhsRank - 2 : 0;
}

void xlaDotGetDimensions(MlirOperation op, XlaDotDimensions *d) {
  XlaShape lhs, rhs;
  xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                          &lhs, NULL);
  xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, 1)),
                          &rhs, NULL);
  if (xlaOpGetKind(op) == XlaOpKindDot) {
    setImplicit(d, lhs.rank, rhs.rank);
  } else {
    xlaOpGetList(op, "lhs_batching_dimensions", &d->lhs.batch);
    xlaOpGetList(op, "rhs_batching_dimensions", &d->rhs.batch);
    xlaOpGetList(op, "lhs_contracting_dimensions", &d->lhs.contracting);
    xlaOpGetList(op, "rhs_contracting_dimensions", &d->rhs.contracting);
  }
  findFree(&d->lhs, lhs.rank);
  findFree(&d->rhs, rhs.rank);
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// Entries in range, and none twice in batching and contracting together.
static MlirLogicalResult checkSide(const XlaOpView *view, const char *name,
                                   const XlaDotSide *side, int rank,
                                   const char *batchLabel,
                                   const char *contractLabel,
                                   const char *uniqueLabel) {
  const XlaI64List *lists[] = {&side->batch, &side->contracting};
  const char *words[] = {"batching", "contracting"};
  uint32_t seen = 0;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < lists[k]->size; ++i) {
      int64_t d = lists[k]->values[i];
      if (d < 0 || d >= rank)
        return xlaViewError(view, k ? contractLabel : batchLabel,
                            "%s_%s_dimensions has %lld, %s has rank %d", name,
                            words[k], (long long)d, name, rank);
      if (seen >> d & 1)
        return xlaViewError(
            view, uniqueLabel,
            "dimension %lld of %s is listed twice: batching "
            "%s, contracting %s",
            (long long)d, name,
            XLA_LIST_TEXT(side->batch.values, side->batch.size),
            XLA_LIST_TEXT(side->contracting.values, side->contracting.size));
      seen |= 1u << d;
    }
  return success();
}

/// Paired dimensions have the same size.
static MlirLogicalResult checkPairs(const XlaOpView *view, const char *word,
                                    const char *label, const XlaI64List *a,
                                    const XlaShape *lhs, const XlaI64List *b,
                                    const XlaShape *rhs) {
  for (int i = 0; i < a->size; ++i)
    if (lhs->dims[a->values[i]] != rhs->dims[b->values[i]])
      return xlaViewError(
          view, label,
          "%s dimension %lld of lhs is %lld, dimension %lld of "
          "rhs %lld",
          word, (long long)a->values[i], (long long)lhs->dims[a->values[i]],
          (long long)b->values[i], (long long)rhs->dims[b->values[i]]);
  return success();
}

static MlirLogicalResult checkGeneral(const XlaOpView *view,
                                      XlaDotDimensions *d, const XlaShape *lhs,
                                      const XlaShape *rhs) {
  xlaViewGetList(view, "lhs_batching_dimensions", &d->lhs.batch);
  xlaViewGetList(view, "rhs_batching_dimensions", &d->rhs.batch);
  xlaViewGetList(view, "lhs_contracting_dimensions", &d->lhs.contracting);
  xlaViewGetList(view, "rhs_contracting_dimensions", &d->rhs.contracting);
  if (d->lhs.batch.size != d->rhs.batch.size)
    return xlaViewError(view, "dot_general_c1",
                        "lhs has %d batching dimensions, rhs %d",
                        d->lhs.batch.size, d->rhs.batch.size);
  if (d->lhs.contracting.size != d->rhs.contracting.size)
    return xlaViewError(view, "dot_general_c2",
                        "lhs has %d contracting dimensions, rhs %d",
                        d->lhs.contracting.size, d->rhs.contracting.size);
  if (failed(xlaProductsCheckPrecision(view, "dot_general_c11")))
    return failure();
  if (failed(checkSide(view, "lhs", &d->lhs, lhs->rank, "dot_general_c5",
                       "dot_general_c6", "dot_general_c3")) ||
      failed(checkSide(view, "rhs", &d->rhs, rhs->rank, "dot_general_c7",
                       "dot_general_c8", "dot_general_c4")) ||
      failed(checkPairs(view, "batching", "dot_general_c9", &d->lhs.batch, lhs,
                        &d->rhs.batch, rhs)))
    return failure();
  return checkPairs(view, "contracting", "dot_general_c10", &d->lhs.contracting,
                    lhs, &d->rhs.contracting, rhs);
}

static MlirLogicalResult checkDot(const XlaOpView *view, XlaDotDimensions *d,
                                  const XlaShape *lhs, const XlaShape *rhs) {
  if (failed(xlaProductsCheckPrecision(view, "dot_c4")))
    return failure();
  if (!lhs->rank || !rhs->rank)
    return xlaViewError(view, "dot_c1",
                        "contracts %s with %s: both need a dimension",
                        XLA_SHAPE_TEXT(lhs), XLA_SHAPE_TEXT(rhs));
  setImplicit(d, lhs->rank, rhs->rank);
  return checkPairs(view, "contracting", "dot_c2", &d->lhs.contracting, lhs,
                    &d->rhs.contracting, rhs);
}

/// Dimension `n` of the result is dimension `d` of an operand.
static void addDimension(XlaShape *result, int n, const XlaShape *operand,
                         int64_t d) {
  result->dims[n] = operand->dims[d];
  if (xlaShapeIsDynamic(operand, d))
    xlaShapeSetDynamic(result, n, true);
}

MlirLogicalResult xlaDotInfer(XlaOpView *view) {
  XlaShape lhs, rhs, result;
  XlaDotDimensions d;
  if (failed(xlaViewGetBounded(view, 0, &lhs)) ||
      failed(xlaViewGetBounded(view, 1, &rhs)) ||
      failed(view->kind == XlaOpKindDot ? checkDot(view, &d, &lhs, &rhs)
                                        : checkGeneral(view, &d, &lhs, &rhs)))
    return failure();
  // A builder that states no result gets lhs's element type.
  result.elementType = lhs.elementType;
  if (view->nStatedResults) {
    XlaShape stated;
    if (failed(xlaViewGetStatedBounded(view, 0, &stated)))
      return failure();
    result.elementType = stated.elementType;
  }
  if (failed(xlaProductsCheck(
          view, view->kind == XlaOpKindDot ? "dot_c3" : "dot_general_c13", &lhs,
          &rhs, result.elementType)))
    return failure();
  findFree(&d.lhs, lhs.rank);
  findFree(&d.rhs, rhs.rank);
  result.rank = d.lhs.batch.size + d.lhs.free.size + d.rhs.free.size;
  if (result.rank > XLA_MAX_RANK)
    return xlaViewError(view, NULL, "has a result of rank %d, the most is %d",
                        result.rank, XLA_MAX_RANK);
  int n = 0;
  result.dynamic = 0;
  for (int i = 0; i < d.lhs.batch.size; ++i) {
    addDimension(&result, n, &lhs, d.lhs.batch.values[i]);
    addDimension(&result, n++, &rhs, d.rhs.batch.values[i]);
  }
  for (int i = 0; i < d.lhs.free.size; ++i)
    addDimension(&result, n++, &lhs, d.lhs.free.values[i]);
  for (int i = 0; i < d.rhs.free.size; ++i)
    addDimension(&result, n++, &rhs, d.rhs.free.values[i]);
  return xlaViewAppendChecked(view, NULL, &result);
}

//===- dot.c - Dot products, evaluated ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/dot.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/products.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

/// Walks result positions in the outer loop and contracted ones in the inner.
typedef struct Walk {
  int rank; // of the result
  int64_t dims[XLA_MAX_RANK], index[XLA_MAX_RANK];
  int64_t strides[2][XLA_MAX_RANK]; // 0 where a side lacks it
  int nContracted;
  int64_t contracted[XLA_MAX_RANK];
  int64_t contractedStrides[2][XLA_MAX_RANK];
  int64_t terms; // of one sum
} Walk;

static void getStrides(const XlaShape *shape, int64_t *strides) {
  int64_t stride = 1;
  for (int d = shape->rank - 1; d >= 0; --d) {
    strides[d] = stride;
    stride *= shape->dims[d] ? shape->dims[d] : 1;
  }
}

static void initWalk(Walk *walk, const XlaDotDimensions *d, const XlaShape *lhs,
                     const XlaShape *rhs, const XlaShape *result) {
  int64_t left[XLA_MAX_RANK], right[XLA_MAX_RANK];
  getStrides(lhs, left);
  getStrides(rhs, right);
  memset(walk, 0, sizeof *walk);
  walk->rank = result->rank;
  memcpy(walk->dims, result->dims, sizeof walk->dims);
  int n = 0;
  for (int i = 0; i < d->lhs.batch.size; ++i, ++n) {
    walk->strides[0][n] = left[d->lhs.batch.values[i]];
    walk->strides[1][n] = right[d->rhs.batch.values[i]];
  }
  for (int i = 0; i < d->lhs.free.size; ++i)
    walk->strides[0][n++] = left[d->lhs.free.values[i]];
  for (int i = 0; i < d->rhs.free.size; ++i)
    walk->strides[1][n++] = right[d->rhs.free.values[i]];
  XlaShape contracted = {.elementType = result->elementType};
  contracted.rank = walk->nContracted = d->lhs.contracting.size;
  for (int i = 0; i < walk->nContracted; ++i) {
    int64_t l = d->lhs.contracting.values[i], r = d->rhs.contracting.values[i];
    contracted.dims[i] = walk->contracted[i] = lhs->dims[l];
    walk->contractedStrides[0][i] = left[l];
    walk->contractedStrides[1][i] = right[r];
  }
  xlaShapeGetElementCount(&contracted, &walk->terms);
}

/// One element of the result. The last contracted dimension is the run.
static XlaScalar contract(const Walk *walk, XlaProducts products,
                          const void *lhs, int64_t lhsAt, const void *rhs,
                          int64_t rhsAt) {
  XlaScalar sum = {.f = {0, 0}};
  if (!walk->terms)
    return sum;
  int outer = walk->nContracted ? walk->nContracted - 1 : 0;
  int64_t run = walk->nContracted ? walk->contracted[outer] : 1;
  int64_t index[XLA_MAX_RANK] = {0};
  do {
    int64_t l = lhsAt, r = rhsAt;
    for (int i = 0; i < outer; ++i) {
      l += index[i] * walk->contractedStrides[0][i];
      r += index[i] * walk->contractedStrides[1][i];
    }
    xlaProductsAdd(products, &sum, run, lhs, l,
                   walk->contractedStrides[0][outer], rhs, r,
                   walk->contractedStrides[1][outer]);
  } while (xlaIndexNext(index, walk->contracted, outer));
  return sum;
}

static MlirLogicalResult contractAll(XlaEvaluator *evaluator, MlirOperation op,
                                     Walk *walk, XlaProducts products,
                                     const void *lhs, const void *rhs,
                                     XlaLiteral *result) {
  for (int64_t i = 0, n = xlaLiteralGetElementCount(result); i < n; ++i) {
    int64_t l = 0, r = 0;
    for (int k = 0; k < walk->rank; ++k) {
      l += walk->index[k] * walk->strides[0][k];
      r += walk->index[k] * walk->strides[1][k];
    }
    if (failed(xlaEvaluatorStep(evaluator, op, walk->terms)))
      return failure();
    // The sum of a pred result counts the terms that hold; any gives true.
    xlaLiteralSet(result, i, contract(walk, products, lhs, l, rhs, r));
    xlaIndexNext(walk->index, walk->dims, walk->rank);
  }
  return success();
}

MlirLogicalResult xlaDotEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                 XlaOpKind kind,
                                 const XlaLiteral *const *operands,
                                 XlaLiteral **results) {
  (void)kind;
  XlaDotDimensions dimensions;
  Walk walk;
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!results[0])
    return failure();
  const XlaShape *shape = xlaLiteralGetShape(results[0]);
  XlaProducts products = xlaProductsOf(shape->elementType);
  xlaDotGetDimensions(op, &dimensions);
  initWalk(&walk, &dimensions, xlaLiteralGetShape(operands[0]),
           xlaLiteralGetShape(operands[1]), shape);
  XlaLiteral *lhs = xlaProductsDecode(evaluator, op, products, operands[0]);
  XlaLiteral *rhs =
      lhs ? xlaProductsDecode(evaluator, op, products, operands[1]) : NULL;
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (rhs)
    result = contractAll(evaluator, op, &walk, products, xlaLiteralGetData(lhs),
                         xlaLiteralGetData(rhs), results[0]);
  xlaLiteralRelease(lhs);
  xlaLiteralRelease(rhs);
  return result;
}

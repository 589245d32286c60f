//===- sort.c - Sorting by a comparator, evaluated ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A merge sort of positions: stable, n log n comparisons, and safe whatever the
// comparator answers. Without one the operand ascends, floats in total order.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/region.h"
#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>

typedef struct Sort {
  XlaEvaluator *evaluator;
  MlirOperation op;
  intptr_t n;
  const XlaLiteral *const *operands;
  XlaScalarRegion *body; // NULL: the older form
  XlaScalar *args;
  XlaElementType type;  // of operand 0
  int64_t size;         // of the dimension
  int64_t base, stride; // of the line that is being sorted
} Sort;

/// Whether the element at position `a` of the line is to be before that at `b`.
static MlirLogicalResult isBefore(Sort *sort, int64_t a, int64_t b,
                                  bool *before) {
  a = sort->base + a * sort->stride;
  b = sort->base + b * sort->stride;
  for (intptr_t i = 0; i < sort->n; ++i) {
    sort->args[2 * i] = xlaLiteralGet(sort->operands[i], a);
    sort->args[2 * i + 1] = xlaLiteralGet(sort->operands[i], b);
  }
  if (sort->body) {
    XlaScalar answer;
    MlirLogicalResult result =
        xlaScalarRegionRun(sort->body, sort->args, &answer);
    *before = !failed(result) && answer.u;
    return result;
  }
  *before = xlaScalarCompare(XlaComparisonLt, true, sort->type, sort->args[0],
                             sort->args[1]);
  return xlaEvaluatorStep(sort->evaluator, sort->op, 1);
}

/// Merges from[low, middle) and from[middle, high) into to[low, high). Of equal
/// ones those from the left come first.
static MlirLogicalResult merge(Sort *sort, const int64_t *from, int64_t *to,
                               int64_t low, int64_t middle, int64_t high) {
  int64_t left = low, right = middle, at = low;
  while (left < middle && right < high) {
    bool before;
    if (failed(isBefore(sort, from[right], from[left], &before)))
      return failure();
    to[at++] = before ? from[right++] : from[left++];
  }
  while (left < middle)
    to[at++] = from[left++];
  while (right < high)
    to[at++] = from[right++];
  return success();
}

/// Sorts the positions of a line, in `*order`, with as much space in `*spare`;
/// the two may change places.
static MlirLogicalResult sortLine(Sort *sort, int64_t **order,
                                  int64_t **spare) {
  int64_t size = sort->size;
  for (int64_t i = 0; i < size; ++i)
    (*order)[i] = i;
  for (int64_t width = 1; width < size; width *= 2) {
    for (int64_t low = 0; low < size; low += 2 * width) {
      int64_t middle = size - low > width ? low + width : size;
      int64_t high = size - middle > width ? middle + width : size;
      if (failed(merge(sort, *order, *spare, low, middle, high)))
        return failure();
    }
    int64_t *sorted = *spare;
    *spare = *order;
    *order = sorted;
  }
  return success();
}

static MlirLogicalResult sortLines(Sort *sort, int64_t *order, int64_t *spare,
                                   XlaLiteral **results) {
  int64_t count = xlaLiteralGetElementCount(results[0]);
  int64_t block = sort->size * sort->stride;
  for (int64_t line = 0; line < count / sort->size; ++line) {
    sort->base = line / sort->stride * block + line % sort->stride;
    if (failed(sortLine(sort, &order, &spare)))
      return failure();
    for (intptr_t i = 0; i < sort->n; ++i)
      for (int64_t k = 0; k < sort->size; ++k)
        xlaLiteralCopyElement(results[i], sort->base + k * sort->stride,
                              sort->operands[i],
                              sort->base + order[k] * sort->stride);
  }
  return success();
}

static MlirLogicalResult sortAll(Sort *sort, XlaLiteral **results) {
  MlirLogicalResult result = failure();
  XlaShape positions = {
      .elementType = XlaElementTypeS64, .rank = 1, .dims = {sort->size}};
  XlaLiteral *order =
      xlaEvaluatorCreateArray(sort->evaluator, sort->op, &positions);
  XlaLiteral *spare =
      order ? xlaEvaluatorCreateArray(sort->evaluator, sort->op, &positions)
            : NULL;
  if (spare)
    result = sortLines(sort, xlaLiteralGetMutableData(order),
                       xlaLiteralGetMutableData(spare), results);
  xlaLiteralRelease(order);
  xlaLiteralRelease(spare);
  return result;
}

MlirLogicalResult xlaSortEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                  XlaOpKind kind,
                                  const XlaLiteral *const *operands,
                                  XlaLiteral **results) {
  (void)kind;
  const XlaShape *shape = xlaLiteralGetShape(operands[0]);
  int64_t dimension = xlaOpGetI64(op, "dimension", -1);
  dimension += dimension < 0 ? shape->rank : 0;
  Sort sort = {.evaluator = evaluator,
               .op = op,
               .n = mlirOperationGetNumOperands(op),
               .operands = operands,
               .type = shape->elementType,
               .size = shape->dims[dimension],
               .stride = 1};
  for (intptr_t i = 0; i < sort.n; ++i) {
    results[i] = xlaEvaluatorCreateResult(evaluator, op, i);
    if (!results[i])
      return failure();
  }
  if (!xlaLiteralGetElementCount(results[0]))
    return success();
  for (int d = (int)dimension + 1; d < shape->rank; ++d)
    sort.stride *= shape->dims[d];
  sort.args = calloc((size_t)(2 * sort.n), sizeof *sort.args);
  if (!sort.args)
    return xlaOpNoMemory(op);
  bool compares = mlirOperationGetNumRegions(op) != 0;
  if (compares)
    sort.body = xlaScalarRegionCreate(evaluator, op, 0, NULL);
  MlirLogicalResult result =
      compares && !sort.body ? failure() : sortAll(&sort, results);
  xlaScalarRegionDestroy(sort.body);
  free(sort.args);
  return result;
}

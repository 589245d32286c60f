//===- scan.c - Scans by a computation, evaluated -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/region.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>

/// A scan in progress: `size` elements of a line, `stride` apart.
typedef struct Scan {
  intptr_t n;
  const XlaLiteral *const *operands;
  XlaLiteral **results;
  XlaScalarRegion *body;
  XlaScalar *args; ///< 2 n, what the body takes
  int64_t size, stride;
  bool isReverse;
} Scan;

/// The line whose first element is at `base`.
static MlirLogicalResult scanLine(Scan *scan, int64_t base) {
  intptr_t n = scan->n;
  // What has been combined so far comes first, unless that lies behind.
  XlaScalar *sums = scan->args + (scan->isReverse ? n : 0);
  XlaScalar *elements = scan->args + (scan->isReverse ? 0 : n);
  for (int64_t k = 0; k < scan->size; ++k) {
    int64_t at =
        base + (scan->isReverse ? scan->size - 1 - k : k) * scan->stride;
    for (intptr_t i = 0; i < n; ++i)
      (k ? elements : sums)[i] = xlaLiteralGet(scan->operands[i], at);
    if (k && failed(xlaScalarRegionRun(scan->body, scan->args, sums)))
      return failure();
    for (intptr_t i = 0; i < n; ++i)
      xlaLiteralSet(scan->results[i], at, sums[i]);
  }
  return success();
}

static MlirLogicalResult scanAll(Scan *scan) {
  int64_t count = xlaLiteralGetElementCount(scan->results[0]);
  for (int64_t at = 0; at < count; ++at)
    if (at / scan->stride % scan->size == 0 && failed(scanLine(scan, at)))
      return failure();
  return success();
}

MlirLogicalResult xlaScanEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                  XlaOpKind kind,
                                  const XlaLiteral *const *operands,
                                  XlaLiteral **results) {
  (void)kind;
  const XlaShape *shape = xlaLiteralGetShape(operands[0]);
  int dimension = (int)xlaOpGetI64(op, "dimension", 0);
  Scan scan = {.n = mlirOperationGetNumOperands(op),
               .operands = operands,
               .results = results,
               .size = shape->dims[dimension],
               .stride = 1,
               .isReverse = xlaOpIsTrue(op, "reverse")};
  for (int d = dimension + 1; d < shape->rank; ++d)
    scan.stride *= shape->dims[d];
  for (intptr_t i = 0; i < scan.n; ++i) {
    results[i] = xlaEvaluatorCreateResult(evaluator, op, i);
    if (!results[i])
      return failure();
  }
  scan.args = calloc((size_t)(2 * scan.n), sizeof *scan.args);
  if (!scan.args)
    return xlaOpNoMemory(op);
  scan.body = xlaScalarRegionCreate(evaluator, op, 0, NULL);
  MlirLogicalResult result = scan.body ? scanAll(&scan) : failure();
  xlaScalarRegionDestroy(scan.body);
  free(scan.args);
  return result;
}

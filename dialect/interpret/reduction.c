//===- reduction.c - Accumulation by a region -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/reduction.h"

#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/dialect/result_internal.h"

#include <stdlib.h>
#include <string.h>

/// Element `at` of an operand as the body takes it for argument `argument`.
static XlaScalar read(const XlaReduction *reduction, intptr_t operand,
                      int64_t at, intptr_t argument) {
  return xlaScalarRead(
      reduction->operands[operand], at,
      xlaScalarRegionGetArgumentType(reduction->body, argument));
}

MlirLogicalResult xlaReductionInit(XlaReduction *reduction,
                                   XlaEvaluator *evaluator, MlirOperation op,
                                   const XlaLiteral *const *operands,
                                   XlaLiteral **results) {
  intptr_t n = mlirOperationGetNumOperands(op) / 2;
  *reduction = (XlaReduction){.n = n, .operands = operands};
  for (intptr_t i = 0; i < n; ++i) {
    results[i] = xlaEvaluatorCreateResult(evaluator, op, i);
    if (!results[i])
      return failure();
  }
  reduction->values = calloc((size_t)(3 * n), sizeof *reduction->values);
  if (!reduction->values)
    return xlaOpNoMemory(op);
  reduction->inits = reduction->values + 2 * n;
  reduction->body = xlaScalarRegionCreate(evaluator, op, 0, NULL);
  if (!reduction->body)
    return failure();
  for (intptr_t i = 0; i < n; ++i)
    reduction->inits[i] = read(reduction, n + i, 0, i);
  return success();
}

void xlaReductionClear(XlaReduction *reduction) {
  xlaScalarRegionDestroy(reduction->body);
  free(reduction->values);
}

void xlaReductionStart(XlaReduction *reduction) {
  memcpy(reduction->values, reduction->inits,
         (size_t)reduction->n * sizeof *reduction->values);
}

MlirLogicalResult xlaReductionAdd(XlaReduction *reduction, int64_t at) {
  intptr_t n = reduction->n;
  for (intptr_t i = 0; i < n; ++i)
    reduction->values[n + i] =
        at < 0 ? reduction->inits[i] : read(reduction, i, at, n + i);
  return xlaScalarRegionRun(reduction->body, reduction->values,
                            reduction->values);
}

void xlaReductionStore(const XlaReduction *reduction, XlaLiteral **results,
                       int64_t at) {
  for (intptr_t i = 0; i < reduction->n; ++i)
    xlaLiteralSet(results[i], at, reduction->values[i]);
}

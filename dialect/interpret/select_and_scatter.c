//===- select_and_scatter.c - Scattering to selected elements, evaluated --===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/select_and_scatter.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/region.h"
#include "xlac/dialect/interpret/scalar/scalar.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/dialect/result_internal.h"

typedef struct Run {
  XlaWindow window;
  int64_t strides[XLA_MAX_RANK]; // of operand and result
  const XlaLiteral *operand, *source;
  XlaScalarRegion *select, *scatter;
  XlaLiteral *result;
} Run;

/// Finds the element that wins against all others of a window: `select` is
/// asked with the one so far and each that follows it. -1 if the window lies in
/// padding.
static MlirLogicalResult selectOne(const Run *run, const int64_t *position,
                                   int64_t *selected) {
  int64_t index[XLA_MAX_RANK] = {0};
  *selected = -1;
  do {
    XlaScalar pair[2], keep;
    int64_t at = xlaWindowOffset(&run->window, position, index, run->strides);
    if (at < 0)
      continue;
    if (*selected < 0) {
      *selected = at;
      continue;
    }
    pair[0] = xlaLiteralGet(run->operand, *selected);
    pair[1] = xlaLiteralGet(run->operand, at);
    if (failed(xlaScalarRegionRun(run->select, pair, &keep)))
      return failure();
    if (!keep.u)
      *selected = at;
  } while (xlaIndexNext(index, run->window.sizes, run->window.rank));
  return success();
}

static MlirLogicalResult scatterAll(const Run *run) {
  int64_t position[XLA_MAX_RANK] = {0};
  XlaElementType type = xlaLiteralGetShape(run->result)->elementType;
  for (int64_t i = 0, n = xlaLiteralGetElementCount(run->source); i < n; ++i) {
    int64_t at;
    if (failed(selectOne(run, position, &at)))
      return failure();
    if (at >= 0) {
      XlaScalar pair[2] = {xlaLiteralGet(run->result, at),
                           xlaScalarRead(run->source, i, type)};
      if (failed(xlaScalarRegionRun(run->scatter, pair, pair)))
        return failure();
      xlaLiteralSet(run->result, at, pair[0]);
    }
    xlaIndexNext(position, run->window.counts, run->window.rank);
  }
  return success();
}

MlirLogicalResult xlaSelectAndScatterEvaluate(XlaEvaluator *evaluator,
                                              MlirOperation op, XlaOpKind kind,
                                              const XlaLiteral *const *operands,
                                              XlaLiteral **results) {
  (void)kind;
  const XlaShape *shape = xlaLiteralGetShape(operands[0]);
  Run run = {.operand = operands[0], .source = operands[1]};
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!results[0])
    return failure();
  run.result = results[0];
  XlaScalar init = xlaScalarRead(operands[2], 0,
                                 xlaLiteralGetShape(run.result)->elementType);
  for (int64_t i = 0, n = xlaLiteralGetElementCount(run.result); i < n; ++i)
    xlaLiteralSet(run.result, i, init);
  xlaWindowSetBase(&run.window, shape);
  xlaWindowRead(op, &xlaSelectAndScatterForm, &run.window);
  xlaStridesInit(shape, run.strides);
  run.select = xlaScalarRegionCreate(evaluator, op, xlaSelectRegion, NULL);
  if (run.select)
    run.scatter = xlaScalarRegionCreate(evaluator, op, xlaScatterRegion, NULL);
  MlirLogicalResult result =
      run.scatter ? scatterAll(&run) : mlirLogicalResultFailure();
  xlaScalarRegionDestroy(run.select);
  xlaScalarRegionDestroy(run.scatter);
  return result;
}

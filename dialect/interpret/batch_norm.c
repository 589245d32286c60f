//===- batch_norm.c - Batch normalization, evaluated ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification 000, BatchNormTraining, BatchNormInference and BatchNormGrad.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>

/// An array as [outer, features, inner].
typedef struct Run {
  int64_t outer, features, inner;
  double epsilon;
  const XlaLiteral *const *operands;
  XlaLiteral **results;
} Run;

static double get(const XlaLiteral *literal, int64_t at) {
  return xlaLiteralGet(literal, at).f.re;
}

static void set(XlaLiteral *literal, int64_t at, double value) {
  xlaLiteralSet(literal, at, (XlaScalar){.f = {value, 0}});
}

/// `at` runs over the elements of a feature.
#define FOR_EACH_OF_FEATURE(run, f, at)                                        \
  for (int64_t o_ = 0; o_ < (run)->outer; ++o_)                                \
    for (int64_t i_ = 0, at; i_ < (run)->inner; ++i_)                          \
      if (at = (o_ * (run)->features + (f)) * (run)->inner + i_, true)

static void normalize(const Run *run, int64_t f, double mean, double variance) {
  double scale = get(run->operands[1], f) / sqrt(variance + run->epsilon);
  double offset = get(run->operands[2], f);
  FOR_EACH_OF_FEATURE(run, f, at)
  set(run->results[0], at, (get(run->operands[0], at) - mean) * scale + offset);
}

static void train(const Run *run, int64_t f) {
  double n = (double)(run->outer * run->inner), mean = 0, variance = 0;
  FOR_EACH_OF_FEATURE(run, f, at)
  mean += get(run->operands[0], at);
  mean /= n;
  FOR_EACH_OF_FEATURE(run, f, at) {
    double d = get(run->operands[0], at) - mean;
    variance += d * d;
  }
  variance /= n;
  normalize(run, f, mean, variance);
  set(run->results[1], f, mean);
  set(run->results[2], f, variance);
}

/// c and d are those of the specification's formulas, times the count.
static void differentiate(const Run *run, int64_t f) {
  const XlaLiteral *x = run->operands[0], *grad = run->operands[4];
  double n = (double)(run->outer * run->inner), c = 0, d = 0;
  double scale = get(run->operands[1], f), mean = get(run->operands[2], f);
  double variance = get(run->operands[3], f) + run->epsilon;
  FOR_EACH_OF_FEATURE(run, f, at) {
    c += get(grad, at) * (get(x, at) - mean);
    d += get(grad, at);
  }
  FOR_EACH_OF_FEATURE(run, f, at)
  set(run->results[0], at,
      scale / sqrt(variance) *
          (get(grad, at) - d / n - c / variance / n * (get(x, at) - mean)));
  set(run->results[1], f, c / sqrt(variance));
  set(run->results[2], f, d);
}

MlirLogicalResult xlaBatchNormEvaluate(XlaEvaluator *evaluator,
                                       MlirOperation op, XlaOpKind kind,
                                       const XlaLiteral *const *operands,
                                       XlaLiteral **results) {
  const XlaShape *shape = xlaLiteralGetShape(operands[0]);
  int64_t feature = xlaOpGetI64(op, "feature_index", 0);
  // The specification's epsilon is an f32.
  Run run = {.outer = 1,
             .features = shape->dims[feature],
             .inner = 1,
             .epsilon = (float)mlirFloatAttrGetValueDouble(
                 xlaOpGetAttr(op, "epsilon")),
             .operands = operands,
             .results = results};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    results[i] = xlaEvaluatorCreateResult(evaluator, op, i);
    if (!results[i])
      return failure();
  }
  // The sizes of an array without elements need not have a product.
  bool empty = !xlaLiteralGetElementCount(operands[0]);
  for (int d = 0; d < shape->rank && !empty; ++d)
    if (d != feature)
      *(d < feature ? &run.outer : &run.inner) *= shape->dims[d];
  if (empty)
    run.outer = run.inner = 0;
  for (int64_t f = 0; f < run.features; ++f) {
    if (kind == XlaOpKindBatchNormTraining)
      train(&run, f);
    else if (kind == XlaOpKindBatchNormInference)
      normalize(&run, f, get(operands[3], f), get(operands[4], f));
    else
      differentiate(&run, f);
    if (failed(xlaEvaluatorStep(evaluator, op, run.outer * run.inner)))
      return failure();
  }
  return success();
}

//===- batch_norm.c - Batch normalization ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification 000, BatchNormTraining, BatchNormInference and BatchNormGrad.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/ops/family.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// What the operations call their operands, and their rules: of the feature's
/// index, of the element types, and of an operand's sizes.
typedef struct Form {
  int nOperands;
  const char *operands[5]; // the first has all dimensions
  const char *indexLabel, *typeLabel;
  const char *sizeLabels[5]; // by operand
} Form;

static const Form trainingForm = {
    3,
    {"operand", "scale", "offset"},
    "batch_norm_training_c1",
    "batch_norm_training_c2",
    {NULL, "batch_norm_training_c3", "batch_norm_training_c4"}};
static const Form inferenceForm = {
    5,
    {"operand", "scale", "offset", "mean", "variance"},
    "batch_norm_inference_c1",
    "batch_norm_inference_c2",
    {NULL, "batch_norm_inference_c3", "batch_norm_inference_c4",
     "batch_norm_inference_c5", "batch_norm_inference_c6"}};
static const Form gradForm = {
    5,
    {"operand", "scale", "mean", "variance", "grad_output"},
    "batch_norm_grad_c1",
    "batch_norm_grad_c2",
    {NULL, "batch_norm_grad_c5", "batch_norm_grad_c4", "batch_norm_grad_c4",
     "batch_norm_grad_c3"}};

static const Form *formOf(XlaOpKind kind) {
  return kind == XlaOpKindBatchNormTraining    ? &trainingForm
         : kind == XlaOpKindBatchNormInference ? &inferenceForm
                                               : &gradForm;
}

/// Operand `i` has the shape of the first, or its features.
static MlirLogicalResult checkOperand(const XlaOpView *view, const Form *form,
                                      int i, const XlaShape *first,
                                      int64_t feature) {
  XlaShape shape;
  bool whole = view->kind == XlaOpKindBatchNormGrad && i == 4;
  if (failed(xlaViewGetBounded(view, i, &shape)))
    return failure();
  if (shape.elementType != first->elementType)
    return xlaViewError(view, form->typeLabel,
                        "%s is %s, operand %s: the element types must be the "
                        "same",
                        form->operands[i], XLA_SHAPE_TEXT(&shape),
                        XLA_SHAPE_TEXT(first));
  if (whole ? xlaShapeDimsEqual(&shape, first)
            : shape.rank == 1 && shape.dims[0] == first->dims[feature])
    return success();
  if (whole)
    return xlaViewError(view, form->sizeLabels[i],
                        "%s is %s, must have the shape of operand, %s",
                        form->operands[i], XLA_SHAPE_TEXT(&shape),
                        XLA_SHAPE_TEXT(first));
  return xlaViewError(view, form->sizeLabels[i],
                      "%s is %s, must be a vector of size %lld, that of "
                      "dimension %lld of operand",
                      form->operands[i], XLA_SHAPE_TEXT(&shape),
                      (long long)first->dims[feature], (long long)feature);
}

MlirLogicalResult xlaBatchNormInfer(XlaOpView *view) {
  const Form *form = formOf(view->kind);
  XlaShape first;
  int64_t feature = xlaViewGetI64(view, "feature_index", 0);
  MlirAttribute epsilon = xlaViewGetAttr(view, "epsilon");
  if (!mlirAttributeIsAFloat(epsilon))
    return xlaViewError(view, "attribute",
                        "attribute 'epsilon' must be a float");
  if (failed(xlaViewGetBounded(view, 0, &first)))
    return failure();
  if (feature < 0 || feature >= first.rank)
    return xlaViewError(view, form->indexLabel,
                        "feature_index is %lld, operand has rank %d",
                        (long long)feature, first.rank);
  for (int i = 1; i < form->nOperands; ++i)
    if (failed(checkOperand(view, form, i, &first, feature)))
      return failure();
  XlaShape features = {.elementType = first.elementType,
                       .rank = 1,
                       .dynamic = xlaShapeIsDynamic(&first, feature),
                       .dims = {first.dims[feature]}};
  xlaViewAppendBounded(view, &first);
  if (view->kind == XlaOpKindBatchNormInference)
    return success();
  xlaViewAppendBounded(view, &features);
  xlaViewAppendBounded(view, &features);
  return success();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

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

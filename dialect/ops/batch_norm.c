//===- batch_norm.c - Batch normalization ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification 000, BatchNormTraining, BatchNormInference and BatchNormGrad.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/family.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

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

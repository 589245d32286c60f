//===- batch_norm.c - Maps of batch normalization -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"

/// What a result reads of an operand.
typedef enum Reads {
  Nothing,
  Own,     ///< the element at the same place
  Feature, ///< of an array of features, its own one
  All,     ///< of an array with all dimensions, all of its own feature
} Reads;

/// By result and operand.
static const Reads training[3][5] = {
    {All, Feature, Feature}, // the output: operand, scale, offset
    {All, Nothing, Nothing}, // the mean
    {All, Nothing, Nothing}, // the variance
};
static const Reads inference[3][5] = {
    {Own, Feature, Feature, Feature, Feature},
};
static const Reads gradient[3][5] = {
    // operand, scale, mean, variance, grad_output
    {All, Feature, Feature, Feature, All},
    {All, Nothing, Feature, Feature, All},
    {Nothing, Nothing, Nothing, Nothing, All},
};

bool xlaBatchNormMap(MlirOperation op, XlaOpKind kind, intptr_t result,
                     intptr_t operand, const XlaShape *shape,
                     XlaMapDraft *draft) {
  int64_t feature = xlaOpGetI64(op, "feature_index", 0);
  Reads reads =
      (kind == XlaOpKindBatchNormTraining    ? training
       : kind == XlaOpKindBatchNormInference ? inference
                                             : gradient)[result][operand];
  // Of results of all dimensions, and of those that have the features alone.
  bool isWhole = result == 0;
  MlirAffineExpr own = xlaMapDraftDim(draft, isWhole ? feature : 0);
  draft->isUnread = reads == Nothing;
  for (int i = 0; i < shape->rank; ++i)
    xlaMapDraftAddResult(draft,
                         reads == Own ? xlaMapDraftDim(draft, i)
                         : reads == Feature || i == feature
                             ? own
                             : xlaMapDraftAddRange(draft, shape->dims[i]));
  return true;
}

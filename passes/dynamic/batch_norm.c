//===- batch_norm.c - Batch normalization of arrays with sizes ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/batch_norm.h"

/// The rule that operand `i` breaks if it does not fit the first.
static const char *labelOf(XlaOpKind kind, intptr_t i) {
  static const char *const training[] = {NULL, "batch_norm_training_c3",
                                         "batch_norm_training_c4"};
  static const char *const inference[] = {
      NULL, "batch_norm_inference_c3", "batch_norm_inference_c4",
      "batch_norm_inference_c5", "batch_norm_inference_c6"};
  static const char *const grad[] = {NULL, "batch_norm_grad_c5",
                                     "batch_norm_grad_c4", "batch_norm_grad_c4",
                                     "batch_norm_grad_c3"};
  return kind == XlaOpKindBatchNormTraining    ? training[i]
         : kind == XlaOpKindBatchNormInference ? inference[i]
                                               : grad[i];
}

/// Other operands have the sizes of the first, or its features.
static MlirLogicalResult agreeAll(XlaBoundedOp *b, XlaBounded *first,
                                  int64_t feature) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(b->op); ++i) {
    XlaBounded other = xlaBoundedOperand(b, i);
    bool isWhole = b->kind == XlaOpKindBatchNormGrad && i == 4;
    for (int d = 0; d < other.shape.rank; ++d) {
      int64_t own = isWhole ? d : feature;
      if (!first->sizes[own].ptr && !other.sizes[d].ptr)
        continue;
      if (failed(xlaBoundedCheck(
              b, XlaBoundedEqual, xlaBoundedSize(&b->ir, &other, d),
              xlaBoundedSize(&b->ir, first, own), labelOf(b->kind, i),
              "dimension %d of operand %lld is %%d, dimension %lld of operand "
              "0 %%d",
              d, (long long)i, (long long)own)))
        return failure();
      if (!first->sizes[own].ptr)
        first->sizes[own] = other.sizes[d];
    }
  }
  return success();
}

MlirLogicalResult xlaBoundedBatchNorm(XlaBoundedOp *b) {
  XlaBounded first = xlaBoundedOperand(b, 0);
  int64_t feature = xlaOpGetI64(b->op, "feature_index", 0);
  if (failed(agreeAll(b, &first, feature)))
    return failure();
  MlirOperation copy = xlaBoundedClone(b);
  MlirValue there = xlaBoundedMask(&b->ir, &first, ~(UINT32_C(1) << feature));
  MlirValue results[3];
  xlaBatchNormBuild(&b->ir, copy, there, first.sizes, results);
  mlirOperationDestroy(copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(b->op); ++i) {
    XlaBounded made = {.array = results[i],
                       .shape = xlaBoundedResultShape(b, i)};
    for (int d = 0; d < made.shape.rank; ++d)
      made.sizes[d] = first.sizes[i ? feature : d];
    if (failed(xlaBoundedSetResult(b, i, &made)))
      return failure();
  }
  return success();
}

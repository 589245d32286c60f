//===- vary_sum.c - Sums that overflow on the way -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter adds up in an order, and products in double. Lanes and trees
// of adders may have partial sums, or products, that overflow to infinities of
// both signs, and so NaN: it is added up anew, terms of one sign first.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <math.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Which operations
//===----------------------------------------------------------------------===//

static bool isProduct(MlirOperation op) {
  XlaFamily family = xlaOpGetInfo(xlaOpGetKind(op))->family;
  return family == XlaFamilyDot || family == XlaFamilyConvolution;
}

/// Whether `op` is a sum of products, or of its first operand.
static bool isSum(MlirOperation op) {
  if (isProduct(op))
    return true;
  if (xlaOpGetKind(op) != XlaOpKindReduce ||
      mlirOperationGetNumOperands(op) != 2)
    return false;
  MlirOperation first = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  return xlaOpGetKind(first) == XlaOpKindAdd &&
         xlaOpGetKind(mlirOperationGetNextInBlock(first)) == XlaOpKindReturn;
}

//===----------------------------------------------------------------------===//
// Terms of one sign
//===----------------------------------------------------------------------===//

/// The elements of one sign, and zeros in place of the others and of those that
/// are not finite. NULL without memory.
static XlaLiteral *partOf(const XlaLiteral *value, bool isNegative) {
  XlaLiteral *part = xlaLiteralCreateArray(xlaLiteralGetShape(value));
  for (int64_t i = 0; part && i < xlaLiteralGetElementCount(part); ++i) {
    double x = xlaLiteralGet(value, i).f.re;
    if (isfinite(x) && (isNegative ? x < 0 : x > 0))
      xlaLiteralSet(part, i, (XlaScalar){.f = {x, 0}});
  }
  return part;
}

/// What `op` gives of two operands; NULL without memory.
static XlaLiteral *evaluate(MlirOperation op, const XlaLiteral *lhs,
                            const XlaLiteral *rhs) {
  XlaEvaluatorOptions options = {.quiet = true};
  XlaEvaluator *evaluator = xlaEvaluatorCreate(op, &options);
  const XlaLiteral *operands[] = {lhs, rhs};
  XlaLiteral *result = NULL;
  if (evaluator && lhs && rhs)
    (void)xlaOpGetInfo(xlaOpGetKind(op))
        ->evaluate(evaluator, op, xlaOpGetKind(op), operands, &result);
  xlaEvaluatorDestroy(evaluator);
  return result;
}

/// Marks the elements of the sum to which terms of one sign add up to an
/// infinity. False without memory.
static bool markOverflows(MlirOperation op, const XlaLiteral *lhs,
                          const XlaLiteral *rhs, bool *marks) {
  XlaLiteral *sum = evaluate(op, lhs, rhs);
  for (int64_t i = 0; sum && i < xlaLiteralGetElementCount(sum); ++i)
    marks[i] |= isinf(xlaLiteralGet(sum, i).f.re);
  bool whole = sum != NULL;
  xlaLiteralRelease(sum);
  return whole;
}

/// Those of `op` to which the terms that are not negative, or not positive, do.
static bool markSign(MlirOperation op, const XlaLiteral *const *operands,
                     bool isNegative, bool *marks) {
  bool whole = true;
  for (int first = 0; whole && first < (isProduct(op) ? 2 : 1); ++first) {
    bool turns = isProduct(op) ? first : isNegative;
    XlaLiteral *lhs = partOf(operands[0], turns);
    XlaLiteral *rhs = isProduct(op) ? partOf(operands[1], turns != isNegative)
                                    : xlaLiteralRetain(operands[1]);
    whole = markOverflows(op, lhs, rhs, marks);
    xlaLiteralRelease(lhs);
    xlaLiteralRelease(rhs);
  }
  return whole;
}

/// `sum` with NaN where terms of both signs overflow.
static XlaLiteral *withNans(MlirOperation op, const XlaLiteral *const *operands,
                            const XlaLiteral *sum) {
  size_t n = (size_t)xlaLiteralGetElementCount(sum);
  bool *marks = calloc(2 * n + 1, sizeof *marks);
  XlaLiteral *made = NULL;
  if (marks && markSign(op, operands, false, marks) &&
      markSign(op, operands, true, marks + n))
    made = xlaLiteralCopy(sum);
  for (size_t i = 0; made && i < n; ++i)
    if (marks[i] && marks[n + i])
      xlaLiteralSet(made, (int64_t)i, (XlaScalar){.f = {NAN, 0}});
  free(marks);
  return made;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// An operation that has begun, within others.
struct XlaRunSum {
  XlaRunSum *outer;
  MlirOperation op;
  int n;
  XlaLiteral *operands[2];
};

static void drop(XlaRunVariation *variation) {
  XlaRunSum *sum = variation->sums;
  variation->sums = sum->outer;
  for (int i = 0; i < sum->n; ++i)
    xlaLiteralRelease(sum->operands[i]);
  free(sum);
}

void xlaRunVariationFree(XlaRunVariation *variation) {
  while (variation->sums)
    drop(variation);
}

void xlaRunSumAdd(MlirOperation op, const XlaLiteral *operand,
                  XlaRunVariation *variation) {
  XlaRunSum *sum = variation->sums;
  if (!isSum(op))
    return;
  if (!sum || !mlirOperationEqual(sum->op, op) || sum->n == 2) {
    sum = calloc(1, sizeof *sum);
    if (!sum)
      return;
    *sum = (XlaRunSum){.outer = variation->sums, .op = op};
    variation->sums = sum;
  }
  sum->operands[sum->n++] = xlaLiteralRetain(operand);
}

XlaLiteral *xlaRunSumEnd(MlirOperation op, const XlaLiteral *result,
                         XlaRunVariation *variation) {
  XlaRunSum *sum = variation->sums;
  if (!sum || !mlirOperationEqual(sum->op, op))
    return NULL;
  XlaLiteral *made =
      sum->n == 2
          ? withNans(op, (const XlaLiteral *const *)sum->operands, result)
          : NULL;
  drop(variation);
  return made;
}

//===- batch_norm.c - Batch normalization as arithmetic -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/batch_norm.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"

#include "mlir-c/BuiltinAttributes.h"

/// Arithmetic is in f32, or in f64 if that is what the elements are.
typedef struct Norm {
  XlaIr *ir;
  XlaShape shape; // of the operand, in the type of the arithmetic
  XlaElementType elements;
  int64_t feature;
  uint32_t others; // the other dimensions
  MlirValue epsilon, count;
  MlirValue there; // pred; null: all
} Norm;

static MlirValue operand(const Norm *norm, MlirOperation op, intptr_t i) {
  return xlaArrayConvert(norm->ir, mlirOperationGetOperand(op, i),
                         norm->shape.elementType);
}

/// A value a feature, for all elements.
static MlirValue spread(const Norm *norm, MlirValue features) {
  return xlaArrayBroadcast(norm->ir, features, norm->shape.rank,
                           norm->shape.dims, &norm->feature);
}

/// A scalar for every feature.
static MlirValue each(const Norm *norm, MlirValue scalar) {
  return xlaArrayBroadcast(norm->ir, scalar, 1,
                           &norm->shape.dims[norm->feature], NULL);
}

static MlirValue sum(const Norm *norm, MlirValue x) {
  if (!mlirValueIsNull(norm->there)) {
    MlirValue zero = xlaArrayNumber(norm->ir, norm->shape.elementType, -0.0);
    x = xlaArraySelect(norm->ir, norm->there, x,
                       xlaArraySplat(norm->ir, zero, x));
  }
  return xlaArraySum(norm->ir, x, norm->others);
}

static MlirValue add(const Norm *norm, MlirValue a, MlirValue b) {
  return xlaIrBinary(norm->ir, "xla.add", a, b);
}

static MlirValue subtract(const Norm *norm, MlirValue a, MlirValue b) {
  return xlaIrBinary(norm->ir, "xla.subtract", a, b);
}

static MlirValue multiply(const Norm *norm, MlirValue a, MlirValue b) {
  return xlaIrBinary(norm->ir, "xla.multiply", a, b);
}

static MlirValue divide(const Norm *norm, MlirValue a, MlirValue b) {
  return xlaIrBinary(norm->ir, "xla.divide", a, b);
}

static MlirValue mean(const Norm *norm, MlirValue x) {
  return divide(norm, sum(norm, x), each(norm, norm->count));
}

/// The square root of the variance, with epsilon.
static MlirValue deviation(const Norm *norm, MlirValue variance) {
  return xlaIrUnary(norm->ir, "xla.sqrt",
                    add(norm, variance, each(norm, norm->epsilon)));
}

/// `centered`, x - mean, scaled and moved.
static MlirValue normalize(const Norm *norm, MlirOperation op,
                           MlirValue centered, MlirValue variance) {
  MlirValue scale =
      divide(norm, operand(norm, op, 1), deviation(norm, variance));
  return add(norm, multiply(norm, centered, spread(norm, scale)),
             spread(norm, operand(norm, op, 2)));
}

static void train(const Norm *norm, MlirOperation op, MlirValue *results) {
  MlirValue x = operand(norm, op, 0), average = mean(norm, x);
  MlirValue centered = subtract(norm, x, spread(norm, average));
  MlirValue variance = mean(norm, multiply(norm, centered, centered));
  results[0] = normalize(norm, op, centered, variance);
  results[1] = average;
  results[2] = variance;
}

static void infer(const Norm *norm, MlirOperation op, MlirValue *results) {
  MlirValue centered =
      subtract(norm, operand(norm, op, 0), spread(norm, operand(norm, op, 3)));
  results[0] = normalize(norm, op, centered, operand(norm, op, 4));
}

/// The formulas of specification 000, with its names: c, d.
static void differentiate(const Norm *norm, MlirOperation op,
                          MlirValue *results) {
  MlirValue grad = operand(norm, op, 4), variance = operand(norm, op, 3);
  MlirValue centered =
      subtract(norm, operand(norm, op, 0), spread(norm, operand(norm, op, 2)));
  MlirValue root = deviation(norm, variance);
  MlirValue count = each(norm, norm->count);
  MlirValue products = sum(norm, multiply(norm, grad, centered));
  MlirValue total = sum(norm, grad);
  MlirValue c = divide(
      norm,
      divide(norm, products, add(norm, variance, each(norm, norm->epsilon))),
      count);
  MlirValue d = divide(norm, total, count);
  MlirValue rest = subtract(norm, subtract(norm, grad, spread(norm, d)),
                            multiply(norm, spread(norm, c), centered));
  MlirValue scale = divide(norm, operand(norm, op, 1), root);
  results[0] = multiply(norm, spread(norm, scale), rest);
  results[1] = divide(norm, products, root);
  results[2] = total;
}

/// The number of elements of a feature, where `sizes` may have scalars.
static MlirValue countOf(const Norm *norm, const MlirValue *sizes) {
  double count = 1;
  MlirValue product = {NULL};
  for (int d = 0; d < norm->shape.rank; ++d) {
    if (d == norm->feature)
      continue;
    if (!sizes || mlirValueIsNull(sizes[d])) {
      count *= (double)norm->shape.dims[d];
      continue;
    }
    MlirValue size =
        xlaArrayConvert(norm->ir, sizes[d], norm->shape.elementType);
    product = mlirValueIsNull(product) ? size : multiply(norm, product, size);
  }
  MlirValue known = xlaArrayNumber(norm->ir, norm->shape.elementType, count);
  return mlirValueIsNull(product) ? known : multiply(norm, product, known);
}

void xlaBatchNormBuild(XlaIr *ir, MlirOperation op, MlirValue there,
                       const MlirValue *sizes, MlirValue *results) {
  Norm norm = {.ir = ir,
               .shape = xlaArrayShape(mlirOperationGetOperand(op, 0)),
               .there = there};
  double epsilon =
      (float)mlirFloatAttrGetValueDouble(xlaOpGetAttr(op, "epsilon"));
  norm.elements = norm.shape.elementType;
  if (norm.elements != XlaElementTypeF64)
    norm.shape.elementType = XlaElementTypeF32;
  norm.feature = xlaOpGetI64(op, "feature_index", 0);
  for (int d = 0; d < norm.shape.rank; ++d)
    if (d != norm.feature)
      norm.others |= 1u << d;
  norm.epsilon = xlaArrayNumber(ir, norm.shape.elementType, epsilon);
  norm.count = countOf(&norm, sizes);
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindBatchNormTraining)
    train(&norm, op, results);
  else if (kind == XlaOpKindBatchNormInference)
    infer(&norm, op, results);
  else
    differentiate(&norm, op, results);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    results[i] = xlaArrayConvert(ir, results[i], norm.elements);
}

MlirLogicalResult xlaExpandBatchNorm(XlaIr *ir, MlirOperation op,
                                     MlirValue *results) {
  xlaBatchNormBuild(ir, op, (MlirValue){NULL}, NULL, results);
  return success();
}

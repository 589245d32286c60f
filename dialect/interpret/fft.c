//===- fft.c - Fourier transforms, evaluated ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line of an array at a time, in double precision: sizes that are powers of
// two by halving, small ones by the definition, all others as a convolution of
// a power of two: fourier.h.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/fft.h"
#include "xlac/dialect/family.h"
#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/fourier.h"
#include "xlac/dialect/interpret/strided.h"
#include "xlac/dialect/result_internal.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// One line
//===----------------------------------------------------------------------===//

/// Transforms of `n` numbers. `line` is where they lie before and after.
typedef struct Plan {
  int64_t n, power;          // power of two: n, or of the convolution; or 0
  XlaFourier *line, *roots;  // roots of `power`, or of n without one
  XlaFourier *chirp, *image; // of a convolution: n factors, and their transform
  XlaFourier *work;          // of `power`, or n without one
  XlaLiteral *owners[5];
} Plan;

static void transformDirect(const Plan *plan) {
  for (int64_t k = 0; k < plan->n; ++k) {
    XlaFourier sum = plan->line[0];
    for (int64_t i = 1; i < plan->n; ++i) {
      XlaFourier term =
          xlaFourierMultiply(plan->line[i], plan->roots[i * k % plan->n]);
      sum = (XlaFourier){sum.re + term.re, sum.im + term.im};
    }
    plan->work[k] = sum;
  }
  memcpy(plan->line, plan->work, (size_t)plan->n * sizeof *plan->line);
}

static void transformChirp(const Plan *plan) {
  int64_t m = plan->power;
  XlaFourier *x = plan->work;
  for (int64_t k = 0; k < m; ++k)
    x[k] = k < plan->n ? xlaFourierMultiply(plan->line[k], plan->chirp[k])
                       : (XlaFourier){0, 0};
  xlaFourierPower(x, plan->roots, m);
  // The inverse is the transform of the conjugates, but for its scale.
  for (int64_t k = 0; k < m; ++k) {
    XlaFourier product = xlaFourierMultiply(x[k], plan->image[k]);
    x[k] = (XlaFourier){product.re, -product.im};
  }
  xlaFourierPower(x, plan->roots, m);
  for (int64_t k = 0; k < plan->n; ++k) {
    XlaFourier y = {x[k].re / (double)m, -x[k].im / (double)m};
    plan->line[k] = xlaFourierMultiply(y, plan->chirp[k]);
  }
}

static void exchangeParts(XlaFourier *x, int64_t n) {
  for (int64_t k = 0; k < n; ++k)
    x[k] = (XlaFourier){x[k].im, x[k].re};
}

static void transform(const Plan *plan, bool inverse) {
  if (plan->n == 1)
    return;
  if (inverse)
    exchangeParts(plan->line, plan->n);
  if (!plan->power)
    transformDirect(plan);
  else if (plan->power == plan->n)
    xlaFourierPower(plan->line, plan->roots, plan->n);
  else
    transformChirp(plan);
  if (!inverse)
    return;
  exchangeParts(plan->line, plan->n);
  for (int64_t k = 0; k < plan->n; ++k) {
    plan->line[k].re /= (double)plan->n;
    plan->line[k].im /= (double)plan->n;
  }
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static XlaFourier *createNumbers(XlaEvaluator *evaluator, MlirOperation op,
                                 int64_t n, XlaLiteral **owner) {
  XlaShape shape = {.elementType = XlaElementTypeC128, .rank = 1};
  shape.dims[0] = n;
  *owner = xlaEvaluatorCreateArray(evaluator, op, &shape);
  return *owner ? xlaLiteralGetMutableData(*owner) : NULL;
}

static void destroyPlan(Plan *plan) {
  for (int i = 0; i < 5; ++i)
    xlaLiteralRelease(plan->owners[i]);
}

/// For lines of n > 0 numbers. Fails after a diagnostic; destroy it either way.
static MlirLogicalResult createPlan(Plan *plan, XlaEvaluator *evaluator,
                                    MlirOperation op, int64_t n) {
  enum { largestDirect = 48 };
  int64_t power = 1;
  while (power < n)
    power *= 2;
  bool direct = power != n && n <= largestDirect;
  bool chirp = power != n && !direct;
  if (chirp)
    power = xlaFourierChirpSize(n);
  *plan = (Plan){.n = n, .power = direct ? 0 : power};
  int64_t size = direct ? n : power;
  if (!(plan->line = createNumbers(evaluator, op, n, &plan->owners[0])) ||
      !(plan->roots = createNumbers(evaluator, op, size, &plan->owners[1])) ||
      !(plan->work = createNumbers(evaluator, op, size, &plan->owners[2])))
    return failure();
  xlaFourierRoots(plan->roots, size);
  if (!chirp)
    return success();
  if (!(plan->chirp = createNumbers(evaluator, op, n, &plan->owners[3])) ||
      !(plan->image = createNumbers(evaluator, op, power, &plan->owners[4])))
    return failure();
  xlaFourierChirp(plan->chirp, plan->image, plan->roots, n, power);
  return success();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

typedef struct Run {
  XlaEvaluator *evaluator;
  MlirOperation op;
  bool inverse;
} Run;

/// A transform takes some 10 n log n steps.
static MlirLogicalResult countSteps(const Run *run, int64_t n) {
  int64_t steps = n;
  for (int64_t power = 1; power < n; power *= 2)
    steps += 10 * n;
  return xlaEvaluatorStep(run->evaluator, run->op, steps);
}

/// Transforms a dimension of `numbers`, an array of complex numbers, in place.
static MlirLogicalResult transformDimension(const Run *run, XlaFourier *numbers,
                                            const XlaShape *shape, int d) {
  int64_t strides[XLA_MAX_RANK], count, n = shape->dims[d];
  xlaStridesInit(shape, strides);
  xlaShapeGetElementCount(shape, &count);
  Plan plan;
  MlirLogicalResult result = createPlan(&plan, run->evaluator, run->op, n);
  for (int64_t i = 0; i < count / n && !failed(result); ++i) {
    XlaFourier *first =
        numbers + i / strides[d] * strides[d] * n + i % strides[d];
    for (int64_t k = 0; k < n; ++k)
      plan.line[k] = first[k * strides[d]];
    transform(&plan, run->inverse);
    for (int64_t k = 0; k < n; ++k)
      first[k * strides[d]] = plan.line[k];
    result = countSteps(run, n);
  }
  destroyPlan(&plan);
  return result;
}

/// Rows of n real numbers to the first half of their transforms.
static MlirLogicalResult fromReal(const Run *run, const XlaLiteral *operand,
                                  XlaFourier *numbers, int64_t n) {
  int64_t rows = xlaLiteralGetElementCount(operand) / n,
          half = xlaFftGetHalf(n);
  Plan plan;
  MlirLogicalResult result = createPlan(&plan, run->evaluator, run->op, n);
  for (int64_t i = 0; i < rows && !failed(result); ++i) {
    for (int64_t k = 0; k < n; ++k)
      plan.line[k] = (XlaFourier){xlaLiteralGet(operand, i * n + k).f.re, 0};
    transform(&plan, false);
    memcpy(numbers + i * half, plan.line, (size_t)half * sizeof *numbers);
    result = countSteps(run, n);
  }
  destroyPlan(&plan);
  return result;
}

/// The other way: the second half is the first one's conjugate, so that the
/// numbers that are their own conjugates are real.
static MlirLogicalResult toReal(const Run *run, const XlaFourier *numbers,
                                XlaLiteral *to, int64_t n) {
  int64_t rows = xlaLiteralGetElementCount(to) / n, half = xlaFftGetHalf(n);
  Plan plan;
  MlirLogicalResult result = createPlan(&plan, run->evaluator, run->op, n);
  for (int64_t i = 0; i < rows && !failed(result); ++i) {
    const XlaFourier *row = numbers + i * half;
    for (int64_t k = 0; k < half; ++k) {
      bool alone = !k || 2 * k == n;
      plan.line[k] = (XlaFourier){row[k].re, alone ? 0 : row[k].im};
      if (!alone)
        plan.line[n - k] = (XlaFourier){row[k].re, -row[k].im};
    }
    transform(&plan, true);
    for (int64_t k = 0; k < n; ++k)
      xlaLiteralSet(to, i * n + k, (XlaScalar){.f = {plan.line[k].re, 0}});
    result = countSteps(run, n);
  }
  destroyPlan(&plan);
  return result;
}

static void copyXlaFouriers(XlaFourier *to, const XlaLiteral *from) {
  for (int64_t i = 0, n = xlaLiteralGetElementCount(from); i < n; ++i) {
    XlaScalar x = xlaLiteralGet(from, i);
    to[i] = (XlaFourier){x.f.re, x.f.im};
  }
}

/// All dimensions; of real numbers the last one comes first, of results that
/// are real it comes last.
static MlirLogicalResult transformAll(const Run *run, XlaFftType type,
                                      int dimensions, const XlaLiteral *operand,
                                      XlaFourier *numbers, XlaLiteral *result) {
  const XlaShape *shape =
      xlaLiteralGetShape(type == XlaFftTypeRfft ? result : operand);
  int last = shape->rank - 1;
  MlirLogicalResult done = success();
  if (type == XlaFftTypeRfft)
    done = fromReal(run, operand, numbers,
                    xlaLiteralGetShape(operand)->dims[last]);
  else
    copyXlaFouriers(numbers, operand);
  bool real = type == XlaFftTypeRfft || type == XlaFftTypeIrfft;
  for (int d = shape->rank - dimensions; d < last + !real && !failed(done); ++d)
    done = transformDimension(run, numbers, shape, d);
  if (failed(done))
    return done;
  if (type == XlaFftTypeIrfft)
    return toReal(run, numbers, result, xlaLiteralGetShape(result)->dims[last]);
  for (int64_t i = 0, n = xlaLiteralGetElementCount(result); i < n; ++i)
    xlaLiteralSet(result, i, (XlaScalar){.f = {numbers[i].re, numbers[i].im}});
  return success();
}

MlirLogicalResult xlaFftEvaluate(XlaEvaluator *evaluator, MlirOperation op,
                                 XlaOpKind kind,
                                 const XlaLiteral *const *operands,
                                 XlaLiteral **results) {
  (void)kind;
  XlaFftType type = xlaFftReadType(xlaOpGetAttr(op, "fft_type"));
  XlaI64List lengths;
  xlaOpGetList(op, "fft_length", &lengths);
  results[0] = xlaEvaluatorCreateResult(evaluator, op, 0);
  if (!results[0])
    return failure();
  if (!xlaLiteralGetElementCount(results[0]))
    return success();
  XlaLiteral *owner;
  int64_t count = xlaLiteralGetElementCount(
      type == XlaFftTypeRfft ? results[0] : operands[0]);
  XlaFourier *numbers = createNumbers(evaluator, op, count, &owner);
  if (!numbers)
    return failure();
  Run run = {evaluator, op, type == XlaFftTypeIfft || type == XlaFftTypeIrfft};
  MlirLogicalResult result =
      transformAll(&run, type, lengths.size, operands[0], numbers, results[0]);
  xlaLiteralRelease(owner);
  return result;
}

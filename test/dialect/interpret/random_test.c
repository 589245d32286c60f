//===- random_test.c - Distributions of random numbers --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moments, A. Kolmogorov's and N. Smirnov's test, K. Pearson's test, and the
// correlation of neighbours, over several seeds. The numbers are the same every
// time, so that the limits, which chance exceeds once in 10,000 times, hold or
// not.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/evaluator.h"

#include "mlir-c/RegisterEverything.h"

#include "xlac/test/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 40000 };

static int setUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  *state = malloc(sizeof context);
  assert_non_null(*state);
  *(MlirContext *)*state = context;
  return 0;
}

static int tearDown(void **state) {
  mlirContextDestroy(*(MlirContext *)*state);
  free(*state);
  return 0;
}

/// The second of two draws of `count` numbers of MLIR type `type`.
static XlaLiteral *draw(void **state, int seed, const char *op,
                        const char *type, const char *a, const char *b) {
  char text[1024];
  snprintf(
      text, sizeof text,
      "module attributes {xla.seed = %d : i64} {\n"
      "func.func @main() -> tensor<%dx%s> {\n"
      "  %%a = xla.constant dense<%s> : tensor<%s>\n"
      "  %%b = xla.constant dense<%s> : tensor<%s>\n"
      "  %%0 = xla.%s %%a, %%b : (tensor<%s>, tensor<%s>) -> tensor<7x%s>\n"
      "  %%1 = xla.%s %%a, %%b : (tensor<%s>, tensor<%s>) -> "
      "tensor<%dx%s>\n"
      "  return %%1 : tensor<%dx%s>\n}\n}\n",
      seed, count, type, a, type, b, type, op, type, type, type, op, type, type,
      count, type, count, type);
  MlirModule module = mlirModuleCreateParse(
      *(MlirContext *)*state, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  XlaEvaluatorOptions options = {.maxBytes = 0};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  assert_non_null(evaluator);
  XlaLiteral *result = NULL;
  MlirOperation function =
      xlaEvaluatorLookup(evaluator, mlirStringRefCreateFromCString("main"));
  MlirLogicalResult done =
      xlaEvaluatorRun(evaluator, function, 0, NULL, 1, &result);
  xlaEvaluatorDestroy(evaluator);
  mlirModuleDestroy(module);
  assert_true(mlirLogicalResultIsSuccess(done));
  return result;
}

static int compareNumbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// The numbers, mapped by (x - shift) / scale.
static double *numbersOf(XlaLiteral *literal, double shift, double scale) {
  double *numbers = malloc(count * sizeof *numbers);
  assert_non_null(numbers);
  for (int i = 0; i < count; ++i)
    numbers[i] = (xlaLiteralGet(literal, i).f.re - shift) / scale;
  xlaLiteralRelease(literal);
  return numbers;
}

/// The mean of x^power lies within 3.9 standard deviations of `expected`.
static void checkMoment(const double *numbers, int power, double expected,
                        double variance) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += pow(numbers[i], power);
  double deviation = fabs(sum / count - expected) / sqrt(variance / count);
  if (!(deviation < 3.9))
    fail_msg("moment %d is %g, not %g: %g standard deviations", power,
             sum / count, expected, deviation);
}

/// Neighbours at a distance; the numbers have the mean `mean`.
static void checkCorrelation(const double *numbers, int distance, double mean,
                             double variance) {
  double sum = 0;
  int n = count - distance;
  for (int i = 0; i < n; ++i)
    sum += (numbers[i] - mean) * (numbers[i + distance] - mean);
  double deviation = fabs(sum / variance) / sqrt(n);
  if (!(deviation < 3.9))
    fail_msg("neighbours at %d correlate: %g standard deviations", distance,
             deviation);
}

static double uniformBelow(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static double normalBelow(double x) { return 0.5 * erfc(-x / sqrt(2)); }

/// The largest distance of the distribution function. `step` is the distance of
/// neighbouring numbers of the type.
static void checkDistribution(double *numbers, double (*below)(double),
                              double step) {
  qsort(numbers, count, sizeof *numbers, compareNumbers);
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    double expected = below(numbers[i]);
    largest = fmax(largest, fabs((i + 1.0) / count - expected));
    largest = fmax(largest, fabs(expected - (double)i / count));
  }
  if (!(largest < 2.225 / sqrt(count) + step))
    fail_msg("the distribution function is %g off, more than %g", largest,
             2.225 / sqrt(count) + step);
}

static const struct {
  const char *name;
  double step;
} types[] = {{"f64", 0}, {"f32", 0}, {"f16", 0x1p-10}, {"bf16", 0x1p-7}};

static void testUniform(void **state) {
  for (int seed = 0; seed < 4; ++seed)
    for (int t = 0; t < 4; ++t) {
      double step = types[t].step;
      double *x = numbersOf(
          draw(state, seed, "rng_uniform", types[t].name, "-3.0", "1.0"), -3,
          4);
      for (int i = 0; i < count; ++i)
        if (!(x[i] >= 0 && x[i] < 1))
          fail_msg("%.20g is out of range", x[i]);
      for (int k = 1; k < 5 && !step; ++k)
        checkMoment(x, k, 1.0 / (k + 1),
                    1.0 / (2 * k + 1) - 1.0 / ((k + 1) * (k + 1)));
      for (int distance = 1; distance < 9; ++distance)
        checkCorrelation(x, distance, 0.5, 1.0 / 12);
      checkDistribution(x, uniformBelow, step);
      free(x);
    }
}

static void testNormal(void **state) {
  // The moments 1, 3, 15, .. of even orders.
  static const double moments[] = {1, 0, 1, 0, 3, 0, 15, 0, 105};
  for (int seed = 0; seed < 4; ++seed)
    for (int t = 0; t < 4; ++t) {
      double step = types[t].step;
      double *x = numbersOf(
          draw(state, seed, "rng_normal", types[t].name, "2.0", "0.5"), 2, 0.5);
      for (int k = 1; k < 5 && !step; ++k)
        checkMoment(x, k, moments[k], moments[2 * k] - moments[k] * moments[k]);
      for (int distance = 1; distance < 9; ++distance)
        checkCorrelation(x, distance, 0, 1);
      checkDistribution(x, normalBelow, 8 * step);
      free(x);
    }
}

/// K. Pearson's test of `bins` integers from -3.
static void checkBins(const XlaLiteral *literal, int bins) {
  int counts[64] = {0};
  for (int i = 0; i < count; ++i) {
    int64_t bin = xlaLiteralGet(literal, i).s + 3;
    assert_in_range(bin, 0, bins - 1);
    ++counts[bin];
  }
  double sum = 0, expected = (double)count / bins;
  for (int i = 0; i < bins; ++i)
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  // Nearly normal: mean bins - 1, variance 2 (bins - 1).
  double deviation = (sum - (bins - 1)) / sqrt(2.0 * (bins - 1));
  if (!(fabs(deviation) < 5))
    fail_msg("%d bins are %g standard deviations off", bins, deviation);
}

static void testIntegers(void **state) {
  static const char *const names[] = {"i8", "i16", "i32", "i64"};
  for (int seed = 0; seed < 4; ++seed)
    for (int t = 0; t < 4; ++t) {
      XlaLiteral *few = draw(state, seed, "rng_uniform", names[t], "-3", "0");
      checkBins(few, 3);
      xlaLiteralRelease(few);
      XlaLiteral *many = draw(state, seed, "rng_uniform", names[t], "-3", "50");
      checkBins(many, 53);
      xlaLiteralRelease(many);
    }
}

static bool isSame(XlaLiteral *a, XlaLiteral *b) {
  int same = 0;
  for (int i = 0; i < count; ++i)
    same += xlaLiteralGet(a, i).f.re == xlaLiteralGet(b, i).f.re;
  xlaLiteralRelease(a);
  xlaLiteralRelease(b);
  if (same != count)
    assert_true(same < 10);
  return same == count;
}

static void testSeeds(void **state) {
  const char *op = "rng_uniform";
  assert_true(isSame(draw(state, 1, op, "f64", "0.0", "1.0"),
                     draw(state, 1, op, "f64", "0.0", "1.0")));
  assert_false(isSame(draw(state, 1, op, "f64", "0.0", "1.0"),
                      draw(state, 2, op, "f64", "0.0", "1.0")));
  assert_false(isSame(draw(state, 0, op, "f64", "0.0", "1.0"),
                      draw(state, -1, op, "f64", "0.0", "1.0")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(testUniform, setUp, tearDown),
      cmocka_unit_test_setup_teardown(testNormal, setUp, tearDown),
      cmocka_unit_test_setup_teardown(testIntegers, setUp, tearDown),
      cmocka_unit_test_setup_teardown(testSeeds, setUp, tearDown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

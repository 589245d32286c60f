//===- math_test.c - Accuracy of math functions in shaders ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 results are compared with libm in double, f64 results with libm in long
// double, whose errors are 2^-29 and 2^-11 of a last place. `vulkan_math_test
// 1` takes every f32 instead of each 19997th, and as many pairs and f64.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/scalar_fixture.h"
#include "xlac/test/support/ulp.h"
#include "xlac/test/support/unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t step = 19997; // prime: meets every exponent and all low bits

static long double quotientOf(long double x, long double y) { return x / y; }
static double rsqrtOfDouble(double x) { return 1 / sqrt(x); }
static long double rsqrtl(long double x) { return 1 / sqrtl(x); }
static double quotientOfDouble(double x, double y) { return x / y; }

/// A function, its meaning, and how many units in the last place it may be off
/// on f32 and f64.
typedef struct Function {
  const char *op;
  double (*unary)(double);
  double (*binary)(double, double);
  long double (*unaryWide)(long double);
  long double (*binaryWide)(long double, long double);
  double ulps, wide;
} Function;

#define rsqrt rsqrtOfDouble
#define powf pow
#define powfl powl

static const Function functions[] = {
#define XLA_MATH_UNARY(function, Formula, cpu, vulkan, wide)                   \
  {"math." #function, function, NULL, function##l, NULL, vulkan, wide},
#define XLA_MATH_BINARY(function, Formula, cpu, vulkan, wide)                  \
  {"math." #function, NULL, function, NULL, function##l, vulkan, wide},
#include "xlac/lowering/math/functions.def"
    {"math.sqrt", sqrt, NULL, sqrtl, NULL, 0.501, 0.501},
    {"arith.divf", NULL, quotientOfDouble, NULL, quotientOf, 0.501, 0.501},
    {"arith.remf", NULL, fmod, NULL, fmodl, 0, 1e-9},
};
enum { nFunctions = sizeof functions / sizeof *functions };

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static uint64_t randomBits(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed * 0x2545F4914F6CDD1Du;
}

static const double specials[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  2,
                                  -2,
                                  3,
                                  -3,
                                  0.5,
                                  -0.5,
                                  2.5,
                                  -2.5,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1p-149,
                                  -0x1p-149,
                                  0x1p-126,
                                  1e-40,
                                  -1e-40,
                                  FLT_MAX,
                                  -FLT_MAX,
                                  16777215,
                                  1e-310,
                                  -1e-310,
                                  DBL_MAX,
                                  1e22,
                                  -1e300,
                                  709.7,
                                  -745,
                                  88.7,
                                  -103.9,
                                  0x1.921fb54442d18p+0,
                                  0x1.921fb54442d18p+1,
                                  6381956970095103.0 * 0x1p797};
enum { nSpecials = sizeof specials / sizeof *specials };

/// Magnitudes of about one, where most changes; or any bits.
static double randomNumber(uint64_t *seed, bool isWide) {
  uint64_t bits = randomBits(seed);
  double value = (double)(int64_t)randomBits(seed) * 0x1p-63; // -1 .. 1
  switch (bits >> 61) {
  case 0:
    return value;
  case 1:
    return 1 + value / 4;
  case 2:
    return value * 50;
  case 3:
    return rint(value * 20) * (bits & 1 ? 0.5 : 1);
  case 4:
    return value * 1e6;
  default:
    return isWide ? xlaDoubleOfBits(randomBits(seed))
                  : (double)xlaFloatOfBits((uint32_t)randomBits(seed));
  }
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Arguments and results of a run; f32 or f64.
typedef struct Arrays {
  bool isWide;
  void *data[3];
} Arrays;

static double get(const Arrays *arrays, int which, int i) {
  return arrays->isWide ? ((double *)arrays->data[which])[i]
                        : (double)((float *)arrays->data[which])[i];
}

static void set(const Arrays *arrays, int which, int i, double value) {
  if (arrays->isWide)
    ((double *)arrays->data[which])[i] = value;
  else
    ((float *)arrays->data[which])[i] = (float)value;
}

static long double meaning(const Function *function, bool isWide, double x,
                           double y) {
  if (isWide)
    return function->unary ? function->unaryWide(x)
                           : function->binaryWide(x, y);
  return function->unary ? function->unary(x) : function->binary(x, y);
}

typedef struct Worst {
  double ulps, x, y, got;
} Worst;

static void run(XlaVulkanDevice *device, const Function *function,
                const XlaVulkanWords *words, int width, const Arrays *arrays,
                Worst *worst) {
  int n = function->unary ? 1 : 2, bytes = arrays->isWide ? 8 : 4;
  const int operandBytes[2] = {bytes, bytes};
  vulkanScalarRun(device, words, width, n, arrays->data, operandBytes,
                  arrays->data[n], bytes);
  for (int i = 0; i < vulkanScalars; ++i) {
    double x = get(arrays, 0, i), y = n > 1 ? get(arrays, 1, i) : 0;
    double got = get(arrays, n, i);
    double ulps = xlaUlpDistance(arrays->isWide ? XLA_ULP_F64 : XLA_ULP_F32,
                                 got, meaning(function, arrays->isWide, x, y));
    if (ulps > worst->ulps)
      *worst = (Worst){ulps, x, y, got};
  }
}

/// All special pairs, then every `step`th f32, or random numbers.
static void measure(XlaVulkanDevice *device, const Function *function,
                    const XlaVulkanWords *words, int width, bool isWide) {
  Arrays arrays = {isWide, {NULL}};
  for (int i = 0; i < 3; ++i) {
    arrays.data[i] = calloc(vulkanScalars, 8);
    assert_non_null(arrays.data[i]);
  }
  Worst worst = {0};
  bool sweeps = function->unary && !isWide;
  uint64_t seed = 1, bits = 0;
  bool first = true;
  for (uint64_t count = 0; count <= UINT32_MAX; first = false) {
    for (int i = 0; i < vulkanScalars; ++i, count += step) {
      bool special = first && i < nSpecials * nSpecials;
      double x = special  ? specials[i / nSpecials]
                 : sweeps ? (double)xlaFloatOfBits((uint32_t)bits)
                          : randomNumber(&seed, isWide);
      set(&arrays, 0, i, x);
      set(&arrays, 1, i,
          special ? specials[i % nSpecials] : randomNumber(&seed, isWide));
      bits += special ? 0 : step;
    }
    run(device, function, words, width, &arrays, &worst);
  }
  double bound = isWide ? function->wide : function->ulps;
  print_message("%-11s %s x%d %8.3f ulp at %a %a\n", function->op,
                isWide ? "f64" : "f32", width, worst.ulps, worst.x, worst.y);
  if (!(worst.ulps <= bound))
    fail_msg("%s(%a, %a) is %a, not %La", function->op, worst.x, worst.y,
             worst.got, meaning(function, isWide, worst.x, worst.y));
  for (int i = 0; i < 3; ++i)
    free(arrays.data[i]);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static MlirValue body(XlaIr *ir, const MlirValue *operands, void *user) {
  const Function *function = *(const Function *const *)user;
  return xlaIrOp(ir, function->op, mlirValueGetType(operands[0]),
                 function->unary ? 1 : 2, operands, 0, NULL);
}

static bool isTested(const Function *function, const char *only) {
  return !only || strstr(function->op, only);
}

/// As the device is, or as one of `kind`; all functions, or those that have
/// `only` in their names.
static void measureAll(void **state, bool isWide, int width,
                       const XlaVulkanKind *kind, const char *only) {
  XlaVulkanDevice *device = vulkanDevice(state);
  VulkanFixture fixture;
  vulkanFixtureInit(&fixture);
  fixture.info = *xlaVulkanDeviceGetInfo(device);
  if (kind)
    fixture.info.kind = *kind;
  MlirContext context = fixture.context;
  MlirType type = isWide ? mlirF64TypeGet(context) : mlirF32TypeGet(context);
  const MlirType types[2] = {type, type};
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  for (int i = 0; i < nFunctions; ++i) {
    const Function *function = &functions[i];
    if (isTested(function, only))
      vulkanScalarShader(module, strchr(function->op, '.') + 1,
                         function->unary ? 1 : 2, types, type, width, body,
                         &function);
  }
  intptr_t n, at = 0;
  XlaVulkanWords *words = vulkanScalarCompile(&fixture, module, &n);
  for (int i = 0; i < nFunctions; ++i)
    if (isTested(&functions[i], only))
      measure(device, &functions[i], &words[at++], width, isWide);
  assert_int_equal(at, n);
  xlaVulkanWordsFree(words, n);
  vulkanFixtureDestroy(&fixture);
}

static void floats(void **state) { measureAll(state, false, 1, NULL, NULL); }
static void vectors(void **state) { measureAll(state, false, 4, NULL, NULL); }
static void doubles(void **state) { measureAll(state, true, 1, NULL, NULL); }
static void pairs(void **state) { measureAll(state, true, 2, NULL, NULL); }

/// Steps that correct a device's division and root leave exact ones alone.
static void corrections(void **state) {
  static const XlaVulkanKind kind = XlaVulkanKindDiscrete;
  measureAll(state, false, 1, &kind, ".sqrt");
  measureAll(state, true, 1, &kind, ".sqrt");
  measureAll(state, true, 4, &kind, ".divf");
}

int main(int argc, char **argv) {
  if (argc > 1 && atoi(argv[1]) > 0)
    step = (uint64_t)atoi(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floats),      cmocka_unit_test(vectors),
      cmocka_unit_test(doubles),     cmocka_unit_test(pairs),
      cmocka_unit_test(corrections),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}

//===- math_test.c - Accuracy of expanded math functions ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 results are compared with libm in double, f64 results with libm in long
// double, whose errors are 2^-29 and 2^-11 of a last place. `math_test 1` takes
// every f32 instead of each 1999th, and as many f64.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/cpu/cpu_fixture.h"
#include "xlac/test/support/ulp.h"
#include "xlac/test/support/unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { chunk = 4096, lanes = 16 };

static double rsqrt(double x) { return 1 / sqrt(x); }
static long double rsqrtl(long double x) { return 1 / sqrtl(x); }

/// A function, its meaning, and how many units in the last place f32 and f64
/// may be off.
typedef struct Function {
  const char *op;
  double (*reference)(double);
  long double (*wideReference)(long double);
  double bound, wideBound;
} Function;

static const Function unary[] = {
#define XLA_MATH_UNARY(function, Formula, cpu, vulkan, wide)                   \
  {#function, function, function##l, cpu, wide},
#include "xlac/lowering/math/functions.def"
};
enum { nUnary = sizeof unary / sizeof *unary };

static uint64_t step = 1999; // prime: meets every exponent and all low bits

static double error(float got, double expected) {
  return xlaUlpDistance(XLA_ULP_F32, (double)got, (long double)expected);
}

static double wideError(double got, long double expected) {
  return xlaUlpDistance(XLA_ULP_F64, got, expected);
}

static XlaCpuCode *compile(CpuFixture *fixture, const char *text) {
  XlaCpuCode *code = cpuFixtureCompile(fixture, text, NULL);
  if (!code)
    fail_msg("%s", fixture->error);
  return code;
}

/// @f applies math.`op` to `type` vectors of a memref of `chunk` elements.
static XlaCpuCode *compileUnary(CpuFixture *fixture, const char *op,
                                const char *type, int width) {
  char text[1024], shape[32];
  snprintf(shape, sizeof shape, "vector<%dx%s>", width, type);
  snprintf(text, sizeof text,
           "func.func @f(%%x: memref<%dx%s>, %%y: memref<%dx%s>) {\n"
           "  %%c0 = arith.constant 0 : index\n"
           "  %%n = arith.constant %d : index\n"
           "  %%s = arith.constant %d : index\n"
           "  scf.for %%i = %%c0 to %%n step %%s {\n"
           "    %%a = vector.load %%x[%%i] : memref<%dx%s>, %s\n"
           "    %%b = math.%s %%a : %s\n"
           "    vector.store %%b, %%y[%%i] : memref<%dx%s>, %s\n"
           "  }\n  return\n}",
           chunk, type, chunk, type, chunk, width, chunk, type, shape, op,
           shape, chunk, type, shape);
  return compile(fixture, text);
}

static void measure(const Function *function, void (*f)(float *, float *)) {
  static const uint32_t specials[] = {
      0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000,
      0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
      0x7f800001, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0xbf7fffff,
      0x3fc90fdb, 0x40490fdb, 0x42b17217, 0x42b17218, 0xc2cff1b5, 0xc2cff1b6};
  enum { nSpecials = sizeof specials / sizeof *specials };
  double worst = 0;
  float worstAt = 0, x[chunk], y[chunk];
  uint64_t bits = 0;
  int start = nSpecials;
  for (int i = 0; i < nSpecials; ++i)
    x[i] = xlaFloatOfBits(specials[i]);
  while (bits < UINT64_C(1) << 32) {
    for (int i = start; i < chunk; ++i, bits += step)
      x[i] = xlaFloatOfBits((uint32_t)bits);
    start = 0;
    f(x, y);
    for (int i = 0; i < chunk; ++i) {
      double e = error(y[i], function->reference(x[i]));
      if (e > worst) {
        worst = e;
        worstAt = x[i];
      }
    }
  }
  print_message("%-6s %.3f ulp at %a\n", function->op, worst, (double)worstAt);
  if (!(worst <= function->bound)) {
    f((x[0] = worstAt, x), y);
    fail_msg("%s(%a) is %a, not %a: %.3f ulp", function->op, (double)worstAt,
             (double)y[0], function->reference(worstAt), worst);
  }
}

static void unaryFunctions(void **state) {
  for (int i = 0; i < nUnary; ++i) {
    XlaCpuCode *code = compileUnary(*state, unary[i].op, "f32", lanes);
    void (*f)(float *, float *) = xlaCpuCodeLookup(code, "f");
    measure(&unary[i], f);
    xlaCpuCodeDestroy(code);
  }
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static uint32_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 32);
}

/// Magnitudes of about one, where the interesting powers are; or any bits.
static float randomFloat(uint64_t *seed) {
  uint32_t bits = next(seed), kind = next(seed) % 4;
  if (kind == 0)
    return xlaFloatOfBits(bits);
  float value = (float)((double)bits * 0x1p-31 - 1); // -1 .. 1
  return kind == 1 ? value : kind == 2 ? 1 + value * 0.25f : rintf(value * 20);
}

static void binaryFunction(void **state, const char *op,
                           double (*reference)(double, double), double bound) {
  char text[1024];
  snprintf(text, sizeof text,
           "func.func @f(%%x: memref<%dxf32>, %%y: memref<%dxf32>,\n"
           "             %%z: memref<%dxf32>) {\n"
           "  affine.for %%i = 0 to %d step 16 {\n"
           "    %%a = vector.load %%x[%%i] : memref<%dxf32>, vector<16xf32>\n"
           "    %%b = vector.load %%y[%%i] : memref<%dxf32>, vector<16xf32>\n"
           "    %%c = math.%s %%a, %%b : vector<16xf32>\n"
           "    vector.store %%c, %%z[%%i] : memref<%dxf32>, vector<16xf32>\n"
           "  }\n  return\n}",
           chunk, chunk, chunk, chunk, chunk, chunk, op, chunk);
  XlaCpuCode *code = compile(*state, text);
  void (*f)(float *, float *, float *) = xlaCpuCodeLookup(code, "f");
  static const float specials[] = {
      0,        -0.f,    1,      -1,       2,         -2,   3,
      -3,       0.5f,    -0.5f,  INFINITY, -INFINITY, NAN,  FLT_MAX,
      -FLT_MAX, FLT_MIN, 1e-40f, -1e-40f,  16777215,  -2.5f};
  enum { nSpecials = sizeof specials / sizeof *specials };
  float x[chunk], y[chunk], z[chunk];
  double worst = 0;
  uint64_t seed = 1;
  for (int repeat = 0; repeat < 200; ++repeat) {
    for (int i = 0; i < chunk; ++i) {
      bool special = !repeat && i < nSpecials * nSpecials;
      x[i] = special ? specials[i / nSpecials] : randomFloat(&seed);
      y[i] = special ? specials[i % nSpecials] : randomFloat(&seed);
    }
    f(x, y, z);
    for (int i = 0; i < chunk; ++i) {
      double expected = reference(x[i], y[i]), e = error(z[i], expected);
      worst = e > worst ? e : worst;
      if (!(e <= bound))
        fail_msg("%s(%a, %a) is %a, not %a", op, (double)x[i], (double)y[i],
                 (double)z[i], expected);
    }
  }
  print_message("%-6s %.3f ulp\n", op, worst);
  xlaCpuCodeDestroy(code);
}

enum { Atan2, Pow };
static const double binaryBounds[] = {
#define XLA_MATH_BINARY(function, Formula, cpu, ...) [Formula] = (cpu),
#include "xlac/lowering/math/functions.def"
};
static const double wideBounds[] = {
#define XLA_MATH_BINARY(function, Formula, cpu, vulkan, wide)                  \
  [Formula] = (wide),
#include "xlac/lowering/math/functions.def"
};

static void atan2Function(void **state) {
  binaryFunction(state, "atan2", atan2, binaryBounds[Atan2]);
}

static void powFunction(void **state) {
  binaryFunction(state, "powf", pow, binaryBounds[Pow]);
}

//===----------------------------------------------------------------------===//
// Other types and shapes
//===----------------------------------------------------------------------===//

/// Magnitudes of about one, where most changes; or any bits.
static double randomDouble(uint64_t *seed) {
  uint64_t bits = (uint64_t)next(seed) << 32 | next(seed);
  double value = (double)(int64_t)bits * 0x1p-63; // -1 .. 1
  switch (next(seed) % 6) {
  case 0:
    return value;
  case 1:
    return 1 + value / 4;
  case 2:
    return value * 50;
  case 3:
    return rint(value * 20) / 2;
  case 4:
    return value * 1e6;
  default:
    return xlaDoubleOfBits(bits);
  }
}

static const double wideSpecials[] = {
    0,    -0.0,   1,      -1,    2,      -2,       3,         -3,       0.5,
    -0.5, 2.5,    1e-310, -1e-9, 0x1p52, INFINITY, -INFINITY, NAN,      DBL_MAX,
    1e22, -1e300, 709.7,  -745,  1e-9,   0.3,      -0.7,      -DBL_MAX, 1e5};
enum { nWideSpecials = sizeof wideSpecials / sizeof *wideSpecials };

static void doubles(void **state) {
  double x[chunk], y[chunk];
  for (int i = 0; i < nUnary; ++i) {
    XlaCpuCode *code = compileUnary(*state, unary[i].op, "f64", 8);
    void (*f)(double *, double *) = xlaCpuCodeLookup(code, "f");
    double worst = 0;
    uint64_t seed = 1;
    for (uint64_t count = 0; count < UINT32_MAX; count += chunk * step) {
      for (int j = 0; j < chunk; ++j)
        x[j] =
            !count && j < nWideSpecials ? wideSpecials[j] : randomDouble(&seed);
      f(x, y);
      for (int j = 0; j < chunk; ++j) {
        long double expected = unary[i].wideReference(x[j]);
        double e = wideError(y[j], expected);
        worst = e > worst ? e : worst;
        if (!(e <= unary[i].wideBound))
          fail_msg("%s(%a) is %a, not %La", unary[i].op, x[j], y[j], expected);
      }
    }
    print_message("%-6s f64 %.3f ulp\n", unary[i].op, worst);
    xlaCpuCodeDestroy(code);
  }
}

static void pairsOfDoubles(void **state, const char *op,
                           long double (*reference)(long double, long double),
                           double bound) {
  char text[1024];
  snprintf(text, sizeof text,
           "func.func @f(%%x: memref<%dxf64>, %%y: memref<%dxf64>,\n"
           "             %%z: memref<%dxf64>) {\n"
           "  affine.for %%i = 0 to %d step 8 {\n"
           "    %%a = vector.load %%x[%%i] : memref<%dxf64>, vector<8xf64>\n"
           "    %%b = vector.load %%y[%%i] : memref<%dxf64>, vector<8xf64>\n"
           "    %%c = math.%s %%a, %%b : vector<8xf64>\n"
           "    vector.store %%c, %%z[%%i] : memref<%dxf64>, vector<8xf64>\n"
           "  }\n  return\n}",
           chunk, chunk, chunk, chunk, chunk, chunk, op, chunk);
  XlaCpuCode *code = compile(*state, text);
  void (*f)(double *, double *, double *) = xlaCpuCodeLookup(code, "f");
  double x[chunk], y[chunk], z[chunk], worst = 0;
  uint64_t seed = 1;
  for (uint64_t count = 0; count < UINT32_MAX; count += chunk * step) {
    for (int i = 0; i < chunk; ++i) {
      bool special = !count && i < nWideSpecials * nWideSpecials;
      x[i] = special ? wideSpecials[i / nWideSpecials] : randomDouble(&seed);
      y[i] = special ? wideSpecials[i % nWideSpecials] : randomDouble(&seed);
    }
    f(x, y, z);
    for (int i = 0; i < chunk; ++i) {
      long double expected = reference(x[i], y[i]);
      double e = wideError(z[i], expected);
      worst = e > worst ? e : worst;
      if (!(e <= bound))
        fail_msg("%s(%a, %a) is %a, not %La", op, x[i], y[i], z[i], expected);
    }
  }
  print_message("%-6s f64 %.3f ulp\n", op, worst);
  xlaCpuCodeDestroy(code);
}

static void atan2OfDoubles(void **state) {
  pairsOfDoubles(state, "atan2", atan2l, wideBounds[Atan2]);
}

static void powOfDoubles(void **state) {
  pairsOfDoubles(state, "powf", powl, wideBounds[Pow]);
}

/// Every bf16 and f16 argument; the result is the f32 result rounded.
static void smallFloats(void **state) {
  static const char *const types[] = {"bf16", "f16"};
  uint16_t x[chunk], y[chunk];
  for (int type = 0; type < 2; ++type)
    for (int i = 0; i < nUnary; i += 4) {
      XlaCpuCode *code = compileUnary(*state, unary[i].op, types[type], lanes);
      void (*f)(uint16_t *, uint16_t *) = xlaCpuCodeLookup(code, "f");
      for (int base = 0; base < 65536; base += chunk) {
        for (int j = 0; j < chunk; ++j)
          x[j] = (uint16_t)(base + j);
        f(x, y);
        for (int j = 0; j < chunk; ++j) {
          _Float16 in, out;
          memcpy(&in, &x[j], 2);
          memcpy(&out, &y[j], 2);
          double value =
              type ? (double)in : xlaFloatOfBits((uint32_t)x[j] << 16);
          double got =
              type ? (double)out : xlaFloatOfBits((uint32_t)y[j] << 16);
          double expected = unary[i].reference(value);
          if (isnan(expected) && isnan(got))
            continue;
          // Half a unit, and what the f32 result may be off.
          int digits = type ? 11 : 8, least = type ? -13 : -125, exponent;
          frexp(expected, &exponent);
          exponent = exponent < least ? least : exponent;
          double unit = ldexp(1, exponent - digits);
          double limit = type ? 65520 : 0x1.ffp127;
          bool overflow = fabs(expected) >= limit;
          if (overflow ? !isinf(got) : !(fabs(got - expected) <= 0.501 * unit))
            fail_msg("%s %s(%a) is %a, not %a", types[type], unary[i].op, value,
                     got, expected);
        }
      }
      xlaCpuCodeDestroy(code);
    }
}

static void shapes(void **state) {
  XlaCpuCode *code = compile(
      *state,
      "func.func @f(%x: memref<4x3xf32>, %y: memref<4x3xf32>, %s: f32) -> f32 {"
      "  %c0 = arith.constant 0 : index\n  %z = arith.constant 0.0 : f32\n"
      "  %a = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, true]} "
      ": memref<4x3xf32>, vector<4x3xf32>\n"
      "  %b = math.sin %a : vector<4x3xf32>\n"
      "  vector.transfer_write %b, %y[%c0, %c0] {in_bounds = [true, true]} : "
      "vector<4x3xf32>, memref<4x3xf32>\n"
      "  %t = math.sin %s : f32\n  return %t : f32 }");
  float (*f)(float *, float *, float) = xlaCpuCodeLookup(code, "f");
  float x[12], y[12];
  for (int i = 0; i < 12; ++i)
    x[i] = (float)i * 1e4f;
  assert_true(fabs(f(x, y, 1e30f) - sin((double)1e30f)) < 1e-6);
  for (int i = 0; i < 12; ++i)
    assert_true(fabs(y[i] - sin((double)x[i])) < 2e-7);
  xlaCpuCodeDestroy(code);
}

int main(int argc, char **argv) {
  if (argc > 1 && atoi(argv[1]) > 0)
    step = (uint64_t)atoi(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unaryFunctions), cmocka_unit_test(atan2Function),
      cmocka_unit_test(powFunction),    cmocka_unit_test(doubles),
      cmocka_unit_test(atan2OfDoubles), cmocka_unit_test(powOfDoubles),
      cmocka_unit_test(smallFloats),    cmocka_unit_test(shapes),
  };
  return cmocka_run_group_tests(tests, cpuFixtureSetUp, cpuFixtureTearDown);
}

//===- elementwise_test.c - Elementwise operations in shaders -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation of the family, on every element type that it takes, against
// the reference evaluator: all pairs of 8-bit values, all 16-bit values, all
// pairs of special values and random bits of the others. A quick run takes each
// 7th case; `vulkan_elementwise_test 1` takes all of them.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/scalar_fixture.h"
#include "xlac/test/support/unit.h"

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/lowering/linalg/scalar.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxOperands = 3, capacity = 2048 };

static int stride = 7;

static const XlaElementType types[] = {
    XlaElementTypePred, XlaElementTypeS8,   XlaElementTypeS16,
    XlaElementTypeS32,  XlaElementTypeS64,  XlaElementTypeU8,
    XlaElementTypeU16,  XlaElementTypeU32,  XlaElementTypeU64,
    XlaElementTypeF16,  XlaElementTypeBF16, XlaElementTypeF32,
    XlaElementTypeF64};
enum { nTypes = sizeof types / sizeof *types };

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

typedef struct Case {
  char text[512]; ///< of its function
  double ulps;    ///< floats may differ by so many; 0: equal
  bool bits;      ///< NaNs must have the same bits
} Case;

typedef struct Cases {
  Case *list;
  int n, seen;
} Cases;

static const char *nameOf(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->mlirName;
}

/// Function `op` of operands of `in` with result `out`; `attrs` with braces.
static void add(Cases *cases, const char *op, const char *attrs, int n,
                const XlaElementType *in, XlaElementType out, double ulps,
                bool bits) {
  if (cases->seen++ % stride)
    return;
  assert_in_range(cases->n, 0, capacity - 1);
  Case *it = &cases->list[cases->n];
  char arguments[128] = "", names[32] = "", inputs[96] = "";
  for (int i = 0; i < n; ++i) {
    size_t a = strlen(arguments), b = strlen(names), c = strlen(inputs);
    const char *comma = i ? ", " : "";
    snprintf(arguments + a, sizeof arguments - a, "%s%%a%d: tensor<%dx%s>",
             comma, i, vulkanScalars, nameOf(in[i]));
    snprintf(names + b, sizeof names - b, "%s%%a%d", comma, i);
    snprintf(inputs + c, sizeof inputs - c, "%stensor<%dx%s>", comma,
             vulkanScalars, nameOf(in[i]));
  }
  snprintf(it->text, sizeof it->text,
           "func.func @f%d(%s) -> tensor<%dx%s> {\n"
           "  %%r = xla.%s %s%s : (%s) -> tensor<%dx%s>\n"
           "  return %%r : tensor<%dx%s>\n}\n",
           cases->n, arguments, vulkanScalars, nameOf(out), op, names, attrs,
           inputs, vulkanScalars, nameOf(out), vulkanScalars, nameOf(out));
  it->ulps = ulps;
  it->bits = bits;
  ++cases->n;
}

/// How far operations may be off that are not exact; half of what lies in
/// between for types of 16 bits, whose errors show only next to ties.
static double ulpsOf(XlaOpKind kind, XlaElementType type) {
  static const double ulps[XlaOpKindCount] = {
      [XlaOpKindAcos] = 2,        [XlaOpKindAsin] = 2,
      [XlaOpKindAtan2] = 4,       [XlaOpKindCbrt] = 1,
      [XlaOpKindCosine] = 2,      [XlaOpKindErf] = 4,
      [XlaOpKindExponential] = 2, [XlaOpKindExponentialMinusOne] = 2,
      [XlaOpKindLog] = 2,         [XlaOpKindLogPlusOne] = 2,
      [XlaOpKindLogistic] = 4,    [XlaOpKindPower] = 2,
      [XlaOpKindRsqrt] = 2,       [XlaOpKindSine] = 2,
      [XlaOpKindTan] = 4,         [XlaOpKindTanh] = 4,
  };
  if (!xlaElementTypeIsFloat(type))
    return 0;
  // The evaluator's cbrt of f64 is libm's, itself off by three.
  if (type == XlaElementTypeF64 && kind == XlaOpKindCbrt)
    return 4;
  return xlaElementTypeGetInfo(type)->bits == 16 && ulps[kind] > 0 ? 1
                                                                   : ulps[kind];
}

static void addUniform(Cases *cases, XlaOpKind kind, XlaElementType type) {
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  const XlaElementType in[3] = {type, type, type};
  if (info->family != XlaFamilyElementwise || info->maxOperands > 2 ||
      info->devices == XlaOpDevicesFormula || // written as others before
      kind == XlaOpKindConvert || kind == XlaOpKindReducePrecision ||
      kind == XlaOpKindCompare || kind == XlaOpKindComplex ||
      !(info->typeClasses & xlaElementTypeGetInfo(type)->typeClass))
    return;
  add(cases, info->name, "", info->maxOperands, in,
      kind == XlaOpKindIsFinite ? XlaElementTypePred : type, ulpsOf(kind, type),
      false);
}

static void addCompare(Cases *cases, XlaElementType type, bool total) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  const XlaElementType in[2] = {type, type};
  for (int d = 0; d < 6; ++d) {
    char attrs[96];
    snprintf(attrs, sizeof attrs, " {comparison_direction = \"%s\"%s}",
             directions[d], total ? ", compare_type = \"TOTALORDER\"" : "");
    add(cases, "compare", attrs, 2, in, XlaElementTypePred, 0, true);
  }
}

static void addReducePrecision(Cases *cases, XlaElementType type) {
  static const int formats[][2] = {{5, 10}, {8, 7}, {4, 3}, {2, 1}, {11, 52}};
  for (int i = 0; i < 5; ++i) {
    char attrs[96];
    snprintf(attrs, sizeof attrs,
             " {exponent_bits = %d : i64, mantissa_bits = %d : i64}",
             formats[i][0], formats[i][1]);
    add(cases, "reduce_precision", attrs, 1, &type, type, 0, false);
  }
}

static Cases allCases(void) {
  Cases cases = {calloc(capacity, sizeof *cases.list), 0, 0};
  assert_non_null(cases.list);
  for (int t = 0; t < nTypes; ++t) {
    XlaElementType type = types[t];
    bool isFloat = xlaElementTypeIsFloat(type);
    for (XlaOpKind kind = 1; kind < XlaOpKindCount; ++kind)
      addUniform(&cases, kind, type);
    addCompare(&cases, type, false);
    if (isFloat) {
      addCompare(&cases, type, true);
      addReducePrecision(&cases, type);
    }
    const XlaElementType three[3] = {type, type, type};
    const XlaElementType pick[3] = {XlaElementTypePred, type, type};
    add(&cases, "clamp", "", 3, three, type, 0, false);
    add(&cases, "select", "", 3, pick, type, 0, true);
    for (int to = 0; to < nTypes; ++to) {
      add(&cases, "convert", "", 1, &type, types[to], 0, false);
      if (xlaElementTypeGetInfo(type)->bits ==
          xlaElementTypeGetInfo(types[to])->bits)
        add(&cases, "bitcast_convert", "", 1, &type, types[to], 0, true);
    }
  }
  return cases;
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

static const double floatSpecials[] = {
    0.0,    -0.0,  1.0,    -1.0,    INFINITY,   -INFINITY, NAN,    0.5,
    -0.5,   1.5,   2.5,    -2.5,    3.0,        -3.0,      1e-3,   -1e-3,
    127.0,  128.0, -128.5, 255.5,   65504.0,    -65520.0,  1e6,    2147483647.0,
    -2.2e9, 4.3e9, 9.3e18, -9.3e18, 1.9e19,     1e-40,     -1e-40, 3.4e38,
    6e-8,   88.0,  -88.5,  1e300,   0.49999997, 1e-310,    1e22,   -7e5};
enum { nFloatSpecials = sizeof floatSpecials / sizeof *floatSpecials };

static const int64_t integerSpecials[] = {0,
                                          1,
                                          -1,
                                          2,
                                          -2,
                                          3,
                                          5,
                                          7,
                                          8,
                                          -8,
                                          15,
                                          16,
                                          31,
                                          32,
                                          63,
                                          64,
                                          100,
                                          127,
                                          128,
                                          -128,
                                          255,
                                          32767,
                                          -32768,
                                          65535,
                                          INT32_MAX,
                                          INT32_MIN,
                                          UINT32_MAX,
                                          INT64_MAX,
                                          INT64_MIN,
                                          INT64_MIN + 1,
                                          16777217,
                                          -16777217,
                                          INT64_C(0x0123456789abcdef),
                                          INT64_C(0x7fffff8000000001),
                                          INT64_C(-0x7fffffbfffffffff)};
enum { nIntegerSpecials = sizeof integerSpecials / sizeof *integerSpecials };

static uint64_t randomBits(void) {
  static uint64_t x = 88172645463325252u;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x * 0x2545F4914F6CDD1Du;
}

/// Operand `argument` at `i`, so that two operands meet in all pairs.
static void fillElement(XlaLiteral *literal, int64_t i, int argument) {
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  char *data = xlaLiteralGetMutableData(literal);
  bool isFloat = xlaElementTypeIsFloat(type);
  int64_t n = isFloat ? nFloatSpecials : nIntegerSpecials;
  int64_t at = argument == 0 ? i % n : argument == 1 ? i / n : i / 7 % n;
  uint64_t bits = randomBits();
  if (info->bits == 8)
    bits = (uint64_t)(argument == 0 ? i : argument == 1 ? i >> 8 : i * 37);
  else if (info->bits == 16 && argument == 0)
    bits = (uint64_t)i;
  if (type == XlaElementTypePred) {
    data[i] = (char)(i >> argument & 1);
  } else if (info->bits > 8 && (info->bits > 16 || argument) && i < n * n) {
    xlaLiteralSet(literal, i,
                  isFloat ? (XlaScalar){.f = {floatSpecials[at], 0}}
                          : (XlaScalar){.s = integerSpecials[at]});
  } else {
    // Magnitudes of about one in half of the random floats of 32 and 64 bits.
    if (isFloat && info->bits > 16 && bits >> 63 & argument)
      xlaLiteralSet(literal, i,
                    (XlaScalar){.f = {(double)(int64_t)bits * 0x1p-60, 0}});
    else
      memcpy(data + i * info->bytes, &bits, (size_t)info->bytes);
  }
}

/// Floats as integers in their order.
static int64_t orderOf(const XlaElementTypeInfo *info, const void *bytes) {
  uint64_t raw = 0;
  memcpy(&raw, bytes, (size_t)info->bytes);
  uint64_t top = UINT64_C(1) << (info->bits - 1);
  return raw & top ? -(int64_t)(raw & ~top) : (int64_t)raw;
}

static bool matches(const Case *it, XlaElementType type, const void *expected,
                    const void *actual) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (!memcmp(expected, actual, (size_t)info->bytes))
    return true;
  if (!xlaElementTypeIsFloat(type) || it->bits)
    return false;
  double e = xlaScalarLoad(type, expected).f.re;
  double a = xlaScalarLoad(type, actual).f.re;
  if (isnan(e) || isnan(a))
    return isnan(e) && isnan(a);
  // The evaluator's logistic overflows on its way where these are results.
  if (it->ulps > 0 && e == 0 && fabs(a) < DBL_MIN &&
      strstr(it->text, "xla.logistic"))
    return true;
  // Neither f64 nor, between signs, an int64_t holds all differences.
  int64_t p = orderOf(info, expected), q = orderOf(info, actual);
  uint64_t distance =
      p > q ? (uint64_t)p - (uint64_t)q : (uint64_t)q - (uint64_t)p;
  return distance <= (uint64_t)it->ulps;
}

static int mismatch(const Case *it, int n, XlaLiteral *const *inputs,
                    const XlaLiteral *expected, const void *actual, int64_t i) {
  XlaElementType type = xlaLiteralGetShape(expected)->elementType;
  bool isFloat = xlaElementTypeIsFloat(type);
  print_message("%s", it->text);
  for (int k = 0; k < n; ++k) {
    XlaScalar x = xlaLiteralGet(inputs[k], i);
    bool f = xlaElementTypeIsFloat(xlaLiteralGetShape(inputs[k])->elementType);
    print_message("operand %d: %a %lld\n", k, f ? x.f.re : 0, (long long)x.s);
  }
  XlaScalar e = xlaLiteralGet(expected, i);
  XlaScalar a = xlaScalarLoad(type, (const char *)actual +
                                        i * xlaElementTypeGetInfo(type)->bytes);
  print_message("element %lld: expected %a %lld, got %a %lld\n", (long long)i,
                isFloat ? e.f.re : 0, (long long)e.s, isFloat ? a.f.re : 0,
                (long long)a.s);
  return 1;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static XlaElementType elementOf(MlirValue value) {
  XlaShape shape;
  assert_true(xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL));
  return shape.elementType;
}

static MlirValue body(XlaIr *ir, const MlirValue *operands, void *user) {
  MlirOperation op = *(MlirOperation *)user;
  MlirValue x[maxOperands];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    x[i] = xlaScalarFromMemory(ir, elementOf(mlirOperationGetOperand(op, i)),
                               operands[i]);
  MlirValue value = xlaLowerScalar(ir, op, x);
  if (mlirValueIsNull(value))
    fail_msg("an operation is not lowered");
  return xlaScalarToMemory(ir, elementOf(mlirOperationGetResult(op, 0)), value);
}

static MlirOperation opOf(MlirOperation function) {
  return mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

static void makeShader(MlirModule shaders, int index, MlirOperation function) {
  MlirContext context = mlirModuleGetContext(shaders);
  MlirOperation op = opOf(function);
  MlirType in[maxOperands];
  int n = (int)mlirOperationGetNumOperands(op);
  char name[32];
  snprintf(name, sizeof name, "shader%d", index);
  for (int i = 0; i < n; ++i)
    in[i] =
        xlaScalarMemoryType(elementOf(mlirOperationGetOperand(op, i)), context);
  MlirType out =
      xlaScalarMemoryType(elementOf(mlirOperationGetResult(op, 0)), context);
  vulkanScalarShader(shaders, name, n, in, out, 1, body, &op);
}

static int runCase(XlaVulkanDevice *device, const Case *it,
                   XlaEvaluator *evaluator, MlirOperation function,
                   const XlaVulkanWords *words) {
  MlirOperation op = opOf(function);
  int n = (int)mlirOperationGetNumOperands(op), bytes[maxOperands], bad = 0;
  XlaLiteral *inputs[maxOperands], *expected;
  void *data[maxOperands];
  for (int k = 0; k < n; ++k) {
    XlaShape shape;
    xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, k)), &shape,
                     NULL);
    inputs[k] = xlaLiteralCreateArray(&shape);
    assert_non_null(inputs[k]);
    for (int64_t i = 0; i < vulkanScalars; ++i)
      fillElement(inputs[k], i, k);
    bytes[k] = xlaElementTypeGetInfo(shape.elementType)->bytes;
    data[k] = xlaLiteralGetMutableData(inputs[k]);
  }
  if (mlirLogicalResultIsFailure(
          xlaEvaluatorRun(evaluator, function, n,
                          (const XlaLiteral *const *)inputs, 1, &expected)))
    fail_msg("the evaluator failed");
  XlaElementType type = xlaLiteralGetShape(expected)->elementType;
  int size = xlaElementTypeGetInfo(type)->bytes;
  char *actual = calloc(vulkanScalars, (size_t)size);
  assert_non_null(actual);
  vulkanScalarRun(device, words, 1, n, data, bytes, actual, size);
  for (int64_t i = 0; i < vulkanScalars && !bad; ++i)
    if (!matches(it, type, (const char *)xlaLiteralGetData(expected) + i * size,
                 actual + i * size))
      bad = mismatch(it, n, inputs, expected, actual, i);
  for (int k = 0; k < n; ++k)
    xlaLiteralRelease(inputs[k]);
  xlaLiteralRelease(expected);
  free(actual);
  return bad;
}

static MlirModule parse(VulkanFixture *fixture, const Cases *cases) {
  size_t size = (size_t)cases->n * sizeof cases->list->text + 1, at = 0;
  char *text = calloc(size, 1);
  assert_non_null(text);
  for (int i = 0; i < cases->n; ++i)
    at += (size_t)snprintf(text + at, size - at, "%s", cases->list[i].text);
  MlirModule module = mlirModuleCreateParse(
      fixture->context, mlirStringRefCreateFromCString(text));
  free(text);
  if (mlirModuleIsNull(module))
    fail_msg("the cases do not parse: %s", fixture->error);
  return module;
}

static void runAll(void **state, void (*change)(XlaVulkanInfo *info)) {
  XlaVulkanDevice *device = vulkanDevice(state);
  VulkanFixture fixture;
  vulkanFixtureInit(&fixture);
  fixture.info = *xlaVulkanDeviceGetInfo(device);
  if (change)
    change(&fixture.info);
  Cases cases = allCases();
  MlirModule module = parse(&fixture, &cases);
  MlirModule shaders =
      mlirModuleCreateEmpty(mlirLocationUnknownGet(fixture.context));
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (int i = 0; i < cases.n;
       ++i, function = mlirOperationGetNextInBlock(function))
    makeShader(shaders, i, function);
  intptr_t n;
  XlaVulkanWords *words = vulkanScalarCompile(&fixture, shaders, &n);
  assert_int_equal(n, cases.n);
  XlaEvaluator *evaluator = xlaEvaluatorCreate(
      mlirModuleGetOperation(module), &(XlaEvaluatorOptions){.maxBytes = 0});
  assert_non_null(evaluator);
  function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  int bad = 0;
  for (int i = 0; i < cases.n;
       ++i, function = mlirOperationGetNextInBlock(function))
    bad += runCase(device, &cases.list[i], evaluator, function, &words[i]);
  if (bad)
    fail_msg("%d of %d operations are wrong", bad, cases.n);
  xlaEvaluatorDestroy(evaluator);
  xlaVulkanWordsFree(words, n);
  mlirModuleDestroy(module);
  free(cases.list);
  vulkanFixtureDestroy(&fixture);
}

static void ofTheDevice(void **state) { runAll(state, NULL); }

/// As on a device that loads and stores small types but does not compute in
/// them.
static void computeIn32(XlaVulkanInfo *info) {
  info->i8 = info->i16 = info->f16 = false;
}

static void withoutSmallTypes(void **state) { runAll(state, computeIn32); }

/// The type that a device lacks is named; others are not refused.
static void refusedTypes(void **state) {
  VulkanFixture fixture;
  vulkanFixtureInit(&fixture);
  static const struct {
    XlaElementType from, to;
    const char *why;
  } rows[] = {
      {XlaElementTypeF64, XlaElementTypeF64, "64-bit floats (shaderFloat64)"},
      {XlaElementTypeS32, XlaElementTypeBF16,
       "16-bit values in memory (storageBuffer16BitAccess)"},
      {XlaElementTypeU64, XlaElementTypeS32, "64-bit integers (shaderInt64)"},
      {XlaElementTypeS32, XlaElementTypePred,
       "8-bit values in memory (storageBuffer8BitAccess)"},
      {XlaElementTypeF16, XlaElementTypeF32,
       "16-bit values in memory (storageBuffer16BitAccess)"},
      {XlaElementTypeF32, XlaElementTypeU32, NULL},
  };
  enum { nRows = sizeof rows / sizeof *rows };
  Cases cases = {calloc(nRows, sizeof *cases.list), 0, 0};
  assert_non_null(cases.list);
  for (int i = 0; i < nRows; ++i, cases.seen = 0)
    add(&cases, "convert", "", 1, &rows[i].from, rows[i].to, 0, false);
  MlirModule module = parse(&fixture, &cases);
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  XlaVulkanInfo poor = {.f64 = false};
  for (int i = 0; i < nRows;
       ++i, function = mlirOperationGetNextInBlock(function)) {
    const char *why = xlaVulkanWhyNotOp(opOf(function), &poor);
    if (rows[i].why && why)
      assert_string_equal(why, rows[i].why);
    assert_int_equal(rows[i].why == NULL, why == NULL);
    assert_null(xlaVulkanWhyNotOp(opOf(function), &fixture.info));
  }
  mlirModuleDestroy(module);
  free(cases.list);
  vulkanFixtureDestroy(&fixture);
}

int main(int argc, char **argv) {
  if (argc > 1 && atoi(argv[1]) > 0)
    stride = atoi(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ofTheDevice),
      cmocka_unit_test(withoutSmallTypes),
      cmocka_unit_test(refusedTypes),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}

//===- scalar_program_test.c - Programs against running the region --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random regions of scalar operations, on random bit patterns: the scalar
// program must give the bits that the evaluator gives, op by op over literals.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/interpret/scalar/program.h"

#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Random {
  uint64_t state;
} Random;

static uint64_t draw(Random *random) { // xorshift64*
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return random->state * 0x2545F4914F6CDD1Du;
}

static unsigned below(Random *random, unsigned n) {
  return (unsigned)(draw(random) >> 33) % n;
}

static int setUp(void **state) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaDialectRegister(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  *state = malloc(sizeof context);
  assert_non_null(*state);
  memcpy(*state, &context, sizeof context);
  return 0;
}

static int tearDown(void **state) {
  mlirContextDestroy(*(MlirContext *)*state);
  free(*state);
  return 0;
}

//===----------------------------------------------------------------------===//
// Random regions
//===----------------------------------------------------------------------===//

enum { nArguments = 8, nTypes = 4, most = 32 };

typedef struct Writer {
  char text[32768];
  size_t length;
  XlaElementType types[nArguments + most]; // of %0, %1 ..
  int n;
} Writer;

__attribute__((format(printf, 2, 3))) static void
append(Writer *writer, const char *format, ...) {
  va_list args;
  va_start(args, format);
  writer->length +=
      (size_t)vsnprintf(writer->text + writer->length,
                        sizeof writer->text - writer->length, format, args);
  va_end(args);
  assert_true(writer->length < sizeof writer->text);
}

static const char *nameOf(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->mlirName;
}

/// A value of this type, or -1.
static int pick(const Writer *writer, Random *random, XlaElementType type) {
  int first = (int)below(random, (unsigned)writer->n);
  for (int i = 0; i < writer->n; ++i) {
    int value = (first + i) % writer->n;
    if (writer->types[value] == type)
      return value;
  }
  return -1;
}

static void appendConvert(Writer *writer, Random *random, XlaElementType to) {
  int value = (int)below(random, (unsigned)writer->n);
  append(writer, "  %%%d = xla.convert %%%d : (tensor<%s>) -> tensor<%s>\n",
         writer->n, value, nameOf(writer->types[value]), nameOf(to));
  writer->types[writer->n++] = to;
}

static void appendCompare(Writer *writer, Random *random) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  static const char *const order = ", compare_type = \"TOTALORDER\"";
  int a = (int)below(random, (unsigned)writer->n);
  int b = pick(writer, random, writer->types[a]);
  bool equality = xlaElementTypeIsComplex(writer->types[a]);
  bool total = xlaElementTypeIsFloat(writer->types[a]) && below(random, 2);
  append(writer,
         "  %%%d = xla.compare %%%d, %%%d {comparison_direction = \"%s\"%s} : "
         "(tensor<%s>, tensor<%s>) -> tensor<i1>\n",
         writer->n, a, b, directions[below(random, equality ? 2 : 6)],
         total ? order : "", nameOf(writer->types[a]),
         nameOf(writer->types[a]));
  writer->types[writer->n++] = XlaElementTypePred;
}

/// An operation of this kind on operands of one type, if there are any.
static void appendOp(Writer *writer, Random *random, XlaOpKind kind) {
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  int a = (int)below(random, (unsigned)writer->n);
  XlaElementType type = writer->types[a], result = type;
  int pred = pick(writer, random, XlaElementTypePred);
  if (!(xlaElementTypeGetInfo(type)->typeClass & info->typeClasses))
    return;
  if (kind == XlaOpKindComplex && type != XlaElementTypeF32 &&
      type != XlaElementTypeF64)
    return;
  if (kind == XlaOpKindSelect) {
    append(writer,
           "  %%%d = xla.select %%%d, %%%d, %%%d : (tensor<i1>, tensor<%s>, "
           "tensor<%s>) -> tensor<%s>\n",
           writer->n, pred, a, pick(writer, random, type), nameOf(type),
           nameOf(type), nameOf(type));
  } else if (kind == XlaOpKindReducePrecision) {
    append(writer,
           "  %%%d = xla.reduce_precision %%%d {exponent_bits = %u : i64, "
           "mantissa_bits = %u : i64} : tensor<%s>\n",
           writer->n, a, 1 + below(random, 12), below(random, 60),
           nameOf(type));
  } else {
    if (kind == XlaOpKindIsFinite)
      result = XlaElementTypePred;
    if (kind == XlaOpKindAbs || kind == XlaOpKindReal || kind == XlaOpKindImag)
      result = xlaElementTypeReal(type);
    if (kind == XlaOpKindComplex)
      result =
          type == XlaElementTypeF32 ? XlaElementTypeC64 : XlaElementTypeC128;
    append(writer, "  %%%d = \"xla.%s\"(", writer->n, info->name);
    for (int i = 0; i < info->minOperands; ++i)
      append(writer, "%s%%%d", i ? ", " : "",
             i ? pick(writer, random, type) : a);
    append(writer, ") : (");
    for (int i = 0; i < info->minOperands; ++i)
      append(writer, "%stensor<%s>", i ? ", " : "", nameOf(type));
    append(writer, ") -> tensor<%s>\n", nameOf(result));
  }
  writer->types[writer->n++] = result;
}

static bool isElementwise(XlaOpKind kind) {
  return xlaOpGetInfo(kind)->family == XlaFamilyElementwise;
}

static void appendValues(Writer *writer, const char *prefix, int n) {
  for (int i = 0; i < n; ++i)
    append(writer, "%s%s%d", i ? ", " : "", prefix, i);
}

static void appendTypes(Writer *writer, const char *prefix, int n) {
  for (int i = 0; i < n; ++i) {
    append(writer, "%s", i ? ", " : "");
    if (*prefix)
      append(writer, "%s%d: ", prefix, i);
    append(writer, "tensor<%s>", nameOf(writer->types[i]));
  }
}

/// The last value of each argument's type; a second argument of the type gets
/// the one before.
static void appendReturn(Writer *writer) {
  bool used[nArguments + most] = {false};
  append(writer, "  xla.return ");
  for (int i = 0; i < nArguments; ++i) {
    int value = writer->n - 1;
    while (used[value] || writer->types[value] != writer->types[i])
      --value;
    used[value] = true;
    append(writer, "%s%%%d", i ? ", " : "", value);
  }
  append(writer, " : ");
  appendTypes(writer, "", nArguments);
  append(writer, "\n");
}

/// A loop with a random body: an operation whose region takes and returns
/// scalars of several types.
static void writeProgram(Writer *writer, Random *random) {
  XlaElementType types[nTypes] = {XlaElementTypePred};
  writer->length = 0;
  writer->n = 0;
  for (int i = 1; i < nTypes; ++i)
    types[i] = (XlaElementType)(1 + below(random, XlaElementTypeCount - 1));
  for (int i = 0; i < nArguments; ++i) {
    XlaElementType type = types[i % nTypes];
    bool isComplex = xlaElementTypeIsComplex(type);
    bool isFloat = xlaElementTypeIsFloat(type);
    writer->types[writer->n++] = type;
    append(writer, "%%c%d = xla.constant dense<%s> : tensor<%s>\n", i,
           isComplex    ? "(1.0, 1.0)"
           : isFloat    ? "1.0"
           : i % nTypes ? "0"
                        : "false",
           nameOf(type));
  }
  append(writer, "%%r:%d = \"xla.while\"(", nArguments);
  appendValues(writer, "%c", nArguments);
  append(writer, ") ({\n^bb0(");
  appendTypes(writer, "%", nArguments);
  append(writer, "):\n  xla.return %%0 : tensor<i1>\n}, {\n^bb0(");
  appendTypes(writer, "%", nArguments);
  append(writer, "):\n");
  while (writer->n < nArguments + most) {
    XlaOpKind kind = (XlaOpKind)(1 + below(random, XlaOpKindCount - 1));
    if (kind == XlaOpKindConvert)
      appendConvert(writer, random, types[below(random, nTypes)]);
    else if (kind == XlaOpKindCompare)
      appendCompare(writer, random);
    else if (isElementwise(kind))
      appendOp(writer, random, kind);
  }
  appendReturn(writer);
  append(writer, "}) : (");
  appendTypes(writer, "", nArguments);
  append(writer, ") -> (");
  appendTypes(writer, "", nArguments);
  append(writer, ")\n");
}

static MlirOperation findWhile(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (xlaOpGetKind(op) != XlaOpKindWhile)
    op = mlirOperationGetNextInBlock(op);
  return op;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Random bits, or a value near the corners of the type.
static XlaLiteral *randomScalar(Random *random, XlaElementType type) {
  XlaShape shape = {.elementType = type};
  XlaLiteral *literal = xlaLiteralCreateArray(&shape);
  assert_non_null(literal);
  unsigned char bytes[16];
  for (int i = 0; i < 16; ++i)
    bytes[i] = (unsigned char)(below(random, 3)   ? draw(random) >> 40
                               : below(random, 2) ? 0xff
                                                  : 0);
  if (below(random, 2))
    xlaLiteralSet(literal, 0, xlaScalarLoad(type, bytes));
  else // small numbers, which most functions are made for
    xlaLiteralSet(literal, 0,
                  xlaElementTypeIsInteger(type) || type == XlaElementTypePred
                      ? (XlaScalar){.s = (int64_t)below(random, 9) - 4}
                      : (XlaScalar){.f = {below(random, 17) / 4.0 - 2,
                                          below(random, 5) / 2.0 - 1}});
  return literal;
}

/// One input through both paths.
static void compareOnce(XlaScalarProgram *program, XlaEvaluator *evaluator,
                        MlirRegion region, const Writer *writer,
                        Random *random) {
  XlaLiteral *args[nArguments], *expected[nArguments] = {NULL};
  XlaScalar values[nArguments];
  for (int i = 0; i < nArguments; ++i) {
    args[i] = randomScalar(random, writer->types[i]);
    values[i] = xlaLiteralGet(args[i], 0);
  }
  assert_true(mlirLogicalResultIsSuccess(xlaEvaluatorRunRegion(
      evaluator, region, nArguments, (const XlaLiteral *const *)args,
      nArguments, expected)));
  xlaScalarProgramRun(program, values, values);
  for (int i = 0; i < nArguments; ++i) {
    unsigned char bytes[16];
    size_t size = xlaLiteralGetByteCount(expected[i]);
    xlaScalarStore(writer->types[i], bytes, values[i]);
    if (memcmp(bytes, xlaLiteralGetData(expected[i]), size) != 0) {
      print_message("%s\n", writer->text);
      fail_msg("result %d differs", i);
    }
    xlaLiteralRelease(args[i]);
    xlaLiteralRelease(expected[i]);
  }
}

static void testRandomRegions(void **state) {
  MlirContext context = *(MlirContext *)*state;
  Random random = {20261121};
  Writer *writer = malloc(sizeof *writer);
  assert_non_null(writer);
  for (int i = 0; i < 600; ++i) {
    writeProgram(writer, &random);
    MlirModule module = mlirModuleCreateParse(
        context, mlirStringRefCreateFromCString(writer->text));
    if (mlirModuleIsNull(module))
      fail_msg("does not parse:\n%s", writer->text);
    MlirRegion region = mlirOperationGetRegion(findWhile(module), 1);
    XlaEvaluatorOptions options = {.maxSteps = 0};
    XlaEvaluator *evaluator =
        xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
    XlaScalarProgram *program = xlaScalarProgramCreate(region, evaluator);
    assert_non_null(program);
    assert_int_equal(xlaScalarProgramGetArgumentCount(program), nArguments);
    assert_int_equal(xlaScalarProgramGetResultCount(program), nArguments);
    assert_int_equal(xlaScalarProgramGetLength(program), most);
    for (int k = 0; k < 20; ++k)
      compareOnce(program, evaluator, region, writer, &random);
    xlaScalarProgramDestroy(program);
    xlaEvaluatorDestroy(evaluator);
    mlirModuleDestroy(module);
  }
  free(writer);
}

static MlirRegion parseBody(MlirContext context, const char *body,
                            MlirModule *module) {
  char text[2048];
  snprintf(text, sizeof text,
           "%%x = xla.constant dense<1.5> : tensor<f32>\n"
           "%%v = xla.constant dense<1.5> : tensor<2xf32>\n"
           "%%y = xla.negate %%x : tensor<f32>\n"
           "%%r = xla.while(%%x) ({\n^bb0(%%a: tensor<f32>):\n"
           "  %%p = xla.is_finite %%a : (tensor<f32>) -> tensor<i1>\n"
           "  xla.return %%p : tensor<i1>\n"
           "}, {\n^bb0(%%a: tensor<f32>):\n%s\n}) : (tensor<f32>) -> "
           "tensor<f32>\n",
           body);
  *module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(*module));
  return mlirOperationGetRegion(findWhile(*module), 1);
}

/// Constants inside and outside, and scalars that move without a change.
static void testOuterConstants(void **state) {
  MlirModule module;
  MlirRegion region = parseBody(
      *(MlirContext *)*state,
      "%c = xla.constant dense<2.0> : tensor<f32>\n"
      "%b = xla.multiply %a, %c : tensor<f32>\n"
      "%d = xla.reshape %b : tensor<f32>\n"
      "%e = xla.broadcast_in_dim %d {broadcast_dimensions = array<i64>} : "
      "tensor<f32>\n"
      "%f = xla.add %e, %x : tensor<f32>\n"
      "xla.return %f : tensor<f32>",
      &module);
  XlaScalarProgram *program = xlaScalarProgramCreate(region, NULL);
  assert_non_null(program);
  assert_int_equal(xlaScalarProgramGetLength(program), 2);
  XlaScalar value = {.f = {4, 0}};
  xlaScalarProgramRun(program, &value, &value);
  assert_true(value.f.re == 9.5);
  xlaScalarProgramDestroy(program);
  mlirModuleDestroy(module);
}

static void testRefused(void **state) {
  static const char *const bodies[] = {
      // a value from outside that nobody has computed
      "%b = xla.add %a, %y : tensor<f32>",
      // an array, from inside and from outside
      "%b = xla.reshape %a : (tensor<f32>) -> tensor<1xf32>",
      "%b = xla.add %v, %v : tensor<2xf32>",
      // an effect
      "xla.custom_call %a {call_target_name = \"f\"} : (tensor<f32>) -> ()",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
    MlirModule module;
    char body[256];
    snprintf(body, sizeof body, "%s\nxla.return %%a : tensor<f32>", bodies[i]);
    MlirRegion region = parseBody(*(MlirContext *)*state, body, &module);
    assert_null(xlaScalarProgramCreate(region, NULL));
    mlirModuleDestroy(module);
  }
}

/// Every pattern of the narrow types, and random ones of the wide, survives
/// loading and storing: NaN payloads, signs of zero.
static void testBitsSurvive(void **state) {
  (void)state;
  Random random = {7};
  for (XlaElementType t = XlaElementTypeInvalid + 1; t < XlaElementTypeCount;
       ++t) {
    const XlaElementTypeInfo *info = xlaElementTypeGetInfo(t);
    bool narrow = info->bits <= 16;
    uint64_t count = narrow ? UINT64_C(1) << info->bits : 100000;
    for (uint64_t i = 0; i < count; ++i) {
      // Every third wide float has the exponent of NaNs.
      uint64_t high = i % 3 ? 0 : UINT64_C(0x7ff000007f800000);
      uint64_t in[2] = {narrow ? i : draw(&random) | high,
                        draw(&random) | high};
      uint64_t out[2] = {0, 0};
      bool integer =
          !(info->typeClass & (XlaTypeClassFloat | XlaTypeClassComplex));
      if (integer && info->bits < 8 && t != XlaElementTypePred &&
          info->typeClass == XlaTypeClassSigned)
        in[0] = (uint64_t)((int64_t)(in[0] << (64 - info->bits)) >>
                           (64 - info->bits));
      xlaScalarStore(t, out, xlaScalarLoad(t, in));
      if (memcmp(in, out, (size_t)info->bytes) != 0)
        fail_msg("%s: %llx became %llx", info->name, (unsigned long long)in[0],
                 (unsigned long long)out[0]);
    }
  }
}

/// Rounding is storing and loading, for any bits.
static void testRound(void **state) {
  (void)state;
  Random random = {11};
  for (XlaElementType t = XlaElementTypeInvalid + 1; t < XlaElementTypeCount;
       ++t)
    for (int i = 0; i < 20000; ++i) {
      uint64_t bits[2] = {draw(&random) >> below(&random, 64), draw(&random)};
      XlaScalar value;
      memcpy(&value, bits, sizeof value);
      char bytes[16];
      xlaScalarStore(t, bytes, value);
      XlaScalar stored = xlaScalarLoad(t, bytes);
      XlaScalar rounded = xlaScalarRound(t, value);
      assert_memory_equal(&stored, &rounded, sizeof stored);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(testRandomRegions, setUp, tearDown),
      cmocka_unit_test_setup_teardown(testOuterConstants, setUp, tearDown),
      cmocka_unit_test_setup_teardown(testRefused, setUp, tearDown),
      cmocka_unit_test(testBitsSurvive),
      cmocka_unit_test(testRound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

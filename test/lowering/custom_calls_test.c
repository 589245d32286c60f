//===- custom_calls_test.c - Functions that programs call -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom calls take and give arrays whose sizes only a run tells, in tuples
// too, on the CPU and, where there is one, on a Vulkan device.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/machine.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/Diagnostics.h"

#include <stdlib.h>
#include <string.h>

typedef struct State {
  Machine machine;
  char text[1000]; ///< of diagnostics, all in one
  int64_t excess;  ///< what the function gives too much
} State;

/// Gives the positive elements of an array.
static XlaLiteral *positive(const XlaLiteral *array, int64_t excess) {
  XlaShape shape = {.elementType = XlaElementTypeF32, .rank = 1};
  int64_t n = xlaLiteralGetElementCount(array), k = 0;
  for (int64_t i = 0; i < n; ++i)
    shape.dims[0] += xlaLiteralGet(array, i).f.re > 0;
  shape.dims[0] += excess;
  XlaLiteral *result = xlaLiteralCreateArray(&shape);
  for (int64_t i = 0; i < n; ++i)
    if (xlaLiteralGet(array, i).f.re > 0)
      xlaLiteralSet(result, k++, xlaLiteralGet(array, i));
  return result;
}

/// "positive" of an array, or "pair" of a tuple of one, a token and one.
static MlirLogicalResult hook(MlirOperation op, MlirStringRef target,
                              intptr_t nOperands,
                              const XlaLiteral *const *operands,
                              intptr_t nResults, XlaLiteral **results,
                              void *user) {
  State *s = user;
  assert_int_equal(nOperands, 1);
  assert_int_equal(nResults, 1);
  assert_int_equal(mlirOperationGetNumOperands(op), 1);
  assert_int_equal(mlirOperationGetNumResults(op), 1);
  if (target.data[1] == 'o') {
    results[0] = positive(operands[0], s->excess);
    return mlirLogicalResultSuccess();
  }
  assert_int_equal(xlaLiteralGetTupleSize(operands[0]), 3);
  XlaLiteral *elements[2];
  for (int i = 0; i < 2; ++i)
    elements[i] = positive(xlaLiteralGetTupleElement(operands[0], 2 * i), 0);
  results[0] = xlaLiteralTakeTuple(2, elements);
  return mlirLogicalResultSuccess();
}

static const char one[] =
    "func.func @main(%x: tensor<6xf32>, %n: tensor<i32>) -> "
    "(tensor<f32>, tensor<i32>) {\n"
    "%d = xla.set_dimension_size %x, %n {dimension = 0 : i64} : "
    "(tensor<6xf32>, tensor<i32>) -> "
    "tensor<?xf32, #xla.array<bounds = [6]>>\n"
    "%p = xla.custom_call %d {call_target_name = \"positive\"} : "
    "(tensor<?xf32, #xla.array<bounds = [6]>>) -> "
    "tensor<?xf32, #xla.array<bounds = [6]>>\n";
static const char pair[] =
    "func.func @main(%x: tensor<6xf32>, %n: tensor<i32>) -> "
    "(tensor<f32>, tensor<i32>) {\n"
    "%d = xla.set_dimension_size %x, %n {dimension = 0 : i64} : "
    "(tensor<6xf32>, tensor<i32>) -> "
    "tensor<?xf32, #xla.array<bounds = [6]>>\n"
    "%k = xla.create_token : () -> !xla.token\n"
    "%t = xla.tuple %x, %k, %d : (tensor<6xf32>, !xla.token, "
    "tensor<?xf32, #xla.array<bounds = [6]>>) -> tuple<tensor<6xf32>, "
    "!xla.token, tensor<?xf32, #xla.array<bounds = [6]>>>\n"
    "%r = xla.custom_call %t {call_target_name = \"pair\"} : "
    "(tuple<tensor<6xf32>, !xla.token, "
    "tensor<?xf32, #xla.array<bounds = [6]>>>) -> "
    "tuple<tensor<3xf32>, tensor<?xf32, #xla.array<bounds = [6]>>>\n"
    "%p = xla.get_tuple_element %r {index = 1 : i64} : (tuple<tensor<3xf32>, "
    "tensor<?xf32, #xla.array<bounds = [6]>>>) -> "
    "tensor<?xf32, #xla.array<bounds = [6]>>\n";
static const char rest[] =
    "%zero = xla.constant dense<0.0> : tensor<f32>\n"
    "%s = xla.reduce(%p, %zero) ({\n"
    "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "  %c = xla.add %a, %b : tensor<f32>\n"
    "  xla.return %c : tensor<f32>\n"
    "}) {dimensions = array<i64: 0>} : "
    "(tensor<?xf32, #xla.array<bounds = [6]>>, tensor<f32>) -> tensor<f32>\n"
    "%m = xla.get_dimension_size %p {dimension = 0 : i64} : "
    "(tensor<?xf32, #xla.array<bounds = [6]>>) -> tensor<i32>\n"
    "return %s, %m : tensor<f32>, tensor<i32>\n"
    "}\n";

/// Compiles the program and runs it with the first `n` of six elements.
static bool run(State *s, const char *begin, XlaVulkanDevice *vulkan, int32_t n,
                float *sum, int32_t *size) {
  char text[4000] = "";
  strcat(strcpy(text, begin), rest);
  MlirModule module = mlirModuleCreateParse(
      s->machine.context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  XlaCompileOptions options = {
      .vulkan = vulkan, .customCall = hook, .customCallUser = s};
  XlaExecutable *executable;
  assert_true(mlirLogicalResultIsSuccess(xlaExecutableCompile(
      module, mlirStringRefCreateFromCString("main"), &options, &executable)));
  const float x[6] = {1, -2, 4, 8, -16, -32};
  bool done = mlirLogicalResultIsSuccess(xlaExecutableRun(
      executable, (const void *[]){x, &n}, (void *[]){sum, size}));
  xlaExecutableDestroy(executable);
  mlirModuleDestroy(module);
  return done;
}

static void check(State *s, const char *begin) {
  XlaVulkanDevice *devices[] = {NULL, s->machine.vulkan};
  for (int d = 0; d < (s->machine.vulkan ? 2 : 1); ++d) {
    float sum = 0;
    int32_t size = -1;
    assert_true(run(s, begin, devices[d], 6, &sum, &size));
    assert_float_equal(sum, 13, 0);
    assert_int_equal(size, 3);
    assert_true(run(s, begin, devices[d], 3, &sum, &size));
    assert_float_equal(sum, 5, 0);
    assert_int_equal(size, 2);
    assert_true(run(s, begin, devices[d], 0, &sum, &size));
    assert_float_equal(sum, 0, 0);
    assert_int_equal(size, 0);
  }
}

static void testSizes(void **state) { check(*state, one); }
static void testSizesInTuples(void **state) { check(*state, pair); }

static void append(MlirStringRef part, void *data) {
  strncat(data, part.data, part.length);
}

static MlirLogicalResult keep(MlirDiagnostic diagnostic, void *data) {
  mlirDiagnosticPrint(diagnostic, append, data);
  return mlirLogicalResultSuccess();
}

/// Memory has the size of the bounds.
static void testTooMuch(void **state) {
  State *s = *state;
  XlaVulkanDevice *devices[] = {NULL, s->machine.vulkan};
  for (int d = 0; d < (s->machine.vulkan ? 2 : 1); ++d) {
    float sum;
    int32_t size;
    s->excess = 4;
    s->text[0] = 0;
    MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
        s->machine.context, keep, s->text, NULL);
    assert_false(run(s, one, devices[d], 6, &sum, &size));
    mlirContextDetachDiagnosticHandler(s->machine.context, handler);
    s->excess = 0;
    assert_non_null(strstr(s->text, "got tensor<7xf32> as result 0"));
  }
}

static int setUp(void **state) {
  static State s;
  *state = &s;
  bool done = machineSetUp(&s.machine);
  return done ? 0 : -1;
}

static int tearDown(void **state) {
  State *s = *state;
  return machineTearDown(&s->machine) ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testSizes),
      cmocka_unit_test(testSizesInTuples),
      cmocka_unit_test(testTooMuch),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

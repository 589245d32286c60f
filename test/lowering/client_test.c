//===- client_test.c - Compiling and running computations -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

#include <string.h>

static void expectStatus(XlaStatus status, XlaStatusCode code,
                         const char *text) {
  assert_int_equal(xlaStatusCode(status), code);
  if (!strstr(xlaStatusMessage(status), text))
    fail_msg("the status is \"%s\", without \"%s\"", xlaStatusMessage(status),
             text);
  xlaStatusDestroy(status);
}

static XlaClient *open(const char *device) {
  XlaClientOptions options = {.device = device};
  XlaClient *client;
  assert_null(xlaClientCreate(&options, &client));
  return client;
}

/// (x, (y, z)) -> (x + z, y).
static XlaComputation *build(XlaClient *client, XlaElementType type) {
  XlaShape shape = {.elementType = type, .rank = 1, .dims = {2}};
  XlaBuilder *b = xlaBuilderCreate(xlaClientGetContext(client), "f");
  MlirType types[] = {xlaBuilderArrayType(b, XLA_SHAPE(S32)),
                      xlaBuilderArrayType(b, &shape)};
  XlaOp x = xlaBuilderParameter(b, 0, &shape, "x");
  XlaOp t =
      xlaBuilderParameterOfType(b, 1, xlaBuilderTupleType(b, types, 2), "t");
  XlaOp sum = xlaBuilderAdd(b, x, xlaBuilderGetTupleElement(b, t, 1), NULL, 0);
  return builderEnd(
      b, xlaBuilderTuple(b, XLA_OPS(sum, xlaBuilderGetTupleElement(b, t, 0))));
}

static XlaLiteral *array(const XlaShape *shape, const void *values) {
  XlaLiteral *literal = xlaLiteralCreateArray(shape);
  memcpy(xlaLiteralGetMutableData(literal), values,
         xlaLiteralGetByteCount(literal));
  return literal;
}

static void runs(const char *device) {
  XlaClient *client = open(device);
  XlaComputation *f = build(client, XlaElementTypeF32);
  XlaLoadedExecutable *executable;
  assert_null(xlaClientCompile(client, f, &executable));
  xlaComputationRelease(f);
  assert_true((xlaLoadedExecutableGetExecutable(executable) == NULL) ==
              !strcmp(device, "interpreter"));
  XlaLiteral *parts[] = {array(XLA_SHAPE(S32), &(int32_t){7}),
                         array(XLA_SHAPE(F32, 2), (float[]){10, 20})};
  XlaLiteral *x = array(XLA_SHAPE(F32, 2), (float[]){1, 2});
  XlaLiteral *t = xlaLiteralTakeTuple(2, parts), *result;
  const XlaLiteral *inputs[] = {x, t}, *wrong[] = {t, x}, *none[] = {x, NULL};
  for (int run = 0; run < 2; ++run) {
    assert_null(xlaLoadedExecutableRun(executable, 2, inputs, &result));
    const XlaLiteral *sum = xlaLiteralGetTupleElement(result, 0);
    const XlaLiteral *same = xlaLiteralGetTupleElement(result, 1);
    assert_memory_equal(xlaLiteralGetData(sum), ((float[]){11, 22}), 8);
    assert_int_equal(*(const int32_t *)xlaLiteralGetData(same), 7);
    xlaLiteralRelease(result);
  }
  expectStatus(xlaLoadedExecutableRun(executable, 1, inputs, &result),
               XLA_STATUS_INVALID_ARGUMENT,
               "the program takes 2 inputs, gets 1");
  assert_null(result);
  expectStatus(xlaLoadedExecutableRun(executable, 2, wrong, &result),
               XLA_STATUS_INVALID_ARGUMENT,
               "input 0 is tuple<tensor<i32>, tensor<2xf32>>, must be "
               "tensor<2xf32>");
  expectStatus(xlaLoadedExecutableRun(executable, 2, none, &result),
               XLA_STATUS_INVALID_ARGUMENT, "input 1 is NULL");
  xlaLiteralRelease(x);
  xlaLiteralRelease(t);
  xlaLoadedExecutableDestroy(executable);
  xlaClientDestroy(client);
}

static void runsOnTheInterpreter(void **state) {
  (void)state;
  runs("interpreter");
}

static void runsOnTheCpu(void **state) {
  (void)state;
  runs("cpu");
}

/// The first number that a client with this seed draws.
static float draw(const char *device, int64_t seed) {
  XlaClientOptions options = {.device = device, .seed = seed};
  XlaClient *client;
  assert_null(xlaClientCreate(&options, &client));
  XlaBuilder *b = xlaBuilderCreate(xlaClientGetContext(client), "draw");
  XlaOp low = xlaBuilderConstantR0F32(b, 0);
  XlaOp high = xlaBuilderConstantR0F32(b, 1);
  XlaComputation *f =
      builderEnd(b, xlaBuilderRngUniform(b, low, high, XLA_SHAPE(F32)));
  XlaLoadedExecutable *executable;
  XlaLiteral *result;
  assert_null(xlaClientCompile(client, f, &executable));
  assert_null(xlaLoadedExecutableRun(executable, 0, NULL, &result));
  float number = *(const float *)xlaLiteralGetData(result);
  xlaLiteralRelease(result);
  xlaLoadedExecutableDestroy(executable);
  xlaComputationRelease(f);
  xlaClientDestroy(client);
  return number;
}

static void seeds(void **state) {
  (void)state;
  float one = draw("cpu", 1);
  assert_true(one == draw("cpu", 1));
  assert_true(one == draw("interpreter", 1));
  assert_true(one != draw("cpu", 2));
}

static void devices(void **state) {
  (void)state;
  static const char *const wrong[] = {"",          "gpu",       "CPU",
                                      "vulkan1",   "vulkan:",   "vulkan:x",
                                      "vulkan:1x", "vulkan:-1", "vulkanize"};
  XlaClient *client;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    XlaClientOptions options = {.device = wrong[i]};
    expectStatus(xlaClientCreate(&options, &client),
                 XLA_STATUS_INVALID_ARGUMENT, "is no device");
    assert_null(client);
  }
  assert_null(xlaClientCreate(NULL, &client));
  xlaClientDestroy(client);
  xlaClientDestroy(NULL);
  xlaLoadedExecutableDestroy(NULL);
}

static void wrongComputations(void **state) {
  (void)state;
  XlaClient *client = open("cpu"), *other = open("cpu");
  XlaComputation *f = build(other, XlaElementTypeF32);
  XlaLoadedExecutable *executable;
  expectStatus(xlaClientCompile(client, NULL, &executable),
               XLA_STATUS_INVALID_ARGUMENT, "there is no computation");
  assert_null(executable);
  expectStatus(xlaClientCompile(client, f, &executable),
               XLA_STATUS_INVALID_ARGUMENT, "of another context");
  MlirModule module = xlaComputationCreateModule(f);
  expectStatus(xlaClientCompileModule(client, module, "main", &executable),
               XLA_STATUS_INVALID_ARGUMENT, "of another context");
  expectStatus(xlaClientCompileModule(other, module, "foo", &executable),
               XLA_STATUS_INVALID_ARGUMENT, "has no function @foo");
  expectStatus(
      xlaClientCompileModule(other, (MlirModule){NULL}, "foo", &executable),
      XLA_STATUS_INVALID_ARGUMENT, "there is no module");
  mlirModuleDestroy(module);
  module = mlirModuleCreateParse(
      xlaClientGetContext(client),
      mlirStringRefCreateFromCString("func.func @f() { return }"));
  expectStatus(xlaClientCompileModule(client, module, "f", &executable),
               XLA_STATUS_INVALID_ARGUMENT, "@f has 0 results, must have one");
  mlirModuleDestroy(module);
  xlaComputationRelease(f);
  xlaClientDestroy(client);
  xlaClientDestroy(other);
}

/// The message names the builder's call that made the operation.
static void unsupported(void **state) {
  (void)state;
  XlaClient *client = open("cpu");
  XlaBuilder *b = xlaBuilderCreate(xlaClientGetContext(client), "layer");
  MlirType type = xlaBuilderArrayType(b, XLA_SHAPE(F32));
  xlaBuilderCustomCall(b, "unknown", NULL, 0, type);
  XlaComputation *f = builderEnd(b, (XlaOp){0});
  XlaLoadedExecutable *executable;
  XlaLiteral *result;
  XlaStatus status = xlaClientCompile(client, f, &executable);
  if (!status) {
    status = xlaLoadedExecutableRun(executable, 0, NULL, &result);
    assert_null(result);
    xlaLoadedExecutableDestroy(executable);
  }
  expectStatus(status, xlaStatusCode(status),
               "op 1 of 'layer', xlaBuilderCustomCall");
  xlaComputationRelease(f);
  xlaClientDestroy(client);
}

/// What is NULL is an error of the call.
static void nulls(const char *device) {
  XlaClient *client = open(device);
  XlaComputation *f = build(client, XlaElementTypeF32);
  XlaLoadedExecutable *executable;
  const XlaLiteral *none[2] = {NULL};
  XlaLiteral *result;
  const XlaStatusCode wrong = XLA_STATUS_INVALID_ARGUMENT;
  MlirModule module = xlaComputationCreateModule(f);
  expectStatus(xlaClientCreate(NULL, NULL), wrong, "is NULL");
  expectStatus(xlaClientCompile(NULL, f, &executable), wrong,
               "the client is NULL");
  expectStatus(xlaClientCompile(client, f, NULL), wrong, "is NULL");
  expectStatus(xlaClientCompileModule(client, module, NULL, &executable), wrong,
               "the name of the entry is NULL");
  assert_null(xlaClientCompile(client, f, &executable));
  expectStatus(xlaLoadedExecutableRun(NULL, 0, NULL, &result), wrong,
               "the executable is NULL");
  expectStatus(xlaLoadedExecutableRun(executable, 2, NULL, &result), wrong,
               "the array of inputs is NULL");
  expectStatus(xlaLoadedExecutableRun(executable, 2, none, &result), wrong,
               "input 0 is NULL");
  expectStatus(xlaLoadedExecutableRun(executable, 2, none, NULL), wrong,
               "the place for an output is NULL");
  assert_null(xlaLoadedExecutableGetExecutable(NULL));
  xlaLoadedExecutableDestroy(executable);
  mlirModuleDestroy(module);
  xlaComputationRelease(f);
  xlaClientDestroy(client);
}

static void nullsOnTheInterpreter(void **state) {
  (void)state;
  nulls("interpreter");
}

static void nullsOnTheCpu(void **state) {
  (void)state;
  nulls("cpu");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runsOnTheInterpreter),
      cmocka_unit_test(runsOnTheCpu),
      cmocka_unit_test(seeds),
      cmocka_unit_test(devices),
      cmocka_unit_test(wrongComputations),
      cmocka_unit_test(unsupported),
      cmocka_unit_test(nullsOnTheInterpreter),
      cmocka_unit_test(nullsOnTheCpu),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

//===- nested_runs_test.c - Functions of the host run programs ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/lowering/client.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/// The device that a group of tests is for.
static const char *device;

/// What custom calls run.
typedef struct Program {
  XlaClient *client;
  XlaLoadedExecutable *executable;
  XlaLoadedExecutable *called; ///< on the operand less 1, where that is above 0
  const XlaLiteral *given;     ///< what it gets instead; or NULL
  pthread_barrier_t *both;     ///< met by the first call; or NULL
  atomic_int nCalls;
} Program;

static MlirLogicalResult run(MlirOperation op, MlirStringRef target,
                             intptr_t nOperands,
                             const XlaLiteral *const *operands,
                             intptr_t nResults, XlaLiteral **results,
                             void *user) {
  Program *program = user;
  XlaLiteral *x = xlaLiteralCreateArray(xlaLiteralGetShape(operands[0]));
  XlaScalar less = xlaLiteralGet(operands[0], 0);
  bool goesOn = less.f.re > 0;
  less.f.re -= 1;
  xlaLiteralSet(x, 0, less);
  if (atomic_fetch_add(&program->nCalls, 1) == 0 && program->both)
    pthread_barrier_wait(program->both);
  if (!goesOn) {
    results[0] = x;
    return mlirLogicalResultSuccess();
  }
  const XlaLiteral *inputs[] = {program->given ? program->given : x};
  XlaStatus status =
      xlaLoadedExecutableRun(program->called, 1, inputs, &results[0]);
  xlaLiteralRelease(x);
  if (!status)
    return mlirLogicalResultSuccess();
  MlirLogicalResult failure =
      xlaOpError(op, NULL, "%s", xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return failure;
}

static XlaStatus openClient(Program *program) {
  XlaClientOptions options = {
      .device = device, .customCall = run, .user = program};
  *program = (Program){.client = NULL};
  return xlaClientCreate(&options, &program->client);
}

static XlaLoadedExecutable *compile(Program *program, const char *text) {
  XlaLoadedExecutable *executable;
  XlaStatus status = xlaClientCompileProgram(
      program->client, &(XlaClientProgram){.bytes = text, .size = strlen(text)},
      &executable);
  if (status)
    fail_msg("%s", xlaStatusMessage(status));
  return executable;
}

/// 10 more than what the call gives.
static const char calls[] =
    "func.func @main(%x: tensor<f32>) -> tensor<f32> {"
    "  %ten = stablehlo.constant dense<10.0> : tensor<f32>"
    "  %y = stablehlo.custom_call @run(%x) {has_side_effect = true}"
    "    : (tensor<f32>) -> tensor<f32>"
    "  %z = stablehlo.add %y, %ten : tensor<f32>"
    "  return %z : tensor<f32>"
    "}";

static void open(Program *program, const char *text) {
  assert_null(openClient(program));
  program->called = program->executable = compile(program, text);
}

static void close(Program *program) {
  xlaLoadedExecutableDestroy(program->executable);
  xlaClientDestroy(program->client);
}

static XlaStatus runOn(Program *program, float value, float *result) {
  XlaLiteral *x = xlaLiteralCreateArray(XLA_SHAPE(F32)), *y = NULL;
  const XlaLiteral *inputs[] = {x};
  xlaLiteralSet(x, 0, (XlaScalar){.f = {value, 0}});
  XlaStatus status = xlaLoadedExecutableRun(program->executable, 1, inputs, &y);
  if (!status)
    *result = (float)xlaLiteralGet(y, 0).f.re;
  xlaLiteralRelease(x);
  xlaLiteralRelease(y);
  return status;
}

static void expectUnsupported(XlaStatus status, const char *text) {
  assert_non_null(status);
  if (!strstr(xlaStatusMessage(status), text))
    fail_msg("the status is \"%s\", without \"%s\"", xlaStatusMessage(status),
             text);
  xlaStatusDestroy(status);
}

static void anotherOfTheSameClient(void **state) {
  Program program;
  float result = 0;
  open(&program, calls);
  program.called = compile(&program, calls); // and that runs itself no more
  assert_null(runOn(&program, 1, &result));
  assert_true(result == 19);
  assert_null(runOn(&program, 1, &result)); // all is given back
  assert_true(result == 19);
  assert_int_equal(atomic_load(&program.nCalls), 4);
  xlaLoadedExecutableDestroy(program.called);
  close(&program);
}

static void itself(void **state) {
  Program program;
  float result = 0;
  open(&program, calls);
  XlaStatus status = runOn(&program, 3, &result);
  if (!strcmp(device, "vulkan")) {
    expectUnsupported(status, "cannot be run by a function that it calls");
  } else {
    assert_null(status);
    assert_true(result == 39);
  }
  assert_null(runOn(&program, 0, &result));
  assert_true(result == 9);
  close(&program);
}

/// Which would put away what is being run.
static void itselfOfUnknownSizes(void **state) {
  static const char text[] =
      "func.func @main(%x: tensor<?xf32>) -> tensor<f32> {"
      "  %one = stablehlo.constant dense<1.0> : tensor<f32>"
      "  %zero = stablehlo.constant dense<0.0> : tensor<f32>"
      "  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add"
      "      across dimensions = [0]"
      "    : (tensor<?xf32>, tensor<f32>) -> tensor<f32>"
      "  %y = stablehlo.custom_call @run(%one) {has_side_effect = true}"
      "    : (tensor<f32>) -> tensor<f32>"
      "  %z = stablehlo.add %y, %sum : tensor<f32>"
      "  return %z : tensor<f32>"
      "}";
  Program program;
  open(&program, text);
  XlaLiteral *x = xlaLiteralCreateArray(XLA_SHAPE(F32, 3)), *y;
  const XlaLiteral *inputs[] = {x};
  program.given = x;
  expectUnsupported(xlaLoadedExecutableRun(program.executable, 1, inputs, &y),
                    "of unknown sizes cannot be run by a function that it");
  xlaLiteralRelease(x);
  close(&program);
}

typedef struct Call {
  Program *program;
  XlaStatus status;
  float result;
} Call;

static void *runCall(void *data) {
  Call *call = data;
  call->status = runOn(call->program, 1, &call->result);
  return NULL;
}

/// Of two programs that are being run, each runs the other one: the second one
/// that asks is told so, and the first one goes on.
static void eachOther(void **state) {
  Program programs[2];
  Call all[2];
  pthread_barrier_t both;
  pthread_t threads[2];
  pthread_barrier_init(&both, NULL, 2);
  for (int i = 0; i < 2; ++i) {
    open(&programs[i], calls);
    programs[i].both = &both;
    all[i] = (Call){&programs[i], NULL, 0};
  }
  for (int i = 0; i < 2; ++i)
    programs[i].called = programs[1 - i].executable;
  for (int i = 0; i < 2; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, runCall, &all[i]), 0);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  int failed = all[0].status ? 0 : 1;
  expectUnsupported(all[failed].status, "waits for the one whose function");
  assert_null(all[1 - failed].status);
  assert_true(all[1 - failed].result == 19);
  for (int i = 0; i < 2; ++i)
    close(&programs[i]);
  pthread_barrier_destroy(&both);
}

static int testOn(const char *name, bool isNeeded) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(anotherOfTheSameClient),
      cmocka_unit_test(itself),
      cmocka_unit_test(itselfOfUnknownSizes),
      cmocka_unit_test(eachOther),
  };
  device = name;
  Program program;
  XlaStatus missing = openClient(&program);
  xlaClientDestroy(program.client);
  xlaStatusDestroy(missing);
  if (missing && !isNeeded)
    return 0;
  return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) {
  return testOn("cpu", true) + testOn("interpreter", true) +
         testOn("vulkan", false);
}

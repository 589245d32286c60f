//===- promise_test.c - Arrays whose elements are still to come -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/lowering/array.h"

#include <stdbool.h>
#include <string.h>

/// The device that a group of tests is for.
static const char *device;

static XlaClient *openClient(void) {
  XlaClient *client;
  assert_null(xlaClientCreate(&(XlaClientOptions){.device = device}, &client));
  return client;
}

/// x + p and x * 2; x is donated for the second.
static const char program[] =
    "func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32},"
    "    %p: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {"
    "  %y = stablehlo.add %x, %p : tensor<4xf32>"
    "  %z = stablehlo.add %x, %x : tensor<4xf32>"
    "  return %y, %z : tensor<4xf32>, tensor<4xf32>"
    "}";

static XlaLoadedExecutable *compile(XlaClient *client) {
  XlaLoadedExecutable *executable;
  XlaStatus status = xlaClientCompileProgram(
      client,
      &(XlaClientProgram){
          .bytes = program, .size = strlen(program), .forArrays = true},
      &executable);
  if (status)
    fail_msg("%s", xlaStatusMessage(status));
  return executable;
}

static XlaArray *fromHost(XlaClient *client, const float *values) {
  XlaArray *array;
  assert_null(xlaArrayFromHost(client, XLA_SHAPE(F32, 4),
                               &(XlaHostArray){.data = values}, &array));
  return array;
}

static XlaArray *promise(XlaClient *client) {
  XlaArray *array;
  assert_null(xlaArrayPromise(client, XLA_SHAPE(F32, 4), &array));
  return array;
}

static void execute(XlaLoadedExecutable *executable, XlaArray *x, XlaArray *p,
                    bool isKept, XlaArray **outputs) {
  intptr_t kept = 0;
  assert_null(xlaLoadedExecutableExecute(
      executable, &(XlaExecution){.nInputs = 2,
                                  .inputs = (XlaArray *[]){x, p},
                                  .nKept = isKept,
                                  .kept = &kept,
                                  .nOutputs = 2,
                                  .outputs = outputs}));
}

static void expect(XlaArray *array, const float *values) {
  float got[4];
  assert_null(xlaArrayRead(array, 0, sizeof got, got, NULL));
  assert_memory_equal(got, values, sizeof got);
}

static void releaseAll(size_t n, XlaArray **arrays) {
  for (size_t i = 0; i < n; ++i)
    xlaArrayRelease(arrays[i]);
}

/// What is asked for later does not overwrite what a run that waits reads.
static void memoryStays(void **state) {
  XlaClient *client = openClient();
  XlaLoadedExecutable *executable = compile(client);
  XlaArray *x = fromHost(client, (float[]){1, 2, 3, 4}), *p = promise(client);
  XlaArray *one = fromHost(client, (float[]){1, 1, 1, 1});
  XlaArray *waits[2], *now[2];
  execute(executable, x, p, true, waits);
  execute(executable, x, one, false, now); // x is donated
  assert_true(xlaArrayIsDeleted(x));
  expect(now[1], (float[]){2, 4, 6, 8});
  assert_false(xlaEventHasHappened(xlaArrayGetEvent(waits[0])));
  assert_null(xlaArrayFill(p, 8, 8, (float[]){30, 40}));
  assert_null(xlaArrayFill(p, 0, 8, (float[]){10, 20}));
  xlaArrayKeep(p, NULL);
  expect(waits[0], (float[]){11, 22, 33, 44});
  expect(waits[1], (float[]){2, 4, 6, 8});
  expect(p, (float[]){10, 20, 30, 40});
  xlaArrayKeep(p, xlaStatusCreate(XLA_STATUS_INTERNAL, "too late"));
  expect(p, (float[]){10, 20, 30, 40});
  releaseAll(2, waits);
  releaseAll(2, now);
  releaseAll(3, (XlaArray *[]){x, p, one});
  xlaLoadedExecutableDestroy(executable);
  xlaClientDestroy(client);
}

/// Nor does a run that waits, in place, overwrite what one before it reads.
static void ordersStay(void **state) {
  XlaClient *client = openClient();
  XlaLoadedExecutable *executable = compile(client);
  XlaArray *p = promise(client), *q = promise(client);
  XlaArray *x = fromHost(client, (float[]){1, 2, 3, 4});
  XlaArray *first[2], *second[2], *third[2];
  execute(executable, x, p, true, first);
  execute(executable, x, q, false, second);        // takes x
  execute(executable, second[1], p, false, third); // takes what it gives
  assert_null(xlaArrayFill(q, 0, 16, (float[]){0, 0, 0, 1}));
  xlaArrayKeep(q, NULL);
  expect(second[0], (float[]){1, 2, 3, 5});
  assert_null(xlaArrayKeepWith(p, q));
  expect(first[0], (float[]){1, 2, 3, 5});
  expect(third[0], (float[]){2, 4, 6, 9});
  expect(third[1], (float[]){4, 8, 12, 16});
  releaseAll(2, first);
  releaseAll(2, second);
  releaseAll(2, third);
  releaseAll(3, (XlaArray *[]){x, p, q});
  xlaLoadedExecutableDestroy(executable);
  xlaClientDestroy(client);
}

/// The end of a client fails what still waits.
static void clientsEnd(void **state) {
  XlaClient *client = openClient();
  XlaLoadedExecutable *executable = compile(client);
  XlaArray *x = fromHost(client, (float[]){1, 2, 3, 4}), *p = promise(client);
  XlaArray *waits[2], *copy;
  execute(executable, x, p, true, waits);
  assert_null(xlaArrayCopy(p, client, &copy));
  xlaClientFinish(client);
  XlaArray *all[] = {p, waits[0], waits[1], copy};
  for (int i = 0; i < 4; ++i) {
    XlaEvent *event = xlaArrayGetEvent(all[i]);
    assert_true(xlaEventHasHappened(event));
    assert_non_null(
        strstr(xlaStatusMessage(xlaEventGetStatus(event)), "never came"));
  }
  xlaArrayKeep(p, NULL);
  releaseAll(4, all);
  xlaArrayRelease(x);
  xlaLoadedExecutableDestroy(executable);
  xlaClientDestroy(client);
}

static int testOn(const char *name, bool mustExist) {
  static const struct CMUnitTest tests[] = {cmocka_unit_test(memoryStays),
                                            cmocka_unit_test(ordersStay),
                                            cmocka_unit_test(clientsEnd)};
  XlaClient *client;
  XlaStatus status =
      xlaClientCreate(&(XlaClientOptions){.device = name}, &client);
  xlaClientDestroy(client);
  bool isMissing = status != NULL;
  xlaStatusDestroy(status);
  if (isMissing && !mustExist)
    return 0;
  device = name;
  return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

int main(void) {
  return testOn("cpu", true) + testOn("interpreter", true) +
         testOn("vulkan", false);
}

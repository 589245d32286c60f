//===- overlap_test.c - One executable, several threads -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/lowering/client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { size = 96, nThreads = 6, nRuns = 40 };

/// tanh(x x) x with x x returned too, which keeps the arena in use between
/// kernels.
static XlaComputation *makeProgram(MlirContext context) {
  XlaBuilder *b = xlaBuilderCreate(context, "squares");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32, size, size), "x");
  XlaOp square = xlaBuilderDot(b, x, x);
  XlaOp results[] = {
      xlaBuilderDot(b, xlaBuilderTanh(b, square), x),
      xlaBuilderReshape(b, square, (const int64_t[]){size * size}, 1)};
  XlaComputation *computation = NULL;
  assert_true(mlirLogicalResultIsSuccess(
      xlaBuilderBuild(b, xlaBuilderTuple(b, results, 2), &computation)));
  xlaBuilderDestroy(b);
  return computation;
}

typedef struct Worker {
  XlaLoadedExecutable *executable;
  XlaLiteral *input, *expected;
  int nWrong;
} Worker;

static bool same(const XlaLiteral *a, const XlaLiteral *b) {
  bool equal = true;
  for (intptr_t i = 0; i < xlaLiteralGetTupleSize(a); ++i) {
    const XlaLiteral *x = xlaLiteralGetTupleElement(a, i);
    equal &= !memcmp(xlaLiteralGetData(x),
                     xlaLiteralGetData(xlaLiteralGetTupleElement(b, i)),
                     xlaLiteralGetByteCount(x));
  }
  return equal;
}

static void *work(void *data) {
  Worker *worker = data;
  for (int run = 0; run < nRuns; ++run) {
    XlaLiteral *output = NULL;
    const XlaLiteral *input = worker->input;
    XlaStatus status =
        xlaLoadedExecutableRun(worker->executable, 1, &input, &output);
    worker->nWrong += status || !same(output, worker->expected);
    xlaStatusDestroy(status);
    xlaLiteralRelease(output);
  }
  return NULL;
}

/// Every thread gets what its own input gives when nothing else runs.
static void testOn(const char *device) {
  XlaClientOptions options = {.device = device};
  XlaClient *client;
  XlaStatus status = xlaClientCreate(&options, &client);
  if (status && !strncmp(device, "vulkan", 6)) {
    xlaStatusDestroy(status);
    skip();
  }
  assert_null(status);
  XlaComputation *computation = makeProgram(xlaClientGetContext(client));
  Worker workers[nThreads] = {{0}};
  pthread_t threads[nThreads];
  assert_null(xlaClientCompile(client, computation, &workers[0].executable));
  for (int i = 0; i < nThreads; ++i) {
    Worker *worker = &workers[i];
    worker->executable = workers[0].executable;
    worker->input = xlaLiteralCreateArray(XLA_SHAPE(F32, size, size));
    float *values = xlaLiteralGetMutableData(worker->input);
    for (int k = 0; k < size * size; ++k)
      values[k] = (float)((k * 37 + i * 11) % 19 - 9) / 16;
    const XlaLiteral *input = worker->input;
    assert_null(xlaLoadedExecutableRun(worker->executable, 1, &input,
                                       &worker->expected));
  }
  for (int i = 0; i < nThreads; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  for (int i = 0; i < nThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < nThreads; ++i) {
    assert_int_equal(workers[i].nWrong, 0);
    xlaLiteralRelease(workers[i].input);
    xlaLiteralRelease(workers[i].expected);
  }
  xlaLoadedExecutableDestroy(workers[0].executable);
  xlaComputationRelease(computation);
  xlaClientDestroy(client);
}

static void testCpu(void **state) {
  (void)state;
  testOn("cpu");
}

static void testVulkan(void **state) {
  (void)state;
  testOn("vulkan");
}

static void testInterpreter(void **state) {
  (void)state;
  testOn("interpreter");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testCpu),
      cmocka_unit_test(testVulkan),
      cmocka_unit_test(testInterpreter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

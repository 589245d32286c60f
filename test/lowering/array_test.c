//===- array_test.c - Programs on arrays of a device ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/lowering/array.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expectStatus(XlaStatus status, XlaStatusCode code,
                         const char *text) {
  assert_int_equal(xlaStatusCode(status), code);
  if (!strstr(xlaStatusMessage(status), text))
    fail_msg("the status is \"%s\", without \"%s\"", xlaStatusMessage(status),
             text);
  xlaStatusDestroy(status);
}

/// The device that a group of tests is for.
static const char *device;

static int openClient(void **state) {
  XlaClientOptions options = {.device = device};
  XlaClient *client;
  XlaStatus status = xlaClientCreate(&options, &client);
  *state = client;
  bool isMissing = status != NULL;
  xlaStatusDestroy(status);
  return isMissing ? -1 : 0;
}

static int closeClient(void **state) {
  xlaClientDestroy(*state);
  return 0;
}

static XlaLoadedExecutable *compile(XlaClient *client, const char *text) {
  XlaLoadedExecutable *executable;
  XlaStatus status = xlaClientCompileProgram(
      client,
      &(XlaClientProgram){
          .bytes = text, .size = strlen(text), .forArrays = true},
      &executable);
  if (status)
    fail_msg("%s", xlaStatusMessage(status));
  return executable;
}

/// x + 1 and the sum of x; x is donated.
static const char step[] =
    "module @step { func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 "
    ": i32})"
    "    -> (tensor<4xf32>, tensor<f32>) {"
    "  %one = stablehlo.constant dense<1.0> : tensor<4xf32>"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>"
    "  %y = stablehlo.add %x, %one : tensor<4xf32>"
    "  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add"
    "      across dimensions = [0]"
    "    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>"
    "  return %y, %sum : tensor<4xf32>, tensor<f32>"
    "} }";

static XlaArray *fromHost(XlaClient *client, const float *values) {
  XlaArray *array;
  assert_null(xlaArrayFromHost(client, XLA_SHAPE(F32, 4),
                               &(XlaHostArray){.data = values}, &array));
  return array;
}

static void expect(XlaArray *array, const float *values, size_t n) {
  float got[16];
  assert_int_equal(xlaArrayGetByteCount(array), n * sizeof *got);
  assert_null(xlaArrayRead(array, 0, n * sizeof *got, got, NULL));
  assert_memory_equal(got, values, n * sizeof *got);
}

static XlaStatus execute(XlaLoadedExecutable *executable, XlaArray *input,
                         XlaArray **outputs) {
  return xlaLoadedExecutableExecute(
      executable,
      &(XlaExecution){
          .nInputs = 1, .inputs = &input, .nOutputs = 2, .outputs = outputs});
}

static void describes(void **state) {
  XlaLoadedExecutable *executable = compile(*state, step);
  assert_int_equal(xlaLoadedExecutableGetNumInputs(executable), 1);
  assert_int_equal(xlaLoadedExecutableGetNumOutputs(executable), 2);
  assert_int_equal(xlaLoadedExecutableGetInputShape(executable, 0)->dims[0], 4);
  assert_int_equal(xlaLoadedExecutableGetOutputShape(executable, 1)->rank, 0);
  assert_true(xlaLoadedExecutableIsDonated(executable, 0));
  assert_string_equal(xlaLoadedExecutableGetName(executable), "step");
  xlaLoadedExecutableDestroy(executable);
}

/// Donated are the inputs that find a result of their size, the first ones
/// first, each result once.
static void donatesWhatIsUsable(void **state) {
  static const char text[] =
      "func.func @main(%a: tensor<2xf32> {jax.buffer_donor = true},"
      "    %b: tensor<3xf32> {jax.buffer_donor = true},"
      "    %c: tensor<3xf32>,"
      "    %d: tensor<4xf32> {jax.buffer_donor = true},"
      "    %e: tensor<2xi32> {jax.buffer_donor = true},"
      "    %f: tensor<2xf32> {jax.buffer_donor = true},"
      "    %g: tensor<4xf32> {jax.buffer_donor = true},"
      "    %h: tensor<5xf32> {jax.buffer_donor = true})"
      "    -> (tensor<4xf32>, tensor<2xf32>, tensor<1xf32>, tensor<4xf32>,"
      "        tensor<2xf32>) {"
      "  %x = stablehlo.add %d, %g : tensor<4xf32>"
      "  %y = stablehlo.add %a, %f : tensor<2xf32>"
      "  %z = stablehlo.slice %c [0:1] : (tensor<3xf32>) -> tensor<1xf32>"
      "  %w = stablehlo.convert %e : (tensor<2xi32>) -> tensor<2xf32>"
      "  return %x, %y, %z, %x, %w : tensor<4xf32>, tensor<2xf32>,"
      "    tensor<1xf32>, tensor<4xf32>, tensor<2xf32>"
      "}";
  static const bool isDonated[] = {true, false, false, true,
                                   true, false, true,  false};
  XlaLoadedExecutable *executable = compile(*state, text);
  for (int i = 0; i < 8; ++i)
    assert_int_equal(xlaLoadedExecutableIsDonated(executable, i), isDonated[i]);
  xlaLoadedExecutableDestroy(executable);
}

/// A hundred steps without a wait; every input is gone when the next begins.
static void chains(void **state) {
  XlaLoadedExecutable *executable = compile(*state, step);
  XlaArray *x = fromHost(*state, (float[]){1, 2, 3, 4}), *outputs[2];
  for (int i = 0; i < 100; ++i) {
    assert_null(execute(executable, x, outputs));
    assert_true(xlaArrayIsDeleted(x));
    xlaArrayRelease(x);
    x = outputs[0];
    if (i < 99)
      xlaArrayRelease(outputs[1]);
  }
  xlaLoadedExecutableDestroy(executable); // before its runs end
  expect(x, (float[]){101, 102, 103, 104}, 4);
  expect(outputs[1], (float[]){406}, 1);
  assert_null(xlaEventWait(xlaArrayGetEvent(x)));
  xlaArrayRelease(x);
  xlaArrayRelease(outputs[1]);
}

/// x + 1 and the sum of x, by way of a product, which takes some microseconds.
static const char product[] =
    "module @product { func.func @main(%x: tensor<64x64xf32> "
    "{tf.aliasing_output = 0 : i32}) -> (tensor<64x64xf32>, tensor<f32>) {"
    "  %one = stablehlo.constant dense<1.0> : tensor<64x64xf32>"
    "  %part = stablehlo.constant dense<0.015625> : tensor<64x64xf32>"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>"
    "  %y = stablehlo.add %x, %one : tensor<64x64xf32>"
    "  %means = stablehlo.dot %x, %part"
    "    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>"
    "  %sum = stablehlo.reduce(%means init: %zero) applies stablehlo.add"
    "      across dimensions = [0, 1]"
    "    : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>"
    "  return %y, %sum : tensor<64x64xf32>, tensor<f32>"
    "} }";

/// Hundreds of short steps without a wait, now and then with one, after which
/// they begin anew to run beside the caller.
static void runsAhead(void **state) {
  enum { nSteps = 300, nElements = 64 * 64 };
  static float values[nElements];
  XlaLoadedExecutable *executable = compile(*state, product);
  XlaArray *x, *outputs[2];
  memset(values, 0, sizeof values);
  assert_null(xlaArrayFromHost(*state, XLA_SHAPE(F32, 64, 64),
                               &(XlaHostArray){.data = values}, &x));
  for (int i = 0; i < nSteps; ++i) {
    assert_null(execute(executable, x, outputs));
    xlaArrayRelease(x);
    x = outputs[0];
    if (i == 50 || i == 150)
      assert_null(xlaEventWait(xlaArrayGetEvent(outputs[1])));
    if (i % 100 == 99)
      expect(outputs[1], (float[]){(float)(nElements * i)}, 1);
    xlaArrayRelease(outputs[1]);
  }
  assert_null(xlaArrayRead(x, 0, sizeof values, values, NULL));
  for (int i = 0; i < nElements; ++i)
    assert_true(values[i] == nSteps);
  xlaArrayRelease(x);
  xlaLoadedExecutableDestroy(executable);
}

static void keeps(void **state) {
  XlaLoadedExecutable *executable = compile(*state, step);
  XlaArray *x = fromHost(*state, (float[]){1, 2, 3, 4}), *outputs[2];
  XlaEvent *done;
  intptr_t kept = 0;
  assert_null(
      xlaLoadedExecutableExecute(executable, &(XlaExecution){.nInputs = 1,
                                                             .inputs = &x,
                                                             .nKept = 1,
                                                             .kept = &kept,
                                                             .nOutputs = 2,
                                                             .outputs = outputs,
                                                             .done = &done}));
  assert_null(xlaEventWait(done));
  xlaEventRelease(done);
  assert_false(xlaArrayIsDeleted(x));
  expect(x, (float[]){1, 2, 3, 4}, 4);
  expect(outputs[0], (float[]){2, 3, 4, 5}, 4);
  for (int i = 0; i < 2; ++i)
    xlaArrayRelease(outputs[i]);
  xlaArrayRelease(x);
  xlaLoadedExecutableDestroy(executable);
}

/// x + 1; x is donated.
static const char increment[] =
    "func.func @main(%x: tensor<4xf32> {jax.buffer_donor = true})"
    "    -> tensor<4xf32> {"
    "  %one = stablehlo.constant dense<1.0> : tensor<4xf32>"
    "  %y = stablehlo.add %x, %one : tensor<4xf32>"
    "  return %y : tensor<4xf32>"
    "}";

static XlaArray *runIncrement(XlaLoadedExecutable *executable, XlaArray *x) {
  XlaArray *y;
  assert_null(xlaLoadedExecutableExecute(
      executable,
      &(XlaExecution){
          .nInputs = 1, .inputs = &x, .nOutputs = 1, .outputs = &y}));
  xlaArrayRelease(x);
  return y;
}

static const void *addressOf(XlaArray *array) {
  const void *address = xlaArrayHold(array);
  if (address)
    xlaArrayUnhold(array);
  return address;
}

/// A result takes the memory of the input that is donated, unless somebody
/// looks at it.
static void inPlace(void **state) {
  XlaLoadedExecutable *executable = compile(*state, increment);
  XlaArray *x = fromHost(*state, (float[]){1, 2, 3, 4});
  const void *first = addressOf(x);
  x = runIncrement(executable, x);
  if (first && !strcmp(device, "cpu"))
    assert_ptr_equal(addressOf(x), first);
  expect(x, (float[]){2, 3, 4, 5}, 4);
  XlaArray *y = xlaArrayRetain(x);
  const float *held = xlaArrayHold(x);
  x = runIncrement(executable, x);
  expect(x, (float[]){3, 4, 5, 6}, 4);
  if (held) {
    assert_memory_equal(held, ((float[]){2, 3, 4, 5}), 16);
    assert_true(addressOf(x) != held);
    xlaArrayUnhold(y);
  }
  xlaArrayRelease(y);
  xlaArrayRelease(x);
  xlaLoadedExecutableDestroy(executable);
}

/// What the caller owns is overwritten only if it was given.
static void givenMemory(void **state) {
  static const float before[] = {1, 2, 3, 4}, after[] = {2, 3, 4, 5};
  XlaLoadedExecutable *executable = compile(*state, increment);
  for (int isGiven = 0; isGiven < 2; ++isGiven) {
    float values[] = {1, 2, 3, 4};
    XlaArray *x;
    assert_null(xlaArrayFromHost(
        *state, XLA_SHAPE(F32, 4),
        &(XlaHostArray){.data = values,
                        .use = isGiven ? XlaHostUseGiven : XlaHostUseShared},
        &x));
    bool isShared = addressOf(x) == values;
    x = runIncrement(executable, x);
    expect(x, after, 4);
    bool isOverwritten = isShared && isGiven && !strcmp(device, "cpu");
    assert_memory_equal(values, isOverwritten ? after : before, 16);
    xlaArrayRelease(x);
  }
  xlaLoadedExecutableDestroy(executable);
}

static void wrongUse(void **state) {
  XlaClient *client = *state;
  XlaLoadedExecutable *executable = compile(client, step);
  XlaArray *x = fromHost(client, (float[]){1, 2, 3, 4}), *outputs[2], *none;
  expectStatus(execute(executable, NULL, outputs), XLA_STATUS_INVALID_ARGUMENT,
               "input 0 is NULL");
  XlaArray *other;
  assert_null(xlaArrayCreate(client, XLA_SHAPE(S32, 4), &other));
  expectStatus(execute(executable, other, outputs), XLA_STATUS_INVALID_ARGUMENT,
               "input 0 is tensor<4xi32>, must be tensor<4xf32>");
  xlaArrayDelete(x);
  expectStatus(execute(executable, x, outputs), XLA_STATUS_INVALID_ARGUMENT,
               "input 0 has been deleted or donated");
  assert_null(outputs[0]);
  expectStatus(xlaArrayRead(x, 0, 16, outputs, NULL),
               XLA_STATUS_INVALID_ARGUMENT, "has been deleted");
  expectStatus(xlaArrayRead(other, 8, 16, outputs, NULL),
               XLA_STATUS_INVALID_ARGUMENT, "16 bytes from 8 on");
  expectStatus(xlaLoadedExecutableExecute(executable, &(XlaExecution){0}),
               XLA_STATUS_INVALID_ARGUMENT, "takes 1 inputs and gives 2");
  expectStatus(
      xlaArrayFromHost(client, XLA_SHAPE(F32, 4), &(XlaHostArray){0}, &none),
      XLA_STATUS_INVALID_ARGUMENT, "is NULL");
  assert_null(none);
  xlaArrayRelease(x);
  xlaArrayRelease(other);
  xlaLoadedExecutableDestroy(executable);
}

/// What is made of what failed fails in the same way.
static void failures(void **state) {
  XlaClient *client = *state;
  XlaLoadedExecutable *executable = compile(client, step);
  XlaArray *x, *outputs[2];
  assert_null(xlaArrayCreateFailed(
      client, XLA_SHAPE(F32, 4),
      xlaStatusCreate(XLA_STATUS_DATA_LOSS, "the file ended"), &x));
  assert_null(execute(executable, x, outputs));
  expectStatus(xlaArrayRead(outputs[0], 0, 0, NULL, NULL), XLA_STATUS_DATA_LOSS,
               "the file ended");
  for (int i = 0; i < 2; ++i)
    xlaArrayRelease(outputs[i]);
  xlaArrayRelease(x);
  xlaLoadedExecutableDestroy(executable);
}

static void count(void *user) { atomic_fetch_add((atomic_int *)user, 1); }

/// Every use of the host's array, in every layout.
static void hostArrays(void **state) {
  static const XlaHostUse uses[] = {XlaHostUseCall, XlaHostUseTransfer,
                                    XlaHostUseShared, XlaHostUseGiven};
  static const float values[] = {1, 2, 3, 4, 5, 6};
  static const int64_t layouts[][2] = {{12, 4}, {4, 8}, {-12, 4}, {0, 4}};
  static const float wanted[][6] = {{1, 2, 3, 4, 5, 6},
                                    {1, 3, 5, 2, 4, 6},
                                    {4, 5, 6, 1, 2, 3},
                                    {1, 2, 3, 1, 2, 3}};
  for (int u = 0; u < 4; ++u)
    for (int l = 0; l < 4; ++l) {
      atomic_int released = 0;
      XlaArray *array;
      assert_null(
          xlaArrayFromHost(*state, XLA_SHAPE(F32, 2, 3),
                           &(XlaHostArray){.data = values + (l == 2 ? 3 : 0),
                                           .byteStrides = layouts[l],
                                           .use = uses[u],
                                           .release = count,
                                           .user = &released},
                           &array));
      expect(array, wanted[l], 6);
      xlaArrayRelease(array);
      assert_int_equal(released, 1);
    }
}

/// A megabyte, without and with gaps, copied while the caller goes on.
static void largeArrays(void **state) {
  enum { n = 1 << 18 };
  float *values = malloc(2 * n * sizeof *values);
  float *got = malloc(n * sizeof *got);
  for (int i = 0; i < 2 * n; ++i)
    values[i] = (float)i;
  for (int64_t gap = 1; gap <= 2; ++gap) {
    XlaArray *array, *copy;
    XlaEvent *done;
    atomic_int released = 0;
    const int64_t stride = 4 * gap;
    assert_null(xlaArrayFromHost(*state, XLA_SHAPE(F32, n),
                                 &(XlaHostArray){.data = values,
                                                 .byteStrides = &stride,
                                                 .use = XlaHostUseTransfer,
                                                 .release = count,
                                                 .user = &released},
                                 &array));
    assert_null(xlaArrayCopy(array, *state, &copy));
    assert_null(xlaArrayRead(copy, 0, n * sizeof *got, got, &done));
    xlaArrayRelease(array);
    xlaArrayRelease(copy);
    assert_null(xlaEventWait(done));
    xlaEventRelease(done);
    assert_int_equal(released, 1);
    for (int i = 0; i < n; ++i)
      assert_true(got[i] == values[i * gap]);
  }
  free(values);
  free(got);
}

typedef struct Thread {
  XlaClient *client;
  XlaLoadedExecutable *executable;
  int number, nWrong;
} Thread;

static void *work(void *data) {
  Thread *thread = data;
  for (int i = 0; i < 50; ++i) {
    float values[4], got[4];
    for (int k = 0; k < 4; ++k)
      values[k] = (float)(thread->number * 100 + i + k);
    XlaArray *x = fromHost(thread->client, values), *outputs[2];
    for (int s = 0; s < 5; ++s) {
      XlaStatus status = execute(thread->executable, x, outputs);
      xlaArrayRelease(x);
      if (status)
        return (void *)status;
      x = outputs[0];
      xlaArrayRelease(outputs[1]);
    }
    XlaStatus status = xlaArrayRead(x, 0, sizeof got, got, NULL);
    for (int k = 0; k < 4; ++k)
      thread->nWrong += got[k] != values[k] + 5;
    xlaArrayRelease(x);
    if (status)
      return (void *)status;
  }
  return NULL;
}

/// Threads share one executable and one device; one compiles meanwhile.
static void threads(void **state) {
  enum { n = 6 };
  Thread all[n] = {{0}};
  pthread_t ids[n];
  XlaLoadedExecutable *executable = compile(*state, step);
  for (int i = 0; i < n; ++i) {
    all[i] = (Thread){*state, executable, i, 0};
    assert_int_equal(pthread_create(&ids[i], NULL, work, &all[i]), 0);
  }
  XlaLoadedExecutable *other = compile(*state, step);
  for (int i = 0; i < n; ++i) {
    void *status;
    pthread_join(ids[i], &status);
    assert_null(status);
    assert_int_equal(all[i].nWrong, 0);
  }
  xlaLoadedExecutableDestroy(other);
  xlaLoadedExecutableDestroy(executable);
}

static void programs(void **state) {
  static const char *const wrong[] = {
      "", "func.func @f(%x: tensor<f32>) { return",
      "func.func @a() { return } func.func @b() { return }", "ML\xefR",
      "HloModule m"};
  XlaLoadedExecutable *executable;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    XlaClientProgram program = {.bytes = wrong[i], .size = strlen(wrong[i])};
    XlaStatus status = xlaClientCompileProgram(*state, &program, &executable);
    if (xlaStatusCode(status) != XLA_STATUS_INVALID_ARGUMENT)
      fail_msg("program %zu: %s", i, xlaStatusMessage(status));
    assert_null(executable);
    xlaStatusDestroy(status);
  }
  static const char unknown[] =
      "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {"
      "  %y = stablehlo.add %x, %x : tensor<?xf32>"
      "  return %y : tensor<?xf32>"
      "}";
  executable = compile(*state, unknown);
  XlaArray *x = fromHost(*state, (float[]){1, 2, 3, 4}), *output;
  expectStatus(xlaLoadedExecutableExecute(executable,
                                          &(XlaExecution){.nInputs = 1,
                                                          .inputs = &x,
                                                          .nOutputs = 1,
                                                          .outputs = &output}),
               XLA_STATUS_UNIMPLEMENTED, "runs on literals only");
  xlaArrayRelease(x);
  xlaLoadedExecutableDestroy(executable);
}

/// The same executable takes arrays and literals, unless it is for arrays.
static void literals(void **state) {
  for (int forArrays = 0; forArrays < 2; ++forArrays) {
    XlaLoadedExecutable *executable;
    assert_null(
        xlaClientCompileProgram(*state,
                                &(XlaClientProgram){.bytes = increment,
                                                    .size = strlen(increment),
                                                    .forArrays = forArrays},
                                &executable));
    XlaArray *x = fromHost(*state, (float[]){1, 2, 3, 4});
    x = runIncrement(executable, x);
    expect(x, (float[]){2, 3, 4, 5}, 4);
    xlaArrayRelease(x);
    XlaLiteral *in = xlaLiteralCreateArray(XLA_SHAPE(F32, 4)), *out;
    const XlaLiteral *input = in;
    XlaStatus status = xlaLoadedExecutableRun(executable, 1, &input, &out);
    if (forArrays && strcmp(device, "interpreter") != 0) {
      expectStatus(status, XLA_STATUS_INVALID_ARGUMENT, "to run on arrays");
    } else {
      assert_null(status);
      assert_memory_equal(xlaLiteralGetData(out), ((float[]){1, 1, 1, 1}), 16);
    }
    xlaLiteralRelease(out);
    xlaLiteralRelease(in);
    xlaLoadedExecutableDestroy(executable);
  }
}

/// Tokens of a program's arguments and results are arrays without elements.
static void tokens(void **state) {
  static const char text[] =
      "func.func @main(%t: !stablehlo.token, %x: tensor<4xf32>)"
      "    -> (!stablehlo.token, tensor<4xf32>, !stablehlo.token) {"
      "  %u = stablehlo.after_all %t, %t : !stablehlo.token"
      "  %y = stablehlo.add %x, %x : tensor<4xf32>"
      "  return %u, %y, %t : !stablehlo.token, tensor<4xf32>, !stablehlo.token"
      "}";
  XlaLoadedExecutable *executable = compile(*state, text);
  XlaArray *inputs[] = {NULL, fromHost(*state, (float[]){1, 2, 3, 4})};
  assert_null(xlaArrayFromHost(*state, XLA_SHAPE(Pred, 0),
                               &(XlaHostArray){.data = ""}, &inputs[0]));
  XlaArray *outputs[3];
  assert_null(xlaLoadedExecutableExecute(
      executable,
      &(XlaExecution){
          .nInputs = 2, .inputs = inputs, .nOutputs = 3, .outputs = outputs}));
  expect(outputs[1], (float[]){2, 4, 6, 8}, 4);
  for (int i = 0; i < 3; i += 2) {
    const XlaShape *shape = xlaArrayGetShape(outputs[i]);
    assert_int_equal(shape->elementType, XlaElementTypePred);
    assert_int_equal(shape->rank, 1);
    assert_int_equal(shape->dims[0], 0);
    assert_null(xlaEventWait(xlaArrayGetEvent(outputs[i])));
  }
  for (int i = 0; i < 3; ++i)
    xlaArrayRelease(outputs[i]);
  for (int i = 0; i < 2; ++i)
    xlaArrayRelease(inputs[i]);
  xlaLoadedExecutableDestroy(executable);
}

/// An array that goes to another client is gone from the first one, and its
/// memory is overwritten there, unless somebody holds it.
static void moves(void **state) {
  XlaClient *other;
  XlaClientOptions options = {.device = device};
  assert_null(xlaClientCreate(&options, &other));
  XlaLoadedExecutable *executable = compile(other, increment);
  for (int isHeld = 0; isHeld < 2; ++isHeld) {
    XlaArray *x = fromHost(*state, (float[]){1, 2, 3, 4}), *there, *none;
    const void *data = xlaArrayHold(x);
    if (data && !isHeld)
      xlaArrayUnhold(x);
    assert_null(xlaArrayMove(x, other, &there));
    assert_true(xlaArrayIsDeleted(x));
    expectStatus(xlaArrayMove(x, other, &none), XLA_STATUS_INVALID_ARGUMENT,
                 "deleted");
    assert_null(none);
    there = runIncrement(executable, there);
    expect(there, (float[]){2, 3, 4, 5}, 4);
    if (data && isHeld) {
      assert_memory_equal(data, ((float[]){1, 2, 3, 4}), 16);
      xlaArrayUnhold(x);
    } else if (data && !strcmp(device, "cpu")) {
      assert_ptr_equal(addressOf(there), data);
    }
    xlaArrayRelease(there);
    xlaArrayRelease(x);
  }
  xlaLoadedExecutableDestroy(executable);
  xlaClientFinish(*state);
  xlaClientFinish(other);
  xlaClientDestroy(other);
}

static void statistics(void **state) {
  XlaMemoryStatistics before = xlaClientGetMemoryStatistics(*state);
  XlaArray *array;
  assert_null(xlaArrayCreate(*state, XLA_SHAPE(F32, 1000), &array));
  XlaMemoryStatistics now = xlaClientGetMemoryStatistics(*state);
  assert_true(now.usedBytes >= before.usedBytes + 4000);
  assert_int_equal(now.nArrays, before.nArrays + 1);
  assert_true(now.peakBytes >= now.usedBytes);
  xlaArrayRelease(array);
  now = xlaClientGetMemoryStatistics(*state);
  assert_int_equal(now.usedBytes, before.usedBytes);
}

static int testOn(const char *name, bool isNeeded) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(describes),   cmocka_unit_test(donatesWhatIsUsable),
      cmocka_unit_test(chains),      cmocka_unit_test(runsAhead),
      cmocka_unit_test(keeps),       cmocka_unit_test(inPlace),
      cmocka_unit_test(givenMemory), cmocka_unit_test(wrongUse),
      cmocka_unit_test(failures),    cmocka_unit_test(hostArrays),
      cmocka_unit_test(largeArrays), cmocka_unit_test(threads),
      cmocka_unit_test(programs),    cmocka_unit_test(literals),
      cmocka_unit_test(tokens),      cmocka_unit_test(moves),
      cmocka_unit_test(statistics)};
  device = name;
  void *client;
  if (!isNeeded) {
    if (openClient(&client))
      return 0;
    closeClient(&client);
  }
  return cmocka_run_group_tests(tests, openClient, closeClient);
}

int main(void) {
  return testOn("cpu", true) + testOn("interpreter", true) +
         testOn("vulkan", false);
}

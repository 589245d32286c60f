//===- transfer_test.c - Building transfers -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

#include "xlac/dialect/interpret/rendezvous.h"
#include "xlac/dialect/op.h"

#include <pthread.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Infeed and outfeed
//===----------------------------------------------------------------------===//

typedef struct Feeds {
  float next; // of the elements that the host gives
  float sum;  // of those that it got
  int nTransfers;
} Feeds;

static MlirLogicalResult feed(MlirOperation op, intptr_t n,
                              const XlaShape *shapes, XlaLiteral **arrays,
                              void *user) {
  Feeds *feeds = user;
  (void)op;
  for (intptr_t i = 0; i < n; ++i) {
    arrays[i] = xlaLiteralCreateArray(&shapes[i]);
    float *values = xlaLiteralGetMutableData(arrays[i]);
    for (int64_t k = 0; k < xlaLiteralGetElementCount(arrays[i]); ++k)
      values[k] = feeds->next++;
  }
  ++feeds->nTransfers;
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult drain(MlirOperation op, intptr_t n,
                               const XlaLiteral *const *arrays, void *user) {
  Feeds *feeds = user;
  (void)op;
  for (intptr_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < xlaLiteralGetElementCount(arrays[i]); ++k)
      feeds->sum += ((const float *)xlaLiteralGetData(arrays[i]))[k];
  ++feeds->nTransfers;
  return mlirLogicalResultSuccess();
}

/// Two values in, their sum out, with tokens and without; an array and a tuple.
static void feeds(void **state) {
  (void)state;
  for (int run = 0; run < 4; ++run) {
    bool ordered = run % 2;
    Feeds host = {.next = 1};
    XlaClientOptions options = {.device = run < 2 ? "interpreter" : "cpu",
                                .user = &host,
                                .infeed = feed,
                                .outfeed = drain};
    XlaClient *client;
    assert_null(xlaClientCreate(&options, &client));
    XlaBuilder *b = xlaBuilderCreate(xlaClientGetContext(client), "feeds");
    MlirType array = xlaBuilderArrayType(b, XLA_SHAPE(F32, 2));
    MlirType tuple = xlaBuilderTupleType(b, &array, 1);
    XlaOp x, y;
    if (ordered) {
      XlaOp first =
          xlaBuilderInfeedWithToken(b, xlaBuilderCreateToken(b), array);
      XlaOp token = xlaBuilderGetTupleElement(b, first, 1);
      XlaOp second = xlaBuilderInfeedWithToken(b, token, tuple);
      x = xlaBuilderGetTupleElement(b, first, 0);
      y = xlaBuilderGetTupleElement(b, second, 0);
      token = xlaBuilderOutfeedWithToken(
          b, x, xlaBuilderGetTupleElement(b, second, 1));
      assert_true(xlaTypeIsToken(xlaBuilderGetType(b, token)));
    } else {
      x = xlaBuilderInfeed(b, array);
      y = xlaBuilderInfeed(b, tuple);
      XlaOp none = xlaBuilderOutfeed(b, x);
      assert_string_equal(XLA_TYPE_TEXT(xlaBuilderGetType(b, none)), "tuple<>");
    }
    y = xlaBuilderGetTupleElement(b, y, 0);
    XlaComputation *f = builderEnd(b, xlaBuilderAdd(b, x, y, NULL, 0));
    XlaLoadedExecutable *executable;
    XlaLiteral *sum;
    assert_null(xlaClientCompile(client, f, &executable));
    assert_null(xlaLoadedExecutableRun(executable, 0, NULL, &sum));
    assert_memory_equal(xlaLiteralGetData(sum), ((float[]){4, 6}), 8);
    assert_true(host.sum == 3);
    assert_int_equal(host.nTransfers, 3);
    xlaLiteralRelease(sum);
    xlaLoadedExecutableDestroy(executable);
    xlaComputationRelease(f);
    xlaClientDestroy(client);
  }
}

/// Gives one element more than was asked for.
static MlirLogicalResult feedMuch(MlirOperation op, intptr_t n,
                                  const XlaShape *shapes, XlaLiteral **arrays,
                                  void *user) {
  XlaShape larger = shapes[0];
  ++larger.dims[0];
  return feed(op, n, &larger, arrays, user);
}

static MlirLogicalResult feedNothing(MlirOperation op, intptr_t n,
                                     const XlaShape *shapes,
                                     XlaLiteral **arrays, void *user) {
  (void)n;
  (void)shapes;
  (void)arrays;
  (void)user;
  return xlaOpInvalid(op, NULL, "finds the end of the input");
}

static MlirLogicalResult forget(MlirOperation op, intptr_t n,
                                const XlaShape *shapes, XlaLiteral **arrays,
                                void *user) {
  (void)op;
  (void)n;
  (void)shapes;
  (void)arrays;
  (void)user;
  return mlirLogicalResultSuccess();
}

/// What a run says on all devices alike, and once.
static void failingFeeds(void **state) {
  (void)state;
  static const struct {
    XlaInfeedHook infeed;
    bool drains;
    const char *message;
  } cases[] = {
      {NULL, true, "reads from an infeed, which is not there"},
      {feed, false, "writes to an outfeed, which is not there"},
      {feedMuch, true,
       "takes tensor<2xf32> from the infeed, gets tensor<3xf32>"},
      {forget, true, "takes tensor<2xf32> from the infeed, gets no array"},
      {feedNothing, true, "finds the end of the input"},
  };
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; ++i) {
    Feeds host = {.next = 1};
    XlaClientOptions options = {.device = i % 2 ? "cpu" : "interpreter",
                                .user = &host,
                                .infeed = cases[i / 2].infeed,
                                .outfeed = cases[i / 2].drains ? drain : NULL};
    XlaClient *client;
    assert_null(xlaClientCreate(&options, &client));
    XlaBuilder *b = xlaBuilderCreate(xlaClientGetContext(client), "feeds");
    XlaOp x = xlaBuilderInfeed(b, xlaBuilderArrayType(b, XLA_SHAPE(F32, 2)));
    xlaBuilderOutfeed(b, x);
    XlaComputation *f = builderEnd(b, x);
    XlaLoadedExecutable *executable;
    XlaLiteral *result;
    assert_null(xlaClientCompile(client, f, &executable));
    // A run that failed does not keep the next from trying.
    for (int run = 0; run < 2; ++run) {
      XlaStatus status = xlaLoadedExecutableRun(executable, 0, NULL, &result);
      assert_null(result);
      assert_int_equal(xlaStatusCode(status), XLA_STATUS_INVALID_ARGUMENT);
      if (!strstr(xlaStatusMessage(status), cases[i / 2].message))
        fail_msg("the status is \"%s\", without \"%s\"",
                 xlaStatusMessage(status), cases[i / 2].message);
      xlaStatusDestroy(status);
    }
    assert_true(host.sum == 0);
    xlaLoadedExecutableDestroy(executable);
    xlaComputationRelease(f);
    xlaClientDestroy(client);
  }
}

static void wrongFeeds(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("f");
  xlaBuilderInfeed(b, xlaBuilderTokenType(b));
  builderExpectError(b, "[infeed_c2]");
  b = builderNew("f");
  xlaBuilderInfeed(b, (MlirType){NULL});
  builderExpectError(b, "the type of the result is null");
  b = builderNew("f");
  xlaBuilderInfeedWithToken(b, xlaBuilderConstantR0F32(b, 1),
                            xlaBuilderArrayType(b, XLA_SHAPE(F32)));
  builderExpectError(b, "[infeed_c4]");
  b = builderNew("f");
  xlaBuilderOutfeed(b, (XlaOp){0});
  builderExpectError(b, "xlaBuilderOutfeed: an operand is the null op");
  b = builderNew("f");
  xlaBuilderOutfeed(b, xlaBuilderCreateToken(b));
  builderExpectError(b, "xlaBuilderOutfeed: the operand is a token");
  b = builderNew("f");
  XlaOp one = xlaBuilderConstantR0F32(b, 1);
  XlaOp nested = xlaBuilderTuple(b, XLA_OPS(xlaBuilderTuple(b, XLA_OPS(one))));
  xlaBuilderOutfeedWithToken(b, nested, xlaBuilderCreateToken(b));
  builderExpectError(b, "[outfeed_c1]");
}

//===----------------------------------------------------------------------===//
// Between two programs
//===----------------------------------------------------------------------===//

typedef struct Program {
  pthread_t thread;
  MlirModule module;
  XlaProcess process;
  XlaLiteral *result;
} Program;

static void *runProgram(void *data) {
  Program *program = data;
  XlaEvaluatorOptions options = {.process = program->process};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(program->module), &options);
  MlirOperation main =
      mlirBlockGetFirstOperation(mlirModuleGetBody(program->module));
  bool failed = mlirLogicalResultIsFailure(
      xlaEvaluatorRun(evaluator, main, 0, NULL, 1, &program->result));
  xlaProcessFinish(&program->process, failed);
  xlaEvaluatorDestroy(evaluator);
  return NULL;
}

/// How a value is sent and received.
enum { whole, halves, ordered, formCount };

static XlaComputation *sender(int form) {
  XlaBuilder *b = builderNew("sender");
  XlaOp x = xlaBuilderConstantR1F32(b, (const float[]){1, 2}, 2), sent;
  if (form == whole)
    sent = xlaBuilderSend(b, x, 7);
  else if (form == halves)
    sent = xlaBuilderSendDone(b, xlaBuilderSendStart(b, x, 7));
  else
    sent = xlaBuilderSendWithToken(b, x, xlaBuilderCreateToken(b), 7);
  assert_string_equal(XLA_TYPE_TEXT(xlaBuilderGetType(b, sent)),
                      form == ordered ? "!xla.token" : "tuple<>");
  return builderEnd(b, x);
}

static XlaComputation *receiver(int form) {
  XlaBuilder *b = builderNew("receiver");
  MlirType type = xlaBuilderArrayType(b, XLA_SHAPE(F32, 2));
  XlaOp x;
  if (form == whole)
    x = xlaBuilderRecv(b, type, 7);
  else if (form == halves)
    x = xlaBuilderRecvDone(b, xlaBuilderRecvStart(b, type, 7));
  else
    x = xlaBuilderGetTupleElement(
        b, xlaBuilderRecvWithToken(b, xlaBuilderCreateToken(b), type, 7), 0);
  return builderEnd(b, xlaBuilderAdd(b, x, x, NULL, 0));
}

static void transfers(void **state) {
  (void)state;
  for (int form = 0; form < formCount; ++form) {
    XlaGrid grids[] = {{.name = "sender", .replicas = 1, .partitions = 1},
                       {.name = "receiver", .replicas = 1, .partitions = 1}};
    XlaComputation *computations[] = {sender(form), receiver(form)};
    XlaRendezvous *rendezvous = xlaRendezvousCreate(2, grids);
    Program programs[2] = {0};
    for (int i = 0; i < 2; ++i) {
      programs[i].module = xlaComputationCreateModule(computations[i]);
      programs[i].process = (XlaProcess){.rendezvous = rendezvous, .grid = i};
      assert_int_equal(
          pthread_create(&programs[i].thread, NULL, runProgram, &programs[i]),
          0);
    }
    for (int i = 0; i < 2; ++i)
      pthread_join(programs[i].thread, NULL);
    assert_non_null(programs[1].result);
    assert_memory_equal(xlaLiteralGetData(programs[1].result),
                        ((float[]){2, 4}), 8);
    for (int i = 0; i < 2; ++i) {
      xlaLiteralRelease(programs[i].result);
      mlirModuleDestroy(programs[i].module);
      xlaComputationRelease(computations[i]);
    }
    xlaRendezvousDestroy(rendezvous);
  }
}

static void wrongTransfers(void **state) {
  (void)state;
  XlaComputation *f;
  XlaBuilder *b = builderNew("f");
  xlaBuilderSend(b, xlaBuilderCreateToken(b), 1);
  builderExpectError(b, "xlaBuilderSend: the operand is a token");
  b = builderNew("f");
  xlaBuilderSendDone(b, xlaBuilderConstantR0F32(b, 1));
  builderExpectError(b, "[send_done_c1]");
  b = builderNew("f");
  xlaBuilderRecvDone(b, xlaBuilderConstantR0F32(b, 1));
  builderExpectError(b, "[recv_done_c1]");
  b = builderNew("f");
  xlaBuilderRecv(b, (MlirType){NULL}, 1);
  builderExpectError(b, "xlaBuilderRecv: the type of the result is null");
  b = builderNew("f");
  xlaBuilderRecvStart(b, xlaBuilderTokenType(b), 1);
  builderExpectError(b, "[recv_c2]");
  b = builderNew("f");
  xlaBuilderRecvWithToken(b, xlaBuilderConstantR0F32(b, 1),
                          xlaBuilderArrayType(b, XLA_SHAPE(F32)), 1);
  builderExpectError(b, "[recv_c4]");
  b = builderNew("f");
  xlaBuilderSendWithToken(b, (XlaOp){0}, xlaBuilderCreateToken(b), 1);
  builderExpectError(b, "null op");
  // A transfer that nobody waits for.
  b = builderNew("f");
  XlaOp x = xlaBuilderConstantR0F32(b, 1);
  xlaBuilderSendStart(b, x, 1);
  assert_true(mlirLogicalResultIsFailure(xlaBuilderBuild(b, x, &f)));
  builderExpectError(b, "[send_c3]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(feeds),          cmocka_unit_test(failingFeeds),
      cmocka_unit_test(wrongFeeds),     cmocka_unit_test(transfers),
      cmocka_unit_test(wrongTransfers),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}

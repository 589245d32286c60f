//===- pace_test.c - Who runs short programs ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/lowering/array.h"
#include "xlac/lowering/client/pace.h"

#include <string.h>

/// A clock of what runs take: alone 16, beside 12. The worker is first woken
/// where the caller runs, and moved away from there after a while.
enum { takesAlone = 16, takesBeside = 12, takesMoving = 25, runsMoving = 500 };
static double now;
static int nBeside; ///< in a row

static double clockNow(void) { return now; }

static XlaPace begin(void) { return (XlaPace){.clock = clockNow}; }

static XlaPaceWay run(XlaPace *pace) {
  XlaPaceWay way = xlaPaceNext(pace, true);
  nBeside = way == XlaPaceWayBeside ? nBeside + 1 : 0;
  now += !nBeside               ? takesAlone
         : nBeside > runsMoving ? takesBeside
                                : takesMoving;
  return way;
}

/// Nobody gains anything beside a caller who waits.
static void waits(void **state) {
  (void)state;
  XlaPace pace = begin();
  for (int i = 0; i < 1000; ++i)
    assert_int_equal(xlaPaceNext(&pace, i % 32 != 0), XlaPaceWayAlone);
}

/// How many of many runs go beside.
static int countBeside(XlaPace *pace, int runs) {
  int n = 0;
  for (int i = 0; i < runs; ++i)
    n += run(pace) == XlaPaceWayBeside;
  return n;
}

/// What is better once it goes on for long enough is found, and kept.
static void findsWhatGetsBetter(void **state) {
  (void)state;
  enum { runs = 100000 };
  XlaPace pace = begin();
  assert_in_range(countBeside(&pace, runs), runs * 9 / 10, runs);
}

/// Also where it was taken for the slower one before.
static void findsItLater(void **state) {
  (void)state;
  enum { runs = 100000 };
  XlaPace pace = begin();
  countBeside(&pace, 10000);
  pace.times[1] = 4 * pace.times[0];
  assert_in_range(countBeside(&pace, runs), runs * 7 / 10, runs);
}

/// How many runs in a row go one way, of which the first was asked for.
static int count(XlaPace *pace, XlaPaceWay way, XlaPaceWay *next) {
  int n = 1;
  while ((*next = run(pace)) == way && n < 100000)
    ++n;
  return n;
}

/// Both ways are tried, then one is kept for a while, but not for ever.
static void tries(void **state) {
  (void)state;
  XlaPace pace = begin();
  XlaPaceWay next;
  assert_int_equal(run(&pace), XlaPaceWayAlone);
  int first = count(&pace, XlaPaceWayAlone, &next);
  assert_int_equal(next, XlaPaceWayBeside);
  int round = count(&pace, XlaPaceWayBeside, &next);
  assert_in_range(first, 1, round - 1);
  assert_int_equal(next, XlaPaceWayAfter);
  int n = 0;
  for (int change = 0; change < 100; ++change) {
    n = count(&pace, next, &next);
    if (next == XlaPaceWayAlone) // which After is one of
      assert_int_equal(n, 1);
    else
      assert_int_equal((n + (next == XlaPaceWayBeside)) % round, 0);
  }
}

enum { size = 64 };

static const char square[] =
    "func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {"
    "  %y = stablehlo.dot %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>)"
    "    -> tensor<64x64xf32>"
    "  return %y : tensor<64x64xf32>"
    "}";

static XlaArray *runOnce(XlaLoadedExecutable *executable, XlaArray *x) {
  XlaArray *y;
  XlaExecution execution = {
      .nInputs = 1, .inputs = &x, .nOutputs = 1, .outputs = &y};
  assert_null(xlaLoadedExecutableExecute(executable, &execution));
  return y;
}

/// Memory of what nobody has any more is free when the last run is done, also
/// where the worker did them. Powers of the identity stay what it is.
static void memory(void **state) {
  (void)state;
  static float one[size * size], back[size * size];
  for (int i = 0; i < size; ++i)
    one[i * size + i] = 1;
  XlaClient *client;
  XlaLoadedExecutable *executable;
  XlaArray *x;
  assert_null(xlaClientCreate(NULL, &client));
  XlaClientProgram program = {
      .bytes = square, .size = strlen(square), .forArrays = true};
  assert_null(xlaClientCompileProgram(client, &program, &executable));
  assert_null(xlaArrayFromHost(client, XLA_SHAPE(F32, size, size),
                               &(XlaHostArray){.data = one}, &x));
  for (int i = 0; i < 1500; ++i) {
    XlaArray *y = runOnce(executable, x);
    xlaArrayRelease(x);
    x = y;
  }
  assert_null(xlaEventWait(xlaArrayGetEvent(x)));
  assert_int_equal(xlaClientGetMemoryStatistics(client).nArrays, 1);
  assert_null(xlaArrayRead(x, 0, sizeof back, back, NULL));
  assert_memory_equal(back, one, sizeof one);
  for (int i = 0; i < 200; ++i) // ends while they run
    xlaArrayRelease(runOnce(executable, x));
  xlaArrayRelease(x);
  xlaLoadedExecutableDestroy(executable);
  xlaClientDestroy(client);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waits), cmocka_unit_test(findsWhatGetsBetter),
      cmocka_unit_test(findsItLater), cmocka_unit_test(tries),
      cmocka_unit_test(memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

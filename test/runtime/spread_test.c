//===- spread_test.c - Threads on processors of their own -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/cpu/spread.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

/// Two threads on one processor, which call in turn.
typedef struct Meeting {
  pthread_barrier_t turn;
  cpu_set_t all;
  int cpu;
  bool onlyHere;  ///< the second thread may go nowhere else
  bool hasMoved;  ///< it may not come back
  bool callerToo; ///< so may the first one
} Meeting;

static void stayOn(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static bool mayRunOn(int cpu) {
  cpu_set_t allowed;
  assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  return CPU_ISSET(cpu, &allowed);
}

enum {
  Rounds = 200,
  /// Threads that meet too slowly, on a busy machine, do not move yet: so often
  /// they try again. Only where nothing ever moves is this reached.
  MostRounds = 100000
};

/// Both threads ask it between the same two barriers.
static bool isOver(const Meeting *meeting, int round) {
  return round >= MostRounds ||
         (round >= Rounds && (meeting->onlyHere || meeting->hasMoved));
}

/// The calling thread runs on the processor of the meeting.
static void goThere(const Meeting *meeting, bool onlyHere) {
  stayOn(meeting->cpu);
  if (!onlyHere)
    assert_int_equal(sched_setaffinity(0, sizeof meeting->all, &meeting->all),
                     0);
}

static void *second(void *user) {
  Meeting *meeting = user;
  for (int i = 0; !isOver(meeting, i); ++i) {
    if (!meeting->hasMoved) {
      goThere(meeting, meeting->onlyHere);
      xlaCpuSpread();
      meeting->hasMoved = !mayRunOn(meeting->cpu);
    }
    pthread_barrier_wait(&meeting->turn);
    pthread_barrier_wait(&meeting->turn);
  }
  return NULL;
}

static void *first(void *user) {
  Meeting *meeting = user;
  xlaCpuSpreadStay();
  for (int i = 0;; ++i) {
    pthread_barrier_wait(&meeting->turn);
    goThere(meeting, false);
    xlaCpuSpread();
    meeting->callerToo |= !mayRunOn(meeting->cpu);
    bool over = isOver(meeting, i + 1);
    pthread_barrier_wait(&meeting->turn);
    if (over)
      return NULL;
  }
}

static Meeting meet(bool onlyHere) {
  Meeting meeting = {.onlyHere = onlyHere};
  assert_int_equal(sched_getaffinity(0, sizeof meeting.all, &meeting.all), 0);
  if (CPU_COUNT(&meeting.all) < 2)
    skip();
  while (!CPU_ISSET(meeting.cpu, &meeting.all))
    ++meeting.cpu;
  pthread_t threads[2];
  assert_int_equal(pthread_barrier_init(&meeting.turn, NULL, 2), 0);
  assert_int_equal(pthread_create(&threads[0], NULL, first, &meeting), 0);
  assert_int_equal(pthread_create(&threads[1], NULL, second, &meeting), 0);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  pthread_barrier_destroy(&meeting.turn);
  return meeting;
}

static void oneOfTwoMoves(void **state) {
  Meeting meeting = meet(false);
  assert_true(meeting.hasMoved);
  assert_false(meeting.callerToo);
}

static void theOnlyProcessorIsKept(void **state) {
  Meeting meeting = meet(true);
  assert_false(meeting.hasMoved);
  assert_false(meeting.callerToo);
}

static void aloneNothingHappens(void **state) {
  cpu_set_t before, after;
  assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
  for (int i = 0; i < 1000; ++i)
    xlaCpuSpread();
  assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
  assert_true(CPU_EQUAL(&before, &after));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aloneNothingHappens),
      cmocka_unit_test(oneOfTwoMoves),
      cmocka_unit_test(theOnlyProcessorIsKept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

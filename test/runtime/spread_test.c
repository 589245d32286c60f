//===- spread_test.c - Threads on processors of their own -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads call in turn, on processors and by a clock that are the test's:
// where the real ones run, and how soon they meet, is up to who else is there.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/clock.h"
#include "xlac/runtime/cpu/spread.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static double now = 1000; ///< milliseconds

/// What the calling thread runs on, and may.
static _Thread_local int processor;
static _Thread_local cpu_set_t allowed;
static _Thread_local int moves;

int __wrap_sched_getcpu(void);
int __wrap_sched_getaffinity(pid_t id, size_t size, cpu_set_t *set);
int __wrap_sched_setaffinity(pid_t id, size_t size, const cpu_set_t *set);
double __wrap_xlaClockMilliseconds(void);

int __wrap_sched_getcpu(void) { return processor; }

int __wrap_sched_getaffinity(pid_t id, size_t size, cpu_set_t *set) {
  assert_int_equal(id, 0);
  assert_int_equal(size, sizeof *set);
  *set = allowed;
  return 0;
}

int __wrap_sched_setaffinity(pid_t id, size_t size, const cpu_set_t *set) {
  assert_int_equal(id, 0);
  assert_int_equal(size, sizeof *set);
  assert_true(CPU_COUNT(set) > 0);
  allowed = *set;
  ++moves;
  while (!CPU_ISSET(processor, set))
    processor = (processor + 1) % CPU_SETSIZE;
  return 0;
}

double __wrap_xlaClockMilliseconds(void) { return now; }

/// The calling thread runs on processor 0 of so many.
static void begin(int processors) {
  processor = 0;
  moves = 0;
  CPU_ZERO(&allowed);
  for (int i = 0; i < processors; ++i)
    CPU_SET(i, &allowed);
}

enum { Rounds = 200, Processors = 2 };

/// Two threads, which both begin on processor 0.
typedef struct Meeting {
  pthread_barrier_t turn;
  int processors;         ///< of the second thread
  double pause;           ///< milliseconds between two rounds
  int moves, callerMoves; ///< of the second thread, of the first one
  int lastMove;           ///< the round
  bool isBack;            ///< the second thread may run where it began
} Meeting;

static void *second(void *user) {
  Meeting *meeting = user;
  begin(meeting->processors);
  for (int i = 0; i < Rounds; ++i) {
    int before = moves;
    xlaCpuSpread();
    if (moves > before)
      meeting->lastMove = i;
    pthread_barrier_wait(&meeting->turn);
    pthread_barrier_wait(&meeting->turn);
  }
  meeting->moves = moves;
  meeting->isBack = CPU_ISSET(0, &allowed);
  return NULL;
}

static void *first(void *user) {
  Meeting *meeting = user;
  begin(Processors);
  xlaCpuSpreadStay();
  for (int i = 0; i < Rounds; ++i) {
    pthread_barrier_wait(&meeting->turn);
    xlaCpuSpread();
    now += meeting->pause;
    pthread_barrier_wait(&meeting->turn);
  }
  meeting->callerMoves = moves;
  return NULL;
}

static Meeting meet(int processors, double pause) {
  Meeting meeting = {.processors = processors, .pause = pause};
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
  Meeting meeting = meet(Processors, 0.1);
  assert_int_equal(meeting.moves, 1);
  assert_in_range(meeting.lastMove, 2, 4); // the third time
  assert_false(meeting.isBack);
  assert_int_equal(meeting.callerMoves, 0);
}

/// Now and then threads meet by chance.
static void meetingsFarApartAreNone(void **state) {
  Meeting meeting = meet(Processors, 6);
  assert_int_equal(meeting.moves, 0);
  assert_int_equal(meeting.callerMoves, 0);
}

static void theOnlyProcessorIsKept(void **state) {
  Meeting meeting = meet(1, 0.1);
  assert_int_equal(meeting.moves, 0);
  assert_int_equal(meeting.callerMoves, 0);
}

static void aloneNothingHappens(void **state) {
  begin(Processors);
  for (int i = 0; i < 1000; ++i)
    xlaCpuSpread();
  assert_int_equal(moves, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aloneNothingHappens),
      cmocka_unit_test(oneOfTwoMoves),
      cmocka_unit_test(meetingsFarApartAreNone),
      cmocka_unit_test(theOnlyProcessorIsKept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

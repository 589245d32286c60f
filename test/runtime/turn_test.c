//===- turn_test.c - Locks of what may run itself -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/support/unit.h"

#include "xlac/runtime/turn.h"

static void nests(void **state) {
  XlaTurn turn;
  assert_int_equal(xlaTurnInit(&turn), 0);
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(xlaTurnTake(&turn), XlaTurnResultFirst);
    assert_int_equal(xlaTurnTake(&turn), XlaTurnResultNested);
    assert_int_equal(xlaTurnTake(&turn), XlaTurnResultNested);
    for (int k = 0; k < 3; ++k)
      xlaTurnGive(&turn);
  }
  xlaTurnDestroy(&turn);
}

enum { nThreads = 5, nRounds = 2000 };

/// Threads in a ring: each has its turn, then asks for the next one's.
typedef struct Ring {
  XlaTurn turns[nThreads];
  pthread_barrier_t all;
} Ring;

typedef struct Place {
  Ring *ring;
  int number;
  XlaTurnResult result;
} Place;

static void *goAround(void *data) {
  Place *place = data;
  XlaTurn *own = &place->ring->turns[place->number];
  XlaTurn *next = &place->ring->turns[(place->number + 1) % nThreads];
  xlaTurnTake(own);
  pthread_barrier_wait(&place->ring->all);
  place->result = xlaTurnTake(next);
  if (place->result != XlaTurnResultCycle)
    xlaTurnGive(next);
  xlaTurnGive(own);
  return NULL;
}

/// The last one who asks closes the ring and is told so, and the others go on.
static void oneOfARingIsTold(void **state) {
  Ring ring;
  Place places[nThreads];
  pthread_t threads[nThreads];
  pthread_barrier_init(&ring.all, NULL, nThreads);
  for (int i = 0; i < nThreads; ++i)
    xlaTurnInit(&ring.turns[i]);
  for (int i = 0; i < nThreads; ++i) {
    places[i] = (Place){&ring, i, XlaTurnResultNested};
    assert_int_equal(pthread_create(&threads[i], NULL, goAround, &places[i]),
                     0);
  }
  int nTold = 0;
  for (int i = 0; i < nThreads; ++i) {
    pthread_join(threads[i], NULL);
    nTold += places[i].result == XlaTurnResultCycle;
    assert_int_not_equal(places[i].result, XlaTurnResultNested);
  }
  assert_int_equal(nTold, 1);
  for (int i = 0; i < nThreads; ++i)
    xlaTurnDestroy(&ring.turns[i]);
  pthread_barrier_destroy(&ring.all);
}

typedef struct Count {
  XlaTurn turn;
  int n; ///< under the turn
} Count;

static void *countUp(void *data) {
  Count *count = data;
  for (int i = 0; i < nRounds; ++i) {
    xlaTurnTake(&count->turn);
    ++count->n;
    xlaTurnGive(&count->turn);
  }
  return NULL;
}

static void oneAtATime(void **state) {
  Count count = {.n = 0};
  pthread_t threads[nThreads];
  xlaTurnInit(&count.turn);
  for (int i = 0; i < nThreads; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, countUp, &count), 0);
  for (int i = 0; i < nThreads; ++i)
    pthread_join(threads[i], NULL);
  assert_int_equal(count.n, nThreads * nRounds);
  xlaTurnDestroy(&count.turn);
}

typedef struct Helper {
  XlaTurn *turn;
  XlaTurnTaker *taker;
  XlaTurnResult result;
} Helper;

static void *help(void *data) {
  Helper *helper = data;
  xlaTurnSetTaker(helper->taker);
  helper->result = xlaTurnTake(helper->turn);
  xlaTurnGive(helper->turn);
  return NULL;
}

static void aThreadForAnother(void **state) {
  XlaTurn turn;
  pthread_t thread;
  xlaTurnInit(&turn);
  Helper helper = {&turn, xlaTurnGetTaker(), XlaTurnResultCycle};
  xlaTurnTake(&turn);
  assert_int_equal(pthread_create(&thread, NULL, help, &helper), 0);
  pthread_join(thread, NULL);
  xlaTurnGive(&turn);
  assert_int_equal(helper.result, XlaTurnResultNested);
  xlaTurnDestroy(&turn);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(nests),
      cmocka_unit_test(oneOfARingIsTold),
      cmocka_unit_test(oneAtATime),
      cmocka_unit_test(aThreadForAnother),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

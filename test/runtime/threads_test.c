//===- threads_test.c - Loops on several threads --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/cpu/openmp.h"
#include "xlac/runtime/cpu/threads.h"
#include "xlac/test/support/unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// How often each part ran.
typedef struct Parts {
  int n;
  atomic_int runs[XLA_CPU_MAX_THREADS];
  atomic_int wrong; ///< calls with another number of parts
  struct Parts *inner;
} Parts;

static void count(void *data, int part, int parts) {
  Parts *all = data;
  atomic_fetch_add(&all->runs[part], 1);
  atomic_fetch_add(&all->wrong, parts != all->n);
  if (all->inner)
    xlaCpuParallel(all->inner->n, count, all->inner);
}

static bool ran(const Parts *parts, int times) {
  bool right = !parts->wrong;
  for (int i = 0; i < XLA_CPU_MAX_THREADS; ++i)
    right &= parts->runs[i] == (i < parts->n ? times : 0);
  return right;
}

/// Every part once, in loops of other lengths one after the other, with pauses
/// in which threads sleep.
static void eachPartOnce(void **state) {
  static const int lengths[] = {2, 3, 1, 5, 2, 8, 0, 4, 1024};
  enum { nLengths = sizeof lengths / sizeof *lengths };
  for (int round = 0; round < 200; ++round)
    for (int i = 0; i < nLengths - (round % 50 > 0); ++i) {
      Parts parts = {.n = lengths[i]};
      xlaCpuParallel(parts.n, count, &parts);
      assert_true(ran(&parts, 1));
      if (round % 10 == 0)
        usleep(500);
    }
}

static void noMoreThanTheMost(void **state) {
  Parts parts = {.n = XLA_CPU_MAX_THREADS};
  xlaCpuParallel(XLA_CPU_MAX_THREADS + 1, count, &parts);
  assert_true(ran(&parts, 1));
}

static void loopsInParts(void **state) {
  Parts inner = {.n = 3}, outer = {.n = 4, .inner = &inner};
  xlaCpuParallel(outer.n, count, &outer);
  assert_true(ran(&outer, 1));
  assert_true(ran(&inner, 4));
}

static void *manyLoops(void *data) {
  bool *right = data;
  *right = true;
  for (int i = 0; i < 2000; ++i) {
    Parts parts = {.n = 2 + i % 3};
    xlaCpuParallel(parts.n, count, &parts);
    *right &= ran(&parts, 1);
  }
  return NULL;
}

/// Callers do not disturb each other.
static void severalCallers(void **state) {
  enum { n = 4 };
  pthread_t threads[n];
  bool right[n];
  for (int i = 0; i < n; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, manyLoops, &right[i]),
                     0);
  for (int i = 0; i < n; ++i) {
    pthread_join(threads[i], NULL);
    assert_true(right[i]);
  }
}

/// Parts of a loop that are waiting for each other, as far as there are two
/// threads: the second part runs beside the first.
static void meet(void *data, int part, int parts) {
  atomic_int *arrived = data;
  atomic_fetch_add(arrived, 1);
  while (*arrived < 2)
    sched_yield();
}

static void partsRunAtOnce(void **state) {
  atomic_int arrived = 0;
  xlaCpuParallel(2, meet, &arrived);
  assert_int_equal(arrived, 2);
}

/// A forked child has no threads but its own, and makes others.
static void afterFork(void **state) {
  Parts parts = {.n = 4};
  xlaCpuParallel(parts.n, count, &parts);
  pid_t child = fork();
  if (!child) {
    atomic_int arrived = 0;
    xlaCpuParallel(2, meet, &arrived);
    xlaCpuParallel(parts.n, count, &parts);
    _exit(ran(&parts, 2) ? 0 : 1);
  }
  int status;
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

//===----------------------------------------------------------------------===//
// OpenMP's functions
//===----------------------------------------------------------------------===//

static void *find(const char *name) {
  int n;
  const XlaCpuRuntimeFunction *functions = xlaCpuOpenMPFunctions(&n);
  for (int i = 0; i < n; ++i)
    if (!strcmp(functions[i].name, name))
      return functions[i].address;
  fail_msg("no %s", name);
  return NULL;
}

typedef struct Loop {
  uint64_t n;
  atomic_int runs[100];
  atomic_int outside, ends; ///< of the last iteration's part
} Loop;

/// What compiled code does for a loop of `n` iterations.
static void region(const int32_t *global, const int32_t *bound, void *values) {
  Loop *loop = values;
  int32_t (*number)(void *) =
      (int32_t (*)(void *))find("__kmpc_global_thread_num");
  void (*divide)(void *, int32_t, int32_t, int32_t *, uint64_t *, uint64_t *,
                 int64_t *, int64_t, int64_t) =
      (void (*)(void *, int32_t, int32_t, int32_t *, uint64_t *, uint64_t *,
                int64_t *, int64_t, int64_t))find("__kmpc_for_static_init_8u");
  int32_t isLast = 0;
  uint64_t lower = 0, upper = loop->n - 1;
  int64_t stride = 1;
  divide(NULL, number(NULL), 34, &isLast, &lower, &upper, &stride, 1, 0);
  uint64_t mine = upper - lower + 1;
  for (uint64_t i = 0; i < mine; ++i) {
    if (lower + i >= loop->n) {
      atomic_fetch_add(&loop->outside, 1);
      return;
    }
    atomic_fetch_add(&loop->runs[lower + i], 1);
  }
  atomic_fetch_add(&loop->ends, isLast);
}

static void iterationsAreDivided(void **state) {
  void (*push)(void *, int32_t, int32_t) =
      (void (*)(void *, int32_t, int32_t))find("__kmpc_push_num_threads");
  void (*fork)(void *, int32_t,
               void (*)(const int32_t *, const int32_t *, void *), ...) =
      (void (*)(void *, int32_t,
                void (*)(const int32_t *, const int32_t *, void *),
                ...))find("__kmpc_fork_call");
  for (int threads = 1; threads < 12; ++threads)
    for (uint64_t n = 0; n <= 100; n += n < 20 ? 1 : 9) {
      Loop loop = {.n = n};
      push(NULL, 0, threads);
      fork(NULL, 1, region, &loop);
      for (uint64_t i = 0; i < 100; ++i)
        assert_int_equal(loop.runs[i], i < n);
      assert_int_equal(loop.outside, 0);
      assert_int_equal(loop.ends, n > 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eachPartOnce),
      cmocka_unit_test(noMoreThanTheMost),
      cmocka_unit_test(loopsInParts),
      cmocka_unit_test(severalCallers),
      cmocka_unit_test(partsRunAtOnce),
      cmocka_unit_test(afterFork),
      cmocka_unit_test(iterationsAreDivided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

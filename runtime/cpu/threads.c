//===- threads.c - Loops on several threads -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/cpu/threads.h"

#include "xlac/runtime/cpu/spread.h"
#include "xlac/runtime/relax.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

enum {
  lineBytes = 64,
  partBits = 16,
};

/// The number of the last loop in which a part was claimed.
typedef struct Claim {
  alignas(lineBytes) _Atomic uint64_t loop;
} Claim;

/// The loop that runs, of which there is one at a time. `state` has its number,
/// and how many parts it has in the lowest bits. A part is claimed by raising
/// its Claim to the loop's number: that never succeeds for a loop that has
/// ended, so that `run` and `data` belong to what was claimed.
static struct {
  alignas(lineBytes) _Atomic uint64_t state;
  XlaCpuPart run;
  void *data;
  alignas(lineBytes) _Atomic int left; ///< parts that have not ended
  alignas(lineBytes) atomic_bool isTaken;
  int nThreads; ///< beside the callers', changed while `isTaken`
  Claim claims[XLA_CPU_MAX_THREADS];
  atomic_int sleepers;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static _Thread_local bool isInside; ///< of a part

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static int partsOf(uint64_t state) {
  return (int)(state & ((1 << partBits) - 1));
}

static bool claim(uint64_t loop, int part) {
  _Atomic uint64_t *last = &pool.claims[part].loop;
  uint64_t seen = atomic_load_explicit(last, memory_order_relaxed);
  return seen < loop && atomic_compare_exchange_strong(last, &seen, loop);
}

/// Runs what is left of the loop, part `own` first, so that what one kernel
/// left in a processor's cache the next one finds there.
static void work(uint64_t state, int own) {
  int parts = partsOf(state);
  isInside = true;
  for (int i = 0; i < parts; ++i) {
    int part = own + i < parts ? own + i : own + i - parts;
    if (!claim(state >> partBits, part))
      continue;
    pool.run(pool.data, part, parts);
    atomic_fetch_sub_explicit(&pool.left, 1, memory_order_release);
  }
  isInside = false;
}

static void runAlone(int parts, XlaCpuPart run, void *data) {
  bool wasInside = isInside;
  isInside = true;
  for (int part = 0; part < parts; ++part)
    run(data, part, parts);
  isInside = wasInside;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Waits for another loop than `last`, at first awake if the thread had a part
/// of that, and gives its state.
static uint64_t await(uint64_t last, bool wasUsed) {
  uint64_t state;
  for (int i = 0; wasUsed && i < XLA_LOOKS_AWAKE; ++i) {
    state = atomic_load_explicit(&pool.state, memory_order_acquire);
    if (state != last)
      return state;
    xlaPause();
  }
  // Whoever begins a loop looks for sleepers after that, in one order for all.
  pthread_mutex_lock(&pool.mutex);
  atomic_fetch_add(&pool.sleepers, 1);
  while ((state = atomic_load(&pool.state)) == last)
    pthread_cond_wait(&pool.wake, &pool.mutex);
  atomic_fetch_sub(&pool.sleepers, 1);
  pthread_mutex_unlock(&pool.mutex);
  return state;
}

static void *serve(void *data) {
  int own = (int)(intptr_t)data;
  uint64_t state = 0;
  bool isUsed = true;
  while (true) {
    state = await(state, isUsed);
    isUsed = own < partsOf(state);
    if (!isUsed)
      continue;
    xlaCpuSpread();
    work(state, own);
  }
  return NULL;
}

/// A child of fork has the thread that called it, and no other.
static void forget(void) {
  pool.nThreads = 0;
  pool.sleepers = 0;
  pool.isTaken = false;
  pthread_mutex_init(&pool.mutex, NULL);
  pthread_cond_init(&pool.wake, NULL);
}

static void listenToForks(void) { (void)pthread_atfork(NULL, NULL, forget); }

/// Makes threads up to `n`. Those that cannot be made are missed by no one.
static void makeThreads(int n) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, listenToForks);
  pthread_attr_t attributes;
  sigset_t all, before;
  if (pthread_attr_init(&attributes) != 0)
    return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigfillset(&all); // signals are the program's own threads'
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (pthread_t thread; pool.nThreads < n; ++pool.nThreads)
    if (pthread_create(&thread, &attributes, serve,
                       (void *)(intptr_t)(pool.nThreads + 1)) != 0)
      break;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void wakeSleepers(void) {
  if (!atomic_load(&pool.sleepers))
    return;
  pthread_mutex_lock(&pool.mutex);
  pthread_cond_broadcast(&pool.wake);
  pthread_mutex_unlock(&pool.mutex);
}

/// Waits for parts that others have begun.
static void awaitParts(void) {
  for (int i = 0; atomic_load_explicit(&pool.left, memory_order_acquire) > 0;
       ++i)
    if (i < XLA_LOOKS_HOT)
      xlaPause();
    else
      sched_yield();
}

void xlaCpuParallel(int parts, XlaCpuPart run, void *data) {
  if (parts > XLA_CPU_MAX_THREADS)
    parts = XLA_CPU_MAX_THREADS;
  if (parts <= 1 || isInside || atomic_exchange(&pool.isTaken, true)) {
    runAlone(parts, run, data);
    return;
  }
  xlaCpuSpread();
  if (pool.nThreads < parts - 1)
    makeThreads(parts - 1);
  pool.run = run;
  pool.data = data;
  atomic_store_explicit(&pool.left, parts, memory_order_relaxed);
  uint64_t loop = (atomic_load(&pool.state) >> partBits) + 1;
  uint64_t state = loop << partBits | (uint64_t)parts;
  atomic_store(&pool.state, state);
  wakeSleepers();
  work(state, 0);
  awaitParts();
  atomic_store_explicit(&pool.isTaken, false, memory_order_release);
}

//===- clock.c - Time, and limits on it -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/clock.h"

#include "xlac/runtime/clock.h"
#include "xlac/tools/common/exit.h"
#include "xlac/tools/common/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define GRACE_SECONDS 0.5
/// Longer limits are none.
#define LONGEST_LIMIT 1e9
#define MAX_PHASES 16

typedef struct Phase {
  const char *verb, *object;
  bool watchesClock;
  double seconds;
} Phase;

struct XlaToolClock {
  double limit, start, entered;
  int count, current;
  Phase phases[MAX_PHASES];
  bool hasThread, stopped, quiet;
  const char *subject;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};

double xlaToolNow(void) { return 1e-3 * xlaClockMilliseconds(); }

static double secondsOf(const XlaToolClock *clock, int phase) {
  return clock->phases[phase].seconds +
         (phase == clock->current ? xlaToolNow() - clock->entered : 0);
}

/// " while running on cpu for 0.1 s, after reading the program for 0.01 s".
static void printPhases(const XlaToolClock *clock) {
  const char *before = " while";
  for (int n = 0; n < clock->count; ++n) {
    // The current one comes first.
    int i = n == 0 ? clock->current : n <= clock->current ? n - 1 : n;
    fprintf(stderr, "%s %s %s for %.3g s", before, clock->phases[i].verb,
            clock->phases[i].object, secondsOf(clock, i));
    before = n ? "," : ", after";
  }
}

/// Ends the process from a thread of its own: the others may be anywhere.
static void giveUp(const XlaToolClock *clock) {
  xlaToolProgressHide();
  fprintf(stderr, "%s: the time limit of %g s passed",
          program_invocation_short_name, clock->limit);
  printPhases(clock);
  fputc('\n', stderr);
  _exit(XlaToolCodeRefused);
}

/// Waits until `end`, or until the clock is stopped. Holds the mutex.
static void waitUntil(XlaToolClock *clock, double end) {
  struct timespec until = {.tv_sec = (time_t)end};
  until.tv_nsec = (long)((end - (double)until.tv_sec) * 1e9);
  int code = 0;
  while (!clock->stopped && code != ETIMEDOUT)
    code = pthread_cond_timedwait(&clock->condition, &clock->mutex, &until);
}

static bool isLimited(const XlaToolClock *clock) {
  return clock->limit > 0 && clock->limit < LONGEST_LIMIT;
}

/// Says what goes on again and again, until `end`.
static void showProgress(XlaToolClock *clock, double end) {
  double next = clock->start + XLA_TOOL_PATIENCE;
  while (!clock->stopped && next < end) {
    waitUntil(clock, next);
    const Phase *phase = &clock->phases[clock->current];
    if (!clock->stopped && !clock->quiet && clock->count)
      xlaToolProgressShow("%s%s%s %s, %.0f s",
                          clock->subject ? clock->subject : "",
                          clock->subject ? ": " : "", phase->verb,
                          phase->object, next - clock->start);
    next += XLA_TOOL_REFRESH;
  }
}

static void *watch(void *data) {
  XlaToolClock *clock = data;
  double end = clock->start + (isLimited(clock) ? clock->limit : LONGEST_LIMIT);
  pthread_mutex_lock(&clock->mutex);
  if (xlaToolProgressIsSeen())
    showProgress(clock, end);
  waitUntil(clock, end);
  if (clock->phases[clock->current].watchesClock)
    waitUntil(clock, end + GRACE_SECONDS);
  if (!clock->stopped && isLimited(clock))
    giveUp(clock);
  pthread_mutex_unlock(&clock->mutex);
  return NULL;
}

XlaToolClock *xlaToolClockStart(double limit) {
  XlaToolClock *clock = calloc(1, sizeof *clock);
  if (!clock)
    return NULL;
  clock->start = clock->entered = xlaToolNow();
  clock->limit = limit;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&clock->condition, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_mutex_init(&clock->mutex, NULL);
  clock->hasThread = (isLimited(clock) || xlaToolProgressIsSeen()) &&
                     !pthread_create(&clock->thread, NULL, watch, clock);
  if (isLimited(clock) && !clock->hasThread) {
    xlaToolClockStop(clock);
    return NULL;
  }
  return clock;
}

void xlaToolClockStop(XlaToolClock *clock) {
  if (!clock)
    return;
  pthread_mutex_lock(&clock->mutex);
  clock->stopped = true;
  pthread_cond_signal(&clock->condition);
  pthread_mutex_unlock(&clock->mutex);
  if (clock->hasThread)
    pthread_join(clock->thread, NULL);
  xlaToolProgressHide();
  pthread_cond_destroy(&clock->condition);
  pthread_mutex_destroy(&clock->mutex);
  free(clock);
}

void xlaToolClockEnter(XlaToolClock *clock, const char *verb,
                       const char *object, bool watchesClock) {
  pthread_mutex_lock(&clock->mutex);
  double now = xlaToolNow();
  if (clock->count)
    clock->phases[clock->current].seconds += now - clock->entered;
  clock->entered = now;
  int i = 0;
  while (i < clock->count &&
         (clock->phases[i].verb != verb || clock->phases[i].object != object))
    ++i;
  if (i < MAX_PHASES) {
    clock->phases[i].verb = verb;
    clock->phases[i].object = object;
    clock->phases[i].watchesClock = watchesClock;
    clock->current = i;
    clock->count = i == clock->count ? i + 1 : clock->count;
  }
  pthread_mutex_unlock(&clock->mutex);
}

void xlaToolClockSetQuiet(XlaToolClock *clock, bool quiet) {
  pthread_mutex_lock(&clock->mutex);
  clock->quiet = quiet;
  xlaToolProgressHide();
  pthread_mutex_unlock(&clock->mutex);
}

void xlaToolClockSetSubject(XlaToolClock *clock, const char *subject) {
  pthread_mutex_lock(&clock->mutex);
  clock->subject = subject;
  pthread_mutex_unlock(&clock->mutex);
}

double xlaToolClockGetLimit(const XlaToolClock *clock) { return clock->limit; }

double xlaToolClockGetSpent(const XlaToolClock *clock) {
  return xlaToolNow() - clock->start;
}

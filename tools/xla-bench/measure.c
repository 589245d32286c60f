//===- measure.c - Timing calls -------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-bench/bench.h"

#include <stdlib.h>
#include <time.h>

/// More are not kept: measuring ends there.
#define MAX_SAMPLES (1 << 18)
/// Reading the clock must not show.
#define MIN_SAMPLE_SECONDS 5e-6
#define MIN_SAMPLES 5

/// Seconds that all threads of this process have spent.
static double cpuSeconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Seconds of one call, from `batch` of them.
static XlaToolCode sample(XlaToolCode (*call)(void *), void *user,
                          int64_t batch, double *seconds) {
  double begin = xlaToolNow();
  for (int64_t i = 0; i < batch; ++i) {
    XlaToolCode code = call(user);
    if (code != XlaToolCodeOk)
      return code;
  }
  *seconds = (xlaToolNow() - begin) / (double)batch;
  return XlaToolCodeOk;
}

/// Caches, page tables, threads and the clock rate settle for 0.3 s, or three
/// calls where one takes longer.
static XlaToolCode warmUp(XlaToolCode (*call)(void *), void *user,
                          double *fastest) {
  double limit = 3 * *fastest < 0.3 ? 0.3 : 3 * *fastest;
  double begin = xlaToolNow(), seconds;
  XlaToolCode code = XlaToolCodeOk;
  while (code == XlaToolCodeOk && xlaToolNow() - begin < limit) {
    code = sample(call, user, 1, &seconds);
    if (code == XlaToolCodeOk && seconds < *fastest)
      *fastest = seconds;
  }
  return code;
}

XlaToolCode xlaBenchMeasure(XlaToolCode (*call)(void *user), void *user,
                            double minTime, XlaBenchTimes *times) {
  *times = (XlaBenchTimes){.first = 0};
  double *samples = malloc(MAX_SAMPLES * sizeof *samples);
  if (!samples)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  XlaToolCode code = sample(call, user, 1, &times->first);
  double fastest = times->first;
  if (code == XlaToolCodeOk)
    code = warmUp(call, user, &fastest);
  int64_t batch = 1, n = 0;
  if (fastest < MIN_SAMPLE_SECONDS)
    batch = (int64_t)(MIN_SAMPLE_SECONDS / (fastest + 1e-9)) + 1;
  double begin = xlaToolNow(), cpu = cpuSeconds();
  while (code == XlaToolCodeOk && n < MAX_SAMPLES &&
         (n < MIN_SAMPLES || xlaToolNow() - begin < minTime))
    code = sample(call, user, batch, &samples[n++]);
  if (code == XlaToolCodeOk) {
    times->cores = (cpuSeconds() - cpu) / (xlaToolNow() - begin);
    qsort(samples, (size_t)n, sizeof *samples, compare);
    times->min = samples[0];
    times->median = samples[n / 2];
    times->iterations = n * batch;
  }
  free(samples);
  return code;
}

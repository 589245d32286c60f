//===- openmp.c - What MLIR makes of parallel loops -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parallel region has one loop, whose iterations are divided into as many
// parts as the region is to have threads. Parts may run on one thread after the
// other, so that nothing waits for the others in a region: its barrier is at
// the end, where the region's own is.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/cpu/openmp.h"

#include "xlac/runtime/cpu/threads.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/// A region's code. The thread's number, in the process and in the region, and
/// the values that it uses.
typedef void (*Region)(const int32_t *global, const int32_t *bound,
                       void *values);

typedef struct Fork {
  Region region;
  void *values;
} Fork;

/// Which part this thread runs, of how many.
static _Thread_local int32_t number, count = 1;
/// How many the next region is to have.
static _Thread_local int32_t wanted = 1;

static int32_t globalThreadNumber(void *location) {
  (void)location;
  return number;
}

static void pushThreads(void *location, int32_t global, int32_t threads) {
  (void)location;
  (void)global;
  wanted = threads;
}

static void runPart(void *data, int part, int parts) {
  const Fork *fork = data;
  int32_t outerNumber = number, outerCount = count;
  number = part;
  count = parts;
  fork->region(&number, &number, fork->values);
  number = outerNumber;
  count = outerCount;
}

static void forkCall(void *location, int32_t nValues, Region region, ...) {
  (void)location;
  Fork fork = {region, NULL};
  va_list values;
  va_start(values, region);
  if (nValues > 0) // one structure
    fork.values = va_arg(values, void *);
  va_end(values);
  int32_t parts = wanted;
  wanted = 1;
  xlaCpuParallel(parts, runPart, &fork);
}

/// Iterations `*lower` to `*upper`, one after the other, of which this part's
/// take their place: as many as the others have, or one more.
static void divide(void *location, int32_t global, int32_t schedule,
                   int32_t *isLast, uint64_t *lower, uint64_t *upper,
                   int64_t *stride, int64_t step, int64_t chunk) {
  (void)location;
  (void)global;
  (void)schedule; // one range a part: kmp_sch_static
  (void)step;     // loops are normalised
  (void)chunk;
  uint64_t all = *upper - *lower + 1; // 0 where `*upper` is -1
  uint64_t n = (uint64_t)count, part = (uint64_t)number;
  uint64_t each = all / n, more = all % n;
  uint64_t first = part * each + (part < more ? part : more);
  uint64_t mine = each + (part < more);
  *isLast = mine > 0 && first + mine == all;
  *stride = (int64_t)all;
  *lower += first;
  *upper = *lower + mine - 1;
}

static void endLoop(void *location, int32_t global) {
  (void)location;
  (void)global;
}

/// The end of a region is one.
static void barrier(void *location, int32_t global) {
  (void)location;
  (void)global;
}

const XlaCpuRuntimeFunction *xlaCpuOpenMPFunctions(int *n) {
  static const XlaCpuRuntimeFunction functions[] = {
      {"__kmpc_global_thread_num", (void *)globalThreadNumber},
      {"__kmpc_push_num_threads", (void *)pushThreads},
      {"__kmpc_fork_call", (void *)forkCall},
      {"__kmpc_for_static_init_8u", (void *)divide},
      {"__kmpc_for_static_fini", (void *)endLoop},
      {"__kmpc_barrier", (void *)barrier},
  };
  *n = sizeof functions / sizeof *functions;
  return functions;
}

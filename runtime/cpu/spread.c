//===- spread.c - Threads on processors of their own ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/cpu/spread.h"

#include "xlac/runtime/clock.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  enough = 3,  ///< meetings on one processor, as threads also move by chance
  within = 10, ///< milliseconds
};

/// A thread, as long as it lasts.
typedef struct Thread {
  bool stays;
  bool isKnown; ///< `allowed` is
  int meetings;
  double since; ///< when the first of these was
  double next;  ///< when it may move again
  cpu_set_t allowed;
} Thread;

/// Which thread was last seen on a processor. Addresses are only compared:
/// threads end. Threads may overwrite each other's; each writes its own again.
static _Atomic(const Thread *) seen[CPU_SETSIZE];
static _Thread_local Thread self;

void xlaCpuSpreadStay(void) { self.stays = true; }

/// Leaves processor `cpu`, if there is another one to go to.
static void leave(int cpu) {
  if (!self.isKnown &&
      sched_getaffinity(0, sizeof self.allowed, &self.allowed) != 0)
    return;
  self.isKnown = true;
  cpu_set_t others = self.allowed;
  CPU_CLR(cpu, &others);
  // Were it allowed back at once, it would soon be there again.
  if (CPU_COUNT(&others) > 0)
    (void)sched_setaffinity(0, sizeof others, &others);
}

void xlaCpuSpread(void) {
  int cpu = sched_getcpu();
  if (cpu < 0 || cpu >= CPU_SETSIZE)
    return;
  const Thread *other = atomic_load_explicit(&seen[cpu], memory_order_relaxed);
  if (other == &self)
    return;
  atomic_store_explicit(&seen[cpu], &self, memory_order_relaxed);
  if (!other || self.stays)
    return;
  double now = xlaClockMilliseconds();
  if (now - self.since > within) {
    self.since = now;
    self.meetings = 0;
  }
  if (++self.meetings < enough || now < self.next)
    return;
  self.meetings = 0;
  self.next = now + within;
  leave(cpu);
}

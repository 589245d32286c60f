//===- pace.c - Who runs short programs -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/pace.h"

#include "xlac/runtime/clock.h"
#include "xlac/runtime/worker.h"

enum {
  /// Runs that nobody waited for before the worker gets some: that it wakes up
  /// must pay.
  EnoughAhead = 32,
  /// Of a round, whose first half is not timed: in it the worker's tasks become
  /// as many, or as few, as they are in the second.
  RunsPerRound = 16 * XLA_WORKER_TASKS,
  /// One of them is of the way that took longer.
  RoundsPerTrial = 16,
};

/// Whether the worker had the round before, and has not this one.
static bool beginRound(XlaPace *pace) {
  double alone = atomic_load(&pace->times[0]);
  double beside = atomic_load(&pace->times[1]);
  bool isBeside = beside == 0 || (alone != 0 && beside <= alone);
  if (atomic_load(&pace->rounds) % RoundsPerTrial == RoundsPerTrial - 1)
    isBeside = !isBeside;
  return atomic_exchange(&pace->isBeside, isBeside) && !isBeside;
}

/// What takes longer once, as other programs wanted the processor, may not do
/// so the next time.
static void endRound(XlaPace *pace) {
  _Atomic double *place = &pace->times[atomic_load(&pace->isBeside)];
  double known = atomic_load(place);
  double took = xlaClockMilliseconds() - atomic_load(&pace->begin);
  atomic_store(place,
               known != 0 && took > known * 9 / 8 ? known * 9 / 8 : took);
  atomic_fetch_add(&pace->rounds, 1);
}

XlaPaceWay xlaPaceNext(XlaPace *pace, bool isAhead) {
  int ahead = isAhead ? atomic_load(&pace->ahead) + 1 : 0;
  bool isAfter = false;
  if (ahead == EnoughAhead + RunsPerRound) {
    endRound(pace);
    ahead = EnoughAhead;
  }
  if (ahead == EnoughAhead)
    isAfter = beginRound(pace);
  else if (ahead == EnoughAhead + RunsPerRound / 2)
    atomic_store(&pace->begin, xlaClockMilliseconds());
  atomic_store(&pace->ahead, ahead);
  if (isAfter)
    return XlaPaceWayAfter;
  return ahead >= EnoughAhead && atomic_load(&pace->isBeside) ? XlaPaceWayBeside
                                                              : XlaPaceWayAlone;
}

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
  /// must pay. It takes as long as about so many gain.
  EnoughAhead = 12,
  /// Of a round, whose first half is not timed: in it the worker's tasks become
  /// as many, or as few, as they are in the second.
  RunsPerRound = 16 * XLA_WORKER_TASKS,
  /// One of them is of the way that took longer; as long as it still does,
  /// twice as many follow before the next one.
  RoundsPerTrial = 16,
  DoublingsMax = 6,
};

static bool isBesideBetter(XlaPace *pace) {
  double alone = atomic_load(&pace->times[0]);
  double beside = atomic_load(&pace->times[1]);
  return beside == 0 || (alone != 0 && beside <= alone);
}

/// Whether the worker had the round before, and has not this one.
static bool beginRound(XlaPace *pace) {
  bool isBeside = isBesideBetter(pace);
  int doublings = atomic_load(&pace->doublings);
  if (atomic_load(&pace->rounds) >= (RoundsPerTrial << doublings) - 1) {
    isBeside = !isBeside;
    atomic_store(&pace->rounds, -1); // it is no round of the other way
    if (doublings < DoublingsMax)
      atomic_store(&pace->doublings, doublings + 1);
  }
  return atomic_exchange(&pace->isBeside, isBeside) && !isBeside;
}

/// What takes longer once, as other programs wanted the processor, may not do
/// so the next time.
static void endRound(XlaPace *pace) {
  _Atomic double *place = &pace->times[atomic_load(&pace->isBeside)];
  double known = atomic_load(place);
  double took = xlaClockMilliseconds() - atomic_load(&pace->begin);
  bool wasBetter = isBesideBetter(pace);
  atomic_store(place,
               known != 0 && took > known * 9 / 8 ? known * 9 / 8 : took);
  if (isBesideBetter(pace) != wasBetter)
    atomic_store(&pace->doublings, 0);
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

//===- pace.c - Who runs short programs -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/pace.h"

#include "xlac/runtime/worker.h"

enum {
  /// Runs that nobody waited for before the worker gets some: that it wakes up
  /// must pay.
  EnoughAhead = 32,
  /// Of a round, whose first half is not timed: in it the worker's tasks become
  /// as many, or as few, as they are in the second.
  RunsPerRound = 16 * XLA_WORKER_TASKS,
  /// That a way has before it is judged: an operating system that wakes the
  /// worker where the caller runs moves it to a processor of its own only after
  /// some milliseconds.
  RoundsTried = 4,
  /// At the end of them the way that took longer has RoundsTried.
  RoundsPerTrial = 64,
};

/// Once both have been tried.
static bool isBesideBetter(const XlaPace *pace) {
  return atomic_load(&pace->times[1]) <= atomic_load(&pace->times[0]);
}

static bool choose(const XlaPace *pace) {
  int round = atomic_load(&pace->rounds) - 2 * RoundsTried;
  if (round < 0)
    return round < -RoundsTried;
  int trial = round - (RoundsPerTrial - RoundsTried);
  if (trial > 0)
    return atomic_load(&pace->isBeside);
  return isBesideBetter(pace) != (trial == 0);
}

/// Whether the worker had the round before, and has not this one.
static bool beginRound(XlaPace *pace) {
  bool isBeside = choose(pace);
  return atomic_exchange(&pace->isBeside, isBeside) && !isBeside;
}

/// What takes longer once, as other programs wanted the processor, may not do
/// so the next time.
static void endRound(XlaPace *pace) {
  _Atomic double *place = &pace->times[atomic_load(&pace->isBeside)];
  double known = atomic_load(place);
  double took = pace->clock() - atomic_load(&pace->begin);
  atomic_store(place,
               known != 0 && took > known * 9 / 8 ? known * 9 / 8 : took);
  int rounds = atomic_load(&pace->rounds) + 1;
  atomic_store(&pace->rounds, rounds < 2 * RoundsTried + RoundsPerTrial
                                  ? rounds
                                  : 2 * RoundsTried);
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
    atomic_store(&pace->begin, pace->clock());
  atomic_store(&pace->ahead, ahead);
  if (isAfter)
    return XlaPaceWayAfter;
  return ahead >= EnoughAhead && atomic_load(&pace->isBeside) ? XlaPaceWayBeside
                                                              : XlaPaceWayAlone;
}

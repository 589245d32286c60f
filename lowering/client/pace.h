//===- pace.h - Who runs short programs ---------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to clients. A caller that goes on without waiting for its short
// programs can have them run beside it, by the client's worker. Whether it
// gains by that the machine decides: processors may be far from each other, or
// busy with other things. So both ways are timed, again and again, and the
// better one is kept.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CLIENT_PACE_H
#define XLAC_LOWERING_CLIENT_PACE_H

#include <stdatomic.h>
#include <stdbool.h>

/// Begins as zeros, with a clock. Threads that ask at once take each other's
/// figures, which makes the choice worse, not the results.
typedef struct XlaPace {
  double (*clock)(void);   ///< in milliseconds
  atomic_int ahead;        ///< runs that nobody waited for
  atomic_int rounds;       ///< of these, each of one way, since a trial
  atomic_bool isBeside;    ///< that of this round
  _Atomic double begin;    ///< of the round's second half, in milliseconds
  _Atomic double times[2]; ///< what either way takes; 0: not known
} XlaPace;

typedef enum XlaPaceWay {
  XlaPaceWayAlone,  ///< the caller runs it
  XlaPaceWayAfter,  ///< the caller does, once what the worker has to do is done
  XlaPaceWayBeside, ///< the worker does
} XlaPaceWay;

/// A short run is asked for; `isAhead` says that nobody has waited for the one
/// before.
XlaPaceWay xlaPaceNext(XlaPace *pace, bool isAhead);

#endif // XLAC_LOWERING_CLIENT_PACE_H

//===- clock.h - Time, and limits on it --------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_CLOCK_H
#define XLAC_TOOLS_COMMON_CLOCK_H

#include <stdbool.h>

/// Seconds of a clock that only goes forward.
double xlaToolNow(void);

/// What a tool has been doing for how long, and the limit on all of it.
typedef struct XlaToolClock XlaToolClock;

/// Starts a clock. `limit` seconds later the process ends with
/// XlaToolCodeRefused and a line that says what the time was spent on. A limit
/// of 0: none. After two seconds a terminal shows what goes on (progress.h).
/// NULL if there is no memory or no thread.
XlaToolClock *xlaToolClockStart(double limit);
void xlaToolClockStop(XlaToolClock *clock);

/// What follows is `verb` `object`, as "running on" "cpu"; both are kept, not
/// copied. A phase that was entered before goes on. One that watches the clock
/// itself, and can say more about where it was, gets half a second for that.
void xlaToolClockEnter(XlaToolClock *clock, const char *verb,
                       const char *object, bool watchesClock);
/// While it is quiet, what goes on is not shown: something else is printed.
void xlaToolClockSetQuiet(XlaToolClock *clock, bool quiet);
/// What the phases that follow are about, which stands in front of them, kept;
/// NULL: nothing.
void xlaToolClockSetSubject(XlaToolClock *clock, const char *subject);
/// The limit that was given, and the seconds since the start.
double xlaToolClockGetLimit(const XlaToolClock *clock);
double xlaToolClockGetSpent(const XlaToolClock *clock);

#endif // XLAC_TOOLS_COMMON_CLOCK_H

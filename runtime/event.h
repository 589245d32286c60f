//===- event.h - What will have happened --------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event happens once: work that was started has ended, well or not. Who
// waits for it is told how. Any thread may call any of these functions.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_EVENT_H
#define XLAC_RUNTIME_EVENT_H

#include "xlac/runtime/status.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reference counted.
typedef struct XlaEvent XlaEvent;

/// One that has not happened, with a reference for the caller. NULL without
/// memory.
XlaEvent *xlaEventCreate(void);
XlaEvent *xlaEventRetain(XlaEvent *event);
/// NULL is allowed. Callbacks of an event that is given up before it happens
/// are told that it was cancelled, an INTERNAL status.
void xlaEventRelease(XlaEvent *event);

/// Says that it has happened and how; takes `status`. Wakes who waits, then
/// calls the callbacks in the order in which they came. Only the first call of
/// an event means something.
void xlaEventSet(XlaEvent *event, XlaStatus status);

/// The same, but callbacks that can wait, if all can, are left to xlaEventTell,
/// which must be called too, before or after.
void xlaEventSetQuietly(XlaEvent *event, XlaStatus status);
/// Calls those that were left, on this thread; of an event that has not
/// happened, none will be left.
void xlaEventTell(XlaEvent *event);

bool xlaEventHasHappened(XlaEvent *event);
/// How it went, OK as long as it has not happened. Lives as long as the event.
XlaStatus xlaEventGetStatus(XlaEvent *event);
/// Waits for it, and says how it went: as xlaEventGetStatus.
XlaStatus xlaEventWait(XlaEvent *event);

/// Says that somebody waits for it, or soon will; xlaEventWait says so itself.
void xlaEventExpect(XlaEvent *event);
bool xlaEventIsExpected(const XlaEvent *event);

/// Says that it happens within microseconds: xlaEventWait then looks for it a
/// while before it sleeps, as waking up takes longer.
void xlaEventSetNear(XlaEvent *event);
/// Looks for such an event, 100 microseconds at most.
void xlaEventLook(XlaEvent *event);

/// Gets the status, which lives as long as the event, and `user`. Must not wait
/// for anything.
typedef void (*XlaEventCallback)(XlaStatus status, void *user);
/// Calls `callback` when it happens, on the thread that says so; at once if it
/// has. False without memory: it is not called then.
bool xlaEventWhenHappened(XlaEvent *event, XlaEventCallback callback,
                          void *user);

/// What is called then; the beginning of what a caller has to know.
typedef struct XlaEventListener {
  XlaEventCallback callback;
  void *user;
  bool canWait;                  ///< is as well called some microseconds later
  struct XlaEventListener *next; ///< the event's
} XlaEventListener;
/// The same with memory of malloc, which the event frees: with itself, on the
/// thread that releases it last. That is more often the one which had it
/// allocated than the one that says the event has happened, and memory that
/// one thread allocates and another frees makes them wait for each other.
void xlaEventListen(XlaEvent *event, XlaEventListener *listener);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_EVENT_H

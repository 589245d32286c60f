//===- event.c - What will have happened ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/event.h"

#include "xlac/runtime/relax.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct XlaEvent {
  atomic_int references;
  atomic_bool hasHappened; ///< set under the lock, after `status`
  atomic_bool isExpected, isNear;
  bool isTold; ///< who sets it tells everybody
  XlaStatus status;
  pthread_mutex_t lock;
  pthread_cond_t happened;
  /// In the order in which they came. All before `*next` have been called.
  XlaEventListener *first, **next, **last;
};

XlaEvent *xlaEventCreate(void) {
  XlaEvent *event = calloc(1, sizeof *event);
  if (!event)
    return NULL;
  atomic_init(&event->references, 1);
  event->next = event->last = &event->first;
  pthread_mutex_init(&event->lock, NULL);
  pthread_cond_init(&event->happened, NULL);
  return event;
}

XlaEvent *xlaEventRetain(XlaEvent *event) {
  atomic_fetch_add_explicit(&event->references, 1, memory_order_relaxed);
  return event;
}

static void tell(XlaEventListener *listener, XlaStatus status) {
  for (; listener; listener = listener->next)
    listener->callback(status, listener->user);
}

void xlaEventRelease(XlaEvent *event) {
  if (!event || atomic_fetch_sub(&event->references, 1) != 1)
    return;
  if (*event->next) {
    XlaStatus cancelled = xlaStatusCreate(XLA_STATUS_INTERNAL,
                                          "what was waited for was given up");
    tell(*event->next, cancelled);
    xlaStatusDestroy(cancelled);
  }
  while (event->first) {
    XlaEventListener *next = event->first->next;
    free(event->first);
    event->first = next;
  }
  xlaStatusDestroy(event->status);
  pthread_cond_destroy(&event->happened);
  pthread_mutex_destroy(&event->lock);
  free(event);
}

/// Those that have not been called, which then have been. With the lock.
static XlaEventListener *takeListeners(XlaEvent *event) {
  XlaEventListener *listeners = *event->next;
  event->next = event->last;
  return listeners;
}

/// With the lock.
static bool canAllWait(const XlaEvent *event) {
  for (const XlaEventListener *l = *event->next; l; l = l->next)
    if (!l->canWait)
      return false;
  return true;
}

static void set(XlaEvent *event, XlaStatus status, bool isQuiet) {
  pthread_mutex_lock(&event->lock);
  if (event->hasHappened) {
    pthread_mutex_unlock(&event->lock);
    xlaStatusDestroy(status);
    return;
  }
  // Who waits may release it at once.
  xlaEventRetain(event);
  event->status = status;
  atomic_store(&event->hasHappened, true);
  bool isLeft = isQuiet && !event->isTold && canAllWait(event);
  XlaEventListener *listeners = isLeft ? NULL : takeListeners(event);
  pthread_cond_broadcast(&event->happened);
  pthread_mutex_unlock(&event->lock);
  tell(listeners, status);
  xlaEventRelease(event);
}

void xlaEventSet(XlaEvent *event, XlaStatus status) {
  set(event, status, false);
}

void xlaEventSetQuietly(XlaEvent *event, XlaStatus status) {
  set(event, status, true);
}

void xlaEventTell(XlaEvent *event) {
  pthread_mutex_lock(&event->lock);
  event->isTold = true;
  XlaEventListener *listeners =
      event->hasHappened ? takeListeners(event) : NULL;
  XlaStatus status = event->status;
  pthread_mutex_unlock(&event->lock);
  tell(listeners, status);
}

bool xlaEventHasHappened(XlaEvent *event) {
  return atomic_load(&event->hasHappened);
}

XlaStatus xlaEventGetStatus(XlaEvent *event) {
  return xlaEventHasHappened(event) ? event->status : NULL;
}

void xlaEventExpect(XlaEvent *event) {
  atomic_store_explicit(&event->isExpected, true, memory_order_relaxed);
}

bool xlaEventIsExpected(const XlaEvent *event) {
  return atomic_load_explicit(&event->isExpected, memory_order_relaxed);
}

void xlaEventSetNear(XlaEvent *event) {
  atomic_store_explicit(&event->isNear, true, memory_order_relaxed);
}

void xlaEventLook(XlaEvent *event) {
  if (!atomic_load_explicit(&event->isNear, memory_order_relaxed))
    return;
  for (int i = 0; i < XLA_LOOKS_AWAKE && !xlaEventHasHappened(event); ++i)
    xlaRelax(i);
}

XlaStatus xlaEventWait(XlaEvent *event) {
  xlaEventExpect(event);
  xlaEventLook(event);
  if (!xlaEventHasHappened(event)) {
    pthread_mutex_lock(&event->lock);
    while (!event->hasHappened)
      pthread_cond_wait(&event->happened, &event->lock);
    pthread_mutex_unlock(&event->lock);
  }
  return event->status;
}

bool xlaEventWhenHappened(XlaEvent *event, XlaEventCallback callback,
                          void *user) {
  if (xlaEventHasHappened(event)) {
    callback(event->status, user);
    return true;
  }
  XlaEventListener *listener = malloc(sizeof *listener);
  if (!listener)
    return false;
  *listener = (XlaEventListener){.callback = callback, .user = user};
  xlaEventListen(event, listener);
  return true;
}

void xlaEventListen(XlaEvent *event, XlaEventListener *listener) {
  listener->next = NULL;
  pthread_mutex_lock(&event->lock);
  bool isWaiting = !event->hasHappened;
  if (isWaiting) {
    *event->last = listener;
    event->last = &listener->next;
  }
  pthread_mutex_unlock(&event->lock);
  if (isWaiting)
    return;
  listener->callback(event->status, listener->user);
  free(listener);
}

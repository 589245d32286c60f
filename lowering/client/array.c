//===- array.c - Arrays on a device ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include <stdlib.h>
#include <string.h>

struct XlaArray {
  atomic_int references;
  XlaClient *client;
  XlaShape shape;
  size_t bytes;
  XlaEvent *event;
  bool isUnordered;
  XlaPromiseLinks promise;
  bool isShared; ///< has one of the memory's holds, as long as it has that
  /// NULL: it has been deleted. Taken under the lock, which is of what follows
  /// too.
  _Atomic(XlaMemory *) memory;
  pthread_mutex_t lock;
  XlaMemory *held; ///< as long as nHolds is not 0
  int nHolds;
};

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

XlaArray *xlaArrayMake(XlaClient *client, const XlaShape *shape,
                       XlaMemory *memory, XlaEvent *event) {
  XlaArray *array = calloc(1, sizeof *array);
  if (!array) {
    xlaMemoryRelease(memory);
    xlaEventRelease(event);
    return NULL;
  }
  atomic_init(&array->references, 1);
  array->client = client;
  array->shape = *shape;
  array->bytes = xlaExecutableByteCount(shape);
  atomic_init(&array->memory, memory);
  array->event = event;
  pthread_mutex_init(&array->lock, NULL);
  return array;
}

void xlaArraySetMemory(XlaArray *array, XlaMemory *memory) {
  array->memory = memory;
}

void xlaArraySetUnordered(XlaArray *array) { array->isUnordered = true; }

bool xlaArrayIsPending(const XlaArray *array) {
  return array->isUnordered && !xlaEventHasHappened(array->event);
}

XlaPromiseLinks *xlaArrayGetPromiseLinks(XlaArray *array) {
  return &array->promise;
}

static XlaStatus noMemory(void) {
  return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for an array");
}

XlaArray *xlaArrayBegin(XlaClient *client, const XlaShape *shape,
                        XlaStatus *status) {
  int64_t count;
  *status = NULL;
  if (!client || !shape) {
    *status = xlaClientMissing(client ? "shape" : "client");
    return NULL;
  }
  if (shape->dynamic || !xlaShapeGetElementCount(shape, &count)) {
    *status = xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                              "an array has no dynamic dimensions, and no more "
                              "than 2^62 bytes; this is %s",
                              XLA_SHAPE_TEXT(shape));
    return NULL;
  }
  XlaEvent *event = xlaEventCreate();
  XlaArray *array = event ? xlaArrayMake(client, shape, NULL, event) : NULL;
  if (!array)
    *status = noMemory();
  return array;
}

/// Takes `why`, which is OK or why it has failed; NULL on failure, with
/// `*status`.
static XlaArray *createWith(XlaClient *client, const XlaShape *shape,
                            XlaStatus why, XlaStatus *status) {
  XlaArray *array = xlaArrayBegin(client, shape, status);
  if (!array) {
    xlaStatusDestroy(why);
    return NULL;
  }
  xlaEventSet(array->event, why);
  XlaMemory *memory;
  *status = xlaMemoryCreate(client, array->bytes, &memory);
  if (!*status) {
    array->memory = memory;
    return array;
  }
  xlaArrayRelease(array);
  return NULL;
}

XlaStatus xlaArrayCreate(XlaClient *client, const XlaShape *shape,
                         XlaArray **array) {
  XlaStatus status;
  if (!array)
    return xlaClientMissing("place for an array");
  *array = createWith(client, shape, NULL, &status);
  return status;
}

XlaStatus xlaArrayCreateFailed(XlaClient *client, const XlaShape *shape,
                               XlaStatus why, XlaArray **array) {
  XlaStatus status;
  if (!why || !array) {
    xlaStatusDestroy(why);
    return xlaClientMissing(why ? "place for an array" : "reason of a failure");
  }
  *array = createWith(client, shape, why, &status);
  return status;
}

XlaArray *xlaArrayRetain(XlaArray *array) {
  atomic_fetch_add_explicit(&array->references, 1, memory_order_relaxed);
  return array;
}

void xlaArrayRelease(XlaArray *array) {
  if (!array || atomic_fetch_sub(&array->references, 1) != 1)
    return;
  if (array->isUnordered)
    xlaPromiseForget(array);
  if (array->held) { // whoever forgot to let go loses it
    atomic_fetch_sub(&array->held->holds, array->nHolds);
    xlaMemoryRelease(array->held);
  }
  xlaMemoryRelease(xlaArrayTakeMemory(array));
  xlaEventRelease(array->event);
  pthread_mutex_destroy(&array->lock);
  free(array);
}

XlaStatus xlaArrayShare(XlaArray *array, XlaClient *client, XlaArray **shared) {
  if (!array || !client || !shared)
    return xlaClientMissing("array, client or place for an array");
  *shared = NULL;
  if (!array->client->kind->isShared || !client->kind->isShared)
    return xlaArrayCopy(array, client, shared);
  XlaMemory *memory = xlaArrayGetMemory(array);
  if (!memory)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the array has been deleted or donated");
  XlaArray *made =
      xlaArrayMake(client, &array->shape, memory, xlaEventRetain(array->event));
  if (!made)
    return noMemory();
  atomic_fetch_add(&memory->holds, 1);
  made->isShared = made->isUnordered = true;
  *shared = made;
  return NULL;
}

static void setPassed(void *event) {
  xlaEventSet(event, NULL);
  xlaEventRelease(event);
}

/// Happens when `array` is there and its client has done what was asked for
/// before; NULL if that cannot be said now.
static XlaEvent *eventOfMove(const XlaArray *array) {
  XlaWorker *worker = array->client->worker;
  if (xlaWorkerTryEnter(worker)) { // nothing waits there
    xlaWorkerLeave(worker);
    return xlaEventRetain(array->event);
  }
  // A task does not ask for what may wait for it.
  bool isThere = !xlaWorkerIsInTask() && xlaEventHasHappened(array->event);
  XlaEvent *event = isThere ? xlaEventCreate() : NULL;
  if (!event)
    return NULL;
  XlaStatus status = xlaWorkerPost(worker, setPassed, xlaEventRetain(event));
  if (!status)
    return event;
  xlaStatusDestroy(status);
  xlaEventRelease(event);
  xlaEventRelease(event);
  return NULL;
}

XlaStatus xlaArrayMove(XlaArray *array, XlaClient *client, XlaArray **moved) {
  if (!array || !client || !moved)
    return xlaClientMissing("array, client or place for an array");
  *moved = NULL;
  if (!array->client->kind->isShared || !client->kind->isShared) {
    XLA_RETURN_IF_ERROR(xlaArrayCopy(array, client, moved));
    xlaArrayDelete(array);
    return NULL;
  }
  XlaArray *made = xlaArrayMake(client, &array->shape, NULL, NULL);
  if (!made)
    return noMemory();
  made->memory = xlaArrayTakeMemory(array);
  if (!made->memory) {
    xlaArrayRelease(made);
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the array has been deleted or donated");
  }
  made->isUnordered = true;
  made->event = eventOfMove(array);
  if (!made->event) { // others may still read it
    made->event = xlaEventRetain(array->event);
    atomic_fetch_add(&made->memory->holds, 1);
    made->isShared = true;
  }
  *moved = made;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

XlaClient *xlaArrayGetClient(const XlaArray *array) { return array->client; }

const XlaShape *xlaArrayGetShape(const XlaArray *array) {
  return &array->shape;
}

size_t xlaArrayGetByteCount(const XlaArray *array) { return array->bytes; }

XlaEvent *xlaArrayGetEvent(const XlaArray *array) { return array->event; }

XlaMemory *xlaArrayGetMemory(XlaArray *array) {
  pthread_mutex_lock(&array->lock);
  XlaMemory *memory = array->memory;
  if (memory)
    xlaMemoryRetain(memory);
  pthread_mutex_unlock(&array->lock);
  return memory;
}

XlaMemory *xlaArrayTakeMemory(XlaArray *array) {
  pthread_mutex_lock(&array->lock);
  XlaMemory *memory = array->memory;
  array->memory = NULL;
  if (memory && array->isShared)
    atomic_fetch_sub(&memory->holds, 1);
  pthread_mutex_unlock(&array->lock);
  return memory;
}

void xlaArrayDelete(XlaArray *array) {
  xlaMemoryRelease(xlaArrayTakeMemory(array));
}

bool xlaArrayIsDeleted(XlaArray *array) { return !atomic_load(&array->memory); }

XlaStatus xlaArrayFailure(XlaArray *array) {
  return xlaStatusCopy(xlaEventGetStatus(array->event));
}

//===----------------------------------------------------------------------===//
// Holding
//===----------------------------------------------------------------------===//

const void *xlaArrayHold(XlaArray *array) {
  if (!array->client->kind->isShared)
    return NULL;
  xlaEventExpect(array->event);
  pthread_mutex_lock(&array->lock);
  XlaMemory *memory = array->held ? array->held : array->memory;
  if (memory) {
    if (array->nHolds++ == 0)
      array->held = xlaMemoryRetain(memory);
    atomic_fetch_add(&memory->holds, 1);
  }
  pthread_mutex_unlock(&array->lock);
  return memory ? memory->data : NULL;
}

void xlaArrayUnhold(XlaArray *array) {
  XlaMemory *released = NULL;
  pthread_mutex_lock(&array->lock);
  if (array->nHolds > 0) {
    atomic_fetch_sub(&array->held->holds, 1);
    if (--array->nHolds == 0) {
      released = array->held;
      array->held = NULL;
    }
  }
  pthread_mutex_unlock(&array->lock);
  xlaMemoryRelease(released);
}

XlaMemoryStatistics xlaClientGetMemoryStatistics(XlaClient *client) {
  xlaClientReleaseAllRuns(client);
  return client->kind->statistics(client);
}

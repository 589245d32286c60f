//===- transfer.c - Arrays come and go ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include "xlac/dialect/interpret/strided.h"

#include <stdlib.h>
#include <string.h>

/// What is shorter is copied before the call returns: handing it to a thread
/// takes longer.
static const size_t shortBytes = (size_t)1 << 16;

//===----------------------------------------------------------------------===//
// From the host
//===----------------------------------------------------------------------===//

/// A copy of an array of the host, of any strides.
typedef struct Arrival {
  XlaClient *client;
  XlaShape shape;
  XlaHostArray host;
  int64_t strides[XLA_MAX_RANK]; ///< in bytes
  bool isDense;
  XlaMemory *memory;
  XlaEvent *event;
} Arrival;

static bool isDense(const XlaShape *shape, const int64_t *strides) {
  int64_t dense[XLA_MAX_RANK], count;
  int64_t bytes = (int64_t)xlaElementTypeGetInfo(shape->elementType)->bytes;
  if (xlaShapeGetElementCount(shape, &count) && count == 0)
    return true;
  xlaStridesInit(shape, dense);
  for (int d = 0; d < shape->rank; ++d)
    if (shape->dims[d] > 1 && strides[d] != bytes * dense[d])
      return false;
  return true;
}

/// Copies dimensions `d` and those behind it; returns where the next go.
static char *pack(const Arrival *a, int d, const char *from, char *to) {
  size_t bytes = xlaElementTypeGetInfo(a->shape.elementType)->bytes;
  if (d == a->shape.rank) {
    memcpy(to, from, bytes);
    return to + bytes;
  }
  int64_t n = a->shape.dims[d], stride = a->strides[d];
  if (d == a->shape.rank - 1 && stride == (int64_t)bytes) {
    memcpy(to, from, bytes * (size_t)n);
    return to + bytes * (size_t)n;
  }
  for (int64_t i = 0; i < n; ++i)
    to = pack(a, d + 1, from + i * stride, to);
  return to;
}

static XlaStatus copyIn(const Arrival *a) {
  const XlaMemoryKind *kind = a->client->kind;
  size_t bytes = a->memory->bytes;
  if (bytes == 0)
    return NULL;
  if (a->isDense)
    return kind->write(a->client, a->memory->data, 0, a->host.data, bytes);
  if (kind->isShared) {
    pack(a, 0, a->host.data, a->memory->data);
    return NULL;
  }
  char *packed = malloc(bytes);
  if (!packed)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for %zu bytes on their way to the device",
                           bytes);
  pack(a, 0, a->host.data, packed);
  XlaStatus status = kind->write(a->client, a->memory->data, 0, packed, bytes);
  free(packed);
  return status;
}

static void letGo(const XlaHostArray *host) {
  if (host->release)
    host->release(host->user);
}

static void arrive(void *data) {
  Arrival *a = data;
  double begin = xlaClientTraceBegin(a->client);
  XlaStatus status = copyIn(a);
  xlaClientTraceEnd(a->client, XlaTraceKindFromHost, XLA_SHAPE_TEXT(&a->shape),
                    begin, a->memory->bytes);
  xlaMemoryRelease(a->memory);
  letGo(&a->host);
  xlaEventSet(a->event, status);
  xlaEventRelease(a->event);
  free(a);
}

/// The host's array is the array itself.
static XlaStatus share(XlaArray *array, const XlaHostArray *host) {
  XlaMemory *memory = calloc(1, sizeof *memory);
  if (!memory) {
    letGo(host);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for an array");
  }
  atomic_init(&memory->references, 1);
  memory->client = xlaArrayGetClient(array);
  memory->bytes = xlaArrayGetByteCount(array);
  memory->data = (void *)host->data;
  memory->isForeign = true;
  memory->isGiven = host->use == XlaHostUseGiven;
  memory->release = host->release;
  memory->user = host->user;
  xlaArraySetMemory(array, memory);
  xlaEventSet(xlaArrayGetEvent(array), NULL);
  return NULL;
}

/// Begins what `wanted` says, and takes it.
static XlaStatus copyFromHost(XlaArray *array, const Arrival *wanted) {
  Arrival *a = malloc(sizeof *a);
  if (!a) {
    letGo(&wanted->host);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for an array");
  }
  *a = *wanted;
  XlaStatus status =
      xlaMemoryCreate(a->client, xlaArrayGetByteCount(array), &a->memory);
  if (status) {
    letGo(&a->host);
    free(a);
    return status;
  }
  xlaArraySetMemory(array, xlaMemoryRetain(a->memory));
  a->event = xlaEventRetain(xlaArrayGetEvent(array));
  if (a->host.byteStrides)
    memcpy(a->strides, a->host.byteStrides,
           (size_t)a->shape.rank * sizeof *a->strides);
  if (a->host.use == XlaHostUseCall || a->memory->bytes <= shortBytes ||
      xlaWorkerIsInTask()) {
    arrive(a);
    return xlaArrayFailure(array);
  }
  status = xlaWorkerPost(a->client->worker, arrive, a);
  if (!status)
    return NULL;
  xlaMemoryRelease(a->memory);
  xlaEventRelease(a->event);
  letGo(&a->host);
  free(a);
  return status;
}

static bool canShare(const XlaClient *client, const Arrival *a) {
  size_t bytes = xlaElementTypeGetInfo(a->shape.elementType)->bytes;
  return client->kind->isShared && a->isDense &&
         (a->host.use == XlaHostUseShared || a->host.use == XlaHostUseGiven) &&
         (uintptr_t)a->host.data % bytes == 0;
}

/// NULL on failure, with `*status`.
static XlaArray *beginFromHost(XlaClient *client, const XlaShape *shape,
                               const XlaHostArray *host, XlaStatus *status) {
  XlaArray *array = xlaArrayBegin(client, shape, status);
  if (!array || host->data || !xlaArrayGetByteCount(array))
    return array;
  xlaArrayRelease(array);
  *status = xlaClientMissing("data of the host's array");
  return NULL;
}

/// NULL on failure, with `*status`.
static XlaArray *makeFromHost(XlaClient *client, const XlaShape *shape,
                              const XlaHostArray *host, XlaStatus *status) {
  XlaArray *array = beginFromHost(client, shape, host, status);
  if (!array) {
    letGo(host);
    return NULL;
  }
  Arrival arrival = {.client = client, .shape = *shape, .host = *host};
  arrival.isDense = !host->byteStrides || isDense(shape, host->byteStrides);
  *status = canShare(client, &arrival) ? share(array, host)
                                       : copyFromHost(array, &arrival);
  if (!*status)
    return array;
  xlaArrayRelease(array);
  return NULL;
}

XlaStatus xlaArrayFromHost(XlaClient *client, const XlaShape *shape,
                           const XlaHostArray *host, XlaArray **array) {
  if (!host)
    return xlaClientMissing("array of the host");
  if (!array) {
    letGo(host);
    return xlaClientMissing("place for an array");
  }
  XlaStatus status;
  *array = makeFromHost(client, shape, host, &status);
  return status;
}

//===----------------------------------------------------------------------===//
// To the host
//===----------------------------------------------------------------------===//

static XlaStatus deleted(void) {
  return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                         "the array has been deleted");
}

XlaStatus xlaArrayCheckBytes(const XlaArray *array, size_t offset,
                             size_t byteCount) {
  size_t bytes = xlaArrayGetByteCount(array);
  if (offset > bytes || byteCount > bytes - offset)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%zu bytes from %zu on of an array that has %zu",
                           byteCount, offset, bytes);
  return NULL;
}

/// Of what need not wait for an event. It waits for no room: callers may hold
/// locks, as Python's, that programs need for the functions of the host that
/// they call. Such functions are not behind what waits for their program, nor
/// for an array that is there: its device may be waiting for their own.
static XlaStatus pushNow(XlaDeferred *deferred, const XlaArray *array) {
  XlaWorker *worker = deferred->client->worker;
  deferred->task =
      (XlaWorkerTask){.run = deferred->run, .data = deferred->data};
  bool isNow =
      xlaWorkerIsCurrent(worker) ||
      (xlaWorkerIsInTask() && xlaEventHasHappened(xlaArrayGetEvent(array)));
  if (!isNow)
    return xlaWorkerPush(worker, &deferred->task);
  deferred->run(deferred->data);
  return NULL;
}

typedef struct Departure {
  XlaDeferred deferred;
  XlaArray *array;
  XlaMemory *memory;
  size_t offset, bytes;
  void *to;
  XlaEvent *event;
} Departure;

static XlaStatus copyOut(const Departure *d) {
  XlaStatus status = xlaStatusCopy(xlaEventWait(xlaArrayGetEvent(d->array)));
  const XlaClient *client = d->memory->client;
  double begin = xlaClientTraceBegin(client);
  if (!status && d->bytes)
    status = client->kind->read(d->memory->client, d->memory->data, d->offset,
                                d->bytes, d->to);
  xlaClientTraceEnd(client, XlaTraceKindToHost,
                    XLA_SHAPE_TEXT(xlaArrayGetShape(d->array)), begin,
                    d->bytes);
  return status;
}

static void endDeparture(Departure *d, XlaStatus status) {
  atomic_fetch_sub(&d->memory->holds, 1);
  xlaMemoryRelease(d->memory);
  xlaArrayRelease(d->array);
  xlaEventSet(d->event, status);
  xlaEventRelease(d->event);
  free(d);
}

static void depart(void *data) { endDeparture(data, copyOut(data)); }

static void cannotDepart(void *data, XlaStatus status) {
  endDeparture(data, status);
}

/// Where the device goes on by itself, its end is waited for by the waiter:
/// what was asked for before is there before this is.
static void departLater(void *data) {
  Departure *d = data;
  d->deferred.task = (XlaWorkerTask){.run = depart, .data = d};
  XlaStatus status =
      xlaWorkerPush(d->memory->client->waiter, &d->deferred.task);
  if (status)
    endDeparture(d, status);
}

static XlaStatus readLater(const Departure *wanted, XlaEvent **done) {
  Departure *d = malloc(sizeof *d);
  XlaEvent *event = xlaEventCreate();
  if (!d || !event) {
    free(d);
    xlaEventRelease(event);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for an event");
  }
  *d = *wanted;
  xlaArrayRetain(d->array);
  xlaMemoryRetain(d->memory);
  // What overwrites it later is not in the order of the waiter.
  atomic_fetch_add(&d->memory->holds, 1);
  d->event = xlaEventRetain(event);
  *done = event;
  XlaClient *client = d->memory->client;
  d->deferred = (XlaDeferred){
      .client = client,
      .run = client->kind->isShared ? depart : departLater,
      .fail = cannotDepart,
      .data = d,
      .isWithin = xlaWorkerIsInTask(),
  };
  if (xlaArrayIsPending(d->array)) {
    xlaDeferredAwait(&d->deferred, xlaArrayGetEvent(d->array));
    return NULL;
  }
  XlaStatus status = pushNow(&d->deferred, d->array);
  if (status) {
    endDeparture(d, NULL);
    xlaEventRelease(event);
    *done = NULL;
  }
  return status;
}

XlaStatus xlaArrayRead(XlaArray *array, size_t offset, size_t byteCount,
                       void *data, XlaEvent **done) {
  if (done)
    *done = NULL;
  if (!array || (byteCount && !data))
    return xlaClientMissing(array ? "place for elements" : "array");
  XLA_RETURN_IF_ERROR(xlaArrayCheckBytes(array, offset, byteCount));
  XlaMemory *memory = xlaArrayGetMemory(array);
  if (!memory)
    return deleted();
  xlaEventExpect(xlaArrayGetEvent(array));
  Departure d = {.array = array,
                 .memory = memory,
                 .offset = offset,
                 .bytes = byteCount,
                 .to = data};
  bool isNow =
      !done || (xlaEventHasHappened(xlaArrayGetEvent(array)) &&
                byteCount <= shortBytes && memory->client->kind->isShared);
  XlaStatus status = isNow ? copyOut(&d) : readLater(&d, done);
  xlaMemoryRelease(memory);
  if (!status && isNow && done) {
    *done = xlaEventCreate();
    if (!*done)
      return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                             "no memory for an event");
    xlaEventSet(*done, NULL);
  }
  return status;
}

//===----------------------------------------------------------------------===//
// Between arrays
//===----------------------------------------------------------------------===//

typedef struct Copy {
  XlaDeferred deferred;
  XlaArray *from;
  XlaMemory *source, *target;
  XlaEvent *event;
} Copy;

static XlaStatus copyAcross(const Copy *copy) {
  const XlaMemory *from = copy->source, *to = copy->target;
  XlaStatus status = xlaStatusCopy(xlaEventWait(xlaArrayGetEvent(copy->from)));
  if (status || to->bytes == 0)
    return status;
  if (to->client->kind->isShared)
    return from->client->kind->read(from->client, from->data, 0, to->bytes,
                                    to->data);
  if (from->client->kind->isShared)
    return to->client->kind->write(to->client, to->data, 0, from->data,
                                   to->bytes);
  char *between = malloc(to->bytes);
  if (!between)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for %zu bytes between devices",
                           to->bytes);
  status =
      from->client->kind->read(from->client, from->data, 0, to->bytes, between);
  if (!status)
    status =
        to->client->kind->write(to->client, to->data, 0, between, to->bytes);
  free(between);
  return status;
}

static void endCopy(Copy *copy, XlaStatus status) {
  xlaEventSet(copy->event, status);
  xlaEventRelease(copy->event);
  atomic_fetch_sub(&copy->source->holds, 1);
  xlaMemoryRelease(copy->source);
  xlaMemoryRelease(copy->target);
  xlaArrayRelease(copy->from);
  free(copy);
}

static void doCopy(void *data) { endCopy(data, copyAcross(data)); }

static void cannotCopy(void *data, XlaStatus status) { endCopy(data, status); }

static void copyLater(void *data) {
  Copy *copy = data;
  copy->deferred.task = (XlaWorkerTask){.run = doCopy, .data = copy};
  XlaStatus status =
      xlaWorkerPush(copy->source->client->waiter, &copy->deferred.task);
  if (status)
    endCopy(copy, status);
}

XlaStatus xlaArrayCopyTo(XlaArray *array, XlaMemory *source, XlaMemory *target,
                         XlaEvent *event) {
  Copy *copy = calloc(1, sizeof *copy);
  if (!copy) {
    xlaMemoryRelease(source);
    xlaMemoryRelease(target);
    xlaEventRelease(event);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a copy");
  }
  XlaClient *from = source->client;
  *copy = (Copy){{.client = from,
                  .run = from->kind->isShared ? doCopy : copyLater,
                  .fail = cannotCopy,
                  .data = copy,
                  .isWithin = xlaWorkerIsInTask()},
                 xlaArrayRetain(array),
                 source,
                 target,
                 event};
  atomic_fetch_add(&source->holds, 1);
  if (xlaArrayIsPending(array)) {
    xlaDeferredAwait(&copy->deferred, xlaArrayGetEvent(array));
    return NULL;
  }
  XlaStatus status = pushNow(&copy->deferred, array);
  if (status)
    endCopy(copy, xlaStatusCopy(status));
  return status;
}

/// Begins the copy of `source`, which it takes.
static XlaStatus beginCopy(XlaArray *array, XlaMemory *source, XlaArray *made) {
  XlaMemory *target;
  XlaStatus status =
      xlaMemoryCreate(xlaArrayGetClient(made), source->bytes, &target);
  if (status) {
    xlaMemoryRelease(source);
    return status;
  }
  xlaArraySetMemory(made, target);
  xlaArraySetUnordered(made);
  return xlaArrayCopyTo(array, source, xlaMemoryRetain(target),
                        xlaEventRetain(xlaArrayGetEvent(made)));
}

XlaStatus xlaArrayCopy(XlaArray *array, XlaClient *client, XlaArray **made) {
  if (!array || !made)
    return xlaClientMissing(array ? "place for an array" : "array");
  XlaStatus status;
  *made = NULL;
  XlaArray *copy = xlaArrayBegin(client, xlaArrayGetShape(array), &status);
  if (!copy)
    return status;
  XlaMemory *source = xlaArrayGetMemory(array);
  status = source ? beginCopy(array, source, copy) : deleted();
  if (status)
    xlaArrayRelease(copy);
  else
    *made = copy;
  return status;
}

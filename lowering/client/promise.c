//===- promise.c - Arrays whose elements are still to come ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

//===----------------------------------------------------------------------===//
// What waits for events
//===----------------------------------------------------------------------===//

static void end(XlaClient *client) {
  pthread_mutex_lock(&client->promiseLock);
  --client->nDeferred;
  pthread_cond_broadcast(&client->fewerDeferred);
  pthread_mutex_unlock(&client->promiseLock);
}

static void fail(XlaDeferred *deferred, XlaStatus status) {
  XlaClient *client = deferred->client;
  deferred->fail(deferred->data, status);
  end(client);
}

static void run(void *data) {
  XlaDeferred *deferred = data;
  XlaClient *client = deferred->client;
  deferred->run(deferred->data); // which may free it, or wait again
  end(client);
}

static void resume(XlaStatus status, void *user) {
  XlaDeferred *deferred = user;
  (void)status; // of the event: who runs finds it there
  if (deferred->isWithin) {
    run(deferred);
    return;
  }
  deferred->task = (XlaWorkerTask){.run = run, .data = deferred};
  XlaStatus failure = xlaWorkerPush(deferred->client->worker, &deferred->task);
  if (failure)
    fail(deferred, failure);
}

void xlaDeferredAwait(XlaDeferred *deferred, XlaEvent *event) {
  XlaClient *client = deferred->client;
  pthread_mutex_lock(&client->promiseLock);
  ++client->nDeferred;
  pthread_mutex_unlock(&client->promiseLock);
  if (!xlaEventWhenHappened(event, resume, deferred))
    fail(deferred, xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                                   "no memory to wait for an array"));
}

//===----------------------------------------------------------------------===//
// The promises of a client
//===----------------------------------------------------------------------===//

static void add(XlaArray *array) {
  XlaClient *client = xlaArrayGetClient(array);
  XlaPromiseLinks *links = xlaArrayGetPromiseLinks(array);
  xlaArraySetUnordered(array);
  pthread_mutex_lock(&client->promiseLock);
  links->next = client->promises;
  links->at = &client->promises;
  if (links->next)
    xlaArrayGetPromiseLinks(links->next)->at = &links->next;
  client->promises = array;
  pthread_mutex_unlock(&client->promiseLock);
}

/// With the lock. False if it is in no list.
static bool removeFrom(XlaArray *array) {
  XlaPromiseLinks *links = xlaArrayGetPromiseLinks(array);
  if (!links->at)
    return false;
  *links->at = links->next;
  if (links->next)
    xlaArrayGetPromiseLinks(links->next)->at = links->at;
  links->at = NULL;
  return true;
}

/// Whether this call is the first one.
static bool take(XlaArray *array) {
  XlaClient *client = xlaArrayGetClient(array);
  pthread_mutex_lock(&client->promiseLock);
  bool isFirst = removeFrom(array);
  pthread_mutex_unlock(&client->promiseLock);
  return isFirst;
}

void xlaPromiseForget(XlaArray *array) {
  take(array);
  xlaEventRelease(xlaArrayGetPromiseLinks(array)->before);
}

void xlaPromisesEnd(XlaClient *client) {
  pthread_mutex_lock(&client->promiseLock);
  while (client->promises) {
    XlaEvent *event = xlaEventRetain(xlaArrayGetEvent(client->promises));
    removeFrom(client->promises);
    pthread_mutex_unlock(&client->promiseLock);
    xlaEventSet(event, xlaStatusCreate(XLA_STATUS_INTERNAL,
                                       "the elements of the array never came"));
    xlaEventRelease(event);
    pthread_mutex_lock(&client->promiseLock);
  }
  while (client->nDeferred)
    pthread_cond_wait(&client->fewerDeferred, &client->promiseLock);
  pthread_mutex_unlock(&client->promiseLock);
}

//===----------------------------------------------------------------------===//
// Making and keeping them
//===----------------------------------------------------------------------===//

static XlaStatus invalid(const char *what) {
  return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT, "%s", what);
}

XlaStatus xlaArrayPromise(XlaClient *client, const XlaShape *shape,
                          XlaArray **array) {
  XlaStatus status;
  if (!array)
    return xlaClientMissing("place for an array");
  *array = NULL;
  XlaArray *made = xlaArrayBegin(client, shape, &status);
  if (!made)
    return status;
  XlaMemory *memory;
  status = xlaMemoryCreate(client, xlaArrayGetByteCount(made), &memory);
  if (status) {
    xlaArrayRelease(made);
    return status;
  }
  xlaArraySetMemory(made, memory);
  add(made);
  *array = made;
  return NULL;
}

XlaStatus xlaArrayPromiseMemory(XlaArray *array, XlaArray **promise) {
  XlaStatus status;
  if (!array || !promise)
    return xlaClientMissing(array ? "place for an array" : "array");
  *promise = NULL;
  XlaArray *made =
      xlaArrayBegin(xlaArrayGetClient(array), xlaArrayGetShape(array), &status);
  if (!made)
    return status;
  XlaMemory *memory = xlaArrayTakeMemory(array);
  if (!memory) {
    xlaArrayRelease(made);
    return invalid("the array has been deleted or donated");
  }
  xlaArraySetMemory(made, memory);
  xlaArrayGetPromiseLinks(made)->before =
      xlaEventRetain(xlaArrayGetEvent(array));
  add(made);
  *promise = made;
  return NULL;
}

XlaStatus xlaArrayFill(XlaArray *promise, size_t offset, size_t byteCount,
                       const void *data) {
  if (!promise || (byteCount && !data))
    return xlaClientMissing(promise ? "data" : "array");
  XLA_RETURN_IF_ERROR(xlaArrayCheckBytes(promise, offset, byteCount));
  XlaMemory *memory = xlaArrayGetMemory(promise);
  if (!memory)
    return invalid("the array has been deleted");
  XlaClient *client = xlaArrayGetClient(promise);
  double begin = xlaClientTraceBegin(client);
  XlaStatus status = byteCount ? client->kind->write(client, memory->data,
                                                     offset, data, byteCount)
                               : NULL;
  xlaClientTraceEnd(client, XlaTraceKindFromHost,
                    XLA_SHAPE_TEXT(xlaArrayGetShape(promise)), begin,
                    byteCount);
  xlaMemoryRelease(memory);
  return status;
}

static void passOn(XlaStatus status, void *user) {
  XlaArray *array = user;
  xlaEventSet(xlaArrayGetEvent(array), xlaStatusCopy(status));
  xlaArrayRelease(array);
}

void xlaArrayKeep(XlaArray *promise, XlaStatus why) {
  if (!promise || !take(promise)) {
    xlaStatusDestroy(why);
    return;
  }
  XlaEvent *before = xlaArrayGetPromiseLinks(promise)->before;
  if (why || !before) {
    xlaEventSet(xlaArrayGetEvent(promise), why);
  } else if (!xlaEventWhenHappened(before, passOn, xlaArrayRetain(promise))) {
    xlaEventSet(xlaArrayGetEvent(promise),
                xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                                "no memory to wait for an array"));
    xlaArrayRelease(promise);
  }
}

XlaStatus xlaArrayKeepWith(XlaArray *promise, XlaArray *array) {
  if (!promise || !array)
    return xlaClientMissing("array");
  const XlaShape *wanted = xlaArrayGetShape(promise);
  const XlaShape *given = xlaArrayGetShape(array);
  if (given->elementType != wanted->elementType ||
      !xlaShapeDimsEqual(given, wanted))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the array is %s, must be %s", XLA_SHAPE_TEXT(given),
                           XLA_SHAPE_TEXT(wanted));
  XlaMemory *source = xlaArrayGetMemory(array);
  if (!source)
    return invalid("the array has been deleted or donated");
  XlaMemory *target = xlaArrayGetMemory(promise);
  if (!target || !take(promise)) { // nobody waits for it
    xlaMemoryRelease(source);
    xlaMemoryRelease(target);
    xlaArrayKeep(promise,
                 target ? NULL : invalid("the array has been deleted"));
    return NULL;
  }
  XlaEvent *event = xlaEventRetain(xlaArrayGetEvent(promise));
  XlaStatus status =
      xlaArrayCopyTo(array, source, target, xlaEventRetain(event));
  if (status) // the same, for who waits
    xlaEventSet(event, xlaStatusCopy(status));
  xlaEventRelease(event);
  return status;
}

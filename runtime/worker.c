//===- worker.c - A thread that does one thing after the other ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/worker.h"

#include "xlac/runtime/mutex.h"
#include "xlac/runtime/process.h"
#include "xlac/runtime/relax.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Task {
  void (*run)(void *data);
  void *data;
  bool isShort;
} Task;

/// What the thread does: a program may hold arrays of many elements on it.
static const size_t stackBytes = (size_t)8 << 20;

enum {
  /// Who waits for room is woken when no more tasks wait: it takes as long as
  /// several short ones to wake up, and the thread that wakes it as half a one.
  FewTasks = XLA_WORKER_TASKS / 4,
  LineBytes = 64, ///< of the cache
  FetchedBytes = 8 * LineBytes,
};

struct XlaWorker {
  char name[16];
  int process;              ///< which made it
  void (*idle)(void *data); ///< or NULL
  void *idleData;
  pthread_mutex_t lock;
  pthread_cond_t posted, taken;
  pthread_t thread;
  bool hasThread, isEnding;
  bool isBusy;    ///< a task is being done
  bool isShort;   ///< the last one was
  bool isIdleDue; ///< a short one has been done since it was called
  /// Whose task the caller who has entered does; NULL if nobody has entered.
  const XlaWorker *outer;
  /// Whoever posts waits for room; it is woken when there is room for many.
  int nWaiting;
  atomic_bool isEmpty; ///< for who has not the lock
  int first, n;
  Task tasks[XLA_WORKER_TASKS];        ///< a ring
  unsigned long nPosted, nTaken;       ///< of these
  XlaWorkerTask *pushed, **lastPushed; ///< between them
};

/// Whose task this thread does, within one of its `outer`.
static _Thread_local const XlaWorker *current;

XlaStatus xlaWorkerCreate(const char *name, XlaWorker **worker) {
  XlaWorker *made = calloc(1, sizeof *made);
  *worker = made;
  if (!made)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a thread");
  strncpy(made->name, name, sizeof made->name - 1);
  made->process = xlaProcessGetNumber();
  made->lastPushed = &made->pushed;
  atomic_init(&made->isEmpty, true);
  xlaMutexInit(&made->lock);
  pthread_cond_init(&made->posted, NULL);
  pthread_cond_init(&made->taken, NULL);
  return NULL;
}

void xlaWorkerSetIdle(XlaWorker *worker, void (*idle)(void *data), void *data) {
  worker->idle = idle;
  worker->idleData = data;
}

static bool isEmpty(const XlaWorker *worker) {
  return worker->n == 0 && !worker->pushed;
}

static void fetch(const void *data) {
  for (size_t i = 0; i < FetchedBytes; i += LineBytes)
    __builtin_prefetch((const char *)data + i);
}

/// The next task; there is one.
static Task take(XlaWorker *worker) {
  XlaWorkerTask *pushed = worker->pushed;
  if (pushed && (long)(worker->nTaken - pushed->after) >= 0) {
    worker->pushed = pushed->next;
    if (!worker->pushed)
      worker->lastPushed = &worker->pushed;
    return (Task){pushed->run, pushed->data, false};
  }
  Task task = worker->tasks[worker->first];
  worker->first = (worker->first + 1) % XLA_WORKER_TASKS;
  --worker->n;
  ++worker->nTaken;
  if (worker->n && worker->tasks[worker->first].isShort)
    fetch(worker->tasks[worker->first].data);
  if (worker->nWaiting && worker->n <= FewTasks)
    pthread_cond_broadcast(&worker->taken);
  return task;
}

/// After short tasks the next one comes soon. With the lock.
static void look(XlaWorker *worker) {
  worker->isShort = false;
  pthread_mutex_unlock(&worker->lock);
  for (int i = 0; i < XLA_LOOKS_AWAKE &&
                  atomic_load_explicit(&worker->isEmpty, memory_order_relaxed);
       ++i)
    xlaRelax(i);
  pthread_mutex_lock(&worker->lock);
}

/// As a task: nobody enters meanwhile. With the lock.
static void callIdle(XlaWorker *worker) {
  worker->isIdleDue = false;
  worker->isBusy = true;
  pthread_mutex_unlock(&worker->lock);
  worker->idle(worker->idleData);
  pthread_mutex_lock(&worker->lock);
  worker->isBusy = false;
}

/// Waits until there is a task, or none will come. With the lock.
static void awaitTask(XlaWorker *worker) {
  while (worker->isBusy || (isEmpty(worker) && !worker->isEnding))
    if (worker->isShort)
      look(worker);
    else if (worker->isIdleDue && !worker->isBusy)
      callIdle(worker);
    else
      pthread_cond_wait(&worker->posted, &worker->lock);
}

static void *work(void *data) {
  XlaWorker *worker = data;
  current = worker;
  pthread_mutex_lock(&worker->lock);
  for (;;) {
    awaitTask(worker);
    if (isEmpty(worker))
      break;
    Task task = take(worker);
    if (worker->isIdleDue && !task.isShort)
      callIdle(worker);
    worker->isBusy = true;
    worker->isShort = task.isShort;
    worker->isIdleDue |= task.isShort && worker->idle;
    if (isEmpty(worker))
      atomic_store_explicit(&worker->isEmpty, true, memory_order_relaxed);
    pthread_mutex_unlock(&worker->lock);
    task.run(task.data);
    pthread_mutex_lock(&worker->lock);
    worker->isBusy = false;
  }
  pthread_mutex_unlock(&worker->lock);
  return NULL;
}

/// With the lock.
static XlaStatus start(XlaWorker *worker) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  int failure = pthread_create(&worker->thread, &attributes, work, worker);
  pthread_attr_destroy(&attributes);
  if (failure)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no thread to work on: %s",
                           strerror(failure));
  worker->hasThread = true;
  pthread_setname_np(worker->thread, worker->name);
  return NULL;
}

void xlaWorkerDestroy(XlaWorker *worker) {
  if (!worker)
    return;
  if (worker->process ==
      xlaProcessGetNumber()) { // a forked child has no thread
    pthread_mutex_lock(&worker->lock);
    worker->isEnding = true;
    atomic_store_explicit(&worker->isEmpty, false, memory_order_relaxed);
    pthread_cond_signal(&worker->posted);
    pthread_mutex_unlock(&worker->lock);
    if (worker->hasThread)
      pthread_join(worker->thread, NULL);
    pthread_cond_destroy(&worker->taken);
    pthread_cond_destroy(&worker->posted);
    pthread_mutex_destroy(&worker->lock);
  }
  free(worker);
}

static XlaStatus checkProcess(const XlaWorker *worker) {
  return worker->process == xlaProcessGetNumber()
             ? NULL
             : xlaStatusCreate(
                   XLA_STATUS_INTERNAL,
                   "the device belongs to the process that opened it, not to "
                   "one that was forked from it");
}

/// With the lock, after a task has been added.
static void announce(XlaWorker *worker) {
  if (atomic_load_explicit(&worker->isEmpty, memory_order_relaxed))
    atomic_store_explicit(&worker->isEmpty, false, memory_order_relaxed);
  pthread_cond_signal(&worker->posted);
}

XlaStatus xlaWorkerPush(XlaWorker *worker, XlaWorkerTask *task) {
  XLA_RETURN_IF_ERROR(checkProcess(worker));
  task->next = NULL;
  pthread_mutex_lock(&worker->lock);
  XlaStatus status = worker->hasThread ? NULL : start(worker);
  if (!status) {
    task->after = worker->nPosted;
    *worker->lastPushed = task;
    worker->lastPushed = &task->next;
    announce(worker);
  }
  pthread_mutex_unlock(&worker->lock);
  return status;
}

/// With the lock.
static void awaitRoom(XlaWorker *worker) {
  ++worker->nWaiting;
  while (worker->n == XLA_WORKER_TASKS)
    pthread_cond_wait(&worker->taken, &worker->lock);
  --worker->nWaiting;
}

static XlaStatus post(XlaWorker *worker, Task task) {
  XLA_RETURN_IF_ERROR(checkProcess(worker));
  pthread_mutex_lock(&worker->lock);
  XlaStatus status = worker->hasThread ? NULL : start(worker);
  if (!status) {
    awaitRoom(worker);
    worker->tasks[(worker->first + worker->n++) % XLA_WORKER_TASKS] = task;
    ++worker->nPosted;
    announce(worker);
  }
  pthread_mutex_unlock(&worker->lock);
  return status;
}

XlaStatus xlaWorkerPost(XlaWorker *worker, void (*run)(void *data),
                        void *data) {
  return post(worker, (Task){run, data, false});
}

XlaStatus xlaWorkerPostShort(XlaWorker *worker, void (*run)(void *data),
                             void *data) {
  return post(worker, (Task){run, data, true});
}

bool xlaWorkerIsOurs(const XlaWorker *worker) {
  return worker->process == xlaProcessGetNumber();
}

bool xlaWorkerIsCurrent(const XlaWorker *worker) {
  const XlaWorker *at = current;
  while (at && at != worker)
    at = at->outer;
  return at;
}

bool xlaWorkerIsInTask(void) { return current; }

bool xlaWorkerTryEnter(XlaWorker *worker) {
  if (!xlaWorkerIsOurs(worker) || pthread_mutex_trylock(&worker->lock))
    return false;
  bool isFree = !worker->isBusy && isEmpty(worker);
  if (isFree)
    worker->isBusy = true;
  pthread_mutex_unlock(&worker->lock);
  if (isFree) {
    worker->outer = current;
    current = worker;
  }
  return isFree;
}

void xlaWorkerLeave(XlaWorker *worker) {
  current = worker->outer;
  worker->outer = NULL;
  pthread_mutex_lock(&worker->lock);
  worker->isBusy = false;
  if (!isEmpty(worker) || worker->isIdleDue)
    pthread_cond_signal(&worker->posted);
  pthread_mutex_unlock(&worker->lock);
}

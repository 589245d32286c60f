//===- worker.h - A thread that does one thing after the other ----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks run in the order in which they were posted, one at a time. A task that
// is short may be done by the caller instead, when nothing is before it: waking
// a thread takes longer than many a program. Any thread may call any of these
// functions, but those that create and destroy.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_WORKER_H
#define XLAC_RUNTIME_WORKER_H

#include "xlac/runtime/status.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Tasks that may wait; whoever posts more waits. Few, so that what they write
/// stays in the cache: 32 took programs of 10 microseconds 2 percent longer.
enum { XLA_WORKER_TASKS = 16 };

typedef struct XlaWorker XlaWorker;

/// Its thread begins with the first task. `name`, of at most 15 bytes, is for
/// debuggers. Fails: OUT_OF_MEMORY.
XlaStatus xlaWorkerCreate(const char *name, XlaWorker **worker);
/// Has `idle` called with `data` by the worker's thread when no task has
/// followed short ones for some tens of microseconds, or one that is not short
/// is about to begin. Set before the first task.
void xlaWorkerSetIdle(XlaWorker *worker, void (*idle)(void *data), void *data);
/// After all tasks have been done. NULL is allowed. Not for a task of it.
void xlaWorkerDestroy(XlaWorker *worker);

/// Has `run` called with `data` after all that was posted before. Waits while
/// XLA_WORKER_TASKS are waiting: a task may not post to its own worker. Fails:
/// OUT_OF_MEMORY, where there is no thread; INTERNAL in a process that was
/// forked, which has none. `run` is not called then.
XlaStatus xlaWorkerPost(XlaWorker *worker, void (*run)(void *data), void *data);

/// The same, of a task of microseconds that others will follow: its thread
/// looks for these a while before it sleeps, and fetches the first bytes of
/// `data` into its cache while it does what is before the task.
XlaStatus xlaWorkerPostShort(XlaWorker *worker, void (*run)(void *data),
                             void *data);

/// A task in memory of the caller's, until it is run.
typedef struct XlaWorkerTask {
  struct XlaWorkerTask *next;
  void (*run)(void *data);
  void *data;
  unsigned long after; ///< how many tasks were posted before
} XlaWorkerTask;
/// The same, but never waits, so that a task may push to its own worker.
XlaStatus xlaWorkerPush(XlaWorker *worker, XlaWorkerTask *task);

/// Whether this process made it; else it was forked, and nothing is done there.
bool xlaWorkerIsOurs(const XlaWorker *worker);

/// Whether the caller is within a task of it, and so before all that waits.
bool xlaWorkerIsCurrent(const XlaWorker *worker);
/// Whether the caller is within a task of any: others may wait for what it
/// waits for.
bool xlaWorkerIsInTask(void);

/// Begins a task of the caller's own, if nothing is waiting or being done.
/// Others wait until xlaWorkerLeave. False if not.
bool xlaWorkerTryEnter(XlaWorker *worker);
/// Ends what xlaWorkerTryEnter began.
void xlaWorkerLeave(XlaWorker *worker);

#ifdef __cplusplus
}
#endif

#endif // XLAC_RUNTIME_WORKER_H

//===- array_run.c - A run of an executable on arrays ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/array_run.h"

#include "xlac/runtime/clock.h"
#include "xlac/runtime/relax.h"

#include <stdlib.h>

/// One block of memory has all.
XlaArrayRun *xlaArrayRunCreate(XlaLoadedExecutable *executable) {
  size_t nIn = (size_t)executable->nInputs, nOut = (size_t)executable->nOutputs;
  XlaArrayRun *run =
      calloc(1, sizeof *run + (4 * nIn + 2 * nOut) * sizeof(void *));
  if (!run)
    return NULL;
  void **next = (void **)(run + 1);
  run->arrays = (XlaArray **)next;
  run->awaited = (XlaEvent **)(next += nIn);
  run->inputs = (XlaMemory **)(next += nIn);
  run->in = next += nIn;
  run->outputs = (XlaMemory **)(next += nIn);
  run->out = next + nOut;
  run->event = xlaEventCreate();
  if (!run->event) {
    free(run);
    return NULL;
  }
  atomic_fetch_add(&executable->references, 1);
  run->executable = executable;
  return run;
}

static void releaseInputs(XlaArrayRun *run) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i) {
    if (run->isDeferred && run->inputs[i])
      atomic_fetch_sub(&run->inputs[i]->holds, 1);
    xlaMemoryRelease(run->inputs[i]);
    xlaArrayRelease(run->arrays[i]);
    run->inputs[i] = NULL;
    run->arrays[i] = NULL;
  }
}

/// All but the event.
static void release(XlaArrayRun *run) {
  releaseInputs(run);
  for (intptr_t i = 0; i < run->executable->nOutputs; ++i)
    xlaMemoryRelease(run->outputs[i]);
  xlaLoadedExecutableRelease(run->executable);
}

void xlaArrayRunDestroy(XlaArrayRun *run) {
  release(run);
  xlaEventRelease(run->event);
  free(run);
}

static void finish(XlaArrayRun *run, XlaStatus status) {
  XlaEvent *event = xlaEventRetain(run->event);
  xlaClientTraceEnd(run->executable->client, XlaTraceKindRun,
                    run->executable->name, run->begin, 0);
  xlaArrayRunDestroy(run);
  xlaEventSet(event, status);
  xlaEventRelease(event);
}

/// The same of a short run beside the caller, which made what is to be released
/// and called, and asks for more: what two processors write to in turns goes to
/// and fro between them, which takes them longer than to write it.
static void finishBeside(XlaArrayRun *run, XlaStatus status) {
  XlaClient *client = run->executable->client;
  XlaEvent *event = xlaEventRetain(run->event);
  xlaClientTraceEnd(client, XlaTraceKindRun, run->executable->name, run->begin,
                    0);
  void *first = atomic_load_explicit(&client->over, memory_order_relaxed);
  do
    run->next = first;
  while (!atomic_compare_exchange_weak(&client->over, &first, run));
  xlaEventSetQuietly(event, status); // the run may be gone
  xlaEventRelease(event);
}

bool xlaClientReleaseRuns(XlaClient *client) {
  if (!atomic_load_explicit(&client->over, memory_order_relaxed))
    return false;
  atomic_fetch_add(&client->nReleasing, 1);
  XlaArrayRun *first = atomic_exchange(&client->over, NULL), *run = NULL;
  while (first) { // the last one is the first of the list
    XlaArrayRun *next = first->next;
    release(first);
    first->next = run;
    run = first;
    first = next;
  }
  atomic_fetch_sub(&client->nReleasing, 1);
  while (run) { // what is called may come back here
    XlaArrayRun *next = run->next;
    xlaEventTell(run->event);
    xlaEventRelease(run->event);
    free(run);
    run = next;
  }
  return true;
}

bool xlaClientReleaseAllRuns(XlaClient *client) {
  bool any = xlaClientReleaseRuns(client);
  for (int i = 0;
       atomic_load(&client->nReleasing) && xlaWorkerIsOurs(client->worker);
       ++i) {
    any = true;
    xlaRelax(i);
  }
  return any;
}

static void waitFor(void *data) {
  XlaArrayRun *run = data;
  XlaClient *client = run->executable->client;
  finish(run, client->kind->wait(client, run->number));
}

/// Not for every run: who asks for runs reads it all the time.
static void keepTime(XlaLoadedExecutable *executable, double milliseconds) {
  long took = (long)(milliseconds * 1e6);
  long known =
      atomic_load_explicit(&executable->nanoseconds, memory_order_relaxed);
  if (labs(took - known) > known / 8)
    atomic_store_explicit(&executable->nanoseconds, took, memory_order_relaxed);
}

/// Why an input is not there.
static XlaStatus checkInputs(const XlaArrayRun *run) {
  for (intptr_t i = 0; i < run->nAwaited; ++i) {
    XlaStatus status = xlaEventGetStatus(run->awaited[i]);
    if (status)
      return xlaStatusCopy(status);
  }
  return NULL;
}

/// An input that comes from elsewhere and is not there yet, or NULL.
XlaArray *xlaArrayRunFindPending(const XlaArrayRun *run) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    if (xlaArrayIsPending(run->arrays[i]))
      return run->arrays[i];
  return NULL;
}

void xlaArrayRunStart(void *data) {
  XlaArrayRun *run = data;
  XlaLoadedExecutable *executable = run->executable;
  XlaClient *client = executable->client;
  __builtin_prefetch(run->event, 1); // which others have written
  XlaStatus status = checkInputs(run);
  run->begin = xlaClientTraceBegin(client);
  if (!status) {
    double begin = xlaClockMilliseconds();
    status = client->kind->run(executable, run->in, run->out, &run->number);
    keepTime(executable, xlaClockMilliseconds() - begin);
  }
  if (!status && run->number) {
    releaseInputs(run); // the device knows what it needs
    status = xlaWorkerPost(client->waiter, waitFor, run);
    if (!status)
      return;
    xlaStatusDestroy(client->kind->wait(client, run->number));
  }
  if (run->isBeside)
    finishBeside(run, status);
  else
    finish(run, status);
}

void xlaArrayRunStartLater(void *data) {
  XlaArrayRun *run = data;
  XlaArray *pending = xlaArrayRunFindPending(run);
  if (pending)
    xlaDeferredAwait(&run->deferred, xlaArrayGetEvent(pending));
  else
    xlaArrayRunStart(run);
}

void xlaArrayRunFail(void *data, XlaStatus status) { finish(data, status); }

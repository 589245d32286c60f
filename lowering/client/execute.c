//===- execute.c - Executables run on arrays ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include "xlac/dialect/op.h"
#include "xlac/runtime/clock.h"
#include "xlac/runtime/relax.h"

#include <stdlib.h>

/// What took no longer is done by the caller, if nothing waits before it:
/// waking a thread takes as long.
static const long shortNanoseconds = 100 * 1000;

/// What took no longer is not worth the two microseconds that a thread needs to
/// take it over.
static const long tinyNanoseconds = 2000;

//===----------------------------------------------------------------------===//
// What an executable takes and gives
//===----------------------------------------------------------------------===//

bool xlaLoadedExecutableRunsOnArrays(const XlaLoadedExecutable *executable) {
  return executable->runsOnArrays;
}

intptr_t
xlaLoadedExecutableGetNumInputs(const XlaLoadedExecutable *executable) {
  return executable->nInputs;
}

intptr_t
xlaLoadedExecutableGetNumOutputs(const XlaLoadedExecutable *executable) {
  return executable->nOutputs;
}

const XlaShape *
xlaLoadedExecutableGetInputShape(const XlaLoadedExecutable *executable,
                                 intptr_t index) {
  return &executable->inputs[index];
}

const XlaShape *
xlaLoadedExecutableGetOutputShape(const XlaLoadedExecutable *executable,
                                  intptr_t index) {
  return &executable->outputs[index];
}

bool xlaLoadedExecutableIsDonated(const XlaLoadedExecutable *executable,
                                  intptr_t index) {
  return executable->donated[index];
}

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

typedef struct Run {
  XlaDeferred deferred;
  struct Run *next; ///< in the client's list of those that are over
  bool isDeferred;  ///< holds its inputs
  XlaLoadedExecutable *executable;
  XlaEvent *event; ///< of all outputs
  XlaArray **arrays;
  /// Those of the inputs that were not there yet. Who runs it reads no more of
  /// arrays, which the caller goes on writing to.
  XlaEvent **awaited;
  intptr_t nAwaited;
  XlaMemory **inputs, **outputs;
  void **in, **out; ///< where they lie
  bool isBeside;    ///< the worker's, and short
  bool isApart;     ///< not in the order of the client
  uint64_t number;
  double begin; ///< if it is traced
} Run;

/// One block of memory for all; NULL without.
static Run *create(XlaLoadedExecutable *executable) {
  size_t nIn = (size_t)executable->nInputs, nOut = (size_t)executable->nOutputs;
  Run *run = calloc(1, sizeof *run + (4 * nIn + 2 * nOut) * sizeof(void *));
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

static void releaseInputs(Run *run) {
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
static void release(Run *run) {
  releaseInputs(run);
  for (intptr_t i = 0; i < run->executable->nOutputs; ++i)
    xlaMemoryRelease(run->outputs[i]);
  xlaLoadedExecutableRelease(run->executable);
}

static void destroy(Run *run) {
  release(run);
  xlaEventRelease(run->event);
  free(run);
}

static void finish(Run *run, XlaStatus status) {
  XlaEvent *event = xlaEventRetain(run->event);
  xlaClientTraceEnd(run->executable->client, XlaTraceKindRun,
                    run->executable->name, run->begin, 0);
  destroy(run);
  xlaEventSet(event, status);
  xlaEventRelease(event);
}

/// The same of a short run beside the caller, which made what is to be released
/// and called, and asks for more: what two processors write to in turns goes to
/// and fro between them, which takes them longer than to write it.
static void finishBeside(Run *run, XlaStatus status) {
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
  Run *first = atomic_exchange(&client->over, NULL), *run = NULL;
  while (first) { // the last one is the first of the list
    Run *next = first->next;
    release(first);
    first->next = run;
    run = first;
    first = next;
  }
  atomic_fetch_sub(&client->nReleasing, 1);
  while (run) { // what is called may come back here
    Run *next = run->next;
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
  Run *run = data;
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
static XlaStatus checkInputs(const Run *run) {
  for (intptr_t i = 0; i < run->nAwaited; ++i) {
    XlaStatus status = xlaEventGetStatus(run->awaited[i]);
    if (status)
      return xlaStatusCopy(status);
  }
  return NULL;
}

/// An input that comes from elsewhere and is not there yet, or NULL.
static XlaArray *findPending(const Run *run) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    if (xlaArrayIsPending(run->arrays[i]))
      return run->arrays[i];
  return NULL;
}

static void start(void *data) {
  Run *run = data;
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

static void startLater(void *data) {
  Run *run = data;
  XlaArray *pending = findPending(run);
  if (pending)
    xlaDeferredAwait(&run->deferred, xlaArrayGetEvent(pending));
  else
    start(run);
}

static void fail(void *data, XlaStatus status) { finish(data, status); }

//===----------------------------------------------------------------------===//
// Asking for one
//===----------------------------------------------------------------------===//

static XlaStatus invalid(intptr_t input, const char *what) {
  return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT, "input %lld %s",
                         (long long)input, what);
}

static XlaStatus checkInput(const XlaLoadedExecutable *executable, intptr_t i,
                            XlaArray *array) {
  if (!array)
    return invalid(i, "is NULL");
  if (xlaArrayGetClient(array) != executable->client)
    return invalid(i, "is on another device than the program");
  const XlaShape *given = xlaArrayGetShape(array);
  const XlaShape *wanted = &executable->inputs[i];
  if (given->elementType != wanted->elementType ||
      !xlaShapeDimsEqual(given, wanted))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "input %lld is %s, must be %s", (long long)i,
                           XLA_SHAPE_TEXT(given), XLA_SHAPE_TEXT(wanted));
  return NULL;
}

static XlaStatus check(const XlaLoadedExecutable *executable,
                       const XlaExecution *execution) {
  if (!executable->runsOnArrays)
    return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED,
                           "a program with dimensions whose size is not known "
                           "when it is compiled runs on literals only");
  if (execution->nInputs != executable->nInputs ||
      execution->nOutputs != executable->nOutputs)
    return xlaStatusCreate(
        XLA_STATUS_INVALID_ARGUMENT,
        "the program takes %lld inputs and gives %lld outputs, not %lld and "
        "%lld",
        (long long)executable->nInputs, (long long)executable->nOutputs,
        (long long)execution->nInputs, (long long)execution->nOutputs);
  if ((execution->nInputs && !execution->inputs) ||
      (execution->nKept && !execution->kept))
    return xlaClientMissing("list of inputs");
  return NULL;
}

static bool isKept(const XlaExecution *execution, intptr_t input) {
  for (intptr_t i = 0; i < execution->nKept; ++i)
    if (execution->kept[i] == input)
      return true;
  return false;
}

static bool isDonated(const Run *run, const XlaExecution *execution,
                      intptr_t input) {
  return run->executable->donated[input] && !isKept(execution, input);
}

/// That an input may fail yet, or has failed.
static void await(Run *run, XlaEvent *event) {
  bool isThere = xlaEventHasHappened(event) && !xlaEventGetStatus(event);
  if (!isThere && (!run->nAwaited || run->awaited[run->nAwaited - 1] != event))
    run->awaited[run->nAwaited++] = event;
}

static XlaStatus bindInputs(Run *run, const XlaExecution *execution) {
  for (intptr_t i = 0; i < execution->nInputs; ++i) {
    XlaArray *array = execution->inputs[i];
    XLA_RETURN_IF_ERROR(checkInput(run->executable, i, array));
    run->inputs[i] = xlaArrayGetMemory(array);
    if (!run->inputs[i])
      return invalid(i, "has been deleted or donated");
    run->arrays[i] = xlaArrayRetain(array);
    run->in[i] = run->inputs[i]->data;
    await(run, xlaArrayGetEvent(array));
  }
  return NULL;
}

/// Whether nothing but input `i` uses its memory.
static bool isAlone(const Run *run, intptr_t i) {
  for (intptr_t k = 0; k < run->executable->nInputs; ++k)
    if (k != i && run->inputs[k] == run->inputs[i])
      return false;
  return xlaMemoryIsWritable(run->inputs[i]);
}

static XlaStatus bindOutputs(Run *run, const XlaExecution *execution) {
  XlaLoadedExecutable *executable = run->executable;
  for (intptr_t i = 0; i < executable->nOutputs; ++i) {
    intptr_t alias = executable->aliases[i];
    if (alias >= 0 && !run->isApart && isDonated(run, execution, alias) &&
        isAlone(run, alias))
      run->outputs[i] = xlaMemoryRetain(run->inputs[alias]);
    else
      XLA_RETURN_IF_ERROR(xlaMemoryCreate(
          executable->client, xlaExecutableByteCount(&executable->outputs[i]),
          &run->outputs[i]));
    run->out[i] = run->outputs[i]->data;
  }
  return NULL;
}

static XlaStatus makeOutputs(const Run *run, XlaArray **outputs) {
  XlaLoadedExecutable *executable = run->executable;
  for (intptr_t i = 0; i < executable->nOutputs; ++i) {
    outputs[i] = xlaArrayMake(executable->client, &executable->outputs[i],
                              xlaMemoryRetain(run->outputs[i]),
                              xlaEventRetain(run->event));
    if (!outputs[i])
      return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                             "no memory for an array");
  }
  return NULL;
}

/// Donated inputs are gone from here on.
static void takeDonated(const Run *run, const XlaExecution *execution) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    if (isDonated(run, execution, i))
      xlaArrayDelete(run->arrays[i]);
}

/// Whether nothing is before the run in the worker, and nothing comes there
/// until the caller leaves it; looks again a while if it is `soon`.
static bool enter(XlaWorker *worker, bool soon) {
  bool isIn = xlaWorkerTryEnter(worker);
  for (int i = 0; soon && !isIn && i < XLA_LOOKS_AWAKE; ++i) {
    xlaRelax(i);
    isIn = xlaWorkerTryEnter(worker);
  }
  return isIn;
}

/// Runs what is short in the caller's thread, or beside it if that takes less;
/// `last` is the event of the run before, or NULL.
static XlaStatus startAfter(Run *run, XlaEvent *last) {
  XlaClient *client = run->executable->client;
  long nanoseconds = atomic_load(&run->executable->nanoseconds);
  if (nanoseconds < 0 || nanoseconds > shortNanoseconds)
    return xlaWorkerPost(client->worker, start, run);
  XlaPaceWay way = XlaPaceWayAlone;
  if (nanoseconds > tinyNanoseconds && client->processors > 1)
    way = xlaPaceNext(&client->pace, last && !xlaEventIsExpected(last));
  if (way == XlaPaceWayAfter && xlaWorkerIsOurs(client->worker))
    xlaEventWait(last);
  if (way == XlaPaceWayBeside ||
      !enter(client->worker, way == XlaPaceWayAfter)) {
    run->isBeside = true;
    xlaEventSetNear(run->event);
    return xlaWorkerPostShort(client->worker, start, run);
  }
  start(run);
  xlaWorkerLeave(client->worker);
  return NULL;
}

static XlaStatus startSoon(Run *run) {
  XlaEvent *last = atomic_exchange(&run->executable->client->last,
                                   xlaEventRetain(run->event));
  XlaStatus status = startAfter(run, last);
  if (status) // for who waits for it as the last one
    xlaEventSet(run->event, xlaStatusCopy(status));
  xlaEventRelease(last);
  return status;
}

static XlaStatus bind(Run *run, const XlaExecution *execution) {
  XLA_RETURN_IF_ERROR(bindInputs(run, execution));
  XLA_RETURN_IF_ERROR(bindOutputs(run, execution));
  return makeOutputs(run, execution->outputs);
}

/// What is not in the order of the client, nor is what it makes. What it reads
/// stays as it is.
static void takeOutOfOrder(Run *run, XlaArray *const *outputs) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    atomic_fetch_add(&run->inputs[i]->holds, 1);
  for (intptr_t i = 0; i < run->executable->nOutputs; ++i)
    xlaArraySetUnordered(outputs[i]);
  run->isDeferred = true;
}

/// What waits for others.
static void defer(Run *run, XlaArray *const *outputs, XlaArray *pending) {
  takeOutOfOrder(run, outputs);
  run->deferred = (XlaDeferred){.client = run->executable->client,
                                .run = startLater,
                                .fail = fail,
                                .data = run};
  xlaDeferredAwait(&run->deferred, xlaArrayGetEvent(pending));
}

static XlaStatus launch(Run *run, const XlaExecution *execution) {
  takeDonated(run, execution);
  XlaArray *pending = findPending(run);
  if (pending) {
    defer(run, execution->outputs, pending);
    return NULL;
  }
  return startSoon(run);
}

//===----------------------------------------------------------------------===//
// Within a task
//===----------------------------------------------------------------------===//

/// That no input is made by what waits for the caller, as far as is known.
static XlaStatus checkBehind(const Run *run) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    if (!xlaEventHasHappened(xlaArrayGetEvent(run->arrays[i])) &&
        !xlaArrayIsPending(run->arrays[i]))
      return invalid(i, "is made by a program that waits for the one whose "
                        "function asks for this one");
  return NULL;
}

static void awaitInputs(const Run *run) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    if (run->isApart || xlaArrayIsPending(run->arrays[i]))
      xlaEventWait(xlaArrayGetEvent(run->arrays[i]));
}

static XlaStatus launchWithin(Run *run, const XlaExecution *execution,
                              bool isCurrent) {
  XlaClient *client = run->executable->client;
  if (isCurrent && client->kind->isShared)
    XLA_RETURN_IF_ERROR(checkBehind(run));
  takeDonated(run, execution);
  if (run->isApart)
    takeOutOfOrder(run, execution->outputs);
  awaitInputs(run);
  XlaEvent *event = xlaEventRetain(run->event);
  start(run);
  if (!isCurrent)
    xlaEventWait(event);
  xlaEventRelease(event);
  return NULL;
}

/// What a function of the host asks for that a program calls, or what is called
/// when an event happens. The function may wait for it, so that it waits for no
/// worker: one may be waiting for the function, or for another that waits for
/// this one's program. It is run here, in its client's order if nothing else is
/// being done there.
static XlaStatus executeWithin(Run *run, const XlaExecution *execution) {
  XlaWorker *worker = run->executable->client->worker;
  bool isCurrent = xlaWorkerIsCurrent(worker);
  bool isIn = !isCurrent && xlaWorkerTryEnter(worker);
  run->isApart = !isCurrent && !isIn;
  XlaStatus status = bind(run, execution);
  if (!status)
    status = launchWithin(run, execution, isCurrent);
  if (isIn)
    xlaWorkerLeave(worker);
  return status;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

static XlaStatus executeInOrder(Run *run, const XlaExecution *execution) {
  XLA_RETURN_IF_ERROR(bind(run, execution));
  return launch(run, execution);
}

XlaStatus xlaLoadedExecutableExecute(XlaLoadedExecutable *executable,
                                     const XlaExecution *execution) {
  if (!executable || !execution)
    return xlaClientMissing(executable ? "execution" : "executable");
  if (execution->nOutputs && !execution->outputs)
    return xlaClientMissing("place for outputs");
  for (intptr_t i = 0; i < execution->nOutputs; ++i)
    execution->outputs[i] = NULL;
  if (execution->done)
    *execution->done = NULL;
  XLA_RETURN_IF_ERROR(check(executable, execution));
  xlaClientReleaseRuns(executable->client);
  Run *run = create(executable);
  if (!run)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a run");
  XlaEvent *done = xlaEventRetain(run->event);
  XlaStatus status = xlaWorkerIsInTask() ? executeWithin(run, execution)
                                         : executeInOrder(run, execution);
  if (!status) {
    if (execution->done)
      *execution->done = xlaEventRetain(done);
  } else {
    for (intptr_t i = 0; i < execution->nOutputs; ++i) {
      xlaArrayRelease(execution->outputs[i]);
      execution->outputs[i] = NULL;
    }
    destroy(run);
  }
  xlaEventRelease(done);
  return status;
}

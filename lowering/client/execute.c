//===- execute.c - Executables run on arrays ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/array_run.h"

#include "xlac/dialect/op.h"
#include "xlac/runtime/relax.h"

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

static bool isDonated(const XlaArrayRun *run, const XlaExecution *execution,
                      intptr_t input) {
  return run->executable->donated[input] && !isKept(execution, input);
}

/// That an input may fail yet, or has failed.
static void await(XlaArrayRun *run, XlaEvent *event) {
  bool isThere = xlaEventHasHappened(event) && !xlaEventGetStatus(event);
  if (!isThere && (!run->nAwaited || run->awaited[run->nAwaited - 1] != event))
    run->awaited[run->nAwaited++] = event;
}

static XlaStatus bindInputs(XlaArrayRun *run, const XlaExecution *execution) {
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
static bool isAlone(const XlaArrayRun *run, intptr_t i) {
  for (intptr_t k = 0; k < run->executable->nInputs; ++k)
    if (k != i && run->inputs[k] == run->inputs[i])
      return false;
  return xlaMemoryIsWritable(run->inputs[i]);
}

static XlaStatus bindOutputs(XlaArrayRun *run, const XlaExecution *execution) {
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

static XlaStatus makeOutputs(const XlaArrayRun *run, XlaArray **outputs) {
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
static void takeDonated(const XlaArrayRun *run, const XlaExecution *execution) {
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
static XlaStatus startAfter(XlaArrayRun *run, XlaEvent *last) {
  XlaClient *client = run->executable->client;
  long nanoseconds = atomic_load(&run->executable->nanoseconds);
  if (nanoseconds < 0 || nanoseconds > shortNanoseconds)
    return xlaWorkerPost(client->worker, xlaArrayRunStart, run);
  XlaPaceWay way = XlaPaceWayAlone;
  if (nanoseconds > tinyNanoseconds && client->processors > 1)
    way = xlaPaceNext(&client->pace, last && !xlaEventIsExpected(last));
  if (way == XlaPaceWayAfter && xlaWorkerIsOurs(client->worker))
    xlaEventWait(last);
  if (way == XlaPaceWayBeside ||
      !enter(client->worker, way == XlaPaceWayAfter)) {
    run->isBeside = true;
    xlaEventSetNear(run->event);
    return xlaWorkerPostShort(client->worker, xlaArrayRunStart, run);
  }
  xlaArrayRunStart(run);
  xlaWorkerLeave(client->worker);
  return NULL;
}

static XlaStatus startSoon(XlaArrayRun *run) {
  XlaEvent *last = atomic_exchange(&run->executable->client->last,
                                   xlaEventRetain(run->event));
  XlaStatus status = startAfter(run, last);
  if (status) // for who waits for it as the last one
    xlaEventSet(run->event, xlaStatusCopy(status));
  xlaEventRelease(last);
  return status;
}

static XlaStatus bind(XlaArrayRun *run, const XlaExecution *execution) {
  XLA_RETURN_IF_ERROR(bindInputs(run, execution));
  XLA_RETURN_IF_ERROR(bindOutputs(run, execution));
  return makeOutputs(run, execution->outputs);
}

/// What is not in the order of the client, nor is what it makes. What it reads
/// stays as it is.
static void takeOutOfOrder(XlaArrayRun *run, XlaArray *const *outputs) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    atomic_fetch_add(&run->inputs[i]->holds, 1);
  for (intptr_t i = 0; i < run->executable->nOutputs; ++i)
    xlaArraySetUnordered(outputs[i]);
  run->isDeferred = true;
}

/// What waits for others.
static void defer(XlaArrayRun *run, XlaArray *const *outputs,
                  XlaArray *pending) {
  takeOutOfOrder(run, outputs);
  run->deferred = (XlaDeferred){.client = run->executable->client,
                                .run = xlaArrayRunStartLater,
                                .fail = xlaArrayRunFail,
                                .data = run};
  xlaDeferredAwait(&run->deferred, xlaArrayGetEvent(pending));
}

static XlaStatus launch(XlaArrayRun *run, const XlaExecution *execution) {
  takeDonated(run, execution);
  XlaArray *pending = xlaArrayRunFindPending(run);
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
static XlaStatus checkBehind(const XlaArrayRun *run) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    if (!xlaEventHasHappened(xlaArrayGetEvent(run->arrays[i])) &&
        !xlaArrayIsPending(run->arrays[i]))
      return invalid(i, "is made by a program that waits for the one whose "
                        "function asks for this one");
  return NULL;
}

static void awaitInputs(const XlaArrayRun *run) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    if (run->isApart || xlaArrayIsPending(run->arrays[i]))
      xlaEventWait(xlaArrayGetEvent(run->arrays[i]));
}

static XlaStatus launchWithin(XlaArrayRun *run, const XlaExecution *execution,
                              bool isCurrent) {
  XlaClient *client = run->executable->client;
  if (isCurrent && client->kind->isShared)
    XLA_RETURN_IF_ERROR(checkBehind(run));
  takeDonated(run, execution);
  if (run->isApart)
    takeOutOfOrder(run, execution->outputs);
  awaitInputs(run);
  XlaEvent *event = xlaEventRetain(run->event);
  xlaArrayRunStart(run);
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
static XlaStatus executeWithin(XlaArrayRun *run,
                               const XlaExecution *execution) {
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

static XlaStatus executeInOrder(XlaArrayRun *run,
                                const XlaExecution *execution) {
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
  XlaArrayRun *run = xlaArrayRunCreate(executable);
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
    xlaArrayRunDestroy(run);
  }
  xlaEventRelease(done);
  return status;
}

//===- execute.c - Executables run on arrays ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/internal.h"

#include "xlac/dialect/op.h"
#include "xlac/runtime/clock.h"

#include <stdlib.h>

/// What took no longer is done by the caller, if nothing waits before it:
/// waking a thread takes as long.
static const long shortNanoseconds = 100 * 1000;

/// What took no longer is not worth the two microseconds that a thread needs to
/// take it over.
static const long tinyNanoseconds = 2000;

/// Runs that nobody waited for before the next ones are handed to the worker,
/// whose waking up must pay.
enum { enoughAhead = 64 };

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
  bool isDeferred; ///< holds its inputs
  XlaLoadedExecutable *executable;
  XlaEvent *event; ///< of all outputs
  XlaArray **arrays;
  XlaMemory **inputs, **outputs;
  void **in, **out; ///< where they lie
  uint64_t number;
  double begin; ///< if it is traced
} Run;

/// One block of memory for all; NULL without.
static Run *create(XlaLoadedExecutable *executable) {
  size_t nIn = (size_t)executable->nInputs, nOut = (size_t)executable->nOutputs;
  Run *run = calloc(1, sizeof *run + (3 * nIn + 2 * nOut) * sizeof(void *));
  if (!run)
    return NULL;
  void **next = (void **)(run + 1);
  run->arrays = (XlaArray **)next;
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

static void destroy(Run *run) {
  releaseInputs(run);
  for (intptr_t i = 0; i < run->executable->nOutputs; ++i)
    xlaMemoryRelease(run->outputs[i]);
  xlaLoadedExecutableRelease(run->executable);
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

static void waitFor(void *data) {
  Run *run = data;
  XlaClient *client = run->executable->client;
  finish(run, client->kind->wait(client, run->number));
}

/// Why an input is not there.
static XlaStatus checkInputs(const Run *run) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    XLA_RETURN_IF_ERROR(xlaArrayFailure(run->arrays[i]));
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
  XlaStatus status = checkInputs(run);
  run->begin = xlaClientTraceBegin(client);
  if (!status) {
    double begin = xlaClockMilliseconds();
    status = client->kind->run(executable, run->in, run->out, &run->number);
    atomic_store(&executable->nanoseconds,
                 (long)((xlaClockMilliseconds() - begin) * 1e6));
  }
  if (!status && run->number) {
    releaseInputs(run); // the device knows what it needs
    status = xlaWorkerPost(client->waiter, waitFor, run);
    if (!status)
      return;
    xlaStatusDestroy(client->kind->wait(client, run->number));
  }
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

static XlaStatus bindInputs(Run *run, const XlaExecution *execution) {
  for (intptr_t i = 0; i < execution->nInputs; ++i) {
    XlaArray *array = execution->inputs[i];
    XLA_RETURN_IF_ERROR(checkInput(run->executable, i, array));
    run->inputs[i] = xlaArrayGetMemory(array);
    if (!run->inputs[i])
      return invalid(i, "has been deleted or donated");
    run->arrays[i] = xlaArrayRetain(array);
    run->in[i] = run->inputs[i]->data;
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
    if (alias >= 0 && isDonated(run, execution, alias) && isAlone(run, alias))
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

/// Whether the caller goes on while the device computes: it did not wait for
/// the last runs.
static bool isAhead(const Run *run) {
  XlaClient *client = run->executable->client;
  XlaEvent *last = atomic_exchange(&client->last, xlaEventRetain(run->event));
  int ahead = 0;
  if (last && !xlaEventIsExpected(last))
    ahead = atomic_load_explicit(&client->nAhead, memory_order_relaxed) + 1;
  xlaEventRelease(last);
  if (ahead > enoughAhead)
    ahead = enoughAhead;
  atomic_store_explicit(&client->nAhead, ahead, memory_order_relaxed);
  return ahead == enoughAhead && client->processors > 1;
}

/// Runs what is short in the caller's thread if that waits for it anyway, else
/// beside it.
static XlaStatus startSoon(Run *run) {
  XlaWorker *worker = run->executable->client->worker;
  long nanoseconds = atomic_load(&run->executable->nanoseconds);
  bool isShort = nanoseconds >= 0 && nanoseconds <= shortNanoseconds;
  bool isBeside = isAhead(run) && nanoseconds > tinyNanoseconds;
  if (!isShort)
    return xlaWorkerPost(worker, start, run);
  if (isBeside || !xlaWorkerTryEnter(worker)) {
    xlaEventSetNear(run->event);
    return xlaWorkerPostShort(worker, start, run);
  }
  start(run);
  xlaWorkerLeave(worker);
  return NULL;
}

static XlaStatus bind(Run *run, const XlaExecution *execution) {
  XLA_RETURN_IF_ERROR(bindInputs(run, execution));
  XLA_RETURN_IF_ERROR(bindOutputs(run, execution));
  return makeOutputs(run, execution->outputs);
}

/// What waits for others is not in the order of the client, nor is what it
/// makes. What it reads stays as it is.
static void defer(Run *run, XlaArray *const *outputs, XlaArray *pending) {
  for (intptr_t i = 0; i < run->executable->nInputs; ++i)
    atomic_fetch_add(&run->inputs[i]->holds, 1);
  for (intptr_t i = 0; i < run->executable->nOutputs; ++i)
    xlaArraySetUnordered(outputs[i]);
  run->isDeferred = true;
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
  Run *run = create(executable);
  if (!run)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a run");
  XlaEvent *done = xlaEventRetain(run->event);
  XlaStatus status = bind(run, execution);
  if (!status)
    status = launch(run, execution);
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

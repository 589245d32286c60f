//===- processes.c - Replicas that run at the same time -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/ir.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A process on its thread.
typedef struct Thread {
  XlaRun *run;
  const XlaRunDevice *device;
  const XlaRunProcess *process;
  XlaProcess place;
  pthread_t thread;
  bool started;
  XlaToolCode code;
} Thread;

static void *runThread(void *data) {
  Thread *thread = data;
  const XlaRunProcess *process = thread->process;
  XlaRunPlace place = {thread->place, process->feed};
  thread->code = thread->device->execute(
      thread->run, process->executable, &place, process->nInputs,
      process->inputs, process->nResults, process->results);
  xlaProcessFinish(&thread->place, thread->code != XlaToolCodeOk);
  return NULL;
}

/// Evaluators recurse, so every thread needs a large stack.
static bool start(Thread *thread) {
  pthread_attr_t attributes;
  if (!pthread_attr_init(&attributes)) {
    thread->started =
        !pthread_attr_setstacksize(&attributes, XLA_STACK_BYTES) &&
        !pthread_create(&thread->thread, &attributes, runThread, thread);
    pthread_attr_destroy(&attributes);
  }
  return thread->started;
}

/// Starts all, or stops those that were started. What keeps one from starting
/// keeps others too: it is said once.
static bool startAll(int n, Thread *threads) {
  int i = 0;
  while (i < n && start(&threads[i]))
    ++i;
  if (i == n)
    return true;
  xlaToolError(XlaToolCodeRefused,
               "%s could not start: no memory for more than %d threads",
               xlaProcessGetName(&threads[i].place).chars, i);
  for (; i < n; ++i) {
    threads[i].code = XlaToolCodeRefused;
    xlaProcessFinish(&threads[i].place, true);
  }
  return false;
}

/// What goes wrong in one replica may in all of them: it is said once.
typedef struct Repeats {
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  XlaErrorListener listener;
  char last[400], text[400];
} Repeats;

/// MLIR calls it for one diagnostic at a time.
static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *data) {
  Repeats *repeats = data;
  XlaIrLine line = {repeats->text, sizeof repeats->text, 0};
  repeats->text[0] = 0;
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), xlaIrLineAppend,
                    &line);
  mlirDiagnosticPrint(diagnostic, xlaIrLineAppend, &line);
  if (!strcmp(repeats->text, repeats->last))
    return mlirLogicalResultSuccess();
  memcpy(repeats->last, repeats->text, sizeof repeats->last);
  return mlirLogicalResultFailure(); // the next handler prints it
}

static void watch(Repeats *repeats, MlirModule module) {
  *repeats = (Repeats){.context = mlirModuleGetContext(module)};
  repeats->handler = mlirContextAttachDiagnosticHandler(repeats->context,
                                                        handle, repeats, NULL);
  xlaErrorListenerBegin(repeats->context, &repeats->listener);
}

/// What the errors that were heard say of a run that failed.
static XlaToolCode unwatch(Repeats *repeats, XlaToolCode code) {
  XlaToolCode heard = xlaToolCodeOf(xlaErrorListenerEnd(&repeats->listener));
  mlirContextDetachDiagnosticHandler(repeats->context, repeats->handler);
  return code == XlaToolCodeOk || repeats->listener.code == XLA_STATUS_OK
             ? code
             : heard;
}

static XlaToolCode runThreads(int n, Thread *threads, bool *started) {
  XlaToolCode code = XlaToolCodeOk;
  *started = startAll(n, threads);
  for (int i = 0; i < n; ++i) {
    if (threads[i].started)
      pthread_join(threads[i].thread, NULL);
    code = threads[i].code > code ? threads[i].code : code;
  }
  return code;
}

/// Which one failed is not to be seen from where in the program it did.
static void nameFailed(XlaRendezvous *rendezvous, int n) {
  XlaProcess failed;
  if (n > 1 && xlaRendezvousGetFailed(rendezvous, &failed))
    xlaToolError(XlaToolCodeRefused, "%s failed, and the others were stopped",
                 xlaProcessGetName(&failed).chars);
}

XlaToolCode xlaRunProcesses(XlaRun *run, const XlaRunDevice *device, int nGrids,
                            const XlaGrid *grids,
                            const XlaRunProcess *processes) {
  XlaRendezvous *rendezvous = xlaRendezvousCreate(nGrids, grids);
  Thread *threads = calloc(XLA_MAX_PROCESSES, sizeof *threads);
  Repeats *repeats = calloc((size_t)nGrids, sizeof *repeats);
  XlaToolCode code = XlaToolCodeRefused;
  int n = 0;
  if (!rendezvous || !threads || !repeats) {
    xlaToolError(XlaToolCodeRefused, "out of memory");
  } else {
    for (int g = 0; g < nGrids; ++g) {
      watch(&repeats[g], processes[n].module);
      for (int i = 0; i < grids[g].replicas * grids[g].partitions; ++i, ++n)
        threads[n] = (Thread){.run = run,
                              .device = device,
                              .process = &processes[n],
                              .place = {rendezvous, g, i / grids[g].partitions,
                                        i % grids[g].partitions}};
    }
    if (n == 1)
      runThread(&threads[0]);
    bool started = true;
    code = n == 1 ? threads[0].code : runThreads(n, threads, &started);
    if (started)
      nameFailed(rendezvous, n);
    for (int g = nGrids; g-- > 0;)
      code = unwatch(&repeats[g], code);
  }
  free(threads);
  free(repeats);
  xlaRendezvousDestroy(rendezvous);
  return code;
}

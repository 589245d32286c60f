//===- internal.h - What clients consist of -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to clients: client.c opens devices, compile.c compiles, run.c runs
// on literals, array.c and transfer.c have arrays, on which execute.c and
// array_run.c run, message.c makes statuses of diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CLIENT_INTERNAL_H
#define XLAC_LOWERING_CLIENT_INTERNAL_H

#include "xlac/lowering/array.h"
#include "xlac/lowering/client/contexts.h"
#include "xlac/lowering/client/memory.h"
#include "xlac/lowering/client/pace.h"
#include "xlac/lowering/executable_internal.h"
#include "xlac/runtime/turn.h"
#include "xlac/runtime/worker.h"

#include <pthread.h>
#include <stdatomic.h>

enum { XLA_CLIENT_APART = 64 }; ///< bytes of a line of the cache

struct XlaClient {
  MlirContext context;
  XlaCpuTarget *target;    ///< NULL for the interpreter
  XlaVulkanDevice *vulkan; ///< or NULL
  bool interpreter;
  XlaClientOptions options;
  XlaTurn turn;         ///< of the context, while programs run
  XlaContexts contexts; ///< of programs that are read
  const XlaMemoryKind *kind;
  XlaPool *pool;  ///< of arrays in the host's memory
  int processors; ///< that this process may use
  /// What arrays are made of is asked for here, in order; where the device goes
  /// on by itself, `waiter` finds out when it is done.
  XlaWorker *worker, *waiter;
  /// What threads write from here on lies apart from what they only read: a
  /// line of the cache that one writes is fetched by all others.
  char apart[XLA_CLIENT_APART];
  _Atomic(XlaEvent *) last; ///< run's that was asked for
  XlaPace pace;             ///< of short runs
  char apartToo[XLA_CLIENT_APART];
  /// A list of short runs that the worker has done. Who uses the client next
  /// releases what they held, else the worker before it sleeps.
  _Atomic(void *) over;
  atomic_int nReleasing;       ///< threads that release some of it
  pthread_mutex_t promiseLock; ///< of what follows
  XlaArray *promises;          ///< that are not kept
  int nDeferred;               ///< what waits for them, or for other devices
  pthread_cond_t fewerDeferred;
};

struct XlaLoadedExecutable {
  XlaClient *client;
  /// The client's, or `own`: message.h hears what is said in it.
  MlirContext context;
  XlaCompileContext own; ///< null if it has none
  /// What says that nothing refers to the program's bytes; NULL: nothing does.
  void (*release)(void *user);
  void *releaseUser;
  MlirModule module; ///< custom calls and the interpreter read it
  MlirOperation function;
  char name[128];              ///< cut if it is longer
  XlaExecutable *compiled;     ///< NULL for the interpreter
  XlaSpecializer *specializer; ///< of unknown sizes, for the interpreter
  bool isSpecialized;      ///< one of its programs runs; in the client's turn
  XlaPartition *partition; ///< NULL: of one device
  // Executions on arrays; all 0 if it runs on literals only.
  bool runsOnArrays;
  intptr_t nInputs, nOutputs;
  XlaShape *inputs, *outputs;
  bool *donated;     ///< by input
  intptr_t *aliases; ///< by output: the input whose memory it may take, or -1
  char apart[XLA_CLIENT_APART]; ///< as the client's
  atomic_int references;        ///< the caller's, and those of executions
  /// What an execution takes to ask for, in nanoseconds, about as long as the
  /// last one; -1 before.
  atomic_long nanoseconds;
};

/// Work that waits for an event without keeping the client's worker, which may
/// have to do what the event waits for. What it reads it holds: it is not in
/// the order of what was asked for.
typedef struct XlaDeferred {
  XlaClient *client;
  void (*run)(void *data); ///< called by the client's worker, after the event
  /// Takes `status`, why `run` cannot be called.
  void (*fail)(void *data, XlaStatus status);
  void *data;
  /// Asked for by a task, which the client's worker may wait for: whoever says
  /// that the event has happened calls `run`, which must not wait.
  bool isWithin;
  XlaWorkerTask task;
} XlaDeferred;
void xlaDeferredAwait(XlaDeferred *deferred, XlaEvent *event);

/// Breaks the promises that are left, and waits until nothing is deferred.
void xlaPromisesEnd(XlaClient *client);

/// A status that says `what` is NULL.
XlaStatus xlaClientMissing(const char *what);

/// An error unless the array has those bytes (transfer.c).
XlaStatus xlaArrayCheckBytes(const XlaArray *array, size_t offset,
                             size_t byteCount);

/// The type of the function; not where that has been thrown away.
MlirType xlaClientFunctionType(const XlaLoadedExecutable *executable);

/// Releases what runs that are over held (array_run.c); whether there were any.
bool xlaClientReleaseRuns(XlaClient *client);
/// The same, and waits for what other threads release.
bool xlaClientReleaseAllRuns(XlaClient *client);

/// Drops a reference.
void xlaLoadedExecutableRelease(XlaLoadedExecutable *executable);

/// On the interpreter, which has the executable's context for itself: literals
/// of the function's types; `outputs` gets new references. `*why` is as
/// xlaSpecializerGet gives it. False after a diagnostic.
bool xlaClientInterpret(XlaLoadedExecutable *executable, intptr_t nInputs,
                        const XlaLiteral *const *inputs, intptr_t nOutputs,
                        XlaLiteral **outputs, XlaImportResult *why);

/// When something that is traced begins; 0 if nobody wants to know.
double xlaClientTraceBegin(const XlaClient *client);
/// It ends now; nothing if `begin` is 0.
void xlaClientTraceEnd(const XlaClient *client, XlaTraceKind kind,
                       const char *name, double begin, size_t bytes);

#endif // XLAC_LOWERING_CLIENT_INTERNAL_H

//===- array_run.h - A run of an executable on arrays -------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to clients: execute.c makes a run, binds its arrays and decides who
// starts it and when; from then on it belongs to itself.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CLIENT_ARRAY_RUN_H
#define XLAC_LOWERING_CLIENT_ARRAY_RUN_H

#include "xlac/lowering/client/internal.h"

typedef struct XlaArrayRun {
  XlaDeferred deferred;
  struct XlaArrayRun *next; ///< in the client's list of those that are over
  bool isDeferred;          ///< holds its inputs
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
} XlaArrayRun;

/// Of `executable`, which it refers to: without arrays, whose places are NULL.
/// NULL without memory.
XlaArrayRun *xlaArrayRunCreate(XlaLoadedExecutable *executable);
/// Of one that has not been started.
void xlaArrayRunDestroy(XlaArrayRun *run);

/// An input that comes from elsewhere and is not there yet, or NULL.
XlaArray *xlaArrayRunFindPending(const XlaArrayRun *run);

/// Runs the XlaArrayRun `data`, whose inputs are there or have failed. Its
/// event happens at the end, here or, where the device goes on by itself,
/// later.
void xlaArrayRunStart(void *data);
/// The same, once its inputs have come from elsewhere.
void xlaArrayRunStartLater(void *data);
/// Ends it without running it; takes `status`, why.
void xlaArrayRunFail(void *data, XlaStatus status);

#endif // XLAC_LOWERING_CLIENT_ARRAY_RUN_H

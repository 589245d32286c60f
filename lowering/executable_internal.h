//===- executable_internal.h - What an executable is made of ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lowering: executable.c compiles, executable_run.c runs.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_EXECUTABLE_INTERNAL_H
#define XLAC_LOWERING_EXECUTABLE_INTERNAL_H

#include "xlac/lowering/executable.h"
#include "xlac/lowering/host/custom_call.h"
#include "xlac/lowering/specializer.h"
#include "xlac/runtime/pool.h"
#include "xlac/runtime/turn.h"

struct XlaExecutable {
  XlaCompileStats stats;
  const struct XlaDevice *device;
  void *program; ///< the device's; NULL: the code is for another machine
  intptr_t nInputs, nOutputs;
  XlaShape *inputs, *outputs;
  intptr_t *aliases; // the input of each output, or -1
  XlaPool *pool;     // of the literals that runs return
  XlaCustomCalls calls;
  // The source function's types, with tuples.
  MlirContext context;
  intptr_t nArguments, nResults;
  MlirType *arguments, *results;
  /// Of a run that has the executable for itself: one on a device with memory
  /// of its own, with calls, or of unknown sizes.
  XlaTurn turn;
  /// Of unknown sizes: nothing else is set but these types and `stats`.
  XlaSpecializer *specializer;
  XlaImportResult why; ///< the last program could not be specialized
};

/// Size of an array in memory.
size_t xlaExecutableByteCount(const XlaShape *shape);

#endif // XLAC_LOWERING_EXECUTABLE_INTERNAL_H

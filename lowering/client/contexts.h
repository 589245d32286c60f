//===- contexts.h - Contexts to compile in ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to clients. Each thread that compiles has a context for itself. One
// with all dialects takes as long to make as a small program to compile, and so
// is used again; but it keeps the types and constants of all programs that it
// has seen, and so not for ever.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CLIENT_CONTEXTS_H
#define XLAC_LOWERING_CLIENT_CONTEXTS_H

#include "mlir-c/IR.h"

#include <pthread.h>
#include <stddef.h>

/// A context, and what has been compiled in it.
typedef struct XlaCompileContext {
  MlirContext context;
  int nPrograms;
  size_t bytes; ///< of the programs
} XlaCompileContext;

enum { XLA_CONTEXTS_KEPT = 4 };

/// Those that are not in use.
typedef struct XlaContexts {
  pthread_mutex_t lock;
  int n;
  XlaCompileContext kept[XLA_CONTEXTS_KEPT];
} XlaContexts;

void xlaContextsInit(XlaContexts *contexts);
/// Destroys those that are kept.
void xlaContextsDestroy(XlaContexts *contexts);

/// One for a program of so many bytes, in any form, whose errors messages
/// (message.h) hear. The caller gives it back, or destroys it itself.
XlaCompileContext xlaContextsTake(XlaContexts *contexts, size_t bytes);
/// It refers to bytes that do not outlive the program: not to be used again.
void xlaContextsSpend(XlaCompileContext *context);
/// Nothing of the program is left in it but what a context keeps.
void xlaContextsGive(XlaContexts *contexts, XlaCompileContext context);

#endif // XLAC_LOWERING_CLIENT_CONTEXTS_H

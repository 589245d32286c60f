//===- contexts.c - Contexts to compile in --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client/contexts.h"

#include "xlac/formats/module.h"
#include "xlac/lowering/client/message.h"

/// One that has seen more is not used again.
enum { ProgramsMax = 256, BytesMax = 8 << 20 };

void xlaContextsInit(XlaContexts *contexts) {
  pthread_mutex_init(&contexts->lock, NULL);
  contexts->n = 0;
}

void xlaContextsDestroy(XlaContexts *contexts) {
  for (int i = 0; i < contexts->n; ++i)
    mlirContextDestroy(contexts->kept[i].context);
  pthread_mutex_destroy(&contexts->lock);
}

static MlirContext create(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  xlaMessageAttach(context);
  return context;
}

XlaCompileContext xlaContextsTake(XlaContexts *contexts, size_t bytes) {
  XlaCompileContext taken = {{NULL}, 0, 0};
  pthread_mutex_lock(&contexts->lock);
  if (contexts->n > 0)
    taken = contexts->kept[--contexts->n];
  pthread_mutex_unlock(&contexts->lock);
  if (mlirContextIsNull(taken.context))
    taken.context = create();
  // Dialects of StableHLO's tests are not registered; what is left of them
  // after the import is an error.
  mlirContextSetAllowUnregisteredDialects(taken.context, true);
  ++taken.nPrograms;
  taken.bytes += bytes;
  return taken;
}

void xlaContextsSpend(XlaCompileContext *context) {
  context->nPrograms = ProgramsMax;
}

void xlaContextsGive(XlaContexts *contexts, XlaCompileContext context) {
  bool isKept =
      context.nPrograms < ProgramsMax && context.bytes < (size_t)BytesMax;
  if (isKept) {
    pthread_mutex_lock(&contexts->lock);
    isKept = contexts->n < XLA_CONTEXTS_KEPT;
    if (isKept)
      contexts->kept[contexts->n++] = context;
    pthread_mutex_unlock(&contexts->lock);
  }
  if (!isKept)
    mlirContextDestroy(context.context);
}

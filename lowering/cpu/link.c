//===- link.c - Linking objects into the process --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/codegen.h"
#include "xlac/lowering/cpu/lower.h"
#include "xlac/lowering/cpu/shared.h"
#include "xlac/runtime/cpu/openmp.h"

#include "llvm-c/Core.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One session for all code of the process: to begin one takes as long as to
/// link a small object. Each object has a library of its own in it, so that
/// names are no matter.
typedef struct Session {
  LLVMOrcLLJITRef jit;
  char *failure; ///< why there is none
  /// One thread links at a time: what is reported is about its object.
  pthread_mutex_t lock;
  pthread_mutex_t errorsLock; ///< of `errors`: others may report, too
  char *errors;               ///< what was reported beside return values
  struct XlaCpuCode *idle;    ///< libraries that are empty
  unsigned nLibraries;
} Session;
static Session session = {.lock = PTHREAD_MUTEX_INITIALIZER,
                          .errorsLock = PTHREAD_MUTEX_INITIALIZER};

struct XlaCpuCode {
  LLVMOrcJITDylibRef library;
  struct XlaCpuCode *next; ///< of the session's
  XlaCpuShared shared;     ///< what it calls
};

/// Appends `message` to `*text` on a line of its own.
static void append(char **text, const char *message) {
  char *joined;
  if (asprintf(&joined, "%s%s%s", *text ? *text : "", *text ? "\n" : "",
               message) < 0)
    return;
  free(*text);
  *text = joined;
}

static char *takeMessage(LLVMErrorRef error) {
  char *message = LLVMGetErrorMessage(error);
  char *copy = strdup(message);
  LLVMDisposeErrorMessage(message);
  return copy;
}

/// Without a reporter the session prints to stderr.
static void report(void *user, LLVMErrorRef error) {
  char *message = takeMessage(error);
  pthread_mutex_lock(&session.errorsLock);
  append(&session.errors, message ? message : "out of memory");
  pthread_mutex_unlock(&session.errorsLock);
  free(message);
}

static char *takeErrors(void) {
  pthread_mutex_lock(&session.errorsLock);
  char *errors = session.errors;
  session.errors = NULL;
  pthread_mutex_unlock(&session.errorsLock);
  return errors;
}

static void openSession(void) {
  LLVMErrorRef error = LLVMOrcCreateLLJIT(&session.jit, NULL);
  if (error) {
    session.jit = NULL;
    session.failure = takeMessage(error);
  } else {
    LLVMOrcExecutionSessionSetErrorReporter(
        LLVMOrcLLJITGetExecutionSession(session.jit), report, NULL);
  }
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// The functions of the process, memcpy and those of libm among them.
static LLVMErrorRef addProcess(XlaCpuCode *code) {
  LLVMOrcDefinitionGeneratorRef generator;
  LLVMErrorRef error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
      &generator, LLVMOrcLLJITGetGlobalPrefix(session.jit), NULL, NULL);
  if (!error)
    LLVMOrcJITDylibAddGenerator(code->library, generator);
  return error;
}

/// An empty library that knows the process's functions; NULL without memory, or
/// with `*error`.
static XlaCpuCode *takeLibrary(LLVMErrorRef *error) {
  XlaCpuCode *code = session.idle;
  if (code) {
    session.idle = code->next;
    return code;
  }
  code = calloc(1, sizeof *code);
  if (!code)
    return NULL;
  char name[32];
  snprintf(name, sizeof name, "xlac.%u", session.nLibraries++);
  code->library = LLVMOrcExecutionSessionCreateBareJITDylib(
      LLVMOrcLLJITGetExecutionSession(session.jit), name);
  *error = addProcess(code);
  if (!*error)
    return code;
  free(code);
  return NULL;
}

/// Unmaps what is in it. The session cannot part with a library, so that they
/// are used again.
static void giveLibrary(XlaCpuCode *code) {
  LLVMErrorRef error = LLVMOrcJITDylibClear(code->library);
  if (error) {
    LLVMConsumeError(error);
    free(code);
    return;
  }
  code->next = session.idle;
  session.idle = code;
}

static LLVMErrorRef define(XlaCpuCode *code, intptr_t count,
                           const XlaCpuSymbol *symbols) {
  if (!count)
    return NULL;
  LLVMOrcCSymbolMapPair *pairs = calloc((size_t)count, sizeof *pairs);
  if (!pairs)
    return LLVMCreateStringError("out of memory");
  for (intptr_t i = 0; i < count; ++i) {
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(session.jit, symbols[i].name);
    pairs[i].Sym.Address =
        (LLVMOrcExecutorAddress)(uintptr_t)symbols[i].address;
    pairs[i].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
  }
  LLVMOrcMaterializationUnitRef unit =
      LLVMOrcAbsoluteSymbols(pairs, (size_t)count);
  free(pairs);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(code->library, unit);
  if (error)
    LLVMOrcDisposeMaterializationUnit(unit);
  return error;
}

/// What parallel loops call.
static LLVMErrorRef defineOpenMP(XlaCpuCode *code) {
  XlaCpuSymbol symbols[16];
  int n;
  const XlaCpuRuntimeFunction *functions = xlaCpuOpenMPFunctions(&n);
  for (int i = 0; i < n; ++i)
    symbols[i] = (XlaCpuSymbol){functions[i].name, functions[i].address};
  return define(code, n, symbols);
}

//===----------------------------------------------------------------------===//
// Looking up
//===----------------------------------------------------------------------===//

typedef struct Search {
  pthread_mutex_t lock;
  pthread_cond_t end;
  bool isDone;
  LLVMErrorRef error;
  LLVMOrcExecutorAddress address;
} Search;

static void found(LLVMErrorRef error, LLVMOrcCSymbolMapPairs pairs, size_t n,
                  void *user) {
  Search *search = user;
  pthread_mutex_lock(&search->lock);
  search->error = error;
  if (!error)
    search->address = n ? pairs[0].Sym.Address : 0;
  search->isDone = true;
  pthread_cond_signal(&search->end);
  pthread_mutex_unlock(&search->lock);
}

/// The session may link on a thread of its own.
static LLVMErrorRef lookup(const XlaCpuCode *code, const char *name,
                           LLVMOrcExecutorAddress *address) {
  Search search = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false,
                   NULL, 0};
  LLVMOrcCJITDylibSearchOrderElement order = {
      code->library, LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly};
  LLVMOrcCLookupSetElement symbol = {
      LLVMOrcLLJITMangleAndIntern(session.jit, name),
      LLVMOrcSymbolLookupFlagsRequiredSymbol};
  LLVMOrcExecutionSessionLookup(LLVMOrcLLJITGetExecutionSession(session.jit),
                                LLVMOrcLookupKindStatic, &order, 1, &symbol, 1,
                                found, &search);
  pthread_mutex_lock(&search.lock);
  while (!search.isDone)
    pthread_cond_wait(&search.end, &search.lock);
  pthread_mutex_unlock(&search.lock);
  pthread_cond_destroy(&search.end);
  pthread_mutex_destroy(&search.lock);
  *address = search.address;
  return search.error;
}

static LLVMErrorRef load(XlaCpuCode *code, const void *object, size_t size,
                         intptr_t nSymbols, const XlaCpuSymbol *symbols,
                         const char *entry) {
  LLVMErrorRef error = define(code, nSymbols, symbols);
  if (!error)
    error = defineOpenMP(code);
  if (!error)
    error = LLVMOrcLLJITAddObjectFile(
        session.jit, code->library,
        LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, "xlac"));
  LLVMOrcExecutorAddress address;
  if (!error && entry)
    error = lookup(code, entry, &address);
  return error;
}

XlaCpuCode *xlaCpuCodeLink(const void *object, size_t size, intptr_t nSymbols,
                           const XlaCpuSymbol *symbols, const char *entry,
                           char **error) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, openSession);
  *error = NULL;
  if (!session.jit) {
    *error = strdup(session.failure ? session.failure : "out of memory");
    return NULL;
  }
  pthread_mutex_lock(&session.lock);
  LLVMErrorRef failure = NULL;
  XlaCpuCode *code = takeLibrary(&failure);
  if (code)
    failure = load(code, object, size, nSymbols, symbols, entry);
  // The session's own report names the cause; the returned error often only
  // says that a symbol did not materialise.
  char *errors = takeErrors();
  if (!code || failure) {
    char *message = failure ? takeMessage(failure) : NULL;
    append(&errors, message ? message : "out of memory");
    free(message);
    if (code)
      giveLibrary(code);
    code = NULL;
    *error = errors;
  } else {
    free(errors);
  }
  pthread_mutex_unlock(&session.lock);
  return code;
}

void *xlaCpuCodeLookup(XlaCpuCode *code, const char *name) {
  LLVMOrcExecutorAddress address = 0;
  pthread_mutex_lock(&session.lock);
  LLVMErrorRef error = lookup(code, name, &address);
  free(takeErrors());
  pthread_mutex_unlock(&session.lock);
  if (error) {
    LLVMConsumeError(error);
    return NULL;
  }
  return (void *)(uintptr_t)address;
}

void xlaCpuCodeUse(XlaCpuCode *code, const XlaCpuShared *shared) {
  code->shared = *shared;
}

void xlaCpuCodeDestroy(XlaCpuCode *code) {
  if (!code)
    return;
  XlaCpuShared shared = code->shared;
  code->shared = (XlaCpuShared){0};
  pthread_mutex_lock(&session.lock);
  giveLibrary(code);
  pthread_mutex_unlock(&session.lock);
  xlaCpuSharedRelease(&shared);
}

//===- link.c - Linking objects into the process --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/codegen.h"
#include "xlac/lowering/cpu/lower.h"
#include "xlac/runtime/cpu/spread.h"

#include "llvm-c/Core.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef XLAC_LLVM_LIBRARY_DIR
#error "the build defines where libomp.so lies"
#endif

struct XlaCpuCode {
  LLVMOrcLLJITRef jit;
  pthread_mutex_t lock; ///< guards `errors`
  char *errors;         ///< what the session reported beside return values
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
  XlaCpuCode *code = user;
  char *message = takeMessage(error);
  pthread_mutex_lock(&code->lock);
  append(&code->errors, message);
  pthread_mutex_unlock(&code->lock);
  free(message);
}

static LLVMErrorRef addLibrary(XlaCpuCode *code, const char *path) {
  LLVMOrcDefinitionGeneratorRef generator;
  char prefix = LLVMOrcLLJITGetGlobalPrefix(code->jit);
  LLVMErrorRef error =
      path ? LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(
                 &generator, path, prefix, NULL, NULL)
           : LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                 &generator, prefix, NULL, NULL);
  if (!error)
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(code->jit),
                                generator);
  return error;
}

/// libomp is found by its name where the system has it on the search path, else
/// beside the LLVM that this was built with.
static LLVMErrorRef addOpenMP(XlaCpuCode *code) {
  LLVMErrorRef error = addLibrary(code, "libomp.so.5");
  if (!error)
    return error;
  LLVMConsumeError(error);
  return addLibrary(code, XLAC_LLVM_LIBRARY_DIR "/libomp.so.5");
}

static LLVMErrorRef define(XlaCpuCode *code, intptr_t count,
                           const XlaCpuSymbol *symbols) {
  if (!count)
    return NULL;
  LLVMOrcCSymbolMapPair *pairs = calloc((size_t)count, sizeof *pairs);
  if (!pairs)
    return LLVMCreateStringError("out of memory");
  for (intptr_t i = 0; i < count; ++i) {
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(code->jit, symbols[i].name);
    pairs[i].Sym.Address =
        (LLVMOrcExecutorAddress)(uintptr_t)symbols[i].address;
    pairs[i].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
  }
  LLVMOrcMaterializationUnitRef unit =
      LLVMOrcAbsoluteSymbols(pairs, (size_t)count);
  free(pairs);
  LLVMErrorRef error =
      LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(code->jit), unit);
  if (error)
    LLVMOrcDisposeMaterializationUnit(unit);
  return error;
}

static LLVMErrorRef load(XlaCpuCode *code, const void *object, size_t size,
                         intptr_t nSymbols, const XlaCpuSymbol *symbols,
                         const char *entry) {
  const XlaCpuSymbol spread = {XLA_CPU_SPREAD, (void *)xlaCpuSpread};
  LLVMErrorRef error = define(code, nSymbols, symbols);
  if (!error)
    error = define(code, 1, &spread);
  if (!error)
    error = addLibrary(code, NULL);
  // Calls of OpenMP's runtime show in the object's string table.
  if (!error && memmem(object, size, "__kmpc_", strlen("__kmpc_")))
    error = addOpenMP(code);
  if (!error)
    error = LLVMOrcLLJITAddObjectFile(
        code->jit, LLVMOrcLLJITGetMainJITDylib(code->jit),
        LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, "xlac"));
  LLVMOrcExecutorAddress address;
  if (!error && entry)
    error = LLVMOrcLLJITLookup(code->jit, &address, entry);
  return error;
}

XlaCpuCode *xlaCpuCodeLink(const void *object, size_t size, intptr_t nSymbols,
                           const XlaCpuSymbol *symbols, const char *entry,
                           char **error) {
  *error = NULL;
  XlaCpuCode *code = calloc(1, sizeof *code);
  if (!code) {
    *error = strdup("out of memory");
    return NULL;
  }
  pthread_mutex_init(&code->lock, NULL);
  LLVMErrorRef failure = LLVMOrcCreateLLJIT(&code->jit, NULL);
  if (!failure) {
    LLVMOrcExecutionSessionSetErrorReporter(
        LLVMOrcLLJITGetExecutionSession(code->jit), report, code);
    failure = load(code, object, size, nSymbols, symbols, entry);
  } else {
    code->jit = NULL;
  }
  if (!failure)
    return code;
  char *message = takeMessage(failure);
  // The session's own report names the cause; the returned error often only
  // says that a symbol did not materialise.
  append(&code->errors, message);
  free(message);
  *error = code->errors;
  code->errors = NULL;
  xlaCpuCodeDestroy(code);
  return NULL;
}

void *xlaCpuCodeLookup(XlaCpuCode *code, const char *name) {
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(code->jit, &address, name);
  if (error) {
    LLVMConsumeError(error);
    return NULL;
  }
  return (void *)(uintptr_t)address;
}

void xlaCpuCodeDestroy(XlaCpuCode *code) {
  if (!code)
    return;
  if (code->jit) {
    LLVMErrorRef error = LLVMOrcDisposeLLJIT(code->jit);
    if (error)
      LLVMConsumeError(error);
  }
  pthread_mutex_destroy(&code->lock);
  free(code->errors);
  free(code);
}

//===- link.c - Linking objects into the process --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/codegen.h"
#include "xlac/lowering/cpu/lower.h"
#include "xlac/runtime/cpu/openmp.h"

#include "llvm-c/Core.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/// The functions of the process, memcpy and those of libm among them.
static LLVMErrorRef addProcess(XlaCpuCode *code) {
  LLVMOrcDefinitionGeneratorRef generator;
  LLVMErrorRef error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
      &generator, LLVMOrcLLJITGetGlobalPrefix(code->jit), NULL, NULL);
  if (!error)
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(code->jit),
                                generator);
  return error;
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

/// What parallel loops call.
static LLVMErrorRef defineOpenMP(XlaCpuCode *code) {
  XlaCpuSymbol symbols[16];
  int n;
  const XlaCpuRuntimeFunction *functions = xlaCpuOpenMPFunctions(&n);
  for (int i = 0; i < n; ++i)
    symbols[i] = (XlaCpuSymbol){functions[i].name, functions[i].address};
  return define(code, n, symbols);
}

static LLVMErrorRef load(XlaCpuCode *code, const void *object, size_t size,
                         intptr_t nSymbols, const XlaCpuSymbol *symbols,
                         const char *entry) {
  LLVMErrorRef error = define(code, nSymbols, symbols);
  if (!error)
    error = defineOpenMP(code);
  if (!error)
    error = addProcess(code);
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

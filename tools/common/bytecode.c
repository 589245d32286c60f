//===- bytecode.c - Bytecode of strangers ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR 22's reader follows indices and sizes of damaged files to null pointers
// and to allocations without bounds. The same bytes are read in the same way
// again, so that a first reading in a child process says whether a second one
// is safe.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"
#include "xlac/formats/module.h"
#include "xlac/tools/common/input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif

/// What a reader needs at most: 2 GiB and 64 bytes for each of the file.
static void limitMemory(size_t length) {
#ifndef HAS_SHADOW_MEMORY
  rlim_t bytes = ((rlim_t)2 << 30) + 64 * (rlim_t)length;
  struct rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
#else
  (void)length;
#endif
}

/// How a child ends whose reading was refused without a word.
enum { exitSilent = 2 };

typedef struct Reading {
  MlirStringRef bytecode;
  bool told;     ///< there was an error
  bool isSilent; ///< a reading failed without one
} Reading;

static MlirLogicalResult hear(MlirDiagnostic diagnostic, void *told) {
  *(bool *)told |= mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

static void readWith(MlirDialectRegistry registry, Reading *reading) {
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextAttachDiagnosticHandler(context, hear, &reading->told, NULL);
  reading->told = false;
  MlirModule module = mlirModuleCreateParse(context, reading->bytecode);
  reading->isSilent |= mlirModuleIsNull(module) && !reading->told;
}

/// As xla-opt and as the other tools read it.
static void readOnce(void *data) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaModuleDialectsRegister(registry);
  readWith(registry, data);
  readWith(xlaToolsProgramDialects(), data);
}

/// The child's whole life, which ends with that of `parent`, as at a time
/// limit. It says nothing and leaves no core.
static _Noreturn void readInChild(MlirStringRef bytecode, pid_t parent) {
  static const int crashes[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,
                                SIGILL,  SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; ++i)
    signal(crashes[i], SIG_DFL);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // it has ended before
    _exit(1);
  int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (sink >= 0)
    dup2(sink, STDERR_FILENO);
  limitMemory(bytecode.length);
  alarm(60);
  Reading reading = {.bytecode = bytecode};
  if (!mlirExtRunOnStack(XLA_STACK_BYTES, readOnce, &reading))
    _exit(1);
  _exit(reading.isSilent ? exitSilent : 0);
}

/// To a child, by what waitpid says of it.
static const char *whatHappened(int state) {
  if (WIFEXITED(state) && WEXITSTATUS(state) == exitSilent)
    return "refuses it without saying why";
  return WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM ? "does not end on it"
                                                          : "crashes on it";
}

MlirLogicalResult xlaToolsCheckBytecode(MlirStringRef bytecode,
                                        MlirStringRef file) {
  int state = 0;
  fflush(NULL);
  pid_t parent = getpid(), child = fork();
  if (!child)
    readInChild(bytecode, parent);
  while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
    ;
  if (child > 0 && WIFEXITED(state) && !WEXITSTATUS(state))
    return mlirLogicalResultSuccess();
  if (child < 0)
    fprintf(stderr, "%.*s:1:1: error: no process to check bytecode in: %s\n",
            (int)file.length, file.data, strerror(errno));
  else
    fprintf(stderr,
            "%.*s:1:1: error: the bytecode is damaged: MLIR's reader "
            "%s\n",
            (int)file.length, file.data, whatHappened(state));
  return mlirLogicalResultFailure();
}

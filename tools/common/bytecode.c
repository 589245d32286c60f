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

#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"
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

static void readWith(MlirDialectRegistry registry, MlirStringRef bytecode) {
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirModuleCreateParse(context, bytecode);
}

/// As xla-opt and as the other tools read it.
static void readOnce(void *data) {
  const MlirStringRef *bytecode = data;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  xlaDialectRegister(registry);
  readWith(registry, *bytecode);
  readWith(xlaToolsProgramDialects(), *bytecode);
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
  _exit(mlirExtRunOnStack(XLA_STACK_BYTES, readOnce, &bytecode) ? 0 : 1);
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
            "%.*s:1:1: error: the bytecode is damaged: MLIR's reader %s on "
            "it\n",
            (int)file.length, file.data,
            WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM ? "does not end"
                                                             : "crashes");
  return mlirLogicalResultFailure();
}

//===- main.c - xla-reduce ------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/tools/common/about.h"
#include "xlac/tools/common/clock.h"
#include "xlac/tools/common/input.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char banner[] =
    "xla-reduce: makes a program in the xla dialect that shows a bug smaller\n"
    "\n"
    "  xla-reduce bug.mlir --reduction-tree='traversal-mode=0 test=./test.sh'\n"
    "\n"
    "removes functions and operations as long as the bug stays. test.sh gets a "
    "program's\npath and ends with 1 while that program shows the bug, as\n"
    "\n"
    "  #!/bin/sh\n"
    "  ! xla-run \"$1\" --seed=1 --device=all 2>&1 | grep -q 'elements "
    "differ'\n"
    "\n"
    "--opt-reduction-pass='opt-pass=canonicalize test=./test.sh' lets a pass "
    "do it. What\nfollows is MLIR's help; it names all passes.\n\n";

static void keepOps(MlirContext context) {
  static const char *const names[] = {"xla", "stablehlo", "chlo", "sdy"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    mlirExtDialectKeepOps(context, mlirStringRefCreateFromCString(names[i]));
}

/// Traversing the tree begins with MLIR's greedy rewriter, which folds
/// operations and erases those without uses, and crashes if the bug is gone
/// then. So that is done in another process first, and here without folding and
/// erasing if that one crashed.
static void tryInAnother(MlirContext context) {
  int state = 0;
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    return;
  }
  while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
    ;
  if (child > 0 && WIFEXITED(state))
    _exit(WEXITSTATUS(state));
  fprintf(stderr, "xla-reduce: the bug is gone when what has no uses is erased "
                  "and constants are folded: reducing without that\n");
  keepOps(context);
  (void)lseek(STDIN_FILENO, 0, SEEK_SET); // where the program may come from
}

static const char *const testers[] = {"reduction-tree", "opt-reduction-pass"};

/// What follows `name` if `text` begins with it, else NULL.
static const char *after(const char *text, const char *name) {
  size_t length = strlen(name);
  return strncmp(text, name, length) ? NULL : text + length;
}

/// What follows the name of an option if `argument` is that, else NULL.
static const char *afterOption(const char *argument, const char *name) {
  if (*argument != '-')
    return NULL;
  const char *end = after(argument + (argument[1] == '-' ? 2 : 1), name);
  return end && (!*end || *end == '=') ? end : NULL;
}

/// Whether the options of a pass, which end where a brace is closed, name a
/// test: MLIR's reducer does not survive one without.
static bool hasTest(const char *options) {
  int depth = 0;
  for (const char *at = options; *at && depth >= 0; ++at) {
    depth += (*at == '{') - (*at == '}');
    const char *value = strchr("={ \t\n", *at) ? after(at + 1, "test=") : NULL;
    if (value && !strchr(" \t\n}", *value))
      return true;
  }
  return false;
}

/// The first pass in the text of a pipeline that lacks a test, else NULL.
static const char *findUntested(const char *pipeline) {
  for (const char *at = pipeline; *at; ++at) {
    if (!strchr("=(, \t\n", *at))
      continue;
    for (size_t i = 0; i < sizeof testers / sizeof *testers; ++i) {
      const char *end = after(at + 1, testers[i]);
      if (end && strchr("{), \t\n", *end) && (*end != '{' || !hasTest(end + 1)))
        return testers[i];
    }
  }
  return NULL;
}

/// The pass that the argument `argv[i]` asks for without a test, else NULL.
static const char *untested(char **argv, int i) {
  for (size_t t = 0; t < sizeof testers / sizeof *testers; ++t) {
    const char *options = afterOption(argv[i], testers[t]);
    if (options)
      return hasTest(options) ? NULL : testers[t];
  }
  const char *pipeline = afterOption(argv[i], "pass-pipeline");
  if (pipeline && !*pipeline)
    pipeline = argv[i + 1];
  return pipeline ? findUntested(pipeline) : NULL;
}

static bool haveTests(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const char *pass = untested(argv, i);
    if (!pass)
      continue;
    fprintf(stderr,
            "xla-reduce: --%s has no test: --%s='test=./test.sh' names a "
            "program that ends with 1 while the bug is there\n",
            pass, pass);
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  xlaToolsInit();
  if (xlaToolAnswer(argc, argv, banner))
    return xlaToolsEnd(0);
  if (!haveTests(argc, argv))
    return xlaToolsEnd(2);
  MlirDialectRegistry registry = xlaToolsRegister();
  XlaToolClock *clock = xlaToolClockStart(0);
  if (clock)
    xlaToolClockEnter(clock, "reducing", "the program", false);
  int code = mlirExtReduceMain(argc, argv, registry, xlaToolsReadInput,
                               tryInAnother, XLA_STACK_BYTES);
  xlaToolClockStop(clock);
  // MLIR says nothing of a test that finds the program as it is without a bug.
  if (code)
    fprintf(stderr,
            "xla-reduce: nothing was reduced; if no error is above, the "
            "test did not end with 1 for the program as it is\n");
  mlirDialectRegistryDestroy(registry);
  return code;
}

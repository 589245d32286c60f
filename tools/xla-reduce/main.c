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

int main(int argc, char **argv) {
  xlaToolsInit();
  if (xlaToolAnswer(argc, argv, banner))
    return xlaToolsEnd(0);
  MlirDialectRegistry registry = xlaToolsRegister();
  XlaToolClock *clock = xlaToolClockStart(0);
  if (clock)
    xlaToolClockEnter(clock, "reducing", "the program", false);
  int code = mlirExtReduceMain(argc, argv, registry, xlaToolsReadInput,
                               XLA_STACK_BYTES);
  xlaToolClockStop(clock);
  mlirDialectRegistryDestroy(registry);
  return code;
}

//===- main.c - xla-opt ---------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/formats/hlo/hlo.h"
#include "xlac/lowering/list_types.h"
#include "xlac/lowering/passes.h"
#include "xlac/passes/export/stablehlo.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/simplify/algebra/algebra.h"
#include "xlac/tools/common/about.h"
#include "xlac/tools/common/exit.h"
#include "xlac/tools/common/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char banner[] =
    "xla-opt: reads, checks, transforms and prints programs in the xla dialect "
    "and in\nStableHLO, and reads HLO\n"
    "\n"
    "  xla-opt f.mlir                                parse, verify, print\n"
    "  xla-opt f.mlir --canonicalize --cse           upstream's passes\n"
    "  xla-opt f.mlir --xla-explicit-broadcast       this project's passes\n"
    "  xla-opt f.mlir --split-input-file --verify-diagnostics\n"
    "  xla-opt f.mlir --emit-bytecode -o f.mlirbc\n"
    "  xla-opt f.mlir --xla-import-stablehlo         StableHLO, as jax prints "
    "it\n"
    "  xla-opt f.mlir --xla-export-stablehlo         and back\n"
    "  xla-opt --list-ops                            the operations of xla\n"
    "  xla-opt --list-ops=markdown                   as docs/ops.md has them\n"
    "  xla-opt --list-ops=status                     which devices take them\n"
    "  xla-opt --list-types=markdown                 element types on devices\n"
    "  xla-opt --list-rules=markdown                 docs/rules.md\n"
    "  xla-opt --list-stablehlo=markdown             docs/stablehlo.md\n"
    "  xla-opt --list-hlo=markdown                   docs/hlo.md\n";

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

/// Programs in StableHLO come with operations that are not registered, those of
/// its tests (`check`, `interpreter`): the passes that import and export them
/// want them to be allowed. NULL without memory.
static char **withAllowed(int *argc, char **argv) {
  static char allow[] = "--allow-unregistered-dialect";
  bool foreign = false, allowed = false;
  for (int i = 1; i < *argc; ++i) {
    foreign |= strstr(argv[i], "xla-import-stablehlo") ||
               strstr(argv[i], "xla-export-stablehlo");
    allowed |= strstr(argv[i], "allow-unregistered-dialect") != NULL;
  }
  char **all = calloc((size_t)*argc + 2, sizeof *all);
  if (!all)
    return NULL;
  memcpy(all, argv, (size_t)*argc * sizeof *all);
  if (foreign && !allowed)
    all[(*argc)++] = allow;
  return all;
}

/// docs/stablehlo.md: what comes, and what leaves.
static void listStablehlo(MlirStringCallback callback, void *userData) {
  xlaStableHloListOps(callback, userData);
  xlaStableHloListExports(callback, userData);
}

/// Prints the list that is asked for; false if none is.
static bool printList(int argc, char **argv) {
  static const struct {
    const char *option;
    void (*print)(MlirStringCallback callback, void *userData);
  } lists[] = {
      {"-list-ops", xlaDialectListOps},
      {"-list-ops=markdown", xlaDialectListOpsMarkdown},
      {"-list-ops=status", xlaDialectListStatus},
      {"-list-types=markdown", xlaListTypes},
      {"-list-rules=markdown", xlaAlgebraListMarkdown},
      {"-list-stablehlo=markdown", listStablehlo},
      {"-list-hlo=markdown", xlaHloListOps},
  };
  for (int i = 1; i < argc; ++i)
    for (size_t n = 0; n < sizeof lists / sizeof *lists; ++n)
      if (!strcmp(argv[i] + !strncmp(argv[i], "--", 2), lists[n].option)) {
        lists[n].print(print, stdout);
        return true;
      }
  return false;
}

int main(int argc, char **argv) {
  xlaToolsInit();
  if (xlaToolAnswer(argc, argv, "") || printList(argc, argv))
    return xlaToolsEnd(0);
  MlirDialectRegistry registry = xlaToolsRegister();
  xlaLoweringPassesRegister();
  for (int i = 1; i < argc; ++i)
    if (strstr(argv[i], "mlir-print-debuginfo"))
      xlaToolsKeepUnknownPlaces();
  char **all = withAllowed(&argc, argv);
  int code = all ? mlirExtOptMain(argc, all, banner, registry,
                                  xlaToolsReadInput, XLA_STACK_BYTES)
                 : (int)xlaToolError(XlaToolCodeRefused, "out of memory");
  free(all);
  mlirDialectRegistryDestroy(registry);
  return code;
}

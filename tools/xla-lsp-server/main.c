//===- main.c - xla-lsp-server --------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/formats/module.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/tools/common/about.h"
#include "xlac/tools/common/input.h"
#include "xlac/tools/xla-lsp-server/values.h"

#include <string.h>

static const char banner[] =
    "xla-lsp-server: shows errors, types and definitions of programs in the "
    "xla dialect and in\nStableHLO in editors, and what operations do; it is "
    "MLIR's language "
    "server with this project's dialect\n"
    "\n"
    "  VS Code, with the extension MLIR, in settings.json:\n"
    "    \"mlir.server_path\": \"/path/to/xla-lsp-server\"\n"
    "  Neovim:\n"
    "    vim.lsp.config('xla', {cmd = {'xla-lsp-server'}, filetypes = "
    "{'mlir'}})\n    vim.lsp.enable('xla')\n"
    "\n"
    "Editors start it; it talks to them over standard input and output. What "
    "follows is\nMLIR's help.\n\n";

static void describe(MlirStringRef name, MlirStringCallback callback,
                     void *text, void *userData) {
  (void)userData;
  xlaDialectDescribeOp(name, callback, text);
  xlaStableHloDescribeOp(name, callback, text);
}

static void listValues(MlirStringRef line, MlirStringCallback callback,
                       void *values, void *userData) {
  (void)userData;
  xlaLspListValues(line, callback, values);
}

/// Bytes that are no text are something else in an editor's.
static bool isSpoiltBytecode(MlirStringRef text) {
  static const char *const marks[] = {"ML\xef\xbf\xbdR", "ML\xc3\xafR"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i) {
    size_t length = strlen(marks[i]);
    if (text.length >= length && !memcmp(text.data, marks[i], length))
      return true;
  }
  return false;
}

static const char *refuse(MlirStringRef text, int64_t *line, int64_t *column,
                          void *userData) {
  (void)userData;
  XlaModuleFormat format = xlaModuleDetectFormat(text);
  if (format == XlaModuleFormatHloText)
    return "this is HLO text, not MLIR's: xla-translate FILE --to=xla shows "
           "such programs in the dialect xla";
  if (format != XlaModuleFormatMlirText || isSpoiltBytecode(text))
    return "these are bytes of bytecode, a portable artifact or something "
           "else, no text: xla-translate FILE --to=xla shows such programs in "
           "the dialect xla";
  const char *hazard = xlaTextFindHazard(text, line, column);
  *line -= hazard ? 1 : 0;
  *column -= hazard ? 1 : 0;
  return hazard;
}

int main(int argc, char **argv) {
  xlaToolsInit();
  if (xlaToolAnswer(argc, argv, banner))
    return xlaToolsEnd(0);
  MlirDialectRegistry registry = xlaToolsRegister();
  int code = mlirExtLspServerMain(
      argc, argv, registry,
      &(MlirExtLspHooks){describe, refuse, listValues, NULL});
  mlirDialectRegistryDestroy(registry);
  return code;
}

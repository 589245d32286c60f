//===- main.c - xla-lsp-server --------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/about.h"
#include "xlac/tools/common/input.h"

static const char banner[] =
    "xla-lsp-server: shows errors, types and definitions of programs in the "
    "xla dialect in\neditors; it is MLIR's language server with this "
    "project's dialect\n"
    "\n"
    "  VS Code, with the extension MLIR, in settings.json:\n"
    "    \"mlir.server_path\": \"/path/to/xla-lsp-server\"\n"
    "  Neovim:\n"
    "    vim.lsp.config('xla', {cmd = {'xla-lsp-server'}, filetypes = "
    "{'mlir'}})\n    vim.lsp.enable('xla')\n"
    "\n"
    "Editors start it; it talks to them over standard input and output. What "
    "follows is\nMLIR's help.\n\n";

int main(int argc, char **argv) {
  xlaToolsInit();
  if (xlaToolAnswer(argc, argv, banner))
    return xlaToolsEnd(0);
  MlirDialectRegistry registry = xlaToolsRegister();
  int code = mlirExtLspServerMain(argc, argv, registry);
  mlirDialectRegistryDestroy(registry);
  return code;
}

//===- input.c - What the tools share -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/input.h"

#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"
#include "xlac/formats/module.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/passes.h"
#include "xlac/tools/common/exit.h"
#include "xlac/tools/common/file.h"
#include "xlac/tools/common/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Opens what is closed of standard input, output and error the wrong way
/// round: using it fails as before.
static void openStandardFiles(void) {
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i)
    if (fcntl(i, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void xlaToolsInit(void) {
  openStandardFiles();
  mlirExtSetCrashMessage("This is a bug in xlac. Please report it to the xlac "
                         "project, with the program and the text below.\n");
}

int xlaToolsEnd(int code) {
  bool failed = ferror(stdout);
  if ((fflush(stdout) || failed) && code == XlaToolCodeOk)
    code = xlaToolError(XlaToolCodeWrong, "could not write to standard output");
  return code;
}

MlirDialectRegistry xlaToolsRegister(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirRegisterAllPasses();
  xlaModuleDialectsRegister(registry);
  xlaPassesRegister();
  return registry;
}

MlirDialectRegistry xlaToolsProgramDialects(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  return registry;
}

static bool keepsUnknown;

void xlaToolsKeepUnknownPlaces(void) { keepsUnknown = true; }

MlirLogicalResult xlaToolsReadInput(const char *path, char **text,
                                    size_t *length) {
  if (xlaToolFileRead(path, path, text, length) != XlaToolCodeOk)
    return mlirLogicalResultFailure();
  switch (xlaModuleDetectFormat(mlirStringRefCreate(*text, *length))) {
  case XlaModuleFormatMlirText:
    xlaRepackBoolConstants(*text, *length);
    if (!keepsUnknown)
      xlaToolsOmitUnknownPlaces(*text, *length);
    break;
  case XlaModuleFormatMlirBytecode:
    break;
  case XlaModuleFormatArtifact:
  case XlaModuleFormatExported:
  case XlaModuleFormatHloText:
  case XlaModuleFormatHloProto:
  case XlaModuleFormatForeignBytecode:
  case XlaModuleFormatUnknown:
    return xlaProgramToBytecode(path, text, length) == XlaToolCodeOk
               ? mlirLogicalResultSuccess()
               : mlirLogicalResultFailure();
  }
  return xlaToolsCheckInput(mlirStringRefCreate(*text, *length),
                            mlirStringRefCreateFromCString(path));
}

MlirLogicalResult xlaToolsCheckInput(MlirStringRef text, MlirStringRef file) {
  int64_t line, column;
  if (text.length >= 4 && !memcmp(text.data, "ML\xefR", 4))
    return xlaToolsCheckBytecode(text, file);
  const char *hazard = xlaTextFindHazard(text, &line, &column);
  if (!hazard)
    return mlirLogicalResultSuccess();
  fprintf(stderr, "%.*s:%lld:%lld: error: %s\n", (int)file.length, file.data,
          (long long)line, (long long)column, hazard);
  return mlirLogicalResultFailure();
}

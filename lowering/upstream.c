//===- upstream.c - Running upstream's passes -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/upstream.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"

#include <stdio.h>
#include <string.h>

/// Keeps messages for a diagnostic: upstream's parser prints through this.
static void collect(MlirStringRef part, void *user) {
  char *text = user;
  size_t have = strlen(text), room = 511 - have;
  size_t n = part.length < room ? part.length : room;
  memcpy(text + have, part.data, n);
  text[have + n] = 0;
}

static MlirLogicalResult countError(MlirDiagnostic diagnostic, void *user) {
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError)
    ++*(int *)user;
  return mlirLogicalResultFailure(); // others shall handle it
}

MlirLogicalResult xlaRunUpstreamPasses(MlirModule module, const char *pipeline,
                                       bool verify, const char *what) {
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation op = mlirModuleGetOperation(module);
  char message[512] = "";
  int errors = 0;
  MlirPassManager passes = mlirPassManagerCreate(context);
  mlirPassManagerEnableVerifier(passes, verify);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, countError, &errors, NULL);
  MlirLogicalResult result = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(passes),
      mlirStringRefCreateFromCString(pipeline), collect, message);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(passes, op);
  mlirContextDetachDiagnosticHandler(context, handler);
  if (mlirLogicalResultIsFailure(result) && !errors) {
    if (!*message)
      snprintf(message, sizeof message, "%s failed", what);
    mlirEmitError(mlirOperationGetLocation(op), message);
  }
  mlirPassManagerDestroy(passes);
  return result;
}

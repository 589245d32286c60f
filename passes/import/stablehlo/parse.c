//===- parse.c - Text of StableHLO --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo.h"

#include "mlir-c/Diagnostics.h"

/// Leaves the diagnostic to other handlers.
static MlirLogicalResult noteError(MlirDiagnostic diagnostic, void *hasError) {
  *(bool *)hasError |=
      mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultFailure();
}

MlirModule xlaStableHloParse(MlirContext context, MlirStringRef text,
                             MlirStringRef name) {
  // MLIR's parser goes on behind a string without an end that follows a type,
  // having said so.
  bool hasError = false;
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, noteError, &hasError, NULL);
  MlirModule module = mlirExtModuleCreateParseUnverified(context, text, name);
  mlirContextDetachDiagnosticHandler(context, handler);
  if (mlirModuleIsNull(module) || !hasError)
    return mlirModuleIsNull(module) ? module
                                    : xlaStableHloFinishReading(module);
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

MlirModule xlaStableHloFinishReading(MlirModule module) {
  if (mlirOperationVerify(mlirModuleGetOperation(module)))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

//===- artifact_fuzz.c - Any bytes as an artifact -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "artifact_fuzz.h"

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/module.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/// Sizes that no machine has must give an error, not an abort.
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

typedef struct Input {
  MlirStringRef bytes;
  int errors;
  bool isRead;
} Input;

static void require(bool condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "%s\n", what);
  __builtin_trap();
}

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *data) {
  Input *input = data;
  input->errors += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

static void readAndImport(void *data) {
  Input *input = data;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextAttachDiagnosticHandler(context, count, input, NULL);
  MlirModule module;
  XlaImportResult result = xlaModuleRead(
      context, input->bytes, mlirStringRefCreateFromCString("input"),
      xlaModuleDetectFormat(input->bytes), &module);
  input->isRead = result == XlaImportResultOk;
  require(mlirModuleIsNull(module) == !input->isRead &&
              input->isRead == !input->errors,
          "reading fails without an error, or with one succeeds");
  if (input->isRead) {
    result = xlaImportStableHlo(mlirModuleGetOperation(module));
    require((result == XlaImportResultOk) == !input->errors,
            "the import fails without an error, or with one succeeds");
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
}

bool xlaArtifactFuzz(const uint8_t *data, size_t size) {
  Input input = {.bytes = mlirStringRefCreate((const char *)data, size)};
  XlaModuleFormat format = xlaModuleDetectFormat(input.bytes);
  if (format == XlaModuleFormatArtifact || format == XlaModuleFormatExported)
    require(mlirExtRunOnStack(XLA_STACK_BYTES, readAndImport, &input),
            "no stack to read with");
  return input.isRead;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  xlaArtifactFuzz(data, size);
  return 0;
}

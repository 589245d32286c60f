//===- artifact_fuzz.c - Any bytes as an artifact -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "artifact_fuzz.h"

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/module.h"
#include "xlac/formats/vhlo/vhlo.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/// Sizes that no machine has must give an error, not an abort.
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

typedef struct Input {
  MlirStringRef bytes;
  int errors;
  XlaArtifactOutcome outcome;
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

static MlirModule readBytes(Input *input, MlirContext context,
                            MlirStringRef bytes) {
  MlirModule module;
  XlaImportResult result =
      xlaModuleRead(context, bytes, mlirStringRefCreateFromCString("input"),
                    xlaModuleDetectFormat(bytes), &module);
  bool isRead = result == XlaImportResultOk;
  require(mlirModuleIsNull(module) == !isRead && isRead == !input->errors,
          "reading fails without an error, or with one succeeds");
  return module;
}

static XlaIrText print(MlirModule module) {
  XlaIrText text = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags,
                              xlaIrTextAppend, &text);
  mlirOpPrintingFlagsDestroy(flags);
  return text;
}

/// Damaged programs may say what artifacts have not.
static void writeAgain(Input *input, MlirContext context, MlirModule module) {
  XlaIrText bytes = {0};
  XlaImportResult result =
      xlaVhloWrite(mlirModuleGetOperation(module), xlaIrTextAppend, &bytes);
  require((result == XlaImportResultOk) == !input->errors &&
              (bytes.size != 0) == !input->errors,
          "writing fails without an error, or with one succeeds");
  input->errors = 0;
  if (bytes.size) {
    MlirModule again =
        readBytes(input, context, mlirStringRefCreate(bytes.data, bytes.size));
    require(!mlirModuleIsNull(again), "what was written is not read");
    XlaIrText first = print(module), second = print(again);
    bool isSame = first.size == second.size &&
                  !memcmp(first.data, second.data, first.size);
    input->outcome =
        isSame ? XlaArtifactOutcomeSame : XlaArtifactOutcomeWritten;
    free(first.data);
    free(second.data);
    mlirModuleDestroy(again);
  }
  free(bytes.data);
}

static void readAndImport(void *data) {
  Input *input = data;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextAttachDiagnosticHandler(context, count, input, NULL);
  MlirModule module = readBytes(input, context, input->bytes);
  if (!mlirModuleIsNull(module)) {
    input->outcome = XlaArtifactOutcomeRead;
    writeAgain(input, context, module);
    XlaImportResult result = xlaImportStableHlo(mlirModuleGetOperation(module));
    require((result == XlaImportResultOk) == !input->errors,
            "the import fails without an error, or with one succeeds");
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
}

XlaArtifactOutcome xlaArtifactFuzz(const uint8_t *data, size_t size) {
  Input input = {.bytes = mlirStringRefCreate((const char *)data, size)};
  XlaModuleFormat format = xlaModuleDetectFormat(input.bytes);
  if (format == XlaModuleFormatArtifact || format == XlaModuleFormatExported)
    require(mlirExtRunOnStack(XLA_STACK_BYTES, readAndImport, &input),
            "no stack to read with");
  return input.outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  xlaArtifactFuzz(data, size);
  return 0;
}

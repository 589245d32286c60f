//===- artifact_fuzz.c - Any bytes as an artifact -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "artifact_fuzz.h"
#include "fuzz.h"

#include "xlac/dialect/ir.h"
#include "xlac/formats/module.h"
#include "xlac/formats/vhlo/vhlo.h"
#include "xlac/passes/import/stablehlo.h"

#include <stdlib.h>
#include <string.h>

enum { inputsAContext = 200 };

typedef struct Input {
  MlirStringRef bytes;
  XlaFuzz *fuzz;
  XlaArtifactOutcome outcome;
} Input;

static MlirModule readBytes(Input *input, MlirStringRef bytes) {
  MlirModule module;
  XlaImportResult result = xlaModuleRead(
      input->fuzz->context, bytes, mlirStringRefCreateFromCString("input"),
      xlaModuleDetectFormat(bytes), &module);
  bool isRead = result == XlaImportResultOk;
  xlaFuzzRequire(mlirModuleIsNull(module) == !isRead &&
                     isRead == !input->fuzz->errors,
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
static void writeAgain(Input *input, MlirModule module) {
  XlaIrText bytes = {0};
  XlaImportResult result =
      xlaVhloWrite(mlirModuleGetOperation(module), xlaIrTextAppend, &bytes);
  xlaFuzzRequire((result == XlaImportResultOk) == !input->fuzz->errors &&
                     (bytes.size != 0) == !input->fuzz->errors,
                 "writing fails without an error, or with one succeeds");
  input->fuzz->errors = 0;
  if (bytes.size) {
    MlirModule again =
        readBytes(input, mlirStringRefCreate(bytes.data, bytes.size));
    xlaFuzzRequire(!mlirModuleIsNull(again), "what was written is not read");
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

/// An imported program comes back as the same one from an artifact, and is
/// written as HLO, or not, with an error.
static void writeImported(Input *input, MlirModule module) {
  XlaIrText bytes = {0}, hlo = {0};
  XlaImportResult result = xlaModuleWrite(module, XlaModuleWriteFormatArtifact,
                                          xlaIrTextAppend, &bytes);
  xlaFuzzRequire((result == XlaImportResultOk) == !input->fuzz->errors,
                 "writing fails without an error, or with one succeeds");
  input->fuzz->errors = 0;
  MlirModule again = {NULL};
  if (result == XlaImportResultOk)
    again = readBytes(input, mlirStringRefCreate(bytes.data, bytes.size));
  if (!mlirModuleIsNull(again)) {
    result = xlaImportStableHlo(mlirModuleGetOperation(again));
    XlaIrText first = print(module), second = print(again);
    xlaFuzzRequire(result == XlaImportResultOk && first.size == second.size &&
                       !memcmp(first.data, second.data, first.size),
                   "an artifact is another program than what was written");
    free(first.data);
    free(second.data);
    mlirModuleDestroy(again);
  }
  free(bytes.data);
  input->fuzz->errors = 0;
  result =
      xlaModuleWrite(module, XlaModuleWriteFormatHlo, xlaIrTextAppend, &hlo);
  xlaFuzzRequire((result == XlaImportResultOk) == !input->fuzz->errors,
                 "HLO is not written without an error, or with one is");
  free(hlo.data);
}

static void readAndImport(void *data) {
  Input *input = data;
  input->fuzz = xlaFuzzBegin(inputsAContext);
  MlirModule module = readBytes(input, input->bytes);
  if (!mlirModuleIsNull(module)) {
    input->outcome = XlaArtifactOutcomeRead;
    writeAgain(input, module);
    XlaImportResult result = xlaImportStableHlo(mlirModuleGetOperation(module));
    xlaFuzzRequire((result == XlaImportResultOk) == !input->fuzz->errors,
                   "the import fails without an error, or with one succeeds");
    if (result == XlaImportResultOk &&
        mlirOperationVerify(mlirModuleGetOperation(module)))
      writeImported(input, module);
    mlirModuleDestroy(module);
  }
}

XlaArtifactOutcome xlaArtifactFuzz(const uint8_t *data, size_t size) {
  Input input = {.bytes = mlirStringRefCreate((const char *)data, size)};
  XlaModuleFormat format = xlaModuleDetectFormat(input.bytes);
  if (format == XlaModuleFormatArtifact || format == XlaModuleFormatExported)
    xlaFuzzRun(readAndImport, &input);
  return input.outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  xlaArtifactFuzz(data, size);
  return 0;
}

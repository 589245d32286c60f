//===- hlo_fuzz.c - Any bytes as a program in HLO -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hlo_fuzz.h"

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/hlo/hlo.h"
#include "xlac/formats/module.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Contexts keep the types and names of all programs: a new one now and then.
enum { programsAContext = 200 };

typedef struct Input {
  MlirStringRef bytes;
  bool isProgram;
} Input;

static struct {
  MlirContext context;
  int programs;
  int64_t errors;
} shared;

static void require(bool condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "%s\n", what);
  __builtin_trap();
}

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *userData) {
  (void)userData;
  shared.errors += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

static void prepareContext(void) {
  if (shared.programs++ % programsAContext)
    return;
  if (shared.context.ptr)
    mlirContextDestroy(shared.context);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  shared.context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(shared.context, count, NULL, NULL);
}

static void readProgram(void *data) {
  Input *input = data;
  MlirStringRef name = mlirStringRefCreateFromCString("fuzz");
  for (int i = 0; i < 2; ++i) {
    MlirModule module;
    if (i && !xlaHloIsProto(input->bytes))
      continue;
    prepareContext();
    shared.errors = 0;
    XlaImportResult result = (i ? xlaHloProtoRead : xlaHloTextRead)(
        shared.context, input->bytes, name, &module);
    bool isOk = result == XlaImportResultOk;
    require(isOk == (shared.errors == 0),
            "reading fails without an error, or with one succeeds");
    require(isOk != mlirModuleIsNull(module),
            "there is a module after an error, or none without one");
    if (isOk)
      mlirModuleDestroy(module);
    input->isProgram |= isOk;
  }
}

bool hloFuzz(const uint8_t *data, size_t size) {
  Input input = {mlirStringRefCreate((const char *)data, size), false};
  require(mlirExtRunOnStack(XLA_STACK_BYTES, readProgram, &input),
          "no stack for the program");
  return input.isProgram;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hloFuzz(data, size);
  return 0;
}

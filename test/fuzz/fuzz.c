//===- fuzz.c - What the targets share ------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fuzz.h"

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/module.h"

#include <sys/resource.h>

const char *__asan_default_options(void);

/// Sizes that no machine has must give an error, not an abort.
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *userData) {
  XlaFuzz *fuzz = userData;
  fuzz->errors += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

XlaFuzz *xlaFuzzBegin(int inputsAContext) {
  static XlaFuzz fuzz;
  static int inputs;
  fuzz.errors = 0;
  if (fuzz.context.ptr && ++inputs < inputsAContext)
    return &fuzz;
  if (fuzz.context.ptr)
    mlirContextDestroy(fuzz.context);
  inputs = 0;
  // No others: the parsers of other dialects do not survive any text.
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  fuzz.context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(fuzz.context, true);
  mlirContextAttachDiagnosticHandler(fuzz.context, count, &fuzz, NULL);
  return &fuzz;
}

void xlaFuzzRun(void (*run)(void *), void *data) {
  struct rlimit limit;
  if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur >= XLA_STACK_BYTES)
    run(data);
  else
    xlaFuzzRequire(mlirExtRunOnStack(XLA_STACK_BYTES, run, data),
                   "no stack for the program");
}

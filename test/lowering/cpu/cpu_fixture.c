//===- cpu_fixture.c - Compiling MLIR text in tests -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/cpu/cpu_fixture.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *user) {
  CpuFixture *fixture = user;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError &&
      !*fixture->error)
    xlaDiagnosticGetText(diagnostic, fixture->error, sizeof fixture->error);
  return mlirLogicalResultSuccess();
}

void cpuFixtureInit(CpuFixture *fixture, const XlaCpuTargetOptions *options) {
  memset(fixture, 0, sizeof *fixture);
  XlaStatus status = xlaCpuTargetCreate(options, &fixture->target);
  if (status) {
    fprintf(stderr, "no target: %s\n", xlaStatusMessage(status));
    abort();
  }
  fixture->registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(fixture->registry);
  fixture->context = mlirContextCreateWithRegistry(fixture->registry, false);
  mlirContextLoadAllAvailableDialects(fixture->context);
  mlirContextAttachDiagnosticHandler(fixture->context, onDiagnostic, fixture,
                                     NULL);
}

void cpuFixtureDestroy(CpuFixture *fixture) {
  mlirContextDestroy(fixture->context);
  mlirDialectRegistryDestroy(fixture->registry);
  xlaCpuTargetDestroy(fixture->target);
}

int cpuFixtureSetUp(void **state) {
  CpuFixture *fixture = malloc(sizeof *fixture);
  if (!fixture)
    return -1;
  cpuFixtureInit(fixture, NULL);
  *state = fixture;
  return 0;
}

int cpuFixtureTearDown(void **state) {
  cpuFixtureDestroy(*state);
  free(*state);
  return 0;
}

XlaCpuCode *cpuFixtureCompile(CpuFixture *fixture, const char *text,
                              const XlaCpuCodegenOptions *options) {
  *fixture->error = 0;
  MlirModule module = mlirModuleCreateParse(
      fixture->context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    return NULL;
  XlaCpuCode *code = NULL;
  if (mlirLogicalResultIsFailure(
          xlaCpuCompileModule(module, fixture->target, options, NULL, &code)))
    code = NULL;
  mlirModuleDestroy(module);
  return code;
}

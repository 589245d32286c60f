//===- analysis.c - What a program is after fusion ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few callers ask for it, and it takes about as long as the first part of a
// compilation: so the program is read again when somebody does.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/ir.h"
#include "xlac/formats/module.h"
#include "xlac/passes/import/specialize.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/legalize.h"
#include "xlac/passes/prepare.h"

#include <stdlib.h>
#include <string.h>

typedef struct Job {
  const PJRT_Executable *executable;
  XlaPjrtAnalysis *analysis;
  char message[1000];
  bool done;
} Job;

static MlirLogicalResult hear(MlirDiagnostic diagnostic, void *data) {
  Job *job = data;
  XlaIrLine line = {job->message, sizeof job->message, 0};
  if (!job->message[0] &&
      mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError)
    mlirDiagnosticPrint(diagnostic, xlaIrLineAppend, &line);
  return mlirLogicalResultSuccess();
}

static bool write(MlirModule module, XlaPjrtAnalysis *analysis) {
  XlaIrText text = {0};
  if (xlaModuleWrite(module, XlaModuleWriteFormatStablehloGeneric,
                     xlaIrTextAppend, &text) != XlaImportResultOk ||
      text.isCut) {
    free(text.data);
    return false;
  }
  analysis->optimized = text.data;
  analysis->optimizedSize = text.size;
  return true;
}

static bool analyse(MlirModule module, Job *job) {
  MlirOperation op = mlirModuleGetOperation(module);
  XlaPjrtAnalysis *analysis = job->analysis;
  MlirStringRef none = mlirStringRefCreate("", 0);
  MlirOperation function = xlaFindEntry(op, none);
  if (mlirOperationIsNull(function) || xlaFunctionIsUnbounded(function))
    return false;
  if (xlaImportStableHlo(op) != XlaImportResultOk || !mlirOperationVerify(op))
    return false;
  MlirOperation plain = mlirOperationClone(op);
  bool isVulkan = job->executable->platform == XlaPjrtPlatformVulkan;
  MlirStringRef entry =
      mlirStringAttrGetValue(xlaOpGetAttr(xlaFindEntry(op, none), "sym_name"));
  if (mlirLogicalResultIsFailure(xlaPrepareForLowering(
          module, entry, xlaFusionDeviceGet(isVulkan ? "gpu" : "cpu"),
          XlaFusionReportNone))) {
    mlirOperationDestroy(plain);
    return false;
  }
  xlaPjrtCount(xlaFindEntry(op, none), analysis);
  bool isShown = xlaPjrtOutlineFusions(op) && write(module, analysis);
  // What stands in a fusion may be no operation of StableHLO.
  isShown = isShown || write(mlirModuleFromOperation(plain), analysis);
  mlirOperationDestroy(plain);
  return isShown;
}

static void run(void *data) {
  Job *job = data;
  const PJRT_Executable *executable = job->executable;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaModuleDialectsRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirContextAttachDiagnosticHandler(context, hear, job, NULL);
  MlirStringRef bytes =
      mlirStringRefCreate(executable->program, executable->programSize);
  MlirModule module;
  if (xlaModuleRead(context, bytes, mlirStringRefCreateFromCString("program"),
                    xlaModuleDetectFormat(bytes),
                    &module) == XlaImportResultOk) {
    job->done = analyse(module, job);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
}

static void setCost(PJRT_NamedValue *cost, const char *name, double value) {
  *cost = (PJRT_NamedValue){.struct_size =
                                PJRT_SIZE_UP_TO(PJRT_NamedValue, value_size),
                            .name = name,
                            .name_size = strlen(name),
                            .type = PJRT_NamedValue_kFloat,
                            .float_value = (float)value,
                            .value_size = 1};
}

PJRT_Error *xlaPjrtAnalyse(PJRT_Executable *executable) {
  pthread_mutex_lock(&executable->lock);
  PJRT_Error *error = NULL;
  if (!executable->isAnalysed) {
    XlaPjrtAnalysis analysis = {0};
    Job job = {.executable = executable, .analysis = &analysis};
    if (mlirExtRunOnStack(XLA_STACK_BYTES, run, &job) && job.done) {
      setCost(&executable->costs[0], "flops", analysis.flops);
      setCost(&executable->costs[1], "transcendentals",
              analysis.transcendentals);
      setCost(&executable->costs[2], "bytes accessed", analysis.bytesAccessed);
      executable->analysis = analysis;
      executable->isAnalysed = true;
    } else {
      free(analysis.optimized);
      error = xlaPjrtUnimplemented("the program cannot be shown: %s",
                                   job.message[0] ? job.message
                                                  : "its sizes are not known");
    }
  }
  pthread_mutex_unlock(&executable->lock);
  return error;
}

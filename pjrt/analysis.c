//===- analysis.c - What a program is after fusion ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compilation shows it on its way, before it becomes kernels. Where fusions
// have what is no operation of StableHLO, the program before fusion is shown,
// which is read again when somebody asks.
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

static bool writeModule(MlirModule module, XlaPjrtAnalysis *analysis) {
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

static void setCost(PJRT_NamedValue *cost, const char *name, double value) {
  *cost = (PJRT_NamedValue){.struct_size =
                                PJRT_SIZE_UP_TO(PJRT_NamedValue, value_size),
                            .name = name,
                            .name_size = strlen(name),
                            .type = PJRT_NamedValue_kFloat,
                            .float_value = (float)value,
                            .value_size = 1};
}

static void keep(PJRT_Executable *executable, const XlaPjrtAnalysis *analysis) {
  setCost(&executable->costs[0], "flops", analysis->flops);
  setCost(&executable->costs[1], "transcendentals", analysis->transcendentals);
  setCost(&executable->costs[2], "bytes accessed", analysis->bytesAccessed);
  executable->analysis = *analysis;
  executable->isAnalysed = true;
}

void xlaPjrtAnalysePrepared(MlirModule module, MlirOperation entry,
                            PJRT_Executable *executable) {
  XlaPjrtAnalysis analysis = {0};
  xlaPjrtCount(entry, &analysis);
  MlirOperation shown = mlirOperationClone(mlirModuleGetOperation(module));
  bool isShown = xlaPjrtOutlineFusions(shown) &&
                 writeModule(mlirModuleFromOperation(shown), &analysis);
  mlirOperationDestroy(shown);
  executable->analysis = analysis;
  if (isShown)
    keep(executable, &analysis);
}

/// The program before fusion.
static bool analyse(MlirModule module, Job *job) {
  MlirOperation op = mlirModuleGetOperation(module);
  MlirOperation function = xlaFindEntry(op, mlirStringRefCreate("", 0));
  if (mlirOperationIsNull(function) || xlaFunctionIsUnbounded(function))
    return false;
  return xlaImportStableHlo(op) == XlaImportResultOk &&
         mlirOperationVerify(op) && writeModule(module, job->analysis);
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

PJRT_Error *xlaPjrtAnalyse(PJRT_Executable *executable) {
  pthread_mutex_lock(&executable->lock);
  PJRT_Error *error = NULL;
  if (!executable->isAnalysed) {
    XlaPjrtAnalysis analysis = executable->analysis; // with its counts
    Job job = {.executable = executable, .analysis = &analysis};
    if (mlirExtRunOnStack(XLA_STACK_BYTES, run, &job) && job.done) {
      keep(executable, &analysis);
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

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

#include "xlac/passes/export/stablehlo.h"
#include "xlac/pjrt/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/ir.h"
#include "xlac/formats/module.h"
#include "xlac/passes/import/specialize.h"
#include "xlac/passes/import/stablehlo.h"
#include "xlac/passes/import/tokens.h"
#include "xlac/passes/legalize.h"
#include "xlac/passes/partition/partition.h"
#include "xlac/passes/prepare.h"

#include <stdlib.h>
#include <string.h>

typedef struct Job {
  const PJRT_Executable *executable;
  XlaPjrtAnalysis *analysis;
  /// How results and arguments of a program of several devices lie; null for
  /// one device.
  MlirAttribute outputShardings, inputShardings;
  XlaPartition *partition; ///< NULL for one device
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

/// Keeps what the partition says as XLA's partitioner writes it. False without
/// memory.
static bool setShardings(MlirOperation module, const XlaPartition *partition,
                         Job *job) {
  MlirContext context = mlirOperationGetContext(module);
  XlaIrText text = {0};
  // That of a tuple, but of a single result without.
  bool isTuple = partition->nOutputs != 1;
  for (intptr_t i = 0; i < partition->nOutputs; ++i) {
    const char *before = !isTuple ? "" : i ? ", " : "{";
    xlaIrTextAppend(mlirStringRefCreateFromCString(before), &text);
    xlaIrTextAppend(
        mlirStringRefCreateFromCString(partition->outputShardings[i]), &text);
  }
  xlaIrTextAppend(mlirStringRefCreateFromCString(!partition->nOutputs
                                                     ? "{replicated}"
                                                 : isTuple ? "}"
                                                           : ""),
                  &text);
  intptr_t n = partition->nInputs;
  MlirAttribute *inputs = malloc(((size_t)n + 1) * sizeof *inputs);
  for (intptr_t i = 0; inputs && i < n; ++i)
    inputs[i] = xlaIrStringAttr(context, partition->inputShardings[i]);
  bool isWhole = inputs && !text.isCut;
  if (isWhole) {
    job->inputShardings = mlirArrayAttrGet(context, n, inputs);
    job->outputShardings =
        mlirStringAttrGet(context, mlirStringRefCreate(text.data, text.size));
  }
  free(inputs);
  free(text.data);
  return isWhole;
}

/// Callers look at the arguments of @main, which are those of a device: what
/// all devices do together becomes a function that a custom call of it names.
static bool addDevice(MlirOperation module, const XlaPartition *p) {
  MlirContext context = mlirOperationGetContext(module);
  MlirStringRef none = mlirStringRefCreate("", 0);
  MlirOperation all = xlaFindEntry(module, none);
  intptr_t nIn = p->nInputs, nOut = p->nOutputs;
  size_t room = (size_t)(nIn > nOut ? nIn : nOut) + 1;
  MlirType *in = malloc(room * sizeof *in), *out = malloc(room * sizeof *out);
  MlirValue *values = malloc(room * sizeof *values);
  bool isWhole = !mlirOperationIsNull(all) && in && out && values;
  if (isWhole) {
    MlirStringRef nameKey = mlirStringRefCreateFromCString("sym_name");
    MlirAttribute name = mlirOperationGetAttributeByName(all, nameKey);
    MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(all, "function_type"));
    for (intptr_t i = 0; i < nIn; ++i)
      in[i] = mlirFunctionTypeGetInput(type, i);
    for (intptr_t i = 0; i < nOut; ++i)
      out[i] = mlirFunctionTypeGetResult(type, p->outputs[i]);
    mlirOperationSetAttributeByName(all, nameKey,
                                    xlaIrStringAttr(context, "all_devices"));
    mlirOperationSetAttributeByName(
        all, mlirStringRefCreateFromCString("sym_visibility"),
        xlaIrStringAttr(context, "private"));
    MlirLocation location = mlirOperationGetLocation(all);
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    MlirRegion body = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(body, block);
    for (intptr_t i = 0; i < nIn; ++i)
      values[i] = mlirBlockAddArgument(block, in[i], location);
    MlirAttribute callee = mlirFlatSymbolRefAttrGet(
        context, mlirStringRefCreateFromCString("all_devices"));
    XlaIrAttr call[] = {
        {"call_target_name", xlaIrStringAttr(context, "xlac.all_devices")},
        {"called_computations", mlirArrayAttrGet(context, 1, &callee)}};
    XlaIr ir = xlaIrAtEnd(context, location, block);
    MlirOperation made = xlaIrCreate(&ir, "xla.custom_call", nIn, values, nOut,
                                     out, 2, call, 0, NULL);
    for (intptr_t i = 0; i < nOut; ++i)
      values[i] = mlirOperationGetResult(made, i);
    xlaIrCreate(&ir, "func.return", nOut, values, 0, NULL, 0, NULL, 0, NULL);
    XlaIrAttr attributes[] = {
        {"sym_name", name},
        {"function_type",
         mlirTypeAttrGet(mlirFunctionTypeGet(context, nIn, in, nOut, out))},
        {"sym_visibility", xlaIrStringAttr(context, "public")}};
    XlaIr top = xlaIrAtEnd(context, location,
                           mlirModuleGetBody(mlirModuleFromOperation(module)));
    xlaIrCreate(&top, "func.func", 0, NULL, 0, NULL, 3, attributes, 1, &body);
  }
  free(in);
  free(out);
  free(values);
  return isWhole;
}

static bool writeModule(MlirModule module, XlaPjrtAnalysis *analysis) {
  XlaIrText text = {0};
  // XLA has no operations of CHLO.
  if (mlirLogicalResultIsFailure(
          xlaExportExpandChlo(mlirModuleGetOperation(module))))
    return false;
  // XLA's text has names of operations and files by locations.
  if (xlaModuleWrite(module, XlaModuleWriteFormatStablehloLocated,
                     xlaIrTextAppend, &text) != XlaImportResultOk ||
      text.isCut) {
    free(text.data);
    return false;
  }
  analysis->optimized = text.data;
  analysis->optimizedSize = text.size;
  return true;
}

static bool write(MlirModule module, const Job *job) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (!mlirAttributeIsNull(job->outputShardings)) {
    if (!job->partition->isLocal && !addDevice(op, job->partition))
      return false;
    mlirOperationSetAttributeByName(
        op, mlirStringRefCreateFromCString("mhlo.spmd_parameters_shardings"),
        job->inputShardings);
    mlirOperationSetAttributeByName(
        op, mlirStringRefCreateFromCString("mhlo.spmd_output_sharding"),
        job->outputShardings);
  }
  return writeModule(module, job->analysis);
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

static bool isComplex(MlirType type) {
  return mlirTypeIsARankedTensor(type) &&
         mlirTypeIsAComplex(mlirShapedTypeGetElementType(type));
}

/// Or gives.
static bool takesComplex(MlirOperation function) {
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (isComplex(mlirFunctionTypeGetInput(type, i)))
      return true;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    if (isComplex(mlirFunctionTypeGetResult(type, i)))
      return true;
  return false;
}

/// Of a program of so many bytes no text is kept.
enum { largeProgram = 16 << 20 };

void xlaPjrtAnalysePrepared(MlirModule module, MlirOperation entry,
                            PJRT_Executable *executable) {
  XlaPjrtAnalysis analysis = {0};
  xlaPjrtCount(entry, &analysis);
  executable->analysis = analysis;
  if (executable->nReplicas * executable->nPartitions > 1)
    return; // it is that of all devices
  // Constants take more than twice their memory as text: it is made, of the
  // program before fusion, when somebody asks for it.
  // Complex arrays are pairs of numbers there, which XLA's text cannot say.
  if (executable->programSize >= largeProgram || takesComplex(entry))
    return;
  MlirOperation shown = mlirOperationClone(mlirModuleGetOperation(module));
  bool isShown = xlaPjrtOutlineFusions(shown) &&
                 writeModule(mlirModuleFromOperation(shown), &analysis);
  mlirOperationDestroy(shown);
  executable->analysis = analysis;
  if (isShown)
    keep(executable, &analysis);
}

/// The program before fusion. Callers that do not know the extension for
/// shardings read in that of several devices where results lie.
static bool analyse(MlirModule module, Job *job) {
  MlirOperation op = mlirModuleGetOperation(module);
  MlirOperation function = xlaFindEntry(op, mlirStringRefCreate("", 0));
  if (mlirOperationIsNull(function) || xlaFunctionIsUnbounded(function) ||
      !xlaTokensToArrays(function))
    return false;
  const PJRT_Executable *e = job->executable;
  if (e->nReplicas * e->nPartitions > 1 || xlaPartitionIsNeeded(op)) {
    XlaPartition *partition = NULL;
    if (xlaPartitionShown(op, function, (int)e->nReplicas, (int)e->nPartitions,
                          &partition) != XlaImportResultOk)
      return false;
    job->partition = partition;
    if (!setShardings(op, partition, job))
      return false;
  }
  return xlaImportStableHlo(op) == XlaImportResultOk &&
         mlirOperationVerify(op) && write(module, job);
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
  xlaPartitionDestroy(job->partition);
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

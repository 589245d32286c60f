//===- executable.c - From a program to something that runs ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/device.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/prepare.h"
#include "xlac/runtime/clock.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void xlaCompilationObserve(const XlaCompilation *c, const char *stage,
                           MlirModule module) {
  if (!c->options->observe)
    return;
  size_t length;
  char *text = xlaIrPrint(mlirModuleGetOperation(module), &length);
  c->options->observe(stage, ".mlir", text ? text : "", length,
                      c->options->user);
  free(text);
}

static MlirLogicalResult markDonated(XlaCompilation *c) {
  MlirContext context = mlirOperationGetContext(c->function);
  intptr_t n = mlirBlockGetNumArguments(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(c->function, 0)));
  for (intptr_t i = 0; i < c->options->nDonated; ++i) {
    intptr_t input = c->options->donated[i];
    if (input < 0 || input >= n)
      return xlaOpInvalid(c->function, NULL,
                          "has no input %lld that could be donated, only %lld",
                          (long long)input, (long long)n);
    mlirFuncSetArgAttr(c->function, input,
                       mlirStringRefCreateFromCString(XLA_DONATED),
                       mlirUnitAttrGet(context));
  }
  return success();
}

static MlirLogicalResult prepare(XlaCompilation *c, MlirStringRef entry) {
  XlaFusionDevice device = c->device->describe(c);
  if (failed(c->options->unfused
                 ? xlaPrepareUnfused(c->module, entry, &device)
                 : xlaPrepareForLowering(c->module, entry, &device,
                                         c->options->report)))
    return failure();
  c->function = xlaModuleFindFunction(mlirModuleGetOperation(c->module), entry);
  if (failed(markDonated(c)))
    return failure();
  xlaCompilationObserve(c, "prepared", c->module);
  if (c->options->prepared)
    c->options->prepared(c->module, c->function, c->options->preparedUser);
  return success();
}

static MlirLogicalResult lower(XlaCompilation *c) {
  XlaHostDevice device = {c->device->emitKernel, c->device->kernelUser(c),
                          c->device->isRemote};
  if ((c->device->isRemote && failed(xlaHostScalarsHoist(c->function))) ||
      failed(xlaBufferAssignmentCreate(c->function, c->device->pieceBytes(c),
                                       &c->assignment)) ||
      failed(xlaHostProgramCreate(c->function, &c->assignment, &device,
                                  "xlacEntry", &c->host)))
    return failure();
  if (c->device->isRemote)
    xlaCompilationObserve(c, "host", c->host.module);
  xlaCompilationObserve(c, "linalg",
                        c->device->isRemote ? c->host.kernels : c->host.module);
  return success();
}

//===----------------------------------------------------------------------===//
// The executable
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaCompilationFillConstants(const XlaCompilation *c,
                                              char *memory) {
  for (intptr_t i = 0; i < c->assignment.nBuffers; ++i) {
    const XlaBuffer *buffer = &c->assignment.buffers[i];
    if (buffer->kind != XlaBufferKindConstant)
      continue;
    MlirOperation op = c->assignment.constants[buffer->index];
    if (!xlaLiteralCopyAttribute(xlaOpGetAttr(op, "value"),
                                 memory + buffer->offset))
      return xlaOpError(op, NULL, "has a value whose data cannot be read");
  }
  return success();
}

static MlirLogicalResult copyShapes(XlaCompilation *c) {
  XlaExecutable *e = c->executable;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(c->function, 0));
  MlirOperation terminator = mlirBlockGetTerminator(block);
  e->nInputs = c->host.nInputs;
  e->nOutputs = c->host.nOutputs;
  e->inputs = malloc(((size_t)e->nInputs + 1) * sizeof *e->inputs);
  e->outputs = malloc(((size_t)e->nOutputs + 1) * sizeof *e->outputs);
  e->aliases = malloc(((size_t)e->nOutputs + 1) * sizeof *e->aliases);
  if (!e->inputs || !e->outputs || !e->aliases)
    return xlaOpNoMemory(c->function);
  for (intptr_t i = 0; i < e->nInputs; ++i)
    xlaShapeFromMlir(mlirValueGetType(mlirBlockGetArgument(block, i)),
                     &e->inputs[i], NULL);
  for (intptr_t i = 0; i < e->nOutputs; ++i)
    xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(terminator, i)),
                     &e->outputs[i], NULL);
  for (intptr_t i = 0; i < e->nOutputs; ++i)
    e->aliases[i] = -1;
  for (intptr_t i = 0; i < e->nInputs; ++i) {
    const XlaBuffer *buffer =
        xlaBufferAssignmentGet(&c->assignment, mlirBlockGetArgument(block, i));
    if (buffer->kind == XlaBufferKindOutput)
      e->aliases[buffer->index] = i;
  }
  return success();
}

/// The pool keeps what two runs return: a caller may hold on to one's results
/// until it has the next.
static MlirLogicalResult createPool(XlaCompilation *c) {
  XlaExecutable *e = c->executable;
  size_t bytes = 0;
  for (intptr_t i = 0; i < e->nOutputs; ++i)
    bytes += xlaExecutableByteCount(&e->outputs[i]) + XLA_POOL_ALIGNMENT;
  // Blocks are up to a quarter larger than what they hold.
  XlaPoolOptions options = {.idleLimit =
                                bytes > SIZE_MAX / 3 ? SIZE_MAX : 3 * bytes};
  XlaStatus status = xlaPoolCreate(options, &e->pool);
  if (status)
    xlaErrorEmitStatus(mlirOperationGetLocation(c->function),
                       "the program cannot run here", status);
  return e->pool ? success() : failure();
}

static MlirLogicalResult finish(XlaCompilation *c) {
  XlaExecutable *e = c->executable;
  XlaCompileStats *stats = &e->stats;
  stats->nKernels = c->host.nKernels;
  stats->arenaBytes = c->assignment.arenaBytes;
  stats->constantBytes = c->assignment.constantBytes;
  stats->scratchBytes = c->host.scratchBytes;
  XlaHostHooks hooks = {c->options->customCall,      c->options->customCallUser,
                        c->options->infeed,          c->options->outfeed,
                        c->options->feedUser,        {.rendezvous = NULL},
                        c->options->customCallTarget};
  if (failed(xlaCustomCallsInit(&e->calls, &c->host, &hooks)) ||
      failed(copyShapes(c)))
    return failure();
  return createPool(c);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The types of the source function, before tuples were flattened.
static MlirLogicalResult copySignature(XlaExecutable *e,
                                       MlirOperation function) {
  MlirType type = mlirTypeAttrGetValue(xlaOpGetAttr(function, "function_type"));
  e->context = mlirOperationGetContext(function);
  e->nArguments = mlirFunctionTypeGetNumInputs(type);
  e->nResults = mlirFunctionTypeGetNumResults(type);
  e->arguments = malloc(((size_t)e->nArguments + 1) * sizeof *e->arguments);
  e->results = malloc(((size_t)e->nResults + 1) * sizeof *e->results);
  if (!e->arguments || !e->results)
    return xlaOpNoMemory(function);
  for (intptr_t i = 0; i < e->nArguments; ++i)
    e->arguments[i] = mlirFunctionTypeGetInput(type, i);
  for (intptr_t i = 0; i < e->nResults; ++i)
    e->results[i] = mlirFunctionTypeGetResult(type, i);
  return success();
}

/// Operations are created in these dialects. False if the context does not know
/// one.
static bool loadDialects(MlirContext context) {
  static const char *const names[] = {
      "affine", "arith",  "cf",  "func", "gpu",   "linalg", "llvm",
      "math",   "memref", "omp", "scf",  "spirv", "ub",     "vector"};
  bool all = true;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    all &= !mlirDialectIsNull(mlirContextGetOrLoadDialect(
        context, mlirStringRefCreateFromCString(names[i])));
  return all;
}

/// Loads them, also in a context that has only parsed a program so far.
static void prepareContext(MlirContext context) {
  if (loadDialects(context))
    return;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  loadDialects(context);
}

static MlirLogicalResult compile(XlaCompilation *c, MlirStringRef entry) {
  XlaCompileStats *stats = &c->executable->stats;
  double begin = xlaClockMilliseconds();
  prepareContext(mlirModuleGetContext(c->module));
  if (c->options->isParallel)
    mlirOperationSetDiscardableAttributeByName(
        mlirModuleGetOperation(c->module),
        mlirStringRefCreateFromCString(XLA_PARALLEL),
        mlirUnitAttrGet(mlirModuleGetContext(c->module)));
  if (failed(prepare(c, entry)))
    return failure();
  double prepared = xlaClockMilliseconds();
  if (failed(lower(c)))
    return failure();
  stats->prepareMs = prepared - begin;
  stats->lowerMs = xlaClockMilliseconds() - prepared;
  if (failed(finish(c)) || failed(c->device->generate(c)))
    return failure();
  stats->totalMs = xlaClockMilliseconds() - begin;
  return success();
}

/// What is compiled when it runs.
static MlirLogicalResult createUnbounded(XlaCompilation *c,
                                         MlirOperation module,
                                         MlirOperation function,
                                         XlaExecutable **out) {
  XlaExecutable *e = c->executable;
  MlirLogicalResult result = copySignature(e, function);
  if (!failed(result))
    e->specializer = xlaSpecializerCreate(mlirModuleFromOperation(module),
                                          function, true, c->options);
  if (!failed(result) && !e->specializer)
    result = xlaOpNoMemory(function);
  if (failed(result))
    xlaExecutableDestroy(e);
  else
    *out = e;
  return result;
}

MlirLogicalResult xlaExecutableCompile(MlirModule module, MlirStringRef entry,
                                       const XlaCompileOptions *options,
                                       XlaExecutable **out) {
  static const XlaCompileOptions defaults = {0};
  MlirOperation source = mlirModuleGetOperation(module);
  MlirOperation function = xlaModuleFindFunction(source, entry);
  *out = NULL;
  if (mlirOperationIsNull(function))
    return xlaOpInvalid(source, NULL, "has no function @%.*s",
                        (int)entry.length, entry.data);
  XlaCompilation c = {.options = options ? options : &defaults,
                      .executable = calloc(1, sizeof(XlaExecutable))};
  if (!c.executable)
    return xlaOpNoMemory(source);
  xlaTurnInit(&c.executable->turn);
  if (xlaFunctionIsUnbounded(function))
    return createUnbounded(&c, source, function, out);
  c.device = c.options->vulkan ? &xlaDeviceVulkan : &xlaDeviceCpu;
  c.executable->device = c.device;
  XlaStatus status = NULL;
  XlaCpuTarget *created = NULL;
  c.target = c.options->target;
  if (!c.target)
    status = xlaCpuTargetCreate(NULL, &created);
  if (created)
    c.target = created;
  MlirLogicalResult result =
      status ? xlaErrorEmitStatus(mlirOperationGetLocation(source),
                                  "the program cannot be compiled", status)
             : copySignature(c.executable, function);
  if (!failed(result)) {
    c.module = mlirModuleFromOperation(mlirOperationClone(source));
    result = compile(&c, entry);
    xlaHostProgramDestroy(&c.host);
    xlaBufferAssignmentDestroy(&c.assignment);
    mlirModuleDestroy(c.module);
  }
  xlaCpuTargetDestroy(created);
  if (failed(result)) {
    xlaExecutableDestroy(c.executable);
    return result;
  }
  *out = c.executable;
  return result;
}

void xlaExecutableDestroy(XlaExecutable *executable) {
  if (!executable)
    return;
  if (executable->program)
    executable->device->destroy(executable->program);
  xlaSpecializerDestroy(executable->specializer);
  xlaPoolDestroy(executable->pool);
  xlaCustomCallsDestroy(&executable->calls);
  free(executable->inputs);
  free(executable->outputs);
  free(executable->aliases);
  free(executable->arguments);
  free(executable->results);
  xlaTurnDestroy(&executable->turn);
  free(executable);
}

const XlaCompileStats *xlaExecutableGetStats(const XlaExecutable *executable) {
  return &executable->stats;
}

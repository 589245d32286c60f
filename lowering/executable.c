//===- executable.c - From a program to something that runs ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/executable_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/cpu/kernels.h"
#include "xlac/lowering/cpu/schedule/kernels.h"
#include "xlac/lowering/host/host.h"
#include "xlac/passes/prepare.h"
#include "xlac/runtime/clock.h"

#include <stdlib.h>
#include <string.h>

/// What one compilation needs besides its result.
typedef struct Compilation {
  const XlaCompileOptions *options;
  const XlaCpuTarget *target;
  MlirModule module; // a copy of the source
  MlirOperation function;
  XlaBufferPlan plan;
  XlaHostProgram host;
  XlaExecutable *executable;
} Compilation;

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static void observe(const Compilation *c, const char *stage,
                    MlirModule module) {
  if (!c->options->observe)
    return;
  size_t length;
  char *text = xlaIrPrint(mlirModuleGetOperation(module), &length);
  c->options->observe(stage, ".mlir", text ? text : "", length,
                      c->options->user);
  free(text);
}

static void observeCodegen(XlaCpuStage stage, const char *data, size_t size,
                           void *user) {
  const XlaCompileOptions *options = user;
  options->observe(xlaCpuStageName((int)stage), xlaCpuStageSuffix(stage), data,
                   size, options->user);
}

static MlirLogicalResult markDonated(Compilation *c) {
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
  // The device has copies of inputs, to which donation means nothing.
  if (c->options->vulkan)
    mlirOperationRemoveAttributeByName(
        c->function, mlirStringRefCreateFromCString("arg_attrs"));
  return success();
}

static const XlaVulkanInfo *vulkanInfo(const Compilation *c) {
  return c->options->vulkanInfo ? c->options->vulkanInfo
                                : xlaVulkanDeviceGetInfo(c->options->vulkan);
}

/// What fusing weighs, with the limits of the device at hand.
static XlaFusionDevice fusionDevice(const Compilation *c) {
  if (!c->options->vulkan)
    return *xlaFusionDeviceGet("cpu");
  const XlaVulkanInfo *info = vulkanInfo(c);
  XlaFusionDevice device = *xlaFusionDeviceGet(
      info->kind == XlaVulkanKindSoftware ? "llvmpipe" : "gpu");
  int rest = (int)(info->maxBindings < 64 ? info->maxBindings : 64) - 4;
  device.maxBuffers = rest > 8 ? rest : 8; // scratch and constants take some
  return device;
}

static MlirLogicalResult prepare(Compilation *c, MlirStringRef entry) {
  XlaFusionDevice device = fusionDevice(c);
  if (failed(c->options->unfused
                 ? xlaPrepareUnfused(c->module, entry)
                 : xlaPrepareForLowering(c->module, entry, &device)))
    return failure();
  c->function = xlaModuleFindFunction(mlirModuleGetOperation(c->module), entry);
  if (failed(markDonated(c)))
    return failure();
  observe(c, "prepared", c->module);
  return success();
}

static MlirLogicalResult lower(Compilation *c) {
  XlaHostDevice device = {xlaCpuEmitKernel, (void *)c->target, false};
  if (c->options->vulkan)
    device = (XlaHostDevice){xlaVulkanEmitKernel, (void *)vulkanInfo(c), true};
  if (failed(xlaBufferPlanCreate(c->function, &c->plan)) ||
      failed(xlaHostProgramCreate(c->function, &c->plan, &device, "xlacEntry",
                                  &c->host)))
    return failure();
  if (c->options->vulkan)
    observe(c, "host", c->host.module);
  observe(c, "linalg", c->options->vulkan ? c->host.kernels : c->host.module);
  return success();
}

static MlirLogicalResult schedule(Compilation *c) {
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsForTarget(c->target);
  MlirOperation module = mlirModuleGetOperation(c->host.module);
  if (failed(xlaCpuScheduleKernels(module, &options)))
    return failure();
  if (c->options->verify && !mlirOperationVerify(module))
    return xlaOpError(module, NULL, "is invalid after scheduling");
  observe(c, "affine", c->host.module);
  return success();
}

/// Code for another kind of machine is for `observe` alone.
static MlirLogicalResult generateForeign(Compilation *c,
                                         const XlaCpuCodegenOptions *options) {
  XlaCpuObject object;
  MlirLogicalResult result =
      xlaCpuEmitObject(c->host.module, c->target, options,
                       &c->executable->stats.codegen, &object);
  xlaCpuObjectDestroy(&object);
  return result;
}

static MlirLogicalResult generateCode(Compilation *c) {
  XlaCpuSymbol symbol = {XLA_HOST_CUSTOM_CALL, (void *)xlaCustomCallsRun};
  XlaCpuCodegenOptions options = {
      .verify = c->options->verify, .nSymbols = 1, .symbols = &symbol};
  if (c->options->observe) {
    options.observed = ~(1u << XLA_CPU_STAGE_INPUT);
    options.observe = observeCodegen;
    options.user = (void *)c->options;
  }
  if (c->target->isForeign)
    return generateForeign(c, &options);
  return xlaCpuCompileModule(c->host.module, c->target, &options,
                             &c->executable->stats.codegen,
                             &c->executable->code);
}

//===----------------------------------------------------------------------===//
// The executable
//===----------------------------------------------------------------------===//

/// Writes the constants where the plan has them.
static MlirLogicalResult fillConstants(const Compilation *c, char *memory) {
  for (intptr_t i = 0; i < c->plan.nBuffers; ++i) {
    const XlaBuffer *buffer = &c->plan.buffers[i];
    if (buffer->kind != XlaBufferKindConstant)
      continue;
    MlirOperation op = c->plan.constants[buffer->index];
    XlaLiteral *literal = xlaLiteralFromAttribute(xlaOpGetAttr(op, "value"));
    if (!literal)
      return xlaOpError(op, NULL, "has a value whose data cannot be read");
    memcpy(memory + buffer->offset, xlaLiteralGetData(literal),
           xlaLiteralGetByteCount(literal));
    xlaLiteralRelease(literal);
  }
  return success();
}

static MlirLogicalResult copyShapes(Compilation *c) {
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
        xlaBufferPlanGet(&c->plan, mlirBlockGetArgument(block, i));
    if (buffer->kind == XlaBufferKindOutput)
      e->aliases[buffer->index] = i;
  }
  return success();
}

/// The pool keeps what two runs return: a caller may hold on to one's results
/// until it has the next.
static MlirLogicalResult createPool(Compilation *c) {
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

static MlirLogicalResult finish(Compilation *c) {
  XlaExecutable *e = c->executable;
  XlaCompileStats *stats = &e->stats;
  stats->nKernels = c->host.nKernels;
  stats->arenaBytes = c->plan.arenaBytes;
  stats->constantBytes = c->plan.constantBytes;
  stats->scratchBytes = c->host.scratchBytes;
  if (failed(xlaCustomCallsInit(&e->calls, &c->host, c->options->customCall,
                                c->options->customCallUser)) ||
      failed(copyShapes(c)))
    return failure();
  return createPool(c);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static MlirLogicalResult createCpuProgram(Compilation *c) {
  XlaExecutable *e = c->executable;
  XlaCpuProgramInfo info = {
      .entry = (void (*)(void **))xlaCpuCodeLookup(e->code, "xlacEntry"),
      .nInputs = c->host.nInputs,
      .nOutputs = c->host.nOutputs,
      .constantBytes = c->plan.constantBytes,
      .arenaBytes = c->plan.arenaBytes,
      .scratchBytes = c->host.scratchBytes};
  if (!info.entry)
    return xlaOpError(c->function, NULL, "was compiled without an entry");
  XlaStatus status = xlaCpuProgramCreate(&info, &e->program);
  if (status) {
    return xlaErrorEmitStatus(mlirOperationGetLocation(c->function),
                              "the program cannot run here", status);
  }
  return fillConstants(c, xlaCpuProgramGetConstants(e->program));
}

static MlirLogicalResult compileForCpu(Compilation *c) {
  double lowered = xlaClockMilliseconds();
  if (failed(schedule(c)))
    return failure();
  c->executable->stats.scheduleMs = xlaClockMilliseconds() - lowered;
  if (failed(generateCode(c)) || failed(finish(c)))
    return failure();
  return c->target->isForeign ? success() : createCpuProgram(c);
}

static MlirLogicalResult createVulkanProgram(Compilation *c, char *constants,
                                             int64_t *bytes) {
  XlaExecutable *e = c->executable;
  XlaVulkanCodeOptions options = {c->options->verify, c->options->observe,
                                  c->options->user};
  for (intptr_t i = 0; i < e->nInputs + e->nOutputs; ++i)
    bytes[i] = (int64_t)xlaExecutableByteCount(
        i < e->nInputs ? &e->inputs[i] : &e->outputs[i - e->nInputs]);
  XlaVulkanExecutableInfo info = {.device = c->options->vulkan,
                                  .info = vulkanInfo(c),
                                  .function = c->function,
                                  .plan = &c->plan,
                                  .host = &c->host,
                                  .constants = constants,
                                  .inputBytes = bytes,
                                  .outputBytes = bytes + e->nInputs,
                                  .calls = &e->calls,
                                  .target = c->target,
                                  .options = &options};
  if (failed(fillConstants(c, constants)) ||
      failed(xlaVulkanExecutableCreate(&info, &e->vulkan)))
    return failure();
  e->stats.vulkan = *xlaVulkanExecutableGetStats(e->vulkan);
  e->stats.constantBytes = e->stats.vulkan.constantBytes;
  e->stats.scratchBytes = e->stats.vulkan.scratchBytes;
  return success();
}

static MlirLogicalResult compileForVulkan(Compilation *c) {
  if (failed(finish(c)))
    return failure();
  char *constants = calloc(1, (size_t)c->plan.constantBytes + 1);
  int64_t *bytes =
      calloc((size_t)(c->host.nInputs + c->host.nOutputs) + 1, sizeof *bytes);
  MlirLogicalResult result = constants && bytes
                                 ? createVulkanProgram(c, constants, bytes)
                                 : xlaOpNoMemory(c->function);
  free(constants);
  free(bytes);
  return result;
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

/// Operations are created in these dialects, which a context that only parsed a
/// program has not loaded, or does not even know.
static void loadDialects(MlirContext context) {
  static const char *const names[] = {
      "affine", "arith",  "cf",  "func", "gpu",   "linalg", "llvm",
      "math",   "memref", "omp", "scf",  "spirv", "ub",     "vector"};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    mlirContextGetOrLoadDialect(context,
                                mlirStringRefCreateFromCString(names[i]));
}

static MlirLogicalResult compile(Compilation *c, MlirStringRef entry) {
  XlaCompileStats *stats = &c->executable->stats;
  double begin = xlaClockMilliseconds();
  loadDialects(mlirModuleGetContext(c->module));
  if (failed(prepare(c, entry)))
    return failure();
  double prepared = xlaClockMilliseconds();
  if (failed(lower(c)))
    return failure();
  stats->prepareMs = prepared - begin;
  stats->lowerMs = xlaClockMilliseconds() - prepared;
  if (failed(c->options->vulkan ? compileForVulkan(c) : compileForCpu(c)))
    return failure();
  stats->totalMs = xlaClockMilliseconds() - begin;
  return success();
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
  Compilation c = {.options = options ? options : &defaults,
                   .executable = calloc(1, sizeof(XlaExecutable))};
  if (!c.executable)
    return xlaOpNoMemory(source);
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
    xlaBufferPlanDestroy(&c.plan);
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
  xlaCpuProgramDestroy(executable->program);
  xlaVulkanExecutableDestroy(executable->vulkan);
  xlaPoolDestroy(executable->pool);
  xlaCustomCallsDestroy(&executable->calls);
  if (executable->code)
    xlaCpuCodeDestroy(executable->code);
  free(executable->inputs);
  free(executable->outputs);
  free(executable->aliases);
  free(executable->arguments);
  free(executable->results);
  free(executable);
}

const XlaCompileStats *xlaExecutableGetStats(const XlaExecutable *executable) {
  return &executable->stats;
}

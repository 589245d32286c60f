//===- executable.c - A program compiled for a Vulkan device --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/executable.h"
#include "xlac/dialect/error.h"

#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/runtime/clock.h"
#include "xlac/runtime/turn.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct XlaVulkanExecutable {
  XlaVulkanProgram *program;
  XlaCpuCode *code; // of the host function, NULL without control flow
  void (*entry)(void **slots);
  XlaCustomCalls *calls;
  XlaVulkanSpan *scalars,
      *callSpans;      // by number; as XlaHostProgram.callBuffers
  intptr_t *callFirst; // positions in callSpans, one more than calls
  XlaTurn turn;        // of runs of the host's part
  XlaVulkanExecutableStats stats;
};

/// One compilation, and the tables that the runtime copies.
typedef struct Build {
  const XlaVulkanExecutableInfo *in;
  XlaVulkanExecutable *executable;
  XlaVulkanCode code;
  int64_t *constantBase; // of each kernel's constants
  int64_t constantBytes, scratchBytes;
  intptr_t nConstants;
  XlaVulkanConstant *constants;
  char *kernelConstants; // all, from the end of the assignment's on
  intptr_t nSteps, nSpans, nWords;
  XlaVulkanStep *steps;
  uint64_t *words; // XlaVulkanStep.moreWritten
  XlaVulkanSpan *spans;
  intptr_t *runs;
} Build;

static MlirLogicalResult noMemory(const Build *build) {
  return xlaOpNoMemory(build->in->function);
}

//===----------------------------------------------------------------------===//
// Where things lie
//===----------------------------------------------------------------------===//

static XlaVulkanSpan spanOf(const XlaBuffer *buffer) {
  switch (buffer->kind) {
  case XlaBufferKindInput:
    return (XlaVulkanSpan){XlaVulkanMemoryInput, buffer->index, 0,
                           buffer->bytes};
  case XlaBufferKindOutput:
    return (XlaVulkanSpan){XlaVulkanMemoryOutput, buffer->index, 0,
                           buffer->bytes};
  case XlaBufferKindConstant:
    return (XlaVulkanSpan){XlaVulkanMemoryConstant, 0, buffer->offset,
                           buffer->bytes};
  case XlaBufferKindArena:
    break;
  }
  return (XlaVulkanSpan){XlaVulkanMemoryArena, 0, buffer->offset,
                         buffer->bytes};
}

/// The constants of the assignment, then those of each kernel.
static MlirLogicalResult placeConstants(Build *build) {
  const XlaVulkanInfo *device = xlaVulkanDeviceGetInfo(build->in->device);
  const XlaVulkanCode *code = &build->code;
  int64_t alignment = device->offsetAlignment;
  build->constantBytes = build->in->assignment->constantBytes;
  build->constantBase =
      calloc((size_t)code->nKernels + 1, sizeof *build->constantBase);
  if (!build->constantBase)
    return noMemory(build);
  for (intptr_t k = 0; k < code->nKernels; ++k) {
    const XlaVulkanKernel *kernel = &code->kernels[k];
    build->constantBase[k] =
        (build->constantBytes + alignment - 1) / alignment * alignment;
    if (kernel->constantBytes)
      build->constantBytes = build->constantBase[k] + kernel->constantBytes;
    if (kernel->scratchBytes > build->scratchBytes)
      build->scratchBytes = kernel->scratchBytes;
  }
  const int64_t begin = build->in->assignment->constantBytes;
  const intptr_t n = build->in->nConstants;
  build->constants = calloc((size_t)n + 1, sizeof *build->constants);
  build->kernelConstants =
      calloc(1, (size_t)(build->constantBytes - begin) + 1);
  if (!build->constants || !build->kernelConstants)
    return noMemory(build);
  if (n)
    memcpy(build->constants, build->in->constants,
           (size_t)n * sizeof *build->constants);
  build->nConstants = n + 1;
  build->constants[n] = (XlaVulkanConstant){begin, build->constantBytes - begin,
                                            build->kernelConstants};
  for (intptr_t k = 0; k < code->nKernels; ++k)
    if (code->kernels[k].constantBytes)
      memcpy(build->kernelConstants + (build->constantBase[k] - begin),
             code->kernels[k].constants,
             (size_t)code->kernels[k].constantBytes);
  return success();
}

static XlaVulkanSpan spanOfBinding(const Build *build, const XlaHostStep *step,
                                   const XlaVulkanBinding *binding) {
  XlaVulkanSpan span;
  if (binding->argument == XLA_VULKAN_KERNEL_CONSTANTS)
    span = (XlaVulkanSpan){XlaVulkanMemoryConstant, 0,
                           build->constantBase[step->kernel], 0};
  else if (binding->argument == step->count)
    span = (XlaVulkanSpan){XlaVulkanMemoryScratch, 0, 0, 0};
  else
    span = spanOf(&build->in->host->buffers[step->first + binding->argument]);
  span.offset += binding->offset;
  span.bytes = binding->bytes;
  return span;
}

static void addDispatch(Build *build, const XlaHostStep *step,
                        const XlaVulkanDispatch *dispatch) {
  XlaVulkanStep *out = &build->steps[build->nSteps++];
  uint64_t *words = build->words + build->nWords;
  *out = (XlaVulkanStep){
      .shader = dispatch->shader,
      .groups = {dispatch->groups[0], dispatch->groups[1], dispatch->groups[2]},
      .nSpans = dispatch->nBindings,
      .spans = build->spans + build->nSpans};
  for (intptr_t i = 0; i < dispatch->nBindings; ++i) {
    build->spans[build->nSpans++] =
        spanOfBinding(build, step, &dispatch->bindings[i]);
    uint64_t bit = (uint64_t)dispatch->bindings[i].isWritten << i % 64;
    *(i < 64 ? &out->written : &words[i / 64 - 1]) |= bit;
  }
  if (dispatch->nBindings <= 64)
    return;
  out->moreWritten = words;
  build->nWords += (dispatch->nBindings - 1) / 64;
}

static void addCopy(Build *build, const XlaHostStep *step) {
  const XlaBuffer *buffers = build->in->host->buffers + step->first;
  build->steps[build->nSteps++] =
      (XlaVulkanStep){.shader = -1,
                      .groups = {1, 1, 1},
                      .nSpans = 2,
                      .spans = build->spans + build->nSpans,
                      .written = 2};
  build->spans[build->nSpans++] = spanOf(&buffers[0]);
  build->spans[build->nSpans++] = spanOf(&buffers[1]);
}

/// The steps of the host program with each kernel as its dispatches.
static MlirLogicalResult placeSteps(Build *build) {
  const XlaHostProgram *host = build->in->host;
  size_t nSteps = 1, nSpans = 1;
  for (intptr_t i = 0; i < host->nSteps; ++i) {
    intptr_t k = host->steps[i].kernel;
    nSteps += k < 0 ? 1 : (size_t)build->code.kernels[k].nDispatches;
    nSpans += 2;
    for (intptr_t d = 0; k >= 0 && d < build->code.kernels[k].nDispatches; ++d)
      nSpans += (size_t)build->code.kernels[k].dispatches[d].nBindings;
  }
  build->steps = calloc(nSteps, sizeof *build->steps);
  build->spans = calloc(nSpans, sizeof *build->spans);
  build->words = calloc(nSpans / 64 + 1, sizeof *build->words);
  build->runs = calloc((size_t)host->nRuns + 1, sizeof *build->runs);
  if (!build->steps || !build->spans || !build->words || !build->runs)
    return noMemory(build);
  for (intptr_t r = 0; r < host->nRuns; ++r) {
    for (intptr_t i = host->runs[r]; i < host->runs[r + 1]; ++i) {
      const XlaHostStep *step = &host->steps[i];
      if (step->kernel < 0) {
        addCopy(build, step);
        continue;
      }
      const XlaVulkanKernel *kernel = &build->code.kernels[step->kernel];
      for (intptr_t d = 0; d < kernel->nDispatches; ++d)
        addDispatch(build, step, &kernel->dispatches[d]);
    }
    build->runs[r + 1] = build->nSteps;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The host's part
//===----------------------------------------------------------------------===//

static void hostLaunch(int64_t context, int64_t run) {
  XlaVulkanExecutable *e = (XlaVulkanExecutable *)context;
  xlaVulkanProgramLaunch(e->program, run);
}

static void hostLoad(int64_t context, int64_t scalar, int64_t *value) {
  XlaVulkanExecutable *e = (XlaVulkanExecutable *)context;
  *value = 0;
  xlaVulkanProgramLoad(e->program, &e->scalars[scalar], value);
}

static void hostStore(int64_t context, int64_t scalar, int64_t value) {
  XlaVulkanExecutable *e = (XlaVulkanExecutable *)context;
  xlaVulkanProgramSet(e->program, &e->scalars[scalar], value);
}

/// Custom calls, infeeds and outfeeds work on the host's memory: operands go
/// there, results back.
static void hostCall(int64_t context, int64_t call, int64_t *hasFailed) {
  XlaVulkanExecutable *e = (XlaVulkanExecutable *)context;
  const XlaVulkanSpan *spans = e->callSpans + e->callFirst[call];
  intptr_t n = e->callFirst[call + 1] - e->callFirst[call];
  intptr_t nOperands = e->calls->all[call].nIn;
  int64_t *addresses = calloc((size_t)n + 1, sizeof *addresses);
  bool whole = addresses != NULL;
  for (intptr_t i = 0; whole && i < n; ++i) {
    void *data = calloc(1, (size_t)spans[i].bytes + 1);
    addresses[i] = (int64_t)data;
    whole = data != NULL;
    if (whole && i < nOperands && spans[i].bytes)
      xlaVulkanProgramLoad(e->program, &spans[i], data);
  }
  if (whole)
    xlaCustomCallsRun(call, (int64_t)e->calls, addresses);
  else
    e->calls->failed = failed(xlaOpNoMemory(e->calls->all[call].op));
  for (intptr_t i = 0; addresses && i < n; ++i) {
    if (whole && i >= nOperands && spans[i].bytes && !e->calls->failed)
      xlaVulkanProgramStore(e->program, &spans[i], (void *)addresses[i]);
    free((void *)addresses[i]);
  }
  free(addresses);
  *hasFailed = e->calls->failed;
}

static void hostEntry(XlaVulkanProgram *program, void *user) {
  (void)program;
  XlaVulkanExecutable *e = user;
  void *slots[] = {e};
  e->entry(slots);
}

static MlirLogicalResult compileHost(Build *build) {
  XlaVulkanExecutable *e = build->executable;
  const XlaHostProgram *host = build->in->host;
  XlaCpuSymbol symbols[] = {{XLA_HOST_LAUNCH, (void *)hostLaunch},
                            {XLA_HOST_LOAD, (void *)hostLoad},
                            {XLA_HOST_STORE, (void *)hostStore},
                            {XLA_HOST_REMOTE_CALL, (void *)hostCall}};
  XlaCpuCodegenOptions options = {
      .verify = build->in->options->verify, .nSymbols = 4, .symbols = symbols};
  if (failed(xlaCpuCompileModule(host->module, build->in->target, &options,
                                 NULL, &e->code)))
    return failure();
  e->entry = (void (*)(void **))xlaCpuCodeLookup(e->code, "xlacEntry");
  if (!e->entry)
    return xlaOpError(build->in->function, NULL,
                      "was compiled without an entry");
  return success();
}

/// What the host's part loads and stores, and what custom calls get.
static MlirLogicalResult placeHost(Build *build) {
  XlaVulkanExecutable *e = build->executable;
  const XlaHostProgram *host = build->in->host;
  size_t nCalls = (size_t)host->nCustomCalls;
  e->scalars = calloc((size_t)host->nScalars + 1, sizeof *e->scalars);
  e->callFirst = calloc(nCalls + 1, sizeof *e->callFirst);
  if (!e->scalars || !e->callFirst)
    return noMemory(build);
  for (intptr_t i = 0; i < host->nScalars; ++i)
    e->scalars[i] = spanOf(&host->scalars[i]);
  for (size_t i = 0; i < nCalls; ++i)
    e->callFirst[i + 1] = e->callFirst[i] +
                          mlirOperationGetNumOperands(host->customCalls[i]) +
                          mlirOperationGetNumResults(host->customCalls[i]);
  e->callSpans = calloc((size_t)e->callFirst[nCalls] + 1, sizeof *e->callSpans);
  if (!e->callSpans)
    return noMemory(build);
  for (size_t i = 0; i < nCalls; ++i)
    for (intptr_t k = 0; k < e->callFirst[i + 1] - e->callFirst[i]; ++k)
      e->callSpans[e->callFirst[i] + k] =
          spanOf(&host->buffers[host->callBuffers[i] + k]);
  return success();
}

//===----------------------------------------------------------------------===//
// The executable
//===----------------------------------------------------------------------===//

static MlirLogicalResult createProgram(Build *build) {
  const XlaVulkanExecutableInfo *in = build->in;
  XlaVulkanExecutable *e = build->executable;
  XlaVulkanProgramInfo info = {.nShaders = build->code.nShaders,
                               .shaders = build->code.shaders,
                               .nSteps = build->nSteps,
                               .steps = build->steps,
                               .nRuns = in->host->nRuns,
                               .runs = build->runs,
                               .nInputs = in->host->nInputs,
                               .nOutputs = in->host->nOutputs,
                               .inputBytes = in->inputBytes,
                               .outputBytes = in->outputBytes,
                               .aliases = in->aliases,
                               .constantBytes = build->constantBytes,
                               .arenaBytes = in->assignment->arenaBytes,
                               .scratchBytes = build->scratchBytes,
                               .nConstants = build->nConstants,
                               .constants = build->constants,
                               .pieceBytes = xlaVulkanPieceBytes(in->info),
                               .entry = e->entry ? hostEntry : NULL};
  XlaStatus status = xlaVulkanProgramCreate(in->device, &info, &e->program);
  if (!status)
    return success();
  char what[300];
  snprintf(what, sizeof what, "the program cannot run on %s",
           xlaVulkanDeviceGetInfo(in->device)->name);
  XlaStatusCode code = xlaStatusCode(status);
  if (code == XLA_STATUS_INVALID_ARGUMENT) // what this compiler wrote
    code = XLA_STATUS_INTERNAL;
  xlaErrorEmit(mlirOperationGetLocation(in->function), code, "%s: %s", what,
               xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return failure();
}

static void countBytes(Build *build) {
  XlaVulkanExecutableStats *stats = &build->executable->stats;
  stats->scheduleMs = build->code.scheduleMs;
  stats->spirvMs = build->code.spirvMs;
  stats->program = *xlaVulkanProgramGetStats(build->executable->program);
  stats->nShaders = build->code.nShaders;
  for (intptr_t i = 0; i < build->code.nShaders; ++i)
    stats->shaderBytes += 4 * (int64_t)build->code.shaders[i].nWords;
  stats->constantBytes = build->constantBytes;
  stats->scratchBytes = build->scratchBytes;
}

static MlirLogicalResult create(Build *build) {
  const XlaVulkanExecutableInfo *in = build->in;
  build->executable->calls = in->calls;
  if (failed(xlaVulkanCompileKernels(in->host->kernels, in->info, in->options,
                                     &build->code)) ||
      failed(placeConstants(build)) || failed(placeSteps(build)) ||
      failed(placeHost(build)))
    return failure();
  double start = xlaClockMilliseconds();
  if (!xlaHostProgramIsStraight(in->host) && failed(compileHost(build)))
    return failure();
  build->executable->stats.hostMs = xlaClockMilliseconds() - start;
  if (failed(createProgram(build)))
    return failure();
  countBytes(build);
  return success();
}

MlirLogicalResult xlaVulkanExecutableCreate(const XlaVulkanExecutableInfo *info,
                                            XlaVulkanExecutable **out) {
  Build build = {.in = info,
                 .executable = calloc(1, sizeof(XlaVulkanExecutable))};
  *out = NULL;
  if (!build.executable)
    return noMemory(&build);
  if (xlaTurnInit(&build.executable->turn)) {
    free(build.executable);
    return noMemory(&build);
  }
  MlirLogicalResult result = create(&build);
  xlaVulkanCodeDestroy(&build.code);
  free(build.constantBase);
  free(build.constants);
  free(build.kernelConstants);
  free(build.steps);
  free(build.spans);
  free(build.words);
  free(build.runs);
  if (failed(result))
    xlaVulkanExecutableDestroy(build.executable);
  else
    *out = build.executable;
  return result;
}

void xlaVulkanExecutableDestroy(XlaVulkanExecutable *executable) {
  if (!executable)
    return;
  xlaVulkanProgramDestroy(executable->program);
  if (executable->code)
    xlaCpuCodeDestroy(executable->code);
  free(executable->scalars);
  free(executable->callSpans);
  free(executable->callFirst);
  xlaTurnDestroy(&executable->turn);
  free(executable);
}

const XlaVulkanExecutableStats *
xlaVulkanExecutableGetStats(const XlaVulkanExecutable *executable) {
  return &executable->stats;
}

XlaStatus xlaVulkanExecutableRun(XlaVulkanExecutable *executable,
                                 const void *const *inputs,
                                 void *const *outputs) {
  XlaVulkanProgram *program = executable->program;
  if (inputs)
    XLA_RETURN_IF_ERROR(xlaVulkanProgramWriteInputs(program, inputs));
  XLA_RETURN_IF_ERROR(xlaVulkanProgramExecute(program, executable));
  return outputs ? xlaVulkanProgramReadOutputs(program, outputs) : NULL;
}

/// Runs the host's part, which one thread at a time may do: it may call others.
static XlaStatus runHosted(XlaVulkanExecutable *executable,
                           XlaVulkanArray *const *inputs,
                           XlaVulkanArray *const *outputs, uint64_t *number) {
  executable->calls->failed = false;
  XLA_RETURN_IF_ERROR(xlaVulkanProgramRun(executable->program, inputs, outputs,
                                          executable, number));
  return executable->calls->failed
             ? xlaStatusCreate(XLA_STATUS_INTERNAL,
                               "a custom call, infeed or outfeed of the "
                               "program failed")
             : NULL;
}

XlaStatus xlaVulkanExecutableRunArrays(XlaVulkanExecutable *executable,
                                       XlaVulkanArray *const *inputs,
                                       XlaVulkanArray *const *outputs,
                                       uint64_t *number) {
  if (!executable->entry)
    return xlaVulkanProgramRun(executable->program, inputs, outputs, executable,
                               number);
  XlaTurnResult turn = xlaTurnTake(&executable->turn);
  XlaStatus status =
      turn == XlaTurnResultFirst
          ? runHosted(executable, inputs, outputs, number)
          : xlaVulkanProgramRun( // which says what is wrong
                executable->program, inputs, outputs, executable, number);
  if (turn != XlaTurnResultCycle)
    xlaTurnGive(&executable->turn);
  return status;
}

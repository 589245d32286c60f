//===- device.c - The CPU -------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/device.h"

#include "xlac/dialect/error.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/cpu/codegen.h"
#include "xlac/lowering/cpu/kernels.h"
#include "xlac/lowering/cpu/schedule/kernels.h"
#include "xlac/runtime/clock.h"
#include "xlac/runtime/cpu/program.h"

#include <stdlib.h>
#include <string.h>

/// Code, and what runs it.
typedef struct Program {
  XlaCpuCode *code;
  XlaCpuProgram *program;
} Program;

static void destroy(void *data) {
  Program *p = data;
  xlaCpuProgramDestroy(p->program);
  if (p->code)
    xlaCpuCodeDestroy(p->code);
  free(p);
}

static XlaFusionDevice describe(const XlaCompilation *c) {
  (void)c;
  return *xlaFusionDeviceGet("cpu");
}

static int64_t pieceBytes(const XlaCompilation *c) {
  (void)c;
  return 0;
}

static void *kernelUser(const XlaCompilation *c) { return (void *)c->target; }

static void observeCodegen(XlaCpuStage stage, const char *data, size_t size,
                           void *user) {
  const XlaCompileOptions *options = user;
  options->observe(xlaCpuStageName((int)stage), xlaCpuStageSuffix(stage), data,
                   size, options->user);
}

static MlirLogicalResult schedule(XlaCompilation *c) {
  XlaCpuScheduleOptions options = xlaCpuScheduleOptionsForTarget(c->target);
  MlirOperation module = mlirModuleGetOperation(c->host.module);
  if (failed(xlaCpuScheduleKernels(module, &options)))
    return failure();
  if (c->options->verify && !mlirOperationVerify(module))
    return xlaOpError(module, NULL, "is invalid after scheduling");
  xlaCompilationObserve(c, "affine", c->host.module);
  return success();
}

/// Code for another kind of machine is for `observe` alone.
static MlirLogicalResult generateForeign(XlaCompilation *c,
                                         const XlaCpuCodegenOptions *options) {
  XlaCpuObject object;
  MlirLogicalResult result =
      xlaCpuEmitObject(c->host.module, c->target, options,
                       &c->executable->stats.codegen, &object);
  xlaCpuObjectDestroy(&object);
  return result;
}

static MlirLogicalResult generateCode(XlaCompilation *c, XlaCpuCode **code) {
  XlaCpuSymbol symbol = {XLA_HOST_CUSTOM_CALL, (void *)xlaCustomCallsRun};
  XlaCpuCodegenOptions options = {
      .verify = c->options->verify, .nSymbols = 1, .symbols = &symbol};
  if (c->options->observe) {
    options.observed = ~(1u << XLA_CPU_STAGE_INPUT);
    options.observe = observeCodegen;
    options.user = (void *)c->options;
  } else {
    options.kept = c->options->kept;
    options.keep = c->options->keep;
    options.keepUser = c->options->keepUser;
  }
  if (c->target->isForeign)
    return generateForeign(c, &options);
  return xlaCpuCompileModule(c->host.module, c->target, &options,
                             &c->executable->stats.codegen, code);
}

static MlirLogicalResult createProgram(XlaCompilation *c, Program *p) {
  XlaCpuProgramInfo info = {
      .entry = (void (*)(XlaCpuSlot *))xlaCpuCodeLookup(p->code, "xlacEntry"),
      .nInputs = c->host.nInputs,
      .nOutputs = c->host.nOutputs,
      .constantBytes = c->assignment.constantBytes,
      .arenaBytes = c->assignment.arenaBytes,
      .scratchBytes = c->host.scratchBytes};
  if (!info.entry)
    return xlaOpError(c->function, NULL, "was compiled without an entry");
  XlaStatus status = xlaCpuProgramCreate(&info, &p->program);
  return status ? xlaErrorEmitStatus(mlirOperationGetLocation(c->function),
                                     "the program cannot run here", status)
                : xlaCompilationFillConstants(
                      c, xlaCpuProgramGetConstants(p->program));
}

static MlirLogicalResult generate(XlaCompilation *c) {
  double lowered = xlaClockMilliseconds();
  if (failed(schedule(c)))
    return failure();
  c->executable->stats.scheduleMs = xlaClockMilliseconds() - lowered;
  Program *p = calloc(1, sizeof *p);
  if (!p)
    return xlaOpNoMemory(c->function);
  MlirLogicalResult result = generateCode(c, &p->code);
  if (!failed(result) && !c->target->isForeign)
    result = createProgram(c, p);
  if (failed(result) || c->target->isForeign)
    destroy(p);
  else
    c->executable->program = p;
  return result;
}

static bool run(XlaExecutable *executable, const void *const *inputs,
                void *const *outputs) {
  const Program *p = executable->program;
  for (intptr_t i = 0; i < executable->nOutputs; ++i) {
    intptr_t input = executable->aliases[i];
    if (input >= 0 && inputs[input] != outputs[i])
      memcpy(outputs[i], inputs[input],
             xlaExecutableByteCount(&executable->outputs[i]));
  }
  XlaStatus status =
      xlaCpuProgramRun(p->program, inputs, outputs, &executable->calls);
  if (!status)
    return true;
  xlaErrorEmitStatus(mlirLocationUnknownGet(executable->context),
                     "the program cannot run", status);
  return false;
}

const XlaDevice xlaDeviceCpu = {.describe = describe,
                                .pieceBytes = pieceBytes,
                                .emitKernel = xlaCpuEmitKernel,
                                .kernelUser = kernelUser,
                                .generate = generate,
                                .run = run,
                                .destroy = destroy};

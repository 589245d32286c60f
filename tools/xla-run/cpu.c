//===- cpu.c - Running compiled code --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <stdlib.h>

/// An executable, and what it is fed by while it runs.
typedef struct Compiled {
  XlaExecutable *executable;
  XlaRunFeed *feed;
} Compiled;

/// Only programs that are never run may be without feeds.
static MlirLogicalResult feedIn(MlirOperation op, intptr_t n,
                                const XlaShape *shapes, XlaLiteral **arrays,
                                void *user) {
  return xlaRunFeedIn(op, n, shapes, arrays, ((Compiled *)user)->feed);
}

static MlirLogicalResult feedOut(MlirOperation op, intptr_t n,
                                 const XlaLiteral *const *arrays, void *user) {
  return xlaRunFeedOut(op, n, arrays, ((Compiled *)user)->feed);
}

static void addRows(XlaRun *run, const XlaCompileStats *stats) {
  const struct {
    const char *name;
    double number;
    const char *unit;
  } rows[] = {
      {"cpu: prepare", stats->prepareMs, "ms"},
      {"cpu: lower", stats->lowerMs, "ms"},
      {"cpu: schedule", stats->scheduleMs, "ms"},
      {"cpu: math", stats->codegen.mathMs, "ms"},
      {"cpu: to llvm dialect", stats->codegen.mlirMs, "ms"},
      {"cpu: to LLVM IR", stats->codegen.translateMs, "ms"},
      {"cpu: optimize", stats->codegen.optimizeMs, "ms"},
      {"cpu: machine code", stats->codegen.codegenMs, "ms"},
      {"cpu: link", stats->codegen.linkMs, "ms"},
      {"cpu: compile, in all", stats->totalMs, "ms"},
      {"cpu: kernels", (double)stats->nKernels, ""},
      {"cpu: code", (double)stats->codegen.objectBytes, "bytes"},
      {"cpu: arena", (double)stats->arenaBytes, "bytes"},
      {"cpu: constants", (double)stats->constantBytes, "bytes"},
      {"cpu: scratch", (double)stats->scratchBytes, "bytes"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    xlaRunStagesAddRow(run->stages, rows[i].name, rows[i].number, rows[i].unit);
}

XlaToolCode xlaRunCompile(XlaRun *run, MlirModule module,
                          MlirOperation function, XlaCustomCallHook customCall,
                          bool isParallel, XlaVulkanDevice *vulkan,
                          void (*addRows)(XlaRun *run,
                                          const XlaCompileStats *stats),
                          void **executable) {
  Compiled *compiled = calloc(1, sizeof *compiled);
  XlaVulkanInfo info;
  *executable = compiled;
  if (!compiled)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  XlaCpuTarget *target;
  XlaStatus status =
      xlaCpuTargetCreate(&run->options.call.machine.cpu, &target);
  if (status) {
    xlaRunDestroy(compiled);
    *executable = NULL;
    return xlaToolStatusError(status, NULL);
  }
  if (vulkan) {
    info = *xlaVulkanDeviceGetInfo(vulkan);
    xlaToolMachineLimitVulkan(&run->options.call.machine, &info);
  }
  // Printing stages takes longer than most of them: only if somebody looks.
  bool seen = xlaRunStagesAreSeen(run->stages);
  XlaFusionReport report =
      xlaRunStagesTakeReport(run->stages, mlirModuleGetOperation(module).ptr);
  XlaCompileOptions options = {.target = target,
                               .vulkan = vulkan,
                               .vulkanInfo = vulkan ? &info : NULL,
                               .unfused = run->options.call.unfused,
                               .report = report,
                               .observe = seen ? xlaRunStagesShow : NULL,
                               .user = run->stages,
                               .customCall = customCall,
                               .customCallUser = run,
                               .infeed = feedIn,
                               .outfeed = feedOut,
                               .feedUser = compiled,
                               .isParallel = isParallel};
  XlaErrorListener listener;
  xlaErrorListenerBegin(mlirModuleGetContext(module), &listener);
  MlirLogicalResult result = xlaExecutableCompile(
      module, xlaFunctionGetName(function), &options, &compiled->executable);
  XlaStatusCode error = xlaErrorListenerEnd(&listener);
  xlaCpuTargetDestroy(target);
  if (mlirLogicalResultIsFailure(result)) {
    xlaRunDestroy(compiled);
    *executable = NULL;
    return xlaToolCodeOf(error);
  }
  addRows(run, xlaExecutableGetStats(compiled->executable));
  return XlaToolCodeOk;
}

static XlaToolCode compile(XlaRun *run, MlirModule module,
                           MlirOperation function, XlaCustomCallHook customCall,
                           bool isParallel, void **executable) {
  return xlaRunCompile(run, module, function, customCall, isParallel, NULL,
                       addRows, executable);
}

XlaToolCode xlaRunExecute(XlaRun *run, void *executable,
                          const XlaRunPlace *place, intptr_t nInputs,
                          const XlaLiteral *const *inputs, intptr_t nResults,
                          XlaLiteral **results) {
  Compiled *compiled = executable;
  (void)run;
  compiled->feed = place->feed;
  xlaExecutableSetProcess(compiled->executable, &place->process);
  return mlirLogicalResultIsSuccess(xlaExecutableRunLiterals(
             compiled->executable, nInputs, inputs, nResults, results))
             ? XlaToolCodeOk
             : XlaToolCodeFailed;
}

void xlaRunDestroy(void *executable) {
  Compiled *compiled = executable;
  if (compiled)
    xlaExecutableDestroy(compiled->executable);
  free(compiled);
}

XlaExecutable *xlaRunGetExecutable(void *executable) {
  return ((Compiled *)executable)->executable;
}

/// As lowering/executable.h lists them.
static const char *const stages[] = {"prepared",  "linalg",  "affine",
                                     "math",      "lowered", "llvm",
                                     "optimized", "object",  NULL};

const XlaRunDevice xlaRunCpu = {
    .name = "cpu",
    .description = "compiled to machine code",
    .stages = stages,
    .open = xlaRunOpenOnly,
    .compile = compile,
    .execute = xlaRunExecute,
    .destroy = xlaRunDestroy,
};

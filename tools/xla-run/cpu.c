//===- cpu.c - Running compiled code --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-run/run.h"

#include <stdlib.h>

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

XlaToolCode
xlaRunCompile(XlaRun *run, MlirModule module, MlirOperation function,
              XlaCustomCallHook customCall, XlaVulkanDevice *vulkan,
              void (*addRows)(XlaRun *run, const XlaCompileStats *stats),
              void **executable) {
  XlaExecutable *compiled;
  XlaVulkanInfo info;
  *executable = NULL;
  XlaCpuTarget *target;
  XlaStatus status =
      xlaCpuTargetCreate(&run->options.call.machine.cpu, &target);
  if (status)
    return xlaToolStatusError(status, NULL);
  if (vulkan) {
    info = *xlaVulkanDeviceGetInfo(vulkan);
    xlaToolMachineLimitVulkan(&run->options.call.machine, &info);
  }
  // Printing stages takes longer than most of them: only if somebody looks.
  bool seen = xlaRunStagesAreSeen(run->stages);
  XlaCompileOptions options = {.target = target,
                               .vulkan = vulkan,
                               .vulkanInfo = vulkan ? &info : NULL,
                               .unfused = run->options.call.unfused,
                               .observe = seen ? xlaRunStagesShow : NULL,
                               .user = run->stages,
                               .customCall = customCall,
                               .customCallUser = run,
                               .infeed = xlaRunInfeed,
                               .outfeed = xlaRunOutfeed,
                               .feedUser = run};
  XlaErrorListener listener;
  xlaErrorListenerBegin(mlirModuleGetContext(module), &listener);
  MlirLogicalResult result = xlaExecutableCompile(
      module, xlaFunctionGetName(function), &options, &compiled);
  XlaStatusCode error = xlaErrorListenerEnd(&listener);
  xlaCpuTargetDestroy(target);
  *executable = compiled;
  if (mlirLogicalResultIsFailure(result))
    return xlaToolCodeOf(error);
  addRows(run, xlaExecutableGetStats(compiled));
  return XlaToolCodeOk;
}

static XlaToolCode compile(XlaRun *run, MlirModule module,
                           MlirOperation function, XlaCustomCallHook customCall,
                           void **executable) {
  return xlaRunCompile(run, module, function, customCall, NULL, addRows,
                       executable);
}

XlaToolCode xlaRunExecute(XlaRun *run, void *executable, intptr_t nInputs,
                          const XlaLiteral *const *inputs, intptr_t nResults,
                          XlaLiteral **results) {
  XlaErrorListener listener;
  xlaErrorListenerBegin(run->program.context, &listener);
  MlirLogicalResult result =
      xlaExecutableRunLiterals(executable, nInputs, inputs, nResults, results);
  XlaStatusCode error = xlaErrorListenerEnd(&listener);
  return mlirLogicalResultIsSuccess(result) ? XlaToolCodeOk
                                            : xlaToolCodeOf(error);
}

void xlaRunDestroy(void *executable) { xlaExecutableDestroy(executable); }

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

//===- vulkan.c - Running compute shaders ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/vulkan.h"

#include "xlac/tools/xla-run/run.h"

static XlaToolCode open(XlaRun *run, const char *number, char why[512]) {
  // Functions of one program share the device.
  return run->vulkan ? XlaToolCodeOk
                     : xlaToolVulkanOpen(number, run->options.call.validate,
                                         &run->vulkan, why);
}

static void addRows(XlaRun *run, const XlaCompileStats *stats) {
  const XlaVulkanExecutableStats *vulkan = &stats->vulkan;
  const struct {
    const char *name;
    double number;
    const char *unit;
  } rows[] = {
      {"vulkan: prepare", stats->prepareMs, "ms"},
      {"vulkan: lower", stats->lowerMs, "ms"},
      {"vulkan: schedule", vulkan->scheduleMs, "ms"},
      {"vulkan: to SPIR-V", vulkan->spirvMs, "ms"},
      {"vulkan: host's code", vulkan->hostMs, "ms"},
      {"vulkan: pipelines", vulkan->program.pipelineMs, "ms"},
      {"vulkan: record", vulkan->program.recordMs, "ms"},
      {"vulkan: compile, in all", stats->totalMs, "ms"},
      {"vulkan: kernels", (double)stats->nKernels, ""},
      {"vulkan: shaders", (double)vulkan->nShaders, ""},
      {"vulkan: dispatches", (double)vulkan->program.nDispatches, ""},
      {"vulkan: barriers", (double)vulkan->program.nBarriers, ""},
      {"vulkan: SPIR-V", (double)vulkan->shaderBytes, "bytes"},
      {"vulkan: arena", (double)stats->arenaBytes, "bytes"},
      {"vulkan: constants", (double)stats->constantBytes, "bytes"},
      {"vulkan: scratch", (double)stats->scratchBytes, "bytes"},
      {"vulkan: on the device", (double)vulkan->program.deviceBytes, "bytes"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    xlaRunStagesAddRow(run->stages, rows[i].name, rows[i].number, rows[i].unit);
}

static XlaToolCode compile(XlaRun *run, MlirModule module,
                           MlirOperation function, XlaCustomCallHook customCall,
                           bool isParallel, void **executable) {
  return xlaRunCompile(run, module, function, customCall, isParallel,
                       run->vulkan, addRows, executable);
}

/// As lowering/executable.h lists them.
static const char *const stages[] = {"prepared", "host",   "linalg", "affine",
                                     "spirv",    "shader", NULL};

const XlaRunDevice xlaRunVulkan = {
    .name = "vulkan",
    .description = "compiled to compute shaders; vulkan:N is device N of\n"
                   "                             --list-devices, 0 otherwise",
    .stages = stages,
    .open = open,
    .compile = compile,
    .execute = xlaRunExecute,
    .destroy = xlaRunDestroy,
};

//===- device.c - What programs are measured on ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/lowering/executable.h"
#include "xlac/runtime/memory.h"
#include "xlac/tools/xla-bench/bench.h"

#include <stdlib.h>
#include <string.h>

/// What failed without a word is a failure of this compiler.
static XlaToolCode codeOf(const XlaBenchCall *call, MlirLogicalResult result) {
  if (mlirLogicalResultIsSuccess(result))
    return XlaToolCodeOk;
  return call->errors.code == XLA_STATUS_OK ? XlaToolCodeFailed
                                            : xlaToolCodeOf(call->errors.code);
}

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

static XlaToolCode interpreterCompile(XlaBenchCall *call,
                                      XlaBenchExecutable *executable) {
  XlaEvaluatorOptions options = {.maxBytes = xlaMemoryLimit()};
  executable->handle = xlaEvaluatorCreate(
      mlirModuleGetOperation(call->program->module), &options);
  return executable->handle ? XlaToolCodeOk
                            : xlaToolError(XlaToolCodeRefused, "out of memory");
}

static XlaToolCode interpreterRun(XlaBenchExecutable *executable,
                                  XlaBenchCall *call) {
  XlaProgramValues *outputs = &call->outputs;
  for (intptr_t i = 0; i < outputs->count; ++i) {
    xlaLiteralRelease(outputs->items[i]);
    outputs->items[i] = NULL;
  }
  XlaToolCode code = codeOf(
      call,
      xlaEvaluatorRun(executable->handle, call->function, call->inputs.count,
                      (const XlaLiteral *const *)call->inputs.items,
                      outputs->count, outputs->items));
  if (code != XlaToolCodeOk)
    return code;
  const XlaLiteral **leaves = xlaProgramValuesGetLeaves(outputs);
  for (intptr_t i = 0; leaves && i < outputs->leafCount; ++i)
    memcpy(call->outputData[i], xlaLiteralGetData(leaves[i]),
           xlaLiteralGetByteCount(leaves[i]));
  free(leaves);
  return leaves ? XlaToolCodeOk
                : xlaToolError(XlaToolCodeRefused, "out of memory");
}

static void interpreterDestroy(XlaBenchExecutable *executable) {
  if (executable->handle)
    xlaEvaluatorDestroy(executable->handle);
}

//===----------------------------------------------------------------------===//
// The CPU
//===----------------------------------------------------------------------===//

static void setStats(const XlaCompileStats *stats, const XlaBenchStage *stages,
                     size_t nStages, XlaBenchExecutable *executable) {
  memcpy(executable->stages, stages, nStages * sizeof *stages);
  executable->nStages = (int)nStages;
  executable->nKernels = stats->nKernels;
  executable->temporaryBytes =
      stats->arenaBytes + stats->constantBytes + stats->scratchBytes;
}

static void copyStats(const XlaCompileStats *stats,
                      XlaBenchExecutable *executable) {
  const XlaBenchStage stages[] = {
      {"prepare", 1e-3 * stats->prepareMs},
      {"lower", 1e-3 * stats->lowerMs},
      {"schedule", 1e-3 * stats->scheduleMs},
      {"math", 1e-3 * stats->codegen.mathMs},
      {"mlir", 1e-3 * stats->codegen.mlirMs},
      {"translate", 1e-3 * stats->codegen.translateMs},
      {"optimize", 1e-3 * stats->codegen.optimizeMs},
      {"codegen", 1e-3 * stats->codegen.codegenMs},
      {"link", 1e-3 * stats->codegen.linkMs},
  };
  setStats(stats, stages, sizeof stages / sizeof *stages, executable);
}

static XlaToolCode cpuCompile(XlaBenchCall *call,
                              XlaBenchExecutable *executable) {
  XlaExecutable *compiled;
  XlaCompileOptions options = {.target = call->target,
                               .unfused = call->unfused,
                               .nDonated = call->nDonated,
                               .donated = call->donated};
  XlaToolCode code =
      codeOf(call, xlaExecutableCompile(call->program->module,
                                        xlaFunctionGetName(call->function),
                                        &options, &compiled));
  executable->handle = compiled;
  if (code != XlaToolCodeOk)
    return code;
  copyStats(xlaExecutableGetStats(compiled), executable);
  for (intptr_t i = 0; i < call->outputs.leafCount; ++i) {
    intptr_t input = xlaExecutableGetAliasedInput(compiled, i);
    if (input >= 0)
      xlaBenchCallAlias(call, i, input);
  }
  return code;
}

static XlaToolCode cpuRun(XlaBenchExecutable *executable, XlaBenchCall *call) {
  return codeOf(call, xlaExecutableRun(executable->handle,
                                       (const void *const *)call->inputData,
                                       call->outputData));
}

static void cpuDestroy(XlaBenchExecutable *executable) {
  xlaExecutableDestroy(executable->handle);
}

//===----------------------------------------------------------------------===//
// Vulkan
//===----------------------------------------------------------------------===//

static void copyVulkanStats(const XlaCompileStats *stats,
                            XlaBenchExecutable *executable) {
  const XlaVulkanExecutableStats *vulkan = &stats->vulkan;
  const XlaBenchStage stages[] = {
      {"prepare", 1e-3 * stats->prepareMs},
      {"lower", 1e-3 * stats->lowerMs},
      {"schedule", 1e-3 * vulkan->scheduleMs},
      {"spirv", 1e-3 * vulkan->spirvMs},
      {"host", 1e-3 * vulkan->hostMs},
      {"pipelines", 1e-3 * vulkan->program.pipelineMs},
      {"record", 1e-3 * vulkan->program.recordMs},
  };
  setStats(stats, stages, sizeof stages / sizeof *stages, executable);
}

static XlaToolCode vulkanCompile(XlaBenchCall *call,
                                 XlaBenchExecutable *executable) {
  XlaExecutable *compiled;
  XlaCompileOptions options = {.target = call->target,
                               .vulkan = call->vulkan,
                               .vulkanInfo = &call->vulkanInfo,
                               .unfused = call->unfused};
  XlaToolCode code =
      codeOf(call, xlaExecutableCompile(call->program->module,
                                        xlaFunctionGetName(call->function),
                                        &options, &compiled));
  executable->handle = compiled;
  executable->isWarm = false;
  if (code == XlaToolCodeOk)
    copyVulkanStats(xlaExecutableGetStats(compiled), executable);
  return code;
}

/// The first call brings the inputs; then all stays on the device.
static XlaToolCode vulkanRun(XlaBenchExecutable *executable,
                             XlaBenchCall *call) {
  const void *const *inputs =
      executable->isWarm ? NULL : (const void *const *)call->inputData;
  executable->isWarm = true;
  return codeOf(call, xlaExecutableRun(executable->handle, inputs, NULL));
}

static XlaToolCode vulkanFetch(XlaBenchExecutable *executable,
                               XlaBenchCall *call) {
  return codeOf(call,
                xlaExecutableRun(executable->handle, NULL, call->outputData));
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

const XlaBenchDevice xlaBenchDevices[] = {
    {"cpu", "compiled to machine code", cpuCompile, cpuRun, NULL, cpuDestroy},
    {"vulkan",
     "compiled to compute shaders; vulkan:N is device N of\n"
     "                             --list-devices, 0 otherwise",
     vulkanCompile, vulkanRun, vulkanFetch, cpuDestroy},
    {"interpreter", "the reference evaluator, op by op", interpreterCompile,
     interpreterRun, NULL, interpreterDestroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

const XlaBenchDevice *xlaBenchDeviceFind(const char *text) {
  const char *names[sizeof xlaBenchDevices / sizeof *xlaBenchDevices] = {NULL};
  size_t length = strcspn(text, ":");
  for (int i = 0; xlaBenchDevices[i].name; ++i) {
    const XlaBenchDevice *device = &xlaBenchDevices[i];
    names[i] = device->name;
    if (strlen(device->name) == length && !memcmp(device->name, text, length))
      return device;
  }
  xlaToolUnknown("device", text, names);
  return NULL;
}

XlaToolCode xlaBenchDeviceOpen(const XlaBenchOptions *options,
                               XlaBenchCall *call) {
  const char *name = options->call.device, *colon = strchr(name, ':');
  char why[512] = "there is only one, without a number";
  XlaToolCode code = colon ? XlaToolCodeWrong : XlaToolCodeOk;
  if (!strncmp(name, "vulkan", 6))
    code = xlaToolVulkanOpen(colon ? colon + 1 : NULL, options->call.validate,
                             &call->vulkan, why);
  if (call->vulkan) {
    call->vulkanInfo = *xlaVulkanDeviceGetInfo(call->vulkan);
    xlaToolMachineLimitVulkan(&options->call.machine, &call->vulkanInfo);
  }
  call->unfused = options->call.unfused;
  XlaStatus status =
      xlaCpuTargetCreate(&options->call.machine.cpu, &call->target);
  if (status)
    return xlaToolStatusError(status, NULL);
  return code == XlaToolCodeOk ? code
                               : xlaToolError(code, "device %s: %s", name, why);
}

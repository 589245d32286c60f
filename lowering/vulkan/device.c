//===- device.c - A Vulkan device -----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/device.h"

#include "xlac/dialect/error.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/vulkan/executable.h"

#include <stdlib.h>

static const XlaVulkanInfo *infoOf(const XlaCompilation *c) {
  return c->options->vulkanInfo ? c->options->vulkanInfo
                                : xlaVulkanDeviceGetInfo(c->options->vulkan);
}

/// What fusing weighs, with the limits of the device at hand.
static XlaFusionDevice describe(const XlaCompilation *c) {
  const XlaVulkanInfo *info = infoOf(c);
  XlaFusionDevice device = *xlaFusionDeviceGet(
      info->kind == XlaVulkanKindSoftware ? "llvmpipe" : "gpu");
  int rest = (int)(info->maxBindings < 64 ? info->maxBindings : 64) - 4;
  device.maxBuffers = rest > 8 ? rest : 8; // scratch and constants take some
  return device;
}

static int64_t pieceBytes(const XlaCompilation *c) {
  return xlaVulkanPieceBytes(infoOf(c));
}

static void *kernelUser(const XlaCompilation *c) { return (void *)infoOf(c); }

static MlirLogicalResult createProgram(XlaCompilation *c, char *constants,
                                       int64_t *bytes) {
  XlaExecutable *e = c->executable;
  XlaVulkanExecutable *program;
  XlaVulkanCodeOptions options = {c->options->verify, c->options->observe,
                                  c->options->user};
  for (intptr_t i = 0; i < e->nInputs + e->nOutputs; ++i)
    bytes[i] = (int64_t)xlaExecutableByteCount(
        i < e->nInputs ? &e->inputs[i] : &e->outputs[i - e->nInputs]);
  XlaVulkanExecutableInfo info = {.device = c->options->vulkan,
                                  .info = infoOf(c),
                                  .function = c->function,
                                  .assignment = &c->assignment,
                                  .host = &c->host,
                                  .constants = constants,
                                  .inputBytes = bytes,
                                  .outputBytes = bytes + e->nInputs,
                                  .aliases = e->aliases,
                                  .calls = &e->calls,
                                  .target = c->target,
                                  .options = &options};
  if (failed(xlaCompilationFillConstants(c, constants)) ||
      failed(xlaVulkanExecutableCreate(&info, &program)))
    return failure();
  e->program = program;
  e->stats.vulkan = *xlaVulkanExecutableGetStats(program);
  e->stats.constantBytes = e->stats.vulkan.constantBytes;
  e->stats.scratchBytes = e->stats.vulkan.scratchBytes;
  return success();
}

static MlirLogicalResult generate(XlaCompilation *c) {
  char *constants = calloc(1, (size_t)c->assignment.constantBytes + 1);
  int64_t *bytes =
      calloc((size_t)(c->host.nInputs + c->host.nOutputs) + 1, sizeof *bytes);
  MlirLogicalResult result = constants && bytes
                                 ? createProgram(c, constants, bytes)
                                 : xlaOpNoMemory(c->function);
  free(constants);
  free(bytes);
  return result;
}

/// Reports what the device says.
static bool run(XlaExecutable *executable, const void *const *inputs,
                void *const *outputs) {
  XlaStatus status =
      xlaVulkanExecutableRun(executable->program, inputs, outputs);
  if (!status)
    return true;
  xlaErrorEmitStatus(mlirLocationUnknownGet(executable->context),
                     "the program failed on the device", status);
  return false;
}

static void destroy(void *program) { xlaVulkanExecutableDestroy(program); }

const XlaDevice xlaDeviceVulkan = {.isRemote = true,
                                   .describe = describe,
                                   .pieceBytes = pieceBytes,
                                   .emitKernel = xlaVulkanEmitKernel,
                                   .kernelUser = kernelUser,
                                   .generate = generate,
                                   .run = run,
                                   .destroy = destroy};

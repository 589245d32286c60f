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
#include <string.h>

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
  if (device.tileBytes > info->sharedBytes)
    device.tileBytes = info->sharedBytes;
  device.maxBuffers = rest > 8 ? rest : 8; // scratch and constants take some
  return device;
}

static int64_t pieceBytes(const XlaCompilation *c) {
  return xlaVulkanPieceBytes(infoOf(c));
}

static void *kernelUser(const XlaCompilation *c) { return (void *)infoOf(c); }

/// The program's constants: small ones in `memory`, where the assignment has
/// them, those between two large ones together; large ones where they are.
typedef struct Constants {
  char *memory;
  XlaVulkanConstant *items;
  intptr_t n;
} Constants;

enum { largeConstant = 1 << 16 };

static MlirLogicalResult addConstant(Constants *all, const XlaBuffer *buffer,
                                     MlirOperation op) {
  MlirAttribute value = xlaOpGetAttr(op, "value");
  XlaVulkanConstant *last = all->n ? &all->items[all->n - 1] : NULL;
  char *to = all->memory + buffer->offset;
  bool isView;
  XlaLiteral *literal = xlaLiteralViewAttribute(value, &isView);
  if (!literal)
    return xlaOpError(op, NULL, "has a value whose data cannot be read");
  const void *data = xlaLiteralGetData(literal);
  const int64_t bytes = (int64_t)xlaLiteralGetByteCount(literal);
  const bool isLarge = isView && bytes >= largeConstant;
  if (!isLarge && bytes)
    memcpy(to, data, (size_t)bytes);
  if (!isLarge && last && last->data == all->memory + last->offset &&
      last->offset + last->bytes <= buffer->offset)
    last->bytes = buffer->offset + bytes - last->offset;
  else
    all->items[all->n++] =
        (XlaVulkanConstant){buffer->offset, bytes, isLarge ? data : to};
  xlaLiteralRelease(literal);
  return success();
}

static MlirLogicalResult listConstants(XlaCompilation *c, Constants *all) {
  const XlaBufferAssignment *assignment = &c->assignment;
  all->memory = calloc(1, (size_t)assignment->constantBytes + 1);
  all->items = calloc((size_t)assignment->nBuffers + 1, sizeof *all->items);
  if (!all->memory || !all->items)
    return xlaOpNoMemory(c->function);
  for (intptr_t i = 0; i < assignment->nBuffers; ++i) {
    const XlaBuffer *buffer = &assignment->buffers[i];
    if (buffer->kind == XlaBufferKindConstant &&
        failed(addConstant(all, buffer, assignment->constants[buffer->index])))
      return failure();
  }
  return success();
}

static MlirLogicalResult
createProgram(XlaCompilation *c, const Constants *constants, int64_t *bytes) {
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
                                  .nConstants = constants->n,
                                  .constants = constants->items,
                                  .inputBytes = bytes,
                                  .outputBytes = bytes + e->nInputs,
                                  .aliases = e->aliases,
                                  .calls = &e->calls,
                                  .target = c->target,
                                  .options = &options};
  if (failed(xlaVulkanExecutableCreate(&info, &program)))
    return failure();
  e->program = program;
  e->stats.vulkan = *xlaVulkanExecutableGetStats(program);
  e->stats.constantBytes = e->stats.vulkan.constantBytes;
  e->stats.scratchBytes = e->stats.vulkan.scratchBytes;
  return success();
}

static MlirLogicalResult generate(XlaCompilation *c) {
  Constants constants = {.n = 0};
  int64_t *bytes =
      calloc((size_t)(c->host.nInputs + c->host.nOutputs) + 1, sizeof *bytes);
  MlirLogicalResult result =
      bytes ? listConstants(c, &constants) : xlaOpNoMemory(c->function);
  if (bytes && !failed(result))
    result = createProgram(c, &constants, bytes);
  free(constants.memory);
  free(constants.items);
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

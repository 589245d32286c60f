//===- program.c - Programs on Vulkan -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/clock.h"
#include "xlac/runtime/vulkan/program_internal.h"

#include <stdio.h>
#include <stdlib.h>

/// Half of a staging buffer: enough for the copy to be fast.
static const int64_t halfBytes = (int64_t)4 << 20;

// The pool holds inputs, outputs, constants, arena and scratch in this order.
XlaVulkanBuffer *xlaVulkanProgramBuffer(const XlaVulkanProgram *program,
                                        XlaVulkanMemory memory,
                                        intptr_t index) {
  XlaVulkanBuffer *buffers = program->pool.buffers;
  intptr_t nFirst = program->nInputs + program->nOutputs;
  switch (memory) {
  case XlaVulkanMemoryInput:
    return index >= 0 && index < program->nInputs ? &buffers[index] : NULL;
  case XlaVulkanMemoryOutput:
    return index >= 0 && index < program->nOutputs
               ? &buffers[program->nInputs + index]
               : NULL;
  case XlaVulkanMemoryConstant:
    return &buffers[nFirst];
  case XlaVulkanMemoryArena:
    return &buffers[nFirst + 1];
  case XlaVulkanMemoryScratch:
    return &buffers[nFirst + 2];
  }
  return NULL;
}

static void nameBuffer(intptr_t i, char *name, const void *user) {
  const XlaVulkanProgramInfo *info = user;
  static const char *const others[] = {"the constants", "the arena",
                                       "the scratch memory"};
  intptr_t nFirst = info->nInputs + info->nOutputs;
  if (i < info->nInputs)
    snprintf(name, 64, "input %lld", (long long)i);
  else if (i < nFirst)
    snprintf(name, 64, "output %lld", (long long)(i - info->nInputs));
  else
    snprintf(name, 64, "%s", others[i - nFirst]);
}

static void nameStaging(intptr_t i, char *name, const void *user) {
  snprintf(name, 64, "the staging buffer");
}

static XlaStatus allocateBuffers(XlaVulkanProgram *program,
                                 const XlaVulkanProgramInfo *info) {
  intptr_t nFirst = info->nInputs + info->nOutputs;
  int64_t *bytes = calloc((size_t)nFirst + 3, sizeof *bytes);
  if (!bytes)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %lld buffers",
                           (long long)nFirst + 3);
  for (intptr_t i = 0; i < info->nInputs; ++i)
    bytes[i] = info->inputBytes[i];
  for (intptr_t i = 0; i < info->nOutputs; ++i)
    bytes[info->nInputs + i] = info->outputBytes[i];
  bytes[nFirst] = info->constantBytes;
  bytes[nFirst + 1] = info->arenaBytes;
  bytes[nFirst + 2] = info->scratchBytes;
  XlaStatus status = xlaVulkanMemoryBlockCreate(
      program->device, XlaVulkanUseDevice, nFirst + 3, bytes, nameBuffer, info,
      &program->pool);
  free(bytes);
  return status;
}

/// Makes the staging buffer, where the host does not see the memory or reads it
/// slowly.
static XlaStatus allocateStaging(XlaVulkanProgram *program) {
  const VkMemoryPropertyFlags direct =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  if (program->pool.bytes == 0 || (program->pool.flags & direct) == direct)
    return NULL;
  // No transfer is larger than the largest buffer.
  int64_t half = 0;
  for (intptr_t i = 0; i < program->pool.nBuffers; ++i)
    if (program->pool.buffers[i].bytes > half)
      half = program->pool.buffers[i].bytes;
  half = half > halfBytes ? halfBytes : half;
  int64_t atom = program->device->physical.nonCoherentAtom;
  atom = atom < 64 ? 64 : atom;
  half = (half + atom - 1) / atom * atom;
  int64_t bytes = half * XlaVulkanHalves;
  XLA_RETURN_IF_ERROR(
      xlaVulkanMemoryBlockCreate(program->device, XlaVulkanUseStaging, 1,
                                 &bytes, nameStaging, NULL, &program->staging));
  for (int i = 0; i < XlaVulkanHalves; ++i)
    program->halves[i].position = half * i;
  program->maxCopy = half;
  return NULL;
}

static XlaStatus createTimeline(XlaVulkanProgram *program) {
  VkSemaphoreTypeCreateInfo type = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  VkSemaphoreCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
  VkResult result = program->device->instance.api.CreateSemaphore(
      program->device->handle, &create, NULL, &program->timeline);
  return result < 0 ? xlaVulkanFail(result, "no timeline for a program") : NULL;
}

static XlaStatus build(XlaVulkanProgram *program,
                       const XlaVulkanProgramInfo *info) {
  double start = xlaClockMilliseconds();
  XLA_RETURN_IF_ERROR(xlaVulkanProgramBuildPipelines(program, info));
  double compiled = xlaClockMilliseconds();
  program->stats.pipelineMs = compiled - start;
  XLA_RETURN_IF_ERROR(createTimeline(program));
  XLA_RETURN_IF_ERROR(allocateBuffers(program, info));
  XLA_RETURN_IF_ERROR(allocateStaging(program));
  program->stats.deviceBytes = program->pool.bytes + program->staging.bytes;
  XLA_RETURN_IF_ERROR(xlaVulkanProgramRecord(program, info));
  XLA_RETURN_IF_ERROR(xlaVulkanProgramWrite(
      program, xlaVulkanProgramBuffer(program, XlaVulkanMemoryConstant, 0), 0,
      info->constantBytes, info->constants));
  program->stats.recordMs = xlaClockMilliseconds() - compiled;
  return NULL;
}

XlaStatus xlaVulkanProgramCreate(XlaVulkanDevice *device,
                                 const XlaVulkanProgramInfo *info,
                                 XlaVulkanProgram **program) {
  *program = NULL;
  XLA_RETURN_IF_ERROR(xlaVulkanProgramCheck(&device->physical.info, info));
  XlaVulkanProgram *made = calloc(1, sizeof *made);
  if (!made)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a program");
  made->device = device;
  made->entry = info->entry;
  made->nInputs = info->nInputs;
  made->nOutputs = info->nOutputs;
  made->nRuns = info->nRuns;
  XlaStatus status = build(made, info);
  if (status) {
    xlaVulkanProgramDestroy(made);
    return status;
  }
  *program = made;
  return NULL;
}

/// Waits for the device, which must not use what is being destroyed.
static void settle(XlaVulkanProgram *program) {
  XlaStatus status = xlaVulkanProgramWait(program, program->submitted);
  if (status) {
    XlaVulkanDevice *device = program->device;
    pthread_mutex_lock(&device->queueMutex);
    (void)device->instance.api.DeviceWaitIdle(device->handle);
    pthread_mutex_unlock(&device->queueMutex);
  }
  xlaStatusDestroy(status);
}

void xlaVulkanProgramDestroy(XlaVulkanProgram *program) {
  if (!program)
    return;
  settle(program);
  const XlaVulkanDevice *device = program->device;
  const XlaVulkanApi *api = &device->instance.api;
  api->DestroyCommandPool(device->handle, program->commandPool, NULL);
  api->DestroyDescriptorPool(device->handle, program->descriptors, NULL);
  for (intptr_t i = 0; i < program->nShaders; ++i)
    api->DestroyPipeline(device->handle, program->pipelines[i], NULL);
  for (uint32_t i = 0; i <= device->physical.info.maxBindings; ++i) {
    if (program->layouts && program->layouts[i])
      api->DestroyPipelineLayout(device->handle, program->layouts[i], NULL);
    if (program->setLayouts && program->setLayouts[i])
      api->DestroyDescriptorSetLayout(device->handle, program->setLayouts[i],
                                      NULL);
  }
  xlaVulkanMemoryBlockDestroy(device, &program->pool);
  xlaVulkanMemoryBlockDestroy(device, &program->staging);
  api->DestroySemaphore(device->handle, program->timeline, NULL);
  free(program->setLayouts);
  free(program->layouts);
  free(program->pipelines);
  free(program->runs);
  xlaStatusDestroy(program->failure);
  free(program);
}

const XlaVulkanProgramStats *
xlaVulkanProgramGetStats(const XlaVulkanProgram *program) {
  return &program->stats;
}

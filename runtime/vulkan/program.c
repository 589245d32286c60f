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

/// Behind inputs and outputs.
enum { Constants, Arena, Scratch, Lists, OtherMemories };

static intptr_t memoryNumber(const XlaVulkanProgram *program,
                             const XlaVulkanSpan *span) {
  intptr_t nFirst = program->nInputs + program->nOutputs, i = span->index;
  switch (span->memory) {
  case XlaVulkanMemoryInput:
    return i >= 0 && i < program->nInputs ? i : -1;
  case XlaVulkanMemoryOutput:
    return i >= 0 && i < program->nOutputs ? program->nInputs + i : -1;
  case XlaVulkanMemoryConstant:
    return nFirst + Constants;
  case XlaVulkanMemoryArena:
    return nFirst + Arena;
  case XlaVulkanMemoryScratch:
    return nFirst + Scratch;
  case XlaVulkanMemoryAddresses:
    return nFirst + Lists;
  }
  return -1;
}

const XlaVulkanProgramMemory *
xlaVulkanProgramMemoryOf(const XlaVulkanProgram *program,
                         const XlaVulkanSpan *span) {
  intptr_t number = memoryNumber(program, span);
  return number < 0 ? NULL : &program->memories[number];
}

int64_t xlaVulkanProgramPart(const XlaVulkanProgram *program,
                             const XlaVulkanSpan *span, int64_t done,
                             const XlaVulkanBuffer **buffer, int64_t *offset) {
  const XlaVulkanProgramMemory *memory =
      xlaVulkanProgramMemoryOf(program, span);
  int64_t piece = memory->n > 1 ? program->pieceBytes : INT64_MAX;
  int64_t at = span->offset + done, left = span->bytes - done;
  *buffer = &program->pool.buffers[memory->first + at / piece];
  *offset = at % piece;
  return left < piece - *offset ? left : piece - *offset;
}

static void nameBuffer(intptr_t i, char *name, const void *user) {
  const XlaVulkanProgram *program = user;
  static const char *const others[] = {"the constants", "the arena",
                                       "the scratch memory",
                                       "the lists of addresses"};
  intptr_t nFirst = program->nInputs + program->nOutputs, number = 0;
  while (i >= program->memories[number].first + program->memories[number].n)
    ++number;
  const XlaVulkanProgramMemory *memory = &program->memories[number];
  int length = 0;
  if (memory->n > 1)
    length =
        snprintf(name, 64, "piece %lld of ", (long long)(i - memory->first));
  name += length;
  size_t room = 64 - (size_t)length;
  if (number < program->nInputs)
    snprintf(name, room, "input %lld", (long long)number);
  else if (number < nFirst)
    snprintf(name, room, "output %lld", (long long)(number - program->nInputs));
  else
    snprintf(name, room, "%s", others[number - nFirst]);
}

static void nameStaging(intptr_t i, char *name, const void *user) {
  snprintf(name, 64, "the staging buffer");
}

/// How long the memories are, and their pieces; the number of all pieces.
static intptr_t cutMemories(XlaVulkanProgram *program,
                            const XlaVulkanProgramInfo *info) {
  intptr_t nFirst = info->nInputs + info->nOutputs, n = 0;
  XlaVulkanProgramMemory *memories = program->memories;
  for (intptr_t i = 0; i < info->nInputs; ++i)
    memories[i].bytes = info->inputBytes[i];
  for (intptr_t i = 0; i < info->nOutputs; ++i)
    memories[info->nInputs + i].bytes = info->outputBytes[i];
  memories[nFirst + Constants].bytes = info->constantBytes;
  memories[nFirst + Arena].bytes = info->arenaBytes;
  memories[nFirst + Scratch].bytes = info->scratchBytes;
  memories[nFirst + Lists].bytes =
      xlaVulkanProgramAddressBytes(&program->device->physical.info, info, NULL);
  for (intptr_t i = 0; i < program->nMemories; ++i) {
    bool isWhole = !info->pieceBytes || i == nFirst + Constants ||
                   i == nFirst + Lists || memories[i].bytes == 0;
    memories[i].first = n;
    memories[i].n =
        isWhole ? 1
                : (intptr_t)((memories[i].bytes - 1) / info->pieceBytes + 1);
    n += memories[i].n;
  }
  return n;
}

static XlaStatus allocateBuffers(XlaVulkanProgram *program,
                                 const XlaVulkanProgramInfo *info) {
  program->nMemories = info->nInputs + info->nOutputs + OtherMemories;
  program->pieceBytes = info->pieceBytes;
  program->memories =
      calloc((size_t)program->nMemories, sizeof *program->memories);
  intptr_t n = program->memories ? cutMemories(program, info) : 0;
  int64_t *bytes = calloc((size_t)n + 1, sizeof *bytes);
  if (!bytes || !program->memories) {
    free(bytes);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %lld buffers",
                           (long long)program->nMemories);
  }
  for (intptr_t i = 0; i < program->nMemories; ++i) {
    const XlaVulkanProgramMemory *memory = &program->memories[i];
    for (intptr_t k = 0; k < memory->n; ++k)
      bytes[memory->first + k] = k + 1 < memory->n
                                     ? info->pieceBytes
                                     : memory->bytes - k * info->pieceBytes;
  }
  XlaVulkanUse use = program->memories[program->nMemories - 1].bytes
                         ? XlaVulkanUseAddress
                         : XlaVulkanUseDevice;
  XlaStatus status = xlaVulkanMemoryBlockCreate(
      program->device, use, n, bytes, nameBuffer, program, &program->pool);
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
  const XlaVulkanSpan constants = {XlaVulkanMemoryConstant, 0, 0,
                                   info->constantBytes};
  XLA_RETURN_IF_ERROR(
      xlaVulkanProgramWrite(program, &constants, info->constants));
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
  free(program->memories);
  xlaStatusDestroy(program->failure);
  free(program);
}

const XlaVulkanProgramStats *
xlaVulkanProgramGetStats(const XlaVulkanProgram *program) {
  return &program->stats;
}

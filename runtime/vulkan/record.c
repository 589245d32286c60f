//===- record.c - Runs become command buffers -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run waits for nothing at its start and ends with a barrier against all that
// it wrote: whatever follows it in the queue, another run, a transfer or the
// host, may touch everything. Within a run a barrier stands before a step that
// touches what one since the last barrier has written, or writes what it reads.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#include <stdlib.h>
#include <string.h>

/// So many spans are compared with those of the next step. A barrier more among
/// this many costs nothing.
enum { AccessesMax = 512 };

typedef struct Access {
  const XlaVulkanSpan *span;
  bool isWritten;
} Access;

/// A run that is being recorded.
typedef struct Recorder {
  XlaVulkanProgram *program;
  const XlaVulkanProgramInfo *info;
  VkCommandBuffer commands;
  VkDescriptorSet *sets; ///< by step
  int64_t *lists;        ///< by step: where its addresses lie
  // Since the last barrier:
  intptr_t nAccesses;
  Access accesses[AccessesMax];
  VkPipelineStageFlags stages;
  VkAccessFlags writes;
} Recorder;

enum {
  AllStages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
  AllWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
  AllReads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT,
};

void xlaVulkanRecordBarrier(const XlaVulkanDevice *device,
                            VkCommandBuffer commands) {
  VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = AllWrites,
                             .dstAccessMask = AllReads | AllWrites |
                                              VK_ACCESS_HOST_READ_BIT};
  device->instance.api.CmdPipelineBarrier(
      commands, AllStages, AllStages | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
      &barrier, 0, NULL, 0, NULL);
}

static bool overlap(const XlaVulkanSpan *a, const XlaVulkanSpan *b) {
  bool isIndexed =
      a->memory == XlaVulkanMemoryInput || a->memory == XlaVulkanMemoryOutput;
  return a->memory == b->memory && (!isIndexed || a->index == b->index) &&
         a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/// A copy writes its second span whatever the bits say.
static bool writes(const XlaVulkanStep *step, intptr_t span) {
  return step->shader < 0 ? span == 1 : (step->written >> span & 1) != 0;
}

static bool needsBarrier(const Recorder *recorder, const XlaVulkanStep *step) {
  if (recorder->nAccesses + step->nSpans > AccessesMax)
    return true;
  for (intptr_t i = 0; i < step->nSpans; ++i)
    for (intptr_t k = 0; k < recorder->nAccesses; ++k) {
      const Access *access = &recorder->accesses[k];
      if ((access->isWritten || writes(step, i)) &&
          overlap(access->span, &step->spans[i]))
        return true;
    }
  return false;
}

static void recordDependences(Recorder *recorder, const XlaVulkanStep *step) {
  bool isCopy = step->shader < 0;
  VkPipelineStageFlags stage = isCopy ? VK_PIPELINE_STAGE_TRANSFER_BIT
                                      : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  if (needsBarrier(recorder, step)) {
    // Later steps of the other kind may depend on the same ones.
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = recorder->writes,
                               .dstAccessMask = AllReads | AllWrites};
    recorder->program->device->instance.api.CmdPipelineBarrier(
        recorder->commands, recorder->stages, AllStages, 0, 1, &barrier, 0,
        NULL, 0, NULL);
    ++recorder->program->stats.nBarriers;
    recorder->nAccesses = 0;
    recorder->stages = 0;
    recorder->writes = 0;
  }
  for (intptr_t i = 0; i < step->nSpans; ++i)
    recorder->accesses[recorder->nAccesses++] =
        (Access){&step->spans[i], writes(step, i)};
  recorder->stages |= stage;
  recorder->writes |=
      isCopy ? VK_ACCESS_TRANSFER_WRITE_BIT : VK_ACCESS_SHADER_WRITE_BIT;
}

/// Bytes of one copy: Mesa's llvmpipe counts them in 32 bits, with a sign.
static const int64_t mostCopied = INT64_C(1) << 30;

static void recordCopy(Recorder *recorder, const XlaVulkanStep *step) {
  const XlaVulkanProgram *program = recorder->program;
  const XlaVulkanSpan *from = &step->spans[0], *to = &step->spans[1];
  int64_t n;
  for (int64_t done = 0; done < from->bytes; done += n) {
    const XlaVulkanBuffer *source, *target;
    int64_t sourceOffset, targetOffset;
    int64_t m = xlaVulkanProgramPart(program, to, done, &target, &targetOffset);
    n = xlaVulkanProgramPart(program, from, done, &source, &sourceOffset);
    n = n < m ? n : m;
    n = n < mostCopied ? n : mostCopied;
    VkBufferCopy range = {.srcOffset = (VkDeviceSize)sourceOffset,
                          .dstOffset = (VkDeviceSize)targetOffset,
                          .size = (VkDeviceSize)n};
    program->device->instance.api.CmdCopyBuffer(
        recorder->commands, source->handle, target->handle, 1, &range);
  }
}

/// Storage buffers that a dispatch binds.
static intptr_t setSize(const Recorder *recorder, const XlaVulkanStep *step) {
  return xlaVulkanShaderSetSize(&recorder->info->shaders[step->shader]);
}

static void recordDispatch(Recorder *recorder, intptr_t index) {
  XlaVulkanProgram *program = recorder->program;
  const XlaVulkanApi *api = &program->device->instance.api;
  const XlaVulkanStep *step = &recorder->info->steps[index];
  bool isNamed = api->CmdBeginDebugUtilsLabelEXT &&
                 api->CmdEndDebugUtilsLabelEXT &&
                 program->device->instance.hasDebugUtils;
  VkDebugUtilsLabelEXT label = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
      .pLabelName = recorder->info->shaders[step->shader].name};
  if (isNamed)
    api->CmdBeginDebugUtilsLabelEXT(recorder->commands, &label);
  api->CmdBindPipeline(recorder->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                       program->pipelines[step->shader]);
  if (step->nSpans > 0)
    api->CmdBindDescriptorSets(recorder->commands,
                               VK_PIPELINE_BIND_POINT_COMPUTE,
                               program->layouts[setSize(recorder, step)], 0, 1,
                               &recorder->sets[index], 0, NULL);
  api->CmdDispatch(recorder->commands, step->groups[0], step->groups[1],
                   step->groups[2]);
  if (isNamed)
    api->CmdEndDebugUtilsLabelEXT(recorder->commands);
  ++program->stats.nDispatches;
}

static XlaStatus recordRun(Recorder *recorder, intptr_t run) {
  const XlaVulkanApi *api = &recorder->program->device->instance.api;
  recorder->commands = recorder->program->runs[run];
  recorder->nAccesses = 0;
  recorder->stages = 0;
  recorder->writes = 0;
  // The host may append a run again before the device has finished it.
  VkCommandBufferBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
  VkResult result = api->BeginCommandBuffer(recorder->commands, &begin);
  if (result < 0)
    return xlaVulkanFail(result, "run %lld cannot be recorded", (long long)run);
  const XlaVulkanProgramInfo *info = recorder->info;
  for (intptr_t i = info->runs[run]; i < info->runs[run + 1]; ++i) {
    recordDependences(recorder, &info->steps[i]);
    if (info->steps[i].shader < 0)
      recordCopy(recorder, &info->steps[i]);
    else
      recordDispatch(recorder, i);
  }
  xlaVulkanRecordBarrier(recorder->program->device, recorder->commands);
  ++recorder->program->stats.nBarriers;
  result = api->EndCommandBuffer(recorder->commands);
  return result < 0 ? xlaVulkanFail(result, "run %lld cannot be recorded",
                                    (long long)run)
                    : NULL;
}

static XlaStatus allocateSets(Recorder *recorder, uint32_t nSets,
                              uint32_t nBindings) {
  XlaVulkanProgram *program = recorder->program;
  const XlaVulkanProgramInfo *info = recorder->info;
  const XlaVulkanApi *api = &program->device->instance.api;
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, nBindings};
  VkDescriptorPoolCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = nSets,
      .poolSizeCount = 1,
      .pPoolSizes = &size};
  VkResult result = api->CreateDescriptorPool(program->device->handle, &create,
                                              NULL, &program->descriptors);
  for (intptr_t i = 0; result >= 0 && i < info->nSteps; ++i) {
    const XlaVulkanStep *step = &info->steps[i];
    if (step->shader < 0 || step->nSpans == 0)
      continue;
    VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = program->descriptors,
        .descriptorSetCount = 1,
        .pSetLayouts = &program->setLayouts[setSize(recorder, step)]};
    result = api->AllocateDescriptorSets(program->device->handle, &allocate,
                                         &recorder->sets[i]);
  }
  return result < 0
             ? xlaVulkanFail(result, "no memory for %u sets of %u descriptors",
                             nSets, nBindings)
             : NULL;
}

/// Addresses that a shader has of a span.
static int64_t piecesOf(const XlaVulkanProgramInfo *info,
                        const XlaVulkanSpan *span) {
  return info->pieceBytes ? (span->bytes - 1) / info->pieceBytes + 1 : 1;
}

/// Bytes of a dispatch's list of addresses.
static int64_t listBytes(const XlaVulkanProgramInfo *info,
                         const XlaVulkanStep *step) {
  int64_t n = 0;
  for (intptr_t i = 0; i < step->nSpans; ++i)
    n += piecesOf(info, &step->spans[i]);
  return 8 * n;
}

static void writeSet(const Recorder *recorder, intptr_t index) {
  const XlaVulkanProgram *program = recorder->program;
  const XlaVulkanStep *step = &recorder->info->steps[index];
  VkDescriptorBufferInfo buffers[64]; // maxBindings at most
  bool usesAddresses = recorder->info->shaders[step->shader].usesAddresses;
  const XlaVulkanSpan list = {XlaVulkanMemoryAddresses, 0,
                              recorder->lists[index],
                              listBytes(recorder->info, step)};
  for (intptr_t i = 0; i < setSize(recorder, step); ++i) {
    const XlaVulkanSpan *span = usesAddresses ? &list : &step->spans[i];
    const XlaVulkanBuffer *buffer;
    int64_t offset;
    int64_t bytes = xlaVulkanProgramPart(program, span, 0, &buffer, &offset);
    buffers[i] = (VkDescriptorBufferInfo){buffer->handle, (VkDeviceSize)offset,
                                          (VkDeviceSize)bytes};
  }
  // Bindings of one type follow each other: one write fills all.
  VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = recorder->sets[index],
      .descriptorCount = (uint32_t)setSize(recorder, step),
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .pBufferInfo = buffers};
  program->device->instance.api.UpdateDescriptorSets(program->device->handle, 1,
                                                     &write, 0, NULL);
}

static XlaStatus makeSets(Recorder *recorder) {
  const XlaVulkanProgramInfo *info = recorder->info;
  uint64_t nSets = 0, nBindings = 0;
  for (intptr_t i = 0; i < info->nSteps; ++i)
    if (info->steps[i].shader >= 0 && info->steps[i].nSpans > 0) {
      ++nSets;
      nBindings += (uint64_t)setSize(recorder, &info->steps[i]);
    }
  if (nSets == 0)
    return NULL;
  if (nBindings > UINT32_MAX)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "%llu descriptors are more than Vulkan can count",
                           (unsigned long long)nBindings);
  XLA_RETURN_IF_ERROR(
      allocateSets(recorder, (uint32_t)nSets, (uint32_t)nBindings));
  for (intptr_t i = 0; i < info->nSteps; ++i)
    if (recorder->sets[i])
      writeSet(recorder, i);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

int64_t xlaVulkanProgramAddressBytes(const XlaVulkanInfo *device,
                                     const XlaVulkanProgramInfo *info,
                                     int64_t *offsets) {
  int64_t bytes = 0, alignment = device->offsetAlignment;
  for (intptr_t i = 0; i < info->nSteps; ++i) {
    const XlaVulkanStep *step = &info->steps[i];
    if (step->shader < 0 || !info->shaders[step->shader].usesAddresses)
      continue;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (offsets)
      offsets[i] = bytes;
    bytes += listBytes(info, step);
  }
  return bytes;
}

static uint64_t addressOf(const XlaVulkanProgram *program,
                          const XlaVulkanSpan *span, int64_t from) {
  const XlaVulkanBuffer *buffer;
  int64_t offset;
  (void)xlaVulkanProgramPart(program, span, from, &buffer, &offset);
  VkBufferDeviceAddressInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
      .buffer = buffer->handle};
  return program->device->instance.api.GetBufferDeviceAddress(
             program->device->handle, &info) +
         (uint64_t)offset;
}

/// Writes the lists of addresses, which stay as they are.
static XlaStatus writeAddresses(const Recorder *recorder, int64_t bytes) {
  XlaVulkanProgram *program = recorder->program;
  const XlaVulkanProgramInfo *info = recorder->info;
  char *lists = calloc(1, (size_t)bytes);
  if (!lists)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for %lld bytes of addresses",
                           (long long)bytes);
  for (intptr_t i = 0; i < info->nSteps; ++i) {
    const XlaVulkanStep *step = &info->steps[i];
    if (step->shader < 0 || !info->shaders[step->shader].usesAddresses)
      continue;
    char *at = lists + recorder->lists[i];
    for (intptr_t k = 0; k < step->nSpans; ++k)
      for (int64_t p = 0; p < piecesOf(info, &step->spans[k]); ++p, at += 8) {
        uint64_t address =
            addressOf(program, &step->spans[k], p * info->pieceBytes);
        memcpy(at, &address, 8);
      }
  }
  const XlaVulkanSpan all = {XlaVulkanMemoryAddresses, 0, 0, bytes};
  XlaStatus status = xlaVulkanProgramWrite(program, &all, lists);
  free(lists);
  return status;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

XlaStatus xlaVulkanAllocateCommands(XlaVulkanProgram *program, uint32_t n,
                                    VkCommandBuffer *commands) {
  VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = program->commandPool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = n};
  VkResult result = program->device->instance.api.AllocateCommandBuffers(
      program->device->handle, &allocate, commands);
  return result < 0
             ? xlaVulkanFail(result, "no memory for %u command buffers", n)
             : NULL;
}

static XlaStatus makeCommands(XlaVulkanProgram *program) {
  VkCommandPoolCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
      .queueFamilyIndex = program->device->physical.queueFamily};
  VkResult result = program->device->instance.api.CreateCommandPool(
      program->device->handle, &create, NULL, &program->commandPool);
  if (result < 0)
    return xlaVulkanFail(result, "no memory for commands");
  for (int i = 0; i < XlaVulkanHalves && program->maxCopy > 0; ++i)
    XLA_RETURN_IF_ERROR(
        xlaVulkanAllocateCommands(program, 1, &program->halves[i].commands));
  if (program->entry)
    XLA_RETURN_IF_ERROR(xlaVulkanProgramMakeSetters(program));
  program->runs = calloc(program->nRuns ? (size_t)program->nRuns : 1,
                         sizeof *program->runs);
  if (!program->runs || program->nRuns > UINT32_MAX)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for %lld runs",
                           (long long)program->nRuns);
  return program->nRuns == 0
             ? NULL
             : xlaVulkanAllocateCommands(program, (uint32_t)program->nRuns,
                                         program->runs);
}

XlaStatus xlaVulkanProgramRecord(XlaVulkanProgram *program,
                                 const XlaVulkanProgramInfo *info) {
  XLA_RETURN_IF_ERROR(makeCommands(program));
  Recorder *recorder = calloc(1, sizeof *recorder);
  VkDescriptorSet *sets =
      calloc(info->nSteps ? (size_t)info->nSteps : 1, sizeof *sets);
  int64_t *lists =
      calloc(info->nSteps ? (size_t)info->nSteps : 1, sizeof *lists);
  XlaStatus status = NULL;
  if (!recorder || !sets || !lists) {
    status = xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                             "no memory to record %lld steps",
                             (long long)info->nSteps);
  } else {
    recorder->program = program;
    recorder->info = info;
    recorder->sets = sets;
    recorder->lists = lists;
    int64_t bytes = xlaVulkanProgramAddressBytes(
        &program->device->physical.info, info, lists);
    status = makeSets(recorder);
    if (!status && bytes)
      status = writeAddresses(recorder, bytes);
    for (intptr_t i = 0; !status && i < info->nRuns; ++i)
      status = recordRun(recorder, i);
  }
  free(recorder);
  free(sets);
  free(lists);
  return status;
}

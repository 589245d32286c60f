//===- sets.c - What dispatches bind --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of dispatches that touch neither inputs nor outputs are written
// once, when the program is made; the others for each binding. The same holds
// for lists of addresses.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#include <stdlib.h>
#include <string.h>

static intptr_t setSize(const XlaVulkanProgram *program,
                        const XlaVulkanPlanStep *step) {
  return xlaVulkanShaderSetSize(&program->shaders[step->shader]);
}

static bool usesAddresses(const XlaVulkanProgram *program,
                          const XlaVulkanPlanStep *step) {
  return program->shaders[step->shader].usesAddresses;
}

/// Addresses that a shader has of a span.
static int64_t piecesOf(const XlaVulkanProgram *program,
                        const XlaVulkanSpan *span) {
  return program->pieceBytes ? (span->bytes - 1) / program->pieceBytes + 1 : 1;
}

/// Bytes of a dispatch's list of addresses.
static int64_t listBytes(const XlaVulkanProgram *program,
                         const XlaVulkanPlanStep *step) {
  int64_t n = 0;
  for (intptr_t i = 0; i < step->nSpans; ++i)
    n += piecesOf(program, &step->spans[i]);
  return 8 * n;
}

XlaStatus xlaVulkanSetsCount(XlaVulkanProgram *program) {
  int64_t alignment = program->device->physical.info.offsetAlignment;
  for (intptr_t i = 0; i < program->nSteps; ++i) {
    XlaVulkanPlanStep *step = &program->steps[i];
    XlaVulkanSets *sets = step->isBound ? &program->bound : &program->sets;
    if (step->shader < 0 || step->nSpans == 0)
      continue;
    step->set = sets->n++;
    sets->nDescriptors += setSize(program, step);
    if (!usesAddresses(program, step))
      continue;
    step->list = (sets->listBytes + alignment - 1) / alignment * alignment;
    sets->listBytes = step->list + listBytes(program, step);
  }
  intptr_t most = program->bound.nDescriptors > program->sets.nDescriptors
                      ? program->bound.nDescriptors
                      : program->sets.nDescriptors;
  return most <= UINT32_MAX
             ? NULL
             : xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                               "%lld descriptors are more than Vulkan can "
                               "count",
                               (long long)most);
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static XlaStatus allocateSets(XlaVulkanProgram *program, bool isBound,
                              XlaVulkanSets *sets,
                              VkDescriptorSetLayout *layouts) {
  XlaVulkanDevice *device = program->device;
  const XlaVulkanApi *api = &device->instance.api;
  for (intptr_t i = 0; i < program->nSteps; ++i) {
    const XlaVulkanPlanStep *step = &program->steps[i];
    if (step->set >= 0 && step->isBound == isBound)
      layouts[step->set] = program->setLayouts[setSize(program, step)];
  }
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               (uint32_t)sets->nDescriptors};
  VkDescriptorPoolCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = (uint32_t)sets->n,
      .poolSizeCount = 1,
      .pPoolSizes = &size};
  VkResult result =
      api->CreateDescriptorPool(device->handle, &create, NULL, &sets->pool);
  if (result >= 0) {
    VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = sets->pool,
        .descriptorSetCount = (uint32_t)sets->n,
        .pSetLayouts = layouts};
    result = api->AllocateDescriptorSets(device->handle, &allocate, sets->sets);
  }
  return result < 0
             ? xlaVulkanFail(result,
                             "no memory for %lld sets of %lld descriptors",
                             (long long)sets->n, (long long)sets->nDescriptors)
             : NULL;
}

/// Makes the sets that are counted.
static XlaStatus makeSets(XlaVulkanProgram *program, bool isBound,
                          XlaVulkanSets *sets) {
  if (sets->n == 0 || sets->pool)
    return NULL;
  VkDescriptorSetLayout *layouts = calloc((size_t)sets->n, sizeof *layouts);
  sets->sets = calloc((size_t)sets->n, sizeof(VkDescriptorSet));
  XlaStatus status = layouts && sets->sets
                         ? allocateSets(program, isBound, sets, layouts)
                         : xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                                           "no memory for a list of %lld sets",
                                           (long long)sets->n);
  free(layouts);
  if (!status)
    return NULL;
  if (sets->pool)
    program->device->instance.api.DestroyDescriptorPool(program->device->handle,
                                                        sets->pool, NULL);
  free(sets->sets);
  sets->pool = VK_NULL_HANDLE;
  sets->sets = NULL;
  return status;
}

void xlaVulkanSetsDestroy(XlaVulkanProgram *program, XlaVulkanSets *sets) {
  if (sets->pool)
    program->device->instance.api.DestroyDescriptorPool(program->device->handle,
                                                        sets->pool, NULL);
  free(sets->sets);
  xlaVulkanArrayDestroy(sets->lists);
  *sets = (XlaVulkanSets){0};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeSet(const XlaVulkanProgram *program,
                     const XlaVulkanPlanStep *step, const XlaVulkanSets *sets) {
  VkDescriptorBufferInfo buffers[XlaVulkanDescriptorsMax];
  bool isList = usesAddresses(program, step);
  for (intptr_t i = 0; i < setSize(program, step); ++i) {
    XlaVulkanPart part =
        isList ? xlaVulkanArrayPart(sets->lists, step->list,
                                    listBytes(program, step))
               : xlaVulkanProgramPart(program, &step->spans[i], 0);
    buffers[i] =
        (VkDescriptorBufferInfo){part.buffer->handle, (VkDeviceSize)part.offset,
                                 (VkDeviceSize)part.bytes};
  }
  // Bindings of one type follow each other: one write fills all.
  VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = sets->sets[step->set],
      .descriptorCount = (uint32_t)setSize(program, step),
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .pBufferInfo = buffers};
  program->device->instance.api.UpdateDescriptorSets(program->device->handle, 1,
                                                     &write, 0, NULL);
}

static void fillList(const XlaVulkanProgram *program,
                     const XlaVulkanPlanStep *step, char *at) {
  for (intptr_t k = 0; k < step->nSpans; ++k)
    for (int64_t p = 0; p < piecesOf(program, &step->spans[k]); ++p, at += 8) {
      XlaVulkanPart part = xlaVulkanProgramPart(program, &step->spans[k],
                                                p * program->pieceBytes);
      uint64_t address = part.buffer->address + (uint64_t)part.offset;
      memcpy(at, &address, 8);
    }
}

static XlaStatus writeLists(XlaVulkanProgram *program, bool isBound,
                            XlaVulkanSets *sets) {
  if (sets->listBytes == 0)
    return NULL;
  if (!sets->lists)
    XLA_RETURN_IF_ERROR(xlaVulkanArrayCreateInPieces(
        program->device, sets->listBytes, 0, &sets->lists));
  char *lists = calloc(1, (size_t)sets->listBytes);
  if (!lists)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for %lld bytes of addresses",
                           (long long)sets->listBytes);
  for (intptr_t i = 0; i < program->nSteps; ++i) {
    const XlaVulkanPlanStep *step = &program->steps[i];
    if (step->set >= 0 && step->isBound == isBound &&
        usesAddresses(program, step))
      fillList(program, step, lists + step->list);
  }
  XlaStatus status =
      xlaVulkanArrayWrite(sets->lists, 0, sets->listBytes, lists);
  free(lists);
  return status;
}

XlaStatus xlaVulkanSetsWrite(XlaVulkanProgram *program, bool isBound,
                             XlaVulkanSets *sets) {
  XLA_RETURN_IF_ERROR(makeSets(program, isBound, sets));
  XLA_RETURN_IF_ERROR(writeLists(program, isBound, sets));
  for (intptr_t i = 0; i < program->nSteps; ++i) {
    const XlaVulkanPlanStep *step = &program->steps[i];
    if (step->set >= 0 && step->isBound == isBound)
      writeSet(program, step, sets);
  }
  return NULL;
}

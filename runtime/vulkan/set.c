//===- set.c - Scalars that the host sets between runs --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host is iterations ahead of the device: it cannot write to the memory
// itself. The bytes travel in a command buffer between two runs, which ends, as
// runs do, with a barrier against all that it wrote.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

XlaStatus xlaVulkanProgramMakeSetters(XlaVulkanProgram *program) {
  for (int i = 0; i < XlaVulkanSettersMax; ++i)
    XLA_RETURN_IF_ERROR(
        xlaVulkanCommandsAllocate(program->device, program->commandPool, 1,
                                  &program->setters[i].commands));
  return NULL;
}

static XlaStatus begin(XlaVulkanProgram *program) {
  const XlaVulkanSetter *setter = &program->setters[program->setter];
  XLA_RETURN_IF_ERROR(xlaVulkanDeviceWait(program->device, setter->number));
  VkCommandBufferBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  VkResult result = program->device->instance.api.BeginCommandBuffer(
      setter->commands, &begin);
  if (result < 0)
    return xlaVulkanFail(result, "scalars cannot be recorded");
  program->nSet = 0;
  program->isSetting = true;
  return NULL;
}

XlaStatus xlaVulkanProgramEndSet(XlaVulkanProgram *program) {
  if (!program->isSetting)
    return NULL;
  const XlaVulkanSetter *setter = &program->setters[program->setter];
  program->isSetting = false;
  program->setter = (program->setter + 1) % XlaVulkanSettersMax;
  xlaVulkanQueueBarrier(program->device, setter->commands);
  VkResult result =
      program->device->instance.api.EndCommandBuffer(setter->commands);
  if (result < 0)
    return xlaVulkanFail(result, "scalars cannot be recorded");
  return xlaVulkanProgramPush(program, setter->commands);
}

/// Notes that the span is written, with a barrier if that was so before.
static void order(XlaVulkanProgram *program, const XlaVulkanSpan *span) {
  bool isFree = program->nSet < XlaVulkanSetMax;
  for (int i = 0; isFree && i < program->nSet; ++i)
    isFree = program->set[i].memory != span->memory ||
             program->set[i].index != span->index ||
             program->set[i].offset != span->offset;
  if (!isFree) {
    xlaVulkanQueueBarrier(program->device,
                          program->setters[program->setter].commands);
    program->nSet = 0;
  }
  program->set[program->nSet++] = *span;
}

static XlaStatus set(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                     int64_t value) {
  XLA_RETURN_IF_ERROR(xlaVulkanProgramCheckSpan(program, span));
  int64_t bytes = span->bytes;
  if (!program->entry ||
      (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) ||
      span->offset % 4)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "%lld bytes at %lld are set as a scalar",
                           (long long)bytes, (long long)span->offset);
  XlaVulkanPart part = xlaVulkanProgramPart(program, span, 0);
  bool isIdle = !program->isSetting && program->nPending == 0 &&
                xlaVulkanQueueHasReached(program->device, program->last);
  if (isIdle && part.buffer->mapped)
    return xlaVulkanProgramWrite(program, span, &value);
  if (!program->isSetting)
    XLA_RETURN_IF_ERROR(begin(program));
  order(program, span);
  program->device->instance.api.CmdUpdateBuffer(
      program->setters[program->setter].commands, part.buffer->handle,
      (VkDeviceSize)part.offset, bytes < 4 ? 4 : (VkDeviceSize)bytes, &value);
  return NULL;
}

void xlaVulkanProgramSet(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                         int64_t value) {
  if (!program->failure)
    program->failure = set(program, span, value);
}

//===- transfer.c - Between the host and a program's memory ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host sees the memory it copies itself, after the device has
// finished. Reading memory that the processor does not cache is very slow
// however, and some memory it does not see: then the device copies through a
// staging buffer, one half of it while the host is busy with the other.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#include <string.h>

/// Takes the next half, and waits until the device has done with it.
static XlaStatus takeHalf(XlaVulkanProgram *program, XlaVulkanStaging **half) {
  XlaVulkanStaging *taken = &program->halves[program->half];
  program->half = (program->half + 1) % XlaVulkanHalves;
  XLA_RETURN_IF_ERROR(xlaVulkanProgramWait(program, taken->value));
  *half = taken;
  return NULL;
}

/// Submits a copy between a half and a buffer.
static XlaStatus submitCopy(XlaVulkanProgram *program, XlaVulkanStaging *half,
                            const XlaVulkanBuffer *buffer, int64_t offset,
                            int64_t bytes, bool toBuffer) {
  const XlaVulkanApi *api = &program->device->instance.api;
  VkCommandBufferBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  VkResult result = api->BeginCommandBuffer(half->commands, &begin);
  if (result < 0)
    return xlaVulkanFail(result, "a transfer cannot be recorded");
  VkBuffer staging = program->staging.buffers[0].handle;
  VkDeviceSize here = (VkDeviceSize)half->position;
  VkDeviceSize there = (VkDeviceSize)offset;
  VkBufferCopy range = {.srcOffset = toBuffer ? here : there,
                        .dstOffset = toBuffer ? there : here,
                        .size = (VkDeviceSize)bytes};
  api->CmdCopyBuffer(half->commands, toBuffer ? staging : buffer->handle,
                     toBuffer ? buffer->handle : staging, 1, &range);
  xlaVulkanRecordBarrier(program->device, half->commands);
  result = api->EndCommandBuffer(half->commands);
  if (result < 0)
    return xlaVulkanFail(result, "a transfer cannot be recorded");
  XLA_RETURN_IF_ERROR(xlaVulkanProgramAppend(program, half->commands));
  XLA_RETURN_IF_ERROR(xlaVulkanProgramSubmit(program));
  half->value = program->submitted; // what was not submitted never ends
  return NULL;
}

static XlaStatus writeStaged(XlaVulkanProgram *program,
                             const XlaVulkanBuffer *buffer, int64_t offset,
                             int64_t bytes, const void *data) {
  const XlaVulkanBuffer *staging = &program->staging.buffers[0];
  XlaVulkanStaging *half = NULL;
  for (int64_t done = 0; done < bytes;) {
    int64_t n =
        bytes - done < program->maxCopy ? bytes - done : program->maxCopy;
    XLA_RETURN_IF_ERROR(takeHalf(program, &half));
    memcpy(staging->mapped + half->position, (const char *)data + done,
           (size_t)n);
    XLA_RETURN_IF_ERROR(xlaVulkanMemoryBlockFlush(
        program->device, &program->staging, staging, half->position, n));
    XLA_RETURN_IF_ERROR(
        submitCopy(program, half, buffer, offset + done, n, true));
    done += n;
  }
  return NULL;
}

/// A part of one piece.
static XlaStatus writePart(XlaVulkanProgram *program,
                           const XlaVulkanBuffer *buffer, int64_t offset,
                           int64_t bytes, const void *data) {
  if (!buffer->mapped)
    return writeStaged(program, buffer, offset, bytes, data);
  XLA_RETURN_IF_ERROR(xlaVulkanProgramFinish(program));
  // Flushing writes whole atoms: what lies beside the range has to be new.
  XLA_RETURN_IF_ERROR(xlaVulkanMemoryBlockInvalidate(
      program->device, &program->pool, buffer, offset, bytes));
  memcpy(buffer->mapped + offset, data, (size_t)bytes);
  return xlaVulkanMemoryBlockFlush(program->device, &program->pool, buffer,
                                   offset, bytes);
}

XlaStatus xlaVulkanProgramWrite(XlaVulkanProgram *program,
                                const XlaVulkanSpan *span, const void *data) {
  const XlaVulkanBuffer *buffer;
  int64_t offset, n;
  for (int64_t done = 0; done < span->bytes; done += n) {
    n = xlaVulkanProgramPart(program, span, done, &buffer, &offset);
    XLA_RETURN_IF_ERROR(
        writePart(program, buffer, offset, n, (const char *)data + done));
  }
  return NULL;
}

/// A part of a range that is being read.
typedef struct Part {
  XlaVulkanStaging *half;
  int64_t done, bytes;
} Part;

/// Copies a part that the device has brought to the host.
static XlaStatus takePart(XlaVulkanProgram *program, const Part *part,
                          char *data) {
  const XlaVulkanBuffer *staging = &program->staging.buffers[0];
  XLA_RETURN_IF_ERROR(xlaVulkanProgramWait(program, part->half->value));
  XLA_RETURN_IF_ERROR(xlaVulkanMemoryBlockInvalidate(
      program->device, &program->staging, staging, part->half->position,
      part->bytes));
  memcpy(data + part->done, staging->mapped + part->half->position,
         (size_t)part->bytes);
  return NULL;
}

static XlaStatus readStaged(XlaVulkanProgram *program,
                            const XlaVulkanBuffer *buffer, int64_t offset,
                            int64_t bytes, char *data) {
  Part last = {0};
  for (int64_t done = 0; done < bytes;) {
    Part part = {.done = done, .bytes = bytes - done};
    if (part.bytes > program->maxCopy)
      part.bytes = program->maxCopy;
    XLA_RETURN_IF_ERROR(takeHalf(program, &part.half));
    XLA_RETURN_IF_ERROR(submitCopy(program, part.half, buffer, offset + done,
                                   part.bytes, false));
    if (last.half)
      XLA_RETURN_IF_ERROR(takePart(program, &last, data));
    last = part;
    done += part.bytes;
  }
  return last.half ? takePart(program, &last, data) : NULL;
}

/// A part of one piece.
static XlaStatus readPart(XlaVulkanProgram *program,
                          const XlaVulkanBuffer *buffer, int64_t offset,
                          int64_t bytes, char *data) {
  if (program->maxCopy > 0)
    return readStaged(program, buffer, offset, bytes, data);
  XLA_RETURN_IF_ERROR(xlaVulkanProgramFinish(program));
  XLA_RETURN_IF_ERROR(xlaVulkanMemoryBlockInvalidate(
      program->device, &program->pool, buffer, offset, bytes));
  memcpy(data, buffer->mapped + offset, (size_t)bytes);
  return NULL;
}

XlaStatus xlaVulkanProgramRead(XlaVulkanProgram *program,
                               const XlaVulkanSpan *span, void *data) {
  const XlaVulkanBuffer *buffer;
  int64_t offset, n;
  for (int64_t done = 0; done < span->bytes; done += n) {
    n = xlaVulkanProgramPart(program, span, done, &buffer, &offset);
    XLA_RETURN_IF_ERROR(
        readPart(program, buffer, offset, n, (char *)data + done));
  }
  return NULL;
}

/// All of an input or output.
static XlaVulkanSpan whole(const XlaVulkanProgram *program,
                           XlaVulkanMemory memory, intptr_t i) {
  XlaVulkanSpan span = {memory, i, 0, 0};
  span.bytes = xlaVulkanProgramMemoryOf(program, &span)->bytes;
  return span;
}

XlaStatus xlaVulkanProgramWriteInputs(XlaVulkanProgram *program,
                                      const void *const *inputs) {
  for (intptr_t i = 0; i < program->nInputs; ++i) {
    const XlaVulkanSpan span = whole(program, XlaVulkanMemoryInput, i);
    XLA_RETURN_IF_ERROR(xlaVulkanProgramWrite(program, &span, inputs[i]));
  }
  return NULL;
}

XlaStatus xlaVulkanProgramReadOutputs(XlaVulkanProgram *program,
                                      void *const *outputs) {
  for (intptr_t i = 0; i < program->nOutputs; ++i) {
    const XlaVulkanSpan span = whole(program, XlaVulkanMemoryOutput, i);
    XLA_RETURN_IF_ERROR(xlaVulkanProgramRead(program, &span, outputs[i]));
  }
  return NULL;
}

//===- execute.c - What a program asks of the queue -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Submissions of a program are numbered; its timeline semaphore reaches a
// number when that submission is finished. Appended command buffers are
// submitted several at a time: a submission costs as much as many dispatches.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#include <string.h>

XlaStatus xlaVulkanProgramWait(XlaVulkanProgram *program, uint64_t value) {
  if (value <= program->finished)
    return NULL;
  VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                              .semaphoreCount = 1,
                              .pSemaphores = &program->timeline,
                              .pValues = &value};
  VkResult result = program->device->instance.api.WaitSemaphores(
      program->device->handle, &wait, UINT64_MAX);
  if (result != VK_SUCCESS)
    return xlaVulkanFail(result, "waiting for %s",
                         program->device->physical.info.name);
  program->finished = value;
  return NULL;
}

static XlaStatus submitPending(XlaVulkanProgram *program) {
  if (program->nPending == 0)
    return NULL;
  uint32_t n = program->nPending;
  program->nPending = 0;
  if (program->submitted - program->finished >= XlaVulkanDepthMax)
    XLA_RETURN_IF_ERROR(xlaVulkanProgramWait(
        program, program->submitted - XlaVulkanDepthMax / 2));
  uint64_t value = program->submitted + 1;
  VkTimelineSemaphoreSubmitInfo timeline = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .signalSemaphoreValueCount = 1,
      .pSignalSemaphoreValues = &value};
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &timeline,
                         .commandBufferCount = n,
                         .pCommandBuffers = program->pending,
                         .signalSemaphoreCount = 1,
                         .pSignalSemaphores = &program->timeline};
  XlaVulkanDevice *device = program->device;
  pthread_mutex_lock(&device->queueMutex);
  VkResult result = device->instance.api.QueueSubmit(device->queue, 1, &submit,
                                                     VK_NULL_HANDLE);
  pthread_mutex_unlock(&device->queueMutex);
  if (result < 0)
    return xlaVulkanFail(result, "work cannot be given to %s",
                         device->physical.info.name);
  program->submitted = value;
  return NULL;
}

XlaStatus xlaVulkanProgramSubmit(XlaVulkanProgram *program) {
  XLA_RETURN_IF_ERROR(xlaVulkanProgramEndSet(program));
  return submitPending(program);
}

XlaStatus xlaVulkanProgramPush(XlaVulkanProgram *program,
                               VkCommandBuffer commands) {
  program->pending[program->nPending++] = commands;
  return program->nPending == XlaVulkanPendingMax ? submitPending(program)
                                                  : NULL;
}

XlaStatus xlaVulkanProgramAppend(XlaVulkanProgram *program,
                                 VkCommandBuffer commands) {
  XLA_RETURN_IF_ERROR(xlaVulkanProgramEndSet(program));
  return xlaVulkanProgramPush(program, commands);
}

XlaStatus xlaVulkanProgramFinish(XlaVulkanProgram *program) {
  XLA_RETURN_IF_ERROR(xlaVulkanProgramSubmit(program));
  return xlaVulkanProgramWait(program, program->submitted);
}

/// Keeps the first failure of an execution.
static void note(XlaVulkanProgram *program, XlaStatus status) {
  if (!program->failure)
    program->failure = status;
  else
    xlaStatusDestroy(status);
}

void xlaVulkanProgramLaunch(XlaVulkanProgram *program, intptr_t run) {
  if (program->failure)
    return;
  if (run < 0 || run >= program->nRuns)
    note(program, xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                                  "run %lld of %lld is launched",
                                  (long long)run, (long long)program->nRuns));
  else
    note(program, xlaVulkanProgramAppend(program, program->runs[run]));
}

void xlaVulkanProgramLoad(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                          void *data) {
  if (!program->failure)
    note(program, xlaVulkanProgramCheckSpan(program, span));
  if (!program->failure)
    note(program, xlaVulkanProgramRead(program, span, data));
  if (program->failure && span->bytes > 0)
    memset(data, 0, (size_t)span->bytes);
}

void xlaVulkanProgramStore(XlaVulkanProgram *program, const XlaVulkanSpan *span,
                           const void *data) {
  if (!program->failure)
    note(program, xlaVulkanProgramCheckSpan(program, span));
  if (!program->failure)
    note(program, xlaVulkanProgramWrite(program, span, data));
}

XlaStatus xlaVulkanProgramExecute(XlaVulkanProgram *program, void *user) {
  if (program->entry)
    program->entry(program, user);
  else if (program->nRuns > 0)
    xlaVulkanProgramLaunch(program, 0);
  if (program->failure) { // what would follow the failed part
    program->nPending = 0;
    program->isSetting = false;
  }
  note(program, xlaVulkanProgramFinish(program));
  XlaStatus status = program->failure;
  program->failure = NULL;
  return status;
}

//===- execute.c - What a program asks of the queue -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Appended command buffers are submitted several at a time: a submission costs
// as much as many dispatches.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#include <string.h>

/// Waits if an entry is far ahead of the device.
static XlaStatus limitDepth(XlaVulkanProgram *program) {
  XlaVulkanDevice *device = program->device;
  const uint64_t *recent = program->recent;
  int next = program->nextRecent;
  if (!program->entry || xlaVulkanQueueHasReached(device, recent[next]))
    return NULL;
  return xlaVulkanDeviceWait(
      device, recent[(next + XlaVulkanDepthMax / 2) % XlaVulkanDepthMax]);
}

static XlaStatus submitPending(XlaVulkanProgram *program) {
  if (program->nPending == 0)
    return NULL;
  uint32_t n = program->nPending;
  program->nPending = 0;
  XLA_RETURN_IF_ERROR(limitDepth(program));
  XLA_RETURN_IF_ERROR(xlaVulkanQueueSubmit(program->device, n, program->pending,
                                           &program->last));
  program->recent[program->nextRecent] = program->last;
  program->nextRecent = (program->nextRecent + 1) % XlaVulkanDepthMax;
  for (; program->setterPending != program->setter;
       program->setterPending =
           (program->setterPending + 1) % XlaVulkanSettersMax)
    program->setters[program->setterPending].number = program->last;
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

//===----------------------------------------------------------------------===//
// For entries
//===----------------------------------------------------------------------===//

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
    note(program,
         xlaVulkanProgramAppend(program, program->runs[run].isBound
                                             ? program->binding->runs[run]
                                             : program->runs[run].commands));
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

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Brings what outputs are to hold before to those that are no donated input;
/// `*number` is the last copy.
static XlaStatus copyAliased(XlaVulkanProgram *program, uint64_t *number) {
  for (intptr_t i = 0; i < program->nOutputs; ++i) {
    intptr_t alias = program->aliases[i];
    if (alias >= 0 && program->inputs[alias] != program->outputs[i])
      XLA_RETURN_IF_ERROR(xlaVulkanArrayCopyBytes(
          program->inputs[alias], program->outputs[i],
          program->bytes[program->nInputs + i], number));
  }
  return NULL;
}

/// Notes the run in its arrays.
static void noteArrays(XlaVulkanProgram *program) {
  for (intptr_t i = 0; i < program->nInputs; ++i)
    xlaVulkanArrayNote(program->inputs[i], program->last,
                       program->isInputWritten[i]);
  for (intptr_t i = 0; i < program->nOutputs; ++i)
    xlaVulkanArrayNote(program->outputs[i], program->last, true);
  program->binding->number = program->last;
}

static XlaStatus run(XlaVulkanProgram *program, XlaVulkanArray *const *inputs,
                     XlaVulkanArray *const *outputs, void *user,
                     uint64_t *number) {
  XLA_RETURN_IF_ERROR(xlaVulkanProgramBind(program, inputs, outputs));
  XLA_RETURN_IF_ERROR(copyAliased(program, number));
  if (program->entry)
    program->entry(program, user);
  else if (program->nRuns > 0)
    xlaVulkanProgramLaunch(program, 0);
  if (program->failure) { // what would follow the failed part
    program->nPending = 0;
    program->isSetting = false;
    program->setterPending = program->setter;
  }
  note(program, xlaVulkanProgramSubmit(program));
  noteArrays(program);
  if (program->last > *number)
    *number = program->last;
  XlaStatus status = program->failure;
  program->failure = NULL;
  return status;
}

XlaStatus xlaVulkanProgramRun(XlaVulkanProgram *program,
                              XlaVulkanArray *const *inputs,
                              XlaVulkanArray *const *outputs, void *user,
                              uint64_t *number) {
  *number = 0;
  XlaTurnResult turn = xlaTurnTake(&program->turn);
  if (turn == XlaTurnResultCycle)
    return xlaStatusCreate(XLA_STATUS_UNIMPLEMENTED, "%s", XLA_TURN_CYCLE);
  XlaStatus status =
      turn == XlaTurnResultFirst
          ? run(program, inputs, outputs, user, number)
          : xlaStatusCreate( // its buffers are in use
                XLA_STATUS_UNIMPLEMENTED,
                "a program on a Vulkan device cannot be run by a function that "
                "it calls itself: compile it once more for that");
  xlaTurnGive(&program->turn);
  return status;
}

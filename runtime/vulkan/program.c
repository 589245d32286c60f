//===- program.c - Programs on Vulkan -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/clock.h"
#include "xlac/runtime/mutex.h"
#include "xlac/runtime/vulkan/program_internal.h"

#include <stdio.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The program's own memory of that kind; NULL: it is an input or output.
static const XlaVulkanProgramMemory *ownMemory(const XlaVulkanProgram *program,
                                               XlaVulkanMemory memory) {
  return memory >= XlaVulkanMemoryConstant && memory <= XlaVulkanMemoryScratch
             ? &program->memories[memory - XlaVulkanMemoryConstant]
             : NULL;
}

int64_t xlaVulkanProgramMemoryBytes(const XlaVulkanProgram *program,
                                    const XlaVulkanSpan *span) {
  const XlaVulkanProgramMemory *own = ownMemory(program, span->memory);
  intptr_t i = span->index;
  if (own)
    return own->bytes;
  if (span->memory == XlaVulkanMemoryInput)
    return i >= 0 && i < program->nInputs ? program->bytes[i] : -1;
  if (span->memory == XlaVulkanMemoryOutput)
    return i >= 0 && i < program->nOutputs
               ? program->bytes[program->nInputs + i]
               : -1;
  return -1;
}

XlaVulkanPart xlaVulkanProgramPart(const XlaVulkanProgram *program,
                                   const XlaVulkanSpan *span, int64_t done) {
  int64_t at = span->offset + done, left = span->bytes - done;
  if (span->memory == XlaVulkanMemoryInput)
    return xlaVulkanArrayPart(program->inputs[span->index], at, left);
  if (span->memory == XlaVulkanMemoryOutput)
    return xlaVulkanArrayPart(program->outputs[span->index], at, left);
  const XlaVulkanProgramMemory *own =
      &program->memories[span->memory - XlaVulkanMemoryConstant];
  int64_t piece = own->n > 1 ? program->pieceBytes : INT64_MAX;
  int64_t offset = at % piece;
  return (XlaVulkanPart){&program->pool,
                         &program->pool.buffers[own->first + at / piece],
                         offset, left < piece - offset ? left : piece - offset};
}

static void nameBuffer(intptr_t i, char *name, const void *user) {
  const XlaVulkanProgram *program = user;
  static const char *const names[] = {"the constants", "the arena",
                                      "the scratch memory"};
  int number = 0;
  while (i >= program->memories[number].first + program->memories[number].n)
    ++number;
  const XlaVulkanProgramMemory *memory = &program->memories[number];
  if (memory->n > 1)
    snprintf(name, 64, "piece %lld of %s", (long long)(i - memory->first),
             names[number]);
  else
    snprintf(name, 64, "%s", names[number]);
}

/// How long the memories are, and their pieces; the number of all pieces.
static intptr_t cutMemories(XlaVulkanProgram *program,
                            const XlaVulkanProgramInfo *info) {
  const int64_t bytes[] = {info->constantBytes, info->arenaBytes,
                           info->scratchBytes};
  intptr_t n = 0;
  for (int i = 0; i < XlaVulkanOwnMemories; ++i) {
    XlaVulkanProgramMemory *memory = &program->memories[i];
    bool isWhole = !info->pieceBytes || i == 0 || bytes[i] == 0;
    memory->bytes = bytes[i];
    memory->first = n;
    memory->n = isWhole ? 1 : (intptr_t)((bytes[i] - 1) / info->pieceBytes + 1);
    n += memory->n;
  }
  return n;
}

static XlaStatus allocateBuffers(XlaVulkanProgram *program,
                                 const XlaVulkanProgramInfo *info) {
  intptr_t n = cutMemories(program, info);
  int64_t *bytes = calloc((size_t)n, sizeof *bytes);
  if (!bytes)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %lld buffers",
                           (long long)n);
  for (int i = 0; i < XlaVulkanOwnMemories; ++i) {
    const XlaVulkanProgramMemory *memory = &program->memories[i];
    for (intptr_t k = 0; k < memory->n; ++k)
      bytes[memory->first + k] = k + 1 < memory->n
                                     ? info->pieceBytes
                                     : memory->bytes - k * info->pieceBytes;
  }
  bool usesAddresses = program->sets.listBytes || program->bound.listBytes;
  XlaStatus status = xlaVulkanMemoryBlockCreate(
      program->device, usesAddresses ? XlaVulkanUseAddress : XlaVulkanUseDevice,
      n, bytes, nameBuffer, program, &program->pool);
  free(bytes);
  program->stats.deviceBytes = program->pool.bytes;
  return status;
}

/// Refuses inputs and outputs that no device memory holds: whoever runs the
/// program should not be the first to know.
static XlaStatus checkArrays(XlaVulkanProgram *program) {
  const XlaVulkanInfo *info = &program->device->physical.info;
  int64_t total = program->stats.deviceBytes;
  for (intptr_t i = 0; i < program->nInputs + program->nOutputs; ++i) {
    int64_t bytes = program->bytes[i];
    bool isInput = i < program->nInputs;
    if (!program->pieceBytes && bytes > info->maxAllocation / 4 * 4)
      return xlaStatusCreate(
          XLA_STATUS_OUT_OF_MEMORY,
          "%s %lld of %lld bytes is larger than one piece of memory of %s can "
          "be, %lld bytes",
          isInput ? "input" : "output",
          (long long)(isInput ? i : i - program->nInputs), (long long)bytes,
          info->name, (long long)info->maxAllocation);
    total = bytes > INT64_MAX - total ? INT64_MAX : total + bytes;
  }
  program->stats.deviceBytes = total;
  return total <= info->memoryBytes
             ? NULL
             : xlaStatusCreate(
                   XLA_STATUS_OUT_OF_MEMORY,
                   "%lld bytes are needed, and the memory of %s has %lld",
                   (long long)total, info->name, (long long)info->memoryBytes);
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Records the runs that are the same for all inputs and outputs.
static XlaStatus recordUnbound(XlaVulkanProgram *program) {
  XLA_RETURN_IF_ERROR(
      xlaVulkanCommandPoolCreate(program->device, &program->commandPool));
  if (program->entry)
    XLA_RETURN_IF_ERROR(xlaVulkanProgramMakeSetters(program));
  XLA_RETURN_IF_ERROR(xlaVulkanSetsWrite(program, false, &program->sets));
  for (intptr_t i = 0; i < program->nRuns; ++i) {
    XlaVulkanPlanRun *run = &program->runs[i];
    if (run->isBound)
      continue;
    XLA_RETURN_IF_ERROR(xlaVulkanCommandsAllocate(
        program->device, program->commandPool, 1, &run->commands));
    XLA_RETURN_IF_ERROR(
        xlaVulkanProgramRecord(program, i, NULL, run->commands));
  }
  return NULL;
}

static XlaStatus build(XlaVulkanProgram *program,
                       const XlaVulkanProgramInfo *info) {
  double start = xlaClockMilliseconds();
  XLA_RETURN_IF_ERROR(xlaVulkanProgramPlan(program, info));
  XLA_RETURN_IF_ERROR(xlaVulkanProgramBuildPipelines(program, info));
  double compiled = xlaClockMilliseconds();
  program->stats.pipelineMs = compiled - start;
  XLA_RETURN_IF_ERROR(xlaVulkanSetsCount(program));
  XLA_RETURN_IF_ERROR(allocateBuffers(program, info));
  XLA_RETURN_IF_ERROR(checkArrays(program));
  XLA_RETURN_IF_ERROR(recordUnbound(program));
  for (intptr_t i = 0; i < info->nConstants; ++i) {
    const XlaVulkanConstant *each = &info->constants[i];
    const XlaVulkanSpan span = {XlaVulkanMemoryConstant, 0, each->offset,
                                each->bytes};
    XLA_RETURN_IF_ERROR(xlaVulkanProgramWrite(program, &span, each->data));
  }
  program->stats.recordMs = xlaClockMilliseconds() - compiled;
  return NULL;
}

XlaStatus xlaVulkanProgramCreate(XlaVulkanDevice *device,
                                 const XlaVulkanProgramInfo *info,
                                 XlaVulkanProgram **program) {
  *program = NULL;
  XLA_RETURN_IF_ERROR(xlaVulkanProgramCheck(&device->physical.info, info));
  XlaVulkanProgram *made = calloc(1, sizeof *made);
  if (!made || xlaTurnInit(&made->turn)) {
    free(made);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a program");
  }
  made->device = device;
  made->entry = info->entry;
  made->nInputs = info->nInputs;
  made->nOutputs = info->nOutputs;
  made->pieceBytes = info->pieceBytes;
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
  XlaStatus status = xlaVulkanDeviceWait(program->device, program->last);
  if (status)
    xlaVulkanQueueSettle(program->device);
  xlaStatusDestroy(status);
}

static void destroyPipelines(XlaVulkanProgram *program) {
  const XlaVulkanDevice *device = program->device;
  const XlaVulkanApi *api = &device->instance.api;
  for (intptr_t i = 0; program->pipelines && i < program->nShaders; ++i)
    api->DestroyPipeline(device->handle, program->pipelines[i], NULL);
  for (uint32_t i = 0; i <= device->physical.info.maxBindings; ++i) {
    if (program->layouts && program->layouts[i])
      api->DestroyPipelineLayout(device->handle, program->layouts[i], NULL);
    if (program->setLayouts && program->setLayouts[i])
      api->DestroyDescriptorSetLayout(device->handle, program->setLayouts[i],
                                      NULL);
  }
  free(program->setLayouts);
  free(program->layouts);
  free(program->pipelines);
}

void xlaVulkanProgramDestroy(XlaVulkanProgram *program) {
  if (!program)
    return;
  settle(program);
  const XlaVulkanDevice *device = program->device;
  device->instance.api.DestroyCommandPool(device->handle, program->commandPool,
                                          NULL);
  for (int i = 0; i < XlaVulkanBindingsMax; ++i)
    xlaVulkanBindingDestroy(program, &program->bindings[i]);
  xlaVulkanSetsDestroy(program, &program->sets);
  for (intptr_t i = 0; program->own && i < program->nInputs + program->nOutputs;
       ++i)
    xlaVulkanArrayDestroy(program->own[i]);
  free(program->own);
  destroyPipelines(program);
  xlaVulkanMemoryBlockDestroy(device, &program->pool);
  xlaVulkanProgramPlanDestroy(program);
  xlaStatusDestroy(program->failure);
  xlaTurnDestroy(&program->turn);
  free(program);
}

const XlaVulkanProgramStats *
xlaVulkanProgramGetStats(const XlaVulkanProgram *program) {
  return &program->stats;
}

//===- host.c - What the host touches of a program ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Spans, while an entry runs
//===----------------------------------------------------------------------===//

/// The array that a span is of, or NULL.
static XlaVulkanArray *arrayOf(const XlaVulkanProgram *program,
                               const XlaVulkanSpan *span) {
  if (span->memory == XlaVulkanMemoryInput)
    return program->inputs[span->index];
  return span->memory == XlaVulkanMemoryOutput ? program->outputs[span->index]
                                               : NULL;
}

/// The last work on the span: the program's own, or another's on the array.
static uint64_t lastOn(const XlaVulkanProgram *program,
                       const XlaVulkanSpan *span) {
  const XlaVulkanArray *array = arrayOf(program, span);
  uint64_t used = array ? xlaVulkanArrayGetUsed(array) : 0;
  return used > program->last ? used : program->last;
}

XlaStatus xlaVulkanProgramWrite(XlaVulkanProgram *program,
                                const XlaVulkanSpan *span, const void *data) {
  XLA_RETURN_IF_ERROR(xlaVulkanProgramSubmit(program));
  for (int64_t done = 0; done < span->bytes;) {
    XlaVulkanPart part = xlaVulkanProgramPart(program, span, done);
    XLA_RETURN_IF_ERROR(
        xlaVulkanTransferWrite(program->device, &part, lastOn(program, span),
                               (const char *)data + done, &program->last));
    done += part.bytes;
  }
  return NULL;
}

XlaStatus xlaVulkanProgramRead(XlaVulkanProgram *program,
                               const XlaVulkanSpan *span, void *data) {
  XlaStatus status = xlaVulkanProgramSubmit(program);
  for (int64_t done = 0; !status && done < span->bytes;) {
    XlaVulkanPart part = xlaVulkanProgramPart(program, span, done);
    status = xlaVulkanTransferRead(program->device, &part,
                                   lastOn(program, span), (char *)data + done);
    done += part.bytes;
  }
  if (status) // a part of it may still be under way
    program->last = atomic_load(&program->device->submitted);
  return status;
}

//===----------------------------------------------------------------------===//
// Runs on memory of the host
//===----------------------------------------------------------------------===//

/// Makes the program's own inputs and outputs, unless they are there.
static XlaStatus makeOwn(XlaVulkanProgram *program) {
  intptr_t n = program->nInputs + program->nOutputs;
  if (!program->own)
    program->own = calloc((size_t)n + 1, sizeof(XlaVulkanArray *));
  if (!program->own)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %lld arrays", (long long)n);
  for (intptr_t i = 0; i < n; ++i)
    if (!program->own[i])
      XLA_RETURN_IF_ERROR(
          xlaVulkanArrayCreateInPieces(program->device, program->bytes[i],
                                       program->pieceBytes, &program->own[i]));
  return NULL;
}

XlaStatus xlaVulkanProgramWriteInputs(XlaVulkanProgram *program,
                                      const void *const *inputs) {
  XLA_RETURN_IF_ERROR(makeOwn(program));
  for (intptr_t i = 0; i < program->nInputs; ++i)
    XLA_RETURN_IF_ERROR(
        xlaVulkanArrayWrite(program->own[i], 0, program->bytes[i], inputs[i]));
  return NULL;
}

XlaStatus xlaVulkanProgramExecute(XlaVulkanProgram *program, void *user) {
  XLA_RETURN_IF_ERROR(makeOwn(program));
  uint64_t number;
  XLA_RETURN_IF_ERROR(xlaVulkanProgramRun(
      program, program->own, program->own + program->nInputs, user, &number));
  return xlaVulkanDeviceWait(program->device, number);
}

XlaStatus xlaVulkanProgramReadOutputs(XlaVulkanProgram *program,
                                      void *const *outputs) {
  XLA_RETURN_IF_ERROR(makeOwn(program));
  for (intptr_t i = 0; i < program->nOutputs; ++i) {
    intptr_t own = program->nInputs + i;
    XLA_RETURN_IF_ERROR(xlaVulkanArrayRead(program->own[own], 0,
                                           program->bytes[own], outputs[i]));
  }
  return NULL;
}

//===- check.c - Programs that contradict themselves ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers check nothing: whatever is wrong here would crash, or worse.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#define INVALID(...) xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

enum { SpirvMagic = 0x07230203, SpirvHeaderWords = 5 };

static XlaStatus checkShader(const XlaVulkanInfo *device,
                             const XlaVulkanShader *shader, intptr_t i) {
  if (!shader->name || !shader->entry || !shader->words)
    return INVALID("shader %lld has no name, entry point or words",
                   (long long)i);
  if (shader->nWords < SpirvHeaderWords || shader->words[0] != SpirvMagic)
    return INVALID("shader %s is no SPIR-V: %zu words, the first is 0x%08x",
                   shader->name, shader->nWords,
                   shader->nWords ? shader->words[0] : 0);
  if (shader->usesAddresses && !device->addresses)
    return INVALID("shader %s needs addresses, which %s lacks", shader->name,
                   device->name);
  if (shader->nBindings < 0 ||
      shader->nBindings >
          (shader->usesAddresses ? XlaVulkanSpansMax : device->maxBindings))
    return INVALID("shader %s has %lld bindings, and %s allows %u",
                   shader->name, (long long)shader->nBindings, device->name,
                   shader->usesAddresses ? XlaVulkanSpansMax
                                         : device->maxBindings);
  return NULL;
}

/// The bytes of what a span lies in, or -1 if there is no such memory.
static int64_t memoryBytes(const XlaVulkanProgramInfo *info,
                           const XlaVulkanSpan *span) {
  switch (span->memory) {
  case XlaVulkanMemoryInput:
    return span->index >= 0 && span->index < info->nInputs
               ? info->inputBytes[span->index]
               : -1;
  case XlaVulkanMemoryOutput:
    return span->index >= 0 && span->index < info->nOutputs
               ? info->outputBytes[span->index]
               : -1;
  case XlaVulkanMemoryConstant:
    return info->constantBytes;
  case XlaVulkanMemoryArena:
    return info->arenaBytes;
  case XlaVulkanMemoryScratch:
    return info->scratchBytes;
  }
  return -1;
}

static const char *memoryName(XlaVulkanMemory memory) {
  static const char *const names[] = {"input", "output", "constant", "arena",
                                      "scratch"};
  return memory <= XlaVulkanMemoryScratch ? names[memory] : "unknown memory";
}

/// A span of `size` bytes of memory.
static XlaStatus checkRange(const XlaVulkanSpan *span, int64_t size) {
  if (size < 0)
    return INVALID("a span is in %s %lld, which is not there",
                   memoryName(span->memory), (long long)span->index);
  if (span->offset < 0 || span->bytes <= 0 || span->offset > size ||
      span->bytes > size - span->offset)
    return INVALID("a span of %lld bytes at %lld is not within %lld bytes",
                   (long long)span->bytes, (long long)span->offset,
                   (long long)size);
  return NULL;
}

static XlaStatus checkCopy(const XlaVulkanStep *step) {
  if (step->nSpans != 2)
    return INVALID("a copy has %lld spans instead of 2",
                   (long long)step->nSpans);
  const XlaVulkanSpan *from = &step->spans[0], *to = &step->spans[1];
  if (from->bytes != to->bytes)
    return INVALID("a copy is from %lld bytes to %lld", (long long)from->bytes,
                   (long long)to->bytes);
  bool isSame = from->memory == to->memory && from->index == to->index;
  if (isSame && from->offset < to->offset + to->bytes &&
      to->offset < from->offset + from->bytes)
    return INVALID("a copy of %lld bytes at %lld overlaps its target at %lld",
                   (long long)from->bytes, (long long)from->offset,
                   (long long)to->offset);
  return NULL;
}

/// Whether a span lies in a piece or, if the shader knows of several, begins
/// with one.
static bool isInPieces(const XlaVulkanProgramInfo *info,
                       const XlaVulkanShader *shader,
                       const XlaVulkanSpan *span) {
  int64_t piece = info->pieceBytes;
  if (!piece || span->memory == XlaVulkanMemoryConstant ||
      memoryBytes(info, span) <= piece)
    return true;
  return span->bytes <= piece - span->offset % piece ||
         (shader->usesAddresses && span->offset % piece == 0);
}

static XlaStatus checkDispatch(const XlaVulkanInfo *device,
                               const XlaVulkanProgramInfo *info,
                               const XlaVulkanShader *shader,
                               const XlaVulkanStep *step) {
  if (step->nSpans != shader->nBindings)
    return INVALID("%lld spans for the %lld bindings of %s",
                   (long long)step->nSpans, (long long)shader->nBindings,
                   shader->name);
  for (int i = 0; i < 3; ++i)
    if (step->groups[i] < 1 || step->groups[i] > device->maxGroupCount[i])
      return INVALID("%s is dispatched in %u groups in dimension %d; %s allows "
                     "1 to %u",
                     shader->name, step->groups[i], i, device->name,
                     device->maxGroupCount[i]);
  for (intptr_t i = 0; i < step->nSpans; ++i) {
    const XlaVulkanSpan *span = &step->spans[i];
    int64_t alignment = shader->usesAddresses ? XlaVulkanAddressAlignment
                                              : device->offsetAlignment;
    if (span->offset % alignment != 0)
      return INVALID("binding %lld of %s begins at %lld, which %lld does not "
                     "divide",
                     (long long)i, shader->name, (long long)span->offset,
                     (long long)alignment);
    if (!isInPieces(info, shader, span))
      return INVALID("binding %lld of %s, %lld bytes at %lld, lies across "
                     "pieces of %lld bytes",
                     (long long)i, shader->name, (long long)span->bytes,
                     (long long)span->offset, (long long)info->pieceBytes);
    if (!shader->usesAddresses && span->bytes > device->maxBufferRange)
      return INVALID("binding %lld of %s has %lld bytes; %s allows %lld",
                     (long long)i, shader->name, (long long)span->bytes,
                     device->name, (long long)device->maxBufferRange);
    if (span->memory == XlaVulkanMemoryConstant && xlaVulkanStepWrites(step, i))
      return INVALID("binding %lld of %s writes to constants", (long long)i,
                     shader->name);
  }
  return NULL;
}

static XlaStatus checkStep(const XlaVulkanInfo *device,
                           const XlaVulkanProgramInfo *info,
                           const XlaVulkanStep *step) {
  if (step->nSpans < 0 || (step->nSpans > 0 && !step->spans))
    return INVALID("a step has %lld spans", (long long)step->nSpans);
  for (intptr_t i = 0; i < step->nSpans; ++i)
    XLA_RETURN_IF_ERROR(
        checkRange(&step->spans[i], memoryBytes(info, &step->spans[i])));
  if (step->shader < 0)
    return checkCopy(step);
  if (step->shader >= info->nShaders)
    return INVALID("a step dispatches shader %lld of %lld",
                   (long long)step->shader, (long long)info->nShaders);
  return checkDispatch(device, info, &info->shaders[step->shader], step);
}

static XlaStatus checkRuns(const XlaVulkanProgramInfo *info) {
  if (info->nRuns < 0 || (info->nRuns > 0 && !info->runs))
    return INVALID("a program of %lld runs", (long long)info->nRuns);
  for (intptr_t i = 0; i < info->nRuns; ++i)
    if (info->runs[i] < 0 || info->runs[i] > info->runs[i + 1] ||
        info->runs[i + 1] > info->nSteps)
      return INVALID("run %lld is steps %lld to %lld of %lld", (long long)i,
                     (long long)info->runs[i], (long long)info->runs[i + 1],
                     (long long)info->nSteps);
  return NULL;
}

static XlaStatus checkSizes(const XlaVulkanProgramInfo *info) {
  if (info->nShaders < 0 || info->nSteps < 0 || info->nInputs < 0 ||
      info->nOutputs < 0 || info->constantBytes < 0 || info->arenaBytes < 0 ||
      info->scratchBytes < 0)
    return INVALID("a program with a negative size");
  if (info->nConstants < 0 || (info->nConstants && !info->constants))
    return INVALID("%lld constants that are not given",
                   (long long)info->nConstants);
  for (intptr_t i = 0; i < info->nConstants; ++i) {
    const XlaVulkanConstant *each = &info->constants[i];
    if (each->offset < 0 || each->bytes < 0 || (each->bytes && !each->data) ||
        each->offset > info->constantBytes ||
        each->bytes > info->constantBytes - each->offset)
      return INVALID("constant %lld of %lld bytes at %lld, of %lld bytes",
                     (long long)i, (long long)each->bytes,
                     (long long)each->offset, (long long)info->constantBytes);
  }
  if (info->pieceBytes < 0 || (info->pieceBytes & (info->pieceBytes - 1)) ||
      (info->pieceBytes && info->pieceBytes < 256))
    return INVALID("pieces of %lld bytes", (long long)info->pieceBytes);
  for (intptr_t i = 0; i < info->nInputs; ++i)
    if (info->inputBytes[i] < 0)
      return INVALID("input %lld has %lld bytes", (long long)i,
                     (long long)info->inputBytes[i]);
  for (intptr_t i = 0; i < info->nOutputs; ++i)
    if (info->outputBytes[i] < 0)
      return INVALID("output %lld has %lld bytes", (long long)i,
                     (long long)info->outputBytes[i]);
  return NULL;
}

static XlaStatus checkAliases(const XlaVulkanProgramInfo *info) {
  for (intptr_t i = 0; info->aliases && i < info->nOutputs; ++i) {
    intptr_t input = info->aliases[i];
    if (input < -1 || input >= info->nInputs ||
        (input >= 0 && info->inputBytes[input] < info->outputBytes[i]))
      return INVALID("output %lld of %lld bytes is in the memory of input %lld",
                     (long long)i, (long long)info->outputBytes[i],
                     (long long)input);
    for (intptr_t k = 0; input >= 0 && k < i; ++k)
      if (info->aliases[k] == input)
        return INVALID("outputs %lld and %lld are in the memory of input %lld",
                       (long long)k, (long long)i, (long long)input);
  }
  return NULL;
}

XlaStatus xlaVulkanProgramCheck(const XlaVulkanInfo *device,
                                const XlaVulkanProgramInfo *info) {
  XLA_RETURN_IF_ERROR(checkSizes(info));
  XLA_RETURN_IF_ERROR(checkAliases(info));
  XLA_RETURN_IF_ERROR(checkRuns(info));
  for (intptr_t i = 0; i < info->nShaders; ++i)
    XLA_RETURN_IF_ERROR(checkShader(device, &info->shaders[i], i));
  for (intptr_t i = 0; i < info->nSteps; ++i)
    XLA_RETURN_IF_ERROR(checkStep(device, info, &info->steps[i]));
  return NULL;
}

XlaStatus xlaVulkanProgramCheckSpan(const XlaVulkanProgram *program,
                                    const XlaVulkanSpan *span) {
  return checkRange(span, xlaVulkanProgramMemoryBytes(program, span));
}

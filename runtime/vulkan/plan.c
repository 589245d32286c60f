//===- plan.c - What steps need, whatever arrays they get -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run waits for nothing at its start and ends with a barrier against all that
// it wrote: whatever follows it in the queue, another run, a transfer or the
// host, may touch everything. Within a run a barrier stands before a step that
// touches what one since the last barrier has written, or writes what it reads.
// Where the barriers are is known once for all bindings: an output that may be
// in the memory of an input is treated as if it were.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/program_internal.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// So many spans are compared with those of the next step. A barrier more among
/// this many costs nothing.
enum { AccessesMax = 512 };

typedef struct Access {
  XlaVulkanSpan span;
  bool isWritten;
} Access;

/// A run that is being planned, since its last barrier.
typedef struct Planner {
  XlaVulkanProgram *program;
  intptr_t nAccesses;
  Access accesses[AccessesMax];
  VkPipelineStageFlags stages;
  VkAccessFlags writes;
} Planner;

/// Names the memory that an output may share with an input in one way.
static XlaVulkanSpan canonical(const XlaVulkanProgram *program,
                               const XlaVulkanSpan *span) {
  XlaVulkanSpan result = *span;
  if (span->memory == XlaVulkanMemoryOutput &&
      program->aliases[span->index] >= 0) {
    result.memory = XlaVulkanMemoryInput;
    result.index = program->aliases[span->index];
  }
  return result;
}

static bool overlap(const XlaVulkanSpan *a, const XlaVulkanSpan *b) {
  bool isIndexed =
      a->memory == XlaVulkanMemoryInput || a->memory == XlaVulkanMemoryOutput;
  return a->memory == b->memory && (!isIndexed || a->index == b->index) &&
         a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/// A copy writes its second span whatever the bits say.
static bool writes(const XlaVulkanStep *step, intptr_t span) {
  return step->shader < 0 ? span == 1 : xlaVulkanStepWrites(step, span);
}

static bool needsBarrier(const Planner *planner, const XlaVulkanStep *step) {
  if (planner->nAccesses + step->nSpans > AccessesMax)
    return true;
  for (intptr_t i = 0; i < step->nSpans; ++i) {
    XlaVulkanSpan span = canonical(planner->program, &step->spans[i]);
    for (intptr_t k = 0; k < planner->nAccesses; ++k) {
      const Access *access = &planner->accesses[k];
      if ((access->isWritten || writes(step, i)) &&
          overlap(&access->span, &span))
        return true;
    }
  }
  return false;
}

static void planBarrier(Planner *planner, const XlaVulkanStep *step,
                        XlaVulkanPlanStep *planned) {
  bool isCopy = step->shader < 0;
  if (needsBarrier(planner, step)) {
    planned->stages = planner->stages;
    planned->writes = planner->writes;
    ++planner->program->stats.nBarriers;
    planner->nAccesses = 0;
    planner->stages = 0;
    planner->writes = 0;
  }
  // After a step of more spans there is a barrier in any case.
  if (step->nSpans > AccessesMax)
    planner->nAccesses = AccessesMax;
  for (intptr_t i = 0; step->nSpans <= AccessesMax && i < step->nSpans; ++i)
    planner->accesses[planner->nAccesses++] =
        (Access){canonical(planner->program, &step->spans[i]), writes(step, i)};
  planner->stages |= isCopy ? VK_PIPELINE_STAGE_TRANSFER_BIT
                            : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  planner->writes |=
      isCopy ? VK_ACCESS_TRANSFER_WRITE_BIT : VK_ACCESS_SHADER_WRITE_BIT;
}

static void planRun(Planner *planner, const XlaVulkanProgramInfo *info,
                    intptr_t number) {
  XlaVulkanProgram *program = planner->program;
  XlaVulkanPlanRun *run = &program->runs[number];
  run->first = info->runs[number];
  run->end = info->runs[number + 1];
  planner->nAccesses = 0;
  planner->stages = 0;
  planner->writes = 0;
  for (intptr_t i = run->first; i < run->end; ++i) {
    planBarrier(planner, &info->steps[i], &program->steps[i]);
    run->isBound |= program->steps[i].isBound;
    program->stats.nDispatches += program->steps[i].shader >= 0;
  }
  ++program->stats.nBarriers; // at the end
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Copies a step; its spans go to `spans`.
static void planStep(XlaVulkanProgram *program, const XlaVulkanStep *step,
                     XlaVulkanPlanStep *planned, XlaVulkanSpan *spans) {
  *planned = (XlaVulkanPlanStep){
      .shader = step->shader,
      .groups = {step->groups[0], step->groups[1], step->groups[2]},
      .nSpans = step->nSpans,
      .spans = spans,
      .set = -1};
  for (intptr_t i = 0; i < step->nSpans; ++i) {
    spans[i] = step->spans[i];
    bool isInput = spans[i].memory == XlaVulkanMemoryInput;
    planned->isBound |= isInput || spans[i].memory == XlaVulkanMemoryOutput;
    if (isInput && writes(step, i))
      program->isInputWritten[spans[i].index] = true;
  }
}

static bool copyShaders(XlaVulkanProgram *program,
                        const XlaVulkanProgramInfo *info) {
  bool isWhole = program->shaders != NULL;
  for (intptr_t i = 0; isWhole && i < info->nShaders; ++i) {
    const XlaVulkanShader *shader = &info->shaders[i];
    program->shaders[i] =
        (XlaVulkanShader){.name = strdup(shader->name),
                          .nBindings = shader->nBindings,
                          .usesAddresses = shader->usesAddresses};
    isWhole = program->shaders[i].name != NULL;
  }
  return isWhole;
}

static bool copyMemories(XlaVulkanProgram *program,
                         const XlaVulkanProgramInfo *info) {
  if (!program->bytes || !program->aliases || !program->isInputWritten)
    return false;
  for (intptr_t i = 0; i < info->nInputs; ++i)
    program->bytes[i] = info->inputBytes[i];
  for (intptr_t i = 0; i < info->nOutputs; ++i) {
    program->bytes[info->nInputs + i] = info->outputBytes[i];
    program->aliases[i] = info->aliases ? info->aliases[i] : -1;
  }
  return true;
}

static void *allocate(intptr_t n, size_t size) {
  return calloc(n ? (size_t)n : 1, size);
}

XlaStatus xlaVulkanProgramPlan(XlaVulkanProgram *program,
                               const XlaVulkanProgramInfo *info) {
  intptr_t nSpans = 0;
  for (intptr_t i = 0; i < info->nSteps; ++i)
    nSpans += info->steps[i].nSpans;
  program->bytes =
      allocate(info->nInputs + info->nOutputs, sizeof *program->bytes);
  program->aliases = allocate(info->nOutputs, sizeof *program->aliases);
  program->isInputWritten =
      allocate(info->nInputs, sizeof *program->isInputWritten);
  program->shaders = allocate(info->nShaders, sizeof *program->shaders);
  program->steps = allocate(info->nSteps, sizeof *program->steps);
  program->spans = allocate(nSpans, sizeof *program->spans);
  program->runs = allocate(info->nRuns, sizeof *program->runs);
  program->nShaders = info->nShaders;
  Planner *planner = allocate(1, sizeof *planner);
  bool isWhole = copyMemories(program, info) && copyShaders(program, info) &&
                 program->steps && program->spans && program->runs && planner;
  if (isWhole) {
    planner->program = program;
    program->nSteps = info->nSteps;
    program->nRuns = info->nRuns;
    XlaVulkanSpan *spans = program->spans;
    for (intptr_t i = 0; i < info->nSteps; ++i) {
      planStep(program, &info->steps[i], &program->steps[i], spans);
      spans += info->steps[i].nSpans;
    }
    for (intptr_t i = 0; i < info->nRuns; ++i)
      planRun(planner, info, i);
  }
  free(planner);
  return isWhole ? NULL
                 : xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                                   "no memory for %lld steps",
                                   (long long)info->nSteps);
}

void xlaVulkanProgramPlanDestroy(XlaVulkanProgram *program) {
  for (intptr_t i = 0; program->shaders && i < program->nShaders; ++i)
    free((char *)program->shaders[i].name);
  free(program->bytes);
  free(program->aliases);
  free(program->isInputWritten);
  free(program->shaders);
  free(program->steps);
  free(program->spans);
  free(program->runs);
}

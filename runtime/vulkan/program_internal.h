//===- program_internal.h - What a program on Vulkan consists of --*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_PROGRAM_INTERNAL_H
#define XLAC_RUNTIME_VULKAN_PROGRAM_INTERNAL_H

#include "xlac/runtime/turn.h"
#include "xlac/runtime/vulkan/array_internal.h"
#include "xlac/runtime/vulkan/program.h"

enum {
  XlaVulkanPendingMax = 8,  ///< command buffers that are submitted together
  XlaVulkanDepthMax = 16,   ///< submissions of an entry, not finished
  XlaVulkanSettersMax = 64, ///< command buffers that set scalars
  XlaVulkanSetMax = 16,     ///< scalars that one sets without a barrier
};

/// A command buffer that sets scalars.
typedef struct XlaVulkanSetter {
  VkCommandBuffer commands;
  uint64_t number; ///< the submission that used it last
} XlaVulkanSetter;

/// A step, and what has to be recorded for it with any arrays.
typedef struct XlaVulkanPlanStep {
  intptr_t shader;
  uint32_t groups[3];
  intptr_t nSpans;
  XlaVulkanSpan *spans;
  bool isBound; ///< it touches an input or output: another one for each binding
  intptr_t set; ///< its number among those of the program, or of a binding; -1
  int64_t list; ///< where its addresses lie, likewise
  /// What a barrier before it waits for; 0: there is none.
  VkPipelineStageFlags stages;
  VkAccessFlags writes;
} XlaVulkanPlanStep;

/// A straight sequence of steps.
typedef struct XlaVulkanPlanRun {
  intptr_t first, end;
  bool isBound;             ///< one of its steps is
  VkCommandBuffer commands; ///< unless it is bound
} XlaVulkanPlanRun;

/// Descriptor sets, and lists of addresses, of all steps that are bound or of
/// all that are not.
typedef struct XlaVulkanSets {
  intptr_t n, nDescriptors;
  int64_t listBytes;
  VkDescriptorPool pool;
  VkDescriptorSet *sets;
  XlaVulkanArray *lists; ///< NULL: no addresses
} XlaVulkanSets;

/// What was recorded for certain inputs and outputs.
typedef struct XlaVulkanBinding {
  uint64_t tick; ///< larger than that of all used before; 0: it is for nothing
  uint64_t hash; ///< of the slots
  intptr_t nSlots, capacity;
  uint64_t *slots;       ///< numbers of their memory
  uint64_t number;       ///< the last submission that used it
  VkCommandBuffer *runs; ///< by run; NULL where that is not bound
  XlaVulkanSets sets;
} XlaVulkanBinding;

/// Memory of a program: constants, arena and scratch.
typedef struct XlaVulkanProgramMemory {
  int64_t bytes;
  intptr_t first, n; ///< its pieces, in the pool
} XlaVulkanProgramMemory;

enum { XlaVulkanOwnMemories = 3 };

struct XlaVulkanProgram {
  XlaVulkanDevice *device;
  XlaTurn turn; ///< of a run
  void (*entry)(XlaVulkanProgram *program, void *user);

  // What does not change.
  intptr_t nInputs, nOutputs, nRuns, nShaders, nSteps;
  int64_t *bytes;       ///< of inputs, then outputs
  intptr_t *aliases;    ///< by output: an input or -1
  bool *isInputWritten; ///< by input
  int64_t pieceBytes;
  XlaVulkanProgramMemory memories[XlaVulkanOwnMemories];
  XlaVulkanMemoryBlock pool;         ///< the pieces of all
  VkDescriptorSetLayout *setLayouts; ///< by number of bindings
  VkPipelineLayout *layouts;         ///< likewise
  VkPipeline *pipelines;             ///< by shader
  XlaVulkanShader *shaders;          ///< without code, with names of their own
  XlaVulkanPlanStep *steps;
  XlaVulkanSpan *spans;
  XlaVulkanPlanRun *runs;
  XlaVulkanSets sets;  ///< of what is not bound
  XlaVulkanSets bound; ///< how many each binding has; there are none here

  // What a run changes.
  VkCommandPool commandPool;
  XlaVulkanBinding bindings[XlaVulkanBindingsMax];
  XlaVulkanArray **own; ///< inputs, then outputs, for runs on host memory
  uint64_t tick;
  XlaVulkanSetter setters[XlaVulkanSettersMax]; ///< if there is an entry
  int setter;                                   ///< the one to use next
  int setterPending;                  ///< the first that is not submitted
  uint64_t last;                      ///< submission
  uint64_t recent[XlaVulkanDepthMax]; ///< submissions, in turn
  int nextRecent;

  // What is of one run.
  XlaVulkanArray *const *inputs, *const *outputs;
  XlaVulkanBinding *binding;
  bool isSetting; ///< a setter is being recorded, to follow what is pending
  int nSet;
  XlaVulkanSpan set[XlaVulkanSetMax]; ///< what it sets since its last barrier
  uint32_t nPending;
  VkCommandBuffer pending[XlaVulkanPendingMax];
  XlaStatus failure; ///< the first one

  XlaVulkanProgramStats stats;
};

// --- program.c ---

/// Bytes of what a span lies in, or -1 if there is no such memory.
int64_t xlaVulkanProgramMemoryBytes(const XlaVulkanProgram *program,
                                    const XlaVulkanSpan *span);
/// What of a span lies, from `done` on, in one piece. Inputs and outputs are
/// those of the run.
XlaVulkanPart xlaVulkanProgramPart(const XlaVulkanProgram *program,
                                   const XlaVulkanSpan *span, int64_t done);

// --- check.c ---

/// INVALID_ARGUMENT for what contradicts itself or the device's limits.
XlaStatus xlaVulkanProgramCheck(const XlaVulkanInfo *device,
                                const XlaVulkanProgramInfo *info);
/// The same for a span that the host touches.
XlaStatus xlaVulkanProgramCheckSpan(const XlaVulkanProgram *program,
                                    const XlaVulkanSpan *span);

// --- pipeline.c ---

/// Storage buffers of its descriptor set.
intptr_t xlaVulkanShaderSetSize(const XlaVulkanShader *shader);
/// Makes layouts and pipelines. What was made is the program's, also on error.
XlaStatus xlaVulkanProgramBuildPipelines(XlaVulkanProgram *program,
                                         const XlaVulkanProgramInfo *info);

// --- plan.c ---

/// Copies the steps, and decides all that does not depend on arrays.
XlaStatus xlaVulkanProgramPlan(XlaVulkanProgram *program,
                               const XlaVulkanProgramInfo *info);
void xlaVulkanProgramPlanDestroy(XlaVulkanProgram *program);

// --- sets.c: what dispatches bind ---

/// Gives each step its set and list among those of the program (`sets`) or of a
/// binding (`bound`), and counts these.
XlaStatus xlaVulkanSetsCount(XlaVulkanProgram *program);
/// Makes the sets that were counted, and writes them for the arrays of the run:
/// those of steps that are bound, or of the others. Sets that are there are
/// written again: the device must not use them. What was made is in `sets`,
/// also on error.
XlaStatus xlaVulkanSetsWrite(XlaVulkanProgram *program, bool isBound,
                             XlaVulkanSets *sets);
void xlaVulkanSetsDestroy(XlaVulkanProgram *program, XlaVulkanSets *sets);

// --- record.c ---

/// Records a run for the arrays of the run, with those sets of its steps.
XlaStatus xlaVulkanProgramRecord(XlaVulkanProgram *program, intptr_t run,
                                 const XlaVulkanSets *bound,
                                 VkCommandBuffer commands);

// --- bind.c ---

/// Makes the arrays those of the run and finds what was recorded for them, or
/// records it.
XlaStatus xlaVulkanProgramBind(XlaVulkanProgram *program,
                               XlaVulkanArray *const *inputs,
                               XlaVulkanArray *const *outputs);
void xlaVulkanBindingDestroy(XlaVulkanProgram *program,
                             XlaVulkanBinding *binding);

// --- execute.c: the queue ---

/// Appends a recorded command buffer; submits when enough are there. Push does
/// it for one that is before the scalars that are being set.
XlaStatus xlaVulkanProgramAppend(XlaVulkanProgram *program,
                                 VkCommandBuffer commands);
XlaStatus xlaVulkanProgramPush(XlaVulkanProgram *program,
                               VkCommandBuffer commands);
XlaStatus xlaVulkanProgramSubmit(XlaVulkanProgram *program);

// --- set.c: scalars in order with the runs ---

/// Makes the command buffers for that.
XlaStatus xlaVulkanProgramMakeSetters(XlaVulkanProgram *program);
/// Ends the recording of what was set, which is pending then.
XlaStatus xlaVulkanProgramEndSet(XlaVulkanProgram *program);

// --- host.c: runs on memory of the host, and what entries touch ---

/// The host writes or reads a span in order with all runs.
XlaStatus xlaVulkanProgramWrite(XlaVulkanProgram *program,
                                const XlaVulkanSpan *span, const void *data);
XlaStatus xlaVulkanProgramRead(XlaVulkanProgram *program,
                               const XlaVulkanSpan *span, void *data);

#endif // XLAC_RUNTIME_VULKAN_PROGRAM_INTERNAL_H

//===- program_internal.h - What a program on Vulkan consists of --*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_PROGRAM_INTERNAL_H
#define XLAC_RUNTIME_VULKAN_PROGRAM_INTERNAL_H

#include "xlac/runtime/vulkan/device_internal.h"
#include "xlac/runtime/vulkan/program.h"

// --- memory.c: many buffers in few allocations ---

typedef struct XlaVulkanBuffer {
  VkBuffer handle; ///< NULL if it has no bytes
  int64_t bytes;   ///< as asked for
  intptr_t block;
  int64_t position; ///< in the block's memory
  char *mapped;     ///< its first byte, or NULL where the host has no access
} XlaVulkanBuffer;

typedef struct XlaVulkanBlock {
  VkDeviceMemory memory;
  int64_t bytes;
  char *mapped;
} XlaVulkanBlock;

typedef struct XlaVulkanMemoryBlock {
  intptr_t nBuffers, nBlocks;
  XlaVulkanBuffer *buffers;
  XlaVulkanBlock *blocks;
  VkMemoryPropertyFlags flags; ///< of the memory
  int64_t bytes;               ///< of all blocks
} XlaVulkanMemoryBlock;

typedef enum XlaVulkanUse {
  XlaVulkanUseDevice,  ///< fastest for the device
  XlaVulkanUseAddress, ///< the same, with addresses for shaders
  XlaVulkanUseStaging, ///< mapped, fastest for the host to read
} XlaVulkanUse;

/// A buffer of bytes[i] for each of the n. `what` names buffer i, in a buffer
/// of 64 characters, for messages and debuggers.
XlaStatus xlaVulkanMemoryBlockCreate(
    const XlaVulkanDevice *device, XlaVulkanUse use, intptr_t n,
    const int64_t *bytes,
    void (*what)(intptr_t i, char *name, const void *user), const void *user,
    XlaVulkanMemoryBlock *pool);
void xlaVulkanMemoryBlockDestroy(const XlaVulkanDevice *device,
                                 XlaVulkanMemoryBlock *pool);

/// Makes what the host wrote visible to the device, and the other way round.
/// The buffer is mapped; the range is not empty.
XlaStatus xlaVulkanMemoryBlockFlush(const XlaVulkanDevice *device,
                                    const XlaVulkanMemoryBlock *pool,
                                    const XlaVulkanBuffer *buffer,
                                    int64_t offset, int64_t bytes);
XlaStatus xlaVulkanMemoryBlockInvalidate(const XlaVulkanDevice *device,
                                         const XlaVulkanMemoryBlock *pool,
                                         const XlaVulkanBuffer *buffer,
                                         int64_t offset, int64_t bytes);

// --- the program ---

enum {
  XlaVulkanPendingMax = 8,  ///< command buffers that are submitted together
  XlaVulkanDepthMax = 16,   ///< submissions that the device has not finished
  XlaVulkanHalves = 2,      ///< parts of the staging buffer, used in turn
  XlaVulkanCopiesMax = 32,  ///< ranges that one command buffer copies
  XlaVulkanSettersMax = 64, ///< command buffers that set scalars
  XlaVulkanSetMax = 16,     ///< scalars that one sets without a barrier
};

/// One half of the staging buffer, and the command buffer that copies from it
/// or to it.
typedef struct XlaVulkanStaging {
  VkCommandBuffer commands;
  int64_t position; ///< in the staging buffer
  uint64_t value;   ///< free again when the timeline has reached it
} XlaVulkanStaging;

/// A command buffer that sets scalars.
typedef struct XlaVulkanSetter {
  VkCommandBuffer commands;
  uint64_t value; ///< free again when the timeline has reached it
} XlaVulkanSetter;

/// Memory of a program: inputs, outputs, constants, arena, scratch and lists of
/// addresses, in this order.
typedef struct XlaVulkanProgramMemory {
  int64_t bytes;
  intptr_t first, n; ///< its pieces, in the pool
} XlaVulkanProgramMemory;

struct XlaVulkanProgram {
  XlaVulkanDevice *device;
  void (*entry)(XlaVulkanProgram *program, void *user);
  intptr_t nInputs, nOutputs, nRuns, nShaders;
  int64_t maxCopy; ///< bytes of one half of the staging buffer, or 0

  int64_t pieceBytes;
  intptr_t nMemories;
  XlaVulkanProgramMemory *memories;
  XlaVulkanMemoryBlock pool;         ///< the pieces of all
  XlaVulkanMemoryBlock staging;      ///< one buffer, or none
  VkDescriptorSetLayout *setLayouts; ///< by number of bindings
  VkPipelineLayout *layouts;         ///< likewise
  VkPipeline *pipelines;             ///< by shader
  VkDescriptorPool descriptors;
  VkCommandPool commandPool;
  VkCommandBuffer *runs;
  XlaVulkanStaging halves[XlaVulkanHalves];
  int half;                                     ///< the one to use next
  XlaVulkanSetter setters[XlaVulkanSettersMax]; ///< if there is an entry
  int setter;                                   ///< the one to use next
  bool isSetting; ///< it is being recorded, to follow what is pending
  int nSet;
  XlaVulkanSpan set[XlaVulkanSetMax]; ///< what it sets since its last barrier

  // What has been asked of the device. The timeline reaches the number of a
  // submission when that one, and so all before it, are finished.
  VkSemaphore timeline;
  uint64_t submitted, finished;
  uint32_t nPending;
  VkCommandBuffer pending[XlaVulkanPendingMax];

  XlaStatus failure; ///< of this execution; the first one
  XlaVulkanProgramStats stats;
};

/// What a span lies in, or NULL if there is no such memory.
const XlaVulkanProgramMemory *
xlaVulkanProgramMemoryOf(const XlaVulkanProgram *program,
                         const XlaVulkanSpan *span);
/// Bytes of a span from `done` on in one piece; the buffer that the piece is,
/// and where in it they begin.
int64_t xlaVulkanProgramPart(const XlaVulkanProgram *program,
                             const XlaVulkanSpan *span, int64_t done,
                             const XlaVulkanBuffer **buffer, int64_t *offset);

/// Bytes of the lists of addresses; `offsets`, unless NULL, gets each step's
/// list.
int64_t xlaVulkanProgramAddressBytes(const XlaVulkanInfo *device,
                                     const XlaVulkanProgramInfo *info,
                                     int64_t *offsets);

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

// --- record.c ---

/// Writes descriptors and records all runs.
XlaStatus xlaVulkanProgramRecord(XlaVulkanProgram *program,
                                 const XlaVulkanProgramInfo *info);
/// Allocates `n` command buffers.
XlaStatus xlaVulkanAllocateCommands(XlaVulkanProgram *program, uint32_t n,
                                    VkCommandBuffer *commands);
/// Makes all that was written before visible to all that comes after.
void xlaVulkanRecordBarrier(const XlaVulkanDevice *device,
                            VkCommandBuffer commands);

// --- execute.c: the queue ---

/// Appends a recorded command buffer; submits when enough are there. Push does
/// it for one that is before the scalars that are being set.
XlaStatus xlaVulkanProgramAppend(XlaVulkanProgram *program,
                                 VkCommandBuffer commands);
XlaStatus xlaVulkanProgramPush(XlaVulkanProgram *program,
                               VkCommandBuffer commands);
XlaStatus xlaVulkanProgramSubmit(XlaVulkanProgram *program);
/// Waits until the device has finished submission `value`.
XlaStatus xlaVulkanProgramWait(XlaVulkanProgram *program, uint64_t value);
/// Submits what is pending and waits for all.
XlaStatus xlaVulkanProgramFinish(XlaVulkanProgram *program);

// --- set.c: scalars in order with the runs ---

/// Makes the command buffers for that.
XlaStatus xlaVulkanProgramMakeSetters(XlaVulkanProgram *program);
/// Ends the recording of what was set, which is pending then.
XlaStatus xlaVulkanProgramEndSet(XlaVulkanProgram *program);

// --- transfer.c: between the host and the program's memory ---

/// Copies in order with all runs. Write takes what it needs of `data` before it
/// returns; Read waits.
XlaStatus xlaVulkanProgramWrite(XlaVulkanProgram *program,
                                const XlaVulkanSpan *span, const void *data);
XlaStatus xlaVulkanProgramRead(XlaVulkanProgram *program,
                               const XlaVulkanSpan *span, void *data);

#endif // XLAC_RUNTIME_VULKAN_PROGRAM_INTERNAL_H

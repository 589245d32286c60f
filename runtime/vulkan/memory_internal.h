//===- memory_internal.h - Many buffers in few allocations --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_RUNTIME_VULKAN_MEMORY_INTERNAL_H
#define XLAC_RUNTIME_VULKAN_MEMORY_INTERNAL_H

#include "xlac/runtime/vulkan/device_internal.h"

typedef struct XlaVulkanBuffer {
  VkBuffer handle; ///< NULL if it has no bytes
  int64_t bytes;   ///< as asked for
  intptr_t block;
  int64_t position; ///< in the block's memory
  char *mapped;     ///< its first byte, or NULL where the host has no access
  uint64_t address; ///< for shaders; 0 unless made for XlaVulkanUseAddress
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

/// Bytes of one buffer of memory.
typedef struct XlaVulkanPart {
  const XlaVulkanMemoryBlock *block; ///< which has the buffer
  const XlaVulkanBuffer *buffer;
  int64_t offset, bytes;
} XlaVulkanPart;

/// Makes what the host wrote visible to the device, and the other way round.
/// The buffer is mapped; the part is not empty.
XlaStatus xlaVulkanPartFlush(const XlaVulkanDevice *device,
                             const XlaVulkanPart *part);
XlaStatus xlaVulkanPartInvalidate(const XlaVulkanDevice *device,
                                  const XlaVulkanPart *part);

#endif // XLAC_RUNTIME_VULKAN_MEMORY_INTERNAL_H

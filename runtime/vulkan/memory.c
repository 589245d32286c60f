//===- memory.c - Many buffers in few allocations -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that are made together live as long as each other: they are laid out
// one after the other. Drivers allow few allocations (4096 at least, on some
// systems no more), each of them slow.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/checked.h"
#include "xlac/runtime/vulkan/memory_internal.h"

#include <stdlib.h>

/// Larger blocks save nothing and are harder to place.
static const int64_t blockBytes = (int64_t)1 << 30;

/// Memory that is slow or not for us.
static const VkMemoryPropertyFlags unwanted =
    VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_PROTECTED_BIT |
    VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
    VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;

/// How well memory of these properties serves; negative: not at all.
static int rate(VkMemoryPropertyFlags flags, XlaVulkanUse use) {
  bool isVisible = flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
  bool isLocal = flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  bool isCached = flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  bool isCoherent = flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  if (flags & unwanted)
    return -1;
  if (use != XlaVulkanUseStaging)
    return isLocal ? 4 * isVisible + 2 * isCached + isCoherent : -1;
  return isVisible ? 4 * isCached + 2 * isCoherent + !isLocal : -1;
}

/// The best type of memory among `allowed`, of the largest device-local heap if
/// it is for the device: a small heap that the host sees is for other things.
static uint32_t chooseType(const XlaVulkanPhysical *physical, uint32_t allowed,
                           XlaVulkanUse use) {
  const VkPhysicalDeviceMemoryProperties *memory = &physical->memory;
  uint32_t best = UINT32_MAX;
  int bestRate = -1;
  for (uint32_t i = 0; i < memory->memoryTypeCount; ++i) {
    const VkMemoryType *type = &memory->memoryTypes[i];
    bool isSmall = use != XlaVulkanUseStaging &&
                   memory->memoryHeaps[type->heapIndex].size <
                       (VkDeviceSize)physical->info.memoryBytes;
    int rated = rate(type->propertyFlags, use);
    if ((allowed >> i & 1) && !isSmall && rated > bestRate) {
      best = i;
      bestRate = rated;
    }
  }
  return best;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/// What is being made.
typedef struct Maker {
  const XlaVulkanDevice *device;
  XlaVulkanUse use;
  void (*what)(intptr_t i, char *name, const void *user);
  const void *user;
  XlaVulkanMemoryBlock *pool;
  uint32_t allowed; ///< types of memory that suit all buffers
  int64_t *sizes, *alignments;
} Maker;

static XlaStatus createBuffer(Maker *maker, intptr_t i) {
  const XlaVulkanApi *api = &maker->device->instance.api;
  const XlaVulkanInfo *info = &maker->device->physical.info;
  XlaVulkanBuffer *buffer = &maker->pool->buffers[i];
  char name[64];
  maker->what(i, name, maker->user);
  if (buffer->bytes > info->maxAllocation / 4 * 4)
    return xlaStatusCreate(
        XLA_STATUS_OUT_OF_MEMORY,
        "%s of %lld bytes is larger than one piece of memory of %s can be, "
        "%lld bytes",
        name, (long long)buffer->bytes, info->name,
        (long long)info->maxAllocation);
  VkBufferCreateInfo create = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size =
                                   (VkDeviceSize)((buffer->bytes + 3) / 4 * 4),
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  if (maker->use == XlaVulkanUseAddress)
    create.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  VkResult result =
      api->CreateBuffer(maker->device->handle, &create, NULL, &buffer->handle);
  if (result < 0)
    return xlaVulkanFail(result, "no buffer of %lld bytes for %s",
                         (long long)buffer->bytes, name);
  xlaVulkanDeviceName(maker->device, VK_OBJECT_TYPE_BUFFER,
                      (uint64_t)(uintptr_t)buffer->handle, "%s", name);
  VkMemoryRequirements needs;
  api->GetBufferMemoryRequirements(maker->device->handle, buffer->handle,
                                   &needs);
  maker->allowed &= needs.memoryTypeBits;
  maker->sizes[i] = (int64_t)needs.size;
  // No two buffers share a cache line or, where that matters, what a flush
  // writes back.
  maker->alignments[i] = larger(larger((int64_t)needs.alignment, 64),
                                maker->device->physical.nonCoherentAtom);
  return NULL;
}

/// Gives every buffer its place.
static XlaStatus layOut(Maker *maker) {
  XlaVulkanMemoryBlock *pool = maker->pool;
  int64_t limit =
      smaller(blockBytes, maker->device->physical.info.maxAllocation);
  int64_t used = 0;
  for (intptr_t i = 0; i < pool->nBuffers; ++i) {
    XlaVulkanBuffer *buffer = &pool->buffers[i];
    if (!buffer->handle)
      continue;
    size_t position = 0, end = 0;
    bool fits = pool->nBlocks > 0 &&
                xlaCheckedAlign((size_t)used, (size_t)maker->alignments[i],
                                &position) &&
                xlaCheckedAdd(position, (size_t)maker->sizes[i], &end) &&
                end <= (size_t)limit;
    if (!fits) {
      ++pool->nBlocks;
      position = 0;
      end = (size_t)maker->sizes[i];
    }
    buffer->block = pool->nBlocks - 1;
    buffer->position = (int64_t)position;
    used = (int64_t)end;
    size_t whole = 0; // flushes go on to the end of an atom
    if (!xlaCheckedAlign(end, (size_t)maker->alignments[i], &whole) ||
        whole > INT64_MAX)
      return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                             "%zu bytes exceed the address space", end);
    pool->blocks[buffer->block].bytes = (int64_t)whole;
  }
  for (intptr_t i = 0; i < pool->nBlocks; ++i) {
    int64_t bytes = pool->blocks[i].bytes;
    pool->bytes =
        bytes > INT64_MAX - pool->bytes ? INT64_MAX : pool->bytes + bytes;
  }
  return NULL;
}

static XlaStatus allocate(Maker *maker, uint32_t type) {
  const XlaVulkanApi *api = &maker->device->instance.api;
  const XlaVulkanPhysical *physical = &maker->device->physical;
  XlaVulkanMemoryBlock *pool = maker->pool;
  uint32_t heap = physical->memory.memoryTypes[type].heapIndex;
  uint64_t heapBytes = physical->memory.memoryHeaps[heap].size;
  if ((uint64_t)pool->bytes > heapBytes)
    return xlaStatusCreate(
        XLA_STATUS_OUT_OF_MEMORY,
        "%lld bytes are needed, and the memory of %s has %llu",
        (long long)pool->bytes, physical->info.name,
        (unsigned long long)heapBytes);
  for (intptr_t i = 0; i < pool->nBlocks; ++i) {
    XlaVulkanBlock *block = &pool->blocks[i];
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    bool isAddressed = maker->use == XlaVulkanUseAddress;
    VkMemoryAllocateInfo info = {.sType =
                                     VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = isAddressed ? &flags : NULL,
                                 .allocationSize = (VkDeviceSize)block->bytes,
                                 .memoryTypeIndex = type};
    VkResult result =
        api->AllocateMemory(maker->device->handle, &info, NULL, &block->memory);
    if (result < 0)
      return xlaVulkanFail(
          result, "no memory for %lld bytes, of %lld in all, on %s",
          (long long)block->bytes, (long long)pool->bytes, physical->info.name);
    void *mapped = NULL;
    if (pool->flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) {
      result = api->MapMemory(maker->device->handle, block->memory, 0,
                              VK_WHOLE_SIZE, 0, &mapped);
      if (result < 0)
        return xlaVulkanFail(result, "%lld bytes of %s cannot be mapped",
                             (long long)block->bytes, physical->info.name);
    }
    block->mapped = mapped;
  }
  return NULL;
}

static XlaStatus bind(Maker *maker) {
  XlaVulkanMemoryBlock *pool = maker->pool;
  for (intptr_t i = 0; i < pool->nBuffers; ++i) {
    XlaVulkanBuffer *buffer = &pool->buffers[i];
    if (!buffer->handle)
      continue;
    XlaVulkanBlock *block = &pool->blocks[buffer->block];
    VkResult result = maker->device->instance.api.BindBufferMemory(
        maker->device->handle, buffer->handle, block->memory,
        (VkDeviceSize)buffer->position);
    if (result < 0)
      return xlaVulkanFail(result, "a buffer of %lld bytes gets no memory",
                           (long long)buffer->bytes);
    if (block->mapped)
      buffer->mapped = block->mapped + buffer->position;
    VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buffer->handle};
    if (maker->use == XlaVulkanUseAddress)
      buffer->address = maker->device->instance.api.GetBufferDeviceAddress(
          maker->device->handle, &info);
  }
  return NULL;
}

static XlaStatus fill(Maker *maker) {
  XlaVulkanMemoryBlock *pool = maker->pool;
  bool isEmpty = true;
  for (intptr_t i = 0; i < pool->nBuffers; ++i)
    if (pool->buffers[i].bytes > 0) {
      XLA_RETURN_IF_ERROR(createBuffer(maker, i));
      isEmpty = false;
    }
  if (isEmpty)
    return NULL;
  uint32_t type =
      chooseType(&maker->device->physical, maker->allowed, maker->use);
  if (type == UINT32_MAX)
    return xlaStatusCreate(
        XLA_STATUS_UNIMPLEMENTED, "%s has no memory for buffers of %s",
        maker->device->physical.info.name,
        maker->use == XlaVulkanUseStaging ? "transfers to and from the host"
                                          : "shaders");
  pool->flags = maker->device->physical.memory.memoryTypes[type].propertyFlags;
  XLA_RETURN_IF_ERROR(layOut(maker));
  XLA_RETURN_IF_ERROR(allocate(maker, type));
  return bind(maker);
}

XlaStatus xlaVulkanMemoryBlockCreate(
    const XlaVulkanDevice *device, XlaVulkanUse use, intptr_t n,
    const int64_t *bytes,
    void (*what)(intptr_t i, char *name, const void *user), const void *user,
    XlaVulkanMemoryBlock *pool) {
  *pool = (XlaVulkanMemoryBlock){.nBuffers = n};
  size_t count = n ? (size_t)n : 1;
  pool->buffers = calloc(count, sizeof *pool->buffers);
  pool->blocks = calloc(count, sizeof *pool->blocks);
  Maker maker = {device, use, what, user, pool, .allowed = UINT32_MAX};
  maker.sizes = calloc(count, sizeof *maker.sizes);
  maker.alignments = calloc(count, sizeof *maker.alignments);
  XlaStatus status = NULL;
  if (!pool->buffers || !pool->blocks || !maker.sizes || !maker.alignments) {
    pool->nBuffers = 0;
    status = xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                             "no memory for a list of %zu buffers", count);
  } else {
    for (intptr_t i = 0; i < n; ++i)
      pool->buffers[i].bytes = bytes[i];
    status = fill(&maker);
  }
  free(maker.sizes);
  free(maker.alignments);
  return status;
}

void xlaVulkanMemoryBlockDestroy(const XlaVulkanDevice *device,
                                 XlaVulkanMemoryBlock *pool) {
  const XlaVulkanApi *api = &device->instance.api;
  for (intptr_t i = 0; i < pool->nBuffers; ++i)
    if (pool->buffers[i].handle)
      api->DestroyBuffer(device->handle, pool->buffers[i].handle, NULL);
  for (intptr_t i = 0; i < pool->nBlocks; ++i)
    if (pool->blocks[i].memory)
      api->FreeMemory(device->handle, pool->blocks[i].memory, NULL);
  free(pool->buffers);
  free(pool->blocks);
  *pool = (XlaVulkanMemoryBlock){0};
}

/// The whole atoms around a part, which lie in the block (see layOut).
static VkMappedMemoryRange atoms(const XlaVulkanDevice *device,
                                 const XlaVulkanPart *part) {
  int64_t atom = device->physical.nonCoherentAtom;
  int64_t begin = part->buffer->position + part->offset;
  int64_t end = (begin + part->bytes + atom - 1) / atom * atom;
  begin = begin / atom * atom;
  return (VkMappedMemoryRange){
      .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
      .memory = part->block->blocks[part->buffer->block].memory,
      .offset = (VkDeviceSize)begin,
      .size = (VkDeviceSize)(end - begin)};
}

XlaStatus xlaVulkanPartFlush(const XlaVulkanDevice *device,
                             const XlaVulkanPart *part) {
  if (part->block->flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
    return NULL;
  VkMappedMemoryRange range = atoms(device, part);
  VkResult result =
      device->instance.api.FlushMappedMemoryRanges(device->handle, 1, &range);
  return result < 0 ? xlaVulkanFail(result, "%lld bytes cannot be written",
                                    (long long)part->bytes)
                    : NULL;
}

XlaStatus xlaVulkanPartInvalidate(const XlaVulkanDevice *device,
                                  const XlaVulkanPart *part) {
  if (part->block->flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
    return NULL;
  VkMappedMemoryRange range = atoms(device, part);
  VkResult result = device->instance.api.InvalidateMappedMemoryRanges(
      device->handle, 1, &range);
  return result < 0 ? xlaVulkanFail(result, "%lld bytes cannot be read",
                                    (long long)part->bytes)
                    : NULL;
}

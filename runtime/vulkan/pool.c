//===- pool.c - Memory of a device that is used again ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots are buffers of a few sizes, eight for each doubling, so that at most an
// eighth is lost. Small ones are made many at a time, in slabs that double
// until they are a thousandth of the device's memory: with larger arrays, each
// an allocation of its own, that stays far from the number of allocations that
// drivers allow.
//
// The free slot that was made first is taken first. What a loop frees and takes
// is then the same every time, whatever else is free, and programs find what
// they have recorded for these arrays.
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/vulkan/array_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  Unit = 256,          ///< bytes of the smallest slots
  ClassesMax = 8 * 64, ///< sizes of slots
  FirstSlots = 4,      ///< of a slab of small ones
  SlotsMax = 1024,     ///< of any
};

/// Slabs may have so many bytes on small devices, and idle ones on all.
static const int64_t smallBytes = (int64_t)1 << 20,
                     idleBytes = (int64_t)64 << 20;

struct XlaVulkanSlab {
  XlaVulkanSlab *next;
  int sizeClass;
  uint64_t used; ///< the last work on memory that was given back
  intptr_t nUsed, n;
  XlaVulkanMemoryBlock block;
  XlaVulkanSlot slots[];
};

/// Slots of one size; the free ones are a heap whose top has the lowest number.
typedef struct SizeClass {
  intptr_t nSlots, nFree;
  XlaVulkanSlot **free; ///< has room for all
} SizeClass;

typedef struct XlaVulkanPool {
  pthread_mutex_t mutex;
  SizeClass classes[ClassesMax];
  XlaVulkanSlab *slabs;
  uint64_t nSlots;     ///< numbers given
  int64_t unusedBytes; ///< of slabs of which no slot is used
  XlaVulkanMemoryStats stats;
} XlaVulkanPool;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static int classOf(int64_t bytes) {
  int64_t units = (bytes - 1) / Unit + 1;
  int doublings = 0;
  while (((units - 1) >> doublings) + 1 > 16)
    ++doublings;
  int64_t eighths = ((units - 1) >> doublings) + 1;
  return 8 * doublings + (int)eighths;
}

static int64_t classBytes(int sizeClass) {
  int doublings = sizeClass > 16 ? (sizeClass - 9) / 8 : 0;
  return (int64_t)(sizeClass - 8 * doublings) * Unit << doublings;
}

/// Bytes of the longest buffer.
static int64_t mostBytes(const XlaVulkanDevice *device) {
  return device->physical.info.maxAllocation / 4 * 4;
}

//===----------------------------------------------------------------------===//
// Free slots
//===----------------------------------------------------------------------===//

static void siftDown(SizeClass *sizeClass, intptr_t i) {
  XlaVulkanSlot **heap = sizeClass->free, *moved = heap[i];
  for (intptr_t child; (child = 2 * i + 1) < sizeClass->nFree; i = child) {
    if (child + 1 < sizeClass->nFree &&
        heap[child + 1]->number < heap[child]->number)
      ++child;
    if (moved->number < heap[child]->number)
      break;
    heap[i] = heap[child];
  }
  heap[i] = moved;
}

static void push(SizeClass *sizeClass, XlaVulkanSlot *slot) {
  XlaVulkanSlot **heap = sizeClass->free;
  intptr_t i = sizeClass->nFree++;
  for (; i > 0 && slot->number < heap[(i - 1) / 2]->number; i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = slot;
}

static XlaVulkanSlot *pop(SizeClass *sizeClass) {
  XlaVulkanSlot *top = sizeClass->free[0];
  sizeClass->free[0] = sizeClass->free[--sizeClass->nFree];
  if (sizeClass->nFree)
    siftDown(sizeClass, 0);
  return top;
}

//===----------------------------------------------------------------------===//
// Slabs
//===----------------------------------------------------------------------===//

static void nameSlot(intptr_t i, char *name, const void *user) {
  snprintf(name, 64, "an array of up to %lld bytes",
           (long long)*(const int64_t *)user);
}

static XlaStatus fillSlab(XlaVulkanDevice *device, XlaVulkanSlab *slab,
                          int64_t slotBytes) {
  bool hasAddresses = device->physical.info.addresses;
  int64_t *bytes = calloc((size_t)slab->n, sizeof *bytes);
  if (!bytes)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of buffers");
  for (intptr_t i = 0; i < slab->n; ++i)
    bytes[i] = slotBytes;
  XlaStatus status = xlaVulkanMemoryBlockCreate(
      device, hasAddresses ? XlaVulkanUseAddress : XlaVulkanUseDevice, slab->n,
      bytes, nameSlot, &slotBytes, &slab->block);
  free(bytes);
  for (intptr_t i = 0; !status && i < slab->n; ++i) {
    XlaVulkanSlot *slot = &slab->slots[i];
    slot->slab = slab;
    slot->buffer = &slab->block.buffers[i];
    slot->number = ++device->pool->nSlots;
  }
  return status;
}

/// Adds `n` slots of a class.
static XlaStatus addSlab(XlaVulkanDevice *device, int number, intptr_t n) {
  XlaVulkanPool *pool = device->pool;
  SizeClass *sizeClass = &pool->classes[number];
  int64_t most = mostBytes(device), slotBytes = classBytes(number);
  slotBytes = slotBytes < most ? slotBytes : most;
  if (slotBytes > pool->stats.limitBytes - pool->stats.reservedBytes)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "%lld of its %lld bytes are reserved",
                           (long long)pool->stats.reservedBytes,
                           (long long)pool->stats.limitBytes);
  XlaVulkanSlot **grown =
      realloc(sizeClass->free,
              (size_t)(sizeClass->nSlots + n) * sizeof *sizeClass->free);
  sizeClass->free = grown ? grown : sizeClass->free;
  XlaVulkanSlab *slab =
      grown ? calloc(1, sizeof *slab + (size_t)n * sizeof *slab->slots) : NULL;
  if (!slab)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a list of %lld buffers",
                           (long long)n);
  slab->n = n;
  slab->sizeClass = number;
  XlaStatus status = fillSlab(device, slab, slotBytes);
  if (status) {
    xlaVulkanMemoryBlockDestroy(device, &slab->block);
    free(slab);
    return status;
  }
  slab->next = pool->slabs;
  pool->slabs = slab;
  sizeClass->nSlots += n;
  for (intptr_t i = 0; i < n; ++i)
    push(sizeClass, &slab->slots[i]);
  pool->unusedBytes += slab->block.bytes;
  pool->stats.reservedBytes += slab->block.bytes;
  pool->stats.nAllocations += slab->block.nBlocks;
  return NULL;
}

/// Returns a slab that is not used, and idle, to the system.
static void removeSlab(XlaVulkanDevice *device, XlaVulkanSlab **link) {
  XlaVulkanPool *pool = device->pool;
  XlaVulkanSlab *slab = *link;
  SizeClass *sizeClass = &pool->classes[slab->sizeClass];
  *link = slab->next;
  intptr_t kept = 0;
  for (intptr_t i = 0; i < sizeClass->nFree; ++i)
    if (sizeClass->free[i]->slab != slab)
      sizeClass->free[kept++] = sizeClass->free[i];
  sizeClass->nFree = kept;
  sizeClass->nSlots -= slab->n;
  for (intptr_t i = kept / 2; i-- > 0;)
    siftDown(sizeClass, i);
  pool->unusedBytes -= slab->block.bytes;
  pool->stats.reservedBytes -= slab->block.bytes;
  xlaVulkanMemoryBlockDestroy(device, &slab->block);
  free(slab);
}

/// Returns all that is not used to the system; whether there was something.
static bool trim(XlaVulkanDevice *device) {
  bool isLess = false;
  for (XlaVulkanSlab **link = &device->pool->slabs; *link;) {
    XlaStatus status = NULL;
    bool isFree = (*link)->nUsed == 0;
    if (isFree)
      status = xlaVulkanDeviceWait(device, (*link)->used);
    if (isFree && !status) {
      removeSlab(device, link);
      isLess = true;
    } else {
      link = &(*link)->next;
    }
    xlaStatusDestroy(status);
  }
  return isLess;
}

/// Keeps no more unused memory than was ever used, or a little; what has not
/// been used for longest goes. Does not wait.
static void limitUnused(XlaVulkanDevice *device) {
  XlaVulkanPool *pool = device->pool;
  int64_t limit =
      pool->stats.peakBytes > idleBytes ? pool->stats.peakBytes : idleBytes;
  while (pool->unusedBytes > limit) {
    XlaVulkanSlab **oldest = NULL;
    for (XlaVulkanSlab **link = &pool->slabs; *link; link = &(*link)->next)
      if ((*link)->nUsed == 0 && (!oldest || (*link)->used < (*oldest)->used))
        oldest = link;
    if (!oldest || !xlaVulkanQueueHasReached(device, (*oldest)->used))
      return;
    removeSlab(device, oldest);
  }
}

/// How many slots are made at once: as many as there are.
static intptr_t slabSlots(const XlaVulkanDevice *device, int number) {
  const XlaVulkanPool *pool = device->pool;
  int64_t bytes = classBytes(number), most = pool->stats.limitBytes / 1024;
  most = most < smallBytes ? smallBytes : most;
  most = most < mostBytes(device) ? most : mostBytes(device);
  if (most > pool->stats.limitBytes - pool->stats.reservedBytes)
    most = 0;
  int64_t n = pool->classes[number].nSlots;
  n = n < FirstSlots && bytes * FirstSlots <= smallBytes ? FirstSlots : n;
  n = n < SlotsMax ? n : SlotsMax;
  n = n < most / bytes ? n : most / bytes;
  return n > 1 ? (intptr_t)n : 1;
}

/// Makes slots of a class, of which there is none free.
static XlaStatus grow(XlaVulkanDevice *device, int number) {
  intptr_t n = slabSlots(device, number);
  XlaStatus status = addSlab(device, number, n);
  if (xlaStatusCode(status) == XLA_STATUS_OUT_OF_MEMORY &&
      (trim(device) || n > 1)) {
    xlaStatusDestroy(status);
    status = addSlab(device, number, 1);
  }
  return status;
}

//===----------------------------------------------------------------------===//
// The pool
//===----------------------------------------------------------------------===//

XlaStatus xlaVulkanPoolCreate(XlaVulkanDevice *device) {
  XlaVulkanPool *pool = calloc(1, sizeof *pool);
  if (!pool || pthread_mutex_init(&pool->mutex, NULL)) {
    free(pool);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for the pool of a device");
  }
  pool->stats.limitBytes = device->physical.info.memoryBytes;
  device->pool = pool;
  return NULL;
}

void xlaVulkanPoolDestroy(XlaVulkanDevice *device) {
  XlaVulkanPool *pool = device->pool;
  if (!pool)
    return;
  while (pool->slabs)
    removeSlab(device, &pool->slabs);
  for (int i = 0; i < ClassesMax; ++i)
    free(pool->classes[i].free);
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
}

XlaVulkanPart xlaVulkanSlotPart(const XlaVulkanSlot *slot, int64_t offset,
                                int64_t bytes) {
  return (XlaVulkanPart){&slot->slab->block, slot->buffer, offset, bytes};
}

static XlaStatus takeSlot(XlaVulkanDevice *device, int64_t bytes,
                          XlaVulkanSlot **slot) {
  XlaVulkanPool *pool = device->pool;
  if (bytes > mostBytes(device))
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "one piece of its memory has at most %lld bytes",
                           (long long)device->physical.info.maxAllocation);
  int number = classOf(bytes);
  if (pool->classes[number].nFree == 0)
    XLA_RETURN_IF_ERROR(grow(device, number));
  *slot = pop(&pool->classes[number]);
  if ((*slot)->slab->nUsed++ == 0)
    pool->unusedBytes -= (*slot)->slab->block.bytes;
  return NULL;
}

static void giveSlot(XlaVulkanPool *pool, XlaVulkanSlot *slot) {
  XlaVulkanSlab *slab = slot->slab;
  slab->used = slot->used > slab->used ? slot->used : slab->used;
  push(&pool->classes[slab->sizeClass], slot);
  if (--slab->nUsed == 0)
    pool->unusedBytes += slab->block.bytes;
}

static XlaStatus takeAll(XlaVulkanArray *array) {
  uint64_t used = 0;
  for (intptr_t i = 0; i < array->n; ++i) {
    int64_t bytes = i + 1 < array->n ? array->pieceBytes
                                     : array->bytes - i * array->pieceBytes;
    XlaStatus status = takeSlot(array->device, bytes, &array->pieces[i]);
    if (status) {
      while (i-- > 0)
        giveSlot(array->device->pool, array->pieces[i]);
      return status;
    }
    if (array->pieces[i]->used > used)
      used = array->pieces[i]->used;
  }
  atomic_store(&array->used, used);
  return NULL;
}

XlaStatus xlaVulkanPoolTake(XlaVulkanArray *array) {
  XlaVulkanPool *pool = array->device->pool;
  XlaVulkanMemoryStats *stats = &pool->stats;
  pthread_mutex_lock(&pool->mutex);
  XlaStatus status = takeAll(array), inner = status;
  if (status) {
    status = xlaStatusCreate(
        xlaStatusCode(inner),
        "no memory for an array of %lld bytes on %s, where arrays have %lld "
        "bytes: %s",
        (long long)array->bytes, array->device->physical.info.name,
        (long long)stats->usedBytes, xlaStatusMessage(inner));
    xlaStatusDestroy(inner);
  } else {
    stats->usedBytes += array->bytes;
    if (stats->usedBytes > stats->peakBytes)
      stats->peakBytes = stats->usedBytes;
    if (array->bytes > stats->largestBytes)
      stats->largestBytes = array->bytes;
    ++stats->nArrays;
    ++stats->nCreated;
  }
  pthread_mutex_unlock(&pool->mutex);
  return status;
}

void xlaVulkanPoolGive(XlaVulkanArray *array) {
  XlaVulkanPool *pool = array->device->pool;
  uint64_t used = xlaVulkanArrayGetUsed(array);
  pthread_mutex_lock(&pool->mutex);
  for (intptr_t i = 0; i < array->n; ++i) {
    array->pieces[i]->used = used;
    giveSlot(pool, array->pieces[i]);
  }
  pool->stats.usedBytes -= array->bytes;
  --pool->stats.nArrays;
  limitUnused(array->device);
  pthread_mutex_unlock(&pool->mutex);
}

XlaVulkanMemoryStats xlaVulkanDeviceGetMemoryStats(XlaVulkanDevice *device) {
  pthread_mutex_lock(&device->pool->mutex);
  XlaVulkanMemoryStats stats = device->pool->stats;
  pthread_mutex_unlock(&device->pool->mutex);
  return stats;
}

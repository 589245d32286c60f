//===- pool.c - Host memory that is used again ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/pool.h"
#include "xlac/runtime/checked.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address))
#endif

// Capacities are 64 * 2^k * {4, 5, 6, 7} / 4, so that a block wastes at most a
// fifth of its bytes and one of another size seldom misses the free list.
enum { StepsPerDoubling = 4, Doublings = 56, SmallestLog2 = 6 };

/// Sits in the cache line before the bytes that the user sees.
typedef struct Block {
  alignas(XLA_POOL_ALIGNMENT) XlaPool *pool;
  struct Block *next; ///< in its free list
  size_t capacity;    ///< bytes behind this header
  size_t byteCount;   ///< as asked for
  int sizeClass;
} Block;
_Static_assert(sizeof(Block) == XLA_POOL_ALIGNMENT, "one cache line");

struct XlaPool {
  pthread_mutex_t mutex; ///< guards all that follows
  XlaPoolOptions options;
  XlaPoolStatistics statistics;
  bool destroyed; ///< the owner let go; the last block frees the pool
  Block *idle[Doublings * StepsPerDoubling];
};

/// The class whose capacity holds `byteCount` bytes, or -1 beyond the largest.
static int sizeClassOf(size_t byteCount, size_t *capacity) {
  size_t base = (size_t)1 << SmallestLog2;
  if (byteCount <= base) {
    *capacity = base;
    return 0;
  }
  // byteCount - 1 lies in [2^log2, 2^(log2 + 1)).
  int log2 = 63 - __builtin_clzll(byteCount - 1);
  size_t step = ((size_t)1 << log2) / StepsPerDoubling;
  size_t steps = (byteCount - 1 - ((size_t)1 << log2)) / step + 1;
  *capacity = ((size_t)1 << log2) + steps * step;
  int sizeClass = (log2 - SmallestLog2) * StepsPerDoubling + (int)steps;
  return sizeClass < Doublings * StepsPerDoubling ? sizeClass : -1;
}

XlaStatus xlaPoolCreate(XlaPoolOptions options, XlaPool **pool) {
  *pool = NULL;
  XlaPool *created = calloc(1, sizeof *created);
  if (!created)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a pool");
  if (pthread_mutex_init(&created->mutex, NULL)) {
    free(created);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no mutex for a pool");
  }
  created->options = options;
  *pool = created;
  return NULL;
}

/// Counts `byteCount` as live if the limit allows it. The mutex is held.
static bool reserve(XlaPool *pool, size_t byteCount) {
  XlaPoolStatistics *statistics = &pool->statistics;
  size_t limit = pool->options.liveLimit;
  if (limit && byteCount > limit - statistics->liveBytes)
    return false;
  statistics->liveBytes += byteCount;
  ++pool->statistics.liveBlocks;
  return true;
}

/// An unused block of the class, or NULL. The mutex is held.
static Block *takeIdle(XlaPool *pool, int sizeClass) {
  Block *block = pool->idle[sizeClass];
  if (!block)
    return NULL;
  pool->idle[sizeClass] = block->next;
  pool->statistics.idleBytes -= block->capacity;
  ++pool->statistics.reused;
  return block;
}

XlaStatus xlaPoolAllocate(XlaPool *pool, size_t byteCount, void **block) {
  *block = NULL;
  size_t capacity = 0, size = 0;
  int sizeClass =
      byteCount > PTRDIFF_MAX ? -1 : sizeClassOf(byteCount, &capacity);
  if (sizeClass < 0 ||
      !xlaCheckedAlign(capacity + sizeof(Block), XLA_POOL_ALIGNMENT, &size))
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "a buffer of %zu bytes exceeds the address space",
                           byteCount);
  pthread_mutex_lock(&pool->mutex);
  size_t live = pool->statistics.liveBytes;
  bool fits = reserve(pool, byteCount);
  Block *found = fits ? takeIdle(pool, sizeClass) : NULL;
  pthread_mutex_unlock(&pool->mutex);
  if (!fits)
    return xlaStatusCreate(
        XLA_STATUS_OUT_OF_MEMORY,
        "a buffer of %zu bytes beside %zu in use exceeds the limit of %zu",
        byteCount, live, pool->options.liveLimit);

  if (!found) {
    found = aligned_alloc(XLA_POOL_ALIGNMENT, size);
    if (found)
      *found =
          (Block){.pool = pool, .capacity = capacity, .sizeClass = sizeClass};
  }
  pthread_mutex_lock(&pool->mutex);
  XlaPoolStatistics *statistics = &pool->statistics;
  if (found) {
    ++statistics->allocated;
    if (statistics->liveBytes > statistics->peakBytes)
      statistics->peakBytes = statistics->liveBytes;
  } else {
    statistics->liveBytes -= byteCount;
    --pool->statistics.liveBlocks;
  }
  pthread_mutex_unlock(&pool->mutex);
  if (!found)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for a buffer of %zu bytes", byteCount);
  found->byteCount = byteCount;
  found->next = NULL;
  // What lies behind the bytes asked for is out of bounds for the sanitizer.
  ASAN_POISON_MEMORY_REGION(found + 1, capacity);
  ASAN_UNPOISON_MEMORY_REGION(found + 1, byteCount);
  *block = found + 1;
  return NULL;
}

static void releaseToSystem(Block *block) {
  while (block) {
    Block *next = block->next;
    ASAN_UNPOISON_MEMORY_REGION(block + 1, block->capacity);
    free(block);
    block = next;
  }
}

/// All unused blocks in one list. The mutex is held.
static Block *takeAllIdle(XlaPool *pool) {
  Block *all = NULL;
  for (int i = 0; i < Doublings * StepsPerDoubling; ++i)
    while (pool->idle[i]) {
      Block *block = pool->idle[i];
      pool->idle[i] = block->next;
      block->next = all;
      all = block;
    }
  pool->statistics.idleBytes = 0;
  return all;
}

static void deleteArena(XlaPool *pool) {
  releaseToSystem(takeAllIdle(pool));
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
}

void xlaPoolFree(void *data) {
  if (!data)
    return;
  Block *block = (Block *)data - 1;
  XlaPool *pool = block->pool;
  pthread_mutex_lock(&pool->mutex);
  XlaPoolStatistics *statistics = &pool->statistics;
  statistics->liveBytes -= block->byteCount;
  --pool->statistics.liveBlocks;
  size_t limit = pool->options.idleLimit;
  bool keep =
      !pool->destroyed && block->capacity <= limit - statistics->idleBytes;
  if (keep) {
    ASAN_POISON_MEMORY_REGION(block + 1, block->capacity);
    block->next = pool->idle[block->sizeClass];
    pool->idle[block->sizeClass] = block;
    statistics->idleBytes += block->capacity;
  }
  bool last = pool->destroyed && pool->statistics.liveBlocks == 0;
  pthread_mutex_unlock(&pool->mutex);
  if (!keep)
    releaseToSystem(block);
  if (last)
    deleteArena(pool);
}

void xlaPoolTrim(XlaPool *pool) {
  pthread_mutex_lock(&pool->mutex);
  Block *idle = takeAllIdle(pool);
  pthread_mutex_unlock(&pool->mutex);
  releaseToSystem(idle);
}

XlaPoolStatistics xlaPoolGetStatistics(XlaPool *pool) {
  pthread_mutex_lock(&pool->mutex);
  XlaPoolStatistics statistics = pool->statistics;
  pthread_mutex_unlock(&pool->mutex);
  return statistics;
}

void xlaPoolDestroy(XlaPool *pool) {
  if (!pool)
    return;
  pthread_mutex_lock(&pool->mutex);
  pool->destroyed = true;
  bool last = pool->statistics.liveBlocks == 0;
  Block *idle = takeAllIdle(pool);
  pthread_mutex_unlock(&pool->mutex);
  releaseToSystem(idle);
  if (last)
    deleteArena(pool);
}

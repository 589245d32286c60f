//===- arena.c - Host memory that is used again ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/runtime/arena.h"
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
  alignas(XLA_ARENA_ALIGNMENT) XlaArena *arena;
  struct Block *next; ///< in its free list
  size_t capacity;    ///< bytes behind this header
  size_t byteCount;   ///< as asked for
  int sizeClass;
} Block;
_Static_assert(sizeof(Block) == XLA_ARENA_ALIGNMENT, "one cache line");

struct XlaArena {
  pthread_mutex_t mutex; ///< guards all that follows
  XlaArenaOptions options;
  XlaArenaStatistics statistics;
  size_t liveBlocks;
  bool destroyed; ///< the owner let go; the last block frees the arena
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

XlaStatus xlaArenaCreate(XlaArenaOptions options, XlaArena **arena) {
  *arena = NULL;
  XlaArena *created = calloc(1, sizeof *created);
  if (!created)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for an arena");
  if (pthread_mutex_init(&created->mutex, NULL)) {
    free(created);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no mutex for an arena");
  }
  created->options = options;
  *arena = created;
  return NULL;
}

/// Counts `byteCount` as live if the limit allows it. The mutex is held.
static bool reserve(XlaArena *arena, size_t byteCount) {
  XlaArenaStatistics *statistics = &arena->statistics;
  size_t limit = arena->options.liveLimit;
  if (limit && byteCount > limit - statistics->liveBytes)
    return false;
  statistics->liveBytes += byteCount;
  ++arena->liveBlocks;
  return true;
}

/// An unused block of the class, or NULL. The mutex is held.
static Block *takeIdle(XlaArena *arena, int sizeClass) {
  Block *block = arena->idle[sizeClass];
  if (!block)
    return NULL;
  arena->idle[sizeClass] = block->next;
  arena->statistics.idleBytes -= block->capacity;
  ++arena->statistics.reused;
  return block;
}

XlaStatus xlaArenaAllocate(XlaArena *arena, size_t byteCount, void **block) {
  *block = NULL;
  size_t capacity = 0, size = 0;
  int sizeClass =
      byteCount > PTRDIFF_MAX ? -1 : sizeClassOf(byteCount, &capacity);
  if (sizeClass < 0 ||
      !xlaCheckedAlign(capacity + sizeof(Block), XLA_ARENA_ALIGNMENT, &size))
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "a buffer of %zu bytes exceeds the address space",
                           byteCount);
  pthread_mutex_lock(&arena->mutex);
  size_t live = arena->statistics.liveBytes;
  bool fits = reserve(arena, byteCount);
  Block *found = fits ? takeIdle(arena, sizeClass) : NULL;
  pthread_mutex_unlock(&arena->mutex);
  if (!fits)
    return xlaStatusCreate(
        XLA_STATUS_OUT_OF_MEMORY,
        "a buffer of %zu bytes beside %zu in use exceeds the limit of %zu",
        byteCount, live, arena->options.liveLimit);

  if (!found) {
    found = aligned_alloc(XLA_ARENA_ALIGNMENT, size);
    if (found)
      *found =
          (Block){.arena = arena, .capacity = capacity, .sizeClass = sizeClass};
  }
  pthread_mutex_lock(&arena->mutex);
  XlaArenaStatistics *statistics = &arena->statistics;
  if (found) {
    ++statistics->allocated;
    if (statistics->liveBytes > statistics->peakBytes)
      statistics->peakBytes = statistics->liveBytes;
  } else {
    statistics->liveBytes -= byteCount;
    --arena->liveBlocks;
  }
  pthread_mutex_unlock(&arena->mutex);
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
static Block *takeAllIdle(XlaArena *arena) {
  Block *all = NULL;
  for (int i = 0; i < Doublings * StepsPerDoubling; ++i)
    while (arena->idle[i]) {
      Block *block = arena->idle[i];
      arena->idle[i] = block->next;
      block->next = all;
      all = block;
    }
  arena->statistics.idleBytes = 0;
  return all;
}

static void deleteArena(XlaArena *arena) {
  releaseToSystem(takeAllIdle(arena));
  pthread_mutex_destroy(&arena->mutex);
  free(arena);
}

void xlaArenaFree(void *data) {
  if (!data)
    return;
  Block *block = (Block *)data - 1;
  XlaArena *arena = block->arena;
  pthread_mutex_lock(&arena->mutex);
  XlaArenaStatistics *statistics = &arena->statistics;
  statistics->liveBytes -= block->byteCount;
  --arena->liveBlocks;
  size_t limit = arena->options.idleLimit;
  bool keep =
      !arena->destroyed && block->capacity <= limit - statistics->idleBytes;
  if (keep) {
    ASAN_POISON_MEMORY_REGION(block + 1, block->capacity);
    block->next = arena->idle[block->sizeClass];
    arena->idle[block->sizeClass] = block;
    statistics->idleBytes += block->capacity;
  }
  bool last = arena->destroyed && arena->liveBlocks == 0;
  pthread_mutex_unlock(&arena->mutex);
  if (!keep)
    releaseToSystem(block);
  if (last)
    deleteArena(arena);
}

void xlaArenaTrim(XlaArena *arena) {
  pthread_mutex_lock(&arena->mutex);
  Block *idle = takeAllIdle(arena);
  pthread_mutex_unlock(&arena->mutex);
  releaseToSystem(idle);
}

XlaArenaStatistics xlaArenaGetStatistics(XlaArena *arena) {
  pthread_mutex_lock(&arena->mutex);
  XlaArenaStatistics statistics = arena->statistics;
  pthread_mutex_unlock(&arena->mutex);
  return statistics;
}

void xlaArenaDestroy(XlaArena *arena) {
  if (!arena)
    return;
  pthread_mutex_lock(&arena->mutex);
  arena->destroyed = true;
  bool last = arena->liveBlocks == 0;
  Block *idle = takeAllIdle(arena);
  pthread_mutex_unlock(&arena->mutex);
  releaseToSystem(idle);
  if (last)
    deleteArena(arena);
}

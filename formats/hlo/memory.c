//===- memory.c - Memory of programs in HLO -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/ast.h"

#include <stdlib.h>
#include <string.h>

enum { blockBytes = 1 << 16 };

typedef struct XlaHloBlock {
  struct XlaHloBlock *next;
  size_t used, size;
  max_align_t bytes[];
} XlaHloBlock;

void *xlaHloArenaTake(XlaHloArena *arena, size_t count, size_t size) {
  enum { unit = sizeof(max_align_t) };
  if (count > (SIZE_MAX / 4) / (size ? size : 1))
    return NULL;
  size_t wanted = (count * size + unit - 1) / unit * unit;
  XlaHloBlock *block = arena->blocks;
  if (!block || block->size - block->used < wanted) {
    size_t bytes = wanted > blockBytes / 4 ? wanted : blockBytes;
    XlaHloBlock *fresh = calloc(1, sizeof *fresh + bytes);
    if (!fresh)
      return NULL;
    fresh->size = bytes;
    // What is large has a block of its own, behind the one that is filled.
    if (block && bytes == wanted) {
      fresh->next = block->next;
      block->next = fresh;
    } else {
      fresh->next = block;
      arena->blocks = fresh;
    }
    block = fresh;
  }
  char *taken = (char *)block->bytes + block->used;
  block->used += wanted;
  return taken;
}

void *xlaHloArenaCopy(XlaHloArena *arena, const void *items, size_t count,
                      size_t size) {
  void *copy = xlaHloArenaTake(arena, count, size);
  if (copy && count)
    memcpy(copy, items, count * size);
  return copy;
}

void xlaHloArenaFree(XlaHloArena *arena) {
  while (arena->blocks) {
    XlaHloBlock *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
}

bool xlaHloReserve(void **items, size_t *capacity, size_t wanted, size_t size) {
  if (wanted <= *capacity)
    return true;
  size_t grown = *capacity ? *capacity * 2 : 8;
  grown = grown < wanted ? wanted : grown;
  if (grown > SIZE_MAX / 4 / size)
    return false;
  void *moved = realloc(*items, grown * size);
  if (!moved)
    return false;
  *items = moved;
  *capacity = grown;
  return true;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static uint32_t hashOf(MlirStringRef name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < name.length; ++i)
    hash = (hash ^ (unsigned char)name.data[i]) * UINT64_C(0x100000001b3);
  return (uint32_t)(hash ^ hash >> 32);
}

/// The slot of `name`, or the empty one where it belongs.
static size_t slotOf(const XlaHloNames *names, MlirStringRef name,
                     uint32_t hash) {
  size_t mask = names->capacity - 1, at = hash & mask;
  while (names->slots[at].name.data &&
         (names->slots[at].hash != hash ||
          !mlirStringRefEqual(names->slots[at].name, name)))
    at = (at + 1) & mask;
  return at;
}

uint32_t xlaHloNamesFind(const XlaHloNames *names, MlirStringRef name) {
  if (!names->capacity)
    return XLA_HLO_NO_NUMBER;
  size_t at = slotOf(names, name, hashOf(name));
  return names->slots[at].name.data ? names->slots[at].number
                                    : XLA_HLO_NO_NUMBER;
}

static bool growNames(XlaHloNames *names) {
  XlaHloNames grown = {.capacity = names->capacity ? names->capacity * 2 : 16,
                       .size = names->size};
  grown.slots = calloc(grown.capacity, sizeof *grown.slots);
  if (!grown.slots)
    return false;
  for (size_t i = 0; i < names->capacity; ++i)
    if (names->slots[i].name.data)
      grown.slots[slotOf(&grown, names->slots[i].name, names->slots[i].hash)] =
          names->slots[i];
  free(names->slots);
  *names = grown;
  return true;
}

bool xlaHloNamesAdd(XlaHloNames *names, MlirStringRef name, uint32_t number) {
  if (names->size * 2 >= names->capacity && !growNames(names))
    return false;
  uint32_t hash = hashOf(name);
  names->slots[slotOf(names, name, hash)] =
      (struct XlaHloName){name, hash, number};
  ++names->size;
  return true;
}

void xlaHloNamesFree(XlaHloNames *names) {
  free(names->slots);
  *names = (XlaHloNames){0};
}

//===- pointer_map.c - A table by address --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open addressing. Keys stay when their value is removed: the same values come
// back when a region runs again.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/pointer_map.h"

#include <stdlib.h>

static size_t slotOf(const XlaPointerMap *map, const void *key) {
  size_t slot = ((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20;
  for (slot &= map->capacity - 1; map->keys[slot] && map->keys[slot] != key;
       slot = (slot + 1) & (map->capacity - 1))
    ;
  return slot;
}

static bool grow(XlaPointerMap *map) {
  XlaPointerMap larger = {.capacity = map->capacity ? 2 * map->capacity : 64};
  larger.keys = calloc(larger.capacity, sizeof *larger.keys);
  larger.values = calloc(larger.capacity, sizeof *larger.values);
  if (!larger.keys || !larger.values) {
    free(larger.keys);
    free(larger.values);
    return false;
  }
  for (size_t i = 0; i < map->capacity; ++i) {
    if (!map->values[i])
      continue;
    size_t slot = slotOf(&larger, map->keys[i]);
    larger.keys[slot] = map->keys[i];
    larger.values[slot] = map->values[i];
    ++larger.used;
  }
  xlaPointerMapClear(map);
  *map = larger;
  return true;
}

intptr_t xlaPointerMapGet(const XlaPointerMap *map, const void *key) {
  return map->capacity ? map->values[slotOf(map, key)] : 0;
}

bool xlaPointerMapSet(XlaPointerMap *map, const void *key, intptr_t value) {
  if (!value && !xlaPointerMapGet(map, key))
    return true;
  if (2 * (map->used + 1) > map->capacity && !grow(map))
    return false;
  size_t slot = slotOf(map, key);
  map->used += !map->keys[slot];
  map->keys[slot] = key;
  map->values[slot] = value;
  return true;
}

void xlaPointerMapClear(XlaPointerMap *map) {
  free(map->keys);
  free(map->values);
  *map = (XlaPointerMap){0};
}

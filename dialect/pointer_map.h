//===- pointer_map.h - A table by address ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyses attach facts to values and operations, which mlir-c identifies by
// the address in their `ptr`.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_POINTER_MAP_H
#define XLAC_DIALECT_POINTER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// From addresses to integers that are not 0; 0 means absent. Zero-initialise
/// it.
typedef struct XlaPointerMap {
  size_t capacity, used;
  const void **keys;
  intptr_t *values;
} XlaPointerMap;

/// The value of `key`, or 0.
intptr_t xlaPointerMapGet(const XlaPointerMap *map, const void *key);
/// Sets it (0 removes it). False if there is no memory.
bool xlaPointerMapSet(XlaPointerMap *map, const void *key, intptr_t value);
/// Frees the table, which is then empty.
void xlaPointerMapClear(XlaPointerMap *map);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_POINTER_MAP_H

//===- flatbuffer.c - Tables of flatbuffers -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/exported/flatbuffer.h"

static bool readNumber(const XlaFlatbuffer *buffer, size_t at, size_t size,
                       uint64_t *number) {
  *number = 0;
  if (at > buffer->size || size > buffer->size - at)
    return false;
  for (size_t i = size; i--;)
    *number = *number << 8 | buffer->bytes[at + i];
  return true;
}

/// Offsets are unsigned and count from where they are.
static bool follow(const XlaFlatbuffer *buffer, size_t at, size_t *target) {
  uint64_t offset;
  if (!readNumber(buffer, at, 4, &offset) || offset > buffer->size - at)
    return false;
  *target = at + (size_t)offset;
  return true;
}

bool xlaFlatbufferGetRoot(const XlaFlatbuffer *buffer, XlaFlatTable *table) {
  uint64_t back, vtableSize;
  *table = (XlaFlatTable){.buffer = buffer};
  if (!follow(buffer, 0, &table->at) ||
      !readNumber(buffer, table->at, 4, &back))
    return false;
  // The vtable is that far before the table; a negative number: behind it.
  int64_t vtable = (int64_t)table->at - (int32_t)(uint32_t)back;
  uint64_t size;
  if (vtable < 0 || !readNumber(buffer, (size_t)vtable, 2, &vtableSize) ||
      !readNumber(buffer, (size_t)vtable + 2, 2, &size) || vtableSize < 4 ||
      vtableSize > buffer->size - (size_t)vtable ||
      size > buffer->size - table->at)
    return false;
  table->size = (size_t)size;
  table->vtable = (size_t)vtable + 4;
  table->nFields = (size_t)(vtableSize - 4) / 2;
  return true;
}

/// Where a field is, 0 for one that is left out.
static size_t findField(const XlaFlatTable *table, size_t field) {
  uint64_t offset;
  if (field >= table->nFields ||
      !readNumber(table->buffer, table->vtable + 2 * field, 2, &offset) ||
      !offset)
    return 0;
  return table->at + (size_t)offset;
}

bool xlaFlatTableHas(const XlaFlatTable *table, size_t field) {
  return findField(table, field) != 0;
}

bool xlaFlatTableGetNumber(const XlaFlatTable *table, size_t field, size_t size,
                           uint64_t *number) {
  size_t at = findField(table, field);
  *number = 0;
  if (!at)
    return true;
  return at - table->at <= table->size &&
         size <= table->size - (at - table->at) &&
         readNumber(table->buffer, at, size, number);
}

static bool readVector(const XlaFlatbuffer *buffer, size_t at, size_t size,
                       XlaFlatVector *vector) {
  uint64_t n;
  size_t target;
  if (!follow(buffer, at, &target) || !readNumber(buffer, target, 4, &n))
    return false;
  vector->at = target + 4;
  vector->n = (size_t)n;
  return n <= (buffer->size - vector->at) / size;
}

bool xlaFlatTableGetVector(const XlaFlatTable *table, size_t field, size_t size,
                           XlaFlatVector *vector) {
  size_t at = findField(table, field);
  *vector = (XlaFlatVector){0, 0};
  return !at || readVector(table->buffer, at, size, vector);
}

bool xlaFlatVectorGetString(const XlaFlatbuffer *buffer,
                            const XlaFlatVector *vector, size_t i,
                            XlaFlatVector *string) {
  return i < vector->n && readVector(buffer, vector->at + 4 * i, 1, string);
}

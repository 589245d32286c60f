//===- flatbuffer.h - Tables of flatbuffers -------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is at flatbuffers.dev/internals. Numbers are little endian; a
// table begins with where its vtable is, which says at which offset each field
// is, 0 for one that is left out. Functions give false for what lies outside of
// the file, without a message.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_EXPORTED_FLATBUFFER_H
#define XLAC_FORMATS_EXPORTED_FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct XlaFlatbuffer {
  const uint8_t *bytes;
  size_t size;
} XlaFlatbuffer;

/// A table, checked together with its vtable.
typedef struct XlaFlatTable {
  const XlaFlatbuffer *buffer;
  size_t at, size; ///< of the table
  size_t vtable, nFields;
} XlaFlatTable;

/// Bytes, or offsets of other things.
typedef struct XlaFlatVector {
  size_t at; ///< of the first element
  size_t n;  ///< 0 also for one that is left out
} XlaFlatVector;

bool xlaFlatbufferGetRoot(const XlaFlatbuffer *buffer, XlaFlatTable *table);

/// Whether the file says field number `field`.
bool xlaFlatTableHas(const XlaFlatTable *table, size_t field);
/// A number of `size` bytes, 1 to 8; 0 for one that is left out.
bool xlaFlatTableGetNumber(const XlaFlatTable *table, size_t field, size_t size,
                           uint64_t *number);
/// A vector, or a string, whose elements have `size` bytes.
bool xlaFlatTableGetVector(const XlaFlatTable *table, size_t field, size_t size,
                           XlaFlatVector *vector);
/// Element `i` of a vector of strings.
bool xlaFlatVectorGetString(const XlaFlatbuffer *buffer,
                            const XlaFlatVector *vector, size_t i,
                            XlaFlatVector *string);

#endif // XLAC_FORMATS_EXPORTED_FLATBUFFER_H

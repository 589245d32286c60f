//===- bytes.h - Reading files of bytes -----------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files come from strangers: every read is checked, and the first one that
// fails is told as `file:1:1: error: byte 123: ..`.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_BYTES_H
#define XLAC_FORMATS_BYTES_H

#include "mlir-c/IR.h"
#include "xlac/passes/import/result.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file in memory, and how reading it went so far.
typedef struct XlaByteSource {
  MlirContext context;
  MlirStringRef name; ///< of the file, for messages
  const uint8_t *bytes;
  size_t size;
  bool outlivesContext;   ///< what is made of it may refer to it
  bool isMapped;          ///< it is pages of a file as they are there
  XlaImportResult result; ///< there was a diagnostic if not Ok
} XlaByteSource;

/// A part of a source that is being read.
typedef struct XlaByteCursor {
  XlaByteSource *source;
  const uint8_t *next, *end;
} XlaByteCursor;

/// `file:1:1`.
MlirLocation xlaByteLocation(const XlaByteSource *source);

/// Say what is wrong, or not supported, at a byte of the source (NULL: in no
/// certain one), unless something else was said before. False.
__attribute__((format(printf, 3, 4))) bool
xlaByteError(XlaByteSource *source, const uint8_t *at, const char *format, ...);
__attribute__((format(printf, 3, 4))) bool
xlaByteUnsupported(XlaByteSource *source, const uint8_t *at, const char *format,
                   ...);

/// Memory for `n` elements of `size` bytes, zeroed; NULL after a message.
void *xlaByteAllocate(XlaByteSource *source, size_t n, size_t size);

/// How many bytes are left.
size_t xlaByteGetLeft(const XlaByteCursor *cursor);

// These read something, or say why not and return false.

bool xlaByteRead(XlaByteCursor *cursor, uint8_t *byte);
/// `n` bytes, which stay the source's.
bool xlaByteReadBlob(XlaByteCursor *cursor, uint64_t n, const uint8_t **bytes);
/// A number of MLIR's bytecode, of which small ones take a byte.
bool xlaByteReadVarint(XlaByteCursor *cursor, uint64_t *value);
/// The same with a bit beside it.
bool xlaByteReadVarintFlag(XlaByteCursor *cursor, uint64_t *value, bool *flag);
/// A signed number, small ones of both signs in a byte.
bool xlaByteReadSigned(XlaByteCursor *cursor, int64_t *value);
/// A varint that says how many things follow that take at least a byte each.
bool xlaByteReadCount(XlaByteCursor *cursor, const char *what, uint64_t *n);
/// Characters up to a 0.
bool xlaByteReadString(XlaByteCursor *cursor, MlirStringRef *string);

#ifdef __cplusplus
}
#endif

#endif // XLAC_FORMATS_BYTES_H

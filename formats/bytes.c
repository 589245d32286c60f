//===- bytes.c - Reading files of bytes -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/bytes.h"

#include "mlir-c/Diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MlirLocation xlaByteLocation(const XlaByteSource *source) {
  return mlirLocationFileLineColGet(source->context, source->name, 1, 1);
}

static bool fail(XlaByteSource *source, XlaImportResult result,
                 const uint8_t *at, const char *format, va_list arguments) {
  char message[512];
  size_t length = 0;
  if (source->result != XlaImportResultOk)
    return false;
  source->result = result;
  if (at)
    length = (size_t)snprintf(message, sizeof message,
                              "byte %zu: ", (size_t)(at - source->bytes));
  vsnprintf(message + length, sizeof message - length, format, arguments);
  mlirEmitError(xlaByteLocation(source), message);
  return false;
}

bool xlaByteError(XlaByteSource *source, const uint8_t *at, const char *format,
                  ...) {
  va_list arguments;
  va_start(arguments, format);
  fail(source, XlaImportResultInvalid, at, format, arguments);
  va_end(arguments);
  return false;
}

bool xlaByteUnsupported(XlaByteSource *source, const uint8_t *at,
                        const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail(source, XlaImportResultUnsupported, at, format, arguments);
  va_end(arguments);
  return false;
}

void *xlaByteAllocate(XlaByteSource *source, size_t n, size_t size) {
  void *memory = calloc(n + 1, size);
  if (!memory)
    xlaByteUnsupported(source, NULL, "out of memory");
  return memory;
}

size_t xlaByteGetLeft(const XlaByteCursor *cursor) {
  return (size_t)(cursor->end - cursor->next);
}

static bool ends(XlaByteCursor *cursor) {
  return xlaByteError(cursor->source, cursor->next,
                      "the file, or a part of it, ends too early");
}

bool xlaByteRead(XlaByteCursor *cursor, uint8_t *byte) {
  *byte = 0;
  if (cursor->next == cursor->end)
    return ends(cursor);
  *byte = *cursor->next++;
  return true;
}

bool xlaByteReadBlob(XlaByteCursor *cursor, uint64_t n, const uint8_t **bytes) {
  *bytes = cursor->next;
  if (n > xlaByteGetLeft(cursor))
    return ends(cursor);
  cursor->next += n;
  return true;
}

bool xlaByteReadVarint(XlaByteCursor *cursor, uint64_t *value) {
  uint8_t first, bytes[8] = {0};
  const uint8_t *more;
  *value = 0;
  if (!xlaByteRead(cursor, &first))
    return false;
  if (first & 1) {
    *value = first >> 1;
    return true;
  }
  // The zeros below the lowest one bit of the first byte are the number of
  // bytes that follow it; without a one all 64 bits do.
  int following = first ? __builtin_ctz(first) : 8;
  if (!xlaByteReadBlob(cursor, (uint64_t)following, &more))
    return false;
  memcpy(bytes, more, (size_t)following);
  for (int i = 7; i >= 0; --i)
    *value = *value << 8 | bytes[i];
  if (first)
    *value = *value << (7 - following) | first >> (following + 1);
  return true;
}

bool xlaByteReadVarintFlag(XlaByteCursor *cursor, uint64_t *value, bool *flag) {
  bool read = xlaByteReadVarint(cursor, value);
  *flag = *value & 1;
  *value >>= 1;
  return read;
}

bool xlaByteReadSigned(XlaByteCursor *cursor, int64_t *value) {
  uint64_t bits;
  bool read = xlaByteReadVarint(cursor, &bits);
  *value = (int64_t)(bits >> 1 ^ (0 - (bits & 1)));
  return read;
}

bool xlaByteReadCount(XlaByteCursor *cursor, const char *what, uint64_t *n) {
  const uint8_t *at = cursor->next;
  if (!xlaByteReadVarint(cursor, n))
    return false;
  return *n <= xlaByteGetLeft(cursor) ||
         xlaByteError(cursor->source, at,
                      "%llu %s do not fit into the %zu bytes that follow",
                      (unsigned long long)*n, what, xlaByteGetLeft(cursor));
}

bool xlaByteReadString(XlaByteCursor *cursor, MlirStringRef *string) {
  const uint8_t *end = memchr(cursor->next, 0, xlaByteGetLeft(cursor));
  *string = mlirStringRefCreate((const char *)cursor->next, 0);
  if (!end)
    return ends(cursor);
  string->length = (size_t)(end - cursor->next);
  cursor->next = end + 1;
  return true;
}

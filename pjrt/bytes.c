//===- bytes.c - Protocol buffers that grow -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/bytes.h"

#include <stdlib.h>
#include <string.h>

void xlaPjrtBytesAppend(XlaPjrtBytes *bytes, const void *data, size_t size) {
  if (size > bytes->room - bytes->size) {
    size_t room = 2 * (bytes->size + size) + 64;
    uint8_t *grown = bytes->failed ? NULL : realloc(bytes->data, room);
    if (!grown) {
      bytes->failed = true;
      return;
    }
    bytes->data = grown;
    bytes->room = room;
  }
  if (size)
    memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

void xlaPjrtBytesVarint(XlaPjrtBytes *bytes, uint64_t value) {
  uint8_t text[10];
  size_t n = 0;
  for (; value >= 0x80; value >>= 7)
    text[n++] = (uint8_t)(value | 0x80);
  text[n++] = (uint8_t)value;
  xlaPjrtBytesAppend(bytes, text, n);
}

void xlaPjrtBytesNumber(XlaPjrtBytes *bytes, unsigned field, uint64_t value) {
  xlaPjrtBytesVarint(bytes, field << 3);
  xlaPjrtBytesVarint(bytes, value);
}

void xlaPjrtBytesField(XlaPjrtBytes *bytes, unsigned field, const void *data,
                       size_t size) {
  xlaPjrtBytesVarint(bytes, field << 3 | 2);
  xlaPjrtBytesVarint(bytes, size);
  xlaPjrtBytesAppend(bytes, data, size);
}

void xlaPjrtBytesMessage(XlaPjrtBytes *bytes, unsigned field,
                         XlaPjrtBytes *message) {
  xlaPjrtBytesField(bytes, field, message->data, message->size);
  bytes->failed |= message->failed;
  free(message->data);
}

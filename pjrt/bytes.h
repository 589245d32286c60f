//===- bytes.h - Protocol buffers that grow -----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// formats/hlo/proto.h reads them.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PJRT_BYTES_H
#define XLAC_PJRT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Begins as zeros; `data` is to be freed. Without memory they stay as they
/// are, and say so.
typedef struct XlaPjrtBytes {
  uint8_t *data;
  size_t size, room;
  bool failed;
} XlaPjrtBytes;

void xlaPjrtBytesAppend(XlaPjrtBytes *bytes, const void *data, size_t size);
void xlaPjrtBytesVarint(XlaPjrtBytes *bytes, uint64_t value);
/// A field that is a number.
void xlaPjrtBytesNumber(XlaPjrtBytes *bytes, unsigned field, uint64_t value);
/// A field that is a text, bytes, a message or packed numbers.
void xlaPjrtBytesField(XlaPjrtBytes *bytes, unsigned field, const void *data,
                       size_t size);
/// The same of a message, which is freed.
void xlaPjrtBytesMessage(XlaPjrtBytes *bytes, unsigned field,
                         XlaPjrtBytes *message);

#endif // XLAC_PJRT_BYTES_H

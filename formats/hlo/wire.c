//===- wire.c - The wire format of protocol buffers -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/proto.h"

#include <string.h>

XlaHloWire xlaHloWireOf(MlirStringRef bytes) {
  const unsigned char *at = (const unsigned char *)bytes.data;
  return (XlaHloWire){at, at + bytes.length, false};
}

bool xlaHloWireReadVarint(XlaHloWire *wire, uint64_t *value) {
  *value = 0;
  for (int shift = 0; shift < 70 && wire->at < wire->end; shift += 7) {
    unsigned char byte = *wire->at++;
    if (shift < 64)
      *value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return true;
  }
  wire->failed = true;
  return false;
}

/// `n` bytes, little-endian.
static bool readFixed(XlaHloWire *wire, int n, uint64_t *value) {
  *value = 0;
  if (wire->end - wire->at < n)
    return false;
  for (int i = 0; i < n; ++i)
    *value |= (uint64_t)wire->at[i] << (8 * i);
  wire->at += n;
  return true;
}

static bool readBytes(XlaHloWire *wire, MlirStringRef *bytes) {
  uint64_t length;
  if (!xlaHloWireReadVarint(wire, &length) ||
      length > (uint64_t)(wire->end - wire->at))
    return false;
  *bytes = mlirStringRefCreate((const char *)wire->at, (size_t)length);
  wire->at += length;
  return true;
}

bool xlaHloWireNext(XlaHloWire *wire, XlaHloField *field) {
  uint64_t key;
  if (wire->failed || wire->at == wire->end)
    return false;
  field->value = 0;
  field->bytes = mlirStringRefCreate("", 0);
  wire->failed = !xlaHloWireReadVarint(wire, &key) || key >> 3 == 0 ||
                 key >> 3 >= UINT32_C(1) << 29;
  if (wire->failed)
    return false;
  field->number = (uint32_t)(key >> 3);
  bool read = false;
  switch (key & 7) {
  case XlaHloWireVarint:
    read = xlaHloWireReadVarint(wire, &field->value);
    break;
  case XlaHloWireFixed64:
    read = readFixed(wire, 8, &field->value);
    break;
  case XlaHloWireBytes:
    read = readBytes(wire, &field->bytes);
    break;
  case XlaHloWireFixed32:
    read = readFixed(wire, 4, &field->value);
    break;
  default: // groups are not used any more
    break;
  }
  field->type = (XlaHloWireType)(key & 7);
  wire->failed = !read;
  return read;
}

bool xlaHloWireIsMessage(MlirStringRef bytes) {
  XlaHloWire wire = xlaHloWireOf(bytes);
  XlaHloField field;
  while (xlaHloWireNext(&wire, &field))
    continue;
  return !wire.failed;
}

int64_t xlaHloFieldInteger(const XlaHloField *field) {
  return (int64_t)field->value;
}

double xlaHloFieldReal(const XlaHloField *field) {
  double wide = 0;
  float narrow;
  uint32_t bits = (uint32_t)field->value;
  if (field->type == XlaHloWireFixed64)
    memcpy(&wide, &field->value, sizeof wide);
  if (field->type != XlaHloWireFixed32)
    return wide;
  memcpy(&narrow, &bits, sizeof narrow);
  return (double)narrow;
}

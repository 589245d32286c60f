//===- write_bytes.c - Bytes of bytecode ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/vhlo/writer.h"

void xlaVhloPutBytes(XlaIrText *to, const void *bytes, size_t size) {
  if (size)
    xlaIrTextAppend(mlirStringRefCreate(bytes, size), to);
}

void xlaVhloPutByte(XlaIrText *to, uint8_t byte) {
  xlaVhloPutBytes(to, &byte, 1);
}

void xlaVhloPutVarint(XlaIrText *to, uint64_t value) {
  uint8_t bytes[9] = {0};
  int following = 0;
  while (following < 8 && value >> (7 * (following + 1)))
    ++following;
  // Eight bytes that follow are all of the number.
  uint64_t rest = value;
  if (following < 8) {
    bytes[0] = (uint8_t)((value << 1 | 1) << following);
    rest = value >> (7 - following);
  }
  for (int i = 1; i <= following; ++i, rest >>= 8)
    bytes[i] = (uint8_t)rest;
  xlaVhloPutBytes(to, bytes, (size_t)following + 1);
}

void xlaVhloPutVarintFlag(XlaIrText *to, uint64_t value, bool flag) {
  xlaVhloPutVarint(to, value << 1 | flag);
}

void xlaVhloPutSigned(XlaIrText *to, int64_t value) {
  xlaVhloPutVarint(to, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

void xlaVhloPutSection(XlaIrText *to, XlaBytecodeSection id,
                       const XlaIrText *content) {
  to->isCut |= content->isCut;
  xlaVhloPutByte(to, (uint8_t)id);
  xlaVhloPutVarint(to, content->size);
  xlaVhloPutBytes(to, content->data, content->size);
}

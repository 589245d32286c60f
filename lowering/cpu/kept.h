//===- kept.h - Machine code that is used again -------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_KEPT_H
#define XLAC_LOWERING_CPU_KEPT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An object file, and the SHA-256 of all that LLVM made it of: its version,
/// the program in its IR, processor, features and passes. It takes the place of
/// what LLVM would make of the same again. It is run: whoever gives one must
/// know that it comes from this compiler.
typedef struct XlaKeptCode {
  uint8_t hash[32];
  const void *data;
  size_t size;
} XlaKeptCode;

#ifdef __cplusplus
}
#endif

#endif // XLAC_LOWERING_CPU_KEPT_H

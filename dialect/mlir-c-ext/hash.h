//===- hash.h - SHA-256 -------------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's, for C.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_MLIR_C_EXT_HASH_H
#define XLAC_DIALECT_MLIR_C_EXT_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MLIR_EXT_HASH_BYTES = 32 };

/// A piece of what is hashed.
typedef struct MlirExtBytes {
  const void *data;
  size_t size;
} MlirExtBytes;

/// SHA-256 of `n` pieces, one after the other.
void mlirExtSha256(size_t n, const MlirExtBytes *pieces,
                   uint8_t hash[MLIR_EXT_HASH_BYTES]);
/// HMAC-SHA-256 (RFC 2104) of them with a key.
void mlirExtHmacSha256(const uint8_t key[MLIR_EXT_HASH_BYTES], size_t n,
                       const MlirExtBytes *pieces,
                       uint8_t code[MLIR_EXT_HASH_BYTES]);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_MLIR_C_EXT_HASH_H

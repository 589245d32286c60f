//===- hash.cpp - SHA-256 -------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/mlir-c-ext/hash.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SHA256.h"

#include <cstring>

static void add(llvm::SHA256 &hash, size_t n, const MlirExtBytes *pieces) {
  for (size_t i = 0; i < n; ++i)
    hash.update(llvm::ArrayRef(static_cast<const uint8_t *>(pieces[i].data),
                               pieces[i].size));
}

static void finish(llvm::SHA256 &hash, uint8_t *out) {
  std::array<uint8_t, 32> result = hash.final();
  std::memcpy(out, result.data(), result.size());
}

void mlirExtSha256(size_t n, const MlirExtBytes *pieces, uint8_t *hash) {
  llvm::SHA256 state;
  add(state, n, pieces);
  finish(state, hash);
}

void mlirExtHmacSha256(const uint8_t *key, size_t n, const MlirExtBytes *pieces,
                       uint8_t *code) {
  uint8_t pad[64];
  llvm::SHA256 inner, outer;
  for (size_t i = 0; i < sizeof pad; ++i)
    pad[i] = (i < MLIR_EXT_HASH_BYTES ? key[i] : 0) ^ 0x36;
  inner.update(llvm::ArrayRef(pad));
  add(inner, n, pieces);
  finish(inner, code);
  for (uint8_t &byte : pad)
    byte ^= 0x36 ^ 0x5c;
  outer.update(llvm::ArrayRef(pad));
  outer.update(llvm::ArrayRef(code, MLIR_EXT_HASH_BYTES));
  finish(outer, code);
}

//===- sharding_text.h - Reading shardings ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to passes/partition.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_SHARDING_TEXT_H
#define XLAC_PASSES_PARTITION_SHARDING_TEXT_H

#include "xlac/passes/partition/sharding.h"

typedef struct XlaShardingText {
  const char *next, *end;
} XlaShardingText;

static inline XlaShardingText xlaShardingTextOf(MlirStringRef text) {
  return (XlaShardingText){text.data, text.data + text.length};
}

/// Whether `token` is next, behind blanks; it is read then.
bool xlaShardingAccept(XlaShardingText *text, const char *token);
/// A number of 0 to a million.
bool xlaShardingReadNumber(XlaShardingText *text, int64_t *value);

/// The coordinates of a device's part.
static inline int *xlaShardingAt(const XlaSharding *sharding, int device) {
  return sharding->coordinates + (size_t)device * (size_t)sharding->rank;
}
/// Numbers copies anew, in the order of devices' places, or, where that is
/// NULL, of devices. Invalid unless every part has as many.
XlaShardingResult xlaShardingNumberCopies(XlaSharding *sharding,
                                          const int *places);

#endif // XLAC_PASSES_PARTITION_SHARDING_TEXT_H

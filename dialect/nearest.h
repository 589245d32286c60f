//===- nearest.h - What a misspelled word may mean ---------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_NEAREST_H
#define XLAC_DIALECT_NEAREST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `next(i, data)` for i = 0, 1 .. until it gives NULL, and returns the
/// name that is most like the word of `length` bytes, if any is like it: up to
/// two letters are other ones, missing, too many, or have changed places with
/// their neighbours, or it is cut off.
const char *xlaNearestName(const char *word, size_t length,
                           const char *(*next)(int i, const void *data),
                           const void *data);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_NEAREST_H

//===- strided_read.h - Maps that read at strides -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many maps are views of memory: the row-major position that they read is a sum
// of digits of their dimensions, each times a stride. A transpose, a strided
// slice and a reverse have a digit a dimension, a broadcast has strides of 0,
// and a reshape may split dimensions into several digits.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_STRIDED_READ_H
#define XLAC_DIALECT_INDEXING_STRIDED_READ_H

#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XlaMaxReadDigits = 2 * XLA_MAX_RANK };

/// A digit of at least two values; growing by one moves the position by
/// `stride` elements.
typedef struct XlaReadDigit {
  int64_t size, stride;
} XlaReadDigit;

/// Element (digits) is read at position `offset` + the sum of digit * stride.
typedef struct XlaStridedRead {
  int64_t offset;
  int n;
  XlaReadDigit digits[XlaMaxReadDigits]; ///< in row-major order of the domain
} XlaStridedRead;

/// Reads `map` as one of an array of `sizes` in row-major order. False if it
/// has constraints or symbols, dimensions that do not begin at 0, or reads in
/// another way. Sizes of the domain and of the array are at most 2^40 elements.
bool xlaIndexingMapGetStridedRead(const XlaIndexingMap *map,
                                  const int64_t *sizes, XlaStridedRead *read);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_STRIDED_READ_H

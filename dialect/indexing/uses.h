//===- uses.h - What indexing maps tell of reads ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uses that specification 001 names: coalescing, operand utilization and
// tile propagation. Results of the map are indices of an array of `sizes`, in
// row-major order.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_USES_H
#define XLAC_DIALECT_INDEXING_USES_H

#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// By how many elements the place that is read moves when variable `variable`
/// (dimensions, then range, then runtime variables) grows by one: 1 is
/// coalesced, 0 a broadcast. False if that depends on where it is.
bool xlaIndexingMapGetStride(const XlaIndexingMap *map, const int64_t *sizes,
                             intptr_t variable, int64_t *stride);

/// Counts the elements that the whole domain reads, each once. False if that
/// takes more than `most` steps, or there is no memory; elements outside of the
/// array do not count.
bool xlaIndexingMapCountReads(const XlaIndexingMap *map, const int64_t *sizes,
                              int64_t most, int64_t *count);

/// lower, lower + stride, .. , count numbers in all.
typedef struct XlaIndexingTile {
  int64_t offset; ///< added to what is read for the tile's first element,
                  ///< where factors are negative
  int64_t count, stride;
} XlaIndexingTile;

/// What result `result` takes for a tile of `tileSizes` elements of the
/// dimensions and all values of the range variables. False if that is no
/// progression that is the same for every tile.
bool xlaIndexingMapGetTile(const XlaIndexingMap *map, const int64_t *tileSizes,
                           intptr_t result, XlaIndexingTile *tile);

/// Whether a view with strides shows what is read: every result is a sum of a
/// constant, runtime variables and multiples of digits of dimensions, which are
/// cut into digits evenly and all in one way, and no constraint remains. The
/// map is simplified.
bool xlaIndexingMapIsStrided(const XlaIndexingMap *map);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_USES_H

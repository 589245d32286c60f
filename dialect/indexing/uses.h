//===- uses.h - What indexing maps tell of reads ------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the uses that specification 001 names: coalescing and operand utilization;
// tile propagation is in symbolic_tile.h. Results of the map are indices of an
// array of `sizes`, in row-major order.
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

/// Whether a view with strides shows what is read: every result is a sum of a
/// constant, runtime variables and multiples of digits of dimensions, which are
/// cut into digits evenly and all in one way, and no constraint remains. The
/// map is simplified.
bool xlaIndexingMapIsStrided(const XlaIndexingMap *map);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_USES_H

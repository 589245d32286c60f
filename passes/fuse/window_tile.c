//===- window_tile.c - What a workgroup computes of filters ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/windows.h"

#include "xlac/dialect/indexing/interval.h"

enum {
  leastElements = 1024, // of a tile: several for each thread
  mostElements = 8192,
  firstRow = 32, // elements that threads beside each other load at once
};
static const double fewAgain = 1.25; // are worth no larger tile

static int64_t elements(const int64_t *sizes, const int64_t *around, int rank) {
  int64_t all = 1;
  for (int d = 0; d < rank; ++d)
    if (__builtin_mul_overflow(all, sizes[d] + (around ? around[d] : 0), &all))
      return INT64_MAX;
  return all;
}

/// Sets `computed`; false if the tile does not fit.
static bool measure(const XlaShape *shape, int n, const XlaWindowKept *kept,
                    int64_t bytes, XlaWindowTile *tile) {
  double own = (double)elements(tile->sizes, NULL, shape->rank);
  tile->computed = 0;
  for (int i = 0; i < n; ++i) {
    int64_t all = elements(tile->sizes, kept[i].around, shape->rank), size;
    if (__builtin_mul_overflow(all, kept[i].elementBytes, &size) ||
        size > bytes)
      return false;
    bytes -= size;
    tile->computed += (double)all / own / n;
  }
  return true;
}

/// Doubles the dimension that leaves least to be computed again, an inner one
/// where several do. False if none can grow.
static bool grow(const XlaShape *shape, int n, const XlaWindowKept *kept,
                 int64_t bytes, XlaWindowTile *tile) {
  XlaWindowTile best = *tile;
  bool isFound = false;
  for (int d = shape->rank; d-- > 0;) {
    XlaWindowTile next = *tile;
    if (tile->sizes[d] == shape->dims[d])
      continue;
    next.sizes[d] = 2 * tile->sizes[d] < shape->dims[d] ? 2 * tile->sizes[d]
                                                        : shape->dims[d];
    if (!measure(shape, n, kept, bytes, &next) ||
        elements(next.sizes, NULL, shape->rank) > mostElements ||
        (isFound && next.computed >= best.computed))
      continue;
    best = next;
    isFound = true;
  }
  *tile = best;
  return isFound;
}

int64_t xlaWindowKeptBytes(XlaElementType type) {
  int64_t bytes = xlaElementTypeGetInfo(type)->bytes;
  return bytes < 4 ? 4 : bytes;
}

bool xlaWindowChooseTile(const XlaShape *shape, int n,
                         const XlaWindowKept *kept, int64_t bytes,
                         XlaWindowTile *tile) {
  int last = shape->rank - 1;
  for (int d = 0; d < shape->rank; ++d)
    tile->sizes[d] = 1;
  tile->sizes[last] =
      shape->dims[last] < firstRow ? shape->dims[last] : firstRow;
  while (!measure(shape, n, kept, bytes, tile)) {
    if (tile->sizes[last] == 1)
      return false;
    tile->sizes[last] /= 2;
  }
  while ((elements(tile->sizes, NULL, shape->rank) < leastElements ||
          tile->computed > fewAgain) &&
         grow(shape, n, kept, bytes, tile))
    continue;
  // As many tiles, of sizes that leave less over.
  for (int d = 0; d < shape->rank; ++d) {
    int64_t tiles = xlaCeilDiv(shape->dims[d], tile->sizes[d]);
    tile->sizes[d] = xlaCeilDiv(shape->dims[d], tiles);
  }
  return measure(shape, n, kept, bytes, tile) &&
         elements(tile->sizes, NULL, shape->rank) > 1;
}

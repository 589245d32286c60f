//===- windows.h - What is kept of windows ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What xla-fuse and the lowering of fusions of kind window agree on.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_FUSE_WINDOWS_H
#define XLAC_PASSES_FUSE_WINDOWS_H

#include "xlac/dialect/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The cost of an element that is kept, at least: reading less again is not
/// dearer.
enum { xlaWindowMinCost = 3 };

/// The bytes of a row of dimension 0; INT64_MAX if they are more.
int64_t xlaWindowRowBytes(const XlaShape *shape);

/// Where arrays have the same `size`, what lies by more than half of that from
/// an element is seen from its other side: as what is rolled has it.
static inline int64_t xlaWindowWrap(int64_t offset, int64_t size) {
  return offset > size / 2    ? offset - size
         : -offset > size / 2 ? offset + size
                              : offset;
}

/// A value that a workgroup keeps a tile of: elements beside those of the
/// results' tile, along each dimension, and the bytes of one.
typedef struct XlaWindowKept {
  int64_t around[XLA_MAX_RANK];
  int64_t elementBytes;
} XlaWindowKept;

/// The bytes of an element of `type` there: no fewer than four.
int64_t xlaWindowKeptBytes(XlaElementType type);

/// What a workgroup computes of the results.
typedef struct XlaWindowTile {
  int64_t sizes[XLA_MAX_RANK];
  double computed; ///< elements of what is kept, for each that there is
} XlaWindowTile;

/// Chooses the tile of results of `shape` whose kept values fit into `bytes`;
/// false if there is none of more than one element.
bool xlaWindowChooseTile(const XlaShape *shape, int n,
                         const XlaWindowKept *kept, int64_t bytes,
                         XlaWindowTile *tile);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_FUSE_WINDOWS_H

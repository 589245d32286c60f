//===- tile.h - What tiles of results take ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of a result is a rectangle of its elements (symbolic_tile.h). Of each
// operand, and of what a fusion computes inside, it takes tiles too, whose
// sizes follow from its own: where conditions hold. Pass xla-tile says which
// these are for given sizes, or searches for sizes.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_TILE_TILE_H
#define XLAC_PASSES_TILE_TILE_H

#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/shape.h"

enum { XLA_TILE_REASON = 320 }; ///< characters of a reason, with the 0

/// A map from the result to an array.
typedef struct XlaTiledMap {
  XlaSymbolicTile *tile; ///< owned; NULL: there is none, see `reason`
  char reason[256];
} XlaTiledMap;

/// An array that is read or computed: at several places, if it has several
/// maps.
typedef struct XlaTiledValue {
  MlirValue value;
  XlaShape shape;
  bool isKnown; ///< maps say what is needed of it
  intptr_t n;
  XlaTiledMap *maps;
} XlaTiledValue;

/// A result with all that it is computed from: the operands, then what regions
/// use from outside, then what the operations in a fusion compute.
typedef struct XlaTiling {
  MlirOperation op;
  intptr_t result;
  XlaShape shape;
  intptr_t nOperands, nRead, n;
  XlaTiledValue *values;
} XlaTiling;

/// Whether two results are arrays of the same dimensions: they have one tiling.
bool xlaTilingShares(MlirOperation op, intptr_t a, intptr_t b);

/// Result `result` of `op`, an array, with those that share its tiles. False if
/// there is no memory; to be freed in any case.
bool xlaTilingInit(XlaTiling *tiling, MlirOperation op, intptr_t result);
void xlaTilingFree(XlaTiling *tiling);

/// The case that holds for tiles of these sizes that lie side by side from 0
/// on. NULL, with the reason, if there is none.
const XlaTileCase *xlaTiledMapFind(const XlaTiledMap *map, const int64_t *sizes,
                                   char reason[256]);

/// What a tile costs.
typedef struct XlaTileCost {
  int64_t bytes; ///< of all arrays' tiles, as if they were kept together; but
                 ///< for constants that repeat one number
  double lines;  ///< of 64 bytes, that all tiles read and write in all; arrays
                 ///< lie in row-major order
} XlaTileCost;

/// False, with the reason and which array it is, if a tile of these sizes is
/// none of all arrays.
bool xlaTilingMeasure(const XlaTiling *tiling, const int64_t *sizes,
                      XlaTileCost *cost, char reason[XLA_TILE_REASON]);
/// Sizes for which tiles are tiles of all arrays and take at most `most` bytes,
/// and which read and write the fewest lines; of such the largest. Tries
/// divisors of dimensions and of what conditions divide by, and powers of two.
/// False, with the reason, if none is found.
bool xlaTilingSearch(const XlaTiling *tiling, int64_t most, int64_t *sizes,
                     XlaTileCost *cost, char reason[XLA_TILE_REASON]);

#endif // XLAC_PASSES_TILE_TILE_H

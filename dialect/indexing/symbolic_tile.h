//===- symbolic_tile.h - Tiles of any size through indexing maps --*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of a map's dimensions is the elements p .. p + t - 1 of each: p0, p1,
// .. is its position and t0, t1, .. its size. Sizes lie between 1 and those of
// the dimensions, and tiles lie side by side: p - lower is a multiple of t,
// where `lower` is the first element that the dimension has.
//
// What result r takes for a tile, and for all values of the range variables, is
//
//   offset, offset + stride, .., size numbers in all
//
// and the results together take each combination of these. That needs
// conditions on the sizes: (d0 floordiv 8, d0 mod 8) takes a rectangle if t0
// divides 8, or is a multiple of it, and another expression says which one. So
// a symbolic tile is a list of cases, each with conditions that hold together;
// where several hold, all are right. Strides are positive: where an index falls
// with a dimension, the offset is that of the tile's last element.
//
// Dimensions whose sizes do not divide theirs have a last tile that hangs over
// their end: it takes a part of what the expressions say. Of a constraint of
// the domain, tiles are asked to lie on one side: what is outside takes
// nothing. Runtime variables have one value for a tile: dimensions that the
// place of their value moves with have tiles of size 1.
//
// Variables of all expressions: dimensions are p0, p1, .., symbols t0, t1, ..,
// then the runtime variables.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INDEXING_SYMBOLIC_TILE_H
#define XLAC_DIALECT_INDEXING_SYMBOLIC_TILE_H

#include "xlac/dialect/indexing/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// More cases are refused.
#define XLA_MAX_TILE_CASES 64

/// What one result takes.
typedef struct XlaTileResult {
  MlirAffineExpr offset, size;
  int64_t stride;
} XlaTileResult;

typedef struct XlaTileCase {
  intptr_t nConditions, capacity;
  XlaIndexingConstraint *conditions; ///< on the sizes
  XlaTileResult *results;
} XlaTileCase;

typedef struct XlaSymbolicTile {
  XlaIndexingMap *map; ///< simplified
  intptr_t nResults;
  int nCases; ///< 1 at least
  XlaTileCase cases[XLA_MAX_TILE_CASES];
} XlaSymbolicTile;

/// A progression of numbers.
typedef struct XlaTileNumbers {
  int64_t offset, size, stride;
} XlaTileNumbers;

/// The symbolic tile of a map. NULL and, in `message`, why there is none: a
/// result or a constraint that is no sum of parts of variables, or that needs a
/// range variable to have one value, min and max, a variable that is cut at
/// sizes that do not divide one another, more than XLA_MAX_TILE_CASES cases, or
/// no memory.
XlaSymbolicTile *xlaSymbolicTileCreate(const XlaIndexingMap *map,
                                       char message[256]);
/// NULL is allowed.
void xlaSymbolicTileDestroy(XlaSymbolicTile *tile);

/// The tile of `tile`'s map, then `map`, over the sizes of the first: called
/// for one map after another it follows a tile through a chain of operations,
/// and fails at the one where it is no rectangle any more. The conditions on
/// what lies before are those of `tile`.
XlaSymbolicTile *xlaSymbolicTileCompose(const XlaSymbolicTile *tile,
                                        const XlaIndexingMap *map,
                                        char message[256]);

/// Whether a condition of the case is one on size `size`.
bool xlaTileCaseDependsOn(const XlaTileCase *one, intptr_t size);
/// The first case whose conditions hold for `sizes`, and are none on those that
/// are larger than the map's domain, as where that is a part of a
/// concatenation: tiles hang over it, and what lies outside is not read. NULL
/// if there is none.
const XlaTileCase *xlaSymbolicTileFindHanging(const XlaSymbolicTile *tile,
                                              const int64_t *sizes);
/// The first case whose conditions hold for `sizes`. NULL and, in `message`,
/// the first condition of each case that does not hold.
const XlaTileCase *xlaSymbolicTileFind(const XlaSymbolicTile *tile,
                                       const int64_t *sizes, char message[256]);
/// What `result` takes for these sizes, position and values of runtime
/// variables. False if a number does not fit into 64 bits, or there is no
/// memory.
bool xlaSymbolicTileEvaluate(const XlaSymbolicTile *tile,
                             const XlaTileResult *result, const int64_t *sizes,
                             const int64_t *position, const int64_t *runtimes,
                             XlaTileNumbers *numbers);

/// Sends the cases, with `between` between them, to `callback`:
///   (p0 floordiv 8, p0 mod 8) size (1, t0) if 8 mod t0 = 0
/// with ` stride (..)` where one is not 1. `sizes`, or NULL, are put in place
/// of t0, t1, ..: then `only`, a case that holds, is sent, without conditions.
void xlaSymbolicTilePrint(const XlaSymbolicTile *tile, const char *between,
                          const XlaTileCase *only, const int64_t *sizes,
                          MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INDEXING_SYMBOLIC_TILE_H

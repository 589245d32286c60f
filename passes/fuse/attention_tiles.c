//===- attention_tiles.c - Rows of products with rows between them --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/ops/dot.h"
#include "xlac/passes/fuse/attention.h"

#include <stdlib.h>

enum {
  leastRows = 8, // that a product has in registers at once
  perPacked = 2, // cost of putting an element of an operand in order
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The product of those of `dims` that are named.
static int64_t sizeOf(const XlaShape *shape, const XlaI64List *dims) {
  int64_t size = 1;
  for (int i = 0; i < dims->size; ++i)
    size *= shape->dims[dims->values[i]];
  return size;
}

static int countLong(const XlaShape *shape, const XlaI64List *dims) {
  int count = 0;
  for (int i = 0; i < dims->size; ++i)
    count += shape->dims[dims->values[i]] != 1;
  return count;
}

typedef struct Matrices {
  XlaDotDimensions dims;
  XlaShape lhs, rhs;
} Matrices;

/// Whether a product is one of matrices of floats, for each of a batch: along
/// `rows`, 0 lhs or 1 rhs, also of several that share the other operand.
static bool readMatrices(const FuseAttention *a, int dot, int rows,
                         Matrices *matrices) {
  MlirOperation op = a->graph->nodes[dot].op;
  xlaDotGetDimensions(op, &matrices->dims);
  if (!xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                        &matrices->lhs, NULL) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 1)),
                        &matrices->rhs, NULL))
    return false;
  const XlaDotSide *lhs = &matrices->dims.lhs, *rhs = &matrices->dims.rhs;
  return xlaElementTypeGetInfo(matrices->lhs.elementType)->typeClass ==
             XlaTypeClassFloat &&
         (rows == 0 || countLong(&matrices->lhs, &lhs->free) <= 1) &&
         (rows == 1 || countLong(&matrices->rhs, &rhs->free) <= 1) &&
         countLong(&matrices->lhs, &lhs->contracting) == 1;
}

/// Reads the second product.
static bool readProduct(FuseAttention *a) {
  Matrices m;
  if (!readMatrices(a, a->dots[1], a->weightsSide, &m))
    return false;
  const XlaDotSide *weights = a->weightsSide ? &m.dims.rhs : &m.dims.lhs;
  const XlaDotSide *values = a->weightsSide ? &m.dims.lhs : &m.dims.rhs;
  const XlaShape *shape = a->weightsSide ? &m.rhs : &m.lhs;
  a->batches = sizeOf(shape, &weights->batch);
  a->nRows = sizeOf(shape, &weights->free);
  a->keys = sizeOf(shape, &weights->contracting);
  a->values = sizeOf(a->weightsSide ? &m.lhs : &m.rhs, &values->free);
  return a->keys >= 2;
}

/// Queries that a tile may have: those along the last dimensions that lie
/// together.
static int64_t rowsOfTiles(const XlaShape *shape, const XlaI64List *dims) {
  int64_t size = 1, last = -1;
  for (int i = 0; i < dims->size; ++i) {
    int64_t dim = dims->values[i];
    if (shape->dims[dim] == 1)
      continue;
    bool isApart = false;
    for (int64_t d = last + 1; last >= 0 && d < dim; ++d)
      isApart |= shape->dims[d] != 1;
    size = (isApart ? 1 : size) * shape->dims[dim];
    last = dim;
  }
  return size;
}

static bool readScores(FuseAttention *a) {
  Matrices m;
  if (!readMatrices(a, a->dots[0], 0, &m))
    return false;
  a->width = sizeOf(&m.lhs, &m.dims.lhs.contracting);
  a->tiledRows = rowsOfTiles(&m.lhs, &m.dims.lhs.free);
  return sizeOf(&m.lhs, &m.dims.lhs.batch) == a->batches &&
         sizeOf(&m.lhs, &m.dims.lhs.free) == a->nRows &&
         sizeOf(&m.rhs, &m.dims.rhs.free) == a->keys;
}

bool xlaFuseReadMatrices(FuseAttention *a) {
  return readProduct(a) && readScores(a);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Elements that a tile of one row of the result takes, or -1.
static int64_t elementsOfRow(const FuseAttention *a,
                             const XlaSymbolicTile *tile) {
  int64_t sizes[XLA_MAX_RANK], zeros[2 * XLA_MAX_RANK] = {0}, elements = 1;
  char message[256];
  XlaTileNumbers numbers;
  for (int d = 0; d < a->result.rank; ++d)
    sizes[d] = 1;
  const XlaTileCase *found = xlaSymbolicTileFind(tile, sizes, message);
  for (intptr_t r = 0; found && r < tile->nResults; ++r) {
    if (!xlaSymbolicTileEvaluate(tile, &found->results[r], sizes, zeros, zeros,
                                 &numbers))
      return -1;
    elements *= numbers.size;
  }
  return found ? elements : -1;
}

static bool follow(FuseAttention *a, int node, const XlaSymbolicTile *tile);

/// Follows a tile of the result from `node` to its operand `i`.
static bool followOperand(FuseAttention *a, int node, intptr_t i,
                          const XlaSymbolicTile *tile) {
  MlirOperation op = a->graph->nodes[node].op;
  int from = xlaFuseDefiningNode(a->graph, mlirOperationGetOperand(op, i));
  XlaIndexingMaps maps = {0};
  char message[256];
  bool isDot = node == a->dots[0];
  if (!isDot && (from < 0 || !xlaFuseIsAttentionPart(a, from)))
    return true;
  XlaSymbolicTile *taken = NULL;
  if (xlaOpGetOperandMaps(op, 0, i, &maps) == XlaOpMapsKnown && maps.n == 1)
    taken = tile ? xlaSymbolicTileCompose(tile, maps.maps[0], message)
                 : xlaSymbolicTileCreate(maps.maps[0], message);
  xlaIndexingMapsFree(&maps);
  // One row of queries, and all of the keys.
  bool isRight = taken != NULL;
  if (isRight && isDot)
    isRight = elementsOfRow(a, taken) == (i ? a->keys : 1) * a->width;
  else if (isRight)
    isRight = follow(a, from, taken);
  xlaSymbolicTileDestroy(taken);
  return isRight;
}

/// Whether a row of the result takes a row of the scores by all ways from
/// `node`, of which it takes `tile`.
static bool follow(FuseAttention *a, int node, const XlaSymbolicTile *tile) {
  const FuseNode *n = &a->graph->nodes[node];
  int64_t elements = elementsOfRow(a, tile);
  if (elements < 0 || (a->taken[node] && a->taken[node] != elements) ||
      (node == a->dots[0] && elements != a->keys))
    return false;
  if (a->taken[node])
    return true;
  a->taken[node] = elements;
  intptr_t count = mlirOperationGetNumOperands(n->op);
  for (intptr_t i = 0; i < (n->reducible ? count / 2 : count); ++i)
    if (!followOperand(a, node, i, tile))
      return false;
  return true;
}

/// The same from the result.
bool xlaFuseTakesRowOfScores(FuseAttention *a) {
  a->taken = calloc((size_t)a->graph->nNodes + 1, sizeof *a->taken);
  bool isRight = a->taken &&
                 followOperand(a, a->dots[1], a->weightsSide, NULL) &&
                 a->taken[a->dots[0]];
  free(a->taken);
  a->taken = NULL;
  return isRight;
}

/// Scores and weights would be written and read; operands are put in order
/// again for each tile.
bool xlaFuseAttentionPays(const FuseAttention *a) {
  const FuseGraph *graph = a->graph;
  const XlaFusionDevice *device = graph->device;
  double bytes = 0,
         scores = (double)a->batches * (double)a->nRows * (double)a->keys;
  for (int side = 0; side < 2; ++side) {
    MlirOperation op = graph->nodes[a->dots[side]].op;
    MlirValue value = side ? mlirOperationGetOperand(op, a->weightsSide)
                           : mlirOperationGetResult(op, 0);
    XlaShape shape;
    if (xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
      bytes += 2 * scores * xlaElementTypeGetInfo(shape.elementType)->bytes;
  }
  if (a->nRows < leastRows || a->tiledRows < leastRows)
    return false;
  int64_t tiles =
      a->nRows / a->tiledRows * ((a->tiledRows - 1) / device->scoreRows + 1) -
      1;
  double again = (double)tiles * (double)a->batches * (double)a->keys *
                 (double)(a->width + a->values) * perPacked * device->perOp;
  return again <= bytes * device->perByte + 2 * device->perKernel;
}

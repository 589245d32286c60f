//===- transpose_inner.c - Tiles along an inner dimension -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a statement reads or scans along a loop of its own, that runs across the
// lanes, goes through tiles of that loop's iterations by lanes.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/transpose.h"

#include <stdlib.h>

static bool runsAcross(const XlaSchedEmit *e,
                       const XlaSchedStatement *statement,
                       const XlaSchedAccess *access) {
  int last = statement->nDims - 1, v = e->n.vecShared;
  return v >= 0 && last >= e->n.group->nShared &&
         llabs(access->strides[last]) == 1 && access->strides[v] != 0 &&
         access->strides[v] != 1 && !access->dynamicOffset;
}

/// Accesses of the group to `root`.
static int countAccesses(const XlaSchedEmit *e, MlirValue root) {
  int n = 0;
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i)
      n += mlirValueEqual(statement->accesses[i].root, root);
  }
  return n;
}

/// Does operand `i` go through a tile? Of outputs only what is written in
/// order, and not read.
static bool isTiled(const XlaSchedEmit *e, const XlaSchedStatement *statement,
                    int i) {
  const XlaSchedAccess *access = &statement->accesses[i];
  bool isScanned =
      i >= statement->nIns + statement->nOuts - statement->nScanned;
  return runsAcross(e, statement, access) &&
         (i < statement->nIns
              ? !xlaSchedIsOutput(e, access->root)
              : isScanned && countAccesses(e, access->root) == 1);
}

int64_t xlaSchedInnerTileSize(const XlaSchedStatement *statement) {
  int64_t size = statement->sizes[statement->nDims - 1];
  return size < 64 ? size : 64;
}

MlirLogicalResult xlaSchedInnerTilesFind(XlaSchedEmit *e) {
  int count = 0;
  for (int s = 0; s < e->n.group->nStatements; ++s)
    count += e->n.group->statements[s].nIns + e->n.group->statements[s].nOuts;
  e->tiles = calloc((size_t)count + 1, sizeof *e->tiles);
  if (!e->tiles)
    return mlirLogicalResultFailure();
  e->tilesInner = true;
  e->tileStride = e->n.lanes;
  for (int s = 0; e->n.lanes > 1 && s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
      const XlaSchedAccess *access = &statement->accesses[i];
      bool seen = !isTiled(e, statement, i);
      for (int t = 0; t < e->nTiles; ++t)
        seen |= xlaSchedSameAccess(e->tiles[t].access, statement->nDims, access,
                                   statement->nDims);
      if (seen)
        continue;
      e->tiles[e->nTiles].access = access;
      e->tiles[e->nTiles].isOutput = i >= statement->nIns;
      e->tiles[e->nTiles++].size =
          xlaSchedInnerTileSize(statement) * e->n.lanes;
    }
  }
  return mlirLogicalResultSuccess();
}

/// The statement of `c` that has `access`, or NULL.
static const XlaSchedStatement *userOf(const XlaSchedEmit *e,
                                       const XlaSchedCluster *c,
                                       const XlaSchedAccess *access) {
  for (int k = 0; k < c->nStatements; ++k) {
    const XlaSchedStatement *statement =
        &e->n.group->statements[c->statements[k]];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i)
      if (xlaSchedSameAccess(access, statement->nDims, &statement->accesses[i],
                             statement->nDims))
        return statement;
  }
  return NULL;
}

bool xlaSchedRunsAcross(const XlaSchedEmit *e, const XlaSchedCluster *c) {
  for (int t = 0; e->tilesInner && t < e->nTiles; ++t)
    if (userOf(e, c, e->tiles[t].access))
      return true;
  return false;
}

/// Element 0 of `access` in a tile whose last dimension begins at `u0`.
static MlirAffineExpr innerStart(XlaSchedEmit *e, const XlaSchedAccess *access,
                                 int last, MlirAffineExpr u0) {
  MlirAffineExpr sum =
      xlaExprShift(xlaExprScale(u0, access->strides[last]), access->offset);
  for (int d = 0; d < last; ++d)
    sum = xlaExprAdd(sum, xlaExprScale(e->n.iv[d], access->strides[d]));
  return sum;
}

void xlaSchedMoveInnerTiles(XlaSchedEmit *e, const XlaSchedCluster *c,
                            bool isOutput, MlirAffineExpr u0,
                            XlaAffineBound nu) {
  for (int t = 0; t < e->nTiles; ++t) {
    const XlaSchedAccess *access = e->tiles[t].access;
    const XlaSchedStatement *statement = userOf(e, c, access);
    if (!statement || e->tiles[t].isOutput != isOutput)
      continue;
    int last = statement->nDims - 1;
    int64_t along = access->strides[last],
            across = access->strides[e->n.vecShared];
    int64_t size = statement->sizes[last], lanes = e->n.lanes;
    MlirAffineExpr zero = xlaAffineConstant(&e->nest, 0);
    MlirAffineExpr start = innerStart(e, access, last, u0);
    MlirValue flat = xlaSchedFlat(e, access), tile = e->tiles[t].memory;
    if (isOutput)
      xlaSchedMoveTile(e, &e->n.at[2],
                       (XlaSchedSide){tile, zero, 1, e->tileStride},
                       (XlaSchedSide){flat, start, across, along},
                       xlaSchedBound(&e->n, lanes), nu, lanes, size);
    else
      xlaSchedMoveTile(e, &e->n.at[2],
                       (XlaSchedSide){flat, start, along, across},
                       (XlaSchedSide){tile, zero, e->tileStride, 1}, nu,
                       xlaSchedBound(&e->n, lanes), size, lanes);
  }
}

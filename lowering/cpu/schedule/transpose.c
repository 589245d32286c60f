//===- transpose.c - Arrays that run across the lanes ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input whose unit stride is along another dimension `u` than the lanes' is
// read in tiles of u x v elements, transposed block by block in registers, and
// put into a scratch tile that the body then reads like any other input. A
// plain copy goes from registers to its output at once. What a scan writes
// across the lanes goes the other way.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/transpose.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Is there one?
//===----------------------------------------------------------------------===//

static int dimAcross(const XlaSchedEmit *e, const XlaSchedStatement *statement,
                     const XlaSchedAccess *access) {
  int v = e->n.vecShared;
  if (access->strides[v] == 0 || access->strides[v] == 1)
    return -1;
  for (int d = 0; d < e->n.group->nShared; ++d)
    if (d != v && access->strides[d] == 1 && statement->sizes[d] >= 2)
      return d;
  return -1;
}

bool xlaSchedIsOutput(const XlaSchedEmit *e, MlirValue root) {
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int o = statement->nIns; o < statement->nIns + statement->nOuts; ++o)
      if (mlirValueEqual(statement->accesses[o].root, root))
        return true;
  }
  return false;
}

int xlaSchedTransposedDim(const XlaSchedEmit *e) {
  double best = 0, gain[XLA_SCHED_MAX_DIMS] = {0};
  int u = -1;
  if (e->n.vecShared < 0)
    return -1;
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    if (statement->nDims > e->n.group->nShared)
      return -1; // statements with inner loops walk their inputs differently
    for (int i = 0; i < statement->nIns; ++i) {
      int d = dimAcross(e, statement, &statement->accesses[i]);
      if (d < 0 || statement->accesses[i].dynamicOffset ||
          xlaSchedIsOutput(e, statement->accesses[i].root))
        continue;
      gain[d] += (double)statement->sizes[d];
      if (gain[d] > best) {
        best = gain[d];
        u = d;
      }
    }
  }
  return u;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The output that a group of one plain copy writes, or NULL.
static const XlaSchedAccess *copyTarget(const XlaSchedEmit *e, int u) {
  const XlaSchedStatement *statement = e->n.group->statements;
  if (e->n.group->nStatements != 1 || !statement->body.ptr ||
      statement->nOuts != 1 ||
      statement->accesses[statement->nIns].strides[e->n.vecShared] != 1)
    return NULL;
  MlirValue value =
      mlirOperationGetOperand(mlirBlockGetTerminator(statement->body), 0);
  for (int i = 0; i < statement->nIns; ++i)
    if (mlirValueEqual(mlirBlockGetArgument(statement->body, i), value) &&
        dimAcross(e, statement, &statement->accesses[i]) == u)
      return &statement->accesses[statement->nIns];
  return NULL;
}

static int64_t tileSize(const XlaSchedEmit *e) {
  int64_t bytes = 1;
  for (int s = 0; s < e->n.group->nStatements; ++s)
    for (int i = 0; i < e->n.group->statements[s].nIns; ++i) {
      int64_t size =
          xlaSchedElementBytes(e->n.group->statements[s].accesses[i].element);
      bytes = size > bytes ? size : bytes;
    }
  // Half of L1 for one tile; lines of both buffers are used whole.
  return 64 * 64 * bytes * 2 > e->options->l1Bytes ? 32 : 64;
}

/// offset + the rows' part of `access`, and the tile's.
static XlaSchedSide sideOf(XlaSchedEmit *e, const XlaSchedAccess *access,
                           int u) {
  MlirAffineExpr sum = xlaAffineConstant(&e->nest, access->offset);
  for (int d = 0; d < u; ++d)
    sum = xlaExprAdd(sum, xlaExprScale(e->n.iv[d], access->strides[d]));
  XlaSchedSide side = {xlaSchedFlat(e, access), sum, access->strides[u],
                       access->strides[u + 1]};
  return xlaSchedSideMoved(side, e->tileU, e->tileV);
}

/// The sizes of a tile that begins at `from`.
static XlaAffineBound tileBound(const XlaSchedEmit *e, MlirAffineExpr from,
                                int64_t tile, int64_t size) {
  XlaAffineBound bound = xlaSchedBound(&e->n, tile);
  return size % tile ? xlaAffineBoundAnd(
                           bound, xlaExprShift(xlaExprScale(from, -1), size))
                     : bound;
}

/// One tile: move, then the body over its rows.
static void emitTile(XlaSchedEmit *e, int u, int64_t tile,
                     const XlaSchedAccess *target) {
  XlaSchedStatement *first = e->n.group->statements;
  int v = u + 1;
  int64_t sizeU = first->sizes[u], sizeV = first->sizes[v];
  XlaAffineBound nu = tileBound(e, e->tileU, tile, sizeU);
  XlaAffineBound nv = tileBound(e, e->tileV, tile, sizeV);
  for (int i = 0; i < e->nTiles; ++i) {
    XlaSchedSide from = sideOf(e, e->tiles[i].access, u);
    XlaSchedSide to = {e->tiles[i].memory, xlaAffineConstant(&e->nest, 0), tile,
                       1};
    if (target)
      to = sideOf(e, target, u);
    xlaSchedMoveTile(e, &e->n.at[2], from, to, nu, nv, sizeU, sizeV);
  }
  if (target)
    return;
  int64_t full = sizeV / e->n.lanes * e->n.lanes;
  XlaSchedLanesOf lanes = {
      .range = {xlaAffineBound(e->tileV),
                xlaAffineBound(xlaExprShift(e->tileV, tile))}};
  if (full % tile || full != sizeV)
    lanes.range.upper =
        xlaAffineBoundAnd(lanes.range.upper, xlaAffineConstant(&e->nest, full));
  if (full != sizeV) // what is left lies in this tile
    lanes.isLast = xlaExprShift(e->tileV, tile - sizeV);
  XlaIr outside = e->n.at[2];
  xlaAffineFor(&e->nest, &outside, xlaAffineBound(e->tileU),
               xlaAffineBoundShift(nu, e->tileU), 1, 0, NULL, &e->n.at[2],
               &e->n.iv[u]);
  xlaSchedPoint(e, &lanes);
  xlaSchedLeave(&e->n, outside);
}

/// Tiles of one row: u outside, v inside.
static void emitTilesOfRow(XlaSchedEmit *e, int u, int64_t tile,
                           const XlaSchedAccess *target,
                           const XlaSchedRange ranges[2]) {
  XlaIr outside = e->n.at[2], overU;
  xlaAffineFor(&e->nest, &outside, ranges[0].lower, ranges[0].upper, tile, 0,
               NULL, &overU, &e->tileU);
  xlaAffineFor(&e->nest, &overU, ranges[1].lower, ranges[1].upper, tile, 0,
               NULL, &e->n.at[2], &e->tileV);
  emitTile(e, u, tile, target);
  xlaAffineClose(&e->nest, &e->n.at[2], 0, NULL);
  xlaAffineClose(&e->nest, &overU, 0, NULL);
  e->n.at[2] = outside;
}

static bool collectTiles(XlaSchedEmit *e, int u) {
  int count = 0;
  for (int s = 0; s < e->n.group->nStatements; ++s)
    count += e->n.group->statements[s].nIns;
  e->tiles = calloc((size_t)count + 1, sizeof *e->tiles);
  if (!e->tiles)
    return false;
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int i = 0; i < statement->nIns; ++i) {
      const XlaSchedAccess *access = &statement->accesses[i];
      bool seen = dimAcross(e, statement, access) != u ||
                  access->dynamicOffset || xlaSchedIsOutput(e, access->root);
      for (int t = 0; t < e->nTiles; ++t)
        seen |= xlaSchedSameAccess(e->tiles[t].access, statement->nDims, access,
                                   statement->nDims);
      if (!seen)
        e->tiles[e->nTiles++].access = access;
    }
  }
  return true;
}

static void makeTiles(XlaSchedEmit *e, XlaIr *ir, int64_t tile) {
  int64_t size = tile * tile;
  for (int t = 0; t < e->nTiles; ++t)
    e->tiles[t].memory = xlaSchedAlloca(ir, e->tiles[t].access->element, size);
}

MlirLogicalResult xlaSchedChooseTiles(XlaSchedEmit *e) {
  XlaSchedule *s = &e->schedule;
  const XlaSchedStatement *first = e->n.group->statements;
  int u = s->transposed;
  if (!collectTiles(e, u))
    return mlirLogicalResultFailure();
  int64_t tile = s->tile = e->tileStride = tileSize(e);
  if (e->n.lanes > tile)
    e->n.lanes = tile;
  int64_t counts[3] = {xlaSchedVolume(first, 0, u),
                       (first->sizes[u] + tile - 1) / tile,
                       (first->sizes[u + 1] + tile - 1) / tile};
  int part = 0;
  for (int i = 1; i < 3; ++i)
    if (counts[part] % s->chunks && counts[i] > counts[part])
      part = i;
  if (s->chunks > counts[part])
    s->chunks = counts[part];
  s->tiledPart = part;
  s->chunk = (counts[part] + s->chunks - 1) / s->chunks * (part ? tile : 1);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaSchedTransposeEmit(XlaSchedEmit *e, XlaIr entry) {
  const XlaSchedule *s = &e->schedule;
  const XlaSchedStatement *first = e->n.group->statements;
  int u = s->transposed;
  int64_t chunks = s->chunks, tile = s->tile;
  const XlaSchedAccess *target = copyTarget(e, u);
  int64_t sizes[3] = {xlaSchedVolume(first, 0, u), first->sizes[u],
                      first->sizes[u + 1]};
  XlaSchedRange ranges[3];
  for (int i = 0; i < 3; ++i)
    ranges[i] = xlaSchedWhole(e, sizes[i]);
  XlaIr outside = e->n.at[2], body = outside;
  if (chunks > 1) {
    MlirAffineExpr t;
    body = xlaAffineParallel(&e->nest, &outside, chunks, &t);
    ranges[s->tiledPart] =
        xlaSchedChunk(e, t, chunks, s->chunk, sizes[s->tiledPart]);
  }
  XlaIr *scratch = chunks > 1 ? &body : &entry;
  xlaSchedMakeScratch(e, scratch);
  if (!target)
    makeTiles(e, scratch, tile);
  e->n.at[2] = body;
  if (u > 0) {
    MlirAffineExpr row;
    xlaAffineFor(&e->nest, &body, ranges[0].lower, ranges[0].upper, 1, 0, NULL,
                 &e->n.at[2], &row);
    xlaSchedRowIndices(e, row, u);
  }
  emitTilesOfRow(e, u, tile, target, ranges + 1);
  if (u > 0)
    xlaAffineClose(&e->nest, &e->n.at[2], 0, NULL);
  if (chunks > 1)
    xlaAffineClose(&e->nest, &body, 0, NULL);
  e->n.at[2] = outside;
  return mlirLogicalResultSuccess();
}

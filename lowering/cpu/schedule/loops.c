//===- loops.c - Loops of processors --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/nest.h"

#include <stdlib.h>
#include <string.h>

static const XlaSchedStatement *firstStatement(const XlaSchedEmit *e,
                                               const XlaSchedCluster *c) {
  return &e->n.group->statements[c->statements[0]];
}

//===----------------------------------------------------------------------===//
// Arrays that run across the lanes
//===----------------------------------------------------------------------===//

bool xlaSchedTiled(XlaSchedNest *nest, const XlaSchedCluster *c, int d,
                   MlirValue *carry) {
  XlaSchedEmit *e = (XlaSchedEmit *)nest;
  const XlaSchedStatement *statement = firstStatement(e, c);
  if (d != statement->nDims - 1 || !xlaSchedRunsAcross(e, c))
    return false;
  int64_t n = statement->sizes[d], tile = xlaSchedInnerTileSize(statement);
  XlaIr outside = e->n.at[2];
  MlirOperation tiles = {NULL};
  MlirAffineExpr u0 = xlaAffineConstant(&e->nest, 0);
  if (n > tile)
    tiles = xlaSchedFor(&e->n, xlaSchedBound(&e->n, 0), xlaSchedBound(&e->n, n),
                        tile, c->nCarried, carry, &u0);
  XlaAffineBound nu = xlaSchedBound(&e->n, tile);
  if (n % tile)
    nu = xlaAffineBoundAnd(nu, xlaExprShift(xlaExprScale(u0, -1), n));
  xlaSchedMoveInnerTiles(e, c, false, u0, nu);
  e->tileU = u0;
  XlaIr between = e->n.at[2];
  MlirOperation loop =
      xlaSchedFor(&e->n, xlaAffineBound(u0), xlaAffineBoundShift(nu, u0), 1,
                  c->nCarried, carry, &e->n.iv[d]);
  xlaSchedInner(&e->n, c, d + 1, carry);
  xlaSchedClose(&e->n, loop, between, c->nCarried, carry);
  xlaSchedMoveInnerTiles(e, c, true, u0, nu);
  if (tiles.ptr)
    xlaSchedClose(&e->n, tiles, outside, c->nCarried, carry);
  return true;
}

//===----------------------------------------------------------------------===//
// One reduction in chunks, on several threads if there are
//===----------------------------------------------------------------------===//

/// Calls for each accumulator of the cluster, with its statement and access.
#define FOR_EACH_CARRIED(e, c, n, statement, access)                           \
  for (int k_ = 0, n = 0; k_ < (c)->nStatements; ++k_)                         \
    for (const XlaSchedStatement *statement =                                  \
             &(e)->n.group->statements[(c)->statements[k_]];                   \
         statement; statement = NULL)                                          \
      for (int o_ = 0; o_ < xlaSchedAccumulators(statement); ++o_, ++n)        \
        for (const XlaSchedAccess *access =                                    \
                 &statement->accesses[statement->nIns + o_];                   \
             access; access = NULL)

static MlirValue neutralLanes(XlaSchedEmit *e, const XlaSchedReducer *reducer) {
  return xlaSchedNeutral(&e->n.at[2], reducer,
                         xlaSchedLaneType(&e->n, reducer->carried));
}

enum { Pitch = 64 }; // of partial results: no fewer than lanes

/// Partial results of a thread lie on cache lines of their own. A pred is
/// carried in i1, which memory does not hold.
static MlirType partialType(const XlaSchedAccess *access,
                            const XlaSchedReducer *reducer) {
  return mlirTypeIsAInteger(reducer->carried) ? access->element
                                              : reducer->carried;
}

/// Lanes are of one result, but where they are columns.
static MlirValue across(XlaSchedEmit *e, const XlaSchedReducer *reducer,
                        MlirValue value) {
  return e->n.vecShared >= 0 ? value
                             : xlaSchedAcross(&e->n.at[2], reducer, value);
}

/// Chunk `t` of dimension `d`, from neutral accumulators to partial results.
static void emitChunk(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirAffineExpr t, XlaSchedRange range,
                      const MlirValue *partials, MlirValue *carry) {
  const XlaSchedStatement *first = firstStatement(e, c);
  XlaIr outside = e->n.at[2];
  for (int i = 0; i < c->nCarried; ++i)
    carry[i] = neutralLanes(e, &c->reducers[i]);
  int64_t step = d == xlaSchedLaneDim(&e->n, first) ? e->n.lanes : 1;
  MlirOperation loop = xlaSchedFor(&e->n, range.lower, range.upper, step,
                                   c->nCarried, carry, &e->n.iv[d]);
  xlaSchedInner(&e->n, c, d + 1, carry);
  xlaSchedClose(&e->n, loop, outside, c->nCarried, carry);
  FOR_EACH_CARRIED(e, c, n, statement, access) {
    MlirValue value = across(e, &c->reducers[n], carry[n]);
    if (mlirTypeIsAInteger(c->reducers[n].carried))
      value =
          xlaSchedNarrow(&e->n.at[2], &c->reducers[n], access->element, value);
    xlaAffineStore(&e->nest, &e->n.at[2], value, partials[n],
                   xlaExprScale(t, Pitch));
  }
}

/// values = values combined with every chunk's partial result, in order.
static void combineChunks(XlaSchedEmit *e, const XlaSchedCluster *c,
                          int64_t chunks, const MlirValue *partials,
                          MlirValue *values) {
  XlaIr outside = e->n.at[2];
  MlirAffineExpr t;
  MlirOperation loop =
      xlaSchedFor(&e->n, xlaSchedBound(&e->n, 0), xlaSchedBound(&e->n, chunks),
                  1, c->nCarried, values, &t);
  FOR_EACH_CARRIED(e, c, n, statement, access) {
    MlirType type = xlaIrElementType(mlirValueGetType(partials[n]));
    MlirValue value =
        xlaAffineLoad(&e->nest, &e->n.at[2],
                      mlirTypeIsAVector(mlirValueGetType(values[n]))
                          ? xlaIrWithElement(mlirValueGetType(values[n]), type)
                          : type,
                      partials[n], xlaExprScale(t, Pitch));
    if (mlirTypeIsAInteger(c->reducers[n].carried))
      value = xlaSchedWiden(&e->n.at[2], &c->reducers[n], value);
    values[n] = xlaSchedCombine(&e->n.at[2], &c->reducers[n], values[n], value);
  }
  xlaSchedClose(&e->n, loop, outside, c->nCarried, values);
}

/// Lanes behind the last full vector of the chunked dimension.
static void emitRestOfChunks(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                             int64_t full, MlirValue *carry,
                             MlirValue *values) {
  int64_t lanes = e->n.lanes, n = firstStatement(e, c)->sizes[d];
  for (int64_t at = full; at < n; at += e->n.lanes) {
    e->n.lanes = xlaSchedPiece(&e->n, n - at);
    e->n.iv[d] = xlaAffineConstant(&e->nest, at);
    for (int i = 0; i < c->nCarried; ++i)
      carry[i] = neutralLanes(e, &c->reducers[i]);
    xlaSchedInner(&e->n, c, d + 1, carry);
    xlaSchedForget(&e->n, 2);
    for (int i = 0; i < c->nCarried; ++i)
      values[i] = xlaSchedCombine(
          &e->n.at[2], &c->reducers[i], values[i],
          xlaSchedAcross(&e->n.at[2], &c->reducers[i], carry[i]));
  }
  e->n.lanes = lanes;
}

bool xlaSchedIsSplit(const XlaSchedEmit *e, const XlaSchedCluster *c) {
  const XlaSchedStatement *first = &e->n.group->statements[c->statements[0]];
  int d = e->n.group->nShared;
  if (e->schedule.split <= 1 || c->nCarried == 0 || c->nOuter > 0 ||
      (e->n.lanes == 1 && e->n.vecShared < 0) || e->n.lanes > Pitch ||
      first->nDims == d)
    return false;
  for (int i = 0; i < c->nCarried; ++i)
    if (!c->reducers[i].combiner)
      return false;
  int64_t unit = d == xlaSchedLaneDim(&e->n, first) ? 64 * e->n.lanes : 1;
  return first->sizes[d] >= e->schedule.split * unit &&
         xlaSchedVolume(first, d, first->nDims) >= 16384;
}

bool xlaSchedSumsParts(const XlaSchedEmit *e) {
  XlaSchedEmit at = *e;
  for (int c = 0; c < e->n.clusters.n; ++c) {
    at.n.lanes = xlaSchedClusterLanes(e, &e->n.clusters.all[c]);
    if (xlaSchedIsSplit(&at, &e->n.clusters.all[c]))
      return true;
  }
  return false;
}

bool xlaSchedSplit(XlaSchedNest *nest, const XlaSchedCluster *c,
                   MlirValue *values) {
  XlaSchedEmit *e = (XlaSchedEmit *)nest;
  if (!xlaSchedIsSplit(e, c))
    return false;
  int d = e->n.group->nShared;
  const XlaSchedStatement *first = firstStatement(e, c);
  bool isLane = d == xlaSchedLaneDim(&e->n, first);
  int64_t unit = isLane ? e->n.lanes : 1, full = first->sizes[d] / unit * unit;
  int64_t chunk =
      (full / unit + e->schedule.split - 1) / e->schedule.split * unit;
  int64_t chunks = (full + chunk - 1) / chunk;
  MlirValue *buffers = calloc(2 * (size_t)c->nCarried + 1, sizeof *buffers);
  XlaSchedKnown *known = malloc(((size_t)e->n.nKnown + 1) * sizeof *known);
  int nKnown = e->n.nKnown;
  e->n.failed |= !buffers || !known;
  if (buffers && known) {
    MlirValue *partials = buffers, *carry = buffers + c->nCarried;
    XlaIr saved[3] = {e->n.at[0], e->n.at[1], e->n.at[2]};
    memcpy(known, e->n.known, (size_t)nKnown * sizeof *known);
    FOR_EACH_CARRIED(e, c, n, statement, access)
    partials[n] = xlaSchedAlloca(
        &e->entry, partialType(access, &c->reducers[n]), Pitch * chunks);
    MlirAffineExpr t;
    if (e->schedule.threads > 1)
      e->n.at[2] = xlaAffineParallel(&e->nest, &e->n.at[2], chunks, &t);
    else
      xlaSchedFor(&e->n, xlaSchedBound(&e->n, 0), xlaSchedBound(&e->n, chunks),
                  1, 0, NULL, &t);
    e->n.at[0] = e->n.at[1] = e->n.at[2];
    emitChunk(e, c, d, t, xlaSchedChunk(e, t, chunks, chunk, full), partials,
              carry);
    xlaAffineClose(&e->nest, &e->n.at[2], 0, NULL);
    memcpy(e->n.at, saved, sizeof saved);
    // What was computed in the threads is not visible behind them.
    memcpy(e->n.known, known, (size_t)nKnown * sizeof *known);
    e->n.nKnown = nKnown;
    combineChunks(e, c, chunks, partials, values);
    if (full < first->sizes[d])
      emitRestOfChunks(e, c, d, full, carry, values);
  }
  free(known);
  free(buffers);
  return true;
}

int64_t xlaSchedClusterLanes(const XlaSchedEmit *e, const XlaSchedCluster *c) {
  const XlaSchedStatement *statement =
      &e->n.group->statements[c->statements[0]];
  if (e->n.vecShared >= 0)
    return e->n.lanes;
  int64_t length = statement->nDims > e->n.group->nShared + c->nOuter
                       ? statement->sizes[statement->nDims - 1]
                       : 1;
  int64_t lanes = xlaSchedLanes(e, c->statements, c->nStatements);
  for (int i = 0; i < c->nCarried; ++i)
    if (!c->reducers[i].combiner)
      lanes = 1;
  return lanes < length ? lanes : xlaSchedPiece(&e->n, length);
}

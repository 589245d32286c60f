//===- loops.c - The loops of a cluster -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/nest.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

static bool samePoint(const XlaIr *a, const XlaIr *b) {
  return mlirBlockEqual(a->block, b->block) && a->before.ptr == b->before.ptr;
}

XlaAffineBound xlaSchedBound(const XlaSchedEmit *e, int64_t value) {
  return xlaAffineBoundConstant(&e->nest, value);
}

MlirOperation xlaSchedFor(XlaSchedEmit *e, XlaAffineBound lower,
                          XlaAffineBound upper, int64_t step, int nCarried,
                          MlirValue *carry, MlirAffineExpr *iv) {
  XlaIr point = e->at[2], body;
  MlirOperation loop = xlaAffineFor(&e->nest, &point, lower, upper, step,
                                    nCarried, carry, &body, iv);
  for (int level = 0; level < 2; ++level)
    if (samePoint(&e->at[level], &point))
      e->at[level].before = loop;
  e->at[2] = body;
  for (int i = 0; i < nCarried; ++i)
    carry[i] = mlirBlockGetArgument(body.block, 1 + i);
  return loop;
}

void xlaSchedLeave(XlaSchedEmit *e, XlaIr outside) {
  xlaAffineClose(&e->nest, &e->at[2], 0, NULL);
  e->at[2] = outside;
}

/// Closes `loop` and goes on behind it with its results.
static void closeFor(XlaSchedEmit *e, MlirOperation loop, XlaIr outside,
                     int nCarried, MlirValue *carry) {
  xlaAffineClose(&e->nest, &e->at[2], nCarried, carry);
  for (int i = 0; i < nCarried; ++i)
    carry[i] = mlirOperationGetResult(loop, i);
  e->at[2] = outside;
  xlaSchedForget(e, 2);
}

//===----------------------------------------------------------------------===//
// A cluster's loops, from the outermost inner dimension to the bodies
//===----------------------------------------------------------------------===//

static XlaSchedStatement *firstStatement(XlaSchedEmit *e,
                                         const XlaSchedCluster *c) {
  return &e->group->statements[c->statements[0]];
}

static void emitBodies(XlaSchedEmit *e, const XlaSchedCluster *c,
                       MlirValue *carry) {
  int n = 0;
  for (int k = 0; k < c->nStatements; ++k) {
    const XlaSchedStatement *statement =
        &e->group->statements[c->statements[k]];
    if (xlaSchedReduces(statement)) {
      xlaSchedBody(e, statement, c->reducers + n, carry + n);
      n += statement->nOuts;
    } else {
      xlaSchedBody(e, statement, NULL, NULL);
    }
  }
}

static MlirAttribute i64s(MlirContext context, int64_t value) {
  MlirAttribute element = xlaIrI64Attr(context, value);
  return mlirArrayAttrGet(context, 1, &element);
}

/// The first `lanes` lanes of `wide`.
static MlirValue firstLanes(XlaIr *ir, MlirValue wide, int64_t lanes) {
  MlirType type =
      mlirVectorTypeGet(1, &lanes, xlaIrElementType(mlirValueGetType(wide)));
  XlaIrAttr attrs[] = {{"offsets", i64s(ir->context, 0)},
                       {"sizes", i64s(ir->context, lanes)},
                       {"strides", i64s(ir->context, 1)}};
  return xlaIrOp(ir, "vector.extract_strided_slice", type, 1, &wide, 3, attrs);
}

static MlirValue setFirstLanes(XlaIr *ir, MlirValue wide, MlirValue narrow) {
  XlaIrAttr attrs[] = {{"offsets", i64s(ir->context, 0)},
                       {"strides", i64s(ir->context, 1)}};
  return xlaIrOp(ir, "vector.insert_strided_slice", mlirValueGetType(wide), 2,
                 (MlirValue[]){narrow, wide}, 2, attrs);
}

static void emitInner(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirValue *carry);

/// The lanes left over at the end of a row, with that many accumulators.
static void emitRest(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                     int64_t rest, MlirValue *carry) {
  int64_t lanes = e->lanes;
  MlirValue *wide = malloc(((size_t)c->nCarried + 1) * sizeof *wide);
  if (!wide) {
    e->failed = true;
    return;
  }
  memcpy(wide, carry, (size_t)c->nCarried * sizeof *wide);
  e->lanes = rest;
  for (int i = 0; i < c->nCarried; ++i)
    carry[i] =
        rest == 1
            ? xlaIrOp(&e->at[2], "vector.extract",
                      xlaIrElementType(mlirValueGetType(wide[i])), 1, &wide[i],
                      1,
                      &(XlaIrAttr){"static_position",
                                   mlirDenseI64ArrayGet(e->at[2].context, 1,
                                                        (int64_t[]){0})})
            : firstLanes(&e->at[2], wide[i], rest);
  emitInner(e, c, d + 1, carry);
  for (int i = 0; i < c->nCarried; ++i)
    carry[i] =
        rest == 1
            ? xlaIrOp(&e->at[2], "vector.insert", mlirValueGetType(wide[i]), 2,
                      (MlirValue[]){carry[i], wide[i]}, 1,
                      &(XlaIrAttr){"static_position",
                                   mlirDenseI64ArrayGet(e->at[2].context, 1,
                                                        (int64_t[]){0})})
            : setFirstLanes(&e->at[2], wide[i], carry[i]);
  free(wide);
  xlaSchedForget(e, 2);
  e->lanes = lanes;
}

/// The last dimension in tiles, for inputs that run across the lanes.
static void emitTiled(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirValue *carry) {
  const XlaSchedStatement *statement = firstStatement(e, c);
  int64_t n = statement->sizes[d], tile = xlaSchedInnerTileSize(statement);
  XlaIr outside = e->at[2];
  MlirOperation tiles = {NULL};
  MlirAffineExpr u0 = xlaAffineConstant(&e->nest, 0);
  if (n > tile)
    tiles = xlaSchedFor(e, xlaSchedBound(e, 0), xlaSchedBound(e, n), tile,
                        c->nCarried, carry, &u0);
  XlaAffineBound nu = xlaSchedBound(e, tile);
  if (n % tile)
    nu = xlaAffineBoundAnd(nu, xlaExprShift(xlaExprScale(u0, -1), n));
  xlaSchedFillInnerTiles(e, c, u0, nu);
  e->tileU = u0;
  XlaIr between = e->at[2];
  MlirOperation loop =
      xlaSchedFor(e, xlaAffineBound(u0), xlaAffineBoundShift(nu, u0), 1,
                  c->nCarried, carry, &e->iv[d]);
  emitInner(e, c, d + 1, carry);
  closeFor(e, loop, between, c->nCarried, carry);
  if (tiles.ptr)
    closeFor(e, tiles, outside, c->nCarried, carry);
}

static void emitInner(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirValue *carry) {
  const XlaSchedStatement *statement = firstStatement(e, c);
  if (d == statement->nDims) {
    emitBodies(e, c, carry);
    return;
  }
  if (d == statement->nDims - 1 && xlaSchedReadsAcross(e, c)) {
    emitTiled(e, c, d, carry);
    return;
  }
  bool isLane = d == xlaSchedLaneDim(e, statement);
  int64_t step = isLane ? e->lanes : 1, n = statement->sizes[d];
  int64_t trips = n / step;
  XlaIr outside = e->at[2];
  bool isBlock = e->innerUpper.n && d == e->group->nShared;
  if (trips > 1) {
    XlaAffineBound lower = isBlock ? e->innerLower : xlaSchedBound(e, 0);
    XlaAffineBound upper =
        isBlock ? e->innerUpper : xlaSchedBound(e, trips * step);
    MlirOperation loop =
        xlaSchedFor(e, lower, upper, step, c->nCarried, carry, &e->iv[d]);
    emitInner(e, c, d + 1, carry);
    closeFor(e, loop, outside, c->nCarried, carry);
  } else {
    e->iv[d] = xlaAffineConstant(&e->nest, 0);
    emitInner(e, c, d + 1, carry);
    xlaSchedForget(e, 2);
  }
  for (int64_t at = trips * step, piece; at < n; at += piece) {
    piece = xlaSchedPiece(e, n - at);
    e->iv[d] = xlaAffineConstant(&e->nest, at);
    emitRest(e, c, d, piece, carry);
  }
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Calls for each accumulator of the cluster, with its statement and access.
#define FOR_EACH_CARRIED(e, c, n, statement, access)                           \
  for (int k_ = 0, n = 0; k_ < (c)->nStatements; ++k_)                         \
    for (const XlaSchedStatement *statement =                                  \
             &(e)->group->statements[(c)->statements[k_]];                     \
         statement; statement = NULL)                                          \
      for (int o_ = 0; xlaSchedReduces(statement) && o_ < statement->nOuts;    \
           ++o_, ++n)                                                          \
        for (const XlaSchedAccess *access =                                    \
                 &statement->accesses[statement->nIns + o_];                   \
             access; access = NULL)

/// Reads what the outputs hold, widened to the type that is carried.
static void loadInitial(XlaSchedEmit *e, const XlaSchedCluster *c,
                        MlirValue *initial) {
  FOR_EACH_CARRIED(e, c, n, statement, access) {
    XlaSchedLane lane = xlaSchedLoad(e, statement, access);
    MlirValue value = e->vecShared >= 0 ? xlaSchedSplat(e, lane) : lane.value;
    initial[n] = xlaSchedWiden(&e->at[2], &c->reducers[n], value);
  }
}

static void storeFinal(XlaSchedEmit *e, const XlaSchedCluster *c,
                       const MlirValue *values) {
  FOR_EACH_CARRIED(e, c, n, statement, access) {
    MlirValue value =
        xlaSchedNarrow(&e->at[2], &c->reducers[n], access->element, values[n]);
    xlaSchedStore(e, statement, access,
                  (XlaSchedLane){value, e->vecShared >= 0 ? 1 : 0,
                                 mlirTypeIsAVector(mlirValueGetType(value))});
  }
}

//===----------------------------------------------------------------------===//
// One reduction on several threads
//===----------------------------------------------------------------------===//

static MlirValue neutralLanes(XlaSchedEmit *e, const XlaSchedReducer *reducer) {
  return xlaSchedNeutral(&e->at[2], reducer,
                         xlaSchedLaneType(e, reducer->carried));
}

/// Partial results of a thread lie on cache lines of their own. A pred is
/// carried in i1, which memory does not hold.
static MlirType partialType(const XlaSchedAccess *access,
                            const XlaSchedReducer *reducer) {
  return mlirTypeIsAInteger(reducer->carried) ? access->element
                                              : reducer->carried;
}

/// Chunk `t` of dimension `d`, from neutral accumulators to partial results.
static void emitChunk(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirAffineExpr t, XlaSchedRange range,
                      const MlirValue *partials, MlirValue *carry) {
  const XlaSchedStatement *first = firstStatement(e, c);
  XlaIr outside = e->at[2];
  for (int i = 0; i < c->nCarried; ++i)
    carry[i] = neutralLanes(e, &c->reducers[i]);
  int64_t step = d == xlaSchedLaneDim(e, first) ? e->lanes : 1;
  MlirOperation loop = xlaSchedFor(e, range.lower, range.upper, step,
                                   c->nCarried, carry, &e->iv[d]);
  emitInner(e, c, d + 1, carry);
  closeFor(e, loop, outside, c->nCarried, carry);
  FOR_EACH_CARRIED(e, c, n, statement, access) {
    MlirValue value = xlaSchedAcross(&e->at[2], &c->reducers[n], carry[n]);
    if (mlirTypeIsAInteger(c->reducers[n].carried))
      value =
          xlaSchedNarrow(&e->at[2], &c->reducers[n], access->element, value);
    xlaAffineStore(&e->nest, &e->at[2], value, partials[n],
                   xlaExprScale(t, 64));
  }
}

/// values = values combined with every chunk's partial result, in order.
static void combineChunks(XlaSchedEmit *e, const XlaSchedCluster *c,
                          int64_t chunks, const MlirValue *partials,
                          MlirValue *values) {
  XlaIr outside = e->at[2];
  MlirAffineExpr t;
  MlirOperation loop =
      xlaSchedFor(e, xlaSchedBound(e, 0), xlaSchedBound(e, chunks), 1,
                  c->nCarried, values, &t);
  FOR_EACH_CARRIED(e, c, n, statement, access) {
    MlirValue value = xlaAffineLoad(
        &e->nest, &e->at[2], xlaIrElementType(mlirValueGetType(partials[n])),
        partials[n], xlaExprScale(t, 64));
    if (mlirTypeIsAInteger(c->reducers[n].carried))
      value = xlaSchedWiden(&e->at[2], &c->reducers[n], value);
    values[n] = xlaSchedCombine(&e->at[2], &c->reducers[n], values[n], value);
  }
  closeFor(e, loop, outside, c->nCarried, values);
}

/// Lanes behind the last full vector of the chunked dimension.
static void emitRestOfChunks(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                             int64_t full, MlirValue *carry,
                             MlirValue *values) {
  int64_t lanes = e->lanes, n = firstStatement(e, c)->sizes[d];
  for (int64_t at = full; at < n; at += e->lanes) {
    e->lanes = xlaSchedPiece(e, n - at);
    e->iv[d] = xlaAffineConstant(&e->nest, at);
    for (int i = 0; i < c->nCarried; ++i)
      carry[i] = neutralLanes(e, &c->reducers[i]);
    emitInner(e, c, d + 1, carry);
    xlaSchedForget(e, 2);
    for (int i = 0; i < c->nCarried; ++i)
      values[i] =
          xlaSchedCombine(&e->at[2], &c->reducers[i], values[i],
                          xlaSchedAcross(&e->at[2], &c->reducers[i], carry[i]));
  }
  e->lanes = lanes;
}

/// The first reduced dimension in chunks on threads.
static void emitSplit(XlaSchedEmit *e, const XlaSchedCluster *c,
                      MlirValue *values) {
  int d = e->group->nShared;
  const XlaSchedStatement *first = firstStatement(e, c);
  bool isLane = d == xlaSchedLaneDim(e, first);
  int64_t unit = isLane ? e->lanes : 1, full = first->sizes[d] / unit * unit;
  int64_t chunk =
      (full / unit + e->schedule.split - 1) / e->schedule.split * unit;
  int64_t chunks = (full + chunk - 1) / chunk;
  MlirValue *buffers = calloc(2 * (size_t)c->nCarried + 1, sizeof *buffers);
  XlaSchedKnown *known = malloc(((size_t)e->nKnown + 1) * sizeof *known);
  int nKnown = e->nKnown;
  e->failed |= !buffers || !known;
  if (buffers && known) {
    MlirValue *partials = buffers, *carry = buffers + c->nCarried;
    XlaIr saved[3] = {e->at[0], e->at[1], e->at[2]};
    memcpy(known, e->known, (size_t)nKnown * sizeof *known);
    FOR_EACH_CARRIED(e, c, n, statement, access)
    partials[n] = xlaSchedAlloca(
        &e->entry, partialType(access, &c->reducers[n]), 64 * chunks);
    MlirAffineExpr t;
    XlaIr body = xlaAffineParallel(&e->nest, &e->at[2], chunks, &t);
    e->at[0] = e->at[1] = e->at[2] = body;
    emitChunk(e, c, d, t, xlaSchedChunk(e, t, chunks, chunk, full), partials,
              carry);
    xlaAffineClose(&e->nest, &e->at[2], 0, NULL);
    memcpy(e->at, saved, sizeof saved);
    // What was computed in the threads is not visible behind them.
    memcpy(e->known, known, (size_t)nKnown * sizeof *known);
    e->nKnown = nKnown;
    combineChunks(e, c, chunks, partials, values);
    if (full < first->sizes[d])
      emitRestOfChunks(e, c, d, full, carry, values);
  }
  free(known);
  free(buffers);
}

bool xlaSchedIsSplit(const XlaSchedEmit *e, const XlaSchedCluster *c) {
  const XlaSchedStatement *first = &e->group->statements[c->statements[0]];
  int d = e->group->nShared;
  if (e->schedule.split <= 1 || c->nCarried == 0 || c->nOuter > 0 ||
      e->lanes == 1 || first->nDims == d)
    return false;
  int64_t unit = d == xlaSchedLaneDim(e, first) ? 64 * e->lanes : 1;
  return first->sizes[d] >= e->schedule.split * unit &&
         xlaSchedVolume(first, d, first->nDims) >= 16384;
}

/// The reduction loops of one point of the rows: accumulators from the first to
/// the last. In row mode each lane starts from the neutral element.
static void emitAccumulated(XlaSchedEmit *e, const XlaSchedCluster *c,
                            MlirValue *values) {
  int first = e->group->nShared + c->nOuter;
  if (xlaSchedIsSplit(e, c)) {
    emitSplit(e, c, values);
    return;
  }
  bool across = e->vecShared < 0 && e->lanes > 1;
  MlirValue *carry = malloc(((size_t)c->nCarried + 1) * sizeof *carry);
  if (!carry) {
    e->failed = true;
    return;
  }
  for (int i = 0; i < c->nCarried; ++i)
    carry[i] =
        across ? xlaSchedNeutral(&e->at[2], &c->reducers[i],
                                 xlaSchedLaneType(e, c->reducers[i].carried))
               : values[i];
  emitInner(e, c, first, carry);
  for (int i = 0; i < c->nCarried; ++i) {
    const XlaSchedReducer *reducer = &c->reducers[i];
    values[i] =
        across ? xlaSchedCombine(&e->at[2], reducer, values[i],
                                 xlaSchedAcross(&e->at[2], reducer, carry[i]))
               : carry[i];
  }
  free(carry);
}

/// Loops over the points in front of a reduction's own dimensions.
static void emitOuter(XlaSchedEmit *e, const XlaSchedCluster *c, int d,
                      MlirValue *values) {
  int64_t size = firstStatement(e, c)->sizes[d];
  if (d < e->group->nShared + c->nOuter) {
    XlaIr outside = e->at[2];
    MlirOperation loop = xlaSchedFor(
        e, xlaSchedBound(e, 0), xlaSchedBound(e, size), 1, 0, NULL, &e->iv[d]);
    emitOuter(e, c, d + 1, values);
    closeFor(e, loop, outside, 0, NULL);
    return;
  }
  loadInitial(e, c, values);
  emitAccumulated(e, c, values);
  storeFinal(e, c, values);
}

int64_t xlaSchedClusterLanes(const XlaSchedEmit *e, const XlaSchedCluster *c) {
  const XlaSchedStatement *statement = &e->group->statements[c->statements[0]];
  if (e->vecShared >= 0)
    return e->lanes;
  int64_t length = statement->nDims > e->group->nShared + c->nOuter
                       ? statement->sizes[statement->nDims - 1]
                       : 1;
  int64_t lanes = xlaSchedLanes(e, c->statements, c->nStatements);
  for (int i = 0; i < c->nCarried; ++i)
    if (!c->reducers[i].combiner)
      lanes = 1;
  return lanes < length ? lanes : xlaSchedPiece(e, length);
}

static void emitCluster(XlaSchedEmit *e, const XlaSchedCluster *c) {
  MlirValue *values = malloc(((size_t)c->nCarried + 1) * sizeof *values);
  int64_t lanes = e->lanes;
  XlaIr saved[3] = {e->at[0], e->at[1], e->at[2]};
  if (!values) {
    e->failed = true;
    return;
  }
  e->lanes = xlaSchedClusterLanes(e, c);
  emitOuter(e, c, e->group->nShared, values);
  e->lanes = lanes;
  for (int level = 0; level < 3; ++level)
    e->at[level] = saved[level];
  free(values);
}

void xlaSchedClusters(XlaSchedEmit *e) {
  for (int i = e->fromCluster; i < e->toCluster; ++i) {
    emitCluster(e, &e->clusters.all[i]);
    xlaSchedForget(e, 2);
  }
}

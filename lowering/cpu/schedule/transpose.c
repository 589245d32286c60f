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
// A block of B x B elements takes log2(B) rounds of B shuffles: interleaving
// the low and high halves of vectors i and i + B/2 into vectors 2i and 2i + 1
// rotates the bits of (vector, lane) by one, and log2(B) rotations swap them.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/nest.h"

#include <stdlib.h>
#include <string.h>

enum { MaxBlock = 16 };

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

static bool isOutput(const XlaSchedEmit *e, MlirValue root) {
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
          isOutput(e, statement->accesses[i].root))
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
// Blocks
//===----------------------------------------------------------------------===//

static MlirValue shuffle(XlaIr *ir, MlirValue a, MlirValue b, int n,
                         const int64_t *mask) {
  int64_t lanes = n;
  MlirType type =
      mlirVectorTypeGet(1, &lanes, xlaIrElementType(mlirValueGetType(a)));
  return xlaIrOp(
      ir, "vector.shuffle", type, 2, (MlirValue[]){a, b}, 1,
      &(XlaIrAttr){"mask", mlirDenseI64ArrayGet(ir->context, n, mask)});
}

/// Vectors to vectors: lane j of vector i becomes lane i of vector j.
static void transposeRegisters(XlaIr *ir, MlirValue *vectors, int n) {
  int64_t low[MaxBlock], high[MaxBlock];
  for (int i = 0; i < n; ++i) {
    low[i] = i / 2 + (i % 2) * n;
    high[i] = low[i] + n / 2;
  }
  for (int round = 1; round < n; round *= 2) {
    MlirValue next[MaxBlock];
    for (int i = 0; i < n / 2; ++i) {
      next[2 * i] = shuffle(ir, vectors[i], vectors[i + n / 2], n, low);
      next[2 * i + 1] = shuffle(ir, vectors[i], vectors[i + n / 2], n, high);
    }
    memcpy(vectors, next, (size_t)n * sizeof *vectors);
  }
}

/// One side of a block's move: element (u, v) at index + u * du + v * dv.
typedef struct Side {
  MlirValue memory;
  MlirAffineExpr index;
  int64_t du, dv;
} Side;

static Side moved(Side side, MlirAffineExpr u, MlirAffineExpr v) {
  side.index = xlaExprAdd(side.index, xlaExprScale(u, side.du));
  side.index = xlaExprAdd(side.index, xlaExprScale(v, side.dv));
  return side;
}

/// Moves nu x nv elements through registers; from.du and to.dv are 1.
static void moveBlock(XlaSchedEmit *e, XlaIr *ir, Side from, Side to, int block,
                      int64_t nu, int64_t nv) {
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(from.memory));
  MlirType loaded = mlirVectorTypeGet(1, &nu, element);
  MlirValue vectors[MaxBlock];
  int64_t mask[MaxBlock];
  for (int i = 0; i < block; ++i)
    mask[i] = i < nu ? i : -1;
  for (int64_t i = 0; i < block; ++i) {
    if (i >= nv) { // never stored
      vectors[i] = vectors[0];
      continue;
    }
    MlirValue v = xlaAffineLoad(&e->nest, ir, loaded, from.memory,
                                xlaExprShift(from.index, i * from.dv));
    vectors[i] = nu == block ? v : shuffle(ir, v, v, block, mask);
  }
  transposeRegisters(ir, vectors, block);
  for (int i = 0; i < block; ++i)
    mask[i] = i;
  for (int64_t i = 0; i < nu; ++i) {
    MlirValue v = nv == block
                      ? vectors[i]
                      : shuffle(ir, vectors[i], vectors[i], (int)nv, mask);
    xlaAffineStore(&e->nest, ir, v, to.memory,
                   xlaExprShift(to.index, i * to.du));
  }
}

/// Moves u < nu, v < nv element by element.
static void moveScalars(XlaSchedEmit *e, XlaIr *ir, Side from, Side to,
                        XlaAffineBound nu, XlaAffineBound nv) {
  XlaIr outer, inner;
  MlirAffineExpr u, v;
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(from.memory));
  xlaAffineFor(&e->nest, ir, xlaSchedBound(&e->n, 0), nu, 1, 0, NULL, &outer,
               &u);
  xlaAffineFor(&e->nest, &outer, xlaSchedBound(&e->n, 0), nv, 1, 0, NULL,
               &inner, &v);
  from = moved(from, u, v);
  to = moved(to, u, v);
  MlirValue value =
      xlaAffineLoad(&e->nest, &inner, element, from.memory, from.index);
  xlaAffineStore(&e->nest, &inner, value, to.memory, to.index);
  xlaAffineClose(&e->nest, &inner, 0, NULL);
  xlaAffineClose(&e->nest, &outer, 0, NULL);
}

static int blockSize(const XlaSchedEmit *e, MlirType element) {
  int bits = mlirTypeIsAFloat(element) ? (int)mlirFloatTypeGetWidth(element)
                                       : (int)mlirIntegerTypeGetWidth(element);
  int n = e->options->vectorBits / bits;
  return n > MaxBlock ? MaxBlock : n < 2 ? 2 : n;
}

/// A block whose loads go backwards along u, or stores along v, as one whose u
/// or v goes the other way.
static void turnBlock(Side *from, Side *to, int64_t bu, int64_t bv) {
  if (from->du == -1) {
    from->index = xlaExprShift(from->index, 1 - bu);
    to->index = xlaExprShift(to->index, (bu - 1) * to->du);
    from->du = 1;
    to->du = -to->du;
  }
  if (to->dv == -1) {
    to->index = xlaExprShift(to->index, 1 - bv);
    from->index = xlaExprShift(from->index, (bv - 1) * from->dv);
    to->dv = 1;
    from->dv = -from->dv;
  }
}

/// What is left of `bound` behind `at`.
static XlaAffineBound leftOf(XlaAffineBound bound, MlirAffineExpr at) {
  return xlaAffineBoundShift(bound, xlaExprScale(at, -1));
}

/// Moves nu x nv elements (at most a tile), block by block.
static void moveTile(XlaSchedEmit *e, XlaIr *ir, Side from, Side to,
                     XlaAffineBound nu, XlaAffineBound nv, int64_t sizeU,
                     int64_t sizeV) {
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(from.memory));
  int block = blockSize(e, element);
  int64_t bu = xlaSchedPiece(&e->n, sizeU < block ? sizeU : block);
  int64_t bv = xlaSchedPiece(&e->n, sizeV < block ? sizeV : block);
  XlaIr overU, overV;
  MlirAffineExpr u, v;
  xlaAffineFor(&e->nest, ir, xlaSchedBound(&e->n, 0), nu, bu, 0, NULL, &overU,
               &u);
  xlaAffineFor(&e->nest, &overU, xlaSchedBound(&e->n, 0), nv, bv, 0, NULL,
               &overV, &v);
  from = moved(from, u, v);
  to = moved(to, u, v);
  Side turnedFrom = from, turnedTo = to;
  turnBlock(&turnedFrom, &turnedTo, bu, bv);
  if (sizeU % bu == 0 && sizeV % bv == 0) {
    moveBlock(e, &overV, turnedFrom, turnedTo, block, bu, bv);
  } else {
    XlaAffineBound leftU = leftOf(nu, u), leftV = leftOf(nv, v);
    XlaAffineBound whole = {.n = 0};
    XlaIr then, otherwise;
    for (int i = 0; i < leftU.n; ++i)
      whole = xlaAffineBoundAnd(whole, xlaExprShift(leftU.exprs[i], -bu));
    for (int i = 0; i < leftV.n; ++i)
      whole = xlaAffineBoundAnd(whole, xlaExprShift(leftV.exprs[i], -bv));
    xlaAffineIf(&e->nest, &overV, whole.n, whole.exprs, &then, &otherwise);
    moveBlock(e, &then, turnedFrom, turnedTo, block, bu, bv);
    moveScalars(e, &otherwise, from, to,
                xlaAffineBoundAnd(leftU, xlaAffineConstant(&e->nest, bu)),
                xlaAffineBoundAnd(leftV, xlaAffineConstant(&e->nest, bv)));
  }
  xlaAffineClose(&e->nest, &overV, 0, NULL);
  xlaAffineClose(&e->nest, &overU, 0, NULL);
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
static Side sideOf(XlaSchedEmit *e, const XlaSchedAccess *access, int u) {
  MlirAffineExpr sum = xlaAffineConstant(&e->nest, access->offset);
  for (int d = 0; d < u; ++d)
    sum = xlaExprAdd(sum, xlaExprScale(e->n.iv[d], access->strides[d]));
  Side side = {xlaSchedFlat(e, access), sum, access->strides[u],
               access->strides[u + 1]};
  return moved(side, e->tileU, e->tileV);
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
    Side from = sideOf(e, e->tiles[i].access, u);
    Side to = {e->tiles[i].memory, xlaAffineConstant(&e->nest, 0), tile, 1};
    if (target)
      to = sideOf(e, target, u);
    moveTile(e, &e->n.at[2], from, to, nu, nv, sizeU, sizeV);
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
                  access->dynamicOffset || isOutput(e, access->root);
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

//===----------------------------------------------------------------------===//
// Tiles along an inner dimension
//===----------------------------------------------------------------------===//

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
              ? !isOutput(e, access->root)
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
      moveTile(e, &e->n.at[2], (Side){tile, zero, 1, e->tileStride},
               (Side){flat, start, across, along}, xlaSchedBound(&e->n, lanes),
               nu, lanes, size);
    else
      moveTile(e, &e->n.at[2], (Side){flat, start, along, across},
               (Side){tile, zero, e->tileStride, 1}, nu,
               xlaSchedBound(&e->n, lanes), size, lanes);
  }
}

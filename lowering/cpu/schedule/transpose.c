//===- transpose.c - Inputs that run across the lanes ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input whose unit stride is along another dimension `u` than the lanes' is
// read in tiles of u x v elements, transposed block by block in registers, and
// put into a scratch tile that the body then reads like any other input. A
// plain copy goes from registers to its output at once.
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

static int dimAcross(const XlaSchedEmit *e, const XlaSchedStage *stage,
                     const XlaSchedAccess *access) {
  int v = e->vecShared;
  if (access->strides[v] == 0 || access->strides[v] == 1)
    return -1;
  for (int d = 0; d < e->group->nShared; ++d)
    if (d != v && access->strides[d] == 1 && stage->sizes[d] >= 2)
      return d;
  return -1;
}

static bool isOutput(const XlaSchedEmit *e, MlirValue root) {
  for (int s = 0; s < e->group->nStages; ++s) {
    const XlaSchedStage *stage = &e->group->stages[s];
    for (int o = stage->nIns; o < stage->nIns + stage->nOuts; ++o)
      if (mlirValueEqual(stage->accesses[o].root, root))
        return true;
  }
  return false;
}

int xlaSchedTransposedDim(const XlaSchedEmit *e) {
  double best = 0, gain[XLA_SCHED_MAX_DIMS] = {0};
  int u = -1;
  if (e->vecShared < 0)
    return -1;
  for (int s = 0; s < e->group->nStages; ++s) {
    const XlaSchedStage *stage = &e->group->stages[s];
    if (stage->nDims > e->group->nShared)
      return -1; // stages with inner loops walk their inputs differently
    for (int i = 0; i < stage->nIns; ++i) {
      int d = dimAcross(e, stage, &stage->accesses[i]);
      if (d < 0 || stage->accesses[i].dynamicOffset ||
          isOutput(e, stage->accesses[i].root))
        continue;
      gain[d] += (double)stage->sizes[d];
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
  MlirValue memory, index;
  int64_t du, dv;
} Side;

static MlirValue plus(XlaIr *ir, MlirValue a, MlirValue b, int64_t scale) {
  if (scale != 1)
    b = xlaIrBinary(ir, "arith.muli", b, xlaIrConstantIndex(ir, scale));
  return xlaIrBinary(ir, "arith.addi", a, b);
}

/// Moves nu x nv elements through registers; from.du and to.dv are 1.
static void moveBlock(XlaIr *ir, Side from, Side to, int block, int64_t nu,
                      int64_t nv) {
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
    MlirValue at = plus(ir, from.index, xlaIrConstantIndex(ir, i), from.dv);
    MlirValue v = xlaIrOp(ir, "vector.load", loaded, 2,
                          (MlirValue[]){from.memory, at}, 0, NULL);
    vectors[i] = nu == block ? v : shuffle(ir, v, v, block, mask);
  }
  transposeRegisters(ir, vectors, block);
  for (int i = 0; i < block; ++i)
    mask[i] = i;
  for (int64_t i = 0; i < nu; ++i) {
    MlirValue at = plus(ir, to.index, xlaIrConstantIndex(ir, i), to.du);
    MlirValue v = nv == block
                      ? vectors[i]
                      : shuffle(ir, vectors[i], vectors[i], (int)nv, mask);
    xlaIrCreate(ir, "vector.store", 3, (MlirValue[]){v, to.memory, at}, 0, NULL,
                0, NULL, 0, NULL);
  }
}

/// Moves u < nu, v < nv (values) element by element.
static void moveScalars(XlaIr *ir, Side from, Side to, MlirValue nu,
                        MlirValue nv) {
  MlirValue zero = xlaIrConstantIndex(ir, 0), one = xlaIrConstantIndex(ir, 1);
  XlaIr outer, inner;
  xlaIrFor(ir, zero, nu, one, 0, NULL, &outer);
  MlirValue u = mlirBlockGetArgument(outer.block, 0);
  MlirValue source = plus(&outer, from.index, u, from.du);
  MlirValue target = plus(&outer, to.index, u, to.du);
  xlaIrFor(&outer, zero, nv, one, 0, NULL, &inner);
  MlirValue v = mlirBlockGetArgument(inner.block, 0);
  MlirValue at = plus(&inner, source, v, from.dv);
  MlirValue value = xlaIrLoad(&inner, from.memory, 1, &at);
  at = plus(&inner, target, v, to.dv);
  xlaIrStore(&inner, value, to.memory, 1, &at);
  xlaIrYield(&inner, 0, NULL);
  xlaIrYield(&outer, 0, NULL);
}

static int blockSize(const XlaSchedEmit *e, MlirType element) {
  int bits = mlirTypeIsAFloat(element) ? (int)mlirFloatTypeGetWidth(element)
                                       : (int)mlirIntegerTypeGetWidth(element);
  int n = e->options->vectorBits / bits;
  return n > MaxBlock ? MaxBlock : n < 2 ? 2 : n;
}

/// Moves nu x nv elements (values, at most `tile` each), block by block.
static void moveTile(const XlaSchedEmit *e, XlaIr *ir, Side from, Side to,
                     MlirValue nu, MlirValue nv, int64_t sizeU, int64_t sizeV) {
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(from.memory));
  int block = blockSize(e, element);
  int64_t bu = xlaSchedPiece(e, sizeU < block ? sizeU : block);
  int64_t bv = xlaSchedPiece(e, sizeV < block ? sizeV : block);
  MlirValue zero = xlaIrConstantIndex(ir, 0);
  XlaIr overU, overV;
  xlaIrFor(ir, zero, nu, xlaIrConstantIndex(ir, bu), 0, NULL, &overU);
  MlirValue u = mlirBlockGetArgument(overU.block, 0);
  from.index = plus(&overU, from.index, u, from.du);
  to.index = plus(&overU, to.index, u, to.du);
  xlaIrFor(&overU, zero, nv, xlaIrConstantIndex(&overU, bv), 0, NULL, &overV);
  MlirValue v = mlirBlockGetArgument(overV.block, 0);
  from.index = plus(&overV, from.index, v, from.dv);
  to.index = plus(&overV, to.index, v, to.dv);
  if (sizeU % bu == 0 && sizeV % bv == 0) {
    moveBlock(&overV, from, to, block, bu, bv);
  } else {
    MlirValue leftU = xlaIrBinary(&overV, "arith.subi", nu, u);
    MlirValue leftV = xlaIrBinary(&overV, "arith.subi", nv, v);
    MlirValue stepU = xlaIrConstantIndex(&overV, bu);
    MlirValue stepV = xlaIrConstantIndex(&overV, bv);
    MlirValue whole = xlaIrBinary(&overV, "arith.andi",
                                  xlaIrCmpI(&overV, "sge", leftU, stepU),
                                  xlaIrCmpI(&overV, "sge", leftV, stepV));
    XlaIr then, otherwise;
    xlaIrIf(&overV, whole, &then, &otherwise);
    moveBlock(&then, from, to, block, bu, bv);
    moveScalars(&otherwise, from, to,
                xlaIrBinary(&otherwise, "arith.minsi", leftU, stepU),
                xlaIrBinary(&otherwise, "arith.minsi", leftV, stepV));
  }
  xlaIrYield(&overV, 0, NULL);
  xlaIrYield(&overU, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The output that a group of one plain copy writes, or NULL.
static const XlaSchedAccess *copyTarget(const XlaSchedEmit *e, int u) {
  const XlaSchedStage *stage = e->group->stages;
  if (e->group->nStages != 1 || !stage->body.ptr || stage->nOuts != 1 ||
      stage->accesses[stage->nIns].strides[e->vecShared] != 1)
    return NULL;
  MlirValue value =
      mlirOperationGetOperand(mlirBlockGetTerminator(stage->body), 0);
  for (int i = 0; i < stage->nIns; ++i)
    if (mlirValueEqual(mlirBlockGetArgument(stage->body, i), value) &&
        dimAcross(e, stage, &stage->accesses[i]) == u)
      return &stage->accesses[stage->nIns];
  return NULL;
}

static int64_t tileSize(const XlaSchedEmit *e) {
  int64_t bytes = 1;
  for (int s = 0; s < e->group->nStages; ++s)
    for (int i = 0; i < e->group->stages[s].nIns; ++i) {
      MlirType element = e->group->stages[s].accesses[i].element;
      int64_t size = mlirTypeIsAFloat(element)
                         ? (int64_t)mlirFloatTypeGetWidth(element) / 8
                         : (int64_t)mlirIntegerTypeGetWidth(element) / 8;
      bytes = size > bytes ? size : bytes;
    }
  // Half of L1 for one tile; lines of both buffers are used whole.
  return 64 * 64 * bytes * 2 > e->options->l1Bytes ? 32 : 64;
}

/// offset + the rows' part of `access`, without u and v.
static MlirValue rowIndex(XlaSchedEmit *e, const XlaSchedAccess *access,
                          int nRows) {
  XlaIr *ir = &e->at[2];
  MlirValue sum = xlaIrConstantIndex(ir, access->offset);
  for (int d = 0; d < nRows; ++d)
    if (access->strides[d])
      sum = plus(ir, sum, e->iv[d], access->strides[d]);
  return sum;
}

static Side sideOf(XlaSchedEmit *e, const XlaSchedAccess *access, int u,
                   MlirValue u0, MlirValue v0) {
  Side side = {xlaSchedFlat(e, access), rowIndex(e, access, u),
               access->strides[u], access->strides[u + 1]};
  side.index = plus(&e->at[2], side.index, u0, side.du);
  side.index = plus(&e->at[2], side.index, v0, side.dv);
  return side;
}

/// One tile: move, then the body over its rows.
static void emitTile(XlaSchedEmit *e, int u, int64_t tile,
                     const XlaSchedAccess *target) {
  XlaSchedStage *first = e->group->stages;
  int v = u + 1;
  int64_t sizeU = first->sizes[u], sizeV = first->sizes[v];
  XlaIr *ir = &e->at[2];
  MlirValue u0 = e->tileU, v0 = e->tileV;
  MlirValue size = xlaIrConstantIndex(ir, tile);
  MlirValue leftU =
      xlaIrBinary(ir, "arith.subi", xlaIrConstantIndex(ir, sizeU), u0);
  MlirValue leftV =
      xlaIrBinary(ir, "arith.subi", xlaIrConstantIndex(ir, sizeV), v0);
  MlirValue nu = xlaIrBinary(ir, "arith.minsi", leftU, size);
  MlirValue nv = xlaIrBinary(ir, "arith.minsi", leftV, size);
  for (int i = 0; i < e->nTiles; ++i) {
    Side from = sideOf(e, e->tiles[i].access, u, u0, v0);
    Side to = {e->tiles[i].memory, xlaIrConstantIndex(ir, 0), tile, 1};
    if (target)
      to = sideOf(e, target, u, u0, v0);
    moveTile(e, ir, from, to, nu, nv, sizeU, sizeV);
  }
  if (target)
    return;
  int64_t full = sizeV / e->lanes * e->lanes;
  MlirValue end =
      xlaIrBinary(ir, "arith.minsi", xlaIrBinary(ir, "arith.addi", v0, size),
                  xlaIrConstantIndex(ir, full));
  MlirValue isLast = {NULL};
  if (full != sizeV)
    isLast = xlaIrCmpI(ir, "sle", leftV, size);
  MlirValue endU = xlaIrBinary(ir, "arith.addi", u0, nu);
  XlaIr outside = e->at[2];
  xlaIrFor(&outside, u0, endU, xlaIrConstantIndex(&outside, 1), 0, NULL,
           &e->at[2]);
  e->iv[u] = mlirBlockGetArgument(e->at[2].block, 0);
  xlaSchedPoint(e, v0, end, isLast);
  xlaIrYield(&e->at[2], 0, NULL);
  e->at[2] = outside;
}

/// Tiles of one row: u outside, v inside, bounds in tiles where given.
static void emitTilesOfRow(XlaSchedEmit *e, int u, int64_t tile,
                           const XlaSchedAccess *target, MlirValue bounds[4]) {
  const XlaSchedStage *first = e->group->stages;
  XlaIr outside = e->at[2], overU;
  MlirValue step = xlaIrConstantIndex(&outside, tile);
  MlirValue zero = xlaIrConstantIndex(&outside, 0);
  for (int i = 0; i < 2; ++i)
    if (!bounds[2 * i + 1].ptr) {
      bounds[2 * i] = zero;
      bounds[2 * i + 1] = xlaIrConstantIndex(&outside, first->sizes[u + i]);
    }
  xlaIrFor(&outside, bounds[0], bounds[1], step, 0, NULL, &overU);
  e->tileU = mlirBlockGetArgument(overU.block, 0);
  xlaIrFor(&overU, bounds[2], bounds[3], step, 0, NULL, &e->at[2]);
  e->tileV = mlirBlockGetArgument(e->at[2].block, 0);
  emitTile(e, u, tile, target);
  xlaIrYield(&e->at[2], 0, NULL);
  xlaIrYield(&overU, 0, NULL);
  e->at[2] = outside;
}

static bool collectTiles(XlaSchedEmit *e, int u) {
  int count = 0;
  for (int s = 0; s < e->group->nStages; ++s)
    count += e->group->stages[s].nIns;
  e->tiles = calloc((size_t)count + 1, sizeof *e->tiles);
  if (!e->tiles)
    return false;
  for (int s = 0; s < e->group->nStages; ++s) {
    const XlaSchedStage *stage = &e->group->stages[s];
    for (int i = 0; i < stage->nIns; ++i) {
      const XlaSchedAccess *access = &stage->accesses[i];
      bool seen = dimAcross(e, stage, access) != u || access->dynamicOffset ||
                  isOutput(e, access->root);
      for (int t = 0; t < e->nTiles; ++t)
        seen |= xlaSchedSameAccess(e->tiles[t].access, stage->nDims, access,
                                   stage->nDims);
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

MlirLogicalResult xlaSchedTransposeEmit(XlaSchedEmit *e, int64_t chunks,
                                        XlaIr entry) {
  XlaSchedStage *first = e->group->stages;
  int u = e->group->nShared - 2;
  if (!collectTiles(e, u))
    return mlirLogicalResultFailure();
  const XlaSchedAccess *target = copyTarget(e, u);
  int64_t tile = tileSize(e);
  if (e->lanes > tile)
    e->lanes = tile;
  e->tileStride = tile;
  int64_t rows = xlaSchedVolume(first, 0, u);
  int64_t counts[3] = {rows, (first->sizes[u] + tile - 1) / tile,
                       (first->sizes[u + 1] + tile - 1) / tile};
  int split = 0;
  for (int i = 1; i < 3; ++i)
    if (counts[split] % chunks && counts[i] > counts[split])
      split = i;
  if (chunks > counts[split])
    chunks = counts[split];
  MlirValue bounds[6] = {{NULL}};
  XlaIr outside = e->at[2], body = outside;
  if (chunks > 1) {
    body = xlaSchedParallel(&outside, chunks);
    int64_t unit = split ? tile : 1;
    int64_t each = (counts[split] + chunks - 1) / chunks * unit;
    xlaSchedChunk(&body, mlirBlockGetArgument(body.block, 0), each,
                  split ? first->sizes[u + split - 1] : rows,
                  &bounds[2 * split], &bounds[2 * split + 1]);
  }
  XlaIr *scratch = chunks > 1 ? &body : &entry;
  xlaSchedMakeScratch(e, scratch);
  if (!target)
    makeTiles(e, scratch, tile);
  if (!bounds[1].ptr) {
    bounds[0] = xlaIrConstantIndex(&body, 0);
    bounds[1] = xlaIrConstantIndex(&body, rows);
  }
  e->at[2] = body;
  if (u > 0) {
    XlaIr over;
    xlaIrFor(&body, bounds[0], bounds[1], xlaIrConstantIndex(&body, 1), 0, NULL,
             &over);
    e->at[2] = over;
    xlaSchedRowIndices(e, mlirBlockGetArgument(over.block, 0), u);
  }
  emitTilesOfRow(e, u, tile, target, bounds + 2);
  if (u > 0)
    xlaIrYield(&e->at[2], 0, NULL);
  if (chunks > 1)
    xlaIrCreate(&body, "scf.reduce", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  e->at[2] = outside;
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Tiles along an inner dimension
//===----------------------------------------------------------------------===//

static bool isAcross(const XlaSchedEmit *e, const XlaSchedStage *stage,
                     const XlaSchedAccess *access) {
  int last = stage->nDims - 1, v = e->vecShared;
  return v >= 0 && last >= e->group->nShared && access->strides[last] == 1 &&
         access->strides[v] != 0 && access->strides[v] != 1 &&
         !access->dynamicOffset && !isOutput(e, access->root);
}

int64_t xlaSchedInnerTileSize(const XlaSchedStage *stage) {
  int64_t size = stage->sizes[stage->nDims - 1];
  return size < 64 ? size : 64;
}

MlirLogicalResult xlaSchedInnerTilesFind(XlaSchedEmit *e) {
  int count = 0;
  for (int s = 0; s < e->group->nStages; ++s)
    count += e->group->stages[s].nIns;
  e->tiles = calloc((size_t)count + 1, sizeof *e->tiles);
  if (!e->tiles)
    return mlirLogicalResultFailure();
  e->tilesInner = true;
  e->tileStride = e->lanes;
  for (int s = 0; e->lanes > 1 && s < e->group->nStages; ++s) {
    const XlaSchedStage *stage = &e->group->stages[s];
    for (int i = 0; i < stage->nIns; ++i) {
      const XlaSchedAccess *access = &stage->accesses[i];
      bool seen = !isAcross(e, stage, access);
      for (int t = 0; t < e->nTiles; ++t)
        seen |= xlaSchedSameAccess(e->tiles[t].access, stage->nDims, access,
                                   stage->nDims);
      if (seen)
        continue;
      e->tiles[e->nTiles].access = access;
      e->tiles[e->nTiles++].size = xlaSchedInnerTileSize(stage) * e->lanes;
    }
  }
  return mlirLogicalResultSuccess();
}

/// The stage of `c` that reads `access`, or NULL.
static const XlaSchedStage *readerOf(const XlaSchedEmit *e,
                                     const XlaSchedCluster *c,
                                     const XlaSchedAccess *access) {
  for (int k = 0; k < c->nStages; ++k) {
    const XlaSchedStage *stage = &e->group->stages[c->stages[k]];
    for (int i = 0; i < stage->nIns; ++i)
      if (xlaSchedSameAccess(access, stage->nDims, &stage->accesses[i],
                             stage->nDims))
        return stage;
  }
  return NULL;
}

bool xlaSchedReadsAcross(const XlaSchedEmit *e, const XlaSchedCluster *c) {
  for (int t = 0; e->tilesInner && t < e->nTiles; ++t)
    if (readerOf(e, c, e->tiles[t].access))
      return true;
  return false;
}

void xlaSchedFillInnerTiles(XlaSchedEmit *e, const XlaSchedCluster *c,
                            MlirValue u0, MlirValue nu) {
  XlaIr *ir = &e->at[2];
  for (int t = 0; t < e->nTiles; ++t) {
    const XlaSchedAccess *access = e->tiles[t].access;
    const XlaSchedStage *stage = readerOf(e, c, access);
    if (!stage)
      continue;
    int last = stage->nDims - 1;
    Side from = {xlaSchedFlat(e, access),
                 xlaIrConstantIndex(ir, access->offset), 1,
                 access->strides[e->vecShared]};
    for (int d = 0; d < last; ++d)
      if (access->strides[d])
        from.index = plus(ir, from.index, e->iv[d], access->strides[d]);
    from.index = plus(ir, from.index, u0, 1);
    Side to = {e->tiles[t].memory, xlaIrConstantIndex(ir, 0), e->tileStride, 1};
    moveTile(e, ir, from, to, nu, xlaIrConstantIndex(ir, e->lanes),
             stage->sizes[last], e->lanes);
  }
}

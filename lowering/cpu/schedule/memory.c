//===- memory.c - Loads and stores of a nest ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every access is a one-dimensional view of its buffer and one linear index.
// With static strides that is as much as LLVM knows after lowering a strided
// memref, in a third of the operations, and a rank-6 subview costs the same as
// a vector.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/emit.h"

#include <stdlib.h>
#include <string.h>

bool xlaSchedIsLaneDim(const XlaSchedEmit *e, const XlaSchedStage *stage,
                       int d) {
  return e->vecShared >= 0 ? d == e->vecShared
                           : d >= e->group->nShared && d == stage->nDims - 1;
}

static XlaSchedScratch *scratchOf(const XlaSchedEmit *e, MlirValue root) {
  for (int i = 0; i < e->nScratches; ++i)
    if (mlirValueEqual(e->scratches[i].root, root))
      return &e->scratches[i];
  return NULL;
}

static bool isWritten(const XlaSchedEmit *e, MlirValue root) {
  for (int s = 0; s < e->group->nStages; ++s) {
    const XlaSchedStage *stage = &e->group->stages[s];
    for (int i = stage->nIns; i < stage->nIns + stage->nOuts; ++i)
      if (mlirValueEqual(stage->accesses[i].root, root))
        return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Known elements
//===----------------------------------------------------------------------===//

static void remember(XlaSchedEmit *e, const XlaSchedAccess *access, int nDims,
                     XlaSchedLane lane) {
  if (e->nKnown == e->capKnown) {
    int cap = e->capKnown ? 2 * e->capKnown : 16;
    XlaSchedKnown *known = realloc(e->known, (size_t)cap * sizeof *known);
    if (!known)
      return; // it will be loaded again
    e->known = known;
    e->capKnown = cap;
  }
  e->known[e->nKnown++] = (XlaSchedKnown){access, nDims, lane};
}

static void forgetRoot(XlaSchedEmit *e, MlirValue root) {
  int kept = 0;
  for (int i = 0; i < e->nKnown; ++i)
    if (!mlirValueEqual(e->known[i].access->root, root))
      e->known[kept++] = e->known[i];
  e->nKnown = kept;
}

void xlaSchedForget(XlaSchedEmit *e, int level) {
  int kept = 0;
  for (int i = 0; i < e->nKnown; ++i)
    if (e->known[i].lane.level < level)
      e->known[kept++] = e->known[i];
  e->nKnown = kept;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// A view of the buffer with one dimension and stride 1, from its first
/// element.
MlirValue xlaSchedFlat(XlaSchedEmit *e, const XlaSchedAccess *access) {
  const XlaSchedScratch *scratch = scratchOf(e, access->root);
  if (scratch)
    return scratch->memory;
  for (int i = 0; i < e->nFlats; ++i)
    if (mlirValueEqual(e->flats[i].root, access->root))
      return e->flats[i].flat;
  return access->root;
}

/// Strides in the memory that is really accessed: a scratch has its own.
static void strides(const XlaSchedEmit *e, const XlaSchedStage *stage,
                    const XlaSchedAccess *access, int64_t *out,
                    int64_t *offset) {
  const XlaSchedScratch *scratch = scratchOf(e, access->root);
  *offset = scratch ? 0 : access->offset;
  for (int d = 0; d < stage->nDims; ++d)
    if (!scratch)
      out[d] = access->strides[d];
    else if (d < e->group->nShared)
      out[d] = d == e->vecShared && scratch->scale > 1 ? 1 : 0;
    else
      out[d] = access->strides[d] / scratch->divisor * scratch->scale;
}

static int levelOfDim(const XlaSchedEmit *e, int d) {
  return d >= e->group->nShared ? 2 : d == e->vecShared ? 1 : 0;
}

/// The tile that holds `access` transposed, or -1.
static int tileOf(const XlaSchedEmit *e, const XlaSchedStage *stage,
                  const XlaSchedAccess *access) {
  for (int t = 0; t < e->nTiles; ++t)
    if (xlaSchedSameAccess(e->tiles[t].access, stage->nDims, access,
                           stage->nDims))
      return t;
  return -1;
}

/// Index into a tile, from its first element.
static MlirValue tileIndex(XlaSchedEmit *e, const XlaSchedStage *stage,
                           int *level) {
  int v = e->vecShared;
  if (e->tilesInner) {
    XlaIr *ir = &e->at[2];
    *level = 2;
    MlirValue at =
        xlaIrBinary(ir, "arith.subi", e->iv[stage->nDims - 1], e->tileU);
    return xlaIrBinary(ir, "arith.muli", at,
                       xlaIrConstantIndex(ir, e->tileStride));
  }
  XlaIr *row = &e->at[0], *lanes = &e->at[1];
  *level = 1;
  MlirValue u = xlaIrBinary(row, "arith.subi", e->iv[v - 1], e->tileU);
  u = xlaIrBinary(row, "arith.muli", u, xlaIrConstantIndex(row, e->tileStride));
  u = xlaIrBinary(row, "arith.subi", u, e->tileV);
  return xlaIrBinary(lanes, "arith.addi", u, e->iv[v]);
}

/// offset + sum of iv * stride, each part at its own level.
static MlirValue linearIndex(XlaSchedEmit *e, const XlaSchedStage *stage,
                             const XlaSchedAccess *access, int *level) {
  int64_t s[XLA_SCHED_MAX_DIMS], offset;
  strides(e, stage, access, s, &offset);
  const XlaSchedScratch *scratch = scratchOf(e, access->root);
  MlirValue sum = {NULL};
  *level = 0;
  if (access->dynamicOffset) {
    MlirType types[2 + 2 * XLA_SCHED_MAX_DIMS];
    MlirType index = mlirIndexTypeGet(e->at[0].context);
    intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(access->view));
    types[0] = mlirMemRefTypeGet(access->element, 0, NULL,
                                 (MlirAttribute){NULL}, (MlirAttribute){NULL});
    for (intptr_t i = 0; i < 1 + 2 * rank; ++i)
      types[1 + i] = index;
    MlirOperation metadata =
        xlaIrCreate(&e->at[0], "memref.extract_strided_metadata", 1,
                    &access->view, 2 + 2 * rank, types, 0, NULL, 0, NULL);
    sum = mlirOperationGetResult(metadata, 1);
  }
  if (offset != 0)
    sum = xlaIrConstantIndex(&e->at[0], offset);
  for (int d = 0; d < stage->nDims; ++d) {
    // Lanes of a scratch start at 0, wherever the tile is.
    if (s[d] == 0 || (scratch && d == e->vecShared))
      continue;
    int at = levelOfDim(e, d);
    *level = at > *level ? at : *level;
    MlirValue term = e->iv[d];
    if (s[d] != 1)
      term = xlaIrBinary(&e->at[at], "arith.muli", term,
                         xlaIrConstantIndex(&e->at[0], s[d]));
    sum = sum.ptr ? xlaIrBinary(&e->at[*level], "arith.addi", sum, term) : term;
  }
  return sum.ptr ? sum : xlaIrConstantIndex(&e->at[0], 0);
}

/// The stride between lanes.
static int64_t laneStride(const XlaSchedEmit *e, const XlaSchedStage *stage,
                          const XlaSchedAccess *access) {
  int64_t s[XLA_SCHED_MAX_DIMS], offset;
  if (e->lanes == 1)
    return 0;
  strides(e, stage, access, s, &offset);
  for (int d = 0; d < stage->nDims; ++d)
    if (xlaSchedIsLaneDim(e, stage, d))
      return s[d];
  return 0;
}

/// Offsets of the lanes and a mask of all lanes, for gather and scatter.
static void laneOffsets(XlaSchedEmit *e, int64_t stride, MlirValue *offsets,
                        MlirValue *mask) {
  XlaIr *ir = &e->at[0];
  MlirType index = xlaSchedLaneType(e, mlirIndexTypeGet(ir->context));
  MlirType i1 = xlaSchedLaneType(e, mlirIntegerTypeGet(ir->context, 1));
  MlirValue step = xlaIrOp(ir, "vector.step", index, 0, NULL, 0, NULL);
  *offsets =
      xlaIrBinary(ir, "arith.muli", step, xlaIrConstantInt(ir, index, stride));
  *mask = xlaIrConstantInt(ir, i1, -1);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static MlirValue zero(XlaIr *ir, MlirType type) {
  return mlirTypeIsAFloat(xlaIrElementType(type))
             ? xlaIrConstantFloat(ir, type, 0)
             : xlaIrConstantInt(ir, type, 0);
}

/// Lanes at a small stride from whole vectors: the last of them ends with the
/// last lane, so that nothing outside of the accessed range is read.
static MlirValue loadStrided(XlaSchedEmit *e, XlaIr *ir, MlirValue flat,
                             MlirValue index, MlirType type, int64_t stride) {
  int64_t lanes = e->lanes, last = (lanes - 1) * stride + 1 - lanes;
  int64_t mask[256];
  MlirValue result = {NULL};
  for (int64_t part = 0; part < stride; ++part) {
    int64_t from = part + 1 < stride ? part * lanes : last;
    MlirValue at = from ? xlaIrBinary(ir, "arith.addi", index,
                                      xlaIrConstantIndex(&e->at[0], from))
                        : index;
    MlirValue piece =
        xlaIrOp(ir, "vector.load", type, 2, (MlirValue[]){flat, at}, 0, NULL);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool inPiece = lane * stride >= part * lanes;
      mask[lane] = inPiece ? lanes + lane * stride - from : lane;
      if (lane * stride - from >= lanes)
        mask[lane] = -1; // a later piece has it
    }
    result = part == 0 ? piece : result;
    XlaIrAttr attr = {"mask", mlirDenseI64ArrayGet(ir->context, lanes, mask)};
    result = xlaIrOp(ir, "vector.shuffle", type, 2,
                     (MlirValue[]){result, piece}, 1, &attr);
  }
  return result;
}

/// Lanes from the last to the first.
static MlirValue loadBackwards(XlaSchedEmit *e, XlaIr *ir, MlirValue flat,
                               MlirValue index, MlirType type) {
  int64_t mask[256];
  for (int64_t lane = 0; lane < e->lanes; ++lane)
    mask[lane] = e->lanes - 1 - lane;
  index = xlaIrBinary(ir, "arith.subi", index,
                      xlaIrConstantIndex(&e->at[0], e->lanes - 1));
  MlirValue vector =
      xlaIrOp(ir, "vector.load", type, 2, (MlirValue[]){flat, index}, 0, NULL);
  XlaIrAttr attr = {"mask", mlirDenseI64ArrayGet(ir->context, e->lanes, mask)};
  return xlaIrOp(ir, "vector.shuffle", type, 2, (MlirValue[]){vector, vector},
                 1, &attr);
}

XlaSchedLane xlaSchedLoad(XlaSchedEmit *e, const XlaSchedStage *stage,
                          const XlaSchedAccess *access) {
  for (int i = e->nKnown; i-- > 0;)
    if (xlaSchedSameAccess(e->known[i].access, e->known[i].nDims, access,
                           stage->nDims))
      return e->known[i].lane;
  XlaSchedLane lane = {{NULL}, 0, false};
  int tile = tileOf(e, stage, access);
  MlirValue index = tile >= 0 ? tileIndex(e, stage, &lane.level)
                              : linearIndex(e, stage, access, &lane.level);
  int64_t stride = tile < 0       ? laneStride(e, stage, access)
                   : e->lanes > 1 ? 1
                                  : 0;
  if (stride != 0 && e->vecShared >= 0 && lane.level < 1)
    lane.level = 1;
  bool written = isWritten(e, access->root);
  if (written && lane.level < 1)
    lane.level = 1;
  XlaIr *ir = &e->at[lane.level];
  MlirValue flat = tile >= 0 ? e->tiles[tile].memory : xlaSchedFlat(e, access);
  MlirType type = xlaSchedLaneType(e, access->element);
  lane.isVector = stride != 0;
  if (stride == 0) {
    lane.value = xlaIrLoad(ir, flat, 1, &index);
  } else if (stride == 1) {
    lane.value = xlaIrOp(ir, "vector.load", type, 2, (MlirValue[]){flat, index},
                         0, NULL);
  } else if (stride == -1 && e->lanes <= 256) {
    lane.value = loadBackwards(e, ir, flat, index, type);
  } else if (stride > 1 && stride <= 4 && e->lanes >= 4 && e->lanes <= 256) {
    lane.value = loadStrided(e, ir, flat, index, type, stride);
  } else {
    MlirValue offsets, mask;
    laneOffsets(e, stride, &offsets, &mask);
    MlirValue operands[] = {flat, index, offsets, mask, zero(&e->at[0], type)};
    lane.value = xlaIrOp(ir, "vector.gather", type, 5, operands, 0, NULL);
  }
  if (!written)
    remember(e, access, stage->nDims, lane);
  return lane;
}

void xlaSchedStore(XlaSchedEmit *e, const XlaSchedStage *stage,
                   const XlaSchedAccess *access, XlaSchedLane lane) {
  int level = 0;
  const XlaSchedScratch *scratch = scratchOf(e, access->root);
  forgetRoot(e, access->root);
  for (int d = 0; d < stage->nDims; ++d)
    if (access->strides[d] != 0 && levelOfDim(e, d) > level)
      level = levelOfDim(e, d);
  XlaSchedLane kept = lane;
  kept.level = lane.level > level ? lane.level : level;
  remember(e, access, stage->nDims, kept);
  if (scratch && !scratch->needsMemory)
    return;
  int unused;
  MlirValue index = linearIndex(e, stage, access, &unused);
  MlirValue flat = xlaSchedFlat(e, access);
  int64_t stride = laneStride(e, stage, access);
  XlaIr *ir = &e->at[2];
  if (stride == 0) {
    xlaIrStore(ir, lane.value, flat, 1, &index);
    return;
  }
  MlirValue vector = xlaSchedSplat(e, lane);
  if (stride == 1) {
    xlaIrCreate(ir, "vector.store", 3, (MlirValue[]){vector, flat, index}, 0,
                NULL, 0, NULL, 0, NULL);
    return;
  }
  MlirValue offsets, mask;
  laneOffsets(e, stride, &offsets, &mask);
  xlaIrCreate(ir, "vector.scatter", 5,
              (MlirValue[]){flat, index, offsets, mask, vector}, 0, NULL, 0,
              NULL, 0, NULL);
}

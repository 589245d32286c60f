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

static XlaSchedScratch *scratchOf(const XlaSchedEmit *e, MlirValue root) {
  for (int i = 0; i < e->nScratches; ++i)
    if (mlirValueEqual(e->scratches[i].root, root))
      return &e->scratches[i];
  return NULL;
}

static bool isWritten(const XlaSchedEmit *e, MlirValue root) {
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int i = statement->nIns; i < statement->nIns + statement->nOuts; ++i)
      if (mlirValueEqual(statement->accesses[i].root, root))
        return true;
  }
  return false;
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
static void strides(const XlaSchedEmit *e, const XlaSchedStatement *statement,
                    const XlaSchedAccess *access, int64_t *out,
                    int64_t *offset) {
  const XlaSchedScratch *scratch = scratchOf(e, access->root);
  *offset = scratch ? (access->offset - scratch->base) / scratch->divisor *
                          scratch->scale
                    : access->offset;
  for (int d = 0; d < statement->nDims; ++d)
    if (!scratch)
      out[d] = access->strides[d];
    else if (d < e->n.group->nShared)
      out[d] = d == e->n.vecShared && (scratch->scale > 1 || scratch->isWide);
    else
      out[d] = access->strides[d] / scratch->divisor * scratch->scale;
}

/// The tile that holds `access` transposed, or -1.
static int tileOf(const XlaSchedEmit *e, const XlaSchedStatement *statement,
                  const XlaSchedAccess *access) {
  for (int t = 0; t < e->nTiles; ++t)
    if (xlaSchedSameAccess(e->tiles[t].access, statement->nDims, access,
                           statement->nDims))
      return t;
  return -1;
}

/// Index into a tile, from its first element.
static MlirAffineExpr tileIndex(const XlaSchedEmit *e,
                                const XlaSchedStatement *statement,
                                int *level) {
  int v = e->n.vecShared, u = e->tilesInner ? statement->nDims - 1 : v - 1;
  MlirAffineExpr at = xlaExprScale(
      xlaExprAdd(e->n.iv[u], xlaExprScale(e->tileU, -1)), e->tileStride);
  *level = e->tilesInner ? 2 : 1;
  return e->tilesInner ? at
                       : xlaExprAdd(xlaExprAdd(at, xlaExprScale(e->tileV, -1)),
                                    e->n.iv[v]);
}

/// offset + sum of iv * stride, and the level at which it is known.
static MlirAffineExpr linearIndex(const XlaSchedEmit *e,
                                  const XlaSchedStatement *statement,
                                  const XlaSchedAccess *access, int *level) {
  int64_t s[XLA_SCHED_MAX_DIMS], offset;
  strides(e, statement, access, s, &offset);
  const XlaSchedScratch *scratch = scratchOf(e, access->root);
  bool isTile = scratch && !scratch->isWide;
  MlirAffineExpr sum = xlaAffineConstant(&e->nest, offset);
  *level = 0;
  for (int d = 0; d < statement->nDims; ++d) {
    // Lanes of a tile start at 0, wherever it is.
    if (s[d] == 0 || (isTile && d == e->n.vecShared))
      continue;
    int at = xlaSchedLevelOf(&e->n, d);
    *level = at > *level ? at : *level;
    sum = xlaExprAdd(sum, xlaExprScale(e->n.iv[d], s[d]));
  }
  return sum;
}

/// The stride between lanes.
static int64_t laneStride(const XlaSchedEmit *e,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access) {
  int64_t s[XLA_SCHED_MAX_DIMS], offset;
  int dim = xlaSchedLaneDim(&e->n, statement);
  if (e->n.lanes == 1 || dim < 0)
    return 0;
  strides(e, statement, access, s, &offset);
  return s[dim];
}

/// Offsets of the lanes and a mask of all lanes, for gather and scatter.
static void laneOffsets(XlaSchedEmit *e, int64_t stride, MlirValue *offsets,
                        MlirValue *mask) {
  XlaIr *ir = &e->n.at[0];
  MlirType index = xlaSchedLaneType(&e->n, mlirIndexTypeGet(ir->context));
  MlirType i1 = xlaSchedLaneType(&e->n, mlirIntegerTypeGet(ir->context, 1));
  MlirValue step = xlaIrOp(ir, "vector.step", index, 0, NULL, 0, NULL);
  *offsets =
      xlaIrBinary(ir, "arith.muli", step, xlaIrConstantInt(ir, index, stride));
  *mask = xlaIrConstantInt(ir, i1, -1);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Lanes at a small stride from whole vectors: the last of them ends with the
/// last lane, so that nothing outside of the accessed range is read.
static MlirValue loadStrided(XlaSchedEmit *e, XlaIr *ir, MlirValue flat,
                             MlirAffineExpr index, MlirType type,
                             int64_t stride) {
  int64_t lanes = e->n.lanes, last = (lanes - 1) * stride + 1 - lanes;
  int64_t mask[256];
  MlirValue result = {NULL};
  for (int64_t part = 0; part < stride; ++part) {
    int64_t from = part + 1 < stride ? part * lanes : last;
    MlirValue piece =
        xlaAffineLoad(&e->nest, ir, type, flat, xlaExprShift(index, from));
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
                               MlirAffineExpr index, MlirType type) {
  int64_t mask[256];
  for (int64_t lane = 0; lane < e->n.lanes; ++lane)
    mask[lane] = e->n.lanes - 1 - lane;
  MlirValue vector = xlaAffineLoad(&e->nest, ir, type, flat,
                                   xlaExprShift(index, 1 - e->n.lanes));
  XlaIrAttr attr = {"mask",
                    mlirDenseI64ArrayGet(ir->context, e->n.lanes, mask)};
  return xlaIrOp(ir, "vector.shuffle", type, 2, (MlirValue[]){vector, vector},
                 1, &attr);
}

void xlaSchedLoad(XlaSchedNest *n, const XlaSchedStatement *statement,
                  const XlaSchedAccess *access, XlaSchedPack *pack) {
  XlaSchedEmit *e = (XlaSchedEmit *)n;
  int tile = tileOf(e, statement, access);
  MlirAffineExpr index = tile >= 0
                             ? tileIndex(e, statement, &pack->level)
                             : linearIndex(e, statement, access, &pack->level);
  int64_t stride = tile < 0       ? laneStride(e, statement, access)
                   : n->lanes > 1 ? 1
                                  : 0;
  if (pack->level < 1 &&
      ((stride != 0 && n->vecShared >= 0) || isWritten(e, access->root)))
    pack->level = 1;
  XlaIr *ir = &n->at[pack->level];
  MlirValue flat = tile >= 0 ? e->tiles[tile].memory : xlaSchedFlat(e, access);
  MlirType type = xlaSchedLaneType(n, access->element);
  pack->isVector = stride != 0;
  if (stride == 0) {
    *pack->values = xlaAffineLoad(&e->nest, ir, access->element, flat, index);
  } else if (stride == 1) {
    *pack->values = xlaAffineLoad(&e->nest, ir, type, flat, index);
  } else if (stride == -1 && n->lanes <= 256) {
    *pack->values = loadBackwards(e, ir, flat, index, type);
  } else if (stride > 1 && stride <= 4 && n->lanes >= 4 && n->lanes <= 256) {
    *pack->values = loadStrided(e, ir, flat, index, type, stride);
  } else {
    MlirValue offsets, mask;
    laneOffsets(e, stride, &offsets, &mask);
    MlirValue operands[] = {flat, xlaAffineApply(&e->nest, ir, index), offsets,
                            mask, xlaIrConstantZero(&n->at[0], type)};
    *pack->values = xlaIrOp(ir, "vector.gather", type, 5, operands, 0, NULL);
  }
}

bool xlaSchedIsRegister(const XlaSchedNest *n, const XlaSchedCluster *cluster,
                        const XlaSchedAccess *access) {
  const XlaSchedScratch *scratch =
      scratchOf((const XlaSchedEmit *)n, access->root);
  (void)cluster;
  return scratch && !scratch->needsMemory;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static bool isPure(MlirOperation op) {
  return xlaIrHasPrefix(op, "arith.") || xlaIrIsOp(op, "affine.apply") ||
         xlaIrIsOp(op, "vector.step") || xlaIrIsOp(op, "vector.broadcast");
}

/// The scatter of every second element of `flat` that was written last, if
/// nothing else was written or read since.
static MlirOperation lastScatter(const XlaIr *ir, MlirValue flat) {
  MlirOperation last = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(ir->block);
       !mlirOperationIsNull(op) && !mlirOperationEqual(op, ir->before);
       op = mlirOperationGetNextInBlock(op))
    if (!isPure(op))
      last = op;
  return last.ptr && xlaIrIsOp(last, "vector.scatter") &&
                 mlirValueEqual(mlirOperationGetOperand(last, 0), flat)
             ? last
             : (MlirOperation){NULL};
}

static MlirAffineExpr resultOf(MlirOperation apply) {
  return mlirAffineMapGetResult(
      mlirAffineMapAttrGetValue(mlirOperationGetAttributeByName(
          apply, mlirStringRefCreateFromCString("map"))),
      0);
}

/// Whether the position `b` is that behind `a`.
static bool follows(MlirValue a, MlirValue b) {
  int64_t from, to;
  if (!mlirValueIsAOpResult(a) || !mlirValueIsAOpResult(b))
    return false;
  if (xlaIrReadInt(a, &from) && xlaIrReadInt(b, &to))
    return to == from + 1;
  MlirOperation x = mlirOpResultGetOwner(a), y = mlirOpResultGetOwner(b);
  if (!xlaIrIsOp(x, "affine.apply") || !xlaIrIsOp(y, "affine.apply") ||
      mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(x, i),
                        mlirOperationGetOperand(y, i)))
      return false;
  return mlirAffineExprEqual(xlaExprShift(resultOf(x), 1), resultOf(y));
}

/// Lanes of `even` and `odd` in turn, of which the first are left out.
static MlirValue interleave(XlaIr *ir, MlirValue even, MlirValue odd,
                            int64_t lanes, int64_t first) {
  int64_t mask[256];
  for (int64_t lane = 0; lane < lanes; ++lane)
    mask[lane] = (first + lane) % 2 * lanes + (first + lane) / 2;
  XlaIrAttr attr = {"mask", mlirDenseI64ArrayGet(ir->context, lanes, mask)};
  return xlaIrOp(ir, "vector.shuffle", mlirValueGetType(even), 2,
                 (MlirValue[]){even, odd}, 1, &attr);
}

/// Writes `odd` to every second element from `base` on. With the elements
/// between, as of complex numbers, that are whole vectors.
static bool storePair(XlaSchedEmit *e, MlirValue flat, MlirAffineExpr index,
                      MlirValue base, MlirValue odd) {
  XlaIr *ir = &e->n.at[2];
  int64_t lanes = e->n.lanes;
  MlirOperation first = lastScatter(ir, flat);
  if (mlirOperationIsNull(first) || lanes > 256 ||
      !follows(mlirOperationGetOperand(first, 1), base))
    return false;
  MlirValue even = mlirOperationGetOperand(first, 4);
  if (!mlirTypeEqual(mlirValueGetType(even), mlirValueGetType(odd)))
    return false;
  mlirOperationDestroy(first);
  for (int64_t half = 0; half < 2; ++half)
    xlaAffineStore(&e->nest, ir, interleave(ir, even, odd, lanes, half * lanes),
                   flat, xlaExprShift(index, half * lanes - 1));
  return true;
}

void xlaSchedStore(XlaSchedNest *n, const XlaSchedStatement *statement,
                   const XlaSchedAccess *access, const XlaSchedPack *pack) {
  XlaSchedEmit *e = (XlaSchedEmit *)n;
  int unused, tile = tileOf(e, statement, access);
  MlirAffineExpr index = tile >= 0 ? tileIndex(e, statement, &unused)
                                   : linearIndex(e, statement, access, &unused);
  MlirValue flat = tile >= 0 ? e->tiles[tile].memory : xlaSchedFlat(e, access);
  int64_t stride = tile < 0       ? laneStride(e, statement, access)
                   : n->lanes > 1 ? 1
                                  : 0;
  XlaIr *ir = &n->at[2];
  if (stride == 0) {
    xlaAffineStore(&e->nest, ir, *pack->values, flat, index);
    return;
  }
  MlirValue vector = xlaSchedSplat(n, *pack->values, pack->level);
  if (stride == 1) {
    xlaAffineStore(&e->nest, ir, vector, flat, index);
    return;
  }
  MlirValue offsets, mask;
  laneOffsets(e, stride, &offsets, &mask);
  MlirValue base = xlaAffineApply(&e->nest, ir, index);
  if (stride == 2 && storePair(e, flat, index, base, vector))
    return;
  xlaIrCreate(ir, "vector.scatter", 5,
              (MlirValue[]){flat, base, offsets, mask, vector}, 0, NULL, 0,
              NULL, 0, NULL);
}

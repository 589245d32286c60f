//===- transpose_block.c - Blocks transposed in registers -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of B x B elements takes log2(B) rounds of B shuffles: interleaving
// the low and high halves of vectors i and i + B/2 into vectors 2i and 2i + 1
// rotates the bits of (vector, lane) by one, and log2(B) rotations swap them.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/transpose.h"

#include <string.h>

enum { MaxBlock = 16 };

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

XlaSchedSide xlaSchedSideMoved(XlaSchedSide side, MlirAffineExpr u,
                               MlirAffineExpr v) {
  side.index = xlaExprAdd(side.index, xlaExprScale(u, side.du));
  side.index = xlaExprAdd(side.index, xlaExprScale(v, side.dv));
  return side;
}

/// Moves nu x nv elements through registers; from.du and to.dv are 1.
static void moveBlock(XlaSchedEmit *e, XlaIr *ir, XlaSchedSide from,
                      XlaSchedSide to, int block, int64_t nu, int64_t nv) {
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
static void moveScalars(XlaSchedEmit *e, XlaIr *ir, XlaSchedSide from,
                        XlaSchedSide to, XlaAffineBound nu, XlaAffineBound nv) {
  XlaIr outer, inner;
  MlirAffineExpr u, v;
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(from.memory));
  xlaAffineFor(&e->nest, ir, xlaSchedBound(&e->n, 0), nu, 1, 0, NULL, &outer,
               &u);
  xlaAffineFor(&e->nest, &outer, xlaSchedBound(&e->n, 0), nv, 1, 0, NULL,
               &inner, &v);
  from = xlaSchedSideMoved(from, u, v);
  to = xlaSchedSideMoved(to, u, v);
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
static void turnBlock(XlaSchedSide *from, XlaSchedSide *to, int64_t bu,
                      int64_t bv) {
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

void xlaSchedMoveTile(XlaSchedEmit *e, XlaIr *ir, XlaSchedSide from,
                      XlaSchedSide to, XlaAffineBound nu, XlaAffineBound nv,
                      int64_t sizeU, int64_t sizeV) {
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
  from = xlaSchedSideMoved(from, u, v);
  to = xlaSchedSideMoved(to, u, v);
  XlaSchedSide turnedFrom = from, turnedTo = to;
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

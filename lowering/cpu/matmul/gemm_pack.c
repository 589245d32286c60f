//===- gemm_pack.c - Packing the operands of a matrix product -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/gemm.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>

static const char *packName(XlaCpuGemmPack pack) {
  return pack == XLA_CPU_GEMM_COLUMNS   ? "columns"
         : pack == XLA_CPU_GEMM_STRIDED ? "strided"
                                        : "rows";
}

/// One operand's packing: from its own type to that of panels.
typedef struct Pack {
  const XlaCpuGemmTiling *tiling;
  const XlaCpuGemmTypes *types;
  MlirType from;
  bool isUnsigned;
  int64_t perSum;
} Pack;

/// `lanes` elements from `source[at]`, those past `valid` zero where `mask` is
/// not null, as panels have them.
static MlirValue loadVector(XlaIr *ir, const Pack *pack, int64_t lanes,
                            MlirValue source, MlirValue at, MlirValue mask) {
  MlirType vector = xlaCpuGemmVector(pack->from, lanes);
  MlirValue pointer = xlaCpuPtrAdd(ir, source, pack->from, at);
  MlirValue value = mlirValueIsNull(mask)
                        ? xlaCpuPtrLoad(ir, pointer, vector)
                        : xlaCpuPtrMaskedLoad(ir, pointer, vector, mask);
  return xlaCpuGemmToPacked(ir, pack->types, value, pack->isUnsigned);
}

/// Stores at element `to` of a panel.
static void store(XlaIr *ir, const Pack *pack, MlirValue value,
                  MlirValue target, MlirValue to) {
  xlaCpuPtrStore(ir, value, xlaCpuPtrAdd(ir, target, pack->types->packed, to));
}

static MlirValue zeroOf(XlaIr *ir, MlirType type) {
  return mlirTypeIsAInteger(xlaIrElementType(type))
             ? xlaIrConstantInt(ir, type, 0)
             : xlaIrConstantFloat(ir, type, 0);
}

static void copyScalar(XlaIr *ir, const Pack *pack, MlirValue source,
                       MlirValue at, MlirValue target, MlirValue to) {
  MlirValue value =
      xlaCpuPtrLoad(ir, xlaCpuPtrAdd(ir, source, pack->from, at), pack->from);
  value = xlaCpuGemmToPacked(ir, pack->types, value, pack->isUnsigned);
  store(ir, pack, value, target, to);
}

/// a0 b0 a1 b1 ..
static MlirValue interleave(XlaIr *ir, MlirValue a, MlirValue b,
                            int64_t lanes) {
  int64_t order[64];
  for (int64_t i = 0; i < lanes; ++i) {
    order[2 * i] = i;
    order[2 * i + 1] = lanes + i;
  }
  return xlaCpuShuffle(ir, a, b, 2 * lanes, order);
}

/// `lanes` elements of one k, or of k and k + 1 side by side where panels hold
/// pairs; those of k + 1 are zero unless there is one, `second`.
static void copyAcross(XlaIr *ir, const Pack *pack, int64_t lanes,
                       MlirValue source, MlirValue at, MlirValue strideK,
                       bool second, MlirValue mask, MlirValue target,
                       MlirValue to) {
  MlirValue value = loadVector(ir, pack, lanes, source, at, mask);
  if (pack->types->paired) {
    MlirValue next = second ? loadVector(ir, pack, lanes, source,
                                         xlaCpuAdd(ir, at, strideK), mask)
                            : zeroOf(ir, mlirValueGetType(value));
    value = interleave(ir, value, next, lanes);
  }
  store(ir, pack, value, target, to);
}

/// Whether a last element of k has no partner: i1.
static MlirValue isOdd(XlaIr *ir, MlirValue k) {
  MlirValue rest = xlaCpuRem(ir, k, xlaIrConstantIndex(ir, 2));
  return xlaIrCmpI(ir, "ne", rest, xlaIrConstantIndex(ir, 0));
}

//===----------------------------------------------------------------------===//
// B
//===----------------------------------------------------------------------===//

/// Arguments of packB.
typedef struct PackRhs {
  Pack pack;
  MlirValue source, strideK, strideN, target, k, columns;
} PackRhs;

/// Row k of the panel, or rows k and k + 1.
static void packRow(XlaIr *ir, const PackRhs *p, MlirValue k, bool second,
                    const MlirValue *masks) {
  const XlaCpuGemmTiling *tiling = p->pack.tiling;
  MlirValue from = xlaCpuMul(ir, k, p->strideK);
  MlirValue to = xlaCpuMul(ir, k, xlaIrConstantIndex(ir, tiling->nr));
  for (int64_t v = 0; v < tiling->nv; ++v) {
    int64_t skip = v * tiling->lanes;
    copyAcross(
        ir, &p->pack, tiling->lanes, p->source,
        xlaCpuAdd(ir, from, xlaIrConstantIndex(ir, skip)), p->strideK, second,
        masks[v], p->target,
        xlaCpuAdd(ir, to, xlaIrConstantIndex(ir, skip * p->pack.perSum)));
  }
}

/// Rows of the panel are contiguous in B.
static void packRows(XlaIr *ir, const PackRhs *p, bool whole) {
  const XlaCpuGemmTiling *tiling = p->pack.tiling;
  MlirValue masks[8] = {{NULL}};
  for (int64_t v = 0; v < tiling->nv && !whole; ++v) {
    MlirValue skipped = xlaIrConstantIndex(ir, v * tiling->lanes);
    MlirValue rest = xlaCpuSub(ir, p->columns, skipped);
    masks[v] = xlaCpuLaneMask(ir, tiling->lanes, rest);
  }
  MlirValue step = xlaIrConstantIndex(ir, p->pack.perSum);
  MlirValue last = xlaCpuRoundDown(ir, p->k, step);
  XlaIr body, odd;
  MlirValue k = xlaCpuLoop(ir, xlaIrConstantIndex(ir, 0), last, step, &body);
  packRow(&body, p, k, true, masks);
  xlaIrYield(&body, 0, NULL);
  if (!p->pack.types->paired)
    return;
  xlaIrIf(ir, isOdd(ir, p->k), &odd, NULL);
  packRow(&odd, p, last, false, masks);
}

/// Where an element of the panel lies.
static MlirValue placeOf(XlaIr *ir, const PackRhs *p, MlirValue k,
                         MlirValue column) {
  MlirValue perSum = xlaIrConstantIndex(ir, p->pack.perSum);
  MlirValue nr = xlaIrConstantIndex(ir, p->pack.tiling->nr);
  MlirValue first = xlaCpuRoundDown(ir, k, perSum);
  MlirValue place =
      xlaCpuAdd(ir, xlaCpuMul(ir, first, nr), xlaCpuMul(ir, column, perSum));
  return xlaCpuAdd(ir, place, xlaCpuSub(ir, k, first));
}

/// Columns [first, columns) of rows [kFirst, k) one by one.
static void packScalars(XlaIr *ir, const PackRhs *p, MlirValue first,
                        MlirValue columns, MlirValue kFirst) {
  XlaIr outer, body;
  MlirValue one = xlaIrConstantIndex(ir, 1);
  MlirValue column = xlaCpuLoop(ir, first, columns, one, &outer);
  MlirValue k = xlaCpuLoop(&outer, kFirst, p->k, one, &body);
  MlirValue from = xlaCpuAdd(&body, xlaCpuMul(&body, k, p->strideK),
                             xlaCpuMul(&body, column, p->strideN));
  copyScalar(&body, &p->pack, p->source, from, p->target,
             placeOf(&body, p, k, column));
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&outer, 0, NULL);
}

/// Columns from `columns` on are zero, and what follows an odd k.
static void packZeros(XlaIr *ir, const PackRhs *p) {
  const Pack *pack = &p->pack;
  MlirValue zero = xlaIrConstantIndex(ir, 0), one = xlaIrConstantIndex(ir, 1);
  MlirValue nr = xlaIrConstantIndex(ir, pack->tiling->nr);
  XlaIr outer, body, odd;
  MlirValue depth = xlaCpuGemmPackedDepth(ir, pack->types, p->k);
  MlirValue k = xlaCpuLoop(ir, zero, depth, one, &outer);
  MlirValue column = xlaCpuLoop(&outer, p->columns, nr, one, &body);
  MlirValue to = xlaCpuAdd(&body, xlaCpuMul(&body, k, nr), column);
  xlaCpuPtrStore(&body, xlaCpuGemmZero(&body, pack->types, 0),
                 xlaCpuPtrAdd(&body, p->target, pack->types->sum, to));
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&outer, 0, NULL);
  if (!pack->types->paired)
    return;
  xlaIrIf(ir, isOdd(ir, p->k), &odd, NULL);
  column = xlaCpuLoop(&odd, zero, p->columns, one, &body);
  store(&body, pack, zeroOf(&body, pack->types->packed), p->target,
        placeOf(&body, p, p->k, column));
  xlaIrYield(&body, 0, NULL);
}

/// Transposes `lanes` vectors in log2(lanes) rounds: round d exchanges blocks
/// of d lanes between vectors that are d apart.
static void transposeVectors(XlaIr *ir, MlirValue *v, int64_t lanes) {
  for (int64_t d = lanes / 2; d; d /= 2) {
    int64_t low[64], high[64];
    for (int64_t i = 0; i < lanes; ++i) {
      bool second = i & d;
      low[i] = second ? lanes + i - d : i;
      high[i] = second ? lanes + i : i + d;
    }
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & d)
        continue;
      MlirValue a = v[i], b = v[i + d];
      v[i] = xlaCpuShuffle(ir, a, b, lanes, low);
      v[i + d] = xlaCpuShuffle(ir, a, b, lanes, high);
    }
  }
}

/// `lanes` columns, contiguous in B, of as many k, or twice as many in pairs.
static void packSquare(XlaIr *ir, const PackRhs *p, MlirValue column,
                       MlirValue k) {
  const Pack *pack = &p->pack;
  int64_t lanes = pack->tiling->lanes;
  MlirType sums = xlaCpuGemmVector(pack->types->sum, lanes);
  MlirValue rows[64];
  for (int64_t i = 0; i < lanes; ++i) {
    MlirValue at = xlaCpuAdd(ir, column, xlaIrConstantIndex(ir, i));
    at = xlaCpuAdd(ir, xlaCpuMul(ir, at, p->strideN), k);
    rows[i] = loadVector(ir, pack, lanes * pack->perSum, p->source, at,
                         (MlirValue){NULL});
    if (pack->types->paired)
      rows[i] = xlaIrCast(ir, "vector.bitcast", rows[i], sums);
  }
  transposeVectors(ir, rows, lanes);
  MlirValue first = xlaCpuGemmPackedDepth(ir, pack->types, k);
  for (int64_t i = 0; i < lanes; ++i) {
    MlirValue to = xlaCpuAdd(ir, first, xlaIrConstantIndex(ir, i));
    to = xlaCpuMul(ir, to, xlaIrConstantIndex(ir, pack->tiling->nr));
    to = xlaCpuAdd(ir, to, column);
    xlaCpuPtrStore(ir, rows[i],
                   xlaCpuPtrAdd(ir, p->target, pack->types->sum, to));
  }
}

/// Columns of the panel are contiguous in B.
static void packColumns(XlaIr *ir, const PackRhs *p) {
  const Pack *pack = &p->pack;
  MlirValue zero = xlaIrConstantIndex(ir, 0);
  MlirValue lanes = xlaIrConstantIndex(ir, pack->tiling->lanes);
  MlirValue step = xlaIrConstantIndex(ir, pack->tiling->lanes * pack->perSum);
  MlirValue squareK = xlaCpuRoundDown(ir, p->k, step);
  MlirValue squareN = xlaCpuRoundDown(ir, p->columns, lanes);
  XlaIr outer, body;
  MlirValue column = xlaCpuLoop(ir, zero, squareN, lanes, &outer);
  MlirValue k = xlaCpuLoop(&outer, zero, squareK, step, &body);
  packSquare(&body, p, column, k);
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&outer, 0, NULL);
  packScalars(ir, p, zero, squareN, squareK);
  packScalars(ir, p, squareN, p->columns, zero);
}

void xlaCpuGemmPackRhs(MlirBlock module, MlirLocation location,
                       const XlaCpuGemmTiling *tiling,
                       const XlaCpuGemmTypes *types,
                       char name[XLA_CPU_GEMM_NAME]) {
  // A direct B still packs its last, partial panel.
  snprintf(name, XLA_CPU_GEMM_NAME, "xla.gemm.packb.%s.%s.%s.%d",
           packName(tiling->rhsPack), types->rhsName, types->packedName,
           (int)tiling->nr);
  MlirType p = xlaCpuPtrType(types->context),
           n = mlirIndexTypeGet(types->context);
  XlaIr ir;
  if (!xlaCpuBeginFunction(module, location, name, 6,
                           (MlirType[]){p, n, n, p, n, n}, &ir))
    return;
  MlirValue arg[6];
  for (int i = 0; i < 6; ++i)
    arg[i] = mlirBlockGetArgument(ir.block, i);
  PackRhs pack = {
      {tiling, types, types->rhs, types->rhsUnsigned, xlaCpuGemmPerSum(types)},
      arg[0],
      arg[1],
      arg[2],
      arg[3],
      arg[4],
      arg[5]};
  if (tiling->rhsPack == XLA_CPU_GEMM_COLUMNS) {
    packColumns(&ir, &pack);
    packZeros(&ir, &pack);
  } else if (tiling->rhsPack == XLA_CPU_GEMM_STRIDED) {
    MlirValue zero = xlaIrConstantIndex(&ir, 0);
    packScalars(&ir, &pack, zero, pack.columns, zero);
    packZeros(&ir, &pack);
  } else {
    MlirValue nr = xlaIrConstantIndex(&ir, tiling->nr);
    XlaIr whole, part;
    xlaIrIf(&ir, xlaIrCmpI(&ir, "sge", pack.columns, nr), &whole, &part);
    packRows(&whole, &pack, true);
    packRows(&part, &pack, false);
  }
  xlaCpuReturn(&ir);
}

//===----------------------------------------------------------------------===//
// A
//===----------------------------------------------------------------------===//

/// Arguments of packA.
typedef struct PackLhs {
  Pack pack;
  MlirValue source, strideM, strideK, target, stride, rows, k;
} PackLhs;

/// Column k of a tile of rows, or columns k and k + 1.
static void packColumn(XlaIr *ir, const PackLhs *p, MlirValue row,
                       MlirValue panel, MlirValue k, bool second,
                       MlirValue mask) {
  int64_t mr = p->pack.tiling->mr;
  MlirValue from = xlaCpuAdd(ir, xlaCpuMul(ir, k, p->strideK), row);
  MlirValue to =
      xlaCpuAdd(ir, panel, xlaCpuMul(ir, k, xlaIrConstantIndex(ir, mr)));
  copyAcross(ir, &p->pack, mr, p->source, from, p->strideK, second, mask,
             p->target, to);
}

/// [k][mr] panels: vectors of mr rows.
static void packPanels(XlaIr *ir, const PackLhs *p) {
  const XlaCpuGemmTiling *tiling = p->pack.tiling;
  MlirValue zero = xlaIrConstantIndex(ir, 0),
            step = xlaIrConstantIndex(ir, p->pack.perSum);
  MlirValue last = xlaCpuRoundDown(ir, p->k, step);
  XlaIr tiles, body, odd;
  MlirValue row =
      xlaCpuLoop(ir, zero, p->rows, xlaIrConstantIndex(ir, tiling->mr), &tiles);
  MlirValue mask =
      xlaCpuLaneMask(&tiles, tiling->mr, xlaCpuSub(&tiles, p->rows, row));
  MlirValue panel = xlaCpuMul(&tiles, row, p->stride);
  panel = xlaCpuMul(&tiles, panel, step);
  MlirValue k = xlaCpuLoop(&tiles, zero, last, step, &body);
  packColumn(&body, p, row, panel, k, true, mask);
  xlaIrYield(&body, 0, NULL);
  if (p->pack.types->paired) {
    xlaIrIf(&tiles, isOdd(&tiles, p->k), &odd, NULL);
    packColumn(&odd, p, row, panel, last, false, mask);
  }
  xlaIrYield(&tiles, 0, NULL);
}

/// Rows of `stride` sums: vectors along k, then the rest.
static void packRowsOfA(XlaIr *ir, const PackLhs *p, bool contiguous) {
  const Pack *pack = &p->pack;
  int64_t count = pack->tiling->lanes * pack->perSum;
  MlirValue zero = xlaIrConstantIndex(ir, 0), one = xlaIrConstantIndex(ir, 1);
  MlirValue lanes = xlaIrConstantIndex(ir, count);
  MlirValue whole = contiguous ? xlaCpuRoundDown(ir, p->k, lanes) : zero;
  XlaIr rows, body, odd;
  MlirValue row = xlaCpuLoop(ir, zero, p->rows, one, &rows);
  MlirValue from = xlaCpuMul(&rows, row, p->strideM);
  MlirValue to = xlaCpuMul(&rows, row, p->stride);
  to = xlaCpuMul(&rows, to, xlaIrConstantIndex(&rows, pack->perSum));
  if (contiguous) {
    MlirValue k = xlaCpuLoop(&rows, zero, whole, lanes, &body);
    MlirValue value = loadVector(&body, pack, count, p->source,
                                 xlaCpuAdd(&body, from, k), (MlirValue){NULL});
    store(&body, pack, value, p->target, xlaCpuAdd(&body, to, k));
    xlaIrYield(&body, 0, NULL);
  }
  MlirValue k = xlaCpuLoop(&rows, whole, p->k, one, &body);
  copyScalar(&body, pack, p->source,
             xlaCpuAdd(&body, from, xlaCpuMul(&body, k, p->strideK)), p->target,
             xlaCpuAdd(&body, to, k));
  xlaIrYield(&body, 0, NULL);
  if (pack->types->paired) {
    xlaIrIf(&rows, isOdd(&rows, p->k), &odd, NULL);
    store(&odd, pack, zeroOf(&odd, pack->types->packed), p->target,
          xlaCpuAdd(&odd, to, p->k));
  }
  xlaIrYield(&rows, 0, NULL);
}

void xlaCpuGemmPackLhs(MlirBlock module, MlirLocation location,
                       const XlaCpuGemmTiling *tiling,
                       const XlaCpuGemmTypes *types,
                       char name[XLA_CPU_GEMM_NAME]) {
  snprintf(name, XLA_CPU_GEMM_NAME, "xla.gemm.packa.%s.%s.%s",
           packName(tiling->lhsPack), types->lhsName, types->packedName);
  MlirType p = xlaCpuPtrType(types->context),
           n = mlirIndexTypeGet(types->context);
  XlaIr ir;
  if (!xlaCpuBeginFunction(module, location, name, 7,
                           (MlirType[]){p, n, n, p, n, n, n}, &ir))
    return;
  MlirValue arg[7];
  for (int i = 0; i < 7; ++i)
    arg[i] = mlirBlockGetArgument(ir.block, i);
  PackLhs pack = {
      {tiling, types, types->lhs, types->lhsUnsigned, xlaCpuGemmPerSum(types)},
      arg[0],
      arg[1],
      arg[2],
      arg[3],
      arg[4],
      arg[5],
      arg[6]};
  if (tiling->lhsPack == XLA_CPU_GEMM_COLUMNS)
    packPanels(&ir, &pack);
  else
    packRowsOfA(&ir, &pack, tiling->lhsPack == XLA_CPU_GEMM_ROWS);
  xlaCpuReturn(&ir);
}

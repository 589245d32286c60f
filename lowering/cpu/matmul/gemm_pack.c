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
  const XlaCpuMatmulPrologue *prologue;
  MlirType from;
  bool isUnsigned;
  int64_t perSum;
  MlirValue source, strideFree, strideTerm;
  XlaCpuGemmOrigin origin; ///< of `source`, for a prologue
  MlirValue extras[XLA_CPU_MATMUL_MAX_EXTRAS];
} Pack;

/// Elements of a part, as panels have them.
typedef struct Elements {
  int64_t lanes; ///< 0: a scalar
  bool alongTerms;
  MlirValue free, term; ///< of the first, in the part
  MlirValue mask;       ///< others are 0; null: all
} Elements;

static MlirValue compute(XlaIr *ir, const Pack *pack, const Elements *at) {
  XlaCpuMatmulPlace place = {.lanes = at->lanes,
                             .alongTerms = at->alongTerms,
                             .batch = pack->origin.batch,
                             .free = xlaCpuAdd(ir, pack->origin.free, at->free),
                             .term = xlaCpuAdd(ir, pack->origin.term, at->term),
                             .mask = at->mask};
  return pack->prologue->compute(ir, &place, pack->extras,
                                 pack->prologue->user);
}

/// Vectors lie along a stride of 1.
static MlirValue load(XlaIr *ir, const Pack *pack, const Elements *at) {
  bool isVector = at->lanes != 0;
  if (pack->prologue->compute)
    return xlaCpuGemmToPacked(ir, pack->types, compute(ir, pack, at),
                              pack->isUnsigned);
  MlirValue free = at->free, term = at->term;
  if (!isVector || at->alongTerms)
    free = xlaCpuMul(ir, free, pack->strideFree);
  if (!isVector || !at->alongTerms)
    term = xlaCpuMul(ir, term, pack->strideTerm);
  MlirType type = xlaCpuGemmVector(pack->from, at->lanes);
  MlirValue pointer =
      xlaCpuPtrAdd(ir, pack->source, pack->from, xlaCpuAdd(ir, free, term));
  MlirValue value = mlirValueIsNull(at->mask)
                        ? xlaCpuPtrLoad(ir, pointer, type)
                        : xlaCpuPtrMaskedLoad(ir, pointer, type, at->mask);
  return xlaCpuGemmToPacked(ir, pack->types, value, pack->isUnsigned);
}

/// Stores at element `to` of a panel.
static void store(XlaIr *ir, const Pack *pack, MlirValue value,
                  MlirValue target, MlirValue to) {
  xlaCpuPtrStore(ir, value, xlaCpuPtrAdd(ir, target, pack->types->packed, to));
}

static void copyScalar(XlaIr *ir, const Pack *pack, MlirValue free,
                       MlirValue term, MlirValue target, MlirValue to) {
  Elements at = {.free = free, .term = term};
  store(ir, pack, load(ir, pack, &at), target, to);
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
static void copyAcross(XlaIr *ir, const Pack *pack, const Elements *at,
                       bool second, MlirValue target, MlirValue to) {
  MlirValue value = load(ir, pack, at);
  if (pack->types->paired) {
    Elements after = *at;
    after.term = xlaCpuAdd(ir, at->term, xlaIrConstantIndex(ir, 1));
    MlirValue next = second ? load(ir, pack, &after)
                            : xlaIrConstantZero(ir, mlirValueGetType(value));
    value = interleave(ir, value, next, at->lanes);
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
  MlirValue target, k, columns;
} PackRhs;

/// Row k of the panel, or rows k and k + 1.
static void packRow(XlaIr *ir, const PackRhs *p, MlirValue k, bool second,
                    const MlirValue *masks) {
  const XlaCpuGemmTiling *tiling = p->pack.tiling;
  MlirValue to = xlaCpuMul(ir, k, xlaIrConstantIndex(ir, tiling->nr));
  for (int64_t v = 0; v < tiling->nv; ++v) {
    int64_t skip = v * tiling->lanes;
    Elements at = {.lanes = tiling->lanes,
                   .free = xlaIrConstantIndex(ir, skip),
                   .term = k,
                   .mask = masks[v]};
    copyAcross(
        ir, &p->pack, &at, second, p->target,
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
  copyScalar(&body, &p->pack, column, k, p->target,
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
  store(&body, pack, xlaIrConstantZero(&body, pack->types->packed), p->target,
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
    Elements at = {.lanes = lanes * pack->perSum,
                   .alongTerms = true,
                   .free = xlaCpuAdd(ir, column, xlaIrConstantIndex(ir, i)),
                   .term = k};
    rows[i] = load(ir, pack, &at);
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

/// Begins a function with `n` arguments of these types, and an origin's where
/// there is a prologue; false if it is there already.
static bool begin(MlirBlock module, MlirLocation location,
                  const XlaCpuGemmTiling *tiling,
                  const XlaCpuMatmulPrologue *prologue, const char *name,
                  intptr_t n, MlirType *inputs, XlaIr *ir, MlirValue *args,
                  Pack *pack) {
  intptr_t all = xlaCpuGemmOriginTypes(
      &tiling->op, prologue, mlirTypeGetContext(inputs[0]), inputs, n);
  if (!xlaCpuBeginFunction(module, location, name, all, inputs, ir))
    return false;
  for (intptr_t i = 0; i < n; ++i)
    args[i] = mlirBlockGetArgument(ir->block, i);
  pack->tiling = tiling;
  pack->prologue = prologue;
  pack->source = args[0];
  pack->origin =
      xlaCpuGemmOriginArguments(&tiling->op, prologue, ir, n, pack->extras);
  return true;
}

enum { maxInputs = 8 + XLA_CPU_GEMM_ORIGIN_ARGS + XLA_CPU_MATMUL_MAX_EXTRAS };

void xlaCpuGemmPackRhs(MlirBlock module, MlirLocation location,
                       const XlaCpuGemmTiling *tiling,
                       const XlaCpuGemmTypes *types, const char *user,
                       char name[XLA_CPU_GEMM_LONG_NAME]) {
  const XlaCpuMatmulPrologue *prologue = &tiling->op.rhsPrologue;
  // A direct B still packs its last, partial panel.
  if (prologue->compute)
    snprintf(name, XLA_CPU_GEMM_LONG_NAME, "%s.packb", user);
  else
    snprintf(name, XLA_CPU_GEMM_LONG_NAME, "xla.gemm.packb.%s.%s.%s.%d",
             packName(tiling->rhsPack), types->rhsName, types->packedName,
             (int)tiling->nr);
  MlirType p = xlaCpuPtrType(types->context),
           n = mlirIndexTypeGet(types->context);
  MlirType inputs[maxInputs] = {p, n, n, p, n, n};
  MlirValue arg[6];
  XlaIr ir;
  PackRhs pack = {{.types = types,
                   .from = types->rhs,
                   .isUnsigned = types->rhsUnsigned,
                   .perSum = xlaCpuGemmPerSum(types)},
                  .target = {NULL}};
  if (!begin(module, location, tiling, prologue, name, 6, inputs, &ir, arg,
             &pack.pack))
    return;
  pack.pack.strideTerm = arg[1];
  pack.pack.strideFree = arg[2];
  pack.target = arg[3];
  pack.k = arg[4];
  pack.columns = arg[5];
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
  MlirValue target, stride, rows, k;
} PackLhs;

/// Column k of a tile of rows, or columns k and k + 1.
static void packColumn(XlaIr *ir, const PackLhs *p, MlirValue row,
                       MlirValue panel, MlirValue k, bool second,
                       MlirValue mask) {
  int64_t mr = p->pack.tiling->mr;
  Elements at = {.lanes = mr, .free = row, .term = k, .mask = mask};
  MlirValue to =
      xlaCpuAdd(ir, panel, xlaCpuMul(ir, k, xlaIrConstantIndex(ir, mr)));
  copyAcross(ir, &p->pack, &at, second, p->target, to);
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
  MlirValue to = xlaCpuMul(&rows, row, p->stride);
  to = xlaCpuMul(&rows, to, xlaIrConstantIndex(&rows, pack->perSum));
  if (contiguous) {
    MlirValue k = xlaCpuLoop(&rows, zero, whole, lanes, &body);
    Elements at = {.lanes = count, .alongTerms = true, .free = row, .term = k};
    store(&body, pack, load(&body, pack, &at), p->target,
          xlaCpuAdd(&body, to, k));
    xlaIrYield(&body, 0, NULL);
  }
  MlirValue k = xlaCpuLoop(&rows, whole, p->k, one, &body);
  copyScalar(&body, pack, row, k, p->target, xlaCpuAdd(&body, to, k));
  xlaIrYield(&body, 0, NULL);
  if (pack->types->paired) {
    xlaIrIf(&rows, isOdd(&rows, p->k), &odd, NULL);
    store(&odd, pack, xlaIrConstantZero(&odd, pack->types->packed), p->target,
          xlaCpuAdd(&odd, to, p->k));
  }
  xlaIrYield(&rows, 0, NULL);
}

void xlaCpuGemmPackLhs(MlirBlock module, MlirLocation location,
                       const XlaCpuGemmTiling *tiling,
                       const XlaCpuGemmTypes *types, const char *user,
                       char name[XLA_CPU_GEMM_LONG_NAME]) {
  const XlaCpuMatmulPrologue *prologue = &tiling->op.lhsPrologue;
  if (prologue->compute)
    snprintf(name, XLA_CPU_GEMM_LONG_NAME, "%s.packa", user);
  else
    snprintf(name, XLA_CPU_GEMM_LONG_NAME, "xla.gemm.packa.%s.%s.%s",
             packName(tiling->lhsPack), types->lhsName, types->packedName);
  MlirType p = xlaCpuPtrType(types->context),
           n = mlirIndexTypeGet(types->context);
  MlirType inputs[maxInputs] = {p, n, n, p, n, n, n};
  MlirValue arg[7];
  XlaIr ir;
  PackLhs pack = {{.types = types,
                   .from = types->lhs,
                   .isUnsigned = types->lhsUnsigned,
                   .perSum = xlaCpuGemmPerSum(types)},
                  .target = {NULL}};
  if (!begin(module, location, tiling, prologue, name, 7, inputs, &ir, arg,
             &pack.pack))
    return;
  pack.pack.strideFree = arg[1];
  pack.pack.strideTerm = arg[2];
  pack.target = arg[3];
  pack.stride = arg[4];
  pack.rows = arg[5];
  pack.k = arg[6];
  if (tiling->lhsPack == XLA_CPU_GEMM_COLUMNS)
    packPanels(&ir, &pack);
  else
    packRowsOfA(&ir, &pack, tiling->lhsPack == XLA_CPU_GEMM_ROWS);
  xlaCpuReturn(&ir);
}

//===- gemm_pack.c - Packing the operands of a matrix product -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/gemm.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>

static const char *packName(XlaCpuGemmPack pack) {
  return pack == XLA_CPU_GEMM_COLUMNS   ? "columns"
         : pack == XLA_CPU_GEMM_STRIDED ? "strided"
                                        : "rows";
}

/// One operand's packing: from its own type to sums.
typedef struct Pack {
  const XlaCpuGemmPlan *plan;
  const XlaCpuGemmTypes *types;
  MlirType from;
  bool isUnsigned;
} Pack;

/// `lanes` elements from `source[at]`, those past `valid` zero where `mask` is
/// not null, to `target[to]`.
static void copyVector(XlaIr *ir, const Pack *pack, int64_t lanes,
                       MlirValue source, MlirValue at, MlirValue mask,
                       MlirValue target, MlirValue to) {
  MlirType vector = xlaCpuGemmVector(pack->from, lanes);
  MlirValue pointer = xlaCpuPtrAdd(ir, source, pack->from, at);
  MlirValue value = mlirValueIsNull(mask)
                        ? xlaCpuPtrLoad(ir, pointer, vector)
                        : xlaCpuPtrMaskedLoad(ir, pointer, vector, mask);
  value = xlaCpuGemmExtend(ir, pack->types, value, pack->isUnsigned);
  xlaCpuPtrStore(ir, value, xlaCpuPtrAdd(ir, target, pack->types->sum, to));
}

static void copyScalar(XlaIr *ir, const Pack *pack, MlirValue source,
                       MlirValue at, MlirValue target, MlirValue to) {
  MlirValue value =
      xlaCpuPtrLoad(ir, xlaCpuPtrAdd(ir, source, pack->from, at), pack->from);
  value = xlaCpuGemmExtend(ir, pack->types, value, pack->isUnsigned);
  xlaCpuPtrStore(ir, value, xlaCpuPtrAdd(ir, target, pack->types->sum, to));
}

//===----------------------------------------------------------------------===//
// B
//===----------------------------------------------------------------------===//

/// Arguments of packB.
typedef struct PackRhs {
  Pack pack;
  MlirValue source, strideK, strideN, target, k, columns;
} PackRhs;

/// Rows of the panel are contiguous in B.
static void packRows(XlaIr *ir, const PackRhs *p, bool whole) {
  const XlaCpuGemmPlan *plan = p->pack.plan;
  MlirValue masks[8] = {{NULL}};
  for (int64_t v = 0; v < plan->nv && !whole; ++v) {
    MlirValue skipped = xlaCpuI64(ir, v * plan->lanes);
    MlirValue rest = xlaCpuSub(ir, p->columns, skipped);
    masks[v] = xlaCpuLaneMask(ir, plan->lanes, rest);
  }
  XlaIr body;
  MlirValue k = xlaCpuLoop(ir, xlaCpuI64(ir, 0), p->k, xlaCpuI64(ir, 1), &body);
  MlirValue from = xlaCpuMul(&body, k, p->strideK);
  MlirValue to = xlaCpuMul(&body, k, xlaCpuI64(&body, plan->nr));
  for (int64_t v = 0; v < plan->nv; ++v) {
    MlirValue skip = xlaCpuI64(&body, v * plan->lanes);
    copyVector(&body, &p->pack, plan->lanes, p->source,
               xlaCpuAdd(&body, from, skip), masks[v], p->target,
               xlaCpuAdd(&body, to, skip));
  }
  xlaIrYield(&body, 0, NULL);
}

/// Columns [first, columns) of rows [kFirst, k) one by one.
static void packScalars(XlaIr *ir, const PackRhs *p, MlirValue first,
                        MlirValue columns, MlirValue kFirst) {
  XlaIr outer, body;
  MlirValue one = xlaCpuI64(ir, 1);
  MlirValue column = xlaCpuLoop(ir, first, columns, one, &outer);
  MlirValue k = xlaCpuLoop(&outer, kFirst, p->k, one, &body);
  MlirValue from = xlaCpuAdd(&body, xlaCpuMul(&body, k, p->strideK),
                             xlaCpuMul(&body, column, p->strideN));
  MlirValue to = xlaCpuMul(&body, k, xlaCpuI64(&body, p->pack.plan->nr));
  copyScalar(&body, &p->pack, p->source, from, p->target,
             xlaCpuAdd(&body, to, column));
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&outer, 0, NULL);
}

/// Columns from `columns` on are zero.
static void packZeros(XlaIr *ir, const PackRhs *p) {
  const XlaCpuGemmPlan *plan = p->pack.plan;
  MlirValue one = xlaCpuI64(ir, 1), nr = xlaCpuI64(ir, plan->nr);
  MlirValue zero = xlaCpuGemmZero(ir, p->pack.types, 0);
  XlaIr outer, body;
  MlirValue k = xlaCpuLoop(ir, xlaCpuI64(ir, 0), p->k, one, &outer);
  MlirValue column = xlaCpuLoop(&outer, p->columns, nr, one, &body);
  MlirValue to = xlaCpuAdd(&body, xlaCpuMul(&body, k, nr), column);
  xlaCpuPtrStore(&body, zero,
                 xlaCpuPtrAdd(&body, p->target, p->pack.types->sum, to));
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&outer, 0, NULL);
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

/// A square of `lanes` columns and as many k, columns contiguous in B.
static void packSquare(XlaIr *ir, const PackRhs *p, MlirValue column,
                       MlirValue k) {
  const XlaCpuGemmPlan *plan = p->pack.plan;
  MlirType vector = xlaCpuGemmVector(p->pack.from, plan->lanes);
  MlirValue rows[64];
  for (int64_t i = 0; i < plan->lanes; ++i) {
    MlirValue at = xlaCpuAdd(ir, column, xlaCpuI64(ir, i));
    at = xlaCpuAdd(ir, xlaCpuMul(ir, at, p->strideN), k);
    rows[i] = xlaCpuPtrLoad(ir, xlaCpuPtrAdd(ir, p->source, p->pack.from, at),
                            vector);
    rows[i] = xlaCpuGemmExtend(ir, p->pack.types, rows[i], p->pack.isUnsigned);
  }
  transposeVectors(ir, rows, plan->lanes);
  for (int64_t i = 0; i < plan->lanes; ++i) {
    MlirValue to = xlaCpuAdd(ir, k, xlaCpuI64(ir, i));
    to = xlaCpuMul(ir, to, xlaCpuI64(ir, plan->nr));
    to = xlaCpuAdd(ir, to, column);
    xlaCpuPtrStore(ir, rows[i],
                   xlaCpuPtrAdd(ir, p->target, p->pack.types->sum, to));
  }
}

/// Columns of the panel are contiguous in B.
static void packColumns(XlaIr *ir, const PackRhs *p) {
  MlirValue zero = xlaCpuI64(ir, 0);
  MlirValue lanes = xlaCpuI64(ir, p->pack.plan->lanes);
  MlirValue squareK = xlaCpuRoundDown(ir, p->k, lanes);
  MlirValue squareN = xlaCpuRoundDown(ir, p->columns, lanes);
  XlaIr outer, body;
  MlirValue column = xlaCpuLoop(ir, zero, squareN, lanes, &outer);
  MlirValue k = xlaCpuLoop(&outer, zero, squareK, lanes, &body);
  packSquare(&body, p, column, k);
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&outer, 0, NULL);
  packScalars(ir, p, zero, squareN, squareK);
  packScalars(ir, p, squareN, p->columns, zero);
}

void xlaCpuGemmPackRhs(MlirBlock module, MlirLocation location,
                       const XlaCpuGemmPlan *plan, const XlaCpuGemmTypes *types,
                       char name[XLA_CPU_GEMM_NAME]) {
  // A direct B still packs its last, partial panel.
  snprintf(name, XLA_CPU_GEMM_NAME, "xla.gemm.packb.%s.%s.%s.%d",
           packName(plan->rhsPack), types->rhsName, types->sumName,
           (int)plan->nr);
  MlirType p = xlaCpuPtrType(types->context), n = xlaCpuI64Type(types->context);
  XlaIr ir;
  if (!xlaCpuBeginFunction(module, location, name, 6,
                           (MlirType[]){p, n, n, p, n, n}, &ir))
    return;
  MlirValue arg[6];
  for (int i = 0; i < 6; ++i)
    arg[i] = mlirBlockGetArgument(ir.block, i);
  PackRhs pack = {{plan, types, types->rhs, types->rhsUnsigned},
                  arg[0],
                  arg[1],
                  arg[2],
                  arg[3],
                  arg[4],
                  arg[5]};
  if (plan->rhsPack == XLA_CPU_GEMM_COLUMNS) {
    packColumns(&ir, &pack);
    packZeros(&ir, &pack);
  } else if (plan->rhsPack == XLA_CPU_GEMM_STRIDED) {
    MlirValue zero = xlaCpuI64(&ir, 0);
    packScalars(&ir, &pack, zero, pack.columns, zero);
    packZeros(&ir, &pack);
  } else {
    MlirValue nr = xlaCpuI64(&ir, plan->nr);
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

/// [k][mr] panels: vectors of mr rows.
static void packPanels(XlaIr *ir, const PackLhs *p) {
  const XlaCpuGemmPlan *plan = p->pack.plan;
  MlirValue zero = xlaCpuI64(ir, 0), one = xlaCpuI64(ir, 1);
  MlirValue mr = xlaCpuI64(ir, plan->mr);
  XlaIr tiles, body;
  MlirValue row = xlaCpuLoop(ir, zero, p->rows, mr, &tiles);
  MlirValue mask =
      xlaCpuLaneMask(&tiles, plan->mr, xlaCpuSub(&tiles, p->rows, row));
  MlirValue panel = xlaCpuMul(&tiles, row, p->stride);
  MlirValue k = xlaCpuLoop(&tiles, zero, p->k, one, &body);
  MlirValue from = xlaCpuAdd(&body, xlaCpuMul(&body, k, p->strideK), row);
  MlirValue to = xlaCpuAdd(&body, panel, xlaCpuMul(&body, k, mr));
  copyVector(&body, &p->pack, plan->mr, p->source, from, mask, p->target, to);
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&tiles, 0, NULL);
}

/// Rows of `stride` sums: vectors along k, then the rest.
static void packRowsOfA(XlaIr *ir, const PackLhs *p, bool contiguous) {
  const XlaCpuGemmPlan *plan = p->pack.plan;
  MlirValue zero = xlaCpuI64(ir, 0), one = xlaCpuI64(ir, 1);
  MlirValue lanes = xlaCpuI64(ir, plan->lanes);
  MlirValue whole = contiguous ? xlaCpuRoundDown(ir, p->k, lanes) : zero;
  XlaIr rows, body;
  MlirValue row = xlaCpuLoop(ir, zero, p->rows, one, &rows);
  MlirValue from = xlaCpuMul(&rows, row, p->strideM);
  MlirValue to = xlaCpuMul(&rows, row, p->stride);
  if (contiguous) {
    MlirValue k = xlaCpuLoop(&rows, zero, whole, lanes, &body);
    copyVector(&body, &p->pack, plan->lanes, p->source,
               xlaCpuAdd(&body, from, k), (MlirValue){NULL}, p->target,
               xlaCpuAdd(&body, to, k));
    xlaIrYield(&body, 0, NULL);
  }
  MlirValue k = xlaCpuLoop(&rows, whole, p->k, one, &body);
  copyScalar(&body, &p->pack, p->source,
             xlaCpuAdd(&body, from, xlaCpuMul(&body, k, p->strideK)), p->target,
             xlaCpuAdd(&body, to, k));
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&rows, 0, NULL);
}

void xlaCpuGemmPackLhs(MlirBlock module, MlirLocation location,
                       const XlaCpuGemmPlan *plan, const XlaCpuGemmTypes *types,
                       char name[XLA_CPU_GEMM_NAME]) {
  snprintf(name, XLA_CPU_GEMM_NAME, "xla.gemm.packa.%s.%s.%s",
           packName(plan->lhsPack), types->lhsName, types->sumName);
  MlirType p = xlaCpuPtrType(types->context), n = xlaCpuI64Type(types->context);
  XlaIr ir;
  if (!xlaCpuBeginFunction(module, location, name, 7,
                           (MlirType[]){p, n, n, p, n, n, n}, &ir))
    return;
  MlirValue arg[7];
  for (int i = 0; i < 7; ++i)
    arg[i] = mlirBlockGetArgument(ir.block, i);
  PackLhs pack = {{plan, types, types->lhs, types->lhsUnsigned},
                  arg[0],
                  arg[1],
                  arg[2],
                  arg[3],
                  arg[4],
                  arg[5],
                  arg[6]};
  if (plan->lhsPack == XLA_CPU_GEMM_COLUMNS)
    packPanels(&ir, &pack);
  else
    packRowsOfA(&ir, &pack, plan->lhsPack == XLA_CPU_GEMM_ROWS);
  xlaCpuReturn(&ir);
}

//===- gemm_vector.c - Vector times matrix --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix is read once from memory, whose speed is the limit: rows are
// streamed a few at a time, so that the hardware sees few long streams.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/gemm.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>

enum {
  rowsAtOnce = 8,     ///< rows of B that are added to the result together
  scalarsAtOnce = 16, ///< elements of A that stay in registers
  columnsAtOnce = 8,  ///< columns of B: sums to hide the latency of an FMA
};

/// The function's arguments.
typedef struct Vector {
  const XlaCpuGemmTiling *tiling;
  const XlaCpuGemmTypes *types;
  MlirValue a, lhsM, lhsK, b, stride, c, resultM, n, k;
  XlaCpuGemmOrigin origin; ///< of b, for a prologue
  MlirValue extras[XLA_CPU_MATMUL_MAX_EXTRAS];
} Vector;

/// a[m, k], `m` being known.
static MlirValue loadLhs(XlaIr *ir, const Vector *p, int64_t m, MlirValue k) {
  MlirValue offset = xlaCpuMul(ir, k, p->lhsK);
  offset =
      xlaCpuAdd(ir, offset, xlaCpuMul(ir, xlaIrConstantIndex(ir, m), p->lhsM));
  MlirValue at = xlaCpuPtrAdd(ir, p->a, p->types->lhs, offset);
  return xlaCpuGemmExtend(ir, p->types, xlaCpuPtrLoad(ir, at, p->types->lhs),
                          p->types->lhsUnsigned);
}

/// A vector of an operand at element `at`, in the type of sums; `mask` may be
/// null.
static MlirValue loadVector(XlaIr *ir, const Vector *p, MlirValue pointer,
                            MlirType element, bool isUnsigned, MlirValue at,
                            MlirValue mask) {
  MlirType vector = xlaCpuGemmVector(element, p->tiling->lanes);
  pointer = xlaCpuPtrAdd(ir, pointer, element, at);
  MlirValue value = mlirValueIsNull(mask)
                        ? xlaCpuPtrLoad(ir, pointer, vector)
                        : xlaCpuPtrMaskedLoad(ir, pointer, vector, mask);
  return xlaCpuGemmExtend(ir, p->types, value, isUnsigned);
}

/// `lanes` elements of B along its rows or columns, whichever are contiguous.
static MlirValue loadRhs(XlaIr *ir, const Vector *p, MlirValue column,
                         MlirValue k, MlirValue mask) {
  const XlaCpuMatmulPrologue *prologue = &p->tiling->op.rhsPrologue;
  bool alongTerms = p->tiling->path == XLA_CPU_GEMM_VECTOR_COLUMNS;
  XlaCpuMatmulPlace place = {.lanes = p->tiling->lanes,
                             .alongTerms = alongTerms,
                             .batch = p->origin.batch,
                             .mask = mask};
  if (!prologue->compute) {
    MlirValue far = alongTerms ? column : k, near = alongTerms ? k : column;
    return loadVector(ir, p, p->b, p->types->rhs, p->types->rhsUnsigned,
                      xlaCpuAdd(ir, xlaCpuMul(ir, far, p->stride), near), mask);
  }
  place.free = xlaCpuAdd(ir, p->origin.free, column);
  place.term = xlaCpuAdd(ir, p->origin.term, k);
  return xlaCpuGemmExtend(
      ir, p->types, prologue->compute(ir, &place, p->extras, prologue->user),
      p->types->rhsUnsigned);
}

//===----------------------------------------------------------------------===//
// Rows of B are contiguous: c[m, :] += a[m, k] * B[k, :]
//===----------------------------------------------------------------------===//

/// The element of c's row `m` at `column`.
static MlirValue resultAt(XlaIr *ir, const Vector *p, int64_t m,
                          MlirValue column) {
  MlirValue offset = xlaCpuMul(ir, xlaIrConstantIndex(ir, m), p->resultM);
  return xlaCpuPtrAdd(ir, p->c, p->types->sum, xlaCpuAdd(ir, offset, column));
}

/// Adds `count` rows of B from `k` on, at one vector of columns, to each row of
/// c; `a` holds `count` elements for each.
static void addRows(XlaIr *ir, const Vector *p, int64_t count,
                    const MlirValue *a, MlirValue k, MlirValue column,
                    MlirValue mask) {
  MlirType vector = xlaCpuGemmVector(p->types->sum, p->tiling->lanes);
  bool whole = mlirValueIsNull(mask);
  MlirValue b[rowsAtOnce];
  for (int64_t i = 0; i < count; ++i) {
    MlirValue row = xlaCpuAdd(ir, k, xlaIrConstantIndex(ir, i));
    b[i] = loadRhs(ir, p, column, row, mask);
  }
  for (int64_t m = 0; m < p->tiling->op.m; ++m) {
    MlirValue at = resultAt(ir, p, m, column);
    MlirValue sum = whole ? xlaCpuPtrLoad(ir, at, vector)
                          : xlaCpuPtrMaskedLoad(ir, at, vector, mask);
    for (int64_t i = 0; i < count; ++i)
      sum = xlaCpuGemmMulAdd(ir, p->types, a[m * count + i], b[i], sum);
    if (whole)
      xlaCpuPtrStore(ir, sum, at);
    else
      xlaCpuPtrMaskedStore(ir, sum, at, mask);
  }
}

/// A loop over k in steps of `count` rows, each over all columns.
static void rowLoop(XlaIr *ir, const Vector *p, int64_t count, MlirValue first,
                    MlirValue last, MlirValue whole, MlirValue mask) {
  MlirValue zero = xlaIrConstantIndex(ir, 0),
            step = xlaIrConstantIndex(ir, count);
  MlirValue lanes = xlaIrConstantIndex(ir, p->tiling->lanes);
  MlirType vector = xlaCpuGemmVector(p->types->sum, p->tiling->lanes);
  XlaIr rows, columns, tail;
  MlirValue k = xlaCpuLoop(ir, first, last, step, &rows);
  MlirValue a[scalarsAtOnce];
  for (int64_t m = 0; m < p->tiling->op.m; ++m)
    for (int64_t i = 0; i < count; ++i) {
      MlirValue at = xlaCpuAdd(&rows, k, xlaIrConstantIndex(&rows, i));
      a[m * count + i] = xlaIrCast(&rows, "vector.broadcast",
                                   loadLhs(&rows, p, m, at), vector);
    }
  MlirValue column = xlaCpuLoop(&rows, zero, whole, lanes, &columns);
  addRows(&columns, p, count, a, k, column, (MlirValue){NULL});
  xlaIrYield(&columns, 0, NULL);
  xlaIrIf(&rows, xlaIrCmpI(&rows, "slt", whole, p->n), &tail, NULL);
  addRows(&tail, p, count, a, k, whole, mask);
  xlaIrYield(&rows, 0, NULL);
}

static void clear(XlaIr *ir, const Vector *p) {
  XlaIr body;
  MlirValue zero = xlaCpuGemmZero(ir, p->types, 0);
  MlirValue i = xlaCpuLoop(ir, xlaIrConstantIndex(ir, 0), p->n,
                           xlaIrConstantIndex(ir, 1), &body);
  for (int64_t m = 0; m < p->tiling->op.m; ++m)
    xlaCpuPtrStore(&body, zero, resultAt(&body, p, m, i));
  xlaIrYield(&body, 0, NULL);
}

static void byRows(XlaIr *ir, const Vector *p) {
  MlirValue lanes = xlaIrConstantIndex(ir, p->tiling->lanes);
  MlirValue whole = xlaCpuRoundDown(ir, p->n, lanes);
  MlirValue mask =
      xlaCpuLaneMask(ir, p->tiling->lanes, xlaCpuSub(ir, p->n, whole));
  int64_t count = scalarsAtOnce / p->tiling->op.m;
  count = count >= rowsAtOnce ? rowsAtOnce : 4;
  MlirValue blocks = xlaCpuRoundDown(ir, p->k, xlaIrConstantIndex(ir, count));
  clear(ir, p);
  rowLoop(ir, p, count, xlaIrConstantIndex(ir, 0), blocks, whole, mask);
  rowLoop(ir, p, 1, blocks, p->k, whole, mask);
}

//===----------------------------------------------------------------------===//
// Columns of B are contiguous: c[n] = a . B[:, n]
//===----------------------------------------------------------------------===//

/// One vector of k for all of the columns at once.
static void addColumns(XlaIr *ir, const Vector *p, const MlirValue *columns,
                       MlirValue k, MlirValue mask, MlirValue *sums) {
  MlirValue a =
      loadVector(ir, p, p->a, p->types->lhs, p->types->lhsUnsigned, k, mask);
  for (int i = 0; i < columnsAtOnce; ++i) {
    MlirValue b = loadRhs(ir, p, columns[i], k, mask);
    sums[i] = xlaCpuGemmMulAdd(ir, p->types, a, b, sums[i]);
  }
}

/// The sum of the lanes, in halves.
static MlirValue addLanes(XlaIr *ir, const Vector *p, MlirValue value) {
  for (int64_t half = p->tiling->lanes / 2; half; half /= 2) {
    int64_t low[64], high[64];
    for (int64_t i = 0; i < half; ++i) {
      low[i] = i;
      high[i] = half + i;
    }
    value =
        xlaCpuGemmAdd(ir, p->types, xlaCpuShuffle(ir, value, value, half, low),
                      xlaCpuShuffle(ir, value, value, half, high));
  }
  int64_t first = 0;
  XlaIrAttr attr = {"static_position",
                    mlirDenseI64ArrayGet(ir->context, 1, &first)};
  return xlaIrOp(ir, "vector.extract", p->types->sum, 1, &value, 1, &attr);
}

static void byColumns(XlaIr *ir, const Vector *p) {
  MlirValue zero = xlaIrConstantIndex(ir, 0), one = xlaIrConstantIndex(ir, 1);
  MlirValue lanes = xlaIrConstantIndex(ir, p->tiling->lanes);
  MlirValue whole = xlaCpuRoundDown(ir, p->k, lanes);
  MlirValue mask =
      xlaCpuLaneMask(ir, p->tiling->lanes, xlaCpuSub(ir, p->k, whole));
  MlirValue last = xlaCpuSub(ir, p->n, one);
  MlirValue zeros = xlaCpuGemmZero(ir, p->types, p->tiling->lanes);
  XlaIr group, body;
  MlirValue column =
      xlaCpuLoop(ir, zero, p->n, xlaIrConstantIndex(ir, columnsAtOnce), &group);
  // Columns past the last repeat it: the same number is stored again.
  MlirValue columns[columnsAtOnce], sums[columnsAtOnce];
  for (int i = 0; i < columnsAtOnce; ++i) {
    columns[i] = xlaCpuAdd(&group, column, xlaIrConstantIndex(&group, i));
    columns[i] = xlaCpuMin(&group, columns[i], last);
    sums[i] = zeros;
  }
  MlirOperation loop =
      xlaIrFor(&group, zero, whole, lanes, columnsAtOnce, sums, &body);
  for (int i = 0; i < columnsAtOnce; ++i)
    sums[i] = mlirBlockGetArgument(body.block, 1 + i);
  addColumns(&body, p, columns, mlirBlockGetArgument(body.block, 0),
             (MlirValue){NULL}, sums);
  xlaIrYield(&body, columnsAtOnce, sums);
  for (int i = 0; i < columnsAtOnce; ++i)
    sums[i] = mlirOperationGetResult(loop, i);
  addColumns(&group, p, columns, whole, mask, sums);
  for (int i = 0; i < columnsAtOnce; ++i) {
    MlirValue at = xlaCpuPtrAdd(&group, p->c, p->types->sum, columns[i]);
    xlaCpuPtrStore(&group, addLanes(&group, p, sums[i]), at);
  }
  xlaIrYield(&group, 0, NULL);
}

void xlaCpuGemmVectorKernel(MlirBlock module, MlirLocation location,
                            const XlaCpuGemmTiling *tiling,
                            const XlaCpuGemmTypes *types, const char *user,
                            char name[XLA_CPU_GEMM_LONG_NAME]) {
  enum { nArgs = 9 };
  const XlaCpuMatmulPrologue *prologue = &tiling->op.rhsPrologue;
  bool rows = tiling->path == XLA_CPU_GEMM_VECTOR_ROWS;
  if (prologue->compute)
    snprintf(name, XLA_CPU_GEMM_LONG_NAME, "%s.vector", user);
  else
    snprintf(name, XLA_CPU_GEMM_LONG_NAME, "xla.gemv.%s.%s.%s.%s.%d",
             rows ? "rows" : "columns", types->lhsName, types->rhsName,
             types->sumName, (int)tiling->op.m);
  MlirType p = xlaCpuPtrType(types->context),
           n = mlirIndexTypeGet(types->context);
  MlirType inputs[nArgs + XLA_CPU_GEMM_ORIGIN_ARGS +
                  XLA_CPU_MATMUL_MAX_EXTRAS] = {p, n, n, p, n, p, n, n, n};
  XlaIr ir;
  if (!xlaCpuBeginFunction(module, location, name,
                           xlaCpuGemmOriginTypes(&tiling->op, prologue,
                                                 types->context, inputs, nArgs),
                           inputs, &ir))
    return;
  MlirValue arg[nArgs];
  for (int i = 0; i < nArgs; ++i)
    arg[i] = mlirBlockGetArgument(ir.block, i);
  Vector vector = {.tiling = tiling,
                   .types = types,
                   .a = arg[0],
                   .lhsM = arg[1],
                   .lhsK = arg[2],
                   .b = arg[3],
                   .stride = arg[4],
                   .c = arg[5],
                   .resultM = arg[6],
                   .n = arg[7],
                   .k = arg[8]};
  vector.origin = xlaCpuGemmOriginArguments(&tiling->op, prologue, &ir, nArgs,
                                            vector.extras);
  if (rows)
    byRows(&ir, &vector);
  else
    byColumns(&ir, &vector);
  xlaCpuReturn(&ir);
}

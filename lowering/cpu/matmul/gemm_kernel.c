//===- gemm_kernel.c - Micro-kernel and store of a matrix product ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/gemm.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>

enum { maxTile = 64 }; // vectors of sums

//===----------------------------------------------------------------------===//
// Micro-kernel
//===----------------------------------------------------------------------===//

/// The kernel's arguments and what is computed from them before the loop.
typedef struct Kernel {
  const XlaCpuGemmTiling *tiling;
  const XlaCpuGemmTypes *types;
  MlirValue a, lhsM, lhsK, b, rhsK, c, resultM, k, rows, accumulate;
  MlirValue rowOffset[16]; ///< of A's rows
} Kernel;

static MlirValue tilePointer(XlaIr *ir, const Kernel *kernel, int64_t row,
                             int64_t vector) {
  MlirValue offset =
      xlaCpuMul(ir, kernel->resultM, xlaIrConstantIndex(ir, row));
  offset = xlaCpuAdd(ir, offset,
                     xlaIrConstantIndex(ir, vector * kernel->tiling->lanes));
  return xlaCpuPtrAdd(ir, kernel->c, kernel->types->sum, offset);
}

/// The tile's lines arrive while the loop runs.
static void prefetchTile(XlaIr *ir, const Kernel *kernel) {
  for (int64_t r = 0; r < kernel->tiling->mr; ++r)
    for (int64_t v = 0; v < kernel->tiling->nv; ++v)
      xlaCpuPtrPrefetchWrite(ir, tilePointer(ir, kernel, r, v));
}

/// One k: a rank-1 update of the tile. `next` holds the two pointers, then the
/// sums; they are replaced by their successors.
static void update(XlaIr *ir, const Kernel *kernel, MlirValue *next) {
  const XlaCpuGemmTiling *tiling = kernel->tiling;
  MlirType sum = kernel->types->sum;
  MlirType vector = xlaCpuGemmVector(sum, tiling->lanes);
  MlirValue b[8], *sums = next + 2;
  for (int64_t v = 0; v < tiling->nv; ++v) {
    MlirValue at = xlaCpuPtrAdd(ir, next[1], sum,
                                xlaIrConstantIndex(ir, v * tiling->lanes));
    b[v] = xlaCpuPtrLoad(ir, at, vector);
  }
  for (int64_t r = 0; r < tiling->mr; ++r) {
    MlirValue at = xlaCpuPtrAdd(ir, next[0], sum, kernel->rowOffset[r]);
    MlirValue a =
        xlaIrCast(ir, "vector.broadcast", xlaCpuPtrLoad(ir, at, sum), vector);
    for (int64_t v = 0; v < tiling->nv; ++v) {
      MlirValue *s = &sums[r * tiling->nv + v];
      *s = xlaCpuGemmPackedMulAdd(ir, kernel->types, a, b[v], *s);
    }
  }
  next[0] = xlaCpuPtrAdd(ir, next[0], sum, kernel->lhsK);
  next[1] = xlaCpuPtrAdd(ir, next[1], sum, kernel->rhsK);
}

static MlirOperation sumLoop(XlaIr *ir, const Kernel *kernel) {
  int64_t count = kernel->tiling->mr * kernel->tiling->nv;
  MlirValue carried[2 + maxTile] = {kernel->a, kernel->b};
  MlirValue zero = xlaCpuGemmZero(ir, kernel->types, kernel->tiling->lanes);
  for (int64_t i = 0; i < count; ++i)
    carried[2 + i] = zero;
  XlaIr body;
  MlirOperation loop =
      xlaIrFor(ir, xlaIrConstantIndex(ir, 0), kernel->k,
               xlaIrConstantIndex(ir, 1), 2 + count, carried, &body);
  for (int64_t i = 0; i < 2 + count; ++i)
    carried[i] = mlirBlockGetArgument(body.block, 1 + i);
  update(&body, kernel, carried);
  xlaIrYield(&body, 2 + count, carried);
  return loop;
}

static void storeSums(XlaIr *ir, const Kernel *kernel, MlirOperation loop,
                      bool accumulate) {
  const XlaCpuGemmTiling *tiling = kernel->tiling;
  MlirType vector = xlaCpuGemmVector(kernel->types->sum, tiling->lanes);
  for (int64_t r = 0; r < tiling->mr; ++r)
    for (int64_t v = 0; v < tiling->nv; ++v) {
      MlirValue at = tilePointer(ir, kernel, r, v);
      MlirValue sum = mlirOperationGetResult(loop, 2 + r * tiling->nv + v);
      if (accumulate)
        sum = xlaCpuGemmAdd(ir, kernel->types, sum,
                            xlaCpuPtrLoad(ir, at, vector));
      xlaCpuPtrStore(ir, sum, at);
    }
}

void xlaCpuGemmKernel(MlirBlock module, MlirLocation location,
                      const XlaCpuGemmTiling *tiling,
                      const XlaCpuGemmTypes *types,
                      char name[XLA_CPU_GEMM_NAME]) {
  snprintf(name, XLA_CPU_GEMM_NAME, "xla.gemm.kernel.%s.%dx%d",
           types->packedName, (int)tiling->mr, (int)tiling->nr);
  MlirType p = xlaCpuPtrType(types->context),
           n = mlirIndexTypeGet(types->context);
  MlirType i1 = mlirIntegerTypeGet(types->context, 1);
  XlaIr ir;
  if (!xlaCpuBeginFunction(module, location, name, 10,
                           (MlirType[]){p, n, n, p, n, p, n, n, n, i1}, &ir))
    return;
  MlirValue arg[10];
  for (int i = 0; i < 10; ++i)
    arg[i] = mlirBlockGetArgument(ir.block, i);
  Kernel kernel = {tiling, types,  arg[0], arg[1], arg[2], arg[3],  arg[4],
                   arg[5], arg[6], arg[7], arg[8], arg[9], {{NULL}}};
  MlirValue last = xlaCpuSub(&ir, kernel.rows, xlaIrConstantIndex(&ir, 1));
  for (int64_t r = 0; r < tiling->mr; ++r)
    kernel.rowOffset[r] = xlaCpuMul(
        &ir, xlaCpuMin(&ir, xlaIrConstantIndex(&ir, r), last), kernel.lhsM);
  prefetchTile(&ir, &kernel);
  MlirOperation loop = sumLoop(&ir, &kernel);
  XlaIr then, otherwise;
  xlaIrIf(&ir, kernel.accumulate, &then, &otherwise);
  storeSums(&then, &kernel, loop, true);
  storeSums(&otherwise, &kernel, loop, false);
  xlaCpuReturn(&ir);
}

//===----------------------------------------------------------------------===//
// Storing tiles
//===----------------------------------------------------------------------===//

/// The finished sums as the result stores them.
static MlirValue convert(XlaIr *ir, const XlaCpuGemmTypes *types,
                         MlirValue sums) {
  MlirType from = mlirValueGetType(sums);
  MlirType to = xlaIrWithElement(from, types->result);
  if (mlirTypeEqual(from, to))
    return sums;
  bool integer = mlirTypeIsAInteger(types->result);
  return xlaIrCast(ir, integer ? "arith.trunci" : "arith.truncf", sums, to);
}

/// A vector of sums at lane `column` of row `row` within the tile.
static void storeVector(XlaIr *ir, const XlaCpuGemmTiling *tiling,
                        const XlaCpuGemmTypes *types,
                        const XlaCpuGemmStore *store, MlirValue row,
                        MlirValue column) {
  MlirValue lanes = xlaIrConstantIndex(ir, tiling->lanes);
  MlirValue valid = xlaCpuSub(ir, store->columns, column);
  valid = xlaCpuMin(ir, valid, lanes);
  MlirValue at = xlaCpuMul(ir, row, store->sumStride);
  at = xlaCpuPtrAdd(ir, store->sums, types->sum, xlaCpuAdd(ir, at, column));
  MlirType vector = xlaCpuGemmVector(types->sum, tiling->lanes);
  MlirValue sums = xlaCpuPtrLoad(ir, at, vector);
  at = xlaCpuAdd(ir, xlaCpuMul(ir, row, store->resultStride), column);
  at = xlaCpuPtrAdd(ir, store->result, types->result, at);
  MlirValue mask = xlaCpuLaneMask(ir, tiling->lanes, valid);
  if (!mlirValueIsNull(store->accumulate)) {
    MlirValue add = xlaIrCast(ir, "vector.broadcast", store->accumulate,
                              mlirValueGetType(mask));
    add = xlaIrBinary(ir, "arith.andi", mask, add);
    MlirValue old = xlaCpuPtrMaskedLoad(ir, at, vector, add);
    sums = xlaCpuGemmAdd(ir, types, sums, old);
  }
  if (tiling->op.epilogue) {
    MlirValue i = xlaCpuAdd(ir, store->row, row);
    MlirValue j = xlaCpuAdd(ir, store->column, column);
    sums = tiling->op.epilogue(
        ir, sums, store->batch, tiling->transposed ? j : i,
        tiling->transposed ? i : j, valid, store->extras, tiling->op.user);
  }
  sums = convert(ir, types, sums);
  XlaIr whole, part;
  xlaIrIf(ir, xlaIrCmpI(ir, "eq", valid, lanes), &whole, &part);
  xlaCpuPtrStore(&whole, sums, at);
  xlaCpuPtrMaskedStore(&part, sums, at, mask);
}

void xlaCpuGemmStoreTile(XlaIr *ir, const XlaCpuGemmTiling *tiling,
                         const XlaCpuGemmTypes *types,
                         const XlaCpuGemmStore *store) {
  XlaIr rows, columns;
  MlirValue zero = xlaIrConstantIndex(ir, 0), one = xlaIrConstantIndex(ir, 1);
  MlirValue lanes = xlaIrConstantIndex(ir, tiling->lanes);
  MlirValue row = xlaCpuLoop(ir, zero, store->rows, one, &rows);
  MlirValue column = xlaCpuLoop(&rows, zero, store->columns, lanes, &columns);
  storeVector(&columns, tiling, types, store, row, column);
  xlaIrYield(&columns, 0, NULL);
  xlaIrYield(&rows, 0, NULL);
}

//===- gemm_nest.c - The blocks of a matrix product -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread's part of one product: loops of affine over blocks and tiles, and
// calls of the functions that pack blocks and that sum a tile.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/build.h"
#include "xlac/lowering/cpu/matmul/gemm.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>

enum {
  nArgs = XLA_CPU_GEMM_NEST_ARGS,
  maxPackArgs = 8 + XLA_CPU_GEMM_ORIGIN_ARGS + XLA_CPU_MATMUL_MAX_EXTRAS,
};

/// Positions [first, first + length) of rows, columns or terms.
typedef struct Block {
  MlirAffineExpr first;
  XlaAffineBound length; ///< the least of these
  MlirValue firstValue, lengthValue;
  bool isLoop;
} Block;

/// The nest under construction: the blocks around the point.
typedef struct Nest {
  const XlaCpuGemmTiling *tiling;
  const XlaCpuGemmTypes *types;
  MlirValue arg[nArgs];
  MlirValue extras[XLA_CPU_MATMUL_MAX_EXTRAS];
  char kernel[XLA_CPU_GEMM_NAME], packA[XLA_CPU_GEMM_LONG_NAME],
      packB[XLA_CPU_GEMM_LONG_NAME];
  XlaAffineNest affine;
  MlirAffineExpr m, n, k; ///< sizes of the part
  MlirValue one, mr, nr;
  Block columns, depth, rows;
  MlirValue packedDepth; ///< length of `depth` in sums
} Nest;

static MlirAffineExpr minus(MlirAffineExpr a, MlirAffineExpr b) {
  return xlaExprAdd(a, xlaExprScale(b, -1));
}

static XlaAffineBound zero(const Nest *nest) {
  return xlaAffineBoundConstant(&nest->affine, 0);
}

/// `bound - expr`, at most `size`.
static XlaAffineBound rest(const Nest *nest, XlaAffineBound bound,
                           MlirAffineExpr expr, int64_t size) {
  bound = xlaAffineBoundShift(bound, xlaExprScale(expr, -1));
  return xlaAffineBoundAnd(bound, xlaAffineConstant(&nest->affine, size));
}

/// Opens a loop over blocks of `size` of [0, n); without one where `size` is 0:
/// all is one block.
static Block openBlocks(Nest *nest, XlaIr *ir, MlirAffineExpr n, int64_t size,
                        XlaIr *body) {
  Block block = {.first = xlaAffineConstant(&nest->affine, 0),
                 .length = xlaAffineBound(n),
                 .isLoop = size != 0};
  *body = *ir;
  if (block.isLoop) {
    xlaAffineFor(&nest->affine, ir, zero(nest), xlaAffineBound(n), size, 0,
                 NULL, body, &block.first);
    block.length = rest(nest, block.length, block.first, size);
  }
  block.firstValue = xlaAffineApply(&nest->affine, body, block.first);
  block.lengthValue = xlaAffineMin(&nest->affine, body, block.length);
  return block;
}

static void closeBlocks(Nest *nest, const Block *block, XlaIr *body) {
  if (block->isLoop)
    xlaAffineClose(&nest->affine, body, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// `pointer + i * strideI + j * strideJ`.
static MlirValue at(XlaIr *ir, MlirValue pointer, MlirType element, MlirValue i,
                    MlirValue strideI, MlirValue j, MlirValue strideJ) {
  MlirValue offset =
      xlaCpuAdd(ir, xlaCpuMul(ir, i, strideI), xlaCpuMul(ir, j, strideJ));
  return xlaCpuPtrAdd(ir, pointer, element, offset);
}

/// Packed rows of A are padded so that rows of a tile lie in different sets of
/// the cache.
static MlirValue packedStride(XlaIr *ir, const Nest *nest) {
  if (nest->tiling->lhsPack == XLA_CPU_GEMM_COLUMNS)
    return nest->packedDepth;
  MlirValue padded =
      xlaCpuAdd(ir, nest->packedDepth, xlaIrConstantIndex(ir, 31));
  return xlaCpuRoundDown(ir, padded, xlaIrConstantIndex(ir, 16));
}

static void packLhs(XlaIr *ir, const Nest *nest) {
  const MlirValue *arg = nest->arg;
  if (nest->tiling->lhsPack == XLA_CPU_GEMM_DIRECT)
    return;
  MlirValue from = at(ir, arg[XLA_CPU_GEMM_A], nest->types->lhs,
                      nest->rows.firstValue, arg[XLA_CPU_GEMM_LHS_M],
                      nest->depth.firstValue, arg[XLA_CPU_GEMM_LHS_K]);
  MlirValue operands[maxPackArgs] = {from,
                                     arg[XLA_CPU_GEMM_LHS_M],
                                     arg[XLA_CPU_GEMM_LHS_K],
                                     arg[XLA_CPU_GEMM_PACKED_A],
                                     packedStride(ir, nest),
                                     nest->rows.lengthValue,
                                     nest->depth.lengthValue};
  XlaCpuGemmOrigin origin = {
      arg[XLA_CPU_GEMM_BATCH],
      xlaCpuAdd(ir, arg[XLA_CPU_GEMM_ROW], nest->rows.firstValue),
      nest->depth.firstValue, nest->extras};
  const XlaCpuMatmul *op = &nest->tiling->op;
  xlaCpuCall(ir, nest->packA,
             xlaCpuGemmOriginValues(op, &op->lhsPrologue, &origin, operands, 7),
             operands);
}

static void packPanel(XlaIr *ir, const Nest *nest, MlirValue column,
                      MlirValue columns, MlirValue target) {
  const MlirValue *arg = nest->arg;
  MlirValue first = xlaCpuAdd(ir, nest->columns.firstValue, column);
  MlirValue from =
      at(ir, arg[XLA_CPU_GEMM_B], nest->types->rhs, nest->depth.firstValue,
         arg[XLA_CPU_GEMM_RHS_K], first, arg[XLA_CPU_GEMM_RHS_N]);
  MlirValue operands[maxPackArgs] = {
      from,   arg[XLA_CPU_GEMM_RHS_K], arg[XLA_CPU_GEMM_RHS_N],
      target, nest->depth.lengthValue, columns};
  XlaCpuGemmOrigin origin = {arg[XLA_CPU_GEMM_BATCH],
                             xlaCpuAdd(ir, arg[XLA_CPU_GEMM_COLUMN], first),
                             nest->depth.firstValue, nest->extras};
  const XlaCpuMatmul *op = &nest->tiling->op;
  xlaCpuCall(ir, nest->packB,
             xlaCpuGemmOriginValues(op, &op->rhsPrologue, &origin, operands, 6),
             operands);
}

/// Where panel `column` of packed B lies.
static MlirValue panelAt(XlaIr *ir, const Nest *nest, MlirValue column) {
  return xlaCpuPtrAdd(ir, nest->arg[XLA_CPU_GEMM_PACKED_B], nest->types->sum,
                      xlaCpuMul(ir, column, nest->packedDepth));
}

/// A loop over the panels of the block of columns; `*columns` are those of a
/// panel.
static MlirAffineExpr openPanels(Nest *nest, XlaIr *ir, XlaIr *body,
                                 MlirValue *columns) {
  MlirAffineExpr j;
  xlaAffineFor(&nest->affine, ir, zero(nest), nest->columns.length,
               nest->tiling->nr, 0, NULL, body, &j);
  *columns =
      xlaAffineMin(&nest->affine, body,
                   rest(nest, nest->columns.length, j, nest->tiling->nr));
  return j;
}

/// All panels of the block of B; of one that is read in place only the last,
/// where it is narrower than a tile.
static void packRhs(XlaIr *ir, Nest *nest) {
  XlaIr body;
  MlirValue columns = nest->columns.lengthValue;
  if (nest->tiling->rhsPack == XLA_CPU_GEMM_DIRECT) {
    MlirValue whole = xlaCpuRoundDown(ir, columns, nest->nr);
    MlirValue last = xlaCpuSub(ir, columns, whole);
    MlirValue isThere = xlaIrCmpI(ir, "ne", last, xlaIrConstantIndex(ir, 0));
    xlaIrIf(ir, isThere, &body, NULL);
    packPanel(&body, nest, whole, last, nest->arg[XLA_CPU_GEMM_PACKED_B]);
    return;
  }
  MlirAffineExpr j = openPanels(nest, ir, &body, &columns);
  MlirValue column = xlaAffineApply(&nest->affine, &body, j);
  packPanel(&body, nest, column, columns, panelAt(&body, nest, column));
  xlaAffineClose(&nest->affine, &body, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// A micro-tile: column j and row i of the blocks.
typedef struct Tile {
  MlirAffineExpr i, j;
  MlirValue iValue, jValue, rows, columns;
  MlirValue b, rhsK;
} Tile;

static void callKernel(XlaIr *ir, const Nest *nest, const Tile *tile,
                       MlirValue c, MlirValue stride, MlirValue accumulate) {
  const MlirValue *arg = nest->arg;
  MlirType sum = nest->types->sum;
  MlirValue a, lhsM = arg[XLA_CPU_GEMM_LHS_M], lhsK = arg[XLA_CPU_GEMM_LHS_K];
  if (nest->tiling->lhsPack == XLA_CPU_GEMM_DIRECT) {
    MlirValue row = xlaCpuAdd(ir, nest->rows.firstValue, tile->iValue);
    a = at(ir, arg[XLA_CPU_GEMM_A], sum, row, lhsM, nest->depth.firstValue,
           lhsK);
  } else {
    bool panels = nest->tiling->lhsPack == XLA_CPU_GEMM_COLUMNS;
    MlirValue padded = packedStride(ir, nest);
    a = xlaCpuPtrAdd(ir, arg[XLA_CPU_GEMM_PACKED_A], sum,
                     xlaCpuMul(ir, tile->iValue, padded));
    lhsM = panels ? nest->one : padded;
    lhsK = panels ? nest->mr : nest->one;
  }
  MlirValue operands[] = {a,          lhsM,      lhsK,   tile->b,
                          tile->rhsK, c,         stride, nest->packedDepth,
                          tile->rows, accumulate};
  xlaCpuCall(ir, nest->kernel, 10, operands);
}

/// Whether sums are added to those of blocks of terms before: i1.
static MlirValue accumulates(XlaIr *ir, const Nest *nest) {
  MlirType i1 = mlirIntegerTypeGet(ir->context, 1);
  return nest->depth.isLoop ? xlaIrCmpI(ir, "ne", nest->depth.firstValue,
                                        xlaIrConstantIndex(ir, 0))
                            : xlaIrConstantInt(ir, i1, 0);
}

static XlaCpuGemmStore storeOf(XlaIr *ir, const Nest *nest, const Tile *tile) {
  const MlirValue *arg = nest->arg;
  MlirValue row = xlaCpuAdd(ir, nest->rows.firstValue, tile->iValue);
  MlirValue column = xlaCpuAdd(ir, nest->columns.firstValue, tile->jValue);
  return (XlaCpuGemmStore){
      .sums = arg[XLA_CPU_GEMM_SUMS],
      .sumStride = nest->nr,
      .result = at(ir, arg[XLA_CPU_GEMM_C], nest->types->result, row,
                   arg[XLA_CPU_GEMM_RESULT_M], column, nest->one),
      .resultStride = arg[XLA_CPU_GEMM_RESULT_M],
      .rows = tile->rows,
      .columns = tile->columns,
      .batch = arg[XLA_CPU_GEMM_BATCH],
      .row = xlaCpuAdd(ir, arg[XLA_CPU_GEMM_ROW], row),
      .column = xlaCpuAdd(ir, arg[XLA_CPU_GEMM_COLUMN], column),
      .extras = nest->extras};
}

/// Whole tiles go straight to C, others through scratch.
static void plainTile(XlaIr *ir, const Nest *nest, const Tile *tile) {
  XlaIr whole, part;
  XlaCpuGemmStore store = storeOf(ir, nest, tile);
  MlirValue accumulate = accumulates(ir, nest);
  MlirAffineExpr left[2] = {
      xlaExprShift(minus(minus(nest->m, nest->rows.first), tile->i),
                   -nest->tiling->mr),
      xlaExprShift(minus(minus(nest->n, nest->columns.first), tile->j),
                   -nest->tiling->nr)};
  xlaAffineIf(&nest->affine, ir, 2, left, &whole, &part);
  callKernel(&whole, nest, tile, store.result, store.resultStride, accumulate);
  MlirType i1 = mlirIntegerTypeGet(ir->context, 1);
  callKernel(&part, nest, tile, store.sums, store.sumStride,
             xlaIrConstantInt(&part, i1, 0));
  if (nest->depth.isLoop)
    store.accumulate = accumulate;
  xlaCpuGemmStoreTile(&part, nest->tiling, nest->types, &store);
}

/// Every tile goes to scratch; after the last block of k it is finished. With
/// several blocks each tile of the thread's rows has a place of its own.
static void heldTile(XlaIr *ir, const Nest *nest, const Tile *tile) {
  XlaCpuGemmStore store = storeOf(ir, nest, tile);
  XlaIr finish = *ir;
  if (nest->tiling->blocked) {
    MlirValue place = xlaAffineApply(
        &nest->affine, ir,
        xlaExprAdd(xlaExprScale(xlaExprAdd(nest->rows.first, tile->i),
                                nest->tiling->nc),
                   xlaExprScale(tile->j, nest->tiling->mr)));
    store.sums = xlaCpuPtrAdd(ir, store.sums, nest->types->sum, place);
  }
  callKernel(ir, nest, tile, store.sums, store.sumStride,
             accumulates(ir, nest));
  if (nest->depth.isLoop) {
    MlirAffineExpr isLast =
        xlaExprShift(minus(nest->depth.first, nest->k), nest->tiling->kc);
    xlaAffineIf(&nest->affine, ir, 1, &isLast, &finish, NULL);
  }
  xlaCpuGemmStoreTile(&finish, nest->tiling, nest->types, &store);
}

/// Where panel j of B lies, and its stride.
static void findPanel(XlaIr *ir, const Nest *nest, Tile *tile) {
  const MlirValue *arg = nest->arg;
  if (nest->tiling->rhsPack != XLA_CPU_GEMM_DIRECT) {
    tile->b = panelAt(ir, nest, tile->jValue);
    tile->rhsK = nest->nr;
    return;
  }
  MlirValue isWhole = xlaIrCmpI(ir, "eq", tile->columns, nest->nr);
  MlirValue direct =
      at(ir, arg[XLA_CPU_GEMM_B], nest->types->sum, nest->depth.firstValue,
         arg[XLA_CPU_GEMM_RHS_K],
         xlaCpuAdd(ir, nest->columns.firstValue, tile->jValue), nest->one);
  tile->b = xlaIrSelect(ir, isWhole, direct, arg[XLA_CPU_GEMM_PACKED_B]);
  tile->rhsK = xlaIrSelect(ir, isWhole, arg[XLA_CPU_GEMM_RHS_K], nest->nr);
}

/// jr and ir: the tiles of a block of C.
static void tiles(XlaIr *ir, Nest *nest) {
  XlaIr panels, body;
  Tile tile;
  tile.j = openPanels(nest, ir, &panels, &tile.columns);
  tile.jValue = xlaAffineApply(&nest->affine, &panels, tile.j);
  findPanel(&panels, nest, &tile);
  xlaAffineFor(&nest->affine, &panels, zero(nest), nest->rows.length,
               nest->tiling->mr, 0, NULL, &body, &tile.i);
  tile.iValue = xlaAffineApply(&nest->affine, &body, tile.i);
  tile.rows =
      xlaAffineMin(&nest->affine, &body,
                   rest(nest, nest->rows.length, tile.i, nest->tiling->mr));
  if (nest->tiling->finish)
    heldTile(&body, nest, &tile);
  else
    plainTile(&body, nest, &tile);
  xlaAffineClose(&nest->affine, &body, 0, NULL);
  xlaAffineClose(&nest->affine, &panels, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Of the most rows and columns that a thread has; 0 where one block takes all.
static int64_t blockOf(int64_t n, int64_t size) { return n > size ? size : 0; }

static int64_t rowBlock(const XlaCpuGemmTiling *tiling) {
  return blockOf(tiling->split == XLA_CPU_GEMM_SPLIT_M ? tiling->chunk
                                                       : tiling->op.m,
                 tiling->mc);
}

static int64_t columnBlock(const XlaCpuGemmTiling *tiling) {
  return blockOf(tiling->split == XLA_CPU_GEMM_SPLIT_N ? tiling->chunk
                                                       : tiling->op.n,
                 tiling->nc);
}

/// jc, pc and ic. An empty sum is zero: without a loop over k its one block is
/// empty.
static void blocks(XlaIr *ir, Nest *nest) {
  const XlaCpuGemmTiling *tiling = nest->tiling;
  XlaIr columns, depth, rows;
  nest->columns = openBlocks(nest, ir, nest->n, columnBlock(tiling), &columns);
  nest->depth = openBlocks(nest, &columns, nest->k,
                           blockOf(tiling->op.k, tiling->kc), &depth);
  nest->packedDepth =
      xlaCpuGemmPackedDepth(&depth, nest->types, nest->depth.lengthValue);
  packRhs(&depth, nest);
  nest->rows = openBlocks(nest, &depth, nest->m, rowBlock(tiling), &rows);
  packLhs(&rows, nest);
  tiles(&rows, nest);
  closeBlocks(nest, &nest->rows, &rows);
  closeBlocks(nest, &nest->depth, &depth);
  closeBlocks(nest, &nest->columns, &columns);
}

static const char *const packLetters = "drcs"; // by XlaCpuGemmPack

static bool isOwn(const XlaCpuMatmul *op) {
  return op->epilogue || op->lhsPrologue.compute || op->rhsPrologue.compute;
}

/// A nest without epilogue and prologues is shared by all products of its
/// types, packing and blocks.
static void nameOf(const XlaCpuGemmTiling *tiling, const XlaCpuGemmTypes *types,
                   const char *user, char name[XLA_CPU_GEMM_LONG_NAME]) {
  char result[32] = "";
  int64_t bits = 8 * xlaCpuGemmTypeBytes(types->result);
  if (tiling->finish)
    snprintf(result, sizeof result, ".%s%d",
             mlirTypeIsABF16(types->result) ? "b" : "", (int)bits);
  if (tiling->blocked)
    snprintf(result, sizeof result, ".%s%dk%d",
             mlirTypeIsABF16(types->result) ? "b" : "", (int)bits,
             (int)tiling->nc);
  if (isOwn(&tiling->op))
    snprintf(name, XLA_CPU_GEMM_LONG_NAME, "%s.nest", user);
  else
    snprintf(name, XLA_CPU_GEMM_LONG_NAME,
             "xla.gemm.%s.%s.%s%s.%c%c.%d.%dx%dx%d", types->lhsName,
             types->rhsName, types->sumName, result,
             packLetters[tiling->lhsPack], packLetters[tiling->rhsPack],
             (int)tiling->nr, (int)rowBlock(tiling), (int)columnBlock(tiling),
             (int)blockOf(tiling->op.k, tiling->kc));
}

void xlaCpuGemmNest(MlirBlock module, MlirLocation location,
                    const XlaCpuGemmTiling *tiling,
                    const XlaCpuGemmTypes *types, const char *user,
                    char name[XLA_CPU_GEMM_LONG_NAME]) {
  MlirType p = xlaCpuPtrType(types->context),
           n = mlirIndexTypeGet(types->context);
  intptr_t count = nArgs + tiling->op.nExtras;
  MlirType inputs[nArgs + XLA_CPU_MATMUL_MAX_EXTRAS];
  for (int i = 0; i < nArgs; ++i)
    inputs[i] = i < XLA_CPU_GEMM_NEST_POINTERS ? p : n;
  for (intptr_t i = 0; i < tiling->op.nExtras; ++i)
    inputs[nArgs + i] = tiling->op.extras[i];
  Nest nest = {
      .tiling = tiling, .types = types, .affine = {.context = types->context}};
  nameOf(tiling, types, user, name);
  xlaCpuGemmKernel(module, location, tiling, types, nest.kernel);
  if (tiling->lhsPack != XLA_CPU_GEMM_DIRECT)
    xlaCpuGemmPackLhs(module, location, tiling, types, user, nest.packA);
  xlaCpuGemmPackRhs(module, location, tiling, types, user, nest.packB);
  XlaIr ir;
  if (!xlaCpuBeginFunction(module, location, name, count, inputs, &ir))
    return;
  for (int i = 0; i < nArgs; ++i)
    nest.arg[i] = mlirBlockGetArgument(ir.block, i);
  for (intptr_t i = 0; i < tiling->op.nExtras; ++i)
    nest.extras[i] = mlirBlockGetArgument(ir.block, nArgs + i);
  nest.m = xlaAffineDim(&nest.affine, nest.arg[XLA_CPU_GEMM_M]);
  nest.n = xlaAffineDim(&nest.affine, nest.arg[XLA_CPU_GEMM_N]);
  nest.k = xlaAffineDim(&nest.affine, nest.arg[XLA_CPU_GEMM_K]);
  nest.one = xlaIrConstantIndex(&ir, 1);
  nest.mr = xlaIrConstantIndex(&ir, tiling->mr);
  nest.nr = xlaIrConstantIndex(&ir, tiling->nr);
  blocks(&ir, &nest);
  xlaCpuReturn(&ir);
}

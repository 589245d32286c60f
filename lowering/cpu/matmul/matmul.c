//===- matmul.c - Matrix products on the CPU ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/gemm.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The loop nest: one thread's part of one product
//===----------------------------------------------------------------------===//

/// Arguments of the nest function, in order; extras follow.
enum {
  argA,
  argLhsM,
  argLhsK,
  argB,
  argRhsK,
  argRhsN,
  argC,
  argResultM,
  argM,
  argN,
  argK,
  argMc,
  argNc,
  argKc,
  argSums,
  argPackedA,
  argPackedB,
  argBatch,
  argRow,
  argColumn, // of the part's first element
  nestArgs
};

/// The nest under construction: values of the loops around the point.
typedef struct Nest {
  const XlaCpuGemmTiling *tiling;
  const XlaCpuGemmTypes *types;
  MlirValue arg[nestArgs];
  MlirValue *extras;
  char kernel[XLA_CPU_GEMM_NAME], packA[XLA_CPU_GEMM_NAME],
      packB[XLA_CPU_GEMM_NAME];
  MlirValue zero, one, mr, nr;
  MlirValue column, columns, k, depth, row, rows; ///< blocks: jc, pc, ic
  MlirValue packedDepth;                          ///< `depth` in sums
  MlirValue first, last;                          ///< block of k: i1
} Nest;

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
  MlirValue padded = xlaCpuAdd(ir, nest->packedDepth, xlaCpuI64(ir, 31));
  return xlaCpuRoundDown(ir, padded, xlaCpuI64(ir, 16));
}

static void packLhs(XlaIr *ir, const Nest *nest) {
  const MlirValue *arg = nest->arg;
  if (nest->tiling->lhsPack == XLA_CPU_GEMM_DIRECT)
    return;
  MlirValue from = at(ir, arg[argA], nest->types->lhs, nest->row, arg[argLhsM],
                      nest->k, arg[argLhsK]);
  MlirValue operands[] = {from,
                          arg[argLhsM],
                          arg[argLhsK],
                          arg[argPackedA],
                          packedStride(ir, nest),
                          nest->rows,
                          nest->depth};
  xlaCpuCall(ir, nest->packA, 7, operands);
}

static void packPanel(XlaIr *ir, const Nest *nest, MlirValue column,
                      MlirValue columns, MlirValue target) {
  const MlirValue *arg = nest->arg;
  MlirValue from = at(ir, arg[argB], nest->types->rhs, nest->k, arg[argRhsK],
                      xlaCpuAdd(ir, nest->column, column), arg[argRhsN]);
  MlirValue operands[] = {from,   arg[argRhsK], arg[argRhsN],
                          target, nest->depth,  columns};
  xlaCpuCall(ir, nest->packB, 6, operands);
}

/// All panels of the block of B; of one that is read in place only the last,
/// where it is narrower than a tile.
static void packRhs(XlaIr *ir, const Nest *nest) {
  XlaIr body;
  if (nest->tiling->rhsPack == XLA_CPU_GEMM_DIRECT) {
    MlirValue whole = xlaCpuRoundDown(ir, nest->columns, nest->nr);
    MlirValue rest = xlaCpuSub(ir, nest->columns, whole);
    xlaIrIf(ir, xlaIrCmpI(ir, "ne", rest, nest->zero), &body, NULL);
    packPanel(&body, nest, whole, rest, nest->arg[argPackedB]);
    return;
  }
  MlirValue j = xlaCpuLoop(ir, nest->zero, nest->columns, nest->nr, &body);
  MlirValue columns = xlaCpuSub(&body, nest->columns, j);
  columns = xlaCpuMin(&body, columns, nest->nr);
  MlirValue target =
      xlaCpuPtrAdd(&body, nest->arg[argPackedB], nest->types->sum,
                   xlaCpuMul(&body, j, nest->packedDepth));
  packPanel(&body, nest, j, columns, target);
  xlaIrYield(&body, 0, NULL);
}

/// A micro-tile: column j and row i of the blocks.
typedef struct Tile {
  MlirValue i, j, rows, columns, whole;
  MlirValue b, rhsK;
} Tile;

static void callKernel(XlaIr *ir, const Nest *nest, const Tile *tile,
                       MlirValue c, MlirValue stride, MlirValue accumulate) {
  const MlirValue *arg = nest->arg;
  MlirType sum = nest->types->sum;
  MlirValue a, lhsM = arg[argLhsM], lhsK = arg[argLhsK];
  if (nest->tiling->lhsPack == XLA_CPU_GEMM_DIRECT) {
    a = at(ir, arg[argA], sum, xlaCpuAdd(ir, nest->row, tile->i), lhsM, nest->k,
           lhsK);
  } else {
    bool panels = nest->tiling->lhsPack == XLA_CPU_GEMM_COLUMNS;
    MlirValue padded = packedStride(ir, nest);
    a = xlaCpuPtrAdd(ir, arg[argPackedA], sum, xlaCpuMul(ir, tile->i, padded));
    lhsM = panels ? nest->one : padded;
    lhsK = panels ? nest->mr : nest->one;
  }
  MlirValue operands[] = {a,          lhsM,      lhsK,   tile->b,
                          tile->rhsK, c,         stride, nest->packedDepth,
                          tile->rows, accumulate};
  xlaCpuCall(ir, nest->kernel, 10, operands);
}

static MlirValue constantI1(XlaIr *ir, bool value) {
  return xlaIrConstantInt(ir, mlirIntegerTypeGet(ir->context, 1), value);
}

static XlaCpuGemmStore storeOf(XlaIr *ir, const Nest *nest, const Tile *tile) {
  const MlirValue *arg = nest->arg;
  MlirValue row = xlaCpuAdd(ir, nest->row, tile->i);
  MlirValue column = xlaCpuAdd(ir, nest->column, tile->j);
  return (XlaCpuGemmStore){.sums = arg[argSums],
                           .sumStride = nest->nr,
                           .result = at(ir, arg[argC], nest->types->result, row,
                                        arg[argResultM], column, nest->one),
                           .resultStride = arg[argResultM],
                           .rows = tile->rows,
                           .columns = tile->columns,
                           .batch = arg[argBatch],
                           .row = xlaCpuAdd(ir, arg[argRow], row),
                           .column = xlaCpuAdd(ir, arg[argColumn], column),
                           .extras = nest->extras};
}

/// Whole tiles go straight to C, others through scratch.
static void plainTile(XlaIr *ir, const Nest *nest, const Tile *tile) {
  XlaIr whole, part;
  XlaCpuGemmStore store = storeOf(ir, nest, tile);
  MlirValue accumulate =
      xlaIrBinary(ir, "arith.xori", nest->first, constantI1(ir, true));
  xlaIrIf(ir, tile->whole, &whole, &part);
  callKernel(&whole, nest, tile, store.result, store.resultStride, accumulate);
  callKernel(&part, nest, tile, store.sums, store.sumStride,
             constantI1(&part, false));
  store.accumulate = accumulate;
  xlaCpuGemmStoreTile(&part, nest->tiling, nest->types, &store);
}

/// Every tile goes to scratch; after the last block of k it is finished. With
/// several blocks each tile of the thread's rows has a place of its own.
static void heldTile(XlaIr *ir, const Nest *nest, const Tile *tile) {
  XlaCpuGemmStore store = storeOf(ir, nest, tile);
  MlirValue accumulate = constantI1(ir, false);
  if (nest->tiling->blocked) {
    MlirValue perRow = nest->arg[argNc];
    MlirValue row = xlaCpuAdd(ir, nest->row, tile->i);
    MlirValue place = xlaCpuAdd(ir, xlaCpuMul(ir, row, perRow),
                                xlaCpuMul(ir, tile->j, nest->mr));
    store.sums = xlaCpuPtrAdd(ir, store.sums, nest->types->sum, place);
    accumulate =
        xlaIrBinary(ir, "arith.xori", nest->first, constantI1(ir, true));
  }
  callKernel(ir, nest, tile, store.sums, store.sumStride, accumulate);
  XlaIr finish;
  xlaIrIf(ir, nest->last, &finish, NULL);
  xlaCpuGemmStoreTile(&finish, nest->tiling, nest->types, &store);
}

/// Where panel j of B lies, and its stride.
static void findPanel(XlaIr *ir, const Nest *nest, Tile *tile,
                      MlirValue isWhole) {
  const MlirValue *arg = nest->arg;
  MlirType sum = nest->types->sum;
  if (nest->tiling->rhsPack != XLA_CPU_GEMM_DIRECT) {
    tile->b = xlaCpuPtrAdd(ir, arg[argPackedB], sum,
                           xlaCpuMul(ir, tile->j, nest->packedDepth));
    tile->rhsK = nest->nr;
    return;
  }
  MlirValue direct = at(ir, arg[argB], sum, nest->k, arg[argRhsK],
                        xlaCpuAdd(ir, nest->column, tile->j), nest->one);
  tile->b = xlaIrSelect(ir, isWhole, direct, arg[argPackedB]);
  tile->rhsK = xlaIrSelect(ir, isWhole, arg[argRhsK], nest->nr);
}

/// jr and ir: the tiles of a block of C.
static void tiles(XlaIr *ir, const Nest *nest) {
  XlaIr panels, body;
  Tile tile = {
      .j = xlaCpuLoop(ir, nest->zero, nest->columns, nest->nr, &panels)};
  MlirValue rest = xlaCpuSub(&panels, nest->columns, tile.j);
  MlirValue wholeN = xlaIrCmpI(&panels, "sge", rest, nest->nr);
  tile.columns = xlaCpuMin(&panels, rest, nest->nr);
  findPanel(&panels, nest, &tile, wholeN);
  tile.i = xlaCpuLoop(&panels, nest->zero, nest->rows, nest->mr, &body);
  rest = xlaCpuSub(&body, nest->rows, tile.i);
  MlirValue wholeM = xlaIrCmpI(&body, "sge", rest, nest->mr);
  tile.rows = xlaCpuMin(&body, rest, nest->mr);
  tile.whole = xlaIrBinary(&body, "arith.andi", wholeM, wholeN);
  if (nest->tiling->finish)
    heldTile(&body, nest, &tile);
  else
    plainTile(&body, nest, &tile);
  xlaIrYield(&body, 0, NULL);
  xlaIrYield(&panels, 0, NULL);
}

/// jc, pc and ic. The loop over k runs once at least: an empty sum is zero.
static void blocks(XlaIr *ir, Nest *nest) {
  const MlirValue *arg = nest->arg;
  XlaIr columns, depth, rows;
  MlirValue end = xlaCpuMax(ir, arg[argK], nest->one);
  nest->column = xlaCpuLoop(ir, nest->zero, arg[argN], arg[argNc], &columns);
  nest->columns = xlaCpuSub(&columns, arg[argN], nest->column);
  nest->columns = xlaCpuMin(&columns, nest->columns, arg[argNc]);
  nest->k = xlaCpuLoop(&columns, nest->zero, end, arg[argKc], &depth);
  MlirValue rest = xlaCpuSub(&depth, arg[argK], nest->k);
  nest->depth = xlaCpuMin(&depth, rest, arg[argKc]);
  nest->packedDepth = xlaCpuGemmPackedDepth(&depth, nest->types, nest->depth);
  nest->first = xlaIrCmpI(&depth, "eq", nest->k, nest->zero);
  nest->last = xlaIrCmpI(&depth, "sle", rest, arg[argKc]);
  packRhs(&depth, nest);
  nest->row = xlaCpuLoop(&depth, nest->zero, arg[argM], arg[argMc], &rows);
  nest->rows = xlaCpuSub(&rows, arg[argM], nest->row);
  nest->rows = xlaCpuMin(&rows, nest->rows, arg[argMc]);
  packLhs(&rows, nest);
  tiles(&rows, nest);
  xlaIrYield(&rows, 0, NULL);
  xlaIrYield(&depth, 0, NULL);
  xlaIrYield(&columns, 0, NULL);
}

static const char *const packLetters = "drcs"; // by XlaCpuGemmPack

enum { nameBytes = 256 };

/// A nest without epilogue is shared by all products of its types and packing.
static void nestName(const XlaCpuGemmTiling *tiling,
                     const XlaCpuGemmTypes *types, const char *user,
                     char *name) {
  char result[16] = "";
  int64_t bits = 8 * xlaCpuGemmTypeBytes(types->result);
  if (tiling->finish)
    snprintf(result, sizeof result, ".%s%d%s",
             mlirTypeIsABF16(types->result) ? "b" : "", (int)bits,
             tiling->blocked ? "k" : "");
  if (tiling->op.epilogue)
    snprintf(name, nameBytes, "%s.nest", user);
  else
    snprintf(name, nameBytes, "xla.gemm.%s.%s.%s%s.%c%c.%d", types->lhsName,
             types->rhsName, types->sumName, result,
             packLetters[tiling->lhsPack], packLetters[tiling->rhsPack],
             (int)tiling->nr);
}

static void emitNest(MlirBlock module, MlirLocation location,
                     const XlaCpuGemmTiling *tiling,
                     const XlaCpuGemmTypes *types, const char *name) {
  MlirType p = xlaCpuPtrType(types->context), n = xlaCpuI64Type(types->context);
  intptr_t count = nestArgs + tiling->op.nExtras;
  MlirType inputs[nestArgs + XLA_CPU_MATMUL_MAX_EXTRAS];
  MlirValue extras[XLA_CPU_MATMUL_MAX_EXTRAS];
  for (int i = 0; i < nestArgs; ++i)
    inputs[i] = i == argA || i == argB || i == argC || i == argSums ||
                        i == argPackedA || i == argPackedB
                    ? p
                    : n;
  for (intptr_t i = 0; i < tiling->op.nExtras; ++i)
    inputs[nestArgs + i] = tiling->op.extras[i];
  Nest nest = {.tiling = tiling, .types = types, .extras = extras};
  xlaCpuGemmKernel(module, location, tiling, types, nest.kernel);
  if (tiling->lhsPack != XLA_CPU_GEMM_DIRECT)
    xlaCpuGemmPackLhs(module, location, tiling, types, nest.packA);
  xlaCpuGemmPackRhs(module, location, tiling, types, nest.packB);
  XlaIr ir;
  if (xlaCpuBeginFunction(module, location, name, count, inputs, &ir)) {
    for (int i = 0; i < nestArgs; ++i)
      nest.arg[i] = mlirBlockGetArgument(ir.block, i);
    for (intptr_t i = 0; i < tiling->op.nExtras; ++i)
      extras[i] = mlirBlockGetArgument(ir.block, nestArgs + i);
    nest.zero = xlaCpuI64(&ir, 0);
    nest.one = xlaCpuI64(&ir, 1);
    nest.mr = xlaCpuI64(&ir, tiling->mr);
    nest.nr = xlaCpuI64(&ir, tiling->nr);
    blocks(&ir, &nest);
    xlaCpuReturn(&ir);
  }
}

//===----------------------------------------------------------------------===//
// The product's own function: batches and threads
//===----------------------------------------------------------------------===//

typedef struct Product {
  const XlaCpuGemmTiling *tiling;
  const XlaCpuGemmTypes *types;
  const char *callee;
  MlirValue lhs, rhs, result; ///< pointers
  MlirValue slab;             ///< the thread's scratch
  MlirValue *extras;
} Product;

/// The element offset of batch element `batch`, an i64.
static MlirValue batchOffset(XlaIr *ir, const Product *product, MlirValue batch,
                             const int64_t *strides) {
  const XlaCpuMatmul *op = &product->tiling->op;
  MlirValue offset = xlaCpuI64(ir, 0);
  for (intptr_t i = op->batchRank; i-- > 0;) {
    MlirValue size = xlaCpuI64(ir, op->batch[i]);
    MlirValue index = i ? xlaCpuRem(ir, batch, size) : batch;
    batch = i ? xlaCpuDiv(ir, batch, size) : batch;
    index = xlaCpuMul(ir, index, xlaCpuI64(ir, strides[i]));
    offset = xlaCpuAdd(ir, offset, index);
  }
  return offset;
}

/// Rows [row, row + rows) and columns [column, column + columns) of a batch
/// element.
typedef struct Part {
  MlirValue batch, row, rows, column, columns;
} Part;

static MlirValue slabAt(XlaIr *ir, const Product *product, int64_t bytes) {
  return xlaCpuPtrAdd(ir, product->slab, mlirIntegerTypeGet(ir->context, 8),
                      xlaCpuI64(ir, bytes));
}

static void callNest(XlaIr *ir, const Product *product, const Part *part,
                     MlirValue a, MlirValue b, MlirValue c) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  const XlaCpuMatmul *op = &tiling->op;
  intptr_t count = nestArgs + op->nExtras;
  MlirValue arg[nestArgs + XLA_CPU_MATMUL_MAX_EXTRAS];
  arg[argA] = a;
  arg[argLhsM] = xlaCpuI64(ir, op->lhsM);
  arg[argLhsK] = xlaCpuI64(ir, op->lhsK);
  arg[argB] = b;
  arg[argRhsK] = xlaCpuI64(ir, op->rhsK);
  arg[argRhsN] = xlaCpuI64(ir, op->rhsN);
  arg[argC] = c;
  arg[argResultM] = xlaCpuI64(ir, op->resultM);
  arg[argM] = part->rows;
  arg[argN] = part->columns;
  arg[argK] = xlaCpuI64(ir, op->k);
  arg[argMc] = xlaCpuI64(ir, tiling->mc);
  arg[argNc] = xlaCpuI64(ir, tiling->nc);
  arg[argKc] = xlaCpuI64(ir, tiling->kc);
  arg[argSums] = product->slab;
  arg[argPackedA] = slabAt(ir, product, tiling->sumBytes);
  arg[argPackedB] = slabAt(ir, product, tiling->sumBytes + tiling->lhsBytes);
  arg[argBatch] = part->batch;
  arg[argRow] = part->row;
  arg[argColumn] = part->column;
  for (intptr_t i = 0; i < op->nExtras; ++i)
    arg[nestArgs + i] = product->extras[i];
  xlaCpuCall(ir, product->callee, count, arg);
}

static void callVector(XlaIr *ir, const Product *product, const Part *part,
                       MlirValue a, MlirValue b, MlirValue c) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  const XlaCpuMatmul *op = &tiling->op;
  bool rows = tiling->path == XLA_CPU_GEMM_VECTOR_ROWS;
  MlirValue sums = tiling->finish ? product->slab : c;
  int64_t held = (op->n + tiling->nr - 1) / tiling->nr * tiling->nr;
  MlirValue sumStride = xlaCpuI64(ir, tiling->finish ? held : op->resultM);
  MlirValue operands[] = {a,
                          xlaCpuI64(ir, op->lhsM),
                          xlaCpuI64(ir, op->lhsK),
                          b,
                          xlaCpuI64(ir, rows ? op->rhsK : op->rhsN),
                          sums,
                          sumStride,
                          part->columns,
                          xlaCpuI64(ir, op->k)};
  xlaCpuCall(ir, product->callee, 9, operands);
  if (!tiling->finish)
    return;
  XlaCpuGemmStore store = {.sums = sums,
                           .sumStride = sumStride,
                           .result = c,
                           .resultStride = xlaCpuI64(ir, op->resultM),
                           .rows = part->rows,
                           .columns = part->columns,
                           .batch = part->batch,
                           .row = part->row,
                           .column = part->column,
                           .extras = product->extras};
  xlaCpuGemmStoreTile(ir, tiling, product->types, &store);
}

static void callPart(XlaIr *ir, const Product *product, const Part *part) {
  const XlaCpuMatmul *op = &product->tiling->op;
  const XlaCpuGemmTypes *types = product->types;
  MlirValue rowOffset = xlaCpuMul(ir, part->row, xlaCpuI64(ir, op->lhsM));
  MlirValue offset = batchOffset(ir, product, part->batch, op->lhsBatch);
  MlirValue a = xlaCpuPtrAdd(ir, product->lhs, types->lhs,
                             xlaCpuAdd(ir, offset, rowOffset));
  MlirValue columnOffset = xlaCpuMul(ir, part->column, xlaCpuI64(ir, op->rhsN));
  offset = batchOffset(ir, product, part->batch, op->rhsBatch);
  MlirValue b = xlaCpuPtrAdd(ir, product->rhs, types->rhs,
                             xlaCpuAdd(ir, offset, columnOffset));
  offset = batchOffset(ir, product, part->batch, op->resultBatch);
  rowOffset = xlaCpuMul(ir, part->row, xlaCpuI64(ir, op->resultM));
  offset = xlaCpuAdd(ir, xlaCpuAdd(ir, offset, rowOffset), part->column);
  MlirValue c = xlaCpuPtrAdd(ir, product->result, types->result, offset);
  if (product->tiling->path == XLA_CPU_GEMM_NEST)
    callNest(ir, product, part, a, b, c);
  else
    callVector(ir, product, part, a, b, c);
}

/// Thread `thread`'s share, one batch element after the other.
static void share(XlaIr *ir, Product *product, MlirValue scratch,
                  MlirValue thread) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  const XlaCpuMatmul *op = &tiling->op;
  MlirValue zero = xlaCpuI64(ir, 0), one = xlaCpuI64(ir, 1);
  MlirValue bytes = xlaCpuMul(ir, thread, xlaCpuI64(ir, tiling->slabBytes));
  product->slab =
      xlaCpuPtrAdd(ir, scratch, mlirIntegerTypeGet(ir->context, 8), bytes);
  MlirValue chunk = xlaCpuI64(ir, tiling->chunk);
  MlirValue begin = xlaCpuMul(ir, thread, chunk);
  MlirValue batch = zero, batches = xlaCpuI64(ir, tiling->batches);
  Part part = {.row = zero,
               .rows = xlaCpuI64(ir, op->m),
               .column = zero,
               .columns = xlaCpuI64(ir, op->n)};
  if (tiling->split == XLA_CPU_GEMM_SPLIT_BATCH) {
    batch = begin;
    batches = xlaCpuMin(ir, xlaCpuAdd(ir, begin, chunk), batches);
  } else if (tiling->split == XLA_CPU_GEMM_SPLIT_N) {
    part.column = begin;
    part.columns = xlaCpuMin(ir, xlaCpuSub(ir, part.columns, begin), chunk);
  } else {
    part.row = begin;
    part.rows = xlaCpuMin(ir, xlaCpuSub(ir, part.rows, begin), chunk);
  }
  XlaIr body;
  part.batch = xlaCpuLoop(ir, batch, batches, one, &body);
  callPart(&body, product, &part);
  xlaIrYield(&body, 0, NULL);
}

/// scf.parallel over the threads; gives the thread's number as i64.
static MlirValue beginParallel(XlaIr *ir, int threads, XlaIr *body) {
  MlirValue operands[] = {xlaIrConstantIndex(ir, 0),
                          xlaIrConstantIndex(ir, threads),
                          xlaIrConstantIndex(ir, 1)};
  const int32_t segments[] = {1, 1, 1, 0};
  XlaIrAttr attr = {"operandSegmentSizes",
                    mlirDenseI32ArrayGet(ir->context, 4, segments)};
  MlirRegion region = mlirRegionCreate();
  MlirType index = mlirIndexTypeGet(ir->context);
  MlirBlock block = mlirBlockCreate(1, &index, &ir->location);
  mlirRegionAppendOwnedBlock(region, block);
  xlaIrCreate(ir, "scf.parallel", 3, operands, 0, NULL, 1, &attr, 1, &region);
  *body = xlaIrIn(*ir, block);
  xlaIrCreate(body, "scf.reduce", 0, NULL, 0, NULL, 0, NULL, 0, NULL);
  body->before = mlirBlockGetTerminator(block);
  return xlaIrCast(body, "arith.index_cast", mlirBlockGetArgument(block, 0),
                   xlaCpuI64Type(ir->context));
}

static void emitProduct(XlaIr *ir, Product *product) {
  const XlaCpuGemmTiling *tiling = product->tiling;
  MlirValue lhs = mlirBlockGetArgument(ir->block, tiling->transposed ? 1 : 0);
  MlirValue rhs = mlirBlockGetArgument(ir->block, tiling->transposed ? 0 : 1);
  product->lhs = xlaCpuPtrOfMemRef(ir, lhs);
  product->rhs = xlaCpuPtrOfMemRef(ir, rhs);
  product->result = xlaCpuPtrOfMemRef(ir, mlirBlockGetArgument(ir->block, 2));
  MlirValue scratch = xlaCpuPtrOfMemRef(ir, mlirBlockGetArgument(ir->block, 3));
  for (intptr_t i = 0; i < tiling->op.nExtras; ++i)
    product->extras[i] = mlirBlockGetArgument(ir->block, 4 + i);
  if (tiling->threads == 1) {
    share(ir, product, scratch, xlaCpuI64(ir, 0));
    return;
  }
  XlaIr body;
  MlirValue thread = beginParallel(ir, tiling->threads, &body);
  share(&body, product, scratch, thread);
}

void xlaCpuMatmulEmit(const XlaCpuMatmul *matmul, const XlaCpuTarget *target,
                      MlirBlock moduleBody, MlirLocation location,
                      const char *name) {
  XlaCpuGemmTiling tiling = xlaCpuGemmTiling(matmul, target);
  XlaCpuGemmTypes types = xlaCpuGemmTypes(&tiling.op, target);
  char nest[nameBytes] = "", vector[XLA_CPU_GEMM_NAME] = "";
  bool empty = !tiling.batches || !matmul->m || !matmul->n;
  if (!empty && tiling.path == XLA_CPU_GEMM_NEST) {
    nestName(&tiling, &types, name, nest);
    emitNest(moduleBody, location, &tiling, &types, nest);
  } else if (!empty) {
    xlaCpuGemmVectorKernel(moduleBody, location, &tiling, &types, vector);
  }
  intptr_t count = 4 + matmul->nExtras;
  MlirType inputs[4 + XLA_CPU_MATMUL_MAX_EXTRAS];
  MlirValue extras[XLA_CPU_MATMUL_MAX_EXTRAS];
  int64_t bytes = tiling.slabBytes * tiling.threads;
  inputs[0] = matmul->lhs;
  inputs[1] = matmul->rhs;
  inputs[2] = matmul->result;
  inputs[3] = mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(types.context, 8),
                                          1, &bytes, mlirAttributeGetNull());
  for (intptr_t i = 0; i < matmul->nExtras; ++i)
    inputs[4 + i] = matmul->extras[i];
  XlaIr ir;
  if (xlaCpuBeginFunction(moduleBody, location, name, count, inputs, &ir)) {
    Product product = {.tiling = &tiling,
                       .types = &types,
                       .callee = *nest ? nest : vector,
                       .extras = extras};
    if (!empty)
      emitProduct(&ir, &product);
    xlaCpuReturn(&ir);
  }
}

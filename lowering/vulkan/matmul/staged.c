//===- staged.c - Sums of operands in workgroup memory --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A turn copies a block of `step` terms of all rows and columns of the
// workgroup's tile, term by term, so that threads side by side read memory
// banks side by side: columns next to each other, and the same element of the
// lhs. Copies follow the operand's own order; where that is along the terms,
// the block's rows are padded, or all writes would hit few banks.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

enum {
  maxTile = XLA_VULKAN_MATMUL_MAX_TILE,
  maxCopies = XLA_MATMUL_MAX_COPIES,
  banks = 32
};

/// A block of an operand and a thread's part in copying it.
typedef struct Block {
  MatmulArray array;
  const MatmulTiles *tiles;
  MlirValue memory;
  int64_t pitch; ///< from a term to the next in `memory`
  intptr_t nCopies;
  MatmulPlace from[maxCopies];    ///< without the term
  MlirAffineExpr term[maxCopies]; ///< in the block
  MlirAffineExpr to[maxCopies];
} Block;

typedef struct Blocks {
  Block lhs, rhs;
} Blocks;

static int64_t strideOfTerms(const XlaVulkanMatmul *op, MatmulArray side) {
  const XlaContractionDims *terms = &op->contraction.terms;
  return terms->n
             ? xlaMatmulStride(&terms->dims[0], xlaMatmulMainArray(op, side))
             : 1;
}

/// From a term to the next in a block of `tile` rows or columns.
static int64_t pitchOf(const XlaVulkanMatmul *op, MatmulArray array,
                       int64_t tile, int64_t step) {
  if (strideOfTerms(op, array) != 1 || step == 1)
    return tile;
  return tile + (step < banks ? banks / step : 1);
}

int64_t xlaMatmulBlockElements(const XlaVulkanMatmul *op,
                               const XlaVulkanMatmulTiling *tiling) {
  int64_t rows = (int64_t)tiling->tileRows * tiling->otherThreads;
  int64_t columns = (int64_t)tiling->tileColumns * tiling->columnThreads;
  return tiling->step * (pitchOf(op, MatmulLhs, rows, tiling->step) +
                         pitchOf(op, MatmulRhs, columns, tiling->step));
}

static void prepareCopies(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr thread,
                          Block *block) {
  int64_t threads = e->tiling->columnThreads * e->tiling->otherThreads;
  int64_t step = e->tiling->step, tile = block->tiles->tile;
  bool alongTerms = strideOfTerms(e->op, block->array) == 1;
  block->nCopies = tile * step / threads;
  for (intptr_t i = 0; i < block->nCopies; ++i) {
    MlirAffineExpr id = xlaExprShift(thread, i * threads);
    int64_t inner = alongTerms ? step : tile;
    MlirAffineExpr low = xlaMatmulRemainder(e, ir, id, inner);
    MlirAffineExpr high = xlaMatmulDivide(e, ir, id, inner);
    MlirAffineExpr unit = alongTerms ? high : low;
    block->term[i] = alongTerms ? low : high;
    block->to[i] = xlaMatmulName(
        e, ir, xlaExprAdd(xlaExprScale(block->term[i], block->pitch), unit));
    MatmulPart part = {xlaExprAdd(block->tiles->first, unit), 0};
    unit = xlaMatmulUnit(e, ir, block->tiles, &part, 0);
    MatmulPlace from =
        xlaMatmulPosition(e, ir, block->tiles->dims, block->array, unit, 1);
    from = xlaMatmulAdd(e, block->array, &e->base[block->array], &from);
    block->from[i] = xlaMatmulNamePlace(e, ir, block->array, &from);
  }
}

static void beginBlock(MatmulEmitter *e, XlaIr *ir, MatmulArray array,
                       MlirAffineExpr thread, Block *block) {
  int64_t step = e->tiling->step;
  block->array = array;
  block->tiles = array == MatmulLhs ? &e->rows : &e->columns;
  block->pitch = pitchOf(e->op, array, block->tiles->tile, step);
  block->memory = xlaVulkanAlloc(ir, "Workgroup", e->sum, block->pitch * step);
  prepareCopies(e, ir, thread, block);
}

/// The element of copy `i` for the block that begins at term `first`.
static MlirValue loadCopy(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr term,
                          const Block *block, intptr_t i) {
  MlirValue element;
  const XlaContractionDims *terms = &e->op->contraction.terms;
  MatmulPlace place = xlaMatmulStep(
      e, block->array, terms->n ? &terms->dims[0] : NULL, term, 1, 0);
  place = xlaMatmulAdd(e, block->array, &block->from[i], &place);
  xlaMatmulLoad(e, ir, block->array, &place, i, &element);
  return element;
}

/// Copies a block that begins at term `first`; terms that are not there are 0.
static void copyBlock(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr first,
                      const Block *block) {
  int64_t size = e->op->contraction.terms.size;
  bool isRagged = size % e->tiling->step;
  for (intptr_t i = 0; i < block->nCopies; ++i) {
    MlirAffineExpr term = xlaExprAdd(first, block->term[i]);
    MlirValue element;
    if (isRagged) {
      XlaIr then, otherwise;
      MlirAffineExpr isThere = xlaAffineBelow(term, size);
      MlirOperation branch = xlaAffineBranch(&e->nest, ir, 1, &isThere, 1,
                                             &e->sum, &then, &otherwise);
      element = loadCopy(e, &then, term, block, i);
      xlaAffineYield(&then, 1, &element);
      element = xlaMatmulZero(e, &otherwise);
      xlaAffineYield(&otherwise, 1, &element);
      element = mlirOperationGetResult(branch, 0);
    } else {
      element = loadCopy(e, ir, term, block, i);
    }
    xlaMatmulStoreSum(e, ir, element, block->memory, block->to[i]);
  }
}

static MlirValue loadBlock(MatmulEmitter *e, XlaIr *ir, const Block *block,
                           MlirAffineExpr term, MlirAffineExpr unit) {
  return xlaMatmulLoadSum(e, ir, block->memory,
                          xlaExprAdd(xlaExprScale(term, block->pitch), unit));
}

static void termBody(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr term,
                     MlirValue *sums, void *user) {
  const Blocks *blocks = user;
  const XlaVulkanMatmulTiling *tiling = e->tiling;
  MlirValue columns[maxTile];
  for (int64_t n = 0; n < tiling->tileColumns; ++n)
    columns[n] = loadBlock(e, ir, &blocks->rhs, term,
                           xlaExprShift(e->column, n * tiling->columnThreads));
  MlirAffineExpr first = xlaExprScale(e->other, tiling->tileRows);
  for (int64_t m = 0; m < tiling->tileRows; ++m) {
    MlirValue row =
        loadBlock(e, ir, &blocks->lhs, term, xlaExprShift(first, m));
    for (int64_t n = 0; n < tiling->tileColumns; ++n) {
      MlirValue *sum = &sums[m * tiling->tileColumns + n];
      *sum = xlaMatmulFma(e, ir, row, columns[n], *sum);
    }
  }
}

static void blockBody(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr first,
                      MlirValue *sums, void *user) {
  Blocks *blocks = user;
  int64_t step = e->tiling->step;
  copyBlock(e, ir, first, &blocks->lhs);
  copyBlock(e, ir, first, &blocks->rhs);
  xlaVulkanBarrier(ir);
  xlaMatmulLoop(e, ir, xlaMatmulConstant(e, 0),
                xlaAffineBoundConstant(&e->nest, step), 1, step,
                e->tiling->tileRows * e->tiling->tileColumns, sums, termBody,
                blocks);
  xlaVulkanBarrier(ir);
}

void xlaMatmulStagedSums(MatmulEmitter *e, XlaIr *ir, MlirValue *sums) {
  const XlaVulkanMatmulTiling *tiling = e->tiling;
  Blocks blocks;
  MlirAffineExpr thread = xlaMatmulName(
      e, ir,
      xlaExprAdd(xlaExprScale(e->other, tiling->columnThreads), e->column));
  beginBlock(e, ir, MatmulLhs, thread, &blocks.lhs);
  beginBlock(e, ir, MatmulRhs, thread, &blocks.rhs);
  int64_t size = e->op->contraction.terms.size;
  xlaMatmulLoop(
      e, ir, xlaMatmulConstant(e, 0), xlaAffineBoundConstant(&e->nest, size),
      tiling->step, (size + tiling->step - 1) / tiling->step,
      tiling->tileRows * tiling->tileColumns, sums, blockBody, &blocks);
}

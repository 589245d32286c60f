//===- sums.c - Sums of operands in storage buffers -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over the terms where threads load into registers: each for itself,
// or the lhs by subgroup, where lane l of load h holds the rows of unit
// h * subgroupSize + l of the tile.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

enum { maxTile = XLA_VULKAN_MATMUL_MAX_TILE };

/// What does not change in the loop.
typedef struct Loads {
  intptr_t nLhs, nRhs; ///< units that a thread loads for a term
  MatmulPlace lhs[maxTile], rhs[maxTile];
  bool lhsTerms, rhsTerms;       ///< vectors lie along the terms
  const XlaContractionDim *term; ///< the innermost one; NULL: only one term
  MatmulPlace lhsBase, rhsBase;  ///< of the outer terms
} Loads;

static bool isSubgroup(const MatmulEmitter *e) {
  return e->tiling->staging == XlaVulkanStagingSubgroup;
}

static void prepareLhs(MatmulEmitter *e, XlaIr *ir, Loads *loads) {
  const MatmulTiles *rows = &e->rows;
  MatmulPart part = {rows->first, 1};
  int64_t lanes = 1;
  if (isSubgroup(e)) {
    lanes = e->info->subgroupSize;
    MlirAffineExpr lane = xlaAffineDim(&e->nest, xlaVulkanLaneId(ir));
    part.first = xlaExprAdd(rows->first, lane);
    part.step = lanes;
  }
  loads->nLhs = (rows->tile + lanes - 1) / lanes;
  for (intptr_t i = 0; i < loads->nLhs; ++i) {
    MlirAffineExpr unit = xlaExprShift(part.first, i * part.step);
    if (rows->size < rows->tile || rows->tile % lanes)
      unit = xlaMatmulAtMost(e, ir, unit, rows->size - 1);
    MatmulPlace place =
        xlaMatmulPosition(e, ir, rows->dims, MatmulLhs, unit, rows->width);
    place = xlaMatmulAdd(e, MatmulLhs, &e->base[MatmulLhs], &place);
    loads->lhs[i] = xlaMatmulNamePlace(e, ir, MatmulLhs, &place);
    xlaMatmulLoadSame(e, ir, MatmulLhs, &loads->lhs[i], i);
  }
}

static void prepareRhs(MatmulEmitter *e, XlaIr *ir, Loads *loads) {
  const MatmulTiles *columns = &e->columns;
  MatmulPart part = {xlaExprAdd(columns->first, e->column),
                     e->tiling->columnThreads};
  loads->nRhs = e->tiling->tileColumns / columns->width;
  for (intptr_t i = 0; i < loads->nRhs; ++i) {
    MlirAffineExpr unit = xlaMatmulUnit(e, ir, columns, &part, i);
    MatmulPlace place = xlaMatmulPosition(e, ir, columns->dims, MatmulRhs, unit,
                                          columns->width);
    place = xlaMatmulAdd(e, MatmulRhs, &e->base[MatmulRhs], &place);
    loads->rhs[i] = xlaMatmulNamePlace(e, ir, MatmulRhs, &place);
    xlaMatmulLoadSame(e, ir, MatmulRhs, &loads->rhs[i], i);
  }
}

/// spirv.GroupNonUniformBroadcast of `value` from lane `lane`.
static MlirValue broadcast(XlaIr *ir, MlirValue value, int64_t lane) {
  MlirType i32 = mlirIntegerTypeGet(ir->context, 32);
  XlaIrAttr number = {"value", mlirIntegerAttrGet(i32, lane)};
  MlirValue id = xlaIrOp(ir, "spirv.Constant", i32, 0, NULL, 1, &number);
  XlaIrAttr scope = {"execution_scope",
                     xlaIrParseAttr(ir->context, "#spirv.scope<Subgroup>")};
  return xlaIrOp(ir, "spirv.GroupNonUniformBroadcast", mlirValueGetType(value),
                 2, (MlirValue[]){value, id}, 1, &scope);
}

/// Elements of the terms from `u` on, for all units: those of one term, or of 4
/// where vectors lie along the terms.
static void loadUnits(MatmulEmitter *e, XlaIr *ir, MatmulArray side,
                      const Loads *loads, MlirAffineExpr turn, int64_t u,
                      MlirValue (*elements)[4]) {
  bool isLhs = side == MatmulLhs;
  MatmulPlace k = xlaMatmulStep(e, side, loads->term, turn, e->tiling->step, u);
  k = xlaMatmulAdd(e, side, isLhs ? &loads->lhsBase : &loads->rhsBase, &k);
  for (intptr_t i = 0; i < (isLhs ? loads->nLhs : loads->nRhs); ++i) {
    MatmulPlace place =
        xlaMatmulAdd(e, side, isLhs ? &loads->lhs[i] : &loads->rhs[i], &k);
    xlaMatmulLoad(e, ir, side, &place, i, elements[i]);
  }
}

/// The element of the lhs for a row of the tile.
static MlirValue lhsOf(MatmulEmitter *e, XlaIr *ir, const Loads *loads,
                       MlirValue (*elements)[4], int64_t row, int64_t u) {
  int64_t unit = row / e->rows.width, part = row % e->rows.width;
  if (loads->lhsTerms)
    part = u % 4;
  if (!isSubgroup(e))
    return elements[unit][part];
  int64_t lanes = e->info->subgroupSize;
  return broadcast(ir, elements[unit / lanes][part], unit % lanes);
}

/// One turn: `tiling->step` terms.
static void turnBody(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr turn,
                     MlirValue *sums, void *user) {
  const Loads *loads = user;
  const XlaVulkanMatmulTiling *tiling = e->tiling;
  MlirValue lhs[maxTile][4], rhs[maxTile][4];
  for (int64_t u = 0; u < tiling->step; ++u) {
    if (!loads->rhsTerms || u % 4 == 0)
      loadUnits(e, ir, MatmulRhs, loads, turn, u, rhs);
    if (!loads->lhsTerms || u % 4 == 0)
      loadUnits(e, ir, MatmulLhs, loads, turn, u, lhs);
    for (int64_t m = 0; m < tiling->tileRows; ++m) {
      MlirValue a = lhsOf(e, ir, loads, lhs, m, u);
      for (int64_t n = 0; n < tiling->tileColumns; ++n) {
        int64_t unit = n / e->columns.width, part = n % e->columns.width;
        MlirValue b = rhs[unit][loads->rhsTerms ? u % 4 : part];
        MlirValue *sum = &sums[m * tiling->tileColumns + n];
        *sum = xlaMatmulFma(e, ir, a, b, *sum);
      }
    }
  }
}

/// The turns of this thread, of all `turns` there are.
static void turnLoop(MatmulEmitter *e, XlaIr *ir, int64_t turns,
                     MlirValue *sums, Loads *loads) {
  const XlaVulkanMatmulTiling *tiling = e->tiling;
  int64_t perChunk = (turns + tiling->chunks - 1) / tiling->chunks;
  int64_t step = tiling->otherThreads;
  MlirAffineExpr first = xlaExprScale(e->chunk, perChunk);
  XlaAffineBound upper = tiling->chunks > 1
                             ? xlaAffineBoundConstant(&e->nest, turns)
                             : xlaMatmulEnd(e, turns);
  if (tiling->chunks > 1)
    upper = xlaAffineBoundAnd(upper, xlaExprShift(first, perChunk));
  xlaMatmulLoop(e, ir, xlaExprAdd(first, e->other), upper, step,
                (perChunk + step - 1) / step,
                tiling->tileRows * tiling->tileColumns, sums, turnBody, loads);
}

typedef struct TermLoop {
  Loads *loads;
  intptr_t dim;
} TermLoop;

static void termLoops(MatmulEmitter *e, XlaIr *ir, MlirValue *sums,
                      const TermLoop *at);

static void termBody(MatmulEmitter *e, XlaIr *ir, MlirAffineExpr index,
                     MlirValue *sums, void *user) {
  const TermLoop *at = user;
  const XlaContractionDim *dim = &e->op->contraction.terms.dims[at->dim];
  Loads inner = *at->loads;
  TermLoop next = {&inner, at->dim + 1};
  MatmulPlace lhs = xlaMatmulStep(e, MatmulLhs, dim, index, 1, 0);
  MatmulPlace rhs = xlaMatmulStep(e, MatmulRhs, dim, index, 1, 0);
  inner.lhsBase = xlaMatmulAdd(e, MatmulLhs, &inner.lhsBase, &lhs);
  inner.rhsBase = xlaMatmulAdd(e, MatmulRhs, &inner.rhsBase, &rhs);
  termLoops(e, ir, sums, &next);
}

/// Loops over the dimensions of the terms from `at->dim` on.
static void termLoops(MatmulEmitter *e, XlaIr *ir, MlirValue *sums,
                      const TermLoop *at) {
  const XlaContractionDims *terms = &e->op->contraction.terms;
  int64_t size = terms->n ? terms->dims[at->dim].size : 1;
  if (at->dim + 1 >= terms->n) {
    at->loads->term = terms->n ? &terms->dims[at->dim] : NULL;
    turnLoop(e, ir, size / e->tiling->step, sums, at->loads);
    return;
  }
  TermLoop inner = *at;
  xlaMatmulLoop(e, ir, xlaMatmulConstant(e, 0), xlaMatmulEnd(e, size), 1, size,
                e->tiling->tileRows * e->tiling->tileColumns, sums, termBody,
                &inner);
}

void xlaMatmulSums(MatmulEmitter *e, XlaIr *ir, MlirValue *sums) {
  Loads loads = {.lhsTerms = e->tiling->lhsVector == XlaVulkanVectorTerms,
                 .rhsTerms = e->tiling->rhsVector == XlaVulkanVectorTerms,
                 .lhsBase = xlaMatmulStep(e, MatmulLhs, NULL,
                                          xlaMatmulConstant(e, 0), 0, 0),
                 .rhsBase = xlaMatmulStep(e, MatmulRhs, NULL,
                                          xlaMatmulConstant(e, 0), 0, 0)};
  MlirValue same[2][maxTile][XLA_CONTRACTION_MAX_INPUTS][4];
  e->same[MatmulLhs] = same[MatmulLhs];
  e->same[MatmulRhs] = same[MatmulRhs];
  prepareLhs(e, ir, &loads);
  prepareRhs(e, ir, &loads);
  TermLoop start = {&loads, 0};
  termLoops(e, ir, sums, &start);
  e->same[MatmulLhs] = e->same[MatmulRhs] = NULL;
}

//===- block.c - Products of a tile of queries and a block of keys --------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands lie in workgroup memory term by term, so that threads side by side
// read banks side by side. All threads copy, in the order that memory has: then
// the terms lie next to each other, or what they are terms of. Copies are
// numbered in rows of a power of two, so that a thread's are a constant apart:
// where a row is shorter, some copy its last element again.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/attention/emit.h"

static int64_t threadsOf(const AttentionEmitter *e) {
  return (int64_t)e->plan->tiling.columnThreads * e->plan->tiling.rowThreads;
}

void xlaAttentionWait(AttentionEmitter *e) {
  if (e->plan->tiling.isStaged)
    xlaVulkanBarrier(&e->e.ir);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void xlaAttentionLoop(AttentionEmitter *e, int64_t n, int64_t step, int nState,
                      MlirValue *state, AttentionBody body, void *user) {
  XlaVulkanEmit *v = &e->e;
  XlaIr outer = v->ir, inner;
  int64_t around = v->around, trips = xlaVulkanCeilDiv(n, step);
  MlirAffineExpr index;
  if (!trips)
    return;
  MlirOperation op = xlaAffineFor(
      &v->nest, &outer, xlaAffineBoundConstant(&v->nest, 0),
      xlaAffineBoundConstant(&v->nest, n), step, nState, state, &inner, &index);
  for (int i = 0; i < nState; ++i)
    state[i] = mlirBlockGetArgument(inner.block, 1 + i);
  if (__builtin_mul_overflow(around, trips, &v->around) ||
      v->around > INT32_MAX)
    v->around = INT32_MAX;
  v->iterations += v->around;
  v->ir = inner;
  body(e, index, state, user);
  xlaAffineClose(&v->nest, &v->ir, nState, state);
  v->ir = outer;
  v->around = around;
  for (int i = 0; i < nState; ++i)
    state[i] = mlirOperationGetResult(op, i);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// No more than `last`, where it could be.
static MlirAffineExpr within(AttentionEmitter *e, MlirAffineExpr at,
                             int64_t most, int64_t last) {
  return most > last ? xlaAttentionAtMost(e, at, last) : at;
}

/// Several threads of a row, or several rows at once.
static void setCopies(AttentionEmitter *e, int64_t inner, int64_t outer,
                      AttentionCopies *copies) {
  int64_t padded = 1, threads = threadsOf(e);
  while (padded < inner)
    padded *= 2;
  copies->n = (int)xlaVulkanAttentionCopies(inner, outer, threads);
  if (padded <= threads) {
    int64_t sweep = threads / padded;
    MlirAffineExpr low = xlaAttentionRemainder(e, e->thread, padded);
    MlirAffineExpr high = xlaAttentionDivide(e, e->thread, padded);
    low = within(e, low, padded - 1, inner - 1);
    for (int i = 0; i < copies->n; ++i) {
      copies->low[i] = low;
      copies->high[i] = within(e, xlaExprShift(high, i * sweep),
                               (i + 1) * sweep - 1, outer - 1);
    }
    return;
  }
  int64_t parts = xlaVulkanCeilDiv(inner, threads);
  for (int64_t p = 0; p < parts; ++p) {
    MlirAffineExpr low = within(e, xlaExprShift(e->thread, p * threads),
                                (p + 1) * threads - 1, inner - 1);
    for (int64_t h = 0; h < outer; ++h) {
      copies->low[h * parts + p] = low;
      copies->high[h * parts + p] = xlaAttentionConstant(e, h);
    }
  }
}

static MlirValue load(AttentionEmitter *e, MlirValue memref, MlirAffineExpr at,
                      MlirType type) {
  MlirValue value = {NULL};
  xlaVulkanLoadLanes(&e->e, xlaSchedRoot(memref), 1, at, &value);
  return xlaAttentionConvert(&e->e.ir, value, type);
}

/// An element of the queries, in a row of the tile.
static MlirValue queryAt(AttentionEmitter *e, MlirAffineExpr row,
                         MlirAffineExpr term) {
  const XlaRowProduct *product = &e->plan->rows.products[0];
  AttentionRow of;
  xlaAttentionSetRow(e, row, -1, &of);
  if (e->plan->rows.lhs >= 0) {
    xlaAttentionForget(e);
    return xlaAttentionConvert(
        &e->e.ir, xlaAttentionValue(e, e->plan->rows.lhs, &of, 0, term),
        e->plan->sums[0]);
  }
  MlirAffineExpr at = xlaAttentionPlace(e, 0, 0, &of);
  at = xlaExprAdd(at,
                  xlaExprScale(term, product->contraction.terms.dims[0].lhs));
  return load(e, product->lhs, at, e->plan->sums[0]);
}

static void copyQueries(AttentionEmitter *e) {
  int64_t rows = xlaVulkanAttentionRows(e->plan);
  bool alongTerms =
      e->plan->rows.lhs >= 0 ||
      e->plan->rows.products[0].contraction.terms.dims[0].lhs == 1;
  int nDims = e->e.nest.nLoops;
  AttentionCopies copies;
  setCopies(e, alongTerms ? e->plan->width : rows,
            alongTerms ? rows : e->plan->width, &copies);
  for (int i = 0; i < copies.n; ++i) {
    MlirAffineExpr term = alongTerms ? copies.low[i] : copies.high[i];
    MlirAffineExpr row = alongTerms ? copies.high[i] : copies.low[i];
    MlirAffineExpr to =
        xlaExprAdd(xlaExprScale(term, xlaVulkanAttentionPitch(rows)), row);
    xlaAffineStore(&e->e.nest, &e->e.ir, queryAt(e, row, term), e->queries, to);
  }
  e->e.nest.nLoops = nDims; // they are not needed again
}

/// What is side by side in the memory of a product's rhs: its terms, or not.
static bool isAlongTerms(const XlaRowProduct *product) {
  const XlaContraction *all = &product->contraction;
  return all->terms.dims[0].rhs == 1 ||
         (all->columns.n && all->columns.dims[0].rhs != 1);
}

/// Bytes are those of tile.c.
static void allocate(AttentionEmitter *e) {
  const XlaVulkanAttention *plan = e->plan;
  XlaIr top = e->e.top;
  int64_t rows = xlaVulkanAttentionRows(plan);
  int64_t keys = xlaVulkanAttentionKeys(plan);
  int64_t block = plan->width * xlaVulkanAttentionPitch(keys);
  int64_t values = keys * xlaVulkanAttentionColumns(plan);
  bool isOne = mlirTypeEqual(plan->sums[0], plan->sums[1]);
  e->queries = xlaVulkanAlloc(&top, "Workgroup", plan->sums[0],
                              plan->width * xlaVulkanAttentionPitch(rows));
  e->weights = xlaVulkanAlloc(&top, "Workgroup", plan->sums[1],
                              rows * xlaVulkanAttentionPitch(keys));
  e->keys = xlaVulkanAlloc(&top, "Workgroup", plan->sums[0],
                           isOne && values > block ? values : block);
  e->values = isOne ? e->keys
                    : xlaVulkanAlloc(&top, "Workgroup", plan->sums[1], values);
}

void xlaAttentionBegin(AttentionEmitter *e) {
  const XlaVulkanAttention *plan = e->plan;
  const XlaRowProduct *products = plan->rows.products;
  int64_t keys = xlaVulkanAttentionKeys(plan);
  for (int i = 0; i < 2; ++i)
    e->base[i] = xlaAttentionPlace(e, i, 1, NULL);
  if (!plan->tiling.isStaged) {
    xlaAttentionBeginDirect(e);
    return;
  }
  allocate(e);
  copyQueries(e);
  e->keysAlongTerms = isAlongTerms(&products[0]);
  setCopies(e, e->keysAlongTerms ? plan->width : keys,
            e->keysAlongTerms ? keys : plan->width, &e->keyCopies);
  e->valuesAlongColumns = !isAlongTerms(&products[1]);
  setCopies(e, e->valuesAlongColumns ? plan->values : keys,
            e->valuesAlongColumns ? keys : plan->values, &e->valueCopies);
}

MlirAffineExpr xlaAttentionKeyAt(AttentionEmitter *e,
                                 const AttentionBlock *block,
                                 MlirAffineExpr key) {
  if (block->left)
    key = xlaAttentionAtMost(e, key, block->left - 1);
  return xlaExprAdd(block->first, key);
}

static void copyKeys(AttentionEmitter *e, const AttentionBlock *block) {
  const XlaRowProduct *product = &e->plan->rows.products[0];
  const XlaContraction *all = &product->contraction;
  const AttentionCopies *copies = &e->keyCopies;
  int64_t pitch = xlaVulkanAttentionPitch(xlaVulkanAttentionKeys(e->plan));
  for (int i = 0; i < copies->n; ++i) {
    bool along = e->keysAlongTerms;
    MlirAffineExpr term = along ? copies->low[i] : copies->high[i];
    MlirAffineExpr key = along ? copies->high[i] : copies->low[i];
    MlirAffineExpr from =
        xlaExprAdd(xlaExprScale(term, all->terms.dims[0].rhs),
                   xlaExprScale(xlaAttentionKeyAt(e, block, key),
                                all->columns.dims[0].rhs));
    MlirValue value =
        load(e, product->rhs, xlaExprAdd(e->base[0], from), e->plan->sums[0]);
    xlaAffineStore(&e->e.nest, &e->e.ir, value, e->keys,
                   xlaExprAdd(xlaExprScale(term, pitch), key));
  }
}

static void copyValues(AttentionEmitter *e, const AttentionBlock *block) {
  const XlaRowProduct *product = &e->plan->rows.products[1];
  const XlaContraction *all = &product->contraction;
  const AttentionCopies *copies = &e->valueCopies;
  for (int i = 0; i < copies->n; ++i) {
    bool along = e->valuesAlongColumns;
    MlirAffineExpr column = along ? copies->low[i] : copies->high[i];
    MlirAffineExpr key = along ? copies->high[i] : copies->low[i];
    MlirAffineExpr from =
        xlaExprScale(xlaAttentionKeyAt(e, block, key), all->terms.dims[0].rhs);
    if (all->columns.n)
      from = xlaExprAdd(from, xlaExprScale(column, all->columns.dims[0].rhs));
    MlirValue value =
        load(e, product->rhs, xlaExprAdd(e->base[1], from), e->plan->sums[1]);
    MlirAffineExpr to = xlaExprAdd(
        xlaExprScale(key, xlaVulkanAttentionColumns(e->plan)), column);
    xlaAffineStore(&e->e.nest, &e->e.ir, value, e->values, to);
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static MlirValue shared(AttentionEmitter *e, MlirValue memory,
                        MlirAffineExpr at) {
  MlirType type = xlaIrElementType(mlirValueGetType(memory));
  return xlaAffineLoad(&e->e.nest, &e->e.ir, type, memory, at);
}

MlirValue xlaAttentionFma(AttentionEmitter *e, MlirValue a, MlirValue b,
                          MlirValue c) {
  MlirValue operands[] = {a, b, c};
  return xlaIrOp(&e->e.ir, "math.fma", mlirValueGetType(c), 3, operands, 0,
                 NULL);
}

/// The thread's row `m` in the tile.
static MlirAffineExpr ownRow(const AttentionEmitter *e, int m) {
  return xlaExprShift(xlaExprScale(e->other, e->plan->tiling.tileRows), m);
}

static MlirAffineExpr ownColumn(const AttentionEmitter *e, int n) {
  return xlaExprShift(e->column, (int64_t)n * e->plan->tiling.columnThreads);
}

static void scoresOfTerm(AttentionEmitter *e, MlirAffineExpr term,
                         MlirValue *scores, void *user) {
  const XlaVulkanAttentionTiling *tiling = &e->plan->tiling;
  int64_t rows = xlaVulkanAttentionPitch(xlaVulkanAttentionRows(e->plan));
  int64_t keys = xlaVulkanAttentionPitch(xlaVulkanAttentionKeys(e->plan));
  MlirValue key[XLA_ATTENTION_MAX_KEYS];
  (void)user;
  for (int n = 0; n < tiling->tileKeys; ++n)
    key[n] = shared(e, e->keys,
                    xlaExprAdd(xlaExprScale(term, keys), ownColumn(e, n)));
  for (int m = 0; m < tiling->tileRows; ++m) {
    MlirValue query = shared(
        e, e->queries, xlaExprAdd(xlaExprScale(term, rows), ownRow(e, m)));
    for (int n = 0; n < tiling->tileKeys; ++n) {
      MlirValue *score = &scores[m * tiling->tileKeys + n];
      *score = xlaAttentionFma(e, query, key[n], *score);
    }
  }
}

void xlaAttentionScores(AttentionEmitter *e, AttentionBlock *block,
                        MlirValue *scores) {
  const XlaVulkanAttentionTiling *tiling = &e->plan->tiling;
  int n = tiling->tileRows * tiling->tileKeys;
  MlirValue zero = xlaIrConstantFloat(&e->e.ir, e->plan->sums[0], 0);
  for (int i = 0; i < n; ++i)
    scores[i] = zero;
  for (int i = 0; i < tiling->tileKeys; ++i)
    block->keys[i] = xlaAttentionKeyAt(e, block, ownColumn(e, i));
  if (!tiling->isStaged) {
    xlaAttentionDirectScores(e, block, scores);
    return;
  }
  copyKeys(e, block);
  xlaAttentionWait(e);
  xlaAttentionLoop(e, e->plan->width, 1, n, scores, scoresOfTerm, NULL);
  xlaAttentionWait(e);
}

static void sumsOfKey(AttentionEmitter *e, MlirAffineExpr key, MlirValue *sums,
                      void *user) {
  const XlaVulkanAttentionTiling *tiling = &e->plan->tiling;
  int64_t pitch = xlaVulkanAttentionPitch(xlaVulkanAttentionKeys(e->plan));
  int64_t columns = xlaVulkanAttentionColumns(e->plan);
  MlirValue value[XLA_ATTENTION_MAX_VALUES];
  (void)user;
  for (int n = 0; n < tiling->tileValues; ++n)
    value[n] = shared(e, e->values,
                      xlaExprAdd(xlaExprScale(key, columns), ownColumn(e, n)));
  for (int m = 0; m < tiling->tileRows; ++m) {
    MlirValue weight = shared(
        e, e->weights, xlaExprAdd(xlaExprScale(ownRow(e, m), pitch), key));
    for (int n = 0; n < tiling->tileValues; ++n) {
      MlirValue *sum = &sums[m * tiling->tileValues + n];
      *sum = xlaAttentionFma(e, weight, value[n], *sum);
    }
  }
}

void xlaAttentionSums(AttentionEmitter *e, const AttentionBlock *block,
                      const MlirValue *weights, MlirValue *sums) {
  const XlaVulkanAttentionTiling *tiling = &e->plan->tiling;
  int64_t keys = xlaVulkanAttentionKeys(e->plan);
  int64_t pitch = xlaVulkanAttentionPitch(keys);
  for (int m = 0; m < tiling->tileRows; ++m)
    for (int n = 0; n < tiling->tileKeys; ++n) {
      MlirValue weight = weights[m * tiling->tileKeys + n];
      xlaAffineStore(
          &e->e.nest, &e->e.ir, weight, e->weights,
          xlaExprAdd(xlaExprScale(ownRow(e, m), pitch), ownColumn(e, n)));
    }
  copyValues(e, block);
  xlaAttentionWait(e);
  xlaAttentionLoop(e, block->left ? block->left : keys, 1,
                   tiling->tileRows * tiling->tileValues, sums, sumsOfKey,
                   NULL);
  xlaAttentionWait(e);
}

MlirValue xlaAttentionIsKey(AttentionEmitter *e, const AttentionBlock *block,
                            int n) {
  XlaIr *ir = &e->e.ir;
  if (!block->left)
    return (MlirValue){NULL};
  return xlaIrCmpI(ir, "ult", xlaAffineApply(&e->e.nest, ir, ownColumn(e, n)),
                   xlaIrConstantIndex(ir, block->left));
}

//===- direct.c - Attention of threads that share nothing -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the threads of a subgroup are lanes of a processor's vectors, waiting
// for others costs much more than loading what they have: a thread has rows of
// its own. All load the same keys and values, which is one load for all lanes.
// Queries and sums lie in private memory, that is where registers would be, and
// are gone through by loops, for drivers compile slowly.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/attention/emit.h"

static MlirValue loadOf(AttentionEmitter *e, MlirValue memref,
                        MlirAffineExpr at, MlirType type) {
  MlirValue value = {NULL};
  xlaVulkanLoadLanes(&e->e, xlaSchedRoot(memref), 1, at, &value);
  return xlaAttentionConvert(&e->e.ir, value, type);
}

/// Where an element of the thread's row `m` lies in private memory.
static MlirAffineExpr placeOf(int64_t length, int m, MlirAffineExpr element) {
  return xlaExprShift(element, m * length);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static void copyTerm(AttentionEmitter *e, MlirAffineExpr term, MlirValue *state,
                     void *user) {
  const XlaVulkanAttention *plan = e->plan;
  const XlaRowProduct *product = &plan->rows.products[0];
  XlaIr *ir = &e->e.ir;
  (void)state;
  (void)user;
  for (int m = 0; m < plan->tiling.tileRows; ++m) {
    MlirValue value;
    xlaAttentionForget(e);
    if (plan->rows.lhs >= 0) {
      value = xlaAttentionConvert(
          ir, xlaAttentionValue(e, plan->rows.lhs, &e->own[m], 0, term),
          plan->sums[0]);
    } else {
      MlirAffineExpr at = xlaAttentionPlace(e, 0, 0, &e->own[m]);
      at = xlaExprAdd(
          at, xlaExprScale(term, product->contraction.terms.dims[0].lhs));
      value = loadOf(e, product->lhs, at, plan->sums[0]);
    }
    xlaAffineStore(&e->e.nest, ir, value, e->queries,
                   placeOf(plan->width, m, term));
  }
}

void xlaAttentionBeginDirect(AttentionEmitter *e) {
  const XlaVulkanAttention *plan = e->plan;
  XlaIr top = e->e.top;
  e->queries = xlaVulkanAlloc(&top, "Function", plan->sums[0],
                              plan->tiling.tileRows * plan->width);
  e->sums = xlaVulkanAlloc(&top, "Function", plan->sums[1],
                           plan->tiling.tileRows * plan->values);
  xlaAttentionLoop(e, plan->width, 1, 0, NULL, copyTerm, NULL);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

static void scoresOfTerm(AttentionEmitter *e, MlirAffineExpr term,
                         MlirValue *scores, void *user) {
  const XlaVulkanAttention *plan = e->plan;
  const AttentionBlock *block = user;
  const XlaRowProduct *product = &plan->rows.products[0];
  const XlaContraction *all = &product->contraction;
  MlirValue key[XLA_ATTENTION_MAX_KEYS];
  for (int n = 0; n < plan->tiling.tileKeys; ++n) {
    MlirAffineExpr at =
        xlaExprAdd(xlaExprScale(block->keys[n], all->columns.dims[0].rhs),
                   xlaExprScale(term, all->terms.dims[0].rhs));
    key[n] = loadOf(e, product->rhs, xlaExprAdd(e->base[0], at), plan->sums[0]);
  }
  for (int m = 0; m < plan->tiling.tileRows; ++m) {
    MlirValue query = xlaAffineLoad(&e->e.nest, &e->e.ir, plan->sums[0],
                                    e->queries, placeOf(plan->width, m, term));
    for (int n = 0; n < plan->tiling.tileKeys; ++n) {
      MlirValue *score = &scores[m * plan->tiling.tileKeys + n];
      *score = xlaAttentionFma(e, query, key[n], *score);
    }
  }
}

void xlaAttentionDirectScores(AttentionEmitter *e, AttentionBlock *block,
                              MlirValue *scores) {
  const XlaVulkanAttentionTiling *tiling = &e->plan->tiling;
  xlaAttentionLoop(e, e->plan->width, 1, tiling->tileRows * tiling->tileKeys,
                   scores, scoresOfTerm, block);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

MlirValue xlaAttentionSumAt(AttentionEmitter *e, int m, MlirAffineExpr column) {
  return xlaAffineLoad(&e->e.nest, &e->e.ir, e->plan->sums[1], e->sums,
                       placeOf(e->plan->values, m, column));
}

static void setSum(AttentionEmitter *e, int m, MlirAffineExpr column,
                   MlirValue sum) {
  xlaAffineStore(&e->e.nest, &e->e.ir, sum, e->sums,
                 placeOf(e->plan->values, m, column));
}

static void clearColumn(AttentionEmitter *e, MlirAffineExpr column,
                        MlirValue *state, void *user) {
  (void)state;
  (void)user;
  for (int m = 0; m < e->plan->tiling.tileRows; ++m)
    setSum(e, m, column, xlaIrConstantFloat(&e->e.ir, e->plan->sums[1], 0));
}

void xlaAttentionClearSums(AttentionEmitter *e) {
  xlaAttentionLoop(e, e->plan->values, 1, 0, NULL, clearColumn, NULL);
}

typedef struct Addition {
  const AttentionBlock *block;
  const MlirValue *weights, *factors;
} Addition;

static void addColumn(AttentionEmitter *e, MlirAffineExpr column,
                      MlirValue *state, void *user) {
  const Addition *addition = user;
  const AttentionBlock *block = addition->block;
  const XlaVulkanAttention *plan = e->plan;
  const XlaRowProduct *product = &plan->rows.products[1];
  const XlaContraction *all = &product->contraction;
  int keys = plan->tiling.tileKeys;
  MlirValue values[XLA_ATTENTION_MAX_KEYS];
  (void)state;
  if (block->left)
    keys = (int)block->left;
  for (int n = 0; n < keys; ++n) {
    MlirAffineExpr at = xlaExprScale(block->keys[n], all->terms.dims[0].rhs);
    if (all->columns.n)
      at = xlaExprAdd(at, xlaExprScale(column, all->columns.dims[0].rhs));
    values[n] =
        loadOf(e, product->rhs, xlaExprAdd(e->base[1], at), plan->sums[1]);
  }
  for (int m = 0; m < plan->tiling.tileRows; ++m) {
    MlirValue sum = xlaAttentionSumAt(e, m, column);
    if (addition->factors)
      sum = xlaIrBinary(
          &e->e.ir, "arith.mulf", sum,
          xlaAttentionConvert(&e->e.ir, addition->factors[m], plan->sums[1]));
    for (int n = 0; n < keys; ++n)
      sum = xlaAttentionFma(e, addition->weights[m * plan->tiling.tileKeys + n],
                            values[n], sum);
    setSum(e, m, column, sum);
  }
}

void xlaAttentionDirectSums(AttentionEmitter *e, const AttentionBlock *block,
                            const MlirValue *weights,
                            const MlirValue *factors) {
  Addition addition = {block, weights, factors};
  xlaAttentionLoop(e, e->plan->values, 1, 0, NULL, addColumn, &addition);
}

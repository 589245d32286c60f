//===- pass.c - A pass through the keys -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that are full in a loop, and the rest behind it, at the top level.
// Each thread reduces the keys that it has itself; those of a row combine what
// they have at the end, but maxima that others wait for with each block.
//
// Where no key so far counts, the maximum is -inf and differences from it are
// NaN: they are taken from 0 then. In the end what was computed with such a
// number in the maximum's place is corrected, and so is NaN where it has to be:
// in rows without any key that counts.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/attention/emit.h"

#include <math.h>

typedef struct Pass {
  bool hasProduct;
  int n, reductions[XLA_ATTENTION_MAX_REDUCTIONS]; ///< but the maximum
  int nState;
  int firstReduction, firstSum; ///< in the state, behind the maxima
} Pass;

static int rowsOf(const AttentionEmitter *e) {
  return e->plan->tiling.tileRows;
}

static Pass passOf(const AttentionEmitter *e, int number) {
  const XlaVulkanAttention *plan = e->plan;
  Pass pass = {.hasProduct = plan->maximum >= 0 ||
                             plan->levels[plan->rows.weights] == number};
  for (int i = 0; i < plan->rows.nStatements; ++i)
    if (plan->steps[i].kind == XlaVulkanRowReduction &&
        plan->steps[i].pass == number && i != plan->maximum)
      pass.reductions[pass.n++] = i;
  pass.firstReduction = plan->maximum >= 0 ? rowsOf(e) : 0;
  pass.firstSum = pass.firstReduction + pass.n * rowsOf(e);
  pass.nState = pass.firstSum;
  if (pass.hasProduct && plan->tiling.isStaged)
    pass.nState += rowsOf(e) * plan->tiling.tileValues;
  return pass;
}

//===----------------------------------------------------------------------===//
// Maxima
//===----------------------------------------------------------------------===//

static MlirValue difference(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrUnary(ir, "math.exp", xlaIrBinary(ir, "arith.subf", a, b));
}

/// What differences are taken from: the maximum, or 0.
static MlirValue reference(XlaIr *ir, MlirValue maximum) {
  MlirType type = mlirValueGetType(maximum);
  MlirValue none = xlaIrConstantFloat(ir, type, -INFINITY);
  return xlaIrSelect(ir, xlaIrCmpF(ir, "oeq", maximum, none),
                     xlaIrConstantFloat(ir, type, 0), maximum);
}

/// `all` combined with `value`, if it counts.
static MlirValue combine(XlaIr *ir, const XlaSchedReducer *reducer,
                         MlirValue all, MlirValue value, MlirValue counts) {
  MlirValue combined = xlaSchedCombine(ir, reducer, all, value);
  return counts.ptr ? xlaIrSelect(ir, counts, combined, all) : combined;
}

/// Takes a block into the rows' maxima. Until the block is left, these and the
/// divisor are what elements are computed with. Gives the factors that bring
/// sums so far to the new maxima.
static void growMaxima(AttentionEmitter *e, AttentionBlock *block,
                       MlirValue *maxima, MlirValue *factors) {
  const XlaVulkanAttention *plan = e->plan;
  const XlaVulkanRowStep *step = &plan->steps[plan->maximum];
  const XlaSchedReducer *reducer = &step->reducer;
  XlaIr *ir = &e->e.ir;
  MlirValue grown[XLA_ATTENTION_MAX_ROWS];
  for (int m = 0; m < rowsOf(e); ++m) {
    grown[m] = xlaSchedNeutral(ir, reducer, reducer->carried);
    for (int n = 0; n < plan->tiling.tileKeys; ++n) {
      MlirValue value =
          xlaAttentionCompute(e, plan->maximum, &e->own[m],
                              m * plan->tiling.tileKeys + n, block->keys[n]);
      grown[m] =
          combine(ir, reducer, grown[m], value, xlaAttentionIsKey(e, block, n));
    }
  }
  xlaAttentionAcross(e, reducer, grown);
  for (int m = 0; m < rowsOf(e); ++m) {
    grown[m] = xlaSchedCombine(ir, reducer, maxima[m], grown[m]);
    MlirValue now = reference(ir, grown[m]);
    factors[m] = difference(ir, maxima[m], now);
    maxima[m] = grown[m];
    e->rowValues[step->output][m] = xlaSchedNarrow(
        ir, reducer, plan->rows.buffers[step->output].element, now);
    if (plan->divisor >= 0)
      e->rowValues[plan->divisor][m] =
          xlaIrConstantFloat(ir, plan->rows.buffers[plan->divisor].element, 1);
  }
}

static void leaveMaxima(AttentionEmitter *e) {
  const XlaVulkanAttention *plan = e->plan;
  for (int m = 0; m < rowsOf(e); ++m) {
    e->rowValues[plan->steps[plan->maximum].output][m] = (MlirValue){NULL};
    if (plan->divisor >= 0)
      e->rowValues[plan->divisor][m] = (MlirValue){NULL};
  }
}

static void scale(XlaIr *ir, MlirValue *value, MlirValue factor) {
  *value =
      xlaIrBinary(ir, "arith.mulf", *value,
                  xlaAttentionConvert(ir, factor, mlirValueGetType(*value)));
}

/// Brings sums to other maxima.
static void scaleAll(AttentionEmitter *e, const Pass *pass,
                     const MlirValue *factors, MlirValue *state) {
  const XlaVulkanAttention *plan = e->plan;
  int columns = plan->tiling.isStaged ? plan->tiling.tileValues : 0;
  for (int m = 0; m < rowsOf(e); ++m) {
    for (int i = 0; i < pass->n; ++i)
      if (plan->steps[pass->reductions[i]].isScaled)
        scale(&e->e.ir, &state[pass->firstReduction + i * rowsOf(e) + m],
              factors[m]);
    for (int n = 0; n < columns; ++n)
      scale(&e->e.ir, &state[pass->firstSum + m * columns + n], factors[m]);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static void reduceBlock(AttentionEmitter *e, const Pass *pass,
                        AttentionBlock *block, MlirValue *state) {
  const XlaVulkanAttention *plan = e->plan;
  for (int i = 0; i < pass->n; ++i)
    for (int m = 0; m < rowsOf(e); ++m)
      for (int n = 0; n < plan->tiling.tileKeys; ++n) {
        int statement = pass->reductions[i];
        MlirValue *all = &state[pass->firstReduction + i * rowsOf(e) + m];
        MlirValue value =
            xlaAttentionCompute(e, statement, &e->own[m],
                                m * plan->tiling.tileKeys + n, block->keys[n]);
        *all = combine(&e->e.ir, &plan->steps[statement].reducer, *all, value,
                       xlaAttentionIsKey(e, block, n));
      }
}

static void addBlock(AttentionEmitter *e, const Pass *pass,
                     const AttentionBlock *block, const MlirValue *factors,
                     MlirValue *state) {
  const XlaVulkanAttention *plan = e->plan;
  MlirValue weights[maxPoints];
  for (int m = 0; m < rowsOf(e); ++m)
    for (int n = 0; n < plan->tiling.tileKeys; ++n) {
      int point = m * plan->tiling.tileKeys + n;
      weights[point] = xlaAttentionConvert(
          &e->e.ir,
          xlaAttentionValue(e, plan->rows.weights, &e->own[m], point,
                            block->keys[n]),
          plan->sums[1]);
    }
  if (plan->tiling.isStaged)
    xlaAttentionSums(e, block, weights, &state[pass->firstSum]);
  else
    xlaAttentionDirectSums(e, block, weights, factors);
}

static void addBlocks(AttentionEmitter *e, const Pass *pass,
                      AttentionBlock *block, MlirValue *state) {
  const XlaVulkanAttention *plan = e->plan;
  MlirValue scores[maxPoints], factors[XLA_ATTENTION_MAX_ROWS];
  MlirType type = plan->rows.buffers[plan->rows.scores].element;
  xlaAttentionScores(e, block, scores);
  xlaAttentionForget(e);
  for (int p = 0; p < rowsOf(e) * plan->tiling.tileKeys; ++p)
    e->known[plan->rows.scores][p] =
        xlaAttentionConvert(&e->e.ir, scores[p], type);
  if (plan->maximum >= 0) {
    growMaxima(e, block, state, factors);
    scaleAll(e, pass, factors, state);
  }
  reduceBlock(e, pass, block, state);
  if (pass->hasProduct)
    addBlock(e, pass, block, plan->maximum >= 0 ? factors : NULL, state);
  if (plan->maximum >= 0)
    leaveMaxima(e);
  xlaAttentionForget(e);
}

static void fullBlock(AttentionEmitter *e, MlirAffineExpr first,
                      MlirValue *state, void *user) {
  AttentionBlock block = {.first = first};
  addBlocks(e, user, &block, state);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

static void beginState(AttentionEmitter *e, const Pass *pass,
                       MlirValue *state) {
  const XlaVulkanAttention *plan = e->plan;
  XlaIr *ir = &e->e.ir;
  for (int m = 0; plan->maximum >= 0 && m < rowsOf(e); ++m) {
    const XlaVulkanRowStep *step = &plan->steps[plan->maximum];
    state[m] =
        xlaSchedWiden(ir, &step->reducer, xlaVulkanValue(&e->e, step->begin));
  }
  for (int i = 0; i < pass->n * rowsOf(e); ++i) {
    const XlaSchedReducer *reducer =
        &plan->steps[pass->reductions[i / rowsOf(e)]].reducer;
    state[pass->firstReduction + i] =
        xlaSchedNeutral(ir, reducer, reducer->carried);
  }
  for (int i = pass->firstSum; i < pass->nState; ++i)
    state[i] = xlaIrConstantFloat(ir, plan->sums[1], 0);
  if (pass->hasProduct && !plan->tiling.isStaged)
    xlaAttentionClearSums(e);
}

/// What differences were taken from becomes the maximum.
static void finishMaxima(AttentionEmitter *e, const Pass *pass,
                         MlirValue *state) {
  const XlaVulkanAttention *plan = e->plan;
  const XlaVulkanRowStep *step = &plan->steps[plan->maximum];
  XlaIr *ir = &e->e.ir;
  for (int m = 0; m < rowsOf(e); ++m) {
    e->corrections[m] = difference(ir, reference(ir, state[m]), state[m]);
    e->rowValues[step->output][m] = xlaSchedNarrow(
        ir, &step->reducer, plan->rows.buffers[step->output].element, state[m]);
    for (int i = 0; i < pass->n; ++i)
      if (plan->steps[pass->reductions[i]].isScaled)
        scale(ir, &state[pass->firstReduction + i * rowsOf(e) + m],
              e->corrections[m]);
  }
}

static void finishReductions(AttentionEmitter *e, const Pass *pass,
                             MlirValue *state) {
  const XlaVulkanAttention *plan = e->plan;
  XlaIr *ir = &e->e.ir;
  for (int i = 0; i < pass->n; ++i) {
    const XlaVulkanRowStep *step = &plan->steps[pass->reductions[i]];
    const XlaSchedReducer *reducer = &step->reducer;
    MlirValue *values = &state[pass->firstReduction + i * rowsOf(e)];
    xlaAttentionAcross(e, reducer, values);
    for (int m = 0; m < rowsOf(e); ++m) {
      MlirValue begin =
          xlaSchedWiden(ir, reducer, xlaVulkanValue(&e->e, step->begin));
      e->rowValues[step->output][m] =
          xlaSchedNarrow(ir, reducer, plan->rows.buffers[step->output].element,
                         xlaSchedCombine(ir, reducer, begin, values[m]));
    }
  }
}

MlirValue xlaAttentionFinish(AttentionEmitter *e, int m, MlirValue sum) {
  const XlaVulkanAttention *plan = e->plan;
  XlaIr *ir = &e->e.ir;
  if (e->corrections[m].ptr)
    scale(ir, &sum, e->corrections[m]);
  return plan->divisor < 0
             ? sum
             : xlaIrBinary(ir, "arith.divf", sum,
                           xlaAttentionConvert(ir,
                                               e->rowValues[plan->divisor][m],
                                               plan->sums[1]));
}

void xlaAttentionPass(AttentionEmitter *e, int number, MlirValue *sums) {
  const XlaVulkanAttention *plan = e->plan;
  Pass pass = passOf(e, number);
  MlirValue state[maxState];
  int64_t keys = xlaVulkanAttentionKeys(plan);
  int64_t full = plan->rows.keys / keys * keys;
  beginState(e, &pass, state);
  xlaAttentionLoop(e, full, keys, pass.nState, state, fullBlock, &pass);
  if (full < plan->rows.keys) {
    int nDims = e->e.nest.nLoops;
    AttentionBlock rest = {.first = xlaAttentionConstant(e, full),
                           .left = plan->rows.keys - full};
    addBlocks(e, &pass, &rest, state);
    e->e.nest.nLoops = nDims;
  }
  if (plan->maximum >= 0)
    finishMaxima(e, &pass, state);
  finishReductions(e, &pass, state);
  for (int i = pass.firstSum; i < pass.nState; ++i)
    sums[i - pass.firstSum] = state[i];
}

//===- schedule_stage.c - One stage in a thread ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule_group.h"

#include <stdlib.h>
#include <string.h>

/// A stage being written.
typedef struct Walk {
  XlaVulkanGroup *g;
  const XlaSchedStage *stage;
  XlaVulkanUnroll unroll; ///< of the shared dimensions, then one inside
  bool reduces;
} Walk;

/// The loops from dimension `d` on. `carry` has nOuts values for each shared
/// point while accumulators are carried.
typedef struct Level {
  Walk *walk;
  int d;
  bool isCarrying;
} Level;

static int carried(const Walk *walk) {
  return walk->stage->nOuts * xlaVulkanPoints(&walk->g->shared);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

static bool isUsed(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

static bool isRead(const XlaSchedStage *stage, int i) {
  return stage->body.ptr && isUsed(mlirBlockGetArgument(stage->body, i));
}

/// Elements of access `i` at all points.
static void readPoints(Walk *walk, int i, MlirValue *values) {
  XlaVulkanGroup *g = walk->g;
  const XlaSchedAccess *access = &walk->stage->accesses[i];
  XlaVulkanKnown *known = xlaVulkanFindKnown(g, walk->stage, access);
  int points = xlaVulkanPoints(&walk->unroll);
  int inner = points / xlaVulkanPoints(&g->shared);
  if (!known) {
    xlaVulkanLoadPoints(g, walk->stage, access, &walk->unroll, values);
    return;
  }
  for (int p = 0; p < points; ++p)
    values[p] = known->values[p / inner];
}

static void bind(XlaVulkanEmit *e, MlirValue key, MlirValue value) {
  if (!xlaVulkanMapSet(&e->map, key, value))
    xlaVulkanEmitFail(e, e->ir.location,
                      "a kernel could not be scheduled: out of memory");
}

/// The dimensions at point `p`, by the op's own numbers; null where dropped.
static void setIndices(Walk *walk, int p, MlirValue *indices, int64_t *sizes,
                       int nIndices) {
  XlaVulkanGroup *g = walk->g;
  const XlaSchedStage *stage = walk->stage;
  memset(indices, 0, (size_t)nIndices * sizeof *indices);
  for (int d = 0; d < nIndices; ++d)
    sizes[d] = 1;
  for (int d = 0; d < stage->nDims; ++d) {
    MlirValue index = g->iv[d];
    sizes[stage->original[d]] = stage->sizes[d];
    for (int i = 0; i < walk->unroll.n; ++i)
      if (walk->unroll.dims[i] == d && stage->indexed[d])
        index = xlaVulkanAddScaled(
            &g->e.ir, index,
            xlaIrConstantIndex(&g->e.ir, xlaVulkanDigit(&walk->unroll, p, i)),
            1);
    indices[stage->original[d]] = index;
  }
  g->e.indices = indices;
  g->e.indexSizes = sizes;
}

/// The body at point `p`. `inputs` has MAX_POINTS values an operand; `outputs`
/// are the block's last arguments and receive what it yields.
static void bodyAt(Walk *walk, int p, const MlirValue *inputs,
                   MlirValue *outputs) {
  XlaVulkanEmit *e = &walk->g->e;
  const XlaSchedStage *stage = walk->stage;
  MlirValue indices[XLA_SCHED_MAX_DIMS];
  int64_t sizes[XLA_SCHED_MAX_DIMS];
  setIndices(walk, p, indices, sizes, XLA_SCHED_MAX_DIMS);
  for (int i = 0; i < stage->nIns; ++i)
    if (isRead(stage, i))
      bind(e, mlirBlockGetArgument(stage->body, i),
           inputs[i * XLA_VULKAN_MAX_POINTS + p]);
  for (int o = 0; o < stage->nOuts; ++o)
    if (isRead(stage, stage->nIns + o))
      bind(e, mlirBlockGetArgument(stage->body, stage->nIns + o), outputs[o]);
  xlaVulkanCloneBlock(e, stage->body);
  MlirOperation yield = mlirBlockGetTerminator(stage->body);
  for (int o = 0; o < stage->nOuts; ++o)
    outputs[o] = xlaVulkanValue(e, mlirOperationGetOperand(yield, o));
}

/// All points: `results` has MAX_POINTS values an output, or `carry` is given.
static void bodies(Walk *walk, MlirValue *results, MlirValue *carry) {
  const XlaSchedStage *stage = walk->stage;
  int points = xlaVulkanPoints(&walk->unroll), nOuts = stage->nOuts;
  int inner = points / xlaVulkanPoints(&walk->g->shared);
  size_t n = (size_t)(stage->nIns + nOuts);
  MlirValue *inputs = calloc(n * XLA_VULKAN_MAX_POINTS + 1, sizeof *inputs);
  MlirValue *outputs = calloc((size_t)nOuts + 1, sizeof *outputs);
  if (!inputs || !outputs) {
    xlaVulkanEmitFail(&walk->g->e, walk->g->e.ir.location,
                      "a kernel could not be scheduled: out of memory");
    free(inputs);
    free(outputs);
    return;
  }
  for (int i = 0; i < stage->nIns + (carry ? 0 : nOuts); ++i)
    if (isRead(stage, i))
      readPoints(walk, i, inputs + (size_t)i * XLA_VULKAN_MAX_POINTS);
  for (int p = 0; p < points && !walk->g->e.failed; ++p) {
    for (int o = 0; o < nOuts; ++o)
      outputs[o] = carry
                       ? carry[p / inner * nOuts + o]
                       : inputs[(stage->nIns + o) * XLA_VULKAN_MAX_POINTS + p];
    if (stage->body.ptr)
      bodyAt(walk, p, inputs, outputs);
    else
      outputs[0] =
          xlaVulkanValue(&walk->g->e, mlirOperationGetOperand(stage->op, 0));
    for (int o = 0; o < nOuts; ++o)
      *(carry ? &carry[p / inner * nOuts + o]
              : &results[o * XLA_VULKAN_MAX_POINTS + p]) = outputs[o];
  }
  free(inputs);
  free(outputs);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Writes output `o` at the shared points and the present outer ones inside.
static void writeOutput(Walk *walk, int o, const XlaVulkanUnroll *unroll,
                        const MlirValue *values) {
  const XlaSchedStage *stage = walk->stage;
  const XlaSchedAccess *access = &stage->accesses[stage->nIns + o];
  if (xlaVulkanIsInner(walk->g, stage, access))
    xlaVulkanStorePoints(walk->g, stage, access, unroll, values);
  else
    xlaVulkanWriteShared(walk->g, stage, access, values);
}

static void leaf(Walk *walk) {
  int nOuts = walk->stage->nOuts;
  MlirValue *results =
      calloc((size_t)nOuts * XLA_VULKAN_MAX_POINTS + 1, sizeof *results);
  if (!results) {
    xlaVulkanEmitFail(&walk->g->e, walk->g->e.ir.location,
                      "a kernel could not be scheduled: out of memory");
    return;
  }
  bodies(walk, results, NULL);
  for (int o = 0; o < nOuts && !walk->g->e.failed; ++o)
    writeOutput(walk, o, &walk->unroll,
                results + (size_t)o * XLA_VULKAN_MAX_POINTS);
  free(results);
}

/// The accumulators' first values: what the outputs hold.
static void readAccumulators(Walk *walk, MlirValue *carry) {
  XlaVulkanGroup *g = walk->g;
  const XlaSchedStage *stage = walk->stage;
  int points = xlaVulkanPoints(&g->shared);
  for (int o = 0; o < stage->nOuts; ++o) {
    const XlaSchedAccess *access = &stage->accesses[stage->nIns + o];
    MlirValue values[XLA_VULKAN_MAX_POINTS];
    if (xlaVulkanIsInner(g, stage, access))
      xlaVulkanLoadPoints(g, stage, access, &g->shared, values);
    else
      memcpy(values, xlaVulkanReadShared(g, stage, access), sizeof values);
    for (int p = 0; p < points; ++p)
      carry[p * stage->nOuts + o] = values[p];
  }
}

static void writeAccumulators(Walk *walk, const MlirValue *carry) {
  const XlaSchedStage *stage = walk->stage;
  int points = xlaVulkanPoints(&walk->g->shared);
  for (int o = 0; o < stage->nOuts; ++o) {
    MlirValue values[XLA_VULKAN_MAX_POINTS];
    for (int p = 0; p < points; ++p)
      values[p] = carry[p * stage->nOuts + o];
    writeOutput(walk, o, &walk->g->shared, values);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void level(const Level *at, MlirValue *carry);

static void iteration(XlaVulkanEmit *e, MlirValue index, MlirValue *carry,
                      void *user) {
  const Level *at = user;
  (void)e;
  at->walk->g->iv[at->d] = index;
  level(&(Level){at->walk, at->d + 1, at->isCarrying}, carry);
}

/// Accumulators over the reduction dimensions, which are the last.
static void reduce(const Level *at) {
  Walk *walk = at->walk;
  MlirValue *carry = calloc((size_t)carried(walk) + 1, sizeof *carry);
  if (!carry) {
    xlaVulkanEmitFail(&walk->g->e, walk->g->e.ir.location,
                      "a kernel could not be scheduled: out of memory");
    return;
  }
  readAccumulators(walk, carry);
  level(&(Level){walk, at->d, true}, carry);
  if (!walk->g->e.failed)
    writeAccumulators(walk, carry);
  free(carry);
}

static void level(const Level *at, MlirValue *carry) {
  Walk *walk = at->walk;
  const XlaSchedStage *stage = walk->stage;
  XlaVulkanEmit *e = &walk->g->e;
  if (e->failed)
    return;
  if (at->d == stage->nDims) {
    if (at->isCarrying)
      bodies(walk, NULL, carry);
    else
      leaf(walk);
    return;
  }
  if (!at->isCarrying && stage->reduction[at->d]) {
    reduce(at);
    return;
  }
  int64_t step = 1, size = stage->sizes[at->d];
  for (int i = walk->g->shared.n; i < walk->unroll.n; ++i)
    if (walk->unroll.dims[i] == at->d)
      step = walk->unroll.factors[i];
  Level copy = *at;
  MlirValue zero = xlaIrConstantIndex(&e->ir, 0);
  MlirValue upper = xlaIrConstantIndex(&e->ir, size);
  xlaVulkanLoop(e, zero, upper, step, size / step,
                at->isCarrying ? carried(walk) : 0, carry, iteration, &copy);
}

void xlaVulkanEmitStage(XlaVulkanGroup *g, const XlaSchedStage *stage) {
  Walk walk = {g, stage, g->shared, xlaVulkanReduces(stage)};
  int width, inner = xlaVulkanInnerUnroll(g, stage, &width);
  if (inner >= 0) {
    walk.unroll.dims[walk.unroll.n] = inner;
    walk.unroll.factors[walk.unroll.n++] = width;
  }
  xlaVulkanSynchronize(g, stage);
  // What does not change inside is read before the loops.
  for (int i = 0; i < stage->nIns; ++i)
    if (isRead(stage, i) && !xlaVulkanIsInner(g, stage, &stage->accesses[i]))
      xlaVulkanReadShared(g, stage, &stage->accesses[i]);
  level(&(Level){&walk, g->stages->nShared, false}, NULL);
}

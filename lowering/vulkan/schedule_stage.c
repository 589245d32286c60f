//===- schedule_stage.c - One cluster in a thread -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule_group.h"

#include <stdlib.h>
#include <string.h>

/// What a stage of the cluster wrote inside, for those behind it.
typedef struct Local {
  const XlaSchedStage *stage;
  const XlaSchedAccess *access;
  MlirValue values[XLA_VULKAN_MAX_POINTS];
} Local;

/// A cluster being written.
typedef struct Walk {
  XlaVulkanGroup *g;
  const XlaSchedCluster *cluster;
  int from, to;           ///< its stages that share these loops
  XlaVulkanUnroll unroll; ///< of the shared dimensions, then one inside
  int width;              ///< elements of that one
  int nLocals;
  Local *locals;
  /// Where a row has several threads: how each accumulator, which is in the
  /// combiner's type, is combined. All points share it.
  const XlaSchedReducer *reducers;
} Walk;

/// The loops from dimension `d` on. `carry` has the stages' accumulators for
/// each of `accumulators` points while they are carried.
typedef struct Level {
  Walk *walk;
  int d;
  bool isCarrying;
} Level;

static const XlaSchedStage *stageAt(const Walk *walk, int k) {
  return &walk->g->stages->stages[walk->cluster->stages[k]];
}

/// Accumulators of a point.
static int nCarried(const Walk *walk) {
  int n = 0;
  for (int k = walk->from; k < walk->to; ++k)
    if (xlaVulkanReduces(stageAt(walk, k)))
      n += stageAt(walk, k)->nOuts;
  return n;
}

/// Points that have accumulators of their own.
static int accumulators(const Walk *walk) {
  return walk->reducers ? 1 : xlaVulkanPoints(&walk->g->shared);
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

static const Local *findLocal(const Walk *walk, const XlaSchedStage *stage,
                              const XlaSchedAccess *access) {
  for (int i = 0; i < walk->nLocals; ++i)
    if (xlaSchedSameAccess(walk->locals[i].access, walk->locals[i].stage->nDims,
                           access, stage->nDims))
      return &walk->locals[i];
  return NULL;
}

/// Elements of access `i` at all points.
static void readPoints(Walk *walk, const XlaSchedStage *stage, int i,
                       MlirValue *values) {
  XlaVulkanGroup *g = walk->g;
  const XlaSchedAccess *access = &stage->accesses[i];
  XlaVulkanKnown *known = xlaVulkanFindKnown(g, stage, access);
  const Local *local = findLocal(walk, stage, access);
  int points = xlaVulkanPoints(&walk->unroll);
  int inner = points / xlaVulkanPoints(&g->shared);
  if (local) {
    memcpy(values, local->values, (size_t)points * sizeof *values);
    return;
  }
  if (!known) {
    xlaVulkanLoadPoints(g, stage, access, &walk->unroll, values);
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
static void setIndices(Walk *walk, const XlaSchedStage *stage, int p,
                       MlirValue *indices, int64_t *sizes, int nIndices) {
  XlaVulkanGroup *g = walk->g;
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

/// Clones the body but for what widens accumulators that are wide already.
static void cloneBody(Walk *walk, const XlaSchedStage *stage,
                      const XlaSchedReducer *reducers) {
  XlaVulkanEmit *e = &walk->g->e;
  MlirOperation end = mlirBlockGetTerminator(stage->body);
  for (MlirOperation op = mlirBlockGetFirstOperation(stage->body);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    bool isWidening = false;
    for (int o = 0; reducers && o < stage->nOuts; ++o)
      isWidening |=
          reducers[o].widen &&
          mlirValueEqual(mlirOperationGetResult(op, 0), reducers[o].carriedIn);
    if (!isWidening)
      xlaVulkanClone(e, op);
  }
}

/// The body at point `p`. `inputs` has MAX_POINTS values an operand; `outputs`
/// are the block's last arguments and receive what it yields.
static void bodyAt(Walk *walk, const XlaSchedStage *stage,
                   const XlaSchedReducer *reducers, int p,
                   const MlirValue *inputs, MlirValue *outputs) {
  XlaVulkanEmit *e = &walk->g->e;
  MlirValue indices[XLA_SCHED_MAX_DIMS];
  int64_t sizes[XLA_SCHED_MAX_DIMS];
  setIndices(walk, stage, p, indices, sizes, XLA_SCHED_MAX_DIMS);
  for (int i = 0; i < stage->nIns; ++i)
    if (isRead(stage, i))
      bind(e, mlirBlockGetArgument(stage->body, i),
           inputs[i * XLA_VULKAN_MAX_POINTS + p]);
  for (int o = 0; o < stage->nOuts; ++o)
    if (reducers)
      bind(e, reducers[o].carriedIn, outputs[o]);
    else if (isRead(stage, stage->nIns + o))
      bind(e, mlirBlockGetArgument(stage->body, stage->nIns + o), outputs[o]);
  cloneBody(walk, stage, reducers);
  MlirOperation yield = mlirBlockGetTerminator(stage->body);
  for (int o = 0; o < stage->nOuts; ++o)
    outputs[o] =
        xlaVulkanValue(e, reducers ? reducers[o].carriedOut
                                   : mlirOperationGetOperand(yield, o));
}

static void *allocate(Walk *walk, size_t n, size_t size) {
  void *memory = calloc(n + 1, size);
  if (!memory)
    xlaVulkanEmitFail(&walk->g->e, walk->g->e.ir.location,
                      "a kernel could not be scheduled: out of memory");
  return memory;
}

/// One stage at all points: `results` has MAX_POINTS values an output, or
/// `carry` is given: accumulators for as many points, `stride` values apart.
static void bodies(Walk *walk, const XlaSchedStage *stage, MlirValue *results,
                   MlirValue *carry, int nAccumulators, int stride,
                   const XlaSchedReducer *reducers) {
  int points = xlaVulkanPoints(&walk->unroll), nOuts = stage->nOuts;
  int inner = points / nAccumulators;
  size_t n = (size_t)(stage->nIns + nOuts);
  MlirValue *inputs = allocate(walk, n * XLA_VULKAN_MAX_POINTS, sizeof *inputs);
  MlirValue *outputs = allocate(walk, (size_t)nOuts, sizeof *outputs);
  if (!inputs || !outputs) {
    free(inputs);
    free(outputs);
    return;
  }
  for (int i = 0; i < stage->nIns + (carry ? 0 : nOuts); ++i)
    if (isRead(stage, i))
      readPoints(walk, stage, i, inputs + (size_t)i * XLA_VULKAN_MAX_POINTS);
  for (int p = 0; p < points && !walk->g->e.failed; ++p) {
    for (int o = 0; o < nOuts; ++o)
      outputs[o] = carry
                       ? carry[p / inner * stride + o]
                       : inputs[(stage->nIns + o) * XLA_VULKAN_MAX_POINTS + p];
    if (stage->body.ptr)
      bodyAt(walk, stage, reducers, p, inputs, outputs);
    else
      outputs[0] =
          xlaVulkanValue(&walk->g->e, mlirOperationGetOperand(stage->op, 0));
    for (int o = 0; o < nOuts; ++o)
      *(carry ? &carry[p / inner * stride + o]
              : &results[o * XLA_VULKAN_MAX_POINTS + p]) = outputs[o];
  }
  free(inputs);
  free(outputs);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Does nothing outside of these loops read what the access writes?
static bool staysInside(const Walk *walk, const XlaSchedAccess *access) {
  MlirValue start, root = xlaVulkanRoot(access->view, &start);
  return mlirValueIsAOpResult(root) &&
         xlaIrIsOp(mlirOpResultGetOwner(root), "memref.alloc") &&
         xlaVulkanIsPrivate(walk->g, walk->cluster->stages + walk->from,
                            walk->to - walk->from, root);
}

/// Writes output `o` at the shared points and the present outer ones inside.
static void writeOutput(Walk *walk, const XlaSchedStage *stage, int o,
                        const XlaVulkanUnroll *unroll,
                        const MlirValue *values) {
  const XlaSchedAccess *access = &stage->accesses[stage->nIns + o];
  if (!xlaVulkanIsInner(walk->g, stage, access)) {
    xlaVulkanWriteShared(walk->g, stage, access, values);
    return;
  }
  if (walk->locals) {
    Local *local = &walk->locals[walk->nLocals++];
    local->stage = stage;
    local->access = access;
    memcpy(local->values, values,
           (size_t)xlaVulkanPoints(unroll) * sizeof *values);
    if (staysInside(walk, access))
      return;
  }
  xlaVulkanStorePoints(walk->g, stage, access, unroll, values);
}

static void leaf(Walk *walk, const XlaSchedStage *stage) {
  int nOuts = stage->nOuts;
  MlirValue *results =
      allocate(walk, (size_t)nOuts * XLA_VULKAN_MAX_POINTS, sizeof *results);
  if (!results)
    return;
  bodies(walk, stage, results, NULL, 1, 0, NULL);
  for (int o = 0; o < nOuts && !walk->g->e.failed; ++o)
    writeOutput(walk, stage, o, &walk->unroll,
                results + (size_t)o * XLA_VULKAN_MAX_POINTS);
  free(results);
}

/// A stage of a row with several threads: all points begin anew, are combined
/// in pairs, and then with the accumulator, which loops carry.
static void combinePoints(Walk *walk, const XlaSchedStage *stage,
                          const XlaSchedReducer *reducers, MlirValue *carry) {
  XlaIr *ir = &walk->g->e.ir;
  int nOuts = stage->nOuts, points = walk->width;
  MlirValue *parts = allocate(walk, (size_t)(nOuts * points), sizeof *parts);
  for (int i = 0; parts && i < nOuts * points; ++i)
    parts[i] =
        xlaSchedNeutral(ir, &reducers[i % nOuts], reducers[i % nOuts].carried);
  if (parts)
    bodies(walk, stage, NULL, parts, points, nOuts, reducers);
  for (int half = points / 2; parts && half; half /= 2)
    for (int i = 0; i < half * nOuts; ++i)
      parts[i] = xlaSchedCombine(ir, &reducers[i % nOuts], parts[i],
                                 parts[i + half * nOuts]);
  for (int o = 0; parts && o < nOuts; ++o)
    carry[o] = xlaSchedCombine(ir, &reducers[o], carry[o], parts[o]);
  free(parts);
}

/// All stages at a point of the loops.
static void leaves(Walk *walk, MlirValue *carry) {
  int stride = nCarried(walk), c = 0;
  walk->nLocals = 0;
  for (int k = walk->from; k < walk->to && !walk->g->e.failed; ++k) {
    const XlaSchedStage *stage = stageAt(walk, k);
    if (!xlaVulkanReduces(stage)) {
      leaf(walk, stage);
      continue;
    }
    if (!carry)
      return; // reductions have accumulators
    if (walk->reducers)
      combinePoints(walk, stage, walk->reducers + c, carry + c);
    else
      bodies(walk, stage, NULL, carry + c, accumulators(walk), stride, NULL);
    c += stage->nOuts;
  }
  walk->nLocals = 0;
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// What the outputs hold.
static void readAccumulators(Walk *walk, const XlaSchedStage *stage, int stride,
                             MlirValue *carry) {
  XlaVulkanGroup *g = walk->g;
  int points = xlaVulkanPoints(&g->shared);
  for (int o = 0; o < stage->nOuts; ++o) {
    const XlaSchedAccess *access = &stage->accesses[stage->nIns + o];
    MlirValue values[XLA_VULKAN_MAX_POINTS];
    if (xlaVulkanIsInner(g, stage, access))
      xlaVulkanLoadPoints(g, stage, access, &g->shared, values);
    else
      memcpy(values, xlaVulkanReadShared(g, stage, access), sizeof values);
    for (int p = 0; p < points; ++p)
      carry[p * stride + o] = values[p];
  }
}

static void writeAccumulators(Walk *walk, const XlaSchedStage *stage,
                              int stride, const MlirValue *carry) {
  int points = xlaVulkanPoints(&walk->g->shared);
  for (int o = 0; o < stage->nOuts; ++o) {
    MlirValue values[XLA_VULKAN_MAX_POINTS];
    for (int p = 0; p < points; ++p)
      values[p] = carry[p * stride + o];
    writeOutput(walk, stage, o, &walk->g->shared, values);
  }
}

/// The partial results of all threads, and what the output held.
static void combineRow(Walk *walk, const XlaSchedStage *stage,
                       const XlaSchedReducer *reducers,
                       const MlirValue *carry) {
  XlaVulkanGroup *g = walk->g;
  XlaIr *ir = &g->e.ir;
  for (int o = 0; o < stage->nOuts; ++o) {
    const XlaSchedAccess *access = &stage->accesses[stage->nIns + o];
    MlirValue row = xlaVulkanAcross(g, &reducers[o], carry[o]);
    MlirValue first = *xlaVulkanReadShared(g, stage, access);
    first = xlaSchedWiden(ir, &reducers[o], first);
    row = xlaSchedCombine(ir, &reducers[o], first, row);
    row = xlaSchedNarrow(ir, &reducers[o], access->element, row);
    xlaVulkanWriteShared(g, stage, access, &row);
  }
}

static void beginAccumulators(Walk *walk, MlirValue *carry) {
  int stride = nCarried(walk), c = 0;
  for (int i = 0; walk->reducers && i < stride; ++i) {
    const XlaSchedReducer *reducer = &walk->reducers[i];
    carry[i] = xlaSchedNeutral(&walk->g->e.ir, reducer, reducer->carried);
  }
  for (int k = walk->from; k < walk->to; ++k)
    if (xlaVulkanReduces(stageAt(walk, k))) {
      if (!walk->reducers)
        readAccumulators(walk, stageAt(walk, k), stride, carry + c);
      c += stageAt(walk, k)->nOuts;
    }
}

static void endAccumulators(Walk *walk, const MlirValue *carry) {
  int stride = nCarried(walk), c = 0;
  for (int k = walk->from; k < walk->to && !walk->g->e.failed; ++k) {
    const XlaSchedStage *stage = stageAt(walk, k);
    if (!xlaVulkanReduces(stage))
      continue;
    if (walk->reducers)
      combineRow(walk, stage, walk->reducers + c, carry + c);
    else
      writeAccumulators(walk, stage, stride, carry + c);
    c += stage->nOuts;
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
  size_t n = (size_t)nCarried(walk) * (size_t)accumulators(walk);
  MlirValue *carry = allocate(walk, n, sizeof *carry);
  if (!carry)
    return;
  beginAccumulators(walk, carry);
  level(&(Level){walk, at->d, true}, carry);
  endAccumulators(walk, carry);
  free(carry);
}

/// An iteration of a loop that is dealt out: every thread takes its piece.
static void deal(XlaVulkanEmit *e, MlirValue index, MlirValue *carry,
                 void *user) {
  const Level *at = user;
  XlaVulkanGroup *g = at->walk->g;
  iteration(e, xlaVulkanAddScaled(&e->ir, index, g->lane, g->width), carry,
            user);
}

/// What is left of the last dimension, for the first threads of the row.
static void dealRest(const Level *at, int64_t from, int64_t size,
                     MlirValue *carry) {
  XlaVulkanGroup *g = at->walk->g;
  XlaVulkanEmit *e = &g->e;
  XlaIr outer = e->ir, then, otherwise;
  int n = carry ? nCarried(at->walk) * accumulators(at->walk) : 0;
  MlirValue index = xlaVulkanAddScaled(&outer, xlaIrConstantIndex(&outer, from),
                                       g->lane, g->width);
  MlirValue inside =
      xlaIrCmpI(&outer, "ult", index, xlaIrConstantIndex(&outer, size));
  MlirType *types = allocate(at->walk, (size_t)n, sizeof *types);
  MlirValue *next = allocate(at->walk, (size_t)n, sizeof *next);
  if (types && next) {
    for (int i = 0; i < n; ++i)
      types[i] = mlirValueGetType(carry[i]);
    MlirOperation op =
        xlaVulkanBranch(&outer, inside, n, types, &then, &otherwise);
    if (n)
      memcpy(next, carry, (size_t)n * sizeof *next);
    e->ir = then;
    iteration(e, index, next, (void *)(uintptr_t)at);
    xlaIrYield(&e->ir, n, next);
    xlaIrYield(&otherwise, n, carry);
    e->ir = outer;
    for (int i = 0; i < n; ++i)
      carry[i] = mlirOperationGetResult(op, i);
  }
  free(types);
  free(next);
}

static void level(const Level *at, MlirValue *carry) {
  Walk *walk = at->walk;
  const XlaSchedStage *stage = stageAt(walk, walk->from);
  XlaVulkanEmit *e = &walk->g->e;
  if (e->failed)
    return;
  if (at->d == stage->nDims) {
    leaves(walk, carry);
    return;
  }
  // Stages that share loops reduce over all dimensions inside, or none.
  bool reduces = false;
  for (int k = walk->from; k < walk->to; ++k)
    reduces |= stageAt(walk, k)->reduction[at->d];
  if (!at->isCarrying && reduces) {
    reduce(at);
    return;
  }
  bool isLast = at->d == stage->nDims - 1;
  bool isDealt = isLast && walk->g->lanes > 1;
  int64_t size = stage->sizes[at->d], step = isLast ? walk->width : 1;
  if (isDealt)
    step *= walk->g->lanes;
  Level copy = *at;
  MlirValue zero = xlaIrConstantIndex(&e->ir, 0);
  MlirValue upper = xlaIrConstantIndex(&e->ir, size / step * step);
  xlaVulkanLoop(e, zero, upper, step, size / step,
                at->isCarrying ? nCarried(walk) * accumulators(walk) : 0, carry,
                isDealt ? deal : iteration, &copy);
  if (isDealt && size % step)
    dealRest(at, size / step * step, size, carry);
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Stages [from, to) of the cluster in one nest of loops.
static void emitLoops(XlaVulkanGroup *g, const XlaSchedCluster *cluster,
                      int from, int to) {
  Walk walk = {.g = g,
               .cluster = cluster,
               .from = from,
               .to = to,
               .unroll = g->shared,
               .width = 1};
  int nOuts = 0;
  if (stageAt(&walk, from)->nDims > g->stages->nShared) {
    walk.width = g->lanes > 1 ? g->width : xlaVulkanInnerWidth(g, cluster);
    walk.reducers = g->lanes > 1 ? cluster->reducers : NULL;
  }
  if (walk.width > 1) {
    walk.unroll.dims[walk.unroll.n] = stageAt(&walk, from)->nDims - 1;
    walk.unroll.factors[walk.unroll.n++] = walk.width;
  }
  for (int k = from; k < to; ++k) {
    const XlaSchedStage *stage = stageAt(&walk, k);
    nOuts += stage->nOuts;
    xlaVulkanSynchronize(g, stage);
    // What does not change inside is read before the loops.
    for (int i = 0; i < stage->nIns; ++i)
      if (isRead(stage, i) && !xlaVulkanIsInner(g, stage, &stage->accesses[i]))
        xlaVulkanReadShared(g, stage, &stage->accesses[i]);
  }
  if (to - from > 1)
    walk.locals = allocate(&walk, (size_t)nOuts, sizeof *walk.locals);
  level(&(Level){&walk, g->stages->nShared, false}, NULL);
  free(walk.locals);
}

void xlaVulkanEmitCluster(XlaVulkanGroup *g, const XlaSchedCluster *cluster) {
  const XlaSchedStage *first = &g->stages->stages[*cluster->stages];
  // Without loops inside, stages only follow each other.
  bool isFlat = first->nDims == g->stages->nShared;
  for (int k = 0; isFlat && k < cluster->nStages && !g->e.failed; ++k)
    emitLoops(g, cluster, k, k + 1);
  if (!isFlat)
    emitLoops(g, cluster, 0, cluster->nStages);
}

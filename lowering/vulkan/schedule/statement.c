//===- statement.c - One cluster in a thread ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/points.h"

#include <stdlib.h>
#include <string.h>

/// The loops from dimension `d` on. While accumulators are carried, the values
/// beside a level are those of the statements for each of `accumulators`
/// points.
typedef struct Level {
  XlaVulkanWalk *walk;
  int d;
  bool isCarrying;
} Level;

static const XlaSchedStatement *statementAt(const XlaVulkanWalk *walk, int k) {
  return &walk->g->statements->statements[walk->cluster->statements[k]];
}

/// Accumulators of a point.
static int nCarried(const XlaVulkanWalk *walk) {
  int n = 0;
  for (int k = walk->from; k < walk->to; ++k)
    if (xlaSchedReduces(statementAt(walk, k)))
      n += statementAt(walk, k)->nOuts;
  return n;
}

/// Points that have accumulators of their own.
static int accumulators(const XlaVulkanWalk *walk) {
  return walk->reducers ? 1 : xlaVulkanPoints(&walk->g->shared);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Does nothing outside of these loops read what the access writes?
static bool staysInside(const XlaVulkanWalk *walk,
                        const XlaSchedAccess *access) {
  MlirValue start, root = xlaVulkanRoot(access->view, &start);
  return xlaSchedIsAlloc(root) &&
         xlaSchedIsPrivate(walk->g->statements,
                           walk->cluster->statements + walk->from,
                           walk->to - walk->from, root);
}

/// Writes output `o` at the shared points and the present outer ones inside.
static void writeOutput(XlaVulkanWalk *walk, const XlaSchedStatement *statement,
                        int o, const XlaVulkanUnroll *unroll,
                        const MlirValue *values) {
  const XlaSchedAccess *access = &statement->accesses[statement->nIns + o];
  if (!xlaSchedIsInner(walk->g->statements, statement, access)) {
    xlaVulkanWriteShared(walk->g, statement, access, values);
    return;
  }
  if (walk->locals) {
    XlaVulkanLocal *local = &walk->locals[walk->nLocals++];
    local->statement = statement;
    local->access = access;
    memcpy(local->values, values,
           (size_t)xlaVulkanPoints(unroll) * sizeof *values);
    if (staysInside(walk, access))
      return;
  }
  xlaVulkanStorePoints(walk->g, statement, access, unroll, values);
}

static void writeStatement(XlaVulkanWalk *walk,
                           const XlaSchedStatement *statement) {
  int nOuts = statement->nOuts;
  MlirValue *results = xlaVulkanAllocate(
      walk, (size_t)nOuts * XLA_VULKAN_MAX_POINTS, sizeof *results);
  if (!results)
    return;
  xlaVulkanBodies(walk, statement, results, NULL, 1, 0, NULL);
  for (int o = 0; o < nOuts && !walk->g->e.failed; ++o)
    writeOutput(walk, statement, o, &walk->unroll,
                results + (size_t)o * XLA_VULKAN_MAX_POINTS);
  free(results);
}

/// A statement of a row with several threads: all points begin anew, without an
/// accumulator, are combined in pairs, and then with that which loops carry.
static void combinePoints(XlaVulkanWalk *walk,
                          const XlaSchedStatement *statement,
                          const XlaSchedReducer *reducers, MlirValue *carry) {
  XlaIr *ir = &walk->g->e.ir;
  int nOuts = statement->nOuts, points = walk->width;
  MlirValue *parts =
      xlaVulkanAllocate(walk, (size_t)(nOuts * points), sizeof *parts);
  if (parts)
    xlaVulkanBodies(walk, statement, NULL, parts, points, nOuts, reducers);
  for (int half = points / 2; parts && half; half /= 2)
    for (int i = 0; i < half * nOuts; ++i)
      parts[i] = xlaSchedCombine(ir, &reducers[i % nOuts], parts[i],
                                 parts[i + half * nOuts]);
  for (int o = 0; parts && o < nOuts; ++o)
    carry[o] = xlaSchedCombine(ir, &reducers[o], carry[o], parts[o]);
  free(parts);
}

/// All statements at a point of the loops.
static void innermost(XlaVulkanWalk *walk, MlirValue *carry) {
  int stride = nCarried(walk), c = 0;
  walk->nLocals = 0;
  for (int k = walk->from; k < walk->to && !walk->g->e.failed; ++k) {
    const XlaSchedStatement *statement = statementAt(walk, k);
    if (!xlaSchedReduces(statement)) {
      writeStatement(walk, statement);
      continue;
    }
    if (!carry) {
      xlaVulkanEmitFail(&walk->g->e, mlirOperationGetLocation(statement->op),
                        XLA_STATUS_INTERNAL, "a reduction has no accumulators");
      return;
    }
    if (walk->reducers)
      combinePoints(walk, statement, walk->reducers + c, carry + c);
    else
      xlaVulkanBodies(walk, statement, NULL, carry + c, accumulators(walk),
                      stride, NULL);
    c += statement->nOuts;
  }
  walk->nLocals = 0;
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// What the outputs hold.
static void readAccumulators(XlaVulkanWalk *walk,
                             const XlaSchedStatement *statement, int stride,
                             MlirValue *carry) {
  XlaVulkanGroup *g = walk->g;
  int points = xlaVulkanPoints(&g->shared);
  for (int o = 0; o < statement->nOuts; ++o) {
    const XlaSchedAccess *access = &statement->accesses[statement->nIns + o];
    MlirValue values[XLA_VULKAN_MAX_POINTS];
    if (xlaSchedIsInner(g->statements, statement, access))
      xlaVulkanLoadPoints(g, statement, access, &g->shared, values);
    else
      memcpy(values, xlaVulkanReadShared(g, statement, access), sizeof values);
    for (int p = 0; p < points; ++p)
      carry[p * stride + o] = values[p];
  }
}

static void writeAccumulators(XlaVulkanWalk *walk,
                              const XlaSchedStatement *statement, int stride,
                              const MlirValue *carry) {
  int points = xlaVulkanPoints(&walk->g->shared);
  for (int o = 0; o < statement->nOuts; ++o) {
    MlirValue values[XLA_VULKAN_MAX_POINTS];
    for (int p = 0; p < points; ++p)
      values[p] = carry[p * stride + o];
    writeOutput(walk, statement, o, &walk->g->shared, values);
  }
}

/// The partial results of all threads, and what the output held.
static void combineRow(XlaVulkanWalk *walk, const XlaSchedStatement *statement,
                       const XlaSchedReducer *reducers,
                       const MlirValue *carry) {
  XlaVulkanGroup *g = walk->g;
  XlaIr *ir = &g->e.ir;
  for (int o = 0; o < statement->nOuts; ++o) {
    const XlaSchedAccess *access = &statement->accesses[statement->nIns + o];
    MlirValue row = xlaVulkanAcross(g, &reducers[o], carry[o]);
    MlirValue first = *xlaVulkanReadShared(g, statement, access);
    first = xlaSchedWiden(ir, &reducers[o], first);
    row = xlaSchedCombine(ir, &reducers[o], first, row);
    row = xlaSchedNarrow(ir, &reducers[o], access->element, row);
    xlaVulkanWriteShared(g, statement, access, &row);
  }
}

static void beginAccumulators(XlaVulkanWalk *walk, MlirValue *carry) {
  int stride = nCarried(walk), c = 0;
  for (int i = 0; walk->reducers && i < stride; ++i) {
    const XlaSchedReducer *reducer = &walk->reducers[i];
    carry[i] = xlaSchedNeutral(&walk->g->e.ir, reducer, reducer->carried);
  }
  for (int k = walk->from; k < walk->to; ++k)
    if (xlaSchedReduces(statementAt(walk, k))) {
      if (!walk->reducers)
        readAccumulators(walk, statementAt(walk, k), stride, carry + c);
      c += statementAt(walk, k)->nOuts;
    }
}

static void endAccumulators(XlaVulkanWalk *walk, const MlirValue *carry) {
  int stride = nCarried(walk), c = 0;
  for (int k = walk->from; k < walk->to && !walk->g->e.failed; ++k) {
    const XlaSchedStatement *statement = statementAt(walk, k);
    if (!xlaSchedReduces(statement))
      continue;
    if (walk->reducers)
      combineRow(walk, statement, walk->reducers + c, carry + c);
    else
      writeAccumulators(walk, statement, stride, carry + c);
    c += statement->nOuts;
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void level(const Level *at, MlirValue *carry);

/// One value of the level's dimension.
static void iteration(const Level *at, MlirAffineExpr index, MlirValue *carry) {
  at->walk->g->iv[at->d] = index;
  level(&(Level){at->walk, at->d + 1, at->isCarrying}, carry);
}

/// Accumulators over the reduction dimensions, which are the last.
static void reduce(const Level *at) {
  XlaVulkanWalk *walk = at->walk;
  size_t n = (size_t)nCarried(walk) * (size_t)accumulators(walk);
  MlirValue *carry = xlaVulkanAllocate(walk, n, sizeof *carry);
  if (!carry)
    return;
  beginAccumulators(walk, carry);
  level(&(Level){walk, at->d, true}, carry);
  endAccumulators(walk, carry);
  free(carry);
}

/// Values that the loops of the level carry.
static int nLoopCarried(const Level *at) {
  return at->isCarrying ? nCarried(at->walk) * accumulators(at->walk) : 0;
}

/// Iteration `turn` of the level's loop: in a dimension that is dealt out every
/// thread takes its piece.
static void turns(XlaVulkanEmit *e, MlirAffineExpr turn, MlirValue *carry,
                  void *user) {
  const Level *at = user;
  XlaVulkanWalk *walk = at->walk;
  const XlaVulkanGroup *g = walk->g;
  bool isLast = at->d == statementAt(walk, walk->from)->nDims - 1;
  (void)e;
  if (isLast && g->schedule.lanes > 1)
    turn = xlaExprAdd(xlaExprScale(turn, g->schedule.width * g->schedule.lanes),
                      xlaExprScale(g->lane, g->schedule.width));
  else if (isLast)
    turn = xlaExprScale(turn, walk->width);
  iteration(at, turn, carry);
}

/// What is left of the last dimension, for the first threads of the row.
static void dealRest(const Level *at, int64_t from, int64_t size,
                     MlirValue *carry) {
  XlaVulkanGroup *g = at->walk->g;
  XlaVulkanEmit *e = &g->e;
  XlaIr outer = e->ir, then, otherwise;
  int n = nLoopCarried(at);
  MlirAffineExpr index =
      xlaExprShift(xlaExprScale(g->lane, g->schedule.width), from);
  MlirAffineExpr left = xlaAffineBelow(index, size);
  MlirType *types = xlaVulkanAllocate(at->walk, (size_t)n, sizeof *types);
  MlirValue *next = xlaVulkanAllocate(at->walk, (size_t)n, sizeof *next);
  if (types && next) {
    for (int i = 0; i < n; ++i)
      types[i] = mlirValueGetType(carry[i]);
    MlirOperation op = xlaAffineBranch(&e->nest, &outer, 1, &left, n, types,
                                       &then, &otherwise);
    if (n)
      memcpy(next, carry, (size_t)n * sizeof *next);
    e->ir = then;
    iteration(at, index, next);
    xlaAffineYield(&e->ir, n, next);
    xlaAffineYield(&otherwise, n, carry);
    e->ir = outer;
    for (int i = 0; i < n; ++i)
      carry[i] = mlirOperationGetResult(op, i);
  }
  free(types);
  free(next);
}

static void level(const Level *at, MlirValue *carry) {
  XlaVulkanWalk *walk = at->walk;
  const XlaSchedStatement *statement = statementAt(walk, walk->from);
  XlaVulkanEmit *e = &walk->g->e;
  if (e->failed)
    return;
  if (at->d == statement->nDims) {
    innermost(walk, carry);
    return;
  }
  // Statements that share loops reduce over all dimensions inside, or none.
  bool reduces = false;
  for (int k = walk->from; k < walk->to; ++k)
    reduces |= statementAt(walk, k)->reduction[at->d];
  if (!at->isCarrying && reduces) {
    reduce(at);
    return;
  }
  bool isLast = at->d == statement->nDims - 1;
  bool isDealt = isLast && walk->g->schedule.lanes > 1;
  int64_t size = statement->sizes[at->d], step = isLast ? walk->width : 1;
  if (isDealt)
    step *= walk->g->schedule.lanes;
  Level copy = *at;
  xlaVulkanAffineLoop(e, size / step, nLoopCarried(at), carry, turns, &copy);
  if (isDealt && size % step)
    dealRest(at, size / step * step, size, carry);
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Statements [from, to) of the cluster in one nest of loops.
static void emitLoops(XlaVulkanGroup *g, const XlaSchedCluster *cluster,
                      int from, int to) {
  XlaVulkanWalk walk = {.g = g,
                        .cluster = cluster,
                        .from = from,
                        .to = to,
                        .unroll = g->shared,
                        .width = 1};
  int nOuts = 0;
  if (statementAt(&walk, from)->nDims > g->statements->nShared) {
    walk.width = xlaVulkanClusterWidth(g, cluster);
    walk.reducers = g->schedule.lanes > 1 ? cluster->reducers : NULL;
  }
  if (walk.width > 1) {
    walk.unroll.dims[walk.unroll.n] = statementAt(&walk, from)->nDims - 1;
    walk.unroll.factors[walk.unroll.n++] = walk.width;
  }
  for (int k = from; k < to; ++k) {
    const XlaSchedStatement *statement = statementAt(&walk, k);
    nOuts += statement->nOuts;
    xlaVulkanSynchronize(g, statement);
    // What does not change inside is read before the loops.
    for (int i = 0; i < statement->nIns; ++i)
      if (xlaSchedIsRead(statement, i) &&
          !xlaSchedIsInner(g->statements, statement, &statement->accesses[i]))
        xlaVulkanReadShared(g, statement, &statement->accesses[i]);
  }
  if (to - from > 1)
    walk.locals = xlaVulkanAllocate(&walk, (size_t)nOuts, sizeof *walk.locals);
  level(&(Level){&walk, g->statements->nShared, false}, NULL);
  free(walk.locals);
}

void xlaVulkanEmitCluster(XlaVulkanGroup *g, const XlaSchedCluster *cluster) {
  const XlaSchedStatement *first =
      &g->statements->statements[*cluster->statements];
  // Without loops inside, statements only follow each other.
  bool isFlat = first->nDims == g->statements->nShared;
  for (int k = 0; isFlat && k < cluster->nStatements && !g->e.failed; ++k)
    emitLoops(g, cluster, k, k + 1);
  if (!isFlat)
    emitLoops(g, cluster, 0, cluster->nStatements);
}

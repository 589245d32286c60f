//===- tiles.c - Tiles of workgroups --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a workgroup take the points of a statement in turns, those
// beside each other points beside each other.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/group.h"

#include "mlir-c/IntegerSet.h"

#include <stdlib.h>

enum { groupSize = 256 };

static const XlaSchedStatement *statementOf(const XlaSchedNest *n,
                                            const XlaSchedCluster *cluster) {
  return &n->group->statements[*cluster->statements];
}

static void begin(XlaSchedNest *n, const XlaSchedCluster *cluster) {
  (void)cluster;
  n->width = 1;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// Sets the inner dimensions of point number `at`.
static void setInner(XlaSchedNest *n, const XlaSchedStatement *statement,
                     MlirAffineExpr at) {
  for (int d = statement->nDims; d-- > n->group->nShared;) {
    int64_t size = statement->sizes[d];
    bool isFirst = d == n->group->nShared;
    n->iv[d] =
        isFirst ? at
                : xlaAffineName(n->affine, &n->at[2], xlaExprModulo(at, size));
    if (!isFirst)
      at = xlaAffineName(n->affine, &n->at[2], xlaExprOver(at, size));
  }
}

/// What has to be at least 0 at a point that a statement does something at.
static int conditionsOf(const XlaSchedNest *n,
                        const XlaSchedStatement *statement,
                        MlirAffineExpr *conditions) {
  MlirAttribute within = mlirOperationGetDiscardableAttributeByName(
      statement->op, mlirStringRefCreateFromCString(XLA_SCHED_WITHIN));
  MlirAffineExpr dims[XLA_SCHED_MAX_DIMS];
  if (mlirAttributeIsNull(within))
    return 0;
  MlirIntegerSet set = mlirIntegerSetAttrGetValue(within);
  int count = (int)mlirIntegerSetGetNumConstraints(set);
  for (int d = 0; d < XLA_SCHED_MAX_DIMS; ++d)
    dims[d] = xlaAffineConstant(n->affine, 0);
  for (int d = 0; d < statement->nDims; ++d)
    dims[statement->original[d]] = n->iv[d];
  for (int i = 0; i < count; ++i)
    conditions[i] =
        xlaExprReplace(mlirIntegerSetGetConstraint(set, i), dims, NULL);
  return count;
}

/// All inner dimensions as one loop, of which each thread has its turns.
static bool loop(XlaSchedNest *n, const XlaSchedCluster *cluster, int d,
                 MlirValue *carry) {
  const XlaSchedStatement *statement = statementOf(n, cluster);
  const int64_t threads = ((XlaVulkanGroup *)n)->schedule.size[0];
  if (d != n->group->nShared)
    return false;
  int64_t volume = xlaSchedVolume(statement, d, statement->nDims);
  int64_t turns = xlaVulkanCeilDiv(volume, threads);
  XlaIr outside = n->at[2], then;
  MlirAffineExpr turn, conditions[1 + XLA_SCHED_MAX_DIMS];
  xlaSchedFor(n, xlaSchedBound(n, 0), xlaSchedBound(n, turns), 1, 0, NULL,
              &turn);
  n->iterations += turns;
  MlirAffineExpr at = xlaExprAdd(xlaExprScale(turn, threads), n->thread);
  setInner(n, statement, at);
  int count = conditionsOf(n, statement, conditions);
  if (turns * threads > volume)
    conditions[count++] = xlaAffineBelow(at, volume);
  XlaIr inside = n->at[2];
  if (count) {
    xlaAffineIf(n->affine, &inside, count, conditions, &then, NULL);
    n->at[2] = then;
  }
  xlaSchedInner(n, cluster, statement->nDims, carry);
  n->at[2] = inside;
  xlaSchedLeave(n, outside);
  xlaSchedForget(n, 2);
  return true;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Whether a statement reads what one of [from, s) writes.
static bool waits(const XlaSchedGroup *group, int from, int s) {
  const XlaSchedStatement *reader = &group->statements[s];
  for (int i = 0; i < reader->nIns; ++i)
    for (int t = from; t < s; ++t) {
      const XlaSchedStatement *writer = &group->statements[t];
      for (int o = writer->nIns; o < writer->nIns + writer->nOuts; ++o)
        if (mlirValueEqual(writer->accesses[o].root, reader->accesses[i].root))
          return true;
    }
  return false;
}

static void statements(XlaVulkanGroup *g) {
  XlaSchedNest *n = &g->n;
  int from = 0;
  n->at[0] = n->at[1] = n->at[2] = g->e.ir;
  for (int s = 0; s < n->group->nStatements && !n->failed; ++s) {
    if (waits(n->group, from, s)) {
      xlaVulkanBarrier(&n->at[2]);
      from = s;
    }
    xlaSchedClustersEmit(n, s, s + 1);
  }
  if (!n->failed)
    xlaSchedFlush(n);
  g->e.ir = n->at[2];
}

/// The tile of the workgroup; those beyond the last one do nothing.
static void tiles(XlaVulkanGroup *g) {
  const XlaVulkanGroupSchedule *s = &g->schedule;
  XlaIr *ir = &g->e.ir, then;
  g->n.thread = xlaAffineDim(&g->e.nest, xlaVulkanThreadId(ir, 0));
  MlirValue number = xlaVulkanFlatGroupId(ir, s->groups);
  xlaVulkanSetShared(g, number);
  if ((int64_t)s->groups[0] * s->groups[1] * s->groups[2] == s->blocks) {
    statements(g);
    return;
  }
  MlirAffineExpr left =
      xlaAffineBelow(xlaAffineDim(&g->e.nest, number), s->blocks);
  xlaAffineIf(&g->e.nest, ir, 1, &left, &then, NULL);
  XlaIr outer = *ir;
  *ir = then;
  statements(g);
  *ir = outer;
}

//===----------------------------------------------------------------------===//
// A dispatch
//===----------------------------------------------------------------------===//

/// A cluster for each statement.
static bool formClusters(XlaVulkanGroup *g) {
  XlaSchedClusters *clusters = &g->n.clusters;
  int n = g->n.group->nStatements;
  clusters->all = calloc((size_t)n + 1, sizeof *clusters->all);
  for (int s = 0; clusters->all && s < n; ++s) {
    int *number = malloc(sizeof *number);
    if (!number)
      return false;
    *number = s;
    clusters->all[clusters->n++] =
        (XlaSchedCluster){.statements = number, .nStatements = 1};
  }
  return clusters->all;
}

/// Bytes of what the workgroup keeps: each statement but the results' writes
/// one value of its own.
static int64_t keptBytes(const XlaSchedGroup *group) {
  int64_t bytes = 0;
  for (int s = 0; s < group->nStatements; ++s) {
    const XlaSchedStatement *statement = &group->statements[s];
    const XlaSchedAccess *out = &statement->accesses[statement->nIns];
    if (xlaSchedIsOfWorkgroup(out->root))
      bytes += xlaVulkanElements(out->root) * xlaVulkanOwnBytes(out->element);
  }
  return bytes;
}

static MlirLogicalResult choose(XlaVulkanGroup *g, MlirLocation location) {
  const XlaVulkanInfo *info = g->e.memory->schedule->info;
  XlaVulkanGroupSchedule *s = &g->schedule;
  uint32_t size = groupSize;
  if (size > info->maxGroupInvocations)
    size = info->maxGroupInvocations;
  if (size > info->maxGroupSize[0])
    size = info->maxGroupSize[0];
  s->lanes = s->width = 1;
  s->lanesReason = "what is read at windows is kept";
  s->tileBytes = keptBytes(g->n.group);
  s->blocks = xlaSchedVolume(g->n.group->statements, 0, g->n.group->nShared);
  s->nanoseconds = xlaVulkanNanoseconds(g);
  s->size[0] = size;
  s->size[1] = s->size[2] = 1;
  if (s->tileBytes > info->sharedBytes)
    return xlaErrorEmit(location, XLA_STATUS_UNIMPLEMENTED,
                        "a tile takes %lld bytes of a workgroup's memory, %s "
                        "has %lld",
                        (long long)s->tileBytes, info->name,
                        (long long)info->sharedBytes);
  return xlaVulkanGrid(info, s->blocks, s->groups)
             ? mlirLogicalResultSuccess()
             : xlaErrorEmit(location, XLA_STATUS_UNIMPLEMENTED,
                            "an array has more tiles than %s has workgroups",
                            info->name);
}

MlirLogicalResult xlaVulkanEmitTiles(XlaVulkanMemoryMap *memory,
                                     XlaSchedGroup *group) {
  MlirLocation location = mlirOperationGetLocation(group->statements->op);
  XlaSchedDevice device = xlaVulkanGroupDevice;
  device.begin = begin;
  device.loop = loop;
  XlaVulkanGroup g = {.n = {.device = &device, .group = group}};
  xlaSchedNestBegin(&g.n);
  g.e.memory = memory;
  MlirLogicalResult result =
      formClusters(&g) ? choose(&g, location) : xlaErrorNoMemory(location);
  if (mlirLogicalResultIsSuccess(result))
    result = xlaVulkanGroupWrite(&g, location, tiles);
  xlaSchedNestFree(&g.n);
  return result;
}

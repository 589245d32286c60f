//===- group.c - A dispatch of several statements -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/group.h"
#include "xlac/dialect/error.h"

#include "mlir-c/Diagnostics.h"

#include <stdlib.h>
#include <string.h>

static int64_t factorOf(const XlaVulkanGroup *g, int d) {
  for (int i = 0; i < g->n.shared.n; ++i)
    if (g->n.shared.dims[i] == d)
      return g->n.shared.factors[i];
  return 1;
}

/// The number is not negative: unsigned operations are cheaper than floordiv
/// and mod.
void xlaVulkanSetShared(XlaVulkanGroup *g, MlirValue id) {
  XlaIr *ir = &g->e.ir;
  for (int d = g->n.group->nShared; d-- > 0;) {
    int64_t factor = factorOf(g, d);
    MlirValue size =
        xlaIrConstantIndex(ir, g->n.group->statements->sizes[d] / factor);
    MlirValue block = d ? xlaIrBinary(ir, "arith.remui", id, size) : id;
    if (d)
      id = xlaIrBinary(ir, "arith.divui", id, size);
    g->n.iv[d] = xlaExprScale(xlaAffineDim(&g->e.nest, block), factor);
  }
}

/// The only block there is.
static void setOnly(XlaVulkanGroup *g) {
  for (int d = 0; d < g->n.group->nShared; ++d)
    g->n.iv[d] = xlaAffineConstant(&g->e.nest, 0);
}

/// A result may lie where an operand was. One thread writes the values of its
/// row: the others have read theirs before.
static void meet(XlaVulkanGroup *g) {
  if (g->schedule.isWorkgroup)
    xlaVulkanBarrier(&g->e.ir);
  else
    xlaVulkanSubgroupBarrier(&g->e.ir);
}

static void statements(XlaVulkanGroup *g) {
  XlaSchedNest *n = &g->n;
  n->at[0] = n->at[1] = n->at[2] = g->e.ir;
  xlaSchedClustersEmit(n, 0, n->clusters.n);
  g->e.ir = n->at[2];
  if (!n->failed && n->threads > 1)
    meet(g);
  n->at[2] = g->e.ir;
  if (!n->failed)
    xlaSchedFlush(n);
  g->e.ir = n->at[2];
  xlaSchedForget(n, 0);
}

/// Opens an affine.if for what is below `n`, at `g->e.ir`.
static void below(XlaVulkanGroup *g, MlirAffineExpr expr, int64_t n,
                  XlaIr *then, XlaIr *otherwise) {
  MlirAffineExpr left = xlaAffineBelow(expr, n);
  xlaAffineIf(&g->e.nest, &g->e.ir, 1, &left, then, otherwise);
}

/// The statements for the present block, and (where one dimension does not
/// divide) for single points behind the blocks.
static void blocksAndRest(XlaVulkanGroup *g, MlirAffineExpr id) {
  int64_t n = g->schedule.blocks;
  if (!g->schedule.rest) {
    statements(g);
    return;
  }
  XlaIr then, otherwise;
  below(g, id, n, &then, &otherwise);
  XlaIr outer = g->e.ir;
  g->e.ir = then;
  statements(g);
  g->e.ir = otherwise;
  g->n.iv[0] = xlaExprShift(id, n * (g->n.shared.factors[0] - 1));
  g->n.shared.n = 0;
  statements(g);
  g->n.shared = g->schedule.unroll;
  g->e.ir = outer;
}

/// The number of the thread's blocks, or row.
static MlirValue threadNumber(XlaVulkanGroup *g) {
  XlaIr *ir = &g->e.ir;
  int64_t size = g->schedule.size[0];
  MlirValue group = xlaVulkanFlatGroupId(ir, g->schedule.groups);
  if (g->schedule.lanes == 1)
    return xlaVulkanAddScaled(ir, xlaVulkanThreadId(ir, 0), group, size);
  g->n.thread = xlaAffineDim(&g->e.nest, g->schedule.isWorkgroup
                                             ? xlaVulkanThreadId(ir, 0)
                                             : xlaVulkanLaneId(ir));
  if (size == g->schedule.lanes)
    return group;
  return xlaVulkanAddScaled(ir, xlaVulkanSubgroupId(ir), group,
                            size / g->schedule.lanes);
}

static void threads(XlaVulkanGroup *g) {
  XlaVulkanEmit *e = &g->e;
  const XlaVulkanGroupSchedule *s = &g->schedule;
  int64_t size = s->size[0] / s->lanes, all = s->blocks + s->rest;
  if (all == 1 && s->lanes == 1) {
    if (s->rest)
      g->n.shared.n = 0;
    setOnly(g);
    statements(g);
    return;
  }
  MlirValue number = threadNumber(g);
  MlirAffineExpr id = xlaAffineDim(&e->nest, number);
  xlaVulkanSetShared(g, number);
  if (size * s->groups[0] * s->groups[1] * s->groups[2] == all) {
    blocksAndRest(g, id);
    return;
  }
  XlaIr then;
  below(g, id, all, &then, NULL);
  XlaIr outer = e->ir;
  e->ir = then;
  blocksAndRest(g, id);
  e->ir = outer;
}

static void begin(XlaSchedNest *n, const XlaSchedCluster *cluster) {
  const XlaVulkanGroup *g = (const XlaVulkanGroup *)n;
  const XlaSchedStatement *first = &n->group->statements[*cluster->statements];
  n->width =
      first->nDims > n->group->nShared ? xlaVulkanClusterWidth(g, cluster) : 1;
}

static bool accepts(XlaSchedNest *n, int64_t trips) {
  XlaVulkanEmit *e = &((XlaVulkanGroup *)n)->e;
  if (trips <= xlaVulkanMostTrips(e->memory->schedule))
    return true;
  xlaVulkanEmitFail(e, n->at[2].location, XLA_STATUS_UNIMPLEMENTED,
                    "a loop of %lld iterations is too long for a shader",
                    (long long)trips);
  return false;
}

/// The index of a dimension at point `p`, in its own type and in 32 bits.
static void computeIndex(XlaVulkanGroup *g, const XlaSchedStatement *statement,
                         MlirOperation op, int p) {
  XlaVulkanEmit *e = &g->e;
  int d = xlaSchedIndexDim(statement, op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue index = xlaAffineApply(&e->nest, &e->ir,
                                   xlaSchedIndexAt(&g->n, statement, op, p));
  xlaVulkanBind(e, result, index);
  int64_t last = d < 0 ? 0 : statement->sizes[d] - 1;
  if (last <= INT32_MAX)
    xlaVulkanSetNarrow(e, result,
                       xlaIrCast(&e->ir, "arith.index_cast", index,
                                 mlirIntegerTypeGet(e->ir.context, 32)),
                       0, last);
}

static void compute(XlaSchedNest *n, const XlaSchedStatement *statement,
                    MlirOperation op, int p, int level) {
  XlaVulkanGroup *g = (XlaVulkanGroup *)n;
  g->e.ir = n->at[level];
  g->e.around = n->around;
  if (xlaIrIsOp(op, "linalg.index"))
    computeIndex(g, statement, op, p);
  else
    xlaVulkanClone(&g->e, op);
  n->failed |= g->e.failed;
}

static MlirValue element(XlaSchedNest *n, MlirValue memref, MlirAffineExpr at,
                         bool isVector) {
  XlaVulkanEmit *e = &((XlaVulkanGroup *)n)->e;
  MlirType type = mlirValueGetType(memref);
  int64_t stride = 0, offset = 0;
  MlirValue start, loaded, root = xlaVulkanRoot(memref, &start);
  (void)isVector; // lanes are threads
  e->ir = n->at[2];
  mlirMemRefTypeGetStridesAndOffset(type, &stride, &offset);
  at = xlaExprScale(at, stride);
  if (start.ptr)
    at = xlaExprAdd(at, xlaAffineDim(&e->nest, xlaVulkanValue(e, start)));
  else
    at = xlaExprShift(at, offset);
  xlaVulkanLoadLanes(e, root, 1, at, &loaded);
  n->failed |= e->failed;
  return loaded;
}

static MlirValue value(XlaSchedNest *n, MlirValue key) {
  XlaVulkanEmit *e = &((XlaVulkanGroup *)n)->e;
  e->ir = n->at[2];
  MlirValue here = xlaVulkanValue(e, key);
  n->failed |= e->failed;
  return here;
}

const XlaSchedDevice xlaVulkanGroupDevice = {.maxTrips = XLA_VULKAN_MAX_TRIPS,
                                             .begin = begin,
                                             .accepts = accepts,
                                             .load = xlaVulkanLoadPoints,
                                             .store = xlaVulkanStorePoints,
                                             .isRegister = xlaVulkanIsRegister,
                                             .compute = compute,
                                             .element = element,
                                             .value = value,
                                             .across = xlaVulkanAcross};

MlirLogicalResult xlaVulkanGroupWrite(XlaVulkanGroup *g, MlirLocation location,
                                      void (*write)(XlaVulkanGroup *g)) {
  XlaVulkanMemoryMap *memory = g->e.memory;
  if (memory->schedule->report)
    xlaVulkanReport(g);
  xlaVulkanEmitBegin(&g->e, memory, location, g->schedule.size);
  g->n.affine = &g->e.nest;
  g->n.values = &g->e.values;
  write(g);
  if (g->n.failed)
    xlaVulkanEmitNoMemory(&g->e);
  if (g->e.failed) {
    xlaVulkanEmitDiscard(&g->e);
    return mlirLogicalResultFailure();
  }
  g->e.shader.ir = g->e.ir;
  g->e.iterations += g->n.iterations;
  return xlaVulkanEmitEnd(&g->e, g->schedule.groups);
}

static MlirLogicalResult emitGroup(XlaVulkanGroup *g, MlirLocation location) {
  XlaVulkanMemoryMap *memory = g->e.memory;
  xlaVulkanChoose(g);
  g->n.shared = g->schedule.unroll;
  g->n.threads = g->schedule.lanes;
  if (!g->schedule.groups[0])
    return xlaErrorEmit(location, XLA_STATUS_UNIMPLEMENTED,
                        "an array has more elements than %s has threads that "
                        "indices reach",
                        memory->schedule->info->name);
  return xlaVulkanGroupWrite(g, location, threads);
}

MlirLogicalResult xlaVulkanEmitGroup(XlaVulkanMemoryMap *memory,
                                     XlaSchedGroup *group) {
  MlirLocation location = mlirOperationGetLocation(group->statements->op);
  XlaVulkanGroup g = {.n = {.device = &xlaVulkanGroupDevice, .group = group}};
  xlaSchedNestBegin(&g.n);
  g.e.memory = memory;
  xlaSchedMergeShared(group);
  MlirLogicalResult result = xlaSchedClustersForm(group, true, &g.n.clusters);
  if (mlirLogicalResultIsSuccess(result))
    result = emitGroup(&g, location);
  else
    xlaErrorNoMemory(location);
  xlaSchedNestFree(&g.n);
  return result;
}

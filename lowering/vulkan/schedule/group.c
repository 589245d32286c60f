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
  for (int i = 0; i < g->shared.n; ++i)
    if (g->shared.dims[i] == d)
      return g->shared.factors[i];
  return 1;
}

/// The shared dimensions of block number `id`, at the shader's top level. The
/// number is not negative: unsigned operations are cheaper than floordiv and
/// mod.
static void setShared(XlaVulkanGroup *g, MlirValue id) {
  XlaIr *ir = &g->e.ir;
  for (int d = g->statements->nShared; d-- > 0;) {
    int64_t factor = factorOf(g, d);
    MlirValue size =
        xlaIrConstantIndex(ir, g->statements->statements->sizes[d] / factor);
    MlirValue block = d ? xlaIrBinary(ir, "arith.remui", id, size) : id;
    if (d)
      id = xlaIrBinary(ir, "arith.divui", id, size);
    g->iv[d] = xlaExprScale(xlaAffineDim(&g->e.nest, block), factor);
  }
}

/// The only block there is.
static void setOnly(XlaVulkanGroup *g) {
  for (int d = 0; d < g->statements->nShared; ++d)
    g->iv[d] = xlaAffineConstant(&g->e.nest, 0);
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
  for (int c = 0; c < g->clusters.n && !g->e.failed; ++c)
    xlaVulkanEmitCluster(g, &g->clusters.all[c]);
  if (!g->e.failed && g->schedule.lanes > 1)
    meet(g);
  if (!g->e.failed)
    xlaVulkanFlush(g);
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
  g->iv[0] = xlaExprShift(id, n * (g->shared.factors[0] - 1));
  g->shared.n = 0;
  statements(g);
  g->shared = g->schedule.unroll;
  g->e.ir = outer;
}

/// The number of the thread's blocks, or row.
static MlirValue threadNumber(XlaVulkanGroup *g) {
  XlaIr *ir = &g->e.ir;
  int64_t size = g->schedule.size[0];
  MlirValue group = xlaVulkanFlatGroupId(ir, g->schedule.groups);
  if (g->schedule.lanes == 1)
    return xlaVulkanAddScaled(ir, xlaVulkanThreadId(ir, 0), group, size);
  g->lane = xlaAffineDim(&g->e.nest, g->schedule.isWorkgroup
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
      g->shared.n = 0;
    setOnly(g);
    statements(g);
    return;
  }
  MlirValue number = threadNumber(g);
  MlirAffineExpr id = xlaAffineDim(&e->nest, number);
  setShared(g, number);
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

static MlirLogicalResult emitGroup(XlaVulkanGroup *g, MlirLocation location) {
  XlaVulkanMemoryMap *memory = g->e.memory;
  xlaVulkanChoose(g);
  g->shared = g->schedule.unroll;
  if (!g->schedule.groups[0])
    return xlaErrorEmit(location, XLA_STATUS_UNIMPLEMENTED,
                        "an array has more elements than the %d threads that "
                        "indices of 32 bits reach",
                        INT32_MAX);
  if (memory->schedule->report)
    xlaVulkanReport(g);
  xlaVulkanEmitBegin(&g->e, memory, location, g->schedule.size);
  threads(g);
  free(g->known);
  if (g->e.failed) {
    xlaVulkanEmitDiscard(&g->e);
    return mlirLogicalResultFailure();
  }
  g->e.shader.ir = g->e.ir;
  return xlaVulkanEmitEnd(&g->e, g->schedule.groups);
}

MlirLogicalResult xlaVulkanEmitGroup(XlaVulkanMemoryMap *memory,
                                     XlaSchedGroup *group) {
  MlirLocation location = mlirOperationGetLocation(group->statements->op);
  XlaVulkanGroup g = {.statements = group};
  g.e.memory = memory;
  xlaSchedMergeShared(group);
  MlirLogicalResult result = xlaSchedClustersForm(group, true, &g.clusters);
  if (mlirLogicalResultIsSuccess(result))
    result = emitGroup(&g, location);
  else
    xlaErrorNoMemory(location);
  xlaSchedClustersFree(&g.clusters);
  return result;
}

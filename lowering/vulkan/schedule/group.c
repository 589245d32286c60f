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

/// Number of blocks of the shared dimensions; the remainder of a single
/// dimension is not counted.
static int64_t blocks(const XlaVulkanGroup *g) {
  int64_t n = 1;
  for (int d = 0; d < g->statements->nShared; ++d)
    if (__builtin_mul_overflow(
            n, g->statements->statements->sizes[d] / factorOf(g, d), &n))
      return INT64_MAX;
  return n;
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
  if (g->isWorkgroup)
    xlaVulkanBarrier(&g->e.ir);
  else
    xlaVulkanSubgroupBarrier(&g->e.ir);
}

static void statements(XlaVulkanGroup *g) {
  for (int c = 0; c < g->clusters.n && !g->e.failed; ++c)
    xlaVulkanEmitCluster(g, &g->clusters.all[c]);
  if (!g->e.failed && g->lanes > 1)
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
static void blocksAndRest(XlaVulkanGroup *g, MlirAffineExpr id, int64_t n,
                          int64_t rest) {
  if (!rest) {
    statements(g);
    return;
  }
  XlaIr then, otherwise;
  below(g, id, n, &then, &otherwise);
  XlaIr outer = g->e.ir;
  g->e.ir = then;
  statements(g);
  g->e.ir = otherwise;
  XlaVulkanUnroll unroll = g->shared;
  g->shared.n = 0;
  g->iv[0] = xlaExprShift(id, n * (unroll.factors[0] - 1));
  statements(g);
  g->shared = unroll;
  g->e.ir = outer;
}

/// The number of the thread's blocks, or row.
static MlirValue threadNumber(XlaVulkanGroup *g, const uint32_t groups[3]) {
  XlaIr *ir = &g->e.ir;
  int64_t size = g->e.shader.groupSize[0];
  MlirValue group = xlaVulkanFlatGroupId(ir, groups);
  if (g->lanes == 1)
    return xlaVulkanAddScaled(ir, xlaVulkanThreadId(ir, 0), group, size);
  g->lane = xlaAffineDim(&g->e.nest, g->isWorkgroup ? xlaVulkanThreadId(ir, 0)
                                                    : xlaVulkanLaneId(ir));
  if (size == g->lanes)
    return group;
  return xlaVulkanAddScaled(ir, xlaVulkanSubgroupId(ir), group,
                            size / g->lanes);
}

static void threads(XlaVulkanGroup *g, const uint32_t groups[3], int64_t n,
                    int64_t rest) {
  XlaVulkanEmit *e = &g->e;
  int64_t size = e->shader.groupSize[0] / g->lanes;
  if (n + rest == 1 && g->lanes == 1) {
    if (rest)
      g->shared.n = 0;
    setOnly(g);
    statements(g);
    return;
  }
  MlirValue number = threadNumber(g, groups);
  MlirAffineExpr id = xlaAffineDim(&e->nest, number);
  setShared(g, number);
  int64_t launched = size * groups[0] * groups[1] * groups[2];
  if (launched == n + rest) {
    blocksAndRest(g, id, n, rest);
    return;
  }
  XlaIr then;
  below(g, id, n + rest, &then, NULL);
  XlaIr outer = e->ir;
  e->ir = then;
  blocksAndRest(g, id, n, rest);
  e->ir = outer;
}

/// Threads of a workgroup for `n` blocks.
static uint32_t groupSize(const XlaVulkanGroup *g, int64_t n) {
  uint32_t size = xlaVulkanGroupSize(g->e.memory->schedule->info);
  if (g->lanes == 1)
    return n == 1 ? 1 : size;
  // Few rows shall still reach all processors.
  int64_t rows = g->isWorkgroup ? 1 : size / g->lanes;
  while (rows > 1 && rows * 16 > n)
    rows /= 2;
  return (uint32_t)(rows * g->lanes);
}

static MlirLogicalResult emitGroup(XlaVulkanGroup *g, MlirLocation location) {
  XlaVulkanMemoryMap *memory = g->e.memory;
  const XlaVulkanInfo *info = memory->schedule->info;
  XlaSchedGroup *group = g->statements;
  xlaVulkanChooseLanes(g);
  if (g->lanes == 1)
    xlaVulkanChooseUnroll(g);
  int64_t n = blocks(g), rest = 0;
  if (g->shared.n && group->nShared == 1)
    rest = group->statements->sizes[0] % g->shared.factors[0];
  uint32_t groups[3] = {1, 1, 1}, size[3] = {1, 1, 1};
  bool fits = n <= INT32_MAX - rest;
  if (fits) {
    size[0] = groupSize(g, n + rest);
    int64_t perGroup = size[0] / g->lanes;
    fits = xlaVulkanGrid(info, (n + rest + perGroup - 1) / perGroup, groups);
  }
  if (fits && memory->schedule->report)
    xlaVulkanReport(g, groups, size);
  xlaVulkanEmitBegin(&g->e, memory, location, size);
  if (fits)
    threads(g, groups, n, rest);
  else
    xlaVulkanEmitFail(&g->e, location, XLA_STATUS_UNIMPLEMENTED,
                      "an array has more elements than the %d threads that "
                      "indices of 32 bits reach",
                      INT32_MAX);
  free(g->known);
  if (g->e.failed) {
    xlaVulkanEmitDiscard(&g->e);
    return mlirLogicalResultFailure();
  }
  g->e.shader.ir = g->e.ir;
  return xlaVulkanEmitEnd(&g->e, groups);
}

MlirLogicalResult xlaVulkanEmitGroup(XlaVulkanMemoryMap *memory,
                                     XlaSchedGroup *group) {
  MlirLocation location = mlirOperationGetLocation(group->statements->op);
  XlaVulkanGroup g = {.statements = group, .lanes = 1};
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

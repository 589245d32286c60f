//===- schedule_group.c - A dispatch of several stages --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule_group.h"

#include <stdlib.h>
#include <string.h>

/// Merges dimensions that are contiguous for every access: fewer divisions.
static void mergeDims(XlaSchedGroup *group) {
  for (int d = group->nShared - 2; d >= 0; --d) {
    bool all = true;
    for (int s = 0; s < group->nStages; ++s)
      all &= xlaSchedMergeable(&group->stages[s], d);
    for (int s = 0; all && s < group->nStages; ++s)
      xlaSchedMerge(&group->stages[s], d);
    group->nShared -= all;
  }
  for (int s = 0; s < group->nStages; ++s)
    for (int d = group->stages[s].nDims - 2; d >= group->nShared; --d)
      if (xlaSchedMergeable(&group->stages[s], d))
        xlaSchedMerge(&group->stages[s], d);
}

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
  for (int d = 0; d < g->stages->nShared; ++d)
    if (__builtin_mul_overflow(n, g->stages->stages->sizes[d] / factorOf(g, d),
                               &n))
      return INT64_MAX;
  return n;
}

/// The shared dimensions of block number `id`.
static void setShared(XlaVulkanGroup *g, MlirValue id) {
  XlaIr *ir = &g->e.ir;
  MlirValue zero = xlaIrConstantIndex(ir, 0);
  for (int d = g->stages->nShared; d-- > 0;) {
    int64_t factor = factorOf(g, d);
    MlirValue size =
        xlaIrConstantIndex(ir, g->stages->stages->sizes[d] / factor);
    MlirValue block = d ? xlaIrBinary(ir, "arith.remui", id, size) : id;
    if (d)
      id = xlaIrBinary(ir, "arith.divui", id, size);
    g->iv[d] = xlaVulkanAddScaled(ir, zero, block, factor);
  }
}

static void stages(XlaVulkanGroup *g) {
  for (int s = 0; s < g->stages->nStages && !g->e.failed; ++s)
    xlaVulkanEmitStage(g, &g->stages->stages[s]);
  if (!g->e.failed)
    xlaVulkanFlush(g);
}

/// The stages for the block `id`, and (where one dimension does not divide)
/// for single points behind the blocks.
static void blocksAndRest(XlaVulkanGroup *g, MlirValue id, int64_t n,
                          int64_t rest) {
  XlaIr outer = g->e.ir, then, otherwise;
  if (!rest) {
    setShared(g, id);
    stages(g);
    return;
  }
  MlirValue isBlock =
      xlaIrCmpI(&outer, "ult", id, xlaIrConstantIndex(&outer, n));
  xlaIrIf(&outer, isBlock, &then, &otherwise);
  g->e.ir = then;
  setShared(g, id);
  stages(g);
  g->e.ir = otherwise;
  XlaVulkanUnroll unroll = g->shared;
  g->shared.n = 0;
  MlirValue skip = xlaIrConstantIndex(&g->e.ir, n * (unroll.factors[0] - 1));
  setShared(g, xlaIrBinary(&g->e.ir, "arith.addi", id, skip));
  stages(g);
  g->shared = unroll;
  g->e.ir = outer;
}

static void threads(XlaVulkanGroup *g, const uint32_t groups[3], int64_t n,
                    int64_t rest) {
  XlaVulkanEmit *e = &g->e;
  int64_t size = e->shader.groupSize[0];
  if (n + rest == 1) {
    blocksAndRest(g, xlaIrConstantIndex(&e->ir, 0), n, rest);
    return;
  }
  MlirValue id = xlaVulkanAddScaled(&e->ir, xlaVulkanThreadId(&e->ir, 0),
                                    xlaVulkanFlatGroupId(&e->ir, groups), size);
  int64_t launched = size * groups[0] * groups[1] * groups[2];
  if (launched == n + rest) {
    blocksAndRest(g, id, n, rest);
    return;
  }
  XlaIr outer = e->ir, then;
  MlirValue count = xlaIrConstantIndex(&outer, n + rest);
  xlaIrIf(&outer, xlaIrCmpI(&outer, "ult", id, count), &then, NULL);
  e->ir = then;
  blocksAndRest(g, id, n, rest);
  e->ir = outer;
}

MlirLogicalResult xlaVulkanEmitGroup(XlaVulkanMemoryMap *memory,
                                     XlaSchedGroup *group) {
  const XlaVulkanInfo *info = memory->schedule->info;
  MlirLocation location = mlirOperationGetLocation(group->stages->op);
  XlaVulkanGroup g = {.stages = group, .lanes = 1};
  g.e.memory = memory;
  mergeDims(group);
  xlaVulkanChooseUnroll(&g);
  int64_t n = blocks(&g), rest = 0;
  if (g.shared.n && group->nShared == 1)
    rest = group->stages->sizes[0] % g.shared.factors[0];
  uint32_t groups[3] = {1, 1, 1}, size[3] = {1, 1, 1};
  if (n + rest > 1)
    size[0] = xlaVulkanGroupSize(info);
  bool fits = n <= INT32_MAX - rest &&
              xlaVulkanGrid(info, (n + rest + size[0] - 1) / size[0], groups);
  xlaVulkanEmitBegin(&g.e, memory, location, size);
  if (fits)
    threads(&g, groups, n, rest);
  else
    xlaVulkanEmitFail(&g.e, location,
                      "an array has more elements than the %d threads that "
                      "indices of 32 bits reach",
                      INT32_MAX);
  free(g.known);
  if (g.e.failed) {
    xlaVulkanEmitDiscard(&g.e);
    return mlirLogicalResultFailure();
  }
  g.e.shader.ir = g.e.ir;
  return xlaVulkanEmitEnd(&g.e, groups);
}

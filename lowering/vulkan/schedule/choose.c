//===- choose.c - What a dispatch is --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/cost.h"
#include "xlac/lowering/vulkan/schedule/group.h"
#include "xlac/passes/fuse/device.h"

/// Number of blocks of the shared dimensions; the remainder of a single
/// dimension is not counted.
static int64_t blocksOf(const XlaVulkanGroup *g) {
  const XlaSchedUnroll *unroll = &g->schedule.unroll;
  int64_t n = 1;
  for (int d = 0; d < g->n.group->nShared; ++d) {
    int64_t size = g->n.group->statements->sizes[d];
    for (int i = 0; i < unroll->n; ++i)
      size /= unroll->dims[i] == d ? unroll->factors[i] : 1;
    if (__builtin_mul_overflow(n, size, &n))
      return INT64_MAX;
  }
  return n;
}

/// Threads of a workgroup for `n` blocks.
static uint32_t groupSize(const XlaVulkanGroup *g, int64_t n) {
  const XlaVulkanGroupSchedule *s = &g->schedule;
  uint32_t size = xlaVulkanGroupSize(g->e.memory->schedule->info);
  if (s->lanes == 1)
    return n == 1 ? 1 : size;
  // Few rows shall still reach all processors.
  int64_t rows = s->isWorkgroup ? 1 : size / s->lanes;
  while (rows > 1 && rows * 16 > n)
    rows /= 2;
  return (uint32_t)(rows * s->lanes);
}

double xlaVulkanNanoseconds(const XlaVulkanGroup *g) {
  const XlaVulkanInfo *info = g->e.memory->schedule->info;
  const XlaFusionDevice *device = xlaFusionDeviceGet(
      info->kind == XlaVulkanKindSoftware ? "llvmpipe" : "gpu");
  double time = 0;
  for (int s = 0; s < g->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &g->n.group->statements[s];
    time += (double)xlaSchedVolume(statement, 0, statement->nDims) *
                xlaSchedBodyWeight(statement) * device->perOp +
            xlaSchedBytesTouched(statement) * device->perByte;
  }
  return time;
}

void xlaVulkanChoose(XlaVulkanGroup *g) {
  XlaVulkanGroupSchedule *s = &g->schedule;
  const XlaSchedGroup *group = g->n.group;
  s->lanes = 1;
  xlaVulkanChooseLanes(g);
  if (s->lanes == 1)
    xlaVulkanChooseUnroll(g);
  s->blocks = blocksOf(g);
  if (s->unroll.n && group->nShared == 1)
    s->rest = group->statements->sizes[0] % s->unroll.factors[0];
  s->nanoseconds = xlaVulkanNanoseconds(g);
  if (s->blocks > xlaVulkanMostThreads(g->e.memory->schedule) - s->rest)
    return;
  s->size[0] = groupSize(g, s->blocks + s->rest);
  s->size[1] = s->size[2] = 1;
  int64_t perGroup = s->size[0] / s->lanes;
  if (!xlaVulkanGrid(g->e.memory->schedule->info,
                     xlaVulkanCeilDiv(s->blocks + s->rest, perGroup),
                     s->groups))
    s->groups[0] = 0;
}

//===- unroll.c - How many points a thread takes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of four or eight consecutive elements cost little more than
// those of one. A thread therefore takes so many points along the dimension in
// which the buffers lie contiguous, and a block of 4 x 4 where some are
// contiguous in one and others in another.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/group.h"

enum {
  maxBodyOps = 1500, ///< operations of all copies of the bodies
  minThreads = 256,  ///< no fewer for the sake of wide accesses
};

static int bodyOps(const XlaSchedStatement *statement) {
  int n = 0;
  if (!statement->body.ptr)
    return 1;
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    ++n;
  return n;
}

static int groupOps(const XlaVulkanGroup *g) {
  int n = 0;
  for (int s = 0; s < g->n.group->nStatements; ++s)
    n += bodyOps(&g->n.group->statements[s]);
  return n;
}

/// Is the access made once a point of the inner loops?
static bool isHeavy(const XlaVulkanGroup *g, const XlaSchedStatement *statement,
                    const XlaSchedAccess *access) {
  return statement->nDims == g->n.group->nShared ||
         xlaSchedIsInner(g->n.group, statement, access);
}

/// What an unroll of one dimension does to the group's accesses.
typedef struct Effect {
  int wide, scattered;
} Effect;

static Effect effectOf(const XlaVulkanGroup *g, const XlaSchedUnroll *unroll) {
  Effect effect = {0, 0};
  for (int s = 0; s < g->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &g->n.group->statements[s];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
      const XlaSchedAccess *access = &statement->accesses[i];
      bool depends = false;
      if (!isHeavy(g, statement, access))
        continue;
      for (int k = 0; k < unroll->n; ++k)
        depends |= access->strides[unroll->dims[k]] != 0;
      if (xlaVulkanVectorUnroll(g, statement, access, unroll) >= 0)
        ++effect.wide;
      else
        effect.scattered += depends;
    }
  }
  return effect;
}

static int64_t threadsOf(const XlaVulkanGroup *g) {
  return xlaSchedVolume(g->n.group->statements, 0, g->n.group->nShared);
}

/// 4 x 4 points where every access is contiguous in one of two dimensions.
static bool chooseBlock(XlaVulkanGroup *g, int last) {
  const XlaSchedStatement *first = g->n.group->statements;
  for (int s = 0; s < g->n.group->nStatements; ++s)
    if (g->n.group->statements[s].nDims > g->n.group->nShared)
      return false;
  for (int d = 0; d < last; ++d) {
    XlaSchedUnroll block = {2, {d, last}, {XLA_VULKAN_WIDTH, XLA_VULKAN_WIDTH}};
    if (first->sizes[d] % XLA_VULKAN_WIDTH)
      continue;
    Effect effect = effectOf(g, &block);
    if (effect.scattered || effect.wide < 2)
      continue;
    g->schedule.unroll = block;
    return true;
  }
  return false;
}

/// `width` points along the last shared dimension, if that pays.
static bool chooseRow(XlaVulkanGroup *g, int last, int width, bool isStrict) {
  const XlaSchedGroup *group = g->n.group;
  XlaSchedUnroll row = {1, {last}, {width}};
  // The remainder of a single dimension is taken by threads of its own.
  if ((group->statements->sizes[last] % width && group->nShared > 1) ||
      threadsOf(g) < width * minThreads || groupOps(g) * width > maxBodyOps)
    return false;
  Effect effect = effectOf(g, &row);
  if (!effect.wide ||
      (isStrict ? effect.scattered != 0 : effect.wide <= effect.scattered))
    return false;
  g->schedule.unroll = row;
  return true;
}

void xlaVulkanChooseUnroll(XlaVulkanGroup *g) {
  const XlaSchedGroup *group = g->n.group;
  int last = group->nShared - 1;
  int width = xlaVulkanWidth(g->e.memory->schedule->info);
  g->schedule.unrollReason = "there is no other";
  if (last < 0)
    return;
  g->schedule.unrollReason = "all accesses are contiguous or the same";
  for (int w = width; w >= XLA_VULKAN_WIDTH; w /= 2)
    if (chooseRow(g, last, w, true))
      return;
  g->schedule.unrollReason =
      "some accesses are contiguous in one dimension, some in another";
  if (group->statements->sizes[last] % XLA_VULKAN_WIDTH == 0 &&
      threadsOf(g) >= 16 * minThreads && groupOps(g) * 16 <= maxBodyOps &&
      chooseBlock(g, last))
    return;
  g->schedule.unrollReason = "most accesses are contiguous";
  for (int w = width; w >= XLA_VULKAN_WIDTH; w /= 2)
    if (chooseRow(g, last, w, false))
      return;
  g->schedule.unrollReason =
      "too few accesses are contiguous, or too few rows there";
}

int xlaVulkanInnerWidth(const XlaVulkanGroup *g,
                        const XlaSchedCluster *cluster) {
  const XlaSchedStatement *first =
      &g->n.group->statements[cluster->statements[0]];
  int last = first->nDims - 1, points = xlaSchedPoints(&g->n.shared), ops = 0;
  for (int k = 0; k < cluster->nStatements; ++k)
    ops += bodyOps(&g->n.group->statements[cluster->statements[k]]);
  int width = xlaVulkanWidth(g->e.memory->schedule->info);
  for (; last >= g->n.group->nShared && width >= XLA_VULKAN_WIDTH; width /= 2) {
    XlaSchedUnroll unroll = {1, {last}, {width}};
    if (first->sizes[last] % width || points * width > XLA_SCHED_MAX_POINTS ||
        ops * points * width > maxBodyOps)
      continue;
    for (int k = 0; k < cluster->nStatements; ++k) {
      const XlaSchedStatement *statement =
          &g->n.group->statements[cluster->statements[k]];
      for (int i = 0; i < statement->nIns + statement->nOuts; ++i)
        if (xlaVulkanVectorUnroll(g, statement, &statement->accesses[i],
                                  &unroll) >= 0)
          return width;
    }
  }
  return 1;
}

int xlaVulkanClusterWidth(const XlaVulkanGroup *g,
                          const XlaSchedCluster *cluster) {
  return g->schedule.lanes > 1 ? g->schedule.width
                               : xlaVulkanInnerWidth(g, cluster);
}

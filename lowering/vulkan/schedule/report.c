//===- report.c - What was chosen for a dispatch, and why -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/group.h"

#include <stdio.h>

/// The dimensions that threads share among them, and what one takes.
static void putThreads(const XlaVulkanGroup *g) {
  const XlaSchedGroup *group = g->n.group;
  fputs("  threads  ", stderr);
  if (g->schedule.lanes > 1)
    fprintf(stderr, "a %s of %lld a row, %d elements each at once: %s\n",
            g->schedule.isWorkgroup ? "workgroup" : "subgroup",
            (long long)g->schedule.lanes, g->schedule.width,
            g->schedule.lanesReason);
  else
    fprintf(stderr, "each rows of its own: %s\n", g->schedule.lanesReason);
  fputs("  rows     ", stderr);
  if (group->nShared)
    xlaSchedPutSizes(group->statements, 0, group->nShared);
  else
    fputs("one", stderr);
  if (g->schedule.lanes == 1) {
    fputs(", of which a thread takes ", stderr);
    for (int i = 0; i < g->schedule.unroll.n; ++i)
      fprintf(stderr, "%s%d", i ? "x" : "", g->schedule.unroll.factors[i]);
    fprintf(stderr, "%s: %s", g->schedule.unroll.n ? "" : "one",
            g->schedule.unrollReason);
  }
  fputs("\n", stderr);
}

static void putTiles(const XlaVulkanGroup *g) {
  const XlaSchedGroup *group = g->n.group;
  fputs("  tiles    ", stderr);
  if (group->nShared)
    xlaSchedPutSizes(group->statements, 0, group->nShared);
  else
    fputs("one", stderr);
  fprintf(stderr, ", a workgroup's each: %s, in %lld bytes\n",
          g->schedule.lanesReason, (long long)g->schedule.tileBytes);
}

static void putTile(const XlaSchedStatement *statement, int i) {
  const XlaSchedAccess *access = &statement->accesses[i];
  fputs(i < statement->nIns ? "  reads    " : "  writes   ", stderr);
  xlaSchedPutType(access->view);
  fputs(xlaSchedIsOfWorkgroup(access->root) ? ", of the workgroup\n" : "\n",
        stderr);
}

static void putInner(const XlaVulkanGroup *g, const XlaSchedCluster *cluster) {
  const XlaSchedStatement *first =
      &g->n.group->statements[*cluster->statements];
  if (first->nDims == g->n.group->nShared)
    return;
  fputs("  inner    ", stderr);
  xlaSchedPutSizes(first, g->n.group->nShared, first->nDims);
  if (g->schedule.tileBytes)
    fputs(", dealt out to the threads\n", stderr);
  else
    fprintf(stderr, ", %d at once, %d operations\n",
            xlaVulkanClusterWidth(g, cluster), cluster->nStatements);
}

/// How threads read or write it, and what the first ones touch.
static void putAccess(const XlaVulkanGroup *g, const XlaSchedCluster *cluster,
                      const XlaSchedStatement *statement, int i) {
  const XlaSchedAccess *access = &statement->accesses[i];
  XlaSchedUnroll unroll = g->schedule.unroll;
  int last = statement->nDims - 1;
  if (statement->nDims > g->n.group->nShared) {
    int width = xlaVulkanClusterWidth(g, cluster);
    if (width > 1) {
      unroll.dims[unroll.n] = last;
      unroll.factors[unroll.n++] = width;
    }
  }
  int wide = xlaVulkanVectorUnroll(g, statement, access, &unroll);
  XlaSchedCoalescing coalescing =
      g->schedule.lanes > 1
          ? xlaVulkanCoalesceRow(g, statement, access,
                                 wide >= 0 ? unroll.factors[wide] : 1)
          : xlaVulkanCoalesceOwn(g, statement, access, &unroll);
  fputs(i < statement->nIns ? "  reads    " : "  writes   ", stderr);
  xlaSchedPutType(access->view);
  if (wide >= 0)
    fprintf(stderr, " by vectors of %d", unroll.factors[wide]);
  else
    fputs(" element by element", stderr);
  fputs(access->dynamicOffset ? ", from where data says" : "", stderr);
  xlaSchedPutCoalescing(&coalescing);
  fputs("\n", stderr);
}

void xlaVulkanReport(const XlaVulkanGroup *g) {
  const XlaVulkanKernel *kernel = g->e.memory->schedule->kernel;
  const XlaVulkanGroupSchedule *s = &g->schedule;
  fprintf(stderr,
          "%s_%d: a dispatch for %d of linalg's operations, %lld workgroups of "
          "%u threads, about %.1f us\n",
          kernel->name, (int)kernel->nDispatches, g->n.group->nStatements,
          (long long)s->groups[0] * s->groups[1] * s->groups[2], s->size[0],
          s->nanoseconds / 1000);
  if (s->tileBytes)
    putTiles(g);
  else
    putThreads(g);
  for (int c = 0; c < g->n.clusters.n; ++c) {
    const XlaSchedCluster *cluster = &g->n.clusters.all[c];
    putInner(g, cluster);
    for (int k = 0; k < cluster->nStatements; ++k) {
      const XlaSchedStatement *statement =
          &g->n.group->statements[cluster->statements[k]];
      for (int i = 0; i < statement->nIns + statement->nOuts; ++i)
        if (!s->tileBytes)
          putAccess(g, cluster, statement, i);
        else if (i >= statement->nIns || xlaSchedIsRead(statement, i))
          putTile(statement, i);
    }
  }
}

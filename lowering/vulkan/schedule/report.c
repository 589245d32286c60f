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
  const XlaSchedGroup *group = g->statements;
  fputs("  threads  ", stderr);
  if (g->lanes > 1)
    fprintf(stderr, "a %s of %lld a row, %d elements each at once: %s\n",
            g->isWorkgroup ? "workgroup" : "subgroup", (long long)g->lanes,
            g->width, g->lanesReason);
  else
    fprintf(stderr, "each rows of its own: %s\n", g->lanesReason);
  fputs("  rows     ", stderr);
  if (group->nShared)
    xlaSchedPutSizes(group->statements, 0, group->nShared);
  else
    fputs("one", stderr);
  if (g->lanes == 1) {
    fputs(", of which a thread takes ", stderr);
    for (int i = 0; i < g->shared.n; ++i)
      fprintf(stderr, "%s%d", i ? "x" : "", g->shared.factors[i]);
    fprintf(stderr, "%s: %s", g->shared.n ? "" : "one", g->unrollReason);
  }
  fputs("\n", stderr);
}

static void putInner(const XlaVulkanGroup *g, const XlaSchedCluster *cluster) {
  const XlaSchedStatement *first =
      &g->statements->statements[*cluster->statements];
  if (first->nDims == g->statements->nShared)
    return;
  fputs("  inner    ", stderr);
  xlaSchedPutSizes(first, g->statements->nShared, first->nDims);
  fprintf(stderr, ", %d at once, %d operations\n",
          xlaVulkanClusterWidth(g, cluster), cluster->nStatements);
}

/// How threads, or the turns of a thread's innermost loop, read or write it.
static void putAccess(const XlaVulkanGroup *g, const XlaSchedCluster *cluster,
                      const XlaSchedStatement *statement, int i) {
  const XlaSchedAccess *access = &statement->accesses[i];
  XlaVulkanUnroll unroll = g->shared;
  int last = statement->nDims - 1;
  if (statement->nDims > g->statements->nShared) {
    int width = xlaVulkanClusterWidth(g, cluster);
    if (width > 1) {
      unroll.dims[unroll.n] = last;
      unroll.factors[unroll.n++] = width;
    }
  }
  int wide = xlaVulkanVectorUnroll(g, statement, access, &unroll);
  fputs(i < statement->nIns ? "  reads    " : "  writes   ", stderr);
  xlaSchedPutType(access->view);
  if (wide >= 0)
    fprintf(stderr, " by vectors of %d", unroll.factors[wide]);
  else if (last >= 0 && access->strides[last])
    fprintf(stderr, " element by element, neighbours %lld apart",
            (long long)access->strides[last]);
  else
    fputs(" element by element", stderr);
  fputs(access->dynamicOffset ? ", from where data says\n" : "\n", stderr);
}

void xlaVulkanReport(const XlaVulkanGroup *g, const uint32_t groups[3],
                     const uint32_t size[3]) {
  const XlaVulkanKernel *kernel = g->e.memory->schedule->kernel;
  fprintf(stderr,
          "%s_%d: a dispatch for %d of linalg's operations, %lld workgroups of "
          "%u threads\n",
          kernel->name, (int)kernel->nDispatches, g->statements->nStatements,
          (long long)groups[0] * groups[1] * groups[2], size[0]);
  putThreads(g);
  for (int c = 0; c < g->clusters.n; ++c) {
    const XlaSchedCluster *cluster = &g->clusters.all[c];
    putInner(g, cluster);
    for (int k = 0; k < cluster->nStatements; ++k) {
      const XlaSchedStatement *statement =
          &g->statements->statements[cluster->statements[k]];
      for (int i = 0; i < statement->nIns + statement->nOuts; ++i)
        putAccess(g, cluster, statement, i);
    }
  }
}

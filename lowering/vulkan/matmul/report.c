//===- report.c - What was chosen for a matrix product --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

#include <stdio.h>

static void putThreads(const XlaVulkanMatmulTiling *tiling) {
  bool isStaged = tiling->staging == XlaVulkanStagingWorkgroup;
  fprintf(stderr, "  threads  %d along columns", tiling->columnThreads);
  if (tiling->otherThreads > 1)
    fprintf(stderr, ", %d %s", tiling->otherThreads,
            isStaged ? "along rows" : "that share the terms of a tile");
  if (tiling->chunks > 1)
    fprintf(stderr, "; %d workgroups share the terms of a tile",
            tiling->chunks);
  fprintf(stderr, "\n  tiles    %d by %d sums of a thread, %d terms at once\n",
          tiling->tileRows, tiling->tileColumns, tiling->step);
}

static void putOperand(const char *name, XlaVulkanVector vector,
                       const char *along, MlirBlock prologue) {
  fprintf(stderr, "  %s      ", name);
  if (vector == XlaVulkanVectorNone)
    fputs("element by element", stderr);
  else
    fprintf(stderr, "by vectors of 4 along %s",
            vector == XlaVulkanVectorTerms ? "terms" : along);
  fputs(prologue.ptr ? ", and computed there\n" : "\n", stderr);
}

void xlaVulkanMatmulReport(const XlaVulkanMatmul *matmul,
                           const XlaVulkanMatmulTiling *tiling,
                           const char *name, intptr_t dispatch) {
  static const char *const ways[] = {
      [XlaVulkanStagingNone] = "each thread loads what it needs",
      [XlaVulkanStagingSubgroup] =
          "threads of a subgroup load the lhs for each other",
      [XlaVulkanStagingWorkgroup] = "blocks are copied to workgroup memory"};
  const XlaContraction *all = &matmul->contraction;
  fprintf(stderr, "%s_%d: %lld %s of %lldx%lld and %lldx%lld%s", name,
          (int)dispatch, (long long)all->batch.size,
          all->batch.size == 1 ? "matrix product" : "matrix products",
          (long long)all->rows.size, (long long)all->terms.size,
          (long long)all->terms.size, (long long)all->columns.size,
          matmul->isSwapped ? ", of which lhs and rhs are exchanged" : "");
  if (tiling->nanoseconds > 0)
    fprintf(stderr, ", about %.1f us", tiling->nanoseconds / 1000);
  fprintf(stderr, "\n  staging  %s\n", ways[tiling->staging]);
  putThreads(tiling);
  putOperand("lhs", tiling->lhsVector, "rows", matmul->parts[0]);
  putOperand("rhs", tiling->rhsVector, "columns", matmul->parts[1]);
  if (matmul->parts[2].ptr)
    fputs("  sums     finished with what follows before they are stored\n",
          stderr);
}

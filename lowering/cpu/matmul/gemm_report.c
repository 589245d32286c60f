//===- gemm_report.c - What was chosen for a matrix product ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/gemm.h"

#include <stdio.h>

static void putThreads(const XlaCpuGemmTiling *tiling) {
  static const char *const what[] = {[XLA_CPU_GEMM_SPLIT_BATCH] = "products",
                                     [XLA_CPU_GEMM_SPLIT_N] = "columns",
                                     [XLA_CPU_GEMM_SPLIT_M] = "rows"};
  static const char *const why[] = {
      [XLA_CPU_GEMM_SPLIT_BATCH] = "each packs what it needs alone",
      [XLA_CPU_GEMM_SPLIT_N] = "the rhs is packed once",
      [XLA_CPU_GEMM_SPLIT_M] = "there are few columns"};
  if (tiling->threads == 1)
    fputs("  threads  one: more have too little to do, or are not there\n",
          stderr);
  else
    fprintf(stderr, "  threads  %d, %lld %s each: %s\n", tiling->threads,
            (long long)tiling->chunk, what[tiling->split], why[tiling->split]);
}

static void putBlock(const char *what, int64_t n, int64_t block) {
  if (block < n)
    fprintf(stderr, "%lld %s", (long long)block, what);
  else
    fprintf(stderr, "all %s", what);
}

static void putBlocks(const XlaCpuGemmTiling *tiling) {
  const XlaCpuMatmul *op = &tiling->op;
  fputs("  blocks   ", stderr);
  putBlock("terms", op->k, tiling->kc);
  fputs(", ", stderr);
  putBlock("rows", op->m, tiling->mc);
  fputs(", ", stderr);
  putBlock("columns", op->n, tiling->nc);
  fprintf(stderr,
          ": they stay in the caches\n  tiles    %lld by %lld sums in "
          "registers, %lld lanes at once\n",
          (long long)tiling->mr, (long long)tiling->nr,
          (long long)tiling->lanes);
}

static void putOperand(const char *name, XlaCpuGemmPack pack,
                       const XlaCpuMatmulPrologue *prologue) {
  static const char *const ways[] = {
      [XLA_CPU_GEMM_DIRECT] = "read where it lies: packing costs more",
      [XLA_CPU_GEMM_ROWS] = "packed, by vectors along its rows",
      [XLA_CPU_GEMM_COLUMNS] = "packed, by vectors along its columns",
      [XLA_CPU_GEMM_STRIDED] = "packed element by element"};
  fprintf(stderr, "  %s      %s%s\n", name, ways[pack],
          prologue->compute ? ", and computed there" : "");
}

void xlaCpuGemmReport(const XlaCpuGemmTiling *tiling, const char *name) {
  const XlaCpuMatmul *op = &tiling->op;
  fprintf(stderr,
          "%s: %lld %s of %lldx%lld and %lldx%lld, about %.1f us of one core\n",
          name, (long long)tiling->batches,
          tiling->batches == 1 ? "matrix product" : "matrix products",
          (long long)op->m, (long long)op->k, (long long)op->k,
          (long long)op->n, tiling->nanoseconds / 1000);
  if (tiling->transposed)
    fputs("  roles    lhs and rhs are exchanged: the result is one column\n",
          stderr);
  putThreads(tiling);
  if (tiling->path == XLA_CPU_GEMM_NEST) {
    putBlocks(tiling);
    putOperand("lhs", tiling->lhsPack, &op->lhsPrologue);
    putOperand("rhs", tiling->rhsPack, &op->rhsPrologue);
  } else {
    fprintf(stderr, "  order    the matrix is read once, along its %s\n",
            tiling->path == XLA_CPU_GEMM_VECTOR_ROWS ? "rows" : "columns");
  }
  fprintf(stderr, "  sums     %s\n",
          !tiling->finish ? "in the result's memory"
          : op->epilogue  ? "finished with what follows before they are stored"
                          : "rounded before they are stored");
  fprintf(stderr, "  scratch  %lld bytes of a thread\n",
          (long long)tiling->slabBytes);
}

//===- gemm_tiling.c - Choosing the loops of a matrix product -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/matmul/gemm.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/lowering/cpu/pointer.h"

#include <stdio.h>
#include <string.h>

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }
static int64_t clamp(int64_t x, int64_t low, int64_t high) {
  return x < low ? low : x > high ? high : x;
}

/// Matrices whose element count leaves these bounds do not fit into memory;
/// capping keeps the estimates below free of overflow.
static int64_t capped(int64_t x) { return min64(x, INT64_C(1) << 20); }

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Registers for mr * nv sums, nv vectors of B and a broadcast of A: 32
/// registers with AVX-512 and on AArch64, 16 else.
static void chooseTile(XlaCpuGemmTiling *tiling, const XlaCpuTarget *target,
                       int64_t bytes) {
  tiling->lanes = xlaCpuTargetLanes(target, (int)(8 * bytes));
  if (target->vectorBits == 512) {
    tiling->mr = 8;
    tiling->nv = 2;
  } else {
    bool many = !strncmp(target->triple, "aarch64", 7);
    tiling->mr = 4;
    tiling->nv = many ? 5 : target->vectorBits == 256 ? 3 : 2;
  }
  // A narrow C is one narrow panel.
  tiling->nv = clamp(ceilDiv(tiling->op.n, tiling->lanes), 1, tiling->nv);
  tiling->nr = tiling->nv * tiling->lanes;
}

/// A panel of A takes half of the first cache, a block of A a quarter of the
/// second, and a block of B a part of the third that leaves room for others.
static void chooseBlocks(XlaCpuGemmTiling *tiling, const XlaCpuTarget *target,
                         const XlaCpuGemmTypes *types) {
  int64_t bytes = xlaCpuGemmTypeBytes(types->packed);
  const XlaCpuMatmul *op = &tiling->op;
  int64_t kc = target->l1Bytes / 2 / (tiling->mr * bytes);
  tiling->kc = clamp(kc / 16 * 16, 128, 1024);
  // A last block of a few k costs a pass over C: spread k evenly.
  int64_t k = max64(op->k, 1);
  tiling->kc = roundUp(ceilDiv(k, ceilDiv(k, tiling->kc)), 8);
  tiling->kc = min64(tiling->kc, k);
  tiling->mc = clamp(target->l2Bytes / 4 / (tiling->kc * bytes), 32, 512);
  tiling->mc = roundUp(min64(tiling->mc, max64(op->m, 1)), tiling->mr);
  int64_t block = min64(2 << 20, target->l3Bytes / (2 * target->threads));
  tiling->nc = clamp(block / (tiling->kc * bytes), 4 * tiling->nr, 4096);
  tiling->nc = roundUp(min64(tiling->nc, max64(op->n, 1)), tiling->nr);
}

static XlaCpuGemmPack packing(int64_t first, int64_t last) {
  return last == 1    ? XLA_CPU_GEMM_ROWS
         : first == 1 ? XLA_CPU_GEMM_COLUMNS
                      : XLA_CPU_GEMM_STRIDED;
}

static void choosePacking(XlaCpuGemmTiling *tiling, const XlaCpuTarget *target,
                          const XlaCpuGemmTypes *types) {
  const XlaCpuMatmul *op = &tiling->op;
  int64_t bytes = xlaCpuGemmTypeBytes(types->sum);
  tiling->lhsPack = packing(op->lhsM, op->lhsK);
  tiling->rhsPack = packing(op->rhsK, op->rhsN);
  // The micro-kernel reads A through any strides: packing pays where A is read
  // often and its rows would fight for the same cache lines.
  bool small = capped(op->m) * capped(op->k) * bytes <= target->l1Bytes / 2;
  if (mlirTypeEqual(types->lhs, types->sum) && !op->lhsPrologue.compute &&
      (small || (tiling->lhsPack == XLA_CPU_GEMM_ROWS && op->k <= 256)))
    tiling->lhsPack = XLA_CPU_GEMM_DIRECT;
  // B is read once for each mr rows of A.
  if (mlirTypeEqual(types->rhs, types->sum) && !op->rhsPrologue.compute &&
      op->rhsN == 1 && op->m <= 2 * tiling->mr)
    tiling->rhsPack = XLA_CPU_GEMM_DIRECT;
  // What multiplies vectors reads rows.
  if (tiling->path != XLA_CPU_GEMM_NEST && op->lhsPrologue.compute)
    tiling->lhsPack = op->lhsK == 1 ? XLA_CPU_GEMM_ROWS : XLA_CPU_GEMM_STRIDED;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// A core of 3 GHz that adds a vector of products in a cycle, and reads a
/// matrix that it needs once from its caches, or from memory.
static double nanosecondsOf(const XlaCpuGemmTiling *tiling,
                            const XlaCpuTarget *target,
                            const XlaCpuGemmTypes *types) {
  const XlaCpuMatmul *op = &tiling->op;
  double matrices = (double)op->n * (double)op->k * (double)tiling->batches;
  double sums = (double)op->m * (double)op->n * (double)tiling->batches;
  double compute = sums * (double)op->k /
                   (double)(tiling->lanes * xlaCpuGemmPerSum(types)) / 3;
  double bytes = matrices * (double)xlaCpuGemmTypeBytes(types->rhs);
  double speed = bytes > (double)target->l3Bytes / 2 ? 12 : 80;
  double read = tiling->path == XLA_CPU_GEMM_NEST ? 0 : bytes / speed;
  double elements = matrices * op->rhsPrologue.weight +
                    (double)op->m * (double)op->k * (double)tiling->batches *
                        op->lhsPrologue.weight;
  double epilogue =
      (sums * op->epilogueWeight + elements) / (double)tiling->lanes * 0.25;
  return epilogue + (compute > read ? compute : read);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Whether what prologues compute again for each thread is less where threads
/// have rows: B, in place of A.
static bool favoursRows(const XlaCpuMatmul *op) {
  double rows = (double)op->m * op->lhsPrologue.weight;
  double columns = (double)op->n * op->rhsPrologue.weight;
  return rows > columns;
}

static void chooseSplit(XlaCpuGemmTiling *tiling, const XlaCpuTarget *target) {
  const XlaCpuMatmul *op = &tiling->op;
  tiling->threads = xlaCpuUsefulThreads(
      tiling->nanoseconds, target->serialNanoseconds, target->threads);
  int64_t threads = tiling->threads;
  int64_t columns = ceilDiv(op->n, tiling->nr),
          rows = ceilDiv(op->m, tiling->mr);
  if (tiling->batches >= 2 * threads || tiling->batches % threads == 0) {
    tiling->split = XLA_CPU_GEMM_SPLIT_BATCH;
    tiling->chunk = ceilDiv(tiling->batches, threads);
    return;
  }
  // Splitting rows packs B once for each thread, so columns go first.
  bool byColumns = columns >= 2 * threads || columns >= rows;
  if (favoursRows(op) && rows >= threads)
    byColumns = false;
  tiling->split = byColumns ? XLA_CPU_GEMM_SPLIT_N : XLA_CPU_GEMM_SPLIT_M;
  tiling->chunk = byColumns ? ceilDiv(columns, threads) * tiling->nr
                            : ceilDiv(rows, threads) * tiling->mr;
  int64_t pieces = ceilDiv(byColumns ? op->n : op->m, max64(tiling->chunk, 1));
  tiling->threads = (int)max64(pieces, 1);
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

/// Bytes of sums that a thread holds back until they are complete.
enum { heldBytes = 4 << 20 };

static void sizeScratch(XlaCpuGemmTiling *tiling,
                        const XlaCpuGemmTypes *types) {
  const XlaCpuMatmul *op = &tiling->op;
  int64_t bytes = xlaCpuGemmTypeBytes(types->sum);
  int64_t depth = ceilDiv(tiling->kc, xlaCpuGemmPerSum(types));
  int64_t rows = tiling->split == XLA_CPU_GEMM_SPLIT_M ? tiling->chunk : op->m;
  tiling->sumBytes = tiling->mr * tiling->nr * bytes;
  if (tiling->path != XLA_CPU_GEMM_NEST) {
    int64_t held = tiling->finish ? op->m * roundUp(op->n, tiling->nr) : 0;
    tiling->sumBytes = held * bytes;
    tiling->lhsBytes = op->lhsPrologue.compute ? op->m * op->k * bytes : 0;
    tiling->rhsBytes = 0;
  } else {
    if (tiling->blocked) {
      rows = roundUp(max64(rows, 1), tiling->mr);
      int64_t columns = heldBytes / bytes / rows / tiling->nr * tiling->nr;
      tiling->nc = min64(tiling->nc, max64(columns, 4 * tiling->nr));
      tiling->sumBytes = rows * tiling->nc * bytes;
    }
    tiling->lhsBytes = tiling->lhsPack == XLA_CPU_GEMM_DIRECT
                           ? 0
                           : tiling->mc * (roundUp(depth, 16) + 16) * bytes;
    tiling->rhsBytes = tiling->rhsPack == XLA_CPU_GEMM_DIRECT
                           ? depth * tiling->nr * bytes
                           : depth * tiling->nc * bytes;
  }
  tiling->sumBytes = roundUp(tiling->sumBytes, 64);
  tiling->lhsBytes = roundUp(tiling->lhsBytes, 64);
  tiling->rhsBytes = roundUp(tiling->rhsBytes, 64);
  tiling->slabBytes = tiling->sumBytes + tiling->lhsBytes + tiling->rhsBytes;
}

//===----------------------------------------------------------------------===//
// The tiling
//===----------------------------------------------------------------------===//

/// C^T = B^T A^T: a column becomes a row. The result is one vector, so that its
/// rows may be read as columns.
static void transpose(XlaCpuMatmul *op) {
  XlaCpuMatmul t = *op;
  t.lhs = op->rhs;
  t.rhs = op->lhs;
  memcpy(t.lhsBatch, op->rhsBatch, sizeof t.lhsBatch);
  memcpy(t.rhsBatch, op->lhsBatch, sizeof t.rhsBatch);
  t.m = op->n;
  t.n = op->m;
  t.lhsM = op->rhsN;
  t.lhsK = op->rhsK;
  t.rhsK = op->lhsK;
  t.rhsN = op->lhsM;
  t.lhsUnsigned = op->rhsUnsigned;
  t.rhsUnsigned = op->lhsUnsigned;
  t.lhsPrologue = op->rhsPrologue;
  t.rhsPrologue = op->lhsPrologue;
  *op = t;
}

bool xlaCpuMatmulIsTransposed(const XlaCpuMatmul *matmul) {
  return matmul->n == 1 && matmul->m > 1 && matmul->resultM == 1;
}

XlaCpuGemmTiling xlaCpuGemmTiling(const XlaCpuMatmul *matmul,
                                  const XlaCpuTarget *target) {
  XlaCpuGemmTiling tiling = {.op = *matmul, .batches = 1};
  tiling.transposed = xlaCpuMatmulIsTransposed(matmul);
  if (tiling.transposed)
    transpose(&tiling.op);
  const XlaCpuMatmul *op = &tiling.op;
  for (intptr_t i = 0; i < op->batchRank; ++i)
    tiling.batches *= op->batch[i];
  XlaCpuGemmTypes types = xlaCpuGemmTypes(op, target);
  int64_t bytes = xlaCpuGemmTypeBytes(types.sum);
  chooseTile(&tiling, target, bytes);
  chooseBlocks(&tiling, target, &types);
  if (op->m <= XLA_CPU_GEMM_FEW && op->rhsN == 1)
    tiling.path = XLA_CPU_GEMM_VECTOR_ROWS;
  else if (op->m == 1 && op->rhsK == 1 &&
           (op->lhsK == 1 || op->lhsPrologue.compute))
    tiling.path = XLA_CPU_GEMM_VECTOR_COLUMNS;
  choosePacking(&tiling, target, &types);
  tiling.finish = op->epilogue || !mlirTypeEqual(types.result, types.sum);
  tiling.blocked =
      tiling.finish && tiling.path == XLA_CPU_GEMM_NEST && op->k > tiling.kc;
  tiling.nanoseconds = nanosecondsOf(&tiling, target, &types);
  chooseSplit(&tiling, target);
  sizeScratch(&tiling, &types);
  return tiling;
}

int64_t xlaCpuMatmulScratchBytes(const XlaCpuMatmul *matmul,
                                 const XlaCpuTarget *target) {
  XlaCpuGemmTiling tiling = xlaCpuGemmTiling(matmul, target);
  return tiling.slabBytes * tiling.threads;
}

int xlaCpuMatmulThreads(const XlaCpuMatmul *matmul,
                        const XlaCpuTarget *target) {
  return xlaCpuGemmTiling(matmul, target).threads;
}

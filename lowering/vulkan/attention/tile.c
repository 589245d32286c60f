//===- tile.c - Tiles of attention on Vulkan ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile's queries stay in workgroup memory, and a block of keys or values and
// the weights of both lie beside them. The larger tiles are, the fewer loads a
// multiplication takes, in threads from workgroup memory and in workgroups from
// the device's; but there shall be workgroups for all processors. These are
// rules of thumb, as those of matmul/tiling.c for GPUs: none was at hand.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/attention/plan.h"

#include <math.h>
#include <stdio.h>

enum {
  enoughGroups = 128, ///< of `fullGroup` threads, to keep a large GPU busy
  fullGroup = 256,
  // Cycles.
  perCopy = 4,
  perWait = 200, ///< of those of a block
  // Software devices (direct.c).
  workers = 4,
  softwareKeys = 4,   ///< of a block
  mostPrivate = 4096, ///< elements of a row in private memory
};

int64_t xlaVulkanAttentionPitch(int64_t columns) {
  return columns + 1; // threads below each other hit other banks
}

/// The least power of two that is no less.
static int64_t powerOfTwo(int64_t n) {
  int64_t power = 1;
  while (power < n)
    power *= 2;
  return power;
}

int64_t xlaVulkanAttentionCopies(int64_t inner, int64_t outer,
                                 int64_t threads) {
  int64_t padded = powerOfTwo(inner);
  return padded <= threads ? xlaVulkanCeilDiv(outer, threads / padded)
                           : outer * xlaVulkanCeilDiv(inner, threads);
}

bool xlaVulkanAttentionShuffles(const XlaVulkanAttentionTiling *tiling,
                                const XlaVulkanInfo *info) {
  return info->subgroupShuffle &&
         (uint32_t)tiling->columnThreads <= info->subgroupSize &&
         info->subgroupSize % (uint32_t)tiling->columnThreads == 0;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t bytesOf(MlirType type) {
  return mlirFloatTypeGetWidth(type) / 8;
}

/// Of the types that threads of a row exchange, which have a memory each.
static int64_t exchangedBytes(const XlaVulkanAttention *plan) {
  bool hasF64 = false, hasF32 = false, hasI32 = false;
  for (int i = 0; i < plan->rows.nStatements; ++i) {
    const XlaVulkanRowStep *step = &plan->steps[i];
    if (step->kind != XlaVulkanRowReduction)
      continue;
    hasI32 |= mlirTypeIsAInteger(step->reducer.carried);
    hasF64 |= mlirTypeIsAF64(step->reducer.carried);
    hasF32 |= mlirTypeIsAFloat(step->reducer.carried) &&
              !mlirTypeIsAF64(step->reducer.carried);
  }
  return 8 * hasF64 + 4 * hasF32 + 4 * hasI32;
}

/// Bytes of workgroup memory.
static int64_t sharedBytes(const XlaVulkanAttention *plan,
                           const XlaVulkanInfo *info) {
  int64_t rows = xlaVulkanAttentionRows(plan);
  int64_t keys = xlaVulkanAttentionKeys(plan);
  int64_t first = bytesOf(plan->sums[0]), second = bytesOf(plan->sums[1]);
  int64_t queries = plan->width * xlaVulkanAttentionPitch(rows) * first;
  int64_t block = plan->width * xlaVulkanAttentionPitch(keys) * first;
  int64_t weights = rows * xlaVulkanAttentionPitch(keys) * second;
  int64_t values = keys * xlaVulkanAttentionColumns(plan) * second;
  int64_t bytes = queries + weights;
  if (!plan->tiling.isStaged)
    return 0;
  // Keys and values take turns, where they can.
  bytes += mlirTypeEqual(plan->sums[0], plan->sums[1]) ? larger(block, values)
                                                       : block + values;
  if (!xlaVulkanAttentionShuffles(&plan->tiling, info))
    bytes += rows * plan->tiling.columnThreads * exchangedBytes(plan);
  return bytes;
}

/// Whether threads copy few enough elements of blocks, in either order.
static bool copiesFit(const XlaVulkanAttention *plan, int64_t threads) {
  const int64_t blocks[][2] = {{plan->width, xlaVulkanAttentionRows(plan)},
                               {plan->width, xlaVulkanAttentionKeys(plan)},
                               {plan->values, xlaVulkanAttentionKeys(plan)}};
  for (int i = 0; i < 3; ++i)
    if (xlaVulkanAttentionCopies(blocks[i][0], blocks[i][1], threads) >
            XLA_ATTENTION_MAX_COPIES ||
        xlaVulkanAttentionCopies(blocks[i][1], blocks[i][0], threads) >
            XLA_ATTENTION_MAX_COPIES)
      return false;
  return true;
}

/// Iterations of all loops of a thread.
static double iterations(const XlaVulkanAttention *plan) {
  int64_t keys = xlaVulkanAttentionKeys(plan);
  return (double)plan->nPasses *
             (double)xlaVulkanCeilDiv(plan->rows.keys, keys) *
             (double)(plan->width + larger(keys, plan->values) + 1) +
         (double)(plan->width + 2 * plan->values);
}

static bool fits(XlaVulkanAttention *plan, const XlaVulkanInfo *info) {
  XlaVulkanAttentionTiling *tiling = &plan->tiling;
  int64_t threads = (int64_t)tiling->columnThreads * tiling->rowThreads;
  int64_t values = xlaVulkanCeilDiv(plan->values, tiling->columnThreads);
  uint32_t groups[3];
  if ((tiling->isStaged &&
       (values > XLA_ATTENTION_MAX_VALUES ||
        values * tiling->tileRows > XLA_ATTENTION_MAX_SUMS)) ||
      threads > info->maxGroupInvocations || threads > info->maxGroupSize[0])
    return false;
  tiling->tileValues = tiling->isStaged ? (int)values : 0;
  tiling->bytes = sharedBytes(plan, info);
  return tiling->bytes <= info->sharedBytes &&
         (tiling->isStaged ? copiesFit(plan, threads)
                           : plan->width + plan->values <= mostPrivate) &&
         plan->width <= XLA_VULKAN_MAX_TRIPS &&
         plan->rows.keys / xlaVulkanAttentionKeys(plan) <=
             XLA_VULKAN_MAX_TRIPS &&
         (!xlaVulkanEndsLongLoops(info) ||
          iterations(plan) <= XLA_VULKAN_MAX_ITERATIONS) &&
         xlaVulkanGrid(info, xlaVulkanAttentionTiles(plan) * plan->rows.batches,
                       groups);
}

/// Cycles of all workgroups, where those that the device runs at once count as
/// one: of a multiplication, and of a load from workgroup memory, about one,
/// of a load from outside and of a wait of all threads some.
static double cycles(const XlaVulkanAttention *plan) {
  const XlaVulkanAttentionTiling *tiling = &plan->tiling;
  int64_t threads = (int64_t)tiling->columnThreads * tiling->rowThreads;
  double keys = (double)xlaVulkanAttentionKeys(plan);
  double blocks = ceil((double)plan->rows.keys / keys) * plan->nPasses;
  double scores =
      tiling->tileRows * tiling->tileKeys + tiling->tileRows + tiling->tileKeys;
  double values = tiling->tileRows * tiling->tileValues + tiling->tileRows +
                  tiling->tileValues;
  double copies = keys * (double)(plan->width + plan->values) / (double)threads;
  double queries =
      (double)(xlaVulkanAttentionRows(plan) * plan->width) / (double)threads;
  double groups =
      (double)xlaVulkanAttentionTiles(plan) * (double)plan->rows.batches;
  double waves = groups * (double)threads / ((double)enoughGroups * fullGroup);
  return (waves > 1 ? waves : 1) *
         (blocks * (scores * (double)plan->width + values * keys +
                    copies * perCopy + perWait) +
          queries * perCopy);
}

static void tileGpu(XlaVulkanAttention *plan, const XlaVulkanInfo *info) {
  static const int tilings[][4] = {
      {16, 16, 4, 4}, {16, 16, 4, 2}, {16, 16, 2, 2}, {16, 8, 4, 4},
      {16, 8, 4, 2},  {16, 8, 2, 2},  {16, 8, 1, 2},  {8, 8, 4, 4},
      {8, 8, 2, 4},   {8, 8, 2, 2},   {8, 8, 1, 1}};
  XlaVulkanAttentionTiling best = {.columnThreads = 0};
  double least = 0;
  for (size_t i = 0; i < sizeof tilings / sizeof *tilings; ++i) {
    const int *t = tilings[i];
    plan->tiling = (XlaVulkanAttentionTiling){.columnThreads = t[0],
                                              .rowThreads = t[1],
                                              .tileRows = t[2],
                                              .tileKeys = t[3],
                                              .isStaged = true};
    if (!fits(plan, info))
      continue;
    double next = cycles(plan);
    if (best.columnThreads && next >= least)
      continue;
    best = plan->tiling;
    least = next;
  }
  plan->tiling = best;
}

/// The most rows that share a load of keys and leave enough workgroups.
static void tileSoftware(XlaVulkanAttention *plan, const XlaVulkanInfo *info) {
  XlaVulkanAttentionTiling best = {.columnThreads = 0};
  int lanes = (int)info->subgroupSize;
  for (int rows = XLA_ATTENTION_MAX_ROWS; rows; rows /= 2) {
    plan->tiling = (XlaVulkanAttentionTiling){.columnThreads = 1,
                                              .rowThreads = lanes,
                                              .tileRows = rows,
                                              .tileKeys = softwareKeys};
    if (!fits(plan, info))
      continue;
    best = plan->tiling;
    if (xlaVulkanAttentionTiles(plan) * plan->rows.batches >= workers)
      break;
  }
  plan->tiling = best;
}

bool xlaVulkanAttentionTile(XlaVulkanAttention *plan,
                            const XlaVulkanInfo *info) {
  if (info->kind == XlaVulkanKindSoftware)
    tileSoftware(plan, info);
  else
    tileGpu(plan, info);
  return plan->tiling.columnThreads > 0;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

void xlaVulkanAttentionReport(const XlaVulkanAttention *plan, const char *name,
                              intptr_t dispatch) {
  const XlaVulkanAttentionTiling *tiling = &plan->tiling;
  long long rows = xlaVulkanAttentionRows(plan);
  long long keys = xlaVulkanAttentionKeys(plan);
  long long width = plan->width, values = plan->values;
  fprintf(stderr,
          "%s_%d: attention of %lld times %lld queries and %lld keys, %lld "
          "workgroups\n",
          name, (int)dispatch, (long long)plan->rows.batches,
          (long long)plan->rows.queries, (long long)plan->rows.keys,
          (long long)(xlaVulkanAttentionTiles(plan) * plan->rows.batches));
  fprintf(stderr,
          "  threads  %d along keys and columns, %d along queries: %s\n",
          tiling->columnThreads, tiling->rowThreads,
          tiling->isStaged
              ? "blocks of keys and values are copied to workgroup memory"
              : "each thread has rows of its own");
  fprintf(stderr,
          "  tiles    %lld queries: scores (%lld, %lld) of lhs (%lld, %lld) "
          "and rhs (%lld, %lld), result (%lld, %lld)\n",
          rows, rows, keys, rows, width, keys, width, rows, values);
  fprintf(stderr, "  rows     ");
  if (plan->maximum >= 0)
    fprintf(stderr, "in one pass: sums are scaled when a maximum grows\n");
  else
    fprintf(stderr, "in %d pass%s%s\n", plan->nPasses,
            plan->nPasses == 1 ? "" : "es",
            plan->nPasses == 1
                ? ""
                : ", since reductions need each other; scores are computed "
                  "again in each");
  fprintf(stderr, "  shared   %lld bytes of a workgroup\n",
          (long long)tiling->bytes);
}

//===- plan.c - How a device computes a matrix product --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software devices (Mesa's lavapipe) run a subgroup as the lanes of vector
// registers. A load from a buffer takes each lane for itself, with its own
// checks, and costs as much as several multiplications of whole registers;
// barriers cost microseconds. All plans of a small space are compared by the
// number of cycles they should take, which was measured on lavapipe 22.3 and
// 25.0; between the two the costs of loads differ by a factor of 3, their order
// does not.
//
// GPUs get tiles in workgroup memory as large as leaves enough workgroups, by
// rules of thumb: none was at hand to measure on.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/emit.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/// The innermost contracted dimension, which turns run along.
static int64_t turnTerms(const XlaVulkanMatmul *matmul) {
  const XlaContractionDims *terms = &matmul->contraction.terms;
  return terms->n ? terms->dims[terms->n - 1].size : 1;
}

static int64_t groupsOf(const XlaVulkanMatmul *matmul,
                        const XlaVulkanMatmulPlan *plan) {
  const XlaContraction *all = &matmul->contraction;
  bool isStaged = plan->staging == XlaVulkanStagingWorkgroup;
  int64_t rows = (int64_t)plan->tileRows * (isStaged ? plan->otherThreads : 1);
  int64_t columns = (int64_t)plan->tileColumns * plan->columnThreads;
  return all->batch.size * xlaVulkanCeilDiv(all->rows.size, rows) *
         xlaVulkanCeilDiv(all->columns.size, columns) * plan->chunks;
}

static int64_t strideAlong(const XlaContractionDims *list, MatmulArray array) {
  return list->n ? xlaMatmulStride(&list->dims[list->n - 1], array) : 0;
}

//===----------------------------------------------------------------------===//
// Software devices
//===----------------------------------------------------------------------===//

enum {
  workers = 4, ///< workgroups that should run at a time
  // Tenths of a cycle.
  vectorLoad = 30,      ///< an element of a lane's vector
  nearLoad = 50,        ///< an element by itself, next to those of other lanes
  farLoad = 100,        ///< an element by itself, far from those
  broadcastTenths = 60, ///< from a lane to the others
  multiplyAdd = 12,     ///< of a register; sums lie in memory
  turnOverhead = 6,     ///< for a sum, at the end of a turn
  // Cycles.
  barrierCycles = 60000,  ///< for a workgroup
  groupCycles = 1000,     ///< a workgroup without any work
  compileCycles = 25000,  ///< a load or store in the code, of 1000 runs
  dispatchCycles = 60000, ///< a shader
  maxOperations = 512,    ///< multiplications in the code
};

/// What lanes that lie `distance` elements from each other pay for an element.
static int64_t loadTenths(XlaVulkanVector vector, int64_t distance) {
  return vector                           ? vectorLoad
         : distance >= -1 && distance < 2 ? nearLoad
                                          : farLoad;
}

/// To load the operands of a term into registers, in tenths.
static int64_t loadsTenths(const XlaVulkanMatmul *matmul, int64_t lanes,
                           const XlaVulkanMatmulPlan *plan) {
  const XlaContraction *all = &matmul->contraction;
  bool alongTerms = plan->columnThreads == 1;
  int64_t rows = plan->tileRows * lanes;
  int64_t distance =
      alongTerms ? strideAlong(&all->terms, MatmulLhs) : (int64_t)0;
  int64_t broadcasts = 0;
  if (plan->staging == XlaVulkanStagingSubgroup) {
    int64_t width = plan->lhsVector == XlaVulkanVectorFree ? 4 : 1;
    rows = xlaVulkanCeilDiv(plan->tileRows, lanes * width) * lanes * width;
    distance = strideAlong(&all->rows, MatmulLhs);
    broadcasts = plan->tileRows;
  }
  int64_t across =
      strideAlong(alongTerms ? &all->terms : &all->columns, MatmulRhs);
  return rows * loadTenths(plan->lhsVector, distance) +
         broadcasts * broadcastTenths +
         plan->tileColumns * lanes * loadTenths(plan->rhsVector, across);
}

/// Loads and stores in the code; those in loops over sums are few.
static int64_t accesses(int64_t lanes, const XlaVulkanMatmulPlan *plan) {
  bool isSubgroup = plan->staging == XlaVulkanStagingSubgroup;
  int64_t lhs =
      xlaVulkanCeilDiv(plan->tileRows, isSubgroup ? lanes : 1) * plan->step;
  int64_t rhs = (int64_t)plan->tileColumns * plan->step;
  int64_t stores = plan->tileColumns * (plan->usesLoops ? 1 : plan->tileRows);
  if (plan->otherThreads > 1)
    stores += plan->usesLoops ? 2 : 2 * plan->tileRows * plan->tileColumns;
  if (plan->lhsVector)
    lhs = xlaVulkanCeilDiv(lhs, 4);
  if (plan->rhsVector)
    rhs = xlaVulkanCeilDiv(rhs, 4);
  return lhs + rhs + stores;
}

static double softwareCycles(const XlaVulkanMatmul *matmul,
                             const XlaVulkanInfo *info,
                             const XlaVulkanMatmulPlan *plan) {
  int64_t operations = (int64_t)plan->tileRows * plan->tileColumns;
  double term = (double)(operations * multiplyAdd) +
                (double)(operations * turnOverhead) / plan->step +
                (double)loadsTenths(matmul, info->subgroupSize, plan);
  int64_t turns = xlaVulkanCeilDiv(turnTerms(matmul) / plan->step,
                                   (int64_t)plan->chunks * plan->otherThreads);
  turns *= matmul->contraction.terms.size / turnTerms(matmul);
  double group = (double)(turns * plan->step) * term / 10 + groupCycles;
  if (plan->otherThreads > 1)
    group += barrierCycles;
  int64_t groups = xlaVulkanCeilDiv(groupsOf(matmul, plan), workers) * workers;
  return (double)groups * group +
         (double)(accesses(info->subgroupSize, plan) * compileCycles) *
             workers +
         (plan->chunks > 1 ? (double)dispatchCycles * workers : 0);
}

typedef struct Search {
  const XlaVulkanMatmul *matmul;
  const XlaVulkanInfo *info;
  XlaVulkanMatmulPlan best;
  double cycles; ///< 0: none yet
} Search;

/// The plan with all ways to load its operands.
static void consider(Search *search, XlaVulkanMatmulPlan plan) {
  // Those of 64-bit integers are several instructions each.
  MlirType type = search->matmul->result;
  bool isLong = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
  if (plan.tileRows * plan.tileColumns * plan.step > maxOperations >>
      (int)isLong)
    return;
  for (int l = XlaVulkanVectorNone; l <= XlaVulkanVectorTerms; ++l)
    for (int r = XlaVulkanVectorNone; r <= XlaVulkanVectorTerms; ++r) {
      plan.lhsVector = (XlaVulkanVector)l;
      plan.rhsVector = (XlaVulkanVector)r;
      if (!xlaVulkanMatmulFits(search->matmul, search->info, &plan))
        continue;
      double cycles = softwareCycles(search->matmul, search->info, &plan);
      if (search->cycles != 0 && cycles >= search->cycles)
        continue;
      search->cycles = cycles;
      search->best = plan;
    }
}

/// A tile with all ways to divide the work on it among threads.
static void considerTile(Search *search, XlaVulkanMatmulPlan plan) {
  int lanes = (int)search->info->subgroupSize;
  int64_t turns = turnTerms(search->matmul) / plan.step;
  plan.columnThreads = lanes;
  plan.otherThreads = 1;
  plan.chunks = 1;
  int64_t missing = workers / groupsOf(search->matmul, &plan);
  plan.staging = XlaVulkanStagingSubgroup;
  consider(search, plan);
  plan.staging = XlaVulkanStagingNone;
  consider(search, plan);
  plan.chunks = (int)smaller(missing, turns);
  if (plan.chunks > 1)
    consider(search, plan);
  plan.columnThreads = 1;
  plan.otherThreads = lanes;
  plan.chunks = 1;
  consider(search, plan);
  plan.chunks = (int)smaller(workers / groupsOf(search->matmul, &plan), turns);
  if (plan.chunks > 1)
    consider(search, plan);
}

static void planSoftware(const XlaVulkanMatmul *matmul,
                         const XlaVulkanInfo *info, XlaVulkanMatmulPlan *plan) {
  static const int rows[] = {1, 2, 3, 4, 6, 8, 16, 24, 32};
  static const int columns[] = {1, 2, 4, 8, 12, 16};
  Search search = {.matmul = matmul, .info = info, .best = *plan};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r)
    for (size_t c = 0; c < sizeof columns / sizeof *columns; ++c)
      for (int step = 1; step <= 4; step *= 2) {
        XlaVulkanMatmulPlan tile = *plan;
        tile.tileRows = rows[r];
        tile.tileColumns = columns[c];
        tile.step = step;
        tile.usesPairs = true;
        tile.usesLoops = true;
        considerTile(&search, tile);
      }
  *plan = search.best;
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

enum {
  enoughGroups = 128, ///< to keep a large GPU busy
  sliceTerms = 8,     ///< turns that a thread should at least have
};

/// The largest tile that leaves enough workgroups, or the smallest one.
static bool planStaged(const XlaVulkanMatmul *matmul, const XlaVulkanInfo *info,
                       XlaVulkanMatmulPlan *plan) {
  static const int tiles[][2] = {{8, 8}, {8, 4}, {4, 4}, {4, 2}, {2, 2}};
  bool found = false;
  plan->staging = XlaVulkanStagingWorkgroup;
  plan->columnThreads = plan->otherThreads = 16;
  for (size_t i = 0; i < sizeof tiles / sizeof *tiles; ++i) {
    XlaVulkanMatmulPlan next = *plan;
    next.tileRows = tiles[i][0];
    next.tileColumns = tiles[i][1];
    for (next.step = 16; next.step > 4; next.step /= 2)
      if (xlaVulkanMatmulFits(matmul, info, &next))
        break;
    if (!xlaVulkanMatmulFits(matmul, info, &next))
      continue;
    *plan = next;
    found = true;
    if (groupsOf(matmul, plan) >= enoughGroups)
      break;
  }
  return found;
}

/// Vectors along what lies next to each other anyway, where that is aligned.
static void chooseVectors(const XlaVulkanMatmul *matmul,
                          const XlaVulkanInfo *info,
                          XlaVulkanMatmulPlan *plan) {
  plan->rhsVector = XlaVulkanVectorTerms;
  if (!xlaVulkanMatmulFits(matmul, info, plan))
    plan->rhsVector = XlaVulkanVectorNone;
  plan->lhsVector = XlaVulkanVectorTerms;
  if (!xlaVulkanMatmulFits(matmul, info, plan))
    plan->lhsVector = XlaVulkanVectorNone;
}

/// Few sums of many terms, or terms of several dimensions: threads load for
/// themselves, side by side along what is contiguous.
static void planSlices(const XlaVulkanMatmul *matmul, const XlaVulkanInfo *info,
                       XlaVulkanMatmulPlan *plan) {
  const XlaContraction *all = &matmul->contraction;
  int64_t terms = turnTerms(matmul);
  bool alongTerms = all->terms.n &&
                    all->terms.dims[all->terms.n - 1].rhs == 1 &&
                    terms >= all->columns.size;
  plan->staging = XlaVulkanStagingNone;
  plan->columnThreads = alongTerms ? 1 : 32;
  plan->otherThreads =
      (int)smaller(alongTerms ? 64 : 8, xlaVulkanCeilDiv(terms, sliceTerms));
  plan->tileRows = (int)smaller(all->rows.size, 4);
  plan->tileColumns = alongTerms ? (int)smaller(all->columns.size, 2) : 1;
  plan->step = terms % 4 ? 1 : 4;
  while (plan->otherThreads > 1 && !xlaVulkanMatmulFits(matmul, info, plan))
    plan->otherThreads /= 2;
  int64_t turns = terms / plan->step;
  int64_t perThread = turns / plan->otherThreads / sliceTerms;
  int64_t chunks = smaller(perThread, enoughGroups / groupsOf(matmul, plan));
  plan->chunks = chunks > 1 ? (int)chunks : 1;
  chooseVectors(matmul, info, plan);
}

static void planGpu(const XlaVulkanMatmul *matmul, const XlaVulkanInfo *info,
                    XlaVulkanMatmulPlan *plan) {
  const XlaContraction *all = &matmul->contraction;
  bool isSmall =
      all->rows.size < 8 || all->columns.size < 8 ||
      (all->rows.size * all->columns.size * all->batch.size < 32 * 32 * 16 &&
       all->terms.size > 512);
  XlaVulkanMatmulPlan staged = *plan;
  if (!isSmall && planStaged(matmul, info, &staged))
    *plan = staged;
  else
    planSlices(matmul, info, plan);
}

void xlaVulkanMatmulPlan(const XlaVulkanMatmul *matmul,
                         const XlaVulkanInfo *info, XlaVulkanMatmulPlan *plan) {
  // One that fits wherever threads do.
  *plan = (XlaVulkanMatmulPlan){.columnThreads = 32,
                                .otherThreads = 1,
                                .tileRows = 1,
                                .tileColumns = 1,
                                .step = 1,
                                .chunks = 1};
  if (info->kind == XlaVulkanKindSoftware)
    planSoftware(matmul, info, plan);
  else
    planGpu(matmul, info, plan);
}

//===- tiling.c - How a device computes a matrix product ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software devices (Mesa's lavapipe) run a subgroup as the lanes of vector
// registers. A load from a buffer takes each lane for itself, with its own
// checks, and costs as much as several multiplications of whole registers;
// barriers cost microseconds. All tilings of a small space are compared by the
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
                        const XlaVulkanMatmulTiling *tiling) {
  const XlaContraction *all = &matmul->contraction;
  bool isStaged = tiling->staging == XlaVulkanStagingWorkgroup;
  int64_t rows =
      (int64_t)tiling->tileRows * (isStaged ? tiling->otherThreads : 1);
  int64_t columns = (int64_t)tiling->tileColumns * tiling->columnThreads;
  return all->batch.size * xlaVulkanCeilDiv(all->rows.size, rows) *
         xlaVulkanCeilDiv(all->columns.size, columns) * tiling->chunks;
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
                           const XlaVulkanMatmulTiling *tiling) {
  const XlaContraction *all = &matmul->contraction;
  bool alongTerms = tiling->columnThreads == 1;
  int64_t rows = tiling->tileRows * lanes;
  int64_t distance =
      alongTerms ? strideAlong(&all->terms, MatmulLhs) : (int64_t)0;
  int64_t broadcasts = 0;
  if (tiling->staging == XlaVulkanStagingSubgroup) {
    int64_t width = tiling->lhsVector == XlaVulkanVectorFree ? 4 : 1;
    rows = xlaVulkanCeilDiv(tiling->tileRows, lanes * width) * lanes * width;
    distance = strideAlong(&all->rows, MatmulLhs);
    broadcasts = tiling->tileRows;
  }
  int64_t across =
      strideAlong(alongTerms ? &all->terms : &all->columns, MatmulRhs);
  return rows * loadTenths(tiling->lhsVector, distance) +
         broadcasts * broadcastTenths +
         tiling->tileColumns * lanes * loadTenths(tiling->rhsVector, across);
}

/// Loads and stores in the code; those in loops over sums are few.
static int64_t accesses(int64_t lanes, const XlaVulkanMatmulTiling *tiling) {
  bool isSubgroup = tiling->staging == XlaVulkanStagingSubgroup;
  int64_t lhs =
      xlaVulkanCeilDiv(tiling->tileRows, isSubgroup ? lanes : 1) * tiling->step;
  int64_t rhs = (int64_t)tiling->tileColumns * tiling->step;
  int64_t stores =
      tiling->tileColumns * (tiling->usesLoops ? 1 : tiling->tileRows);
  if (tiling->otherThreads > 1)
    stores +=
        tiling->usesLoops ? 2 : 2 * tiling->tileRows * tiling->tileColumns;
  if (tiling->lhsVector)
    lhs = xlaVulkanCeilDiv(lhs, 4);
  if (tiling->rhsVector)
    rhs = xlaVulkanCeilDiv(rhs, 4);
  return lhs + rhs + stores;
}

static double softwareCycles(const XlaVulkanMatmul *matmul,
                             const XlaVulkanInfo *info,
                             const XlaVulkanMatmulTiling *tiling) {
  int64_t operations = (int64_t)tiling->tileRows * tiling->tileColumns;
  double term = (double)(operations * multiplyAdd) +
                (double)(operations * turnOverhead) / tiling->step +
                (double)loadsTenths(matmul, info->subgroupSize, tiling);
  int64_t turns =
      xlaVulkanCeilDiv(turnTerms(matmul) / tiling->step,
                       (int64_t)tiling->chunks * tiling->otherThreads);
  turns *= matmul->contraction.terms.size / turnTerms(matmul);
  double group = (double)(turns * tiling->step) * term / 10 + groupCycles;
  if (tiling->otherThreads > 1)
    group += barrierCycles;
  int64_t groups =
      xlaVulkanCeilDiv(groupsOf(matmul, tiling), workers) * workers;
  return (double)groups * group +
         (double)(accesses(info->subgroupSize, tiling) * compileCycles) *
             workers +
         (tiling->chunks > 1 ? (double)dispatchCycles * workers : 0);
}

typedef struct Search {
  const XlaVulkanMatmul *matmul;
  const XlaVulkanInfo *info;
  XlaVulkanMatmulTiling best;
  double cycles; ///< 0: none yet
} Search;

/// The tiling with all ways to load its operands.
static void consider(Search *search, XlaVulkanMatmulTiling tiling) {
  // Those of 64-bit integers are several instructions each.
  MlirType type = search->matmul->result;
  bool isLong = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
  if (tiling.tileRows * tiling.tileColumns * tiling.step > maxOperations >>
      (int)isLong)
    return;
  for (int l = XlaVulkanVectorNone; l <= XlaVulkanVectorTerms; ++l)
    for (int r = XlaVulkanVectorNone; r <= XlaVulkanVectorTerms; ++r) {
      tiling.lhsVector = (XlaVulkanVector)l;
      tiling.rhsVector = (XlaVulkanVector)r;
      if (!xlaVulkanMatmulFits(search->matmul, search->info, &tiling))
        continue;
      double cycles = softwareCycles(search->matmul, search->info, &tiling);
      if (search->cycles != 0 && cycles >= search->cycles)
        continue;
      search->cycles = cycles;
      search->best = tiling;
    }
}

/// A tile with all ways to divide the work on it among threads.
static void considerTile(Search *search, XlaVulkanMatmulTiling tiling) {
  int lanes = (int)search->info->subgroupSize;
  int64_t turns = turnTerms(search->matmul) / tiling.step;
  tiling.columnThreads = lanes;
  tiling.otherThreads = 1;
  tiling.chunks = 1;
  int64_t missing = workers / groupsOf(search->matmul, &tiling);
  tiling.staging = XlaVulkanStagingSubgroup;
  consider(search, tiling);
  tiling.staging = XlaVulkanStagingNone;
  consider(search, tiling);
  tiling.chunks = (int)smaller(missing, turns);
  if (tiling.chunks > 1)
    consider(search, tiling);
  tiling.columnThreads = 1;
  tiling.otherThreads = lanes;
  tiling.chunks = 1;
  consider(search, tiling);
  tiling.chunks =
      (int)smaller(workers / groupsOf(search->matmul, &tiling), turns);
  if (tiling.chunks > 1)
    consider(search, tiling);
}

static void tileSoftware(const XlaVulkanMatmul *matmul,
                         const XlaVulkanInfo *info,
                         XlaVulkanMatmulTiling *tiling) {
  static const int rows[] = {1, 2, 3, 4, 6, 8, 16, 24, 32};
  static const int columns[] = {1, 2, 4, 8, 12, 16};
  Search search = {.matmul = matmul, .info = info, .best = *tiling};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r)
    for (size_t c = 0; c < sizeof columns / sizeof *columns; ++c)
      for (int step = 1; step <= 4; step *= 2) {
        XlaVulkanMatmulTiling tile = *tiling;
        tile.tileRows = rows[r];
        tile.tileColumns = columns[c];
        tile.step = step;
        tile.usesPairs = true;
        tile.usesLoops = true;
        considerTile(&search, tile);
      }
  *tiling = search.best;
  tiling->nanoseconds = search.cycles / workers / 3; // at 3 GHz
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

enum {
  enoughGroups = 128, ///< to keep a large GPU busy
  sliceTerms = 8,     ///< turns that a thread should at least have
};

/// The largest tile that leaves enough workgroups, or the smallest one.
static bool tileStaged(const XlaVulkanMatmul *matmul, const XlaVulkanInfo *info,
                       XlaVulkanMatmulTiling *tiling) {
  static const int tiles[][2] = {{8, 8}, {8, 4}, {4, 4}, {4, 2}, {2, 2}};
  bool found = false;
  tiling->staging = XlaVulkanStagingWorkgroup;
  tiling->columnThreads = tiling->otherThreads = 16;
  for (size_t i = 0; i < sizeof tiles / sizeof *tiles; ++i) {
    XlaVulkanMatmulTiling next = *tiling;
    next.tileRows = tiles[i][0];
    next.tileColumns = tiles[i][1];
    for (next.step = 16; next.step > 4; next.step /= 2)
      if (xlaVulkanMatmulFits(matmul, info, &next))
        break;
    if (!xlaVulkanMatmulFits(matmul, info, &next))
      continue;
    *tiling = next;
    found = true;
    if (groupsOf(matmul, tiling) >= enoughGroups)
      break;
  }
  return found;
}

/// Vectors along what lies next to each other anyway, where that is aligned.
static void chooseVectors(const XlaVulkanMatmul *matmul,
                          const XlaVulkanInfo *info,
                          XlaVulkanMatmulTiling *tiling) {
  tiling->rhsVector = XlaVulkanVectorTerms;
  if (!xlaVulkanMatmulFits(matmul, info, tiling))
    tiling->rhsVector = XlaVulkanVectorNone;
  tiling->lhsVector = XlaVulkanVectorTerms;
  if (!xlaVulkanMatmulFits(matmul, info, tiling))
    tiling->lhsVector = XlaVulkanVectorNone;
}

/// Few sums of many terms, or terms of several dimensions: threads load for
/// themselves, side by side along what is contiguous.
static void tileSlices(const XlaVulkanMatmul *matmul, const XlaVulkanInfo *info,
                       XlaVulkanMatmulTiling *tiling) {
  const XlaContraction *all = &matmul->contraction;
  int64_t terms = turnTerms(matmul);
  bool alongTerms = all->terms.n &&
                    all->terms.dims[all->terms.n - 1].rhs == 1 &&
                    terms >= all->columns.size;
  tiling->staging = XlaVulkanStagingNone;
  tiling->columnThreads = alongTerms ? 1 : 32;
  tiling->otherThreads =
      (int)smaller(alongTerms ? 64 : 8, xlaVulkanCeilDiv(terms, sliceTerms));
  tiling->tileRows = (int)smaller(all->rows.size, 4);
  tiling->tileColumns = alongTerms ? (int)smaller(all->columns.size, 2) : 1;
  tiling->step = terms % 4 ? 1 : 4;
  while (tiling->otherThreads > 1 && !xlaVulkanMatmulFits(matmul, info, tiling))
    tiling->otherThreads /= 2;
  int64_t turns = terms / tiling->step;
  int64_t perThread = turns / tiling->otherThreads / sliceTerms;
  int64_t chunks = smaller(perThread, enoughGroups / groupsOf(matmul, tiling));
  tiling->chunks = chunks > 1 ? (int)chunks : 1;
  chooseVectors(matmul, info, tiling);
}

static void tileGpu(const XlaVulkanMatmul *matmul, const XlaVulkanInfo *info,
                    XlaVulkanMatmulTiling *tiling) {
  const XlaContraction *all = &matmul->contraction;
  bool isSmall =
      all->rows.size < 8 || all->columns.size < 8 ||
      (all->rows.size * all->columns.size * all->batch.size < 32 * 32 * 16 &&
       all->terms.size > 512);
  XlaVulkanMatmulTiling staged = *tiling;
  if (!isSmall && tileStaged(matmul, info, &staged))
    *tiling = staged;
  else
    tileSlices(matmul, info, tiling);
}

void xlaVulkanMatmulTiling(const XlaVulkanMatmul *matmul,
                           const XlaVulkanInfo *info,
                           XlaVulkanMatmulTiling *tiling) {
  // One that fits wherever threads do.
  *tiling = (XlaVulkanMatmulTiling){.columnThreads = 32,
                                    .otherThreads = 1,
                                    .tileRows = 1,
                                    .tileColumns = 1,
                                    .step = 1,
                                    .chunks = 1};
  if (info->kind == XlaVulkanKindSoftware)
    tileSoftware(matmul, info, tiling);
  else
    tileGpu(matmul, info, tiling);
}

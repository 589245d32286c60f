//===- rows.c - Rows that several threads take ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/group.h"

#include <stdlib.h>

enum {
  maxLanes = 128,
  /// Elements of a row for each of its threads, at least.
  minElements = 4,
};

static bool isPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static int innerDims(const XlaVulkanGroup *g,
                     const XlaSchedStatement *statement) {
  return statement->nDims - g->n.group->nShared;
}

/// Bytes that a thread touches with an access of each kind, on average.
typedef struct Bytes {
  double row, own; ///< as one of a row's threads, or with rows of its own
} Bytes;

static void addBytes(const XlaVulkanGroup *g,
                     const XlaSchedStatement *statement, int i, Bytes *bytes) {
  const XlaSchedAccess *access = &statement->accesses[i];
  XlaSchedUnroll none = {.n = 0};
  XlaSchedCoalescing row = xlaVulkanCoalesceRow(g, statement, access, 1),
                     own = xlaVulkanCoalesceOwn(g, statement, access, &none);
  bytes->row += (double)row.touched / (double)row.lanes;
  bytes->own += (double)own.touched / (double)own.lanes;
}

/// Can the statement's last dimension be dealt out? Adds what the accesses
/// along it touch.
static bool isDealable(const XlaVulkanGroup *g,
                       const XlaSchedStatement *statement, Bytes *bytes) {
  int last = statement->nDims - 1;
  if (statement->sizes[last] < minElements * g->schedule.lanes)
    return false;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    // Accumulators inside are one for all threads.
    if (i >= statement->nIns && xlaSchedReduces(statement) &&
        xlaSchedIsInner(g->n.group, statement, access))
      return false;
    if (access->strides[last])
      addBytes(g, statement, i, bytes);
  }
  if (!xlaSchedReduces(statement))
    return true;
  XlaSchedReducer *reducers =
      calloc((size_t)statement->nOuts, sizeof *reducers);
  bool isKnown = reducers && xlaSchedReducersRead(statement, reducers);
  free(reducers);
  return isKnown;
}

/// Would a thread read what another one wrote?
static bool isCrossing(const XlaVulkanGroup *g, const XlaSchedStatement *a,
                       int i, const XlaSchedStatement *b, int j) {
  const XlaSchedAccess *x = &a->accesses[i], *y = &b->accesses[j];
  MlirValue start;
  if ((i < a->nIns && j < b->nIns) ||
      !mlirValueEqual(xlaVulkanRoot(x->view, &start),
                      xlaVulkanRoot(y->view, &start)))
    return false;
  bool isInner = xlaSchedIsInner(g->n.group, a, x);
  return x->dynamicOffset || y->dynamicOffset ||
         isInner != xlaSchedIsInner(g->n.group, b, y) ||
         (isInner && a->nDims != b->nDims) ||
         !xlaSchedSameAccess(x, a->nDims, y, b->nDims);
}

static bool crosses(const XlaVulkanGroup *g) {
  const XlaSchedGroup *group = g->n.group;
  for (int s = 0; s < group->nStatements; ++s)
    for (int t = s; t < group->nStatements; ++t) {
      const XlaSchedStatement *a = &group->statements[s],
                              *b = &group->statements[t];
      for (int i = 0; i < a->nIns + a->nOuts; ++i)
        for (int j = 0; j < b->nIns + b->nOuts; ++j)
          if (isCrossing(g, a, i, b, j))
            return true;
    }
  return false;
}

/// The widest access that all clusters can take and that leaves every thread
/// something to do.
static int dealtWidth(const XlaVulkanGroup *g) {
  int width = xlaVulkanWidth(g->e.memory->schedule->info);
  for (int c = 0; c < g->n.clusters.n; ++c) {
    const XlaSchedCluster *cluster = &g->n.clusters.all[c];
    const XlaSchedStatement *statement =
        &g->n.group->statements[*cluster->statements];
    if (!innerDims(g, statement))
      continue;
    int own = xlaVulkanInnerWidth(g, cluster);
    while (own > 1 &&
           own * g->schedule.lanes > statement->sizes[statement->nDims - 1])
      own /= 2;
    width = own < width ? own : width;
  }
  return width < XLA_VULKAN_WIDTH ? 1 : width;
}

/// Does what xlaVulkanAcross takes fit into workgroup memory?
static bool fitsShared(const XlaVulkanGroup *g) {
  int64_t bytes = 0;
  for (int s = 0; s < g->n.group->nStatements; ++s)
    if (xlaSchedReduces(&g->n.group->statements[s]))
      bytes += g->n.group->statements[s].nOuts * g->schedule.lanes * 8;
  return bytes <= g->e.memory->schedule->info->sharedBytes;
}

void xlaVulkanChooseLanes(XlaVulkanGroup *g) {
  const XlaVulkanInfo *info = g->e.memory->schedule->info;
  const XlaSchedGroup *group = g->n.group;
  Bytes bytes = {0, 0};
  bool isRow = false;
  g->schedule.isWorkgroup = !info->subgroupShuffle || info->subgroupSize < 4 ||
                            info->subgroupSize > maxLanes ||
                            !isPowerOfTwo(info->subgroupSize) ||
                            info->subgroupSize > xlaVulkanGroupSize(info);
  g->schedule.lanes = g->schedule.isWorkgroup ? 64 : info->subgroupSize;
  while (g->schedule.lanes > xlaVulkanGroupSize(info))
    g->schedule.lanes /= 2;
  for (int s = 0; s < group->nStatements; ++s) {
    const XlaSchedStatement *statement = &group->statements[s];
    if (!innerDims(g, statement))
      continue;
    isRow = isRow || xlaSchedReduces(statement);
    if (!isDealable(g, statement, &bytes)) {
      g->schedule.lanes = 1;
      g->schedule.lanesReason =
          "rows are short, or what they are reduced by has no "
          "known order";
      return;
    }
  }
  const char *whyNot = !isRow                  ? "nothing is reduced"
                       : g->schedule.lanes < 4 ? "workgroups are small"
                       : bytes.row >= bytes.own
                           ? "in rows of their own they touch as few bytes"
                       : g->schedule.isWorkgroup && !fitsShared(g)
                           ? "a workgroup's memory is too small for results"
                       : crosses(g) ? "threads would read what others wrote"
                                    : NULL;
  g->schedule.lanesReason =
      whyNot ? whyNot : "rows are reduced, and so they touch fewer bytes";
  if (whyNot)
    g->schedule.lanes = 1;
  else
    g->schedule.width = dealtWidth(g);
}

//===----------------------------------------------------------------------===//
// Combination
//===----------------------------------------------------------------------===//

/// By halves: thread i takes the value of thread i + step.
static MlirValue throughMemory(XlaVulkanGroup *g,
                               const XlaSchedReducer *reducer,
                               MlirValue value) {
  XlaIr *ir = &g->e.ir;
  MlirValue memory = xlaVulkanAlloc(&g->e.top, "Workgroup",
                                    mlirValueGetType(value), g->schedule.lanes);
  const XlaAffineNest *nest = &g->e.nest;
  xlaAffineStore(nest, ir, value, memory, g->n.thread);
  xlaVulkanBarrier(ir);
  for (int64_t step = g->schedule.lanes / 2; step; step /= 2) {
    XlaIr then;
    MlirAffineExpr left = xlaAffineBelow(g->n.thread, step);
    xlaAffineIf(nest, ir, 1, &left, &then, NULL);
    MlirType type = mlirValueGetType(value);
    MlirValue a = xlaAffineLoad(nest, &then, type, memory, g->n.thread);
    MlirValue b = xlaAffineLoad(nest, &then, type, memory,
                                xlaExprShift(g->n.thread, step));
    xlaAffineStore(nest, &then, xlaSchedCombine(&then, reducer, a, b), memory,
                   g->n.thread);
    xlaVulkanBarrier(ir);
  }
  return xlaAffineLoad(nest, ir, mlirValueGetType(value), memory,
                       xlaAffineConstant(nest, 0));
}

static MlirValue bool32(XlaIr *ir, const char *cast, MlirValue value,
                        unsigned width) {
  return xlaIrCast(ir, cast, value, mlirIntegerTypeGet(ir->context, width));
}

MlirValue xlaVulkanAcross(XlaSchedNest *n, const XlaSchedReducer *reducer,
                          MlirValue value) {
  XlaVulkanGroup *g = (XlaVulkanGroup *)n;
  XlaIr *ir = &g->e.ir;
  *ir = n->at[2];
  MlirType type = mlirValueGetType(value);
  bool isBool = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  if (isBool) // is a value of registers only
    value = bool32(ir, "arith.extsi", value, 32);
  if (g->schedule.isWorkgroup)
    value = throughMemory(g, reducer, value);
  for (uint32_t mask = 1; !g->schedule.isWorkgroup && mask < g->schedule.lanes;
       mask *= 2) {
    MlirValue other =
        xlaVulkanSubgroupShuffle(ir, value, mask, (uint32_t)g->schedule.lanes);
    value = xlaSchedCombine(ir, reducer, value, other);
  }
  return isBool ? bool32(ir, "arith.trunci", value, 1) : value;
}

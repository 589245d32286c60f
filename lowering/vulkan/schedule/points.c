//===- points.c - Elements at the points of a thread --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/group.h"

#include <string.h>

int xlaVulkanVectorUnroll(const XlaVulkanGroup *g,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaSchedUnroll *unroll) {
  MlirValue start, root = xlaVulkanRoot(access->view, &start);
  for (int i = 0; i < unroll->n && !access->dynamicOffset; ++i) {
    int width = unroll->factors[i];
    bool fits = width >= XLA_VULKAN_WIDTH &&
                access->strides[unroll->dims[i]] == 1 &&
                access->offset % width == 0 &&
                xlaVulkanIsWide(g->e.memory->schedule, root, width);
    for (int d = 0; fits && d < statement->nDims; ++d)
      fits = d == unroll->dims[i] || access->strides[d] % width == 0;
    if (fits)
      return i;
  }
  return -1;
}

/// Where the access is at digits 0. A start that is known when the program
/// runs becomes a dimension of the nest.
static MlirAffineExpr baseOf(XlaVulkanGroup *g,
                             const XlaSchedStatement *statement,
                             const XlaSchedAccess *access) {
  MlirValue start;
  xlaVulkanRoot(access->view, &start);
  MlirAffineExpr at = xlaAffineConstant(&g->e.nest, access->offset);
  if (access->dynamicOffset && !start.ptr)
    xlaVulkanEmitFail(&g->e, g->e.ir.location, XLA_STATUS_INTERNAL,
                      "an access begins at an unknown place");
  else if (access->dynamicOffset)
    at = xlaAffineDim(&g->e.nest, xlaVulkanValue(&g->e, start));
  for (int d = 0; d < statement->nDims; ++d)
    if (access->strides[d])
      at = xlaExprAdd(at, xlaExprScale(g->n.iv[d], access->strides[d]));
  return at;
}

/// How far point `p` lies from there.
static int64_t pointOffset(const XlaSchedAccess *access,
                           const XlaSchedUnroll *unroll, int p) {
  int64_t offset = 0;
  for (int i = 0; i < unroll->n; ++i)
    offset += access->strides[unroll->dims[i]] * xlaSchedDigit(unroll, p, i);
  return offset;
}

/// The first point with the same element.
static int samePoint(const XlaSchedAccess *access, const XlaSchedUnroll *unroll,
                     int p) {
  int weight = 1, same = 0;
  for (int i = unroll->n - 1; i >= 0; --i) {
    if (access->strides[unroll->dims[i]])
      same += weight * xlaSchedDigit(unroll, p, i);
    weight *= unroll->factors[i];
  }
  return same;
}

/// The points that the access tells apart.
static const XlaSchedUnroll *pointsOf(const XlaVulkanGroup *g,
                                      const XlaSchedStatement *statement,
                                      const XlaSchedAccess *access) {
  return xlaSchedIsInner(g->n.group, statement, access) ? &g->n.points
                                                        : &g->n.shared;
}

void xlaVulkanLoadPoints(XlaSchedNest *n, const XlaSchedStatement *statement,
                         const XlaSchedAccess *access, XlaSchedPack *pack) {
  XlaVulkanGroup *g = (XlaVulkanGroup *)n;
  MlirValue start, root = xlaVulkanRoot(access->view, &start);
  MlirValue *values = pack->values;
  const XlaSchedUnroll *unroll = pointsOf(g, statement, access);
  int wide = xlaVulkanVectorUnroll(g, statement, access, unroll);
  int points = pack->n = xlaSchedPoints(unroll);
  pack->level = unroll == &n->shared ? 0 : 2;
  g->e.ir = n->at[pack->level];
  int weight = wide < 0 ? 0 : xlaSchedWeight(unroll, wide);
  int nDims = g->e.nest.nLoops;
  MlirAffineExpr base = baseOf(g, statement, access);
  memset(values, 0, sizeof pack->values);
  for (int p = 0; p < points; ++p) {
    int same = samePoint(access, unroll, p);
    if (values[p].ptr)
      continue;
    if (same < p) {
      values[p] = values[same];
      continue;
    }
    MlirAffineExpr at = xlaExprShift(base, pointOffset(access, unroll, p));
    int width = wide < 0 ? 1 : unroll->factors[wide];
    MlirValue loaded[XLA_VULKAN_MAX_WIDTH];
    xlaVulkanLoadLanes(&g->e, root, width, at, loaded);
    for (int k = 0; k < width; ++k)
      values[p + k * weight] = loaded[k];
  }
  g->e.nest.nLoops = nDims;
  n->failed |= g->e.failed;
}

static void storePoints(XlaVulkanGroup *g, const XlaSchedStatement *statement,
                        const XlaSchedAccess *access,
                        const XlaSchedPack *pack) {
  const XlaSchedUnroll *unroll = pointsOf(g, statement, access);
  MlirValue start, root = xlaVulkanRoot(access->view, &start);
  int wide = xlaVulkanVectorUnroll(g, statement, access, unroll);
  int points = xlaSchedPoints(unroll);
  int weight = wide < 0 ? 0 : xlaSchedWeight(unroll, wide);
  int nDims = g->e.nest.nLoops;
  MlirAffineExpr base = baseOf(g, statement, access);
  for (int p = 0; p < points; ++p) {
    if (samePoint(access, unroll, p) != p ||
        (wide >= 0 && xlaSchedDigit(unroll, p, wide) != 0))
      continue;
    MlirAffineExpr at = xlaExprShift(base, pointOffset(access, unroll, p));
    int width = wide < 0 ? 1 : unroll->factors[wide];
    MlirValue parts[XLA_VULKAN_MAX_WIDTH];
    for (int k = 0; k < width; ++k)
      parts[k] = xlaSchedAt(pack, p + k * weight, points);
    xlaVulkanStoreLanes(&g->e, root, width, at, parts);
  }
  g->e.nest.nLoops = nDims;
}

void xlaVulkanStorePoints(XlaSchedNest *n, const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaSchedPack *pack) {
  XlaVulkanGroup *g = (XlaVulkanGroup *)n;
  XlaIr writing = n->at[2], then;
  g->e.ir = writing;
  // All threads of a row hold what is the same inside; one of them writes.
  if (n->threads > 1 && !xlaSchedIsInner(n->group, statement, access)) {
    MlirAffineExpr isFirst = xlaAffineBelow(n->thread, 1);
    xlaAffineIf(&g->e.nest, &writing, 1, &isFirst, &then, NULL);
    g->e.ir = then;
  }
  storePoints(g, statement, access, pack);
  g->e.ir = n->at[2];
  n->failed |= g->e.failed;
}

bool xlaVulkanIsRegister(const XlaSchedNest *n, const XlaSchedCluster *cluster,
                         const XlaSchedAccess *access) {
  MlirValue root = xlaSchedRoot(access->view);
  return cluster && xlaSchedIsAlloc(root) &&
         xlaSchedIsPrivate(n->group, cluster->statements, cluster->nStatements,
                           root);
}

//===- known.c - Elements of memory in registers --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/group.h"

#include <stdlib.h>
#include <string.h>

int xlaVulkanPoints(const XlaVulkanUnroll *unroll) {
  int points = 1;
  for (int i = 0; i < unroll->n; ++i)
    points *= unroll->factors[i];
  return points;
}

int xlaVulkanDigit(const XlaVulkanUnroll *unroll, int p, int i) {
  for (int k = unroll->n - 1; k > i; --k)
    p /= unroll->factors[k];
  return p % unroll->factors[i];
}

//===----------------------------------------------------------------------===//
// Loads and stores of blocks
//===----------------------------------------------------------------------===//

int xlaVulkanVectorUnroll(const XlaVulkanGroup *g,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaVulkanUnroll *unroll) {
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
      at = xlaExprAdd(at, xlaExprScale(g->iv[d], access->strides[d]));
  return at;
}

/// How far point `p` lies from there.
static int64_t pointOffset(const XlaSchedAccess *access,
                           const XlaVulkanUnroll *unroll, int p) {
  int64_t offset = 0;
  for (int i = 0; i < unroll->n; ++i)
    offset += access->strides[unroll->dims[i]] * xlaVulkanDigit(unroll, p, i);
  return offset;
}

/// The first point with the same element.
static int samePoint(const XlaSchedAccess *access,
                     const XlaVulkanUnroll *unroll, int p) {
  int weight = 1, same = 0;
  for (int i = unroll->n - 1; i >= 0; --i) {
    if (access->strides[unroll->dims[i]])
      same += weight * xlaVulkanDigit(unroll, p, i);
    weight *= unroll->factors[i];
  }
  return same;
}

/// Distance of points whose digit `i` differs by one.
static int weightOf(const XlaVulkanUnroll *unroll, int i) {
  int weight = 1;
  for (int k = unroll->n - 1; k > i; --k)
    weight *= unroll->factors[k];
  return weight;
}

void xlaVulkanLoadPoints(XlaVulkanGroup *g, const XlaSchedStatement *statement,
                         const XlaSchedAccess *access,
                         const XlaVulkanUnroll *unroll, MlirValue *values) {
  MlirValue start, root = xlaVulkanRoot(access->view, &start);
  int wide = xlaVulkanVectorUnroll(g, statement, access, unroll);
  int points = xlaVulkanPoints(unroll);
  int weight = wide < 0 ? 0 : weightOf(unroll, wide);
  int nDims = g->e.nest.nLoops;
  MlirAffineExpr base = baseOf(g, statement, access);
  memset(values, 0, (size_t)points * sizeof *values);
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
}

void xlaVulkanStorePoints(XlaVulkanGroup *g, const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const XlaVulkanUnroll *unroll,
                          const MlirValue *values) {
  MlirValue start, root = xlaVulkanRoot(access->view, &start);
  int wide = xlaVulkanVectorUnroll(g, statement, access, unroll);
  int points = xlaVulkanPoints(unroll);
  int weight = wide < 0 ? 0 : weightOf(unroll, wide);
  int nDims = g->e.nest.nLoops;
  MlirAffineExpr base = baseOf(g, statement, access);
  for (int p = 0; p < points; ++p) {
    if (samePoint(access, unroll, p) != p ||
        (wide >= 0 && xlaVulkanDigit(unroll, p, wide) != 0))
      continue;
    MlirAffineExpr at = xlaExprShift(base, pointOffset(access, unroll, p));
    int width = wide < 0 ? 1 : unroll->factors[wide];
    MlirValue parts[XLA_VULKAN_MAX_WIDTH];
    for (int k = 0; k < width; ++k)
      parts[k] = values[p + k * weight];
    xlaVulkanStoreLanes(&g->e, root, width, at, parts);
  }
  g->e.nest.nLoops = nDims;
}

//===----------------------------------------------------------------------===//
// Known elements
//===----------------------------------------------------------------------===//

XlaVulkanKnown *xlaVulkanFindKnown(XlaVulkanGroup *g,
                                   const XlaSchedStatement *statement,
                                   const XlaSchedAccess *access) {
  for (intptr_t i = 0; i < g->nKnown; ++i)
    if (xlaSchedSameAccess(g->known[i].access, g->known[i].statement->nDims,
                           access, statement->nDims))
      return &g->known[i];
  return NULL;
}

static XlaVulkanKnown *addKnown(XlaVulkanGroup *g,
                                const XlaSchedStatement *statement,
                                const XlaSchedAccess *access) {
  if (g->nKnown == g->knownCapacity) {
    intptr_t capacity = 2 * g->knownCapacity + 16;
    XlaVulkanKnown *known = realloc(g->known, (size_t)capacity * sizeof *known);
    if (!known) {
      xlaVulkanEmitNoMemory(&g->e);
      return NULL;
    }
    g->known = known;
    g->knownCapacity = capacity;
  }
  XlaVulkanKnown *known = &g->known[g->nKnown++];
  memset(known, 0, sizeof *known);
  known->statement = statement;
  known->access = access;
  return known;
}

/// All threads of a row hold the same values; one of them writes.
static void storeKnown(XlaVulkanGroup *g, XlaVulkanKnown *known) {
  known->isDirty = false;
  if (g->schedule.lanes == 1) {
    xlaVulkanStorePoints(g, known->statement, known->access, &g->shared,
                         known->values);
    return;
  }
  XlaIr outer = g->e.ir, then;
  MlirAffineExpr isFirst = xlaAffineBelow(g->lane, 1);
  xlaAffineIf(&g->e.nest, &outer, 1, &isFirst, &then, NULL);
  g->e.ir = then;
  xlaVulkanStorePoints(g, known->statement, known->access, &g->shared,
                       known->values);
  g->e.ir = outer;
}

static bool sameRoot(const XlaSchedAccess *a, const XlaSchedAccess *b) {
  MlirValue start;
  return mlirValueEqual(xlaVulkanRoot(a->view, &start),
                        xlaVulkanRoot(b->view, &start));
}

/// Stores what is dirty of the access's buffer, and forgets it if `forget`.
static void flushRoot(XlaVulkanGroup *g, const XlaSchedAccess *access,
                      bool forget) {
  intptr_t kept = 0;
  for (intptr_t i = 0; i < g->nKnown; ++i) {
    bool isSame = sameRoot(g->known[i].access, access);
    if (isSame && g->known[i].isDirty)
      storeKnown(g, &g->known[i]);
    if (!isSame || !forget)
      g->known[kept++] = g->known[i];
  }
  g->nKnown = kept;
}

const MlirValue *xlaVulkanReadShared(XlaVulkanGroup *g,
                                     const XlaSchedStatement *statement,
                                     const XlaSchedAccess *access) {
  XlaVulkanKnown *known = xlaVulkanFindKnown(g, statement, access);
  static const MlirValue none[XLA_VULKAN_MAX_POINTS];
  if (known)
    return known->values;
  flushRoot(g, access, false);
  known = addKnown(g, statement, access);
  if (!known)
    return none;
  xlaVulkanLoadPoints(g, statement, access, &g->shared, known->values);
  return known->values;
}

void xlaVulkanWriteShared(XlaVulkanGroup *g, const XlaSchedStatement *statement,
                          const XlaSchedAccess *access,
                          const MlirValue *values) {
  XlaVulkanKnown *known = xlaVulkanFindKnown(g, statement, access);
  if (!known) {
    flushRoot(g, access, true); // elements of another access may be these
    known = addKnown(g, statement, access);
  }
  if (!known)
    return;
  memcpy(known->values, values,
         (size_t)xlaVulkanPoints(&g->shared) * sizeof *values);
  known->isDirty = true;
}

void xlaVulkanSynchronize(XlaVulkanGroup *g,
                          const XlaSchedStatement *statement) {
  bool hasInner = statement->nDims > g->statements->nShared;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
    const XlaSchedAccess *access = &statement->accesses[i];
    bool isInner = xlaSchedIsInner(g->statements, statement, access);
    if (isInner)
      flushRoot(g, access, i >= statement->nIns && hasInner);
  }
}

void xlaVulkanFlush(XlaVulkanGroup *g) {
  for (intptr_t i = 0; i < g->nKnown; ++i) {
    MlirValue start;
    MlirValue root = xlaVulkanRoot(g->known[i].access->view, &start);
    if (g->known[i].isDirty &&
        !(xlaSchedIsAlloc(root) &&
          xlaSchedIsPrivate(g->statements, NULL, g->statements->nStatements,
                            root)))
      storeKnown(g, &g->known[i]);
  }
  g->nKnown = 0;
}

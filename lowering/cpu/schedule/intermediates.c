//===- intermediates.c - What a nest keeps for itself ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/schedule/nest.h"

#include <stdlib.h>

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a < 0 ? -a : a;
}

static int clusterOf(const XlaSchedEmit *e, int statement) {
  for (int c = 0; c < e->n.clusters.n; ++c)
    for (int k = 0; k < e->n.clusters.all[c].nStatements; ++k)
      if (e->n.clusters.all[c].statements[k] == statement)
        return c;
  return -1;
}

/// Where a buffer's accesses begin and end, and the divisor of their strides;
/// whether one cluster reads what another one wrote element by element.
static void measure(const XlaSchedEmit *e, XlaSchedScratch *scratch) {
  int writer = -1;
  int64_t last = INT64_MIN, first = -1, low, high;
  uint64_t shared = (UINT64_C(1) << e->n.group->nShared) - 1;
  scratch->base = INT64_MAX;
  scratch->divisor = 0;
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i) {
      const XlaSchedAccess *access = &statement->accesses[i];
      if (!mlirValueEqual(access->root, scratch->root))
        continue;
      int cluster = clusterOf(e, s);
      xlaSchedBounds(statement, access, shared, &low, &high);
      scratch->base = low < scratch->base ? low : scratch->base;
      last = high > last ? high : last;
      for (int d = e->n.group->nShared; d < statement->nDims; ++d)
        scratch->divisor = gcd(scratch->divisor, access->strides[d]);
      first = first < 0 ? access->offset : first;
      scratch->divisor = gcd(scratch->divisor, access->offset - first);
      scratch->needsMemory |= access->offset != first;
      if (xlaSchedIsInner(e->n.group, statement, access))
        scratch->needsMemory |= writer >= 0 && writer != cluster;
      if (writer < 0)
        writer = cluster;
    }
  }
  if (scratch->divisor == 0)
    scratch->divisor = 1;
  scratch->extent = (last - scratch->base) / scratch->divisor + 1;
}

int64_t xlaSchedElementBytes(MlirType type) {
  return (mlirTypeIsAFloat(type) ? (int64_t)mlirFloatTypeGetWidth(type)
                                 : (int64_t)mlirIntegerTypeGetWidth(type)) /
         8;
}

int64_t xlaSchedScratchSize(const XlaSchedEmit *e,
                            const XlaSchedScratch *scratch) {
  int64_t size;
  if (!scratch->needsMemory)
    return 0;
  if (scratch->isWide)
    return e->n.group->statements->sizes[e->n.vecShared];
  return __builtin_mul_overflow(scratch->extent, scratch->scale, &size)
             ? INT64_MAX
             : size;
}

/// Takes the memory of `scratch` from `*left` bytes, if it is enough.
static bool reserve(const XlaSchedEmit *e, const XlaSchedScratch *scratch,
                    int64_t *left) {
  int64_t bytes;
  if (__builtin_mul_overflow(xlaSchedScratchSize(e, scratch),
                             xlaSchedElementBytes(scratch->element), &bytes) ||
      bytes > *left)
    return false;
  *left -= bytes;
  return true;
}

static bool isKnown(const XlaSchedEmit *e, MlirValue root) {
  for (int i = 0; i < e->nScratches; ++i)
    if (mlirValueEqual(e->scratches[i].root, root))
      return true;
  return false;
}

/// Columns that are walked in blocks have what belongs to one in memory: it is
/// needed again with the next block. Where that is too much they are walked one
/// by one.
static void widen(XlaSchedEmit *e, int64_t left) {
  for (int i = 0; i < e->nScratches && e->schedule.column >= 0; ++i) {
    XlaSchedScratch *scratch = &e->scratches[i];
    if (!scratch->needsMemory)
      scratch->isWide = scratch->needsMemory = scratch->extent == 1;
    else
      e->schedule.column = -1;
    if (scratch->isWide && !reserve(e, scratch, &left))
      e->schedule.column = -1;
  }
  for (int i = 0; i < e->nScratches && e->schedule.column < 0; ++i)
    if (e->scratches[i].isWide)
      e->scratches[i].isWide = e->scratches[i].needsMemory = false;
}

MlirLogicalResult xlaSchedFindScratches(XlaSchedEmit *e) {
  int64_t left = e->options->stackBytes;
  int count = 0;
  for (int s = 0; s < e->n.group->nStatements; ++s)
    count += e->n.group->statements[s].nOuts;
  e->scratches = calloc((size_t)count + 1, sizeof *e->scratches);
  if (!e->scratches)
    return mlirLogicalResultFailure();
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int o = statement->nIns; o < statement->nIns + statement->nOuts; ++o) {
      const XlaSchedAccess *access = &statement->accesses[o];
      if (!xlaSchedIsAlloc(access->root) || access->dynamicOffset ||
          isKnown(e, access->root) ||
          !xlaSchedIsPrivate(e->n.group, NULL, e->n.group->nStatements,
                             access->root))
        continue;
      XlaSchedScratch scratch = {.root = access->root,
                                 .element = access->element};
      measure(e, &scratch);
      scratch.scale = e->n.vecShared >= 0 ? e->n.lanes : 1;
      if (reserve(e, &scratch, &left)) // else it stays an alloc
        e->scratches[e->nScratches++] = scratch;
    }
  }
  e->schedule.column = xlaSchedColumnCluster(e);
  widen(e, left);
  return mlirLogicalResultSuccess();
}

void xlaSchedMakeScratch(XlaSchedEmit *e, XlaIr *ir) {
  for (int i = 0; i < e->nScratches; ++i) {
    XlaSchedScratch *scratch = &e->scratches[i];
    if (scratch->needsMemory)
      scratch->memory =
          xlaSchedAlloca(ir, scratch->element, xlaSchedScratchSize(e, scratch));
  }
  for (int t = 0; e->tilesInner && t < e->nTiles; ++t)
    e->tiles[t].memory =
        xlaSchedAlloca(ir, e->tiles[t].access->element, e->tiles[t].size);
}

//===- report.c - What was chosen for a group, and why --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/coalescing.h"
#include "xlac/lowering/cpu/schedule/nest.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <stdlib.h>

static void putThreads(const XlaSchedEmit *e) {
  const XlaSchedule *s = &e->schedule;
  fputs("  rows     ", stderr);
  if (s->nRows > 0)
    xlaSchedPutSizes(e->n.group->statements, 0, s->nRows);
  else
    fputs("one", stderr);
  if (s->chunks > 1 && s->transposed >= 0)
    fprintf(stderr, "; %lld threads, %lld %s each: %s", (long long)s->chunks,
            (long long)s->chunk,
            s->tiledPart == 0   ? "rows"
            : s->tiledPart == 1 ? "of the transposed dimension"
                                : "lanes",
            s->threadsReason);
  else if (s->chunks > 1)
    fprintf(stderr, "; %lld threads, %lld %s each: %s", (long long)s->chunks,
            (long long)s->chunk, s->splitsLanes ? "lanes" : "rows",
            s->threadsReason);
  else if (xlaSchedSumsParts(e))
    fprintf(stderr, "; sums %lld parts of it, %lld threads: %s",
            (long long)s->split, (long long)s->threads, s->threadsReason);
  else
    fprintf(stderr, "; one thread: %s",
            s->split > 1 ? "it stays whole" : s->threadsReason);
  fputs("\n", stderr);
}

static void putLanes(const XlaSchedEmit *e) {
  if (e->n.vecShared >= 0)
    fprintf(stderr, "  lanes    %lld at once of the shared dimension of %lld",
            (long long)e->n.lanes,
            (long long)e->n.group->statements->sizes[e->n.vecShared]);
  else
    fputs("  lanes    of inner dimensions", stderr);
  fprintf(stderr, ": %s\n", e->schedule.lanesReason);
  if (e->schedule.transposed >= 0)
    fprintf(stderr, "  tiles    %lld by %lld, in blocks of registers\n",
            (long long)e->schedule.tile, (long long)e->schedule.tile);
}

/// A line for each run of inner loops.
static void putClusters(const XlaSchedEmit *e) {
  for (int c = 0; c < e->n.clusters.n; ++c) {
    const XlaSchedCluster *cluster = &e->n.clusters.all[c];
    const XlaSchedStatement *statement =
        &e->n.group->statements[cluster->statements[0]];
    if (statement->nDims == e->n.group->nShared)
      continue;
    fputs("  inner    ", stderr);
    xlaSchedPutSizes(statement, e->n.group->nShared, statement->nDims);
    fprintf(stderr, ", %lld lanes at once, %d operations, %d accumulators\n",
            (long long)xlaSchedClusterLanes(e, cluster), cluster->nStatements,
            cluster->nCarried);
  }
}

static void putScratches(const XlaSchedEmit *e) {
  for (int i = 0; i < e->nScratches; ++i) {
    const XlaSchedScratch *scratch = &e->scratches[i];
    fputs("  private  ", stderr);
    xlaSchedPutType(scratch->root);
    if (scratch->needsMemory)
      fprintf(stderr, " in %lld bytes of a thread\n",
              (long long)(xlaSchedScratchSize(e, scratch) *
                          xlaSchedElementBytes(scratch->element)));
    else
      fputs(" in registers\n", stderr);
  }
}

static bool isScratch(const XlaSchedEmit *e, const XlaSchedAccess *access) {
  for (int i = 0; i < e->nScratches; ++i)
    if (mlirValueEqual(e->scratches[i].root, access->root))
      return true;
  return false;
}

static bool isTile(const XlaSchedEmit *e, const XlaSchedStatement *statement,
                   const XlaSchedAccess *access) {
  for (int t = 0; t < e->nTiles; ++t)
    if (xlaSchedSameAccess(e->tiles[t].access, statement->nDims, access,
                           statement->nDims))
      return true;
  int u = e->schedule.transposed;
  return u >= 0 && access->strides[u] == 1 &&
         access->strides[e->n.vecShared] != 0 &&
         access->strides[e->n.vecShared] != 1;
}

/// The lanes of the statement's vectors.
static int64_t lanesOf(const XlaSchedEmit *e,
                       const XlaSchedStatement *statement) {
  for (int c = 0; c < e->n.clusters.n; ++c)
    for (int k = 0; k < e->n.clusters.all[c].nStatements; ++k)
      if (&e->n.group->statements[e->n.clusters.all[c].statements[k]] ==
          statement)
        return xlaSchedClusterLanes(e, &e->n.clusters.all[c]);
  return e->n.lanes;
}

/// Tiles are read, and written, along the dimension in which they lie.
static void putCoalescing(const XlaSchedEmit *e,
                          const XlaSchedStatement *statement,
                          const XlaSchedAccess *access, int64_t stride) {
  enum { lineBytes = 64 };
  int64_t lanes = lanesOf(e, statement);
  XlaSchedLaneMap map = {.lanes = lanes,
                         .n = 1,
                         .sizes = {lanes},
                         .strides = {stride},
                         .width = 1};
  XlaSchedCoalescing coalescing =
      xlaSchedCoalesce(&map, xlaSchedElementBytes(access->element), lineBytes);
  xlaSchedPutCoalescing(&coalescing);
  fputs("\n", stderr);
}

static void putAccess(const XlaSchedEmit *e, const XlaSchedStatement *statement,
                      int i) {
  const XlaSchedAccess *access = &statement->accesses[i];
  int dim = xlaSchedLaneDim(&e->n, statement);
  int64_t stride = dim < 0 ? 0 : access->strides[dim];
  if (isScratch(e, access))
    return;
  fprintf(stderr, "  %s   ", i < statement->nIns ? "reads " : "writes");
  xlaSchedPutType(access->view);
  bool tile = isTile(e, statement, access);
  fputs(tile                 ? " in blocks that are transposed"
        : stride == 0        ? " one element for all lanes"
        : stride == 1        ? " by vectors"
        : llabs(stride) <= 4 ? " by vectors, shuffled"
                             : " lane by lane",
        stderr);
  putCoalescing(e, statement, access, tile ? 1 : stride);
}

void xlaSchedReport(const XlaSchedEmit *e) {
  MlirStringRef name = mlirStringAttrGetValue(mlirOperationGetAttributeByName(
      xlaSchedFunction(e), mlirStringRefCreateFromCString("sym_name")));
  fprintf(
      stderr,
      "%.*s: a nest for %d of linalg's operations, about %.1f us of one core\n",
      (int)name.length, name.data, e->n.group->nStatements,
      e->schedule.nanoseconds / 1000);
  putThreads(e);
  putLanes(e);
  putClusters(e);
  putScratches(e);
  for (int s = 0; s < e->n.group->nStatements; ++s) {
    const XlaSchedStatement *statement = &e->n.group->statements[s];
    for (int i = 0; i < statement->nIns + statement->nOuts; ++i)
      putAccess(e, statement, i);
  }
}

//===- merge.c - Two clusters become one ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/fit.h"

static bool canMergeGathers(const FuseCluster *a, const FuseCluster *b) {
  return !a->gathers || (!b->transposed && !b->pieces);
}

/// Whether the two go over the same rows, or are loops, or one of them is loops
/// that do as well over the rows of the other.
static bool canMergeRows(const FuseCluster *a, const FuseCluster *b) {
  if (a->reduced == b->reduced)
    return !a->reduced || (!a->pieces && !b->pieces);
  const FuseCluster *loop = a->reduced ? b : a;
  return !loop->reduced && !loop->transposed && !loop->pieces &&
         !loop->gathers &&
         xlaFuseHasTasks(&a->space, a->reduced | b->reduced) &&
         xlaFuseCanReadRowsAgain(&a->space, a->reduced | b->reduced);
}

/// Single reductions take those of the same dimensions along.
static bool canMergeClosed(const FuseGraph *graph, const FuseCluster *a,
                           const FuseCluster *b) {
  const FuseNode *x = &graph->nodes[a->last], *y = &graph->nodes[b->last];
  return (!a->closed && !b->closed) ||
         (a->closed && b->closed && x->reduced && x->reduced == y->reduced);
}

FuseReason xlaFuseMergeFits(const FuseGraph *graph, const FuseCluster *a,
                            const FuseCluster *b) {
  if (a->segment != b->segment)
    return FuseReasonBarrier;
  if (a->contraction || b->contraction)
    return FuseReasonProduct;
  if (a->toAll || b->toAll)
    return FuseReasonKind;
  if (!xlaShapeDimsEqual(&a->space, &b->space))
    return FuseReasonPlaces;
  if (!canMergeClosed(graph, a, b) || !canMergeRows(a, b))
    return FuseReasonRows;
  if (!canMergeGathers(a, b) || !canMergeGathers(b, a))
    return FuseReasonGather;
  return a->buffers + b->buffers <= graph->device->maxBuffers &&
                 a->size + b->size <= fuseMaxSize &&
                 a->nMembers + b->nMembers <= fuseMaxMembers
             ? FuseReasonFused
             : FuseReasonSize;
}

void xlaFuseMerge(FuseGraph *graph, int into, int from) {
  FuseCluster *a = &graph->clusters[into], *b = &graph->clusters[from];
  int *link = &a->head, i = a->head, j = b->head;
  while (i >= 0 || j >= 0) {
    int *least = j < 0 || (i >= 0 && i < j) ? &i : &j;
    *link = *least;
    link = &graph->nodes[*least].next;
    a->last = *least;
    *least = graph->nodes[*least].next;
  }
  *link = -1;
  a->first = a->head;
  a->nMembers += b->nMembers;
  a->size += b->size;
  a->nReductions += b->nReductions;
  a->reduced |= b->reduced;
  a->transposed |= b->transposed;
  a->gathers |= b->gathers;
  a->mapped |= b->mapped;
  a->pieces |= b->pieces;
  a->awaitsDot |= b->awaitsDot;
  a->repeated += b->repeated;
  a->buffers += b->buffers;
  b->mergedInto = into;
  xlaFuseConnect(graph, a);
}

//===- siblings.c - Fusions that read the same array ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters are formed along uses. Two that do not depend on each other, but go
// over the same elements of an array, become one here, which reads it once.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/fuse.h"

#include <string.h>

enum {
  maxSiblings = 8, // fusions of one array's users that others may join
  maxUsers = 64,   // of an array that are looked at
  // Of what only shares an array: registers and compile time of one kernel.
  maxBuffers = 48,
  maxSize = fuseMaxSize / 4,
};

/// Whether a member of `from` leads to `to`.
static bool leadsTo(FuseSearch *search, int from, int to) {
  FuseGraph *graph = search->graph;
  ++graph->mark;
  search->target = to;
  search->budget = fuseSearchBudget;
  for (int m = graph->clusters[from].head; m >= 0; m = graph->nodes[m].next)
    for (int e = 0; e < graph->nodes[m].nEdges; ++e) {
      int user = graph->edges[graph->nodes[m].firstEdge + e].user;
      if (xlaFuseClusterOf(graph, user) != from && xlaFuseReaches(search, user))
        return true;
    }
  return false;
}

bool xlaFuseReadsMost(const XlaShape *array, const XlaShape *space) {
  int64_t elements, places;
  return xlaShapeGetElementCount(array, &elements) &&
         xlaShapeGetElementCount(space, &places) &&
         elements >= (places + 3) / 4;
}

/// What only moves data is a kernel of its own, or a copy.
static bool computes(const FuseGraph *graph, int cluster) {
  const FuseNode *node = &graph->nodes[graph->clusters[cluster].last];
  return node->elementwise || node->reducible;
}

/// The array that users of `value` read from memory.
static bool readArray(const FuseGraph *graph, MlirValue value,
                      XlaShape *array) {
  int node = xlaFuseDefiningNode(graph, value);
  if (xlaFuseIsSplat(value))
    return false;
  if (node >= 0 && graph->nodes[node].copied) {
    if (!mlirOperationGetNumOperands(graph->nodes[node].op))
      return false;
    value = mlirOperationGetOperand(graph->nodes[node].op, 0);
  }
  return xlaShapeFromMlir(mlirValueGetType(value), array, NULL);
}

FuseReason xlaFuseSiblingFits(FuseSearch *search, int into, int from,
                              bool always) {
  FuseGraph *graph = search->graph;
  const FuseCluster *a = &graph->clusters[into], *b = &graph->clusters[from];
  FuseReason reason = xlaFuseMergeFits(graph, a, b);
  if (reason == FuseReasonFused && a->transposed != b->transposed)
    reason = FuseReasonStrides;
  if (reason == FuseReasonFused &&
      (a->buffers + b->buffers > maxBuffers || a->size + b->size > maxSize))
    reason = FuseReasonSize;
  if ((reason == FuseReasonFused || always) &&
      (leadsTo(search, into, from) || leadsTo(search, from, into)))
    reason = FuseReasonCycle;
  return reason;
}

/// The clusters that use an array, but for those that were merged.
typedef struct Siblings {
  int clusters[maxSiblings], n;
} Siblings;

static void add(FuseSearch *search, Siblings *siblings, int cluster) {
  for (int i = 0; i < siblings->n; ++i)
    if (siblings->clusters[i] == cluster)
      return;
  for (int i = 0; i < siblings->n; ++i)
    if (xlaFuseSiblingFits(search, siblings->clusters[i], cluster, false) ==
        FuseReasonFused) {
      xlaFuseMerge(search->graph, siblings->clusters[i], cluster);
      return;
    }
  if (siblings->n < maxSiblings)
    siblings->clusters[siblings->n++] = cluster;
}

/// Merges the clusters of the operations that use `value`.
static void mergeUsers(FuseSearch *search, MlirValue value) {
  const FuseGraph *graph = search->graph;
  XlaShape array;
  Siblings siblings = {.n = 0};
  int left = maxUsers;
  if (!readArray(graph, value, &array))
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && left--;
       use = mlirOpOperandGetNextUse(use)) {
    int user = xlaFuseNodeOf(graph, mlirOpOperandGetOwner(use));
    int cluster = user < 0 ? -1 : xlaFuseClusterOf(graph, user);
    if (cluster >= 0 && computes(graph, cluster) &&
        xlaFuseReadsMost(&array, &graph->clusters[cluster].space))
      add(search, &siblings, cluster);
  }
}

void xlaFuseSiblings(FuseSearch *search) {
  FuseGraph *graph = search->graph;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(graph->block); ++i)
    mergeUsers(search, mlirBlockGetArgument(graph->block, i));
  for (int i = 0; i < graph->nNodes; ++i)
    for (intptr_t r = 0; r < mlirOperationGetNumResults(graph->nodes[i].op);
         ++r)
      mergeUsers(search, mlirOperationGetResult(graph->nodes[i].op, r));
}

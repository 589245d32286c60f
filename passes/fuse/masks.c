//===- masks.c - What attention computes of positions ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/attention.h"

enum {
  maxDepth = 8, // of operations one behind the other
  maxMask = 8,  // cost of an element that is computed for each row
};

static bool isAttention(const FuseGraph *graph, int node) {
  int cluster = xlaFuseClusterOf(graph, node);
  return cluster >= 0 && graph->clusters[cluster].attention;
}

/// Whether a value is computed from nothing but positions and constants.
static bool isOfPositions(const FuseGraph *graph, MlirValue value, int depth,
                          int *cost) {
  int at = xlaFuseDefiningNode(graph, value);
  if (xlaFuseIsSplat(value))
    return true;
  if (at < 0 || !depth)
    return false;
  const FuseNode *node = &graph->nodes[at];
  if (!node->elementwise && node->kind != XlaOpKindIota &&
      node->kind != XlaOpKindBroadcastInDim)
    return false;
  *cost += xlaOpGetInfo(node->kind)->cost;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i)
    if (!isOfPositions(graph, mlirOperationGetOperand(node->op, i), depth - 1,
                       cost))
      return false;
  return true;
}

/// Whether attention computes what the cluster gives others, such as a causal
/// mask, instead of reading an array as large as the scores of a batch element.
static bool isMask(const FuseGraph *graph, const FuseCluster *cluster) {
  bool isUsed = false;
  for (int m = cluster->head; m >= 0; m = graph->nodes[m].next) {
    const FuseNode *node = &graph->nodes[m];
    int cost = 0;
    if (!isOfPositions(graph, mlirOperationGetResult(node->op, 0), maxDepth,
                       &cost) ||
        cost > maxMask)
      return false;
    for (int e = 0; e < node->nEdges; ++e) {
      int user = graph->edges[node->firstEdge + e].user;
      bool isOutside =
          xlaFuseClusterOf(graph, user) != xlaFuseClusterOf(graph, m);
      if (isOutside && !isAttention(graph, user))
        return false;
      isUsed |= isOutside;
    }
  }
  return isUsed;
}

void xlaFuseCopyMasks(FuseGraph *graph) {
  for (int c = 0; c < graph->nClusters; ++c) {
    FuseCluster *cluster = &graph->clusters[c];
    if (cluster->mergedInto >= 0 || cluster->attention ||
        !isMask(graph, cluster))
      continue;
    for (int m = cluster->head, next; m >= 0; m = next) {
      FuseNode *node = &graph->nodes[m];
      next = node->next;
      node->copied = true;
      node->reason = FuseReasonCopied;
      node->cluster = node->next = -1;
    }
    cluster->head = -1;
    cluster->nMembers = 0;
  }
}

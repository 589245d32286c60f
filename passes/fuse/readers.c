//===- readers.c - Fusions that read what another writes ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What several clusters use joins none of them where these cannot be one, so
// that clusters over the same rows may lie one behind the other: a mean that
// both its own rows and columns elsewhere need, say. Where one reads another's
// results at the elements, or rows, at which these are computed, and no third
// one lies between, the two become one here. Its results stay results, for the
// others.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/fit.h"

/// Whether what computes `node` for itself reaches into the cluster `to`, by
/// copies of at most `depth` others.
static bool leadsInto(const FuseGraph *graph, const FuseNode *node, int to,
                      int depth) {
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    bool isCopied = graph->nodes[user].copied;
    if (xlaFuseClusterOf(graph, user) == to || (isCopied && !depth) ||
        (isCopied && leadsInto(graph, &graph->nodes[user], to, depth - 1)))
      return true;
  }
  return false;
}

/// Whether a cluster, seen as `as`, needs operand `edge.operand` of one of its
/// members, or of what it copies, where the loops over its elements, or over
/// its rows, compute that.
static bool isInPlace(const FuseGraph *graph, const FuseCluster *as,
                      const FuseNode *node, FuseEdge edge) {
  const FuseNode *user = &graph->nodes[edge.user];
  XlaIndexingMap *map = NULL;
  bool isFull = xlaFuseIsFull(as, node);
  if (node->map || node->place || user->place ||
      (!isFull && !xlaFuseIsRowShape(&as->space, as->reduced, &node->shape)) ||
      (node->copied && !xlaFuseTakes(graph, as, edge)))
    return false;
  FusePlace place = xlaFusePlaceOfEdge(graph, as, edge, &map);
  xlaIndexingMapRelease(map);
  return place == (isFull ? FusePlaceFull : FusePlaceRow);
}

/// Whether the cluster `to`, seen as `as`, needs a node where that is computed,
/// whatever it copies on the way.
static bool isReadInPlace(const FuseGraph *graph, const FuseCluster *as, int to,
                          const FuseNode *node, int depth) {
  for (int e = 0; e < node->nEdges; ++e) {
    FuseEdge edge = graph->edges[node->firstEdge + e];
    const FuseNode *user = &graph->nodes[edge.user];
    bool isCopied =
        user->copied && (!depth || leadsInto(graph, user, to, depth - 1));
    if (!isCopied && xlaFuseClusterOf(graph, edge.user) != to)
      continue;
    if (!isInPlace(graph, as, node, edge) ||
        (isCopied &&
         (!depth || !isReadInPlace(graph, as, to, user, depth - 1))))
      return false;
  }
  return true;
}

/// Whether all that `to` takes from `from` is where that computes it. What is
/// gathered is no result of a kernel that does more.
static bool areReadInPlace(const FuseGraph *graph, int from, int to) {
  FuseCluster as = graph->clusters[to];
  as.reduced |= graph->clusters[from].reduced;
  for (int m = graph->clusters[from].head; m >= 0; m = graph->nodes[m].next) {
    const FuseNode *node = &graph->nodes[m];
    if (!isReadInPlace(graph, &as, to, node, fuseMaxOwnCopies) ||
        (node->kind == XlaOpKindGather && node->nEdges > 1))
      return false;
  }
  return true;
}

/// Whether a user of `node` that is in neither cluster leads to `to`.
static bool leadsAround(FuseSearch *search, int from, int to,
                        const FuseNode *node, int depth) {
  const FuseGraph *graph = search->graph;
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    int cluster = xlaFuseClusterOf(graph, user);
    if (cluster == from || cluster == to)
      continue;
    if (graph->nodes[user].copied && depth
            ? leadsAround(search, from, to, &graph->nodes[user], depth - 1)
            : xlaFuseReaches(search, user))
      return true;
  }
  return false;
}

/// Whether something lies between the two, which would wait for both.
static bool closesCycle(FuseSearch *search, int from, int to) {
  FuseGraph *graph = search->graph;
  ++graph->mark;
  search->target = to;
  search->budget = fuseSearchBudget;
  for (int m = graph->clusters[from].head; m >= 0; m = graph->nodes[m].next)
    if (leadsAround(search, from, to, &graph->nodes[m], fuseMaxOwnCopies))
      return true;
  return false;
}

static bool canMerge(FuseSearch *search, int from, int to) {
  const FuseGraph *graph = search->graph;
  const FuseCluster *a = &graph->clusters[from], *b = &graph->clusters[to];
  uint32_t reduced = a->reduced | b->reduced;
  return !a->attention && !b->attention && !a->closed && !b->closed &&
         a->transposed == b->transposed &&
         xlaFuseMergeFits(graph, a, b) == FuseReasonFused &&
         (!reduced || xlaFuseCanReadRowsAgain(&a->space, reduced)) &&
         areReadInPlace(graph, from, to) && !closesCycle(search, from, to);
}

/// Merges the cluster of a node with those of users, by copies too, that it can
/// be one with.
static void mergeWithUsers(FuseSearch *search, int from, const FuseNode *node,
                           int depth) {
  FuseGraph *graph = search->graph;
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    int cluster = xlaFuseClusterOf(graph, from);
    int to = xlaFuseClusterOf(graph, user);
    if (graph->nodes[user].copied && depth)
      mergeWithUsers(search, from, &graph->nodes[user], depth - 1);
    else if (to >= 0 && to != cluster && canMerge(search, cluster, to))
      xlaFuseMerge(graph, to, cluster);
  }
}

void xlaFuseReaders(FuseSearch *search) {
  FuseGraph *graph = search->graph;
  for (int i = 0; i < graph->nNodes; ++i)
    if (xlaFuseClusterOf(graph, i) >= 0)
      mergeWithUsers(search, i, &graph->nodes[i], fuseMaxOwnCopies);
}

//===- attention.c - Products with rows between them ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// softmax(q k^T) v: clusters are there already, one of each product, one of the
// rows between them, and perhaps one of what follows. They become one where a
// row of the result needs one row of the scores, whatever is computed on the
// way: this is asked of symbolic tiles, which are followed from the result to
// the operands of the first product. The device then computes tiles of rows
// from beginning to end, so that the scores are never in memory.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/attention.h"

#include <stdlib.h>

enum { maxCopies = 8 }; // one computed from the other

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static bool isView(const FuseAttention *a, int node) {
  for (int i = 0; i < a->nViews; ++i)
    if (a->views[i] == node)
      return true;
  return false;
}

static bool isMember(const FuseAttention *a, int node) {
  int cluster = xlaFuseClusterOf(a->graph, node);
  return cluster < 0 ? isView(a, node)
                     : cluster == a->scores || cluster == a->rows ||
                           cluster == a->product || cluster == a->after;
}

/// Whether a node computes keys or values, which tiles would do again and
/// again: it is put out of its cluster.
static bool isOfOperand(const FuseAttention *a, int node) {
  int cluster = xlaFuseClusterOf(a->graph, node);
  FusePlace place = a->graph->nodes[node].place;
  return cluster >= 0 &&
         ((cluster == a->scores && place == FusePlaceRhs) ||
          (cluster == a->product &&
           place == (a->weightsSide ? FusePlaceLhs : FusePlaceRhs)));
}

bool xlaFuseIsAttentionPart(const FuseAttention *a, int node) {
  return isMember(a, node) && !isOfOperand(a, node);
}

static bool addView(FuseAttention *a, int node) {
  if (isView(a, node))
    return true;
  if (a->nViews == fuseMaxViews)
    return false;
  a->views[a->nViews++] = node;
  return true;
}

/// The node that `value` is a view of, or -1.
static int viewed(FuseAttention *a, MlirValue value) {
  int node = xlaFuseDefiningNode(a->graph, value);
  while (node >= 0 && a->graph->nodes[node].kind == XlaOpKindReshape &&
         xlaFuseClusterOf(a->graph, node) < 0) {
    if (!addView(a, node))
      return -1;
    node = xlaFuseDefiningNode(
        a->graph, mlirOperationGetOperand(a->graph->nodes[node].op, 0));
  }
  return node;
}

/// What can be computed row by row, wherever it is read from.
static bool isOfRows(const FuseNode *node) {
  return node->elementwise || node->reducible ||
         node->kind == XlaOpKindBroadcastInDim ||
         node->kind == XlaOpKindTranspose || node->kind == XlaOpKindSlice ||
         node->kind == XlaOpKindIota || node->kind == XlaOpKindReshape;
}

/// Whether what a cluster computes for itself of `value` can be.
static bool isCopyOfRows(const FuseGraph *graph, MlirValue value, int depth) {
  int at = xlaFuseDefiningNode(graph, value);
  if (at < 0 || !graph->nodes[at].copied)
    return true;
  const FuseNode *node = &graph->nodes[at];
  if (!depth || !isOfRows(node))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i)
    if (!isCopyOfRows(graph, mlirOperationGetOperand(node->op, i), depth - 1))
      return false;
  return true;
}

/// Whether a cluster has, beside its product, nothing but what can.
static bool areOfRows(const FuseAttention *a, int cluster) {
  const FuseGraph *graph = a->graph;
  for (int m = graph->clusters[cluster].head; m >= 0;
       m = graph->nodes[m].next) {
    const FuseNode *node = &graph->nodes[m];
    if (node->kind == XlaOpKindDotGeneral || isOfOperand(a, m))
      continue;
    bool isQueries = node->place == FusePlaceLhs && cluster == a->scores;
    if (!isOfRows(node) || (node->place != FusePlaceNone && !isQueries))
      return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i)
      if (!isCopyOfRows(graph, mlirOperationGetOperand(node->op, i), maxCopies))
        return false;
  }
  return true;
}

static bool isPlain(const FuseCluster *cluster) {
  return !cluster->closed && !cluster->gathers && !cluster->pieces &&
         !cluster->update && !cluster->attention;
}

/// The cluster of the product that a member of the rows reads, and which reads
/// nothing else of this kind.
static bool findScores(FuseAttention *a) {
  FuseGraph *graph = a->graph;
  a->scores = -1;
  for (int m = graph->clusters[a->rows].head; m >= 0; m = graph->nodes[m].next)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(graph->nodes[m].op);
         ++i) {
      int nViews = a->nViews;
      int from = viewed(a, mlirOperationGetOperand(graph->nodes[m].op, i));
      int cluster = from < 0 ? -1 : xlaFuseClusterOf(graph, from);
      if (cluster < 0 || cluster == a->rows ||
          !graph->clusters[cluster].contraction ||
          (a->scores >= 0 && a->scores != cluster))
        a->nViews = nViews;
      else
        a->scores = cluster;
    }
  if (a->scores < 0)
    return false;
  a->dots[0] = graph->clusters[a->scores].product;
  return true;
}

/// Follows the results of the second product down to one cluster; false if they
/// go elsewhere.
static bool followDown(FuseAttention *a, int node) {
  const FuseNode *n = &a->graph->nodes[node];
  for (int e = 0; e < n->nEdges; ++e) {
    int user = a->graph->edges[n->firstEdge + e].user;
    int cluster = xlaFuseClusterOf(a->graph, user);
    if (cluster == a->product)
      continue;
    if (cluster < 0 && a->graph->nodes[user].kind == XlaOpKindReshape) {
      if (!addView(a, user) || !followDown(a, user))
        return false;
    } else if (cluster < 0 || (a->after >= 0 && a->after != cluster)) {
      return false;
    } else {
      a->after = cluster;
    }
  }
  return n->nEdges > 0;
}

/// What follows the second product, if it can be computed with it.
static void findAfter(FuseAttention *a) {
  FuseGraph *graph = a->graph;
  int nViews = a->nViews;
  bool fits = true;
  int64_t elements = xlaFuseElements(a->result.dims, a->result.rank);
  a->after = -1;
  for (int m = graph->clusters[a->product].head; m >= 0 && fits;
       m = graph->nodes[m].next)
    fits = followDown(a, m);
  const FuseCluster *after = a->after < 0 ? NULL : &graph->clusters[a->after];
  if (after && fits && isPlain(after) && !after->reduced &&
      !after->contraction && areOfRows(a, a->after) &&
      xlaFuseElements(after->space.dims, after->space.rank) == elements)
    return;
  a->nViews = nViews;
  a->after = -1;
}

/// Whether nothing but the last part is used by others.
static bool isClosed(const FuseAttention *a) {
  const FuseGraph *graph = a->graph;
  int last = a->after < 0 ? a->product : a->after;
  for (int i = 0; i < graph->nNodes; ++i) {
    const FuseNode *node = &graph->nodes[i];
    if (!xlaFuseIsAttentionPart(a, i) || xlaFuseClusterOf(graph, i) == last)
      continue;
    for (int e = 0; e < node->nEdges; ++e)
      if (!xlaFuseIsAttentionPart(a, graph->edges[node->firstEdge + e].user))
        return false;
  }
  return true;
}

static bool hasRoom(const FuseAttention *a) {
  const int parts[] = {a->scores, a->rows, a->product, a->after};
  int members = a->nViews, size = a->nViews, buffers = 0;
  for (int i = 0; i < 4 && parts[i] >= 0; ++i) {
    const FuseCluster *part = &a->graph->clusters[parts[i]];
    members += part->nMembers;
    size += part->size;
    buffers += part->buffers;
    if (part->segment != a->graph->clusters[a->rows].segment)
      return false;
  }
  return members <= fuseMaxMembers && size <= fuseMaxSize &&
         buffers <= a->graph->device->maxBuffers;
}

//===----------------------------------------------------------------------===//
// Fusing
//===----------------------------------------------------------------------===//

/// Finds the parts around the second product; false if they are not there.
static bool findParts(FuseAttention *a) {
  FuseGraph *graph = a->graph;
  MlirOperation op = graph->nodes[a->dots[1]].op;
  int weights = viewed(a, mlirOperationGetOperand(op, a->weightsSide));
  a->rows = weights < 0 ? -1 : xlaFuseClusterOf(graph, weights);
  a->scores = a->after = -1;
  if (a->rows < 0 || a->rows == a->product)
    return false;
  const FuseCluster *rows = &graph->clusters[a->rows];
  if (rows->contraction || !rows->reduced || !findScores(a) ||
      a->scores == a->product)
    return false;
  a->result = graph->nodes[a->dots[1]].shape;
  findAfter(a);
  return true;
}

/// Whether the parts become one: or what is against it.
static FuseAttentionReason fits(FuseAttention *a) {
  const FuseCluster *rows = &a->graph->clusters[a->rows];
  if (!isClosed(a))
    return FuseAttentionUsed;
  if (!xlaFuseReadMatrices(a))
    return FuseAttentionMatrices;
  if (!isPlain(rows) || !areOfRows(a, a->rows) || !areOfRows(a, a->scores) ||
      !areOfRows(a, a->product) || !xlaFuseTakesRowOfScores(a))
    return FuseAttentionRows;
  if (!hasRoom(a))
    return FuseAttentionSize;
  return !xlaFuseAttentionPays(a) ? FuseAttentionCost : FuseAttentionFused;
}

/// Puts nodes of keys and values out of their clusters; `nodes` gets them.
static int putOut(FuseAttention *a, int cluster, int *nodes) {
  FuseCluster *c = &a->graph->clusters[cluster];
  int n = 0;
  for (int *link = &c->head; *link >= 0;) {
    FuseNode *node = &a->graph->nodes[*link];
    if (!isOfOperand(a, *link)) {
      c->last = *link;
      link = &node->next;
      continue;
    }
    nodes[n++] = *link;
    *link = node->next;
    --c->nMembers;
    c->size -= node->size;
  }
  c->first = c->head;
  for (int i = 0; i < n; ++i) {
    FuseNode *node = &a->graph->nodes[nodes[i]];
    node->cluster = node->next = -1;
    node->place = FusePlaceNone;
  }
  return n;
}

/// What users need of a part is computed with them.
static void setReasons(FuseAttention *a) {
  FuseGraph *graph = a->graph;
  for (int i = 0; i < graph->nNodes; ++i) {
    FuseNode *node = &graph->nodes[i];
    bool isUsed = false;
    for (int e = 0; e < node->nEdges; ++e)
      isUsed |=
          xlaFuseIsAttentionPart(a, graph->edges[node->firstEdge + e].user);
    if (xlaFuseIsAttentionPart(a, i) && isUsed)
      node->reason = FuseReasonFused;
  }
}

static void merge(FuseSearch *search, FuseAttention *a) {
  FuseGraph *graph = a->graph;
  const int parts[] = {a->scores, a->product, a->after};
  int nodes[2 * fuseMaxMembers], n;
  setReasons(a);
  n = putOut(a, a->scores, nodes);
  n += putOut(a, a->product, nodes + n);
  for (int i = 0; i < 3; ++i)
    if (parts[i] >= 0)
      xlaFuseMerge(graph, a->rows, parts[i]);
  for (int i = 0; i < a->nViews; ++i) {
    graph->clusters[graph->nClusters] = xlaFuseFound(graph, a->views[i]);
    graph->nodes[a->views[i]].cluster = graph->nClusters++;
    xlaFuseMerge(graph, a->rows, graph->nClusters - 1);
  }
  graph->clusters[a->rows].attention = true;
  // Users first.
  for (int i = 0; i < n; ++i) {
    int last = i;
    for (int k = i + 1; k < n; ++k)
      last = nodes[k] > nodes[last] ? k : last;
    int node = nodes[last];
    nodes[last] = nodes[i];
    graph->nodes[node].reason = xlaFuseAssign(search, node);
  }
}

/// Whether a member of the rows between is computed from sums or maxima of
/// these, as far as `budget` steps tell.
static bool isOfReductions(const FuseAttention *a, int node, int *budget) {
  const FuseGraph *graph = a->graph;
  if (graph->nodes[node].reducible)
    return true;
  MlirOperation op = graph->nodes[node].op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(op, i));
    if (from >= 0 && xlaFuseClusterOf(graph, from) == a->rows &&
        --*budget >= 0 && isOfReductions(a, from, budget))
      return true;
  }
  return false;
}

/// For the report. Without memory it says less. Products with other sums beside
/// what leads from one to the other are none of this kind.
static void note(FuseAttention *a, FuseAttentionReason reason) {
  int budget = 256;
  FuseGraph *graph = a->graph;
  int scores = a->dots[0], result = a->dots[1];
  int weights = viewed(
      a, mlirOperationGetOperand(graph->nodes[result].op, a->weightsSide));
  if (!graph->telling || weights < 0 || !isOfReductions(a, weights, &budget))
    return;
  FuseApartProducts *grown =
      realloc(graph->apart, ((size_t)graph->nApart + 1) * sizeof *graph->apart);
  if (!grown)
    return;
  graph->apart = grown;
  grown[graph->nApart++] = (FuseApartProducts){scores, result, reason};
}

void xlaFuseAttention(FuseSearch *search) {
  FuseGraph *graph = search->graph;
  bool isFound = false;
  if (!graph->epilogues || !graph->device->scoreRows)
    return;
  for (int i = 0; i < graph->nNodes; ++i) {
    int cluster = xlaFuseClusterOf(graph, i);
    if (graph->nodes[i].kind != XlaOpKindDotGeneral || cluster < 0 ||
        !graph->clusters[cluster].contraction ||
        graph->clusters[cluster].product != i)
      continue;
    for (int side = 0; side < 2; ++side) {
      FuseAttention a = {.graph = graph,
                         .dots = {-1, i},
                         .weightsSide = side,
                         .product = cluster};
      if (!findParts(&a))
        continue;
      FuseAttentionReason reason = fits(&a);
      if (reason != FuseAttentionFused) {
        note(&a, reason);
        continue;
      }
      merge(search, &a);
      isFound = true;
      break;
    }
  }
  if (isFound)
    xlaFuseCopyMasks(graph);
}

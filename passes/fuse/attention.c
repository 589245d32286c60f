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

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/ops/dot.h"
#include "xlac/passes/fuse/fit.h"

#include <stdlib.h>

enum {
  maxViews = 16,
  maxCopies = 8, // one computed from the other
  leastRows = 8, // that a product has in registers at once
  maxMask = 8,   // cost of an element that is computed for each row
  perPacked = 2, // cost of putting an element of an operand in order
};

/// The clusters that become one, and reshapes between them.
typedef struct Attention {
  FuseGraph *graph;
  int dots[2];
  int weightsSide;                  ///< the operand of the second product
  int scores, rows, product, after; ///< clusters; -1: none
  int nViews, views[maxViews];
  XlaShape result; ///< of the second product
  int rowDim;      ///< of that, which counts the rows
  int64_t batches, nRows, keys, width, values;
  int64_t *taken; ///< of each node, elements that a row of the result needs
} Attention;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static bool isView(const Attention *a, int node) {
  for (int i = 0; i < a->nViews; ++i)
    if (a->views[i] == node)
      return true;
  return false;
}

static bool isMember(const Attention *a, int node) {
  int cluster = xlaFuseClusterOf(a->graph, node);
  return cluster < 0 ? isView(a, node)
                     : cluster == a->scores || cluster == a->rows ||
                           cluster == a->product || cluster == a->after;
}

/// Whether a node computes keys or values, which tiles would do again and
/// again: it is put out of its cluster.
static bool isOfOperand(const Attention *a, int node) {
  int cluster = xlaFuseClusterOf(a->graph, node);
  FusePlace place = a->graph->nodes[node].place;
  return cluster >= 0 &&
         ((cluster == a->scores && place == FusePlaceRhs) ||
          (cluster == a->product &&
           place == (a->weightsSide ? FusePlaceLhs : FusePlaceRhs)));
}

static bool isPart(const Attention *a, int node) {
  return isMember(a, node) && !isOfOperand(a, node);
}

static bool addView(Attention *a, int node) {
  if (isView(a, node))
    return true;
  if (a->nViews == maxViews)
    return false;
  a->views[a->nViews++] = node;
  return true;
}

/// The node that `value` is a view of, or -1.
static int viewed(Attention *a, MlirValue value) {
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
static bool areOfRows(const Attention *a, int cluster) {
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
static bool findScores(Attention *a) {
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
static bool followDown(Attention *a, int node) {
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
static void findAfter(Attention *a) {
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
static bool isClosed(const Attention *a) {
  const FuseGraph *graph = a->graph;
  int last = a->after < 0 ? a->product : a->after;
  for (int i = 0; i < graph->nNodes; ++i) {
    const FuseNode *node = &graph->nodes[i];
    if (!isPart(a, i) || xlaFuseClusterOf(graph, i) == last)
      continue;
    for (int e = 0; e < node->nEdges; ++e)
      if (!isPart(a, graph->edges[node->firstEdge + e].user))
        return false;
  }
  return true;
}

static bool hasRoom(const Attention *a) {
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
// Products
//===----------------------------------------------------------------------===//

/// The product of those of `dims` that are named.
static int64_t sizeOf(const XlaShape *shape, const XlaI64List *dims) {
  int64_t size = 1;
  for (int i = 0; i < dims->size; ++i)
    size *= shape->dims[dims->values[i]];
  return size;
}

static int countLong(const XlaShape *shape, const XlaI64List *dims) {
  int count = 0;
  for (int i = 0; i < dims->size; ++i)
    count += shape->dims[dims->values[i]] != 1;
  return count;
}

typedef struct Matrices {
  XlaDotDimensions dims;
  XlaShape lhs, rhs;
} Matrices;

/// Whether a product is one of matrices of floats, for each of a batch.
static bool readMatrices(const Attention *a, int dot, Matrices *matrices) {
  MlirOperation op = a->graph->nodes[dot].op;
  xlaDotGetDimensions(op, &matrices->dims);
  if (!xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                        &matrices->lhs, NULL) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 1)),
                        &matrices->rhs, NULL))
    return false;
  const XlaDotSide *lhs = &matrices->dims.lhs, *rhs = &matrices->dims.rhs;
  return xlaElementTypeGetInfo(matrices->lhs.elementType)->typeClass ==
             XlaTypeClassFloat &&
         countLong(&matrices->lhs, &lhs->free) <= 1 &&
         countLong(&matrices->rhs, &rhs->free) <= 1 &&
         countLong(&matrices->lhs, &lhs->contracting) == 1;
}

/// Reads the second product, and which dimension of its result counts rows.
static bool readProduct(Attention *a) {
  Matrices m;
  if (!readMatrices(a, a->dots[1], &m))
    return false;
  const XlaDotSide *weights = a->weightsSide ? &m.dims.rhs : &m.dims.lhs;
  const XlaDotSide *values = a->weightsSide ? &m.dims.lhs : &m.dims.rhs;
  const XlaShape *shape = a->weightsSide ? &m.rhs : &m.lhs;
  a->batches = sizeOf(shape, &weights->batch);
  a->nRows = sizeOf(shape, &weights->free);
  a->keys = sizeOf(shape, &weights->contracting);
  a->values = sizeOf(a->weightsSide ? &m.lhs : &m.rhs, &values->free);
  a->rowDim =
      m.dims.lhs.batch.size + (a->weightsSide ? m.dims.lhs.free.size : 0);
  for (int i = 0; i < weights->free.size; ++i)
    if (shape->dims[weights->free.values[i]] != 1)
      a->rowDim += i;
  return a->keys >= 2;
}

static bool readScores(Attention *a) {
  Matrices m;
  if (!readMatrices(a, a->dots[0], &m))
    return false;
  a->width = sizeOf(&m.lhs, &m.dims.lhs.contracting);
  return sizeOf(&m.lhs, &m.dims.lhs.batch) == a->batches &&
         sizeOf(&m.lhs, &m.dims.lhs.free) == a->nRows &&
         sizeOf(&m.rhs, &m.dims.rhs.free) == a->keys;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Elements that a tile of one row of the result takes, or -1.
static int64_t elementsOfRow(const Attention *a, const XlaSymbolicTile *tile) {
  int64_t sizes[XLA_MAX_RANK], zeros[2 * XLA_MAX_RANK] = {0}, elements = 1;
  char message[256];
  XlaTileNumbers numbers;
  for (int d = 0; d < a->result.rank; ++d)
    sizes[d] = 1;
  const XlaTileCase *found = xlaSymbolicTileFind(tile, sizes, message);
  for (intptr_t r = 0; found && r < tile->nResults; ++r) {
    if (!xlaSymbolicTileEvaluate(tile, &found->results[r], sizes, zeros, zeros,
                                 &numbers))
      return -1;
    elements *= numbers.size;
  }
  return found ? elements : -1;
}

static bool follow(Attention *a, int node, const XlaSymbolicTile *tile);

/// Follows a tile of the result from `node` to its operand `i`.
static bool followOperand(Attention *a, int node, intptr_t i,
                          const XlaSymbolicTile *tile) {
  MlirOperation op = a->graph->nodes[node].op;
  int from = xlaFuseDefiningNode(a->graph, mlirOperationGetOperand(op, i));
  XlaIndexingMaps maps = {0};
  char message[256];
  bool isDot = node == a->dots[0];
  if (!isDot && (from < 0 || !isPart(a, from)))
    return true;
  XlaSymbolicTile *taken = NULL;
  if (xlaOpGetOperandMaps(op, 0, i, &maps) == XlaOpMapsKnown && maps.n == 1)
    taken = tile ? xlaSymbolicTileCompose(tile, maps.maps[0], message)
                 : xlaSymbolicTileCreate(maps.maps[0], message);
  xlaIndexingMapsFree(&maps);
  // One row of queries, and all of the keys.
  bool isRight = taken != NULL;
  if (isRight && isDot)
    isRight = elementsOfRow(a, taken) == (i ? a->keys : 1) * a->width;
  else if (isRight)
    isRight = follow(a, from, taken);
  xlaSymbolicTileDestroy(taken);
  return isRight;
}

/// Whether a row of the result takes a row of the scores by all ways from
/// `node`, of which it takes `tile`.
static bool follow(Attention *a, int node, const XlaSymbolicTile *tile) {
  const FuseNode *n = &a->graph->nodes[node];
  int64_t elements = elementsOfRow(a, tile);
  if (elements < 0 || (a->taken[node] && a->taken[node] != elements) ||
      (node == a->dots[0] && elements != a->keys))
    return false;
  if (a->taken[node])
    return true;
  a->taken[node] = elements;
  intptr_t count = mlirOperationGetNumOperands(n->op);
  for (intptr_t i = 0; i < (n->reducible ? count / 2 : count); ++i)
    if (!followOperand(a, node, i, tile))
      return false;
  return true;
}

/// The same from the result.
static bool takesRows(Attention *a) {
  a->taken = calloc((size_t)a->graph->nNodes + 1, sizeof *a->taken);
  bool isRight = a->taken &&
                 followOperand(a, a->dots[1], a->weightsSide, NULL) &&
                 a->taken[a->dots[0]];
  free(a->taken);
  a->taken = NULL;
  return isRight;
}

/// Scores and weights would be written and read; operands are put in order
/// again for each tile.
static bool pays(const Attention *a) {
  const FuseGraph *graph = a->graph;
  const XlaFusionDevice *device = graph->device;
  double bytes = 0,
         scores = (double)a->batches * (double)a->nRows * (double)a->keys;
  for (int side = 0; side < 2; ++side) {
    MlirOperation op = graph->nodes[a->dots[side]].op;
    MlirValue value = side ? mlirOperationGetOperand(op, a->weightsSide)
                           : mlirOperationGetResult(op, 0);
    XlaShape shape;
    if (xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
      bytes += 2 * scores * xlaElementTypeGetInfo(shape.elementType)->bytes;
  }
  int64_t tiles = (a->nRows - 1) / device->scoreRows;
  double again = (double)tiles * (double)a->batches * (double)a->keys *
                 (double)(a->width + a->values) * perPacked * device->perOp;
  return again <= bytes * device->perByte + 2 * device->perKernel;
}

//===----------------------------------------------------------------------===//
// Fusing
//===----------------------------------------------------------------------===//

/// Finds the parts around the second product; false if they are not there.
static bool findParts(Attention *a) {
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
static FuseAttentionReason fits(Attention *a) {
  const FuseCluster *rows = &a->graph->clusters[a->rows];
  if (!isClosed(a))
    return FuseAttentionUsed;
  if (!readProduct(a) || !readScores(a))
    return FuseAttentionMatrices;
  if (!isPlain(rows) || !areOfRows(a, a->rows) || !areOfRows(a, a->scores) ||
      !areOfRows(a, a->product) || !takesRows(a))
    return FuseAttentionRows;
  if (!hasRoom(a))
    return FuseAttentionSize;
  return a->nRows < leastRows || !pays(a) ? FuseAttentionCost
                                          : FuseAttentionFused;
}

/// Puts nodes of keys and values out of their clusters; `nodes` gets them.
static int putOut(Attention *a, int cluster, int *nodes) {
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
static void setReasons(Attention *a) {
  FuseGraph *graph = a->graph;
  for (int i = 0; i < graph->nNodes; ++i) {
    FuseNode *node = &graph->nodes[i];
    bool isUsed = false;
    for (int e = 0; e < node->nEdges; ++e)
      isUsed |= isPart(a, graph->edges[node->firstEdge + e].user);
    if (isPart(a, i) && isUsed)
      node->reason = FuseReasonFused;
  }
}

static void merge(FuseSearch *search, Attention *a) {
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

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

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
    if (!isOfPositions(graph, mlirOperationGetResult(node->op, 0), maxCopies,
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

static void copyMasks(FuseGraph *graph) {
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
      Attention a = {.graph = graph,
                     .dots = {-1, i},
                     .weightsSide = side,
                     .product = cluster};
      if (!findParts(&a))
        continue;
      FuseAttentionReason reason = fits(&a);
      if (graph->report)
        xlaFuseReportAttention(graph, a.dots[0], i, reason);
      if (reason != FuseAttentionFused)
        continue;
      merge(search, &a);
      isFound = true;
      break;
    }
  }
  if (isFound)
    copyMasks(graph);
}

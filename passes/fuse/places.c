//===- places.c - Where members of a cluster need an operand --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/passes/fuse/fit.h"

static FusePlace placeOfProduct(int operand) {
  return operand == 0   ? FusePlaceLhs
         : operand == 1 ? FusePlaceRhs
                        : FusePlaceNone;
}

/// The map of operand `operand` from the space, through `user`. NULL if there
/// is none, or no memory.
static XlaIndexingMap *throughUser(const FuseNode *user, int operand) {
  XlaIndexingMaps maps = {0};
  XlaIndexingMap *map = NULL;
  if (xlaOpGetOperandMaps(user->op, 0, operand, &maps) == XlaOpMapsKnown &&
      maps.n == 1) {
    if (!user->map) {
      map = xlaIndexingMapRetain(maps.maps[0]);
    } else {
      XlaIndexingMap *composed = xlaIndexingMapCompose(user->map, maps.maps[0]);
      if (composed)
        map = xlaIndexingMapSimplify(composed, XlaIndexingPointsReplace);
      xlaIndexingMapRelease(composed);
    }
  }
  xlaIndexingMapsFree(&maps);
  return map;
}

/// Whether one loop goes over the operands of a concatenate, which all have
/// the same dimensions, and writes what it computes of them: then each is at
/// the places of the first, so that they may have members in common. A kernel
/// that gets other results later computes those for each operand, of which
/// there are few therefore.
static bool isWrittenAtOnce(const FuseGraph *graph, const FuseNode *node) {
  enum { maxOperands = 4 };
  intptr_t n = mlirOperationGetNumOperands(node->op);
  if (node->kind != XlaOpKindConcatenate || node->map || n > maxOperands)
    return false;
  int cluster = xlaFuseClusterOf(graph, (int)(node - graph->nodes));
  for (int e = 0; e < node->nEdges; ++e)
    if (xlaFuseClusterOf(graph, graph->edges[node->firstEdge + e].user) ==
        cluster)
      return false;
  XlaShape first, shape;
  xlaFuseInputShape(node, &first);
  for (intptr_t i = 1; i < n; ++i)
    if (!xlaShapeFromMlir(
            mlirValueGetType(mlirOperationGetOperand(node->op, i)), &shape,
            NULL) ||
        !xlaShapeDimsEqual(&shape, &first))
      return false;
  return true;
}

static FusePlace placeOfScatter(const FuseGraph *graph, FuseEdge edge) {
  intptr_t n = mlirOperationGetNumOperands(graph->nodes[edge.user].op) / 2;
  return xlaFuseScatterReads(graph, edge) ? FusePlaceNone
         : edge.operand < n               ? FusePlaceFull
         : edge.operand == n              ? FusePlaceIndices
                                          : FusePlaceUpdates;
}

FusePlace xlaFusePlaceOfEdge(const FuseGraph *graph, const FuseCluster *cluster,
                             FuseEdge edge, XlaIndexingMap **map) {
  const FuseNode *user = &graph->nodes[edge.user];
  *map = NULL;
  if (edge.operand < 0)
    return FusePlaceNone;
  if (user->kind == XlaOpKindDotGeneral)
    return placeOfProduct(edge.operand);
  if (user->scatters)
    return placeOfScatter(graph, edge);
  if (user->sorts)
    return FusePlaceUpdates;
  if (user->kind == XlaOpKindGather) // whole rows only load
    return edge.operand == 1 ? FusePlaceIndices
           : user->place == FusePlaceUpdates && graph->device->runsAtOnce
               ? FusePlaceUpdates
               : FusePlaceNone;
  if (user->place)
    return user->place;
  if (user->kind == XlaOpKindDynamicUpdateSlice)
    return edge.operand == 1  ? FusePlaceFull
           : edge.operand > 1 ? FusePlaceIndices
                              : FusePlaceNone;
  if (user->kind == XlaOpKindDynamicSlice && edge.operand > 0)
    return FusePlaceIndices;
  if (user->elementwise) {
    XlaShape shape;
    if (!xlaShapeFromMlir(
            mlirValueGetType(mlirOperationGetOperand(user->op, edge.operand)),
            &shape, NULL) ||
        !xlaShapeDimsEqual(&shape, &user->shape))
      return FusePlaceNone;
    if (user->map)
      *map = xlaIndexingMapRetain(user->map);
    return user->map                      ? FusePlaceMapped
           : xlaFuseIsFull(cluster, user) ? FusePlaceFull
                                          : FusePlaceRow;
  }
  if (user->reducible)
    return user->kind == XlaOpKindAssociativeScan ||
                   edge.operand < mlirOperationGetNumOperands(user->op) / 2
               ? FusePlaceFull
               : FusePlaceNone;
  if (!user->moves || // or what it is padded with, or begins at
      (edge.operand && user->kind != XlaOpKindConcatenate))
    return FusePlaceNone;
  if (cluster->reduced && user->kind == XlaOpKindBroadcastInDim &&
      xlaFuseBroadcastsRows(cluster, user))
    return FusePlaceRow;
  if (!user->map && !xlaFuseIsFull(cluster, user))
    return FusePlaceNone; // of rows
  *map = throughUser(user, isWrittenAtOnce(graph, user) ? 0 : edge.operand);
  return *map ? FusePlaceMapped : FusePlaceNone;
}

/// Whether what is computed at its own place, and cheap, is also an index of a
/// gather there: that is computed again, unless it is the same.
static bool isIndexToo(const FuseGraph *graph, int position,
                       const FuseCluster *as, FusePlace a, FusePlace b) {
  FuseTimes times;
  return as->gathers &&
         ((a == FusePlaceFull && b == FusePlaceIndices) ||
          (a == FusePlaceIndices && b == FusePlaceFull)) &&
         xlaFuseIndicesFit(graph, position, as, &times) == FuseReasonFused;
}

/// xlaFusePlaceOfEdge; what is broadcast along rows is at the place of its map,
/// if `mapsRows`.
static FusePlace placeOf(const FuseGraph *graph, const FuseCluster *as,
                         FuseEdge edge, bool mapsRows, XlaIndexingMap **map) {
  const FuseNode *user = &graph->nodes[edge.user];
  FusePlace place = xlaFusePlaceOfEdge(graph, as, edge, map);
  if (!mapsRows || place != FusePlaceRow ||
      user->kind != XlaOpKindBroadcastInDim)
    return place;
  *map = throughUser(user, edge.operand);
  return *map ? FusePlaceMapped : FusePlaceNone;
}

static FuseReason findPlace(const FuseGraph *graph, int position, int cluster,
                            const FuseCluster *as, bool mapsRows,
                            FusePlace *place, XlaIndexingMap **map) {
  const FuseNode *node = &graph->nodes[position];
  FuseReason reason = FuseReasonFused;
  bool isFirst = true;
  *map = NULL;
  for (int e = 0; e < node->nEdges && reason == FuseReasonFused; ++e) {
    FuseEdge edge = graph->edges[node->firstEdge + e];
    XlaIndexingMap *at;
    if (xlaFuseClusterOf(graph, edge.user) != cluster)
      continue;
    FusePlace p = placeOf(graph, as, edge, mapsRows, &at);
    if (p == FusePlaceNone)
      reason = FuseReasonPlace;
    else if (isFirst)
      *place = p;
    else if (isIndexToo(graph, position, as, *place, p))
      *place = FusePlaceFull;
    else if (p != *place || (at && !xlaIndexingMapEqual(at, *map)))
      reason = FuseReasonPlaces;
    if (isFirst)
      *map = at;
    else
      xlaIndexingMapRelease(at);
    isFirst = false;
  }
  return reason;
}

// What has joined before a cluster went over rows is at places that maps show:
// there it is computed for each element of a row. Processors start small
// kernels in no time.
FuseReason xlaFuseFindPlace(const FuseGraph *graph, int position, int cluster,
                            const FuseCluster *as, FusePlace *place,
                            XlaIndexingMap **map) {
  FuseReason reason =
      findPlace(graph, position, cluster, as, false, place, map);
  if (reason != FuseReasonPlaces || !as->reduced || !graph->device->runsAtOnce)
    return reason;
  xlaIndexingMapRelease(*map);
  return findPlace(graph, position, cluster, as, true, place, map);
}

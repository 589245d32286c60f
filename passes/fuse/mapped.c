//===- mapped.c - What is computed where data is moved to -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/indexing/steps.h"
#include "xlac/dialect/indexing/strided_read.h"
#include "xlac/dialect/indexing/uses.h"
#include "xlac/passes/fuse/fit.h"

enum {
  minRepeat = 4,      // times, from which on what is costly gets memory
  maxSmall = 1 << 16, // elements of what gets memory (steps.h)
  maxRepeated = 64,   // cost of what gets none, in all
};

/// Elements that the map is defined for.
static int64_t pointsOf(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  int64_t points = 1;
  for (intptr_t i = 0; i < parts->nDims; ++i)
    if (__builtin_mul_overflow(
            points, parts->dims[i].upper - parts->dims[i].lower + 1, &points))
      return INT64_MAX;
  return points;
}

/// What an element of the node costs with the operands that have no other use.
static int treeCost(const FuseGraph *graph, const FuseNode *node, int depth) {
  int cost = xlaOpGetInfo(node->kind)->cost;
  for (intptr_t i = 0; depth && cost <= maxRepeated &&
                       i < mlirOperationGetNumOperands(node->op);
       ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && graph->nodes[from].nEdges == 1 &&
        (graph->nodes[from].elementwise || graph->nodes[from].moves))
      cost += treeCost(graph, &graph->nodes[from], depth - 1);
  }
  return cost;
}

FuseTimes xlaFuseRepetitionTimes(const FuseGraph *graph, const FuseNode *node,
                                 int64_t points) {
  const XlaFusionDevice *device = graph->device;
  double elements = (double)xlaFuseElements(node->shape.dims, node->shape.rank);
  double bytes = xlaElementTypeGetInfo(node->shape.elementType)->bytes;
  return (FuseTimes){
      .again = (double)points * device->perOp * treeCost(graph, node, 8),
      .memory = device->perKernel + elements * bytes * device->perByte +
                (double)points * bytes * device->perCached};
}

/// What is needed at more places than it has elements: in loops what is costly
/// gets memory of the kernel's own, else computing it again has to take less
/// time than a kernel that writes it and reading it from there.
static FuseReason repetitionFits(const FuseGraph *graph, const FuseNode *node,
                                 int64_t points, FuseCluster *as) {
  int64_t elements = xlaFuseElements(node->shape.dims, node->shape.rank);
  if (points <= elements || node->moves)
    return FuseReasonFused;
  if (!as->reduced && !as->closed && !as->gathers && elements <= maxSmall &&
      points / minRepeat >= elements)
    return FuseReasonFused;
  FuseTimes times = xlaFuseRepetitionTimes(graph, node, points);
  as->repeated += xlaOpGetInfo(node->kind)->cost;
  return times.again <= times.memory && as->repeated <= maxRepeated
             ? FuseReasonFused
             : FuseReasonRecompute;
}

int xlaFuseCountArrays(const FuseGraph *graph, const FuseNode *node) {
  int count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
    MlirValue value = mlirOperationGetOperand(node->op, i);
    int from = xlaFuseDefiningNode(graph, value);
    if (xlaFuseIsSplat(value))
      continue;
    count += from < 0 || graph->nodes[from].kind != XlaOpKindBroadcastInDim;
  }
  return count;
}

/// Members that are read across the lanes make all that they read so.
static bool staysAlongLanes(const FuseGraph *graph, const FuseNode *node,
                            const XlaIndexingMap *map, const FuseCluster *as) {
  int64_t stride = 0;
  int last = as->space.rank - 1;
  while (last >= 0 && as->space.dims[last] == 1)
    --last;
  if (last < 0 ||
      (xlaIndexingMapGetStride(map, node->shape.dims, last, &stride) &&
       stride <= 1))
    return true;
  return xlaFuseCountArrays(graph, node) < 2 && !as->reduced && !as->closed;
}

/// Whether an operand moves data, so that it needs more than positions.
static bool readsMoved(const FuseGraph *graph, const FuseNode *node) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && graph->nodes[from].moves &&
        graph->nodes[from].kind != XlaOpKindReshape)
      return true;
  }
  return false;
}

/// Whether loops can be split so that the node is read at strides, dimension by
/// dimension or, where nothing needs those, in row-major order.
static bool isReadAtStrides(const FuseGraph *graph, const XlaIndexingMap *map,
                            const FuseNode *node) {
  XlaStridedRead read;
  return xlaIndexingMapIsStrided(map) ||
         ((node->elementwise || node->kind == XlaOpKindReshape) &&
          !readsMoved(graph, node) &&
          xlaIndexingMapGetStridedRead(map, node->shape.dims, &read));
}

/// The map of the loops that compute a member: those of pads with padding
/// between their elements go from one of these to the next.
static XlaIndexingMap *mapOfLoops(const XlaIndexingMap *map) {
  XlaIndexingSteps steps[XLA_MAX_RANK];
  return xlaIndexingMapGetParts(map)->nConstraints &&
                 xlaIndexingMapGetSteps(map, steps)
             ? xlaIndexingMapOfSteps(map, steps)
             : xlaIndexingMapRetain(map);
}

bool xlaFuseFollowsProduct(const FuseGraph *graph, const FuseNode *node,
                           const XlaIndexingMap *map) {
  if (xlaFuseUsesDot(graph, node) ||
      xlaOpGetInfo(node->kind)->moves == XlaOpMovesChoice)
    return false;
  if (node->moves)
    return true;
  FuseTimes times = xlaFuseRepetitionTimes(graph, node, pointsOf(map));
  return node->elementwise && times.again <= times.memory;
}

FuseReason xlaFuseMappedFits(const FuseGraph *graph, const FuseNode *node,
                             const XlaIndexingMap *map, FuseCluster *as) {
  bool isOfProduct =
      as->contraction || as->awaitsDot || xlaFuseUsesDot(graph, node);
  if (isOfProduct && !xlaFuseFollowsProduct(graph, node, map))
    return node->elementwise && !xlaFuseUsesDot(graph, node)
               ? FuseReasonRecompute
               : FuseReasonProduct;
  if (as->gathers)
    return FuseReasonGather;
  if (as->toAll)
    return FuseReasonPlace;
  XlaIndexingMap *loops = mapOfLoops(map);
  if (!loops || !isReadAtStrides(graph, loops, node)) {
    xlaIndexingMapRelease(loops);
    return FuseReasonStrides;
  }
  FuseReason reason = repetitionFits(graph, node, pointsOf(loops), as);
  if (reason == FuseReasonFused && node->moves && !isOfProduct)
    reason = xlaFuseMovementFits(node, as);
  if (reason == FuseReasonFused && !staysAlongLanes(graph, node, loops, as))
    reason = FuseReasonStrides;
  as->mapped = true;
  xlaIndexingMapRelease(loops);
  return reason;
}

//===----------------------------------------------------------------------===//
// Several places
//===----------------------------------------------------------------------===//

/// At how many of the places of a copy its operand is needed, about: each of a
/// concatenation is at its part of them. 0: not known.
static int64_t placesOfCopy(const FuseNode *node, int operand) {
  XlaShape shape;
  if (node->kind != XlaOpKindConcatenate)
    return operand == 0 || node->elementwise ? node->copies : 0;
  if (!xlaShapeFromMlir(
          mlirValueGetType(mlirOperationGetOperand(node->op, operand)), &shape,
          NULL))
    return 0;
  double elements = (double)xlaFuseElements(node->shape.dims, node->shape.rank);
  double part = (double)xlaFuseElements(shape.dims, shape.rank) /
                (elements < 1 ? 1 : elements);
  int64_t places = (int64_t)((double)node->copies * part);
  return node->copies && places < 1 ? 1 : places;
}

/// At how many places the user computes an operand, and in `*isFull`, unless it
/// is a copy, whether at all of the space. 0: not known, or at places that take
/// scalars to find.
static int64_t placesOfEdge(const FuseGraph *graph, FuseEdge edge, int cluster,
                            bool *isFull) {
  const FuseNode *node = &graph->nodes[edge.user];
  XlaIndexingMap *map = NULL;
  int64_t places = 0;
  if (node->copied)
    return placesOfCopy(node, edge.operand);
  FusePlace place =
      xlaFusePlaceOfEdge(graph, &graph->clusters[cluster], edge, &map);
  if (place == FusePlaceFull) {
    *isFull = true;
    places = xlaFuseElements(graph->clusters[cluster].space.dims,
                             graph->clusters[cluster].space.rank);
  } else if (place == FusePlaceMapped) {
    XlaIndexingMap *loops = mapOfLoops(map);
    if (loops && xlaIndexingMapIsStrided(loops))
      places = pointsOf(loops);
    xlaIndexingMapRelease(loops);
  }
  xlaIndexingMapRelease(map);
  return places;
}

/// `first`, then `second`, or one of them if the other is NULL. NULL if there
/// is no memory.
static XlaIndexingMap *through(const XlaIndexingMap *first,
                               const XlaIndexingMap *second) {
  if (!first || !second)
    return first ? xlaIndexingMapRetain(first)
                 : (second ? xlaIndexingMapRetain(second) : NULL);
  XlaIndexingMap *both = xlaIndexingMapCompose(first, second);
  XlaIndexingMap *simple =
      both ? xlaIndexingMapSimplify(both, XlaIndexingPointsReplace) : NULL;
  xlaIndexingMapRelease(both);
  return simple;
}

/// The only map of an operand. NULL if there are several, or no memory.
static XlaIndexingMap *mapOfOperand(const FuseNode *node, int operand) {
  XlaIndexingMaps maps = {0};
  XlaIndexingMap *map = NULL;
  if (xlaOpGetOperandMaps(node->op, 0, operand, &maps) == XlaOpMapsKnown &&
      maps.n == 1)
    map = xlaIndexingMapRetain(maps.maps[0]);
  xlaIndexingMapsFree(&maps);
  return map;
}

/// Whether a view with strides shows what is read of all of the space but for
/// the edges of pads and concatenations: loops are cut there, or lanes that lie
/// across one choose.
static bool isStridedInside(const XlaIndexingMap *map, const XlaShape *space) {
  XlaIndexingMapParts parts = *xlaIndexingMapGetParts(map);
  XlaInterval dims[XLA_MAX_RANK];
  if (xlaIndexingMapIsKnownEmpty(map))
    return true;
  for (intptr_t i = 0; i < parts.nDims; ++i)
    dims[i] = parts.nDims == space->rank ? (XlaInterval){0, space->dims[i] - 1}
                                         : parts.dims[i];
  parts.dims = dims;
  parts.nConstraints = 0;
  XlaIndexingMap *inside = xlaIndexingMapCreate(&parts);
  bool isStrided = inside && xlaIndexingMapIsStrided(inside);
  xlaIndexingMapRelease(inside);
  return isStrided;
}

/// Whether views with strides show all places at which the user's cluster needs
/// an operand, or, if `on` is not NULL, where that map takes these to. Copies
/// of copies nest by at most `depth`.
static bool isSeenAtStrides(const FuseGraph *graph, FuseEdge edge, int cluster,
                            const XlaIndexingMap *on, int depth) {
  const FuseNode *user = &graph->nodes[edge.user];
  XlaIndexingMap *map = NULL;
  bool isStrided = depth > 0;
  if (user->copied && user->elementwise) {
    map = on ? xlaIndexingMapRetain(on) : NULL;
  } else if (user->copied) {
    XlaIndexingMap *own = mapOfOperand(user, edge.operand);
    map = own ? through(own, on) : NULL;
    isStrided &= map != NULL;
    xlaIndexingMapRelease(own);
  } else {
    XlaIndexingMap *place = NULL;
    FusePlace at =
        xlaFusePlaceOfEdge(graph, &graph->clusters[cluster], edge, &place);
    if (at == FusePlaceFull || (at == FusePlaceMapped && place))
      map = through(place, on);
    isStrided &= (at == FusePlaceFull && !on) ||
                 (map && isStridedInside(map, &graph->clusters[cluster].space));
    xlaIndexingMapRelease(place);
  }
  for (int e = 0; user->copied && isStrided && e < user->nEdges; ++e)
    isStrided = isSeenAtStrides(graph, graph->edges[user->firstEdge + e],
                                cluster, map, depth - 1);
  xlaIndexingMapRelease(map);
  return isStrided;
}

/// The same of operand `operand` of the node itself.
static bool isOperandReadAtStrides(const FuseGraph *graph, const FuseNode *node,
                                   int operand, int cluster) {
  enum { maxDepth = 6 };
  XlaIndexingMap *own = node->moves ? mapOfOperand(node, operand) : NULL;
  bool isStrided = own || !node->moves;
  for (int e = 0; isStrided && e < node->nEdges; ++e)
    isStrided = isSeenAtStrides(graph, graph->edges[node->firstEdge + e],
                                cluster, own, maxDepth);
  xlaIndexingMapRelease(own);
  return isStrided;
}

/// Whether lanes lie along another dimension of what a transpose reads.
static bool turnsLanes(const FuseNode *node) {
  XlaI64List permutation;
  return node->kind == XlaOpKindTranspose &&
         xlaOpGetList(node->op, "permutation", &permutation) &&
         permutation.size &&
         permutation.values[permutation.size - 1] != permutation.size - 1;
}

/// The same of all that the node itself reads, side by side.
static bool isReadAtStridesBy(const FuseGraph *graph, const FuseNode *node,
                              int cluster) {
  intptr_t n = node->kind == XlaOpKindConcatenate
                   ? mlirOperationGetNumOperands(node->op)
                   : 1;
  bool isStrided = !turnsLanes(node);
  for (intptr_t i = 0; i < n && isStrided; ++i)
    isStrided = isOperandReadAtStrides(graph, node, (int)i, cluster);
  return isStrided;
}

static double bytesOf(const XlaShape *shape) {
  return (double)xlaFuseElements(shape->dims, shape->rank) *
         xlaElementTypeGetInfo(shape->elementType)->bytes;
}

static bool staysInCache(const XlaFusionDevice *device, double bytes) {
  return bytes < (double)device->cache;
}

/// What pieces take longer than one loop: the parts of a concatenation that lie
/// side by side are written one after the other, to lines that then have left
/// the cache.
static double timeOfPieces(const FuseGraph *graph, const FuseNode *node,
                           const FuseCluster *as) {
  double time = 0;
  if (xlaOpGetInfo(node->kind)->moves != XlaOpMovesChoice ||
      !graph->device->cache)
    return 0;
  for (int m = as->head; m >= 0; m = graph->nodes[m].next) {
    const FuseNode *member = &graph->nodes[m];
    if (member->kind == XlaOpKindConcatenate &&
        xlaFuseElements(member->shape.dims,
                        (int)xlaOpGetI64(member->op, "dimension", 0)) > 1 &&
        !staysInCache(graph->device, bytesOf(&member->shape)))
      time += bytesOf(&member->shape) * graph->device->perCached;
  }
  return time;
}

/// What a kernel of its own takes that writes the node, with those that read it
/// from there.
static double timeOfWritten(const FuseGraph *graph, const FuseNode *node,
                            int64_t places) {
  const XlaFusionDevice *device = graph->device;
  double bytes = xlaElementTypeGetInfo(node->shape.elementType)->bytes;
  double all = bytesOf(&node->shape);
  if (!node->moves || !device->cache)
    return device->perKernel + all * device->perByte +
           (double)places * bytes * device->perCached;
  // What is moved would be read as often from elsewhere.
  return device->perKernel +
         2 * all *
             (staysInCache(device, all) ? device->perCached : device->perByte);
}

/// Whether copies of all that leads to the node alone are not too deep.
static bool endsWithin(const FuseGraph *graph, const FuseNode *node,
                       int depth) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && graph->nodes[from].nEdges == 1 &&
        (graph->nodes[from].elementwise || graph->nodes[from].moves) &&
        (!depth || !endsWithin(graph, &graph->nodes[from], depth - 1)))
      return false;
  }
  return true;
}

int64_t xlaFuseCopies(const FuseGraph *graph, int position, int cluster,
                      bool *isFull) {
  const FuseNode *node = &graph->nodes[position];
  const FuseCluster *as = &graph->clusters[cluster];
  const XlaFusionDevice *device = graph->device;
  int64_t places = 0;
  *isFull = false;
  // Processors start small kernels in no time.
  if (!(node->elementwise || node->moves) ||
      (!as->mapped && !device->runsAtOnce) || as->contraction || as->reduced ||
      as->closed || as->gathers || as->nMembers + 1 >= fuseMaxMembers ||
      !endsWithin(graph, node, fuseMaxCopyDepth - 2))
    return 0;
  for (int e = 0; e < node->nEdges; ++e) {
    FuseEdge edge = graph->edges[node->firstEdge + e];
    int64_t more = placesOfEdge(graph, edge, cluster, isFull);
    if (!more || __builtin_add_overflow(places, more, &places))
      return 0;
  }
  double elements = (double)xlaFuseElements(node->shape.dims, node->shape.rank);
  double cost = device->perOp * treeCost(graph, node, 8), computed = 0;
  // Elements of an array in another shape may be at computed places.
  if (device->perComputed > 0 && !isReadAtStridesBy(graph, node, cluster))
    computed = device->perComputed;
  double again = (double)places * (cost + computed) - elements * cost +
                 timeOfPieces(graph, node, as);
  return again <= timeOfWritten(graph, node, places) ? places : 0;
}

//===- fit.c - Where a cluster would compute a node -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/indexing/steps.h"
#include "xlac/dialect/indexing/strided_read.h"
#include "xlac/dialect/indexing/uses.h"
#include "xlac/passes/fuse/fuse.h"

#include <string.h>

enum {
  minRow = 32,             // elements, for row-shaped roots
  maxSingleRow = 1 << 16,  // elements, where one row is all there is
  minRepeat = 4,           // times, from which on what is costly gets memory
  maxSmall = 1 << 16,      // elements of what gets memory (steps.h)
  maxRepeated = 64,        // cost of what gets none, in all
  maxColumn = 1024,        // rows of an array whose columns stay in cache
  minTasks = 16,           // rows, or as many abreast: work for threads
  maxSingleTask = 1 << 14, // elements that are work for one thread
};

static int64_t elementsOf(const int64_t *dims, int rank) {
  int64_t count = 1;
  for (int i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(count, dims[i], &count))
      return INT64_MAX;
  return count;
}

static bool isFull(const FuseCluster *cluster, const FuseNode *node) {
  return xlaShapeDimsEqual(&cluster->space, &node->shape);
}

void xlaFuseInputShape(const FuseNode *node, XlaShape *shape) {
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(node->op, 0)),
                   shape, NULL);
}

static bool isReduced(uint32_t reduced, int dim) { return reduced >> dim & 1; }

bool xlaFuseIsRowShape(const XlaShape *space, uint32_t reduced,
                       const XlaShape *shape) {
  int n = 0;
  for (int d = 0; d < space->rank; ++d) {
    if (isReduced(reduced, d))
      continue;
    if (n == shape->rank || shape->dims[n] != space->dims[d])
      return false;
    ++n;
  }
  return n == shape->rank;
}

/// Elements along the dimensions that are reduced, or are not.
static int64_t elementsAlong(const XlaShape *space, uint32_t reduced,
                             bool along) {
  int64_t dims[XLA_MAX_RANK];
  int n = 0;
  for (int d = 0; d < space->rank; ++d)
    if (isReduced(reduced, d) == along)
      dims[n++] = space->dims[d];
  return elementsOf(dims, n);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Where a member needs an operand.
typedef enum Place {
  PlaceNone, ///< from memory only
  PlaceFull,
  PlaceRow,
  PlaceMapped,
  PlaceLhs, ///< where a product has its operand
  PlaceRhs,
  PlaceIndices, ///< where a gather has its indices, or a slice begins
  PlaceUpdates, ///< where a scatter has its updates
} Place;

static Place placeOfOperand(int operand) {
  static const Place places[] = {PlaceLhs, PlaceRhs, PlaceIndices,
                                 PlaceUpdates};
  return operand < 4 ? places[operand] : PlaceNone;
}

/// Broadcasts along the reduced dimensions are repetition within a row.
static bool broadcastsRows(const FuseCluster *cluster, const FuseNode *node) {
  XlaI64List dims;
  if (!isFull(cluster, node) || node->map ||
      !xlaOpGetList(node->op, "broadcast_dimensions", &dims))
    return false;
  int n = 0;
  for (int d = 0; d < cluster->space.rank; ++d) {
    if (isReduced(cluster->reduced, d))
      continue;
    if (n == dims.size || dims.values[n] != d)
      return false;
    ++n;
  }
  return n == dims.size;
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

static Place placeOfScatter(const FuseGraph *graph, FuseEdge edge) {
  if (xlaFuseScatterReads(graph, edge))
    return PlaceNone;
  return edge.operand ==
                 mlirOperationGetNumOperands(graph->nodes[edge.user].op) / 2
             ? PlaceIndices
             : PlaceUpdates;
}

/// Where `edge.user`, a member of `cluster`, needs operand `edge.operand`; with
/// the map, owned by the caller, of what is mapped.
static Place placeOfEdge(const FuseGraph *graph, const FuseCluster *cluster,
                         FuseEdge edge, XlaIndexingMap **map) {
  const FuseNode *user = &graph->nodes[edge.user];
  *map = NULL;
  if (edge.operand < 0)
    return PlaceNone;
  if (user->kind == XlaOpKindDotGeneral)
    return placeOfOperand(edge.operand);
  if (user->scatters)
    return placeOfScatter(graph, edge);
  if (user->kind == XlaOpKindGather) // whole rows only load
    return edge.operand == 1                            ? PlaceIndices
           : user->operand && graph->device->runsAtOnce ? PlaceUpdates
                                                        : PlaceNone;
  if (user->operand)
    return placeOfOperand(user->operand - 1);
  if (user->kind == XlaOpKindDynamicUpdateSlice)
    return edge.operand == 1  ? PlaceFull
           : edge.operand > 1 ? PlaceIndices
                              : PlaceNone;
  if (user->kind == XlaOpKindDynamicSlice && edge.operand > 0)
    return PlaceIndices;
  if (user->elementwise) {
    XlaShape shape;
    if (!xlaShapeFromMlir(
            mlirValueGetType(mlirOperationGetOperand(user->op, edge.operand)),
            &shape, NULL) ||
        !xlaShapeDimsEqual(&shape, &user->shape))
      return PlaceNone;
    if (user->map)
      *map = xlaIndexingMapRetain(user->map);
    return user->map               ? PlaceMapped
           : isFull(cluster, user) ? PlaceFull
                                   : PlaceRow;
  }
  if (user->reducible)
    return user->kind == XlaOpKindAssociativeScan ||
                   edge.operand < mlirOperationGetNumOperands(user->op) / 2
               ? PlaceFull
               : PlaceNone;
  if (!user->moves || // or what it is padded with, or begins at
      (edge.operand && user->kind != XlaOpKindConcatenate))
    return PlaceNone;
  if (cluster->reduced && user->kind == XlaOpKindBroadcastInDim &&
      broadcastsRows(cluster, user))
    return PlaceRow;
  if (!user->map && !isFull(cluster, user))
    return PlaceNone; // of rows
  *map = throughUser(user, edge.operand);
  return *map ? PlaceMapped : PlaceNone;
}

/// Where the cluster, seen as `as`, needs the node: FuseReasonPlaces where that
/// differs.
static FuseReason findPlace(const FuseGraph *graph, int position, int cluster,
                            const FuseCluster *as, Place *place,
                            XlaIndexingMap **map) {
  const FuseNode *node = &graph->nodes[position];
  FuseReason reason = FuseReasonFused;
  bool isFirst = true;
  *map = NULL;
  for (int e = 0; e < node->nEdges && reason == FuseReasonFused; ++e) {
    FuseEdge edge = graph->edges[node->firstEdge + e];
    XlaIndexingMap *at;
    if (xlaFuseClusterOf(graph, edge.user) != cluster)
      continue;
    Place p = placeOfEdge(graph, as, edge, &at);
    if (p == PlaceNone)
      reason = FuseReasonPlace;
    else if (isFirst)
      *place = p;
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

//===----------------------------------------------------------------------===//
// Reductions and products
//===----------------------------------------------------------------------===//

/// One row that is everything runs on one thread.
static bool rowsAreWorthIt(const XlaShape *space, uint32_t reduced) {
  return elementsAlong(space, reduced, false) > 1 ||
         elementsOf(space->dims, space->rank) <= maxSingleRow;
}

/// Reduced dimensions behind the last one that is not.
static int trailingOf(const XlaShape *space, uint32_t reduced) {
  int n = 0;
  while (n < space->rank && isReduced(reduced, space->rank - 1 - n))
    ++n;
  return n;
}

/// Of rows that lie side by side an access has so many at least.
static int64_t rowsAbreast(const XlaShape *space, uint32_t reduced) {
  return trailingOf(space, reduced) ? 1 : 16;
}

/// Whether there are rows enough for all threads, or work for one only.
static bool hasTasks(const XlaShape *space, uint32_t reduced) {
  int64_t rows = elementsAlong(space, reduced, false);
  return rows / rowsAbreast(space, reduced) >= minTasks ||
         elementsOf(space->dims, space->rank) <= maxSingleTask;
}

/// Whether a kernel may go over its rows more than once. Those of last
/// dimensions lie contiguous; others shall stay in cache.
static bool canReadRowsAgain(const XlaShape *space, uint32_t reduced) {
  bool isTrailing = trailingOf(space, reduced) == __builtin_popcount(reduced);
  return isTrailing ||
         (elementsAlong(space, reduced, true) <=
              (trailingOf(space, reduced) ? maxSingleRow : maxColumn) &&
          hasTasks(space, reduced));
}

/// A cluster of row-shaped members becomes one over whole rows.
static bool canWiden(const FuseCluster *cluster, const XlaShape *space,
                     uint32_t reduced) {
  return !cluster->reduced && !cluster->closed && !cluster->transposed &&
         !cluster->mapped &&
         xlaFuseIsRowShape(space, reduced, &cluster->space) &&
         elementsAlong(space, reduced, true) >= minRow &&
         cluster->space.rank > 0;
}

/// Makes `as` the cluster that it is with a node of rows: those of the
/// reduction that comes later in this walk will follow. False if it cannot be
/// one.
static bool takeRows(const FuseGraph *graph, const FuseNode *node,
                     FuseCluster *as) {
  const FuseNode *source =
      node->reducible
          ? node
          : (node->rowSource ? &graph->nodes[node->rowSource - 1] : NULL);
  XlaShape input;
  if (!source || !source->reduced || as->closed || as->transposed ||
      as->contraction || as->pieces || as->gathers)
    return false;
  if (as->reduced && !node->reducible)
    return xlaFuseIsRowShape(&as->space, as->reduced, &node->shape);
  xlaFuseInputShape(source, &input);
  if (!rowsAreWorthIt(&input, source->reduced) ||
      (as->reduced && as->reduced != source->reduced))
    return false;
  bool widens = node->reducible && canWiden(as, &input, source->reduced);
  if (!widens && (!xlaShapeDimsEqual(&as->space, &input) ||
                  !canReadRowsAgain(&input, source->reduced)))
    return false;
  as->space = input;
  as->reduced = source->reduced;
  return true;
}

static FuseReason productFits(const FuseGraph *graph, const FuseNode *node,
                              FuseCluster *as) {
  if (!isFull(as, node) || as->reduced || as->closed || as->contraction ||
      as->gathers || as->mapped)
    return FuseReasonProduct;
  as->contraction = true;
  as->product = (int)(node - graph->nodes);
  return FuseReasonFused;
}

/// Users of what a product loads are the product, or checked before.
static FuseReason operandFits(const FuseGraph *graph, const FuseNode *node,
                              int operand, const FuseCluster *as) {
  MlirOperation dot = graph->nodes[as->product].op;
  MlirValue value = mlirOperationGetOperand(dot, operand);
  bool isWhole = mlirOperationEqual(node->op, mlirOpResultGetOwner(value));
  return !isWhole || xlaFuseIsPrologue(graph, (int)(node - graph->nodes), dot,
                                       operand)
             ? FuseReasonFused
             : FuseReasonProduct;
}

static FuseReason gatherFits(const FuseNode *node, FuseCluster *as) {
  if (!isFull(as, node) || as->reduced || as->closed || as->contraction ||
      as->transposed || as->pieces)
    return FuseReasonGather;
  as->gathers = true;
  return FuseReasonFused;
}

//===----------------------------------------------------------------------===//
// Elementwise operations, and those that move data
//===----------------------------------------------------------------------===//

/// Whether the node is worked on by a product's epilogue.
static bool usesDot(const FuseGraph *graph, const FuseNode *node) {
  for (intptr_t i = 0;
       graph->epilogues && i < mlirOperationGetNumOperands(node->op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && graph->nodes[from].kind == XlaOpKindDotGeneral)
      return true;
  }
  return false;
}

/// Whether a cluster can have an operation that moves data.
static FuseReason movementFits(const FuseNode *node, FuseCluster *as) {
  if (node->kind == XlaOpKindBroadcastInDim)
    return FuseReasonFused;
  if (node->kind == XlaOpKindTranspose) {
    if (as->reduced || as->closed || as->gathers)
      return as->gathers ? FuseReasonGather : FuseReasonRows;
    as->transposed = true;
    return FuseReasonFused;
  }
  if (as->contraction || as->awaitsDot)
    return FuseReasonProduct;
  if (as->gathers)
    return FuseReasonGather;
  if (xlaOpGetInfo(node->kind)->moves == XlaOpMovesChoice) {
    if (as->reduced || as->closed || as->nReductions)
      return FuseReasonRows;
    as->pieces = true;
  }
  as->mapped = true;
  return FuseReasonFused;
}

static FuseReason fullFits(const FuseGraph *graph, const FuseNode *node,
                           FuseCluster *as) {
  if (!isFull(as, node))
    return FuseReasonPlace;
  if (node->moves)
    return movementFits(node, as);
  as->awaitsDot |= usesDot(graph, node);
  return FuseReasonFused;
}

/// A node of rows, in a cluster that has taken them.
static FuseReason rowFits(const FuseNode *node, FuseCluster *as) {
  if (as->closed || as->pieces ||
      (node->reducible && node->reduced != as->reduced) ||
      !xlaFuseIsRowShape(&as->space, as->reduced, &node->shape) ||
      (node->moves && node->kind != XlaOpKindBroadcastInDim))
    return FuseReasonRows;
  as->nReductions += node->reducible;
  return FuseReasonFused;
}

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

/// What is needed at more places than it has elements: in loops what is costly
/// gets memory of the kernel's own, else computing it again has to take less
/// time than a kernel that writes it and reading it from there.
static FuseReason repetitionFits(const FuseGraph *graph, const FuseNode *node,
                                 int64_t points, FuseCluster *as) {
  const XlaFusionDevice *device = graph->device;
  int64_t elements = elementsOf(node->shape.dims, node->shape.rank);
  if (points <= elements || node->moves)
    return FuseReasonFused;
  if (!as->reduced && !as->closed && !as->gathers && elements <= maxSmall &&
      points / minRepeat >= elements)
    return FuseReasonFused;
  double bytes = xlaElementTypeGetInfo(node->shape.elementType)->bytes;
  double memory = device->perKernel +
                  (double)elements * bytes * device->perByte +
                  (double)points * bytes * device->perCached;
  double again = (double)points * device->perOp * treeCost(graph, node, 8);
  as->repeated += xlaOpGetInfo(node->kind)->cost;
  return again <= memory && as->repeated <= maxRepeated ? FuseReasonFused
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

static FuseReason mappedFits(const FuseGraph *graph, const FuseNode *node,
                             const XlaIndexingMap *map, FuseCluster *as) {
  if (as->contraction || as->awaitsDot || usesDot(graph, node))
    return FuseReasonProduct;
  if (as->gathers)
    return FuseReasonGather;
  XlaIndexingMap *loops = mapOfLoops(map);
  if (!loops || !isReadAtStrides(graph, loops, node)) {
    xlaIndexingMapRelease(loops);
    return FuseReasonStrides;
  }
  FuseReason reason = repetitionFits(graph, node, pointsOf(loops), as);
  if (reason == FuseReasonFused && node->moves)
    reason = movementFits(node, as);
  if (reason == FuseReasonFused && !staysAlongLanes(graph, node, loops, as))
    reason = FuseReasonStrides;
  as->mapped = true;
  xlaIndexingMapRelease(loops);
  return reason;
}

/// At how many places the user computes an operand. 0: not known, or at places
/// that take scalars to find.
static int64_t placesOfEdge(const FuseGraph *graph, FuseEdge edge,
                            int cluster) {
  const FuseNode *node = &graph->nodes[edge.user];
  XlaIndexingMap *map = NULL;
  int64_t places = 0;
  if (node->copied)
    return edge.operand == 0 || node->elementwise ? node->copies : 0;
  if (placeOfEdge(graph, &graph->clusters[cluster], edge, &map) ==
      PlaceMapped) {
    XlaIndexingMap *loops = mapOfLoops(map);
    if (loops && xlaIndexingMapIsStrided(loops))
      places = pointsOf(loops);
    xlaIndexingMapRelease(loops);
  }
  xlaIndexingMapRelease(map);
  return places;
}

int64_t xlaFuseCopies(const FuseGraph *graph, int position, int cluster) {
  const FuseNode *node = &graph->nodes[position];
  const FuseCluster *as = &graph->clusters[cluster];
  const XlaFusionDevice *device = graph->device;
  int64_t places = 0;
  // Elements of an array in another shape are at computed places.
  if (!(node->elementwise || (node->moves && device->runsAtOnce)) ||
      !as->mapped || as->contraction || as->reduced || as->closed ||
      as->gathers || as->nMembers + 1 >= fuseMaxMembers)
    return 0;
  for (int e = 0; e < node->nEdges; ++e) {
    FuseEdge edge = graph->edges[node->firstEdge + e];
    bool moved =
        graph->nodes[edge.user].copied && !graph->nodes[edge.user].elementwise;
    int64_t more = placesOfEdge(graph, edge, cluster);
    if (!more || (moved && !device->runsAtOnce) ||
        __builtin_add_overflow(places, more, &places))
      return 0;
  }
  double bytes = xlaElementTypeGetInfo(node->shape.elementType)->bytes;
  double elements = (double)elementsOf(node->shape.dims, node->shape.rank);
  double cost = device->perOp * treeCost(graph, node, 8);
  double memory = device->perKernel + elements * bytes * device->perByte +
                  (double)places * bytes * device->perCached;
  return (double)places * cost <= elements * cost + memory ? places : 0;
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

static int countOperands(const FuseNode *node) {
  int count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i)
    count += !xlaFuseIsSplat(mlirOperationGetOperand(node->op, i));
  return count;
}

/// What the members take from outside, each once, and give to others.
static int countBuffers(const FuseGraph *graph, int cluster) {
  XlaPointerMap seen = {0};
  int count = 0;
  for (int m = graph->clusters[cluster].head; m >= 0;
       m = graph->nodes[m].next) {
    const FuseNode *node = &graph->nodes[m];
    bool isResult = false;
    for (int e = 0; e < node->nEdges && !isResult; ++e)
      isResult = xlaFuseClusterOf(
                     graph, graph->edges[node->firstEdge + e].user) != cluster;
    count += isResult;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
      MlirValue value = mlirOperationGetOperand(node->op, i);
      int from = xlaFuseDefiningNode(graph, value);
      if (xlaFuseIsSplat(value) || xlaPointerMapGet(&seen, value.ptr) ||
          (from >= 0 && xlaFuseClusterOf(graph, from) == cluster))
        continue;
      // Without memory it may count twice.
      (void)xlaPointerMapSet(&seen, value.ptr, 1);
      ++count;
    }
  }
  xlaPointerMapClear(&seen);
  return count;
}

/// Whether there is room for what the node adds.
static bool hasBuffers(const FuseGraph *graph, const FuseNode *node,
                       int cluster, bool asResult, FuseCluster *as) {
  int added = countOperands(node) + asResult;
  as->buffers += added;
  if (as->buffers > graph->device->maxBuffers)
    as->buffers = countBuffers(graph, cluster) + added;
  return as->buffers <= graph->device->maxBuffers;
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// The memory that `value` is a view of, as far as reshapes tell.
static MlirValue viewed(const FuseGraph *graph, MlirValue value) {
  int from = xlaFuseDefiningNode(graph, value);
  while (from >= 0 && graph->nodes[from].kind == XlaOpKindReshape) {
    value = mlirOperationGetOperand(graph->nodes[from].op, 0);
    from = xlaFuseDefiningNode(graph, value);
  }
  return value;
}

/// Whether the node reads the memory that the cluster updates.
static bool readsUpdated(const FuseGraph *graph, const FuseCluster *cluster,
                         const FuseNode *node) {
  if (!cluster->update)
    return false;
  const FuseNode *update = &graph->nodes[cluster->update - 1];
  intptr_t n =
      update->scatters ? mlirOperationGetNumOperands(update->op) / 2 : 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
    MlirValue value = viewed(graph, mlirOperationGetOperand(node->op, i));
    for (intptr_t k = 0; k < n; ++k)
      if (mlirValueEqual(value,
                         viewed(graph, mlirOperationGetOperand(update->op, k))))
        return true;
  }
  return false;
}

/// Whether a node is the part of an array that is updated, before that.
static bool isUpdated(const FuseNode *node, const FuseNode *update) {
  intptr_t n = mlirOperationGetNumOperands(node->op);
  bool isSame = node->kind == XlaOpKindDynamicSlice &&
                n + 1 == mlirOperationGetNumOperands(update->op) &&
                mlirValueEqual(mlirOperationGetOperand(node->op, 0),
                               mlirOperationGetOperand(update->op, 0));
  for (intptr_t i = 1; isSame && i < n; ++i)
    isSame = mlirValueEqual(mlirOperationGetOperand(node->op, i),
                            mlirOperationGetOperand(update->op, i + 1));
  return isSame;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

/// What is computed for a scatter.
static FuseReason scatterFits(const FuseGraph *graph, const FuseNode *node,
                              const FuseFit *fit) {
  return xlaFuseScatterFits(graph, (int)(node - graph->nodes),
                            graph->nodes[fit->as.update - 1].op,
                            fit->operand == 3);
}

static FuseReason placeFits(const FuseGraph *graph, const FuseNode *node,
                            Place place, bool asResult, FuseFit *fit) {
  FuseCluster *as = &fit->as;
  if (node->kind == XlaOpKindDotGeneral)
    return place == PlaceFull ? productFits(graph, node, as)
                              : FuseReasonProduct;
  if (node->kind == XlaOpKindGather && place != PlaceUpdates)
    return place == PlaceFull ? gatherFits(node, as) : FuseReasonGather;
  switch (place) {
  case PlaceFull:
    // Sums of long columns are walked in an order that is none for results.
    return node->reducible ||
                   (asResult && !canReadRowsAgain(&as->space, as->reduced))
               ? FuseReasonRows
               : fullFits(graph, node, as);
  case PlaceRow:
    return as->reduced ? rowFits(node, as) : FuseReasonRows;
  case PlaceMapped:
    if (node->reducible)
      return FuseReasonPlace;
    return asResult ? FuseReasonPlaces : mappedFits(graph, node, fit->map, as);
  case PlaceLhs:
  case PlaceRhs:
    fit->operand = 1 + (place == PlaceRhs);
    return asResult ? FuseReasonProduct
                    : operandFits(graph, node, fit->operand - 1, as);
  case PlaceUpdates:
    fit->operand = 4;
    return asResult ? FuseReasonPlace : scatterFits(graph, node, fit);
  case PlaceIndices:
    fit->operand = 3;
    if (!asResult && as->update && graph->nodes[as->update - 1].scatters)
      return scatterFits(graph, node, fit);
    return !asResult && xlaFuseIsIndices(graph, (int)(node - graph->nodes))
               ? FuseReasonFused
               : FuseReasonPlace;
  case PlaceNone:
    break;
  }
  return FuseReasonPlace;
}

FuseReason xlaFuseFit(const FuseGraph *graph, int position, int cluster,
                      bool asResult, FuseFit *fit) {
  const FuseNode *node = &graph->nodes[position];
  FuseCluster *as = &fit->as;
  Place place = PlaceNone;
  *as = graph->clusters[cluster];
  fit->map = NULL;
  fit->operand = 0;
  if (as->nMembers >= fuseMaxMembers || as->size + node->size > fuseMaxSize ||
      !hasBuffers(graph, node, cluster, asResult, as))
    return FuseReasonSize;
  if (as->segment != node->segment)
    return FuseReasonBarrier;
  if (node->kind == XlaOpKindDynamicUpdateSlice || node->scatters)
    return FuseReasonKind; // its elements are those of several operands
  FuseCluster rows = *as;
  FuseReason reason = FuseReasonRows;
  if ((node->reducible || !isFull(as, node)) && takeRows(graph, node, &rows))
    reason = findPlace(graph, position, cluster, &rows, &place, &fit->map);
  if (reason == FuseReasonFused && place == PlaceRow) {
    *as = rows;
  } else {
    xlaIndexingMapRelease(fit->map);
    reason = findPlace(graph, position, cluster, as, &place, &fit->map);
  }
  // Reading elsewhere what is updated would take a copy of it.
  if (reason == FuseReasonFused && readsUpdated(graph, as, node) &&
      (place != PlaceFull || !isUpdated(node, &graph->nodes[as->update - 1])))
    reason = FuseReasonPlaces;
  if (reason == FuseReasonFused)
    reason = placeFits(graph, node, place, asResult, fit);
  if (reason != FuseReasonFused || place != PlaceMapped) {
    xlaIndexingMapRelease(fit->map);
    fit->map = NULL;
  }
  return reason;
}

FuseCluster xlaFuseFound(const FuseGraph *graph, int position) {
  const FuseNode *node = &graph->nodes[position];
  FuseCluster c = {.space = node->shape,
                   .segment = node->segment,
                   .first = position,
                   .last = position,
                   .head = position,
                   .nMembers = 1,
                   .size = node->size,
                   .buffers = countOperands(node) +
                              (int)mlirOperationGetNumResults(node->op),
                   .mergedInto = -1};
  if (node->reducible) {
    xlaFuseInputShape(node, &c.space);
    c.nReductions = 1;
    c.reduced = node->reduced;
    c.closed = !c.reduced || !rowsAreWorthIt(&c.space, c.reduced);
    if (c.closed)
      c.reduced = 0;
  } else if (node->kind == XlaOpKindDotGeneral) {
    c.contraction = true;
    c.product = position;
  } else if (node->kind == XlaOpKindGather) {
    c.gathers = true;
  } else if (node->kind == XlaOpKindDynamicUpdateSlice || node->scatters) {
    intptr_t last = mlirOperationGetNumOperands(node->op) - 1;
    xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(
                         node->op, node->scatters ? last : 1)),
                     &c.space, NULL);
    c.closed = true;
    c.update = position + 1;
  } else {
    fullFits(graph, node, &c);
  }
  return c;
}

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
         !loop->gathers && hasTasks(&a->space, a->reduced | b->reduced) &&
         canReadRowsAgain(&a->space, a->reduced | b->reduced);
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

/// Of an operand of the product.
static bool isOperandShape(const FuseGraph *graph, const FuseCluster *cluster,
                           const XlaShape *shape) {
  for (int i = 0; cluster->contraction && i < 2; ++i) {
    XlaShape operand;
    if (xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(
                             graph->nodes[cluster->product].op, i)),
                         &operand, NULL) &&
        xlaShapeDimsEqual(&operand, shape))
      return true;
  }
  return false;
}

bool xlaFuseTakesOperand(const FuseGraph *graph, const FuseCluster *cluster,
                         MlirValue value, intptr_t operand) {
  int position = xlaFuseDefiningNode(graph, value);
  return position >= 0 && cluster->contraction && operand < 2 &&
         graph->nodes[position].copied &&
         xlaFuseIsPrologue(graph, position, graph->nodes[cluster->product].op,
                           (int)operand);
}

bool xlaFuseTakesCopy(const FuseGraph *graph, const FuseCluster *cluster,
                      MlirValue value) {
  XlaShape shape;
  int position = xlaFuseDefiningNode(graph, value);
  bool splat = xlaFuseIsSplat(value);
  if ((!splat && (position < 0 || !graph->nodes[position].copied ||
                  readsUpdated(graph, cluster, &graph->nodes[position]))) ||
      !xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    return false;
  // Scalars: initial values of reductions.
  return xlaShapeDimsEqual(&cluster->space, &shape) || (splat && !shape.rank) ||
         (splat && (cluster->gathers || cluster->contraction)) ||
         (cluster->update && graph->nodes[cluster->update - 1].scatters) ||
         ((cluster->mapped || cluster->transposed) && !cluster->contraction) ||
         isOperandShape(graph, cluster, &shape) ||
         (cluster->reduced &&
          xlaFuseIsRowShape(&cluster->space, cluster->reduced, &shape));
}

//===- fit.c - Whether and where a cluster would compute a node -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/fit.h"

void xlaFuseInputShape(const FuseNode *node, XlaShape *shape) {
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(node->op, 0)),
                   shape, NULL);
}

//===----------------------------------------------------------------------===//
// Products and gathers
//===----------------------------------------------------------------------===//

bool xlaFuseUsesDot(const FuseGraph *graph, const FuseNode *node) {
  for (intptr_t i = 0;
       graph->epilogues && i < mlirOperationGetNumOperands(node->op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && graph->nodes[from].kind == XlaOpKindDotGeneral)
      return true;
  }
  return false;
}

/// Whether a product can be computed with what the cluster computes at other
/// places than its result's.
static bool mappedFollow(const FuseGraph *graph, const FuseCluster *as) {
  bool follow = !as->pieces;
  for (int m = as->head; m >= 0 && follow; m = graph->nodes[m].next)
    follow =
        !graph->nodes[m].map ||
        xlaFuseFollowsProduct(graph, &graph->nodes[m], graph->nodes[m].map);
  return follow;
}

static FuseReason productFits(const FuseGraph *graph, const FuseNode *node,
                              FuseCluster *as) {
  if (!xlaFuseIsFull(as, node) || as->reduced || as->closed ||
      as->contraction || as->gathers || as->toAll ||
      (as->mapped && !mappedFollow(graph, as)))
    return FuseReasonProduct;
  as->contraction = true;
  as->product = (int)(node - graph->nodes);
  return FuseReasonFused;
}

/// Users of what a product loads are the product, or checked before.
static FuseReason operandFits(const FuseGraph *graph, const FuseNode *node,
                              int operand, const FuseCluster *as) {
  if (as->attention)
    return FuseReasonProduct;
  MlirOperation dot = graph->nodes[as->product].op;
  MlirValue value = mlirOperationGetOperand(dot, operand);
  bool isWhole = mlirOperationEqual(node->op, mlirOpResultGetOwner(value));
  return !isWhole || xlaFuseIsPrologue(graph, (int)(node - graph->nodes), dot,
                                       operand)
             ? FuseReasonFused
             : FuseReasonProduct;
}

/// Whether a cluster over rows reads each of them once: for one reduction, and
/// no result of the space's shape.
static bool readsRowsOnce(const FuseGraph *graph, const FuseCluster *as) {
  bool isOnce = as->nReductions <= 1;
  for (int m = as->head; m >= 0 && isOnce; m = graph->nodes[m].next) {
    const FuseNode *node = &graph->nodes[m];
    int cluster = xlaFuseClusterOf(graph, m);
    for (int e = 0; e < node->nEdges && xlaFuseIsFull(as, node); ++e)
      isOnce &= xlaFuseClusterOf(
                    graph, graph->edges[node->firstEdge + e].user) == cluster;
  }
  return isOnce;
}

/// Threads of other devices than processors load what is gathered one by one,
/// and rows by vectors.
static FuseReason gatherFits(const FuseGraph *graph, const FuseNode *node,
                             FuseCluster *as) {
  if (as->reduced && graph->device->runsAtOnce && !readsRowsOnce(graph, as))
    return FuseReasonGather;
  if (!xlaFuseIsFull(as, node) || as->contraction || as->transposed ||
      as->pieces || as->toAll)
    return FuseReasonGather;
  as->gathers = true;
  return FuseReasonFused;
}

//===----------------------------------------------------------------------===//
// Elementwise operations, and those that move data
//===----------------------------------------------------------------------===//

FuseReason xlaFuseMovementFits(const FuseNode *node, FuseCluster *as) {
  if (node->kind == XlaOpKindBroadcastInDim)
    return FuseReasonFused;
  if (as->toAll)
    return FuseReasonPlace;
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
  if (!xlaFuseIsFull(as, node))
    return FuseReasonPlace;
  if (node->moves)
    return xlaFuseMovementFits(node, as);
  as->awaitsDot |= xlaFuseUsesDot(graph, node);
  return FuseReasonFused;
}

/// A node of rows, in a cluster that has taken them.
static FuseReason rowFits(const FuseNode *node, FuseCluster *as) {
  XlaShape input;
  if (node->reducible)
    xlaFuseInputShape(node, &input);
  if (as->closed || as->pieces ||
      (node->reducible && (node->reduced != as->reduced ||
                           !xlaShapeDimsEqual(&input, &as->space))) ||
      !xlaFuseIsRowShape(&as->space, as->reduced, &node->shape) ||
      (node->moves && node->kind != XlaOpKindBroadcastInDim))
    return FuseReasonRows;
  as->nReductions += node->reducible;
  return FuseReasonFused;
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
  if (!cluster->update || cluster->toAll)
    return false;
  const FuseNode *update = &graph->nodes[cluster->update - 1];
  if (update->sorts)
    return false;
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

/// What is computed for a scatter or a sort.
static FuseReason updateFits(const FuseGraph *graph, const FuseNode *node,
                             const FuseFit *fit) {
  if (graph->nodes[fit->as.update - 1].sorts)
    return xlaFuseSortFits(graph, (int)(node - graph->nodes));
  return xlaFuseScatterFits(graph, (int)(node - graph->nodes),
                            graph->nodes[fit->as.update - 1].op,
                            fit->place == FusePlaceIndices);
}

/// A scatter whose results are worked on.
static FuseReason toAllFits(const FuseGraph *graph, const FuseNode *node,
                            FuseCluster *as) {
  if (as->reduced || as->closed || as->contraction || as->awaitsDot ||
      as->gathers || as->mapped || as->transposed || as->pieces || as->update)
    return FuseReasonKind;
  as->update = (int)(node - graph->nodes) + 1;
  as->toAll = true;
  return FuseReasonFused;
}

static FuseReason placeFits(const FuseGraph *graph, const FuseNode *node,
                            FusePlace place, bool asResult, FuseFit *fit) {
  FuseCluster *as = &fit->as;
  FuseTimes times;
  if (node->scatters)
    return place == FusePlaceFull ? toAllFits(graph, node, as) : FuseReasonKind;
  if (node->kind == XlaOpKindDotGeneral)
    return place == FusePlaceFull ? productFits(graph, node, as)
                                  : FuseReasonProduct;
  bool isOfIndex = place == FusePlaceIndices && as->gathers && !as->update &&
                   graph->device->runsAtOnce;
  if (node->kind == XlaOpKindGather && place != FusePlaceUpdates && !isOfIndex)
    return place == FusePlaceFull ? gatherFits(graph, node, as)
                                  : FuseReasonGather;
  switch (place) {
  case FusePlaceFull:
    // Sums of long columns are walked in an order that is none for results.
    return node->reducible || (asResult && !xlaFuseCanReadRowsAgain(
                                               &as->space, as->reduced))
               ? FuseReasonRows
               : fullFits(graph, node, as);
  case FusePlaceRow:
    return as->reduced ? rowFits(node, as) : FuseReasonRows;
  case FusePlaceMapped:
    if (node->reducible)
      return FuseReasonPlace;
    return asResult ? FuseReasonPlaces
                    : xlaFuseMappedFits(graph, node, fit->map, as);
  case FusePlaceLhs:
  case FusePlaceRhs:
    fit->place = place;
    return asResult ? FuseReasonProduct
                    : operandFits(graph, node, place == FusePlaceRhs, as);
  case FusePlaceUpdates:
    fit->place = place;
    return asResult ? FuseReasonPlace : updateFits(graph, node, fit);
  case FusePlaceIndices:
    fit->place = place;
    if (!asResult && as->update && graph->nodes[as->update - 1].scatters)
      return updateFits(graph, node, fit);
    return asResult ? FuseReasonPlace
                    : xlaFuseIndicesFit(graph, (int)(node - graph->nodes), as,
                                        &times);
  case FusePlaceNone:
    break;
  }
  return FuseReasonPlace;
}

FuseReason xlaFuseFit(const FuseGraph *graph, int position, int cluster,
                      bool asResult, FuseFit *fit) {
  const FuseNode *node = &graph->nodes[position];
  FuseCluster *as = &fit->as;
  FusePlace place = FusePlaceNone;
  *as = graph->clusters[cluster];
  fit->map = NULL;
  fit->place = FusePlaceNone;
  if (as->nMembers >= fuseMaxMembers || as->size + node->size > fuseMaxSize ||
      !hasBuffers(graph, node, cluster, asResult, as))
    return FuseReasonSize;
  if (as->segment != node->segment)
    return FuseReasonBarrier;
  if (node->kind == XlaOpKindDynamicUpdateSlice || node->sorts ||
      (node->scatters && !xlaFuseScattersToAll(graph, node)))
    return FuseReasonKind; // its elements are those of several operands
  FuseCluster rows = *as;
  FuseReason reason = FuseReasonRows;
  if ((node->reducible || !xlaFuseIsFull(as, node)) &&
      xlaFuseTakeRows(graph, node, &rows))
    reason =
        xlaFuseFindPlace(graph, position, cluster, &rows, &place, &fit->map);
  if (reason == FuseReasonFused && place == FusePlaceRow) {
    *as = rows;
  } else {
    xlaIndexingMapRelease(fit->map);
    reason = xlaFuseFindPlace(graph, position, cluster, as, &place, &fit->map);
  }
  // Reading elsewhere what is updated would take a copy of it.
  if (reason == FuseReasonFused && readsUpdated(graph, as, node) &&
      (place != FusePlaceFull ||
       !isUpdated(node, &graph->nodes[as->update - 1])))
    reason = FuseReasonPlaces;
  if (reason == FuseReasonFused)
    reason = placeFits(graph, node, place, asResult, fit);
  if (reason != FuseReasonFused || place != FusePlaceMapped) {
    xlaIndexingMapRelease(fit->map);
    fit->map = NULL;
  }
  return reason;
}

/// Whether inputs of a scatter are computed for it alone.
static bool computesInputs(const FuseGraph *graph, const FuseNode *node) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op) / 2; ++i) {
    MlirValue value = mlirOperationGetOperand(node->op, i);
    int from = xlaFuseDefiningNode(graph, value);
    if (xlaFuseIsSplat(value) || (from >= 0 && graph->nodes[from].elementwise &&
                                  graph->nodes[from].nEdges == 1))
      return true;
  }
  return false;
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
    c.closed = !c.reduced || !xlaFuseRowsAreWorthIt(&c.space, c.reduced);
    if (c.closed)
      c.reduced = 0;
  } else if (node->kind == XlaOpKindDotGeneral) {
    c.contraction = true;
    c.product = position;
  } else if (node->kind == XlaOpKindGather) {
    c.gathers = true;
  } else if (xlaFuseScattersToAll(graph, node) && computesInputs(graph, node)) {
    c.toAll = true;
    c.update = position + 1;
  } else if (node->sorts) {
    c.closed = true;
    c.update = position + 1;
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

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

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

FusePlace xlaFusePlaceFor(const FuseGraph *graph, const FuseCluster *cluster,
                          FuseEdge edge) {
  bool isProduct = cluster->contraction && edge.user == cluster->product;
  return isProduct && edge.operand == 0   ? FusePlaceLhs
         : isProduct && edge.operand == 1 ? FusePlaceRhs
                                          : graph->nodes[edge.user].place;
}

bool xlaFuseTakesFor(const FuseGraph *graph, const FuseCluster *cluster,
                     MlirValue value, FusePlace place) {
  bool isOperand = place == FusePlaceLhs || place == FusePlaceRhs;
  int position = xlaFuseDefiningNode(graph, value);
  // What works on a product reads parts of arrays as whole ones.
  bool isFollowing = cluster->contraction && !place && position >= 0 &&
                     graph->nodes[position].copied;
  return isFollowing || xlaFuseTakesCopy(graph, cluster, value) ||
         (isOperand &&
          xlaFuseTakesOperand(graph, cluster, value, place == FusePlaceRhs));
}

bool xlaFuseReadsArguments(XlaOpKind kind) {
  return kind == XlaOpKindDotGeneral || kind == XlaOpKindGather;
}

/// Initial values of reductions are arguments or constants; what is updated is
/// an argument, and what else a scatter takes from memory.
static bool isComputedInit(const FuseGraph *graph, FuseEdge edge,
                           MlirValue value) {
  const FuseNode *node = &graph->nodes[edge.user];
  if (node->scatters)
    return xlaFuseScatterReads(graph, edge);
  if (node->kind == XlaOpKindDynamicUpdateSlice)
    return edge.operand == 0;
  return node->kind == XlaOpKindReduce &&
         edge.operand >= mlirOperationGetNumOperands(node->op) / 2 &&
         !xlaFuseIsSplat(value);
}

bool xlaFuseTakes(const FuseGraph *graph, const FuseCluster *cluster,
                  FuseEdge edge) {
  const FuseNode *node = &graph->nodes[edge.user];
  MlirValue value = mlirOperationGetOperand(node->op, edge.operand);
  FusePlace place = xlaFusePlaceFor(graph, cluster, edge);
  if (cluster->contraction && edge.user == cluster->product)
    return xlaFuseTakesOperand(graph, cluster, value, edge.operand);
  return !xlaFuseReadsArguments(node->kind) &&
         !isComputedInit(graph, edge, value) &&
         xlaFuseTakesFor(graph, cluster, value, place);
}

/// Whether a shape is that of `space` without the dimensions `reduced`, but for
/// dimensions of size 1: a reshape shows it in that.
static bool isReshapedTo(const XlaShape *shape, const XlaShape *space,
                         uint32_t reduced) {
  XlaShape rows = {.rank = 0};
  for (int d = 0; d < space->rank; ++d)
    if (!(reduced >> d & 1))
      rows.dims[rows.rank++] = space->dims[d];
  return xlaFuseElements(shape->dims, shape->rank) ==
             xlaFuseElements(rows.dims, rows.rank) &&
         xlaFuseHasSameDims(shape, &rows);
}

/// Whether elements that a copied slice has side by side are so in what it is
/// of: processors load others one by one, and several kernels would.
static bool isReadAlongLanes(const FuseGraph *graph, const FuseNode *node) {
  XlaI64List strides = {.size = 0};
  XlaShape from;
  int last = node->shape.rank - 1;
  if (!(graph->device->perComputed > 0) ||
      (node->kind != XlaOpKindSlice && node->kind != XlaOpKindDynamicSlice))
    return true;
  xlaFuseInputShape(node, &from);
  while (last >= 0 && node->shape.dims[last] == 1 && from.dims[last] == 1)
    --last;
  xlaOpGetList(node->op, "strides", &strides);
  return last < 0 || (node->shape.dims[last] > 1 &&
                      (last >= strides.size || strides.values[last] == 1));
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
         (!splat && isReshapedTo(&shape, &cluster->space, 0) &&
          isReadAlongLanes(graph, &graph->nodes[position])) ||
         (splat &&
          (cluster->gathers || cluster->contraction || cluster->attention)) ||
         (cluster->update && (graph->nodes[cluster->update - 1].scatters ||
                              graph->nodes[cluster->update - 1].sorts)) ||
         xlaFuseElements(shape.dims, shape.rank) == 1 ||
         ((cluster->mapped || cluster->transposed || cluster->attention ||
           (position >= 0 && graph->nodes[position].copies)) &&
          !cluster->contraction) ||
         isOperandShape(graph, cluster, &shape) ||
         (cluster->reduced &&
          isReshapedTo(&shape, &cluster->space, cluster->reduced));
}

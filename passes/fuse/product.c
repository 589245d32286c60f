//===- product.c - What computes the operands of a matrix product ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *prologue* is computed where a product loads its operand. It begins with
// memory: what could as well end another kernel, such as the epilogue of
// another product, would only move from one kernel to another, and be computed
// more often there. What other kernels write is memory too, as soon as it is
// known what they are: parts of it need no copies.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ops/dot.h"
#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/passes/expand/scatter.h"
#include "xlac/passes/fuse/fit.h"

enum { maxDepth = 16 }; // of operations one behind the other

bool xlaFuseHasSameDims(const XlaShape *from, const XlaShape *to) {
  int k = 0;
  for (int i = 0; i < from->rank; ++i) {
    while (k < to->rank && to->dims[k] == 1)
      ++k;
    if (from->dims[i] == 1)
      continue;
    if (k == to->rank || to->dims[k] != from->dims[i])
      return false;
    ++k;
  }
  return true;
}

bool xlaFuseKeepsDims(const FuseNode *node) {
  XlaShape from;
  xlaFuseInputShape(node, &from);
  return xlaFuseHasSameDims(&from, &node->shape);
}

/// Whether it is computed at any place of an operand as anywhere else.
static bool isOfPrologue(const FuseNode *node) {
  return node->elementwise ||
         (node->kind == XlaOpKindReshape && xlaFuseKeepsDims(node)) ||
         node->kind == XlaOpKindBroadcastInDim ||
         node->kind == XlaOpKindSlice || node->kind == XlaOpKindTranspose;
}

/// Whether a node is there before all that is fused: the memory that something
/// else has written, perhaps in another shape.
static bool isMemory(const FuseGraph *graph, int position) {
  while (position >= 0 && graph->nodes[position].kind == XlaOpKindReshape)
    position = xlaFuseDefiningNode(
        graph, mlirOperationGetOperand(graph->nodes[position].op, 0));
  if (position < 0)
    return true;
  const FuseNode *node = &graph->nodes[position];
  // Of a kernel of its own the cluster is dissolved before fusions are built.
  bool isKernel = xlaFuseClusterOf(graph, position) >= 0 ||
                  (!node->moves && node->kind != XlaOpKindIota);
  if (graph->formed && !node->place && !node->copied && isKernel &&
      !xlaFuseIsAlone(graph, position))
    return true;
  return !node->elementwise && !node->moves && !node->reducible &&
         node->kind != XlaOpKindDotGeneral && node->kind != XlaOpKindGather &&
         node->kind != XlaOpKindIota;
}

/// Whether it is not worth memory of its own, however many use it.
static bool isCheap(const FuseGraph *graph, const FuseNode *node) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i)
    if (!isMemory(graph, xlaFuseDefiningNode(
                             graph, mlirOperationGetOperand(node->op, i))))
      return false;
  return xlaOpGetInfo(node->kind)->cost <= 1 &&
         xlaFuseCountArrays(graph, node) < 2;
}

/// Arrays of memory that an element is computed from, as far as they are told
/// apart.
typedef struct Loads {
  int n;
  MlirValue arrays[4];
  bool anywhere; ///< it is computed at any place, and once there
  bool parts;    ///< of what is concatenated one part is read: of coordinates,
                 ///< which may be those of the loops
  /// What is computed at the element's own place already, if it shares that.
  XlaPointerMap *seen;
  const FuseCluster *cluster; ///< NULL, or one that computes the same there
} Loads;

/// Whether it is computed from elements at any places.
static bool isAnywhere(const FuseNode *node) {
  return node->elementwise || node->kind == XlaOpKindGather ||
         node->kind == XlaOpKindIota ||
         (node->moves && node->kind != XlaOpKindDynamicSlice);
}

static void addLoad(Loads *loads, MlirValue array) {
  for (int i = 0; i < loads->n && i < 4; ++i)
    if (mlirValueEqual(loads->arrays[i], array))
      return;
  if (loads->n < 4)
    loads->arrays[loads->n] = array;
  ++loads->n;
}

/// What loading an element costs, in operations.
static int loadWeight(const FuseGraph *graph) {
  return (int)(4 * graph->device->perCached / graph->device->perOp);
}

/// The cost of an element with all that leads to it from memory; more than
/// fuseMaxWeight if that does not, or also leads elsewhere.
static int operationsOf(const FuseGraph *graph, int position, int depth,
                        Loads *loads) {
  const FuseNode *node = &graph->nodes[position];
  int weight = xlaOpGetInfo(node->kind)->cost + loads->anywhere;
  XlaPointerMap *seen = loads->seen;
  if (seen && xlaPointerMapGet(seen, node->op.ptr))
    return 0;
  // Without memory it counts twice.
  if (seen)
    (void)xlaPointerMapSet(seen, node->op.ptr, 1);
  bool isPart = loads->parts && node->kind == XlaOpKindConcatenate;
  if (!node->elementwise && node->kind != XlaOpKindReshape && !isPart)
    loads->seen = NULL; // what that reads is at other places
  bool isIndex = isPart || (loads->parts && node->kind == XlaOpKindIota);
  // Threads that wait for an index leave others to run.
  bool isGathered = loads->parts && graph->device->runsAtOnce &&
                    node->kind == XlaOpKindGather;
  bool isRead =
      loads->anywhere ? isAnywhere(node) : isOfPrologue(node) || isGathered;
  if (!(isRead || isIndex) || !depth) {
    loads->seen = seen;
    return fuseMaxWeight + 1;
  }
  if (isGathered)
    weight += loadWeight(graph);
  for (intptr_t i = node->kind == XlaOpKindGather; // reads memory
       weight <= fuseMaxWeight && i < mlirOperationGetNumOperands(node->op);
       ++i) {
    MlirValue value = mlirOperationGetOperand(node->op, i);
    int from = xlaFuseDefiningNode(graph, value);
    if (xlaFuseIsSplat(value))
      continue;
    // No index is reduced where it is read: reductions write memory, and
    // products what is moved.
    bool isReduced = loads->parts && node->moves && from >= 0 &&
                     (graph->nodes[from].reducible ||
                      graph->nodes[from].kind == XlaOpKindDotGeneral);
    if (loads->seen && loads->cluster && from >= 0 &&
        xlaFuseIsWorkedOn(graph, from, loads->cluster))
      continue;
    if (isMemory(graph, from) || isReduced) {
      if (node->kind != XlaOpKindBroadcastInDim && !(isPart && i))
        addLoad(loads, value);
      continue;
    }
    const FuseNode *before = &graph->nodes[from];
    bool isOnly = loads->anywhere || loads->seen || before->nEdges == 1 ||
                  !before->elementwise || isCheap(graph, before);
    weight += isOnly ? operationsOf(graph, from, depth - 1, loads)
                     : fuseMaxWeight + 1;
  }
  loads->seen = seen;
  return weight;
}

int xlaFuseWeightOf(const FuseGraph *graph, int position, bool anywhere,
                    bool once, const FuseCluster *cluster) {
  XlaPointerMap seen = {0};
  Loads loads = {.anywhere = anywhere,
                 .parts = once && !anywhere,
                 .seen = once ? &seen : NULL,
                 .cluster = cluster};
  int weight = operationsOf(graph, position, maxDepth, &loads);
  xlaPointerMapClear(&seen);
  return loads.n > 1 ? weight + (loads.n - 1) * loadWeight(graph) : weight;
}

double xlaFuseElementsOf(MlirValue value) {
  XlaShape shape;
  int64_t count = 0;
  if (xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    xlaShapeGetElementCount(&shape, &count);
  return (double)count;
}

/// How often a device loads an element of an operand: for each tile of the
/// other operand's free dimensions.
static double loadsOf(const FuseGraph *graph, MlirOperation dot, int side) {
  XlaDotDimensions dims;
  XlaShape lhs;
  double terms = 1;
  xlaDotGetDimensions(dot, &dims);
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(dot, 0)), &lhs,
                   NULL);
  for (int i = 0; i < dims.lhs.contracting.size; ++i)
    terms *= (double)lhs.dims[dims.lhs.contracting.values[i]];
  double own = xlaFuseElementsOf(mlirOperationGetOperand(dot, side));
  double other =
      own > 0 ? xlaFuseElementsOf(mlirOperationGetResult(dot, 0)) * terms / own
              : 0;
  double tiles = other / graph->device->productTile;
  return tiles < 1 ? 1 : tiles;
}

bool xlaFusePrologueTimes(const FuseGraph *graph, int position,
                          MlirOperation dot, int side, FuseTimes *times) {
  const FuseNode *node = &graph->nodes[position];
  const XlaFusionDevice *device = graph->device;
  if (!graph->epilogues || node->shape.rank < 0)
    return false;
  int weight = xlaFuseWeightOf(graph, position, false, false, NULL);
  if (weight > fuseMaxWeight)
    return false;
  double elements = xlaFuseElementsOf(mlirOperationGetResult(node->op, 0));
  double bytes = xlaElementTypeGetInfo(node->shape.elementType)->bytes;
  times->again =
      elements * (loadsOf(graph, dot, side) - 1) * weight * device->perOp;
  times->memory = device->perKernel + 2 * elements * bytes * device->perByte;
  return true;
}

bool xlaFuseIsPrologue(const FuseGraph *graph, int position, MlirOperation dot,
                       int side) {
  FuseTimes times;
  return xlaFusePrologueTimes(graph, position, dot, side, &times) &&
         times.again <= times.memory;
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// Whether a scatter searches its indices, and they are not found quickly.
static bool searchesMemory(const FuseGraph *graph, MlirOperation scatter) {
  enum { maxSearched = 4 }; // by bisection, of each window
  MlirValue indices = mlirOperationGetOperand(
      scatter, mlirOperationGetNumOperands(scatter) / 2);
  int position = xlaFuseDefiningNode(graph, indices);
  return graph->device->runsAtOnce &&
         xlaScatterGetForm(scatter) == XlaScatterFormSorted &&
         (position < 0 ||
          xlaFuseWeightOf(graph, position, true, true, NULL) > maxSearched);
}

bool xlaFuseScattersToAll(const FuseGraph *graph, const FuseNode *node) {
  return node->scatters && graph->device->runsAtOnce &&
         xlaScatterGetForm(node->op) == XlaScatterFormSorted &&
         xlaFuseElementsOf(mlirOperationGetResult(node->op, 0)) > 0;
}

bool xlaFuseScatterReads(const FuseGraph *graph, FuseEdge edge) {
  const FuseNode *user = &graph->nodes[edge.user];
  if (!user->scatters)
    return false;
  intptr_t n = mlirOperationGetNumOperands(user->op) / 2;
  int cluster = xlaFuseClusterOf(graph, edge.user);
  bool toAll = cluster >= 0 && graph->clusters[cluster].toAll;
  return (edge.operand < n && !toAll) ||
         (edge.operand == n && searchesMemory(graph, user->op));
}

/// At how many places a scatter needs its indices or updates, all in all.
/// Threads find the coordinates of each of a window's elements.
static double placesOf(const FuseGraph *graph, MlirOperation scatter,
                       bool isIndices) {
  XlaIndexedWindows windows;
  intptr_t n = mlirOperationGetNumOperands(scatter) / 2;
  if (isIndices && !graph->device->runsAtOnce)
    return xlaFuseElementsOf(mlirOperationGetOperand(scatter, n));
  xlaIndexedWindowsGet(scatter, &windows);
  return xlaFuseElementsOf(mlirOperationGetOperand(scatter, n + 1)) *
         (isIndices ? windows.startMap.size : 1);
}

/// Windows in order are one thread's: figures are of two.
FuseReason xlaFuseScatterFits(const FuseGraph *graph, int position,
                              MlirOperation scatter, bool isIndices) {
  enum { maxIndices = 16 }; // loads hide them
  const FuseNode *node = &graph->nodes[position];
  const XlaFusionDevice *device = graph->device;
  int weight = xlaFuseWeightOf(graph, position, true, true, NULL);
  if (node->shape.rank < 0 || weight > fuseMaxWeight)
    return FuseReasonPlace;
  double elements = xlaFuseElementsOf(mlirOperationGetResult(node->op, 0));
  double bytes = xlaElementTypeGetInfo(node->shape.elementType)->bytes;
  double places = placesOf(graph, scatter, isIndices);
  double again = (device->runsAtOnce ? places : 2 * places) - elements;
  double memory = device->perKernel + 2 * elements * bytes * device->perByte;
  return again * weight * device->perOp <= memory ||
                 (device->runsAtOnce && isIndices && weight <= maxIndices)
             ? FuseReasonFused
             : FuseReasonRecompute;
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

/// What is sorted in registers first is loaded once. Processors compute an
/// element at a time there.
FuseReason xlaFuseSortFits(const FuseGraph *graph, int position) {
  enum { maxScalar = 4 };
  int weight = xlaFuseWeightOf(graph, position, true, true, NULL);
  if (graph->nodes[position].shape.rank < 0 || weight > fuseMaxWeight)
    return FuseReasonPlace;
  return weight <= maxScalar || graph->device->runsAtOnce ? FuseReasonFused
                                                          : FuseReasonUser;
}

bool xlaFuseFeedsProduct(const FuseGraph *graph, int position) {
  const FuseNode *node = &graph->nodes[position];
  for (int e = 0; e < node->nEdges; ++e) {
    FuseEdge edge = graph->edges[node->firstEdge + e];
    const FuseNode *user = &graph->nodes[edge.user];
    if (user->kind == XlaOpKindDotGeneral && edge.operand >= 0 &&
        !xlaFuseIsPrologue(graph, position, user->op, edge.operand))
      return true;
    if (user->kind == XlaOpKindGather)
      return true;
  }
  return false;
}

//===- indices.c - What computes the indices of gathers -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is light is computed where a gather reads it, and what is needed no more
// often than a kernel would write it. What the kernel works on in any case
// costs nothing: several gathers beside each other, as of the corners around a
// place of an image, have most of their indices in common.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/fit.h"

/// Whether all that the cluster gathers is single elements.
static bool gathersElements(const FuseGraph *graph,
                            const FuseCluster *cluster) {
  for (int m = cluster->head; m >= 0; m = graph->nodes[m].next) {
    XlaI64List sizes = {.size = 0};
    if (graph->nodes[m].kind == XlaOpKindGather)
      xlaOpGetList(graph->nodes[m].op, "slice_sizes", &sizes);
    for (int i = 0; i < sizes.size; ++i)
      if (sizes.values[i] != 1)
        return false;
  }
  return true;
}

/// Whether it is computed from what is gathered, or that is too far to see.
static bool isOfGathers(const FuseGraph *graph, int position, int depth) {
  const FuseNode *node = &graph->nodes[position];
  enum { maxOperands = 3 }; // of what is looked behind
  intptr_t n = mlirOperationGetNumOperands(node->op);
  if (!node->elementwise && !node->moves && node->kind != XlaOpKindGather)
    return false;
  if (!depth || node->kind == XlaOpKindGather || n > maxOperands)
    return true;
  for (intptr_t i = 0; i < n; ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && isOfGathers(graph, from, depth - 1))
      return true;
  }
  return false;
}

bool xlaFuseIsWorkedOn(const FuseGraph *graph, int position,
                       const FuseCluster *cluster) {
  const FuseNode *node = &graph->nodes[position];
  int own = xlaFuseClusterOf(graph, cluster->head);
  bool isUsed = false;
  for (int e = 0; e < node->nEdges; ++e) {
    int at = graph->edges[node->firstEdge + e].user;
    const FuseNode *user = &graph->nodes[at];
    isUsed |= user->elementwise && !user->place && !user->map &&
              xlaFuseClusterOf(graph, at) == own;
  }
  return isUsed && xlaShapeDimsEqual(&node->shape, &cluster->space);
}

/// Whether what the cluster works on may be indices there, too. Processors wait
/// for one load after the other where indices come of gathers, as those of an
/// unrolled bisection do: that takes 1.1 to 1.5 times as long as a kernel for
/// each.
static bool mayShareIndices(const FuseGraph *graph, int position,
                            const FuseCluster *cluster) {
  enum { maxSteps = 6 };
  return gathersElements(graph, cluster) &&
         (graph->device->runsAtOnce || !isOfGathers(graph, position, maxSteps));
}

/// How often gathers of the cluster need an index: loops of processors do so
/// once a window, threads of other devices for each element.
static double indicesOf(const FuseGraph *graph, const FuseCluster *cluster) {
  double most = 1;
  if (graph->device->runsAtOnce)
    return (double)xlaFuseElements(cluster->space.dims, cluster->space.rank);
  for (int m = cluster->head; m >= 0; m = graph->nodes[m].next)
    if (graph->nodes[m].kind == XlaOpKindGather) {
      double n =
          xlaFuseElementsOf(mlirOperationGetOperand(graph->nodes[m].op, 1));
      most = n > most ? n : most;
    }
  return most;
}

FuseReason xlaFuseIndicesFit(const FuseGraph *graph, int position,
                             const FuseCluster *cluster, FuseTimes *times) {
  enum {
    maxHidden = 4, // loads hide them
    maxLanes = 16, // the same where lanes gather single elements
    scalar = 8,    // an index by itself takes so many times one among vectors
  };
  const XlaFusionDevice *device = graph->device;
  *times = (FuseTimes){0, 0};
  // Reshapes are put out again if what they are of is in another kernel.
  while (graph->nodes[position].kind == XlaOpKindReshape) {
    position = xlaFuseDefiningNode(
        graph, mlirOperationGetOperand(graph->nodes[position].op, 0));
    if (position < 0)
      return FuseReasonFused;
  }
  const FuseNode *node = &graph->nodes[position];
  if (node->shape.rank < 0)
    return FuseReasonPlace;
  bool shares = mayShareIndices(graph, position, cluster);
  if (shares && xlaFuseIsWorkedOn(graph, position, cluster))
    return FuseReasonFused;
  int weight =
      xlaFuseWeightOf(graph, position, false, true, shares ? cluster : NULL);
  bool isLoop = !cluster->reduced && !cluster->closed;
  int most = isLoop && gathersElements(graph, cluster) ? maxLanes : maxHidden;
  if (weight <= most || weight > fuseMaxWeight)
    return weight <= most ? FuseReasonFused : FuseReasonPlace;
  double elements = xlaFuseElementsOf(mlirOperationGetResult(node->op, 0));
  double bytes = xlaElementTypeGetInfo(node->shape.elementType)->bytes;
  double places = indicesOf(graph, cluster);
  double again =
      device->runsAtOnce ? places - elements : scalar * places - elements;
  times->again = again * weight * device->perOp;
  times->memory = device->perKernel + 2 * elements * bytes * device->perByte;
  return times->again <= times->memory ? FuseReasonFused : FuseReasonRecompute;
}

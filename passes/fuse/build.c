//===- build.c - Clusters become fusions ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fusion with several results may have users before its last operation, so
// the block is put into an order first: of what is ready, what came first. What
// has effects keeps its order, and what stood before a barrier stays before it.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/fuse.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Units are clusters, by the position of their first member, and other nodes.
typedef struct Order {
  const FuseGraph *graph;
  int *waiting; // inputs of a unit that have not been placed
  int *heap;    // units that are ready, by `keyOf`
  int nHeap;
  int *units; // in order
  int nUnits;
} Order;

static int unitOf(const FuseGraph *graph, int node) {
  int cluster = xlaFuseClusterOf(graph, node);
  return cluster < 0 ? node : graph->clusters[cluster].head;
}

static int keyOf(const FuseGraph *graph, int unit) {
  int cluster = xlaFuseClusterOf(graph, unit);
  return cluster < 0 ? unit : graph->clusters[cluster].last;
}

static void heapPush(Order *order, int unit) {
  int at = order->nHeap++;
  for (; at; at = (at - 1) / 2) {
    int parent = order->heap[(at - 1) / 2];
    if (keyOf(order->graph, parent) <= keyOf(order->graph, unit))
      break;
    order->heap[at] = parent;
  }
  order->heap[at] = unit;
}

static int heapPop(Order *order) {
  int least = order->heap[0], unit = order->heap[--order->nHeap], at = 0;
  for (int child; (child = 2 * at + 1) < order->nHeap; at = child) {
    if (child + 1 < order->nHeap &&
        keyOf(order->graph, order->heap[child + 1]) <
            keyOf(order->graph, order->heap[child]))
      ++child;
    if (keyOf(order->graph, unit) <= keyOf(order->graph, order->heap[child]))
      break;
    order->heap[at] = order->heap[child];
  }
  order->heap[at] = unit;
  return least;
}

/// Whether `cluster` computes copied `node` for itself, from its own members.
static bool isOwnCopy(const FuseGraph *graph, int cluster, int node,
                      int depth) {
  if (cluster < 0 || !graph->nodes[node].copied || !depth)
    return false;
  MlirOperation op = graph->nodes[node].op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(op, i));
    if (from >= 0 && (xlaFuseClusterOf(graph, from) == cluster ||
                      isOwnCopy(graph, cluster, from, depth - 1)))
      return true;
  }
  return false;
}

/// Copies between two members of a cluster, at most.
static int copiesOf(const FuseGraph *graph, int cluster) {
  return cluster >= 0 && graph->clusters[cluster].rowBytes ? fuseMaxWindowCopies
                                                           : fuseMaxOwnCopies;
}

static void wait(Order *order, int from, int user, int step) {
  int unit = unitOf(order->graph, user);
  int cluster = xlaFuseClusterOf(order->graph, user);
  if (unit == unitOf(order->graph, from) ||
      isOwnCopy(order->graph, cluster, from, copiesOf(order->graph, cluster)))
    return;
  order->waiting[unit] += step;
  if (step < 0 && !order->waiting[unit])
    heapPush(order, unit);
}

/// Clusters with copies of their own wait for what else these are computed
/// from, as `from`, which `copy` reads.
static void waitForCopy(Order *order, int from, int copy, int step, int depth) {
  const FuseGraph *graph = order->graph;
  const FuseNode *node = &graph->nodes[copy];
  for (int e = 0; depth && e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    int cluster = xlaFuseClusterOf(graph, user);
    if (graph->nodes[user].copied)
      waitForCopy(order, from, user, step, depth - 1);
    else if (isOwnCopy(graph, cluster, copy, copiesOf(graph, cluster)))
      wait(order, from, user, step);
  }
}

/// Adds `step` to what each unit waits for on account of node `from`, and makes
/// those ready that wait for nothing more.
static void count(Order *order, int from, int step) {
  const FuseGraph *graph = order->graph;
  const FuseNode *node = &graph->nodes[from];
  if (node->nextEffect >= 0)
    wait(order, from, node->nextEffect, step);
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    wait(order, from, user, step);
    if (graph->nodes[user].copied)
      waitForCopy(order, from, user, step, fuseMaxWindowCopies);
  }
}

/// False if units wait for each other.
static bool sort(Order *order) {
  const FuseGraph *graph = order->graph;
  int nPlaced = 0;
  for (int i = 0; i < graph->nNodes; ++i)
    count(order, i, 1);
  for (int i = 0; i < graph->nNodes; ++i)
    if (unitOf(graph, i) == i && !order->waiting[i])
      heapPush(order, i);
  while (order->nHeap) {
    int unit = heapPop(order);
    order->units[order->nUnits++] = unit;
    for (int m = unit; m >= 0; m = graph->nodes[m].next, ++nPlaced)
      count(order, m, -1);
  }
  return nPlaced == graph->nNodes;
}

//===----------------------------------------------------------------------===//
// Fusions
//===----------------------------------------------------------------------===//

typedef struct Values {
  MlirValue *items;
  size_t size, capacity;
} Values;

static bool append(Values *values, MlirValue value) {
  if (values->size == values->capacity) {
    size_t capacity = values->capacity ? 2 * values->capacity : 16;
    MlirValue *items = realloc(values->items, capacity * sizeof *items);
    if (!items)
      return false;
    values->items = items;
    values->capacity = capacity;
  }
  values->items[values->size++] = value;
  return true;
}

typedef struct Body {
  const FuseGraph *graph;
  int cluster;
  MlirBlock block;
  XlaPointerMap arguments, copies; // of outer values
  Values inputs, results;
  bool failed;
} Body;

static MlirValue argumentFor(Body *body, MlirValue value) {
  intptr_t known = xlaPointerMapGet(&body->arguments, value.ptr);
  if (known)
    return (MlirValue){(const void *)known};
  MlirOperation at = mlirValueIsABlockArgument(value)
                         ? mlirBlockGetParentOperation(body->graph->block)
                         : mlirOpResultGetOwner(value);
  MlirValue argument = mlirBlockAddArgument(
      body->block, mlirValueGetType(value), mlirOperationGetLocation(at));
  body->failed |=
      !append(&body->inputs, value) ||
      !xlaPointerMapSet(&body->arguments, value.ptr, (intptr_t)argument.ptr);
  return argument;
}

static bool isMember(const Body *body, MlirValue value) {
  int node = xlaFuseDefiningNode(body->graph, value);
  return node >= 0 && xlaFuseClusterOf(body->graph, node) == body->cluster;
}

/// What stands for a value inside: itself if a member computes it, a copy of
/// what computes it, or an argument. Copies of copies nest by at most `depth`.
static MlirValue innerValue(Body *body, MlirValue value, FusePlace place,
                            int depth) {
  const FuseCluster *cluster = &body->graph->clusters[body->cluster];
  if (isMember(body, value))
    return value;
  if (!depth || !xlaFuseTakesFor(body->graph, cluster, value, place))
    return argumentFor(body, value);
  intptr_t known = xlaPointerMapGet(&body->copies, value.ptr);
  if (known)
    return (MlirValue){(const void *)known};
  MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
  depth = xlaFuseReadsArguments(xlaOpGetKind(copy)) ? 0 : depth - 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(
        copy, i,
        innerValue(body, mlirOperationGetOperand(copy, i), place, depth));
  mlirBlockAppendOwnedOperation(body->block, copy);
  MlirValue inner = mlirOperationGetResult(copy, 0);
  body->failed |=
      !xlaPointerMapSet(&body->copies, value.ptr, (intptr_t)inner.ptr);
  return inner;
}

static void moveMember(Body *body, int member) {
  const FuseGraph *graph = body->graph;
  const FuseCluster *cluster = &graph->clusters[body->cluster];
  MlirOperation op = graph->nodes[member].op;
  intptr_t n = mlirOperationGetNumOperands(op);
  bool updates = cluster->update == member + 1;
  for (intptr_t k = 0; k < n; ++k) {
    // What is updated comes last: it says what is taken.
    intptr_t i = updates ? n - 1 - k : k;
    FuseEdge edge = {member, (int)i};
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!isMember(body, value))
      mlirOperationSetOperand(
          op, i,
          innerValue(body, value, xlaFusePlaceFor(graph, cluster, edge),
                     xlaFuseTakes(graph, cluster, edge) ? fuseMaxCopyDepth + 1
                                                        : 0));
  }
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(body->block, op);
}

static bool isLeftOver(const FuseGraph *graph, const FuseNode *node, int depth);

/// The same of an operation. Memory of one that is left over may be another's
/// by now.
static bool isLeftOverOp(const FuseGraph *graph, MlirOperation op, int depth) {
  int at = xlaFuseNodeOf(graph, op);
  return at >= 0 && mlirOperationEqual(graph->nodes[at].op, op) &&
         isLeftOver(graph, &graph->nodes[at], depth);
}

/// Whether clusters compute the node's result instead, and nothing else uses
/// it but what is left over too, behind at most `depth` others.
static bool isLeftOver(const FuseGraph *graph, const FuseNode *node,
                       int depth) {
  if (!node->copied && (node->kind != XlaOpKindConstant ||
                        !xlaFuseIsSplat(mlirOperationGetResult(node->op, 0))))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(node->op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!depth || !isLeftOverOp(graph, mlirOpOperandGetOwner(use), depth - 1))
      return false;
  return true;
}

static bool isOutside(const Body *body, MlirOpOperand use) {
  MlirOperation owner = mlirOpOperandGetOwner(use);
  return !mlirBlockEqual(mlirOperationGetBlock(owner), body->block) &&
         !isLeftOverOp(body->graph, owner, fuseMaxCopyDepth);
}

static void findResults(Body *body) {
  for (int m = body->graph->clusters[body->cluster].head; m >= 0;
       m = body->graph->nodes[m].next) {
    MlirOperation op = body->graph->nodes[m].op;
    // What a kernel ends with gives back all of its results.
    const FuseCluster *cluster = &body->graph->clusters[body->cluster];
    bool all = cluster->update == m + 1 && !cluster->toAll;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
      MlirValue value = mlirOperationGetResult(op, r);
      MlirOpOperand use = mlirValueGetFirstUse(value);
      while (!mlirOpOperandIsNull(use) && !isOutside(body, use))
        use = mlirOpOperandGetNextUse(use);
      if (all || !mlirOpOperandIsNull(use))
        body->failed |= !append(&body->results, value);
    }
  }
}

/// Outer users take `with` in place of `value`.
static void replaceOutside(const Body *body, MlirValue value, MlirValue with) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use)) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    if (isOutside(body, use))
      mlirOperationSetOperand(mlirOpOperandGetOwner(use),
                              mlirOpOperandGetOperandNumber(use), with);
    use = next;
  }
}

static bool isReduction(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindReduce || kind == XlaOpKindAssociativeScan;
}

/// A reduction with what computes its elements is one; anything beyond, such as
/// row-shaped operations, makes it a row.
static const char *kindOf(const Body *body) {
  const FuseGraph *graph = body->graph;
  const FuseCluster *cluster = &graph->clusters[body->cluster];
  if (cluster->attention)
    return "attention";
  if (cluster->rowBytes)
    return "window";
  if (cluster->contraction)
    return "contraction";
  if (cluster->update && graph->nodes[cluster->update - 1].scatters)
    return "scatter";
  if (cluster->update && graph->nodes[cluster->update - 1].sorts)
    return "sort";
  if (!cluster->nReductions)
    return cluster->reduced ? "row" : "loop";
  if (cluster->nReductions > 1)
    return "row";
  for (int m = cluster->head; m >= 0; m = graph->nodes[m].next)
    if (!graph->nodes[m].reducible && !graph->nodes[m].map &&
        !graph->nodes[m].place &&
        !xlaShapeDimsEqual(&graph->nodes[m].shape, &cluster->space))
      return "row";
  for (size_t i = 0; i < body->results.size; ++i)
    if (!isReduction(mlirOpResultGetOwner(body->results.items[i])))
      return "row";
  return "reduce";
}

static void makeFusion(Body *body, MlirOperation before) {
  const FuseGraph *graph = body->graph;
  const FuseCluster *cluster = &graph->clusters[body->cluster];
  for (int m = cluster->head; m >= 0; m = graph->nodes[m].next)
    moveMember(body, m);
  findResults(body);
  intptr_t n = (intptr_t)body->results.size;
  MlirType *types = malloc(((size_t)n + 1) * sizeof *types);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body->block);
  body->failed |= !types;
  if (body->failed)
    n = 0; // the members have users outside, which destroying them would leave
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(body->results.items[i]);
  XlaIr ir = xlaIrBefore(before);
  ir.location = mlirOperationGetLocation(graph->nodes[cluster->last].op);
  XlaIr inside = xlaIrIn(ir, body->block);
  xlaIrCreate(&inside, "xla.return", n, body->results.items, 0, NULL, 0, NULL,
              0, NULL);
  XlaIrAttr kind = {"kind", xlaIrStringAttr(ir.context, kindOf(body))};
  MlirOperation fusion =
      xlaIrCreate(&ir, "xla.fusion", (intptr_t)body->inputs.size,
                  body->inputs.items, n, types, 1, &kind, 1, &region);
  for (intptr_t i = 0; i < n; ++i)
    replaceOutside(body, body->results.items[i],
                   mlirOperationGetResult(fusion, i));
  free(types);
}

static bool buildCluster(const FuseGraph *graph, int cluster,
                         MlirOperation before) {
  Body body = {.graph = graph,
               .cluster = cluster,
               .block = mlirBlockCreate(0, NULL, NULL)};
  makeFusion(&body, before);
  free(body.inputs.items);
  free(body.results.items);
  xlaPointerMapClear(&body.arguments);
  xlaPointerMapClear(&body.copies);
  return !body.failed;
}

/// Whether the only member of a cluster computes some of its operands as well.
static bool computesOperands(const FuseGraph *graph, int cluster) {
  const FuseCluster *c = &graph->clusters[cluster];
  const FuseNode *node = &graph->nodes[c->head];
  intptr_t n = mlirOperationGetNumOperands(node->op);
  bool computes = false;
  // Behind the operands of a reduction are its init values.
  for (intptr_t i = 0; i < (node->kind == XlaOpKindReduce ? n / 2 : n); ++i)
    computes |= xlaFuseTakes(graph, c, (FuseEdge){c->head, (int)i});
  return computes;
}

/// A cluster of one operation stays that operation, unless it computes some of
/// its operands as well.
static void dissolveSingles(FuseGraph *graph) {
  for (int c = 0; c < graph->nClusters; ++c) {
    const FuseCluster *cluster = &graph->clusters[c];
    if (cluster->mergedInto < 0 && cluster->head >= 0 &&
        cluster->nMembers == 1 && !computesOperands(graph, c))
      graph->nodes[cluster->head].cluster = -1;
  }
}

/// What others compute for themselves but something also takes from memory: a
/// kernel that computes its own operands in turn.
static bool buildCopy(FuseGraph *graph, int position) {
  FuseNode *node = &graph->nodes[position];
  int cluster = graph->nClusters;
  graph->clusters[cluster] = xlaFuseFound(graph, position);
  node->next = -1;
  if (!computesOperands(graph, cluster))
    return true;
  node->cluster = graph->nClusters++;
  return buildCluster(graph, cluster, mlirOperationGetNextInBlock(node->op));
}

static bool place(const Order *order, FuseGraph *graph) {
  MlirOperation terminator = mlirBlockGetTerminator(graph->block);
  for (int i = 0; i < order->nUnits; ++i) {
    int unit = order->units[i], cluster = xlaFuseClusterOf(graph, unit);
    if (cluster >= 0) {
      if (!buildCluster(graph, cluster, terminator))
        return false;
    } else if (!mlirOperationEqual(graph->nodes[unit].op, terminator)) {
      mlirOperationMoveBefore(graph->nodes[unit].op, terminator);
    }
  }
  bool done = true;
  for (int i = graph->nNodes - 1; i >= 0 && done; --i) {
    FuseNode *node = &graph->nodes[i];
    if (isLeftOver(graph, node, 0)) {
      mlirOperationDestroy(node->op);
      node->op = (MlirOperation){NULL};
    } else if (node->copied && xlaFuseCanFound(node)) {
      done = buildCopy(graph, i);
    }
  }
  return done;
}

bool xlaFuseBuild(FuseGraph *graph) {
  dissolveSingles(graph);
  size_t n = (size_t)graph->nNodes + 1;
  int *memory = calloc(3 * n, sizeof *memory);
  if (!memory)
    return false;
  Order order = {.graph = graph,
                 .waiting = memory,
                 .heap = memory + n,
                 .units = memory + 2 * n};
  bool done = sort(&order) && place(&order, graph);
  free(memory);
  return done;
}

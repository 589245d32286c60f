//===- graph.c - A block as a graph for fusion ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/fuse.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

bool xlaFuseIsSplat(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (xlaOpGetKind(op) != XlaOpKindConstant)
    return false;
  MlirAttribute elements = xlaOpGetAttr(op, "value");
  return mlirAttributeIsADenseElements(elements) &&
         mlirDenseElementsAttrIsSplat(elements);
}

int xlaFuseNodeOf(const FuseGraph *graph, MlirOperation op) {
  return (int)xlaPointerMapGet(&graph->positions, op.ptr) - 1;
}

int xlaFuseDefiningNode(const FuseGraph *graph, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return -1;
  return xlaFuseNodeOf(graph, mlirOpResultGetOwner(value));
}

/// A reduction, scan or scatter is fused if its computation is elementwise
/// arithmetic on its own arguments.
static bool isReducible(MlirOperation op) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (MlirOperation inner = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(inner);
       inner = mlirOperationGetNextInBlock(inner)) {
    XlaOpKind kind = xlaOpGetKind(inner);
    if (kind != XlaOpKindConstant && kind != XlaOpKindReturn &&
        (kind == XlaOpKindInvalid ||
         xlaOpGetInfo(kind)->family != XlaFamilyElementwise))
      return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner); ++i)
      if (!mlirBlockEqual(xlaIrBlockOf(mlirOperationGetOperand(inner, i)),
                          body))
        return false;
  }
  return true;
}

/// The dimensions that `op` reduces.
static uint32_t reducedDimensions(MlirOperation op) {
  XlaI64List dims;
  uint32_t reduced = 0;
  if (!xlaOpGetList(op, "dimensions", &dims))
    return 0;
  for (int i = 0; i < dims.size; ++i)
    reduced |= UINT32_C(1) << dims.values[i];
  return reduced;
}

/// What is fused with what it moves.
static bool moves(XlaOpKind kind) {
  XlaOpMoves moves = xlaOpGetInfo(kind)->moves;
  return moves == XlaOpMovesView || moves == XlaOpMovesDynamicView ||
         moves == XlaOpMovesChoice;
}

/// Whether `op` reads elements as others of the same width, one by one.
static bool reinterprets(MlirOperation op, XlaOpKind kind) {
  XlaShape from, to;
  if (kind != XlaOpKindBitcastConvert ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from,
                        NULL) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &to,
                        NULL))
    return false;
  int bits = xlaElementTypeGetInfo(to.elementType)->bits;
  return bits >= 8 && from.elementType != XlaElementTypePred &&
         to.elementType != XlaElementTypePred &&
         xlaElementTypeGetInfo(from.elementType)->bits == bits;
}

enum { maxPieces = 64 }; // of a concatenation: they are code

static void describe(FuseNode *node, MlirOperation op) {
  node->op = op;
  node->kind = xlaOpGetKind(op);
  // Transcendental functions become polynomials.
  int cost = xlaOpGetInfo(node->kind)->cost;
  node->size = cost > XLA_OP_COSTLY ? cost : 1;
  node->cluster = node->next = node->nextEffect = -1;
  if (!mlirOperationGetNumResults(op) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)),
                        &node->shape, NULL))
    node->shape.rank = -1;
  if (node->kind == XlaOpKindInvalid) {
    node->effects = true;
    return;
  }
  const XlaOpInfo *info = xlaOpGetInfo(node->kind);
  node->elementwise =
      node->shape.rank >= 0 &&
      (info->family == XlaFamilyElementwise || reinterprets(op, node->kind));
  node->moves = moves(node->kind) && node->shape.rank >= 0 &&
                mlirOperationGetNumOperands(op) <= maxPieces;
  node->effects =
      !(info->traits & (MlirExtOpTraitPure | MlirExtOpTraitRecursiveEffects));
  if (node->kind == XlaOpKindReduce && node->shape.rank >= 0) {
    node->reducible = isReducible(op);
    node->reduced = reducedDimensions(op);
  }
  // Takes its elements in order: nothing but their producers is with it.
  if (node->kind == XlaOpKindAssociativeScan)
    node->reducible = isReducible(op);
  node->scatters = node->kind == XlaOpKindScatter && node->shape.rank >= 0 &&
                   isReducible(op);
  node->sorts = node->kind == XlaOpKindSort && node->shape.rank > 0 &&
                (!mlirOperationGetNumRegions(op) || isReducible(op));
}

/// A row source is passed on by elementwise operations of the same shape.
static void findRowSource(const FuseGraph *graph, int position) {
  FuseNode *node = &graph->nodes[position];
  if (node->reducible && node->reduced)
    node->rowSource = position + 1;
  if (!node->elementwise)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && graph->nodes[from].rowSource &&
        xlaShapeDimsEqual(&graph->nodes[from].shape, &node->shape)) {
      node->rowSource = graph->nodes[from].rowSource;
      return;
    }
  }
}

/// The operation of the graph's block that is or contains `op`.
static MlirOperation ancestor(const FuseGraph *graph, MlirOperation op) {
  while (!mlirBlockEqual(mlirOperationGetBlock(op), graph->block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// Counts the uses of a node's results, and writes them if `edges` is not NULL.
static int visitUses(const FuseGraph *graph, MlirOperation op,
                     FuseEdge *edges) {
  int count = 0;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, r));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      if (edges) {
        MlirOperation owner = mlirOpOperandGetOwner(use);
        MlirOperation user = ancestor(graph, owner);
        edges[count] =
            (FuseEdge){(int)xlaPointerMapGet(&graph->positions, user.ptr) - 1,
                       mlirOperationEqual(user, owner)
                           ? (int)mlirOpOperandGetOperandNumber(use)
                           : -1};
      }
      ++count;
    }
  return count;
}

static bool readEdges(FuseGraph *graph) {
  for (int i = 0; i < graph->nNodes; ++i) {
    graph->nodes[i].firstEdge = graph->nEdges;
    graph->nodes[i].nEdges = visitUses(graph, graph->nodes[i].op, NULL);
    graph->nEdges += graph->nodes[i].nEdges;
  }
  graph->edges = malloc(((size_t)graph->nEdges + 1) * sizeof *graph->edges);
  if (!graph->edges)
    return false;
  for (int i = 0; i < graph->nNodes; ++i)
    visitUses(graph, graph->nodes[i].op,
              graph->edges + graph->nodes[i].firstEdge);
  return true;
}

bool xlaFuseGraphCreate(FuseGraph *graph, MlirBlock block,
                        const XlaPointerMap *effects) {
  *graph = (FuseGraph){.block = block};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++graph->nNodes;
  size_t room = (size_t)graph->nNodes + 1;
  graph->nodes = calloc(room, sizeof *graph->nodes);
  graph->clusters = malloc(room * sizeof *graph->clusters);
  graph->connected = malloc(room * sizeof *graph->connected);
  if (!graph->nodes || !graph->clusters || !graph->connected)
    return false;
  for (int i = 0; i < graph->nNodes; ++i)
    graph->connected[i] = i;
  int position = 0, segment = 0, effect = -1;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    FuseNode *node = &graph->nodes[position];
    describe(node, op);
    segment += node->kind == XlaOpKindOptimizationBarrier;
    node->segment = segment;
    node->effects |= xlaPointerMapGet(effects, op.ptr) != 0;
    if (node->effects && effect >= 0)
      graph->nodes[effect].nextEffect = position;
    if (node->effects)
      effect = position;
    if (!xlaPointerMapSet(&graph->positions, op.ptr, ++position))
      return false;
    findRowSource(graph, position - 1);
  }
  return readEdges(graph);
}

void xlaFuseGraphDestroy(FuseGraph *graph) {
  for (int i = 0; i < graph->nNodes && graph->nodes; ++i)
    xlaIndexingMapRelease(graph->nodes[i].map);
  free(graph->nodes);
  free(graph->clusters);
  free(graph->connected);
  free(graph->edges);
  free(graph->apart);
  xlaPointerMapClear(&graph->positions);
}

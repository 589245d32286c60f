//===- fuse.c - Forming fusions -------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are visited from last to first, so that all users of one have
// their clusters before it gets its own. It joins the cluster of its users if
// that is one; what is free to compute is copied into several; and what several
// clusters or others use joins one as a further result where that makes no
// cycle. Clusters therefore never depend on each other in a circle, and nothing
// that costs work is computed twice.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse.h"
#include "xlac/dialect/ir.h"
#include "xlac/passes/enclose.h"
#include "xlac/passes/passes.h"

#include <stdlib.h>
#include <string.h>

enum {
  maxMembers = 256,       // of a cluster: compile time of one kernel
  maxSize = 1024,         // the same; larger code does not run faster
  maxUserClusters = 4,    // that are considered for merging
  searchBudget = 512,     // edges seen by one search for a cycle
  minRow = 32,            // elements, for row-shaped roots
  maxSingleRow = 1 << 16, // elements, where one row is all there is
};

int fuseClusterOf(const FuseGraph *graph, int node) {
  int cluster = graph->nodes[node].cluster;
  while (cluster >= 0 && graph->clusters[cluster].mergedInto >= 0)
    cluster = graph->clusters[cluster].mergedInto;
  return cluster;
}

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

typedef struct Search {
  FuseGraph *graph;
  int target; // cluster
  int budget;
  int *stack;
  int size;
} Search;

static void push(Search *search, int node) {
  FuseNode *n = &search->graph->nodes[node];
  if (n->mark == search->graph->mark)
    return;
  n->mark = search->graph->mark;
  search->stack[search->size++] = node;
}

static void pushMembers(Search *search, FuseCluster *cluster) {
  if (cluster->mark == search->graph->mark)
    return;
  cluster->mark = search->graph->mark;
  for (int m = cluster->head; m >= 0; m = search->graph->nodes[m].next)
    push(search, m);
}

/// Whether what `from` leads to includes the target cluster, or the budget does
/// not suffice to know. Searches with the same mark share what they have seen.
static bool reaches(Search *search, int from) {
  FuseGraph *graph = search->graph;
  int last = graph->clusters[search->target].last;
  search->size = 0;
  push(search, from);
  while (search->size) {
    int at = search->stack[--search->size];
    const FuseNode *node = &graph->nodes[at];
    int cluster = fuseClusterOf(graph, at);
    if (cluster == search->target)
      return true;
    if ((cluster >= 0 ? graph->clusters[cluster].first : at) > last)
      continue;
    if ((search->budget -= 1 + node->nEdges) < 0)
      return true;
    if (cluster >= 0)
      pushMembers(search, &graph->clusters[cluster]);
    if (node->nextEffect >= 0)
      push(search, node->nextEffect);
    for (int e = 0; e < node->nEdges; ++e)
      push(search, graph->edges[node->firstEdge + e].user);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Fitting into a cluster
//===----------------------------------------------------------------------===//

static int64_t elementsOf(const int64_t *dims, int rank) {
  int64_t count = 1;
  for (int i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(count, dims[i], &count))
      return INT64_MAX;
  return count;
}

static const FuseCluster *clusterOf(const FuseGraph *graph, int cluster) {
  return &graph->clusters[cluster];
}

static bool isFull(const FuseCluster *cluster, const FuseNode *node) {
  return xlaShapeDimsEqual(&cluster->space, &node->shape);
}

/// Broadcasts along the trailing dimensions are repetition within a row.
static bool broadcastsRows(const FuseCluster *cluster, const FuseNode *node) {
  XlaI64List dims;
  if (!isFull(cluster, node) ||
      !xlaOpGetList(node->op, "broadcast_dimensions", &dims))
    return false;
  for (int i = 0; i < dims.size; ++i)
    if (dims.values[i] != i)
      return false;
  return dims.size == cluster->space.rank - cluster->trailing;
}

static void inputShape(const FuseNode *node, XlaShape *shape) {
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(node->op, 0)),
                   shape, NULL);
}

/// Whether members may take operand `edge.operand` from inside.
static bool isInnerEdge(const FuseGraph *graph, const FuseCluster *cluster,
                        FuseEdge edge, bool rowShaped) {
  const FuseNode *user = &graph->nodes[edge.user];
  if (edge.operand < 0)
    return false;
  if (user->elementwise) {
    XlaShape shape;
    return xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(
                                user->op, edge.operand)),
                            &shape, NULL) &&
           xlaShapeDimsEqual(&shape, &user->shape) &&
           isFull(cluster, user) == !rowShaped;
  }
  if (user->reducible)
    return !rowShaped &&
           edge.operand < mlirOperationGetNumOperands(user->op) / 2;
  return user->kind == XlaOpKindBroadcastInDim && rowShaped &&
         broadcastsRows(cluster, user);
}

static bool edgesFit(const FuseGraph *graph, int position, int cluster,
                     const FuseCluster *as, bool rowShaped) {
  const FuseNode *node = &graph->nodes[position];
  for (int e = 0; e < node->nEdges; ++e) {
    FuseEdge edge = graph->edges[node->firstEdge + e];
    if (fuseClusterOf(graph, edge.user) == cluster &&
        !isInnerEdge(graph, as, edge, rowShaped))
      return false;
  }
  return true;
}

/// One row that is everything runs on one thread.
static bool rowsAreWorthIt(const XlaShape *space, int trailing) {
  int64_t rows = elementsOf(space->dims, space->rank - trailing);
  return rows > 1 || elementsOf(space->dims, space->rank) <= maxSingleRow;
}

/// A cluster of row-shaped members becomes one over whole rows.
static bool canWiden(const FuseCluster *cluster, const XlaShape *space,
                     int trailing) {
  return !cluster->trailing && !cluster->closed && !cluster->transposed &&
         fuseIsRowShape(space, trailing, &cluster->space) &&
         elementsOf(space->dims + cluster->space.rank, trailing) >= minRow &&
         cluster->space.rank > 0;
}

/// Whether a reduction fits; `as` gets the cluster as it is then.
static bool reductionFits(const FuseNode *node, FuseCluster *as) {
  XlaShape input;
  inputShape(node, &input);
  if (!node->trailing || as->closed || as->transposed || as->contraction ||
      as->gathers || !rowsAreWorthIt(&input, node->trailing))
    return false;
  bool full = xlaShapeDimsEqual(&as->space, &input) &&
              (!as->trailing || as->trailing == node->trailing);
  if (!full && !canWiden(as, &input, node->trailing))
    return false;
  as->space = input;
  as->trailing = node->trailing;
  ++as->nReductions;
  return true;
}

static bool othersFit(const FuseGraph *graph, const FuseNode *node,
                      FuseCluster *as, bool *rowShaped) {
  *rowShaped = false;
  if (node->kind == XlaOpKindDotGeneral) {
    if (!isFull(as, node) || as->trailing || as->closed || as->contraction ||
        as->gathers)
      return false;
    return as->contraction = true;
  }
  if (node->kind == XlaOpKindGather) {
    if (!isFull(as, node) || as->trailing || as->closed || as->contraction ||
        as->transposed || as->size > as->nMembers)
      return false;
    return as->gathers = true;
  }
  if (isFull(as, node)) {
    if (node->kind == XlaOpKindTranspose && as->gathers)
      return false;
    if (node->kind == XlaOpKindTranspose && (as->trailing || as->closed))
      return false;
    as->transposed |= node->kind == XlaOpKindTranspose;
    return true;
  }
  *rowShaped = true;
  if (node->kind == XlaOpKindTranspose || as->closed)
    return false;
  if (as->trailing)
    return fuseIsRowShape(&as->space, as->trailing, &node->shape);
  if (!node->rowSource || as->transposed || as->contraction || as->gathers)
    return false;
  // A reduction that comes later in this walk will follow it.
  const FuseNode *source = &graph->nodes[node->rowSource - 1];
  XlaShape input;
  inputShape(source, &input);
  if (!xlaShapeDimsEqual(&input, &as->space) ||
      !rowsAreWorthIt(&input, source->trailing))
    return false;
  as->trailing = source->trailing;
  return true;
}

/// Whether node `position` can be a member of `cluster`, which is then `as`.
static bool fits(const FuseGraph *graph, int position, int cluster,
                 FuseCluster *as) {
  const FuseNode *node = &graph->nodes[position];
  bool rowShaped = true;
  *as = graph->clusters[cluster];
  if (as->nMembers >= maxMembers || as->size + node->size > maxSize ||
      as->segment != node->segment || (as->gathers && node->size > 1))
    return false;
  if (node->reducible ? !reductionFits(node, as)
                      : !othersFit(graph, node, as, &rowShaped))
    return false;
  return edgesFit(graph, position, cluster, as, rowShaped);
}

bool fuseTakesCopy(const FuseGraph *graph, const FuseCluster *cluster,
                   MlirValue value) {
  XlaShape shape;
  int position = fuseDefiningNode(graph, value);
  bool splat = !mlirValueIsABlockArgument(value) &&
               fuseIsSplat(mlirOpResultGetOwner(value));
  if ((!splat && (position < 0 || !graph->nodes[position].copied)) ||
      !xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    return false;
  // Scalars: initial values of reductions.
  return xlaShapeDimsEqual(&cluster->space, &shape) || (splat && !shape.rank) ||
         (cluster->trailing &&
          fuseIsRowShape(&cluster->space, cluster->trailing, &shape));
}

//===----------------------------------------------------------------------===//
// Membership
//===----------------------------------------------------------------------===//

static void join(FuseGraph *graph, int position, int cluster,
                 const FuseCluster *as) {
  FuseCluster *c = &graph->clusters[cluster];
  *c = *as;
  graph->nodes[position].cluster = cluster;
  graph->nodes[position].next = c->head; // positions fall: keeps their order
  c->head = c->first = position;
  c->size += graph->nodes[position].size;
  ++c->nMembers;
}

static void found(FuseGraph *graph, int position) {
  FuseNode *node = &graph->nodes[position];
  FuseCluster *c = &graph->clusters[graph->nClusters];
  *c = (FuseCluster){.space = node->shape,
                     .segment = node->segment,
                     .first = position,
                     .last = position,
                     .head = position,
                     .nMembers = 1,
                     .size = node->size,
                     .mergedInto = -1};
  if (node->reducible) {
    inputShape(node, &c->space);
    c->nReductions = 1;
    c->trailing = node->trailing;
    c->closed = !c->trailing || !rowsAreWorthIt(&c->space, c->trailing);
    if (c->closed)
      c->trailing = 0;
  }
  node->cluster = graph->nClusters++;
}

/// Appends the members of `from`, in the order of positions.
static void merge(FuseGraph *graph, int into, int from) {
  FuseCluster *a = &graph->clusters[into], *b = &graph->clusters[from];
  int *link = &a->head, i = a->head, j = b->head;
  while (i >= 0 || j >= 0) {
    int *least = j < 0 || (i >= 0 && i < j) ? &i : &j;
    *link = *least;
    link = &graph->nodes[*least].next;
    a->last = *least;
    *least = graph->nodes[*least].next;
  }
  *link = -1;
  a->first = a->head;
  a->nMembers += b->nMembers;
  a->size += b->size;
  a->nReductions += b->nReductions;
  a->transposed |= b->transposed;
  a->gathers |= b->gathers;
  b->mergedInto = into;
}

typedef struct Users {
  int clusters[maxUserClusters]; // distinct
  int nClusters;
  bool outside; // others, or more clusters than there is room for
} Users;

static Users usersOf(const FuseGraph *graph, const FuseNode *node) {
  Users users = {.nClusters = 0};
  for (int e = 0; e < node->nEdges; ++e) {
    int c = fuseClusterOf(graph, graph->edges[node->firstEdge + e].user);
    int i = 0;
    while (i < users.nClusters && users.clusters[i] != c)
      ++i;
    if (c < 0 || i == maxUserClusters)
      users.outside = true;
    else if (i == users.nClusters)
      users.clusters[users.nClusters++] = c;
  }
  return users;
}

/// Whether another user of the node leads to `cluster`, so that making the node
/// a member would close a cycle.
static bool closesCycle(FuseGraph *graph, Search *search, const FuseNode *node,
                        int cluster) {
  ++graph->mark;
  search->target = cluster;
  search->budget = searchBudget;
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    if (fuseClusterOf(graph, user) != cluster && reaches(search, user))
      return true;
  }
  return false;
}

/// Bodies with loads at computed places are those of scalars, in which what is
/// costly takes longer than the memory that fusing saves.
static bool canMergeGathers(const FuseCluster *a, const FuseCluster *b) {
  return !a->gathers || (!b->transposed && b->size == b->nMembers);
}

static bool canMerge(const FuseGraph *graph, int a, int b) {
  const FuseCluster *x = clusterOf(graph, a), *y = clusterOf(graph, b);
  return xlaShapeDimsEqual(&x->space, &y->space) && !x->closed && !y->closed &&
         !x->contraction && !y->contraction && x->trailing == y->trailing &&
         canMergeGathers(x, y) && canMergeGathers(y, x) &&
         x->segment == y->segment && x->size + y->size <= maxSize &&
         x->nMembers + y->nMembers <= maxMembers;
}

/// Joins the clusters of users as a further result: those that no other user
/// leads to, which are therefore independent of each other and become one.
static bool joinAsResult(FuseGraph *graph, Search *search, int position,
                         const Users *users) {
  const FuseNode *node = &graph->nodes[position];
  FuseCluster as;
  int into = -1;
  for (int i = 0; i < users->nClusters; ++i) {
    int cluster = users->clusters[i];
    if (!fits(graph, position, cluster, &as) || as.closed ||
        closesCycle(graph, search, node, cluster))
      continue;
    if (into < 0)
      into = cluster;
    else if (canMerge(graph, into, cluster))
      merge(graph, into, cluster);
  }
  if (into < 0 || !fits(graph, position, into, &as))
    return false;
  join(graph, position, into, &as);
  return true;
}

/// What costs no more than reading its result.
static bool isFree(const FuseNode *node) {
  if (node->kind == XlaOpKindBroadcastInDim || node->kind == XlaOpKindIota)
    return true;
  if (node->kind != XlaOpKindConvert)
    return false;
  XlaShape from;
  inputShape(node, &from);
  return xlaElementTypeGetInfo(from.elementType)->bits <=
         xlaElementTypeGetInfo(node->shape.elementType)->bits;
}

static void assign(FuseGraph *graph, Search *search, int position) {
  FuseNode *node = &graph->nodes[position];
  FuseCluster as;
  bool root = (node->elementwise || node->reducible) && !node->effects;
  bool epilogue = graph->epilogues && node->kind == XlaOpKindDotGeneral;
  if (!root && !epilogue && node->kind != XlaOpKindBroadcastInDim &&
      node->kind != XlaOpKindIota && node->kind != XlaOpKindTranspose &&
      node->kind != XlaOpKindGather)
    return;
  if (!node->nEdges || node->shape.rank < 0)
    return;
  Users users = usersOf(graph, node);
  if (!users.outside && users.nClusters == 1 &&
      fits(graph, position, users.clusters[0], &as)) {
    join(graph, position, users.clusters[0], &as);
    return;
  }
  if (isFree(node) && !(users.outside && root) && users.nClusters) {
    node->copied = true;
    return;
  }
  if (root && !joinAsResult(graph, search, position, &users))
    found(graph, position);
}

typedef struct Walk {
  XlaPointerMap effects; // operations with regions that have effects
  bool epilogues, failed;
} Walk;

static bool fuseBlock(MlirBlock block, const Walk *walk) {
  FuseGraph graph;
  // The last operation may be one that MLIR does not know.
  if (mlirOperationIsNull(mlirBlockGetTerminator(block)))
    return true;
  Search search = {.graph = &graph};
  bool done = fuseGraphCreate(&graph, block, &walk->effects);
  graph.epilogues = walk->epilogues;
  search.stack =
      done ? malloc(((size_t)graph.nNodes + 1) * sizeof *search.stack) : NULL;
  if (search.stack) {
    for (int i = graph.nNodes - 1; i >= 0; --i)
      assign(&graph, &search, i);
    done = fuseBuild(&graph);
  }
  done &= search.stack != NULL;
  free(search.stack);
  fuseGraphDestroy(&graph);
  return done;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Functions and control flow; other regions are computations on scalars.
static bool hasProgram(MlirOperation op, XlaOpKind kind) {
  return kind == XlaOpKindInvalid
             ? xlaIrIsOp(op, "func.func")
             : !strcmp(xlaOpGetInfo(kind)->family, "ControlFlow");
}

static bool hasEffects(const Walk *walk, MlirOperation op, XlaOpKind kind) {
  const unsigned none = MlirExtOpTraitPure | MlirExtOpTraitRecursiveEffects;
  return kind == XlaOpKindInvalid || !(xlaOpGetInfo(kind)->traits & none) ||
         xlaPointerMapGet(&walk->effects, op.ptr);
}

/// Inner operations come first, so that the effects of what contains them are
/// known.
static MlirWalkResult visit(MlirOperation op, void *data) {
  Walk *walk = data;
  XlaOpKind kind = xlaOpGetKind(op);
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (!mlirOperationIsNull(parent) && hasEffects(walk, op, kind))
    walk->failed |= !xlaPointerMapSet(&walk->effects, parent.ptr, 1);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         hasProgram(op, kind) && !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      walk->failed |= !fuseBlock(block, walk);
  return walk->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// `userData` may point to a bool in place of the option.
MlirLogicalResult xlaPassFuse(MlirOperation module,
                              MlirExtPassOptionValues options, void *userData) {
  const bool *given = userData;
  Walk walk = {.epilogues =
                   given ? *given : mlirExtPassOptionGetBool(options, 0)};
  mlirOperationWalk(module, visit, &walk, MlirWalkPostOrder);
  xlaPointerMapClear(&walk.effects);
  return walk.failed ? xlaOpError(module, NULL,
                                  "could not be fused: no memory, or "
                                  "fusions that wait for each other")
                     : xlaEncloseReductions(module);
}

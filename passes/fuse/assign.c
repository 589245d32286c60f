//===- assign.c - Operations get their kernels ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are visited from last to first, so that all users of one have
// their clusters before it gets its own. It joins the cluster of its users if
// that is one; what is free to compute is copied into several; and what several
// clusters or others use joins one as a further result where that makes no
// cycle.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/fit.h"

enum {
  maxUserClusters = 16, // that are considered for merging
};

int xlaFuseClusterOf(const FuseGraph *graph, int node) {
  int cluster = graph->nodes[node].cluster;
  while (cluster >= 0 && graph->clusters[cluster].mergedInto >= 0)
    cluster = graph->clusters[cluster].mergedInto;
  return cluster;
}

bool xlaFuseIsAlone(const FuseGraph *graph, int node) {
  int cluster = xlaFuseClusterOf(graph, node);
  return cluster >= 0 && graph->nodes[node].moves &&
         graph->clusters[cluster].nMembers == 1;
}

static void join(FuseGraph *graph, int position, int cluster,
                 const FuseFit *fit) {
  FuseCluster *c = &graph->clusters[cluster];
  *c = fit->as;
  graph->nodes[position].map = fit->map;
  graph->nodes[position].place = fit->place;
  graph->nodes[position].cluster = cluster;
  graph->nodes[position].next = c->head; // positions fall: keeps their order
  c->head = c->first = position;
  xlaFuseConnect(graph, c);
  c->size += graph->nodes[position].size;
  ++c->nMembers;
}

static void found(FuseGraph *graph, int position) {
  graph->clusters[graph->nClusters] = xlaFuseFound(graph, position);
  graph->nodes[position].cluster = graph->nClusters++;
}

typedef struct Users {
  int clusters[maxUserClusters]; // distinct
  int nClusters;
  bool outside; // others, or more clusters than there is room for
  bool copies;  // what clusters compute for themselves
  int budget;   // of copies that are seen, far from the node
} Users;

static void addUsers(const FuseGraph *graph, const FuseNode *node, int depth,
                     Users *users) {
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    int c = xlaFuseClusterOf(graph, user), i = 0;
    if (xlaFuseScatterReads(graph, graph->edges[node->firstEdge + e])) {
      users->outside = true;
      continue;
    }
    bool isNear = depth > fuseMaxCopyDepth - 3;
    if (graph->nodes[user].copied && depth && (isNear || users->budget-- > 0)) {
      users->copies = true;
      addUsers(graph, &graph->nodes[user], depth - 1, users);
      continue;
    }
    while (i < users->nClusters && users->clusters[i] != c)
      ++i;
    if (c < 0 || i == maxUserClusters)
      users->outside = true;
    else if (i == users->nClusters)
      users->clusters[users->nClusters++] = c;
  }
}

/// What uses it, or what is computed from it by each that uses that.
static Users usersOf(const FuseGraph *graph, const FuseNode *node) {
  Users users = {.budget = 64};
  addUsers(graph, node, fuseMaxCopyDepth, &users);
  return users;
}

/// Whether another user of the node leads to `cluster`, so that making the node
/// a member would close a cycle.
static bool closesCycle(FuseGraph *graph, FuseSearch *search,
                        const FuseNode *node, int cluster) {
  ++graph->mark;
  search->target = cluster;
  search->budget = fuseSearchBudget;
  for (int e = 0; e < node->nEdges; ++e) {
    int user = graph->edges[node->firstEdge + e].user;
    if (xlaFuseClusterOf(graph, user) != cluster &&
        xlaFuseReaches(search, user))
      return true;
  }
  return false;
}

/// Joins the clusters of users as a further result: those that no other user
/// leads to, which are therefore independent of each other and become one.
static FuseReason joinAsResult(FuseGraph *graph, FuseSearch *search,
                               int position, const Users *users) {
  const FuseNode *node = &graph->nodes[position];
  FuseFit fit;
  FuseReason reason =
      users->outside ? FuseReasonUser : FuseReasonUsers; // if there is no other
  int into = -1;
  for (int i = 0; i < users->nClusters; ++i) {
    int cluster = users->clusters[i];
    FuseReason why = xlaFuseFit(graph, position, cluster, true, &fit);
    if (why == FuseReasonFused && fit.as.closed)
      why = FuseReasonRows;
    if (why == FuseReasonFused && closesCycle(graph, search, node, cluster))
      why = FuseReasonCycle;
    if (why != FuseReasonFused)
      reason = why;
    else if (into < 0)
      into = cluster;
    else if (xlaFuseMergeFits(graph, &graph->clusters[into],
                              &graph->clusters[cluster]) == FuseReasonFused)
      xlaFuseMerge(graph, into, cluster);
  }
  if (into < 0)
    return reason;
  reason = xlaFuseFit(graph, position, into, true, &fit);
  if (reason == FuseReasonFused)
    join(graph, position, into, &fit);
  return reason;
}

/// What is a view of memory by itself does not.
bool xlaFuseCanFound(const FuseNode *node) {
  return !node->effects && node->kind != XlaOpKindBitcastConvert &&
         (node->elementwise || node->reducible ||
          node->kind == XlaOpKindDynamicUpdateSlice ||
          (node->moves && node->kind != XlaOpKindReshape &&
           node->kind != XlaOpKindBroadcastInDim));
}

/// Whether an operation takes what it works on from memory in any case.
static bool readsMemory(const FuseGraph *graph, const FuseNode *node) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && xlaFuseCanFound(&graph->nodes[from]))
      return false;
  }
  return true;
}

/// Whether a reshape shows one element, or a column of an array as a vector:
/// no view of memory, since what it is of is a part.
static bool isPartReshaped(const FuseGraph *graph, const FuseNode *node) {
  int part = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, 0));
  return xlaFuseElements(node->shape.dims, node->shape.rank) == 1 ||
         (part >= 0 && graph->nodes[part].kind == XlaOpKindSlice &&
          xlaFuseKeepsDims(node));
}

/// What costs no more than reading its result: where it is cheap, and what it
/// reads is no larger than that.
static bool isFree(const FuseGraph *graph, const FuseNode *node) {
  if (node->kind == XlaOpKindBroadcastInDim || node->kind == XlaOpKindIota ||
      node->kind == XlaOpKindSlice || node->kind == XlaOpKindDynamicSlice ||
      (node->kind == XlaOpKindReshape && isPartReshaped(graph, node)))
    return true;
  if (!node->elementwise || xlaOpGetInfo(node->kind)->cost > 1)
    return false;
  XlaShape from;
  xlaFuseInputShape(node, &from);
  return xlaElementTypeGetInfo(from.elementType)->bits <=
             xlaElementTypeGetInfo(node->shape.elementType)->bits &&
         (node->kind == XlaOpKindConvert ||
          (xlaFuseCountArrays(graph, node) < 2 && readsMemory(graph, node)));
}

static bool isStart(XlaOpKind kind, int operand) {
  return (kind == XlaOpKindDynamicSlice && operand >= 1) ||
         (kind == XlaOpKindDynamicUpdateSlice && operand >= 2);
}

/// Of a cheap scalar that says no more than where dynamic slices start, of
/// itself or by others, the longest way there; else 0. Each kernel that has one
/// of these computes it once, in less time than it takes to start another.
static int waysToStart(const FuseGraph *graph, const FuseNode *node) {
  int longest = 1;
  if (!node->elementwise || node->shape.rank ||
      xlaOpGetInfo(node->kind)->cost > 1)
    return 0;
  for (int e = 0; e < node->nEdges; ++e) {
    FuseEdge edge = graph->edges[node->firstEdge + e];
    const FuseNode *user = &graph->nodes[edge.user];
    int way = isStart(user->kind, edge.operand) ? 1
              : user->starts                    ? user->starts + 1
                                                : 0;
    if (!way)
      return 0;
    longest = way > longest ? way : longest;
  }
  return longest <= fuseMaxCopyDepth - 2 ? longest : 0;
}

/// Whether what a node is computed from goes wherever it does: one array of
/// memory, and what is free.
static bool leadsFromMemory(const FuseGraph *graph, const FuseNode *node) {
  if (xlaFuseCountArrays(graph, node) > 1)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(node->op); ++i) {
    int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, i));
    if (from >= 0 && xlaFuseCanFound(&graph->nodes[from]) &&
        (graph->nodes[from].nEdges > 1 || !isFree(graph, &graph->nodes[from])))
      return false;
  }
  return true;
}

/// Whether several kernels that cannot be one compute the node in less time
/// than one of them writes it for the others: they read one array in any case.
static bool isQuickerAgain(const FuseGraph *graph, const FuseNode *node,
                           const Users *users) {
  const XlaFusionDevice *device = graph->device;
  if (!device->runsAtOnce || !node->elementwise || users->outside ||
      users->copies || users->nClusters < 2 || !leadsFromMemory(graph, node))
    return false;
  for (int i = 0; i < users->nClusters; ++i) {
    const FuseCluster *c = &graph->clusters[users->clusters[i]];
    if (c->contraction || c->awaitsDot || c->gathers || c->mapped ||
        c->pieces || c->transposed || c->update ||
        c->segment != node->segment || c->size + node->size > fuseMaxSize / 4 ||
        !xlaShapeDimsEqual(&c->space, &node->shape))
      return false;
  }
  double elements = (double)xlaFuseElements(node->shape.dims, node->shape.rank);
  double bytes = xlaElementTypeGetInfo(node->shape.elementType)->bytes;
  double again = (users->nClusters - 1) * elements * device->perOp *
                 xlaOpGetInfo(node->kind)->cost;
  // What functions take is told roughly: only where it is far less.
  return 4 * again <=
         device->perKernel + 2 * elements * bytes * device->perByte;
}

/// Whether it repeats what no other operation needs, so that a kernel may
/// compute that and write it as often.
static bool repeatsComputed(const FuseGraph *graph, const FuseNode *node) {
  if (node->kind != XlaOpKindBroadcastInDim)
    return false;
  int from = xlaFuseDefiningNode(graph, mlirOperationGetOperand(node->op, 0));
  return from >= 0 && xlaFuseCanFound(&graph->nodes[from]) &&
         graph->nodes[from].nEdges == 1;
}

/// At how many places a cluster is to compute the node for itself, or 0, and
/// whether it could at places that include all of the space.
static int64_t copiesOf(const FuseGraph *graph, int position, int cluster,
                        bool *couldFull) {
  int64_t copies = xlaFuseCopies(graph, position, cluster, couldFull);
  *couldFull = *couldFull && copies;
  return *couldFull && !graph->copiesFull ? 0 : copies;
}

FuseReason xlaFuseAssign(FuseSearch *search, int position) {
  FuseGraph *graph = search->graph;
  FuseNode *node = &graph->nodes[position];
  FuseFit fit;
  bool couldFull;
  bool root = xlaFuseCanFound(node) || node->scatters || node->sorts;
  bool product = graph->epilogues && node->kind == XlaOpKindDotGeneral;
  if ((!root && !product && !node->elementwise && !node->moves &&
       node->kind != XlaOpKindIota && node->kind != XlaOpKindGather) ||
      !node->nEdges || node->shape.rank < 0)
    return FuseReasonKind;
  Users users = usersOf(graph, node);
  FuseReason reason = users.outside ? FuseReasonUser : FuseReasonUsers;
  if (!users.outside && !users.copies && users.nClusters == 1) {
    reason = xlaFuseFit(graph, position, users.clusters[0], false, &fit);
    if (reason == FuseReasonFused) {
      join(graph, position, users.clusters[0], &fit);
      return reason;
    }
  }
  node->starts = users.outside ? 0 : waysToStart(graph, node);
  if (node->starts) {
    node->copied = true;
    return FuseReasonCopied;
  }
  if (isFree(graph, node) && !(users.outside && root && !node->moves) &&
      !(root && !node->moves && xlaFuseFeedsProduct(graph, position)) &&
      users.nClusters) {
    if (!users.outside && users.nClusters == 1)
      node->copies = copiesOf(graph, position, users.clusters[0], &couldFull);
    node->copied = true;
    return FuseReasonCopied;
  }
  if (!users.outside && users.nClusters == 1 &&
      (users.copies || reason == FuseReasonPlaces)) {
    node->copies = copiesOf(graph, position, users.clusters[0], &couldFull);
    graph->nCopiedFull += couldFull;
  }
  if (node->copies) {
    node->copied = true;
    return FuseReasonCopied;
  }
  FuseReason further = root && !users.copies
                           ? joinAsResult(graph, search, position, &users)
                           : reason;
  if (further != FuseReasonFused && isQuickerAgain(graph, node, &users)) {
    node->copied = true;
    return FuseReasonCopied;
  }
  if ((root || product || node->kind == XlaOpKindGather ||
       repeatsComputed(graph, node)) &&
      further != FuseReasonFused)
    found(graph, position);
  bool isOne = !users.outside && !users.copies && users.nClusters == 1;
  return isOne && further != FuseReasonFused ? reason : further;
}

void xlaFusePutOutReshapes(FuseGraph *graph) {
  for (int c = 0; c < graph->nClusters; ++c) {
    FuseCluster *cluster = &graph->clusters[c];
    for (int *link = &cluster->head; cluster->mergedInto < 0 && *link >= 0;) {
      FuseNode *node = &graph->nodes[*link];
      MlirValue operand = mlirOperationGetOperand(node->op, 0);
      int from = node->kind == XlaOpKindReshape
                     ? xlaFuseDefiningNode(graph, operand)
                     : 0;
      bool isView = node->kind == XlaOpKindReshape &&
                    (from < 0 || xlaFuseClusterOf(graph, from) != c) &&
                    !xlaFuseTakes(graph, cluster, (FuseEdge){*link, 0});
      if (isView) {
        *link = node->next;
        node->cluster = node->next = -1;
        --cluster->nMembers;
      } else {
        cluster->last = *link;
        link = &node->next;
      }
    }
    cluster->first = cluster->head;
  }
}

/// Appends a node to a cluster that may have earlier members.
static void joinInOrder(FuseGraph *graph, int position, int cluster,
                        const FuseFit *fit) {
  FuseCluster *c = &graph->clusters[cluster];
  int head = c->head, last = -1;
  for (int m = head; m >= 0 && m < position; m = graph->nodes[m].next)
    last = m;
  join(graph, position, cluster, fit);
  if (last < 0)
    return;
  graph->nodes[position].next = graph->nodes[last].next;
  graph->nodes[last].next = position;
  c->head = c->first = head;
}

void xlaFuseJoinReaders(FuseGraph *graph) {
  graph->formed = true;
  for (int i = graph->nNodes - 1; i >= 0; --i) {
    FuseNode *node = &graph->nodes[i];
    FuseFit fit;
    int alone = xlaFuseClusterOf(graph, i);
    if (!node->moves || node->copied || !node->nEdges ||
        (alone >= 0 && !xlaFuseIsAlone(graph, i)))
      continue;
    Users users = usersOf(graph, node);
    if (users.outside || users.copies || users.nClusters != 1)
      continue;
    const FuseCluster *reader = &graph->clusters[users.clusters[0]];
    if (!reader->contraction && !reader->gathers)
      continue;
    FuseReason reason = xlaFuseFit(graph, i, users.clusters[0], false, &fit);
    if (alone < 0 || reason == FuseReasonFused)
      node->reason = reason;
    if (reason != FuseReasonFused)
      continue;
    if (alone >= 0)
      graph->clusters[alone].head = -1;
    joinInOrder(graph, i, users.clusters[0], &fit);
  }
}

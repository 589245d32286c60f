//===- report_words.c - Reasons in words ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/fuse/report.h"

#include <stdio.h>
#include <string.h>

static bool isKind(MlirOperation kernel, const char *kind) {
  return xlaOpGetKind(kernel) == XlaOpKindFusion &&
         xlaOpAttrIs(kernel, "kind", kind);
}

static bool hasProduct(MlirOperation kernel) {
  XlaOpKind kind = xlaOpGetKind(kernel);
  return kind == XlaOpKindDotGeneral || kind == XlaOpKindDot ||
         isKind(kernel, "contraction");
}

static bool hasRows(MlirOperation kernel) {
  XlaOpKind kind = xlaOpGetKind(kernel);
  return kind == XlaOpKindReduce || kind == XlaOpKindAssociativeScan ||
         isKind(kernel, "row") || isKind(kernel, "reduce");
}

static const char *nameOf(const FuseNode *node) {
  return node->kind == XlaOpKindInvalid ? "an operation"
                                        : xlaOpGetInfo(node->kind)->name;
}

/// What an array is computed by, as an operand of a product sees it; null: by
/// what it could compute itself.
static const char *originOf(MlirOperation kernel, const FuseNode *node) {
  return hasProduct(kernel)            ? "of a product"
         : isKind(kernel, "attention") ? "of attention"
         : hasRows(kernel)             ? "of reductions"
         : isKind(kernel, "loop") || node->elementwise || node->moves
             ? NULL
             : "of a kernel that is more than arithmetic";
}

/// What it would take to compute the operand where the product loads it. False
/// if that cannot be.
static bool productTimes(const FuseGraph *graph, const FuseWhy *why,
                         FuseTimes *times) {
  const FuseNode *user = &graph->nodes[why->user];
  MlirOperation op = graph->nodes[why->via >= 0 ? why->via : why->from].op;
  for (int side = 0; user->kind == XlaOpKindDotGeneral && side < 2; ++side) {
    MlirValue operand = mlirOperationGetOperand(user->op, side);
    if (mlirValueIsAOpResult(operand) &&
        mlirOperationEqual(mlirOpResultGetOwner(operand), op))
      return xlaFusePrologueTimes(graph, why->from, user->op, side, times);
  }
  return false;
}

static void ofOperand(const FuseGraph *graph, const FuseWhy *why,
                      MlirOperation writer, MlirOperation reader,
                      FuseParagraph *p) {
  const FuseNode *node = &graph->nodes[why->from];
  const char *origin = originOf(writer, node);
  const FuseNode *via = why->via >= 0 ? &graph->nodes[why->via] : NULL;
  FuseTimes times;
  *p->remedy = 0;
  if (isKind(reader, "attention") && node->kind == XlaOpKindSlice) {
    snprintf(p->obstacle, sizeof p->obstacle,
             "attention loads its queries, keys and values as whole arrays; "
             "this copies a part of one");
    snprintf(p->remedy, sizeof p->remedy,
             "compute each by a product of its own, x @ wq, x @ wk, x @ wv");
  } else if (isKind(reader, "attention"))
    snprintf(p->obstacle, sizeof p->obstacle,
             "attention loads its queries, keys and values from memory, again "
             "for every tile of rows");
  else if (why->reason == FuseReasonPlaces)
    snprintf(p->obstacle, sizeof p->obstacle,
             "it is both operands of the product, which loads them at "
             "different places");
  else if (origin)
    snprintf(p->obstacle, sizeof p->obstacle,
             "a product computes an operand itself where that comes element by "
             "element from memory; this is a result %s",
             origin);
  else if (via && via->kind == XlaOpKindReshape)
    snprintf(p->obstacle, sizeof p->obstacle,
             "a product computes an operand itself in the operand's shape; "
             "reshape gives it another");
  else if (productTimes(graph, why, &times))
    snprintf(p->obstacle, sizeof p->obstacle,
             "a product loads each element of an operand once for every tile "
             "of the other: computing it as often would take %s, a kernel that "
             "writes it %s",
             FUSE_TIME(times.again), FUSE_TIME(times.memory));
  else
    snprintf(p->obstacle, sizeof p->obstacle,
             "a product loads each element of an operand once for every tile "
             "of the other: computing it as often would take longer");
}

/// Whether something in the kernel computes on what `moved` moves.
static bool isComputedOn(const FuseGraph *graph, const FuseNode *moved) {
  for (int e = 0; e < moved->nEdges; ++e)
    if (graph->nodes[graph->edges[moved->firstEdge + e].user].elementwise)
      return true;
  return false;
}

/// Of what kernels read to compute the same for themselves.
static void ofCopies(const FuseNode *copied, FuseParagraph *p) {
  *p->remedy = 0;
  snprintf(p->obstacle, sizeof p->obstacle,
           "several kernels use what %s makes of it, and compute that again "
           "instead of reading it",
           nameOf(copied));
}

/// Of what a product's kernel writes.
static void ofProduct(const FuseGraph *graph, const FuseWhy *why,
                      MlirOperation reader, FuseParagraph *p) {
  const FuseNode *user = &graph->nodes[why->user];
  const FuseNode *moved = why->via >= 0 ? &graph->nodes[why->via]
                          : user->moves ? user
                                        : NULL;
  *p->remedy = 0;
  if (moved && !moved->moves) {
    ofCopies(moved, p);
  } else if (moved) {
    snprintf(p->obstacle, sizeof p->obstacle,
             "a product's kernel has what follows element by element in the "
             "shape of its result; %s moves it first",
             nameOf(moved));
    if (isComputedOn(graph, moved))
      snprintf(p->remedy, sizeof p->remedy,
               "compute on it before the %s, in the product's shape",
               nameOf(moved));
  } else if (hasRows(reader)) {
    snprintf(p->obstacle, sizeof p->obstacle,
             "a product's kernel has no whole rows of its result, which the "
             "reductions of the other read");
  } else {
    snprintf(p->obstacle, sizeof p->obstacle,
             "a product's kernel has only what follows element by element in "
             "the shape of its result");
  }
  if (!graph->epilogues && user->elementwise)
    snprintf(p->remedy, sizeof p->remedy,
             "use --xla-fuse=contraction-epilogue=true");
}

static double elementsOf(const XlaShape *shape) {
  int64_t count = 0;
  if (shape->rank >= 0)
    xlaShapeGetElementCount(shape, &count);
  return (double)count;
}

static void ofRepetition(const FuseGraph *graph, const FuseNode *node,
                         const FuseNode *user, FuseParagraph *p) {
  double from = elementsOf(&node->shape), to = elementsOf(&user->shape);
  if (user->kind != XlaOpKindBroadcastInDim) {
    *p->remedy = 0;
    return;
  }
  FuseTimes times = xlaFuseRepetitionTimes(graph, node, (int64_t)to);
  snprintf(p->obstacle, sizeof p->obstacle,
           "each element would be computed %.0f times, where broadcast_in_dim "
           "repeats it: that takes %s, a kernel that writes it %s",
           from > 0 ? to / from : 0, FUSE_TIME(times.again),
           FUSE_TIME(times.memory));
}

/// How a kernel uses a node.
typedef struct Uses {
  const FuseNode *mover; ///< the first operation that moves its elements
  int nMovers;           ///< how many do
  bool isSame;           ///< all of these are of one kind
  bool asItIs;           ///< something reads it where it is computed, too
} Uses;

/// How the kernel of `user` does.
static Uses usesOf(const FuseGraph *graph, const FuseNode *node, int user) {
  Uses uses = {.isSame = true};
  int cluster = xlaFuseClusterOf(graph, user);
  for (int e = 0; e < node->nEdges; ++e) {
    int at = graph->edges[node->firstEdge + e].user;
    const FuseNode *n = &graph->nodes[at];
    if (at != user && (cluster < 0 || xlaFuseClusterOf(graph, at) != cluster))
      continue;
    uses.asItIs |= !n->moves;
    if (!n->moves)
      continue;
    if (!uses.nMovers++)
      uses.mover = n;
    uses.isSame &= n->kind == uses.mover->kind;
  }
  // What others read is written as it is.
  for (int e = 0; e < node->nEdges; ++e)
    uses.asItIs |=
        cluster >= 0 &&
        xlaFuseClusterOf(graph, graph->edges[node->firstEdge + e].user) !=
            cluster;
  return uses;
}

static void ofPlaces(const FuseGraph *graph, const FuseNode *node, int at,
                     FuseParagraph *p) {
  Uses uses = usesOf(graph, node, at);
  if (!node->elementwise)
    *p->remedy = 0;
  if (!uses.nMovers)
    return;
  const char *name = nameOf(uses.mover);
  char takes[64], take[64];
  snprintf(takes, sizeof takes, "%s takes", name);
  snprintf(take, sizeof take, "%s and others take", name);
  if (uses.nMovers == 1)
    snprintf(p->obstacle, sizeof p->obstacle,
             "it is needed at several places: as it is, and where %s takes it",
             name);
  else
    snprintf(p->obstacle, sizeof p->obstacle,
             "it is needed at several places: %swhere %s it (%d times)",
             uses.asItIs ? "as it is, and " : "", uses.isSame ? takes : take,
             uses.nMovers);
  if (node->elementwise && uses.nMovers == 1)
    snprintf(p->remedy, sizeof p->remedy,
             "apply %s to what it is computed from instead", name);
  else if (node->elementwise)
    snprintf(p->remedy, sizeof p->remedy,
             "apply these to what it is computed from instead");
}

static bool hasScan(MlirOperation kernel) {
  if (xlaOpGetKind(kernel) == XlaOpKindAssociativeScan)
    return true;
  if (!isKind(kernel, "reduce"))
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(kernel, 0));
  MlirOperation end = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    MlirValue value = mlirOperationGetOperand(end, i);
    if (mlirValueIsAOpResult(value) &&
        xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindAssociativeScan)
      return true;
  }
  return false;
}

static void ofRows(MlirOperation writer, MlirOperation reader,
                   FuseParagraph *p) {
  FuseWords words = xlaFuseReportWords(FuseReasonRows);
  snprintf(p->obstacle, sizeof p->obstacle, "%s", words.obstacle);
  snprintf(p->remedy, sizeof p->remedy, "%s", words.remedy);
  if (hasScan(writer) || hasScan(reader)) {
    *p->remedy = 0;
    snprintf(p->obstacle, sizeof p->obstacle,
             "associative_scan has what computes its elements in its kernel, "
             "and nothing else");
    return;
  }
  if (hasRows(writer) && hasRows(reader))
    return;
  *p->remedy = 0;
  snprintf(
      p->obstacle, sizeof p->obstacle,
      hasRows(writer)
          ? "the kernel that reads it does not go over the rows that are "
            "reduced here"
          : "the kernel that reads it goes over rows, in which this cannot "
            "be computed");
}

/// Whether what is read, for its own elements or repeated, comes of rows that
/// the kernel that reads it does not go over.
static bool areRowsApart(const FuseGraph *graph, const FuseWhy *why) {
  int from = xlaFuseClusterOf(graph, why->from);
  int to = xlaFuseClusterOf(graph, why->user);
  const FuseNode *via = why->via >= 0 ? &graph->nodes[why->via] : NULL;
  if (from < 0 || to < 0 ||
      (via && via->kind != XlaOpKindBroadcastInDim && !via->copied))
    return false;
  const FuseCluster *a = &graph->clusters[from], *b = &graph->clusters[to];
  return a->reduced && b->reduced && a->reduced != b->reduced;
}

/// The same of what a kernel reads, or repeats itself.
static bool isOfOtherRows(const FuseGraph *graph, const FuseWhy *why) {
  const FuseNode *node = &graph->nodes[why->from];
  bool isRepeated =
      why->reason == FuseReasonPlaces &&
      usesOf(graph, node, why->user).nMovers == 1 &&
      usesOf(graph, node, why->user).mover->kind == XlaOpKindBroadcastInDim;
  return (isRepeated || why->reason == FuseReasonUser ||
          why->reason == FuseReasonPlace) &&
         areRowsApart(graph, why);
}

/// Of what is read through a view. Simplification makes reshapes, of which the
/// program knows nothing: only the shape is told, if more than sizes of 1
/// differ. The view itself may be in a fusion by now.
static void ofShapes(const FuseGraph *graph, const FuseWhy *why,
                     MlirOperation writer, MlirOperation reader,
                     FuseParagraph *p) {
  const FuseNode *node = &graph->nodes[why->from];
  const FuseNode *via = &graph->nodes[why->via];
  *p->remedy = 0;
  if (via->kind != XlaOpKindReshape) {
    snprintf(p->obstacle, sizeof p->obstacle,
             "it is read through %s: the two kernels go over different shapes",
             nameOf(via));
  } else if (!xlaFuseHasSameDims(&node->shape, &via->shape)) {
    snprintf(p->obstacle, sizeof p->obstacle,
             "it is read as %s: the two kernels go over different shapes",
             XLA_SHAPE_TEXT(&via->shape));
  } else if (hasRows(writer) || hasRows(reader)) {
    ofRows(writer, reader, p);
  } else {
    snprintf(p->obstacle, sizeof p->obstacle,
             "%s takes this operand from memory",
             nameOf(&graph->nodes[why->user]));
  }
}

static bool isOfIndices(const FuseGraph *graph, const FuseWhy *why) {
  const FuseNode *via = &graph->nodes[why->via];
  if (graph->nodes[why->user].kind != XlaOpKindGather)
    return false;
  for (int e = 0; e < via->nEdges; ++e) {
    FuseEdge edge = graph->edges[via->firstEdge + e];
    if (edge.user == why->user && edge.operand == 1)
      return via->kind == XlaOpKindReshape;
  }
  return false;
}

/// Whether the reader, which needs an array as it is, also computes for itself
/// what moves its elements.
static bool isMovedForReader(const FuseGraph *graph, const FuseWhy *why) {
  const FuseNode *node = &graph->nodes[why->from];
  bool isMoved = false;
  for (int e = 0; e < node->nEdges; ++e) {
    const FuseNode *user =
        &graph->nodes[graph->edges[node->firstEdge + e].user];
    isMoved |= user->copied && user->moves && user->copies;
  }
  return isMoved && node->elementwise;
}

static void ofMoves(const FuseGraph *graph, const FuseNode *node,
                    FuseParagraph *p) {
  FuseWords words = xlaFuseReportWords(FuseReasonPlaces);
  int64_t places = (int64_t)elementsOf(&node->shape);
  for (int e = 0; e < node->nEdges; ++e) {
    const FuseNode *user =
        &graph->nodes[graph->edges[node->firstEdge + e].user];
    places += user->copied ? user->copies : 0;
  }
  FuseTimes times = xlaFuseRepetitionTimes(graph, node, places);
  if (times.again > times.memory)
    snprintf(p->obstacle, sizeof p->obstacle, "%s: that takes %s, not %s",
             words.obstacle, FUSE_TIME(times.again), FUSE_TIME(times.memory));
  else
    snprintf(p->obstacle, sizeof p->obstacle, "%s", words.obstacle);
  snprintf(p->remedy, sizeof p->remedy, "%s", words.remedy);
}

/// Why workgroups keep no tiles of it.
static void addTiles(const FuseNode *node, FuseParagraph *p) {
  size_t n = strlen(p->obstacle);
  if (node->tiled < 0)
    snprintf(p->obstacle + n, sizeof p->obstacle - n,
             "; no tile with what is around it fits into a workgroup");
  else if (node->tiled > 0)
    snprintf(p->obstacle + n, sizeof p->obstacle - n,
             "; tiles would compute %.1f times as much", node->tiled);
}

void xlaFuseReportExplain(const FuseGraph *graph, const FuseWhy *why,
                          MlirOperation writer, MlirOperation reader,
                          FuseParagraph *p) {
  const FuseNode *node = &graph->nodes[why->from];
  const FuseNode *user = &graph->nodes[why->user];
  FuseWords words = xlaFuseReportWords(why->reason);
  *p = (FuseParagraph){{0}, {0}};
  bool isGeneral = why->reason == FuseReasonBarrier ||
                   why->reason == FuseReasonSize ||
                   why->reason == FuseReasonCycle;
  snprintf(p->obstacle, sizeof p->obstacle, "%s", words.obstacle);
  snprintf(p->remedy, sizeof p->remedy, "%s", words.remedy ? words.remedy : "");
  if (isGeneral)
    return;
  if (why->reason == FuseReasonKind && !hasProduct(writer))
    snprintf(p->obstacle, sizeof p->obstacle,
             "%s is a kernel of its own, whatever uses it", nameOf(node));
  else if (user->kind == XlaOpKindDotGeneral || user->place == FusePlaceLhs ||
           user->place == FusePlaceRhs)
    ofOperand(graph, why, writer, reader, p);
  else if (hasProduct(writer))
    ofProduct(graph, why, reader, p);
  else if (why->via >= 0 && !graph->nodes[why->via].moves)
    ofCopies(&graph->nodes[why->via], p);
  else if (why->via >= 0 && areRowsApart(graph, why))
    ofRows(writer, reader, p);
  else if (why->via >= 0 && isOfIndices(graph, why))
    snprintf(p->obstacle, sizeof p->obstacle,
             "%s computes indices itself where that takes no longer: here it "
             "would for each %s, which is more than a kernel that writes them",
             nameOf(user), graph->device->runsAtOnce ? "element" : "row");
  else if (why->via >= 0)
    ofShapes(graph, why, writer, reader, p);
  else if (isOfOtherRows(graph, why))
    ofRows(writer, reader, p);
  else if (isMovedForReader(graph, why))
    ofMoves(graph, node, p);
  else if (why->reason == FuseReasonUser || why->reason == FuseReasonPlace)
    snprintf(p->obstacle, sizeof p->obstacle,
             "%s takes this operand from memory", nameOf(user));
  else if (why->reason == FuseReasonRecompute)
    ofRepetition(graph, node, user, p);
  else if (why->reason == FuseReasonRows)
    ofRows(writer, reader, p);
  else if (why->reason == FuseReasonGather && hasRows(reader))
    snprintf(p->obstacle, sizeof p->obstacle,
             "the kernel that reads it goes over its rows more than once, and "
             "would gather them each time, element by element");
  else if (why->reason == FuseReasonPlaces)
    ofPlaces(graph, node, why->user, p);
  else if (!node->elementwise)
    *p->remedy = 0;
  addTiles(node, p);
}

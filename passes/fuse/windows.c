//===- windows.c - Fusions that keep what they read at windows ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one cluster computes and another one reads at several places beside each
// other, as filters do one behind the other, would be computed again at each.
// Devices with memory of a thread's own keep rows of it while they go over
// blocks of rows of the result, with those around each block; those with memory
// of a workgroup's own keep tiles. Where what is around them is little the two
// become one cluster here.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/windows.h"
#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/indexing/steps.h"
#include "xlac/dialect/indexing/strided_read.h"
#include "xlac/dialect/indexing/uses.h"
#include "xlac/passes/fuse/fit.h"

#include <string.h>

static const double maxComputed = 2; // elements of a tile for each needed

enum {
  minRows = 8,          // of dimension 0
  minRow = 64,          // elements of one: loops over less take longer
  fewPlaces = 8,        // a part of the array: its edges may be anywhere
  perAround = 4,        // rows of a block for each around it
  minElements = 1 << 16 // of an array with blocks that have rows around them:
                        // less stays in cache, and has few blocks
};

/// What a cluster reads of another one.
typedef struct Window {
  FuseGraph *graph;
  int from, to;          ///< clusters; -1: not known yet
  int nKept;             ///< values
  const XlaShape *shape; ///< of the one at hand
  /// Elements along each dimension, from the reader's on.
  int64_t lower[XLA_MAX_RANK], upper[XLA_MAX_RANK];
} Window;

/// Whether a cluster is loops over its space, and no more.
static bool isLoops(const FuseCluster *c) {
  return !c->reduced && !c->closed && !c->transposed && !c->contraction &&
         !c->attention && !c->gathers && !c->toAll && !c->update &&
         !c->nReductions && !c->awaitsDot && c->space.rank > 0;
}

int64_t xlaWindowRowBytes(const XlaShape *shape) {
  int64_t bytes = xlaElementTypeGetInfo(shape->elementType)->bytes, all;
  return __builtin_mul_overflow(
             xlaFuseElements(shape->dims + 1, shape->rank - 1), bytes, &all)
             ? INT64_MAX
             : all;
}

/// `first`, then `second`; NULL is the map of each element to itself, or, of
/// the result, that there is no memory.
static XlaIndexingMap *through(const XlaIndexingMap *first,
                               const XlaIndexingMap *second) {
  if (!first)
    return xlaIndexingMapRetain(second);
  XlaIndexingMap *both = xlaIndexingMapCompose(first, second);
  XlaIndexingMap *simple =
      both ? xlaIndexingMapSimplify(both, XlaIndexingPointsKeep) : NULL;
  xlaIndexingMapRelease(both);
  return simple;
}

/// Adds what a map leads to along dimension `d`, seen from the first and the
/// last place of its domain, where the others are at `at`.
static bool addAlong(Window *window, const XlaIndexingMap *map,
                     const XlaShape *space, int d, int64_t *at) {
  const XlaInterval *domain = &xlaIndexingMapGetParts(map)->dims[d];
  int64_t results[XLA_MAX_RANK], offsets[2];
  for (int end = 2; end-- > 0;) {
    at[d] = end ? domain->upper : domain->lower;
    if (!xlaIndexingMapEvaluate(map, at, NULL, results))
      return false;
    offsets[end] = results[d] - at[d];
  }
  if (window->graph->device->tileBytes && offsets[0] == offsets[1] &&
      space->dims[d] == window->shape->dims[d])
    offsets[0] = offsets[1] = xlaWindowWrap(offsets[0], space->dims[d]);
  for (int end = 0; end < 2; ++end) {
    if (offsets[end] < window->lower[d])
      window->lower[d] = offsets[end];
    if (offsets[end] > window->upper[d])
      window->upper[d] = offsets[end];
  }
  return true;
}

/// Adds the elements that `map` leads to, seen from those it comes from: rows,
/// or in tiles along all dimensions. False if it is not known which these are.
/// Rows that are needed at some edges alone are computed there.
static bool addElements(Window *window, const XlaIndexingMap *map,
                        const XlaShape *space) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  bool isTiled = window->graph->device->tileBytes > 0;
  int64_t at[XLA_MAX_RANK], points = 1;
  if (xlaIndexingMapIsKnownEmpty(map))
    return true;
  if (parts->nRanges || parts->nRuntimes || !parts->nDims ||
      parts->nDims != space->rank || !xlaIndexingMapIsStrided(map) ||
      (isTiled && mlirAffineMapGetNumResults(parts->map) != parts->nDims))
    return false;
  for (intptr_t d = 0; d < parts->nDims; ++d) {
    at[d] = parts->dims[d].lower;
    if (__builtin_mul_overflow(
            points, parts->dims[d].upper - parts->dims[d].lower + 1, &points))
      return false;
  }
  if (!isTiled &&
      points <= xlaFuseElements(space->dims, space->rank) / fewPlaces)
    return true;
  for (int d = 0; d < (isTiled ? space->rank : 1); ++d)
    if (!addAlong(window, map, space, d, at))
      return false;
  return true;
}

/// Follows what is read by `edge`, where `on` leads from the user's elements,
/// through copies to the members of the cluster that need it.
static bool follow(Window *window, FuseEdge edge, const XlaIndexingMap *on,
                   int depth) {
  const FuseGraph *graph = window->graph;
  const FuseNode *user = &graph->nodes[edge.user];
  int cluster = xlaFuseClusterOf(graph, edge.user);
  XlaIndexingMaps maps = {0};
  XlaIndexingMap *map = NULL;
  if (!user->copied && cluster == window->from)
    return true; // a copy that it reads itself
  if (edge.operand < 0 || (user->copied ? !depth : cluster < 0) ||
      user->place ||
      (!user->copied && window->to >= 0 && cluster != window->to))
    return false;
  if (!user->copied)
    window->to = cluster;
  if (!user->moves && !user->elementwise)
    return false;
  bool isKnown = true;
  if (user->moves) {
    isKnown = xlaOpGetOperandMaps(user->op, 0, edge.operand, &maps) ==
                  XlaOpMapsKnown &&
              maps.n == 1;
    map = isKnown ? (on ? through(maps.maps[0], on)
                        : xlaIndexingMapRetain(maps.maps[0]))
                  : NULL;
    isKnown = map != NULL;
  } else if (on) {
    map = xlaIndexingMapRetain(on);
  }
  xlaIndexingMapsFree(&maps);
  for (int e = 0; user->copied && isKnown && e < user->nEdges; ++e)
    isKnown = follow(window, graph->edges[user->firstEdge + e], map, depth - 1);
  if (!user->copied && isKnown) {
    XlaIndexingMap *all = user->map && map ? through(user->map, map)
                          : user->map      ? xlaIndexingMapRetain(user->map)
                          : map            ? xlaIndexingMapRetain(map)
                                           : NULL;
    // Without a map the member is at its own rows, which are kept too.
    isKnown = all ? addElements(window, all,
                                user->map ? &graph->clusters[cluster].space
                                          : &user->shape)
                  : !map && !user->map;
    xlaIndexingMapRelease(all);
  }
  xlaIndexingMapRelease(map);
  return isKnown;
}

/// Finds the cluster that reads all that `from` gives, and at which rows; those
/// of each result, whose shape goes to `*kept`.
static bool findReader(Window *window, XlaShape *kept) {
  const FuseGraph *graph = window->graph;
  bool isFound = true;
  kept->rank = -1;
  for (int m = graph->clusters[window->from].head; m >= 0 && isFound;
       m = graph->nodes[m].next) {
    const FuseNode *node = &graph->nodes[m];
    bool isKept = false;
    window->shape = &node->shape;
    for (int e = 0; e < node->nEdges && isFound; ++e) {
      FuseEdge edge = graph->edges[node->firstEdge + e];
      if (xlaFuseClusterOf(graph, edge.user) == window->from)
        continue;
      isFound = node->elementwise && !node->map && node->shape.rank > 0 &&
                follow(window, edge, NULL, fuseMaxWindowCopies);
      *kept = node->shape;
      isKept = true;
    }
    window->nKept += isKept;
  }
  return isFound && kept->rank > 0 && window->to >= 0 &&
         window->lower[0] <= window->upper[0];
}

/// What an element of the cluster costs, about.
static int costOf(const FuseGraph *graph, const FuseCluster *c) {
  int cost = 0;
  for (int m = c->head; m >= 0; m = graph->nodes[m].next)
    if (graph->nodes[m].elementwise)
      cost += xlaOpGetInfo(graph->nodes[m].kind)->cost;
  return cost;
}

/// What one cluster of both keeps.
static FuseCluster keep(const Window *window, const XlaShape *kept) {
  const FuseCluster *from = &window->graph->clusters[window->from];
  FuseCluster both = window->graph->clusters[window->to];
  int64_t bytes;
  // Each of the values may be kept with what is around all of them.
  for (int d = 0; d < kept->rank && window->lower[d] <= window->upper[d]; ++d)
    both.around[d] += from->around[d] + window->upper[d] - window->lower[d];
  both.keptBytes +=
      from->keptBytes + window->nKept * xlaWindowKeptBytes(kept->elementType);
  if (__builtin_mul_overflow(xlaWindowRowBytes(kept), window->nKept, &bytes) ||
      __builtin_add_overflow(bytes, from->rowBytes, &bytes) ||
      __builtin_add_overflow(both.rowBytes, bytes, &both.rowBytes))
    both.rowBytes = INT64_MAX;
  return both;
}

/// Whether there is memory for a block of rows that are more than those around
/// it, which other blocks compute as well, and so it takes less time than
/// writing and reading all.
static bool areRowsWorthIt(const FuseGraph *graph, const XlaShape *kept,
                           const FuseCluster *both) {
  if (kept->dims[0] < minRows ||
      xlaFuseElements(kept->dims + 1, kept->rank - 1) < minRow)
    return false;
  int64_t rows = graph->device->windowBytes / both->rowBytes - both->around[0];
  return rows > 1 && rows >= perAround * both->around[0] &&
         (!both->around[0] ||
          xlaFuseElements(kept->dims, kept->rank) >= minElements);
}

/// Whether a workgroup has memory for a tile, and computing what is around it
/// again takes less time than writing and reading all, and a kernel more. If
/// not, `*tiled` says why.
static bool areTilesWorthIt(const FuseGraph *graph, const XlaShape *kept,
                            const FuseCluster *both, int cost, double *tiled) {
  const XlaFusionDevice *device = graph->device;
  XlaWindowKept all = {.elementBytes = both->keptBytes};
  XlaWindowTile tile;
  memcpy(all.around, both->around, sizeof all.around);
  if (kept->rank != both->space.rank)
    return false;
  bool fits =
      xlaWindowChooseTile(&both->space, 1, &all, device->tileBytes, &tile);
  *tiled = fits ? tile.computed : -1;
  double elements = (double)xlaFuseElements(kept->dims, kept->rank);
  double bytes = elements * xlaElementTypeGetInfo(kept->elementType)->bytes;
  return fits && tile.computed <= maxComputed &&
         (tile.computed - 1) * elements * cost * device->perOp <=
             2 * bytes * device->perByte + device->perKernel;
}

static bool isWorthIt(const Window *window, const XlaShape *kept,
                      const FuseCluster *both, double *tiled) {
  const FuseGraph *graph = window->graph;
  int cost = costOf(graph, &graph->clusters[window->from]);
  return cost >= xlaWindowMinCost &&
         (graph->device->tileBytes
              ? areTilesWorthIt(graph, kept, both, cost, tiled)
              : areRowsWorthIt(graph, kept, both));
}

static bool canMerge(const FuseGraph *graph, const FuseCluster *a,
                     const FuseCluster *b) {
  return isLoops(a) && isLoops(b) && a->segment == b->segment &&
         a->buffers + b->buffers <= graph->device->maxBuffers &&
         a->size + b->size <= fuseMaxSize / 2 &&
         a->nMembers + b->nMembers <= fuseMaxMembers;
}

void xlaFuseWindows(FuseSearch *search) {
  FuseGraph *graph = search->graph;
  if (!graph->device->windowBytes && !graph->device->tileBytes)
    return;
  for (int i = graph->nNodes; i-- > 0;) {
    Window window = {
        .graph = graph, .from = xlaFuseClusterOf(graph, i), .to = -1};
    for (int d = 0; d < XLA_MAX_RANK; ++d) {
      window.lower[d] = INT64_MAX;
      window.upper[d] = INT64_MIN;
    }
    XlaShape kept;
    if (window.from < 0 || graph->clusters[window.from].last != i ||
        !isLoops(&graph->clusters[window.from]) ||
        !findReader(&window, &kept) ||
        !canMerge(graph, &graph->clusters[window.from],
                  &graph->clusters[window.to]))
      continue;
    FuseCluster both = keep(&window, &kept);
    if (!isWorthIt(&window, &kept, &both, &graph->nodes[i].tiled))
      continue;
    graph->nodes[i].tiled = 0;
    xlaFuseMerge(graph, window.to, window.from);
    graph->clusters[window.to].rowBytes = both.rowBytes;
    graph->clusters[window.to].keptBytes = both.keptBytes;
    memcpy(graph->clusters[window.to].around, both.around, sizeof both.around);
    graph->clusters[window.to].mapped = true;
    graph->nodes[i].reason = FuseReasonFused;
  }
}

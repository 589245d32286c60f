//===- rows.c - Rows of a space -------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/fit.h"

enum {
  minRow = 32,             // elements that lie together, for row-shaped roots
  maxVector = 4,           // or so few, which are read as vectors are
  maxSingleRow = 1 << 16,  // elements, where one row is all there is
  maxColumn = 1024,        // rows of an array whose columns stay in cache
  minRepeat = 4,           // times that small arrays are read
  minTasks = 16,           // rows, or as many abreast: work for threads
  maxSingleTask = 1 << 14, // elements that are work for one thread
};

int64_t xlaFuseElements(const int64_t *dims, int rank) {
  int64_t count = 1;
  for (int i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(count, dims[i], &count))
      return INT64_MAX;
  return count;
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

bool xlaFuseBroadcastsRows(const FuseCluster *cluster, const FuseNode *node) {
  XlaI64List dims;
  if (!xlaFuseIsFull(cluster, node) || node->map ||
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

/// Elements along the dimensions that are reduced, or are not.
static int64_t elementsAlong(const XlaShape *space, uint32_t reduced,
                             bool along) {
  int64_t dims[XLA_MAX_RANK];
  int n = 0;
  for (int d = 0; d < space->rank; ++d)
    if (isReduced(reduced, d) == along)
      dims[n++] = space->dims[d];
  return xlaFuseElements(dims, n);
}

bool xlaFuseRowsAreWorthIt(const XlaShape *space, uint32_t reduced) {
  return elementsAlong(space, reduced, false) > 1 ||
         xlaFuseElements(space->dims, space->rank) <= maxSingleRow;
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

bool xlaFuseHasTasks(const XlaShape *space, uint32_t reduced) {
  int64_t rows = elementsAlong(space, reduced, false);
  return rows / rowsAbreast(space, reduced) >= minTasks ||
         xlaFuseElements(space->dims, space->rank) <= maxSingleTask;
}

bool xlaFuseCanReadRowsAgain(const XlaShape *space, uint32_t reduced) {
  bool isTrailing = trailingOf(space, reduced) == __builtin_popcount(reduced);
  return isTrailing ||
         (elementsAlong(space, reduced, true) <=
              (trailingOf(space, reduced) ? maxSingleRow : maxColumn) &&
          xlaFuseHasTasks(space, reduced));
}

/// Whether it is made of small arrays that are broadcast: no elements of its
/// own are read from memory, but some again and again.
static bool isOfBroadcasts(const FuseGraph *graph, MlirValue value, int depth) {
  int from = xlaFuseDefiningNode(graph, value);
  const FuseNode *node = from < 0 ? NULL : &graph->nodes[from];
  XlaShape small;
  if (xlaFuseIsSplat(value))
    return true;
  if (node && node->kind == XlaOpKindBroadcastInDim) {
    xlaFuseInputShape(node, &small);
    return xlaFuseElements(small.dims, small.rank) <=
           xlaFuseElements(node->shape.dims, node->shape.rank) / minRepeat;
  }
  bool isOf = node && node->elementwise && depth;
  for (intptr_t i = 0; isOf && i < mlirOperationGetNumOperands(node->op); ++i)
    isOf =
        isOfBroadcasts(graph, mlirOperationGetOperand(node->op, i), depth - 1);
  return isOf;
}

/// Whether a kernel that works on what it reduces is no slower than two: short
/// rows that lie together in memory are best read by lanes across them, and
/// only a reduction by itself is computed so.
static bool canWorkOnRows(const FuseGraph *graph, const FuseNode *reduction) {
  enum { maxDepth = 6 };
  XlaShape space;
  xlaFuseInputShape(reduction, &space);
  int64_t row = elementsAlong(&space, reduction->reduced, true);
  return row >= minRow || row <= maxVector ||
         !trailingOf(&space, reduction->reduced) ||
         isOfBroadcasts(graph, mlirOperationGetOperand(reduction->op, 0),
                        maxDepth);
}

/// A cluster of row-shaped members becomes one over whole rows.
static bool canWiden(const FuseGraph *graph, const FuseCluster *cluster,
                     const XlaShape *space, const FuseNode *reduction) {
  return !cluster->reduced && !cluster->closed && !cluster->transposed &&
         !cluster->mapped &&
         xlaFuseIsRowShape(space, reduction->reduced, &cluster->space) &&
         canWorkOnRows(graph, reduction);
}

bool xlaFuseTakeRows(const FuseGraph *graph, const FuseNode *node,
                     FuseCluster *as) {
  const FuseNode *source =
      node->reducible
          ? node
          : (node->rowSource ? &graph->nodes[node->rowSource - 1] : NULL);
  XlaShape input;
  if (!source || !source->reduced || as->closed || as->transposed ||
      as->contraction || as->pieces || as->gathers || as->toAll)
    return false;
  if (as->reduced && !node->reducible)
    return xlaFuseIsRowShape(&as->space, as->reduced, &node->shape);
  xlaFuseInputShape(source, &input);
  if (!xlaFuseRowsAreWorthIt(&input, source->reduced) ||
      (as->reduced && as->reduced != source->reduced))
    return false;
  bool widens = node->reducible && canWiden(graph, as, &input, node);
  if (!widens && (!xlaShapeDimsEqual(&as->space, &input) ||
                  !xlaFuseCanReadRowsAgain(&input, source->reduced)))
    return false;
  as->space = input;
  as->reduced = source->reduced;
  return true;
}

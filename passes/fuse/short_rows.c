//===- short_rows.c - Reductions of a few elements ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction of rows of three elements, as vectors in space have them, takes
// a kernel whose loops go over these rows. What works on its result and also
// takes elements of the same vectors goes over others. Where that is the only
// reader, the reduction is written as slices and what it does with them, in its
// order: elements that any loop computes where it needs them.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/short_rows.h"

#include "xlac/passes/arrays.h"

#include <stdlib.h>

enum {
  maxRow = 4,     // elements; a kernel's code has each
  maxBetween = 4, // operations through which a reader is looked for
};

struct FuseShortRow {
  FuseShortRow *before; ///< that was written before this one
  MlirOperation first;  ///< of those that are written
  MlirValue array, init, result;
  MlirAttribute dimensions;
  MlirRegion computation;
};

/// The only operation of the computation of a reduction, of its arguments in
/// their order and elements of one type, and nothing else; null of any other.
static MlirOperation onlyOperation(MlirRegion computation) {
  MlirOperation op, none = {NULL};
  if (xlaRegionGetOnly(computation, &op) == XlaOpKindInvalid ||
      mlirOperationGetNumAttributes(op))
    return none;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirBlock block = mlirRegionGetFirstBlock(computation);
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (!mlirValueEqual(mlirOperationGetOperand(op, i), argument) ||
        !mlirTypeEqual(mlirValueGetType(argument), type))
      return none;
  }
  return op;
}

/// Whether it reduces one array along one dimension of a few elements, not all
/// of it. Several dimensions may be gone over in any order, and sums of floats
/// of 16 bits are kept in wider ones until the last element.
static bool isShort(const FuseNode *node) {
  XlaShape shape;
  if (node->kind != XlaOpKindReduce || __builtin_popcount(node->reduced) != 1 ||
      node->shape.rank < 1 || mlirOperationGetNumOperands(node->op) != 2 ||
      mlirOperationIsNull(onlyOperation(mlirOperationGetRegion(node->op, 0))))
    return false;
  xlaFuseInputShape(node, &shape);
  const XlaElementTypeInfo *type = xlaElementTypeGetInfo(shape.elementType);
  int64_t row = shape.dims[__builtin_ctz(node->reduced)];
  return row > 1 && row <= maxRow &&
         (type->typeClass != XlaTypeClassFloat || type->bits >= 32);
}

/// Adds the cluster that reads what `node` of another one gives, by views and
/// what it copies. False if there is another one, or others.
static bool addReader(const FuseGraph *graph, const FuseNode *node, int cluster,
                      int depth, int *reader) {
  for (int e = 0; e < node->nEdges; ++e) {
    int at = graph->edges[node->firstEdge + e].user;
    const FuseNode *user = &graph->nodes[at];
    int by = xlaFuseClusterOf(graph, at);
    if (by == cluster)
      continue;
    bool isBetween = by < 0 && (user->copied || user->kind == XlaOpKindReshape);
    if (isBetween
            ? !depth || !addReader(graph, user, cluster, depth - 1, reader)
            : by < 0 || (*reader >= 0 && *reader != by))
      return false;
    if (!isBetween)
      *reader = by;
  }
  return true;
}

/// Whether loops alone read a cluster of short rows, those of one kernel.
static bool isOfLoops(const FuseGraph *graph, int cluster) {
  const FuseCluster *rows = &graph->clusters[cluster];
  int reader = -1;
  if (rows->mergedInto >= 0 || !rows->reduced || rows->closed ||
      rows->contraction || rows->attention)
    return false;
  for (int m = rows->head; m >= 0; m = graph->nodes[m].next)
    if ((graph->nodes[m].reducible && !isShort(&graph->nodes[m])) ||
        !addReader(graph, &graph->nodes[m], cluster, maxBetween, &reader))
      return false;
  if (reader < 0)
    return false;
  const FuseCluster *loops = &graph->clusters[reader];
  return !loops->reduced && !loops->closed && !loops->contraction &&
         !loops->attention && !loops->gathers && !loops->update;
}

/// The elements at `place` of a dimension, without that.
static MlirValue elementsAt(XlaIr *ir, MlirValue array, int dimension,
                            int64_t place) {
  XlaShape from = xlaArrayShape(array);
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK], kept[XLA_MAX_RANK];
  int rank = 0;
  for (int d = 0; d < from.rank; ++d) {
    limits[d] = from.dims[d];
    if (d != dimension)
      kept[rank++] = from.dims[d];
  }
  starts[dimension] = place;
  limits[dimension] = place + 1;
  return xlaArrayReshape(ir, xlaArraySlice(ir, array, starts, limits, NULL),
                         rank, kept);
}

/// Writes the reduction as what it does with each element of a row.
static FuseShortRow *write(const FuseNode *node, FuseShortRow *before) {
  FuseShortRow *row = malloc(sizeof *row);
  if (!row)
    return NULL;
  XlaIr ir = xlaIrBefore(node->op);
  MlirValue old = mlirOperationGetResult(node->op, 0);
  *row = (FuseShortRow){.before = before,
                        .array = mlirOperationGetOperand(node->op, 0),
                        .init = mlirOperationGetOperand(node->op, 1),
                        .dimensions = xlaOpGetAttr(node->op, "dimensions"),
                        .computation = mlirRegionCreate()};
  mlirRegionTakeBody(row->computation, mlirOperationGetRegion(node->op, 0));
  MlirIdentifier name = mlirOperationGetName(onlyOperation(row->computation));
  int dimension = __builtin_ctz(node->reduced);
  XlaShape shape = xlaArrayShape(row->array);
  row->result = xlaArraySplat(&ir, row->init, old);
  row->first = mlirOpResultGetOwner(row->result);
  for (int64_t i = 0; i < shape.dims[dimension]; ++i)
    row->result = xlaIrBinary(&ir, mlirIdentifierStr(name).data, row->result,
                              elementsAt(&ir, row->array, dimension, i));
  mlirValueReplaceAllUsesOfWith(old, row->result);
  mlirOperationDestroy(node->op);
  return row;
}

bool xlaFuseShortRowsWrite(const FuseGraph *graph, FuseShortRow **rows) {
  bool done = true;
  *rows = NULL;
  bool *isWanted = calloc((size_t)graph->nClusters + 1, sizeof *isWanted);
  for (int c = 0; c < graph->nClusters && isWanted; ++c)
    isWanted[c] = isOfLoops(graph, c);
  for (int i = 0; i < graph->nNodes && isWanted && done; ++i) {
    int cluster = xlaFuseClusterOf(graph, i);
    if (cluster < 0 || !isWanted[cluster] || !graph->nodes[i].reducible)
      continue;
    FuseShortRow *row = write(&graph->nodes[i], *rows);
    done = row != NULL;
    *rows = done ? row : *rows;
  }
  done &= isWanted != NULL;
  free(isWanted);
  return done;
}

/// Destroys operations from `op` to `last`, which only each other use.
static void eraseAll(MlirOperation op, MlirOperation last) {
  if (!mlirOperationEqual(op, last))
    eraseAll(mlirOperationGetNextInBlock(op), last);
  mlirOperationDestroy(op);
}

static void takeBack(FuseShortRow *row) {
  MlirOperation last = mlirOpResultGetOwner(row->result);
  XlaIr ir = xlaIrBefore(row->first);
  MlirType type = mlirValueGetType(row->result);
  MlirOperation reduce = xlaIrCreate(
      &ir, "xla.reduce", 2, (MlirValue[]){row->array, row->init}, 1, &type, 1,
      &(XlaIrAttr){"dimensions", row->dimensions}, 1, &row->computation);
  mlirValueReplaceAllUsesOfWith(row->result, mlirOperationGetResult(reduce, 0));
  eraseAll(row->first, last);
}

void xlaFuseShortRowsEnd(FuseShortRow *rows, bool isKept) {
  while (rows) {
    FuseShortRow *before = rows->before;
    if (isKept)
      mlirRegionDestroy(rows->computation);
    else
      takeBack(rows);
    free(rows);
    rows = before;
  }
}

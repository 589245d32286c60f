//===- gather.c - Gathers at known places ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where starts grow by the same amount along each dimension of the indices, a
// gather reads at a map without runtime variables. Constants are clamped here,
// what is computed must be inside.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/passes/simplify/indexing/indexing.h"

#include <string.h>

enum { maxIndices = 1 << 12 };

typedef struct Gather {
  MlirContext context;
  XlaIndexedWindows windows;
  XlaShape operand, indices, result;
  XlaI64List sizes;
} Gather;

/// The index of coordinate `coordinate` of the starts at `batch`.
static int64_t positionOf(const Gather *g, const int64_t *batch,
                          int64_t coordinate) {
  int64_t position = 0;
  for (int d = 0; d < g->indices.rank; ++d) {
    int64_t at = coordinate;
    for (int i = 0; i < g->windows.batch.size; ++i)
      if (g->windows.indexBatch.values[i] == d)
        at = batch[i];
    position = position * g->indices.dims[d] + at;
  }
  return position;
}

static int64_t startAt(const Gather *g, const XlaLiteral *indices, int64_t most,
                       const int64_t *batch, int64_t coordinate) {
  XlaScalar value = xlaLiteralGet(indices, positionOf(g, batch, coordinate));
  if (xlaElementTypeGetInfo(g->indices.elementType)->typeClass ==
      XlaTypeClassUnsigned)
    return value.u < (uint64_t)most ? (int64_t)value.u : most;
  return value.s < 0 ? 0 : value.s < most ? value.s : most;
}

/// Coordinate `coordinate` of the starts, which are constants, as an expression
/// of the result's dimensions; null if it is none.
static MlirAffineExpr ofConstants(const Gather *g, const XlaLiteral *indices,
                                  int64_t coordinate, int64_t most) {
  int64_t batch[XLA_MAX_RANK] = {0}, dims[XLA_MAX_RANK] = {0},
          steps[XLA_MAX_RANK] = {0};
  int n = g->windows.batch.size;
  int64_t first = startAt(g, indices, most, batch, coordinate);
  MlirAffineExpr expr = mlirAffineConstantExprGet(g->context, first);
  for (int i = 0; i < n; ++i) {
    dims[i] = g->result.dims[g->windows.batch.values[i]];
    if (dims[i] < 2)
      continue;
    batch[i] = 1;
    steps[i] = startAt(g, indices, most, batch, coordinate) - first;
    batch[i] = 0;
    expr = xlaExprAdd(
        expr, xlaExprScale(
                  mlirAffineDimExprGet(g->context, g->windows.batch.values[i]),
                  steps[i]));
  }
  do {
    int64_t expected = first;
    for (int i = 0; i < n; ++i)
      expected += steps[i] * batch[i];
    if (startAt(g, indices, most, batch, coordinate) != expected)
      return (MlirAffineExpr){NULL};
  } while (xlaIndexNext(batch, dims, n));
  return expr;
}

/// Adds the starts, which are constants, to `at`.
static bool addStarts(const Gather *g, MlirOperation constant,
                      MlirAffineExpr *at) {
  int64_t count;
  if (!xlaShapeGetElementCount(&g->indices, &count) || count > maxIndices)
    return false;
  XlaLiteral *literal =
      xlaLiteralFromAttribute(xlaOpGetAttr(constant, "value"));
  bool known = literal != NULL;
  for (int i = 0; i < g->windows.startMap.size && known; ++i) {
    int64_t to = g->windows.startMap.values[i];
    MlirAffineExpr start =
        ofConstants(g, literal, i, g->operand.dims[to] - g->sizes.values[to]);
    known = start.ptr != NULL;
    if (known)
      at[to] = xlaExprAdd(at[to], start);
  }
  xlaLiteralRelease(literal);
  return known;
}

/// The map of the operation, if it has no runtime variables.
static XlaIndexingMap *ofComputed(MlirOperation op) {
  XlaIndexingMaps maps;
  XlaIndexingMap *map = NULL;
  if (xlaOpGetOperandMaps(op, 0, 0, &maps) == XlaOpMapsKnown && maps.n == 1 &&
      !xlaIndexingMapGetParts(maps.maps[0])->nRuntimes)
    map = xlaIndexingMapRetain(maps.maps[0]);
  xlaIndexingMapsFree(&maps);
  return map;
}

XlaIndexingMap *xlaMoveMapOfGather(MlirOperation op) {
  Gather g = {.context = mlirOperationGetContext(op)};
  MlirAffineExpr at[XLA_MAX_RANK];
  XlaInterval bounds[XLA_MAX_RANK];
  int64_t count, operandCount;
  xlaIndexedWindowsGet(op, &g.windows);
  xlaOpGetList(op, "slice_sizes", &g.sizes);
  if (!xlaMoveShape(mlirOperationGetOperand(op, 0), &g.operand) ||
      !xlaMoveShape(mlirOperationGetOperand(op, 1), &g.indices) ||
      !xlaMoveShape(mlirOperationGetResult(op, 0), &g.result) ||
      !xlaShapeGetElementCount(&g.result, &count) || !count ||
      !xlaShapeGetElementCount(&g.operand, &operandCount) || !operandCount)
    return NULL;
  MlirOperation constant =
      xlaMoveDefinedBy(mlirOperationGetOperand(op, 1), XlaOpKindConstant);
  if (!constant.ptr)
    return ofComputed(op);
  for (int i = 0; i < g.operand.rank; ++i)
    at[i] = mlirAffineConstantExprGet(g.context, 0);
  for (int i = 0; i < g.windows.offset.size; ++i)
    at[g.windows.window.values[i]] =
        mlirAffineDimExprGet(g.context, g.windows.offset.values[i]);
  for (int i = 0; i < g.windows.batching.size; ++i)
    for (int b = 0; b < g.windows.batch.size; ++b)
      if (g.windows.indexBatch.values[b] == g.windows.indexBatching.values[i])
        at[g.windows.batching.values[i]] =
            mlirAffineDimExprGet(g.context, g.windows.batch.values[b]);
  if (!addStarts(&g, constant, at))
    return NULL;
  for (int d = 0; d < g.result.rank; ++d)
    bounds[d] = (XlaInterval){0, g.result.dims[d] - 1};
  XlaIndexingMapParts parts = {
      .map = mlirAffineMapGet(g.context, g.result.rank, 0, g.operand.rank, at),
      .nDims = g.result.rank,
      .dims = bounds};
  return xlaIndexingMapCreate(&parts);
}

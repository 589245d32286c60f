//===- gathers.c - Gathers in their simplest form -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/gathers.h"
#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

/// A gather on its way.
typedef struct Gather {
  XlaIr ir;
  MlirOperation op;
  XlaIndexedWindows windows;
  XlaI64List sizes; ///< of slices
  XlaShape operand, indices, result;
  int64_t order[XLA_MAX_RANK]; ///< of the operand's dimensions: those that
                               ///< indices are of come first
  int nCoordinates;
} Gather;

static bool read(MlirOperation op, Gather *g) {
  *g = (Gather){.ir = xlaIrBefore(op), .op = op};
  if (!xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                        &g->operand, NULL) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 1)),
                        &g->indices, NULL) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)),
                        &g->result, NULL))
    return false;
  xlaIndexedWindowsGet(op, &g->windows);
  xlaOpGetList(op, "slice_sizes", &g->sizes);
  return true;
}

static bool counts(const XlaI64List *list, int64_t from) {
  bool does = true;
  for (int i = 0; i < list->size; ++i)
    does &= list->values[i] == from + i;
  return does;
}

bool xlaGatherIsSimple(MlirOperation gather) {
  Gather g;
  const XlaIndexedWindows *w = &g.windows;
  return read(gather, &g) && g.indices.rank == 2 && w->vectorDim == 1 &&
         w->collapsed.size == 0 && w->batching.size == 0 &&
         counts(&w->startMap, 0) && counts(&w->offset, 1);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Puts the dimensions that indices are of first: batching dimensions, those of
/// start_index_map, then the others.
static void findOrder(Gather *g) {
  const XlaIndexedWindows *w = &g->windows;
  bool isFirst[XLA_MAX_RANK] = {false};
  int n = 0;
  for (int i = 0; i < w->batching.size; ++i)
    g->order[n++] = w->batching.values[i];
  for (int i = 0; i < w->startMap.size; ++i)
    g->order[n++] = w->startMap.values[i];
  g->nCoordinates = n;
  for (int i = 0; i < n; ++i)
    isFirst[g->order[i]] = true;
  for (int d = 0; d < g->operand.rank; ++d)
    if (!isFirst[d])
      g->order[n++] = d;
}

/// Indices that can have the numbers of all batches.
static MlirValue widenIndices(Gather *g, MlirValue indices) {
  const XlaElementTypeInfo *info =
      xlaElementTypeGetInfo(g->indices.elementType);
  int bits = info->bits - (info->typeClass == XlaTypeClassSigned);
  bool fits = true;
  for (int i = 0; i < g->windows.batching.size; ++i)
    fits &= bits >= 63 || g->operand.dims[g->windows.batching.values[i]] <=
                              INT64_C(1) << bits;
  return fits ? indices : xlaArrayConvert(&g->ir, indices, XlaElementTypeS64);
}

/// Puts the number of the batch before the coordinates, for each batching
/// dimension. The coordinates lie along the last dimension.
static MlirValue addBatches(Gather *g, MlirValue indices) {
  const XlaIndexedWindows *w = &g->windows;
  MlirValue parts[XLA_MAX_RANK + 1];
  if (w->batching.size == 0)
    return indices;
  indices = widenIndices(g, indices);
  XlaShape one = xlaArrayShape(indices);
  one.dims[one.rank - 1] = 1;
  for (int i = 0; i < w->batching.size; ++i) {
    int64_t d = w->indexBatching.values[i];
    // Where it is once the coordinates are last.
    d -= w->vectorDim < d;
    parts[i] = xlaIrOp(
        &g->ir, "xla.iota", xlaShapeToMlir(&one, g->ir.context), 0, NULL, 1,
        &(XlaIrAttr){"iota_dimension", xlaIrI64Attr(g->ir.context, d)});
  }
  parts[w->batching.size] = indices;
  return xlaArrayConcatenate(&g->ir, w->batching.size + 1, parts, one.rank - 1);
}

/// The matrix of coordinates.
static MlirValue simplifyIndices(Gather *g) {
  const XlaIndexedWindows *w = &g->windows;
  MlirValue indices = mlirOperationGetOperand(g->op, 1);
  int64_t dims[XLA_MAX_RANK + 1], order[XLA_MAX_RANK];
  int n = g->indices.rank;
  if (w->vectorDim == n) {
    for (int i = 0; i < n; ++i)
      dims[i] = g->indices.dims[i];
    dims[n] = 1;
    indices = xlaArrayReshape(&g->ir, indices, n + 1, dims);
  } else {
    for (int i = 0; i < n - 1; ++i)
      order[i] = w->indexBatch.values[i];
    order[n - 1] = w->vectorDim;
    indices = xlaArrayTranspose(&g->ir, indices, order);
  }
  indices = addBatches(g, indices);
  int64_t matrix[2] = {1, g->nCoordinates};
  for (int i = 0; i < w->indexBatch.size; ++i)
    matrix[0] *= g->indices.dims[w->indexBatch.values[i]];
  return xlaArrayReshape(&g->ir, indices, 2, matrix);
}

//===----------------------------------------------------------------------===//
// The gather and its result
//===----------------------------------------------------------------------===//

static MlirAttribute listAttr(const Gather *g, int n, const int64_t *values) {
  return mlirDenseI64ArrayGet(g->ir.context, n, values);
}

static MlirValue gatherSimply(Gather *g, MlirValue operand, MlirValue indices) {
  int n = g->operand.rank;
  int64_t offset[XLA_MAX_RANK], map[XLA_MAX_RANK], sizes[XLA_MAX_RANK];
  XlaShape result = g->result, places = xlaArrayShape(indices);
  result.rank = n + 1;
  result.dims[0] = places.dims[0];
  for (int i = 0; i < n; ++i) {
    map[i] = i;
    offset[i] = i + 1;
    sizes[i] = result.dims[i + 1] = g->sizes.values[g->order[i]];
  }
  MlirAttribute isSorted = xlaOpGetAttr(g->op, "indices_are_sorted");
  XlaIrAttr attrs[] = {{"offset_dims", listAttr(g, n, offset)},
                       {"collapsed_slice_dims", listAttr(g, 0, NULL)},
                       {"start_index_map", listAttr(g, g->nCoordinates, map)},
                       {"index_vector_dim", xlaIrI64Attr(g->ir.context, 1)},
                       {"slice_sizes", listAttr(g, n, sizes)},
                       {"indices_are_sorted", isSorted}};
  // Rows of other dimensions are in another order.
  bool staysSorted = !mlirAttributeIsNull(isSorted) &&
                     g->windows.batching.size == 0 &&
                     g->windows.vectorDim >= g->indices.rank - 1;
  return xlaIrOp(&g->ir, "xla.gather", xlaShapeToMlir(&result, g->ir.context),
                 2, (MlirValue[]){operand, indices}, staysSorted ? 6 : 5,
                 attrs);
}

/// From rows of slices to the result: the slices' dimensions in order, without
/// those that collapse, the rows' as they were, all in their places.
static MlirValue arrangeResult(Gather *g, MlirValue rows) {
  const XlaIndexedWindows *w = &g->windows;
  int64_t back[XLA_MAX_RANK] = {0}, dims[XLA_MAX_RANK], order[XLA_MAX_RANK];
  int n = 0;
  for (int i = 0; i < g->operand.rank; ++i)
    back[g->order[i] + 1] = i + 1;
  rows = xlaArrayTranspose(&g->ir, rows, back);
  for (int i = 0; i < w->indexBatch.size; ++i) {
    order[w->batch.values[i]] = n;
    dims[n++] = g->indices.dims[w->indexBatch.values[i]];
  }
  for (int i = 0; i < w->offset.size; ++i) {
    order[w->offset.values[i]] = n;
    dims[n++] = g->sizes.values[w->window.values[i]];
  }
  rows = xlaArrayReshape(&g->ir, rows, n, dims);
  return xlaArrayTranspose(&g->ir, rows, order);
}

/// Whether the rules' arrays are within what arrays can be.
static bool canBeSimple(const Gather *g) {
  const XlaI64List *dropped[] = {&g->windows.collapsed, &g->windows.batching};
  bool can = g->operand.rank < XLA_MAX_RANK && g->indices.rank < XLA_MAX_RANK;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < dropped[k]->size; ++i)
      can &= g->sizes.values[dropped[k]->values[i]] == 1;
  return can;
}

MlirValue xlaGatherSimplify(MlirOperation gather) {
  MlirValue result = mlirOperationGetResult(gather, 0);
  Gather g;
  if (!read(gather, &g) || xlaGatherIsSimple(gather) || !canBeSimple(&g))
    return result;
  findOrder(&g);
  MlirValue operand =
      xlaArrayTranspose(&g.ir, mlirOperationGetOperand(gather, 0), g.order);
  MlirValue rows = gatherSimply(&g, operand, simplifyIndices(&g));
  MlirValue arranged = arrangeResult(&g, rows);
  // With the layout that is asked for.
  if (!mlirTypeEqual(mlirValueGetType(arranged), mlirValueGetType(result)))
    arranged =
        xlaIrCast(&g.ir, "xla.reshape", arranged, mlirValueGetType(result));
  return arranged;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool isGather(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindGather;
}

MlirLogicalResult xlaPassSimplifyGathers(MlirOperation module,
                                         MlirExtPassOptionValues options,
                                         void *userData) {
  XlaIrOps found = xlaIrCollect(module, MlirWalkPostOrder, isGather);
  (void)options;
  (void)userData;
  for (intptr_t i = 0; i < found.n && !found.failed; ++i) {
    MlirValue result = mlirOperationGetResult(found.ops[i], 0);
    MlirValue simple = xlaGatherSimplify(found.ops[i]);
    if (mlirValueEqual(simple, result))
      continue;
    mlirValueReplaceAllUsesOfWith(result, simple);
    mlirOperationDestroy(found.ops[i]);
  }
  free(found.ops);
  return found.failed ? xlaOpNoMemory(module) : success();
}

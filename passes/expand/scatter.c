//===- scatter.c - Forms and places of scatters ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/scatter.h"
#include "xlac/passes/expand/scatter_internal.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

void xlaScatterRead(XlaScatter *s, MlirOperation op, XlaIr *ir) {
  *s = (XlaScatter){
      .op = op, .ir = ir, .n = mlirOperationGetNumOperands(op) / 2};
  s->input = xlaArrayShape(mlirOperationGetOperand(op, 0));
  s->indices = xlaArrayShape(mlirOperationGetOperand(op, s->n));
  s->update = xlaArrayShape(mlirOperationGetOperand(op, s->n + 1));
  xlaIndexedWindowsGet(op, &s->windows);
  for (int d = 0; d < s->input.rank; ++d) {
    s->sizes[d] = 1;
    s->updateDim[d] = s->startOf[d] = -1;
  }
  for (int i = 0; i < s->windows.offset.size; ++i) {
    int64_t d = s->windows.window.values[i];
    s->updateDim[d] = (int)s->windows.offset.values[i];
    s->sizes[d] = s->update.dims[s->updateDim[d]];
  }
  for (int k = 0; k < s->windows.startMap.size; ++k)
    s->startOf[s->windows.startMap.values[k]] = k;
}

static bool flag(MlirOperation op, const char *name) {
  MlirAttribute attr = xlaOpGetAttr(op, name);
  return !mlirAttributeIsNull(attr) && mlirBoolAttrGetValue(attr);
}

/// The windows of each batch.
static int64_t countWindows(const XlaScatter *s) {
  int64_t n = 1;
  for (int i = 0; i < s->windows.batch.size; ++i) {
    bool isBatch = false;
    for (int k = 0; k < s->windows.indexBatching.size; ++k)
      isBatch |=
          s->windows.indexBatching.values[k] == s->windows.indexBatch.values[i];
    n *= isBatch ? 1 : s->update.dims[s->windows.batch.values[i]];
  }
  return n;
}

/// Rows, or elements of a vector.
static bool isSorted(const XlaScatter *s) {
  int rank = s->input.rank;
  return flag(s->op, "indices_are_sorted") && (rank == 1 || rank == 2) &&
         s->update.rank == rank && s->windows.startMap.size == 1 &&
         s->startOf[0] == 0 && s->updateDim[0] < 0 &&
         (rank == 1 ||
          (s->updateDim[1] == 1 && s->sizes[1] == s->input.dims[1]));
}

XlaScatterForm xlaScatterGetForm(MlirOperation scatter) {
  XlaScatter s;
  xlaScatterRead(&s, scatter, NULL);
  int64_t n = countWindows(&s);
  if (n <= 1 || flag(scatter, "unique_indices"))
    return XlaScatterFormApart;
  if (isSorted(&s))
    return XlaScatterFormSorted;
  bool meetsItself = false;
  for (int d = 0; d < s.input.rank; ++d)
    meetsItself |= s.startOf[d] >= 0 && s.sizes[d] != 1;
  return n <= XLA_SCATTER_FEW && !meetsItself ? XlaScatterFormFew
                                              : XlaScatterFormNone;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Of an array without elements dimensions may have more than there is to
/// count.
static int64_t product(int64_t a, int64_t b) {
  int64_t n;
  return __builtin_mul_overflow(a, b, &n) ? 0 : n;
}

void xlaScatterPlan(XlaScatter *s, bool hasColumns, int64_t most) {
  most = most < INT32_MAX ? most : INT32_MAX;
  s->nPlaces = s->nColumns = 1;
  for (int d = s->input.rank - 1; d >= 0; --d) {
    int64_t size = s->input.dims[d];
    s->isColumn[d] = hasColumns && s->updateDim[d] >= 0 && s->startOf[d] < 0 &&
                     s->sizes[d] == size;
    if (s->isColumn[d]) {
      s->nColumns = product(s->nColumns, size);
      continue;
    }
    s->stride[d] = s->nPlaces;
    s->nPlaces = product(s->nPlaces, size);
  }
  int64_t count = 1;
  s->nRows = 1;
  for (int d = 0; d < s->update.rank; ++d)
    count = product(count, s->update.dims[d]);
  if (s->nColumns)
    s->nRows = count / s->nColumns;
  s->counter = s->nPlaces > most || s->nRows > most ? XlaElementTypeS64
                                                    : XlaElementTypeS32;
}

void xlaScatterOrderUpdates(const XlaScatter *s, int64_t *order) {
  int n = 0;
  for (int i = 0; i < s->windows.batch.size; ++i)
    order[n++] = s->windows.batch.values[i];
  for (int columns = 0; columns < 2; ++columns)
    for (int d = 0; d < s->input.rank; ++d)
      if (s->updateDim[d] >= 0 && s->isColumn[d] == columns)
        order[n++] = s->updateDim[d];
}

/// Coordinate `k` of all indices, in the dimensions `rows`, and whether windows
/// with it are inside along `d`, of which `isInside` may be null so far.
static MlirValue coordinate(const XlaScatter *s, int k, int64_t d,
                            const XlaShape *rows, MlirValue *isInside) {
  XlaIr *ir = s->ir;
  MlirValue x = mlirOperationGetOperand(s->op, s->n);
  XlaShape shape = s->indices;
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK], at[XLA_MAX_RANK];
  if (s->windows.vectorDim < shape.rank) {
    int v = (int)s->windows.vectorDim;
    memcpy(limits, shape.dims, sizeof limits);
    starts[v] = k;
    limits[v] = k + 1;
    x = xlaArraySlice(ir, x, starts, limits, NULL);
    memmove(&shape.dims[v], &shape.dims[v + 1],
            (size_t)(shape.rank - v - 1) * sizeof *shape.dims);
    --shape.rank;
    x = xlaArrayReshape(ir, x, shape.rank, shape.dims);
  }
  // What is left are the batch dimensions of the updates, in their order.
  for (int i = 0; i < shape.rank; ++i)
    at[i] = i;
  x = xlaArrayBroadcast(ir, x, rows->rank, rows->dims, at);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape.elementType);
  int64_t most = s->input.dims[d] - s->sizes[d];
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  MlirValue inside = {NULL};
  if (info->bits - isSigned < 63 && most >= INT64_C(1)
                                                << (info->bits - isSigned))
    most = (INT64_C(1) << (info->bits - isSigned)) - 1;
  inside = xlaArrayCompare(ir, "LE", x, xlaArrayInteger(ir, x, (uint64_t)most));
  if (isSigned)
    inside =
        xlaIrBinary(ir, "xla.and", inside,
                    xlaArrayCompare(ir, "GE", x, xlaArrayInteger(ir, x, 0)));
  *isInside = mlirValueIsNull(*isInside)
                  ? inside
                  : xlaIrBinary(ir, "xla.and", *isInside, inside);
  return xlaArrayConvert(ir, x, s->counter);
}

/// `place` and `by` times `stride`.
static MlirValue step(XlaIr *ir, MlirValue place, MlirValue by,
                      int64_t stride) {
  if (stride != 1)
    by = xlaIrBinary(ir, "xla.multiply", by,
                     xlaArrayInteger(ir, by, (uint64_t)stride));
  return mlirValueIsNull(place) ? by : xlaIrBinary(ir, "xla.add", place, by);
}

/// The dimension of `rows` that goes over dimension `d` of the inputs, or -1.
static int rowDimension(const XlaScatter *s, int d) {
  int row = s->windows.batch.size;
  for (int i = 0; i < s->windows.batching.size; ++i)
    if (s->windows.batching.values[i] == d)
      for (int k = 0; k < s->windows.batch.size; ++k)
        if (s->windows.indexBatch.values[k] ==
            s->windows.indexBatching.values[i])
          return k;
  if (s->updateDim[d] < 0)
    return -1;
  for (int e = 0; e < d; ++e)
    row += s->updateDim[e] >= 0 && !s->isColumn[e];
  return row;
}

/// What counts the rows: the dimensions of the indices, then those of windows
/// without the columns.
static XlaShape rowsOf(const XlaScatter *s) {
  XlaShape rows = {.elementType = s->counter};
  for (int i = 0; i < s->windows.batch.size; ++i)
    rows.dims[rows.rank++] = s->update.dims[s->windows.batch.values[i]];
  for (int d = 0; d < s->input.rank; ++d)
    if (s->updateDim[d] >= 0 && !s->isColumn[d])
      rows.dims[rows.rank++] = s->sizes[d];
  return rows;
}

MlirValue xlaScatterPlaces(const XlaScatter *s) {
  XlaIr *ir = s->ir;
  XlaShape rows = rowsOf(s);
  MlirValue place = {NULL}, isInside = {NULL};
  for (int d = 0; d < s->input.rank; ++d) {
    if (s->isColumn[d])
      continue;
    if (s->startOf[d] >= 0)
      place = step(ir, place, coordinate(s, s->startOf[d], d, &rows, &isInside),
                   s->stride[d]);
    int row = rowDimension(s, d);
    if (row >= 0)
      place = step(ir, place,
                   xlaArrayIota(ir, s->counter, rows.rank, rows.dims, row),
                   s->stride[d]);
  }
  if (mlirValueIsNull(place))
    place = xlaArrayBroadcast(ir, xlaArrayNumber(ir, s->counter, 0), rows.rank,
                              rows.dims, NULL);
  if (!mlirValueIsNull(isInside))
    place = xlaArraySelect(ir, isInside, place,
                           xlaArrayInteger(ir, place, (uint64_t)s->nPlaces));
  return xlaArrayReshape(ir, place, 1, &s->nRows);
}

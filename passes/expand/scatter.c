//===- scatter.c - Scatters whose windows are applied at once -------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dimensions of the inputs are parted in two. Places are numbered along the
// dimensions with indices or batches, and those that windows do not fill; the
// others are whole in every window, the columns of its row.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/scatter.h"

#include "xlac/dialect/ops/indexed_windows.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/fuse/device.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

typedef struct Scatter {
  MlirOperation op;
  XlaIr *ir;
  intptr_t n; // inputs
  XlaIndexedWindows windows;
  XlaShape input, indices, update;
  int64_t sizes[XLA_MAX_RANK];     // of a window, by dimension of the inputs
  int updateDim[XLA_MAX_RANK];     // of the updates, or -1: by the same
  int startOf[XLA_MAX_RANK];       // coordinate of an index, or -1: by the same
  bool isColumn[XLA_MAX_RANK];     // by the same
  int64_t stride[XLA_MAX_RANK];    // between places, by the same
  int64_t nPlaces, nColumns, rows; // rows of updates
} Scatter;

static void readScatter(Scatter *s, MlirOperation op) {
  *s = (Scatter){.op = op, .n = mlirOperationGetNumOperands(op) / 2};
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
static int64_t countWindows(const Scatter *s) {
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

static bool isSorted(const Scatter *s) {
  return flag(s->op, "indices_are_sorted") && s->input.rank == 2 &&
         s->update.rank == 2 && s->windows.startMap.size == 1 &&
         s->startOf[0] == 0 && s->updateDim[0] < 0 && s->updateDim[1] == 1 &&
         s->sizes[1] == s->input.dims[1];
}

XlaScatterForm xlaScatterGetForm(MlirOperation scatter) {
  Scatter s;
  readScatter(&s, scatter);
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

/// Parts the dimensions; false if there are too many places.
static bool plan(Scatter *s) {
  s->nPlaces = s->nColumns = 1;
  for (int d = s->input.rank - 1; d >= 0; --d) {
    int64_t size = s->input.dims[d];
    s->isColumn[d] =
        s->updateDim[d] >= 0 && s->startOf[d] < 0 && s->sizes[d] == size;
    if (s->isColumn[d]) {
      s->nColumns *= size;
      continue;
    }
    s->stride[d] = s->nPlaces;
    if (__builtin_mul_overflow(s->nPlaces, size, &s->nPlaces) ||
        s->nPlaces > INT32_MAX)
      return false;
  }
  int64_t count = 1;
  s->rows = 1;
  for (int d = 0; d < s->update.rank; ++d)
    count *= s->update.dims[d];
  if (s->nColumns)
    s->rows = count / s->nColumns;
  return s->rows <= INT32_MAX;
}

/// The dimensions of the updates in their new order: those of the indices,
/// those of windows without the columns, the columns.
static void orderUpdates(const Scatter *s, int64_t *order) {
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
static MlirValue coordinate(const Scatter *s, int k, int64_t d,
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
  return xlaArrayConvert(ir, x, XlaElementTypeS32);
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
static int rowDimension(const Scatter *s, int d) {
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

/// The place of each row of updates, `nPlaces` if its window is not inside.
static MlirValue placesOf(const Scatter *s, const XlaShape *rows) {
  XlaIr *ir = s->ir;
  MlirValue place = {NULL}, isInside = {NULL};
  for (int d = 0; d < s->input.rank; ++d) {
    if (s->isColumn[d])
      continue;
    if (s->startOf[d] >= 0)
      place = step(ir, place, coordinate(s, s->startOf[d], d, rows, &isInside),
                   s->stride[d]);
    int row = rowDimension(s, d);
    if (row >= 0)
      place =
          step(ir, place,
               xlaArrayIota(ir, XlaElementTypeS32, rows->rank, rows->dims, row),
               s->stride[d]);
  }
  if (mlirValueIsNull(place))
    place = xlaArrayBroadcast(ir, xlaArrayNumber(ir, XlaElementTypeS32, 0),
                              rows->rank, rows->dims, NULL);
  if (!mlirValueIsNull(isInside))
    place = xlaArraySelect(ir, isInside, place,
                           xlaArrayInteger(ir, place, (uint64_t)s->nPlaces));
  return xlaArrayReshape(ir, place, 1, &s->rows);
}

//===----------------------------------------------------------------------===//
// The sorted scatter
//===----------------------------------------------------------------------===//

/// Sorts `places` together with their numbers.
static void sortPlaces(const Scatter *s, MlirValue places, MlirValue *sorted,
                       MlirValue *order) {
  XlaIr *ir = s->ir;
  MlirType type = mlirValueGetType(places);
  MlirValue numbers = xlaArrayIota(ir, XlaElementTypeS32, 1, &s->rows, 0);
  XlaShape scalar = {.elementType = XlaElementTypeS32};
  MlirType s32 = xlaShapeToMlir(&scalar, ir->context);
  MlirLocation at[] = {ir->location, ir->location, ir->location, ir->location};
  MlirBlock block = mlirBlockCreate(4, (MlirType[]){s32, s32, s32, s32}, at);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr inside = xlaIrIn(*ir, block);
  MlirValue before =
      xlaArrayCompare(&inside, "LT", mlirBlockGetArgument(block, 0),
                      mlirBlockGetArgument(block, 1));
  xlaIrCreate(&inside, "xla.return", 1, &before, 0, NULL, 0, NULL, 0, NULL);
  XlaIrAttr attrs[] = {{"dimension", xlaIrI64Attr(ir->context, 0)},
                       {"is_stable", mlirBoolAttrGet(ir->context, true)}};
  MlirOperation sort =
      xlaIrCreate(ir, "xla.sort", 2, (MlirValue[]){places, numbers}, 2,
                  (MlirType[]){type, type}, 2, attrs, 1, &region);
  *sorted = mlirOperationGetResult(sort, 0);
  *order = mlirOperationGetResult(sort, 1);
}

/// The inputs' dimensions with places first.
static void orderInputs(const Scatter *s, int64_t *order) {
  int n = 0;
  for (int columns = 0; columns < 2; ++columns)
    for (int d = 0; d < s->input.rank; ++d)
      if (s->isColumn[d] == columns)
        order[n++] = d;
}

static MlirValue matrix(const Scatter *s, MlirValue x, const int64_t *order,
                        int64_t rows) {
  const int64_t dims[2] = {rows, s->nColumns};
  return xlaArrayReshape(s->ir, xlaArrayTranspose(s->ir, x, order), 2, dims);
}

/// A matrix as an array of the inputs' dimensions.
static MlirValue fromMatrix(const Scatter *s, MlirValue x,
                            const int64_t *order) {
  int64_t dims[XLA_MAX_RANK], back[XLA_MAX_RANK];
  for (int i = 0; i < s->input.rank; ++i) {
    dims[i] = s->input.dims[order[i]];
    back[order[i]] = i;
  }
  return xlaArrayTranspose(
      s->ir, xlaArrayReshape(s->ir, x, s->input.rank, dims), back);
}

/// The scatter of rows; `operands` are inputs, places and updates.
static MlirOperation scatterRows(const Scatter *s, const MlirValue *operands,
                                 MlirType *types) {
  XlaIr *ir = s->ir;
  const int64_t zero = 0, one = 1;
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(s->op, 0));
  for (intptr_t i = 0; i < s->n; ++i) {
    XlaShape shape = xlaArrayShape(operands[i]);
    shape.elementType =
        xlaArrayShape(mlirOperationGetResult(s->op, i)).elementType;
    types[i] = xlaShapeToMlir(&shape, ir->context);
  }
  XlaIrAttr attrs[] = {
      {"update_window_dims", mlirDenseI64ArrayGet(ir->context, 1, &one)},
      {"inserted_window_dims", mlirDenseI64ArrayGet(ir->context, 1, &zero)},
      {"scatter_dims_to_operand_dims",
       mlirDenseI64ArrayGet(ir->context, 1, &zero)},
      {"index_vector_dim", xlaIrI64Attr(ir->context, 1)},
      {"indices_are_sorted", mlirBoolAttrGet(ir->context, true)}};
  return xlaIrCreate(ir, "xla.scatter", 2 * s->n + 1, operands, s->n, types, 5,
                     attrs, 1, &region);
}

static MlirLogicalResult sortScatter(MlirOperation op) {
  Scatter s;
  XlaShape rows = {.elementType = XlaElementTypeS32};
  int64_t inputs[XLA_MAX_RANK], updates[XLA_MAX_RANK];
  XlaIr ir = xlaIrBefore(op);
  readScatter(&s, op);
  s.ir = &ir;
  if (!plan(&s))
    return xlaOpUnsupported(op, NULL,
                            "of 2^31 windows or places and more is not "
                            "supported on this device");
  if (!s.nColumns || !s.nPlaces || !s.rows)
    return success(); // nothing is to be done
  orderInputs(&s, inputs);
  orderUpdates(&s, updates);
  for (int i = 0; i < s.windows.batch.size; ++i)
    rows.dims[rows.rank++] = s.update.dims[s.windows.batch.values[i]];
  for (int d = 0; d < s.input.rank; ++d)
    if (s.updateDim[d] >= 0 && !s.isColumn[d])
      rows.dims[rows.rank++] = s.sizes[d];
  intptr_t n = 2 * s.n + 1;
  MlirValue *operands = malloc((size_t)n * sizeof *operands), sorted, order;
  MlirType *types = malloc((size_t)s.n * sizeof *types);
  if (!operands || !types) {
    free(operands);
    free(types);
    return xlaOpNoMemory(op);
  }
  sortPlaces(&s, placesOf(&s, &rows), &sorted, &order);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue x = mlirOperationGetOperand(op, i);
    operands[i] = i < s.n    ? matrix(&s, x, inputs, s.nPlaces)
                  : i == s.n ? sorted
                             : xlaArrayTake(&ir, matrix(&s, x, updates, s.rows),
                                            order, 0);
  }
  MlirOperation made = scatterRows(&s, operands, types);
  for (intptr_t i = 0; i < s.n; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(op, i),
        fromMatrix(&s, mlirOperationGetResult(made, i), inputs));
  mlirOperationDestroy(op);
  free(operands);
  free(types);
  return success();
}

static bool needsSort(MlirOperation op) {
  return xlaOpGetKind(op) == XlaOpKindScatter &&
         xlaScatterGetForm(op) == XlaScatterFormNone;
}

MlirLogicalResult xlaScatterSort(MlirOperation op) {
  XlaIrOps found = xlaIrCollect(op, MlirWalkPostOrder, needsSort);
  MlirLogicalResult result = found.failed ? xlaOpNoMemory(op) : success();
  for (intptr_t i = 0; !failed(result) && i < found.n; ++i)
    result = sortScatter(found.ops[i]);
  free(found.ops);
  return result;
}

MlirLogicalResult xlaPassSortScatters(MlirOperation module,
                                      MlirExtPassOptionValues options,
                                      void *userData) {
  (void)options;
  (void)userData;
  return xlaFusionDeviceOfTarget(module)->runsAtOnce ? xlaScatterSort(module)
                                                     : success();
}

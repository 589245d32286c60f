//===- scatter.c - Scatters of arrays with sizes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows that do not lie inside the inputs are skipped. So an index beyond
// what is there, or one that is not there itself, becomes the largest, which
// leaves sorted indices sorted. Where windows have sizes themselves, or indices
// no coordinates, each element gets a place of its own.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/dynamic/bounded_internal.h"

#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinAttributes.h"

typedef struct Scatter {
  XlaBoundedOp *b;
  XlaIndexedWindows windows;
  intptr_t n; // inputs
  XlaBounded input, indices, update;
} Scatter;

/// Sizes of inputs agree, and so do those of updates and of indices.
static MlirLogicalResult agreeAll(Scatter *s) {
  XlaBoundedOp *b = s->b;
  for (int d = 0; d < s->input.shape.rank; ++d)
    if (failed(xlaBoundedAgree(b, s->n, d, "scatter_c1", &s->input.sizes[d])))
      return failure();
  for (intptr_t i = 1; i < s->n; ++i) {
    XlaBounded other = xlaBoundedOperand(b, s->n + 1 + i);
    for (int d = 0; d < other.shape.rank; ++d)
      if (failed(xlaBoundedCheck(
              b, XlaBoundedEqual, xlaBoundedSize(&b->ir, &s->update, d),
              xlaBoundedSize(&b->ir, &other, d), "scatter_c3",
              "dimension %d of update 0 is %%d, of update "
              "%lld %%d",
              d, (long long)i)))
        return failure();
  }
  for (int i = 0; i < s->windows.batch.size; ++i) {
    int64_t d = s->windows.batch.values[i];
    int64_t k = s->windows.indexBatch.values[i];
    if ((s->update.sizes[d].ptr || s->indices.sizes[k].ptr) &&
        failed(xlaBoundedCheck(
            b, XlaBoundedEqual, xlaBoundedSize(&b->ir, &s->update, d),
            xlaBoundedSize(&b->ir, &s->indices, k), "scatter_c4",
            "dimension %lld of update 0 is %%d, dimension "
            "%lld of scatter_indices %%d",
            (long long)d, (long long)k)))
      return failure();
  }
  return success();
}

/// Whether windows are of static sizes at places that indices hold.
static bool hasPlaces(const Scatter *s) {
  for (int i = 0; i < s->windows.offset.size; ++i)
    if (s->update.sizes[s->windows.offset.values[i]].ptr)
      return false;
  return s->windows.startMap.size != 0;
}

/// The dimension of the updates that goes over windows in dimension `d` of the
/// inputs; -1 if none does.
static int64_t updateDimension(const Scatter *s, int64_t d) {
  for (int i = 0; i < s->windows.offset.size; ++i)
    if (s->windows.window.values[i] == d)
      return s->windows.offset.values[i];
  return -1;
}

static MlirLogicalResult checkWindow(Scatter *s, MlirValue size, int64_t d) {
  return xlaBoundedCheck(s->b, XlaBoundedAtMost, size,
                         xlaBoundedSize(&s->b->ir, &s->input, d), "scatter_c4",
                         "a window has %%d elements in dimension %lld of "
                         "input 0, which has %%d",
                         (long long)d);
}

//===----------------------------------------------------------------------===//
// Places of windows
//===----------------------------------------------------------------------===//

/// The most that each coordinate may be, in an array like `indices`.
static MlirLogicalResult limitsOf(Scatter *s, MlirValue indices,
                                  MlirValue *limits) {
  XlaBoundedOp *b = s->b;
  XlaShape shape = xlaArrayShape(indices);
  MlirValue parts[XLA_MAX_RANK];
  int64_t one = 1, d = s->windows.vectorDim;
  for (int k = 0; k < s->windows.startMap.size; ++k) {
    int64_t to = s->windows.startMap.values[k], u = updateDimension(s, to);
    int64_t size = u < 0 ? 1 : s->update.shape.dims[u];
    MlirValue most = xlaBoundedSize(&b->ir, &s->input, to);
    if (u >= 0 && failed(checkWindow(s, xlaBoundedNumber(&b->ir, size), to)))
      return failure();
    most = xlaArrayConvert(&b->ir, xlaBoundedAdd(&b->ir, most, -size),
                           shape.elementType);
    parts[k] = d < shape.rank ? xlaArrayReshape(&b->ir, most, 1, &one) : most;
  }
  MlirValue all =
      d < shape.rank
          ? xlaArrayConcatenate(&b->ir, s->windows.startMap.size, parts, 0)
          : parts[0];
  *limits = xlaArrayBroadcast(&b->ir, all, shape.rank, shape.dims, &d);
  return success();
}

/// The same scatter with the indices of windows that are there.
static MlirLogicalResult scatterWindows(Scatter *s, MlirOperation made,
                                        XlaElementType type) {
  XlaIr *ir = &s->b->ir;
  MlirValue limits, indices = xlaArrayConvert(ir, s->indices.array, type);
  if (failed(limitsOf(s, indices, &limits)))
    return failure();
  MlirValue isInside = xlaBoundedCompare(ir, "LE", indices, limits);
  MlirValue isThere = xlaBoundedMask(ir, &s->indices, s->indices.shape.dynamic);
  if (isThere.ptr)
    isInside = xlaIrBinary(ir, "xla.and", isInside, isThere);
  uint64_t most = type == XlaElementTypeS32 ? INT32_MAX : INT64_MAX;
  mlirOperationSetOperand(made, s->n,
                          xlaArraySelect(ir, isInside, indices,
                                         xlaArrayInteger(ir, indices, most)));
  return success();
}

//===----------------------------------------------------------------------===//
// Places of elements
//===----------------------------------------------------------------------===//

/// Coordinate `k` of the indices, in the dimensions of the updates.
static MlirValue coordinate(Scatter *s, MlirValue indices, int64_t k) {
  XlaIr *ir = &s->b->ir;
  XlaShape shape = xlaArrayShape(indices);
  int64_t d = s->windows.vectorDim, starts[XLA_MAX_RANK] = {0};
  if (d < shape.rank) {
    starts[d] = k;
    int64_t limits[XLA_MAX_RANK];
    for (int i = 0; i < shape.rank; ++i)
      limits[i] = shape.dims[i];
    limits[d] = k + 1;
    indices = xlaArraySlice(ir, indices, starts, limits, NULL);
    for (int i = (int)d + 1; i < shape.rank; ++i)
      shape.dims[i - 1] = shape.dims[i];
    indices = xlaArrayReshape(ir, indices, --shape.rank, shape.dims);
  }
  return xlaArrayBroadcast(ir, indices, s->update.shape.rank,
                           s->update.shape.dims, s->windows.batch.values);
}

/// `size` in the dimensions and the type of `like`.
static MlirValue spread(XlaIr *ir, MlirValue size, MlirValue like) {
  return xlaArraySplat(
      ir, xlaArrayConvert(ir, size, xlaArrayShape(like).elementType), like);
}

static MlirValue both(XlaIr *ir, MlirValue a, MlirValue b) {
  return mlirValueIsNull(a) ? b : xlaIrBinary(ir, "xla.and", a, b);
}

/// Where each element of the updates goes in dimension `d` of the inputs; null
/// where all go to place 0. `*isInside` has those whose windows do not fit
/// left out.
static MlirLogicalResult placeIn(Scatter *s, MlirValue indices, int64_t d,
                                 MlirValue *place, MlirValue *isInside) {
  XlaIr *ir = &s->b->ir;
  const XlaShape *shape = &s->update.shape;
  XlaElementType type = xlaArrayShape(indices).elementType;
  MlirValue size = xlaBoundedSize(ir, &s->input, d), start = {NULL};
  int64_t u = updateDimension(s, d), count = -1;
  for (int i = 0; i < s->windows.batching.size; ++i)
    for (int k = 0; k < s->windows.batch.size; ++k)
      if (s->windows.batching.values[i] == d &&
          s->windows.indexBatch.values[k] == s->windows.indexBatching.values[i])
        count = s->windows.batch.values[k];
  MlirValue own =
      u < 0 ? xlaBoundedNumber(ir, 1) : xlaBoundedSize(ir, &s->update, u);
  if (u >= 0 && failed(checkWindow(s, own, d)))
    return failure();
  for (int k = 0; k < s->windows.startMap.size; ++k)
    if (s->windows.startMap.values[k] == d)
      start = coordinate(s, indices, k);
  if (!mlirValueIsNull(start)) {
    MlirValue most = xlaIrBinary(ir, "xla.subtract", size, own);
    *isInside = both(ir, *isInside,
                     xlaArrayCompare(ir, "LE", start, spread(ir, most, start)));
    *isInside =
        both(ir, *isInside,
             xlaArrayCompare(ir, "GE", start, xlaArrayInteger(ir, start, 0)));
  }
  *place = start;
  if (u < 0 && count < 0)
    return success();
  MlirValue within =
      xlaArrayIota(ir, type, shape->rank, shape->dims, u < 0 ? count : u);
  *place = mlirValueIsNull(start) ? within
                                  : xlaIrBinary(ir, "xla.add", start, within);
  return success();
}

/// Where each element of the updates goes among all of the inputs; -1 for none.
static MlirLogicalResult placeAll(Scatter *s, XlaElementType type,
                                  MlirValue *places) {
  XlaIr *ir = &s->b->ir;
  const XlaShape *shape = &s->update.shape;
  MlirValue indices = xlaArrayConvert(ir, s->indices.array, type);
  MlirValue isInside = xlaBoundedMask(ir, &s->update, shape->dynamic);
  int64_t stride = 1;
  *places = xlaArrayBroadcast(ir, xlaArrayNumber(ir, type, 0), shape->rank,
                              shape->dims, NULL);
  for (int d = s->input.shape.rank - 1; d >= 0; --d) {
    MlirValue place;
    if (failed(placeIn(s, indices, d, &place, &isInside)))
      return failure();
    if (!mlirValueIsNull(place)) {
      place = xlaIrBinary(ir, "xla.multiply", place,
                          xlaArrayInteger(ir, place, (uint64_t)stride));
      *places = xlaIrBinary(ir, "xla.add", *places, place);
    }
    stride *= s->input.shape.dims[d];
  }
  if (!mlirValueIsNull(isInside))
    *places = xlaArraySelect(ir, isInside, *places,
                             xlaArrayInteger(ir, *places, UINT64_MAX));
  return success();
}

static void setList(MlirOperation op, const char *name, int n,
                    const int64_t *values) {
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString(name),
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), n, values));
}

/// A scatter of elements of vectors in place of `made`.
static MlirLogicalResult scatterElements(Scatter *s, MlirOperation made,
                                         XlaElementType type) {
  XlaIr *ir = &s->b->ir;
  int64_t nInputs = 1, nUpdates = 1;
  const int64_t zero = 0;
  MlirValue places;
  if (failed(placeAll(s, type, &places)))
    return failure();
  xlaShapeGetElementCount(&s->input.shape, &nInputs);
  xlaShapeGetElementCount(&s->update.shape, &nUpdates);
  mlirOperationSetOperand(made, s->n,
                          xlaArrayReshape(ir, places, 1, &nUpdates));
  for (intptr_t i = 0; i < s->n; ++i) {
    mlirOperationSetOperand(
        made, i,
        xlaArrayReshape(ir, mlirOperationGetOperand(made, i), 1, &nInputs));
    mlirOperationSetOperand(
        made, s->n + 1 + i,
        xlaArrayReshape(ir, mlirOperationGetOperand(made, s->n + 1 + i), 1,
                        &nUpdates));
    XlaShape shape = xlaArrayShape(mlirOperationGetResult(made, i));
    shape.rank = 1;
    shape.dims[0] = nInputs;
    mlirValueSetType(mlirOperationGetResult(made, i),
                     xlaShapeToMlir(&shape, ir->context));
  }
  setList(made, "update_window_dims", 0, NULL);
  setList(made, "inserted_window_dims", 1, &zero);
  setList(made, "input_batching_dims", 0, NULL);
  setList(made, "scatter_indices_batching_dims", 0, NULL);
  setList(made, "scatter_dims_to_operand_dims", 1, &zero);
  mlirOperationSetAttributeByName(
      made, mlirStringRefCreateFromCString("index_vector_dim"),
      xlaIrI64Attr(ir->context, 1));
  mlirOperationSetAttributeByName(
      made, mlirStringRefCreateFromCString("indices_are_sorted"),
      mlirBoolAttrGet(ir->context, false));
  return success();
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

/// Whether numbers up to `n` need more than 32 bits.
static bool isWide(const XlaShape *shape) {
  int64_t count = 0;
  xlaShapeGetElementCount(shape, &count);
  return count > INT32_MAX;
}

MlirLogicalResult xlaBoundedScatter(XlaBoundedOp *b) {
  Scatter s = {.b = b, .n = mlirOperationGetNumOperands(b->op) / 2};
  s.input = xlaBoundedOperand(b, 0);
  s.indices = xlaBoundedOperand(b, s.n);
  s.update = xlaBoundedOperand(b, s.n + 1);
  xlaIndexedWindowsGet(b->op, &s.windows);
  if (failed(agreeAll(&s)) ||
      failed(xlaBoundedWindowsAgree(b, &s.windows, &s.input, &s.indices)))
    return failure();
  MlirOperation made = xlaBoundedClone(b);
  XlaElementType from = s.indices.shape.elementType;
  bool keepsPlaces = hasPlaces(&s);
  bool isShort =
      from == XlaElementTypeS32 || xlaElementTypeGetInfo(from)->bits < 32;
  XlaElementType type = isShort && (keepsPlaces || !isWide(&s.input.shape))
                            ? XlaElementTypeS32
                            : XlaElementTypeS64;
  if (failed(keepsPlaces ? scatterWindows(&s, made, type)
                         : scatterElements(&s, made, type)))
    return failure();
  mlirOperationMoveBefore(made, b->op);
  for (intptr_t i = 0; i < s.n; ++i) {
    XlaBounded result = s.input;
    result.shape = xlaBoundedResultShape(b, i);
    result.array = mlirOperationGetResult(made, i);
    if (!keepsPlaces)
      result.array = xlaArrayReshape(&b->ir, result.array, result.shape.rank,
                                     result.shape.dims);
    if (failed(xlaBoundedSetResult(b, i, &result)))
      return failure();
  }
  return success();
}

//===- reduce_window_scan.c - Reductions of large windows -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By scans: windows that reach from one end of a dimension up to each element
// are one. For others the array is cut into blocks as long as the window, which
// are scanned from both sides, as a window is the end of one block and the
// beginning of the next (van Herk, "A fast algorithm for local minimum and
// maximum filters on rectangular and octagonal kernels", 1992; Gil and Werman,
// "Computing 2-D min, median, and max filters", 1993). That takes three
// operations an element, whatever the window's size.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/reduce_window.h"

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/dynamic/sizes.h"
#include "xlac/passes/expand/scan.h"
#include "xlac/passes/flatten.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

enum { few = 8 }; // elements that are combined one by one

bool xlaReduceWindowIsCommutative(const XlaReduceWindow *e) {
  static const XlaOpKind known[] = {
      XlaOpKindAdd,      XlaOpKindAnd, XlaOpKindMaximum, XlaOpKindMinimum,
      XlaOpKindMultiply, XlaOpKindOr,  XlaOpKindXor};
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(e->op, 0));
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < e->n; ++i) {
    MlirValue result = mlirOperationGetOperand(terminator, i);
    MlirValue x = mlirBlockGetArgument(block, i),
              y = mlirBlockGetArgument(block, e->n + i);
    if (!mlirValueIsAOpResult(result))
      return false;
    MlirOperation op = mlirOpResultGetOwner(result);
    bool isKnown = false;
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
      isKnown |= xlaOpGetKind(op) == known[k];
    if (!isKnown)
      return false;
    MlirValue a = mlirOperationGetOperand(op, 0),
              b = mlirOperationGetOperand(op, 1);
    if (!(mlirValueEqual(a, x) && mlirValueEqual(b, y)) &&
        !(mlirValueEqual(a, y) && mlirValueEqual(b, x)))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Windows along one dimension
//===----------------------------------------------------------------------===//

/// Combines `a` and `b`, arrays of the same dimensions, as the region does;
/// `results` may be `b`. False without memory.
static bool combine(const XlaReduceWindow *e, const MlirValue *a,
                    const MlirValue *b, MlirValue *results) {
  MlirValue *arguments = e->values + 2 * e->n;
  XlaShape shape = xlaArrayShape(a[0]);
  for (intptr_t i = 0; i < e->n; ++i) {
    arguments[i] = a[i];
    arguments[e->n + i] = b[i];
  }
  return xlaRegionInline(e->ir, mlirOperationGetRegion(e->op, 0), &shape,
                         arguments, results);
}

/// `count` elements of dimension `d`, `stride` apart.
static MlirValue sliceDimension(const XlaReduceWindow *e, MlirValue array,
                                int d, int64_t start, int64_t count,
                                int64_t stride) {
  XlaShape shape = xlaArrayShape(array);
  int64_t starts[XLA_MAX_RANK] = {0}, strides[XLA_MAX_RANK];
  for (int i = 0; i < shape.rank; ++i)
    strides[i] = 1;
  starts[d] = start;
  shape.dims[d] = start + (count - 1) * stride + 1;
  strides[d] = stride;
  return xlaArraySlice(e->ir, array, starts, shape.dims, strides);
}

/// Dimension `d` padded to `size` elements with what nothing uses.
static MlirValue fillUp(const XlaReduceWindow *e, MlirValue array, int d,
                        int64_t size) {
  int64_t zeros[XLA_MAX_RANK] = {0}, high[XLA_MAX_RANK] = {0};
  XlaShape shape = xlaArrayShape(array);
  high[d] = size - shape.dims[d];
  return xlaArrayPad(e->ir, array, xlaArrayNumber(e->ir, shape.elementType, 0),
                     zeros, high, zeros);
}

/// Dimension `d` as two, the inner one of `inner` elements; or two as one.
static MlirValue splitDimension(const XlaReduceWindow *e, MlirValue array,
                                int d, int64_t inner) {
  XlaShape shape = xlaArrayShape(array);
  memmove(&shape.dims[d + 1], &shape.dims[d],
          (size_t)(shape.rank - d) * sizeof *shape.dims);
  shape.dims[d] /= inner;
  shape.dims[d + 1] = inner;
  return xlaArrayReshape(e->ir, array, shape.rank + 1, shape.dims);
}

static MlirValue mergeDimensions(const XlaReduceWindow *e, MlirValue array,
                                 int d) {
  XlaShape shape = xlaArrayShape(array);
  shape.dims[d] *= shape.dims[d + 1];
  memmove(&shape.dims[d + 1], &shape.dims[d + 2],
          (size_t)(shape.rank - d - 2) * sizeof *shape.dims);
  return xlaArrayReshape(e->ir, array, shape.rank - 1, shape.dims);
}

/// Windows of a few elements along dimension `d`, at every place.
static bool combineFew(const XlaReduceWindow *e, MlirValue *arrays, int d,
                       int64_t size) {
  MlirValue *sums = e->values + 4 * e->n, *next = sums + e->n;
  int64_t places = xlaArrayShape(arrays[0]).dims[d] - size + 1;
  for (int64_t k = 0; k < size; ++k) {
    for (intptr_t i = 0; i < e->n; ++i)
      (k ? next : sums)[i] = sliceDimension(e, arrays[i], d, k, places, 1);
    if (k && !combine(e, sums, next, sums))
      return false;
  }
  memcpy(arrays, sums, (size_t)e->n * sizeof *arrays);
  return true;
}

/// The places in dimension `d` of `shape` at which a block of `size` begins.
static MlirValue isBlockStart(const XlaReduceWindow *e, const XlaShape *shape,
                              int d, int64_t size) {
  int64_t blocks = (shape->dims[d] - 1) / size + 1, whole = blocks * size;
  MlirValue place = xlaArrayIota(e->ir, XlaElementTypeS32, 2,
                                 (const int64_t[]){blocks, size}, 1);
  place = xlaArrayReshape(e->ir, place, 1, &whole);
  place = sliceDimension(e, place, 0, 0, shape->dims[d], 1);
  MlirValue isStart =
      xlaArrayCompare(e->ir, "EQ", place, xlaArrayInteger(e->ir, place, 0));
  return xlaArrayBroadcast(e->ir, isStart, shape->rank, shape->dims,
                           (const int64_t[]){d});
}

/// Windows of `size` elements along dimension `d`, at every place: the end of
/// one block of that size and the beginning of the next.
static bool combineBlocks(const XlaReduceWindow *e, MlirValue *arrays, int d,
                          int64_t size) {
  MlirValue *ends = e->values + 4 * e->n, *starts = ends + e->n;
  int64_t length = xlaArrayShape(arrays[0]).dims[d], places = length - size + 1;
  for (intptr_t i = 0; i < e->n; ++i)
    arrays[i] = splitDimension(
        e, fillUp(e, arrays[i], d, (length - 1) / size * size + size), d, size);
  if (!xlaScanCreate(e->ir, e->op, arrays, e->n, d + 1, true, ends) ||
      !xlaScanCreate(e->ir, e->op, arrays, e->n, d + 1, false, starts))
    return false;
  for (intptr_t i = 0; i < e->n; ++i) {
    ends[i] =
        sliceDimension(e, mergeDimensions(e, ends[i], d), d, 0, places, 1);
    starts[i] = sliceDimension(e, mergeDimensions(e, starts[i], d), d, size - 1,
                               places, 1);
  }
  XlaShape shape = xlaArrayShape(ends[0]);
  MlirValue isOne = isBlockStart(e, &shape, d, size);
  if (!combine(e, ends, starts, starts))
    return false;
  for (intptr_t i = 0; i < e->n; ++i)
    arrays[i] = xlaArraySelect(e->ir, isOne, ends[i], starts[i]);
  return true;
}

/// Windows along dimension `d`. Those with holes are without along one of two
/// dimensions.
static bool combineDimension(const XlaReduceWindow *e, MlirValue *arrays,
                             int d) {
  int64_t size = e->window.sizes[d], hole = e->window.windowDilations[d];
  int64_t length = e->padded[d], count = e->window.counts[d];
  for (intptr_t i = 0; i < e->n && hole > 1; ++i)
    arrays[i] = splitDimension(
        e, fillUp(e, arrays[i], d, (length - 1) / hole * hole + hole), d, hole);
  if (!(size <= few ? combineFew : combineBlocks)(e, arrays, d, size))
    return false;
  for (intptr_t i = 0; i < e->n; ++i) {
    if (hole > 1)
      arrays[i] = mergeDimensions(e, arrays[i], d);
    arrays[i] = sliceDimension(e, arrays[i], d, 0, count, e->window.strides[d]);
  }
  return true;
}

/// Later dimensions first: so elements come in order.
MlirLogicalResult xlaReduceWindowByDimension(const XlaReduceWindow *e,
                                             MlirValue *results) {
  XlaShape shape = xlaArrayShape(mlirOperationGetResult(e->op, 0));
  MlirValue *inits = e->values + 4 * e->n;
  bool done = true;
  for (int d = e->window.rank - 1; d >= 0 && done; --d)
    done = combineDimension(e, e->values, d);
  for (intptr_t i = 0; i < e->n && done; ++i)
    inits[i] = xlaArrayBroadcast(e->ir, e->values[e->n + i], shape.rank,
                                 shape.dims, NULL);
  return done && combine(e, inits, e->values, results) ? success()
                                                       : xlaOpNoMemory(e->op);
}

//===----------------------------------------------------------------------===//
// Windows from one end on
//===----------------------------------------------------------------------===//

/// The only dimension along which windows have several elements, if they are
/// all of the array's from one end on, and padding; else -1.
static int findLine(const XlaWindow *window, bool *isReverse) {
  int found = -1;
  for (int d = 0; d < window->rank; ++d) {
    int64_t size = window->sizes[d];
    if (window->strides[d] != 1 || window->baseDilations[d] != 1)
      return -1;
    if (size == 1 && !window->low[d] && !window->high[d])
      continue;
    bool isForward = window->low[d] == size - 1 && !window->high[d];
    if (found >= 0 || window->windowDilations[d] != 1 ||
        size < window->base[d] || window->base[d] < 2 ||
        (!isForward && (window->low[d] || window->high[d] != size - 1)))
      return -1;
    *isReverse = !isForward;
    found = d;
  }
  return found;
}

/// Whether the init values combined with themselves are seen to be the same, as
/// zeros in a sum: then it does not matter how many of them are padding.
static bool areInitsIdempotent(const XlaReduceWindow *e) {
  enum { most = 4 };
  MlirAttribute operands[2 * most];
  MlirExtFoldResult folded[most] = {0};
  MlirValue values[2 * most];
  MlirType types[most];
  const int64_t zero = 0, one = 1;
  intptr_t n = e->n;
  if (n > most)
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    operands[n + i] = xlaConstantFold(e->values[n + i]);
    if (mlirAttributeIsNull(operands[n + i]))
      return false;
  }
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue init = values[n + i] = e->values[n + i];
    types[i] = mlirValueGetType(init);
    values[i] = xlaArrayBroadcast(e->ir, init, 1, &one, NULL);
    operands[i] = mlirDenseElementsAttrReshapeGet(operands[n + i],
                                                  mlirValueGetType(values[i]));
  }
  MlirOperation copy = mlirOperationClone(e->op);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  XlaIrAttr dimensions = {"dimensions",
                          mlirDenseI64ArrayGet(e->ir->context, 1, &zero)};
  MlirOperation reduce = xlaIrCreate(e->ir, "xla.reduce", 2 * n, values, n,
                                     types, 1, &dimensions, 1, &region);
  bool same = !failed(xlaFoldOperation(reduce, 2 * n, operands, folded));
  for (intptr_t i = 0; i < n && same; ++i)
    same = mlirAttributeEqual(folded[i].attribute, operands[n + i]);
  mlirOperationDestroy(reduce);
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationDestroy(mlirOpResultGetOwner(values[i]));
  return same;
}

/// Whether an element of arrays of `shape` has a place along dimension `d` that
/// is `direction` than `place`.
static MlirValue comparePlace(const XlaReduceWindow *e, const XlaShape *shape,
                              int d, const char *direction, int64_t place) {
  MlirValue at =
      xlaArrayIota(e->ir, XlaElementTypeS32, shape->rank, shape->dims, d);
  return xlaArrayCompare(e->ir, direction, at,
                         xlaArrayInteger(e->ir, at, (uint64_t)place));
}

static void selectEach(const XlaReduceWindow *e, MlirValue pred,
                       const MlirValue *yes, const MlirValue *no,
                       MlirValue *results) {
  for (intptr_t i = 0; i < e->n; ++i)
    results[i] = xlaArraySelect(e->ir, pred, yes[i], no[i]);
}

bool xlaReduceWindowIsScan(const XlaReduceWindow *e) {
  bool isReverse;
  return findLine(&e->window, &isReverse) >= 0 && areInitsIdempotent(e);
}

/// First elements are combined with the init values before, unless these come
/// behind in padding as well, and the order of arguments matters.
MlirLogicalResult xlaReduceWindowScan(const XlaReduceWindow *e,
                                      MlirValue *results) {
  bool isReverse = false;
  int d = findLine(&e->window, &isReverse);
  MlirValue *inits = e->values + 4 * e->n, *made = inits + e->n;
  XlaShape shape = xlaArrayShape(e->values[0]);
  int64_t size = shape.dims[d];
  bool isFromFirst = !isReverse || xlaReduceWindowIsCommutative(e), done = true;
  for (intptr_t i = 0; i < e->n; ++i)
    inits[i] = xlaArrayBroadcast(e->ir, e->values[e->n + i], shape.rank,
                                 shape.dims, NULL);
  if (isFromFirst) {
    done = combine(e, inits, e->values, made);
    if (done)
      selectEach(e, comparePlace(e, &shape, d, "EQ", isReverse ? size - 1 : 0),
                 made, e->values, e->values);
  }
  done &= xlaScanCreate(e->ir, e->op, e->values, e->n, d, isReverse, results);
  if (done && !isFromFirst) {
    done = combine(e, results, inits, made);
    selectEach(e, comparePlace(e, &shape, d, "LE", size - e->window.sizes[d]),
               results, made, results);
    done &= combine(e, inits, results, results);
  }
  return done ? success() : xlaOpNoMemory(e->op);
}

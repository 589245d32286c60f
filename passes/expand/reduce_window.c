//===- reduce_window.c - Reductions of windows ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four forms, on the padded operands:
//  - windows that do not overlap become dimensions of their own, for a reduce;
//  - small windows are combined element by element: a strided slice for each
//    place in the window, in order;
//  - large windows of an associative operation are combined dimension by
//    dimension from windows of 1, 2, 4 .. elements: n log w operations for
//    w elements, so that running sums stay cheap;
//  - large windows of any other operation are combined as small ones, in a loop
//    over their places.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/expand/taps.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

enum { fewTaps = 32 };
static const int64_t maxPaddedBytes = (int64_t)1 << 32;

typedef struct Expansion {
  XlaIr *ir;
  MlirOperation op;
  XlaWindow window;
  intptr_t n;                   // operands
  int64_t padded[XLA_MAX_RANK]; // sizes
  MlirValue *values; // n padded operands, n init values, 3 n for bodies
} Expansion;

/// Operands and init values in the types that the region takes.
static void convertOperands(Expansion *e) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(e->op, 0));
  for (intptr_t i = 0; i < 2 * e->n; ++i)
    e->values[i] = xlaArrayConvert(
        e->ir, mlirOperationGetOperand(e->op, i),
        xlaArrayShape(mlirBlockGetArgument(body, i)).elementType);
}

static void padOperands(Expansion *e) {
  int64_t interior[XLA_MAX_RANK];
  for (int d = 0; d < e->window.rank; ++d)
    interior[d] = e->window.baseDilations[d] - 1;
  for (intptr_t i = 0; i < e->n; ++i)
    e->values[i] = xlaArrayPad(e->ir, e->values[i], e->values[e->n + i],
                               e->window.low, e->window.high, interior);
}

static int64_t extent(const XlaWindow *window, int d) {
  return (window->sizes[d] - 1) * window->windowDilations[d] + 1;
}

//===----------------------------------------------------------------------===//
// Windows that do not overlap
//===----------------------------------------------------------------------===//

static bool isDisjoint(const XlaWindow *window) {
  for (int d = 0; d < window->rank; ++d)
    if (window->counts[d] > 1 && window->strides[d] < extent(window, d))
      return false;
  return true;
}

/// The windows as dimensions after the position of each.
static MlirValue splitWindows(const Expansion *e, MlirValue array) {
  const XlaWindow *window = &e->window;
  int64_t zeros[XLA_MAX_RANK] = {0}, ones[XLA_MAX_RANK], limits[XLA_MAX_RANK],
          high[XLA_MAX_RANK], split[XLA_MAX_RANK], steps[XLA_MAX_RANK];
  int rank = window->rank;
  for (int d = 0; d < rank; ++d) {
    // Of the last window what follows it may be missing.
    int64_t period =
        window->counts[d] == 1 ? extent(window, d) : window->strides[d];
    int64_t wanted = window->counts[d] * period;
    limits[d] = e->padded[d] < wanted ? e->padded[d] : wanted;
    high[d] = wanted - limits[d];
    ones[d] = 1;
    split[2 * d] = window->counts[d];
    split[2 * d + 1] = period;
  }
  MlirValue filler = xlaArrayNumber(e->ir, xlaArrayShape(array).elementType, 0);
  array = xlaArraySlice(e->ir, array, zeros, limits, ones);
  array = xlaArrayPad(e->ir, array, filler, zeros, high, zeros);
  array = xlaArrayReshape(e->ir, array, 2 * rank, split);
  for (int d = 0; d < rank; ++d) {
    limits[2 * d] = split[2 * d];
    limits[2 * d + 1] = extent(window, d);
    steps[2 * d] = 1;
    steps[2 * d + 1] = window->windowDilations[d];
  }
  return xlaArraySlice(e->ir, array, zeros, limits, steps);
}

static void reduceDisjoint(Expansion *e, MlirValue *results) {
  int64_t reduced[XLA_MAX_RANK];
  MlirType *types = (MlirType *)(e->values + 2 * e->n);
  for (int d = 0; d < e->window.rank; ++d)
    reduced[d] = 2 * d + 1;
  for (intptr_t i = 0; i < e->n; ++i) {
    e->values[i] = splitWindows(e, e->values[i]);
    types[i] = mlirValueGetType(mlirOperationGetResult(e->op, i));
  }
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(e->op, 0));
  MlirOperation reduce = xlaIrCreate(
      e->ir, "xla.reduce", 2 * e->n, e->values, e->n, types, 1,
      &(XlaIrAttr){"dimensions", mlirDenseI64ArrayGet(e->ir->context,
                                                      e->window.rank, reduced)},
      1, &region);
  for (intptr_t i = 0; i < e->n; ++i)
    results[i] = mlirOperationGetResult(reduce, i);
}

//===----------------------------------------------------------------------===//
// Small windows
//===----------------------------------------------------------------------===//

static MlirLogicalResult combineTaps(Expansion *e, MlirValue *results) {
  MlirRegion region = mlirOperationGetRegion(e->op, 0);
  MlirValue *arguments = e->values + 2 * e->n;
  XlaShape shape = xlaArrayShape(mlirOperationGetResult(e->op, 0));
  int64_t index[XLA_MAX_RANK] = {0};
  for (intptr_t i = 0; i < e->n; ++i)
    results[i] = xlaArrayBroadcast(e->ir, e->values[e->n + i], shape.rank,
                                   shape.dims, NULL);
  do {
    for (intptr_t i = 0; i < e->n; ++i) {
      arguments[i] = results[i];
      arguments[e->n + i] =
          xlaTapsSlice(e->ir, &e->window, e->values[i], index);
    }
    if (!xlaRegionInline(e->ir, region, &shape, arguments, results))
      return xlaOpNoMemory(e->op);
  } while (xlaIndexNext(index, e->window.sizes, e->window.rank));
  return success();
}

//===----------------------------------------------------------------------===//
// Large windows
//===----------------------------------------------------------------------===//

/// The associative operation that the region consists of; NULL if it does not.
static const char *findAssociative(MlirRegion region) {
  static const struct {
    XlaOpKind kind;
    const char *name;
  } known[] = {{XlaOpKindAdd, "xla.add"},
               {XlaOpKindAnd, "xla.and"},
               {XlaOpKindMaximum, "xla.maximum"},
               {XlaOpKindMinimum, "xla.minimum"},
               {XlaOpKindMultiply, "xla.multiply"},
               {XlaOpKindOr, "xla.or"},
               {XlaOpKindXor, "xla.xor"}};
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  if (mlirBlockGetNumArguments(block) != 2 ||
      mlirOperationEqual(op, terminator) ||
      !mlirOperationEqual(mlirOperationGetNextInBlock(op), terminator) ||
      mlirOperationGetNumOperands(op) != 2 ||
      !mlirValueEqual(mlirOperationGetOperand(terminator, 0),
                      mlirOperationGetResult(op, 0)))
    return NULL;
  MlirValue a = mlirOperationGetOperand(op, 0),
            b = mlirOperationGetOperand(op, 1),
            x = mlirBlockGetArgument(block, 0),
            y = mlirBlockGetArgument(block, 1);
  if (!(mlirValueEqual(a, x) && mlirValueEqual(b, y)) &&
      !(mlirValueEqual(a, y) && mlirValueEqual(b, x)))
    return NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (xlaOpGetKind(op) == known[i].kind)
      return known[i].name;
  return NULL;
}

/// `count` elements of dimension `d`, `stride` apart.
static MlirValue sliceDimension(const Expansion *e, MlirValue array, int d,
                                int64_t start, int64_t count, int64_t stride) {
  XlaShape shape = xlaArrayShape(array);
  int64_t starts[XLA_MAX_RANK] = {0}, strides[XLA_MAX_RANK];
  for (int i = 0; i < shape.rank; ++i)
    strides[i] = 1;
  starts[d] = start;
  shape.dims[d] = start + (count - 1) * stride + 1;
  strides[d] = stride;
  return xlaArraySlice(e->ir, array, starts, shape.dims, strides);
}

/// Combines the windows of dimension `d`. `power` covers 1, 2, 4 .. elements
/// from each place on, `sum` as many as the bits of the window's size so far.
static MlirValue combineDimension(const Expansion *e, MlirValue array, int d,
                                  const char *name) {
  int64_t size = e->window.sizes[d], hole = e->window.windowDilations[d];
  int64_t stride = e->window.strides[d], covered = 0, width = 1;
  int64_t last = (e->window.counts[d] - 1) * stride + 1; // positions
  MlirValue power = array, sum = {NULL};
  for (;; width *= 2) {
    int64_t n = xlaArrayShape(power).dims[d];
    if (size & width) {
      MlirValue next = sliceDimension(e, power, d, covered * hole, last, 1);
      sum = mlirValueIsNull(sum) ? next : xlaIrBinary(e->ir, name, sum, next);
      covered += width;
    }
    if (covered == size)
      return sliceDimension(e, sum, d, 0, e->window.counts[d], stride);
    n -= width * hole;
    power = xlaIrBinary(e->ir, name, sliceDimension(e, power, d, 0, n, 1),
                        sliceDimension(e, power, d, width * hole, n, 1));
  }
}

static void combineDimensions(const Expansion *e, const char *name,
                              MlirValue *result) {
  XlaShape shape = xlaArrayShape(mlirOperationGetResult(e->op, 0));
  MlirValue array = e->values[0];
  for (int d = 0; d < e->window.rank; ++d)
    array = combineDimension(e, array, d, name);
  MlirValue init =
      xlaArrayBroadcast(e->ir, e->values[1], shape.rank, shape.dims, NULL);
  *result = xlaIrBinary(e->ir, name, init, array);
}

//===----------------------------------------------------------------------===//
// Large windows of any operation
//===----------------------------------------------------------------------===//

typedef struct TapLoop {
  Expansion *e;
  XlaShape shape;
  bool failed;
} TapLoop;

/// `state` is the number of a place and what was combined before it.
static void combineTap(XlaIr *ir, MlirValue *state, void *user) {
  TapLoop *loop = user;
  Expansion *e = loop->e;
  MlirValue *arguments = e->values + 2 * e->n, index[XLA_MAX_RANK];
  xlaTapsIndex(ir, e->window.rank, e->window.sizes, state[0], index);
  for (intptr_t i = 0; i < e->n; ++i) {
    arguments[i] = state[1 + i];
    arguments[e->n + i] =
        xlaTapsDynamicSlice(ir, &e->window, e->values[i], index);
  }
  loop->failed = !xlaRegionInline(ir, mlirOperationGetRegion(e->op, 0),
                                  &loop->shape, arguments, state + 1);
  state[0] =
      xlaIrBinary(ir, "xla.add", state[0], xlaArrayInteger(ir, state[0], 1));
}

static MlirLogicalResult combineInLoop(Expansion *e, MlirValue *results) {
  TapLoop loop = {e, xlaArrayShape(mlirOperationGetResult(e->op, 0)), false};
  MlirValue state[XLA_LOOP_MAX_STATE];
  XlaLoop taps = {(int)e->n + 1, NULL, combineTap, &loop,
                  (int64_t)xlaTapsCount(&e->window)};
  state[0] = xlaArrayNumber(e->ir, XlaElementTypeS32, 0);
  for (intptr_t i = 0; i < e->n; ++i)
    state[1 + i] = xlaArrayBroadcast(e->ir, e->values[e->n + i],
                                     loop.shape.rank, loop.shape.dims, NULL);
  xlaLoopRun(e->ir, &taps, state);
  for (intptr_t i = 0; i < e->n; ++i)
    results[i] = state[1 + i];
  return loop.failed ? xlaOpNoMemory(e->op) : success();
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Whether the padded operands have a reasonable size.
static MlirLogicalResult checkSize(Expansion *e) {
  const XlaWindow *window = &e->window;
  XlaShape result = xlaArrayShape(mlirOperationGetResult(e->op, 0));
  double bytes = xlaElementTypeGetInfo(result.elementType)->bytes;
  for (int d = 0; d < window->rank; ++d) {
    int64_t base = window->base[d];
    e->padded[d] = (base ? (base - 1) * window->baseDilations[d] + 1 : 0) +
                   window->low[d] + window->high[d];
    bytes *= (double)e->padded[d];
  }
  if (bytes <= (double)maxPaddedBytes && 2 * window->rank <= XLA_MAX_RANK)
    return success();
  return xlaOpUnsupported(
      e->op, NULL,
      "is not supported yet when compiled: padded operands of "
      "%.0f bytes and %d dimensions, the most are %lld and %d",
      bytes, window->rank, (long long)maxPaddedBytes, XLA_MAX_RANK / 2);
}

static MlirLogicalResult expandWindows(Expansion *e, MlirValue *results) {
  MlirRegion region = mlirOperationGetRegion(e->op, 0);
  bool elementwise = xlaRegionIsElementwise(region);
  double taps = xlaTapsCount(&e->window);
  const char *name = findAssociative(region);
  if (failed(checkSize(e)))
    return failure();
  convertOperands(e);
  padOperands(e);
  if (elementwise && taps <= (name ? fewTaps : XLA_TAPS_UNROLLED))
    return combineTaps(e, results);
  if (elementwise && isDisjoint(&e->window)) {
    reduceDisjoint(e, results);
    return success();
  }
  if (name) {
    combineDimensions(e, name, results);
    return success();
  }
  if (taps <= INT32_MAX && e->n < XLA_LOOP_MAX_STATE)
    return combineInLoop(e, results);
  return xlaOpUnsupported(
      e->op, NULL,
      "is not supported yet when compiled: windows of %.0f elements that "
      "overlap, of %lld operands, the most are %d and %d",
      taps, (long long)e->n, INT32_MAX, XLA_LOOP_MAX_STATE - 1);
}

MlirLogicalResult xlaExpandReduceWindow(XlaIr *ir, MlirOperation op,
                                        MlirValue *results) {
  Expansion e = {.ir = ir,
                 .op = op,
                 .n = mlirOperationGetNumOperands(op) / 2,
                 .window = {.rank = 0}};
  XlaShape operand = xlaArrayShape(mlirOperationGetOperand(op, 0));
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0));
  int64_t count;
  xlaWindowSetBase(&e.window, &operand);
  xlaWindowRead(op, &xlaReduceWindowForm, &e.window);
  e.values = calloc((size_t)(5 * e.n), sizeof *e.values);
  if (!e.values)
    return xlaOpNoMemory(op);
  xlaShapeGetElementCount(&result, &count);
  MlirLogicalResult done = success();
  if (count) {
    done = expandWindows(&e, results);
  } else {
    convertOperands(&e);
    for (intptr_t i = 0; i < e.n; ++i)
      results[i] = xlaArrayBroadcast(ir, e.values[e.n + i], result.rank,
                                     result.dims, NULL);
  }
  free(e.values);
  return done;
}

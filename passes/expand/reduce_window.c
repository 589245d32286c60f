//===- reduce_window.c - Reductions of windows ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seven forms, all but the first two on the padded operands:
//  - sums of windows that have one element each, with zeros around it, are that
//    element (reduce_window_repeat.c);
//  - windows that reach from one end of a dimension up to each element are a
//    scan (reduce_window_scan.c);
//  - small windows are combined element by element: a strided slice for each
//    place in the window, in order;
//  - windows that do not overlap become dimensions of their own, for a reduce;
//  - those of an operation that is seen not to be associative are combined as
//    small ones, in a loop over their places;
//  - so are those of other computations than arithmetic; of one that draws
//    numbers, transfers or calls in loops over the windows and their places;
//  - others are combined dimension by dimension (reduce_window_scan.c): XLA
//    leaves the order in which a window's elements are combined open.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/reduce_window.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/expand/computations.h"
#include "xlac/passes/expand/expand.h"
#include "xlac/passes/expand/rng.h"
#include "xlac/passes/expand/taps.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

enum { fewTaps = 32 }; // that are combined one by one
static const int64_t maxPaddedBytes = (int64_t)1 << 32;

/// Operands and init values in the types that the region takes.
static void convertOperands(XlaReduceWindow *e) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(e->op, 0));
  for (intptr_t i = 0; i < 2 * e->n; ++i)
    e->values[i] = xlaArrayConvert(
        e->ir, mlirOperationGetOperand(e->op, i),
        xlaArrayShape(mlirBlockGetArgument(body, i)).elementType);
}

static void padOperands(XlaReduceWindow *e) {
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
static MlirValue splitWindows(const XlaReduceWindow *e, MlirValue array) {
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

static void reduceDisjoint(XlaReduceWindow *e, MlirValue *results) {
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

static MlirLogicalResult combineTaps(XlaReduceWindow *e, MlirValue *results) {
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
// Large windows whose order matters
//===----------------------------------------------------------------------===//

/// Of positions in the padded operands, of taps, and of windows, of which there
/// are `count`.
static XlaElementType counterOf(const XlaReduceWindow *e, int64_t count) {
  int64_t taps = (int64_t)xlaTapsCount(&e->window);
  int64_t most = count > taps ? count : taps;
  for (int d = 0; d < e->window.rank; ++d)
    most = e->padded[d] > most ? e->padded[d] : most;
  return xlaLoopCounter(most);
}

typedef struct TapLoop {
  XlaReduceWindow *e;
  XlaShape shape;
  bool failed;
} TapLoop;

/// `state` is the number of a place and what was combined before it.
static void combineTap(XlaIr *ir, MlirValue *state, void *user) {
  TapLoop *loop = user;
  XlaReduceWindow *e = loop->e;
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

static MlirLogicalResult combineInLoop(XlaReduceWindow *e, MlirValue *results) {
  TapLoop loop = {e, xlaArrayShape(mlirOperationGetResult(e->op, 0)), false};
  MlirValue state[XLA_LOOP_MAX_STATE];
  XlaLoop taps = {(int)e->n + 1, NULL, combineTap, &loop,
                  (int64_t)xlaTapsCount(&e->window)};
  state[0] = xlaArrayNumber(e->ir, counterOf(e, 0), 0);
  for (intptr_t i = 0; i < e->n; ++i)
    state[1 + i] = xlaArrayBroadcast(e->ir, e->values[e->n + i],
                                     loop.shape.rank, loop.shape.dims, NULL);
  xlaLoopRun(e->ir, &taps, state);
  for (intptr_t i = 0; i < e->n; ++i)
    results[i] = state[1 + i];
  return loop.failed ? xlaOpNoMemory(e->op) : success();
}

//===----------------------------------------------------------------------===//
// Computations that draw numbers
//===----------------------------------------------------------------------===//

typedef struct WindowLoop {
  XlaReduceWindow *e;
  const MlirValue *sizes;           // of the result, s32; null: static
  MlirValue position[XLA_MAX_RANK]; // of the window
} WindowLoop;

/// How many windows there are in dimension `d`.
static MlirValue countOf(XlaIr *ir, const WindowLoop *loop, int d,
                         MlirValue number) {
  return loop->sizes && !mlirValueIsNull(loop->sizes[d])
             ? xlaArrayConvert(ir, loop->sizes[d],
                               xlaArrayShape(number).elementType)
             : xlaArrayInteger(ir, number, (uint64_t)loop->e->window.counts[d]);
}

/// Whether there are more windows than were run.
static MlirValue hasMore(XlaIr *ir, const MlirValue *state, void *user) {
  const WindowLoop *loop = user;
  MlirValue count = xlaArrayInteger(ir, state[0], 1);
  for (int d = 0; d < loop->e->window.rank; ++d)
    count =
        xlaIrBinary(ir, "xla.multiply", count, countOf(ir, loop, d, state[0]));
  return xlaArrayCompare(ir, "LT", state[0], count);
}

/// `state` is the number of a place in the window and what was combined before
/// it.
static void combineElement(XlaIr *ir, MlirValue *state, void *user) {
  const WindowLoop *loop = user;
  XlaReduceWindow *e = loop->e;
  const XlaWindow *window = &e->window;
  MlirValue *arguments = e->values + 2 * e->n, at[XLA_MAX_RANK];
  xlaTapsIndex(ir, window->rank, window->sizes, state[0], at);
  for (int d = 0; d < window->rank; ++d)
    at[d] = xlaIrBinary(
        ir, "xla.add",
        xlaIrBinary(
            ir, "xla.multiply", at[d],
            xlaArrayInteger(ir, at[d], (uint64_t)window->windowDilations[d])),
        xlaIrBinary(ir, "xla.multiply", loop->position[d],
                    xlaArrayInteger(ir, at[d], (uint64_t)window->strides[d])));
  for (intptr_t i = 0; i < e->n; ++i) {
    arguments[i] = state[1 + i];
    arguments[e->n + i] = xlaArrayElement(ir, e->values[i], at);
  }
  xlaRegionCopyBody(ir, mlirOperationGetRegion(e->op, 0), arguments, state + 1);
  state[0] =
      xlaIrBinary(ir, "xla.add", state[0], xlaArrayInteger(ir, state[0], 1));
}

/// `state` is the number of a window, and the results.
static void combineWindow(XlaIr *ir, MlirValue *state, void *user) {
  WindowLoop *loop = user;
  XlaReduceWindow *e = loop->e;
  XlaLoop taps = {(int)e->n + 1, NULL, combineElement, loop,
                  (int64_t)xlaTapsCount(&e->window)};
  MlirValue inner[XLA_LOOP_MAX_STATE] = {xlaArrayInteger(ir, state[0], 0)};
  for (intptr_t i = 0; i < e->n; ++i)
    inner[1 + i] = e->values[e->n + i];
  MlirValue number = state[0];
  for (int d = e->window.rank - 1; d >= 0; --d) {
    MlirValue count = countOf(ir, loop, d, number);
    loop->position[d] = xlaIrBinary(ir, "xla.remainder", number, count);
    number = xlaIrBinary(ir, "xla.divide", number, count);
  }
  xlaLoopRun(ir, &taps, inner);
  for (intptr_t i = 0; i < e->n; ++i)
    state[1 + i] =
        xlaArraySetElement(ir, state[1 + i], inner[1 + i], loop->position);
  state[0] =
      xlaIrBinary(ir, "xla.add", state[0], xlaArrayInteger(ir, state[0], 1));
}

/// One window after the other, as the evaluator does it.
static void combineInOrder(XlaReduceWindow *e, const MlirValue *sizes,
                           MlirValue *results) {
  XlaShape shape = xlaArrayShape(mlirOperationGetResult(e->op, 0));
  WindowLoop loop = {.e = e, .sizes = sizes};
  XlaLoop windows = {(int)e->n + 1, sizes ? hasMore : NULL, combineWindow,
                     &loop, 0};
  MlirValue state[XLA_LOOP_MAX_STATE];
  xlaShapeGetElementCount(&shape, &windows.count);
  state[0] = xlaArrayNumber(e->ir, counterOf(e, windows.count), 0);
  for (intptr_t i = 0; i < e->n; ++i)
    state[1 + i] = xlaArrayBroadcast(e->ir, e->values[e->n + i], shape.rank,
                                     shape.dims, NULL);
  xlaLoopRun(e->ir, &windows, state);
  for (intptr_t i = 0; i < e->n; ++i)
    results[i] = state[1 + i];
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Whether the padded operands have a reasonable size.
static MlirLogicalResult checkSize(XlaReduceWindow *e) {
  const XlaWindow *window = &e->window;
  XlaShape result = xlaArrayShape(mlirOperationGetResult(e->op, 0));
  double bytes = xlaElementTypeGetInfo(result.elementType)->bytes;
  double given = bytes;
  for (int d = 0; d < window->rank; ++d) {
    int64_t base = window->base[d];
    e->padded[d] = (base ? (base - 1) * window->baseDilations[d] + 1 : 0) +
                   window->low[d] + window->high[d];
    bytes *= (double)e->padded[d];
    given *= (double)base;
  }
  // Large operands may be padded by as much again.
  bool isTooLarge = bytes > (double)maxPaddedBytes && bytes > 2 * given;
  if (!isTooLarge && 2 * window->rank <= XLA_MAX_RANK)
    return success();
  return xlaOpUnsupported(
      e->op, NULL,
      "is not supported yet when compiled: padded operands of "
      "%.0f bytes and %d dimensions, the most are %lld and %d",
      bytes, window->rank, (long long)maxPaddedBytes, XLA_MAX_RANK / 2);
}

/// Whether the computation is one operation that is not associative, as a
/// difference: users of such mean an order.
static bool isOrdered(const XlaReduceWindow *e) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(e->op, 0));
  MlirOperation op = mlirBlockGetFirstOperation(block);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  return e->n == 1 && !mlirOperationEqual(op, terminator) &&
         mlirOperationEqual(mlirOperationGetNextInBlock(op), terminator) &&
         !xlaReduceWindowIsCommutative(e);
}

static MlirLogicalResult
expandWindows(XlaReduceWindow *e, const MlirValue *sizes, MlirValue *results) {
  bool elementwise = xlaRegionIsElementwise(mlirOperationGetRegion(e->op, 0));
  double taps = xlaTapsCount(&e->window);
  if (xlaReduceWindowRepeat(e, results))
    return success();
  if (failed(checkSize(e)))
    return failure();
  convertOperands(e);
  bool ordered = elementwise && isOrdered(e);
  if (elementwise && !ordered && taps > fewTaps && xlaReduceWindowIsScan(e))
    return xlaReduceWindowScan(e, results);
  padOperands(e);
  if (elementwise && taps <= (ordered ? XLA_TAPS_UNROLLED : fewTaps))
    return combineTaps(e, results);
  if (elementwise && isDisjoint(&e->window)) {
    reduceDisjoint(e, results);
    return success();
  }
  if (elementwise && !ordered)
    return xlaReduceWindowByDimension(e, results);
  if (e->n >= XLA_LOOP_MAX_STATE)
    return xlaOpUnsupported(
        e->op, NULL, "has %lld operands, more than the %d that are lowered",
        (long long)e->n, XLA_LOOP_MAX_STATE - 1);
  if (!xlaRegionIsOrdered(mlirOperationGetRegion(e->op, 0)))
    return combineInLoop(e, results);
  combineInOrder(e, sizes, results);
  return success();
}

MlirLogicalResult xlaReduceWindowBuild(XlaIr *ir, MlirOperation op,
                                       const MlirValue *sizes,
                                       MlirValue *results) {
  XlaReduceWindow e = {.ir = ir,
                       .op = op,
                       .n = mlirOperationGetNumOperands(op) / 2,
                       .window = {.rank = 0}};
  XlaShape operand = xlaArrayShape(mlirOperationGetOperand(op, 0));
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0));
  int64_t count;
  xlaWindowSetBase(&e.window, &operand);
  xlaWindowRead(op, &xlaReduceWindowForm, &e.window);
  e.values = calloc((size_t)(6 * e.n), sizeof *e.values);
  if (!e.values)
    return xlaOpNoMemory(op);
  xlaShapeGetElementCount(&result, &count);
  MlirLogicalResult done = success();
  if (count) {
    done = expandWindows(&e, sizes, results);
  } else {
    convertOperands(&e);
    for (intptr_t i = 0; i < e.n; ++i)
      results[i] = xlaArrayBroadcast(ir, e.values[e.n + i], result.rank,
                                     result.dims, NULL);
  }
  free(e.values);
  return done;
}

MlirLogicalResult xlaExpandReduceWindow(XlaIr *ir, MlirOperation op,
                                        MlirValue *results) {
  return xlaReduceWindowBuild(ir, op, NULL, results);
}

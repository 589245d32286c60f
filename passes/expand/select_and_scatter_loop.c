//===- select_and_scatter_loop.c - Gradients of pooling in loops ----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One window after the other, and in it one element, as the evaluator does it:
// neither computation is run for what is not there.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/select_and_scatter.h"

#include "xlac/dialect/ops/select_and_scatter.h"
#include "xlac/dialect/ops/window.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/expand/taps.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

typedef struct PoolLoop {
  MlirOperation op;
  XlaWindow window;
  MlirValue operand, source;   // vectors
  MlirValue elements, windows; // which are there, vectors; null: all
  MlirValue position[XLA_MAX_RANK], isThere; // of the window
  MlirValue pair[2];                         // what a computation takes
} PoolLoop;

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, int64_t b) {
  return xlaIrBinary(ir, name, a, xlaArrayInteger(ir, a, (uint64_t)b));
}

static MlirValue both(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "xla.and", a, b);
}

/// The element, as a number, at `tap` of the window, and whether it is there.
static MlirValue placeOf(XlaIr *ir, const PoolLoop *loop, MlirValue tap,
                         MlirValue *isThere) {
  const XlaWindow *window = &loop->window;
  MlirValue index[XLA_MAX_RANK], place = xlaArrayInteger(ir, tap, 0);
  int64_t stride = 1;
  xlaTapsIndex(ir, window->rank, window->sizes, tap, index);
  *isThere = loop->isThere;
  for (int d = window->rank - 1; d >= 0; --d) {
    MlirValue at = xlaIrBinary(
        ir, "xla.add", index[d],
        binary(ir, "xla.multiply", loop->position[d], window->strides[d]));
    at = binary(ir, "xla.subtract", at, window->low[d]);
    MlirValue end = xlaArrayInteger(ir, at, (uint64_t)window->base[d]);
    *isThere =
        both(ir, *isThere,
             both(ir, xlaArrayCompare(ir, "GE", at, xlaArrayInteger(ir, at, 0)),
                  xlaArrayCompare(ir, "LT", at, end)));
    place = xlaIrBinary(ir, "xla.add", place,
                        binary(ir, "xla.multiply", at, stride));
    stride *= window->base[d];
  }
  if (!mlirValueIsNull(loop->elements))
    *isThere = both(ir, *isThere, xlaArrayElement(ir, loop->elements, &place));
  return place;
}

static void runSelect(XlaIr *ir, MlirValue *values, void *user) {
  PoolLoop *loop = user;
  xlaRegionCopyBody(ir, mlirOperationGetRegion(loop->op, 0), loop->pair,
                    values);
}

static void runScatter(XlaIr *ir, MlirValue *values, void *user) {
  PoolLoop *loop = user;
  loop->pair[0] = values[0];
  xlaRegionCopyBody(ir, mlirOperationGetRegion(loop->op, 1), loop->pair,
                    values);
}

enum { stateTap, stateFound, stateBest, statePlace, stateCount };

static void selectTap(XlaIr *ir, MlirValue *state, void *user) {
  PoolLoop *loop = user;
  MlirValue isThere, found = state[stateFound], best = state[stateBest];
  MlirValue place = placeOf(ir, loop, state[stateTap], &isThere);
  MlirValue next = xlaArrayElement(ir, loop->operand, &place);
  MlirValue keep = xlaIrUnary(ir, "xla.not", isThere);
  loop->pair[0] = best;
  loop->pair[1] = next;
  xlaLoopBranch(ir, both(ir, isThere, found), 1, &keep, runSelect, loop);
  state[stateTap] = binary(ir, "xla.add", state[stateTap], 1);
  state[stateFound] = xlaIrBinary(ir, "xla.or", found, isThere);
  state[stateBest] = xlaArraySelect(ir, keep, best, next);
  state[statePlace] = xlaArraySelect(ir, keep, state[statePlace], place);
}

/// `state` is the number of the window, and the result as a vector.
static void runWindow(XlaIr *ir, MlirValue *state, void *user) {
  PoolLoop *loop = user;
  XlaLoop taps = {stateCount, NULL, selectTap, loop,
                  (int64_t)xlaTapsCount(&loop->window)};
  XlaElementType type = xlaArrayShape(loop->operand).elementType;
  MlirValue zero = xlaArrayInteger(ir, state[0], 0);
  MlirValue inner[stateCount] = {zero,
                                 xlaArrayNumber(ir, XlaElementTypePred, 0),
                                 xlaArrayNumber(ir, type, 0), zero};
  loop->isThere = mlirValueIsNull(loop->windows)
                      ? xlaArrayNumber(ir, XlaElementTypePred, 1)
                      : xlaArrayElement(ir, loop->windows, state);
  xlaTapsIndex(ir, loop->window.rank, loop->window.counts, state[0],
               loop->position);
  xlaLoopRun(ir, &taps, inner);
  MlirValue value = xlaArrayElement(ir, state[1], &inner[statePlace]);
  loop->pair[1] = xlaArrayElement(ir, loop->source, state);
  xlaLoopBranch(ir, inner[stateFound], 1, &value, runScatter, loop);
  state[1] = xlaArraySetElement(ir, state[1], value, &inner[statePlace]);
  state[0] = binary(ir, "xla.add", state[0], 1);
}

static MlirValue vector(XlaIr *ir, MlirValue array) {
  int64_t count;
  if (mlirValueIsNull(array))
    return array;
  XlaShape shape = xlaArrayShape(array);
  xlaShapeGetElementCount(&shape, &count);
  return xlaArrayReshape(ir, array, 1, &count);
}

MlirValue xlaSelectAndScatterInLoop(XlaIr *ir, MlirOperation op,
                                    MlirValue elements, MlirValue windows) {
  XlaShape result = xlaArrayShape(mlirOperationGetResult(op, 0)), source;
  XlaElementType type = result.elementType;
  PoolLoop loop = {.op = op,
                   .elements = vector(ir, elements),
                   .windows = vector(ir, windows)};
  XlaLoop all = {2, NULL, runWindow, &loop, 0};
  XlaShape operand = xlaArrayShape(mlirOperationGetOperand(op, 0));
  xlaWindowSetBase(&loop.window, &operand);
  xlaWindowRead(op, &xlaSelectAndScatterForm, &loop.window);
  loop.operand = vector(ir, mlirOperationGetOperand(op, 0));
  loop.source =
      vector(ir, xlaArrayConvert(ir, mlirOperationGetOperand(op, 1), type));
  source = xlaArrayShape(loop.source);
  all.count = source.dims[0];
  MlirValue init = xlaArrayConvert(ir, mlirOperationGetOperand(op, 2), type);
  MlirValue state[2] = {
      xlaArrayNumber(ir, xlaSelectAndScatterCounter(&loop.window), 0),
      vector(ir, xlaArrayBroadcast(ir, init, result.rank, result.dims, NULL))};
  xlaLoopRun(ir, &all, state);
  return xlaArrayReshape(ir, state[1], result.rank, result.dims);
}

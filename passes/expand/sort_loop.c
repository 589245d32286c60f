//===- sort_loop.c - Sorts in a loop over comparisons ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator's merge sort of positions: it asks the comparator the same
// questions in the same order, which matters where that draws numbers.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/computations.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

#include <stdlib.h>

typedef struct SortLoop {
  MlirRegion comparator;
  MlirValue *lines; // the operands as vectors, line after line
  MlirValue *pairs; // of what is compared: two for each operand
  intptr_t n;
  int64_t size, nLines; // of a line, and how many
  int64_t nPasses;
  XlaElementType counter; // of the elements
  MlirValue base;         // of the line that is being sorted
  MlirValue pass, width;  // of what is being merged
  MlirValue positions[2]; // that are compared: of the left, and the right
} SortLoop;

static MlirValue number(XlaIr *ir, const SortLoop *loop, int64_t number) {
  return xlaArrayNumber(ir, loop->counter, (double)number);
}

static MlirValue add(XlaIr *ir, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, "xla.add", a, b);
}

static MlirValue next(XlaIr *ir, MlirValue a) {
  return add(ir, a, xlaArrayInteger(ir, a, 1));
}

/// Whether the right element is to be before the left one: `values[0]`.
static void isBefore(XlaIr *ir, MlirValue *values, void *user) {
  SortLoop *loop = user;
  for (intptr_t i = 0; i < 2 * loop->n; ++i)
    loop->pairs[i] =
        xlaArrayElement(ir, loop->lines[i / 2], &loop->positions[1 - i % 2]);
  xlaRegionCopyBody(ir, loop->comparator, loop->pairs, values);
}

/// `from + width`, or the line's size if that is less.
static MlirValue endOf(XlaIr *ir, const SortLoop *loop, MlirValue from) {
  MlirValue size = number(ir, loop, loop->size);
  MlirValue isLess = xlaArrayCompare(
      ir, "GT", xlaIrBinary(ir, "xla.subtract", size, from), loop->width);
  return xlaArraySelect(ir, isLess, add(ir, from, loop->width), size);
}

enum { stateAt, stateLeft, stateRight, stateOrder, stateCount };

/// Takes one element: `state` is where it goes, the next ones on the left and
/// on the right, and the positions before and after each pass.
static void mergeOne(XlaIr *ir, MlirValue *state, void *user) {
  SortLoop *loop = user;
  MlirValue at = state[stateAt], left = state[stateLeft],
            right = state[stateRight];
  MlirValue two = number(ir, loop, 2);
  MlirValue run = xlaIrBinary(ir, "xla.divide", at, loop->width);
  run = xlaIrBinary(ir, "xla.subtract", run,
                    xlaIrBinary(ir, "xla.remainder", run, two));
  MlirValue low = xlaIrBinary(ir, "xla.multiply", run, loop->width);
  MlirValue middle = endOf(ir, loop, low), high = endOf(ir, loop, middle);
  MlirValue begins = xlaArrayCompare(ir, "EQ", at, low);
  left = xlaArraySelect(ir, begins, low, left);
  right = xlaArraySelect(ir, begins, middle, right);
  MlirValue row = xlaIrBinary(ir, "xla.remainder", loop->pass, two);
  MlirValue places[2][2] = {{row, add(ir, loop->base, left)},
                            {row, add(ir, loop->base, right)}};
  for (int i = 0; i < 2; ++i)
    loop->positions[i] = xlaArrayElement(ir, state[stateOrder], places[i]);
  MlirValue isLeft = xlaArrayCompare(ir, "LT", left, middle);
  MlirValue isRight = xlaArrayCompare(ir, "LT", right, high);
  MlirValue before = xlaIrUnary(ir, "xla.not", isLeft);
  xlaLoopBranch(ir, xlaIrBinary(ir, "xla.and", isLeft, isRight), 1, &before,
                isBefore, loop);
  MlirValue to[2] = {xlaIrBinary(ir, "xla.subtract", number(ir, loop, 1), row),
                     add(ir, loop->base, at)};
  state[stateOrder] = xlaArraySetElement(
      ir, state[stateOrder],
      xlaArraySelect(ir, before, loop->positions[1], loop->positions[0]), to);
  state[stateAt] = next(ir, at);
  state[stateLeft] = xlaArraySelect(ir, before, left, next(ir, left));
  state[stateRight] = xlaArraySelect(ir, before, next(ir, right), right);
}

/// `state` is the number of the pass, the width of what is sorted, and the
/// positions.
static void runPass(XlaIr *ir, MlirValue *state, void *user) {
  SortLoop *loop = user;
  XlaLoop merge = {stateCount, NULL, mergeOne, loop, loop->size};
  MlirValue zero = number(ir, loop, 0);
  MlirValue inner[stateCount] = {zero, zero, zero, state[2]};
  loop->pass = state[0];
  loop->width = state[1];
  xlaLoopRun(ir, &merge, inner);
  state[0] = next(ir, state[0]);
  state[1] = add(ir, state[1], state[1]);
  state[2] = inner[stateOrder];
}

/// `state` is the number of the line, and the positions.
static void sortLine(XlaIr *ir, MlirValue *state, void *user) {
  SortLoop *loop = user;
  XlaLoop passes = {3, NULL, runPass, loop, loop->nPasses};
  MlirValue inner[3] = {number(ir, loop, 0), number(ir, loop, 1), state[1]};
  loop->base =
      xlaIrBinary(ir, "xla.multiply", state[0], number(ir, loop, loop->size));
  xlaLoopRun(ir, &passes, inner);
  state[0] = next(ir, state[0]);
  state[1] = inner[2];
}

/// The positions of all elements in their new order: a vector.
static MlirValue sortPositions(XlaIr *ir, SortLoop *loop) {
  const int64_t dims[2] = {2, loop->size * loop->nLines};
  XlaLoop lines = {2, NULL, sortLine, loop, loop->nLines};
  MlirValue state[2] = {number(ir, loop, 0),
                        xlaArrayIota(ir, loop->counter, 2, dims, 1)};
  xlaLoopRun(ir, &lines, state);
  const int64_t starts[2] = {loop->nPasses % 2, 0},
                limits[2] = {starts[0] + 1, dims[1]};
  return xlaArrayReshape(ir, xlaArraySlice(ir, state[1], starts, limits, NULL),
                         1, &dims[1]);
}

/// Sorts arrays of two elements and more along `dimension`.
static void sortAll(XlaIr *ir, MlirOperation op, SortLoop *loop,
                    const XlaShape *shape, int dimension) {
  int64_t order[XLA_MAX_RANK], back[XLA_MAX_RANK], dims[XLA_MAX_RANK];
  int64_t count = loop->size * loop->nLines;
  for (int d = 0; d < shape->rank; ++d) {
    order[d] = d == shape->rank - 1 ? dimension : d + (d >= dimension);
    back[order[d]] = d;
    dims[d] = shape->dims[order[d]];
  }
  while (INT64_C(1) << loop->nPasses < loop->size)
    ++loop->nPasses;
  for (intptr_t i = 0; i < loop->n; ++i)
    loop->lines[i] = xlaArrayReshape(
        ir, xlaArrayTranspose(ir, mlirOperationGetOperand(op, i), order), 1,
        &count);
  MlirValue positions = sortPositions(ir, loop);
  for (intptr_t i = 0; i < loop->n; ++i) {
    MlirValue sorted = xlaArrayTake(ir, loop->lines[i], positions, 0);
    sorted = xlaArrayReshape(ir, sorted, shape->rank, dims);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  xlaArrayTranspose(ir, sorted, back));
  }
}

MlirLogicalResult xlaSortInLoop(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  XlaShape shape = xlaArrayShape(mlirOperationGetOperand(op, 0));
  int64_t dimension = xlaOpGetI64(op, "dimension", -1), count;
  dimension += dimension < 0 ? shape.rank : 0;
  SortLoop loop = {.comparator = mlirOperationGetRegion(op, 0),
                   .n = mlirOperationGetNumOperands(op),
                   .size = shape.dims[dimension]};
  xlaShapeGetElementCount(&shape, &count);
  loop.counter = xlaLoopCounter(count);
  if (count && loop.size > 1) {
    loop.nLines = count / loop.size;
    loop.lines = calloc((size_t)(3 * loop.n), sizeof *loop.lines);
    if (!loop.lines)
      return xlaOpNoMemory(op);
    loop.pairs = loop.lines + loop.n;
    sortAll(&ir, op, &loop, &shape, (int)dimension);
    free(loop.lines);
  } else {
    for (intptr_t i = 0; i < loop.n; ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                    mlirOperationGetOperand(op, i));
  }
  mlirOperationDestroy(op);
  return success();
}

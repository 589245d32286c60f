//===- scatter_loop.c - Scatters in a loop over the updates ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is not inside is not computed: a loop in the computation need not end
// for what is never to meet.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/computations.h"
#include "xlac/passes/expand/scatter_internal.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

typedef struct UpdateLoop {
  const XlaScatter *s;
  MlirValue places, updates[XLA_LOOP_MAX_STATE]; // vectors
  MlirValue update;                              // the number of one of these
} UpdateLoop;

/// `values` are elements of the results.
static void combine(XlaIr *ir, MlirValue *values, void *user) {
  const UpdateLoop *loop = user;
  intptr_t n = loop->s->n;
  MlirRegion region = mlirOperationGetRegion(loop->s->op, 0);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirValue arguments[2 * XLA_LOOP_MAX_STATE];
  for (intptr_t i = 0; i < 2 * n; ++i)
    arguments[i] = xlaArrayConvert(
        ir,
        i < n ? values[i]
              : xlaArrayElement(ir, loop->updates[i - n], &loop->update),
        xlaArrayShape(mlirBlockGetArgument(block, i)).elementType);
  xlaRegionCopyBody(ir, region, arguments, values);
}

/// `state` is the number of the update, and the results as vectors.
static void runUpdate(XlaIr *ir, MlirValue *state, void *user) {
  UpdateLoop *loop = user;
  intptr_t n = loop->s->n;
  MlirValue values[XLA_LOOP_MAX_STATE];
  loop->update = state[0];
  MlirValue place = xlaArrayElement(ir, loop->places, state);
  MlirValue isInside = xlaArrayCompare(
      ir, "LT", place, xlaArrayInteger(ir, place, (uint64_t)loop->s->nPlaces));
  for (intptr_t i = 0; i < n; ++i)
    values[i] = xlaArrayElement(ir, state[1 + i], &place);
  xlaLoopBranch(ir, isInside, (int)n, values, combine, loop);
  for (intptr_t i = 0; i < n; ++i)
    state[1 + i] = xlaArraySetElement(ir, state[1 + i], values[i], &place);
  state[0] =
      xlaIrBinary(ir, "xla.add", state[0], xlaArrayInteger(ir, state[0], 1));
}

MlirLogicalResult xlaScatterInLoop(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  XlaScatter s;
  int64_t order[XLA_MAX_RANK];
  MlirValue state[XLA_LOOP_MAX_STATE];
  UpdateLoop loop = {.s = &s};
  XlaLoop updates = {0, NULL, runUpdate, &loop, 0};
  xlaScatterRead(&s, op, &ir);
  if (s.n >= XLA_LOOP_MAX_STATE)
    return xlaOpUnsupported(
        op, NULL, "has %lld inputs, more than the %d that are lowered",
        (long long)s.n, XLA_LOOP_MAX_STATE - 1);
  xlaScatterPlan(&s, false, INT32_MAX);
  xlaScatterOrderUpdates(&s, order);
  state[0] = xlaArrayNumber(&ir, s.counter, 0);
  for (intptr_t i = 0; i < s.n; ++i) {
    XlaElementType type =
        xlaArrayShape(mlirOperationGetResult(op, i)).elementType;
    MlirValue update = mlirOperationGetOperand(op, s.n + 1 + i);
    state[1 + i] = xlaArrayReshape(
        &ir, xlaArrayConvert(&ir, mlirOperationGetOperand(op, i), type), 1,
        &s.nPlaces);
    loop.updates[i] = xlaArrayReshape(
        &ir, xlaArrayTranspose(&ir, update, order), 1, &s.nRows);
  }
  updates.n = (int)s.n + 1;
  updates.count = s.nRows;
  if (s.nPlaces && s.nRows) {
    loop.places = xlaScatterPlaces(&s);
    xlaLoopRun(&ir, &updates, state);
  }
  for (intptr_t i = 0; i < s.n; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(op, i),
        xlaArrayReshape(&ir, state[1 + i], s.input.rank, s.input.dims));
  mlirOperationDestroy(op);
  return success();
}

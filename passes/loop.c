//===- loop.c - Building loops --------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/loop.h"

#include "xlac/passes/arrays.h"

XlaElementType xlaLoopCounter(int64_t count) {
  return count > INT32_MAX ? XlaElementTypeS64 : XlaElementTypeS32;
}

static MlirBlock stateBlock(const XlaIr *ir, MlirRegion region, int n,
                            const MlirType *types) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  for (int i = 0; i < n; ++i)
    mlirBlockAddArgument(block, types[i], ir->location);
  return block;
}

static void getArguments(MlirBlock block, int n, MlirValue *values) {
  for (int i = 0; i < n; ++i)
    values[i] = mlirBlockGetArgument(block, i);
}

static void finish(XlaIr *ir, int n, const MlirValue *values) {
  xlaIrCreate(ir, "xla.return", n, values, 0, NULL, 0, NULL, 0, NULL);
}

static MlirValue goesOn(XlaIr *ir, const XlaLoop *loop,
                        const MlirValue *state) {
  return loop->condition
             ? loop->condition(ir, state, loop->user)
             : xlaArrayCompare(
                   ir, "LT", state[0],
                   xlaArrayInteger(ir, state[0], (uint64_t)loop->count));
}

void xlaLoopRun(XlaIr *ir, const XlaLoop *loop, MlirValue *state) {
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirType types[XLA_LOOP_MAX_STATE];
  MlirValue values[XLA_LOOP_MAX_STATE];
  for (int i = 0; i < loop->n; ++i)
    types[i] = mlirValueGetType(state[i]);
  XlaIr condition = xlaIrIn(*ir, stateBlock(ir, regions[0], loop->n, types));
  getArguments(condition.block, loop->n, values);
  MlirValue more = goesOn(&condition, loop, values);
  finish(&condition, 1, &more);
  XlaIr body = xlaIrIn(*ir, stateBlock(ir, regions[1], loop->n, types));
  getArguments(body.block, loop->n, values);
  loop->body(&body, values, loop->user);
  finish(&body, loop->n, values);
  MlirOperation op = xlaIrCreate(ir, "xla.while", loop->n, state, loop->n,
                                 types, 0, NULL, 2, regions);
  for (int i = 0; i < loop->n; ++i)
    state[i] = mlirOperationGetResult(op, i);
}

void xlaLoopBranch(XlaIr *ir, MlirValue pred, int n, MlirValue *values,
                   void (*then)(XlaIr *ir, MlirValue *values, void *user),
                   void *user) {
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirType types[XLA_LOOP_MAX_STATE];
  MlirValue made[XLA_LOOP_MAX_STATE];
  for (int i = 0; i < n; ++i) {
    types[i] = mlirValueGetType(values[i]);
    made[i] = values[i];
  }
  XlaIr same = xlaIrIn(*ir, stateBlock(ir, regions[0], 0, NULL));
  finish(&same, n, values);
  XlaIr inside = xlaIrIn(*ir, stateBlock(ir, regions[1], 0, NULL));
  then(&inside, made, user);
  finish(&inside, n, made);
  MlirValue index = xlaArrayConvert(ir, pred, XlaElementTypeS32);
  MlirOperation op =
      xlaIrCreate(ir, "xla.case", 1, &index, n, types, 0, NULL, 2, regions);
  for (int i = 0; i < n; ++i)
    values[i] = mlirOperationGetResult(op, i);
}

//===- body.c - Bodies of statements --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/affine/nest.h"

#include <stdlib.h>

/// A statement's body at the present points.
typedef struct Body {
  XlaSchedNest *nest;
  const XlaSchedStatement *statement;
  const XlaSchedReducer *reducers; ///< NULL: results are written
  XlaSchedPack *inputs;            ///< of all operands; n is 0: not read
  int points, inner; ///< all, and those of a point of the shared dimensions
} Body;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void xlaSchedBind(XlaSchedNest *nest, MlirValue key, MlirValue value,
                  int level) {
  nest->failed |=
      !xlaPointerMapSet(nest->values, key.ptr, (intptr_t)value.ptr) ||
      !xlaPointerMapSet(&nest->levels, key.ptr, 1 + level);
}

int xlaSchedLevel(const XlaSchedNest *nest, MlirValue key) {
  intptr_t level = xlaPointerMapGet(&nest->levels, key.ptr);
  return level ? (int)level - 1 : 0;
}

/// Where `op` is computed: as far outside as what it uses. What may read memory
/// stays inside.
static int levelOf(const Body *body, MlirOperation op) {
  int level = 0;
  if (!xlaSchedIsLaneOp(op))
    return 2;
  if (xlaIrIsOp(op, "linalg.index")) {
    int d = xlaSchedIndexDim(body->statement, op);
    return d < 0 ? 0 : xlaSchedLevelOf(body->nest, d);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int own = xlaSchedLevel(body->nest, mlirOperationGetOperand(op, i));
    level = own > level ? own : level;
  }
  return level;
}

//===----------------------------------------------------------------------===//
// One point
//===----------------------------------------------------------------------===//

/// If `op` combines an accumulator that is not there yet, its result is what
/// would be combined with it.
static bool isFirst(const Body *body, MlirOperation op,
                    const MlirValue *accumulators) {
  XlaSchedNest *nest = body->nest;
  for (int o = 0; o < xlaSchedAccumulators(body->statement); ++o) {
    const XlaSchedReducer *reducer = &body->reducers[o];
    if (!mlirValueIsNull(accumulators[o]) ||
        !mlirOperationEqual(op, mlirOpResultGetOwner(reducer->carriedOut)))
      continue;
    int other =
        mlirValueEqual(mlirOperationGetOperand(op, 0), reducer->carriedIn);
    MlirValue value = mlirOperationGetOperand(op, other);
    xlaSchedBind(nest, reducer->carriedOut, nest->device->value(nest, value),
                 2);
    return true;
  }
  return false;
}

/// Computes the operations of the body at point `p`; what does not change
/// inside only for the first of the points there.
static void compute(const Body *body, int p, const MlirValue *accumulators) {
  XlaSchedNest *nest = body->nest;
  const XlaSchedStatement *statement = body->statement;
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  for (MlirOperation op = mlirBlockGetFirstOperation(statement->body);
       !mlirOperationEqual(op, yield) && !nest->failed;
       op = mlirOperationGetNextInBlock(op)) {
    if (body->reducers &&
        (xlaSchedIsConversion(statement, body->reducers, op) ||
         isFirst(body, op, accumulators)))
      continue;
    int level = levelOf(body, op);
    if (level == 2 || p % body->inner == 0)
      xlaSchedCompute(nest, statement, op, p, level);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      nest->failed |= !xlaPointerMapSet(
          &nest->levels, mlirOperationGetResult(op, i).ptr, 1 + level);
  }
}

/// What a carried value is next: as the body yields it, in a vector if it is in
/// one.
static MlirValue carryOn(const Body *body, MlirValue next, MlirValue carried) {
  XlaSchedNest *nest = body->nest;
  MlirValue value = nest->device->value(nest, next);
  return !mlirValueIsNull(carried) &&
                 mlirTypeIsAVector(mlirValueGetType(carried))
             ? xlaSchedSplat(nest, value, xlaSchedLevel(nest, next))
             : value;
}

/// The body at point `p`. `carry` (NULL: nothing is) holds the accumulators, or
/// null in their places, and receives the next ones; `outputs` what the body
/// yields besides.
static void bodyAt(const Body *body, int p, MlirValue *carry,
                   MlirValue *outputs) {
  XlaSchedNest *nest = body->nest;
  const XlaSchedStatement *statement = body->statement;
  const XlaSchedReducer *reducers = body->reducers;
  for (int i = 0; i < statement->nIns + statement->nOuts; ++i)
    if (body->inputs[i].n)
      xlaSchedBind(nest, mlirBlockGetArgument(statement->body, i),
                   xlaSchedAt(&body->inputs[i], p, body->points),
                   body->inputs[i].level);
  int nCarried = reducers ? xlaSchedAccumulators(statement) : 0;
  for (int o = 0; o < nCarried; ++o)
    if (!mlirValueIsNull(carry[o]))
      xlaSchedBind(nest, reducers[o].carriedIn, carry[o], 2);
  compute(body, p, carry);
  MlirOperation yield = mlirBlockGetTerminator(statement->body);
  for (int o = 0; o < nCarried && !nest->failed; ++o)
    carry[o] = carryOn(body, reducers[o].carriedOut, carry[o]);
  for (int o = nCarried; outputs && o < statement->nOuts && !nest->failed; ++o)
    outputs[o - nCarried] =
        nest->device->value(nest, mlirOperationGetOperand(yield, o));
}

//===----------------------------------------------------------------------===//
// All points
//===----------------------------------------------------------------------===//

/// A reduction of a row with several threads: all points begin anew, without an
/// accumulator, are combined in pairs, and then with that which loops carry.
static void inPairs(const Body *body, MlirValue *carry) {
  XlaSchedNest *nest = body->nest;
  XlaIr *ir = &nest->at[2];
  int nOuts = body->statement->nOuts;
  MlirValue *parts = calloc((size_t)(nOuts * body->points) + 1, sizeof *parts);
  nest->failed |= !parts;
  for (int p = 0; p < body->points && !nest->failed; ++p)
    bodyAt(body, p, parts + p * nOuts, NULL);
  for (int half = body->points / 2; half && !nest->failed; half /= 2)
    for (int i = 0; i < half * nOuts; ++i)
      parts[i] = xlaSchedCombine(ir, &body->reducers[i % nOuts], parts[i],
                                 parts[i + half * nOuts]);
  for (int o = 0; o < nOuts && !nest->failed; ++o)
    carry[o] = xlaSchedCombine(ir, &body->reducers[o], carry[o], parts[o]);
  free(parts);
}

/// In order, and writes results that are no accumulators. With `carry` each
/// point goes on with what the one before has left: accumulators of shared
/// points are `stride` values apart.
static void inOrder(const Body *body, MlirValue *carry, int stride) {
  XlaSchedNest *nest = body->nest;
  const XlaSchedStatement *statement = body->statement;
  int nCarried = carry ? xlaSchedAccumulators(statement) : 0;
  int nOuts = statement->nOuts - nCarried;
  MlirValue *outputs = calloc((size_t)nOuts + 1, sizeof *outputs);
  XlaSchedPack *results = calloc((size_t)nOuts + 1, sizeof *results);
  nest->failed |= !outputs || !results;
  for (int p = 0; p < body->points && !nest->failed; ++p) {
    MlirValue fill = mlirOperationGetOperand(statement->op, 0);
    if (statement->body.ptr)
      bodyAt(body, p, carry ? carry + p / body->inner * stride : NULL, outputs);
    else
      *outputs = nest->device->value(nest, fill);
    for (int o = 0; o < nOuts; ++o)
      results[o].values[p] = outputs[o];
  }
  for (int o = 0; o < nOuts && !nest->failed; ++o) {
    MlirValue yielded = {NULL};
    if (statement->body.ptr)
      yielded = mlirOperationGetOperand(mlirBlockGetTerminator(statement->body),
                                        nCarried + o);
    results[o].n = body->points;
    results[o].level = xlaSchedLevel(nest, yielded);
    results[o].isVector = mlirTypeIsAVector(mlirValueGetType(outputs[o]));
    xlaSchedWrite(nest, statement,
                  &statement->accesses[statement->nIns + nCarried + o],
                  &results[o]);
  }
  free(outputs);
  free(results);
}

void xlaSchedBody(XlaSchedNest *nest, const XlaSchedStatement *statement,
                  const XlaSchedReducer *reducers, MlirValue *carry,
                  int stride) {
  int all = statement->nIns + statement->nOuts;
  Body body = {.nest = nest,
               .statement = statement,
               .reducers = reducers,
               .inputs = calloc((size_t)all + 1, sizeof *body.inputs),
               .points = xlaSchedPoints(&nest->points)};
  body.inner = body.points / xlaSchedPoints(&nest->shared);
  nest->failed |= !body.inputs;
  for (int i = 0; i < (reducers ? statement->nIns : all) && !nest->failed; ++i)
    if (xlaSchedIsRead(statement, i))
      body.inputs[i] = xlaSchedRead(nest, statement, &statement->accesses[i]);
  if (!nest->failed) {
    if (reducers && nest->threads > 1)
      inPairs(&body, carry);
    else
      inOrder(&body, reducers ? carry : NULL, stride);
  }
  free(body.inputs);
}

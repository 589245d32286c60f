//===- counters.c - Loop conditions that the host computes ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop's condition often depends on a counter alone. The host then carries
// the counter itself, in a register beside the one in the device's memory, and
// starts one iteration after the other without waiting for the device.
//
// Only integers: floats may be rounded differently there.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/host/internal.h"
#include "xlac/lowering/linalg/generic.h"
#include "xlac/lowering/linalg/scalar.h"

#include <stdlib.h>

/// Operations that one condition or one next value may take.
enum { mostOps = 200 };

/// A walk over the scalars that a value is computed from. Without `ir` nothing
/// is written: it only says whether the host can.
typedef struct Walk {
  XlaHostCounters *counters;
  XlaIr *ir;
  MlirBlock block;        // whose arguments are the loop's state
  const MlirValue *state; // by number in `counters`
  XlaPointerMap memo;     // MlirValue -> MlirValue.ptr
  int budget;
} Walk;

static bool isHostScalar(MlirValue value) {
  XlaShape shape;
  MlirType type = mlirValueGetType(value);
  if (!xlaShapeFromMlir(type, &shape, NULL) || shape.rank != 0)
    return false;
  MlirContext context = mlirTypeGetContext(type);
  MlirType inRegister = xlaScalarRegisterType(shape.elementType, context);
  return !mlirTypeIsNull(inRegister) && mlirTypeIsAInteger(inRegister);
}

/// The number of a loop's state among the counters, which it joins if needed;
/// -1 if there are too many.
static int counterOf(XlaHostCounters *counters, intptr_t position) {
  for (int i = 0; i < counters->n; ++i)
    if (counters->positions[i] == position)
      return i;
  if (counters->n == XLA_HOST_MAX_COUNTERS)
    return -1;
  counters->positions[counters->n] = position;
  return counters->n++;
}

/// What a fusion's argument stands for, or its result; `value` otherwise.
static MlirValue throughFusion(MlirValue value) {
  if (mlirValueIsABlockArgument(value)) {
    MlirOperation parent =
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    return xlaOpGetKind(parent) == XlaOpKindFusion
               ? mlirOperationGetOperand(parent,
                                         mlirBlockArgumentGetArgNumber(value))
               : value;
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  if (xlaOpGetKind(op) != XlaOpKindFusion)
    return value;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  return mlirOperationGetOperand(mlirBlockGetTerminator(body),
                                 mlirOpResultGetResultNumber(value));
}

static bool walk(Walk *w, MlirValue value, MlirValue *scalar);

static bool walkConstant(Walk *w, MlirOperation op, MlirValue *scalar) {
  if (!w->ir)
    return true;
  XlaLiteral *literal = xlaLiteralFromAttribute(xlaOpGetAttr(op, "value"));
  if (!literal)
    return !failed(xlaOpError(op, NULL, "has a value that cannot be read"));
  *scalar = xlaLowerConstant(w->ir, literal, 0);
  xlaLiteralRelease(literal);
  return true;
}

static bool walkElementwise(Walk *w, MlirOperation op, MlirValue *scalar) {
  MlirValue operands[4];
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n > 4)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!walk(w, mlirOperationGetOperand(op, i), &operands[i]))
      return false;
  if (w->ir)
    *scalar = xlaLowerScalar(w->ir, op, operands);
  return !w->ir || !mlirValueIsNull(*scalar);
}

/// A value from before the loop: constants are known, others are loaded there.
static bool walkOutside(Walk *w, MlirValue value, MlirValue *scalar) {
  XlaHostCounters *counters = w->counters;
  for (int i = 0; i < counters->nLoaded; ++i)
    if (mlirValueEqual(counters->loaded[i], value)) {
      *scalar = counters->loadedScalars[i];
      return true;
    }
  if (w->ir || counters->nLoaded == XLA_HOST_MAX_COUNTERS)
    return false;
  counters->loaded[counters->nLoaded++] = value;
  return true;
}

static bool isInside(MlirValue value, MlirBlock block) {
  MlirBlock at = mlirValueIsABlockArgument(value)
                     ? mlirBlockArgumentGetOwner(value)
                     : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  while (!mlirBlockEqual(at, block)) {
    MlirOperation parent = mlirBlockGetParentOperation(at);
    if (mlirOperationIsNull(parent))
      return false;
    at = mlirOperationGetBlock(parent);
    if (mlirBlockIsNull(at))
      return false;
  }
  return true;
}

static bool walkNew(Walk *w, MlirValue value, MlirValue *scalar) {
  if (!isHostScalar(value) || --w->budget < 0)
    return false;
  MlirValue through = throughFusion(value);
  if (!mlirValueEqual(through, value))
    return walk(w, through, scalar);
  if (!mlirValueIsABlockArgument(value) &&
      xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant)
    return walkConstant(w, mlirOpResultGetOwner(value), scalar);
  if (!isInside(value, w->block))
    return walkOutside(w, value, scalar);
  if (!mlirValueIsABlockArgument(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    return xlaIsInlined(op) && xlaOpGetKind(op) != XlaOpKindMap &&
           walkElementwise(w, op, scalar);
  }
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), w->block))
    return false;
  int counter = counterOf(w->counters, mlirBlockArgumentGetArgNumber(value));
  if (counter >= 0 && w->ir)
    *scalar = w->state[counter];
  return counter >= 0;
}

static bool walk(Walk *w, MlirValue value, MlirValue *scalar) {
  scalar->ptr = (void *)xlaPointerMapGet(&w->memo, value.ptr);
  if (scalar->ptr)
    return true;
  // Without code to write, any mark says that the value was seen.
  return walkNew(w, value, scalar) &&
         xlaPointerMapSet(&w->memo, value.ptr,
                          w->ir ? (intptr_t)scalar->ptr : 1);
}

static bool canCompute(XlaHostCounters *counters, MlirBlock block,
                       MlirValue value) {
  Walk w = {.counters = counters, .block = block, .budget = mostOps};
  MlirValue none;
  bool can = walk(&w, value, &none);
  xlaPointerMapClear(&w.memo);
  return can;
}

static MlirBlock regionOf(MlirOperation op, intptr_t i) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
}

static MlirValue yielded(MlirBlock block, intptr_t i) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(block), i);
}

bool xlaHostFindCounters(MlirOperation loop, XlaHostCounters *counters) {
  MlirBlock condition = regionOf(loop, 0), body = regionOf(loop, 1);
  *counters = (XlaHostCounters){.n = 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(condition);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindWhile || kind == XlaOpKindCase ||
        kind == XlaOpKindCustomCall)
      return false;
  }
  if (!canCompute(counters, condition, yielded(condition, 0)))
    return false;
  // Counters that the next values depend on join while this goes on.
  for (int i = 0; i < counters->n; ++i)
    if (!canCompute(counters, body, yielded(body, counters->positions[i])))
      return false;
  return true;
}

MlirLogicalResult xlaHostLoadCounters(XlaHost *host, XlaIr *ir,
                                      MlirOperation loop,
                                      XlaHostCounters *counters,
                                      MlirValue *initial) {
  for (int i = 0; i < counters->nLoaded + counters->n; ++i) {
    bool isState = i >= counters->nLoaded;
    MlirValue value =
        isState ? mlirOperationGetOperand(
                      loop, counters->positions[i - counters->nLoaded])
                : counters->loaded[i];
    MlirValue *scalar =
        isState ? &initial[i - counters->nLoaded] : &counters->loadedScalars[i];
    XlaShape shape;
    xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL);
    Walk w = {.ir = ir};
    if (!mlirValueIsABlockArgument(value) &&
        xlaOpGetKind(mlirOpResultGetOwner(value)) == XlaOpKindConstant) {
      if (!walkConstant(&w, mlirOpResultGetOwner(value), scalar))
        return failure();
      continue;
    }
    *scalar = host->target->load(host, ir, loop, value);
    if (mlirValueIsNull(*scalar))
      return failure();
    *scalar = xlaScalarFromMemory(ir, shape.elementType, *scalar);
  }
  return success();
}

MlirLogicalResult xlaHostCompute(XlaIr *ir, MlirBlock block,
                                 XlaHostCounters *counters,
                                 const MlirValue *state, intptr_t n,
                                 const MlirValue *values, MlirValue *scalars) {
  Walk w = {.counters = counters,
            .ir = ir,
            .block = block,
            .state = state,
            .budget = mostOps * XLA_HOST_MAX_COUNTERS};
  bool whole = true;
  for (intptr_t i = 0; whole && i < n; ++i)
    whole = walk(&w, values[i], &scalars[i]);
  xlaPointerMapClear(&w.memo);
  return whole ? success() : xlaOpNoMemory(mlirBlockGetParentOperation(block));
}

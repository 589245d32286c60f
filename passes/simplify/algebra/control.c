//===- control.c - Rules on control flow ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/simplify/algebra/internal.h"

#include <stdlib.h>

static bool sameType(MlirValue a, MlirValue b) {
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

static bool returnsResults(MlirOperation terminator, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!sameType(mlirOperationGetOperand(terminator, i),
                  mlirOperationGetResult(op, i)))
      return false;
  return true;
}

/// The number of the region that runs.
static intptr_t regionOf(const AlgebraSplat *selector, intptr_t nRegions) {
  if (selector->type == XlaElementTypePred)
    return selector->value.u ? 0 : 1;
  return selector->value.s < 0 || selector->value.s >= nRegions
             ? nRegions - 1
             : (intptr_t)selector->value.s;
}

bool xlaAlgebraCaseConstant(XlaIr *ir, MlirOperation op, MlirValue *results) {
  AlgebraSplat selector;
  MlirOperation terminator, inner;
  (void)ir;
  if (!xlaAlgebraIsSplat(mlirOperationGetOperand(op, 0), &selector))
    return false;
  intptr_t number = regionOf(&selector, mlirOperationGetNumRegions(op));
  MlirRegion region = mlirOperationGetRegion(op, number);
  if (!xlaRegionGetReturn(region, &terminator) ||
      !returnsResults(terminator, op))
    return false;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockGetNumArguments(block) == 1) {
    MlirValue argument = mlirBlockGetArgument(block, 0),
              operand = mlirOperationGetOperand(op, 1 + number);
    if (!sameType(argument, operand))
      return false;
    mlirValueReplaceAllUsesOfWith(argument, operand);
  }
  while (inner = mlirBlockGetFirstOperation(block),
         !mlirOperationEqual(inner, terminator))
    mlirOperationMoveBefore(inner, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    results[i] = mlirOperationGetOperand(terminator, i);
  return true;
}

static bool isPure(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindReturn ||
         (kind != XlaOpKindInvalid &&
          xlaOpGetInfo(kind)->traits & MlirExtOpTraitPure);
}

bool xlaAlgebraWhileNever(XlaIr *ir, MlirOperation op, MlirValue *results) {
  AlgebraSplat condition;
  MlirOperation terminator;
  MlirRegion region = mlirOperationGetRegion(op, 0);
  (void)ir;
  if (!xlaRegionGetReturn(region, &terminator) ||
      !xlaAlgebraIsSplat(mlirOperationGetOperand(terminator, 0), &condition) ||
      condition.value.u)
    return false;
  for (MlirOperation inner =
           mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(region));
       !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner))
    if (!isPure(inner))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    results[i] = mlirOperationGetOperand(op, i);
    if (!sameType(results[i], mlirOperationGetResult(op, i)))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Loops of few steps
//===----------------------------------------------------------------------===//

enum {
  maxSteps = 8,
  maxUnrolled = 320, // operations: they become one kernel, or a few
};

/// A loop's counter.
typedef struct Counter {
  intptr_t number; ///< of the state
  int64_t from, step, limit;
  const char *direction; ///< in which it is compared with the limit
} Counter;

/// A small integer, or false.
static bool readInteger(MlirValue value, int64_t *number) {
  enum { most = 1 << 30 };
  AlgebraSplat splat;
  if (!xlaAlgebraIsSplat(value, &splat))
    return false;
  XlaTypeClass class = xlaElementTypeGetInfo(splat.type)->typeClass;
  if ((class != XlaTypeClassSigned && class != XlaTypeClassUnsigned) ||
      xlaElementTypeGetInfo(splat.type)->bits < 32)
    return false;
  *number = splat.value.s;
  return *number > -most && *number < most;
}

static bool isScalar(MlirValue value) {
  XlaShape shape;
  return xlaAlgebraShape(value, &shape) && !shape.rank;
}

/// Reads the counter that the condition compares with a constant, and to which
/// the body adds one.
static bool readCounter(MlirOperation op, Counter *counter) {
  static const char *const directions[] = {"LT", "LE", "NE", "GE", "GT"};
  MlirOperation condition, next;
  MlirBlock test = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  if (!xlaRegionGetReturn(mlirOperationGetRegion(op, 0), &condition) ||
      !xlaRegionGetReturn(mlirOperationGetRegion(op, 1), &next))
    return false;
  MlirOperation compare = xlaAlgebraDefinedBy(
      mlirOperationGetOperand(condition, 0), XlaOpKindCompare);
  if (mlirOperationIsNull(compare))
    return false;
  MlirValue counted = mlirOperationGetOperand(compare, 0);
  counter->direction = NULL;
  for (size_t i = 0; i < sizeof directions / sizeof *directions; ++i)
    if (xlaOpAttrIs(compare, "comparison_direction", directions[i]))
      counter->direction = directions[i];
  if (!counter->direction || !mlirValueIsABlockArgument(counted) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(counted), test) ||
      !isScalar(counted) ||
      !readInteger(mlirOperationGetOperand(compare, 1), &counter->limit))
    return false;
  counter->number = mlirBlockArgumentGetArgNumber(counted);
  MlirValue argument = mlirBlockGetArgument(body, counter->number);
  MlirOperation add = xlaAlgebraDefinedBy(
      mlirOperationGetOperand(next, counter->number), XlaOpKindAdd);
  if (mlirOperationIsNull(add))
    return false;
  bool isFirst = mlirValueEqual(mlirOperationGetOperand(add, 0), argument);
  return (isFirst ||
          mlirValueEqual(mlirOperationGetOperand(add, 1), argument)) &&
         readInteger(mlirOperationGetOperand(add, isFirst), &counter->step) &&
         readInteger(mlirOperationGetOperand(op, counter->number),
                     &counter->from);
}

static bool goesOn(const Counter *counter, int64_t at) {
  bool orEqual = counter->direction[1] == 'E';
  if (at == counter->limit)
    return orEqual && counter->direction[0] != 'N';
  return counter->direction[0] == 'N' ||
         (counter->direction[0] == 'L') == (at < counter->limit);
}

/// How many steps the loop has; more than maxSteps if it has those.
static int countSteps(const Counter *counter) {
  int n = 0;
  for (int64_t at = counter->from; n <= maxSteps && goesOn(counter, at); ++n)
    at += counter->step;
  return n;
}

/// Operations of the body, if all of them are element by element or move data,
/// so that steps can share a kernel; else more than maxUnrolled.
static int countOperations(MlirBlock body) {
  int count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindReturn || kind == XlaOpKindConstant)
      continue;
    const XlaOpInfo *info = xlaOpGetInfo(kind);
    bool isLight = kind != XlaOpKindInvalid &&
                   mlirOperationGetNumRegions(op) == 0 && isPure(op) &&
                   kind != XlaOpKindDynamicUpdateSlice &&
                   (info->family == XlaFamilyElementwise ||
                    kind == XlaOpKindIota || info->moves != XlaOpMovesNo);
    if (!isLight || ++count > maxUnrolled)
      return maxUnrolled + 1;
  }
  return count;
}

/// Writes the body before the loop, of `state`, which gets the next one. False
/// if there is no memory.
static bool unrollStep(XlaIr *ir, MlirBlock body, intptr_t n,
                       MlirValue *state) {
  XlaPointerMap values = {0};
  bool done = true;
  for (intptr_t i = 0; i < n; ++i)
    done &= xlaPointerMapSet(&values, mlirBlockGetArgument(body, i).ptr,
                             (intptr_t)state[i].ptr);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  MlirOperation next = mlirOperationGetNextInBlock(op);
  for (; done && !mlirOperationIsNull(next);
       op = next, next = mlirOperationGetNextInBlock(op)) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      intptr_t known =
          xlaPointerMapGet(&values, mlirOperationGetOperand(op, i).ptr);
      if (known)
        mlirOperationSetOperand(copy, i, (MlirValue){(const void *)known});
    }
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, copy);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      done &= xlaPointerMapSet(&values, mlirOperationGetResult(op, i).ptr,
                               (intptr_t)mlirOperationGetResult(copy, i).ptr);
  }
  for (intptr_t i = 0; done && i < n; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    intptr_t known = xlaPointerMapGet(&values, value.ptr);
    state[i] = known ? (MlirValue){(const void *)known} : value;
  }
  xlaPointerMapClear(&values);
  return done;
}

bool xlaAlgebraWhileFew(XlaIr *ir, MlirOperation op, MlirValue *results) {
  Counter counter;
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1));
  if (n != mlirOperationGetNumResults(op) || !readCounter(op, &counter))
    return false;
  int steps = countSteps(&counter);
  if (steps > maxSteps ||
      countOperations(body) > maxUnrolled / (steps + !steps))
    return false;
  for (MlirOperation test = mlirBlockGetFirstOperation(
           mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
       !mlirOperationIsNull(test); test = mlirOperationGetNextInBlock(test))
    if (!isPure(test))
      return false;
  MlirOperation next = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < n; ++i)
    if (!sameType(mlirOperationGetOperand(op, i),
                  mlirOperationGetResult(op, i)) ||
        !sameType(mlirOperationGetOperand(next, i),
                  mlirOperationGetResult(op, i)) ||
        !sameType(mlirBlockGetArgument(body, i), mlirOperationGetResult(op, i)))
      return false;
  for (intptr_t i = 0; i < n; ++i)
    results[i] = mlirOperationGetOperand(op, i);
  for (int k = 0; k < steps; ++k)
    if (!unrollStep(ir, body, n, results))
      return false;
  return true;
}

bool xlaAlgebraTupleElement(XlaIr *ir, MlirOperation op, MlirValue *results) {
  (void)ir;
  MlirOperation tuple =
      xlaAlgebraDefinedBy(mlirOperationGetOperand(op, 0), XlaOpKindTuple);
  int64_t index = xlaOpGetI64(op, "index", -1);
  if (mlirOperationIsNull(tuple) || index < 0 ||
      index >= mlirOperationGetNumOperands(tuple))
    return false;
  results[0] = mlirOperationGetOperand(tuple, index);
  return sameType(results[0], mlirOperationGetResult(op, 0));
}

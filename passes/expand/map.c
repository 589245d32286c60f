//===- map.c - Computations on scalars applied to arrays ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of elementwise operations a computation is the same on whole arrays. One that
// uses arrays, branches or loops of its own, or draws numbers, is run for one
// element after the other, in their order.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/expand/computations.h"
#include "xlac/passes/flatten.h"
#include "xlac/passes/loop.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

static bool isScalar(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAShaped(type) && mlirShapedTypeHasRank(type) &&
         mlirShapedTypeGetRank(type) == 0;
}

/// A scalar as another one, the same.
static bool isSame(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  return kind == XlaOpKindReshape || kind == XlaOpKindBroadcastInDim ||
         kind == XlaOpKindTranspose;
}

/// Of scalars.
static bool isElementwise(MlirOperation op) {
  XlaOpKind kind = xlaOpGetKind(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i)
    if (!isScalar(mlirOperationGetOperand(op, i)))
      return false;
  return mlirOperationGetNumResults(op) == 1 &&
         isScalar(mlirOperationGetResult(op, 0)) &&
         (kind == XlaOpKindConstant || kind == XlaOpKindBitcastConvert ||
          isSame(op) ||
          (kind != XlaOpKindInvalid &&
           xlaOpGetInfo(kind)->family == XlaFamilyElementwise));
}

typedef struct Expansion {
  XlaIr ir;
  XlaShape shape;
  XlaPointerMap arrays; // of scalars in the region
} Expansion;

static MlirType arrayType(Expansion *e, MlirType scalar) {
  XlaShape shape;
  xlaShapeFromMlir(scalar, &shape, NULL);
  e->shape.elementType = shape.elementType;
  return xlaShapeToMlir(&e->shape, e->ir.context);
}

/// The array for a scalar of the region; those from outside are repeated.
static MlirValue arrayOf(Expansion *e, MlirValue scalar) {
  intptr_t known = xlaPointerMapGet(&e->arrays, scalar.ptr);
  if (known)
    return (MlirValue){(const void *)known};
  XlaIrAttr dims = {"broadcast_dimensions",
                    mlirDenseI64ArrayGet(e->ir.context, 0, NULL)};
  return xlaIrOp(&e->ir, "xla.broadcast_in_dim",
                 arrayType(e, mlirValueGetType(scalar)), 1, &scalar, 1, &dims);
}

static bool expandOp(Expansion *e, MlirOperation op) {
  if (isSame(op))
    return xlaPointerMapSet(
        &e->arrays, mlirOperationGetResult(op, 0).ptr,
        (intptr_t)arrayOf(e, mlirOperationGetOperand(op, 0)).ptr);
  MlirOperation copy = mlirOperationClone(op);
  bool constant = xlaOpGetKind(op) == XlaOpKindConstant;
  MlirValue made = mlirOperationGetResult(copy, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i,
                            arrayOf(e, mlirOperationGetOperand(op, i)));
  if (!constant)
    mlirValueSetType(made, arrayType(e, mlirValueGetType(made)));
  mlirBlockInsertOwnedOperationBefore(e->ir.block, e->ir.before, copy);
  if (constant)
    made = arrayOf(e, made);
  return xlaPointerMapSet(&e->arrays, mlirOperationGetResult(op, 0).ptr,
                          (intptr_t)made.ptr);
}

bool xlaRegionIsElementwise(MlirRegion region) {
  MlirBlock body = mlirRegionGetFirstBlock(region);
  MlirOperation terminator = mlirBlockGetTerminator(body), op;
  for (op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    if (!isElementwise(op))
      return false;
  return true;
}

/// On whole arrays, of a region of elementwise operations.
static bool inlineOnArrays(const XlaIr *ir, MlirRegion region,
                           const XlaShape *shape, const MlirValue *arguments,
                           MlirValue *results) {
  MlirBlock body = mlirRegionGetFirstBlock(region);
  MlirOperation terminator = mlirBlockGetTerminator(body), op;
  Expansion e = {.ir = *ir, .shape = *shape};
  bool done = true;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    done &= xlaPointerMapSet(&e.arrays, mlirBlockGetArgument(body, i).ptr,
                             (intptr_t)arguments[i].ptr);
  for (op = mlirBlockGetFirstOperation(body);
       done && !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    done = expandOp(&e, op);
  for (intptr_t i = 0; done && i < mlirOperationGetNumOperands(terminator); ++i)
    results[i] = arrayOf(&e, mlirOperationGetOperand(terminator, i));
  xlaPointerMapClear(&e.arrays);
  return done;
}

//===----------------------------------------------------------------------===//
// Other computations
//===----------------------------------------------------------------------===//

typedef struct ElementLoop {
  MlirRegion region;
  const XlaShape *shape;      // of the arrays
  const MlirValue *sizes;     // of what is there, by dimension; null: all
  const MlirValue *arguments; // of one dimension
  MlirValue *results;         // what it gives for an element
  intptr_t nArguments, nResults;
} ElementLoop;

void xlaRegionCopyBody(XlaIr *ir, MlirRegion region, const MlirValue *arguments,
                       MlirValue *results) {
  MlirOperation parent =
      mlirBlockGetParentOperation(mlirRegionGetFirstBlock(region));
  intptr_t index = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
    ++index;
  MlirOperation copy = mlirOperationClone(parent), op, next;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(copy, index));
  MlirOperation terminator = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), arguments[i]);
  for (op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, terminator); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, op);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(terminator); ++i)
    results[i] = mlirOperationGetOperand(terminator, i);
  mlirOperationDestroy(copy);
}

/// The size of dimension `d`, like `number`.
static MlirValue sizeOf(XlaIr *ir, const ElementLoop *loop, int d,
                        MlirValue number) {
  return mlirValueIsNull(loop->sizes[d])
             ? xlaArrayInteger(ir, number, (uint64_t)loop->shape->dims[d])
             : xlaArrayConvert(ir, loop->sizes[d],
                               xlaArrayShape(number).elementType);
}

/// Where element `number` of those that are there lies.
static MlirValue placeOf(XlaIr *ir, const ElementLoop *loop, MlirValue number) {
  MlirValue place = xlaArrayInteger(ir, number, 0);
  int64_t stride = 1;
  if (!loop->sizes)
    return number;
  for (int d = loop->shape->rank - 1; d >= 0; --d) {
    MlirValue size = sizeOf(ir, loop, d, number);
    MlirValue at = xlaIrBinary(ir, "xla.remainder", number, size);
    number = xlaIrBinary(ir, "xla.divide", number, size);
    at = xlaIrBinary(ir, "xla.multiply", at,
                     xlaArrayInteger(ir, at, (uint64_t)stride));
    place = xlaIrBinary(ir, "xla.add", place, at);
    stride *= loop->shape->dims[d];
  }
  return place;
}

/// Whether there are more elements than were run.
static MlirValue hasMore(XlaIr *ir, const MlirValue *state, void *user) {
  const ElementLoop *loop = user;
  MlirValue count = xlaArrayInteger(ir, state[0], 1);
  for (int d = 0; d < loop->shape->rank; ++d)
    count =
        xlaIrBinary(ir, "xla.multiply", count, sizeOf(ir, loop, d, state[0]));
  return xlaArrayCompare(ir, "LT", state[0], count);
}

/// `state` is the number of the element, and the results.
static void runElement(XlaIr *ir, MlirValue *state, void *user) {
  ElementLoop *loop = user;
  MlirValue *scalars = loop->results + loop->nResults;
  MlirValue place = placeOf(ir, loop, state[0]);
  for (intptr_t i = 0; i < loop->nArguments; ++i)
    scalars[i] = xlaArrayElement(ir, loop->arguments[i], &place);
  xlaRegionCopyBody(ir, loop->region, scalars, loop->results);
  for (intptr_t i = 0; i < loop->nResults; ++i)
    state[1 + i] =
        xlaArraySetElement(ir, state[1 + i], loop->results[i], &place);
  state[0] =
      xlaIrBinary(ir, "xla.add", state[0], xlaArrayInteger(ir, state[0], 1));
}

/// An array of a dimension for a result of the region.
static MlirValue roomFor(XlaIr *ir, MlirValue scalar, int64_t count) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(scalar), &shape, NULL);
  return xlaArrayBroadcast(ir, xlaArrayNumber(ir, shape.elementType, 0), 1,
                           &count, NULL);
}

static bool inlineInLoop(XlaIr *ir, MlirRegion region, const XlaShape *shape,
                         const MlirValue *sizes, const MlirValue *arguments,
                         MlirValue *results) {
  MlirBlock body = mlirRegionGetFirstBlock(region);
  MlirOperation terminator = mlirBlockGetTerminator(body);
  intptr_t n = mlirBlockGetNumArguments(body);
  ElementLoop loop = {
      .region = region,
      .shape = shape,
      .sizes = sizes,
      .nArguments = n,
      .nResults = mlirOperationGetNumOperands(terminator),
  };
  MlirValue state[XLA_LOOP_MAX_STATE];
  XlaLoop elements = {(int)loop.nResults + 1, sizes ? hasMore : NULL,
                      runElement, &loop, 0};
  xlaShapeGetElementCount(shape, &elements.count);
  MlirValue *values =
      malloc(((size_t)(2 * n + loop.nResults) + 1) * sizeof *values);
  if (!values)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    values[i] = xlaArrayReshape(ir, arguments[i], 1, &elements.count);
  loop.arguments = values;
  loop.results = values + n;
  state[0] = xlaArrayNumber(ir, xlaLoopCounter(elements.count), 0);
  for (intptr_t i = 0; i < loop.nResults; ++i)
    state[1 + i] =
        roomFor(ir, mlirOperationGetOperand(terminator, i), elements.count);
  if (elements.count)
    xlaLoopRun(ir, &elements, state);
  for (intptr_t i = 0; i < loop.nResults; ++i)
    results[i] = xlaArrayReshape(ir, state[1 + i], shape->rank, shape->dims);
  free(values);
  return true;
}

/// Nothing of a computation with loops is run for what is not there: it need
/// not end.
static bool inlineComputation(const XlaIr *ir, MlirRegion region,
                              const XlaShape *shape, const MlirValue *sizes,
                              const MlirValue *arguments, MlirValue *results) {
  XlaIr at = *ir;
  return xlaRegionIsElementwise(region)
             ? inlineOnArrays(ir, region, shape, arguments, results)
             : inlineInLoop(&at, region, shape, sizes, arguments, results);
}

bool xlaRegionInline(const XlaIr *ir, MlirRegion region, const XlaShape *shape,
                     const MlirValue *arguments, MlirValue *results) {
  return inlineComputation(ir, region, shape, NULL, arguments, results);
}

MlirValue xlaMapExpand(MlirOperation map, const MlirValue *sizes) {
  MlirValue result = mlirOperationGetResult(map, 0);
  XlaShape shape;
  intptr_t n = mlirOperationGetNumOperands(map);
  MlirValue *arguments = malloc(((size_t)n + 1) * sizeof *arguments);
  for (intptr_t i = 0; arguments && i < n; ++i)
    arguments[i] = mlirOperationGetOperand(map, i);
  XlaIr ir = xlaIrBefore(map);
  if (arguments && xlaExpandBranches(map) &&
      xlaShapeFromMlir(mlirValueGetType(result), &shape, NULL) &&
      inlineComputation(&ir, mlirOperationGetRegion(map, 0), &shape, sizes,
                        arguments, &result))
    mlirOperationDestroy(map);
  free(arguments);
  return result;
}

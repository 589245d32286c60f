//===- scalars.c - Which scalars the host computes ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At first the host computes all scalars; walks over the function take out what
// it cannot, and what depends on that, until nothing changes.
//
// A fusion that a device runs anyway, for other results, is computed twice. So
// only integers are: floats may be rounded differently there.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/host/scalars.h"

#include "xlac/dialect/op.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/lowering/host/buffers.h"
#include "xlac/lowering/linalg/generic.h"
#include "xlac/lowering/linalg/scalar.h"

#include <stdlib.h>
#include <string.h>

typedef struct Finder {
  XlaHostScalars *scalars;
  bool changed, noMemory;
} Finder;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static MlirType registerType(MlirValue value) {
  XlaShape shape;
  MlirType type = mlirValueGetType(value);
  if (!xlaShapeFromMlir(type, &shape, NULL) || shape.rank != 0)
    return (MlirType){NULL};
  return xlaScalarRegisterType(shape.elementType, mlirTypeGetContext(type));
}

static bool isScalar(MlirValue value) {
  return !mlirTypeIsNull(registerType(value));
}

static bool isInteger(MlirValue value) {
  MlirType type = registerType(value);
  return !mlirTypeIsNull(type) && mlirTypeIsAInteger(type);
}

static MlirBlock regionOf(MlirOperation op, intptr_t i) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
}

static MlirValue yielded(MlirBlock block, intptr_t i) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(block), i);
}

static bool isWhile(MlirOperation op) {
  return !mlirOperationIsNull(op) && xlaOpGetKind(op) == XlaOpKindWhile;
}

/// Whether a loop never changes its state `k`.
static bool isUnchanged(MlirOperation loop, intptr_t k) {
  MlirValue result = mlirOperationGetResult(loop, k);
  return !mlirValueEqual(xlaBufferResolve(result), result);
}

MlirOperation xlaHostLoopAround(MlirBlock block) {
  MlirOperation op = mlirBlockGetParentOperation(block);
  while (!mlirOperationIsNull(op) && !isWhile(op))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static MlirOperation loopOf(MlirValue value) {
  return xlaHostLoopAround(xlaIrBlockOf(value));
}

bool xlaHostScalarsHave(const XlaHostScalars *scalars, MlirValue value) {
  return scalars->isUsed && !xlaPointerMapGet(&scalars->onDevice, value.ptr) &&
         isScalar(value);
}

bool xlaHostScalarsReach(const XlaHostScalars *scalars, MlirValue value,
                         MlirOperation loop) {
  value = xlaBufferResolve(value);
  return xlaHostScalarsHave(scalars, value) ||
         (scalars->isUsed && isScalar(value) &&
          !mlirOperationEqual(loopOf(value), loop));
}

/// Leaves `value` to the device.
static void leave(Finder *f, MlirValue value) {
  XlaPointerMap *map = &f->scalars->onDevice;
  if (!isScalar(value) || xlaPointerMapGet(map, value.ptr))
    return;
  f->changed = true;
  f->noMemory |= !xlaPointerMapSet(map, value.ptr, 1);
}

static void leaveResults(Finder *f, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    leave(f, mlirOperationGetResult(op, r));
}

static bool haveResults(const XlaHostScalars *scalars, MlirOperation op) {
  bool all = mlirOperationGetNumResults(op) > 0;
  for (intptr_t r = 0; all && r < mlirOperationGetNumResults(op); ++r)
    all = xlaHostScalarsHave(scalars, mlirOperationGetResult(op, r));
  return all;
}

//===----------------------------------------------------------------------===//
// What the host cannot compute
//===----------------------------------------------------------------------===//

static bool isElementwise(MlirOperation op) {
  return xlaIsInlined(op) && xlaOpGetKind(op) != XlaOpKindMap;
}

/// An operation inside of a fusion, which has `mixed` results if the device
/// runs it anyway.
static void visitInFusion(Finder *f, MlirOperation op, bool mixed) {
  bool can = isElementwise(op) || xlaOpGetKind(op) == XlaOpKindConstant;
  for (intptr_t i = 0; can && i < mlirOperationGetNumOperands(op); ++i)
    can = xlaHostScalarsHave(f->scalars, mlirOperationGetOperand(op, i));
  if (!can || (mixed && !isInteger(mlirOperationGetResult(op, 0))))
    leaveResults(f, op);
}

static void visitFusion(Finder *f, MlirOperation op, MlirOperation loop) {
  MlirBlock body = regionOf(op, 0);
  MlirOperation terminator = mlirBlockGetTerminator(body);
  bool mixed = !haveResults(f->scalars, op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (!xlaHostScalarsReach(f->scalars, mlirOperationGetOperand(op, i),
                             loop) ||
        (mixed && !isInteger(argument)))
      leave(f, argument);
  }
  for (MlirOperation inner = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(inner, terminator);
       inner = mlirOperationGetNextInBlock(inner))
    visitInFusion(f, inner, mixed);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    if (!xlaHostScalarsHave(f->scalars, yielded(body, r)))
      leave(f, mlirOperationGetResult(op, r));
}

static void visitElementwise(Finder *f, MlirOperation op, MlirOperation loop) {
  bool can = true;
  for (intptr_t i = 0; can && i < mlirOperationGetNumOperands(op); ++i)
    can = xlaHostScalarsReach(f->scalars, mlirOperationGetOperand(op, i), loop);
  if (!can)
    leaveResults(f, op);
}

static void visitBlock(Finder *f, MlirBlock block);

static void visitWhile(Finder *f, MlirOperation op) {
  MlirBlock condition = regionOf(op, 0), body = regionOf(op, 1);
  visitBlock(f, condition);
  visitBlock(f, body);
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k) {
    // What never changes saves the device nothing.
    if (!isUnchanged(op, k) &&
        xlaHostScalarsReach(f->scalars, yielded(body, k), op))
      continue;
    leave(f, mlirOperationGetResult(op, k));
    leave(f, mlirBlockGetArgument(condition, k));
    leave(f, mlirBlockGetArgument(body, k));
  }
}

static void visitCase(Finder *f, MlirOperation op, MlirOperation loop) {
  for (intptr_t b = 0; b < mlirOperationGetNumRegions(op); ++b) {
    visitBlock(f, regionOf(op, b));
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
      if (!xlaHostScalarsReach(f->scalars, yielded(regionOf(op, b), r), loop))
        leave(f, mlirOperationGetResult(op, r));
  }
}

static void visitBlock(Finder *f, MlirBlock block) {
  MlirOperation loop = xlaHostLoopAround(block);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindWhile)
      visitWhile(f, op);
    else if (kind == XlaOpKindCase)
      visitCase(f, op, loop);
    else if (kind == XlaOpKindFusion)
      visitFusion(f, op, loop);
    else if (isElementwise(op))
      visitElementwise(f, op, loop);
    else if (kind != XlaOpKindConstant)
      leaveResults(f, op);
  }
}

//===----------------------------------------------------------------------===//
// What it needs for the rest
//===----------------------------------------------------------------------===//

/// Notes that operations in `loop` use `value`: the outermost loop around them
/// that it comes from outside of loads it.
static void need(Finder *f, MlirValue value, MlirOperation loop) {
  XlaHostScalars *scalars = f->scalars;
  value = xlaBufferResolve(value);
  if (xlaHostScalarsHave(scalars, value))
    return;
  MlirOperation home = loopOf(value), outer = loop;
  while (!mlirOperationIsNull(outer) && !mlirOperationEqual(outer, home)) {
    loop = outer;
    outer = xlaHostLoopAround(mlirOperationGetBlock(outer));
  }
  if (scalars->nNeeds == scalars->needCapacity) {
    intptr_t larger = 2 * scalars->needCapacity + 8;
    XlaHostNeed *grown =
        realloc(scalars->needs, (size_t)larger * sizeof *grown);
    if (!grown) {
      f->noMemory = true;
      return;
    }
    scalars->needs = grown;
    scalars->needCapacity = larger;
  }
  scalars->needs[scalars->nNeeds++] = (XlaHostNeed){loop, value};
}

static void needBlock(Finder *f, MlirBlock block);

static void needWhile(Finder *f, MlirOperation op) {
  MlirValue go = yielded(regionOf(op, 0), 0);
  needBlock(f, regionOf(op, 0));
  needBlock(f, regionOf(op, 1));
  if (xlaHostScalarsReach(f->scalars, go, op))
    need(f, go, op);
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
    if (xlaHostScalarsHave(f->scalars, mlirOperationGetResult(op, k))) {
      need(f, mlirOperationGetOperand(op, k), op);
      need(f, yielded(regionOf(op, 1), k), op);
    }
}

static void needCase(Finder *f, MlirOperation op, MlirOperation loop) {
  MlirValue index = mlirOperationGetOperand(op, 0);
  if (xlaHostScalarsReach(f->scalars, index, loop))
    need(f, index, loop);
  for (intptr_t b = 0; b < mlirOperationGetNumRegions(op); ++b) {
    needBlock(f, regionOf(op, b));
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
      if (xlaHostScalarsHave(f->scalars, mlirOperationGetResult(op, r)))
        need(f, yielded(regionOf(op, b), r), loop);
  }
}

/// Operands of a fusion, or of an elementwise operation.
static void needOperands(Finder *f, MlirOperation op, MlirOperation loop) {
  bool isFusion = xlaOpGetKind(op) == XlaOpKindFusion;
  if (haveResults(f->scalars, op))
    f->noMemory |= !xlaPointerMapSet(&f->scalars->hosted, op.ptr, 1);
  else if (!isFusion)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isFusion || xlaHostScalarsHave(
                         f->scalars, mlirBlockGetArgument(regionOf(op, 0), i)))
      need(f, mlirOperationGetOperand(op, i), loop);
}

static void needBlock(Finder *f, MlirBlock block) {
  MlirOperation loop = xlaHostLoopAround(block);
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindWhile)
      needWhile(f, op);
    else if (kind == XlaOpKindCase)
      needCase(f, op, loop);
    else if (kind == XlaOpKindFusion || isElementwise(op))
      needOperands(f, op, loop);
  }
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaHostScalarsFind(MlirOperation function,
                                     XlaHostScalars *scalars) {
  MlirBlock body = regionOf(function, 0);
  Finder f = {.scalars = scalars};
  *scalars = (XlaHostScalars){.isUsed = true};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    leave(&f, mlirBlockGetArgument(body, i));
  do {
    f.changed = false;
    visitBlock(&f, body);
  } while (f.changed && !f.noMemory);
  if (!f.noMemory)
    needBlock(&f, body);
  return f.noMemory ? xlaOpNoMemory(function) : success();
}

void xlaHostScalarsDestroy(XlaHostScalars *scalars) {
  xlaPointerMapClear(&scalars->onDevice);
  xlaPointerMapClear(&scalars->hosted);
  free(scalars->needs);
  memset(scalars, 0, sizeof *scalars);
}

/// Whether `user` has operand `i` in the device's memory.
static bool reads(const XlaHostScalars *scalars, MlirOperation user,
                  intptr_t i) {
  XlaOpKind kind = xlaOpGetKind(user);
  MlirOperation op = user;
  if (mlirOperationEqual(mlirBlockGetTerminator(mlirOperationGetBlock(user)),
                         user)) {
    op = mlirOperationGetParentOperation(user);
    kind = xlaOpGetKind(op);
    if (kind == XlaOpKindWhile &&
        mlirBlockEqual(mlirOperationGetBlock(user), regionOf(op, 0)))
      return false; // the condition, which the host computes then
  } else if (kind == XlaOpKindCase) {
    return false; // its index
  }
  if (kind == XlaOpKindWhile || kind == XlaOpKindCase)
    return !xlaHostScalarsHave(scalars, mlirOperationGetResult(op, i));
  return !xlaPointerMapGet(&scalars->hosted, user.ptr);
}

bool xlaHostScalarsIsRead(const XlaHostScalars *scalars, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (reads(scalars, mlirOpOperandGetOwner(use),
              mlirOpOperandGetOperandNumber(use)))
      return true;
  return false;
}

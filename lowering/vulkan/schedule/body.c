//===- body.c - Code of a kernel in a shader ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/emit.h"

#include <stdlib.h>

MlirValue xlaVulkanAddScaled(XlaIr *ir, MlirValue a, MlirValue b, int64_t c) {
  int64_t x, y;
  bool isConstant = xlaIrReadInt(b, &y);
  if (c == 0 || (isConstant && y == 0))
    return a;
  if (isConstant)
    b = xlaIrConstantIndex(ir, y * c);
  else if (c != 1)
    b = xlaIrBinary(ir, "arith.muli", b, xlaIrConstantIndex(ir, c));
  if (xlaIrReadInt(a, &x) && x == 0)
    return b;
  if (xlaIrReadInt(a, &x) && isConstant)
    return xlaIrConstantIndex(ir, x + y * c);
  return xlaIrBinary(ir, "arith.addi", a, b);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Clones an operation of the function itself to the shader's beginning.
static void outside(XlaVulkanEmit *e, MlirOperation op) {
  XlaIr ir = e->ir;
  e->ir = e->top;
  xlaVulkanClone(e, op);
  e->ir = ir;
}

MlirValue xlaVulkanValue(XlaVulkanEmit *e, MlirValue value) {
  MlirValue known = xlaVulkanBound(e, value);
  if (!known.ptr)
    known = xlaVulkanWiden(e, value);
  if (known.ptr)
    return known;
  MlirOperation op = {NULL};
  if (mlirValueIsAOpResult(value))
    op = mlirOpResultGetOwner(value);
  bool isOutside =
      op.ptr && mlirOperationEqual(mlirOperationGetParentOperation(op),
                                   e->memory->schedule->function);
  if (isOutside) {
    outside(e, op);
    known = xlaVulkanBound(e, value);
    if (!known.ptr)
      known = xlaVulkanWiden(e, value);
  }
  if (!known.ptr) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_INTERNAL,
                      "scheduling for Vulkan found a value that it cannot "
                      "compute in a shader");
    known =
        xlaIrOp(&e->ir, "ub.poison", mlirValueGetType(value), 0, NULL, 0, NULL);
  }
  return known;
}

/// The index of an access in its buffer.
static MlirValue flatIndex(XlaVulkanEmit *e, MlirOperation op, intptr_t first,
                           MlirValue view, MlirValue *root) {
  MlirType type = mlirValueGetType(view);
  int64_t strides[64], offset = 0;
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirValue start;
  *root = xlaVulkanRoot(view, &start);
  if (rank > 64 || mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
                       type, strides, &offset))) {
    xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_INTERNAL,
                      "an access has no strided layout");
    return xlaIrConstantIndex(&e->ir, 0);
  }
  bool isDynamic = mlirShapedTypeIsDynamicStrideOrOffset(offset);
  if (isDynamic && !start.ptr)
    xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_INTERNAL,
                      "an access begins at an unknown place");
  MlirValue index = isDynamic && start.ptr
                        ? xlaVulkanValue(e, start)
                        : xlaIrConstantIndex(&e->ir, isDynamic ? 0 : offset);
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue i = xlaVulkanValue(e, mlirOperationGetOperand(op, first + d));
    if (mlirShapedTypeIsDynamicStrideOrOffset(strides[d]))
      xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_INTERNAL,
                        "an access has a dynamic stride");
    else
      index = xlaVulkanAddScaled(&e->ir, index, i, strides[d]);
  }
  return index;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void cloneForBody(XlaVulkanEmit *e, MlirValue index, MlirValue *carry,
                         void *user) {
  MlirBlock block = *(MlirBlock *)user;
  MlirOperation yield = mlirBlockGetTerminator(block);
  xlaVulkanBind(e, mlirBlockGetArgument(block, 0), index);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    xlaVulkanBind(e, mlirBlockGetArgument(block, 1 + i), carry[i]);
  xlaVulkanCloneBlock(e, block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    carry[i] = xlaVulkanValue(e, mlirOperationGetOperand(yield, i));
}

static void cloneFor(XlaVulkanEmit *e, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op) - 3;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirValue carry[XLA_VULKAN_MAX_CARRIED];
  int64_t step;
  if (n > XLA_VULKAN_MAX_CARRIED ||
      !xlaIrReadInt(mlirOperationGetOperand(op, 2), &step) || step < 1 ||
      !mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, 0)))) {
    xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_UNIMPLEMENTED,
                      "a loop has more than %d carried values or no constant "
                      "step",
                      XLA_VULKAN_MAX_CARRIED);
    return;
  }
  for (intptr_t i = 0; i < n; ++i)
    carry[i] = xlaVulkanValue(e, mlirOperationGetOperand(op, 3 + i));
  xlaVulkanLoop(e, xlaVulkanValue(e, mlirOperationGetOperand(op, 0)),
                xlaVulkanValue(e, mlirOperationGetOperand(op, 1)), step, (int)n,
                carry, cloneForBody, &block);
  for (intptr_t i = 0; i < n; ++i)
    xlaVulkanBind(e, mlirOperationGetResult(op, i), carry[i]);
}

static void cloneIf(XlaVulkanEmit *e, MlirOperation op) {
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirValue condition = xlaVulkanValue(e, mlirOperationGetOperand(op, 0));
  XlaIr outer = e->ir;
  for (int r = 0; r < 2; ++r) {
    MlirBlock source = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (!source.ptr)
      continue;
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(regions[r], block);
    e->ir = xlaIrIn(outer, block);
    xlaVulkanCloneBlock(e, source);
    MlirOperation yield = mlirBlockGetTerminator(source);
    MlirValue values[XLA_VULKAN_MAX_CARRIED];
    intptr_t n = mlirOperationGetNumOperands(yield);
    if (n > XLA_VULKAN_MAX_CARRIED)
      xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_INTERNAL,
                        "a branch has %td results", n);
    for (intptr_t i = 0; i < n && i < XLA_VULKAN_MAX_CARRIED; ++i)
      values[i] = xlaVulkanValue(e, mlirOperationGetOperand(yield, i));
    xlaIrYield(&e->ir, n < XLA_VULKAN_MAX_CARRIED ? n : XLA_VULKAN_MAX_CARRIED,
               values);
  }
  e->ir = outer;
  intptr_t n = mlirOperationGetNumResults(op);
  MlirType types[XLA_VULKAN_MAX_CARRIED];
  for (intptr_t i = 0; i < n && i < XLA_VULKAN_MAX_CARRIED; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirOperation clone = xlaIrCreate(&e->ir, "scf.if", 1, &condition,
                                    n < XLA_VULKAN_MAX_CARRIED ? n : 0, types,
                                    0, NULL, 2, regions);
  for (intptr_t i = 0; i < n && i < XLA_VULKAN_MAX_CARRIED; ++i)
    xlaVulkanBind(e, mlirOperationGetResult(op, i),
                  mlirOperationGetResult(clone, i));
}

/// Computes a scalar of the function, without asking for it in its own type.
static void touch(XlaVulkanEmit *e, MlirValue value) {
  if (mlirValueIsAOpResult(value) && !xlaVulkanBound(e, value).ptr &&
      mlirOperationEqual(
          mlirOperationGetParentOperation(mlirOpResultGetOwner(value)),
          e->memory->schedule->function))
    outside(e, mlirOpResultGetOwner(value));
}

static void cloneScalar(XlaVulkanEmit *e, MlirOperation op) {
  MlirValue operands[64];
  intptr_t n = mlirOperationGetNumOperands(op);
  // Operands from outside first: they may be narrow as well.
  for (intptr_t i = 0; i < n; ++i)
    touch(e, mlirOperationGetOperand(op, i));
  if (xlaVulkanNarrowOp(e, op))
    return;
  if (n > 64) {
    xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_INTERNAL,
                      "an operation has %td operands", n);
    return;
  }
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = xlaVulkanValue(e, mlirOperationGetOperand(op, i));
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationSetOperand(clone, i, operands[i]);
  if (e->ir.before.ptr)
    mlirBlockInsertOwnedOperationBefore(e->ir.block, e->ir.before, clone);
  else
    mlirBlockAppendOwnedOperation(e->ir.block, clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    xlaVulkanBind(e, mlirOperationGetResult(op, i),
                  mlirOperationGetResult(clone, i));
}

static bool isView(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1 &&
         mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

void xlaVulkanClone(XlaVulkanEmit *e, MlirOperation op) {
  MlirValue root;
  if (e->failed || isView(op))
    return;
  if (xlaIrIsOp(op, "memref.load")) {
    MlirValue index =
        flatIndex(e, op, 1, mlirOperationGetOperand(op, 0), &root);
    xlaVulkanBind(e, mlirOperationGetResult(op, 0),
                  xlaVulkanLoad(e, root, index));
  } else if (xlaIrIsOp(op, "memref.store")) {
    MlirValue value = xlaVulkanValue(e, mlirOperationGetOperand(op, 0));
    MlirValue index =
        flatIndex(e, op, 2, mlirOperationGetOperand(op, 1), &root);
    xlaVulkanStore(e, root, index, value);
  } else if (xlaIrIsOp(op, "scf.for")) {
    cloneFor(e, op);
  } else if (xlaIrIsOp(op, "scf.if")) {
    cloneIf(e, op);
  } else if (mlirOperationGetNumRegions(op) == 0 &&
             (xlaIrHasPrefix(op, "arith.") || xlaIrHasPrefix(op, "math.") ||
              xlaIrHasPrefix(op, "ub."))) {
    cloneScalar(e, op);
  } else {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_INTERNAL,
                      "%.*s is not scheduled for Vulkan", (int)name.length,
                      name.data);
  }
}

void xlaVulkanCloneBlock(XlaVulkanEmit *e, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       op.ptr && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op))
    xlaVulkanClone(e, op);
}

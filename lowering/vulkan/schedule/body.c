//===- body.c - Code of a kernel in a shader ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule/emit.h"

#include <stdlib.h>

enum { maxCarried = 128 };

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

static void set(XlaVulkanEmit *e, MlirValue key, MlirValue value) {
  if (!xlaVulkanMapSet(&e->map, key, value))
    xlaVulkanEmitNoMemory(e);
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
  MlirValue known = xlaVulkanMapGet(&e->map, value);
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
    known = xlaVulkanMapGet(&e->map, value);
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

/// The position of an access in its buffer.
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
                        ? xlaVulkanStart(e, start)
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
// Loops
//===----------------------------------------------------------------------===//

typedef void LoopBody(XlaVulkanEmit *e, MlirValue index, MlirValue *carry,
                      void *user);

/// One scf.for.
static void loop(XlaVulkanEmit *e, MlirValue lower, MlirValue upper,
                 int64_t step, int n, MlirValue *carry, LoopBody *body,
                 void *user) {
  XlaIr outer = e->ir, inside;
  MlirOperation op =
      xlaIrFor(&outer, lower, upper, xlaIrConstantIndex(&outer, step), n, carry,
               &inside);
  MlirValue values[maxCarried];
  for (int i = 0; i < n; ++i)
    values[i] = mlirBlockGetArgument(inside.block, 1 + i);
  e->ir = inside;
  body(e, mlirBlockGetArgument(inside.block, 0), values, user);
  xlaIrYield(&e->ir, n, values);
  e->ir = outer;
  for (int i = 0; i < n; ++i)
    carry[i] = mlirOperationGetResult(op, i);
}

typedef struct Chunks {
  MlirValue lower, upper;
  int64_t step;
  int n;
  LoopBody *body;
  void *user;
} Chunks;

/// One chunk of a long loop: [first, min(first + chunk, upper)).
static void chunk(XlaVulkanEmit *e, MlirValue number, MlirValue *carry,
                  void *user) {
  Chunks *chunks = user;
  XlaIr *ir = &e->ir;
  MlirValue first = xlaVulkanAddScaled(ir, chunks->lower, number,
                                       XLA_VULKAN_MAX_TRIPS * chunks->step);
  MlirValue left = xlaIrBinary(ir, "arith.subi", chunks->upper, first);
  MlirValue most = xlaIrConstantIndex(ir, XLA_VULKAN_MAX_TRIPS * chunks->step);
  left = xlaIrSelect(ir, xlaIrCmpI(ir, "ult", left, most), left, most);
  loop(e, first, xlaIrBinary(ir, "arith.addi", first, left), chunks->step,
       chunks->n, carry, chunks->body, chunks->user);
}

/// Counts iterations up to where it does not matter any more.
static int64_t saturated(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) || product > INT32_MAX
             ? INT32_MAX
             : product;
}

void xlaVulkanLoop(XlaVulkanEmit *e, MlirValue lower, MlirValue upper,
                   int64_t step, int64_t trips, int n, MlirValue *carry,
                   LoopBody *body, void *user) {
  int64_t from, to, around = e->around;
  if (n > maxCarried) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "a loop carries %d values, more than the %d that are "
                      "scheduled",
                      n, maxCarried);
    return;
  }
  if (trips < 0 && xlaIrReadInt(lower, &from) && xlaIrReadInt(upper, &to))
    trips = to > from ? (to - from + step - 1) / step : 0;
  if (trips == 0)
    return;
  if (trips == 1) {
    body(e, lower, carry, user);
    return;
  }
  if (trips > 0)
    e->around = saturated(around, trips);
  e->iterations += e->around;
  if (trips > 0 && trips <= XLA_VULKAN_MAX_TRIPS) {
    loop(e, lower, upper, step, n, carry, body, user);
    e->around = around;
    return;
  }
  if (trips > (int64_t)XLA_VULKAN_MAX_TRIPS * XLA_VULKAN_MAX_TRIPS)
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "a loop of %lld iterations is too long for a shader",
                      (long long)trips);
  // Counts chunks: `upper` and a chunk may not fit into an index.
  Chunks chunks = {lower, upper, step, n, body, user};
  MlirValue size = xlaIrConstantIndex(&e->ir, step * XLA_VULKAN_MAX_TRIPS);
  MlirValue left = xlaIrBinary(&e->ir, "arith.subi", upper, lower);
  MlirValue none = xlaIrConstantIndex(&e->ir, 0);
  left =
      xlaIrSelect(&e->ir, xlaIrCmpI(&e->ir, "slt", lower, upper), left, none);
  left =
      xlaIrBinary(&e->ir, "arith.addi", left,
                  xlaIrConstantIndex(&e->ir, step * XLA_VULKAN_MAX_TRIPS - 1));
  loop(e, none, xlaIrBinary(&e->ir, "arith.divui", left, size), 1, n, carry,
       chunk, &chunks);
  e->around = around;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void cloneForBody(XlaVulkanEmit *e, MlirValue index, MlirValue *carry,
                         void *user) {
  MlirBlock block = *(MlirBlock *)user;
  MlirOperation yield = mlirBlockGetTerminator(block);
  set(e, mlirBlockGetArgument(block, 0), index);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    set(e, mlirBlockGetArgument(block, 1 + i), carry[i]);
  xlaVulkanCloneBlock(e, block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    carry[i] = xlaVulkanValue(e, mlirOperationGetOperand(yield, i));
}

static void cloneFor(XlaVulkanEmit *e, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op) - 3;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirValue carry[maxCarried];
  int64_t step;
  if (n > maxCarried || !xlaIrReadInt(mlirOperationGetOperand(op, 2), &step) ||
      step < 1 ||
      !mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, 0)))) {
    xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_UNIMPLEMENTED,
                      "a loop has more than %d carried values or no constant "
                      "step",
                      maxCarried);
    return;
  }
  for (intptr_t i = 0; i < n; ++i)
    carry[i] = xlaVulkanValue(e, mlirOperationGetOperand(op, 3 + i));
  xlaVulkanLoop(e, xlaVulkanValue(e, mlirOperationGetOperand(op, 0)),
                xlaVulkanValue(e, mlirOperationGetOperand(op, 1)), step, -1,
                (int)n, carry, cloneForBody, &block);
  for (intptr_t i = 0; i < n; ++i)
    set(e, mlirOperationGetResult(op, i), carry[i]);
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
    MlirValue values[maxCarried];
    intptr_t n = mlirOperationGetNumOperands(yield);
    if (n > maxCarried)
      xlaVulkanEmitFail(e, mlirOperationGetLocation(op), XLA_STATUS_INTERNAL,
                        "a branch has %td results", n);
    for (intptr_t i = 0; i < n && i < maxCarried; ++i)
      values[i] = xlaVulkanValue(e, mlirOperationGetOperand(yield, i));
    xlaIrYield(&e->ir, n < maxCarried ? n : maxCarried, values);
  }
  e->ir = outer;
  intptr_t n = mlirOperationGetNumResults(op);
  MlirType types[maxCarried];
  for (intptr_t i = 0; i < n && i < maxCarried; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirOperation clone =
      xlaIrCreate(&e->ir, "scf.if", 1, &condition, n < maxCarried ? n : 0,
                  types, 0, NULL, 2, regions);
  for (intptr_t i = 0; i < n && i < maxCarried; ++i)
    set(e, mlirOperationGetResult(op, i), mlirOperationGetResult(clone, i));
}

static void cloneIndex(XlaVulkanEmit *e, MlirOperation op) {
  int64_t d = mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("dim")));
  MlirValue index = e->indices[d];
  if (!index.ptr) // of a dimension of size 1
    index = xlaIrConstantIndex(&e->ir, 0);
  set(e, mlirOperationGetResult(op, 0), index);
  xlaVulkanSetNarrow(e, mlirOperationGetResult(op, 0),
                     xlaIrCast(&e->ir, "arith.index_cast", index,
                               mlirIntegerTypeGet(e->ir.context, 32)),
                     0, e->indexSizes[d] - 1);
}

/// Computes a scalar of the function, without asking for it in its own type.
static void touch(XlaVulkanEmit *e, MlirValue value) {
  if (mlirValueIsAOpResult(value) && !xlaVulkanMapGet(&e->map, value).ptr &&
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
    set(e, mlirOperationGetResult(op, i), mlirOperationGetResult(clone, i));
}

static bool isView(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1 &&
         mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

void xlaVulkanClone(XlaVulkanEmit *e, MlirOperation op) {
  MlirValue root;
  if (e->failed || isView(op))
    return;
  if (xlaIrIsOp(op, "linalg.index")) {
    cloneIndex(e, op);
  } else if (xlaIrIsOp(op, "memref.load")) {
    MlirValue index =
        flatIndex(e, op, 1, mlirOperationGetOperand(op, 0), &root);
    set(e, mlirOperationGetResult(op, 0), xlaVulkanLoad(e, root, index));
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

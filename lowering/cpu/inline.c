//===- inline.c - Functions that do nothing but call another --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM takes half a millisecond for each function, however short it is: the
// host program of a single kernel, and a product's kernel that only calls the
// function of that product. Upstream's inliner copies what here is moved.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/lowering/cpu/lower.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

/// What is known of functions.
typedef struct Functions {
  /// Those of the module itself that may move, by the name in a call: in other
  /// modules within it the same name is another function.
  XlaPointerMap bodies;
  XlaPointerMap references; ///< how many there are, by that name
  XlaPointerMap calls;      ///< how many one makes
  bool failed;              ///< memory ran out
} Functions;

static bool isFunction(MlirOperation op) { return xlaIrIsOp(op, "func.func"); }

static bool isReference(MlirOperation op) {
  return xlaIrIsOp(op, "func.call") || xlaIrIsOp(op, "func.constant");
}

static MlirAttribute referenceOf(MlirOperation op) {
  return xlaOpGetAttr(op, xlaIrIsOp(op, "func.call") ? "callee" : "value");
}

static bool hasOneBlock(MlirOperation function) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return !mlirBlockIsNull(block) &&
         mlirBlockIsNull(mlirBlockGetNextInRegion(block));
}

/// Only this module can call it, and nobody asked to keep it apart.
static bool mayMove(MlirOperation function) {
  return hasOneBlock(function) && xlaCpuIsPrivate(function) &&
         mlirAttributeIsNull(xlaOpGetAttr(function, "passthrough"));
}

static void addFunction(Functions *known, MlirOperation module,
                        MlirOperation function) {
  MlirAttribute name = mlirFlatSymbolRefAttrGet(
      mlirOperationGetContext(function),
      mlirStringAttrGetValue(xlaOpGetAttr(function, "sym_name")));
  known->failed |=
      mlirOperationEqual(mlirOperationGetParentOperation(function), module) &&
      mayMove(function) &&
      !xlaPointerMapSet(&known->bodies, name.ptr, (intptr_t)function.ptr);
}

static void increment(Functions *known, XlaPointerMap *map, const void *key) {
  known->failed |= !xlaPointerMapSet(map, key, xlaPointerMapGet(map, key) + 1);
}

static void addReference(Functions *known, MlirOperation op) {
  MlirOperation caller = op;
  while (!mlirOperationIsNull(caller) && !isFunction(caller))
    caller = mlirOperationGetParentOperation(caller);
  increment(known, &known->references, referenceOf(op).ptr);
  if (!mlirOperationIsNull(caller))
    increment(known, &known->calls, caller.ptr);
}

/// Whether `op` is the only call of a function, on its way through once, and
/// the only one of the function that it is in.
static bool isOnlyCall(const Functions *known, MlirOperation op,
                       MlirOperation callee) {
  MlirOperation caller = mlirOperationGetParentOperation(op);
  return xlaIrIsOp(op, "func.call") && isFunction(caller) &&
         hasOneBlock(caller) && !mlirOperationEqual(caller, callee) &&
         mlirOperationEqual(mlirOperationGetParentOperation(caller),
                            mlirOperationGetParentOperation(callee)) &&
         xlaPointerMapGet(&known->references, referenceOf(op).ptr) == 1 &&
         xlaPointerMapGet(&known->calls, caller.ptr) == 1;
}

static void inlineCalls(Functions *known, const XlaIrOps *references) {
  for (intptr_t i = 0; i < references->n; ++i) {
    MlirOperation op = references->ops[i];
    MlirOperation callee = {
        (void *)xlaPointerMapGet(&known->bodies, referenceOf(op).ptr)};
    if (mlirOperationIsNull(callee) || !isOnlyCall(known, op, callee))
      continue;
    MlirOperation caller = mlirOperationGetParentOperation(op);
    known->failed |= !xlaPointerMapSet(
        &known->calls, caller.ptr, xlaPointerMapGet(&known->calls, callee.ptr));
    xlaIrReplaceByBlock(
        op, mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0)));
    mlirOperationDestroy(callee);
  }
}

MlirLogicalResult xlaCpuInlineOnlyCalls(MlirOperation module) {
  XlaIrOps functions = xlaIrCollect(module, MlirWalkPreOrder, isFunction);
  XlaIrOps references = xlaIrCollect(module, MlirWalkPreOrder, isReference);
  Functions known = {.failed = functions.failed || references.failed};
  for (intptr_t i = 0; i < functions.n && !known.failed; ++i)
    addFunction(&known, module, functions.ops[i]);
  for (intptr_t i = 0; i < references.n && !known.failed; ++i)
    addReference(&known, references.ops[i]);
  if (!known.failed)
    inlineCalls(&known, &references);
  xlaPointerMapClear(&known.bodies);
  xlaPointerMapClear(&known.references);
  xlaPointerMapClear(&known.calls);
  free(functions.ops);
  free(references.ops);
  return known.failed ? xlaOpNoMemory(module) : mlirLogicalResultSuccess();
}

//===- retype.c - Functions on arrays of other types ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/retype.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

bool xlaRetypeTouches(MlirOperation op, bool (*isType)(MlirType type)) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isType(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (isType(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// What goes in and out
//===----------------------------------------------------------------------===//

static int countOf(const XlaFlatten *r, MlirType type) {
  MlirType types[2];
  return r->retype->getTypes(r, type, types);
}

/// Maps `old` to the leaves of `value`, of the same type.
static MlirLogicalResult enter(XlaFlatten *r, MlirOperation op, MlirValue old,
                               MlirValue value, XlaIr *ir) {
  int n = countOf(r, mlirValueGetType(old));
  MlirValue leaves[2] = {value};
  if (n)
    r->retype->enter(ir, value, leaves);
  return xlaFlattenBind(r, op, old, n ? n : 1, leaves);
}

/// Operands of `op` as values of their types, for the caller to free.
static MlirValue *leaveAll(const XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirValue *values = malloc(((size_t)n + 1) * sizeof *values);
  for (intptr_t i = 0; values && i < n; ++i) {
    MlirValue old = mlirOperationGetOperand(op, i);
    const MlirValue *leaves = xlaFlattenLeavesOf(r, old)->values;
    MlirType type = mlirValueGetType(old);
    values[i] =
        countOf(r, type) ? r->retype->leave(ir, leaves, type) : leaves[0];
  }
  if (!values)
    xlaOpNoMemory(op);
  return values;
}

MlirLogicalResult xlaRetypeKeep(XlaFlatten *r, MlirOperation op, XlaIr *ir) {
  MlirValue *operands = leaveAll(r, op, ir);
  if (!operands)
    return failure();
  MlirOperation kept = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(kept, i, operands[i]);
  free(operands);
  mlirBlockAppendOwnedOperation(ir->block, kept);
  MlirLogicalResult result = success();
  for (intptr_t i = 0; !failed(result) && i < mlirOperationGetNumResults(op);
       ++i)
    result = enter(r, op, mlirOperationGetResult(op, i),
                   mlirOperationGetResult(kept, i), ir);
  return result;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

XlaLiteral *xlaRetypeReadConstant(MlirOperation constant, bool *isSplat) {
  MlirAttribute value = xlaOpGetAttr(constant, "value");
  *isSplat = mlirAttributeIsADenseElements(value) &&
             mlirDenseElementsAttrIsSplat(value);
  return *isSplat ? xlaLiteralFromSplat(value) : xlaLiteralFromAttribute(value);
}

MlirValue xlaRetypeConstant(XlaIr *ir, MlirOperation old, MlirAttribute value,
                            bool isSplat) {
  XlaShape shape;
  xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(old, 0)), &shape,
                   NULL);
  MlirValue made = xlaIrOp(ir, "xla.constant", mlirAttributeGetType(value), 0,
                           NULL, 1, &(XlaIrAttr){"value", value});
  return isSplat ? xlaArrayBroadcast(ir, made, shape.rank, shape.dims, NULL)
                 : made;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static MlirLogicalResult addInputs(XlaFlatten *r, MlirOperation function,
                                   MlirBlock old, XlaIr *ir) {
  MlirLogicalResult result = success();
  for (intptr_t i = 0; !failed(result) && i < mlirBlockGetNumArguments(old);
       ++i) {
    MlirValue argument = mlirBlockGetArgument(old, i);
    MlirValue input = mlirBlockAddArgument(
        ir->block, mlirValueGetType(argument), ir->location);
    result = enter(r, function, argument, input, ir);
  }
  return result;
}

static MlirLogicalResult addOutputs(const XlaFlatten *r,
                                    MlirOperation terminator, XlaIr *ir) {
  MlirValue *outputs = leaveAll(r, terminator, ir);
  if (!outputs)
    return failure();
  xlaIrCreate(ir, "func.return", mlirOperationGetNumOperands(terminator),
              outputs, 0, NULL, 0, NULL, 0, NULL);
  free(outputs);
  return success();
}

MlirLogicalResult xlaRetypeFunction(MlirOperation function,
                                    const XlaRetype *retype) {
  MlirExtPassOptionValues none = {NULL};
  if (failed(xlaPassExplicitBroadcast(function, none, NULL)))
    return failure();
  XlaFlatten r = {.context = mlirOperationGetContext(function),
                  .retype = retype};
  MlirRegion region = mlirOperationGetRegion(function, 0);
  MlirBlock old = mlirRegionGetFirstBlock(region);
  MlirRegion made = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(made, block);
  XlaIr ir = xlaIrAtEnd(r.context, mlirOperationGetLocation(function), block);
  MlirLogicalResult result = addInputs(&r, function, old, &ir);
  if (!failed(result))
    result = xlaFlattenBody(&r, old, &ir);
  if (!failed(result))
    result = addOutputs(&r, mlirBlockGetTerminator(old), &ir);
  if (!failed(result))
    mlirRegionTakeBody(region, made);
  mlirRegionDestroy(made);
  xlaFlattenFree(&r);
  return result;
}

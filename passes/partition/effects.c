//===- effects.c - Calls of the host by several devices -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a manual computation every device makes its own calls, also where all have
// the same operands; outside of them there is one for all. One that is not on
// its way there makes none.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/tokens.h"
#include "xlac/passes/partition/expand.h"

#include <string.h>

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

static bool isEffect(MlirOperation op) {
  MlirAttribute said = xlaIrIsOp(op, "stablehlo.custom_call")
                           ? attribute(op, "has_side_effect")
                           : (MlirAttribute){NULL};
  return !mlirAttributeIsNull(said) && mlirAttributeIsABool(said) &&
         mlirBoolAttrGetValue(said);
}

static bool haveEffects(XlaExpansion *x, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xlaExpandHasEffects(x, op))
      return true;
  return false;
}

bool xlaExpandHasEffects(XlaExpansion *x, MlirOperation op) {
  enum { unknown, none, some };
  if (isEffect(op))
    return true;
  MlirOperation callee = xlaExpandCallee(x, op);
  if (!mlirOperationIsNull(callee))
    return xlaExpandHasEffects(x, callee);
  bool isFunction = xlaIrIsOp(op, "func.func"), found = false;
  if (isFunction) {
    intptr_t known = xlaPointerMapGet(&x->effects, op.ptr);
    if (known != unknown)
      return known == some;
    // One that calls itself is not asked again.
    xlaPointerMapSet(&x->effects, op.ptr, some);
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op) && !found; ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block) && !found;
         block = mlirBlockGetNextInRegion(block))
      found = haveEffects(x, block);
  if (isFunction && !xlaPointerMapSet(&x->effects, op.ptr, found ? some : none))
    xlaExpandNoMemory(x, op);
  return found;
}

/// What XLA's older partitioner is told of operations in a manual computation.
static bool isSaidManual(MlirOperation op) {
  static const char manual[] = "{manual";
  MlirAttribute said = attribute(op, "mhlo.sharding");
  if (mlirAttributeIsNull(said) || !mlirAttributeIsAString(said))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(said);
  return text.length >= sizeof manual - 1 &&
         !memcmp(text.data, manual, sizeof manual - 1);
}

bool xlaExpandSharesEffects(const XlaExpansion *x, MlirOperation op, int a,
                            int b) {
  return a / x->partitions == b / x->partitions && !x->nManual &&
         !isSaidManual(op);
}

/// What a device has that does not call.
static MlirValue nothing(XlaIr *ir, MlirType type) {
  return xlaImportIsToken(type)
             ? xlaIrOp(ir, "stablehlo.create_token", type, 0, NULL, 0, NULL)
             : xlaExpandNumber(ir, type, 0);
}

bool xlaExpandGuard(XlaExpansion *x, XlaIr *ir, MlirValue active,
                    MlirOperation *op) {
  intptr_t n = mlirOperationGetNumResults(*op);
  MlirType *types = xlaExpandAllocate(x, (size_t)n, sizeof *types);
  MlirValue *values = xlaExpandAllocate(x, (size_t)n, sizeof *values);
  if (!types || !values)
    return false;
  MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate()};
  for (int r = 0; r < 2; ++r) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(regions[r], block);
    XlaIr inner = xlaIrAtEnd(x->context, ir->location, block);
    if (r == 0) {
      mlirOperationRemoveFromParent(*op);
      mlirBlockAppendOwnedOperation(block, *op);
    }
    for (intptr_t i = 0; i < n; ++i) {
      types[i] = mlirValueGetType(mlirOperationGetResult(*op, i));
      values[i] =
          r == 0 ? mlirOperationGetResult(*op, i) : nothing(&inner, types[i]);
    }
    xlaIrCreate(&inner, "stablehlo.return", n, values, 0, NULL, 0, NULL, 0,
                NULL);
  }
  *op = xlaIrCreate(ir, "stablehlo.if", 1, &active, n, types, 0, NULL, 2,
                    regions);
  return true;
}

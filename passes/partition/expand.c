//===- expand.c - A program for every device at once ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/expand.h"

#include "xlac/dialect/entry.h"
#include "xlac/passes/partition/shardings_of.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Kinds of operations
//===----------------------------------------------------------------------===//

static bool isCallTo(MlirOperation op, const char *target) {
  MlirAttribute name = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("call_target_name"));
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
         mlirStringRefEqual(mlirStringAttrGetValue(name),
                            mlirStringRefCreateFromCString(target));
}

static bool isConversion(MlirOperation op) {
  return xlaIrIsOp(op, "stablehlo.custom_call") &&
         (isCallTo(op, "SPMDFullToShardShape") ||
          isCallTo(op, "SPMDShardToFullShape"));
}

MlirOperation xlaExpandCallee(XlaExpansion *x, MlirOperation op) {
  const char *name = xlaIrIsOp(op, "func.call")             ? "callee"
                     : xlaIrIsOp(op, "stablehlo.composite") ? "decomposition"
                                                            : NULL;
  MlirOperation none = {NULL};
  if (!name)
    return none;
  MlirAttribute symbol =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
  if (mlirAttributeIsNull(symbol) || !mlirAttributeIsAFlatSymbolRef(symbol))
    return none;
  if (mlirSymbolTableIsNull(x->symbols))
    x->symbols = mlirSymbolTableCreate(x->module);
  MlirOperation function =
      mlirSymbolTableLookup(x->symbols, mlirFlatSymbolRefAttrGetValue(symbol));
  return mlirOperationIsNull(function) || !xlaIrIsOp(function, "func.func") ||
                 !xlaFunctionHasBody(function)
             ? none
             : function;
}

static XlaExpandKind kindOfRegions(XlaExpansion *x, MlirOperation op) {
  XlaExpandKind kind = XlaExpandKindPlain;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(inner);
           inner = mlirOperationGetNextInBlock(inner)) {
        XlaExpandKind found = xlaExpandKindOf(x, inner);
        kind = found > kind ? found : kind;
      }
  return kind;
}

static XlaExpandKind findKind(XlaExpansion *x, MlirOperation op) {
  if (xlaExpandIsCollective(op) || isConversion(op) ||
      xlaExpandIsInspection(op) || xlaExpandIsCallOfParts(op) ||
      xlaIrIsOp(op, "sdy.manual_computation"))
    return XlaExpandKindDevices;
  MlirOperation callee = xlaExpandCallee(x, op);
  bool isFunction = xlaIrIsOp(op, "func.func");
  if (!mlirOperationIsNull(callee))
    return xlaExpandKindOf(x, callee);
  if (isFunction) {
    XlaExpandKind known = (XlaExpandKind)xlaPointerMapGet(&x->kinds, op.ptr);
    if (known != XlaExpandKindUnknown)
      return known;
    // One that calls itself is not asked again.
    xlaPointerMapSet(&x->kinds, op.ptr, XlaExpandKindLoops);
  }
  XlaExpandKind kind = kindOfRegions(x, op);
  if (kind == XlaExpandKindPlain && xlaIrIsOp(op, "stablehlo.while"))
    kind = XlaExpandKindLoops;
  if (isFunction && !xlaPointerMapSet(&x->kinds, op.ptr, kind))
    xlaExpandNoMemory(x, op);
  return kind;
}

XlaExpandKind xlaExpandKindOf(XlaExpansion *x, MlirOperation op) {
  enum { maxDepth = 2000 };
  if (x->kindDepth >= maxDepth)
    return XlaExpandKindDevices;
  ++x->kindDepth;
  XlaExpandKind kind = findKind(x, op);
  --x->kindDepth;
  return kind;
}

//===----------------------------------------------------------------------===//
// Calls and what only says where arrays lie
//===----------------------------------------------------------------------===//

/// Results are operands, which lie as `sharding` says, if it is not NULL.
static bool pass(XlaExpansion *x, MlirOperation op,
                 const XlaSharding *sharding) {
  intptr_t n = mlirOperationGetNumResults(op);
  if (mlirOperationGetNumOperands(op) < n)
    return xlaExpandInvalid(x, op, "has more results than operands");
  for (intptr_t i = 0; i < n; ++i) {
    XlaExpandValue *found = xlaExpandGet(x, op, mlirOperationGetOperand(op, i));
    if (!found)
      return false;
    XlaExpandValue from = *found;
    bool isKept = !sharding || sharding->isOpen ||
                  (from.sharding && xlaShardingEqual(from.sharding, sharding));
    if (!xlaExpandDefine(x, mlirOperationGetResult(op, i), from.values,
                         isKept ? from.sharding : sharding,
                         isKept ? from.parts : NULL))
      return false;
  }
  return true;
}

/// The first block of an operation; null if it has none.
static MlirBlock bodyOf(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 1
             ? mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))
             : (MlirBlock){NULL};
}

/// Results are what `body` makes of the operands.
static bool expandBody(XlaExpansion *x, MlirOperation op, MlirBlock body,
                       XlaIr *ir) {
  intptr_t n = mlirOperationGetNumOperands(op);
  intptr_t nResults = mlirOperationGetNumResults(op);
  MlirOperation end = mlirBlockIsNull(body) ? (MlirOperation){NULL}
                                            : mlirBlockGetTerminator(body);
  if (mlirOperationIsNull(end) || mlirBlockGetNumArguments(body) != n ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(body)) ||
      mlirOperationGetNumOperands(end) != nResults)
    return xlaExpandInvalid(x, op,
                            "does not fit the body that it has or calls");
  for (intptr_t i = 0; i < n; ++i) {
    XlaExpandValue *found = xlaExpandGet(x, op, mlirOperationGetOperand(op, i));
    if (!found)
      return false;
    XlaExpandValue from = *found;
    if (!xlaExpandDefine(x, mlirBlockGetArgument(body, i), from.values,
                         from.sharding, from.parts))
      return false;
  }
  bool done = xlaExpandBlock(x, body, ir);
  for (intptr_t i = 0; done && i < nResults; ++i) {
    XlaExpandValue *found =
        xlaExpandGet(x, end, mlirOperationGetOperand(end, i));
    if (!found)
      return false;
    XlaExpandValue from = *found;
    done = xlaExpandDefine(x, mlirOperationGetResult(op, i), from.values,
                           from.sharding, from.parts);
  }
  return done;
}

/// The operations of `function` in the place of a call.
static bool inlineCall(XlaExpansion *x, MlirOperation op,
                       MlirOperation function, XlaIr *ir) {
  enum { maxDepth = 200 };
  if (x->depth >= maxDepth)
    return xlaExpandUnsupported(x, op,
                                "calls itself, or calls are deeper than "
                                "is supported for several devices");
  ++x->depth;
  bool done = expandBody(x, op, bodyOf(function), ir);
  --x->depth;
  return done;
}

//===----------------------------------------------------------------------===//
// Parts and wholes
//===----------------------------------------------------------------------===//

static bool toParts(XlaExpansion *x, MlirOperation op, XlaIr *ir, MlirValue of,
                    const XlaSharding *s, MlirValue to) {
  XlaExpandValue *found = xlaExpandGet(x, op, of);
  MlirValue *parts = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *parts);
  if (!found || !parts)
    return false;
  XlaExpandValue from = *found;
  if (!xlaExpandSplit(x, op, ir, &from, s, parts))
    return false;
  if (!mlirTypeEqual(mlirValueGetType(parts[0]), mlirValueGetType(to)))
    return xlaExpandInvalid(x, op,
                            "has a part of another shape than its "
                            "sharding says");
  return xlaExpandDefine(x, to, parts, NULL, NULL);
}

static bool toWhole(XlaExpansion *x, MlirOperation op, XlaIr *ir, MlirValue of,
                    const XlaSharding *s, MlirValue to) {
  XlaExpandValue *found = xlaExpandGet(x, op, of);
  MlirValue *whole = xlaExpandAllocate(x, (size_t)x->nDevices, sizeof *whole);
  if (!found || !whole)
    return false;
  MlirValue *parts = found->values;
  if (!xlaExpandJoin(x, op, ir, parts, s, whole))
    return false;
  if (!mlirTypeEqual(mlirValueGetType(whole[0]), mlirValueGetType(to)))
    return xlaExpandInvalid(x, op,
                            "has a result of another shape than its "
                            "sharding says");
  return xlaExpandDefine(x, to, whole, s, parts);
}

static bool expandManual(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  MlirBlock body = bodyOf(op);
  MlirOperation end = mlirBlockIsNull(body) ? (MlirOperation){NULL}
                                            : mlirBlockGetTerminator(body);
  intptr_t nIn = mlirOperationGetNumOperands(op);
  intptr_t nOut = mlirOperationGetNumResults(op);
  if (mlirOperationIsNull(end) || mlirBlockGetNumArguments(body) != nIn ||
      mlirOperationGetNumOperands(end) != nOut)
    return xlaExpandInvalid(x, op, "has a body that does not fit");
  for (intptr_t i = 0; i < nIn; ++i) {
    const XlaSharding *s = xlaShardingOfManual(x, op, "in_shardings", i);
    if (!s || !toParts(x, op, ir, mlirOperationGetOperand(op, i), s,
                       mlirBlockGetArgument(body, i)))
      return false;
  }
  ++x->nManual;
  bool done = xlaExpandBlock(x, body, ir);
  --x->nManual;
  if (!done)
    return false;
  for (intptr_t i = 0; i < nOut; ++i) {
    const XlaSharding *s = xlaShardingOfManual(x, op, "out_shardings", i);
    if (!s || !toWhole(x, op, ir, mlirOperationGetOperand(end, i), s,
                       mlirOperationGetResult(op, i)))
      return false;
  }
  return true;
}

/// Custom calls of XLA's partitioner.
static bool expandConversion(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  if (mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 1)
    return xlaExpandInvalid(x, op, "has not one operand and one result");
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirValue to = mlirOperationGetResult(op, 0);
  XlaExpandValue *found = xlaExpandGet(x, op, from);
  if (!found)
    return false;
  if (isCallTo(op, "SPMDFullToShardShape")) {
    if (mlirTypeEqual(mlirValueGetType(from), mlirValueGetType(to)))
      return xlaExpandDefine(x, to, found->values, NULL, NULL);
    if (!found->sharding)
      return xlaExpandInvalid(x, op,
                              "has an operand of which is not known how "
                              "it lies");
    return toParts(x, op, ir, from, found->sharding, to);
  }
  const XlaSharding *s = NULL;
  if (!xlaShardingOfCall(x, op, &s))
    return false;
  if (!s)
    return xlaExpandInvalid(x, op, "does not say how its result lies");
  return toWhole(x, op, ir, from, s, to);
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

static bool expandShardy(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  const XlaSharding *s = NULL;
  if (xlaIrIsOp(op, "sdy.manual_computation"))
    return expandManual(x, op, ir);
  if (xlaIrIsOp(op, "sdy.named_computation"))
    return expandBody(x, op, bodyOf(op), ir);
  if (xlaIrIsOp(op, "sdy.constant"))
    return xlaExpandCopy(x, op, ir);
  if (xlaIrIsOp(op, "sdy.sharding_constraint") || xlaIrIsOp(op, "sdy.reshard"))
    return xlaShardingOfConstraint(x, op, &s) && pass(x, op, s);
  // Others move arrays between devices, which are whole here.
  return pass(x, op, NULL);
}

bool xlaExpandCount(XlaExpansion *x, MlirOperation op) {
  enum { maxOperations = 4 << 20 }; // as after all calls are inlined
  return ++x->nOperations <= maxOperations ||
         xlaExpandUnsupported(x, op,
                              "is one of more than 4194304 operations of all "
                              "devices");
}

bool xlaExpandOp(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  static const char *const host[] = {"stablehlo.infeed", "stablehlo.outfeed",
                                     "stablehlo.send", "stablehlo.recv"};
  for (size_t i = 0; i < sizeof host / sizeof *host; ++i)
    if (xlaIrIsOp(op, host[i]))
      return xlaExpandUnsupported(x, op,
                                  "is not supported in a program for "
                                  "several devices");
  if (!xlaExpandCount(x, op))
    return false;
  ir->location = mlirOperationGetLocation(op);
  if (xlaIrHasPrefix(op, "sdy."))
    return expandShardy(x, op, ir);
  if (xlaIrIsOp(op, "stablehlo.custom_call") && isCallTo(op, "Sharding")) {
    const XlaSharding *s = NULL;
    return xlaShardingOfCall(x, op, &s) && pass(x, op, s);
  }
  if (xlaExpandIsInspection(op))
    return xlaExpandInspect(x, op);
  if (xlaExpandIsCallOfParts(op))
    return xlaExpandCallParts(x, op, ir);
  if (isConversion(op))
    return expandConversion(x, op, ir);
  if (xlaExpandIsCollective(op))
    return xlaExpandCollective(x, op, ir);
  XlaExpandKind kind = xlaExpandKindOf(x, op);
  if (kind != XlaExpandKindDevices &&
      !(kind == XlaExpandKindLoops && x->active))
    return xlaExpandCopy(x, op, ir);
  MlirOperation callee = xlaExpandCallee(x, op);
  if (!mlirOperationIsNull(callee))
    return inlineCall(x, op, callee, ir);
  if (xlaIrIsOp(op, "stablehlo.while"))
    return xlaExpandWhile(x, op, ir);
  if (xlaIrIsOp(op, "stablehlo.case") || xlaIrIsOp(op, "stablehlo.if"))
    return xlaExpandCase(x, op, ir);
  return xlaExpandUnsupported(x, op,
                              "has operations between devices in it, "
                              "which is not supported");
}

bool xlaExpandBlock(XlaExpansion *x, MlirBlock block, XlaIr *ir) {
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op))
    if (!xlaExpandOp(x, op, ir))
      return false;
  return true;
}

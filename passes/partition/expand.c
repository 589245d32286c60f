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
  if (xlaExpandIsCollective(op) || xlaExpandIsBound(op) ||
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

MlirBlock xlaExpandBodyOf(MlirOperation op) {
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
  bool isManual = xlaExpandIsManualBody(function);
  ++x->depth;
  x->nManual += isManual;
  bool done = expandBody(x, op, xlaExpandBodyOf(function), ir);
  x->nManual -= isManual;
  --x->depth;
  return done;
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

static bool expandShardy(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  const XlaSharding *s = NULL;
  if (xlaIrIsOp(op, "sdy.manual_computation"))
    return xlaExpandManual(x, op, ir);
  if (xlaIrIsOp(op, "sdy.named_computation"))
    return expandBody(x, op, xlaExpandBodyOf(op), ir);
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
                                     "stablehlo.send",   "stablehlo.recv",
                                     "xla.infeed",       "xla.outfeed",
                                     "xla.send",         "xla.recv"};
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
  if (xlaExpandIsCallTo(op, "Sharding")) {
    const XlaSharding *s = NULL;
    return xlaShardingOfCall(x, op, &s) && pass(x, op, s);
  }
  if (xlaExpandIsInspection(op))
    return xlaExpandInspect(x, op);
  if (xlaExpandIsCallOfParts(op))
    return xlaExpandCallParts(x, op, ir);
  if (xlaExpandIsBound(op))
    return xlaExpandBound(x, op, ir);
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

//===- manual.c - Manual computations -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in a manual computation is about parts. Where its bounds are is said
// by an operation of Shardy around it, or by custom calls before and behind it:
// those of XLA's older partitioner, of one array each, and those that Shardy
// writes into HLO, of all that goes in or comes out.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/shardings_of.h"

#include "xlac/dialect/entry.h"

#include <string.h>

typedef enum Bound {
  BoundNone,
  BoundFullToShard,
  BoundShardToFull,
  BoundGlobalToLocal,
  BoundLocalToGlobal,
} Bound;

/// What a custom call goes to; empty of anything else.
static MlirStringRef targetOf(MlirOperation op) {
  MlirAttribute name =
      xlaIrIsOp(op, "stablehlo.custom_call")
          ? mlirOperationGetAttributeByName(
                op, mlirStringRefCreateFromCString("call_target_name"))
          : (MlirAttribute){NULL};
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name)
             ? mlirStringAttrGetValue(name)
             : mlirStringRefCreate("", 0);
}

bool xlaExpandIsCallTo(MlirOperation op, const char *target) {
  return mlirStringRefEqual(targetOf(op),
                            mlirStringRefCreateFromCString(target));
}

static Bound boundOf(MlirStringRef target) {
  static const char *const targets[] = {
      [BoundFullToShard] = "SPMDFullToShardShape",
      [BoundShardToFull] = "SPMDShardToFullShape",
      [BoundGlobalToLocal] = "xla.sdy.GlobalToLocalShape",
      [BoundLocalToGlobal] = "xla.sdy.LocalToGlobalShape"};
  for (int i = BoundFullToShard; i <= BoundLocalToGlobal; ++i)
    if (mlirStringRefEqual(target, mlirStringRefCreateFromCString(targets[i])))
      return (Bound)i;
  return BoundNone;
}

bool xlaPartitionIsBound(MlirStringRef target) {
  return boundOf(target) != BoundNone;
}

bool xlaExpandIsBound(MlirOperation op) {
  return xlaPartitionIsBound(targetOf(op));
}

bool xlaExpandIsManualBody(MlirOperation function) {
  static const char prefix[] = "xla.sdy.manual_computation_body";
  MlirAttribute name = mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("sym_name"));
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(name);
  return text.length >= sizeof prefix - 1 &&
         !memcmp(text.data, prefix, sizeof prefix - 1);
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

//===----------------------------------------------------------------------===//
// Shardy's operation
//===----------------------------------------------------------------------===//

bool xlaExpandManual(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  MlirBlock body = xlaExpandBodyOf(op);
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

//===----------------------------------------------------------------------===//
// Custom calls
//===----------------------------------------------------------------------===//

/// Those of XLA's older partitioner.
static bool expandConversion(XlaExpansion *x, MlirOperation op, Bound bound,
                             XlaIr *ir) {
  if (mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 1)
    return xlaExpandInvalid(x, op, "has not one operand and one result");
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirValue to = mlirOperationGetResult(op, 0);
  XlaExpandValue *found = xlaExpandGet(x, op, from);
  if (!found)
    return false;
  if (bound == BoundFullToShard) {
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

bool xlaExpandBound(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  Bound bound = boundOf(targetOf(op));
  bool isEntry = bound == BoundGlobalToLocal;
  intptr_t n = mlirOperationGetNumResults(op);
  if (!isEntry && bound != BoundLocalToGlobal)
    return expandConversion(x, op, bound, ir);
  if (mlirOperationGetNumOperands(op) != n)
    return xlaExpandInvalid(x, op, "has not as many results as operands");
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue from = mlirOperationGetOperand(op, i);
    MlirValue to = mlirOperationGetResult(op, i);
    const XlaSharding *s = xlaShardingOfManual(
        x, op, isEntry ? "in_shardings" : "out_shardings", i);
    if (!s || !(isEntry ? toParts(x, op, ir, from, s, to)
                        : toWhole(x, op, ir, from, s, to)))
      return false;
  }
  return true;
}

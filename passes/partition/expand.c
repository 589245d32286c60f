//===- expand.c - A program for every device at once ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/expand.h"

#include "xlac/dialect/entry.h"
#include "xlac/passes/partition/shardings_of.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Errors and memory
//===----------------------------------------------------------------------===//

struct XlaExpandMemory {
  XlaExpandMemory *next;
  XlaSharding *sharding; ///< or what follows is memory
};

bool xlaExpandNoMemory(XlaExpansion *x, MlirOperation op) {
  xlaOpNoMemory(op);
  x->result = XlaImportResultUnsupported;
  return false;
}

bool xlaExpandUnsupported(XlaExpansion *x, MlirOperation op, const char *what) {
  xlaOpUnsupported(op, NULL, "%s", what);
  x->result = XlaImportResultUnsupported;
  return false;
}

bool xlaExpandInvalid(XlaExpansion *x, MlirOperation op, const char *what) {
  xlaOpInvalid(op, NULL, "%s", what);
  x->result = XlaImportResultInvalid;
  return false;
}

void *xlaExpandAllocate(XlaExpansion *x, size_t n, size_t size) {
  XlaExpandMemory *made = calloc(1, sizeof *made + (n + 1) * size);
  if (!made) {
    xlaExpandNoMemory(x, x->module);
    return NULL;
  }
  made->next = x->memory;
  x->memory = made;
  return made + 1;
}

const XlaSharding *xlaExpandKeep(XlaExpansion *x, XlaSharding *sharding) {
  XlaExpandMemory *made = calloc(1, sizeof *made);
  if (!made) {
    xlaShardingDestroy(sharding);
    xlaExpandNoMemory(x, x->module);
    return NULL;
  }
  made->next = x->memory;
  made->sharding = sharding;
  x->memory = made;
  return sharding;
}

void xlaExpansionDestroy(XlaExpansion *x) {
  while (x->memory) {
    XlaExpandMemory *next = x->memory->next;
    xlaShardingDestroy(x->memory->sharding);
    free(x->memory);
    x->memory = next;
  }
  xlaPointerMapClear(&x->numbers);
  xlaPointerMapClear(&x->kinds);
  xlaPointerMapClear(&x->effects);
  free(x->values);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

XlaExpandValue *xlaExpandGet(XlaExpansion *x, MlirOperation op,
                             MlirValue value) {
  intptr_t number = xlaPointerMapGet(&x->numbers, value.ptr);
  if (number && x->values[number - 1].values)
    return &x->values[number - 1];
  xlaExpandInvalid(x, op, "uses a value that is not defined before");
  return NULL;
}

MlirValue *xlaExpandOperand(XlaExpansion *x, MlirOperation op, intptr_t i) {
  XlaExpandValue *found = xlaExpandGet(x, op, mlirOperationGetOperand(op, i));
  return found ? found->values : NULL;
}

bool xlaExpandDefine(XlaExpansion *x, MlirValue value, MlirValue *values,
                     const XlaSharding *sharding, MlirValue *parts) {
  intptr_t number = xlaPointerMapGet(&x->numbers, value.ptr);
  if (!number) {
    if (x->nValues == x->capacity) {
      intptr_t capacity = 2 * x->capacity + 64;
      XlaExpandValue *grown =
          realloc(x->values, (size_t)capacity * sizeof *grown);
      if (!grown)
        return xlaExpandNoMemory(x, x->module);
      x->values = grown;
      x->capacity = capacity;
    }
    number = ++x->nValues;
    if (!xlaPointerMapSet(&x->numbers, value.ptr, number))
      return xlaExpandNoMemory(x, x->module);
  }
  x->values[number - 1] = (XlaExpandValue){values, sharding, parts};
  return true;
}

bool xlaExpandIsUniform(const XlaExpansion *x, const MlirValue *values) {
  for (int i = 1; i < x->nDevices; ++i)
    if (!xlaExpandSame(values[i], values[0]))
      return false;
  return true;
}

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
  MlirOperation function =
      xlaModuleFindFunction(x->module, mlirFlatSymbolRefAttrGetValue(symbol));
  return mlirOperationIsNull(function) || !xlaFunctionHasBody(function)
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

XlaExpandKind xlaExpandKindOf(XlaExpansion *x, MlirOperation op) {
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

//===----------------------------------------------------------------------===//
// Copies of an operation
//===----------------------------------------------------------------------===//

/// Values from outside of an operation: its operands, and what is used in it.
typedef struct Uses {
  MlirValue *values;
  intptr_t n, capacity;
  bool failed;
} Uses;

static void addUse(Uses *uses, MlirValue value) {
  for (intptr_t i = 0; i < uses->n; ++i)
    if (mlirValueEqual(uses->values[i], value))
      return;
  if (uses->n == uses->capacity) {
    intptr_t capacity = 2 * uses->capacity + 16;
    MlirValue *grown = realloc(uses->values, (size_t)capacity * sizeof *grown);
    if (!grown) {
      uses->failed = true;
      return;
    }
    uses->values = grown;
    uses->capacity = capacity;
  }
  uses->values[uses->n++] = value;
}

/// Calls back for every operation in `op`, and for itself.
static bool isAny(MlirOperation op) {
  (void)op;
  return true;
}

static bool isInside(MlirValue value, MlirOperation op) {
  MlirOperation around = mlirBlockGetParentOperation(xlaIrBlockOf(value));
  while (!mlirOperationIsNull(around) && !mlirOperationEqual(around, op))
    around = mlirOperationGetParentOperation(around);
  return !mlirOperationIsNull(around);
}

static bool findUses(XlaExpansion *x, MlirOperation op, Uses *uses) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    addUse(uses, mlirOperationGetOperand(op, i));
  if (!mlirOperationGetNumRegions(op))
    return !uses->failed || xlaExpandNoMemory(x, op);
  XlaIrOps inner = xlaIrCollect(op, MlirWalkPreOrder, isAny);
  for (intptr_t k = 0; k < inner.n; ++k)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner.ops[k]); ++i) {
      MlirValue value = mlirOperationGetOperand(inner.ops[k], i);
      if (!mlirOperationEqual(inner.ops[k], op) && !isInside(value, op))
        addUse(uses, value);
    }
  bool whole = !inner.failed && !uses->failed;
  free(inner.ops);
  return whole || xlaExpandNoMemory(x, op);
}

/// Puts the values of `device` in the place of those of the program.
static bool bind(XlaExpansion *x, MlirOperation copy, const Uses *uses,
                 MlirValue *const *values, int device) {
  XlaIrOps all = {0};
  if (mlirOperationGetNumRegions(copy))
    all = xlaIrCollect(copy, MlirWalkPreOrder, isAny);
  intptr_t n = all.ops ? all.n : 1;
  for (intptr_t k = 0; k < n && !all.failed; ++k) {
    MlirOperation op = all.ops ? all.ops[k] : copy;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      for (intptr_t u = 0; u < uses->n; ++u)
        if (mlirValueEqual(mlirOperationGetOperand(op, i), uses->values[u])) {
          mlirOperationSetOperand(op, i, values[u][device]);
          break;
        }
  }
  free(all.ops);
  return !all.failed || xlaExpandNoMemory(x, copy);
}

int xlaExpandFirstAlike(intptr_t n, const MlirValue *const *arrays,
                        int device) {
  for (int d = 0; d < device; ++d) {
    intptr_t i = 0;
    while (i < n && xlaExpandSame(arrays[i][d], arrays[i][device]))
      ++i;
    if (i == n)
      return d;
  }
  return device;
}

/// The first device that has the same of all that `op` uses, and whose effects
/// are its effects too.
static int findAlike(XlaExpansion *x, MlirOperation op, bool hasEffects,
                     intptr_t n, MlirValue *const *values, int device) {
  const MlirValue *const *arrays = (const MlirValue *const *)values;
  if (!hasEffects)
    return xlaExpandFirstAlike(n, arrays, device);
  for (int d = 0; d < device; ++d) {
    intptr_t i = 0;
    while (i < n && xlaExpandSame(values[i][d], values[i][device]))
      ++i;
    bool isActiveAlike =
        !x->active || xlaExpandSame(x->active[d], x->active[device]);
    if (i == n && isActiveAlike && xlaExpandSharesEffects(x, op, d, device))
      return d;
  }
  return device;
}

static bool copyFor(XlaExpansion *x, MlirOperation op, XlaIr *ir,
                    const Uses *uses, MlirValue **values) {
  intptr_t nResults = mlirOperationGetNumResults(op);
  size_t n = (size_t)x->nDevices;
  bool hasEffects = xlaExpandHasEffects(x, op);
  MlirValue *results =
      xlaExpandAllocate(x, (size_t)nResults * n, sizeof *results);
  if (!results)
    return false;
  for (int device = 0; device < x->nDevices; ++device) {
    int alike = findAlike(x, op, hasEffects, uses->n, values, device);
    MlirOperation copy = {NULL};
    if (alike == device) {
      copy = mlirOperationClone(op);
      mlirBlockAppendOwnedOperation(ir->block, copy);
      if (!bind(x, copy, uses, values, device) ||
          (hasEffects && x->active &&
           !xlaExpandGuard(x, ir, x->active[device], &copy)))
        return false;
    }
    for (intptr_t r = 0; r < nResults; ++r)
      results[(size_t)r * n + (size_t)device] =
          alike == device ? mlirOperationGetResult(copy, r)
                          : results[(size_t)r * n + (size_t)alike];
  }
  const XlaSharding **shardings = xlaShardingsOfResults(x, op);
  for (intptr_t r = 0; shardings && r < nResults; ++r)
    if (!xlaExpandDefine(x, mlirOperationGetResult(op, r),
                         results + (size_t)r * n, shardings[r], NULL))
      return false;
  return shardings != NULL;
}

static bool copy(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  Uses uses = {0};
  MlirValue **values = NULL;
  bool done = findUses(x, op, &uses);
  if (done)
    done = (values = malloc(((size_t)uses.n + 1) * sizeof *values)) != NULL ||
           xlaExpandNoMemory(x, op);
  for (intptr_t u = 0; done && u < uses.n; ++u) {
    XlaExpandValue *found = xlaExpandGet(x, op, uses.values[u]);
    done = found != NULL;
    if (done)
      values[u] = found->values;
  }
  done = done && copyFor(x, op, ir, &uses, values);
  free(values);
  free(uses.values);
  return done;
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
    return copy(x, op, ir);
  if (xlaIrIsOp(op, "sdy.sharding_constraint") || xlaIrIsOp(op, "sdy.reshard"))
    return xlaShardingOfConstraint(x, op, &s) && pass(x, op, s);
  // Others move arrays between devices, which are whole here.
  return pass(x, op, NULL);
}

bool xlaExpandOp(XlaExpansion *x, MlirOperation op, XlaIr *ir) {
  static const char *const host[] = {"stablehlo.infeed", "stablehlo.outfeed",
                                     "stablehlo.send", "stablehlo.recv"};
  for (size_t i = 0; i < sizeof host / sizeof *host; ++i)
    if (xlaIrIsOp(op, host[i]))
      return xlaExpandUnsupported(x, op,
                                  "is not supported in a program for "
                                  "several devices");
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
    return copy(x, op, ir);
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

//===- specialize.c - Programs for inputs of given sizes ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes are passed to functions as arguments, so callees take the places of
// calls first: one walk in the program's order then finds all shapes.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/specialize.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/dialect/shape.h"
#include "xlac/passes/partition/partition.h"

#include <stdlib.h>

static XlaImportResult noMemory(MlirOperation op) {
  xlaOpNoMemory(op);
  return XlaImportResultInvalid;
}

//===----------------------------------------------------------------------===//
// Callees in place of calls
//===----------------------------------------------------------------------===//

typedef struct Inlining {
  MlirSymbolTable symbols;
  intptr_t nOps;
} Inlining;

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

/// The function that `op` calls; null if it calls none.
static MlirOperation calleeOf(const Inlining *inlining, MlirOperation op) {
  MlirAttribute callee = mlirAttributeGetNull();
  if (xlaIrIsOp(op, "func.call"))
    callee = attribute(op, "callee");
  else if (xlaIrIsOp(op, "stablehlo.composite"))
    callee = attribute(op, "decomposition");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee))
    return (MlirOperation){NULL};
  MlirOperation found = mlirSymbolTableLookup(
      inlining->symbols, mlirFlatSymbolRefAttrGetValue(callee));
  return !mlirOperationIsNull(found) && xlaIrIsOp(found, "func.func")
             ? found
             : (MlirOperation){NULL};
}

static XlaImportResult inlineRegions(Inlining *inlining, MlirOperation op,
                                     int depth);

/// The operations of a callee's copy, without its terminator, which is to be
/// `*end`.
static XlaIrOps listBody(MlirBlock block, MlirOperation *end) {
  XlaIrOps list = {.ops = NULL};
  for (int pass = 0; pass < 2 && !list.failed; ++pass) {
    intptr_t n = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op), ++n) {
      if (pass && n < list.n)
        list.ops[n] = op;
      *end = op;
    }
    if (pass)
      break;
    list.n = n - 1;
    list.ops = malloc(((size_t)n + 1) * sizeof *list.ops);
    list.failed = !list.ops;
  }
  return list;
}

static MlirWalkResult count(MlirOperation op, void *data) {
  (void)op;
  ++*(intptr_t *)data;
  return MlirWalkResultAdvance;
}

/// Puts the body of `callee`, which is a copy, in the place of `call`.
static XlaImportResult putBody(Inlining *inlining, MlirOperation call,
                               MlirOperation callee, int depth) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
  MlirOperation end = {NULL};
  intptr_t n = mlirOperationGetNumOperands(call);
  intptr_t nResults = mlirOperationGetNumResults(call);
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)) ||
      mlirOperationIsNull(mlirBlockGetFirstOperation(block)) ||
      mlirBlockGetNumArguments(block) != n) {
    xlaOpError(call, NULL,
               "calls a function with another signature, or not of "
               "one block");
    return XlaImportResultInvalid;
  }
  XlaIrOps body = listBody(block, &end);
  if (body.failed)
    return noMemory(call);
  if (mlirOperationGetNumOperands(end) != nResults) {
    free(body.ops);
    xlaOpError(call, NULL, "has %lld results, its callee gives %lld",
               (long long)nResults,
               (long long)mlirOperationGetNumOperands(end));
    return XlaImportResultInvalid;
  }
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(block, i),
                                  mlirOperationGetOperand(call, i));
  for (intptr_t i = 0; i < body.n; ++i)
    mlirOperationMoveBefore(body.ops[i], call);
  for (intptr_t i = 0; i < nResults; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, i),
                                  mlirOperationGetOperand(end, i));
  mlirOperationDestroy(call);
  XlaImportResult result = XlaImportResultOk;
  for (intptr_t i = 0; i < body.n && result == XlaImportResultOk; ++i)
    result = inlineRegions(inlining, body.ops[i], depth + 1);
  free(body.ops);
  return result;
}

/// Replaces `op` if it is a call, and the calls in its regions.
static XlaImportResult inlineRegions(Inlining *inlining, MlirOperation op,
                                     int depth) {
  MlirOperation callee = calleeOf(inlining, op), next;
  XlaImportResult result = XlaImportResultOk;
  if (!mlirOperationIsNull(callee)) {
    mlirOperationWalk(callee, count, &inlining->nOps, MlirWalkPreOrder);
    if (depth > XLA_SPECIALIZE_MAX_DEPTH ||
        inlining->nOps > XLA_SPECIALIZE_MAX_OPS) {
      xlaOpError(op, NULL,
                 "is not supported yet: calls nest more than %d deep, or "
                 "become more than %d operations",
                 XLA_SPECIALIZE_MAX_DEPTH, XLA_SPECIALIZE_MAX_OPS);
      return XlaImportResultUnsupported;
    }
    MlirOperation copy = mlirOperationClone(callee);
    result = putBody(inlining, op, copy, depth);
    mlirOperationDestroy(copy);
    return result;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(inner) && result == XlaImportResultOk;
           inner = next) {
        next = mlirOperationGetNextInBlock(inner);
        result = inlineRegions(inlining, inner, depth);
      }
  return result;
}

static XlaImportResult inlineCalls(MlirOperation module,
                                   MlirOperation function) {
  Inlining inlining = {mlirSymbolTableCreate(module), 0};
  XlaImportResult result = inlineRegions(&inlining, function, 0);
  mlirSymbolTableDestroy(inlining.symbols);
  return result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Bounds are still StableHLO's.
static bool isUnbounded(MlirType type) {
  return xlaTypeIsUnbounded(xlaImportBoundedType(type));
}

static bool anyUnbounded(MlirType type, bool results) {
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (isUnbounded(mlirFunctionTypeGetInput(type, i)))
      return true;
  for (intptr_t i = 0; results && i < mlirFunctionTypeGetNumResults(type); ++i)
    if (isUnbounded(mlirFunctionTypeGetResult(type, i)))
      return true;
  return false;
}

static MlirType typeOf(MlirOperation function) {
  MlirAttribute attr = attribute(function, "function_type");
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAType(attr) ||
      !mlirTypeIsAFunction(mlirTypeAttrGetValue(attr)))
    return (MlirType){NULL};
  return mlirTypeAttrGetValue(attr);
}

bool xlaFunctionIsUnbounded(MlirOperation function) {
  MlirType type = typeOf(function);
  return !mlirTypeIsNull(type) && anyUnbounded(type, false);
}

static MlirWalkResult findUnbounded(MlirOperation op, void *found) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (isUnbounded(mlirValueGetType(mlirOperationGetResult(op, i)))) {
      *(bool *)found = true;
      return MlirWalkResultInterrupt;
    }
  return MlirWalkResultAdvance;
}

/// Functions that were called are not any more; those of custom calls, of
/// scalars, may be.
static void eraseOthers(MlirOperation module, MlirOperation function) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!xlaIrIsOp(op, "func.func") || mlirOperationEqual(op, function))
      continue;
    MlirType type = typeOf(op);
    bool found = !mlirTypeIsNull(type) && anyUnbounded(type, true);
    if (!found)
      mlirOperationWalk(op, findUnbounded, &found, MlirWalkPreOrder);
    if (found)
      mlirOperationDestroy(op);
  }
}

/// The inputs' types in place of those stated without sizes.
static XlaImportResult setArguments(MlirOperation function, intptr_t n,
                                    const MlirType *inputs) {
  MlirType type = typeOf(function);
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirTypeIsNull(type) || mlirBlockIsNull(block) ||
      mlirFunctionTypeGetNumInputs(type) != n ||
      mlirBlockGetNumArguments(block) != n) {
    xlaOpInvalid(function, NULL, "does not take %lld inputs", (long long)n);
    return XlaImportResultInvalid;
  }
  intptr_t nResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types = malloc(((size_t)(n + nResults) + 1) * sizeof *types);
  XlaImportResult result = types ? XlaImportResultOk : noMemory(function);
  for (intptr_t i = 0; i < n && result == XlaImportResultOk; ++i) {
    types[i] = mlirFunctionTypeGetInput(type, i);
    if (!isUnbounded(types[i]))
      continue;
    if (!xlaTypeRefines(inputs[i], types[i])) {
      xlaOpInvalid(function, NULL, "takes %s as input %lld, not %s",
                   XLA_TYPE_TEXT(types[i]), (long long)i,
                   XLA_TYPE_TEXT(inputs[i]));
      result = XlaImportResultInvalid;
    }
    types[i] = inputs[i];
    mlirValueSetType(mlirBlockGetArgument(block, i), inputs[i]);
  }
  for (intptr_t i = 0; types && i < nResults; ++i)
    types[n + i] = mlirFunctionTypeGetResult(type, i);
  if (result == XlaImportResultOk)
    mlirOperationSetAttributeByName(
        function, mlirStringRefCreateFromCString("function_type"),
        mlirTypeAttrGet(mlirFunctionTypeGet(mlirTypeGetContext(type), n, types,
                                            nResults, types + n)));
  free(types);
  return result;
}

XlaImportResult xlaSpecialize(MlirOperation module, MlirOperation function,
                              intptr_t n, const MlirType *inputs) {
  XlaImportResult result = xlaPartitionWhole(module);
  if (result == XlaImportResultOk)
    result = inlineCalls(module, function);
  if (result == XlaImportResultOk)
    result = setArguments(function, n, inputs);
  if (result != XlaImportResultOk)
    return result;
  eraseOthers(module, function);
  return xlaImportFolding(module);
}

//===- local.c - What one of several devices does -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/local.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/entry.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Programs of more operations stay as they are.
enum { maxOperations = 1 << 14 };

static bool isCall(MlirOperation op) { return xlaIrIsOp(op, "func.call"); }

/// What is in a manual computation is about parts already.
static bool isInManual(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !mlirOperationIsNull(op);
       op = mlirOperationGetParentOperation(op))
    if (xlaIrIsOp(op, "sdy.manual_computation"))
      return true;
  return false;
}

/// How many there are in `op`, and itself; too many where that is not known.
static intptr_t countOperations(MlirOperation op) {
  XlaIrOps all = xlaIrCollect(op, MlirWalkPreOrder, NULL);
  free(all.ops);
  return all.failed ? maxOperations + 1 : all.n;
}

static bool inlineCall(XlaLocal *l, MlirOperation call, intptr_t *nOperations) {
  MlirOperation callee = xlaExpandCallee(&l->job->x, call);
  if (mlirOperationIsNull(callee))
    return false;
  *nOperations += countOperations(callee);
  if (*nOperations > maxOperations)
    return false;
  MlirOperation copy = mlirOperationClone(callee);
  MlirRegion region = mlirOperationGetRegion(copy, 0);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation end = mlirBlockGetTerminator(block);
  intptr_t n = mlirOperationGetNumOperands(call);
  intptr_t nResults = mlirOperationGetNumResults(call);
  bool fits = xlaFunctionEndsWithResults(copy) && !mlirOperationIsNull(end) &&
              mlirBlockIsNull(mlirBlockGetNextInRegion(block)) &&
              mlirBlockGetNumArguments(block) == n &&
              mlirOperationGetNumOperands(end) == nResults;
  for (intptr_t i = 0; i < n && fits; ++i)
    fits = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(call, i)),
                         mlirValueGetType(mlirBlockGetArgument(block, i)));
  for (intptr_t i = 0; i < nResults && fits; ++i)
    fits = mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(call, i)),
                         mlirValueGetType(mlirOperationGetOperand(end, i)));
  if (fits)
    xlaIrReplaceByBlock(call, block);
  mlirOperationDestroy(copy);
  return fits;
}

/// Those of the functions that are put in, too.
static bool inlineCalls(XlaLocal *l) {
  intptr_t nOperations = countOperations(l->function);
  for (;;) {
    XlaIrOps calls = xlaIrCollect(l->function, MlirWalkPreOrder, isCall);
    bool fits = !calls.failed && nOperations <= maxOperations;
    intptr_t n = 0;
    for (intptr_t i = 0; i < calls.n && fits; ++i) {
      if (isInManual(calls.ops[i]))
        continue;
      fits = inlineCall(l, calls.ops[i], &nOperations);
      ++n;
    }
    free(calls.ops);
    if (!fits || !n)
      return fits;
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static bool isOfBlock(MlirOperation op, intptr_t r, intptr_t nArguments,
                      intptr_t nHandedOn) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)) ||
      mlirBlockGetNumArguments(block) != nArguments)
    return false;
  MlirOperation end = mlirBlockGetTerminator(block);
  return !mlirOperationIsNull(end) &&
         mlirOperationGetNumOperands(end) == nHandedOn;
}

/// Programs have not been verified yet.
static bool isSound(MlirOperation op) {
  intptr_t nIn = mlirOperationGetNumOperands(op);
  intptr_t nOut = mlirOperationGetNumResults(op);
  intptr_t nRegions = mlirOperationGetNumRegions(op);
  XlaOpKind kind = xlaLocalKind(op);
  if (xlaIrIsOp(op, "sdy.manual_computation"))
    return nRegions == 1 && isOfBlock(op, 0, nIn, nOut);
  if (kind == XlaOpKindWhile)
    return nRegions == 2 && nIn == nOut && isOfBlock(op, 0, nIn, 1) &&
           isOfBlock(op, 1, nIn, nOut);
  if (kind != XlaOpKindCase && kind != XlaOpKindIf)
    return true;
  bool isSound = nIn == 1;
  for (intptr_t r = 0; r < nRegions && isSound; ++r)
    isSound = isOfBlock(op, r, 0, nOut);
  return isSound;
}

static bool areSound(XlaLocal *l) {
  XlaIrOps all = xlaIrCollect(l->function, MlirWalkPreOrder, NULL);
  bool done = !all.failed;
  for (intptr_t i = 0; i < all.n && done; ++i)
    done = isSound(all.ops[i]);
  free(all.ops);
  return done;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static void setType(XlaLocal *l) {
  MlirOperation end = mlirBlockGetTerminator(l->body);
  intptr_t nIn = l->job->nIn, nOut = l->job->nOut;
  MlirType *in = xlaExpandAllocate(&l->job->x, (size_t)nIn, sizeof *in);
  MlirType *out = xlaExpandAllocate(&l->job->x, (size_t)nOut, sizeof *out);
  if (!in || !out)
    return;
  for (intptr_t i = 0; i < nIn; ++i)
    in[i] = mlirValueGetType(mlirBlockGetArgument(l->body, i));
  for (intptr_t i = 0; i < nOut; ++i)
    out[i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  mlirOperationSetAttributeByName(
      l->function, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(
          mlirFunctionTypeGet(l->job->x.context, nIn, in, nOut, out)));
}

static bool make(XlaLocal *l) {
  enum { maxCopies = 1 << 12 };
  return inlineCalls(l) && areSound(l) && xlaLocalAssign(l) &&
         xlaLocalRewrite(l) && l->nCut * l->job->x.nDevices <= maxCopies;
}

MlirOperation xlaPartitionMakeLocal(XlaPartitionJob *job) {
  MlirOperation none = {NULL};
  if (job->x.replicas != 1)
    return none;
  XlaLocal l = {.job = job, .function = mlirOperationClone(job->function)};
  l.body = mlirRegionGetFirstBlock(mlirOperationGetRegion(l.function, 0));
  bool done = make(&l);
  if (done)
    setType(&l);
  xlaPointerMapClear(&l.shardings);
  xlaPointerMapClear(&l.inside);
  xlaPointerMapClear(&l.starts);
  if (done && job->x.result == XlaImportResultOk)
    return l.function;
  mlirOperationDestroy(l.function);
  return none;
}

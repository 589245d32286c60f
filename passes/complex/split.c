//===- split.c - Functions without complex numbers ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/complex/split.h"
#include "xlac/passes/complex/complex.h"

#include "xlac/dialect/result_internal.h"
#include "xlac/passes/passes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// What goes in and out
//===----------------------------------------------------------------------===//

static MlirLogicalResult addInputs(XlaFlatten *r, MlirOperation function,
                                   MlirBlock old, XlaIr *ir) {
  MlirLogicalResult result = success();
  for (intptr_t i = 0; !failed(result) && i < mlirBlockGetNumArguments(old);
       ++i) {
    MlirValue argument = mlirBlockGetArgument(old, i);
    MlirType type = mlirValueGetType(argument);
    bool isComplex = xlaTypeIsComplex(type);
    MlirValue input = mlirBlockAddArgument(ir->block, type, ir->location);
    XlaComplex parts = {input, {NULL}};
    if (isComplex)
      parts = xlaComplexSplit(ir, input);
    result = xlaFlattenBind(r, function, argument, isComplex ? 2 : 1,
                            (MlirValue[2]){parts.re, parts.im});
  }
  return result;
}

static MlirLogicalResult addOutputs(const XlaFlatten *r,
                                    MlirOperation terminator, XlaIr *ir) {
  intptr_t n = mlirOperationGetNumOperands(terminator);
  MlirValue *outputs = malloc(((size_t)n + 1) * sizeof *outputs);
  if (!outputs)
    return xlaOpNoMemory(terminator);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue old = mlirOperationGetOperand(terminator, i);
    const MlirValue *leaves = xlaFlattenLeavesOf(r, old)->values;
    outputs[i] = leaves[0];
    if (xlaTypeIsComplex(mlirValueGetType(old)))
      outputs[i] = xlaComplexJoin(ir, (XlaComplex){leaves[0], leaves[1]},
                                  mlirValueGetType(old));
  }
  xlaIrCreate(ir, "func.return", n, outputs, 0, NULL, 0, NULL, 0, NULL);
  free(outputs);
  return success();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Pairs and what bits of them are need more dimensions than complex numbers.
enum { maxRank = XLA_MAX_RANK - 3 };

typedef struct Search {
  bool found;
  MlirOperation high; ///< has too many dimensions
} Search;

static void lookAt(Search *search, MlirOperation op, MlirValue value) {
  if (!xlaTypeIsComplex(mlirValueGetType(value)))
    return;
  search->found = true;
  if (mlirShapedTypeGetRank(mlirValueGetType(value)) > maxRank)
    search->high = op;
}

static MlirWalkResult look(MlirOperation op, void *user) {
  Search *search = user;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    lookAt(search, op, mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    lookAt(search, op, mlirOperationGetOperand(op, i));
  return search->high.ptr ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult xlaSplitComplex(MlirOperation function) {
  Search search = {.found = false};
  mlirOperationWalk(function, look, &search, MlirWalkPreOrder);
  if (search.high.ptr)
    return xlaOpUnsupported(search.high, NULL,
                            "is not supported yet for complex numbers in more "
                            "than %d dimensions",
                            maxRank);
  if (!search.found)
    return success();
  MlirExtPassOptionValues none = {NULL};
  if (failed(xlaPassExplicitBroadcast(function, none, NULL)))
    return failure();
  XlaFlatten r = {.context = mlirOperationGetContext(function),
                  .splitsComplex = true};
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

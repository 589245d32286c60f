//===- work.c - What a program has to do at least -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/ops/dot.h"
#include "xlac/tools/xla-bench/bench.h"

/// Calls deeper than this are taken for recursion.
#define MAX_CALL_DEPTH 64

/// Two operations for every product that is summed up.
static double countDot(MlirOperation op) {
  XlaDotDimensions dimensions;
  XlaShape lhs, result;
  int64_t elements;
  const char *reason;
  MlirType lhsType = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!xlaShapeFromMlir(lhsType, &lhs, &reason) ||
      !xlaShapeFromMlir(type, &result, &reason) ||
      !xlaShapeGetElementCount(&result, &elements))
    return -1;
  double flops = 2.0 * (double)elements;
  xlaDotGetDimensions(op, &dimensions);
  for (int i = 0; i < dimensions.lhs.contracting.size; ++i)
    flops *= (double)lhs.dims[dimensions.lhs.contracting.values[i]];
  return flops;
}

static double countRegion(const XlaProgram *program, MlirRegion region,
                          int depth);

/// The function that a func.call or xla.call names; null if there is none.
static MlirOperation findCallee(const XlaProgram *program, MlirOperation op) {
  MlirAttribute callee = xlaOpGetAttr(op, "callee");
  MlirOperation function = {NULL};
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee))
    return function;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(callee);
  do
    function = xlaProgramNextFunction(program, function);
  while (!mlirOperationIsNull(function) &&
         !mlirStringRefEqual(xlaFunctionGetName(function), name));
  return function;
}

static double countOp(const XlaProgram *program, MlirOperation op, int depth) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindDot || kind == XlaOpKindDotGeneral)
    return countDot(op);
  if (kind == XlaOpKindCall || xlaIrIsOp(op, "func.call")) {
    MlirOperation callee = findCallee(program, op);
    return mlirOperationIsNull(callee) || depth == MAX_CALL_DEPTH
               ? -1
               : countRegion(program, mlirOperationGetRegion(callee, 0),
                             depth + 1);
  }
  double total = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    double flops =
        countRegion(program, mlirOperationGetRegion(op, i), depth + 1);
    // Other regions run more than once, or not at all.
    if (flops < 0 || (flops > 0 && kind != XlaOpKindFusion))
      return -1;
    total += flops;
  }
  return total;
}

static double countRegion(const XlaProgram *program, MlirRegion region,
                          int depth) {
  double total = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      double flops = countOp(program, op, depth);
      if (flops < 0)
        return flops;
      total += flops;
    }
  return total;
}

static int64_t countBytes(const XlaProgramValues *values) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < values->leafCount; ++i) {
    int64_t elements;
    const XlaShape *shape = &values->leafShapes[i];
    if (xlaShapeGetElementCount(shape, &elements))
      bytes += elements * xlaElementTypeGetInfo(shape->elementType)->bytes;
  }
  return bytes;
}

XlaBenchWork xlaBenchCountWork(const XlaBenchCall *call) {
  return (XlaBenchWork){
      .bytes = countBytes(&call->inputs) + countBytes(&call->outputs),
      .flops = countRegion(call->program,
                           mlirOperationGetRegion(call->function, 0), 0)};
}

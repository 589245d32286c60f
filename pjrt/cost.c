//===- cost.c - What a program does, in numbers ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/ops/convolution.h"
#include "xlac/dialect/ops/dot.h"
#include "xlac/pjrt/internal.h"

/// From this cost on an operation on floats is a formula.
enum { FORMULA_COST = 16 };

static bool shapeOf(MlirValue value, XlaShape *shape) {
  return xlaShapeFromMlirBounded(mlirValueGetType(value), shape, NULL);
}

static double elements(MlirValue value) {
  XlaShape shape;
  int64_t n;
  return shapeOf(value, &shape) && xlaShapeGetElementCount(&shape, &n)
             ? (double)n
             : 0;
}

static double bytes(MlirValue value) {
  XlaShape shape;
  return shapeOf(value, &shape)
             ? elements(value) * xlaElementTypeGetInfo(shape.elementType)->bytes
             : 0;
}

/// The products that are summed up for an element of the result.
static double depthOf(MlirOperation op, XlaOpKind kind) {
  XlaShape lhs, rhs;
  double depth = 1;
  if (!shapeOf(mlirOperationGetOperand(op, 0), &lhs) ||
      !shapeOf(mlirOperationGetOperand(op, 1), &rhs))
    return 0;
  if (kind == XlaOpKindConvolution) {
    XlaConvolution convolution;
    xlaConvolutionRead(op, &convolution);
    for (int i = 0; i < rhs.rank; ++i)
      if (i != convolution.rhs.batch)
        depth *= (double)rhs.dims[i];
    return depth;
  }
  XlaDotDimensions dimensions;
  xlaDotGetDimensions(op, &dimensions);
  for (int i = 0; i < dimensions.lhs.contracting.size; ++i)
    depth *= (double)lhs.dims[dimensions.lhs.contracting.values[i]];
  return depth;
}

static void countOp(MlirOperation op, XlaPjrtAnalysis *analysis) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid || mlirOperationGetNumResults(op) == 0)
    return;
  MlirValue result = mlirOperationGetResult(op, 0);
  if (kind == XlaOpKindDot || kind == XlaOpKindDotGeneral ||
      kind == XlaOpKindConvolution) {
    analysis->flops += 2 * elements(result) * depthOf(op, kind);
    return;
  }
  int cost = xlaOpGetInfo(kind)->cost;
  if (!cost)
    return;
  double n = elements(result);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (elements(mlirOperationGetOperand(op, i)) > n)
      n = elements(mlirOperationGetOperand(op, i));
  XlaShape shape;
  bool isFormula = cost >= FORMULA_COST && shapeOf(result, &shape) &&
                   xlaElementTypeIsFloat(shape.elementType);
  *(isFormula ? &analysis->transcendentals : &analysis->flops) += n;
}

static void countBlocks(MlirOperation op, bool isFused,
                        XlaPjrtAnalysis *analysis) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(inner);
           inner = mlirOperationGetNextInBlock(inner)) {
        XlaOpKind kind = xlaOpGetKind(inner);
        countOp(inner, analysis);
        if (!isFused && kind != XlaOpKindInvalid && kind != XlaOpKindReturn &&
            kind != XlaOpKindConstant) {
          for (intptr_t k = 0; k < mlirOperationGetNumOperands(inner); ++k)
            analysis->bytesAccessed += bytes(mlirOperationGetOperand(inner, k));
          for (intptr_t k = 0; k < mlirOperationGetNumResults(inner); ++k)
            analysis->bytesAccessed += bytes(mlirOperationGetResult(inner, k));
        }
        // Computations of a reduction, sort .. run in registers.
        bool isControl = kind == XlaOpKindWhile || kind == XlaOpKindConditional;
        if (kind == XlaOpKindFusion || isControl)
          countBlocks(inner, isFused || !isControl, analysis);
      }
}

void xlaPjrtCount(MlirOperation function, XlaPjrtAnalysis *analysis) {
  countBlocks(function, false, analysis);
}

//===- fold.c - Constant folding by evaluation ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/scalar/program.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

enum { maxElements = 1 << 16, maxSteps = 1 << 20 };

/// Whether the regions run as scalar programs without a value of the program
/// around them: they then have no effects and do not loop.
static bool isScalarBody(MlirOperation op) {
  bool scalar = true;
  for (intptr_t i = 0; scalar && i < mlirOperationGetNumRegions(op); ++i) {
    XlaScalarProgram *program =
        xlaScalarProgramCreate(mlirOperationGetRegion(op, i), NULL);
    xlaScalarProgramDestroy(program);
    scalar = program != NULL;
  }
  return scalar;
}

/// Folding is for pure, cheap operations on arrays.
static bool canFold(MlirOperation op, XlaOpKind kind, intptr_t nOperands,
                    const MlirAttribute *operands) {
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  bool scalarBody = kind == XlaOpKindReduce || kind == XlaOpKindMap ||
                    kind == XlaOpKindReduceWindow || kind == XlaOpKindScatter ||
                    kind == XlaOpKindSort || kind == XlaOpKindSelectAndScatter;
  if (!(scalarBody || info->traits & MlirExtOpTraitPure) || !nOperands ||
      (info->traits & (MlirExtOpTraitTerminator | MlirExtOpTraitConstantLike)))
    return false;
  for (intptr_t i = 0; i < nOperands; ++i)
    if (mlirAttributeIsNull(operands[i]) ||
        !mlirAttributeIsAElements(operands[i]) ||
        mlirElementsAttrGetNumElements(operands[i]) > maxElements)
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    XlaShape shape;
    int64_t count;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    // A constant has no layout of its own to give to a result that states one.
    if (!mlirTypeEqual(type, xlaTypeWithoutLayout(type)) ||
        !xlaShapeFromMlir(type, &shape, NULL) ||
        !xlaShapeGetElementCount(&shape, &count) || count > maxElements)
      return false;
  }
  return !scalarBody || isScalarBody(op);
}

static MlirLogicalResult evaluate(MlirOperation op, XlaOpKind kind,
                                  const XlaLiteral *const *operands,
                                  MlirExtFoldResult *results) {
  enum { most = 16 };
  intptr_t nResults = mlirOperationGetNumResults(op);
  XlaLiteral *values[most] = {NULL};
  if (nResults > most)
    return mlirLogicalResultFailure();
  // What evaluation would complain about is left for the program's run.
  XlaEvaluatorOptions options = {
      .maxBytes = 16 << 20, .maxSteps = maxSteps, .quiet = true};
  XlaEvaluator *evaluator = xlaEvaluatorCreate(op, &options);
  if (!evaluator)
    return mlirLogicalResultFailure();
  MlirContext context = mlirOperationGetContext(op);
  MlirLogicalResult result =
      xlaOpGetInfo(kind)->evaluate(evaluator, op, kind, operands, values);
  xlaEvaluatorDestroy(evaluator);
  for (intptr_t i = 0; i < nResults; ++i) {
    if (mlirLogicalResultIsSuccess(result))
      results[i].attribute = xlaLiteralToAttribute(values[i], context);
    if (mlirLogicalResultIsSuccess(result) &&
        mlirAttributeIsNull(results[i].attribute))
      result = mlirLogicalResultFailure();
    xlaLiteralRelease(values[i]);
  }
  return result;
}

/// A static size follows from the type alone.
static MlirLogicalResult foldSize(MlirOperation op,
                                  MlirExtFoldResult *results) {
  XlaShape shape;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t dimension = xlaOpGetI64(op, "dimension", 0);
  if (!xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                               &shape, NULL) ||
      xlaShapeIsDynamic(&shape, dimension) ||
      !mlirTypeEqual(type, xlaTypeWithoutLayout(type)))
    return mlirLogicalResultFailure();
  int32_t size = (int32_t)shape.dims[dimension];
  results[0].attribute = mlirDenseElementsAttrInt32Get(type, 1, &size);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult xlaFoldOperation(MlirOperation op, intptr_t nOperands,
                                   const MlirAttribute *operands,
                                   MlirExtFoldResult *results) {
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindGetDimensionSize)
    return foldSize(op, results);
  if (!canFold(op, kind, nOperands, operands))
    return mlirLogicalResultFailure();
  XlaLiteral **literals = calloc((size_t)nOperands, sizeof *literals);
  if (!literals)
    return mlirLogicalResultFailure();
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (intptr_t i = 0; i < nOperands; ++i) {
    literals[i] = xlaLiteralFromAttribute(operands[i]);
    if (!literals[i])
      result = mlirLogicalResultFailure();
  }
  if (mlirLogicalResultIsSuccess(result))
    result = evaluate(op, kind, (const XlaLiteral *const *)literals, results);
  for (intptr_t i = 0; i < nOperands; ++i)
    xlaLiteralRelease(literals[i]);
  free(literals);
  return result;
}

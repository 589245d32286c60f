//===- region.c - Running a region on scalars many times -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/region.h"

#include "xlac/dialect/interpret/scalar/program.h"

#include <stdlib.h>
#include <string.h>

struct XlaScalarRegion {
  XlaEvaluator *evaluator;
  MlirOperation op;
  MlirRegion region;
  intptr_t nArguments, nResults;
  XlaElementType *types; // of arguments, then results
  const XlaLiteral *const *fixed;
  XlaScalar *args;           // with the fixed ones; NULL if there are none
  XlaScalarProgram *program; // or NULL
  XlaLiteral **literals;     // arguments, then results, while a region runs
};

static XlaElementType elementTypeOf(MlirValue value) {
  XlaShape shape;
  return xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL)
             ? shape.elementType
             : XlaElementTypeInvalid; // a fixed tuple
}

static bool init(XlaScalarRegion *region, intptr_t index,
                 const XlaLiteral *const *fixed) {
  MlirBlock block;
  MlirOperation terminator;
  region->region = mlirOperationGetRegion(region->op, index);
  block = mlirRegionGetFirstBlock(region->region);
  terminator = mlirBlockGetTerminator(block);
  intptr_t nArguments = mlirBlockGetNumArguments(block);
  intptr_t nResults = mlirOperationGetNumOperands(terminator);
  size_t total = (size_t)(nArguments + nResults) + 1;
  region->types = calloc(total, sizeof *region->types);
  region->literals = calloc(total, sizeof(XlaLiteral *));
  region->args = calloc(total, sizeof *region->args);
  if (!region->types || !region->literals || !region->args)
    return false;
  region->nArguments = nArguments;
  region->nResults = nResults;
  region->fixed = fixed;
  for (intptr_t i = 0; i < nArguments; ++i)
    region->types[i] = elementTypeOf(mlirBlockGetArgument(block, i));
  for (intptr_t i = 0; i < nResults; ++i)
    region->types[nArguments + i] =
        elementTypeOf(mlirOperationGetOperand(terminator, i));
  region->program = xlaScalarProgramCreate(region->region, region->evaluator);
  // A program has scalars only, so the fixed ones are known now.
  for (intptr_t i = 0; fixed && region->program && i < nArguments; ++i)
    if (fixed[i])
      region->args[i] = xlaLiteralGet(fixed[i], 0);
  return true;
}

XlaScalarRegion *xlaScalarRegionCreate(XlaEvaluator *evaluator,
                                       MlirOperation op, intptr_t index,
                                       const XlaLiteral *const *fixed) {
  XlaScalarRegion *region = calloc(1, sizeof *region);
  if (region) {
    region->evaluator = evaluator;
    region->op = op;
    if (init(region, index, fixed))
      return region;
  }
  xlaScalarRegionDestroy(region);
  xlaOpNoMemory(op);
  return NULL;
}

void xlaScalarRegionDestroy(XlaScalarRegion *region) {
  if (!region)
    return;
  xlaScalarProgramDestroy(region->program);
  free(region->types);
  free(region->literals);
  free(region->args);
  free(region);
}

XlaElementType xlaScalarRegionGetArgumentType(const XlaScalarRegion *region,
                                              intptr_t i) {
  return region->types[i];
}

/// The literals of one run: fixed ones shared, others made anew, because the
/// region may return them.
static bool makeArguments(XlaScalarRegion *region, const XlaScalar *args) {
  for (intptr_t i = 0; i < region->nArguments; ++i) {
    if (region->fixed && region->fixed[i]) {
      region->literals[i] = xlaLiteralRetain(region->fixed[i]);
      continue;
    }
    XlaShape shape = {.elementType = region->types[i]};
    region->literals[i] =
        xlaEvaluatorCreateArray(region->evaluator, region->op, &shape);
    if (!region->literals[i])
      return false;
    xlaLiteralSet(region->literals[i], 0, args[i]);
  }
  return true;
}

static MlirLogicalResult runRegion(XlaScalarRegion *region,
                                   const XlaScalar *args, XlaScalar *results) {
  XlaLiteral **returned = region->literals + region->nArguments;
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (makeArguments(region, args))
    result = xlaEvaluatorRunRegion(region->evaluator, region->region,
                                   region->nArguments,
                                   (const XlaLiteral *const *)region->literals,
                                   region->nResults, returned);
  for (intptr_t i = 0; i < region->nResults; ++i)
    if (mlirLogicalResultIsSuccess(result))
      results[i] = xlaLiteralGet(returned[i], 0);
  for (intptr_t i = 0; i < region->nArguments + region->nResults; ++i) {
    xlaLiteralRelease(region->literals[i]);
    region->literals[i] = NULL;
  }
  return result;
}

MlirLogicalResult xlaScalarRegionRun(XlaScalarRegion *region,
                                     const XlaScalar *args,
                                     XlaScalar *results) {
  if (!region->program)
    return runRegion(region, args, results);
  if (mlirLogicalResultIsFailure(
          xlaEvaluatorStep(region->evaluator, region->op,
                           xlaScalarProgramGetLength(region->program) + 1)))
    return mlirLogicalResultFailure();
  if (region->fixed) {
    for (intptr_t i = 0; i < region->nArguments; ++i)
      if (!region->fixed[i])
        region->args[i] = args[i];
    args = region->args;
  }
  xlaScalarProgramRun(region->program, args, results);
  return mlirLogicalResultSuccess();
}

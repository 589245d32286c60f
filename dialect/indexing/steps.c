//===- steps.c - Domains with steps ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/steps.h"
#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/shape.h"

/// Reads a constraint as what a dimension is by its step.
static bool readStep(const XlaIndexingConstraint *c, XlaIndexingSteps *steps) {
  MlirAffineExpr at;
  int64_t step, offset = 0;
  if (!xlaIntervalIsPoint(c->bounds) ||
      !xlaExprIsBy(c->expr, XlaExprKindMod, &at, &step))
    return false;
  if (xlaExprGetKind(at) == XlaExprKindAdd &&
      xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(at), &offset))
    at = mlirAffineBinaryOpExprGetLHS(at);
  if (!mlirAffineExprIsADim(at))
    return false;
  XlaIndexingSteps *dim = &steps[mlirAffineDimExprGetPosition(at)];
  int64_t rest = xlaFloorMod(c->bounds.lower - offset, step);
  if (dim->step != 1 || xlaFloorMod(dim->lower - rest, step))
    return false;
  dim->step = step;
  return true;
}

bool xlaIndexingMapGetSteps(const XlaIndexingMap *map,
                            XlaIndexingSteps *steps) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  if (parts->nRanges || parts->nRuntimes || parts->nDims > XLA_MAX_RANK ||
      xlaIndexingMapIsKnownEmpty(map))
    return false;
  for (intptr_t i = 0; i < parts->nDims; ++i)
    steps[i] = (XlaIndexingSteps){parts->dims[i].lower, 1, 0};
  for (intptr_t i = 0; i < parts->nConstraints; ++i)
    if (!readStep(&parts->constraints[i], steps))
      return false;
  for (intptr_t i = 0; i < parts->nDims; ++i)
    steps[i].count =
        (parts->dims[i].upper - steps[i].lower) / steps[i].step + 1;
  return true;
}

XlaIndexingMap *xlaIndexingMapOfSteps(const XlaIndexingMap *map,
                                      const XlaIndexingSteps *steps) {
  XlaIndexingMapParts parts = *xlaIndexingMapGetParts(map);
  MlirContext context = mlirAffineMapGetContext(parts.map);
  MlirAffineExpr dims[XLA_MAX_RANK];
  XlaInterval bounds[XLA_MAX_RANK];
  for (intptr_t i = 0; i < parts.nDims; ++i) {
    bounds[i] = (XlaInterval){0, steps[i].count - 1};
    dims[i] = xlaExprShift(
        xlaExprScale(mlirAffineDimExprGet(context, i), steps[i].step),
        steps[i].lower);
  }
  XlaIndexingMapParts inner = {
      .map = xlaAffineMapReplace(parts.map, dims, NULL, parts.nDims, 0),
      .nDims = parts.nDims,
      .dims = bounds};
  return xlaIndexingMapFinish(xlaIndexingMapCreate(&inner),
                              XlaIndexingPointsReplace);
}

//===- dynamic.c - Sizes that are known when a program runs ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dynamic.h"
#include "xlac/dialect/result_internal.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// What families.def says of dynamic sizes.
typedef enum Sizes { SizesStatic, SizesBounded, SizesPassed } Sizes;

static Sizes sizesOf(XlaOpKind kind) {
  static const Sizes sizes[XlaFamilyCount] = {
      SizesStatic,
#define XLA_FAMILY(Family, sizes, ...) Sizes##sizes,
#include "xlac/dialect/families.def"
  };
  return sizes[xlaOpGetInfo(kind)->family];
}

bool xlaOpPassesSizesOn(XlaOpKind kind) { return sizesOf(kind) == SizesPassed; }

bool xlaOpTakesDynamic(XlaOpKind kind) { return sizesOf(kind) != SizesStatic; }

bool xlaOpHasDynamicSizes(MlirOperation op, XlaOpKind kind) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (xlaTypeIsDynamic(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return !xlaOpPassesSizesOn(kind);
  return false;
}

/// `type` with the sizes of `actual` as bounds.
static MlirType actualType(MlirType type, const XlaShape *actual) {
  XlaShape shape;
  if (!xlaShapeFromMlirBounded(type, &shape, NULL) || !shape.dynamic)
    return type;
  memcpy(shape.dims, actual->dims, sizeof shape.dims);
  return xlaShapeToMlirBounded(&shape, mlirTypeGetContext(type));
}

/// A result that is stated too small for what the operands make of it would be
/// a mistake of a hook; it is not to become one of memory.
static MlirLogicalResult checkBounds(const XlaOpView *view, intptr_t i,
                                     const XlaShape *shape) {
  XlaShape stated;
  xlaShapeFromMlirBounded(view->statedResults[i], &stated, NULL);
  for (int d = 0; d < stated.rank; ++d)
    if (shape->dims[d] > stated.dims[d])
      return xlaViewError(view, "dynamic",
                          "dimension %d of result %lld is %lld, its bound is "
                          "%lld",
                          d, (long long)i, (long long)shape->dims[d],
                          (long long)stated.dims[d]);
  return success();
}

static MlirLogicalResult inferShapes(XlaOpView *view, XlaShape *results) {
  if (failed(xlaOpGetInfo(view->kind)->infer(view)))
    return failure();
  if (view->nResults != view->nStatedResults)
    return xlaViewError(view, NULL, "ran out of memory");
  for (intptr_t i = 0; i < view->nResults; ++i) {
    const char *reason;
    if (mlirTypeIsATuple(view->results[i]))
      continue; // a select of tuples passes one on
    if (!xlaShapeFromMlirBounded(view->results[i], &results[i], &reason))
      return xlaViewError(view, NULL, "result %lld, %s, %s", (long long)i,
                          XLA_TYPE_TEXT(view->results[i]), reason);
    if (failed(checkBounds(view, i, &results[i])))
      return failure();
  }
  return success();
}

MlirLogicalResult xlaOpInferSizesOf(MlirOperation op, XlaOpKind kind,
                                    const MlirType *declared,
                                    const XlaShape *operands,
                                    XlaShape *results) {
  intptr_t n = mlirOperationGetNumOperands(op);
  XlaOpView view = {.kind = kind,
                    .context = mlirOperationGetContext(op),
                    .location = mlirOperationGetLocation(op),
                    .nOperands = n,
                    .attributes = mlirExtOperationGetInherentAttributes(op),
                    .nRegions = mlirOperationGetNumRegions(op),
                    .nStatedResults = mlirOperationGetNumResults(op)};
  size_t nTypes = (size_t)(n + view.nStatedResults);
  MlirType *types = malloc((nTypes + 1) * sizeof *types);
  MlirRegion *regions = malloc(((size_t)view.nRegions + 1) * sizeof *regions);
  MlirLogicalResult result = failure();
  if (types && regions) {
    for (intptr_t i = 0; i < n; ++i)
      types[i] = actualType(declared[i], &operands[i]);
    for (intptr_t i = 0; i < view.nStatedResults; ++i)
      types[n + i] = mlirValueGetType(mlirOperationGetResult(op, i));
    for (intptr_t i = 0; i < view.nRegions; ++i)
      regions[i] = mlirOperationGetRegion(op, i);
    view.operands = types;
    view.declared = declared;
    view.statedResults = types + n;
    view.regions = regions;
    result = inferShapes(&view, results);
  } else {
    xlaOpNoMemory(op);
  }
  free(view.results);
  free(regions);
  free(types);
  return result;
}

MlirLogicalResult xlaOpInferSizes(MlirOperation op, XlaOpKind kind,
                                  const XlaLiteral *const *operands,
                                  XlaShape *results) {
  size_t n = (size_t)mlirOperationGetNumOperands(op);
  MlirType *declared = malloc((n + 1) * sizeof *declared);
  XlaShape *shapes = calloc(n + 1, sizeof *shapes);
  MlirLogicalResult result = failure();
  if (declared && shapes) {
    for (size_t i = 0; i < n; ++i) {
      declared[i] = mlirValueGetType(mlirOperationGetOperand(op, (intptr_t)i));
      if (xlaLiteralGetKind(operands[i]) == XlaLiteralKindArray)
        shapes[i] = *xlaLiteralGetShape(operands[i]);
    }
    result = xlaOpInferSizesOf(op, kind, declared, shapes, results);
  } else {
    xlaOpNoMemory(op);
  }
  free(declared);
  free(shapes);
  return result;
}

static bool tupleFits(const XlaLiteral *literal, MlirType type) {
  intptr_t n = xlaLiteralGetTupleSize(literal);
  if (!mlirTypeIsATuple(type) || mlirTupleTypeGetNumTypes(type) != n)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!xlaLiteralFits(xlaLiteralGetTupleElement(literal, i),
                        mlirTupleTypeGetType(type, i)))
      return false;
  return true;
}

bool xlaLiteralFits(const XlaLiteral *literal, MlirType type) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindToken)
    return xlaTypeIsToken(type);
  if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple)
    return tupleFits(literal, type);
  const XlaShape *given = xlaLiteralGetShape(literal);
  XlaShape shape;
  if (!xlaShapeFromMlirBounded(type, &shape, NULL) ||
      given->elementType != shape.elementType || given->rank != shape.rank)
    return false;
  for (int i = 0; i < shape.rank; ++i)
    if (xlaShapeIsDynamic(&shape, i) ? given->dims[i] > shape.dims[i]
                                     : given->dims[i] != shape.dims[i])
      return false;
  return true;
}

//===- resolve.c - Where runtime variables come from ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of a runtime variable is followed through operations that move
// elements, from a fusion's arguments to its operands, and to constants and
// numbers of positions, which take the variable's place.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/op_maps_internal.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

/// Constants of more elements than this are looked at if all are alike only.
enum { maxConstant = 4096, maxSteps = 1000 };

typedef struct Resolver {
  const XlaIndexingMapParts *from;
  XlaRules rules; ///< of the dimensions and range variables
  XlaInterval *bounds;
  MlirAffineExpr *symbols;      ///< what symbols become
  XlaRuntimeVariable *runtimes; ///< those that stay
  intptr_t nRuntimes;
  XlaIndexingConstraint *constraints;
  bool changed;
} Resolver;

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

/// Whether all places are where `map` is defined.
static bool holdsPlaces(Resolver *r, const XlaIndexingMapParts *map,
                        MlirAffineMap places) {
  MlirAffineExpr dims[XLA_MAX_RANK];
  bool holds = map->nDims <= XLA_MAX_RANK;
  for (intptr_t i = 0; i < map->nDims && holds; ++i) {
    dims[i] = mlirAffineMapGetResult(places, i);
    holds = xlaIntervalContains(map->dims[i], xlaExprRange(&r->rules, dims[i]));
  }
  for (intptr_t i = 0; i < map->nConstraints && holds; ++i) {
    MlirAffineExpr expr = xlaRulesSimplify(
        &r->rules, xlaExprReplace(map->constraints[i].expr, dims, NULL));
    holds = xlaIntervalContains(map->constraints[i].bounds,
                                xlaExprRange(&r->rules, expr));
  }
  return holds;
}

/// Where `map` takes the places.
static MlirAffineMap movePlaces(Resolver *r, MlirAffineMap map,
                                MlirAffineMap places) {
  MlirAffineExpr exprs[XLA_MAX_RANK], dims[XLA_MAX_RANK];
  intptr_t n = mlirAffineMapGetNumResults(map);
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(places); ++i)
    dims[i] = mlirAffineMapGetResult(places, i);
  for (intptr_t i = 0; i < n; ++i)
    exprs[i] = xlaRulesSimplify(
        &r->rules, xlaExprReplace(mlirAffineMapGetResult(map, i), dims, NULL));
  return mlirAffineMapGet(r->rules.context, mlirAffineMapGetNumDims(places),
                          mlirAffineMapGetNumSymbols(places), n, exprs);
}

/// Whether an operation's result has elements of its operand `operand` as they
/// are, where their map is defined.
static bool isMoved(XlaOpKind kind, intptr_t result, intptr_t operand) {
  XlaOpMoves moves = xlaOpGetInfo(kind)->moves;
  return moves == XlaOpMovesView ||
         (moves == XlaOpMovesChoice &&
          (kind != XlaOpKindPad || operand == 0)) ||
         (kind == XlaOpKindOptimizationBarrier && operand == result);
}

/// Whether a conversion keeps all values.
static bool isWidening(MlirOperation op) {
  XlaShape from, to;
  if (!xlaShapeFromMlir(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from,
                        NULL) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &to,
                        NULL))
    return false;
  const XlaElementTypeInfo *a = xlaElementTypeGetInfo(from.elementType),
                           *b = xlaElementTypeGetInfo(to.elementType);
  return a->bits < b->bits && ((a->typeClass == XlaTypeClassUnsigned &&
                                b->typeClass == XlaTypeClassSigned) ||
                               (a->typeClass == b->typeClass &&
                                (a->typeClass == XlaTypeClassSigned ||
                                 a->typeClass == XlaTypeClassUnsigned)));
}

/// To an operand of `op` that has all elements that `runtime` is.
static bool stepToOperand(Resolver *r, MlirOperation op, intptr_t result,
                          XlaRuntimeVariable *runtime) {
  XlaOpKind kind = xlaOpGetKind(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    XlaIndexingMaps maps;
    MlirAffineMap place = {NULL};
    if (!isMoved(kind, result, i))
      continue;
    if (xlaOpGetOperandMaps(op, result, i, &maps) == XlaOpMapsKnown &&
        maps.n == 1) {
      const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(maps.maps[0]);
      if (!parts->nRanges && !parts->nRuntimes &&
          holdsPlaces(r, parts, runtime->map))
        place = movePlaces(r, parts->map, runtime->map);
    }
    xlaIndexingMapsFree(&maps);
    if (place.ptr) {
      runtime->map = place;
      runtime->value = mlirOperationGetOperand(op, i);
      return true;
    }
  }
  return false;
}

/// To where the value comes from; false if that is not known.
static bool step(Resolver *r, XlaRuntimeVariable *runtime) {
  if (mlirValueIsABlockArgument(runtime->value)) {
    MlirOperation parent =
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(runtime->value));
    if (mlirOperationIsNull(parent) || xlaOpGetKind(parent) != XlaOpKindFusion)
      return false;
    runtime->value = mlirOperationGetOperand(
        parent, mlirBlockArgumentGetArgNumber(runtime->value));
    return true;
  }
  MlirOperation op = mlirOpResultGetOwner(runtime->value);
  if (xlaOpGetKind(op) == XlaOpKindConvert && isWidening(op)) {
    runtime->value = mlirOperationGetOperand(op, 0);
    return true;
  }
  return stepToOperand(r, op, mlirOpResultGetResultNumber(runtime->value),
                       runtime);
}

//===----------------------------------------------------------------------===//
// What takes a variable's place
//===----------------------------------------------------------------------===//

/// The place as a row-major position; -1 if it is not always the same.
static int64_t constantPosition(MlirAffineMap place, const XlaShape *shape) {
  int64_t position = 0;
  for (int i = 0; i < shape->rank; ++i) {
    int64_t at;
    if (!xlaExprIsConstant(mlirAffineMapGetResult(place, i), &at) || at < 0 ||
        at >= shape->dims[i])
      return -1;
    position = position * shape->dims[i] + at;
  }
  return position;
}

/// The number that `runtime` always is.
static bool readConstant(MlirOperation op, const XlaRuntimeVariable *runtime,
                         int64_t *number) {
  MlirAttribute value = xlaOpGetAttr(op, "value");
  XlaShape shape;
  int64_t count;
  if (!xlaShapeFromMlir(mlirValueGetType(runtime->value), &shape, NULL) ||
      !xlaShapeGetElementCount(&shape, &count) || count < 1 ||
      mlirAffineMapGetNumResults(runtime->map) != shape.rank)
    return false;
  bool isSplat = mlirAttributeIsADenseElements(value) &&
                 mlirDenseElementsAttrIsSplat(value);
  int64_t at = isSplat ? 0 : constantPosition(runtime->map, &shape);
  if (at < 0 || count > maxConstant)
    return false;
  XlaLiteral *literal = xlaLiteralFromAttribute(value);
  if (!literal)
    return false;
  XlaScalar element = xlaLiteralGet(literal, at);
  bool isUnsigned = xlaElementTypeGetInfo(shape.elementType)->typeClass ==
                    XlaTypeClassUnsigned;
  *number = element.s;
  xlaLiteralRelease(literal);
  return xlaElementTypeIsInteger(shape.elementType) &&
         !(isUnsigned && element.u > INT64_MAX);
}

/// An expression that always has the variable's value, within its bounds; null
/// if there is none.
static MlirAffineExpr valueOf(Resolver *r, const XlaRuntimeVariable *runtime) {
  MlirAffineExpr expr = {NULL};
  int64_t number;
  if (!mlirValueIsAOpResult(runtime->value))
    return expr;
  MlirOperation op = mlirOpResultGetOwner(runtime->value);
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindConstant && readConstant(op, runtime, &number))
    expr = mlirAffineConstantExprGet(r->rules.context, number);
  else if (kind == XlaOpKindIota && mlirAffineMapGetNumResults(runtime->map) >
                                        xlaOpGetI64(op, "iota_dimension", 0))
    expr = mlirAffineMapGetResult(runtime->map,
                                  xlaOpGetI64(op, "iota_dimension", 0));
  bool fits = expr.ptr && xlaIntervalContains(runtime->bounds,
                                              xlaExprRange(&r->rules, expr));
  return fits ? expr : (MlirAffineExpr){NULL};
}

/// Numbers of iota may wrap around in narrow types.
static bool isWide(MlirValue value) {
  XlaShape shape;
  int64_t most = 0;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    return false;
  for (int i = 0; i < shape.rank; ++i)
    most = shape.dims[i] > most ? shape.dims[i] : most;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape.elementType);
  return xlaElementTypeIsInteger(shape.elementType) &&
         (info->bits > 62 || most <= INT64_C(1) << (info->bits - 1));
}

static bool sameVariable(const XlaRuntimeVariable *a,
                         const XlaRuntimeVariable *b) {
  return a->value.ptr && a->map.ptr && a->value.ptr == b->value.ptr &&
         a->map.ptr == b->map.ptr && xlaIntervalEqual(a->bounds, b->bounds);
}

/// Resolves variable `i`; what stays keeps a number.
static void resolve(Resolver *r, intptr_t i) {
  const XlaIndexingMapParts *from = r->from;
  XlaRuntimeVariable runtime = from->runtimes[i];
  MlirAffineExpr *symbol = &r->symbols[from->nRanges + i];
  if (runtime.value.ptr && runtime.map.ptr) {
    for (int n = 0; n < maxSteps && step(r, &runtime); ++n)
      r->changed = true;
    *symbol =
        isWide(runtime.value) ? valueOf(r, &runtime) : (MlirAffineExpr){NULL};
    r->changed |= symbol->ptr != NULL;
    if (symbol->ptr)
      return;
  }
  intptr_t same = 0;
  while (same < r->nRuntimes && !sameVariable(&r->runtimes[same], &runtime))
    ++same;
  r->changed |= same < r->nRuntimes;
  if (same == r->nRuntimes)
    r->runtimes[r->nRuntimes++] = runtime;
  *symbol = mlirAffineSymbolExprGet(r->rules.context, from->nRanges + same);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static XlaIndexingMap *rebuild(Resolver *r) {
  XlaIndexingMapParts parts = *r->from;
  parts.nRuntimes = r->nRuntimes;
  parts.runtimes = r->runtimes;
  parts.map = xlaAffineMapReplace(parts.map, NULL, r->symbols, parts.nDims,
                                  parts.nRanges + parts.nRuntimes);
  for (intptr_t i = 0; i < parts.nConstraints; ++i)
    r->constraints[i] = (XlaIndexingConstraint){
        xlaExprReplace(parts.constraints[i].expr, NULL, r->symbols),
        parts.constraints[i].bounds};
  parts.constraints = r->constraints;
  if (mlirAffineMapIsNull(parts.map))
    return NULL;
  return xlaIndexingMapFinish(xlaIndexingMapCreate(&parts),
                              XlaIndexingPointsKeep);
}

XlaIndexingMap *xlaIndexingMapResolve(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *from = xlaIndexingMapGetParts(map);
  if (from->nRuntimes == 0 || xlaIndexingMapIsKnownEmpty(map))
    return xlaIndexingMapRetain(map);
  intptr_t nSymbols = from->nRanges + from->nRuntimes;
  Resolver r = {
      .from = from,
      .bounds = calloc((size_t)(from->nDims + nSymbols), sizeof *r.bounds),
      .symbols = calloc((size_t)nSymbols, sizeof *r.symbols),
      .runtimes = calloc((size_t)from->nRuntimes, sizeof *r.runtimes),
      .constraints =
          calloc((size_t)from->nConstraints + 1, sizeof *r.constraints)};
  XlaIndexingMap *result = NULL;
  if (r.bounds && r.symbols && r.runtimes && r.constraints) {
    xlaIndexingMapCopyBounds(from, r.bounds);
    r.rules = (XlaRules){.context = mlirAffineMapGetContext(from->map),
                         .dims = r.bounds,
                         .symbols = r.bounds + from->nDims,
                         .keepPoints = true};
    for (intptr_t i = 0; i < from->nRanges; ++i)
      r.symbols[i] = mlirAffineSymbolExprGet(r.rules.context, i);
    for (intptr_t i = 0; i < from->nRuntimes; ++i)
      resolve(&r, i);
    result = r.changed ? rebuild(&r) : xlaIndexingMapRetain(map);
    xlaRulesFree(&r.rules);
  }
  free(r.bounds);
  free(r.symbols);
  free(r.runtimes);
  free(r.constraints);
  return result;
}

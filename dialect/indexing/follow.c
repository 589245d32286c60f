//===- follow.c - Integers that programs compute --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/follow.h"
#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

#include "mlir-c/BuiltinAttributes.h"

enum {
  maxConstant = 4096, ///< elements, if they are not all alike
  maxSteps = 1000,    ///< of one element
  maxOperations = 64, ///< that one element is computed with
};

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// Whether all places are where `map` is defined.
static bool holdsPlaces(XlaRules *rules, const XlaIndexingMapParts *map,
                        MlirAffineMap places) {
  MlirAffineExpr dims[XLA_MAX_RANK];
  bool holds = map->nDims <= XLA_MAX_RANK;
  for (intptr_t i = 0; i < map->nDims && holds; ++i) {
    dims[i] = mlirAffineMapGetResult(places, i);
    holds = xlaIntervalContains(map->dims[i], xlaExprRange(rules, dims[i]));
  }
  for (intptr_t i = 0; i < map->nConstraints && holds; ++i) {
    MlirAffineExpr expr = xlaRulesSimplify(
        rules, xlaExprReplace(map->constraints[i].expr, dims, NULL));
    holds = xlaIntervalContains(map->constraints[i].bounds,
                                xlaExprRange(rules, expr));
  }
  return holds;
}

/// Where `map` takes the places.
static MlirAffineMap movePlaces(XlaRules *rules, MlirAffineMap map,
                                MlirAffineMap places) {
  MlirAffineExpr exprs[XLA_MAX_RANK], dims[XLA_MAX_RANK];
  intptr_t n = mlirAffineMapGetNumResults(map);
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(places); ++i)
    dims[i] = mlirAffineMapGetResult(places, i);
  for (intptr_t i = 0; i < n; ++i)
    exprs[i] = xlaRulesSimplify(
        rules, xlaExprReplace(mlirAffineMapGetResult(map, i), dims, NULL));
  return mlirAffineMapGet(rules->context, mlirAffineMapGetNumDims(places),
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

/// To operand `i` of an operation whose result, which the element is of, has
/// the elements of this operand at the places that one map tells.
static bool stepToOperand(XlaRules *rules, MlirOperation op, intptr_t result,
                          intptr_t i, XlaElement *element) {
  XlaIndexingMaps maps;
  MlirAffineMap place = {NULL};
  if (xlaOpGetOperandMaps(op, result, i, &maps) == XlaOpMapsKnown &&
      maps.n == 1) {
    const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(maps.maps[0]);
    if (!parts->nRanges && !parts->nRuntimes &&
        holdsPlaces(rules, parts, element->place))
      place = movePlaces(rules, parts->map, element->place);
  }
  xlaIndexingMapsFree(&maps);
  if (!place.ptr)
    return false;
  *element = (XlaElement){mlirOperationGetOperand(op, i), place};
  return true;
}

/// To where the element comes from; false if that is not known.
static bool step(XlaRules *rules, XlaElement *element) {
  if (mlirValueIsABlockArgument(element->array)) {
    MlirOperation parent =
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(element->array));
    if (mlirOperationIsNull(parent) || xlaOpGetKind(parent) != XlaOpKindFusion)
      return false;
    element->array = mlirOperationGetOperand(
        parent, mlirBlockArgumentGetArgNumber(element->array));
    return true;
  }
  MlirOperation op = mlirOpResultGetOwner(element->array);
  XlaOpKind kind = xlaOpGetKind(op);
  intptr_t result = mlirOpResultGetResultNumber(element->array);
  if (kind == XlaOpKindConvert && isWidening(op)) {
    element->array = mlirOperationGetOperand(op, 0);
    return true;
  }
  bool moved = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !moved; ++i)
    moved = isMoved(kind, result, i) &&
            stepToOperand(rules, op, result, i, element);
  return moved;
}

bool xlaElementFollow(XlaRules *rules, XlaElement *element) {
  int n = 0;
  while (n < maxSteps && step(rules, element))
    ++n;
  return n > 0;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static MlirAffineExpr number(const XlaRules *rules, int64_t value) {
  return mlirAffineConstantExprGet(rules->context, value);
}

/// Whether an element is a number of 64 bits with a sign.
static bool readNumber(const XlaLiteral *literal, const XlaShape *shape,
                       int64_t position, int64_t *value) {
  XlaScalar element = xlaLiteralGet(literal, position);
  *value = element.s;
  return xlaElementTypeGetInfo(shape->elementType)->typeClass !=
             XlaTypeClassUnsigned ||
         element.u <= INT64_MAX;
}

/// a lhs + b rhs; null where that overflows.
static MlirAffineExpr combine(XlaRules *rules, int64_t a, MlirAffineExpr lhs,
                              int64_t b, MlirAffineExpr rhs) {
  XlaLinear sum = {0};
  rules->failed = false;
  xlaLinearAddExpr(rules, &sum, lhs, a);
  xlaLinearAddExpr(rules, &sum, rhs, b);
  return rules->failed ? (MlirAffineExpr){NULL} : xlaLinearToExpr(rules, &sum);
}

/// first + step * index .., where all elements are that; null elsewhere.
static MlirAffineExpr fitConstant(XlaRules *rules, const XlaLiteral *literal,
                                  const XlaShape *shape, MlirAffineMap place) {
  int64_t steps[XLA_MAX_RANK] = {0}, index[XLA_MAX_RANK] = {0};
  int64_t first, value, stride = 1, position = 0;
  if (!readNumber(literal, shape, 0, &first))
    return (MlirAffineExpr){NULL};
  MlirAffineExpr expr = number(rules, first);
  for (int i = shape->rank - 1; i >= 0 && expr.ptr; --i) {
    if (shape->dims[i] > 1 && (!readNumber(literal, shape, stride, &value) ||
                               __builtin_sub_overflow(value, first, &steps[i])))
      return (MlirAffineExpr){NULL};
    expr = combine(rules, 1, expr, steps[i], mlirAffineMapGetResult(place, i));
    stride *= shape->dims[i];
  }
  do {
    int64_t product, expected = first;
    bool fits = readNumber(literal, shape, position++, &value);
    for (int i = 0; i < shape->rank && fits; ++i)
      fits = !__builtin_mul_overflow(steps[i], index[i], &product) &&
             !__builtin_add_overflow(expected, product, &expected);
    if (!fits || value != expected)
      return (MlirAffineExpr){NULL};
  } while (xlaIndexNext(index, shape->dims, shape->rank));
  return expr;
}

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

static MlirAffineExpr ofSplat(const XlaRules *rules, const XlaShape *shape,
                              MlirAttribute value) {
  MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(value);
  if (!mlirAttributeIsAInteger(splat))
    return (MlirAffineExpr){NULL};
  if (xlaElementTypeGetInfo(shape->elementType)->typeClass !=
      XlaTypeClassUnsigned)
    return number(rules, mlirIntegerAttrGetValueInt(splat));
  uint64_t all = mlirIntegerAttrGetValueUInt(splat);
  return all > INT64_MAX ? (MlirAffineExpr){NULL} : number(rules, (int64_t)all);
}

static MlirAffineExpr ofConstant(XlaRules *rules, MlirOperation op,
                                 const XlaShape *shape, MlirAffineMap place) {
  MlirAttribute value = xlaOpGetAttr(op, "value");
  MlirAffineExpr expr = {NULL};
  int64_t count, one;
  if (mlirAttributeIsADenseElements(value) &&
      mlirDenseElementsAttrIsSplat(value))
    return ofSplat(rules, shape, value);
  if (!xlaShapeGetElementCount(shape, &count) || count < 1 ||
      count > maxConstant)
    return expr;
  XlaLiteral *literal = xlaLiteralFromAttribute(value);
  if (!literal)
    return expr;
  int64_t at = constantPosition(place, shape);
  if (at < 0)
    expr = fitConstant(rules, literal, shape, place);
  else if (readNumber(literal, shape, at, &one))
    expr = number(rules, one);
  xlaLiteralRelease(literal);
  return expr;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

typedef struct Follower {
  XlaRules *rules;
  int operations;
} Follower;

static MlirAffineExpr toExpr(Follower *f, XlaElement element);

/// The element of operand `i` at the same place; null if it is not known.
static MlirAffineExpr operandToExpr(Follower *f, MlirOperation op, intptr_t i,
                                    XlaElement element) {
  if (!stepToOperand(f->rules, op, 0, i, &element))
    return (MlirAffineExpr){NULL};
  return toExpr(f, element);
}

/// Where lhs - rhs lies.
static XlaInterval rangeOfMinus(Follower *f, MlirAffineExpr lhs,
                                MlirAffineExpr rhs) {
  MlirAffineExpr expr = combine(f->rules, 1, lhs, -1, rhs);
  return expr.ptr ? xlaExprRange(f->rules, xlaRulesSimplify(f->rules, expr))
                  : xlaIntervalAll();
}

/// Whether a comparison is always true (1) or always false (0); -1: neither is
/// known.
static int compare(Follower *f, MlirOperation op, XlaElement element) {
  static const struct {
    const char *direction;
    XlaInterval is; ///< lhs - rhs
  } kinds[] = {{"EQ", {0, 0}},
               {"LT", {INT64_MIN, -1}},
               {"LE", {INT64_MIN, 0}},
               {"GT", {1, INT64_MAX}},
               {"GE", {0, INT64_MAX}}};
  MlirAffineExpr lhs = operandToExpr(f, op, 0, element);
  MlirAffineExpr rhs = lhs.ptr ? operandToExpr(f, op, 1, element) : lhs;
  if (!rhs.ptr)
    return -1;
  XlaInterval range = rangeOfMinus(f, lhs, rhs);
  bool isNot = xlaOpAttrIs(op, "comparison_direction", "NE");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (xlaOpAttrIs(op, "comparison_direction", kinds[i].direction) ||
        (isNot && i == 0)) {
      if (xlaIntervalContains(kinds[i].is, range))
        return !isNot;
      return xlaIntervalIsEmpty(xlaIntervalIntersect(kinds[i].is, range))
                 ? isNot
                 : -1;
    }
  return -1;
}

/// The operand that is selected everywhere.
static MlirAffineExpr select(Follower *f, MlirOperation op,
                             XlaElement element) {
  XlaElement predicate = element;
  int is = -1;
  if (!stepToOperand(f->rules, op, 0, 0, &predicate))
    return (MlirAffineExpr){NULL};
  xlaElementFollow(f->rules, &predicate);
  if (mlirValueIsAOpResult(predicate.array)) {
    MlirOperation from = mlirOpResultGetOwner(predicate.array);
    if (xlaOpGetKind(from) == XlaOpKindCompare)
      is = compare(f, from, predicate);
  }
  return is < 0 ? (MlirAffineExpr){NULL}
                : operandToExpr(f, op, is ? 1 : 2, element);
}

/// The larger one of both, or the smaller one, if that is always the same one.
static MlirAffineExpr choose(Follower *f, MlirAffineExpr lhs,
                             MlirAffineExpr rhs, bool isMax) {
  XlaInterval range = rangeOfMinus(f, lhs, rhs);
  if (range.lower >= 0)
    return isMax ? lhs : rhs;
  if (range.upper <= 0)
    return isMax ? rhs : lhs;
  return (MlirAffineExpr){NULL};
}

static MlirAffineExpr binary(Follower *f, XlaOpKind kind, MlirAffineExpr lhs,
                             MlirAffineExpr rhs) {
  MlirAffineExpr none = {NULL};
  int64_t value;
  bool isConstant = xlaExprIsConstant(rhs, &value);
  // Quotients are rounded to 0.
  bool divides =
      isConstant && value > 0 && xlaExprRange(f->rules, lhs).lower >= 0;
  if (kind == XlaOpKindAdd)
    return combine(f->rules, 1, lhs, 1, rhs);
  if (kind == XlaOpKindSubtract)
    return combine(f->rules, 1, lhs, -1, rhs);
  if (kind == XlaOpKindMultiply)
    return isConstant ? combine(f->rules, value, lhs, 0, rhs)
           : xlaExprIsConstant(lhs, &value)
               ? combine(f->rules, value, rhs, 0, lhs)
               : none;
  if (kind == XlaOpKindDivide)
    return divides ? xlaExprOver(lhs, value) : none;
  if (kind == XlaOpKindRemainder)
    return divides ? xlaExprModulo(lhs, value) : none;
  return choose(f, lhs, rhs, kind == XlaOpKindMaximum);
}

static MlirAffineExpr ofOperation(Follower *f, MlirOperation op,
                                  const XlaShape *shape, XlaElement element) {
  XlaOpKind kind = xlaOpGetKind(op);
  MlirAffineExpr lhs, rhs, none = {NULL};
  int64_t dimension;
  switch ((int)kind) {
  case XlaOpKindConstant:
    return ofConstant(f->rules, op, shape, element.place);
  case XlaOpKindIota:
    dimension = xlaOpGetI64(op, "iota_dimension", 0);
    return dimension < mlirAffineMapGetNumResults(element.place)
               ? mlirAffineMapGetResult(element.place, dimension)
               : none;
  case XlaOpKindSelect:
    return select(f, op, element);
  case XlaOpKindConvert:
    return operandToExpr(f, op, 0, element);
  case XlaOpKindNegate:
    lhs = operandToExpr(f, op, 0, element);
    return lhs.ptr ? combine(f->rules, -1, lhs, 0, lhs) : none;
  case XlaOpKindClamp:
    lhs = operandToExpr(f, op, 0, element);
    rhs = lhs.ptr ? operandToExpr(f, op, 1, element) : none;
    lhs = rhs.ptr ? choose(f, lhs, rhs, true) : none;
    rhs = lhs.ptr ? operandToExpr(f, op, 2, element) : none;
    return rhs.ptr ? choose(f, lhs, rhs, false) : none;
  case XlaOpKindAdd:
  case XlaOpKindSubtract:
  case XlaOpKindMultiply:
  case XlaOpKindDivide:
  case XlaOpKindRemainder:
  case XlaOpKindMinimum:
  case XlaOpKindMaximum:
    lhs = operandToExpr(f, op, 0, element);
    rhs = lhs.ptr ? operandToExpr(f, op, 1, element) : none;
    return rhs.ptr ? binary(f, kind, lhs, rhs) : none;
  default:
    return none;
  }
}

/// Whether all numbers of `range` are of this type.
static bool holdsRange(XlaElementType type, XlaInterval range) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool isUnsigned = info->typeClass == XlaTypeClassUnsigned;
  int bits = info->bits - !isUnsigned;
  int64_t most = bits > 62 ? INT64_MAX - 1 : (INT64_C(1) << bits) - 1;
  int64_t least = isUnsigned ? 0 : bits > 62 ? INT64_MIN + 1 : -most - 1;
  return least <= range.lower && range.upper <= most;
}

static MlirAffineExpr toExpr(Follower *f, XlaElement element) {
  XlaShape shape;
  MlirAffineExpr none = {NULL};
  if (++f->operations > maxOperations)
    return none;
  xlaElementFollow(f->rules, &element);
  if (!mlirValueIsAOpResult(element.array) ||
      !xlaShapeFromMlir(mlirValueGetType(element.array), &shape, NULL) ||
      !xlaElementTypeIsInteger(shape.elementType) ||
      mlirAffineMapGetNumResults(element.place) != shape.rank)
    return none;
  MlirAffineExpr expr =
      ofOperation(f, mlirOpResultGetOwner(element.array), &shape, element);
  if (!expr.ptr)
    return none;
  expr = xlaRulesSimplify(f->rules, expr);
  return holdsRange(shape.elementType, xlaExprRange(f->rules, expr)) ? expr
                                                                     : none;
}

MlirAffineExpr xlaElementToExpr(XlaRules *rules, XlaElement element) {
  Follower f = {.rules = rules};
  return toExpr(&f, element);
}

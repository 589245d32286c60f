//===- view.c - What movement makes of its source -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/passes/simplify/indexing/indexing.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool xlaMoveShape(MlirValue value, XlaShape *shape) {
  MlirType type = mlirValueGetType(value);
  return xlaShapeFromMlir(type, shape, NULL) &&
         mlirTypeEqual(type, xlaTypeWithoutLayout(type));
}

bool xlaMoveIsPlain(MlirOperation op) {
  XlaShape shape;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!xlaMoveShape(mlirOperationGetOperand(op, i), &shape))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!xlaMoveShape(mlirOperationGetResult(op, i), &shape))
      return false;
  return true;
}

static MlirOperation definingOp(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? (MlirOperation){NULL}
                                          : mlirOpResultGetOwner(value);
}

MlirOperation xlaMoveDefinedBy(MlirValue value, XlaOpKind kind) {
  MlirOperation op = definingOp(value);
  return op.ptr && xlaOpGetKind(op) == kind && xlaMoveIsPlain(op)
             ? op
             : (MlirOperation){NULL};
}

int xlaMoveUses(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use))
    return 0;
  return mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ? 1 : 2;
}

bool xlaMoveSameScalar(MlirValue a, MlirValue b) {
  char x[16], y[16];
  if (mlirValueEqual(a, b))
    return true;
  MlirOperation c = xlaMoveDefinedBy(a, XlaOpKindConstant),
                d = xlaMoveDefinedBy(b, XlaOpKindConstant);
  return c.ptr && d.ptr &&
         mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) &&
         xlaMoveSplatBytes(c, x) && xlaMoveSplatBytes(d, y) &&
         !memcmp(x, y, 16);
}

//===----------------------------------------------------------------------===//
// Views of operations
//===----------------------------------------------------------------------===//

void xlaMoveViewFree(MoveView *view) {
  xlaIndexingMapRelease(view->map);
  view->map = NULL;
}

static bool isEverything(const XlaIndexingMapParts *parts,
                         const XlaShape *shape) {
  if (parts->nConstraints)
    return false;
  for (int i = 0; i < shape->rank; ++i)
    if (parts->dims[i].lower != 0 || parts->dims[i].upper != shape->dims[i] - 1)
      return false;
  return true;
}

/// A map from an array of `shape`; NULL if that has no elements, or without
/// memory.
static XlaIndexingMap *mapFrom(MlirContext context, const XlaShape *shape,
                               intptr_t n, MlirAffineExpr *exprs) {
  XlaInterval bounds[XLA_MAX_RANK];
  for (int i = 0; i < shape->rank; ++i) {
    if (shape->dims[i] < 1)
      return NULL;
    bounds[i] = (XlaInterval){0, shape->dims[i] - 1};
  }
  XlaIndexingMapParts parts = {
      .map = mlirAffineMapGet(context, shape->rank, 0, n, exprs),
      .nDims = shape->rank,
      .dims = bounds};
  return xlaIndexingMapFinish(xlaIndexingMapCreate(&parts),
                              XlaIndexingPointsReplace);
}

static XlaIndexingMap *identity(MlirContext context, const XlaShape *shape) {
  MlirAffineExpr exprs[XLA_MAX_RANK];
  for (int i = 0; i < shape->rank; ++i)
    exprs[i] = mlirAffineDimExprGet(context, i);
  return mapFrom(context, shape, shape->rank, exprs);
}

/// Elements below each index of dimension `d`.
static int64_t strideOf(const XlaShape *shape, int64_t d) {
  int64_t stride = 1;
  for (int i = shape->rank - 1; i > d; --i)
    stride *= shape->dims[i];
  return stride;
}

XlaIndexingMap *xlaMovePositions(MlirContext context, const XlaShape *shape) {
  MlirAffineExpr sum = mlirAffineConstantExprGet(context, 0);
  int64_t count;
  if (!xlaShapeGetElementCount(shape, &count) || !count)
    return NULL;
  for (int i = 0; i < shape->rank; ++i)
    sum = xlaExprAdd(sum, xlaExprScale(mlirAffineDimExprGet(context, i),
                                       strideOf(shape, i)));
  return mapFrom(context, shape, 1, &sum);
}

MlirAffineExpr xlaMoveIndexAt(const XlaIndexingMap *map, const XlaShape *shape,
                              int64_t dimension) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  XlaRules rules = {.context = mlirAffineMapGetContext(parts->map),
                    .dims = parts->dims};
  MlirAffineExpr index = xlaRulesSimplify(
      &rules, xlaExprModulo(xlaExprOver(mlirAffineMapGetResult(parts->map, 0),
                                        strideOf(shape, dimension)),
                            shape->dims[dimension]));
  xlaRulesFree(&rules);
  return index;
}

static bool isByteFloat(const XlaElementTypeInfo *info) {
  return info->typeClass == XlaTypeClassFloat && info->bits == 8;
}

/// Bits of a type of the same width, of which there are as many in memory. A
/// bitcast from and to floats of 8 bits is where a compiled program, which does
/// not know them, begins and ends.
static bool keepsWidth(MlirOperation op) {
  XlaShape from, to;
  if (!xlaMoveShape(mlirOperationGetOperand(op, 0), &from) ||
      !xlaMoveShape(mlirOperationGetResult(op, 0), &to))
    return false;
  const XlaElementTypeInfo *a = xlaElementTypeGetInfo(from.elementType),
                           *b = xlaElementTypeGetInfo(to.elementType);
  if (xlaOpGetKind(op) == XlaOpKindBitcast && isByteFloat(a) != isByteFloat(b))
    return false;
  unsigned others = XlaTypeClassPred | XlaTypeClassComplex;
  return a == b || (a->bits == b->bits && a->bits >= 8 &&
                    !(a->typeClass & others) && !(b->typeClass & others));
}

static XlaIndexingMap *mapOfOp(MlirOperation op, XlaOpKind kind,
                               const XlaShape *shape) {
  XlaIndexingMaps maps;
  XlaIndexingMap *map = NULL;
  switch (xlaOpGetInfo(kind)->moves) {
  case XlaOpMovesBits:
    if (!keepsWidth(op))
      return NULL;
    if (kind == XlaOpKindBitcastConvert)
      return identity(mlirOperationGetContext(op), shape);
    break;
  case XlaOpMovesGather:
    return xlaMoveMapOfGather(op);
  case XlaOpMovesChoice: // of one operand, or a pad
  case XlaOpMovesView:
  case XlaOpMovesDynamicView:
    break;
  case XlaOpMovesNo:
  case XlaOpMovesSource:
  case XlaOpMovesUpdate:
    return NULL;
  }
  if (xlaOpGetOperandMaps(op, 0, 0, &maps) == XlaOpMapsKnown && maps.n == 1)
    map = xlaIndexingMapRetain(maps.maps[0]);
  xlaIndexingMapsFree(&maps);
  return xlaIndexingMapFinish(map, XlaIndexingPointsReplace);
}

bool xlaMoveOpGet(MlirOperation op, MoveOp *move) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape shape;
  *move = (MoveOp){.map = NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!xlaMoveIsMovement(kind) || !n ||
      (kind == XlaOpKindConcatenate && n > 1) || !xlaMoveIsPlain(op) ||
      !xlaMoveShape(mlirOperationGetResult(op, 0), &shape))
    return false;
  move->map = mapOfOp(op, kind, &shape);
  if (!move->map)
    return false;
  move->operand = mlirOperationGetOperand(op, 0);
  if (kind == XlaOpKindPad &&
      !isEverything(xlaIndexingMapGetParts(move->map), &shape))
    move->fill = mlirOperationGetOperand(op, 1);
  return true;
}

bool xlaMoveViewOfItself(MlirValue value, MoveView *view) {
  XlaShape shape;
  *view = (MoveView){.source = value};
  if (xlaMoveShape(value, &shape))
    view->map =
        xlaMovePositions(mlirTypeGetContext(mlirValueGetType(value)), &shape);
  return view->map != NULL;
}

bool xlaMoveViewOfOp(MlirOperation op, MoveView *view) {
  MoveOp move;
  MoveView inner;
  XlaShape shape;
  bool found = false;
  if (!xlaMoveOpGet(op, &move))
    return false;
  if (xlaMoveShape(mlirOperationGetResult(op, 0), &shape) &&
      xlaMoveViewOfItself(move.operand, &inner)) {
    found = xlaMoveCompose(&move, &inner, &shape, view);
    xlaMoveViewFree(&inner);
  }
  xlaIndexingMapRelease(move.map);
  return found;
}

//===----------------------------------------------------------------------===//
// Views of values
//===----------------------------------------------------------------------===//

void xlaMoveStateFree(MoveState *state) {
  for (intptr_t i = 0; i < state->nKnown; ++i)
    xlaMoveViewFree(&state->known[i]);
  for (intptr_t i = 0; i < state->nTables; ++i)
    free(state->tables[i]);
  free(state->known);
  free((void *)state->tables);
  xlaPointerMapClear(&state->views);
  xlaPointerMapClear(&state->offsets);
  *state = (MoveState){.context = state->context};
}

void xlaMoveRemember(MoveState *state, MlirValue value, MoveView *view) {
  if (state->nKnown == state->knownCapacity) {
    intptr_t capacity = 2 * state->knownCapacity + 64;
    MoveView *known =
        realloc(state->known, (size_t)capacity * sizeof *state->known);
    if (!known) {
      xlaMoveViewFree(view);
      return;
    }
    state->known = known;
    state->knownCapacity = capacity;
  }
  if (!xlaPointerMapSet(&state->views, value.ptr, state->nKnown + 1)) {
    xlaMoveViewFree(view);
    return;
  }
  state->known[state->nKnown++] = *view;
}

bool xlaMoveViewOfValue(MoveState *state, MlirValue value, MoveView *view) {
  intptr_t at = xlaPointerMapGet(&state->views, value.ptr);
  MlirOperation op = definingOp(value);
  if (!at)
    return op.ptr && xlaMoveViewOfOp(op, view);
  *view = state->known[at - 1];
  view->map = xlaIndexingMapRetain(view->map);
  return true;
}

/// Simplifies a map that it takes over. NULL where it is defined for some
/// values of runtime variables only, and without memory.
static XlaIndexingMap *simplify(XlaIndexingMap *map) {
  XlaIndexingMap *simple =
      map ? xlaIndexingMapSimplify(map, XlaIndexingPointsReplace) : NULL;
  bool always = simple != NULL;
  if (always && !xlaIndexingMapIsKnownEmpty(simple)) {
    const XlaIndexingMapParts *before = xlaIndexingMapGetParts(map),
                              *after = xlaIndexingMapGetParts(simple);
    for (intptr_t i = 0; i < before->nRuntimes; ++i)
      always &= xlaIntervalEqual(before->runtimes[i].bounds,
                                 after->runtimes[i].bounds);
  }
  xlaIndexingMapRelease(map);
  if (always)
    return simple;
  xlaIndexingMapRelease(simple);
  return NULL;
}

static XlaIndexingMap *composeMaps(const XlaIndexingMap *first,
                                   const XlaIndexingMap *second) {
  return xlaIndexingMapFinish(simplify(xlaIndexingMapCompose(first, second)),
                              XlaIndexingPointsReplace);
}

bool xlaMoveCompose(const MoveOp *op, const MoveView *inner,
                    const XlaShape *shape, MoveView *result) {
  *result = (MoveView){.source = inner->source, .fill = op->fill};
  if (!mlirValueIsNull(inner->fill)) {
    XlaShape fill;
    if (!xlaMoveShape(inner->fill, &fill) ||
        fill.elementType != shape->elementType ||
        (!mlirValueIsNull(op->fill) &&
         !xlaMoveSameScalar(op->fill, inner->fill)))
      return false;
    result->fill = inner->fill;
  }
  result->map = composeMaps(op->map, inner->map);
  if (!result->map)
    return false;
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(result->map);
  if (parts->nRuntimes || parts->nRanges ||
      (mlirValueIsNull(result->fill) && !isEverything(parts, shape))) {
    xlaMoveViewFree(result);
    return false;
  }
  if (isEverything(parts, shape))
    result->fill = (MlirValue){NULL};
  return true;
}

//===----------------------------------------------------------------------===//
// Concatenations
//===----------------------------------------------------------------------===//

static int64_t *makeOffsets(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  int64_t dimension = xlaOpGetI64(op, "dimension", 0);
  int64_t *offsets = malloc(((size_t)n + 1) * sizeof *offsets);
  if (!offsets)
    return NULL;
  offsets[0] = 0;
  for (intptr_t i = 0; i < n; ++i) {
    XlaShape shape;
    if (!xlaMoveShape(mlirOperationGetOperand(op, i), &shape)) {
      offsets[0] = -1;
      break;
    }
    offsets[i + 1] = offsets[i] + shape.dims[dimension];
  }
  return offsets;
}

const int64_t *xlaMoveOffsets(MoveState *state, MlirOperation op) {
  intptr_t at = xlaPointerMapGet(&state->offsets, op.ptr);
  if (at)
    return *state->tables[at - 1] < 0 ? NULL : state->tables[at - 1];
  if (state->nTables == state->tableCapacity) {
    intptr_t capacity = 2 * state->tableCapacity + 16;
    int64_t **tables = (int64_t **)realloc(
        (void *)state->tables, (size_t)capacity * sizeof(int64_t *));
    if (!tables)
      return NULL;
    state->tables = tables;
    state->tableCapacity = capacity;
  }
  int64_t *offsets = makeOffsets(op);
  if (!offsets ||
      !xlaPointerMapSet(&state->offsets, op.ptr, state->nTables + 1)) {
    free(offsets);
    return NULL;
  }
  state->tables[state->nTables++] = offsets;
  return *offsets < 0 ? NULL : offsets;
}

intptr_t xlaMoveFindPiece(const int64_t *offsets, intptr_t n, int64_t index) {
  intptr_t low = 0, high = n;
  while (high - low > 1) {
    intptr_t middle = low + (high - low) / 2;
    if (offsets[middle] <= index)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// What reads concatenation `op` at the positions of `view` as what reads the
/// only one of its operands that it needs. False if it needs several.
static bool onePiece(MoveState *state, MlirOperation op, const MoveView *view,
                     MoveOp *read) {
  XlaIndexingMapParts parts = *xlaIndexingMapGetParts(view->map);
  const int64_t *offsets = xlaMoveOffsets(state, op);
  int64_t dimension = xlaOpGetI64(op, "dimension", 0);
  MlirAffineExpr results[XLA_MAX_RANK];
  XlaShape shape;
  if (!offsets || xlaIndexingMapIsKnownEmpty(view->map) ||
      !xlaMoveShape(view->source, &shape))
    return false;
  results[dimension] = xlaMoveIndexAt(view->map, &shape, dimension);
  XlaRules rules = {.context = state->context, .dims = parts.dims};
  XlaInterval range = xlaExprRange(&rules, results[dimension]);
  xlaRulesFree(&rules);
  intptr_t piece =
      xlaMoveFindPiece(offsets, mlirOperationGetNumOperands(op), range.lower);
  if (range.lower < 0 || range.upper >= offsets[piece + 1])
    return false;
  for (int i = 0; i < shape.rank; ++i)
    if (i != dimension)
      results[i] = xlaMoveIndexAt(view->map, &shape, i);
  results[dimension] = xlaExprShift(results[dimension], -offsets[piece]);
  parts.map =
      mlirAffineMapGet(state->context, parts.nDims, 0, shape.rank, results);
  *read = (MoveOp){.operand = mlirOperationGetOperand(op, piece),
                   .map = xlaIndexingMapFinish(xlaIndexingMapCreate(&parts),
                                               XlaIndexingPointsReplace),
                   .fill = view->fill};
  return read->map != NULL;
}

void xlaMoveThroughPieces(MoveState *state, const XlaShape *shape,
                          MoveView *view) {
  MoveView inner, composed;
  MoveOp read;
  MlirOperation op;
  while ((op = definingOp(view->source)).ptr &&
         xlaOpGetKind(op) == XlaOpKindConcatenate &&
         onePiece(state, op, view, &read)) {
    bool done = (xlaMoveViewOfValue(state, read.operand, &inner) ||
                 xlaMoveViewOfItself(read.operand, &inner)) &&
                xlaMoveCompose(&read, &inner, shape, &composed);
    xlaIndexingMapRelease(read.map);
    xlaMoveViewFree(&inner);
    if (!done)
      return;
    xlaMoveViewFree(view);
    *view = composed;
  }
}

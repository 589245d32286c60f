//===- guard.c - Reading values at general indices ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"
#include "xlac/lowering/linalg/scalar.h"
#include "xlac/lowering/linalg/stage.h"

#include "mlir-c/AffineMap.h"

#include <stdlib.h>
#include <string.h>

/// Operands of a concatenate that a small loop chooses from.
enum { maxChoices = 16 };

static MlirContext contextOf(const XlaStage *stage) {
  return mlirOperationGetContext(stage->kernel->op);
}

/// What needs another space is no error.
static XlaGuard fail(const XlaStage *stage, MlirOperation op,
                     intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (!stage->needsSplit && !stage->needsCut)
    xlaOpError(op, NULL,
               "cannot be computed inside a kernel from operand %lld of %s",
               (long long)operand, XLA_TYPE_TEXT(mlirValueGetType(value)));
  return XlaGuardFailed;
}

static bool overflows(XlaInterval range) {
  return range.lower == INT64_MIN || range.upper == INT64_MAX;
}

//===----------------------------------------------------------------------===//
// Where an operand is read
//===----------------------------------------------------------------------===//

/// Conditions under which an element of the operand is read.
typedef struct Conditions {
  XlaGuard guard;
  int n;
  XlaIndexingConstraint all[4 * XLA_MAX_RANK];
} Conditions;

/// Adds that `expr`, of the stage, lies in `bounds`.
static void require(XlaStage *stage, MlirAffineExpr expr, XlaInterval bounds,
                    Conditions *conditions) {
  XlaInterval range = xlaPositionRange(stage, expr);
  if (xlaIntervalContains(bounds, range) || conditions->guard == XlaGuardNever)
    return;
  if (xlaIntervalIsEmpty(xlaIntervalIntersect(bounds, range))) {
    conditions->guard = XlaGuardNever;
    return;
  }
  conditions->guard = XlaGuardSometimes;
  conditions->all[conditions->n++] = (XlaIndexingConstraint){expr, bounds};
}

/// Whether the loops are to be cut, for the first condition that allows it.
static bool needsCut(XlaStage *stage, const Conditions *conditions) {
  for (int i = 0; i < conditions->n && stage->mayCut && !stage->isSmall; ++i)
    if (xlaStageFindCut(stage, &conditions->all[i]))
      return stage->needsCut = true;
  return false;
}

static MlirValue emitConditions(XlaStage *stage, const Conditions *conditions) {
  MlirValue all = {NULL};
  for (int i = 0; i < conditions->n; ++i) {
    MlirValue one = xlaPositionEmitInside(stage, conditions->all[i].expr,
                                          conditions->all[i].bounds);
    all = i ? xlaIrBinary(&stage->ir, "arith.andi", all, one) : one;
  }
  return all;
}

/// A special form where all of the index is inside of `shape`.
static void specialize(XlaStage *stage, const XlaShape *shape,
                       XlaIndex *index) {
  for (int d = 0; d < index->rank; ++d) {
    XlaInterval range = xlaPositionRange(stage, index->exprs[d]);
    if (range.lower < 0 || range.upper >= shape->dims[d])
      return;
  }
  if (index->rank)
    xlaIndexSpecialize(&stage->space, index);
}

/// Appends a dimension to a general index; false where it is beyond 64 bits.
static bool append(XlaStage *stage, MlirAffineExpr expr, XlaIndex *index) {
  expr = xlaPositionSimplify(stage, expr);
  if (!expr.ptr || overflows(xlaPositionRange(stage, expr)))
    return false;
  xlaIndexAppendExpr(index, expr);
  return true;
}

/// Applies the map of an operation.
static XlaGuard apply(XlaStage *stage, const XlaMapDraft *draft,
                      const XlaIndex *result, XlaIndex *index,
                      MlirValue *inside) {
  MlirAffineExpr dims[XLA_MAX_RANK];
  Conditions conditions = {.guard = XlaGuardAlways};
  for (int d = 0; d < result->rank; ++d)
    dims[d] = xlaIndexGetExpr(contextOf(stage), &stage->space, result, d);
  for (intptr_t i = 0; i < draft->nConstraints; ++i) {
    MlirAffineExpr expr = xlaPositionSimplify(
        stage, xlaExprReplace(draft->constraints[i].expr, dims, NULL));
    if (!expr.ptr)
      return XlaGuardFailed;
    require(stage, expr, draft->constraints[i].bounds, &conditions);
  }
  for (intptr_t d = 0; d < draft->nResults; ++d)
    if (!append(stage, xlaExprReplace(draft->results[d], dims, NULL), index))
      return XlaGuardFailed;
  if (conditions.guard == XlaGuardSometimes && needsCut(stage, &conditions))
    return XlaGuardFailed;
  if (conditions.guard == XlaGuardSometimes && stage->block.ptr)
    *inside = emitConditions(stage, &conditions);
  return conditions.guard;
}

static XlaGuard guardDynamicSlice(XlaStage *stage, MlirOperation op,
                                  const XlaShape *from, const XlaShape *to,
                                  const XlaIndex *result, XlaIndex *index) {
  for (int d = 0; d < from->rank; ++d) {
    MlirValue start = mlirOperationGetOperand(op, 1);
    XlaShape starts = xlaKernelShapeOf(start); // a vector, or one scalar each
    if (!starts.rank)
      start = mlirOperationGetOperand(op, 1 + d);
    MlirAffineExpr at =
        xlaIndexGetExpr(contextOf(stage), &stage->space, result, d);
    int64_t most = from->dims[d] - to->dims[d];
    MlirAffineExpr symbol =
        most ? xlaPositionStart(stage, start, starts.rank ? d : -1, most)
             : mlirAffineConstantExprGet(contextOf(stage), 0);
    if (!symbol.ptr || !append(stage, xlaExprAdd(at, symbol), index))
      return XlaGuardFailed;
  }
  return XlaGuardAlways;
}

/// Operations whose map depends on nothing but their attributes.
static XlaGuard guardByMap(XlaStage *stage, MlirOperation op, intptr_t operand,
                           const XlaShape *from, const XlaShape *to,
                           const XlaIndex *result, XlaIndex *index,
                           MlirValue *inside) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaOperandMapHook map = xlaIsInlined(op) ? xlaElementwiseMap : xlaMovementMap;
  XlaGuard guard = XlaGuardFailed;
  XlaMapDraft *draft = malloc(sizeof *draft);
  if (!draft) {
    xlaKernelNoMemory(stage->kernel);
    return guard;
  }
  xlaMapDraftInit(draft, contextOf(stage), to);
  if (map(op, kind, 0, operand, from, draft))
    guard = apply(stage, draft, result, index, inside);
  free(draft);
  return guard;
}

static bool isEmpty(const XlaShape *shape) {
  int64_t count = 0;
  return xlaShapeGetElementCount(shape, &count) && !count;
}

XlaGuard xlaStageGuard(XlaStage *stage, MlirOperation op, intptr_t operand,
                       const XlaIndex *result, XlaIndex *index,
                       MlirValue *inside) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape from = xlaKernelShapeOf(mlirOperationGetOperand(op, operand));
  XlaShape to = xlaKernelShapeOf(mlirOperationGetResult(op, 0));
  xlaIndexBegin(index);
  if (isEmpty(&from)) {
    for (int d = 0; d < from.rank; ++d)
      xlaIndexAppendZero(index);
    return XlaGuardNever;
  }
  bool isPlain = xlaIsInlined(op) && xlaShapeDimsEqual(&from, &to);
  if (isPlain || kind == XlaOpKindMap || kind == XlaOpKindBitcastConvert) {
    *index = *result;
    return isPlain ? XlaGuardAlways : fail(stage, op, operand);
  }
  XlaGuard guard =
      kind == XlaOpKindDynamicSlice
          ? guardDynamicSlice(stage, op, &from, &to, result, index)
          : guardByMap(stage, op, operand, &from, &to, result, index, inside);
  if (guard == XlaGuardFailed)
    return fail(stage, op, operand);
  specialize(stage, &from, index);
  return !result->isGeneral && xlaStageNeedsSpace(stage, index) ? XlaGuardFailed
                                                                : guard;
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

/// The place in row-major order; null if it is beyond 64 bits.
static MlirAffineExpr flatten(XlaStage *stage, const XlaShape *shape,
                              const XlaIndex *index) {
  MlirContext context = contextOf(stage);
  MlirAffineExpr flat = mlirAffineConstantExprGet(context, 0);
  int64_t row = 1;
  for (int d = shape->rank - 1; d >= 0; row *= shape->dims[d--])
    flat = xlaExprAdd(
        flat,
        xlaExprScale(xlaIndexGetExpr(context, &stage->space, index, d), row));
  flat = xlaPositionSimplify(stage, flat);
  return !flat.ptr || overflows(xlaPositionRange(stage, flat))
             ? (MlirAffineExpr){NULL}
             : flat;
}

/// offset + sum of strides * loops + sum of factors * starts; loops in order.
typedef struct Line {
  int64_t offset;
  int n, nStarts;
  int loops[XLA_MAX_RANK];
  int64_t strides[XLA_MAX_RANK];
  intptr_t starts[XLA_MAX_RANK];
  int64_t factors[XLA_MAX_RANK];
} Line;

static bool addTerm(const XlaStage *stage, MlirAffineExpr term, Line *line) {
  int64_t factor = 1;
  if (xlaExprIsConstant(term, &factor)) {
    line->offset += factor;
    return true;
  }
  if (xlaExprGetKind(term) == XlaExprKindMul &&
      xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(term), &factor))
    term = mlirAffineBinaryOpExprGetLHS(term);
  if (xlaExprGetKind(term) == XlaExprKindDim && line->n < XLA_MAX_RANK) {
    int loop = (int)mlirAffineDimExprGetPosition(term), i = line->n++;
    for (; i > 0 && line->loops[i - 1] > loop; --i) {
      line->loops[i] = line->loops[i - 1];
      line->strides[i] = line->strides[i - 1];
    }
    line->loops[i] = loop;
    line->strides[i] = factor;
    return true;
  }
  if (xlaExprGetKind(term) != XlaExprKindSymbol ||
      line->nStarts == XLA_MAX_RANK)
    return false;
  const XlaPositionSymbol *symbol =
      &stage->positions.symbols[mlirAffineSymbolExprGetPosition(term)];
  if (symbol->expr.ptr)
    return false;
  line->starts[line->nStarts] = symbol->start;
  line->factors[line->nStarts++] = factor;
  return true;
}

static bool lineOf(const XlaStage *stage, MlirAffineExpr expr, Line *line) {
  memset(line, 0, sizeof *line);
  for (; xlaExprGetKind(expr) == XlaExprKindAdd;
       expr = mlirAffineBinaryOpExprGetLHS(expr))
    if (!addTerm(stage, mlirAffineBinaryOpExprGetRHS(expr), line))
      return false;
  return addTerm(stage, expr, line);
}

/// The offset, with the starts, as an index.
static MlirValue emitStart(const XlaKernel *kernel, XlaIr *ir,
                           const Line *line) {
  MlirValue sum = xlaIrConstantIndex(ir, line->offset);
  for (int i = 0; i < line->nStarts; ++i) {
    MlirValue start = kernel->starts[line->starts[i]].index;
    start = xlaIrBinary(ir, "arith.muli", start,
                        xlaIrConstantIndex(ir, line->factors[i]));
    sum = xlaIrBinary(ir, "arith.addi", sum, start);
  }
  return sum;
}

/// A view whose dimensions are the loops of `line`.
static MlirValue viewOf(XlaStage *stage, MlirValue memref, const Line *line,
                        MlirAffineMap *map) {
  XlaIr *ir = &stage->kernel->ir;
  int64_t sizes[XLA_MAX_RANK];
  MlirAffineExpr exprs[XLA_MAX_RANK];
  MlirValue start = {NULL};
  for (int i = 0; i < line->n; ++i) {
    sizes[i] = stage->space.sizes[line->loops[i]];
    exprs[i] = mlirAffineDimExprGet(ir->context, line->loops[i]);
  }
  if (line->nStarts)
    start = emitStart(stage->kernel, ir, line);
  *map = mlirAffineMapGet(ir->context, stage->space.nLoops, 0, line->n, exprs);
  return xlaKernelReinterpret(ir, memref, start, line->offset, line->n, sizes,
                              line->strides);
}

MlirValue xlaStageView(XlaStage *stage, MlirValue memref, const XlaShape *shape,
                       const XlaIndex *index, MlirAffineMap *map) {
  Line line;
  if (!index->isGeneral)
    return xlaKernelView(&stage->kernel->ir, memref, shape, &stage->space,
                         index, (MlirValue){NULL}, map);
  MlirAffineExpr flat = flatten(stage, shape, index);
  return flat.ptr && lineOf(stage, flat, &line)
             ? viewOf(stage, memref, &line, map)
             : (MlirValue){NULL};
}

static MlirValue readView(XlaStage *stage, MlirValue memref, const Line *line) {
  MlirAffineMap map;
  MlirValue view = viewOf(stage, memref, line, &map);
  return stage->isOutside ? xlaIrLoad(&stage->ir, view, 0, NULL)
                          : xlaStageAddInput(stage, view, map);
}

/// Loads element `flat`, or some other one where it does not exist.
static MlirValue load(XlaStage *stage, MlirValue memref, MlirAffineExpr flat,
                      int64_t count) {
  XlaIr *ir = &stage->ir;
  const int64_t one = 1;
  XlaInterval range = xlaPositionRange(stage, flat);
  MlirValue place = xlaPositionEmit(stage, flat);
  MlirType type = mlirValueGetType(place);
  if (range.lower < 0)
    place =
        xlaIrBinary(ir, "arith.maxsi", place, xlaIrConstantInt(ir, type, 0));
  if (range.upper >= count)
    place = xlaIrBinary(ir, "arith.minsi", place,
                        xlaIrConstantInt(ir, type, count - 1));
  place =
      xlaIrCast(ir, "arith.index_cast", place, mlirIndexTypeGet(ir->context));
  MlirValue view = xlaKernelReinterpret(&stage->kernel->ir, memref,
                                        (MlirValue){NULL}, 0, 1, &count, &one);
  return xlaIrLoad(ir, view, 1, &place);
}

bool xlaStageReadGeneral(XlaStage *stage, MlirValue memref,
                         const XlaShape *shape, const XlaIndex *index,
                         MlirValue *scalar) {
  MlirAffineExpr flat = flatten(stage, shape, index);
  int64_t count = 0;
  Line line;
  xlaShapeGetElementCount(shape, &count);
  if (!flat.ptr) {
    xlaOpError(stage->kernel->op, NULL,
               "reads an element of %s at a position beyond 64 bits",
               XLA_SHAPE_TEXT(shape));
    return false;
  }
  if (!stage->block.ptr)
    return true;
  bool isInside = xlaIntervalContains((XlaInterval){0, count - 1},
                                      xlaPositionRange(stage, flat));
  MlirValue element = isInside && lineOf(stage, flat, &line)
                          ? readView(stage, memref, &line)
                          : load(stage, memref, flat, count);
  if (mlirValueIsNull(element))
    return false;
  *scalar = xlaScalarFromMemory(&stage->ir, shape->elementType, element);
  return true;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// Whether the loops are to be cut in the middle of the operands that they
/// read. Few are left to choose from in small arrays, which devices with a
/// limit on buffers allow.
static bool cutsConcatenate(XlaStage *stage, MlirOperation op,
                            const XlaIndex *index) {
  int d = (int)xlaOpGetI64(op, "dimension", 0);
  MlirAffineExpr expr =
      xlaIndexGetExpr(contextOf(stage), &stage->space, index, d);
  XlaInterval range = xlaPositionRange(stage, expr);
  intptr_t nInside = 0, n = mlirOperationGetNumOperands(op);
  // Boundaries inside of the range: first their number, then the middle one.
  for (intptr_t wanted = -1;; wanted = nInside / 2) {
    int64_t at = 0;
    intptr_t seen = 0;
    for (intptr_t i = 0; i < n; ++i) {
      at += xlaKernelShapeOf(mlirOperationGetOperand(op, i)).dims[d];
      if (at <= range.lower || at > range.upper)
        continue;
      if (seen++ == wanted) {
        XlaIndexingConstraint above = {expr, {at, range.upper}};
        return stage->needsCut = xlaStageFindCut(stage, &above);
      }
    }
    nInside = seen;
    if (wanted >= 0 || nInside < (stage->isSmall ? maxChoices : 1))
      return false;
  }
}

/// Whether an operand before operand `i` has elements.
static bool hasOthers(MlirOperation op, intptr_t i) {
  bool has = false;
  while (i-- > 0) {
    XlaShape shape = xlaKernelShapeOf(mlirOperationGetOperand(op, i));
    has |= !isEmpty(&shape);
  }
  return has;
}

/// The last operand that may be read needs no condition. At a position that the
/// result does not have none may be: then any will do.
static bool readConcatenate(XlaStage *stage, MlirOperation op,
                            const XlaIndex *index, MlirValue *scalar) {
  intptr_t n = mlirOperationGetNumOperands(op);
  bool hasValue = false;
  if (stage->mayCut && cutsConcatenate(stage, op, index))
    return false;
  for (intptr_t i = n - 1; i >= 0; --i) {
    XlaIndex at;
    MlirValue inside = {NULL}, element = {NULL};
    MlirValue operand = mlirOperationGetOperand(op, i);
    XlaShape shape = xlaKernelShapeOf(operand);
    if (isEmpty(&shape))
      continue;
    XlaGuard guard = xlaStageGuard(stage, op, i, index, &at, &inside);
    if (guard == XlaGuardFailed)
      return false;
    if (guard == XlaGuardNever && (hasValue || hasOthers(op, i)))
      continue;
    if (!xlaStageRead(stage, operand, &at, &element))
      return false;
    if (stage->block.ptr)
      *scalar = hasValue && guard == XlaGuardSometimes
                    ? xlaIrSelect(&stage->ir, inside, element, *scalar)
                    : element;
    hasValue = true;
    if (guard == XlaGuardAlways)
      break;
  }
  return true;
}

static bool readPad(XlaStage *stage, MlirOperation op, const XlaIndex *index,
                    MlirValue *scalar) {
  XlaIndex at, none;
  MlirValue inside = {NULL}, padding = {NULL};
  XlaGuard guard = xlaStageGuard(stage, op, 0, index, &at, &inside);
  xlaIndexBegin(&none);
  if (guard == XlaGuardFailed ||
      (guard != XlaGuardNever &&
       !xlaStageRead(stage, mlirOperationGetOperand(op, 0), &at, scalar)))
    return false;
  if (guard == XlaGuardAlways)
    return true;
  if (!xlaStageRead(stage, mlirOperationGetOperand(op, 1), &none, &padding))
    return false;
  if (stage->block.ptr)
    *scalar = guard == XlaGuardNever
                  ? padding
                  : xlaIrSelect(&stage->ir, inside, *scalar, padding);
  return true;
}

bool xlaStageReadChoice(XlaStage *stage, MlirOperation op,
                        const XlaIndex *index, MlirValue *scalar) {
  return xlaOpGetKind(op) == XlaOpKindPad
             ? readPad(stage, op, index, scalar)
             : readConcatenate(stage, op, index, scalar);
}

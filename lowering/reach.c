//===- reach.c - Reading values at general indices ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/lowering/scalar.h"
#include "xlac/lowering/stage.h"

#include "mlir-c/AffineMap.h"

#include <string.h>

static MlirContext contextOf(const XlaStage *stage) {
  return mlirOperationGetContext(stage->kernel->op);
}

static XlaReach fail(XlaStage *stage, MlirOperation op, intptr_t operand) {
  (void)stage;
  xlaOpError(
      op, NULL, "cannot be computed inside a kernel from operand %lld of %s",
      (long long)operand,
      XLA_TYPE_TEXT(mlirValueGetType(mlirOperationGetOperand(op, operand))));
  return XlaReachFailed;
}

static bool overflows(XlaInterval range) {
  return range.lower == INT64_MIN || range.upper == INT64_MAX;
}

//===----------------------------------------------------------------------===//
// Where an operand is read
//===----------------------------------------------------------------------===//

/// Conditions under which an element of the operand is read.
typedef struct Conditions {
  XlaReach reach;
  int n;
  XlaIndexingConstraint all[3 * XLA_MAX_RANK];
} Conditions;

/// Adds that `expr`, of the stage, lies in `bounds`.
static void require(XlaStage *stage, MlirAffineExpr expr, XlaInterval bounds,
                    Conditions *conditions) {
  XlaInterval range = xlaPositionRange(stage, expr);
  if (xlaIntervalContains(bounds, range) || conditions->reach == XlaReachNever)
    return;
  if (xlaIntervalIsEmpty(xlaIntervalIntersect(bounds, range))) {
    conditions->reach = XlaReachNever;
    return;
  }
  conditions->reach = XlaReachSometimes;
  conditions->all[conditions->n++] = (XlaIndexingConstraint){expr, bounds};
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

/// The symbols of a map as those of the stage.
static bool startsOf(XlaStage *stage, const XlaIndexingMapParts *parts,
                     MlirAffineExpr *symbols) {
  if (parts->nRanges || parts->nRuntimes > XLA_MAX_RANK)
    return false;
  for (intptr_t i = 0; i < parts->nRuntimes; ++i) {
    const XlaRuntimeVariable *start = &parts->runtimes[i];
    int64_t place = -1;
    if (mlirAffineMapGetNumResults(start->map) &&
        !xlaExprIsConstant(mlirAffineMapGetResult(start->map, 0), &place))
      return false;
    symbols[i] =
        xlaPositionStart(stage, start->value, place, start->bounds.upper);
    if (!symbols[i].ptr)
      return false;
  }
  return true;
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

/// Applies the map of an operation.
static XlaReach apply(XlaStage *stage, const XlaIndexingMapParts *parts,
                      const XlaShape *to, const XlaIndex *result,
                      const XlaShape *from, XlaIndex *index,
                      MlirValue *inside) {
  MlirContext context = contextOf(stage);
  MlirAffineExpr dims[XLA_MAX_RANK], symbols[XLA_MAX_RANK];
  Conditions conditions = {.reach = XlaReachAlways};
  if (!startsOf(stage, parts, symbols))
    return XlaReachFailed;
  for (int d = 0; d < result->rank; ++d) {
    dims[d] = xlaIndexGetExpr(context, &stage->space, result, d);
    // Elements that the result does not have do not matter.
    if (!xlaIntervalContains(parts->dims[d], (XlaInterval){0, to->dims[d] - 1}))
      require(stage, dims[d], parts->dims[d], &conditions);
  }
  for (intptr_t i = 0; i < parts->nConstraints; ++i) {
    MlirAffineExpr expr =
        xlaExprReplace(parts->constraints[i].expr, dims, symbols);
    require(stage, xlaPositionSimplify(stage, expr),
            parts->constraints[i].bounds, &conditions);
  }
  xlaIndexBegin(index);
  for (int d = 0; d < from->rank; ++d) {
    MlirAffineExpr expr = mlirAffineMapGetResult(parts->map, d);
    expr = xlaPositionSimplify(stage, xlaExprReplace(expr, dims, symbols));
    if (!expr.ptr || overflows(xlaPositionRange(stage, expr)))
      return XlaReachFailed;
    xlaIndexAppendExpr(index, expr);
  }
  specialize(stage, from, index);
  if (conditions.reach == XlaReachSometimes && stage->block.ptr)
    *inside = emitConditions(stage, &conditions);
  return conditions.reach;
}

static bool isEmpty(const XlaShape *shape) {
  int64_t count = 0;
  return xlaShapeGetElementCount(shape, &count) && !count;
}

XlaReach xlaStageReach(XlaStage *stage, MlirOperation op, intptr_t operand,
                       const XlaIndex *result, XlaIndex *index,
                       MlirValue *inside) {
  XlaIndexingMaps maps;
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape from = xlaKernelShapeOf(mlirOperationGetOperand(op, operand));
  XlaShape to = xlaKernelShapeOf(mlirOperationGetResult(op, 0));
  if (isEmpty(&from))
    return XlaReachNever;
  bool isPlain = xlaIsInlined(op) && xlaShapeDimsEqual(&from, &to);
  if (isPlain || kind == XlaOpKindMap || kind == XlaOpKindBitcastConvert) {
    *index = *result;
    return isPlain ? XlaReachAlways : fail(stage, op, operand);
  }
  XlaOpMaps known = xlaOpGetOperandMaps(op, 0, operand, &maps);
  if (known == XlaOpMapsNoMemory)
    xlaKernelNoMemory(stage->kernel);
  XlaReach reach = XlaReachFailed;
  if (known == XlaOpMapsKnown && kind == XlaOpKindPad &&
      (!maps.n || xlaIndexingMapIsKnownEmpty(maps.maps[0])))
    reach = XlaReachNever; // all of it is cut off
  else if (known == XlaOpMapsKnown && maps.n == 1)
    reach = apply(stage, xlaIndexingMapGetParts(maps.maps[0]), &to, result,
                  &from, index, inside);
  xlaIndexingMapsFree(&maps);
  return reach == XlaReachFailed ? fail(stage, op, operand) : reach;
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

/// offset + sum of strides * atoms + sum of factors * starts; atoms in order.
typedef struct Line {
  int64_t offset;
  int n, nStarts;
  int atoms[XLA_MAX_RANK];
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
    int atom = (int)mlirAffineDimExprGetPosition(term), i = line->n++;
    for (; i > 0 && line->atoms[i - 1] > atom; --i) {
      line->atoms[i] = line->atoms[i - 1];
      line->strides[i] = line->strides[i - 1];
    }
    line->atoms[i] = atom;
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

/// Reads a view. Its dimensions are the atoms of `line`.
static MlirValue readView(XlaStage *stage, MlirValue memref, const Line *line) {
  XlaIr *ir = &stage->kernel->ir;
  int64_t sizes[XLA_MAX_RANK];
  MlirAffineExpr exprs[XLA_MAX_RANK];
  MlirValue start = {NULL};
  for (int i = 0; i < line->n; ++i) {
    sizes[i] = stage->space.sizes[line->atoms[i]];
    exprs[i] = mlirAffineDimExprGet(ir->context, line->atoms[i]);
  }
  if (line->nStarts)
    start = emitStart(stage->kernel, ir, line);
  MlirValue view = xlaKernelReinterpret(ir, memref, start, line->offset,
                                        line->n, sizes, line->strides);
  if (stage->isOutside)
    return xlaIrLoad(&stage->ir, view, 0, NULL);
  return xlaStageAddInput(
      stage, view,
      mlirAffineMapGet(ir->context, stage->space.nAtoms, 0, line->n, exprs));
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
  for (intptr_t i = n - 1; i >= 0; --i) {
    XlaIndex at;
    MlirValue inside = {NULL}, element = {NULL};
    MlirValue operand = mlirOperationGetOperand(op, i);
    XlaShape shape = xlaKernelShapeOf(operand);
    if (isEmpty(&shape))
      continue;
    XlaReach reach = xlaStageReach(stage, op, i, index, &at, &inside);
    if (reach == XlaReachFailed)
      return false;
    if (reach == XlaReachNever && (hasValue || hasOthers(op, i)))
      continue;
    if (!xlaStageRead(stage, operand, &at, &element))
      return false;
    if (stage->block.ptr)
      *scalar = hasValue && reach == XlaReachSometimes
                    ? xlaIrSelect(&stage->ir, inside, element, *scalar)
                    : element;
    hasValue = true;
    if (reach == XlaReachAlways)
      break;
  }
  return true;
}

static bool readPad(XlaStage *stage, MlirOperation op, const XlaIndex *index,
                    MlirValue *scalar) {
  XlaIndex at, none;
  MlirValue inside = {NULL}, padding = {NULL};
  XlaReach reach = xlaStageReach(stage, op, 0, index, &at, &inside);
  xlaIndexBegin(&none);
  if (reach == XlaReachFailed ||
      (reach != XlaReachNever &&
       !xlaStageRead(stage, mlirOperationGetOperand(op, 0), &at, scalar)))
    return false;
  if (reach == XlaReachAlways)
    return true;
  if (!xlaStageRead(stage, mlirOperationGetOperand(op, 1), &none, &padding))
    return false;
  if (stage->block.ptr)
    *scalar = reach == XlaReachNever
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

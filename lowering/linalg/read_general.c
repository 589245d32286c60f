//===- read_general.c - Reading values at general indices -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"
#include "xlac/lowering/linalg/generic.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/AffineMap.h"

#include <stdlib.h>
#include <string.h>

/// Operands of a concatenate that a small loop chooses from.
enum { maxChoices = 16 };

static MlirContext contextOf(const XlaGeneric *generic) {
  return mlirOperationGetContext(generic->kernel->op);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

/// The place in row-major order; null if it is beyond 64 bits.
static MlirAffineExpr flatten(XlaGeneric *generic, const XlaShape *shape,
                              const XlaIndex *index) {
  MlirContext context = contextOf(generic);
  MlirAffineExpr flat = mlirAffineConstantExprGet(context, 0);
  int64_t row = 1;
  for (int d = shape->rank - 1; d >= 0; row *= shape->dims[d--])
    flat = xlaExprAdd(
        flat,
        xlaExprScale(xlaIndexGetExpr(context, &generic->space, index, d), row));
  flat = xlaIndexExprSimplify(generic, flat);
  return !flat.ptr || xlaGenericIsOpen(xlaIndexExprRange(generic, flat))
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

static bool addTerm(const XlaGeneric *generic, MlirAffineExpr term,
                    Line *line) {
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
  const XlaIndexExprSymbol *symbol =
      &generic->exprs.symbols[mlirAffineSymbolExprGetPosition(term)];
  if (symbol->expr.ptr)
    return false;
  line->starts[line->nStarts] = symbol->start;
  line->factors[line->nStarts++] = factor;
  return true;
}

static bool lineOf(const XlaGeneric *generic, MlirAffineExpr expr, Line *line) {
  memset(line, 0, sizeof *line);
  for (; xlaExprGetKind(expr) == XlaExprKindAdd;
       expr = mlirAffineBinaryOpExprGetLHS(expr))
    if (!addTerm(generic, mlirAffineBinaryOpExprGetRHS(expr), line))
      return false;
  return addTerm(generic, expr, line);
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
static MlirValue viewOf(XlaGeneric *generic, MlirValue memref, const Line *line,
                        MlirAffineMap *map) {
  XlaIr *ir = &generic->kernel->ir;
  int64_t sizes[XLA_MAX_RANK];
  MlirAffineExpr exprs[XLA_MAX_RANK];
  MlirValue start = {NULL};
  for (int i = 0; i < line->n; ++i) {
    sizes[i] = generic->space.sizes[line->loops[i]];
    exprs[i] = mlirAffineDimExprGet(ir->context, line->loops[i]);
  }
  if (line->nStarts)
    start = emitStart(generic->kernel, ir, line);
  *map =
      mlirAffineMapGet(ir->context, generic->space.nLoops, 0, line->n, exprs);
  return xlaKernelReinterpret(ir, memref, start, line->offset, line->n, sizes,
                              line->strides);
}

MlirValue xlaGenericView(XlaGeneric *generic, MlirValue memref,
                         const XlaShape *shape, const XlaIndex *index,
                         MlirAffineMap *map) {
  Line line;
  if (!index->isGeneral)
    return xlaKernelView(&generic->kernel->ir, memref, shape, &generic->space,
                         index, (MlirValue){NULL}, map);
  MlirAffineExpr flat = flatten(generic, shape, index);
  return flat.ptr && lineOf(generic, flat, &line)
             ? viewOf(generic, memref, &line, map)
             : (MlirValue){NULL};
}

bool xlaGenericIsLinear(XlaGeneric *generic, const XlaShape *shape,
                        const XlaIndex *index) {
  Line line;
  for (int d = 0; d < shape->rank; ++d) {
    MlirAffineExpr at = xlaIndexExprSimplify(
        generic,
        xlaIndexGetExpr(contextOf(generic), &generic->space, index, d));
    if (!at.ptr || !xlaIntervalContains((XlaInterval){0, shape->dims[d] - 1},
                                        xlaIndexExprRange(generic, at)))
      return false;
  }
  MlirAffineExpr flat = flatten(generic, shape, index);
  return flat.ptr && lineOf(generic, flat, &line) && !line.nStarts;
}

static MlirValue readView(XlaGeneric *generic, MlirValue memref,
                          const Line *line) {
  MlirAffineMap map;
  MlirValue view = viewOf(generic, memref, line, &map);
  return generic->isOutside ? xlaIrLoad(&generic->ir, view, 0, NULL)
                            : xlaGenericAddInput(generic, view, map);
}

/// The place of element `flat`, or of some other one where it does not exist.
static MlirValue clamped(XlaGeneric *generic, MlirAffineExpr flat,
                         int64_t count) {
  XlaIr *ir = &generic->ir;
  XlaInterval range = xlaIndexExprRange(generic, flat);
  MlirValue place = xlaIndexExprEmit(generic, flat);
  MlirType type = mlirValueGetType(place);
  if (range.lower < 0)
    place =
        xlaIrBinary(ir, "arith.maxsi", place, xlaIrConstantInt(ir, type, 0));
  if (range.upper >= count)
    place = xlaIrBinary(ir, "arith.minsi", place,
                        xlaIrConstantInt(ir, type, count - 1));
  return xlaIrCast(ir, "arith.index_cast", place,
                   mlirIndexTypeGet(ir->context));
}

/// Loads element `flat`. Where it need not exist, a branch of affine around the
/// load takes longer than a clamp, which affine does not have.
static MlirValue load(XlaGeneric *generic, MlirValue memref,
                      MlirAffineExpr flat, int64_t count, bool isInside) {
  XlaIr *ir = &generic->ir;
  const int64_t one = 1;
  MlirType type = xlaIrElementType(mlirValueGetType(memref));
  MlirValue view = xlaKernelReinterpret(&generic->kernel->ir, memref,
                                        (MlirValue){NULL}, 0, 1, &count, &one);
  XlaAffineNest nest = {.context = ir->context};
  if (isInside && !generic->isOutside && !generic->isInLoops)
    return xlaAffineLoad(&nest, ir, type, view,
                         xlaIndexExprPlace(generic, &nest, flat));
  MlirValue place = clamped(generic, flat, count);
  return xlaIrLoad(ir, view, 1, &place);
}

bool xlaGenericReadGeneral(XlaGeneric *generic, MlirValue memref,
                           const XlaShape *shape, const XlaIndex *index,
                           MlirValue *scalar) {
  MlirAffineExpr flat = flatten(generic, shape, index);
  int64_t count = 0;
  Line line;
  xlaShapeGetElementCount(shape, &count);
  if (!flat.ptr) {
    xlaOpError(generic->kernel->op, NULL,
               "reads an element of %s at a position beyond 64 bits",
               XLA_SHAPE_TEXT(shape));
    return false;
  }
  if (!generic->block.ptr)
    return true;
  bool isInside = xlaIntervalContains((XlaInterval){0, count - 1},
                                      xlaIndexExprRange(generic, flat));
  bool isView = isInside && lineOf(generic, flat, &line) &&
                !(generic->isOutside && line.nStarts);
  MlirValue element = isView ? readView(generic, memref, &line)
                             : load(generic, memref, flat, count, isInside);
  if (mlirValueIsNull(element))
    return false;
  *scalar = xlaScalarFromMemory(&generic->ir, shape->elementType, element);
  return true;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// Whether the loops are to be cut in the middle of the operands that they
/// read. Few are left to choose from in small arrays, which devices with a
/// limit on buffers allow.
static bool cutsConcatenate(XlaGeneric *generic, MlirOperation op,
                            const XlaIndex *index) {
  int d = (int)xlaOpGetI64(op, "dimension", 0);
  MlirAffineExpr expr =
      xlaIndexGetExpr(contextOf(generic), &generic->space, index, d);
  XlaInterval range = xlaIndexExprRange(generic, expr);
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
        return generic->needsCut = xlaGenericFindCut(generic, &above);
      }
    }
    nInside = seen;
    if (wanted >= 0 || nInside < (generic->isSmall ? maxChoices : 1))
      return false;
  }
}

/// Whether an operand before operand `i` has elements.
static bool hasOthers(MlirOperation op, intptr_t i) {
  bool has = false;
  while (i-- > 0) {
    XlaShape shape = xlaKernelShapeOf(mlirOperationGetOperand(op, i));
    has |= !xlaGenericIsEmpty(&shape);
  }
  return has;
}

/// The last operand that may be read needs no condition. At a position that the
/// result does not have none may be: then any will do.
static bool readConcatenate(XlaGeneric *generic, MlirOperation op,
                            const XlaIndex *index, MlirValue *scalar) {
  intptr_t n = mlirOperationGetNumOperands(op);
  bool hasValue = false;
  if (generic->mayCut && cutsConcatenate(generic, op, index))
    return false;
  for (intptr_t i = n - 1; i >= 0; --i) {
    XlaIndex at;
    MlirValue inside = {NULL}, element = {NULL};
    MlirValue operand = mlirOperationGetOperand(op, i);
    XlaShape shape = xlaKernelShapeOf(operand);
    if (xlaGenericIsEmpty(&shape))
      continue;
    XlaGuard guard = xlaGenericGuard(generic, op, i, index, &at, &inside);
    if (guard == XlaGuardFailed)
      return false;
    if (guard == XlaGuardNever && (hasValue || hasOthers(op, i)))
      continue;
    if (!xlaGenericRead(generic, operand, &at, &element))
      return false;
    if (generic->block.ptr)
      *scalar = hasValue && guard == XlaGuardSometimes
                    ? xlaIrSelect(&generic->ir, inside, element, *scalar)
                    : element;
    hasValue = true;
    if (guard == XlaGuardAlways)
      break;
  }
  return true;
}

static bool readPad(XlaGeneric *generic, MlirOperation op,
                    const XlaIndex *index, MlirValue *scalar) {
  XlaIndex at, none;
  MlirValue inside = {NULL}, padding = {NULL};
  bool isPadding = xlaGenericIsPadding(generic, op);
  XlaGuard guard = isPadding
                       ? XlaGuardNever
                       : xlaGenericGuard(generic, op, 0, index, &at, &inside);
  xlaIndexBegin(&none);
  if (guard == XlaGuardFailed ||
      (guard != XlaGuardNever &&
       !xlaGenericRead(generic, mlirOperationGetOperand(op, 0), &at, scalar)))
    return false;
  if (guard == XlaGuardAlways)
    return true;
  if (!xlaGenericRead(generic, mlirOperationGetOperand(op, 1), &none, &padding))
    return false;
  if (generic->block.ptr)
    *scalar = guard == XlaGuardNever
                  ? padding
                  : xlaIrSelect(&generic->ir, inside, *scalar, padding);
  return true;
}

bool xlaGenericReadChoice(XlaGeneric *generic, MlirOperation op,
                          const XlaIndex *index, MlirValue *scalar) {
  return xlaOpGetKind(op) == XlaOpKindPad
             ? readPad(generic, op, index, scalar)
             : readConcatenate(generic, op, index, scalar);
}

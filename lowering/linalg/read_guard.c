//===- read_guard.c - Where operands are read -----------------------------===//
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

static MlirContext contextOf(const XlaGeneric *generic) {
  return mlirOperationGetContext(generic->kernel->op);
}

/// What needs another space is no error.
static XlaGuard fail(const XlaGeneric *generic, MlirOperation op,
                     intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (!generic->needsSplit && !generic->needsCut)
    xlaOpError(op, NULL,
               "cannot be computed inside a kernel from operand %lld of %s",
               (long long)operand, XLA_TYPE_TEXT(mlirValueGetType(value)));
  return XlaGuardFailed;
}

/// Conditions under which an element of the operand is read.
typedef struct Conditions {
  XlaGuard guard;
  int n;
  XlaIndexingConstraint all[4 * XLA_MAX_RANK];
} Conditions;

/// Of a quotient, and a constant, in `bounds`: what is divided, and its bounds.
static void takeQuotientApart(MlirAffineExpr *expr, XlaInterval *bounds) {
  MlirAffineExpr at = *expr;
  int64_t divisor, shift = 0;
  XlaInterval wide = *bounds;
  if (xlaExprGetKind(at) == XlaExprKindAdd &&
      xlaExprIsConstant(mlirAffineBinaryOpExprGetRHS(at), &shift))
    at = mlirAffineBinaryOpExprGetLHS(at);
  if (xlaExprIsBy(at, XlaExprKindFloorDiv, &at, &divisor) &&
      !__builtin_sub_overflow(wide.lower, shift, &wide.lower) &&
      !__builtin_sub_overflow(wide.upper, shift, &wide.upper) &&
      !__builtin_mul_overflow(wide.lower, divisor, &wide.lower) &&
      !__builtin_mul_overflow(wide.upper, divisor, &wide.upper) &&
      !__builtin_add_overflow(wide.upper, divisor - 1, &wide.upper)) {
    *expr = at;
    *bounds = wide;
  }
}

/// Adds that `expr`, of the generic, lies in `bounds`.
static void require(XlaGeneric *generic, MlirAffineExpr expr,
                    XlaInterval bounds, Conditions *conditions) {
  takeQuotientApart(&expr, &bounds);
  XlaInterval range = xlaIndexExprRange(generic, expr);
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
static bool needsCut(XlaGeneric *generic, const Conditions *conditions) {
  for (int i = 0; i < conditions->n && generic->mayCut && !generic->isSmall;
       ++i)
    if (xlaGenericFindCut(generic, &conditions->all[i]))
      return generic->needsCut = true;
  return false;
}

static MlirValue emitConditions(XlaGeneric *generic,
                                const Conditions *conditions) {
  MlirValue all = {NULL};
  for (int i = 0; i < conditions->n; ++i) {
    MlirValue one = xlaIndexExprEmitInside(generic, conditions->all[i].expr,
                                           conditions->all[i].bounds);
    all = i ? xlaIrBinary(&generic->ir, "arith.andi", all, one) : one;
  }
  return all;
}

/// A special form where all of the index is inside of `shape`.
static void specialize(XlaGeneric *generic, const XlaShape *shape,
                       XlaIndex *index) {
  for (int d = 0; d < index->rank; ++d) {
    XlaInterval range = xlaIndexExprRange(generic, index->exprs[d]);
    if (range.lower < 0 || range.upper >= shape->dims[d])
      return;
  }
  if (index->rank)
    xlaIndexSpecialize(&generic->space, index);
}

/// Appends a dimension to a general index; false where it is beyond 64 bits.
static bool append(XlaGeneric *generic, MlirAffineExpr expr, XlaIndex *index) {
  expr = xlaIndexExprSimplify(generic, expr);
  if (!expr.ptr || xlaGenericIsOpen(xlaIndexExprRange(generic, expr)))
    return false;
  xlaIndexAppendExpr(index, expr);
  return true;
}

/// Reads a condition as one that every `step`th iteration of a loop meets.
static bool findSteps(XlaGeneric *generic,
                      const XlaIndexingConstraint *condition,
                      XlaGenericLattice *lattice) {
  MlirAffineExpr lhs;
  int64_t step;
  XlaLinear sum;
  if (!xlaIntervalIsPoint(condition->bounds) ||
      !xlaExprIsBy(condition->expr, XlaExprKindMod, &lhs, &step) ||
      !xlaRulesSimplifyToSum(&generic->exprs.rules, lhs, &sum) || sum.n != 1 ||
      xlaExprGetKind(sum.terms[0].monomial) != XlaExprKindDim ||
      llabs(sum.terms[0].factor) != 1)
    return false;
  int loop = (int)mlirAffineDimExprGetPosition(sum.terms[0].monomial);
  int64_t first = xlaFloorMod(
      sum.terms[0].factor * (condition->bounds.lower - sum.constant), step);
  for (int i = 0; i < lattice->n; ++i)
    if (lattice->loops[i] == loop)
      return false;
  if (lattice->n == XLA_MAX_RANK || first >= generic->space.sizes[loop])
    return false;
  lattice->loops[lattice->n] = loop;
  lattice->first[lattice->n] = first;
  lattice->step[lattice->n++] = step;
  return true;
}

static bool hasPad(int n, const MlirOperation *pads, MlirOperation op) {
  for (int i = 0; i < n; ++i)
    if (mlirOperationEqual(pads[i], op))
      return true;
  return false;
}

bool xlaGenericIsPadding(const XlaGeneric *generic, MlirOperation op) {
  return hasPad(generic->pads.n, generic->pads.padding, op);
}

/// Whether the elements of pad `op` are to be written alone, after all else:
/// then it is padding for now. It is not where it is read at another index as
/// well, of which the iterations are others.
static bool isWrittenAlone(XlaGeneric *generic, MlirOperation op,
                           const Conditions *conditions) {
  XlaGenericPads *pads = &generic->pads;
  XlaGenericLattice lattice = {.n = 0};
  if (!generic->mayCut || generic->isSmall || generic->block.ptr ||
      pads->n == XLA_GENERIC_MAX_PADS || pads->nKept == XLA_GENERIC_MAX_PADS ||
      hasPad(pads->nKept, pads->kept, op))
    return false;
  for (int i = 0; i < conditions->n; ++i)
    if (!findSteps(generic, &conditions->all[i], &lattice))
      return false;
  if (xlaPointerMapGet(&generic->lastMemo, mlirOperationGetResult(op, 0).ptr)) {
    pads->kept[pads->nKept++] = op;
    generic->beginsAgain = true;
    return false;
  }
  if (!generic->pad.ptr) {
    generic->pad = op;
    generic->lattice = lattice;
  }
  return true;
}

/// Applies the map of an operation.
static XlaGuard apply(XlaGeneric *generic, MlirOperation op,
                      const XlaMapDraft *draft, const XlaIndex *result,
                      XlaIndex *index, MlirValue *inside) {
  MlirAffineExpr dims[XLA_MAX_RANK];
  Conditions conditions = {.guard = XlaGuardAlways};
  for (int d = 0; d < result->rank; ++d)
    dims[d] = xlaIndexGetExpr(contextOf(generic), &generic->space, result, d);
  for (intptr_t i = 0; i < draft->nConstraints; ++i) {
    MlirAffineExpr expr = xlaIndexExprSimplify(
        generic, xlaExprReplace(draft->constraints[i].expr, dims, NULL));
    if (!expr.ptr)
      return XlaGuardFailed;
    require(generic, expr, draft->constraints[i].bounds, &conditions);
  }
  for (intptr_t d = 0; d < draft->nResults; ++d)
    if (!append(generic, xlaExprReplace(draft->results[d], dims, NULL), index))
      return XlaGuardFailed;
  if (conditions.guard == XlaGuardSometimes && needsCut(generic, &conditions))
    return XlaGuardFailed;
  if (conditions.guard == XlaGuardSometimes &&
      isWrittenAlone(generic, op, &conditions))
    return XlaGuardNever;
  if (conditions.guard == XlaGuardSometimes && generic->block.ptr)
    *inside = emitConditions(generic, &conditions);
  return conditions.guard;
}

static XlaGuard guardDynamicSlice(XlaGeneric *generic, MlirOperation op,
                                  const XlaShape *from, const XlaShape *to,
                                  const XlaIndex *result, XlaIndex *index) {
  for (int d = 0; d < from->rank; ++d) {
    MlirValue start = mlirOperationGetOperand(op, 1);
    XlaShape starts = xlaKernelShapeOf(start); // a vector, or one scalar each
    if (!starts.rank)
      start = mlirOperationGetOperand(op, 1 + d);
    MlirAffineExpr at =
        xlaIndexGetExpr(contextOf(generic), &generic->space, result, d);
    int64_t most = from->dims[d] - to->dims[d];
    MlirAffineExpr symbol =
        most ? xlaIndexExprStart(generic, start, starts.rank ? d : -1, most)
             : mlirAffineConstantExprGet(contextOf(generic), 0);
    if (!symbol.ptr || !append(generic, xlaExprAdd(at, symbol), index))
      return XlaGuardFailed;
  }
  return XlaGuardAlways;
}

/// Operations whose map depends on nothing but their attributes.
static XlaGuard guardByMap(XlaGeneric *generic, MlirOperation op,
                           intptr_t operand, const XlaShape *from,
                           const XlaShape *to, const XlaIndex *result,
                           XlaIndex *index, MlirValue *inside) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaOperandMapHook map = xlaIsInlined(op) ? xlaElementwiseMap : xlaMovementMap;
  XlaGuard guard = XlaGuardFailed;
  XlaMapDraft *draft = malloc(sizeof *draft);
  if (!draft) {
    xlaKernelNoMemory(generic->kernel);
    return guard;
  }
  xlaMapDraftInit(draft, contextOf(generic), to);
  if (map(op, kind, 0, operand, from, draft))
    guard = apply(generic, op, draft, result, index, inside);
  free(draft);
  return guard;
}

bool xlaGenericIsEmpty(const XlaShape *shape) {
  int64_t count = 0;
  return xlaShapeGetElementCount(shape, &count) && !count;
}

XlaGuard xlaGenericGuard(XlaGeneric *generic, MlirOperation op,
                         intptr_t operand, const XlaIndex *result,
                         XlaIndex *index, MlirValue *inside) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape from = xlaKernelShapeOf(mlirOperationGetOperand(op, operand));
  XlaShape to = xlaKernelShapeOf(mlirOperationGetResult(op, 0));
  xlaIndexBegin(index);
  if (xlaGenericIsEmpty(&from)) {
    for (int d = 0; d < from.rank; ++d)
      xlaIndexAppendZero(index);
    return XlaGuardNever;
  }
  bool isPlain = xlaIsInlined(op) && xlaShapeDimsEqual(&from, &to);
  if (isPlain || kind == XlaOpKindMap || kind == XlaOpKindBitcastConvert) {
    *index = *result;
    return isPlain ? XlaGuardAlways : fail(generic, op, operand);
  }
  XlaGuard guard =
      kind == XlaOpKindDynamicSlice
          ? guardDynamicSlice(generic, op, &from, &to, result, index)
          : guardByMap(generic, op, operand, &from, &to, result, index, inside);
  if (guard == XlaGuardFailed)
    return fail(generic, op, operand);
  if (guard == XlaGuardNever)
    return guard;
  specialize(generic, &from, index);
  return !result->isGeneral && xlaGenericNeedsSpace(generic, index)
             ? XlaGuardFailed
             : guard;
}

//===- reduce.c - Rules on reductions -------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/arrays.h"
#include "xlac/passes/simplify/algebra/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A reduction of one array by one operation of two scalars.
typedef struct Reduction {
  XlaOpKind kind;
  MlirValue operand, init;
  XlaShape from, to;
  uint32_t reduced;   ///< a bit a dimension
  bool startsNeutral; ///< the init value changes nothing
} Reduction;

static bool readReduction(MlirOperation op, Reduction *r) {
  XlaI64List dims;
  AlgebraSplat init;
  XlaScalar neutral;
  if (mlirOperationGetNumOperands(op) != 2)
    return false;
  *r =
      (Reduction){.kind = xlaRegionGetOnly(mlirOperationGetRegion(op, 0), NULL),
                  .operand = mlirOperationGetOperand(op, 0),
                  .init = mlirOperationGetOperand(op, 1)};
  // Accumulators may be wider than elements: not here.
  if (r->kind == XlaOpKindInvalid || !xlaAlgebraShape(r->operand, &r->from) ||
      !xlaAlgebraShape(mlirOperationGetResult(op, 0), &r->to) ||
      r->from.elementType != r->to.elementType ||
      !xlaOpGetList(op, "dimensions", &dims))
    return false;
  for (int i = 0; i < dims.size; ++i)
    r->reduced |= 1u << dims.values[i];
  r->startsNeutral = xlaAlgebraNeutral(r->kind, r->to.elementType, &neutral) &&
                     xlaAlgebraIsSplat(r->init, &init) &&
                     init.type == r->to.elementType &&
                     xlaAlgebraSame(init.type, init.value, neutral);
  return true;
}

/// Whether elements may be combined in any order and grouping. A reduction that
/// has a neutral element is one of seven operations.
static bool regroups(const Reduction *r) {
  return !xlaElementTypeIsFloat(r->to.elementType) ||
         r->kind == XlaOpKindMaximum || r->kind == XlaOpKindMinimum;
}

bool xlaAlgebraIsSumFrom0(MlirOperation op) {
  Reduction r;
  AlgebraSplat init;
  return readReduction(op, &r) && r.kind == XlaOpKindAdd &&
         xlaElementTypeGetInfo(r.to.elementType)->typeClass ==
             XlaTypeClassFloat &&
         xlaAlgebraIsSplat(r.init, &init) && init.value.f.re == 0 &&
         !signbit(init.value.f.re);
}

bool xlaAlgebraReduceReduce(XlaIr *ir, MlirOperation op, MlirValue *results) {
  Reduction outer, inner;
  if (!readReduction(op, &outer))
    return false;
  MlirOperation before = xlaAlgebraDefinedBy(outer.operand, XlaOpKindReduce);
  if (mlirOperationIsNull(before) || !readReduction(before, &inner) ||
      inner.kind != outer.kind || !inner.startsNeutral || !regroups(&inner) ||
      !xlaIrHasOneUse(outer.operand))
    return false;
  int64_t dims[XLA_MAX_RANK];
  int n = 0, kept = 0;
  for (int d = 0; d < inner.from.rank; ++d) {
    bool isInner = inner.reduced >> d & 1;
    if (isInner || outer.reduced >> kept & 1)
      dims[n++] = d;
    kept += !isInner;
  }
  MlirOperation merged = mlirOperationClone(op);
  mlirOperationSetOperand(merged, 0, inner.operand);
  mlirOperationSetAttributeByName(merged,
                                  mlirStringRefCreateFromCString("dimensions"),
                                  mlirDenseI64ArrayGet(ir->context, n, dims));
  mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, merged);
  results[0] = mlirOperationGetResult(merged, 0);
  return true;
}

/// Whether each result is of one element.
static bool isOfOne(const Reduction *r) {
  for (int d = 0; d < r->from.rank; ++d)
    if (r->reduced >> d & 1 && r->from.dims[d] != 1)
      return false;
  return true;
}

bool xlaAlgebraReduceNothing(XlaIr *ir, MlirOperation op, MlirValue *results) {
  Reduction r;
  if (!readReduction(op, &r) || !r.startsNeutral || !isOfOne(&r))
    return false;
  results[0] = xlaArrayReshape(ir, r.operand, r.to.rank, r.to.dims);
  return true;
}

bool xlaAlgebraReduceOnce(XlaIr *ir, MlirOperation op, MlirValue *results) {
  Reduction r;
  XlaScalar neutral;
  if (!readReduction(op, &r) || !isOfOne(&r) ||
      !xlaAlgebraNeutral(r.kind, r.to.elementType, &neutral))
    return false;
  char name[64];
  snprintf(name, sizeof name, "xla.%s", xlaOpGetInfo(r.kind)->name);
  MlirValue init =
      xlaIrOp(ir, "xla.broadcast_in_dim", xlaShapeToMlir(&r.to, ir->context), 1,
              &r.init, 1,
              &(XlaIrAttr){"broadcast_dimensions",
                           mlirDenseI64ArrayGet(ir->context, 0, NULL)});
  results[0] = xlaIrBinary(
      ir, name, init, xlaArrayReshape(ir, r.operand, r.to.rank, r.to.dims));
  return true;
}

/// If equal elements lie along all reduced dimensions: what the result would be
/// of a reduction of one of them, and how many there are. Null otherwise.
static MlirValue withoutCopies(XlaIr *ir, const Reduction *r, int64_t *count) {
  MlirValue none = {NULL};
  XlaI64List dims;
  AlgebraSplat splat;
  XlaShape from;
  *count = 1;
  for (int d = 0; d < r->from.rank; ++d)
    if (r->reduced >> d & 1 &&
        (__builtin_mul_overflow(*count, r->from.dims[d], count) || !*count))
      return none;
  if (xlaAlgebraIsSplat(r->operand, &splat))
    return xlaAlgebraRepeat(ir, &r->to, &splat);
  MlirOperation op = xlaAlgebraDefinedBy(r->operand, XlaOpKindBroadcastInDim);
  if (mlirOperationIsNull(op) ||
      !xlaAlgebraShape(mlirOperationGetOperand(op, 0), &from) ||
      !xlaOpGetList(op, "broadcast_dimensions", &dims))
    return none;
  int64_t position[XLA_MAX_RANK];
  for (int d = 0, kept = 0; d < r->from.rank; ++d) {
    position[d] = kept;
    kept += !(r->reduced >> d & 1);
  }
  bool inPlace = dims.size == r->to.rank;
  for (int i = 0; i < dims.size; ++i) {
    if (r->reduced >> dims.values[i] & 1)
      return none;
    dims.values[i] = position[dims.values[i]];
    inPlace = inPlace && dims.values[i] == i;
  }
  if (inPlace && xlaShapeDimsEqual(&from, &r->to))
    return mlirOperationGetOperand(op, 0);
  return xlaIrOp(
      ir, "xla.broadcast_in_dim", xlaShapeToMlir(&r->to, ir->context), 1,
      (MlirValue[]){mlirOperationGetOperand(op, 0)}, 1,
      &(XlaIrAttr){"broadcast_dimensions",
                   mlirDenseI64ArrayGet(ir->context, dims.size, dims.values)});
}

bool xlaAlgebraReduceBroadcast(XlaIr *ir, MlirOperation op,
                               MlirValue *results) {
  Reduction r;
  int64_t count;
  if (!readReduction(op, &r) || !r.startsNeutral ||
      (r.kind != XlaOpKindMaximum && r.kind != XlaOpKindMinimum &&
       r.kind != XlaOpKindAnd && r.kind != XlaOpKindOr))
    return false;
  results[0] = withoutCopies(ir, &r, &count);
  return !mlirValueIsNull(results[0]);
}

bool xlaAlgebraReduceRepeated(XlaIr *ir, MlirOperation op, MlirValue *results) {
  Reduction r;
  int64_t count;
  if (!readReduction(op, &r) || !r.startsNeutral || r.kind != XlaOpKindAdd)
    return false;
  MlirValue one = withoutCopies(ir, &r, &count);
  if (mlirValueIsNull(one))
    return false;
  AlgebraSplat times = {
      r.to.elementType,
      xlaScalarRound(r.to.elementType, (XlaScalar){.s = count})};
  MlirValue factor = xlaAlgebraRepeat(ir, &r.to, &times);
  if (mlirValueIsNull(factor))
    return false;
  results[0] = xlaIrBinary(ir, "xla.multiply", one, factor);
  return true;
}

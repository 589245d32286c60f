//===- arrays.c - Rules on arrays and matrix products ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/arrays.h"
#include "xlac/dialect/interpret/scalar/op.h"
#include "xlac/dialect/ops/dot.h"
#include "xlac/passes/simplify/algebra/internal.h"

#include <string.h>

static bool resultShape(MlirOperation op, XlaShape *shape) {
  return xlaAlgebraShape(mlirOperationGetResult(op, 0), shape);
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

bool xlaAlgebraFoldRepeated(XlaIr *ir, MlirOperation op, MlirValue *results) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape shape;
  XlaScalar x[3];
  AlgebraSplat splat = {XlaElementTypeInvalid, {0}};
  XlaElementType first = XlaElementTypeInvalid;
  intptr_t n = mlirOperationGetNumOperands(op);
  // A selection keeps the bits of NaN, which elements as numbers do not have.
  if (kind == XlaOpKindSelect || !resultShape(op, &shape))
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    if (!xlaAlgebraIsSplat(mlirOperationGetOperand(op, i), &splat))
      return false;
    x[i] = splat.value;
    first = i ? first : splat.type;
  }
  XlaScalarOp scalar = xlaScalarOpGet(op, kind, first, shape.elementType);
  splat = (AlgebraSplat){
      shape.elementType,
      xlaScalarRound(shape.elementType, xlaScalarOpApply(&scalar, x))};
  results[0] = xlaAlgebraRepeat(ir, &shape, &splat);
  return !mlirValueIsNull(results[0]);
}

bool xlaAlgebraSwapConstant(XlaIr *ir, MlirOperation op, MlirValue *results) {
  AlgebraSplat splat;
  XlaOpKind kind = xlaOpGetKind(op);
  if (!(xlaOpGetInfo(kind)->traits & MlirExtOpTraitCommutative) ||
      !xlaAlgebraIsSplat(mlirOperationGetOperand(op, 0), &splat) ||
      xlaAlgebraIsSplat(mlirOperationGetOperand(op, 1), &splat))
    return false;
  MlirOperation swapped = mlirOperationClone(op);
  mlirOperationSetOperand(swapped, 0, mlirOperationGetOperand(op, 1));
  mlirOperationSetOperand(swapped, 1, mlirOperationGetOperand(op, 0));
  mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, swapped);
  results[0] = mlirOperationGetResult(swapped, 0);
  return true;
}

/// Operands that are broadcast, all from the same dimensions to the same.
typedef struct Alike {
  XlaShape from;
  XlaI64List dims;
  bool any;
} Alike;

static bool isAlike(Alike *alike, MlirValue operand, const XlaShape *to) {
  AlgebraSplat splat;
  XlaShape shape, from;
  XlaI64List dims;
  if (xlaAlgebraIsSplat(operand, &splat))
    return true;
  MlirOperation op = xlaAlgebraDefinedBy(operand, XlaOpKindBroadcastInDim);
  if (mlirOperationIsNull(op) || !xlaAlgebraShape(operand, &shape) ||
      !xlaShapeDimsEqual(&shape, to) ||
      !xlaAlgebraShape(mlirOperationGetOperand(op, 0), &from) ||
      !xlaOpGetList(op, "broadcast_dimensions", &dims))
    return false;
  if (!alike->any) {
    *alike = (Alike){from, dims, true};
    return true;
  }
  return xlaShapeDimsEqual(&alike->from, &from) &&
         !memcmp(alike->dims.values, dims.values,
                 (size_t)dims.size * sizeof *dims.values);
}

bool xlaAlgebraSinkBroadcast(XlaIr *ir, MlirOperation op, MlirValue *results) {
  XlaShape shape;
  Alike alike = {.any = false};
  int64_t before, after;
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!resultShape(op, &shape) ||
      !mlirAttributeIsNull(xlaOpGetAttr(op, "broadcast_dimensions")))
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!isAlike(&alike, mlirOperationGetOperand(op, i), &shape))
      return false;
  if (!alike.any || !xlaShapeGetElementCount(&alike.from, &before) ||
      !xlaShapeGetElementCount(&shape, &after) || !before || after / 2 < before)
    return false;
  MlirOperation small = mlirOperationClone(op);
  for (intptr_t i = 0; i < n; ++i) {
    AlgebraSplat splat;
    MlirValue operand = mlirOperationGetOperand(op, i);
    operand = xlaAlgebraIsSplat(operand, &splat)
                  ? xlaAlgebraRepeat(ir, &alike.from, &splat)
                  : mlirOperationGetOperand(mlirOpResultGetOwner(operand), 0);
    mlirOperationSetOperand(small, i, operand);
  }
  alike.from.elementType = shape.elementType;
  MlirValue value = mlirOperationGetResult(small, 0);
  mlirValueSetType(value, xlaShapeToMlir(&alike.from, ir->context));
  mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, small);
  results[0] =
      xlaArrayBroadcast(ir, value, shape.rank, shape.dims, alike.dims.values);
  return true;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// The number of terms that an element of the result adds up; -1 if it is not
/// an array without a layout.
static int64_t termsOf(MlirOperation op, const XlaDotDimensions *dims) {
  XlaShape lhs;
  int64_t terms = 1;
  if (!xlaAlgebraShape(mlirOperationGetOperand(op, 0), &lhs))
    return -1;
  for (int i = 0; i < dims->lhs.contracting.size; ++i)
    if (__builtin_mul_overflow(terms, lhs.dims[dims->lhs.contracting.values[i]],
                               &terms))
      return -1;
  return terms;
}

bool xlaAlgebraDotEmpty(XlaIr *ir, MlirOperation op, MlirValue *results) {
  XlaDotDimensions dims;
  XlaShape shape;
  AlgebraSplat zero;
  if (!resultShape(op, &shape))
    return false;
  xlaDotGetDimensions(op, &dims);
  zero.type = shape.elementType;
  if (termsOf(op, &dims) != 0 ||
      !xlaAlgebraNumber(AlgebraNumberZero, zero.type, &zero.value))
    return false;
  results[0] = xlaAlgebraRepeat(ir, &shape, &zero);
  return !mlirValueIsNull(results[0]);
}

bool xlaAlgebraDotOuter(XlaIr *ir, MlirOperation op, MlirValue *results) {
  XlaDotDimensions dims;
  XlaShape shape, lhs, rhs;
  if (!resultShape(op, &shape) ||
      !xlaAlgebraShape(mlirOperationGetOperand(op, 0), &lhs) ||
      !xlaAlgebraShape(mlirOperationGetOperand(op, 1), &rhs) ||
      lhs.elementType != shape.elementType ||
      rhs.elementType != shape.elementType)
    return false;
  xlaDotGetDimensions(op, &dims);
  if (termsOf(op, &dims) != 1)
    return false;
  results[0] = xlaArrayDotOuter(ir, op);
  return true;
}

/// Dimensions of a transpose's operand for those of its result.
static XlaI64List through(const XlaI64List *dims,
                          const XlaI64List *permutation) {
  XlaI64List list = *dims;
  for (int i = 0; i < list.size; ++i)
    list.values[i] = permutation->values[list.values[i]];
  return list;
}

static void setList(MlirOperation op, const char *name,
                    const XlaI64List *list) {
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString(name),
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), list->size,
                           list->values));
}

/// Whether dimensions follow each other, but for those of size 1.
static bool lieTogether(const XlaShape *shape, const XlaI64List *dims) {
  int64_t last = -1;
  for (int i = 0; i < dims->size; ++i) {
    int64_t d = dims->values[i];
    if (shape->dims[d] == 1)
      continue;
    if (d < last)
      return false;
    for (int64_t k = last + 1; last >= 0 && k < d; ++k)
      if (shape->dims[k] != 1)
        return false;
    last = d;
  }
  return true;
}

/// The transpose that gives operand `i`, if leaving it out keeps the order of
/// the free dimensions, and those that are summed over together; else null.
static MlirOperation transposeOf(MlirOperation op, intptr_t i,
                                 const XlaDotSide *side,
                                 XlaI64List *permutation) {
  MlirOperation none = {NULL};
  XlaShape shape, turned;
  MlirOperation transpose =
      xlaAlgebraDefinedBy(mlirOperationGetOperand(op, i), XlaOpKindTranspose);
  if (mlirOperationIsNull(transpose) ||
      !xlaAlgebraShape(mlirOperationGetOperand(transpose, 0), &shape) ||
      !xlaOpGetList(transpose, "permutation", permutation))
    return none;
  // Products have one loop for all of these.
  XlaI64List contracting = through(&side->contracting, permutation);
  if (!lieTogether(&shape, &contracting) &&
      xlaAlgebraShape(mlirOperationGetOperand(op, i), &turned) &&
      lieTogether(&turned, &side->contracting))
    return none;
  XlaI64List free = through(&side->free, permutation);
  for (int k = 1; k < free.size; ++k)
    if (free.values[k] < free.values[k - 1])
      return none;
  return transpose;
}

bool xlaAlgebraDotTranspose(XlaIr *ir, MlirOperation op, MlirValue *results) {
  static const char *const batching[] = {"lhs_batching_dimensions",
                                         "rhs_batching_dimensions"};
  static const char *const contracting[] = {"lhs_contracting_dimensions",
                                            "rhs_contracting_dimensions"};
  XlaDotDimensions dims;
  XlaShape shape;
  if (!resultShape(op, &shape))
    return false;
  xlaDotGetDimensions(op, &dims);
  for (intptr_t i = 0; i < 2; ++i) {
    const XlaDotSide *side = i ? &dims.rhs : &dims.lhs;
    XlaI64List permutation;
    MlirOperation transpose = transposeOf(op, i, side, &permutation);
    if (mlirOperationIsNull(transpose))
      continue;
    XlaI64List batch = through(&side->batch, &permutation);
    XlaI64List contracted = through(&side->contracting, &permutation);
    MlirOperation made = mlirOperationClone(op);
    mlirOperationSetOperand(made, i, mlirOperationGetOperand(transpose, 0));
    setList(made, batching[i], &batch);
    setList(made, contracting[i], &contracted);
    mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, made);
    results[0] = mlirOperationGetResult(made, 0);
    return true; // the other operand, when what was made is visited
  }
  return false;
}

/// Whether `permutation` puts the free dimensions of rhs before those of lhs.
static bool swapsSides(const XlaI64List *permutation, int batch, int lhs,
                       int rhs) {
  for (int i = 0; i < permutation->size; ++i)
    if (permutation->values[i] != (i < batch         ? i
                                   : i < batch + rhs ? i + lhs
                                                     : i - rhs))
      return false;
  return true;
}

static void swapAttributes(MlirOperation op, const char *lhs, const char *rhs) {
  MlirAttribute left = xlaOpGetAttr(op, lhs), right = xlaOpGetAttr(op, rhs);
  const char *names[] = {lhs, rhs};
  MlirAttribute values[] = {right, left};
  for (int i = 0; i < 2; ++i) {
    MlirStringRef name = mlirStringRefCreateFromCString(names[i]);
    if (mlirAttributeIsNull(values[i]))
      mlirOperationRemoveAttributeByName(op, name);
    else
      mlirOperationSetAttributeByName(op, name, values[i]);
  }
}

/// The precision of each operand, where that is told.
static void swapPrecisions(MlirOperation op) {
  MlirAttribute config = xlaOpGetAttr(op, "precision_config");
  if (mlirAttributeIsNull(config) || !mlirAttributeIsAArray(config) ||
      mlirArrayAttrGetNumElements(config) != 2)
    return;
  MlirAttribute swapped[] = {mlirArrayAttrGetElement(config, 1),
                             mlirArrayAttrGetElement(config, 0)};
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString("precision_config"),
      mlirArrayAttrGet(mlirOperationGetContext(op), 2, swapped));
}

bool xlaAlgebraTransposeDot(XlaIr *ir, MlirOperation op, MlirValue *results) {
  MlirValue product = mlirOperationGetOperand(op, 0);
  MlirOperation dot = xlaAlgebraDefinedBy(product, XlaOpKindDotGeneral);
  XlaDotDimensions dims;
  XlaI64List permutation;
  XlaShape shape;
  if (mlirOperationIsNull(dot) || !resultShape(op, &shape) ||
      !xlaAlgebraShape(product, &shape) || !xlaIrHasOneUse(product) ||
      !xlaOpGetList(op, "permutation", &permutation))
    return false;
  xlaDotGetDimensions(dot, &dims);
  if (!swapsSides(&permutation, dims.lhs.batch.size, dims.lhs.free.size,
                  dims.rhs.free.size))
    return false;
  MlirOperation made = mlirOperationClone(dot);
  mlirOperationSetOperand(made, 0, mlirOperationGetOperand(dot, 1));
  mlirOperationSetOperand(made, 1, mlirOperationGetOperand(dot, 0));
  swapAttributes(made, "lhs_batching_dimensions", "rhs_batching_dimensions");
  swapAttributes(made, "lhs_contracting_dimensions",
                 "rhs_contracting_dimensions");
  swapPrecisions(made);
  results[0] = mlirOperationGetResult(made, 0);
  mlirValueSetType(results[0], mlirValueGetType(mlirOperationGetResult(op, 0)));
  mlirBlockInsertOwnedOperationBefore(ir->block, ir->before, made);
  return true;
}

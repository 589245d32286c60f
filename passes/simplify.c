//===- simplify.c - Movement that moves nothing ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order: the operands of an operation have been simplified
// before it. Operations that lose all their users are left for others to
// delete, as what follows may still look through them.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/passes/legalize.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const MlirValue unchanged = {NULL};

static XlaShape shapeOf(MlirValue value) {
  XlaShape shape;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    shape.rank = -1;
  return shape;
}

/// Whether all values of `op` are arrays of static sizes without a layout: one
/// that stands in another's place then has its type.
static bool isPlain(MlirOperation op) {
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < nOperands + mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(
        i < nOperands ? mlirOperationGetOperand(op, i)
                      : mlirOperationGetResult(op, i - nOperands));
    XlaShape shape;
    if (!xlaShapeFromMlir(type, &shape, NULL) ||
        !mlirTypeEqual(type, xlaTypeWithoutLayout(type)))
      return false;
  }
  return true;
}

/// The operation of `kind` that defines `value`, or null.
static MlirOperation definedBy(MlirValue value, XlaOpKind kind) {
  if (mlirValueIsABlockArgument(value))
    return (MlirOperation){NULL};
  MlirOperation op = mlirOpResultGetOwner(value);
  return xlaOpGetKind(op) == kind && isPlain(op) ? op : (MlirOperation){NULL};
}

static XlaShape squeezed(const XlaShape *shape) {
  XlaShape result = {.elementType = shape->elementType};
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] != 1)
      result.dims[result.rank++] = shape->dims[i];
  return result;
}

/// Where dimension `d` goes when the ones before it lose size 1.
static int squeezedPosition(const XlaShape *shape, int64_t d) {
  int position = 0;
  for (int i = 0; i < d; ++i)
    position += shape->dims[i] != 1;
  return position;
}

static MlirAttribute listAttr(const XlaIr *ir, const XlaI64List *list) {
  return mlirDenseI64ArrayGet(ir->context, list->size, list->values);
}

//===----------------------------------------------------------------------===//
// Building simplified values
//===----------------------------------------------------------------------===//

/// The constant of `shape` that repeats the element of splat `value`, or null.
static MlirValue splat(XlaIr *ir, MlirValue value, const XlaShape *shape) {
  MlirOperation op = definedBy(value, XlaOpKindConstant);
  if (mlirOperationIsNull(op))
    return unchanged;
  MlirAttribute attr = xlaOpGetAttr(op, "value");
  int64_t count;
  if (!mlirAttributeIsADenseElements(attr) ||
      !mlirDenseElementsAttrIsSplat(attr) ||
      !xlaShapeGetElementCount(shape, &count) || !count)
    return unchanged;
  MlirType type = xlaShapeToMlir(shape, ir->context);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  MlirAttribute repeated =
      shape->elementType == XlaElementTypePred
          ? mlirDenseElementsAttrBoolSplatGet(
                type, mlirDenseElementsAttrGetBoolSplatValue(attr))
          : mlirDenseElementsAttrRawBufferGet(
                type, (size_t)info->bytes,
                mlirDenseElementsAttrGetRawData(attr));
  if (mlirAttributeIsNull(repeated))
    return unchanged;
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", repeated});
}

static MlirValue broadcast(XlaIr *ir, MlirValue value, const XlaShape *shape,
                           const XlaI64List *dims) {
  return xlaIrOp(ir, "xla.broadcast_in_dim", xlaShapeToMlir(shape, ir->context),
                 1, &value, 1,
                 &(XlaIrAttr){"broadcast_dimensions", listAttr(ir, dims)});
}

/// `value` in another shape of as many elements.
static MlirValue reshape(XlaIr *ir, MlirValue value, const XlaShape *shape) {
  XlaShape from = shapeOf(value);
  if (xlaShapeDimsEqual(&from, shape))
    return value;
  MlirOperation op = definedBy(value, XlaOpKindReshape);
  if (!mlirOperationIsNull(op))
    return reshape(ir, mlirOperationGetOperand(op, 0), shape);
  MlirValue constant = splat(ir, value, shape);
  if (!mlirValueIsNull(constant))
    return constant;
  op = definedBy(value, XlaOpKindBroadcastInDim);
  if (!mlirOperationIsNull(op) &&
      shapeOf(mlirOperationGetOperand(op, 0)).rank == 0)
    return broadcast(ir, mlirOperationGetOperand(op, 0), shape,
                     &(XlaI64List){.size = 0});
  return xlaIrCast(ir, "xla.reshape", value,
                   xlaShapeToMlir(shape, ir->context));
}

static MlirValue reshapeSqueezed(XlaIr *ir, MlirValue value) {
  XlaShape shape = shapeOf(value), to = squeezed(&shape);
  return reshape(ir, value, &to);
}

/// What a transpose of squeezed `value` gives; `permutation` is of its rank.
static MlirValue transpose(XlaIr *ir, MlirValue value, XlaI64List permutation) {
  MlirOperation op = definedBy(value, XlaOpKindTranspose);
  XlaI64List inner;
  if (!mlirOperationIsNull(op) && xlaOpGetList(op, "permutation", &inner)) {
    value = mlirOperationGetOperand(op, 0);
    for (int i = 0; i < permutation.size; ++i)
      permutation.values[i] = inner.values[permutation.values[i]];
  }
  XlaShape from = shapeOf(value), to = from;
  bool moves = false;
  for (int i = 0; i < permutation.size; ++i) {
    to.dims[i] = from.dims[permutation.values[i]];
    moves |= permutation.values[i] != i;
  }
  if (!moves)
    return value;
  return xlaIrOp(ir, "xla.transpose", xlaShapeToMlir(&to, ir->context), 1,
                 &value, 1,
                 &(XlaIrAttr){"permutation", listAttr(ir, &permutation)});
}

//===----------------------------------------------------------------------===//
// Rules: the value that takes the result's place, or `unchanged`
//===----------------------------------------------------------------------===//

static MlirValue simplifyReshape(MlirOperation op, XlaIr *ir) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  XlaShape to = shapeOf(mlirOperationGetResult(op, 0));
  MlirValue value = reshape(ir, operand, &to);
  MlirOperation made = definedBy(value, XlaOpKindReshape);
  if (mlirOperationIsNull(made) || mlirValueEqual(value, operand) ||
      !mlirValueEqual(mlirOperationGetOperand(made, 0), operand))
    return value;
  mlirOperationDestroy(made); // the same again
  return unchanged;
}

static MlirValue simplifyTranspose(MlirOperation op, XlaIr *ir) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  XlaShape from = shapeOf(operand), to = shapeOf(mlirOperationGetResult(op, 0));
  MlirValue constant = splat(ir, operand, &to);
  XlaI64List permutation, inner = {.size = 0};
  if (!mlirValueIsNull(constant))
    return constant;
  xlaOpGetList(op, "permutation", &permutation);
  bool moves = false;
  for (int i = 0; i < permutation.size; ++i)
    if (from.dims[permutation.values[i]] != 1)
      inner.values[inner.size++] =
          squeezedPosition(&from, permutation.values[i]);
  for (int i = 0; i < inner.size; ++i)
    moves |= inner.values[i] != i;
  MlirOperation before = definedBy(operand, XlaOpKindTranspose);
  if (moves && inner.size == from.rank && mlirOperationIsNull(before))
    return unchanged;
  return reshape(ir, transpose(ir, reshapeSqueezed(ir, operand), inner), &to);
}

static MlirValue simplifyIota(MlirOperation op, XlaIr *ir) {
  XlaShape to = shapeOf(mlirOperationGetResult(op, 0)), small = squeezed(&to);
  int64_t d = xlaOpGetI64(op, "iota_dimension", 0), count;
  if (small.rank == to.rank || !xlaShapeGetElementCount(&to, &count) || !count)
    return unchanged;
  MlirType type = xlaShapeToMlir(&small, ir->context);
  if (to.dims[d] == 1) {
    char bytes[16]; // not zeros in f8E8M0FNU
    xlaScalarStore(to.elementType, bytes, (XlaScalar){.f = {0, 0}});
    MlirAttribute zero = mlirDenseElementsAttrRawBufferGet(
        xlaShapeToMlir(&to, ir->context),
        (size_t)xlaElementTypeGetInfo(to.elementType)->bytes, bytes);
    if (mlirAttributeIsNull(zero))
      return unchanged;
    return xlaIrOp(ir, "xla.constant", xlaShapeToMlir(&to, ir->context), 0,
                   NULL, 1, &(XlaIrAttr){"value", zero});
  }
  XlaIrAttr attr = {"iota_dimension",
                    xlaIrI64Attr(ir->context, squeezedPosition(&to, d))};
  return reshape(ir, xlaIrOp(ir, "xla.iota", type, 0, NULL, 1, &attr), &to);
}

/// A broadcast from and to shapes without dimensions of size 1.
static MlirValue simplerBroadcast(XlaIr *ir, MlirValue value,
                                  const XlaShape *to, XlaI64List dims) {
  MlirOperation inner = definedBy(value, XlaOpKindBroadcastInDim);
  XlaI64List before;
  if (!mlirOperationIsNull(inner) &&
      xlaOpGetList(inner, "broadcast_dimensions", &before)) {
    XlaShape source = shapeOf(mlirOperationGetOperand(inner, 0));
    bool plain = true; // a size 1 may have been repeated
    for (int i = 0; i < source.rank; ++i)
      plain &= source.dims[i] != 1;
    if (plain) {
      value = mlirOperationGetOperand(inner, 0);
      for (int i = 0; i < before.size; ++i)
        before.values[i] = dims.values[before.values[i]];
      dims = before;
    }
  }
  MlirOperation iota = definedBy(value, XlaOpKindIota);
  if (!mlirOperationIsNull(iota)) {
    int64_t d = xlaOpGetI64(iota, "iota_dimension", 0);
    return xlaIrOp(ir, "xla.iota", xlaShapeToMlir(to, ir->context), 0, NULL, 1,
                   &(XlaIrAttr){"iota_dimension",
                                xlaIrI64Attr(ir->context, dims.values[d])});
  }
  if (dims.size != to->rank)
    return broadcast(ir, value, to, &dims);
  XlaI64List permutation = {.size = dims.size};
  for (int i = 0; i < dims.size; ++i)
    permutation.values[dims.values[i]] = i;
  return transpose(ir, value, permutation);
}

static MlirValue simplifyBroadcast(MlirOperation op, XlaIr *ir) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  XlaShape from = shapeOf(operand), to = shapeOf(mlirOperationGetResult(op, 0)),
           small = squeezed(&to);
  MlirValue constant = splat(ir, operand, &to);
  if (!mlirValueIsNull(constant))
    return constant;
  XlaI64List dims, kept = {.size = 0};
  xlaOpGetList(op, "broadcast_dimensions", &dims);
  for (int i = 0; i < dims.size; ++i)
    if (from.dims[i] != 1)
      kept.values[kept.size++] = squeezedPosition(&to, dims.values[i]);
  MlirOperation iota = definedBy(operand, XlaOpKindIota),
                inner = definedBy(operand, XlaOpKindBroadcastInDim);
  if (kept.size == from.rank && small.rank == to.rank && kept.size < to.rank &&
      mlirOperationIsNull(iota) && mlirOperationIsNull(inner))
    return unchanged;
  return reshape(
      ir, simplerBroadcast(ir, reshapeSqueezed(ir, operand), &small, kept),
      &to);
}

static bool isAll(const XlaI64List *list, int64_t value) {
  for (int i = 0; i < list->size; ++i)
    if (list->values[i] != value)
      return false;
  return true;
}

/// Operations that give their operand where types are equal and attributes say
/// so.
static MlirValue simplifySame(MlirOperation op, XlaOpKind kind) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  XlaShape from = shapeOf(operand), to = shapeOf(mlirOperationGetResult(op, 0));
  if (!mlirTypeEqual(mlirValueGetType(operand),
                     mlirValueGetType(mlirOperationGetResult(op, 0))))
    return unchanged;
  XlaI64List low, high, inner, dims;
  if (kind == XlaOpKindPad) {
    xlaOpGetList(op, "edge_padding_low", &low);
    xlaOpGetList(op, "edge_padding_high", &high);
    xlaOpGetList(op, "interior_padding", &inner);
    return isAll(&low, 0) && isAll(&high, 0) && isAll(&inner, 0) ? operand
                                                                 : unchanged;
  }
  if (kind == XlaOpKindReverse) {
    xlaOpGetList(op, "dimensions", &dims);
    for (int i = 0; i < dims.size; ++i)
      if (from.dims[dims.values[i]] > 1)
        return unchanged;
    return operand;
  }
  if (kind == XlaOpKindConcatenate)
    return mlirOperationGetNumOperands(op) == 1 ? operand : unchanged;
  if (kind == XlaOpKindDynamicUpdateSlice) {
    MlirValue update = mlirOperationGetOperand(op, 1);
    XlaShape all = shapeOf(update);
    return xlaShapeDimsEqual(&all, &to) ? update : unchanged;
  }
  return operand; // slices of everything, converts, bitcasts
}

//===----------------------------------------------------------------------===//
// Rules that change an operation
//===----------------------------------------------------------------------===//

/// After `op` got results without dimensions of size 1: users get the old
/// shape.
static void restoreShape(MlirOperation op, intptr_t index,
                         const XlaShape *small) {
  MlirValue result = mlirOperationGetResult(op, index);
  MlirType old = mlirValueGetType(result);
  XlaIr ir = xlaIrBefore(mlirOperationGetNextInBlock(op));
  ir.location = mlirOperationGetLocation(op);
  mlirValueSetType(result, xlaShapeToMlir(small, ir.context));
  MlirValue back = xlaIrCast(&ir, "xla.reshape", result, old);
  MlirOperation exception = mlirOpResultGetOwner(back);
  mlirValueReplaceAllUsesExcept(result, back, 1, &exception);
}

static void squeezeElementwise(MlirOperation op, XlaIr *ir) {
  XlaShape shape = shapeOf(mlirOperationGetResult(op, 0)),
           small = squeezed(&shape);
  if (shape.rank < 0 || small.rank == shape.rank)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    XlaShape operand = shapeOf(mlirOperationGetOperand(op, i));
    if (!xlaShapeDimsEqual(&operand, &shape))
      return;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(
        op, i, reshapeSqueezed(ir, mlirOperationGetOperand(op, i)));
  restoreShape(op, 0, &small);
}

/// A reduced dimension of size 1 counts for something only where it is the only
/// one reduced: the computation is then applied to the initial value.
static void squeezeReduce(MlirOperation op, XlaIr *ir) {
  XlaI64List dims, kept = {.size = 0};
  XlaShape shape = shapeOf(mlirOperationGetOperand(op, 0)), small = {.rank = 0};
  uint64_t reduced = 0;
  bool real = false;
  xlaOpGetList(op, "dimensions", &dims);
  for (int i = 0; i < dims.size; ++i) {
    reduced |= UINT64_C(1) << dims.values[i];
    real |= shape.dims[dims.values[i]] != 1;
  }
  for (int d = 0; d < shape.rank; ++d) {
    bool isReduced = reduced >> d & 1;
    if (shape.dims[d] == 1 && !(isReduced && !real && !kept.size))
      continue;
    if (isReduced)
      kept.values[kept.size++] = small.rank;
    small.dims[small.rank++] = shape.dims[d];
  }
  if (small.rank == shape.rank)
    return;
  intptr_t n = mlirOperationGetNumOperands(op) / 2;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    small.elementType = shapeOf(operand).elementType;
    mlirOperationSetOperand(op, i, reshape(ir, operand, &small));
  }
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString("dimensions"), listAttr(ir, &kept));
  for (intptr_t i = n - 1; i >= 0; --i) {
    XlaShape result = shapeOf(mlirOperationGetResult(op, i));
    XlaShape squeezedResult = squeezed(&result);
    if (squeezedResult.rank != result.rank)
      restoreShape(op, i, &squeezedResult);
  }
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wswitch-enum"
static void simplify(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  XlaOpKind kind = xlaOpGetKind(op);
  MlirValue value = unchanged;
  switch (kind) {
  case XlaOpKindReshape:
    value = simplifyReshape(op, &ir);
    break;
  case XlaOpKindTranspose:
    value = simplifyTranspose(op, &ir);
    break;
  case XlaOpKindIota:
    value = simplifyIota(op, &ir);
    break;
  case XlaOpKindBroadcastInDim:
    value = simplifyBroadcast(op, &ir);
    break;
  case XlaOpKindBitcastConvert:
  case XlaOpKindConcatenate:
  case XlaOpKindPad:
  case XlaOpKindReverse:
  case XlaOpKindSlice:
  case XlaOpKindDynamicSlice:
  case XlaOpKindDynamicUpdateSlice:
    value = simplifySame(op, kind);
    break;
  case XlaOpKindReduce:
    squeezeReduce(op, &ir);
    break;
  default:
    if (kind == XlaOpKindConvert)
      value = simplifySame(op, kind);
    if (mlirValueIsNull(value) && kind != XlaOpKindInvalid &&
        !strcmp(xlaOpGetInfo(kind)->family, "Elementwise"))
      squeezeElementwise(op, &ir);
  }
  if (mlirValueIsNull(value))
    return;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
}
#pragma clang diagnostic pop

static void simplifyBlocks(MlirOperation parent) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation next;
      for (MlirOperation op = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        XlaOpKind kind = xlaOpGetKind(op);
        if (kind != XlaOpKindInvalid &&
            !strcmp(xlaOpGetInfo(kind)->family, "ControlFlow"))
          simplifyBlocks(op);
        else if (isPlain(op))
          simplify(op);
      }
    }
}

void xlaSimplify(MlirOperation function) { simplifyBlocks(function); }

//===- alias.c - Operations in terms of others ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/alias.h"

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/layout.h"
#include "xlac/dialect/result_internal.h"

static XlaShape shapeOf(MlirType type) {
  XlaShape shape = {.rank = 0};
  xlaShapeFromMlir(type, &shape, NULL);
  return shape;
}

static MlirValue reshape(XlaIr *ir, MlirValue x, const XlaShape *shape) {
  return xlaIrCast(ir, "xla.reshape", x, xlaShapeToMlir(shape, ir->context));
}

//===----------------------------------------------------------------------===//
// Bitcast
//===----------------------------------------------------------------------===//

/// Dimension i of the result is dimension `permutation[i]` of x.
static MlirValue transpose(XlaIr *ir, MlirValue x, const int64_t *permutation) {
  XlaShape shape = shapeOf(mlirValueGetType(x)), result = shape;
  for (int i = 0; i < shape.rank; ++i)
    result.dims[i] = shape.dims[permutation[i]];
  return xlaIrOp(
      ir, "xla.transpose", xlaShapeToMlir(&result, ir->context), 1, &x, 1,
      &(XlaIrAttr){"permutation",
                   mlirDenseI64ArrayGet(ir->context, shape.rank, permutation)});
}

/// One dimension of `elementType` elements with the bytes of x, row-major.
static MlirValue flatten(XlaIr *ir, MlirValue x, XlaElementType elementType) {
  XlaShape shape = shapeOf(mlirValueGetType(x));
  int from = xlaElementTypeGetInfo(shape.elementType)->bytes;
  int to = xlaElementTypeGetInfo(elementType)->bytes;
  XlaShape flat = {.elementType = shape.elementType, .rank = 1};
  xlaShapeGetElementCount(&shape, &flat.dims[0]);
  if (to > from) {
    flat.rank = 2;
    flat.dims[0] /= to / from;
    flat.dims[1] = to / from;
  }
  x = reshape(ir, x, &flat);
  if (elementType == shape.elementType)
    return x;
  flat.rank = from > to ? 2 : 1;
  flat.dims[1] = from / to;
  flat.elementType = elementType;
  return xlaIrCast(ir, "xla.bitcast_convert", x,
                   xlaShapeToMlir(&flat, ir->context));
}

static bool isPartOfByte(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->bits < 8;
}

static MlirLogicalResult expandBitcast(MlirOperation op, XlaIr *ir,
                                       MlirValue *result) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaLayout from = xlaLayoutFromMlir(mlirValueGetType(x));
  XlaLayout to = xlaLayoutFromMlir(type);
  XlaShape shape = shapeOf(type), physical = shape;
  int64_t major[XLA_MAX_RANK], back[XLA_MAX_RANK];
  if (from.padded || to.padded)
    return xlaOpUnsupported(
        op, NULL,
        "of a padded layout is not supported yet in compiled "
        "programs");
  const XlaShape given = shapeOf(mlirValueGetType(x));
  if (given.elementType != shape.elementType &&
      (isPartOfByte(given.elementType) || isPartOfByte(shape.elementType)))
    return xlaOpUnsupported(
        op, NULL,
        "of elements that do not fill their bytes is not supported yet in "
        "compiled programs");
  for (int i = 0; i < from.rank; ++i)
    major[i] = from.minorToMajor[from.rank - 1 - i];
  if (!xlaLayoutIsDefault(&from))
    x = transpose(ir, x, major);
  for (int i = 0; i < to.rank; ++i) {
    int64_t d = to.minorToMajor[to.rank - 1 - i];
    physical.dims[i] = shape.dims[d];
    back[d] = i;
  }
  x = reshape(ir, flatten(ir, x, shape.elementType), &physical);
  if (!xlaLayoutIsDefault(&to))
    x = transpose(ir, x, back);
  // Users see the type that the operation had.
  *result = xlaIrCast(ir, "xla.reshape", x, type);
  return success();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static MlirValue expandBroadcast(MlirOperation op, XlaIr *ir) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaShape operand = shapeOf(mlirValueGetType(x)), result = shapeOf(type);
  int64_t dimensions[XLA_MAX_RANK];
  for (int i = 0; i < operand.rank; ++i)
    dimensions[i] = result.rank - operand.rank + i;
  return xlaIrOp(ir, "xla.broadcast_in_dim", type, 1, &x, 1,
                 &(XlaIrAttr){"broadcast_dimensions",
                              mlirDenseI64ArrayGet(ir->context, operand.rank,
                                                   dimensions)});
}

MlirLogicalResult xlaAliasExpandOne(MlirOperation op) {
  XlaIr ir = xlaIrBefore(op);
  MlirValue result;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindBroadcast)
    result = expandBroadcast(op, &ir);
  else if (kind == XlaOpKindCollapse)
    result = xlaIrCast(&ir, "xla.reshape", mlirOperationGetOperand(op, 0),
                       mlirValueGetType(mlirOperationGetResult(op, 0)));
  else if (failed(expandBitcast(op, &ir, &result)))
    return failure();
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
  mlirOperationDestroy(op);
  return success();
}

/// Post-order, so that the operation may go.
static MlirWalkResult visit(MlirOperation op, void *data) {
  MlirLogicalResult *result = data;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind != XlaOpKindBroadcast && kind != XlaOpKindCollapse &&
      kind != XlaOpKindBitcast)
    return MlirWalkResultAdvance;
  // A collapse knows which dimensions it joins, a reshape guesses.
  if (kind == XlaOpKindCollapse &&
      xlaTypeIsDynamic(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return MlirWalkResultAdvance;
  *result = xlaAliasExpandOne(op);
  return failed(*result) ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult xlaAliasExpand(MlirOperation root) {
  MlirLogicalResult result = success();
  mlirOperationWalk(root, visit, &result, MlirWalkPostOrder);
  return result;
}

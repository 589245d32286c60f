//===- alias.c - Operations in terms of others ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/alias.h"

#include "xlac/dialect/ir.h"
#include "xlac/dialect/layout.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/result_internal.h"
#include "xlac/passes/arrays.h"
#include "xlac/passes/narrow/widen.h"

#include "mlir-c/BuiltinAttributes.h"

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

/// The type of bytes that elements of `type` are stored as, if they do not fill
/// them.
static XlaElementType bytesOf(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->bits < 8 && type != XlaElementTypePred
             ? xlaNarrowStored(type)
             : type;
}

/// Whether elements are taken for the bytes that they are stored as, or these
/// for them, and nothing else happens (passes/narrow).
static bool isStored(MlirOperation op) {
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaLayout layouts[2] = {xlaLayoutFromMlir(from), xlaLayoutFromMlir(to)};
  XlaShape a = shapeOf(from), b = shapeOf(to);
  return a.elementType != b.elementType && xlaShapeDimsEqual(&a, &b) &&
         xlaLayoutIsDefault(&layouts[0]) && xlaLayoutIsDefault(&layouts[1]) &&
         bytesOf(a.elementType) == bytesOf(b.elementType);
}

static MlirValue store(XlaIr *ir, MlirValue x, XlaElementType type) {
  XlaShape shape = shapeOf(mlirValueGetType(x));
  if (shape.elementType == type)
    return x;
  shape.elementType = type;
  return xlaIrCast(ir, "xla.bitcast", x, xlaShapeToMlir(&shape, ir->context));
}

/// A scalar of what padding holds; null without memory.
static MlirValue filler(XlaIr *ir, XlaPaddingValue value, XlaElementType type) {
  XlaShape scalar = {.elementType = type};
  XlaLiteral *literal = xlaLiteralCreateArray(&scalar);
  MlirAttribute attr = {NULL};
  if (literal) {
    xlaLiteralSet(literal, 0, xlaPaddingValueGetScalar(value, type));
    attr = xlaLiteralToAttribute(literal, ir->context);
  }
  xlaLiteralRelease(literal);
  if (mlirAttributeIsNull(attr))
    return (MlirValue){NULL};
  return xlaIrOp(ir, "xla.constant", xlaShapeToMlir(&scalar, ir->context), 0,
                 NULL, 1, &(XlaIrAttr){"value", attr});
}

/// The dimensions of `layout`'s memory, from the major one on: which of the
/// array's each is, and their sizes.
static XlaShape memoryOf(const XlaLayout *layout, const XlaShape *shape,
                         int64_t *dimensions) {
  XlaShape memory = *shape;
  for (int i = 0; i < shape->rank; ++i) {
    int64_t d = layout->minorToMajor[shape->rank - 1 - i];
    dimensions[i] = d;
    memory.dims[i] =
        layout->padded ? layout->paddedDimensions[d] : shape->dims[d];
  }
  return memory;
}

/// x with its dimensions as they lie in memory, and padding; null without
/// memory.
static MlirValue layOut(XlaIr *ir, MlirValue x, const XlaLayout *layout) {
  XlaShape shape = shapeOf(mlirValueGetType(x));
  int64_t major[XLA_MAX_RANK], none[XLA_MAX_RANK] = {0}, high[XLA_MAX_RANK];
  XlaShape memory = memoryOf(layout, &shape, major);
  if (!xlaLayoutIsDefault(layout))
    x = transpose(ir, x, major);
  if (!layout->padded)
    return x;
  MlirValue value = filler(ir, layout->paddingValue, shape.elementType);
  for (int i = 0; i < shape.rank; ++i)
    high[i] = memory.dims[i] - shape.dims[major[i]];
  return mlirValueIsNull(value) ? value
                                : xlaArrayPad(ir, x, value, none, high, none);
}

/// The elements of `shape` from memory that lies flat.
static MlirValue takeUp(XlaIr *ir, MlirValue x, const XlaShape *shape,
                        const XlaLayout *layout) {
  int64_t major[XLA_MAX_RANK], none[XLA_MAX_RANK] = {0}, back[XLA_MAX_RANK],
                               limits[XLA_MAX_RANK];
  XlaShape memory = memoryOf(layout, shape, major);
  memory.elementType = shapeOf(mlirValueGetType(x)).elementType;
  for (int i = 0; i < shape->rank; ++i) {
    back[major[i]] = i;
    limits[i] = shape->dims[major[i]];
  }
  x = reshape(ir, x, &memory);
  if (layout->padded)
    x = xlaArraySlice(ir, x, none, limits, NULL);
  return xlaLayoutIsDefault(layout) ? x : transpose(ir, x, back);
}

static MlirLogicalResult expandBitcast(MlirOperation op, XlaIr *ir,
                                       MlirValue *result) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  XlaLayout from = xlaLayoutFromMlir(mlirValueGetType(x));
  XlaLayout to = xlaLayoutFromMlir(type);
  XlaShape shape = shapeOf(type);
  XlaElementType given = shapeOf(mlirValueGetType(x)).elementType;
  x = layOut(ir, x, &from);
  if (mlirValueIsNull(x))
    return xlaOpNoMemory(op);
  if (given == shape.elementType) {
    x = flatten(ir, x, given);
  } else {
    x = flatten(ir, store(ir, x, bytesOf(given)), bytesOf(shape.elementType));
    x = store(ir, x, shape.elementType);
  }
  // Users see the type that the operation had.
  *result = xlaIrCast(ir, "xla.reshape", takeUp(ir, x, &shape, &to), type);
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
  if (kind == XlaOpKindBitcast && isStored(op))
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

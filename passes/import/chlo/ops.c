//===- ops.c - Operations of CHLO -----------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is no formula: bits, constants, broadcasts.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/chlo/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/arrays.h"

#include <stdio.h>
#include <string.h>

static bool equals(MlirStringRef a, const char *b) {
  return mlirStringRefEqual(a, mlirStringRefCreateFromCString(b));
}

static MlirValue binary(XlaIr *ir, const char *name, MlirValue a, MlirValue b) {
  return xlaIrBinary(ir, name, a, b);
}

static bool elementOf(MlirValue value, XlaElementType *type) {
  XlaShape shape;
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL))
    return false;
  *type = shape.elementType;
  return true;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static bool buildConj(XlaIr *ir, MlirValue x, MlirValue *result) {
  XlaElementType type;
  if (!elementOf(x, &type))
    return false;
  *result = x;
  if (!xlaElementTypeIsComplex(type))
    return xlaElementTypeIsFloat(type);
  XlaElementType part = xlaElementTypeReal(type);
  MlirValue parts[2] = {
      xlaArrayCast(ir, "xla.real", x, part),
      xlaIrUnary(ir, "xla.negate", xlaArrayCast(ir, "xla.imag", x, part))};
  *result =
      xlaIrOp(ir, "xla.complex", xlaTypeWithoutLayout(mlirValueGetType(x)), 2,
              parts, 0, NULL);
  return true;
}

/// is_inf, is_pos_inf and is_neg_inf: not finite, but equal to itself.
static bool buildIsInf(XlaIr *ir, MlirStringRef name, MlirValue x,
                       MlirValue *result) {
  XlaElementType type;
  bool positive = equals(name, "is_pos_inf");
  bool negative = equals(name, "is_neg_inf");
  if (!(equals(name, "is_inf") || positive || negative) ||
      !elementOf(x, &type) || !xlaElementTypeIsFloat(type))
    return false;
  MlirValue finite = xlaArrayCast(ir, "xla.is_finite", x, XlaElementTypePred);
  MlirValue is = binary(ir, "xla.and", xlaIrUnary(ir, "xla.not", finite),
                        xlaArrayCompare(ir, "EQ", x, x));
  MlirValue opposite = xlaIrUnary(ir, "xla.negate", x);
  if (positive || negative)
    is = binary(ir, "xla.and", is,
                xlaArrayCompare(ir, positive ? "GT" : "LT", x, opposite));
  *result = is;
  return true;
}

/// The elementwise operation of the dialect with that name, if it takes such
/// elements.
static bool buildNamed(XlaIr *ir, MlirStringRef name, MlirValue x,
                       MlirValue *result) {
  XlaOpKind kind = xlaOpKindFromName(name.data, name.length);
  const XlaOpInfo *info = xlaOpGetInfo(kind);
  XlaShape shape;
  if (info->family != XlaFamilyElementwise || info->maxOperands != 1 ||
      !xlaShapeFromMlirBounded(mlirValueGetType(x), &shape, NULL) ||
      !(info->typeClasses &
        xlaElementTypeGetInfo(shape.elementType)->typeClass))
    return false;
  char text[64];
  snprintf(text, sizeof text, "xla.%s", info->name);
  *result = xlaIrUnary(ir, text, x);
  return true;
}

static bool buildUnary(XlaIr *ir, MlirStringRef name, MlirValue x,
                       MlirValue *result) {
  if (equals(name, "conj"))
    return buildConj(ir, x, result);
  if (equals(name, "square")) {
    *result = binary(ir, "xla.multiply", x, x);
    return true;
  }
  return buildIsInf(ir, name, x, result) || buildNamed(ir, name, x, result) ||
         xlaChloBuildUnary(ir, name, x, result);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// The upper half of the product of 64-bit integers, from products of halves.
static MlirValue wideMulhi(XlaIr *ir, MlirValue x, MlirValue y, bool isSigned) {
  const char *shift = "xla.shift_right_logical";
  MlirValue a = xlaArrayCast(ir, "xla.bitcast_convert", x, XlaElementTypeU64);
  MlirValue b = xlaArrayCast(ir, "xla.bitcast_convert", y, XlaElementTypeU64);
  MlirValue mask = xlaArrayInteger(ir, a, UINT32_MAX),
            half = xlaArrayInteger(ir, a, 32);
  MlirValue al = binary(ir, "xla.and", a, mask),
            ah = binary(ir, shift, a, half);
  MlirValue bl = binary(ir, "xla.and", b, mask),
            bh = binary(ir, shift, b, half);
  MlirValue low = binary(ir, "xla.multiply", al, bl);
  MlirValue cross = binary(ir, "xla.multiply", ah, bl);
  cross = binary(ir, "xla.add", cross, binary(ir, shift, low, half));
  MlirValue other = binary(ir, "xla.multiply", al, bh);
  other = binary(ir, "xla.add", other, binary(ir, "xla.and", cross, mask));
  MlirValue high = binary(ir, "xla.multiply", ah, bh);
  high = binary(ir, "xla.add", high, binary(ir, shift, cross, half));
  high = binary(ir, "xla.add", high, binary(ir, shift, other, half));
  if (!isSigned)
    return high;
  // A negative number's bits stand for 2^64 more.
  MlirValue sign = xlaArrayInteger(ir, x, 63);
  MlirValue factors[2][2] = {{x, y}, {y, x}};
  for (int i = 0; i < 2; ++i) {
    MlirValue negative =
        binary(ir, "xla.shift_right_arithmetic", factors[i][0], sign);
    MlirValue excess = binary(ir, "xla.and", negative, factors[i][1]);
    high = binary(
        ir, "xla.subtract", high,
        xlaArrayCast(ir, "xla.bitcast_convert", excess, XlaElementTypeU64));
  }
  return xlaArrayCast(ir, "xla.bitcast_convert", high, XlaElementTypeS64);
}

static bool buildMulhi(XlaIr *ir, MlirValue x, MlirValue y, MlirValue *result) {
  XlaElementType type;
  if (!elementOf(x, &type) || !xlaElementTypeIsInteger(type))
    return false;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  if (info->bits == 64) {
    *result = wideMulhi(ir, x, y, isSigned);
    return true;
  }
  XlaElementType wide = xlaElementTypeOfBits(2 * info->bits, isSigned);
  MlirValue product =
      binary(ir, "xla.multiply", xlaArrayCast(ir, "xla.convert", x, wide),
             xlaArrayCast(ir, "xla.convert", y, wide));
  product = binary(ir, "xla.shift_right_logical", product,
                   xlaArrayInteger(ir, product, (uint64_t)info->bits));
  *result = xlaArrayCast(ir, "xla.convert", product, type);
  return true;
}

static bool buildBinary(XlaIr *ir, MlirStringRef name, MlirValue x, MlirValue y,
                        MlirValue *result) {
  if (!mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y)))
    return false;
  if (equals(name, "mulhi"))
    return buildMulhi(ir, x, y, result);
  if (equals(name, "next_after"))
    return xlaChloBuildNextAfter(ir, x, y, result);
  return xlaChloBuildBinary(ir, name, x, y, result);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

/// chlo.constant, and constant_like: a number in the operand's shape.
static bool buildConstant(XlaIr *ir, MlirOperation op, MlirStringRef name,
                          MlirType type, MlirValue *result) {
  MlirAttribute value = attribute(op, "value");
  XlaShape shape;
  if (mlirAttributeIsNull(value) || !xlaShapeFromMlir(type, &shape, NULL))
    return false;
  type = xlaTypeWithoutLayout(type);
  if (equals(name, "constant_like")) {
    if (!(mlirAttributeIsAFloat(value) || mlirAttributeIsAInteger(value)) ||
        !mlirTypeEqual(mlirAttributeGetType(value),
                       mlirShapedTypeGetElementType(type)))
      return false;
    value = mlirDenseElementsAttrSplatGet(type, value);
  }
  *result = xlaIrOp(ir, "xla.constant", type, 0, NULL, 1,
                    &(XlaIrAttr){"value", value});
  return true;
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

/// `value` in the shape of the result: its dimensions are the last ones of the
/// result, unless `dimensions` says where they are.
static bool broadcastTo(XlaIr *ir, MlirValue value, const XlaShape *result,
                        const XlaI64List *dimensions, MlirValue *broadcast) {
  XlaShape shape, target = *result;
  int64_t places[XLA_MAX_RANK];
  if (!xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL) ||
      shape.rank > result->rank)
    return false;
  target.elementType = shape.elementType;
  bool given = dimensions->size == shape.rank && shape.rank < result->rank;
  for (int d = 0; d < shape.rank; ++d)
    places[d] = given ? dimensions->values[d] : result->rank - shape.rank + d;
  *broadcast = value;
  if (!xlaShapeDimsEqual(&shape, &target))
    *broadcast = xlaIrOp(
        ir, "xla.broadcast_in_dim", xlaShapeToMlir(&target, ir->context), 1,
        &value, 1,
        &(XlaIrAttr){"broadcast_dimensions",
                     mlirDenseI64ArrayGet(ir->context, shape.rank, places)});
  return true;
}

static bool readDimensions(MlirOperation op, XlaI64List *list) {
  MlirAttribute value = attribute(op, "broadcast_dimensions");
  list->size = 0;
  if (mlirAttributeIsNull(value))
    return true;
  if (!mlirAttributeIsADenseI64Array(value) ||
      mlirDenseArrayGetNumElements(value) > XLA_MAX_LIST)
    return false;
  list->size = (int)mlirDenseArrayGetNumElements(value);
  for (int i = 0; i < list->size; ++i)
    list->values[i] = mlirDenseI64ArrayGetElement(value, i);
  return true;
}

/// The operation that chlo.broadcast_`name` is on operands of one shape.
static bool buildPlain(XlaIr *ir, MlirOperation op, MlirStringRef name,
                       intptr_t n, const MlirValue *operands,
                       MlirValue *result) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (n == 2 && buildBinary(ir, name, operands[0], operands[1], result))
    return true;
  XlaOpKind kind = xlaOpKindFromName(name.data, name.length);
  if (kind == XlaOpKindInvalid ||
      xlaOpGetInfo(kind)->family != XlaFamilyElementwise ||
      xlaOpGetInfo(kind)->minOperands != n)
    return false;
  XlaImportedAttrs attrs;
  if (xlaImportAttributes(op, xlaOpGetInfo(kind), &attrs) != XlaImportResultOk)
    return false;
  intptr_t kept = 0;
  for (intptr_t i = 0; i < attrs.count; ++i)
    if (strcmp(attrs.items[i].name, "broadcast_dimensions") != 0)
      attrs.items[kept++] = attrs.items[i];
  char text[64];
  snprintf(text, sizeof text, "xla.%s", xlaOpGetInfo(kind)->name);
  *result = xlaIrOp(ir, text, type, n, operands, kept, attrs.items);
  return true;
}

static bool buildBroadcast(XlaIr *ir, MlirOperation op, MlirStringRef name,
                           MlirValue *result) {
  XlaShape shape;
  XlaI64List dimensions;
  MlirValue operands[3];
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n < 2 || n > 3 || !readDimensions(op, &dimensions) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 0)), &shape,
                        NULL))
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!broadcastTo(ir, mlirOperationGetOperand(op, i), &shape, &dimensions,
                     &operands[i]))
      return false;
  return buildPlain(ir, op, name, n, operands, result);
}

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

/// Puts operations of xla in the place of chlo.`name`, if it can be written in
/// them; false if not.
static bool expand(MlirOperation op, MlirStringRef name) {
  static const char prefix[] = "broadcast_";
  const size_t length = sizeof prefix - 1;
  intptr_t n = mlirOperationGetNumOperands(op);
  if (equals(name, "top_k"))
    return xlaChloExpandTopK(op);
  if (mlirOperationGetNumResults(op) != 1)
    return false;
  XlaIr ir = xlaIrBefore(op);
  MlirValue result, old = mlirOperationGetResult(op, 0);
  bool done = false;
  if (name.length > length && !memcmp(name.data, prefix, length))
    done = buildBroadcast(
        &ir, op, mlirStringRefCreate(name.data + length, name.length - length),
        &result);
  else if (equals(name, "constant") || equals(name, "constant_like"))
    done = buildConstant(&ir, op, name, mlirValueGetType(old), &result);
  else if (n == 1)
    done = buildUnary(&ir, name, mlirOperationGetOperand(op, 0), &result);
  else if (n == 2)
    done = buildBinary(&ir, name, mlirOperationGetOperand(op, 0),
                       mlirOperationGetOperand(op, 1), &result);
  if (!done || !mlirTypeEqual(mlirValueGetType(result), mlirValueGetType(old)))
    return false;
  mlirValueReplaceAllUsesOfWith(old, result);
  mlirOperationDestroy(op);
  return true;
}

XlaImportResult xlaImportChlo(MlirOperation op) {
  static const char prefix[] = "chlo.";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  name.data += sizeof prefix - 1;
  name.length -= sizeof prefix - 1;
  if (expand(op, name))
    return XlaImportResultOk;
  xlaOpError(
      op, NULL, "is not supported yet%s%s",
      mlirOperationGetNumOperands(op) ? " for operands like " : "",
      mlirOperationGetNumOperands(op)
          ? XLA_TYPE_TEXT(mlirValueGetType(mlirOperationGetOperand(op, 0)))
          : "");
  return XlaImportResultUnsupported;
}

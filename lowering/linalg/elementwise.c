//===- elementwise.c - One element of an elementwise operation ------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/literal.h"
#include "xlac/lowering/linalg/scalar.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static MlirValue none(void) { return (MlirValue){NULL}; }

static XlaTypeClass classOf(XlaElementType type) {
  return xlaElementTypeGetInfo(type)->typeClass;
}

static bool isHalf(XlaElementType type) {
  return type == XlaElementTypeF16 || type == XlaElementTypeBF16;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

MlirType xlaScalarRegisterType(XlaElementType type, MlirContext context) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  switch (info->typeClass) {
  case XlaTypeClassPred:
    return mlirIntegerTypeGet(context, 1);
  case XlaTypeClassSigned:
  case XlaTypeClassUnsigned:
    return info->bits >= 8 ? mlirIntegerTypeGet(context, (unsigned)info->bits)
                           : (MlirType){NULL};
  case XlaTypeClassFloat:
    return info->bits >= 16 ? xlaElementTypeToMlir(type, context)
                            : (MlirType){NULL};
  case XlaTypeClassComplex:
    break;
  }
  return (MlirType){NULL};
}

MlirType xlaScalarMemoryType(XlaElementType type, MlirContext context) {
  return type == XlaElementTypePred ? mlirIntegerTypeGet(context, 8)
                                    : xlaScalarRegisterType(type, context);
}

MlirValue xlaScalarFromMemory(XlaIr *ir, XlaElementType type, MlirValue x) {
  return type == XlaElementTypePred
             ? xlaIrCast(ir, "arith.trunci", x,
                         mlirIntegerTypeGet(ir->context, 1))
             : x;
}

MlirValue xlaScalarToMemory(XlaIr *ir, XlaElementType type, MlirValue x) {
  return type == XlaElementTypePred
             ? xlaIrCast(ir, "arith.extui", x,
                         mlirIntegerTypeGet(ir->context, 8))
             : x;
}

MlirValue xlaLowerConstant(XlaIr *ir, const XlaLiteral *literal,
                           int64_t position) {
  const XlaShape *shape = xlaLiteralGetShape(literal);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  MlirType type = xlaScalarRegisterType(shape->elementType, ir->context);
  const char *bytes =
      (const char *)xlaLiteralGetData(literal) + position * info->bytes;
  if (info->typeClass != XlaTypeClassFloat)
    return xlaIrConstantInt(ir, type, xlaLiteralGet(literal, position).s);
  // By its bits, so that NaNs keep their payload.
  MlirAttribute dense = mlirDenseElementsAttrRawBufferGet(
      mlirRankedTensorTypeGet(0, NULL, type, mlirAttributeGetNull()),
      (size_t)info->bytes, bytes);
  return xlaIrOp(
      ir, "arith.constant", type, 0, NULL, 1,
      &(XlaIrAttr){"value", mlirElementsAttrGetValue(dense, 0, NULL)});
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// An integer whose signed order is the total order of floats.
static MlirValue orderKey(XlaIr *ir, XlaElementType type, MlirValue x) {
  int bits = xlaElementTypeGetInfo(type)->bits;
  MlirType integer = mlirIntegerTypeGet(ir->context, (unsigned)bits);
  MlirValue key = xlaIrCast(ir, "arith.bitcast", x, integer);
  MlirValue mask = xlaIrBinary(ir, "arith.shrsi", key,
                               xlaIrConstantInt(ir, integer, bits - 1));
  MlirValue flip = xlaIrBinary(
      ir, "arith.andi", mask,
      xlaIrConstantInt(ir, integer, (int64_t)(~UINT64_C(0) >> (65 - bits))));
  return xlaIrBinary(ir, "arith.xori", key, flip);
}

static MlirValue widen(XlaIr *ir, XlaElementType type, MlirValue x) {
  return isHalf(type)
             ? xlaIrCast(ir, "arith.extf", x, mlirF32TypeGet(ir->context))
             : x;
}

static MlirValue compare(XlaIr *ir, MlirOperation op, XlaElementType type,
                         MlirValue x, MlirValue y) {
  static const struct {
    const char *direction, *isSigned, *isUnsigned, *isFloat;
  } predicates[] = {{"EQ", "eq", "eq", "oeq"},   {"NE", "ne", "ne", "une"},
                    {"GE", "sge", "uge", "oge"}, {"GT", "sgt", "ugt", "ogt"},
                    {"LE", "sle", "ule", "ole"}, {"LT", "slt", "ult", "olt"}};
  int i = 0;
  while (i < 5 &&
         !xlaOpAttrIs(op, "comparison_direction", predicates[i].direction))
    ++i;
  bool isFloat = classOf(type) == XlaTypeClassFloat;
  if (isFloat && xlaOpAttrIs(op, "compare_type", "TOTALORDER"))
    return xlaIrCmpI(ir, predicates[i].isSigned, orderKey(ir, type, x),
                     orderKey(ir, type, y));
  if (isFloat)
    return xlaIrCmpF(ir, predicates[i].isFloat, widen(ir, type, x),
                     widen(ir, type, y));
  return xlaIrCmpI(ir,
                   classOf(type) == XlaTypeClassSigned
                       ? predicates[i].isSigned
                       : predicates[i].isUnsigned,
                   x, y);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Negation and absolute value move bits: no conversion, and NaNs stay as they
/// are.
static MlirValue changeSign(XlaIr *ir, XlaOpKind kind, XlaElementType type,
                            MlirValue x) {
  int bits = xlaElementTypeGetInfo(type)->bits;
  MlirType integer = mlirIntegerTypeGet(ir->context, (unsigned)bits);
  int64_t top = -(INT64_C(1) << (bits - 1));
  MlirValue value = xlaIrCast(ir, "arith.bitcast", x, integer);
  value = kind == XlaOpKindNegate
              ? xlaIrBinary(ir, "arith.xori", value,
                            xlaIrConstantInt(ir, integer, top))
              : xlaIrBinary(ir, "arith.andi", value,
                            xlaIrConstantInt(ir, integer, ~top));
  return xlaIrCast(ir, "arith.bitcast", value, mlirValueGetType(x));
}

/// An operation whose operands all have type `type`.
static MlirValue uniform(XlaIr *ir, XlaOpKind kind, XlaElementType type,
                         const MlirValue *operands) {
  if (classOf(type) == XlaTypeClassPred)
    return xlaLowerPred(ir, kind, operands);
  if (classOf(type) != XlaTypeClassFloat)
    return xlaLowerInteger(ir, kind, type, operands);
  if (!isHalf(type))
    return xlaLowerFloat(ir, kind, operands);
  if (kind == XlaOpKindNegate || kind == XlaOpKindAbs)
    return changeSign(ir, kind, type, operands[0]);
  if (kind == XlaOpKindReal)
    return operands[0];
  MlirValue wide[2] = {widen(ir, type, operands[0])};
  if (xlaOpGetInfo(kind)->maxOperands == 2)
    wide[1] = widen(ir, type, operands[1]);
  MlirValue result = xlaLowerFloat(ir, kind, wide);
  if (mlirValueIsNull(result) || kind == XlaOpKindIsFinite)
    return result;
  return xlaIrCast(ir, "arith.truncf", result, mlirValueGetType(operands[0]));
}

static MlirValue clamp(XlaIr *ir, XlaElementType type, const MlirValue *x) {
  MlirValue atLeast = uniform(ir, XlaOpKindMaximum, type, x);
  return mlirValueIsNull(atLeast) ? atLeast
                                  : uniform(ir, XlaOpKindMinimum, type,
                                            (MlirValue[]){atLeast, x[2]});
}

static MlirValue bitcast(XlaIr *ir, XlaElementType from, XlaElementType to,
                         MlirValue x) {
  if (xlaElementTypeGetInfo(from)->bits != xlaElementTypeGetInfo(to)->bits)
    return none();
  MlirType type = xlaScalarRegisterType(to, ir->context);
  return mlirTypeEqual(type, mlirValueGetType(x))
             ? x
             : xlaIrCast(ir, "arith.bitcast", x, type);
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wswitch-enum"
static MlirValue lower(XlaIr *ir, MlirOperation op, XlaOpKind kind,
                       XlaElementType type, XlaElementType result,
                       const MlirValue *operands) {
  switch (kind) {
  case XlaOpKindBitcastConvert:
    return bitcast(ir, type, result, operands[0]);
  case XlaOpKindClamp:
    return clamp(ir, type, operands);
  case XlaOpKindCompare:
    return compare(ir, op, type, operands[0], operands[1]);
  case XlaOpKindConvert:
    return xlaLowerConvert(ir, type, result, operands[0]);
  case XlaOpKindReducePrecision:
    return xlaLowerReducePrecision(ir, type, operands[0],
                                   xlaOpGetI64(op, "exponent_bits", 11),
                                   xlaOpGetI64(op, "mantissa_bits", 52));
  case XlaOpKindSelect:
    return xlaIrSelect(ir, operands[0], operands[1], operands[2]);
  default:
    return uniform(ir, kind, type, operands);
  }
}
#pragma clang diagnostic pop

static bool isLowered(MlirType type, XlaElementType *element,
                      MlirContext context) {
  XlaShape shape;
  if (!xlaShapeFromMlir(type, &shape, NULL))
    return false;
  *element = shape.elementType;
  return !mlirTypeIsNull(xlaScalarRegisterType(shape.elementType, context));
}

MlirValue xlaLowerScalar(XlaIr *ir, MlirOperation op,
                         const MlirValue *operands) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaElementType types[3], result;
  intptr_t n = mlirOperationGetNumOperands(op);
  bool known = kind != XlaOpKindInvalid && n >= 1 && n <= 3 &&
               (xlaOpGetInfo(kind)->family == XlaFamilyElementwise ||
                kind == XlaOpKindBitcastConvert);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  known = known && isLowered(type, &result, ir->context);
  for (intptr_t i = 0; known && i < n; ++i) {
    type = mlirValueGetType(mlirOperationGetOperand(op, i));
    known = isLowered(type, &types[i], ir->context);
  }
  MlirValue value =
      known ? lower(ir, op, kind, types[0], result, operands) : none();
  if (mlirValueIsNull(value))
    xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                     XLA_TYPE_TEXT(type));
  return value;
}

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

/// The element that is to be computed. Operands have `type`, except for
/// select's first.
typedef struct Scalar {
  XlaIr *ir;
  MlirOperation op;
  XlaOpKind kind;
  XlaElementType type, result;
  const MlirValue *operands;
} Scalar;

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

static MlirValue compare(const Scalar *s) {
  static const struct {
    const char *direction, *isSigned, *isUnsigned, *isFloat;
  } predicates[] = {{"EQ", "eq", "eq", "oeq"},   {"NE", "ne", "ne", "une"},
                    {"GE", "sge", "uge", "oge"}, {"GT", "sgt", "ugt", "ogt"},
                    {"LE", "sle", "ule", "ole"}, {"LT", "slt", "ult", "olt"}};
  XlaIr *ir = s->ir;
  MlirValue x = s->operands[0], y = s->operands[1];
  int i = 0;
  while (i < 5 &&
         !xlaOpAttrIs(s->op, "comparison_direction", predicates[i].direction))
    ++i;
  bool isFloat = classOf(s->type) == XlaTypeClassFloat;
  if (isFloat && xlaOpAttrIs(s->op, "compare_type", "TOTALORDER"))
    return xlaIrCmpI(ir, predicates[i].isSigned, orderKey(ir, s->type, x),
                     orderKey(ir, s->type, y));
  if (isFloat)
    return xlaIrCmpF(ir, predicates[i].isFloat, widen(ir, s->type, x),
                     widen(ir, s->type, y));
  return xlaIrCmpI(ir,
                   classOf(s->type) == XlaTypeClassSigned
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

static MlirValue clamp(const Scalar *s) {
  MlirValue atLeast = uniform(s->ir, XlaOpKindMaximum, s->type, s->operands);
  return mlirValueIsNull(atLeast)
             ? atLeast
             : uniform(s->ir, XlaOpKindMinimum, s->type,
                       (MlirValue[]){atLeast, s->operands[2]});
}

static MlirValue bitcast(const Scalar *s) {
  MlirValue x = s->operands[0];
  if (xlaElementTypeGetInfo(s->type)->bits !=
      xlaElementTypeGetInfo(s->result)->bits)
    return none();
  MlirType type = xlaScalarRegisterType(s->result, s->ir->context);
  return mlirTypeEqual(type, mlirValueGetType(x))
             ? x
             : xlaIrCast(s->ir, "arith.bitcast", x, type);
}

static MlirValue convert(const Scalar *s) {
  return xlaLowerConvert(s->ir, s->type, s->result, s->operands[0]);
}

static MlirValue reducePrecision(const Scalar *s) {
  return xlaLowerReducePrecision(s->ir, s->type, s->operands[0],
                                 xlaOpGetI64(s->op, "exponent_bits", 11),
                                 xlaOpGetI64(s->op, "mantissa_bits", 52));
}

static MlirValue choose(const Scalar *s) {
  return xlaIrSelect(s->ir, s->operands[0], s->operands[1], s->operands[2]);
}

/// Operations that are not written by the class of their operands' type alone.
static MlirValue (*const writers[XlaOpKindCount])(const Scalar *) = {
    [XlaOpKindBitcastConvert] = bitcast,
    [XlaOpKindClamp] = clamp,
    [XlaOpKindCompare] = compare,
    [XlaOpKindConvert] = convert,
    [XlaOpKindReducePrecision] = reducePrecision,
    [XlaOpKindSelect] = choose,
};

static MlirValue lower(const Scalar *s) {
  return writers[s->kind] ? writers[s->kind](s)
                          : uniform(s->ir, s->kind, s->type, s->operands);
}

/// Where `op` is marked, `value` may be rounded once with what it is added to.
static void allowContraction(XlaIr *ir, MlirOperation op, MlirValue value) {
  MlirStringRef mark = mlirStringRefCreateFromCString(XLA_CONTRACT);
  if (mlirAttributeIsNull(mlirOperationGetAttributeByName(op, mark)) ||
      !mlirValueIsAOpResult(value))
    return;
  MlirOperation owner = mlirOpResultGetOwner(value);
  if (xlaIrIsOp(owner, "arith.addf") || xlaIrIsOp(owner, "arith.mulf"))
    mlirOperationSetAttributeByName(
        owner, mlirStringRefCreateFromCString("fastmath"),
        xlaIrParseAttr(ir->context, "#arith.fastmath<contract>"));
}

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
      known ? lower(&(Scalar){ir, op, kind, types[0], result, operands})
            : none();
  if (mlirValueIsNull(value))
    xlaOpUnsupported(op, NULL, "is not lowered for elements of %s",
                     XLA_TYPE_TEXT(type));
  else
    allowContraction(ir, op, value);
  return value;
}

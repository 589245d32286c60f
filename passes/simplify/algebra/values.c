//===- values.c - Numbers and repeated constants --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/simplify/algebra/internal.h"

#include <math.h>

static bool isFloating(XlaElementType type) {
  return xlaElementTypeIsFloat(type) || xlaElementTypeIsComplex(type);
}

static bool sameDouble(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

bool xlaAlgebraSame(XlaElementType type, XlaScalar a, XlaScalar b) {
  if (!isFloating(type))
    return a.u == b.u;
  return sameDouble(a.f.re, b.f.re) &&
         (!xlaElementTypeIsComplex(type) || sameDouble(a.f.im, b.f.im));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Those that are the same in all types.
static double plainNumber(AlgebraNumber number, bool *isPlain) {
  *isPlain = true;
  switch (number) {
  case AlgebraNumberZero:
    return 0;
  case AlgebraNumberNegativeZero:
    return -0.0;
  case AlgebraNumberOne:
    return 1;
  case AlgebraNumberMinusOne:
    return -1;
  case AlgebraNumberTwo:
    return 2;
  case AlgebraNumberMin:
  case AlgebraNumberMax:
  case AlgebraNumberOnes:
  case AlgebraNumberTrue:
  case AlgebraNumberFalse:
    break;
  }
  *isPlain = false;
  return 0;
}

static bool floatNumber(AlgebraNumber number, XlaElementType type,
                        XlaScalar *value) {
  bool isPlain;
  double plain = plainNumber(number, &isPlain);
  if (number == AlgebraNumberMin || number == AlgebraNumberMax)
    plain = number == AlgebraNumberMin ? -INFINITY : INFINITY;
  else if (!isPlain)
    return false;
  bool isComplex = xlaElementTypeIsComplex(type);
  if (isComplex && !isPlain)
    return false;
  XlaScalar exact = {.f = {plain, isComplex && plain == 0 ? plain : 0}};
  *value = xlaScalarRound(type, exact);
  return xlaAlgebraSame(type, *value, exact);
}

static bool integerNumber(AlgebraNumber number, XlaElementType type,
                          XlaScalar *value) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  uint64_t ones = ~UINT64_C(0) >> (64 - info->bits);
  bool isPlain, isSigned = info->typeClass == XlaTypeClassSigned;
  double plain = plainNumber(number, &isPlain);
  XlaScalar exact = {.s = (int64_t)plain};
  if (number == AlgebraNumberNegativeZero || number == AlgebraNumberTrue ||
      number == AlgebraNumberFalse)
    return false;
  if (number == AlgebraNumberOnes)
    exact.u = isSigned ? ~UINT64_C(0) : ones;
  else if (number == AlgebraNumberMin)
    exact.s = isSigned ? -(int64_t)(ones >> 1) - 1 : 0;
  else if (number == AlgebraNumberMax)
    exact.u = isSigned ? ones >> 1 : ones;
  *value = xlaScalarRound(type, exact);
  return value->u == exact.u;
}

bool xlaAlgebraNumber(AlgebraNumber number, XlaElementType type,
                      XlaScalar *value) {
  if (isFloating(type))
    return floatNumber(number, type, value);
  if (type != XlaElementTypePred)
    return integerNumber(number, type, value);
  *value = (XlaScalar){
      .u = number == AlgebraNumberOne || number == AlgebraNumberMax ||
           number == AlgebraNumberOnes || number == AlgebraNumberTrue};
  return number != AlgebraNumberNegativeZero &&
         number != AlgebraNumberMinusOne && number != AlgebraNumberTwo;
}

bool xlaAlgebraNeutral(XlaOpKind kind, XlaElementType type, XlaScalar *value) {
  static const struct {
    XlaOpKind kind;
    AlgebraNumber number, ofFloats;
  } neutral[] = {
      {XlaOpKindAdd, AlgebraNumberZero, AlgebraNumberNegativeZero},
      {XlaOpKindMultiply, AlgebraNumberOne, AlgebraNumberOne},
      {XlaOpKindMaximum, AlgebraNumberMin, AlgebraNumberMin},
      {XlaOpKindMinimum, AlgebraNumberMax, AlgebraNumberMax},
      {XlaOpKindAnd, AlgebraNumberOnes, AlgebraNumberOnes},
      {XlaOpKindOr, AlgebraNumberZero, AlgebraNumberZero},
      {XlaOpKindXor, AlgebraNumberZero, AlgebraNumberZero},
  };
  for (size_t i = 0; i < sizeof neutral / sizeof *neutral; ++i)
    if (neutral[i].kind == kind)
      return !xlaElementTypeIsComplex(type) &&
             xlaAlgebraNumber(xlaElementTypeIsFloat(type) ? neutral[i].ofFloats
                                                          : neutral[i].number,
                              type, value);
  return false;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

bool xlaAlgebraShape(MlirValue value, XlaShape *shape) {
  MlirType type = mlirValueGetType(value);
  return xlaShapeFromMlir(type, shape, NULL) &&
         mlirTypeEqual(type, xlaTypeWithoutLayout(type));
}

XlaElementType xlaAlgebraElements(MlirValue value) {
  XlaShape shape;
  return xlaShapeFromMlir(mlirValueGetType(value), &shape, NULL)
             ? shape.elementType
             : XlaElementTypeInvalid;
}

MlirOperation xlaAlgebraDefinedBy(MlirValue value, XlaOpKind kind) {
  MlirOperation none = {NULL};
  if (mlirValueIsABlockArgument(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  return xlaOpGetKind(op) == kind ? op : none;
}

/// The constant that `value` is, or repeats.
static MlirOperation constantBehind(MlirValue value) {
  enum { mostSteps = 4 }; // so that chains of reshapes take linear time
  MlirOperation none = {NULL};
  for (int i = 0; i < mostSteps && !mlirValueIsABlockArgument(value); ++i) {
    MlirOperation op = mlirOpResultGetOwner(value);
    XlaOpKind kind = xlaOpGetKind(op);
    if (kind == XlaOpKindConstant)
      return op;
    if (kind != XlaOpKindBroadcastInDim && kind != XlaOpKindReshape)
      return none;
    value = mlirOperationGetOperand(op, 0);
  }
  return none;
}

bool xlaAlgebraIsSplat(MlirValue value, AlgebraSplat *splat) {
  MlirOperation op = constantBehind(value);
  XlaShape shape;
  int64_t count;
  if (mlirOperationIsNull(op) || !xlaAlgebraShape(value, &shape) ||
      !xlaShapeGetElementCount(&shape, &count) || !count)
    return false;
  MlirAttribute attr = xlaOpGetAttr(op, "value");
  if (!mlirAttributeIsADenseElements(attr) ||
      !mlirDenseElementsAttrIsSplat(attr))
    return false;
  splat->type = shape.elementType;
  if (splat->type == XlaElementTypePred)
    splat->value.u = mlirDenseElementsAttrGetBoolSplatValue(attr);
  else
    splat->value =
        xlaScalarLoad(splat->type, mlirDenseElementsAttrGetRawData(attr));
  return true;
}

MlirValue xlaAlgebraRepeat(XlaIr *ir, const XlaShape *shape,
                           const AlgebraSplat *splat) {
  MlirValue none = {NULL};
  XlaShape to = *shape;
  int64_t count;
  char bytes[16] = {0};
  to.elementType = splat->type;
  if (!xlaShapeGetElementCount(&to, &count) || !count)
    return none;
  MlirType type = xlaShapeToMlir(&to, ir->context);
  xlaScalarStore(splat->type, bytes, splat->value);
  MlirAttribute attr =
      splat->type == XlaElementTypePred
          ? mlirDenseElementsAttrBoolSplatGet(type, splat->value.u != 0)
          : mlirDenseElementsAttrRawBufferGet(
                type, (size_t)xlaElementTypeGetInfo(splat->type)->bytes, bytes);
  if (mlirAttributeIsNull(attr))
    return none;
  return xlaIrOp(ir, "xla.constant", type, 0, NULL, 1,
                 &(XlaIrAttr){"value", attr});
}

//===- constant.c - Parameters and constants ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/interpret/scalar/scalar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// The position of parameter `number` among those there are; -1 after an error.
static intptr_t insertParameter(XlaBuilder *b, int64_t number) {
  intptr_t position = 0;
  while (position < b->nParameters && b->parameters[position] < number)
    ++position;
  if (position < b->nParameters && b->parameters[position] == number)
    return xlaBuilderFail(b, "there is a parameter %lld already",
                          (long long)number),
           -1;
  if (b->nParameters == b->parameterCapacity) {
    intptr_t capacity = b->parameterCapacity ? 2 * b->parameterCapacity : 8;
    int64_t *grown = realloc(b->parameters, (size_t)capacity * sizeof *grown);
    if (!grown)
      return xlaBuilderFail(b, "out of memory"), -1;
    b->parameters = grown;
    b->parameterCapacity = capacity;
  }
  memmove(b->parameters + position + 1, b->parameters + position,
          (size_t)(b->nParameters - position) * sizeof *b->parameters);
  b->parameters[position] = number;
  ++b->nParameters;
  return position;
}

static XlaOp addParameter(XlaBuilder *b, int64_t number, MlirType type,
                          const char *name) {
  if (number < 0)
    return xlaBuilderFail(b, "the parameter's number is %lld",
                          (long long)number),
           (XlaOp){0};
  intptr_t position = insertParameter(b, number);
  if (position < 0)
    return (XlaOp){0};
  MlirLocation location = xlaBuilderLocation(b);
  if (name)
    location = mlirLocationNameGet(
        b->context, mlirStringRefCreateFromCString(name), b->outer);
  return xlaBuilderAddValue(
      b, mlirBlockInsertArgument(b->block, position, type, location));
}

XlaOp xlaBuilderParameter(XlaBuilder *b, int64_t number, const XlaShape *shape,
                          const char *name) {
  if (!xlaBuilderBegin(b, __func__) || !xlaBuilderCheckShape(b, shape))
    return (XlaOp){0};
  return addParameter(b, number, xlaShapeToMlir(shape, b->context), name);
}

/// Arrays, tuples and tokens, at any depth.
static bool isValueType(MlirType type) {
  if (!mlirTypeIsATuple(type))
    return xlaShapeFromMlirBounded(type, &(XlaShape){0}, NULL) ||
           xlaTypeIsToken(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!isValueType(mlirTupleTypeGetType(type, i)))
      return false;
  return true;
}

XlaOp xlaBuilderParameterOfType(XlaBuilder *b, int64_t number, MlirType type,
                                const char *name) {
  if (!xlaBuilderBegin(b, __func__))
    return (XlaOp){0};
  if (mlirTypeIsNull(type) || !isValueType(type))
    return xlaBuilderFail(b,
                          "a parameter's type is %s, must be an array, a "
                          "tuple or a token",
                          mlirTypeIsNull(type) ? "null" : XLA_TYPE_TEXT(type)),
           (XlaOp){0};
  return addParameter(b, number, type, name);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static XlaOp constant(XlaBuilder *b, const char *function,
                      MlirAttribute value) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, XlaOpKindConstant);
  if (draft.b && mlirAttributeIsNull(value))
    xlaBuilderFail(b, "out of memory");
  xlaDraftAttr(&draft, "value", value);
  return xlaDraftFinish(&draft);
}

/// An array of a C type's elements, which are stored as literals store them.
static XlaOp constantArray(XlaBuilder *b, const char *function,
                           const XlaShape *shape, const void *values) {
  int64_t count;
  if (!xlaBuilderBegin(b, function) || !xlaBuilderCheckShape(b, shape))
    return (XlaOp){0};
  xlaShapeGetElementCount(shape, &count);
  if (count && !values)
    return xlaBuilderFail(b, "the values are NULL"), (XlaOp){0};
  XlaLiteral *literal = xlaLiteralCreateArray(shape);
  if (!literal)
    return xlaBuilderFail(b, "out of memory"), (XlaOp){0};
  if (count)
    memcpy(xlaLiteralGetMutableData(literal), values,
           xlaLiteralGetByteCount(literal));
  XlaOp op = constant(b, function, xlaLiteralToAttribute(literal, b->context));
  xlaLiteralRelease(literal);
  return op;
}

#define XLA_C_TYPE(ElementType, type)                                          \
  _Static_assert(sizeof(type) <= sizeof(int64_t), "an element of literals");   \
  XlaOp xlaBuilderConstantR0##ElementType(XlaBuilder *b, type value) {         \
    return constantArray(b, __func__, XLA_SHAPE(ElementType), &value);         \
  }                                                                            \
  XlaOp xlaBuilderConstantR1##ElementType(XlaBuilder *b, const type *values,   \
                                          intptr_t n) {                        \
    return constantArray(b, __func__, XLA_SHAPE(ElementType, n), values);      \
  }                                                                            \
  XlaOp xlaBuilderConstantR2##ElementType(XlaBuilder *b, const type *values,   \
                                          intptr_t rows, intptr_t columns) {   \
    return constantArray(b, __func__, XLA_SHAPE(ElementType, rows, columns),   \
                         values);                                              \
  }
#include "xlac/dialect/builder/c_types.def"

static XlaOp constantLiteral(XlaBuilder *b, const char *function,
                             const XlaLiteral *literal) {
  XlaLiteralKind kind = xlaLiteralGetKind(literal);
  if (kind == XlaLiteralKindArray)
    return constant(b, function, xlaLiteralToAttribute(literal, b->context));
  if (kind == XlaLiteralKindToken)
    return xlaBuilderFail(b, "a token is no constant"), (XlaOp){0};
  XlaDraft tuple;
  intptr_t n = xlaLiteralGetTupleSize(literal);
  xlaDraftBegin(&tuple, b, function, XlaOpKindTuple);
  for (intptr_t i = 0; i < n && !b->failed; ++i)
    xlaDraftOperand(
        &tuple,
        constantLiteral(b, function, xlaLiteralGetTupleElement(literal, i)));
  return xlaDraftFinish(&tuple);
}

XlaOp xlaBuilderConstantLiteral(XlaBuilder *b, const XlaLiteral *literal) {
  if (!xlaBuilderBegin(b, __func__))
    return (XlaOp){0};
  if (!literal)
    return xlaBuilderFail(b, "the literal is NULL"), (XlaOp){0};
  return constantLiteral(b, __func__, literal);
}

//===----------------------------------------------------------------------===//
// Scalars of any type
//===----------------------------------------------------------------------===//

static XlaOp constantScalar(XlaBuilder *b, const char *function,
                            XlaElementType elementType, XlaScalar value) {
  XlaLiteral *literal =
      xlaLiteralCreateArray(&(XlaShape){.elementType = elementType});
  if (!literal)
    return xlaBuilderFail(b, "out of memory"), (XlaOp){0};
  xlaLiteralSet(literal, 0, value);
  XlaOp op = constant(b, function, xlaLiteralToAttribute(literal, b->context));
  xlaLiteralRelease(literal);
  return op;
}

static bool checkElementType(XlaBuilder *b, XlaElementType elementType) {
  return xlaBuilderCheckShape(b, &(XlaShape){.elementType = elementType});
}

XlaOp xlaBuilderConstantScalar(XlaBuilder *b, XlaElementType elementType,
                               double value) {
  if (!xlaBuilderBegin(b, __func__) || !checkElementType(b, elementType))
    return (XlaOp){0};
  XlaScalar wide = {.f = {value, 0}};
  return constantScalar(b, __func__, elementType,
                        xlaScalarConvert(XlaElementTypeF64, elementType, wide));
}

/// Types without infinities are small enough to look at all their values.
static double extremeFloat(const XlaElementTypeInfo *info, int sign) {
  if (info->flavor == XlaFloatFlavorIeee)
    return sign * (double)INFINITY;
  double found = -sign * (double)INFINITY;
  for (uint32_t bits = 0; bits < UINT32_C(1) << info->bits; ++bits) {
    double value = xlaFloatDecode(info, bits);
    if (sign * value > sign * found)
      found = value;
  }
  return found;
}

/// The least (`sign` -1) or greatest value.
static XlaOp extreme(XlaBuilder *b, const char *function,
                     XlaElementType elementType, int sign) {
  if (!xlaBuilderBegin(b, function) || !checkElementType(b, elementType))
    return (XlaOp){0};
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(elementType);
  XlaScalar value = {.u = 0};
  switch (info->typeClass) {
  case XlaTypeClassComplex:
    return xlaBuilderFail(b, "%s has no order", info->name), (XlaOp){0};
  case XlaTypeClassSigned:
    value.s = sign < 0 ? -(INT64_C(1) << (info->bits - 2)) * 2
                       : ((INT64_C(1) << (info->bits - 2)) - 1) * 2 + 1;
    break;
  case XlaTypeClassPred:
  case XlaTypeClassUnsigned:
    value.u = sign < 0 ? 0 : UINT64_MAX >> (64 - info->bits);
    break;
  case XlaTypeClassFloat:
    value.f.re = extremeFloat(info, sign);
    break;
  }
  return constantScalar(b, function, elementType, value);
}

XlaOp xlaBuilderMinValue(XlaBuilder *b, XlaElementType elementType) {
  return extreme(b, __func__, elementType, -1);
}

XlaOp xlaBuilderMaxValue(XlaBuilder *b, XlaElementType elementType) {
  return extreme(b, __func__, elementType, 1);
}

XlaOp xlaBuilderIota(XlaBuilder *b, const XlaShape *shape, int64_t dimension) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindIota);
  xlaDraftInt(&draft, "iota_dimension", dimension);
  xlaDraftResultShape(&draft, shape);
  return xlaDraftFinish(&draft);
}

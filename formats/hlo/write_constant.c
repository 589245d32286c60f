//===- write_constant.c - Values in HLO text ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/write_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include <math.h>
#include <string.h>

/// More elements that are all the same are written as one, which is broadcast:
/// HLO has no shorter form for them.
enum { mostWritten = 1024 };
/// Values of more elements are kept out of the text until it is written.
enum { mostInText = 4096 };

static bool isLongSplat(MlirAttribute value) {
  return mlirAttributeIsADenseElements(value) &&
         mlirDenseElementsAttrIsSplat(value) &&
         mlirElementsAttrGetNumElements(value) > mostWritten;
}

/// Whether a complex number has one part that is NaN: XLA reads both as NaN.
static bool hasHalfNan(const XlaLiteral *literal) {
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  if (xlaElementTypeGetInfo(type)->typeClass != XlaTypeClassComplex)
    return false;
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i) {
    XlaScalar value = xlaLiteralGet(literal, i);
    if (isnan(value.f.re) != isnan(value.f.im))
      return true;
  }
  return false;
}

/// An instruction `constant` of `literal`.
static intptr_t writeLiteral(XlaHloBody *body, MlirOperation op,
                             const XlaLiteral *literal) {
  MlirType type =
      xlaShapeToMlir(xlaLiteralGetShape(literal), body->writer->context);
  intptr_t number = xlaHloBegin(body, op, 1, &type, "constant");
  xlaHloPrintLiteral(&body->text, literal);
  xlaIrTextPrint(&body->text, ")");
  xlaHloEnd(body, op);
  return number;
}

/// The same of the real parts of `literal`, or of the imaginary ones.
static intptr_t writePart(XlaHloBody *body, MlirOperation op,
                          const XlaLiteral *literal, bool isImaginary) {
  XlaShape shape = *xlaLiteralGetShape(literal);
  size_t size = (size_t)xlaElementTypeGetInfo(shape.elementType)->bytes / 2;
  shape.elementType =
      size == sizeof(float) ? XlaElementTypeF32 : XlaElementTypeF64;
  XlaLiteral *part = xlaLiteralCreateArray(&shape);
  if (!part) {
    xlaHloNoMemory(body->writer, op);
    return 0;
  }
  const char *from = xlaLiteralGetData(literal);
  char *to = xlaLiteralGetMutableData(part);
  for (int64_t i = 0; i < xlaLiteralGetElementCount(literal); ++i)
    memcpy(to + (size_t)i * size,
           from + (2 * (size_t)i + (isImaginary ? 1 : 0)) * size, size);
  intptr_t number = writeLiteral(body, op, part);
  xlaLiteralRelease(part);
  return number;
}

/// The number of the instruction that has `value`, with the attributes of `op`
/// if it is all of that.
static intptr_t writeValue(XlaHloBody *body, MlirOperation op,
                           MlirAttribute value, bool isWhole) {
  MlirType type = mlirAttributeGetType(value);
  bool isView;
  XlaLiteral *literal = xlaLiteralViewAttribute(value, &isView);
  if (!literal) {
    xlaHloNoMemory(body->writer, op);
    return 0;
  }
  bool isHalf = hasHalfNan(literal);
  intptr_t real = isHalf ? writePart(body, op, literal, false) : 0;
  intptr_t imaginary = isHalf ? writePart(body, op, literal, true) : 0;
  intptr_t number =
      xlaHloBegin(body, op, 1, &type, isHalf ? "complex" : "constant");
  if (isHalf) {
    xlaHloPrintOperand(body, true, real);
    xlaHloPrintOperand(body, false, imaginary);
  } else if (isView && xlaLiteralGetElementCount(literal) > mostInText) {
    xlaHloLeaveHole(body, op, xlaLiteralRetain(literal));
  } else {
    xlaHloPrintLiteral(&body->text, literal);
  }
  xlaIrTextPrint(&body->text, ")");
  if (isWhole)
    xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  xlaLiteralRelease(literal);
  return number;
}

/// An element of `splat`, broadcast.
static intptr_t writeSplat(XlaHloBody *body, MlirOperation op,
                           MlirAttribute splat) {
  MlirStringRef raw = mlirExtDenseGetRawData(splat);
  MlirType type = mlirRankedTensorTypeGet(
      0, NULL, mlirShapedTypeGetElementType(mlirAttributeGetType(splat)),
      mlirAttributeGetNull());
  intptr_t element = writeValue(
      body, op, mlirDenseElementsAttrRawBufferGet(type, raw.length, raw.data),
      false);
  intptr_t number = xlaHloBeginOp(body, op, "broadcast");
  xlaHloPrintOperand(body, true, element);
  xlaIrTextPrint(&body->text, "), dimensions={}");
  xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  return number;
}

static intptr_t writeIota(XlaHloBody *body, MlirOperation op) {
  intptr_t number = xlaHloBeginOp(body, op, xlaHloOpcode(xlaOpGetKind(op)));
  xlaIrTextPrint(&body->text, ")");
  xlaHloPrintAttributes(&body->text, op);
  xlaHloEnd(body, op);
  return number;
}

void xlaHloWriteConstant(XlaHloBody *body, MlirOperation op) {
  bool isConstant = xlaOpGetKind(op) == XlaOpKindConstant;
  MlirAttribute value =
      isConstant ? xlaOpGetAttr(op, "value") : mlirAttributeGetNull();
  intptr_t number = !isConstant          ? writeIota(body, op)
                    : isLongSplat(value) ? writeSplat(body, op, value)
                                         : writeValue(body, op, value, true);
  xlaHloSetNumber(body->writer, mlirOperationGetResult(op, 0), number);
}

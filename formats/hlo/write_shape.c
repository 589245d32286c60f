//===- write_shape.c - Shapes and values in HLO text ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/write_internal.h"

#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/array_encoding.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void xlaHloPrintQuoted(XlaIrText *text, MlirStringRef value) {
  xlaIrTextPrint(text, "\"");
  for (size_t i = 0; i < value.length; ++i) {
    unsigned char c = (unsigned char)value.data[i];
    if (c == '"' || c == '\\')
      xlaIrTextPrint(text, "\\%c", c);
    else if (c < ' ' || c == 127)
      xlaIrTextPrint(text, "\\%03o", c);
    else
      xlaIrTextPrint(text, "%c", c);
  }
  xlaIrTextPrint(text, "\"");
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool printArray(XlaIrText *text, MlirType type) {
  XlaShape shape;
  int64_t order[XLA_MAX_RANK], padded[XLA_MAX_RANK];
  if (!xlaShapeFromMlirBounded(type, &shape, NULL) ||
      xlaArrayEncodingGetList(type, "padded_dimensions", padded) >= 0)
    return false;
  xlaIrTextPrint(text, "%s[", xlaElementTypeGetInfo(shape.elementType)->name);
  for (int i = 0; i < shape.rank; ++i)
    xlaIrTextPrint(text, "%s%s%lld", i ? "," : "",
                   xlaShapeIsDynamic(&shape, i) ? "<=" : "",
                   (long long)shape.dims[i]);
  xlaIrTextPrint(text, "]");
  int n = xlaArrayEncodingGetList(type, "minor_to_major", order);
  if (n < 0 && shape.rank)
    for (n = 0; n < shape.rank; ++n)
      order[n] = shape.rank - 1 - n;
  for (int i = 0; i < n; ++i)
    xlaIrTextPrint(text, "%s%lld", i ? "," : "{", (long long)order[i]);
  if (n > 0)
    xlaIrTextPrint(text, "}");
  return true;
}

bool xlaHloPrintType(XlaIrText *text, MlirType type) {
  if (xlaTypeIsToken(type)) {
    xlaIrTextPrint(text, "token[]");
    return true;
  }
  if (!mlirTypeIsATuple(type))
    return printArray(text, type);
  xlaIrTextPrint(text, "(");
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i) {
    xlaIrTextPrint(text, "%s", i ? ", " : "");
    if (!xlaHloPrintType(text, mlirTupleTypeGetType(type, i)))
      return false;
  }
  xlaIrTextPrint(text, ")");
  return true;
}

bool xlaHloPrintTupleType(XlaIrText *text, intptr_t n, const MlirType *types) {
  bool whole = true;
  xlaIrTextPrint(text, "(");
  for (intptr_t i = 0; i < n && whole; ++i) {
    xlaIrTextPrint(text, "%s", i ? ", " : "");
    whole = xlaHloPrintType(text, types[i]);
  }
  xlaIrTextPrint(text, ")");
  return whole;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static void appendChars(XlaIrText *text, const char *chars) {
  xlaIrTextAppend(mlirStringRefCreateFromCString(chars), text);
}

/// The lowest bits of a NaN of `type` at `bytes`, and whether it is negative.
static uint64_t readNan(const XlaElementTypeInfo *type, const void *bytes,
                        bool *isNegative) {
  uint64_t bits = 0;
  int width = 1 + type->exponentBits + type->mantissaBits;
  memcpy(&bits, bytes, (size_t)(width + 7) / 8);
  *isNegative = bits >> (width - 1) & 1;
  return bits & ((UINT64_C(1) << type->mantissaBits) - 1);
}

/// A NaN keeps its bits where its format has several.
static void printNan(XlaIrText *text, const XlaElementTypeInfo *type,
                     const void *bytes) {
  bool isNegative;
  uint64_t bits = readNan(type, bytes, &isNegative);
  if (type->flavor != XlaFloatFlavorIeee) {
    xlaIrTextPrint(text, "%snan",
                   isNegative && type->flavor == XlaFloatFlavorFn ? "-" : "");
    return;
  }
  const char *sign = isNegative ? "-" : "";
  if (bits == UINT64_C(1) << (type->mantissaBits - 1))
    xlaIrTextPrint(text, "%snan", sign);
  else
    xlaIrTextPrint(text, "%snan(0x%" PRIx64 ")", sign, bits);
}

/// The fewest digits that give `value` again; always as a float: "-0" would be
/// the integer.
static void printReal(XlaIrText *text, const XlaElementTypeInfo *type,
                      double value, const void *bytes) {
  if (isnan(value)) {
    printNan(text, type, bytes);
    return;
  }
  if (isinf(value)) {
    xlaIrTextPrint(text, "%sinf", value < 0 ? "-" : "");
    return;
  }
  char digits[MLIR_EXT_FLOAT_CHARS];
  size_t length = type->mantissaBits > 23
                      ? mlirExtPrintDouble(value, digits)
                      : mlirExtPrintFloat((float)value, digits);
  xlaIrTextAppend(mlirStringRefCreate(digits, length), text);
  if (!memchr(digits, '.', length) && !memchr(digits, 'e', length))
    appendChars(text, ".0");
}

static void printElement(XlaIrText *text, const XlaLiteral *literal,
                         int64_t linear) {
  XlaElementType type = xlaLiteralGetShape(literal)->elementType;
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  const char *bytes =
      (const char *)xlaLiteralGetData(literal) + linear * info->bytes;
  XlaScalar value = xlaLiteralGet(literal, linear);
  switch (info->typeClass) {
  case XlaTypeClassPred:
    xlaIrTextPrint(text, "%d", value.u != 0);
    return;
  case XlaTypeClassSigned:
    xlaIrTextPrint(text, "%" PRId64, value.s);
    return;
  case XlaTypeClassUnsigned:
    xlaIrTextPrint(text, "%" PRIu64, value.u);
    return;
  case XlaTypeClassFloat:
    printReal(text, info, value.f.re, bytes);
    return;
  case XlaTypeClassComplex:
    break;
  }
  xlaIrTextPrint(text, "(");
  printReal(text, info, value.f.re, bytes);
  xlaIrTextPrint(text, ", ");
  printReal(text, info, value.f.im, bytes + info->bytes / 2);
  xlaIrTextPrint(text, ")");
}

/// Braces that open before element `linear`, or close after it: one for each
/// dimension whose elements begin, or end, there.
static int braces(const XlaShape *shape, int64_t linear) {
  int n = 0;
  int64_t size = 1;
  for (int i = shape->rank; i-- > 0; ++n) {
    size *= shape->dims[i];
    if (linear % size)
      break;
  }
  return n;
}

/// Without elements only the braces are left.
static void printEmpty(XlaIrText *text, const XlaShape *shape, int dimension) {
  xlaIrTextPrint(text, "{");
  if (dimension + 1 < shape->rank && shape->dims[dimension] <= 1024)
    for (int64_t i = 0; i < shape->dims[dimension]; ++i) {
      xlaIrTextPrint(text, "%s", i ? ", " : "");
      printEmpty(text, shape, dimension + 1);
    }
  xlaIrTextPrint(text, "}");
}

void xlaHloPrintElements(XlaIrText *text, const XlaLiteral *literal,
                         int64_t begin, int64_t end) {
  const XlaShape *shape = xlaLiteralGetShape(literal);
  for (int64_t i = begin; i < end && !text->isCut; ++i) {
    if (i)
      appendChars(text, ", ");
    for (int k = braces(shape, i); k > 0; --k)
      appendChars(text, "{");
    printElement(text, literal, i);
    for (int k = braces(shape, i + 1); k > 0; --k)
      appendChars(text, "}");
  }
}

void xlaHloPrintLiteral(XlaIrText *text, const XlaLiteral *literal) {
  const XlaShape *shape = xlaLiteralGetShape(literal);
  int64_t n = xlaLiteralGetElementCount(literal);
  if (!n)
    printEmpty(text, shape, 0);
  xlaHloPrintElements(text, literal, 0, n);
}

//===- write_attributes.c - Attributes that are written -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/module.h"
#include "xlac/formats/vhlo/builtin.h"
#include "xlac/formats/vhlo/writer.h"

#include <stdlib.h>
#include <string.h>

/// Codes of the builtin dialect.
enum {
#define XLA_VHLO_ATTRIBUTE(code, Kind, name) vhlo##Kind = code,
#include "xlac/formats/vhlo/codes.def"
};

static bool refuse(XlaVhloWriter *writer, MlirAttribute attribute) {
  char text[200] = "";
  XlaIrLine line = {text, sizeof text, 0};
  mlirAttributePrint(attribute, xlaIrLineAppend, &line);
  return xlaVhloRefuse(writer, "has the attribute %s, which artifacts have not",
                       text);
}

//===----------------------------------------------------------------------===//
// What both dialects have
//===----------------------------------------------------------------------===//

static bool writeArray(XlaVhloWriter *writer, XlaVhloCoding coding,
                       MlirAttribute attribute, XlaIrText *to) {
  intptr_t n = mlirArrayAttrGetNumElements(attribute);
  xlaVhloPutVarint(to, (uint64_t)n);
  for (intptr_t i = 0; i < n; ++i)
    if (!xlaVhloPutAttribute(writer, coding,
                             mlirArrayAttrGetElement(attribute, i), to))
      return false;
  return true;
}

static bool writeDictionary(XlaVhloWriter *writer, XlaVhloCoding keys,
                            XlaVhloCoding values, MlirAttribute attribute,
                            XlaIrText *to) {
  intptr_t n = mlirDictionaryAttrGetNumElements(attribute);
  xlaVhloPutVarint(to, (uint64_t)n);
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute named = mlirDictionaryAttrGetElement(attribute, i);
    MlirAttribute key =
        mlirStringAttrGet(writer->context, mlirIdentifierStr(named.name));
    if (!xlaVhloPutAttribute(writer, keys, key, to) ||
        !xlaVhloPutAttribute(writer, values, named.attribute, to))
      return false;
  }
  return true;
}

/// The bits of a number, which an array of it has: as a byte, or as a signed
/// number.
static bool writeNumber(XlaVhloWriter *writer, XlaVhloCoding coding,
                        MlirAttribute attribute, XlaIrText *to) {
  const int64_t one = 1;
  MlirType type = mlirAttributeGetType(attribute);
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
                   : mlirTypeIsAFloat(type) ? mlirFloatTypeGetWidth(type)
                                            : 64;
  if (width > 64)
    return refuse(writer, attribute);
  MlirStringRef raw = mlirExtDenseGetRawData(mlirDenseElementsAttrSplatGet(
      mlirRankedTensorTypeGet(1, &one, type, mlirAttributeGetNull()),
      attribute));
  uint64_t bits = 0;
  memcpy(&bits, raw.data, raw.length < sizeof bits ? raw.length : sizeof bits);
  if (width < 64)
    bits &= ((uint64_t)1 << width) - 1;
  if (!xlaVhloPutType(writer, coding, type, to))
    return false;
  if (width > 8)
    xlaVhloPutSigned(to, (int64_t)bits);
  else
    xlaVhloPutByte(to, (uint8_t)bits);
  return true;
}

//===----------------------------------------------------------------------===//
// VHLO's
//===----------------------------------------------------------------------===//

static bool writeTensor(XlaVhloWriter *writer, MlirAttribute attribute,
                        XlaIrText *to) {
  MlirType type = mlirAttributeGetType(attribute);
  MlirType element = mlirShapedTypeGetElementType(type);
  bool isBool =
      mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
  MlirStringRef raw = mlirExtDenseGetRawData(attribute);
  // Resources hold bools in another way.
  if (isBool && mlirExtAttributeIsADenseResource(attribute))
    return refuse(writer, attribute);
  xlaVhloPutVarint(to, vhloTensor);
  if (!xlaVhloPutType(writer, XlaVhloCodingVhlo, type, to))
    return false;
  xlaVhloPutVarint(to, raw.length);
  if (raw.length < XLA_MODULE_LARGE_CONSTANT)
    xlaVhloPutBytes(to, raw.data, raw.length);
  else
    writer->blob = raw;
  return true;
}

static bool writeVhlo(XlaVhloWriter *writer, MlirAttribute attribute,
                      XlaIrText *to) {
  if (mlirAttributeIsABool(attribute)) {
    xlaVhloPutVarint(to, vhloBool);
    xlaVhloPutVarint(to, mlirBoolAttrGetValue(attribute));
    return true;
  }
  if (mlirAttributeIsAInteger(attribute) || mlirAttributeIsAFloat(attribute)) {
    bool isFloat = mlirAttributeIsAFloat(attribute);
    xlaVhloPutVarint(to, isFloat ? vhloFloat : vhloInteger);
    return writeNumber(writer, XlaVhloCodingVhlo, attribute, to);
  }
  if (mlirAttributeIsAString(attribute)) {
    xlaVhloPutVarint(to, vhloString);
    return xlaVhloPutString(writer, mlirStringAttrGetValue(attribute), to);
  }
  if (mlirAttributeIsAArray(attribute)) {
    xlaVhloPutVarint(to, vhloArray);
    return writeArray(writer, XlaVhloCodingVhlo, attribute, to);
  }
  if (mlirAttributeIsADictionary(attribute)) {
    xlaVhloPutVarint(to, vhloDictionary);
    return writeDictionary(writer, XlaVhloCodingVhlo, XlaVhloCodingVhlo,
                           attribute, to);
  }
  if (mlirAttributeIsAType(attribute)) {
    xlaVhloPutVarint(to, vhloType);
    return xlaVhloPutType(writer, XlaVhloCodingVhlo,
                          mlirTypeAttrGetValue(attribute), to);
  }
  if (mlirAttributeIsADenseElements(attribute) ||
      mlirExtAttributeIsADenseResource(attribute))
    return writeTensor(writer, attribute, to);
  return mlirAttributeIsAOpaque(attribute)
             ? xlaVhloWriteForeign(writer, attribute, to)
             : refuse(writer, attribute);
}

//===----------------------------------------------------------------------===//
// MLIR's own
//===----------------------------------------------------------------------===//

static bool writeBuiltin(XlaVhloWriter *writer, MlirAttribute attribute,
                         XlaIrText *to) {
  const XlaVhloCoding coding = XlaVhloCodingBuiltin;
  if (mlirAttributeIsALocation(attribute))
    return xlaVhloWriteLocation(writer, mlirLocationFromAttribute(attribute),
                                to);
  if (mlirAttributeIsAInteger(attribute) || mlirAttributeIsAFloat(attribute)) {
    bool isFloat = mlirAttributeIsAFloat(attribute);
    xlaVhloPutVarint(to, isFloat ? XlaBuiltinAttributeFloat
                                 : XlaBuiltinAttributeInteger);
    return writeNumber(writer, coding, attribute, to);
  }
  if (mlirAttributeIsAString(attribute)) {
    xlaVhloPutVarint(to, XlaBuiltinAttributeString);
    return xlaVhloPutString(writer, mlirStringAttrGetValue(attribute), to);
  }
  if (mlirAttributeIsAArray(attribute)) {
    xlaVhloPutVarint(to, XlaBuiltinAttributeArray);
    return writeArray(writer, coding, attribute, to);
  }
  if (mlirAttributeIsADictionary(attribute)) {
    xlaVhloPutVarint(to, XlaBuiltinAttributeDictionary);
    return writeDictionary(writer, coding, coding, attribute, to);
  }
  if (mlirAttributeIsAFlatSymbolRef(attribute)) {
    xlaVhloPutVarint(to, XlaBuiltinAttributeSymbol);
    return xlaVhloPutAttribute(
        writer, coding,
        mlirStringAttrGet(writer->context,
                          mlirFlatSymbolRefAttrGetValue(attribute)),
        to);
  }
  if (mlirAttributeIsAType(attribute)) {
    xlaVhloPutVarint(to, XlaBuiltinAttributeType);
    return xlaVhloPutType(writer, coding, mlirTypeAttrGetValue(attribute), to);
  }
  if (!mlirAttributeIsAUnit(attribute))
    return refuse(writer, attribute);
  xlaVhloPutVarint(to, XlaBuiltinAttributeUnit);
  return true;
}

//===----------------------------------------------------------------------===//
// All attributes
//===----------------------------------------------------------------------===//

static bool writeContent(XlaVhloWriter *writer, XlaVhloCoding coding,
                         MlirAttribute attribute, XlaIrText *to) {
  switch (coding) {
  case XlaVhloCodingVhlo:
    return writeVhlo(writer, attribute, to);
  case XlaVhloCodingBuiltin:
    return writeBuiltin(writer, attribute, to);
  case XlaVhloCodingApiVersion:
    if (!mlirAttributeIsAInteger(attribute) ||
        mlirIntegerAttrGetValueInt(attribute) < 0)
      return refuse(writer, attribute);
    xlaVhloPutVarint(to, vhloApiVersion);
    xlaVhloPutVarint(to, (uint64_t)mlirIntegerAttrGetValueInt(attribute));
    return true;
  case XlaVhloCodingOfOp:
    xlaVhloPutVarint(to, XlaBuiltinAttributeDictionary);
    return writeDictionary(writer, XlaVhloCodingBuiltin, XlaVhloCodingVhlo,
                           attribute, to);
  case XlaVhloCodingCount:
    break;
  }
  return false;
}

bool xlaVhloIndexAttribute(XlaVhloWriter *writer, XlaVhloCoding coding,
                           MlirAttribute attribute, uint64_t *index) {
  XlaIrText content = {0};
  if (xlaVhloFindEntry(&writer->attributes, coding, attribute.ptr, index))
    return true;
  if (!xlaVhloEnterEntry(writer))
    return false;
  bool written = writeContent(writer, coding, attribute, &content);
  xlaVhloLeaveEntry(writer);
  if (written)
    return xlaVhloAddEntry(writer, &writer->attributes, coding, attribute.ptr,
                           &content, index);
  free(content.data);
  return false;
}

bool xlaVhloPutAttribute(XlaVhloWriter *writer, XlaVhloCoding coding,
                         MlirAttribute attribute, XlaIrText *to) {
  uint64_t index;
  if (!xlaVhloIndexAttribute(writer, coding, attribute, &index))
    return false;
  xlaVhloPutVarint(to, index);
  return true;
}

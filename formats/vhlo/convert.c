//===- convert.c - Attributes of StableHLO's operations -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// What StableHLO leaves out
//===----------------------------------------------------------------------===//

static bool isInteger(MlirAttribute value, int64_t wanted) {
  return mlirAttributeIsAInteger(value) && !mlirAttributeIsABool(value) &&
         mlirIntegerAttrGetValueInt(value) == wanted;
}

/// Whether all elements of a tensor of i64 or bool are `wanted`, and there are
/// some.
static bool isSplat(MlirAttribute value, int64_t wanted) {
  if (!mlirAttributeIsADenseElements(value) ||
      !mlirDenseElementsAttrIsSplat(value))
    return false;
  MlirType type = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
  if (!mlirTypeIsAInteger(type))
    return false;
  return mlirIntegerTypeGetWidth(type) == 1
             ? mlirDenseElementsAttrGetBoolSplatValue(value) == (wanted != 0)
             : mlirIntegerTypeGetWidth(type) == 64 &&
                   mlirDenseElementsAttrGetInt64SplatValue(value) == wanted;
}

static bool isAll(MlirAttribute value, MlirAttribute wanted) {
  if (!mlirAttributeIsAArray(value))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(value, i), wanted))
      return false;
  return true;
}

/// An attribute by its text, made once.
static MlirAttribute getUsual(XlaVhloReader *reader, XlaVhloUsual usual,
                              const char *text) {
  if (mlirAttributeIsNull(reader->usual[usual]))
    reader->usual[usual] = mlirAttributeParseGet(
        reader->context, mlirStringRefCreateFromCString(text));
  return reader->usual[usual];
}

static bool isUsual(XlaVhloReader *reader, XlaVhloUsual usual,
                    MlirAttribute value) {
  switch (usual) {
  case XlaVhloUsualNone:
  case XlaVhloUsualText:
  case XlaVhloUsualCount:
    return false;
  case XlaVhloUsualFalse:
    return mlirAttributeIsABool(value) && !mlirBoolAttrGetValue(value);
  case XlaVhloUsualZero:
    return isInteger(value, 0);
  case XlaVhloUsualMinusOne:
    return isInteger(value, -1);
  case XlaVhloUsualOriginal:
    return isInteger(value, 1);
  case XlaVhloUsualNoText:
    return mlirAttributeIsAString(value) &&
           !mlirStringAttrGetValue(value).length;
  case XlaVhloUsualNoArray:
    return mlirAttributeIsAArray(value) && !mlirArrayAttrGetNumElements(value);
  case XlaVhloUsualNoDictionary:
    return mlirAttributeIsADictionary(value) &&
           !mlirDictionaryAttrGetNumElements(value);
  case XlaVhloUsualNoTensor:
    return mlirAttributeIsADenseElements(value) &&
           !mlirElementsAttrGetNumElements(value);
  case XlaVhloUsualOnes:
    return isSplat(value, 1);
  case XlaVhloUsualZeros:
  case XlaVhloUsualFalses:
    return isSplat(value, 0);
  case XlaVhloUsualPrecision:
    return isAll(value,
                 getUsual(reader, usual, "#stablehlo<precision DEFAULT>"));
  case XlaVhloUsualNoType:
    return mlirAttributeEqual(
        value, getUsual(reader, usual, "#stablehlo<comparison_type NOTYPE>"));
  case XlaVhloUsualAccuracy:
    return mlirAttributeEqual(
        value, getUsual(reader, usual,
                        "#stablehlo.result_accuracy<mode = "
                        "#stablehlo.result_accuracy_mode<DEFAULT>>"));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Other forms
//===----------------------------------------------------------------------===//

bool xlaVhloGetIntegers(XlaVhloReader *reader, const XlaVhloValues *values,
                        int column, XlaI64List *list) {
  MlirAttribute value = values->items[column];
  const char *name = values->op->columns[column].name;
  MlirType type = mlirAttributeGetType(value), element = {NULL};
  list->size = 0;
  if (mlirAttributeIsADenseElements(value))
    element = mlirShapedTypeGetElementType(type);
  bool isBool = !mlirTypeIsNull(element) && mlirTypeIsAInteger(element) &&
                mlirIntegerTypeGetWidth(element) == 1;
  if (mlirTypeIsNull(element) ||
      !(isBool || (mlirTypeIsAInteger(element) &&
                   mlirIntegerTypeGetWidth(element) == 64)))
    return xlaByteError(reader->source, values->at,
                        "'%s' of vhlo.%s is no list of integers", name,
                        values->op->name);
  int64_t n = mlirElementsAttrGetNumElements(value);
  if (n > XLA_MAX_LIST)
    return xlaByteUnsupported(reader->source, values->at,
                              "'%s' of vhlo.%s has more than %d elements", name,
                              values->op->name, XLA_MAX_LIST);
  list->size = (int)n;
  for (int i = 0; i < list->size; ++i)
    list->values[i] = isBool ? mlirDenseElementsAttrGetBoolValue(value, i)
                             : mlirDenseElementsAttrGetInt64Value(value, i);
  return true;
}

static bool convertList(XlaVhloReader *reader, const XlaVhloValues *values,
                        int column, MlirAttribute *attribute) {
  XlaI64List list;
  int bools[XLA_MAX_LIST];
  if (!xlaVhloGetIntegers(reader, values, column, &list))
    return false;
  for (int i = 0; i < list.size; ++i)
    bools[i] = list.values[i] != 0;
  *attribute =
      values->op->columns[column].form == XlaVhloFormBools
          ? mlirDenseBoolArrayGet(reader->context, list.size, bools)
          : mlirDenseI64ArrayGet(reader->context, list.size, list.values);
  return true;
}

static bool convertSymbol(XlaVhloReader *reader, const XlaVhloValues *values,
                          MlirAttribute value, MlirAttribute *attribute) {
  if (!mlirAttributeIsAString(value))
    return xlaByteError(reader->source, values->at,
                        "vhlo.%s names a function by what is no text",
                        values->op->name);
  *attribute =
      mlirFlatSymbolRefAttrGet(reader->context, mlirStringAttrGetValue(value));
  return true;
}

static bool convertSymbols(XlaVhloReader *reader, const XlaVhloValues *values,
                           MlirAttribute value, MlirAttribute *attribute) {
  if (!mlirAttributeIsAArray(value))
    return xlaByteError(reader->source, values->at,
                        "vhlo.%s names functions by what is no list",
                        values->op->name);
  size_t n = (size_t)mlirArrayAttrGetNumElements(value);
  MlirAttribute *symbols = xlaByteAllocate(reader->source, n, sizeof *symbols);
  bool converted = symbols != NULL;
  for (size_t i = 0; converted && i < n; ++i)
    converted =
        convertSymbol(reader, values,
                      mlirArrayAttrGetElement(value, (intptr_t)i), &symbols[i]);
  if (converted)
    *attribute = mlirArrayAttrGet(reader->context, (intptr_t)n, symbols);
  free(symbols);
  return converted;
}

/// True as unit, and nothing for false.
static bool convertFlag(XlaVhloReader *reader, const XlaVhloValues *values,
                        int column, MlirAttribute *attribute) {
  MlirAttribute value = values->items[column];
  if (!mlirAttributeIsABool(value))
    return xlaByteError(reader->source, values->at,
                        "'%s' of vhlo.%s is no bool",
                        values->op->columns[column].name, values->op->name);
  *attribute = mlirBoolAttrGetValue(value) ? mlirUnitAttrGet(reader->context)
                                           : mlirAttributeGetNull();
  return true;
}

//===----------------------------------------------------------------------===//
// All attributes
//===----------------------------------------------------------------------===//

static bool convertColumn(XlaVhloReader *reader, const XlaVhloValues *values,
                          int column, uint32_t *structures, const char **name,
                          MlirAttribute *attribute) {
  const XlaVhloColumn *known = &values->op->columns[column];
  MlirAttribute value = values->items[column];
  *name = known->name;
  *attribute = mlirAttributeGetNull();
  if (isUsual(reader, known->usual, value))
    return true;
  switch (known->form) {
  case XlaVhloFormSame:
    *attribute = value;
    return true;
  case XlaVhloFormI64s:
  case XlaVhloFormBools:
    return convertList(reader, values, column, attribute);
  case XlaVhloFormFlag:
    return convertFlag(reader, values, column, attribute);
  case XlaVhloFormSymbol:
    return convertSymbol(reader, values, value, attribute);
  case XlaVhloFormSymbols:
    return convertSymbols(reader, values, value, attribute);
  case XlaVhloFormDot:
  case XlaVhloFormAlgorithm:
  case XlaVhloFormGather:
  case XlaVhloFormScatter:
  case XlaVhloFormConv:
  case XlaVhloFormChannel:
  case XlaVhloFormCount:
    break;
  }
  // With the first of its parts.
  if (*structures & 1u << known->form)
    return true;
  *structures |= 1u << known->form;
  *name = xlaVhloStructureName(known->form);
  return xlaVhloBuildStructure(reader, values, known->form, attribute);
}

bool xlaVhloConvert(XlaVhloReader *reader, const XlaVhloValues *values,
                    intptr_t *n, MlirNamedAttribute *attributes) {
  uint32_t structures = 0;
  *n = 0;
  for (int i = 0; values->op->columns[i].name; ++i) {
    const char *name;
    MlirAttribute attribute;
    if (!convertColumn(reader, values, i, &structures, &name, &attribute))
      return false;
    if (mlirAttributeIsNull(attribute))
      continue;
    attributes[(*n)++] = mlirNamedAttributeGet(
        mlirIdentifierGet(reader->context,
                          mlirStringRefCreateFromCString(name)),
        attribute);
  }
  return true;
}

//===- attributes.c - Attributes of VHLO ----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/ir.h"
#include "xlac/formats/vhlo/builtin.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum AttributeCode {
#define XLA_VHLO_ATTRIBUTE(code, Kind, name) AttributeCode##Kind = code,
#include "xlac/formats/vhlo/codes.def"
} AttributeCode;

bool xlaVhloParseAttribute(XlaVhloReader *reader, const uint8_t *at,
                           const char *text, MlirAttribute *attribute) {
  *attribute = xlaIrParseAttr(reader->context, text);
  return !mlirAttributeIsNull(*attribute) ||
         xlaByteError(reader->source, at, "%s is no attribute", text);
}

//===----------------------------------------------------------------------===//
// Numbers for words
//===----------------------------------------------------------------------===//

typedef struct Enum {
  const char *text;
  const char *const *words; ///< NULL behind the last one
  uint64_t n;
} Enum;

static Enum findEnum(uint64_t code) {
  switch (code) {
#define XLA_VHLO_ENUM(code, text, ...)                                         \
  case code: {                                                                 \
    static const char *const words[] = {__VA_ARGS__};                          \
    return (Enum){text, words, sizeof words / sizeof *words};                  \
  }
#include "xlac/formats/vhlo/codes.def"
  default:
    return (Enum){NULL, NULL, 0};
  }
}

static bool readEnum(XlaVhloReader *reader, XlaByteCursor *cursor, Enum form,
                     MlirAttribute *attribute) {
  char text[128];
  uint64_t value;
  const uint8_t *at = cursor->next;
  if (!xlaByteReadVarint(cursor, &value))
    return false;
  if (value >= form.n || !form.words[value])
    return xlaByteError(reader->source, at, "%s..> has no value %llu",
                        form.text, (unsigned long long)value);
  snprintf(text, sizeof text, "%s%s>", form.text, form.words[value]);
  return xlaVhloParseAttribute(reader, at, text, attribute);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

bool xlaVhloReadAttributes(XlaVhloReader *reader, XlaByteCursor *cursor,
                           uint64_t *n, MlirAttribute **attributes) {
  *attributes = NULL;
  if (!xlaByteReadCount(cursor, "attributes", n))
    return false;
  *attributes = xlaByteAllocate(reader->source, *n, sizeof **attributes);
  bool read = *attributes != NULL;
  for (uint64_t i = 0; read && i < *n; ++i)
    read = xlaVhloReadAttribute(reader, cursor, &(*attributes)[i]);
  if (!read) {
    free(*attributes);
    *attributes = NULL;
  }
  return read;
}

static bool readArray(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirAttribute *attribute) {
  uint64_t n;
  MlirAttribute *elements;
  if (!xlaVhloReadAttributes(reader, cursor, &n, &elements))
    return false;
  *attribute = mlirArrayAttrGet(reader->context, (intptr_t)n, elements);
  free(elements);
  return true;
}

static int compareNames(const void *a, const void *b) {
  const MlirNamedAttribute *left = a, *right = b;
  return left->name.ptr < right->name.ptr   ? -1
         : left->name.ptr > right->name.ptr ? 1
                                            : 0;
}

static bool readNamed(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirNamedAttribute *named) {
  const uint8_t *at = cursor->next;
  MlirAttribute name, value;
  if (!xlaVhloReadAttribute(reader, cursor, &name) ||
      !xlaVhloReadAttribute(reader, cursor, &value))
    return false;
  if (!mlirAttributeIsAString(name) || !mlirStringAttrGetValue(name).length)
    return xlaByteError(reader->source, at, "a key is no text");
  *named = mlirNamedAttributeGet(
      mlirIdentifierGet(reader->context, mlirStringAttrGetValue(name)), value);
  return true;
}

/// The coding of both VHLO's and MLIR's own dictionaries.
static bool readDictionary(XlaVhloReader *reader, XlaByteCursor *cursor,
                           MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  uint64_t n;
  if (!xlaByteReadCount(cursor, "attributes", &n))
    return false;
  MlirNamedAttribute *items = xlaByteAllocate(reader->source, n, sizeof *items);
  bool read = items != NULL;
  for (uint64_t i = 0; read && i < n; ++i)
    read = readNamed(reader, cursor, &items[i]);
  if (read) {
    // Keys must differ; identifiers are unique.
    qsort(items, n, sizeof *items, compareNames);
    for (uint64_t i = 1; read && i < n; ++i)
      if (items[i].name.ptr == items[i - 1].name.ptr)
        read = xlaByteError(reader->source, at, "two keys are the same");
  }
  if (read)
    *attribute = mlirDictionaryAttrGet(reader->context, (intptr_t)n, items);
  free(items);
  return read;
}

//===----------------------------------------------------------------------===//
// Structures
//===----------------------------------------------------------------------===//

bool xlaVhloReadIntegerText(XlaByteCursor *cursor, char *text, size_t size) {
  const uint8_t *at = cursor->next;
  uint64_t n;
  size_t length = 0;
  int64_t value;
  text[0] = '\0';
  if (!xlaByteReadCount(cursor, "integers", &n))
    return false;
  if (n > XLA_MAX_LIST)
    return xlaByteUnsupported(cursor->source, at, "more than %d integers",
                              XLA_MAX_LIST);
  for (uint64_t i = 0; i < n; ++i) {
    if (!xlaByteReadSigned(cursor, &value))
      return false;
    if (value == mlirShapedTypeGetDynamicSize())
      length +=
          (size_t)snprintf(text + length, size - length, "%s?", i ? ", " : "");
    else
      length += (size_t)snprintf(text + length, size - length, "%s%lld",
                                 i ? ", " : "", (long long)value);
  }
  return true;
}

/// Enough for a list as above.
enum { listSize = 24 * XLA_MAX_LIST };

static bool readAlias(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirAttribute *attribute) {
  char output[listSize], operand[listSize], text[2 * listSize + 256];
  const uint8_t *at = cursor->next;
  int64_t index;
  if (!xlaVhloReadIntegerText(cursor, output, sizeof output) ||
      !xlaByteReadSigned(cursor, &index) ||
      !xlaVhloReadIntegerText(cursor, operand, sizeof operand))
    return false;
  snprintf(text, sizeof text,
           "#stablehlo.output_operand_alias<output_tuple_indices = [%s], "
           "operand_index = %lld, operand_tuple_indices = [%s]>",
           output, (long long)index, operand);
  return xlaVhloParseAttribute(reader, at, text, attribute);
}

static bool readBounds(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirAttribute *attribute) {
  char bounds[listSize], text[listSize + 64];
  const uint8_t *at = cursor->next;
  if (!xlaVhloReadIntegerText(cursor, bounds, sizeof bounds))
    return false;
  snprintf(text, sizeof text, "#stablehlo.bounds<%s>", bounds);
  return xlaVhloParseAttribute(reader, at, text, attribute);
}

/// `name = value, ` as MLIR prints a double; nothing for 0.
static void appendDouble(XlaVhloReader *reader, const char *name, double value,
                         XlaIrText *text) {
  char chars[64] = "";
  XlaIrLine line = {chars, sizeof chars, 0};
  if (value == 0)
    return;
  mlirAttributePrint(mlirFloatAttrDoubleGet(reader->context,
                                            mlirF64TypeGet(reader->context),
                                            value),
                     xlaIrLineAppend, &line);
  xlaIrTextAppend(mlirStringRefCreateFromCString(name), text);
  // Without its type, ` : f64`.
  for (size_t i = 0; i < line.length && chars[i] != ' '; ++i)
    xlaIrTextAppend(mlirStringRefCreate(&chars[i], 1), text);
  xlaIrTextAppend(mlirStringRefCreateFromCString(", "), text);
}

static bool readAccuracy(XlaVhloReader *reader, XlaByteCursor *cursor,
                         MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  double atol, rtol;
  int64_t ulps;
  MlirAttribute mode;
  char chars[40];
  if (!xlaVhloReadDouble(cursor, &atol) || !xlaVhloReadDouble(cursor, &rtol) ||
      !xlaByteReadSigned(cursor, &ulps) ||
      !xlaVhloReadAttribute(reader, cursor, &mode))
    return false;
  XlaIrText text = {NULL, 0, 0, false};
  xlaIrTextAppend(mlirStringRefCreateFromCString("#stablehlo.result_accuracy<"),
                  &text);
  appendDouble(reader, "atol = ", atol, &text);
  appendDouble(reader, "rtol = ", rtol, &text);
  snprintf(chars, sizeof chars, "ulps = %lld, ", (long long)ulps);
  if (ulps)
    xlaIrTextAppend(mlirStringRefCreateFromCString(chars), &text);
  xlaIrTextAppend(mlirStringRefCreateFromCString("mode = "), &text);
  mlirAttributePrint(mode, xlaIrTextAppend, &text);
  xlaIrTextAppend(mlirStringRefCreate(">", 2), &text); // and the 0
  bool made = text.isCut
                  ? xlaByteUnsupported(reader->source, at, "out of memory")
                  : xlaVhloParseAttribute(reader, at, text.data, attribute);
  free(text.data);
  return made;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool readBool(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  uint64_t value;
  if (!xlaByteReadVarint(cursor, &value))
    return false;
  *attribute = mlirBoolAttrGet(reader->context, value != 0);
  return value < 2 || xlaByteError(reader->source, at, "%llu is no bool",
                                   (unsigned long long)value);
}

static bool readApiVersion(XlaVhloReader *reader, XlaByteCursor *cursor,
                           MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  uint64_t value;
  if (!xlaByteReadVarint(cursor, &value))
    return false;
  *attribute = mlirIntegerAttrGet(mlirIntegerTypeGet(reader->context, 32),
                                  (int64_t)value);
  return value <= INT32_MAX ||
         xlaByteError(reader->source, at, "%llu is no version of calls",
                      (unsigned long long)value);
}

static bool readString(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirAttribute *attribute) {
  MlirStringRef string;
  if (!xlaVhloReadString(reader, cursor, &string))
    return false;
  *attribute = mlirStringAttrGet(reader->context, string);
  return true;
}

static bool readTyped(XlaVhloReader *reader, XlaByteCursor *cursor,
                      bool (*read)(XlaVhloReader *, XlaByteCursor *, MlirType,
                                   MlirAttribute *),
                      MlirAttribute *attribute) {
  MlirType type;
  return xlaVhloReadType(reader, cursor, &type) &&
         read(reader, cursor, type, attribute);
}

static bool readTypeValue(XlaVhloReader *reader, XlaByteCursor *cursor,
                          MlirAttribute *attribute) {
  MlirType type;
  if (!xlaVhloReadType(reader, cursor, &type))
    return false;
  *attribute = mlirTypeAttrGet(type);
  return true;
}

//===----------------------------------------------------------------------===//
// All attributes
//===----------------------------------------------------------------------===//

static bool readContent(XlaVhloReader *reader, XlaByteCursor *cursor,
                        MlirAttribute *attribute) {
  uint64_t code;
  if (!xlaByteReadVarint(cursor, &code))
    return false;
  Enum form = findEnum(code);
  if (form.text)
    return readEnum(reader, cursor, form, attribute);
  switch ((AttributeCode)code) {
  case AttributeCodeArray:
    return readArray(reader, cursor, attribute);
  case AttributeCodeBool:
    return readBool(reader, cursor, attribute);
  case AttributeCodeApiVersion:
    return readApiVersion(reader, cursor, attribute);
  case AttributeCodeDictionary:
    return readDictionary(reader, cursor, attribute);
  case AttributeCodeFloat:
  case AttributeCodeInteger:
    return readTyped(reader, cursor, xlaVhloReadNumber, attribute);
  case AttributeCodeOutputOperandAlias:
    return readAlias(reader, cursor, attribute);
  case AttributeCodeString:
    return readString(reader, cursor, attribute);
  case AttributeCodeTensor:
    return readTyped(reader, cursor, xlaVhloReadDense, attribute);
  case AttributeCodeType:
    return readTypeValue(reader, cursor, attribute);
  case AttributeCodeTypeExtensions:
    return readBounds(reader, cursor, attribute);
  case AttributeCodeResultAccuracy:
    return readAccuracy(reader, cursor, attribute);
  case AttributeCodeSubAxis:
    return xlaVhloReadSubAxis(reader, cursor, attribute);
  case AttributeCodeAxis:
    return xlaVhloReadAxis(reader, cursor, attribute);
  case AttributeCodeMeshGroups:
    return xlaVhloReadMeshGroups(reader, cursor, attribute);
  case AttributeCodeMeshAxis:
    return xlaVhloReadMeshAxis(reader, cursor, attribute);
  case AttributeCodeMesh:
    return xlaVhloReadMesh(reader, cursor, attribute);
  }
  return xlaByteUnsupported(reader->source, cursor->next,
                            "VHLO's attribute of code %llu is not supported "
                            "yet",
                            (unsigned long long)code);
}

bool xlaVhloReadBuiltin(XlaVhloReader *reader, XlaByteCursor *cursor,
                        uint64_t code, MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  MlirAttribute name;
  switch (code) {
  case XlaBuiltinAttributeArray:
    return readArray(reader, cursor, attribute);
  case XlaBuiltinAttributeDictionary:
    return readDictionary(reader, cursor, attribute);
  case XlaBuiltinAttributeString:
    return readString(reader, cursor, attribute);
  case XlaBuiltinAttributeSymbol:
    if (!xlaVhloReadAttribute(reader, cursor, &name))
      return false;
    if (!mlirAttributeIsAString(name))
      return xlaByteError(reader->source, at, "a symbol is no text");
    *attribute =
        mlirFlatSymbolRefAttrGet(reader->context, mlirStringAttrGetValue(name));
    return true;
  case XlaBuiltinAttributeType:
    return readTypeValue(reader, cursor, attribute);
  case XlaBuiltinAttributeUnit:
    *attribute = mlirUnitAttrGet(reader->context);
    return true;
  case XlaBuiltinAttributeInteger:
  case XlaBuiltinAttributeFloat:
    return readTyped(reader, cursor, xlaVhloReadNumber, attribute);
  case XlaBuiltinAttributeDense:
    return readTyped(reader, cursor, xlaVhloReadDense, attribute);
  default:
    return xlaVhloReadBuiltinLocation(reader, cursor, code, attribute);
  }
}

static bool refuseDialect(XlaVhloReader *reader, const XlaVhloEntry *entry) {
  MlirStringRef name = reader->dialects[entry->dialect];
  return xlaByteUnsupported(
      reader->source, entry->begin,
      "an attribute of the dialect '%.*s' is not supported",
      (int)(name.length < 100 ? name.length : 100), name.data);
}

/// Text of an attribute, as it stands in programs: `#sdy.sharding<..>`. It is
/// kept as text, as that of a dialect which does not define it.
static bool readText(XlaVhloReader *reader, const XlaVhloEntry *entry,
                     XlaByteCursor *content, MlirAttribute *attribute) {
  MlirStringRef name = reader->dialects[entry->dialect], text;
  int64_t line, column;
  if (!xlaByteReadString(content, &text))
    return false;
  bool isOwn = text.length > name.length + 2 && text.data[0] == '#' &&
               !memcmp(text.data + 1, name.data, name.length) &&
               text.data[name.length + 1] == '.';
  if (!isOwn || xlaTextFindHazard(text, &line, &column))
    return refuseDialect(reader, entry);
  *attribute = mlirOpaqueAttrGet(
      reader->context, name, (intptr_t)(text.length - name.length - 2),
      text.data + name.length + 2, mlirNoneTypeGet(reader->context));
  return true;
}

static bool isShardy(const XlaVhloReader *reader, const XlaVhloEntry *entry) {
  MlirStringRef name = reader->dialects[entry->dialect];
  return name.length == 3 && !memcmp(name.data, "sdy", 3);
}

static bool readEntry(XlaVhloReader *reader, const XlaVhloEntry *entry,
                      XlaByteCursor *content, MlirAttribute *attribute) {
  uint64_t code;
  XlaVhloDialect dialect = xlaVhloGetDialect(reader, entry->dialect);
  if (dialect == XlaVhloDialectOther)
    return entry->isText ? readText(reader, entry, content, attribute)
           : isShardy(reader, entry)
               ? xlaVhloReadShardy(reader, content, attribute)
               : refuseDialect(reader, entry);
  if (entry->isText)
    return refuseDialect(reader, entry);
  return dialect == XlaVhloDialectVhlo
             ? readContent(reader, content, attribute)
             : xlaByteReadVarint(content, &code) &&
                   xlaVhloReadBuiltin(reader, content, code, attribute);
}

bool xlaVhloGetAttribute(XlaVhloReader *reader, const uint8_t *at,
                         uint64_t index, MlirAttribute *attribute) {
  XlaVhloEntry *entry;
  XlaByteCursor content;
  *attribute = (MlirAttribute){NULL};
  if (!xlaVhloBeginEntry(reader, at, &reader->attributes, index, "attribute",
                         &entry, &content))
    return false;
  if (!entry->made) {
    bool made = readEntry(reader, entry, &content, attribute);
    if (!xlaVhloEndEntry(reader, entry, &content, made))
      return false;
    entry->made = attribute->ptr;
  }
  attribute->ptr = entry->made;
  return true;
}

bool xlaVhloReadAttribute(XlaVhloReader *reader, XlaByteCursor *cursor,
                          MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  uint64_t index;
  *attribute = (MlirAttribute){NULL};
  return xlaByteReadVarint(cursor, &index) &&
         xlaVhloGetAttribute(reader, at, index, attribute);
}

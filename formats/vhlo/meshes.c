//===- meshes.c - Groups of devices along the axes of a mesh --------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are attributes of the text that StableHLO prints; what programs do not
// have but inside of others is its bare text: `(1)2`, `<name = "x", size = 2>`.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/shape.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxName = 256 };

static void add(XlaIrText *text, const char *part) {
  xlaIrTextAppend(mlirStringRefCreateFromCString(part), text);
}

/// A string, which is a name without signs of syntax, or a part of these.
static bool readText(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirStringRef *string) {
  const uint8_t *at = cursor->next;
  MlirAttribute name;
  if (!xlaVhloReadAttribute(reader, cursor, &name))
    return false;
  if (!mlirAttributeIsAString(name))
    return xlaByteError(reader->source, at, "a part of a mesh is no text");
  *string = mlirStringAttrGetValue(name);
  return string->length <= maxName ||
         xlaByteUnsupported(reader->source, at, "a name of %zu bytes",
                            string->length);
}

static bool readName(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirStringRef *name) {
  const uint8_t *at = cursor->next;
  if (!readText(reader, cursor, name))
    return false;
  for (size_t i = 0; i < name->length; ++i)
    if (name->data[i] == '"' || name->data[i] == '\\' || name->data[i] < ' ' ||
        name->data[i] > '~')
      return xlaByteUnsupported(reader->source, at,
                                "the name of an axis or a mesh has a sign "
                                "that is not supported");
  return true;
}

static MlirAttribute bareText(XlaVhloReader *reader, const char *text) {
  return mlirStringAttrGet(reader->context,
                           mlirStringRefCreateFromCString(text));
}

bool xlaVhloReadSubAxis(XlaVhloReader *reader, XlaByteCursor *cursor,
                        MlirAttribute *attribute) {
  int64_t before, size;
  char text[64];
  if (!xlaByteReadSigned(cursor, &before) || !xlaByteReadSigned(cursor, &size))
    return false;
  snprintf(text, sizeof text, "(%lld)%lld", (long long)before, (long long)size);
  *attribute = bareText(reader, text);
  return true;
}

bool xlaVhloReadMeshAxis(XlaVhloReader *reader, XlaByteCursor *cursor,
                         MlirAttribute *attribute) {
  MlirStringRef name;
  int64_t size;
  char text[maxName + 64];
  if (!readName(reader, cursor, &name) || !xlaByteReadSigned(cursor, &size))
    return false;
  snprintf(text, sizeof text, "<name = \"%.*s\", size = %lld>",
           (int)name.length, name.data, (long long)size);
  *attribute = bareText(reader, text);
  return true;
}

bool xlaVhloReadAxis(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  MlirStringRef name, part = {NULL, 0};
  uint64_t hasPart;
  char text[2 * maxName + 64];
  if (!readName(reader, cursor, &name) ||
      !xlaByteReadVarint(cursor, &hasPart) ||
      (hasPart && !readText(reader, cursor, &part)))
    return false;
  snprintf(text, sizeof text, "#stablehlo.axis_ref<name = \"%.*s\"%s%.*s>",
           (int)name.length, name.data, hasPart ? ", sub_axis_info = " : "",
           (int)part.length, part.data);
  return xlaVhloParseAttribute(reader, at, text, attribute);
}

/// The elements of an array with commas between them.
static bool addElements(XlaVhloReader *reader, const uint8_t *at,
                        MlirAttribute array, bool areTexts, XlaIrText *text) {
  bool isArray = mlirAttributeIsAArray(array);
  intptr_t n = isArray ? mlirArrayAttrGetNumElements(array) : 0;
  if (n > XLA_MAX_RANK)
    return xlaByteUnsupported(reader->source, at, "a mesh of %lld axes",
                              (long long)n);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute element = mlirArrayAttrGetElement(array, i);
    bool isText = mlirAttributeIsAString(element);
    add(text, i ? ", " : "");
    if (isText && areTexts)
      xlaIrTextAppend(mlirStringAttrGetValue(element), text);
    else if (mlirAttributeIsAOpaque(element) && !areTexts)
      mlirAttributePrint(element, xlaIrTextAppend, text);
    else
      isArray = false;
  }
  return isArray || xlaByteError(reader->source, at, "axes that are none");
}

/// The attribute of a text whose last part is `>`.
static bool finish(XlaVhloReader *reader, const uint8_t *at, bool read,
                   XlaIrText *text, MlirAttribute *attribute) {
  xlaIrTextAppend(mlirStringRefCreate(">", 2), text); // and the 0
  if (read)
    read = text->isCut
               ? xlaByteUnsupported(reader->source, at, "out of memory")
               : xlaVhloParseAttribute(reader, at, text->data, attribute);
  free(text->data);
  return read;
}

bool xlaVhloReadMesh(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  MlirAttribute axes, devices;
  uint64_t index;
  bool hasDevices;
  XlaIrText text = {0};
  if (!xlaVhloReadAttribute(reader, cursor, &axes) ||
      !xlaByteReadVarintFlag(cursor, &index, &hasDevices) ||
      (hasDevices && !xlaVhloGetAttribute(reader, at, index, &devices)))
    return false;
  add(&text, "#stablehlo.mesh<axes=[");
  bool read = addElements(reader, at, axes, true, &text);
  add(&text, "]");
  if (read && hasDevices) {
    read = mlirAttributeIsADenseElements(devices) ||
           xlaByteError(reader->source, at, "devices that are no numbers");
    add(&text, ", device_ids=");
    if (read)
      mlirAttributePrint(devices, xlaIrTextAppend, &text);
  }
  return finish(reader, at, read, &text, attribute);
}

bool xlaVhloReadMeshGroups(XlaVhloReader *reader, XlaByteCursor *cursor,
                           MlirAttribute *attribute) {
  const uint8_t *at = cursor->next;
  MlirAttribute mesh, axes;
  XlaIrText text = {0};
  if (!xlaVhloReadAttribute(reader, cursor, &mesh) ||
      !xlaVhloReadAttribute(reader, cursor, &axes))
    return false;
  add(&text, "#stablehlo.replica_group_mesh_axes<mesh = ");
  bool read = true;
  if (mlirAttributeIsAString(mesh))
    mesh =
        mlirFlatSymbolRefAttrGet(reader->context, mlirStringAttrGetValue(mesh));
  else if (!mlirAttributeIsAOpaque(mesh))
    read = xlaByteError(reader->source, at, "a mesh that is none");
  if (read)
    mlirAttributePrint(mesh, xlaIrTextAppend, &text);
  add(&text, ", axes = [");
  read = read && addElements(reader, at, axes, false, &text);
  add(&text, "]");
  return finish(reader, at, read, &text, attribute);
}

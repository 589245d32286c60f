//===- shardy.c - Attributes of Shardy in bytecode ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shardy's dialect (sdy) says where arrays lie, in a code of its own: a number
// for the kind (shardy/dialect/sdy/ir/bytecode.td), then what it has. Made of
// them are attributes of the text that Shardy prints, which is made of the
// texts of those in it; what programs do not have but inside of others is its
// bare text: `"x":(1)2`.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ir.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  codeManualAxes = 0,
  codeMeshAxis = 1,
  codeMesh = 2,
  codeSubAxis = 3,
  codeAxis = 4,
  codeDimension = 5,
  codeSharding = 6,
  codeShardings = 7,
  codeUnreducedSharding = 15,
  codeUnreducedShardings = 16,
  codeReducedSharding = 17,
};

typedef struct Text {
  XlaVhloReader *reader;
  XlaByteCursor *cursor;
  const uint8_t *at;
  XlaIrText text;
} Text;

static bool add(Text *text, const char *part) {
  xlaIrTextAppend(mlirStringRefCreateFromCString(part), &text->text);
  return true;
}

/// A name between quotes.
static bool addName(Text *text, MlirStringRef name) {
  for (size_t i = 0; i < name.length; ++i)
    if (name.data[i] == '"' || name.data[i] == '\\' ||
        (unsigned char)name.data[i] < ' ')
      return xlaByteUnsupported(text->reader->source, text->at,
                                "the name of an axis has a sign that is not "
                                "supported");
  add(text, "\"");
  xlaIrTextAppend(name, &text->text);
  return add(text, "\"");
}

static bool readName(Text *text) {
  MlirStringRef name;
  return xlaVhloReadString(text->reader, text->cursor, &name) &&
         addName(text, name);
}

static bool readNumber(Text *text, const char *before, const char *after) {
  int64_t value;
  char number[32];
  if (!xlaByteReadSigned(text->cursor, &value))
    return false;
  snprintf(number, sizeof number, "%s%lld%s", before, (long long)value, after);
  return add(text, number);
}

/// The text of an attribute in the one that is read, without the first `skip`.
static bool addAttribute(Text *text, MlirAttribute attribute,
                         const char *skip) {
  size_t length = strlen(skip);
  if (mlirAttributeIsAString(attribute))
    return addName(text, mlirStringAttrGetValue(attribute));
  if (mlirAttributeIsAFlatSymbolRef(attribute)) {
    add(text, "@");
    xlaIrTextAppend(mlirFlatSymbolRefAttrGetValue(attribute), &text->text);
    return true;
  }
  if (mlirAttributeIsAOpaque(attribute)) {
    MlirStringRef name = mlirOpaqueAttrGetDialectNamespace(attribute);
    MlirStringRef data = mlirOpaqueAttrGetData(attribute);
    if (name.length == 3 && !memcmp(name.data, "sdy", 3) &&
        data.length >= length && !memcmp(data.data, skip, length)) {
      xlaIrTextAppend(
          mlirStringRefCreate(data.data + length, data.length - length),
          &text->text);
      return true;
    }
  }
  return xlaByteError(text->reader->source, text->at,
                      "an attribute of Shardy has one in it that it cannot "
                      "have");
}

static bool readAttribute(Text *text) {
  MlirAttribute attribute;
  return xlaVhloReadAttribute(text->reader, text->cursor, &attribute) &&
         addAttribute(text, attribute, "");
}

/// `before`, the list with commas, and `after`; nothing if it is empty and
/// `isOptional`. `*n`, unless NULL, is how many there are.
static bool readList(Text *text, const char *before, const char *after,
                     const char *skip, bool isOptional, uint64_t *n) {
  MlirAttribute *attributes;
  uint64_t count;
  if (!xlaVhloReadAttributes(text->reader, text->cursor, &count, &attributes))
    return false;
  if (n)
    *n = count;
  bool read = true;
  if (count || !isOptional) {
    add(text, before);
    for (uint64_t i = 0; read && i < count; ++i) {
      add(text, i ? ", " : "");
      read = addAttribute(text, attributes[i], skip);
    }
    add(text, after);
  }
  free(attributes);
  return read;
}

static bool readMesh(Text *text) {
  uint64_t n;
  if (!readList(text, "mesh<[", "]", "", false, NULL) ||
      !xlaByteReadCount(text->cursor, "devices", &n))
    return false;
  for (uint64_t i = 0; i < n; ++i)
    if (!readNumber(text, i ? ", " : ", device_ids=[", ""))
      return false;
  return add(text, n ? "]>" : ">");
}

static bool readAxis(Text *text) {
  const uint8_t *at = text->cursor->next;
  uint64_t index;
  bool isThere;
  MlirAttribute sub;
  if (!readName(text) || !xlaByteReadVarintFlag(text->cursor, &index, &isThere))
    return false;
  return !isThere || (xlaVhloGetAttribute(text->reader, at, index, &sub) &&
                      add(text, ":") && addAttribute(text, sub, ""));
}

static bool readDimension(Text *text) {
  uint64_t n, priority;
  uint8_t isClosed;
  bool hasPriority;
  if (!readList(text, "{", "", "", false, &n) ||
      !xlaByteRead(text->cursor, &isClosed) ||
      !xlaByteReadVarintFlag(text->cursor, &priority, &hasPriority))
    return false;
  add(text, isClosed ? "}" : n ? ", ?}" : "?}");
  if (hasPriority) {
    char number[32];
    snprintf(number, sizeof number, "p%llu", (unsigned long long)priority);
    add(text, number);
  }
  return true;
}

static bool readSharding(Text *text, bool hasUnreduced, bool hasReduction) {
  int64_t reduction;
  return add(text, "sharding<") && readAttribute(text) &&
         readList(text, ", [", "]", "", false, NULL) &&
         readList(text, ", replicated={", "}", "", true, NULL) &&
         (!hasUnreduced ||
          readList(text, ", unreduced={", "}", "", true, NULL)) &&
         (!hasReduction || xlaByteReadSigned(text->cursor, &reduction)) &&
         add(text, ">");
}

static bool readContent(Text *text, uint64_t code) {
  switch (code) {
  case codeManualAxes:
    return readList(text, "manual_axes{", "}", "", false, NULL);
  case codeMeshAxis:
    return readName(text) && readNumber(text, "=", "");
  case codeMesh:
    return readMesh(text);
  case codeSubAxis:
    return readNumber(text, "(", ")") && readNumber(text, "", "");
  case codeAxis:
    return readAxis(text);
  case codeDimension:
    return readDimension(text);
  case codeSharding:
  case codeUnreducedSharding:
  case codeReducedSharding:
    return readSharding(text, code != codeSharding,
                        code == codeReducedSharding);
  case codeShardings:
  case codeUnreducedShardings:
    return readList(text, "sharding_per_value<[", "]>", "sharding", false,
                    NULL);
  default: // rules of propagation, and what Shardy itself puts in
    text->cursor->next = text->cursor->end;
    return add(text, "left_out");
  }
}

bool xlaVhloReadShardy(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirAttribute *attribute) {
  Text text = {.reader = reader, .cursor = cursor, .at = cursor->next};
  uint64_t code;
  bool read = xlaByteReadVarint(cursor, &code) && readContent(&text, code);
  if (read && text.text.isCut)
    read = xlaByteUnsupported(reader->source, NULL, "out of memory");
  if (read)
    *attribute = mlirOpaqueAttrGet(reader->context,
                                   mlirStringRefCreateFromCString("sdy"),
                                   (intptr_t)text.text.size, text.text.data,
                                   mlirNoneTypeGet(reader->context));
  free(text.text.data);
  return read;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

const XlaVhloShardyOp *xlaVhloFindShardy(MlirStringRef name) {
  static const XlaVhloShardyOp ops[] = {
      {"mesh", {"mesh", "sym_name"}, 0},
      {"sharding_constraint", {"sharding"}, 0},
      {"reshard", {"sharding"}, 0},
      {"propagation_barrier", {"allowed_direction"}, 0},
      {"sharding_group", {"group_id"}, 0},
      {"manual_computation",
       {"in_shardings", "manual_axes", "out_shardings"},
       1},
      {"return", {NULL}, 0},
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (name.length == strlen(ops[i].name) &&
        !memcmp(name.data, ops[i].name, name.length))
      return &ops[i];
  return NULL;
}

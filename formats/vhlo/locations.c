//===- locations.c - Locations in bytecode --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/formats/vhlo/builtin.h"
#include "xlac/formats/vhlo/reader.h"

#include <stdlib.h>

/// A number of a line or column.
static bool readPlace(XlaByteCursor *cursor, unsigned *place) {
  const uint8_t *at = cursor->next;
  uint64_t value;
  if (!xlaByteReadVarint(cursor, &value))
    return false;
  *place = (unsigned)value;
  return value <= UINT32_MAX ||
         xlaByteError(cursor->source, at, "%llu is no line or column",
                      (unsigned long long)value);
}

static bool readText(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirStringRef *text) {
  const uint8_t *at = cursor->next;
  MlirAttribute attribute;
  if (!xlaVhloReadAttribute(reader, cursor, &attribute))
    return false;
  if (!mlirAttributeIsAString(attribute))
    return xlaByteError(reader->source, at, "a name is no text");
  *text = mlirStringAttrGetValue(attribute);
  return true;
}

bool xlaVhloReadLocation(XlaVhloReader *reader, XlaByteCursor *cursor,
                         MlirLocation *location) {
  const uint8_t *at = cursor->next;
  MlirAttribute attribute;
  if (!xlaVhloReadAttribute(reader, cursor, &attribute))
    return false;
  if (!mlirAttributeIsALocation(attribute))
    return xlaByteError(reader->source, at, "a location is none");
  *location = mlirLocationFromAttribute(attribute);
  return true;
}

//===----------------------------------------------------------------------===//
// Places in files
//===----------------------------------------------------------------------===//

static bool readPoint(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirLocation *location) {
  MlirStringRef file;
  unsigned line, column;
  if (!readText(reader, cursor, &file) || !readPlace(cursor, &line) ||
      !readPlace(cursor, &column))
    return false;
  *location = mlirLocationFileLineColGet(reader->context, file, line, column);
  return true;
}

/// As few numbers as tell lines and columns from and to: none, a line, a place,
/// a place and a column to, two places.
static bool readRange(XlaVhloReader *reader, XlaByteCursor *cursor,
                      MlirLocation *location) {
  MlirStringRef file;
  unsigned places[4] = {0};
  uint64_t n;
  if (!readText(reader, cursor, &file))
    return false;
  const uint8_t *at = cursor->next;
  if (!xlaByteReadVarint(cursor, &n))
    return false;
  if (n > 4)
    return xlaByteError(reader->source, at, "a range has %llu numbers",
                        (unsigned long long)n);
  for (uint64_t i = 0; i < n; ++i)
    if (!readPlace(cursor, &places[i]))
      return false;
  unsigned line = places[0], column = places[1];
  *location = mlirLocationFileLineColRangeGet(reader->context, file, line,
                                              column, n == 4 ? places[2] : line,
                                              n == 4   ? places[3]
                                              : n == 3 ? places[2]
                                                       : column);
  return true;
}

//===----------------------------------------------------------------------===//
// Locations of locations
//===----------------------------------------------------------------------===//

static bool readFused(XlaVhloReader *reader, XlaByteCursor *cursor,
                      bool hasMetadata, MlirLocation *location) {
  MlirAttribute metadata = {NULL};
  uint64_t n;
  if (!xlaByteReadCount(cursor, "locations", &n))
    return false;
  MlirLocation *items = xlaByteAllocate(reader->source, n, sizeof *items);
  bool read = items != NULL;
  for (uint64_t i = 0; read && i < n; ++i)
    read = xlaVhloReadLocation(reader, cursor, &items[i]);
  read =
      read && (!hasMetadata || xlaVhloReadAttribute(reader, cursor, &metadata));
  if (read)
    *location =
        mlirLocationFusedGet(reader->context, (intptr_t)n, items, metadata);
  free(items);
  return read;
}

static bool readCallSite(XlaVhloReader *reader, XlaByteCursor *cursor,
                         MlirLocation *location) {
  MlirLocation callee, caller;
  if (!xlaVhloReadLocation(reader, cursor, &callee) ||
      !xlaVhloReadLocation(reader, cursor, &caller))
    return false;
  *location = mlirLocationCallSiteGet(callee, caller);
  return true;
}

static bool readName(XlaVhloReader *reader, XlaByteCursor *cursor,
                     MlirLocation *location) {
  MlirStringRef name;
  MlirLocation child;
  if (!readText(reader, cursor, &name) ||
      !xlaVhloReadLocation(reader, cursor, &child))
    return false;
  *location = mlirLocationNameGet(reader->context, name, child);
  return true;
}

bool xlaVhloReadBuiltinLocation(XlaVhloReader *reader, XlaByteCursor *cursor,
                                uint64_t code, MlirAttribute *attribute) {
  MlirLocation location;
  bool read;
  switch (code) {
  case XlaBuiltinAttributeCallSite:
    read = readCallSite(reader, cursor, &location);
    break;
  case XlaBuiltinAttributePoint:
    read = readPoint(reader, cursor, &location);
    break;
  case XlaBuiltinAttributeFused:
  case XlaBuiltinAttributeFusedWithMetadata:
    read = readFused(reader, cursor,
                     code == XlaBuiltinAttributeFusedWithMetadata, &location);
    break;
  case XlaBuiltinAttributeName:
    read = readName(reader, cursor, &location);
    break;
  case XlaBuiltinAttributeUnknown:
    location = mlirLocationUnknownGet(reader->context);
    read = true;
    break;
  case XlaBuiltinAttributeRange:
    read = readRange(reader, cursor, &location);
    break;
  default:
    return xlaByteUnsupported(reader->source, cursor->next,
                              "MLIR's attribute of code %llu is not supported",
                              (unsigned long long)code);
  }
  if (read)
    *attribute = mlirLocationGetAttribute(location);
  return read;
}

//===- container.c - The tables of bytecode -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/vhlo/reader.h"

#include <stdlib.h>
#include <string.h>

/// VHLO has some 150.
enum { maxOpNames = 4096 };

static bool equals(MlirStringRef a, const char *b) {
  return a.length == strlen(b) && !memcmp(a.data, b, a.length);
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/// Skips to the next multiple of an alignment, counted from the file's begin.
static bool align(XlaVhloReader *reader, XlaByteCursor *cursor) {
  uint64_t alignment;
  const uint8_t *at = cursor->next, *padding;
  if (!xlaByteReadVarint(cursor, &alignment))
    return false;
  if (!alignment || alignment > 1 << 20 || (alignment & (alignment - 1)))
    return xlaByteError(reader->source, at, "%llu is no alignment",
                        (unsigned long long)alignment);
  uint64_t past = (uint64_t)(cursor->next - reader->begin) & (alignment - 1);
  return xlaByteReadBlob(cursor, past ? alignment - past : 0, &padding);
}

bool xlaVhloReadSection(XlaVhloReader *reader, XlaByteCursor *cursor,
                        uint8_t *id, XlaByteCursor *content) {
  uint64_t length;
  const uint8_t *bytes;
  if (!xlaByteRead(cursor, id) || !xlaByteReadVarint(cursor, &length) ||
      ((*id & 0x80) && !align(reader, cursor)) ||
      !xlaByteReadBlob(cursor, length, &bytes))
    return false;
  *id &= 0x7f;
  *content = (XlaByteCursor){reader->source, bytes, bytes + length};
  return true;
}

static bool readSections(XlaVhloReader *reader, XlaByteCursor *cursor) {
  static const XlaBytecodeSection needed[] = {
      XlaBytecodeSectionString, XlaBytecodeSectionDialect,
      XlaBytecodeSectionEntry, XlaBytecodeSectionOffset, XlaBytecodeSectionIr};
  while (cursor->next < cursor->end) {
    const uint8_t *at = cursor->next;
    XlaByteCursor content;
    uint8_t id;
    if (!xlaVhloReadSection(reader, cursor, &id, &content))
      return false;
    if (id >= XlaBytecodeSectionCount)
      return xlaByteError(reader->source, at, "there is no section %d", id);
    if (reader->sections[id].source)
      return xlaByteError(reader->source, at, "another section %d", id);
    reader->sections[id] = content;
  }
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
    if (!reader->sections[needed[i]].source)
      return xlaByteError(reader->source, cursor->end,
                          "section %d is missing, which all programs have",
                          needed[i]);
  return true;
}

static bool isAtEnd(const XlaByteCursor *cursor) {
  return cursor->next == cursor->end ||
         xlaByteError(cursor->source, cursor->next,
                      "%zu bytes are left over of a section or value",
                      xlaByteGetLeft(cursor));
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

/// Lengths from the last to the first, then the characters from the first to
/// the last, each with a 0 behind it.
static bool readStrings(XlaVhloReader *reader) {
  XlaByteCursor cursor = reader->sections[XlaBytecodeSectionString];
  if (!xlaByteReadCount(&cursor, "strings", &reader->nStrings))
    return false;
  reader->strings = xlaByteAllocate(reader->source, reader->nStrings,
                                    sizeof *reader->strings);
  if (!reader->strings)
    return false;
  const uint8_t *end = cursor.end;
  for (uint64_t i = reader->nStrings; i--;) {
    const uint8_t *at = cursor.next;
    uint64_t length;
    if (!xlaByteReadVarint(&cursor, &length))
      return false;
    if (!length || cursor.next > end || length > (uint64_t)(end - cursor.next))
      return xlaByteError(reader->source, at,
                          "a string of %llu bytes does not fit",
                          (unsigned long long)length);
    end -= length;
    reader->strings[i] = mlirStringRefCreate((const char *)end, length - 1);
  }
  return cursor.next == end ||
         xlaByteError(reader->source, cursor.next,
                      "the strings' lengths do not add up");
}

bool xlaVhloReadString(XlaVhloReader *reader, XlaByteCursor *cursor,
                       MlirStringRef *string) {
  const uint8_t *at = cursor->next;
  uint64_t index;
  *string = mlirStringRefCreate("", 0);
  if (!xlaByteReadVarint(cursor, &index))
    return false;
  if (index >= reader->nStrings)
    return xlaByteError(reader->source, at, "there is no string %llu",
                        (unsigned long long)index);
  *string = reader->strings[index];
  return true;
}

//===----------------------------------------------------------------------===//
// Dialects and names of operations
//===----------------------------------------------------------------------===//

static bool readDialect(XlaVhloReader *reader, XlaByteCursor *cursor,
                        MlirStringRef *name) {
  bool hasVersion = false;
  uint64_t index;
  const uint8_t *at = cursor->next;
  XlaByteCursor version;
  uint8_t id;
  bool read = reader->version >= xlaBytecodeDialectVersions
                  ? xlaByteReadVarintFlag(cursor, &index, &hasVersion)
                  : xlaByteReadVarint(cursor, &index);
  if (!read)
    return false;
  if (index >= reader->nStrings)
    return xlaByteError(reader->source, at, "there is no string %llu",
                        (unsigned long long)index);
  *name = reader->strings[index];
  return !hasVersion || xlaVhloReadSection(reader, cursor, &id, &version);
}

XlaVhloDialect xlaVhloGetDialect(const XlaVhloReader *reader,
                                 uint32_t dialect) {
  MlirStringRef name = reader->dialects[dialect];
  return equals(name, "vhlo")      ? XlaVhloDialectVhlo
         : equals(name, "builtin") ? XlaVhloDialectBuiltin
                                   : XlaVhloDialectOther;
}

static bool readDialectIndex(XlaVhloReader *reader, XlaByteCursor *cursor,
                             uint64_t *dialect) {
  const uint8_t *at = cursor->next;
  if (!xlaByteReadVarint(cursor, dialect))
    return false;
  return *dialect < reader->nDialects ||
         xlaByteError(reader->source, at, "there is no dialect %llu",
                      (unsigned long long)*dialect);
}

static bool readOpName(XlaVhloReader *reader, XlaByteCursor *cursor,
                       uint64_t dialect) {
  XlaVhloOpName *name = &reader->opNames[reader->nOpNames++];
  uint64_t index;
  const uint8_t *at = cursor->next;
  bool isRegistered;
  bool read = reader->version >= xlaBytecodeProperties
                  ? xlaByteReadVarintFlag(cursor, &index, &isRegistered)
                  : xlaByteReadVarint(cursor, &index);
  if (!read)
    return false;
  if (index >= reader->nStrings)
    return xlaByteError(reader->source, at, "there is no string %llu",
                        (unsigned long long)index);
  *name =
      (XlaVhloOpName){NULL, reader->dialects[dialect], reader->strings[index]};
  if (xlaVhloGetDialect(reader, (uint32_t)dialect) == XlaVhloDialectVhlo)
    name->op = xlaVhloOpFind(name->name);
  return true;
}

static bool readDialects(XlaVhloReader *reader) {
  XlaByteCursor cursor = reader->sections[XlaBytecodeSectionDialect];
  uint64_t nDialects, hint, dialect, n;
  if (!xlaByteReadCount(&cursor, "dialects", &nDialects))
    return false;
  reader->dialects =
      xlaByteAllocate(reader->source, nDialects, sizeof *reader->dialects);
  if (!reader->dialects)
    return false;
  for (; reader->nDialects < nDialects; ++reader->nDialects)
    if (!readDialect(reader, &cursor, &reader->dialects[reader->nDialects]))
      return false;
  if (reader->version >= xlaBytecodeElidedLocations &&
      !xlaByteReadVarint(&cursor, &hint))
    return false;
  reader->opNames =
      xlaByteAllocate(reader->source, maxOpNames, sizeof *reader->opNames);
  if (!reader->opNames)
    return false;
  while (cursor.next < cursor.end) {
    if (!readDialectIndex(reader, &cursor, &dialect) ||
        !xlaByteReadCount(&cursor, "names of operations", &n))
      return false;
    if (n > maxOpNames - reader->nOpNames)
      return xlaByteUnsupported(reader->source, cursor.next,
                                "more than %d names of operations", maxOpNames);
    for (; n; --n)
      if (!readOpName(reader, &cursor, dialect))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Where attributes, types and properties are
//===----------------------------------------------------------------------===//

/// Entries of `count`, in groups of a dialect each; their content begins at
/// `content`.
static bool readEntries(XlaVhloReader *reader, XlaByteCursor *cursor,
                        uint64_t count, XlaByteCursor *content,
                        XlaVhloEntries *entries) {
  uint64_t dialect, n, length;
  entries->items =
      xlaByteAllocate(reader->source, count, sizeof *entries->items);
  if (!entries->items)
    return false;
  while (entries->n < count) {
    const uint8_t *at = cursor->next;
    if (!readDialectIndex(reader, cursor, &dialect) ||
        !xlaByteReadCount(cursor, "attributes or types", &n))
      return false;
    if (!n || n > count - entries->n)
      return xlaByteError(
          reader->source, at, "%llu entries in a group, of %llu that are left",
          (unsigned long long)n, (unsigned long long)(count - entries->n));
    for (; n; --n) {
      XlaVhloEntry *entry = &entries->items[entries->n++];
      bool hasCode;
      if (!xlaByteReadVarintFlag(cursor, &length, &hasCode) ||
          !xlaByteReadBlob(content, length, &entry->begin))
        return false;
      entry->end = content->next;
      entry->dialect = (uint32_t)dialect;
      entry->isText = !hasCode;
    }
  }
  return true;
}

static bool readOffsets(XlaVhloReader *reader) {
  XlaByteCursor cursor = reader->sections[XlaBytecodeSectionOffset];
  XlaByteCursor content = reader->sections[XlaBytecodeSectionEntry];
  uint64_t nAttributes, nTypes;
  return xlaByteReadCount(&cursor, "attributes", &nAttributes) &&
         xlaByteReadCount(&cursor, "types", &nTypes) &&
         readEntries(reader, &cursor, nAttributes, &content,
                     &reader->attributes) &&
         readEntries(reader, &cursor, nTypes, &content, &reader->types) &&
         isAtEnd(&cursor) && isAtEnd(&content);
}

static bool readProperties(XlaVhloReader *reader) {
  XlaByteCursor cursor = reader->sections[XlaBytecodeSectionProperties];
  uint64_t n, length;
  const uint8_t *bytes;
  if (!cursor.source)
    return true;
  if (!xlaByteReadCount(&cursor, "properties", &n))
    return false;
  reader->properties =
      xlaByteAllocate(reader->source, n, sizeof *reader->properties);
  if (!reader->properties)
    return false;
  for (; reader->nProperties < n; ++reader->nProperties) {
    if (!xlaByteReadVarint(&cursor, &length) ||
        !xlaByteReadBlob(&cursor, length, &bytes))
      return false;
    reader->properties[reader->nProperties] =
        (XlaByteCursor){reader->source, bytes, bytes + length};
  }
  return isAtEnd(&cursor);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

static bool readHeader(XlaVhloReader *reader, XlaByteCursor *cursor) {
  const uint8_t *magic, *at;
  MlirStringRef producer;
  if (!xlaByteReadBlob(cursor, 4, &magic))
    return false;
  if (memcmp(magic, "ML\xefR", 4) != 0)
    return xlaByteError(reader->source, magic, "is no bytecode of MLIR");
  at = cursor->next;
  if (!xlaByteReadVarint(cursor, &reader->version))
    return false;
  if (reader->version > xlaBytecodeNewest)
    return xlaByteUnsupported(reader->source, at,
                              "version %llu of MLIR's bytecode is not known, "
                              "up to %d are",
                              (unsigned long long)reader->version,
                              xlaBytecodeNewest);
  return xlaByteReadString(cursor, &producer);
}

bool xlaVhloReadContainer(XlaVhloReader *reader, MlirStringRef bytes) {
  XlaByteCursor cursor = {reader->source, (const uint8_t *)bytes.data,
                          (const uint8_t *)bytes.data + bytes.length};
  reader->begin = cursor.next;
  return readHeader(reader, &cursor) && readSections(reader, &cursor) &&
         readStrings(reader) && readDialects(reader) && readOffsets(reader) &&
         readProperties(reader);
}

void xlaVhloReaderDestroy(XlaVhloReader *reader) {
  free(reader->strings);
  free(reader->dialects);
  free(reader->opNames);
  free(reader->attributes.items);
  free(reader->types.items);
  free(reader->properties);
  memset(reader, 0, sizeof *reader);
}

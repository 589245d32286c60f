//===- write_entries.c - Strings, attributes and types that are written ---===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/formats/vhlo/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool xlaVhloRefuse(XlaVhloWriter *writer, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(writer->op));
  xlaIrError(mlirOperationGetLocation(writer->op), "'%.*s' op %s",
             (int)(name.length < 100 ? name.length : 100), name.data, what);
  return false;
}

bool xlaVhloNoMemory(XlaVhloWriter *writer) {
  writer->noMemory = true;
  return false;
}

bool xlaVhloIndexString(XlaVhloWriter *writer, MlirStringRef string,
                        uint64_t *number) {
  // Texts of attributes are unique.
  const void *key = mlirStringAttrGet(writer->context, string).ptr;
  intptr_t index = xlaPointerMapGet(&writer->stringIndices, key);
  if (!index) {
    index = (intptr_t)++writer->nStrings;
    size_t length = string.length + 1;
    if (!xlaPointerMapSet(&writer->stringIndices, key, index))
      return xlaVhloNoMemory(writer);
    xlaVhloPutBytes(&writer->strings, string.data, string.length);
    xlaVhloPutByte(&writer->strings, 0);
    xlaVhloPutBytes(&writer->stringLengths, &length, sizeof length);
  }
  *number = (uint64_t)index - 1;
  return true;
}

bool xlaVhloPutString(XlaVhloWriter *writer, MlirStringRef string,
                      XlaIrText *to) {
  uint64_t index;
  if (!xlaVhloIndexString(writer, string, &index))
    return false;
  xlaVhloPutVarint(to, index);
  return true;
}

bool xlaVhloFindEntry(const XlaVhloWrittenEntries *entries,
                      XlaVhloCoding coding, const void *key, uint64_t *index) {
  intptr_t found = xlaPointerMapGet(&entries->indices[coding], key);
  *index = (uint64_t)found - 1;
  return found != 0;
}

static bool reserve(XlaVhloWrittenEntries *entries) {
  if (entries->n < entries->capacity)
    return true;
  size_t capacity = 2 * entries->capacity + 64;
  XlaVhloWritten *items =
      realloc(entries->items, capacity * sizeof *entries->items);
  if (!items)
    return false;
  entries->items = items;
  entries->capacity = capacity;
  return true;
}

bool xlaVhloAddEntry(XlaVhloWriter *writer, XlaVhloWrittenEntries *entries,
                     XlaVhloCoding coding, const void *key, XlaIrText *content,
                     uint64_t *index) {
  MlirStringRef blob = writer->blob;
  writer->blob = (MlirStringRef){NULL, 0};
  *index = entries->n;
  bool added = !content->isCut && reserve(entries) &&
               xlaPointerMapSet(&entries->indices[coding], key,
                                (intptr_t)entries->n + 1);
  if (added) {
    entries->items[entries->n++] = (XlaVhloWritten){
        content->size + blob.length,
        coding == XlaVhloCodingBuiltin || coding == XlaVhloCodingOfOp};
    xlaVhloPutBytes(&entries->content, content->data, content->size);
    if (blob.length) {
      XlaVhloBlob made = {entries->content.size, blob};
      xlaVhloPutBytes(&entries->blobs, &made, sizeof made);
      entries->blobBytes += blob.length;
    }
  }
  free(content->data);
  *content = (XlaIrText){0};
  return added || xlaVhloNoMemory(writer);
}

bool xlaVhloEnterEntry(XlaVhloWriter *writer) {
  if (writer->depth == XLA_MAX_NESTING)
    return xlaVhloRefuse(writer,
                         "has attributes or types that are nested deeper than "
                         "%d",
                         XLA_MAX_NESTING);
  ++writer->depth;
  return true;
}

void xlaVhloLeaveEntry(XlaVhloWriter *writer) { --writer->depth; }

//===- attribute.c - Indexing maps as attributes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/attribute.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

/// Text that grows.
typedef struct Text {
  char *chars;
  size_t n, capacity;
  bool failed;
} Text;

static void append(MlirStringRef part, void *data) {
  Text *text = data;
  if (text->failed)
    return;
  if (text->capacity - text->n < part.length) {
    size_t capacity = 2 * text->capacity + part.length + 128;
    char *grown = realloc(text->chars, capacity);
    text->failed = !grown;
    if (!grown)
      return;
    text->chars = grown;
    text->capacity = capacity;
  }
  memcpy(text->chars + text->n, part.data, part.length);
  text->n += part.length;
}

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

MlirAttribute xlaIndexingMapToAttr(MlirContext context,
                                   const XlaIndexingMap *map) {
  Text text = {0};
  MlirAttribute attribute = mlirAttributeGetNull();
  xlaIndexingMapPrint(map, XlaIndexingFormatLine, append, &text);
  if (!text.failed)
    attribute = mlirExtAttrGet(
        context, str("xla"), str("indexing_map"),
        mlirStringAttrGet(context, mlirStringRefCreate(text.chars, text.n)));
  free(text.chars);
  return attribute;
}

XlaIndexingMap *xlaIndexingMapFromAttr(MlirAttribute attribute) {
  char message[256];
  MlirAttribute text =
      mlirExtAttrGetEntries(attribute, str("xla"), str("indexing_map"));
  return mlirAttributeIsNull(text)
             ? NULL
             : xlaIndexingMapParse(mlirAttributeGetContext(attribute),
                                   mlirStringAttrGetValue(text), message);
}

MlirLogicalResult xlaIndexingMapVerifyAttr(
    MlirAttribute text, void (*emitError)(const char *message, void *errorData),
    void *errorData) {
  char message[256];
  MlirStringRef value = mlirStringAttrGetValue(text);
  XlaIndexingMap *map =
      xlaIndexingMapParse(mlirAttributeGetContext(text), value, message);
  if (!map)
    emitError(message, errorData);
  xlaIndexingMapRelease(map);
  return map ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

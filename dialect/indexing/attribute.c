//===- attribute.c - Indexing maps as attributes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/attribute.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

MlirAttribute xlaIndexingMapToAttr(MlirContext context,
                                   const XlaIndexingMap *map) {
  XlaIrText text = {0};
  MlirAttribute attribute = mlirAttributeGetNull();
  xlaIndexingMapPrint(map, XlaIndexingFormatLine, xlaIrTextAppend, &text);
  if (!text.isCut)
    attribute = mlirExtAttrGet(
        context, str("xla"), str("indexing_map"),
        mlirStringAttrGet(context, mlirStringRefCreate(text.data, text.size)));
  free(text.data);
  return attribute;
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

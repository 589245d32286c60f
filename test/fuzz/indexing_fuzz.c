//===- indexing_fuzz.c - Any text as an indexing map ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is accepted prints, in both formats and as an attribute, as something
// that reads as the same map, and can be worked with.
//
//===----------------------------------------------------------------------===//

#include "indexing_fuzz.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/indexing/attribute.h"
#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/indexing/variables.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/mlir-c-ext/ext.h"

#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Longer maps are read, but not worked with, which may take its time.
enum { maxWork = 600 };

static void require(bool condition, const char *what, MlirStringRef text) {
  if (condition)
    return;
  fprintf(stderr, "%s:\n%.*s\n", what, (int)text.length, text.data);
  __builtin_trap();
}

static MlirStringRef refOf(const XlaIrText *text) {
  return mlirStringRefCreate(text->data, text->size);
}

static bool sameText(const XlaIrText *a, const XlaIrText *b) {
  return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

/// Maps that say the same twice, however they are written.
static void checkRoundTrip(MlirContext context, const XlaIndexingMap *map,
                           XlaIndexingFormat format, MlirStringRef input) {
  XlaIrText text = {0}, again = {0};
  char message[256];
  xlaIndexingMapPrint(map, format, xlaIrTextAppend, &text);
  XlaIndexingMap *back = xlaIndexingMapParse(context, refOf(&text), message);
  require(back != NULL, message, refOf(&text));
  xlaIndexingMapPrint(back, format, xlaIrTextAppend, &again);
  require(sameText(&text, &again), "prints differently once it was read",
          input);
  require(xlaIndexingMapIsKnownEmpty(map) == xlaIndexingMapIsKnownEmpty(back),
          "is empty before or after it was read", input);
  xlaIndexingMapRelease(back);
  free(text.data);
  free(again.data);
}

static void checkSame(XlaIndexingMap *a, const XlaIndexingMap *b,
                      const char *what, MlirStringRef input) {
  require(a && xlaIndexingMapEqual(a, b), what, input);
  xlaIndexingMapRelease(a);
}

/// All that can be done with one map.
static void checkWork(const XlaIndexingMap *map, MlirStringRef input) {
  XlaIndexingMap *simple =
      xlaIndexingMapSimplify(map, XlaIndexingPointsReplace);
  require(simple != NULL, "is not simplified", input);
  checkSame(xlaIndexingMapSimplify(simple, XlaIndexingPointsReplace), simple,
            "is simplified further", input);
  XlaIndexingMap *others[] = {
      xlaIndexingMapRemoveUnused(simple, true), xlaIndexingMapTranspose(map),
      xlaIndexingMapRescale(map), xlaIndexingMapSymbolsToDims(map)};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    xlaIndexingMapRelease(others[i]);
  char message[256];
  XlaSymbolicTile *tile = xlaSymbolicTileCreate(map, message);
  require(tile || message[0], "has no tile for no reason", input);
  xlaSymbolicTileDestroy(tile);
  xlaIndexingMapRelease(simple);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static MlirAttribute parseAttribute(MlirContext context, MlirStringRef text) {
  return mlirAttributeParseGet(context, text);
}

/// The attribute of an accepted text reads as itself.
static void checkAttribute(MlirContext context, const XlaIndexingMap *map,
                           MlirStringRef input) {
  MlirAttribute attribute = xlaIndexingMapToAttr(context, map);
  XlaIrText text = {0};
  require(!mlirAttributeIsNull(attribute), "has no attribute", input);
  mlirAttributePrint(attribute, xlaIrTextAppend, &text);
  require(mlirAttributeEqual(attribute, parseAttribute(context, refOf(&text))),
          "its attribute is read as another", input);
  free(text.data);
}

/// The text as it is, between quotes.
static void checkQuoted(MlirContext context, MlirStringRef input) {
  static const char before[] = "#xla.indexing_map<\"", after[] = "\">";
  XlaIrText text = {0}, printed = {0};
  xlaIrTextAppend(mlirStringRefCreateFromCString(before), &text);
  xlaIrTextAppend(input, &text);
  xlaIrTextAppend(mlirStringRefCreateFromCString(after), &text);
  xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
  text.size -= !text.isCut; // the 0 that ends it
  MlirAttribute attribute = parseAttribute(context, refOf(&text));
  if (!mlirAttributeIsNull(attribute)) {
    mlirAttributePrint(attribute, xlaIrTextAppend, &printed);
    require(
        mlirAttributeEqual(attribute, parseAttribute(context, refOf(&printed))),
        "as an attribute it is read as another", input);
  }
  free(text.data);
  free(printed.data);
}

//===----------------------------------------------------------------------===//
// One text
//===----------------------------------------------------------------------===//

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *data) {
  return mlirLogicalResultSuccess();
}

static MlirContext createContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  xlaDialectRegister(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  return context;
}

/// Contexts keep all that was ever read.
static MlirContext getContext(void) {
  static MlirContext context;
  static int uses;
  if (uses++ % 1000 == 0) {
    if (context.ptr)
      mlirContextDestroy(context);
    context = createContext();
  }
  return context;
}

bool indexingFuzz(const uint8_t *data, size_t size) {
  MlirContext context = getContext();
  MlirStringRef input = mlirStringRefCreate((const char *)data, size);
  char message[256];
  XlaIndexingMap *map = xlaIndexingMapParse(context, input, message);
  checkQuoted(context, input);
  if (!map) {
    require(strlen(message) > 5 && strlen(message) < 256, "no message", input);
    return false;
  }
  checkRoundTrip(context, map, XlaIndexingFormatLine, input);
  checkRoundTrip(context, map, XlaIndexingFormatSpec, input);
  checkAttribute(context, map, input);
  if (size <= maxWork)
    checkWork(map, input);
  xlaIndexingMapRelease(map);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  indexingFuzz(data, size);
  return 0;
}

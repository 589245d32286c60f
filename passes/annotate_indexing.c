//===- annotate_indexing.c - Indexing maps of operations ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/attribute.h"
#include "xlac/dialect/indexing/physical.h"
#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Annotation {
  bool toResults;  ///< maps from operands to results
  bool isPhysical; ///< between indices in memory
  bool isTiles;    ///< what tiles take in place of maps
  bool failed;
} Annotation;

/// The symbolic tile of a map, or why there is none. Null without memory.
static MlirAttribute tileToAttr(MlirContext context,
                                const XlaIndexingMap *map) {
  char message[256];
  XlaIrText text = {0};
  MlirAttribute attribute = {NULL};
  XlaSymbolicTile *tile = xlaSymbolicTileCreate(map, message);
  if (tile) {
    xlaSymbolicTilePrint(tile, "; ", NULL, NULL, xlaIrTextAppend, &text);
  } else {
    xlaIrTextAppend(mlirStringRefCreateFromCString("no tile: "), &text);
    xlaIrTextAppend(mlirStringRefCreateFromCString(message), &text);
  }
  if (!text.isCut)
    attribute =
        mlirStringAttrGet(context, mlirStringRefCreate(text.data, text.size));
  xlaSymbolicTileDestroy(tile);
  free(text.data);
  return attribute;
}

/// The maps of one array: an array, or unit where no map says what is read.
/// Null if there is no memory.
static MlirAttribute mapsToAttr(const Annotation *annotation,
                                MlirContext context,
                                const XlaOperandMaps *read) {
  MlirAttribute attribute = {NULL};
  const XlaIndexingMaps *maps = &read->maps;
  if (read->known != XlaOpMapsKnown)
    return mlirUnitAttrGet(context);
  MlirAttribute *list = calloc((size_t)maps->n + 1, sizeof *list);
  bool isComplete = list != NULL;
  for (intptr_t i = 0; i < maps->n && isComplete; ++i) {
    list[i] = annotation->isTiles
                  ? tileToAttr(context, maps->maps[i])
                  : xlaIndexingMapToAttr(context, maps->maps[i]);
    isComplete = !mlirAttributeIsNull(list[i]);
  }
  if (isComplete)
    attribute = mlirArrayAttrGet(context, maps->n, list);
  free(list);
  return attribute;
}

/// The maps of one array for result `result`, in the form that is asked for.
/// Null if there is no memory.
static MlirAttribute readToAttr(const Annotation *annotation, MlirValue result,
                                const XlaOperandMaps *read) {
  MlirContext context = mlirTypeGetContext(mlirValueGetType(result));
  XlaOperandMaps inMemory = {0}, back = {0};
  bool ok = true;
  if (annotation->isPhysical) {
    ok = xlaOperandMapsToPhysical(read, mlirValueGetType(result), &inMemory);
    read = &inMemory;
  }
  if (annotation->toResults && ok) {
    ok = xlaIndexingMapsTranspose(read, &back);
    read = &back;
  }
  MlirAttribute attribute =
      ok ? mapsToAttr(annotation, context, read) : (MlirAttribute){NULL};
  xlaIndexingMapsFree(&inMemory.maps);
  xlaIndexingMapsFree(&back.maps);
  return attribute;
}

/// The same for `n` arrays.
static MlirAttribute readsToAttr(const Annotation *annotation, MlirValue result,
                                 intptr_t n, const XlaOperandMaps *reads) {
  MlirAttribute *arrays = calloc((size_t)n + 1, sizeof *arrays);
  MlirAttribute all = {NULL};
  bool isComplete = arrays != NULL;
  for (intptr_t i = 0; i < n && isComplete; ++i) {
    arrays[i] = readToAttr(annotation, result, &reads[i]);
    isComplete = !mlirAttributeIsNull(arrays[i]);
  }
  if (isComplete)
    all = mlirArrayAttrGet(mlirTypeGetContext(mlirValueGetType(result)), n,
                           arrays);
  free(arrays);
  return all;
}

/// xla.indexing, or xla.tiles, and `name` for the first result; that of others
/// ends in their number.
static void setForResult(const Annotation *annotation, MlirOperation op,
                         const char *name, intptr_t result,
                         MlirAttribute value) {
  char numbered[64];
  snprintf(numbered, sizeof numbered, result ? "xla.%s%s_%lld" : "xla.%s%s",
           annotation->isTiles ? "tiles" : "indexing", name, (long long)result);
  mlirOperationSetDiscardableAttributeByName(
      op, mlirStringRefCreateFromCString(numbered), value);
}

/// What an operation reads for its first result.
typedef struct First {
  MlirAttribute operands, captured;
} First;

/// xla.indexing has the operands, xla.indexing_captured what regions use from
/// outside. Results after the first have their own unless all are alike.
static bool annotateResult(const Annotation *annotation, MlirOperation op,
                           intptr_t result, First *first) {
  MlirValue value = mlirOperationGetResult(op, result);
  XlaOpReads reads;
  First own = {{NULL}, {NULL}};
  if (xlaOpGetReads(op, result, &reads)) {
    own.operands =
        readsToAttr(annotation, value, reads.nOperands, reads.values);
    own.captured = readsToAttr(annotation, value, reads.n - reads.nOperands,
                               reads.values + reads.nOperands);
  }
  bool isComplete =
      !mlirAttributeIsNull(own.operands) && !mlirAttributeIsNull(own.captured);
  bool hasCaptured = reads.n > reads.nOperands;
  xlaOpReadsFree(&reads);
  if (!isComplete)
    return false;
  if (!result)
    *first = own;
  if (!result || !mlirAttributeEqual(own.operands, first->operands))
    setForResult(annotation, op, "", result, own.operands);
  if (hasCaptured &&
      (!result || !mlirAttributeEqual(own.captured, first->captured)))
    setForResult(annotation, op, "_captured", result, own.captured);
  return true;
}

/// xla.indexing_from_root of each operation in a fusion has the maps from an
/// element of the fusion's result to those of the operation's results.
static bool annotateInner(const Annotation *annotation, MlirOperation fusion,
                          intptr_t result) {
  XlaOpReads inner;
  MlirValue root = mlirOperationGetResult(fusion, result);
  bool ok = xlaFusionGetInnerMaps(fusion, result, &inner);
  for (intptr_t i = 0; i < inner.n && ok;) {
    MlirOperation op = mlirOpResultGetOwner(inner.values[i].value);
    intptr_t n = mlirOperationGetNumResults(op);
    MlirAttribute maps = readsToAttr(annotation, root, n, &inner.values[i]);
    ok = !mlirAttributeIsNull(maps);
    if (ok)
      setForResult(annotation, op, "_from_root", result, maps);
    i += n;
  }
  xlaOpReadsFree(&inner);
  return ok;
}

static MlirWalkResult annotate(MlirOperation op, void *data) {
  Annotation *annotation = data;
  XlaOpKind kind = xlaOpGetKind(op);
  First first = {{NULL}, {NULL}};
  if (kind == XlaOpKindInvalid || (mlirOperationGetNumOperands(op) == 0 &&
                                   mlirOperationGetNumRegions(op) == 0))
    return MlirWalkResultAdvance;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    if (!annotateResult(annotation, op, r, &first) ||
        (kind == XlaOpKindFusion && !annotateInner(annotation, op, r))) {
      xlaOpNoMemory(op);
      annotation->failed = true;
      return MlirWalkResultInterrupt;
    }
  // What other regions compute with is scalars.
  XlaFamily family = xlaOpGetInfo(kind)->family;
  bool hasArrays = family == XlaFamilyFusion || family == XlaFamilyControlFlow;
  return hasArrays ? MlirWalkResultAdvance : MlirWalkResultSkip;
}

MlirLogicalResult xlaPassAnnotateIndexing(MlirOperation module,
                                          MlirExtPassOptionValues options,
                                          void *userData) {
  MlirStringRef direction = mlirExtPassOptionGetString(options, 0);
  Annotation annotation = {
      .toResults = mlirStringRefEqual(
          direction, mlirStringRefCreateFromCString("input-to-output")),
      .isPhysical = mlirExtPassOptionGetBool(options, 1),
      .isTiles = mlirExtPassOptionGetBool(options, 2)};
  (void)userData;
  if (!annotation.toResults &&
      !mlirStringRefEqual(direction,
                          mlirStringRefCreateFromCString("output-to-input")))
    return xlaOpError(module, NULL,
                      "direction is \"%.*s\", must be output-to-input or "
                      "input-to-output",
                      (int)(direction.length < 40 ? direction.length : 40),
                      direction.data);
  mlirOperationWalk(module, annotate, &annotation, MlirWalkPreOrder);
  return annotation.failed ? mlirLogicalResultFailure()
                           : mlirLogicalResultSuccess();
}

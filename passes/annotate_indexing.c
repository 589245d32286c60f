//===- annotate_indexing.c - Indexing maps of operations ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/attribute.h"
#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/op.h"
#include "xlac/passes/passes.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Annotation {
  bool toResults; ///< maps from operands to results
  bool failed;
} Annotation;

/// The maps of one array: an array, or unit where no map says what is read.
/// Null if there is no memory.
static MlirAttribute mapsToAttr(MlirContext context,
                                const XlaOperandMaps *read) {
  MlirAttribute attribute = {NULL};
  const XlaIndexingMaps *maps = &read->maps;
  if (read->known != XlaOpMapsKnown)
    return mlirUnitAttrGet(context);
  MlirAttribute *list = calloc((size_t)maps->n + 1, sizeof *list);
  bool isComplete = list != NULL;
  for (intptr_t i = 0; i < maps->n && isComplete; ++i) {
    list[i] = xlaIndexingMapToAttr(context, maps->maps[i]);
    isComplete = !mlirAttributeIsNull(list[i]);
  }
  if (isComplete)
    attribute = mlirArrayAttrGet(context, maps->n, list);
  free(list);
  return attribute;
}

/// The same for `n` arrays, in the direction that is asked for.
static MlirAttribute readsToAttr(MlirContext context, bool toResults,
                                 intptr_t n, const XlaOperandMaps *reads) {
  MlirAttribute *arrays = calloc((size_t)n + 1, sizeof *arrays);
  MlirAttribute all = {NULL};
  bool isComplete = arrays != NULL;
  for (intptr_t i = 0; i < n && isComplete; ++i) {
    XlaOperandMaps back = {0};
    isComplete = !toResults || xlaIndexingMapsTranspose(&reads[i], &back);
    if (isComplete)
      arrays[i] = mapsToAttr(context, toResults ? &back : &reads[i]);
    isComplete = isComplete && !mlirAttributeIsNull(arrays[i]);
    xlaIndexingMapsFree(&back.maps);
  }
  if (isComplete)
    all = mlirArrayAttrGet(context, n, arrays);
  free(arrays);
  return all;
}

/// The name for the first result; that of others ends in their number.
static void setForResult(MlirOperation op, const char *name, intptr_t result,
                         MlirAttribute value) {
  char numbered[64];
  snprintf(numbered, sizeof numbered, result ? "%s_%lld" : "%s", name,
           (long long)result);
  mlirOperationSetDiscardableAttributeByName(
      op, mlirStringRefCreateFromCString(numbered), value);
}

/// What an operation reads for its first result.
typedef struct First {
  MlirAttribute operands, captured;
} First;

/// xla.indexing has the operands, xla.indexing_captured what regions use from
/// outside. Results after the first have their own unless all are alike.
static bool annotateResult(MlirOperation op, intptr_t result, bool toResults,
                           First *first) {
  MlirContext context = mlirOperationGetContext(op);
  XlaOpReads reads;
  First own = {{NULL}, {NULL}};
  if (xlaOpGetReads(op, result, &reads)) {
    own.operands =
        readsToAttr(context, toResults, reads.nOperands, reads.values);
    own.captured =
        readsToAttr(context, toResults, reads.n - reads.nOperands,
                    reads.values ? reads.values + reads.nOperands : NULL);
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
    setForResult(op, "xla.indexing", result, own.operands);
  if (hasCaptured &&
      (!result || !mlirAttributeEqual(own.captured, first->captured)))
    setForResult(op, "xla.indexing_captured", result, own.captured);
  return true;
}

static MlirWalkResult annotate(MlirOperation op, void *data) {
  Annotation *annotation = data;
  XlaOpKind kind = xlaOpGetKind(op);
  First first = {{NULL}, {NULL}};
  if (kind == XlaOpKindInvalid || (mlirOperationGetNumOperands(op) == 0 &&
                                   mlirOperationGetNumRegions(op) == 0))
    return MlirWalkResultAdvance;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    if (!annotateResult(op, r, annotation->toResults, &first)) {
      xlaOpError(op, NULL, "could not be annotated: out of memory");
      annotation->failed = true;
      return MlirWalkResultInterrupt;
    }
  // What other regions compute with is scalars.
  bool hasArrays = kind == XlaOpKindFusion || kind == XlaOpKindWhile ||
                   kind == XlaOpKindIf || kind == XlaOpKindCase ||
                   kind == XlaOpKindConditional;
  return hasArrays ? MlirWalkResultAdvance : MlirWalkResultSkip;
}

MlirLogicalResult xlaPassAnnotateIndexing(MlirOperation module,
                                          MlirExtPassOptionValues options,
                                          void *userData) {
  MlirStringRef direction = mlirExtPassOptionGetString(options, 0);
  Annotation annotation = {
      .toResults = mlirStringRefEqual(
          direction, mlirStringRefCreateFromCString("input-to-output"))};
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

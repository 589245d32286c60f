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

/// The maps between an operand and a result: an array, or unit where no map
/// says what is read. Null if there is no memory.
static MlirAttribute mapsBetween(MlirOperation op, intptr_t operand,
                                 intptr_t result, bool toResults) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute attribute = {NULL};
  XlaIndexingMaps maps;
  XlaOpMaps known = toResults ? xlaOpGetResultMaps(op, operand, result, &maps)
                              : xlaOpGetOperandMaps(op, result, operand, &maps);
  if (known == XlaOpMapsUnknown)
    attribute = mlirUnitAttrGet(context);
  MlirAttribute *list = calloc((size_t)maps.n + 1, sizeof *list);
  bool isComplete = list && known == XlaOpMapsKnown;
  for (intptr_t i = 0; i < maps.n && isComplete; ++i) {
    list[i] = xlaIndexingMapToAttr(context, maps.maps[i]);
    isComplete = !mlirAttributeIsNull(list[i]);
  }
  if (isComplete)
    attribute = mlirArrayAttrGet(context, maps.n, list);
  free(list);
  xlaIndexingMapsFree(&maps);
  return attribute;
}

/// xla.indexing is for the first result; the others have xla.indexing_1 and so
/// on, unless all are alike.
static bool annotateResult(MlirOperation op, intptr_t result, bool toResults,
                           MlirAttribute *first) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirAttribute *operands = calloc((size_t)n + 1, sizeof *operands);
  bool isComplete = operands != NULL;
  for (intptr_t i = 0; i < n && isComplete; ++i) {
    operands[i] = mapsBetween(op, i, result, toResults);
    isComplete = !mlirAttributeIsNull(operands[i]);
  }
  if (isComplete) {
    char name[64] = "xla.indexing";
    MlirAttribute all =
        mlirArrayAttrGet(mlirOperationGetContext(op), n, operands);
    if (result)
      snprintf(name, sizeof name, "xla.indexing_%lld", (long long)result);
    if (!result || !mlirAttributeEqual(all, *first))
      mlirOperationSetDiscardableAttributeByName(
          op, mlirStringRefCreateFromCString(name), all);
    if (!result)
      *first = all;
  }
  free(operands);
  return isComplete;
}

static MlirWalkResult annotate(MlirOperation op, void *data) {
  Annotation *annotation = data;
  XlaOpKind kind = xlaOpGetKind(op);
  MlirAttribute first = {NULL};
  if (kind == XlaOpKindInvalid || mlirOperationGetNumOperands(op) == 0)
    return MlirWalkResultAdvance;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    if (!annotateResult(op, r, annotation->toResults, &first)) {
      xlaOpError(op, NULL, "could not be annotated: out of memory");
      annotation->failed = true;
      return MlirWalkResultInterrupt;
    }
  // What a region computes with is scalars, but for fusions and control flow.
  bool isInside = kind == XlaOpKindReduce || kind == XlaOpKindMap ||
                  kind == XlaOpKindReduceWindow;
  return isInside ? MlirWalkResultSkip : MlirWalkResultAdvance;
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

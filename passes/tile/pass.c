//===- pass.c - Tiles of operations and fusions ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/passes/passes.h"
#include "xlac/passes/tile/tile.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Of a level-one data cache, if nothing else is said.
enum { defaultBytes = 32 << 10 };

typedef struct Tiler {
  int64_t sizes[XLA_MAX_RANK];
  int nSizes;    ///< 0: search
  int64_t bytes; ///< 0: any number
  bool failed;
} Tiler;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static MlirAttribute stringOf(MlirContext context, const char *text) {
  return mlirStringAttrGet(context, mlirStringRefCreateFromCString(text));
}

/// What a tile of `sizes` takes through a map, or why it is none. Null without
/// memory.
static MlirAttribute mapToAttr(MlirContext context, const XlaTiledMap *map,
                               const int64_t *sizes) {
  char reason[256];
  XlaIrText text = {0};
  const XlaTileCase *one = xlaTiledMapFind(map, sizes, reason);
  MlirAttribute attribute = {NULL};
  if (one) {
    xlaSymbolicTilePrint(map->tile, "", one, sizes, xlaIrTextAppend, &text);
  } else {
    xlaIrTextAppend(mlirStringRefCreateFromCString("no tile: "), &text);
    xlaIrTextAppend(mlirStringRefCreateFromCString(reason), &text);
  }
  if (!text.isCut)
    attribute =
        mlirStringAttrGet(context, mlirStringRefCreate(text.data, text.size));
  free(text.data);
  return attribute;
}

/// An array of what each map says, or unit where none does. Null without
/// memory.
static MlirAttribute valueToAttr(MlirContext context,
                                 const XlaTiledValue *value,
                                 const int64_t *sizes) {
  if (!value->isKnown)
    return mlirUnitAttrGet(context);
  MlirAttribute *list = calloc((size_t)value->n + 1, sizeof *list);
  MlirAttribute attribute = {NULL};
  bool isComplete = list != NULL;
  for (intptr_t k = 0; k < value->n && isComplete; ++k) {
    list[k] = mapToAttr(context, &value->maps[k], sizes);
    isComplete = !mlirAttributeIsNull(list[k]);
  }
  if (isComplete)
    attribute = mlirArrayAttrGet(context, value->n, list);
  free(list);
  return attribute;
}

static MlirAttribute valuesToAttr(MlirContext context, intptr_t n,
                                  const XlaTiledValue *values,
                                  const int64_t *sizes) {
  MlirAttribute *list = calloc((size_t)n + 1, sizeof *list);
  MlirAttribute attribute = {NULL};
  bool isComplete = list != NULL;
  for (intptr_t i = 0; i < n && isComplete; ++i) {
    list[i] = valueToAttr(context, &values[i], sizes);
    isComplete = !mlirAttributeIsNull(list[i]);
  }
  if (isComplete)
    attribute = mlirArrayAttrGet(context, n, list);
  free(list);
  return attribute;
}

/// xla.tile and `name` for the first result; that of others, with other
/// dimensions, ends in their number. False if there is no attribute, for want
/// of memory.
static bool set(MlirOperation op, const char *name, intptr_t result,
                MlirAttribute value) {
  char numbered[64];
  if (mlirAttributeIsNull(value))
    return false;
  snprintf(numbered, sizeof numbered, result ? "xla.tile%s_%lld" : "xla.tile%s",
           name, (long long)result);
  mlirOperationSetDiscardableAttributeByName(
      op, mlirStringRefCreateFromCString(numbered), value);
  return true;
}

/// {refused = "why"}, or sizes and bytes.
static MlirAttribute verdict(MlirContext context, int rank,
                             const int64_t *sizes, const XlaTileCost *cost,
                             const char *reason) {
  if (reason)
    return xlaIrDictionaryAttr(
        context, 1, &(XlaIrAttr){"refused", stringOf(context, reason)});
  XlaIrAttr fields[] = {{"bytes", xlaIrI64Attr(context, cost->bytes)},
                        {"sizes", mlirDenseI64ArrayGet(context, rank, sizes)}};
  return xlaIrDictionaryAttr(context, 2, fields);
}

/// What operands, what regions use from outside, and what a fusion computes
/// take.
static bool annotateValues(const XlaTiling *tiling, intptr_t result,
                           const int64_t *sizes) {
  MlirContext context = mlirOperationGetContext(tiling->op);
  intptr_t nCaptured = tiling->nRead - tiling->nOperands;
  bool ok =
      set(tiling->op, "_operands", result,
          valuesToAttr(context, tiling->nOperands, tiling->values, sizes));
  if (ok && nCaptured)
    ok = set(tiling->op, "_captured", result,
             valuesToAttr(context, nCaptured,
                          tiling->values + tiling->nOperands, sizes));
  for (intptr_t i = tiling->nRead; ok && i < tiling->n;) {
    MlirOperation op = mlirOpResultGetOwner(tiling->values[i].value);
    intptr_t n = mlirOperationGetNumResults(op);
    ok = set(op, "_from_root", result,
             valuesToAttr(context, n, &tiling->values[i], sizes));
    i += n;
  }
  return ok;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The sizes for one result: those that are given, of its last dimensions and
/// no larger than these, with 1 along the others, or what is found. Whether
/// there are any at all, and in `reason`, unless it becomes empty, what is
/// against them.
static bool chooseSizes(const Tiler *tiler, const XlaTiling *tiling,
                        int64_t *sizes, XlaTileCost *cost,
                        char reason[XLA_TILE_REASON]) {
  int rank = tiling->shape.rank;
  if (!tiler->nSizes) {
    bool isFound = xlaTilingSearch(tiling, tiler->bytes, sizes, cost, reason);
    if (isFound)
      reason[0] = 0;
    return isFound;
  }
  if (tiler->nSizes > rank) {
    snprintf(reason, XLA_TILE_REASON,
             "the result has %d dimension%s, %d sizes are given", rank,
             rank == 1 ? "" : "s", tiler->nSizes);
    return false;
  }
  int others = rank - tiler->nSizes;
  for (int d = 0; d < rank; ++d) {
    int64_t size = d < others ? 1 : tiler->sizes[d - others];
    sizes[d] = size < tiling->shape.dims[d] ? size : tiling->shape.dims[d];
  }
  if (!xlaTilingMeasure(tiling, sizes, cost, reason))
    return true;
  reason[0] = 0;
  if (tiler->bytes && cost->bytes > tiler->bytes)
    snprintf(reason, XLA_TILE_REASON, "it takes %lld bytes, more than %lld",
             (long long)cost->bytes, (long long)tiler->bytes);
  return true;
}

/// False if there is no memory.
static bool tileResult(const Tiler *tiler, MlirOperation op, intptr_t result) {
  XlaTiling tiling;
  XlaTileCost cost = {0};
  int64_t sizes[XLA_MAX_RANK];
  char reason[XLA_TILE_REASON];
  bool ok = xlaTilingInit(&tiling, op, result);
  bool hasSizes = ok && chooseSizes(tiler, &tiling, sizes, &cost, reason);
  if (ok)
    ok = set(op, "", result,
             verdict(mlirOperationGetContext(op), tiling.shape.rank, sizes,
                     &cost, reason[0] ? reason : NULL));
  if (ok && hasSizes)
    ok = annotateValues(&tiling, result, sizes);
  xlaTilingFree(&tiling);
  return ok;
}

/// Whether result `r` is an array, and the first of its dimensions.
static bool isFirst(MlirOperation op, intptr_t r) {
  for (intptr_t i = 0; i < r; ++i)
    if (xlaTilingShares(op, i, r))
      return false;
  return xlaTilingShares(op, r, r);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  Tiler *tiler = data;
  XlaOpKind kind = xlaOpGetKind(op);
  if (kind == XlaOpKindInvalid)
    return MlirWalkResultAdvance;
  // What control flow computes is in it; what other regions compute with is
  // scalars, or has its tiles from the fusion's.
  if (xlaOpGetInfo(kind)->family == XlaFamilyControlFlow)
    return MlirWalkResultAdvance;
  if (!mlirOperationGetNumOperands(op) && !mlirOperationGetNumRegions(op))
    return MlirWalkResultSkip;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    if (isFirst(op, r) && !tileResult(tiler, op, r)) {
      xlaOpNoMemory(op);
      tiler->failed = true;
      return MlirWalkResultInterrupt;
    }
  return MlirWalkResultSkip;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Reads "32,64".
static bool readSizes(MlirStringRef text, Tiler *tiler) {
  size_t at = 0;
  while (at < text.length) {
    int64_t size = 0;
    size_t first = at;
    for (; at < text.length && text.data[at] >= '0' && text.data[at] <= '9';
         ++at)
      if (__builtin_mul_overflow(size, 10, &size) ||
          __builtin_add_overflow(size, text.data[at] - '0', &size))
        return false;
    bool isLast = at == text.length;
    if (at == first || !size || tiler->nSizes == XLA_MAX_RANK ||
        (!isLast && text.data[at] != ',') || (!isLast && at + 1 == text.length))
      return false;
    tiler->sizes[tiler->nSizes++] = size;
    ++at;
  }
  return true;
}

MlirLogicalResult xlaPassTile(MlirOperation module,
                              MlirExtPassOptionValues options, void *userData) {
  MlirStringRef sizes = mlirExtPassOptionGetString(options, 0);
  Tiler tiler = {.bytes = mlirExtPassOptionGetInt(options, 1)};
  (void)userData;
  if (!readSizes(sizes, &tiler))
    return xlaOpError(module, NULL,
                      "sizes are \"%.*s\", must be up to %d numbers from 1 on, "
                      "with commas between them",
                      (int)(sizes.length < 40 ? sizes.length : 40), sizes.data,
                      XLA_MAX_RANK);
  if (tiler.bytes < 0)
    return xlaOpError(module, NULL, "bytes are %lld, must not be negative",
                      (long long)tiler.bytes);
  if (!tiler.nSizes && !tiler.bytes)
    tiler.bytes = defaultBytes;
  mlirOperationWalk(module, visit, &tiler, MlirWalkPreOrder);
  return tiler.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

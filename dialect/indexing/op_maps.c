//===- op_maps.c - Indexing maps of operations ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/indexing/draft.h"

#include <stdlib.h>
#include <string.h>

/// A fusion with more ways to one operand is none to reason about.
enum { maxMaps = 256 };

//===----------------------------------------------------------------------===//
// Sets of maps
//===----------------------------------------------------------------------===//

void xlaIndexingMapsFree(XlaIndexingMaps *maps) {
  for (intptr_t i = 0; i < maps->n; ++i)
    xlaIndexingMapRelease(maps->maps[i]);
  free((void *)maps->maps);
  *maps = (XlaIndexingMaps){0};
}

bool xlaIndexingMapsAdd(XlaIndexingMaps *maps, XlaIndexingMap *map) {
  for (intptr_t i = 0; i < maps->n; ++i)
    if (xlaIndexingMapEqual(maps->maps[i], map)) {
      xlaIndexingMapRelease(map);
      return true;
    }
  if (maps->n == maps->capacity) {
    intptr_t capacity = 2 * maps->capacity + 2;
    XlaIndexingMap **grown = (XlaIndexingMap **)realloc(
        (void *)maps->maps, (size_t)capacity * sizeof(XlaIndexingMap *));
    if (!grown) {
      xlaIndexingMapRelease(map);
      return false;
    }
    maps->maps = grown;
    maps->capacity = capacity;
  }
  maps->maps[maps->n++] = map;
  return true;
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

typedef struct Family {
  const char *name;
  XlaOperandMapHook hook;
} Family;

static const Family families[] = {
    {"Elementwise", xlaElementwiseMap},
    {"Movement", xlaMovementMap},
    {"DynamicSlice", xlaDynamicSliceMap},
    {"Dot", xlaDotMap},
    {"Reduce", xlaReduceMap},
    {"ReduceWindow", xlaWindowMap},
    {"Convolution", xlaWindowMap},
    {"Gather", xlaGatherMap},
};

static XlaOperandMapHook hookOf(XlaOpKind kind) {
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    if (!strcmp(families[i].name, xlaOpGetInfo(kind)->family))
      return families[i].hook;
  return NULL;
}

/// Whether an array has elements and static sizes.
static bool hasElements(MlirValue value, XlaShape *shape) {
  if (!xlaShapeFromMlir(mlirValueGetType(value), shape, NULL))
    return false;
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] < 1)
      return false;
  return true;
}

static XlaOpMaps getOperandMap(MlirOperation op, intptr_t result,
                               intptr_t operand, XlaIndexingMaps *maps) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape to, from;
  if (kind == XlaOpKindInvalid || !hookOf(kind) ||
      !hasElements(mlirOperationGetResult(op, result), &to) ||
      !hasElements(mlirOperationGetOperand(op, operand), &from))
    return XlaOpMapsUnknown;
  XlaMapDraft *draft = malloc(sizeof *draft);
  if (!draft)
    return XlaOpMapsNoMemory;
  xlaMapDraftInit(draft, mlirOperationGetContext(op), &to);
  bool isKnown = hookOf(kind)(op, kind, result, operand, &from, draft);
  XlaIndexingMap *map = isKnown ? xlaMapDraftFinish(draft) : NULL;
  free(draft);
  if (!isKnown)
    return XlaOpMapsUnknown;
  return map && xlaIndexingMapsAdd(maps, map) ? XlaOpMapsKnown
                                              : XlaOpMapsNoMemory;
}

//===----------------------------------------------------------------------===//
// Fusions
//===----------------------------------------------------------------------===//

/// first, then each of `second`, simplified, into `maps`. Empty maps are left
/// out.
static XlaOpMaps composeInto(const XlaIndexingMaps *first,
                             const XlaIndexingMaps *second,
                             XlaIndexingMaps *maps) {
  for (intptr_t i = 0; i < first->n; ++i)
    for (intptr_t k = 0; k < second->n; ++k) {
      XlaIndexingMap *used = xlaIndexingMapFinish(
          xlaIndexingMapCompose(first->maps[i], second->maps[k]),
          XlaIndexingPointsReplace);
      if (!used)
        return XlaOpMapsNoMemory;
      if (xlaIndexingMapIsKnownEmpty(used))
        xlaIndexingMapRelease(used);
      else if (!xlaIndexingMapsAdd(maps, used))
        return XlaOpMapsNoMemory;
      if (maps->n > maxMaps)
        return XlaOpMapsUnknown;
    }
  return XlaOpMapsKnown;
}

/// The values of a fusion's region, with maps from an element of the fusion's
/// result: results of operations, then the block's arguments.
typedef struct Walk {
  MlirBlock block;
  intptr_t nValues, capacity;
  MlirValue *values;
  XlaIndexingMaps *maps;
} Walk;

static bool addValue(Walk *walk, MlirValue value) {
  if (walk->nValues == walk->capacity) {
    intptr_t capacity = 2 * walk->capacity + 16;
    MlirValue *values =
        realloc(walk->values, (size_t)capacity * sizeof *values);
    if (values)
      walk->values = values;
    XlaIndexingMaps *maps =
        values ? realloc(walk->maps, (size_t)capacity * sizeof *maps) : NULL;
    if (!maps)
      return false;
    walk->maps = maps;
    walk->capacity = capacity;
  }
  walk->values[walk->nValues] = value;
  walk->maps[walk->nValues++] = (XlaIndexingMaps){0};
  return true;
}

static XlaIndexingMaps *find(const Walk *walk, MlirValue value) {
  for (intptr_t i = 0; i < walk->nValues; ++i)
    if (mlirValueEqual(walk->values[i], value))
      return &walk->maps[i];
  return NULL;
}

static bool collect(Walk *walk) {
  bool ok = true;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(walk->block); ++i)
    ok = ok && addValue(walk, mlirBlockGetArgument(walk->block, i));
  for (MlirOperation o = mlirBlockGetFirstOperation(walk->block); o.ptr;
       o = mlirOperationGetNextInBlock(o))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(o); ++i)
      ok = ok && addValue(walk, mlirOperationGetResult(o, i));
  return ok;
}

/// From an operation's results, whose maps are known, to its operands.
static XlaOpMaps spread(Walk *walk, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    const XlaIndexingMaps *first = find(walk, mlirOperationGetResult(op, r));
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      XlaIndexingMaps *to = find(walk, mlirOperationGetOperand(op, i));
      XlaIndexingMaps own = {0};
      if (!first || first->n == 0 || !to)
        continue;
      XlaOpMaps known = getOperandMap(op, r, i, &own);
      if (known == XlaOpMapsKnown)
        known = composeInto(first, &own, to);
      xlaIndexingMapsFree(&own);
      if (known != XlaOpMapsKnown)
        return known;
    }
  }
  return XlaOpMapsKnown;
}

/// Maps of all values of the region, users first.
static XlaOpMaps walkRegion(Walk *walk, intptr_t result) {
  MlirOperation end = mlirBlockGetTerminator(walk->block);
  MlirValue root = mlirOperationGetOperand(end, result);
  XlaMapDraft *draft = malloc(sizeof *draft);
  XlaShape shape;
  XlaOpMaps known = XlaOpMapsKnown;
  XlaIndexingMaps *maps = find(walk, root);
  if (!draft || !maps || !hasElements(root, &shape)) {
    free(draft);
    return draft ? XlaOpMapsUnknown : XlaOpMapsNoMemory;
  }
  xlaMapDraftInit(draft, mlirOperationGetContext(end), &shape);
  for (int i = 0; i < shape.rank; ++i)
    xlaMapDraftAddResult(draft, xlaMapDraftDim(draft, i));
  XlaIndexingMap *identity = xlaMapDraftFinish(draft);
  free(draft);
  if (!identity || !xlaIndexingMapsAdd(maps, identity))
    return XlaOpMapsNoMemory;
  // Blocks are lists in one direction; the results say where to go on.
  for (intptr_t i = walk->nValues - 1; i >= 0; --i)
    if (mlirValueIsAOpResult(walk->values[i]) &&
        mlirOpResultGetResultNumber(walk->values[i]) == 0) {
      known = spread(walk, mlirOpResultGetOwner(walk->values[i]));
      if (known != XlaOpMapsKnown)
        return known;
    }
  return known;
}

static XlaOpMaps getFusionMaps(MlirOperation op, intptr_t result,
                               intptr_t operand, XlaIndexingMaps *maps) {
  Walk walk = {.block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))};
  XlaOpMaps known =
      collect(&walk) ? walkRegion(&walk, result) : XlaOpMapsNoMemory;
  if (known == XlaOpMapsKnown) {
    XlaIndexingMaps *found =
        find(&walk, mlirBlockGetArgument(walk.block, operand));
    *maps = *found;
    *found = (XlaIndexingMaps){0};
  }
  for (intptr_t i = 0; i < walk.nValues; ++i)
    xlaIndexingMapsFree(&walk.maps[i]);
  free(walk.values);
  free(walk.maps);
  return known;
}

//===----------------------------------------------------------------------===//
// Both directions
//===----------------------------------------------------------------------===//

XlaOpMaps xlaOpGetOperandMaps(MlirOperation op, intptr_t result,
                              intptr_t operand, XlaIndexingMaps *maps) {
  *maps = (XlaIndexingMaps){0};
  return xlaOpGetKind(op) == XlaOpKindFusion
             ? getFusionMaps(op, result, operand, maps)
             : getOperandMap(op, result, operand, maps);
}

XlaOpMaps xlaOpGetResultMaps(MlirOperation op, intptr_t operand,
                             intptr_t result, XlaIndexingMaps *maps) {
  XlaIndexingMaps from;
  XlaOpMaps known = xlaOpGetOperandMaps(op, result, operand, &from);
  *maps = (XlaIndexingMaps){0};
  for (intptr_t i = 0; i < from.n && known == XlaOpMapsKnown; ++i) {
    XlaIndexingMap *map = xlaIndexingMapTranspose(from.maps[i]);
    if (!map)
      known = XlaOpMapsUnknown;
    else if (!xlaIndexingMapsAdd(maps, map))
      known = XlaOpMapsNoMemory;
  }
  xlaIndexingMapsFree(&from);
  return known;
}

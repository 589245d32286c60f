//===- op_maps.c - Indexing maps of operations ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/draft.h"
#include "xlac/dialect/indexing/op_maps_internal.h"

#include <stdlib.h>
#include <string.h>

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

/// What families.def says of maps.
typedef struct Family {
  XlaOperandMapHook hook; ///< NULL: there are none
  bool takesBounds;       ///< sizes do not matter to where elements are
} Family;

/// For families without.
#define xlaNoneMap NULL

static const Family *familyOf(XlaOpKind kind) {
  enum { ofSizes = false, ofBounds = true };
  static const Family families[XlaFamilyCount] = {
      {NULL, false},
#define XLA_FAMILY(Family, sizes, Maps, MapsOf, ...)                           \
  {xla##Maps##Map, of##MapsOf},
#include "xlac/dialect/families.def"
  };
  const Family *family = &families[xlaOpGetInfo(kind)->family];
  return family->hook ? family : NULL;
}

static bool hasShape(MlirValue value, bool takesBounds, XlaShape *shape) {
  MlirType type = mlirValueGetType(value);
  return takesBounds ? xlaShapeFromMlirBounded(type, shape, NULL)
                     : xlaShapeFromMlir(type, shape, NULL);
}

static bool isEmpty(const XlaShape *shape) {
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] < 1)
      return true;
  return false;
}

/// All maps of one operand of an operation that is no fusion.
static XlaOpMaps getOwnMaps(MlirOperation op, intptr_t result, intptr_t operand,
                            XlaIndexingMaps *maps) {
  XlaOpKind kind = xlaOpGetKind(op);
  const Family *family = familyOf(kind);
  XlaShape to, from;
  if (!family ||
      !hasShape(mlirOperationGetResult(op, result), family->takesBounds, &to) ||
      !hasShape(mlirOperationGetOperand(op, operand), family->takesBounds,
                &from))
    return XlaOpMapsUnknown;
  if (isEmpty(&to) || isEmpty(&from))
    return XlaOpMapsKnown;
  XlaMapDraft *draft = malloc(sizeof *draft);
  XlaOpMaps known = draft ? XlaOpMapsKnown : XlaOpMapsNoMemory;
  for (intptr_t way = 0, nWays = 1; way < nWays && known == XlaOpMapsKnown;
       ++way) {
    xlaMapDraftInit(draft, mlirOperationGetContext(op), &to);
    draft->way = way;
    if (!family->hook(op, kind, result, operand, &from, draft)) {
      known = XlaOpMapsUnknown;
    } else if (!draft->isUnread) {
      XlaIndexingMap *drafted = xlaMapDraftFinish(draft),
                     *map = drafted ? xlaIndexingMapResolve(drafted) : NULL;
      xlaIndexingMapRelease(drafted);
      if (map && xlaIndexingMapIsKnownEmpty(map))
        xlaIndexingMapRelease(map);
      else if (!map || !xlaIndexingMapsAdd(maps, map))
        known = XlaOpMapsNoMemory;
    }
    nWays = draft->nWays;
  }
  free(draft);
  return known;
}

/// From an element of a result to all of an array that a region captures.
static XlaOpMaps getCapturedMaps(MlirOperation op, intptr_t result,
                                 MlirValue value, XlaIndexingMaps *maps) {
  XlaOpKind kind = xlaOpGetKind(op);
  XlaShape to, from;
  if (!familyOf(kind) ||
      !hasShape(mlirOperationGetResult(op, result), true, &to) ||
      !hasShape(value, true, &from))
    return XlaOpMapsUnknown;
  if (isEmpty(&to) || isEmpty(&from))
    return XlaOpMapsKnown;
  XlaMapDraft *draft = malloc(sizeof *draft);
  if (!draft)
    return XlaOpMapsNoMemory;
  xlaMapDraftInit(draft, mlirOperationGetContext(op), &to);
  for (int i = 0; i < from.rank; ++i)
    xlaMapDraftAddResult(draft, xlaMapDraftAddRange(draft, from.dims[i]));
  XlaIndexingMap *map = xlaMapDraftFinish(draft);
  free(draft);
  return map && xlaIndexingMapsAdd(maps, map) ? XlaOpMapsKnown
                                              : XlaOpMapsNoMemory;
}

XlaOpMaps xlaValueGetIdentity(MlirValue value, XlaIndexingMap **map) {
  XlaShape shape;
  *map = NULL;
  if (!hasShape(value, true, &shape))
    return XlaOpMapsUnknown;
  if (isEmpty(&shape))
    return XlaOpMapsKnown;
  XlaMapDraft *draft = malloc(sizeof *draft);
  if (!draft)
    return XlaOpMapsNoMemory;
  xlaMapDraftInit(draft, mlirTypeGetContext(mlirValueGetType(value)), &shape);
  for (int i = 0; i < shape.rank; ++i)
    xlaMapDraftAddResult(draft, xlaMapDraftDim(draft, i));
  *map = xlaMapDraftFinish(draft);
  free(draft);
  return *map ? XlaOpMapsKnown : XlaOpMapsNoMemory;
}

//===----------------------------------------------------------------------===//
// All that is read
//===----------------------------------------------------------------------===//

/// Entries for operands and captured values, without maps.
static bool startReads(MlirOperation op, XlaOpReads *reads) {
  XlaValues captured = {0};
  bool isFusion = xlaOpGetKind(op) == XlaOpKindFusion; // which captures nothing
  bool ok = isFusion || xlaOpGetCaptured(op, &captured);
  intptr_t nOperands = mlirOperationGetNumOperands(op);
  if (ok)
    reads->values =
        calloc((size_t)(nOperands + captured.n) + 1, sizeof *reads->values);
  if (reads->values) {
    reads->nOperands = nOperands;
    reads->n = nOperands + captured.n;
    for (intptr_t i = 0; i < reads->n; ++i)
      reads->values[i].value = i < nOperands ? mlirOperationGetOperand(op, i)
                                             : captured.values[i - nOperands];
  }
  free(captured.values);
  return reads->values != NULL;
}

bool xlaOpGetReads(MlirOperation op, intptr_t result, XlaOpReads *reads) {
  *reads = (XlaOpReads){0};
  if (!startReads(op, reads))
    return false;
  if (xlaOpGetKind(op) == XlaOpKindFusion)
    return xlaFusionGetReads(op, result, reads);
  for (intptr_t i = 0; i < reads->n; ++i) {
    XlaOperandMaps *read = &reads->values[i];
    read->known = i < reads->nOperands
                      ? getOwnMaps(op, result, i, &read->maps)
                      : getCapturedMaps(op, result, read->value, &read->maps);
    if (read->known == XlaOpMapsNoMemory)
      return false;
  }
  return true;
}

void xlaOpReadsFree(XlaOpReads *reads) {
  for (intptr_t i = 0; i < reads->n; ++i)
    xlaIndexingMapsFree(&reads->values[i].maps);
  free(reads->values);
  *reads = (XlaOpReads){0};
}

//===----------------------------------------------------------------------===//
// Both directions
//===----------------------------------------------------------------------===//

XlaOpMaps xlaOpGetOperandMaps(MlirOperation op, intptr_t result,
                              intptr_t operand, XlaIndexingMaps *maps) {
  *maps = (XlaIndexingMaps){0};
  if (xlaOpGetKind(op) != XlaOpKindFusion)
    return getOwnMaps(op, result, operand, maps);
  XlaOpReads reads;
  XlaOpMaps known = XlaOpMapsNoMemory;
  if (xlaOpGetReads(op, result, &reads)) {
    known = reads.values[operand].known;
    *maps = reads.values[operand].maps;
    reads.values[operand].maps = (XlaIndexingMaps){0};
  }
  xlaOpReadsFree(&reads);
  return known;
}

bool xlaIndexingMapsTranspose(const XlaOperandMaps *from, XlaOperandMaps *to) {
  *to = (XlaOperandMaps){from->value, from->known, {0}};
  for (intptr_t i = 0; i < from->maps.n && to->known == XlaOpMapsKnown; ++i) {
    XlaIndexingMap *map = xlaIndexingMapTranspose(from->maps.maps[i]);
    if (!map)
      to->known = XlaOpMapsUnknown;
    else if (!xlaIndexingMapsAdd(&to->maps, map))
      return false;
  }
  return true;
}

XlaOpMaps xlaOpGetResultMaps(MlirOperation op, intptr_t operand,
                             intptr_t result, XlaIndexingMaps *maps) {
  XlaOperandMaps from = {.value = mlirOperationGetOperand(op, operand)}, to;
  from.known = xlaOpGetOperandMaps(op, result, operand, &from.maps);
  if (!xlaIndexingMapsTranspose(&from, &to))
    to.known = XlaOpMapsNoMemory;
  xlaIndexingMapsFree(&from.maps);
  *maps = to.maps;
  return to.known;
}

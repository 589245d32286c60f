//===- fusion.c - Indexing maps of fusions --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fusion is walked over once, from a result to the arguments: each value gets
// the maps that lead from an element of the result to it.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps_internal.h"
#include "xlac/dialect/pointer_map.h"
#include "xlac/dialect/shape.h"

#include <stdlib.h>

/// A value with more ways to it is none to reason about.
enum { maxMaps = 256 };

/// The values of a fusion's region that a result is computed from.
typedef struct Walk {
  MlirBlock block;
  XlaPointerMap places; ///< from values to positions in `values`, from 1
  intptr_t nValues, capacity;
  XlaOperandMaps *values;
  intptr_t nOps;
  MlirOperation *ops; ///< of the block
} Walk;

/// The entry of a value, which is made if there is none; NULL without memory.
static XlaOperandMaps *entryOf(Walk *walk, MlirValue value) {
  intptr_t place = xlaPointerMapGet(&walk->places, value.ptr);
  if (place)
    return &walk->values[place - 1];
  if (walk->nValues == walk->capacity) {
    intptr_t capacity = 2 * walk->capacity + 16;
    XlaOperandMaps *values =
        realloc(walk->values, (size_t)capacity * sizeof *values);
    if (!values)
      return NULL;
    walk->values = values;
    walk->capacity = capacity;
  }
  if (!xlaPointerMapSet(&walk->places, value.ptr, walk->nValues + 1))
    return NULL;
  walk->values[walk->nValues] =
      (XlaOperandMaps){.value = value, .known = XlaOpMapsKnown};
  return &walk->values[walk->nValues++];
}

/// Blocks are lists in one direction, and are walked over in the other.
static bool collectOps(Walk *walk) {
  intptr_t n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(walk->block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    ++n;
  walk->ops = calloc((size_t)n + 1, sizeof *walk->ops);
  if (!walk->ops)
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(walk->block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    walk->ops[walk->nOps++] = op;
  return true;
}

/// Whether `map` takes every index of `shape` to itself.
static bool isIdentity(const XlaIndexingMap *map, const XlaShape *shape) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  bool same = mlirAffineMapIsIdentity(parts->map) && !parts->nConstraints &&
              !parts->nRanges && !parts->nRuntimes;
  for (int i = 0; i < shape->rank && same; ++i)
    same =
        parts->dims[i].lower == 0 && parts->dims[i].upper == shape->dims[i] - 1;
  return same;
}

/// first, which leads to a value of `shape`, then second, simplified; NULL
/// without memory. What most operations of a fusion have, the identity, leaves
/// the other map as it is.
static XlaIndexingMap *compose(const XlaIndexingMap *first,
                               const XlaIndexingMap *second,
                               const XlaShape *shape) {
  if (isIdentity(second, shape))
    return xlaIndexingMapRetain(first);
  return xlaIndexingMapFinish(xlaIndexingMapCompose(first, second),
                              XlaIndexingPointsReplace);
}

/// The maps to `from`, then each of `second`, into `to`. Empty maps are left
/// out. False without memory.
static bool composeInto(const XlaOperandMaps *from,
                        const XlaIndexingMaps *second, XlaOperandMaps *to) {
  const XlaIndexingMaps *first = &from->maps;
  XlaShape shape;
  xlaShapeFromMlirBounded(mlirValueGetType(from->value), &shape, NULL);
  for (intptr_t i = 0; i < first->n; ++i)
    for (intptr_t k = 0; k < second->n && to->known == XlaOpMapsKnown; ++k) {
      XlaIndexingMap *both = compose(first->maps[i], second->maps[k], &shape);
      if (!both)
        return false;
      if (xlaIndexingMapIsKnownEmpty(both))
        xlaIndexingMapRelease(both);
      else if (!xlaIndexingMapsAdd(&to->maps, both))
        return false;
      if (to->maps.n > maxMaps)
        to->known = XlaOpMapsUnknown;
    }
  return true;
}

/// From an operation's result, entry `from`, to what it is computed from.
static bool spreadResult(Walk *walk, intptr_t from, const XlaOpReads *reads) {
  for (intptr_t i = 0; i < reads->n; ++i) {
    const XlaOperandMaps *read = &reads->values[i];
    XlaOperandMaps *to = entryOf(walk, read->value);
    if (!to)
      return false;
    // Entries move when one is made.
    const XlaOperandMaps *first = &walk->values[from];
    bool isRead = read->known != XlaOpMapsKnown || read->maps.n > 0;
    if (isRead &&
        (first->known != XlaOpMapsKnown || read->known != XlaOpMapsKnown))
      to->known = XlaOpMapsUnknown;
    else if (!composeInto(first, &read->maps, to))
      return false;
  }
  return true;
}

/// The same for all results of `op`, whose entries are complete.
static bool spread(Walk *walk, MlirOperation op) {
  bool ok = true;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op) && ok; ++r) {
    intptr_t from =
        xlaPointerMapGet(&walk->places, mlirOperationGetResult(op, r).ptr) - 1;
    XlaOpReads reads;
    if (from < 0 || (walk->values[from].known == XlaOpMapsKnown &&
                     walk->values[from].maps.n == 0))
      continue;
    ok = xlaOpGetReads(op, r, &reads) && spreadResult(walk, from, &reads);
    xlaOpReadsFree(&reads);
  }
  return ok;
}

/// The maps of the region's results: one is the identity.
static bool start(Walk *walk, intptr_t result) {
  MlirOperation end = mlirBlockGetTerminator(walk->block);
  XlaOperandMaps *root = entryOf(walk, mlirOperationGetOperand(end, result));
  XlaIndexingMap *identity = NULL;
  if (!root)
    return false;
  root->known = xlaValueGetIdentity(root->value, &identity);
  return root->known != XlaOpMapsNoMemory &&
         (!identity || xlaIndexingMapsAdd(&root->maps, identity));
}

/// Seen from outside of the fusion, more of runtime variables is known.
static bool resolveInto(const XlaIndexingMaps *from, XlaIndexingMaps *to) {
  bool ok = true;
  for (intptr_t i = 0; i < from->n && ok; ++i) {
    XlaIndexingMap *map = xlaIndexingMapResolve(from->maps[i]);
    if (map && xlaIndexingMapIsKnownEmpty(map))
      xlaIndexingMapRelease(map);
    else
      ok = map && xlaIndexingMapsAdd(to, map);
  }
  return ok;
}

/// Walks over the region, from result `result` to its arguments.
static bool walkOver(Walk *walk, MlirOperation op, intptr_t result) {
  walk->block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  bool ok = collectOps(walk) && start(walk, result);
  for (intptr_t i = walk->nOps - 1; i >= 0 && ok; --i)
    ok = spread(walk, walk->ops[i]);
  return ok;
}

static void freeWalk(Walk *walk) {
  for (intptr_t i = 0; i < walk->nValues; ++i)
    xlaIndexingMapsFree(&walk->values[i].maps);
  xlaPointerMapClear(&walk->places);
  free(walk->values);
  free(walk->ops);
}

/// Fills in the maps to a value of the region; none if it is not read.
static bool getMaps(const Walk *walk, MlirValue value, XlaOperandMaps *to) {
  intptr_t place = xlaPointerMapGet(&walk->places, value.ptr);
  to->known = place ? walk->values[place - 1].known : XlaOpMapsKnown;
  return !place || to->known != XlaOpMapsKnown ||
         resolveInto(&walk->values[place - 1].maps, &to->maps);
}

bool xlaFusionGetReads(MlirOperation op, intptr_t result, XlaOpReads *reads) {
  Walk walk = {.nOps = 0};
  bool ok = walkOver(&walk, op, result);
  for (intptr_t i = 0; i < reads->n && ok; ++i)
    ok = getMaps(&walk, mlirBlockGetArgument(walk.block, i), &reads->values[i]);
  freeWalk(&walk);
  return ok;
}

/// An entry for each result of the operations that were collected.
static bool startInner(const Walk *walk, XlaOpReads *inner) {
  intptr_t n = 0;
  for (intptr_t i = 0; i < walk->nOps; ++i)
    n += mlirOperationGetNumResults(walk->ops[i]);
  inner->values = calloc((size_t)n + 1, sizeof *inner->values);
  if (!inner->values)
    return false;
  for (intptr_t i = 0; i < walk->nOps; ++i)
    for (intptr_t r = 0; r < mlirOperationGetNumResults(walk->ops[i]); ++r)
      inner->values[inner->n++].value = mlirOperationGetResult(walk->ops[i], r);
  return true;
}

bool xlaFusionGetInnerMaps(MlirOperation op, intptr_t result,
                           XlaOpReads *inner) {
  Walk walk = {.nOps = 0};
  *inner = (XlaOpReads){0};
  bool ok = walkOver(&walk, op, result) && startInner(&walk, inner);
  for (intptr_t i = 0; i < inner->n && ok; ++i)
    ok = getMaps(&walk, inner->values[i].value, &inner->values[i]);
  freeWalk(&walk);
  return ok;
}

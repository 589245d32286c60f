//===- measure.c - What a tile of a result takes --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/op_maps.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/passes/tile/tile.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { lineBytes = 64 };

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Takes the maps of one array.
static bool setValue(XlaTiledValue *value, const XlaOperandMaps *read) {
  value->value = read->value;
  value->isKnown =
      read->known == XlaOpMapsKnown &&
      xlaShapeFromMlir(mlirValueGetType(read->value), &value->shape, NULL);
  value->maps = calloc((size_t)read->maps.n + 1, sizeof *value->maps);
  if (!value->maps)
    return false;
  for (; value->isKnown && value->n < read->maps.n; ++value->n) {
    XlaTiledMap *map = &value->maps[value->n];
    map->tile = xlaSymbolicTileCreate(read->maps.maps[value->n], map->reason);
  }
  return true;
}

bool xlaTilingShares(MlirOperation op, intptr_t a, intptr_t b) {
  XlaShape x, y;
  return xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, a)), &x,
                          NULL) &&
         xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, b)), &y,
                          NULL) &&
         xlaShapeDimsEqual(&x, &y);
}

/// Adds the maps of another result: arrays are the same ones.
static bool merge(XlaOpReads *into, const XlaOpReads *from) {
  bool ok = true;
  for (intptr_t i = 0; i < into->n && i < from->n && ok; ++i) {
    if (from->values[i].known != XlaOpMapsKnown)
      into->values[i].known = from->values[i].known;
    for (intptr_t k = 0; k < from->values[i].maps.n && ok; ++k)
      ok = xlaIndexingMapsAdd(
          &into->values[i].maps,
          xlaIndexingMapRetain(from->values[i].maps.maps[k]));
  }
  return ok;
}

/// What the result, and those that share its tiles, are computed from.
static bool read(MlirOperation op, intptr_t result, XlaOpReads *reads,
                 XlaOpReads *inner) {
  bool isFusion = xlaOpGetKind(op) == XlaOpKindFusion;
  bool ok = xlaOpGetReads(op, result, reads) &&
            (!isFusion || xlaFusionGetInnerMaps(op, result, inner));
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op) && ok; ++r) {
    XlaOpReads more = {0}, moreInner = {0};
    if (r == result || !xlaTilingShares(op, r, result))
      continue;
    ok = xlaOpGetReads(op, r, &more) && merge(reads, &more) &&
         (!isFusion || (xlaFusionGetInnerMaps(op, r, &moreInner) &&
                        merge(inner, &moreInner)));
    xlaOpReadsFree(&more);
    xlaOpReadsFree(&moreInner);
  }
  return ok;
}

bool xlaTilingInit(XlaTiling *tiling, MlirOperation op, intptr_t result) {
  XlaOpReads reads = {0}, inner = {0};
  *tiling = (XlaTiling){.op = op, .result = result};
  bool ok =
      xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, result)),
                       &tiling->shape, NULL);
  ok = ok && read(op, result, &reads, &inner);
  tiling->nOperands = reads.nOperands;
  tiling->nRead = reads.n;
  tiling->values =
      calloc((size_t)(reads.n + inner.n) + 1, sizeof *tiling->values);
  ok &= tiling->values != NULL;
  for (; ok && tiling->n < reads.n + inner.n; ++tiling->n)
    ok = setValue(&tiling->values[tiling->n],
                  tiling->n < reads.n ? &reads.values[tiling->n]
                                      : &inner.values[tiling->n - reads.n]);
  xlaOpReadsFree(&reads);
  xlaOpReadsFree(&inner);
  return ok;
}

void xlaTilingFree(XlaTiling *tiling) {
  for (intptr_t i = 0; i < tiling->n; ++i) {
    for (intptr_t k = 0; k < tiling->values[i].n; ++k)
      xlaSymbolicTileDestroy(tiling->values[i].maps[k].tile);
    free(tiling->values[i].maps);
  }
  free(tiling->values);
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// Adds a tile of an array of `shape` that has `numbers` along each dimension.
/// False if it is too large to be counted.
static bool addTile(const XlaShape *shape, const XlaTileNumbers *numbers,
                    bool isMemory, XlaTileCost *cost) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(shape->elementType);
  int64_t bytes = info->bytes ? info->bytes : (info->bits + 7) / 8, all;
  int64_t elements = 1;
  double run = 1, lines = 1;
  bool isRun = true, fits = true;
  for (int d = shape->rank - 1; d >= 0 && fits; --d) {
    // The last tile of a dimension may hang over.
    int64_t size =
        numbers[d].size < shape->dims[d] ? numbers[d].size : shape->dims[d];
    fits = !__builtin_mul_overflow(elements, size, &elements);
    if (isRun && (numbers[d].stride == 1 || size == 1))
      run *= (double)size;
    else
      lines *= (double)size;
    isRun &= numbers[d].stride == 1 && size == shape->dims[d];
  }
  if (isMemory)
    cost->lines += lines * ceil(run * (double)bytes / lineBytes);
  return fits && !__builtin_mul_overflow(elements, bytes, &all) &&
         !__builtin_add_overflow(cost->bytes, all, &cost->bytes);
}

/// The same of what one map needs for a tile of `sizes`.
static bool addMap(const XlaShape *shape, const XlaSymbolicTile *tile,
                   const XlaTileCase *one, const int64_t *sizes, bool isMemory,
                   XlaTileCost *cost) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  XlaTileNumbers numbers[XLA_MAX_RANK];
  int64_t position[XLA_MAX_RANK];
  int64_t *runtimes = calloc((size_t)parts->nRuntimes + 1, sizeof *runtimes);
  bool fits = runtimes && tile->nResults == shape->rank;
  for (intptr_t d = 0; d < parts->nDims; ++d)
    position[d] = parts->dims[d].lower;
  for (intptr_t i = 0; fits && i < parts->nRuntimes; ++i)
    runtimes[i] = parts->runtimes[i].bounds.lower;
  for (intptr_t r = 0; fits && r < tile->nResults; ++r)
    fits = xlaSymbolicTileEvaluate(tile, &one->results[r], sizes, position,
                                   runtimes, &numbers[r]);
  free(runtimes);
  return fits && addTile(shape, numbers, isMemory, cost);
}

/// What `value` is, before a reason.
static void refuse(const XlaTiling *tiling, intptr_t i, const char *reason,
                   char text[XLA_TILE_REASON]) {
  MlirValue value = tiling->values[i].value;
  if (i < tiling->nOperands) {
    snprintf(text, XLA_TILE_REASON, "of operand %lld, %s", (long long)i,
             reason);
  } else if (i < tiling->nRead) {
    snprintf(text, XLA_TILE_REASON, "of what a region uses, %s", reason);
  } else {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetName(mlirOpResultGetOwner(value)));
    snprintf(text, XLA_TILE_REASON, "of %.*s in it, %s",
             (int)(name.length < 40 ? name.length : 40), name.data, reason);
  }
}

/// Tiles of a map begin where its dimensions do. Where that is not at 0, as of
/// what is padded, conditions hold for tiles of the result that begin there
/// too.
static bool isAligned(const XlaSymbolicTile *tile, const XlaTileCase *one,
                      const int64_t *sizes, char reason[256]) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  for (intptr_t d = 0; d < parts->nDims; ++d)
    if (parts->dims[d].lower % sizes[d] && xlaTileCaseDependsOn(one, d)) {
      snprintf(reason, 256, "t%lld is %lld, and p%lld begins at %lld",
               (long long)d, (long long)sizes[d], (long long)d,
               (long long)parts->dims[d].lower);
      return false;
    }
  return true;
}

const XlaTileCase *xlaTiledMapFind(const XlaTiledMap *map, const int64_t *sizes,
                                   char reason[256]) {
  if (!map->tile) {
    memcpy(reason, map->reason, sizeof map->reason);
    return NULL;
  }
  const XlaTileCase *one = xlaSymbolicTileFindHanging(map->tile, sizes);
  if (!one)
    one = xlaSymbolicTileFind(map->tile, sizes, reason);
  return one && isAligned(map->tile, one, sizes, reason) ? one : NULL;
}

/// Whether all elements are one number, which needs no memory.
static bool isSplat(MlirValue value) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                 : (MlirOperation){NULL};
  if (!op.ptr || xlaOpGetKind(op) != XlaOpKindConstant)
    return false;
  MlirAttribute attribute = xlaOpGetAttr(op, "value");
  return mlirAttributeIsADenseElements(attribute) &&
         mlirDenseElementsAttrIsSplat(attribute);
}

static bool addValue(const XlaTiling *tiling, intptr_t i, const int64_t *sizes,
                     XlaTileCost *cost, char text[XLA_TILE_REASON]) {
  const XlaTiledValue *value = &tiling->values[i];
  char reason[256] = "no map says what it takes";
  XlaTileCost unused = {0};
  bool fits = value->isKnown;
  if (isSplat(value->value))
    cost = &unused;
  for (intptr_t k = 0; k < value->n && fits; ++k) {
    const XlaTiledMap *map = &value->maps[k];
    const XlaTileCase *one = xlaTiledMapFind(map, sizes, reason);
    fits = one != NULL;
    if (fits && !addMap(&value->shape, map->tile, one, sizes, i < tiling->nRead,
                        cost)) {
      snprintf(reason, sizeof reason, "the tile is too large");
      fits = false;
    }
  }
  if (!fits)
    refuse(tiling, i, reason, text);
  return fits;
}

bool xlaTilingMeasure(const XlaTiling *tiling, const int64_t *sizes,
                      XlaTileCost *cost, char reason[XLA_TILE_REASON]) {
  XlaTileNumbers own[XLA_MAX_RANK];
  double tiles = 1;
  *cost = (XlaTileCost){0};
  for (int d = 0; d < tiling->shape.rank; ++d) {
    int64_t extent = tiling->shape.dims[d];
    if (sizes[d] < 1 || sizes[d] > extent) {
      snprintf(reason, XLA_TILE_REASON, "t%d is %lld, not in [1, %lld]", d,
               (long long)sizes[d], (long long)extent);
      return false;
    }
    own[d] = (XlaTileNumbers){0, sizes[d], 1};
    int64_t count = (extent - 1) / sizes[d] + 1;
    tiles *= (double)count;
  }
  for (intptr_t i = 0; i < tiling->n; ++i)
    if (!addValue(tiling, i, sizes, cost, reason))
      return false;
  // Results of a fusion are counted with what is computed in it.
  bool isCounted =
      xlaOpGetKind(tiling->op) == XlaOpKindFusion && tiling->n > tiling->nRead;
  int64_t inside = cost->bytes;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(tiling->op); ++r) {
    XlaShape shape;
    if (!xlaTilingShares(tiling->op, r, tiling->result))
      continue;
    xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(tiling->op, r)),
                     &shape, NULL);
    if (!addTile(&shape, own, true, cost)) {
      snprintf(reason, XLA_TILE_REASON, "the tile is too large");
      return false;
    }
  }
  if (isCounted)
    cost->bytes = inside;
  cost->lines *= tiles;
  return true;
}

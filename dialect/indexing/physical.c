//===- physical.c - Indexing maps of arrays in memory ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/physical.h"
#include "xlac/dialect/indexing/linear.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// One array
//===----------------------------------------------------------------------===//

/// The dimension that is number `i` in memory, the slowest first.
static int64_t majorOf(const XlaLayout *layout, int i) {
  return layout->minorToMajor[layout->rank - 1 - i];
}

static int64_t sizeInMemory(const XlaShape *shape, const XlaLayout *layout,
                            int64_t d) {
  return layout->padded ? layout->paddedDimensions[d] : shape->dims[d];
}

/// A map of the array's indices that permutes them.
static XlaIndexingMap *createPermutation(MlirContext context,
                                         const XlaShape *shape,
                                         const XlaInterval *bounds,
                                         const MlirAffineExpr *results,
                                         const XlaIndexingConstraint *inside) {
  XlaIndexingMapParts parts = {
      .map = mlirAffineMapGet(context, shape->rank, 0, shape->rank,
                              (MlirAffineExpr *)results),
      .nDims = shape->rank,
      .dims = bounds,
      .nConstraints = inside ? shape->rank : 0,
      .constraints = inside};
  return xlaIndexingMapFinish(xlaIndexingMapCreate(&parts),
                              XlaIndexingPointsKeep);
}

XlaIndexingMap *xlaLayoutGetPhysicalToLogical(MlirContext context,
                                              const XlaShape *shape,
                                              const XlaLayout *layout) {
  XlaInterval bounds[XLA_MAX_RANK];
  MlirAffineExpr results[XLA_MAX_RANK];
  XlaIndexingConstraint inside[XLA_MAX_RANK];
  for (int i = 0; i < shape->rank; ++i) {
    int64_t d = majorOf(layout, i);
    bounds[i] = (XlaInterval){0, sizeInMemory(shape, layout, d) - 1};
    results[d] = mlirAffineDimExprGet(context, i);
    inside[i] = (XlaIndexingConstraint){results[d], {0, shape->dims[d] - 1}};
  }
  return createPermutation(context, shape, bounds, results, inside);
}

XlaIndexingMap *xlaLayoutGetLogicalToPhysical(MlirContext context,
                                              const XlaShape *shape,
                                              const XlaLayout *layout) {
  XlaInterval bounds[XLA_MAX_RANK];
  MlirAffineExpr results[XLA_MAX_RANK];
  for (int i = 0; i < shape->rank; ++i) {
    bounds[i] = (XlaInterval){0, shape->dims[i] - 1};
    results[i] = mlirAffineDimExprGet(context, majorOf(layout, i));
  }
  return createPermutation(context, shape, bounds, results, NULL);
}

/// One of the two for a value's type; NULL if it is no array, or there is no
/// memory.
static XlaIndexingMap *ofType(MlirType type, bool toLogical) {
  XlaShape shape;
  if (!xlaShapeFromMlirBounded(type, &shape, NULL))
    return NULL;
  XlaLayout layout = xlaLayoutFromMlir(type);
  MlirContext context = mlirTypeGetContext(type);
  return toLogical ? xlaLayoutGetPhysicalToLogical(context, &shape, &layout)
                   : xlaLayoutGetLogicalToPhysical(context, &shape, &layout);
}

//===----------------------------------------------------------------------===//
// Maps of operations
//===----------------------------------------------------------------------===//

/// Where a runtime variable is read, by the physical index of its value.
static MlirAffineMap placeInMemory(const XlaRuntimeVariable *runtime) {
  MlirAffineMap place = runtime->map;
  MlirAffineExpr exprs[XLA_MAX_RANK];
  if (mlirAffineMapIsNull(place) || !runtime->value.ptr)
    return place;
  XlaLayout layout = xlaLayoutFromMlir(mlirValueGetType(runtime->value));
  intptr_t n = mlirAffineMapGetNumResults(place);
  if (n != layout.rank)
    return (MlirAffineMap){NULL};
  for (int i = 0; i < layout.rank; ++i)
    exprs[i] = mlirAffineMapGetResult(place, majorOf(&layout, i));
  return mlirAffineMapGet(mlirAffineMapGetContext(place),
                          mlirAffineMapGetNumDims(place),
                          mlirAffineMapGetNumSymbols(place), n, exprs);
}

/// Takes over the reference to `map`, which may be NULL.
static XlaIndexingMap *withPlacesInMemory(XlaIndexingMap *map) {
  if (!map || !xlaIndexingMapGetParts(map)->nRuntimes)
    return map;
  XlaIndexingMapParts parts = *xlaIndexingMapGetParts(map);
  XlaRuntimeVariable *runtimes =
      calloc((size_t)parts.nRuntimes, sizeof *runtimes);
  XlaIndexingMap *result = NULL;
  if (runtimes) {
    for (intptr_t i = 0; i < parts.nRuntimes; ++i) {
      runtimes[i] = parts.runtimes[i];
      runtimes[i].map = placeInMemory(&parts.runtimes[i]);
    }
    parts.runtimes = runtimes;
    result = xlaIndexingMapCreate(&parts);
  }
  free(runtimes);
  xlaIndexingMapRelease(map);
  return result;
}

static XlaIndexingMap *toPhysical(const XlaIndexingMap *map,
                                  const XlaIndexingMap *toLogical,
                                  const XlaIndexingMap *toMemory) {
  XlaIndexingMap *read = xlaIndexingMapCompose(toLogical, map);
  XlaIndexingMap *both = read ? xlaIndexingMapCompose(read, toMemory) : NULL;
  xlaIndexingMapRelease(read);
  return withPlacesInMemory(xlaIndexingMapFinish(both, XlaIndexingPointsKeep));
}

bool xlaOperandMapsToPhysical(const XlaOperandMaps *from, MlirType result,
                              XlaOperandMaps *to) {
  *to = (XlaOperandMaps){.value = from->value, .known = from->known};
  if (from->maps.n == 0)
    return true;
  XlaIndexingMap *toLogical = ofType(result, true),
                 *toMemory = ofType(mlirValueGetType(from->value), false);
  bool ok = toLogical && toMemory;
  for (intptr_t i = 0; i < from->maps.n && ok; ++i) {
    XlaIndexingMap *map = toPhysical(from->maps.maps[i], toLogical, toMemory);
    ok = map && xlaIndexingMapsAdd(&to->maps, map);
  }
  xlaIndexingMapRelease(toLogical);
  xlaIndexingMapRelease(toMemory);
  return ok;
}

//===----------------------------------------------------------------------===//
// Bitcasts
//===----------------------------------------------------------------------===//

bool xlaBitcastDecompose(MlirType operand, MlirType result,
                         XlaBitcastSteps *steps) {
  XlaShape from, to;
  if (!xlaShapeFromMlir(operand, &from, NULL) ||
      !xlaShapeFromMlir(result, &to, NULL))
    return false;
  XlaLayout fromLayout = xlaLayoutFromMlir(operand),
            toLayout = xlaLayoutFromMlir(result);
  if (fromLayout.padded || toLayout.padded ||
      xlaElementTypeGetInfo(from.elementType)->bytes !=
          xlaElementTypeGetInfo(to.elementType)->bytes)
    return false;
  *steps = (XlaBitcastSteps){.operandRank = from.rank, .resultRank = to.rank};
  for (int i = 0; i < from.rank; ++i) {
    steps->operandPermutation[i] = majorOf(&fromLayout, i);
    steps->operandSizes[i] = from.dims[majorOf(&fromLayout, i)];
  }
  for (int i = 0; i < to.rank; ++i) {
    steps->resultSizes[i] = to.dims[majorOf(&toLayout, i)];
    steps->resultPermutation[majorOf(&toLayout, i)] = i;
  }
  return true;
}

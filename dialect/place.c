//===- place.c - What a location comes down to ----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/place.h"

#include <stdbool.h>

enum { maxDepth = 100, maxFused = 16 };

/// Whether there is a place in a file within `depth` locations. The outermost
/// name is kept.
static bool find(MlirLocation location, int depth, XlaPlace *place) {
  if (mlirLocationIsAFileLineColRange(location)) {
    place->file =
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    place->line = mlirLocationFileLineColRangeGetStartLine(location);
    place->column = mlirLocationFileLineColRangeGetStartColumn(location);
    return true;
  }
  if (!depth)
    return false;
  if (mlirLocationIsAName(location)) {
    if (!place->name.length)
      place->name = mlirIdentifierStr(mlirLocationNameGetName(location));
    return find(mlirLocationNameGetChildLoc(location), depth - 1, place);
  }
  if (mlirLocationIsACallSite(location))
    return find(mlirLocationCallSiteGetCallee(location), depth - 1, place);
  if (!mlirLocationIsAFused(location) ||
      mlirLocationFusedGetNumLocations(location) > maxFused)
    return false;
  MlirLocation parts[maxFused];
  unsigned n = mlirLocationFusedGetNumLocations(location);
  mlirLocationFusedGetLocations(location, parts);
  for (unsigned i = 0; i < n; ++i)
    if (find(parts[i], depth / (int)n, place))
      return true;
  return false;
}

XlaPlace xlaPlaceGet(MlirLocation location) {
  XlaPlace place = {{"", 0}, {"", 0}, 0, 0};
  find(location, maxDepth, &place);
  return place;
}

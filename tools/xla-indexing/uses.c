//===- uses.c - What a map tells of reads, printed ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-indexing/uses.h"
#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/indexing/uses.h"
#include "xlac/tools/common/options.h"

#include <stdio.h>
#include <string.h>

enum { maxValues = 256 };

/// Points and bytes that --utilization looks at, at most.
enum { maxSteps = 1 << 26 };

/// The sizes of --shape, one a result.
static XlaToolCode readShape(const char *text, const XlaIndexingMapParts *parts,
                             int64_t *sizes) {
  int n = xlaToolReadIntegers(text, strlen(text), 'x', sizes, maxValues);
  bool isShape = n >= 0;
  for (int i = 0; i < n; ++i)
    isShape &= sizes[i] >= 0;
  if (!isShape)
    return xlaToolError(XlaToolCodeWrong,
                        "--shape=%.60s must be sizes with x between them",
                        text);
  if (n == mlirAffineMapGetNumResults(parts->map))
    return XlaToolCodeOk;
  return xlaToolError(XlaToolCodeWrong,
                      "--coalescing and --utilization need --shape with a "
                      "size for each of %lld results",
                      (long long)mlirAffineMapGetNumResults(parts->map));
}

static void printCoalescing(const XlaIndexingMap *map, const int64_t *sizes) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  intptr_t firstRuntime = parts->nDims + parts->nRanges;
  for (intptr_t i = 0; i < firstRuntime + parts->nRuntimes; ++i) {
    int64_t stride;
    const char *name = i < parts->nDims ? "d" : i < firstRuntime ? "s" : "rt";
    intptr_t first = i < parts->nDims   ? 0
                     : i < firstRuntime ? parts->nDims
                                        : firstRuntime;
    if (i >= firstRuntime && parts->runtimes[i - firstRuntime].extremum)
      continue; // is no variable of the text
    printf("%s%s%lld: ", i ? ", " : "", name, (long long)(i - first));
    if (xlaIndexingMapGetStride(map, sizes, i, &stride))
      printf("%lld", (long long)stride);
    else
      printf("varies");
  }
  printf("\n");
}

static XlaToolCode printUtilization(const XlaIndexingMap *map,
                                    const int64_t *sizes) {
  int64_t count;
  double all = 1;
  if (!xlaIndexingMapCountReads(map, sizes, maxSteps, &count))
    return xlaToolError(XlaToolCodeRefused, "the domain or the array is too "
                                            "large to count what is read");
  for (intptr_t i = 0;
       i < mlirAffineMapGetNumResults(xlaIndexingMapGetParts(map)->map); ++i)
    all *= (double)sizes[i];
  printf("%lld of %.0f elements, %.3g %%\n", (long long)count, all,
         all > 0 ? 100 * (double)count / all : 100);
  return XlaToolCodeOk;
}

static void put(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

XlaToolCode xlaIndexingTilePrint(const XlaIndexingMap *map, const char *text,
                                 int number, bool isQuiet) {
  intptr_t nDims = xlaIndexingMapGetParts(map)->nDims;
  int64_t sizes[maxValues];
  char message[256];
  const XlaTileCase *holds = NULL;
  if (*text &&
      xlaToolReadIntegers(text, strlen(text), ',', sizes, maxValues) != nDims)
    return xlaToolError(XlaToolCodeWrong,
                        "--tile=%.60s: the map takes %lld dimensions", text,
                        (long long)nDims);
  XlaSymbolicTile *tile = xlaSymbolicTileCreate(map, message);
  if (tile && *text)
    holds = xlaSymbolicTileFind(tile, sizes, message);
  bool is = tile && (holds || !*text);
  if (is && !isQuiet)
    xlaSymbolicTilePrint(tile, "\n", holds, holds ? sizes : NULL, put, stdout);
  else if (!is && number)
    printf("no tile: map %d: %s", number, message);
  else if (!is)
    printf("no tile: %s", message);
  if (!is || !isQuiet)
    printf("\n");
  xlaSymbolicTileDestroy(tile);
  return is ? XlaToolCodeOk : XlaToolCodeDiffers;
}

bool xlaIndexingUsesAny(const XlaIndexingUses *uses) {
  return uses->coalescing || uses->utilization || uses->tile;
}

XlaToolCode xlaIndexingUsesPrint(const XlaIndexingUses *uses,
                                 const XlaIndexingMap *map) {
  int64_t sizes[maxValues];
  XlaToolCode code = XlaToolCodeOk;
  if (uses->coalescing || uses->utilization)
    code = readShape(uses->shape, xlaIndexingMapGetParts(map), sizes);
  if (code == XlaToolCodeOk && uses->coalescing)
    printCoalescing(map, sizes);
  if (code == XlaToolCodeOk && uses->utilization)
    code = printUtilization(map, sizes);
  if (code == XlaToolCodeOk && uses->tile)
    code = xlaIndexingTilePrint(map, uses->tile, uses->nMaps, false);
  return code;
}

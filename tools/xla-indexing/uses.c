//===- uses.c - What a map tells of reads, printed ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/xla-indexing/uses.h"
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

static XlaToolCode printTile(const XlaIndexingMap *map, const char *text) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  int64_t sizes[maxValues];
  if (xlaToolReadIntegers(text, strlen(text), ',', sizes, maxValues) !=
      parts->nDims)
    return xlaToolError(XlaToolCodeWrong,
                        "--tile=%.60s: the map takes %lld dimensions", text,
                        (long long)parts->nDims);
  for (intptr_t i = 0; i < parts->nDims; ++i)
    if (sizes[i] < 1)
      return xlaToolError(XlaToolCodeWrong, "--tile=%.60s: a size is below 1",
                          text);
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(parts->map); ++i) {
    XlaIndexingTile tile;
    printf("%sresult %lld: ", i ? ", " : "", (long long)i);
    if (xlaIndexingMapGetTile(map, sizes, i, &tile))
      printf("offset %lld size %lld stride %lld", (long long)tile.offset,
             (long long)tile.count, (long long)tile.stride);
    else
      printf("no tile");
  }
  printf("\n");
  return XlaToolCodeOk;
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
    code = printTile(map, uses->tile);
  return code;
}

//===- symbolic_tile_test.c - Symbolic tiles against all points -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of random maps, tiles of random sizes are enumerated: where the conditions of
// a case hold, what is read is what its expressions say; sizes that no case
// takes are refused, and some tile of them is none that the expressions say.
// XLAC_TEST_MAPS is the number of maps, 2,000 without.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/indexing/fixture.h"

#include "xlac/dialect/indexing/linear.h"
#include "xlac/dialect/indexing/symbolic_tile.h"
#include "xlac/dialect/ir.h"
#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int mapCount(void) {
  const char *text = getenv("XLAC_TEST_MAPS");
  return text ? atoi(text) : 2000;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static int64_t oneOf(Random *r, const int64_t *numbers, size_t n) {
  return numbers[next(r) % n];
}

/// A part of a variable that is cut at `low`, and at `high`.
static MlirAffineExpr randomPart(Random *r, MlirAffineExpr variable,
                                 int64_t low, int64_t high) {
  switch (next(r) % 6) {
  case 0:
    return xlaExprModulo(variable, low);
  case 1:
    return xlaExprOver(variable, low);
  case 2:
    return xlaExprModulo(xlaExprOver(variable, low), high / low);
  case 3:
    return xlaExprOver(variable, high);
  default:
    return variable;
  }
}

/// Results that are sums of multiples of parts of variables.
static XlaIndexingMap *tileableMap(Random *r) {
  static const int64_t factors[] = {1, 1, 1, -1, -1, 2, 3, 4, 8, -2, -4, 12};
  XlaInterval bounds[maxVariables];
  MlirAffineExpr variables[maxVariables], results[maxResults];
  int64_t low[maxVariables], high[maxVariables];
  intptr_t nDims = between(r, 1, 3), nRanges = between(r, 0, 1);
  intptr_t n = nDims + nRanges, nResults = between(r, 1, 3);
  XlaIndexingConstraint constraint = {.bounds = {0, between(r, 0, 3)}};
  for (intptr_t i = 0; i < n; ++i) {
    low[i] = between(r, 2, 4);
    high[i] = low[i] * between(r, 2, 3);
    int64_t size = next(r) % 3 ? high[i] * between(r, 1, 2) : between(r, 1, 9);
    bounds[i].lower = next(r) % 4 ? 0 : between(r, -4, 8);
    bounds[i].upper = bounds[i].lower + size - 1;
    variables[i] = i < nDims ? mlirAffineDimExprGet(r->context, i)
                             : mlirAffineSymbolExprGet(r->context, i - nDims);
    if (next(r) % 8 == 0)
      variables[i] = xlaExprShift(variables[i], between(r, -4, 8));
  }
  for (intptr_t i = 0; i < nResults; ++i) {
    results[i] = mlirAffineConstantExprGet(r->context, between(r, 0, 9));
    for (int64_t terms = between(r, 1, 2); terms > 0; --terms) {
      intptr_t v = between(r, 0, n - 1);
      int64_t factor = oneOf(r, factors, sizeof factors / sizeof *factors);
      results[i] = xlaExprAdd(
          results[i],
          xlaExprScale(randomPart(r, variables[v], low[v], high[v]), factor));
    }
  }
  intptr_t v = between(r, 0, n - 1);
  constraint.expr = randomPart(r, variables[v], low[v], high[v]);
  XlaIndexingMapParts parts = {.nDims = nDims,
                               .dims = bounds,
                               .nRanges = nRanges,
                               .ranges = bounds + nDims,
                               .nConstraints = next(r) % 6 == 0,
                               .constraints = &constraint};
  parts.map = mlirAffineMapGet(r->context, nDims, nRanges, nResults, results);
  return xlaIndexingMapCreate(&parts);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Counts through boxes.
static bool advance(intptr_t n, const int64_t *first, const int64_t *last,
                    const int64_t *steps, int64_t *at) {
  for (intptr_t i = n - 1; i >= 0; --i) {
    at[i] += steps ? steps[i] : 1;
    if (at[i] <= last[i])
      return true;
    at[i] = first[i];
  }
  return false;
}

enum { maxElements = 1 << 14 };

/// What a tile takes, by its expressions, and which of it was seen.
typedef struct Expected {
  intptr_t n;
  XlaTileNumbers numbers[maxResults];
  int64_t count, nSeen;
  unsigned char seen[maxElements];
} Expected;

/// Marks an element; false if it is none that the expressions say.
static bool mark(Expected *e, const int64_t *element) {
  int64_t at = 0;
  for (intptr_t i = 0; i < e->n; ++i) {
    int64_t from = element[i] - e->numbers[i].offset;
    int64_t which = from / e->numbers[i].stride;
    if (from % e->numbers[i].stride || which < 0 || which >= e->numbers[i].size)
      return false;
    at = at * e->numbers[i].size + which;
  }
  e->nSeen += !e->seen[at];
  e->seen[at] = 1;
  return true;
}

/// Whether the tile at `position` is what the expressions of `one` say; one
/// that hangs over the end is a part of it.
static bool isRight(const XlaSymbolicTile *tile, const XlaTileCase *one,
                    const int64_t *sizes, const int64_t *position) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  int64_t last[2 * maxVariables], point[2 * maxVariables], element[maxResults];
  int64_t first[2 * maxVariables], outside = 0;
  intptr_t n = parts->nDims + parts->nRanges;
  bool isWhole = true;
  static Expected e;
  e.n = tile->nResults;
  e.count = 1;
  e.nSeen = 0;
  for (intptr_t i = 0; i < e.n; ++i) {
    if (!xlaSymbolicTileEvaluate(tile, &one->results[i], sizes, position, NULL,
                                 &e.numbers[i]) ||
        e.numbers[i].size < 1 || e.numbers[i].size > maxElements)
      return false;
    e.count *= e.numbers[i].size;
    if (e.count > maxElements)
      return false;
  }
  memset(e.seen, 0, (size_t)e.count);
  for (intptr_t i = 0; i < n; ++i) {
    bool isDim = i < parts->nDims;
    XlaInterval all = isDim ? parts->dims[i] : parts->ranges[i - parts->nDims];
    point[i] = first[i] = isDim ? position[i] : all.lower;
    last[i] = isDim ? position[i] + sizes[i] - 1 : all.upper;
    isWhole &= last[i] <= all.upper;
    last[i] = last[i] < all.upper ? last[i] : all.upper;
  }
  do {
    const int64_t *symbols = point + parts->nDims;
    if (!xlaIndexingMapIsDefinedAt(tile->map, point, symbols)) {
      ++outside;
      continue;
    }
    if (!xlaIndexingMapEvaluate(tile->map, point, symbols, element) ||
        !mark(&e, element))
      return false;
  } while (advance(n, first, last, NULL, point));
  return outside ? e.nSeen == 0 : !isWhole || e.nSeen == e.count;
}

/// Whether all tiles of these sizes are.
static bool areRight(const XlaSymbolicTile *tile, const XlaTileCase *one,
                     const int64_t *sizes) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  int64_t first[maxVariables], last[maxVariables], position[maxVariables];
  for (intptr_t i = 0; i < parts->nDims; ++i) {
    position[i] = first[i] = parts->dims[i].lower;
    last[i] = parts->dims[i].upper;
  }
  do
    if (!isRight(tile, one, sizes, position))
      return false;
  while (advance(parts->nDims, first, last, sizes, position));
  return true;
}

static bool holds(const XlaTileCase *one, const int64_t *sizes) {
  for (intptr_t i = 0; i < one->nConditions; ++i) {
    int64_t value;
    if (!xlaExprEvaluate(one->conditions[i].expr, NULL, sizes, &value) ||
        !xlaIntervalHas(one->conditions[i].bounds, value))
      return false;
  }
  return true;
}

typedef struct Counts {
  int tiles, accepted, refused, tooStrict;
} Counts;

static void checkSizes(const XlaSymbolicTile *tile, const int64_t *sizes,
                       Counts *counts) {
  char message[256];
  const XlaTileCase *found = xlaSymbolicTileFind(tile, sizes, message);
  bool any = false, strict = false;
  for (int i = 0; i < tile->nCases; ++i) {
    const XlaTileCase *one = &tile->cases[i];
    Text map, text = {0};
    XlaIrLine line = {text.chars, sizeof text.chars, 0};
    if (!holds(one, sizes)) {
      strict |= !found && areRight(tile, one, sizes);
      continue;
    }
    any = true;
    if (areRight(tile, one, sizes))
      continue;
    xlaSymbolicTilePrint(tile, "\n", NULL, NULL, xlaIrLineAppend, &line);
    fail_msg("case %d of\n%s\nis wrong for sizes %lld %lld %lld of\n  %s", i,
             text.chars, (long long)sizes[0], (long long)sizes[1],
             (long long)sizes[2],
             mapText(tile->map, XlaIndexingFormatLine, &map));
  }
  assert_int_equal(any, found != NULL);
  assert_true(found || strstr(message, "not"));
  counts->accepted += any;
  counts->refused += !any;
  counts->tooStrict += strict;
}

/// Some sizes, and one beyond the dimension, which is refused.
static void checkTile(Random *r, const XlaSymbolicTile *tile, Counts *counts) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(tile->map);
  int64_t sizes[maxVariables] = {1, 1, 1, 1};
  char message[256];
  for (int i = 0; i < 12; ++i) {
    for (intptr_t d = 0; d < parts->nDims; ++d) {
      int64_t extent = parts->dims[d].upper - parts->dims[d].lower + 1;
      sizes[d] = next(r) % 5 == 0   ? 1
                 : next(r) % 3 == 0 ? extent
                                    : between(r, 1, extent);
    }
    checkSizes(tile, sizes, counts);
  }
  if (parts->nDims == 0)
    return;
  sizes[0] = parts->dims[0].upper - parts->dims[0].lower + 2;
  assert_null(xlaSymbolicTileFind(tile, sizes, message));
  sizes[0] = 0;
  assert_null(xlaSymbolicTileFind(tile, sizes, message));
}

static void checkMap(Random *r, const XlaIndexingMap *map, Counts *counts) {
  char message[256];
  XlaSymbolicTile *tile = xlaSymbolicTileCreate(map, message);
  if (!tile) {
    assert_true(message[0] && !strstr(message, "memory"));
    return;
  }
  ++counts->tiles;
  checkTile(r, tile, counts);
  xlaSymbolicTileDestroy(tile);
}

static void report(const Counts *counts, int nMaps) {
  print_message("%d of %d maps have tiles; of their sizes %d are taken, %d "
                "refused, %d of these although all tiles are right\n",
                counts->tiles, nMaps, counts->accepted, counts->refused,
                counts->tooStrict);
}

static void sumsOfParts(void **state) {
  Random r = {*(MlirContext *)*state, 5772156649015328};
  Counts counts = {0};
  for (int i = 0; i < mapCount(); ++i) {
    XlaIndexingMap *map = tileableMap(&r);
    checkMap(&r, map, &counts);
    xlaIndexingMapRelease(map);
  }
  report(&counts, mapCount());
  assert_true(counts.tiles > mapCount() / 2);
  assert_true(counts.accepted > counts.refused / 4);
  assert_true(counts.tooStrict <= counts.refused / 10);
}

/// Of maps of any form few have tiles, but what they have is right.
static void anything(void **state) {
  Random r = {*(MlirContext *)*state, 1618033988749894};
  Counts counts = {0};
  for (int i = 0; i < mapCount(); ++i) {
    XlaIndexingMap *map = randomMap(&r, between(&r, 0, 3), between(&r, 1, 3));
    checkMap(&r, map, &counts);
    xlaIndexingMapRelease(map);
  }
  report(&counts, mapCount());
  assert_true(counts.tiles > mapCount() / 20);
}

/// Along a chain: a tile of the second map's results, over the first's sizes.
static void chains(void **state) {
  MlirContext context = *(MlirContext *)*state;
  char message[256];
  Text text = {0};
  XlaIrLine line = {text.chars, sizeof text.chars, 0};
  XlaIndexingMap *transpose = mapParse(
      context, "(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 31]");
  XlaIndexingMap *reshape = mapParse(
      context, "(d0, d1) -> (d0 floordiv 4, d0 mod 4, d1), domain: d0 in [0, "
               "31], d1 in [0, 7]");
  XlaIndexingMap *padded =
      mapParse(context, "(d0, d1, d2)[s0] -> (d0 + s0), domain: d0 in [0, 7], "
                        "d1 in [0, 3], d2 in [0, 7], s0 in [0, 2], d0 + s0 in "
                        "[1, 8]");
  XlaSymbolicTile *first = xlaSymbolicTileCreate(transpose, message);
  XlaSymbolicTile *second = xlaSymbolicTileCompose(first, reshape, message);
  assert_non_null(second);
  xlaSymbolicTilePrint(second, "\n", NULL, NULL, xlaIrLineAppend, &line);
  assert_string_equal(
      text.chars,
      "(p1 floordiv 4, p1 mod 4, p0) size (1, t1, t0) if 4 mod t1 = 0\n"
      "(p1 floordiv 4, 0, p0) size (t1 floordiv 4, 4, t0) if t1 mod 4 = 0");
  assert_null(xlaSymbolicTileCompose(second, padded, message));
  assert_non_null(strstr(message, "constraint 0 moves with s0"));
  assert_null(xlaSymbolicTileCompose(second, reshape, message));
  assert_non_null(strstr(message, "takes 2 dimensions, the tile has 3"));
  xlaSymbolicTileDestroy(first);
  xlaSymbolicTileDestroy(second);
  xlaIndexingMapRelease(transpose);
  xlaIndexingMapRelease(reshape);
  xlaIndexingMapRelease(padded);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sumsOfParts),
      cmocka_unit_test(anything),
      cmocka_unit_test(chains),
  };
  return cmocka_run_group_tests(tests, contextSetUp, contextTearDown);
}

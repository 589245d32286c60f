//===- variables_test.c - Variables of indexing maps ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/variables.h"
#include "xlac/test/dialect/indexing/fixture.h"

#include "mlir-c/AffineExpr.h"

#include "xlac/test/support/unit.h"

#include <string.h>

/// `map`, whose reference is taken over, is `expected`.
static void checkMap(XlaIndexingMap *map, const char *expected) {
  Text text;
  assert_non_null(map);
  assert_string_equal(mapText(map, XlaIndexingFormatLine, &text), expected);
  xlaIndexingMapRelease(map);
}

static void rescales(void **state) {
  static const char *const cases[][2] = {
      {"(d0)[s0, s1] -> (s1, d0, s0 floordiv 4), domain: d0 in [0, 2], s0 in "
       "[0, 9], s1 in [0, 1], s0 mod 4 in [0, 0]",
       "(d0)[s0, s1] -> (s1, d0, s0), domain: d0 in [0, 2], s0 in [0, 2], s1 "
       "in [0, 1]"},
      // What is left over
      {"()[s0] -> (s0), domain: s0 in [0, 40], s0 mod 7 in [2, 2]",
       "()[s0] -> (s0 * 7 + 2), domain: s0 in [0, 5]"},
      // Two congruences, which are one of 6
      {"()[s0] -> (s0 floordiv 6), domain: s0 in [0, 13], s0 mod 2 in [0, 0], "
       "s0 mod 3 in [0, 0]",
       "()[s0] -> (s0), domain: s0 in [0, 2]"},
      // In other constraints, and with a sum
      {"()[s0, s1] -> (s0), domain: s0 in [1, 11], s1 in [0, 5], (s0 + 1) mod "
       "5 in [0, 0], s0 + s1 in [0, 12]",
       "()[s0, s1] -> (s0 * 5 + 4), domain: s0 in [0, 1], s1 in [0, 5], s0 * 5 "
       "+ s1 in [0, 8]"},
      // Below 0
      {"()[s0] -> (s0), domain: s0 in [-10, 3], s0 mod 4 in [1, 1]",
       "()[s0] -> (s0 * 4 - 7), domain: s0 in [0, 2]"},
      // Dimensions stay, and so does what depends on two variables
      {"(d0)[s0, s1] -> (s0 + s1), domain: d0 in [0, 8], s0 in [0, 3], s1 in "
       "[0, 3], d0 mod 4 in [0, 0], (s0 + s1) mod 2 in [0, 0]",
       "(d0)[s0, s1] -> (s0 + s1), domain: d0 in [0, 8], s0 in [0, 3], s1 in "
       "[0, 3], d0 mod 4 in [0, 0], (s0 + s1) mod 2 in [0, 0]"},
      // Runtime variables stay
      {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 8], rt0 mod "
       "4 in [0, 0]",
       "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 8], rt0 mod "
       "4 "
       "in [0, 0]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    XlaIndexingMap *map = mapParse(*(MlirContext *)*state, cases[i][0]);
    checkMap(xlaIndexingMapRescale(map), cases[i][1]);
    xlaIndexingMapRelease(map);
  }
}

static void toDims(void **state) {
  XlaIndexingMap *map = mapParse(
      *(MlirContext *)*state,
      "(d0)[s0, s1, s2]{rt0} -> (d0, s0, s1 + rt0, s2), domain: d0 in [0, 1], "
      "s0 in [0, 2], s1 in [0, 3], s2 in [0, 4], rt0 in [0, 5], d0 + s0 + s1 "
      "in [0, 4]");
  checkMap(xlaIndexingMapRangesToDims(map, 2, (intptr_t[]){0, 2}),
           "(d0, d1, d2)[s0]{rt0} -> (d0, d1, s0 + rt0, d2), domain: d0 in [0, "
           "1], d1 in [0, 2], d2 in [0, 4], s0 in [0, 3], rt0 in [0, 5], d0 + "
           "d1 + s0 in [0, 4]");
  checkMap(xlaIndexingMapRangesToDims(map, 2, (intptr_t[]){2, 1}),
           "(d0, d1, d2)[s0]{rt0} -> (d0, s0, d2 + rt0, d1), domain: d0 in [0, "
           "1], d1 in [0, 4], d2 in [0, 3], s0 in [0, 2], rt0 in [0, 5], d0 + "
           "d2 + s0 in [0, 4]");
  checkMap(xlaIndexingMapSymbolsToDims(map),
           "(d0, d1, d2, d3, d4) -> (d0, d1, d2 + d4, d3), domain: d0 in [0, "
           "1], d1 in [0, 2], d2 in [0, 3], d3 in [0, 4], d4 in [0, 5], d0 + "
           "d1 + d2 in [0, 4]");
  assert_null(xlaIndexingMapRangesToDims(map, 2, (intptr_t[]){1, 1}));
  assert_null(xlaIndexingMapRangesToDims(map, 1, (intptr_t[]){3}));
  assert_null(xlaIndexingMapRangesToDims(map, 1, (intptr_t[]){-1}));
  xlaIndexingMapRelease(map);
}

static void reorders(void **state) {
  XlaIndexingMap *map =
      mapParse(*(MlirContext *)*state,
               "(d0, d1)[s0, s1] -> (d0 * 2 + s0, d1 + s1), domain: d0 in [0, "
               "1], d1 in [0, 2], s0 in [0, 3], s1 in [0, 4]");
  checkMap(xlaIndexingMapReorder(map, (intptr_t[]){1, 0}, (intptr_t[]){1, 0}),
           "(d0, d1)[s0, s1] -> (d1 * 2 + s1, d0 + s0), domain: d0 in [0, 2], "
           "d1 in [0, 1], s0 in [0, 4], s1 in [0, 3]");
  checkMap(xlaIndexingMapReorder(map, NULL, (intptr_t[]){1, 0}),
           "(d0, d1)[s0, s1] -> (d0 * 2 + s1, d1 + s0), domain: d0 in [0, 1], "
           "d1 in [0, 2], s0 in [0, 4], s1 in [0, 3]");
  assert_null(xlaIndexingMapReorder(map, (intptr_t[]){0, 0}, NULL));
  assert_null(xlaIndexingMapReorder(map, NULL, (intptr_t[]){2, 0}));
  checkMap(xlaIndexingMapSelectResults(map, 1, (intptr_t[]){1}),
           "(d0, d1)[s0, s1] -> (d1 + s1), domain: d0 in [0, 1], d1 in [0, 2], "
           "s0 in [0, 3], s1 in [0, 4]");
  assert_null(xlaIndexingMapSelectResults(map, 1, (intptr_t[]){2}));
  xlaIndexingMapRelease(map);
}

static void replaces(void **state) {
  MlirContext context = *(MlirContext *)*state;
  MlirAffineExpr d0 = mlirAffineDimExprGet(context, 0),
                 d1 = mlirAffineDimExprGet(context, 1),
                 s0 = mlirAffineSymbolExprGet(context, 0);
  XlaIndexingMap *map =
      mapParse(context, "(d0, d1)[s0]{rt0} -> (d0 + rt0, d1 + s0), domain: d0 "
                        "in [0, 5], d1 in [0, 2], s0 in [0, 3], rt0 in [0, 1]");
  checkMap(xlaIndexingMapReplaceVariable(map, 0,
                                         mlirAffineConstantExprGet(context, 4)),
           "(d0)[s0]{rt0} -> (rt0 + 4, d0 + s0), domain: d0 in [0, 2], s0 in "
           "[0, 3], rt0 in [0, 1]");
  checkMap(xlaIndexingMapReplaceVariable(
               map, 0,
               mlirAffineAddExprGet(
                   d1, mlirAffineMulExprGet(
                           s0, mlirAffineConstantExprGet(context, 2)))),
           "(d0)[s0]{rt0} -> (d0 + s0 * 2 + rt0, d0 + s0), domain: d0 in [0, "
           "2], s0 in [0, 2], rt0 in [0, 1], d0 + s0 * 2 in [0, 5]");
  // Of a range variable, by a dimension
  checkMap(xlaIndexingMapReplaceVariable(map, 2, d0),
           "(d0, d1){rt0} -> (d0 + rt0, d0 + d1), domain: d0 in [0, 3], d1 in "
           "[0, 2], rt0 in [0, 1]");
  // Itself, runtime variables, and variables that there are not
  assert_null(xlaIndexingMapReplaceVariable(map, 0, d0));
  assert_null(xlaIndexingMapReplaceVariable(map, 3, d0));
  assert_null(xlaIndexingMapReplaceVariable(
      map, 0, mlirAffineSymbolExprGet(context, 1)));
  assert_null(
      xlaIndexingMapReplaceVariable(map, 0, mlirAffineDimExprGet(context, 7)));
  XlaIndexingMap *never = xlaIndexingMapReplaceVariable(
      map, 0, mlirAffineConstantExprGet(context, 6));
  assert_true(xlaIndexingMapIsKnownEmpty(never));
  xlaIndexingMapRelease(never);
  XlaIndexingConstraint constraint = {mlirAffineAddExprGet(d0, d1), {2, 3}};
  checkMap(xlaIndexingMapConstrain(map, 1, &constraint),
           "(d0, d1)[s0]{rt0} -> (d0 + rt0, d1 + s0), domain: d0 in [0, 3], d1 "
           "in [0, 2], s0 in [0, 3], rt0 in [0, 1], d0 + d1 in [2, 3]");
  xlaIndexingMapRelease(map);
}

static void ranges(void **state) {
  MlirContext context = *(MlirContext *)*state;
  MlirAffineExpr d0 = mlirAffineDimExprGet(context, 0),
                 d1 = mlirAffineDimExprGet(context, 1),
                 s0 = mlirAffineSymbolExprGet(context, 0),
                 eight = mlirAffineConstantExprGet(context, 8);
  XlaIndexingMap *map =
      mapParse(context, "(d0, d1)[s0] -> (d0), domain: d0 in [0, 63], d1 in "
                        "[-4, 3], s0 in [1, 2]");
  // Tiles of 8 elements of d0, of which one ends at 23
  const XlaInterval tile[] = {{16, 23}, {-4, 3}, {1, 2}};
  const struct {
    MlirAffineExpr expr;
    XlaInterval whole, inTile;
  } cases[] = {
      {d0, {0, 63}, {16, 23}},
      {mlirAffineFloorDivExprGet(d0, eight), {0, 7}, {2, 2}},
      {mlirAffineModExprGet(d0, eight), {0, 7}, {0, 7}},
      {mlirAffineAddExprGet(mlirAffineMulExprGet(d0, eight), d1),
       {-4, 507},
       {124, 187}},
      {mlirAffineAddExprGet(d1, s0), {-3, 5}, {-3, 5}},
      {mlirAffineMulExprGet(d1, s0), {-8, 6}, {-8, 6}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    for (int inTile = 0; inTile < 2; ++inTile) {
      XlaInterval range, expected = inTile ? cases[i].inTile : cases[i].whole;
      assert_true(xlaIndexingMapGetRange(map, cases[i].expr,
                                         inTile ? tile : NULL, &range));
      assert_int_equal(range.lower, expected.lower);
      assert_int_equal(range.upper, expected.upper);
    }
  xlaIndexingMapRelease(map);
}

//===----------------------------------------------------------------------===//
// Random maps
//===----------------------------------------------------------------------===//

/// Whether `map` takes `dims` to `results` for some value of its range
/// variable.
static bool relates(const XlaIndexingMap *map, const int64_t *dims,
                    const int64_t *results) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  XlaInterval only = {0, 0}, range = parts->nRanges ? parts->ranges[0] : only;
  int64_t got[maxResults];
  size_t n = (size_t)mlirAffineMapGetNumResults(parts->map);
  for (int64_t s = range.lower; s <= range.upper; ++s)
    if (xlaIndexingMapIsDefinedAt(map, dims, &s) &&
        xlaIndexingMapEvaluate(map, dims, &s, got) &&
        !memcmp(got, results, n * sizeof *got))
      return true;
  return false;
}

/// What `a` takes to something `b` takes there.
static void checkWithin(const XlaIndexingMap *a, const XlaIndexingMap *b,
                        const char *what) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(a);
  int64_t point[maxVariables + 1], results[maxResults];
  Text texts[2];
  pointStart(parts, point);
  do {
    const int64_t *symbols = point + parts->nDims;
    if (xlaIndexingMapIsDefinedAt(a, point, symbols) &&
        xlaIndexingMapEvaluate(a, point, symbols, results) &&
        !relates(b, point, results))
      fail_msg("%s: between\n%s\nand\n%s\nwhich lacks a point", what,
               mapText(a, XlaIndexingFormatLine, &texts[0]),
               mapText(b, XlaIndexingFormatLine, &texts[1]));
  } while (pointAdvance(parts, point));
}

/// Rescaled maps have the same results; with its range variable as a dimension
/// a map has them for each of its values.
static void random(void **state) {
  Random r = {*(MlirContext *)*state, 314159265};
  int rescaled = 0;
  for (int i = 0; i < 2000; ++i) {
    XlaIndexingMap *plain = randomMap(&r, between(&r, 0, 2), between(&r, 1, 2));
    XlaIndexingMap *map = xlaIndexingMapRetain(plain);
    if (xlaIndexingMapGetParts(plain)->nRanges) {
      MlirAffineExpr s0 = mlirAffineSymbolExprGet(r.context, 0);
      int64_t n = between(&r, 2, 4), rest = between(&r, 0, n - 1);
      XlaIndexingConstraint every = {
          mlirAffineModExprGet(s0, mlirAffineConstantExprGet(r.context, n)),
          {rest, rest}};
      xlaIndexingMapRelease(map);
      map = xlaIndexingMapConstrain(plain, 1, &every);
      XlaIndexingMap *dims =
          xlaIndexingMapRangesToDims(map, 1, (intptr_t[]){0});
      const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
      int64_t point[maxVariables], x[maxResults], y[maxResults];
      size_t bytes = (size_t)mlirAffineMapGetNumResults(parts->map) * sizeof *x;
      pointStart(parts, point);
      do {
        bool isDefined =
            xlaIndexingMapIsDefinedAt(map, point, point + parts->nDims);
        assert_int_equal(isDefined,
                         xlaIndexingMapIsDefinedAt(dims, point, NULL));
        if (isDefined &&
            xlaIndexingMapEvaluate(map, point, point + parts->nDims, x)) {
          assert_true(xlaIndexingMapEvaluate(dims, point, NULL, y));
          assert_memory_equal(x, y, bytes);
        }
      } while (pointAdvance(parts, point));
      xlaIndexingMapRelease(dims);
    }
    XlaIndexingMap *scaled = xlaIndexingMapRescale(map);
    assert_non_null(scaled);
    rescaled += !xlaIndexingMapEqual(map, scaled);
    checkWithin(map, scaled, "rescaling");
    checkWithin(scaled, map, "rescaling back");
    xlaIndexingMapRelease(scaled);
    xlaIndexingMapRelease(map);
    xlaIndexingMapRelease(plain);
  }
  assert_true(rescaled > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rescales), cmocka_unit_test(toDims),
      cmocka_unit_test(reorders), cmocka_unit_test(replaces),
      cmocka_unit_test(ranges),   cmocka_unit_test(random)};
  return cmocka_run_group_tests(tests, contextSetUp, contextTearDown);
}

//===- random_test.c - Random indexing maps -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplified, composed and printed maps agree with the maps they come from on
// every point. XLAC_TEST_MAPS is the number of maps, 5,000 without.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/indexing/fixture.h"

#include "xlac/test/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Both maps have the same variables: they are defined at the same points and
/// have the same results there.
static void checkSame(const XlaIndexingMap *a, const XlaIndexingMap *b,
                      const char *what) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(a);
  intptr_t n = mlirAffineMapGetNumResults(parts->map);
  int64_t point[maxVariables], x[maxResults], y[maxResults];
  Text texts[2];
  pointStart(parts, point);
  do {
    const int64_t *symbols = point + parts->nDims;
    bool isDefined = xlaIndexingMapIsDefinedAt(a, point, symbols);
    bool same = isDefined == xlaIndexingMapIsDefinedAt(b, point, symbols);
    if (same && isDefined) {
      same = xlaIndexingMapEvaluate(a, point, symbols, x) &&
             xlaIndexingMapEvaluate(b, point, symbols, y) &&
             !memcmp(x, y, (size_t)n * sizeof *x);
    }
    if (!same)
      fail_msg("%s of\n  %s\nis\n  %s\nwhich differs at %lld %lld %lld %lld",
               what, mapText(a, XlaIndexingFormatLine, &texts[0]),
               mapText(b, XlaIndexingFormatLine, &texts[1]),
               (long long)point[0], (long long)point[1], (long long)point[2],
               (long long)point[3]);
  } while (pointAdvance(parts, point));
}

/// Everything that second . first has for a point of first.
static void checkComposed(const XlaIndexingMap *first,
                          const XlaIndexingMap *second,
                          const XlaIndexingMap *composed) {
  const XlaIndexingMapParts *f = xlaIndexingMapGetParts(first),
                            *s = xlaIndexingMapGetParts(second),
                            *c = xlaIndexingMapGetParts(composed);
  int64_t point[2 * maxVariables], middle[maxResults], x[maxResults],
      y[maxResults];
  intptr_t n = mlirAffineMapGetNumResults(s->map);
  Text texts[3];
  pointStart(c, point);
  do {
    const int64_t *symbols = point + f->nDims, *inner = symbols + f->nRanges;
    bool isDefined = xlaIndexingMapIsDefinedAt(first, point, symbols) &&
                     xlaIndexingMapEvaluate(first, point, symbols, middle) &&
                     xlaIndexingMapIsDefinedAt(second, middle, inner);
    bool same =
        isDefined == xlaIndexingMapIsDefinedAt(composed, point, symbols);
    if (same && isDefined)
      same = xlaIndexingMapEvaluate(second, middle, inner, x) &&
             xlaIndexingMapEvaluate(composed, point, symbols, y) &&
             !memcmp(x, y, (size_t)n * sizeof *x);
    if (!same)
      fail_msg("after\n  %s\nthe map\n  %s\nis\n  %s\nwhich differs",
               mapText(first, XlaIndexingFormatLine, &texts[0]),
               mapText(second, XlaIndexingFormatLine, &texts[1]),
               mapText(composed, XlaIndexingFormatLine, &texts[2]));
  } while (pointAdvance(c, point));
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static int mapCount(void) {
  const char *text = getenv("XLAC_TEST_MAPS");
  return text ? atoi(text) : 5000;
}

static void simplified(void **state) {
  Random r = {*(MlirContext *)*state, 88172645463325252};
  Text texts[2];
  for (int i = 0; i < mapCount(); ++i) {
    XlaIndexingMap *map = randomMap(&r, between(&r, 0, 3), between(&r, 1, 3));
    XlaIndexingMap *simple =
        xlaIndexingMapSimplify(map, XlaIndexingPointsReplace);
    assert_non_null(simple);
    checkSame(map, simple, "simplification");
    XlaIndexingMap *again =
        xlaIndexingMapSimplify(simple, XlaIndexingPointsReplace);
    if (!xlaIndexingMapEqual(simple, again))
      fail_msg("simplifying\n  %s\nagain gives\n  %s",
               mapText(simple, XlaIndexingFormatLine, &texts[0]),
               mapText(again, XlaIndexingFormatLine, &texts[1]));
    xlaIndexingMapRelease(again);
    xlaIndexingMapRelease(simple);
    xlaIndexingMapRelease(map);
  }
}

static void composed(void **state) {
  Random r = {*(MlirContext *)*state, 1234567};
  for (int i = 0; i < mapCount() / 4; ++i) {
    intptr_t n = between(&r, 0, 2);
    XlaIndexingMap *first = randomMap(&r, between(&r, 0, 2), n);
    XlaIndexingMap *second = randomMap(&r, n, between(&r, 1, 2));
    XlaIndexingMap *map = xlaIndexingMapCompose(first, second);
    assert_non_null(map);
    checkComposed(first, second, map);
    XlaIndexingMap *simple =
        xlaIndexingMapSimplify(map, XlaIndexingPointsReplace);
    checkSame(map, simple, "simplification");
    xlaIndexingMapRelease(simple);
    xlaIndexingMapRelease(map);
    xlaIndexingMapRelease(second);
    xlaIndexingMapRelease(first);
  }
}

/// Whether `map` takes `dims` to `results` for some value of its ranges.
static bool relates(const XlaIndexingMap *map, const int64_t *dims,
                    const int64_t *results) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  intptr_t n = mlirAffineMapGetNumResults(parts->map);
  int64_t symbols[8] = {0}, got[8];
  for (intptr_t i = 0; i < parts->nRanges; ++i)
    symbols[i] = parts->ranges[i].lower;
  for (;;) {
    if (xlaIndexingMapIsDefinedAt(map, dims, symbols) &&
        xlaIndexingMapEvaluate(map, dims, symbols, got) &&
        !memcmp(got, results, (size_t)n * sizeof *got))
      return true;
    intptr_t i = parts->nRanges - 1;
    while (i >= 0 && symbols[i] == parts->ranges[i].upper) {
      symbols[i] = parts->ranges[i].lower;
      --i;
    }
    if (i < 0)
      return false;
    ++symbols[i];
  }
}

static bool isDefinedSomewhere(const XlaIndexingMap *map) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  int64_t point[16];
  pointStart(parts, point);
  do
    if (xlaIndexingMapIsDefinedAt(map, point, point + parts->nDims))
      return true;
  while (pointAdvance(parts, point));
  return false;
}

/// What `a` takes to something `b` takes back.
static void checkTransposed(const XlaIndexingMap *a, const XlaIndexingMap *b) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(a);
  int64_t point[16], results[8];
  Text texts[2];
  pointStart(parts, point);
  do {
    const int64_t *symbols = point + parts->nDims;
    if (xlaIndexingMapIsDefinedAt(a, point, symbols) &&
        xlaIndexingMapEvaluate(a, point, symbols, results) &&
        !relates(b, results, point))
      fail_msg("the transpose of\n  %s\nis\n  %s\nwhich lacks a point",
               mapText(a, XlaIndexingFormatLine, &texts[0]),
               mapText(b, XlaIndexingFormatLine, &texts[1]));
  } while (pointAdvance(parts, point));
}

static void transposed(void **state) {
  Random r = {*(MlirContext *)*state, 271828};
  int found = 0;
  for (int i = 0; i < mapCount() / 16; ++i) {
    XlaIndexingMap *map = randomMap(&r, between(&r, 0, 2), between(&r, 1, 3));
    XlaIndexingMap *transpose = xlaIndexingMapTranspose(map);
    // Variables that nothing reads go, and with them that nothing is defined.
    if (transpose && xlaIndexingMapGetParts(transpose)->nRanges <= 2 &&
        isDefinedSomewhere(map)) {
      ++found;
      checkTransposed(map, transpose);
      checkTransposed(transpose, map);
    }
    xlaIndexingMapRelease(transpose);
    xlaIndexingMapRelease(map);
  }
  print_message("%d of %d maps have a transpose\n", found, mapCount() / 16);
  assert_true(found > mapCount() / 80);
}

static void printedAndRead(void **state) {
  Random r = {*(MlirContext *)*state, 42};
  for (int i = 0; i < mapCount() / 4; ++i) {
    XlaIndexingMap *map = randomMap(&r, between(&r, 0, 3), between(&r, 0, 3));
    char message[256];
    Text text;
    for (int spec = 0; spec < 2 && !xlaIndexingMapIsKnownEmpty(map); ++spec) {
      mapText(map, spec ? XlaIndexingFormatSpec : XlaIndexingFormatLine, &text);
      XlaIndexingMap *back = xlaIndexingMapParse(
          r.context, mlirStringRefCreate(text.chars, text.n), message);
      if (!back)
        fail_msg("%s\n%s", text.chars, message);
      checkSame(map, back, "reading");
      xlaIndexingMapRelease(back);
    }
    xlaIndexingMapRelease(map);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplified),
      cmocka_unit_test(composed),
      cmocka_unit_test(transposed),
      cmocka_unit_test(printedAndRead),
  };
  return cmocka_run_group_tests(tests, contextSetUp, contextTearDown);
}

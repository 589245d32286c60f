//===- indexing_random_test.c - Random indexing maps ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplified, composed and printed maps agree with the maps they come from on
// every point. XLAC_TEST_MAPS is the number of maps, 5,000 without.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/indexing/map.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/IR.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxVariables = 4, maxResults = 3 };

typedef struct Random {
  MlirContext context;
  uint64_t state;
} Random;

static uint64_t next(Random *r) {
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return r->state;
}

/// From `least` to `most`.
static int64_t between(Random *r, int64_t least, int64_t most) {
  return least + (int64_t)(next(r) % (uint64_t)(most - least + 1));
}

//===----------------------------------------------------------------------===//
// Random maps
//===----------------------------------------------------------------------===//

static MlirAffineExpr number(Random *r, int64_t value) {
  return mlirAffineConstantExprGet(r->context, value);
}

/// Small numbers, often such that one divides another.
static int64_t divisor(Random *r) {
  static const int64_t often[] = {2, 2, 3, 4, 4, 5, 6, 8, 12, 16, 24, 7, 1, 20};
  return often[next(r) % (sizeof often / sizeof *often)];
}

static MlirAffineExpr randomExpr(Random *r, intptr_t nDims, intptr_t nSymbols,
                                 int depth) {
  if (depth == 0 || next(r) % 6 == 0) {
    intptr_t n = nDims + nSymbols;
    intptr_t i = (intptr_t)(next(r) % (uint64_t)(n + 1));
    if (i == n)
      return number(r, between(r, -9, 9));
    return i < nDims ? mlirAffineDimExprGet(r->context, i)
                     : mlirAffineSymbolExprGet(r->context, i - nDims);
  }
  MlirAffineExpr lhs = randomExpr(r, nDims, nSymbols, depth - 1);
  switch (next(r) % 8) {
  case 0:
  case 1:
  case 2:
    return mlirAffineAddExprGet(lhs, randomExpr(r, nDims, nSymbols, depth - 1));
  case 3:
    return mlirAffineMulExprGet(
        lhs, number(r, next(r) % 4 ? divisor(r) : -divisor(r)));
  case 4:
  case 5:
    return mlirAffineFloorDivExprGet(lhs, number(r, divisor(r)));
  case 6:
    return next(r) % 8 ? mlirAffineModExprGet(lhs, number(r, divisor(r)))
                       : mlirAffineCeilDivExprGet(lhs, number(r, divisor(r)));
  default: { // what linearizing and splitting again gives
    int64_t c = divisor(r);
    MlirAffineExpr q = mlirAffineFloorDivExprGet(lhs, number(r, c));
    MlirAffineExpr m = mlirAffineModExprGet(lhs, number(r, c));
    int64_t k = divisor(r);
    return mlirAffineAddExprGet(
        mlirAffineMulExprGet(q, number(r, next(r) % 4 ? c * k : k)),
        mlirAffineMulExprGet(m, number(r, k)));
  }
  }
}

static XlaInterval randomBounds(Random *r) {
  int64_t lower = next(r) % 3 ? 0 : between(r, -7, 7);
  int64_t size = next(r) % 8 ? divisor(r) : 1;
  return (XlaInterval){lower, lower + size - 1};
}

static XlaIndexingMap *randomMap(Random *r, intptr_t nDims, intptr_t nResults) {
  XlaInterval bounds[maxVariables];
  XlaIndexingConstraint constraints[3];
  MlirAffineExpr results[maxResults];
  intptr_t nSymbols = (intptr_t)(next(r) % 2);
  XlaIndexingMapParts parts = {.nDims = nDims,
                               .dims = bounds,
                               .nRanges = nSymbols,
                               .ranges = bounds + nDims,
                               .constraints = constraints};
  for (intptr_t i = 0; i < nDims + nSymbols; ++i)
    bounds[i] = randomBounds(r);
  for (intptr_t i = 0; i < nResults; ++i)
    results[i] = randomExpr(r, nDims, nSymbols, (int)between(r, 1, 5));
  parts.map = mlirAffineMapGet(r->context, nDims, nSymbols, nResults, results);
  parts.nConstraints = (intptr_t)(next(r) % 4);
  for (intptr_t i = 0; i < parts.nConstraints; ++i) {
    int64_t lower = next(r) % 3 ? 0 : between(r, -5, 5);
    int64_t size = next(r) % 3 ? between(r, 1, 20) : 1;
    constraints[i] = (XlaIndexingConstraint){
        randomExpr(r, nDims, nSymbols, (int)between(r, 1, 3)),
        {lower, lower + size - 1}};
  }
  return xlaIndexingMapCreate(&parts);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

typedef struct Text {
  size_t n;
  char chars[4096];
} Text;

static void append(MlirStringRef part, void *data) {
  Text *text = data;
  if (text->n + part.length < sizeof text->chars) {
    memcpy(text->chars + text->n, part.data, part.length);
    text->n += part.length;
    text->chars[text->n] = 0;
  }
}

static const char *print(const XlaIndexingMap *map, Text *text) {
  text->n = 0;
  text->chars[0] = 0;
  xlaIndexingMapPrint(map, XlaIndexingFormatLine, append, text);
  return text->chars;
}

/// Counts through a box around the bounds of the map; false at the end.
static bool advance(const XlaIndexingMapParts *parts, int64_t *point) {
  for (intptr_t i = parts->nDims + parts->nRanges - 1; i >= 0; --i) {
    XlaInterval bounds =
        i < parts->nDims ? parts->dims[i] : parts->ranges[i - parts->nDims];
    if (++point[i] <= bounds.upper + 1)
      return true;
    point[i] = bounds.lower - 1;
  }
  return false;
}

static void startAt(const XlaIndexingMapParts *parts, int64_t *point) {
  for (intptr_t i = 0; i < parts->nDims; ++i)
    point[i] = parts->dims[i].lower - 1;
  for (intptr_t i = 0; i < parts->nRanges; ++i)
    point[parts->nDims + i] = parts->ranges[i].lower - 1;
}

/// Both maps have the same variables: they are defined at the same points and
/// have the same results there.
static void checkSame(const XlaIndexingMap *a, const XlaIndexingMap *b,
                      const char *what) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(a);
  intptr_t n = mlirAffineMapGetNumResults(parts->map);
  int64_t point[maxVariables], x[maxResults], y[maxResults];
  Text texts[2];
  startAt(parts, point);
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
               what, print(a, &texts[0]), print(b, &texts[1]),
               (long long)point[0], (long long)point[1], (long long)point[2],
               (long long)point[3]);
  } while (advance(parts, point));
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
  startAt(c, point);
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
               print(first, &texts[0]), print(second, &texts[1]),
               print(composed, &texts[2]));
  } while (advance(c, point));
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
      fail_msg("simplifying\n  %s\nagain gives\n  %s", print(simple, &texts[0]),
               print(again, &texts[1]));
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

/// What `a` takes to something `b` takes back.
static void checkTransposed(const XlaIndexingMap *a, const XlaIndexingMap *b) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(a);
  int64_t point[16], results[8];
  Text texts[2];
  startAt(parts, point);
  do {
    const int64_t *symbols = point + parts->nDims;
    if (xlaIndexingMapIsDefinedAt(a, point, symbols) &&
        xlaIndexingMapEvaluate(a, point, symbols, results) &&
        !relates(b, results, point))
      fail_msg("the transpose of\n  %s\nis\n  %s\nwhich lacks a point",
               print(a, &texts[0]), print(b, &texts[1]));
  } while (advance(parts, point));
}

static void transposed(void **state) {
  Random r = {*(MlirContext *)*state, 271828};
  int found = 0;
  for (int i = 0; i < mapCount() / 16; ++i) {
    XlaIndexingMap *map = randomMap(&r, between(&r, 0, 2), between(&r, 1, 3));
    XlaIndexingMap *transpose = xlaIndexingMapTranspose(map);
    if (transpose && xlaIndexingMapGetParts(transpose)->nRanges <= 2) {
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
      text.n = 0;
      xlaIndexingMapPrint(map,
                          spec ? XlaIndexingFormatSpec : XlaIndexingFormatLine,
                          append, &text);
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

static MlirContext context;

static int setUp(void **state) {
  context = mlirContextCreate();
  *state = &context;
  return 0;
}

static int tearDown(void **state) {
  (void)state;
  mlirContextDestroy(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplified),
      cmocka_unit_test(composed),
      cmocka_unit_test(transposed),
      cmocka_unit_test(printedAndRead),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}

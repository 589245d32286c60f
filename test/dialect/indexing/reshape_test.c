//===- reshape_test.c - Reshapes that cancel each other -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of reshapes from a random shape to another one, or over two others, and
// back are the identity: whether they are composed as they are or simplified
// first. XLAC_TEST_MAPS / 150 is the number of seeds, 10 without.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/indexing/fixture.h"

#include "mlir-c/AffineExpr.h"
#include "xlac/test/support/unit.h"

#include <stdlib.h>

enum { maxRank = 6, perSeed = 150 };

typedef struct Sizes {
  int rank;
  int64_t sizes[maxRank];
} Sizes;

/// Prime factors of the number of elements: many small ones, or some of which
/// one may be large.
static int randomFactors(Random *r, int64_t *factors) {
  static const int64_t primes[] = {2, 2, 2, 3, 3, 5, 7, 11, 13, 43};
  static const int nPrimes[] = {3, 5, 8, 10};
  int kind = (int)between(r, 0, 3), n = (int)between(r, 0, kind < 2 ? 10 : 4);
  for (int i = 0; i < n; ++i)
    factors[i] = primes[between(r, 0, nPrimes[kind] - 1)];
  if (kind == 3 && n == 4)
    factors[3] = 86028157;
  return n;
}

/// The factors put together to at most `maxRank` sizes, in any order; sizes
/// that get none are 1.
static Sizes randomSizes(Random *r, int n, const int64_t *factors) {
  Sizes s = {.rank = (int)between(r, n > 0, maxRank)};
  for (int i = 0; i < s.rank; ++i)
    s.sizes[i] = 1;
  for (int i = 0; i < n; ++i)
    s.sizes[between(r, 0, s.rank - 1)] *= factors[i];
  return s;
}

/// From an index of `to` to that of `from`.
static XlaIndexingMap *reshape(MlirContext context, Sizes from, Sizes to) {
  MlirAffineExpr results[maxRank];
  MlirAffineExpr position = mlirAffineConstantExprGet(context, 0);
  XlaInterval dims[maxRank];
  int64_t count = 1;
  for (int i = to.rank - 1; i >= 0; --i) {
    dims[i] = (XlaInterval){0, to.sizes[i] - 1};
    position = mlirAffineAddExprGet(
        position,
        mlirAffineMulExprGet(mlirAffineDimExprGet(context, i),
                             mlirAffineConstantExprGet(context, count)));
    count *= to.sizes[i];
  }
  for (int i = 0; i < from.rank; ++i) {
    count /= from.sizes[i];
    results[i] = mlirAffineModExprGet(
        mlirAffineFloorDivExprGet(position,
                                  mlirAffineConstantExprGet(context, count)),
        mlirAffineConstantExprGet(context, from.sizes[i]));
  }
  return xlaIndexingMapCreate(&(XlaIndexingMapParts){
      .map = mlirAffineMapGet(context, to.rank, 0, from.rank, results),
      .nDims = to.rank,
      .dims = dims});
}

static XlaIndexingMap *simplify(XlaIndexingMap *map) {
  XlaIndexingMap *simple =
      xlaIndexingMapSimplify(map, XlaIndexingPointsReplace);
  assert_non_null(simple);
  xlaIndexingMapRelease(map);
  return simple;
}

/// The identity, but 0 in place of dimensions of size 1, without constraints.
static bool isIdentity(const XlaIndexingMap *map, Sizes sizes) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  bool is = parts->nConstraints == 0;
  for (int i = 0; i < sizes.rank; ++i) {
    MlirAffineExpr at = mlirAffineMapGetResult(parts->map, i);
    is &= sizes.sizes[i] == 1 ? mlirAffineExprIsAConstant(at)
                              : mlirAffineExprIsADim(at) &&
                                    mlirAffineDimExprGetPosition(at) == i;
    is &=
        parts->dims[i].lower == 0 && parts->dims[i].upper == sizes.sizes[i] - 1;
  }
  return is;
}

/// Over `n` shapes, the first being the last, too.
static bool cancels(MlirContext context, int n, const Sizes *shapes,
                    bool simplifiesFirst) {
  XlaIndexingMap *all = NULL;
  for (int i = 0; i < n; ++i) {
    XlaIndexingMap *map = reshape(context, shapes[(i + 1) % n], shapes[i]);
    map = simplifiesFirst ? simplify(map) : map;
    XlaIndexingMap *both = all ? xlaIndexingMapCompose(all, map) : map;
    assert_non_null(both);
    if (all) {
      xlaIndexingMapRelease(all);
      xlaIndexingMapRelease(map);
      both = simplifiesFirst ? simplify(both) : both;
    }
    all = both;
  }
  all = simplify(all);
  bool is = isIdentity(all, shapes[0]);
  if (!is) {
    Text text;
    print_message("%d shapes%s:", n, simplifiesFirst ? ", simplified" : "");
    for (int i = 0; i < n; ++i) {
      print_message(" (");
      for (int k = 0; k < shapes[i].rank; ++k)
        print_message("%s%lld", k ? ", " : "", (long long)shapes[i].sizes[k]);
      print_message(")");
    }
    print_message("\n  %s\n", mapText(all, XlaIndexingFormatLine, &text));
  }
  xlaIndexingMapRelease(all);
  return is;
}

static int seedCount(void) {
  const char *text = getenv("XLAC_TEST_MAPS");
  return text ? 1 + atoi(text) / perSeed : 10;
}

/// How many of `perSeed` ways over `n` shapes and back cancel, for each seed.
static void allCancel(MlirContext context, int n, bool simplifiesFirst) {
  int total = 0;
  for (int seed = 1; seed <= seedCount(); ++seed) {
    Random r = {context, (uint64_t)seed * 0x9e3779b97f4a7c15};
    for (int i = 0; i < perSeed; ++i) {
      int64_t factors[16];
      Sizes shapes[3];
      int nFactors = randomFactors(&r, factors);
      for (int k = 0; k < n; ++k)
        shapes[k] = randomSizes(&r, nFactors, factors);
      total += cancels(context, n, shapes, simplifiesFirst);
    }
  }
  print_message("%d of %d cancel\n", total, seedCount() * perSeed);
  assert_int_equal(total, seedCount() * perSeed);
}

static void twoRaw(void **state) {
  allCancel(*(MlirContext *)*state, 2, false);
}

static void twoSimplified(void **state) {
  allCancel(*(MlirContext *)*state, 2, true);
}

static void threeRaw(void **state) {
  allCancel(*(MlirContext *)*state, 3, false);
}

static void threeSimplified(void **state) {
  allCancel(*(MlirContext *)*state, 3, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twoRaw),
      cmocka_unit_test(twoSimplified),
      cmocka_unit_test(threeRaw),
      cmocka_unit_test(threeSimplified),
  };
  return cmocka_run_group_tests(tests, contextSetUp, contextTearDown);
}

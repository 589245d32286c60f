//===- values.c - Comparing results ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/value.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>

static XlaTolerance toleranceOf(const XlaRun *run, XlaElementType type) {
  XlaTolerance tolerance = xlaToleranceDefault(type);
  if (run->options.relative >= 0)
    tolerance.relative = run->options.relative;
  if (run->options.absolute >= 0)
    tolerance.absolute = run->options.absolute;
  return tolerance;
}

/// Outputs of a dynamic type, and what outfeeds send, need not have.
static bool haveSameShape(const XlaLiteral *a, const XlaLiteral *b) {
  const XlaShape *shape = xlaLiteralGetShape(a), *other = xlaLiteralGetShape(b);
  return shape->elementType == other->elementType &&
         xlaShapeDimsEqual(shape, other);
}

/// Says where two arrays differ; `whose` outputs they are, NULL: says nothing.
static bool compareLeaf(const XlaRun *run, const char *whose, intptr_t index,
                        const XlaLiteral *got, const XlaLiteral *expected,
                        int nVariations, const XlaLiteral *const *variations) {
  XlaDifference difference;
  const XlaShape *shape = xlaLiteralGetShape(got);
  const XlaShape *wanted = xlaLiteralGetShape(expected);
  if (!haveSameShape(got, expected)) {
    if (whose)
      xlaToolError(XlaToolCodeDiffers, "%s %lld: got %s, expected %s", whose,
                   (long long)index, XLA_VALUE_SHAPE_TEXT(shape),
                   XLA_VALUE_SHAPE_TEXT(wanted));
    return false;
  }
  XlaTolerance tolerance = toleranceOf(run, shape->elementType);
  tolerance.nVariations = nVariations;
  tolerance.variations = variations;
  if (xlaValueCompare(got, expected, &tolerance, &difference))
    return true;
  if (whose)
    xlaToolError(XlaToolCodeDiffers, "%s %lld: %s", whose, (long long)index,
                 XLA_DIFFERENCE_TEXT(&difference, got, expected));
  return false;
}

XlaToolCode xlaRunValuesCompareExpected(XlaRun *run, const char *whose,
                                        const XlaToolValues *given,
                                        const XlaProgramValues *values) {
  if (!given->count)
    return XlaToolCodeOk;
  const XlaLiteral **leaves = xlaProgramValuesGetLeaves(values);
  if (!leaves)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  XlaToolCode code = XlaToolCodeOk;
  char outputs[400];
  snprintf(outputs, sizeof outputs, "%soutput", whose);
  for (intptr_t i = 0; i < given->count && code <= XlaToolCodeDiffers; ++i) {
    XlaLiteral *expected = NULL;
    XlaToolCode read =
        xlaProgramValueRead(given->items[i], "expected output", i,
                            &values->leafShapes[i], &expected);
    if (read != XlaToolCodeOk)
      code = read;
    else if (!compareLeaf(run, outputs, i, leaves[i], expected, 0, NULL))
      code = XlaToolCodeDiffers;
    xlaLiteralRelease(expected);
  }
  free(leaves);
  return code;
}

/// Outputs of a run, or what it sent out; `items` is NULL without memory.
typedef struct Arrays {
  intptr_t n;
  const XlaLiteral *const *items;
} Arrays;

static Arrays sentOut(const XlaRunFeed *feed) {
  Arrays arrays;
  arrays.items = xlaRunFeedGetOut(feed, &arrays.n);
  return arrays;
}

/// Those variations of array `index` that have the shape of `expected`.
static int variationsOf(intptr_t index, const XlaLiteral *expected, int n,
                        const Arrays *variations,
                        const XlaLiteral *found[XLA_RUN_VARIATIONS]) {
  int count = 0;
  for (int v = 0; v < n; ++v)
    if (variations[v].items && index < variations[v].n &&
        haveSameShape(variations[v].items[index], expected))
      found[count++] = variations[v].items[index];
  return count;
}

/// As many of both; `whose` as in compareLeaf.
static XlaToolCode compareAll(const XlaRun *run, const char *whose, Arrays got,
                              Arrays expected, int nVariations,
                              const Arrays *variations) {
  XlaToolCode code = XlaToolCodeOk;
  for (intptr_t i = 0; i < got.n; ++i) {
    const XlaLiteral *found[XLA_RUN_VARIATIONS];
    int n = variationsOf(i, expected.items[i], nVariations, variations, found);
    if (!compareLeaf(run, whose, i, got.items[i], expected.items[i], n, found))
      code = XlaToolCodeDiffers;
  }
  return code;
}

XlaToolCode xlaRunValuesCompare(XlaRun *run, const char *device,
                                const XlaProgramValues *got,
                                const XlaProgramValues *expected,
                                int nVariations,
                                const XlaProgramValues *variations) {
  const XlaLiteral **a = xlaProgramValuesGetLeaves(got),
                   **b = xlaProgramValuesGetLeaves(expected),
                   **leaves[XLA_RUN_VARIATIONS] = {NULL};
  Arrays others[XLA_RUN_VARIATIONS];
  char whose[320];
  snprintf(whose, sizeof whose, "%s: output", device ? device : "");
  for (int v = 0; v < nVariations; ++v) {
    leaves[v] = xlaProgramValuesGetLeaves(&variations[v]);
    others[v] = (Arrays){variations[v].leafCount, leaves[v]};
  }
  XlaToolCode code =
      a && b
          ? compareAll(run, device ? whose : NULL, (Arrays){got->leafCount, a},
                       (Arrays){expected->leafCount, b}, nVariations, others)
          : xlaToolError(XlaToolCodeRefused, "out of memory");
  for (int v = 0; v < nVariations; ++v)
    free(leaves[v]);
  free(a);
  free(b);
  return code;
}

/// The same of what feeds were sent; `device` as there.
static XlaToolCode compareFeeds(const XlaRun *run, const char *device,
                                const XlaRunFeed *feed,
                                const XlaRunFeed *expected, int nVariations,
                                XlaRunFeed *const *variations) {
  Arrays got = sentOut(feed), wanted = sentOut(expected);
  Arrays others[XLA_RUN_VARIATIONS];
  char whose[320];
  snprintf(whose, sizeof whose, "%s: outfeed", device ? device : "");
  for (int v = 0; v < nVariations; ++v)
    others[v] = sentOut(variations[v]);
  if (got.n == wanted.n)
    return compareAll(run, device ? whose : NULL, got, wanted, nVariations,
                      others);
  if (device)
    xlaToolError(XlaToolCodeDiffers,
                 "%s: %lld arrays were sent out, expected %lld", device,
                 (long long)got.n, (long long)wanted.n);
  return XlaToolCodeDiffers;
}

XlaToolCode xlaRunFeedsCompare(XlaRun *run, const char *device,
                               const XlaRunFeed *got,
                               const XlaRunFeed *expected) {
  return compareFeeds(run, device, got, expected, 0, NULL);
}

XlaToolCode xlaRunValuesAgree(XlaRun *run, const XlaRunDevice *device,
                              MlirOperation function,
                              const XlaProgramValues *inputs,
                              const XlaProgramValues *got,
                              const XlaProgramValues *expected,
                              const XlaRunFeed *expectedOut) {
  XlaToolCode code = xlaRunValuesCompare(run, NULL, got, expected, 0, NULL);
  if (code == XlaToolCodeOk && expectedOut)
    code = compareFeeds(run, NULL, run->feed, expectedOut, 0, NULL);
  if (code != XlaToolCodeDiffers)
    return code;
  XlaProgramValues variations[XLA_RUN_VARIATIONS];
  XlaRunFeed *feeds[XLA_RUN_VARIATIONS];
  int n = xlaRunVariations(run, function, inputs->count,
                           (const XlaLiteral *const *)inputs->items, variations,
                           feeds, NULL, NULL);
  code = xlaRunValuesCompare(run, device->name, got, expected, n, variations);
  if (expectedOut && code <= XlaToolCodeDiffers) {
    XlaToolCode fed =
        compareFeeds(run, device->name, run->feed, expectedOut, n, feeds);
    code = fed > code ? fed : code;
  }
  while (n) {
    xlaProgramValuesDestroy(&variations[--n]);
    xlaRunFeedDestroy(feeds[n]);
  }
  return code;
}

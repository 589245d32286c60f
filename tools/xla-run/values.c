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

/// Says where two arrays differ; `whose` output it is, NULL: says nothing.
static bool compareLeaf(const XlaRun *run, const char *whose, intptr_t index,
                        const XlaLiteral *got, const XlaLiteral *expected,
                        int nVariations, const XlaLiteral *const *variations) {
  XlaDifference difference;
  const XlaShape *shape = xlaLiteralGetShape(got);
  const XlaShape *wanted = xlaLiteralGetShape(expected);
  if (!xlaShapeDimsEqual(shape, wanted)) { // of a dynamic type
    if (whose)
      xlaToolError(XlaToolCodeDiffers, "%soutput %lld: got %s, expected %s",
                   whose, (long long)index, XLA_VALUE_SHAPE_TEXT(shape),
                   XLA_VALUE_SHAPE_TEXT(wanted));
    return false;
  }
  XlaTolerance tolerance = toleranceOf(run, shape->elementType);
  tolerance.nVariations = nVariations;
  tolerance.variations = variations;
  if (xlaValueCompare(got, expected, &tolerance, &difference))
    return true;
  if (whose)
    xlaToolError(XlaToolCodeDiffers, "%soutput %lld: %s", whose,
                 (long long)index,
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
  for (intptr_t i = 0; i < given->count && code <= XlaToolCodeDiffers; ++i) {
    XlaLiteral *expected = NULL;
    XlaToolCode read =
        xlaProgramValueRead(given->items[i], "expected output", i,
                            &values->leafShapes[i], &expected);
    if (read != XlaToolCodeOk)
      code = read;
    else if (!compareLeaf(run, whose, i, leaves[i], expected, 0, NULL))
      code = XlaToolCodeDiffers;
    xlaLiteralRelease(expected);
  }
  free(leaves);
  return code;
}

/// Those variations of leaf `index` that have the shape of `expected`, which
/// dynamic types need not have.
static int variationsOf(intptr_t index, const XlaLiteral *expected, int n,
                        const XlaLiteral **const *leaves,
                        const XlaLiteral *found[XLA_RUN_VARIATIONS]) {
  int count = 0;
  for (int v = 0; v < n; ++v)
    if (leaves[v] && xlaShapeDimsEqual(xlaLiteralGetShape(leaves[v][index]),
                                       xlaLiteralGetShape(expected)))
      found[count++] = leaves[v][index];
  return count;
}

XlaToolCode xlaRunValuesCompare(XlaRun *run, const char *device,
                                const XlaProgramValues *got,
                                const XlaProgramValues *expected,
                                int nVariations,
                                const XlaProgramValues *variations) {
  const XlaLiteral **a = xlaProgramValuesGetLeaves(got),
                   **b = xlaProgramValuesGetLeaves(expected),
                   **others[XLA_RUN_VARIATIONS] = {NULL};
  XlaToolCode code = a && b ? XlaToolCodeOk
                            : xlaToolError(XlaToolCodeRefused, "out of memory");
  char whose[48];
  snprintf(whose, sizeof whose, "%s: ", device ? device : "");
  for (int v = 0; v < nVariations; ++v)
    others[v] = xlaProgramValuesGetLeaves(&variations[v]);
  for (intptr_t i = 0; a && b && i < got->leafCount; ++i) {
    const XlaLiteral *found[XLA_RUN_VARIATIONS];
    int n = variationsOf(i, b[i], nVariations, others, found);
    if (!compareLeaf(run, device ? whose : NULL, i, a[i], b[i], n, found))
      code = XlaToolCodeDiffers;
  }
  for (int v = 0; v < nVariations; ++v)
    free(others[v]);
  free(a);
  free(b);
  return code;
}

XlaToolCode xlaRunValuesAgree(XlaRun *run, const XlaRunDevice *device,
                              MlirOperation function,
                              const XlaProgramValues *inputs,
                              const XlaProgramValues *got,
                              const XlaProgramValues *expected) {
  XlaToolCode code = xlaRunValuesCompare(run, NULL, got, expected, 0, NULL);
  if (code != XlaToolCodeDiffers)
    return code;
  XlaProgramValues variations[XLA_RUN_VARIATIONS];
  int n = xlaRunVariations(run, function, inputs->count,
                           (const XlaLiteral *const *)inputs->items, variations,
                           NULL, NULL);
  code = xlaRunValuesCompare(run, device->name, got, expected, n, variations);
  while (n)
    xlaProgramValuesDestroy(&variations[--n]);
  return code;
}

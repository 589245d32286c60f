//===- compare.c - Comparing values ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/compare.h"

#include "xlac/dialect/op.h"
#include "xlac/tools/common/value.h"

#include <math.h>
#include <string.h>

XlaTolerance xlaToleranceDefault(XlaElementType type) {
  XlaElementType real = xlaElementTypeReal(type);
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(real);
  double relative = real == XlaElementTypeBF16  ? 1e-2
                    : real == XlaElementTypeF16 ? 1e-3
                    : info->bits >= 32          ? 1e-4
                    : info->mantissaBits        ? ldexp(1, -info->mantissaBits)
                                                : 0;
  return (XlaTolerance){.relative = relative};
}

/// The position of a float among all of its type, in order; 0 and -0 share one.
static int64_t ordinal(XlaElementType type, double value) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  double magnitude = fabs(value);
  int64_t position;
  if (info->bits == 64)
    memcpy(&position, &magnitude, sizeof position);
  else
    position = xlaFloatEncode(info, magnitude);
  return signbit(value) ? -position : position;
}

static bool isWithinUlps(const XlaTolerance *tolerance, XlaElementType real,
                         double got, double expected) {
  int64_t a = ordinal(real, got), b = ordinal(real, expected);
  // Positions of f64 with opposite signs may be further apart than fits.
  uint64_t ulps = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
  return ulps >= (uint64_t)tolerance->minUlps &&
         ulps <= (uint64_t)tolerance->maxUlps;
}

static bool isClose(const XlaTolerance *tolerance, XlaElementType real,
                    double got, double expected, double modulus) {
  if (isnan(got) || isnan(expected))
    return isnan(got) && isnan(expected);
  if (tolerance->ulpsOnly)
    return isWithinUlps(tolerance, real, got, expected);
  if (got == expected)
    return true;
  if (isinf(got) || isinf(expected))
    return false;
  // A modulus that overflows would allow everything.
  double scale = isfinite(modulus) ? modulus : fabs(expected);
  return fabs(got - expected) <=
             tolerance->absolute + tolerance->relative * scale ||
         isWithinUlps(tolerance, real, got, expected);
}

/// Of a real number or a part of a complex one.
static double distance(double a, double b) {
  bool same = a == b || (isnan(a) && isnan(b));
  return same ? 0 : isfinite(a) && isfinite(b) ? fabs(a - b) : INFINITY;
}

/// Whether variations are as far from `expected` as `got` is. A complex number
/// counts as a whole: an error of one part may come from the other.
static bool isVaried(const XlaTolerance *tolerance, const XlaLiteral *expected,
                     int64_t i, XlaScalar got, bool complex) {
  const double slack = 4;
  XlaScalar y = xlaLiteralGet(expected, i);
  double furthest = 0;
  for (int v = 0; v < tolerance->nVariations; ++v) {
    XlaScalar other = xlaLiteralGet(tolerance->variations[v], i);
    furthest = fmax(furthest, distance(other.f.re, y.f.re));
    if (complex)
      furthest = fmax(furthest, distance(other.f.im, y.f.im));
  }
  return distance(got.f.re, y.f.re) <= slack * furthest &&
         (!complex || distance(got.f.im, y.f.im) <= slack * furthest);
}

static bool isIntegerVaried(const XlaTolerance *tolerance, int64_t i,
                            XlaScalar expected) {
  for (int v = 0; v < tolerance->nVariations; ++v)
    if (xlaLiteralGet(tolerance->variations[v], i).u != expected.u)
      return true;
  return false;
}

bool xlaValueCompare(const XlaLiteral *got, const XlaLiteral *expected,
                     const XlaTolerance *tolerance, XlaDifference *difference) {
  XlaElementType type = xlaLiteralGetShape(got)->elementType;
  XlaElementType real = xlaElementTypeReal(type);
  bool complex = xlaElementTypeIsComplex(type);
  bool inexact = complex || xlaElementTypeIsFloat(type);
  *difference = (XlaDifference){.count = 0};
  for (int64_t i = 0, n = xlaLiteralGetElementCount(got); i < n; ++i) {
    XlaScalar a = xlaLiteralGet(got, i), b = xlaLiteralGet(expected, i);
    double modulus = !inexact  ? 0
                     : complex ? hypot(b.f.re, b.f.im)
                               : fabs(b.f.re);
    bool same = !inexact ? a.u == b.u
                         : isClose(tolerance, real, a.f.re, b.f.re, modulus) &&
                               (!complex || isClose(tolerance, real, a.f.im,
                                                    b.f.im, modulus));
    if (!same && tolerance->nVariations)
      same = inexact ? isVaried(tolerance, expected, i, a, complex)
                     : isIntegerVaried(tolerance, i, b);
    if (!same && !difference->count++)
      difference->first = i;
  }
  return !difference->count;
}

const char *xlaDifferenceText(const XlaDifference *difference,
                              const XlaLiteral *got, const XlaLiteral *expected,
                              char chars[512]) {
  const XlaShape *shape = xlaLiteralGetShape(got);
  int64_t index[XLA_MAX_RANK];
  xlaIndexFromLinear(difference->first, shape->dims, shape->rank, index);
  XlaElementText a = xlaValueElementText(got, difference->first);
  XlaElementText b = xlaValueElementText(expected, difference->first);
  snprintf(chars, 512,
           "%lld of %lld elements differ, the first at %s: got %s, expected %s",
           (long long)difference->count,
           (long long)xlaLiteralGetElementCount(got),
           XLA_LIST_TEXT(index, shape->rank), a.chars, b.chars);
  return chars;
}

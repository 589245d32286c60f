//===- atan.c - Inverse trigonometric functions ---------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

/// atan(t) - t for 0 <= t <= 1.
static V atanTail(XlaMath *m, V t) {
  V z = mul(m, t, t);
  V p = XLA_MATH_POLYNOMIAL(m, z, -0.000936299084, 0.00620725248, -0.0192610767,
                            0.0383274401, -0.0576071562, 0.0741749674,
                            -0.0903674227, 0.111047068, -0.14285318,
                            0.199999903, -0.333333333);
  return mul(m, mul(m, p, z), t);
}

/// atan(t), or pi/2 - atan(t) where `inverted`.
static V atanOfRatio(XlaMath *m, V t, V inverted) {
  V tail = atanTail(m, t);
  V rest = sub(m, num(m, -4.371138828673793e-08), tail);
  // The difference and its rounding error, by Fast2Sum.
  V right = num(m, 1.5707963705062866), head = sub(m, right, t);
  V lost = sub(m, sub(m, right, head), t);
  V far = add(m, head, add(m, rest, lost));
  return choose(m, inverted, far, add(m, t, tail));
}

/// On f64: k pi/4 and the arc tangent of a ratio below tan(pi/8), added or
/// subtracted.
static V atan2OfDouble(XlaMath *m, V y, V x) {
  V a = magnitude(m, x), b = magnitude(m, y), zero = num(m, 0);
  V inverted = compare(m, "ogt", b, a);
  V large = choose(m, inverted, b, a), small = choose(m, inverted, a, b);
  V one = num(m, 1), infinity = num(m, INFINITY);
  V factor = choose(m, compare(m, "ogt", large, num(m, 0x1p1000)),
                    num(m, 0x1p-4), one);
  large = mul(m, large, factor);
  small = mul(m, small, factor);
  V far = compare(m, "ogt", small, mul(m, large, num(m, 0.41421356237309503)));
  V t = quotient(m, choose(m, far, sub(m, small, large), small),
                 choose(m, far, add(m, small, large), large));
  // 0 / 0, and infinity / infinity, which is pi/4 and nothing else.
  t = choose(m, compare(m, "oeq", large, zero), zero, t);
  V both = compare(m, "oeq", small, infinity);
  t = choose(m, both, zero, t);
  far = xlaIrBinary(&m->ir, "arith.ori", far, both);
  V z = mul(m, t, t);
  V p = XLA_MATH_POLYNOMIAL(
      m, z, 0.01627194475162406, -0.034558092551413795, 0.04551108126325172,
      -0.052303478730160745, 0.058789145444006215, -0.06666423628069258,
      0.0769229630497447, -0.09090908751076636, 0.11111111105106705,
      -0.14285714285659326, 0.199999999999998, -0.3333333333333333);
  V tail = mul(m, mul(m, p, z), t), negative = {NULL};
  negative = xlaIrCmpI(&m->ir, "slt", toBits(m, x), integer(m, 0));
  V eighths = choose(m, far, one, zero), sign = one;
  eighths = choose(m, inverted, sub(m, num(m, 2), eighths), eighths);
  sign = choose(m, inverted, neg(m, sign), sign);
  eighths = choose(m, negative, sub(m, num(m, 4), eighths), eighths);
  sign = choose(m, negative, neg(m, sign), sign);
  // Up to 4 times this is exact.
  V base = mul(m, eighths, num(m, 0x1.921fb54442d18p-1));
  V term = mul(m, t, sign), sum = add(m, base, term);
  V lost = sub(m, term, sub(m, sum, base));
  tail = mulAdd(m, tail, sign, mul(m, eighths, num(m, 3.061616997868383e-17)));
  V angle = withSign(m, add(m, sum, add(m, lost, tail)), y);
  return choose(m, compare(m, "uno", x, y), add(m, x, y), angle);
}

V xlaMathAtan(XlaMath *m, V x) {
  if (isWide(m))
    return atan2OfDouble(m, x, num(m, 1));
  V a = magnitude(m, x), one = num(m, 1);
  V inverted = compare(m, "ogt", a, one);
  V t = choose(m, inverted, quotient(m, one, a), a);
  return keepNaN(m, x, withSign(m, atanOfRatio(m, t, inverted), x));
}

V xlaMathAtan2(XlaMath *m, V y, V x) {
  if (isWide(m))
    return atan2OfDouble(m, y, x);
  V a = magnitude(m, x), b = magnitude(m, y);
  V inverted = compare(m, "ogt", b, a);
  V large = choose(m, inverted, b, a), small = choose(m, inverted, a, b);
  V t = quotient(m, small, large);
  // 0 / 0 and infinity / infinity.
  t = choose(m, compare(m, "oeq", large, num(m, 0)), num(m, 0), t);
  t = choose(m, compare(m, "oeq", small, num(m, INFINITY)), num(m, 1), t);
  V angle = atanOfRatio(m, t, inverted);
  V negative = xlaIrCmpI(&m->ir, "slt", toBits(m, x), integer(m, 0));
  V pi = num(m, 3.1415927410125732);
  V head = sub(m, pi, angle), lost = sub(m, sub(m, pi, head), angle);
  V far = add(m, head, add(m, lost, num(m, -8.742277657347586e-08)));
  angle = withSign(m, choose(m, negative, far, angle), y);
  return choose(m, compare(m, "uno", x, y), add(m, x, y), angle);
}

/// asin(t) - t for 0 <= t <= 1/2, from z = t^2.
static V asinTail(XlaMath *m, V t, V z) {
  V p = isWide(m)
            ? XLA_MATH_POLYNOMIAL(m, z, 0.028757851367421565,
                                  -0.014851887071247203, 0.017400879442694022,
                                  0.0054575067186403583, 0.010322814350185779,
                                  0.011479177415184906, 0.013971212973552933,
                                  0.017352392720869973, 0.022372172942149888,
                                  0.030381944138531247, 0.04464285714635543,
                                  0.074999999999984329, 0.16666666666666668)
            : XLA_MATH_POLYNOMIAL(m, z, 0.033690856, 0.0171492324, 0.0311006642,
                                  0.0445994014, 0.0750009454, 0.166666663);
  return mul(m, mul(m, p, z), t);
}

/// Half of the way up asin itself; beyond, 2 asin(sqrt((1 - |x|) / 2)) is what
/// is missing to pi/2. `*far` tells which; asin(t) is t and the result.
static V asinOfHalf(XlaMath *m, V x, V *far, V *t) {
  V a = magnitude(m, x), half = num(m, 0.5);
  *far = compare(m, "ogt", a, half);
  V z = mul(m, sub(m, num(m, 1), a), half);
  z = choose(m, *far, z, mul(m, a, a));
  *t = choose(m, *far, root(m, z), a);
  return asinTail(m, *t, z);
}

/// high + low - (a + b), where |a| is at most `high`: of the sums only the last
/// one rounds what counts.
static V lessSum(XlaMath *m, V high, V low, V a, V b) {
  V head = sub(m, high, a), lost = sub(m, sub(m, high, head), a);
  return add(m, head, add(m, lost, sub(m, low, b)));
}

/// pi/2 is high + low.
static V halfPi(XlaMath *m, V *low) {
  *low = numOf(m, -4.371138828673793e-08, 6.123233995736766e-17);
  return numOf(m, 1.5707963705062866, 1.5707963267948966);
}

V xlaMathAsin(XlaMath *m, V x) {
  V far, t, tail = asinOfHalf(m, x, &far, &t);
  V low, high = halfPi(m, &low);
  V rest = lessSum(m, high, low, add(m, t, t), add(m, tail, tail));
  return keepNaN(m, x, withSign(m, choose(m, far, rest, add(m, t, tail)), x));
}

/// Beyond a half twice asin(t), or pi less that; else pi/2 less asin(x).
V xlaMathAcos(XlaMath *m, V x) {
  V far, t, tail = asinOfHalf(m, x, &far, &t);
  V low, high = halfPi(m, &low), negative = compare(m, "olt", x, num(m, 0));
  V two = choose(m, far, num(m, 2), num(m, 1));
  V head = mul(m, two, choose(m, far, t, x));
  V rest = mul(m, two, withSign(m, tail, choose(m, far, num(m, 1), x)));
  V below = lessSum(m, mul(m, two, high), mul(m, two, low), head, rest);
  V above = xlaIrBinary(&m->ir, "arith.andi", far,
                        xlaIrBinary(&m->ir, "arith.xori", negative,
                                    compare(m, "oeq", num(m, 0), num(m, 0))));
  return keepNaN(m, x, choose(m, above, add(m, head, rest), below));
}

//===- exp.c - Exponential functions --------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2.
static V expTail(XlaMath *m, V r) {
  if (isWide(m))
    return XLA_MATH_POLYNOMIAL(
        m, r, 2.09147553258932e-09, 2.5105312729622103e-08,
        2.755727347871858e-07, 2.755725517000089e-06, 2.480158732567746e-05,
        0.0001984126987500228, 0.0013888888888883711, 0.008333333333326084,
        0.04166666666666667, 0.1666666666666667, 0.5);
  return XLA_MATH_POLYNOMIAL(m, r, 0.000198917776, 0.00139336872, 0.00833330999,
                             0.0416664646, 0.166666667, 0.500000001);
}

/// exp(r) for |r| <= ln(2).
static V expOfSmall(XlaMath *m, V r) {
  V tail = isWide(m) ? XLA_MATH_POLYNOMIAL(
                           m, r, 1.1547120252204814e-11, 1.6181292259090332e-10,
                           2.0876288600931972e-09, 2.5051358568597e-08,
                           2.755732060203273e-07, 2.7557321430166924e-06,
                           2.4801587299616876e-05, 0.00019841269838115187,
                           0.0013888888888890095, 0.008333333333335266,
                           0.041666666666666664, 0.16666666666666663, 0.5)
                     : XLA_MATH_POLYNOMIAL(m, r, 2.50390447e-05, 0.000200789479,
                                           0.00138883062, 0.00833274992,
                                           0.0416666702, 0.166666702, 0.5);
  return add(m, mulAdd(m, tail, mul(m, r, r), r), num(m, 1));
}

/// The whole number nearest to x * factor. Added to a number whose last place
/// is 1 it is rounded and stands in the lowest bits, where it becomes the
/// exponent of `power`, 2^(n + shift). For NaN n is NaN and power any number.
static V wholePart(XlaMath *m, V x, double factor, int shift, V *power) {
  double bias = (isWide(m) ? 1023 : 127) + shift;
  V large = num(m, (isWide(m) ? 0x1.8p52 : 0x1.8p23) + bias);
  V sum = mulAdd(m, x, num(m, factor), large);
  *power = fromBits(
      m, bitwise(m, "arith.shli", toBits(m, sum), integerOf(m, 23, 52)));
  return sub(m, sum, large);
}

/// x - n step ln(2), without the last digits of ln(2).
static V reduceTo(XlaMath *m, V x, V n, double step) {
  return mulAdd(
      m, n,
      num(m, -step * (isWide(m) ? 0x1.62e42fefa38p-1 : 0.693145751953125)), x);
}

/// x = n step ln(2) + r, |r| <= step ln(2) / 2: power = 2^(n + shift).
static V reduce(XlaMath *m, V x, double step, int shift, V *power, V *n) {
  *n = wholePart(m, x, 1.44269504088896341 / step, shift, power);
  return reduceTo(m, x, *n, step);
}

/// What n ln(2) step lacks above, added to `rest`.
static V reduceRest(XlaMath *m, V n, double step, V rest) {
  return mulAdd(m, n,
                num(m, -step * (isWide(m) ? 5.497923018708371e-14
                                          : 1.428606765330187e-06)),
                rest);
}

/// `x` or the bound it exceeds; NaN stays.
static V within(XlaMath *m, V x, V least, V most) {
  V bounded = choose(m, compare(m, "olt", most, x), most, x);
  return choose(m, compare(m, "ogt", least, bounded), least, bounded);
}

/// 2^n of a whole number.
static V powerOf(XlaMath *m, V n) {
  V biased = bitwise(m, "arith.addi", n, integerOf(m, 127, 1023));
  return fromBits(m, bitwise(m, "arith.shli", biased, integerOf(m, 23, 52)));
}

V xlaMathExpOfSum(XlaMath *m, V high, V low) {
  // n, which is rounded as wholePart does, in two halves: 2^n may be neither a
  // number nor normal.
  V large = numOf(m, 0x1.8p23, 0x1.8p52), one = num(m, 1);
  V sum = mulAdd(m, high, num(m, 1.44269504088896341), large);
  V n = sub(m, sum, large);
  V whole = bitwise(m, "arith.subi", toBits(m, sum), toBits(m, large));
  V half = bitwise(m, "arith.shrsi", whole, integer(m, 1));
  V r = reduceTo(m, high, n, 1), rest = reduceRest(m, n, 1, low);
  V near = add(m, r, rest);
  // 1 + r + (what its sum lost + rest + the tail): the large terms last.
  V first = add(m, one, r), lost = sub(m, r, sub(m, first, one));
  V small = mulAdd(m, expTail(m, near), mul(m, near, near), rest);
  V p = add(m, first, add(m, small, lost));
  p = mul(m, p, powerOf(m, half));
  return mul(m, p, powerOf(m, bitwise(m, "arith.subi", whole, half)));
}

/// exp(x) * scale for a scale near 1; NaN where x is NaN.
static V expScaled(XlaMath *m, V x, double scale) {
  V bounded = within(m, x, numOf(m, -104, -746), numOf(m, 90, 720));
  V root, n, r = reduce(m, bounded, 2, 0, &root, &n);
  V p = mul(m, expOfSmall(m, reduceRest(m, n, 2, r)), root);
  return mul(m, p, scale == 1 ? root : mul(m, root, num(m, scale)));
}

V xlaMathExp(XlaMath *m, V x) { return expScaled(m, x, 1); }

/// Exact where x is whole.
V xlaMathExp2(XlaMath *m, V x) {
  V bounded = within(m, x, numOf(m, -151, -1077), numOf(m, 129, 1025));
  V root, power, n = wholePart(m, bounded, 0.5, 0, &root);
  V rest = mulAdd(m, n, num(m, -2), bounded); // from -1 to 1
  V r = sub(m, rest, wholePart(m, rest, 1, 0, &power));
  V p = expOfSmall(m, mul(m, r, num(m, 0.693147180559945309)));
  return mul(m, mul(m, p, root), mul(m, power, root));
}

/// 2^n (exp(r) - 1) + (2^n - 1), with half of 2^n so that n may be 128.
V xlaMathExpm1(XlaMath *m, V x) {
  V bounded = within(m, x, numOf(m, -20, -40), numOf(m, 89, 710));
  V half, n, r = reduce(m, bounded, 1, -1, &half, &n);
  r = reduceRest(m, n, 1, r);
  V p = mulAdd(m, expTail(m, r), mul(m, r, r), r);
  V value = mulAdd(m, half, p, sub(m, half, num(m, 0.5)));
  value = add(m, value, value);
  // Keeps -0 and denormals; x^2/2 is below the last place.
  V tiny = compare(m, "olt", magnitude(m, x), numOf(m, 0x1p-25, 0x1p-54));
  return choose(m, tiny, x, value);
}

/// With t = exp(2|x|) - 1 it is t / (t + 2): never above 1.
V xlaMathTanh(XlaMath *m, V x) {
  V a = magnitude(m, x), most = numOf(m, 10, 20);
  a = choose(m, compare(m, "olt", most, a), most, a);
  V power, n, r = reduce(m, add(m, a, a), 1, 0, &power, &n);
  r = reduceRest(m, n, 1, r);
  V p = mulAdd(m, expTail(m, r), mul(m, r, r), r);
  V t = mulAdd(m, power, p, sub(m, power, num(m, 1)));
  return withSign(m, quotient(m, t, add(m, t, num(m, 2))), x);
}

V xlaMathSinh(XlaMath *m, V x) {
  V a = magnitude(m, x), z = mul(m, a, a);
  V p =
      isWide(m)
          ? XLA_MATH_POLYNOMIAL(m, z, 7.7461785930188275e-13,
                                1.6057679623801638e-10, 2.5052117695907824e-08,
                                2.7557319191381817e-06, 0.00019841269841324198,
                                0.0083333333333332994, 0.16666666666666667)
          : XLA_MATH_POLYNOMIAL(m, z, 2.80628026e-06, 0.00019838102,
                                0.00833333968, 0.166666666);
  V small = mulAdd(m, mul(m, p, z), a, a);
  V e = expScaled(m, a, 0.5);
  V large = sub(m, e, quotient(m, num(m, 0.25), e));
  V value = choose(m, compare(m, "olt", a, num(m, 1)), small, large);
  return withSign(m, value, x);
}

V xlaMathCosh(XlaMath *m, V x) {
  V e = expScaled(m, magnitude(m, x), 0.5);
  return add(m, e, quotient(m, num(m, 0.25), e));
}

/// An odd polynomial up to 1; beyond, erfc(x) exp(x^2) is smooth in a ratio
/// that maps 1 .. 6 to an interval around 0.
static V erfOfDouble(XlaMath *m, V x) {
  V a = magnitude(m, x), z = mul(m, a, a);
  V p = XLA_MATH_POLYNOMIAL(
      m, z, 5.954471583153482e-11, -1.1371291831047954e-09,
      1.4659383821340068e-08, -1.6350256278696497e-07, 1.6460995338195411e-06,
      -1.4925594957596026e-05, 0.00012055331099279798, -0.0008548326980509413,
      0.005223977624812638, -0.02686617064507627, 0.11283791670954876,
      -0.3761263890318375, 0.1283791670955126);
  V small = mulAdd(m, p, a, a), bounded = atMost(m, a, num(m, 6));
  V u = quotient(m, sub(m, bounded, num(m, 2.5)), add(m, bounded, num(m, 2.5)));
  V g = XLA_MATH_POLYNOMIAL(
      m, u, -1.587633893127344e-06, -2.2328516517555215e-06,
      7.499735050763299e-06, 1.8596747731144528e-05, -3.4175718896856294e-05,
      -0.00012887483134837842, 0.0002283799633257643, 0.0008759152875774328,
      -0.0026423659518134547, -0.003993701160123029, 0.03992253907546523,
      -0.12503305237891782, 0.2517131932174488, -0.37173673394897294,
      0.2108063640611436);
  V e = xlaMathExp(m, neg(m, mul(m, bounded, bounded)));
  V large = sub(m, num(m, 1), mul(m, e, g));
  V value = choose(m, compare(m, "olt", a, num(m, 1)), small, large);
  return keepNaN(m, x, withSign(m, value, x));
}

/// An odd polynomial up to 1; beyond, 1 - exp(ln(erfc(x))), whose logarithm is
/// smooth.
V xlaMathErf(XlaMath *m, V x) {
  if (isWide(m))
    return erfOfDouble(m, x);
  V a = magnitude(m, x), z = mul(m, a, a);
  V p = XLA_MATH_POLYNOMIAL(m, z, -9.66704414e-06, 0.000112659589,
                            -0.000848408038, 0.00522103181, -0.0268654307,
                            0.112837825, -0.376126385, 0.128379167);
  V small = mulAdd(m, p, a, a);
  V bounded = atMost(m, a, num(m, 4));
  V q = XLA_MATH_POLYNOMIAL(m, bounded, -7.02331259e-08, 3.19063712e-06,
                            -6.09604298e-05, 0.000678035166, -0.00503635698,
                            0.0270313439, -0.110949378, -0.631055427,
                            -1.13061888, 0.000402988774);
  V large = sub(m, num(m, 1), xlaMathExp(m, q));
  V value = choose(m, compare(m, "olt", a, num(m, 1)), small, large);
  return keepNaN(m, x, withSign(m, value, x));
}

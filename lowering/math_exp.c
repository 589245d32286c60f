//===- math_exp.c - Exponential functions ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math_ops.h"

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

/// x = n ln(2) + r: `n` a whole number.
static V reduce(XlaMath *m, V x, V *n) {
  *n = nearest(m, mul(m, x, num(m, 1.44269504088896341)));
  V r = mulAdd(m, *n, numOf(m, -0.693145751953125, -0x1.62e42fefa38p-1), x);
  return mulAdd(m, *n, numOf(m, -1.428606765330187e-06, -5.497923018708371e-14),
                r);
}

/// 2^n for whole `n` from -126 to 127, -1022 to 1023.
static V powerOfTwo(XlaMath *m, V n) {
  V biased = bitwise(m, "arith.addi", n, integerOf(m, 127, 1023));
  return fromBits(m, bitwise(m, "arith.shli", biased, integerOf(m, 23, 52)));
}

V xlaMathScale(XlaMath *m, V p, V n) {
  V whole = xlaIrCast(&m->ir, "arith.fptosi", n, m->bits);
  V half = bitwise(m, "arith.shrsi", whole, integer(m, 1));
  V rest = bitwise(m, "arith.subi", whole, half);
  return mul(m, mul(m, p, powerOfTwo(m, half)), powerOfTwo(m, rest));
}

V xlaMathExpOfSmall(XlaMath *m, V r) {
  V p = mulAdd(m, expTail(m, r), mul(m, r, r), r);
  return add(m, p, num(m, 1));
}

/// exp(x) for x from 0 to 80: nothing overflows on the way.
static V expOfModerate(XlaMath *m, V x) {
  V n, r = reduce(m, x, &n);
  V whole = xlaIrCast(&m->ir, "arith.fptosi", n, m->bits);
  return mul(m, xlaMathExpOfSmall(m, r), powerOfTwo(m, whole));
}

/// exp(x) * 2^shift; NaN where x is NaN.
static V expShifted(XlaMath *m, V x, double shift) {
  V most = numOf(m, 90, 720), least = numOf(m, -104, -746);
  V n, bounded = atLeast(m, atMost(m, x, most), least);
  V r = reduce(m, bounded, &n);
  if (shift != 0)
    n = add(m, n, num(m, shift));
  return keepNaN(m, x, xlaMathScale(m, xlaMathExpOfSmall(m, r), n));
}

V xlaMathExp(XlaMath *m, V x) { return expShifted(m, x, 0); }

V xlaMathExp2(XlaMath *m, V x) {
  V most = numOf(m, 129, 1025), least = numOf(m, -151, -1077);
  V bounded = atLeast(m, atMost(m, x, most), least);
  V n = nearest(m, bounded);
  V r = mul(m, sub(m, bounded, n), num(m, 0.693147180559945309));
  return keepNaN(m, x, xlaMathScale(m, xlaMathExpOfSmall(m, r), n));
}

/// 2^n (exp(r) - 1) + (2^n - 1), with half of 2^n so that n may be 128.
V xlaMathExpm1(XlaMath *m, V x) {
  V most = numOf(m, 89, 710), least = numOf(m, -20, -40);
  V n, bounded = atLeast(m, atMost(m, x, most), least);
  V r = reduce(m, bounded, &n);
  V p = mulAdd(m, expTail(m, r), mul(m, r, r), r);
  V whole = xlaIrCast(&m->ir, "arith.fptosi", n, m->bits);
  V half = powerOfTwo(m, bitwise(m, "arith.subi", whole, integer(m, 1)));
  V value = mulAdd(m, half, p, sub(m, half, num(m, 0.5)));
  value = add(m, value, value);
  // Keeps -0 and denormals; x^2/2 is below the last place.
  V tiny = compare(m, "olt", magnitude(m, x), numOf(m, 0x1p-25, 0x1p-54));
  return keepNaN(m, x, choose(m, tiny, x, value));
}

/// With t = exp(2|x|) - 1 it is t / (t + 2), and 1 - 2 / (t + 2).
static V tanhOfDouble(XlaMath *m, V x) {
  V a = magnitude(m, x), two = num(m, 2), one = num(m, 1);
  V t = xlaMathExpm1(m, mul(m, atMost(m, a, num(m, 22)), two));
  V small = compare(m, "olt", a, num(m, 0.5)), sum = add(m, t, two);
  V ratio = quotient(m, choose(m, small, t, two), sum);
  V value = choose(m, small, ratio, sub(m, one, ratio));
  return keepNaN(m, x, withSign(m, value, x));
}

V xlaMathTanh(XlaMath *m, V x) {
  if (isWide(m))
    return tanhOfDouble(m, x);
  V a = magnitude(m, x), z = mul(m, a, a);
  V p = XLA_MATH_POLYNOMIAL(m, z, 0.00226950142, -0.00832318677, 0.0217625028,
                            -0.0539584616, 0.133333001, -0.333333331);
  V small = mulAdd(m, mul(m, p, z), a, a);
  V e = expOfModerate(m, mul(m, atMost(m, a, num(m, 10)), num(m, 2)));
  V one = num(m, 1);
  V large = sub(m, one, quotient(m, num(m, 2), add(m, e, one)));
  V value = choose(m, compare(m, "olt", a, num(m, 0.625)), small, large);
  return keepNaN(m, x, withSign(m, value, x));
}

V xlaMathSinh(XlaMath *m, V x) {
  V a = magnitude(m, x), z = mul(m, a, a);
  V p = XLA_MATH_POLYNOMIAL(m, z, 2.80628026e-06, 0.00019838102, 0.00833333968,
                            0.166666666);
  V small = mulAdd(m, mul(m, p, z), a, a);
  V e = expShifted(m, a, -1); // exp(a) / 2
  V large = sub(m, e, quotient(m, num(m, 0.25), e));
  V value = choose(m, compare(m, "olt", a, num(m, 1)), small, large);
  return keepNaN(m, x, withSign(m, value, x));
}

V xlaMathCosh(XlaMath *m, V x) {
  V e = expShifted(m, magnitude(m, x), -1);
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

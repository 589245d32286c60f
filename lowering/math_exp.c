//===- math_exp.c - Exponential functions ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math_ops.h"

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2.
static V expTail(XlaMath *m, V r) {
  return XLA_MATH_POLYNOMIAL(m, r, 0.000198917776, 0.00139336872, 0.00833330999,
                             0.0416664646, 0.166666667, 0.500000001);
}

/// x = n ln(2) + r: `n` a whole number.
static V reduce(XlaMath *m, V x, V *n) {
  *n = nearest(m, mul(m, x, num(m, 1.44269504088896341)));
  V r = mulAdd(m, *n, num(m, -0.693145751953125), x);
  return mulAdd(m, *n, num(m, -1.428606765330187e-06), r);
}

/// 2^n for whole `n` from -126 to 127.
static V powerOfTwo(XlaMath *m, V n) {
  V biased = bitwise(m, "arith.addi", n, integer(m, 127));
  return fromBits(m, bitwise(m, "arith.shli", biased, integer(m, 23)));
}

/// p * 2^n in two steps, as 2^n itself may not be a normal number.
static V scale(XlaMath *m, V p, V n) {
  V whole = xlaIrCast(&m->ir, "arith.fptosi", n, m->bits);
  V half = bitwise(m, "arith.shrsi", whole, integer(m, 1));
  V rest = bitwise(m, "arith.subi", whole, half);
  return mul(m, mul(m, p, powerOfTwo(m, half)), powerOfTwo(m, rest));
}

/// exp(r) for a small r.
static V expOfSmall(XlaMath *m, V r) {
  V p = mulAdd(m, expTail(m, r), mul(m, r, r), r);
  return add(m, p, num(m, 1));
}

/// exp(x) * 2^shift; NaN where x is NaN.
static V expShifted(XlaMath *m, V x, double shift) {
  V n, bounded = atLeast(m, atMost(m, x, num(m, 90)), num(m, -104));
  V r = reduce(m, bounded, &n);
  if (shift != 0)
    n = add(m, n, num(m, shift));
  return keepNaN(m, x, scale(m, expOfSmall(m, r), n));
}

V xlaMathExp(XlaMath *m, V x) { return expShifted(m, x, 0); }

V xlaMathExp2(XlaMath *m, V x) {
  V bounded = atLeast(m, atMost(m, x, num(m, 129)), num(m, -151));
  V n = nearest(m, bounded);
  V r = mul(m, sub(m, bounded, n), num(m, 0.693147180559945309));
  return keepNaN(m, x, scale(m, expOfSmall(m, r), n));
}

/// 2^n (exp(r) - 1) + (2^n - 1), with half of 2^n so that n may be 128.
V xlaMathExpm1(XlaMath *m, V x) {
  V n, bounded = atLeast(m, atMost(m, x, num(m, 89)), num(m, -20));
  V r = reduce(m, bounded, &n);
  V p = mulAdd(m, expTail(m, r), mul(m, r, r), r);
  V whole = xlaIrCast(&m->ir, "arith.fptosi", n, m->bits);
  V half = powerOfTwo(m, bitwise(m, "arith.subi", whole, integer(m, 1)));
  V value = mulAdd(m, half, p, sub(m, half, num(m, 0.5)));
  value = add(m, value, value);
  // Keeps -0 and denormals; x^2/2 is below the last place.
  V tiny = compare(m, "olt", magnitude(m, x), num(m, 0x1p-25));
  return keepNaN(m, x, choose(m, tiny, x, value));
}

V xlaMathTanh(XlaMath *m, V x) {
  V a = magnitude(m, x), z = mul(m, a, a);
  V p = XLA_MATH_POLYNOMIAL(m, z, 0.00226950142, -0.00832318677, 0.0217625028,
                            -0.0539584616, 0.133333001, -0.333333331);
  V small = mulAdd(m, mul(m, p, z), a, a);
  V e = xlaMathExp(m, mul(m, atMost(m, a, num(m, 10)), num(m, 2)));
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

/// An odd polynomial up to 1; beyond, 1 - exp(ln(erfc(x))), whose logarithm is
/// smooth.
V xlaMathErf(XlaMath *m, V x) {
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

//===- log.c - Logarithms and roots ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

V xlaMathSplit(XlaMath *m, V x, V *exponent) {
  V denormal = compare(m, "olt", x, numOf(m, 0x1p-126, 0x1p-1022));
  x = choose(m, denormal, mul(m, x, numOf(m, 0x1p25, 0x1p54)), x);
  V bits = toBits(m, x), digits = integerOf(m, 23, 52);
  // Moves sqrt(1/2) to the start of a binade.
  V start = integerOf(m, 0x3f3504f3, INT64_C(0x3fe6a09e667f3bcd));
  V moved = bitwise(m, "arith.subi", bits, start);
  V e = bitwise(m, "arith.shrsi", moved, digits);
  V mantissa =
      bitwise(m, "arith.subi", bits, bitwise(m, "arith.shli", e, digits));
  *exponent = xlaIrCast(&m->ir, "arith.sitofp", e, m->type);
  V lifted = sub(m, *exponent, numOf(m, 25, 54));
  *exponent = choose(m, denormal, lifted, *exponent);
  return sub(m, fromBits(m, mantissa), num(m, 1));
}

/// The same as combine below on f64, with ln(1 + f) = 2 atanh(s).
static V combineDouble(XlaMath *m, V exponent, V f, V low) {
  V s = quotient(m, f, add(m, f, num(m, 2))), z = mul(m, s, s);
  V p = XLA_MATH_POLYNOMIAL(m, z, 0.13088034850927555, 0.13268638369266825,
                            0.15386244737621665, 0.18181795547521137,
                            0.22222222392581045, 0.28571428570799784,
                            0.40000000000000885, 0.6666666666666666);
  V half = mul(m, mul(m, f, f), num(m, 0.5));
  V tail = mulAdd(m, exponent, num(m, 5.497923018708371e-14), low);
  tail = mulAdd(m, s, mulAdd(m, z, p, half), tail);
  V value = sub(m, f, sub(m, half, tail));
  return mulAdd(m, exponent, num(m, 0x1.62e42fefa38p-1), value);
}

/// exponent * ln(2) + ln(1 + f) + low, the large terms last: the error stays
/// below one unit in the last place.
static V combine(XlaMath *m, V exponent, V f, V low) {
  if (isWide(m))
    return combineDouble(m, exponent, f, low);
  V p = XLA_MATH_POLYNOMIAL(m, f, 0.0697307041, -0.114814772, 0.116857196,
                            -0.124254866, 0.142490093, -0.166678086,
                            0.200007172, -0.249999969, 0.333333312);
  V square = mul(m, f, f), half = mul(m, square, num(m, 0.5));
  V tail = mulAdd(m, exponent, num(m, 1.428606765330187e-06), low);
  tail = mulAdd(m, mul(m, square, f), p, tail);
  V value = sub(m, f, sub(m, half, tail));
  return mulAdd(m, exponent, num(m, 0.693145751953125), value);
}

/// ln at 0, infinity, negative numbers and NaN.
static V logSpecials(XlaMath *m, V x, V value) {
  value = choose(m, compare(m, "oeq", x, num(m, INFINITY)), x, value);
  value = choose(m, compare(m, "oeq", x, num(m, 0)), num(m, -INFINITY), value);
  value = choose(m, compare(m, "olt", x, num(m, 0)), num(m, NAN), value);
  return keepNaN(m, x, value);
}

V xlaMathLog(XlaMath *m, V x) {
  V exponent, f = xlaMathSplit(m, x, &exponent);
  return logSpecials(m, x, combine(m, exponent, f, num(m, 0)));
}

/// ln(u) + (x - (u - 1)) / u with u = 1 + x rounded; near 0 x itself is f.
V xlaMathLog1p(XlaMath *m, V x) {
  V one = num(m, 1), u = add(m, x, one), exponent;
  V f = xlaMathSplit(m, u, &exponent);
  V lost = quotient(m, sub(m, x, sub(m, u, one)), u);
  V above = compare(m, "ogt", x, num(m, -0.2928));
  V near = xlaIrBinary(&m->ir, "arith.andi", above,
                       compare(m, "olt", x, num(m, 0.4142)));
  V zero = num(m, 0);
  V value = combine(m, choose(m, near, zero, exponent), choose(m, near, x, f),
                    choose(m, near, zero, lost));
  V tiny = compare(m, "olt", magnitude(m, x), numOf(m, 0x1p-25, 0x1p-54));
  return choose(m, tiny, x, logSpecials(m, u, value));
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// A third of the exponent, steps of Halley's method, and one of Newton's with
/// the exact residual.
V xlaMathCbrt(XlaMath *m, V x) {
  V a = magnitude(m, x), one = num(m, 1);
  // Cubes and residuals must stay normal.
  V small = compare(m, "olt", a, numOf(m, 0x1p-60, 0x1p-500));
  V large = compare(m, "ogt", a, numOf(m, 0x1p100, 0x1p900));
  V factor = choose(m, small, numOf(m, 0x1p96, 0x1p600), one);
  factor = choose(m, large, numOf(m, 0x1p-96, 0x1p-600), factor);
  a = mul(m, a, factor);
  V third = bitwise(m, "arith.divui", toBits(m, a), integer(m, 3));
  V magic = integerOf(m, 709921077, INT64_C(715094163) << 32);
  V y = fromBits(m, bitwise(m, "arith.addi", third, magic));
  V twoA = add(m, a, a);
  for (int i = 0; i < (isWide(m) ? 3 : 2); ++i) {
    V cube = mul(m, mul(m, y, y), y);
    V ratio = quotient(m, add(m, cube, twoA), add(m, add(m, cube, cube), a));
    y = mul(m, y, ratio);
  }
  V lost, square = product(m, y, y, &lost);
  V residual = productMinus(m, square, y, a);
  residual = mulAdd(m, lost, y, residual);
  y = sub(m, y, quotient(m, residual, mul(m, square, num(m, 3))));
  factor = choose(m, small, numOf(m, 0x1p-32, 0x1p-200), one);
  factor = choose(m, large, numOf(m, 0x1p32, 0x1p200), factor);
  y = mul(m, y, factor);
  V special = compare(m, "ueq", magnitude(m, x), num(m, INFINITY));
  special = xlaIrBinary(&m->ir, "arith.ori", special,
                        compare(m, "oeq", x, num(m, 0)));
  return choose(m, special, x, withSign(m, y, x));
}

/// 1 / sqrt(x), corrected by the residuals of both operations.
V xlaMathRsqrt(XlaMath *m, V x) {
  V small = compare(m, "olt", x, numOf(m, 0x1p-80, 0x1p-900));
  V scaled = choose(m, small, mul(m, x, numOf(m, 0x1p64, 0x1p200)), x);
  V one = num(m, 1), s = root(m, scaled), y = quotient(m, one, s);
  V fromRoot = mulAdd(m, neg(m, s), s, scaled);
  V fromQuotient = mulAdd(m, neg(m, s), y, one);
  V half = mul(m, mul(m, fromRoot, y), mul(m, y, num(m, 0.5)));
  V better = mulAdd(m, y, sub(m, fromQuotient, half), y);
  // At 0, infinity and below 0 the residuals are not numbers.
  V regular = compare(m, "ord", better, better);
  y = choose(m, regular, better, y);
  return choose(m, small, mul(m, y, numOf(m, 0x1p32, 0x1p100)), y);
}

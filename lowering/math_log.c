//===- math_log.c - Logarithms, roots and powers --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math_ops.h"

/// x > 0 as 2^exponent * (1 + f), 1 + f between sqrt(1/2) and sqrt(2).
static V split(XlaMath *m, V x, V *exponent) {
  V denormal = compare(m, "olt", x, num(m, 0x1p-126));
  x = choose(m, denormal, mul(m, x, num(m, 0x1p25)), x);
  V bits = toBits(m, x);
  // Moves sqrt(1/2) to the start of a binade.
  V moved = bitwise(m, "arith.subi", bits, integer(m, 0x3f3504f3));
  V e = bitwise(m, "arith.shrsi", moved, integer(m, 23));
  V mantissa = bitwise(m, "arith.subi", bits,
                       bitwise(m, "arith.shli", e, integer(m, 23)));
  *exponent = xlaIrCast(&m->ir, "arith.sitofp", e, m->type);
  *exponent = choose(m, denormal, sub(m, *exponent, num(m, 25)), *exponent);
  return sub(m, fromBits(m, mantissa), num(m, 1));
}

/// exponent * ln(2) + ln(1 + f) + low, the large terms last: the error stays
/// below one unit in the last place.
static V combine(XlaMath *m, V exponent, V f, V low) {
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
  V exponent, f = split(m, x, &exponent);
  return logSpecials(m, x, combine(m, exponent, f, num(m, 0)));
}

/// ln(u) + (x - (u - 1)) / u with u = 1 + x rounded; near 0 x itself is f.
V xlaMathLog1p(XlaMath *m, V x) {
  V one = num(m, 1), u = add(m, x, one), exponent;
  V f = split(m, u, &exponent);
  V lost = quotient(m, sub(m, x, sub(m, u, one)), u);
  V above = compare(m, "ogt", x, num(m, -0.2928));
  V near = xlaIrBinary(&m->ir, "arith.andi", above,
                       compare(m, "olt", x, num(m, 0.4142)));
  V zero = num(m, 0);
  V value = combine(m, choose(m, near, zero, exponent), choose(m, near, x, f),
                    choose(m, near, zero, lost));
  V tiny = compare(m, "olt", magnitude(m, x), num(m, 0x1p-25));
  return choose(m, tiny, x, logSpecials(m, u, value));
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// A third of the exponent, two steps of Halley's method, and one of Newton's
/// with the exact residual.
V xlaMathCbrt(XlaMath *m, V x) {
  V a = magnitude(m, x);
  // Cubes and residuals must stay normal.
  V small = compare(m, "olt", a, num(m, 0x1p-60));
  V large = compare(m, "ogt", a, num(m, 0x1p100));
  V one = num(m, 1);
  V factor = choose(m, small, num(m, 0x1p96), one);
  a = mul(m, a, choose(m, large, num(m, 0x1p-96), factor));
  V third = bitwise(m, "arith.divui", toBits(m, a), integer(m, 3));
  V y = fromBits(m, bitwise(m, "arith.addi", third, integer(m, 709921077)));
  V twoA = add(m, a, a);
  for (int i = 0; i < 2; ++i) {
    V cube = mul(m, mul(m, y, y), y);
    V ratio = quotient(m, add(m, cube, twoA), add(m, add(m, cube, cube), a));
    y = mul(m, y, ratio);
  }
  V lost, square = product(m, y, y, &lost);
  V residual = productMinus(m, square, y, a);
  residual = mulAdd(m, lost, y, residual);
  y = sub(m, y, quotient(m, residual, mul(m, square, num(m, 3))));
  factor = choose(m, small, num(m, 0x1p-32), one);
  y = mul(m, y, choose(m, large, num(m, 0x1p32), factor));
  V special = compare(m, "ueq", magnitude(m, x), num(m, INFINITY));
  special = xlaIrBinary(&m->ir, "arith.ori", special,
                        compare(m, "oeq", x, num(m, 0)));
  return choose(m, special, x, withSign(m, y, x));
}

/// 1 / sqrt(x), corrected by the residuals of both operations.
V xlaMathRsqrt(XlaMath *m, V x) {
  V small = compare(m, "olt", x, num(m, 0x1p-80));
  V scaled = choose(m, small, mul(m, x, num(m, 0x1p64)), x);
  V one = num(m, 1), s = root(m, scaled), y = quotient(m, one, s);
  V fromRoot = mulAdd(m, neg(m, s), s, scaled);
  V fromQuotient = mulAdd(m, neg(m, s), y, one);
  V half = mul(m, mul(m, fromRoot, y), mul(m, y, num(m, 0.5)));
  V better = mulAdd(m, y, sub(m, fromQuotient, half), y);
  // At 0, infinity and below 0 the residuals are not numbers.
  V regular = compare(m, "ord", better, better);
  y = choose(m, regular, better, y);
  return choose(m, small, mul(m, y, num(m, 0x1p32)), y);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static MlirType doubles(XlaMath *m) {
  return xlaIrWithElement(m->type, mlirF64TypeGet(m->ir.context));
}

static V num64(XlaMath *m, double value) {
  return xlaIrConstantFloat(&m->ir, doubles(m), value);
}

/// log2 of a positive finite `x`, in f64 to about 2^-40: 2 atanh(s) / ln(2)
/// with s = f / (2 + f).
static V log2InDouble(XlaMath *m, V x) {
  V exponent, f = split(m, x, &exponent);
  f = xlaIrCast(&m->ir, "arith.extf", f, doubles(m));
  exponent = xlaIrCast(&m->ir, "arith.extf", exponent, doubles(m));
  V s = quotient(m, f, add(m, f, num64(m, 2))), z = mul(m, s, s);
  V p = XLA_MATH_POLYNOMIAL(m, z, 0.2108793414856372, 0.22118929463873024,
                            0.26232366058274675, 0.32059873772998154,
                            0.41219858389985015, 0.57707801635413158,
                            0.961796693925976);
  V value = mulAdd(m, mul(m, p, z), s, exponent);
  return mulAdd(m, s, num64(m, 2.8853900817779268), value);
}

/// 2^t of an f64 `t`, as f32.
static V exp2OfDouble(XlaMath *m, V t) {
  t = atLeast(m, atMost(m, t, num64(m, 200)), num64(m, -200));
  V n = nearest(m, t), r = sub(m, t, n);
  V p = XLA_MATH_POLYNOMIAL(
      m, r, 7.0709778897522377e-09, 1.0205905415452933e-07,
      1.3215451633105822e-06, 1.5252672924843354e-05, 0.00015403530424776716,
      0.0013333558200794603, 0.0096181291076186653, 0.05550410866465167,
      0.24022650695910075, 0.69314718055994617);
  p = mulAdd(m, p, r, num64(m, 1));
  MlirType i64 =
      xlaIrWithElement(m->type, mlirIntegerTypeGet(m->ir.context, 64));
  V bits = xlaIrCast(&m->ir, "arith.fptosi", n, i64);
  bits = bitwise(m, "arith.addi", bits, xlaIrConstantInt(&m->ir, i64, 1023));
  bits = bitwise(m, "arith.shli", bits, xlaIrConstantInt(&m->ir, i64, 52));
  V scale = xlaIrCast(&m->ir, "arith.bitcast", bits, doubles(m));
  return xlaIrCast(&m->ir, "arith.truncf", mul(m, p, scale), m->type);
}

static V either(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.ori", a, b);
}

static V both(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.andi", a, b);
}

/// |x|^y where |x| is 0, 1 or infinite, or y is infinite; NaNs follow.
static V powOfMagnitude(XlaMath *m, V a, V y) {
  V l = log2InDouble(m, a);
  V zero = compare(m, "oeq", a, num(m, 0));
  V infinite = compare(m, "oeq", a, num(m, INFINITY));
  l = choose(m, zero, num64(m, -INFINITY), l);
  l = choose(m, infinite, num64(m, INFINITY), l);
  V t = mul(m, l, xlaIrCast(&m->ir, "arith.extf", y, doubles(m)));
  return exp2OfDouble(m, t);
}

V xlaMathPow(XlaMath *m, V x, V y) {
  V a = magnitude(m, x), zero = num(m, 0), one = num(m, 1);
  V value = powOfMagnitude(m, a, y);
  // Halves tell odd from even; floats from 2^24 on are even.
  V halfY = mul(m, y, num(m, 0.5));
  V whole = compare(m, "oeq", nearest(m, y), y);
  V even = compare(m, "oeq", nearest(m, halfY), halfY);
  V odd = choose(m, even, compare(m, "one", zero, zero), whole);
  V negative = xlaIrCmpI(&m->ir, "slt", toBits(m, x), integer(m, 0));
  value = choose(m, both(m, negative, odd), neg(m, value), value);
  V fraction =
      both(m, compare(m, "olt", x, zero), compare(m, "one", nearest(m, y), y));
  fraction = both(m, fraction, compare(m, "one", a, num(m, INFINITY)));
  value = choose(m, fraction, num(m, NAN), value);
  value = choose(m, compare(m, "uno", x, y), num(m, NAN), value);
  V minusOne = both(m, compare(m, "oeq", a, one),
                    compare(m, "oeq", magnitude(m, y), num(m, INFINITY)));
  V isOne = either(m, compare(m, "oeq", y, zero), compare(m, "oeq", x, one));
  return choose(m, either(m, isOne, minusOne), one, value);
}

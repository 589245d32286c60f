//===- pow.c - Powers -----------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x^y = exp(y ln(x)) needs the logarithm to eight bits more than a float has:
// processors compute it in f64, shaders in pairs of floats.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

//===----------------------------------------------------------------------===//
// In f64
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
  V exponent, f = xlaMathSplit(m, x, &exponent);
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

static V powInDouble(XlaMath *m, V a, V y) {
  V l = log2InDouble(m, a);
  V zero = compare(m, "oeq", a, num(m, 0));
  V infinite = compare(m, "oeq", a, num(m, INFINITY));
  l = choose(m, zero, num64(m, -INFINITY), l);
  l = choose(m, infinite, num64(m, INFINITY), l);
  V t = mul(m, l, xlaIrCast(&m->ir, "arith.extf", y, doubles(m)));
  return exp2OfDouble(m, t);
}

//===----------------------------------------------------------------------===//
// In pairs of floats
//===----------------------------------------------------------------------===//

/// high + low, |low| at most about half a unit of high's last place.
typedef struct Pair {
  V high, low;
} Pair;

/// ln of a positive finite `x` to about twice the digits but a few: e ln(2) +
/// 2 atanh(s) with s = f / (2 + f), atanh(s) = s (1 + z / 3 + z^2 q(z)), z =
/// s^2.
static Pair logInPair(XlaMath *m, V x) {
  V exponent, f = xlaMathSplit(m, x, &exponent), two = num(m, 2);
  V below = add(m, two, f), lost = sub(m, f, sub(m, below, two));
  Pair s = {.high = quotient(m, f, below)}, z, c, l;
  V error, back = product(m, s.high, below, &error);
  V rest = sub(m, sub(m, f, back), error);
  s.low = quotient(m, sub(m, rest, mul(m, s.high, lost)), below);
  z.high = product(m, s.high, s.high, &z.low);
  z.low = mulAdd(m, mul(m, s.high, two), s.low, z.low);
  V third = numOf(m, 0x1.555556p-2, 0x1.5555555555555p-2);
  c.high = product(m, z.high, third, &c.low);
  c.low = mulAdd(m, z.low, third, c.low);
  c.low =
      mulAdd(m, z.high, numOf(m, -9.934107462565104e-09, 1.850371707708594e-17),
             c.low);
  V q = isWide(m)
            ? XLA_MATH_POLYNOMIAL(m, z.high, 0.058621635304233734,
                                  0.05853063232281699, 0.0666740439940617,
                                  0.0769229744350359, 0.09090909168049924,
                                  0.11111111110826383, 0.14285714285714685, 0.2)
            : XLA_MATH_POLYNOMIAL(m, z.high, 0.0956066498054269,
                                  0.11102364957006176, 0.14285766053017943,
                                  0.19999999952292796);
  c.low = mulAdd(m, mul(m, z.high, z.high), q, c.low);
  // 1 + c, and its product with 2 s.
  V one = num(m, 1), head = add(m, one, c.high);
  V tail = add(m, sub(m, c.high, sub(m, head, one)), c.low);
  s.high = mul(m, s.high, two);
  s.low = mul(m, s.low, two);
  l.high = product(m, s.high, head, &l.low);
  l.low = mulAdd(m, s.high, tail, mulAdd(m, s.low, head, l.low));
  V whole = mul(m, exponent, numOf(m, 0.693145751953125, 0x1.62e42fefa38p-1));
  V fraction =
      mul(m, exponent, numOf(m, 1.428606765330187e-06, 5.497923018708371e-14));
  V sum = add(m, whole, l.high);
  l.low = add(m, l.low, fraction);
  l.low = add(m, sub(m, l.high, sub(m, sum, whole)), l.low);
  l.high = sum;
  return l;
}

static V powInPairs(XlaMath *m, V a, V y) {
  Pair l = logInPair(m, a), t;
  t.high = product(m, y, l.high, &t.low);
  t.low = mulAdd(m, y, l.low, t.low);
  V zero = compare(m, "oeq", a, num(m, 0));
  V infinite = compare(m, "oeq", a, num(m, INFINITY));
  t.high = choose(m, zero, mul(m, y, num(m, -INFINITY)), t.high);
  t.high = choose(m, infinite, mul(m, y, num(m, INFINITY)), t.high);
  V limit = numOf(m, 150, 800);
  V usual = compare(m, "olt", magnitude(m, t.high), limit);
  t.low = choose(m, usual, t.low, num(m, 0));
  t.high = atLeast(m, atMost(m, t.high, limit), neg(m, limit));
  return xlaMathExpOfSum(m, t.high, t.low);
}

//===----------------------------------------------------------------------===//
// Special cases
//===----------------------------------------------------------------------===//

static V either(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.ori", a, b);
}

static V both(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.andi", a, b);
}

V xlaMathPow(XlaMath *m, V x, V y) {
  V a = magnitude(m, x), zero = num(m, 0), one = num(m, 1);
  V value =
      m->isShader || isWide(m) ? powInPairs(m, a, y) : powInDouble(m, a, y);
  // Halves tell odd from even; the largest floats are even.
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

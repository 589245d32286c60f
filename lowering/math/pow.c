//===- pow.c - Powers -----------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x^y = exp(y ln(x)) needs the logarithm to eight bits more than a float has:
// it is computed in pairs of floats.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

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
  V inverse = quotient(m, num(m, 1), add(m, two, f));
  Pair s = {.high = mul(m, f, inverse)}, z, c, l;
  // f - 2 s is exact: one is within twice the other.
  V rest = sub(m, f, add(m, s.high, s.high));
  s.low = mul(m, productMinus(m, s.high, f, rest), neg(m, inverse));
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
  V zero = compare(m, "oeq", a, num(m, 0));
  V infinite = compare(m, "oeq", a, num(m, INFINITY));
  l.high = choose(m, zero, num(m, -INFINITY), l.high);
  l.high = choose(m, infinite, num(m, INFINITY), l.high);
  t.high = product(m, y, l.high, &t.low);
  t.low = mulAdd(m, y, l.low, t.low);
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
  V value = powInPairs(m, a, y);
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

//===- math_trig.c - Trigonometric functions ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math_ops.h"

static V bitOf(XlaMath *m, V value, int64_t bit) {
  V masked = bitwise(m, "arith.andi", value, integer(m, bit));
  return xlaIrCmpI(&m->ir, "ne", masked, integer(m, 0));
}

/// An angle as quadrant and rest.
typedef struct Angle {
  V rest;         ///< |rest| <= pi/4
  V quadrant;     ///< of `bits`
  V sine, cosine; ///< of the rest
} Angle;

//===----------------------------------------------------------------------===//
// Huge angles
//===----------------------------------------------------------------------===//

/// 2/pi in words of 32 bits after the point, with a word before it.
static const uint32_t twoOverPi[] = {
    0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041};
/// pi/2 * 2^31.
static const uint32_t halfPi = 0xc90fdaa2;

/// a * b, its upper 32 bits in `*high`.
static V wideProduct(XlaMath *m, V a, V b, V *high) {
  MlirOperation op =
      xlaIrCreate(&m->ir, "arith.mului_extended", 2, (V[]){a, b}, 2,
                  (MlirType[]){m->bits, m->bits}, 0, NULL, 0, NULL);
  *high = mlirOperationGetResult(op, 1);
  return mlirOperationGetResult(op, 0);
}

/// high:low << by, its upper word; `by` below 32.
static V shiftedPair(XlaMath *m, V high, V low, V by) {
  V rest = bitwise(m, "arith.shrui", low, integer(m, 1));
  rest = bitwise(m, "arith.shrui", rest,
                 bitwise(m, "arith.xori", by, integer(m, 31)));
  return bitwise(m, "arith.ori", bitwise(m, "arith.shli", high, by), rest);
}

/// 96 bits of 2/pi, such that all before them are multiples of 4 in their
/// product with a 32-bit mantissa of `exponent` (from 1 on).
static void digitsOfTwoOverPi(XlaMath *m, V exponent, V digits[3]) {
  V position = bitwise(m, "arith.subi", exponent, integer(m, 1));
  V by = bitwise(m, "arith.andi", position, integer(m, 31));
  V beyond2 = bitOf(m, position, 64), beyond1 = bitOf(m, position, 32);
  V words[5];
  for (int i = 0; i < 5; ++i)
    words[i] = choose(m, beyond2, integer(m, twoOverPi[i + 2]),
                      integer(m, twoOverPi[i]));
  for (int i = 0; i < 4; ++i)
    words[i] = choose(m, beyond1, words[i + 1], words[i]);
  for (int i = 0; i < 3; ++i)
    digits[i] = shiftedPair(m, words[i], words[i + 1], by);
}

/// Reduces magnitudes from 1 on in integers (Payne and Hanek, "Radian reduction
/// for trigonometric functions", 1983). Infinities and NaNs give NaN.
static void reduceHuge(XlaMath *m, V x, Angle *angle) {
  V bits = toBits(m, x), sign = bitwise(m, "arith.shrsi", bits, integer(m, 31));
  V exponent = bitwise(m, "arith.shrui", bits, integer(m, 23));
  exponent = bitwise(m, "arith.subi",
                     bitwise(m, "arith.andi", exponent, integer(m, 255)),
                     integer(m, 127));
  V mantissa = bitwise(m, "arith.shli", bits, integer(m, 8));
  mantissa = bitwise(m, "arith.ori", mantissa, integer(m, 0x80000000));
  V digits[3], high[3], low[3];
  digitsOfTwoOverPi(m, exponent, digits);
  for (int i = 0; i < 3; ++i)
    low[i] = wideProduct(m, mantissa, digits[i], &high[i]);
  // The product modulo 4: two bits, and what follows the point.
  V middle = bitwise(m, "arith.addi", low[1], high[2]);
  V carry = xlaIrCast(&m->ir, "arith.extui",
                      xlaIrCmpI(&m->ir, "ult", middle, low[1]), m->bits);
  V top = bitwise(m, "arith.addi", low[0], high[1]);
  top = bitwise(m, "arith.addi", top, carry);
  V quadrant = bitwise(m, "arith.shrui", top, integer(m, 30));
  V fraction = shiftedPair(m, top, middle, integer(m, 2));
  V rest = shiftedPair(m, middle, low[2], integer(m, 2));
  // From a half on it is the next quadrant's, and negative.
  V past = bitwise(m, "arith.shrsi", fraction, integer(m, 31));
  quadrant = bitwise(m, "arith.subi", quadrant, past);
  fraction = bitwise(m, "arith.xori", fraction, past);
  rest = bitwise(m, "arith.xori", rest, past);
  // No f32 is so close to a multiple of pi/2 that all 32 bits are 0.
  V zeros = xlaIrUnary(&m->ir, "math.ctlz", fraction);
  zeros = bitwise(m, "arith.andi", zeros, integer(m, 31));
  V scaled;
  wideProduct(m, shiftedPair(m, fraction, rest, zeros), integer(m, halfPi),
              &scaled);
  V unit = bitwise(m, "arith.subi", integer(m, 127 - 31), zeros);
  unit = fromBits(m, bitwise(m, "arith.shli", unit, integer(m, 23)));
  V value = mul(m, xlaIrCast(&m->ir, "arith.uitofp", scaled, m->type), unit);
  V flip = bitwise(m, "arith.andi", bitwise(m, "arith.xori", past, sign),
                   integer(m, 0x80000000));
  value = fromBits(m, bitwise(m, "arith.xori", toBits(m, value), flip));
  V finite = compare(m, "olt", magnitude(m, x), num(m, INFINITY));
  angle->rest = choose(m, finite, value, num(m, NAN));
  quadrant = bitwise(m, "arith.xori", quadrant, sign);
  angle->quadrant = bitwise(m, "arith.subi", quadrant, sign);
}

/// True where any lane of the i1 `lanes` is.
static V anyLane(XlaMath *m, V lanes) {
  MlirType type = mlirValueGetType(lanes);
  MlirType i1 = mlirIntegerTypeGet(m->ir.context, 1);
  if (!mlirTypeIsAVector(type))
    return lanes;
  if (!m->isShader) {
    XlaIrAttr kind = {"kind",
                      xlaIrParseAttr(m->ir.context, "#vector.kind<or>")};
    return xlaIrOp(&m->ir, "vector.reduction", i1, 1, &lanes, 1, &kind);
  }
  V any = {NULL};
  for (int64_t i = 0; i < mlirShapedTypeGetDimSize(type, 0); ++i) {
    XlaIrAttr position = {"static_position",
                          mlirDenseI64ArrayGet(m->ir.context, 1, &i)};
    V lane = xlaIrOp(&m->ir, "vector.extract", i1, 1, &lanes, 1, &position);
    any = i ? xlaIrBinary(&m->ir, "arith.ori", any, lane) : lane;
  }
  return any;
}

static MlirRegion yielding(XlaMath *m, XlaIr *inside) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  *inside = xlaIrIn(m->ir, block);
  return region;
}

/// Replaces lanes of `angle` where `huge`, in a branch.
static void patchHuge(XlaMath *m, V x, V huge, Angle *angle) {
  XlaMath then = *m;
  XlaIr otherwise;
  V any = anyLane(m, huge), kept[2] = {angle->rest, angle->quadrant}, slow[2];
  MlirRegion regions[2] = {yielding(m, &then.ir), yielding(m, &otherwise)};
  Angle patch;
  reduceHuge(&then, x, &patch);
  slow[0] = choose(&then, huge, patch.rest, kept[0]);
  slow[1] = choose(&then, huge, patch.quadrant, kept[1]);
  xlaIrYield(&then.ir, 2, slow);
  xlaIrYield(&otherwise, 2, kept);
  MlirOperation op =
      xlaIrCreate(&m->ir, "scf.if", 1, &any, 2, (MlirType[]){m->type, m->bits},
                  0, NULL, 2, regions);
  angle->rest = mlirOperationGetResult(op, 0);
  angle->quadrant = mlirOperationGetResult(op, 1);
}

//===----------------------------------------------------------------------===//
// Sine, cosine and tangent
//===----------------------------------------------------------------------===//

/// x - n pi/2 for |n| <= 2^15 by three parts of pi/2 (Cody and Waite).
static V subtractFused(XlaMath *m, V x, V n) {
  V r = mulAdd(m, n, num(m, -1.5707963705062866), x);
  r = mulAdd(m, n, num(m, 4.371138828673793e-08), r);
  return mulAdd(m, n, num(m, 1.7151245100058819e-15), r);
}

/// The same for |n| <= 2^9: times parts of 15 bits that is exact.
static V subtractExact(XlaMath *m, V x, V n) {
  V r = sub(m, x, mul(m, n, num(m, 0x1.921cp+0)));
  V second = mul(m, n, num(m, 0x1.daap-15));
  V third = mul(m, n, num(m, 0x1.10b4p-30));
  V head = sub(m, r, second), lost = sub(m, sub(m, r, head), second);
  V tail = add(m, third, mul(m, n, num(m, 0x1.8469898cc517p-48)));
  return sub(m, head, sub(m, tail, lost));
}

static void sineAndCosine(XlaMath *m, Angle *angle) {
  V r = angle->rest, z = mul(m, r, r);
  V s = XLA_MATH_POLYNOMIAL(m, z, 2.72496037e-06, -0.000198400843,
                            0.00833333187, -0.166666667);
  angle->sine = mulAdd(m, mul(m, s, z), r, r);
  V c = XLA_MATH_POLYNOMIAL(m, z, -2.730069e-07, 2.48005983e-05, -0.00138888877,
                            0.0416666667);
  V head = mulAdd(m, z, num(m, -0.5), num(m, 1));
  // What rounding the head lost.
  V lost = mulAdd(m, z, num(m, -0.5), sub(m, num(m, 1), head));
  angle->cosine = add(m, head, mulAdd(m, mul(m, c, z), z, lost));
}

static Angle reduce(XlaMath *m, V x) {
  Angle angle;
  V limit = num(m, m->isShader ? 800 : 0x1p15);
  V huge = compare(m, "uge", magnitude(m, x), limit);
  // Huge, infinite and NaN lanes compute anything at first.
  V bounded = choose(m, huge, num(m, 0), x);
  V n = nearest(m, mul(m, bounded, num(m, 0.636619772367581343)));
  angle.rest =
      m->isShader ? subtractExact(m, bounded, n) : subtractFused(m, bounded, n);
  angle.quadrant = xlaIrCast(&m->ir, "arith.fptosi", n, m->bits);
  patchHuge(m, x, huge, &angle);
  sineAndCosine(m, &angle);
  return angle;
}

static V negateWhere(XlaMath *m, V condition, V value) {
  return choose(m, condition, neg(m, value), value);
}

V xlaMathSin(XlaMath *m, V x) {
  Angle angle = reduce(m, x);
  V value = choose(m, bitOf(m, angle.quadrant, 1), angle.cosine, angle.sine);
  value = negateWhere(m, bitOf(m, angle.quadrant, 2), value);
  V tiny = compare(m, "olt", magnitude(m, x), num(m, 0x1p-13));
  return choose(m, tiny, x, value);
}

V xlaMathCos(XlaMath *m, V x) {
  Angle angle = reduce(m, x);
  V value = choose(m, bitOf(m, angle.quadrant, 1), angle.sine, angle.cosine);
  V next = bitwise(m, "arith.addi", angle.quadrant, integer(m, 1));
  value = negateWhere(m, bitOf(m, next, 2), value);
  return value;
}

V xlaMathTan(XlaMath *m, V x) {
  Angle angle = reduce(m, x);
  V odd = bitOf(m, angle.quadrant, 1);
  V above = choose(m, odd, neg(m, angle.cosine), angle.sine);
  V below = choose(m, odd, angle.sine, angle.cosine);
  V tiny = compare(m, "olt", magnitude(m, x), num(m, 0x1p-13));
  return choose(m, tiny, x, quotient(m, above, below));
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

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

V xlaMathAtan(XlaMath *m, V x) {
  V a = magnitude(m, x), one = num(m, 1);
  V inverted = compare(m, "ogt", a, one);
  V t = choose(m, inverted, quotient(m, one, a), a);
  return keepNaN(m, x, withSign(m, atanOfRatio(m, t, inverted), x));
}

V xlaMathAtan2(XlaMath *m, V y, V x) {
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
  V p = XLA_MATH_POLYNOMIAL(m, z, 0.033690856, 0.0171492324, 0.0311006642,
                            0.0445994014, 0.0750009454, 0.166666663);
  return mul(m, mul(m, p, z), t);
}

/// Half of the way up asin itself; beyond, 2 asin(sqrt((1 - |x|) / 2)) is what
/// is missing to pi/2. `*far` tells which, `*t` and the result are t and
/// asin(t).
static V asinOfHalf(XlaMath *m, V x, V *far, V *t) {
  V a = magnitude(m, x), half = num(m, 0.5);
  *far = compare(m, "ogt", a, half);
  V z = mul(m, sub(m, num(m, 1), a), half);
  z = choose(m, *far, z, mul(m, a, a));
  *t = choose(m, *far, root(m, z), a);
  return add(m, *t, asinTail(m, *t, z));
}

V xlaMathAsin(XlaMath *m, V x) {
  V far, t, s = asinOfHalf(m, x, &far, &t);
  V rest = sub(m, num(m, 1.5707963705062866), add(m, s, s));
  rest = add(m, rest, num(m, -4.371138828673793e-08));
  return keepNaN(m, x, withSign(m, choose(m, far, rest, s), x));
}

V xlaMathAcos(XlaMath *m, V x) {
  V far, t, s = asinOfHalf(m, x, &far, &t), twice = add(m, s, s);
  V negative = compare(m, "olt", x, num(m, 0));
  V pi = num(m, 3.1415927410125732);
  V below = add(m, sub(m, pi, twice), num(m, -8.742277657347586e-08));
  V outer = choose(m, negative, below, twice);
  V inner = sub(m, num(m, 1.5707963705062866),
                add(m, withSign(m, s, x), num(m, 4.371138828673793e-08)));
  return keepNaN(m, x, choose(m, far, outer, inner));
}

//===- trig.c - Trigonometric functions -----------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

static V bitOf(XlaMath *m, V value, int64_t bit) {
  V masked = bitwise(m, "arith.andi", value, integer(m, bit));
  return xlaIrCmpI(&m->ir, "ne", masked, integer(m, 0));
}

/// An angle as quadrant and rest.
typedef struct Angle {
  V rest;         ///< |rest| <= pi/4
  V low;          ///< what rounding it lost, of f64; else null
  V quadrant;     ///< of `bits`
  V sine, cosine; ///< of the rest
} Angle;

//===----------------------------------------------------------------------===//
// Huge angles
//===----------------------------------------------------------------------===//

/// 2/pi after the point.
static const uint64_t twoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08};
/// pi/2 * 2^63.
static const uint64_t halfPi = 0xc90fdaa22168c234;

static int widthOf(const XlaMath *m) { return isWide(m) ? 64 : 32; }

/// 2/pi in words of the width, with a word of zeros before it.
static V wordOfTwoOverPi(XlaMath *m, int i) {
  uint64_t word = 0;
  if (i > 0 && isWide(m))
    word = twoOverPi[i - 1];
  else if (i > 0)
    word = twoOverPi[(i - 1) / 2] >> (i % 2 ? 32 : 0) & 0xffffffff;
  return integer(m, (int64_t)word);
}

/// a * b, its upper word in `*high`.
static V wideProduct(XlaMath *m, V a, V b, V *high) {
  MlirOperation op =
      xlaIrCreate(&m->ir, "arith.mului_extended", 2, (V[]){a, b}, 2,
                  (MlirType[]){m->bits, m->bits}, 0, NULL, 0, NULL);
  *high = mlirOperationGetResult(op, 1);
  return mlirOperationGetResult(op, 0);
}

/// high:low << by, its upper word; `by` below the width.
static V shiftedPair(XlaMath *m, V high, V low, V by) {
  V rest = bitwise(m, "arith.shrui", low, integer(m, 1));
  V others = bitwise(m, "arith.xori", by, integer(m, widthOf(m) - 1));
  rest = bitwise(m, "arith.shrui", rest, others);
  return bitwise(m, "arith.ori", bitwise(m, "arith.shli", high, by), rest);
}

/// Three words of 2/pi, such that all before them are multiples of 4 in their
/// product with a mantissa of `exponent` (from 1 on).
static void digitsOfTwoOverPi(XlaMath *m, V exponent, V digits[3]) {
  int width = widthOf(m), n = isWide(m) ? 19 : 7;
  V position = bitwise(m, "arith.subi", exponent, integer(m, 1)), words[19];
  V by = bitwise(m, "arith.andi", position, integer(m, width - 1));
  for (int i = 0; i < n; ++i)
    words[i] = wordOfTwoOverPi(m, i);
  // Bit by bit the words from number position / width on move to the front.
  for (int step = isWide(m) ? 8 : 2; step > 0; step /= 2) {
    V beyond = bitOf(m, position, (int64_t)width * step);
    for (int i = 0; i < 3 + step && i + step < n; ++i)
      words[i] = choose(m, beyond, words[i + step], words[i]);
  }
  for (int i = 0; i < 3; ++i)
    digits[i] = shiftedPair(m, words[i], words[i + 1], by);
}

/// x * 2/pi modulo 4, of |x|: the quadrant, and the signed fraction's magnitude
/// in two words and sign (all bits set if it is negative).
typedef struct Turns {
  V quadrant, high, low, negative;
} Turns;

static Turns turnsOf(XlaMath *m, V x) {
  int width = widthOf(m);
  V bits = toBits(m, x), digits[3], high[3], low[3];
  V exponent = bitwise(m, "arith.shrui", bits, integerOf(m, 23, 52));
  exponent = bitwise(m, "arith.andi", exponent, integerOf(m, 255, 2047));
  exponent = bitwise(m, "arith.subi", exponent, integerOf(m, 127, 1023));
  V mantissa = bitwise(m, "arith.shli", bits, integerOf(m, 8, 11));
  mantissa =
      bitwise(m, "arith.ori", mantissa, integerOf(m, INT32_MIN, INT64_MIN));
  digitsOfTwoOverPi(m, exponent, digits);
  for (int i = 0; i < 3; ++i)
    low[i] = wideProduct(m, mantissa, digits[i], &high[i]);
  V middle = bitwise(m, "arith.addi", low[1], high[2]);
  V carry = xlaIrCast(&m->ir, "arith.extui",
                      xlaIrCmpI(&m->ir, "ult", middle, low[1]), m->bits);
  V top = bitwise(m, "arith.addi", low[0], high[1]);
  top = bitwise(m, "arith.addi", top, carry);
  V quadrant = bitwise(m, "arith.shrui", top, integer(m, width - 2));
  V fraction = shiftedPair(m, top, middle, integer(m, 2));
  V rest = shiftedPair(m, middle, low[2], integer(m, 2));
  // From a half on it is the next quadrant's, and negative.
  V past = bitwise(m, "arith.shrsi", fraction, integer(m, width - 1));
  return (Turns){bitwise(m, "arith.subi", quadrant, past),
                 bitwise(m, "arith.xori", fraction, past),
                 bitwise(m, "arith.xori", rest, past), past};
}

/// `value` negated where all bits of `mask` are set.
static V negateBy(XlaMath *m, V mask, V value) {
  V top = integerOf(m, INT32_MIN, INT64_MIN);
  V flip = bitwise(m, "arith.andi", mask, top);
  return fromBits(m, bitwise(m, "arith.xori", toBits(m, value), flip));
}

/// Reduces magnitudes from 1 on in integers (Payne and Hanek, "Radian reduction
/// for trigonometric functions", 1983). Infinities and NaNs give NaN.
static void reduceHuge(XlaMath *m, V x, Angle *angle) {
  int width = widthOf(m);
  Turns turns = turnsOf(m, x);
  V sign = bitwise(m, "arith.shrsi", toBits(m, x), integer(m, width - 1));
  // No float is so close to a multiple of pi/2 that all upper bits are 0.
  V zeros = xlaIrUnary(&m->ir, "math.ctlz", turns.high), scaled;
  zeros = bitwise(m, "arith.andi", zeros, integer(m, width - 1));
  wideProduct(m, shiftedPair(m, turns.high, turns.low, zeros),
              integerOf(m, (int64_t)(halfPi >> 32), (int64_t)halfPi), &scaled);
  V unit = bitwise(m, "arith.subi", integerOf(m, 127 - 31, 1023 - 63), zeros);
  unit = fromBits(m, bitwise(m, "arith.shli", unit, integerOf(m, 23, 52)));
  V negative = bitwise(m, "arith.xori", turns.negative, sign), low = {NULL};
  if (isWide(m)) {
    low = bitwise(m, "arith.andi", scaled, integer(m, 0x7ff));
    scaled = bitwise(m, "arith.xori", scaled, low);
    low = mul(m, xlaIrCast(&m->ir, "arith.uitofp", low, m->type), unit);
    low = negateBy(m, negative, low);
  }
  V value = mul(m, xlaIrCast(&m->ir, "arith.uitofp", scaled, m->type), unit);
  V finite = compare(m, "olt", magnitude(m, x), num(m, INFINITY));
  angle->rest = choose(m, finite, negateBy(m, negative, value), num(m, NAN));
  angle->low = low;
  V quadrant = bitwise(m, "arith.xori", turns.quadrant, sign);
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
  intptr_t n = angle->low.ptr ? 3 : 2;
  V any = anyLane(m, huge), slow[3];
  V kept[3] = {angle->rest, angle->quadrant, angle->low};
  MlirRegion regions[2] = {yielding(m, &then.ir), yielding(m, &otherwise)};
  Angle patch;
  reduceHuge(&then, x, &patch);
  slow[0] = choose(&then, huge, patch.rest, kept[0]);
  slow[1] = choose(&then, huge, patch.quadrant, kept[1]);
  if (n == 3)
    slow[2] = choose(&then, huge, patch.low, kept[2]);
  xlaIrYield(&then.ir, n, slow);
  xlaIrYield(&otherwise, n, kept);
  MlirOperation op =
      xlaIrCreate(&m->ir, "scf.if", 1, &any, n,
                  (MlirType[]){m->type, m->bits, m->type}, 0, NULL, 2, regions);
  angle->rest = mlirOperationGetResult(op, 0);
  angle->quadrant = mlirOperationGetResult(op, 1);
  if (n == 3)
    angle->low = mlirOperationGetResult(op, 2);
}

//===----------------------------------------------------------------------===//
// Sine, cosine and tangent
//===----------------------------------------------------------------------===//

/// x - n pi/2 of f32 for |n| <= 2^15 by three parts of pi/2 (Cody and Waite).
static V subtractFused(XlaMath *m, V x, V n) {
  V r = mulAdd(m, n, num(m, -1.5707963705062866), x);
  r = mulAdd(m, n, num(m, 4.371138828673793e-08), r);
  return mulAdd(m, n, num(m, 1.7151245100058819e-15), r);
}

/// The same without fused operations: times parts of 15 bits |n| <= 2^9 is
/// exact, times parts of 33 bits |n| <= 2^20. `*low`: what rounding lost.
static V subtractExact(XlaMath *m, V x, V n, V *low) {
  V r = sub(m, x, mul(m, n, numOf(m, 0x1.921cp+0, 0x1.921fb544p+0)));
  V second = mul(m, n, numOf(m, 0x1.daap-15, 0x1.0b4611a6p-34));
  V third = mul(m, n, numOf(m, 0x1.10b4p-30, 0x1.3198a2ep-69));
  V fourth = mul(m, n, numOf(m, 0x1.8469898cc517p-48, 0x1.b839a252049c1p-104));
  V head = sub(m, r, second), lost = sub(m, sub(m, r, head), second);
  V tail = sub(m, add(m, third, fourth), lost), rest = sub(m, head, tail);
  *low = sub(m, sub(m, head, rest), tail);
  return rest;
}

/// On f64, with the low part of the angle.
static void sineAndCosineOfDouble(XlaMath *m, Angle *angle) {
  V r = angle->rest, z = mul(m, r, r), half = num(m, 0.5), one = num(m, 1);
  V s =
      XLA_MATH_POLYNOMIAL(m, z, 1.5917988979397435e-10, -2.5051129896450185e-08,
                          2.7557316093198404e-06, -0.00019841269836740532,
                          0.008333333333330936, -0.16666666666666666);
  V halfZ = mul(m, z, half), head = sub(m, one, halfZ);
  V cube = mul(m, s, mul(m, z, r));
  angle->sine = add(m, r, mulAdd(m, angle->low, head, cube));
  V c = XLA_MATH_POLYNOMIAL(m, z, -1.138254464534925e-11, 2.087614504941318e-09,
                            -2.755731726587808e-07, 2.48015872987544e-05,
                            -0.0013888888888887389, 0.041666666666666664);
  V lost = sub(m, sub(m, one, head), halfZ);
  lost = sub(m, lost, mul(m, r, angle->low));
  angle->cosine = add(m, head, mulAdd(m, mul(m, c, z), z, lost));
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
  Angle angle = {.low = {NULL}};
  bool fused = m->hasFma && !isWide(m);
  V limit = fused ? num(m, 0x1p15) : numOf(m, 800, 1.6e6), low;
  V huge = compare(m, "uge", magnitude(m, x), limit);
  // Huge, infinite and NaN lanes compute anything at first.
  V bounded = choose(m, huge, num(m, 0), x);
  V n = nearest(m, mul(m, bounded, num(m, 0.636619772367581343)));
  angle.rest =
      fused ? subtractFused(m, bounded, n) : subtractExact(m, bounded, n, &low);
  if (isWide(m))
    angle.low = low;
  angle.quadrant = xlaIrCast(&m->ir, "arith.fptosi", n, m->bits);
  patchHuge(m, x, huge, &angle);
  if (isWide(m))
    sineAndCosineOfDouble(m, &angle);
  else
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
  V tiny = compare(m, "olt", magnitude(m, x), numOf(m, 0x1p-13, 0x1p-27));
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
  V tiny = compare(m, "olt", magnitude(m, x), numOf(m, 0x1p-13, 0x1p-27));
  return choose(m, tiny, x, quotient(m, above, below));
}

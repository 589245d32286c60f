//===- math_trig.c - Trigonometric functions ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/cpu/math_ops.h"

/// Up to here three parts of pi/2 reduce exactly enough (Cody and Waite);
/// beyond, libm does.
static const double hugeAngle = 0x1p15;

/// An angle as quadrant and rest.
typedef struct Angle {
  V rest;         ///< |rest| <= pi/4
  V quadrant;     ///< of `bits`
  V sine, cosine; ///< of the rest
} Angle;

static Angle reduce(XlaCpuMath *m, V x) {
  Angle angle;
  // Huge, infinite and NaN lanes compute anything here.
  V usable = compare(m, "olt", magnitude(m, x), num(m, hugeAngle));
  V bounded = choose(m, usable, x, num(m, 0));
  V n = nearest(m, mul(m, bounded, num(m, 0.636619772367581343)));
  V r = mulAdd(m, n, num(m, -1.5707963705062866), bounded);
  r = mulAdd(m, n, num(m, 4.371138828673793e-08), r);
  r = mulAdd(m, n, num(m, 1.7151245100058819e-15), r);
  angle.rest = r;
  angle.quadrant = xlaIrCast(&m->ir, "arith.fptosi", n, m->bits);
  V z = mul(m, r, r);
  V s = XLA_CPU_POLYNOMIAL(m, z, 2.72496037e-06, -0.000198400843, 0.00833333187,
                           -0.166666667);
  angle.sine = mulAdd(m, mul(m, s, z), r, r);
  V c = XLA_CPU_POLYNOMIAL(m, z, -2.730069e-07, 2.48005983e-05, -0.00138888877,
                           0.0416666667);
  V head = mulAdd(m, z, num(m, -0.5), num(m, 1));
  // What rounding the head lost.
  V lost = mulAdd(m, z, num(m, -0.5), sub(m, num(m, 1), head));
  angle.cosine = add(m, head, mulAdd(m, mul(m, c, z), z, lost));
  return angle;
}

static V bitOf(XlaCpuMath *m, V value, int64_t bit) {
  V masked = bitwise(m, "arith.andi", value, integer(m, bit));
  return xlaIrCmpI(&m->ir, "ne", masked, integer(m, 0));
}

/// True where any lane of the i1 `lanes` is.
static V anyLane(XlaCpuMath *m, V lanes) {
  if (!mlirTypeIsAVector(mlirValueGetType(lanes)))
    return lanes;
  XlaIrAttr kind = {"kind", xlaIrParseAttr(m->ir.context, "#vector.kind<or>")};
  return xlaIrOp(&m->ir, "vector.reduction",
                 mlirIntegerTypeGet(m->ir.context, 1), 1, &lanes, 1, &kind);
}

static MlirRegion yielding(XlaCpuMath *m, XlaIr *inside) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  *inside = xlaIrIn(m->ir, block);
  return region;
}

/// `value`, and libm's result in lanes whose argument is huge; infinities and
/// NaNs are.
static V patchHuge(XlaCpuMath *m, V x, V value, const char *libm) {
  V huge = compare(m, "uge", magnitude(m, x), num(m, hugeAngle));
  V any = anyLane(m, huge);
  XlaIr then, otherwise;
  MlirRegion regions[2] = {yielding(m, &then), yielding(m, &otherwise)};
  V slow = xlaCpuMathCall(&then, libm, 1, &x);
  slow = xlaIrSelect(&then, huge, slow, value);
  xlaIrYield(&then, 1, &slow);
  xlaIrYield(&otherwise, 1, &value);
  MlirOperation op =
      xlaIrCreate(&m->ir, "scf.if", 1, &any, 1, &m->type, 0, NULL, 2, regions);
  return mlirOperationGetResult(op, 0);
}

static V negateWhere(XlaCpuMath *m, V condition, V value) {
  return choose(m, condition, neg(m, value), value);
}

V xlaCpuMathSin(XlaCpuMath *m, V x) {
  Angle angle = reduce(m, x);
  V value = choose(m, bitOf(m, angle.quadrant, 1), angle.cosine, angle.sine);
  value = negateWhere(m, bitOf(m, angle.quadrant, 2), value);
  V tiny = compare(m, "olt", magnitude(m, x), num(m, 0x1p-13));
  return patchHuge(m, x, choose(m, tiny, x, value), "sinf");
}

V xlaCpuMathCos(XlaCpuMath *m, V x) {
  Angle angle = reduce(m, x);
  V value = choose(m, bitOf(m, angle.quadrant, 1), angle.sine, angle.cosine);
  V next = bitwise(m, "arith.addi", angle.quadrant, integer(m, 1));
  value = negateWhere(m, bitOf(m, next, 2), value);
  return patchHuge(m, x, value, "cosf");
}

V xlaCpuMathTan(XlaCpuMath *m, V x) {
  Angle angle = reduce(m, x);
  V odd = bitOf(m, angle.quadrant, 1);
  V above = choose(m, odd, neg(m, angle.cosine), angle.sine);
  V below = choose(m, odd, angle.sine, angle.cosine);
  V tiny = compare(m, "olt", magnitude(m, x), num(m, 0x1p-13));
  V value = choose(m, tiny, x, quotient(m, above, below));
  return patchHuge(m, x, value, "tanf");
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

/// atan(t) - t for 0 <= t <= 1.
static V atanTail(XlaCpuMath *m, V t) {
  V z = mul(m, t, t);
  V p = XLA_CPU_POLYNOMIAL(m, z, -0.000936299084, 0.00620725248, -0.0192610767,
                           0.0383274401, -0.0576071562, 0.0741749674,
                           -0.0903674227, 0.111047068, -0.14285318, 0.199999903,
                           -0.333333333);
  return mul(m, mul(m, p, z), t);
}

/// atan(t), or pi/2 - atan(t) where `inverted`.
static V atanOfRatio(XlaCpuMath *m, V t, V inverted) {
  V tail = atanTail(m, t);
  V rest = sub(m, num(m, -4.371138828673793e-08), tail);
  // The difference and its rounding error, by Fast2Sum.
  V right = num(m, 1.5707963705062866), head = sub(m, right, t);
  V lost = sub(m, sub(m, right, head), t);
  V far = add(m, head, add(m, rest, lost));
  return choose(m, inverted, far, add(m, t, tail));
}

V xlaCpuMathAtan(XlaCpuMath *m, V x) {
  V a = magnitude(m, x), one = num(m, 1);
  V inverted = compare(m, "ogt", a, one);
  V t = choose(m, inverted, quotient(m, one, a), a);
  return keepNaN(m, x, withSign(m, atanOfRatio(m, t, inverted), x));
}

V xlaCpuMathAtan2(XlaCpuMath *m, V y, V x) {
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
static V asinTail(XlaCpuMath *m, V t, V z) {
  V p = XLA_CPU_POLYNOMIAL(m, z, 0.033690856, 0.0171492324, 0.0311006642,
                           0.0445994014, 0.0750009454, 0.166666663);
  return mul(m, mul(m, p, z), t);
}

/// Half of the way up asin itself; beyond, 2 asin(sqrt((1 - |x|) / 2)) is what
/// is missing to pi/2. `*far` tells which, `*t` and the result are t and
/// asin(t).
static V asinOfHalf(XlaCpuMath *m, V x, V *far, V *t) {
  V a = magnitude(m, x), half = num(m, 0.5);
  *far = compare(m, "ogt", a, half);
  V z = mul(m, sub(m, num(m, 1), a), half);
  z = choose(m, *far, z, mul(m, a, a));
  *t = choose(m, *far, root(m, z), a);
  return add(m, *t, asinTail(m, *t, z));
}

V xlaCpuMathAsin(XlaCpuMath *m, V x) {
  V far, t, s = asinOfHalf(m, x, &far, &t);
  V rest = sub(m, num(m, 1.5707963705062866), add(m, s, s));
  rest = add(m, rest, num(m, -4.371138828673793e-08));
  return keepNaN(m, x, withSign(m, choose(m, far, rest, s), x));
}

V xlaCpuMathAcos(XlaCpuMath *m, V x) {
  V far, t, s = asinOfHalf(m, x, &far, &t), twice = add(m, s, s);
  V negative = compare(m, "olt", x, num(m, 0));
  V pi = num(m, 3.1415927410125732);
  V below = add(m, sub(m, pi, twice), num(m, -8.742277657347586e-08));
  V outer = choose(m, negative, below, twice);
  V inner = sub(m, num(m, 1.5707963705062866),
                add(m, withSign(m, s, x), num(m, 4.371138828673793e-08)));
  return keepNaN(m, x, choose(m, far, outer, inner));
}

//===- ops.h - Writing formulas as ops ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the files of this folder. Every value of a formula has the type
// `m->type` unless its name says otherwise: f32, f64 or a vector of them.
// Polynomial coefficients, highest power first, interpolate at Chebyshev nodes,
// computed with 70 digits (tools/polynomials.py).
//
// Formulas are written for processors that round a * b + c once. Old ones have
// no such instruction, and shaders may round twice (SPIR-V's Fma is allowed
// to): where that would lose more than a fraction of the last place, products
// are then taken that are exact without it. They hold where no arithmetic is
// contracted or reassociated.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_MATH_OPS_H
#define XLAC_LOWERING_MATH_OPS_H

#include "xlac/dialect/ir.h"

#include <math.h>

/// Where a formula is written, and in which types.
typedef struct XlaMath {
  XlaIr ir;
  MlirType type; ///< f32 or f64, or a vector of it
  MlirType bits; ///< i32 or i64, likewise
  bool hasFma;   ///< math.fma is one instruction and rounds once
  bool isShader; ///< math.fma may round twice, vectors have 2 to 4 elements
} XlaMath;

typedef MlirValue V;

static inline V num(XlaMath *m, double value) {
  return xlaIrConstantFloat(&m->ir, m->type, value);
}
/// Whether floats are f64.
static inline bool isWide(const XlaMath *m) {
  return mlirTypeIsAF64(xlaIrElementType(m->type));
}
/// A number that depends on the type.
static inline V numOf(XlaMath *m, double f32, double f64) {
  return num(m, isWide(m) ? f64 : f32);
}
static inline V integer(XlaMath *m, int64_t value) {
  return xlaIrConstantInt(&m->ir, m->bits, value);
}
static inline V integerOf(XlaMath *m, int64_t f32, int64_t f64) {
  return integer(m, isWide(m) ? f64 : f32);
}
static inline V add(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.addf", a, b);
}
static inline V sub(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.subf", a, b);
}
static inline V mul(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.mulf", a, b);
}
static inline V quotient(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.divf", a, b);
}
static inline V neg(XlaMath *m, V a) {
  return xlaIrUnary(&m->ir, "arith.negf", a);
}
/// a * b + c, rounded once if `hasFma`.
static inline V mulAdd(XlaMath *m, V a, V b, V c) {
  if (!m->hasFma && !m->isShader)
    return add(m, mul(m, a, b), c);
  return xlaIrOp(&m->ir, "math.fma", mlirValueGetType(a), 3, (V[]){a, b, c}, 0,
                 NULL);
}
static inline V magnitude(XlaMath *m, V a) {
  return xlaIrUnary(&m->ir, "math.absf", a);
}
static inline V root(XlaMath *m, V a) {
  return xlaIrUnary(&m->ir, "math.sqrt", a);
}
/// The magnitude of `a` with the sign of `b`.
static inline V withSign(XlaMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "math.copysign", a, b);
}
static inline V compare(XlaMath *m, const char *predicate, V a, V b) {
  return xlaIrCmpF(&m->ir, predicate, a, b);
}
static inline V choose(XlaMath *m, V condition, V a, V b) {
  return xlaIrSelect(&m->ir, condition, a, b);
}
/// The nearest whole number, ties to even. Drivers get that of f64 wrong
/// (llvmpipe without AVX gives 1 for 1.5): adding and taking away 2^52 rounds.
static inline V nearest(XlaMath *m, V a) {
  if (!m->isShader || !isWide(m))
    return xlaIrUnary(&m->ir, "math.roundeven", a);
  V size = magnitude(m, a), unit = num(m, 0x1p52);
  V whole = withSign(m, sub(m, add(m, size, unit), unit), a);
  return choose(m, compare(m, "olt", size, unit), whole, a);
}
/// The smaller, the larger; `b` where `a` is NaN.
static inline V atMost(XlaMath *m, V a, V b) {
  return choose(m, compare(m, "olt", a, b), a, b);
}
static inline V atLeast(XlaMath *m, V a, V b) {
  return choose(m, compare(m, "ogt", a, b), a, b);
}
/// `x` itself where it is NaN, else `value`.
static inline V keepNaN(XlaMath *m, V x, V value) {
  return choose(m, compare(m, "uno", x, x), x, value);
}
static inline V toBits(XlaMath *m, V a) {
  return xlaIrCast(&m->ir, "arith.bitcast", a, m->bits);
}
static inline V fromBits(XlaMath *m, V a) {
  return xlaIrCast(&m->ir, "arith.bitcast", a, m->type);
}
/// Integer arithmetic on `bits`: "addi", "shli", ..
static inline V bitwise(XlaMath *m, const char *op, V a, V b) {
  return xlaIrBinary(&m->ir, op, a, b);
}
/// The upper half of a's digits: half of them times half are exact.
static inline V upperHalf(XlaMath *m, V a) {
  return fromBits(
      m, bitwise(m, "arith.andi", toBits(m, a),
                 integerOf(m, -(INT64_C(1) << 12), -(INT64_C(1) << 27))));
}
/// a * b = result + low exactly, where nothing over- or underflows (Dekker, "A
/// floating-point technique for extending the available precision", 1971).
static inline V product(XlaMath *m, V a, V b, V *low) {
  V high = mul(m, a, b);
  if (m->hasFma) {
    *low = mulAdd(m, a, b, neg(m, high));
    return high;
  }
  V aHigh = upperHalf(m, a), aLow = sub(m, a, aHigh);
  V bHigh = upperHalf(m, b), bLow = sub(m, b, bHigh);
  V lost = sub(m, mul(m, aHigh, bHigh), high);
  lost = add(m, lost, mul(m, aHigh, bLow));
  lost = add(m, lost, mul(m, aLow, bHigh));
  *low = add(m, lost, mul(m, aLow, bLow));
  return high;
}
/// a * b - c where c is close to it.
static inline V productMinus(XlaMath *m, V a, V b, V c) {
  if (m->hasFma)
    return mulAdd(m, a, b, neg(m, c));
  V low, high = product(m, a, b, &low);
  return add(m, sub(m, high, c), low);
}
static inline V polynomial(XlaMath *m, V x, int n, const double *c) {
  MlirType type = mlirValueGetType(x);
  V value = xlaIrConstantFloat(&m->ir, type, c[0]);
  for (int i = 1; i < n; ++i)
    value = mulAdd(m, value, x, xlaIrConstantFloat(&m->ir, type, c[i]));
  return value;
}
#define XLA_MATH_POLYNOMIAL(m, x, ...)                                         \
  polynomial(m, x, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)),    \
             (double[]){__VA_ARGS__})

/// The formulas.
V xlaMathExp(XlaMath *m, V x);
V xlaMathExp2(XlaMath *m, V x);
V xlaMathExpm1(XlaMath *m, V x);
V xlaMathTanh(XlaMath *m, V x);
V xlaMathSinh(XlaMath *m, V x);
V xlaMathCosh(XlaMath *m, V x);
V xlaMathErf(XlaMath *m, V x);
V xlaMathLog(XlaMath *m, V x);
V xlaMathLog1p(XlaMath *m, V x);
V xlaMathCbrt(XlaMath *m, V x);
V xlaMathRsqrt(XlaMath *m, V x);
V xlaMathPow(XlaMath *m, V x, V y);
V xlaMathSin(XlaMath *m, V x);
V xlaMathCos(XlaMath *m, V x);
V xlaMathTan(XlaMath *m, V x);
V xlaMathAsin(XlaMath *m, V x);
V xlaMathAcos(XlaMath *m, V x);
V xlaMathAtan(XlaMath *m, V x);
V xlaMathAtan2(XlaMath *m, V y, V x);

/// exp(high + low), |high| at most 150 in f32, 800 in f64, low near its last
/// place: from denormals to infinity.
V xlaMathExpOfSum(XlaMath *m, V high, V low);
/// A positive finite `x` as 2^exponent * (1 + result), 1 + result between
/// sqrt(1/2) and sqrt(2).
V xlaMathSplit(XlaMath *m, V x, V *exponent);

/// An f32 `x` rounded to bf16 or f16, to nearest even: the 16 bits as `bits`,
/// what lies above them is 0. NaNs become quiet. And back: bits above the 16
/// must be 0.
V xlaMathToBF16(XlaMath *m, V x);
V xlaMathToF16(XlaMath *m, V x);
V xlaMathFromBF16(XlaMath *m, V bits);
V xlaMathFromF16(XlaMath *m, V bits);

/// A function of math and its formula: one of the two is not NULL.
typedef struct XlaMathFunction {
  const char *op; ///< "math.exp"
  V (*unary)(XlaMath *m, V x);
  V (*binary)(XlaMath *m, V x, V y);
} XlaMathFunction;

/// NULL for ops that have no formula.
const XlaMathFunction *xlaMathFind(MlirOperation op);

#endif // XLAC_LOWERING_MATH_OPS_H

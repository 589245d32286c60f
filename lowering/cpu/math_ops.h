//===- math_ops.h - Writing formulas as ops --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the files of math.c. Every value of a formula has the type
// `m->type`, f32 or a vector of f32, unless its name says otherwise. Polynomial
// coefficients, highest power first, interpolate at Chebyshev nodes, computed
// with 70 digits.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_LOWERING_CPU_MATH_OPS_H
#define XLAC_LOWERING_CPU_MATH_OPS_H

#include "xlac/dialect/ir.h"

#include <math.h>

/// Where a formula is written, and in which types.
typedef struct XlaCpuMath {
  XlaIr ir;
  MlirType type; ///< f32, or a vector of it
  MlirType bits; ///< i32, likewise
} XlaCpuMath;

typedef MlirValue V;

static inline V num(XlaCpuMath *m, double value) {
  return xlaIrConstantFloat(&m->ir, m->type, value);
}
static inline V integer(XlaCpuMath *m, int64_t value) {
  return xlaIrConstantInt(&m->ir, m->bits, value);
}
static inline V add(XlaCpuMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.addf", a, b);
}
static inline V sub(XlaCpuMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.subf", a, b);
}
static inline V mul(XlaCpuMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.mulf", a, b);
}
static inline V quotient(XlaCpuMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "arith.divf", a, b);
}
static inline V neg(XlaCpuMath *m, V a) {
  return xlaIrUnary(&m->ir, "arith.negf", a);
}
/// a * b + c, rounded once.
static inline V mulAdd(XlaCpuMath *m, V a, V b, V c) {
  return xlaIrOp(&m->ir, "math.fma", mlirValueGetType(a), 3, (V[]){a, b, c}, 0,
                 NULL);
}
static inline V magnitude(XlaCpuMath *m, V a) {
  return xlaIrUnary(&m->ir, "math.absf", a);
}
static inline V root(XlaCpuMath *m, V a) {
  return xlaIrUnary(&m->ir, "math.sqrt", a);
}
static inline V nearest(XlaCpuMath *m, V a) {
  return xlaIrUnary(&m->ir, "math.roundeven", a);
}
/// The magnitude of `a` with the sign of `b`.
static inline V withSign(XlaCpuMath *m, V a, V b) {
  return xlaIrBinary(&m->ir, "math.copysign", a, b);
}
static inline V compare(XlaCpuMath *m, const char *predicate, V a, V b) {
  return xlaIrCmpF(&m->ir, predicate, a, b);
}
static inline V choose(XlaCpuMath *m, V condition, V a, V b) {
  return xlaIrSelect(&m->ir, condition, a, b);
}
/// The smaller, the larger; `b` where `a` is NaN.
static inline V atMost(XlaCpuMath *m, V a, V b) {
  return choose(m, compare(m, "olt", a, b), a, b);
}
static inline V atLeast(XlaCpuMath *m, V a, V b) {
  return choose(m, compare(m, "ogt", a, b), a, b);
}
/// `x` itself where it is NaN, else `value`.
static inline V keepNaN(XlaCpuMath *m, V x, V value) {
  return choose(m, compare(m, "uno", x, x), x, value);
}
static inline V toBits(XlaCpuMath *m, V a) {
  return xlaIrCast(&m->ir, "arith.bitcast", a, m->bits);
}
static inline V fromBits(XlaCpuMath *m, V a) {
  return xlaIrCast(&m->ir, "arith.bitcast", a, m->type);
}
/// Integer arithmetic on `bits`: "addi", "shli", ..
static inline V bitwise(XlaCpuMath *m, const char *op, V a, V b) {
  return xlaIrBinary(&m->ir, op, a, b);
}
static inline V polynomial(XlaCpuMath *m, V x, int n, const double *c) {
  MlirType type = mlirValueGetType(x);
  V value = xlaIrConstantFloat(&m->ir, type, c[0]);
  for (int i = 1; i < n; ++i)
    value = mulAdd(m, value, x, xlaIrConstantFloat(&m->ir, type, c[i]));
  return value;
}
#define XLA_CPU_POLYNOMIAL(m, x, ...)                                          \
  polynomial(m, x, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)),    \
             (double[]){__VA_ARGS__})

/// The formulas.
V xlaCpuMathExp(XlaCpuMath *m, V x);
V xlaCpuMathExp2(XlaCpuMath *m, V x);
V xlaCpuMathExpm1(XlaCpuMath *m, V x);
V xlaCpuMathTanh(XlaCpuMath *m, V x);
V xlaCpuMathSinh(XlaCpuMath *m, V x);
V xlaCpuMathCosh(XlaCpuMath *m, V x);
V xlaCpuMathErf(XlaCpuMath *m, V x);
V xlaCpuMathLog(XlaCpuMath *m, V x);
V xlaCpuMathLog1p(XlaCpuMath *m, V x);
V xlaCpuMathCbrt(XlaCpuMath *m, V x);
V xlaCpuMathRsqrt(XlaCpuMath *m, V x);
V xlaCpuMathPow(XlaCpuMath *m, V x, V y);
V xlaCpuMathSin(XlaCpuMath *m, V x);
V xlaCpuMathCos(XlaCpuMath *m, V x);
V xlaCpuMathTan(XlaCpuMath *m, V x);
V xlaCpuMathAsin(XlaCpuMath *m, V x);
V xlaCpuMathAcos(XlaCpuMath *m, V x);
V xlaCpuMathAtan(XlaCpuMath *m, V x);
V xlaCpuMathAtan2(XlaCpuMath *m, V y, V x);

/// libm's `name` of `arity` arguments (1 or 2) on each lane, in the arguments'
/// type: f32, f64, or a vector of rank 1. It must be declared.
V xlaCpuMathCall(XlaIr *ir, const char *name, intptr_t arity, const V *x);
/// Declares `name` on `element`; false where another function has the name.
bool xlaCpuMathDeclare(MlirBlock module, MlirLocation location,
                       const char *name, intptr_t arity, MlirType element);

#endif // XLAC_LOWERING_CPU_MATH_OPS_H

//===- real.c - Elementwise operations on floats -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/internal.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static double imag(double x) {
  (void)x;
  return 0;
}

static double identity(double x) { return x; }
static double logistic(double x) { return 1 / (1 + exp(-x)); }
static double negate(double x) { return -x; }
static double reciprocalRoot(double x) { return 1 / sqrt(x); }

static double sign(double x) {
  return isnan(x) || x == 0 ? x : copysign(1.0, x);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static double add(double x, double y) { return x + y; }
static double divide(double x, double y) { return x / y; }
static double multiply(double x, double y) { return x * y; }
static double subtract(double x, double y) { return x - y; }

static double maximum(double x, double y) {
  if (isnan(x) || isnan(y))
    return x + y;
  return x == y ? (signbit(x) ? y : x) : x > y ? x : y;
}

static double minimum(double x, double y) {
  if (isnan(x) || isnan(y))
    return x + y;
  return x == y ? (signbit(x) ? x : y) : x < y ? x : y;
}

/// 1 of a signaling NaN too, unlike pow.
static double power(double x, double y) {
  return y == 0 || x == 1 ? 1 : pow(x, y);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static double clamp(double low, double x, double high) {
  return minimum(maximum(low, x), high);
}

const XlaScalarReal xlaScalarReals[XlaOpKindCount] = {
    [XlaOpKindAbs] = {.unary = fabs},
    [XlaOpKindAdd] = {.binary = add},
    [XlaOpKindAtan2] = {.binary = atan2},
    [XlaOpKindAcos] = {.unary = acos},
    [XlaOpKindAcosh] = {.unary = acosh},
    [XlaOpKindAsin] = {.unary = asin},
    [XlaOpKindAsinh] = {.unary = asinh},
    [XlaOpKindAtan] = {.unary = atan},
    [XlaOpKindAtanh] = {.unary = atanh},
    [XlaOpKindCbrt] = {.unary = cbrt},
    [XlaOpKindCeil] = {.unary = ceil},
    [XlaOpKindClamp] = {.ternary = clamp},
    [XlaOpKindCosine] = {.unary = cos},
    [XlaOpKindDivide] = {.binary = divide},
    [XlaOpKindErf] = {.unary = erf},
    [XlaOpKindExponential] = {.unary = exp},
    [XlaOpKindExponentialMinusOne] = {.unary = expm1},
    [XlaOpKindFloor] = {.unary = floor},
    [XlaOpKindImag] = {.unary = imag},
    [XlaOpKindLog] = {.unary = log},
    [XlaOpKindLogPlusOne] = {.unary = log1p},
    [XlaOpKindLogistic] = {.unary = logistic},
    [XlaOpKindMaximum] = {.binary = maximum},
    [XlaOpKindMinimum] = {.binary = minimum},
    [XlaOpKindMultiply] = {.binary = multiply},
    [XlaOpKindNegate] = {.unary = negate},
    [XlaOpKindPower] = {.binary = power},
    [XlaOpKindReal] = {.unary = identity},
    [XlaOpKindRemainder] = {.binary = fmod},
    [XlaOpKindRoundNearestAfz] = {.unary = round},
    [XlaOpKindRoundNearestEven] = {.unary = nearbyint},
    [XlaOpKindRsqrt] = {.unary = reciprocalRoot},
    [XlaOpKindSign] = {.unary = sign},
    [XlaOpKindSine] = {.unary = sin},
    [XlaOpKindSqrt] = {.unary = sqrt},
    [XlaOpKindSubtract] = {.binary = subtract},
    [XlaOpKindTan] = {.unary = tan},
    [XlaOpKindCosh] = {.unary = cosh},
    [XlaOpKindSinh] = {.unary = sinh},
    [XlaOpKindTanh] = {.unary = tanh},
};

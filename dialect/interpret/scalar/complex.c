//===- complex.c - Elementwise operations on complex numbers -------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar/internal.h"

#include <complex.h>
#include <float.h>
#include <math.h>

typedef double _Complex Complex;

/// Keeps infinities and NaNs in their parts, unlike re + I * im.
static Complex complexOf(double re, double im) {
  return __builtin_complex(re, im);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static Complex modulus(Complex z) { return cabs(z); }
static Complex imag(Complex z) { return cimag(z); }
static Complex logistic(Complex z) { return 1 / (1 + cexp(-z)); }
static Complex negate(Complex z) { return complexOf(-creal(z), -cimag(z)); }
static Complex realPart(Complex z) { return creal(z); }
static Complex reciprocalRoot(Complex z) { return 1 / csqrt(z); }

/// e^z - 1 without cancellation: both parts from expm1 and the half angle.
static Complex expMinusOne(Complex z) {
  double e = expm1(creal(z)), im = cimag(z), s = sin(im / 2);
  if (im == 0)
    return complexOf(e, im);
  return complexOf(e * cos(im) - 2 * s * s, (e + 1) * sin(im));
}

/// ln(1 + z): |1 + z|^2 - 1 is formed without the 1.
static Complex logPlusOne(Complex z) {
  double a = creal(z), b = cimag(z);
  double re = fabs(a) < 0.5 && fabs(b) < 0.5 ? 0.5 * log1p(a * (2 + a) + b * b)
                                             : log(hypot(1 + a, b));
  return complexOf(re, atan2(b, 1 + a));
}

static Complex sign(Complex z) {
  double length = hypot(creal(z), cimag(z));
  if (isnan(length))
    return complexOf(NAN, NAN);
  return length == 0 ? complexOf(0, 0)
                     : complexOf(creal(z) / length, cimag(z) / length);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static Complex add(Complex x, Complex y) {
  return complexOf(creal(x) + creal(y), cimag(x) + cimag(y));
}

/// -i log((y + i x) / sqrt(y^2 + x^2))
static Complex angle(Complex x, Complex y) {
  return -I * clog((y + I * x) / csqrt(x * x + y * y));
}

static Complex divide(Complex x, Complex y) { return x / y; }

static bool isNan(Complex z) { return isnan(creal(z)) || isnan(cimag(z)); }

static bool isLess(Complex x, Complex y) {
  return creal(x) < creal(y) || (creal(x) == creal(y) && cimag(x) < cimag(y));
}

static Complex maximum(Complex x, Complex y) {
  if (isNan(x) || isNan(y))
    return complexOf(NAN, NAN);
  return isLess(x, y) ? y : x;
}

static Complex minimum(Complex x, Complex y) {
  if (isNan(x) || isNan(y))
    return complexOf(NAN, NAN);
  return isLess(y, x) ? y : x;
}

/// By the formula; C's product would repair infinities.
static Complex multiply(Complex x, Complex y) {
  double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
  return complexOf(a * c - b * d, a * d + b * c);
}

/// Products of f32 overflow, as in XLA and in StableHLO's own evaluator, though
/// the difference of two that do may be in range: complex<f32> is a pair of
/// f32.
static Complex multiplySingle(Complex x, Complex y) {
  float a = (float)creal(x), b = (float)cimag(x), c = (float)creal(y),
        d = (float)cimag(y);
  // One statement each: none becomes a fused multiply-add.
  float ac = a * c;
  float bd = b * d;
  float ad = a * d;
  float bc = b * c;
  return complexOf(ac - bd, ad + bc);
}

static bool isFinite(Complex z) {
  return isfinite(creal(z)) && isfinite(cimag(z));
}

/// Of another power whose modulus is above `most` no part is 0.
static Complex overflow(Complex z, double most) {
  return fabs(creal(z)) > most && cimag(z) == 0 ? complexOf(creal(z), NAN) : z;
}

/// x^2, x^3 and 1 / x are products and a quotient, as XLA has them of constant
/// exponents, and numpy of all. Of infinite parts XLA's: NaN, but where the
/// real numbers have a value.
static Complex powerBy(Complex x, Complex y,
                       Complex (*product)(Complex x, Complex y), double most) {
  double re = creal(y), im = cimag(y);
  bool isReal = cimag(x) == 0;
  if ((re == 0 && im == 0) || (creal(x) == 1 && isReal))
    return complexOf(1, 0);
  if (creal(x) == INFINITY && isReal && im == 0 && re != 0 && !isnan(re))
    return complexOf(re > 0 ? INFINITY : 0, 0);
  if (creal(x) == 0 && isReal)
    return re > 0 && isfinite(im) ? complexOf(0, 0) : complexOf(NAN, NAN);
  if (!isFinite(x) || !isFinite(y))
    return complexOf(NAN, NAN);
  if (im == 0 && (re == 2 || re == 3)) {
    Complex square = product(x, x);
    return re == 2 ? square : product(square, x);
  }
  return im == 0 && re == -1 ? divide(1, x) : overflow(cpow(x, y), most);
}

static Complex power(Complex x, Complex y) {
  return powerBy(x, y, multiply, DBL_MAX);
}

static Complex powerSingle(Complex x, Complex y) {
  return powerBy(x, y, multiplySingle, FLT_MAX);
}

static Complex cubeRoot(Complex z) { return power(z, 1.0 / 3); }

static Complex subtract(Complex x, Complex y) {
  return complexOf(creal(x) - creal(y), cimag(x) - cimag(y));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Complex clamp(Complex low, Complex x, Complex high) {
  return minimum(maximum(low, x), high);
}

const XlaScalarComplex xlaScalarComplexes[XlaOpKindCount] = {
    [XlaOpKindAbs] = {.unary = modulus},
    [XlaOpKindAdd] = {.binary = add},
    [XlaOpKindAtan2] = {.binary = angle},
    [XlaOpKindCbrt] = {.unary = cubeRoot},
    [XlaOpKindClamp] = {.ternary = clamp},
    [XlaOpKindCosine] = {.unary = ccos},
    [XlaOpKindDivide] = {.binary = divide},
    [XlaOpKindExponential] = {.unary = cexp},
    [XlaOpKindExponentialMinusOne] = {.unary = expMinusOne},
    [XlaOpKindImag] = {.unary = imag},
    [XlaOpKindLog] = {.unary = clog},
    [XlaOpKindLogPlusOne] = {.unary = logPlusOne},
    [XlaOpKindLogistic] = {.unary = logistic},
    [XlaOpKindMaximum] = {.binary = maximum},
    [XlaOpKindMinimum] = {.binary = minimum},
    [XlaOpKindMultiply] = {.binary = multiply, .single = multiplySingle},
    [XlaOpKindNegate] = {.unary = negate},
    [XlaOpKindPower] = {.binary = power, .single = powerSingle},
    [XlaOpKindReal] = {.unary = realPart},
    [XlaOpKindRsqrt] = {.unary = reciprocalRoot},
    [XlaOpKindSign] = {.unary = sign},
    [XlaOpKindSine] = {.unary = csin},
    [XlaOpKindSqrt] = {.unary = csqrt},
    [XlaOpKindSubtract] = {.binary = subtract},
    [XlaOpKindTan] = {.unary = ctan},
    [XlaOpKindTanh] = {.unary = ctanh},
};

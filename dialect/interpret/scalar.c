//===- scalar.c - The meaning of elementwise operations -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/interpret/scalar.h"

#include <complex.h>
#include <limits.h>
#include <math.h>

static XlaScalar real(double value) { return (XlaScalar){.f = {value, 0}}; }
static XlaScalar complexOf(double re, double im) {
  return (XlaScalar){.f = {re, im}};
}
static XlaScalar fromC(double _Complex z) {
  return complexOf(creal(z), cimag(z));
}
static double _Complex toC(XlaScalar x) {
  return __builtin_complex(x.f.re, x.f.im);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static double signOf(double x) {
  return isnan(x) || x == 0 ? x : copysign(1.0, x);
}

// Kinds that are not listed do not reach a function: verification has refused
// them for the type.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wswitch-enum"

static double unaryFloat(XlaOpKind kind, double x) {
  switch (kind) {
  case XlaOpKindAbs:
    return fabs(x);
  case XlaOpKindAcos:
    return acos(x);
  case XlaOpKindAcosh:
    return acosh(x);
  case XlaOpKindAsin:
    return asin(x);
  case XlaOpKindAsinh:
    return asinh(x);
  case XlaOpKindAtan:
    return atan(x);
  case XlaOpKindAtanh:
    return atanh(x);
  case XlaOpKindCosh:
    return cosh(x);
  case XlaOpKindSinh:
    return sinh(x);
  case XlaOpKindCbrt:
    return cbrt(x);
  case XlaOpKindCeil:
    return ceil(x);
  case XlaOpKindCosine:
    return cos(x);
  case XlaOpKindErf:
    return erf(x);
  case XlaOpKindExponential:
    return exp(x);
  case XlaOpKindExponentialMinusOne:
    return expm1(x);
  case XlaOpKindFloor:
    return floor(x);
  case XlaOpKindImag:
    return 0;
  case XlaOpKindLog:
    return log(x);
  case XlaOpKindLogPlusOne:
    return log1p(x);
  case XlaOpKindLogistic:
    return 1 / (1 + exp(-x));
  case XlaOpKindNegate:
    return -x;
  case XlaOpKindReal:
    return x;
  case XlaOpKindRoundNearestAfz:
    return round(x);
  case XlaOpKindRoundNearestEven:
    return nearbyint(x);
  case XlaOpKindRsqrt:
    return 1 / sqrt(x);
  case XlaOpKindSign:
    return signOf(x);
  case XlaOpKindSine:
    return sin(x);
  case XlaOpKindSqrt:
    return sqrt(x);
  case XlaOpKindTan:
    return tan(x);
  case XlaOpKindTanh:
    return tanh(x);
  default:
    return NAN;
  }
}

/// e^z - 1 without cancellation: both parts from expm1 and the half angle.
static XlaScalar complexExpm1(XlaScalar z) {
  double e = expm1(z.f.re), s = sin(z.f.im / 2);
  if (z.f.im == 0)
    return complexOf(e, z.f.im);
  return complexOf(e * cos(z.f.im) - 2 * s * s, (e + 1) * sin(z.f.im));
}

/// ln(1 + z): |1 + z|^2 - 1 is formed without the 1.
static XlaScalar complexLog1p(XlaScalar z) {
  double a = z.f.re, b = z.f.im;
  double modulus = fabs(a) < 0.5 && fabs(b) < 0.5
                       ? 0.5 * log1p(a * (2 + a) + b * b)
                       : log(hypot(1 + a, b));
  return complexOf(modulus, atan2(b, 1 + a));
}

static XlaScalar complexSign(XlaScalar z) {
  double modulus = hypot(z.f.re, z.f.im);
  if (isnan(modulus))
    return complexOf(NAN, NAN);
  return modulus == 0 ? complexOf(0, 0)
                      : complexOf(z.f.re / modulus, z.f.im / modulus);
}

static XlaScalar unaryComplex(XlaOpKind kind, XlaScalar x) {
  double _Complex z = toC(x);
  switch (kind) {
  case XlaOpKindAbs:
    return real(cabs(z));
  case XlaOpKindCbrt:
    return fromC(cpow(z, 1.0 / 3));
  case XlaOpKindCosine:
    return fromC(ccos(z));
  case XlaOpKindExponential:
    return fromC(cexp(z));
  case XlaOpKindExponentialMinusOne:
    return complexExpm1(x);
  case XlaOpKindImag:
    return real(x.f.im);
  case XlaOpKindLog:
    return fromC(clog(z));
  case XlaOpKindLogPlusOne:
    return complexLog1p(x);
  case XlaOpKindLogistic:
    return fromC(1 / (1 + cexp(-z)));
  case XlaOpKindNegate:
    return complexOf(-x.f.re, -x.f.im);
  case XlaOpKindReal:
    return real(x.f.re);
  case XlaOpKindRsqrt:
    return fromC(1 / csqrt(z));
  case XlaOpKindSign:
    return complexSign(x);
  case XlaOpKindSine:
    return fromC(csin(z));
  case XlaOpKindSqrt:
    return fromC(csqrt(z));
  case XlaOpKindTan:
    return fromC(ctan(z));
  case XlaOpKindTanh:
    return fromC(ctanh(z));
  default:
    return complexOf(NAN, NAN);
  }
}

static XlaScalar unaryInteger(XlaOpKind kind, const XlaElementTypeInfo *info,
                              XlaScalar x) {
  uint64_t mask = info->bits == 64 ? ~0ull : (1ull << info->bits) - 1;
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  switch (kind) {
  case XlaOpKindAbs:
    return (XlaScalar){.u = isSigned && x.s < 0 ? 0 - x.u : x.u};
  case XlaOpKindCountLeadingZeros: {
    uint64_t bits = x.u & mask;
    int zeros = bits ? __builtin_clzll(bits) - (64 - info->bits) : info->bits;
    return (XlaScalar){.u = (uint64_t)zeros};
  }
  case XlaOpKindNegate:
    return (XlaScalar){.u = 0 - x.u};
  case XlaOpKindNot:
    return (XlaScalar){.u = info->typeClass == XlaTypeClassPred ? !x.u : ~x.u};
  case XlaOpKindPopcnt:
    return (XlaScalar){.u = (uint64_t)__builtin_popcountll(x.u & mask)};
  case XlaOpKindSign:
    return isSigned ? (XlaScalar){.s = (x.s > 0) - (x.s < 0)}
                    : (XlaScalar){.u = x.u != 0};
  default:
    return (XlaScalar){.u = 0};
  }
}

XlaScalar xlaScalarUnary(XlaOpKind kind, XlaElementType type, XlaScalar x) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (kind == XlaOpKindIsFinite)
    return (XlaScalar){.u = isfinite(x.f.re)};
  if (info->typeClass == XlaTypeClassComplex)
    return unaryComplex(kind, x);
  if (info->typeClass == XlaTypeClassFloat)
    return real(unaryFloat(kind, x.f.re));
  return xlaScalarRound(type, unaryInteger(kind, info, x));
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static double binaryFloat(XlaOpKind kind, double x, double y) {
  switch (kind) {
  case XlaOpKindAdd:
    return x + y;
  case XlaOpKindAtan2:
    return atan2(x, y);
  case XlaOpKindDivide:
    return x / y;
  case XlaOpKindMaximum:
    if (isnan(x) || isnan(y))
      return x + y;
    return x == y ? (signbit(x) ? y : x) : x > y ? x : y;
  case XlaOpKindMinimum:
    if (isnan(x) || isnan(y))
      return x + y;
    return x == y ? (signbit(x) ? x : y) : x < y ? x : y;
  case XlaOpKindMultiply:
    return x * y;
  case XlaOpKindPower: // of a signaling NaN too, unlike pow
    return y == 0 || x == 1 ? 1 : pow(x, y);
  case XlaOpKindRemainder:
    return fmod(x, y);
  case XlaOpKindSubtract:
    return x - y;
  default:
    return NAN;
  }
}

static bool complexLess(XlaScalar x, XlaScalar y) {
  return x.f.re < y.f.re || (x.f.re == y.f.re && x.f.im < y.f.im);
}

static XlaScalar complexPower(XlaScalar x, XlaScalar y) {
  if (x.f.re == 0 && x.f.im == 0) {
    if (y.f.re == 0 && y.f.im == 0)
      return complexOf(1, 0);
    if (y.f.re > 0)
      return complexOf(0, 0);
  }
  return fromC(cpow(toC(x), toC(y)));
}

static XlaScalar binaryComplex(XlaOpKind kind, XlaScalar x, XlaScalar y) {
  double a = x.f.re, b = x.f.im, c = y.f.re, d = y.f.im;
  bool nan = isnan(a) || isnan(b) || isnan(c) || isnan(d);
  switch (kind) {
  case XlaOpKindAdd:
    return complexOf(a + c, b + d);
  case XlaOpKindAtan2: // -i log((c + i a) / sqrt(c^2 + a^2)) for complex a, c
    return fromC(-I * clog((toC(y) + I * toC(x)) /
                           csqrt(toC(x) * toC(x) + toC(y) * toC(y))));
  case XlaOpKindDivide:
    return fromC(toC(x) / toC(y));
  case XlaOpKindMaximum:
    return nan ? complexOf(NAN, NAN) : complexLess(x, y) ? y : x;
  case XlaOpKindMinimum:
    return nan ? complexOf(NAN, NAN) : complexLess(y, x) ? y : x;
  case XlaOpKindMultiply:
    return complexOf(a * c - b * d, a * d + b * c);
  case XlaOpKindPower:
    return complexPower(x, y);
  case XlaOpKindSubtract:
    return complexOf(a - c, b - d);
  default:
    return complexOf(NAN, NAN);
  }
}

static XlaScalar integerPower(bool isSigned, XlaScalar x, XlaScalar y) {
  uint64_t base = x.u, result = 1;
  if (isSigned && y.s < 0) // 1 / x^-y, truncated
    return (XlaScalar){.s = x.s == 1 ? 1 : x.s == -1 ? (y.u & 1 ? -1 : 1) : 0};
  for (uint64_t exponent = y.u; exponent; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return (XlaScalar){.u = result};
}

static XlaScalar integerDivide(bool isSigned, XlaScalar x, XlaScalar y) {
  if (!y.u)
    return (XlaScalar){.s = -1};
  if (!isSigned)
    return (XlaScalar){.u = x.u / y.u};
  return y.s == -1 ? (XlaScalar){.u = 0 - x.u} : (XlaScalar){.s = x.s / y.s};
}

static XlaScalar integerRemainder(bool isSigned, XlaScalar x, XlaScalar y) {
  if (!y.u)
    return x;
  if (!isSigned)
    return (XlaScalar){.u = x.u % y.u};
  return (XlaScalar){.s = y.s == -1 ? 0 : x.s % y.s};
}

static XlaScalar shift(XlaOpKind kind, const XlaElementTypeInfo *info,
                       XlaScalar x, XlaScalar y) {
  uint64_t mask = info->bits == 64 ? ~0ull : (1ull << info->bits) - 1;
  uint64_t by = y.u & mask; // a negative amount is a large one
  bool negative = (x.u & mask) >> (info->bits - 1) & 1;
  bool out = by >= (uint64_t)info->bits;
  if (kind == XlaOpKindShiftLeft)
    return (XlaScalar){.u = out ? 0 : x.u << by};
  uint64_t shifted = out ? 0 : (x.u & mask) >> by;
  if (kind == XlaOpKindShiftRightArithmetic && negative)
    shifted |= out ? mask : mask & ~(mask >> by);
  return (XlaScalar){.u = shifted};
}

static XlaScalar binaryInteger(XlaOpKind kind, const XlaElementTypeInfo *info,
                               XlaScalar x, XlaScalar y) {
  bool isSigned = info->typeClass == XlaTypeClassSigned;
  bool less = isSigned ? x.s < y.s : x.u < y.u;
  bool pred = info->typeClass == XlaTypeClassPred;
  switch (kind) {
  case XlaOpKindAdd:
    return (XlaScalar){.u = pred ? x.u | y.u : x.u + y.u};
  case XlaOpKindAnd:
    return (XlaScalar){.u = x.u & y.u};
  case XlaOpKindDivide:
    return integerDivide(isSigned, x, y);
  case XlaOpKindMaximum:
    return less ? y : x;
  case XlaOpKindMinimum:
    return less ? x : y;
  case XlaOpKindMultiply:
    return (XlaScalar){.u = x.u * y.u};
  case XlaOpKindOr:
    return (XlaScalar){.u = x.u | y.u};
  case XlaOpKindPower:
    return integerPower(isSigned, x, y);
  case XlaOpKindRemainder:
    return integerRemainder(isSigned, x, y);
  case XlaOpKindShiftLeft:
  case XlaOpKindShiftRightArithmetic:
  case XlaOpKindShiftRightLogical:
    return shift(kind, info, x, y);
  case XlaOpKindSubtract:
    return (XlaScalar){.u = x.u - y.u};
  case XlaOpKindXor:
    return (XlaScalar){.u = x.u ^ y.u};
  default:
    return (XlaScalar){.u = 0};
  }
}

#pragma clang diagnostic pop

XlaScalar xlaScalarBinary(XlaOpKind kind, XlaElementType type, XlaScalar x,
                          XlaScalar y) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (kind == XlaOpKindComplex)
    return complexOf(x.f.re, y.f.re);
  if (info->typeClass == XlaTypeClassComplex)
    return binaryComplex(kind, x, y);
  if (info->typeClass == XlaTypeClassFloat)
    return real(binaryFloat(kind, x.f.re, y.f.re));
  return xlaScalarRound(type, binaryInteger(kind, info, x, y));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Maps a double to an integer with the total order.
static int64_t orderKey(double x) {
  union {
    double value;
    int64_t bits;
  } pun = {x};
  return pun.bits < 0 ? INT64_MAX ^ pun.bits : pun.bits;
}

/// -1, 0, 1, or 2 for unordered.
static int order(double x, double y) {
  return isnan(x) || isnan(y) ? 2 : (x > y) - (x < y);
}

bool xlaScalarCompare(XlaComparison comparison, bool totalOrder,
                      XlaElementType type, XlaScalar x, XlaScalar y) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  int o;
  if (info->typeClass == XlaTypeClassSigned) {
    o = (x.s > y.s) - (x.s < y.s);
  } else if (info->typeClass == XlaTypeClassFloat && totalOrder) {
    int64_t a = orderKey(x.f.re), b = orderKey(y.f.re);
    o = (a > b) - (a < b);
  } else if (info->typeClass == XlaTypeClassFloat) {
    o = order(x.f.re, y.f.re);
  } else if (info->typeClass == XlaTypeClassComplex) {
    o = order(x.f.re, y.f.re);
    int im = order(x.f.im, y.f.im);
    o = o == 2 || im == 2 ? 2 : o ? o : im;
  } else {
    o = (x.u > y.u) - (x.u < y.u);
  }
  switch (comparison) {
  case XlaComparisonEq:
    return o == 0;
  case XlaComparisonNe:
    return o != 0;
  case XlaComparisonGe:
    return o == 0 || o == 1;
  case XlaComparisonGt:
    return o == 1;
  case XlaComparisonLe:
    return o == 0 || o == -1;
  case XlaComparisonLt:
    return o == -1;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// An integer as a double that rounds to narrower formats as the integer itself
/// would: beyond 53 bits the lost ones leave a trace in the last place kept.
static double roundToOdd(uint64_t magnitude) {
  if (magnitude >> 53) {
    uint64_t lost = magnitude & 0x7ff;
    magnitude = (magnitude & ~UINT64_C(0x7ff)) | (lost ? 0x800 : 0);
  }
  return (double)magnitude;
}

static double integerToDouble(bool isSigned, XlaElementType to, XlaScalar x) {
  bool wide = to == XlaElementTypeF64 || to == XlaElementTypeC128;
  if (isSigned && x.s < 0)
    return wide ? (double)x.s : -roundToOdd(0 - x.u);
  return wide ? (double)x.u : roundToOdd(x.u);
}

static XlaScalar doubleToInteger(const XlaElementTypeInfo *to, double x) {
  if (isnan(x))
    return (XlaScalar){.u = 0};
  if (to->typeClass == XlaTypeClassSigned) {
    double limit = ldexp(1, to->bits - 1);
    int64_t most = (int64_t)(~0ull >> (65 - to->bits));
    return (XlaScalar){.s = x >= limit   ? most
                            : x < -limit ? -most - 1
                                         : (int64_t)x};
  }
  double limit = ldexp(1, to->bits);
  uint64_t most = ~0ull >> (64 - to->bits);
  return (XlaScalar){.u = x >= limit ? most : x <= -1 ? 0 : (uint64_t)x};
}

XlaScalar xlaScalarConvert(XlaElementType from, XlaElementType to,
                           XlaScalar x) {
  const XlaElementTypeInfo *source = xlaElementTypeGetInfo(from);
  const XlaElementTypeInfo *target = xlaElementTypeGetInfo(to);
  bool floating = source->typeClass & (XlaTypeClassFloat | XlaTypeClassComplex);
  bool isComplex = source->typeClass == XlaTypeClassComplex;
  switch (target->typeClass) {
  case XlaTypeClassPred:
    // Of complex numbers the real part alone, as to every other type.
    return (XlaScalar){.u = floating ? x.f.re != 0 : x.u != 0};
  case XlaTypeClassSigned:
  case XlaTypeClassUnsigned:
    return floating ? doubleToInteger(target, x.f.re) : xlaScalarRound(to, x);
  case XlaTypeClassFloat:
  case XlaTypeClassComplex:
    break;
  }
  if (!floating)
    return real(
        integerToDouble(source->typeClass == XlaTypeClassSigned, to, x));
  bool keepsImaginary = isComplex && target->typeClass == XlaTypeClassComplex;
  return complexOf(x.f.re, keepsImaginary ? x.f.im : 0);
}

double xlaScalarReducePrecision(XlaElementType type, double x, int exponentBits,
                                int mantissaBits) {
  const XlaElementTypeInfo *info = xlaElementTypeGetInfo(type);
  if (isnan(x))
    return x;
  if (isinf(x) || x == 0)
    return x;
  if (mantissaBits < info->mantissaBits) {
    int exponent;
    frexp(x, &exponent); // |x| in [2^(exponent-1), 2^exponent)
    // Subnormals of `type` share the least exponent.
    int least = 1 - info->bias;
    int place = (exponent - 1 > least ? exponent - 1 : least) - mantissaBits;
    double scaled = ldexp(x, -place);
    // Without mantissa bits the exponent's last bit says which number is even:
    // halfway between 2^e and 2^(e+1), the former if e + bias is.
    bool halfway = !mantissaBits && fabs(scaled) == 1.5;
    scaled = halfway && (exponent - 1 + info->bias) % 2 == 0
                 ? copysign(1, scaled)
                 : nearbyint(scaled);
    x = ldexp(scaled, place);
  }
  if (exponentBits >= info->exponentBits || x == 0 || isinf(x))
    return x;
  int bias = (1 << (exponentBits - 1)) - 1, exponent;
  frexp(x, &exponent);
  if (exponent - 1 > bias)
    return copysign(INFINITY, x);
  return exponent - 1 < 1 - bias ? copysign(0, x) : x;
}
